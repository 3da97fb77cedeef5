"""The page of an encounter: how much its code is, that it makes no markup of text, and how it takes in what is new."""

import gzip
import json
import re
from typing import Any

import httpx
import pytest

from encounterlog.exporters import html
from encounterlog.service import live
from tests.encounterlog.service.conftest import Table
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import append, encounter


def test_the_code_of_the_page_is_below_68_kb_as_it_is_sent() -> None:
    frames = (
        live.read_source(f"../templates/{name}.html") for name in ("encounter", "form", "card_controls", "master")
    )
    parts = (
        live.page_script(),
        live.page_style(),
        live.read_source("vendor/preact.js"),
        html.read_source("controls.html"),
        *frames,
    )
    assert sum(len(gzip.compress(each.encode())) for each in parts) < 68_000
    assert len(gzip.compress(live.later_script().encode())) < 8_500  # what is fetched once it is looked at


def test_assets_are_packed_for_who_takes_that(server: Served) -> None:
    url = f"{server.url}/assets/encounter.js"
    packed, plain = (httpx.get(url, headers={"accept-encoding": each}) for each in ("br, gzip;q=0.5", "gzip;q=0"))
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text == live.page_script()


def test_nothing_on_the_page_makes_markup_or_code_of_text() -> None:
    words = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "import {")
    later = live.later_script().removeprefix(live.LIBRARY).partition("/assets/encounter.js")[2]
    assert [word for word in words if word in live.page_script().removeprefix(live.LIBRARY) + later] == []


def test_what_is_fetched_later_takes_what_it_needs_and_no_more() -> None:
    given = re.search(r"export \{ ([^}]*) \};\n?$", live.page_script())
    taken = re.search(r"import \{ ([^}]*) \} from \"/assets/encounter.js\";", live.later_script())
    assert given is not None
    assert taken is not None
    assert given[1] == taken[1]
    assert {"data", "element", "followers", "shown"} <= {*given[1].split(", ")}


def test_what_a_browser_installs_needs_no_token(server: Served) -> None:
    manifest = httpx.get(f"{server.url}/assets/app.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    assert (manifest.json()["start_url"], manifest.json()["scope"]) == ("/#app", "/")
    for each in manifest.json()["icons"]:
        icon = httpx.get(server.url + each["src"])
        assert (icon.status_code, icon.headers["content-type"]) == (200, each["type"])
    worker = httpx.get(f"{server.url}/assets/worker.js")
    assert worker.headers["service-worker-allowed"] == "/"
    assert "service-worker-allowed" not in httpx.get(f"{server.url}/assets/install.js").headers
    assert "manifest-src 'self'; worker-src 'self'" in worker.headers["content-security-policy"]


def test_another_shell_is_another_version_of_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    before = live.service_worker()
    source = live.read_source
    monkeypatch.setattr(
        live, "read_source", lambda name: source(name) + ("// more\n" if name.endswith("offline.js") else "")
    )
    assert live.service_worker() != before
    assert "$version" not in before


LINES = (
    "i ana15 ogre9", "next", "ana hits ogre -3", "ogre is prone for 2r", "secret ogre hits bo -2", "strike 8", "u", "r", "join Cay party hp=9",
)  # fmt: skip


def taken(page: dict[str, Any], news: dict[str, Any]) -> dict[str, Any]:
    """Return a page as live.js makes it of what is new."""
    assert news["since"] == page["head"]
    made: dict[str, Any] = page | news["values"]
    for name, (stays, rows) in news["rows"].items():
        made[name] = page.get(name, [])[:stays] + rows
    return made


def filled(page: dict[str, Any]) -> dict[str, Any]:
    """Return a page without the fields that are empty, which are left out of a whole one."""
    return {name: value for name, value in page.items() if value not in ("", [], {}, None, False)}


@pytest.mark.slow
@pytest.mark.parametrize("role", ["gm", "player", "spectator"])
def test_a_page_that_takes_in_what_is_new_is_the_page_that_is_loaded_then(table: Table, role: str) -> None:
    client = getattr(table, role)
    address = str(client.base_url).replace("/v1/encounters/", "/e/") + "data"
    page = client.get(address).json()
    for line in LINES:
        done = table.gm.post("lines", json={"line": line})
        assert done.status_code == 201, (line, done.text)
        page = taken(page, client.get(address, params={"since": page["head"]}).json())
        assert filled(page) == filled(client.get(address).json()), line


@pytest.mark.slow
def test_what_is_new_is_small_and_all_is_told_of_an_unknown_end(table: Table) -> None:
    address = str(table.gm.base_url).replace("/v1/encounters/", "/e/") + "data"
    facts = [{"type": "damage_dealt", "target": "ogre", "amount": 1, "source": "bo"}] * 150
    assert table.gm.post("records", json=facts).status_code == 201
    page = table.gm.get(address).json()
    assert table.gm.post("lines", json={"line": "ana -1"}).status_code == 201
    told = table.gm.get(address, params={"since": page["head"]})
    assert len(told.content) < 20_000
    for other in ("1:" + "0" * 64, "x", "999:" + page["head"].partition(":")[2]):
        assert "since" not in table.gm.get(address, params={"since": other}).json()
    assert len(table.gm.get(address).content) > len(told.content)


def test_a_card_has_the_others_in_the_order_in_which_they_joined(table: Table) -> None:
    log, others = table.served.folder / "prone.jsonl", [f"orc-{number}" for number in range(9)]
    encounter("new", log, "--ruleset", "5e")
    facts: list[Any] = [
        {"type": "combatant_joined", "combatant": who, "side": who, "sheet": {"hp": 9}} for who in ("ana", *others)
    ]
    facts.append({"type": "condition_gained", "targets": ["ana"], "condition": "prone"})
    append(log, "\n".join(map(json.dumps, facts)))
    with table.served.client(table.served.token("gm", "prone")[0], "") as client:
        assert [*client.get("/e/prone/card?who=ana").json()["leans"][""]] == others
