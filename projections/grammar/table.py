"""The table: the records of a log, the state that they give, and lines read one after the other."""

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import structs

from eventstore.events import (
    Amended,
    Correction,
    DamageDealt,
    EncounterOpened,
    Fact,
    Healed,
    Inserted,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SegmentReached,
    TurnEnded,
    TurnStarted,
)
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Draft, Recorded
from projections.folds.replay import Observer, Replay, replay, resumed
from projections.grammar.last_line_corrections import corrected
from projections.grammar.line_context import Gap, LineContext, Memory, undone
from projections.grammar.parsing import Parsed, parse
from projections.grammar.redo import redone
from projections.grammar.revealing import reveals
from projections.grammar.tokens import NotUnderstood
from projections.judging.decide import Append, Refusal, Refused, decide
from projections.stream.corrections import absolute

SEVERAL = r"(the )?last (\d+|two|three|four|five|few)( lines?)?"
"""Words by which more than one line is meant."""


ClockFact = RoundStarted | RoundEnded | TurnStarted | TurnEnded | PhaseReached | SegmentReached
"""The facts by which the clock moves."""


class Table:
    """A log in memory against which lines are read; it holds what a viewer of the log would see.

    At a table every line is an append of its own, so a reference that reaches back beyond it becomes the number of a record.
    In a `script` all lines are one append, and references stay as they are. `roll` turns dice into faces (context.py).
    `before` is called with each fact and the state before it, up to the first correction of a line.
    """

    def __init__(
        self,
        records: Iterable[Recorded],
        *,
        script: bool = False,
        roll: Callable[[str], str] | None = None,
        before: Observer | None = None,
    ) -> None:
        self.script, self.roll, self._before = script, roll, before
        self.records: list[Recorded] = list(records)
        self.memory = Memory(lines=lines_of(self.records))
        self.done: Replay = replay(self.records, before=before, after=self.memory.watch)

    @property
    def context(self) -> LineContext:
        """What the next line is read against."""
        return LineContext(self.done.state, self.memory, self.roll, script=self.script)

    def tell(self, line: str) -> Parsed:
        """Return what a line means, with the strikes of an undo; raise NotUnderstood if it cannot be read or appended."""
        try:
            return self._meant(line)
        except NotUnderstood as error:
            raise self._offering(error) if error.offers else error from None

    def _meant(self, line: str) -> Parsed:
        """Return what a line means, its wishes as facts; raise NotUnderstood if it cannot be read or appended."""
        parsed = self._read(line)
        if parsed.rest == "undo":
            _check_undo(parsed.words)
        if parsed.rest in ("undo", "redo", "reveal", "correct"):
            parsed = structs.replace(parsed, facts=tuple(self._written_out(parsed)), rest="")
            parsed = structs.replace(parsed, secret=parsed.secret or self._amends_a_secret(parsed))
        if not self.script:
            self._check_amended(parsed, line)
        deeds = () if parsed.form == "json" else self.memory.deeds
        facts = alone_standing(parsed.facts, self.done.records, deeds)
        alone = structs.replace(parsed, facts=facts if self.script else tuple(map(self._with_old_cause, facts)))
        verdict = decide(self.done.state, Append(_drafts(alone.facts), self.done.records))
        if isinstance(verdict, Refused):
            raise _not_appended(line, verdict.refusals[0], joins=parsed.form == "join")
        return parsed if self.script else alone

    def _read(self, line: str) -> Parsed:
        """Return what a line means as one sentence, else as several."""
        try:
            return parse(self.context, line)
        except NotUnderstood as error:
            from projections.grammar import sequences  # only for lines that cannot be read as one

            said = None if self.script else sequences.meant(self, line, error.parts)
            if said is None:
                raise
            return said

    def _check_amended(self, parsed: Parsed, line: str) -> None:
        """Raise NotUnderstood for an amendment that would put something else in the place of what the clock shows."""
        for fact in parsed.facts if parsed.form == "amended" else ():
            old = (
                self._fact_at(fact.event) if isinstance(fact, Amended) and 0 < fact.event <= len(self.records) else None
            )
            if isinstance(fact, Amended) and isinstance(old, ClockFact) and not isinstance(fact.replacement, ClockFact):
                last = next((last for first, last in self.memory.lines if first <= fact.event <= last), fact.event)
                others = [
                    seq for seq in range(fact.event + 1, last + 1) if type(self._fact_at(seq)) is type(fact.replacement)
                ]
                offers = tuple(re.sub(r"\d+", str(seq), line.strip(), count=1) for seq in others)
                why = f"record {fact.event} is a turn of the clock, and nothing that a combatant did"
                raise NotUnderstood(1, why, f"strike {fact.event} takes it out", offers)

    def _with_old_cause(self, fact: Fact) -> Fact:
        """Return an amendment with the cause and source of what it amends, unless the line says them, or is about another fact or target."""
        if not isinstance(fact, Amended) or not isinstance(fact.replacement, DamageDealt | Healed):
            return fact
        old, new = self._present(fact.event), fact.replacement
        if (
            not isinstance(old, type(new))
            or old.target != new.target
            or new.cause
            or new.source not in (None, old.source)
        ):
            return fact
        return structs.replace(fact, replacement=structs.replace(new, cause=old.cause, source=old.source))

    def _present(self, seq: int) -> Fact | None:
        """Return the present fact of a record, its references as numbers of records; None if it has none."""
        fact = self._fact_at(seq) if 0 < seq <= len(self.records) else None
        return fact if isinstance(fact, DamageDealt | Healed) else None

    def _fact_at(self, seq: int) -> Fact | None:
        """Return the present fact of a record, its references as numbers of records; None if it is withheld."""
        if seq in self.done.corrections.amended:
            return self.done.corrections.amended[seq].fact
        event = self.records[seq - 1].event
        return absolute(event, seq) if event else None

    def _written_out(self, parsed: Parsed) -> Sequence[Fact]:
        """Return the facts of a line that names what the log has: the last line, what is secret."""
        try:
            if parsed.form == "undo":
                return undone(self.context, parsed.words or None)
            if parsed.form == "redo":
                return redone(self.records)
            if parsed.rest == "correct":
                return [*corrected(self.done.state, self._last_line(), parsed.words)]
            return reveals(self.records, self.done.state, parsed.words)
        except Gap as gap:
            raise NotUnderstood(1, gap.why, gap.hint) from None

    def _last_line(self) -> list[tuple[int, Fact]]:
        """Return the present facts of the last line that still stands, each with its record; nothing without one."""
        for first, last in reversed(self.memory.lines):
            standing = [seq for seq in range(first, last + 1) if seq not in self.done.state.struck_by]
            if standing:
                return [(seq, fact) for seq in standing if (fact := self._fact_at(seq))]
        return []

    def _amends_a_secret(self, parsed: Parsed) -> bool:
        """Say whether a line amends a record that is secret."""
        return any(isinstance(fact, Amended) and self.records[fact.event - 1].secret for fact in parsed.facts)

    def _offering(self, error: NotUnderstood) -> NotUnderstood:
        """Return an error with those of the lines that it offers which are accepted as they stand."""
        from projections.grammar.phrases.choosing import offering  # only where a line is refused

        return offering(error, tuple(each for each in error.offers if self._accepts(each)))

    def _accepts(self, line: str) -> bool:
        try:
            self._meant(line)
        except NotUnderstood:
            return False
        return True

    def line_of(self, seq: int) -> str:
        """Return a line that says what a record says now, to be put right; JSON where no other can, "" if it states no fact.

        Cause and source of damage and healing are left out, as an amendment keeps them.
        """
        from projections.grammar.printing import line_of  # only where something is put right

        fact = self._fact_at(seq) if 0 < seq <= len(self.records) else None
        if isinstance(fact, Inserted):
            fact = fact.fact
        if fact is None or isinstance(fact, Correction | EncounterOpened):
            return ""
        if isinstance(fact, DamageDealt | Healed):
            fact = structs.replace(fact, cause=None, source=None)
        return line_of(self.context, [fact])[0]

    def take(self, records: Sequence[Recorded]) -> None:
        """Take in the records of a line that was written."""
        self.records += records
        if records and not any(isinstance(each.event, Correction) for each in records):
            self.memory.lines.append((records[0].seq, records[-1].seq))
        if any(isinstance(each.event, Correction) for each in records):
            memory = Memory(lines=self.memory.lines)
            self.done, self.memory = replay(self.records, after=memory.watch), memory
        else:
            self.done = resumed(self.done, records, before=self._before, after=self.memory.watch)

    def hear(self, line: str) -> Parsed:
        """Tell a line and take in its facts, as records whose hashes are left blank; raise NotUnderstood."""
        parsed = self.tell(line)
        self.take(recorded(parsed.facts, len(self.records) + 1, secret=parsed.secret))
        return parsed


def _check_undo(words: str) -> None:
    """Raise NotUnderstood for an undo of a record by its number, or of several lines."""
    why = "undo takes back the last line, whole"
    if words.isdigit():
        raise NotUnderstood(1, why, f"strike {words[:20]} takes out a record")
    if re.fullmatch(SEVERAL, words.casefold()):
        raise NotUnderstood(1, why, "u takes back one line, once more the next")


def _not_appended(line: str, first: Refusal, *, joins: bool) -> NotUnderstood:
    """Return the error of a line whose facts cannot be appended, at the field that is refused or where a missing one belongs.

    A flag that the sheet of a combatant who joins does not have is offered as words of the notes.
    """
    lacks = first.field.startswith("sheet.") and first.reason == "is missing"
    hint = f"it follows the side: {first.field.removeprefix('sheet.')}=9" if lacks else first.hint
    column = len(line.rstrip()) + 1 if lacks else _column(line, first.field)
    noted = _noted(line[column - 1 :], first.field) if joins and not lacks else ""
    offers = (f"{line[: column - 1]}{noted}",) if noted and "notes=" not in line else ()
    return NotUnderstood(column, f"{first.field}: {first.reason}", hint, offers)


def _column(line: str, field: str) -> int:
    """Return where a field of a sheet is written in a line, from 1; 1 for any other, which need not be written out."""
    whole, _, rest = field.partition(".")
    word = re.escape(rest.partition(".")[0].partition("[")[0])
    found = re.search(rf'(?<![\w.-])"?{word}"?\s*[=:]', line, re.IGNORECASE) if whole == "sheet" and word else None
    return found.start() + 1 if found else 1


def _noted(rest: str, field: str) -> str:
    """Return the rest of a line with a flag that it begins with, monster=true, as words of the notes; "" if it begins with none."""
    flag = re.match(r"(\w+)=(true|yes)(?=\s|$)", rest)
    return f"notes={flag[1]}{rest[flag.end() :]}" if flag and field == f"sheet.{flag[1]}" else ""


def alone_standing(facts: Sequence[Fact], before: int, deeds: Sequence[int] = ()) -> tuple[Fact, ...]:
    """Return facts whose references beyond the first of them are numbers of records, of which there are `before`.

    A cause is counted back over the `deeds`, where there are so many: no remark, correction or turn of the clock is one.
    """
    return tuple(_absolute(fact, place, before, deeds) for place, fact in enumerate(facts))


def _absolute(fact: Fact, place: int, before: int, deeds: Sequence[int]) -> Fact:
    named = {name: getattr(fact, name) for name in REFERENCE_FIELDS & set(fact.__struct_fields__)}
    far = {name: before + place + 1 + back for name, back in named.items() if back is not None and -back > place}
    if "cause" in far and (back := -named["cause"] - place) <= len(deeds):
        far["cause"] = deeds[-back]
    return structs.replace(fact, **far) if far else fact


def _drafts(facts: Iterable[Fact]) -> tuple[Draft, ...]:
    return tuple(Draft(each) for each in facts)  # type: ignore[arg-type]  # every such fact is a member of the union


def lines_of(records: Iterable[Recorded]) -> list[tuple[int, int]]:
    """Return the first and last record of each append that states facts, the earliest first; the opening is none."""
    found: list[tuple[int, int]] = []
    for record in records:
        if isinstance(record.event, EncounterOpened | Correction):
            continue
        if record.batch and record.batch[0] > 1 and found:
            found[-1] = (found[-1][0], record.seq)
        else:
            found.append((record.seq, record.seq))
    return found


def recorded(events: Iterable[Fact], first: int, *, secret: bool = False) -> list[Recorded]:
    """Return events as the records of a log in memory; their hashes are left blank."""
    return [
        Recorded(
            seq=seq,
            at="2000-01-01T00:00:00.000000Z",
            by="script",
            secret=secret,
            digest="0" * 64,
            event=event,  # type: ignore[arg-type]  # a fact of the newest version is a member of the union
            salt="0" * 32,
            hash="0" * 64,
        )
        for seq, event in enumerate(events, first)
    ]
