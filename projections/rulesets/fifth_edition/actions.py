"""The actions Dodge, Disengage, Help, Hide and Ready; reactions, the triggers that they answer, and opportunity attacks."""

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from eventstore import events
from projections.because import Because, Cites, Derived, asked_options
from projections.folds.effects import gain_condition
from projections.mechanics.conditions import find_effects
from projections.mechanics.resources import record_use
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import conditions, figures
from projections.rulesets.fifth_edition.acts import used_up_faults
from projections.rulesets.fifth_edition.circumstances import distances_along, placings, reach
from projections.rulesets.fifth_edition.conditions import cannot_act, end_conditions, has_no_speed
from projections.rulesets.fifth_edition.deeds import IN_WORDS, REACTIONS, deed_of, releases_readied_act
from projections.rulesets.fifth_edition.movement import mode_of
from projections.rulesets.fifth_edition.rolls import roll_total
from projections.rulesets.fifth_edition.state import Deed, FifthState, Held, Help
from projections.time import Boundary


@derives("act.dodge", "act.disengage", on=events.ActionTaken)
def dodge_or_disengage(state: FifthState, fact: Occurrence[events.ActionTaken]) -> None:
    """Let a combatant dodge, or disengage for the rest of the turn."""
    who, kind = fact.event.combatant, fact.kind
    if kind == "dodge":
        unable, stopped = cannot_act(state, who), has_no_speed(state, who)
        why = Because(("act.dodge",), (fact.seq,), (unable, stopped))
        if unable.value or stopped.value:
            state.ended["dodging", who] = why
        else:
            state.dodging[who] = why
    elif kind == "disengage":
        state.disengaged[who] = fact.seq


@derives("act.dodge", on=(events.DamageDealt, events.ConditionGained, events.EffectStarted), phase="status")
def end_dodging(state: FifthState, _fact: Occurrence[events.Fact]) -> None:
    """End the dodging of combatants that are incapacitated or have speed 0."""
    for who in [*state.dodging]:
        unable, stopped = cannot_act(state, who), has_no_speed(state, who)
        if unable.value or stopped.value:
            why = state.dodging.pop(who)
            state.ended["dodging", who] = Because(why.rules, why.events, (unable, stopped))


@derives("act.dodge", "act.help", "ready.lapses", at="turn began")
def expire_at_turn_start(state: FifthState, turn: Boundary) -> None:
    """End dodging, help and a readied act as the turn of their combatant begins."""
    if dodge := state.dodging.pop(turn.who, None):
        state.ended["dodging", turn.who] = dodge + Because((), (turn.seq,))
    if turn.who in state.helps:
        _end_help(state, turn.who, turn.seq)
    state.lost_spell.pop(turn.who, None)
    if held := state.held.pop(turn.who, None):
        state.lapsed[turn.who] = turn.seq
        if held.spell:
            state.released_by[turn.who] = Because(("ready.lapses",), (held.seq, turn.seq))


@derives("act.disengage", at="turn ended")
def end_disengaging(state: FifthState, turn: Boundary) -> None:
    """End disengaging with the turn, whoever's it is."""
    for who in [who for who in state.disengaged if who == turn.who or who not in state.turns.running]:
        seq = state.disengaged.pop(who)
        events = (seq, state.began.get(turn.who, seq), turn.seq)
        state.ended["disengaged", who] = Because(end_disengaging.rules, events)


@derives("act.help", on=events.ActionTaken)
def keep_help(state: FifthState, fact: Occurrence[events.ActionTaken]) -> None:
    """Keep help in an attack: a target of the helper's side is helped against a target of another side."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if fact.kind != "help":
        return
    known = [state.combatants[who] for who in state.joined(event.action.targets)]
    foes = [each.id for each in known if each.side != one.side]
    allies = [each.id for each in known if each.side == one.side]
    if foes:
        state.helps[one.id] = Help(fact.seq, next(iter(allies), ""), foes[0])


@derives("act.help", on=events.AttackRolled, phase="consequences")
def use_up_help(state: FifthState, fact: Occurrence[events.AttackRolled]) -> None:
    """End help with the first attack for which it was given."""
    event = fact.event
    for helper, helped in [(helper, each) for helper, each in state.helps.items() if each.against == event.target]:
        ally = helped.ally in ("", event.combatant)
        if state.is_new:
            ally = state.combatants[event.combatant].side == state.combatants[helper].side and event.combatant != helper
        if ally:
            _end_help(state, helper, fact.seq)
        else:
            state.helps[helper] = replace(helped, asked=asked_options())


def _end_help(state: FifthState, helper: str, seq: int) -> None:
    helped = state.helps.pop(helper)
    state.ended["helped", helped.against] = Because(use_up_help.rules, (helped.seq, seq))


@check("act.help", on=events.AttackRolled)
def helped_attacks_have_a_helper(state: FifthState, fact: Occurrence[events.AttackRolled]) -> Breach | None:
    who, whom = fact.event.combatant, fact.event.target
    if not any(re.search(r"\bhelp(s|ed)?\b", each.name.casefold()) for each in fact.event.modifiers):
        return None
    given = (each.ally for each in state.helps.values() if each.against == whom)
    if any(state.is_new or ally in ("", who) for ally in given):
        return None
    return Breach(f"nobody helps {who} against {whom}", "no help", "help")


@derives("act.hide", on=events.DiceRolled, phase="effects")
def hide_by_check(state: FifthState, fact: Occurrence[events.DiceRolled]) -> None:
    """Let the Stealth check of a Hide action hide its combatant, in 2024 with a total of 15 or more."""
    event, total = fact.event, roll_total(state, fact.event)
    deed = next((each for each in reversed(state.done.get(event.combatant or "", [])) if each.kind == "hide"), None)
    if "stealth" not in (event.purpose or "").casefold() or deed is None or total is None:
        return
    state.hiding[fact.seq] = state.hiding[deed.seq] = total
    hides = total >= 15 or not state.is_new
    why = Because(hide_by_check.rules, (deed.seq, fact.seq))
    if hides:
        gain_condition(state, deed.who, "hidden", fact.seq).of = (why,)
    else:
        state.ended["hidden", deed.who] = why


@derives("act.hide-ends", on=(events.AttackRolled, events.ActionTaken), phase="consequences")
def end_hiding(state: FifthState, fact: Occurrence[events.AttackRolled | events.ActionTaken]) -> None:
    """End being hidden after an attack, and in 2024 after a spell with a verbal component."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, events.ActionTaken):
        words = "verbal" in figures.spell_components(state, state.combatants[who], event.action)
        if fact.kind != "cast" or not words:
            return
    keys = find_effects(state.conditions, "hidden", (who,), None)
    if isinstance(event, events.ActionTaken) and not state.is_new:
        conditions.add_asked_options(state.conditions[key] for key in keys)
    else:
        end_conditions(state, keys, Because(end_hiding.rules, (fact.seq,)))


@check("act.hide", on=events.ConditionGained)
def a_failed_check_hides_nobody(state: FifthState, fact: Occurrence[events.ConditionGained]) -> Breach | None:
    total, name = state.hiding.get(fact.cause), fact.called
    if not state.is_new or name not in ("hidden", "invisible") or total is None or total >= 15:
        return None
    says = f"{', '.join(fact.event.targets)} cannot hide with a check of {total}"
    return Breach(says, "a check of 15 or more", f"a check of {total}", (fact.cause,))


@derives("act.ready", "ready.spell", on=events.ActionHeld)
def ready_act(state: FifthState, fact: Occurrence[events.ActionHeld]) -> None:
    """Keep the act that a combatant holds ready; a spell is held by concentration."""
    action, who = fact.event.action, fact.event.combatant
    name = (action.name or action.kind) if action else "an act"
    stop_holding(state, who, fact.seq)
    state.held[who] = Held(fact.seq, name, bool(action and action.plain_kind == "cast"), action)
    state.lapsed.pop(who, None)
    state.lost_spell.pop(who, None)


@derives("ready.spell")
def stop_holding(state: FifthState, who: str, seq: int) -> Held | None:
    """Stop the holding of a readied act, and return it; concentration on a readied spell ends with it."""
    held = state.held.pop(who, None)
    if held and held.spell:
        state.released_by[who] = Because(stop_holding.rules, (held.seq, seq))
    return held


def releaser(state: FifthState, fact: Occurrence[events.ActionTaken] | Occurrence[events.Moved]) -> str | None:
    """Return the combatant that releases a readied act by an act or move; None if it releases none."""
    event = fact.event
    if isinstance(event, events.Moved):
        held = state.held.get(event.combatant)
        cost = event.plain_cost
        moves = held and (held.action.plain_kind == "move" if held.action else cost == "held")
        return event.combatant if moves and cost in ("held", "reaction") else None
    return event.combatant if releases_readied_act(state, event) else None


@derives("ready.uses-reaction", on=(events.ActionTaken, events.Moved), phase="consequences")
def release_act(state: FifthState, fact: Occurrence[events.ActionTaken] | Occurrence[events.Moved]) -> None:
    """End the holding of an act as it is released."""
    who = fact.event.combatant
    if releaser(state, fact) and stop_holding(state, who, fact.seq):
        state.lapsed[who] = fact.seq
        if isinstance(fact.event, events.Moved):
            record_use(state.spending, who, "reaction", fact.seq)


@derives("act.ready")
def held_act(state: FifthState, who: str) -> Derived[str]:
    """Return the act that a combatant holds ready, or none."""
    found = state.held.get(who)
    gone = (Derived(who, Because((), (state.lapsed[who],))),) if who in state.lapsed else ()
    seq = found.seq if found else state.combatants[who].joined
    return Derived(found.name if found else "none", Because(held_act.rules, (seq,), gone))


@checks_by("ready.lapses", "ready.uses-reaction", on=events.ActionTaken, group="act", rank=4)
def a_held_act_is_released_once(state: FifthState, fact: Occurrence[events.ActionTaken]) -> Iterator[Fault]:
    """Yield the fault of releasing an act that is no longer held, or without a reaction left."""
    who = releaser(state, fact) or ""
    if who in state.held:
        yield from used_up_faults(state, deed_of(state, fact), ("ready.uses-reaction",), "reaction")
    elif who in state.lapsed and who not in state.lost_spell:
        says = f"{who} no longer holds anything"
        yield Fault(("ready.lapses",), says, "nothing held", "released", (state.lapsed[who],))


@check("ready.spell", on=events.ActionTaken, subject=releaser)
def a_lost_spell_is_not_released(state: FifthState, _fact: Occurrence[events.ActionTaken], who: str) -> Breach | None:
    why, says = state.lost_spell.get(who), f"{who} lost concentration, and the readied spell with it"
    return Breach(says, "nothing held", "released", why.flat().events) if why else None


@check("ready.spell", on=events.ActionHeld)
def only_spells_of_one_action_are_readied(state: FifthState, fact: Occurrence[events.ActionHeld]) -> Breach | None:
    action, one = fact.event.action, state.combatants[fact.event.combatant]
    entry = figures.spell_entry(state, one, action) if action and action.plain_kind == "cast" else None
    if action is None or entry is None or not entry.cost or entry.cost == "action":
        return None
    found = IN_WORDS.get(entry.cost, entry.cost)
    severity = figures.severity(one, action, "cost")
    return Breach(f"{entry.name} takes {found}", "an action", found, one.records("entries"), severity)


TRIGGER_WORDS: dict[type[events.Fact], frozenset[str]] = {
    events.Moved: frozenset(("move", "moves", "leaving")),
    events.AttackRolled: frozenset(("attack", "hit", "attacks")),
}
"""The words by which an entry of a sheet names its trigger."""


@derives("reaction.after-trigger", "reaction.needs-trigger", on=(events.Moved, events.AttackRolled))
def keep_trigger(state: FifthState, fact: Occurrence[events.Moved | events.AttackRolled]) -> None:
    """Keep a possible trigger of a reaction: its combatant, its turn, and the words by which entries name it."""
    state.answerable[fact.seq] = fact.event.combatant, state.clock.turn_event, TRIGGER_WORDS[type(fact.event)]


@check("reaction.needs-trigger", on=events.ActionTaken, group="answer", subject=deed_of)
def a_reaction_answers_its_trigger(
    state: FifthState, _fact: Occurrence[events.ActionTaken], deed: Deed
) -> Breach | None:
    entry = figures.spell_entry(state, state.combatants[deed.who], deed.action)
    trigger = state.answerable.get(deed.trigger)
    if entry is None or not entry.answers or trigger is None or deed.cost != "reaction" or deed.granted:
        return None
    if trigger[2].intersection(entry.answers.casefold().replace(",", " ").split()):
        return None
    found = ", ".join(sorted(trigger[2]))
    return Breach(f"{entry.name} answers {entry.answers}", entry.answers, found, (deed.trigger,))


@check("reaction.after-trigger", on=events.ActionTaken, group="act", rank=9, subject=deed_of)
def a_reaction_comes_at_once(state: FifthState, _fact: Occurrence[events.ActionTaken], deed: Deed) -> Breach | None:
    trigger = state.answerable.get(deed.trigger)
    if trigger is None or deed.granted or deed.cost not in REACTIONS:
        return None
    who, turn, _ = trigger
    if turn != state.clock.turn_event:
        says = "the turn in which it was triggered is over"
        return Breach(says, "at once", "later", (deed.trigger, *state.clock.events))
    acts = [each.seq for each in state.turn_deeds if each.who == who and not each.trigger]
    done = (*acts, *(each.seq for each in state.strides.get(who, ())))
    later = tuple(seq for seq in done if state.precedes(deed.trigger, seq))
    if not later:
        return None
    says = f"{who} has acted since the trigger"
    return Breach(says, "at once", "later", (deed.trigger, *later), "notice")


@derives("opportunity.not-provoked", on=events.Moved)
def keep_safe_moves(state: FifthState, fact: Occurrence[events.Moved]) -> None:
    """Keep the moves that provoke nothing: forced, by magic, or after disengaging."""
    event = fact.event
    if event.forced or mode_of(event) in ("teleport", "fall"):
        state.unprovoking[fact.seq] = f"{event.combatant} does not move by itself", ()
    elif event.combatant in state.disengaged:
        state.unprovoking[fact.seq] = f"{event.combatant} disengaged", (state.disengaged[event.combatant],)


@checks_by(
    "opportunity.not-provoked", "opportunity.one-melee-attack", "opportunity.leaving-reach", on=events.ActionTaken, group="strike",
)  # fmt: skip
def openings_are_struck_at_once(state: FifthState, fact: Occurrence[events.ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of an opportunity attack: without an opening, more than one blow in melee, at a foe that stays in reach."""
    deed = deed_of(state, fact)
    if deed.cost != "opportunity" or deed.granted:
        return
    yield from _faults_if_unprovoked(state, deed)
    kinds = ("attack", "grapple", "shove") if state.is_new else ("attack",)
    strikes = (each for each in state.turn_deeds if each.who == deed.who and each.cost == "opportunity")
    again = next((each.seq for each in strikes if deed.trigger and each.trigger == deed.trigger), 0)
    rule = ("opportunity.one-melee-attack",)
    if again:
        yield Fault(rule, f"{deed.who} has made this opportunity attack already", "one attack", "another", (again,))
    elif deed.kind not in kinds or deed.manner & {"ranged", "thrown", "spell"}:
        found = " ".join((deed.kind, *sorted(deed.manner)))
        yield Fault(rule, "an opportunity attack is one melee attack", "a melee attack", found)
    if deed.trigger not in state.moves:
        return
    mover, stride = state.moves[deed.trigger]
    one, rule = state.combatants[deed.who], ("opportunity.leaving-reach",)
    if not state.is_new and one.side == state.combatants[mover].side:
        yield Fault(rule, f"{mover} is no enemy of {deed.who}", "an enemy", mover, (deed.trigger,))
        return
    way = distances_along(state, one.id, mover, stride.path)
    if way and not _leaves_reach(way, reach(one, figures.weapon_of(one, deed.action.name))):
        says, why = f"{mover} does not leave {one.id}'s reach", (deed.trigger, *placings(state, one.id))
        yield Fault(rule, says, "no attack", "an attack", why)


def _faults_if_unprovoked(state: FifthState, deed: Deed) -> Iterator[Fault]:
    rule, safe = ("opportunity.not-provoked",), (whom for whom in deed.action.targets if whom in state.disengaged)
    if deed.trigger in state.unprovoking:
        says, at = state.unprovoking[deed.trigger]
        yield Fault(rule, says, "no attack", "an attack", (*at, deed.trigger))
    elif not deed.trigger and (whom := next(safe, "")):
        # nobody recorded which move it answers, and none of this turn provokes
        yield Fault(rule, f"{whom} disengaged", "no attack", "an attack", (state.disengaged[whom],))


def _leaves_reach(way: list[int], most: int) -> bool:
    return any(a <= most < b for a, b in pairwise(way))


@derives("opportunity.leaving-reach")
def foes_leaving_reach(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the foes that have left the reach of a combatant in this turn."""
    found: dict[str, int] = {}
    one = state.combatants[who]
    of: list[Cites] = [one.standing]
    for seq, (mover, stride) in state.moves.items():
        is_now = stride.turn == state.clock.turn_event and stride.path
        if not is_now or state.combatants[mover].side == one.side:
            continue
        _, safe = state.unprovoking.get(seq, ("", ()))
        known = (*(safe or (seq,)), *placings(state, who), *placings(state, mover))
        of.append(Derived(mover, Because((), known)))
        able = one.status == "up" and not safe
        if able and _leaves_reach(distances_along(state, who, mover, stride.path), reach(one)):
            found[mover] = seq
    return Derived([*found], Because(foes_leaving_reach.rules, (one.joined, *found.values()), tuple(of)))
