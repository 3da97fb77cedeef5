"""The players' records: a log as players may see it, secret payloads withheld until a ruling reveals them.

While a combatant's joining is secret, every record about it is withheld, also if it was not recorded in secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from eventstore.events import Amended, DiceDrawn, Noted, RulingMade
from eventstore.record import Recorded
from eventstore.withholding import Withhold
from projections.stream.concealment import NOBODY, Concealed, find_concealed, joining
from projections.stream.corrections import corrected_facts, corrections_of

Remark = type[DiceDrawn] | type[Noted]
"""The types of records about another one: how its dice were drawn, a note."""


def for_players(records: Iterable[Recorded], also: frozenset[int] = frozenset()) -> Iterator[Recorded]:
    """Yield the records of a verified whole log as players may see them; `also` are withheld in any case."""
    return records_withheld(records, also).apply_to(records)


def records_withheld(records: Iterable[Recorded], also: frozenset[int] = frozenset()) -> Withhold:
    """Return the records withheld from players: secrets that no ruling reveals, their amendments, records about the hidden, and
    `also`. A roll is revealed together with its proof: how its dice were drawn.

    `records` can be read repeatedly. Only what players see decides: a ruling that is itself withheld, or that was
    struck where they can see it, reveals nothing, and a withheld strike takes no ruling back. A ruling reveals records
    before its own place, and a strike or amendment of it comes after it. So each round settles more of the log, from
    its end backwards, and the rounds end.
    """
    return audience(records, also).withhold


class Audience(Struct, frozen=True):
    """The parts of a log that players do not get: the records withheld from them, and the combatants who are hidden."""

    withhold: Withhold = Withhold(secrets=True)
    hidden: Concealed = NOBODY

    def of(self, news: Iterable[Recorded]) -> Audience:
        """Return the audience of the log with further records, none of which corrects, reveals, or lets a combatant join."""
        if not self.hidden:
            return self
        seqs = set(self.withhold.seqs)
        for record in news:
            if self.hidden.concerned(record) or not seqs.isdisjoint(_remarked_on(record, DiceDrawn, Noted)):
                seqs.add(record.seq)
        return Audience(structs.replace(self.withhold, seqs=frozenset(seqs)), self.hidden)


def audience(records: Iterable[Recorded], also: frozenset[int] = frozenset()) -> Audience:
    """Return what players do not get of a log, whose records can be read repeatedly; `also` are withheld in any case."""
    found = Withhold(also, secrets=True)
    if not any(record.secret for record in records):
        return Audience(found)
    proofs = _records_about(records, DiceDrawn)
    while (revealed := _with_remarks(_records_revealed(records, found), proofs)) != found.revealed:
        found = Withhold(also, secrets=True, revealed=revealed)
    return _withhold_hidden(records, found, proofs)


def _withhold_hidden(records: Iterable[Recorded], found: Withhold, proofs: Mapping[int, Sequence[int]]) -> Audience:
    """Withhold also what concerns hidden combatants, the dice behind it and notes on it.

    A ruling that is withheld by that reveals nothing, so that others may be hidden, too: each round reveals less, and the rounds end.
    """
    if not any(joining(record.event) for record in records if record.secret or isinstance(record.event, Amended)):
        return Audience(found)
    remarks = _records_about(records, DiceDrawn, Noted)
    while hidden := find_concealed(records, found.revealed, corrections_of(found.apply_to(records)).struck):
        concerned = _with_remarks((record.seq for record in records if hidden.concerned(record)), remarks)
        found = Withhold(found.seqs | concerned, secrets=True, revealed=found.revealed)
        revealed = found.revealed & _with_remarks(_records_revealed(records, found), proofs)
        if revealed == found.revealed:
            return Audience(found, hidden)
        found = Withhold(found.seqs, secrets=True, revealed=revealed)
    return Audience(found)


def shown_to_players(records: Iterable[Recorded]) -> frozenset[int]:
    """Return the records that players see of a log in which something was revealed; of any other none."""
    if not any(isinstance(record.event, RulingMade) and record.event.ruling == "reveal" for record in records):
        return frozenset()
    return frozenset(records_withheld(records).seqs_shown(records))


def _records_about(records: Iterable[Recorded], *kinds: Remark) -> dict[int, list[int]]:
    """Map each record to the records of some kinds that are about it: the proof of its dice, notes on it."""
    found: dict[int, list[int]] = {}
    for record in records:
        for named in _remarked_on(record, *kinds):
            found.setdefault(named, []).append(record.seq)
    return found


def _remarked_on(record: Recorded, *kinds: Remark) -> tuple[int, ...]:
    if not isinstance(record.event, kinds) or not (named := record.event.event):
        return ()
    return (named if named > 0 else record.seq + named,)


def _with_remarks(seqs: Iterable[int], about: Mapping[int, Sequence[int]]) -> frozenset[int]:
    return frozenset(seq for named in seqs for seq in (named, *about.get(named, ())))


def _records_revealed(records: Iterable[Recorded], hidden: Withhold) -> Iterator[int]:
    corrections = corrections_of(hidden.apply_to(records))
    for fact, struck in corrected_facts(hidden.apply_to(records), corrections):
        match fact.event:
            case RulingMade(ruling="reveal", event=int(named)) if not struck and named in range(fact.seq):
                yield named
