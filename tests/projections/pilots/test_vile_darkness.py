"""Round 1 of Vile Darkness on the mechanics alone: ladder, declarations and work, and what they find out of order.

The game in short: groups roll a die, the higher is HIGH, equal ones both are; slots follow each other, HIGH before LOW;
in a shared D3 the lower weapon speed strikes first, and each minor of the round, before or after the blow, adds one to
speed and to the length of a casting; castings run from segment 1 and take effect in slot E, the shorter one first.
"""

from msgspec import Struct

from eventstore.shapes import Action
from projections.because import Because
from projections.mechanics import declarations, work
from projections.mechanics.declarations import Declarations
from projections.mechanics.work import Incident, Work
from projections.scheduling import ladder

PHASES = {"innate": 1, "missile": 2, "melee": 3, "other": 4}
SLOTS = ("H.D1", "H.D2", "H.D3", "H.D4", "L.D1", "L.D2", "L.D3", "L.D4", "E")


class Done(Struct, frozen=True):
    """A row of the round: who did what, of which sort, with a weapon of which speed."""

    seq: int
    who: str
    sort: str
    speed: int = 0
    minor: bool = False


class Pilot:
    """A round of the game: dice by group, who is in which, what was declared, done and begun."""

    def __init__(self, groups: dict[str, str], dice: dict[str, int]) -> None:
        self.groups, self.dice = groups, dice
        self.said: Declarations = {}
        self.told: list[Done] = []
        self.works: list[Work] = []

    def declares(self, who: str, action: Action, seq: int, *, late: bool = False) -> None:
        declarations.declare(self.said, who, action, seq, _binds, late=late)

    def casts(self, who: str, seq: int) -> Work:
        """Begin what somebody declared, in segment 1; its minors of the round lengthen it."""
        declared = self.said[who]
        length = declared.action.time
        assert isinstance(length, int)
        because = Because(("spell.after-attacks",), (declared.seq,))
        return work.begin(self.works, Work(who, declarations.called(declared.action), seq, 1, length, because))

    def does(self, row: Done) -> None:
        """Keep a row; a minor lengthens the work of the same person."""
        self.told.append(row)
        for each in self.works if row.minor else ():
            if each.who == row.who:
                work.lengthen(each, 1, Because(("minor.adds-one-segment",), (row.seq,)))

    def key(self, row: Done) -> tuple[int, int, int]:
        """Return the key of a row as things stand now: its slot, then speed in melee, or segment and group of a spell."""
        low = self.dice[self.groups[row.who]] < max(self.dice.values())
        if row.sort == "spell":
            (casting,) = [each for each in self.works if each.who == row.who]
            return len(SLOTS), work.due(casting).value, int(low)
        minors = sum(each.minor and each.who == row.who for each in self.told)
        speed = row.speed + minors if row.sort == "melee" else 0
        return PHASES[row.sort] + 4 * low, speed, 0

    def slot(self, row: Done) -> str:
        return SLOTS[self.key(row)[0] - 1]

    def order(self) -> list[list[str]]:
        return [[row.who for row in rung.members] for rung in ladder.rungs(self.told, self.key)]

    def wrong(self) -> list[tuple[int, int]]:
        """Return the rows that were told after one that comes later, each with that one."""
        return [(late.seq, before.seq) for late, before in ladder.out_of_order(self.told, self.key)]


def _binds(action: Action) -> bool:
    return action.kind in ("cast", "charge", "flee", "parley")


def _breaks(casting: Work, incident: Incident) -> Because | None:
    """Damage breaks concentration from the start of the round on, unless it says a segment after the last."""
    return Because(("concentration.broken-by-damage",)) if incident.tick <= casting.last else None


def untied_round() -> Pilot:
    """Scenario S1: heroes 5, orcs 2, all slots, nothing wrong."""
    groups = dict.fromkeys(("ada", "bram", "cleo", "dov"), "heroes") | dict.fromkeys(("ulf", "snag"), "orcs")
    pilot = Pilot(groups, {"heroes": 5, "orcs": 2})
    pilot.declares("cleo", Action(kind="cast", name="spark", time=3), 2)
    pilot.casts("cleo", 2)
    pilot.does(Done(4, "dov", "innate", minor=True))
    pilot.does(Done(6, "bram", "missile"))
    pilot.does(Done(8, "ada", "melee", 5))
    pilot.does(Done(9, "dov", "other", minor=True))
    pilot.does(Done(10, "snag", "missile"))
    pilot.does(Done(11, "ulf", "melee", 7))
    pilot.does(Done(12, "cleo", "spell"))
    return pilot


def test_the_round_goes_through_its_slots_from_high_to_low_and_then_to_spells() -> None:
    pilot = untied_round()
    assert pilot.order() == [["dov"], ["bram"], ["ada"], ["dov"], ["snag"], ["ulf"], ["cleo"]]
    assert [pilot.slot(row) for row in pilot.told] == ["H.D1", "H.D2", "H.D3", "H.D4", "L.D2", "L.D3", "E"]
    assert pilot.wrong() == []


def test_the_casting_runs_from_its_declaration_until_it_takes_effect() -> None:
    (spark,) = untied_round().works
    assert (spark.start, spark.last, work.status(spark, _breaks).value) == (1, 3, "begun")
    work.complete(spark, 12, 3, Because(("spell.after-attacks",)))
    done = work.status(spark, _breaks)
    assert (done.value, done.because.flat().events) == ("done", (2, 12))


def test_a_blow_of_a_group_action_spoils_the_casting_and_one_in_a_later_segment_does_not() -> None:
    (spark,) = untied_round().works
    work.disturb(spark, Incident(10, 5))
    assert work.status(spark, _breaks).value == "begun"
    work.disturb(spark, Incident(11, 0))
    broken = work.ending(spark, _breaks)
    assert broken.value == Incident(11, 0)
    assert broken.because.flat().rules == ("concentration.broken-by-damage", "spell.after-attacks")


def test_a_minor_of_the_caster_lengthens_the_casting_and_puts_it_behind_a_shorter_one() -> None:
    pilot = Pilot({"cleo": "heroes", "urk": "orcs"}, {"heroes": 5, "orcs": 2})
    for who in ("cleo", "urk"):
        pilot.declares(who, Action(kind="cast", name="spark", time=3), 1)
        pilot.casts(who, 1)
    pilot.does(Done(3, "cleo", "spell"))
    pilot.does(Done(4, "urk", "spell"))
    assert (pilot.order(), pilot.wrong()) == ([["cleo"], ["urk"]], [])
    pilot.does(Done(5, "cleo", "other", minor=True))
    assert pilot.order() == [["cleo"], ["urk"], ["cleo"]]
    assert work.due(pilot.works[0]).because.flat().events == (1, 5)
    assert pilot.wrong()[0] == (4, 3)


def tied_round() -> Pilot:
    """Scenario S3: dice 4 and 4, and rows that were told in the wrong order."""
    groups = dict.fromkeys(("ada", "eli", "dov"), "heroes") | dict.fromkeys(("ulf", "grim", "snag"), "orcs")
    pilot = Pilot(groups, {"heroes": 4, "orcs": 4})
    pilot.does(Done(3, "eli", "other", minor=True))
    pilot.does(Done(4, "eli", "melee", 3))
    pilot.does(Done(5, "dov", "melee", 6))
    pilot.does(Done(6, "dov", "innate", minor=True))
    pilot.does(Done(7, "ada", "other", minor=True))
    pilot.does(Done(8, "ada", "melee", 7))
    pilot.does(Done(9, "ulf", "melee", 7))
    pilot.does(Done(10, "snag", "missile"))
    pilot.does(Done(11, "grim", "melee", 8))
    return pilot


def test_in_a_tie_the_lower_speed_strikes_first_and_minors_count_whenever_they_are_done() -> None:
    pilot = tied_round()
    blows = [row for row in pilot.told if row.sort in ("melee", "missile")]
    order = [[row.who for row in rung.members] for rung in ladder.rungs(blows, pilot.key)]
    assert order == [["snag"], ["eli"], ["dov", "ulf"], ["ada", "grim"]]


def test_the_blows_that_were_told_too_late_are_found_with_those_that_they_came_after() -> None:
    pilot = tied_round()
    blows = [row for row in pilot.told if row.sort in ("melee", "missile")]
    wrong = [(late.seq, before.seq) for late, before in ladder.out_of_order(blows, pilot.key)]
    assert wrong == [(9, 8), (10, 8)]
    assert [row.seq for row in ladder.after(blows, pilot.key, pilot.key(blows[3]))] == [8, 11]


def test_only_what_binds_stands_once_the_dice_have_fallen() -> None:
    pilot = untied_round()
    pilot.declares("ada", Action(kind="charge"), 5, late=True)
    pilot.declares("cleo", Action(kind="charge"), 6, late=True)
    assert declarations.fits(pilot.said["ada"], Action(kind="charge"))
    assert pilot.said["cleo"].action.name == "spark"
    gave_up = declarations.withdraw(pilot.said, "cleo", "spark", 7, late=True)
    assert gave_up is not None
    assert not declarations.fits(gave_up, Action(kind="cast", name="spark"))
