"""Grappling and shoving, mounts, hazards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import (
    ActionTaken,
    ConditionGained,
    ConditionLost,
    ContestRolled,
    DamageDealt,
    DiceRolled,
    EffectStarted,
    Moved,
    SaveRolled,
    TurnStarted,
)
from projections.because import Because, Cites, Derived
from projections.folds.effects import gain
from projections.folds.vitals import update_status
from projections.mechanics.conditions import matching
from projections.mechanics.pools import HP
from projections.mechanics.squares import in_feet
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import told
from projections.rulesets.fifth_edition.conditions import acts_not, fall_prone, has, kept_from, lose, speed
from projections.rulesets.fifth_edition.ground import apart, records
from projections.rulesets.fifth_edition.movement.cost import feet_of
from projections.rulesets.fifth_edition.movement.feet_left import half_speed, overdrawn
from projections.rulesets.fifth_edition.rolls.contests import winner_of
from projections.rulesets.fifth_edition.rolls.totals import comes_to
from projections.rulesets.fifth_edition.state import Deed, FifthState, Mount
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant
from projections.time import Boundary

SEIZING = ("grapple", "shove")


# ---------------------------------------------------------------- grappling and shoving


def is_attempt(deed: Deed) -> bool:
    """Say whether an act grapples or shoves somebody."""
    return deed.kind in SEIZING


@check("grapple.attempt", on=ActionTaken, subject=told)
def one_seizes_what_one_can(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not is_attempt(deed) or deed.granted:
        return None
    one = state.combatants[deed.who]
    for whom in deed.action.targets:
        other = state.combatants.get(whom)
        sizes = (figures.size(one), figures.size(other) if other else None)
        if other and sizes[0] is not None and sizes[1] is not None and sizes[1] - sizes[0] > 1:
            says = f"{whom} is more than one size larger"
            return Breach(
                says, one.sheet.size or "", other.sheet.size or "", (*one.records("size"), *other.records("size"))
            )
        feet = apart(state, deed.who, whom) if other else None
        most = 5 if state.is_new else max(5, one.sheet.reach or 5)
        if feet is not None and feet > most:
            return Breach(f"{whom} is {feet} feet away", f"{most} ft", f"{feet} ft", records(state, deed.who, whom))
    return None


@derives("grapple.contest", "grapple.escape", "contest.higher-wins", on=ContestRolled)
def contest_decides(state: FifthState, fact: Occurrence[ContestRolled]) -> None:
    """Let a contest seize or free somebody: whoever seizes and wins holds the other, whoever escapes and wins is free."""
    about, wins = (fact.event.about or "").casefold(), winner_of(fact.event)
    wins = fact.event.winner if wins is None else wins
    if wins is None:
        return
    first, *others = (each.combatant for each in fact.event.contenders)
    state.decided[fact.seq] = about, first, wins
    deed = state.deeds.get(fact.cause)
    if deed:
        state.decided[deed.seq] = about, first, wins
    if about == "escape" and wins == first:
        free(state, first, others, fact.seq)


def free(state: FifthState, who: str, holders: list[str], seq: int, options: dict[str, str] | None = None) -> None:
    """Free somebody of those who hold it."""
    keys = [
        key
        for key in matching(state.conditions, "grappled", (who,), None)
        if not state.conditions[key].source or state.conditions[key].source in holders or not holders
    ]
    lose(state, keys, Because(("grapple.escape",), (seq,), options or {}))


@checks_by("grapple.contest", on=ContestRolled)
def contests_are_of_skills(state: FifthState, fact: Occurrence[ContestRolled]) -> Iterator[Fault]:
    """Yield as a notice that somebody grapples with a bare ability though its sheet has the skill."""
    if (fact.event.about or "").casefold() not in (*SEIZING, "escape"):
        return
    for each in fact.event.contenders:
        one = state.combatants.get(each.combatant)
        if one and one.sheet.skills and figures.ability(each.using):
            says = f"{one.id} rolls Athletics or Acrobatics"
            yield Fault(
                ("grapple.contest",), says, "a skill", each.using or "", one.records("skills"), severity="notice"
            )


@checks_by(
    "grapple.contest", "grapple.save", "grapple.escape", "shove.effect", on=(ConditionGained, ConditionLost, Moved)
)
def what_follows_was_won(state: FifthState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield that somebody is seized, freed, or shoved by what was not won, or shoved both down and away."""
    event = fact.event
    if isinstance(event, Moved):
        yield from shoved_away(state, fact)
        return
    name = event.condition.casefold()
    about, first, wins = state.decided.get(fact.cause, ("", "", ""))
    if isinstance(event, ConditionLost):
        if name == "grappled" and (wins != first if about == "escape" else state.fled.get(fact.cause) is False):
            yield Fault(("grapple.escape",), "the escape was not won", "grappled", "free", (fact.cause,))
        return
    if name not in ("grappled", "prone"):
        return
    if about in SEIZING and wins != first and not contradicted(state, fact.cause):
        yield Fault(("grapple.contest",), "it was not won", "no hold", name, (fact.cause,))
    if state.resisted.get(fact.cause):
        yield Fault(("grapple.save",), "the save was made", "no hold", name, (fact.cause,))
    shove = shove_of(state, fact.cause)
    if shove and name == "prone" and shove in state.shoved_away:
        yield Fault(("shove.effect",), "prone or away, not both", "one", "both", (shove,))


def contradicted(state: FifthState, seq: int) -> bool:
    """Say whether a contest states another winner than the higher total, which is reported itself."""
    return state.misstated.get(seq, False)


@derives("contest.higher-wins", on=ContestRolled)
def winner_is_stated(state: FifthState, fact: Occurrence[ContestRolled]) -> None:
    """Keep whether a contest is told with the wrong winner."""
    wins = winner_of(fact.event)
    wrong = wins is not None and fact.event.winner not in (None, wins)
    state.misstated[fact.seq] = wrong
    if fact.cause:
        state.misstated[fact.cause] = wrong


def shove_of(state: FifthState, cause: int) -> int:
    """Return the act of shoving behind a fact; 0 where there is none."""
    about = state.decided.get(cause, ("",))[0]
    deed = state.deeds.get(cause) or state.deeds.get(state.cause_of.get(cause, 0))
    return deed.seq if deed and (deed.kind == "shove" or about == "shove") else 0


def shoved_away(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a shove pushes somebody farther than 5 feet, or away though it lies prone by it."""
    event, shove = fact.event, shove_of(state, fact.cause)
    if not shove or not event.forced:
        return
    feet = feet_of(event)
    if shove in state.shoved_down:
        yield Fault(("shove.effect",), "prone or away, not both", "one", "both", (shove,))
    elif feet > 5:
        yield Fault(("shove.effect",), "a shove pushes 5 feet", "5 ft", f"{feet} ft", (shove,))


@derives("shove.effect", on=(ConditionGained, Moved, ContestRolled, SaveRolled))
def shove_has_its_effect(state: FifthState, fact: Occurrence[Any]) -> None:
    """Keep what a shove has done already."""
    event = fact.event
    if isinstance(event, ContestRolled | SaveRolled):
        state.cause_of[fact.seq] = fact.cause
        return
    shove = shove_of(state, fact.cause)
    if shove and isinstance(event, ConditionGained) and event.condition.casefold() == "prone":
        state.shoved_down[shove] = fact.seq
    elif shove and isinstance(event, Moved) and event.forced:
        state.shoved_away[shove] = fact.seq


@derives("grapple.save")
def grapple_dc(state: FifthState, who: str) -> Derived[int] | None:
    """Return the DC of somebody's grappling and shoving in 2024; None where its sheet leaves it out."""
    one = state.combatants[who]
    strength, proficiency = figures.modifier(one, "strength"), one.sheet.proficiency
    if not state.is_new or strength is None or proficiency is None:
        return None
    why = one.records("abilities", "proficiency")
    return Derived(8 + strength + proficiency, Because(grapple_dc.rules, why, state.chosen("edition")))


@derives("grapple.save", "grapple.escape", on=(SaveRolled, DiceRolled))
def save_decides(state: FifthState, fact: Occurrence[Any]) -> None:
    """Let a failed save be a hold in 2024, and a check against the DC an escape."""
    event, deed = fact.event, state.deeds.get(fact.cause)
    if not state.is_new or event.combatant not in state.combatants:
        return
    if isinstance(event, SaveRolled):
        if (event.purpose or "") not in SEIZING:
            return
        deed = deed or next((d for d in reversed(state.turn_deeds) if event.combatant in d.action.targets), None)
        found = grapple_dc(state, deed.who) if deed else None
        comes, needed = comes_to(state, event), found.value if found else event.dc
        good = event.succeeded if comes is None or needed is None else comes >= needed
        state.resisted[fact.seq] = bool(good)
        if deed:
            state.resisted[deed.seq] = bool(good)
        if good is False and event.purpose == "grapple" and deed:
            hold = gain(state, event.combatant, "grappled", fact.seq)
            hold.source, hold.of = deed.who, (Because((), (), state.chosen("edition")),)
    elif deed and deed.kind == "escape":
        good = state.made.get(fact.seq)
        state.fled[fact.seq] = state.fled[deed.seq] = bool(good)
        if good:
            free(state, event.combatant, list(deed.action.targets), fact.seq, state.chosen("edition"))


@check("grapple.save", on=SaveRolled)
def holds_have_their_dc(state: FifthState, fact: Occurrence[SaveRolled]) -> Breach | None:
    event, deed = fact.event, state.deeds.get(fact.cause)
    if not state.is_new or event.purpose not in SEIZING or event.dc is None or deed is None:
        return None
    found = grapple_dc(state, deed.who)
    if found is None or found.value == event.dc:
        return None
    return Breach(
        f"the sheet of {deed.who} gives DC {found.value}",
        str(found.value),
        str(event.dc),
        found.because.events,
        "notice",
    )


@check("grapple.escape", on=ActionTaken, subject=told)
def escaping_is_an_action(_state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if deed.kind != "escape" or not deed.counts or deed.cost in ("action", "held"):
        return None
    return Breach("escaping takes the action", "action", deed.cost)


@derives("grapple.ends", on=(ConditionGained, EffectStarted, DamageDealt, Moved, ActionTaken, SaveRolled))
def holds_end(state: FifthState, fact: Occurrence[Any]) -> None:
    """End holds as the holder is incapacitated or down, lets go, or something takes the other out of reach."""
    event = fact.event
    for key, hold in [*state.conditions.items()]:
        if hold.name.casefold() != "grappled" or hold.source not in state.combatants:
            continue
        holder, who = state.combatants[hold.source], hold.bearer
        down = holder.status in ("dead", "down", "dying", "stable") or acts_not(state, holder.id).value
        why: tuple[Cites, ...] = (holder.standing, acts_not(state, holder.id))
        if not down:
            hold.of = (*hold.of, *why) if hold.seq == fact.seq else hold.of
            why = (Derived(who, Because((), records(state, holder.id, who))),)
        lets_go = (
            isinstance(event, ActionTaken)
            and event.action.kind.casefold() == "release"
            and event.combatant == holder.id
        )
        lets_go = lets_go and (not event.action.targets or who in event.action.targets)
        if down or lets_go or is_torn_away(state, fact, holder, who):
            lose(state, [key], Because(holds_end.rules, (fact.seq,), {}, why))


def is_torn_away(state: FifthState, fact: Occurrence[Any], holder: Combatant, who: str) -> bool:
    """Say whether a forced move takes somebody out of the reach of its holder."""
    event = fact.event
    if not isinstance(event, Moved) or not event.forced:
        return False
    mover = state.moves.get(fact.cause, ("",))[0]
    if mover == holder.id or event.combatant not in (who, holder.id):
        return False
    feet = apart(state, holder.id, who)
    if feet is not None:
        return feet > max(5, holder.sheet.reach or 5)
    deed = state.deeds.get(fact.cause)
    far = event.distance is not None and in_feet(event.distance) >= 5
    return event.combatant == who and far and fact.cause > 0 and (deed is None or deed.who != holder.id)


# ---------------------------------------------------------------- mounts


@derives("mount.half-speed", "mount.controlled", "mount.size", on=ActionTaken)
def somebody_mounts(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Keep who rides what, and who does no longer."""
    event, who = fact.event, fact.event.combatant
    kind = event.action.kind.casefold()
    if kind == "mount" and event.action.targets and event.action.targets[0] in state.combatants:
        controlled = "controlled" in (word.casefold() for word in event.action.manner)
        state.mounts[who] = Mount(event.action.targets[0], fact.seq, controlled)
        state.turns.arranged = False
    elif kind == "dismount" and who in state.mounts:
        leave(state, who, Because(("mount.half-speed",), (fact.seq,)))


@derives("mount.size", "mount.thrown-off")
def mount_of(state: FifthState, who: str) -> Derived[str]:
    """Return what somebody rides."""
    mount, off = state.mounts.get(who), state.thrown.get(who)
    if mount:
        stays = state.ended.get(("mount", who))
        of = (Derived(who, stays),) if stays else ()
        return Derived(mount.who, Because(("mount.thrown-off", "mount.size"), (mount.seq,), {}, of))
    joined = Because(("mount.thrown-off",), (state.combatants[who].joined,))
    return Derived("none", Because(off.rules if off else ("mount.size",), (), {}, (off,) if off else (joined,)))


@check("mount.size", on=ActionTaken)
def a_mount_is_larger(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    other = state.combatants.get(next(iter(event.action.targets), ""))
    if event.action.kind.casefold() != "mount" or other is None:
        return None
    sizes = figures.size(one), figures.size(other)
    if sizes[0] is None or sizes[1] is None or sizes[1] > sizes[0]:
        return None
    return Breach(
        f"{other.id} is no larger than {one.id}",
        "a larger one",
        figures.SIZES[sizes[1]],
        (*one.records("size"), *other.records("size")),
    )


@check("mount.half-speed", on=ActionTaken, subject=told)
def mounting_takes_half_the_speed(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if deed.kind not in ("mount", "dismount") or deed.cost not in ("movement", "") or deed.granted or not deed.own:
        return None
    one = state.combatants[deed.who]
    before = [d.seq for d in state.done.get(deed.who, ()) if d.kind in ("mount", "dismount")]
    if before and not state.is_new:
        return Breach(f"{deed.who} has mounted or dismounted in this move", "once", "again", tuple(before))
    left, half = overdrawn(state, one), half_speed(state, one) or 0
    if left is None or left >= half:
        return None
    why = (*speed(state, one).because.flat().events, *(each.seq for each in state.strides.get(one.id, ())))
    return Breach(f"{deed.who} has {max(0, left)} feet left", f"{half} ft", f"{max(0, left)} ft", why)


@derives("mount.thrown-off", on=(Moved, ConditionGained, SaveRolled))
def riders_may_fall(state: FifthState, fact: Occurrence[Any]) -> None:
    """Let a rider owe a save as its mount is moved or it is knocked prone, and fall off if that fails."""
    event = fact.event
    if isinstance(event, SaveRolled):
        comes = comes_to(state, event)
        good = event.succeeded if comes is None else comes >= 10
        if event.purpose == "mount":
            state.unseated.pop(event.combatant, None)
            if good is False:
                throw_off(state, event.combatant, fact.seq)
        return
    for rider, mount in [*state.mounts.items()]:
        if isinstance(event, Moved):
            carried = event.combatant == mount.who
            state.touched.update([rider] if carried else [])
            shaken = event.forced and carried
        else:
            down = event.condition.casefold() == "prone"
            shaken = down and rider in event.targets
            falls = down and mount.who in event.targets
            if falls and not state.is_new:
                throw_off(state, rider, fact.seq, state.chosen("edition"))
                continue
            if falls:
                for what in ("prone", "mount"):
                    kept_from(state, rider, what, Because(riders_may_fall.rules, (fact.seq,), state.chosen("edition")))
            shaken = shaken or falls
        if shaken:
            state.unseated[rider] = fact.seq


def throw_off(state: FifthState, who: str, seq: int, options: dict[str, str] | None = None) -> None:
    """Let a rider fall off, prone."""
    if mount := state.mounts.get(who):
        leave(state, who, Because(("mount.thrown-off",), (seq,), options or {}))
        fall_prone(state, who, seq, Derived(mount.who, Because((), (mount.seq,), options or {})), alone=True)


def leave(state: FifthState, who: str, why: Because) -> None:
    """Let a rider ride no longer."""
    mount = state.mounts.pop(who)
    state.thrown[who] = why
    state.left_by[mount.who] = Because(why.rules, (mount.seq, *why.events), why.options)
    state.turns.arranged = False


@check("mount.thrown-off", on=TurnStarted)
def riders_make_their_save(state: FifthState, _fact: Occurrence[TurnStarted]) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent":
        return ()
    told_ = {who: seq for who, seq in state.unseated.items() if who in state.mounts}
    return tuple(
        Breach(f"{who} owes a save to stay on", "a save", "none", (seq,), "notice", once=(who, seq))
        for who, seq in told_.items()
    )


MEEK = ("dash", "disengage", "dodge", "move", "stand-up", "talk", "other", "drop-prone")


@check("mount.controlled", on=ActionTaken, subject=told)
def a_controlled_mount_only_moves(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    mount = next((each for each in state.mounts.values() if each.who == deed.who and each.controlled), None)
    if mount is None or deed.kind in MEEK or deed.granted:
        return None
    return Breach(f"{deed.who} is controlled", "dash, disengage or dodge", deed.kind, (mount.seq,))


# ---------------------------------------------------------------- hazards


@derives("hazard.suffocation", at=("turn began", "turn ended"))
def breath_runs_out(state: FifthState, turn: Boundary) -> None:
    """Let whoever suffocates fall to 0 hit points after as many rounds as its Constitution, or tire in 2024."""
    one = state.combatants[turn.who]
    found = has(state, one.id, "suffocating")
    since = next(iter(found.because.flat().events), 0)
    if not found.value:
        state.choking.pop(one.id, None)
    elif turn.kind == "turn ended":
        level = Because((), (turn.seq,), state.chosen("edition"), (found,))
        state.exhausted.setdefault(one.id, []).append((int(state.is_new), Derived(one.id, level)))
        update_status(state, one)
    elif not state.is_new:
        before, turns = state.choking.get(one.id, (since, ()))
        turns = (*turns, turn.seq) if before == since else (turn.seq,)
        state.choking[one.id] = since, turns
        constitution = figures.modifier(one, "constitution")
        if constitution is not None and len(turns) == max(1, constitution) + 1 and (one.hp or 0) > 0:
            chokes(state, one, turn.seq, Because((), turns, state.chosen("edition"), (found,)))


def chokes(state: FifthState, one: Combatant, seq: int, why: Because) -> None:
    """Let somebody fall to 0 hit points for want of breath."""
    one.pools[HP].put(0, seq, (why,))
    state.body(one.id).by = breath_runs_out.rules
    update_status(state, one)
    if one.status == "dying":
        fall_prone(state, one.id, seq, Derived(one.id, why))


@derives("hazard.burning", at="turn began")
def fire_is_due(state: FifthState, turn: Boundary) -> None:
    """Let whoever burns owe damage as its turn begins, in 2024."""
    found = has(state, turn.who, "burning")
    state.burns.pop(turn.who, None)
    why = Because(fire_is_due.rules, (turn.seq,), state.chosen("edition"), (found,))
    if state.is_new and found.value:
        state.burns[turn.who] = why
    elif found.value or found.because.of:
        kept_from(state, turn.who, "fire", why)


@derives("hazard.burning", on=DamageDealt)
def fire_is_paid(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Let damage of fire pay for burning."""
    types = {(part.damage_type or "fire").casefold() for part in fact.event.parts} or {"fire"}
    if "fire" in types and (due := state.burns.pop(fact.event.target, None)):
        kept_from(state, fact.event.target, "fire", Because((), (fact.seq,), {}, (due,)))


@derives("hazard.burning")
def burning(state: FifthState, who: str) -> Derived[str]:
    """Return the damage of fire that somebody is due, or none."""
    due, over = state.burns.get(who), state.ended.get(("fire", who))
    if due:
        return Derived("1d4 fire", due)
    why = (Derived(who, over),) if over else ()
    return Derived("none", Because(burning.rules, (state.combatants[who].joined,), {}, why))
