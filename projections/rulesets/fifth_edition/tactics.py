"""What a turn brings about besides blows: dodging, disengaging, helping, hiding, readying; strikes at those who leave; two weapons."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    AttackRolled,
    ConditionGained,
    DamageDealt,
    DiceRolled,
    EffectStarted,
    Moved,
)
from projections.because import Because, Cites, Derived
from projections.folds.effects import gain
from projections.mechanics.conditions import matching
from projections.mechanics.resources import uses
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import deed_of, told
from projections.rulesets.fifth_edition.conditions import acts_not, kept_from, lose, sources, stops
from projections.rulesets.fifth_edition.ground import apart, reach, records, walked
from projections.rulesets.fifth_edition.leanings import deed_behind
from projections.rulesets.fifth_edition.movement.cost import mode_of
from projections.rulesets.fifth_edition.rolls.totals import comes_to
from projections.rulesets.fifth_edition.state import Deed, FifthState, Held, Help
from projections.rulesets.ruleset import Breach, check, derives
from projections.time import Boundary

# ---------------------------------------------------------------- dodge, disengage, help


@derives("act.dodge", "act.disengage", on=ActionTaken)
def somebody_takes_care(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let somebody dodge, or be disengaged for the rest of the turn."""
    who, kind = fact.event.combatant, fact.event.action.kind.casefold()
    if kind == "dodge":
        unable, stopped = acts_not(state, who), stops(state, who)
        why = Because(("act.dodge",), (fact.seq,), {}, (unable, stopped))
        (kept_from(state, who, "dodging", why) if unable.value or stopped.value else state.dodging.update({who: why}))
    elif kind == "disengage":
        state.disengaged[who] = fact.seq


@derives("act.dodge", on=(DamageDealt, ConditionGained, EffectStarted))
def dodging_is_lost(state: FifthState, _fact: Occurrence[Any]) -> None:
    """End the dodging of whoever is incapacitated or has speed 0."""
    for who in [*state.dodging]:
        unable, stopped = acts_not(state, who), stops(state, who)
        if unable.value or stopped.value:
            why = state.dodging.pop(who)
            state.ended["dodging", who] = Because(why.rules, why.events, {}, (unable, stopped))


@derives("act.dodge", "act.help", "ready.lapses", at="turn began")
def own_turn_ends_it(state: FifthState, turn: Boundary) -> None:
    """End dodging, help and what is held as the own turn begins."""
    if dodge := state.dodging.pop(turn.who, None):
        state.ended["dodging", turn.who] = dodge + Because((), (turn.seq,))
    if turn.who in state.helps:
        help_ends(state, turn.who, turn.seq)
    held = state.held.pop(turn.who, None)
    state.lost_spell.pop(turn.who, None)
    if held:
        state.lapsed[turn.who] = turn.seq
        if held.spell:
            state.let[turn.who] = Because(("ready.lapses",), (held.seq, turn.seq))


@derives("act.disengage", at="turn ended")
def disengaging_ends(state: FifthState, turn: Boundary) -> None:
    """End being disengaged with the turn."""
    if seq := state.disengaged.pop(turn.who, 0):
        events = (seq, state.began.get(turn.who, seq), turn.seq)
        state.ended["disengaged", turn.who] = Because(disengaging_ends.rules, events)


@derives("act.help", on=ActionTaken)
def somebody_helps(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Keep help in an attack: of the targets those of the own side are helped, one of another it is against."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.action.kind.casefold() != "help":
        return
    foes = [who for who in event.action.targets if who in state.combatants and state.combatants[who].side != one.side]
    allies = [who for who in event.action.targets if who in state.combatants and state.combatants[who].side == one.side]
    if foes:
        state.helps[one.id] = Help(fact.seq, next(iter(allies), ""), foes[0])


@derives("act.help", on=AttackRolled)
def help_is_used_up(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """End help with the first attack of whoever it is for."""
    event = fact.event
    for helper, helped in [*state.helps.items()]:
        ally = event.combatant == helped.ally or not helped.ally
        if state.is_new:
            ally = state.combatants[event.combatant].side == state.combatants[helper].side and event.combatant != helper
        if ally and event.target == helped.against:
            help_ends(state, helper, fact.seq)


def help_ends(state: FifthState, helper: str, seq: int) -> None:
    """End somebody's help, and keep what ended it."""
    helped = state.helps.pop(helper)
    state.ended["helped", helped.against] = Because(help_is_used_up.rules, (helped.seq, seq))


@check("act.help", on=AttackRolled)
def help_is_not_kept(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    if not any(each.name.casefold() == "help" for each in fact.event.modifiers):
        return None
    for helped in state.helps.values():
        if helped.against == fact.event.target and (helped.ally in ("", fact.event.combatant) or state.is_new):
            return None
    return Breach(f"nobody helps {fact.event.combatant} against {fact.event.target}", "no help", "help")


# ---------------------------------------------------------------- hiding


@derives("act.hide", on=DiceRolled)
def somebody_hides(state: FifthState, fact: Occurrence[DiceRolled]) -> None:
    """Let whoever takes the Hide action be hidden by its check, in 2024 from 15 on."""
    event, total = fact.event, comes_to(state, fact.event)
    acted = next((d for d in reversed(state.done.get(event.combatant or "", [])) if d.kind == "hide"), None)
    if "stealth" not in (event.purpose or "").casefold() or acted is None or total is None:
        return
    state.hiding[fact.seq] = state.hiding[acted.seq] = total
    why = Because(somebody_hides.rules, (acted.seq, fact.seq), state.chosen("edition"))
    if total >= 15 or not state.is_new:
        gain(state, acted.who, "hidden", fact.seq).of = (why,)
    else:
        kept_from(state, acted.who, "hidden", why)


@derives("act.hide-ends", on=(AttackRolled, ActionTaken))
def hiding_ends(state: FifthState, fact: Occurrence[Any]) -> None:
    """End being hidden right after an attack, or in 2024 after a spell with words."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, ActionTaken):
        words = "verbal" in figures.components(state.combatants[who], event.action)
        if not state.is_new or event.action.kind.casefold() != "cast" or not words:
            return
    why = Because(hiding_ends.rules, (fact.seq,), state.chosen("edition"))
    lose(state, matching(state.conditions, "hidden", (who,), None), why)


@check("act.hide", on=ConditionGained)
def a_failed_check_hides_nobody(state: FifthState, fact: Occurrence[ConditionGained]) -> Breach | None:
    event = fact.event
    total = state.hiding.get(fact.cause)
    if not state.is_new or event.condition.casefold() not in ("hidden", "invisible") or total is None or total >= 15:
        return None
    return Breach(f"{total} does not hide anybody", "15 or more", str(total), (fact.cause,))


# ---------------------------------------------------------------- ready


@derives("act.ready", "ready.spell", on=ActionHeld)
def an_act_is_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> None:
    """Keep what somebody holds ready; a spell is held by concentration."""
    event = fact.event
    action = event.action
    name = (action.name or action.kind) if action else "an act"
    spell = bool(action and action.kind.casefold() == "cast")
    state.held[event.combatant] = Held(fact.seq, name, spell)
    state.lapsed.pop(event.combatant, None)


@derives("ready.uses-reaction", on=ActionTaken)
def an_act_is_released(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let somebody hold nothing any more, once it is done."""
    who = fact.event.combatant
    held = state.held.get(who)
    if (fact.event.action.cost or "").casefold() == "held" and held:
        del state.held[who]
        state.lapsed[who] = fact.seq
        if held.spell:
            state.let[who] = Because(an_act_is_released.rules, (held.seq, fact.seq))


@derives("act.ready")
def held(state: FifthState, who: str) -> Derived[str]:
    """Return what somebody holds ready."""
    found = state.held.get(who)
    joined = state.combatants[who].joined
    gone = (Derived(who, Because((), (state.lapsed[who],))),) if not found and who in state.lapsed else ()
    return Derived(found.name if found else "none", Because(held.rules, (found.seq if found else joined,), {}, gone))


@check("ready.spell", on=ActionTaken, group="held")
def a_lost_spell_is_not_released(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    why = state.lost_spell.get(who)
    if (fact.event.action.cost or "").casefold() != "held" or who in state.held or why is None:
        return None
    return Breach(f"{who} has lost the spell with its concentration", "nothing held", "released", why.flat().events)


@check("ready.lapses", on=ActionTaken, group="act", rank=4)
def what_has_lapsed_is_not_released(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if (fact.event.action.cost or "").casefold() != "held" or who in state.held or who in state.lost_spell:
        return None
    if who not in state.lapsed:
        return None
    return Breach(f"{who} holds nothing any more", "nothing held", "released", (state.lapsed[who],))


@check("ready.uses-reaction", on=ActionTaken, group="act", rank=4)
def a_readied_act_takes_the_reaction(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if (fact.event.action.cost or "").casefold() != "held" or who not in state.held:
        return None
    used = tuple(use.seq for use in uses(state.spending, who, "reaction") if state.deeds[use.seq].counts)
    return Breach(f"{who} has used its reaction", "none left", "another", used) if used else None


@check("ready.spell", on=ActionHeld)
def only_spells_of_one_action_are_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> Breach | None:
    action, one = fact.event.action, state.combatants[fact.event.combatant]
    entry = figures.spell_of(one, action) if action and action.kind.casefold() == "cast" else None
    if entry is None or entry.cost in (None, "action"):
        return None
    return Breach(f"{entry.name} takes {entry.cost}", "an action", entry.cost or "", one.records("entries"))


# ---------------------------------------------------------------- strikes at those who leave


def strike(state: FifthState, fact: Occurrence[ActionTaken]) -> Deed | None:
    """Return a strike at somebody who leaves; None of any other act."""
    deed = deed_of(state, fact)
    return deed if deed.cost == "opportunity" and not deed.granted else None


@check("opportunity.not-provoked", on=ActionTaken, group="strike", subject=strike)
def some_moves_provoke_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    moved = state.unprovoking.get(deed.trigger)
    if moved:
        return Breach(moved, "no opening", "a strike", (deed.trigger,))
    mover, stride, _ = state.moves.get(deed.trigger, ("", None, None))
    at = state.disengaged_at.get(deed.trigger, 0)
    if stride is None or not at:
        return None
    return Breach(f"{mover} disengaged", "no opening", "a strike", (at, deed.trigger))


@derives("opportunity.not-provoked", on=Moved)
def some_moves_are_safe(state: FifthState, fact: Occurrence[Any]) -> None:
    """Keep which moves provoke nothing: forced, by magic, or of somebody who disengaged."""
    event = fact.event
    if event.forced or mode_of(event) in ("teleport", "fall"):
        state.unprovoking[fact.seq] = f"{event.combatant} does not move by itself"
    elif event.combatant in state.disengaged:
        state.disengaged_at[fact.seq] = state.disengaged[event.combatant]


@check("opportunity.one-melee-attack", on=ActionTaken, group="strike", rank=1, subject=strike)
def it_is_one_melee_attack(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    kinds = ("attack", "grapple", "shove") if state.is_new else ("attack",)
    again = [
        each for each in state.turn_deeds if each.who == deed.who and each.trigger == deed.trigger and deed.trigger
    ]
    again = [each for each in again if each.cost == "opportunity"]
    if again:
        return Breach(f"{deed.who} strikes once", "one", "another", (again[0].seq,))
    if deed.kind in kinds and not deed.manner & {"ranged", "thrown", "spell"}:
        return None
    return Breach("an opportunity attack is one blow in melee", "melee", " ".join((deed.kind, *sorted(deed.manner))))


@check("opportunity.leaving-reach", on=ActionTaken, group="strike", rank=2, subject=strike)
def it_is_at_somebody_who_leaves(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    mover, stride, _ = state.moves.get(deed.trigger, ("", None, None))
    if stride is None or mover not in state.combatants:
        return None
    one, other = state.combatants[deed.who], state.combatants[mover]
    if not state.is_new and one.side == other.side:
        return Breach(f"{mover} is not hostile to {deed.who}", "somebody hostile", mover, (deed.trigger,))
    most = reach(one, figures.weapon_of(one, deed.action.name))
    way = [apart(state, one.id, mover, None, square) for square in walked(stride.path)]
    if not way or any(feet is None for feet in way):
        return None
    leaves = any(here <= most < there for here, there in pairwise(way))  # type: ignore[operator]
    if leaves:
        return None
    return Breach(
        f"{mover} does not leave the reach of {one.id}", "leaving", "a strike", (deed.trigger, *records(state, one.id))
    )


@derives("opportunity.leaving-reach")
def openings(state: FifthState, who: str) -> Derived[list[str]]:
    """Return at whom somebody may strike, since they leave its reach in this turn."""
    found: dict[str, int] = {}
    one = state.combatants[who]
    rests: list[Cites] = [one.standing]
    for seq, (mover, stride, _) in state.moves.items():
        if stride is None or stride.turn != state.clock.turn_event or mover not in state.combatants or not stride.path:
            continue
        other = state.combatants[mover]
        if mover == who or other.side == one.side:
            continue
        known = (state.disengaged_at.get(seq, seq), *records(state, who), *records(state, mover))
        rests.append(Derived(mover, Because((), known)))
        if seq in state.disengaged_at or one.status != "up":
            continue
        way = [apart(state, who, mover, None, square) for square in walked(stride.path)]
        if any(a is not None and b is not None and a <= reach(one) < b for a, b in pairwise(way)):
            found[mover] = seq
    return Derived([*found], Because(openings.rules, (one.joined, *found.values()), {}, tuple(rests)))


# ---------------------------------------------------------------- two weapons


@check("two-weapon.bonus-attack", on=ActionTaken, subject=told)
def the_off_hand_has_its_conditions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:  # noqa: PLR0911 – one for each condition
    if "offhand" not in deed.manner or deed.granted or not deed.own or deed.cost != "bonus":
        return None
    one = state.combatants[deed.who]
    first = [d for d in state.done.get(deed.who, ()) if d.kind == "attack" and d.cost in ("action", "attack")]
    unclear = [d for d in state.done.get(deed.who, ()) if d.kind == "attack" and not d.known]
    if not first and not unclear:
        return Breach(f"{deed.who} has not attacked in this turn", "the Attack action before", "none")
    second = figures.weapon_of(one, deed.action.name)
    why = (*one.records("weapons"), *(d.seq for d in first))
    if second and figures.has_property(second, "light") is False:
        return Breach(f"{second.name} is not light", "a light weapon", second.name, why)
    light = [d for d in first if figures.has_property(figures.weapon_of(one, d.action.name), "light") is not False]
    if first and not light:
        return Breach(f"{deed.who} attacked with no light weapon before", "a light weapon", "another", why)
    if not state.is_new and second and not figures.is_melee(second):
        return Breach(f"{second.name} is no melee weapon", "a melee weapon", second.name, why)
    name = (deed.action.name or "").casefold()
    if light and all((d.action.name or "").casefold() == name != "" for d in light):
        return Breach("it is the same weapon", "a different one", deed.action.name or "", why)
    return None


# ---------------------------------------------------------------- charmed


@check("charmed.no-harm", on=(ActionTaken, AttackRolled, DamageDealt))
def the_charmed_do_not_harm_the_charmer(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    event = fact.event
    who = event.source if isinstance(event, DamageDealt) else event.combatant
    if isinstance(event, ActionTaken):
        whom = event.action.targets if event.action.kind.casefold() in ("attack", "grapple", "shove") else ()
    else:
        whom = (event.target,) if event.target else ()
        deed = deed_behind(state, fact.cause)
        who = who or (deed.who if deed else "")
        if deed and deed.kind in ("attack", "grapple", "shove"):
            return None  # the act was judged
    if who not in state.combatants:
        return None
    charmers = sources(state, who, "charmed")
    for each in whom:
        if each in charmers:
            return Breach(
                f"{who} is charmed by {each}",
                "no harm",
                "an attack",
                (charmers[each],),
                once=(fact.cause or fact.seq, each),
            )
    return None
