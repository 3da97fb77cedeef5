"""Those who join with short names, with gear, from somewhere, or with stats that are not told."""

import pytest

from eventstore.events import InitiativeRolled
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

RULES = ("5e", "osric", "plain")


def fight(rules: str, *lines: str) -> Table:
    return heard(table(rules, "join Cid party hp=40", "join ana party hp=30", *lines))


def joined(at: Table) -> dict[str, str]:
    """Return the names of those who joined after the party, by their ids."""
    return {one.id: one.name for one in at.context.state.here() if one.side != "party"}


def notes_of_newcomers(at: Table) -> set[object]:
    return {getattr(one.sheet, "notes", None) for one in at.context.state.here() if one.id not in ("cid", "ana")}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("4x hobgoblin (HG1-4), AC 18 HP 11 each", {f"hobgoblin-{each}": f"HG{each}" for each in (1, 2, 3, 4)}),
        ("4 hobgoblins HG1-HG4 AC 18, HP 11 each", {f"hobgoblin-{each}": f"HG{each}" for each in (1, 2, 3, 4)}),
        ("3 giant rats (R1, R2, R3) 4 hp each", {f"giant-rat-{each}": f"R{each}" for each in (1, 2, 3)}),
        ("goblins x2 (G3 & G4) 7 hp", {"goblin-3": "G3", "goblin-4": "G4"}),
        ("two ghouls (ghoul A and B), 22 hp each", {"ghoul-1": "ghoul A", "ghoul-2": "ghoul B"}),
        ("bandits A-C, 11 hp each", {"bandit-1": "bandit A", "bandit-2": "bandit B", "bandit-3": "bandit C"}),
        ("bandits A, B and C, 11 hp each", {"bandit-1": "bandit A", "bandit-2": "bandit B", "bandit-3": "bandit C"}),
        (
            "2 hobgoblin captains aka HC1 and HC2, 39 hp each",
            {"hobgoblin-captain-1": "HC1", "hobgoblin-captain-2": "HC2"},
        ),
        ("2 ogres named Thud and Blunder with 59 hp each", {"ogre-1": "Thud", "ogre-2": "Blunder"}),
        ("Grimtooth the ogre (GT) 40 hp", {"gt": "Grimtooth the ogre"}),
        ("Grimtooth the ogre aka GT 40 hp", {"gt": "Grimtooth the ogre"}),
        ("Grimtooth the ogre (GT, AC 11, 40 hp)", {"gt": "Grimtooth the ogre"}),
        ("an ogre called Grimtooth, 40 hp", {"ogre": "Grimtooth"}),
    ],
)
def test_short_names_are_those_by_which_newcomers_are_known(rules: str, line: str, who: dict[str, str]) -> None:
    if rules == "osric" and line.startswith("Grim"):
        who = {}  # named people are of the party
    assert joined(heard(fight(rules), line)) == who


@pytest.mark.parametrize(
    ("join", "line", "plain"),
    [
        ("4x hobgoblin (HG1-4), AC 18 HP 11 each", "HG2 hits ana for 5", "hobgoblin 2 hits ana for 5"),
        ("4x hobgoblin (HG1-4), AC 18 HP 11 each", "HGs are prone", "hobgoblins are prone"),
        ("two ghouls (ghoul A and B)", "ghoul B hits ana for 5", "ghoul-2 hits ana for 5"),
        ("Grimtooth the ogre (GT) 40 hp", "GT hits ana for 5", "Grimtooth hits ana for 5"),
        ("2 ogres named Thud and Blunder with 59 hp each", "Thud misses ana", "ogre 1 misses ana"),
    ],
)
def test_newcomers_are_found_by_short_names_and_by_kind(join: str, line: str, plain: str) -> None:
    at = heard(fight("5e"), join, "r")
    assert told(at, line) == told(heard(fight("5e"), join, "r"), plain)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("Fred (F3) 20 hp", "F3"),
        ("Ser Odo (LG) 30 hp", "LG"),
        ("Maret (wiz 5) AC 15 w/ mage armor HP 27/27", "wiz 5 w/ mage armor"),
        ("Tordek AC 18 with shield HP 30", "with shield"),
        ("Sir Alric on horseback, AC 18, 44 hp", "on horseback"),
        ("Sir Alric riding a warhorse, AC 18, 44 hp", "riding a warhorse"),
        ("Harn w/ 2 javelins, 15 hp AC 13", "w/ 2 javelins"),
        ("Dain in plate mail, AC 18, 35 hp", "in plate mail"),
        ("Lyra AC 13 (16 with shield) HP 22", "16 with shield"),
        ("an ogre armed with a club, 59 hp", "armed with a club"),
        ("2 hobgoblins with longbows join, 11 hp each", "with longbows"),
        ("an ogre from the north door, 59 hp", "from the north door"),
        ("3 goblins E tunnel 7 hp each", "E tunnel"),
    ],
)
def test_gear_and_places_are_notes_of_those_who_join(rules: str, line: str, notes: str) -> None:
    assert notes_of_newcomers(heard(fight(rules), line)) == {notes}


@pytest.mark.parametrize("rules", ["5e", "plain"])
@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("an ogre joins, HP unknown", "HP unknown"),
        ("2 ghouls join the foes, hp known to GM only", "hp known to GM only"),
    ],
)
def test_stats_that_are_not_told_are_notes(rules: str, line: str, notes: str) -> None:
    assert notes_of_newcomers(heard(fight(rules), line)) == {notes}


@pytest.mark.parametrize("line", ["2 orcs (AC 13, hp 15)", "3 orcs (7, 8, 9 hp)", "3 orcs 7, 8, 9 hp"])
def test_stats_in_brackets_are_no_names(line: str) -> None:
    at = heard(fight("plain"), line)
    assert "orc-2" in joined(at)
    assert {who.rstrip("123") for who in joined(at)} == {"orc-"}


@pytest.mark.parametrize("line", ["Harn 24 hp with a wolf 11 hp", "Harn 24 hp with 2 wolves, 11 hp each"])
def test_companions_with_stats_of_their_own_join(line: str) -> None:
    assert any(who.startswith("wolf") for who in heard(fight("plain"), line).context.state.combatants)


@pytest.mark.parametrize("line", ["2 ogres, Thud and Blunder, 59 hp each", "hobgoblin captain, HP known to GM only"])
def test_what_may_be_no_name_and_nobody_new_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood) as asked:
        fight("plain").tell(line)
    assert asked.value.meant


def test_several_who_join_may_have_an_initiative_each() -> None:
    facts = fight("5e").tell("3 skeletons hp 13 each init 11, 9, 4").facts
    assert [fact.total for fact in facts if isinstance(fact, InitiativeRolled)] == [11, 9, 4]


@pytest.mark.parametrize("line", ["4 hobgoblins HG1-HG99999999 join, 5 hp", "4 hobgoblins (HG1-99999999), 5 hp"])
def test_a_range_of_names_that_nobody_has_is_not_counted_out(line: str) -> None:
    with pytest.raises(NotUnderstood):
        table("5e", "join ana party hp=9").tell(line)
