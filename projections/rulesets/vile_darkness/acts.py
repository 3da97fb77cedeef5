"""Declarations, acts and delays of a round: the steps that keep them, and the checks that are made at once."""

from collections.abc import Iterator
from functools import partial

from msgspec import structs

from eventstore import events
from eventstore.events import ActionAbandoned, ActionDeclared, Fact, Momentary, PhaseReached, RulingMade, TurnDelayed
from projections.because import Because, asked_options
from projections.folds.effects import end_conditions
from projections.folds.side_dice import side_of, wrong_die
from projections.folds.vitals import breach_of_amount
from projections.mechanics import work
from projections.mechanics.acts import name_or_kind
from projections.mechanics.conditions import Effect, effects_of
from projections.mechanics.declarations import Declared, declare, withdraw
from projections.mechanics.work import is_same
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.concentration import end_effects_for_casting, take_work_back
from projections.rulesets.vile_darkness.initiative import groups, may_roll_again
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading, completing_row
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import DELAYED, SURPRISED, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import LASTING, in_step_four, is_required, plain_action, steps, table_kind
from projections.rulesets.vile_darkness.works import bare_under_way, begin, by_seq, due_at, tick_of, works_aside
from projections.stream.placing import MOMENTARY
from projections.time import Boundary

BEFORE_FOUR = [slot for slot, step in steps().items() if step < 4]
"""The slots before step four."""


@derives("multi.first-routine", on=(PhaseReached, *OF_ACTS))
def keep_multi_attackers(state: VileState, fact: Reading[PhaseReached | Momentary]) -> None:
    """Keep the multi-attackers who are in melee when step four begins."""
    if fact.event.phase not in (None, *BEFORE_FOUR):
        if state.round.four is None:
            state.round.four_by = fact.seq
        state.round.four = in_step_four(state)


@derives("major.one-per-round", "minor.several-allowed", on=OF_ACTS)
def keep_act(state: VileState, fact: Reading[Fact]) -> None:
    """Keep an act of the round; complete its work, or begin it if it was not declared."""
    act = fact.act
    if act is None or not state.clock.round:
        return
    restore_declaration(state, act)
    state.round.acts[act.seq] = act
    state.round.acts_of.setdefault(act.combatant, []).append(act)
    if act.kind in LASTING:
        _begin_or_complete_work(state, fact, act)


@derives("time.full-round-work", "spell.after-attacks", "complex.goes-last", "complex.delayed-may-complete")
def _begin_or_complete_work(state: VileState, fact: Reading[Fact], act: VileAct) -> None:
    found = by_seq(state, act.combatant, act.work)
    if found is None:
        found = begin(state, act.combatant, act.action, act.seq, declared=False)
        end_effects_for_casting(state, found)
        if act.kind == "complex":
            return
    if row := completing_row(state, found):  # it was the beginning, and is no act of its own
        found.started = row
        found.incidents = [each for each in found.incidents if each.seq != row.seq]
        del state.round.acts[row.seq]
        state.round.acts_of[row.combatant].remove(row)
    if act.kind != "complex" or due_at(state, found).value.round <= state.clock.round:
        spells, last, delayed_too = "spell.after-attacks", "complex.goes-last", "complex.delayed-may-complete"
        rules = (spells,) if act.kind != "complex" else (delayed_too, last) if act.delayed else (last,)
        work.complete_work(found, act.seq, tick_of(state, fact.point), Because(rules))
        state.touched.add(found.who)


@derives("delay.gives-delayed", on=OF_ACTS, phase="effects")
def give_delayed_condition(state: VileState, fact: Reading[Fact]) -> None:
    """Give the delayed condition to a combatant who announces a delay."""
    act = fact.act
    if act and act.kind == "delay" and act.slot not in ("DECLARE", "ROLL"):
        state.conditions[act.seq, act.combatant] = Effect(act.seq, DELAYED, act.combatant, since=fact.point)


@derives("delay.declared-acts-low", on=TurnDelayed)
def keep_declared_delay(state: VileState, fact: Reading[TurnDelayed]) -> None:
    """Keep a delay announced before the dice, which is a declared one."""
    match fact.act:
        case VileAct(slot="DECLARE" | "ROLL") as act:
            state.round.waits.setdefault(act.combatant, Declared(act.seq, act.action))


@derives("minor.many-may-delay", on=RulingMade)
def delay_by_ruling(state: VileState, fact: Reading[RulingMade]) -> None:
    """Give the delayed condition to combatants whom a ruling delays because of many minor actions."""
    event = fact.event
    if event.rule not in delay_by_ruling.rules:
        return
    doer = {act.combatant: (Because((), (act.seq,)),) for act in state.round.acts.values() if act.seq == event.event}
    for who, reasons in (dict.fromkeys(event.combatants, ()) or doer).items():
        state.conditions[fact.seq, who] = Effect(fact.seq, DELAYED, who, since=state.clock.point, of=reasons)


@derives("delay.gives-delayed", "setup.surprise-checked", at="round closed", phase="effects")
def end_conditions_of_round(state: VileState, boundary: Boundary) -> None:
    """End the delayed condition with its round, and by option surprise with the first."""
    ends = {DELAYED: Because(("delay.gives-delayed",), (boundary.seq,))}
    surprised = [each for each in state.conditions.values() if each.called == SURPRISED]
    if surprised and state.option("surprise-lasts") == "first-round":
        ends[SURPRISED] = Because(("setup.surprise-checked",), (boundary.seq,))
    else:
        for each in surprised:
            each.of += (asked_options(),)
    open_ended = {key: each.called for key, each in state.conditions.items() if each.duration is None}
    for name, why in ends.items():
        end_conditions(state, [key for key, called in open_ended.items() if called == name], why)


# ---------------------------------------------------------------- declarations of step one


@derives("declare.in-step-one", "declare.only-when-required", on=ActionDeclared)
def keep_declaration(state: VileState, fact: Occurrence[ActionDeclared]) -> None:
    """Keep the declaration of a combatant, or of each in a group; spells and complex work begin with it."""
    event, late = fact.event, bool(state.round.dice)
    members = [one.id for one in state.here() if one.side == event.side]
    action, those = plain_action(event.action), (event.combatant,) if event.combatant else members
    state.touched.update(those)
    for who in those:
        if action.kind == "delay":
            state.round.waits.setdefault(who, Declared(fact.seq, action))
            continue
        before = state.round.said.get(who)
        if before and not late:
            put_declaration_aside(state, who, before)
        elif before:
            state.round.besides.setdefault(who, []).append(Declared(fact.seq, action))
        if not late:
            state.round.given_up.pop(who, None)
        declare(state.round.said, who, action, fact.seq, is_required, late=late)
        said_again = late and any(is_same(name_or_kind(action), each.name) for each in bare_under_way(state, who))
        if action.kind in LASTING and not said_again:
            end_effects_for_casting(state, begin(state, who, action, fact.seq, declared=True))


def put_declaration_aside(state: VileState, who: str, said: Declared) -> None:
    """Put a replaced declaration aside, since its declarer may still carry it out."""
    state.round.shifted.setdefault(who, []).append(state.now)
    if is_required(said.action):
        state.round.besides.setdefault(who, []).append(said)
    if begun := take_work_back(state, who, said.seq):
        state.round.aside.setdefault(who, []).append(begun)


@derives("declare.in-step-one")
def restore_declaration(state: VileState, act: VileAct) -> None:
    """Restore a replaced declaration that an act carries out, and put aside the other, unless that was done, too."""
    who, dice = act.combatant, [rolled.seq for rolled in state.round.dice.values()]
    again = [each for each in state.round.besides.get(who, ()) if each.seq == act.declared]
    if not again or any(state.precedes(seq, act.declared) for seq in dice):
        return
    standing = state.round.said.get(who)
    done = standing and any(each.declared == standing.seq for each in state.round.acts_of.get(who, ()))
    state.round.besides[who].remove(again[0])
    state.round.said[who] = again[0]
    if standing and not done:
        put_declaration_aside(state, who, standing)
        state.round.given_up[who] = structs.replace(standing, withdrawn=act.declared)
    for each in [each for each in works_aside(state, who) if each.seq == act.declared]:
        state.round.aside[who].remove(each)
        state.round.shifted.setdefault(who, []).append(state.now)
        state.works.append(each)
        state.works_of.setdefault(who, []).append(each)
        each.second = act.seq if done else 0
        end_effects_for_casting(state, each)


@derives("declare.in-step-one", on=ActionAbandoned)
def withdraw_declaration(state: VileState, fact: Occurrence[ActionAbandoned]) -> None:
    """Take back a declaration: before the dice it is removed, afterwards its work is given up."""
    who, name, late = fact.event.combatant, fact.event.name, bool(state.round.dice)
    if name and name.casefold() == "delay":
        if state.round.waits.pop(who, None):
            state.round.no_delay[who] = (fact.seq,)
        return
    taken = withdraw(state.round.said, who, name, fact.seq, late=late)
    if taken:
        state.round.given_up[who] = structs.replace(taken, withdrawn=fact.seq)
    if taken and not late:
        take_work_back(state, who, taken.seq, Because((), (fact.seq,)))
    besides, aside = state.round.besides.get(who, []), works_aside(state, who)
    state.round.shifted.setdefault(who, []).append(fact.seq)
    if not late:
        besides[:] = [each for each in besides if not is_same(name, name_or_kind(each.action))]
        aside[:] = [each for each in aside if not is_same(name, each.name)]
    for each in (each for each in (*bare_under_way(state, who), *aside) if is_same(name, each.name)):
        work.give_up_work(each, fact.seq, tick_of(state, fact.point), Because(withdraw_declaration.rules))


BEFORE_THREE = ("DECLARE", "ROLL")
"""The slots before step three."""


@checks_by("setup.surprise-checked", "setup.positions-set", "round.opened-by-gm", on=events.RoundStarted)
def a_round_begins_when_all_is_set(state: VileState, fact: Reading[events.RoundStarted]) -> Iterator[Fault]:
    """Yield a fault for a round before surprise is checked or all have a place, and for one out of sequence."""
    clock, due, said = state.clock, state.clock.round + 1, fact.event.round
    if not (clock.round or state.checked):
        says = "round 1 begins, but nobody has checked for surprise"
        yield Fault(("setup.surprise-checked",), says, "a surprise check", "none")
    there = [one for one in state.here() if one.id not in state.placed]
    if new := [one for one in there if state.precedes(clock.round_event, one.joined)]:
        says = f"{' and '.join(one.name for one in new)} {'has' if len(new) == 1 else 'have'} no position yet"
        yield Fault(("setup.positions-set",), says, "a position", "none", tuple(one.joined for one in new))
    if said != due:
        why = cited_records(clock.round_event).because.events
        says = f"round {said} begins, but round {due} is next"
        yield Fault(("round.opened-by-gm",), says, f"round {due}", f"round {said}", why)


@check("round.opened-by-gm", on=(events.ActionDeclared, events.InitiativeRolled, *OF_ACTS))
def nothing_is_done_outside_a_round(state: VileState, fact: Reading[events.Fact]) -> Breach | None:
    if state.clock.open or (isinstance(fact.event, OF_ACTS) and fact.act is None):
        return None
    due = state.clock.round + 1
    return Breach(f"round {due} was not announced", f"the start of round {due}", "an act", once=("unopened", due))


@check("declare.in-step-one", on=events.ActionDeclared)
def declarations_come_before_the_dice(state: VileState, fact: Reading[events.ActionDeclared]) -> Breach | None:
    dice = tuple(rolled.seq for rolled in state.round.dice.values())
    if not state.clock.open or (not dice and state.clock.phase in ("", *BEFORE_THREE)):
        return None
    says = f"{name_or_kind(fact.event.action)} is declared after step 1"
    return Breach(says, "before the dice", "after the dice", dice or (state.clock.phase_event,))


@check("initiative.one-d6-per-group", on=events.InitiativeRolled)
def a_group_rolls_one_d6(state: VileState, fact: Reading[events.InitiativeRolled]) -> Breach | None:
    dice = state.round.dice if state.clock.open else {}
    return wrong_die(dice, side_of(state, fact.event), fact.event.die, partial(may_roll_again, state))


@checks_by("round.repeats-all-steps", "initiative.one-d6-per-group", on=OF_ACTS)
def every_group_rolls(state: VileState, fact: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield a fault for missing dice of groups at an act of step three or later."""
    missing = [side for side in groups(state) if side not in state.round.dice]
    if fact.act is None or not state.clock.open or fact.act.slot in BEFORE_THREE or not missing:
        return
    why, once = (state.clock.round_event,), ("dice", state.clock.round)
    if state.clock.round > 1 and not state.round.dice:
        says = f"nobody has rolled initiative in round {state.clock.round}"
        yield Fault(("round.repeats-all-steps",), says, "a die for each group", "none", why, once)
    else:
        says = f"{' and '.join(missing)} have no initiative die"
        yield Fault(("initiative.one-d6-per-group",), says, "a die", "none", why, once)


@check("time.round-segments", on=(events.SegmentReached, *sorted(MOMENTARY, key=lambda kind: kind.__name__)))
def a_round_has_ten_segments(state: VileState, fact: Reading[events.SegmentReached | Momentary]) -> Breach | None:
    """Report a segment that no round has, only once."""
    segment = fact.event.segment
    if segment is None or 1 <= segment <= SEGMENTS:
        return None
    once = ("segment", segment, state.clock.round)
    return Breach(f"a round has no segment {segment}", "segment 1 to 10", f"segment {segment}", once=once)


@check("hitdice.hit-points", on=(events.DamageDealt, events.Healed))
def amounts_are_not_below_0(_state: VileState, fact: Reading[events.DamageDealt | events.Healed]) -> Breach | None:
    return breach_of_amount(fact.event)


BARRED = {"free-attack": "free.not-when-surprised", "immediate-attack": "immediate-attack.not-when-surprised"}
"""The rules by which the surprised take no reactions."""


@checks_by(*BARRED.values(), on=events.ActionTaken)
def the_surprised_take_no_reactions(state: VileState, fact: Reading[events.ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a reaction of a surprised combatant."""
    cost = (fact.act and fact.act.action.cost) or ""
    why = tuple(each.seq for each in effects_of(state.conditions, fact.who) if each.called == SURPRISED)
    allowed = cost == "immediate-attack" and state.option("surprised-immediate-attack") == "allowed"
    if cost in BARRED and why and not allowed:
        yield Fault((BARRED[cost],), f"{fact.who} is surprised", f"no {cost.replace('-', ' ')}", "one", why)


@check("incantation.broken-is-lost", on=(events.ActionDeclared, events.ActionTaken))
def spells_are_somebodys(state: VileState, fact: Reading[events.ActionDeclared | events.ActionTaken]) -> Breach | None:
    """Notice an incantation that is not on its caster's sheet, if the sheet lists any."""
    action = fact.event.action
    if not fact.who or not action.name or table_kind(action) != "incantation":
        return None
    one, named = state.combatants[fact.who], action.name.casefold()
    own = {each.casefold() for each in (*one.sheet.resources, *(each.name for each in one.sheet.entries))}
    if named in own or all(each.kind != "incantation" for each in one.sheet.entries):
        return None
    says = f"{action.name} is not on {one.name}'s sheet"
    return Breach(says, "one of its own spells", action.name, (one.joined,), "notice", once=(fact.who, named))
