"""Statistics: what each combatant did and suffered in each round, counted from the values that facts changed."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact, Healed
from projections.address import NOTHING
from projections.folds.vitals import standing
from projections.mechanics.acts import action_word
from projections.occurrence import Occurrence
from projections.state import State
from projections.views.steps import Step

LOST = {"hp": -1, "temp": -1, "nld": 1}
"""The pools whose changes are damage or healing, and which way damage changes them."""


class Tally(Struct, frozen=True):
    """What one combatant did and suffered in one round, and how it stood at its end.

    `dealt`, `took`, `healed` and `regained` are the points by which hit points, temporary points and non-lethal damage
    really changed; where nobody said how many hit points there are, the amounts as stated. `dealt_with` and `healed_with`
    say with what, `took_from` from whom ("" where that was not said). `attacks` are attack rolls.
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
    """How a combatant stands at one point, as the view has it."""

    name: str
    side: str
    hp: int | None
    hp_max: int | None
    temp: int
    nld: int
    status: str


def standings(state: State) -> dict[str, Standing]:
    """Return how everybody stands, in the order of joining."""
    return {
        who: Standing(one.name, one.side, one.hp, one.hp_max, one.temp, one.nld, standing(one).value)
        for who, one in state.combatants.items()
    }


class _Count(Struct):
    actions: int = 0
    attacks: int = 0
    regained: int = 0
    dealt_with: dict[str, int] = {}
    took_from: dict[str, int] = {}
    healed_with: dict[str, int] = {}


def statistics(numbered: Iterable[tuple[int, Step]], ends: Mapping[int, Mapping[str, Standing]]) -> tuple[Tally, ...]:
    """Return a tally for each round and each combatant in it, in the order of joining.

    `numbered` are all steps, each with its round; `ends` has the standings at the ends of the wanted rounds.
    """
    counts: dict[tuple[int, str], _Count] = {}
    facts: dict[int, Occurrence[Fact]] = {}
    for number, step in numbered:
        facts[step.fact.seq] = step.fact
        if number in ends:
            counting = _Counting(counts, number, ends[number], facts)
            counting.count(step)
    return tuple(
        _tally(number, who, one, counts.get((number, who), _Count()))
        for number, shown in ends.items()
        for who, one in shown.items()
    )


class _Counting(Struct, frozen=True):
    """The counting of one round's steps."""

    counts: dict[tuple[int, str], _Count]
    round: int
    combatants: Mapping[str, Standing]
    facts: Mapping[int, Occurrence[Fact]]

    def count(self, step: Step) -> None:
        """Add the fact and the changes of a step."""
        match step.fact.event:
            case ActionTaken() as event:
                self._of(event.combatant).actions += 1
            case AttackRolled() as event:
                self._of(event.combatant).attacks += 1
            case DamageDealt(object=None) as event:
                source, means = self._source_and_means(step.fact)
                amount = self._points(step, event)
                _add(self._of(event.target).took_from, source, amount)
                if source:
                    _add(self._of(source).dealt_with, means, amount)
            case Healed() as event:
                source, means = self._source_and_means(step.fact)
                amount = self._points(step, event)
                self._of(event.target).regained += amount
                if source:
                    _add(self._of(source).healed_with, means, amount)

    def _of(self, who: str) -> _Count:
        return self.counts.setdefault((self.round, who), _Count())

    def _points(self, step: Step, event: DamageDealt | Healed) -> int:
        """Return by how many points the target's pools changed; of an unknown pool, the amount as stated."""
        if self.combatants[event.target].hp is None and not event.nonlethal:
            return event.amount
        sign, found = 1 if isinstance(event, DamageDealt) else -1, 0
        for change in step.changes:
            who, _, field = change.address.rpartition(".")
            if who == event.target and field in LOST and NOTHING not in (change.before, change.after):
                found += sign * LOST[field] * (change.after - change.before)
        return found

    def _source_and_means(self, fact: Occurrence[Fact]) -> tuple[str, str]:
        """Return who caused damage or healing and by which means, from the fact or its causes; "" where no fact names one."""
        who, means, current, visited = "", "", fact, set[int]()
        while not (who and means):
            event = current.event
            who = who or getattr(event, "source", None) or getattr(event, "combatant", None) or ""
            means = means or _means(event)
            visited.add(current.seq)
            if current.cause in visited or current.cause not in self.facts:  # amended causes may lead in a circle
                break
            current = self.facts[current.cause]
        return who, means


def _means(event: Fact) -> str:
    """Return the means of a fact: an action's name or kind, an attack's name, an effect."""
    action = getattr(event, "action", None)
    if action is not None:
        word = action_word(action)
        return f"“{word}”" if action.kind == "phrase" else word
    return (getattr(event, "name", None) if isinstance(event, AttackRolled) else getattr(event, "effect", None)) or ""


def _add(counts: dict[str, int], what: str, amount: int) -> None:
    counts[what] = counts.get(what, 0) + amount


def _tally(number: int, who: str, one: Standing, count: _Count) -> Tally:
    return Tally(
        round=number,
        combatant=who,
        name=one.name,
        side=one.side,
        dealt=sum(count.dealt_with.values()),
        took=sum(count.took_from.values()),
        healed=sum(count.healed_with.values()),
        regained=count.regained,
        actions=count.actions,
        attacks=count.attacks,
        dealt_with=count.dealt_with,
        took_from=count.took_from,
        healed_with=count.healed_with,
        hp=one.hp,
        hp_max=one.hp_max,
        temp=one.temp,
        nld=one.nld,
        status=one.status,
    )
