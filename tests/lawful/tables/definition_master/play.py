"""The play: initiative, rounds, turns, delays and holds."""

from collections.abc import Callable, Iterator

from tests.lawful.tables.definition_master.maneuvers import Maneuvers
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.sums import behind, daily, lined_up


class Table(Maneuvers):
    """A fight that is played by the rules, up to a moment at which a breach may come in."""

    order: list[str]

    def play(self, rounds: int) -> Iterator[str]:
        """Record a fight; yield at each moment, with the one whose turn it is in `self.up`."""
        self.joins()
        yield "joined"
        self.order = lined_up(self.initiative(), self.roll_off)
        self.first, self.passed, self.moved = self.order[0], "", False
        self.moves: list[str] = []
        self.answered: list[str] = []
        self.held = False
        for self.round in range(1, rounds + 1):
            yield "between rounds"
            self.forfeited = [each.name for each in self.people.values() if each.delays]
            self.opens()
            yield "round"
            yield from self.turns()
        yield "end"
        self.rests()

    # ---------------------------------------------------------------- the beginning and the end

    def joins(self) -> None:
        for each in self.people.values():
            self.tell("combatant_joined", combatant=each.name, name=each.name.title(), side=each.side, sheet=each.sheet)
            rate, fivefold = daily(each.constitution, each.hit_dice)
            self.note(each, hp=each.hp_max, nld=0, status="up", recovery=rate, nld_recovery=fivefold)
            self.note(each, attack_bonuses=each.bonuses, ac=each.armour, touch=each.touch)
        squares = self.dice.sample([(x, y) for x in range(1, 5) for y in range(1, 5)], len(self.people))
        for each, square in zip(self.people.values(), squares, strict=True):
            each.square = square
            self.tell("placed", combatant=each.name, square=list(square))

    def initiative(self) -> dict[str, int]:
        """Record everybody's initiative; return the totals in hundredths."""
        totals = {}
        for each in self.people.values():
            die = self.d(20)
            total = 100 * (die + each.initiative) + each.initiative * self.option("initiative-decimal", "on")
            totals[each.name] = total
            self.tell("initiative_rolled", combatant=each.name, die=die, bonus=each.initiative)
            if not self.option("initiative-decimal", "on"):
                self.note(each, initiative=total // 100)
        return totals

    def roll_off(self, tied: list[str]) -> dict[str, int]:
        """Record how those who are level roll against each other; return what they come to."""
        found = {}
        for who in tied:
            die = self.d(20)
            rest = [each for each in tied if each != who]
            self.tell("initiative_rolled", combatant=who, die=die, tie_with=rest)
            found[who] = die + self.people[who].initiative * self.option("roll-off", "with-bonus")
        return found

    def rests(self) -> None:
        if self.chance(0.5):
            return
        self.tell("time_passed", time={"amount": 1, "unit": "day"})
        for each in self.people.values():
            if each.state != "dead":
                rate, fivefold = daily(each.constitution, each.hit_dice)
                each.hp, each.nld = min(each.hp_max, each.hp + rate), max(0, each.nld - fivefold)
                self.note(each, hp=each.hp, nld=each.nld, status=each.status)

    # ---------------------------------------------------------------- rounds

    def opens(self) -> None:
        self.tell("round_started", round=self.round)
        for each in self.people.values():
            each.used, each.taken, each.delays = [], False, False
            if not each.feats:
                self.note(each, left__immediate=1)
            self.note(each, flat_footed=False)
        self.passed = ""
        self.ordered()

    def ordered(self) -> None:
        self.fight.note({"order": [[name] for name in self.order]})

    def turns(self) -> Iterator[str]:
        while True:
            yield "gap"
            late = [each for each in self.people.values() if each.delays]
            waiting = self.waiting()
            if late and self.passed and (self.chance(0.4) or (not waiting and self.chance(0.7))):
                yield from self.resumes(self.dice.choice(late))
            elif waiting:
                yield from self.comes_up(waiting[0])
            else:
                return

    def waiting(self) -> list[Body]:
        """Return those whose turn of this round is still to come, in order."""
        there = [self.people[name] for name in self.order]
        return [each for each in there if not (each.taken or each.delays or each.state == "dead")]

    def comes_up(self, who: Body) -> Iterator[str]:
        """Record a turn whose place has come, or that it is put off."""
        if who.awake and self.chance(0.1):
            if self.chance(0.5):
                self.tell("turn_started", combatant=who.name)
            self.tell("turn_delayed", combatant=who.name)
            who.delays = True
            return
        self.tell("turn_started", combatant=who.name)
        yield from self.turn(who)

    def resumes(self, who: Body) -> Iterator[str]:
        """Record a turn that was put off, from the gap at which it is taken on."""
        self.tell("turn_resumed", combatant=who.name)
        who.delays, self.moved = False, True
        self.moves.append(who.name)
        self.order = behind(self.order, who.name, self.passed)
        self.ordered()
        yield from self.turn(who)

    def turn(self, who: Body) -> Iterator[str]:
        self.grants(who)
        self.up, self.facts_of_turn, self.answered = who, self.fight.seq, []
        self.fight.note({"turn": who.name})
        if who.status == "dying":
            yield "dying"
            self.death_save(who)
        if who.awake:
            yield "turn"
            yield from self.does(who)
        self.passed = who.name

    def does(self, who: Body) -> Iterator[str]:
        self.budget(who)
        for _ in range(self.dice.randint(1, 6)):
            if not who.awake:
                break
            if self.dice.choice(self.acts)(who) and who.awake:
                self.budget(who)
                self.releases(who)
                yield "acting"

    def releases(self, who: Body) -> None:
        """Let those who waited for a combatant's act carry out what they hold; their places move behind it."""
        for other in self.foes(who):
            ready = other.holds == who.name and self.may_react(other) and self.acted > self.facts_of_turn
            if (
                ready
                and who.awake
                and (other.goes_when or self.reaches(other, who.square, surely=True))
                and self.chance(0.6)
            ):
                (self.sets_out if other.goes_when else self.carries_out)(other, who, self.acted)

    def carries_out(self, who: Body, at: Body, trigger: int) -> None:
        """Record a held attack at the combatant whose turn it is."""
        action = {"kind": "attack", "name": who.weapon.name, "targets": [at.name], "cost": "held"}
        act = self.tell("action_taken", combatant=who.name, action=action, trigger=trigger)
        self.is_carried_out(who, at)
        self.blow(who, at, who.bonuses[0], act)

    def sets_out(self, who: Body, at: Body, trigger: int) -> None:
        """Record a held move in another combatant's turn; those whose threatened squares it leaves may strike."""
        way = self.way(who, self.dice.randint(1, who.speed // 5))
        if who.prone or len(way) < 2:
            return
        who.square = way[-1]
        distance, path = {"amount": 5 * (len(way) - 1), "unit": "ft"}, [list(each) for each in way]
        move = self.tell("moved", combatant=who.name, path=path, distance=distance, cost="held", cause=trigger)
        self.is_carried_out(who, at)
        self.note(who, square=f"{who.square[0]},{who.square[1]}")
        self.leaves(who, way, move)

    def is_carried_out(self, who: Body, at: Body) -> None:
        """Note that a combatant has carried out its held act: an immediate action, which moves its place behind the other.

        Several who do so in one turn stand in the order in which they did.
        """
        self.spends(who, "other")
        who.holds = None
        self.order, self.moved, self.held = behind(self.order, who.name, [at.name, *self.answered][-1]), True, True
        self.answered.append(who.name)
        self.ordered()
        self.note(who, holding="none")

    def grants(self, who: Body) -> None:
        """Give a combatant the budget of a turn, and end what lasts until its next one."""
        who.lapsed = who.holds is not None
        who.taken, who.lock, who.holds = True, "none", None
        who.stances, who.charging = {}, False
        who.move = who.standard = who.swift = int(who.awake)
        who.slots, who.free, who.reckless, who.defensive = None, [], None, None
        self.note(who, lock="none", ac=who.armour, touch=who.touch, holding="none")

    @property
    def acts(self) -> list[Callable[[Body], bool]]:
        """Return what a combatant may try next, some of it more often."""
        return [
            self.attacks, self.attacks, self.attacks, self.attacks, self.goes, self.goes, self.steps, self.fumbles, self.gets_up,
            self.chats, self.hurries, self.casts, self.casts, self.mends, self.tinkers, self.defends, self.shoots_at, self.trips,
            self.trips, self.charges, self.charges,
            self.bashes, self.disarms, self.disarms, self.picks_up, self.picks_up,
            self.holds_back, self.holds_back,
        ]  # fmt: skip
