"""Silence where nothing was recorded: which clauses could not be judged, and that what lacks facts raises no finding."""

from pathlib import Path

import pytest
from msgspec import structs

from projections.judging.audit import audit
from projections.judging.unjudged import Unjudged, Unjudging, broken_paths
from projections.proving.loading import find_mistakes
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import RULESETS, find
from tests.projections.logs import fact, records, turn

JOINED = (
    fact("combatant_joined", combatant="ana", side="heroes", sheet={"speeds": {"walk": 30}, "size": "medium"}),
    fact("combatant_joined", combatant="kex", side="raiders", sheet={"size": "medium"}),
)


def unjudged(*facts: str, ruleset: str = "5e", options: dict[str, str] | None = None) -> tuple[Unjudged, ...] | None:
    """Return what a log leaves unjudged."""
    looks = Unjudging()
    done = audit(records(*facts, ruleset=ruleset, options=options or {}), after=looks.observe_fact)
    return looks.unjudged_clauses(done.replay.state)


def counts(rule: str, *facts: str, options: dict[str, str] | None = None) -> list[tuple[int, int, int]]:
    """Return of each row that leaves a clause unjudged how many facts lack something, of how many, and the first."""
    found = unjudged(*JOINED, *facts, options=options) or ()
    return [(one.facts, one.of, one.event) for one in found if one.rule == rule]


def act(kind: str, **more: object) -> str:
    return fact("action_taken", combatant="ana", action={"kind": kind, **more})


def test_every_clause_that_says_where_it_is_silent_is_in_a_row_of_needs() -> None:
    catalogue = find("5e").catalogue()
    silent = {row["rule"] for row in catalogue.tables["carrier"] if "silent" in row}
    assert silent - {rule for need in catalogue.needs for rule in need.rules} == set()


@pytest.mark.parametrize("key", RULESETS)
def test_the_paths_of_our_own_rows_lead_somewhere(key: str) -> None:
    assert [*broken_paths(find(key))] == []


def test_a_ruleset_without_rows_says_nothing_of_it() -> None:
    assert unjudged(fact("combatant_joined", combatant="ana", sheet={"hp": 9}), ruleset="plain") is None


def test_a_log_whose_facts_lack_nothing_leaves_nothing_unjudged() -> None:
    assert unjudged(*JOINED, fact("noted", text="Mist.")) == ()


def test_acts_without_a_cost_are_counted_unless_an_option_prices_them() -> None:
    told = (act("dash"), act("dodge", cost="action"), act("other", name="shout"))
    assert counts("turn.one-action", *told) == [(2, 3, 4)]
    assert counts("turn.one-action", *told, options={"unstated-cost": "own-price"}) == []


def test_a_clause_of_another_edition_is_left_out() -> None:
    seen = fact("effect_ended", effect="haze")
    assert counts("duration.dismiss", seen) == []
    assert counts("duration.dismiss", seen, options={"edition": "2024"}) == [(1, 1, 4)]


def test_what_a_sheet_leaves_out_is_lacking_and_what_is_empty_is_not() -> None:
    blow = fact("damage_dealt", target="kex", amount=3)
    assert counts("immunity.nothing", blow) == [(1, 1, 4), (1, 1, 4)]
    known = fact("sheet_changed", combatant="kex", sheet={"immunities": []})
    assert counts("immunity.nothing", known, blow) == [(1, 1, 5)]  # its type is still unknown


def test_one_part_with_a_type_is_enough_and_each_has_to_say_its_kind() -> None:
    parts = [{"name": "axe", "amount": 3, "damage_type": "slashing", "kind": "weapon"}, {"name": "rage", "amount": 2}]
    blow = fact("damage_dealt", target="kex", amount=5, parts=parts)
    assert counts("water.fire", blow) == []
    assert counts("damage.weapon-modifier", blow) == [(1, 1, 4)]


def test_a_fact_that_should_lead_to_another_lacks_it_if_none_follows() -> None:
    hides, rolls = act("hide"), fact("dice_rolled", combatant="ana", purpose="stealth", die=12)
    other = fact("dice_rolled", combatant="kex", purpose="stealth", die=12)
    by_cause = fact("dice_rolled", combatant="kex", purpose="stealth", die=12, cause=-1)
    assert counts("act.hide", hides) == counts("act.hide", hides, other) == [(1, 1, 4)]
    assert counts("act.hide", hides, rolls) == counts("act.hide", hides, by_cause) == []
    assert counts("act.hide", turn("ana"), hides, turn("kex"), rolls) == [(1, 1, 5)]


def test_what_a_whole_log_lacks_is_counted_by_the_facts_that_ask_for_it() -> None:
    moves = fact("moved", combatant="ana", path=[[0, 0], [1, 0]], mode="walk")
    assert counts("move.difficult-terrain", turn("ana")) == [(1, 1, 4)]
    assert counts("move.difficult-terrain", turn("ana"), moves) == [(1, 1, 5)]
    assert counts("move.difficult-terrain", turn("ana"), moves, fact("terrain_set", terrain="difficult")) == []


def test_only_equal_rolls_ask_for_a_decision() -> None:
    rolls = [fact("initiative_rolled", combatant=who, total=total) for who, total in (("ana", 12), ("kex", 9))]
    tie = fact("initiative_rolled", combatant="kex", total=12)
    ruled = fact("ruling_made", ruling="tie", decision="kex first", combatants=["kex", "ana"])
    assert counts("initiative.ties-decided", *rolls) == []
    assert counts("initiative.ties-decided", rolls[0], tie) == [(2, 2, 4)]
    assert counts("initiative.ties-decided", rolls[0], tie, ruled) == []


def test_squares_have_to_be_known_of_both() -> None:
    blow = fact("attack_rolled", combatant="ana", target="kex", die=9, cause=-1)
    strike = act("attack", cost="action", manner=["melee"], targets=["kex"])
    here, there = (fact("placed", combatant=who, square=[at, 0]) for who, at in (("ana", 0), ("kex", 1)))
    assert counts("attack.reach", here, strike, blow) == [(1, 1, 6)]
    assert counts("attack.reach", here, there, strike, blow) == []


def test_derived_values_choose_the_facts() -> None:
    blow = fact("damage_dealt", target="ana", amount=2)
    holds = fact("effect_started", effect="haze", source="ana", concentration=True)
    assert counts("concentration.damage-save", blow) == []
    assert counts("concentration.damage-save", holds, blow) == [(1, 1, 5)]
    save = fact("save_rolled", combatant="ana", purpose="concentration", die=12)
    assert counts("concentration.damage-save", holds, blow, save) == []


def test_corrected_facts_are_counted_as_they_are_now() -> None:
    right = fact(
        "amended", event=4, replacement={"type": "moved", "combatant": "ana", "distance": {"amount": 5, "unit": "ft"}}
    )
    wrong = fact("moved", combatant="ana", mode="walk")
    (one,) = [each for each in unjudged(*JOINED, wrong, right) or () if each.rule == "opportunity.leaving-reach"]
    assert (one.event, one.line, one.lacks, one.says) == (4, 5, ("path",), "moves without squares")
    assert counts("opportunity.leaving-reach", wrong, fact("struck", event=4)) == []


# ---------------------------------------------------------------- rows that name what is not there

PAGE = """\
catalogue = "the back of a beer mat"
ruleset = "plain"

[[rule]]
id = "coin.first"
section = "Coins"
says = "Heads strike first."
kind = "derive"
case = "Ana throws heads."

[[needs]]
facts = ["attack_rolled"]
of = ["target"]
lacks = ["sheet.hp", "die.notation"]
rules = ["coin.first"]
says = "blows"
"""


def with_page(tmp_path: Path, text: str) -> Ruleset:
    (tmp_path / "rules.toml").write_text(text, "utf-8")
    return structs.replace(find("plain"), rules=str(tmp_path / "rules.toml"))


@pytest.mark.parametrize(("path", "says"), [
    ("sheet.hit_points", "sheet.hit_points leads to no field of the sheet"),
    ("entry.cost", "entry.cost leads to no field of the sheet"),
    ("sheet", "sheet leads to no field of the sheet"),
    ("value.surprised", "value.surprised is no value of a combatant"),
    ("dice", "dice leads to no field of attack_rolled"),
    ("die.colour", "die.colour leads to no field of attack_rolled"),
    ("act.costs", "act.costs leads to no field of action"),
    ("behind.attack.die", "behind.attack.die leads to no field of behind"),
    ("each.parts.kind", "each.parts.kind leads to no field of attack_rolled"),
    ("cause.die", "cause.die leads to no field of attack_rolled"),
])  # fmt: skip
def test_a_path_that_leads_nowhere_is_named_with_its_row(tmp_path: Path, path: str, says: str) -> None:
    rules = with_page(tmp_path, PAGE.replace('"sheet.hp"', f'"{path}"'))
    assert [(row, found) for row, found, _ in broken_paths(rules)] == [(1, says)]
    assert f"row 1 of needs (rules.toml): {says}" in [str(each).partition(" –")[0] for each in find_mistakes(rules)]


@pytest.mark.parametrize(
    "path", ["value.hp", "face", "cause", "square", "behind.save_rolled.dc", "act.allows_save.half"]
)
def test_a_path_that_leads_somewhere_is_in_order(tmp_path: Path, path: str) -> None:
    assert [*broken_paths(with_page(tmp_path, PAGE.replace('"sheet.hp"', f'"{path}"')))] == []
