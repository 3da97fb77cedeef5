"""Plain: lawful fights, and fights with one rule broken on purpose, of which this keeps its own books.

An independent reading of the clauses of `plain`. Of what lasts it plays conditions that are counted as turns of their bearer begin,
and effects that need concentration, which have no other end.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.lawful.fight import Fight

NAMES = ("ana", "bo", "cy", "orc-1", "orc-2", "orc-3")
CONDITIONS = ("poisoned", "prone", "frightened")
SPELLS = ("bless", "web", "haze")


@dataclass
class Person:
    """A combatant as this generator knows it: points, initiative, conditions with the turns that are left, effects on them."""

    name: str
    side: str
    most: int
    hp: int
    total: int
    temp: int = 0
    conditions: dict[str, int] = field(default_factory=dict)
    holds: str = ""

    @property
    def is_up(self) -> bool:
        """Whether the combatant waits for its turn."""
        return self.hp > 0


class Table:
    """A fight that is being recorded."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        readings = {"temporary-points": ("replace", "larger", "add"), "concentration": ("one", "any")}
        self.options = {name: dice.choice(values) for name, values in readings.items()}
        self.fight = Fight(options={**self.options, "same-effect": "renews"})
        self.people: dict[str, Person] = {}
        self.running = ""
        self.round = 0

    def play(self, rounds: int) -> Iterator[str]:
        """Play so many rounds; yield between the facts of a turn, so that a rule can be broken there."""
        for name in NAMES:
            self._joins(name)
        for self.round in range(1, rounds + 1):
            self.fight.tell("round_started", round=self.round)
            self.running = ""
            self.fight.know(round=self.round, order=[[each.name] for each in self.order()])
            for one in self.order():
                if one.is_up:
                    self._turn(one)
                    yield "turn"
            self.fight.tell("round_ended", round=self.round)
            self.running = ""
            yield "between"

    def order(self) -> list[Person]:
        """Return the combatants from the highest total to the lowest, equal ones as they were recorded."""
        return sorted(self.people.values(), key=lambda one: -one.total)

    def _joins(self, name: str) -> None:
        most, total = self.dice.randint(5, 24), self.dice.randint(1, 20)
        side = "foes" if name.startswith("orc") else "party"
        self.people[name] = Person(name, side, most, most, total)
        self.fight.tell("combatant_joined", combatant=name, side=side, sheet={"hp": most})
        self.fight.tell("initiative_rolled", combatant=name, total=total)

    def _turn(self, one: Person) -> None:
        self.running = one.name
        begun = self.fight.tell("turn_started", combatant=one.name)
        one.conditions = {name: left - 1 for name, left in one.conditions.items() if left > 1}
        self.know(one)
        self.fight.know(turn=one.name)
        deeds: tuple[Callable[[Person, int], None], ...] = (
            self._attacks,
            self._casts,
            self._heals,
            self._gives,
            self._hinders,
        )
        for deed in self.dice.sample(deeds, self.dice.randint(1, 2)):
            deed(one, begun)
        if self.dice.random() < 0.3:
            self.fight.tell("turn_ended", combatant=one.name)
            self.running = ""

    def _attacks(self, one: Person, _begun: int) -> None:
        foe, hits = self.other(one), self.dice.random() < 0.7
        act = self.act(one, "attack", foe)
        roll = self.fight.tell("attack_rolled", combatant=one.name, target=foe.name, total=14, hit=hits, cause=act)
        if hits:
            self.fight.tell("damage_dealt", target=foe.name, amount=self.hurt(foe), cause=roll)
            self.know(foe)

    def hurt(self, foe: Person) -> int:
        """Take points, temporary ones first; return how many."""
        amount = self.dice.randint(0, 8)
        foe.hp -= max(0, amount - foe.temp)
        foe.temp = max(0, foe.temp - amount)
        return amount

    def _casts(self, one: Person, _begun: int) -> None:
        name, whom = self.dice.choice(SPELLS), self.other(one)
        act = self.act(one, "cast", whom, name=name)
        self.fight.tell(
            "effect_started", effect=name, source=one.name, targets=[whom.name], concentration=True, cause=act
        )
        one.holds = name
        if self.options["concentration"] == "one":
            self.fight.note({f"{one.name}.concentration": name})

    def _heals(self, one: Person, _begun: int) -> None:
        whom, amount = self.other(one), self.dice.randint(1, 9)
        act = self.act(one, "cast", whom, name="cure")
        whom.hp = min(whom.most, whom.hp + amount)
        self.fight.tell("healed", target=whom.name, amount=amount, cause=act)
        self.know(whom)

    def _gives(self, one: Person, _begun: int) -> None:
        whom, amount = self.other(one), self.dice.randint(1, 9)
        act = self.act(one, "cast", whom, name="heroism")
        became = {"replace": amount, "larger": max(amount, whom.temp), "add": amount + whom.temp}
        whom.temp = became[self.options["temporary-points"]]
        self.fight.tell("healed", target=whom.name, amount=amount, temporary=True, cause=act)
        self.know(whom)

    def _hinders(self, one: Person, _begun: int) -> None:
        whom, name, turns = self.other(one), self.dice.choice(CONDITIONS), self.dice.randint(1, 3)
        act = self.act(one, "cast", whom, name="shout")
        whom.conditions[name] = turns
        self.fight.tell(
            "condition_gained",
            condition=name,
            targets=[whom.name],
            duration={"amount": turns, "unit": "round"},
            cause=act,
        )
        self.know(whom)

    def act(self, one: Person, kind: str, whom: Person, **more: str) -> int:
        """Record an act at a combatant; return its seq."""
        return self.fight.tell(
            "action_taken", combatant=one.name, action={"kind": kind, "targets": [whom.name], **more}
        )

    def other(self, one: Person) -> Person:
        """Return another combatant."""
        return self.dice.choice([each for each in self.people.values() if each is not one])

    def know(self, one: Person) -> None:
        """Note what is known of a combatant."""
        values = {
            "hp": one.hp,
            "temp": one.temp,
            "status": "up" if one.is_up else "down",
            "conditions": sorted(one.conditions),
        }
        self.fight.note({f"{one.name}.{field}": value for field, value in values.items()})


def acts_out_of_turn(table: Table) -> str | None:
    """Let a combatant act in another's turn, without a recorded reason."""
    others = [one for one in table.people.values() if one.name != table.running]
    if not table.running:
        return None
    table.act(table.dice.choice(others), "attack", table.people[table.running])
    return "turn.own-acts"


def deals_less_than_nothing(table: Table) -> str:
    """Record damage below 0."""
    table.fight.tell("damage_dealt", target="ana", amount=-3)
    return "pool.amount"


def hurts_who_has_no_points(table: Table) -> str:
    """Take points from a combatant who has none on its sheet."""
    table.fight.tell("combatant_joined", combatant="zed", side="foes", sheet={})
    table.fight.tell("damage_dealt", target="zed", amount=3)
    return "pool.unknown"


def goes_back(table: Table) -> str | None:
    """Begin the round that runs once more."""
    table.fight.tell("round_started", round=table.round)
    return "round.as-recorded"


def ends_another_round(table: Table) -> str:
    """End a round that does not run."""
    table.fight.tell("round_ended", round=table.round + 2)
    return "round.as-recorded"


def expires_early(table: Table) -> str:
    """Record an effect for three rounds, and at once that it has expired."""
    who = table.dice.choice(NAMES)
    duration = {"amount": 3, "unit": "round"}
    table.fight.tell("effect_started", effect="glow", source=who, targets=[who], duration=duration)
    table.fight.tell("effect_ended", effect="glow", source=who, targets=[who], reason="expired")
    return "effect.runs-out"


BREACHES: tuple[Callable[[Table], str | None], ...] = (
    acts_out_of_turn,
    deals_less_than_nothing,
    hurts_who_has_no_points,
    goes_back,
    ends_another_round,
    expires_early,
)


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds."""
    table = Table(dice)
    for _ in table.play(rounds):
        pass
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    while True:
        table, breach = Table(dice), dice.choice(BREACHES)
        for _ in table.play(rounds):
            if dice.random() < 0.2 and (rule := breach(table)):
                table.fight.breaks.add((rule, table.fight.seq))
                return table.fight
