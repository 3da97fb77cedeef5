"""The code of the page of an encounter: how much it is, and that it makes no markup of text."""

import pytest

from encounterlog.exporters import html
from encounterlog.service import live


def test_the_code_of_the_page_is_below_150_kb() -> None:
    frames = "".join(map(html.source, ("panes.html", "controls.html")))
    assert len(f"{live.script()}{live.style()}{frames}".encode()) < 150_000


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "import "]
)
def test_nothing_on_the_page_makes_markup_or_code_of_text(word: str) -> None:
    assert word not in live.script()
