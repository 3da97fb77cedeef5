"""Grappling and shoving: seizing, escaping, the ends of a hold; prone, or 5 feet away."""

from collections.abc import Iterator

from eventstore import events
from projections.because import Because, Cites, Derived
from projections.fight import Combatant
from projections.folds.effects import gain_condition
from projections.mechanics.conditions import Key, find_effects
from projections.mechanics.squares import TILE, in_feet
from projections.occurrence import Occurrence, is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.circumstances import apart, distance, placings, range_breach, reach
from projections.rulesets.fifth_edition.concentration import HARM
from projections.rulesets.fifth_edition.conditions import cannot_act, end_conditions
from projections.rulesets.fifth_edition.deeds import STRIKES, deed_of
from projections.rulesets.fifth_edition.movement import feet_of_move, mode_of
from projections.rulesets.fifth_edition.rolls import contest_winner, roll_total
from projections.rulesets.fifth_edition.state import Deed, FifthState


def shove_behind(state: FifthState, cause: int) -> int:
    """Return the record of the shove behind a fact; 0 if there is none."""
    about = state.decided.get(cause, ("",))[0]
    deed = state.deeds.get(state.cause_of.get(cause, cause))
    return deed.seq if deed and (deed.kind == "shove" or about == "shove") else 0


@derives(
    "shove.effect", on=(events.ConditionGained, events.Moved, events.ContestRolled, events.SaveRolled), phase="effects"
)
def keep_shove_effect(state: FifthState, fact: Occurrence[events.Fact]) -> None:
    """Keep the effect of a shove, and the causes of contests and saves."""
    event = fact.event
    if isinstance(event, events.ContestRolled | events.SaveRolled):
        state.cause_of[fact.seq] = fact.cause
        return
    shove = shove_behind(state, fact.cause)
    if isinstance(event, events.ConditionGained) and fact.called == "prone":
        state.shoved_down[shove] = fact.seq
    elif shove and isinstance(event, events.Moved) and event.forced:
        state.shoved_away[shove] = fact.seq


SEIZING = ("grapple", "shove")


@check("grapple.attempt", on=events.ActionTaken, subject=deed_of)
def one_seizes_what_one_can(state: FifthState, _fact: Occurrence[events.ActionTaken], deed: Deed) -> Breach | None:
    if deed.kind not in SEIZING or deed.granted:
        return None
    one = state.combatants[deed.who]
    for whom in state.joined(deed.action.targets):
        other = state.combatants[whom]
        larger = figures.sizes_larger(other, one)
        if larger is not None and larger > 1:
            says, events = f"{whom} is more than one size larger", (*one.records("size"), *other.records("size"))
            return Breach(says, str(one.sheet.size), str(other.sheet.size), events)
        feet = distance(state, deed, deed.who, whom)
        most = TILE if state.is_new else reach(one)
        if feet is not None and feet > most:
            return range_breach(whom, feet, most, placings(state, deed.who, whom))
    return None


@derives("grapple.contest", "grapple.escape", "contest.higher-wins", on=events.ContestRolled, phase="effects")
def decide_contest(state: FifthState, fact: Occurrence[events.ContestRolled]) -> None:
    """Keep the winner of a contest; who wins an escape is free, who wins a grapple in 2014 holds the others."""
    deed, stated, wins = state.deeds.get(fact.cause), fact.event.winner, contest_winner(fact.event)
    about = (fact.event.about or (deed.kind if deed else "")).casefold()
    for seq in filter(None, (fact.seq, fact.cause)):
        state.misstated[seq] = wins is not None and stated not in (None, wins)
    wins = stated if wins is None else wins
    if wins is None or not fact.event.contenders:
        return
    first, *others = (each.combatant for each in fact.event.contenders)
    state.decided[fact.seq] = about, first, wins
    if fact.cause in state.deeds:
        state.decided[fact.cause] = about, first, wins
    if about == "escape" and wins == first:
        end_grapples(state, first, others, fact.seq)
    elif about == "grapple" and wins == first and not state.is_new:
        for who in state.joined(others):
            seize(state, first, who, fact.seq, *((deed.seq,) if deed and not fact.event.about else ()))


def seize(state: FifthState, holder: str, who: str, seq: int, *acts: int) -> None:
    """Let a combatant grapple another by the record that decides it, unless the other is immune to being grappled."""
    if "grappled" in (each.casefold() for each in state.combatants[who].sheet.immunities or ()):
        return
    hold = gain_condition(state, who, "grappled", seq)
    hold.source, hold.of = holder, (Because((), acts),)


def end_grapples(state: FifthState, who: str, holders: list[str], seq: int) -> None:
    """End the grapples of a combatant by these holders, or by all if none is named."""
    held = {key: state.conditions[key].source for key in find_effects(state.conditions, "grappled", (who,), None)}
    keys = [key for key, source in held.items() if not source or source in holders or not holders]
    for key in keys:
        end_hold(state, key, Because(("grapple.escape",), (seq,)))


@checks_by("grapple.contest", on=events.ContestRolled)
def contests_are_of_skills(state: FifthState, fact: Occurrence[events.ContestRolled]) -> Iterator[Fault]:
    """Yield a notice for a combatant that grapples with a bare ability though its sheet lists skills."""
    if (fact.event.about or "").casefold() not in (*SEIZING, "escape"):
        return
    for each in fact.event.contenders:
        one = state.combatants.get(each.combatant)
        if one and one.sheet.skills and figures.ability_name(each.using):
            says, why = f"{one.id} rolls a plain ability check", one.records("skills")
            yield Fault(("grapple.contest",), says, "Athletics or Acrobatics", str(each.using), why, severity="notice")


@checks_by("grapple.contest", "grapple.save", "grapple.escape", on=(events.ConditionGained, events.ConditionLost))
def holds_begin_and_end_as_they_were_won(
    state: FifthState, fact: Occurrence[events.ConditionGained | events.ConditionLost]
) -> Iterator[Fault]:
    """Yield a fault for a grapple, escape or shove that was not won."""
    name, (about, first, wins) = fact.called, state.decided.get(fact.cause, ("", "", ""))
    if isinstance(fact.event, events.ConditionLost):
        if name == "grappled" and (wins != first if about == "escape" else state.escaped.get(fact.cause) is False):
            yield Fault(("grapple.escape",), "the escape failed, but the hold ends", "grappled", "free", (fact.cause,))
    elif name in ("grappled", "prone"):
        if about in SEIZING and wins != first and not state.misstated.get(fact.cause):
            yield Fault(("grapple.contest",), "the grapple or shove was not won", "no hold", name, (fact.cause,))
        if state.resisted.get(fact.cause):
            yield Fault(("grapple.save",), "the save was made", "no hold", name, (fact.cause,))


@check("shove.effect", on=(events.ConditionGained, events.Moved))
def a_shove_has_one_effect(state: FifthState, fact: Occurrence[events.ConditionGained | events.Moved]) -> Breach | None:
    event, shove = fact.event, shove_behind(state, fact.cause)
    if isinstance(event, events.Moved):
        has_other = bool(event.forced) and shove in state.shoved_down
        if event.forced and not has_other and shove and (feet := feet_of_move(event)) > TILE:
            return Breach("a shove pushes 5 feet", "5 ft", f"{feet} ft", (shove,))
    else:
        has_other = fact.called == "prone" and shove in state.shoved_away
    return Breach("prone or away, not both", "one", "both", (shove,)) if shove and has_other else None


@derives("grapple.save")
def grapple_dc(state: FifthState, who: str) -> Derived[int] | None:
    """Return the DC of a combatant's grapples and shoves in 2024; None if its sheet leaves it out."""
    one = state.combatants[who]
    strength, proficiency = figures.modifier(one, "strength"), one.sheet.proficiency
    if strength is None or proficiency is None or not state.is_new:
        return None
    return Derived(8 + strength + proficiency, Because(grapple_dc.rules, one.records("abilities", "proficiency")))


def save_purpose(save: events.SaveRolled, deed: Deed | None) -> str | None:
    """Return the purpose of a save: the recorded one, else the grapple or shove that it answers; None for another."""
    answers = deed is not None and deed.kind in SEIZING and figures.ability_name(save.save) in ("strength", "dexterity")
    return deed.kind if deed and answers and save.purpose is None else save.purpose


def _deed_awaiting_save(state: FifthState, save: events.SaveRolled) -> Deed | None:
    """Return the last act of the turn if it is a grapple or shove that a save without cause and purpose may answer."""
    last = state.turn_deeds[-1] if state.turn_deeds and save.cause is None and save.purpose is None else None
    is_open = last is not None and last.kind in SEIZING and last.seq not in state.resisted
    return last if last and is_open and save.combatant in last.action.targets else None


def answered_hold(state: FifthState, fact: Occurrence[events.SaveRolled]) -> tuple[Deed | None, bool | None] | None:
    """Return the grapple or shove that a save answers in 2024, and whether it resists; None for another save."""
    save, deed = fact.event, state.deeds.get(fact.cause) or _deed_awaiting_save(state, fact.event)
    if not state.is_new or save_purpose(save, deed) not in SEIZING:
        return None
    deed = deed or next((d for d in reversed(state.turn_deeds) if save.combatant in d.action.targets), None)
    found = grapple_dc(state, deed.who) if deed else None
    total, needed = roll_total(state, save), found.value if found else save.dc
    return deed, save.succeeded if total is None or needed is None else total >= needed


@derives("grapple.save", "grapple.escape", on=(events.SaveRolled, events.DiceRolled), phase="effects")
def decide_by_save(state: FifthState, fact: Occurrence[events.SaveRolled | events.DiceRolled]) -> None:
    """Let a failed save start a grapple in 2024, and a check against the DC end one."""
    event, deed = fact.event, state.deeds.get(fact.cause)
    if not state.is_new:
        return
    if is_a(fact, events.SaveRolled):
        if (found := answered_hold(state, fact)) is None:
            return
        deed, good = found
        for seq in (fact.seq, *((deed.seq,) if deed else ())):
            state.resisted[seq] = bool(good)
        if good is False and save_purpose(fact.event, deed) == "grapple" and deed:
            seize(state, deed.who, fact.event.combatant, fact.seq, deed.seq)
    elif deed and deed.kind == "escape":
        good = state.checks_made.get(fact.seq)
        state.escaped[fact.seq] = state.escaped[deed.seq] = bool(good)
        if good and event.combatant:
            end_grapples(state, event.combatant, list(deed.action.targets), fact.seq)


@checks_by("grapple.save", on=events.SaveRolled)
def a_made_save_leaves_no_hold(state: FifthState, fact: Occurrence[events.SaveRolled]) -> Iterator[Fault]:
    """Yield a fault for each condition of a grapple or shove that was recorded before the save that resists it."""
    deed, resisted = answered_hold(state, fact) or (None, None)
    if deed is None or not resisted:
        return
    for each in state.conditions.values():
        came_of_it = each.source == deed.who and state.precedes(deed.seq, each.seq)
        if each.bearer == fact.event.combatant and came_of_it and each.called in ("grappled", "prone"):
            yield Fault(("grapple.save",), f"{each.bearer} made its save", "no hold", each.name, (each.seq,))


@check("grapple.save", on=events.SaveRolled)
def holds_have_their_dc(state: FifthState, fact: Occurrence[events.SaveRolled]) -> Breach | None:
    event, deed = fact.event, state.deeds.get(fact.cause)
    if deed is None or save_purpose(event, deed) not in SEIZING or event.dc is None:
        return None
    found = grapple_dc(state, deed.who)
    if found is None or found.value == event.dc:
        return None
    says, wanted = f"{deed.who}'s sheet gives DC {found.value}", f"DC {found.value}"
    return Breach(says, wanted, f"DC {event.dc}", found.because.events, "notice")


@check("grapple.escape", on=events.ActionTaken, subject=deed_of)
def escaping_is_an_action(_state: FifthState, _fact: Occurrence[events.ActionTaken], deed: Deed) -> Breach | None:
    if deed.kind != "escape" or not deed.counts or deed.cost in ("action", "held"):
        return None
    return Breach("an escape takes the action", "action", deed.cost)


@derives("grapple.ends", on=events.ConditionGained, phase="effects")
def derive_holder(state: FifthState, fact: Occurrence[events.ConditionGained]) -> None:
    """Give a hold without a source the combatant whose blow or grapple caused it, directly or by a roll."""
    if fact.cause:
        state.caused_by[fact.seq] = fact.cause
    event, cause = fact.event, state.moments.get(fact.cause)
    deed = state.deeds.get(fact.cause) or (state.deeds.get(cause.cause) if cause else None)
    if fact.called != "grappled" or event.source or deed is None or deed.kind not in STRIKES:
        return
    for key, hold in state.conditions.items():
        if key[0] == fact.seq and hold.bearer != deed.who:
            hold.source, hold.of = deed.who, (*hold.of, Because((), tuple({fact.cause, deed.seq})))


@derives("grapple.ends", on=(*HARM, events.Moved, events.ActionTaken), phase="consequences")
def end_broken_holds(state: FifthState, fact: Occurrence[events.Fact]) -> None:
    """End grapples whose holder is incapacitated, is down, has left or lets go, or whose target is moved out of reach."""
    event = fact.event
    release = event if isinstance(event, events.ActionTaken) and fact.kind == "release" else None
    for key, hold in [*state.conditions.items()]:
        who = hold.bearer
        if hold.called != "grappled":
            continue
        if hold.source not in state.combatants:
            if release and not hold.source and who in release.action.targets:
                end_hold(state, key, Because(end_broken_holds.rules, (fact.seq,)))
            continue
        holder = state.combatants[hold.source]
        left = holder.left and state.precedes(hold.seq, holder.left)  # a later hold is recorded all the same
        gone = left or holder.status in ("dead", "down", "dying", "stable") or cannot_act(state, holder.id).value
        why: tuple[Cites, ...] = (holder.standing, cannot_act(state, holder.id))
        if not gone:
            if hold.seq == fact.seq or isinstance(event, events.DamageDealt | events.RulingMade):
                hold.of = (*hold.of, *why)
            why = (Derived(who, Because((), placings(state, holder.id, who))),)
        lets_go = release and release.combatant == holder.id and who in (release.action.targets or (who,))
        if gone or lets_go or is_torn_away(state, fact, holder, who):
            end_hold(state, key, Because(end_broken_holds.rules, (fact.seq,), why))


def end_hold(state: FifthState, key: Key, why: Because) -> None:
    """End a grapple, and what else the same record of its holder does to its target, such as being restrained."""
    hold, causes = state.conditions[key], (key[0], state.caused_by.get(key[0], key[0]))
    alike = (hold.bearer, hold.source, "restrained")
    also = (other for other, each in state.conditions.items() if (each.bearer, each.source, each.called) == alike)
    end_conditions(state, [key, *(other for other in also if state.caused_by.get(other[0]) in causes)], why)


def is_torn_away(state: FifthState, fact: Occurrence[events.Fact], holder: Combatant, who: str) -> bool:
    """Say whether a forced move or teleport that the holder does not cause takes the two out of reach, or that far."""
    event = fact.event
    if not isinstance(event, events.Moved) or not (event.forced or mode_of(event) == "teleport"):
        return False
    mover = state.moves.get(fact.cause, ("",))[0]
    if mover == holder.id or event.combatant not in (who, holder.id):
        return False
    feet = apart(state, holder.id, who)
    if feet is not None:
        return feet > reach(holder)
    deed = state.deeds.get(fact.cause)
    mover = event.source or (deed.who if deed else state.clock.turn if event.forced else event.combatant)
    far = event.distance is not None and in_feet(event.distance) >= reach(holder)
    return far and (mover != holder.id or event.combatant == holder.id)
