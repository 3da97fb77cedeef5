"""Late checks of spells: permission, segment, targets, number a round; and the memorized spells left."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, EffectStarted, Fact, ResourceChanged, SheetChanged
from projections.address import a_number
from projections.because import Because, Derived
from projections.mechanics import work
from projections.mechanics.acts import name_or_kind
from projections.mechanics.grants import is_named, words_of
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness import works
from projections.rulesets.vile_darkness.action_checks import replaced_by
from projections.rulesets.vile_darkness.order import recorded_act
from projections.rulesets.vile_darkness.place import act_slot
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import Casting, CompletedWork, VileAct, VileState
from projections.rulesets.vile_darkness.table import SPELLS, described, entry_of, fault_clauses
from projections.time import Point

# ---------------------------------------------------------------- whether a spell may take effect


ENDED = {
    "concentration.broken-by-damage": "its caster was wounded",
    "concentration.broken-by-failed-save": "its caster failed a saving throw",
    "concentration.broken-by-impediment": "its caster was impeded",
    "free.breaks-concentration": "its caster took a free attack",
    "grid.ally-passing-breaks-concentration": "its caster was jostled",
    "immediate-attack.replaces-declared": "it was given up for an immediate attack",
}
"""The clauses by which work ends, in words."""


@checks_by(*ENDED, "incantation.broken-is-lost", on=OF_ACTS, group="effect", rank=1)
def work_that_was_over_is_not_completed(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of a record that completes work which had ended before, by the clause that ended it."""
    act = recorded_act(state, fact)
    ended = works.end_before_completion(state, act) if act else None
    hurt = state.moments.get(ended.seq) if ended else None
    if act and ended and not (hurt and hurt.doubtful):  # damage of a doubtful cause may have come later
        rule = next((each for each in ENDED if each in ended.because.rules), "incantation.broken-is-lost")
        why = f"takes effect, but {ENDED[rule]}" if rule in ENDED else "was over"
        yield Fault((rule,), f"{act.combatant}'s {name_or_kind(act.action)} {why}", ended.ends, work.DONE, (ended.seq,))


@check("time.over-ten-carries-over", on=OF_ACTS, group="effect", rank=8, subject=recorded_act)
def long_work_does_not_end_in_its_round(state: VileState, fact: Reading[Fact], act: VileAct) -> Breach | None:
    found = works.work_completed_by(state, act)
    if found is None or (found.kind == works.COMPLEX and isinstance(fact.event, ActionTaken)):
        return None
    end = works.due_at(state, found).value
    if end.round <= state.clock.round:
        return None
    took = works.window(state, found)
    says = f"{found.name} takes {found.who} {took.value[1] - found.start + 1} segments"
    return Breach(says, _format_segment(end), f"round {state.clock.round}", took.because.own().events)


def _format_segment(point: Point) -> str:
    return f"segment {point.segment} of round {point.round}"


# ---------------------------------------------------------------- in which segment


@checks_by(*fault_clauses("segment"), on=OF_ACTS, group="effect", rank=9)
def spells_take_effect_in_their_segments(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of a spell completed in a wrong segment, by the first reason; none if as late as its beginning."""
    act = recorded_act(state, fact)
    found = works.work_completed_by(state, act) if act and 0 < act.point.segment <= SEGMENTS else None
    if not act or not found or found.kind == works.COMPLEX or works.slot_of_work(state, found) not in ("E", "GL"):
        return
    end, begun = works.due_at(state, found).value, found.started
    late = act.point.segment - end.segment
    if late == 0 or (begun and late == max(1, begun.point.segment) - 1):
        return
    recorded, due = _format_segment(Point(end.round, segment=act.point.segment)), _format_segment(end)
    rule, why = clause_of_wrong_segment(state, found, late), works.window(state, found).because.own().events
    yield Fault((rule,), f"{found.who}'s {found.name} takes effect in {due}", due, recorded, why)


def clause_of_wrong_segment(state: VileState, casting: Casting, late: int) -> str:
    """Return the clause that explains why a spell is recorded so many segments `late`, negative if early."""
    own, is_invocation = state.round.acts_of[casting.who], casting.kind == "invocation"
    minors = len(works.lengthening_minors(state, casting).value)
    reasons = (
        (casting.whole, "time.full-round-work"),
        (-minors <= late < 0, "minor.adds-one-segment"),
        (0 < late <= sum(each.kind == "immediate" for each in own), "immediate.anytime"),
        (0 < late <= sum(each.action.time == 0 for each in own), "time.asterisk-no-time"),
        (is_invocation and late > 0, "invocation.begins-segment-one"),
        (is_invocation, "invocation.default-one-segment"),
        (True, "incantation.like-invocation"),
    )
    return next(rule for holds, rule in reasons if holds)


@checks_by("invocation.begins-segment-one", "incantation.like-invocation", on=ActionTaken)
def spells_begin_in_segment_one(state: VileState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a spell that begins in another segment than the first."""
    begun = [each for each in state.works if each.started and each.started.seq == fact.seq and each.kind in SPELLS]
    for each in begun if fact.point.segment > 1 else ():
        rule = "invocation.begins-segment-one" if each.kind == "invocation" else "incantation.like-invocation"
        says = f"{each.who}'s {each.name} begins in segment 1 of the round"
        yield Fault((rule,), says, "segment 1", f"segment {fact.point.segment}", (each.seq,))


# ---------------------------------------------------------------- the target


@derives("spell.target-not-declared", on=ActionTaken)
def keep_named_target(state: VileState, fact: Reading[ActionTaken]) -> None:
    """Keep, with a spell, the act by which its caster names the target."""
    match fact.act:
        case VileAct(kind="target") as act:
            who, name = act.combatant, act.action.name
            if found := works.work_of(state, who, name) or works.replaced_work(state, who, name):
                found.named.append(act)


@check("spell.target-in-d1", on=OF_ACTS, group="place", subject=recorded_act)
def targets_are_named_in_d1_of_their_round(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    found, now = act_slot(state, act), state.clock.round
    if act.kind == "target" and act.slot and found.value not in ("", act.slot):
        says = f"targets are named in {found.value}, not in {act.slot}"
        return Breach(says, found.value, act.slot, found.because.flat().events)
    earlier = (each for each in state.works if each.round < now and each.named and each.named[0].seq == act.seq)
    if late := next(earlier, None):
        says = f"the target of {late.name} is named after the round in which it was declared"
        return Breach(says, f"round {late.round}", f"round {now}", (late.seq,))
    return None


@check("spell.target-in-d1", on=(ActionTaken, EffectStarted))
def spells_strike_whom_they_are_aimed_at(state: VileState, fact: Reading[ActionTaken | EffectStarted]) -> Breach | None:
    casting = _spell_completed(state, fact)
    if casting is None or casting.kind not in SPELLS or not casting.declared:
        return None
    effect = fact.event if isinstance(fact.event, EffectStarted) else fact.event.action
    struck = works.aimed_targets(effect) - {casting.who}
    named = casting.aimed.union(*(works.aimed_targets(each.action) for each in casting.named))
    if struck <= named or _range_word(state, casting.who, casting.name) in UNAIMED:
        return None
    says = f"{casting.who}'s {casting.name} strikes a target that was not named in D1"
    expected, found = ", ".join(sorted(named)) or "a target named in D1", ", ".join(sorted(struck))
    naming = (casting.seq, *(each.seq for each in casting.named))
    return Breach(says, expected, found, naming, once=(casting.who, casting.seq))


def _spell_completed(state: VileState, fact: Reading[Fact]) -> Casting | None:
    """Return the spell that a fact completes or whose effect it starts; None if the spell was over before."""
    act, event = state.round.acts.get(fact.seq), fact.event
    if act:
        return None if works.end_before_completion(state, act) else works.work_completed_by(state, act)
    return works.work_of(state, fact.who, event.effect) if isinstance(event, EffectStarted) else None


# ---------------------------------------------------------------- line of effect, line of sight


LINE = ("spell.line-of-effect", "spell.cover-over-half")
SIGHT = ("spell.line-of-sight", "spell.concealment-three-quarters")


@checks_by(*LINE, *SIGHT, on=EffectStarted)
def spells_reach_their_targets(state: VileState, fact: Reading[EffectStarted]) -> Iterator[Fault]:
    """Yield a fault for each obstacle between a spell and its target: blocked path, cover, lack of sight, concealment."""
    event = fact.event
    if _range_word(state, fact.who, event.effect) in (*UNAIMED, "touch"):
        return
    (blocked, covered), (unseen, concealed) = LINE, SIGHT
    found, entry = ("no effect", "an effect", (fact.seq,)), entry_of(state, fact.who, event.effect)
    texts = (*event.attributes, *(entry.attributes if entry else ()))
    needs_line = not any("no line of effect" in " ".join(words_of(text)) for text in texts)
    for aim in event.aim:
        says = f"{event.effect} does not reach {aim.target or 'its target'}"
        if needs_line and aim.line == "blocked":
            yield Fault((blocked,), f"{says}: the path is blocked", *found)
        elif needs_line and (aim.cover or 0) > 50:
            yield Fault((covered,), f"{says}: cover of more than half breaks the line of effect", *found)
        if aim.seen is False:
            yield Fault((unseen,), f"{says}: its caster does not see it", *found)
        elif (aim.concealment or 0) >= 75:
            yield Fault((concealed,), f"{says}: concealment of three quarters breaks the line of sight", *found)


UNAIMED = ("0", "self")
"""Ranges of spells that have no target."""


def _range_word(state: VileState, who: str, name: str) -> str:
    entry = entry_of(state, who, name)
    return "" if entry is None else str(entry.range).casefold()


# ---------------------------------------------------------------- one spell a round


@derives("spell.innate-by-ruling")
def is_spell_by_ruling(state: VileState, act: VileAct) -> bool:
    """Return whether a ruling makes an ability a spell: it cites the rule or says so, and is about the act."""
    rule, said = "spell.innate-by-ruling", (act.action.name or act.kind,)
    for ruling in (fact.event for fact in state.rulings):
        decision = set(words_of(ruling.decision))
        decides = (ruling.rule == rule or decision & {"spell", "spells"}) and not decision & {"no", "not"}
        if ruling.event:
            about = ruling.event == act.seq
        elif ruling.subject:
            about = is_named(ruling.subject, said)
        else:
            about = bool(ruling.combatants) or is_named(ruling.decision, said)
        if decides and about and (not ruling.combatants or act.combatant in ruling.combatants):
            return True
    return False


def is_spell(state: VileState, act: VileAct) -> bool:
    """Return whether an act is a spell: noted as one, or by ruling."""
    entry = entry_of(state, act.combatant, act.action.name)
    texts = (*act.action.manner, *((*entry.attributes, entry.kind or "") if entry else ()))
    noted = any(each.casefold() in (*SPELLS, "spell-like", "spell") for each in texts)
    return act.kind in ("innate", "immediate", "other", "simple") and (noted or is_spell_by_ruling(state, act))


@derives("spell.one-per-round", "time.over-ten-carries-over", "incantation.broken-is-lost")
def spells_counted(state: VileState, who: str) -> dict[int, int]:
    """Return the spells of a combatant that count in this round: each one's record with the record of its beginning."""
    acts = state.round.acts_of.get(who, ())
    found = {act.seq: act.seq for act in acts if is_spell(state, act)}
    for each in [one for one in state.works_of.get(who, ()) if one.kind in SPELLS and works.is_of_round(state, one)]:
        over_ = works.status(state, each).value in (work.SPOILED, work.WITHDRAWN)
        later = each.round < state.clock.round and state.option("carried-over") == "spends-first"
        if not later and not (over_ and state.option("spoiled-spell") == "does-not-count"):
            found[next((act.seq for act in acts if act.work == each.seq), each.seq)] = each.second or each.seq
    return found


@check("spell.one-per-round", on=OF_ACTS, group="weight", rank=5, subject=recorded_act)
def one_spell_a_round(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    found = spells_counted(state, act.combatant)
    if act.seq not in found:
        return None
    others = [pair for pair in found.items() if pair[1] not in replaced_by(state, act)]
    earlier = [[seq for seq in pair if state.precedes(seq, found[act.seq])] for pair in others]
    # a spell counts by its row, and without one by its beginning
    before = {seq for those in earlier for seq in those[:1]}
    says = f"{name_or_kind(act.action)} is {act.combatant}'s second spell this round"
    return Breach(says, "one a round", "two", tuple(sorted(before))) if before else None


# ---------------------------------------------------------------- memorized spells


@derives("incantation.broken-is-lost", on=ResourceChanged)
def keep_recorded_spending(state: VileState, fact: Reading[ResourceChanged]) -> None:
    """Keep a recorded change of the number of a spell, so that it is not counted again with the use itself."""
    state.spent.setdefault(fact.event.combatant, []).append(fact.fact)


@derives("incantation.broken-is-lost", on=SheetChanged)
def keep_recount(state: VileState, fact: Reading[SheetChanged]) -> None:
    """Keep the record of a new count of memorized spells; earlier uses no longer count."""
    for name in fact.event.sheet.get("resources", ()):
        state.counted[fact.event.combatant, name.casefold()] = fact.seq


def _counted_since(state: VileState, who: str, name: str) -> int:
    return state.counted.get((who, name.casefold()), state.combatants[who].joined)


def uses_of_spell(state: VileState, who: str, name: str) -> list[CompletedWork]:
    """Return the uses of a combatant's spell since its number was last set, in their order."""
    since, castings = _counted_since(state, who, name), state.works_of.get(who, ())
    found = (*state.used.get(who, ()), *(works.use_of_spell(state, each) for each in castings))
    return [use for use in found if use and work.is_same(name, use.name) and state.precedes(since, use.ended)]


@derives("incantation.broken-is-lost", "immediate-attack.replaces-declared")
def times_memorized(state: VileState, who: str, name: str) -> Derived[Json] | None:
    """Return how often a spell is still memorized: the recorded number, less the uses that are not recorded in it."""
    left = next((count for each, count in state.combatants[who].resources.items() if work.is_same(name, each)), None)
    if left is None:
        return None
    own, since = uses_of_spell(state, who, name), _counted_since(state, who, name)
    spent = [each for each in state.spent.get(who, ()) if work.is_same(name, each.event.resource)]
    records = [each for each in spent if state.precedes(since, each.seq)]
    why = tuple(use.because for use in reversed(own))
    rules = why[0].rules if why else ("incantation.broken-is-lost",)
    set_by = Because(rules, (since, *(each.seq for each in records)), why)
    castings = [each for each in state.works_of.get(who, ()) if work.is_same(name, each.name)]
    unused = [works.status(state, each) for each in castings if works.use_of_spell(state, each) is None]
    return Derived(left - _unrecorded_uses(own, records), Because(of=(set_by, *unused)))


def _unrecorded_uses(own: list[CompletedWork], records: list[Occurrence[ResourceChanged]]) -> int:
    """Return the number of uses without a record of their own: one that they caused, or one of their round."""
    spare, lacking = [each for each in records if each.event.amount < 0], 0
    for use in own:
        ends = (use.began, use.ended)
        match = next((each for each in spare if each.cause in ends or each.point.round == use.round), None)
        spare, lacking = [each for each in spare if each is not match], lacking + (match is None)
    return lacking


def _set_memorized(state: VileState, who: str, name: str, value: Json, seq: int) -> None:
    counts = state.combatants[who].resources
    counts |= {each: value for each in counts if work.is_same(name, each)}
    state.counted[who, name.casefold()] = seq


@check("incantation.broken-is-lost", on=OF_ACTS, group="uses", rank=1, subject=recorded_act)
def only_memorized_spells_are_cast(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    casting = works.by_seq(state, act.combatant, act.work)
    if casting is None or works.end_before_completion(state, act):
        return None
    left = times_memorized(state, act.combatant, casting.name)
    if left is None or left.value >= 0:
        return None
    own = [use for use in uses_of_spell(state, act.combatant, casting.name) if use.began != casting.seq]
    says = f"{act.combatant}'s {casting.name} is used up"
    return Breach(says, "one memorized", "none", tuple(sorted(use.ended for use in own)))


SPELL_ADDRESSES = (
    described(
        "<who>.memorized.<spell>",
        times_memorized,
        wants=a_number,
        rule=_set_memorized,
        places=lambda state: ((one.id, each) for one in state.combatants.values() for each in one.resources),
    ),
)
