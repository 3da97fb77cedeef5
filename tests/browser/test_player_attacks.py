"""Attacks of players from their cards: the roll is theirs, and what it does to others is proposed."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from eventstore.events import AttackRolled, DamageDealt
from tests.browser.conftest import NUMBERS
from tests.browser.person import Person
from tests.browser.support import expect, tells
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import opened

pytestmark = pytest.mark.browser
Joins = Callable[..., Person]
PHONE = {"viewport": {"width": 390, "height": 780}}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a service whose d20 shows 13, since a 1 or a 20 decides by itself whether it hits."""
    with served(tmp_path_factory.mktemp("campaign"), "--requests", 1_000_000, dice="thirteen-4") as found:
        yield found


@pytest.fixture
def server(service: Served) -> Served:
    """Return the service with a game of 5e of the test's own."""
    service.name = f"mill-{next(NUMBERS)}"
    opened(service.folder / f"{service.name}.jsonl", "5e", "The mill")
    return service


@pytest.fixture
def both(joins: Joins, server: Served) -> tuple[Person, Person]:
    """Return a game master and a player on a phone, whose goblin-1 has the turn in 5e, before Cy, of whom nobody knows the armour class."""
    tells(server, "join goblin*2 allies", "join Cy foes hp=20", "r", "i goblin-1=20 cy=15 goblin-2=3", "next")
    return joins("gm", by="gm"), joins("player", combatants=("goblin-1",), by="Ann", writes=True, how=PHONE)


def attack(player: Person) -> None:
    player.tab("card")
    player.page.click(".deed:has-text('Scimitar')")
    player.page.click("[data-target=cy]")
    player.page.click("#roll-here")
    player.page.wait_for_selector(".blow :text('Does it hit Cy?')")


def accept(gm: Person) -> None:
    gm.page.click("#proposals button:has-text('Accept')")
    gm.page.wait_for_selector("#proposals", state="hidden")
    gm.sees_all()


def written(server: Served, kind: type) -> list[Any]:
    return [each for each in server.shelf.store(server.name).read() if isinstance(each.event, kind)]


@pytest.mark.parametrize("typed", ["", "4"])
def test_damage_of_a_players_attack_is_accepted_without_a_line(
    both: tuple[Person, Person], server: Served, typed: str
) -> None:
    gm, player = both
    attack(player)
    if typed:
        player.page.locator(".blow").get_by_label("damage").fill(typed)
        player.page.click(".blow button:text-is('Record')")
    else:
        player.page.click(".blow button:has-text('roll damage')")
    player.page.wait_for_selector("#proposals li:has-text('Waits for the game master')")
    accept(gm)
    player.sees_all()
    (rolled,), (dealt,) = written(server, AttackRolled), written(server, DamageDealt)
    assert (dealt.event.target, dealt.event.cause) == ("cy", rolled.seq)
    for one in both:
        one.tab("state")
        expect(one.page.locator("#answer .wrong")).to_have_count(0)
    assert gm.points("cy") == f"{20 - dealt.event.amount} of 20 hp"
    assert gm.deeds()[0] == f"goblin-1 hits Cy for {dealt.event.amount}: {20 - dealt.event.amount} of 20"


def test_damage_of_a_players_attack_is_dealt_by_the_gm_without_a_line(
    both: tuple[Person, Person], server: Served
) -> None:
    gm, player = both
    attack(player)
    player.page.keyboard.press("Escape")
    gm.choose("cy")
    gm.page.fill("#amount", "5")
    gm.page.select_option("#by", label="goblin-1")
    gm.page.fill("#with", "scimitar")
    gm.page.press("#with", "Enter")
    player.page.wait_for_selector(".left .end")
    player.page.click(".left .end")
    gm.page.wait_for_selector("#state [data-who=cy] .points:has-text('15')")
    assert [each.event.amount for each in written(server, DamageDealt)] == [5]
    assert gm.deeds()[0] == "goblin-1 hits Cy for 5: 15 of 20"


def test_a_player_says_that_an_attack_misses(both: tuple[Person, Person], server: Served) -> None:
    _, player = both
    attack(player)
    player.page.click(".blow button:text-is('It misses')")
    player.page.wait_for_selector(".blow", state="detached")
    expect(player.page.locator("#answer .wrong")).to_have_count(0)
    assert written(server, DamageDealt) == []
