"""Hit points and non-lethal damage as pools, and the status that follows from them."""

from itertools import chain

from eventstore.events import ActionTaken, AttackRolled, Fact, RulingMade
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds import vitals as common
from projections.mechanics.pools import HP, NLD, PoolRules, is_at_least, is_at_or_below
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.state import Body, MasterState
from projections.stream.causes import causes

STATUSES = {
    "up": "above 0 hit points, and non-lethal damage below them",
    "nld-unconscious": "as much non-lethal damage as hit points",
    "dying": "at 0 hit points, with death saves to come",
    "stabilized": "at 0 hit points, without further death saves",
    "unconscious": "swallowed for three rounds",
    "dead": "dead",
}
"""The statuses of a combatant, in words."""


@derives("hp.maximum-from-sheet", "hp.damage-subtracts", "nld.accumulates-from-zero", "stabilized.unconscious-at-zero")
def pool_rules(state: MasterState, one: Combatant) -> PoolRules:
    """Return the rules for points: hit points between 0 and their maximum, non-lethal damage in its own pool."""
    sheet = "hp.maximum-from-sheet"
    body = state.health.of(one.id)
    hp = ("stabilized.unconscious-at-zero",) if body.stable else body.by.get(HP, (sheet,))
    nld = body.by.get(NLD, ("nld.accumulates-from-zero",))
    cites = {HP: hp, NLD: nld, "hp_max": (sheet,), "temp": ("hp.damage-subtracts",)}
    return PoolRules(floor=0, nonlethal=True, cites=cites)


@derives("swallow.unconscious", "nld.unconscious-at-hp")
def status(state: MasterState, one: Combatant) -> Derived[str]:
    """Return a combatant's status: dead, at 0 hit points, fainted in a swallower, or by non-lethal damage."""
    body, inside = state.health.of(one.id), state.health.inside.get(one.id)
    if body.dead:
        return Derived("dead", body.dead)
    at_zero = is_at_or_below(one.pools[HP], 0, ())
    if at_zero.value:
        return status_at_zero(body, at_zero)
    if inside and inside.fainted:
        of = (inside.asked, Derived("", inside.nearly))
        return Derived("unconscious", Because(("swallow.unconscious",), (inside.seq, inside.fainted), of))
    unconscious = is_at_least(one.pools[NLD], one.pools[HP], ("nld.unconscious-at-hp",))
    whys = (state.health.freed.get(one.id), inside.nearly if inside else None)
    freed = tuple(Derived("", why) for why in whys if why)
    because = Because(of=(unconscious, at_zero, body.spared, *freed))
    return Derived("nld-unconscious" if unconscious.value else "up", because)


@derives("incapacitation.unconscious-in-square", "stabilized.unconscious-at-zero", "death.three-in-a-row")
def status_at_zero(body: Body, at_zero: Derived[bool]) -> Derived[str]:
    """Return the status of a combatant at 0 hit points, dying or stabilized, by its death rolls."""
    if body.stable:
        because = Because(("stabilized.unconscious-at-zero",), (), (body.stable, at_zero), options=body.options)
        return Derived("stabilized", because)
    rules = body.failures[-1].because.rules if body.failures else ("incapacitation.unconscious-in-square",)
    needed = tuple(Derived(each.rolled, each.needed) for each in body.failures)
    forgot = (Derived("", body.forgot),) if body.forgot else ()
    return Derived("dying", Because(rules, (), (at_zero, *forgot, *needed, *body.not_counted), options=body.options))


def can_act(state: MasterState, who: str) -> bool:
    """Say whether a combatant is conscious."""
    return state.combatants[who].status == "up"


def set_status(state: MasterState, who: str, value: str, seq: int) -> None:
    """Set a status by a ruling; stabilized at 0 hit points counts as by a death roll until something changes it."""
    one = state.combatants[who]
    if value == "stabilized" and is_at_or_below(one.pools[HP], 0, ()).value and not state.health.of(who).dead:
        state.health.of(who).stable = Because(("log.ruling",), (seq,))
        state.ruled.pop(f"{who}.status", None)
        common.update_status(state, one)
    else:
        common.set_status(state, who, value, seq)


def lasting_ruling(_state: MasterState, one: Combatant) -> RulingMade | None:
    """Return the ruling that stabilizes a combatant in its next fight, too; None if it is not stabilized."""
    if one.status != "stabilized":
        return None
    decision = f"{one.name} is stabilized"
    return RulingMade(ruling="override", decision=decision, values={f"{one.id}.status": "stabilized"})


def attacker(state: MasterState, fact: Occurrence[Fact]) -> str:
    """Return the combatant who dealt damage or healed: the source, else the doer of its cause; "" if none is recorded."""
    for each in chain((fact,), causes(state, fact.cause)):
        event = each.event
        own = event.combatant if isinstance(event, ActionTaken | AttackRolled) else ""
        if doer := getattr(event, "source", None) or own:
            return str(doer)
    return ""
