"""Facts in words: every type has a sentence of its own, on one line."""

import pytest

from encounterlog.words.facts import WORDS, sentence
from encounterlog.words.phrases import list_in_words
from eventstore.events import EVENT_TYPES, ConditionGained
from eventstore.form import event_of
from eventstore.shapes import Action, Duration
from tests.tables import for_each


def test_every_type_of_fact_has_a_sentence() -> None:
    assert set(WORDS) == set(EVENT_TYPES)


WORDED = [
    ({"type": "damage_dealt", "target": "orc-1", "amount": 6, "source": "brand"}, "Orc takes 6 damage from brand"),
    ({"type": "damage_dealt", "target": "bo", "amount": 2, "nonlethal": True}, "bo takes 2 non-lethal damage"),
    ({"type": "damage_dealt", "target": "bo", "amount": 2, "object": "shield"}, "shield of bo takes 2 damage"),
    ({"type": "healed", "target": "bo", "amount": 4, "temporary": True}, "bo gets 4 temporary points"),
    ({"type": "initiative_rolled", "side": "orcs", "die": 4}, "initiative for orcs: 4"),
    (
        {"type": "initiative_rolled", "combatant": "ana", "die": 12, "bonus": -3, "total": "9.08"},
        "ana rolls initiative: 12 -3, total 9.08",
    ),
    (
        {
            "type": "attack_rolled",
            "combatant": "ana",
            "target": "orc-1",
            "die": {"notation": "2d20kh1", "faces": [10, 18], "dropped": [0]},
            "total": 21,
            "ac": 14,
            "hit": True,
        },
        "ana's attack on Orc: rolls 2d20kh1 [(10), 18], total 21 against AC 14, hit",
    ),
    (
        {"type": "save_rolled", "combatant": "bo", "save": "wisdom", "die": 1, "dc": 11, "succeeded": False},
        "bo's wisdom save: rolls 1, against 11, recorded as a failure",
    ),
    (
        {
            "type": "effect_started",
            "effect": "haze",
            "source": "lum",
            "targets": ["ana", "bo"],
            "duration": {"amount": 10, "unit": "round"},
            "concentration": True,
        },
        "ana and bo: haze for 10 rounds (lum concentrates)",
    ),
    ({"type": "save_rolled", "combatant": "bo", "save": "will"}, "bo makes a will save"),
    ({"type": "save_rolled", "combatant": "bo", "die": 7}, "bo's saving throw: rolls 7"),
    ({"type": "time_passed", "time": {"amount": 1, "unit": "day"}}, "1 day goes by"),
    ({"type": "time_passed", "time": {"amount": 10, "unit": "day"}}, "10 days go by"),
    ({"type": "encounter_closed.2"}, "the fight is over"),
    ({"type": "encounter_closed.2", "reason": "the orcs fled"}, "the fight is over (the orcs fled)"),
    ({"type": "struck", "event": 18, "reason": "slip"}, "event 18 is struck (slip)"),
    (
        {"type": "amended", "event": 18, "replacement": {"type": "round_ended"}},
        "event 18 is amended: the round is over",
    ),
    (
        {"type": "checked", "values": {"bo.hp": 3, "order": ["ana", ["bo", "cy"]]}},
        "stated: bo.hp 3, order ana, bo & cy",
    ),
    ({"type": "action_taken", "combatant": "bo", "action": {"kind": "other", "name": "pray"}}, "bo does pray"),
    ({"type": "action_taken", "combatant": "bo", "action": {"kind": "stand-up"}}, "bo takes the action stand-up"),
]


@for_each(("fact", "words"), WORDED)
def test_a_fact_in_words(fact: dict[str, object], words: str) -> None:
    assert sentence(event_of(fact), lambda who: "Orc" if who == "orc-1" else who) == words


def test_a_list_in_words() -> None:
    assert [list_in_words("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def _plain(action: Action) -> dict[str, object]:
    import msgspec

    value: dict[str, object] = msgspec.to_builtins(action)
    return value


@pytest.mark.parametrize(
    ("amount", "at", "expected"),
    [
        (0, "end", "bo becomes stunned until the end of ana's turn"),
        (1, "end", "bo becomes stunned until the end of ana's next turn"),
        (1, "start", "bo becomes stunned until the start of ana's next turn"),
        (2, "end", "bo becomes stunned for 2 rounds, until the end of ana's turn"),
        (10, "start", "bo becomes stunned for 10 rounds"),
        (1, None, "bo becomes stunned for 1 round"),
    ],
)
def test_what_lasts_until_a_turn_is_said_to(amount: int, at: str | None, expected: str) -> None:
    lasting = Duration(amount=amount, unit="round", of="ana", at=at)
    assert sentence(ConditionGained(condition="stunned", targets=("bo",), duration=lasting)) == expected
