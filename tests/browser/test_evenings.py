"""Two whole fights without a terminal: from `encounter serve` on an empty folder to the exported story, by a game master and two phones."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.evening import Evening, evening
from tests.browser.support import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def test_three_rounds_of_the_fifth_edition_from_the_empty_folder_to_the_story(
    browser: "Browser", tmp_path: Path
) -> None:
    with evening(browser, tmp_path / "campaign") as one:
        ana, bo = mill_begins(one)
        mill_1(one, ana, bo)
        mill_2(one, bo)
        mill_3(one, ana)
        mill_ends(one, ana, bo, tmp_path)


def test_three_rounds_of_osric_from_the_empty_folder_to_the_story(browser: "Browser", tmp_path: Path) -> None:
    with evening(browser, tmp_path / "campaign") as one:
        mira, brand = crypt_begins(one)
        crypt_1(one, mira, brand)
        crypt_2(one, brand)
        crypt_3(one, mira, brand)
        crypt_ends(one, tmp_path)


# ---------------------------------------------------------------- the old mill, in the fifth edition


def mill_begins(one: Evening) -> "tuple[Page, Page]":
    """Open it, add the party and the monsters, invite the players, roll initiative."""
    gm = one.gm
    one.opens("The old mill", "5e")
    one.adds("party", ("Ana", "31", "ac=14 weapon=longsword"), ("Bo", "24", "ac=13 weapon=mace"))
    gm.click("[data-start=monsters]")
    gm.fill("#search", "gob")
    gm.fill("#how-many", "3")
    gm.click("[data-monster=goblin]")
    gm.wait_for_selector("#state [data-who=goblin-3]")
    gm.fill("#search", "og")
    gm.click("[data-monster=ogre]")
    gm.wait_for_selector("#state [data-who=ogre]")
    gm.click("#joining .done")
    ana, bo = one.phone("ana"), one.phone("bo")
    gm.click("[data-start=round].main")
    gm.click("[data-start=initiative].main")
    for who, total in (("ana", "18"), ("bo", "12"), ("goblin-1", "15"), ("goblin-2", "10"), ("goblin-3", "5")):
        gm.fill(f"[data-roll={who}]", total)
    gm.fill("[data-roll=ogre]", "8")
    gm.keyboard.press("Enter")
    gm.click("[data-start=begin].main")
    gm.wait_for_selector("#state [data-who=ana][aria-current=true]")
    return ana, bo


def mill_1(one: Evening, ana: "Page", bo: "Page") -> None:
    """Round 1: a player attacks, a goblin hits, a player casts, dice are rolled here."""
    gm = one.gm
    ana.wait_for_selector("#call.acting")
    one.hits(ana, "longsword", "goblin-1", "15", "6")
    one.accepts()
    one.sees(gm, "goblin-1", "1/7")
    one.wait(ana, "Ana hits goblin-1 for 6")
    one.next("goblin-1")
    one.hits(gm, "Scimitar", "ana", "14", "5")
    one.sees(gm, "ana", "26/31")
    one.next("bo")
    bo.wait_for_selector("#call.acting")
    bo.fill("#line", "bo casts bless on ana and bo")
    bo.press("#line", "Enter")
    one.accepts()
    gm.wait_for_selector("#state [data-who=ana] .chip:has-text('bless')")
    one.next("goblin-2")
    gm.click("#card .deed:has-text('Shortbow')")
    gm.click("[data-target=ana]")
    gm.click("#roll-here")
    gm.wait_for_selector("#answer .rolled")
    one.next("ogre")
    one.hits(gm, "Greatclub", "bo", "13", "11")
    one.sees(gm, "bo", "13/24")
    bo.wait_for_selector("#card .points:has-text('13')")
    one.reads_like_a_table(gm, ana, bo)
    one.next("goblin-3")


def mill_2(one: Evening, bo: "Page") -> None:
    """Round 2: an area of which one takes half, a phone without a connection, one who joins in secret, a condition, a correction."""
    gm = one.gm
    one.next("ana", "Round 2")
    gm.click("#state [data-who=goblin-1] .name")
    for who in ("goblin-2", "goblin-3"):
        gm.locator(f"#state [data-who={who}] input").check()
    gm.fill("#with", "burning hands")
    gm.fill("#amount", "12")
    gm.click("#chosen button:has-text('goblin-3')")
    gm.press("#amount", "Enter")
    one.sees(gm, "goblin-3", "1/7")
    expect(gm.locator("#with")).to_have_value("")
    bo.context.set_offline(True)
    bo.fill("#line", "bo attack mace ogre 17 7")
    gm.check("#secret")
    gm.fill("#line", "join wraith foes hp=30")
    gm.press("#line", "Enter")
    gm.wait_for_selector("#state [data-who=wraith] .own:text-is('hidden')")
    expect(gm.locator("#secret")).not_to_be_checked()
    one.next("bo")
    bo.context.set_offline(False)
    bo.wait_for_selector("#call.acting")
    expect(bo.locator("#line")).to_have_value("bo attack mace ogre 17 7")
    bo.press("#line", "Enter")
    one.accepts()
    one.sees(gm, "ogre", "52/59")
    gm.click("#state [data-who=bo] .name")
    gm.keyboard.press("c")
    gm.fill("#lasts", "2")
    gm.click("[data-condition=prone]")
    gm.wait_for_selector("#state [data-who=bo] .chip:has-text('prone (2 rounds)')")
    one.next("ogre")
    one.hits(gm, "Greatclub", "bo", "19", "13")
    gm.wait_for_selector("#state [data-who=bo] .not-up")
    gm.click("#events li:has-text('Bo takes 13 damage') > .correct >> nth=-1")
    gm.wait_for_function("() => /^amend /.test(document.getElementById('line').value)")
    gm.keyboard.type("12")
    gm.wait_for_selector("#difference :text('Bo, hp: 0 → 1')")
    gm.keyboard.press("Enter")
    gm.wait_for_selector("#answer:has-text('Bo takes 12 damage (bludgeoning 12)')")
    one.sees(gm, "bo", "1/24")
    one.next("goblin-3")


def mill_3(one: Evening, ana: "Page") -> None:
    """Round 3: the last ones fall; the other views."""
    gm = one.gm
    one.next("ana", "Round 3")
    gm.click("#state [data-who=goblin-3] .name")
    gm.click("[data-damage='3']")
    gm.wait_for_selector("#fallen:has-text('goblin-3')")
    gm.click("#state [data-who=ogre] .name")
    gm.fill("#amount", "52")
    gm.press("#amount", "Enter")
    gm.wait_for_selector("#fallen:has-text('Ogre')")
    one.sees(ana, "bo", "1/24")
    assert "wraith" not in ana.content()
    for view, words in (("timeline", "Timeline of round 3"), ("findings", "Findings"), ("replay", "What happened")):
        gm.click(f"[data-view={view}]")
        gm.wait_for_selector(f"h2:has-text('{words}'):visible")
    gm.click("[data-view=table]")


def mill_ends(one: Evening, ana: "Page", bo: "Page", folder: Path) -> None:
    """The fight ends with its story, and is exported."""
    gm = one.gm
    gm.click("#menu-button")
    gm.click("#fight-ends")
    gm.wait_for_selector("#totals td")
    said = gm.inner_text("#summary")
    assert "Ana’s burning hands kills goblin-1 and goblin-2" in said
    assert "after 3 rounds" in said
    ana.wait_for_selector("#clock:has-text('The fight is over')")
    expect(ana.locator("#call")).to_have_text("")
    one.reads_like_a_table(gm, ana, bo)
    story = one.export("Story as Markdown", folder).read_text("utf-8")
    assert "Ana hits goblin-1 for 6: 1 of 7" in story
    page = one.browser.new_page()
    page.goto(one.export("Replay as a page", folder).as_uri())
    page.wait_for_selector("#tale:has-text('Ana and Bo against')")
    one.reads_like_a_table(page)
    gm.goto(f"{one.server.url}/")
    gm.wait_for_selector(".encounters li:has-text('The old mill'):has-text('over after 3 rounds')")


# ---------------------------------------------------------------- the crypt, in OSRIC


def crypt_begins(one: Evening) -> "tuple[Page, Page]":
    """Open it, add both sides, invite the players; nobody is surprised."""
    gm = one.gm
    one.opens("The crypt", "osric")
    one.adds("party", ("Mira", "9", "weapon=dagger"), ("Brand", "14", "weapon=sword"))
    one.adds("monsters", ("Ogre", "20", "weapon=club"), ("2 ghouls", "8", ""))
    mira, brand = one.phone("mira"), one.phone("brand")
    gm.click("[data-start=surprise]")
    gm.click("[data-start=round].main")
    return mira, brand


def crypt_1(one: Evening, mira: "Page", brand: "Page") -> None:
    """Round 1: a spell is declared, and spoiled before it goes off."""
    gm = one.gm
    gm.wait_for_selector("#card-head h2:has-text('Mira')")
    gm.click("#state [data-who=mira] .name")
    gm.click("[data-kind=declares]")
    gm.keyboard.type("web 3 ")
    gm.click("#state [data-who=ogre] .name")
    gm.press("#line", "Enter")
    one.wait(gm, "Mira will cast web on Ogre")
    gm.click("[data-start=initiative].main")
    gm.fill("[data-roll=party]", "5")
    gm.fill("[data-roll=foes]", "3")
    gm.keyboard.press("Enter")
    gm.click("[data-start=begin].main")
    gm.wait_for_selector("#clock:has-text('segment 3')")
    gm.wait_for_selector("#card-head h2:has-text('Mira')")
    gm.click("#declared")
    gm.wait_for_selector("#state [data-who=mira] .chip:has-text('casting web')")
    one.hits(brand, "sword", "ogre", "14", "6")
    one.accepts()
    one.sees(gm, "ogre", "14/20")
    one.next("ogre", "segment 5")
    one.hits(gm, "club", "mira", "17", "4")
    one.sees(gm, "mira", "5/9")
    gm.wait_for_selector("#state [data-who=mira] .chip:has-text('casting')", state="detached")
    gm.fill("#line", "?mira.casting")
    gm.press("#line", "Enter")
    gm.wait_for_selector("#answer:has-text('web')")
    one.reads_like_a_table(gm, mira, brand)
    one.next(clock="Round 2")


def crypt_2(one: Evening, brand: "Page") -> None:
    """Round 2: a spell goes off in its segment; a blow misses."""
    gm = one.gm
    gm.click("#state [data-who=mira] .name")
    gm.click("[data-kind=declares]")
    gm.keyboard.type("sleep 1 ")
    for who in ("ghoul-1", "ghoul-2"):
        gm.click(f"#state [data-who={who}] .name")
    gm.press("#line", "Enter")
    one.wait(gm, "Mira will cast sleep")
    gm.keyboard.press("i")
    gm.fill("[data-roll=party]", "6")
    gm.fill("[data-roll=foes]", "2")
    gm.keyboard.press("Enter")
    one.next("mira", "segment 2")
    gm.click("#declared")
    gm.wait_for_selector("#state [data-who=mira] .chip:has-text('casting sleep')")
    one.next(clock="segment 3")
    gm.click("#goes-off")
    one.wait(gm, "sleep")
    gm.click("#state [data-who=ghoul-1] .name")
    gm.locator("#state [data-who=ghoul-2] input").check()
    gm.keyboard.press("c")
    gm.click("[data-condition=asleep]")
    gm.wait_for_selector("#state [data-who=ghoul-2] .chip:has-text('asleep')")
    one.hits(brand, "sword", "ogre", "16", "8")
    one.accepts()
    one.sees(gm, "ogre", "6/20")
    one.next("ogre", "segment 6")
    one.hits(gm, "club", "brand", "3", misses=True)
    one.wait(gm, "Ogre misses Brand")
    one.next(clock="Round 3")


def crypt_3(one: Evening, mira: "Page", brand: "Page") -> None:
    """Round 3: a phone sleeps and wakes, and the ogre falls."""
    gm = one.gm
    brand.context.set_offline(True)
    gm.keyboard.press("i")
    gm.fill("[data-roll=party]", "4")
    gm.fill("[data-roll=foes]", "1")
    gm.keyboard.press("Enter")
    one.next("mira", "segment 1")
    brand.context.set_offline(False)
    brand.wait_for_selector("#call.acting")
    one.hits(brand, "sword", "ogre", "18", "9")
    one.accepts()
    gm.wait_for_selector("#fallen:has-text('Ogre')")
    for view, words in (("timeline", "Timeline of round 3"), ("table", "Mira")):
        mira.tap("#menu-button")
        mira.tap(f"[data-view={view}]")
        mira.wait_for_selector(f"h2:has-text('{words}'):visible")
    one.reads_like_a_table(gm, mira, brand)


def crypt_ends(one: Evening, folder: Path) -> None:
    """The fight ends with its story, and is exported."""
    gm = one.gm
    gm.click("#menu-button")
    gm.click("#fight-ends")
    gm.wait_for_selector("#totals td")
    said = gm.inner_text("#summary")
    assert "Brand’s sword" in said
    assert "after 3 rounds" in said
    story = one.export("Story as Markdown", folder).read_text("utf-8")
    assert "Brand hits Ogre for 9" in story
    page = one.browser.new_page()
    page.goto(one.export("Replay as a page", folder).as_uri())
    page.wait_for_selector("#tale:has-text('Mira and Brand against')")
    one.reads_like_a_table(page)
