"""A small checker for the part of JSON Schema that the published schemas use; it shares no code with the project."""

import re
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip
KNOWN = {
    "$ref", "$schema", "$defs", "title", "description", "examples", "default", "type", "enum", "anyOf", "properties",
    "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems", "minLength", "maxLength",
    "pattern", "minimum", "maximum", "propertyNames", "discriminator",
}  # fmt: skip


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str = "$") -> list[str]:
    """Return in what a value does not follow a schema."""
    unknown = set(schema) - KNOWN
    assert not unknown, f"{where}: this checker does not know {unknown}"
    if "$ref" in schema:
        return faults(value, _referred(schema["$ref"], root), root, where)
    if "anyOf" in schema:
        tried = [faults(value, one, root, where) for one in schema["anyOf"]]
        return [] if [] in tried else [f"{where}: {value!r:.80} fits none: {min(tried, key=len)}"]
    return _plain(value, schema, where) + _object(value, schema, root, where) + _array(value, schema, root, where)


def _referred(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return dict(found)


def _plain(value: Any, schema: dict[str, Any], where: str) -> list[str]:
    wrong = []
    if "type" in schema and (
        not isinstance(value, TYPES[schema["type"]]) or (isinstance(value, bool) and schema["type"] == "integer")
    ):
        return [f"{where}: {value!r:.80} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{where}: {value!r} is none of {schema['enum']}")
    if isinstance(value, str):
        long_enough = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 1 << 60)
        wrong += [] if long_enough else [f"{where}: length of {value!r:.80}"]
        wrong += [] if re.search(schema.get("pattern", ""), value) else [f"{where}: form of {value!r:.80}"]
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        wrong.append(f"{where}: {value} is beyond the limits")
    return wrong


def _object(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    own = schema.get("properties", {})
    wrong = [f"{where}: {name} is missing" for name in schema.get("required", ()) if name not in value]
    more = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in own:
            wrong += faults(item, own[name], root, f"{where}.{name}")
        elif more is False:
            wrong.append(f"{where}: {name} is unknown")
        elif isinstance(more, dict):
            wrong += faults(item, more, root, f"{where}.{name}")
    return wrong


def _array(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str) -> list[str]:
    if not isinstance(value, list):
        return []
    first = schema.get("prefixItems", [])
    wrong = [each for one, part in zip(value, first, strict=False) for each in faults(one, part, root, where)]
    if isinstance(schema.get("items"), dict):
        wrong += [each for n, one in enumerate(value) for each in faults(one, schema["items"], root, f"{where}[{n}]")]
    fits = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 60)
    return wrong if fits else [*wrong, f"{where}: {len(value)} items"]
