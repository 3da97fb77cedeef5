"""Points, dying and wounds: a level that throws and blows raise and lower, and that kills at four."""

from ember_road.state import EmberState
from eventstore.events import ActionTaken, DamageDealt, Healed, Moved, SaveRolled
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds import levels, vitals
from projections.mechanics import pools
from projections.mechanics.dues import Due, answer, owe
from projections.mechanics.rolls import DEGREES, degree_of
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.time import Boundary

THROW = "throw against death"


@derives("life.points")
def points(_state: EmberState, _one: Combatant) -> pools.PoolRules:
    """Return how points are counted: never below 0, never above their most."""
    return pools.PoolRules(floor=0, cites={pools.HP: points.rules})


@derives("life.points", "life.dead-at-four")
def status(state: EmberState, one: Combatant) -> Derived[str]:
    """Return the status that dying gives a combatant, else up or down by its points."""
    return levels.status_by_level(state, one, pools.pool_status(one.pools[pools.HP], 0, "down", ("life.points",)))


@derives("life.dying", "life.wounded-dies-faster", "life.blow-deepens", on=DamageDealt)
def a_blow_kills_slowly(state: EmberState, fact: Occurrence[DamageDealt]) -> None:
    """Let a combatant without points be dying, deeper by its wounds, and by every further blow."""
    who = fact.event.target
    dying, wounded = levels.condition_level(state, who, "dying"), levels.condition_level(state, who, "wounded")
    if dying.value:
        levels.change_level(state, who, "dying", 1, Because(("life.blow-deepens",), (fact.seq,)))
    elif state.combatants[who].hp == 0 and state.loss.hp:
        faster = ("life.wounded-dies-faster",) if wounded.value else ()
        why = Because(("life.dying", *faster), (fact.seq,), of=(wounded,))
        levels.set_level(state, who, "dying", 1 + wounded.value, why)


@derives("life.wounded")
def is_wounded(state: EmberState, who: str) -> None:
    """Let a combatant be wounded once more if it is no longer dying."""
    dying = levels.condition_level(state, who, "dying")
    levels.change_level(state, who, "wounded", int(not dying.value), Because(is_wounded.rules, of=(dying,)))


@derives("life.healing-ends-it", on=Healed)
def help_comes(state: EmberState, fact: Occurrence[Healed]) -> None:
    """Let a combatant that has points again be dying no longer."""
    if levels.condition_level(state, fact.event.target, "dying").value and state.combatants[fact.event.target].hp:
        levels.set_level(state, fact.event.target, "dying", 0, Because(help_comes.rules, (fact.seq,)))
        is_wounded(state, fact.event.target)


@derives("life.throw-each-turn", at="turn began")
def a_throw_falls_due(state: EmberState, time: Boundary) -> None:
    """Let a combatant that is dying as its turn begins owe a throw until the turn ends."""
    dying = levels.condition_level(state, time.who, "dying")
    if dying.value:
        owe(state.dues, Due(time.who, THROW, "turn ended", Because(a_throw_falls_due.rules, (time.seq,), of=(dying,))))


@derives("life.throw-decides", on=SaveRolled)
def a_throw_decides(state: EmberState, fact: Occurrence[SaveRolled]) -> None:
    """Lower or raise dying by the degree of a throw against 10 and its level: by 2, by 1."""
    who, dying = fact.event.combatant, levels.condition_level(state, fact.event.combatant, "dying")
    comes = degree_of(fact.event, 10 + dying.value)
    if fact.event.purpose != "death" or comes is None or (due := answer(state.dues, who, THROW, fact.cause)) is None:
        return
    by = (2, 1, -1, -2)[DEGREES.index(comes)]
    levels.change_level(state, who, "dying", by, Because(a_throw_decides.rules, (fact.seq,), of=(due.because,)))
    is_wounded(state, who)


@check("life.nothing-else", on=(ActionTaken, Moved))
def who_is_dying_only_throws(state: EmberState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> Breach | None:
    return vitals.breach_while_down(state.combatants[fact.event.combatant], fact.event, "dying")
