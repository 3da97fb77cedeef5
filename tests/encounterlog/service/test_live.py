"""The code of the page of an encounter: how much it is, and that it makes no markup of text."""

import gzip

import httpx
import pytest

from encounterlog.exporters import html
from encounterlog.service import live
from tests.encounterlog.service.served import Served


def test_the_code_of_the_page_is_below_185_kb_and_below_60_as_it_is_sent() -> None:
    frames = map(live._source, ("table.html", "form.html", "hands.html", "master.html", "page.html"))
    parts = (live.script(), live.style(), live.library(), html.source("controls.html"), *frames)
    assert sum(len(each.encode()) for each in parts) < 185_000
    assert sum(len(gzip.compress(each.encode())) for each in parts) < 60_000


def test_assets_are_packed_for_who_takes_that(server: Served) -> None:
    url = f"{server.url}/assets/encounter.js"
    packed, plain = (httpx.get(url, headers={"accept-encoding": each}) for each in ("br, gzip;q=0.5", "gzip;q=0"))
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text == live.script()


def test_what_is_left_of_a_script_without_its_comments_is_what_it_was() -> None:
    assert (
        live._bare("/* a\n b */\nconst a = 1; // no\n  /** c */\n  const b = '/* d */';\n")
        == "const a = 1; // no\nconst b = '/* d */';\n"
    )


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "import "]
)
def test_nothing_on_the_page_makes_markup_or_code_of_text(word: str) -> None:
    assert word not in live.script().removeprefix(live.LIBRARY)
