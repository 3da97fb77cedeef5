"""Whom a fact names."""

import pytest

from eventstore.form import event_of, read_json
from projections.stream.named import named_ids
from tests.projections.logs import fact


@pytest.mark.parametrize(("said", "names"), [
    (fact("noted", text="ana is late"), []),
    (fact("damage_dealt", target="ana", amount=3), ["ana"]),
    (fact("damage_dealt", target="ana", amount=3, source="bo"), ["ana", "bo"]),
    (fact("action_taken", combatant="ana", action={"kind": "attack", "targets": ["bo", "cy"]}), ["ana", "bo", "cy"]),
    (fact("action_held", combatant="ana"), ["ana"]),
    (fact("effect_started", effect="haze", targets=["ana"], duration={"amount": 1, "unit": "round"}), ["ana"]),
    (fact("effect_started", effect="haze", duration={"amount": 1, "unit": "round", "of": "bo", "at": "end"}), ["bo"]),
    (fact("contest_rolled", contenders=[{"combatant": who, "die": 9} for who in ("ana", "bo")]), ["ana", "bo"]),
])  # fmt: skip
def test_a_fact_names_all_in_its_fields_action_duration_and_contenders(said: str, names: list[str]) -> None:
    assert sorted(named_ids(event_of(read_json(said)))) == names
