"""Breath, and what becomes of those who have none left: they throw, and two tallies decide."""

from eventstore.events import ActionTaken, DamageDealt, Healed, Moved, SaveRolled
from harbour_watch.state import WatchState
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds import tallies, vitals
from projections.mechanics import pools
from projections.mechanics.dues import Due, answer, owe
from projections.mechanics.rolls import face, reaches
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.time import Boundary

BREATHE = "throw for breath"


@derives("water.breath")
def breath(_state: WatchState, _one: Combatant) -> pools.PoolRules:
    """Return how breath is counted: never below 0, never above its most."""
    return pools.PoolRules(floor=0, cites={pools.HP: breath.rules})


@derives("water.down", "water.three-gasps", "water.three-gulps")
def status(state: WatchState, one: Combatant) -> Derived[str]:
    """Return up or down by the breath that is left; a full tally decides for a combatant that is down."""
    found = pools.pool_status(one.pools[pools.HP], 0, "down", ("water.down",))
    full = tallies.status_of_full_tally(state, one.id) if found.value == "down" else None
    return Derived(full.value, Because(of=(full, found))) if full else found


@check("water.nothing-else", on=(ActionTaken, Moved))
def who_is_down_only_throws(state: WatchState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> Breach | None:
    return vitals.breach_while_down(state.combatants[fact.event.combatant], fact.event)


@derives("water.throw-each-turn", at="turn began")
def a_throw_falls_due(state: WatchState, time: Boundary) -> None:
    """Let a combatant that is down as its turn begins owe a throw until the turn ends."""
    one = state.combatants[time.who]
    if one.status == "down":
        because = Because(a_throw_falls_due.rules, (time.seq,), of=(one.standing,))
        owe(state.dues, Due(one.id, BREATHE, "turn ended", because))


@derives("water.gasp-or-gulp", on=SaveRolled)
def a_throw_is_a_gasp_or_a_gulp(state: WatchState, fact: Occurrence[SaveRolled]) -> None:
    """Mark a gasp for 10 or more, a gulp for less, and two for a 1."""
    event, made = fact.event, reaches(fact.event, 10)
    if event.purpose != "death" or made is None:
        return
    if due := answer(state.dues, event.combatant, BREATHE, fact.cause):
        because = Because(a_throw_is_a_gasp_or_a_gulp.rules, (fact.seq,), of=(due.because,))
        times = 2 if event.die is not None and face(event.die) == 1 else 1
        tallies.add_marks(state, event.combatant, "gasps" if made else "gulps", because, times)


@derives("water.blow-is-a-gulp", on=DamageDealt)
def a_blow_in_the_water_is_a_gulp(state: WatchState, fact: Occurrence[DamageDealt]) -> None:
    """Mark a gulp for a blow that finds no breath to take."""
    if state.loss.beyond > 0 and not state.loss.hp:
        one = state.combatants[fact.event.target]
        because = Because(a_blow_in_the_water_is_a_gulp.rules, (fact.seq,), of=(one.standing,))
        tallies.add_marks(state, one.id, "gulps", because)


@derives("water.help-forgets", on=Healed)
def help_comes(state: WatchState, fact: Occurrence[Healed]) -> None:
    """Forget both tallies of whoever has breath again."""
    if state.combatants[fact.event.target].status == "up":
        tallies.clear_marks(state, fact.event.target, Because(help_comes.rules, (fact.seq,)))
