"""Sides: those on which monsters join by their names, and lines by which somebody is on another one."""

import pytest

from projections.folds.addresses import derived
from projections.grammar.printing import line_of
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table


def sides(at: Table) -> dict[str, str]:
    """Return who is on which side."""
    return {one.id: one.side for one in at.done.state.here()}


def after(*lines: str, key: str = "5e") -> dict[str, str]:
    """Return who is on which side after Ana of the party, two goblins and an ogre have joined, and these lines were typed."""
    return sides(heard(table(key), "join ana party hp=20", "join goblin*2 foes hp=7", "join ogre foes hp=59", *lines))


@pytest.mark.parametrize(
    "line",
    [
        "2 goblins",
        "join goblin*2",
        "goblin*2",
        "two goblins, 9 hp each",
        "2 goblins join the fight",
        "2 goblins appear",
    ],
)
def test_monsters_of_the_tables_join_as_foes_of_the_party(line: str) -> None:
    at = heard(table("5e"), "join ana party hp=20", line)
    assert sides(at) == {"ana": "party", "goblin-1": "foes", "goblin-2": "foes"}


@pytest.mark.parametrize(
    ("line", "side"),
    [
        ("2 goblins as allies", "party"),
        ("2 goblins join the party", "party"),
        ("2 goblins join us", "party"),
        ("two goblins, friendly", "party"),
        ("2 goblins on our side", "party"),
        ("2 goblins with ana", "party"),
        ("ana's 2 goblins join", "party"),
        ("2 goblins join the raiders", "raiders"),
        ("join goblin*2 raiders", "raiders"),
    ],
)
def test_what_stands_beside_a_monster_says_its_side(line: str, side: str) -> None:
    at = heard(table("5e"), "join ana party hp=20", line)
    assert {sides(at)["goblin-1"], sides(at)["goblin-2"]} == {side}
    assert at.done.state.combatants["goblin-1"].sheet.srd == "2014:goblin"


@pytest.mark.parametrize("line", ["a guard joins the party's side", "a guard, our ally", "another guard as an ally"])
def test_one_of_a_kind_on_the_side_of_the_party_has_the_stat_block_of_its_kind(line: str) -> None:
    at = heard(table("5e"), "join ana party hp=20", line)
    assert (sides(at)["guard"], at.done.state.combatants["guard"].sheet.srd) == ("party", "2014:guard")


@pytest.mark.parametrize("line", ["Bo joins, 20 hp", "join bo hp=20", "join goblin hp=20", "join goblin srd=none"])
def test_one_without_a_stat_block_is_on_no_side_that_nobody_said(line: str) -> None:
    at = heard(table("5e"), line)
    (one,) = at.done.state.here()
    assert one.side == one.id


def test_monsters_of_a_game_without_tables_are_on_no_side() -> None:
    assert sides(heard(table("plain"), "join goblin*2 hp=7")) == {"goblin-1": "goblin-1", "goblin-2": "goblin-2"}


def test_a_monster_joins_on_no_side_where_none_is_typed_as_such_and_is_printed_so() -> None:
    (joined,) = table("5e").tell("join goblin none").facts
    assert sides(heard(table("5e"), "join goblin none")) == {"goblin": "goblin"}
    assert line_of(table("5e").context, [joined]) == ('join goblin none srd="2014:goblin"', 1)


@pytest.mark.parametrize(
    "line",
    [
        "goblin-1 joins the party",
        "goblin-1 changes sides",
        "goblin-1 switches sides.",
        "goblin-1 is on our side now",
        "goblin-1 is on the party's side",
        "goblin-1 is on the side of the party",
        "goblin-1 is on ana's side",
        "goblin-1 sides with ana",
        "goblin-1 fights for us",
        "goblin-1 is one of us",
        "goblin-1 is with us now",
        "goblin-1 is an ally",
        "goblin-1 becomes friendly",
        "goblin-1 goes over to the party",
        "goblin-1 turns against the foes",
        "goblin-1 defects",
        "goblin-1 goes over to the other side",
        "rule override goblin-1.side=party It gives up.",
    ],
)
@pytest.mark.parametrize("key", ["5e", "plain"])
def test_somebody_is_on_the_side_of_the_party_from_now_on(line: str, key: str) -> None:
    assert after(line, key=key) == {"ana": "party", "goblin-1": "party", "goblin-2": "foes", "ogre": "foes"}


@pytest.mark.parametrize(
    "line",
    [
        "the goblins are foes",
        "goblin-1 and goblin-2 are enemies",
        "the goblins are hostile",
        "the goblins turn on us",
        "goblins join the foes",
        "the goblins are against us",
        "goblins are our enemies",
        "both goblins are monsters",
    ],
)
def test_several_are_foes_from_now_on(line: str) -> None:
    found = after("the goblins join the party", line)
    assert (found["goblin-1"], found["goblin-2"], found["ogre"]) == ("foes", "foes", "foes")


@pytest.mark.parametrize(
    "line", ["goblin-1 is on the side pack", "goblin-1 joins the side of the pack", "goblin-1 is on the pack's side"]
)
def test_a_side_that_is_called_so_may_be_new(line: str) -> None:
    assert after(line)["goblin-1"] == "pack"
    assert after(line, "2 wolves join the pack", "ogre joins the pack")["ogre"] == "pack"


def test_somebody_is_on_a_side_of_its_own() -> None:
    assert after("goblin-1 is on its own side")["goblin-1"] == "goblin-1"


@pytest.mark.parametrize(
    "line",
    [
        "ogre is a foe",  # already
        "goblin-1 and ana change sides",  # to which
        "goblin-1 is with ana",  # beside her
        "goblin-1 joins the dance",
        "goblin-1 is on the other side of the river",
        "goblin-1 is on the side of ogre-9 and ogre-8",
        "goblin-1 is on the left side",
        "goblin-1 is on the side of the road",
        "goblin-1 comes over to ana",
        "goblin-1 goes over to ana",
        "ana joins the ogre",
    ],
)
def test_what_says_no_other_side_changes_none(line: str) -> None:
    at = heard(table("5e"), "join ana party hp=20", "join goblin*2 foes hp=7", "join ogre foes hp=59")
    try:
        meant: tuple[object, ...] = (at.tell(line),)
    except NotUnderstood as error:
        meant = error.meant
    assert not any("RulingMade" in str(each) for each in meant)


def test_a_ruling_that_puts_somebody_on_the_side_of_a_combatant_takes_no_hold() -> None:
    assert after("rule override goblin-1.side=ana It gives up.")["goblin-1"] == "foes"


def test_why_somebody_is_on_a_side_names_the_ruling() -> None:
    at = heard(table("5e"), "join ana party hp=20", "goblin*2", "goblin-1 changes sides")
    ruled = at.done.state.seq
    found = derived(at.done.state, "goblin-1.side")
    assert found is not None
    assert (found.value, ruled in found.because.events) == ("party", True)


@pytest.mark.parametrize("line", ["ana changes to ogre", "ana switches to ogre"])
def test_whoever_changes_to_somebody_changes_their_aim_and_no_side(line: str) -> None:
    at = heard(table("5e"), "join ana party hp=20", "join ogre foes hp=59")
    with pytest.raises(NotUnderstood):
        at.tell(line)
