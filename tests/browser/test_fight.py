"""Fights on the page by its controls alone: the reference round, as its strokes are counted, and three rounds with players."""

from collections.abc import Callable, Iterable
from functools import partial

import pytest
from msgspec.structs import replace

from benchmarks.keystrokes import FIGHTS, REFERENCE, Stroke, on_the_page, typed
from eventstore.events import Amended, Fact
from eventstore.record import Recorded
from projections.language.notation.records import make_records
from projections.occurrence import Occurrence
from projections.views.steps import steps
from tests.browser.cards import Joins, begins
from tests.browser.person import Person
from tests.browser.support import expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 780}}
SETUP = (FIGHTS / "reference.txt").read_text("utf-8").partition("\n\n")[0]


def do(one: Person, strokes: list[Stroke]) -> None:
    """Click, press and type, from the button for the next turn on; after what sends a line, wait for its answer."""
    one.page.focus("#next")
    for kind, on in strokes:
        if kind == "click":
            one.choose(on)
        elif kind == "button":
            sends(one, partial(one.page.click, f"#{on}"))
        elif kind == "type":
            one.page.keyboard.type(on)
        else:
            press(one, on)


def press(one: Person, key: str) -> None:
    typing = one.page.evaluate("document.activeElement.matches('input:not([type=checkbox])')")
    if key != "Enter" and (typing or key not in "ruen"):
        one.page.keyboard.press(key)
        if key == "m" and not typing:  # what stands there is asked for
            one.page.wait_for_function("() => /^amend \\d+ ./.test(document.getElementById('line').value)")
        return
    sends(one, partial(one.page.keyboard.press, key))


def sends(one: Person, does: Callable[[], None]) -> None:
    one.page.evaluate("document.getElementById('answer').replaceChildren()")
    does()
    one.page.wait_for_selector("#answer pre, #answer .wrong")
    assert one.page.locator("#answer .wrong").count() == 0, one.page.inner_text("#answer")
    one.sees_all()


def facts(server: Served) -> list[Fact]:
    return [record.event for record in server.shelf.store(server.name).read() if record.event]


def test_the_reference_round_on_the_page_records_what_its_lines_do(joins: Joins, server: Served) -> None:
    begins(server, "osric", *SETUP.splitlines())
    gm = joins("gm", by="gm")
    do(gm, on_the_page()["reference round"])
    lines = make_records([facts(server)[0], *typed(REFERENCE).typed_facts], 1)
    assert counted(server.shelf.store(server.name).read()) == counted(lines)
    assert [type(each) for each in facts(server)].count(Amended) == 1


def counted(records: Iterable[Recorded]) -> list[tuple[Fact, int | None]]:
    """Return the facts that count, each with the place of its cause: a slip that is corrected counts as one that is taken back and entered again."""
    found: list[Occurrence[Fact]] = []
    steps([*records], None, lambda step, _state: found.append(step.fact))
    places = {fact.seq: place for place, fact in enumerate(found)}
    return [
        (replace(fact.event, cause=None) if hasattr(fact.event, "cause") else fact.event, places.get(fact.cause))
        for fact in found
    ]


def test_damage_to_one_and_the_next_turn_on_the_page(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.tell("i ana15 ogre9")
    do(gm, on_the_page()["next turn"])
    assert "Ana’s turn" in gm.page.inner_text("#clock")
    do(gm, on_the_page()["damage to one"])
    assert gm.points("ogre") == "17 of 20 hp"


def test_two_game_masters_and_two_players_play_three_rounds_on_the_page(joins: Joins, server: Served) -> None:
    gm, second = joins("gm", by="gm"), joins("gm", by="second")
    ann, ben = (joins("player", combatants=(who,), writes=True, how=PHONE) for who in ("ana", "bo"))
    do(gm, strokes("key j", "type bo", "key Tab", "type party", "key Tab", "type 12", "key Enter"))
    do(gm, strokes("key i", "type 15", "key Tab", "type 9", "key Tab", "type 12", "key Enter"))  # ana, ogre, bo
    for number in (1, 2, 3):
        for one, who, amount in ((ann, "ana", "2"), (ben, "bo", "1")):
            do(gm, strokes("key n"))
            one.sees_all()
            expect(one.page.locator("#call")).to_have_text("Your turn")
            one.choose(who)
            one.page.click("[data-kind=acts]")
            one.choose("ogre")
            one.page.keyboard.type(f"-{amount}")
            one.page.keyboard.press("Enter")
            second.page.wait_for_selector("#proposals li")
            second.page.focus("#next")
            second.page.keyboard.press("Shift+Y")
            second.page.wait_for_selector("#proposals", state="hidden")  # decided, and written
            gm.page.wait_for_selector("#proposals", state="hidden")
            gm.sees_all()
        do(gm, strokes("key n", "click ana", "type 1", "key Enter", "key e"))
        assert gm.points("ogre") == f"{20 - 3 * number} of 20 hp"
        if number < 3:
            do(gm, strokes("key r"))
    for one in (ann, ben):
        one.sees_all()
        assert (one.points("ana"), one.points("bo"), one.points("ogre")) == ("11 of 14 hp", "12 of 12 hp", "hurt")
    events = facts(server)
    assert [type(each).__name__ for each in events].count("TurnStarted") == 9
    assert not [each for each in events if type(each).__name__ == "Struck"]


def strokes(*lines: str) -> list[Stroke]:
    return [Stroke(*line.split(" ", 1)) for line in lines]
