"""OpenAPI 3.1 of the service, made from the tables that route its requests and that describe its outputs."""

from collections.abc import Iterable
from typing import Any

from encounterlog import __version__
from encounterlog.errors import ERRORS
from encounterlog.schemas import schemas
from encounterlog.service.bodies import Beginning, Decision, Given, Invitation, Opening, OpeningForm, Typed
from encounterlog.service.calls import AUTH, LINES, STREAM, Endpoint, Parameter
from encounterlog.service.problems import MEDIA

TEXT = {"type": "string"}
SEQ = {"type": "integer", "minimum": 1}
HEAD = {"type": "string", "pattern": "^[0-9]+:[0-9a-f]{64}$"}
ROLE = {"type": "string", "enum": ["operator", "gm", "player", "spectator"]}


def _object(**fields: Any) -> dict[str, Any]:
    """Return the schema of an object; a field whose name ends with _ may be absent."""
    return {
        "type": "object",
        "properties": {name.rstrip("_"): one for name, one in fields.items()},
        "required": [name for name in fields if not name.endswith("_")],
    }


def _list(of: Any) -> dict[str, Any]:
    return {"type": "array", "items": of}


_TOKEN = {"id": TEXT, "role": ROLE, "combatants": _list(TEXT), "by": TEXT, "writes": {"type": "boolean"}, "at": TEXT}
_TOKEN |= {"revoked": {"type": ["string", "null"]}}
_APPENDED = {"first": SEQ, "last": SEQ, "head": HEAD, "again": {"type": "boolean"}, "withheld_": _list(SEQ)}
_FINDINGS = {"findings": _list({"$ref": "#/components/schemas/Finding"})}
_FACT: dict[str, Any] = {"type": "object", "required": ["type"], "properties": {"type": TEXT}}
_STATE = {"type": "string", "enum": ["waiting", "accepted", "declined", "withdrawn"]}
_PROPOSAL = {"id": TEXT, "state": _STATE, "version": {"type": "integer"}, "by": TEXT, "line": TEXT, "echo": _list(TEXT)}
_PROPOSAL |= {"rolls": {"type": "boolean"}}
OWN: dict[str, Any] = {
    "Encounters": _object(encounters=_list(_object(name=TEXT, role=ROLE, combatants=_list(TEXT)))),
    "Created": _object(name=TEXT, head=HEAD, id=TEXT, token=TEXT, link=TEXT),
    "Appended": _object(**_APPENDED, **_FINDINGS),
    "Told": _object(
        echo_=_list(TEXT), rolled_=_list(TEXT), facts_=_list(_FACT), secret_={"type": "boolean"}, proposed_={"type": "boolean"},
        **{f"{name}_": one for name, one in (_APPENDED | _FINDINGS).items()},
    ),
    "Proposed": _object(proposed=TEXT, masters={"type": "integer"}, **_PROPOSAL),
    "Proposals": _object(proposals=_list(_object(**_PROPOSAL))),
    "Settled": _object(
        id=TEXT, state=_STATE, echo_=_list(TEXT), facts_=_list(_FACT),
        **{f"{name}_": one for name, one in (_APPENDED | _FINDINGS).items()},
    ),
    "Offers": _object(begun=TEXT, offers=_list(_object(word=TEXT, says=TEXT))),
    "Line": _object(event=SEQ, line=TEXT),
    "LineUp": _object(lines=_list(TEXT), facts=_list({"$ref": "#/components/schemas/input"}), left_out=_list(TEXT)),
    "Tokens": _object(tokens=_list(_object(**_TOKEN))),
    "Taken": _object(taken={"type": "boolean"}),
    "Invited": _object(**_TOKEN, token=TEXT, link=TEXT, qr=_list(TEXT)),
    "Facts": {"anyOf": [{"$ref": "#/components/schemas/input"}, _list({"$ref": "#/components/schemas/input"})]},
    "Joining": _object(token=TEXT),
    "Page": _object(title=TEXT, ruleset=TEXT, head=HEAD),
    "Card": _object(who=TEXT, attacks=_list({"type": "object"}), spells=_list({"type": "object"}), may=_list({"type": "object"})),
    "Monsters": _object(monsters=_list(_object(name=TEXT, id=TEXT))),
    "Problem": _object(
        type=TEXT, title=TEXT, status={"type": "integer"}, detail=TEXT, exit={"type": "integer"}, hint_=TEXT,
        line_={"type": "integer"}, field_=TEXT, column_={"type": "integer"}, details_=_list(TEXT), offers_=_list(TEXT),
        readings_=_list(_object(line=TEXT, says=_list(TEXT), facts=_list(_FACT))),
        expected_=TEXT, found_=TEXT, state_=TEXT, version_={"type": "integer"}, echo_=_list(TEXT), between_=_list({"type": "object"}), input_=TEXT, key_=TEXT,
    ),
}  # fmt: skip
"""The schemas of values that only the service has."""


def description(rows: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI document of these endpoints."""
    paths: dict[str, dict[str, Any]] = {}
    for row in rows:
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row)
        if row.path.endswith("/head"):
            paths[row.path]["head"] = _operation(row) | {"operationId": f"head-{row.named}"}
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "encounterlog", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {"schemas": _schemas(), "securitySchemes": {"token": bearer}},
    }


ABOUT = (
    "Logs of tabletop fights. What is derived from a log is what the commands print with --json. For players everything is "
    "derived from records without their secrets. Changes to /v1 only add."
)


def _operation(row: Endpoint) -> dict[str, Any]:
    """Return the operation of an endpoint."""
    made: dict[str, Any] = {"operationId": row.named, "summary": row.says}
    made["parameters"] = [*_of_path(row), *map(_parameter, row.parameters)]
    if row.body:
        schema = {"$ref": f"#/components/schemas/{row.given}"}
        made["requestBody"] = {
            "required": True,
            "content": {media: {"schema": _body(media, schema)} for media in row.body},
        }
    made["responses"] = {str(status): _success(row, status) for status in row.success} | _refusals(row)
    made["security"] = [{"token": []}] if row.roles else []
    return made | ({"description": f"For {', '.join(sorted(row.roles))}."} if row.roles else {})


def _of_path(row: Endpoint) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in row.path.split("/") if part.startswith("{")]
    schema = {"type": "string", "minLength": 1, "maxLength": 190}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in names]


def _parameter(one: Parameter) -> dict[str, Any]:
    made = {"name": one.name, "in": "header" if one.header else "query", "description": one.says, "schema": one.schema}
    return made | ({"required": True} if one.needed else {})


def _body(media: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a body: of lines and of plain text it is text."""
    return TEXT if media.startswith("text/") or "ndjson" in media or "jsonl" in media else schema


def _success(row: Endpoint, status: int) -> dict[str, Any]:
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


def _refusals(row: Endpoint) -> dict[str, Any]:
    kinds = (*row.refusals, *(AUTH if row.roles else ("too-many-requests",)), "bad-request", "stopping")
    found: dict[str, dict[str, Any]] = {}
    for kind in sorted(dict.fromkeys(kinds), key=lambda each: (ERRORS[each].status, each)):
        made = found.setdefault(str(ERRORS[kind].status), {"description": "", "content": _PROBLEM})
        made["description"] = f"{made['description']} {kind}: {ERRORS[kind].title}.".strip()
    return found


_PROBLEM = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}


def _schemas() -> dict[str, Any]:
    """Return every schema by name: those of `encounter schema`, those of bodies, and the service's own."""
    defs = _moved(schemas.everything()["$defs"])
    for model in (Opening, OpeningForm, Invitation, Typed, Given, Beginning, Decision):
        defs[model.__name__] = _moved(model.model_json_schema())
    return dict(sorted((defs | OWN).items()))


def _moved(value: Any) -> Any:
    """Return a schema whose references lead to its place in this document."""
    if isinstance(value, dict):
        return {
            name: one.replace("#/$defs/", "#/components/schemas/") if name == "$ref" else _moved(one)
            for name, one in value.items()
            if name != "$schema"
        } | ({"discriminator": _mapped(value["discriminator"])} if "discriminator" in value else {})
    return [_moved(one) for one in value] if isinstance(value, list) else value


def _mapped(value: dict[str, Any]) -> dict[str, Any]:
    mapping = {
        tag: reference.replace("#/$defs/", "#/components/schemas/") for tag, reference in value["mapping"].items()
    }
    return value | {"mapping": mapping}
