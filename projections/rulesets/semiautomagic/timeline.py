"""The round by turns and seconds: actions, delayed effects, turns in hand, who is due; a typed act's turn."""

from msgspec import structs

from eventstore.events import ActionTaken, Fact, Moved, TurnDelayed, TurnEnded
from projections.because import NOTHING_CITED, Because, Derived, terms
from projections.fight import Combatant, TimelineRow
from projections.folds.moves import STILL, move_to_turn, stay_in_turn
from projections.folds.rows import row_of_act, row_of_due, row_of_turn
from projections.mechanics.acts import name_or_kind
from projections.mechanics.memo import memoize
from projections.mechanics.work import DONE, LOST, WITHDRAWN
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.semiautomagic.effects import due_instant, why_effect
from projections.rulesets.semiautomagic.order import key_fields, place_reason
from projections.rulesets.semiautomagic.seconds import cost, free_second, give_up, keep_act, takes_seconds
from projections.rulesets.semiautomagic.state import SECONDS, Delayed, Instant, SecondsState, TimedAct, TimedTurn
from projections.rulesets.semiautomagic.turns import combatants_due, lose_turn_in_hand
from projections.time import Point

TURN, ACT, EFFECT = range(3)
"""The order of rows at one point."""
EMPTY = "-"
"""The mark of an unused second."""


def timeline_rows(state: SecondsState) -> tuple[TimelineRow, ...]:
    """Return the rows of this round's turns with their actions, of running actions, and of combatants due."""
    hand = (turn for who in state.turns.in_hand if (turn := state.in_hand(who)) and turn not in state.round.turns)
    turns = [*state.round.turns, *hand]
    shown = {act.seq for turn in turns for act in turn.acts}
    untaken = [*(act for each in state.running.values() for act in each), *state.round.stopped]
    rows = [_turn_row(turn) for turn in turns]
    rows += [_act_row(state, turn, act) for turn in turns for act in turn.acts]
    rows += [_waiting_row(state, act) for act in untaken if act.seq not in shown]
    own = ("action.own-turn",)
    rows += [_row_of_act(act, act.point, Because(own, (act.seq,), (act.held,))) for act in state.round.outside]
    rows += [_effect_row(state, effect) for effect in (*state.delayed.values(), *state.round.effects)]
    rows.sort(key=lambda row: (row.point, row.order[0], state.place_of(row.order[1])))
    number, progress, still_due = state.clock.round, state.turns.progress, list(combatants_due(state))
    passed = {who: seq for who, seq in progress.passed.items() if who not in (*progress.had, *still_due)}
    rows += [_lost_row(state, who, seq, number) for who, seq in passed.items()]
    rows += [_lost_row(state, who, seq, number - 1) for who, seq in state.round.missed.items()]
    rows += [row_of_due(state, who, place_reason(state, who)) for who in still_due]
    keys = [key_fields(state, row.combatant, row.point.round) for row in rows]
    return tuple(structs.replace(row, key=(row.key or {}) | key) for row, key in zip(rows, keys, strict=True))


def _turn_row(turn: TimedTurn) -> TimelineRow:
    rules = ["round.one-turn-each", "turn.six-second-budget"]
    if turn.put_off:
        rules += ["delay.lost-if-not-taken" if turn.status == LOST else "delay.turn-put-off"]
    return row_of_turn(turn, Because(tuple(rules), turn.events), TURN, turn.seq, name=_round_in_words(turn))


def _round_in_words(turn: TimedTurn) -> str | None:
    if not turn.put_off or turn.is_held:
        return None
    if not turn.taken:
        return "put off"
    where = f"in the turn of {turn.within} after second {turn.after}" if turn.within else "between two turns"
    return f"of round {turn.round}, {where}"


def _row_of_act(
    act: TimedAct, point: Point, because: Because, due: Point | None = None, until: Point | None = None
) -> TimelineRow:
    ended = tuple(each.seq for each in act.incidents if each.ends in (WITHDRAWN, LOST))
    more: dict[str, object] = {"due": due, "until": until, "events": (act.seq, *act.outcomes, *ended)}
    return row_of_act(point, act.who, act.action, act.status.value, because, order=(ACT, act.seq), **more)


def _act_row(state: SecondsState, turn: TimedTurn, act: TimedAct) -> TimelineRow:
    """Return the row of an action in a turn; one that runs on has a row in each of its turns."""
    because = _why_act(act, carried=act.turn != turn.number)
    if not takes_seconds(act.length):
        return _row_of_act(act, act.point, because)
    first, last = max(1, act.start - turn.zero), min(SECONDS, act.end - turn.zero)
    ends = _point_of_second(state, act.who, Instant.of(act.last), turn)
    return _row_of_act(act, turn.at(first), because, ends, turn.at(last) if last >= first else None)


def _why_act(act: TimedAct, *, carried: bool = False) -> Because:
    rules = ("action.consecutive-seconds",) if act.length > 1 else free_second.rules
    if not act.length:
        rules = ("zero-second.free",)
    if carried:
        rules = ("action.run-on-comes-first",)
    elif act.runs:
        rules = ("action.runs-on-into-next-round", "action.consecutive-seconds")
    return Because(give_up.rules if act.status.value == WITHDRAWN else rules, (act.seq,), (act.held,))


def _point_of_second(state: SecondsState, who: str, at: Instant, turn: TimedTurn | None) -> Point:
    """Return a point of a combatant's turns: in this one, or in a later round, whose turn has no number yet."""
    return turn.at(at.second) if turn and at.turn == turn.number else Point(round_of(state, who, at), second=at.second)


def round_of(state: SecondsState, who: str, at: Instant) -> int:
    """Return the round of a turn on a combatant's clock, assuming one turn in every round."""
    own = state.clock_of(who)
    return max(0, own.round + at.turn - own.number)


def why_clock(state: SecondsState, who: str) -> Because:
    """Return the facts behind a combatant's present turn and round: its last turn, or the place passed since."""
    own = state.clock_of(who)
    return own.passed or Because(of=(own.turn.begun,) if own.turn else ())


def _waiting_row(state: SecondsState, act: TimedAct) -> TimelineRow:
    """Return the row of an action that waits for its actor's next turn, or stopped without one."""
    start = Point(act.point.round, second=act.point.second)
    until = Point(start.round, second=SECONDS)
    because = Because(of=(_why_act(act), why_clock(state, act.who)))
    return _row_of_act(act, start, because, _point_of_second(state, act.who, Instant.of(act.last), None), until)


def _effect_row(state: SecondsState, effect: Delayed) -> TimelineRow:
    """Return the row of a delayed effect: from the end of its action until due, or where it occurred or was due."""
    act, done, at = effect.act, effect.status.value == DONE, due_instant(state, effect)
    turn = next((turn for turn in state.round.turns if act in turn.acts), None)
    start = _point_of_second(state, act.who, Instant.of(max(1, act.last)), turn)
    own = (each for each in state.round.turns if each.combatant == act.who and each.number == at.turn)
    when, there = _point_of_second(state, act.who, at, next(own, state.playing(act.who))), effect.point
    late = done and when.turn and when.round == there.round and when < there
    typed = f"turn {there.turn}" if there.turn != when.turn else f"second {there.second}"
    return TimelineRow(
        point=start if not done else when if late else there,
        combatant=act.who,
        status=effect.status.value,
        because=Because(of=(why_effect(state, effect), why_clock(state, act.who))),
        action="effect" if done else "delay",
        name=effect.name,
        due=when,
        until=None if done else start,
        events=(act.seq, *effect.events),
        order=(EFFECT, act.seq),
        key={"typed": typed} if late else None,
    )


def _lost_row(state: SecondsState, who: str, seq: int, number: int) -> TimelineRow:
    passed = Because(("round.one-turn-each", "delayed-effect.on-own-turn"), (seq,), (state.combatants[who].standing,))
    place = place_reason(state, who) if who in state.standings else NOTHING_CITED
    return TimelineRow(Point(number), who, "lost", passed + place, action="turn", events=(seq,))


# ---------------------------------------------------------------- resources left


@derives("turn.six-second-budget")
def seconds_left(state: SecondsState, one: Combatant) -> Derived[int]:
    """Return the seconds that a combatant has left of a turn being played, as a die in front of the player would show."""
    turn = state.playing(one.id)
    number = SECONDS - turn.spent if turn else 0
    said = terms(number, ("of a turn", SECONDS), ("spent", -turn.spent)) if turn else ()
    return Derived(number, Because((), (), (why_spent(state, one, turn), *said)))


@derives("delay.turn-put-off")
def turns_in_hand(state: SecondsState, one: Combatant) -> Derived[int]:
    """Return how many turns a combatant has in hand: one at most."""
    return Derived(int(one.id in state.turns.in_hand), why_in_hand(state, one))


@memoize
def why_in_hand(state: SecondsState, one: Combatant) -> Because:
    """Return the facts behind the turn in hand: those lost in this round, and the last turn."""
    lost = [turn for turn in state.round.turns if turn.combatant == one.id and turn.is_held]
    rules = lose_turn_in_hand.rules if lost and one.id not in state.turns.in_hand else turns_in_hand.rules
    return Because(rules, (), (*(turn.begun for turn in lost), why_turn(state, one)))


@memoize
def why_turn(state: SecondsState, one: Combatant) -> Because:
    """Return the facts behind a combatant's budget: its last turn, and the acts in it."""
    turn = state.clock_of(one.id).turn
    if turn is None:
        return Because(seconds_left.rules, (one.joined,))
    rules = (*seconds_left.rules, *(turns_in_hand.rules if turn.put_off else ()), "action.run-on-comes-first")
    stopped = state.clock_of(one.id).stopped
    return Because(rules, (), (_why_seconds(turn), *((stopped.held,) if stopped else ())))


def _why_seconds(turn: TimedTurn | None) -> Because:
    return Because(of=(turn.begun, *(act.held for act in (*turn.earlier, *turn.timed)))) if turn else NOTHING_CITED


def why_spent(state: SecondsState, one: Combatant, turn: TimedTurn | None) -> Because:
    """Return the facts behind a combatant's budget, and behind the seconds that have passed of a turn without an action."""
    because = why_turn(state, one)
    return Because(because.rules, (), (because, *turn.spent_by)) if turn and turn.spent_by else because


@memoize
def use_of_seconds(state: SecondsState, one: Combatant) -> Derived[list[str]]:
    """Return the use of each second of a combatant's last turn in this round: `bolt 2/4`, or `! fuse` for an effect."""
    own = (turn for turn in reversed(state.round.turns) if turn.combatant == one.id and turn.status != "held")
    turn, seconds = next(own, None), range(1, SECONDS + 1)
    there = [turn.at(second) for second in seconds] if turn else []
    effects = [effect for effect in state.round.effects if effect.who == one.id or effect.point in there]
    called_off = turn.called_off if turn else ()
    of = (why_turn(state, one), _why_seconds(turn), *called_off, *(effect.status for effect in effects))
    asked = {name: value for effect in effects for name, value in effect.asked.items()}
    cells = [_use_of_second(state, turn, second) if turn else EMPTY for second in seconds]
    return Derived(cells, Because((), (), of, asked))


def _use_of_second(state: SecondsState, turn: TimedTurn, second: int) -> str:
    own = turn.zero + second
    held = [_act_with_number(act, own) for act in turn.holding(second, second) if act not in turn.earlier]
    there = turn.at(second)
    effects = [f"! {each.name}" for each in state.round.effects if each.point == there]
    return " ".join([" + ".join(held) or EMPTY, *effects])


def _act_with_number(act: TimedAct, own: int) -> str:
    """Return an action's name with the number of the second spent here; those without a turn do not count."""
    word = act.action.name or act.action.kind.replace("-", " ")
    number = own - act.start + 1 - act.paused
    return word if act.length == 1 else f"{word} {number}/{act.length}"


# ---------------------------------------------------------------- casting


def spell(state: SecondsState, one: Combatant) -> TimedAct | None:
    """Return the spell that a combatant has begun and not done."""
    return next((act for act in state.rest_of(one.id) if act.action.plain_kind == "cast"), None)


def casting_row(state: SecondsState, one: Combatant) -> TimelineRow | None:
    """Return the spell that a combatant has begun and not done, which runs on into the next turn."""
    act = spell(state, one)
    return _waiting_row(state, act) if act else None


def concentration_object(state: SecondsState, one: Combatant) -> tuple[str, Because]:
    """Return the spell that a combatant is casting: this game has no other concentration."""
    act = spell(state, one)
    if act:
        return name_or_kind(act.action), Because(_why_act(act).rules, (act.seq,), (act.because,))
    done = state.done_as.get((one.id, "cast"))
    return "", Because(keep_act.rules, (one.joined,), (done[-1].held,) if done else ())


def clock_move(state: SecondsState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the turn of the acting combatant; an act without time ends nobody's, and by option needs none."""
    match fact.event:
        case ActionTaken(combatant=who, action=action) if not takes_seconds(cost(state, who, action)):
            playing = state.stack[-1] if state.stack else None
            within = playing is not None and playing.combatant != who and playing.spent < SECONDS
            allowed = state.option("zero-second-off-turn") == "allowed"
            return stay_in_turn(state, who) if within or allowed else move_to_turn(state, who)
        case ActionTaken(combatant=who):
            return move_to_turn(state, who)
        case Moved(forced=None | False, combatant=who) | TurnDelayed(combatant=who) | TurnEnded(combatant=who):
            return move_to_turn(state, who)
    return STILL
