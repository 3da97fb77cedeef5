"""Slips of the page that game masters met, each with what it does now."""

from typing import Any

import pytest

from eventstore.events import TurnStarted
from tests.browser.cards import Joins
from tests.browser.person import Person
from tests.browser.support import expect, tells
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser


def events(server: Served) -> list[Any]:
    return [record.event for record in server.shelf.store(server.name).read()][4:]


def holds(who: Person, address: str) -> list[Any]:
    """Hold back the answer to the next question of a page at an address; return where it will stand, to be let go on."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    who.page.route(address, hold, times=1)
    return held


def test_what_is_wrong_goes_with_the_line_that_it_is_about(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.page.fill("#line", "ana hitts ogre -6")
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong")
    expect(gm.page.locator("#line")).to_have_value("ana hitts ogre -6")
    gm.page.fill("#line", "")
    expect(gm.page.locator("#answer .wrong")).to_have_count(0)
    gm.page.focus("#next")
    gm.page.keyboard.press("n")  # nobody has initiative yet
    assert gm.page.inner_text("#answer .wrong").startswith("next: ")
    expect(gm.page.locator("#answer pre")).to_have_count(0)  # nothing was typed, so nothing points at it


def test_the_newest_deed_stays_in_view_where_a_line_says_its_facts(joins: Joins, server: Served) -> None:
    tells(server, *(f"ana -{number}" for number in range(1, 9)))
    gm = joins("gm", by="gm", how={"viewport": {"width": 1280, "height": 500}})
    gm.page.fill("#line", "ana -1 ogre -2")
    gm.page.wait_for_selector("#will pre")
    gm.page.wait_for_function(
        """() => document.querySelector('#events').lastElementChild.getBoundingClientRect().bottom
        <= document.querySelector('#line-form').getBoundingClientRect().top"""
    )


def test_after_the_end_of_the_fight_nothing_is_next(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    expect(gm.page.locator("#next")).to_be_visible()
    gm.tell("over")
    expect(gm.page.locator("#next")).to_be_hidden()


def test_a_place_in_the_order_is_one_line_and_values_can_be_touched(joins: Joins, server: Served) -> None:
    tells(server, "i ana15 ogre9")
    gm = joins("gm", by="gm")
    phone = joins("player", combatants=("ana",), how={"viewport": {"width": 390, "height": 780}})
    for one in (gm, phone):
        assert "joined" not in one.page.inner_text("#combatants")
        sizes = one.page.evaluate(
            "[...document.querySelectorAll('#state button')].map((each) => each.getBoundingClientRect()).map(({width, height}) => [width, height])"
        )
        assert all(min(size) >= 24 for size in sizes), sizes
    expect(phone.page.locator("footer .keys")).to_be_hidden()


@pytest.mark.parametrize("width", [360, 640, 1280])
def test_a_long_name_with_many_conditions_leaves_everything_in_its_place(
    joins: Joins, server: Served, width: int
) -> None:
    name = "Bartholomew Featherstonehaugh-Cholmondeley the Third of Nether Wallop"
    states = ("frightened for 3r", "poisoned for 10min", "prone", "restrained")
    tells(server, f'join "{name}" party hp=131', *(f"bartholomew is {each}" for each in states))
    gm = joins("gm", by="gm", how={"viewport": {"width": width, "height": 640}})
    chips = gm.page.evaluate(
        "[...document.querySelectorAll('#state .chip')].map((each) => [each.offsetWidth, each.offsetHeight])"
    )
    assert len(chips) == 4
    assert all(wide > tall for wide, tall in chips), chips  # never a column of letters
    assert (
        gm.page.locator("#state .figures:has-text('131/131')").evaluate("(each) => each.getClientRects().length") == 1
    )
    gm.choose("ana")
    over = """[...document.querySelectorAll('#card, #state, #line-form, #typed')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.id)"""
    assert gm.page.evaluate(over) == []


def test_what_is_no_number_is_said_where_it_is_typed_and_nothing_is_sent(joins: Joins, server: Served) -> None:
    gm = joins("gm", by="gm")
    before = len(events(server))
    gm.page.keyboard.press("j")
    gm.page.fill("#newcomer", "Orc")
    gm.page.fill("#hp", "many")
    gm.page.press("#hp", "Enter")
    gm.page.wait_for_selector("#answer .wrong:has-text('hit points in figures')")
    gm.page.keyboard.press("Escape")
    gm.page.focus("#next")
    gm.page.keyboard.press("i")
    gm.page.fill("[data-roll=ana]", "15")
    gm.page.fill("[data-roll=ogre]", "nine")
    gm.page.press("[data-roll=ogre]", "Enter")
    gm.page.wait_for_selector("#answer .wrong:has-text('totals in figures')")
    gm.page.evaluate("document.getElementById('answer').replaceChildren()")
    gm.page.click("#roll-others")
    gm.page.wait_for_selector("#answer .wrong:has-text('totals in figures')")
    assert len(events(server)) == before


def test_two_game_masters_who_press_next_at_once_go_on_by_one_turn(joins: Joins, server: Served) -> None:
    """The second one pressed it for the turn that was over then, though the page knew no more when it was sent."""
    tells(server, "i ana15 ogre9")
    one, other = joins("gm", by="one"), joins("gm", by="other")
    other.hears()  # what its stream has it ask as it opens is asked before
    other.sees_all()
    held = holds(other, "**/data?since=*")
    with other.page.expect_request("**/data?since=*"):
        one.page.click("#next")
        one.sees_all()
    other.page.click("#next")
    held[0].continue_()
    other.page.wait_for_selector("#answer .wrong:has-text('Another person wrote first')")
    other.sees_all()
    expect(other.page.locator("#line")).to_have_value("")
    assert [each.combatant for each in events(server) if isinstance(each, TurnStarted)] == ["ana"]


def test_a_page_that_is_loaded_again_shows_the_end(joins: Joins) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",))
    player.page.wait_for_function("() => location.hash === ''")
    player.page.goto("about:blank")
    gm.tell("ogre -11")
    player.page.go_back()
    player.page.wait_for_selector("#slider[aria-valuetext]", state="attached")
    assert player.page.get_attribute("body", "data-view") == "table"
    player.page.wait_for_selector("#state :text('bloodied')")


def test_an_answer_that_comes_late_changes_nothing_that_was_chosen_since(joins: Joins, server: Served) -> None:
    """The page asks which line an entry is; meanwhile another entry is taken out, which is shown already."""
    tells(server, "ana hits ogre -6", "ogre -4")
    gm = joins("gm", by="gm")
    gm.unfold()
    gm.page.click("#events li:has-text('4 damage') .correct")
    gm.page.wait_for_selector("#correcting", state="visible")
    held = holds(gm, "**/line?event=7")
    with gm.page.expect_request("**/line?event=7"):
        gm.page.click("#events ol li:has-text('6 damage') .correct")
    gm.page.click("[data-correction=strike]")
    expect(gm.page.locator("#line")).to_have_value("strike 8")
    gm.page.click("#events li:has-text('4 damage') .correct")
    gm.page.wait_for_function("() => document.getElementById('line').value.startsWith('amend 8')")
    with gm.page.expect_response("**/line?event=7"):
        held[0].continue_()
    gm.page.evaluate("fetch(location.href)")
    gm.page.click("[data-correction=strike]")
    expect(gm.page.locator("#line")).to_have_value("strike 8")


def test_what_a_line_would_record_does_not_hide_why_it_was_refused(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    held = holds(gm, "**/lines?dry=1")
    with gm.page.expect_request("**/lines?dry=1"):
        gm.page.fill("#line", "ana hitts ogre -6")
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong")
    with gm.page.expect_response("**/lines?dry=1"):
        held[0].continue_()
    gm.page.evaluate("fetch(location.href)")  # what the answer does is done before another one comes
    expect(gm.page.locator("#answer .wrong")).to_have_count(1)
