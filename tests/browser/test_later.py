"""What the page fetches once it is looked at: it is not asked for before, and comes again after a lost connection."""

import pytest

from tests.browser.cards import Joins
from tests.browser.support import expect, tells
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
ASKED = "performance.getEntriesByType('resource').filter((each) => each.name.includes('/assets/later.js')).length"


def test_the_timeline_is_fetched_when_it_is_looked_at_and_follows_the_log(joins: Joins) -> None:
    gm, second = joins("gm", by="gm"), joins("gm", by="second")
    gm.tell("i ana15 ogre9")
    assert gm.page.evaluate(ASKED) == 0
    gm.page.click("#views [data-view=timeline]")
    gm.page.wait_for_selector("#lanes .lane")
    before = gm.page.locator("#lanes .mark").count()
    signs = "[...document.querySelectorAll('#lanes :is(.mark, .span), #state :is(.sign, .chip), .correct')]"
    assert gm.page.evaluate(f"{signs}.every((each) => each.title)")  # each says what it means
    second.tell("ana hits ogre -6")
    gm.sees_all()
    assert gm.page.locator("#lanes .mark").count() > before
    gm.page.click("#views [data-view=replay]")
    gm.page.click("#play")
    expect(gm.page.locator("#play")).to_have_text("Pause")
    assert gm.page.evaluate(ASKED) == 1


def test_without_a_connection_the_page_says_so_and_fetches_it_later(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.page.route("**/assets/later.js", lambda route: route.abort())
    gm.page.click("#views [data-view=timeline]")
    gm.page.wait_for_selector("#stream:has-text('cannot be shown yet')")
    expect(gm.page.locator("#stream")).to_be_visible()
    gm.page.unroute("**/assets/later.js")
    gm.page.click("#views [data-view=timeline]")
    gm.page.wait_for_selector("#lanes .lane")
    expect(gm.page.locator("#stream")).to_have_text("")


def test_the_story_stands_there_for_who_opens_it_after_the_fight(joins: Joins, server: Served) -> None:
    tells(server, "i ana15 ogre9", "ana hits ogre -20", "over")
    gm = joins("gm", by="gm")
    gm.page.click("#views [data-view=story]")
    gm.page.wait_for_selector("#lead:has-text('Ogre')")
    assert "Ana" in gm.page.inner_text("#summary")
