"""The whole transcription: the order in which rows become facts.

The bot writes a state before the row of the command that led to it, so a command is transcribed at the first state of
its interaction; everything else is transcribed in the order of the file. Times are kept but order nothing.
"""

from collections.abc import Iterable
from pathlib import Path

from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.transcript import Transcript
from encounterlog.importers.words import as_object, make_word, normalize_text
from encounterlog_avrae.automation import Run
from encounterlog_avrae.command import Command
from encounterlog_avrae.commands import COMMANDS, COUNTING, SHEET_COMMANDS, transcribe_command, transcribe_counter
from encounterlog_avrae.messages import add_inline_rolls, transcribe_answer
from encounterlog_avrae.reconciling import State, add_check, add_joins, add_leaving, agrees, joining, reconcile
from encounterlog_avrae.replies import CLOCK, Interactions
from encounterlog_avrae.rows import SourceContent, SourceRow, read_rows
from encounterlog_avrae.snapshots import Snapshot, Unclear, read_snapshot
from encounterlog_avrae.writer import Writer


def read(source: str | Path | Iterable[str], *, talk: bool = False, game: Game = PLAIN) -> Transcript:
    """Turn a recording (a path, or its lines) into facts of a game, people's talk too if wanted; raise BadSource if it is none."""
    return _Pass(read_rows(source), game, talk=talk).transcribe_all()


class _Pass:
    """One pass over the rows."""

    def __init__(self, reading: SourceContent, game: Game, *, talk: bool = False) -> None:
        self._reading = reading
        self._talk = talk
        self._rows = reading.rows
        self._interactions = Interactions(reading.rows)
        self._writer = Writer(game)
        self._done: set[int] = set()
        self._states = 0
        self._title = ""
        self._begins = ""
        self._inline: SourceRow | None = None
        """The last message with dice in double brackets, until the bot says something."""
        self._people = _names_of_writers(reading.rows)
        last = max((row.line for row in self._rows if row.kind == "combat_state_update"), default=0)
        ends = (place for place, row in enumerate(self._rows, 1) if row.kind == "combat_end" and row.line > last)
        self._end = next(ends, len(self._rows))
        """How many rows there are up to the end of the fight; what comes after it is no part of it."""

    def transcribe_all(self) -> Transcript:
        """Transcribe every row."""
        for row in self._rows[: self._end]:
            self._transcribe_row(row)
        if not self._states:
            self._writer.problem(self._rows[0], "opens a recording without any combat_state_update: it shows nobody")
        talk = [row for row in self._rows if row.kind == "message" and not row.by_bot]
        return self._writer.transcript(
            self._title or f"Recorded combat {make_word(self._reading.name)}",
            self._states,
            self._reading.problems,
            left_out=0 if self._talk else sum(self._interactions.is_talk(row) for row in talk),
            begins=self._begins,
            after_end=len(self._rows) - self._end,
        )

    def _transcribe_row(self, row: SourceRow) -> None:
        if row.kind == "message" and not row.by_bot and "[[" in row.body["content"]:
            self._inline = row
        if row.kind == "automation_run":
            reply = self._interactions.find_announcement(row, list(self._writer.called.values()))
            Run(self._writer, row, reply, self._interactions.typed_input(row)).transcribe()
        elif row.kind == "combat_state_update":
            self._transcribe_state(row)
        elif row.kind == "command":
            self._transcribe_command(row, None)
        elif row.by_bot:
            transcribe_answer(self._writer, row, self._people)
            if self._inline is not None:
                add_inline_rolls(self._writer, row, self._inline, self._people)
                self._inline = None
        elif row.kind == "message" and self._talk and self._states and self._interactions.is_talk(row):
            if said := normalize_text(row.body["content"]).strip():
                author = self._people.get(str(row.body.get("author_id")), "an unnamed author")
                self._writer.note(row, f"{author}: {said}")
        elif row is self._rows[self._end - 1] and row.kind == "combat_end":
            self._writer.add(row, {"type": "encounter_closed.2"})

    def _transcribe_command(self, row: SourceRow, snapshot: Snapshot | None) -> None:
        if row.line in self._done or (snapshot is None and not self._states):
            return
        self._done.add(row.line)
        name = str(row.body["command_name"])
        outcome = self._interactions.outcome_of_command(row)
        if outcome.verdict == "tried" and snapshot is not None:
            outcome = outcome._replace(verdict="done")
        command = Command(self._writer, row, outcome, self._interactions.rows_of_command(row), snapshot)
        if name in COMMANDS:
            transcribe_command(command)
        elif name in COUNTING:
            transcribe_counter(command)
        if name.partition(" ")[0] in SHEET_COMMANDS and (who := command.find_caster()) is not None:
            self._writer.seen.sheet_rows[who] = row

    def _transcribe_state(self, row: SourceRow) -> None:
        try:
            snapshot = read_snapshot(row.body)
        except Unclear as unclear:
            self._writer.problem(row, str(unclear))
            return
        for what in snapshot.unplaced:
            self._writer.problem(row, what)
        name = as_object(row.body["data"].get("options")).get("name")
        self._title = self._title or (make_word(name) if isinstance(name, str) and name else "")
        state = self._make_state(row, snapshot, [row.interaction])
        state = state._replace(first=not self._states and self._is_mid_fight(state))
        add_joins(state)
        if state.first:
            # it is taken as it is, regardless of the commands around it
            whose = "nobody" if state.turn is None else self._writer.name(state.turn)
            stated = f"round {snapshot.round}, turn of {whose}"
            self._begins = f"begins in mid-fight: line {row.line} is taken as stated, {stated}"
            self._writer.note(row, f"the recording {self._begins}")
            self._done.update(one.line for one in state.related if one.kind == "command")
        elif (command := self._interactions.command_of(row, self._done)) is not None:
            self._transcribe_command(command, snapshot)
        elif others := self._transcribe_in_flight(state):
            state = self._make_state(row, snapshot, [row.interaction, *others])
        add_leaving(state)
        reconcile(state)
        add_check(state)
        self._writer.seen.shown = snapshot
        self._states += 1

    def _make_state(self, row: SourceRow, snapshot: Snapshot, interactions: list[str]) -> State:
        related = [one for each in interactions for one in self._interactions.rows_of(each)]
        answers = [one for each in interactions for one in self._interactions.answers_to(each)]
        return State(self._writer, row, snapshot, related, answers, self._interactions.messages_nearby(row))

    def _is_mid_fight(self, state: State) -> bool:
        """Say whether the first state has turns taken, effects, or a combatant whose joining no row records."""
        if any(one.kind == "combat_start" and one.line < state.row.line for one in self._rows):
            return False
        shown = state.snapshot
        if shown.round > 0 or shown.current is not None:
            return True
        return any(one.effects or joining(state, one.name) is None for one in shown.combatants)

    def _transcribe_in_flight(self, state: State) -> list[str]:
        """Transcribe commands that led to a state under another interaction's id, until it agrees."""
        found: list[str] = []
        for row in list(self._interactions.commands_in_flight(state.row, self._done)):
            if agrees(state):
                break
            # one that nothing confirms would set a clock which the state shows to be right
            fight, confirmed = self._writer.fight, self._interactions.outcome_of_command(row).verdict == "done"
            right = (fight.turn, fight.round) == (state.turn, state.snapshot.round)
            if not confirmed and row.body["command_name"] in CLOCK and right:
                continue
            self._transcribe_command(row, state.snapshot)
            found.append(row.interaction)
        return found


def _names_of_writers(rows: list[SourceRow]) -> dict[str, str]:
    """Return the writers' names, by their ids; a writer without one is a player with a number."""
    found: dict[str, str] = {}
    for row in rows:
        key, name = row.body.get("author_id"), row.body.get("author_name")
        if row.kind == "message" and not row.by_bot and key is not None:
            called = normalize_text(name) if isinstance(name, str) and name else f"player {len(found) + 1}"
            found.setdefault(str(key), called)
    return found
