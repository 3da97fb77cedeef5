"""Discord channels in which the Avrae bot ran a combat, as DiscordChatExporter writes them (JSON), turned into facts.

A channel has no states of the bot, only printed text: turns with the combatants' points, and lists of the initiative.
Each of these is compared with the facts before it.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.sources import Limits, lines
from encounterlog.importers.transcript import BadSource, Problem, Transcript
from encounterlog.importers.words import clean, moment, objects, word
from encounterlog.importers.writing import Event, initiative
from encounterlog_avrae.commands import set_back, transcribe_rest
from encounterlog_avrae.messages import transcribe_answer
from encounterlog_avrae.printed import after_name, parts, points_in, read_roll, read_title, roll_fields
from encounterlog_avrae.replies import embeds, reply_text, title_of
from encounterlog_avrae.rows import SourceContent, SourceRow, with_bot
from encounterlog_avrae.snapshots import ShownEffect
from encounterlog_avrae.writer import Writer, of_members
from projections.rulesets.fifth_edition.figures import SHORT

LIMITS = Limits(line=64 << 20, lines=20_000_000, size=128 << 20)
"""The limits of an export, which is one JSON document."""
_HOW = "export the channel with DiscordChatExporter in the format Json"


def read_channel(source: Path) -> SourceContent:
    """Read an export; raise BadSource if it is none."""
    text = b"".join(lines(source, LIMITS)).decode("utf-8-sig", errors="surrogateescape")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BadSource("is not JSON", _HOW) from None
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list) or not isinstance(document.get("channel"), dict):
        raise BadSource("has no 'channel' with 'messages'", _HOW)
    rows: list[SourceRow] = []
    problems: list[Problem] = []
    at, line = 0, 1
    for message in messages:
        found = text.find(f'"{message.get("id")}"', at) if isinstance(message, dict) else -1
        if found >= 0:
            at, line = found, line + text.count("\n", at, found)
        if row := _row(line, message):
            rows.append(row)
        else:
            problems.append(Problem(line, "is no message with 'timestamp', 'content' and 'author'"))
    if not rows:
        raise BadSource("line 1: the export has no messages")
    return SourceContent(clean(str(document["channel"].get("name", "a channel"))), with_bot(rows), problems)


def _row(line: int, message: Any) -> SourceRow | None:
    if not isinstance(message, dict) or not isinstance(message.get("content"), str):
        return None
    author, at = message.get("author"), moment(message.get("timestamp"))
    if at is None or not isinstance(author, dict):
        return None
    name = author.get("nickname") or author.get("name")
    body = {"content": message["content"], "embeds": objects(message.get("embeds")), "author_id": str(author.get("id"))}
    return SourceRow(line, "message", at, "", body | {"author_name": name, "author_bot": author.get("isBot") is True})


# ---------------------------------------------------------------- acts

CONTINUED = "** **"
"""The name of a field that continues the text of the one before it."""
_ROLL = r"(?P<roll>.+?= `-?\d+`)"
_RESULT = r"(?:; (?P<result>Success|Failure)!)?"
_DC = re.compile(r"^\*\*DC\*\*: (\d{1,3})$", re.MULTILINE)
_HIT = re.compile(rf"^\*\*To Hit(?: \(AC (?P<ac>\d+)\))?\*\*: (?:{_ROLL}|Automatic (?P<auto>hit|miss)!)$")
_AMOUNT = re.compile(rf"^\*\*(?P<what>Damage|Healing|THP)(?P<crit> \(CRIT!\))?\*\*: {_ROLL}$")
_PARENT = re.compile(r"(?:^|; )Parent: (?P<name>[^;]+)$")
_ROUNDS = re.compile(r"^(\d{1,6}) rounds?$")


class Act:
    """An announced act and its outcomes, each added with its cause."""

    def __init__(self, writer: Writer, row: SourceRow, embed: dict[str, Any]) -> None:
        self.writer, self.row = writer, row
        self.fields = _fields(embed)
        self.title = title_of(embed)
        names = sorted(writer.fight.order(), key=lambda one: -len(writer.name(one)))
        self.actor = next((one for one in names if after_name(self.title, writer.name(one)) is not None), None)
        self.dc = next((int(found[1]) for _, text in self.fields if (found := _DC.search(text))), None)
        self.means = ""
        self.cause: int | None = None

    def transcribe(self) -> None:
        """Add the act, if it is a combatant's, and the lines under each name."""
        texts = [line for _, text in self.fields for line in text.split("\n")]
        if not any(pattern.match(line) for line in texts for pattern in self._LINES):
            return
        act = self._act()
        for name, text in self.fields:
            self.cause = act
            for number, line in enumerate(found := text.split("\n")):
                self._add(self.writer.exactly(name), name, line, found[number + 1 :])

    def _act(self) -> int | None:
        """Return the place of the act, which is added unless it is there; one of somebody outside the fight is a note."""
        read = read_title(after_name(self.title, self.writer.name(self.actor)) or "") if self.actor else None
        self.means = read.means if read else ""
        acts = self.writer.seen.acts
        if self.row.line not in acts and self.actor and read:
            targets = [who for name, _ in self.fields if (who := self.writer.exactly(name)) and who != self.actor]
            action: Event = {"kind": read.kind, "name": word(read.name)} | ({"targets": targets} if targets else {})
            event: Event = {"type": "action_taken", "combatant": self.actor, "action": action}
            acts[self.row.line] = self.writer.add(self.row, event)
        elif self.row.line not in acts and self.title:
            acts[self.row.line] = self.writer.note(self.row, f"announced: {self.title}")
        return acts.get(self.row.line)

    def _add(self, who: str | None, name: str, line: str, rest: list[str]) -> None:
        """Add the facts of one line; the rest are those below it under the same name."""
        for pattern, add in self._LINES.items():
            if found := pattern.match(line):
                add(self, who, found, rest)
                return
        if line.startswith("**") and "= `" in line and name != "Meta":
            self.writer.problem(self.row, f"has a roll that is not read: {line[:60]}")

    def _of_act(self, event: Event) -> int:
        return self.writer.add(self.row, event, cause=self.writer.seen.acts.get(self.row.line))

    def _attack(self, who: str | None, found: re.Match[str], rest: list[str]) -> None:
        if self.actor is None:
            return
        own = rest[: next((n for n, line in enumerate(rest) if _HIT.match(line)), len(rest))]
        dealt = [one for line in own if (one := _AMOUNT.match(line))]
        event = self.writer.attack(self.actor, who, self.means)
        event |= roll_fields(found["roll"]) | ({"ac": int(found["ac"])} if found["ac"] else {})
        if "**Miss!**" in own or found["auto"] == "miss":
            event["hit"] = False
        elif who and dealt:
            event["hit"] = True
        self.cause = self._of_act(event | ({"critical": True} if any(one["crit"] for one in dealt) else {}))

    def _save(self, who: str | None, found: re.Match[str], _rest: list[str]) -> None:
        if who is not None:
            save = found["save"].casefold()
            event: Event = {"type": "save_rolled", "combatant": who, "save": SHORT.get(save, save)}
            dc = {"dc": self.dc} if self.dc else {}
            self.cause = self._of_act(event | roll_fields(found["roll"]) | dc | _result(found))

    def _check(self, who: str | None, found: re.Match[str], _rest: list[str]) -> None:
        event: Event = {"type": "dice_rolled", "purpose": word(f"{found['skill'].casefold()} check")}
        self._of_act(event | ({"combatant": who} if who else {}) | roll_fields(found["roll"]) | _result(found))

    def _amount(self, who: str | None, found: re.Match[str], _rest: list[str]) -> None:
        roll = read_roll(found["roll"])
        if roll is None or roll.total is None:
            return
        temporary, sign = found["what"] == "THP", -1 if roll.total < 0 else 1
        if who is None:
            what = "temporary hit points" if temporary else found["what"].casefold()
            self.writer.note(self.row, f"{abs(roll.total)} {what} at nobody in particular", about=self.cause)
            return
        more: Event = {"source": self.actor} if self.actor else {}
        if temporary:
            more["parts"] = parts(roll, "points")
            event: Event = {"type": "healed", "target": who, "amount": max(roll.total, 0), "temporary": True}
            self.writer.add(self.row, event | more, cause=self.cause)
        else:
            more |= {"parts": parts(roll, "healing" if sign < 0 else "damage", sign)} if roll.terms else {}
            self.writer.hurt(self.row, who, roll.total, self.cause, **more)

    def _effect(self, who: str | None, found: re.Match[str], _rest: list[str]) -> None:
        if who is None:
            return
        rounds, parent = _ROUNDS.match(found["length"] or ""), _PARENT.search(found["more"] or "")
        named = [one for one in self.writer.fight.effects() if parent and one.name == word(parent["name"])]
        above = [one for one in named if one.bearer == self.actor] or named
        shown = ShownEffect(
            key=f"{self.row.line} {who} {found['name']}",
            name=found["name"],
            bearer=who,
            duration=int(rounds[1]) if rounds else None,
            parent=self.writer.key_of(above[-1]) if above else "",
        )
        self.writer.start_effect(self.row, who, shown, self.cause)

    def _removed(self, who: str | None, found: re.Match[str], _rest: list[str]) -> None:
        held = [one for one in self.writer.fight.effects() if one.name == word(found["name"])]
        ended = [one for one in held if one.bearer == (who or self.actor)] or (held if len(held) == 1 else [])
        self.writer.end_effects(self.row, ended, "removed", cause=self.writer.seen.acts.get(self.row.line))

    _LINES: ClassVar[dict[re.Pattern[str], Callable[["Act", str | None, re.Match[str], list[str]], None]]] = {
        _HIT: _attack,
        re.compile(rf"^\*\*(?P<save>[A-Za-z]+) Save\*\*: {_ROLL}{_RESULT}$"): _save,
        re.compile(rf"^\*\*(?P<skill>[A-Za-z ]+) Check\*\*: {_ROLL}{_RESULT}$"): _check,
        _AMOUNT: _amount,
        re.compile(r"^\*\*Effect\*\*: (?P<name>.+?)(?: \[(?P<length>[^\]]*)\])?(?: \((?P<more>.*)\))?$"): _effect,
        re.compile(r"^\*\*Removed Effect\*\*: (?P<name>.+)$"): _removed,
    }


def _result(found: re.Match[str]) -> Event:
    return {"succeeded": found["result"] == "Success"} if found["result"] else {}


def _fields(embed: dict[str, Any]) -> list[tuple[str, str]]:
    """List the fields of an embed with their names; those that go on with another are joined to it."""
    found: list[tuple[str, str]] = []
    for one in objects(embed.get("fields")):
        name, text = clean(str(one.get("name", ""))), clean(str(one.get("value", "")))
        if name == CONTINUED and found:
            name, before = found.pop()
            text = f"{before}{chr(10) if before.endswith('`') else ' '}{text}"
        found.append((name, text))
    return found


# ---------------------------------------------------------------- messages

_CHECK = re.compile(r"^(?P<name>.+) (?:makes an Initiative check|already rolled initiative)!$")
_REROLLED = re.compile(r"^(?:Rerolled initiative|New initiatives)\b", re.MULTILINE)
_NEW_ROLL = re.compile(r"^(?P<roll>.*`-?\d+`): (?P<name>.+)$")
_LIST = re.compile(r"^Current initiative: -?\d+ \(round (?P<round>\d{1,15})\)$", re.MULTILINE)
_MEMBER = "     - "
"""How the line of a group's member begins in a list."""
_ENTRY = re.compile(r"^(?:[# ] *-?\d+: | {2,}- )(?P<rest>\S.*)$")
_STANDS = re.compile(
    r"^(?P<name>.+?)(?P<answers>:)? <(?P<points>[^<>]*)>(?: \(\+(?P<temp>\d{1,15}) temp\))?(?: \((?P<change>[-+]\d{1,15})\))?"
)
_RUNS = re.compile(r"^\* (?P<effect>\S.*)$")
"""A line about an effect, below the line of its bearer."""
_WENT = "the bot gives the turn to a combatant who is not next"
_WENT_BACK = "the bot gives the turn again to a combatant who had it in this round"
_TICK = r"\N{WHITE HEAVY CHECK MARK} "


def read(source: Path, *, talk: bool = False, game: Game = PLAIN) -> Transcript:
    """Turn an exported channel into facts of a game, people's talk too if wanted; raise BadSource if it is none."""
    return _Pass(source, game, talk=talk).run()


class _Pass:
    """One pass over the messages."""

    def __init__(self, source: Path, game: Game, *, talk: bool) -> None:
        self._channel = read_channel(source)
        self._talk = talk
        self._writer = Writer(game)
        self._people = {str(row.body["author_id"]): clean(str(row.body["author_name"])) for row in self._channel.rows}
        self._states = self._left_out = self._after_end = 0
        self._closed = False

    def run(self) -> Transcript:
        """Transcribe every message."""
        for row in self._channel.rows:
            if self._closed:
                self._after_end += 1
            elif row.by_bot:
                self._transcribe_answer(row)
            elif not row.body["author_bot"] and not row.body["content"].startswith("!"):
                self._add_talk(row)
        if not self._writer.fight.order():
            raise BadSource("shows no combat: nobody was added to one", "the bot's messages have to be in the export")
        return self._writer.transcript(
            f"Fight in {word(self._channel.name)}",
            self._states,
            self._channel.problems,
            left_out=self._left_out,
            begins="a channel shows only the bot's messages: no points of monsters, and no reason for the end of an effect",
            after_end=self._after_end,
        )

    def _add_talk(self, row: SourceRow) -> None:
        said = clean(row.body["content"]).strip()
        if said and self._talk and self._writer.fight.order():
            self._writer.note(row, f"{self._people[str(row.body['author_id'])]}: {said}")
        else:
            self._left_out += bool(said)

    def _transcribe_answer(self, row: SourceRow) -> None:
        writer, text = self._writer, clean(row.body["content"])
        for embed in embeds(row):
            found = _CHECK.match(title_of(embed))
            if found and "Added to combat!" in reply_text(row):
                # only characters join by a check of their own, and the bot counts no points of theirs below 0
                sheet = {"hp_floor": 0} | ({"creature": "character"} if writer.game.takes.sheets else {})
                self._add_join(row, found["name"], clean(str(embed.get("description", ""))).split("\n")[0], sheet)
        if _LIST.search(text):
            self._compare_list(row, text.split("\n"))
            return
        if _REROLLED.search(text):
            self._reroll(row, text.split("\n"))
        for embed in embeds(row):
            Act(writer, row, embed).transcribe()
        transcribe_answer(writer, row, self._people)
        transcribe_rest(writer, row)
        for line in reply_text(row).replace("```md", "").replace("```", "").split("\n"):
            for pattern, add in self._LINES.items():
                if said := pattern.match(line.strip()):
                    add(self, row, said, writer.exactly(said.groupdict().get("name")))
                    break

    # who is there

    def _join(self, row: SourceRow, found: re.Match[str], _who: str | None) -> None:
        self._add_join(row, found["name"], found["roll"], {})

    def _add_join(self, row: SourceRow, name: str, roll: str, sheet: Event) -> None:
        writer = self._writer
        if writer.exactly(name) is not None:
            writer.problem(row, f"adds {word(name)}, who is in the fight")
            return
        who = writer.meet(f"{row.line} {name}", name)
        writer.called[who] = name
        writer.add(row, {"type": "combatant_joined", "combatant": who, "name": word(name), "sheet": sheet})
        event = of_members("initiative_rolled", [who]) | initiative(read_roll(roll.removesuffix(".")))
        if "total" not in event and (placed := re.search(r"-?\d{1,15}(?=\D*$)", roll)):
            event["total"] = int(placed[0])
        writer.add(row, event)

    def _reroll(self, row: SourceRow, listed: list[str]) -> None:
        """Take the new initiative rolls that a message lists; nobody has the turn meanwhile."""
        self._writer.end_turn(row)
        for line in listed:
            found = _NEW_ROLL.match(line.strip())
            who = self._writer.exactly(found["name"]) if found else None
            new = initiative(read_roll(found["roll"])) if found else {}
            if who and "total" in new:
                self._writer.place(row, of_members("initiative_rolled", [who]) | new)

    def _leave(self, row: SourceRow, _found: re.Match[str], who: str | None) -> None:
        if who is not None:
            self._writer.add(row, {"type": "combatant_left", "combatant": who, "reason": "removed from the combat"})

    def _rename(self, row: SourceRow, found: re.Match[str], who: str | None) -> None:
        if who is not None:
            decision, why = f"{found['name']} was renamed", "the bot says so"
            self._writer.rule(row, {f"{who}.name": word(found["new"])}, decision, why)
            self._writer.called[who] = found["new"]

    def _move(self, row: SourceRow, found: re.Match[str], who: str | None) -> None:
        self._place(row, [who] if who else [], int(found["total"]))

    def _place(self, row: SourceRow, members: list[str], total: int) -> None:
        """Give combatants their places if the bot shows another total."""
        for who in members:
            if self._writer.fight.place(who) is not None and self._writer.fight.initiative(who) != total:
                self._writer.place(row, {"type": "initiative_rolled", "combatant": who, "total": total})

    def _close(self, row: SourceRow, _found: re.Match[str], _who: str | None) -> None:
        if self._writer.fight.order():
            self._closed = True
            self._writer.add(row, {"type": "encounter_closed.2"})

    # turns

    def _turn(self, row: SourceRow, found: re.Match[str], named: str | None) -> None:
        writer, number, text = self._writer, int(found["round"]), clean(row.body["content"])
        standing = [writer.exactly(one["name"]) for line in text.split("\n") if (one := _STANDS.match(line))]
        acting = list(dict.fromkeys(who for who in (named, *standing) if who))
        if not acting:
            writer.problem(row, f"gives {word(found['name'])} the turn, whom no message added")
            return
        if not self._set_back(row, acting[0], number):
            now, same = writer.fight.place(writer.fight.turn), writer.fight.round == number
            writer.end_turn(row)
            self._place(row, acting, int(found["init"]))
            if writer.fight.round != number or not writer.fight.counts_rounds:
                writer.start_round(row, number)
            due = now + 1 if same and now is not None else 0
            writer.permit_turn(row, acting, _WENT, in_turn={*map(writer.fight.place, acting)} == {due})
            writer.add(row, of_members("turn_started", acting))
            if text.rstrip().endswith("```"):  # else it is longer than a message can be
                self._end_unlisted(row, text.rstrip().split("\n"))
        self._state(row, {"turn": acting[0], "round": number})

    def _end_unlisted(self, row: SourceRow, text: list[str]) -> None:
        """End the effects that are not listed when their bearer's turn begins: the bot lists all running ones."""
        listed: dict[str, list[str]] = {}
        who: str | None = None
        for line in text:
            if found := _STANDS.match(line.removeprefix("```md")):
                who = self._writer.exactly(found["name"])
                listed |= {who: []} if who else {}
            elif who and (running := _RUNS.match(line)):
                listed[who].append(word(running["effect"]))
        for who, names in listed.items():
            over = [one for one in self._writer.fight.on(who) if not any(name.startswith(one.name) for name in names)]
            self._writer.end_effects(row, over, "not among those that the bot lists as the turn begins")

    def _set_back(self, row: SourceRow, who: str, number: int) -> bool:
        """Strike the turns after one that a combatant has had in this round, if nobody acted in them: the bot goes back only if it is set back."""
        writer = self._writer
        place = writer.fight.place(who)
        if place is None or number != writer.fight.round or who in writer.fight.acting():
            return False
        for index in reversed(writer.turns):
            event = writer.facts[index].event
            if who in (event["combatant"], *event.get("together", [])):
                since = range(index + 1, len(writer.facts))
                acted = any(writer.facts[each].event["type"] == "action_taken" for each in since)
                return not acted and set_back(writer, row, since, (place, number), _WENT_BACK)
        return False

    def _state(self, row: SourceRow, values: Event) -> None:
        """Add the values that a message shows as a statement, to be compared."""
        self._states += 1
        self._writer.add(row, {"type": "checked", "values": values})

    def _compare_list(self, row: SourceRow, listed: list[str]) -> None:
        """Compare an initiative list: those in it, their order, their points; a heading of a group has members below it."""
        writer, shown = self._writer, []
        for line, below in zip(listed, [*listed[1:], ""], strict=True):
            entry = _ENTRY.match(line)
            if entry is None or (below.startswith(_MEMBER) and not line.startswith(_MEMBER)):
                continue
            stands = _STANDS.match(entry["rest"])
            name = stands["name"] if stands else entry["rest"].split(" (")[0].strip()
            who = writer.exactly(name)
            if who is None:
                writer.problem(row, f"lists {word(name)}, whom no message added")
                continue
            shown.append(who)
            if stands:
                self._take_points(row, who, stands, None)
        shown += [who for who in writer.fight.order() if who not in shown]
        if shown != writer.fight.order():
            says = f"the order is {', '.join(map(writer.name, shown))}"
            writer.override(row, {"order": shown}, says, None)
        points = {f"{who}.hp": hp for who in shown if (hp := writer.fight.points(who).hp) is not None}
        self._state(row, {"order": shown} | points)

    # points and effects

    def _stand(self, row: SourceRow, found: re.Match[str], who: str | None) -> None:
        if who is not None:
            said = found["answers"] or found["change"] or row.line in self._writer.seen.acts
            self._take_points(row, who, found, row if said else None)

    def _take_points(self, row: SourceRow, who: str, found: re.Match[str], cause: SourceRow | None) -> None:
        """Take the printed points: as they are if none were known, by the printed change, else by setting them right."""
        said = points_in(found["points"])
        if said is None or said.hp is None:
            return
        writer, held, temp = self._writer, self._writer.fight.points(who), int(found["temp"] or said.temp or 0)
        known = {} if said.hp_max is None else {"hp_max": said.hp_max}
        if held.hp is None:
            writer.add(row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp": said.hp} | known})
            writer.set_temp(row, who, temp)
            return
        if found["change"] and held.hp + int(found["change"]) == said.hp:
            writer.hurt(row, who, -int(found["change"]), None)
        if said.hp_max not in (None, held.hp_max):
            writer.add(row, {"type": "sheet_changed", "combatant": who, "sheet": known})
        writer.mend_points(row, who, said.hp, temp, cause)

    def _start_effect(self, row: SourceRow, found: re.Match[str], who: str | None) -> None:
        if who is not None:
            shown = ShownEffect(f"{row.line} {who} {found['effect']}", found["effect"], who)
            self._writer.start_effect(row, who, shown, None)

    def _end_effect(self, row: SourceRow, found: re.Match[str], who: str | None) -> None:
        held = [one for one in self._writer.fight.on(who) if one.name == word(found["effect"])] if who else []
        self._writer.end_effects(row, held, "removed")

    _LINES: ClassVar[dict[re.Pattern[str], Callable[["_Pass", SourceRow, re.Match[str], str | None], None]]] = {
        re.compile(
            r"^(?P<name>.+?) was added to combat with initiative (?P<roll>.+?`-?\d+`|-?\d+)(?: as part of group .+)?\.$"
        ): _join,
        re.compile(
            r"^\*\*Initiative (?P<init>-?\d+) \(round (?P<round>\d{1,15})\)\*\*: (?P<name>.+?)(?: \((?:<@|@).*\))?$"
        ): _turn,
        re.compile(r"^Added effect (?P<effect>.+) to (?P<name>.+)\.$"): _start_effect,
        re.compile(r"^Effect (?P<effect>.+) removed from (?P<name>.+)\.$"): _end_effect,
        re.compile(r"^(?P<name>.+?) (?:automatically )?removed from combat\.$"): _leave,
        re.compile(rf"^{_TICK}(?P<name>.+)'s name set to (?P<new>.+)\.$"): _rename,
        re.compile(rf"^{_TICK}(?P<name>.+)'s initiative set to (?P<total>-?\d{{1,15}}) \(was "): _move,
        re.compile(r"^(?:OK, ending\.\.\.|Combat ended\.)$"): _close,
        _STANDS: _stand,
    }
    """What each line of the bot's makes of the combatant whom it names, if the fight has one of that name."""
