"""Swallowing: combatants inside others, cutting a way out, fainting after three rounds, death after two minutes."""

from eventstore import events
from eventstore.shapes import Duration
from projections.because import Because, Derived, asked_options
from projections.folds.effects import end_conditions, gain_condition
from projections.folds.vitals import update_status
from projections.mechanics.conditions import find_effects, folded_name
from projections.mechanics.grants import has_grant, words_of
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master.ground import size_of
from projections.rulesets.definition_master.maneuvers import open_attempt
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.sheet import CALENDAR
from projections.rulesets.definition_master.state import Inside, Maneuver, MasterState
from projections.rulesets.definition_master.table import mentions
from projections.rulesets.definition_master.vitals import attacker
from projections.time import Boundary

SWALLOWED = "swallowed"
CONTEST, CUT = "swallow.standard-contest", "swallow.cut-out"
APART, FIFTH, FAINTS, DIES = 3, 5, 3, CALENDAR.whole_units(Duration(amount=2, unit="minute"), "round")
"""Sizes between the two, the fraction of the health that a way out costs, the rounds to fainting and to death."""


@derives(CONTEST, on=events.ContestRolled, phase="consequences")
def swallow_by_contest(state: MasterState, fact: Reading[events.ContestRolled]) -> None:
    """Swallow the combatant who loses the contest about it."""
    bout = state.combat.bouts.get(fact.seq)
    if bout and bout.attempt.kind == "swallow" and bout.attempt.is_won:
        who = bout.attempt.defender
        swallow(state, who, bout.attempt.aggressor, fact.seq)
        gain_condition(state, who, SWALLOWED, fact.seq)
        update_status(state, state.combatants[who])


def swallow(state: MasterState, who: str, by: str, seq: int) -> None:
    """Keep the swallower of a combatant; its release from an earlier time no longer counts."""
    state.health.inside[who] = Inside(who, by, seq, rounds_fought(state), state.clock.round_event)
    state.health.freed.pop(who, None)


def rounds_fought(state: MasterState) -> int:
    """Return the rounds of the fight so far, those without facts included."""
    return state.clock.round + state.flow.skipped


@derives(CONTEST, on=events.ConditionGained, phase="effects")
def swallow_by_condition(state: MasterState, fact: Reading[events.ConditionGained]) -> None:
    """Keep a combatant recorded as swallowed, unless a contest says that it is not."""
    for who in _newly_swallowed(state, fact):
        if lost := lost_by_swallower(state, who):
            why = Derived(who, Because((), (*lost.rolls[-1:], fact.seq)))
            state.health.freed[who] = Because((CONTEST,), (state.combatants[who].joined,), (why,))
            end_conditions(state, [(fact.seq, who)], Because((CONTEST,), lost.rolls[-1:]))
        else:
            swallow(state, who, attacker(state, fact.fact), fact.seq)


def _newly_swallowed(state: MasterState, fact: Reading[events.ConditionGained]) -> list[str]:
    named = fact.event.targets if SWALLOWED in words_of(fact.event.condition) else ()
    return [who for who in named if who in state.combatants and who not in state.health.inside]


def lost_by_swallower(state: MasterState, who: str) -> Maneuver | None:
    """Return the last decided attempt to swallow a combatant, if the swallower has lost it."""
    tried = (each for each in reversed(state.combat.maneuvers) if (each.kind, each.defender) == ("swallow", who))
    last = next((each for each in tried if each.winner), None)
    return last if last and last.is_lost else None


@check(CONTEST, on=events.ConditionGained)
def swallowing_needs_its_contest(state: MasterState, fact: Reading[events.ConditionGained]) -> Breach | None:
    who = next(iter(_newly_swallowed(state, fact)), "")
    lost = lost_by_swallower(state, who)
    found, because = (f"{who} won it", lost.rolls[-1:]) if lost else ("no contest", ())
    return Breach(f"{who} is swallowed only by losing a contest", "a lost contest", found, because) if who else None


@check("swallow.size", on=(events.ActionTaken, events.ContestRolled))
def three_sizes_lie_between(
    state: MasterState, fact: Reading[events.ActionTaken | events.ContestRolled]
) -> Breach | None:
    for one, other in swallowing(state, fact):
        own, prey = (size_of(state, who) for who in (one, other))
        apart = own.rank - prey.rank if own and prey else APART
        if apart < APART and not may_swallow_bigger(state, one, fact):
            because = tuple(sorted({state.combatants[who].joined for who in (one, other)}))
            says, found = f"{one} is not {APART} sizes larger than {other}", f"{apart} size{'s' * (apart != 1)}"
            return Breach(says, f"{APART} sizes", found, because)
    return None


def swallowing(state: MasterState, fact: Reading[events.ActionTaken | events.ContestRolled]) -> list[tuple[str, str]]:
    """Return the pairs of swallower and prey in an act, or in a contest without such an act."""
    event = fact.event
    if isinstance(event, events.ActionTaken):
        others = event.action.targets if fact.kind == "swallow" else ()
        return [(event.combatant, other) for other in others if other in state.combatants]
    pair = [each.combatant for each in event.contenders if each.combatant in state.combatants][:2]
    known = len(pair) < 2 or open_attempt(state, pair, "swallow") is not None
    return [(pair[0], pair[1])] if "swallow" in words_of(event.about or "") and not known else []


def may_swallow_bigger(state: MasterState, who: str, fact: Reading[events.Fact]) -> bool:
    """Say whether a feat, an entry or a ruling lets a combatant swallow bigger foes."""
    one, events = state.combatants[who], (fact.seq, fact.cause)
    named = (*one.sheet.feats, *(each.name for each in one.sheet.entries))
    ruled = has_grant(state.rulings, "swallow.size", who=(who, one.side), event=events, said=("swallow",))
    return ruled.value or any("swallow" in name.casefold() for name in named)


@derives(CUT, on=events.DamageDealt, phase="consequences")
def count_cut(state: MasterState, fact: Reading[events.DamageDealt]) -> None:
    """Count the damage that a swallowed combatant cuts; a fifth of the swallower's maximum makes a way out."""
    inside, amount = state.health.inside.get(attacker(state, fact.fact)), fact.event.amount
    if inside is None or inside.by != fact.event.target or amount <= 0 or not is_cut(state, fact):
        return
    inside.cut += amount
    inside.cuts = (*inside.cuts, fact.seq)
    most = state.combatants[inside.by].hp_max
    if most is not None and FIFTH * inside.cut >= most:
        release(state, inside.who, Because(count_cut.rules, (inside.seq, *inside.cuts)))


def is_cut(state: MasterState, fact: Reading[events.DamageDealt]) -> bool:
    """Say whether damage is that of a slashing or piercing weapon or, without a recorded type, of no blunt one."""
    roll = state.round.dealt[fact.seq].roll
    named = [text for part in fact.event.parts for text in (part.damage_type, part.name)]
    named += [roll.weapon] if roll else []
    named += [roll.arm.damage_type, *roll.arm.attributes] if roll and roll.arm else []
    return not fact.event.nonlethal and (mentions("cuts", *named) or not mentions("blunt", *named))


def release(state: MasterState, who: str, because: Because) -> None:
    """Let a combatant out; a record that repeats it is no fault."""
    nearly = Derived("", state.health.inside.pop(who).nearly)
    state.health.freed[who] = Because(because.rules, because.events, (*because.of, nearly))
    gone = end_conditions(state, find_effects(state.conditions, SWALLOWED, (who,), None), because)
    state.over |= gone
    if because.of and not gone:
        state.freed_by.setdefault(who, {})[folded_name(SWALLOWED)] = because
    update_status(state, state.combatants[who])


Release = events.ConditionLost | events.EffectEnded | events.CombatantLeft
"""The facts by which somebody may come out."""


@derives(CUT, on=(events.ConditionLost, events.EffectEnded, events.CombatantLeft), phase="consequences")
def release_by_record(state: MasterState, fact: Reading[Release]) -> None:
    """Let a combatant out who is recorded as out, unless its own cut was not enough; a dead combatant stays dead."""
    for who in combatants_released(state, fact):
        inside = state.health.inside[who]
        if cut_needed(state, fact, who):
            gain_condition(state, who, SWALLOWED, inside.seq)
        else:
            by = state.combatants.get(inside.by)
            dead = (by.standing,) if by and by.status == "dead" else ()
            release(state, who, Because(release_by_record.rules, (inside.seq, fact.seq), dead))


def combatants_released(state: MasterState, fact: Reading[Release]) -> list[str]:
    """Return the swallowed combatants whom a fact records as out, or who have left or whose swallower has."""
    event = fact.event
    if isinstance(event, events.CombatantLeft):
        return [who for who, each in state.health.inside.items() if event.combatant in (who, each.by)]
    name = event.condition if isinstance(event, events.ConditionLost) else event.effect
    return [who for who in event.targets if who in state.health.inside and SWALLOWED in words_of(name)]


def cut_needed(state: MasterState, fact: Reading[Release], who: str) -> int:
    """Return the damage that a combatant needs to be out by its own cut, as recorded; 0 for any other way."""
    event, by = fact.event, state.combatants.get(state.health.inside[who].by)
    if isinstance(event, events.CombatantLeft) or by is None or by.status == "dead":
        return 0
    if mentions("own-way", event.reason):
        own = (state.combatants.keys() - {who, by.id}).isdisjoint(words_of(event.reason))
    elif event.cause:
        own = fact.cause in state.moments and attacker(state, state.moments[fact.cause]) == who
    else:
        own = not event.reason and state.clock.turn == who
    return -(-(by.hp_max or 0) // FIFTH) if own else 0


@check(CUT, on=(events.ConditionLost, events.EffectEnded))
def a_cut_takes_a_fifth(state: MasterState, fact: Reading[events.ConditionLost | events.EffectEnded]) -> Breach | None:
    who = next((each for each in combatants_released(state, fact) if cut_needed(state, fact, each)), None)
    if who is None:
        return None
    inside = state.health.inside[who]
    says = f"{who} has cut {inside.cut} of {inside.by}'s {state.combatants[inside.by].hp_max} hit points"
    wanted, found = f"{cut_needed(state, fact, who)} damage", f"{inside.cut} damage"
    return Breach(says, wanted, found, (inside.seq, *inside.cuts))


@derives("swallow.unconscious", "swallow.death", at=("turn began", "turn resumed", "place passed"))
def count_round_inside(state: MasterState, turn: Boundary) -> None:
    """Count the turns of a swallower."""
    for inside in (each for each in state.health.inside.values() if each.by == turn.who):
        inside.turns = rounds_fought(state) - inside.round
        pass_time(state, inside, turn.seq)


@derives("swallow.death", on=events.TimePassed)
def count_time_inside(state: MasterState, fact: Reading[events.TimePassed]) -> None:
    """Count time that passes without facts as rounds."""
    for inside in state.health.inside.values():
        inside.passed = (*inside.passed, fact.seq)
        inside.turns += CALENDAR.whole_units(fact.event.time, "round")
        pass_time(state, inside, fact.seq)


@derives("swallow.unconscious", "swallow.death")
def pass_time(state: MasterState, inside: Inside, seq: int) -> None:
    """Let a combatant faint after three rounds inside, and die after two minutes."""
    body = state.health.of(inside.who)
    if inside.turns >= FAINTS and not inside.fainted:
        inside.fainted = seq
    fainting = FAINTS if inside.turns >= DIES - 1 and state.option("swallow-death-from") == "fainting" else 0
    nearly = inside.opened and inside.turns in (FAINTS - 1, DIES + fainting - 1)
    inside.nearly = Because((), (inside.opened,) if nearly else (), options={})
    if inside.turns >= DIES and not body.dead:
        inside.asked = asked_options()
        if inside.turns >= DIES + fainting:
            body.dead = Because(("swallow.death",), tuple(sorted({inside.seq, *inside.passed, seq})))
    update_status(state, state.combatants[inside.who])


def swallower(state: MasterState, who: str) -> Derived[object]:
    """Return the swallower of a combatant, or none."""
    inside = state.health.inside.get(who)
    if inside:
        return Derived(inside.by, Because((CONTEST,), (inside.seq,)))
    return Derived("none", state.health.freed.get(who, Because((CONTEST,), (state.combatants[who].joined,))))
