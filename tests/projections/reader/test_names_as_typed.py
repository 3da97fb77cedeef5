"""Names with one slip of the finger, or behind an article: whom they mean, and where that is asked."""

import pytest

from eventstore.events import CombatantJoined
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

PEOPLE = ("join Nyx party hp=18", "join Bram party hp=24", "join Gwen party hp=16", "join ghast foes hp=36")


def fight(*lines: str) -> Table:
    return heard(table("5e", *PEOPLE, *lines), "r", "t gwen")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("Nix hits the ghast for 5", "Nyx hits the ghast for 5"),
        ("bran takes 6", "bram takes 6"),
        ("gwne moves 30 feet", "gwen moves 30 feet"),
        ("the ghats bites brma for 4", "the ghast bites bram for 4"),
        ("A ghast bites nyx for 6", "ghast bites nyx for 6"),
    ],
)
def test_a_name_with_one_slip_and_a_name_behind_an_article_mean_whoever_fits(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    "line",
    [
        "bram hits brim for 6",  # nobody strikes himself
        "gwyn hits the ghast for 5",  # Gwen or Gwyl
        "a ghast 14 or so",
    ],
)
def test_a_name_that_may_be_somebody_elses_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("join Gwyl party hp=11").tell(line)


def test_whoever_joins_under_a_name_like_that_of_somebody_is_somebody_else() -> None:
    with pytest.raises(NotUnderstood) as asked:
        fight().tell("Brom the wizard joins with 20 hp")
    (offered,) = asked.value.meant
    assert [type(fact) for fact in offered.facts] == [CombatantJoined]


def test_the_number_of_a_bot_before_a_name_is_the_bonus_of_its_initiative() -> None:
    (fact,) = told(fight(), "!i add 3 Orc -hp 15")
    assert fact == '{"type":"combatant_joined","combatant":"orc","name":"Orc","sheet":{"hp":15,"initiative":3}}'
