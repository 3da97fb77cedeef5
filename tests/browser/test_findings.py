"""A finding that a deed raised stands beside the deed, with its rule and what a game master can do about it."""

import pytest

from eventstore.events import Amended, RulingMade
from tests.browser.cards import BEGINNING, Joins, events, master
from tests.browser.person import Person
from tests.browser.support import BARRIERS, expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser


@pytest.fixture
def gm(joins: Joins, server: Served) -> Person:
    """Return a game master of 5e, whose goblin attacked after it died."""
    one = master(joins, server, *BEGINNING, "goblin-1 -100", "goblin-1 attack scimitar ana 15 6")
    one.page.wait_for_selector(".flags button")
    return one


def beside(one: Person) -> list[str]:
    found: list[str] = one.page.locator("#events .flags button:visible").all_inner_texts()
    return found


def test_a_finding_stands_beside_its_deed_with_its_rule_and_three_answers(gm: Person, joins: Joins, axe: str) -> None:
    assert beside(gm) == ["Ruling", "Correct", "Leave"]
    deed = gm.page.locator("#events li:has(> .flags)")
    expect(deed.locator(".flag")).to_have_text("⚑ breach: goblin-1 is dead, and acts (dead.out)")
    gm.page.evaluate(axe)
    assert gm.page.evaluate(BARRIERS) == []
    gm.page.click("#views [data-view=findings]")
    gm.page.click("#found a")
    expect(gm.page.locator("body")).to_have_attribute("data-view", "replay")
    expect(gm.page.locator("#events [aria-current] .flag")).to_have_text(
        "⚑ breach: goblin-1 is dead, and acts (dead.out)"
    )
    player = joins("player", combatants=("ana",), writes=True)
    player.unfold()
    assert player.page.locator("#events .flag").count() > 0
    assert beside(player) == []


def test_a_ruling_lets_it_stand_and_says_why(gm: Person, server: Served) -> None:
    gm.page.click(".flags button:text-is('Ruling')")
    assert gm.page.evaluate("document.activeElement.id") == "line"
    gm.page.keyboard.type("a last blow")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector(".flags button", state="detached")
    gm.sees_all()
    (ruling,) = events(server, RulingMade)
    assert "a last blow" in str(ruling)
    assert "ruled" in gm.page.locator("#events .flag").first.inner_text()
    expect(gm.page.locator("#views [data-view=findings]")).to_have_text("Findings")


def test_a_correction_is_begun_with_the_line_of_the_fact(gm: Person, server: Served) -> None:
    gm.page.click(".flags button:text-is('Correct')")
    gm.page.wait_for_selector("#correcting", state="visible")
    gm.page.wait_for_function("() => /^amend \\d+ ./.test(document.getElementById('line').value)")
    gm.page.click("[data-correction=strike]")
    assert gm.page.input_value("#line").startswith("strike ")
    gm.page.wait_for_selector("#difference :text('no longer found')")
    assert events(server, Amended) == []
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector(".flags button", state="detached")


def test_a_finding_that_is_left_stands_without_buttons_and_keeps_focus(gm: Person, server: Served) -> None:
    before = server.shelf.store(server.name).head()
    gm.page.focus(".flags button:text-is('Leave')")
    gm.page.keyboard.press("Enter")
    assert gm.page.evaluate("document.activeElement.closest('#events li') !== null")
    assert beside(gm) == []
    gm.tell("ana -1")
    assert beside(gm) == []
    assert gm.page.locator("#events .flag").count() > 0
    expect(gm.page.locator("#views [data-view=findings]")).to_have_text("Findings (1)")
    assert server.shelf.store(server.name).head() != before
    gm.page.click("#views [data-view=findings]")
    assert gm.page.locator("#found button").all_inner_texts() == ["Ruling", "Correct"]
