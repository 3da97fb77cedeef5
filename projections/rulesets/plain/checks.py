"""What the books cannot take: amounts below 0, points that nobody said there are, and what ran out before its time."""

from eventstore.events import DamageDealt, EffectEnded, Healed
from projections.occurrence import Occurrence
from projections.rulesets.plain.effects import still_runs
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import Breach, check


@check("pool.amount", on=(DamageDealt, Healed))
def amounts_are_not_below_zero(_state: PlainState, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> Breach | None:
    amount = fact.event.amount
    return Breach("an amount below 0 changes nothing", "0 or more", str(amount)) if amount < 0 else None


@check("pool.unknown", on=(DamageDealt, Healed))
def hit_points_are_known(state: PlainState, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.target]
    elsewhere = event.nonlethal or (event.object if isinstance(event, DamageDealt) else event.temporary)
    if one.hp is not None or elsewhere or event.amount <= 0:
        return None
    says = f"nobody said how many hit points {one.id} has: none are taken or given"
    return Breach(says, "hit points on the sheet", "none", (one.joined,), "notice")


@check("effect.runs-out", on=EffectEnded)
def what_expires_has_no_time_left(state: PlainState, fact: Occurrence[EffectEnded]) -> Breach | None:
    event = fact.event
    said = (event.reason or "").strip().casefold()
    runs = still_runs(state, event) if said.startswith("expired") else None
    if runs is None:
        return None
    left = f"{runs.left} round{'' if runs.left == 1 else 's'} left"
    says = f"{runs.name} is said to have expired and has {left}"
    return Breach(says, left, "expired", (runs.seq, *runs.ticked_by))
