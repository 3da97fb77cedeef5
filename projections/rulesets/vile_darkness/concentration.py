"""Concentration: who holds it on what, from when, what ends it, and why."""

from eventstore.events import EffectEnded, EffectStarted, Moved
from projections.because import Because
from projections.folds.effects import concentrated
from projections.folds.effects import end as end_effects
from projections.mechanics import work
from projections.rulesets.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.holding import LOSS, ends_others, fail
from projections.rulesets.vile_darkness.moves import WALK, limit, mode_of, walked
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Act, Casting, VileState
from projections.rulesets.vile_darkness.table import entry_of
from projections.rulesets.vile_darkness.works import (
    because_ended,
    by_seq,
    decisive,
    ending,
    is_begun,
    needs_concentration,
    point_of,
    use_of,
    vain,
    window,
)
from projections.state import Combatant


@derives("concentration.maintain-notation", on=EffectStarted)
def effect_is_maintained(state: VileState, fact: Reading) -> None:
    """Let the source of an effect maintain it, where fact or entry says that it takes concentration."""
    act, event, who = fact.act, fact.event, fact.who
    entry = entry_of(state, who, event.effect) if who in state.combatants else None
    own = [key for key in state.effects if key[0] == fact.seq]
    casting = by_seq(state, who, act.work) if act else None
    ended = because_ended(state, casting).value if casting else None
    if not event.concentration and not (entry and entry.concentration):
        return
    for key in own:
        state.effects[key].concentration, state.effects[key].source = True, who
    if ended is not None and ended.ends != work.DONE:
        end_effects(state, own)
    else:
        ends_others(state, who, fact.seq)


@derives(LOSS, on=Moved)
def a_long_walk_breaks_by_option(state: VileState, fact: Reading) -> None:
    """End what somebody maintains as it goes too far, where the option says so."""
    act = fact.act
    if act is None or state.option("over-half-move") != "breaks":
        return
    most = limit(state, act)
    if most is not None and walked(state, act) > most:
        because = Because((LOSS,), (fact.seq,), state.chosen("over-half-move"))
        fail(state, concentrated(state, act.who), because)


# ---------------------------------------------------------------- on what somebody concentrates


@derives("incantation.needs-concentration", "concentration.second-ends-first", "incantation.broken-is-lost")
def concentration(state: VileState, one: Combatant) -> tuple[str, Because]:
    """Return what somebody concentrates on: work under way, else an effect that it maintains; else why no more."""
    needs, second, _ = concentration.rules
    own = [each for each in state.works if each.who == one.id]
    casting = [each for each in own if is_begun(state, each) and needs_concentration(state, each).value]
    if casting:
        last = casting[-1]
        rules = ((second,) if last.seq in state.round.ended else ()) + vain(state, last)
        why = needs_concentration(state, last).because
        return last.name, Because((*rules, needs), (last.seq,), why.options)
    held = [state.effects[key] for key in concentrated(state, one.id)]
    if held:
        return held[-1].name, Because(effect_is_maintained.rules, (held[-1].seq,))
    return "", why_none(state, one, [each for each in own if needs_concentration(state, each).value])


def why_none(state: VileState, one: Combatant, own: list[Casting]) -> Because:
    """Return why somebody is at nothing any more: what ended the last of these works, while it could still go on."""
    needs, second, _ = concentration.rules
    let_go = state.released.get(one.id)
    over = {state.at(end.seq): (each, end) for each in own if (end := ending(state, each))}
    if not over or (let_go and max(map(state.at, let_go.events)) > max(over)):
        return let_go or Because((needs,), (one.joined,))
    last, end = over[max(over)]
    found, used = because_ended(state, last), use_of(state, last)
    rules = (second,) if last.seq in state.round.ended else ()
    rules = (*rules, *found.because.rules, *(used.because.rules if used else ()))
    round_ = point_of(window(state, last).value[1]).round
    is_past = round_ < state.clock.round or (round_ == state.clock.round and not state.clock.open)
    events = () if is_past else decisive(last, end)
    return Because(tuple(dict.fromkeys(rules)), tuple(sorted(events)) or (one.joined,), found.because.options)


@check("concentration.half-move", on=Moved, group="far", rank=1)
def maintainers_walk_half_their_rate(state: VileState, fact: Reading) -> Breach | None:
    return _too_far(state, fact, walking=True)


@check("concentration.native-fly-swim", on=Moved, group="far", rank=2)
def maintainers_fly_or_swim_by_nature_only(state: VileState, fact: Reading) -> Breach | None:
    return _too_far(state, fact, walking=False)


def _too_far(state: VileState, fact: Reading, *, walking: bool) -> Breach | None:
    """Return the breach of a move by which somebody who maintains an effect went too far in its mode."""
    act = state.round.acts.get(fact.seq)
    if act is None or not act.maintains or (mode_of(act) == WALK) != walking:
        return None
    most, went = limit(state, act), walked(state, act)
    if most is None or not went > most >= went - act.feet:
        return None
    if state.option("over-half-move") == "breaks" or _let_go(state, act):
        return None
    says = f"{act.who} goes {went:g} ft while it maintains an effect"
    return Breach(says, f"{most:g} ft at most", f"{went:g} ft", (state.combatants[act.who].joined,))


def _let_go(state: VileState, act: Act) -> bool:
    """Say whether it is recorded that an effect of somebody ended with a move, in the slot in which it was told."""
    ends = [
        fact
        for fact in state.moments.values()
        if isinstance(fact.event, EffectEnded) and state.precedes(act.seq, fact.seq)
    ]
    moment = state.moments[act.seq].point
    return any(
        fact.event.source in (None, act.who) and (fact.cause == act.seq or fact.point == moment) for fact in ends
    )
