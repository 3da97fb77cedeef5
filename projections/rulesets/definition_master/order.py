"""Initiative: a d20 plus the bonus, hundredths by option, roll-offs among the tied."""

from decimal import Decimal

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Derived, asked_options
from projections.folds.order import combatants_of_roll
from projections.mechanics import rolls, turnlist
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.state import Initiative, MasterState
from projections.scheduling.turn_schedule import turn_list


@derives("initiative.d20-plus-bonus")
def make_roll(state: MasterState, who: str, event: InitiativeRolled, seq: int) -> Initiative | None:
    """Return a roll by its die and its bonus, the recorded one or the sheet's; without a die, by the recorded total."""
    shown = _face_shown(event)
    bonus = int(state.combatants[who].sheet.initiative) if event.bonus is None else event.bonus
    if shown is not None or event.total is None:
        return None if shown is None else Initiative(shown, bonus, seq)
    whole = round(Decimal(event.total) - Decimal(bonus) / 100) if isinstance(event.total, str) else event.total
    return Initiative(whole - bonus, bonus, seq)


def _face_shown(event: InitiativeRolled) -> int | None:
    return event.check if event.die is None else face(event.die)


@derives("initiative.d20-plus-bonus", on=InitiativeRolled, phase="reading")
def keep_initiative(state: MasterState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll; of two the first counts, unless the other restates it. A roll with `tie_with` is a throw of a roll-off."""
    event, flow = fact.event, state.flow
    for who in combatants_of_roll(state, event):
        roll = make_roll(state, who, event, fact.seq)
        if roll and event.tie_with:
            rolls.keep_throw(flow.ties, who, _roll_off_value(state, event, roll), fact.seq)
            flow.thrown[who] = asked_options()
        elif roll and (who not in flow.rolls or is_restatement(state, event)):
            flow.rolls[who] = roll


def is_restatement(state: MasterState, event: InitiativeRolled) -> bool:
    """Say whether a total without a die replaces an earlier one: before the first turn."""
    return rolls.is_bare_total(event) and not state.flow.started


@derives("initiative.tie-roll-off")
def _roll_off_value(state: MasterState, event: InitiativeRolled, roll: Initiative) -> int:
    """Return the value of a throw in a roll-off: the bare die or, by option or without a die, the total."""
    bare = state.option("roll-off") == "bare-d20" and _face_shown(event) is not None
    return roll.face if bare else roll.face + roll.bonus


@derives("initiative.tie-roll-off", on=RulingMade, phase="reading")
def settle_tie(state: MasterState, fact: Occurrence[RulingMade]) -> None:
    """Rank the tied combatants that a ruling names, in its order."""
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.flow.ties, fact.event.combatants, fact.seq)


@derives("initiative.starts-combat", on=CombatantJoined, phase="reading")
def forget_roll(state: MasterState, fact: Occurrence[CombatantJoined]) -> None:
    """Forget the roll and the place of a combatant who joins again, and so must roll."""
    who = fact.event.combatant
    state.flow.rolls.pop(who, None)
    state.flow.moved.pop(who, None)
    rolls.forget_throws(state.flow.ties, who)
    turnlist.forget_turn(state.turns, who)


@derives("initiative.decimal-suggestion", "initiative.d20-plus-bonus")
def total_in_hundredths(state: MasterState, roll: Initiative) -> int:
    """Return a total in hundredths; by option the bonus adds as many of them."""
    total = 100 * (roll.face + roll.bonus)
    return total + roll.bonus if state.option("initiative-decimal") == "on" else total


def total_as_written(state: MasterState, roll: Initiative) -> int | str:
    """Return a total in its written form: a whole number, or with its hundredths if they count."""
    total = total_in_hundredths(state, roll)
    if state.option("initiative-decimal") == "off":
        return total // 100
    return f"{'-' if total < 0 else ''}{abs(total) // 100}.{abs(total) % 100:02}"


@derives("initiative.d20-plus-bonus", "initiative.decimal-suggestion")
def broken_clauses(state: MasterState, roll: Initiative, stated: int | str) -> tuple[str, ...]:
    """Return the clauses that a wrong total breaks: that of the whole number, that of the hundredths, or both."""
    whole, further = "initiative.d20-plus-bonus", "initiative.decimal-suggestion"
    hundreds = (round(100 * Decimal(each)) + 50 for each in (total_as_written(state, roll), stated))
    (due, part), (said, part_said) = (divmod(each, 100) for each in hundreds)
    off = state.option("initiative-decimal") == "off"
    if off or isinstance(stated, int) or part_said in (part, part + said - due):
        return (whole,)
    return (further,) if said == due else (whole, further)


def tied_combatants(state: MasterState, who: str) -> list[str]:
    """Return the combatants with the same total, including this one, in the order of joining; nobody without a roll."""
    turn_list(state)
    roll = state.flow.rolls.get(who)
    return state.flow.levels[total_in_hundredths(state, roll)] if roll else []


def undecided_tie(state: MasterState, who: str) -> list[str]:
    """Return the combatants here whose roll-off with this one is open; nobody if none is, or they share a roll."""
    level = rolls.still_tied(state.flow.ties, who, tied_combatants(state, who))
    here = [each for each in level if not state.combatants[each].left]
    return here if _is_tie(state, here) else []


@derives("initiative.tie-roll-off")
def _is_tie(state: MasterState, level: list[str]) -> bool:
    """Say whether combatants with the same total are tied: one roll for several is no tie between them."""
    return len({state.flow.rolls[each].seq for each in level}) > 1


def _ranks_of_tied(state: MasterState, level: list[str]) -> dict[str, int]:
    return rolls.tied_ranks(state.flow.ties, rolls.tied_groups(state.flow.ties, level))


@derives("initiative.d20-plus-bonus", "initiative.tie-roll-off")
def ranked_combatants(state: MasterState) -> list[tuple[str]]:
    """Return the combatants who have rolled, from the highest total to the lowest, without any moves of places."""
    levels, rolled = state.flow.levels, state.flow.rolls
    levels.clear()
    for who in sorted(rolled, key=lambda who: state.place_of(state.combatants[who].joined)):
        levels.setdefault(total_in_hundredths(state, rolled[who]), []).append(who)
    ranks = ((level, _ranks_of_tied(state, level)) for _, level in sorted(levels.items(), reverse=True))
    return [(who,) for level, own in ranks for who in sorted(level, key=lambda each: own[each])]


def order_key(state: MasterState, who: str) -> Derived[Fields]:
    """Return the parts of a combatant's place: its total, its rank among the tied, and whom it was moved behind."""
    roll, behind = state.flow.rolls.get(who), [move.behind for move in state.turns.moves if move.who == who]
    level = tied_combatants(state, who)
    key = {
        "round": state.clock.round,
        "total": total_as_written(state, roll) if roll else None,
        "tie": _ranks_of_tied(state, level)[who] if _is_tie(state, level) else None,
        "behind": behind[-1] if behind else None,
    }
    return Derived({part: value for part, value in key.items() if value is not None}, reason_for_place(state, who))


def placing_record(state: MasterState, who: str) -> int:
    """Return the record that gave a combatant its place: a ruling that names it, else the roll, else its joining."""
    ruled = state.ruled_order
    if ruled and any(who in each for each in ruled[1]):
        return ruled[0]
    return state.flow.rolls[who].seq if who in state.flow.rolls else state.combatants[who].joined


def turn_records(state: MasterState, who: str) -> tuple[int, ...]:
    """Return the records that gave a combatant its last turn; for a delayed one also its place and the delay."""
    turn = state.flow.last(who)
    if turn is None or not turn.held:
        return (turn.seq,) if turn else ()
    return (placing_record(state, who), turn.held, turn.resumed)


def reason_for_place(state: MasterState, who: str) -> Because:
    """Return the rolls, rulings, moves, rules and options behind a combatant's place."""
    roll = state.flow.rolls.get(who)
    events = (placing_record(state, who), *(roll.before if roll else ()))
    because = Because(("initiative.d20-plus-bonus",), events)
    level = tied_combatants(state, who)
    if _is_tie(state, level):
        events = (*(state.flow.rolls[each].seq for each in level), *rolls.tie_records(state.flow.ties, level))
        thrown = tuple(state.flow.thrown[each] for each in level if each in state.flow.thrown)
        because += Because(_roll_off_value.rules, events, thrown)
    if roll and roll.seq not in because.events:
        because += Because(of=(Derived(who, Because((), (roll.seq,))),))
    moved, stayed = state.flow.moved.get(who, NOTHING_CITED), state.flow.stayed.get(who)
    return because + Because(moved.rules, of=(Derived(who, moved), *((stayed,) if stayed else ())))


def initiative_total(state: MasterState, who: str) -> Derived[int | str]:
    """Return the total of a combatant's initiative; none without a roll."""
    roll = state.flow.rolls.get(who)
    with_hundredths = ("initiative.d20-plus-bonus", "initiative.decimal-suggestion")
    rules = with_hundredths if state.option("initiative-decimal") == "on" else make_roll.rules
    events = (roll.seq, *roll.before) if roll else (state.combatants[who].joined,)
    return Derived(total_as_written(state, roll) if roll else NOTHING, Because(rules, events))


@derives("initiative.d20-plus-bonus")
def set_total(state: MasterState, who: str, value: int, seq: int) -> None:
    """Replace a rolled total by one that a ruling sets (`ana.initiative`)."""
    roll = state.flow.rolls[who]
    state.flow.rolls[who] = Initiative(value - roll.bonus, roll.bonus, seq, (*roll.before, roll.seq))
