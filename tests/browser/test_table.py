"""The page of a service in Chromium: what a game master types is followed by players, who never receive a secret."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.person import Person
from tests.browser.support import expect
from tests.encounterlog.service.served import Served
from tests.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser

QUARREL = ("i ana15 ogre9", "ana hits ogre -6", "ogre hits ana -9", "ana -3")
SECRET = "Wraith of Oz"


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
        until(lambda: answers(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def answers(port: int) -> bool:
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0


def test_a_player_follows_the_game_master_and_receives_no_secret_byte(joins: Callable[..., Person]) -> None:
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


def test_who_writes_second_keeps_the_line_and_sees_what_came_between(
    joins: Callable[..., Person], server: Served
) -> None:
    gm = joins("gm", by="gm")
    token, _ = server.token("gm", by="other")

    def write_first(route: "Route") -> None:  # the line is on its way, and says which records its writer has seen
        with server.client(token) as other:
            assert other.post("/lines", content="ana -1", headers={"content-type": "text/plain"}).status_code == 201
        route.continue_()

    gm.page.route("**/lines", write_first, times=1)  # not lines?dry=1, which asks while somebody types
    gm.page.fill("#line", "ana -2")
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong")
    assert "Another person wrote first" in gm.page.locator("#answer").inner_text()
    expect(gm.page.locator("#line")).to_have_value("ana -2")


def test_a_cut_connection_is_taken_up_again_without_gap_or_double(joins: Callable[..., Person]) -> None:
    gm, player = joins("gm", by="gm"), joins("spectator")
    gm.tell("i ana15")
    player.sees_all()
    player.context.set_offline(True)
    gm.tell("i ogre9")
    gm.tell("ana hits ogre -6")
    player.context.set_offline(False)
    gm.tell("ogre hits ana -4")
    player.sees_all()
    assert player.told()[3:] == gm.told()[3:]  # how many points the ogre has, only one of them knows


def test_two_tabs_of_one_browser_share_one_stream(joins: Callable[..., Person], server: Served) -> None:
    gm, player = joins("gm", by="gm"), joins("spectator")
    gm.tell("i ana15")
    player.sees_all()  # by the stream that it holds
    second = player.context.new_page()
    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url))
    second.clock.install()
    second.goto(f"{server.url}/e/{server.name}")
    second.wait_for_selector("#slider[aria-valuetext]", state="attached")
    for _ in range(2):
        gm.tell("ana -1")
        player.sees_all(second)  # by the news of the other tab
        second.clock.run_for(3_000)
    assert any(url.endswith(".js") for url in asked)
    assert [url for url in asked if "/events" in url] == []


def test_without_javascript_the_state_is_there(server: Served) -> None:
    token, _ = server.token("spectator")
    with server.client(token, encounter="") as client:
        text = client.get(f"/e/{server.name}").text
    still = text[text.index("<noscript>") : text.index("</noscript>")]
    assert "<h2>Round 1</h2>" in still
    assert "<td><bdi></bdi></td><td><bdi>Ana</bdi></td>" in still
    assert "<td><bdi>14 of 14</bdi></td>" in still


def test_behind_nginx_with_its_defaults_news_come_at_once(joins: Callable[..., Person], nginx: str) -> None:
    gm, player = joins("gm", by="gm", url=nginx), joins("player", combatants=("ana",), url=nginx)
    for line in QUARREL:
        gm.tell(line)
    player.sees_all()
    assert player.told()[3:] == gm.told()[3:]  # how many points the ogre has, only one of them knows
