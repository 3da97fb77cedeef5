"""What befalls combatants: damage, falls, saves against massive damage, death rolls, healing."""

import random
from typing import Any

from tests.lawful.fight import Fight
from tests.lawful.tables.definition_master.people import Body, roster
from tests.lawful.tables.definition_master.sums import is_massive, percent_target, stats_dc

WOUNDS = ("gashed thigh", "cracked rib", "scorched lungs")


class Health:
    """A fight as it is recorded, and who is in it."""

    def __init__(self, dice: random.Random, options: dict[str, str]) -> None:
        self.dice, self.options = dice, options
        self.fight = Fight(options)
        self.people = {body.name: body for body in roster(dice)}
        self.round = 0

    # ---------------------------------------------------------------- dice and telling

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def d(self, faces: int) -> int:
        return self.dice.randint(1, faces)

    def option(self, name: str, value: str) -> bool:
        return self.options.get(name) == value

    def tell(self, fact: str, **fields: Any) -> int:
        return self.fight.tell(fact, **fields)

    def note(self, who: Body, **values: Any) -> None:
        """Note values of a combatant after the last fact; `_` stands for a dash, `__` for a dot."""
        self.fight.note(
            {f"{who.name}.{name.replace('__', '.').replace('_', '-')}": value for name, value in values.items()}
        )

    def foes(self, of: Body) -> list[Body]:
        """Return the conscious ones of the other side who have not put off their turn."""
        return [each for each in self.people.values() if each.side != of.side and each.awake and not each.delays]

    # ---------------------------------------------------------------- damage

    def health(self, of: Body) -> None:
        values = {"hp": of.hp, "nld": of.nld, "status": of.status}
        if of.status == "dying":
            values |= {"failures": of.failures, "death_dc": self.death_dc(of) or "none"}
        self.note(of, **values)

    def suffer(self, of: Body, amount: int, by: Body, *, nonlethal: bool = False, attack: bool = True) -> None:
        """Take off what the damage takes that was just told, and tell what it brings about."""
        before, damage = of.hp, self.fight.seq
        of.nld += amount * nonlethal
        of.hp = max(0, of.hp - amount * (not nonlethal))
        if fell := before > of.hp == 0:
            self._falls(of, amount, before)
        elif not before and of.state == "stabilized" and amount and self.option("stabilized-hit", "dying-again"):
            of.state, of.failures, of.automatic = "dying", 0, 0
        self.health(of)
        if self.massive(of, amount, nonlethal=nonlethal, attack=attack):
            self.note(of, massive_dc=10 + by.hit_dice)
            took = 0 if nonlethal else before
            fell |= self._massive_save(of, 10 + by.hit_dice, amount, took, damage)
        if fell:
            self.wound(of)
        if not of.awake:
            self.drops_out(of)

    def massive(self, of: Body, amount: int, *, nonlethal: bool = False, attack: bool = True) -> bool:
        if nonlethal and not self.option("massive-source", "any"):
            return False
        if not attack and self.option("massive-source", "attack-hits"):
            return False
        return is_massive(amount, of.hp_max)

    def _massive_save(self, of: Body, dc: int, amount: int, before: int, damage: int) -> bool:
        die = self.d(20)
        total = die + of.fortitude
        claims = {"total": total, "dc": dc, "succeeded": total >= dc} if self.chance(0.5) else {}
        self.tell(
            "save_rolled",
            combatant=of.name,
            save="fortitude",
            purpose="massive-damage",
            die=die,
            cause=damage,
            **claims,
        )
        if falls := total < dc and of.hp > 0:
            self._falls(of, amount, before)
            of.hp = 0
        if total < dc:
            of.failures = of.automatic = 1
        self.health(of)
        return falls

    def _falls(self, of: Body, amount: int, before: int) -> None:
        of.state, of.failures, of.automatic = "dying", 0, 0
        of.felled_by = min(before, amount) if self.option("brutality-damage", "hp-lost") else amount

    def wound(self, of: Body) -> None:
        of.wounds += 1
        self.tell("condition_gained", condition="wound", targets=[of.name], detail=self.dice.choice(WOUNDS))

    def drops_out(self, of: Body) -> None:
        """Void what is left of a combatant's turn and what it holds."""
        of.move = of.standard = of.swift = 0
        of.slots, of.holds = None, None

    # ---------------------------------------------------------------- death rolls

    @property
    def death_roll(self) -> str:
        return self.options.get("death-roll", "not-chosen")

    def death_dc(self, of: Body) -> int | None:
        """Return what a combatant's next death roll must reach; None while the table owes its choice."""
        counted = of.failures - of.automatic * self.option("automatic-failure", "rolled-only")
        kinds = {
            "all-equal": percent_target(counted),
            "stats-matter": stats_dc(of.hit_dice, of.constitution),
            "brutality": 10 + of.felled_by,
        }
        return kinds.get(self.death_roll)

    def death_save(self, of: Body, result: int | None = None) -> int:
        """Roll the death roll that is due, if one is; return its seq."""
        dc = self.death_dc(of)
        if dc is None:
            return self.fight.seq
        percent = self.death_roll == "all-equal"
        die = result or self.d(100 if percent else 20)
        made = die + (0 if percent else of.fortitude) >= dc
        claims = {"dc": dc, "succeeded": made} if self.chance(0.5) else {}
        save = "percentile" if percent else "fortitude"
        seq = self.tell("save_rolled", combatant=of.name, save=save, purpose="death", die=die, **claims)
        self._death_save_decides(of, made=made)
        self.health(of)
        return seq

    def _death_save_decides(self, of: Body, *, made: bool) -> None:
        if not made:
            of.failures += 1
            of.state = "dead" if of.failures == 3 else of.state
        elif self.death_roll == "all-equal" and self.option("equal-success", "breaks-run"):
            of.failures = of.automatic = 0
        else:
            of.state, of.failures = "stabilized", 0

    # ---------------------------------------------------------------- healing

    def heals(self, of: Body, amount: int, by: Body, act: int, *, nonlethal: bool = False) -> None:
        """Record that a combatant regains so much, or loses so much non-lethal damage."""
        more = {"nonlethal": True} if nonlethal else {}
        self.tell("healed", target=of.name, amount=amount, source=by.name, cause=act, **more)
        if nonlethal:
            of.nld = max(0, of.nld - amount)
        else:
            of.hp = min(of.hp_max, of.hp + amount)
            of.state, of.failures, of.automatic = "up", 0, 0
        self.health(of)
