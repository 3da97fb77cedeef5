"""Initiative: Reflex and Dexterity, draws that are rolled again, late arrivals, and the place of each in the order."""

from itertools import count, takewhile

from msgspec import structs

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade
from eventstore.shapes import Dice, Die
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.state import Order, SemiautomagicState, Standing
from projections.state import Slot

LOWEST = 1 << 62


def face(die: Die | None) -> int | None:
    """Return what a die shows, or the sum of dice without those dropped."""
    if isinstance(die, Dice):
        return sum(shown for place, shown in enumerate(die.faces) if place not in die.dropped)
    return die


def reflex(event: InitiativeRolled) -> int | None:
    """Return the Reflex check that was recorded: its result, or else its die."""
    return event.check if event.check is not None else face(event.die)


def dexterity(state: SemiautomagicState, who: str, recorded: int | None) -> int:
    """Return the Dexterity of the sheet; where the sheet says none, the one recorded."""
    one = state.combatants.get(who)
    own = one.sheet.dexterity if one else None
    return int(own if own is not None else recorded or 0)


@derives("initiative.reflex-plus-dexterity")
def result(state: SemiautomagicState, event: InitiativeRolled) -> int | None:
    """Return what a check comes to: Reflex with Dexterity added, or the total where no Reflex is recorded."""
    rolled = reflex(event)
    if rolled is None:
        return event.total if isinstance(event.total, int) else None
    return rolled + dexterity(state, event.combatant or "", event.bonus)


@derives("initiative.highest-first", "initiative.reflex-plus-dexterity", on=InitiativeRolled)
def checks(state: SemiautomagicState, fact: Occurrence[InitiativeRolled]) -> None:
    """Give a combatant its total with its first check; a further one counts only in a draw."""
    who, total = fact.event.combatant, result(state, fact.event)
    if who is None or total is None:
        return
    if who not in state.standings:
        joined = state.combatants[who].joined
        state.standings[who] = Standing(who, total, joined, (fact.seq,), newcomer=first_round(state, who))
        joins_a_draw(state, who)
    elif owes(state, who):
        rolls_again(state, who, total, fact.seq)
    state.open_reported.discard(who)


@derives("initiative.tie-rerolled")
def rolls_again(state: SemiautomagicState, who: str, total: int, seq: int) -> None:
    """Count a further check of somebody in a draw: within the draw, or as its new total."""
    own, drawn = state.standings[who], draw(state, who)
    own.events += (seq,)
    if state.option("reroll-place") != "new-total":
        own.rerolls += (total,)
        return
    state.owing |= {other: drawn for other in drawn if who not in state.owing}
    state.owing.pop(who, None)
    own.total = total
    totals = [state.standings[other].total for other in drawn]
    done = not any(state.owing.get(other) == drawn for other in drawn)
    if done and len(set(totals)) < len(totals) and state.option("second-tie") == "all-again":
        state.owing |= dict.fromkeys(drawn, drawn)


@derives("initiative.late-arrival")
def first_round(state: SemiautomagicState, who: str) -> int | None:
    """Return the round in which somebody is a newcomer: the present one, for whoever is placed after the first turn."""
    return state.round_number if state.started and who else None


def joins_a_draw(state: SemiautomagicState, who: str) -> None:
    """Let a newcomer who draws meet the new checks on record, or do away with them, as the option says."""
    own = state.standings[who]
    others = [state.standings[other] for other in level(state, who) if other != who]
    if own.newcomer is None or not others:
        return
    if state.option("late-tie") == "all-again":
        for each in others:
            each.rerolls = ()
    elif state.option("second-tie") == "all-again":
        own.rerolls = (0,) * max(0, sets(others) - 1)


@derives("initiative.tie-rerolled", on=RulingMade)
def ruling_settles(state: SemiautomagicState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling on a tie name the order of those who are level; nobody has to roll for it then."""
    if fact.event.ruling == "tie":
        state.tied |= {who: (fact.seq, rank) for rank, who in enumerate(fact.event.combatants)}


@derives("initiative.late-arrival-rolls", on=CombatantJoined)
def comes_back(state: SemiautomagicState, fact: Occurrence[CombatantJoined]) -> None:
    """Let whoever joins again be a newcomer without a check."""
    who = fact.event.combatant
    if who in state.departed:
        state.departed.discard(who)
        state.unplaced_reported.discard(who)
        for each in (state.standings, state.had, state.passed):
            each.pop(who, None)


# ---------------------------------------------------------------- draws


def level(state: SemiautomagicState, who: str) -> list[str]:
    """Return those in the fight whose total is that of a combatant, itself included, in the order of joining."""
    total = state.standings[who].total
    found = [one for one in state.standings.values() if one.total == total and one.who not in state.owing]
    return [one.who for one in sorted(found, key=lambda one: one.joined) if not state.combatants[one.who].left]


def draw(state: SemiautomagicState, who: str) -> tuple[str, ...]:
    """Return those among whom the place of a combatant is open, itself included; nobody where it is settled."""
    if who not in state.standings:
        return ()
    if who in state.owing:
        return state.owing[who]
    group = [other for other in level(state, who) if not _settled(state, who, other)]
    if state.option("reroll-place") != "new-total":
        group = _undecided(state, group, who)
    return tuple(group) if len(group) > 1 else ()


def _settled(state: SemiautomagicState, who: str, other: str) -> bool:
    """Say whether a ruling names the order of two."""
    one, two = state.tied.get(who), state.tied.get(other)
    return who != other and one is not None and two is not None and one[0] == two[0]


def _undecided(state: SemiautomagicState, group: list[str], who: str) -> list[str]:
    if state.option("second-tie") == "all-again":
        members = [state.standings[other] for other in group]
        return group if any(len(one.rerolls) < sets(members) for one in members) else []
    own = state.standings[who].rerolls
    return [other for other in group if _agree(state.standings[other].rerolls, own)]


def _agree(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    steps = min(len(one), len(two))
    return one[:steps] == two[:steps]


def sets(members: list[Standing]) -> int:
    """Return how many sets of further checks it takes until one is complete and without a draw."""
    if len(members) < 2:
        return 0
    for number in count(1):
        rolled = [one.rerolls[number - 1] for one in members if len(one.rerolls) >= number]
        if len(rolled) < len(members) or len(set(rolled)) == len(rolled):
            return number
    return 0


@derives("initiative.tie-rerolled")
def owes(state: SemiautomagicState, who: str) -> bool:
    """Say whether a combatant has to check again: it is in a draw, and no roll behind the others."""
    drawn = draw(state, who)
    if not drawn or who in state.owing or state.option("reroll-place") == "new-total":
        return bool(drawn)
    own = state.standings[who]
    if state.option("second-tie") == "all-again":
        return len(own.rerolls) < sets([state.standings[other] for other in drawn])
    length = len(own.rerolls)
    return any(state.standings[other].rerolls[:length] == own.rerolls for other in drawn if other != who)


# ---------------------------------------------------------------- places


def counting(state: SemiautomagicState, one: Standing) -> tuple[int, ...]:
    """Return the further checks that count: all of them, or with `all-again` the last complete set."""
    if not one.rerolls or state.option("second-tie") != "all-again":
        return one.rerolls
    members = [state.standings[other] for other in level(state, one.who)]
    full = takewhile(lambda number: all(len(each.rerolls) >= number for each in members), count(1))
    last = max(full if len(members) > 1 else (), default=0)
    return one.rerolls[last - 1 : last] if last else ()


@derives("initiative.highest-first")
def places(state: SemiautomagicState) -> list[str]:
    """Return everybody with a check from first to last, also those who have left: their places go on counting."""
    ranked = sorted(state.standings.values(), key=lambda one: _rank(state, one))
    found = moved(state, [one.who for one in ranked])
    if state.ruled_order:
        named = [who for group in state.ruled_order[1] for who in group if who in state.standings]
        found = [*named, *(who for who in found if who not in named)]
    return found


def _rank(state: SemiautomagicState, one: Standing) -> tuple[int, tuple[int, ...], int, int]:
    further = (*(-check for check in counting(state, one)), LOWEST)
    return -one.total, further, state.tied.get(one.who, (0, 0))[1], one.joined


@derives("delay.turn-put-off")
def moved(state: SemiautomagicState, found: list[str]) -> list[str]:
    """Return the order with those who took a delayed turn behind whom they took it, where the option moves places."""
    result = list(found)
    for who, anchor, _ in state.moves:
        if who in result and anchor in result and who != anchor:
            result.remove(who)
            result.insert(result.index(anchor) + 1, who)
    return result


def slots(state: SemiautomagicState) -> tuple[Slot, ...]:
    """Return the order: everybody in the fight who has a check, one after the other."""
    here = [who for who in places(state) if not state.combatants[who].left]
    return tuple(Slot((who,), structs.asdict(_key(state, who)), because_place(state, who)) for who in here)


def _key(state: SemiautomagicState, who: str) -> Order:
    own = state.standings[who]
    return Order(state.round_number, own.total, counting(state, own), own.joined)


def because_place(state: SemiautomagicState, who: str) -> Because:
    """Say which checks, rules and options put a combatant where it is."""
    own = state.standings[who]
    because = Because((*places.rules, *result.rules), own.events)
    if own.rerolls or draw(state, who):
        because += Because(owes.rules, (), state.chosen("reroll-place", "second-tie"))
    if own.newcomer is not None:
        because += Because(first_round.rules, (own.joined,), state.chosen("late-tie", "late-place-passed"))
    if who in state.tied:
        because += Because(owes.rules, (state.tied[who][0],))
    seqs = tuple(seq for other, _, seq in state.moves if other == who)
    return because + Because(moved.rules, seqs, state.chosen("delayed-place")) if seqs else because
