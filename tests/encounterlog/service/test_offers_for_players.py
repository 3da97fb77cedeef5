"""What a player may not use is not offered: no words, no lines that would do, no help."""

import pytest

from encounterlog.service.people import RIGHTS, opens_form
from projections.language.notation import forms
from projections.rulesets import RULESETS, find
from tests.encounterlog.service.conftest import Table

CLOSED = {"round", "end", "phase", "segment", "over", "undo", "redo", "strike", "amend", "insert", "correct", "reveal", "ruling", "check",
          "sheet", "terrain", "pass", "surprise", "initiative of sides"}  # fmt: skip


def offered(table: Table, line: str) -> tuple[set[str], set[str]]:
    """Return the words with which the line of the player, and of the game master, can go on."""
    found = [client.get("offers", params={"line": line}).json() for client in (table.player, table.gm)]
    return {each["word"] for each in found[0]["offers"]}, {each["word"] for each in found[1]["offers"]}


def test_a_player_is_offered_own_combatants_and_others_as_targets(table: Table) -> None:
    for begun, word in (("a", "amend"), ("b", "bo"), ("o", "ogre"), ("r", "reveal"), ("u", "u"), ("s", "strike")):
        hers, masters = offered(table, begun)
        assert word in masters
        assert word not in hers
    assert "ana" in offered(table, "a")[0]
    assert "note" in offered(table, "n")[0]
    assert {"ogre", "bo"} <= offered(table, "ana ")[0]
    assert offered(table, "d ")[0] == {"ana"}
    assert {"ana", "bo", "ogre"} <= offered(table, "d ")[1]


@pytest.mark.parametrize("key", RULESETS)
def test_forms_for_the_game_master_alone_are_closed_in_every_ruleset(key: str) -> None:
    table = forms.of(find(key).rules).form
    assert not [form.name for form in table if form.name in CLOSED and opens_form(form)]
    for form in filter(opens_form, table):
        assert {fact["type"] for fact in form.makes} <= {*RIGHTS, "noted"}


@pytest.mark.slow
def test_help_tells_a_player_of_what_a_player_may_write(table: Table) -> None:
    hers, masters = (
        "\n".join(client.post("lines", json={"line": "help all"}).json()["echo"]) for client in (table.player, table.gm)
    )
    for words in ("strike 14", "reveal 14", "secret b -6", "amend 14"):
        assert words.split()[0] in masters
        assert words not in hers
    assert "b o 14 6" in hers
    short = table.player.post("lines", json={"line": "help"}).json()["echo"]
    assert short
    assert not [line for line in short if "strike" in line or "undo" in line]


@pytest.mark.slow
def test_a_refusal_offers_a_player_no_line_that_is_refused_as_well(table: Table) -> None:
    for line in ("bo hitts ogre -3", "ana hitts ogre -3", "reveel 7", "undoo", "anna -3"):
        told = table.player.post("lines", json={"line": line}).json()
        for each in told.get("offers", ()):
            assert table.player.post("lines?dry=1", json={"line": each}).status_code == 200, each
    assert table.gm.post("lines", json={"line": "bo hitts ogre -3"}).json()["offers"]
