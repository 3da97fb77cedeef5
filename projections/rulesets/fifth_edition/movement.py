"""Moves: one's own turn, the spaces of others, feared sources, standing up and dropping prone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eventstore.events import ActionTaken, Fact, Moved, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.conditions import matching
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import conditions, figures
from projections.rulesets.fifth_edition.feet import FREE_MODES, is_own, mode_of, too_few_feet
from projections.rulesets.fifth_edition.positions import apart, footprint, others_in, records, square_of, walked
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses
from projections.time import Boundary


@check("turn.own-turn-only", on=Moved)
def a_combatant_moves_in_its_own_turn(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    turn = state.clock.turn
    elsewhere = event.plain_cost in ("reaction", "none", "held")
    if not is_own(event) or fact.cause or elsewhere or not turn or state.has_turn(who):
        return None
    if state.combatants[who].status == "dead" or conditions.stops(state, who).value:
        return None
    return Breach(f"{who} moves in the turn of {turn}", "its own turn", turn, state.clock.events)


@check("move.forced", on=Moved)
def being_moved_costs_nothing(_state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event = fact.event
    if not (event.forced or mode_of(event) in FREE_MODES) or event.plain_cost != "movement":
        return None
    return Breach(f"{event.combatant} is moved, and pays for it", "no cost", "movement")


@check("move.prone-crawls", on=Moved)
def the_prone_crawl(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    found = conditions.has(state, who, "prone")
    if not found.value or not is_own(event) or fact.cause or mode_of(event) != "walk":
        return None
    if conditions.stops(state, who).value or state.combatants[who].status == "dead":
        return None
    severity = "breach" if event.mode else "notice"
    return Breach(f"{who} lies prone, and walks", "a crawl", "a walk", conditions.events_of(found), severity)


@check("move.through-others", on=Moved)
def some_spaces_cannot_be_passed(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    if not is_own(event):
        return None
    for square in walked(event.path)[1:-1]:
        for other in others_in(state, one.id, footprint(one, square)):
            if not may_pass(state, one, state.combatants[other]):
                able = conditions.events_of(conditions.acts_not(state, other)) if state.is_new else ()
                events = (*records(state, other), *able)
                return Breach(f"{one.id} goes through the space of {other}", "a way around", other, events)
    return None


def may_pass(state: FifthState, one: Combatant, other: Combatant) -> bool:
    """Say whether a combatant may go through the space of another, or a size is unknown."""
    larger = figures.larger_by(one, other)
    if one.side == other.side or larger is None or abs(larger) > 1:
        return True
    return state.is_new and (conditions.is_so(state, other.id, "no_acts") or figures.size(other) == 0)


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
            says, events = f"{who} stays in the space of {other}", (last.seq, *records(state, other))
            return Breach(says, "another square", other, events, once=(last.seq,))
    return None


@derives("move.no-ending-in-others", at="turn ended", phase="consequences")
def sharing_a_space_ends_prone(state: FifthState, turn: Boundary) -> None:
    """Let a combatant that ends its turn in another's space fall prone in 2024, unless it is Tiny or larger."""
    one, found = state.combatants[turn.who], square_of(state, turn.who)
    if found is None or one.id in state.mounts or figures.size(one) == 0:
        return
    for other in others_in(state, one.id, footprint(one, found[0])):
        larger = figures.larger_by(one, state.combatants[other])
        where = Derived(other, Because((), (turn.seq, *records(state, one.id, other))))
        falls = larger is not None and larger <= 0 and state.is_new
        why = Because(sharing_a_space_ends_prone.rules, (), (where,))
        if falls:
            conditions.fall_prone(state, one.id, state.began[one.id], why)
        else:
            conditions.kept_from(state, one.id, "prone", why)


@checks_by(*clauses("no_nearer"), on=Moved)
def the_frightened_come_no_nearer(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield a fault for a combatant that comes nearer to the source of a condition that forbids it."""
    event, who = fact.event, fact.event.combatant
    if not is_own(event):
        return
    feared = (
        (row, each)
        for row in conditions.filled(state, "no_nearer")
        for each in conditions.sources(state, who, row.name).items()
    )
    for row, (source, seq) in feared:
        way = [feet for at in walked(event.path) if (feet := apart(state, who, source, at)) is not None]
        if way and min(way) < way[0]:
            says, why = f"{who} comes nearer to {source}, whom it fears", (seq, *records(state, source))
            yield Fault((row.rule,), says, f"{way[0]} ft or more", f"{min(way)} ft", why)
            return


@derives("move.stand-up", "move.drop-prone", on=ActionTaken)
def prone_begins_or_ends(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let a combatant stand up, or drop prone."""
    who, kind = fact.event.combatant, fact.kind
    if kind == "stand-up":
        conditions.lose(
            state, matching(state.conditions, "prone", (who,), None), Because(("move.stand-up",), (fact.seq,))
        )
    elif kind == "drop-prone":
        conditions.fall_prone(state, who, fact.seq)


def standstill(state: FifthState, one: Combatant) -> Derived[object] | None:
    """Return the reason why a combatant's speed is 0; None if it is not, or unknown."""
    stopped, feet = conditions.stops(state, one.id), conditions.speed(state, one)
    return stopped if stopped.value else feet if feet.value == 0 else None


@check("move.stand-up", on=ActionTaken)
def standing_up_takes_half_the_speed(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    stands = fact.kind == "stand-up" and one.status != "dead"
    return stays_down(state, one) if stands else None


def stays_down(state: FifthState, one: Combatant) -> Breach | None:
    """Return the breach if a combatant stands up without the speed for it; None if it can."""
    if stopped := standstill(state, one):
        return Breach(f"the speed of {one.id} is 0", "not standing up", "standing up", conditions.events_of(stopped))
    return too_few_feet(state, one) if state.has_turn(one.id) else None


def bars(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return the reason why a prone combatant cannot stand up now; None if it can, or is not prone."""
    found = stays_down(state, one) if what == "stand-up" and conditions.carries(state, one.id, "prone") else None
    return Because(("move.stand-up",), found.because) if found else None


@check("move.drop-prone", on=ActionTaken)
def a_combatant_drops_in_its_own_turn(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who, turn = fact.event.combatant, state.clock.turn
    if not state.is_new or fact.kind != "drop-prone":
        return None
    if stopped := standstill(state, state.combatants[who]):
        return Breach(f"the speed of {who} is 0", "not dropping", "dropping prone", conditions.events_of(stopped))
    if not turn or state.has_turn(who):
        return None
    return Breach(f"{who} drops in the turn of {turn}", "its own turn", turn, state.clock.events)
