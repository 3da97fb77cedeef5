"""Maneuvers: attempts with their touch attack, the strike that they provoke, their contest, and its outcome."""

from collections.abc import Collection, Iterable, Iterator

from eventstore import events
from projections.because import Because, Derived
from projections.folds.effects import end_conditions, gain_condition
from projections.mechanics.conditions import find_effects
from projections.mechanics.grants import is_named, words_of
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import grapple
from projections.rulesets.definition_master.acts import AOO, HELD, OPTIONS, act_at
from projections.rulesets.definition_master.arms import drop_weapon
from projections.rulesets.definition_master.attack import does_hit
from projections.rulesets.definition_master.contests import ESCAPE, TOUCH, bout_behind, is_lawful, make_side, only_bout
from projections.rulesets.definition_master.ground import feet
from projections.rulesets.definition_master.movement import provocation_answered
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Bout, Maneuver, MasterAct, MasterState, Side
from projections.rulesets.definition_master.table import contests
from projections.time import Boundary

ABOUT = {"feigned-strike": "feint", "swallow-whole": "swallow", "move": "grapple-move", "choke": "submission"}
"""Other words for the kinds of contests."""
PRONE, DISARMED = "prone", "disarmed"


@derives("maneuver.touch-roll", at="round opened", phase="consequences")
def forget_attempts(state: MasterState, _boundary: Boundary) -> None:
    """Forget the attempts, contests and provocations of earlier rounds."""
    combat = state.combat
    for kept in (combat.bouts, combat.passages, combat.failing, combat.chances, combat.openings, combat.maneuvers):
        kept.clear()
    state.over.clear()


@derives("maneuver.touch-roll", on=(events.ActionTaken, events.ActionDeclared))
def begin_attempts(state: MasterState, fact: Reading[events.ActionTaken | events.ActionDeclared]) -> None:
    """Begin an attempt at a maneuver on each target of the act."""
    act: MasterAct | None = fact.act
    if act is None or act.kind not in contests() or act.declared:
        return
    for other in act.action.targets or ("",):
        begin_attempt(state, act.kind, act.combatant, other, act.seq, act)


def begin_attempt(
    state: MasterState, kind: str, who: str, other: str, seq: int, act: MasterAct | None = None
) -> Maneuver:
    """Begin an attempt; in an escape the aggressor is the combatant who holds."""
    pair = (other, who) if kind == "escape" else (who, other)
    found = Maneuver(seq, kind, *pair, who, *((act.begun, act.bonus) if act else ()))
    state.combat.maneuvers.append(found)
    return found


def open_attempt(state: MasterState, pair: Collection[str], kind: str = "", act: int = 0) -> Maneuver | None:
    """Return the last undecided attempt between two combatants, of this kind and by this act, if these are named."""
    undecided = (each for each in reversed(state.combat.maneuvers) if not each.winner)
    own = (each for each in undecided if {each.aggressor, each.defender} - {""} <= {*pair})
    found = next((each for each in own if kind in ("", each.kind) and act in (0, each.act)), None)
    if found:  # it may name only one of the two
        other = next((who for who in pair if who not in (found.aggressor, found.defender)), "")
        found.aggressor, found.defender = found.aggressor or other, found.defender or other
    return found


@derives("maneuver.touch-roll", on=events.AttackRolled, phase="consequences")
def keep_touch(state: MasterState, fact: Reading[events.AttackRolled]) -> None:
    """Keep the touch roll that opens an attempt."""
    roll = state.round.rolls.get(fact.seq)
    if roll is None or not roll.opens:
        return
    begun = roll.act.begun
    found = open_attempt(state, (roll.who, roll.target), act=begun)
    if found is None:
        found = begin_attempt(state, roll.act.kind, roll.who, roll.target, begun, roll.act)
    found.touch = found.touch or fact.seq


@derives("maneuver.damage-penalty", on=events.DamageDealt, phase="consequences")
def keep_strike(state: MasterState, fact: Reading[events.DamageDealt]) -> None:
    """Keep the damage that the defender's strike dealt, or may have dealt, to the aggressor before the contest."""
    event, act = fact.event, act_at(state, fact.cause)
    for each in state.combat.maneuvers if fact.fact.doubtful else ():
        each.may_be_struck = each.may_be_struck or (each.aggressor == event.target and not each.winner)
    if act is None or act.cost != AOO or event.object or event.amount <= 0:
        return
    opening = provocation_answered(state, act)
    for each in state.combat.maneuvers:
        whom = (each.act, each.defender, each.aggressor, each.winner)
        if opening and whom == (opening.seq, act.combatant, event.target, ""):
            each.struck_by = fact.seq


def maneuver_kind(state: MasterState, fact: Reading[events.ContestRolled], pair: list[str]) -> str:
    """Return the kind of maneuver of a contest: the recorded one, else that of its act."""
    said = "-".join(words_of(fact.event.about or ""))
    act = act_at(state, fact.cause)
    kind = ABOUT.get(said, said) or (act.kind if act else "")
    found = open_attempt(state, pair) if kind == "grapple" else None
    return found.kind if found else kind


def attempt_decided(state: MasterState, fact: Reading[events.ContestRolled]) -> Maneuver | None:
    """Return the attempt that a contest decides; a contest without an act begins one."""
    rollers = dict.fromkeys(one.combatant for one in fact.event.contenders)
    pair = [who for who in rollers if who in state.combatants][:2]
    kind = maneuver_kind(state, fact, pair) if len(pair) == 2 else ""
    if kind not in contests():
        return None
    act = act_at(state, fact.cause)
    named = open_attempt(state, pair, kind, act.begun) if act else None
    if found := named or open_attempt(state, pair, kind):
        return found
    hold = next((each for each in state.combat.grapples.holds.values() if each.is_of(pair)), None)
    if hold and kind in (*OPTIONS, "escape"):
        first = hold.defender if kind == "escape" else hold.aggressor
        pair = [first, hold.other(first)]
    return begin_attempt(state, kind, pair[0], pair[1], fact.seq)


@derives("opposed.higher-wins", "opposed.tie-rerolls", on=events.ContestRolled, phase="rolls")
def decide_contest(state: MasterState, fact: Reading[events.ContestRolled]) -> None:
    """Decide a contest and apply its outcome; tied combatants roll again."""
    attempt = attempt_decided(state, fact)
    if attempt is None:
        return
    row, pair = contests()[attempt.kind], (attempt.aggressor, attempt.defender)
    before = state.combat.bouts[attempt.rolls[-1]].sides if attempt.rolls else {}
    rolled = [(one.combatant, one) for one in fact.event.contenders if one.combatant in pair]
    sides = {who: make_side(state, row, one, attempt, fact.seq, before.get(who)) for who, one in rolled}
    bout = Bout(fact.seq, attempt, sides, attempt.struck_by, clause_of_invalid(state, attempt, sides))
    state.combat.bouts[fact.seq] = bout
    attempt.rolls = (*attempt.rolls, fact.seq)
    if len(bout.totals) < 2:
        return
    one, other, why = bout.totals[attempt.aggressor], bout.totals[attempt.defender], outcome_reason(state, bout)
    if one != other:
        attempt.winner = max(bout.totals, key=lambda who: bout.totals[who])
        attempt.lead, attempt.valid = abs(one - other), not bout.invalid
        if bout.invalid:
            grapple.keep_why_invalid(state, attempt, why)
    if one != other and not bout.invalid:
        apply_outcome(state, attempt, why)
    else:
        _keep_standing(state, attempt, why)


def outcome_reason(state: MasterState, bout: Bout) -> Because:
    """Return the reason for the outcome of a contest: both rolls, and whether the touch before it hit."""
    row, touch = contests()[bout.attempt.kind], state.round.rolls.get(bout.attempt.touch)
    hit = (does_hit(state, touch),) if touch else ()
    of = (*(each.total for each in bout.sides.values()), *hit)
    return Because((row.rule, "opposed.higher-wins"), (bout.seq,), of=of)


def clause_of_invalid(state: MasterState, attempt: Maneuver, sides: dict[str, Side]) -> str:
    """Return the clause that keeps a contest from counting; "" if it counts."""
    touch, skill = state.round.rolls.get(attempt.touch), sides[attempt.defender].using
    if touch and does_hit(state, touch).value is False:
        return TOUCH
    lawful = is_lawful(state, contests()[attempt.kind], skill, attempt.defender, attempt)
    if skill == ESCAPE and attempt.kind in OPTIONS and not lawful:
        return "grapple.option-escape-artist"
    return grapple.clause_of_invalid(state, attempt)


@derives("trip.contest", "trample.contest", "disarm.drops-weapon", "feint.flat-footed")
def apply_outcome(state: MasterState, attempt: Maneuver, why: Because) -> None:
    """Apply the outcome of a contest: a change of a grapple, a fall, a weapon on the ground, a round without defence."""
    who, seq = attempt.defender, attempt.rolls[-1]
    if attempt.kind in (*OPTIONS, "grapple", "escape"):
        grapple.apply_contest(state, attempt, why)
    elif not attempt.is_won:
        _keep_standing(state, attempt, why)
    elif attempt.kind in ("trip", "trample"):
        gain_condition(state, who, PRONE, seq).of = (Derived(attempt.winner, why),)
    elif attempt.kind == "disarm":
        drop_weapon(state, who, seq)
        gain_condition(state, who, DISARMED, seq)
    elif attempt.kind == "feint":
        state.combat.feinted[who] = (state.clock.round, seq)


def _keep_standing(state: MasterState, attempt: Maneuver, why: Because) -> None:
    if attempt.kind in ("trip", "trample"):
        state.freed_by.setdefault(attempt.defender, {})[PRONE] = Because(why.rules, of=(Derived(attempt.winner, why),))


ENDS = {"stand-up": PRONE, "pick-up": DISARMED, "draw": DISARMED}
"""The conditions that acts end."""


@derives("disarm.drops-weapon", "move-action.stand-or-drop", on=events.ActionTaken, phase="effects")
def end_condition_by_act(state: MasterState, fact: Reading[events.ActionTaken]) -> None:
    """End prone by standing up and disarmed by taking a weapon; dropping prone begins prone."""
    kind, who = fact.kind, fact.event.combatant
    if kind == "drop-prone":
        gain_condition(state, who, PRONE, fact.seq)
    elif kind in ENDS:
        state.over |= end_conditions(state, find_effects(state.conditions, ENDS[kind], (who,), None))


def contest_of_undue_prone(state: MasterState, fact: Reading[events.ConditionGained], who: str) -> Bout | None:
    """Return the contest that is recorded as having knocked a combatant prone, and did not."""
    if fact.called != PRONE:
        return None
    bout = only_bout(state, fact.fact, who, "trip", "trample")
    return None if bout and bout.attempt.is_won and who == bout.attempt.defender else bout


@derives("trip.contest", "trample.contest", on=events.ConditionGained, phase="effects")
def remove_undue_prone(state: MasterState, fact: Reading[events.ConditionGained]) -> None:
    """Remove prone from combatants whom the recorded contest did not knock down."""
    for who in fact.event.targets:
        if bout := contest_of_undue_prone(state, fact, who):
            end_conditions(state, [(fact.seq, who)], Because((f"{bout.attempt.kind}.contest",), (fact.seq, bout.seq)))


@checks_by("trip.contest", "trample.contest", on=events.ConditionGained)
def nobody_falls_who_won(state: MasterState, fact: Reading[events.ConditionGained]) -> Iterator[Fault]:
    """Yield a fault for a combatant recorded as prone by a contest that did not knock it down."""
    for who in fact.event.targets:
        if bout := contest_of_undue_prone(state, fact, who):
            says = f"this contest did not knock {who} prone"
            yield Fault((f"{bout.attempt.kind}.contest",), says, "on its feet", PRONE, (bout.seq,))


@check("shove.distance", on=events.Moved)
def a_push_goes_as_far_as_it_won(state: MasterState, fact: Reading[events.Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    bout = (only_bout if event.forced else bout_behind)(state, fact.fact, who, "shove")
    if bout is None or who != bout.attempt.defender or event.plain_cost == HELD:
        return None
    first = 0 if state.option("shove-distance") == "five-per-five" else 5
    most, found = first + 5 * (bout.attempt.lead // 5) if bout.attempt.is_won else 0, feet(event)
    if found <= most:
        return None
    return Breach(f"{who} is pushed {most} ft at most", f"{most} ft", f"{found} ft", (bout.seq,))


def _shatter_behind(state: MasterState, fact: Reading[events.DamageDealt]) -> Maneuver | None:
    bout = bout_behind(state, fact.fact, fact.event.target, "shatter")
    return bout.attempt if bout else None


@derives("shatter.contest", on=events.DamageDealt, phase="points")
def damage_thing(state: MasterState, fact: Reading[events.DamageDealt]) -> None:
    """Keep the damage that a weapon, a shield or an armour has taken, unless the contest for it was lost."""
    event, attempt = fact.event, _shatter_behind(state, fact)
    if not event.object:
        return
    thing = (event.target, event.object.casefold())
    if not (attempt and attempt.is_lost):
        state.health.things.setdefault(thing, []).append((fact.seq, event.amount))
    elif event.amount:
        state.health.spared.setdefault(thing, []).extend(attempt.rolls)


@check("shatter.contest", on=events.DamageDealt)
def a_shatter_hurts_a_thing(state: MasterState, fact: Reading[events.DamageDealt]) -> Breach | None:
    event, attempt, act = fact.event, _shatter_behind(state, fact), act_at(state, fact.cause)
    if attempt and attempt.is_lost and event.amount:
        says, found = f"{attempt.aggressor} lost the contest", f"{event.amount} damage"
        return Breach(says, "no damage", found, attempt.rolls)
    shatters = act and act.kind == "shatter" and event.target in act.action.targets
    if event.object or not event.amount or not (attempt or shatters):
        return None
    return Breach(f"a shatter damages a thing, not {event.target}", "a thing", event.target)


def damage_of_thing(state: MasterState, who: str, name: str) -> Derived[int] | None:
    """Return the damage that a thing of a combatant has taken; None if it has taken none."""
    health = state.health
    hits = [hit for its in _things_named(health.things, who, name) for hit in health.things[its]]
    spared = (roll for its in _things_named(health.spared, who, name) for roll in health.spared[its])
    because = Because(("shatter.contest",), (*(seq for seq, _ in hits), *spared))
    return Derived(sum(amount for _, amount in hits), because) if hits else None


def _things_named(kept: Iterable[tuple[str, str]], who: str, name: str) -> list[tuple[str, str]]:
    return [(owner, each) for owner, each in kept if owner == who and is_named(name, (each,))]
