"""Work that takes time: spells and complex activities, their windows from segment 1 on, and where they complete."""

from eventstore.shapes import Action, Span
from projections.because import Because, Derived
from projections.mechanics import work
from projections.mechanics.work import Incident, same
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.disturbances import breaks
from projections.rulesets.vile_darkness.memo import remembered
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import Act, Casting, VileState
from projections.rulesets.vile_darkness.table import entry_of, row_of, segments_of
from projections.state import action_word
from projections.time import Boundary, Point

COMPLEX = "complex"

# ---------------------------------------------------------------- segments counted through


def tick_of(state: VileState, point: Point) -> int:
    """Return a point as a segment counted through the rounds; without a segment it is the first of its round."""
    return SEGMENTS * (max(1, state.clock.round) - 1) + (point.segment or 1)


@derives("time.round-segments")
def point_of(tick: int) -> Point:
    """Return a segment counted through as a point; each round has ten."""
    return Point((tick - 1) // SEGMENTS + 1, segment=(tick - 1) % SEGMENTS + 1)


# ---------------------------------------------------------------- beginning


def time_of(state: VileState, who: str, action: Action) -> tuple[int, bool]:
    """Return how many segments work takes by itself, and whether that is told in rounds: as said, else by its entry."""
    entry = entry_of(state, who, action.name)
    time = action.time if action.time is not None else entry.time if entry else None
    length = state.rules.calendar.length(time)
    count = state.rules.calendar.count(length, "segment") if length else None
    whole = isinstance(time, Span) and time.unit.casefold() in ("round", "rounds")
    if action.kind == COMPLEX:
        rounds = max(1, -(-(count or SEGMENTS) // SEGMENTS))
        return SEGMENTS * rounds, True
    return (1 if count is None else max(1, count)), whole


@derives("invocation.begins-segment-one", "incantation.like-invocation")
def begin(state: VileState, who: str, action: Action, seq: int, *, declared: bool) -> Casting:
    """Begin work in segment 1 of the round, whichever initiative its doer has."""
    length, whole = time_of(state, who, action)
    round_ = max(1, state.clock.round)
    because = Because(begin.rules[:1] if action.kind == "invocation" else begin.rules[1:], (seq,))
    found = Casting(
        who,
        action_word(action),
        seq,
        SEGMENTS * (round_ - 1) + 1,
        length,
        because,
        kind=action.kind,
        round=round_,
        whole=whole,
        declared=declared,
    )
    state.works.append(found)
    return found


@derives("time.over-ten-carries-over", at="round closed")
def minors_are_counted(state: VileState, _boundary: Boundary) -> None:
    """Keep what lengthened the work of the round; minors of later ones do not lengthen it further."""
    for each in state.works:
        if each.minors is None and each.round == state.clock.round:
            each.minors = tuple(minors(state, each.who))


@derives("time.over-ten-carries-over", at="round opened")
def works_go_on(state: VileState, boundary: Boundary) -> None:
    """Let go of what ended before the round that is over now."""
    kept = [each for each in state.works if is_begun(state, each) or each.round >= boundary.number - 1]
    state.works = kept


# ---------------------------------------------------------------- minors, and what they lengthen


@derives("minor.adds-one-segment")
@remembered
def minors(state: VileState, who: str, before: int = 0) -> list[int]:
    """Return the one-segment minors of somebody in this round, those told ahead of a record by the option."""
    only = state.option("added-segment") == "only-before" and before
    acts = [each for each in state.round.acts_of.get(who, ()) if not only or each.seq < before]
    return [each.seq for each in acts if _lengthens(state, each)]


def _lengthens(state: VileState, act: Act) -> bool:
    row = row_of(state, act)
    if act.kind == "delay":
        return row.weight == "minor" and state.option("delay-time") == "one-segment"
    return row.weight == "minor" and segments_of(state, act) == 1


def because_minors(state: VileState, casting: Casting) -> tuple[int, ...]:
    """Return the records of the minors that lengthen work."""
    if casting.kind == COMPLEX:
        return ()
    completed = next((each.seq for each in casting.incidents if each.ends == work.DONE), 0)
    return tuple(minors(state, casting.who, completed)) if casting.minors is None else casting.minors


@derives(
    "invocation.default-one-segment", "minor.adds-one-segment", "time.over-ten-carries-over", "time.full-round-work"
)
@remembered
def window(state: VileState, casting: Casting) -> Derived[tuple[int, int]]:
    """Return the first and the last segment, counted through, that work takes up."""
    own, adds, carries, full = window.rules
    lengthened = because_minors(state, casting)
    start, length = casting.start, casting.length + len(lengthened)
    rules, options = [full] if casting.whole else [own] if casting.kind == "invocation" else [], dict[str, str]()
    if lengthened:
        rules.insert(0, adds)
        options |= state.chosen("added-segment")
    if length > SEGMENTS and casting.kind != COMPLEX:
        rules.insert(0, carries)
        options |= state.chosen("over-ten")
        if state.option("over-ten") == "moved-whole":
            start, length = start + SEGMENTS, casting.length
    because = Because(tuple(rules), lengthened, options, (casting.because,))
    return Derived((start, start + length - 1), because)


def due(state: VileState, casting: Casting) -> Derived[Point]:
    """Return the segment in which work completes."""
    found = window(state, casting)
    return Derived(point_of(found.value[1]), Because(of=(found, Because(point_of.rules))))


def slot_of_work(state: VileState, casting: Casting) -> str:
    """Return the slot in which work completes, D4 and D1 being those of its doer's initiative."""
    if casting.kind == COMPLEX or (casting.whole and state.option("round-long-casting") == "go-last"):
        return "GL"
    if casting.kind == "invocation" and casting.length <= 1:
        return "D1" if state.option("one-segment-invocation") == "d1" else "D4"
    return "E"


# ---------------------------------------------------------------- how far it has come


def status(state: VileState, casting: Casting) -> Derived[str]:
    """Return how far work has come."""
    return work.status(casting, lambda each, incident: breaks(state, each, incident))


def is_begun(state: VileState, casting: Casting) -> bool:
    """Say whether work is under way."""
    return status(state, casting).value == work.BEGUN


def ending(state: VileState, casting: Casting) -> Incident | None:
    """Return what ended work; None while it is under way."""
    return work.ending(casting, lambda each, incident: breaks(state, each, incident)).value


def is_of_round(state: VileState, casting: Casting) -> bool:
    """Say whether work takes up any of the present round: begun in it, or not ended before it."""
    end = ending(state, casting)
    return casting.round == state.clock.round or end is None or end.seq > state.round.opened


def under_way(state: VileState, who: str, name: str | None = None) -> list[Casting]:
    """Return the work that somebody is at, of this name if one is given."""
    return [each for each in state.works if each.who == who and same(name, each.name) and is_begun(state, each)]


def work_of(state: VileState, who: str, name: str | None, kind: str = "", cause: int = 0) -> Casting | None:
    """Return the work that a row completes: by its cause, else the last of its doer that goes by the name."""
    own = [each for each in state.works if each.who == who and kind in ("", each.kind)]
    caused = [each for each in own if each.seq == cause]
    named = [each for each in own if same(name, each.name)]
    return next(reversed((*named, *caused)), None)
