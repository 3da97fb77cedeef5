"""The pages of `encounter schema`: the types of facts, and the fields of one."""

from collections.abc import Iterator
from json import dumps
from typing import Any

from encounterlog.schemas import schemas
from encounterlog.text.examples import example, says
from encounterlog.text.layout import heading, one_line, table, wrap
from eventstore.events import NEWEST, TAGS, Fact, name_of
from eventstore.record import CARRYING, EARLIER
from projections.ruleset.ruleset import Ruleset

PLAIN = {"integer": "whole number", "string": "text", "boolean": "true or false", "object": "object"}


ANY_FACT = "a fact: any type but encounter_opened, struck, amended, inserted"


def overview(word: str = "") -> list[str]:
    """Return every type of fact with what it is, or those with a word in either, and nothing if there are none."""
    rows = table(
        ((tag, says(kind)) for tag, kind in TAGS.items() if word.casefold() in f"{tag} {says(kind)}".casefold()), ""
    )
    if word:
        return rows
    before = f"Earlier versions, still read and accepted: {', '.join(EARLIER)}"
    return [*rows, "", *wrap(before), "encounter schema TYPE shows its fields and an example"]


def fact(kind: type[Fact]) -> list[str]:
    """Return a type of fact with its fields and an example, and the shapes that its fields have."""
    schema = schemas.of_type(kind)
    parts = dict(schema["$defs"])
    own = parts.pop(kind.__name__)
    lines = [heading(str(own["properties"]["type"]["enum"][0])), *_description(own), ""]
    lines += [*_fields(own), *_versions(kind)]
    for name, part in parts.items():  # the shapes of what is carried are found with its own type
        if kind not in CARRYING and "type" not in part["properties"]:
            lines += ["", *wrap(f"{name}: {part['description'].partition(chr(10))[0]}"), *_fields(part)]
    return [*lines, "", "Example:", *_example(kind)]


def party(sample: str) -> list[str]:
    """Return what a party consists of, with an example."""
    schema = schemas.of_party()
    member = schema["$defs"]["Member"]
    lines = [heading("party"), *wrap(schema["description"], "  "), "", *_fields(schema)]
    lines += ["", *wrap(f"[[member]]: {member['description']}"), *_fields(member)]
    lines += ["", "Example, a file such as party.toml for encounter new --party:", ""]
    return lines + [f"  {line}".rstrip() for line in sample.splitlines()]


def sheet(ruleset: Ruleset) -> list[str]:
    """Return the fields of a combatant's sheet in a ruleset, with their defaults, and the words that it knows."""
    parts = schemas.of_sheet(ruleset)["$defs"]
    own = parts.pop(ruleset.sheet.__name__)
    lines = [heading(f"sheet of {ruleset.key}"), *_description(own), "", *_fields(own)]
    for name, part in parts.items():
        says = one_line(part.get("description", ""))  # that of another distribution may have none
        lines += ["", *wrap(f"{name}: {says}" if says else name), *_fields(part)]
    for field, one in own["properties"].items():
        if words := one.get("examples") or one.get("propertyNames", {}).get("examples"):
            lines += ["", *wrap(f"Known for {field}: {', '.join(words)}")]
    return lines


def _default(one: dict[str, Any]) -> str:
    """Return the default of a field in words, where it is a number, a flag, or a text that is not empty."""
    default = one.get("default")
    return f"{dumps(default)} by default" if default or default == 0 else ""


def _versions(kind: type[Fact]) -> Iterator[str]:
    """Yield the other versions of a type."""
    newest = NEWEST[name_of(kind)]
    if kind is not newest:
        yield from ["", *wrap(f"An earlier version, still read and accepted; {_tag(newest)} is the newest.")]
    elif before := [tag for tag, other in EARLIER.items() if name_of(other) == name_of(kind)]:
        yield from ["", *wrap(f"Earlier versions, still read and accepted: {', '.join(before)}")]


def _tag(kind: type[Fact]) -> str:
    return str(kind.__struct_config__.tag)


def _description(own: dict[str, Any]) -> Iterator[str]:
    for number, block in enumerate(filter(None, own.get("description", "").split("\n\n"))):
        yield from ["", *wrap(one_line(block), "  ")] if number else wrap(one_line(block), "  ")


def _example(kind: type[Fact]) -> Iterator[str]:
    yield f"  {example(kind)}"


def _fields(part: dict[str, Any]) -> list[str]:
    if "enum" in part:
        return [f"  {in_words(part)}"]
    needed = part.get("required", ())
    rows = [
        (field, "required" if field in needed else _default(one), in_words(one))
        for field, one in part["properties"].items()
        if field != "type"
    ]
    return table(rows) or ["  (no fields)"]


def in_words(schema: dict[str, Any]) -> str:
    """Return a schema in words: list of id, whole number or Dice."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return ANY_FACT if len(schema["anyOf"]) > 9 else " or ".join(map(in_words, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    return _list(schema) if schema.get("type") == "array" else _single(schema)


def _single(schema: dict[str, Any]) -> str:
    pattern = schema.get("pattern", "")
    if pattern:
        kinds = {"^[a-z": "id", "^-?[0": 'text such as "20.08"', "^[0-9a-f]": "hash"}
        return next((says for begins, says in kinds.items() if pattern.startswith(begins)), f"text like {pattern}")
    if schema.get("type") == "integer" and schema.get("minimum") == 0:
        return "number, 0 or more"
    each = schema.get("additionalProperties")
    if isinstance(each, dict) and "type" in each:
        return f"object of {in_words(each)}"
    return PLAIN.get(schema.get("type", ""), "any value")


def _list(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(in_words(one) for one in schema['prefixItems'])}]"
    return f"list of {in_words(schema['items'])}"
