"""The disturbances of a caster: damage, hits by option, and rulings."""

from typing import TYPE_CHECKING

from eventstore.events import AttackRolled, DamageDealt, Fact, RulingMade
from projections.address import NOTHING
from projections.because import Because, asked_options
from projections.mechanics import work
from projections.mechanics.work import SPOILED, Incident
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.routines import takes_routine
from projections.rulesets.osric.spells import SPOILING, due_key, ending, is_begun
from projections.rulesets.osric.state import END, Order, OsricState, key_at
from projections.rulesets.osric.surprise import counted_through
from projections.stream.causes import origin

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading


def key_of_outcome(state: OsricState, fact: "Reading[Fact]") -> Order:
    """Return the key at which an outcome takes effect: its own, else that of the act, roll or effect that caused it.

    The effect of a casting has the key at which the spell is due. An outcome recorded in another segment than its cause
    takes effect in that segment.
    """
    keys, here = state.round.keys, key_at(fact.point)
    seq = fact.seq if fact.seq in keys else origin(state, fact.cause, keys)
    key = due_key(state, fact.casting).value if fact.casting else keys.get(seq, here)
    return key if key.point == here.point or not here.segment else here


def key_of_blow(state: OsricState, fact: "Reading[Fact]") -> Order:
    """Return the key at which an outcome may put its target out of action: without a known cause the end of its segment."""
    key = key_of_outcome(state, fact)
    known = fact.cause or fact.casting or fact.seq in state.round.keys
    return key if known else key_at(key, END)


@derives(SPOILING, on=(DamageDealt, AttackRolled), phase="effects")
def is_disturbed(state: OsricState, fact: "Reading[DamageDealt | AttackRolled]") -> None:
    """Let damage or a hit, by option, spoil the spell that the target is casting in that segment.

    If it is uncertain when the damage came, or whether a hit caused it, the target is marked as unsure.
    """
    how, event = state.option("spoil-cause"), fact.event
    if event.target is None:
        return
    keep_disturbance(state, event.target, fact)
    if isinstance(event, AttackRolled):
        hurts = how == "hit" and event.hit is True
    else:
        hurts = state.loss.hp >= 1 if how == "damage" else how == "hit" and _is_of_a_blow(state, fact)
    if hurts:
        wound(state, event.target, fact, key_of_outcome(state, fact))
    if isinstance(event, DamageDealt) and (hurts or how == "hit"):
        mark_unsure(state, fact, event.target)


def keep_disturbance(state: OsricState, who: str, fact: "Reading[Fact]") -> None:
    """Keep that a combatant was hit or damaged, which disturbs a caster by one option or another."""
    if not isinstance(fact.event, AttackRolled) or fact.event.hit:
        state.round.touched[who] = (why := asked_options(),)
        for casting in (*state.castings, *state.past.values()):
            if casting.who == who and is_begun(state, casting):
                casting.asked += (why,)


def mark_unsure(state: OsricState, fact: "Reading[Fact]", who: str) -> None:
    """Mark a caster whom damage disturbed as unsure, if the time of the damage is uncertain.

    A spell that was over before stays over.
    """
    own = [ending(state, one).value for one in state.castings if one.who == who]
    certain = own and all(end and end.seq != fact.seq for end in own)
    if not certain and _may_be_of_another_time(state, fact):
        state.unsure[who] = max(state.reached, counted_through(state, fact.point))


def _may_be_of_another_time(state: OsricState, fact: "Reading[Fact]") -> bool:
    """Return whether damage may have come before its target began a spell, or after that took effect."""
    if fact.cause or fact.segment is not None:
        return False
    return bool(fact.fact.doubtful) or counted_through(state, fact.point) < state.reached


def _is_of_a_blow(state: OsricState, fact: "Reading[Fact]") -> bool:
    """Return whether damage was caused by an attack, which therefore hit."""
    act = state.round.acts.get(fact.seq) or fact.act_behind
    return act is not None and takes_routine(act.kind)


def wound(state: OsricState, who: str, fact: "Reading[Fact]", place: Order) -> None:
    """Keep an incident that can spoil a spell in this round, and disturb the castings of the target by it.

    One with several possible causes comes when the last of them does.
    """
    last = fact.fact.doubtful if fact.segment is None else 0
    because = Because((), (last,) if last else ())
    incident = Incident(fact.seq, counted_through(state, place.point), SPOILED, because, place)
    state.round.wounds.setdefault(who, []).append(incident)
    for casting in (*state.castings, *state.past.values()):
        if casting.who == who:
            work.disturb(casting, incident)


@derives(SPOILING, on=RulingMade, phase="effects")
def ruling_spoils(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling spoil a casting: by `<id>.casting` or `<id>.concentration`, or by citing this rule.

    A ruling that cites the rule names the start of the casting, the caster, or both.
    """
    event = fact.event
    cites = event.rule == SPOILING and event.ruling != "waiver"
    for casting in state.castings:
        named = cites and (casting.who in event.combatants or event.event == casting.seq)
        if named or any((event.values or {}).get(f"{casting.who}.{field}") == NOTHING for field in _CASTING):
            why = Because(ruling_spoils.rules)
            work.disturb(casting, Incident(fact.seq, casting.last, SPOILED, why, key_at(fact.point, END), sure=True))


_CASTING = ("casting", "concentration")
