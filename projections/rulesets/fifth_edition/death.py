"""The statuses of a combatant: up, dying, stable, dead; falls to 0 hit points, death saves, first aid, and waking."""

import re
from collections.abc import Iterator

from eventstore import events
from projections.because import NOTHING_CITED, Because, Cites, Derived, ask_parts, asked_options
from projections.fight import Combatant
from projections.folds.effects import gain_condition
from projections.folds.vitals import update_status
from projections.mechanics import tallies as marks
from projections.mechanics.conditions import Effect
from projections.mechanics.pools import HP, HP_MAX, is_at_or_below
from projections.mechanics.rolls import points_kept
from projections.mechanics.turnlist import Out
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import conditions, figures
from projections.rulesets.fifth_edition.circumstances import deed_behind, roll_behind
from projections.rulesets.fifth_edition.rolls import face_or_zero, kept_face
from projections.rulesets.fifth_edition.shapes import leave_broken_shapes
from projections.rulesets.fifth_edition.state import Blow, Body, Deed, FifthState
from projections.time import Boundary

STATUSES = {
    "up": "more than 0 hit points",
    "unconscious": "more than 0 hit points, and unconscious",
    "dying": "0 hit points, with death saves to make",
    "stable": "0 hit points, and no death saves to make",
    "down": "0 hit points, and neither a character nor a monster by its sheet",
    "dead": "dead",
}

FOES = "foes"
"""The side whose members are monsters unless the log says otherwise."""
NUMBERED = re.compile(r"-\d+$")
"""The end of the id of one of several of a kind, as in goblin-2."""
_CLASSES = "artificer|barbarian|bard|cleric|druid|fighter|monk|paladin|ranger|rogue|sorcerer|thief|warlock|wizard"
CLASSED = re.compile(rf"^(?:{_CLASSES})(?![\w'’-])|\b(?:{_CLASSES}) \d", re.IGNORECASE)
"""The class of a character in a sheet's notes, at their beginning or with a level after it: cleric, elf wizard 3."""


@derives("zero.unconscious", "zero.monster-dies", "unconscious.falls", "damage.subtracts")
def status(state: FifthState, one: Combatant) -> Derived[str]:
    """Return the status of a combatant: dead, else by its hit points above 0 or at 0."""
    body = state.body(one.id)
    if body.dead:
        return Derived("dead", body.dead)
    if conditions.bare_exhaustion(state, one.id) >= 6:
        return Derived("dead", conditions.exhaustion_level(state, one.id).because)
    at_zero = is_at_or_below(one.pools[HP], 0, ())
    if body.fallen:
        state.option("hp-floor")  # by another it fell deeper, and is still down
    if one.hp_max is not None and one.hp_max <= 0:
        state.option("edition")  # in 2024 a combatant dies of a maximum of 0
    return (status_at_zero if at_zero.value else status_above_zero)(state, one, body, at_zero)


def status_above_zero(state: FifthState, one: Combatant, body: Body, above: Derived[bool]) -> Derived[str]:
    """Return up or unconscious for a combatant with hit points."""
    if asleep := [each for each in conditions.stated_conditions(state, one.id) if each.called == "unconscious"]:
        of = (above, *(Derived(one.id, Because(of=each.of)) for each in asleep))
        return Derived("unconscious", Because(("unconscious.falls",), tuple(each.seq for each in asleep), of))
    woken = (by.get(one.id, {}).get("unconscious") for by in (state.freed_by, state.rid_by))
    named = (why for name, why in conditions.possible_condition_names(state, one.id) if name == "unconscious")
    back = tuple(Derived(one.id, why) for why in (body.fallen, *woken, *named) if why)
    return Derived("up", Because((*body.why, "damage.subtracts"), (one.joined,), (above, *back)))


def status_at_zero(state: FifthState, one: Combatant, body: Body, at_zero: Derived[bool]) -> Derived[str]:
    """Return dead, down, stable or dying for a combatant at 0 hit points, by its kind and its death saves."""
    unconscious, monster = "zero.unconscious", "zero.monster-dies"
    if body.stable:
        return Derived("stable", Because(body.why, (), (body.stable, at_zero)))
    kind, because = combatant_kind(state, one)
    why = Derived(kind, because)
    if kind == "monster" and state.option(AT_ZERO) == "die":
        return Derived("dead", Because((monster,), (), (at_zero, why)))
    if not kind:
        return Derived("down", Because((unconscious,), (), (at_zero, why)))
    counts = tuple(marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    return Derived("dying", Because((*body.why, unconscious), (), (at_zero, why, *counts)))


def combatant_kind(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return the kind of a combatant, character or monster, by its sheet, a death save or the option; "" if open."""
    if one.sheet.creature:
        return one.sheet.creature, Because((), one.records("creature"))
    proof, chosen = state.body(one.id).character, state.option("unmarked")
    if proof:
        return "character", Because((), (proof,))
    if chosen != "by-joining":
        return ("" if chosen == "unsaid" else chosen), Because((), one.records("creature"))
    because = Because((), one.records("creature", "notes"))
    if CLASSED.search(one.sheet.notes or ""):
        return "character", because
    if NUMBERED.search(one.id):
        return "monster", because
    ruled = one.ruled.get("side")
    return ("monster" if one.side == FOES else ""), because + Because((), (ruled,) if ruled else ())


TRAITS = (
    "undead fortitude", "relentless", "relentless endurance", "relentless rage", "regeneration", "misty escape", "death ward",
)  # fmt: skip
"""The traits and effects that may give a combatant 1 hit point instead of 0, or keep it from being dead."""
UNLISTED = "a trait that its sheet does not list"
AT_ZERO = "monsters-at-zero"
"""The option that says whether a monster dies at 0 hit points."""
BY_POINTS = ("zero.monster-dies", "zero.massive-damage")
"""The clauses that make a combatant dead for its hit points alone."""


@derives("zero.monster-dies")
def is_dead_by_points(state: FifthState, one: Combatant) -> Derived[bool]:
    """Return whether a monster is dead for its hit points alone, and not by a record of its death."""
    if one.status != "dead" or not {*BY_POINTS} & {*one.standing.because.rules}:
        return Derived(False, NOTHING_CITED)
    kind, why = combatant_kind(state, one)
    return Derived(kind == "monster", Because((), (), (one.standing, Derived(kind, why))))


def saving_trait(state: FifthState, one: Combatant) -> str:
    """Return the trait or effect that may keep a monster alive at 0 hit points; "" if none is known."""
    effects = (each.name for each in state.effects.values() if each.bearer == one.id)
    names = (re.sub(r"\s*\(.*", "", each.casefold()) for each in (*(e.name for e in one.sheet.entries or ()), *effects))
    return next((name for name in names if name in TRAITS), "")


def make_out(state: FifthState) -> Out:
    """Return the function that says who has no turns to come: the gone, and the dead that cannot regenerate."""
    return lambda who: (
        bool(state.combatants[who].left)
        or (state.combatants[who].status == "dead" and not awaits_its_turn(state, state.combatants[who]))
    )


def awaits_its_turn(state: FifthState, one: Combatant) -> bool:
    """Say whether a monster at 0 hit points is dead only if its next turn brings back none, and has not had that turn."""
    may = not state.body(one.id).lost and ask_parts(saving_trait, state, one) == "regeneration"
    return may and ask_parts(is_dead_by_points, state, one).value


@derives("zero.monster-dies", at="turn ended", phase="aftermath")
def keep_dead_at_turn_end(state: FifthState, turn: Boundary) -> None:
    """Keep that a monster with such a trait ended its turn dead."""
    one = state.combatants[turn.who]
    if one.status == "dead" and awaits_its_turn(state, one):
        state.body(one.id).lost = turn.seq
        state.touched.add(one.id)


def doubt(state: FifthState, one: Combatant) -> str:
    """Return the words for a trait, known or not, that may keep alive a monster dead by its points; "" for none."""
    if not is_dead_by_points(state, one).value:
        return ""
    return saving_trait(state, one) or ("" if one.sheet.entries is not None else UNLISTED)


def fault_of_the_dead(state: FifthState, one: Combatant, does: str, expected: str, found: str) -> Fault:
    """Return the fault of what a dead combatant does; a notice if a trait may keep the combatant alive."""
    why, keeps = conditions.records_of(one.standing), doubt(state, one)
    if not keeps:
        return Fault(("dead.out",), f"{one.id} is dead, and {does}", expected, found, why)
    says = f"{one.id} is at 0 hit points, and {does}: {keeps}, or a ruling, would explain it"
    return Fault(("dead.out",), says, expected, found, why, (one.id,), "notice")


@derives("zero.monster-dies")
def regains_points(state: FifthState, fact: Occurrence[events.Healed]) -> Derived[bool]:
    """Return whether a monster dead by its points gets some back by its trait, or by no act that could heal it."""
    whom, deed = fact.event.target, deed_behind(state, fact.cause)
    found = is_dead_by_points(state, state.combatants[whom])
    causes = (deed.seq, *state.rolls_of.get(deed.seq, ())) if deed else ()
    hurt = any(each.event.target == whom for cause in causes for each in state.dealt.get(cause, ()))
    heals = deed and not hurt and not names_saving_trait(deed, whom)  # an act that has hurt heals nobody
    if not found.value or heals:
        return Derived(False, found.because)
    return Derived(True, Because(regains_points.rules, (), (found,)))


def names_saving_trait(deed: Deed, who: str) -> bool:
    """Say whether an act of a combatant names a trait that may keep it alive."""
    return deed.who == who and any(trait in deed.name for trait in TRAITS)


def die(state: FifthState, one: Combatant, why: Because) -> None:
    """Let a combatant die."""
    body = state.body(one.id)
    body.dead, body.why, body.stable = why, why.rules, None
    marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)


def add_marks(state: FifthState, one: Combatant, name: str, times: int, why: Because) -> None:
    """Count successes or failures of death saves, up to the third, which decides."""
    most = 3 - marks.count(state.tallies, one.id, name).value
    marks.add_marks(state.tallies, one.id, name, why, min(times, most))
    decide_at_three(state, one)


@derives("death-save.three")
def decide_at_three(state: FifthState, one: Combatant) -> None:
    """Let the third success make a combatant stable, and the third failure kill it."""
    made, failed = (marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    if failed.value >= 3:
        die(state, one, Because(decide_at_three.rules, (), (failed,)))
    elif made.value >= 3:
        become_stable(state, one, Because(decide_at_three.rules, (), (made,)))
    update_status(state, one)


def become_stable(state: FifthState, one: Combatant, why: Because, rules: tuple[str, ...] = ()) -> None:
    """Let a combatant be stable, by these clauses, else by those of the reason, and clear its death saves."""
    body = state.body(one.id)
    body.stable, body.why = why, rules or why.rules
    marks.clear_marks(state.tallies, one.id, why)
    update_status(state, one)


@derives("zero.unconscious", "zero.knock-out")
def wake_up(state: FifthState, one: Combatant, why: Because) -> None:
    """End the unconsciousness of 0 hit points, or of being knocked out; any other lasts."""
    body = state.body(one.id)
    keys = [key for key, each in state.conditions.items() if is_unconsciousness_at_zero(body, one, each)]
    conditions.end_conditions(state, keys, why)
    body.out = 0


def is_unconsciousness_at_zero(body: Body, one: Combatant, condition: Effect) -> bool:
    """Say whether a condition is the unconsciousness of 0 hit points, or of being knocked out."""
    alike = condition.called == "unconscious" and condition.bearer == one.id
    return alike and bool(body.out) and condition.seq >= body.out


def point_reasons(one: Combatant) -> tuple[Cites, ...]:
    """Return the hit points of a combatant and their maximum as reasons."""
    return tuple(one.pools[name].derived() for name in (HP, HP_MAX))


@derives("zero.massive-damage", "death-save.damage")
def is_massive(one: Combatant, blow: Blow) -> bool:
    """Say whether the damage left over at 0 hit points is at least the maximum."""
    return one.hp_max is not None and blow.beyond >= one.hp_max


@derives(
    "zero.massive-damage", "zero.knock-out", "death-save.damage", "stable.state", "temp.lost-first", "zero.unconscious",
    on=events.DamageDealt,
 phase="points")  # fmt: skip
def apply_damage(state: FifthState, fact: Occurrence[events.DamageDealt]) -> None:
    """Let damage bring a combatant to 0 hit points, knock it out, kill it, or count as failed death saves."""
    event = fact.event
    if event.object or event.amount <= 0:
        return
    absorbed = leave_broken_shapes(state, state.combatants[event.target], fact)
    lost = state.loss
    one, body = state.combatants[event.target], state.body(event.target)
    body.by = ("temp.lost-first", "damage.subtracts") if lost.temp else ("damage.subtracts",)
    blow = ask_parts(blow_of_damage, state, fact)
    if one.hp is None or one.hp > 0 or body.dead:
        return
    before = one.hp + lost.hp
    blow.beyond += event.amount - lost.temp - absorbed - max(0, before)
    if before > 0 or blow.fell:
        blow.fell = True
        if is_knocked_out(state, fact, blow):
            knock_out(state, one, fact.seq)
        elif is_massive(one, blow) and not (state.is_new and combatant_kind(state, one)[0] == "monster"):
            if event.nonlethal:
                one.pools[HP].changes.add_reason(asked_options())
            die(state, one, Because(("zero.massive-damage",), blow.events, (*point_reasons(one), blow.asked)))
        elif before > 0:
            fall_to_zero(state, one, Because(("zero.unconscious",), (fact.seq,), point_reasons(one)))
        else:
            note_same_blow(state, one, fact.seq, blow)
    elif one.status in conditions.UNCONSCIOUS:
        take_hit_at_zero(state, one, fact, blow)


def note_same_blow(state: FifthState, one: Combatant, seq: int, blow: Blow) -> None:
    """Keep that damage belongs to the blow that brought a combatant to 0 hit points, and is no failed death save."""
    why = Derived(one.id, Because(("zero.unconscious",), (seq,), (*point_reasons(one), blow.asked)))
    marks.add_reason(state.tallies, one.id, "failures", why)
    body = state.body(one.id)
    if body.stable:
        body.stable = Because(body.stable.rules, (), (body.stable, why))
    update_status(state, one)


@derives("concentration.each-source", "death-save.damage")
def blow_of_damage(state: FifthState, fact: Occurrence[events.DamageDealt]) -> Blow:
    """Return the blow of which damage is part, with this damage added."""
    target, shared, again = fact.event.target, (fact.event.target, fact.cause), tuple[int, ...]()
    key, turn = (target, fact.seq), state.clock.turn_event
    of_effect = fact.implied and fact.cause in state.begun
    if fact.cause and not of_effect and state.option("one-source") == "same-cause":
        last = state.sources.get(shared, shared)
        if last in state.blows:
            rolls = (state.rolled[seq] for seq in reversed(state.rolls_of.get(fact.cause, ())))
            struck = next((each.seq for each in rolls if each.target == target), 0)
            again = (struck,) if struck and state.precedes(state.blows[last].events[-1], struck) else ()
        key = last if last not in state.blows or (state.blows[last].turn == turn and not again) else key
        state.sources[shared] = key
    found = state.blows.setdefault(key, Blow(target, again, 0, turn=turn))
    found.events = (*found.events, fact.seq)
    found.amount += fact.event.amount + points_kept(fact.event.reductions)
    found.asked = asked_options()
    state.blow_by[fact.seq] = key
    return found


@check("zero.unconscious", on=events.DamageDealt)
def points_are_kept_instead_of_zero(state: FifthState, fact: Occurrence[events.DamageDealt]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.target]
    kept_up = points_kept(event.reductions)
    left = (one.hp or 0) + one.temp - event.amount
    if not kept_up or one.hp is None or 0 < left <= kept_up:
        return None
    says = f"the damage would leave {one.id} above 0 hp anyway" if left > 0 else f"{one.id} keeps no hit points"
    events = one.pools[HP].derived().because.flat().events
    return Breach(says, f"above 0 and at most {kept_up} hp", f"{left} hp", events)


def fall_to_zero(state: FifthState, one: Combatant, why: Because) -> None:
    """Let a combatant fall to 0 hit points: a monster dies, a character is dying and falls prone."""
    body, (seq,) = state.body(one.id), why.events
    body.why, body.stable, body.fallen, body.lost = (), None, why, 0
    marks.clear_marks(state.tallies, one.id, Because(why.rules, (seq,), (one.standing,)))
    marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)
    body.fallen = why + Because((), (), options=one.standing.because.flat().options)
    if one.status == "dead":
        body.dead = one.standing.because
        marks.add_reason(state.tallies, one.id, "failures", Because(options={AT_ZERO: state.option(AT_ZERO)}))
    elif one.status == "dying":
        conditions.fall_prone(state, one.id, seq)


def take_hit_at_zero(state: FifthState, one: Combatant, fact: Occurrence[events.DamageDealt], blow: Blow) -> None:
    """Count damage to a combatant at 0 hit points as a failed death save, that of a critical hit as two; massive damage kills."""
    body = state.body(one.id)
    counts = fact.event.amount > state.loss.temp or state.option("absorbed-damage") == "counts"
    only_ends = bool(body.stable) and state.option("stable-hit") != "one-failure"
    again = Derived(one.id, Because((), blow.events))
    why = Derived(one.id, Because((), (fact.seq,), (one.standing, *point_reasons(one), blow.asked, again)))
    if not counts:
        marks.add_reason(state.tallies, one.id, "failures", why)
        return
    if is_massive(one, blow):
        die(state, one, Because(("death-save.damage",), blow.events, (why,)))
        return
    was_stable = bool(body.stable)
    if was_stable:
        body.stable, body.why = None, ("stable.state",)
        marks.clear_marks(state.tallies, one.id, Because(("stable.state",), (fact.seq,), (one.standing,)))
        marks.add_reason(state.tallies, one.id, "successes", why)
    if blow.failed or only_ends:
        marks.add_reason(state.tallies, one.id, "failures", why)
    else:
        blow.failed = True
        body.why = (*(("stable.state",) if was_stable else ()), "death-save.damage")
        roll = roll_behind(state, fact)
        critical = roll if roll and roll.critical and roll.target == fact.event.target else None
        hit = (critical.seq, *(critical.events if critical.stated is None else ())) if critical else ()
        of = (one.standing, *point_reasons(one), blow.asked, again, *((roll.asked,) if roll else ()))
        add_marks(state, one, "failures", 2 if critical else 1, Because(("death-save.damage",), (fact.seq, *hit), of))
    update_status(state, one)
    if one.status == "dead":
        body.dead = Because(one.standing.because.rules, (fact.seq,), (one.standing.because,))


@derives("zero.knock-out")
def is_knocked_out(state: FifthState, fact: Occurrence[events.DamageDealt], blow: Blow) -> bool:
    """Say whether damage knocks its target out, chosen and not at range; in 2014 massive damage kills instead."""
    chosen = fact.event.nonlethal and not is_ranged(state, fact)
    return chosen and (not is_massive(state.combatants[blow.who], blow) or state.is_new)


def is_ranged(state: FifthState, fact: Occurrence[events.DamageDealt]) -> bool:
    """Say whether damage is that of a ranged attack, or of a spell that is no melee attack."""
    deed = deed_behind(state, fact.cause)
    if deed is None:
        return False
    return bool(deed.manner & {"ranged", "thrown"}) or (deed.kind == "cast" and "melee" not in deed.manner)


def knock_out(state: FifthState, one: Combatant, seq: int) -> None:
    """Knock a combatant out: in 2014 it is stable at 0, in 2024 unconscious at 1 hit point."""
    body, is_new = state.body(one.id), state.is_new
    why = Because(is_knocked_out.rules, (seq,))
    before = Derived(one.hp, Because((), (), (one.pools[HP].since(),)))
    one.pools[HP].set_value(1 if is_new else one.hp, seq, (why, before))
    body.why = is_knocked_out.rules
    conditions.fall_prone(state, one.id, seq)
    if is_new:
        body.by = is_knocked_out.rules
        gain_condition(state, one.id, "unconscious", seq).of = (why, before)
        body.out = seq
    else:
        body.stable = why
    update_status(state, one)


@check("zero.knock-out", on=events.DamageDealt)
def only_blows_knock_out(state: FifthState, fact: Occurrence[events.DamageDealt]) -> Breach | None:
    if not fact.event.nonlethal or not is_ranged(state, fact):
        return None
    return Breach("only a melee attack knocks out", "a melee attack", "one at range", (fact.cause,))


@derives("death-save.due", at=("turn began", "place passed"), phase="status")
def owe_death_save(state: FifthState, turn: Boundary) -> None:
    """Let a dying combatant owe a death save as its turn begins."""
    body = state.body(turn.who)
    body.saved, body.turns = (), True
    body.owes = turn.seq if state.combatants[turn.who].status == "dying" and turn.kind == "turn began" else 0


@derives("death-save.due")
def owed_death_save(state: FifthState, who: str) -> Derived[str]:
    """Return the death save that a combatant owes, or none."""
    one, body = state.combatants[who], state.body(who)
    due = bool(body.owes) and not body.saved and one.status == "dying"
    saved = Derived(due, Because((), (*filter(None, (body.owes, *body.saved)),)))
    because = Because(owed_death_save.rules, (one.joined,), (one.standing, saved))
    return Derived("death save" if due else "none", because)


@derives("death-save.outcome", "death-save.one-and-twenty", "death-save.three", on=events.SaveRolled, phase="points")
def count_death_save(state: FifthState, fact: Occurrence[events.SaveRolled]) -> None:
    """Count a death save as a success or a failure: a 1 is two failures, a 20 brings back a hit point."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.purpose != "death":
        return
    state.death_saves[fact.seq] = one.id
    body = state.body(one.id)
    if one.status == "down":
        body.character = fact.seq
        update_status(state, one)
        conditions.fall_prone(state, one.id, fact.seq)
    body.saved = (*body.saved, fact.seq)
    made = death_save_outcome(event)
    if made is None:
        return
    if one.status != "dying":
        marks.add_reason(state.tallies, one.id, "successes" if made else "failures", one.standing)
        return
    shown = face_or_zero(event.die)
    body.why = ("death-save.one-and-twenty",) if shown in (1, 20) else ("death-save.outcome",)
    if shown == 20:
        state.restored_by[fact.seq] = one.id
        regained = Because(body.why, (fact.seq,), (one.standing,))
        one.pools[HP].set_value(1, fact.seq, (one.standing,))
        body.by, body.fallen = regained.rules, regained
        marks.clear_marks(state.tallies, one.id, regained)
        wake_up(state, one, regained)
        update_status(state, one)
        return
    why = Because(body.why, (fact.seq,), (one.standing,))
    add_marks(state, one, "successes" if made else "failures", 2 if shown == 1 else 1, why)


@derives("death-save.outcome")
def death_save_outcome(event: events.SaveRolled) -> bool | None:
    """Return whether a death save succeeds: with 10 or more, always on a 20, never on a 1; without a die, as stated."""
    if event.die is None:
        return event.succeeded if event.total is None else event.total >= 10
    shown = kept_face(event.die)
    return shown == 20 or (shown != 1 and shown + sum(each.amount for each in event.modifiers) >= 10)


def repeats_regained_point(state: FifthState, fact: Occurrence[events.Fact]) -> bool:
    """Say whether recorded healing of 1 is the hit point that a death save of 20 has given already."""
    event = fact.event
    return isinstance(event, events.Healed) and event.amount == 1 and state.restored_by.get(fact.cause) == event.target


@checks_by("dead.out", "death-save.due", "death-save.outcome", on=events.SaveRolled)
def death_saves_are_right(state: FifthState, fact: Occurrence[events.SaveRolled]) -> Iterator[Fault]:
    """Yield faults for a death save that is not due or has a wrong outcome, and for any save of the dead."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if one.status == "dead":
        if not doubt(state, one):
            yield Fault(("dead.out",), f"{one.id} is dead", "no save", "a save", conditions.records_of(one.standing))
        return
    if event.purpose != "death":
        return
    body, rules = state.body(one.id), ("death-save.due",)
    if one.status not in ("dying", "down") and one.hp is not None:
        says = f"{one.id} is {one.status}, and owes no death save"
        yield Fault(rules, says, "no death save", "a death save", conditions.records_of(one.standing))
    elif body.saved and body.turns:
        yield Fault(rules, f"{one.id} has made its death save already", "one death save", "another", body.saved)
    made, rules = death_save_outcome(event), ("death-save.outcome",)
    added = next((each.name for each in event.modifiers if figures.ability_name(each.name) and each.amount), "")
    if added:
        yield Fault(rules, "a death save adds no ability modifier", "no modifier", added)
    elif event.succeeded not in (None, made):
        words = ("a failure", "a success")
        shown = event.total if event.die is None else kept_face(event.die)
        says = f"a death save of {shown} is {words[bool(made)]}"
        yield Fault(rules, says, words[bool(made)], words[bool(event.succeeded)])


@derives("stable.first-aid", "stable.state", "death-save.three", on=events.ConditionGained, phase="points")
def apply_stable_or_dead(state: FifthState, fact: Occurrence[events.ConditionGained]) -> None:
    """Let a combatant be stable or dead by a recorded condition of that name."""
    name = fact.called
    if name not in ("stable", "dead"):
        return
    for who in state.joined(fact.event.targets):
        one, body = state.combatants[who], state.body(who)
        conditions.end_conditions(state, [(fact.seq, who)])
        if name == "dead":
            die(state, one, Because(("dead.out",), (fact.seq,)))
        elif one.hp is not None and one.hp <= 0 and not body.dead and not body.stable:
            why = Because(("stable.first-aid", "stable.state"), (fact.seq,))
            if one.status != "dying":
                why += Because(of=(one.standing,))
                conditions.fall_prone(state, who, fact.seq)
            become_stable(state, one, why, ("stable.state",))


@derives("stable.first-aid", on=(events.DiceRolled, events.ActionTaken), phase="points")
def give_first_aid(state: FifthState, fact: Occurrence[events.DiceRolled | events.ActionTaken]) -> None:
    """Keep the combatant that gets first aid, and let a Medicine check of 10 make it stable, or wake it."""
    event = fact.event
    if isinstance(event, events.ActionTaken):
        whom = next(state.joined(event.action.targets), "")
        down = whom and state.combatants[whom].status in (*conditions.UNCONSCIOUS, "unconscious")
        if whom and (fact.kind == "stabilize" or (fact.kind == "help" and down and state.is_new)):
            state.aid[event.combatant] = fact.seq, whom, asked_options()
        elif whom and fact.kind == "help" and down:
            marks.add_reason(state.tallies, whom, "successes", asked_options())
            update_status(state, state.combatants[whom])
        return
    if event.combatant not in state.aid or "medicine" not in (event.purpose or "").casefold():
        return
    seq, whom, asked = state.aid[event.combatant]
    total = event.total if event.die is None else kept_face(event.die) + sum(each.amount for each in event.modifiers)
    made = state.checks_made.get(fact.seq) if event.dc is not None else total is not None and total >= 10
    one = state.combatants[whom]
    state.aided[fact.seq] = state.aided[seq] = bool(made)
    why = Because(give_first_aid.rules, (seq, fact.seq), (asked,))
    if made and one.status == "dying":
        become_stable(state, one, why)
    elif made:
        wake_up(state, one, why)
        update_status(state, one)


@checks_by("stable.first-aid", "death-save.three", on=events.ConditionGained)
def being_stable_has_its_reason(state: FifthState, fact: Occurrence[events.ConditionGained]) -> Iterator[Fault]:
    """Yield a fault for a combatant recorded as stable by a failed check, or before its third successful death save."""
    if fact.called != "stable":
        return
    if state.aided.get(fact.cause) is False:
        yield Fault(("stable.first-aid",), "the check failed", "10 or more", "less than 10", (fact.cause,))
    for who in state.joined(fact.event.targets):
        if fact.cause in state.death_saves and state.combatants[who].status == "dying":
            count = marks.count(state.tallies, who, "successes").value
            says, found = f"{who} is not stable yet", f"{count} success{'es' * (count != 1)}"
            yield Fault(("death-save.three",), says, "3 successes", found, (fact.cause,))


@derives("unconscious.falls", on=conditions.ENDING, at=conditions.BOUNDARIES, phase="aftermath")
def wake_sleepers(state: FifthState, _fact: Occurrence[events.Fact] | Boundary) -> None:
    """Derive the status of an unconscious combatant again, as its unconsciousness may have run out or ended."""
    for one in state.combatants.values():
        if one.status == "unconscious":
            update_status(state, one)
