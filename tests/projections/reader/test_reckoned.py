"""What is reckoned beside the numbers of a line: sums, halves and totals so far, which are no damage of their own."""

import pytest

from eventstore.events import AttackRolled, DamageDealt, Fact
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = ["join Ana party hp=40", "join Bo party hp=40", "join gob foes hp=60", "join orc foes hp=60", "r"]


def fight(rules: str) -> Table:
    return heard(table(rules, *PEOPLE))


def hurt(facts: tuple[Fact, ...]) -> list[tuple[str, int]]:
    return [(fact.target, fact.amount) for fact in facts if isinstance(fact, DamageDealt)]


@pytest.mark.parametrize("rules", ["5e", "plain", "osric"])
@pytest.mark.parametrize(
    ("line", "amount"),
    [
        ("bo hits gob 18, 7 + sneak attack 10 = 17 piercing", 17),
        ("bo hits gob 18, 7 + 10 sneak attack = 17", 17),
        ("bo hits gob for 7 + sneak attack 10 = 17", 17),
        ("bo hits gob for 10 slashing, halved to 5", 5),
        ("bo hits gob 9 halved to 5", 5),
        ("bo hits gob for 10 -> 5 (resist)", 5),
        ("gob takes half of 22 so 11", 11),
        ("gob takes 22 fire, half is 11", 11),
        ("bo hits gob for 9 (28 total on it now)", 9),
        ("bo hits gob for 9, that's 28 on it now", 9),
        ("gob takes 9, 28 total", 9),
    ],
)
def test_what_is_reckoned_beside_damage_is_no_damage_and_no_roll(rules: str, line: str, amount: int) -> None:
    facts = fight(rules).tell(line).facts
    assert hurt(facts) == [("gob", amount)]
    rolls = [fact for fact in facts if isinstance(fact, AttackRolled)]
    assert [(fact.die, fact.total) for fact in rolls] in ([], [(None, None)], [(18, None)])


def test_a_total_so_far_is_never_offered_as_a_roll() -> None:
    with pytest.raises(NotUnderstood) as asked:
        fight("5e").tell("bo hits gob for 9, 28 so far")
    assert [hurt(each.facts) for each in asked.value.meant] == [[("gob", 9)]]
    assert "28" not in str([each.facts for each in asked.value.meant])


@pytest.mark.parametrize(
    ("line", "party"),
    [
        ("everyone takes 20, bo saves for 10", [("ana", 20), ("bo", 10)]),
        ("everyone takes 20 fire, bo half so 10", [("ana", 20), ("bo", 10)]),
    ],
)
def test_damage_to_everyone_is_asked_about_beside_what_one_of_them_takes(
    line: str, party: list[tuple[str, int]]
) -> None:
    with pytest.raises(NotUnderstood) as asked:
        fight("5e").tell(line)
    assert [hurt(each.facts) for each in asked.value.meant] == [[*party, ("gob", 20), ("orc", 20)], party]


@pytest.mark.parametrize("line", ["all but orc take 5", "everyone except orc takes 5"])
def test_all_but_one_are_all_the_others(line: str) -> None:
    assert hurt(fight("5e").tell(line).facts) == [("ana", 5), ("bo", 5), ("gob", 5)]
