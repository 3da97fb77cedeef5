"""How long things last, and songs, of which everybody keeps up one at most."""

from eventstore.events import CombatantLeft, DamageDealt, EffectStarted, SaveRolled
from eventstore.shapes import Duration
from harbour_watch.state import WatchState
from projections.because import Because
from projections.fight import Combatant
from projections.folds import concentration
from projections.mechanics.conditions import Effect, effects_held
from projections.mechanics.dues import Due, lapse, owe
from projections.mechanics.rolls import reaches
from projections.mechanics.timers import Timer
from projections.occurrence import Occurrence
from projections.ruleset.durations import timer_of_next_turn
from projections.ruleset.ruleset import derives

SING_ON = "throw to sing on"


@derives("lasts.next-turn", "lasts.rounds")
def timer(state: WatchState, effect: Effect, said: Duration) -> Timer:
    """Count the turns that a duration names, else those of its bearer; the end of the turn that runs does not count."""
    return timer_of_next_turn(state, effect, said)


@derives("song.one-at-a-time", on=EffectStarted)
def a_second_song_ends_the_first(state: WatchState, fact: Occurrence[EffectStarted]) -> None:
    """End the song that a singer kept up before, and forget what was owed for it."""
    if concentration.end_previous(state, fact, Because(a_second_song_ends_the_first.rules, (fact.seq,))):
        lapse(state.dues, "turn began", fact.event.source or "")


@derives("song.one-at-a-time")
def sung(state: WatchState, one: Combatant) -> tuple[str, Because]:
    """Return the song that somebody keeps up."""
    return concentration.concentration_of(state, one, sung.rules)


@derives("song.ends-with-singer", on=(CombatantLeft, DamageDealt))
def without_a_singer_no_song(state: WatchState, fact: Occurrence[CombatantLeft] | Occurrence[DamageDealt]) -> None:
    """End the song of who leaves, or has no breath left."""
    one = state.combatants[fact.event.combatant if isinstance(fact.event, CombatantLeft) else fact.event.target]
    if one.left or one.status != "up":
        concentration.release(state, one.id, Because(without_a_singer_no_song.rules, (fact.seq,)))


@derives("song.blow-asks", on=DamageDealt)
def a_blow_asks_for_a_throw(state: WatchState, fact: Occurrence[DamageDealt]) -> None:
    """Let a singer owe a throw for each blow, before its next turn begins."""
    who, why = fact.event.target, Because(a_blow_asks_for_a_throw.rules, (fact.seq,))
    if state.loss.hp > 0 and effects_held(state.effects, who):
        owe(state.dues, Due(who, SING_ON, "turn began", why, fact.seq))


@derives("song.throw-of-ten", on=SaveRolled)
def a_throw_keeps_the_song_up(state: WatchState, fact: Occurrence[SaveRolled]) -> None:
    """End the song whose singer throws less than 10 after a blow."""
    if fact.event.purpose == "concentration":
        concentration.end_if_save_failed(state, fact, SING_ON, reaches(fact.event, 10), a_throw_keeps_the_song_up.rules)
