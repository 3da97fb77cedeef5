"""Grapples: the hold, what the aggressor makes of it, and the defender's tries to get away."""

from tests.lawful.tables.definition_master.maneuvers import Maneuvers
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.sums import SIZES

Roll = tuple[str, int]
SKILL = ("pin", "submission", "grapple")
"""What Escape Artist may answer, beside the try to get away."""


class Grapples(Maneuvers):
    """The grapples of a fight; a third person only shoots at a pair."""

    def grip(self, who: Body) -> Roll:
        return "grapple", who.base + who.strength + SIZES[who.size]

    def answer(self, who: Body, to: str) -> Roll:
        """Return what a defender answers with: the better of grapple and Escape Artist, where that is allowed."""
        skill = ("escape-artist", who.dexterity + who.hit_dice)
        return max(self.grip(who), skill, key=lambda roll: roll[1]) if to in {*SKILL, "escape"} else self.grip(who)

    def grapples(self, who: Body) -> bool:
        near = [foe for foe in self.beside(who) if SIZES[foe.size] <= SIZES[who.size]]
        if not near or not who.standard or who.slots is not None or who.prone:
            return False
        who.standard = 0
        at = self.dice.choice(near)
        act = self.act(who, "grapple", at)
        on, penalty = self.touches(who, at, who.bonuses[0], act)
        grip = ("grapple", self.grip(who)[1] + penalty)
        if on and self.contest("grapple", who, at, act, grip, self.answer(at, "grapple")) > 0:
            who.holding, at.held_by, at.hold, at.holds = at, who, "held", None
            who.holds = None
        if on:
            self.gripped(who, at)
        return True

    def gripped(self, who: Body, at: Body) -> None:
        holds = who.holding is at
        self.note(who, grapple="holding" if holds else "free", grapple__with=at.name if holds else "none")
        self.note(at, grapple=at.hold or "free", grapple__with=who.name if holds else "none")

    def gets_away(self, who: Body) -> None:
        """Let a held combatant try to get away as its turn begins."""
        other = who.held_by
        if not other or self.chance(0.3):
            return
        act = self.act(who, "escape")
        who.free.append("escape")
        if self.contest("escape", who, other, act, self.answer(who, "escape"), self.grip(other)) > 0:
            who.held_by, other.holding, who.hold, who.choked = None, None, "", 0
        self.gripped(other, who)

    def squeezes(self, who: Body) -> None:
        """Let a combatant who holds another use one of the options of a grapple."""
        at = who.holding
        if not at or not at.awake:
            return
        kinds = {
            "held": ("pin", "break", "submission", "grapple-move"),
            "pinned": ("expose", "break"),
            "exposed": ("break",),
        }
        kind = self.dice.choice(kinds.get(at.hold, ("submission",)))
        who.standard = 0
        act = self.act(who, kind, at)
        won = self.contest(kind, who, at, act, self.grip(who), self.answer(at, kind)) > 0
        if kind == "grapple-move" and won:
            self.drags(who, at, act)
        self._outcome(at, kind, won=won)
        self.gripped(who, at)
        self.health(at)

    def _outcome(self, at: Body, kind: str, *, won: bool) -> None:
        if kind in {"pin", "expose"} and won:
            at.hold = "pinned" if kind == "pin" else "exposed"
        elif kind == "submission":
            at.choked = at.choked + 1 if won else 0
            at.hold = f"choking({at.choked})" if at.choked in {1, 2} else "held"
            if at.choked == 3:
                at.nld, at.choked = at.nld + at.hp_max, 0
                self.drops_out(at)

    def drags(self, who: Body, at: Body, act: int) -> None:
        """Record that a combatant moves the one that it holds by up to half its own speed, and goes along."""
        way = self.way(at, self.dice.randint(1, who.speed // 10))
        if len(way) < 2:
            return
        behind = [who.square, *way[:-1]]
        at.square, who.square = way[-1], way[-2]
        for each, path in ((at, way), (who, behind)):
            forced = {"forced": True, "source": who.name} if each is at else {}
            self.tell("moved", combatant=each.name, path=[list(square) for square in path], cause=act, **forced)
            self.note(each, square=f"{each.square[0]},{each.square[1]}")
