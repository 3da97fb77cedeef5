"""Work that takes time: spells and complex activities, their windows from segment 1 on, and where they complete."""

from msgspec import structs

from eventstore.shapes import Action, Span
from projections.because import Because, Derived
from projections.mechanics import work
from projections.mechanics.grants import words
from projections.mechanics.work import Incident, same
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.initiative import lows, standing
from projections.rulesets.vile_darkness.memo import remembered
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import LOW, Act, Casting, Use, VileState
from projections.rulesets.vile_darkness.table import entry_of, row_of, segments_of, slots
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
        aimed=action.targets,
        read_from=_is_scroll(state, who, action),
        told_so=_asks_for_concentration(state, who, action),
    )
    state.works.append(found)
    return found


def _words_of(state: VileState, who: str, action: Action) -> set[str]:
    """Return every word that an action and its entry are noted with."""
    entry = entry_of(state, who, action.name)
    texts = [action.name, action.object, action.granted_by, *action.manner, *(action.components or ())]
    texts += [*entry.attributes, *(entry.components or ())] if entry else []
    return {word for text in texts if text for word in words(text)}


def _is_scroll(state: VileState, who: str, action: Action) -> bool:
    return bool(_words_of(state, who, action) & {"scroll", "scrolls"})


def _asks_for_concentration(state: VileState, who: str, action: Action) -> bool:
    return "concentration" in _words_of(state, who, action)


@derives("time.over-ten-carries-over", at="round closed")
def round_is_counted(state: VileState, boundary: Boundary) -> None:
    """Keep what the round came to: minors that lengthened its work, what broke it; what was due and did not come is lost."""
    for each in state.works:
        if each.minors is None:
            each.minors = tuple(minors(state, each.who))
        incidents = [(one, _why(state, each, one)) for one in each.incidents]
        each.incidents = [structs.replace(one, because=why, sure=True) for one, why in incidents if why is not None]
        last = window(state, each).value[1]
        if each.declared and point_of(last).round <= state.clock.round:
            because = Because(("round.step-order",), (boundary.seq,))
            work.disturb(each, Incident(boundary.seq, last, work.LOST, because, sure=True))


def _why(state: VileState, casting: Casting, incident: Incident) -> Because | None:
    """Return why an incident ends work, if it does."""
    return incident.because if incident.sure else breaks(state, casting, incident)


@derives("time.over-ten-carries-over", at="round opened")
def works_go_on(state: VileState, boundary: Boundary) -> None:
    """Let go of what ended before the round that is over now; what it used up stays used."""
    for each in state.works:
        if each.round < boundary.number - 1 and (used := use_of(state, each)):
            state.used.setdefault(each.who, []).append(used)
    state.works = [each for each in state.works if is_begun(state, each) or each.round >= boundary.number - 1]


# ---------------------------------------------------------------- minors, and what they lengthen


@derives("minor.adds-one-segment")
@remembered
def minors(state: VileState, who: str, before: int = 0) -> list[int]:
    """Return the one-segment minors of somebody in this round, those told ahead of a record by the option."""
    only = state.option("added-segment") == "only-before" and before
    acts = [each for each in state.round.acts_of.get(who, ()) if not only or state.precedes(each.seq, before)]
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
    "invocation.default-one-segment",
    "minor.adds-one-segment",
    "time.over-ten-carries-over",
    "time.full-round-work",
)
@remembered
def window(state: VileState, casting: Casting) -> Derived[tuple[int, int]]:
    """Return the first and the last segment, counted through, that work takes up."""
    own, adds, carries, full = window.rules
    lengthened = because_minors(state, casting)
    start, length = casting.start, casting.length + len(lengthened)
    rules, options = [full] if casting.whole else [own] if casting.kind == "invocation" else [], dict[str, str]()
    if lengthened:
        rules = [adds, *rules]
        options |= state.chosen("added-segment")
    if length > SEGMENTS and casting.kind != COMPLEX:
        rules = [carries, *rules]
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


# ---------------------------------------------------------------- what breaks it


@derives("incantation.needs-concentration")
def needs_concentration(state: VileState, casting: Casting) -> Derived[bool]:
    """Return whether work takes concentration: an incantation, an item that says so, by option other invocations."""
    chosen = state.option("invocation-concentration")
    item = casting.told_so or chosen == "all" or (chosen == "scrolls" and casting.read_from)
    needs = casting.kind == "incantation" or (casting.kind == "invocation" and item)
    open_ = casting.kind == "invocation" and not casting.told_so
    options = state.chosen("invocation-concentration") if open_ else {}
    return Derived(needs, Because(needs_concentration.rules, (), options))


@derives("concentration.only-during-its-period")
def is_during(state: VileState, casting: Casting, incident: Incident) -> Derived[bool]:
    """Return whether a disturbance falls within the window of work: without a segment, until play comes to its slot.

    One that comes of a spell in the segment in which the work completes counts if that spell takes effect first.
    """
    found, where = window(state, casting), incident.place
    spell = next((each for each in state.works if each.seq == where.spell), None)
    tick = window(state, spell).value[1] if spell else incident.tick
    first, last = found.value
    because = Because(is_during.rules, (), {}, (found,))
    if where.round < point_of(first).round or tick > last:
        return Derived(False, because)
    if tick == last:
        options = state.chosen("last-segment")
        late = spell is not None and _is_low(state, spell) >= _is_low(state, casting)
        return Derived(
            state.option("last-segment") == "open" and not late, Because(because.rules, (), options, (found,))
        )
    names, slot = slots(state), slot_of_work(state, casting)
    over = where.round >= point_of(last).round and slot in names and where.slot in names
    return Derived(not (over and not tick and names.index(where.slot) > names.index(slot)), because)


def _is_low(state: VileState, casting: Casting) -> bool:
    """Say whether whoever is at work stands in LOW with it: of two spells that end in one segment that one is the later."""
    act = Act(casting.seq, casting.who, casting.kind, Action(kind=casting.kind), low=lows(state, casting.who))
    return standing(state, act).value == LOW


def breaks(state: VileState, casting: Casting, incident: Incident) -> Because | None:
    """Return why a disturbance ends work; None where it does not."""
    needs, during = needs_concentration(state, casting), is_during(state, casting, incident)
    if not needs.value or not during.value:
        return None
    why = Because((), (), needs.because.options | during.because.options, (incident.because,))
    return Because(incident.because.rules, why.events, why.options, why.of)


def vain(state: VileState, casting: Casting) -> tuple[str, ...]:
    """Return the rules by which something that could have broken work under way did not."""
    needs = needs_concentration(state, casting)
    return (is_during.rules if needs.value else needs_concentration.rules) if casting.incidents else ()


# ---------------------------------------------------------------- how far it has come


def status(state: VileState, casting: Casting) -> Derived[str]:
    """Return how far work has come."""
    found = work.status(casting, lambda each, incident: breaks(state, each, incident))
    kept = vain(state, casting) if found.value == work.BEGUN else ()
    return Derived(found.value, Because(kept, (), {}, (found,)))


def is_begun(state: VileState, casting: Casting) -> bool:
    """Say whether work is under way."""
    return status(state, casting).value == work.BEGUN


def ending(state: VileState, casting: Casting) -> Incident | None:
    """Return what ended work; None while it is under way."""
    return because_ended(state, casting).value


def because_ended(state: VileState, casting: Casting) -> Derived[Incident | None]:
    """Return what ended work, with its reason."""
    return work.ending(casting, lambda each, incident: breaks(state, each, incident))


def decisive(casting: Casting, ended: Incident) -> tuple[int, ...]:
    """Return the records without which work would not be over: none where it was broken and then told as complete."""
    if ended.ends == work.DONE:
        return (ended.seq,)
    told = any(each.ends == work.DONE for each in casting.incidents)
    return () if told else (casting.seq, ended.seq)


@derives("incantation.broken-is-lost")
def use_of(state: VileState, casting: Casting) -> Use | None:
    """Return why work used up its spell, cast, broken or given up; None where it did not."""
    found = because_ended(state, casting)
    if found.value is None or found.value.ends == work.LOST:
        return None
    rules = use_of.rules if found.value.ends == work.SPOILED else found.value.because.rules
    rules = (*rules, *found.value.because.rules, *use_of.rules)
    because = Because(tuple(dict.fromkeys(rules)), decisive(casting, found.value), found.because.options)
    round_ = found.value.place.round if found.value.place else point_of(found.value.tick).round
    return Use(casting.name.casefold(), round_, casting.seq, found.value.seq, because)


def is_of_round(state: VileState, casting: Casting) -> bool:
    """Say whether work takes up any of the present round: begun in it, or not ended before it."""
    end = ending(state, casting)
    return end is None or state.precedes(state.round.opened, end.seq)


def under_way(state: VileState, who: str, name: str | None = None) -> list[Casting]:
    """Return the work that somebody is at, of this name if one is given."""
    return [each for each in state.works if each.who == who and same(name, each.name) and is_begun(state, each)]


def by_seq(state: VileState, who: str, seq: int) -> Casting | None:
    """Return the work of somebody that a record began."""
    return next((each for each in state.works if each.who == who and each.seq == seq), None)


def work_of(state: VileState, who: str, name: str | None, kind: str = "", cause: int = 0) -> Casting | None:
    """Return the work of this round that a row completes: by its cause, else the last of its doer of that name."""
    own = [each for each in state.works if each.who == who and kind in ("", each.kind) and is_of_round(state, each)]
    caused = [each for each in own if each.seq == cause]
    named = [each for each in own if same(name, each.name)]
    return next(reversed((*named, *caused)), None)
