"""Movement: what a move costs, how much is left of a speed, where one may go."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Any

from eventstore.events import ActionTaken, Moved, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from eventstore.shapes import Square
from projections.because import Because, Derived
from projections.folds.vitals import standing
from projections.mechanics.conditions import matching
from projections.mechanics.squares import TILE, diagonals, in_feet, leg_to
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import (
    acts_not,
    events_of,
    exhaustion,
    fall_prone,
    has,
    kept_from,
    lose,
    sources,
    speed,
    stops,
)
from projections.rulesets.fifth_edition.ground import (
    apart,
    entered,
    footprint,
    others_in,
    records,
    square_of,
    terrain_at,
    walked,
)
from projections.rulesets.fifth_edition.state import Deed, FifthState, Stride
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant
from projections.time import Boundary

FREE_MODES = ("teleport", "fall")
"""The modes that cost no movement."""
SLOW = {"climb": "move.extra-cost", "swim": "move.extra-cost", "crawl": "move.extra-cost", "squeeze": "move.squeeze"}
JUMPS = ("long-jump", "high-jump")


def mode_of(event: Moved) -> str:
    """Return the mode of a move; walking where none is said."""
    return (event.mode or "walk").casefold()


@derives("move.forced", "turn.own-turn-only")
def is_own(event: Moved) -> bool:
    """Say whether a move is one's own: unforced, on foot or wing, and with ground that somebody recorded."""
    return is_told(event) and is_unforced(event)


def is_told(event: Moved) -> bool:
    """Say whether somebody recorded the ground of a move."""
    return bool(event.path) or event.distance is not None


def is_unforced(event: Moved) -> bool:
    """Say whether somebody moves by itself, on foot or wing."""
    return not event.forced and mode_of(event) not in FREE_MODES and event.source in (None, event.combatant)


def feet_of(event: Moved) -> int:
    """Return the feet of a move: as told, else 5 for each step of the path."""
    return max(0, in_feet(event.distance)) if event.distance else TILE * len(entered(event.path or ()))


@derives(
    "move.grid", "move.difficult-terrain", "move.extra-cost", "move.squeeze", "move.others-are-difficult", "move.jump"
)
def stride_of(state: FifthState, fact: Occurrence[Moved]) -> Stride:
    """Return a move with what it costs: each foot one, and one more for difficult ground, for climbing, for squeezing."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    mode, squares, told = mode_of(event), entered(event.path or ()), is_told(event)
    rules: list[str] = []
    slow, events = slowed(state, one, mode)
    grounds = [ground_of(state, one, square, rules, events) for square in squares]
    feet = feet_of(event)
    price = price_of_squares(state, grounds, slow) if squares else feet * (2 if slow else 1)
    if squares and event.distance:
        price += feet - TILE * len(squares)
    if state.option("diagonal") == "alternating":
        had = sum(diagonal_steps(each.path) for each in state.strides.get(one.id, ()))
        price += TILE * ((had + diagonal_steps(event.path or ())) // 2 - had // 2)
    said = (*dict.fromkeys((*rules, slow) if slow else rules), stride_of.rules[0]) if told else ()
    return Stride(
        seq=fact.seq,
        mode=mode,
        feet=feet,
        price=price,
        rules=said,
        events=tuple(events),
        path=event.path or (),
        turn=state.clock.turn_event,
        own=state.has_turn(one.id),
        around=around(state, one.id) if event.path else (),
        options=state.chosen("edition") if meets_others(state, one, squares) or (slow and any(grounds)) else {},
        told=told,
    )


def around(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which all others are where they are, or take no space any more."""
    others = [each for each in state.combatants.values() if each.id != who]
    gone = [standing(each) for each in others if each.left or each.status == "dead"]
    return (*records(state, *(each.id for each in others)), *(seq for each in gone for seq in events_of(each)))


@derives("move.extra-cost", "move.squeeze")
def slowed(state: FifthState, one: Combatant, mode: str) -> tuple[str, list[int]]:
    """Return by which clause each foot in a mode costs one more, or "", and the records of squeezing."""
    if mode in SLOW and mode not in figures.speeds(one):
        return SLOW[mode], []
    squeezed = has(state, one.id, "squeezing")
    return ("move.squeeze", [*events_of(squeezed)]) if squeezed.value else ("", [])


@derives("move.difficult-terrain", "move.squeeze")
def price_of_squares(state: FifthState, grounds: list[bool], slow: str) -> int:
    """Return the feet that squares cost, of which each is difficult ground or not; in 2024 a narrow opening is no more than that."""
    narrow = state.is_new and slow == "move.squeeze"
    return sum(TILE * (1 + hard + (bool(slow) and not (hard and narrow))) for hard in grounds)


def meets_others(state: FifthState, one: Combatant, squares: list[Square]) -> bool:
    """Say whether somebody enters squares of others."""
    return any(True for square in squares for _ in others_in(state, one.id, footprint(one, square)))


def diagonal_steps(path: tuple[Square, ...]) -> int:
    """Return how many steps of a path are diagonal."""
    squares = walked(path)
    return sum(bool(diagonals(leg_to(here, there))) for here, there in pairwise(squares))


def ground_of(state: FifthState, one: Combatant, square: Square, rules: list[str], events: list[int]) -> bool:
    """Say whether a square is difficult for somebody to enter, by its terrain or by those in it; note why."""
    taken = footprint(one, square)
    told = [seq for each in taken for seq in terrain_at(state, "difficult", each)]
    in_the_way = False
    if told:
        rules.append("move.difficult-terrain")
        events += told
    for other in others_in(state, one.id, taken):
        friend = state.combatants[other].side == one.side or figures.size(state.combatants[other]) == 0
        if not (state.is_new and friend):
            rules.append("move.others-are-difficult")
            events += records(state, other)
            in_the_way = True
    return in_the_way or bool(told)


@derives("move.up-to-speed", "move.several-speeds", "move.forced", "grapple.drag", "move.flyer-falls", on=Moved)
def ground_is_covered(state: FifthState, fact: Occurrence[Moved]) -> None:
    """Keep a move of one's own, and whom it drags along; walking, somebody flies no longer."""
    event, who = fact.event, fact.event.combatant
    mode = mode_of(event)
    if is_own(event) and not dragged_by(state, fact):
        stride = stride_of(state, fact)
        if stops(state, who).value:
            stride.price = 0
        state.strides.setdefault(who, []).append(stride)
        state.moves[fact.seq] = who, stride, Because((), (fact.seq,))
        if mode == "fly":
            state.airborne[who] = fact.seq
        else:
            land(state, who, fact.seq)
    elif puller := dragged_by(state, fact):
        drag(state, puller, who, fact.seq)
    elif is_unforced(event) and not fact.cause:  # how far, nobody recorded
        state.strides.setdefault(who, []).append(stride_of(state, fact))
    if mode == "fall":
        land(state, who, fact.seq)


def land(state: FifthState, who: str, seq: int) -> None:
    """Let somebody fly no longer."""
    if who in state.airborne or has(state, who, "flying").value:
        kept_from(state, who, "fall", Because(("move.flyer-falls",), (seq,)))
    state.airborne.pop(who, None)
    lose(state, matching(state.conditions, "flying", (who,), None))


def dragged_by(state: FifthState, fact: Occurrence[Moved]) -> str:
    """Return who drags somebody along by its own move, which the fact names as its cause; "" where nobody does."""
    mover, stride, _ = state.moves.get(fact.cause, ("", None, None))
    return mover if stride and mover in sources(state, fact.event.combatant, "grappled") else ""


def drag(state: FifthState, puller: str, who: str, seq: int) -> None:
    """Note that somebody dragged another along, unless that one is two sizes smaller."""
    one, other = state.combatants[puller], state.combatants[who]
    sizes = figures.size(one), figures.size(other)
    small = (
        sizes[0] is not None and sizes[1] is not None and (sizes[0] - sizes[1] > 1 or (state.is_new and sizes[1] == 0))
    )
    if not small and (strides := state.strides.get(puller)):
        strides[-1].drags, strides[-1].hold = seq, sources(state, who, "grappled")[puller]


def drags_now(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which somebody has dragged another in this turn, whom it still holds."""
    told = tuple(each.drags for each in state.strides.get(who, ()) if each.drags)
    holds = any(who in sources(state, other, "grappled") for other in state.combatants)
    return told if holds else ()


@derives("act.dash")
def dashes(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the acts by which somebody dashed since its turn began."""
    return tuple(deed.seq for deed in state.done.get(who, ()) if deed.kind == "dash")


@derives("move.stand-up", "mount.half-speed")
def halves(state: FifthState, who: str) -> tuple[Deed, ...]:
    """Return the acts since somebody's turn began that cost half its speed: standing up, mounting, dismounting."""
    kinds = ("stand-up", "mount", "dismount")
    return tuple(d for d in state.done.get(who, ()) if d.kind in kinds and d.cost == "movement" and d.own)


@derives("move.stand-up", "mount.half-speed")
def half_speed(state: FifthState, one: Combatant) -> int | None:
    """Return half the speed that somebody has after all changes, rounded down; None where its sheet names none."""
    own = speed(state, one).value
    return None if own is None else own // 2


@derives("move.up-to-speed", "act.dash", "move.forced", "grapple.drag", "move.stand-up")
def feet_left(state: FifthState, one: Combatant, mode: str = "walk") -> Derived[int] | None:
    """Return the feet that somebody has left in a mode, as far as moves were recorded; None where the sheet names no speed."""
    own, rested = speed(state, one, mode), overdrawn(state, one, mode)
    if own.value is None or rested is None:
        return None
    strides = state.strides.get(one.id, ())
    rules = [rule for each in reversed(strides) for rule in each.rules]
    rules += ["act.dash"] if dashes(state, one.id) else []
    rules = ["grapple.drag", *rules] if drags_now(state, one.id) else rules
    rules = [*rules, *(("move.stand-up",) if halves(state, one.id) else ())]
    events = [each.seq for each in strides] + [seq for each in strides for seq in each.events]
    events += [*dashes(state, one.id), *(each.seq for each in halves(state, one.id)), *drags_now(state, one.id)]
    turn = state.clock.turn_event or one.joined
    around = tuple(seq for each in strides for seq in each.around)
    drawn = tuple(seq for each in strides if each.drags for seq in (each.drags, each.hold))
    pulled = Derived(one.id, Because((), (*around, *drawn)))
    said = tuple(dict.fromkeys((*rules, *own.because.rules, "move.up-to-speed")))
    options = state.chosen("diagonal") if any(diagonal_steps(each.path) for each in strides) else {}
    options |= state.chosen("edition") if any(each.options or each.drags for each in strides) else {}
    return Derived(max(0, rested), Because(said, (turn, *events), options, (own, pulled)))


def overdrawn(state: FifthState, one: Combatant, mode: str = "walk") -> int | None:
    """Return the feet that somebody has left in a mode, below 0 where it has gone too far."""
    own, walk = speed(state, one, mode).value, speed(state, one).value
    if own is None:
        return None
    dragging, strides = drags_now(state, one.id), state.strides.get(one.id, ())
    gone = sum(each.price + (each.feet if each.drags and state.is_new else 0) for each in strides)
    half = walk // 2 if dragging and not state.is_new and walk else 0
    halved = sum(own // 2 if each.half is None else each.half for each in halves(state, one.id))
    return own - half * bool(dragging) + (walk or own) * len(dashes(state, one.id)) - gone - halved


# ---------------------------------------------------------------- checks: how far


@checks_by(
    "dead.out",
    "move.flyer-falls",
    "condition.speed-zero",
    "exhaustion.table",
    "move.several-speeds",
    "move.jump",
    "grapple.drag",
    "move.extra-cost",
    "move.up-to-speed",
    on=Moved,
)
def moves_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a move goes too far, by the clause that says how far it may."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.distance and event.distance.amount < 0:
        yield Fault(("move.up-to-speed",), "a distance below 0", "0 or more", str(event.distance.amount))
    puller = dragged_by(state, fact)
    if puller:
        yield from too_far_dragged(state, puller, fact)
    elif is_own(event) and not fact.cause:
        yield from too_far(state, one, stride_of(state, fact))


def too_far(state: FifthState, one: Combatant, stride: Stride) -> Iterator[Fault]:
    """Yield that a move goes too far."""
    stopped = stops(state, one.id)
    if one.status == "dead":
        yield Fault(
            ("dead.out",), f"{one.id} is dead, and moves", "nothing", "a move", one.standing.because.flat().events
        )
        return
    if stride.mode == "fly" and (why := cannot_fly(state, one)):
        yield Fault(("move.flyer-falls",), f"{one.id} flies on", "a fall", "flight", why)
        return
    if stopped.value:
        yield Fault(
            ("condition.speed-zero",), f"the speed of {one.id} is 0", "0 ft", f"{stride.feet} ft", events_of(stopped)
        )
        return
    yield from jumped_too_far(state, one, stride)
    left, level = (
        overdrawn(state, one, stride.mode) if stride.mode in figures.speeds(one) else overdrawn(state, one),
        exhaustion(state, one.id),
    )
    known = figures.speeds(one)
    if known and stride.mode in ("fly", "burrow") and stride.mode not in known:
        says = f"the sheet of {one.id} has no speed for that"
        yield Fault(("move.several-speeds",), says, "another mode", stride.mode, one.records("speeds"))
    elif left is not None and stride.price > left and (stride.own or not state.clock.turn):
        yield beyond(state, one, stride, left, level.value)


def beyond(state: FifthState, one: Combatant, stride: Stride, left: int, level: int) -> Fault:
    """Return the fault of a move that costs more than is left, by the clause that makes it too much."""
    modes, known = {each.mode for each in state.strides.get(one.id, ())}, figures.speeds(one)
    unclear = [each for each in state.effects.values() if each.bearer == one.id and not has_modifiers(state, each.seq)]
    rule = "move.up-to-speed"
    before = {known.get(mode, known.get("walk", 0)) for mode in modes}
    if (len(known) > 1 and before - {known.get(stride.mode, known.get("walk", 0))}) or (
        len(known) > 1 and modes and modes != {stride.mode}
    ):
        rule = "move.several-speeds"
    elif drags_now(state, one.id):
        rule = "grapple.drag"
    elif level and not state.is_new and (level > 4 or stride.price <= left + (known.get("walk", 0) + 1) // 2):
        rule = "exhaustion.table"
    elif stride.feet <= left and "move.extra-cost" in stride.rules:
        rule = "move.extra-cost"
    events = tuple(seq for each in state.strides.get(one.id, ()) for seq in (each.seq, *each.events))
    says = f"{one.id} has {max(0, left)} feet left"
    severity = "notice" if unclear else "breach"
    why = (*events, *stride.events, *(events_of(exhaustion(state, one.id)) if level else ()))
    return Fault((rule,), says, f"{max(0, left)} ft", f"{stride.price} ft", why, severity=severity)


def has_modifiers(state: FifthState, seq: int) -> bool:
    """Say whether the record of an effect says what it changes, or that it is one of the conditions."""
    begun = state.begun.get(seq)
    return bool(begun and (begun.modifiers or begun.effect.casefold() in figures.rows(state)))


def too_far_dragged(state: FifthState, puller: str, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that somebody drags another farther than its half speed, or twice the feet, allow."""
    one, strides = state.combatants[puller], state.strides.get(puller, [])
    if not strides or strides[-1].drags:
        return
    drag(state, puller, fact.event.combatant, fact.seq)
    dragging = strides[-1].drags
    left = overdrawn(state, one)
    strides[-1].drags = 0
    if dragging and left is not None and left < 0:
        says = f"{puller} drags {fact.event.combatant} {-left} feet too far"
        yield Fault(
            ("grapple.drag",), says, f"{strides[-1].feet + left} ft", f"{strides[-1].feet} ft", (strides[-1].seq,)
        )


RUN = 10
"""The feet of a running start; a walk of unknown length may be one."""


def jumped_too_far(state: FifthState, one: Combatant, stride: Stride) -> Iterator[Fault]:
    """Yield that a jump goes farther than Strength allows."""
    strength = figures.score(one, "strength")
    if stride.mode not in JUMPS or strength is None:
        return
    strides = state.strides.get(one.id, ())
    before = [*takewhile(lambda each: each.mode == "walk", reversed(strides))]
    run = sum(each.feet if each.told else RUN for each in before)
    most = strength if stride.mode == "long-jump" else max(0, 3 + (strength - 10) // 2)
    most = most if run >= RUN else most // 2
    if stride.feet > most:
        why = (*one.records("abilities"), *(each.seq for each in before))
        yield Fault(("move.jump",), f"{one.id} jumps {most} feet at most", str(most), str(stride.feet), why)


def cannot_fly(state: FifthState, one: Combatant) -> tuple[int, ...]:
    """Return the records by which somebody in the air falls instead of flying on; nothing where it does not."""
    why = falling(state, one)
    return why.flat().events if why else ()


@derives("move.flyer-falls")
def falling(state: FifthState, one: Combatant) -> Because | None:
    """Return why a flyer falls: prone, speed 0, or since 2024 incapacitated, without hovering; None where it does not."""
    flies = one.id in state.airborne or has(state, one.id, "flying").value
    if not flies or one.sheet.speeds.get("hover"):
        return None
    found = has(state, one.id, "prone", *(("incapacitated",) if state.is_new else ()))
    stopped = stops(state, one.id)
    if not found.value and not stopped.value:
        return None
    up = (state.airborne[one.id],) if one.id in state.airborne else ()
    return Because(falling.rules, up, state.chosen("edition"), (has(state, one.id, "flying"), found, stopped))


# ---------------------------------------------------------------- checks: where to


@check("turn.own-turn-only", on=Moved)
def one_moves_in_the_own_turn(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    if (
        not is_own(event)
        or fact.cause
        or event.cost in ("reaction", "none", "held")
        or not state.clock.turn
        or state.has_turn(who)
    ):
        return None
    one = state.combatants[who]
    if who in state.surprised or one.status == "dead" or stops(state, who).value:
        return None
    return Breach(
        f"{who} moves in the turn of {state.clock.turn}", "its own turn", state.clock.turn, state.clock.events
    )


@check("move.forced", on=Moved)
def being_moved_costs_nothing(_state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event = fact.event
    if not (event.forced or mode_of(event) in FREE_MODES) or event.cost != "movement":
        return None
    return Breach(f"{event.combatant} is moved, and pays for it", "no cost", "movement")


@check("move.prone-crawls", on=Moved)
def the_prone_crawl(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    found = has(state, who, "prone")
    if (
        not found.value
        or not is_own(event)
        or fact.cause
        or event.mode not in (None, "walk")
        or stops(state, who).value
    ):
        return None
    if state.combatants[who].status == "dead":
        return None
    return Breach(
        f"{who} lies prone, and walks", "a crawl", "a walk", events_of(found), "breach" if event.mode else "notice"
    )


@check("move.through-others", on=Moved)
def one_passes_through_some_spaces_only(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    if not is_own(event) or not event.path:
        return None
    for square in walked(event.path)[1:-1]:
        for other in others_in(state, one.id, footprint(one, square)):
            if not may_pass(state, one, state.combatants[other]):
                events = (*records(state, other), *events_of(acts_not(state, other)))
                return Breach(f"{one.id} goes through the space of {other}", "a way around", other, events)
    return None


def may_pass(state: FifthState, one: Combatant, other: Combatant) -> bool:
    """Say whether somebody may go through another's space, or nobody can tell."""
    own, theirs = figures.size(one), figures.size(other)
    if one.side == other.side or own is None or theirs is None or abs(own - theirs) > 1:
        return True
    return state.is_new and (acts_not(state, other.id).value or theirs == 0)


@check("move.no-ending-in-others", on=(ActionTaken, TurnStarted, TurnEnded, RoundStarted, RoundEnded))
def nobody_stays_in_others(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    now = [who for who in (state.clock.turn, *state.clock.together) if who]
    if isinstance(fact.event, ActionTaken):
        now = [who for who in now if who == fact.event.combatant]
    for who in now:
        strides = state.strides.get(who, ())
        if not strides or not strides[-1].path or state.squares.get(who, ((), 0))[1] != strides[-1].seq:
            continue
        one = state.combatants[who]
        for other in others_in(state, who, footprint(one, strides[-1].path[-1])):
            says = f"{who} stays in the space of {other}"
            return Breach(
                says, "another square", other, (strides[-1].seq, *records(state, other)), once=(strides[-1].seq,)
            )
    return None


@derives("move.no-ending-in-others", at="turn ended")
def whoever_is_in_others_falls(state: FifthState, turn: Boundary) -> None:
    """Let whoever ends its turn in another's space lie prone in 2024, unless Tiny or larger than the other."""
    one, found = state.combatants[turn.who], square_of(state, turn.who)
    if found is None or one.id in state.mounts or figures.size(one) == 0:
        return
    for other in others_in(state, one.id, footprint(one, found[0])):
        sizes = figures.size(one), figures.size(state.combatants[other])
        if sizes[0] is None or sizes[1] is None or sizes[0] <= sizes[1]:
            where = Derived(other, Because((), records(state, one.id, other)))
            why = Because(whoever_is_in_others_falls.rules, (), state.chosen("edition"), (where,))
            if state.is_new:
                fall_prone(state, one.id, turn.seq, why)
            else:
                kept_from(state, one.id, "prone", why)


@check("frightened.no-approach", on=Moved)
def the_frightened_come_no_nearer(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    if not is_own(event) or not event.path:
        return None
    for source, seq in sources(state, who, "frightened").items():
        began = apart(state, who, source, event.path[0])
        way = [apart(state, who, source, square) for square in entered(event.path)]
        nearest = min((feet for feet in way if feet is not None), default=None)
        if began is not None and nearest is not None and nearest < began:
            says = f"{who} comes nearer to {source}, whom it fears"
            return Breach(says, f"{began} ft or more", f"{nearest} ft", (seq, *records(state, source)))
    return None


# ---------------------------------------------------------------- prone


@derives("move.stand-up", "move.drop-prone", on=ActionTaken)
def somebody_stands_or_drops(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let whoever stands up lie prone no longer, and whoever drops lie."""
    who, kind = fact.event.combatant, fact.event.action.kind.casefold()
    if kind == "stand-up":
        lose(state, matching(state.conditions, "prone", (who,), None), Because(("move.stand-up",), (fact.seq,)))
    elif kind == "drop-prone":
        fall_prone(state, who, fact.seq)


@check("move.stand-up", on=ActionTaken)
def standing_up_takes_half_the_speed(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if fact.event.action.kind.casefold() != "stand-up" or one.status == "dead":
        return None
    stopped, left, own = stops(state, one.id), overdrawn(state, one), speed(state, one)
    if stopped.value:
        return Breach(f"the speed of {one.id} is 0", "not standing up", "standing up", events_of(stopped))
    base = half_speed(state, one)
    if left is None or base is None or left >= base or not state.has_turn(one.id):
        return None
    events = (*events_of(own), *(each.seq for each in state.strides.get(one.id, ())))
    return Breach(f"{one.id} has {max(0, left)} feet left", f"{base} ft", f"{max(0, left)} ft", events)


@check("move.drop-prone", on=ActionTaken)
def one_drops_in_the_own_turn(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if not state.is_new or fact.event.action.kind.casefold() != "drop-prone":
        return None
    stopped = stops(state, who)
    if stopped.value:
        return Breach(f"the speed of {who} is 0", "not dropping", "dropping prone", events_of(stopped))
    if state.clock.turn and not state.has_turn(who):
        return Breach(
            f"{who} drops in the turn of {state.clock.turn}", "its own turn", state.clock.turn, state.clock.events
        )
    return None
