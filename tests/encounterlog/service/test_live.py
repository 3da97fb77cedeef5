"""The code of the page of an encounter: how much it is, and that it makes no markup of text."""

import gzip
import re

import httpx
import pytest

from encounterlog.exporters import html
from encounterlog.service import live
from tests.encounterlog.service.served import Served


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


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "import {"]
)
def test_nothing_on_the_page_makes_markup_or_code_of_text(word: str) -> None:
    assert word not in live.page_script().removeprefix(live.LIBRARY)
    later = live.later_script().removeprefix(live.LIBRARY)
    assert word not in later.partition("/assets/encounter.js")[2]


def test_what_is_fetched_later_takes_what_it_needs_and_no_more_is_open_than_that() -> None:
    given = re.search(r"export \{ ([^}]*) \};\n?$", live.page_script())
    taken = re.search(r"import \{ ([^}]*) \} from \"/assets/encounter.js\";", live.later_script())
    assert given is not None
    assert taken is not None
    assert given[1] == taken[1]
    assert {"data", "element", "followers", "shown"} <= {*given[1].split(", ")}


def test_what_a_browser_installs_needs_no_token_and_may_answer_for_the_pages(server: Served) -> None:
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
    live.service_worker.cache_clear()
    try:
        assert live.service_worker() != before
        assert "$version" not in before
    finally:
        live.service_worker.cache_clear()
