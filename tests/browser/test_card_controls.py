"""Hands on the page of an encounter: clicks and keys that write lines of notation, which are shown before they are sent."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.cards import Joins
from tests.browser.person import Person
from tests.browser.support import expect, tells
from tests.encounterlog.attacks import ATTACKS
from tests.encounterlog.service.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.browser

CLICKS = """() => {
  window.clicks = 0;
  addEventListener('click', (event) => { if (event.isTrusted && event.detail) window.clicks += 1; }, true);
}"""
"""Counts the clicks of a mouse from now on."""


def clicks(one: Person) -> int:
    found: int = one.page.evaluate("window.clicks")
    return found


def row(one: Person, who: str) -> "Locator":
    return one.page.locator(f"#state [data-who='{who}']")


def kinds(server: Served) -> list[str]:
    return [type(record.event).__name__ for record in server.shelf.store(server.name).read()][4:]


def test_next_is_one_click_and_leaves_alone_what_is_being_typed(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.tell("i ana15 ogre9")
    gm.page.evaluate(CLICKS)
    gm.page.fill("#line", "ana hi")
    expect(gm.page.locator("#next")).to_have_text("Next")
    gm.page.click("#next")
    gm.page.wait_for_selector("#answer :text('turn of Ana')")
    gm.sees_all()
    assert clicks(gm) == 1
    expect(row(gm, "ana")).to_have_attribute("aria-current", "true")
    expect(gm.page.locator("#line")).to_have_value("ana hi")
    gm.page.locator("#next").focus()
    gm.page.keyboard.press("n")
    gm.page.wait_for_selector("#state [data-who=ogre][aria-current]")


@pytest.mark.parametrize(
    ("those", "key", "typed", "line"),
    [
        (("ana", "ogre"), "d", ["3"], "ana,ogre -3"),
        (("ana",), "h", ["4"], "ana +4"),
        (("ana",), "t", ["5"], "ana +5t"),
        (("ana", "ogre"), "c", ["prone", "Tab", "2"], "ana,ogre is prone for 2r"),
        (("ana",), "c", ["on fire"], 'ana is "on fire"'),
        (("ogre",), "l", [], "ogre leaves"),
    ],
)
def test_rows_are_chosen_with_the_keyboard_and_a_letter_says_what_happens(
    joins: Joins, server: Served, those: tuple[str, ...], key: str, typed: list[str], line: str
) -> None:
    gm = joins("gm", by="gm")
    gm.page.locator("#next").focus()
    gm.page.keyboard.press("d")  # nobody is chosen: it leads to the first row
    assert gm.page.evaluate("document.activeElement.closest('[data-who]').dataset.who") == "ana"
    for who in those:
        row(gm, who).locator("input").focus()
        gm.page.keyboard.press("Space")
    gm.page.keyboard.press(key)
    for each in typed:
        gm.page.keyboard.press(each) if each == "Tab" else gm.page.keyboard.type(each)
    expect(gm.page.locator("#line")).to_have_value(line)
    assert kinds(server) == []
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#answer pre")
    gm.sees_all()
    assert len(kinds(server)) == (2 if key == "d" else 1)


def test_escape_lets_go_and_a_line_that_was_being_typed_comes_back(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.page.fill("#line", "ana hits og")
    gm.choose("ogre")
    gm.page.keyboard.type("7")
    expect(gm.page.locator("#line")).to_have_value("ogre -7")
    gm.page.keyboard.press("Escape")
    expect(gm.page.locator("#card-controls")).to_be_hidden()
    expect(gm.page.locator("#line")).to_have_value("")
    gm.page.keyboard.press("/")
    gm.page.keyboard.press("ArrowUp")
    expect(gm.page.locator("#line")).to_have_value("ana hits og")


def test_what_was_cannot_be_changed_and_a_button_leads_back_to_now(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.choose("ogre")
    gm.page.click("#events li:has-text('Ogre') a")
    expect(gm.page.locator("#card-controls")).to_be_hidden()
    expect(gm.page.locator("#next")).to_be_disabled()
    gm.page.click("#now-again")
    expect(gm.page.locator("#card-controls")).to_be_visible()
    expect(gm.page.locator("#next")).to_be_enabled()


def test_a_player_who_may_write_has_hands_for_own_rows_and_no_next(joins: Joins, server: Served) -> None:
    player, looker = joins("player", combatants=("ana",), writes=True), joins("player", combatants=("ana",))
    player.choose("ogre")
    expect(player.page.locator("#card-controls")).to_be_hidden()
    expect(player.page.locator("#state input")).to_have_count(1)
    expect(player.page.locator("#next, #secret")).to_have_count(0)
    player.choose("ana")
    player.page.keyboard.type("2")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#answer :text('Ana takes 2 damage')")
    assert kinds(server) == ["DamageDealt"]
    expect(looker.page.locator("#line-form, #next, #state input, #grammar")).to_have_count(0)


@pytest.mark.parametrize("name", [*ATTACKS[:4], '"); drop'])
def test_a_name_with_markup_stays_text_wherever_hands_show_it(joins: Joins, server: Served, name: str) -> None:
    gm = joins("gm", by="gm")
    token, _ = server.token("gm", by="other")
    with server.client(token) as other:
        fact = {"type": "combatant_joined", "combatant": "round", "name": name, "side": "foes", "sheet": {"hp": 9}}
        said = {"type": "condition_gained", "condition": name, "targets": ["round"]}
        assert other.post("/records", json=[fact, said]).status_code == 201
    gm.sees_all()
    gm.choose("round")
    gm.page.keyboard.type("4")
    expect(gm.page.locator("#chosen")).to_have_text(name)
    expect(gm.page.locator("#line")).to_have_value(":round -4")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#answer pre")
    gm.sees_all()
    gm.choose("round")
    gm.page.click("[data-kind=condition]")
    gm.page.fill("#condition", name)
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#answer :text('becomes')")
    gm.sees_all()
    expect(
        gm.page.locator("#state :is(img, svg, script), #line-form :is(img, svg, script:not(#grammar))")
    ).to_have_count(0)
    expect(gm.page.locator("[onmouseover], [onerror], [onload]")).to_have_count(0)


def test_the_last_of_thirty_rows_is_reached_with_the_keyboard(joins: Joins, server: Served) -> None:
    gm = joins("gm", by="gm", how={"viewport": {"width": 390, "height": 780}})
    name = "Ruprecht Archibald von und zu Hohenlohe-Langenburg"
    facts = [
        {"type": "combatant_joined", "combatant": f"r-{n}", "name": f"{name} {n}", "sheet": {"hp": 5}}
        for n in range(30)
    ]
    token, _ = server.token("gm", by="other")
    with server.client(token) as other:
        assert other.post("/records", json=facts).status_code == 201
    gm.sees_all()
    gm.page.locator("#combatants input").nth(0).press("Space")
    for _ in range(120):
        gm.page.keyboard.press("Tab")
        if gm.page.evaluate("document.activeElement === [...document.querySelectorAll('#combatants input')].at(-1)"):
            break
    box, line = gm.page.locator(":focus").bounding_box(), gm.page.locator("#line-form").bounding_box()
    assert box is not None
    assert line is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= line["y"]
    assert gm.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---------------------------------------------------------------- the line


def test_the_arrow_keys_bring_back_lines_that_were_written(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.tell("ana -1")
    gm.tell("ogre -2")
    gm.page.fill("#line", "ogre hi")
    seen = []
    for each in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"):
        gm.page.press("#line", each)
        seen.append(gm.page.input_value("#line"))
    assert seen == ["ogre -2", "ana -1", "ana -1", "ogre -2", "ogre hi", "ogre hi"]
    gm.page.press("#line", "ArrowLeft")
    expect(gm.page.locator("#past")).to_be_hidden()  # the caret moved, not the replay


def test_tab_takes_the_first_word_that_fits_and_else_leads_on(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.page.focus("#line")
    gm.page.keyboard.type("og")
    gm.page.wait_for_selector("#words button:has-text('ogre')")
    gm.page.keyboard.press("Tab")
    expect(gm.page.locator("#line")).to_have_value("ogre ")
    gm.page.wait_for_selector("#words button:has-text('attack')")
    gm.page.keyboard.press("Tab")
    assert gm.page.evaluate("document.activeElement.id") == "send"
    gm.page.focus("#line")
    gm.page.fill("#line", "ogre hits a")
    gm.page.click("#words button:has-text('ana')")
    expect(gm.page.locator("#line")).to_have_value("ogre hits ana ")
    gm.page.fill("#line", "ana hits og")
    gm.page.wait_for_selector("#words button:has-text('ogre')")
    gm.page.press("#line", "Enter")
    gm.page.wait_for_selector("#answer .wrong, #answer pre")


# ---------------------------------------------------------------- what a game master does


def will(one: Person) -> str:
    """Return what the page says that the line in the field will record."""
    one.page.wait_for_selector("#will pre")
    said: str = one.page.inner_text("#will")
    return said


def sends(one: Person) -> None:
    one.page.evaluate("document.querySelector('#answer').replaceChildren()")  # the answer to what was sent before
    one.page.keyboard.press("Enter")
    one.page.wait_for_selector("#answer pre")
    one.sees_all()


def test_area_damage_is_halved_for_some_and_is_said_before(joins: Joins, server: Served) -> None:
    gm = joins("gm", by="gm")
    gm.choose("ana", "ogre")
    gm.page.keyboard.type("7")
    gm.page.click("#chosen button:has-text('Ogre')")
    expect(gm.page.locator("#line")).to_have_value("ana -7 ogre -3")
    assert "Ana takes 7 damage" in will(gm)
    assert "Ogre takes 3 damage" in will(gm)
    assert kinds(server) == []
    sends(gm)
    assert (gm.points("ana"), gm.points("ogre")) == ("7 of 14 hp", "17 of 20 hp")


PARTY = """\
side = "party"
[[member]]
name = "Cleo"
sheet = {hp = 11}
[[member]]
name = "Shade"
hidden = true
sheet = {hp = 5}
"""


def test_newcomers_come_by_number_and_file_and_no_hidden_one_is_told(joins: Joins, server: Served) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",))
    gm.page.keyboard.press("j")
    for typed in ("4 goblins", "foes", "5"):
        gm.page.keyboard.type(typed)
        gm.page.keyboard.press("Tab")
    expect(gm.page.locator("#line")).to_have_value("join goblin*4 foes hp=5")
    assert will(gm).count("goblin-") == 4
    gm.page.press("#hp", "Enter")
    gm.page.wait_for_selector("#answer pre")
    gm.sees_all()
    gm.page.keyboard.press("j")
    gm.page.set_input_files("#block", {"name": "party.toml", "mimeType": "text/plain", "buffer": PARTY.encode()})
    gm.page.wait_for_selector("#lineup pre")
    assert gm.page.inner_text("#lineup pre") == "join Cleo party hp=11\nsecret join Shade party hp=5"
    gm.page.click("#tell-all")
    gm.page.wait_for_selector("#answer :text('2 facts written')")
    gm.sees_all()
    gm.tell("ana=9 shade=15")  # in the order, its number would be missing
    gm.page.keyboard.press("Escape")
    gm.page.locator("#next").focus()
    gm.page.keyboard.press("u")
    gm.page.wait_for_selector("#answer :text('struck')")
    gm.sees_all()
    gm.choose("shade")
    gm.page.keyboard.type("2")
    expect(gm.page.locator("#line")).to_have_value("shade -2")
    sends(gm)
    assert "kept from players: Shade is hidden" in gm.page.inner_text("#answer pre")
    assert [*server.shelf.store(server.name).read()][-1].secret
    player.sees_all()
    expect(player.page.locator("#state [data-who]")).to_have_count(7)
    expect(player.page.locator("text=withheld")).to_have_count(0)
    assert not [body for body in player.received if b"wraith" in body or b"Shade" in body]


def test_each_hand_makes_its_line(joins: Joins, server: Served) -> None:
    tells(server, "join orc foes hp=5", "secret join wraith foes hp=9", "i ana=15 ogre=9 orc=7", "ogre is prone")
    gm = joins("gm", by="gm", how={"viewport": {"width": 1280, "height": 1200}})
    seen = []
    for those, kind, choice in [
        (("ogre",), "order", "earlier"), (("ogre",), "order", "later"), (("ogre",), "order", "delays"),
        (("ogre", "orc"), "leaves", ""), (("ogre",), "condition", "no longer prone"), (("wraith",), "sight", ""),
        (("ogre", "orc"), "sight", ""), (("ana",), "acts", ""), (("ana",), "declares", ""),
    ]:  # fmt: skip
        gm.choose(*those)
        gm.page.click(f"[data-kind={kind}]")
        if choice:
            gm.page.click(f"#choices button:text-is('{choice}')")
        seen.append(gm.page.input_value("#line"))
        gm.page.keyboard.press("Escape")
    assert seen == [
        "i ogre=16", "i ogre=6", "ogre delays", "ogre,orc leaves", "ogre not prone", "reveal wraith",
        "ogre,orc is hidden", "ana ", "d ana ",
    ]  # fmt: skip
    gm.choose("ana")
    gm.page.click("[data-kind=acts]")
    gm.choose("ogre")  # the target
    gm.page.keyboard.type("14 6")
    expect(gm.page.locator("#line")).to_have_value("ana ogre 14 6")
    sends(gm)
    assert gm.points("ogre") == "14 of 20 hp"


def test_a_character_at_0_hit_points_stays_and_a_foe_is_folded_away(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    gm.tell("ana -14")
    gm.tell("ogre -20")
    assert row(gm, "ana").locator("xpath=ancestor::details").count() == 0
    assert row(gm, "ogre").locator("xpath=ancestor::details").count() == 1
