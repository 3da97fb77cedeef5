"""Lines that the reader understands by itself, whatever else could read them: each means what lines of the notation say."""

import pytest
from msgspec import structs

from eventstore.events import Fact
from projections.grammar.table import Table
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = ("join ana party hp=30", "join bo party hp=30", "join gob foes hp=30")


def fight(key: str, *lines: str) -> Table:
    return heard(table(key, *PEOPLE), "r", "i ana=15 bo=12 gob=9", "t ana", *lines)


def meant(at: Table, line: str) -> list[Fact]:
    """Return what the reader alone makes of a line, without the clock."""
    meaning = decide(at.context, line).meaning
    assert meaning is not None
    return [*meaning.facts[meaning.moved :]]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("ana lets go of gob", "gob not grappled"),
        ("ana lets gob go", "gob not grappled"),
        ("ana frees gob from the grapple", "gob not grappled"),
    ],
)
def test_whoever_holds_somebody_lets_go_in_any_words(line: str, form: str) -> None:
    at = fight("plain", "gob is grappled source=ana")
    assert meant(at, line) == [*at.tell(form).facts]


def test_nobody_else_lets_go_of_whom_somebody_holds() -> None:
    assert decide(fight("plain", "gob is grappled source=ana").context, "bo lets go of gob").meaning is None


def test_a_shove_is_told_before_the_save_that_decides_it() -> None:
    act, save = meant(fight("5e"), "ana shoves gob, str save 8 fails")
    assert (act.action.kind, save.combatant, save.succeeded, save.cause) == ("shove", "gob", False, -1)  # type: ignore[attr-defined]


def test_a_turn_is_lost_and_two_are_not() -> None:
    at = fight("plain")
    assert meant(at, "ana loses her turn") == [*at.tell("done ana").facts]
    assert decide(at.context, "ana loses 2 turns").meaning is None


def test_a_spell_slot_that_stands_alone_is_of_whoever_is_on_turn_and_one_behind_a_deed_is_not() -> None:
    at = fight("5e", "ana cast shield ana")
    (spent,) = meant(at, "slot 1")
    assert (spent.combatant, spent.resource, spent.amount) == ("ana", "level 1 spell slot", -1)  # type: ignore[attr-defined]
    found = decide(at.context, "bo hits gob for 3, slot 1")
    assert found.meaning is None or "level 1 spell slot" not in str(found.meaning.facts)


def test_two_blows_in_short_are_two() -> None:
    facts = meant(fight("plain"), "ana gob 14 6, bo gob 15 3")
    assert [fact.amount for fact in facts if hasattr(fact, "amount")] == [6, 3]


def test_what_became_of_a_spell_is_no_blow() -> None:
    at = heard(table("5e", *PEOPLE), "ana=15 bo=12 gob=9", "r", "t ana")
    found = decide(at.context, "ana casts web on gob, countered")
    likely = [found.meaning, *found.offers]
    kinds = {fact.action.kind for each in likely if each for fact in each.facts if hasattr(fact, "action")}
    assert kinds <= {"cast"}


def test_dice_are_rolled_only_where_they_are_asked_for_and_stand_beside_what_they_showed() -> None:
    at, rolls = fight("plain"), []
    at.roll = lambda notation: rolls.append(notation) or f"{notation}:{'3,4' if notation == '2d6' else '14'}"  # type: ignore[func-returns-value]
    line = "ana hits gob with a d20 for 2d6"
    assert decide(at.context, line, throws=False).meaning is None
    assert rolls == []
    _, roll, damage, note = meant(at, line)
    assert structs.asdict(roll.die)["faces"] == (14,)  # type: ignore[attr-defined]
    assert (damage.amount, damage.parts[0].dice.faces) == (7, (3, 4))  # type: ignore[attr-defined]
    assert note.text == "rolled here: d20:14; 2d6:3,4"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("how long does bless last?", "how long does bless last"),
        ("how much longer is gob stunned?", "how long is gob stunned"),
        ("when does bless end?", "when does bless end"),
        ("what is finding 2?", "finding 2"),
        ("and next?", "is next"),
    ],
)
def test_questions_are_asked_in_any_wording(line: str, words: str) -> None:
    found = decide(fight("plain").context, line).meaning
    assert found is not None
    assert found.words == words
