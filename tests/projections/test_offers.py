"""The words that are offered to complete a line: those that can stand there, the likeliest first, with what speaks for them."""

import pytest
from hypothesis import given

from projections.grammar.offers import offers
from projections.grammar.table import Table
from projections.rulesets import RULESETS
from tests.projections.test_grammar import LINES, fight, table


def words(at: Table, line: str) -> list[str]:
    return [each.word for each in offers(at.scene, line)[1]]


def says(at: Table, line: str) -> dict[str, str]:
    return {each.word: each.says for each in offers(at.scene, line)[1]}


@pytest.fixture
def ford() -> Table:
    at = fight()
    for line in ("surprised", "r", "d m web 3 o", "p5 f3"):
        at.hear(line)
    return at


def test_those_who_may_act_come_first_and_those_who_have_acted_say_so(ford: Table) -> None:
    ford.hear("b o 14 6")
    first = says(ford, "")
    assert list(first)[:4] == ["mira", "ogre", "goblin", "brand"]
    assert [first[who] for who in ("mira", "ogre", "brand")] == ["is next", "may act", "has acted"]


def test_the_fallen_come_last_with_their_status(ford: Table) -> None:
    ford.hear("b o 14 60")
    people = says(ford, "")
    assert list(people)[:4][-1] == "ogre"
    assert people["ogre"] == ford.done.state.combatants["ogre"].status != "up"


def test_what_somebody_has_left_is_told_and_offered_as_a_cost() -> None:
    at = fight("nameless-journey")
    for line in ("b14 o9 m3 g2", "b"):
        at.hear(line)
    assert says(at, "br")["brand"].startswith("has the turn; left: 1 action, 1 quick-action")
    assert words(at, "b attack o cost=q") == ["cost=quick-action"]
    at.hear("b attack o cost=action")
    assert "cost=action" not in words(at, "b attack g cost=")


def test_what_was_declared_comes_first_then_weapons_then_foes_then_friends(ford: Table) -> None:
    assert words(ford, "m ")[:6] == ["web", "dagger", "ogre", "goblin", "brand", "mira"]


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("g is pr", ["prone"]),
        ("t ", ["brand", "mira"]),
        ("d b attack go", ["goblin"]),
        ("surprise ", ["party", "foes"]),
        ("init ", ["party", "foes", "brand"]),
        ("rule g", ["grant"]),
        ("check ogre.s", ["ogre.status="]),
        ("place b 3,4 ", ["by"]),
        ("place b 3,4 by ", ["ogre"]),
        ("?o", ["?ogre"]),
        ("amend 9 b o", ["ogre"]),
        ("secret b -1 o", []),
        ("b,g", ["goblin"]),
        ('note "a', []),
        ("help da", []),
    ],
)
def test_each_place_of_a_line_has_its_own_words(ford: Table, line: str, some: list[str]) -> None:
    found = words(ford, line)
    assert set(some) <= set(found)
    assert some or not found


def test_a_condition_that_somebody_has_is_offered_first_where_one_ends(ford: Table) -> None:
    ford.hear("g is prone")
    assert words(ford, "g not ")[0] == "prone"


def test_names_are_found_by_display_name_without_accents() -> None:
    at = table("osric", "join Ödön party hp=9", "join Мира party hp=9")
    assert words(at, "Öd") == words(at, "od") == ["odon"]
    assert words(at, "ми") == ["mira"]


@pytest.mark.parametrize("key", RULESETS)
def test_every_offered_word_begins_as_was_typed_and_stands_once(key: str) -> None:
    at = fight(key)
    for line in ("", "b ", "b o ", "d b ", "effect x ", "x ", "i ", "join zed ", "contest "):
        found = words(at, line)
        assert len(found) == len({*found})
        assert [
            word for word in words(at, f"{line}g") if word.casefold() not in [each.casefold() for each in found]
        ] == []


@pytest.mark.hypothesis
@given(LINES)
def test_offers_never_fail(line: str) -> None:
    begun, found = offers(FUZZED.scene, line)
    assert line.endswith(begun)
    assert all(each.word for each in found)


FUZZED = fight()
