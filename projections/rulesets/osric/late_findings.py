"""Late findings: rows of one segment stand in any order, so a later row may bar an act or spoil a spell of an earlier one."""

from collections.abc import Iterator

from eventstore.events import AttackRolled, DamageDealt, Fact, Healed
from projections.mechanics.pools import NO_LOSS, Loss, loss
from projections.mechanics.work import DONE
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.osric.disturbances import key_of_blow, key_of_outcome
from projections.rulesets.osric.keys import FREE
from projections.rulesets.osric.out_of_action import limit_of, out_among, trail_of
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.spells import ending, window_start
from projections.rulesets.osric.state import Blow, KeyedAct, Order, OsricState, Out
from projections.rulesets.osric.surprise import counted_through

LATER_ROW = "by a later row"


def _loss(state: OsricState, fact: Reading[DamageDealt]) -> Loss:
    """Return the loss that damage will cause to its target; none if it hits an object."""
    one = state.combatants[fact.event.target]
    if fact.event.object:
        return NO_LOSS
    return loss(one.hp, one.hp_max, one.temp, one.nld, fact.event, state.rules.pools(state, one))


@check("effects.take-hold-at-once", on=DamageDealt, group="late", rank=1)
def a_blow_bars_what_has_a_higher_key(state: OsricState, fact: Reading[DamageDealt]) -> Breach | None:
    who = fact.event.target
    for act, out in _barred_by(state, fact):
        about = _blow_of(state, act) if fact.answers(act) else state.moments.get(act.seq)
        if about is not None:
            says = f"{who} falls before this in the same segment, {LATER_ROW}"
            return Breach(says, "no act", "an act", tuple(sorted({fact.seq, out.seq})), about=about)
    return None


def _barred_by(state: OsricState, fact: Reading[DamageDealt]) -> Iterator[tuple[KeyedAct, Out]]:
    """Yield the acts that a blow bars though their rows stand before it, each with the fall that bars it.

    They are acts of the blow's target in the segment of the blow, with a key after the fall. A blow that does not change
    when its target is out of action bars nothing.
    """
    who, key = fact.event.target, key_of_blow(state, fact)
    times = _times_out_with(state, fact, key)
    if times == state.outs.get(who, ()):
        return
    for act in _lawful_acts(state, who, key):
        if out := out_among(state, who, act.action, times, act.key):
            yield act, out


def _lawful_acts(state: OsricState, who: str, key: Order) -> list[KeyedAct]:
    """Return the acts of a combatant in the segment of a key that nothing bars so far, without talk."""
    acts = [act for act in state.round.acts_of.get(who, ()) if act.kind not in FREE]
    return [act for act in acts if act.key.point == key.point and act.seq not in state.round.barred]


def _times_out_with(state: OsricState, fact: Reading[DamageDealt], key: Order) -> tuple[Out, ...]:
    """Return the times out of action of a blow's target, with the blow included at its key."""
    who = fact.event.target
    one, limit = state.combatants[who], limit_of(state, who)
    if limit is None or one.hp is None:
        return state.outs.get(who, ())
    return trail_of(state, who, one.hp, Blow(key, -_loss(state, fact).hp, fact.seq), limit).last.outs


def _blow_of(state: OsricState, act: KeyedAct) -> Occurrence[Fact] | None:
    """Return the blow in the row of an act, if there is one."""
    outcomes = (each for each in state.moments.values() if each.cause == act.seq)
    return next((each for each in outcomes if isinstance(each.event, AttackRolled | DamageDealt | Healed)), None)


@check("effects.take-hold-at-once", on=(AttackRolled, DamageDealt, Healed), group="late", rank=2)
def the_fallen_deal_no_blow(state: OsricState, fact: Reading[AttackRolled | DamageDealt | Healed]) -> Breach | None:
    act = fact.act_behind
    if act is None or fact.barred or fact.who not in ("", act.combatant):
        return None
    out = out_among(state, act.combatant, act.action, state.outs.get(act.combatant, ()), act.key)
    if out is None or act.kind == "cast":
        return None
    says = f"{act.combatant} falls before the blow in its own row"
    return Breach(says, "no blow", "a blow", (out.seq,), once=("blow", act.seq))


@check("spell.spoiled-by-interruption", on=DamageDealt)
def a_blow_spoils_what_had_effect_after_it(state: OsricState, fact: Reading[DamageDealt]) -> Breach | None:
    who = fact.event.target
    if state.option("spoil-cause") != "damage" or _loss(state, fact).hp < 1 or not fact.cause:
        return None
    key = key_of_outcome(state, fact)
    segment = counted_through(state, key.point)
    for casting in (*state.castings, *state.past.values()):
        ended = ending(state, casting).value if casting.who == who else None
        if ended is None or ended.ends != DONE or window_start(state, casting) > segment:
            continue
        if ended.place.point == key.point and ended.place > key:
            says = f"{casting.name} of {who} is spoiled before its effect, {LATER_ROW}"
            return Breach(says, "no effect", "an effect", (fact.seq,), about=state.moments[ended.seq])
    return None
