"""What players do to others, on the pages: the game master accepts or declines it with a key, who proposed it is told."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.cards import Joins
from tests.browser.conftest import FOUGHT
from tests.browser.person import Person
from tests.browser.support import BARRIERS, expect
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import log_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 780}}
MARKUP = "<b onclick=alert(1)>Ann</b> & co"


def propose(one: Person, line: str) -> None:
    one.page.fill("#line", line)
    one.page.press("#line", "Enter")
    one.page.wait_for_selector("#proposals li")


def press(one: Person, key: str) -> None:
    one.page.focus("#next")
    one.page.keyboard.press(key)


def test_the_game_master_accepts_with_a_key_and_everybody_sees_it(joins: Joins, axe: str) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",), by="Ann", writes=True, how=PHONE)
    propose(player, "ana hits ogre -6")
    assert "Waits for the game master: ana hits ogre -6" in player.page.inner_text("#proposals")
    gm.page.wait_for_selector("#proposals li")
    assert "Ann proposes ana hits ogre -6" in gm.page.inner_text("#proposals")
    assert "6 damage" in gm.page.inner_text("#proposals")
    for one in (gm, player):
        one.page.evaluate(axe)
        assert one.page.evaluate(BARRIERS) == []
        assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert gm.points("ogre") == "20 of 20 hp"
    press(gm, "Shift+Y")
    gm.page.wait_for_selector("#proposals", state="hidden")
    for one in (gm, player):
        one.sees_all()
        expect(one.page.locator("#proposals")).to_be_hidden()
    assert gm.points("ogre") == "14 of 20 hp"
    expect(player.page.locator("#answer")).to_have_text("The game master accepted this: ana hits ogre -6")


def test_what_is_declined_is_told_and_stays_unwritten(joins: Joins, server: Served) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",), by="Ann", writes=True)
    before = (server.folder / f"{server.name}.jsonl").read_bytes()
    propose(player, "ana hits ogre -6")
    gm.page.wait_for_selector("#proposals li")
    press(gm, "Shift+N")
    player.page.wait_for_selector("#answer .wrong")
    expect(player.page.locator("#answer")).to_have_text("The game master declined this: ana hits ogre -6")
    propose(player, "ana hits ogre -5")
    player.page.get_by_role("button", name="Withdraw").click()
    for one in (gm, player):
        one.page.wait_for_selector("#proposals", state="hidden")
    assert (server.folder / f"{server.name}.jsonl").read_bytes() == before


def test_a_name_with_markup_is_text(joins: Joins) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",), by=MARKUP, writes=True)
    propose(player, 'ana attack "<img src=x onerror=alert(1)>" ogre -1')
    gm.page.wait_for_selector("#proposals li")
    assert f"{MARKUP} proposes" in gm.page.inner_text("#proposals")
    expect(gm.page.locator("#proposals :is(img, b)")).to_have_count(0)
    expect(player.page.locator("#proposals :is(img, b)")).to_have_count(0)


def test_in_two_tabs_of_a_game_master_a_proposal_is_accepted_once(joins: Joins, server: Served) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",), by="Ann", writes=True)
    second = gm.context.new_page()
    second.goto(f"{server.url}/e/{server.name}")
    propose(player, "ana hits ogre -6")
    for page in (gm.page, second):
        page.wait_for_selector("#proposals li")
    accept = "document.querySelector('#proposals button')?.click()"  # the other tab may have shown it decided already
    for page in (gm.page, second):
        page.evaluate(accept)
    for page in (gm.page, second, player.page):
        page.wait_for_selector("#proposals", state="hidden")
    gm.sees_all()
    assert gm.points("ogre") == "14 of 20 hp"


def test_what_was_lost_as_the_service_was_started_again_is_told(tmp_path: Path, browser: "Browser") -> None:
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain", "The ford")
    with served(tmp_path) as first:
        first.name = "ford"
        token, _ = first.token("player", combatants=("ana",), writes=True)
        player = Person(browser, first, token)
        propose(player, "ana hits ogre -6")
        assert "no game master has the page open" in player.page.inner_text("#answer")
        port = int(re.search(r":(\d+)$", first.url)[1])  # type: ignore[index]
        first.stop()
    with served(tmp_path, port=port):
        player.page.wait_for_selector("#answer .wrong")
        assert "was lost, as the service was started again: ana hits ogre -6" in player.page.inner_text("#answer")
        expect(player.page.locator("#answer .offers button")).to_have_text("ana hits ogre -6")
        player.context.close()


def test_a_typed_line_says_what_it_will_record_and_that_it_is_proposed(joins: Joins) -> None:
    player = joins("player", combatants=("ana",), by="Ann", writes=True)
    player.page.locator("#line").press_sequentially("ana hits ogre -6")
    player.page.wait_for_selector("#will pre")
    assert "6 damage" in player.page.inner_text("#will")
    assert "The game master decides on it." in player.page.inner_text("#will")
