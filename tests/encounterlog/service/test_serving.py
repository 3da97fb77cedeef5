"""Where a service is: a link that is made beside the logs leads to the one that runs, or it is said that this is not known."""

import re
import signal
from pathlib import Path

import httpx
import pytest

from encounterlog.places import serving
from encounterlog.places.serving import FILE, find_service_url
from eventstore.disk import MACHINE
from tests.encounterlog.service.served import served
from tests.encounterlog.support import encounter
from tests.encounterlog.terminals import CTRL_C, Terminal
from tests.few import few
from tests.waiting import LONGEST

UNKNOWN = "it is not known where it is served"
HERE = "this link is for this machine alone"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "campaign").mkdir()
    assert encounter("new", tmp_path / "campaign" / "ford.jsonl", "--ruleset", "plain").exit_code == 0
    return tmp_path / "campaign"


def invited(folder: Path, *options: str) -> tuple[str, str]:
    done = encounter("invite", folder / "ford.jsonl", "--role", "spectator", *options)
    assert done.exit_code == 0, done.output
    return done.stdout.partition("/join#ford:")[0], done.stderr


def test_a_link_leads_to_the_running_service_and_to_none_once_it_ended(folder: Path) -> None:
    with served(folder) as one:
        base, says = invited(folder)
        assert (base, HERE in says, UNKNOWN in says) == (one.url, True, False)
        assert invited(folder, "--url", "https://table.example/")[0] == "https://table.example"
        assert one.stop() == 0
    base, says = invited(folder)
    assert (base, UNKNOWN in says) == ("http://127.0.0.1:8317", True)
    assert not (folder / FILE).exists()


@pytest.mark.slow
def test_what_a_killed_service_left_behind_is_not_believed(folder: Path) -> None:
    with served(folder) as one:
        one.stop(signal.SIGKILL)
    assert (folder / FILE).read_text() == f"{one.url}\n"
    assert UNKNOWN in invited(folder)[1]
    with served(folder) as next_one:
        assert invited(folder)[0] == next_one.url


@pytest.mark.slow
def test_of_several_services_of_a_folder_the_first_is_found(folder: Path) -> None:
    with served(folder) as one, served(folder) as other:
        assert invited(folder)[0] == one.url != other.url
        one.stop()
        assert UNKNOWN in invited(folder)[1]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "base", "note"), [
    (("--url", "https://table.example/"), "https://table.example", ""),
    (("--proxy", "127.0.0.1"), "http://127.0.0.1:{port}", "where a proxy stands before the service"),
])  # fmt: skip
def test_a_link_begins_with_what_others_reach(folder: Path, options: tuple[str, ...], base: str, note: str) -> None:
    with served(folder, *options) as one:
        link, says = invited(folder)
        assert link == base.format(port=one.port)
        assert note.format(port=one.port) in says
        assert (HERE in says) is bool(note)


@few(1, "options", [("--lan",), ("--lan", "--host", "0.0.0.0")])
def test_in_the_network_of_the_table_a_link_names_an_address_there(
    folder: Path, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(folder, *options) as one:
        link, says = invited(folder)
        near = serving.address_in_network()
        assert link == f"http://{near or '127.0.0.1'}:{one.port}"
        assert (HERE in says) is not bool(near)
        assert httpx.get(f"{link}/healthz").status_code == 200
        monkeypatch.setattr(serving, "address_in_network", lambda: "")  # as without a network
        link, says = invited(folder)
        assert link == one.url
        assert f"--url http://ADDRESS:{one.port}" in says
        one.stop()
        assert any(f"http://{near}:{one.port}" in line for line in one.journal) is bool(near)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["text", "link", "folder"])
def test_what_somebody_else_put_there_is_left_alone(folder: Path, kind: str) -> None:
    place, other = folder / FILE, folder.parent / "other.txt"
    other.write_text("mine\n")
    if kind == "text":
        place.write_text("mine\n")
    elif kind == "link":
        place.symlink_to(other)
    else:
        place.mkdir()
    with served(folder):
        assert UNKNOWN in invited(folder)[1]
    assert other.read_text() == "mine\n"
    assert place.is_dir() if kind == "folder" else place.read_text() == "mine\n"


def test_only_an_address_of_the_web_is_believed(folder: Path) -> None:
    for says, url in (("javascript:alert(1)", ""), ("http://127.0.0.1:1", "http://127.0.0.1:1")):
        (folder / FILE).write_text(f"{says}\n")
        with (folder / FILE).open() as file:
            MACHINE.try_lock(file.fileno(), shared=False)  # as a service does while it runs
            assert find_service_url(folder) == url
        assert find_service_url(folder) == ""


@few(1, ("options", "base"), [
    ((), "http://127.0.0.1:"),
    (("--lan",), "http://127.0.0.1:"),
    (("--url", "https://table.example/"), "https://table.example/"),
])  # fmt: skip
def test_at_a_terminal_a_link_opens_the_first_page_once(folder: Path, options: tuple[str, ...], base: str) -> None:
    first = Terminal("serve", folder, "--port", 0, "--log-requests", *options, columns=200)
    try:
        said = first.until(r"shown only this once: http\S+/join#:\S+")
        (port,) = re.findall(r"serving .*:(\d+); Ctrl-C ends", said)
        link, _, token = said.rpartition("#:")
        assert link.rpartition(" ")[2].startswith(base)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONGEST) as browser:
            answer = browser.post("/join", data={"token": f":{token}"})
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            kept = answer.headers["set-cookie"].partition(";")[0]  # one for https is not sent by itself
            assert "ford" in browser.get("/", headers={"cookie": kept}).text
        first.sends(CTRL_C)
        assert first.end() == 0
        assert token not in (first.child.before or "")
    finally:
        first.close()
    if options:  # they change where the link leads, not when it is shown
        return
    again = Terminal("serve", folder, "--port", 0, columns=200)
    try:
        again.until("Ctrl-C ends")
        again.sends(CTRL_C)
        assert again.end() == 0
        assert "join#" not in (again.child.before or "")
    finally:
        again.close()


def test_where_the_output_goes_to_a_log_no_link_or_token_is_printed(folder: Path) -> None:
    with served(folder) as one:
        token = next(line for line in one.said if "operator token" in line).split()[-1]
        with one.client(encounter="") as browser:
            assert browser.post("/join", data={"token": f":{token}"}).status_code == 303
            assert browser.get("/").status_code == 200
        one.stop()
    assert not any("join#" in line for line in one.said)
    assert any("/join" in line for line in one.journal)
    assert not any(token in line for line in one.journal)
