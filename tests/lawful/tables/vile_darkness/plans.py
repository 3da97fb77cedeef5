"""What people mean to do in a round: what they declare, and the deeds that follow once the dice have fallen."""

from typing import Any

from tests.lawful.tables.vile_darkness.people import DIRK, One
from tests.lawful.tables.vile_darkness.spells import Spells
from tests.lawful.tables.vile_darkness.sums import SLOTS, Deed

SIMPLE = ("open a shutter", "kick a bench over", "light a candle", "pick up a coin")
WORK = ("pick the lock", "bar the door", "set a snare")


class Plans(Spells):
    """How a round comes about."""

    plain = False
    """Whether each combatant does one thing in this round and nothing besides, so that the whole order is known."""

    # ------------------------------------------------------------ step 1

    def free(self, one: One) -> bool:
        """Say whether nothing from an earlier round takes up a combatant's major action."""
        return one.up and one.casting is None and one.work is None

    def declares(self, one: One) -> None:
        """Let a combatant declare something, or nothing."""
        turn = one.turn
        if one.goes or not self.free(one) or turn.said:
            return
        spells = [spell for spell in self.castable(one) if not self.plain or not spell.range]
        if spells and self.chance(0.75):
            self.declares_spell(one, self.d.choice(spells))
        elif self.chance(0.15) and one.arms and one.routines == 1 and not one.maintains and not one.engaged:
            self.says(one, "charge", targets=[self.d.choice(self.foes(one)).id])
        elif self.chance(0.06) and one.routines == 1:
            self.says(one, "parley")
        elif self.plain:
            return
        elif self.chance(0.12) and one.engaged and one.routines == 1 and not one.maintains:
            self.says(one, "flee")
        elif self.chance(0.1) and one.routines == 1 and not one.maintains:
            rounds = self.d.choice((1, 1, 2))
            more = {"time": {"amount": rounds, "unit": "round"}} if rounds > 1 else {}
            name = self.d.choice(WORK)
            self.says(one, "complex", name=name, **more)
            one.work = (name, turn.seq, self.round + rounds - 1)
        elif self.chance(0.1) and not self.is_caught(one):
            self.says(one, "delay")
            turn.low = True
        elif self.chance(0.05) and "voluntary-declaration" not in self.options:
            self.fight.tell("action_declared", combatant=one.id, action={"kind": "attack"})

    def says(self, one: One, kind: str, **more: Any) -> None:
        """Record a declaration."""
        one.turn.said = kind
        one.turn.seq = self.fight.tell("action_declared", combatant=one.id, action={"kind": kind, **more})
        if kind == "charge":
            one.turn.at = more["targets"][0]

    def is_caught(self, one: One) -> bool:
        """Say whether a combatant would rather not be put into LOW: one with several routines and no foe at hand."""
        return one.routines > 1 and not one.engaged

    # ------------------------------------------------------------ step 2 and on

    def intends(self, one: One) -> None:
        """Settle what a combatant will do in this round."""
        turn = one.turn
        if not one.up:
            return
        if one.work:
            turn.busy = True
            name, seq, last = one.work
            if last == self.round:
                self.adds(one, "GL", lambda: self.finishes(one, name, seq), high=self.is_high(one), major=True)
        elif one.casting:
            self.intends_spell(one)
        elif turn.said in ("charge", "flee", "parley"):
            slot = {"parley": "A", "flee": "B", "charge": "C"}[turn.said]
            turn.moves = turn.said != "parley"
            tell = {"parley": self.parleys, "flee": self.flees, "charge": self.charges}[turn.said]
            self.adds(one, slot, lambda: tell(one), high=self.high(one), major=True)
            self.minors(one, "")
        elif one.goes:
            slot = "GF" if one.goes == "first" else "GL"
            self.adds(one, slot, lambda: self.strikes(one, 0), high=self.high(one), major=True)
        else:
            self.intends_freely(one)

    def adds(self, one: One, slot: str, tell: Any, **more: Any) -> Deed:
        """Add a deed."""
        late = one.turn.delayed and "." in slot and SLOTS.index(slot) >= SLOTS.index(one.turn.since or "ROLL")
        deed = Deed(one.id, one.side, slot, tell, delayed=late, die=self.dice[one.side], **more)
        self.deeds.append(deed)
        return deed

    def intends_spell(self, one: One) -> None:
        """Settle what a caster does: minors, a delay perhaps, the target, the spell."""
        turn, casting = one.turn, one.casting
        if casting is None:
            return
        fresh, named = casting.round == self.round, False
        short = casting.spell.kind == "invocation" and casting.spell.time == 1
        calm = not turn.low and not turn.delayed and not short
        if fresh and not self.plain and calm and self.chance(0.15):
            phase = self.d.choice(("D1", "D2", "D3"))
            slot = self.own(one, phase)
            names_first = fresh and casting.spell.range > 0 and phase != "D1"
            if slot[0] == "H" or names_first or not casting.spell.range:
                if names_first:
                    self.adds(one, self.own(one, "D1"), lambda: self.names_target(one))
                    named = True
                self.announces(one, slot)
        if not self.plain:
            self.minors(one, "")
        if fresh:
            self.reckons(one)
            if casting.spell.range and not named:
                self.adds(one, self.own(one, "D1"), lambda: self.names_target(one))
        self.deeds += self.caster_deeds(one)

    def announces(self, one: One, slot: str) -> None:
        """Add the announcement of a delay, which brings the delayed condition."""
        self.adds(one, slot, lambda: self.waits(one), waits=True)
        one.turn.delayed, one.turn.since, one.turn.shift = True, slot, "planned"
        one.turn.minors += "delay-time" in self.options

    def waits(self, one: One) -> None:
        """Record that a combatant announces a delay."""
        self.row("turn_delayed", combatant=one.id)
        one.turn.shift = "told"

    def lights(self, one: One) -> None:
        """Record a delaying activity."""
        self.act(one, "delaying", name="light a lantern")
        one.turn.shift = "told"

    def intends_freely(self, one: One) -> None:
        """Settle what a combatant does that declared nothing that takes its major action."""
        turn, melee = one.turn, bool(self.in_melee_with(one))
        several = one.routines > 1
        ways = ["strike"] * 6 * melee + ["shoot"] * 5 * bool(one.shot)
        if not self.plain:
            ways += ["called"] * bool(one.shot and not several) + ["move"] * (not melee) + ["lift"] * (not several)
            ways += ["horn"] * (not several) + ["nothing"]
            ways = [way for way in ways if way != "strike" or not (one.maintains and self.chance(0.5))]
        ways = ways or (["other"] if not several else ["nothing"])
        how = self.d.choice(ways)
        if not self.plain and not several and not turn.low and not turn.delayed and self.chance(0.15):
            forfeits = not self.is_high(one)
            self.announces(one, self.own(one, self.d.choice(("D1", "D2", "D3"))))
            if forfeits:
                self.minors(one, "", lone=True)
                return
        lamp = not self.plain and not several and not turn.delayed and how in ("strike", "shoot", "nothing")
        lamp = lamp and self.chance(0.12)
        if how == "horn" and turn.delayed:
            how = "nothing"
        if lamp or how == "horn":
            turn.low, turn.shift = True, "planned"
        self.carries_out(one, how, lamp)

    def carries_out(self, one: One, how: str, lamp: bool) -> None:
        """Add the deeds of a combatant who does this, after a delaying activity where there is one."""
        if how in ("strike", "shoot", "called"):
            self.carries_out_blows(one, how, lamp)
            return
        if how == "nothing" and lamp:
            one.turn.minors += 1
            self.adds(one, "L.D4", lambda: self.lights(one))
        if how == "move":
            one.turn.moves = True
            self.adds(one, self.own(one, "D4"), lambda: self.walks(one), major=True)
        elif how != "nothing":
            kind, name = {
                "horn": ("delaying", "horn of mist"),
                "lift": ("simple", "lift the portcullis"),
                "other": ("other", "search the floor"),
            }[how]
            self.adds(one, self.own(one, "D4"), lambda: self.does(one, kind, name), major=True)
        self.minors(one, "")

    def carries_out_blows(self, one: One, how: str, lamp: bool) -> None:
        """Add the routines of a combatant with what goes before and after them."""
        turn, melee, several = one.turn, bool(self.in_melee_with(one)), one.routines > 1
        slot = self.own(one, "D3" if how == "strike" else "D2")
        if several and melee and how == "strike" and not self.is_late(one):
            slot = "M1"
        around = self.minors(one, slot)
        if lamp:
            turn.minors += 1
            around.insert(0, lambda: self.lights(one))
        split = self.d.randint(lamp, len(around))
        steps = how == "shoot" and not self.plain and not melee and self.chance(0.2)
        turn.moves = turn.moves or steps

        def tell() -> None:
            target = self.target(one, how)
            if target is None:
                turn.spent = True
                if lamp:
                    self.adds(one, "L.D4", lambda: self.lights(one))
                return
            for minor in around[:split]:
                minor()
            self.strikes_or_shoots(one, target, how, int(several))
            for minor in around[split:]:
                minor()
            if steps:
                self.positions(one)

        speed = self.effective_speed(one) if how == "strike" else None
        self.adds(one, slot, tell, high=self.is_high(one), speed=speed, major=True)
        if several:
            later = self.is_high(one)
            self.adds(one, "M2", lambda: self.strikes_on(one, how), high=later, speed=speed, major=True)

    def is_late(self, one: One) -> bool:
        """Say whether a combatant with several routines has lost its place in step 4."""
        return (one.turn.low or one.turn.delayed) and "delayed-first-routine" not in self.options

    def effective_speed(self, one: One) -> int | None:
        """Return the speed of a weapon with the minors of the round."""
        if one.speed is None and "no-weapon-speed" not in self.options:
            return None
        return (one.speed or 0) + one.turn.minors

    def minors(self, one: One, joined: str, lone: bool = False) -> list[Any]:
        """Add the minors of a combatant, each of a segment but the starred; return those that go with the major action.

        A combatant who plans a delaying activity stands in LOW from then on only, so the others go with it.
        """
        turn, found = one.turn, list[Any]()
        delaying = turn.low and turn.shift == "planned"
        if self.plain or one.goes or turn.busy or (delaying and not joined):
            return found
        if one.innate and not lone and not delaying and self.chance(0.3):
            turn.minors += 1
            self.adds(one, self.own(one, "D1"), lambda: self.act(one, "innate", name=one.innate))
        if self.chance(0.45):
            armed = bool(joined and one.speed)
            ways = ["simple", "talk", "starred", *["shield"] * one.shield, *["sheathe"] * armed]
            how = self.d.choice([*ways, *["draw"] * (armed and not delaying)])
            tell = self.minor(one, how)
            turn.minors += how != "starred"
            if joined and how != "draw" and (delaying or self.chance(0.6)):
                found.append(tell)
            else:
                self.adds(one, self.own(one, "D4"), tell)
        return found

    def minor(self, one: One, how: str) -> Any:
        """Return what tells of a minor."""
        simple = self.d.choice(SIMPLE)
        return {
            "simple": lambda: self.act(one, "simple", name=simple),
            "talk": lambda: self.act(one, "talk", name="look out"),
            "starred": lambda: self.act(one, "simple", name="let go of a torch", time=0),
            "shield": lambda: self.drops_shield(one),
            "draw": lambda: self.act(one, "simple", name="draw a weapon", object="torch"),
            "sheathe": lambda: self.act(one, "simple", name="sheathe a weapon", object="club"),
        }[how]

    # ------------------------------------------------------------ carrying out

    def target(self, one: One, how: str) -> One | None:
        """Return the target of a combatant's blow or shot."""
        there = self.in_melee_with(one) if how == "strike" else self.foes(one)
        there = [foe for foe in there if self.may_be_hurt(foe)]
        return self.d.choice(there) if there else None

    def strikes_or_shoots(self, one: One, at: One, how: str, number: int) -> None:
        """Record an attack with its rolls; in melee another combatant may be quicker, out of turn."""
        more: dict[str, Any] = {"routine": number} if number else {}
        if how == "called":
            weapon = one.shot or DIRK
            seq = self.act(one, "attack", name=weapon.name, manner=["called", "missile"], targets=[at.id])
            self.of(seq, "attack_rolled", **self.roll_of(one, at, weapon, self.d.randint(1, 19)))
            return
        shot = how == "shoot"
        seq = self.attack(one, at, shot, **more)
        if not shot and not self.plain and self.may_react(at) and self.may_be_hurt(one) and self.chance(0.1):
            self.reacts(at, one, seq)
        if self.chance(0.05):
            self.foiled(one, at, seq, shot)
        else:
            self.routine(one, at, seq, shot)

    def strikes(self, one: One, number: int) -> None:
        """Record a routine in melee, if there is a foe at hand."""
        if at := self.target(one, "strike"):
            self.strikes_or_shoots(one, at, "strike", number)

    def strikes_on(self, one: One, how: str) -> None:
        """Record the later routines, each at any target."""
        for number in range(2, one.routines + 1):
            if at := self.target(one, how):
                self.strikes_or_shoots(one, at, how, number)

    def does(self, one: One, kind: str, name: str) -> None:
        """Record a major action of another kind."""
        more: dict[str, Any] = {"cost": "major"} if kind != "other" else {}
        self.act(one, kind, name=name, **more | ({"time": 2} if kind == "delaying" else {}))
        one.turn.shift = "told" if one.turn.shift else ""

    def finishes(self, one: One, name: str, seq: int) -> None:
        """Record that complex work is done."""
        if one.work is None:
            return
        if one.turn.seq != seq or self.chance(0.7):
            self.row("effect_started", effect=name, source=one.id, cause=seq)
        else:
            self.act(one, "complex", name=name)
        one.work = None

    def parleys(self, one: One) -> None:
        self.act(one, "parley", name="lay down your arms")

    def charges(self, one: One) -> None:
        """Record a charge: the way, and the blow; the combatant charged may be quicker."""
        at = self.ones[one.turn.at]
        if not at.up or not self.may_be_hurt(at) or not self.may_be_hurt(one):
            one.turn.spent = True
            return
        named: dict[str, Any] = {"name": one.arms[0].name} if one.arms[0].speed else {}
        seq = self.act(one, "charge", **named, targets=[at.id])
        if not self.plain and self.may_react(at) and self.chance(0.25):
            self.reacts(at, one, seq)
        if way := self.way(one, one.walk // 5):
            self.moved(one, way, seq)
        self.routine(one, at, seq)
        self.engage(one, at)

    def flees(self, one: One) -> None:
        """Record a flight: free attacks on the fleeing combatant come before it is away."""
        seq = self.act(one, "flee")
        for foe in self.in_melee_with(one):
            if self.may_strike_freely(foe) and self.chance(0.6):
                self.free_attack(foe, one, seq)
        if way := self.way(one, one.walk // 5):
            self.moved(one, way, seq)
        self.disengage(one)

    def may_strike_freely(self, foe: One) -> bool:
        """Say whether a combatant may take a free attack, and the text is clear on what that does to its spell."""
        casting = foe.casting
        now = casting is not None and casting.deep and casting.round_due == self.round
        moment = self.segment + ("last-segment" in self.options)
        late = now and self.timed and casting is not None and moment > min(casting.due, casting.spell.time)
        barred = foe.surprised or foe.turn.freely or late or foe.goes or self.is_kept(foe)
        return foe.up and bool(foe.arms) and not barred

    def is_kept(self, foe: One) -> bool:
        """Say whether complex work keeps a combatant from a free attack."""
        return foe.turn.busy and "beside-complex" in self.options

    def walks(self, one: One) -> None:
        """Record a move, which passes an ally now and then; that breaks the concentration of both."""
        if one.engaged:
            one.turn.spent = True
            return
        steps, more = one.walk // (10 if one.maintains else 5), dict[str, Any]()
        allies = [each for each in self.up() if each.side == one.side and each is not one]
        past = self.d.choice(allies) if allies and self.chance(0.3) else None
        if past and not (self.may_be_hurt(past) and self.may_be_hurt(one)):
            past = None
        if one.maintains and one.fly and self.chance(0.5):
            steps, more = min(one.fly // 5, 18), {"mode": "fly"}
        way = self.way(one, steps, past)
        if not way:
            one.turn.spent = True
            return
        self.moved(one, way, **more)
        if past:
            self.disturb(past)
            self.disturb(one)

    def positions(self, one: One) -> None:
        """Record a step of ten feet or less after the major action."""
        if not one.engaged and (way := self.way(one, 2)):
            self.moved(one, way, cost="minor")
