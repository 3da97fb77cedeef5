"""Hit points, temporary points and non-lethal damage; the ruleset gives the rules for points and for the status."""

from __future__ import annotations

from typing import TypeAlias

from eventstore.events import ActionTaken, DamageDealt, Healed, Moved
from projections.address import NOTHING, Address, Wants, a_number, a_number_or_none, a_word, is_number
from projections.because import Because, Cites, Derived, ask_parts, cite_options
from projections.fight import Combatant, Ruled
from projections.mechanics.pools import HP, HP_MAX, NLD, NO_LOSS, TEMP, Loss, PoolRules, losses, pool_status
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.ruleset.ruleset import Breach, Derivation, derives
from projections.state import State

Counted: TypeAlias = "Derivation[[State, Combatant], PoolRules]"
Status: TypeAlias = "Derivation[[State, Combatant], Derived[str]]"

DEAD = "dead"
LIFTED = "status lifted"
"""The key under which a combatant keeps the record that lifted the last ruling on its status."""


@derives(on=(DamageDealt, Healed))
def change_pools(state: State, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> None:
    """Change the pools by the rules of the ruleset, and derive the combatant's status again."""
    event = fact.event
    state.loss = NO_LOSS
    if (isinstance(event, DamageDealt) and event.object) or state.rules.repeats(state, fact):
        return
    one = state.combatants[event.target]
    rules = ask_parts(state.rules.pools, state, one)
    state.loss = lost = losses(one.hp, one.hp_max, one.temp, one.nld, event, rules)
    points = one.pools[HP]
    points.changes.set_bounds(rules.floor, one.hp_max if rules.capped else None)
    if event.nonlethal and rules.nonlethal:
        one.pools[NLD].change(-lost.nld, fact.seq, (), -lost.beyond)
    else:
        points.change(-lost.hp, fact.seq, _other_reasons(state, event, lost, rules), -lost.beyond)
        one.pools[TEMP].change(-lost.temp, fact.seq)
    update_status(state, one)


def _other_reasons(state: State, event: DamageDealt | Healed, lost: Loss, rules: PoolRules) -> tuple[Cites, ...]:
    """Return the other reasons for the hit points: other points, a maximum, options on floor and maximum."""
    found, one = list[Cites](), state.combatants[event.target]
    if isinstance(event, DamageDealt):
        if lost.temp:
            found.append(one.pools[TEMP].since())
        if rules.floor_option and one.hp is not None and one.hp - event.amount < 0:
            found.append(Because(options=_option_value(state, rules.floor_option)))
    elif not event.temporary and one.hp is not None and one.hp_max is not None and one.hp + event.amount > one.hp_max:
        most = one.pools[HP_MAX].since()
        if lost.hp == 0 and most.cites().events == (one.joined,):
            return ()
        found += [most, Because(options=_option_value(state, rules.cap_option))]
    return tuple(found)


def _option_value(state: State, option: str) -> dict[str, str]:
    """Return an option that the rules of the pools name with its value; nothing where they name none."""
    return {option: ask_parts(state.option, option)} if option else {}


def breach_of_amount(event: DamageDealt | Healed) -> Breach | None:
    """Return the breach of an amount below 0, for games in which it changes nothing."""
    amount = event.amount
    unit = "damage" if isinstance(event, DamageDealt) else "hp"
    says = f"{amount} {unit} changes nothing"
    return Breach(says, f"0 {unit} or more", f"{amount} {unit}") if amount < 0 else None


def update_status(state: State, one: Combatant) -> None:
    """Derive a combatant's status again; a ruling takes precedence."""
    state.touched.add(one.id)
    ruled = state.ruled.get(f"{one.id}.status")
    one.standing = Derived(ruled.value, Because((), (), (ruled,))) if ruled else state.rules.status(state, one)
    if not ruled and (lifted := one.ruled.get(LIFTED)):
        one.standing = Derived(one.standing.value, Because((), (lifted,), (one.standing,)))
    if one.standing.value != one.status:
        one.status, one.since = one.standing.value, state.now


def lift_ruled_death(state: State, one: Combatant, seq: int) -> None:
    """Lift an earlier ruling that a combatant is dead, because of a record that brings it back; other rulings stand."""
    ruled = state.ruled.get(f"{one.id}.status")
    if ruled and str(ruled.value).casefold() == DEAD and ruled.seq < seq:
        _lift_ruled_status(state, one.id, seq)


def _lift_ruled_status(state: State, who: str, seq: int) -> None:
    if state.ruled.pop(f"{who}.status", None):
        state.combatants[who].ruled[LIFTED] = seq


def pool_functions(module: str, *rules: str) -> tuple[Counted, Status]:
    """Return the functions for pools and status of a game that has only hit points, for a module of its rules.

    Options decide whether points stop at 0 and at their maximum; at 0 or less a combatant is down.
    """

    def pools(state: State, _one: Combatant) -> PoolRules:
        return PoolRules(
            floor=0 if state.option("hp-floor") == "zero" else None,
            capped=state.option("healing-cap") != "none",
            cites={HP: rules},
            floor_option="hp-floor",
            cap_option="healing-cap",
        )

    def status(_state: State, one: Combatant) -> Derived[str]:
        return pool_status(one.pools[HP], 0, "down", rules)

    pools.__module__ = status.__module__ = module
    return derives(*rules)(pools), derives(*rules)(status)


def status_or_left(one: Combatant) -> Derived[str]:
    """Return a combatant's status, or that it has left."""
    return Derived("left", Because(("log.here",), (one.left,))) if one.left else one.standing


def has_stood(state: State, one: Combatant) -> bool:
    """Say whether a combatant is up, and nothing has touched its hit points or its status since it joined."""
    ruled = f"{one.id}.status" in state.ruled or LIFTED in one.ruled
    return one.status == "up" and len(one.pools[HP].changes) == 1 and not ruled


def breach_while_down(one: Combatant, event: ActionTaken | Moved, *besides: str, silent: bool = False) -> Breach | None:
    """Return the notice if a combatant acts, or moves by itself, while it is down or has one of these statuses."""
    if one.status not in ("down", *besides) or (isinstance(event, Moved) and is_moved(event)):
        return None
    at = "" if one.hp is None else f", at {one.hp} hit points"
    events = one.standing.because.flat().events
    return Breach(f"{one.id} is {one.status}{at}, and acts", "no act", "an act", events, "notice", silent=silent)


def is_moved(event: Moved) -> bool:
    """Say whether a combatant is moved: by force, by another combatant, or as part of an earlier fact."""
    return event.forced or bool(event.cause) or event.source not in (None, event.combatant)


# ---------------------------------------------------------------- addresses


def pool_points(state: State, one: Combatant, name: str) -> Derived[Json]:
    """Return the points in one of a combatant's pools, with the reason."""
    return pool_by(state, ask_parts(state.rules.pools, state, one), one, name)


def pool_by(state: State, rules: PoolRules, one: Combatant, name: str) -> Derived[object]:
    """Return the same by given rules of the combatant's pools, for callers that ask for several."""
    derived = one.pools[name].derived(rules.cites.get(name, rules.cites.get(HP, ())))
    found = Derived(NOTHING if derived.value is None else derived.value, derived.because)
    return cite_options(found, _option_value(state, rules.temp_option)) if name == TEMP else found


def _set_pool(state: State, who: str, name: str, value: Json, seq: int) -> None:
    one = state.combatants[who]
    one.pools[name].set_value(None if value == NOTHING else value, seq)
    one.ruled[name] = seq
    if name == HP and is_number(value) and value > 0:
        lift_ruled_death(state, one, seq)
    update_status(state, one)


def _pool_address(name: str, says: str, wants: Wants, unit: str = "# hp") -> Address:
    return Address(
        f"<who>.{name}",
        lambda state, who: pool_points(state, state.combatants[who], name),
        says=says,
        unit=unit,
        wants=wants,
        rule=lambda state, who, value, seq: _set_pool(state, who, name, value, seq),
        lasts=True,
    )


def set_status(state: State, who: str, value: str, seq: int) -> None:
    """Let a ruling cover the status of a combatant, or lift it if the value is none."""
    if value == NOTHING:
        _lift_ruled_status(state, who, seq)
    else:
        state.combatants[who].ruled.pop(LIFTED, None)
        state.ruled[f"{who}.status"] = Ruled(value, seq)
    update_status(state, state.combatants[who])


ADDRESSES = (
    _pool_address(HP, "hit points", a_number_or_none),
    _pool_address(HP_MAX, "the most hit points there can be", a_number_or_none),
    _pool_address(TEMP, "temporary hit points", a_number, "# temporary hp"),
    _pool_address(NLD, "non-lethal damage", a_number, "# non-lethal damage"),
    Address(
        "<who>.status",
        lambda state, who: status_or_left(state.combatants[who]),
        says="one of the statuses",
        bare=lambda state, who: "left" if state.combatants[who].left else state.combatants[who].standing.value,
        wants=a_word,
        rule=set_status,
    ),
)
