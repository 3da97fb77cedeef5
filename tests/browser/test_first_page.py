"""The first page in a browser: the next fight is opened without a mouse, with the party of the one before."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.support import expect
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import encounter

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: "Browser", server: Served) -> Iterator["Page"]:
    context = browser.new_context()
    page = context.new_page()
    token, _ = server.token("operator", "")
    page.goto(f"{server.url}/join#{token}")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2")
    yield page
    context.close()


def test_the_next_fight_is_opened_by_keyboard_with_what_the_party_has(page: "Page", server: Served) -> None:
    encounter("add", server.folder / f"{server.name}.jsonl", "ana", "-5")
    page.reload()
    name = f"{server.name}-next"
    while page.evaluate("document.activeElement.id") != "title":
        page.keyboard.press("Tab")
    page.keyboard.type("The mill")
    for word in ("plain", server.name):
        page.keyboard.press("Tab")
        page.keyboard.type(word)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # what is seldom wanted is folded
    for word in ("", name):
        page.keyboard.press("Tab")
        page.keyboard.type(word)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:text('The mill is open')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#slider[aria-valuetext]", state="attached")
    assert page.title().endswith("The mill")
    assert page.locator("#state li[data-who=ana] .points").text_content() == "9/14"
    expect(page.locator("#state li[data-who=ogre]")).to_have_count(0)
    expect(page.locator("#line")).to_be_visible()
    page.go_back()  # the answer to a form is not asked for again
    page.wait_for_selector("h1:text-is('Encounters')")
    page.wait_for_selector(f".encounters a[href$='/{name}']")


def test_a_form_that_is_wrong_says_so_where_the_keyboard_goes_on(page: "Page", server: Served) -> None:
    page.fill("#title", "Once more")
    page.click("summary:has-text('another name')")
    page.fill("#name", server.name)
    page.select_option("#ruleset", "plain")
    page.press("#name", "Enter")
    said = page.wait_for_selector("[role=alert]")
    assert said is not None
    assert "There is such an encounter already" in said.inner_text()
    assert page.input_value("#name") == server.name
    assert page.evaluate("document.activeElement.id") == "wrong"


def test_an_operator_enters_an_encounter_and_opens_one_by_its_title(page: "Page", server: Served) -> None:
    assert "Ana" not in page.inner_text("main")
    row = page.locator(f".encounters li:has-text('{server.name}')").last
    assert f"The ford\n{server.name}: Plain" in row.inner_text()
    assert "round 1" in row.inner_text()
    row.get_by_role("button").click()
    page.wait_for_selector("#next")
    page.goto(f"{server.url}/")
    page.fill("#title", f"The wind {server.name}")
    expect(page.locator("summary:has-text('Options')").filter(visible=True)).to_have_count(0)
    page.select_option("#ruleset", "5e")
    expect(page.locator("summary:has-text('Options')").filter(visible=True)).to_have_count(
        1
    )  # those of the chosen ruleset
    page.click("summary:has-text('fifth edition')")
    page.locator("[id='option.5e.edition']").select_option("2024")
    page.click("button:text-is('Open')")
    page.click("main a >> nth=0")
    page.click("[data-start=monsters]")
    page.keyboard.type("gbolin")
    page.wait_for_selector("#search-box :text('No monster of the list')")
    page.fill("#search", "goblin w")
    page.click("[data-monster=goblin-warrior]")  # whom only that edition has
    page.wait_for_selector("#state [data-who^=goblin]")


def test_the_join_page_says_what_the_encounter_is_and_what_one_may_do(browser: "Browser", server: Served) -> None:
    invitations: tuple[tuple[Any, dict[str, Any], str], ...] = (
        ("player", {"combatants": ("ana",), "writes": True}, "You play Ana: you record what they do, and propose the rest."),
        ("player", {"combatants": ("ana",)}, "You play Ana, and watch."),
        ("gm", {}, "You lead it: you record everything that happens."),
        ("spectator", {}, "You watch it."),
    )  # fmt: skip
    for role, given, says in invitations:
        page = browser.new_page()
        page.goto(f"{server.url}/join#{server.name}:{server.token(role, **given)[0]}")
        expect(page.locator("#invitation")).to_have_text(f"The fordRound 1, with Ana, Ogre.{says}")
        page.close()
