import json
from typing import Any

import msgspec
import pytest

from eventstore import shapes
from eventstore.errors import Malformed
from eventstore.events import EVENT_TYPES, TAGS, Event, Fact, name_of
from eventstore.form import event_of, read_json
from tests.eventstore.logs import example
from tests.tables import for_each

decode = msgspec.json.Decoder(Event).decode
EVERY_TYPE = for_each("event", EVENT_TYPES)
SHAPES = [shape for shape in shapes.Shape.__subclasses__() if shape.__module__ == shapes.__name__]


@EVERY_TYPE
def test_each_docstring_is_a_sentence_and_ends_with_one_example(event: type[Fact]) -> None:
    lines = [line.strip() for line in (event.__doc__ or "").strip().splitlines()]
    assert lines[0].endswith(".")
    assert [line.startswith("{") for line in lines] == [False] * (len(lines) - 1) + [True]


@EVERY_TYPE
def test_each_example_decodes_and_encodes_to_itself(event: type[Fact]) -> None:
    line = example(event)
    decoded = decode(line)
    assert type(decoded) is event
    assert msgspec.json.encode(decoded).decode() == line
    assert event_of(read_json(line)) == decoded


@for_each("shape", SHAPES)
def test_each_shape_has_an_example_that_decodes_and_encodes_to_itself(shape: type[shapes.Shape]) -> None:
    line = next(line.strip() for line in (shape.__doc__ or "").splitlines() if line.strip().startswith("{"))
    line = line.replace("…", "0" * 64)
    assert msgspec.json.encode(msgspec.json.decode(line, type=shape)).decode() == line


@EVERY_TYPE
def test_every_type_refuses_a_field_that_it_does_not_have(event: type[Fact]) -> None:
    value = json.loads(example(event)) | {"colour": "red"}
    with pytest.raises(Malformed) as caught:
        event_of(value)
    assert caught.value.field == "colour"
    assert caught.value.reason == f"no field of {value['type']}"


@EVERY_TYPE
def test_every_type_says_which_required_field_is_missing(event: type[Fact]) -> None:
    value = json.loads(example(event))
    required = [name for name in event.__struct_fields__ if not _optional(event, name)]
    for name in required:
        with pytest.raises(Malformed, match="is missing") as caught:
            event_of({key: item for key, item in value.items() if key != name})
        assert caught.value.field == name


@EVERY_TYPE
def test_every_event_is_frozen_and_not_tracked_by_the_collector(event: type[Fact]) -> None:
    import gc

    decoded: Any = decode(example(event))
    assert not gc.is_tracked(decoded)
    with pytest.raises(AttributeError, match="immutable"):
        decoded.type = "x"


def test_tags_are_snake_case_names_of_the_classes() -> None:
    for tag, event in TAGS.items():
        assert tag == name_of(event) or tag.startswith(f"{name_of(event)}.")
        assert name_of(event).replace("_", "") == event.__name__.lower()


def test_a_type_that_says_no_tag_has_its_name_for_one() -> None:
    class HealingBegun(Fact, frozen=True):
        pass

    assert HealingBegun.__struct_config__.tag == "healing_begun"


def _optional(event: type[Fact], name: str) -> bool:
    field = next(field for field in msgspec.structs.fields(event) if field.name == name)
    return not field.required
