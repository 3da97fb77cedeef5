"""Grapples: their pairs and stages, the outcomes of contests, and acts in a grapple."""

from collections.abc import Iterator

from eventstore import events
from projections.because import NOTHING_CITED, Because, Derived, asked_options
from projections.folds.effects import end_conditions, gain_condition, joined_targets
from projections.folds.vitals import update_status
from projections.mechanics.conditions import find_effects
from projections.mechanics.grants import words_of
from projections.mechanics.pools import NLD
from projections.mechanics.work import is_same
from projections.occurrence import Occurrence, is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.acts import AOO, FREE, OPTIONS, acts_of_turn, entry_of, has_turn
from projections.rulesets.definition_master.arms import weapon_of, weapon_words
from projections.rulesets.definition_master.contests import bout_behind, only_bout
from projections.rulesets.definition_master.ground import feet
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Bout, Hold, Maneuver, MasterAct, MasterState
from projections.rulesets.definition_master.table import kinds, mentions
from projections.time import Boundary

IN_GRAPPLE, HELD, PINNED, EXPOSED, CHOKING = "grappled", "held", "pinned", "exposed", "choking"
HELPLESS, BROKEN = "helpless", "broken bone"
GRAPPLED = {IN_GRAPPLE, HELD, "grapple"}
"""The words for the condition of a combatant who is held."""
BRINGS = {PINNED: {PINNED}, EXPOSED: {PINNED, EXPOSED, HELPLESS}}
"""The further conditions in the stages of a grapple."""
BROUGHT_BY = {PINNED: "pin", EXPOSED: "expose", HELPLESS: "expose", BROKEN: "break"}
"""The options that bring conditions."""
ROUNDS, ROLLED = 3, "roll-each-turn"
"""The rounds of a submission, and the option by which each of them needs a contest."""
STARTS, NEEDS, ONCE = "grapple.contest", "grapple.options-need-contest", "grapple.escape-each-turn"
CHOKES, BROKEN_OFF, BREAKS = "grapple.submission-three-rounds", "grapple.submission-broken", "grapple.break"
PINS, STAYS = "grapple.pin", "grapple.no-moving"


def clause_of_invalid(state: MasterState, attempt: Maneuver) -> str:
    """Return the clause that keeps an attempt in a grapple from counting; "" if it counts."""
    if attempt.kind == "escape":
        return "" if is_timely(state, attempt) else ONCE
    if attempt.kind not in OPTIONS:
        return ""
    hold = state.combat.grapples.holds.get(attempt.defender)
    if hold is None or hold.aggressor != attempt.aggressor:
        return NEEDS
    return "grapple.expose-pinned-only" if attempt.kind == "expose" and not hold.is_pinned else ""


def keep_why_invalid(state: MasterState, attempt: Maneuver, outcome: Because) -> None:
    """Keep the reason why an attempt did not count; an escape cites what was done before it, a grapple its touch."""
    grapples, pair = state.combat.grapples, (attempt.aggressor, attempt.defender)
    hold = grapples.holds.get(attempt.defender)
    if attempt.kind == "grapple" and not any(map(grapples.of, pair)):
        grapples.freed |= dict.fromkeys(pair, outcome)
        state.freed_by.setdefault(attempt.defender, {})[IN_GRAPPLE] = outcome
    if hold and attempt.kind in ("escape", *OPTIONS):
        why = Because(is_timely.rules, _why_untimely(state, attempt)) if attempt.kind == "escape" else asked_options()
        hold.tries = (*hold.tries, Derived("", why))
        for key in find_effects(state.conditions, IN_GRAPPLE, (hold.defender,), None):
            state.conditions[key].of = hold.tries


@derives(ONCE)
def is_timely(state: MasterState, attempt: Maneuver) -> bool:
    """Say whether an attempt to escape is the first of its combatant's turn, and made as that begins."""
    return has_turn(state, attempt.defender) and not _why_untimely(state, attempt)


def _why_untimely(state: MasterState, attempt: Maneuver) -> tuple[int, ...]:
    """Return the records before an attempt to escape by which it does not count: other attempts of the round, and acts of the turn."""
    who = attempt.defender
    others = [each for each in state.combat.maneuvers if each.kind == "escape" and each.defender == who]
    tries = (seq for each in others if each is not attempt for seq in each.rolls or (each.seq,))
    acts = (act.seq for act in acts_of_turn(state, who) if act.cost != FREE and act.kind != "escape")
    return (*tries, *acts)


@derives(STARTS)
def apply_contest(state: MasterState, attempt: Maneuver, why: Because) -> None:
    """Change a grapple by the outcome of a contest: it begins, an option of it is won or lost, or the defender is free."""
    hold = state.combat.grapples.holds.get(attempt.defender)
    if attempt.kind == "grapple":
        if attempt.is_won:
            hold = Hold(attempt.rolls[-1], attempt.aggressor, attempt.defender, because=why, start=why)
            state.combat.grapples.holds[attempt.defender] = hold
            state.touched |= {attempt.aggressor, attempt.defender}
            put_conditions(state, hold, hold.seq)
    elif hold and attempt.kind in OPTIONS:
        apply_option(state, hold, attempt, why)
    elif hold and not attempt.is_won:
        free_defender(state, hold, attempt, why)


@derives(ONCE)
def free_defender(state: MasterState, hold: Hold, attempt: Maneuver, why: Because) -> None:
    """Free the defender; by option, a defender who is pinned, exposed or choking is only held again."""
    by_step = hold.stage != HELD and state.option("escape-scope") == "one-step"
    stage = (Derived(hold.stage, hold.because),) if hold.stage != HELD else ()
    of = (why, *stage, *hold.tries)
    because = Because(free_defender.rules, (state.flow.began(hold.defender), *attempt.rolls), of)
    if by_step:
        _reach_stage(state, hold, HELD, attempt.rolls[-1], because)
        hold.tries += (Derived(HELD, because),)
        for each in state.conditions.values():
            each.of += (because,) if each.bearer in (hold.aggressor, hold.defender) else ()
    else:
        end_grapple(state, hold, because)


def end_grapple(state: MasterState, hold: Hold, because: Because) -> None:
    """End a grapple, and keep the reason why the two are free."""
    grapples = state.combat.grapples
    grapples.holds.pop(hold.defender, None)
    for who in (hold.aggressor, hold.defender):
        grapples.freed[who] = because
        state.touched.add(who)
    for name in (IN_GRAPPLE, PINNED, EXPOSED):
        end_condition(state, hold, name, because)


def _reach_stage(state: MasterState, hold: Hold, stage: str, seq: int, because: Because) -> None:
    hold.stage, hold.because = stage, because
    put_conditions(state, hold, seq)


def put_conditions(state: MasterState, hold: Hold, seq: int) -> None:
    """Give the defender the conditions of its grapple, and end its other conditions of grapples."""
    due = {IN_GRAPPLE, *BRINGS.get(hold.stage, ())}
    for name in (IN_GRAPPLE, PINNED, EXPOSED):
        if name not in due:
            end_condition(state, hold, name)
        elif not find_effects(state.conditions, name, (hold.defender,), None):
            gain_condition(state, hold.defender, name, seq)


def end_condition(state: MasterState, hold: Hold, name: str, because: Because | None = None) -> None:
    """End a condition that a grapple brings; a combatant who is down stays exposed."""
    one, keys = state.combatants[hold.defender], find_effects(state.conditions, name, (hold.defender,), None)
    if name != EXPOSED or one.status == "up":
        state.over |= end_conditions(state, keys, because)
        return
    for key in keys:
        state.conditions[key].of += (one.standing,)


@derives(PINS, "grapple.expose-pinned-only", BREAKS, NEEDS)
def apply_option(state: MasterState, hold: Hold, attempt: Maneuver, why: Because) -> None:
    """Apply the outcome of an option: a submission, a pin, an exposure, a broken bone; none if it was prevented."""
    seq, stages = attempt.rolls[-1], {"pin": (PINNED, "grapple.pin"), "expose": (EXPOSED, "grapple.expose-pinned-only")}
    if attempt.kind == "submission":
        count_submission(state, hold, attempt, why)
    elif not attempt.is_won:
        hold.because = Because(("grapple.options-need-contest",), of=(hold.because,))
    elif attempt.kind in stages:
        stage, rule = stages[attempt.kind]
        _reach_stage(state, hold, stage, seq, Because((rule,), (seq,), of=(why, hold.because)))
    elif attempt.kind == "break":
        gain_condition(state, hold.defender, BROKEN, seq)
        hold.because = Because(("grapple.break",), of=(hold.because,))


@derives(CHOKES, BROKEN_OFF)
def count_submission(state: MasterState, hold: Hold, attempt: Maneuver, why: Because) -> None:
    """Count a round of a submission, or break it off; the third round in a row completes it."""
    turn, seq = (state.flow.began(hold.aggressor) or hold.seq), attempt.rolls[-1]
    rolled = state.option("submission-count") == ROLLED
    if not attempt.is_won:
        _reach_stage(state, hold, HELD, seq, Because(("grapple.submission-broken",), attempt.rolls, (why,)))
    elif hold.stage != CHOKING:
        broke = Because((), (hold.broke,)) if hold.broke else NOTHING_CITED
        if hold.broke and hold.rounds == ROUNDS - 1:
            keep_unchoked(state, hold, broke)
        hold.rounds, hold.begun = 1, state.clock.round
        _reach_stage(state, hold, CHOKING, seq, Because((CHOKES,), attempt.rolls, (why, hold.start, broke)))
    else:
        hold.because = Because((CHOKES,), (turn, *attempt.rolls), (why, hold.because))
        if not rolled:
            keep_unchoked(state, hold)
        if rolled and hold.last != turn:
            hold.rounds += 1
        if rolled and hold.rounds == ROUNDS:
            complete_submission(state, hold, seq)
    hold.last = turn


def keep_unchoked(state: MasterState, hold: Hold, because: Because | None = None) -> None:
    """Keep that the option on submissions, or what broke it off, decides that this one is not complete."""
    one = state.combatants[hold.defender]
    one.pools[NLD].changes.add_reason(because or asked_options())
    update_status(state, one)


@derives(CHOKES)
def complete_submission(state: MasterState, hold: Hold, seq: int) -> None:
    """Complete a submission: the defender takes its maximum hit points as non-lethal damage."""
    one = state.combatants[hold.defender]
    one.pools[NLD].change(one.hp_max or 0, seq, (hold.because, *hold.tries))
    state.health.of(one.id).by[NLD] = complete_submission.rules
    hold.stage, hold.because = HELD, Because(of=(hold.because, *hold.tries))
    state.combat.submitted[hold.defender] = seq, hold.because
    update_status(state, one)


@derives(CHOKES, at=("turn began", "turn resumed"), phase="consequences")
def complete_by_time(state: MasterState, turn: Boundary) -> None:
    """Complete, by option, a submission that began three rounds ago and was held since."""
    for hold in submissions_by(state, turn.who, rolled=False):
        hold.rounds = state.clock.round - hold.begun + 1
        hold.because = Because(complete_by_time.rules, (turn.seq,), of=(hold.because,))
        if hold.rounds > ROUNDS:
            complete_submission(state, hold, turn.seq)


@derives(CHOKES, at="turn ended", phase="consequences")
def break_submission_off(state: MasterState, turn: Boundary) -> None:
    """Break off a submission that its aggressor did not continue in its turn."""
    for hold in submissions_by(state, turn.who, rolled=True):
        if hold.last != (state.flow.began(turn.who) or hold.seq):
            began = state.flow.began(turn.who)
            because = Because(break_submission_off.rules, (began, turn.seq), of=(hold.because,))
            hold.stage, hold.because, hold.broke = HELD, because, began
            keep_unchoked(state, hold)


def submissions_by(state: MasterState, who: str, *, rolled: bool) -> list[Hold]:
    """Return the submissions that a combatant has begun, if the option counts their rounds this way."""
    own = (each for each in state.combat.grapples.holds.values() if each.aggressor == who and each.stage == CHOKING)
    return [each for each in own if (state.option("submission-count") == ROLLED) == rolled]


@derives(CHOKES)
def repeats_submission_damage(state: MasterState, fact: Occurrence[events.Fact]) -> bool:
    """Say whether recorded non-lethal damage is that of a completed submission, which the rules have dealt already."""
    if not is_a(fact, events.DamageDealt) or not fact.event.nonlethal:
        return False
    event = fact.event
    bout = bout_behind(state, fact, event.target, "submission")
    return bout is not None and state.combat.submitted.get(event.target, (0,))[0] in bout.attempt.rolls


@derives(STARTS, on=(events.DamageDealt, events.Healed, events.SaveRolled, events.CombatantLeft), phase="consequences")
def end_some_grapples(state: MasterState, fact: Reading[events.Fact]) -> None:
    """End the grapples of aggressors who are out of action, and of combatants who are dead or gone."""
    for hold in list(state.combat.grapples.holds.values()):
        one, other = state.combatants[hold.aggressor], state.combatants[hold.defender]
        if one.status != "up" or one.left or other.left or other.status == "dead":
            end_grapple(state, hold, Because(end_some_grapples.rules, (fact.seq,), of=(one.standing, other.standing)))


@derives(STAYS, on=events.ConditionLost, phase="effects")
def end_grapple_by_record(state: MasterState, fact: Reading[events.ConditionLost]) -> None:
    """End a grapple, or a pin, that is let go, unless a lost contest is recorded as its end."""
    said = fact.called
    for hold, undue in grapples_let_go(state, fact):
        if undue:
            put_conditions(state, hold, hold.seq)
        elif said in GRAPPLED:
            end_grapple(state, hold, Because(end_grapple_by_record.rules, (fact.seq,)))
        elif said in BRINGS.get(hold.stage, ()):
            because = Because(end_grapple_by_record.rules, (fact.seq,), of=(hold.because,))
            _reach_stage(state, hold, HELD if said == PINNED else PINNED, fact.seq, because)


def grapples_let_go(state: MasterState, fact: Reading[events.ConditionLost]) -> Iterator[tuple[Hold, Bout | None]]:
    """Yield the grapples recorded as over, each with the contest that is recorded as its end but cannot be it."""
    bout = state.combat.bouts.get(fact.cause) if fact.called in GRAPPLED else None
    undue = bout if bout and bout.attempt.kind in (*OPTIONS, "escape") else None
    holds = state.combat.grapples.holds
    yield from ((holds[who], undue) for who in fact.event.targets if who in holds)


@checks_by(NEEDS, BROKEN_OFF, ONCE, on=events.ConditionLost)
def nobody_is_freed_by_it(state: MasterState, fact: Reading[events.ConditionLost]) -> Iterator[Fault]:
    """Yield a fault for a combatant recorded as free by a contest that did not free it."""
    for hold, bout in grapples_let_go(state, fact):
        if bout:
            rule = {"submission": BROKEN_OFF, "escape": ONCE}.get(bout.attempt.kind, NEEDS)
            yield Fault((rule,), f"this contest does not free {hold.defender}", "still held", "free", (bout.seq,))


@checks_by(STARTS, NEEDS, on=events.ConditionGained)
def conditions_follow_from_contests(state: MasterState, fact: Reading[events.ConditionGained]) -> Iterator[Fault]:
    """Yield a fault for a condition of a grapple that no contest brought and nothing else explains."""
    said, bout = fact.called, state.combat.bouts.get(fact.cause)
    bouts = [each.attempt for each in state.combat.bouts.values() if each.attempt.kind == BROUGHT_BY.get(said)]
    for who in joined_targets(state, fact.event) if said in (IN_GRAPPLE, HELD, *BROUGHT_BY) else ():
        fallen = said in (EXPOSED, HELPLESS) and state.combatants[who].status != "up"
        known = fallen or _is_of_grapple(state, who, said) or find_effects(state.conditions, said, (who,), None)
        tried = who in state.combat.grapples.holds or any(each.defender == who for each in bouts)
        if not known and (tried or said not in BROUGHT_BY):
            rule, says = NEEDS if said in BROUGHT_BY else STARTS, f"{who} is {said}, but no contest made it so"
            yield Fault((rule,), says, "a contest won", said, (bout.seq,) if bout else ())


def _is_of_grapple(state: MasterState, who: str, said: str) -> bool:
    hold = state.combat.grapples.holds.get(who)
    return hold is not None and said in GRAPPLED | BRINGS.get(hold.stage, set())


@derives(STARTS, NEEDS, on=events.ConditionGained, phase="effects")
def remove_undue_condition(state: MasterState, fact: Reading[events.ConditionGained]) -> None:
    """Remove a condition of a grapple that no contest brought."""
    said = fact.called
    if said in (*GRAPPLED, PINNED):
        end_conditions(state, [(fact.seq, who) for who in fact.event.targets if not _is_of_grapple(state, who, said)])


@derives(STARTS)
def grapple_status(state: MasterState, who: str) -> Derived[str]:
    """Return the word for a combatant's grapple: free, holding, or its stage, with the rounds of a submission."""
    hold = state.combat.grapples.of(who)
    if hold is None:
        freed = state.combat.grapples.freed.get(who)
        return Derived("free", freed or Because(grapple_status.rules, (state.combatants[who].joined,)))
    if hold.aggressor == who:
        return Derived("holding", Because((), (hold.seq,), of=(hold.start, *hold.tries)))
    word = f"{CHOKING}({hold.rounds})" if hold.stage == CHOKING else hold.stage
    return Derived(word, Because(hold.because.rules, (hold.seq,), of=(hold.because, *hold.tries)))


def grapple_partner(state: MasterState, who: str) -> Derived[str]:
    """Return the other combatant in a combatant's grapple, or none."""
    hold, freed = state.combat.grapples.of(who), state.combat.grapples.freed.get(who)
    if hold is None:
        return Derived("none", grapple_status(state, who).because)
    of = (hold.start, *hold.tries, *((freed,) if freed else ()))
    return Derived(hold.other(who), Because(hold.start.rules, (hold.seq,), of=of))


HALF, WEAPONS = "grapple.move-half", "grapple.weapons"
SOMATIC, VERBAL = "grapple.no-somatic", "grapple.casting-without-somatic"


@checks_by(STAYS, PINS, HALF, NEEDS, on=events.Moved)
def nobody_walks_in_a_grapple(state: MasterState, fact: Reading[events.Moved]) -> Iterator[Fault]:
    """Yield a fault for a move in a grapple, and for one by the Move option that was not won or is too long."""
    event, who = fact.event, fact.event.combatant
    hold, bout = state.combat.grapples.of(who), only_bout(state, fact.fact, who, "grapple-move")
    if bout and not bout.attempt.is_won:
        yield Fault((NEEDS,), f"{bout.attempt.aggressor} has not won the contest", "no move", "a move", (bout.seq,))
    elif bout:
        by_defender = state.option("grapple-move-speed") == "defender"
        most = state.combatants[bout.attempt.defender if by_defender else bout.attempt.aggressor].sheet.speed // 2
        if feet(event) > most:
            says = f"{who} moves a grapple by up to {most} ft"
            yield Fault((HALF,), says, f"{most} ft", f"{feet(event)} ft", (bout.seq,))
    elif hold and not event.forced and not fact.is_granted(STAYS):
        pinned = hold.is_pinned and who == hold.defender
        says = f"{who} is {'pinned by' if pinned else 'in a grapple with'} {hold.other(who)}"
        yield Fault((PINS if pinned else STAYS,), says, "no move", "a move", (hold.seq,))


@checks_by(PINS, WEAPONS, on=(events.ActionTaken, events.AttackRolled))
def nobody_strikes_as_a_hold_forbids(state: MasterState, fact: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield a fault for a pinned attacker, a kill-shot at a foe not exposed, and a weapon of no use in a grapple."""
    act: MasterAct | None = fact.act
    if act is None:
        return
    for who in act.action.targets if {"kill", "shot"} <= {*words_of(f"{act.kind} {act.action.name or ''}")} else ():
        hold = state.combat.grapples.holds.get(who)
        if hold and hold.stage != EXPOSED:
            yield Fault((PINS,), f"{who} is not exposed to a kill-shot", "no kill-shot", "a kill-shot", (hold.seq,))
    hold = state.combat.grapples.of(act.combatant) if act.kind in kinds("assaults") and act.cost != AOO else None
    if hold is None:
        return
    if hold.is_pinned and act.combatant == hold.defender:
        yield Fault((PINS,), f"{act.combatant} is pinned by {hold.aggressor}", "no attack", "an attack", (hold.seq,))
    weapon = unfit_weapon(state, act) if act.kind in ("attack", "bash") else ""
    if weapon and not fact.is_granted(WEAPONS):
        due = "an unarmed attack, a dagger or a blunt striker"
        yield Fault((WEAPONS,), f"{act.combatant} is in a grapple", due, weapon, (hold.seq,))


def unfit_weapon(state: MasterState, act: MasterAct) -> str:
    """Return the weapon of an attack, if it cannot be used in a grapple; else ""."""
    name, weapon = act.action.name, weapon_of(state, act.combatant, act.action.name)
    bare = mentions("bare", name) or "unarmed" in act.action.plain_manner or not (weapon or name)
    return "" if bare or mentions("in-grapple", name, *weapon_words(weapon)) else name or "its weapon"


@checks_by(SOMATIC, VERBAL, on=events.ActionTaken)
def spells_are_cast_as_a_hold_allows(state: MasterState, fact: Reading[events.ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a held combatant's spell with gestures, or with words if it cannot speak."""
    action, who = fact.event.action, fact.event.combatant
    hold = state.combat.grapples.holds.get(who) if action.plain_kind == "cast" else None
    if hold is None:
        return
    entry = entry_of(fact.one, action)
    said = action.components if action.components is not None else entry.components if entry else None
    needs = {word.casefold() for word in said or ()}
    freed = not is_same(action.granted_by, action.name or "")
    if "somatic" in needs and not freed and not fact.is_granted(SOMATIC):
        yield Fault((SOMATIC,), f"{who} is held by {hold.aggressor}", "no gestures", "a somatic component", (hold.seq,))
    own = (each for each in state.conditions.values() if each.bearer == who)
    mute = next((each for each in own if mentions("mute", each.name)), None)
    if mute and "verbal" in needs:
        yield Fault((VERBAL,), f"{who} is {mute.name}", "no speech", "a verbal component", (hold.seq, mute.seq))


@checks_by(BREAKS, CHOKES, on=events.DamageDealt)
def options_deal_their_damage(state: MasterState, fact: Reading[events.DamageDealt]) -> Iterator[Fault]:
    """Yield a fault for damage of a break, and for damage other than that of a complete submission."""
    event, who = fact.event, fact.event.target
    bone, choke = (bout_behind(state, fact.fact, who, kind) for kind in ("break", "submission"))
    if bone and event.amount:
        says = "a break snaps a bone, and deals no damage"
        yield Fault((BREAKS,), says, "no damage", f"{event.amount} damage", (bone.seq,))
    if choke:
        most = state.combatants[who].hp_max or 0
        seq, why = state.combat.submitted.get(who, (0, NOTHING_CITED))
        complete = seq in choke.attempt.rolls
        if not (complete and event.nonlethal and event.amount == most):
            due = f"{most} non-lethal damage" if complete else "no damage yet"
            shown = why.flat().events if complete else choke.attempt.rolls
            found = f"{event.amount} {'non-lethal ' if event.nonlethal else ''}damage"
            yield Fault((CHOKES,), f"a submission deals {due}", due, found, shown)
