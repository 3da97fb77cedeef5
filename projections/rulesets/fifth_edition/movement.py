"""Movement: its cost, the feet left in a turn, its limits; spaces of others, feared sources, standing up and dropping."""

from collections.abc import Iterable, Iterator
from itertools import chain, takewhile

from eventstore.events import ActionTaken, ConditionLost, Fact, Moved, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from eventstore.shapes import Square
from projections.because import Because, Derived, asked_so_far
from projections.fight import Combatant
from projections.folds.vitals import status_or_left
from projections.mechanics.conditions import find_effects
from projections.mechanics.squares import TILE, diagonals, in_feet, legs, steps
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import circumstances, conditions, figures
from projections.rulesets.fifth_edition.circumstances import footprint, others_in, placings, walked_squares
from projections.rulesets.fifth_edition.death import fault_of_the_dead
from projections.rulesets.fifth_edition.state import Deed, FifthState, Stretch
from projections.rulesets.fifth_edition.table import clauses_with
from projections.time import Boundary


@derives("move.flyer-falls")
def why_falling(state: FifthState, one: Combatant) -> Because | None:
    """Return why a flyer falls: prone, at speed 0, or in 2024 incapacitated; None if it does not, or hovers."""
    flies = one.id in state.airborne or conditions.carries(state, one.id, "flying")
    if not flies or one.sheet.speeds.get("hover"):
        return None
    down = is_brought_down(state, one.id)
    if not any(each.value for each in down):
        return None
    return Because(why_falling.rules, state.airborne.get(one.id, ()), (conditions.has(state, one.id, "flying"), *down))


def is_brought_down(state: FifthState, who: str) -> tuple[Derived[bool], Derived[bool]]:
    """Return whether a condition brings a flyer down, and whether its speed of 0 does."""
    down = ("prone", "incapacitated") if state.is_new else ("prone",)
    return conditions.has(state, who, *down), conditions.has_no_speed(state, who)


def _land(state: FifthState, who: str, seq: int) -> None:
    if state.airborne.pop(who, None):
        state.ended["fall", who] = Because(("move.flyer-falls",), (seq,))
    conditions.end_conditions(state, find_effects(state.conditions, "flying", (who,), None))


FREE_MODES = ("teleport", "fall")
"""The modes that cost no movement."""


SLOW = {"climb": "move.extra-cost", "swim": "move.extra-cost", "crawl": "move.extra-cost", "squeeze": "move.squeeze"}


def mode_of(event: Moved) -> str:
    """Return the mode of a move; walking if none is recorded."""
    return (event.mode or "walk").casefold()


@derives("move.forced", "turn.own-turn-only")
def is_own(event: Moved) -> bool:
    """Say whether a move is the combatant's own, and its squares or feet are recorded."""
    return _has_recorded_ground(event) and is_unforced(event)


def _has_recorded_ground(event: Moved) -> bool:
    return bool(event.path) or event.distance is not None


def is_unforced(event: Moved) -> bool:
    """Say whether a combatant moves by itself, by its speed."""
    return not event.forced and mode_of(event) not in FREE_MODES and event.source in (None, event.combatant)


def feet_of_move(event: Moved) -> int:
    """Return the feet of a move: the recorded distance, else 5 for each step of the path."""
    return max(0, in_feet(event.distance)) if event.distance else TILE * sum(map(steps, legs(event.path)))


@derives(
    "move.grid", "move.difficult-terrain", "move.extra-cost", "move.squeeze", "move.others-are-difficult", "move.jump"
)
def make_stretch(state: FifthState, fact: Occurrence[Moved]) -> Stretch:
    """Return a move with its cost: a foot for each foot, and one more on difficult ground and in a slow mode."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    mode, squares, recorded = mode_of(event), walked_squares(event.path)[1:], _has_recorded_ground(event)
    rules: list[str] = []
    slow, events = slow_mode(state, one, mode)
    grounds = [is_difficult_square(state, one, square, rules, events) for square in squares]
    feet = feet_of_move(event)
    price = feet * (2 if slow else 1)
    if squares:
        narrow = slow == "move.squeeze" and any(grounds) and state.is_new  # squeezing costs no third foot there
        price = feet + sum(TILE * (hard + (bool(slow) and not (hard and narrow))) for hard in grounds)
    diagonal = sum(map(diagonals, legs(event.path)))
    if diagonal and state.option("diagonal") == "alternating":
        had = sum(diagonals(leg) for each in state.strides.get(one.id, ()) for leg in legs(each.path))
        price += TILE * ((had + diagonal) // 2 - had // 2)
    said = (*dict.fromkeys((*rules, slow) if slow else rules), "move.grid") if recorded else ()
    around: tuple[int, ...] = ()
    if event.path:
        gone = [status_or_left(each) for each in state.combatants.values() if each.left or each.status == "dead"]
        around = (*placings(state, *state.combatants), *(seq for each in gone for seq in conditions.records_of(each)))
    return Stretch(
        seq=fact.seq,
        mode=mode,
        feet=feet,
        price=price,
        rules=said,
        events=tuple(events),
        path=event.path,
        turn=state.clock.turn_event,
        own=state.has_turn(one.id),
        around=around,
        options=asked_so_far(),
        recorded=recorded,
    )


@derives("move.extra-cost", "move.squeeze")
def slow_mode(state: FifthState, one: Combatant, mode: str) -> tuple[str, list[int]]:
    """Return the clause that makes each foot in a mode cost one more, or "", and the records of squeezing."""
    if mode in SLOW and mode not in figures.speeds_by_mode(one):
        return SLOW[mode], []
    if conditions.carries(state, one.id, "squeezing"):
        return "move.squeeze", [*conditions.records_of(conditions.has(state, one.id, "squeezing"))]
    return "", []


def is_difficult_square(state: FifthState, one: Combatant, square: Square, rules: list[str], events: list[int]) -> bool:
    """Say whether a square is difficult, by terrain or a combatant in it; its clauses and records go to the lists."""
    taken = footprint(one, square)
    terrain = [seq for each in taken for seq in circumstances.terrain_records(state, "difficult", each)]
    in_the_way = False
    if terrain:
        rules.append("move.difficult-terrain")
        events += terrain
    for other in others_in(state, one.id, taken):
        friend = state.combatants[other].side == one.side or figures.size_rank(state.combatants[other]) == 0
        if not (friend and state.is_new):
            rules.append("move.others-are-difficult")
            events += placings(state, other)
            in_the_way = True
    return in_the_way or bool(terrain)


def dragging_combatant(state: FifthState, fact: Occurrence[Moved]) -> str:
    """Return the combatant whose own move, the cause of the fact, drags the moved one along; "" if none does."""
    mover, *_ = state.moves.get(fact.cause, ("",))
    return mover if mover in conditions.sources(state, fact.event.combatant, "grappled") else ""


def note_drag(state: FifthState, puller: str, who: str, seq: int) -> None:
    """Keep that a combatant drags another along, unless that is two sizes smaller, or in 2024 Tiny."""
    one, other = state.combatants[puller], state.combatants[who]
    larger, strides = figures.sizes_larger(one, other), state.strides.get(puller)
    if strides and (larger is None or larger <= 1):
        is_tiny = figures.size_rank(other) == 0 and state.is_new
        strides[-1].options |= asked_so_far()
        if not is_tiny:
            strides[-1].drags, strides[-1].hold = seq, conditions.sources(state, who, "grappled")[puller]


def drag_records(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records of a combatant's dragging in this turn, if it still holds another."""
    dragged = tuple(each.drags for each in state.strides.get(who, ()) if each.drags)
    holds = any(who in conditions.sources(state, other, "grappled") for other in state.combatants)
    return dragged if holds else ()


@derives("move.up-to-speed", "move.several-speeds", "move.forced", "grapple.drag", "move.flyer-falls", on=Moved)
def keep_move(state: FifthState, fact: Occurrence[Moved]) -> None:
    """Keep a combatant's own movement, or that it is dragged along; a fall or a move on the ground ends a flight."""
    event, who, mode, puller = fact.event, fact.event.combatant, mode_of(fact.event), dragging_combatant(state, fact)
    if puller:
        note_drag(state, puller, who, fact.seq)
    elif is_own(event):
        stride = make_stretch(state, fact)
        stride.price = 0 if conditions.has_flag(state, who, "speed_zero") else stride.price
        state.strides.setdefault(who, []).append(stride)
        state.moves[fact.seq] = who, stride
        if mode == "fly":
            state.airborne[who] = (*state.airborne.get(who, ()), fact.seq)
        else:
            _land(state, who, fact.seq)
    elif is_unforced(event):  # nobody recorded how far
        state.strides.setdefault(who, []).append(make_stretch(state, fact))
    if mode == "fall":
        _land(state, who, fact.seq)


@derives("move.flyer-falls", on=ConditionLost)
def end_flights(state: FifthState, fact: Occurrence[ConditionLost]) -> None:
    """End the flight of combatants that are recorded as flying no longer."""
    for who in state.joined(fact.event.targets) if fact.called == "flying" else ():
        _land(state, who, fact.seq)


@derives("act.dash")
def dashes(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the Dash actions of a combatant since its turn began."""
    return tuple(deed.seq for deed in state.done.get(who, ()) if deed.kind == "dash")


@derives("move.stand-up", "mount.half-speed")
def half_speed_acts(state: FifthState, who: str) -> tuple[Deed, ...]:
    """Return the acts since a combatant's turn began that cost half its speed: standing up, mounting, dismounting."""
    kinds = ("stand-up", "mount", "dismount")
    return tuple(d for d in state.done.get(who, ()) if d.kind in kinds and d.cost == "movement")


@derives("move.stand-up", "mount.half-speed")
def half_speed(state: FifthState, one: Combatant) -> int | None:
    """Return half the speed of a combatant after all changes, rounded down; None if its sheet names no speed."""
    own = conditions.speed(state, one).value
    return None if own is None else own // 2


@derives("move.up-to-speed", "act.dash", "move.forced", "grapple.drag", "move.stand-up")
def feet_left(state: FifthState, one: Combatant) -> Derived[int] | None:
    """Return the feet that a combatant can still walk in its turn, by the moves recorded; None if its sheet names no speed."""
    own, balance = conditions.speed(state, one), feet_balance(state, one)
    if balance is None:
        return None
    strides, dashed = state.strides.get(one.id, ()), dashes(state, one.id)
    dragged, halved = drag_records(state, one.id), half_speed_acts(state, one.id)
    costs = [rule for each in reversed(strides) for rule in each.rules]
    named = {"grapple.drag": dragged, **dict.fromkeys(costs, True), "act.dash": dashed, "move.stand-up": halved}
    rules = (*(rule for rule, shown in named.items() if shown), *own.because.rules, "move.up-to-speed")
    events = [each.seq for each in strides] + [seq for each in strides for seq in each.events]
    events += [*dashed, *(each.seq for each in halved), *dragged]
    others = [seq for each in strides for seq in each.around]
    others += [seq for each in strides if each.drags for seq in (each.drags, each.hold)]
    options = asked_so_far() | dict(chain(*(each.options.items() for each in strides)))
    turns, of = [state.clock.turn_event], (own, Derived(one.id, Because((), tuple(others))))
    turns += [state.clock.round_event] if one.id not in state.turns.running and state.clock.round_event else []
    return Derived(max(0, balance), Because(tuple(dict.fromkeys(rules)), (*turns, *events), of, options=options))


def feet_balance(state: FifthState, one: Combatant, mode: str = "walk") -> int | None:
    """Return the feet left in a mode, below 0 after going too far; None if the sheet states no such speed."""
    own, walk = conditions.speed(state, one, mode).value, conditions.speed(state, one).value
    if own is None:
        return None
    strides, drags = state.strides.get(one.id, ()), bool(drag_records(state, one.id))
    gone = sum(each.price + (each.feet if each.drags and state.is_new else 0) for each in strides)
    gone += own // 2 if drags and not state.is_new else 0
    gone += sum(own // 2 if each.half is None else each.half for each in half_speed_acts(state, one.id))
    dashed, dash = len(dashes(state, one.id)), walk or own
    if dashed and own > dash and state.is_new:
        dash = own
    return own + dash * dashed - gone


def feet_breach(state: FifthState, one: Combatant) -> Breach | None:
    """Return the breach if a combatant has fewer feet left than the half of its speed that an act costs."""
    left, half = feet_balance(state, one), half_speed(state, one)
    if left is None or half is None or left >= half:
        return None
    strides = (each.seq for each in state.strides.get(one.id, ()))
    events = (*conditions.records_of(conditions.speed(state, one)), *strides)
    says = f"{one.id} has {max(0, left)} feet left, and this takes half its speed"
    return Breach(says, f"{half} ft", f"{max(0, left)} ft", events)


RUN = 10
"""The feet of a running start; a walk of unknown length may be one."""


def jump_faults(state: FifthState, one: Combatant, stride: Stretch) -> Iterator[Fault]:
    """Yield a fault for a jump that goes farther than Strength allows."""
    strength = figures.ability_score(one, "strength")
    if stride.mode not in ("long-jump", "high-jump") or strength is None:
        return
    strides = state.strides.get(one.id, ())
    before = [*takewhile(lambda each: each.mode == "walk", reversed(strides))]
    run = sum(each.feet if each.recorded else RUN for each in before)
    best = strength if stride.mode == "long-jump" else max(0, 3 + (strength - 10) // 2)
    most = best if run >= RUN else best // 2
    if stride.feet > most:
        why = (*one.records("abilities"), *(each.seq for each in before if most > best // 2))
        says = f"{one.id} can jump no farther than {most} feet"
        yield Fault(("move.jump",), says, f"{most} ft", f"{stride.feet} ft", why)


@checks_by(
    "dead.out", "move.flyer-falls", "condition.speed-zero", "exhaustion.table", "move.several-speeds", "move.jump",
    "grapple.drag", "move.extra-cost", "move.up-to-speed", on=Moved,
)  # fmt: skip
def moves_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield a fault for a move that goes too far, by the clause that limits it."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.distance and event.distance.amount < 0:
        yield Fault(("move.up-to-speed",), "a distance is never below 0", "0 ft or more", f"{event.distance.amount} ft")
    puller = dragging_combatant(state, fact)
    if puller:
        yield from drag_faults(state, puller, fact)
    elif is_own(event) and not fact.cause:
        yield from distance_faults(state, one, make_stretch(state, fact))


def distance_faults(state: FifthState, one: Combatant, stride: Stretch) -> Iterator[Fault]:
    """Yield a fault for a move that goes too far, or that the combatant cannot make at all."""
    stopped, known, went = conditions.has_no_speed(state, one.id), figures.speeds_by_mode(one), f"{stride.feet} ft"
    if one.status == "dead":
        yield fault_of_the_dead(state, one, "moves", "no move", "a move")
    elif stride.mode == "fly" and (why := why_falling(state, one)):
        yield Fault(("move.flyer-falls",), f"{one.id} should fall, but flies on", "a fall", "flight", why.flat().events)
    elif stopped.value:
        says, events = f"{one.id}'s speed is 0", conditions.records_of(stopped)
        yield Fault(("condition.speed-zero",), says, "0 ft", went, events)
    else:
        yield from jump_faults(state, one, stride)
        left = feet_balance(state, one, stride.mode if stride.mode in known else "walk")
        if known and stride.mode in ("fly", "burrow") and stride.mode not in known:
            says = f"{one.id}'s sheet has no {stride.mode} speed"
            yield Fault(("move.several-speeds",), says, "another mode", stride.mode, one.records("speeds"))
        elif left is not None and stride.price > left and stride.own:
            yield feet_fault(state, one, stride, left)


def drag_faults(state: FifthState, puller: str, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield a fault for dragging another too far for half the speed or, in 2024, for the doubled price."""
    strides = state.strides.get(puller, [])
    if not strides or strides[-1].drags:
        return
    last = strides[-1]
    note_drag(state, puller, fact.event.combatant, fact.seq)
    dragging, left = last.drags, feet_balance(state, state.combatants[puller])
    last.drags = 0
    if dragging and left is not None and left < 0:
        says = f"{puller} drags {fact.event.combatant} {-left} feet too far"
        yield Fault(("grapple.drag",), says, f"{last.feet + left} ft", f"{last.feet} ft", (last.seq,))


def feet_fault(state: FifthState, one: Combatant, stride: Stretch, left: int) -> Fault:
    """Return the fault of a move that costs more feet than are left; a notice under an effect that may have changed the speed."""
    level, strides = conditions.exhaustion_level(state, one.id), (*state.strides.get(one.id, ()), stride)
    before = (seq for each in strides[:-1] for seq in (each.seq, *each.events))
    acts = (*dashes(state, one.id), *(each.seq for each in half_speed_acts(state, one.id)))
    own = conditions.speed(state, one, stride.mode if stride.mode in figures.speeds_by_mode(one) else "walk").because
    changed = [seq for seq in own.events if seq in state.begun]
    why = (*sorted((*before, *acts, *changed)), *stride.events, *(conditions.records_of(level) if level.value else ()))
    severity = "notice" if has_unclear_effect(state, one.id) else "breach"
    rule = (exceeded_clause(state, one, stride, left, level.value),)
    says = f"{one.id} has {max(0, left)} feet left"
    return Fault(rule, says, f"{max(0, left)} ft", f"{stride.price} ft", why, severity=severity)


def exceeded_clause(state: FifthState, one: Combatant, stride: Stretch, left: int, level: int) -> str:
    """Return the clause to which a move that costs too many feet is put down, the most specific that applies."""
    known, modes = figures.speeds_by_mode(one), {each.mode for each in state.strides.get(one.id, ())}
    if len(known) > 1 and modes and modes != {stride.mode}:
        return "move.several-speeds"
    if drag_records(state, one.id):
        return "grapple.drag"
    full = known[stride.mode if stride.mode in known else "walk"]
    if level and not state.is_new and (level > 4 or stride.price <= left + full - full // 2):
        return "exhaustion.table"
    return "move.extra-cost" if stride.feet <= left and "move.extra-cost" in stride.rules else "move.up-to-speed"


def has_unclear_effect(state: FifthState, who: str) -> bool:
    """Say whether a combatant has an effect whose record states no changes, and that is none of the conditions."""
    borne = (state.begun.get(each.seq) for each in state.effects.values() if each.bearer == who)
    return not all(each and (each.modifiers or conditions.is_listed(state, each.effect)) for each in borne)


@checks_by("move.forced", "turn.own-turn-only", "move.prone-crawls", on=Moved)
def moves_are_made_as_they_may(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield the faults of a forced move that is paid for, of a move in another's turn, and of a walk of the prone."""
    event, who, turn = fact.event, fact.event.combatant, state.clock.turn
    if (event.forced or mode_of(event) in FREE_MODES) and event.plain_cost == "movement":
        yield Fault(("move.forced",), f"{who} is moved by force, but spends movement", "no cost", "movement")
    unable = state.combatants[who].status == "dead" or conditions.has_no_speed(state, who).value
    if unable or fact.cause or not is_own(event):
        return
    if turn and not state.has_turn(who) and event.plain_cost not in ("reaction", "none", "held"):
        says = f"{who} moves in {turn}'s turn"
        yield Fault(("turn.own-turn-only",), says, "its own turn", f"{turn}'s turn", state.clock.events)
    prone = conditions.has(state, who, "prone")
    if prone.value and mode_of(event) == "walk":
        why, severity = conditions.records_of(prone), "breach" if event.mode else "notice"
        says = f"{who} walks while prone"
        yield Fault(("move.prone-crawls",), says, "a crawl", "a walk", why, severity=severity)


@check("move.through-others", on=Moved)
def some_spaces_cannot_be_passed(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    if not is_own(event):
        return None
    for square in walked_squares(event.path)[1:-1]:
        for other in others_in(state, one.id, footprint(one, square)):
            if not may_pass(state, one, state.combatants[other]):
                able = conditions.records_of(conditions.cannot_act(state, other)) if state.is_new else ()
                events = (*placings(state, other), *able)
                return Breach(f"{one.id} goes through {other}'s space", "a way around", f"{other}'s space", events)
    return None


def may_pass(state: FifthState, one: Combatant, other: Combatant) -> bool:
    """Say whether a combatant may go through the space of another, or a size is unknown."""
    larger = figures.sizes_larger(one, other)
    if one.side == other.side or larger is None or abs(larger) > 1:
        return True
    return state.is_new and (conditions.has_flag(state, other.id, "no_acts") or figures.size_rank(other) == 0)


@check("move.no-ending-in-others", on=(ActionTaken, TurnStarted, TurnEnded, RoundStarted, RoundEnded))
def nobody_stays_in_others(state: FifthState, fact: Occurrence[Fact]) -> Breach | None:
    now: Iterable[str] = (state.clock.turn, *state.clock.together)
    if isinstance(fact.event, ActionTaken):
        now = [who for who in now if who == fact.event.combatant]
    for who in now:
        strides = state.strides.get(who, ())
        if not strides or state.squares.get(who, (None, None))[1] != strides[-1].seq:
            continue
        last = strides[-1]
        for other in others_in(state, who, footprint(state.combatants[who], last.path[-1])):
            says, events = f"{who} ends its move in {other}'s space", (last.seq, *placings(state, other))
            return Breach(says, "another square", f"{other}'s space", events, once=(last.seq,))
    return None


@derives("move.no-ending-in-others", at="turn ended", phase="consequences")
def drop_in_shared_space(state: FifthState, turn: Boundary) -> None:
    """Let a combatant that ends its turn in another's space fall prone in 2024, unless it is Tiny or larger."""
    one, found = state.combatants[turn.who], circumstances.square_of(state, turn.who)
    if found is None or one.id in state.mounts or figures.size_rank(one) == 0:
        return
    for other in others_in(state, one.id, footprint(one, found[0])):
        larger = figures.sizes_larger(one, state.combatants[other])
        where = Derived(other, Because((), (turn.seq, *placings(state, one.id, other))))
        falls = larger is not None and larger <= 0 and state.is_new
        why = Because(drop_in_shared_space.rules, (), (where,))
        if falls:
            conditions.fall_prone(state, one.id, state.began[one.id], why)
        else:
            state.ended["prone", one.id] = why


@checks_by(*clauses_with("no_nearer"), on=Moved)
def the_frightened_come_no_nearer(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield a fault for a combatant that comes nearer to the source of a condition that forbids it."""
    event, who = fact.event, fact.event.combatant
    if not is_own(event):
        return
    for row in conditions.rows_with(state, "no_nearer"):
        for source, seq in conditions.sources(state, who, row.name).items():
            way = circumstances.distances_along(state, source, who, event.path)
            if way and min(way) < way[0]:
                says, why = f"{who} moves closer to {source}, which it fears", (seq, *placings(state, source))
                yield Fault((row.rule,), says, f"{way[0]} ft or more", f"{min(way)} ft", why)
                return


@derives("move.stand-up", "move.drop-prone", on=ActionTaken)
def stand_up_or_drop(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let a combatant stand up, or drop prone."""
    who, kind = fact.event.combatant, fact.kind
    if kind == "stand-up":
        keys = find_effects(state.conditions, "prone", (who,), None)
        conditions.end_conditions(state, keys, Because(("move.stand-up",), (fact.seq,)))
    elif kind == "drop-prone":
        conditions.fall_prone(state, who, fact.seq)


def why_without_speed(state: FifthState, one: Combatant) -> Derived[object] | None:
    """Return the reason why a combatant's speed is 0; None if it is not, or unknown."""
    stopped, feet = conditions.has_no_speed(state, one.id), conditions.speed(state, one)
    return stopped if stopped.value else feet if feet.value == 0 else None


@checks_by("move.stand-up", "move.drop-prone", on=ActionTaken)
def standing_up_and_dropping_have_their_price(state: FifthState, fact: Occurrence[ActionTaken]) -> Iterator[Fault]:
    """Yield the fault of standing up without the feet for it, and in 2024 of dropping without speed, or out of turn."""
    one, turn, rule = state.combatants[fact.event.combatant], state.clock.turn, ("move.drop-prone",)
    if fact.kind == "stand-up" and one.status != "dead" and (found := standing_breach(state, one)):
        yield Fault(("move.stand-up",), found.says, found.expected, found.found, found.because)
    if not state.is_new or fact.kind != "drop-prone":
        return
    if stopped := why_without_speed(state, one):
        says, why = f"{one.id}'s speed is 0", conditions.records_of(stopped)
        yield Fault(rule, says, "not dropping", "dropping prone", why)
    elif turn and not state.has_turn(one.id):
        says = f"{one.id} drops prone in {turn}'s turn"
        yield Fault(rule, says, "its own turn", f"{turn}'s turn", state.clock.events)


def standing_breach(state: FifthState, one: Combatant) -> Breach | None:
    """Return the breach if a combatant stands up without the speed for it; None if it can."""
    if stopped := why_without_speed(state, one):
        return Breach(f"{one.id}'s speed is 0", "not standing up", "standing up", conditions.records_of(stopped))
    return feet_breach(state, one) if state.has_turn(one.id) else None


def why_barred(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return the reason why a prone combatant cannot stand up now; None if it can, or is not prone."""
    found = standing_breach(state, one) if what == "stand-up" and conditions.carries(state, one.id, "prone") else None
    return Because(("move.stand-up",), found.because) if found else None
