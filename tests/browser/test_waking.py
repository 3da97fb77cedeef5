"""A phone that slept, or lost its connection: it is back within a second of being looked at, and nothing that was typed is lost."""

from typing import Any

import pytest

from tests.browser.cards import Joins
from tests.browser.person import Person
from tests.browser.support import expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}}
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Shows or hides the page, as a phone does that sleeps."""


def one_second(one: Person) -> None:
    """Let a second go by for the page; nothing that it is to do later happens."""
    one.page.clock.run_for(1_000)


@pytest.fixture
def phone(joins: Joins) -> Person:
    """Return a player whose page has opened its stream, and whose time stands still from then on."""
    one = joins("player", combatants=("ana",), by="Ana", writes=True, how=PHONE)
    with one.page.expect_request("**/events**"):
        one.page.clock.install()
        one.page.reload()
        one.page.wait_for_selector("#slider[aria-valuetext]", state="attached")
        one.page.clock.run_for(2_000)
    one.page.clock.pause_at(one.page.evaluate("Date.now() + 1000"))
    return one


@pytest.mark.parametrize("connected", ["before", "after"])
def test_a_page_that_slept_without_a_connection_is_back_within_a_second(
    phone: Person, joins: Joins, connected: str
) -> None:
    gm = joins("gm", by="gm")
    phone.page.fill("#line", "ana hits og")
    phone.page.evaluate(HIDDEN, True)
    phone.context.set_offline(True)
    phone.page.clock.run_for(600_000)
    for line in ("i ana15 ogre9", "next", "ogre -7"):
        gm.tell(line)
    if connected == "before":
        phone.context.set_offline(False)
        phone.page.evaluate(HIDDEN, False)
    else:
        phone.page.evaluate(HIDDEN, False)
        phone.page.clock.run_for(60_000)
        phone.context.set_offline(False)
    with phone.page.expect_request("**/events**"):  # the stream is opened again, too
        one_second(phone)
    phone.sees_all()
    expect(phone.page.locator("#call")).to_have_text("Your turn")
    expect(phone.page.locator("#stream")).to_have_text("")
    expect(phone.page.locator("#line")).to_have_value("ana hits og")
    gm.tell("ogre -1")  # it follows again
    phone.sees_all()


def test_a_page_that_follows_goes_on_over_another_network_at_once(phone: Person, joins: Joins) -> None:
    """The old stream may say nothing any more, and its end may be told never."""
    gm = joins("gm", by="gm")
    with phone.page.expect_request("**/events**"):
        phone.page.evaluate("dispatchEvent(new Event('online'))")
        one_second(phone)
    gm.tell("ogre -7")
    phone.sees_all()


@pytest.mark.parametrize("role", ["player", "gm"])
def test_what_was_being_typed_is_there_after_the_phone_reloads_the_page(
    joins: Joins, role: str, server: Served
) -> None:
    one = joins(role, **({"combatants": ("ana",), "writes": True} if role == "player" else {}))
    one.page.fill("#line", "join wraith fo")
    if role == "gm":
        one.page.check("#secret")
    one.page.reload()
    one.page.wait_for_selector("#slider[aria-valuetext]", state="attached")
    expect(one.page.locator("#line")).to_have_value("join wraith fo")
    assert role == "player" or one.page.is_checked("#secret")
    one.page.goto(f"{server.url}/join#{server.name}:{server.token('player', combatants=('ogre',), writes=True)[0]}")
    one.page.get_by_role("button", name="Join").click()
    one.page.wait_for_selector("#slider[aria-valuetext]", state="attached")
    expect(one.page.locator("#line")).to_have_value("")  # it was somebody else's
