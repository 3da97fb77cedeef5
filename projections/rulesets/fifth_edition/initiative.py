"""Initiative: rolls, ties, latecomers, surprise, and the order of turns."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain

from msgspec.structs import replace

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade, SurpriseSettled
from projections.address import NOTHING, is_number
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.folds.order import rollers
from projections.folds.vitals import standing
from projections.mechanics import rolls, turnlist
from projections.mechanics.rolls import is_on
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition.advantage import of_start, word_of
from projections.rulesets.fifth_edition.conditions import exhaustion
from projections.rulesets.fifth_edition.rolls import has_wrong_face, kept
from projections.rulesets.fifth_edition.state import FifthState, Initiative
from projections.scheduling.turn_schedule import turn_list
from projections.time import Boundary


@derives("surprise.gm-decides", on=SurpriseSettled, phase="reading")
def some_are_surprised(state: FifthState, fact: Occurrence[SurpriseSettled]) -> None:
    """Keep the combatants recorded as surprised, by name or as a whole side."""
    for one in state.here():
        if one.id in fact.event.surprised or one.side in fact.event.surprised:
            state.surprised[one.id] = fact.seq
            state.touched.add(one.id)
        elif not fact.event.sides or one.side in fact.event.sides:
            end_surprise(state, one.id, Because(some_are_surprised.rules, (fact.seq,)))


@derives("surprise.first-turn-lost", "surprise.no-reaction", at="turn ended")
def surprise_is_over(state: FifthState, turn: Boundary) -> None:
    """End the surprise of a combatant with its first turn."""
    end_surprise(state, turn.who, Because(surprise_is_over.rules, (state.began.get(turn.who, turn.seq), turn.seq)))


def end_surprise(state: FifthState, who: str, why: Because) -> None:
    """End the surprise of a combatant."""
    if seq := state.surprised.pop(who, 0):
        state.touched.add(who)
        state.ended["surprised", who] = Because(why.rules, (seq, *why.events))


@derives("surprise.gm-decides")
def is_surprised(state: FifthState, who: str) -> Derived[bool]:
    """Return whether a combatant is surprised."""
    seq, over = state.surprised.get(who), state.ended.get(("surprised", who))
    gone = (Derived(who, over),) if over else ()
    return Derived(seq is not None, Because(is_surprised.rules, (seq or state.combatants[who].joined,), gone))


def level_with(state: FifthState, who: str) -> list[str]:
    """Return the combatants with the same total, this one included, in the order of joining."""
    totals = {each: roll.total for each, roll in state.rolls.items()}
    return [each for each in state.combatants if each in totals and totals[each] == totals.get(who)]


@derives("initiative.ties-decided")
def tie_break(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the key of a combatant among the tied: by ruling, by option, by the turns taken."""
    level, how = level_with(state, who), state.option("initiative-tie")
    by = [-state.rolls[who].bonus] if how == "higher-bonus" else []
    if how == "roll-off":
        by = [rank for rank, part in enumerate(rolls.tied_groups(state.ties, level)) if who in part]
    ruled = state.ties.ruled.get(who, ())
    return not ruled, *ruled, *by, state.took.get(who, (len(state.took),))[0]


def controlled(state: FifthState) -> dict[str, str]:
    """Return the mounts that are or were controlled, each with its rider, whose initiative it has from then on."""
    return {mount: rider for mount, (rider, _) in state.led.items() if rider in state.rolls}


@derives("initiative.highest-first", "initiative.order-fixed", "mount.controlled")
def ranked(state: FifthState) -> list[list[str]]:
    """Return the combatants with a place, from the highest total down, groups together, controlled mounts with their
    riders.
    """
    mounts = controlled(state)
    groups: dict[object, list[str]] = {}
    for who, one in state.combatants.items():
        if who in state.rolls and who not in mounts:
            roll = state.rolls[who]
            groups.setdefault(roll.events if roll.shared else one.joined, []).append(who)

    def place(group: list[str]) -> tuple[object, ...]:
        joined = min(state.at(state.combatants[who].joined) for who in group)
        return -state.rolls[group[0]].total, min(tie_break(state, who) for who in group), joined

    found = sorted(groups.values(), key=place)
    return [[each for who in group for each in (who, *(m for m, r in mounts.items() if r == who))] for group in found]


@derives("initiative.highest-first", "initiative.ties-decided")
def key(state: FifthState, who: str) -> Derived[Fields | None]:
    """Return the values by which a combatant is sorted; a controlled mount has the roll of its rider."""
    rolls_as = controlled(state).get(who, who)
    roll = state.rolls.get(rolls_as)
    if roll is None:
        return Derived(None, Because(("initiative.highest-first",), ruled_by(state)))
    parts = {"total": roll.total, "joined": state.combatants[who].joined}
    mounted = Derived(parts, seat(state, who))
    level = level_with(state, rolls_as)
    if len(level) == 1:
        return Derived(parts, Because(("initiative.highest-first",), roll.events, (mounted,)))
    took = (state.took[each][1] for each in level if each in state.took)
    tied = Derived(parts, Because((), (*took, *rolls.settled_by(state.ties, level))))
    of: tuple[Cites, ...] = (tied, mounted, *(standing(state.combatants[each]) for each in level))
    rules = ("initiative.highest-first", "initiative.ties-decided")
    state.option("initiative-tie")  # by it they stand one above the other
    return Derived(parts, Because(rules, roll.events, of))


def seat(state: FifthState, who: str) -> Because:
    """Return the reason why a combatant rides or is ridden, or no longer does or is."""
    mounted = {rider: each.seq for rider, each in state.mounts.items() if who in (rider, each.who)}
    stays = (state.ended.get(("mount", rider)) for rider in mounted)
    whys = [*filter(None, (state.unseated_by.get(who), state.rider_gone.get(who), *stays))]
    events = (*mounted.values(), *(seq for why in whys for seq in why.events))
    return Because((), events, options=dict(chain(*(why.options.items() for why in whys))))


def ruled_by(state: FifthState) -> tuple[int, ...]:
    """Return the record of a ruling on the order, if there is one."""
    return state.ruled_order[:1] if state.ruled_order else ()


def placed_by(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records that give a combatant its place: a ruling on the order, else its roll or that of its rider."""
    return ruled_by(state) or key(state, who).because.events


@derives("initiative.dexterity-check", "surprise.disadvantage")
def total_of(state: FifthState, who: str, event: InitiativeRolled) -> int | None:
    """Return the total of a roll: the die that counts and the bonus; without a die, the recorded total."""
    shown = kept(event.die) if event.die is not None else event.check
    if shown is not None:
        return shown + bonus_of(state, who, event)
    return None if event.total is None else int(Decimal(event.total))


def bonus_of(state: FifthState, who: str, event: InitiativeRolled) -> int:
    """Return the bonus of a roll: the recorded one, else that of the sheet."""
    return event.bonus if event.bonus is not None else state.combatants[who].sheet.initiative or 0


@derives(
    "initiative.dexterity-check",
    "initiative.group-one-roll",
    "initiative.latecomer",
    on=InitiativeRolled,
    phase="reading",
)
def initiative_is_rolled(state: FifthState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll for all combatants that share it; of a combatant's two rolls the first counts, unless the other restates it."""
    event = fact.event
    who = rollers(state, event)
    if event.tie_with:
        for each in who:
            if (thrown := total_of(state, each, replace(event, bonus=0))) is not None:
                rolls.throw(state.ties, each, thrown, fact.seq)
        return
    for each in who:
        total = total_of(state, who[0], event)
        if total is not None and (each not in state.rolls or restates(state, each, event)):
            group = who if len(who) > 1 else ()
            state.rolls[each] = Initiative(total, bonus_of(state, each, event), (fact.seq,), group)
            if state.started:
                arrives(state, each, fact.seq)


@derives("initiative.group-one-roll", "initiative.order-fixed")
def restates(state: FifthState, who: str, event: InitiativeRolled) -> bool:
    """Say whether a total without a die replaces that of a combatant: before the first turn, and of a group for all of it."""
    shared = state.rolls[who].shared
    return rolls.restates(event) and not state.started and set(shared) <= set(rollers(state, event))


def arrives(state: FifthState, who: str, seq: int) -> None:
    """Give a latecomer its place, in this round or, by option, in the next."""
    state.turns.arranged = False
    turnlist.put_in(turn_list(state), who, seq)
    if state.option("newcomer") == "next-round":
        state.turns.progress.late[who] = seq
    state.arrives[who] = state.latecomers[who] = seq


@derives("initiative.latecomer", on=CombatantJoined, phase="reading")
def a_returning_combatant_needs_a_new_roll(state: FifthState, fact: Occurrence[CombatantJoined]) -> None:
    """Forget the place of a combatant that joins again."""
    state.led.pop(fact.event.combatant, None)
    state.rolls.pop(fact.event.combatant, None)
    state.took.pop(fact.event.combatant, None)
    state.turns.arranged = False


@derives("initiative.ties-decided", on=RulingMade, phase="reading")
def ruling_decides_a_tie(state: FifthState, fact: Occurrence[RulingMade]) -> None:
    """Rank the combatants that a ruling on a tie names."""
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.ties, fact.event.combatants, fact.seq)


def initiative(state: FifthState, who: str) -> Derived[object]:
    """Return the initiative of a combatant; a controlled mount has that of its rider."""
    rider = controlled(state).get(who)
    roll = state.rolls.get(rider or who)
    if roll is None:
        one = state.combatants[who]
        left = (standing(one),) if one.left else ()
        return Derived(NOTHING, Because(("initiative.everyone-rolls",), (one.joined,), left))
    if rider:
        mounted = Derived(rider, Because((), (state.led[who][1],)))
        return Derived(roll.total, Because(("mount.controlled",), roll.events, (mounted,)))
    gone = Derived(None, state.rider_gone.get(who, NOTHING_CITED))
    return Derived(roll.total, Because(("initiative.dexterity-check",), roll.events, (gone,)))


def set_initiative(state: FifthState, who: str, value: Json, seq: int) -> None:
    """Set the initiative of a combatant by a ruling."""
    own = state.combatants[who].sheet.initiative or 0
    old = state.rolls.pop(who, Initiative(own, own, ()))
    if value != NOTHING:
        state.rolls[who] = Initiative(value, old.bonus, (*old.events, seq))
    state.turns.arranged = False


def wants_initiative(_state: FifthState, _who: str, value: object) -> str:
    """Return the words for the values that a ruling may set; "" if this is one of them."""
    return "" if value == NOTHING or is_number(value) else "a number, or none"


TOTAL = ("initiative.dexterity-check",)


@checks_by("surprise.disadvantage", "advantage.two-dice", *TOTAL, on=InitiativeRolled)
def initiative_adds_up(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield a fault if the wrong die counts, or a total is not the die and the bonus."""
    event, who = fact.event, next(iter(rollers(state, fact.event)), "")
    if not who or event.die is None:
        return
    shown = rolls.face(event.die)
    if not is_on(event.die, 20):
        yield Fault(TOTAL, f"{who} throws a face that no d20 has", "1 to 20", str(shown))
    elif has_wrong_face(event.die):
        worse = word_of(tuple(of_start(state, who))) == "disadvantage"
        rule = "surprise.disadvantage" if worse else "advantage.two-dice"
        yield Fault((rule,), f"the wrong die of {who} counts", str(kept(event.die)), str(shown), (fact.seq,))
    elif not event.tie_with:
        yield from wrong_sum(state, who, event, shown)


def wrong_sum(state: FifthState, who: str, event: InitiativeRolled, shown: int) -> Iterator[Fault]:
    """Yield a fault for a total that is not the die and the bonus, and for a bonus that is not the sheet's."""
    one, level = state.combatants[who], exhaustion(state, who).value if state.is_new else 0
    own, rest = one.sheet.initiative, None if event.total is None else int(Decimal(event.total)) - shown
    bonus = rest if event.bonus is None else event.bonus
    if rest not in (None, bonus):
        expected = f"{shown + (bonus or 0)}"
        yield Fault(TOTAL, f"{shown} and {bonus} are {expected}", expected, str(event.total))
    if own is not None and bonus not in (None, own, own - 2 * level):
        says = f"the sheet of {who} says {own:+}"
        expected, found = (
            (f"{own:+}", f"{bonus:+}") if event.bonus is not None else (str(shown + own), str(event.total))
        )
        yield Fault(TOTAL, says, expected, found, one.records("initiative"))


@checks_by("initiative.group-one-roll", "initiative.order-fixed", on=InitiativeRolled)
def nobody_rolls_twice(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield a notice for a combatant with a place that rolls again."""
    for who in rollers(state, fact.event) if not fact.event.tie_with else ():
        old = state.rolls.get(who)
        same = old and old.shared and total_of(state, who, fact.event) == old.total
        if old and not same and not restates(state, who, fact.event):
            rule = ("initiative.group-one-roll" if old.shared else "initiative.order-fixed",)
            says, total = f"{who} has {old.total} already", str(old.total)
            yield Fault(rule, says, total, "another roll", old.events, severity="notice")
