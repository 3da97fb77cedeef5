"""The words that are offered to complete a line: those that can stand there, the likeliest first, with what speaks for them."""

import pytest
from hypothesis import given

from projections.language.notation.offers import offer_completions
from projections.language.notation.table import Table
from projections.rulesets import RULESETS
from tests.projections.grammar import LINES, fight, table


def words(at: Table, line: str) -> list[str]:
    return [each.word for each in offer_completions(at.context, line)[1]]


def says(at: Table, line: str) -> dict[str, str]:
    return {each.word: each.says for each in offer_completions(at.context, line)[1]}


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


@pytest.mark.parametrize(("line", "some"), [
    ("g is pr", ["prone"]), ("t ", ["brand", "mira"]), ("d b attack go", ["goblin"]), ("surprise ", ["party", "foes"]),
    ("init ", ["party", "foes", "brand"]), ("rule g", ["grant"]), ("check ogre.s", ["ogre.status="]), ("place b 3,4 ", ["by"]),
    ("place b 3,4 by ", ["ogre"]), ("?o", ["?ogre"]), ("amend 9 b o", ["ogre"]), ("secret b -1 o", []), ("b,g", ["goblin"]), ('note "a', []),
    ("help da", []),
])  # fmt: skip
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


def test_a_sentence_goes_on_with_what_can_stand_there(ford: Table) -> None:
    for line in ("brand is stunned", "ogre is prone"):
        ford.hear(line)
    assert words(ford, "Brand is no longer ") == ["stunned"]
    assert not {"ogre", "goblin", "brand"} & {*words(ford, "Brand hits ogre for ")}


@pytest.mark.hypothesis
@given(LINES)
def test_offers_never_fail(line: str) -> None:
    begun, found = offer_completions(FUZZED.context, line)
    assert line.endswith(begun)
    assert all(each.word for each in found)


FUZZED = fight()


@pytest.mark.parametrize(("line", "same"), [
    ("secret m ", "m "), ("amend 9 m ", "m "), ("secret insert 9 m ", "m "), ("m @3 ", "m "), ("m ^ ", "m "), ("damage b,", "damage "),
    ("b attack cost=x ", "b attack "),
])  # fmt: skip
def test_what_may_precede_any_line_changes_nothing_of_what_follows(ford: Table, line: str, same: str) -> None:
    found = words(ford, line)
    assert found
    assert {*found} <= {*words(ford, same)}


def test_within_a_quotation_and_where_a_number_belongs_nothing_is_offered(ford: Table) -> None:
    assert words(ford, 'note "a b') == []
    assert words(ford, "amend ") == ["last"]
    assert words(ford, "b ?o") == []
    assert "by" in words(ford, 'effect "@x" ')


def test_a_line_can_begin_with_people_and_with_words_of_the_grammar(ford: Table) -> None:
    assert {"mira", "join", "note"} <= set(words(ford, ""))
    assert {"join", "note"}.isdisjoint(words(ford, "damage "))


def test_behind_a_name_the_words_are_offered_with_which_a_sentence_goes_on(ford: Table) -> None:
    assert "cast" in words(ford, "b ca")
    assert "cast" not in words(ford, "ca")


def test_what_was_declared_is_said_so_though_it_stands_on_the_sheet() -> None:
    entries = '"entries":[{"name":"Light"},{"name":"Fire","kind":"attack"}]'
    at = table("semiautomagic", f'join ana party {{"hp":9,{entries}}}', "join bo foes hp=9")
    assert {word: says(at, "d a ")[word] for word in ("Light", "Fire")} == {"Light": "on the sheet", "Fire": "attack"}
    at.hear("d a cast light 3")
    assert says(at, "a ")["light"] == "as declared"


def test_a_declaration_without_a_name_is_none_to_repeat(ford: Table) -> None:
    ford.hear("d o talk")
    assert "as declared" not in says(ford, "o ").values()


def test_those_who_share_a_turn_have_it_without_saying_who_has_not_acted() -> None:
    at = fight("plain")
    for line in ("b14 o14 m3 g2", "t b with o"):
        at.hear(line)
    first = says(at, "")
    assert [first[who].split(";")[0] for who in ("brand", "ogre")] == ["has the turn"] * 2
    assert says(fight("plain"), "")["goblin"] == ""


def test_kinds_of_action_of_one_word_are_offered(ford: Table) -> None:
    found = words(ford, "d b ")
    assert "attack" in found
    assert not any(" " in each for each in found)


def test_a_named_condition_is_offered_where_one_ends_and_where_one_begins(ford: Table) -> None:
    ford.hear('g is "zonked"')
    assert "zonked" in words(ford, "g not ")
    assert "zonked" in words(ford, "b is ")


def test_the_actor_of_a_line_is_the_first_who_is_named_alone() -> None:
    at = table("osric", "join orc*2 foes hp=5 weapon=axe", "join bo party hp=5 weapon=pike", "join ana party hp=5")
    assert words(at, "orc attack ")[:1] != ["axe"]
    assert words(at, "d bo ")[:2] == ["pike", "orc-1"]
    assert words(at, "d orc ") == words(at, "d zed ")
