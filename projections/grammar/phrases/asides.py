"""What is said beside a spell anywhere in its line, `with a 2nd level slot` and `as a bonus action`: the line is read without it."""

import re
from collections.abc import Callable

from msgspec import structs

from eventstore.events import ActionTaken, Fact, ResourceChanged
from projections.grammar import forms
from projections.grammar.line_context import LineContext
from projections.grammar.parsing import Parsed
from projections.grammar.tokens import NotUnderstood

_LEVEL = (
    r"(?:level|lvl|slot)\s*(?P<before>[1-9])|(?P<behind>[1-9])(?:st|nd|rd|th)(?:[ -]?(?:level|lvl))?|l(?P<short>[1-9])"
)
_SLOT = rf"(?i)[,(]?\s*\b(?:(?:at|with|using|from)\s+)?(?:an?\s+)?(?:{_LEVEL})(?:\s+(?:spell\s+)?slot)?\)?(?=\s*$|\s*[,;:.]|\s)"
_COST = r"(?i)[,(]?\s*\b(?:as|with|using)\s+(?:an?\s+|her\s+|his\s+|its\s+)?(?P<cost>bonus|reaction)(?:\s+action)?\)?"


def meant(context: LineContext, line: str, parse: Callable[[str], Parsed]) -> Parsed | None:
    """Return the meaning of a line about a spell with its slot or its cost, None if it says neither or is about no spell."""
    if forms.of(context.state.rules.rules).means.get("owed-save") is None:
        return None
    slot, cost = re.search(_SLOT, line), re.search(_COST, line)
    if not (slot or cost):
        return None
    rest = re.sub(_COST, "", re.sub(_SLOT, "", line, count=1), count=1) if slot else re.sub(_COST, "", line, count=1)
    try:
        parsed = parse(rest.rstrip(" ,;:."))
    except NotUnderstood:
        return None
    place = next((at for at, fact in enumerate(parsed.facts) if is_cast(fact)), None)
    if place is None:
        return None
    if cost:
        parsed = _paid(parsed, place, cost["cost"].casefold())
    return _with_slot(parsed, place, slot["before"] or slot["behind"] or slot["short"]) if slot else parsed


def is_cast(fact: Fact) -> bool:
    """Say whether a fact is the casting of a spell."""
    return isinstance(fact, ActionTaken) and fact.action.kind == "cast"


def _paid(parsed: Parsed, place: int, cost: str) -> Parsed:
    """Return a meaning whose act at a place has this cost."""
    act = parsed.facts[place]
    assert isinstance(act, ActionTaken)  # noqa: S101 – it is a casting
    paid = structs.replace(act, action=structs.replace(act.action, cost=cost))
    said = tuple(f"{each} cost={cost}" if number == 0 else each for number, each in enumerate(parsed.said))
    return structs.replace(parsed, facts=(*parsed.facts[:place], paid, *parsed.facts[place + 1 :]), said=said)


def _with_slot(parsed: Parsed, place: int, level: str) -> Parsed:
    """Return a meaning with the slot that the act at a place spends."""
    act, back = parsed.facts[place], len(parsed.facts) - place
    assert isinstance(act, ActionTaken)  # noqa: S101 – it is a casting
    spent = ResourceChanged(combatant=act.combatant, resource=f"level {level} spell slot", amount=-1, cause=-back)
    said = (*parsed.said, f"pool {act.combatant} level_{level}_spell_slot -1 ^{back if back > 1 else ''}")
    return structs.replace(parsed, facts=(*parsed.facts, spent), said=said)
