"""Statistics: what each combatant did and suffered in each round, counted from the values that facts changed."""

from collections.abc import Callable, Mapping

from msgspec import Struct, structs

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact, Healed
from projections.address import NOTHING
from projections.fight import Combatant
from projections.folds.vitals import status_or_left
from projections.mechanics.acts import name_or_kind
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.state import State
from projections.stream.placing import point_reached
from projections.views.steps import Step, is_shape_change, touched_combatants

LOST = {"hp": -1, "temp": -1, "nld": 1}
"""The pools whose changes are damage or healing, and the sign of damage to them."""


class Tally(Struct, frozen=True):
    """The deeds and losses of one combatant in one round, and its state at the end.

    `dealt`, `took`, `healed` and `regained` are the points by which hit points, temporary points and non-lethal damage changed;
    if the hit points are unknown, the amounts as stated. `dealt_with` and `healed_with` name the means, `took_from` the source
    ("" if unsaid). `attacks` are attack rolls.
    """

    round: int
    combatant: str
    name: str
    side: str
    dealt: int
    took: int
    healed: int
    regained: int
    actions: int
    attacks: int
    dealt_with: dict[str, int]
    took_from: dict[str, int]
    healed_with: dict[str, int]
    hp: int | None
    hp_max: int | None
    temp: int
    nld: int
    status: str


class Standing(Struct, frozen=True):
    """The figures of a combatant at one point, as the view has them."""

    name: str
    side: str
    hp: int | None
    hp_max: int | None
    temp: int
    nld: int
    status: str


def standings(state: State) -> dict[str, Standing]:
    """Return the figures of all combatants, in the order of joining."""
    return {who: _standing(one) for who, one in state.combatants.items()}


def _standing(one: Combatant) -> Standing:
    return Standing(one.name, one.side, one.hp, one.hp_max, one.temp, one.nld, status_or_left(one).value)


class _Count(Struct):
    actions: int = 0
    attacks: int = 0
    regained: int = 0
    dealt_with: dict[str, int] = {}
    took_from: dict[str, int] = {}
    healed_with: dict[str, int] = {}


class Counting:
    """The counting of steps that are seen one after the other."""

    def __init__(self, ends: Mapping[int, Mapping[str, Standing]]) -> None:
        self._ends = ends
        self._counts: dict[tuple[int, str], _Count] = {}
        self._causes = Causes()

    def count_step(self, number: int, step: Step) -> None:
        """Add the fact and the changes of a step in a round."""
        source, means = self._causes.source_and_means(step.fact)
        if number not in self._ends:
            return

        def of(who: str) -> _Count:
            return self._counts.setdefault((number, who), _Count())

        match step.fact.event:
            case ActionTaken() as event:
                of(event.combatant).actions += 1
            case AttackRolled() as event:
                of(event.combatant).attacks += 1
            case DamageDealt(object=None) as event:
                amount = _points_changed(step, event, self._ends[number])
                _add_amount(of(event.target).took_from, source, amount)
                if source:
                    _add_amount(of(source).dealt_with, means, amount)
            case Healed() as event:
                amount = _points_changed(step, event, self._ends[number])
                of(event.target).regained += amount
                if source:
                    _add_amount(of(source).healed_with, means, amount)

    def tallies(self) -> tuple[Tally, ...]:
        """Return a tally for each round and each combatant in it, in the order of joining."""
        return tuple(
            _tally(number, who, one, self._counts.get((number, who), _Count()))
            for number, shown in self._ends.items()
            for who, one in shown.items()
        )


class Sums:
    """The counting of a log while it is replayed: of each round once its end is known, so that one reading is enough."""

    def __init__(self, wants: Callable[[int], bool]) -> None:
        """Count the rounds that are wanted."""
        self.ends: dict[int, dict[str, Standing]] = {}
        """The standings at the end of each wanted round so far."""
        self._wants, self._counting = wants, Counting(self.ends)
        self._round, self._steps, self._stands = 0, list[Step](), dict[str, Standing]()

    def take_step(self, step: Step, state: State) -> None:
        """Take a step, with the state after it."""
        number = point_reached(state, step.fact).round
        if number != self._round:
            self._close_round()
            self._round = number
        self._steps.append(step)
        self._stands |= {who: _standing(state.combatants[who]) for who in touched_combatants(state, step.fact)}

    def tallies(self) -> tuple[Tally, ...]:
        """Return a tally for each round and each combatant in it, in the order of joining."""
        self._close_round()
        return self._counting.tallies()

    def _close_round(self) -> None:
        if self._steps and self._wants(self._round):
            self.ends[self._round] = dict(self._stands)
        for step in self._steps:
            self._counting.count_step(self._round, step)
        self._steps.clear()


def _points_changed(step: Step, event: DamageDealt | Healed, combatants: Mapping[str, Standing]) -> int:
    """Return by how many points the target's pools changed; of an unknown or replaced pool, the stated amount."""
    if (combatants[event.target].hp is None and not event.nonlethal) or is_shape_change(step, event.target):
        return event.amount
    sign, found = 1 if isinstance(event, DamageDealt) else -1, 0
    for change in step.changes:
        who, _, field = change.address.rpartition(".")
        if who == event.target and field in LOST and NOTHING not in (change.before, change.after):
            found += sign * LOST[field] * (change.after - change.before)
    return found


class Causes:
    """Who caused each fact so far and by which means, from the fact or its causes; "" where no fact names one."""

    def __init__(self) -> None:
        self._of: list[tuple[str, str]] = [("", "")]
        """Those of each fact by its seq, in a list, since there are many of them."""
        self._same: dict[tuple[str, str], tuple[str, str]] = {}
        """Each pair of words, kept once, since there are few of them."""

    def source_and_means(self, fact: Occurrence[Fact]) -> tuple[str, str]:
        """Return source and means of a fact, and keep them for the facts that it causes."""
        self._of += [("", "")] * (fact.seq + 1 - len(self._of))
        event, (source, means) = fact.event, self._of[fact.cause] if fact.cause < len(self._of) else ("", "")
        source = getattr(event, "source", None) or getattr(event, "combatant", None) or source
        found = source, _means(event) or means
        self._of[fact.seq] = found = self._same.setdefault(found, found)
        return found


def _means(event: Fact) -> str:
    """Return the means of a fact: an action's name or kind, an attack's name, an effect."""
    action = getattr(event, "action", None)
    if action is not None:
        word = name_or_kind(action)
        return f"“{word}”" if action.kind == "phrase" else word
    return (getattr(event, "name", None) if isinstance(event, AttackRolled) else getattr(event, "effect", None)) or ""


def _add_amount(counts: dict[str, int], what: str, amount: int) -> None:
    counts[what] = counts.get(what, 0) + amount


def _tally(number: int, who: str, one: Standing, count: _Count) -> Tally:
    by = {"dealt": count.dealt_with, "took": count.took_from, "healed": count.healed_with}
    sums: Fields = {what: sum(amounts.values()) for what, amounts in by.items()}
    return Tally(round=number, combatant=who, **structs.asdict(one), **structs.asdict(count), **sums)
