"""Turns: as they come up, are put off, taken, broken into and lost; what is done in them, and what falls due."""

from collections.abc import Iterator
from typing import Any

from tests.lawful.tables.semiautomagic.order import Order
from tests.lawful.tables.semiautomagic.people import SPELLS, TIMES, TRIFLES, Act, Flight, One, Turn


class Table(Order):
    """A table at play; `play` yields wherever a rule may be broken."""

    # ------------------------------------------------------------ rounds and turns

    def due(self) -> list[One]:
        """Return those who are due in this round, from the highest place down."""
        ones = (self.all[name] for name in self.places)
        return [one for one in ones if not (one.out or one.had or one.blocked) and self.round]

    def waiting(self) -> list[One]:
        """Return newcomers who act next, though their places have gone by."""
        ones = (self.all[name] for name in self.places) if self.has("late-place-passed") else ()
        return [one for one in ones if one.blocked and not one.had and not one.out]

    def next_up(self) -> One | None:
        """Return whose turn comes up next."""
        anybody = [self.all[name] for name in self.places if not self.all[name].out]
        return next(iter([*self.waiting(), *self.due(), *anybody]), None)

    def newcomer(self) -> Iterator[None]:
        """Let a combatant join late, or one that has joined check and be put into the order."""
        unplaced = [one for one in self.present() if one.total is None]
        if not unplaced:
            if len(self.all) < 8:
                self.join()
            return
        one, values = unplaced[0], [value for value in range(1, 12) if self.may_check(unplaced[0], value)]
        if self.is_moved or not values:
            return
        one.total = self.check(one, self.dice.choice(values))
        if self.has("late-tie"):
            for other in self.level_with(one):
                other.rerolls = []
        yield from self.settle()
        below = self.places[self.places.index(one.id) + 1 :]
        one.fresh, one.blocked = True, any(self.all[name].had for name in below)

    def may_check(self, one: One, value: int) -> bool:
        """Say whether this check of a newcomer leads to nothing that the rules leave open."""
        level = [other for other in self.all.values() if other.total == value + one.dexterity]
        is_first = all((other.total or 0) < value + one.dexterity for other in self.all.values())
        if self.has("late-place-passed") and level and (self.has("late-tie") or not self.due()):
            return False
        if self.has("late-place-passed") and is_first and not self.due():
            return False
        if any(other.out or other.rank for other in level) or (level and self.has("reroll-place")):
            return False
        return not (self.has("second-tie") and not self.has("late-tie") and any(other.rerolls for other in level))

    def play(self) -> Iterator[None]:
        """Play to the end of the last round, or until no combatant is left."""
        yield from self.gather()
        while (one := self.next_up()) and (self.round < self.rounds or self.due() or self.waiting()):
            yield from self.turn(one)
            yield
            for _ in range(3):
                if self.chance(0.15):
                    yield from self.aside()
            late = [other for other in self.all.values() if other.hand and not other.out and not self.waiting()]
            is_open = self.has("delayed-place") and self.latest != self.last
            if late and self.chance(0.3) and not is_open:
                self.over()
                yield from self.resume(self.dice.choice(late), None)

    def over(self, always: bool = False) -> None:
        """Let the turn being played be over, where it has seconds left by saying so."""
        for turn in self.stack[:0:-1]:
            self.stack.remove(turn)
        if self.stack and (always or self.stack[0].spent < 6 or self.stack[0].carried == 6 or self.chance(0.5)):
            self.tell("turn_ended", combatant=self.stack[0].who)
        self.stack = []

    def begin(self, one: One) -> None:
        """Let a combatant's turn come up: places are passed, and a new round opens if nobody is due."""
        due, above = self.due(), [self.all[name] for name in self.places[: self.places.index(one.id)]]
        first = all(other.out and not other.had for other in above) and any(other.had for other in self.all.values())
        opens = not self.waiting() and (not due or (first and due == [one]))
        if opens:
            self.pass_places(self.places)
            for other in self.all.values():
                other.had = other.passed = other.blocked = other.fresh = False
        if not one.blocked:
            self.pass_places(self.places[: self.places.index(one.id)])
        self.round += opens
        one.had, one.turns = True, one.turns + 1
        if (not due or not opens) and self.chance(0.1):
            self.tell("round_started", round=self.round)
        self.tell("turn_started", combatant=one.id)
        self.last = self.latest = one.id
        self.stack = [Turn(one.id, one.turns, self.round)]
        self.fight.note({"turn": one.id, "round": self.round, f"round.{self.round}.second": 6 * (self.round - 1)})
        self.note_order()
        if not self.waiting():
            self.fight.know(due=[other.id for other in self.due()])

    def pass_places(self, names: list[str]) -> None:
        """Pass the places of those who are out: six seconds of theirs go by, and what they have begun is lost."""
        for one in (self.all[name] for name in names):
            if not one.out or one.had or one.passed:
                continue
            one.passed = True
            one.turns += 1
            if one.running:
                self.lose(one, "lost")
            for flight in self.in_flight(one, 6 * one.turns):
                if one.hand:
                    flight.state = "open"
                elif self.chance(0.7):
                    self.over(always=True)
                    self.occur(flight, None, heals=False)
                else:
                    flight.state = "open"
            if one.hand:
                one.hand = None
                for flight in one.flights:
                    flight.state = "open"

    def lose(self, one: One, state: str) -> None:
        """Let the action that runs come to nothing, and what it would have set off."""
        act = one.running
        assert act
        act.state, one.running = state, None
        if not any(flight.act is act for flight in one.flights):
            self.ended.append(act)
        for flight in one.flights:
            if flight.act is act or act.first <= flight.due <= act.last:
                flight.state = "open"

    def turn(self, one: One) -> Iterator[None]:
        """Play a turn, or put it off."""
        lost = one.hand
        self.begin(one)
        turn = self.stack[0]
        if lost:
            one.hand = None
            if one.running and self.has("delay-while-running"):
                self.lose(one, "lost")
            if not self.has("put-off-turn-seconds"):
                for flight in self.in_flight(one, 6 * lost.number):
                    self.occur(flight, None) if self.chance(0.7) else self.let_slip(flight)
            self.fight.note({f"{one.id}.turn-in-hand": 0})
        yield
        if one.out:
            return
        if self.chance(0.2):
            self.trifle(one, is_first=True)
        if one.running and self.chance(0.15) and not self.holds_back(one.running):
            self.give_up(one)
        if self.chance(0.25) and self.may_put_off(one):
            self.put_off(one, turn)
        else:
            self.carry(one, turn)
            yield from self.seconds(turn)

    def may_put_off(self, one: One) -> bool:
        """Say whether a turn may be put off with nothing that the rules leave open."""
        if not one.running:
            return True
        return not self.holds_back(one.running) and not any(each.act is one.running for each in one.flights)

    def holds_back(self, act: Act) -> bool:
        """Say whether an effect waits for the end of this action."""
        flights = self.all[act.who].flights
        return self.has("effect-during-action") and any(
            each.due == act.last and each.act is not act for each in flights
        )

    def put_off(self, one: One, turn: Turn) -> None:
        """Put the turn off."""
        if one.running and not self.has("delay-while-running"):
            self.lose(one, "withdrawn")
        one.hand, self.stack = turn, []
        turn.is_delayed = True
        self.tell("turn_delayed", combatant=one.id)
        hand = {"turn-in-hand": 1, "turn-in-hand.seconds": 6, "round": turn.round}
        self.fight.note({f"{one.id}.{field}": value for field, value in hand.items()})
        if self.has("put-off-turn-seconds"):
            for flight in self.in_flight(one, turn.zero + 6):
                self.occur(flight, None) if self.chance(0.7) else self.let_slip(flight)

    def resume(self, one: One, second: int | None) -> Iterator[None]:
        """Take the turn in hand."""
        turn = one.hand
        assert turn
        if self.has("delayed-place"):
            behind = self.stack[-1].who if self.stack else self.last
            self.is_moved = True
            if behind != one.id:
                self.places.remove(one.id)
                self.places.insert(self.places.index(behind) + 1, one.id)
        self.latest = one.id
        one.hand, self.stack = None, [*self.stack, turn]
        self.tell("turn_resumed", combatant=one.id, second=second)
        self.fight.note({"turn": one.id, f"{one.id}.turn-in-hand": 0, f"{one.id}.round": turn.round})
        self.note_order()
        self.carry(one, turn)
        yield from self.seconds(turn)
        if turn in self.stack and turn.spent < 6 and self.chance(0.5):
            self.take_up(turn)
            self.tell("turn_ended", combatant=one.id)
            self.stack.remove(turn)
            self.fight.note({"turn": self.stack[-1].who if self.stack else "none"})

    def take_up(self, turn: Turn, say: bool = True) -> None:
        """Go on with a turn that was broken into."""
        while turn in self.stack and self.stack[-1] is not turn:
            inner = self.stack.pop()
            if say and inner.spent < 6:
                self.tell("turn_ended", combatant=inner.who)

    # ------------------------------------------------------------ seconds

    def carry(self, one: One, turn: Turn) -> None:
        """Give the first seconds of a turn to the action that runs."""
        act = one.running
        if act:
            turn.paint(act)
            turn.carried = turn.spent = min(6, act.last - turn.zero)
            self.fight.note({f"{one.id}.seconds": 6 - turn.spent})
            if act.last <= turn.zero + 6:
                self.done(one, act)
                if act in self.acts and self.chance(0.6):
                    self.outcome(act.seq)

    def done(self, one: One, act: Act) -> None:
        """Let an action be done."""
        act.state, one.running = "done", None
        if not any(flight.act is act for flight in one.flights):
            self.acts.append(act)

    def seconds(self, turn: Turn) -> Iterator[None]:
        """Spend the seconds of a turn."""
        one = self.all[turn.who]
        while True:
            yield
            if one.out or turn not in self.stack:
                for flight in self.in_flight(one, turn.zero + 6):
                    flight.state = "open"
                return
            if self.chance(0.12 if turn.spent < 6 else 0.6):
                break
            late = [other for other in self.all.values() if other.hand and not other.out]
            if late and turn.spent < 6 and self.chance(0.3):
                yield from self.interrupt(turn, self.dice.choice(late))
            elif self.chance(0.15):
                self.take_up(turn)
                self.trifle(one)
            elif turn.spent < 6 and self.chance(0.8):
                self.act(one, turn)
            else:
                yield from self.aside()
        self.take_up(turn)
        self.effects(turn, 6)

    def interrupt(self, turn: Turn, one: One) -> Iterator[None]:
        """Break into a turn between two of its actions."""
        self.take_up(turn)
        at = self.dice.choice((turn.spent, turn.spent, self.dice.randint(turn.spent, 5)))
        is_said = at != turn.spent or (turn.carried and turn.carried == at) or self.chance(0.5)
        self.effects(turn, at)
        if one.out or self.all[turn.who].out or not one.hand:
            return
        turn.spent = turn.broken = at
        yield from self.resume(one, at if is_said else None)

    def trifle(self, one: One, is_first: bool = False) -> None:
        """Do something that takes no second; before anything else no second is said."""
        kind = self.dice.choice(TRIFLES)
        time = 0 if self.chance(0.5) else None
        second = None if is_first or self.chance(0.6) else self.dice.randint(1, 6)
        action = {"kind": kind, **({} if time is None else {"time": time})}
        self.tell("action_taken", second=second, combatant=one.id, action=action)

    def what(self, one: One, turn: Turn) -> tuple[dict[str, Any], int, int | None]:
        """Return an action, the seconds that it takes, and the delay of the effect that it sets off, if any."""
        kind = self.dice.choice(("cast", "cast", "cast", "other", "wait", *TIMES))
        taken = {act.name for act in self.acts if act.who == one.id} | {each.act.name for each in one.flights}
        spells = [name for name in SPELLS if name not in taken]
        time = TIMES.get(kind, 1)
        action: dict[str, Any] = {"kind": kind}
        said: int | None = None
        delay: int | None = None
        if kind == "cast" and spells:
            action["name"] = self.dice.choice(spells)
            time, delay = one.entries.get(action["name"], (4, None))
            if action["name"] not in one.entries and self.chance(0.5) and not self.is_clockless(turn):
                delay = self.dice.choice((0, 1, 2, 3, 5, 8, 11, 14))
                action["delay"] = delay
            elif self.is_clockless(turn) and delay is not None:
                return self.what(one, turn)
        elif kind == "run":
            time = said = self.dice.choice((3, 4, 5, 8))
        elif kind == "other":
            time = said = self.dice.choice((1, 2, 3, 5, 11))
            action["name"] = "ritual"
        elif kind == "wait":
            time = said = self.dice.randint(1, 6 - turn.spent)
        if said is not None or self.chance(0.4):
            action["time"] = {"amount": time, "unit": "second"} if self.chance(0.1) else time
        if kind in ("cast", "attack", "combo") and self.chance(0.5):
            action["targets"] = [self.dice.choice(self.present()).id]
        return action, time, delay

    def is_clockless(self, turn: Turn) -> bool:
        """Say whether the seconds of a turn have passed already, as it was put off."""
        return turn.is_delayed and self.has("put-off-turn-seconds")

    def act(self, one: One, turn: Turn) -> None:
        """Do something that takes seconds, now or after letting some go by."""
        action, time, delay = self.what(one, turn)
        start = turn.spent + 1
        if action["kind"] != "wait" and self.chance(0.15):
            start = self.dice.randint(start, 6)
        pending = self.in_flight(one, turn.zero + start - 1)
        self.take_up(turn, bool(pending) or self.chance(0.5))
        self.effects(turn, start - 1)
        if one.out:
            return
        is_said = start != turn.spent + 1 or self.chance(0.6)
        seq = self.tell("action_taken", second=start if is_said else None, combatant=one.id, action=action)
        name = action.get("name", action["kind"])
        act = Act(one.id, name, action["kind"], seq, turn.zero + start, turn.zero + start + time - 1)
        turn.spent = min(6, start + time - 1)
        turn.acts.append(act)
        turn.paint(act)
        if self.has("effect-during-action") and act.kind != "wait":
            for flight in self.in_flight(one, act.last):
                flight.due = max(flight.due, act.last) if act.first <= flight.due else flight.due
        if delay is not None:
            one.flights.append(Flight(act, act.last + delay))
            self.fight.note({f"{one.id}.delay.{name}": delay})
        one.running = act
        if act.last <= turn.zero + 6:
            self.done(one, act)
        self.note_act(one, turn, act, act.last + (delay or 0))
        self.fight.note({f"{one.id}.strip": list(turn.cells)})
        if act in self.acts and self.chance(0.5):
            self.outcome(self.dice.choice((-1, seq, None)))

    def note_act(self, one: One, turn: Turn, act: Act, due: int) -> None:
        """Note what is left of a turn after an action, and when that is done or what it sets off occurs."""
        more = act.last - turn.zero - 6
        is_over = act.state == "done" and not any(flight.act is act for flight in one.flights)
        values = {"seconds": 6 - turn.spent, "second": turn.spent, f"action.{act.name}": act.state}
        values[f"due.{act.name}"] = "none" if is_over else self.where(turn, due)
        values[f"left.{act.name}"] = max(0, more)
        values["casting"] = act.name if more > 0 and act.kind == "cast" else "none"
        self.fight.note({"turn": one.id} | {f"{one.id}.{field}": value for field, value in values.items()})

    def where(self, turn: Turn, second: int) -> str:
        """Return an own second as round, combatant and second."""
        return f"r{turn.round + (second - 1) // 6 + 1 - turn.number}.{turn.who}.{(second - 1) % 6 + 1}"

    def give_up(self, one: One) -> None:
        """Give up the action that runs."""
        assert one.running
        name = one.running.name
        self.tell("action_abandoned", combatant=one.id, name=name)
        self.lose(one, "withdrawn")
        self.fight.note({f"{one.id}.action.{name}": "withdrawn", f"{one.id}.casting": "none"})

    # ------------------------------------------------------------ effects and hit points

    def in_flight(self, one: One, until: int) -> list[Flight]:
        """Return what is due until an own second, in the order in which it is told."""
        due = [flight for flight in one.flights if flight.state == "begun" and flight.due <= until]
        return sorted(due, key=lambda flight: (flight.due, flight.act.seq))

    def effects(self, turn: Turn, until: int) -> None:
        """Let the effects occur that are due in a turn until a second of it."""
        if self.is_clockless(turn):
            return
        for flight in self.in_flight(self.all[turn.who], turn.zero + until):
            second = flight.due - turn.zero
            if second < 1 or self.chance(0.15):
                self.let_slip(flight)
            else:
                self.occur(flight, second if second > turn.spent or self.chance(0.6) else None)
                turn.spent = max(turn.spent, second)
                turn.cells[second - 1] += f" ! {flight.act.name}"
                self.fight.note({f"{turn.who}.strip": list(turn.cells)})

    def let_slip(self, flight: Flight) -> None:
        """Leave it unrecorded that an effect occurs."""
        flight.state = "slipped"

    def occur(self, flight: Flight, second: int | None, heals: bool = True) -> None:
        """Record that an effect occurs, and perhaps what it brings."""
        act = flight.act
        flight.state = "done"
        if self.chance(0.2):
            self.outcome(act.seq, second, heals)
        else:
            cause = act.seq if self.chance(0.7) else None
            self.tell("effect_started", second=second, effect=act.name, source=act.who, cause=cause)
            if self.chance(0.5):
                self.outcome(-1, None, heals)
        self.fight.note({f"{act.who}.effect.{act.name}": "done"})

    def outcome(self, cause: int | None, second: int | None = None, heals: bool = True) -> None:
        """Let a combatant lose hit points, or get some back."""
        one = self.dice.choice(self.present())
        amount = self.dice.randint(0, 9)
        if heals and self.chance(0.25) and not (one.passed and self.has("late-place-passed")):
            self.tell("healed", target=one.id, amount=amount, cause=cause, second=second)
            was_out = one.out
            one.hp = one.hp + amount if self.has("healing-cap") else min(one.most, one.hp + amount)
            if was_out and not one.out and one.passed:
                for flight in one.flights:
                    flight.state = "open"
        else:
            self.tell("damage_dealt", target=one.id, amount=amount, cause=cause, second=second)
            one.hp = max(0, one.hp - amount) if self.has("hp-floor") else one.hp - amount
        self.note_health(one)

    def note_health(self, one: One) -> None:
        """Note hit points and status; with an option what is in flight is lost as a combatant is out."""
        status = one.gone or ("up" if one.hp > 0 else "down")
        self.fight.note({f"{one.id}.hp": one.hp, f"{one.id}.status": status})
        if one.out and self.has("absent-originator"):
            for flight in one.flights:
                if flight.state == "begun":
                    flight.state = "lost"

    def aside(self) -> Iterator[None]:
        """Let something happen that spends no seconds of the turn being played."""
        what = self.dice.randint(0, 9)
        one = self.dice.choice(self.present())
        if what == 0 and len(self.present()) > 1:
            self.contest()
        elif what in (1, 2):
            yield from self.newcomer()
        elif what == 3 and len(self.present()) > 2 and not one.gone and self.chance(0.4):
            self.goes(one)
        elif what == 4:
            self.tell("checked", values={f"{one.id}.hp": one.hp, f"round.{self.round}.second": 6 * (self.round - 1)})
        elif what == 5 and self.acts:
            self.outcome(self.dice.choice(self.acts).seq)
        elif what == 6:
            self.tell("damage_dealt", target=one.id, amount=self.dice.randint(-9, 99))
            self.tell("struck", event=self.dice.choice((-1, self.fight.seq)))
            self.note_health(one)
        elif what == 7 and self.chance(0.5):
            one.entries, one.dexterity = self.some_entries(), self.dice.randint(0, 3)
            self.tell(
                "sheet_changed", combatant=one.id, sheet={"dexterity": one.dexterity, "entries": self.listed(one)}
            )
        elif what == 8 and self.chance(0.3):
            self.comes_again()
        elif self.has("zero-second-off-turn") and one.id not in {turn.who for turn in self.stack}:
            self.trifle(one)
        else:
            self.call_off()

    def goes(self, one: One) -> None:
        """Let a combatant leave, or be out by a ruling."""
        if self.chance(0.3):
            one.gone = "out"
            self.tell("ruling_made", ruling="override", decision="out of the fight", values={f"{one.id}.status": "out"})
        else:
            one.gone = "left"
            self.tell("combatant_left", combatant=one.id)
            self.stack = [turn for turn in self.stack if turn.who != one.id]
        self.note_health(one)
        self.note_order()

    def comes_again(self) -> None:
        """Let one who has left join again, as a newcomer without a check."""
        left = [one for one in self.all.values() if one.gone == "left" and one.total is not None and not one.running]
        if not left or self.is_moved:
            return
        one = self.dice.choice(left)
        one.gone, one.total, one.rank, one.hand = "", None, 0, None
        one.had = one.passed = one.blocked = one.fresh = False
        one.rerolls = []
        one.flights = [Flight(flight.act, flight.due, "open") for flight in one.flights]
        self.places.remove(one.id)
        self.comes(one)
        self.note_health(one)
        self.note_order()

    def call_off(self) -> None:
        """Let an effect in flight be called off, whose turn has not come."""
        flights = [each for one in self.present() for each in one.flights if each.due > 6 * one.turns]
        flights = [each for each in flights if each.state == "begun" and each.act.state == "done"]
        if flights:
            flight = self.dice.choice(flights)
            self.tell("effect_ended", effect=flight.act.name, source=flight.act.who)
            flight.state = "withdrawn"
            self.fight.note({f"{flight.act.who}.effect.{flight.act.name}": "withdrawn"})
