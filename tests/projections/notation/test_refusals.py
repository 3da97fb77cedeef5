"""Refusals: what is said of a line that is no notation and no sentence, where it stands, and what is offered."""

import pytest

from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from tests.projections.grammar import fight, refusal
from tests.projections.notation.line_context import heard


def refused(at: Table, line: str) -> NotUnderstood:
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    return caught.value


@pytest.fixture
def ford() -> Table:
    return heard(fight("plain"), "r")


@pytest.mark.parametrize(
    ("line", "column", "hint"),
    [
        ("damage b 6 luck", 12, "such as: damage b 6 object=shield"),
        ("strike x", 8, "such as: strike 12 wrong target"),
        ("place", 6, "such as: place b 3,4 by o"),
        ("rule waive x", 1, "the words are fact, grant, override, reveal, tie, waiver"),
        ("b -6 cause=", 12, "the value stands right after cause="),
        ("join zed hp=", 13, "such as hp=9"),
        ("join zed foes hp=5 monster=true", 20, "did you mean notes?"),
        ("Show b", 1, "encounter show FILE in a shell; here ?order and ?b ask for the same"),
        ("sorry", 1, "u takes the last line back, whole; then type it as it was"),
        ("<b>Kex</b> joins", 1, "there are mira, brand, ogre, goblin"),
        ("Fee hits Mira for 3", 1, "there are mira, brand, ogre, goblin; or write `note Fee hits Mira for 3`"),
        ("join Anna Maria party hp=9", 17, 'such as: join orc*2 foes hp=5; a name with a space is quoted: "Will Bane"'),
        ("Kim joins the party with 20 hp, dex 14", 37, "a combatant and a number, combatants, save, check, dc can stand here"),
        ("two dozen goblins join the foes", 28, "a number, a side, hp, with, ac, at can stand here"),
        ("r 0", 3, "rounds count from 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line_of_notation_is_said_where_it_stands(
    ford: Table, line: str, column: int, hint: str
) -> None:
    found, says = refusal(ford, line)
    assert (found, says.partition("; ")[2]) == (column, hint)


@pytest.mark.parametrize("line", ["b is frobbed", "b is stuned", "b is not frobbed"])
def test_a_condition_that_no_game_knows_is_quoted_or_refused(ford: Table, line: str) -> None:
    assert "this game knows no condition" in refused(ford, line).why
    *before, word = line.split()
    assert ford.tell(f'{" ".join(before)} "{word}"').facts


@pytest.mark.parametrize(
    "line", ["b leaves his post", "g is not prone but o is", "strike 3 wrong, and o took 5", "place b there; o -3"]
)
def test_words_that_may_be_more_than_a_reason_are_quoted_or_refused(ford: Table, line: str) -> None:
    error = refused(ford, line)
    assert error.hint.startswith("words of your own are quoted: ")
    words = line[error.column - 1 :]
    assert ford.tell(line.replace(words, f'"{words}"')).facts


@pytest.mark.parametrize("words", ["the damage", "that 5", "brand's move", "it was a miss", "last two lines"])
def test_undo_takes_a_whole_line_back_and_no_part_of_one(ford: Table, words: str) -> None:
    heard(ford, "b -1")
    assert refused(ford, f"undo {words}").why == "a reason is quoted"
    assert ford.tell('undo "wrong one"').facts == heard(ford).tell('undo "wrong one"').facts
