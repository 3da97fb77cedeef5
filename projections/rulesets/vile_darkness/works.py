"""Work that takes time: spells and complex activities, their windows from segment 1 on, and their completion."""

from functools import partial
from itertools import takewhile

from msgspec import structs

from eventstore.events import EffectStarted
from eventstore.shapes import Action, Span
from projections.because import NOTHING_CITED, Because, Derived
from projections.mechanics import work
from projections.mechanics.acts import name_or_kind
from projections.mechanics.grants import words_of
from projections.mechanics.memo import memoize
from projections.mechanics.work import Incident, is_same
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness.initiative import delayed_by, half_then, why_closed
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import LOW, Casting, CompletedWork, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import entry_of, row_of, segments_taken, slot_names, why_row
from projections.time import Boundary, Point

COMPLEX = "complex"


def tick_of(state: VileState, point: Point) -> int:
    """Return the number of a point's segment through all rounds; without a segment, that of the round's last."""
    return SEGMENTS * (state.clock.round - 1) + (point.segment or SEGMENTS)


@derives("time.round-segments")
def point_of(tick: int) -> Point:
    """Return the round and segment of a number that `tick_of` gives."""
    return Point((tick - 1) // SEGMENTS + 1, segment=(tick - 1) % SEGMENTS + 1)


# ---------------------------------------------------------------- beginning


def time_of_work(state: VileState, who: str, action: Action) -> tuple[int, bool]:
    """Return the segments of work without minors, by act or entry, and whether its time is in rounds."""
    entry, calendar = entry_of(state, who, action.name), state.rules.calendar
    time = action.time if action.time is not None else entry.time if entry else None
    count = (length := calendar.length(time)) and calendar.count_units(length, "segment")
    whole = isinstance(time, Span) and time.unit.casefold() in ("round", "rounds")
    if action.kind == COMPLEX:
        return SEGMENTS * -(-(count or SEGMENTS) // SEGMENTS), True
    return count or 1, whole


@derives("invocation.begins-segment-one", "incantation.like-invocation")
def begin(state: VileState, who: str, action: Action, seq: int, *, declared: bool) -> Casting:
    """Begin work in segment 1 of the round, in either half."""
    length, whole = time_of_work(state, who, action)
    round_ = max(1, state.clock.round)
    rules = ("invocation.begins-segment-one",) if action.kind == "invocation" else ("incantation.like-invocation",)
    sheet = state.combatants[who].changed.get("entries", 0)
    because, start = Because(rules, (seq,), of=(why_closed(state), cited_records(sheet))), SEGMENTS * (round_ - 1) + 1
    found = Casting(who, name_or_kind(action), seq, start, length, because, kind=action.kind, round=round_, whole=whole)
    found.declared, found.aimed, found.sheet = declared, aimed_targets(action), sheet
    entry = entry_of(state, who, action.name)
    texts = [action.name, action.object, action.granted_by, *action.manner, *(action.components or ())]
    texts += [*entry.attributes, *(entry.components or ())] if entry else []
    found.noted = frozenset(word for text in texts if text for word in words_of(text))
    state.works.append(found)
    state.works_of.setdefault(who, []).append(found)
    return found


def aimed_targets(of: Action | EffectStarted) -> frozenset[str]:
    """Return the targets of an action or effect; without any, its object."""
    aims = of.aim if isinstance(of, EffectStarted) else ()
    whom = frozenset((*of.targets, *(each.target for each in aims if each.target)))
    return whom or frozenset({of.object.casefold()} if of.object else ())


@derives("time.over-ten-carries-over", at="round closed")
def end_due_work(state: VileState, boundary: Boundary) -> None:
    """Fix the minors that lengthened the work of the round, and end declared work that was due and did not come."""
    for each in state.works:
        if each.minors is None:
            each.minors = minors(state, each.who)
        found, went = window(state, each), status(state, each)
        judged = [(one, why_broken(state, each, one)) for one in each.incidents]
        sure = [structs.replace(one, because=why, sure=True) for one, why in judged if isinstance(why, Because)]
        each.incidents, last = sure, found.value[1]
        if went.value == work.BEGUN or len(sure) < len(judged):
            each.because = Because((), (each.seq,), (went, found))
        if each.declared and point_of(last).round <= state.clock.round:
            because = Because(("round.step-order",), (boundary.seq,))
            each.incidents.append(Incident(boundary.seq, last, work.LOST, because, sure=True))


@derives("time.over-ten-carries-over", at="round opened")
def forget_ended_work(state: VileState, boundary: Boundary) -> None:
    """Forget work that ended before the round that is over now; its uses stay counted."""
    early = [each for each in state.works if each.round < boundary.number - 1]
    over_ = [each for each in early if status(state, each).value != work.BEGUN]
    for each in [each for each in over_ if due_at(state, each).value.round < boundary.number]:
        if used := use_of_spell(state, each):
            state.used.setdefault(each.who, []).append(used)
        state.works_of[each.who].remove(each)
        state.works.remove(each)


# ---------------------------------------------------------------- minors, and the work that they lengthen


@derives("minor.adds-one-segment")
@memoize
def minors(state: VileState, who: str, before: int = 0) -> Derived[tuple[int, ...]]:
    """Return the one-segment minors of a combatant in this round; by option, only those before a record."""
    acts = state.round.acts_of.get(who, ())
    timed = [each for each in acts if each.kind != "delay" or state.option("delay-time") == "one-segment"]
    lesser = [each for each in timed if row_of(state, each).weight == "minor"]
    every = [each.seq for each in lesser if each.kind == "delay" or segments_taken(state, each) == 1]
    only = every and before and state.option("added-segment") == "only-before"
    found = tuple(seq for seq in every if not only or state.precedes(seq, before))
    return Derived(found, Because(minors.rules if found else (), found, tuple(why_row(state, each) for each in timed)))


def lengthening_minors(state: VileState, casting: Casting) -> Derived[tuple[int, ...]]:
    """Return the records of the minors that lengthen work."""
    if casting.kind == COMPLEX:
        return Derived((), NOTHING_CITED)
    return minors(state, casting.who, next(iter(casting.completed), 0)) if casting.minors is None else casting.minors


@derives("invocation.default-one-segment", "time.over-ten-carries-over", "time.full-round-work")
@memoize
def window(state: VileState, casting: Casting) -> Derived[tuple[int, int]]:
    """Return the first and the last segment of work, counted through."""
    own, carries, full = window.rules
    more = lengthening_minors(state, casting)
    start, length = casting.start, casting.length + len(more.value)
    because = Because((full,) if casting.whole else (own,) if casting.kind == "invocation" else ())
    because = Because(of=(more.because, because, casting.because))
    if length > SEGMENTS and casting.kind != COMPLEX:
        if state.option("over-ten") == "moved-whole":
            start, length = start + SEGMENTS, casting.length
        because = Because((carries,), (), (because,))
    return Derived((start, start + length - 1), because)


def due_at(state: VileState, casting: Casting) -> Derived[Point]:
    """Return the segment in which work completes."""
    found = window(state, casting)
    return Derived(point_of(found.value[1]), Because(of=(found, Because(point_of.rules))))


def slot_of_work(state: VileState, casting: Casting) -> str:
    """Return the slot in which work completes; D1 and D4 are those of its doer's half."""
    if casting.kind == COMPLEX or (casting.whole and state.option("round-long-casting") == "go-last"):
        return "GL"
    if casting.kind == "invocation" and casting.length <= 1:
        return "D1" if state.option("one-segment-invocation") == "d1" else "D4"
    return "E"


# ---------------------------------------------------------------- disturbances


@derives("incantation.needs-concentration")
def needs_concentration(state: VileState, casting: Casting) -> Derived[bool]:
    """Return whether work takes concentration: an incantation, an item noted so, by option other invocations."""
    if casting.kind != "invocation" or "concentration" in casting.noted:
        return Derived(casting.kind != COMPLEX, Because(needs_concentration.rules, of=(cited_records(casting.sheet),)))
    chosen = state.option("invocation-concentration")
    needs = chosen == "all" or (chosen == "scrolls" and not casting.noted.isdisjoint(("scroll", "scrolls")))
    return Derived(needs, Because(needs_concentration.rules))


def is_during(state: VileState, casting: Casting, incident: Incident) -> Derived[bool]:
    """Return whether a disturbance falls within the window of work; minors are a reason only if they decide this."""
    spell, found, more = spell_causing(state, incident), window(state, casting), lengthening_minors(state, casting)
    when = Derived(incident.tick, NOTHING_CITED)
    if spell:  # in the last segment of one that took effect
        taken, said = window(state, spell), state.round.said.get(spell.who)
        alone = spell.round == state.clock.round and not (said and said.action.time)
        when = Derived(taken.value[1], lengthening_minors(state, spell).because if alone else taken.because)
    first, last = found.value
    during = is_within_segments(state, casting, incident, when.value, (first, last))
    bare = is_within_segments(state, casting, incident, when.value, (first, last - len(more.value)))
    if bare.value and first == casting.start:
        found = Derived(found.value, Because(options=found.because.options | more.because.options))
    return Derived(during.value, Because(of=(during, found, when)))


@derives("concentration.only-during-its-period", "delayed.spells-low-no-auto-loss")
def is_within_segments(
    state: VileState, casting: Casting, incident: Incident, tick: int, segments: tuple[int, int]
) -> Derived[bool]:
    """Return whether a disturbance falls within segments of work; without a segment it does if it comes before the work's
    slot. One by a spell in the segment of completion counts if that spell takes effect first.
    """
    (first, last), where, spell = segments, incident.place, spell_causing(state, incident)
    period = "concentration.only-during-its-period"
    if where.round < point_of(first).round or tick > last:
        return Derived(False, Because((period,)))
    if tick == last:
        low = [_is_low(state, *each) for each in zip((spell, casting), where.low, strict=True)] if spell else []
        late = bool(low) and low[0].value >= low[1].value
        rules = ("delayed.spells-low-no-auto-loss", period) if spell and delayed_by(state, casting.who) else (period,)
        return Derived(state.option("last-segment") == "open" and not late, Because(rules, (), tuple(low)))
    names, slot = slot_names(state), slot_of_work(state, casting)
    over = where.round >= point_of(last).round and slot in names and where.slot in names
    late = over and not tick and names.index(where.slot) > names.index(slot)
    return Derived(not late, Because((period,)))


def spell_causing(state: VileState, incident: Incident) -> Casting | None:
    """Return the spell that caused an incident, if one did."""
    return next((each for each in state.works if incident.place and each.seq == incident.place.spell), None)


def _is_low(state: VileState, casting: Casting, low: tuple[Because, ...]) -> Derived[bool]:
    """Return whether a caster was in LOW: of two spells that end in one segment, that of LOW is the later."""
    act = VileAct(casting.seq, casting.who, Action(kind=casting.kind), Point(casting.round), low=low)
    stood = half_then(state, act)
    return Derived(stood.value == LOW, Because(of=(stood,)))


def why_broken(state: VileState, casting: Casting, incident: Incident) -> Because | Derived[None]:
    """Return why an incident ends work, or None with the reason why it does not."""
    if incident.sure:
        return incident.because
    needs = needs_concentration(state, casting)
    during = is_during(state, casting, incident) if needs.value else needs
    if not during.value:
        return Derived(None, during.because)
    return Because(incident.because.rules, of=(incident.because, needs, during))


# ---------------------------------------------------------------- status


def status(state: VileState, casting: Casting) -> Derived[str]:
    """Return the status of work."""
    found = why_ended(state, casting)
    return Derived(found.value.ends if found.value else work.BEGUN, found.because)


@memoize
def why_ended(state: VileState, casting: Casting) -> Derived[Incident | None]:
    """Return the incident that ended work, with the reasons for it and against earlier ones."""
    found = work.ending_incident(casting, partial(why_broken, state))
    if found.value:
        return found
    alike = [each.seq for each in state.works_of[casting.who] if is_same(each.name, casting.name)]
    later = cited_records(*(seq for seq in alike if state.precedes(casting.seq, seq)))
    return Derived(None, Because(of=(found, later)))


def why_over(state: VileState, casting: Casting) -> Derived[Incident | None]:
    """Return the incident that ended work, with the reason; a row that completes a spell is reason enough."""
    found = why_ended(state, casting)
    if found.value is None or casting.kind == COMPLEX or not casting.completed:
        return found
    return Derived(found.value, Because(found.because.rules, (found.value.seq,)))


@derives("incantation.broken-is-lost")
def use_of_spell(state: VileState, casting: Casting) -> CompletedWork | None:
    """Return the use of a spell by work that was cast, broken or given up; None if it used none."""
    found = why_over(state, casting)
    if found.value is None or found.value.ends == work.LOST:
        return None
    own = found.value.because.rules
    rules = (*own, *use_of_spell.rules) if found.value.ends == work.WITHDRAWN else (*use_of_spell.rules, *own)
    ends = takewhile(lambda each: each.ends != work.LOST, casting.incidents)
    enough = tuple(each.seq for each in ends if isinstance(why_broken(state, casting, each), Because))
    because = Because(rules, enough, of=(found,))
    round_ = found.value.place.round if found.value.place else point_of(found.value.tick).round
    return CompletedWork(casting.kind, casting.name.casefold(), round_, casting.seq, found.value.seq, because)


def taken_back(state: VileState, who: str, *kinds: str) -> Because:
    """Return the record by which a combatant took back a declaration of such work before the dice, as a reason."""
    said = state.round.given_up.get(who)
    if said is None or said.action.kind not in kinds or by_seq(state, who, said.seq):
        return NOTHING_CITED
    return Because((), (said.withdrawn,))


def is_of_round(state: VileState, casting: Casting) -> bool:
    """Return whether work belongs to the present round: begun in it, or not ended before it."""
    end = why_ended(state, casting).value
    return end is None or state.precedes(state.round.opened, end.seq)


def spans_round(state: VileState, casting: Casting) -> bool:
    """Return whether work takes time of this round: it belongs to the round, reaches into it, is not withdrawn."""
    reaches = due_at(state, casting).value.round >= state.clock.round
    return reaches and is_of_round(state, casting) and status(state, casting).value != work.WITHDRAWN


def is_work_past(state: VileState, casting: Casting) -> bool:
    """Return whether work is over: it was due before this round, and no row may have begun it instead."""
    return (casting.kind != COMPLEX or not casting.completed) and due_at(state, casting).value.round < state.clock.round


def under_way(state: VileState, works: list[Casting]) -> Derived[list[Casting]]:
    """Return the works that are under way, with the statuses of those that may be."""
    stands = [(each, why_over(state, each)) for each in works]
    of = tuple(found for each, found in stands if found.value is None or not is_work_past(state, each))
    return Derived([each for each, found in stands if found.value is None], Because(of=of))


def bare_under_way(state: VileState, who: str) -> list[Casting]:
    """Return the work of a combatant that is under way, without a reason."""
    own = state.works_of.get(who)
    return [each for each in own if why_ended(state, each).value is None] if own else []


def by_seq(state: VileState, who: str, seq: int) -> Casting | None:
    """Return the work of a combatant that a record began."""
    return next((each for each in state.works_of.get(who, ()) if each.seq == seq), None)


def work_of(state: VileState, who: str, name: str | None, kind: str = "", cause: int | None = None) -> Casting | None:
    """Return the work of this round that a row completes: by its cause, else its doer's last work of that name."""
    own = [each for each in state.works_of.get(who, ()) if kind in ("", each.kind) and is_of_round(state, each)]
    caused = [each for each in own if each.seq == cause]
    return next(reversed((*[each for each in own if is_same(name, each.name)], *caused)), None)


def works_aside(state: VileState, who: str) -> list[Casting]:
    """Return the work of a combatant's replaced declarations, which it may still do."""
    found: list[Casting] = state.round.aside.get(who, [])
    return found


def replaced_work(state: VileState, who: str, name: str | None) -> Casting | None:
    """Return a combatant's last work of this name whose declaration was replaced."""
    return next((each for each in reversed(works_aside(state, who)) if is_same(name, each.name)), None)


def work_completed_by(state: VileState, act: VileAct) -> Casting | None:
    """Return the work that an act completes, or would have completed; None if the act begins the work."""
    return by_seq(state, act.combatant, act.work) if act.work != act.seq else None


def end_before_completion(state: VileState, act: VileAct) -> Incident | None:
    """Return the incident that ended work before the act that would have completed it."""
    found = work_completed_by(state, act)
    ended = why_ended(state, found).value if found else None
    return ended if ended and ended.seq != act.seq else None
