"""The command palette: whatever the page can do, by its words, and any line."""

from typing import Any

import pytest

from eventstore.events import DamageDealt
from tests.browser.cards import Joins
from tests.browser.person import Person
from tests.browser.support import expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}}
FOCUS = "document.activeElement.id"


def commands(one: Person) -> list[str]:
    found: list[str] = one.page.locator("#commands [role=option]").all_inner_texts()
    return [each.split("\n")[0] for each in found]


def open_and_type(one: Person, words: str) -> None:
    one.page.keyboard.press("Control+k")
    one.page.wait_for_selector("#command:focus")
    one.page.keyboard.type(words)


def points(server: Served) -> list[int]:
    told = (each.event for each in server.shelf.store(server.name).read())
    return [each.amount for each in told if isinstance(each, DamageDealt)]


def test_a_command_is_found_by_beginnings_of_words_and_focus_returns(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.tell("ogre -4")
    open_and_type(gm, "")
    assert commands(gm)[:2] == ["Next", "Undo"]
    gm.page.keyboard.press("Escape")
    gm.page.focus("#views [data-view=table]")
    before = gm.page.evaluate("document.activeElement.dataset.view")
    open_and_type(gm, "un")
    assert commands(gm) == ["Undo", "Send un"]
    gm.page.keyboard.press("Escape")
    assert gm.page.evaluate("document.activeElement.dataset.view") == before
    open_and_type(gm, "un")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#dialog", state="hidden")
    gm.page.wait_for_selector("#state li[data-who=ogre] .points:has-text('20/20')")
    open_and_type(gm, "r e")
    assert commands(gm)[0] == "The round ends"
    gm.page.keyboard.press("Escape")
    open_and_type(gm, "r")
    assert commands(gm)[0] == "The next round begins"  # whose key it is
    gm.page.keyboard.press("ArrowUp")
    expect(gm.page.locator("#commands [aria-selected=true]")).to_have_text("Send r")
    assert gm.page.get_attribute("#command", "aria-activedescendant") == gm.page.get_attribute(
        "#commands [aria-selected=true]", "id"
    )


def test_any_line_is_taken_and_says_before_what_it_will_record(joins: Joins, server: Served) -> None:
    gm = joins("gm", by="gm")
    gm.page.fill("#line", "a draft")
    open_and_type(gm, "ana hits ogre -6")
    assert commands(gm) == ["Send ana hits ogre -6"]
    gm.page.wait_for_selector("#dialog pre:has-text('6')")
    assert points(server) == []
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#answer pre")
    gm.sees_all()
    assert points(server) == [6]
    gm.page.press("#line", "ArrowUp")
    gm.page.press("#line", "ArrowUp")
    expect(gm.page.locator("#line")).to_have_value("a draft")  # nothing that was typed is lost


def test_a_line_that_is_refused_stands_below_to_be_put_right(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    open_and_type(gm, "ana hitts ogre -6")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#answer .wrong")
    expect(gm.page.locator("#line")).to_have_value("ana hitts ogre -6")
    assert gm.page.evaluate(FOCUS) == "line"


def test_a_combatant_is_put_on_the_card_and_a_panel_has_the_focus(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    open_and_type(gm, "og")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#card-head h2:has-text('Ogre')")
    open_and_type(gm, "heal")
    assert commands(gm) == ["Healing", "Send heal"]
    gm.page.keyboard.press("Escape")
    open_and_type(gm, "add com")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#joining", state="visible")
    assert gm.page.evaluate("document.querySelector('#joining').contains(document.activeElement)")


def test_nobody_is_offered_what_is_not_theirs(joins: Joins) -> None:
    player, looker = joins("player", combatants=("ana",), writes=True), joins("spectator")
    for one in (player, looker):
        open_and_type(one, "")
        offered = commands(one)
        assert "Keys" in offered
        assert "Story" not in offered  # the fight is not over
        assert not {"Next", "Undo", "Ogre", "Invite players", "Replay as a page"} & {*offered}
    assert "Ana" in commands(player)
    looker.page.keyboard.type("zzz")
    assert commands(looker) == []
    assert "Nothing here" in looker.page.inner_text("#dialog")
    player.page.keyboard.type("zzz")
    assert commands(player) == ["Send zzz"]


def test_the_palette_opens_from_the_menu_on_a_phone_and_is_among_the_keys(joins: Joins) -> None:
    gm = joins("gm", by="gm", how=PHONE)
    gm.page.click("#menu-button")
    gm.page.click("#palette")
    gm.page.wait_for_selector("#command:focus")
    expect(gm.page.locator("dialog[open]")).to_have_attribute("aria-labelledby", "dialog-title")
    gm.page.keyboard.type("time")
    gm.page.click("#commands li >> nth=0")
    assert gm.page.evaluate("document.body.dataset.view") == "timeline"
    gm.page.click("#menu-button")
    gm.page.click("#palette")
    gm.page.keyboard.press("Escape")
    assert gm.page.evaluate(FOCUS) == "menu-button"
    gm.page.keyboard.press("?")
    assert "Ctrl+K" in gm.page.inner_text("#dialog")
