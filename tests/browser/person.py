"""Somebody at a table that is served: a window, what it shows, and every byte that it received."""

import json
from typing import TYPE_CHECKING, Any

from tests.encounterlog.service.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


class Person:
    """Somebody with a window of their own; every byte that the browser received is kept."""

    def __init__(self, browser: "Browser", server: Served, token: str, url: str = "", **how: Any) -> None:
        self.context: BrowserContext = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | how))
        self.page: Page = self.context.new_page()
        self.received: list[bytes] = []
        self.said: list[str] = []
        self._wire = self.context.new_cdp_session(self.page)
        self._wire.send("Network.enable")
        self._wire.on(
            "Network.eventSourceMessageReceived", lambda message: self.received.append(json.dumps(message).encode())
        )
        self.page.on("response", self._keep)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)
        self._server = server
        self.page.goto(f"{url or server.url}/join#{server.name}:{token}")
        self.page.get_by_role("button", name="Join").click()
        self.page.wait_for_selector("#slider[aria-valuetext]", state="attached")

    def _keep(self, response: Any) -> None:
        if response.status == 200 and "events" not in response.url:
            self.received.append(response.body())

    def tell(self, line: str) -> None:
        """Type a line, and wait until it is written."""
        from playwright.sync_api import expect

        self.page.fill("#line", line)
        self.page.press("#line", "Enter")
        expect(self.page.locator("#line")).to_have_value("", timeout=15_000)
        self.sees_all()

    def sees_all(self, page: "Page | None" = None) -> None:
        """Wait until a page of this person, by default the first, shows the log to its end."""
        from playwright.sync_api import expect

        end = str(self._server.shelf.store(self._server.name).head())
        expect((page or self.page).locator("#head")).to_have_text(end, timeout=15_000)

    def told(self) -> list[str]:
        """Return the sentences of the log that is shown."""
        found: list[str] = self.page.locator("#events li a").all_inner_texts()
        return found

    def points(self, who: str) -> str:
        """Return the hit points that are shown of somebody."""
        found: str = self.page.locator(f"#state li[data-who={who}] .points").text_content() or ""
        return found
