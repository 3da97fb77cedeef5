"""The table: the records of a log, the state that they give, and lines read one after the other."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ParamSpec

from msgspec import structs, to_builtins

from eventstore.events import Amended, Correction, DamageDealt, EncounterOpened, Fact, Healed, Inserted
from eventstore.form import normalize_nfc
from eventstore.record import Draft, Recorded, upcast
from eventstore.wording import list_in_words
from projections.judging.refusals import Refusal, find_refusals
from projections.language.notation import names
from projections.language.notation.advising import advice
from projections.language.notation.implied import add_concentration, add_turns, rule_statuses
from projections.language.notation.line_context import ClockFact, Gap, LineContext, Memory
from projections.language.notation.parsing import Parsed, end_of_secret, parse
from projections.language.notation.records import alone_standing, lines_of_appends, make_records
from projections.language.notation.refusals import MOST_OFFERS, possible, unread
from projections.language.notation.tokens import Doubt, NotUnderstood
from projections.replay.replay import Observer, Replay, replay, resume
from projections.state import State
from projections.stream.corrections import absolute

if TYPE_CHECKING:
    from projections.stream.audience import Audience

WORDS_OF_A_NOTE = 4
"""The fewest words of a line without a meaning that is offered as a note: a shorter one is rather a slip."""
P = ParamSpec("P")
Suggest = Callable[["Table", str], Sequence[str]]
"""A function that is given a table and a line that is refused there, and returns lines that may mean it."""


class Table:
    """A log in memory in which lines are read; it holds what a viewer of the log would see.

    At a table every line is an append of its own, so a reference that reaches back beyond it becomes the number of a
    record. In a `script` all lines are one append, references stay as they are, and a line is notation. `roll` turns dice into faces
    (line_context.py). `suggest` has further offers for a
    refused line. `before` is called with each fact and the state before it, up to the first correction of a line.
    """

    def __init__(
        self,
        records: Iterable[Recorded],
        *,
        script: bool = False,
        roll: Callable[[str], str] | None = None,
        suggest: Suggest | None = None,
        before: Observer | None = None,
    ) -> None:
        self.script, self.roll, self.suggest, self._before = script, roll, suggest, before
        self.records: list[Recorded] = list(records)
        self.memory = Memory(lines=lines_of_appends(self.records))
        self.done: Replay = replay(self.records, before=before, after=self.memory.take_fact)
        self._has_secrets = any(record.secret for record in self.records)
        self._audience: Audience | None = None

    @property
    def context(self) -> LineContext:
        """What the next line is read against."""
        return LineContext(self.done.state, self.memory, self.roll, script=self.script)

    def tell(self, line: str, *, secret: bool = False, offers: bool = True) -> Parsed:
        """Return the meaning of a line, with the strikes of an undo; raise NotUnderstood if it cannot be read or appended, with `offers` if wanted: they take a while.

        A line is withheld from players if it is to be `secret`, or begins with that word.
        """
        try:
            return self._parse_secret_or_not(line, secret=secret, explained=offers)
        except NotUnderstood as error:
            if not offers:
                raise
            raise self._add_offers(error, line) from None

    def _parse_secret_or_not(self, line: str, *, secret: bool = False, explained: bool = True) -> Parsed:
        """Return the meaning of a line, secret or not, its commands as facts; raise NotUnderstood if it cannot be read or appended."""
        line = normalize_nfc(line)
        start = end_of_secret(line)
        line = " " * start + line[start:]
        parsed = self._only_completion(self._read_line(line, explained=explained))
        return self._finish_parsed(parsed, line, secret=secret or start > 0)

    def _finish_parsed(self, parsed: Parsed, line: str, *, secret: bool) -> Parsed:
        """Return the meaning of a line as it is appended, its commands as facts; raise NotUnderstood where it cannot be."""
        parsed = structs.replace(parsed, secret=parsed.secret or secret)
        if parsed.rest in ("undo", "redo", "reveal", "correct", "into"):
            parsed = structs.replace(parsed, facts=tuple(self._written_out(parsed)), rest="")
            if self.script or parsed.form == "amend into":
                parsed = structs.replace(
                    parsed,
                    secret=parsed.secret
                    or any(isinstance(fact, Amended) and self.records[fact.event - 1].secret for fact in parsed.facts),
                )
        if not self.script:
            self._check_amended(parsed, line)
        deeds = () if parsed.form == "json" else self.memory.deeds
        facts = alone_standing(parsed.facts, self.done.records, deeds)
        alone = structs.replace(parsed, facts=facts if self.script else tuple(map(self._keep_old_cause, facts)))
        for first in self._refusals(alone.facts):
            raise _refusal_of_facts(line, first)
        if self.script:  # which itself says whether its facts are secret
            return structs.replace(parsed, kept=frozenset(range(len(parsed.facts)))) if parsed.secret else parsed
        return self._keep_secrets(alone)

    def _keep_secrets(self, parsed: Parsed) -> Parsed:
        """Return the meaning of a line with the facts to be kept from players."""
        if not (parsed.secret or self._has_secrets) or not parsed.facts:
            return parsed
        from projections.language.notation.secrecy import keep_secrets  # only where something is secret

        seen = self._audience_after(make_records(parsed.facts, len(self.records) + 1, secret=parsed.secret))
        return keep_secrets(parsed, self.records, self._state_after, seen, self._stated_at)

    def hide_drafts(self, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
        """Return drafts of facts as they are recorded: in secret what concerns somebody whom this table knows to be hidden."""
        kept = {place for place, draft in enumerate(drafts) if draft.secret}
        if not (kept or self._has_secrets):
            return tuple(drafts)
        from projections.language.notation.secrecy import hide_facts  # only where something is secret

        facts = [upcast(draft.event) for draft in drafts]
        return hide_facts(drafts, self._audience_after(make_records(facts, len(self.records) + 1, kept=kept)).hidden)

    def _audience_after(self, news: Sequence[Recorded]) -> "Audience":
        """Return what players do not get of the records of the table, once these follow."""
        from projections.language.notation.secrecy import may_change_who_is_hidden  # only where something is secret
        from projections.stream.audience import audience

        if may_change_who_is_hidden(record.event for record in news if record.event):
            return audience([*self.records, *news])
        if self._audience is None:
            self._audience = audience(self.records)
        return self._audience

    def _stated_at(self, seq: int) -> Fact | None:
        """Return the present fact of a record, perhaps by an insertion; None if it has none."""
        fact = self._fact_at(seq)
        return fact.fact if isinstance(fact, Inserted) else fact

    def _state_after(self, facts: Sequence[Fact]) -> State:
        """Return the state after the records of the table and further facts."""
        if not facts:
            return self.done.state
        return replay([*self.records, *make_records(facts, len(self.records) + 1)]).state

    def _read_line(self, line: str, *, explained: bool = True) -> Parsed:
        """Return the meaning of a line as notation, else as a sentence; raise NotUnderstood if it is neither, with similar lines if that is `explained`."""
        if self.script:
            return parse(self.context, line, explained=explained)
        try:
            notation = parse(self.context, line, explained=False)
        except Doubt:
            raise
        except NotUnderstood:
            notation = None
        if notation is not None and not notation.yields:
            return notation
        from projections.language import sentences  # only for lines that are no notation

        found = sentences.read_sentence(self.context, line, self._split_turns, explained=explained)
        if found.meaning is not None:  # with a reason against it, it is refused as what it says
            return add_turns(self.records, self.done.state, found.meaning) if found.why else found.meaning
        if notation is not None and not found.several:
            return notation
        raise (
            unread(self.context, line, found) if explained else NotUnderstood(found.stopped, found.why, possible(found))
        )

    def _split_turns(self, parsed: Parsed) -> Parsed | None:
        """Return the meaning of a sentence, each of several actors in a turn of their own; None if the log cannot take it."""
        parsed = add_turns(self.records, self.done.state, parsed)
        if parsed.rest:
            return parsed
        facts = alone_standing(parsed.facts, self.done.records, self.memory.deeds)
        return None if self._refusals(facts) else parsed

    def _refusals(self, facts: Sequence[Fact]) -> tuple[Refusal, ...]:
        drafts = tuple(Draft(each) for each in facts)  # type: ignore[arg-type]  # every such fact is a member of the union
        return find_refusals(self.done.state, drafts, self.done.records)

    def _only_completion(self, parsed: Parsed) -> Parsed:
        """Return a line completed in the only way; raise NotUnderstood with the ways as readings, if there are several."""
        found = self._complete_parsed(parsed)
        if len(found) == 1:
            return found[0]
        error = NotUnderstood(1, "this can mean two things: damage as it was rolled, or what the save left of it", "")
        error.readings = found
        raise error

    def _complete_parsed(self, parsed: Parsed) -> tuple[Parsed, ...]:
        """Return a line with what goes without saying, and its facts completed by the ruleset, in each possible way
        (projections/ruleset/ruleset.py); a script itself says all that it records.
        """
        parsed = rule_statuses(self.context, add_concentration(self.context, parsed))
        if self.script or parsed.rest or parsed.form in ("json", "amended") or not parsed.facts:
            return (parsed,)
        found = self.done.state.rules.completed(self.done.state, parsed.facts)
        return tuple(parsed if each is parsed.facts else self._replace_facts(parsed, each) for each in found)

    def _replace_facts(self, parsed: Parsed, facts: tuple[Fact, ...]) -> Parsed:
        return structs.replace(parsed, facts=facts, advice=parsed.advice and advice(self.context, to_builtins(facts)))

    def _check_amended(self, parsed: Parsed, line: str) -> None:
        """Raise NotUnderstood for an amendment that would replace a move of the clock with something else."""
        for fact in parsed.facts if parsed.form == "amended" else ():
            old = self._fact_at(fact.event) if isinstance(fact, Amended) else None
            if isinstance(fact, Amended) and isinstance(old, ClockFact) and not isinstance(fact.replacement, ClockFact):
                last = next((last for first, last in self.memory.lines if first <= fact.event <= last), fact.event)
                others = [
                    seq for seq in range(fact.event + 1, last + 1) if type(self._fact_at(seq)) is type(fact.replacement)
                ]
                offers = tuple(re.sub(r"\d+", str(seq), line.strip(), count=1) for seq in others)
                why = f"record {fact.event} is a turn of the clock, and nothing that a combatant did"
                raise NotUnderstood(1, why, f"strike {fact.event} takes it out", offers)

    def _keep_old_cause(self, fact: Fact) -> Fact:
        """Return an amendment with the cause and source of the amended fact, unless the line gives them, or is about another fact or target."""
        if not isinstance(fact, Amended) or not isinstance(fact.replacement, DamageDealt | Healed):
            return fact
        old, new = self._fact_at(fact.event), fact.replacement
        if (
            not isinstance(old, type(new))
            or old.target != new.target
            or new.cause
            or new.source not in (None, old.source)
        ):
            return fact
        return structs.replace(fact, replacement=structs.replace(new, cause=old.cause, source=old.source))

    def _fact_at(self, seq: int) -> Fact | None:
        """Return the present fact of a record, its references as numbers of records; None if it is withheld, or there is no such record."""
        if not 0 < seq <= len(self.records):
            return None
        if seq in self.done.corrections.amended:
            return self.done.corrections.amended[seq].event
        event = self.records[seq - 1].event
        return absolute(event, seq) if event else None

    def _written_out(self, parsed: Parsed) -> Sequence[Fact]:
        """Return the facts of a line that refers to the log: the last line, secrets."""
        from projections.language.notation.corrections import (  # only for such a line
            correct_last,
            put_into,
            redo_last,
            undo_last,
        )
        from projections.language.notation.revealing import reveal_rulings

        try:
            if parsed.form == "undo":
                return undo_last(
                    self.records, self.memory.lines, self.done.state.struck_by, self._in_place_of, parsed.words or None
                )
            if parsed.form == "redo":
                return redo_last(self.records)
            if parsed.rest == "into":
                struck = self.done.state.struck_by
                teach = {seq for _, seq in self.memory.taught.values()}
                present = [
                    None if each.seq in struck or each.seq in teach else self._stated_at(each.seq)
                    for each in self.records
                ]
                return [*put_into(parsed.words, present, lambda seq, line: Table(self.records[: seq - 1]).tell(line))]
            if parsed.rest == "correct":
                return [*correct_last(self.done.state, self._last_line(), parsed.words)]
            return reveal_rulings(self.records, self.done.state, parsed.words)
        except Gap as gap:
            raise NotUnderstood(1, gap.why, gap.hint) from None

    def _last_line(self) -> list[tuple[int, Fact]]:
        """Return the present facts of the last line that still stands, each with its record; none if there is no such line."""
        for first, last in reversed(self.memory.lines):
            standing = [seq for each in range(first, last + 1) if (seq := self._in_place_of(each))]
            if standing:
                stated = [(seq, self._stated_at(seq)) for seq in standing]
                return [(seq, fact) for seq, fact in stated if fact and not isinstance(fact, Amended)]
        return []

    def _in_place_of(self, seq: int) -> int:
        """Return the record of a fact, or of the one that was inserted in its place when it was struck; 0 if it was only struck."""
        while strike := self.done.state.struck_by.get(seq):
            put = self.records[strike].event if strike < len(self.records) else None
            if not isinstance(put, Inserted) or absolute(put, strike + 1).after != seq:
                return 0
            seq = strike + 1
        return seq

    def _add_offers(self, error: NotUnderstood, line: str) -> NotUnderstood:
        """Return an error with at most three offers that are accepted, each meaning once: other lines, the readings of this one as sentences, a note."""
        found: dict[str, Parsed] = {}
        start = end_of_secret(line)
        before, bare = line[:start].lstrip(), line[start:].strip()

        def offer(said: str, parsed: Parsed | None) -> None:
            if parsed and all((parsed.facts, parsed.rest) != (one.facts, one.rest) for one in found.values()):
                found[f"{before}{said}"] = parsed

        for each in error.offers:
            if not each.startswith("note "):
                offer(each.lstrip(), self.parse_if_accepted(f"{before}{each.lstrip()}"))
        is_slip, readings = bool(found), () if found else error.readings
        for reading in readings:
            meant = self._none_if_refused(self._finish_reading, reading, bare, start > 0)
            if meant and (said := self._say_reading(before, reading, meant)):
                offer(said, meant)
        asks = self.suggest if not self.script and len(found) < MOST_OFFERS else None
        suggested = next(iter(asks(self, bare)), "") if asks else ""
        if suggested:
            offer(suggested, self.parse_if_accepted(f"{before}{suggested}"))
        several = len(found) > 1
        is_long = len(line.split()) >= WORDS_OF_A_NOTE or f"note {bare}" in error.offers
        may_be_noted = is_long and self.done.state.combatants and not bare.startswith("amend ")
        if not is_slip and len(found) < MOST_OFFERS and may_be_noted:
            offer(f"note {bare}", self.parse_if_accepted(f"{before}note {bare}"))
        offers = tuple(found)[:MOST_OFFERS]
        facts = tuple(found.values())[:MOST_OFFERS]
        readings = facts if several else readings
        suggested = f"{before}{suggested}" if f"{before}{suggested}" in found else ""
        quoted = list_in_words([f"`{each}`" for each in offers], "or") if offers and not (readings or suggested) else ""
        there = names.there_are([*names.known(self.done.state)])
        hint = "" if is_slip else error.hint
        hint = "; or ".join(filter(None, (hint, quoted and f"write {quoted}"))) if hint in ("", there) else hint
        if not (hint or offers or bare.startswith("{")):  # what was offered is no line
            hint = there
        offering = NotUnderstood(error.column, error.why, hint, offers)
        offering.meant, offering.readings, offering.suggested = facts, readings, suggested
        return offering

    def parse_if_accepted(self, line: str) -> Parsed | None:
        """Return the meaning of a line; None if it is refused."""
        return self._none_if_refused(self._parse_secret_or_not, line, explained=False)

    def _say_reading(self, before: str, reading: Parsed, meant: Parsed) -> str:
        """Return a sentence that is read back as exactly these facts; "" if there is none."""
        from projections.language.saying import say_facts  # only where a line is refused

        return say_facts(self.context, reading.facts, lambda line: self._is_meant_by(before + line, meant))

    def _is_meant_by(self, line: str, meant: Parsed) -> bool:
        parsed = self.parse_if_accepted(line)
        return parsed is not None and parsed.facts == meant.facts

    def _finish_reading(self, reading: Parsed, line: str, secret: bool) -> Parsed:
        """Return one of the readings of a line as it is appended; raise NotUnderstood where it cannot be."""
        return self._finish_parsed(self._complete_parsed(reading)[-1], line, secret=secret)

    def _none_if_refused(self, meant: Callable[P, Parsed], *given: P.args, **named: P.kwargs) -> Parsed | None:
        """Return what a function returns; None where it refuses a line."""
        try:
            return meant(*given, **named)
        except NotUnderstood:
            return None

    def line_of(self, seq: int) -> str:
        """Return a line that means a record's present fact, to be corrected; JSON where no other can, "" if it states no fact.

        Cause and source of damage and healing are left out, as an amendment keeps them.
        """
        from projections.language.notation.printing import print_line  # only where something is put right

        fact = self._stated_at(seq)
        if fact is None or isinstance(fact, Correction | EncounterOpened):
            return ""
        if isinstance(fact, DamageDealt | Healed):
            fact = structs.replace(fact, cause=None, source=None)
        return print_line(self.context, [fact])[0]

    def take(self, records: Sequence[Recorded]) -> None:
        """Take in the records of a written line."""
        self.records += records
        self._has_secrets = self._has_secrets or any(each.secret for each in records)
        if self._audience is not None:
            self._audience = _audience_if_same(self._audience, records)
        if records and not isinstance(records[0].event, Correction):
            self.memory.lines.append((records[0].seq, records[-1].seq))
        if any(isinstance(each.event, Correction) for each in records):
            memory = Memory(lines=self.memory.lines)
            self.done, self.memory = replay(self.records, after=memory.take_fact), memory
        else:
            self.done = resume(self.done, records, before=self._before, after=self.memory.take_fact)

    def hear(self, line: str) -> Parsed:
        """Read a line and take in its facts, as records whose hashes are left blank; raise NotUnderstood."""
        parsed = self.tell(line)
        self.take(make_records(parsed.facts, len(self.records) + 1, kept=parsed.kept, together=True))
        return parsed


def _audience_if_same(seen: "Audience", records: Sequence[Recorded]) -> "Audience | None":
    """Return what players see after further records; None where it has to be found anew."""
    from projections.language.notation.secrecy import may_change_who_is_hidden  # only where something is secret

    if any(each.secret or each.event is None for each in records):
        return None
    changes = may_change_who_is_hidden(each.event for each in records if each.event)
    return None if changes else seen.of(records)


def _refusal_of_facts(line: str, first: Refusal) -> NotUnderstood:
    """Return the error of a line whose facts cannot be appended, at the refused field or where a missing one belongs."""
    lacks = first.field.startswith("sheet.") and first.reason == "is missing"
    hint = f"it follows the side: {first.field.removeprefix('sheet.')}=9" if lacks else first.hint
    column = len(line.rstrip()) + 1 if lacks else _column_of_field(line, first.field)
    return NotUnderstood(column, f"{first.field}: {first.reason}", hint)


def _column_of_field(line: str, field: str) -> int:
    """Return where a field of a sheet is written in a line, from 1; 1 for any other, which need not be written out."""
    whole, _, rest = field.partition(".")
    word = re.escape(rest.partition(".")[0].partition("[")[0])
    found = re.search(rf'(?<![\w.-])"?{word}"?\s*[=:]', line, re.IGNORECASE) if whole == "sheet" and word else None
    return found.start() + 1 if found else 1
