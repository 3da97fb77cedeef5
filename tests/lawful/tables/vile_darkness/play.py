"""The run of a fight: people join and are placed, rounds go through their slots."""

from collections.abc import Iterator
from typing import Any

from tests.lawful.tables.vile_darkness.people import NAMES, SIDES, One, Turn, somebody
from tests.lawful.tables.vile_darkness.plans import Plans
from tests.lawful.tables.vile_darkness.sums import Deed, at_once, lined_up, order_of_slots

KINDS = ("fighter", "fighter", "archer", "caster", "caster", "veteran", "scout", "sprite", "beast")


class Table(Plans):
    """A fight as it is played; `play` yields the names of the moments at which a rule may be broken."""

    calm = False
    """Whether nobody has several routines or a place of its own, so that more rounds are plain."""

    def muster(self, side: str, kind: str = "", placed: bool = True, **more: Any) -> One:
        """Let a combatant join and be placed."""
        names = [name for name in NAMES if name not in self.ones]
        name = self.d.choice(names) if names else f"guest-{len(self.ones)}"
        kinds = KINDS[:5] if self.calm else KINDS
        one = somebody(name, side, kind or self.d.choice(kinds), self.d)
        for field, value in more.items():
            setattr(one, field, value)
        one.square = self.free_square()
        self.ones[name] = one
        self.fight.tell("combatant_joined", combatant=name, side=side, sheet=one.sheet())
        if placed:
            self.place(one)
        return one

    def gathers(self) -> None:
        """Let people join, who are not placed yet."""
        self.calm = self.chance(0.4)
        for side in SIDES[: self.d.choice((2, 2, 2, 3))]:
            for _ in range(self.d.randint(2, 3)):
                self.muster(side, placed=False)

    def opens(self) -> None:
        """Check surprise, and place everybody."""
        caught = [one for one in self.ones.values() if self.chance(0.1)]
        for one in caught:
            one.surprised = True
        self.fight.tell("surprise_settled", **({"surprised": [one.id for one in caught]} if caught else {}))
        for one in self.up():
            if one.arms and self.chance(0.7):
                other = self.d.choice(self.foes(one))
                one.engaged.add(other.id)
                other.engaged.add(one.id)
        for one in self.up():
            self.place(one)

    def play(self, rounds: int) -> Iterator[str]:
        """Play so many rounds."""
        self.gathers()
        yield "gathered"
        self.opens()
        yield "opened"
        for _ in range(rounds):
            self.begins()
            self.plain = self.chance(0.7 if self.calm else 0.1)
            for one in self.d.sample(self.up(), len(self.up())):
                self.declares(one)
            self.throws()
            self.goes_through()
            self.closes()
            yield "closed"

    def begins(self) -> None:
        """Open a round."""
        self.round += 1
        self.fight.tell("round_started", round=self.round)
        self.by_clock, self.timed = self.chance(0.5), self.chance(0.3)
        self.dice, self.slot, self.told_slot, self.segment, self.deeds, self.slowed = {}, "", "", 0, [], []
        self.round_is_open = True
        for one in self.ones.values():
            one.turn = Turn()
        if self.chance(0.3):
            self.reach("DECLARE")

    def throws(self, dice: dict[str, int] | None = None) -> None:
        """Roll the dice of the groups."""
        if self.chance(0.3):
            self.reach("ROLL")
        level = self.d.randint(1, 6) if self.chance(0.3) else 0
        for side in self.d.sample(self.sides(), len(self.sides())):
            die = dice[side] if dice else level or self.d.randint(1, 6)
            self.fight.tell("initiative_rolled", side=side, die=die)
            self.dice[side] = die
        self.look()

    def goes_through(self) -> None:
        """Record everything that happens in a round, slot by slot."""
        if not self.plain:
            self.delays_by_ruling()
        for one in self.up():
            self.intends(one)
        whole: list[list[str]] | None = []
        told = set[str]()
        for slot in order_of_slots(self.options)[2:-1]:
            line = lined_up([deed for deed in self.deeds if deed.slot == slot], self.d, self.options)
            if slot in ("E", "GL"):
                self.segment = 0
            self.happens(slot)
            done = [deed for deed in line if self.carries(deed)]
            groups = at_once(done, self.options)
            whole = None if whole is None or groups is None else whole + groups
            told |= {deed.who for deed in done}
            if done and self.chance(0.5):
                self.look()
        if self.plain and told == {one.id for one in self.up()} and len(told) == len(self.deeds):
            self.fight.note({f"{deed.who}.slot": deed.slot for deed in self.deeds})
            if whole is not None:
                self.note_order(whole)

    def note_order(self, whole: list[list[str]]) -> None:
        """Note the order of a round in which each combatant did one thing."""
        if len([one for one in self.up() if one.goes == "first"]) < 2:
            self.fight.note({"order": whole})

    def carries(self, deed: Deed) -> bool:
        """Let a deed be done unless its doer no longer can; say whether it was."""
        one = self.ones[deed.who]
        if not one.up or (deed.major and one.turn.spent) or (deed.slot == "M2" and not one.turn.done):
            return False
        if self.timed and deed.slot not in ("E", "GL"):
            self.segment = min(10, max(1, self.segment + self.d.choice((0, 0, 1, 2))))
        self.reach(deed.slot)
        if self.chance(0.01):
            self.fight.tell("struck", event=self.act(one, "talk", name="wait"))
        before = self.fight.seq
        deed.tell()
        one.turn.done = one.turn.done or (deed.major and not one.turn.spent)
        return self.fight.seq > before

    # ------------------------------------------------------------ the world and the GM

    def delays_by_ruling(self) -> None:
        """Record that a combatant has the delayed condition, from before step 5 to the end of the round."""
        for one in self.up():
            if not one.goes and self.chance(0.05):
                self.fight.tell("condition_gained", condition="delayed", targets=[one.id])
                self.slowed.append(one)
                one.turn.delayed = True

    def happens(self, slot: str) -> None:
        """Record what no combatant does, before anything else in a slot."""
        if "." not in slot or self.plain or not self.chance(0.08):
            return
        one = self.d.choice(self.up())
        if not self.may_be_hurt(one):
            return
        self.reach(slot)
        how = self.d.choice(("stone", "save", "save", "vines"))
        if how == "stone":
            amount = self.d.randint(1, 4)
            self.row("damage_dealt", target=one.id, amount=amount)
            one.hp -= amount
            self.disturb(one)
        elif how == "save":
            die, dc = self.d.randint(2, 19), self.d.randint(5, 18)
            self.row("save_rolled", combatant=one.id, save="breath", die=die, dc=dc, succeeded=die >= dc)
            if die < dc:
                self.disturb(one)
        else:
            self.row("condition_gained", condition="entwined", targets=[one.id], impedes=True)
            self.disturb(one)
            self.fight.tell("condition_lost", condition="entwined", targets=[one.id])
        self.fight.note({key: value for key, value in self.values(one).items() if not key.endswith("group")})

    def closes(self) -> None:
        """Record the end of a round."""
        self.segment = 0
        self.look()
        if self.by_clock and self.chance(0.3):
            self.reach("END")
        pending = {who for one in self.up() if one.casting for who in one.casting.targets}
        for one in self.up():
            last = len([each for each in self.up() if each.side == one.side]) == 1
            if one.hp <= 0 and not last and one.id not in pending and self.chance(0.5):
                self.falls(one)
        self.recovers()
        self.fight.tell("round_ended", **({"round": self.round} if self.chance(0.5) else {}))
        for one in self.ones.values():
            one.surprised = one.surprised and "surprise-lasts" not in self.options
        self.round_is_open = False
        for one in self.up():
            if one.hp < one.top and self.chance(0.05):
                amount = self.d.randint(1, one.top - one.hp)
                self.fight.tell("healed", target=one.id, amount=amount)
                one.hp += amount
        self.look()
        if self.chance(0.2):
            self.muster(self.d.choice(self.sides()))

    slowed: list[One]

    def recovers(self) -> None:
        """Record who has the delayed condition no longer, and who is gone."""
        for one in self.slowed:
            self.fight.tell("condition_lost", condition="delayed", targets=[one.id])
        pending = {who for one in self.up() if one.casting for who in one.casting.targets}
        for one in self.up():
            last = len([each for each in self.up() if each.side == one.side]) == 1
            if one.turn.said == "flee" and not one.engaged and not last and one.id not in pending and self.chance(0.3):
                self.fight.tell("combatant_left", combatant=one.id, reason="fled")
                one.left = True
                for other in self.up():
                    if one.id in other.upon:  # what was on it is over; what is left of the effect goes on
                        other.upon = tuple(who for who in other.upon if who != one.id)
                        other.maintains = other.maintains if other.upon else None

    def falls(self, one: One) -> None:
        """Record that a combatant is out of the fight."""
        values = {f"{one.id}.status": "out"}
        self.fight.tell("ruling_made", ruling="override", decision=f"{one.id} is out of the fight", values=values)
        self.fight.note(values)
        one.out, one.casting, one.maintains, one.work = True, None, None, None
        self.disengage(one)
