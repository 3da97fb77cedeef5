"""OpenAPI 3.1 of the service, made from the tables that route its requests and that describe its outputs."""

from collections.abc import Iterable
from typing import Any

import msgspec

from encounterlog import __version__, schemas
from encounterlog.errors import ERRORS
from encounterlog.places import answers
from encounterlog.service import bodies
from encounterlog.service.bodies import Beginning, Decision, Given, Invitation, Opening, OpeningForm, Typed
from encounterlog.service.calls import LINES, STREAM, Endpoint, Parameter
from encounterlog.service.problems import MEDIA

TEXT = {"type": "string"}
FACTS = {"$ref": "#/components/schemas/input"}
IN_PATH = TEXT | {"minLength": 1, "maxLength": 190}
AS_TEXT = (*bodies.TEXT, *bodies.LINES)
"""The media types of bodies that are lines, or plain text."""
OBJECTS = {"type": "array", "items": {"type": "object"}}


def _object_schema(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": [*fields]}


OPEN: dict[str, Any] = {
    "Facts": {"anyOf": [FACTS, {"type": "array", "items": FACTS}]},
    "Joining": _object_schema(token=TEXT),
    "Page": _object_schema(title=TEXT, ruleset=TEXT, head={"type": "string", "pattern": "^[0-9]+:[0-9a-f]{64}$"}),
    "Card": _object_schema(who=TEXT, attacks=OBJECTS, spells=OBJECTS, may=OBJECTS),
    "Monsters": _object_schema(monsters={"type": "array", "items": _object_schema(name=TEXT, id=TEXT)}),
}
"""The schemas of bodies, and of answers to which a ruleset or the page adds fields of its own."""


def describe_service(rows: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI document of these endpoints."""
    paths: dict[str, dict[str, Any]] = {}
    for row in rows:
        paths.setdefault(row.path, {})[row.method.lower()] = _describe_operation(row)
        if row.path.endswith("/head"):
            paths[row.path]["head"] = _describe_operation(row) | {"operationId": f"head-{row.named}"}
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "encounterlog", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {"schemas": _schemas_by_name(), "securitySchemes": {"token": bearer}},
    }


ABOUT = (
    "Logs of tabletop fights. What is derived from a log is what the commands print with --json. For players everything is "
    "derived from records without their secrets. Changes to /v1 only add."
)


def _describe_operation(row: Endpoint) -> dict[str, Any]:
    made: dict[str, Any] = {"operationId": row.named, "summary": row.says}
    in_path = [part[1:-1] for part in row.path.split("/") if part.startswith("{")]
    parameters = [{"name": name, "in": "path", "required": True, "schema": IN_PATH} for name in in_path]
    made["parameters"] = [*parameters, *map(_describe_parameter, row.parameters)]
    if row.body:
        schema = {"$ref": f"#/components/schemas/{row.given}"}
        content = {media: {"schema": TEXT if media in AS_TEXT else schema} for media in row.body}
        made["requestBody"] = {"required": True, "content": content}
    successes = {str(status): _describe_success(row, status) for status in row.success}
    made["responses"] = successes | _describe_refusals(row)
    made["security"] = [{"token": []}] if row.roles else []
    return made | ({"description": f"For {', '.join(sorted(row.roles))}."} if row.roles else {})


def _describe_parameter(one: Parameter) -> dict[str, Any]:
    made = {"name": one.name, "in": "header" if one.header else "query", "description": one.says, "schema": one.schema}
    return made | ({"required": True} if one.needed else {})


def _describe_success(row: Endpoint, status: int) -> dict[str, Any]:
    made: dict[str, Any] = {"description": _MEANS[status]}
    if row.media and status not in (204, 303, 304):
        gives = "Proposed" if status == 202 else row.gives
        schema = {"$ref": f"#/components/schemas/{gives}"} if gives and row.media not in (LINES, STREAM) else {}
        made["content"] = {row.media: {"schema": TEXT if row.media in (LINES, STREAM) else schema}}
        if row.media == LINES:
            made["description"] += f" Each line: #/components/schemas/{row.gives}."
    return made


_MEANS = {
    200: "Done; of an append, it had been done before.",
    201: "Written, and durable.",
    202: "Proposed to the game master: not written yet.",
    204: "Done.",
    303: "Done; go there.",
    304: "As it was.",
}


def _describe_refusals(row: Endpoint) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = {}
    for kind in sorted(row.problems, key=lambda each: (ERRORS[each].status, each)):
        made = found.setdefault(str(ERRORS[kind].status), {"description": "", "content": _PROBLEM})
        made["description"] = f"{made['description']} {kind}: {ERRORS[kind].title}.".strip()
    return found


_PROBLEM = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}


def _schemas_by_name() -> dict[str, Any]:
    """Return every schema by name: those of `encounter schema`, those of bodies, and the service's own."""
    defs = schemas.schemas_by_name("#/components/schemas/")
    for model in (Opening, OpeningForm, Invitation, Typed, Given, Beginning, Decision):
        defs[model.__name__] = model.model_json_schema()
    _, parts = msgspec.json.schema_components(answers.ALL, ref_template="{name}")
    own = {kind.__name__: _inline_schemas(parts[kind.__name__], parts) for kind in answers.ALL}
    return dict(sorted((defs | OPEN | own).items()))


def _inline_schemas(value: Any, parts: dict[str, Any]) -> Any:
    """Return the schema of an answer with those that it holds in their places, and without words for readers of the source."""
    if isinstance(value, list):
        return [_inline_schemas(one, parts) for one in value]
    if not isinstance(value, dict):
        return value
    if value.get("$ref") in parts:
        return _inline_schemas(parts[value["$ref"]], parts)
    if "anyOf" in value:
        return {"type": [one["type"] for one in value["anyOf"]]}
    left_out = {"title", "description", "default"} if isinstance(value.get("type"), str) else set()
    kept = sorted(value.keys() - left_out, key=lambda name: (name != "type", [*value].index(name)))
    return {name: _inline_schemas(value[name], parts) for name in kept}
