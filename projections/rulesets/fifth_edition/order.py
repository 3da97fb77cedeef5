"""Initiative, surprise, turns and rounds."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from eventstore.events import (
    CombatantJoined,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    RulingMade,
    SurpriseSettled,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.address import NOTHING, is_number
from projections.because import Because, Cites, Derived
from projections.folds.order import rollers
from projections.folds.vitals import standing
from projections.mechanics import rolls
from projections.mechanics.durations import Passed, by_turns
from projections.mechanics.grants import granted as is_granted
from projections.mechanics.rolls import is_on
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.conditions import behind, exhaustion
from projections.rulesets.fifth_edition.dice import has_right_die_of, has_wrong_face, kept
from projections.rulesets.fifth_edition.state import FifthState, Initiative
from projections.rulesets.ruleset import Breach, check, derives
from projections.scheduling import turnlist
from projections.scheduling.boundaries import rounds_as_recorded, turn_comes_up
from projections.scheduling.turn_schedule import follow, turn_list, who_waits
from projections.time import Boundary

# ---------------------------------------------------------------- surprise


@derives("surprise.gm-decides", on=SurpriseSettled)
def some_are_surprised(state: FifthState, fact: Occurrence[SurpriseSettled]) -> None:
    """Keep whom the GM says to be surprised, by name or as a whole side."""
    named = (*fact.event.surprised,) if fact.event.surprised else ()
    for one in state.here():
        if one.id in named or one.side in named:
            state.surprised[one.id] = fact.seq
            state.touched.add(one.id)
        elif not fact.event.sides or one.side in fact.event.sides:
            compose(state, one.id, Because(some_are_surprised.rules, (fact.seq,)))


@derives("surprise.first-turn-lost", "surprise.no-reaction", at="turn ended")
def surprise_is_over(state: FifthState, turn: Boundary) -> None:
    """Let somebody be surprised no longer once its first turn has ended."""
    compose(state, turn.who, Because(surprise_is_over.rules, (state.began.get(turn.who, turn.seq), turn.seq)))


def compose(state: FifthState, who: str, why: Because) -> None:
    """Let somebody be surprised no longer."""
    if seq := state.surprised.pop(who, 0):
        state.touched.add(who)
        state.ended["surprised", who] = Because(why.rules, (seq, *why.events))


@derives("surprise.gm-decides")
def is_surprised(state: FifthState, who: str) -> Derived[bool]:
    """Return whether somebody is surprised."""
    seq, over = state.surprised.get(who), state.ended.get(("surprised", who))
    gone = (Derived(who, over),) if over and seq is None else ()
    return Derived(seq is not None, Because(is_surprised.rules, (seq or state.combatants[who].joined,), {}, gone))


# ---------------------------------------------------------------- rolls


@derives("initiative.dexterity-check", "surprise.disadvantage")
def total_of(state: FifthState, who: str, event: InitiativeRolled) -> int | None:
    """Return the total of a roll: the die that counts, and the bonus; a total without a die stands as recorded."""
    bonus = event.bonus if event.bonus is not None else state.combatants[who].sheet.initiative or 0
    if event.die is not None:
        return kept(event.die) + bonus
    if event.check is not None:
        return event.check + bonus
    return None if event.total is None else int(Decimal(event.total))


@derives("initiative.dexterity-check", "initiative.group-one-roll", "initiative.latecomer", on=InitiativeRolled)
def initiative_is_rolled(state: FifthState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll, for all who share it; of two of somebody the first counts."""
    event = fact.event
    who = rollers(state, event)
    if event.tie_with:
        for each in who:
            rolls.throw(state.ties, each, kept(event.die or 0), fact.seq)
        return
    for each in who:
        total = total_of(state, who[0], event)
        if total is not None and each not in state.rolls:
            bonus = event.bonus if event.bonus is not None else state.combatants[each].sheet.initiative or 0
            state.rolls[each] = Initiative(total, bonus, (fact.seq,), who if len(who) > 1 else ())
            if state.started and state.clock.round_event:
                arrives(state, each, fact.seq)


def arrives(state: FifthState, who: str, seq: int) -> None:
    """Place a newcomer: in this round if its place is still to come, unless newcomers wait for the next."""
    state.turns.arranged = False
    turnlist.put_in(turn_list(state), who, seq)
    if state.option("newcomer") == "next-round":
        state.turns.progress.late[who] = seq
    state.arrives[who] = state.came[who] = seq


@derives("initiative.latecomer", on=CombatantJoined)
def whoever_comes_back_rolls_anew(state: FifthState, fact: Occurrence[CombatantJoined]) -> None:
    """Forget the place of somebody who joins again."""
    state.rolls.pop(fact.event.combatant, None)
    state.took.pop(fact.event.combatant, None)
    state.turns.arranged = False


@derives("initiative.ties-decided", on=RulingMade)
def ruling_decides_a_tie(state: FifthState, fact: Occurrence[RulingMade]) -> None:
    """Rank those whom a ruling on a tie names."""
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.ties, fact.event.combatants, fact.seq)


# ---------------------------------------------------------------- the order


def level_with(state: FifthState, who: str) -> list[str]:
    """Return who has the same total, including oneself, in the order of joining."""
    own = state.rolls[who].total
    return [each for each in state.combatants if each in state.rolls and state.rolls[each].total == own]


@derives("initiative.ties-decided")
def decided(state: FifthState, who: str) -> tuple[int, ...]:
    """Return how the place of somebody among the tied was decided: by ruling, by option, by the turns that they took."""
    level, how = level_with(state, who), state.option("initiative-tie")
    ruled = state.ties.ruled.get(who, (len(level) + 1, 0))[0]
    by = -state.rolls[who].bonus if how == "higher-bonus" else 0
    if how == "roll-off":
        by = next(rank for rank, part in enumerate(rolls.tied_groups(state.ties, level)) if who in part)
    took = state.took.get(who)
    return ruled, by, took[0] if took else len(state.took)


@derives("initiative.highest-first", "initiative.order-fixed", "mount.controlled")
def ranked(state: FifthState) -> list[list[str]]:
    """Return everybody with a place from the highest total down, groups together, controlled mounts with their riders."""
    riders = {mount.who: rider for rider, mount in state.mounts.items() if mount.controlled and rider in state.rolls}
    groups: dict[tuple[int, ...], list[str]] = {}
    for who in state.combatants:
        if who in state.rolls and who not in riders:
            groups.setdefault(
                state.rolls[who].events if state.rolls[who].shared else (0, -state.combatants[who].joined), []
            ).append(who)

    def place(group: list[str]) -> tuple[Any, ...]:
        joined = min(state.at(state.combatants[who].joined) for who in group)
        return -state.rolls[group[0]].total, min(decided(state, who) for who in group), joined

    found = sorted(groups.values(), key=place)
    return [[each for who in group for each in (who, *(m for m, r in riders.items() if r == who))] for group in found]


def key(state: FifthState, who: str) -> Derived[dict[str, Any] | None]:
    """Return what somebody is sorted by, with the reason; a controlled mount by its rider's roll."""
    riders = (each for each, mount in state.mounts.items() if mount.who == who and mount.controlled)
    rider = next((each for each in riders if each in state.rolls), "")
    roll = state.rolls.get(rider or who)
    if roll is None:
        return Derived(None, Because(ranked.rules[:1]))
    level = level_with(state, rider or who)
    tied = tuple(state.took[each][1] for each in level if each in state.took) if len(level) > 1 else ()
    tied = (*tied, *rolls.settled_by(state.ties, level)) if len(level) > 1 else ()
    options = state.chosen("initiative-tie") if len(level) > 1 else {}
    rules = (*ranked.rules[:1], *(("initiative.ties-decided",) if len(level) > 1 else ()))
    parts = {"total": roll.total, "joined": state.combatants[who].joined}
    rests: tuple[Cites, ...] = Derived(parts, Because((), tied)), Derived(parts, Because((), seats(state, who)))
    rests = (*rests, *(standing(state.combatants[each]) for each in level if len(level) > 1))
    return Derived(parts, Because(rules, roll.events, options, rests))


def seats(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which somebody shares a place with what it rides, or does no longer."""
    mounted = (each.seq for rider, each in state.mounts.items() if who in (rider, each.who))
    over = (why for why in (state.thrown.get(who), state.left_by.get(who)) if why)
    return (*mounted, *(seq for why in over for seq in why.events))


def initiative(state: FifthState, who: str) -> Derived[Any]:
    """Return the total that somebody has."""
    roll = state.rolls.get(who)
    if roll is None:
        return Derived(NOTHING, Because(("initiative.everyone-rolls",), (state.combatants[who].joined,)))
    return Derived(roll.total, Because(("initiative.dexterity-check",), roll.events))


def set_initiative(state: FifthState, who: str, value: Any, seq: int) -> None:
    """Let a ruling set a total, alone or in place of a shared one."""
    old = state.rolls.get(who)
    if value == NOTHING:
        state.rolls.pop(who, None)
    else:
        state.rolls[who] = Initiative(value, old.bonus if old else 0, (*(old.events if old else ()), seq))
    state.turns.arranged = False


def wants_initiative(_state: FifthState, _who: str, value: Any) -> str:
    """Allow a number or none."""
    return "" if value == NOTHING or is_number(value) else "a number, or none"


# ---------------------------------------------------------------- turns and rounds


@derives("round.ends-after-all", "round.one-turn-each")
def meets(state: FifthState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of a fact: rounds hold as they are told; where none is, they follow from the turns.

    Turns before round 1 stand outside all rounds, so that no place goes by as they end.
    """
    event, seq = fact.event, fact.seq
    if isinstance(event, RoundStarted | RoundEnded):
        ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
        over = unpassed(state) if isinstance(event, RoundStarted) and state.clock.round else ()
        passed = (Boundary("place passed", seq, who) for who in over)
        return (*ended, *passed, *rounds_as_recorded(state, fact))
    if isinstance(event, TurnEnded):
        return (Boundary("turn ended", seq, event.combatant),) if event.combatant in state.turns.running else ()
    if not isinstance(event, TurnStarted):
        return ()
    members = [who for who in dict.fromkeys((event.combatant, *event.together)) if who in state.combatants]
    ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
    opens, out = not state.told and opens_round(state, members), state.rules.schedule.out(state)
    turns = turn_list(state)
    last = max((turnlist.spot(turns, who) for who in members), default=())
    above = turns.order if opens else unpassed(state)
    gone = tuple(who for who in above if who not in members and out(who) and turnlist.spot(turns, who) < last)
    found = turnlist.Beginning("due", opens, goes_by=gone)
    return (*ended, *turn_comes_up(turns, found, members, seq, state.clock.round))


def waits(state: FifthState) -> Derived[list[str]]:
    """Return who is still to have a turn in this round; the dead have none, so that it rests on how all stand."""
    found, came = who_waits(state), state.chosen("newcomer") if state.came else {}
    rolled = {seq for roll in state.rolls.values() for seq in roll.events}
    ruled = (state.ruled_order[0],) if state.ruled_order else ()
    placed = Derived("places", Because((), (*sorted(rolled), *ruled), came))
    return Derived(found.value, Because((), (), {}, (found, placed, *(standing(one) for one in state.here()))))


@derives("round.ends-after-all")
def opens_round(state: FifthState, members: list[str]) -> bool:
    """Say whether a turn opens a round, where none is told: nobody is due, or only those who were passed over."""
    turns, out, who = turn_list(state), state.rules.schedule.out(state), next(iter(members), "")
    if not turns.rounds or turnlist.is_due(turns, who, out):
        return not turns.rounds
    waiting = [each for each in turnlist.due(turns, out) if each not in turns.progress.passed_over]
    had = turns.progress.had
    if who not in turns.places or waiting:
        return False
    if not out(who):
        return True
    return who in had or not had or turnlist.spot(turns, who) < min(turnlist.spot(turns, each) for each in had)


def unpassed(state: FifthState) -> list[str]:
    """Return those here whose places have neither been used nor gone by in this round."""
    return [who for who in turnlist.unpassed(turn_list(state)) if not state.combatants[who].left]


@derives("initiative.ties-decided", "initiative.order-fixed")
def follows(state: FifthState, boundary: Boundary) -> None:
    """Let the list follow a boundary; among the tied of whom nobody decided, the order that they take becomes theirs."""
    who = boundary.who
    if boundary.kind == "turn began" and who in state.rolls:
        open_ = state.option("initiative-tie") == "as-decided" and who not in state.ties.ruled
        if open_ and who not in state.took and is_a_decision(state, who):
            state.took[who] = (len(state.took), boundary.seq)
            state.turns.arranged = False
    if boundary.kind == "turn began":
        turns, out = turn_list(state), state.rules.schedule.out(state)
        if who in turns.places and who not in turns.progress.late:
            for above in turnlist.due(turns, out):
                if turnlist.spot(turns, above) < turnlist.spot(turns, who):
                    state.round.jumped.setdefault(above, boundary.seq)
    follow(state, boundary)


@derives("initiative.ties-decided")
def is_a_decision(state: FifthState, who: str) -> bool:
    """Say whether somebody's turn comes before or after those of others with its total; of the dead none comes."""
    others, out = [each for each in level_with(state, who) if each != who], state.rules.schedule.out(state)
    return any(each in state.took or not out(each) for each in others)


@derives("round.ends-after-all", on=RoundStarted)
def rounds_are_told(state: FifthState, fact: Occurrence[RoundStarted]) -> None:
    """Keep that rounds are recorded, so that none follows from turns."""
    state.told = state.told or fact.event.round > 0


@derives("initiative.latecomer", on=TurnStarted)
def turn_is_kept(state: FifthState, fact: Occurrence[TurnStarted]) -> None:
    """Keep the record of a turn, for what later shows about it, and that nobody waits for its first any longer."""
    state.started = state.started or fact.seq
    state.round.starts[fact.seq] = fact
    for who in (fact.event.combatant, *fact.event.together):
        state.arrives.pop(who, None)


@derives("duration.runs-out")
def passes(state: FifthState, boundary: Boundary) -> Iterator[Passed]:
    """Yield what a boundary counts: turns as they begin and end, and the places of those who have none."""
    if boundary.kind == "place passed":
        for timer in state.durations.by_owner.get(boundary.who, {}).values():
            timer.effect.of = (*timer.effect.of, place_of(state, boundary.who))
        yield Passed(boundary.who)
    else:
        yield from by_turns(state, boundary)


def place_of(state: FifthState, who: str) -> Derived[str]:
    """Return what it rests on that somebody has a place in this round, and no turn."""
    rolled = state.rolls[who].events if who in state.rolls else ()
    told = (state.clock.round_event,) if state.clock.round_event else ()
    return Derived(who, Because((), (*rolled, *told), {}, (standing(state.combatants[who]),)))


# ---------------------------------------------------------------- checks


@checks_by("surprise.disadvantage", "advantage.two-dice", "initiative.dexterity-check", on=InitiativeRolled)
def initiative_adds_up(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield that the wrong die counts, or that a total is not the die and the bonus."""
    event, who = fact.event, next(iter(rollers(state, fact.event)), "")
    if not who or event.die is None:
        return
    one, shown = state.combatants[who], rolls.face(event.die)
    if not is_on(event.die, 20):
        yield Fault(("initiative.dexterity-check",), f"{who} throws a face that no d20 has", "1 to 20", str(shown))
    elif has_wrong_face(event.die):
        rule = "surprise.disadvantage" if state.is_new and leaning(state, who)[0] < 0 else "advantage.two-dice"
        yield Fault((rule,), f"the wrong die of {who} counts", str(kept(event.die)), str(shown), (fact.seq,))
    elif not event.tie_with:
        bonus = event.bonus if event.bonus is not None else one.sheet.initiative
        if event.total is not None and bonus is not None and int(Decimal(event.total)) != shown + bonus:
            expected = f"{shown + bonus}"
            yield Fault(
                ("initiative.dexterity-check",), f"{shown} and {bonus} are {expected}", expected, str(event.total)
            )
        own, level = one.sheet.initiative, exhaustion(state, who).value if state.is_new else 0
        if own is not None and event.bonus not in (None, own, own - 2 * level):
            says = f"the sheet of {who} says {own:+}"
            yield Fault(
                ("initiative.dexterity-check",), says, f"{own:+}", f"{event.bonus:+}", one.records("initiative")
            )


@derives("surprise.disadvantage")
def leaning(state: FifthState, who: str) -> tuple[int, tuple[int, ...]]:
    """Return how an initiative roll leans in 2024 (below 0: disadvantage), and by which records."""
    worse = [state.surprised[who]] if who in state.surprised else []
    worse += behind(state, who, "incapacitated")
    better = behind(state, who, "invisible")
    return bool(better) - bool(worse), (*worse, *better)


@check("surprise.disadvantage", on=InitiativeRolled)
def initiative_is_thrown_as_it_leans(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    who, die = next(iter(rollers(state, fact.event)), ""), fact.event.die
    if die is None or not state.is_new or state.option("advantage") == "shown":
        return None
    way, events = leaning(state, who)
    if not events or has_right_die_of(die, {1: "higher", -1: "lower"}.get(way, "")) or has_wrong_face(die):
        return None
    return Breach(f"{who} rolls otherwise than it should", STATES[way], "other dice", events, "notice")


STATES = {1: "advantage", 0: "one die", -1: "disadvantage"}


@checks_by("initiative.group-one-roll", "initiative.order-fixed", on=InitiativeRolled)
def nobody_rolls_twice(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield that somebody who has a place rolls again."""
    for who in rollers(state, fact.event) if not fact.event.tie_with else ():
        if (old := state.rolls.get(who)) and not (old.shared and total_of(state, who, fact.event) == old.total):
            rule = "initiative.group-one-roll" if old.shared else "initiative.order-fixed"
            yield Fault(
                (rule,), f"{who} has {old.total} already", str(old.total), "another roll", old.events, severity="notice"
            )


@check("initiative.order-fixed", on=(TurnDelayed, TurnResumed))
def nobody_puts_a_turn_off(
    _state: FifthState, fact: Occurrence[TurnDelayed] | Occurrence[TurnResumed]
) -> Breach | None:
    if isinstance(fact.event, TurnResumed):
        return None
    return Breach(f"{fact.event.combatant} puts its turn off", "its place, or the Ready action", "a later turn")


TURN = ("initiative.everyone-rolls", "initiative.latecomer", "round.one-turn-each")


@checks_by(*TURN, on=TurnStarted)
def everybody_has_one_turn_at_its_place(state: FifthState, fact: Occurrence[TurnStarted]) -> Iterator[Fault]:
    """Yield that somebody without a place has a turn, a second one in a round, or one before its first round."""
    turns, out, event = turn_list(state), state.rules.schedule.out(state), fact.event
    opens = any(boundary.kind == "round opened" for boundary in meets(state, fact))
    for who in dict.fromkeys((event.combatant, *event.together)):
        if who not in state.combatants or out(who) or state.combatants[who].left:
            continue
        if who not in turns.places:
            yield Fault(TURN[:1], f"nobody recorded an initiative for {who}", "a roll", "none", once=(who,))
        elif who in turns.progress.late and not opens:
            why = (turns.progress.late[who],)
            yield Fault(TURN[1:2], f"{who} came too late for this round", "the next round", "a turn", why)
        elif who in turns.progress.had and not opens and state.clock.round and not granted(state, who, TURN[2]):
            had = (turns.progress.had[who],)
            yield Fault(TURN[2:], f"{who} has had its turn of round {state.clock.round}", "one turn", "a second", had)


def granted(state: FifthState, who: str, rule: str) -> bool:
    """Say whether a ruling grants somebody an exception from a clause."""
    return is_granted(state.rulings, rule, who=(who, state.combatants[who].side)).value


JUMPED = ("initiative.latecomer", "initiative.ties-decided", "round.turns-in-order")


@check("initiative.latecomer", on=TurnStarted, group="jumped")
def a_newcomer_comes_at_its_place(state: FifthState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if (jumper := jumped(state, who)) is None or who not in state.arrives:
        return None
    says = f"{who}, who has just come, was due before {jumper.event.combatant}"
    return Breach(says, who, jumper.event.combatant, (state.arrives[who], jumper.seq))


@check("initiative.ties-decided", on=TurnStarted, group="jumped", rank=1)
def ties_are_kept(state: FifthState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    jumper = jumped(state, who)
    if jumper is None or not same_total(state, who, jumper.event.combatant):
        return None
    events = (*rolls.settled_by(state.ties, level_with(state, who)), fact.seq)
    says = f"{who} was to come before {jumper.event.combatant}, who has the same total"
    return Breach(says, who, jumper.event.combatant, events, about=jumper)


@check("round.turns-in-order", on=TurnStarted, group="jumped", rank=2)
def turns_come_in_order(state: FifthState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if (jumper := jumped(state, who)) is None:
        return None
    other = jumper.event.combatant
    events = (*placed_by(state, who), *placed_by(state, other), fact.seq)
    return Breach(f"{who} comes before {other} in this round", who, other, events, about=jumper)


def placed_by(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which somebody has its place: its roll, and a ruling on the order."""
    if state.ruled_order:
        return (state.ruled_order[0],)
    return state.rolls[who].events if who in state.rolls else ()


def jumped(state: FifthState, who: str) -> Occurrence[TurnStarted] | None:
    """Return the first turn of this round that came before somebody's who was due, and begins a turn of it only now."""
    turns, out = turn_list(state), state.rules.schedule.out(state)
    seq = state.round.jumped.get(who, 0)
    if who not in state.combatants or not turnlist.is_due(turns, who, out) or not seq:
        return None
    found: Occurrence[TurnStarted] | None = state.round.starts.get(seq)
    return found


def same_total(state: FifthState, one: str, other: str) -> bool:
    """Say whether two have the same total."""
    return one in state.rolls and other in state.rolls and state.rolls[one].total == state.rolls[other].total


@check("round.ends-after-all", on=(RoundStarted, RoundEnded))
def rounds_follow_one_another(
    state: FifthState, fact: Occurrence[RoundStarted] | Occurrence[RoundEnded]
) -> Breach | None:
    now, told = state.clock.round, fact.event.round
    if isinstance(fact.event, RoundStarted):
        if not state.told or told == now + 1:
            return None
        return Breach(f"round {told} is told after round {now}", str(now + 1), str(told), (state.clock.round_event,))
    if told in (None, now) or not now:
        return None
    return Breach(f"round {told} ends in round {now}", str(now), str(told), state.clock.events)


@check("round.one-turn-each", on=(RoundStarted, TurnStarted))
def nobody_is_passed_over(
    state: FifthState, fact: Occurrence[RoundStarted] | Occurrence[TurnStarted]
) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent" or not state.clock.round:
        return ()
    if not any(boundary.kind == "round opened" for boundary in meets(state, fact)):
        return ()
    turns, out = turn_list(state), state.rules.schedule.out(state)
    over = [who for who in turnlist.due(turns, out) if not state.combatants[who].left]
    says = "{} had no turn in round {}"
    return tuple(
        Breach(says.format(who, state.clock.round), "a turn", "none", state.rolls[who].events, "notice")
        for who in over
        if who in state.rolls
    )
