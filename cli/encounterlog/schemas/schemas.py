"""JSON Schema (draft 2020-12) of input and output, generated from the types."""

import inspect
import json
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from encounterlog.ask import QUESTIONS, question_named
from encounterlog.ask.campaign import Campaign, Found
from encounterlog.ask.scripts import Ran
from encounterlog.core.envelope import Envelope
from encounterlog.core.repairing import Repaired
from encounterlog.exporters.exporting import Exported
from encounterlog.importers.importing import Imported
from encounterlog.lineups.parties import Party
from encounterlog.signing.signatures import Judged, Signed
from eventstore.chain import Anchor
from eventstore.events import Event, Fact, name_of
from eventstore.record import CARRYING, EARLIER, Recorded
from eventstore.store import Compared, Problem
from projections.explaining.fairness import Chain, Fault, Throw
from projections.judging.audit import Finding
from projections.judging.known_words import known
from projections.ruleset.ruleset import Ruleset
from projections.views.view import When

PLACE = "#/$defs/"
"""The beginning of references within a schema."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"


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


OUTPUTS: dict[str, Any] = {name: question_named(name).answer_type() for name in QUESTIONS} | {
    "dice": DiceOfLog,
    "verify": VerifiedLog,
    "repair": Repaired,
    "head": Anchor,
    "sign": Signed,
    "list": Campaign,
    "import": Imported,
    "export": Exported,
    "run": Ran,
}
"""The output of each command that prints data of a log or script; `log`, `replay` and `run` print one such value per line."""

SAYS_NULL = frozenset(one.__name__ for one in (Finding, Found, Problem, When))
"""Types with defaults that print null where there is nothing; all others omit the field."""


def of_type(kind: type[Fact]) -> dict[str, Any]:
    """Return the schema of one type of fact."""
    (top, *_), defs = _components([kind, *(EARLIER.values() if kind in CARRYING else ())])
    return {"$schema": DRAFT, **top, "$defs": defs}


def of_party() -> dict[str, Any]:
    """Return the schema of a party, as `encounter new --party` takes it in TOML."""
    made = Party.model_json_schema()
    defs = {name: _plain(name, part) for name, part in made.pop("$defs").items()}
    return {"$schema": DRAFT, **_plain("Party", made), "$defs": defs}


def of_sheet(ruleset: Ruleset) -> dict[str, Any]:
    """Return the schema of a combatant's sheet in a ruleset, with the words that it knows as examples."""
    (top,), defs = _components([ruleset.sheet])
    fields, words = defs[ruleset.sheet.__name__]["properties"], known(ruleset.rules)
    if words.sizes and "size" in fields:
        fields["size"]["examples"] = sorted(words.sizes)
    if words.feats and "feats" in fields:
        fields["feats"]["propertyNames"]["examples"] = sorted(words.feats)
    return {"$schema": DRAFT, **top, "$defs": defs}


def parts(place: str = PLACE) -> dict[str, Any]:
    """Return the schemas of a log's lines, of the input of append, and of the outputs above, each by name, which refer to each other there."""
    (record, event, *outputs), defs = _components([Recorded, Event, *OUTPUTS.values(), *EARLIER.values()], place)
    defs["Envelope"] = _plain("Envelope", Envelope.model_json_schema())
    either = [{"$ref": f"{place}event"}, {"$ref": f"{place}Envelope"}]
    named = {"record": record, "event": _any_version(event, place), "input": {"anyOf": either}}
    named |= dict(zip(OUTPUTS, outputs, strict=False))
    for name in ("Recorded", "Envelope"):
        defs[name]["properties"]["event"] = {"$ref": f"{place}event"}
    return named | dict(sorted(defs.items()))


def everything() -> dict[str, Any]:
    """Return the parts as one schema, each by name in `$defs`."""
    says = (
        "A line of a log is a record, a line for encounter append an input; the outputs of "
        f"{', '.join(OUTPUTS)} have the names of their commands. "
        "Input may also use the short forms that encounter append --help describes."
    )
    return {
        "$schema": DRAFT,
        "title": "encounterlog",
        "description": says,
        "$ref": f"{PLACE}record",
        "$defs": parts(),
    }


def _components(kinds: list[Any], place: str = PLACE) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Return the schemas of these types, and those that they refer to by name; a nested fact may have any version."""
    tops, found = msgspec.json.schema_components(kinds, ref_template=f"{place}{{name}}")
    defs = {name: _plain(name, part) for name, part in found.items()}
    for kind, field in CARRYING.items():
        if own := defs.get(kind.__name__):
            own["properties"][field] = _any_version(own["properties"][field], place)
    return tops, defs


def _any_version(facts: dict[str, Any], place: str) -> dict[str, Any]:
    """Return the schema of a union of types that includes their earlier versions."""
    mapping = facts["discriminator"]["mapping"]
    names = {tag.partition(".")[0] for tag in mapping}
    more = {tag: f"{place}{kind.__name__}" for tag, kind in EARLIER.items() if name_of(kind) in names}
    return {
        "anyOf": [*facts["anyOf"], *({"$ref": reference} for reference in more.values())],
        "discriminator": facts["discriminator"] | {"mapping": mapping | more},
    }


def _plain(name: str, part: dict[str, Any]) -> dict[str, Any]:
    """Remove the null of optional values, and separate description and example."""
    properties = {field: _said(name, one) for field, one in part.get("properties", {}).items()}
    text = inspect.cleandoc(part.get("description", ""))
    words, _, last = text.rpartition("\n\n")
    made = part | {"properties": properties} if properties else dict(part)
    if last.startswith("{") and last.endswith("}") and "…" not in last:
        return made | {"description": words, "examples": [json.loads(last)]}
    return made | ({"description": text} if text else {})


def _said(name: str, field: dict[str, Any]) -> dict[str, Any]:
    if name in SAYS_NULL or "anyOf" not in field or field.get("default", 0) is not None:
        return field
    kinds = [one for one in field["anyOf"] if one != {"type": "null"}]
    rest = {key: one for key, one in field.items() if key not in ("anyOf", "default")}
    return rest | (kinds[0] if len(kinds) == 1 else {"anyOf": kinds})
