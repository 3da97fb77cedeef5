"""Initiative: one d20 plus Dexterity, places in the order, and ties."""

from decimal import Decimal

from msgspec import structs

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade
from projections.address import NOTHING, is_number
from projections.because import NOTHING_CITED, Asked, Because, Derived, ask_to_keep
from projections.folds.order import combatants_of_roll
from projections.mechanics import rolls
from projections.mechanics.memo import memoize
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.ruleset import derives
from projections.rulesets.nameless_journey.state import InitiativeRoll, NamelessState, Order, Ranking, described
from projections.scheduling.turn_schedule import turn_list


@derives("initiative.d20-plus-dexterity")
def initiative_total(state: NamelessState, who: str, event: InitiativeRolled) -> int | None:
    """Return the total of a roll: the d20 plus the Dexterity bonus; a total without a die counts as recorded."""
    dexterity = int(state.combatants[who].sheet.dexterity)
    if event.die is not None:
        return face(event.die) + dexterity
    if event.check is not None:
        return event.check + dexterity
    return None if event.total is None else int(Decimal(event.total))


@derives("initiative.d20-plus-dexterity", on=InitiativeRolled, phase="reading")
def keep_roll(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll; of two the first counts, unless the other restates it. A further one among the tied is a bare die."""
    event = fact.event
    state.ranking = None
    for who in combatants_of_roll(state, event):
        total = initiative_total(state, who, event)
        if event.tie_with:
            rolls.keep_throw(state.ties, who, face(event.die or 0), fact.seq)
        elif total is not None and (who in state.owing or restates(state, event)):
            state.owing.pop(who, None)
            state.rolls[who] = InitiativeRoll(total, int(state.combatants[who].sheet.dexterity), fact.seq)


def restates(state: NamelessState, event: InitiativeRolled) -> bool:
    """Say whether a total without a die replaces an earlier one: before the first turn."""
    return rolls.is_bare_total(event) and not state.started


@derives("initiative.late-arrival-rolls", on=CombatantJoined, phase="reading")
def require_roll(state: NamelessState, fact: Occurrence[CombatantJoined]) -> None:
    """Require a roll of a combatant who joins; one who comes back keeps its old place until it rolls."""
    state.ranking = None
    state.owing[fact.event.combatant] = fact.seq


@derives("initiative.tie-by-dexterity", on=RulingMade, phase="reading")
def settle_tie(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """Rank the combatants whom a ruling on a tie names, in its order."""
    state.ranking = None
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.ties, fact.event.combatants, fact.seq)


# ---------------------------------------------------------------- ties


def tied_combatants(state: NamelessState, who: str) -> list[str]:
    """Return the combatants with the same total and bonus as one, including it, in the order of joining."""
    own = state.rolls[who]
    return [each for each in combatants_with_total(state, own.total) if state.rolls[each].dexterity == own.dexterity]


def combatants_with_total(state: NamelessState, total: int) -> list[str]:
    """Return the combatants with a total, in the order of joining."""
    return _ranking(state).even[total]


def undecided(state: NamelessState, who: str) -> list[str]:
    """Return the combatants with whom one still has a roll-off open, including itself; nobody if none is open."""
    if who not in state.rolls or state.option("full-tie") != "roll-off":
        return []
    return rolls.still_tied(state.ties, who, tied_combatants(state, who))


@derives("initiative.tie-by-dexterity")
def ranks_among_level(state: NamelessState, level: list[str]) -> dict[str, int]:
    """Return the ranks of the tied by ruling or roll-off, 0 without one."""
    parts = rolls.tied_groups(state.ties, level) if state.option("full-tie") == "roll-off" else [level]
    found = rolls.tied_ranks(state.ties, parts)
    return found if len(parts) > 1 else {who: found[who] if who in state.ties.ruled else 0 for who in level}


# ---------------------------------------------------------------- places


def _ranking(state: NamelessState) -> Ranking:
    """Return the ties, derived once until a roll, a ruling or a newcomer changes them."""
    if state.ranking is None:
        even = dict[int, list[str]]()
        for who in sorted(state.rolls, key=lambda each: state.combatants[each].joined):
            even.setdefault(state.rolls[who].total, []).append(who)
        state.ranking = Ranking({}, even, [])
        if isinstance(found := ask_to_keep(_fill_ranking, state, state.ranking), Asked):
            state.ranking.asked.update(found.options)
    return state.ranking


def _fill_ranking(state: NamelessState, ranking: Ranking) -> None:
    for who in state.rolls:
        if who not in ranking.ties:
            ranking.ties.update(ranks_among_level(state, tied_combatants(state, who)))
    ranking.order.extend(sorted(state.rolls, key=lambda each: make_key(state, each).place))


@derives("initiative.highest-first")
def make_key(state: NamelessState, who: str) -> Order:
    """Return the order key of a combatant who has rolled."""
    roll = state.rolls[who]
    return Order(
        state.clock.round, roll.total, roll.dexterity, _ranking(state).ties.get(who, 0), state.combatants[who].joined
    )


def ranked_combatants(state: NamelessState) -> list[tuple[str]]:
    """Return everybody who has rolled, one after the other."""
    return [(who,) for who in _ranking(state).order]


def order_key(state: NamelessState, who: str) -> Derived[Fields | None]:
    """Return the order key of a combatant as named parts, with its reason; None without a roll."""
    return Derived(structs.asdict(make_key(state, who)) if who in state.rolls else None, why_ordered(state, who))


def placing_record(state: NamelessState, who: str) -> int:
    """Return the event that gave a combatant its place: the roll, else the ruling on the order, else its joining."""
    if who in state.rolls:
        return state.rolls[who].seq
    ruled = state.ruled_order
    return ruled[0] if ruled and who in turn_list(state).places else state.combatants[who].joined


def place_reason(state: NamelessState, who: str) -> Because:
    """Return why a combatant has a place: its roll, a ruling on the order that names it, or both."""
    ruled, because = state.ruled_order, why_ordered(state, who)
    return because + Because((), ruled[:1]) if ruled and any(who in group for group in ruled[1]) else because


@memoize
def why_ordered(state: NamelessState, who: str) -> Because:
    """Return the rolls, rulings, rules and options behind a combatant's place."""
    if who not in state.rolls:
        return Because(initiative_total.rules, (placing_record(state, who),))
    roll = state.rolls[who]
    because = Because((*make_key.rules, *initiative_total.rules), roll.events)
    if evenly := _why_even(state, roll.total):
        because += evenly
    level = tied_combatants(state, who)
    if len(level) > 1:
        because += Because((), rolls.tie_records(state.ties, level), (), _ranking(state).asked)
    if who in state.first_rounds:
        because += Because(("initiative.late-arrival-inserted",), (state.combatants[who].joined,))
    return because


@memoize
def _why_even(state: NamelessState, total: int) -> Because:
    even = combatants_with_total(state, total)
    if len(even) < 2:
        return NOTHING_CITED
    return Because(ranks_among_level.rules, tuple(seq for each in even for seq in state.rolls[each].events))


# ---------------------------------------------------------------- addresses


def _initiative(state: NamelessState, who: str) -> Derived[int | str]:
    roll = state.rolls.get(who)
    one = state.combatants[who]
    none = (one.joined, one.left) if one.left else (one.joined,)
    return Derived(roll.total if roll else NOTHING, Because(initiative_total.rules, roll.events if roll else none))


def _total_wanted(state: NamelessState, who: str, value: object) -> str:
    return "" if is_number(value) and who in state.rolls else "a number, once there is a roll"


@derives("initiative.d20-plus-dexterity")
def set_total(state: NamelessState, who: str, value: int, seq: int) -> None:
    """Replace a rolled total by one that a ruling names (`ana.initiative`)."""
    rolled = state.rolls[who]
    state.rolls[who] = InitiativeRoll(value, rolled.dexterity, seq, rolled.events)


ADDRESSES = (described("<who>.initiative", _initiative, wants=_total_wanted, rule=set_total),)
