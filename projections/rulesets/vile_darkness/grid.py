"""Space: melee, distances and ranges, shared squares, room for a weapon, positioning steps; the checks are late."""

from collections.abc import Iterable, Iterator

from eventstore.events import ActionTaken, AttackRolled, EffectStarted, Fact, Moved, Placed
from projections.because import Because, Derived
from projections.folds.effects import stated_list
from projections.mechanics.squares import legs, path_squares
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness import space, table, works
from projections.rulesets.vile_darkness.action_checks import is_granted
from projections.rulesets.vile_darkness.attack import roll_behind
from projections.rulesets.vile_darkness.concentration import disturb, keep_why_spared
from projections.rulesets.vile_darkness.order import recorded_act
from projections.rulesets.vile_darkness.place import is_blow
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading, act_behind
from projections.rulesets.vile_darkness.state import AttackRoll, Rounds, Scene, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import ATTACKS, POSITIONING, is_missile

UNTIL_APART = Rounds()


def engage(state: VileState, who: str, others: Iterable[str | None], seq: int, rounds: Rounds = UNTIL_APART) -> None:
    """Put a combatant in melee with others who have joined: for these rounds, else until the two separate."""
    for other in others:
        if other in state.combatants:
            state.melee.engage(who, other, seq, rounds, state.clock.round)


@derives("setup.positions-set", on=Placed, phase="reading")
def keep_position(state: VileState, fact: Occurrence[Placed]) -> None:
    """Keep the square and the opponents of a combatant; a new placement ends melee with others."""
    event, who = fact.event, fact.event.combatant
    if who in state.placed:
        state.melee.separate(who, fact.seq, event.engaged)
    state.placed[who] = fact.seq
    engage(state, who, event.engaged, fact.seq)
    if event.square is not None:
        space.put_on_square(state, who, event.square, fact.seq)


@derives("grid.melee-zone-by-ruling", on=(ActionTaken, AttackRolled))
def put_attacker_in_melee(state: VileState, fact: Reading[ActionTaken | AttackRolled]) -> None:
    """Put an attacker in melee with its targets from the next round on; after a charge now, by a free attack not."""
    event, now = fact.event, state.clock.round
    act = fact.act or act_behind(state, fact.fact, event.combatant)
    if act and act.kind in ATTACKS and act.action.cost != "free-attack" and not is_missile(state, act):
        targets = act.action.targets if isinstance(event, ActionTaken) else (event.target,)
        first = now if act.kind == "charge" else now + 1
        engage(state, act.combatant, targets, act.seq, Rounds(first, now + 1, state.round.opened))


@derives("movement.positioning-not-in-melee", on=(ActionTaken, Moved))
def leave_melee(state: VileState, fact: Reading[ActionTaken | Moved]) -> None:
    """Keep the opponents of a mover, and end its melee if it flees or walks."""
    act = fact.act
    if act is None:
        return
    state.round.engaged[act.seq] = foes_in_melee(state, act.combatant)
    within = state.round.acts.get(act.trigger)
    if act.kind == "flee" or (act.feet > POSITIONING and not (within and within.kind == "charge")):
        state.melee.separate(act.combatant, act.seq)


@derives("multi.first-routine", "movement.positioning-not-in-melee")
def foes_in_melee(state: VileState, who: str) -> Derived[list[str]]:
    """Return a combatant's opponents in melee who are still in the fight."""
    found, over = state.melee.foes(who, state.clock.round, state.clock.round_event)
    own, *others = [state.combatants[each] for each in (who, *found)]
    out = tuple(one.standing for one in (own, *others) if one.status == "out" and found)
    there = [one.id for one in others if space.in_the_fight(one) and space.in_the_fight(own)]
    events = {seq for each in there for seq in found[each]} or {own.joined}
    return Derived(there, Because(foes_in_melee.rules, tuple(sorted(events)), (*out, cited_records(*over))))


def set_melee(state: VileState, who: str, value: object, seq: int) -> None:
    """Put a combatant in melee with exactly these others."""
    wanted = stated_list(value)
    state.melee.separate(who, seq, wanted)
    if not wanted:
        state.melee.separated[who] = seq
    engage(state, who, wanted, seq)


ROOM = 4
"""Feet of space up to which a weapon always has room."""


@derives("grid.distance-between-centers", on=(ActionTaken, AttackRolled, EffectStarted))
def keep_scene(state: VileState, fact: Reading[ActionTaken | AttackRolled | EffectStarted]) -> None:
    """Keep the squares of all combatants in the fight at an act or effect."""
    there = [who for who in state.squares if space.in_the_fight(state.combatants[who])]
    state.round.scenes[fact.seq] = {who: (state.squares[who], state.stood[who]) for who in there}


@derives("grid.ally-passing-breaks-concentration", on=Moved)
def disturb_allies(state: VileState, fact: Reading[Moved]) -> None:
    """Disturb a combatant and the allies through whose squares it goes or, by option, in whose square it stops."""
    event: Moved = fact.event
    rule, path, side = "grid.ally-passing-breaks-concentration", event.path, state.combatants[event.combatant].side
    allies = [one for one in state.combatants.values() if one.side == side and one.id != event.combatant]
    passed = [one for one in allies if state.squares.get(one.id) in path_squares(path)[1:-1]]
    met = [one.id for one in passed if space.in_the_fight(one)]
    staying = [one.id for one in allies if space.in_the_fight(one) and state.squares.get(one.id) in path[-1:]]
    met += staying if staying and state.option("squeezing-in") == "jostles" else []
    if not met:
        unhindered = Because((), (), tuple(one.standing for one in passed))
        for who in (event.combatant, *staying):
            keep_why_spared(state, who, unhindered)
            for each in works.bare_under_way(state, who):
                each.because = Because(of=(each.because, unhindered))
        return
    why = Because((), (), (cited_records(*(state.stood[who] for who in met)),))
    for who in (event.combatant, *met):
        disturb(state, who, fact, rule, why)


# ---------------------------------------------------------------- distances


@checks_by("grid.square-five-feet", "grid.distance-between-centers", on=Moved)
def ways_are_as_long_as_recorded(state: VileState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault for a path whose recorded length differs from its real one, straight or diagonal."""
    event, due = fact.event, space.feet_of_move(state, fact.event)
    said = space.parse_feet(event.distance) if event.distance else due
    if abs(due - said) >= 1:
        askew = any(0 not in leg for leg in legs(event.path))
        rule = "grid.distance-between-centers" if askew else "grid.square-five-feet"
        yield Fault((rule,), f"the path is {due:g} ft long", f"{due:g} ft", f"{said:g} ft")


@check("grid.distance-between-centers", on=EffectStarted, group="distance", rank=3)
def a_spell_reaches_as_far_as_it_does(state: VileState, fact: Reading[EffectStarted]) -> Breach | None:
    event, scene, who = fact.event, state.round.scenes.get(fact.seq, {}), fact.who
    entry = table.entry_of(state, who, event.effect)
    most = entry.range if entry and isinstance(entry.range, int) else 0
    first = next(iter(event.targets), "")
    said = {aim.target or first: space.parse_feet(aim.distance) for aim in event.aim if aim.distance}
    for target in event.targets:
        known = [each for each in (_feet_apart(state, scene, who, target), said.get(target)) if each is not None]
        why = tuple(sorted((fact.seq, *_position_records(scene, who, target))))
        if known and abs(known[0] - known[-1]) >= 1:
            return Breach(f"{target} is {known[0]:g} ft away", f"{known[0]:g} ft", f"{known[-1]:g} ft", why)
        if known and most and known[0] > most:
            why = (*why, *state.combatants[who].records("entries"))
            return _range_breach(target, known[0], event.effect, most, why)
    return None


@check("grid.distance-between-centers", on=AttackRolled, group="distance", rank=4, subject=roll_behind)
def a_missile_flies_as_far_as_it_does(state: VileState, fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    scene = state.round.scenes.get(fact.seq, {})
    away = _feet_apart(state, scene, roll.who, roll.target)
    most = max((each.range or 0 for each in table.weapons_in(state, roll.who, roll.name)), default=0)
    if away is None or not most or away <= most:
        return None
    stood, listed = _position_records(scene, roll.who, roll.target), state.combatants[roll.who].records("weapons")
    why = (roll.act.seq, fact.seq, *stood, *listed)
    return _range_breach(roll.target, away, roll.name, most, why, ("range", roll.act.seq))


def _range_breach(
    target: str, away: float, what: str, most: int, why: tuple[int, ...], once: tuple[object, ...] = ()
) -> Breach:
    says, records = f"{target} is {away:g} ft away, but {what} reaches only {most} ft", tuple(sorted({*why}))
    return Breach(says, f"{most} ft", f"{away:g} ft", records, once=once)


def _position_records(scene: Scene, *those: str) -> tuple[int, ...]:
    return tuple(scene[who][1] for who in those if who in scene)


def _feet_apart(state: VileState, scene: Scene, one: str, other: str) -> float | None:
    if one not in scene or other not in scene:
        return None
    return space.leg_length(state, next(legs((scene[one][0], scene[other][0]))))


# ---------------------------------------------------------------- shared squares, room for weapons


SMALL = ("tiny", "very small", "shares its square", "fights in a crowd")
"""The entries of a sheet that let a combatant fight from a shared square."""


def is_excepted(state: VileState, who: str) -> bool:
    """Return whether a combatant may fight from a shared square: it is tiny, or has an ability for it."""
    entries = state.combatants[who].sheet.entries
    return any(word.casefold() in SMALL for each in entries for word in (each.name, *each.attributes))


@check("grid.no-combat-in-one-square", on=OF_ACTS, group="space", rank=1, subject=recorded_act)
def nobody_fights_from_a_shared_square(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    if act.kind not in table.ATTACKS or is_excepted(state, act.combatant):
        return None
    scene = state.round.scenes.get(act.seq, {})
    own = scene[act.combatant][0] if act.combatant in scene else None
    sharing = [who for who, (square, _) in scene.items() if square == own and who != act.combatant]
    if state.option("shared-square") == "no-fight-within-it":
        rolled = [roll.target for roll in state.round.rolls.values() if roll.act.seq == act.seq]
        sharing = [who for who in sharing if who in (*act.action.targets, *rolled) and not is_excepted(state, who)]
    if not sharing or is_granted(state, act, "grid.no-combat-in-one-square"):
        return None
    events = tuple(scene[who][1] for who in (act.combatant, *sharing))
    says = f"{act.combatant} shares its square with {' and '.join(sharing)}"
    return Breach(says, "a square of its own", "a shared one", events)


@derives("weapon.mode-space", "weapon.open-square")
def room_needed(state: VileState, act: VileAct) -> Derived[int]:
    """Return the feet of space that a weapon needs in the manner of an attack."""
    weapon, rule = table.weapon_of_attack(state, act), "weapon.open-square"
    needs = weapon.space if weapon else 0
    if not isinstance(needs, int):
        rule, manners, least = "weapon.mode-space", act.action.plain_manner, min(needs.values(), default=0)
        needs = max((feet for manner, feet in needs.items() if manner.casefold() in manners), default=least)
    events = state.combatants[act.combatant].records("weapons")
    return Derived(needs, Because((rule,), events, (cited_records(act.seq),)))


def _records_of_cramped(state: VileState, act: VileAct) -> tuple[int, ...]:
    """Return the records that leave a blow no room: its square, scarce room, squares around; none if it has room."""
    if act.square is None or not is_blow(state, act) or is_granted(state, act, "weapon.open-square"):
        return ()
    stood = state.round.scenes.get(act.seq, {}).get(act.combatant, (act.square,))[1:]
    scarce, around = space.scarce_room_records(state, act.square), space.enclosing_records(state, act.seq, act.square)
    return (*stood, *scarce, *around) if scarce and around else ()


@checks_by("weapon.mode-space", "weapon.open-square", on=OF_ACTS)
def a_long_weapon_needs_an_open_square(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield a fault for a weapon that lacks room in its manner of use."""
    act = recorded_act(state, fact)
    if act and (needed := room_needed(state, act)).value > ROOM and (cramped := _records_of_cramped(state, act)):
        says = f"this weapon needs {needed.value} ft, but no square next to {act.combatant} is open"
        because = tuple(sorted({act.seq, *needed.because.events, *cramped}))
        yield Fault(needed.because.rules, says, "an open square", "none", because)


STEPS = ("movement.positioning-not-in-melee", "movement.positioning-after-major", "movement.positioning-ten-feet")


@checks_by(*STEPS, on=OF_ACTS)
def steps_are_short_and_come_last(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield faults for positioning steps in melee, before the major action, or too far in all."""
    act = recorded_act(state, fact)
    if act is None or table.row_of(state, act).type != "positioning":
        return
    melee, after, far = STEPS
    engaged = state.round.engaged[act.seq]
    own = [each for each in state.round.acts_of[act.combatant] if table.row_of(state, each).type == "positioning"]
    own = [each for each in own if not state.precedes(act.seq, each.seq)]
    total = sum(each.feet for each in own)
    if engaged.value:
        says, records = f"{act.combatant} is in melee with {' and '.join(engaged.value)}", engaged.because.events
        yield Fault((melee,), says, "no positioning", "a step", tuple(sorted({act.seq, *records})))
    if not any(state.precedes(each.seq, act.seq) for each in table.other_major_acts(state, act)):
        yield Fault((after,), f"{act.combatant} steps before its major action", "a step after it", "a step before it")
    if total > table.POSITIONING:
        says, steps = f"{act.combatant} steps {total:g} ft", tuple(each.seq for each in own)
        yield Fault((far,), says, f"{table.POSITIONING} ft a round", f"{total:g} ft", steps)
