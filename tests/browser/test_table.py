"""The page of a service in Chromium: what a game master types is followed by players, who never receive a secret."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import log_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana","side":"party","sheet":{"hp":14}}
{"type":"combatant_joined","combatant":"ogre","name":"Ogre","side":"foes","sheet":{"hp":20}}
{"type":"round_started","round":1}
"""
QUARREL = ("i ana15 ogre9", "ana hits ogre -6", "ogre hits ana -9", "ana -3")
SECRET = "Wraith of Oz"


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
        self.page.goto(f"{url or server.url}/join#ford:{token}")
        self.page.get_by_role("button", name="Join").click()
        self.page.wait_for_selector("#slider[aria-valuetext]")

    def _keep(self, response: Any) -> None:
        if response.status == 200 and "events" not in response.url:
            self.received.append(response.body())

    def tell(self, line: str) -> None:
        """Type a line, and wait until it is written."""
        from playwright.sync_api import expect

        self.page.fill("#line", line)
        self.page.press("#line", "Enter")
        expect(self.page.locator("#line")).to_have_value("")
        self.sees_all()

    def sees_all(self, page: "Page | None" = None) -> None:
        """Wait until a page of this person, by default the first, shows the log to its end."""
        from playwright.sync_api import expect

        end = str(self._server.shelf.store("ford").head())
        expect((page or self.page).locator("#head")).to_have_text(end, timeout=15_000)

    def told(self) -> list[str]:
        """Return the sentences of the log that is shown."""
        found: list[str] = self.page.locator("#events li").all_inner_texts()
        return found

    def points(self, who: str) -> str:
        """Return the hit points that are shown of somebody."""
        found: str = self.page.locator(f"#state li[data-who={who}] .points").text_content() or ""
        return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain", "The ford")
    with served(tmp_path) as found:
        yield found


NGINX = """\
daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass {behind}; proxy_set_header Host $http_host; }} }}
}}
"""
"""Debian's nginx with its defaults, buffering among them; that it passes on the host's name, every site needs."""


@pytest.fixture
def nginx(server: Served, tmp_path: Path) -> Iterator[str]:
    """Run nginx before the service, and return its address."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "nginx is missing: apt-get install nginx-light"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path / "nginx"
    folder.mkdir()
    folder.joinpath("nginx.conf").write_text(NGINX.format(folder=folder, port=port, behind=server.url), "utf-8")
    process = subprocess.Popen(
        [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    )
    try:
        for _ in range(100):
            with socket.socket() as there:
                if there.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def joins(browser: "Browser", server: Served) -> Iterator[Callable[..., Person]]:
    """Return the function with which somebody joins; afterwards no page may have complained."""
    people: list[Person] = []

    def join(role: Any, *, url: str = "", how: dict[str, Any] | None = None, **given: Any) -> Person:
        person = Person(browser, server, server.token(role, **given)[0], url, **(how or {}))
        people.append(person)
        return person

    yield join
    for each in people:
        assert [line for line in each.said if not line.startswith("Failed to load")] == []
        each.context.close()


def test_a_player_follows_what_the_game_master_types_and_receives_no_byte_of_a_secret(
    joins: Callable[..., Person],
) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",))
    gm.tell(f'secret join "{SECRET}" foes hp=31')
    for line in QUARREL:
        gm.tell(line)
    gm.tell("secret wr hits ana -2")
    player.sees_all()
    assert SECRET in gm.page.content()
    assert gm.points("ana") == "0 of 14 hp"
    assert player.points("ana") == "2 of 14 hp"
    assert player.page.locator("#combatants .name").first.inner_text().startswith("Ana")
    assert "yours" in player.page.locator("#combatants li").first.inner_text()
    assert any("ogre" in line.lower() and "9" in line for line in player.told())
    assert len(player.received) > 5
    assert not [body for body in player.received if b"Wraith" in body or b"wraith" in body]


def test_what_is_wrong_with_a_line_stands_below_it_and_the_line_stays(joins: Callable[..., Person]) -> None:
    gm = joins("gm", by="gm")
    gm.page.fill("#line", "ana hits ogrre -6")
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong")
    assert "ogre" in gm.page.locator("#answer").inner_text()
    assert gm.page.input_value("#line") == "ana hits ogrre -6"


def test_who_writes_second_keeps_the_line_and_sees_what_came_between(
    joins: Callable[..., Person], server: Served
) -> None:
    gm = joins("gm", by="gm")
    gm.context.set_offline(True)  # the page does not hear of what comes
    token, _ = server.token("gm", by="other")
    with server.client(token) as other:
        assert other.post("/lines", content="ana -1", headers={"content-type": "text/plain"}).status_code == 201
    gm.page.fill("#line", "ana -2")
    gm.page.route("**/events*", lambda route: route.abort())
    gm.page.route("**/data", lambda route: route.abort())
    gm.context.set_offline(False)
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong")
    assert "Somebody else wrote first" in gm.page.locator("#answer").inner_text()
    assert gm.page.input_value("#line") == "ana -2"


def test_a_connection_that_was_cut_is_taken_up_again_without_a_gap_or_a_double(joins: Callable[..., Person]) -> None:
    gm, player = joins("gm", by="gm"), joins("spectator")
    gm.tell("i ana15")
    player.sees_all()
    player.context.set_offline(True)
    gm.tell("i ogre9")
    gm.tell("ana hits ogre -6")
    player.context.set_offline(False)
    gm.tell("ogre hits ana -4")
    player.sees_all()
    assert player.told() == gm.told()


def test_two_tabs_of_one_browser_share_one_stream(joins: Callable[..., Person], server: Served) -> None:
    gm, player = joins("gm", by="gm"), joins("spectator")
    second = player.context.new_page()
    second.goto(f"{server.url}/e/ford")
    second.wait_for_selector("#slider[aria-valuetext]")
    player.page.wait_for_timeout(3_000)
    gm.tell("i ana15")
    for page in (player.page, second):
        player.sees_all(page)
    player.page.wait_for_timeout(1_500)
    held = "performance.getEntriesByType('resource').filter((each) => each.name.includes('/events')).length"
    assert sum(page.evaluate(held) for page in (player.page, second)) <= 1


def test_the_page_has_no_barriers_and_no_sideways_scroll_on_a_phone(joins: Callable[..., Person], axe: str) -> None:
    for scheme in ("light", "dark"):
        gm = joins("gm", by="gm", how={"viewport": {"width": 360, "height": 740}, "color_scheme": scheme})
        gm.tell("i ana15")
        assert gm.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        gm.page.evaluate(axe)
        assert gm.page.evaluate("axe.run().then((result) => result.violations.map((each) => each.id))") == []


def test_without_javascript_the_state_is_there(server: Served) -> None:
    token, _ = server.token("spectator")
    with server.client(token, encounter="") as client:
        text = client.get("/e/ford").text
    still = text[text.index("<noscript>") : text.index("</noscript>")]
    assert "<h2>Round 1</h2>" in still
    assert "<td><bdi></bdi></td><td><bdi>Ana</bdi></td>" in still
    assert "<td><bdi>14 of 14</bdi></td>" in still


def test_behind_nginx_with_its_defaults_news_come_at_once(joins: Callable[..., Person], nginx: str) -> None:
    gm, player = joins("gm", by="gm", url=nginx), joins("player", combatants=("ana",), url=nginx)
    for line in QUARREL:
        gm.tell(line)
    player.sees_all()
    assert player.told() == gm.told()
