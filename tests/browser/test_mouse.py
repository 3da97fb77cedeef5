"""A game master with a mouse alone: the keyboard is for names and numbers."""

import pytest

from eventstore.events import ActionTaken, AttackRolled, CombatantJoined
from tests.browser.cards import Joins, begins, events
from tests.browser.person import Person
from tests.browser.support import BARRIERS, expect
from tests.encounterlog.service.served import Served
from tests.waiting import until

pytestmark = pytest.mark.browser
SETUP = ("join Ana party hp=31 ac=12", "join goblin foes", "r", "i ana=18 goblin=12", "next")


@pytest.fixture
def gm(joins: Joins, server: Served) -> Person:
    begins(server, "5e", *SETUP)
    return joins("gm", by="gm")


def writes(one: Person, server: Served, kind: type) -> None:
    """Wait until one more fact of a kind is written, and shown."""
    until(lambda: events(server, kind))
    one.sees_all()


def test_a_monster_that_is_searched_for_joins_the_foes_and_can_be_hidden(joins: Joins, server: Served) -> None:
    begins(server, "5e")
    gm, player = joins("gm", by="gm"), joins("player")
    gm.page.click("[data-start=party]")
    gm.page.fill("#search", "ogre")
    gm.page.check("#monster-secret")
    gm.page.click("[data-monster=ogre]")
    gm.page.wait_for_selector("#state [data-who=ogre]")
    writes(gm, server, CombatantJoined)
    assert [each.side for each in events(server, CombatantJoined)] == ["foes"]
    expect(gm.page.locator("#monster-secret")).not_to_be_checked()
    expect(gm.page.locator("#state [data-who=ogre] .name")).to_contain_text("hidden")
    assert "ogre" not in player.page.inner_text("body").lower()
    assert not [each for each in player.received if b'"ogre"' in each]  # as the service names a combatant
    gm.page.select_option("#monster-side", "party")
    gm.page.fill("#search", "wolf")
    gm.page.click("[data-monster=wolf]")
    until(lambda: len(events(server, CombatantJoined)) == 2)
    assert events(server, CombatantJoined)[1].side == "party"


@pytest.mark.parametrize("ruleset", ["5e", "osric"])
def test_a_hero_without_weapons_attacks_with_a_roll_and_damage(
    joins: Joins, server: Served, ruleset: str, axe: str
) -> None:
    if ruleset == "5e":
        begins(server, ruleset, *SETUP)
    else:
        begins(server, ruleset, "join Ana party hp=31 ac=5", "join goblin foes hp=6 ac=6", "r", "p5 f3", "seg 3")
    gm = joins("gm", by="gm")
    gm.choose("ana")
    gm.page.click(".deed:has-text('Weapon attack')")
    gm.page.get_by_label("bonus to hit").fill("+5")
    gm.page.get_by_label("damage dice").fill("1d8+3")
    gm.page.click("[data-target=goblin]")
    gm.page.evaluate(axe)
    assert gm.page.evaluate(BARRIERS) == []
    gm.page.click("#roll-here")
    writes(gm, server, AttackRolled)
    (rolled,) = events(server, AttackRolled)
    assert (rolled.combatant, [each.amount for each in rolled.modifiers]) == ("ana", [5])


def test_an_attack_has_the_recorded_advantage_and_another_can_be_chosen(joins: Joins, server: Served) -> None:
    begins(server, "5e", *SETUP, "goblin is restrained")
    gm = joins("gm", by="gm")
    for lean, dice in ((None, "2d20kh1"), ("neither", "d20")):
        gm.page.click(".deed:has-text('Weapon attack')")
        gm.page.click("[data-target=goblin]")
        expect(gm.page.locator("[data-lean=goblin]")).to_have_value("advantage")
        expect(gm.page.locator("label:has([data-lean=goblin]) small")).to_have_text("goblin restrained")
        if lean:
            gm.page.select_option("[data-lean=goblin]", lean)
        gm.page.click("#roll-here")
        gm.page.wait_for_selector(".blow", state="detached")
        gm.sees_all()
        assert events(server, AttackRolled)[-1].die.notation == dice


def test_a_blow_at_somebody_prone_is_straight_if_no_distance_is_known(joins: Joins, server: Served) -> None:
    begins(server, "5e", *SETUP, "ana is prone", "next")
    gm = joins("gm", by="gm")
    gm.page.click(".deed:has-text('Scimitar')")
    gm.page.click("[data-target=ana]")
    expect(gm.page.locator("label:has([data-lean=ana]) small")).to_have_text("ana prone: it depends on the distance")
    expect(gm.page.locator("[data-lean=ana]")).to_have_value("neither")


def test_acts_are_a_list_of_what_is_open_now_and_one_is_two_clicks(gm: Person, server: Served) -> None:
    gm.choose("ana")
    gm.page.click("[data-kind=acts]")
    gm.page.click("#choices button:text-is('dodge')")
    gm.page.click("#send")
    writes(gm, server, ActionTaken)
    gm.choose("ana")
    gm.page.click("[data-kind=acts]")
    expect(gm.page.locator("#choices button:text-is('dodge')")).to_have_count(0)  # the action is spent
    expect(gm.page.locator("#choices button:text-is('attack')")).to_have_count(1)  # as a reaction
    gm.page.keyboard.press("Escape")
    expect(gm.page.locator("#choices button")).to_have_count(0)


def test_an_attack_is_not_offered_where_none_is_left(joins: Joins, server: Served) -> None:
    begins(server, "definition-master", *SETUP, "ana attack goblin 15 6")
    gm = joins("gm", by="gm")
    gm.choose("ana")
    gm.page.click("[data-kind=acts]")
    expect(gm.page.locator("#choices button:text-is('talk')")).to_have_count(1)
    expect(gm.page.locator("#choices button:text-is('attack')")).to_have_count(0)


def test_a_hidden_one_is_revealed_by_its_button_in_one_line_of_the_log(joins: Joins, server: Served) -> None:
    begins(server, "5e", *SETUP, "secret join ogre foes", "secret ogre is prone", "ogre -3")
    gm, player = joins("gm", by="gm"), joins("player")
    gm.choose("ogre")
    gm.page.click("#reveal")
    gm.page.wait_for_selector("#reveal", state="detached")
    for one in (gm, player):
        one.sees_all()
        assert [each for each in one.deeds() if "is revealed" in each] == ["ogre is revealed"]
    expect(player.page.locator("#state [data-who=ogre] .chip")).to_have_text("prone")
