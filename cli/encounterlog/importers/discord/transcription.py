"""The whole transcription of a channel: each message of the bot that reports something becomes facts.

A channel has no states of the bot, only printed text: turns with the combatants' points, and lists of the initiative.
Each of these is compared with the facts before it.
"""

import re
from collections.abc import Callable
from pathlib import Path

from encounterlog.importers.discord.messages import read_channel
from encounterlog.importers.discord.outcomes import transcribe_acts
from encounterlog.importers.fireball.counters import transcribe_rest
from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.only_in_messages import transcribe_answer
from encounterlog.importers.fireball.printed import Printed, points_in
from encounterlog.importers.fireball.replies import reply_text
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.snapshots import ShownEffect
from encounterlog.importers.fireball.turns import set_back
from encounterlog.importers.fireball.words import clean, word
from encounterlog.importers.fireball.writer import Event, Writer
from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.transcript import BadSource, Transcript

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
_EFFECT = re.compile(r"^Added effect (?P<effect>.+) to (?P<name>.+)\.$")
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
            (_EFFECT, self._start_effect),
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
            said = found["answers"] or found["change"] or row.line in self._writer.acts
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
