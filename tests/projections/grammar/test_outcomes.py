"""What stands behind a blow or a spell befalls whom that befell, and has it as its cause."""

import json
from typing import Any

import msgspec
import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS
from tests.few import few
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import SIDES, said
from tests.projections.test_grammar import fight, table

BLOW = "o hits b for 3"
BEHIND = (
    "conc check 4 fails",
    "con save 9 fails",
    "save vs poison 9 fails",
    "save vs poison: 9, fails",
    "must save vs poison: 9, fails",
    "fails con save",
    "poisoned for 1 minute",
    "knocked prone",
    "grappled",
    "stunned",
    "takes 2 fire",
    "loses 2 hp",
    "falls unconscious",
    "poisoned, stunned for 2 rounds",
)


def acting(key: str) -> Table:
    order = ("b=4", "o=19", "m=5", "g=3", "r", "t o") if key not in SIDES else ("r", "p5 f3")
    at = heard(fight(key), *order)
    return heard(at, "phase H.D1") if key == "vile-darkness" else at


def own(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the facts of a line with the clock's, as data."""
    return [json.loads(msgspec.json.encode(fact)) for fact in at.tell(line).facts]


def asked(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the last fact of each meaning that is offered of a line that is not certain."""
    with pytest.raises(NotUnderstood) as refused:
        at.tell(line)
    offered = [own(at, each) for each in refused.value.offers]
    return [facts[-1] for facts in offered]


def bearers(fact: dict[str, Any]) -> list[str]:
    return fact.get("targets") or [fact.get("target") or fact["combatant"]]


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("behind", BEHIND)
def test_an_outcome_behind_a_blow_befalls_the_target_and_has_the_blow_as_its_cause(key: str, behind: str) -> None:
    at = acting(key)
    facts, blow = own(at, f"{BLOW}, {behind}"), len(own(at, BLOW))
    strikes = {place for place, fact in enumerate(facts) if fact["type"] in ("action_taken", "attack_rolled")}
    assert len(facts) > blow
    for place, fact in enumerate(facts[blow:], blow):
        assert bearers(fact) == ["brand"]
        assert fact["cause"] + place in strikes


@pytest.mark.parametrize(
    ("behind", "form"),
    [
        ("moves 20 ft", "o goes 20ft"),
        ("heals 4", "o +4"),
        ("hides", "o is hidden"),
        ("stands up", "o not prone"),
        ("opens the door", 'o other "opens the door"'),
    ],
)
def test_what_the_attacker_does_or_gains_behind_a_blow_is_the_attackers(behind: str, form: str) -> None:
    at = heard(acting("plain"), "o is prone")
    assert said(at, f"{BLOW}, {behind}")[-1] == said(at, form)[-1]


@pytest.mark.parametrize("behind", ["flees", "loses its turn", "hidden", "raging"])
def test_what_either_may_do_behind_a_blow_is_asked_about(behind: str) -> None:
    for fact in asked(acting("plain"), f"{BLOW}, {behind}"):
        assert {*bearers(fact)} < {"ogre", "brand"}


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("line", ["o misses b", "o attacks b and misses", "b is missed by o", "o attacks b: miss"])
def test_a_blow_that_is_said_to_miss_is_recorded_as_a_miss_in_every_game(key: str, line: str) -> None:
    *_, act, roll = own(acting(key), line)
    assert (act["type"], act["combatant"], act["action"]["targets"]) == ("action_taken", "ogre", ["brand"])
    assert (roll["type"], roll["target"], roll["hit"], roll["cause"]) == ("attack_rolled", "brand", False, -1)


@pytest.mark.parametrize("key", ["nameless-journey", "semiautomagic"])
def test_a_spell_that_misses_is_one_act_where_no_attack_is_rolled(key: str) -> None:
    *_, act, roll = own(acting(key), "o casts fire bolt on b and misses")
    assert (act["action"]["kind"], roll["hit"], roll["cause"]) == ("cast", False, -1)
    assert [each["type"] for each in own(acting(key), "o casts fire bolt on b")][-1] == "action_taken"


def test_nothing_befalls_the_target_of_a_blow_that_misses() -> None:
    assert sorted(map(bearers, asked(acting("plain"), "o misses b, prone"))) == [["brand"], ["ogre"]]


def test_behind_a_spell_at_several_each_is_said_or_it_is_asked_about() -> None:
    at, spell = acting("plain"), "o casts fireball on b and m for 3 each"
    prone = own(at, f"{spell}, both knocked prone")[-1]
    assert (prone["targets"], prone["cause"]) == (["brand", "mira"], -3)
    hurt = own(at, f"{spell}, each takes 2 fire")[-2:]
    assert [(fact["target"], fact["cause"]) for fact in hurt] == [("brand", -3), ("mira", -4)]
    with pytest.raises(NotUnderstood):
        at.tell(f"{spell}, dex save 9 fails")


def test_concentration_is_that_of_the_one_who_has_it() -> None:
    wizard = ("join wiz party hp=40 con=12 spells=web", "join orc foes hp=40", "i wiz=15 orc=10", "r", "t wiz")
    at = heard(table("5e"), *wizard, "wiz casts web on orc, conc", "t orc")
    for behind in ("concentration is lost", "loses concentration", "loses web"):
        ended = own(at, f"orc hits wiz for 8, {behind}")[-1]
        assert (ended["type"], ended["source"]) == ("effect_ended", "wiz")
        assert ended["cause"] in (-3, -2)  # the blow, or its roll
    failed = heard(at, "orc hits wiz for 8, conc check 4 fails")
    assert not any(each.concentration for each in failed.done.state.effects.values())


def test_a_further_blow_in_the_line_is_the_cause_of_what_stands_behind_it() -> None:
    facts = own(acting("plain"), "o hits b for 3, o hits m for 4, poisoned for 2 rounds")
    acts = [place for place, fact in enumerate(facts) if fact["type"] == "action_taken"]
    assert facts[-1]["targets"] == ["mira"]
    assert facts[-1]["cause"] + len(facts) - 1 in (acts[-1], acts[-1] + 1)  # the blow, or its roll


@pytest.mark.in_turn(4)
@pytest.mark.full
@few(2, "key", sorted(RULESETS))
@pytest.mark.parametrize("state", ["is stunned", "is poisoned", "is grappled"])
@pytest.mark.parametrize("joined", [", and", " and", ","])
def test_a_state_that_has_a_verb_and_no_name_may_be_that_of_either(key: str, state: str, joined: str) -> None:
    at = acting(key)
    assert [bearers(each) for each in asked(at, f"{BLOW}{joined} {state}")] == [["brand"], ["ogre"]]


def test_a_blow_that_somebody_is_hit_by_may_befall_either() -> None:
    assert [bearers(each) for each in asked(acting("plain"), f"{BLOW}, and is hit for 3")] == [["brand"], ["ogre"]]


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("save", ["con save 4 fails", "con save 4"])
@pytest.mark.parametrize("then", ["b falls prone", "b takes 2"])
def test_a_save_behind_a_blow_is_that_of_the_target_whatever_comes_next(key: str, save: str, then: str) -> None:
    facts = own(acting(key), f"{BLOW}, {save}, {then}")
    assert [fact["combatant"] for fact in facts if fact["type"] == "save_rolled"] == ["brand"]


def test_a_save_behind_a_blow_is_that_of_the_target_also_before_an_act_of_the_targets() -> None:
    facts = own(acting("plain"), f"{BLOW}, con save 4 fails, b opens the door")
    assert [fact["combatant"] for fact in facts if fact["type"] in ("save_rolled", "action_taken")][1:] == ["brand"] * 2
    assert own(acting("plain"), f"{BLOW}, con save 4 fails, b drops her sword")[-1]["text"] == "brand drops sword"
