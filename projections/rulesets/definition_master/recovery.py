"""Recovery: points that days without treatment give back, limits of healing spells, and recovery that the log
repeats.
"""

from collections.abc import Iterator
from itertools import takewhile

from eventstore.events import DamageDealt, Fact, Healed, RoundStarted, TimePassed, TurnStarted
from projections.because import Because, Cites, Derived
from projections.fight import Combatant
from projections.folds.vitals import update_status
from projections.mechanics.pools import HP, HP_MAX, NLD
from projections.mechanics.rolls import amount
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master.acts import ACTS
from projections.rulesets.definition_master.health import fall_or_rise
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState, Rest

TIMES = 5
"""The factor by which non-lethal damage goes away faster than hit points come back."""


@derives("recovery.hp-per-day", "recovery.con-at-least-one")
def rate(state: MasterState, who: str) -> Derived[int]:
    """Return the hit points that an untreated combatant regains in a day: its Constitution, at least 1, times Hit
    Dice.
    """
    per_day = "recovery.hp-per-day"
    sheet = state.combatants[who].sheet
    rules, one = (per_day,) if sheet.con > 0 else ("recovery.con-at-least-one", per_day), state.combatants[who]
    con = Derived(max(1, sheet.con), Because((), one.records("con")))
    return Derived(con.value * sheet.hit_dice, Because(rules, one.records("hit_dice"), of=(con,)))


@derives("recovery.nld-five-times")
def nld_rate(state: MasterState, who: str) -> Derived[int]:
    """Return the non-lethal damage that goes away in a day."""
    found = rate(state, who)
    return Derived(TIMES * found.value, Because(nld_rate.rules, of=(found,)))


@derives("recovery.hp-per-day", "recovery.treatment-outside", on=TimePassed, phase="points")
def days_pass(state: MasterState, fact: Occurrence[TimePassed]) -> None:
    """Let the living recover for whole days: hit points unless they were treated, non-lethal damage always."""
    state.health.rest = rest = Rest(fact.seq, state.rules.calendar.whole(fact.event.time, "day"))
    for one in state.here() if rest.days else ():
        if one.status == "dead" or one.hp is None:
            one.pools[HP].changes.add_reason(one.standing)
            continue
        most = one.hp if one.hp_max is None else one.hp_max
        if one.id not in fact.event.treated:
            regain(state, one, HP, rate(state, one.id), most - one.hp, rest)
        regain(state, one, NLD, nld_rate(state, one.id), one.nld, rest)
        fall_or_rise(state, one, fact.seq)
        update_status(state, one)


def regain(state: MasterState, one: Combatant, name: str, found: Derived[int], room: int, rest: Rest) -> None:
    """Give a combatant hit points for the days of a rest, up to its maximum, or take non-lethal damage off."""
    meant, pool = rest.days * found.value, one.pools[name]
    gain, way = max(0, min(meant, room)), 1 if name == HP else -1
    capped: tuple[Cites, ...] = (one.pools[HP_MAX].since(),) if name == HP and meant > room else ()
    if gain:
        pool.change(way * gain, rest.seq, (Because((), found.because.flat().events), *capped), way * (meant - gain))
    else:
        pool.changes.add_reason(Derived(gain, Because(of=capped)))
    state.health.of(one.id).by[name] = found.because.rules
    rest.gained[one.id, name] = gain


@derives("recovery.treatment-outside", on=(TurnStarted, RoundStarted, *ACTS, DamageDealt), phase="points")
def rest_is_over(state: MasterState, _fact: Reading[Fact]) -> None:
    """End the time in which the log may repeat recovery, as something is done again."""
    state.health.rest = None


def rest_repeated(state: MasterState, fact: Occurrence[Fact]) -> Rest | None:
    """Return the rest whose recovery a fact repeats, without source, cause or treatment; None if it does not."""
    rest, event = state.health.rest, fact.event
    if rest is None or not isinstance(event, Healed) or event.source or event.cause:
        return None
    return rest if (event.target, NLD if event.nonlethal else HP) in rest.gained else None


@checks_by("recovery.hp-per-day", "recovery.con-at-least-one", "recovery.nld-five-times", on=Healed)
def recovery_equals_the_rate(state: MasterState, fact: Reading[Healed]) -> Iterator[Fault]:
    """Yield a fault for repeated recovery that differs from the points that the days give back."""
    rest, event = rest_repeated(state, fact.fact), fact.event
    if rest:
        pool, rates = (NLD, nld_rate) if event.nonlethal else (HP, rate)
        found = rates(state, event.target)
        due = rest.days * found.value
        if event.amount not in (due, rest.gained[event.target, pool]):
            says, events = f"{rest.days} days give {event.target} {due} back", found.because.flat().events
            yield Fault((found.because.clause,), says, str(due), str(event.amount), (rest.seq, *events))


@check("recovery.nld-rate-not-for-spells", on=Healed)
def a_spell_is_not_multiplied(state: MasterState, fact: Reading[Healed]) -> Breach | None:
    event, option = fact.event, state.option("healing-and-nld")
    if rest_repeated(state, fact.fact):
        return None
    if option == "hp-only" and event.nonlethal:
        says = f"a healing spell raises hit points and leaves the non-lethal damage of {event.target} alone"
        return Breach(says, "0", str(event.amount))
    other = other_half(state, fact)
    listed = [amount(each.parts) for each in (event, other) if each and each.parts]
    healed = listed[0] if listed else by_amounts(event, other) if other else None
    both = (event.amount, other.amount) if other else (event.amount,)
    total = sum(both) if option == "shared" else event.amount if listed else max(both)
    if healed is None or total <= healed or not (event.nonlethal or other):
        return None
    return Breach(f"the spell heals {healed}", f"up to {healed}", str(total))


def other_half(state: MasterState, fact: Reading[Healed]) -> Healed | None:
    """Return the healing by the same spell, one record earlier, to the same combatant's other pool."""
    for each in takewhile(lambda each: each.seq != fact.cause, reversed(state.moments.values())):
        event = each.event
        if isinstance(event, Healed) and each.cause == fact.cause and event.target == fact.event.target:
            return event if event.nonlethal != fact.event.nonlethal else None
    return None


def by_amounts(event: Healed, other: Healed) -> int | None:
    """Return the points that a spell healed if no dice are recorded: the hit points, if the non-lethal damage is as
    many, or five times as many.
    """
    points, bruises = (other.amount, event.amount) if event.nonlethal else (event.amount, other.amount)
    return points if bruises in (points, TIMES * points) else None
