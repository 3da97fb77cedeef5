"""Checks that need later facts of a round: weapons drawn, d% for shots and spells, squares passed, lengths of charges."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, AttackRolled, DiceRolled, Moved
from projections.mechanics.grants import words_of
from projections.mechanics.rolls import face, fits_sides
from projections.occurrence import is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.definition_master.acts import AOO, FREE, MOVE, MOVING
from projections.rulesets.definition_master.arms import untrained_armor
from projections.rulesets.definition_master.attack import does_hit
from projections.rulesets.definition_master.ground import feet, is_tiny
from projections.rulesets.definition_master.movement import LEAST, LEAVING, length_faults, provocation_answered
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import mentions


@checks_by("move-action.draw-weapon", "free.draw-while-moving", on=ActionTaken)
def drawing_is_free_only_while_moving(state: MasterState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a weapon drawn as a free action in a turn without a move, a step or a charge."""
    act = fact.taken
    if act.kind == "draw" and act.cost == FREE and act.own:
        mine = [each for each in state.round.acts if each.combatant == act.combatant and each.own == act.own]
        if not any(each.kind in MOVING for each in mine):
            rule = "free.draw-while-moving" if any(each.cost == MOVE for each in mine) else "move-action.draw-weapon"
            yield Fault((rule,), f"{act.combatant} draws, but does not move", "a move action", "a free action")


@checks_by(LEAVING, "step.never-provokes", on=ActionTaken)
def a_strike_at_a_way_that_was_declared_is_on_it(state: MasterState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a strike at a declared move whose later path leaves no square that the striker threatens."""
    act = fact.taken
    way = provocation_answered(state, act) if act.cost == AOO else None
    if way and state.precedes(act.seq, way.seq) and way.allows(act.combatant) == 0 and not fact.is_granted(way.rule):
        says = f"{way.who} does not provoke {act.combatant} here"
        yield Fault((way.rule,), says, "no attack of opportunity", "one", (way.seq,))


LENGTHS = {"charge": "charge.distance", "trample": "trample.full-round"}


@check("ranged.into-grapple", on=AttackRolled)
def a_shot_into_a_grapple_has_its_chance(state: MasterState, fact: Reading[AttackRolled]) -> Breach | None:
    roll = state.round.rolls.get(fact.seq)
    if roll is None or roll.confirms or not roll.other or roll.percent is not None or roll.doubtful:
        return None
    return Breach(f"a shot at {roll.target} may hit {roll.other} instead", "a d% roll", "none")


@checks_by("ranged.into-grapple", "untrained.armor-spell-failure", on=DiceRolled)
def a_chance_has_its_faces(state: MasterState, fact: Reading[DiceRolled]) -> Iterator[Fault]:
    """Yield a fault for a d% of a shot into a grapple, or of a spell, that shows a face it does not have."""
    shots = [roll.percent[1] for roll in state.round.rolls.values() if roll.percent]
    spells = [seq for _, seq in state.combat.failing.values()]
    die = fact.event.die
    for rule, rolled in (("ranged.into-grapple", shots), ("untrained.armor-spell-failure", spells)):
        if fact.seq in rolled and die is not None and not fits_sides(die, 100):
            yield Fault((rule,), f"a d% cannot show {face(die)}", "1 to 100", str(face(die)))


@check("untrained.armor-spell-failure", on=ActionTaken)
def a_chance_is_rolled(state: MasterState, fact: Reading[ActionTaken]) -> Breach | None:
    act = fact.taken
    worn = untrained_armor(state, act.combatant) if act.kind == "cast" else None
    if worn is None or fact.seq in state.combat.failing:
        return None
    return Breach(f"a spell cast in {worn.value} may fail", "a d% roll", "none", worn.because.flat().events)


def has_acrobatics(state: MasterState, fact: Reading[Moved]) -> bool:
    """Say whether acrobatics is recorded for a move: in its mode, or as a roll that did not fail."""
    who = (None, fact.event.combatant)
    rolls = (each.event for each in state.moments.values() if isinstance(each.event, DiceRolled))
    made = (each.purpose for each in rolls if each.combatant in who and each.succeeded is not False)
    return mentions("acrobatics", fact.event.mode, *made)


HOSTILE, ALLY, TRAMPLE = "space.hostile-needs-acrobatics", "space.ally-by-leave", "trample.contest"


@checks_by(HOSTILE, ALLY, TRAMPLE, on=Moved)
def a_path_leads_past_others_as_it_may(state: MasterState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault for a path through a foe without acrobatics, an ally who refuses, or a foe whom no trample moved."""
    if (passage := state.combat.passages.get(fact.seq)) is None:
        return
    foes, who = passage.foes, fact.event.combatant
    runs = bool(foes) and state.flow.acts[passage.act].kind in LENGTHS
    if foes and not (runs or is_tiny(state, who) or has_acrobatics(state, fact) or fact.is_granted(HOSTILE, *foes)):
        stood = tuple(state.combat.stood[each] for each in foes)
        says = f"the path goes through {foes[0]}'s square"
        yield Fault((HOSTILE,), says, "an Acrobatics check", "none", stood)
    refused = ((who, ruling) for who in passage.allies if (ruling := refusal_ruling(state, fact, who)))
    if found := next(refused, None):
        yield Fault((ALLY,), f"{found[0]} lets nobody pass", "a way around", f"{found[0]}'s square", found[1:])
    for each in state.combat.maneuvers:
        if each.kind == "trample" and each.act == passage.act and each.defender in foes:
            touch = state.round.rolls.get(each.touch)
            if each.winner == each.defender or (touch and does_hit(state, touch).value is False):
                says, seqs = f"{each.defender} is still standing there", each.rolls or (each.touch,)
                yield Fault((TRAMPLE,), says, "a halt before it", "a run on", seqs)
                return


def refusal_ruling(state: MasterState, fact: Reading[Moved], who: str) -> int:
    """Return the ruling by which an ally lets nobody pass; 0 without one before the move."""
    for ruling in state.rulings:
        said = ruling.event
        text = f"{said.decision} {said.subject or ''}"
        refused = said.rule == ALLY or mentions("refuses", text)
        about = who in (*said.combatants, *words_of(text)) and said.ruling != "waiver"
        if refused and about and state.precedes(ruling.seq, fact.seq):
            return ruling.seq
    return 0


@checks_by(*LENGTHS.values(), on=Moved)
def an_act_has_its_length(state: MasterState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault, at its last move, for a charge or trample of a wrong length."""
    cause = state.flow.carried.get(fact.seq, fact.seq)
    act, parts = state.flow.acts.get(cause), (seq for seq, behind in state.flow.carried.items() if behind == cause)
    if act and act.kind in LENGTHS:
        facts = map(state.moments.__getitem__, parts)
        moves = [each for each in facts if is_a(each, Moved) and each.event.combatant == act.combatant]
        if fact.fact in moves[-1:]:
            found = sum(feet(each.event) for each in moves)
            yield from length_faults(state, act, LENGTHS[act.kind], found, LEAST if act.kind == "charge" else 0)
