"""python -m tests.browser.pictures [NAME…]: takes the pictures of the screens again that the documentation shows, all or those named.

attack-before.png shows the page at 2dc7015a: git show 2dc7015a:docs/pictures/attack.png. Look at each before it is committed: that they are taken says nothing of how they look.
"""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import CHROMIUM
from tests.browser.person import Person
from tests.browser.support import exported
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import encounter

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
BEFORE = ("join Ana party hp=14", "join Bo party hp=12", "join Ogre foes hp=20", "join Kex foes hp=7", "r", "i ana15 ogre11 bo9 kex4", "next",
          "ana hits ogre -6", "next", "ogre hits bo -4", "bo is prone for 2r", "next")  # fmt: skip

FRONT = ("Mira joins the party, 22 hp, ac 13", "Brand joins the party, 38 hp, ac 18", "an ogre and 2 goblins", "Mira 17, ogre 14, Brand 9, goblins 6",
         "Mira casts bless on Brand", "the ogre hits Mira for 12", "Mira makes her concentration save, total 8, succeeds",
         "Brand hits the ogre for 9", "goblin 1 hits Brand for 5, goblin 2 misses Mira")  # fmt: skip
MILL = ("join Ana party hp=31 ac=12", "join Bo party hp=24 ac=13", "join goblin*4 foes", "join ogre foes", "r",
        "i ana=18 goblin-1=21 goblin-2=11 goblin-3=11 goblin-4=11 bo=9 ogre=8", "next", "next",
        "goblin-2 takes 24 from ana's fireball, goblin-3 takes 24 from ana's fireball", "next", "next", "bo is prone for 2r",
        "effect bless by ana on bo for 10r", "r", "next")  # fmt: skip


def main() -> None:
    from playwright.sync_api import sync_playwright

    with (
        sync_playwright() as driver,
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), "--requests", 100_000) as server,
    ):
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        server.name = "ford"
        log = Path(folder) / "ford.jsonl"
        assert encounter("new", log, "--ruleset", "plain", "--title", "The ford").exit_code == 0
        with server.client(server.token("gm", by="gm")[0]) as client:
            for line in BEFORE:
                assert client.post("lines", json={"line": line}).status_code == 201, line
        of_front(browser, server, Path(folder) / "mill.jsonl")
        of_players(browser, server)
        of_masters(browser, server)
        of_replay(browser, log)
        of_the_fifth_edition(browser, server, Path(folder))
        of_no_connection(browser, server)
        browser.close()


def of_front(browser: "Browser", server: Served, log: Path) -> None:
    """Take the picture of the documentation's first page, before the last line is sent; and that of its finding."""
    *before, last = FRONT
    assert encounter("new", log, "--ruleset", "5e", "--title", "The mill").exit_code == 0
    for line in before:
        assert encounter("add", log, line).exit_code == 0, line
    ford, server.name = server.name, "mill"
    gm = Person(browser, server, server.token("gm", by="gm")[0], viewport=DESKTOP)
    gm.page.fill("#line", last)
    gm.page.wait_for_selector("#will pre")
    gm.page.evaluate("scrollTo(0, 0)")
    take(gm.page, "front", DESKTOP)
    gm.page.click("[data-view=findings]")
    take(gm.page, "findings", DESKTOP)
    gm.context.close()
    server.name = ford


def of_players(browser: "Browser", server: Served) -> None:
    """Take the pictures of a player: whose turn it is, an act that is proposed, the order, what happened."""
    token = server.token("player", combatants=("bo",), by="Ben", writes=True)[0]
    player = Person(browser, server, token, viewport=PHONE)
    take(player.page, "player", PHONE)
    for name in ("state", "log"):
        player.tab(name)
        take(player.page, f"player-{name}", PHONE)
    player.page.fill("#line", "bo hits ogre -3")
    player.page.press("#line", "Enter")
    player.page.wait_for_selector("#proposals li")
    take(player.page, "player-proposes", PHONE)
    player.context.close()


def of_masters(browser: "Browser", server: Served) -> None:
    """Take the pictures of a game master: the table with a proposal, the card, and each panel, on both."""
    for name, size in (("", DESKTOP), ("-phone", PHONE)):
        gm = Person(browser, server, server.token("gm", by="gm")[0], viewport=size)
        gm.page.wait_for_selector("#proposals li")
        take(gm.page, f"proposal{name}", size)
        gm.choose("ogre")
        gm.page.fill("#amount", "3")
        gm.page.wait_for_selector("#will pre")
        take(gm.page, f"table{name}", size)
        if name:
            gm.page.click("#menu-button")
            take(gm.page, "menu-phone", size)
            gm.page.keyboard.press("Escape")
        else:
            gm.page.keyboard.press("Control+k")
            gm.page.fill("#command", "ana hits ogre -6")
            gm.page.wait_for_selector("#dialog pre:has-text('6')")
            take(gm.page, "palette", size)
            gm.page.keyboard.press("Escape")
        for panel, key in (("initiative", "i"), ("joining", "j"), ("correcting", "m")):
            gm.page.keyboard.press("Escape")
            gm.page.focus("#next")
            gm.page.keyboard.press(key)
            gm.page.wait_for_selector(f"#{panel}", state="visible")
            gm.page.wait_for_timeout(800)  # what a correction changes is asked for
            take(gm.page, f"{panel}{name}", size)
        gm.context.close()


def of_the_fifth_edition(browser: "Browser", server: Served, folder: Path) -> None:
    """Take the pictures of a fight in 5e: first steps, a search, an attack, conditions, an invitation, timeline, findings, story."""
    server.name = "wood"
    assert encounter("new", folder / "wood.jsonl", "--ruleset", "5e", "--title", "The old wood").exit_code == 0
    gm = Person(browser, server, server.token("gm", by="gm")[0], viewport=DESKTOP)
    page = gm.page
    take(page, "first-steps", DESKTOP)
    page.click("[data-start=monsters]")
    page.fill("#search", "gh")
    page.wait_for_selector("[data-monster]")
    take(page, "search", DESKTOP)
    page.keyboard.press("Escape")
    for line in MILL:
        gm.tell(line)
    page.wait_for_selector(".deed")
    page.click(".deed >> nth=0")
    page.click("[data-target=ana]")
    take(page, "attack", DESKTOP)
    page.keyboard.press("Escape")
    gm.choose("goblin-1")
    page.click("[data-kind=condition]")
    take(page, "conditions", DESKTOP)
    page.keyboard.press("Escape")
    page.click("#menu-button")
    take(page, "menu", DESKTOP)
    page.click("#invite")
    page.click("[data-invite=ana]")
    page.wait_for_selector(".qr path")
    take(page, "invite", DESKTOP)
    page.keyboard.press("Escape")
    page.click("[data-view=timeline]")
    page.dblclick("[data-step=turn][data-by='-1']")  # the last turn of the round before, which has more in it
    take(page, "timeline", DESKTOP)
    page.click("[data-view=table]")
    gm.tell('over "party wins"')
    page.wait_for_selector("#totals td")
    take(page, "story", DESKTOP)
    gm.context.close()
    of_the_first_page(browser, server)


def of_the_first_page(browser: "Browser", server: Served) -> None:
    page = browser.new_page(viewport=DESKTOP)
    page.goto(f"{server.url}/join#{server.token('operator', '')[0]}")
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector("h2")
    take(page, "first-page", DESKTOP)
    page.close()


def of_no_connection(browser: "Browser", server: Served) -> None:
    """Take the picture of a player's phone that does not reach the service any more, which ends with this."""
    server.name = "ford"
    player = Person(browser, server, server.token("player", combatants=("bo",), by="Ben")[0], viewport=PHONE)
    player.page.evaluate("navigator.serviceWorker.ready")
    player.page.wait_for_timeout(1_500)  # what is to be kept is kept a moment after it is drawn
    server.stop()
    player.page.goto(f"{server.url}/e/ford", wait_until="commit")
    player.page.wait_for_selector("#known table")
    take(player.page, "offline", PHONE)
    player.context.close()


def of_replay(browser: "Browser", log: Path) -> None:
    """Take the pictures of an exported page: within a round, and at its end."""
    address = exported(log).resolve().as_uri()
    for name, size in (("", DESKTOP), ("-phone", PHONE)):
        page = browser.new_page(viewport=size)
        page.goto(f"{address}#e9")
        page.wait_for_selector("#slider[aria-valuetext]")
        take(page, f"replay{name}", size)
        page.keyboard.press("End")
        page.locator("#summary").scroll_into_view_if_needed()
        take(page, f"summary{name}", size)
        page.close()


def take(page: "Page", name: str, size: dict[str, int]) -> None:
    """Take one picture, of what is in view, unless others are wanted."""
    if sys.argv[1:] and name not in sys.argv[1:]:
        return
    page.wait_for_timeout(300)
    page.screenshot(path=PICTURES / f"{name}.png", clip={"x": 0, "y": 0, **size})
    sys.stdout.write(f"{name}.png {(PICTURES / f'{name}.png').stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
