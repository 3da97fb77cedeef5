"""Late checks of spells: whether they may take effect, when, at whom; how many; and what is left of those memorized."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from eventstore.events import ActionTaken, EffectStarted, ResourceChanged, SheetChanged
from projections.address import Address, a_number
from projections.because import Because, Derived
from projections.mechanics import work
from projections.mechanics.grants import names, words
from projections.mechanics.work import Incident
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.late import LateCheck, of_acts
from projections.rulesets.vile_darkness.place import slot_of
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Act, Casting, Use, VileState
from projections.rulesets.vile_darkness.table import SPELLS, entry_of
from projections.rulesets.vile_darkness.told import completing_row
from projections.rulesets.vile_darkness.weights import instead_of
from projections.rulesets.vile_darkness.works import (
    COMPLEX,
    because_ended,
    by_seq,
    due,
    is_of_round,
    lengthened,
    slot_of_work,
    status,
    use_of,
    window,
    work_of,
)
from projections.state import State, action_word
from projections.time import Point

# ---------------------------------------------------------------- whether a spell may take effect


def completes(state: VileState, act: Act) -> Casting | None:
    """Return the work that an act completes, or was to complete; None where it begins it itself."""
    found = by_seq(state, act.who, act.work) if act.work else None
    return found if found and found.seq != act.seq else None


def over(state: VileState, act: Act) -> Incident | None:
    """Return what had ended work before the act that was to complete it."""
    found = completes(state, act)
    ended = because_ended(state, found).value if found else None
    return ended if ended and ended.seq != act.seq else None


def _broken(state: VileState, act: Act, rule: str, says: str) -> Breach | None:
    """Return the breach of a spell that takes effect although this rule had ended its casting."""
    ended = over(state, act)
    if ended is None or rule not in ended.because.rules:
        return None
    return Breach(f"{action_word(act.action)} of {act.who} takes effect: {says}", ended.ends, work.DONE, (ended.seq,))


@of_acts("concentration.broken-by-damage", "effect", 1)
def wounds_break_castings(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _broken(state, act, "concentration.broken-by-damage", "its caster was wounded")


@of_acts("concentration.broken-by-failed-save", "effect", 1)
def failed_saves_break_castings(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _broken(state, act, "concentration.broken-by-failed-save", "its caster failed a saving throw")


@of_acts("concentration.broken-by-impediment", "effect", 1)
def impediments_break_castings(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _broken(state, act, "concentration.broken-by-impediment", "its caster was impeded")


@of_acts("free.breaks-concentration", "effect", 1)
def free_attacks_break_castings(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _broken(state, act, "free.breaks-concentration", "its caster took a free attack")


@of_acts("grid.ally-passing-breaks-concentration", "effect", 1)
def jostling_breaks_castings(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _broken(state, act, "grid.ally-passing-breaks-concentration", "its caster was jostled")


@of_acts("immediate-attack.replaces-declared", "effect", 1)
def immediate_attacks_give_castings_up(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _broken(state, act, "immediate-attack.replaces-declared", "it was given up for an immediate attack")


@of_acts("incantation.broken-is-lost", "effect", 2)
def a_spell_that_is_over_takes_no_effect(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    ended = over(state, act)
    if ended is None or ended.ends == work.LOST:
        return None
    return Breach(f"{action_word(act.action)} of {act.who} was over", ended.ends, work.DONE, (ended.seq,))


@of_acts("time.over-ten-carries-over", "effect", 3)
def long_work_does_not_end_in_its_round(state: VileState, fact: Reading, act: Act) -> Breach | None:
    found = completes(state, act)
    if found is None or (found.kind == COMPLEX and isinstance(fact.event, ActionTaken)):
        return None
    end = due(state, found)
    if end.value.round <= state.clock.round:
        return None
    took = window(state, found)
    says = f"{found.name} of {found.who} takes {took.value[1] - found.start + 1} segments"
    return Breach(says, _when(end.value), f"round {state.clock.round}", took.because.own().events)


def _when(point: Point) -> str:
    return f"segment {point.segment} of round {point.round}"


# ---------------------------------------------------------------- in which segment


def of_segments(rule: str, rank: int) -> Callable[[Callable[[VileState, Casting, int], bool]], LateCheck]:
    """Mark a check of spells told in another segment than they take effect in: a predicate says whether this rule is why.

    It is handed by how many segments the spell comes late, below 0 early.
    """

    def mark(function: Callable[[VileState, Casting, int], bool]) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, _fact: Reading, act: Act) -> Breach | None:
            found = completes(state, act)
            if found is None or found.kind == COMPLEX or slot_of_work(state, found) not in ("E", "GL"):
                return None
            end = due(state, found)
            late = 10 * (state.clock.round - end.value.round) + (act.segment or end.value.segment) - end.value.segment
            begun_late = found.started is not None and late == max(1, found.started.segment) - 1
            if late == 0 or begun_late or not function(state, found, late):
                return None
            told = Point(state.clock.round, segment=act.segment or end.value.segment)
            says = f"{found.name} of {found.who} takes effect in {_when(end.value)}"
            return Breach(says, _when(end.value), _when(told), window(state, found).because.own().events)

        return of_acts(rule, "effect", rank)(looks)

    return mark


@of_segments("time.full-round-work", 4)
def work_of_a_round_takes_ten_segments(_state: VileState, casting: Casting, late: int) -> bool:
    return casting.whole and late < 0


@of_segments("minor.adds-one-segment", 5)
def minors_lengthen_spells(state: VileState, casting: Casting, late: int) -> bool:
    return -len(lengthened(state, casting).value) <= late < 0


@of_segments("immediate.anytime", 5)
def immediate_actions_lengthen_nothing(state: VileState, casting: Casting, late: int) -> bool:
    return 0 < late <= sum(1 for each in state.round.acts_of[casting.who] if each.kind == "immediate")


@of_segments("time.asterisk-no-time", 6)
def starred_activities_lengthen_nothing(state: VileState, casting: Casting, late: int) -> bool:
    return 0 < late <= sum(1 for each in state.round.acts_of[casting.who] if each.action.time == 0)


@of_segments("invocation.begins-segment-one", 7)
def invocations_begin_in_segment_one(_state: VileState, casting: Casting, late: int) -> bool:
    return casting.kind == "invocation" and late > 0


@of_segments("invocation.default-one-segment", 8)
def invocations_take_their_time(_state: VileState, casting: Casting, _late: int) -> bool:
    return casting.kind == "invocation"


@of_segments("incantation.like-invocation", 9)
def incantations_take_their_time(_state: VileState, casting: Casting, _late: int) -> bool:
    return casting.kind == "incantation"


@check("invocation.begins-segment-one", on=ActionTaken, group="begun", rank=1)
def invocations_are_not_begun_later(state: VileState, fact: Reading) -> Breach | None:
    return _begun_late(state, fact, "invocation")


@check("incantation.like-invocation", on=ActionTaken, group="begun", rank=2)
def incantations_are_not_begun_later(state: VileState, fact: Reading) -> Breach | None:
    return _begun_late(state, fact, "incantation")


def _begun_late(state: VileState, fact: Reading, kind: str) -> Breach | None:
    """Return the breach of a row by which a spell begins in another segment than the first."""
    begun = [each for each in state.works if each.started and each.started.seq == fact.seq and each.kind == kind]
    if not begun or fact.point.segment <= 1:
        return None
    says = f"{begun[0].name} of {begun[0].who} begins in segment 1 of the round"
    return Breach(says, "segment 1", f"segment {fact.point.segment}", (begun[0].seq,))


# ---------------------------------------------------------------- the target


@derives("spell.target-not-declared", on=ActionTaken)
def target_is_named(state: VileState, fact: Reading) -> None:
    """Keep the target that a caster names with the spell; the declaration need not have it."""
    act = fact.act
    if act and act.kind == "target":
        for each in state.works:
            if each.who == act.who and each.kind in SPELLS and work.same(act.action.name, each.name):
                each.named.append(act)


@of_acts("spell.target-in-d1", "place", 0)
def targets_are_named_in_d1(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    found = slot_of(state, act)
    if act.kind != "target" or not act.slot or found.value in ("", act.slot):
        return None
    says = f"targets are named in {found.value}, not in {act.slot}"
    return Breach(says, found.value, act.slot, found.because.flat().events)


@of_acts("spell.target-in-d1", "place", 0)
def targets_are_named_in_the_round_of_the_declaration(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    mine = [each for each in state.works if each.who == act.who and act in each.named]
    if act.kind != "target" or not mine or mine[-1].round >= state.clock.round:
        return None
    if any(each.seq != act.seq for each in mine[-1].named):
        return None
    says = f"the target of {mine[-1].name} is named after the round of its declaration"
    return Breach(says, f"round {mine[-1].round}", f"round {state.clock.round}", (mine[-1].seq,))


@check("spell.target-in-d1", on=(ActionTaken, EffectStarted), group="target")
def spells_strike_whom_they_were_aimed_at(state: VileState, fact: Reading) -> Breach | None:
    casting, event = _casting_of(state, fact), fact.event
    if casting is None or casting.kind not in SPELLS or not casting.declared:
        return None
    said = event.targets if isinstance(event, EffectStarted) else event.action.targets
    struck = {*said, *(each.target for each in getattr(event, "aim", ()) if each.target)}
    thing = (event.object if isinstance(event, EffectStarted) else event.action.object or "") or ""
    entry, thing = entry_of(state, casting.who, casting.name), thing.casefold()
    if (entry and entry.range in (0, "0", "self")) or not (struck - {casting.who} or thing):
        return None
    told = [each.action for each in casting.named]
    if not told and not casting.aimed:
        return _unnamed(casting, "a target named in D1", "none")
    aims = [*casting.aimed, *(target for each in told for target in each.targets)]
    named = {who for target in aims for who in _members(state, target)}
    things = {(each.object or "").casefold() for each in told}
    if (named and not struck <= named) or (thing and not named and thing not in things):
        return _unnamed(casting, ", ".join(sorted(named or things)), ", ".join(sorted(struck)) or thing)
    return None


def _casting_of(state: VileState, fact: Reading) -> Casting | None:
    """Return the spell that a fact is an effect of, unless it was over by then."""
    act, event = state.round.acts.get(fact.seq), fact.event
    if act:
        return None if over(state, act) else completes(state, act)
    if not isinstance(event, EffectStarted) or event.parent:
        return None
    found = work_of(state, event.source or "", event.effect)
    return found if found and completing_row(state, found) else None


def _unnamed(casting: Casting, expected: str, found: str) -> Breach:
    says = f"{casting.name} of {casting.who} strikes what was not named in D1"
    return Breach(says, expected, found, (casting.seq,), once=(casting.who, casting.seq))


def _members(state: VileState, target: str) -> set[str]:
    return {target} | {one.id for one in state.combatants.values() if one.side == target}


# ---------------------------------------------------------------- line of effect, line of sight


def of_aims(rule: str, group: str, rank: int, says: str) -> Callable[[Callable[[Any], bool]], LateCheck]:
    """Mark a check of how spells reach their targets: a predicate of what was told of one, by which it does not."""

    def mark(function: Callable[[Any], bool]) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, fact: Reading) -> Breach | None:
            event = fact.event
            if not _is_ranged(state, event):
                return None
            if group == "line" and _needs_no_line(state, event):
                return None
            wrong = [each for each in event.aim if function(each)]
            words_ = f"{event.effect} does not reach {wrong[0].target or 'its target'}: {says}" if wrong else ""
            return Breach(words_, "no effect", "an effect", (fact.seq,)) if wrong else None

        return check(rule, on=EffectStarted, group=group, rank=rank)(looks)

    return mark


def _range(state: VileState, event: EffectStarted) -> Any:
    entry = entry_of(state, event.source, event.effect) if event.source in state.combatants else None
    return entry.range if entry else None


def _is_ranged(state: VileState, event: EffectStarted) -> bool:
    """Say whether a spell has a range beyond touch; where nobody said, it has."""
    reach = _range(state, event)
    return not (reach in (0, "0") or (isinstance(reach, str) and reach.casefold() in ("touch", "self")))


def _needs_no_line(state: VileState, event: EffectStarted) -> bool:
    """Say whether a spell is recorded as needing no line of effect."""
    entry = entry_of(state, event.source or "", event.effect) if event.source in state.combatants else None
    texts = (*event.attributes, *(entry.attributes if entry else ()))
    return any({"no", "line", "effect"} <= set(words(text)) for text in texts)


@of_aims("spell.line-of-effect", "line", 1, "the path is blocked")
def spells_need_a_clear_path(aim: Any) -> bool:
    return bool(aim.line == "blocked")


@of_aims("spell.cover-over-half", "line", 2, "cover of more than half breaks the line of effect")
def cover_over_half_stops_spells(aim: Any) -> bool:
    return (aim.cover or 0) > 50


@of_aims("spell.line-of-sight", "sight", 1, "its caster does not see it")
def casters_see_their_targets(aim: Any) -> bool:
    return aim.seen is False


@of_aims("spell.concealment-three-quarters", "sight", 2, "concealment of three quarters breaks the line of sight")
def concealment_breaks_the_sight(aim: Any) -> bool:
    return (aim.concealment or 0) >= 75


# ---------------------------------------------------------------- one spell a round


@derives("spell.innate-by-ruling")
def is_spell_by_ruling(state: VileState, act: Act) -> bool:
    """Say whether a ruling makes a spell of an ability."""
    said = (act.action.name or act.kind,)
    for fact in state.rulings:
        event = fact.event
        about = event.event == act.seq or (event.subject and names(event.subject, said))
        mine = not event.combatants or act.who in event.combatants
        decided = "spell" in {word.removesuffix("s") for word in words(event.decision)}
        if event.rule == is_spell_by_ruling.rules[0]:
            named = event.event is None and event.subject is None and (event.combatants or names(event.decision, said))
            if mine and (about or named):
                return True
        elif mine and about and decided and event.ruling in ("fact", "grant"):
            return True
    return False


def is_spell(state: VileState, act: Act) -> bool:
    """Say whether an act is a spell of its own: noted as one, or by ruling."""
    entry = entry_of(state, act.who, act.action.name)
    texts = (*act.action.manner, *((*entry.attributes, entry.kind or "") if entry else ()))
    noted = any(each.casefold() in (*SPELLS, "spell-like", "spell") for each in texts)
    return (
        noted
        if act.kind in ("immediate", "other", "simple")
        else act.kind == "innate" and (noted or is_spell_by_ruling(state, act))
    )


@derives("spell.one-per-round", "time.over-ten-carries-over", "incantation.broken-is-lost")
def spells_of(state: VileState, who: str) -> list[tuple[int, int]]:
    """Return the spells that count for somebody in this round: the record that began each, and that which shows it."""
    found, acts = [], state.round.acts_of.get(who, ())
    for each in state.works:
        if each.who != who or each.kind not in SPELLS or not is_of_round(state, each):
            continue
        ended = because_ended(state, each).value
        spoiled = ended is not None and ended.ends in (work.SPOILED, work.WITHDRAWN)
        later = each.round < state.clock.round and state.option("carried-over") == "spends-first"
        if not later and not (spoiled and state.option("spoiled-spell") == "does-not-count"):
            shown = [act.seq for act in acts if act.work == each.seq]
            found.append((each.seq, shown[0] if shown else each.seq))
    found += [(act.seq, act.seq) for act in acts if is_spell(state, act)]
    return sorted(found, key=lambda pair: state.at(pair[0]))


@of_acts("spell.one-per-round", "weight", 5)
def one_spell_a_round(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    found = spells_of(state, act.who)
    mine = [began for began, shown in found if shown == act.seq]
    before = [
        began for began, _ in found if mine and state.precedes(began, mine[0]) and began not in instead_of(state, act)
    ]
    if not before:
        return None
    return Breach(f"{action_word(act.action)} is another spell of {act.who}", "one a round", "two", tuple(before))


# ---------------------------------------------------------------- what is memorized


@derives("incantation.broken-is-lost", on=ResourceChanged)
def spending_is_recorded(state: VileState, fact: Reading) -> None:
    """Keep a record of a count: one of a spell that was spent is not counted again with the use that it belongs to."""
    state.spent.setdefault(fact.event.combatant, []).append(fact.fact)


@derives("incantation.broken-is-lost", on=SheetChanged)
def spells_are_memorized_anew(state: VileState, fact: Reading) -> None:
    """Forget what somebody used before its memorized spells were counted anew."""
    for name in fact.event.sheet.get("resources", ()):
        state.counted[fact.event.combatant, name.casefold()] = fact.seq


def uses(state: VileState, who: str, name: str) -> list[Use]:
    """Return the uses of somebody's spell since it was last counted, in their order."""
    found = [use for each in state.works if each.who == who and each.kind in SPELLS if (use := use_of(state, each))]
    since = state.counted.get((who, name), 0)
    return [use for use in (*state.used.get(who, ()), *found) if use.name == name and state.precedes(since, use.ended)]


@derives("incantation.broken-is-lost", "immediate-attack.replaces-declared")
def memorized(state: VileState, who: str, name: str) -> Derived[Any] | None:
    """Return how often a spell is still memorized: cast, broken or given up, it is used up."""
    one, folded = state.combatants[who], name.casefold()
    counted = next((each for each in one.resources if each.casefold() == folded), None)
    if counted is None:
        return None
    since = state.counted.get((who, folded), one.joined)
    records = [each for each in state.spent.get(who, ()) if each.event.resource.casefold() == folded]
    records = [each for each in records if state.precedes(since, each.seq)]
    works = [each for each in state.works if each.who == who and each.name.casefold() == folded]
    own, spare = uses(state, who, folded), [each for each in records if each.event.amount < 0]
    left = one.resources[counted]
    for use in own:
        match = next((each for each in spare if _is_of(each, use)), None)
        left -= 0 if match else 1
        spare = [each for each in spare if each is not match]
    why = tuple(use.because for use in reversed(own))
    rules = why[0].rules if why else memorized.rules[:1]
    because = Because(rules, (since, *(each.seq for each in records)), {}, why)
    return Derived(left, Because(of=(because, *(status(state, each) for each in works))))


def _is_of(fact: Occurrence[ResourceChanged], use: Use) -> bool:
    """Say whether a record of spending belongs to a use: it comes of it, or is of the same round."""
    return fact.cause in (use.began, use.ended) or fact.point.round == use.round


def _memorized_spells(state: State) -> Iterator[tuple[str, str]]:
    yield from ((one.id, each) for one in state.combatants.values() for each in one.resources)


def _set_memorized(state: VileState, who: str, name: str, value: Any, seq: int) -> None:
    one = state.combatants[who]
    counted = next((each for each in one.resources if each.casefold() == name.casefold()), name)
    one.resources[counted] = value
    state.counted[who, name.casefold()] = seq


@of_acts("incantation.broken-is-lost", "uses", 1)
def only_memorized_spells_are_cast(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    casting = by_seq(state, act.who, act.work) if act.work else None
    left = memorized(state, act.who, casting.name) if casting and casting.kind in SPELLS else None
    if left is None or casting is None or left.value >= 0 or (completes(state, act) and over(state, act)):
        return None
    own = [use for use in uses(state, act.who, casting.name.casefold()) if use.began != casting.seq]
    says = f"{casting.name} of {act.who} is used up"
    return Breach(says, "one memorized", "none", tuple(sorted(use.ended for use in own)))


SPELL_ADDRESSES = (
    Address(
        "<who>.memorized.<spell>",
        memorized,
        says="how often a spell is still memorized",
        wants=a_number,
        rule=_set_memorized,
        places=_memorized_spells,
    ),
)
