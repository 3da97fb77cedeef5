"""The card in a game of segments: it goes on to who is to declare, then to who is due, and what was declared is a button."""

import pytest

from eventstore.events import ActionTaken
from tests.browser.cards import Joins, begins, events
from tests.browser.person import Person
from tests.browser.support import expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
SETUP = (
    "join Mira party hp=9 weapon=dagger",
    "join Brand party hp=14 weapon=sword",
    "join Ogre foes hp=20 weapon=club",
    "surprised",
    "r",
)


@pytest.fixture
def gm(joins: Joins, server: Served) -> Person:
    """Return a game master of osric, whose first round has begun."""
    begins(server, "osric", *SETUP)
    return joins("gm", by="gm")


def on_card(one: Person) -> str:
    found: str = one.page.locator("#card-head h2").inner_text()
    return found


def test_the_card_goes_on_to_who_is_to_declare_and_then_to_who_is_due(gm: Person, joins: Joins, server: Served) -> None:
    assert on_card(gm) == "Mira"
    gm.tell("d mira web 3 ogre")
    assert on_card(gm) == "Brand"
    gm.tell("d brand attack ogre")
    gm.tell("party5 foes3")
    assert on_card(gm) == "Mira"
    assert gm.page.inner_text("#declared").split("\n") == ["Cast web on Ogre", "as declared"]
    gm.page.click("#declared")
    gm.page.wait_for_selector("#card-head h2:has-text('Brand')")
    assert gm.page.evaluate("document.activeElement.id") == "next"
    (cast,) = events(server, ActionTaken)
    assert (cast.combatant, cast.action.name) == ("mira", "web")
    gm.page.click("#declared")  # an attack, whose dice are typed
    expect(gm.page.locator("#line")).to_have_value("brand ")
    assert gm.page.evaluate("document.activeElement.id") == "line"
    player = joins("player", combatants=("ogre",), writes=True)
    assert on_card(player) == "Ogre"
    expect(player.page.locator("#declared")).to_have_count(0)


def test_one_who_is_chosen_stays_on_the_card(gm: Person) -> None:
    gm.choose("ogre")
    assert on_card(gm) == "Ogre"
    gm.page.keyboard.press("Escape")
    assert on_card(gm) == "Mira"


def test_next_leads_to_initiative_where_nobody_has_it_in_the_round(gm: Person, server: Served) -> None:
    """Pressed twice in a hurry it went on by a round in which nobody had acted."""
    before = server.shelf.store(server.name).head()
    gm.page.click("#next")
    gm.page.wait_for_selector("#answer:has-text('Initiative comes first')")
    assert gm.page.evaluate("document.activeElement.dataset.roll") == "party"
    assert server.shelf.store(server.name).head() == before
    gm.page.keyboard.type("5")
    gm.page.keyboard.press("Tab")
    gm.page.keyboard.type("3")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#rolls:empty", state="attached")
    gm.page.click("#next")
    gm.page.wait_for_selector("#clock:has-text('segment 3')")


def test_next_leads_to_the_phase_in_which_a_spell_goes_off(joins: Joins, server: Served) -> None:
    """It went on to the next round, and then from round to round without initiative."""
    declared = ("join Mira party hp=9", "join Ogre foes hp=20", "surprised", "r", "d mira incantation web 3 ogre")
    begins(server, "vile-darkness", *declared, "p5 f2")
    gm = joins("gm", by="gm")
    for phase in ("L.D3", "E"):
        gm.page.click("#next")
        gm.page.wait_for_selector(f"#clock:has-text('phase {phase}')")
    gm.page.click("#goes-off")
    gm.page.wait_for_selector("#events :text('web from Mira')", state="attached")
    gm.page.click("#next")
    gm.page.wait_for_selector("#clock:has-text('Round 2')")
    gm.page.click("#next")
    gm.page.wait_for_selector("#answer:has-text('Initiative comes first')")
