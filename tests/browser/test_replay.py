"""The HTML replay in a browser: every state, every control, nothing asked for, nothing run, no barrier."""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from encounterlog.log.logs import LogView
from projections.folds.addresses import address_index
from projections.rulesets import find, keys
from tests.browser.conftest import FOUGHT, Open
from tests.browser.support import BARRIERS, expect, expected, exported, longest, read, walk
from tests.encounterlog.attacks import hostile
from tests.encounterlog.support import log_of, opened, quarrel
from tests.projections.stage import scripts

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 780}}
AUDIT = "async (part) => (await axe.run(part ?? document, { rules: { region: { enabled: true } } })).violations.map(each => `${each.id}: ${each.nodes.map(node => node.target).join(' ')}`)"


def key(page: "Page", *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


def where(page: "Page") -> int:
    return int(page.input_value("#slider"))


def crowd(count: int, rounds: int, turns: int = 0) -> list[dict[str, Any]]:
    """Return a fight of many with long names, some of them from right to left; all act in a round, or so many."""
    names = [
        f"{'שרה בת אברהם' if n % 2 else 'Ruprecht Archibald von und zu Hohenlohe-Langenburg'} {n}" for n in range(count)
    ]
    found: list[dict[str, Any]] = [
        {"type": "combatant_joined", "combatant": f"c-{n}", "name": name, "side": "party", "sheet": {"hp": 99}}
        for n, name in enumerate(names)
    ]
    for number in range(1, rounds + 1):
        found.append({"type": "round_started", "round": number})
        for n in (place % count for place in range(number, number + (turns or count))):
            found.append({"type": "turn_started", "combatant": f"c-{n}"})
            found.append({"type": "damage_dealt", "target": f"c-{(n + 1) % count}", "amount": 1})
    return found


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return the function that exports a fight of a crowd, each once for all tests."""
    folder = tmp_path_factory.mktemp("crowds")

    @cache
    def of(count: int, rounds: int, turns: int) -> Path:
        log = folder / f"{count}-{rounds}-{turns}.jsonl"
        return exported(log_of(log, crowd(count, rounds, turns), "plain"))

    return of


# ---------------------------------------------------------------- states


@pytest.mark.parametrize("key_", [key for key in keys() if scripts(key)])
def test_every_event_shows_the_state_of_show_forwards_and_backwards(folder: Path, show: Open, key_: str) -> None:
    log = longest(key_, folder)
    views, notable = expected(LogView(str(log))), address_index(find(key_).addresses).notable
    page = show(exported(log))
    key(page, "Home")
    seen = [read(page), *walk(page, "ArrowRight")]
    assert [one["seq"] for one in seen if one["seq"] in views] == list(views)
    for one in seen[1:]:
        of_all = {who: {f: v for f, v in fields.items() if f not in notable} for who, fields in one["who"].items()}
        assert {"order": one["order"], "who": of_all} == views[one["seq"]], f"event {one['seq']}"
    assert walk(page, "ArrowLeft") == seen[-2::-1]


def test_a_page_plays_a_deed_at_a_time_from_the_beginning_to_a_summary(folder: Path, show: Open) -> None:
    page = show(exported(log_of(folder / "o.jsonl", ORDERED, "plain")), "#")
    assert "1 of 11" in page.inner_text("#moment")
    expect(page.locator("#summary")).to_be_hidden()
    page.select_option("#speed", "4")
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Pause")
    page.wait_for_selector("#deed:text('orc takes 9 damage: 0 of 9, down')")
    page.wait_for_selector("#play:text('Play')")
    assert [row.split("\t") for row in page.locator("#totals tr").all_inner_texts()][3] == [
        "orc",
        "0",
        "9",
        "0",
        "0 of 9 hp, down",
    ]
    page.click("#turning a")
    assert "11 of 11" in page.inner_text("#moment")
    page.click("#lanes .mark.damage")
    expect(page.locator("#meaning")).to_have_text("damage: −9")


ORDERED: list[dict[str, Any]] = [
    *({"type": "combatant_joined", "combatant": who, "side": side, "sheet": {"hp": 9}} for who, side in (("ana", "party"), ("bo", "party"), ("orc", "foes"))),
    {"type": "round_started", "round": 1},
    *({"type": "initiative_rolled", "combatant": who, "total": total} for who, total in (("ana", 5), ("bo", 12), ("orc", 8))),
    {"type": "turn_started", "combatant": "bo"},
    {"type": "condition_gained", "targets": ["ana"], "condition": "prone", "duration": {"amount": 2, "unit": "round"}},
    {"type": "damage_dealt", "target": "orc", "amount": 9},
]  # fmt: skip


@pytest.mark.parametrize("size", list(SIZES))
def test_one_list_has_the_order_with_all_that_is_known_of_each(folder: Path, show: Open, size: str) -> None:
    page = show(exported(log_of(folder / "a.jsonl", ORDERED, "plain")), viewport=SIZES[size])
    expect(page.locator("#clock")).to_have_text("Round 1, turn of bo")
    first, second = page.locator("#combatants > li").all()
    assert (first.get_attribute("data-who"), first.get_attribute("aria-current")) == ("bo", "true")
    assert first.locator(".place").inner_text().split() == ["▶", "1", "total", "12"]
    assert (second.get_attribute("data-who"), second.get_attribute("aria-current")) == ("ana", None)
    assert second.locator(".place").inner_text().split() == ["○", "3", "total", "5"]
    assert "prone (2 rounds)" in second.inner_text()
    expect(page.locator("#fallen summary")).to_have_text("Down and out: orc")
    expect(page.locator("[data-who=orc]")).to_be_hidden()
    page.click("#fallen summary")
    assert page.inner_text("[data-who=orc] .points").strip() == "0 of 9 hp"
    key(page, "ArrowLeft")
    expect(page.locator("#fallen")).to_be_hidden()
    expect(page.locator("#combatants > li").nth(1)).to_have_attribute("data-who", "orc")


def test_in_a_game_of_segments_those_stand_out_who_are_due_in_this_one(folder: Path, show: Open) -> None:
    page = show(exported(longest("osric", folder)))
    seen = set[str]()
    for _ in range(int(page.get_attribute("#slider", "max") or 0)):
        seen |= set(page.locator("#state [aria-current] .by").all_inner_texts())
        now = page.inner_text("#clock")
        assert all(
            now.endswith(by.strip()) for by in page.locator("#state [aria-current] .by >> nth=0").all_inner_texts()
        )
        key(page, "ArrowLeft")
    assert len(seen) > 1


# ---------------------------------------------------------------- controls


def test_keys_step_by_event_turn_and_round_both_ways(folder: Path, show: Open) -> None:
    page = show(exported(log_of(folder / "a.jsonl", crowd(3, 3), "plain")))
    last = where(page)
    key(page, "Home")
    assert where(page) == 0
    key(page, "PageDown")
    assert page.inner_text("#moment").startswith("Round 1")
    first = where(page)
    key(page, "Shift+ArrowRight", "Shift+ArrowRight")
    assert "turn of" in page.inner_text("#moment")
    key(page, "Shift+ArrowLeft", "PageUp")
    assert where(page) == first
    key(page, "PageDown", "PageDown")
    assert page.inner_text("#moment").startswith("Round 3")
    key(page, "End")
    assert where(page) == last
    key(page, "ArrowRight", "PageDown")
    assert where(page) == last


def test_the_slider_says_round_and_event(folder: Path, show: Open) -> None:
    page = show(exported(quarrel(folder / "q.jsonl")), "#e12")
    said = page.get_attribute("#slider", "aria-valuetext") or ""
    assert said.startswith("Round 1")
    assert "event 12: " in said
    assert "\u2068" not in said


def test_the_address_names_an_event_and_follows_the_steps(folder: Path, show: Open) -> None:
    page = show(exported(quarrel(folder / "q.jsonl")), "#e12")
    assert read(page)["seq"] == 12
    key(page, "ArrowLeft")
    page.wait_for_url("**#e11")
    page.evaluate("location.hash = '#e5'")
    page.wait_for_selector("#events [aria-current] a[href='#e5']")
    for odd in ("#e99999", "#<img>", "#e-1", "#%00"):
        page.evaluate(f"location.hash = '{odd}'")
        assert read(page)["seq"] == 5


def test_a_value_says_why_to_click_and_keyboard_and_gives_focus_back(folder: Path, show: Open) -> None:
    page = show(exported(quarrel(folder / "q.jsonl")))
    value = page.locator("[data-address='halvaine.hp']")
    value.focus()
    key(page, "Enter")
    said = page.inner_text("#why")
    assert "By the rules" in said
    assert "How it changed" in said
    assert page.evaluate("document.activeElement.id") == "why-title"
    key(page, "Escape")
    expect(page.locator("#why")).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.address") == "halvaine.hp"
    value.click()
    page.click("#because a >> nth=0")
    assert read(page)["seq"] < 20


def test_the_focus_stays_where_it_is_when_the_value_under_it_changes(folder: Path, show: Open) -> None:
    page = show(exported(log_of(folder / "a.jsonl", crowd(3, 2), "plain")))
    page.locator("[data-address='c-0.hp']").focus()
    for _ in range(6):
        key(page, "ArrowLeft")
        assert page.evaluate("document.activeElement.dataset.address") == "c-0.hp"


def test_on_paper_there_is_the_whole_log_and_no_control(folder: Path, show: Open) -> None:
    page = show(exported(log_of(folder / "a.jsonl", crowd(3, 3), "plain")))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    words = page.inner_text("body")
    assert all(f"Round {number}" in words for number in (1, 2, 3))
    expect(page.locator("#slider")).to_be_hidden()
    assert page.pdf()[:5] == b"%PDF-"


# ---------------------------------------------------------------- looks


@pytest.mark.parametrize(
    ("scheme", "size"), list(zip(["light", "dark"], SIZES, strict=True))
)  # colours do not change with the size
def test_axe_finds_no_barrier(folder: Path, show: Open, axe: str, size: str, scheme: str) -> None:
    for log in (quarrel(folder / "q.jsonl"), longest("definition-master", folder), hostile(folder / "h.jsonl")):
        page = show(exported(log), viewport=SIZES[size], color_scheme=scheme)
        page.evaluate(axe)
        assert page.evaluate(AUDIT) == []
        for place, part in ((2, None), (8, "#state")):  # in the middle all is asked for once, then what changed
            page.fill("#slider", str(int(page.get_attribute("#slider", "max") or 0) * place // 10))
            assert page.evaluate(AUDIT, part) == []
        page.locator("button.value:visible").last.click()
        assert page.evaluate(AUDIT, "#why") == []


def test_five_hundred_rounds_of_forty_with_long_names_can_be_looked_at(
    page_of: Callable[..., Path], show: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    file = page_of(40, 500, 2)
    for size, scheme in ((size, scheme) for size in SIZES for scheme in ("light", "dark")):
        page = show(file, viewport=SIZES[size], color_scheme=scheme)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
        with capsys.disabled():
            sys.stderr.write(f"\n500 rounds, {size}, {scheme}: first paint after {paint:.0f} ms\n")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.locator(".lane")).to_have_count(40)
        assert page.evaluate("[...document.querySelectorAll('.lane')].every((each) => each.offsetHeight >= 24)")
        cut = "each => each.scrollHeight > each.clientHeight + 1"
        assert page.evaluate(f"[...document.querySelectorAll('.lane > .name')].filter({cut}).length") == 0
        for button in page.locator(".buttons button").all():
            box = button.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= box["x"] + box["width"] <= SIZES[size]["width"]
            button.click()


def test_an_empty_encounter_and_one_without_a_round_can_be_looked_at(folder: Path, show: Open) -> None:
    page = show(exported(opened(folder / "a.jsonl")))
    key(page, "ArrowRight", "PageDown", "Shift+ArrowLeft", "Home", "End")
    assert read(page) == {"order": [], "who": {}, "seq": 1}
    joined = {"type": "combatant_joined", "combatant": "ana", "sheet": {"hp": 9}}
    page = show(exported(log_of(folder / "b.jsonl", [joined], "plain")))
    assert read(page)["who"]["ana"]["hp"] == "9"


# ---------------------------------------------------------------- attacks


def test_nothing_of_an_attack_runs_or_is_fetched(folder: Path, show: Open) -> None:
    page = show(exported(hostile(folder / "h.jsonl")))
    elements = set(page.evaluate("[...new Set([...document.querySelectorAll('*')].map(each => each.localName))]"))
    assert not elements & {"img", "svg", "iframe", "object", "embed", "form", "base"}
    for _ in range(int(page.get_attribute("#slider", "max") or 0)):
        key(page, "ArrowLeft")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    hrefs = page.evaluate("[...document.querySelectorAll('[href]')].map(each => each.getAttribute('href'))")
    assert all(href.startswith("#") or href == "data:," for href in hrefs)
    handlers = (
        "[...document.querySelectorAll('*')].some(each => each.getAttributeNames().some(name => name.startsWith('on')))"
    )
    assert page.evaluate(handlers) is False
    assert page.evaluate("document.querySelectorAll('script').length") == 2  # said and asked: see the fixture


def test_the_policy_of_the_page_stops_a_script_that_gets_in_all_the_same(folder: Path, show: Open) -> None:
    page = show(exported(quarrel(folder / "q.jsonl")))
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = 1' }))"
    )
    image = "document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.1:9/' }))"
    with page.expect_event("requestfailed") as refused:
        page.evaluate(image)
    assert page.evaluate("globalThis.ran") is None
    assert [each for each in show.said if "Content Security Policy" not in each] == []
    show.said.clear()
    assert refused.value.failure == "csp"
    show.asked.clear()


# ---------------------------------------------------------------- speed


def drawn_by_steps(page: "Page", key: str) -> int:
    """Step with a key from event 200 on, and return the most nodes and attributes that one of the steps changed."""
    page.fill("#slider", "200")
    changed = page.evaluate(
        """(key) => {
      const seen = new MutationObserver(() => {});
      seen.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      return Array.from({ length: 60 }, () => {
        dispatchEvent(new KeyboardEvent('keydown', { key }));
        return seen.takeRecords().reduce((sum, each) => sum + Math.max(1, each.addedNodes.length + each.removedNodes.length), 0);
      });
    }""",
        key,
    )
    assert where(page) == 200 + (60 if key == "ArrowRight" else -60)
    return int(max(changed))


@pytest.mark.parametrize(
    ("combatants", "rounds", "acts", "by"), [(20, 122, 20, "ArrowLeft"), (40, 500, 2, "ArrowRight")]
)
def test_a_step_draws_as_little_in_a_long_log_as_in_a_short_one(
    page_of: Callable[..., Path], show: Open, combatants: int, rounds: int, acts: int, by: str
) -> None:
    """It is counted, not timed: `python -m tests.browser.measured` prints times."""
    short, long = (drawn_by_steps(show(page_of(combatants, many, acts)), by) for many in (rounds // 8, rounds))
    assert 0 < long <= 1.25 * short


def test_effects_on_nobody_stand_below_the_round_and_say_why(folder: Path, show: Open) -> None:
    facts: list[dict[str, Any]] = [
        {"type": "combatant_joined", "combatant": "ana", "name": "Ana", "sheet": {"hp": 9}},
        {"type": "effect_started", "effect": "fog", "source": "ana", "duration": {"amount": 2, "unit": "round"}},
        {"type": "effect_ended", "effect": "fog"},
    ]
    page = show(exported(log_of(folder / "o.jsonl", facts, "plain")))
    expect(page.locator("#effects")).to_be_hidden()
    key(page, "ArrowLeft")
    expect(page.locator("#effects")).to_have_text("Effects on nobody: fog (2 rounds) from Ana")
    page.click("#effects button")
    expect(page.locator("#why-title")).to_have_text("effects on nobody: fog (2 rounds) from Ana")
    key(page, "ArrowLeft")
    expect(page.locator("#effects")).to_be_hidden()


def test_a_deed_is_one_sentence_and_its_facts_fold_out(folder: Path, show: Open, axe: str) -> None:
    log = log_of(folder / "deeds.jsonl", FOUGHT + BLOW, "plain", "The ford")
    page = show(exported(log), "#e1")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    deeds = page.locator("#events > li.deed summary").all_inner_texts()
    assert deeds == ["Ana hits Ogre for 6: 14 of 20"]
    facts = page.locator("#events .deed ol li")
    assert facts.count() == 3
    expect(facts.first).to_be_hidden()
    page.click("#events .deed summary")
    expect(facts.first).to_be_visible()
    page.evaluate(axe)
    assert page.evaluate(BARRIERS) == []
    page.click("#events .deed summary")
    page.evaluate("location.hash = '#e6'")  # an event that is linked to is seen
    page.wait_for_selector("#events [aria-current] a[href='#e6']", state="visible")
    page.keyboard.press("PageUp")
    expect(facts.first).to_be_hidden()


BLOW = """\
{"type":"action_taken","combatant":"ana","action":"attack"}
{"type":"attack_rolled","combatant":"ana","target":"ogre","hit":true,"cause":-1}
{"type":"damage_dealt","target":"ogre","amount":6,"cause":-1}
"""
