"""Discord channels in which the Avrae bot ran a combat, as DiscordChatExporter writes them (JSON), turned into facts.

A channel has no states of the bot, only printed text: turns with the combatants' points, and lists of the initiative.
Each of these is compared with the facts before it.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.sources import Limits, lines
from encounterlog.importers.transcript import BadSource, Problem, Transcript
from encounterlog.importers.words import clean, objects, word
from encounterlog.importers.writing import Event, thrown
from encounterlog_avrae.commands import set_back, transcribe_rest
from encounterlog_avrae.messages import transcribe_answer
from encounterlog_avrae.printed import Printed, after_name, parts, points_in, read_roll, read_title
from encounterlog_avrae.replies import embeds, reply_text
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownEffect
from encounterlog_avrae.writer import Writer

LIMITS = Limits(line=64 << 20, lines=20_000_000, size=128 << 20)
"""The limits of an export, which is one JSON document."""
KEEPER = "Avrae"
"""The name of the bot that keeps the fight, where its words do not show which one does."""
_OWN_WORDS = ("**Initiative ", "Everyone roll for initiative!", "was added to combat", "Current initiative:")


class Channel(NamedTuple):
    """The contents of an export: the channel's name, its messages as rows, and its faults."""

    name: str
    rows: list[SourceRow]
    problems: list[Problem]


def read_channel(source: Path) -> Channel:
    """Read an export; raise BadSource if it is none."""
    text = b"".join(lines(source, LIMITS)).decode("utf-8-sig", errors="surrogateescape")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BadSource("is not JSON", "export the channel with DiscordChatExporter in the format Json") from None
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list) or not isinstance(document.get("channel"), dict):
        raise BadSource(
            "has no 'channel' with 'messages'", "export the channel with DiscordChatExporter in the format Json"
        )
    begins = _Lines(text)
    rows: list[SourceRow] = []
    problems: list[Problem] = []
    for message in messages:
        line = begins.of(message)
        row = _row(line, message)
        if row is None:
            problems.append(Problem(line, "is no message with 'timestamp', 'content' and 'author'"))
        else:
            rows.append(row)
    if not rows:
        raise BadSource("line 1: the export has no messages")
    return Channel(clean(str(document["channel"].get("name", "a channel"))), _with_bot(rows), problems)


class _Lines:
    """The lines of a document on which messages begin, found in their order."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def of(self, message: object) -> int:
        key = message.get("id") if isinstance(message, dict) else None
        found = self._text.find(f'"{key}"', self._at)
        if found >= 0:
            self._line += self._text.count("\n", self._at, found)
            self._at = found
        return self._line


def _row(line: int, message: Any) -> SourceRow | None:
    if not isinstance(message, dict) or not isinstance(message.get("content"), str):
        return None
    author, at = message.get("author"), moment(message.get("timestamp"))
    if at is None or not isinstance(author, dict):
        return None
    name = author.get("nickname") or author.get("name")
    body = {"content": message["content"], "embeds": objects(message.get("embeds")), "author_id": str(author.get("id"))}
    return SourceRow(line, "message", at, "", body | {"author_name": name, "author_bot": author.get("isBot") is True})


def moment(text: object) -> str | None:
    """Turn an ISO 8601 moment with a zone into RFC 3339 in UTC with microseconds; None where that is impossible."""
    try:
        found = datetime.fromisoformat(str(text))
        return found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if found.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _with_bot(rows: list[SourceRow]) -> list[SourceRow]:
    """Mark the messages of the bot that keeps the fight: the one that announces turns and newcomers."""
    said = [row for row in rows if row.body["author_bot"]]
    keepers = {row.body["author_id"] for row in said if any(words in row.body["content"] for words in _OWN_WORDS)}
    keepers = keepers or {row.body["author_id"] for row in said if row.body["author_name"] == KEEPER}
    return [row._replace(by_bot=row.body["author_bot"] and row.body["author_id"] in keepers) for row in rows]


CONTINUED = "** **"
"""The name of a field that continues the text of the one before it."""
_DC = re.compile(r"^\*\*DC\*\*: (\d{1,3})$", re.MULTILINE)
_HIT = re.compile(r"^\*\*To Hit(?: \(AC (?P<ac>\d+)\))?\*\*: (?:(?P<roll>.+= `-?\d+`)|Automatic (?P<auto>hit|miss)!)$")
_SAVE = re.compile(r"^\*\*(?P<save>[A-Za-z]+) Save\*\*: (?P<roll>.+= `-?\d+`)(?:; (?P<result>Success|Failure)!)?$")
_ROLLED_CHECK = re.compile(
    r"^\*\*(?P<skill>[A-Za-z ]+) Check\*\*: (?P<roll>.+?= `-?\d+`)(?:; (?P<result>Success|Failure)!)?$"
)
_AMOUNT = re.compile(r"^\*\*(?P<what>Damage|Healing|THP)(?P<crit> \(CRIT!\))?\*\*: (?P<roll>.+= `-?\d+`)$")
_EFFECT = re.compile(r"^\*\*Effect\*\*: (?P<name>.+?)(?: \[(?P<length>[^\]]*)\])?(?: \((?P<more>.*)\))?$")
_PARENT = re.compile(r"(?:^|; )Parent: (?P<name>[^;]+)$")
_REMOVED = re.compile(r"^\*\*Removed Effect\*\*: (?P<name>.+)$")
_ROUNDS = re.compile(r"^(\d{1,6}) rounds?$")
_SAVES = {"str": "strength", "dex": "dexterity", "con": "constitution", "int": "intelligence"}
_SAVES |= {"wis": "wisdom", "cha": "charisma"}


class Act:
    """An announced act and its outcomes, each added with its cause."""

    def __init__(self, writer: Writer, row: SourceRow, embed: dict[str, Any]) -> None:
        self.writer, self.row, self.embed = writer, row, embed
        self.fields = _fields(embed)
        self.title = clean(str(embed.get("title", "")))
        names = sorted(writer.fight.order(), key=lambda one: -len(writer.name(one)))
        self.actor = next((one for one in names if after_name(self.title, writer.name(one)) is not None), None)
        self.dc = next((int(found[1]) for _, text in self.fields if (found := _DC.search(text))), None)
        self.means = ""
        self.cause: int | None = None

    def transcribe(self) -> None:
        """Add the act, if it is a combatant's, and the lines under each name."""
        if not any(_tells(text) for _, text in self.fields):
            return
        self._add_act()
        for name, text in self.fields:
            self.cause = self.writer.seen.acts.get(self.row.line)
            for number, line in enumerate(found := text.split("\n")):
                self._add(self.writer.exactly(name), name, line, found[number + 1 :])

    def _add_act(self) -> None:
        said = after_name(self.title, self.writer.name(self.actor)) if self.actor else None
        read = read_title(said or "")
        self.means = read.means if read else ""
        targets = [who for name, _ in self.fields if (who := self.writer.exactly(name)) and who != self.actor]
        if self.row.line in self.writer.seen.acts or self.actor is None or read is None:
            self._note_outsider()
            return
        action: Event = {"kind": read.kind, "name": word(read.name)} | ({"targets": targets} if targets else {})
        event: Event = {"type": "action_taken", "combatant": self.actor, "action": action}
        self.writer.seen.acts[self.row.line] = self.writer.add(self.row, event)

    def _note_outsider(self) -> None:
        if self.row.line not in self.writer.seen.acts and self.title:
            self.writer.seen.acts[self.row.line] = self.writer.note(self.row, f"announced: {self.title}")

    def _add(self, who: str | None, name: str, line: str, rest: list[str]) -> None:
        """Add the facts of one line."""
        if hit := _HIT.match(line):
            self._attack(who, hit, rest)
        elif save := _SAVE.match(line):
            self._save(who, save)
        elif check := _ROLLED_CHECK.match(line):
            self._check(who, check)
        elif amount := _AMOUNT.match(line):
            self._amount(who, amount)
        elif effect := _EFFECT.match(line):
            self._effect(who, effect)
        elif removed := _REMOVED.match(line):
            held = [one for one in self.writer.fight.effects() if one.name == word(removed["name"])]
            ended = [one for one in held if one.bearer == (who or self.actor)] or (held if len(held) == 1 else [])
            self.writer.end_effects(self.row, ended, "removed", cause=self.writer.seen.acts.get(self.row.line))
        elif line.startswith("**") and "= `" in line and name != "Meta":
            self.writer.problem(self.row, f"has a roll that is not read: {line[:60]}")

    def _attack(self, who: str | None, found: re.Match[str], rest: list[str]) -> None:
        if self.actor is None:
            return
        event: Event = {"type": "attack_rolled", "combatant": self.actor} | ({"target": who} if who else {})
        event |= {"name": self.writer.means(self.actor, word(self.means))} if self.means else {}
        event |= thrown(read_roll(found["roll"])) | ({"ac": int(found["ac"])} if found["ac"] else {})
        own = next((n for n, line in enumerate(rest) if _HIT.match(line)), len(rest))
        if "**Miss!**" in rest[:own] or found["auto"] == "miss":
            event["hit"] = False
        elif who and any(_AMOUNT.match(line) for line in rest[:own]):
            event["hit"] = True
        if any(one["crit"] for line in rest[:own] if (one := _AMOUNT.match(line))):
            event["critical"] = True
        self.cause = self.writer.add(self.row, event, cause=self.writer.seen.acts.get(self.row.line))

    def _save(self, who: str | None, found: re.Match[str]) -> None:
        if who is None:
            return
        save = found["save"].casefold()
        event: Event = {"type": "save_rolled", "combatant": who, "save": _SAVES.get(save, save)}
        event |= thrown(read_roll(found["roll"])) | ({"dc": self.dc} if self.dc else {})
        event |= {"succeeded": found["result"] == "Success"} if found["result"] else {}
        self.cause = self.writer.add(self.row, event, cause=self.writer.seen.acts.get(self.row.line))

    def _check(self, who: str | None, found: re.Match[str]) -> None:
        event: Event = {"type": "dice_rolled", "purpose": word(f"{found['skill'].casefold()} check")}
        event |= ({"combatant": who} if who else {}) | thrown(read_roll(found["roll"]))
        event |= {"succeeded": found["result"] == "Success"} if found["result"] else {}
        self.writer.add(self.row, event, cause=self.writer.seen.acts.get(self.row.line))

    def _amount(self, who: str | None, found: re.Match[str]) -> None:
        roll = read_roll(found["roll"])
        if roll is None or roll.total is None:
            return
        if who is None:
            what = {"THP": "temporary hit points"}.get(found["what"], found["what"].casefold())
            self.writer.note(self.row, f"{abs(roll.total)} {what} at nobody in particular", about=self.cause)
            return
        more: Event = {"source": self.actor} if self.actor else {}
        if found["what"] == "THP":
            event: Event = {"type": "healed", "target": who, "amount": max(roll.total, 0), "temporary": True}
            self.writer.add(self.row, event | more | {"parts": parts(roll, "points")}, cause=self.cause)
            return
        sign = -1 if roll.total < 0 else 1
        more |= {"parts": parts(roll, "healing" if sign < 0 else "damage", sign)} if roll.terms else {}
        self.writer.hurt(self.row, who, roll.total, self.cause, **more)

    def _effect(self, who: str | None, found: re.Match[str]) -> None:
        if who is None:
            return
        rounds = _ROUNDS.match(found["length"] or "")
        name = found["name"]
        key = f"{self.row.line} {who} {name}"
        left = int(rounds[1]) if rounds else None
        parent = self._parent(_PARENT.search(found["more"] or ""))
        shown = ShownEffect(key, name, who, left, None, False, "", False, parent, None)
        self.writer.start_effect(self.row, who, shown, self.cause)

    def _parent(self, found: re.Match[str] | None) -> str:
        """Return the key of the parent of an effect: one of this name, the actor's before those of others."""
        named = [one for one in self.writer.fight.effects() if found and one.name == word(found["name"])]
        own = [one for one in named if one.bearer == self.actor]
        return self.writer.key_of((own or named)[-1]) if named else ""


def _tells(text: str) -> bool:
    return any(
        pattern.match(line)
        for line in text.split("\n")
        for pattern in (_HIT, _SAVE, _ROLLED_CHECK, _AMOUNT, _EFFECT, _REMOVED)
    )


def _fields(embed: dict[str, Any]) -> list[tuple[str, str]]:
    """List the fields of an embed with their names; those that go on with another are joined to it."""
    found: list[tuple[str, str]] = []
    for one in objects(embed.get("fields")):
        name, text = clean(str(one.get("name", ""))), clean(str(one.get("value", "")))
        if name == CONTINUED and found:
            before = found[-1][1]
            found[-1] = (found[-1][0], f"{before}{chr(10) if before.endswith('`') else ' '}{text}")
        else:
            found.append((name, text))
    return found


def transcribe_acts(writer: Writer, row: SourceRow) -> None:
    """Add the acts that a message announces, with their outcomes."""
    for embed in embeds(row):
        Act(writer, row, embed).transcribe()


_ADDED = re.compile(
    r"^(?P<name>.+?) was added to combat with initiative (?P<roll>.+?`-?\d+`|-?\d+)(?: as part of group .+)?\.$"
)
_CHECK = re.compile(r"^(?P<name>.+) (?:makes an Initiative check|already rolled initiative)!$")
_TURN = re.compile(
    r"^\*\*Initiative (?P<init>-?\d+) \(round (?P<round>\d{1,15})\)\*\*: (?P<name>.+?)(?: \((?:<@|@).*\))?$"
)
_REROLLED = re.compile(r"^(?:Rerolled initiative|New initiatives)\b", re.MULTILINE)
_NEW_ROLL = re.compile(r"^(?P<roll>.*`-?\d+`): (?P<name>.+)$")
_LIST = re.compile(r"^Current initiative: -?\d+ \(round (?P<round>\d{1,15})\)$", re.MULTILINE)
_MEMBER = "     - "
"""How the line of a group's member begins in a list."""
_ENTRY = re.compile(r"^(?:[# ] *-?\d+: | {2,}- )(?P<rest>\S.*)$")
_RENAMED = re.compile(r"^\N{WHITE HEAVY CHECK MARK} (?P<name>.+)'s name set to (?P<new>.+)\.$")
_MOVED = re.compile(r"^\N{WHITE HEAVY CHECK MARK} (?P<name>.+)'s initiative set to (?P<total>-?\d{1,15}) \(was ")
_STANDS = re.compile(
    r"^(?P<name>.+?)(?P<answers>:)? <(?P<points>[^<>]*)>(?: \(\+(?P<temp>\d{1,15}) temp\))?(?: \((?P<change>[-+]\d{1,15})\))?"
)
_ADDED_EFFECT = re.compile(r"^Added effect (?P<effect>.+) to (?P<name>.+)\.$")
_ENDED = re.compile(r"^Effect (?P<effect>.+) removed from (?P<name>.+)\.$")
_RUNS = re.compile(r"^\* (?P<effect>\S.*)$")
"""A line about an effect, below the line of its bearer."""
_LEFT = re.compile(r"^(?P<name>.+?) (?:automatically )?removed from combat\.$")
_WENT = "the bot gives the turn to a combatant who is not next"
_WENT_BACK = "the bot gives the turn again to a combatant who had it in this round"
_OVER = re.compile(r"^(?:OK, ending\.\.\.|Combat ended\.)$")


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
        self._lines: tuple[tuple[re.Pattern[str], Callable[[SourceRow, re.Match[str]], None]], ...] = (
            (_ADDED, self._join),
            (_TURN, self._turn),
            (_ADDED_EFFECT, self._start_effect),
            (_ENDED, self._end_effect),
            (_LEFT, self._leave),
            (_RENAMED, self._rename),
            (_MOVED, self._move),
            (_OVER, self._close),
            (_STANDS, self._stand),
        )

    def run(self) -> Transcript:
        """Transcribe every message."""
        for row in self._channel.rows:
            self._transcribe(row)
        if not self._writer.fight.order():
            raise BadSource("shows no combat: nobody was added to one", "the bot's messages have to be in the export")
        return Transcript(
            title=f"Fight in {word(self._channel.name)}",
            ruleset=self._writer.game.ruleset,
            options=self._writer.game.takes.options,
            facts=self._writer.facts,
            problems=sorted(self._channel.problems + self._writer.problems()),
            states=self._states,
            repairs=tuple(self._writer.repairs),
            left_out=self._left_out,
            begins="a channel shows only the bot's messages: no points of monsters, and no reason for the end of an effect",
            after_end=self._after_end,
        )

    def _transcribe(self, row: SourceRow) -> None:
        if self._closed:
            self._after_end += 1
        elif row.by_bot:
            self._transcribe_answer(row)
        elif not row.body["author_bot"] and not row.body["content"].startswith("!"):
            self._add_talk(row)

    def _add_talk(self, row: SourceRow) -> None:
        said = clean(row.body["content"]).strip()
        if said and self._talk and self._writer.fight.order():
            self._writer.note(row, f"{self._people[str(row.body['author_id'])]}: {said}")
        else:
            self._left_out += bool(said)

    def _transcribe_answer(self, row: SourceRow) -> None:
        self._join_by_check(row)
        if _LIST.search(clean(row.body["content"])):
            self._compare_list(row)
            return
        if _REROLLED.search(clean(row.body["content"])):
            self._reroll(row)
        transcribe_acts(self._writer, row)
        transcribe_answer(self._writer, row, self._people)
        transcribe_rest(self._writer, row)
        for line in reply_text(row).replace("```md", "").replace("```", "").split("\n"):
            for pattern, add in self._lines:
                if found := pattern.match(line.strip()):
                    add(row, found)
                    break

    # who is there

    def _join_by_check(self, row: SourceRow) -> None:
        for embed in row.body["embeds"]:
            found = _CHECK.match(clean(str(embed.get("title", ""))))
            text = clean(str(embed.get("description", "")))
            if found and "Added to combat!" in reply_text(row):
                self._add_join(row, found["name"], text.split("\n")[0], self._of_a_character())

    def _join(self, row: SourceRow, found: re.Match[str]) -> None:
        self._add_join(row, found["name"], found["roll"], {})

    def _of_a_character(self) -> Event:
        """Return the sheet of a combatant who joins by a check of their own, which only characters do: the bot counts no points below 0."""
        return {"hp_floor": 0} | ({"creature": "character"} if self._writer.game.takes.sheets else {})

    def _add_join(self, row: SourceRow, name: str, roll: str, sheet: Event) -> None:
        writer = self._writer
        if writer.exactly(name) is not None:
            writer.problem(row, f"adds {word(name)}, who is in the fight")
            return
        who = writer.meet(f"{row.line} {name}", name)
        writer.called[who] = name
        writer.add(row, {"type": "combatant_joined", "combatant": who, "name": word(name), "sheet": sheet})
        rolled: Event = thrown(read_roll(roll.removesuffix(".")))
        if "total" not in rolled and (placed := re.search(r"-?\d{1,15}(?=\D*$)", roll)):
            rolled["total"] = int(placed[0])
        bonus = sum(one["amount"] for one in rolled.pop("modifiers", []))
        event: Event = {"type": "initiative_rolled", "combatant": who} | rolled
        writer.add(row, event | ({"bonus": bonus} if "die" in rolled else {}))

    def _reroll(self, row: SourceRow) -> None:
        """Take the new initiative rolls that a message lists; nobody has the turn meanwhile."""
        writer = self._writer
        for acting in writer.fight.acting():
            writer.add(row, {"type": "turn_ended", "combatant": acting})
        for line in clean(row.body["content"]).split("\n"):
            found = _NEW_ROLL.match(line.strip())
            who = writer.exactly(found["name"]) if found else None
            rolled = thrown(read_roll(found["roll"])) if found else {}
            if who and "total" in rolled:
                bonus = sum(one["amount"] for one in rolled.pop("modifiers", []))
                writer.place(row, {"type": "initiative_rolled", "combatant": who} | rolled | {"bonus": bonus})

    def _leave(self, row: SourceRow, found: re.Match[str]) -> None:
        if (who := self._writer.exactly(found["name"])) is not None:
            self._writer.add(row, {"type": "combatant_left", "combatant": who, "reason": "removed from the combat"})

    def _rename(self, row: SourceRow, found: re.Match[str]) -> None:
        if (who := self._writer.exactly(found["name"])) is not None:
            decision, why = f"{found['name']} was renamed", "the bot says so"
            self._writer.rule(row, {f"{who}.name": word(found["new"])}, decision, why)
            self._writer.called[who] = found["new"]

    def _move(self, row: SourceRow, found: re.Match[str]) -> None:
        if (who := self._writer.exactly(found["name"])) is not None:
            self._place(row, [who], int(found["total"]))

    def _place(self, row: SourceRow, members: list[str], total: int) -> None:
        """Give combatants their places if the bot shows another total."""
        for who in members:
            if self._writer.fight.place(who) is not None and self._writer.fight.initiative(who) != total:
                self._writer.place(row, {"type": "initiative_rolled", "combatant": who, "total": total})

    def _close(self, row: SourceRow, _found: re.Match[str]) -> None:
        if self._writer.fight.order():
            self._closed = True
            self._writer.add(row, {"type": "encounter_closed.2"})

    # turns

    def _turn(self, row: SourceRow, found: re.Match[str]) -> None:
        writer, number = self._writer, int(found["round"])
        names = [one["name"] for line in clean(row.body["content"]).split("\n") if (one := _STANDS.match(line))]
        known = [writer.exactly(found["name"]), *map(writer.exactly, names)]
        acting = list(dict.fromkeys(who for who in known if who))
        if not acting:
            writer.problem(row, f"gives {word(found['name'])} the turn, whom no message added")
            return
        if self._set_back(row, acting[0], number):
            self._state(row, {"turn": acting[0], "round": number})
            return
        now, same = writer.fight.place(writer.fight.turn), writer.fight.round == number
        for who in writer.fight.acting():
            writer.add(row, {"type": "turn_ended", "combatant": who})
        self._place(row, acting, int(found["init"]))
        if writer.fight.round != number or not writer.fight.counts_rounds:
            writer.start_round(row, number)
        due = now + 1 if same and now is not None else 0
        writer.permit_turn(row, acting, _WENT, in_turn={*map(writer.fight.place, acting)} == {due})
        event: Event = {"type": "turn_started", "combatant": acting[0]}
        writer.add(row, event | ({"together": acting[1:]} if acting[1:] else {}))
        self._end_unlisted(row)
        self._state(row, {"turn": acting[0], "round": number})

    def _end_unlisted(self, row: SourceRow) -> None:
        """End the effects that are not listed when their bearer's turn begins: the bot lists all running ones."""
        text = clean(row.body["content"]).rstrip()
        if not text.endswith("```"):  # longer than a message can be
            return
        listed: dict[str, list[str]] = {}
        who: str | None = None
        for line in text.split("\n"):
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

    def _compare_list(self, row: SourceRow) -> None:
        """Compare an initiative list: those in it, their order, their points."""
        writer, shown = self._writer, []
        lines = clean(row.body["content"]).split("\n")
        for place, line in enumerate(lines):
            entry = _ENTRY.match(line)
            if entry is None or _heads(line, lines[place + 1 :]):
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
        points = {f"{who}.hp": hp for who in shown if (hp := writer.points(who).hp) is not None}
        self._state(row, {"order": shown} | points)

    # points and effects

    def _stand(self, row: SourceRow, found: re.Match[str]) -> None:
        if (who := self._writer.exactly(found["name"])) is not None:
            said = found["answers"] or found["change"] or row.line in self._writer.seen.acts
            self._take_points(row, who, found, row if said else None)

    def _take_points(self, row: SourceRow, who: str, found: re.Match[str], cause: SourceRow | None) -> None:
        """Take the printed points: as they are if none were known, by the printed change, else by setting them right."""
        said = points_in(found["points"])
        if said is None or said.hp is None:
            return
        writer, held, temp = self._writer, self._writer.points(who), int(found["temp"] or said.temp or 0)
        if held.hp is None:
            self._first_points(row, who, said, temp)
            return
        if found["change"] and held.hp + int(found["change"]) == said.hp:
            writer.hurt(row, who, -int(found["change"]), None)
        if said.hp_max is not None and said.hp_max != held.hp_max:
            writer.add(row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": said.hp_max}})
        writer.mend_points(row, who, said.hp, temp, cause)

    def _first_points(self, row: SourceRow, who: str, said: Printed, temp: int) -> None:
        sheet = {"hp": said.hp} | ({"hp_max": said.hp_max} if said.hp_max is not None else {})
        self._writer.add(row, {"type": "sheet_changed", "combatant": who, "sheet": sheet})
        self._writer.set_temp(row, who, temp)

    def _start_effect(self, row: SourceRow, found: re.Match[str]) -> None:
        who = self._writer.exactly(found["name"])
        if who is not None:
            name = found["effect"]
            shown = ShownEffect(f"{row.line} {who} {name}", name, who, None, None, False, "", False, "", None)
            self._writer.start_effect(row, who, shown, None)

    def _end_effect(self, row: SourceRow, found: re.Match[str]) -> None:
        who = self._writer.exactly(found["name"])
        held = [one for one in self._writer.fight.on(who) if one.name == word(found["effect"])] if who else []
        self._writer.end_effects(row, held, "removed")


def _heads(line: str, after: list[str]) -> bool:
    """Say whether a line of a list is the heading of a group, whose members follow it."""
    return not line.startswith(_MEMBER) and bool(after) and after[0].startswith(_MEMBER)
