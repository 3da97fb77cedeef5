"""Dice as rolled: faces, totals with named parts, two dice of which one is kept, roll-offs among the tied, contests.

Nothing is rolled here. A roll-off goes on among the tied, until it separates them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct, field

from eventstore.events import AttackRolled, DiceRolled, InitiativeRolled, SaveRolled
from eventstore.shapes import Contender, Dice, Die, Modifier, Part
from projections.because import asked_so_far


def face(die: Die) -> int:
    """Return the number that a die shows; for several dice the sum of those that are kept."""
    if isinstance(die, Dice):
        return sum(shown for place, shown in enumerate(die.faces) if place not in die.dropped)
    return die


def initiative_of(event: InitiativeRolled, bonus: int = 0) -> float | None:
    """Return a roll of initiative as one number: the recorded total, else its check or die with its bonus, by default this one.

    None for a roll that states none of them; a whole number unless the recorded total is a fraction.
    """
    if event.total is not None:
        total = float(event.total)
        return int(total) if total.is_integer() else total
    rolled = event.check if event.check is not None else face(event.die) if event.die is not None else None
    return None if rolled is None else rolled + (bonus if event.bonus is None else event.bonus)


def is_bare_total(event: InitiativeRolled) -> bool:
    """Say whether a roll of initiative states a total without a roll, as a correction or an exchange of places does."""
    return event.total is not None and event.die is None and event.check is None and not event.tie_with


def fits_sides(die: Die, sides: int) -> bool:
    """Say whether every face that a die shows is one that it has."""
    shown = die.faces if isinstance(die, Dice) else (die,)
    return all(1 <= each <= sides for each in shown)


NOTATION = r"(\d*)d(\d+)([+-]\d+)?"


def dice_and_sides(notation: str | None) -> tuple[int, int] | None:
    """Return how many dice of how many sides a notation has; None where it is another."""
    found = re.match(NOTATION, (notation or "").replace(" ", "").casefold())
    return (int(found[1] or 1), int(found[2])) if found else None


def extremes(notation: str) -> tuple[int, int] | None:
    """Return the least and the largest result of dice such as 2d6+1; None for another notation."""
    found = re.fullmatch(NOTATION, notation.replace(" ", "").casefold())
    if found is None:
        return None
    count, sides, flat = int(found[1] or 1), int(found[2]), int(found[3] or 0)
    return count + flat, count * sides + flat


def has_valid_faces(dice: Dice) -> bool:
    """Say whether dice show faces that they have, each one."""
    found = dice_and_sides(dice.notation)
    return found is None or (fits_sides(dice, found[1]) and len(dice.faces) == found[0])


def part_points(part: Part) -> int:
    """Return the points in a part of an amount: its number and its dice."""
    return (part.amount or 0) + (face(part.dice) if part.dice else 0)


def sum_parts(parts: Iterable[Part], multipliers: Iterable[Modifier] = (), reductions: Iterable[Modifier] = ()) -> int:
    """Return the amount of parts: their sum by the highest multiplier, less all reductions, never below 0."""
    times = max((each.amount for each in multipliers), default=1)
    return max(0, sum(map(part_points, parts)) * times - sum(abs(each.amount) for each in reductions))


def points_kept(reductions: Iterable[Modifier]) -> int:
    """Return the points that damage leaves to a combatant instead of bringing it to 0: the reductions `to` hp."""
    return sum(abs(each.amount) for each in reductions if each.to == "hp")


def count_dice(parts: Iterable[Part]) -> int:
    """Return how many dice some parts show."""
    return sum(len(part.dice.faces) for part in parts if part.dice)


def possible_sums(amounts: Iterable[int]) -> set[int]:
    """Return the sums of one or more of the first six of these amounts that are not 0."""
    kept = [each for each in amounts if each][:6]
    return {sum(some) for count in range(1, len(kept) + 1) for some in combinations(kept, count)}


def total(die: Die, modifiers: Iterable[Modifier] = (), bonus: int = 0) -> int:
    """Return the total of a die, its modifiers and a bonus."""
    return face(die) + bonus + sum(each.amount for each in modifiers)


Roll = AttackRolled | SaveRolled | DiceRolled
"""The rolls of one combatant that have a total."""


def result_of(event: Roll, bonus: int = 0) -> int | None:
    """Return the total of a roll by its die, modifiers and a bonus; without a die the recorded total."""
    return event.total if event.die is None else total(event.die, event.modifiers, bonus)


def reaches(event: SaveRolled | DiceRolled, needed: int | None) -> bool | None:
    """Return whether a roll reaches the number that it needs; the recorded outcome where either is unknown."""
    comes = result_of(event)
    return event.succeeded if comes is None or needed is None else comes >= needed


# ---------------------------------------------------------------- degrees of success

Degree = Literal["critical failure", "failure", "success", "critical success"]
DEGREES: tuple[Degree, ...] = ("critical failure", "failure", "success", "critical success")
"""The degrees of success, from the worst."""


def degree(total: int, needed: int, die: int = 0, margin: int = 10) -> Degree:
    """Return the degree of a total against the number that it needs: critical from `margin` above or below.

    A 20 on the die is one degree better, a 1 one worse; 0 stands for a die that is unknown.
    """
    step = (1 if total < needed else 2) + (total >= needed + margin) - (total <= needed - margin)
    return DEGREES[min(3, max(0, step + (die == 20) - (die == 1)))]


def degree_of(event: Roll, needed: int | None, bonus: int = 0) -> Degree | None:
    """Return the degree of a recorded roll by its die, modifiers and a bonus, else by its total; None where a number is unknown."""
    comes = result_of(event, bonus)
    if comes is None or needed is None:
        return None
    return degree(comes, needed, 0 if event.die is None else face(event.die))


def wrong_degree(event: Roll, comes: Degree | None) -> tuple[str, str] | None:
    """Return the degree that a roll has and the one that is recorded, where they differ; None where none is recorded."""
    if comes is None:
        return None
    good, critical = comes in ("success", "critical success"), comes.startswith("critical")
    made, crit = (event.hit, event.critical) if isinstance(event, AttackRolled) else (event.succeeded, None)
    if made in (None, good) and (crit is None or crit == critical):
        return None
    said = good if made is None else made
    word = "success" if said else "failure"
    return comes, f"critical {word}" if crit else word


# ---------------------------------------------------------------- two dice, one of which is kept

DieKept = Literal["", "higher", "lower"]
"""Which of two dice is kept; "" where one die is rolled."""
_PICKS = {"higher": max, "lower": min}


def die_kept(better: bool, worse: bool) -> DieKept:
    """Return which of two dice is kept by reasons for a better and for a worse roll; with both or neither only one die is rolled."""
    return "" if better == worse else "higher" if better else "lower"


def has_right_die(die: Die, kept: DieKept) -> bool:
    """Say whether one die was rolled or, where one of two is kept, two of which the right one counts; a bare face is always right."""
    if not isinstance(die, Dice):
        return True
    counts = [shown for place, shown in enumerate(die.faces) if place not in die.dropped]
    return len(die.faces) == 1 if not kept else len(die.faces) == 2 and counts == [_PICKS[kept](die.faces)]


# ---------------------------------------------------------------- ties


class Ties(Struct):
    """The results that settle ties."""

    throws: dict[str, list[tuple[int, int]]] = {}
    """The throws of each combatant in roll-offs, with their records."""
    ruled: dict[str, tuple[int, int]] = {}
    """The ranks by ruling, with its record."""


def keep_throw(ties: Ties, who: str, shown: int, seq: int) -> None:
    """Keep the throw of a combatant in a roll-off."""
    ties.throws.setdefault(who, []).append((shown, seq))


def rank_by_ruling(ties: Ties, named: Iterable[str], seq: int) -> None:
    """Rank the tied in the order of a ruling."""
    ties.ruled |= {who: (rank, seq) for rank, who in enumerate(dict.fromkeys(named), 1)}


def forget_throws(ties: Ties, who: str) -> None:
    """Forget the throws of a combatant, and its rank by ruling."""
    ties.throws.pop(who, None)
    ties.ruled.pop(who, None)


def tied_groups(ties: Ties, level: Sequence[str]) -> list[list[str]]:
    """Return the tied in the groups into which their throws separate them, the highest first.

    Those who show the same throw again; as long as one of them has not thrown, they stay together.
    """
    parts, waiting = list[list[str]](), [(list(level), 0)]
    while waiting:
        group, number = waiting.pop()
        throws = {who: ties.throws.get(who, ()) for who in group}
        if any(len(own) <= number for own in throws.values()):
            parts.append(group)
            continue
        shown = {who: own[number][0] for who, own in throws.items()}
        waiting += [([w for w in group if shown[w] == each], number + 1) for each in sorted(set(shown.values()))]
    return parts


def still_tied(ties: Ties, who: str, level: Sequence[str]) -> list[str]:
    """Return the tied combatants with whom one still has a roll-off open, with itself; nobody if none is open."""
    part = next((part for part in tied_groups(ties, level) if who in part), []) if who not in ties.ruled else []
    unruled = [each for each in part if each not in ties.ruled]
    return unruled if len(unruled) > 1 else []


def tied_ranks(ties: Ties, parts: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return the ranks of the tied by these groups, or by ruling."""
    rolled = {who: rank for rank, part in enumerate(parts, 1) for who in part}
    return rolled | {who: ties.ruled[who][0] for who in rolled if who in ties.ruled}


def tie_records(ties: Ties, level: Sequence[str]) -> tuple[int, ...]:
    """Return the records that settle a tie: rulings, then throws."""
    ruled = [ties.ruled[who][1] for who in level if who in ties.ruled]
    return (*ruled, *(seq for who in level for _, seq in ties.throws.get(who, ())))


# ---------------------------------------------------------------- contests


class Contest(Struct, frozen=True, gc=False):
    """A contest."""

    about: str
    results: dict[str, tuple[int, ...]]
    """The results of each contender, roll after roll."""
    events: tuple[int, ...]
    asked: dict[str, str] = field(default_factory=asked_so_far)
    """The options by which the results count."""

    @property
    def tied_combatants(self) -> frozenset[str]:
        """Those who are tied with a combatant."""
        rolls = list(self.results.values())
        return frozenset(who for who, own in self.results.items() if rolls.count(own) > 1)

    @property
    def ranking(self) -> list[list[str]]:
        """The combatants in their order, from the first; tied ones are grouped."""
        ranks = sorted(set(self.results.values()), reverse=True)
        return [[who for who, own in self.results.items() if own == rank] for rank in ranks]

    @property
    def winner(self) -> str:
        """Who came first alone; "" if nobody did."""
        first = self.ranking[0] if self.results else []
        return first[0] if len(first) == 1 else ""


def keep_contest(contests: dict[str, Contest], about: str, results: Mapping[str, int], seq: int) -> Contest:
    """Keep a contest; one about the same thing among those tied in the last is a further roll of theirs."""
    about = about.casefold()
    last = contests.pop(about, None)
    if last and results.keys() <= last.tied_combatants:
        rolled = {who: (*own, *((results[who],) if who in results else ())) for who, own in last.results.items()}
        found = Contest(about, rolled, (*last.events, seq))
    else:
        found = Contest(about, {who: (number,) for who, number in results.items()}, (seq,))
    contests[about] = found
    return found


def number_rolled(each: Contender | InitiativeRolled) -> int | None:
    """Return the roll of a combatant: the check, else the die; None where only a total is recorded."""
    if each.check is not None:
        return each.check
    return None if each.die is None else face(each.die)
