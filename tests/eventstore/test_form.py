import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from eventstore import form, shapes
from eventstore.errors import Malformed
from eventstore.events import CombatantJoined, ContestRolled, EncounterOpened, Event, Noted
from eventstore.form import DEEPEST, LONGEST_LINE, canonical_json, check_canonical, event_of, read_json
from eventstore.shapes import Contender, Fork
from eventstore.wording import nearest
from tests.eventstore.logs import events
from tests.tables import for_each

DAMAGE = '{"type":"damage_dealt","target":"orc-1","amount":6%s}'

OPENED = (
    '{"type":"encounter_opened","format":1,"encounter":"a","title":"","ruleset":"plain","revision":1,'
    f'"options":{{}},"forked_from":{{"encounter":%s,"seq":1,"hash":"{"0" * 64}"}}}}'
)

often = settings(max_examples=4 * settings().max_examples)


def refused(text: str | bytes) -> Malformed:
    with pytest.raises(Malformed) as caught:
        event_of(read_json(text))
    return caught.value


@for_each(
    ("text", "field", "reason"),
    [
        (DAMAGE % ',"amount":7', "amount", "stands twice"),
        (DAMAGE % ',"segment":1.5', "segment", "1.5 is a fraction"),
        (DAMAGE % ',"segment":NaN', "segment", "NaN is not a number"),
        (DAMAGE % ',"segment":9007199254740992', "segment", "beyond ±9,007,199,254,740,991"),
        (DAMAGE % (',"segment":1' + "0" * 9000), "segment", "beyond ±"),
        (DAMAGE % ',"segment":-1', "segment", "from 0"),
        (DAMAGE % ',"segment":null', "segment", "is null"),
        (DAMAGE % ',"segment":true', "segment", "a whole number"),
        (DAMAGE % ',"object":"\\ud800"', "object", "surrogate"),
        (DAMAGE % ',"object":""', "object", "at least 1 character"),
        (DAMAGE % f',"object":"{"x" * 10_000}"', "object", "at most 120 characters"),
        (DAMAGE % ',"source":"Orc 1"', "source", "is not an id"),
        (DAMAGE % ',"source":"orc\\n"', "source", "is not an id"),
        (DAMAGE % ',"source":"orc-1\\u0000"', "source", "is not an id"),
        (DAMAGE % ',"cause":0', "cause", "names no record"),
        (DAMAGE % ',"parts":[{"name":"sword","dice":{"notation":"1d8","faces":[1.5]}}]', "faces", "a fraction"),
        (DAMAGE % ',"parts":[{"name":"sword","sharp":true}]', "parts[0].sharp", "no field of damage_dealt"),
        (DAMAGE % ',"parts":[{"dice":{"notation":"1d8","faces":[1]}}]', "parts[0].name", "is missing"),
        ('{"type":"amended","event":1,"replacement":7}', "replacement", "expected an object, got a whole number"),
        ('{"type":"surprise_settled","surprised":["Orc 1"]}', "surprised", "is not an id"),
        (
            '{"type":"contest_rolled","contenders":[{"combatant":"a"},{"combatant":"B"}]}',
            "contenders[1].combatant",
            "is not an id",
        ),
        (OPENED % '"A b"', "forked_from.encounter", "is not an id"),
        ('{"type":"combatant_joined","combatant":"a","sheet":{"hp":1,"hp":2}}', "hp", "stands twice"),
        ('{"type":"checked","values":{"":0}}', "values", "a name in it: expected text of at least 1 character"),
        ('{"type":"checked","values":{"%s":0}}' % ("x" * 121), "values", "a name in it: expected text of at most 120"),
        ('{"type":"damage_delt","target":"orc-1","amount":6}', "type", "unknown event type damage_delt"),
        ('{"target":"orc-1","amount":6}', "type", "is missing"),
        ("[1,2]", "", "is not a JSON object"),
        ("", "", "not JSON"),
        (DAMAGE % "" * 2, "", "not JSON: extra data"),
        ("\ufeff{}", "", "byte order mark"),
        (b"\xef\xbb\xbf{}", "", "byte order mark"),
        (b'{"type":"noted","text":"\xff"}', "", "not UTF-8 at byte 25"),
        (b'{"type":"noted","text":"\xed\xa0\x80"}', "", "not UTF-8"),
        ('{"type":"noted","text":"a\0b"}', "", "not JSON"),
        ('{"type":"noted","text":"' + "x" * LONGEST_LINE + '"}', "", "the limit is"),
        ("[" * 10_000, "", "nested deeper"),
    ],
)
def test_what_is_malformed_is_refused_with_field_and_reason(text: str | bytes, field: str, reason: str) -> None:
    error = refused(text)
    assert error.field == field
    assert reason in error.reason
    assert str(error) == (f"{field}: {error.reason}" if field else error.reason)
    assert len(str(error)) < 400


def test_a_misspelt_type_or_field_suggests_the_nearest() -> None:
    assert "damage_dealt" in refused('{"type":"damage_delt"}').hint
    assert refused(DAMAGE % ',"sorce":"brand"').hint == "did you mean source?"
    assert nearest("xyzzy", ["damage_dealt"]) == ""
    assert nearest("DAMAGE-DEALT", ["damage_dealt"]) == nearest("damage-dealt", ["damage_dealt"]) != ""
    assert nearest("l.d2", ["L.D1", "H.D2"]) == "did you mean L.D1 or H.D2?"
    assert refused('{"type":"xyzzy"}').hint == "encounter schema lists them"
    assert refused(DAMAGE % ',"parts":[{"name":"sword","dise":{}}]').hint.startswith("did you mean die or dice")
    assert refused(DAMAGE % ',"parts":[{"name":"sword","key":"k"}]').hint.startswith("did you mean")
    assert refused('{"type":"encounter_closed","colour":"red"}').hint == ""


def test_no_word_is_named_beside_one_that_is_nearer_by_far() -> None:
    assert nearest("edtion", ["edition", "duration-of", "duration-at"]) == "did you mean edition?"


def test_a_value_of_the_wrong_kind_is_told_without_what_a_field_may_lack() -> None:
    assert refused(DAMAGE % ',"source":7').reason == "expected text, got a whole number"


def test_what_does_not_stand_in_another_fact_is_told_with_what_to_do() -> None:
    struck = '{"type":"amended","event":1,"replacement":{"type":"struck","event":2}}'
    assert refused(struck).hint == "a correction is taken back by striking it"
    opened = refused('{"type":"amended","event":1,"replacement":%s}' % (OPENED % '"a"'))
    assert (opened.field, opened.hint) == ("replacement.type", "")


@pytest.mark.parametrize(
    "text", [b'{"x":1,"type":"zonk"}', b'{"type":"Zonk"}', b'{"type":"zonk.0"}', b'{"type":"zonk" }', b"{}", b"[]"]
)
def test_an_event_of_unknown_type_begins_with_its_type_and_is_canonical(text: bytes) -> None:
    form.check_unknown(b'{"type":"zonk.2","x":[1]}')
    with pytest.raises(Malformed):
        form.check_unknown(text)


@pytest.mark.parametrize("depth", [1, 6, 7, 8, DEEPEST])
def test_a_sheet_that_is_nested_deeply_is_looked_at_closely(depth: int) -> None:
    value: object = 1
    for _ in range(depth):
        value = [value]
    assert form.are_proper(CombatantJoined(combatant="a", sheet={"x": value})) is (depth < form._PLAIN)


def test_nesting_is_allowed_up_to_the_limit() -> None:
    inner = DEEPEST - 2
    text = '{"type":"combatant_joined","combatant":"a","sheet":{"x":%s}}'
    event_of(read_json(text % ("[" * inner + "]" * inner)))
    assert "nested deeper" in refused(text % ("[" * (inner + 1) + "]" * (inner + 1))).reason


@pytest.mark.parametrize("number", [0, 2**53 - 1, 1 - 2**53])
def test_whole_numbers_are_kept_up_to_the_largest(number: int) -> None:
    assert read_json(str(number)) == number
    for beyond in (f"{number}0" if number else "-9007199254740992", "9007199254740992"):
        with pytest.raises(Malformed, match="is beyond ±9,007,199,254,740,991"):
            read_json(f"[{beyond}]")


def test_only_what_is_known_to_help_is_hinted_at() -> None:
    assert refused('{"type"').hint == refused('{"type":').hint == ""


def test_brackets_inside_text_do_not_count_as_nesting() -> None:
    text = "[{" * 500 + '"'
    assert event_of(read_json(json.dumps({"type": "noted", "text": text}))) == Noted(text=text)


def test_text_is_put_into_normal_form_c_at_the_edge_everywhere() -> None:
    event = event_of(
        read_json('{"type":"combatant_joined","combatant":"a","name":"e\u0301","sheet":{"e\u0301":"e\u0301"}}')
    )
    assert event == CombatantJoined(combatant="a", name="é", sheet={"é": "é"})


def test_what_is_read_is_no_longer_than_a_line() -> None:
    text = '"' + "x" * (LONGEST_LINE - 2) + '"'
    assert len(read_json(text)) == LONGEST_LINE - 2
    with pytest.raises(Malformed, match="1,048,577 bytes long, the limit is 1,048,576"):
        read_json(text + " ")


def test_two_spellings_of_one_key_are_one_key_twice() -> None:
    assert "stands twice" in refused('{"type":"combatant_joined","combatant":"a","sheet":{"e\u0301":1,"é":2}}').reason


@often
@given(events())
def test_reading_what_was_written_gives_the_same_event(event: Event) -> None:
    text = canonical_json(event)
    check_canonical(text)
    assert event_of(read_json(text)) == event
    assert canonical_json(event_of(read_json(text))) == text


@often
@given(st.data())
def test_the_quick_check_agrees_with_the_close_one(data: st.DataObject) -> None:
    event = data.draw(events())
    value = json.loads(canonical_json(event))
    anywhere = [*leaves(value)]
    references = [(holder, place) for holder, place in anywhere if place in form.REFERENCE_FIELDS]
    holder, place = data.draw(st.sampled_from([*anywhere, *references * 4]))
    other = [0, -1] if isinstance(holder[place], int) else ["Orc 1", "orc--1", "orc-1\n", "e\u0301", "é", "", "orc-1"]
    holder[place] = data.draw(st.sampled_from(other))
    with suppress(msgspec.ValidationError):
        event = msgspec.convert(value, Event)
    text = canonical_json(event)
    try:
        form.check_closely(text)
    except Malformed:
        with pytest.raises(Malformed):
            check_canonical(text, event)
    else:
        check_canonical(text, event)


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    for place, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list):
            yield from leaves(item)
        else:
            yield value, place


def test_ids_and_references_within_a_fact_are_looked_at_too() -> None:
    for name, proper in (("orc-1", True), ("Orc 1", False)):
        contest = ContestRolled(contenders=(Contender(combatant="ana"), Contender(combatant=name)))
        fork = Fork(encounter=name, seq=1, hash="0" * 64)
        opened = EncounterOpened(
            format=1, encounter="a", title="", ruleset="plain", revision=1, options={}, forked_from=fork
        )
        assert [form.are_proper(contest), form.are_proper(opened)] == [proper, proper]


def test_a_log_with_very_many_ids_does_not_fill_the_memory() -> None:
    most = form._are_ids.cache_info().maxsize
    assert most is not None
    for number in range(3 * most):
        assert form._are_ids(f"orc-{number}")
    assert form._are_ids.cache_info().currsize == most


@pytest.mark.parametrize("name", ["secret", "key"])
def test_what_is_said_of_an_event_beside_it_is_told_from_its_fields(name: str) -> None:
    with pytest.raises(Malformed, match="no field of noted") as caught:
        event_of({"type": "noted", "text": "x", name: True})
    assert caught.value.hint == f'it stands beside the event: {{"event":{{…}},"{name}":…}}'


@given(st.text("ab1-A\u00e9\u0663\n", max_size=8) | st.from_regex(shapes.ID_PATTERN))
def test_an_id_has_the_form_that_its_schema_gives(text: str) -> None:
    assert form.is_id(text) == (re.fullmatch(shapes.ID_PATTERN.removesuffix("$"), text) is not None)
