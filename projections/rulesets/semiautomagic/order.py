"""Initiative: Reflex and Dexterity, draws that are rolled again, late arrivals, contests, and places in the order."""

from itertools import count, takewhile

from eventstore.events import CombatantJoined, CombatantLeft, ContestRolled, InitiativeRolled, RulingMade
from eventstore.shapes import Contender
from projections.because import NOTHING_CITED, Because, Derived, asked_options, asked_so_far
from projections.mechanics import rolls, turnlist
from projections.mechanics.memo import memoize
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic.state import SecondsState, Standing, TimedTurn
from projections.scheduling.turn_schedule import ruled_groups, turn_list

LOWEST = 1 << 62
UNTIED = (0, 0)
"""The rank of a combatant without a ruling on a tie."""


def dexterity(state: SecondsState, who: str | None, recorded: int | None) -> int:
    """Return the Dexterity of the sheet, else the recorded one."""
    one = state.combatants.get(who or "")
    own = one.sheet.dexterity if one else None
    return int(own if own is not None else recorded or 0)


@derives("initiative.reflex-plus-dexterity")
def check_result(state: SecondsState, event: InitiativeRolled) -> int | None:
    """Return the result of a check: Reflex plus Dexterity, or the total if no Reflex is recorded."""
    rolled = rolls.number_rolled(event)
    if rolled is None:
        return event.total if isinstance(event.total, int) else None
    return rolled + dexterity(state, event.combatant, event.bonus)


@derives("initiative.highest-first", "initiative.reflex-plus-dexterity", on=InitiativeRolled, phase="reading")
def keep_check(state: SecondsState, fact: Occurrence[InitiativeRolled]) -> None:
    """Give a combatant its total with its first check; a further one counts only in a draw, or as a total that restates it."""
    who, total = fact.event.combatant, check_result(state, fact.event)
    if who is None or total is None:
        return
    if who not in state.standings or restates(state, fact.event):
        joined, old, other = state.combatants[who].joined, state.standings.get(who), _given_up(state, fact.event)
        own = state.standings[who] = Standing(who, total, joined, (fact.seq,), newcomer=first_round(state))
        own.before = Derived(old.total, Because((), old.events)) if old else None
        if other and other.before:
            own.because = Because((), other.events, (other.before,))
        if state.standings[who].newcomer is not None:
            join_draw(state, who)
    elif owes(state, who):
        check_again(state, who, total, fact.seq)
    state.turns.arranged = False
    place_newcomers(state, who)


def restates(state: SecondsState, event: InitiativeRolled) -> bool:
    """Say whether a total without a check replaces an earlier one: before the first turn; in a draw one given up."""
    who = event.combatant or ""
    return rolls.is_bare_total(event) and not state.started and (not owes(state, who) or bool(_given_up(state, event)))


def _given_up(state: SecondsState, event: InitiativeRolled) -> Standing | None:
    """Return the initiative of the one in a draw who has given up the total that is stated; None if nobody has."""
    those = standings_in_draw(state, event.combatant or "")
    return next((each for each in those if each.before and each.before.value == event.total), None)


@derives("initiative.tie-rerolled")
def check_again(state: SecondsState, who: str, total: int, seq: int) -> None:
    """Count a further check of a combatant in a draw: within the draw, or as its new total."""
    own, drawn, those = state.standings[who], combatants_in_draw(state, who), standings_in_draw(state, who)
    own.events += (seq,)
    if state.option("reroll-place") == "new-total":
        own.because = Because(check_again.rules, (), (own.because, *(Because((), each.events) for each in those)))
        state.owing |= {other: drawn for other in drawn if who not in state.owing}
        state.owing.pop(who, None)
        own.total = total
        done, drawn_again = state.owing.keys().isdisjoint(drawn), len({each.total for each in those}) < len(those)
        if done and drawn_again and state.option("second-tie") == "all-again":
            state.owing |= dict.fromkeys(drawn, drawn)
    else:
        own.rerolls += (total,)
    for each in (own, *those):
        each.asked = each.asked | asked_so_far()


@derives("initiative.late-arrival")
def first_round(state: SecondsState) -> int | None:
    """Return the round in which a combatant placed now is a newcomer: the present one; None before the first turn."""
    return state.clock.round or None


def is_new(state: SecondsState, who: str) -> bool:
    """Return whether a combatant is a newcomer in its first round."""
    return state.standings[who].newcomer == state.clock.round


def join_draw(state: SecondsState, who: str) -> None:
    """Compare a newcomer who draws with the further checks on record, or discard those, as the option says."""
    own = state.standings[who]
    others = [each for each in tied_standings(state, who) if each.who != who]
    if not any(each.rerolls for each in others):
        return
    if state.option("late-tie") == "all-again":
        for each in others:
            each.rerolls = ()
    elif state.option("second-tie") == "all-again":
        own.rerolls = (-LOWEST,) * (sets_needed(others) - 1)
    for each in (own, *others):
        each.asked = each.asked | asked_so_far()


@derives("initiative.late-arrival")
def place_newcomers(state: SecondsState, checked: str) -> None:
    """Let newcomers who have had no turn be due in this round, in the next, or right after the present turn."""
    progress = state.turns.progress
    now = next(reversed(progress.had), "") if state.option("late-place-passed") == "acts-next" else ""
    for who in dict.fromkeys((*state.turns.newcomers, checked)):
        if is_new(state, who) and who not in progress.had and who not in progress.passed_over:
            for among in (progress.late, progress.behind):
                among.pop(who, None)
            turnlist.insert_newcomer(turn_list(state), who, state.standings[who].events[-1], now)
            state.standings[who].came_by = asked_so_far()


@derives("initiative.tie-rerolled", on=RulingMade, phase="reading")
def settle_tie_by_ruling(state: SecondsState, fact: Occurrence[RulingMade]) -> None:
    """Take the order of the tied from a ruling on a tie, after which nobody must roll for it."""
    if fact.event.ruling == "tie":
        state.tied |= {who: (fact.seq, rank) for rank, who in enumerate(fact.event.combatants)}
    if state.ruled_order and state.ruled_order[0] == fact.seq:
        state.turns.moves.clear()  # later moves go on from the ruled order


@derives("initiative.late-arrival-rolls", on=CombatantJoined, phase="reading")
def add_clock(state: SecondsState, fact: Occurrence[CombatantJoined]) -> None:
    """Give a combatant who joins its own clock; one who joins again is a newcomer without a check."""
    who = fact.event.combatant
    state.clock_of(who)
    if who in state.departed:
        state.returned[who] = state.departed.pop(who)
        state.standings.pop(who, None)
        state.turns.newcomers.pop(who, None)
        turnlist.forget_turn(state.turns, who)


@derives("action.own-turn", on=CombatantLeft, phase="reading")
def note_departure(state: SecondsState, fact: Occurrence[CombatantLeft]) -> None:
    """Record that a combatant has left; its place still counts time."""
    state.departed[fact.event.combatant] = fact.seq
    state.turns.arranged = False


# ---------------------------------------------------------------- draws


def tied_standings(state: SecondsState, who: str) -> list[Standing]:
    """Return the initiative of the combatants in the fight with the same total as one, including it, in the order of joining."""
    turn_list(state)
    found = state.level.get(state.standings[who].total, [])
    return [each for each in found if each.who not in state.owing and not state.combatants[each.who].left]


def combatants_in_draw(state: SecondsState, who: str) -> tuple[str, ...]:
    """Return the combatants in an open draw with one, including it; nobody if its place is settled."""
    if who not in state.standings:
        return ()
    if who in state.owing:
        return state.owing[who]
    ruled, level = state.tied.get(who, UNTIED)[0], tied_standings(state, who)
    settled = {other for other, (seq, _) in state.tied.items() if seq == ruled and other != who}
    group = _standings_undecided(state, [each for each in level if each.who not in settled], who)
    return tuple(each.who for each in group) if len(group) > 1 else ()


def standings_in_draw(state: SecondsState, who: str) -> list[Standing]:
    """Return the initiative of the combatants in an open draw with one, including its own, as far as they have a check."""
    return [state.standings[other] for other in combatants_in_draw(state, who) if other in state.standings]


def _standings_undecided(state: SecondsState, group: list[Standing], who: str) -> list[Standing]:
    if not any(each.rerolls for each in group):
        return group
    if state.option("second-tie") == "all-again":
        return group if any(len(each.rerolls) < sets_needed(group) for each in group) else []
    own = state.standings[who].rerolls
    return [each for each in group if all(one == other for one, other in zip(each.rerolls, own, strict=False))]


def sets_needed(members: list[Standing]) -> int:
    """Return how many sets of further checks are needed until one is complete and without a draw."""
    return next(number for number in count(1) if _is_last_set(members, number))


def _is_last_set(members: list[Standing], number: int) -> bool:
    rolled = [one.rerolls[number - 1] for one in members if len(one.rerolls) >= number]
    return len(rolled) < len(members) or len(set(rolled)) == len(rolled)


@derives("initiative.tie-rerolled")
def owes(state: SecondsState, who: str) -> bool:
    """Return whether a combatant must check again: it is in a draw, and has not rolled more often than the others."""
    own, drawn = state.standings[who].rerolls, standings_in_draw(state, who)
    if not drawn:
        return False
    if state.option("second-tie") == "all-again":
        return len(own) < sets_needed(drawn)
    return any(each.rerolls[: len(own)] == own for each in drawn if each.who != who)


# ---------------------------------------------------------------- places


def counting(state: SecondsState, one: Standing) -> tuple[int, ...]:
    """Return the further checks that count: all of them, or with `all-again` the last complete set."""
    if not one.rerolls or state.option("second-tie") != "all-again":
        return one.rerolls
    last = min(len(each.rerolls) for each in (one, *tied_standings(state, one.who)))
    return one.rerolls[last - 1 : last]


@derives("initiative.highest-first")
def ranked_combatants(state: SecondsState) -> list[tuple[str]]:
    """Return the combatants with a check in order, with those who left: their places still count time."""
    state.level.clear()
    for one in sorted(state.standings.values(), key=lambda one: one.joined):
        state.level.setdefault(one.total, []).append(one)
    return [(one.who,) for one in sorted(state.standings.values(), key=lambda one: _sort_key(state, one))]


def _sort_key(state: SecondsState, one: Standing) -> tuple[int, tuple[int, ...], int, int]:
    """Return the sort key of a combatant; combatants whose draw a ruling settles are together, in its order."""
    seq, rank = state.tied.get(one.who, UNTIED)
    named = [state.standings[who] for who, (by, _) in state.tied.items() if by == seq and who in state.standings]
    together = [each for each in named if each.total == one.total] or [one]
    further = min((*(-check for check in counting(state, each)), LOWEST) for each in together)
    return -one.total, further, rank, one.joined


def combatants_ruled_first(state: SecondsState) -> list[tuple[str]]:
    """Return the combatants whom a ruling puts first, in its order, as far as they have a check."""
    named = [who for group in ruled_groups(state) for who in group if who in state.standings]
    return [(who,) for who in dict.fromkeys(named)]


def order_key(state: SecondsState, who: str) -> Derived[Fields]:
    """Return the parts of the order key of a combatant's turn in this round, with the reason for its place."""
    return Derived(key_fields(state, who, state.clock.round), place_reason(state, who))


def key_fields(state: SecondsState, who: str, number: int) -> dict[str, object]:
    """Return the named parts of the order key of a combatant's turn; none without a check."""
    own = state.standings.get(who)
    if own is None:
        return {}
    return {"round": number, "total": own.total, "rerolls": counting(state, own), "joined": own.joined}


@derives("delay.turn-put-off")
def move_place(state: SecondsState, who: str, anchor: TimedTurn, seq: int) -> None:
    """Move a combatant's place, by option, behind that of the combatant in whose turn it takes its delayed one."""
    if state.option("delayed-place") == "moves":
        others = (turn for turn in reversed(state.round.turns) if turn.combatant != who)
        ended = [turn for turn in takewhile(lambda each: each.ended in (seq, 0), others) if turn.ended == seq]
        spent = (act.held for turn in ended for act in (*turn.earlier, *turn.timed))
        turnlist.move_place(state.turns, who, anchor.combatant, seq)
        state.moved_in[seq] = Because(of=(anchor.begun, *spent))
    state.taken = asked_options()


@memoize
def place_reason(state: SecondsState, who: str) -> Because:
    """Return the checks, rules and options behind a combatant's place."""
    own = state.standings[who]
    because = Because((*ranked_combatants.rules, *check_result.rules), own.events, (Derived(own.total, own.because),))
    drawn = combatants_in_draw(state, who)
    if own.rerolls or drawn or own.asked:
        left = [each for each in state.level.get(own.total, ()) if each.rerolls and state.combatants[each.who].left]
        others = tied_standings(state, who) + (left if own.rerolls else [])
        rolled = tuple(Derived(each.who, Because((), each.events)) for each in others)
        asked = {name: value for each in (own, *others) for name, value in each.asked.items()}
        because += Because(owes.rules, (), (*rolled, Derived(counting(state, own), NOTHING_CITED)), asked)
    if own.newcomer is not None:
        because += Because(first_round.rules, (own.joined,), (), own.came_by)
    if who in state.tied:
        because += Because(owes.rules, (state.tied[who][0],))
    if state.taken is not None:
        seqs = tuple(move.seq for move in state.turns.moves if move.who == who)
        because += Because(move_place.rules, seqs, tuple(state.moved_in[seq] for seq in seqs), state.taken.options)
    away = state.departed | {other: seq for other, seq in state.returned.items() if other not in state.standings}
    gone = Derived(tuple(away), Because((), (*away.values(), *filter(None, (state.returned.get(who),)))))
    return because + Because(of=(gone,))


# ---------------------------------------------------------------- contests


@derives("initiative.outside-combat", "initiative.reflex-plus-dexterity")
def contest_result(state: SecondsState, each: Contender) -> int:
    """Return a contender's result: Reflex plus Dexterity, unless the option leaves Dexterity out."""
    rolled = rolls.number_rolled(each)
    if rolled is None:
        return each.total or 0
    if state.option("contest-dexterity") == "bare-reflex":
        return rolled
    return rolled + dexterity(state, each.combatant, sum(modifier.amount for modifier in each.modifiers))


@derives("initiative.outside-combat", on=ContestRolled, phase="reading")
def keep_contest(state: SecondsState, fact: Occurrence[ContestRolled]) -> None:
    """Store a contest, which decides one thing and leaves the order as it is; combatants who draw in it roll again."""
    totals = {each.combatant: contest_result(state, each) for each in fact.event.contenders}
    rolls.keep_contest(state.contests, fact.event.about or "", totals, fact.seq)


def contest_value(one: rolls.Contest, value: int | str) -> Derived[int | str]:
    """Return a value of a contest, citing its rolls."""
    return Derived(value, Because(keep_contest.rules, one.events, (), one.asked))
