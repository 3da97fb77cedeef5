"""A whole fight by mouse alone, from the first page to the replay: only names and numbers are typed."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.evening import Evening, evening
from tests.browser.support import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def adds(gm: "Page", who: str, points: int, ac: int) -> None:
    for field, text in (("newcomer", who), ("hp", str(points)), ("ac", str(ac))):
        gm.fill(f"#{field}", text)
    gm.click("#send")
    gm.wait_for_selector(f"#state [data-who={who.lower()}]")
    gm.wait_for_function("() => document.getElementById('newcomer').value === ''")


def chooses(gm: "Page", who: str) -> None:
    gm.click(f"#state [data-who={who}] .name")
    gm.wait_for_selector(f"#state [data-who={who}].chosen")


def strikes(
    gm: "Page",
    deed: str,
    target: str,
    *,
    hit: int | None = None,
    die: int,
    damage: int | None = None,
    misses: bool = False,
) -> None:
    """Attack from the card with a roll of the table; whether it misses is asked where the game does not decide it."""
    gm.click(f"#card .deed:has-text('{deed}')")
    gm.click(f"[data-target={target}]")
    if hit is not None:
        gm.get_by_label("bonus to hit").fill(str(hit))
    gm.get_by_label("d20").fill(str(die))
    if damage is not None:
        gm.locator(".blow").get_by_label("damage", exact=True).fill(str(damage))
    gm.click(".blow button:text-is('Record')")
    if misses:
        gm.click(".blow button:text-is('It misses')")
    gm.wait_for_selector(".blow", state="detached")


def saves(gm: "Page", name: str, save: str, needed: int, dice: str, *targets: str) -> None:
    """Let the targets save against a spell with dice that are rolled here; it deals damage by dice."""
    gm.click("#card .deed:has-text('Spell or saves')")
    for who in targets:
        gm.click(f"[data-target={who}]")
    blow = gm.locator(".blow")
    blow.get_by_label("name").fill(name)
    blow.locator("select").first.select_option(save)
    blow.get_by_label("needed").fill(str(needed))
    blow.get_by_label("damage dice").fill(dice)
    gm.click("#roll-here")
    gm.wait_for_selector(".blow", state="detached")


def initiatives(gm: "Page", **totals: int) -> None:
    for who, total in totals.items():
        gm.fill(f"[data-roll={who}]", str(total))
    gm.click("#send")
    gm.wait_for_selector("#initiative", state="hidden")


def corrects(gm: "Page", words: str, number: int, then: str) -> None:
    gm.locator("#events details:not([open]) > summary").evaluate_all("those => those.forEach((each) => each.click())")
    gm.click(f"#events li:has-text('{words}') > .correct >> nth=-1")
    gm.wait_for_function("() => /^amend /.test(document.getElementById('line').value)")
    gm.keyboard.type(str(number))
    gm.wait_for_selector("#difference :text('Changes:')")
    gm.click("#send")
    gm.wait_for_selector(f"#answer:has-text('{then}')")


def reveals(gm: "Page", who: str) -> None:
    chooses(gm, who)
    gm.click("#reveal")
    gm.wait_for_selector("#events :text('is revealed')", state="attached")


def ends(one: Evening, player: "Page", first: str, folder: Path) -> None:
    """End the fight, look at each view of it, export it; whoever opens it afterwards begins with the first act."""
    gm = one.gm
    gm.click("#menu-button")
    gm.click("#fight-ends")
    gm.wait_for_selector("#totals td")
    assert "Mira and Brand" in gm.inner_text("#summary")
    assert "after 2 rounds" in gm.inner_text("#summary")
    for view, words in (("timeline", "Timeline of round 2"), ("findings", "Findings"), ("replay", "What happened")):
        gm.click(f"[data-view={view}]")
        gm.wait_for_selector(f"h2:has-text('{words}'):visible")
    gm.click("[data-step=round][data-by='-1']")
    gm.click("[data-step=event][data-by='1']")
    expect(gm.locator("#moment")).to_contain_text("Round 2")
    player.wait_for_selector("#clock:has-text('The fight is over')")
    one.reads_like_a_table(gm, player)
    story = one.export("Story as Markdown", folder).read_text("utf-8")
    assert "### Round 2" in story
    page = one.browser.new_page()
    page.goto(one.export("Replay as a page", folder).as_uri())
    player.reload()
    for each in (page, player):
        expect(each.locator("#says")).to_have_text(first)
    expect(player.locator("body")).to_have_attribute("data-view", "replay")
    one.reads_like_a_table(page)
    gm.goto(f"{one.server.url}/")
    gm.wait_for_selector(".encounters li:has-text('over after 2 rounds')")


def test_a_whole_fight_of_the_fifth_edition_by_mouse_alone(browser: "Browser", tmp_path: Path) -> None:
    with evening(browser, tmp_path / "campaign") as one:
        mira = mill_begins(one)
        mill_1(one, mira)
        mill_2(one, mira)
        ends(one, mira, "Mira casts burning hands on goblin-1 and goblin-2", tmp_path)


def test_a_whole_fight_of_osric_by_mouse_alone(browser: "Browser", tmp_path: Path) -> None:
    with evening(browser, tmp_path / "campaign") as one:
        mira = crypt_begins(one)
        crypt_1(one, mira)
        crypt_2(one, mira)
        ends(one, mira, "Mira casts web on Ghoul (time 2)", tmp_path)


def mill_begins(one: Evening) -> "Page":
    """Open it; everybody joins, the ogre in secret once it is noticed; the first turn begins."""
    gm = one.gm
    one.opens("The mill", "5e")
    gm.click("[data-start=party]")
    adds(gm, "Mira", 22, 13)
    adds(gm, "Brand", 24, 15)
    gm.click("#joining .done")
    gm.click("[data-start=monsters]")
    gm.fill("#search", "gob")
    gm.fill("#how-many", "2")
    gm.click("[data-monster=goblin]")
    gm.wait_for_selector("#state [data-who=goblin-2]")
    gm.fill("#search", "ogre")
    gm.click("[data-monster=ogre]")
    gm.click("#keep-secret")  # it was clicked too soon
    gm.wait_for_selector("#state [data-who=ogre] .own:text-is('hidden')")
    gm.click("#joining .done")
    mira = one.phone("mira")
    assert "ogre" not in mira.content().lower()
    gm.click("[data-start=round].main")
    gm.click("[data-start=initiative].main")
    initiatives(gm, **{"mira": 18, "goblin-1": 15, "goblin-2": 15, "brand": 9, "ogre": 3})
    gm.click("[data-start=begin].main")
    gm.wait_for_selector("#state [data-who=mira][aria-current=true]")
    return mira


def mill_1(one: Evening, mira: "Page") -> None:
    """Round 1: a spell with saves, hits and misses."""
    gm = one.gm
    saves(
        gm, "burning hands", "dexterity", 30, "3", "goblin-1", "goblin-2"
    )  # nobody saves: the needed number is too high
    one.sees(gm, "goblin-1", "4/7")
    one.wait(mira, "Mira casts burning hands on goblin-1 and goblin-2")
    one.next("goblin-1")
    strikes(gm, "Scimitar", "brand", die=15, damage=5)
    one.sees(gm, "brand", "19/24")
    one.next("goblin-2")
    one.next("brand")
    strikes(gm, "Weapon attack", "goblin-1", hit=5, die=15, damage=4)
    gm.wait_for_selector("#fallen:has-text('goblin-1')")
    one.next("ogre")
    strikes(gm, "Greatclub", "mira", die=2)


def mill_2(one: Evening, mira: "Page") -> None:
    """Round 2: a condition, an act, the hidden one revealed, a correction."""
    gm = one.gm
    one.next("mira", "Round 2")
    chooses(gm, "brand")
    gm.click("[data-kind=condition]")
    gm.click("[data-condition=prone]")
    gm.wait_for_selector("#state [data-who=brand] .chip:has-text('prone')")
    gm.click("[data-kind=acts]")
    gm.click("#choices button:text-is('dodge')")
    gm.click("#send")
    one.wait(gm, "Mira dodges")
    reveals(gm, "ogre")
    one.wait(mira, "ogre is revealed")
    one.next("goblin-2")
    strikes(gm, "Scimitar", "brand", die=14, damage=6)
    one.sees(gm, "brand", "13/24")
    corrects(gm, "Brand takes 6 damage", 7, "Brand takes 7 damage")
    one.sees(gm, "brand", "12/24")
    one.next("brand")


def crypt_begins(one: Evening) -> "Page":
    """Open it; everybody joins by name, the ghast in secret once it is noticed; round 1 begins."""
    gm = one.gm
    one.opens("The crypt", "osric")
    gm.click("[data-start=party]")
    adds(gm, "Mira", 9, 7)
    adds(gm, "Brand", 14, 4)
    gm.click("#joining .done")
    gm.click("[data-start=monsters]")
    adds(gm, "Ghoul", 8, 6)
    adds(gm, "Ghast", 12, 4)
    gm.click("#keep-secret")  # it was sent too soon
    gm.wait_for_selector("#state [data-who=ghast] .own:text-is('hidden')")
    gm.click("#joining .done")
    mira = one.phone("mira")
    assert "ghast" not in mira.content().lower()
    gm.click("[data-start=surprise]")
    gm.click("[data-start=round].main")
    gm.wait_for_selector("#clock:has-text('Round 1')")
    return mira


def crypt_1(one: Evening, mira: "Page") -> None:
    """Round 1: a spell is declared, and goes off; its target saves."""
    gm = one.gm
    chooses(gm, "mira")
    gm.click("[data-kind=declares]")
    gm.click("#choices button:text-is('cast')")
    gm.click("#line")
    gm.keyboard.press("End")
    gm.keyboard.type("web 2 ")
    gm.click("#state [data-who=ghoul] .name")
    gm.click("#send")
    one.wait(gm, "Mira will cast web on Ghoul")
    gm.click("[data-start=initiative].main")
    initiatives(gm, party=6, foes=3)
    gm.click("[data-start=begin].main")
    gm.wait_for_selector("#clock:has-text('segment 3')")
    gm.click("#declared")
    gm.wait_for_selector("#state [data-who=mira] .chip:has-text('casting web')")
    chooses(gm, "brand")
    strikes(gm, "Weapon attack", "ghoul", hit=1, die=15, damage=3)
    one.sees(gm, "ghoul", "5/8")
    one.next(clock="segment 5")
    gm.click("#goes-off")
    one.wait(gm, "web from Mira")
    chooses(gm, "mira")
    saves(gm, "web", "spell", 30, "2", "ghoul")  # it cannot save: the needed number is too high
    one.sees(gm, "ghoul", "3/8")
    one.wait(mira, "spell save")
    one.next(clock="segment 6")
    chooses(gm, "ghast")
    strikes(gm, "Weapon attack", "brand", hit=2, die=3, misses=True)
    one.next(clock="Round 2")


def crypt_2(one: Evening, mira: "Page") -> None:
    """Round 2: the hidden one is revealed, a condition, a correction."""
    gm = one.gm
    reveals(gm, "ghast")
    one.wait(mira, "Ghast is revealed")
    gm.click("#menu-button")
    gm.click("#roll-initiative")
    initiatives(gm, party=4, foes=1)
    one.next(clock="segment 1")
    chooses(gm, "brand")
    strikes(gm, "Weapon attack", "ghast", hit=1, die=16, damage=5)
    one.sees(gm, "ghast", "7/12")
    chooses(gm, "ghoul")
    gm.click("[data-kind=condition]")
    gm.click("[data-condition=prone]")
    gm.wait_for_selector("#state [data-who=ghoul] .chip:has-text('prone')")
    corrects(gm, "Ghast takes 5 damage", 6, "Ghast takes 6 damage")
    one.sees(gm, "ghast", "6/12")
    one.next(clock="segment 4")
    chooses(gm, "ghast")
    strikes(gm, "Weapon attack", "brand", hit=2, die=17, damage=4)
    one.sees(gm, "brand", "10/14")
