"""Known words: a mistyped kind, manner, condition or resource is recorded, and is a notice with the nearest known word."""

from pathlib import Path

import pytest
from msgspec import structs

from eventstore.events import CombatantJoined
from projections.judging.known_words import known, sizes_are_known_and_feats_not_misspelt
from projections.occurrence import Occurrence
from projections.rulesets import find
from projections.state import State
from tests.projections.logs import fact, findings, joins

ANA = joins("ana", 10)


def said(*lines: str, ruleset: str = "osric") -> list[str]:
    """Return what the audit says of words in a log."""
    return [one.says for one in findings(*lines, ruleset=ruleset) if one.rule == "log.word"]


def does(kind: str) -> str:
    """Say that Ana does something of this kind."""
    return fact("action_taken", combatant="ana", action={"kind": kind})


def gains(condition: str) -> str:
    """Say that Ana is in a state."""
    return fact("condition_gained", condition=condition, targets=["ana"])


@pytest.mark.parametrize("kind", ["attack", "set-spear", "Cast", "hold", "other", "phrase", "talk"])
def test_a_kind_of_the_vocabulary_or_of_the_table_is_known(kind: str) -> None:
    assert said(ANA, does(kind)) == []


def test_log_word_a_mistyped_kind_is_a_notice_with_the_nearest_word() -> None:
    assert said(ANA, does("atack")) == ["atack is not a known kind of action: did you mean attack?"]
    assert [one.severity for one in findings(ANA, does("atack"), ruleset="osric") if one.rule == "log.word"] == [
        "notice"
    ]


def test_log_word_a_mistyped_manner_is_a_notice() -> None:
    action = {"kind": "attack", "manner": ["misile"]}
    assert said(ANA, fact("action_taken", combatant="ana", action=action)) == [
        "misile is not a known manner: did you mean missile?"
    ]


def test_log_word_a_condition_is_open_unless_it_is_nearly_a_known_one() -> None:
    assert said(ANA, gains("haunted by geese")) == []
    assert said(ANA, gains("spear sett")) == ["spear sett is not a known condition: did you mean spear set?"]


@pytest.mark.parametrize(
    "condition", ["fleeing", "sleeping", "bound", "trapped", "wounded", "armed", "conscious", "wary", "visible"]
)
def test_a_condition_that_merely_looks_like_another_is_no_mistyped_one(condition: str) -> None:
    assert said(ANA, gains(condition)) == []


def test_log_word_a_counted_resource_is_known_and_one_near_it_a_notice() -> None:
    who = joins("ana", 10, resources={"arrows": 9})
    spent = fact("resource_changed", combatant="ana", resource="arrows", amount=-1)
    assert said(who, spent, ruleset="plain") == []
    typo = fact("resource_changed", combatant="ana", resource="arows", amount=-1)
    assert said(who, typo, ruleset="plain") == ["arows is not a known resource: did you mean arrows?"]


def test_a_resource_that_differs_in_its_number_alone_is_another_one() -> None:
    slots = [
        fact("resource_changed", combatant="ana", resource=f"level {n} spell slot", amount=-1, left=n) for n in (3, 4)
    ]
    assert said(ANA, *slots) == []


def test_log_word_a_word_that_is_near_none_is_a_notice_without_one() -> None:
    (one,) = (one for one in findings(ANA, does("zzz"), ruleset="osric") if one.rule == "log.word")
    assert (one.says, one.expected) == ("zzz is not a known kind of action", "a known word")
    (one,) = (one for one in findings(ANA, does("atack"), ruleset="osric") if one.rule == "log.word")
    assert one.expected == "attack"


def test_a_ruleset_without_a_table_of_actions_takes_any_kind_and_manner() -> None:
    assert known(find("plain").rules).kinds == frozenset()
    assert known(find("plain").rules).manners == frozenset()
    yodels = {"kind": "yodel", "manner": ["loudly"]}
    assert said(ANA, fact("action_taken", combatant="ana", action=yodels), ruleset="plain") == []


@pytest.mark.parametrize("sizes", [True, False])
def test_a_ruleset_without_a_table_of_sizes_takes_any(tmp_path: Path, sizes: bool) -> None:
    rules, master = tmp_path / "rules.toml", find("definition-master")
    rules.write_text(
        Path(master.rules).read_text("utf-8") if sizes else Path(find("plain").rules).read_text("utf-8"), "utf-8"
    )
    joined = CombatantJoined(combatant="ana", sheet={"size": "vast"})
    state = State(rules=structs.replace(master, rules=rules))
    breach = sizes_are_known_and_feats_not_misspelt(state, Occurrence(2, 2, joined))
    assert (breach is not None) == sizes


def test_log_word_an_unknown_size_is_a_notice_that_names_the_near_or_all() -> None:
    assert said(joins("ana", 10, size="Huge"), ruleset="definition-master") == []
    assert said(joins("ana", 10, size="hugee"), ruleset="definition-master") == [
        "hugee is not a known size: did you mean huge?"
    ]
    vast = joins("ana", 10, size="vast")
    assert [one.expected for one in findings(vast, ruleset="definition-master") if one.rule == "log.word"] == [
        "colossal, diminutive, fine, gargantuan, huge, large, medium, small, tiny"
    ]


def test_log_word_a_feat_is_open_unless_it_is_nearly_one_that_counts() -> None:
    feats = {"Battle Prowess": 1, "Weapon Fixation (Unarmed)": 1, "counterspell": 1}
    assert said(joins("ana", 10, feats=feats), ruleset="definition-master") == []
    changed = fact("sheet_changed", combatant="ana", sheet={"feats": {"batle prowess": 1}})
    assert said(ANA, changed, ruleset="definition-master") == [
        "batle-prowess is not a known feat: did you mean battle-prowess?"
    ]


HALBERD = {"name": "halberd", "space": {"Swing": 6, "jab": 2}}


@pytest.mark.parametrize("manner", ["swing", "Jab", "burrow", "slither", "Spell-like", "walk"])
def test_a_manner_that_a_sheet_names_or_the_ruleset_reads_is_known(manner: str) -> None:
    who = joins("ana", 10, speeds={"walk": 60, "burrow": 30}, native_modes=["Slither"], weapons=[HALBERD])
    action = {"kind": "attack", "name": "halberd", "manner": [manner]}
    assert said(who, fact("action_taken", combatant="ana", action=action), ruleset="vile-darkness") == []


def test_log_word_a_manner_of_one_sheet_is_unknown_for_another() -> None:
    who, other = joins("ana", 10, "heroes", weapons=[HALBERD]), joins("bo", 10, "orcs")
    swings = [fact("action_taken", combatant="bo", action={"kind": "attack", "manner": ["swing"]})]
    swings += [
        fact("action_declared", side=side, action={"kind": "attack", "manner": ["swing"]})
        for side in ("heroes", "orcs")
    ]
    assert said(who, other, *swings, ruleset="vile-darkness") == ["swing is not a known manner"] * 2
    swung = fact("action_taken", combatant="ana", action={"kind": "attack", "manner": ["swingg"]})
    assert said(who, swung, ruleset="vile-darkness") == ["swingg is not a known manner: did you mean swing?"]
