"""The ruleset's own addresses: seconds of rounds, turns and acts, resources left, delayed effects, contests."""

from collections.abc import Callable, Iterator
from functools import partial

from eventstore.shapes import Action
from projections.address import NOTHING, Address, a_combatant_or_none, a_count, a_number, is_number
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant, Ruled
from projections.folds.vitals import has_stood, status_or_left
from projections.mechanics.rolls import Contest
from projections.mechanics.work import BEGUN
from projections.open_types import Json, RulesState
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import address_maker, derives
from projections.rulesets.semiautomagic import seconds, timeline
from projections.rulesets.semiautomagic.effects import due_instant, due_second, why_effect, why_status
from projections.rulesets.semiautomagic.order import arrange, check_result, contest_value, counting, owes, place_reason
from projections.rulesets.semiautomagic.seconds import change_length, cost, give_up, keep_act, listed_time, ruled_time
from projections.rulesets.semiautomagic.state import (
    RULES,
    SECONDS,
    Delayed,
    Instant,
    SemiautomagicState,
    TimedAct,
    make_instant,
    number_second,
)
from projections.rulesets.semiautomagic.turns import begin_turn, combatants_due, end_turn
from projections.scheduling.turn_schedule import turn_list
from projections.time import Boundary

Value = Derived[Json]
described = address_maker(RULES)
FOLLOWS = "it follows from turns and seconds: rule the round, the turn, `<id>.seconds`, or `<id>.time.<name>`"


def _last_act(state: SemiautomagicState, one: Combatant, name: str) -> TimedAct | None:
    found = state.done_as.get((one.id, name.casefold()))
    return found[-1] if found else None


def _delayed_effect(state: SemiautomagicState, one: Combatant, name: str) -> Delayed | None:
    act = _last_act(state, one, name)
    own = (each for each in state.delayed.values() if each.who == one.id and each.name.casefold() == name.casefold())
    return next(own, state.delayed_by.get(act.seq) if act else None)


def _why_running(act: TimedAct) -> Because:
    """Return the reason for the end of an action: its seconds, one after the other, over the turns that they take."""
    return Because(("action.runs-on-into-next-round", "action.consecutive-seconds"), (), (act.held,))


def _seconds_taken(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the seconds that an action takes: the last such action, else by a ruling, an entry, or the table."""
    done = state.done_as.get((one.id, name.casefold()), [])
    named = state.ruled_times.get((one.id, name.casefold()))
    ruled = named or (ruled_time(state, one.id, done[-1].action) if done else None)
    if ruled:
        return Derived(ruled[0], Because(change_length.rules, (ruled[1],)))
    listed = listed_time(state, one.id, Action(kind=name, name=name))
    *before, taken = (listed, *(cost(state, one.id, act.action) for act in done))
    said = done[-1].seq if done and taken != before[-1] else one.joined
    return None if taken is None else Derived(taken, Because(listed_time.rules, (said,)))


def _set_time(state: SemiautomagicState, who: str, name: str, value: int, seq: int) -> None:
    """Set the seconds that an action takes, including the last such action of a turn being played."""
    state.ruled_times[who, name.casefold()] = (value, seq)
    turn = state.playing(who)
    for act in reversed(turn.acts if turn else ()):
        if ruled_time(state, who, act.action) == (value, seq):
            change_length(state, act, value, seq)
            break


def _seconds_left_of_act(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    act = _last_act(state, one, name)
    return (
        Derived(act.last - seconds.last_second_passed(state, act) if act.runs else 0, _why_running(act))
        if act
        else None
    )


def _act_status(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    act = _last_act(state, one, name)
    return Derived(act.status.value, Because(keep_act.rules, (), (act.status,))) if act else None


def _point_of_completion(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the moment when an action is done, or its delayed effect occurs, such as r2.ana.3; else `none`."""
    effect, act = _delayed_effect(state, one, name), _last_act(state, one, name)
    if effect:
        at = due_instant(state, effect) if not effect.incidents else None
        return Derived(_format_point(state, one, at), _why_due(state, one, at, why_effect(state, effect)))
    if act is None:
        return None
    at = make_instant(act.last) if act.runs else None
    return Derived(_format_point(state, one, at), _why_due(state, one, at, _why_running(act)))


def _format_point(state: SemiautomagicState, one: Combatant, at: Instant | None) -> str:
    return f"r{timeline.round_of(state, one.id, at)}.{one.id}.{at.second}" if at else NOTHING


def _why_due(state: SemiautomagicState, one: Combatant, at: Instant | None, because: Because) -> Because:
    return Because(because.rules, of=(because, timeline.why_clock(state, one.id))) if at else because


def _effect_status(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    effect = _delayed_effect(state, one, name)
    return Derived(effect.status.value, why_status(state, effect)) if effect else None


def _seconds_left_of_delay(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the combatant's seconds that are left of a delay."""
    effect, turn = _delayed_effect(state, one, name), state.playing(one.id)
    if effect is None:
        return None
    gone = turn.zero + turn.spent if turn else number_second(state.clock_of(one.id).number, SECONDS)
    at = due_second(state, effect) if effect.status.value == BEGUN else 0
    clock = timeline.why_spent(state, one, turn) if turn else timeline.why_clock(state, one.id)
    because = Because((), (), (why_effect(state, effect), clock))
    return Derived(max(0, at - max(gone, effect.act.end)), Because(why_effect(state, effect).rules, of=(because,)))


def _give_up_spell(state: SemiautomagicState, who: str, _value: object, seq: int) -> None:
    act = timeline.spell(state, state.combatants[who])
    if act:
        give_up(state, act, seq)


def _spell_being_cast(state: SemiautomagicState, one: Combatant) -> Value:
    act = timeline.spell(state, one)
    if act:
        return Derived(act.name, Because(_why_running(act).rules, (), (act.because,)))
    last = _last_act(state, one, "cast")
    return Derived(NOTHING, _why_running(last) if last else Because(keep_act.rules, (one.joined,)))


def _wants_end(state: SemiautomagicState, who: str, value: object) -> str:
    return "" if value == NOTHING and timeline.spell(state, state.combatants[who]) else "none, while a spell runs on"


def combatant_address(field: str, read: Callable[..., Value | None], **more: object) -> Address:
    """Return an address of a combatant, read by a function of the state and the combatant."""
    return described(f"<who>.{field}", lambda state, who, *rest: read(state, state.combatants[who], *rest), **more)


def _actors_and_acts(state: SemiautomagicState, *, delays: bool) -> Iterator[tuple[str, str]]:
    """Yield the actor and the name of each act; with `delays`, only of acts that set off a delayed effect."""
    for (who, word), done in state.done_as.items():
        if done[-1].name.casefold() == word and (not delays or _delayed_effect(state, state.combatants[who], word)):
            yield who, word


def _act_address(field: str, read: Callable[..., Value | None], delays: bool = False, **more: object) -> Address:
    return combatant_address(f"{field}.<name>", read, places=partial(_actors_and_acts, delays=delays), **more)


# ---------------------------------------------------------------- rounds and turns


@derives("round.six-seconds")
def second_of(number: int, second: int) -> int:
    """Return a second of a round counted from the beginning of the fight, which is second 0."""
    return SECONDS * (number - 1) + second


def _seconds_elapsed(state: SemiautomagicState) -> Value:
    """Return the seconds of the fight that have passed, from the turn being played."""
    turn = state.stack[-1] if state.stack else None
    counted = timeline.why_spent(state, state.combatants[turn.combatant], turn) if turn else NOTHING_CITED
    now = second_of(max(1, state.clock.round), turn.spent if turn else 0)
    return Derived(now, Because(second_of.rules, (state.clock.round_event or 1,), (counted,)))


def _second_of_round(_state: SemiautomagicState, number: str, second: str = "0") -> Value | None:
    if not second.isdecimal() or len(second) > 9:
        return None
    return Derived(second_of(int(number), int(second)), Because(second_of.rules, (1,)))


def _present_round(state: RulesState) -> Iterator[tuple[str, ...]]:
    yield (str(max(1, state.clock.round)),)


def _set_round(state: SemiautomagicState, value: int, seq: int) -> None:
    state.clock.round = state.turns.rounds = state.round.number = value
    state.round.opened = seq
    arrange(state)


def _set_turn(state: SemiautomagicState, value: str, seq: int) -> None:
    for turn in reversed(state.stack[:]):
        end_turn(state, Boundary("turn ended", seq, turn.combatant))
    if value != NOTHING:
        begin_turn(state, Boundary("turn began", seq, value))


def _with_round_reason(state: SemiautomagicState, value: object) -> Value:
    return Derived(value, Because(("round.one-turn-each",), (state.clock.round_event or 1,)))


def _turn_of(state: SemiautomagicState) -> Value:
    return Derived(state.clock.turn or NOTHING, Because(("round.one-turn-each",), state.clock.events or (1,)))


@derives("round.one-turn-each")
def due_combatants(state: SemiautomagicState) -> Value:
    """Return the combatants who are due, by the turns had so far and the statuses of combatants who are out."""
    if not state.clock.round:
        return Derived([], Because(due_combatants.rules, (1,)))
    placed, here = turn_list(state).order, state.combatants
    places = (place_reason(state, who) for who in placed)
    passed = state.turns.progress.passed
    waiting = list(combatants_due(state))
    stand = (
        status_or_left(here[who])
        for who in placed
        if who in passed or state.is_out(who) or (who in waiting and not has_stood(state, here[who]))
    )
    return Derived(waiting, Because(due_combatants.rules, state.clock.events, (state.turns.progress, *places, *stand)))


# ---------------------------------------------------------------- contests


def _contest_winner(state: SemiautomagicState, about: str = "") -> Value | None:
    """Return the winner of a contest; without a subject, of the contest that has none, else of the last one."""
    found = state.contests.get(about.casefold())
    if found is None and not about:
        found = next(reversed(state.contests.values()), None)
    return contest_value(found, found.winner or NOTHING) if found else None


def _contender_result(state: SemiautomagicState, about: str, who: str) -> Value | None:
    found: Contest | None = state.contests.get(about.casefold())
    return contest_value(found, found.results[who][-1]) if found and who in found.results else None


def _contest_subjects(state: RulesState) -> Iterator[tuple[str, ...]]:
    yield from ((about,) for about in state.contests if about)


def _contest_without_subject(state: RulesState) -> Iterator[tuple[()]]:
    yield from ((),) if "" in state.contests else ()


def _contest_contenders(state: RulesState) -> Iterator[tuple[str, ...]]:
    yield from ((about, who) for (about,) in _contest_subjects(state) for who in state.contests[about].results)


# ---------------------------------------------------------------- seconds of a combatant


def _set_seconds(state: SemiautomagicState, who: str, value: int, seq: int) -> None:
    """Set the seconds left of a combatant's turn; later actions take from them."""
    turn = state.playing(who)
    if turn:
        turn.waited, turn.waits, turn.since = SECONDS - value, None, len(turn.earlier) + len(turn.timed)
        turn.events = (*turn.events, seq)
    else:
        state.ruled[f"{who}.seconds"] = Ruled(value, seq, "turn")


def _seconds_wanted(_state: SemiautomagicState, _who: str, value: Json) -> str:
    return "" if is_number(value) and 0 <= value <= SECONDS else f"a number from 0 to {SECONDS}"


def _interrupted_seconds(state: SemiautomagicState, one: Combatant) -> Value:
    broken = [turn for turn in state.stack[:-1] if turn.combatant == one.id]
    return Derived(SECONDS - broken[-1].spent if broken else NOTHING, timeline.why_turn(state, one))


def _seconds_spent(state: SemiautomagicState, one: Combatant) -> Value:
    turn = state.playing(one.id)
    return Derived(turn.spent if turn else NOTHING, timeline.why_spent(state, one, turn))


def _use_of_second(state: SemiautomagicState, one: Combatant, number: str) -> Value | None:
    found = timeline.use_of_seconds(state, one)
    return Derived(found.value[int(number) - 1], found.because) if int(number) <= SECONDS else None


def _hand_seconds(state: SemiautomagicState, one: Combatant) -> Value:
    turn = state.in_hand(one.id)
    return Derived(SECONDS - turn.spent if turn else 0, timeline.why_in_hand(state, one))


def _round_of_turn(state: SemiautomagicState, one: Combatant) -> Value:
    """Return the round that a combatant's turn belongs to; a delayed one belongs to that in which it was put off."""
    turn = state.playing(one.id) or state.in_hand(one.id)
    return Derived(turn.round if turn else NOTHING, timeline.why_turn(state, one))


# ---------------------------------------------------------------- initiative


def _initiative_total(state: SemiautomagicState, one: Combatant) -> Value:
    own, place = state.standings.get(one.id), _place(state, one)
    if own is None:
        return Derived(NOTHING, Because(check_result.rules, _because_unchecked(state, one), (place,)))
    further = [seq for seq, check in zip(own.events[1:], own.rerolls, strict=False) if check == own.total]
    return Derived(own.total, Because(check_result.rules, (own.events[0], *further), (place,)))


def _because_unchecked(state: SemiautomagicState, one: Combatant) -> tuple[int, ...]:
    """Return why a combatant has no check: it has joined, perhaps again, and has made none since."""
    return (*filter(None, (state.returned.get(one.id),)), one.joined)


def _place(state: SemiautomagicState, one: Combatant) -> Derived[str]:
    return Derived(one.id, place_reason(state, one.id) if one.id in state.standings else NOTHING_CITED)


def _set_total(state: SemiautomagicState, who: str, value: int, seq: int) -> None:
    own = state.standings[who]
    own.total, own.rerolls, own.events = value, (), (*own.events, seq)
    arrange(state)


def _total_wanted(state: SemiautomagicState, who: str, value: object) -> str:
    if who not in state.standings:
        return f"nothing: {who} has made no check"
    return a_number(state, value)


def _further_checks(state: SemiautomagicState, one: Combatant) -> Value:
    own = state.standings.get(one.id)
    if own is None:
        return Derived(NOTHING, Because(owes.rules, _because_unchecked(state, one)))
    return Derived(list(counting(state, own)), Because(owes.rules, (), (_place(state, one),)))


SPENT: dict[str, Callable[[SemiautomagicState, Combatant], Value]] = {
    "seconds": timeline.seconds_left,
    "turn-in-hand": timeline.turns_in_hand,
}
"""The resources that can be spent, each by its own address."""
BUDGET = Budget(left=lambda state, one, what: SPENT[what](state, one) if what in SPENT else None, own=tuple(SPENT))
ADDRESSES = (
    described("round", lambda s: _with_round_reason(s, s.clock.round), wants=a_count, rule=_set_round),
    described("turn", _turn_of, wants=a_combatant_or_none, rule=_set_turn),
    *(described(field, lambda s: _with_round_reason(s, NOTHING)) for field in ("segment", "phase")),
    described("seconds", _seconds_elapsed, fixed=FOLLOWS),
    described("round.<number>.second", _second_of_round, places=_present_round),
    described(
        "round.<number>.second.<at>", _second_of_round, places=lambda s: ((*each, "1") for each in _present_round(s))
    ),
    described("contest.<about>.<who>", _contender_result, wants=a_number, places=_contest_contenders),
    described("contest.<about>", _contest_winner, wants=a_combatant_or_none, places=_contest_subjects),
    described("contest", _contest_winner, wants=a_combatant_or_none, places=_contest_without_subject),
    combatant_address("seconds", timeline.seconds_left, wants=_seconds_wanted, rule=_set_seconds),
    combatant_address("interrupted", _interrupted_seconds, fixed=FOLLOWS),
    combatant_address("second", _seconds_spent, fixed=FOLLOWS),
    combatant_address("second.<number>", _use_of_second, fixed=FOLLOWS),
    combatant_address("strip", timeline.use_of_seconds, fixed=FOLLOWS),
    combatant_address("turn-in-hand", timeline.turns_in_hand),
    combatant_address("turn-in-hand.seconds", _hand_seconds, fixed=FOLLOWS),
    combatant_address("round", _round_of_turn, fixed=FOLLOWS),
    combatant_address("total", _initiative_total, wants=_total_wanted, rule=_set_total),
    combatant_address("rerolls", _further_checks),
    _act_address("time", _seconds_taken, wants=a_count, rule=_set_time),
    _act_address("left", _seconds_left_of_act, fixed=FOLLOWS),
    _act_address("action", _act_status, fixed=FOLLOWS),
    _act_address("due", _point_of_completion, fixed=FOLLOWS),
    _act_address("delay", _seconds_left_of_delay, delays=True),
    _act_address("effect", _effect_status, delays=True),
    *(
        combatant_address(field, _spell_being_cast, wants=_wants_end, rule=_give_up_spell)
        for field in ("casting", "concentration")
    ),
)
