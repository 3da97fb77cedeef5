"""Grapples: who holds whom and how (state machine 5), what follows from contests, and what those in one cannot do."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    Healed,
    Moved,
    SaveRolled,
)
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.folds.effects import gain, lose
from projections.folds.vitals import stands
from projections.mechanics.conditions import matching
from projections.mechanics.grants import words
from projections.mechanics.pools import NLD
from projections.mechanics.work import same
from projections.rulesets.definition_master.acts.acts import AOO, FREE, OPTIONS, acts_of_turn, entry_of, has_turn
from projections.rulesets.definition_master.attacks.wield import is_bare, traits, weapon_of
from projections.rulesets.definition_master.maneuvers.contests import bout_behind
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.squares.ground import feet
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import Bout, Hold, Maneuver
from projections.rulesets.definition_master.table import kinds, tells, words_for
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check, derives
from projections.time import Boundary

HELD, PINNED, EXPOSED, CHOKING = "held", "pinned", "exposed", "choking"
BROKEN = "broken bone"
IN_GRAPPLE = "grappled"
GRAPPLED = {IN_GRAPPLE, "held", "grapple"}
STAGES = {"pinned": "pin", "exposed": "expose", "helpless": "expose", BROKEN: "break"}
"""Conditions that an option brings."""
BRINGS = {PINNED: {PINNED}, EXPOSED: {PINNED, EXPOSED, "helpless"}}
"""The conditions that go with the stages of a grapple."""
ROUNDS = 3
NEEDS, ONCE = "grapple.options-need-contest", "grapple.escape-each-turn"

# ---------------------------------------------------------------- what can be tried


def cannot(state: MasterState, attempt: Maneuver) -> str:
    """Return the clause by which an attempt in a grapple cannot count; "" if it can."""
    hold = state.combat.grapples.held(attempt.defender)
    if attempt.kind in OPTIONS:
        if hold is None or hold.aggressor != attempt.aggressor:
            return NEEDS
        pinned = attempt.kind != "expose" or hold.stage in (PINNED, EXPOSED)
        return "" if pinned else "grapple.expose-pinned-only"
    if attempt.kind == "escape":
        return "" if is_in_time(state, attempt) else ONCE
    return ""


def is_kept(state: MasterState, attempt: Maneuver) -> None:
    """Keep why a try to escape did not count: the tries and the acts before it."""
    hold = state.combat.grapples.held(attempt.defender)
    if hold and attempt.kind == "escape":
        before = (seq for each in tries_of(state, attempt.defender) if each is not attempt for seq in each.rolls)
        hold.tries = (*hold.tries, Because(is_in_time.rules, tuple(before)))


def tries_of(state: MasterState, who: str) -> list[Maneuver]:
    """Return the tries to escape that somebody has rolled for in this round."""
    return [each for each in state.combat.maneuvers if each.kind == "escape" and each.defender == who and each.rolls]


@derives("grapple.escape-each-turn")
def is_in_time(state: MasterState, attempt: Maneuver) -> bool:
    """Say whether a try to escape is the first of the own turn, and comes as it begins."""
    who = attempt.defender
    before = [act for act in acts_of_turn(state, who) if act.own and act.cost != FREE and act.kind != "escape"]
    return has_turn(state, who) and all(each is attempt for each in tries_of(state, who)) and not before


# ---------------------------------------------------------------- what follows from a contest


def decided(state: MasterState, attempt: Maneuver, why: Because) -> None:
    """Change a grapple by what a contest has decided."""
    won, hold = attempt.winner == attempt.aggressor, state.combat.grapples.held(attempt.defender)
    if attempt.kind == "grapple" and won:
        begins(state, attempt, why)
    elif attempt.kind == "escape" and not won and hold:
        escapes(state, hold, attempt, why)
    elif attempt.kind == "submission" and hold:
        chokes(state, hold, attempt, won, why)
    elif attempt.kind in OPTIONS and hold:
        takes_option(state, hold, attempt, why) if won else is_prevented(hold)


@derives("grapple.contest")
def begins(state: MasterState, attempt: Maneuver, why: Because) -> None:
    """Let the aggressor hold the defender."""
    hold = Hold(attempt.rolls[-1], attempt.aggressor, attempt.defender, because=why, start=why)
    state.combat.grapples.holds[attempt.defender] = hold
    state.touched |= {attempt.aggressor, attempt.defender}
    shows(state, hold, hold.seq)


@derives("grapple.escape-each-turn")
def escapes(state: MasterState, hold: Hold, attempt: Maneuver, why: Because) -> None:
    """Free the defender, by option only from a pin or a submission."""
    chosen = state.chosen("escape-scope") if hold.stage != HELD else {}
    began = state.flow.turn_of.get(attempt.defender, hold.seq)
    because = Because(escapes.rules, (began, *attempt.rolls), chosen, (why,))
    if hold.stage != HELD and state.option("escape-scope") == "one-step":
        hold.stage, hold.rounds, hold.begun, hold.because = HELD, 0, 0, because
        shows(state, hold, attempt.rolls[-1])
    else:
        free(state, hold, because)


def free(state: MasterState, hold: Hold, because: Because) -> None:
    """End a grapple, and keep why the two are free."""
    grapples = state.combat.grapples
    if grapples.holds.get(hold.defender) is hold:
        del grapples.holds[hold.defender]
    for who in (hold.aggressor, hold.defender):
        grapples.freed[who] = because
        state.touched.add(who)
    shows(state, hold, 0, because)


def shows(state: MasterState, hold: Hold, seq: int, because: Because | None = None) -> None:
    """Put on the defender the conditions that its grapple brings, and end the others of them; with seq 0 all end."""
    due = {IN_GRAPPLE} if seq else set()
    due |= {PINNED} if seq and hold.stage in (PINNED, EXPOSED) else set()
    due |= {EXPOSED} if (seq and hold.stage == EXPOSED) or state.combatants[hold.defender].status != "up" else set()
    for name in (IN_GRAPPLE, PINNED, EXPOSED):
        there = matching(state.conditions, name, (hold.defender,), None)
        if name in due and not there and seq:
            gain(state, hold.defender, name, seq)
        elif name not in due:
            state.over |= lose(state, there, because)


@derives("grapple.pin", "grapple.expose-pinned-only", "grapple.break", "grapple.options-need-contest")
def takes_option(state: MasterState, hold: Hold, attempt: Maneuver, why: Because) -> None:
    """Let happen what the aggressor has won: a pin, an exposure, a broken bone."""
    pin, expose, broken, _ = takes_option.rules
    seq, stages = attempt.rolls[-1], {"pin": (PINNED, pin), "expose": (EXPOSED, expose)}
    if attempt.kind in stages:
        hold.stage, rule = stages[attempt.kind]
        hold.because, hold.rounds = Because((rule,), (seq,), of=(why, hold.because)), 0
        shows(state, hold, seq)
    if attempt.kind == "break":
        gain(state, hold.defender, BROKEN, seq)
        hold.because = Because((broken,), of=(hold.because,))


@derives("grapple.options-need-contest")
def is_prevented(hold: Hold) -> None:
    """Leave the grapple as it was: the defender has prevented an option."""
    hold.because = Because(is_prevented.rules, (), {}, (hold.because,))


# ---------------------------------------------------------------- submission


@derives("grapple.submission-three-rounds", "grapple.submission-broken")
def chokes(state: MasterState, hold: Hold, attempt: Maneuver, won: bool, why: Because) -> None:
    """Count a round of a submission, or break it off; the third round in a row completes it."""
    third, broken = chokes.rules
    turn, chosen = state.flow.taken.get(hold.aggressor, 0), state.chosen("submission-count")
    if not won:
        hold.stage, hold.rounds, hold.begun = HELD, 0, 0
        hold.because = Because((broken,), attempt.rolls, chosen, (why,))
        shows(state, hold, attempt.rolls[-1])
        return
    if hold.stage != CHOKING or hold.last < turn - 1:
        hold.rounds, hold.begun = 0, state.clock.round
    if hold.rounds == 0 or hold.last != turn:
        hold.rounds += 1
    before = (hold.because,) if hold.rounds > 1 else (hold.start,)
    began = (state.flow.turn_of.get(hold.aggressor, hold.seq),) if hold.rounds > 1 else ()
    hold.stage, hold.last = CHOKING, turn
    shows(state, hold, attempt.rolls[-1])
    hold.because = Because((third,), (*began, *attempt.rolls), chosen, (why, *before))
    if state.option("submission-count") == "held-three-rounds":
        hold.rounds = 1
    elif hold.rounds >= ROUNDS:
        completes(state, hold, attempt.rolls[-1])


@derives("grapple.submission-three-rounds")
def completes(state: MasterState, hold: Hold, seq: int) -> None:
    """Complete a submission: the defender takes its maximum hit points as non-lethal damage."""
    one = state.combatants[hold.defender]
    one.pools[NLD].change(one.hp_max or 0, seq, (hold.because, *hold.tries))
    state.health.of(one.id).by[NLD] = completes.rules
    hold.stage, hold.rounds, hold.begun, hold.because = HELD, 0, 0, Because(of=(hold.because,))
    state.combat.submitted[hold.defender], state.combat.choked[hold.defender] = seq, hold.because
    stands(state, one)


@derives("grapple.submission-three-rounds", at=("turn began", "turn resumed"))
def three_rounds_are_over(state: MasterState, turn: Boundary) -> None:
    """Complete, by option, a submission that was begun three rounds ago and held since."""
    for hold in choked_by(state, turn.who, "held-three-rounds"):
        hold.rounds = state.clock.round - hold.begun + 1
        if hold.rounds > ROUNDS:
            completes(state, hold, turn.seq)


@derives("grapple.submission-three-rounds", at="turn ended")
def turn_without_it(state: MasterState, turn: Boundary) -> None:
    """Break off a submission that its aggressor did not go on with in its turn."""
    for hold in choked_by(state, turn.who, "roll-each-turn"):
        if hold.last < state.flow.taken.get(turn.who, 0):
            hold.stage, hold.rounds = HELD, 0
            hold.because = Because(turn_without_it.rules, (turn.seq,), of=(hold.because,))


def choked_by(state: MasterState, who: str, option: str) -> list[Hold]:
    """Return the submissions that somebody is in the middle of, where rounds are counted by this option."""
    own = [each for each in state.combat.grapples.holds.values() if each.aggressor == who and each.stage == CHOKING]
    return own if own and state.option("submission-count") == option else []


@derives("grapple.submission-three-rounds")
def repeats(state: MasterState, fact: Any) -> bool:
    """Say whether non-lethal damage that was told is that of a completed submission, which the rules have dealt already."""
    event = fact.event
    if not isinstance(event, DamageDealt) or not event.nonlethal:
        return False
    bout = bout_behind(state, fact, "submission")
    return bout is not None and state.combat.submitted.get(event.target) in bout.attempt.rolls


# ---------------------------------------------------------------- what ends it


@derives("grapple.contest", on=(DamageDealt, Healed, SaveRolled, CombatantLeft))
def nobody_holds(state: MasterState, fact: Told) -> None:
    """End the grapples of aggressors who are out, and of those who are dead or gone."""
    for hold in list(state.combat.grapples.holds.values()):
        one, other = state.combatants[hold.aggressor], state.combatants[hold.defender]
        if one.status != "up" or one.left or other.left or other.status == "dead":
            free(state, hold, Because(nobody_holds.rules, (fact.seq,), of=(one.standing, other.standing)))


@derives("grapple.no-moving", on=ConditionLost)
def is_let_go(state: MasterState, fact: Told) -> None:
    """End a grapple, or a pin, that is let go of; not one that a contest which was lost should have ended."""
    said = (fact.event.condition or "").casefold()
    for hold in holds_on(state, fact):
        if undue_freedom(state, fact, hold):
            shows(state, hold, hold.seq)
        elif said in GRAPPLED:
            free(state, hold, Because(is_let_go.rules, (fact.seq,)))
        elif said in (PINNED, EXPOSED) and hold.stage in (PINNED, EXPOSED):
            hold.stage = HELD if said == PINNED else PINNED
            shows(state, hold, fact.seq)
            hold.because = Because(is_let_go.rules, (fact.seq,), of=(hold.because,))


def holds_on(state: MasterState, fact: Told) -> list[Hold]:
    """Return the grapples in which those are held whom a condition is about."""
    return [hold for who in fact.event.targets if (hold := state.combat.grapples.held(who))]


def undue_freedom(state: MasterState, fact: Told, hold: Hold) -> Bout | None:
    """Return the contest that should have freed somebody and did not: the last of the pair, if the end came of it."""
    bout = state.combat.bouts.get(fact.cause)
    if bout is None or (fact.event.condition or "").casefold() not in GRAPPLED or bout.attempt.kind == "grapple":
        return None
    return bout if hold.is_of((bout.attempt.aggressor, bout.attempt.defender)) else None


@checks_by(NEEDS, "grapple.submission-broken", ONCE, on=ConditionLost)
def nobody_is_freed_by_it(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield that somebody is called free by a contest that did not free it."""
    for hold in holds_on(state, fact):
        bout = undue_freedom(state, fact, hold)
        if bout and bout.attempt.kind in (*OPTIONS, "escape"):
            rule = {"submission": "grapple.submission-broken", "escape": ONCE}.get(bout.attempt.kind, NEEDS)
            says = f"{hold.defender} is still held by this contest"
            yield Fault((rule,), says, "still held", "free", (bout.seq,))


# ---------------------------------------------------------------- what is recorded without a contest


@checks_by("grapple.contest", NEEDS, on=ConditionGained)
def conditions_follow_from_contests(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield a condition of a grapple that no contest brought."""
    said, bout = (fact.event.condition or "").casefold(), state.combat.bouts.get(fact.cause)
    for who in fact.event.targets if said in (IN_GRAPPLE, HELD, *STAGES) else ():
        if not is_brought(state, who, said):
            rule, says = NEEDS if said in STAGES else "grapple.contest", f"no contest makes {who} {said}"
            yield Fault((rule,), says, "a contest won", said, (bout.seq,) if bout else ())


def is_brought(state: MasterState, who: str, said: str) -> bool:
    """Say whether somebody may have a condition of a grapple: by its hold, as before, or by what another chapter says."""
    hold, bouts = state.combat.grapples.held(who), state.combat.bouts.values()
    if hold and said in GRAPPLED | BRINGS.get(hold.stage, set()):
        return True
    if any(each.bearer == who and each.name == said for each in state.conditions.values()):
        return True
    tried = any(each.attempt.kind == STAGES.get(said) and each.attempt.defender == who for each in bouts)
    return said in STAGES and hold is None and not tried


@derives("grapple.contest", "grapple.options-need-contest", on=ConditionGained)
def is_taken_back(state: MasterState, fact: Told) -> None:
    """Take back a condition of a grapple that no contest brought."""
    said = (fact.event.condition or "").casefold()
    if said in GRAPPLED or said == PINNED:
        for who in fact.event.targets:
            hold = state.combat.grapples.held(who)
            if hold is None or (said == PINNED and hold.stage not in (PINNED, EXPOSED)):
                lose(state, [(fact.seq, who)])


# ---------------------------------------------------------------- what cannot be done in one


def option_move(state: MasterState, fact: Told) -> Bout | None:
    """Return the contest of the Move option that a move came of; the last of this turn where none is named."""
    event = fact.event
    if found := bout_behind(state, fact, "grapple-move"):
        return found
    own = [each for each in state.combat.bouts.values() if each.attempt.kind == "grapple-move"]
    return own[-1] if own and event.combatant in own[-1].sides and not event.cause else None


@checks_by("grapple.no-moving", "grapple.pin", on=Moved)
def nobody_walks_in_a_grapple(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield a move of one of a pair in a grapple that is not the aggressor's Move option, of somebody pinned as such."""
    hold, who = state.combat.grapples.of(fact.event.combatant), fact.event.combatant
    if hold is None or fact.event.forced or option_move(state, fact) or fact.is_granted("grapple.no-moving"):
        return
    pinned = who == hold.defender and hold.stage in (PINNED, EXPOSED)
    says = f"{who} is {'pinned by' if pinned else 'in a grapple with'} {hold.other(who)}"
    yield Fault(("grapple.pin" if pinned else "grapple.no-moving",), says, "no move", "a move", (hold.seq,))


@check("grapple.move-half", on=Moved)
def the_option_moves_half(state: MasterState, fact: Told) -> Breach | None:
    """Report a move by the option that is longer than half a speed."""
    bout = option_move(state, fact)
    if bout is None or bout.attempt.winner != bout.attempt.aggressor:
        return None
    most, found = half_speed(state, bout.attempt), feet(fact.event)
    return Breach(f"up to {most} ft", f"{most} ft", f"{found} ft", (bout.seq,)) if found > most else None


@derives("grapple.move-half")
def half_speed(state: MasterState, attempt: Maneuver) -> int:
    """Return how many feet the Move option covers."""
    by_defender = state.option("grapple-move-speed") == "defender"
    return int(state.combatants[attempt.defender if by_defender else attempt.aggressor].sheet.speed) // 2


@check("grapple.options-need-contest", on=Moved)
def an_option_lost_moves_nobody(state: MasterState, fact: Told) -> Breach | None:
    """Report a move by the option whose contest the aggressor has not won."""
    bout = option_move(state, fact)
    if bout is None or bout.attempt.is_won:
        return None
    return Breach(f"{bout.attempt.aggressor} has not won this", "no move", "a move", (bout.seq,))


def blow_of(fact: Told) -> Any:
    """Return the act of attacking that a fact tells of; None where it tells of none, or of one that was told before."""
    act = fact.act
    return act if act and act.kind in kinds("assaults") and act.cost != AOO else None


@check("grapple.pin", on=(ActionTaken, AttackRolled))
def nobody_attacks_while_pinned(state: MasterState, fact: Told) -> Breach | None:
    """Report an attack of somebody who is pinned."""
    act = blow_of(fact)
    hold = state.combat.grapples.held(act.who) if act else None
    if hold is None or hold.stage not in (PINNED, EXPOSED):
        return None
    return Breach(f"{hold.defender} is pinned by {hold.aggressor}", "no attack", "an attack", (hold.seq,))


@check("grapple.pin", on=(ActionTaken, AttackRolled))
def pinned_is_not_helpless(state: MasterState, fact: Told) -> Breach | None:
    """Report a kill-shot at somebody who is pinned, but not exposed."""
    act = fact.act
    name = words(f"{act.kind} {act.action.name or ''}") if act else ()
    for who in act.action.targets if act and "kill" in name and "shot" in name else ():
        hold = state.combat.grapples.held(who)
        if hold and hold.stage != EXPOSED:
            return Breach(f"{who} is not exposed", "no kill-shot", "a kill-shot", (hold.seq,))
    return None


@check("grapple.weapons", on=(ActionTaken, AttackRolled))
def only_fit_weapons_are_used(state: MasterState, fact: Told) -> Breach | None:
    """Report an attack in a grapple with a weapon that cannot be used there."""
    act = blow_of(fact)
    hold = state.combat.grapples.of(act.who) if act and act.kind in ("attack", "bash") else None
    if hold is None or fact.is_granted("grapple.weapons"):
        return None
    name: str | None = act.action.name or getattr(fact.event, "name", None)
    weapon = weapon_of(state, act.who, name)
    bare = is_bare(name) or "unarmed" in act.action.manner or (weapon is None and name is None)
    if bare or tells("in-grapple", name, *traits(weapon)):
        return None
    due = "unarmed, a dagger or a blunt striker"
    return Breach(f"{act.who} is in a grapple", due, name or "its weapon", (hold.seq,))


# ---------------------------------------------------------------- casting


def needs(fact: Told) -> set[str]:
    """Return the components that a spell needs: as recorded, else as its entry says."""
    action: Action = fact.event.action
    entry = entry_of(fact.one, action)
    said = action.components if action.components is not None else entry.components if entry else None
    return {word.casefold() for word in said or ()}


@checks_by("grapple.no-somatic", "grapple.casting-without-somatic", on=ActionTaken)
def spells_are_cast_as_a_hold_allows(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield a spell with gestures that somebody casts while held, and one to be spoken by somebody who cannot speak."""
    act = fact.act
    hold = state.combat.grapples.held(act.who) if act and act.kind == "cast" else None
    if act is None or hold is None:
        return
    freed = act.action.granted_by and not same(act.action.granted_by, act.action.name or "")
    if "somatic" in needs(fact) and not freed and not fact.is_granted("grapple.no-somatic"):
        says = f"{hold.defender} is held by {hold.aggressor}"
        yield Fault(("grapple.no-somatic",), says, "no gestures", "a somatic component", (hold.seq,))
    bound = [
        each
        for each in state.conditions.values()
        if each.bearer == act.who and each.name.casefold() in words_for("mute")
    ]
    if bound and "verbal" in needs(fact):
        rule, says = "grapple.casting-without-somatic", f"{act.who} is {bound[0].name}"
        yield Fault((rule,), says, "no speech", "a verbal component", (hold.seq, bound[0].seq))


# ---------------------------------------------------------------- damage told of options


@check("grapple.break", on=DamageDealt)
def breaking_deals_no_damage(state: MasterState, fact: Told) -> Breach | None:
    """Report damage that is told of a break."""
    bout = bout_behind(state, fact, "break")
    if bout is None or not fact.event.amount:
        return None
    return Breach("a break gives a broken bone and no damage", "0", str(fact.event.amount), (bout.seq,))


@check("grapple.submission-three-rounds", on=DamageDealt)
def a_submission_deals_the_maximum(state: MasterState, fact: Told) -> Breach | None:
    """Report other damage of a submission than the maximum hit points, or damage before it is complete."""
    bout, event = bout_behind(state, fact, "submission"), fact.event
    if bout is None:
        return None
    most = state.combatants[event.target].hp_max or 0
    complete = state.combat.submitted.get(event.target) in bout.attempt.rolls
    if complete and event.nonlethal and event.amount == most:
        return None
    due = f"{most} non-lethal" if complete else "nothing yet"
    choked = state.combat.choked.get(event.target) if complete else None
    events = choked.flat().events if choked else bout.attempt.rolls
    return Breach(f"a submission deals {due}", due, str(event.amount), events)


# ---------------------------------------------------------------- as it stands


@derives("grapple.contest")
def grapple_of(state: MasterState, who: str) -> Derived[str]:
    """Return how somebody is in a grapple: free, holding, held, pinned, exposed, or choking with its count of rounds."""
    hold = state.combat.grapples.of(who)
    if hold is None:
        freed = state.combat.grapples.freed.get(who)
        return Derived("free", freed or Because(grapple_of.rules, (state.combatants[who].joined,)))
    if hold.aggressor == who:
        return Derived("holding", Because((), (hold.seq,), of=(hold.start, *hold.tries)))
    word = f"{CHOKING}({hold.rounds})" if hold.stage == CHOKING else hold.stage
    return Derived(word, Because(hold.because.rules, (hold.seq,), of=(hold.because, *hold.tries)))


def partner(state: MasterState, who: str) -> Derived[str]:
    """Return with whom somebody is in a grapple, or none."""
    hold, freed = state.combat.grapples.of(who), state.combat.grapples.freed.get(who)
    if hold is None:
        return Derived("none", grapple_of(state, who).because)
    of = (hold.start, *hold.tries, *((freed,) if freed else ()))
    return Derived(hold.other(who), Because(hold.start.rules, (hold.seq,), of=of))
