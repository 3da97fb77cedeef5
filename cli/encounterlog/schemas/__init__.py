"""JSON Schema (draft 2020-12) of input and output, generated from the types; and the pages of `encounter schema` that explain it."""

import inspect
import json
from itertools import chain
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from encounterlog.ask import QUESTIONS, question_named
from encounterlog.ask.listing import Campaign, Found
from encounterlog.ask.rules import Ran
from encounterlog.exporters.exporting import Exported
from encounterlog.importers.importing import Imported
from encounterlog.lineups.parties import Party
from encounterlog.log.appending import Envelope, describe_fact_type, example_line
from encounterlog.log.upkeep import Repaired
from encounterlog.signing import Judged, Signed
from encounterlog.words.layout import heading, one_line, table, wrap
from eventstore.chain import Anchor
from eventstore.events import NEWEST, TAGS, Event, Fact, name_of
from eventstore.record import CARRYING, EARLIER, Recorded
from eventstore.store import Compared, Problem
from projections.explaining.fairness import Chain, Fault, Throw
from projections.judging.audit import Finding
from projections.judging.known_words import known
from projections.ruleset.ruleset import Ruleset
from projections.views.view import When

TOP = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
PLACE = "#/$defs/"  # the beginning of references within a schema


class DiceFault(Fault, frozen=True, kw_only=True):
    """A fault of a dice chain, or a remark on it."""

    wrong: bool


class DiceOfLog(Struct, frozen=True):
    """The output of `encounter dice --json`, and of the dice of `encounter verify --dice --json`."""

    chains: tuple[Chain, ...]
    throws: tuple[Throw, ...]
    faults: tuple[DiceFault, ...]
    levels: dict[str, int]
    holds: bool


class VerifiedLog(Struct, frozen=True):
    """The output of `encounter verify --json`; `head` is SEQ:HASH.

    `key` is the fingerprint of the key that `signatures` were checked with, null if none was given; then `unchecked` is
    the number of signatures beside the log.
    """

    records: int
    batches: int
    head: str | None
    withheld: tuple[int, ...]
    unknown: tuple[int, ...]
    problem: Problem | None
    anchor: Compared
    key: str | None
    signatures: tuple[Judged, ...]
    unchecked: int
    sound: bool
    dice: DiceOfLog | UnsetType = UNSET


OUTPUTS: dict[str, Any] = (
    {name: question_named(name).answer_type() for name in QUESTIONS}
    | {"dice": DiceOfLog, "verify": VerifiedLog, "repair": Repaired, "head": Anchor, "sign": Signed}
    | {"list": Campaign, "import": Imported, "export": Exported, "run": Ran}
)
"""The output of each command that prints data of a log or script; `log`, `replay` and `run` print one such value per line."""
SAYS_NULL = frozenset(one.__name__ for one in (Finding, Found, Problem, When))
"""Types with defaults that print null where there is nothing; all others omit the field."""


def fact_schema(kind: type[Fact]) -> dict[str, Any]:
    """Return the schema of one type of fact."""
    (top, *_), defs = _component_schemas([kind, *(EARLIER.values() if kind in CARRYING else ())])
    return TOP | top | {"$defs": defs}


def party_schema() -> dict[str, Any]:
    """Return the schema of a party, as `encounter new --party` takes it in TOML."""
    made = Party.model_json_schema()
    defs = {name: _simplify_schema(name, part) for name, part in made.pop("$defs").items()}
    return TOP | _simplify_schema("Party", made) | {"$defs": defs}


def sheet_schema(ruleset: Ruleset) -> dict[str, Any]:
    """Return the schema of a combatant's sheet in a ruleset, with the words that it knows as examples."""
    (top,), defs = _component_schemas([ruleset.sheet])
    fields, words = defs[ruleset.sheet.__name__]["properties"], known(ruleset.rules)
    if words.sizes and "size" in fields:
        fields["size"]["examples"] = sorted(words.sizes)
    if words.feats and "feats" in fields:
        fields["feats"]["propertyNames"]["examples"] = sorted(words.feats)
    return TOP | top | {"$defs": defs}


def schemas_by_name(place: str = PLACE) -> dict[str, Any]:
    """Return the schemas of a log's lines, of the input of append, and of the outputs above, each by name, which refer to each other there."""
    kinds = [Recorded, Event, Envelope, *OUTPUTS.values(), *EARLIER.values()]
    (record, event, _, *outputs), defs = _component_schemas(kinds, place)
    either = [{"$ref": f"{place}event"}, {"$ref": f"{place}Envelope"}]
    for name in ("Recorded", "Envelope"):
        defs[name]["properties"]["event"] = {"$ref": f"{place}event"}
    named = {"record": record, "event": _any_version(event, place), "input": {"anyOf": either}}
    return named | dict(zip(OUTPUTS, outputs, strict=False)) | dict(sorted(defs.items()))


def full_schema() -> dict[str, Any]:
    """Return the parts as one schema, each by name in `$defs`."""
    says = (
        f"A line of a log is a record, a line for encounter append an input; the outputs of {', '.join(OUTPUTS)} have the "
        "names of their commands. Input may also use the short forms that encounter append --help describes."
    )
    return TOP | {"title": "encounterlog", "description": says, "$ref": f"{PLACE}record", "$defs": schemas_by_name()}


def _component_schemas(kinds: list[Any], place: str = PLACE) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    tops, found = msgspec.json.schema_components(kinds, ref_template=f"{place}{{name}}")
    defs = {name: _simplify_schema(name, part) for name, part in found.items()}
    for kind, field in CARRYING.items():
        if own := defs.get(kind.__name__):
            own["properties"][field] = _any_version(own["properties"][field], place)
    return tops, defs


def _any_version(facts: dict[str, Any], place: str) -> dict[str, Any]:
    mapping = facts["discriminator"]["mapping"]
    names = {tag.partition(".")[0] for tag in mapping}
    more = {tag: f"{place}{kind.__name__}" for tag, kind in EARLIER.items() if name_of(kind) in names}
    either = [*facts["anyOf"], *({"$ref": reference} for reference in more.values())]
    return {"anyOf": either, "discriminator": facts["discriminator"] | {"mapping": mapping | more}}


def _simplify_schema(name: str, part: dict[str, Any]) -> dict[str, Any]:
    made = dict(part)
    if part.get("properties"):
        fields = part["properties"].items()
        made["properties"] = {field: one if name in SAYS_NULL else _without_null(one) for field, one in fields}
    text = inspect.cleandoc(part.get("description", ""))
    words, _, last = text.rpartition("\n\n")
    if last.startswith("{") and last.endswith("}") and "…" not in last:
        return made | {"description": words, "examples": [json.loads(last)]}
    return made | ({"description": text} if text else {})


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" not in field or field.get("default", 0) is not None:
        return field
    kinds = [one for one in field["anyOf"] if one != {"type": "null"}]
    rest = {key: one for key, one in field.items() if key not in ("anyOf", "default")}
    return rest | (kinds[0] if len(kinds) == 1 else {"anyOf": kinds})


PLAIN = {"integer": "whole number", "string": "text", "boolean": "true or false", "object": "object"}
PATTERNS = {"^[a-z": "id", "^-?[0": 'text such as "20.08"', "^[0-9a-f]": "hash"}


def list_fact_types(word: str = "") -> list[str]:
    """Return every type of fact with what it is, or those with a word in either, and nothing if there are none."""
    types = ((tag, describe_fact_type(kind)) for tag, kind in TAGS.items())
    rows = table((row for row in types if word.casefold() in " ".join(row).casefold()), "")
    if word:
        return rows
    before = wrap(f"Earlier versions, still read and accepted: {', '.join(EARLIER)}")
    return [*rows, "", *before, "encounter schema TYPE shows its fields and an example"]


def format_fact_type(kind: type[Fact]) -> list[str]:
    """Return a type of fact with its fields and an example, and the shapes that its fields have."""
    parts = fact_schema(kind)["$defs"]
    own, newest = parts.pop(kind.__name__), NEWEST[name_of(kind)]
    lines = _format_top(own["properties"]["type"]["enum"][0], own)
    if kind is not newest:
        tag = newest.__struct_config__.tag
        lines += ["", *wrap(f"An earlier version, still read and accepted; {tag} is the newest.")]
    elif versions := [tag for tag, one in EARLIER.items() if name_of(one) == name_of(kind)]:
        lines += ["", *wrap(f"Earlier versions, still read and accepted: {', '.join(versions)}")]
    for name, part in parts.items():  # the shapes of what is carried are found with its own type
        if kind not in CARRYING and "type" not in part["properties"]:
            lines += ["", *wrap(f"{name}: {part['description'].partition(chr(10))[0]}"), *_field_rows(part)]
    return [*lines, "", "Example:", f"  {example_line(kind)}"]


def format_party_fields(sample: str) -> list[str]:
    """Return what a party consists of, with an example."""
    schema = party_schema()
    member = schema["$defs"]["Member"]
    lines = [*_format_top("party", schema), "", *wrap(f"[[member]]: {member['description']}"), *_field_rows(member)]
    lines += ["", "Example, a file such as party.toml for encounter new --party:", ""]
    return lines + [f"  {line}".rstrip() for line in sample.splitlines()]


def format_sheet(ruleset: Ruleset) -> list[str]:
    """Return the fields of a combatant's sheet in a ruleset, with their defaults, and the words that it knows."""
    parts = sheet_schema(ruleset)["$defs"]
    own = parts.pop(ruleset.sheet.__name__)
    lines = _format_top(f"sheet of {ruleset.key}", own)
    for name, part in parts.items():
        says = one_line(part.get("description", ""))  # that of another distribution may have none
        lines += ["", *wrap(f"{name}: {says}" if says else name), *_field_rows(part)]
    for field, one in own["properties"].items():
        if words := one.get("examples") or one.get("propertyNames", {}).get("examples"):
            lines += ["", *wrap(f"Known for {field}: {', '.join(words)}")]
    return lines


def _format_top(title: str, own: dict[str, Any]) -> list[str]:
    blocks = [wrap(one_line(block), "  ") for block in own.get("description", "").split("\n\n") if block]
    return [heading(title), *chain.from_iterable([*block, ""] for block in blocks or [[]]), *_field_rows(own)]


def _field_rows(part: dict[str, Any]) -> list[str]:
    if "enum" in part:
        return [f"  {schema_words(part)}"]
    rows = []
    for field, one in part["properties"].items():
        if field != "type":
            default = one.get("default")
            note = f"{json.dumps(default)} by default" if default or default == 0 else ""
            rows.append((field, "required" if field in part.get("required", ()) else note, schema_words(one)))
    return table(rows) or ["  (no fields)"]


def schema_words(schema: dict[str, Any]) -> str:
    """Return a schema in words: list of id, whole number or Dice."""
    match schema:
        case {"$ref": reference}:
            says = str(reference).rpartition("/")[2]
        case {"anyOf": kinds} if len(kinds) > 9:
            says = "a fact: any type but encounter_opened, struck, amended, inserted"
        case {"anyOf": kinds}:
            says = " or ".join(map(schema_words, kinds))
        case {"enum": values}:
            says = " or ".join(map(str, values))
        case {"prefixItems": items}:
            says = f"[{', '.join(map(schema_words, items))}]"
        case {"type": "array", "items": items}:
            says = f"list of {schema_words(items)}"
        case {"pattern": pattern}:
            says = next((one for begins, one in PATTERNS.items() if pattern.startswith(begins)), f"text like {pattern}")
        case {"type": "integer", "minimum": 0}:
            says = "number, 0 or more"
        case {"additionalProperties": {"type": _} as each}:
            says = f"object of {schema_words(each)}"
        case _:
            says = PLAIN.get(schema.get("type", ""), "any value")
    return says
