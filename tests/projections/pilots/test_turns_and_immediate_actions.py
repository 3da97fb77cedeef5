"""A pilot of seed 004: order, delays and immediate actions of two of its scenarios, on the mechanics alone.

The clauses are those of definition-master.toml; what a table would record is told by hand, row by row. Positions are
squares; a reach of one is what everybody here threatens.
"""

from eventstore.shapes import Action, Square
from projections.mechanics import ledger, triggers
from projections.mechanics.ledger import Ledger
from projections.mechanics.squares import leaves
from projections.mechanics.triggers import Triggers
from projections.scheduling import turnlist
from projections.scheduling.turnlist import Turn, TurnList
from projections.time import Point

STRIKE, COUNTER, OTHER = "aoo", "counterspell", "other"
EXCLUDES = {
    STRIKE: "immediate.aoo-excludes-others",
    COUNTER: "immediate.counterspell-excludes-others",
    OTHER: "immediate.other-excludes-aoo-and-counterspell",
}


class Fight:
    """A fight as far as turns, held actions and immediate actions go; `found` are its findings by row."""

    def __init__(self, *order: str, more: dict[tuple[str, str], int] | None = None, **squares: Square) -> None:
        self.turns, self.ledger, self.triggers = TurnList(), Ledger(), Triggers()
        self.order_of_totals, self.more, self.squares = order, more or {}, squares
        self.found: list[tuple[str, str]] = []
        self.locks: dict[str, str] = {}
        self.seq, self.latest, self.acted = 0, "", False

    # -------------------------------------------------------- the order

    @property
    def order(self) -> list[str]:
        if not self.turns.arranged:
            turnlist.arrange(self.turns, [(who,) for who in self.order_of_totals])
        return self.turns.order

    def round(self) -> None:
        """Open a round: what was put off in the last one is forfeit, and immediate actions are back."""
        self.seq += 1
        for who in list(self.turns.in_hand):
            turnlist.lose(self.turns, who, self.seq)
        turnlist.open_round(self.turns)
        for kind in EXCLUDES:
            ledger.renew(self.ledger, kind, self.seq)

    def turn(self, row: str, who: str) -> None:
        """Begin a turn: the own lock ends, a held action is lost, and resources are whole."""
        self._begins(who)
        came = turnlist.begins(self.turns, who, lambda _: False)
        if came.how != "due" or came.passes_over or came.left_out:
            self.found.append((row, "initiative.d20-plus-bonus"))
        turnlist.begin(self.turns, who, self.seq, lambda _: False)
        turnlist.start(self.turns, Turn(who, Point(self.turns.rounds), self.seq))
        triggers.disarm(self.triggers, who)

    def _begins(self, who: str) -> None:
        assert who in self.order
        self.seq += 1
        for each in list(self.turns.running):
            turnlist.end(self.turns, each, self.seq)
        self.locks.pop(who, None)
        ledger.renew(self.ledger, "action", self.seq, who)
        triggers.turn_is_over(self.triggers, self.seq)
        self.latest = who

    def delays(self, row: str, who: str, *, comes_up: bool = False) -> None:
        """Put off a turn as it comes up, or the one that runs."""
        self.seq += 1
        running = self.turns.running.get(who) or (Turn(who, Point(), 0) if comes_up else None)
        if running is None:
            self.found.append((row, "delay.own-turn-undeclared"))
            return
        if ledger.used(self.ledger, who, "action").value:
            self.found.append((row, "delay.no-actions-now"))
        turnlist.put_off(self.turns, running, self.seq)

    def takes_delayed(self, row: str, who: str) -> None:
        """Take a turn that was put off: the place moves behind the last turn."""
        if turnlist.take_up(self.turns, who, self.seq) is None:
            self.found.append((row, "delay.later-in-round"))
            return
        turnlist.move(self.turns, who, self.latest, self.seq)
        self._begins(who)

    # -------------------------------------------------------- what is done

    def acts(self, who: str, provokes: tuple[str, ...] = ()) -> int:
        """Spend an action; those whom it provokes may strike, and what went before can be answered no more."""
        self.seq += 1
        ledger.use(self.ledger, who, "action", self.seq)
        triggers.moment_is_over(self.triggers, self.seq)
        triggers.opens(self.triggers, self.seq, to=provokes)
        return self.seq

    def moves(self, who: str, *path: Square) -> int:
        """Move: whoever threatens a square that is left may strike."""
        by = tuple(each for each, square in self.squares.items() if each != who and leaves(path, square))
        self.squares[who] = path[-1]
        return self.acts(who, by or ("nobody",))

    def holds(self, who: str, awaiting: str) -> None:
        self.seq += 1
        triggers.arm(self.triggers, who, self.seq, Action(kind="attack", name="javelin"), awaiting)

    def resolves(self, row: str, who: str) -> None:
        """Resolve a held action: an immediate action of the third kind, which moves the place behind the one acting."""
        if triggers.disarm(self.triggers, who):
            turnlist.move(self.turns, who, self.latest, self.seq)
        self.immediate(row, who, OTHER)

    def strikes(self, row: str, who: str, answering: int) -> None:
        if not triggers.answerable(self.triggers, answering, who=who).value:
            self.found.append((row, "aoo.on-leaving-threat"))
        self.immediate(row, who, STRIKE)

    # -------------------------------------------------------- immediate actions

    def immediate(self, row: str, who: str, kind: str) -> None:
        """Use an immediate action: it stands, lawful or not, and locks to its kind."""
        self.seq += 1
        locked = self.locks.setdefault(who, kind)
        if locked != kind:
            self.found.append((row, EXCLUDES[locked]))
        elif not self.possible(who, kind):
            self.found.append((row, "immediate.one-per-round" if kind == OTHER else "immediate.more-of-kind-by-grant"))
        ledger.use(self.ledger, who, kind, self.seq)

    def possible(self, who: str, kind: str) -> bool:
        """Say whether one more of a kind is possible in this round, the lock apart."""
        used = {each: ledger.used(self.ledger, who, each).value for each in EXCLUDES}
        return sum(used.values()) < 1 + (self.more.get((who, kind), 0) if used[kind] else 0)

    def budget(self) -> str:
        """Return who has or has not an immediate action left where that is not as usual, and who is locked to what."""
        words = []
        for who in sorted(self.order):
            lock = self.locks.get(who, "")
            left = int(any(self.possible(who, kind) for kind in ([lock] if lock else EXCLUDES)))
            if lock or not left:
                words.append(f"{who} I{left}" + (f" lock={lock}" if lock else ""))
        return "; ".join(words)


def test_immediate_actions_exclude_one_another_until_the_own_turn_and_a_held_one_moves_its_holder() -> None:
    fight = Fight(
        "lum", "cy", "dov", "ana", "kex",
        more={("dov", STRIKE): 1},
        dov=(0, 0), kex=(1, 0), ana=(2, 0), cy=(7, 0), lum=(8, 0),
    )  # fmt: skip
    fight.round()
    fight.turn("1.02", "lum")
    fight.acts("lum", provokes=("cy",))
    fight.immediate("1.04", "cy", COUNTER)
    assert fight.budget() == "cy I0 lock=counterspell"
    fight.strikes("1.07", "cy", fight.moves("lum", (8, 0), (10, 0)))
    fight.turn("1.08", "cy")
    assert fight.budget() == "cy I0"
    fight.turn("1.10", "dov")
    fight.holds("dov", "kex attacks ana")
    fight.turn("1.12", "ana")
    fight.acts("ana", provokes=("nobody",))
    fight.turn("1.15", "kex")
    moved = fight.moves("kex", (1, 0), (1, 1), (2, 1), (3, 1))
    fight.strikes("1.17", "dov", moved)
    assert fight.budget() == "cy I0; dov I1 lock=aoo"
    fight.strikes("1.18", "ana", moved)
    fight.acts("kex", provokes=("nobody",))
    fight.resolves("1.20", "dov")
    assert fight.budget() == "ana I0 lock=aoo; cy I0; dov I0 lock=aoo"
    assert fight.order == ["lum", "cy", "ana", "kex", "dov"]
    fight.round()
    assert fight.budget() == "ana I1 lock=aoo; dov I1 lock=aoo"
    fight.turn("2.02", "lum")
    fight.immediate("2.04", "cy", COUNTER)
    fight.immediate("2.06", "cy", COUNTER)
    fight.turn("2.09", "cy")
    fight.turn("2.10", "ana")
    assert fight.budget() == "cy I0; dov I1 lock=aoo"
    fight.turn("2.13", "kex")
    fight.acts("kex", provokes=("nobody",))
    fight.immediate("2.15", "ana", OTHER)
    fight.strikes("2.18", "ana", fight.moves("kex", (3, 1), (3, 3)))
    fight.turn("2.19", "dov")
    assert fight.budget() == "ana I0 lock=other; cy I0"
    fight.round()
    fight.turn("3.02", "lum")
    fight.strikes("3.04", "dov", fight.acts("lum", provokes=("dov",)))
    fight.strikes("3.06", "dov", fight.acts("lum", provokes=("dov",)))
    assert fight.budget() == "ana I1 lock=other; dov I0 lock=aoo"
    fight.immediate("3.07", "cy", OTHER)
    fight.immediate("3.10", "cy", OTHER)
    for row, who in (("3.11", "cy"), ("3.12", "ana"), ("3.13", "kex"), ("3.14", "dov")):
        fight.turn(row, who)
    assert fight.budget() == "cy I0; dov I0"
    assert fight.found == [
        ("1.07", "immediate.counterspell-excludes-others"),
        ("1.20", "immediate.aoo-excludes-others"),
        ("2.06", "immediate.more-of-kind-by-grant"),
        ("2.18", "immediate.other-excludes-aoo-and-counterspell"),
        ("3.10", "immediate.one-per-round"),
    ]


def test_a_strike_that_nothing_provoked_or_that_comes_late_answers_nothing() -> None:
    fight = Fight("ana", "kex", ana=(0, 0), kex=(1, 0))
    fight.round()
    fight.turn("1.02", "ana")
    fight.turn("1.03", "kex")
    into = fight.moves("kex", (5, 0), (1, 0))
    fight.strikes("1.05", "ana", into)
    left = fight.moves("kex", (1, 0), (4, 0))
    fight.acts("kex")
    fight.round()
    fight.strikes("2.01", "ana", left)
    assert fight.found == [("1.05", "aoo.on-leaving-threat"), ("2.01", "aoo.on-leaving-threat")]


def test_delays_move_the_place_down_the_order_and_are_forfeit_with_their_round() -> None:
    fight = Fight("bo", "ana", "kex", "lum")
    fight.round()
    fight.delays("1.02", "bo", comes_up=True)
    fight.turn("1.03", "ana")
    fight.turn("1.05", "kex")
    fight.takes_delayed("1.08", "bo")
    assert fight.order == ["ana", "kex", "bo", "lum"]
    fight.turn("1.11", "lum")
    fight.round()
    fight.delays("2.02", "ana", comes_up=True)
    for row, who in (("2.03", "kex"), ("2.05", "bo"), ("2.07", "lum")):
        fight.turn(row, who)
    fight.takes_delayed("2.09", "ana")
    assert fight.order == ["kex", "bo", "lum", "ana"]
    fight.round()
    fight.turn("3.02", "kex")
    fight.acts("kex", provokes=("bo",))
    fight.delays("3.04", "kex")
    fight.turn("3.05", "bo")
    fight.takes_delayed("3.07", "kex")
    assert fight.order == ["bo", "kex", "lum", "ana"]
    fight.delays("3.09", "lum", comes_up=True)
    fight.turn("3.10", "ana")
    fight.delays("3.12", "kex")
    fight.round()
    fight.turn("4.02", "bo")
    fight.turn("4.03", "kex")
    fight.takes_delayed("4.04", "lum")
    fight.turn("4.06", "lum")
    fight.turn("4.09", "ana")
    assert fight.order == ["bo", "kex", "lum", "ana"]
    assert fight.found == [
        ("3.04", "delay.no-actions-now"),
        ("3.12", "delay.own-turn-undeclared"),
        ("4.04", "delay.later-in-round"),
    ]
