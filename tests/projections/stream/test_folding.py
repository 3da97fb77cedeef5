"""A log in capitals comes to the same as one in lower case; names are shown as they were recorded."""

from typing import TypeVar

import msgspec
import pytest
from msgspec import Struct, structs

from eventstore.events import ActionDeclared, ActionHeld, ActionTaken, ConditionGained, EffectEnded, Fact, TurnEnded
from eventstore.record import Recorded
from eventstore.shapes import Action, Part
from projections.judging.audit import audit
from projections.mechanics.acts import kind_and_name
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.stream.placing import called, kind_of
from projections.views.view import show
from tests.projections.logs import fact, joins, play, value
from tests.projections.stage import Script, every_script, one_in

S = TypeVar("S", bound=Struct)

ENCODER = msgspec.json.Encoder(enc_hook=repr)


def in_capitals(event: Fact | None) -> Fact | None:
    """Return a fact with the words in capitals by which the rules know its action, effect, condition and parts."""
    if event is None:
        return None
    action: Action | None = getattr(event, "action", None)
    parts: tuple[Part, ...] = getattr(event, "parts", ())
    made: dict[str, object] = {"action": _capitals(action, "kind", "cost", "manner")} if action else {}
    if parts:
        made["parts"] = tuple(_capitals(part, "kind", "damage_type") for part in parts)
    return structs.replace(_capitals(event, "effect", "condition", "cost", "mode"), **made)


def _capitals(of: S, *fields: str) -> S:
    """Return a struct with the words of these fields in capitals, of those that it has."""
    said = {field: getattr(of, field, None) for field in fields}
    return structs.replace(of, **{field: _upper(word) for field, word in said.items() if word})


def _upper(words: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return words.upper() if isinstance(words, str) else tuple(map(str.upper, words))


def outcome(records: list[Recorded]) -> tuple[str, str]:
    """Return what a log comes to as text, case folded: the view and the findings."""
    view, findings = show(replay(records).state), audit(records).findings
    return ENCODER.encode(view).decode().casefold(), ENCODER.encode(findings).decode().casefold()


@every_script()
def test_a_log_with_the_words_of_its_rules_in_capitals_comes_to_the_same(plays: Script) -> None:
    for each in one_in(15, plays):
        records = records_of(each)
        capitals = [structs.replace(one, event=in_capitals(one.event)) for one in records]
        assert outcome(capitals) == outcome(records)


def test_an_action_has_its_kind_and_its_manners_folded_beside_those_recorded() -> None:
    action = Action(kind="Cast", name="Sleep", manner=("Quickened",))
    assert (action.plain_kind, action.plain_manner) == ("cast", ("quickened",))
    assert (action.kind, action.manner) == ("Cast", ("Quickened",))


def test_a_fact_about_an_effect_or_condition_has_its_name_folded_and_any_other_none() -> None:
    assert called(ConditionGained(condition="Prone", targets=("ana",))) == "prone"
    assert called(EffectEnded(effect="Bless")) == "bless"
    assert called(TurnEnded(combatant="ana")) == ""


def test_an_act_and_a_declaration_have_their_kind_folded_and_a_fact_without_an_action_none() -> None:
    assert kind_of(ActionTaken(combatant="ana", action=Action(kind="Cast"))) == "cast"
    assert kind_of(ActionDeclared(combatant="ana", action=Action(kind="CHARGE"))) == "charge"
    assert kind_of(ActionHeld(combatant="ana")) == kind_of(TurnEnded(combatant="ana")) == ""


def test_a_name_that_is_its_kind_in_another_case_is_shown_once_and_as_recorded() -> None:
    assert (kind_and_name("DODGE", "Dodge"), kind_and_name("cast", "Sleep")) == ("Dodge", "cast Sleep")
    assert (kind_and_name("CAST", None), kind_and_name(None, None)) == ("CAST", "")


@pytest.mark.parametrize("name", ["exhaustion", "Exhaustion"])
def test_a_condition_counts_in_any_case(name: str) -> None:
    state = play(joins("ana"), fact("condition_gained", condition=name, targets=["ana"], detail="2"), ruleset="5e")
    assert value(state, "ana.exhaustion") == 2
