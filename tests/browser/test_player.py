"""The page of a player: their own combatant, whose turn it is, what happened, and nothing that is not theirs to know."""

from pathlib import Path

import pytest

from tests.browser.cards import Joins
from tests.browser.conftest import FOUGHT
from tests.browser.support import BARRIERS, expect, tells
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import append, encounter

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 780}}


def test_a_player_is_called_to_turns_and_reads_a_sentence_a_deed(joins: Joins) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",), how=PHONE)
    expect(player.page.locator("#call")).to_be_hidden()
    for line in ("i ogre15 ana9", "next"):
        gm.tell(line)
    player.sees_all()
    expect(player.page.locator("#call")).to_have_text("You are next")
    assert player.page.title() == "○ You are next · The ford"
    gm.tell("next")
    player.sees_all()
    expect(player.page.locator("#call")).to_have_text("Your turn")
    assert player.page.title() == "▶ Your turn · The ford"
    gm.tell("ana hits ogre -10")
    gm.tell("ogre hits ana -4")
    player.sees_all()
    told, hers = (each.deeds() for each in (player, gm))
    assert told[0] == hers[0] == "Ogre hits Ana for 4: 10 of 14"
    assert "Ana hits Ogre for 10: bloodied" in told
    assert "Ana hits Ogre for 10: 10 of 20" in hers
    expect(gm.page.locator("#call")).to_be_hidden()


def test_a_player_rolls_own_dice_and_parts_of_the_page_differ_in_name(joins: Joins, server: Served, axe: str) -> None:
    tells(server, "i ana15 ogre9", "next")
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",), writes=True, how=PHONE)
    player.choose("ana")
    player.page.click("[data-kind=rolls]")
    player.page.fill("#purpose", "stealth")
    player.page.fill("#thrown", "14+5")
    expect(player.page.locator("#line")).to_have_value("dice stealth 14+5 combatant=ana")
    for one in (gm, player):
        ids = one.page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
        assert sorted(set(ids)) == sorted(ids)
    player.page.evaluate(axe)
    assert player.page.evaluate(BARRIERS) == []
    assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("chosen", "seen"),
    [(None, "bloodied"), ("numbers", "9 of 20 hp"), ("nothing", "hp unknown"), ("true-words", "bloodied")],
)
def test_hit_points_of_foes_are_words_for_players_unless_the_log_says_so(
    joins: Joins, server: Served, chosen: str | None, seen: str
) -> None:
    if chosen:
        fought(server.folder / f"{server.name}.jsonl", chosen)
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",))
    gm.tell(f"{'secret ' if chosen == 'true-words' else ''}ogre -11")  # which true words count, too
    player.sees_all()
    assert player.points("ogre") == seen
    assert player.points("ana") == "14 of 14 hp"
    assert gm.points("ogre") == "9 of 20 hp"
    shown = b"".join(body for body in player.received if b'"deeds"' in body)
    assert (b"20 hp" in shown) == (chosen == "numbers")


def fought(log: Path, chosen: str) -> None:
    """Write the log of the encounter once more, with an option of its own."""
    log.unlink()
    made = encounter("new", log, "--ruleset", "plain", "--title", "The ford", "--option", f"foe-hit-points={chosen}")
    assert made.exit_code == 0
    append(log, FOUGHT)


def test_two_players_who_write_at_the_same_moment_are_both_recorded_once(joins: Joins) -> None:
    """Whoever comes second keeps the line, sees what came between, and sends it again."""
    ana, ogre = (joins("player", combatants=(who,), writes=True) for who in ("ana", "ogre"))
    lines = {ana: "ana -1", ogre: "ogre -2"}
    for one, line in lines.items():
        one.page.fill("#line", line)
    for one in lines:
        one.page.press("#line", "Enter")
    for one in lines:
        one.page.wait_for_function(
            "() => !document.querySelector('#line').value || document.querySelector('#answer .wrong')"
        )
        if line := one.page.input_value("#line"):
            one.sees_all()
            one.tell(line)
    ana.sees_all()
    ogre.sees_all()
    told = ogre.deeds()
    assert sum("Ana" in each and "damage" in each for each in told) == 1
    assert sum("Ogre" in each and "damage" in each for each in told) == 1
