"""The ruleset's own addresses: seconds of rounds, turns and acts, resources left, delayed effects, contests."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from eventstore.shapes import Action
from projections.address import NOTHING, Address, a_combatant_or_none, a_count, a_number, is_number, require
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant, Ruled
from projections.folds.vitals import status_or_left
from projections.mechanics.rolls import Contest
from projections.mechanics.work import BEGUN
from projections.open_types import Json, RulesState
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import address_maker, derives
from projections.rulesets.semiautomagic import timeline
from projections.rulesets.semiautomagic.effects import due_instant, due_second, why_effect, why_status
from projections.rulesets.semiautomagic.order import check_result, contest_value, counting, owes, place_reason
from projections.rulesets.semiautomagic.seconds import (
    change_length,
    cost,
    give_up,
    keep_act,
    last_second_passed,
    listed_time,
    ruled_time,
)
from projections.rulesets.semiautomagic.state import RULES, SECONDS, Delayed, Instant, SecondsState, Standing, TimedAct
from projections.rulesets.semiautomagic.turns import begin_turn, combatants_due, end_turn
from projections.scheduling.turn_schedule import combatants_waiting, turn_list
from projections.time import Boundary

Value = Derived[Json]
A = TypeVar("A", TimedAct, Delayed)
described = address_maker(RULES)
FOLLOWS = "it follows from turns and seconds: rule the round, the turn, `<id>.seconds`, or `<id>.time.<name>`"


def _last_act(state: SecondsState, one: Combatant, name: str) -> TimedAct | None:
    found = state.done_as.get((one.id, name.casefold()))
    return found[-1] if found else None


def _delayed_effect(state: SecondsState, one: Combatant, name: str) -> Delayed | None:
    act = _last_act(state, one, name)
    own = (each for each in state.delayed.values() if each.who == one.id and each.name.casefold() == name.casefold())
    return next(own, state.delayed_by.get(act.seq) if act else None)


def _why_running(act: TimedAct) -> Because:
    return Because(("action.runs-on-into-next-round", "action.consecutive-seconds"), (), (act.held,))


def _seconds_taken(state: SecondsState, one: Combatant, name: str) -> Value | None:
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


def _set_time(state: SecondsState, who: str, name: str, value: int, seq: int) -> None:
    state.ruled_times[who, name.casefold()] = (value, seq)
    turn = state.playing(who)
    for act in reversed(turn.acts if turn else ()):
        if ruled_time(state, who, act.action) == (value, seq):
            change_length(state, act, value, seq)
            break


def _point_of_completion(state: SecondsState, one: Combatant, name: str) -> Value | None:
    """Return the moment when an action is done, or its delayed effect occurs, such as r2.ana.3; else `none`."""
    effect, act = _delayed_effect(state, one, name), _last_act(state, one, name)
    if effect:
        at, because = None if effect.incidents else due_instant(state, effect), why_effect(state, effect)
    elif act:
        at, because = Instant.of(act.last) if act.runs else None, _why_running(act)
    else:
        return None
    if at is None:
        return Derived(NOTHING, because)
    when = f"r{timeline.round_of(state, one.id, at)}.{one.id}.{at.second}"
    return Derived(when, Because(because.rules, of=(because, timeline.why_clock(state, one.id))))


def _seconds_left_of_delay(state: SecondsState, effect: Delayed) -> Value:
    who, turn = effect.who, state.playing(effect.who)
    gone = turn.zero + turn.spent if turn else SECONDS * state.clock_of(who).number
    at = due_second(state, effect) if effect.status.value == BEGUN else 0
    clock = timeline.why_spent(state, state.combatants[who], turn) if turn else timeline.why_clock(state, who)
    because = Because((), (), (why_effect(state, effect), clock))
    return Derived(max(0, at - max(gone, effect.act.end)), Because(why_effect(state, effect).rules, of=(because,)))


def _give_up_spell(state: SecondsState, who: str, _value: object, seq: int) -> None:
    act = timeline.spell(state, state.combatants[who])
    if act:
        give_up(state, act, seq)


def _spell_being_cast(state: SecondsState, one: Combatant) -> Value:
    act = timeline.spell(state, one)
    if act:
        return Derived(act.name, Because(_why_running(act).rules, (), (act.because,)))
    last = _last_act(state, one, "cast")
    return Derived(NOTHING, _why_running(last) if last else Because(keep_act.rules, (one.joined,)))


def _wants_end(state: SecondsState, who: str, value: object) -> str:
    return "" if value == NOTHING and timeline.spell(state, state.combatants[who]) else "none, while a spell runs on"


def combatant_address(field: str, read: Callable[..., Value | None], **more: object) -> Address:
    """Return an address of a combatant, read by a function of the state and the combatant."""
    return described(f"<who>.{field}", lambda state, who, *rest: read(state, state.combatants[who], *rest), **more)


def _actors_and_acts(state: SecondsState, find: Callable[..., object] = _last_act) -> Iterator[tuple[str, str]]:
    for (who, word), done in state.done_as.items():
        if done[-1].name.casefold() == word and find(state, state.combatants[who], word):
            yield who, word


def _act_address(field: str, find: Callable[..., A | None], read: Callable[..., Value], **more: object) -> Address:

    def found(state: SecondsState, one: Combatant, name: str) -> Value | None:
        each = find(state, one, name)
        return read(state, each) if each else None

    return combatant_address(f"{field}.<name>", found, places=partial(_actors_and_acts, find=find), **more)


# ---------------------------------------------------------------- rounds and turns


@derives("round.six-seconds")
def second_of(number: int, second: int) -> int:
    """Return a second of a round counted from the beginning of the fight, which is second 0."""
    return SECONDS * (number - 1) + second


def _seconds_elapsed(state: SecondsState) -> Value:
    turn = state.stack[-1] if state.stack else None
    counted = timeline.why_spent(state, state.combatants[turn.combatant], turn) if turn else NOTHING_CITED
    now = second_of(max(1, state.clock.round), turn.spent if turn else 0)
    return Derived(now, Because(second_of.rules, (state.clock.round_event or 1,), (counted,)))


def _second_of_round(_state: SecondsState, number: str, second: str = "0") -> Value | None:
    if not second.isdecimal() or len(second) > 9:
        return None
    return Derived(second_of(int(number), int(second)), Because(second_of.rules, (1,)))


def _present_round(state: RulesState) -> Iterator[tuple[str, ...]]:
    yield (str(max(1, state.clock.round)),)


def _set_round(state: SecondsState, value: int, seq: int) -> None:
    state.clock.round = state.turns.rounds = state.round.number = value
    state.round.opened = seq
    state.turns.arranged = False


def _set_turn(state: SecondsState, value: str, seq: int) -> None:
    for turn in reversed(state.stack[:]):
        end_turn(state, Boundary("turn ended", seq, turn.combatant))
    if value != NOTHING:
        begin_turn(state, Boundary("turn began", seq, value))


def _with_round_reason(state: SecondsState, value: object) -> Value:
    return Derived(value, Because(("round.one-turn-each",), (state.clock.round_event or 1,)))


def _turn_of(state: SecondsState) -> Value:
    return Derived(state.clock.turn or NOTHING, Because(("round.one-turn-each",), state.clock.events or (1,)))


@derives("round.one-turn-each")
def due_combatants(state: SecondsState) -> Value:
    """Return the combatants who are due, by the turns had so far and the statuses of combatants who are out."""
    if not state.clock.round:
        return Derived([], Because(due_combatants.rules, (1,)))
    found, passed = combatants_waiting(state), state.turns.progress.passed
    places = (place_reason(state, who) for who in turn_list(state).order)
    stand = (status_or_left(state.combatants[who]) for who in passed)
    return Derived(list(combatants_due(state)), Because(due_combatants.rules, of=(*places, found, *stand)))


# ---------------------------------------------------------------- contests


def _contest_winner(state: SecondsState, about: str = "") -> Value | None:
    """Return the winner of a contest; without a subject, of the contest that has none, else of the last one."""
    found = state.contests.get(about.casefold())
    if found is None and not about:
        found = next(reversed(state.contests.values()), None)
    return contest_value(found, found.winner or NOTHING) if found else None


def _contender_result(state: SecondsState, about: str, who: str) -> Value | None:
    found: Contest | None = state.contests.get(about.casefold())
    return contest_value(found, found.results[who][-1]) if found and who in found.results else None


# ---------------------------------------------------------------- seconds of a combatant


def _set_seconds(state: SecondsState, who: str, value: int, seq: int) -> None:
    turn = state.playing(who)
    if turn:
        turn.waited, turn.waits, turn.since = SECONDS - value, None, len(turn.earlier) + len(turn.timed)
        turn.events = (*turn.events, seq)
    else:
        state.ruled[f"{who}.seconds"] = Ruled(value, seq, "turn")


def _interrupted_seconds(state: SecondsState, one: Combatant) -> Value:
    broken = [turn for turn in state.stack[:-1] if turn.combatant == one.id]
    return Derived(SECONDS - broken[-1].spent if broken else NOTHING, timeline.why_turn(state, one))


def _seconds_spent(state: SecondsState, one: Combatant) -> Value:
    turn = state.playing(one.id)
    return Derived(turn.spent if turn else NOTHING, timeline.why_spent(state, one, turn))


def _use_of_second(state: SecondsState, one: Combatant, number: str) -> Value | None:
    found = timeline.use_of_seconds(state, one)
    return Derived(found.value[int(number) - 1], found.because) if int(number) <= SECONDS else None


def _hand_seconds(state: SecondsState, one: Combatant) -> Value:
    turn = state.in_hand(one.id)
    return Derived(SECONDS - turn.spent if turn else 0, timeline.why_in_hand(state, one))


def _round_of_turn(state: SecondsState, one: Combatant) -> Value:
    """Return the round that a combatant's turn belongs to; a delayed one belongs to that in which it was put off."""
    turn = state.playing(one.id) or state.in_hand(one.id)
    return Derived(turn.round if turn else NOTHING, timeline.why_turn(state, one))


# ---------------------------------------------------------------- initiative


def _of_standing(
    state: SecondsState, one: Combatant, rules: tuple[str, ...], read: Callable[[Standing], tuple[Json, list[int]]]
) -> Value:
    """Return a value of a combatant's initiative with the checks behind it; none as long as it has joined without a check."""
    if own := state.standings.get(one.id):
        value, events = read(own)
        return Derived(value, Because(rules, tuple(events), (Derived(one.id, place_reason(state, one.id)),)))
    return Derived(NOTHING, Because(rules, (*filter(None, (state.returned.get(one.id),)), one.joined)))


def _total_with_checks(own: Standing) -> tuple[Json, list[int]]:
    further = [seq for seq, check in zip(own.events[1:], own.rerolls, strict=False) if check == own.total]
    return own.total, [own.events[0], *further]


def _set_total(state: SecondsState, who: str, value: int, seq: int) -> None:
    own = state.standings[who]
    own.total, own.rerolls, own.events = value, (), (*own.events, seq)
    state.turns.arranged = False


seconds_of_a_turn = require(f"a number from 0 to {SECONDS}", lambda value: is_number(value) and 0 <= value <= SECONDS)
SPENT = {"seconds": timeline.seconds_left, "turn-in-hand": timeline.turns_in_hand}
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
    described(
        "contest.<about>.<who>",
        _contender_result,
        wants=a_number,
        places=lambda s: ((about, who) for about, each in s.contests.items() if about for who in each.results),
    ),
    *(
        described(pattern, _contest_winner, wants=a_combatant_or_none, places=places)
        for pattern, places in (
            ("contest.<about>", lambda s: ((about,) for about in s.contests if about)),
            ("contest", lambda s: ((),) if "" in s.contests else ()),
        )
    ),
    combatant_address("seconds", timeline.seconds_left, wants=seconds_of_a_turn, rule=_set_seconds),
    combatant_address("interrupted", _interrupted_seconds, fixed=FOLLOWS),
    combatant_address("second", _seconds_spent, fixed=FOLLOWS),
    combatant_address("second.<number>", _use_of_second, fixed=FOLLOWS),
    combatant_address("strip", timeline.use_of_seconds, fixed=FOLLOWS),
    combatant_address("turn-in-hand", timeline.turns_in_hand),
    combatant_address("turn-in-hand.seconds", _hand_seconds, fixed=FOLLOWS),
    combatant_address("round", _round_of_turn, fixed=FOLLOWS),
    combatant_address(
        "total",
        partial(_of_standing, rules=check_result.rules, read=_total_with_checks),
        wants=lambda s, who, value: a_number(s, value) if who in s.standings else f"nothing: {who} has made no check",
        rule=_set_total,
    ),
    combatant_address(
        "rerolls", lambda s, one: _of_standing(s, one, owes.rules, lambda own: (list(counting(s, own)), []))
    ),
    combatant_address("time.<name>", _seconds_taken, wants=a_count, rule=_set_time, places=_actors_and_acts),
    combatant_address("due.<name>", _point_of_completion, fixed=FOLLOWS, places=_actors_and_acts),
    _act_address(
        "left",
        _last_act,
        lambda s, act: Derived(act.last - last_second_passed(s, act) if act.runs else 0, _why_running(act)),
        fixed=FOLLOWS,
    ),
    _act_address(
        "action",
        _last_act,
        lambda _s, act: Derived(act.status.value, Because(keep_act.rules, (), (act.status,))),
        fixed=FOLLOWS,
    ),
    _act_address("delay", _delayed_effect, _seconds_left_of_delay),
    _act_address("effect", _delayed_effect, lambda s, effect: Derived(effect.status.value, why_status(s, effect))),
    *(
        combatant_address(field, _spell_being_cast, wants=_wants_end, rule=_give_up_spell)
        for field in ("casting", "concentration")
    ),
)
