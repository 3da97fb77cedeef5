"""Several sentences in one line, `goblin 1 hits bo for 4, goblin 2 misses ana`: each is read after the one before, as if on a line of its own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    Checked,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    Fact,
    Healed,
)
from eventstore.form import REFERENCE_FIELDS
from projections.grammar.parsing import Parsed
from projections.grammar.tokens import NotUnderstood

if TYPE_CHECKING:
    from projections.grammar.table import Table

MOST_PARTS = 8
"""The most sentences of a line."""
REMARKS = frozenset({"note", "json"})
"""The forms whose lines tell of no act: a part that is one was not understood as an act."""


def meant(at: "Table", line: str, parts: Sequence[str]) -> Parsed | None:
    """Return what a line means whose parts are these lines, or sentences that begin with a combatant's name; None if one of them means nothing.

    A reference from one part to a record of another counts back, so that it holds wherever the line is appended.
    """
    from projections.grammar.phrases import chains  # only for lines that cannot be read as one
    from projections.grammar.table import Table, recorded

    meanings = list[Parsed]()
    sentences = parts or chains.sentences(at.context, line)
    if not 1 < len(sentences) <= MOST_PARTS:
        return None
    beside, first = Table(at.records, roll=at.roll), len(at.records) + 1
    for sentence in sentences:
        says = chains.of_target(sentence, _target(meanings))
        try:
            parsed = beside.tell(says)
        except NotUnderstood:
            return None
        if not parsed.facts or parsed.rest or parsed.corrects or parsed.form in REMARKS:
            return None
        meanings.append(parsed if parsed.said else structs.replace(parsed, said=(says,)))
        beside.take(recorded(parsed.facts, len(beside.records) + 1))
    return _together(meanings, first)


def _together(meanings: list[Parsed], first: int) -> Parsed:
    """Return several meanings as one, whose first fact is to be the record of this number."""
    facts = [fact for each in meanings for fact in each.facts]
    return Parsed(
        tuple(_counting_back(fact, place, first) for place, fact in enumerate(facts)),
        moved=meanings[0].moved,
        stays=_joined(each.stays for each in meanings),
        advice=_joined(each.advice for each in meanings),
        offers=tuple(one for each in meanings for one in each.offers),
        acts=True,
        said=tuple(one for each in meanings for one in each.said),
        thrown=tuple(one for each in meanings for one in each.thrown),
    )


def _joined(remarks: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, remarks)))


def _target(meanings: list[Parsed]) -> str:
    """Return the one at whom a combatant acts in the last of these, else the one whom it is about; "" if nobody, or several."""
    facts = meanings[-1].facts if meanings else ()
    whom = {who for fact in facts if isinstance(fact, ActionTaken) for who in fact.action.targets}
    whom |= {fact.target for fact in facts if isinstance(fact, AttackRolled) and fact.target}
    whom = whom or {who for fact in facts for who in _subjects(fact)}
    return whom.pop() if len(whom) == 1 else ""


def _subjects(fact: Fact) -> Iterator[str]:
    """Yield those whose points, conditions or values a fact is about."""
    match fact:
        case DamageDealt(target=who) | Healed(target=who):
            yield who
        case ConditionGained(targets=several) | ConditionLost(targets=several):
            yield from several
        case Checked(values=values):
            yield from (address.partition(".")[0] for address in values)


def _counting_back(fact: Fact, place: int, first: int) -> Fact:
    """Return a fact whose references to records of its own line, the first of which has this number, count back."""
    named = {name: getattr(fact, name) for name in REFERENCE_FIELDS & set(fact.__struct_fields__)}
    near = {name: seq - first - place for name, seq in named.items() if seq is not None and seq >= first}
    return structs.replace(fact, **near) if near else fact
