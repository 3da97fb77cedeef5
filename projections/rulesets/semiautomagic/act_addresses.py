"""The addresses of a combatant's acts, by name: the seconds they take and need, when they and their delayed effects are due."""

from collections.abc import Callable, Iterator
from functools import partial

from eventstore.shapes import Action
from projections.address import NOTHING, Address, a_count
from projections.because import Because, Derived
from projections.mechanics.work import BEGUN
from projections.open_types import Json
from projections.rulesets.ruleset import describing
from projections.rulesets.semiautomagic.effects import because_effect, due_instant, due_second
from projections.rulesets.semiautomagic.seconds import acts, give_up, takes
from projections.rulesets.semiautomagic.sheet import RULES, cost, listed_time, ruled_time
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Delayed,
    Instant,
    SemiautomagicState,
    TimedAct,
    instant,
    own_second,
)
from projections.rulesets.semiautomagic.timeline import because_turn, round_of, spell
from projections.state import Combatant

Value = Derived[Json]
described = describing(RULES)
FOLLOWS = "it follows from turns and seconds: rule the round, the turn, `<id>.seconds`, or `<id>.time.<name>`"


def _act(state: SemiautomagicState, one: Combatant, name: str) -> TimedAct | None:
    """Return a combatant's last action of this name."""
    found = state.done_as.get((one.id, name.casefold()))
    return found[-1] if found else None


def _delayed(state: SemiautomagicState, one: Combatant, name: str) -> Delayed | None:
    act = _act(state, one, name)
    own = (each for each in state.delayed.values() if each.who == one.id and each.name.casefold() == name.casefold())
    return next(own, state.delayed_by.get(act.seq) if act else None)


def _because_running(act: TimedAct) -> Because:
    """Return the reason when an action is due: its seconds, one after the other, over the turns that they take."""
    return Because(("action.runs-on-into-next-round", "action.consecutive-seconds"), (), {}, (act.held,))


def _time(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the seconds that an action takes: the last such action, else by a ruling, an entry, or the table."""
    done = state.done_as.get((one.id, name.casefold()), [])
    *before, taken = (
        listed_time(state, one.id, Action(kind=name, name=name)),
        *(cost(state, one.id, act.action) for act in done),
    )
    ruled = state.ruled_times.get((one.id, name.casefold())) or (
        ruled_time(state, one.id, done[-1].action) if done else None
    )
    if ruled:
        return Derived(ruled[0], Because(takes.rules, (ruled[1],)))
    said = (done[-1].seq,) if done and taken != before[-1] else (one.joined,)
    return None if taken is None else Derived(taken, Because(listed_time.rules, said))


def _set_time(state: SemiautomagicState, who: str, name: str, value: int, seq: int) -> None:
    """Set the seconds that an action takes, including the last such action of a turn being played."""
    state.ruled_times[who, name.casefold()] = (value, seq)
    turn = state.playing(who)
    ruled = (
        each for each in reversed(turn.acts if turn else ()) if ruled_time(state, who, each.action) == (value, seq)
    )
    act = next(ruled, None)
    if act:
        takes(state, act, value, seq)


def _left(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the seconds that an action still needs in later turns; 0 if it is done or over."""
    act, turn = _act(state, one, name), state.playing(one.id)
    if act is None:
        return None
    number = state.clock_of(one.id).number
    gone = own_second(turn.number - 1 if turn and act.turn != turn.number else number, SECONDS)
    return Derived(act.last - gone if act.runs else 0, _because_running(act))


def _status(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    act = _act(state, one, name)
    return Derived(act.status.value, Because(acts.rules, (), {}, (act.status,))) if act else None


def _due(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return when an action is done, or its delayed effect occurs, such as r2.ana.3; `none` once it is over."""
    effect, act = _delayed(state, one, name), _act(state, one, name)
    if effect:
        at = due_instant(state, effect) if not effect.incidents else None
        return Derived(_where(state, one, at), because_effect(state, effect))
    if act is None:
        return None
    return Derived(_where(state, one, instant(act.last) if act.runs else None), _because_running(act))


def _where(state: SemiautomagicState, one: Combatant, at: Instant | None) -> str:
    return f"r{round_of(state, one.id, at)}.{one.id}.{at.second}" if at else NOTHING


def _effect(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    effect = _delayed(state, one, name)
    return Derived(effect.status.value, because_effect(state, effect)) if effect else None


def _delay(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the own seconds that are left of a delay."""
    effect, turn = _delayed(state, one, name), state.playing(one.id)
    if effect is None:
        return None
    gone = turn.zero + turn.spent if turn else own_second(state.clock_of(one.id).number, SECONDS)
    at = due_second(state, effect) if effect.status.value == BEGUN else 0
    because = Because((), (), {}, (because_effect(state, effect), because_turn(state, one)))
    return Derived(max(0, at - max(gone, effect.act.end)), Because(because_effect(state, effect).rules, of=(because,)))


def _lets_go(state: SemiautomagicState, who: str, _value: object, seq: int) -> None:
    act = spell(state, state.combatants[who])
    if act:
        give_up(state, act, seq)


def _casts(state: SemiautomagicState, one: Combatant) -> Value:
    act = spell(state, one)
    last = act or _act(state, one, "cast")
    return Derived(act.name if act else NOTHING, _because_running(last) if last else Because(acts.rules, (one.joined,)))


def _wants_end(state: SemiautomagicState, who: str, value: object) -> str:
    return "" if value == NOTHING and spell(state, state.combatants[who]) else "none, while a spell runs on"


def of_one(field: str, read: Callable[..., Value | None], **more: object) -> Address:
    """Return an address of a combatant, read by a function of the state and the combatant."""
    return described(f"<who>.{field}", lambda state, who, *rest: read(state, state.combatants[who], *rest), **more)


def _words(state: SemiautomagicState, *, delays: bool) -> Iterator[tuple[str, str]]:
    """Yield the actors and names of acts, one name per act; with `delays` only acts that set off a delayed effect."""
    for (who, word), done in state.done_as.items():
        if done[-1].name.casefold() == word and (not delays or _delayed(state, state.combatants[who], word)):
            yield who, word


def _named(field: str, read: Callable[..., Value | None], delays: bool = False, **more: object) -> Address:
    return of_one(f"{field}.<name>", read, places=partial(_words, delays=delays), **more)


ADDRESSES = (
    _named("time", _time, wants=a_count, rule=_set_time),
    _named("left", _left, fixed=FOLLOWS),
    _named("action", _status, fixed=FOLLOWS),
    _named("due", _due, fixed=FOLLOWS),
    _named("delay", _delay, delays=True),
    _named("effect", _effect, delays=True),
    *(of_one(field, _casts, wants=_wants_end, rule=_lets_go) for field in ("casting", "concentration")),
)
