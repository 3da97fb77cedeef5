"""The whole telling: which row stands where, and which rows belong together.

The bot writes a state before the row of the command that led to it, so a command is told at the first state of its
interaction; everything else is told where it stands in the file. Times are carried along and order nothing.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from encounterlog.importers.fireball.answers import embeds, tell_answer
from encounterlog.importers.fireball.automation import Run
from encounterlog.importers.fireball.command import Command
from encounterlog.importers.fireball.commands import COMMANDS, tell_command
from encounterlog.importers.fireball.rows import Reading, Row, read
from encounterlog.importers.fireball.screens import Screen, Unclear, read_screen
from encounterlog.importers.fireball.states import State, agrees, reconcile, tell_check, tell_joins, tell_leaving
from encounterlog.importers.fireball.teller import Teller
from encounterlog.importers.fireball.words import clean, word
from encounterlog.importers.telling import Telling

IN_FLIGHT = 12
"""So many rows after a state may hold a command that led to it under another id."""

LATE_ANSWERS = 4
"""So many rows after the last one of an interaction may still hold the bot's answer to it."""


RULESET = "plain"
"""The game that the bot keeps, d20 by the fifth edition, is none of our rulesets."""


def tell(source: str | Path | Iterable[str]) -> Telling:
    """Turn a recording (a path, or its lines) into facts; raises BadSource where nothing in it is a row."""
    return _Pass(read(source)).run()


class _Pass:
    """One pass over the rows."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._rows = reading.rows
        self._place = {row.line: place for place, row in enumerate(self._rows)}
        self._by_interaction: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows:
            if row.interaction:
                self._by_interaction[row.interaction].append(row)
        self._teller = Teller()
        self._told: set[int] = set()
        self._used: set[int] = set()
        self._states = 0
        self._title = ""
        self._closed = False

    def run(self) -> Telling:
        """Tell every row."""
        for row in self._rows:
            self._tell(row)
        if not self._states:
            self._teller.wonder(self._rows[0], "opens a recording without any combat_state_update: it shows nobody")
        return Telling(
            title=self._title or f"Recorded combat {word(self._reading.combat)}",
            ruleset=RULESET,
            facts=self._teller.facts,
            problems=sorted(self._reading.problems + self._teller.problems),
            states=self._states,
            unexplained=self._teller.unexplained,
            rulings=tuple(self._teller.rulings),
            left_out=sum(row.kind == "message" and not row.by_bot and self._is_talk(row) for row in self._rows),
        )

    def _is_talk(self, message: Row) -> bool:
        """Say whether nothing but people's talk came of a message."""
        return all(row.kind == "message" for row in self._by_interaction[message.interaction])

    def _tell(self, row: Row) -> None:
        if row.kind == "automation_run":
            Run(self._teller, row, self._reply_to_run(row), self._typed(row)).tell()
        elif row.kind == "combat_state_update":
            self._tell_state(row)
        elif row.kind == "command":
            self._tell_command(row, None)
        elif row.by_bot:
            tell_answer(self._teller, row)
        elif row.kind == "combat_end" and not self._closed:
            self._closed = True
            self._teller.say(row, {"type": "encounter_closed.2"})

    def _tell_command(self, row: Row, screen: Screen | None) -> None:
        if row.line not in self._told:
            self._told.add(row.line)
            tell_command(Command(self._teller, row, self._answers(row.interaction), screen))

    def _tell_state(self, row: Row) -> None:
        try:
            screen = read_screen(row.body)
        except Unclear as unclear:
            self._teller.wonder(row, str(unclear))
            return
        self._title = self._title or _given_title(row)
        state = State(self._teller, row, screen, *self._evidence([row.interaction]))
        tell_joins(state)
        if (command := self._command_of(row)) is not None:
            self._tell_command(command, screen)
        elif others := self._tell_in_flight(state):
            state = State(self._teller, row, screen, *self._evidence([row.interaction, *others]))
        tell_leaving(state)
        reconcile(state)
        tell_check(state)
        self._states += 1

    def _command_of(self, state: Row) -> Row | None:
        """Find the command that led to a state: the next untold one of its interaction, unless one is still open."""
        related = self._by_interaction[state.interaction]
        coming = [row for row in related if row.kind == "command" and row.line > state.line]
        if not coming or coming[0].line in self._told:
            return None
        return coming[0]

    def _tell_in_flight(self, state: State) -> list[str]:
        """Tell commands that the bot was carrying out when it wrote a state under another interaction's id.

        The id of a state is only a probable one. Where no command of its own is left to tell and it shows what the
        facts do not make, the commands are looked at that were sent before it, answered after it and have no state.
        """
        told: list[str] = []
        place = self._place[state.row.line]
        for row in self._rows[place + 1 : place + 1 + IN_FLIGHT]:
            if agrees(state):
                break
            if self._is_in_flight(row, state.row):
                self._tell_command(row, state.screen)
                told.append(row.interaction)
        return told

    def _is_in_flight(self, row: Row, state: Row) -> bool:
        if row.kind != "command" or row.line in self._told or row.body["command_name"] not in COMMANDS:
            return False
        if not row.interaction:
            return False
        related = self._by_interaction[row.interaction]
        return related[0].line < state.line and all(one.kind != "combat_state_update" for one in related)

    def _evidence(self, interactions: list[str]) -> tuple[list[Row], list[Row]]:
        """List the rows of these interactions, and the bot's answers to them."""
        related = [row for one in interactions for row in self._by_interaction[one]]
        return related, [row for one in interactions for row in self._answers(one)]

    def _answers(self, interaction: str) -> list[Row]:
        """List the bot's messages while an interaction lasts and shortly after."""
        related = self._by_interaction[interaction]
        if not related or not interaction:
            return []
        first, last = self._place[related[0].line], self._place[related[-1].line]
        return [row for row in self._rows[first : last + 1 + LATE_ANSWERS] if row.by_bot]

    def _reply_to_run(self, run: Row) -> Row | None:
        """Find the message that announces a run: the first one after it whose title begins with the caster's name."""
        caster = run.body.get("caster")
        name = clean(str(caster.get("name", ""))) if isinstance(caster, dict) else ""
        for row in self._rows[self._place[run.line] + 1 :][: 2 * LATE_ANSWERS]:
            titles = [clean(str(one.get("title", ""))) for one in embeds(row)] if row.by_bot else []
            if name and row.line not in self._used and any(one.startswith(name) for one in titles):
                self._used.add(row.line)
                return row
        return None

    def _typed(self, run: Row) -> str:
        """Say what was typed or pressed to start a run."""
        for row in self._by_interaction[run.interaction]:
            if row.kind == "button_press":
                return clean(str(row.body.get("button_label", "")))
            if row.kind == "command":
                words = clean(row.body["content"]).split()[len(row.body["command_name"].split()) :]
                return " ".join(words[:1])
        return ""


def _given_title(row: Row) -> str:
    data = row.body["data"]
    options = data.get("options")
    name = options.get("name") if isinstance(options, dict) else None
    return word(name) if isinstance(name, str) and name else ""
