"""Somebody at a table that is served: a window, what it shows, and every byte that it received."""

import json
import re
from typing import TYPE_CHECKING, Any

from tests.browser.support import PATIENCE
from tests.encounterlog.service.served import Served
from tests.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


DEEDS = """[...document.querySelectorAll('#events > li > details > summary, #events > li > a')].reverse().map((each) => {
  const copy = each.cloneNode(true);
  copy.querySelector('.seq')?.remove();
  return copy.textContent.trim();
})"""


class Person:
    """Somebody with a window of their own; every byte that the browser received is kept."""

    def __init__(self, browser: "Browser", server: Served, token: str, url: str = "", **how: Any) -> None:
        self.context: BrowserContext = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | how))
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.received: list[bytes] = []
        self.said: list[str] = []
        self._wire = self.context.new_cdp_session(self.page)
        self._wire.send("Network.enable")
        self.heard = 0
        """How many events have come by streams."""
        self._wire.on("Network.eventSourceMessageReceived", self._hear)
        self.page.on("response", self._keep)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)
        self._server = server
        there, link = url or server.url, {"token": f"{server.name}:{token}"}
        joined = self.context.request.post(f"{there}/join", form=link, max_redirects=0)  # what the page of a link sends
        self.page.goto(f"{there}{joined.headers['location']}")
        self.page.wait_for_selector("#slider[aria-valuetext]", state="attached")

    def _hear(self, message: Any) -> None:
        self.heard += 1
        self.received.append(json.dumps(message).encode())

    def _keep(self, response: Any) -> None:
        if response.status == 200 and "events" not in response.url:
            self.received.append(response.body())

    def tell(self, line: str) -> None:
        """Type a line once the page shows what others wrote, as the service refuses a line to who has not seen it; wait until it is written."""
        self.sees_all()
        self.page.fill("#line", line)
        self.page.press("#line", "Enter")
        self.page.wait_for_function("() => document.getElementById('line').value === ''")
        self.sees_all()

    def sees_all(self, page: "Page | None" = None) -> None:
        """Wait until a page of this person, by default the first, shows the log to its end."""
        end = str(self._server.shelf.store(self._server.name).head())
        shown = "(end) => document.getElementById('head')?.textContent.trim() === end"
        (page or self.page).wait_for_function(shown, arg=end)

    def hears(self) -> None:
        """Wait until something came by the stream of the page, after which it misses nothing that the service says."""
        until(lambda: self.page.evaluate("1") and self.heard)  # what came is told while the page is asked

    def told(self) -> list[str]:
        """Return the sentences of the facts that are shown, folded or not."""
        found: list[str] = self.page.locator("#events li a").all_text_contents()
        return found

    def points(self, who: str) -> str:
        """Return the hit points that are shown of somebody, in words: 9 of 20 hp."""
        found: str = self.page.locator(f"#state li[data-who={who}] .points").text_content() or ""
        return re.sub(r"^(-?\d+)/(\d+)", r"\1 of \2 hp", found)

    def choose(self, *those: str) -> None:
        """Choose rows of the order: the first by a click, the others beside it."""
        self.tab("state")
        for number, who in enumerate(those):
            row = self.page.locator(f"#state [data-who='{who}']")
            (row.locator("input") if number else row.locator(".name")).click()

    def tab(self, name: str) -> None:
        """On a phone, go to a pane."""
        if (tab := self.page.locator(f"#tabs [data-tab={name}]")).is_visible():
            tab.click()

    def unfold(self) -> None:
        self.tab("log")
        self.page.evaluate("document.querySelectorAll('#events details').forEach((each) => (each.open = true))")

    def deeds(self) -> list[str]:
        """Return the sentences of the deeds that are shown, the newest first."""
        found: list[str] = self.page.evaluate(DEEDS)
        return found
