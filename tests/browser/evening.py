"""An evening: a game master at a laptop and players with phones, from `encounter serve` on an empty folder; nothing but browsers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.support import PATIENCE, expect
from tests.encounterlog.service.served import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
OF_THE_MACHINE = re.compile(r"[0-9a-f]{16}|\bhead\b|\bclock:|undefined|\bNaN\b|\[object")
"""What nobody at a table is to read."""


class Evening:
    """A table: the game master's page, the phones, and what any of them complained of."""

    def __init__(self, browser: "Browser", server: Served) -> None:
        """Join with the token that the service printed."""
        self.browser, self.server = browser, server
        self.said: list[str] = []
        self.gm = self._page(viewport=LAPTOP, accept_downloads=True)
        token = next(line for line in server.said if "token" in line).rpartition(": ")[2].strip()
        self.gm.goto(f"{server.url}/join#{token}")
        self.gm.get_by_role("button", name="Join").click()

    def _page(self, **how: Any) -> "Page":
        page = self.browser.new_context(**how).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.said.append(str(error)))
        return page

    def opens(self, title: str, ruleset: str) -> None:
        self.gm.fill("#title", title)
        self.gm.select_option("#ruleset", ruleset)
        self.gm.click("button:text-is('Open')")
        self.gm.click("a:text-is('To the table')")
        self.gm.wait_for_selector("[data-start=party]")

    def phone(self, who: str) -> "Page":
        """Invite the player of a character by link, and join on a phone."""
        self.gm.click("#menu-button")
        self.gm.click("#invite")
        self.gm.click(f"[data-invite={who}]")
        row = self.gm.locator(f".invitations li:has([data-invite={who}])")
        row.locator(".qr path").wait_for()
        link = row.locator("input").input_value()
        self.gm.click("#dialog-close")
        phone = self._page(**PHONE)
        phone.goto(link)
        phone.get_by_role("button", name="Join").tap()
        phone.wait_for_selector("#card-head h2")
        return phone

    def next(self, who: str = "", clock: str = "") -> None:
        """Press Next, and wait until it is the turn of somebody, or until the clock says so."""
        self.gm.click("#next")
        if who:
            self.gm.wait_for_selector(f"#state [data-who={who}][aria-current=true]")
            self.gm.wait_for_selector(f"#state [data-who={who}].shown")
        if clock:
            self.gm.wait_for_selector(f"#clock:has-text('{clock}')")

    def sees(self, page: "Page", who: str, points: str) -> None:
        """Wait until a page shows these hit points of somebody in the order, or this word."""
        expect(page.locator(f"#state [data-who={who}] .points")).to_have_text(points)

    def wait(self, page: "Page", words: str) -> "Locator":
        """Wait until a page says something among what happened."""
        found = page.locator(f"#events :text('{words}')").first
        found.wait_for(state="attached")
        return found

    def reads_like_a_table(self, *pages: "Page") -> None:
        """Hold that no page shows what concerns the machine alone."""
        for page in pages:
            text: str = page.locator("body").inner_text()
            assert not OF_THE_MACHINE.search(text), OF_THE_MACHINE.search(text)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def export(self, words: str, folder: Path) -> Path:
        if not self.gm.is_visible("#menu-items"):
            self.gm.click("#menu-button")
        with self.gm.expect_download() as found:
            self.gm.click(f"#menu-items a:text-is('{words}')")
        there = folder / str(found.value.suggested_filename)
        found.value.save_as(there)
        return there


@contextmanager
def evening(browser: "Browser", folder: Path) -> Iterator[Evening]:
    """Serve an empty folder, and let a game master in; afterwards no page may have failed."""
    folder.mkdir()
    with served(folder, "--requests", 1_000_000) as server:
        one = Evening(browser, server)
        yield one
        for context in browser.contexts:
            context.close()
        assert one.said == []
