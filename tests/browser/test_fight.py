"""Fights on the page by hands alone: the reference round, as its strokes are counted, and three rounds with players."""

from collections.abc import Callable

import pytest

from benchmarks.keystrokes import FIGHTS, REFERENCE, Stroke, by_hands, typed
from eventstore.events import Fact
from tests.browser.person import Person
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import opened

pytestmark = pytest.mark.browser
Joins = Callable[..., Person]
SETUP = (FIGHTS / "reference.txt").read_text("utf-8").partition("\n\n")[0]


def do(one: Person, strokes: list[Stroke]) -> None:
    """Click, press and type, from the button for the next turn on; after what sends a line, wait for its answer."""
    one.page.focus("#next")
    for kind, on in strokes:
        if kind == "click":
            one.page.locator(f"#state [data-who={on}] .standing").click(position={"x": 300, "y": 5})
        elif kind == "type":
            one.page.keyboard.type(on)
        else:
            press(one, on)


def press(one: Person, key: str) -> None:
    typing = one.page.evaluate("document.activeElement.matches('#line-form input')")
    if key != "Enter" and (typing or key not in "ruen"):
        return one.page.keyboard.press(key)
    one.page.evaluate("document.getElementById('answer').replaceChildren()")
    one.page.keyboard.press(key)
    one.page.wait_for_selector("#answer pre, #answer .wrong")
    assert one.page.locator("#answer .wrong").count() == 0, one.page.inner_text("#answer")
    return one.sees_all()


def facts(server: Served) -> list[Fact]:
    return [record.event for record in server.shelf.store(server.name).read() if record.event]


def test_the_reference_round_by_hands_records_what_its_lines_do(joins: Joins, server: Served) -> None:
    (server.folder / f"{server.name}.jsonl").unlink()
    opened(server.folder / f"{server.name}.jsonl", "osric", "The round")
    gm = joins("gm", by="gm")
    for line in SETUP.splitlines():
        gm.tell(line)
    do(gm, by_hands()["reference round"])
    assert facts(server)[1:] == typed(REFERENCE).told


def test_damage_to_one_and_the_next_turn_by_hands(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.tell("i ana15 ogre9")
    do(gm, by_hands()["next turn"])
    assert "turn of Ana" in gm.page.inner_text("#clock")
    do(gm, by_hands()["damage to one"])
    assert gm.points("ogre") == "17 of 20 hp"
