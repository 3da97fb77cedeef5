"""A fight of three people in three browsers with dice that nobody can doubt, checked by page, command and independent verifier."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.conftest import FOUGHT, Open
from tests.browser.person import Person
from tests.browser.support import expect, exported, tells
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import append, encounter
from tests.eventstore import dice_verifier

pytestmark = pytest.mark.browser


@pytest.fixture
def log(server: Served) -> Path:
    path = server.folder / f"{server.name}.jsonl"
    path.unlink()
    made = encounter("new", path, "--ruleset", "plain", "--title", "The ford", "--option", "others=recorded")
    assert made.exit_code == 0
    append(path, FOUGHT)
    assert encounter("dice", path, "start").exit_code == 0
    return path


def says(page: object) -> str:
    return page.locator("#dice summary").text_content() or ""  # type: ignore[attr-defined]


def test_three_people_fight_in_three_browsers_with_proven_dice(
    log: Path, server: Served, joins: Callable[..., Person], show: Open, tmp_path: Path
) -> None:
    gm = joins("gm", by="gm")
    ana = joins("player", combatants=("ana",), by="ana", writes=True)
    bo = joins("player", combatants=("ana",), by="bo", writes=True)
    tells(server, '" Let the dice fall.')
    for person in (ana, bo):
        person.hears()  # and so is asked for words
    ana.tell("ana ogre d20+5 d8")
    gm.tell("ogre ana d20+5 d4")
    bo.tell("ana ogre d20+5 d8")
    gm.tell("secret ogre saves will d20 dc=15")
    gm.tell("ogre ana d20+5 d4")
    for person in (gm, ana, bo):
        person.sees_all()
    drawn = [json.loads(line)["event"] for line in log.read_text().splitlines() if '"dice_drawn"' in line]
    assert [event.get("giver") for event in drawn[:2]] == ["ana", "ana"]
    givers = [event.get("giver") for event in drawn]
    assert (givers.count(None), {*givers} - {None} <= {"ana", "bo"}) == (
        1,
        True,
    )  # of the secret roll players know nothing
    expect(gm.page.locator("#dice summary")).to_have_text(
        "Dice: 8 proven, 1 bound, 0 typed; this page has checked every roll"
    )
    expect(ana.page.locator("#dice summary")).to_have_text(
        "Dice: 8 proven, 0 bound, 0 typed; this page has checked every roll"
    )

    done = encounter("verify", log, "--dice")
    assert (done.exit_code, done.stdout.count("right, proven"), done.stdout.count("right, bound")) == (0, 8, 1)
    assert list(dice_verifier.complaints(log.read_text().splitlines())) == []
    copy = tmp_path / "fight.jsonl"
    copy.write_bytes(log.read_bytes())
    page = show(exported(copy))
    assert says(page) == "Dice: 8 proven, 1 bound, 0 typed; this page has checked every roll"


@pytest.fixture
def fought(tmp_path: Path) -> Path:
    path = tmp_path / "ford.jsonl"
    encounter("new", path, "--ruleset", "plain")
    encounter("dice", path, "start", "--seed", "ford")
    lines = {
        "one": "join Bo heroes hp=20",
        "two": "join Kex foes hp=20",
        "three": "b k d20+5 d8",
        "four": "b k d20+5 d8",
    }
    for word, line in lines.items():
        assert encounter("add", "--word", f"ana:{word}", path, line).exit_code == 0
    return path


def test_an_exported_page_proves_its_own_dice_without_a_network(fought: Path, show: Open) -> None:
    page = show(exported(fought))
    assert says(page) == "Dice: 4 proven, 0 bound, 0 typed; this page has checked every roll"
    page.locator("#dice summary").click()
    first = page.locator("#dice li").first.inner_text()
    assert re.fullmatch(r"roll 1, d20 \d+ \(event \d+\): right, proven by a word of ana", first)


EDITS = {
    "an edited face": (r'("notation":"d8","hidden":false,"event":\d+,"faces":)\[\d\]', r"\1[9]", "the chain gives"),
    "another secret": (r'"link":"[0-9a-f]{8}', '"link":"00000000', "of another secret"),
    "another word": (r'"word":"three"', '"word":"better"', "the chain gives"),
}


@pytest.mark.parametrize(("wanted", "instead", "sentence"), EDITS.values(), ids=EDITS)
def test_the_page_says_what_is_wrong_with_dice_in_it(
    fought: Path, show: Open, wanted: str, instead: str, sentence: str
) -> None:
    made = exported(fought)
    text, times = re.subn(wanted, instead, made.read_text("utf-8"), count=1)
    assert times == 1
    made.write_text(text, "utf-8")
    page = show(made)
    assert "fault" in says(page)
    page.locator("#dice summary").click()
    assert sentence in page.locator("#dice ol").inner_text()


def test_the_page_says_if_a_word_was_used_before(fought: Path, show: Open) -> None:
    assert encounter("add", "--word", "ana:three", fought, "k b d20").exit_code == 0
    page = show(exported(fought))
    assert "4 proven, 0 bound, 0 typed; 1 fault" in says(page)
    page.locator("#dice summary").click()
    assert "its word was used before" in page.locator("#dice ol").inner_text()


def test_a_page_without_a_chain_says_nothing_of_dice(tmp_path: Path, show: Open) -> None:
    path = tmp_path / "ford.jsonl"
    encounter("new", path, "--ruleset", "plain")
    encounter("add", path, "join Bo heroes hp=20")
    expect(show(exported(path)).locator("#dice")).to_be_hidden()


def test_a_page_says_if_its_person_did_not_give_the_word_that_is_told(log: Path, joins: Callable[..., Person]) -> None:
    ana = joins("player", combatants=("ana",), by="ana", writes=True)
    ana.tell("ana ogre d20+5 d8")
    assert encounter("add", "--word", "ana:forged", log, "ogre ana d20+5 d4").exit_code == 0
    ana.sees_all()
    expect(ana.page.locator("#dice summary")).to_have_text("Dice: 2 proven, 0 bound, 0 typed; 2 faults")
    assert "this browser did not give it" in (ana.page.locator("#dice ol").text_content() or "")
