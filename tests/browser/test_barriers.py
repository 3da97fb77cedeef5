"""axe-core over every screen of the page: the views, the panels, the dialogs, an attack at each of its steps, and the pages before it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.cards import Joins
from tests.browser.support import tells
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
FIGHT = ("join Ana party hp=31 ac=12", "join Bo party hp=24", "join goblin*2 foes", "r", "i goblin-1=20 ana=15 bo=9 goblin-2=3", "next",
         "goblin-1 attacks ana 25 3", "ana is prone for 2r", "secret join wraith foes hp=9")  # fmt: skip
WAYS = [(1280, "light"), (768, "light"), (640, "dark"), (390, "dark")]
"""A laptop, a tablet, the laptop at a zoom of 200 %, and a phone."""
VIEWS = {
    "table": ".live[data-view=table]",
    "timeline": "#lanes .lane",
    "findings": "#found > *",
    "replay": "#play",
    "story": "#summary",
}
"""The views beside each other, and what stands there as soon as one is drawn."""


@pytest.fixture
def barriers(axe: str) -> "Callable[[Page, str], None]":
    """Return the function that holds that a screen has no barriers and does not scroll sideways."""

    def hold(page: "Page", screen: str) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe)
        found: list[Any] = page.evaluate(
            "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)]))"
        )
        assert found == [], screen
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), screen

    return hold


@pytest.mark.parametrize(("width", "scheme"), WAYS)
def test_no_screen_of_a_game_master_has_a_barrier(
    joins: Joins, server: Served, barriers: "Callable[[Page, str], None]", width: int, scheme: str
) -> None:
    log = server.folder / f"{server.name}.jsonl"
    log.unlink()
    opened(log, "5e", "The mill")
    gm = joins("gm", by="gm", how={"viewport": {"width": width, "height": 800}, "color_scheme": scheme})
    barriers(gm.page, "first steps")
    tells(server, *FIGHT)
    gm.sees_all()
    for name in ("state", "card", "log") if gm.page.is_visible("#tabs") else ("state",):  # else all stand side by side
        gm.tab(name)
        barriers(gm.page, name)
    gm.page.check("#secret")  # which is red then
    for key, panel in (("i", "initiative"), ("j", "joining"), ("m", "correcting")):
        gm.page.focus("#next")
        gm.page.keyboard.press(key)
        gm.page.wait_for_selector(f"#{panel}", state="visible")
        barriers(gm.page, panel)
        gm.page.keyboard.press("Escape")
    gm.page.uncheck("#secret")
    gm.choose("goblin-1")
    gm.page.click("[data-kind=condition]")
    barriers(gm.page, "conditions")
    gm.page.click(".deed >> nth=0")
    gm.page.click("[data-target=bo]")
    barriers(gm.page, "aiming")
    gm.page.get_by_label("d20").fill("9")
    gm.page.click(".blow button:text-is('Record')")
    gm.page.wait_for_selector(".blow :text('Does it hit')")
    barriers(gm.page, "asking")
    gm.page.keyboard.press("Escape")
    gm.page.fill("#line", "ana hits wolf")
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong")
    barriers(gm.page, "refused")
    gm.page.fill("#line", "")
    gm.page.click("#menu-button")
    barriers(gm.page, "menu")
    gm.page.keyboard.press("Escape")
    for item in ("keys", "about-button", "invite", "palette"):
        gm.page.click("#menu-button")
        gm.page.click(f"#{item}")
        gm.page.wait_for_selector("#dialog[open] h2")
        barriers(gm.page, item)
        gm.page.click("#dialog-close")
    gm.tell("over")
    for view, drawn in VIEWS.items():
        gm.page.evaluate(f"document.querySelector('#views [data-view={view}]').click()")
        gm.page.wait_for_selector(drawn)  # some of it is fetched once it is looked at
        barriers(gm.page, view)


@pytest.mark.parametrize(("width", "scheme"), WAYS)
def test_no_page_before_the_table_has_a_barrier(
    browser: "Browser", server: Served, barriers: "Callable[[Page, str], None]", width: int, scheme: Any
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(f"{server.url}/")
    barriers(page, "nothing is open yet")
    page.goto(f"{server.url}/join")
    barriers(page, "the end of a link is typed")
    page.goto(f"{server.url}/e/{server.name}")
    barriers(page, "refused")
    page.goto(f"{server.url}/join#{server.token('operator', '')[0]}")
    barriers(page, "a link is followed")
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector("#title")
    barriers(page, "the first page")
    page.fill("#title", f"Another {server.name} {width}")
    page.select_option("#ruleset", "plain")
    page.click("button:text-is('Open')")
    page.wait_for_selector("h1:has-text('is open')")
    barriers(page, "an encounter is open")
    page.close()
