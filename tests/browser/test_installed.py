"""The page as an app: it can be installed, says what it last knew where there is no connection, and keeps nothing that it should not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from encounterlog.places.time_and_chance import current_time
from tests.browser.cards import Joins
from tests.browser.conftest import FOUGHT
from tests.browser.person import Person
from tests.browser.support import BARRIERS, expect
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import log_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}}
KNOWN = """async () => {
  const cache = await caches.open("known"), found = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);  // the page may have deleted it since
    if (kept) found.push([new URL(request.url).pathname, await kept.json()]);
  }
  return found;
}"""
"""What is kept of encounters: the path of each, and what was known of it."""
KEPT_LAST = """async () => {
  const cache = await caches.open("known");
  await cache.put("/last", new Response("last"));
  await cache.delete("/last");
}"""
"""Keeps something and lets it go: what the page began to keep before is kept then."""
EVERYTHING = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const kept = await cache.match(request);
      if (kept) found.push([new URL(request.url).pathname, await kept.text()]);
    }
  }
  return found;
}"""


def known(page: "Page") -> dict[str, Any]:
    return dict(page.evaluate(KNOWN))


def until(page: "Page", holds: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until what is kept is so; a page cannot be made to wait for a promise."""
    for _ in range(200):
        if holds(known(page)):
            return
        page.wait_for_timeout(50)
    raise AssertionError(known(page))


def until_kept(page: "Page", words: str) -> None:
    """Wait until what is kept has these words in it."""
    until(page, lambda found: words in str(found))


def ready(one: Person) -> None:
    """Wait until the worker answers for the page."""
    one.page.evaluate("navigator.serviceWorker.ready")
    one.page.wait_for_function("() => navigator.serviceWorker.controller !== null")


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Served]:
    """Run a service that a test may end."""
    folder = tmp_path / "alone"
    folder.mkdir()
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain", "The ford").rename(folder / "ford.jsonl")
    with served(folder) as found:
        yield found


def test_a_browser_finds_nothing_that_keeps_it_from_installing_the_page(joins: Joins, server: Served) -> None:
    player = joins("player", combatants=("ana",), how=PHONE)
    wire = player.context.new_cdp_session(player.page)
    found = wire.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{server.url}/assets/app.webmanifest"
    assert '"display": "standalone"' in found["data"]
    assert [each["errorId"] for each in wire.send("Page.getInstallabilityErrors")["installabilityErrors"]] in (
        [],
        ["in-incognito"],  # as the windows of tests are
    )
    for size in (192, 512):
        icon = player.context.request.get(f"{server.url}/assets/icon-{size}.png")
        assert icon.headers["content-type"] == "image/png"
        assert icon.body()[16:24] == size.to_bytes(4, "big") * 2


def test_without_a_connection_the_page_says_what_it_knew_and_goes_on(
    browser: "Browser", alone: Served, axe: str
) -> None:
    player = Person(browser, alone, alone.token("player", combatants=("ana",))[0], **PHONE)
    gm = Person(browser, alone, alone.token("gm")[0])
    for line in ("i ana15 ogre9", "next", "ogre -11"):
        gm.tell(line)
    player.sees_all()
    ready(player)
    until_kept(player.page, "bloodied")
    alone.stop()
    player.page.goto(f"{alone.url}/e/ford", wait_until="commit")
    player.page.wait_for_selector("#known table")
    text = player.page.inner_text("main")
    assert "No connection" in text
    assert "The ford" in text
    assert "a moment ago" in text
    assert "Your turn" in text
    assert "Round 1" in text
    rows = [row.inner_text().split("\t") for row in player.page.locator("tbody tr").all()]
    assert rows == [["Ana (yours) (acts)", "14/14", ""], ["Ogre", "bloodied", ""]]
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        player.page.emulate_media(color_scheme=scheme)
        player.page.evaluate(axe)
        assert player.page.evaluate(BARRIERS) == []
    with served(alone.folder, port=alone.port):
        player.page.wait_for_selector("#state li[data-who=ana]", state="attached", timeout=15_000)
    assert not player.said or all(line.startswith("Failed to load") for line in player.said), player.said
    for one in (player, gm):
        one.context.close()


def test_of_a_gm_nothing_is_kept_and_of_a_player_no_token_and_no_secret(joins: Joins, server: Served) -> None:
    gm = joins("gm", by="gm")
    token, _ = server.token("player", combatants=("ana",))
    player = joins("player", combatants=("ana",))
    gm.tell('secret join "Wraith of Oz" foes hp=31')
    gm.page.clock.install()
    gm.tell("ana -3")
    player.sees_all()
    for one in (gm, player):
        ready(one)
    until_kept(player.page, "11/14")
    gm.page.clock.run_for(1_000)
    gm.page.evaluate(KEPT_LAST)
    assert known(gm.page) == {}
    for one in (gm, player):
        kept = one.page.evaluate(EVERYTHING)
        cookies = [each["value"] for each in one.context.cookies()]
        assert cookies
        assert not [text for _, text in kept if "Wraith" in text or any(each in text for each in (*cookies, token))]
        assert {path for path, _ in kept if path.startswith("/assets/")} == {
            "/assets/offline.html",
            "/assets/offline.js",
            "/assets/service.css",
            "/assets/icon.svg",
        }
    assert {path for path, _ in player.page.evaluate(EVERYTHING)} >= {f"/e/{server.name}"}


def test_what_was_kept_goes_with_the_link(joins: Joins, server: Served) -> None:
    """At once where the page is open, else as soon as it is opened again."""
    for is_open in (True, False):
        player = joins("player", combatants=("ana",))
        ready(player)
        until_kept(player.page, "14/14")
        if not is_open:
            player.page.goto("about:blank")
        for token in server.shelf.tokens.all():
            if token.encounter == server.name:
                server.shelf.tokens.revoke(token.id, current_time())
        if is_open:
            until(player.page, lambda found: not found)
        else:
            player.page.goto(f"{server.url}/e/{server.name}")
            assert "not invited" in player.page.inner_text("main")
            until(player.page, lambda found: not found)


def test_what_was_kept_goes_after_twelve_hours_or_when_another_joins(joins: Joins, server: Served) -> None:
    player = joins("player", combatants=("ana",))
    ready(player)
    until_kept(player.page, "14/14")
    player.page.goto(f"{server.url}/")
    older = """(hours) => caches.open("known").then(async (cache) => {
      for (const request of await cache.keys()) {
        const found = await (await cache.match(request)).json();
        await cache.put(request, new Response(JSON.stringify({ ...found, at: Date.now() - hours * 3600e3 })));
      }
    })"""
    player.page.evaluate(older, 11.9)
    player.page.reload()
    assert len(known(player.page)) == 1
    player.page.evaluate(older, 12.1)
    player.page.reload()
    assert known(player.page) == {}
    player.page.goto(f"{server.url}/e/{server.name}")
    until_kept(player.page, "14/14")
    player.page.goto(f"{server.url}/join#{server.token('gm')[0]}")
    player.page.get_by_role("button", name="Join").click()
    player.page.wait_for_selector("#next")
    assert known(player.page) == {}


def test_as_an_app_the_first_page_goes_on_to_the_only_encounter(joins: Joins, server: Served) -> None:
    player = joins("player", combatants=("ana",))
    until_kept(player.page, "14/14")
    player.page.evaluate("caches.open('known').then((cache) => cache.put('/e/another', new Response('{\"at\": 0}')))")
    player.page.goto(f"{server.url}/")
    until(player.page, lambda found: len(found) == 1)
    assert list(known(player.page)) == [f"/e/{server.name}"]
    player.page.goto("about:blank")
    player.page.goto(f"{server.url}/#app")
    player.page.wait_for_selector("#state li[data-who=ana]", state="attached")
    player.page.click("#menu-button")
    player.page.click("#menu-items a:text-is('All encounters')")
    player.page.wait_for_selector(".encounters")


def test_a_browser_that_may_install_nothing_shows_the_page_as_ever(browser: "Browser", alone: Served) -> None:
    """Without TLS, browsers give pages of other machines neither workers nor caches."""
    context = browser.new_context()
    context.add_init_script(
        "delete window.caches; delete Navigator.prototype.serviceWorker; if ('caches' in window) delete Window.prototype.caches;"
    )
    page = context.new_page()
    page.clock.install()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{alone.url}/join#{alone.token('player', combatants=('ana',))[0]}")
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector("#state li[data-who=ana]", state="attached")
    assert page.evaluate("[typeof caches, typeof navigator.serviceWorker]") == ["undefined", "undefined"]
    page.clock.run_for(1_000)
    page.goto(f"{alone.url}/")
    expect(page.locator(".encounters a")).to_have_count(1)
    assert said == []
    context.close()
