"""A stat block or a line-up that a game master pastes joins as the tools wrote it, and what is wrong with one is said."""

import pytest

from tests.browser.cards import Joins, master
from tests.browser.support import BARRIERS, expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
YAML = """\
name: Marsh Drake
ac: 14 (natural armor)
hp: 33 (6d10)
stats: [16, 14, 13, 6, 14, 8]
cr: 2
actions:
  - name: Bite
    desc: "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."
"""
PASTED = {
    "YAML": YAML,
    "a note with a block between fences": f"# The marsh\n\n```statblock\n{YAML}```\n",
    "a note with front matter": f"---\nstatblock: true\n{YAML}---\nIt waits in the reeds.\n",
    "JSON": '{"Name": "Marsh Drake", "HP": {"Value": 33, "Notes": "(6d10)"}, "AC": {"Value": 14, "Notes": ""}, "InitiativeModifier": 0,'
    ' "Abilities": {"Str": 16, "Dex": 14, "Con": 13, "Int": 6, "Wis": 14, "Cha": 8},'
    ' "Actions": [{"Name": "Bite", "Content": "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."}]}',
}


@pytest.mark.parametrize("kind", PASTED)
def test_a_pasted_stat_block_joins_with_its_points_and_its_attacks(joins: Joins, server: Served, kind: str) -> None:
    gm = master(joins, server)
    gm.page.click("[data-start=monsters]")
    gm.page.fill("#copies", "2")
    gm.page.fill("#pasted", PASTED[kind])
    gm.page.wait_for_selector("#lineup pre")
    gm.page.click("#tell-all")
    gm.page.wait_for_selector("#state [data-who=marsh-drake-2]")
    assert gm.points("marsh-drake-2") == "33 of 33 hp"
    expect(gm.page.locator("#pasted")).to_have_value("")
    gm.choose("marsh-drake-1")
    gm.page.wait_for_selector(".deed:has-text('Bite'):has-text('1d8')")


def test_a_pasted_line_up_joins_on_its_side(joins: Joins, server: Served) -> None:
    gm = master(joins, server)
    gm.page.click("[data-start=party]")
    gm.page.fill("#pasted", '[[member]]\nname = "Mira"\nsheet = { hp = 22, ac = 13 }\n')
    gm.page.wait_for_selector("#lineup pre")
    gm.page.click("#tell-all")
    gm.page.wait_for_selector("#state [data-who=mira]")
    assert gm.points("mira") == "22 of 22 hp"


def test_what_is_wrong_with_a_pasted_text_is_said_and_the_text_stays(joins: Joins, server: Served, axe: str) -> None:
    gm = master(joins, server)
    gm.page.click("[data-start=monsters]")
    gm.page.fill("#pasted", '{"Name": "Marsh Drake"')
    said = gm.page.wait_for_selector("#lineup p")
    assert said is not None
    assert "JSON" in said.inner_text() or "line 1" in said.inner_text()
    expect(gm.page.locator("#tell-all")).to_be_hidden()
    expect(gm.page.locator("#pasted")).to_have_value('{"Name": "Marsh Drake"')
    gm.page.evaluate(axe)
    assert gm.page.evaluate(BARRIERS) == []
