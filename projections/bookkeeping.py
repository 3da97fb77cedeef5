"""The bookkeeping of every log, whatever its ruleset: what can take hold, and the checks that all rulesets share."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    AttackRolled,
    Checked,
    CombatantJoined,
    EffectEnded,
    Fact,
    Moved,
    RulingMade,
    SheetChanged,
    TurnStarted,
)
from eventstore.form import nearest
from projections.bearing import matching
from projections.rulesets.catalogue import Catalogue, read
from projections.rulesets.ruleset import Breach, check, checks_of
from projections.state import State, Told
from projections.values import NOTHING, addresses, same, value_of

RULES = Path(__file__).with_name("log.toml")
_WHO: dict[type[Fact], tuple[str, ...]] = {}


def catalogue() -> Catalogue:
    """Return the rules of bookkeeping as data."""
    return read(RULES)


def objection(state: State, event: Fact) -> tuple[str, str] | None:
    """Return why a fact cannot take hold, as rule and sentence: a stranger in it, or a sheet of the wrong form."""
    kind = type(event)
    if kind is CombatantJoined or kind is SheetChanged:
        return _of_sheet(state, event)
    names = _WHO.get(kind)
    if names is None:
        names = _WHO[kind] = tuple(name for name in ("combatant", "target") if name in kind.__struct_fields__)
    for name in names:
        who = getattr(event, name)
        if who is not None and who not in state.combatants:
            return "log.stranger", f"{who} has not joined"
    return None


def _of_sheet(state: State, event: Any) -> tuple[str, str] | None:
    if isinstance(event, SheetChanged) and event.combatant not in state.combatants:
        return "log.stranger", f"{event.combatant} has not joined"
    old = {} if isinstance(event, CombatantJoined) else msgspec.structs.asdict(state.combatants[event.combatant].sheet)
    try:
        msgspec.convert(old | event.sheet, state.rules.sheet)
    except msgspec.ValidationError as error:
        return "log.sheet", str(error)
    return None


@check("log.joining", on=CombatantJoined)
def nobody_joins_twice(state: State, told: Told[CombatantJoined]) -> Breach | None:
    one = state.combatants.get(told.event.combatant)
    if one is None or one.left:
        return None
    return Breach(f"{one.id} is in the fight already", "a newcomer", f"joined by event {one.joined}", (one.joined,))


@check("log.here", on=(ActionTaken, ActionHeld, AttackRolled, Moved, TurnStarted))
def whoever_left_does_nothing(state: State, told: Told[Any]) -> Breach | None:
    one = state.combatants[told.event.combatant]
    if not one.left:
        return None
    return Breach(f"{one.id} has left the fight", "nothing", "an act", (one.left,))


@check("log.effect", on=EffectEnded)
def what_ends_had_begun(state: State, told: Told[EffectEnded]) -> Breach | None:
    event = told.event
    if matching(state.effects, event.effect, event.targets, event.source):
        return None
    return Breach(f"{event.effect} is ended where it is not", "an effect that runs", "none", severity="notice")


@check("log.address", on=RulingMade)
def an_override_names_a_value(state: State, told: Told[RulingMade]) -> Breach | None:
    wrong = [a for a in (told.event.values or {}) if told.event.ruling == "override" and value_of(state, a) is None]
    return _no_address(state, wrong[0]) if wrong else None


CHECKS = checks_of(sys.modules[__name__])


def statements(state: State, told: Told[Checked]) -> Iterator[tuple[str, Breach]]:
    """Yield, with the rule to cite, what each stated value should have been."""
    for address, stated in told.event.values.items():
        derived = value_of(state, address)
        if derived is None:
            yield "log.address", _no_address(state, address)
        elif not same(state, address, stated, derived.value):
            rule = (derived.because.rules or ("log.statement",))[0]
            says = f"{address} is stated as {shown(stated)}, the facts come to {shown(derived.value)}"
            yield rule, Breach(says, shown(derived.value), shown(stated), derived.because.events)


def _no_address(state: State, address: str) -> Breach:
    hint = nearest(address, addresses(state))
    return Breach(f"{address} is no value here{f' ({hint})' if hint else ''}", "a value", address)


def shown(value: Any) -> str:
    """Return a value as a sentence has it: lists with commas, those at once joined by &."""
    if isinstance(value, list | tuple):
        return ", ".join(" & ".join(map(str, v)) if isinstance(v, list | tuple) else str(v) for v in value) or NOTHING
    return str(value).lower() if isinstance(value, bool) else str(value)
