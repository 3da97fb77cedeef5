"""Swallowing: a contest, rounds inside, cuts from within, fainting, and how a combatant comes out again."""

from tests.lawful.tables.definition_master.grapples import Grapples
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.sums import SIZES

APART = 12
"""What three sizes make of the modifier of opposed rolls."""
BLUNT = ("staff",)
FAINTS = 3


class Swallowing(Grapples):
    """Who is inside whom; no other combatant acts on the two, and the square of the one inside stays free for it."""

    round = 0

    def swallows(self, who: Body) -> bool:
        """Swallow a foe that is small enough; the act provokes nobody."""
        near = [foe for foe in self.near(who) if SIZES[who.size] - SIZES[foe.size] >= APART]
        if not near or not who.standard or who.slots is not None or who.prone:
            return False
        who.standard = 0
        at = self.dice.choice(near)
        act = self.act(who, "swallow", at)
        if self.contest("swallow", who, at, act, self.grip(who), self.answer(at, "grapple")) > 0:
            who.prey, at.inside, at.holds, who.holds = at, who, None, None
            at.cut, at.since = 0, self.round
        self.note(at, swallowed_by=who.name if at.inside else "none")
        return True

    def digests(self, who: Body) -> None:
        """Count the rounds of the one inside, as the turn of the swallower begins: after three it faints."""
        prey = who.prey
        if prey and self.round - prey.since >= FAINTS and not prey.fainted:
            prey.fainted = True
            self.drops_out(prey)
            self.health(prey)

    def spits(self, who: Body) -> None:
        prey = who.prey
        if prey:
            self.tell("condition_lost", condition="swallowed", targets=[prey.name], reason="it is spat out")
            self.is_out(prey)

    def is_out(self, prey: Body) -> None:
        if by := prey.inside:
            by.prey, prey.inside, prey.fainted = None, None, False
        self.note(prey, swallowed_by="none")
        self.health(prey)

    def in_the_dark(self, who: Body) -> None:
        """Record the turn of one of the two: the one inside cuts, the other one keeps it, or spits it out."""
        if who.prey:
            if self.chance(0.1):
                self.spits(who)
        elif not who.disarmed and not who.fooled:
            self.cuts(who)

    def cuts(self, who: Body) -> None:
        """Strike from inside with the weapon in hand; a fifth of the most hit points makes a way out."""
        while (at := who.inside) and at.awake and (bonus := self.slot(who)) is not None:
            act, before = self.act(who, "attack", at, name=who.weapon.name), len(self.fight.facts)
            self.blow(who, at, bonus, act)
            dealt = [fact for fact in self.fight.facts[before:] if fact["type"] == "damage_dealt"]
            if who.weapon.name not in BLUNT:
                who.cut += sum(fact["amount"] for fact in dealt if not fact.get("nonlethal"))
            if 5 * who.cut >= at.hp_max:
                self.is_out(who)
            elif not at.awake:
                self.spits(at)
