"""The players' records: a log as players may see it, secret payloads withheld until a ruling reveals them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from eventstore.events import DiceDrawn, RulingMade
from eventstore.record import Recorded
from eventstore.withholding import Withhold
from projections.stream.corrections import corrected, corrections_of


def for_players(records: Iterable[Recorded], also: frozenset[int] = frozenset()) -> Iterator[Recorded]:
    """Yield the records of a verified whole log as players may see them; `also` are withheld in any case."""
    return withholding(records, also).applied(records)


def withholding(records: Iterable[Recorded], also: frozenset[int] = frozenset()) -> Withhold:
    """Return the records withheld from players: secrets that no ruling reveals, their amendments, and `also`.

    With a roll what proves it is revealed: how its dice were drawn.

    `records` can be read repeatedly. Only what players see decides: a ruling that is itself withheld, or that was
    struck where they can see it, reveals nothing, and a withheld strike takes no ruling back. A ruling reveals records
    before its own place, and what strikes or amends it comes after it. So every round here settles more of the log,
    from its end on, and the rounds end.
    """
    found = Withhold(also, secrets=True)
    if not any(record.secret for record in records):
        return found
    proofs = _proofs(records)
    while (revealed := _with_proofs(_revealed(records, found), proofs)) != found.revealed:
        found = Withhold(also, secrets=True, revealed=revealed)
    return found


def shown_to_players(records: Iterable[Recorded]) -> frozenset[int]:
    """Return the records that players see of a log in which something was revealed; of any other none."""
    if not any(isinstance(record.event, RulingMade) and record.event.ruling == "reveal" for record in records):
        return frozenset()
    return frozenset(withholding(records).shown(records))


def _proofs(records: Iterable[Recorded]) -> dict[int, list[int]]:
    """Return for each record with dice that were drawn from a chain the records that prove them."""
    found: dict[int, list[int]] = {}
    for record in records:
        if isinstance(record.event, DiceDrawn):
            named = record.event.event
            found.setdefault(named if named > 0 else record.seq + named, []).append(record.seq)
    return found


def _with_proofs(revealed: Iterable[int], proofs: Mapping[int, Sequence[int]]) -> frozenset[int]:
    return frozenset(seq for named in revealed for seq in (named, *proofs.get(named, ())))


def _revealed(records: Iterable[Recorded], hidden: Withhold) -> Iterator[int]:
    """Yield the records that the rulings in a copy for players reveal."""
    corrections = corrections_of(hidden.applied(records))
    for fact, struck in corrected(hidden.applied(records), corrections):
        match fact.event:
            case RulingMade(ruling="reveal", event=int(named)) if not struck and named in range(fact.seq):
                yield named
