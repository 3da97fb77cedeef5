"""Corrections of the last line by amendments: of its number, `that was 5 not 6`, or its target, `that was orc-2 not orc-1`."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, structs

from eventstore.events import Amended, AttackRolled, CombatantJoined, Fact, SaveRolled
from projections.language.notation import names
from projections.language.notation.line_context import Gap
from projections.language.notation.tokens import NotUnderstood
from projections.open_types import Fields, Json
from projections.state import State

FIELDS = ("amount", "total", "die", "check")
"""The fields with the number that a line is about: points, a roll."""
AGAIN = "u takes the last line back, whole; then type it as it was"


class Number(Struct, frozen=True):
    """A number of the last line: the record, its present fact, the field, and the number in it."""

    seq: int
    fact: Any
    field: str
    value: int


def corrected(state: State, last: Sequence[tuple[int, Fact]], words: str) -> list[Amended]:
    """Return the amendments that correct the last line by a number or a target: 5, 5 not 6 or orc-2 not orc-1. Raises
    as `renumbered` and `retargeted` do.
    """
    parts = [each.strip() for each in words.split(" not ")]
    said = (names.combatants(state, each) for each in parts if not each.isdecimal())  # 3 is no orc-3 here
    match [each[0] for each in said if len(each) == 1]:
        case [new, old]:
            return retargeted(last, new, old)
    return [renumbered(last, words)]


def retargeted(last: Sequence[tuple[int, Fact]], new: str, old: str) -> list[Amended]:
    """Return the amendments that give all effects of the last line on one combatant to another, else its deeds by one to the other; raise Gap where it had neither."""
    found = [(seq, fact, other) for seq, fact in last if (other := _aimed_at(fact, new, old)) != fact]
    found = found or [(seq, fact, other) for seq, fact in last if (other := done_by(fact, new, old)) != fact]
    if not found:
        raise Gap(f"the last line did nothing to {old}", AGAIN)
    if any(strikes_itself(other) for _, _, other in found):
        raise Gap(f"{new} did this, and would strike {new}", AGAIN)
    return [Amended(event=seq, replacement=other) for seq, _, other in found]


def strikes_itself(fact: object) -> bool:
    """Say whether a fact, as corrected, is a blow of a combatant at the same one."""
    return isinstance(fact, AttackRolled) and fact.combatant == fact.target


def _aimed_at(fact: Fact, new: str, old: str) -> Any:
    """Return a fact with one target instead of another."""
    changes = Fields({"target": new} if getattr(fact, "target", None) == old else {})
    if old in (targets := getattr(fact, "targets", ())):
        changes["targets"] = _instead(targets, new, old)
    action = getattr(fact, "action", None)
    if action is not None and old in action.targets:
        changes["action"] = structs.replace(action, targets=_instead(action.targets, new, old))
    return structs.replace(fact, **changes)


def done_by(fact: Fact, new: str, old: str) -> Any:
    """Return a fact as done by one combatant instead of another, unless it befell that one: a blow and its roll, a move,
    a source; nobody joins in the place of another.
    """
    if isinstance(fact, CombatantJoined) or new in (
        getattr(fact, "target", None),
        *getattr(getattr(fact, "action", None), "targets", ()),
    ):
        return fact
    fields = ("combatant", "source") if not isinstance(fact, SaveRolled) else ("source",)
    return structs.replace(fact, **Fields({name: new for name in fields if getattr(fact, name, None) == old}))


def _instead(targets: tuple[str, ...], new: str, old: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(new if each == old else each for each in targets))


def renumbered(last: Sequence[tuple[int, Fact]], words: str) -> Amended:
    """Return the amendment of the last line by a number, or one number instead of another: 5, 5 not 6; `last` are its present facts.

    Raises Gap where that number is not there, or may change more, and NotUnderstood where several may be meant, with
    lines for each.
    """
    new, _, old = words.partition(" not ")
    if not new.isdecimal() or (old and not old.isdecimal()):
        raise Gap("this does not say which number it was", "such as: that was 5 not 6")
    numbers = [each for each in _numbers(last) if not old or each.value == int(old)]
    if not numbers:
        raise Gap(f"the last line has no {old or 'number'}", AGAIN)
    if len(numbers) > 1:
        values = dict.fromkeys(each.value for each in numbers)
        offers = tuple(f"that was {new} not {value}" for value in values) if len(values) == len(numbers) else ()
        raise NotUnderstood(1, "the last line has several such numbers", "" if offers else AGAIN, offers)
    return Amended(event=numbers[0].seq, replacement=_with(numbers[0], int(new)))


def _numbers(last: Sequence[tuple[int, Fact]]) -> Iterator[Number]:
    for seq, fact in last:
        for field in FIELDS:
            value = getattr(fact, field, None)
            if isinstance(value, int):
                yield Number(seq, fact, field, value)


def _with(number: Number, new: int) -> Json:
    """Return the fact with another number; raise Gap where that may change the outcome of a roll, or the parts of an amount."""
    fact, changes = number.fact, Fields({number.field: new})
    if number.field != "amount" and not _comes_to_the_same(number, new):
        raise Gap(f"the total of {new} is missing", AGAIN)
    if parts := getattr(fact, "parts", ()) if number.field == "amount" else ():
        if len(parts) > 1 or parts[0].amount != number.value:
            raise Gap("the amount is a sum of parts", AGAIN)
        changes["parts"] = (structs.replace(parts[0], amount=new),)
    return structs.replace(fact, **changes)


def _comes_to_the_same(number: Number, new: int) -> bool:
    """Say whether the recorded outcome of a roll still holds with another number: a higher one succeeds where a lower one did."""
    outcome = _outcome(number.fact)
    if outcome is None:
        return True
    if not isinstance(number.fact, AttackRolled | SaveRolled):
        return False
    met = number.fact.ac if isinstance(number.fact, AttackRolled) else number.fact.dc
    if number.field == "total" and met is not None:
        return (new >= met) is outcome
    return new > number.value if outcome else new < number.value


def _outcome(fact: Fact) -> bool | None:
    found: bool | None = getattr(fact, "hit", None)
    return getattr(fact, "succeeded", None) if found is None else found
