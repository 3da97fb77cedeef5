"""The table of endpoints, by which requests are routed, and from which /openapi.json and the reference are made. A new endpoint
needs a function from a Call to a response, and a row here. Pages for people stand at its end, OpenAPI 3.1 behind it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from encounterlog import __version__, schemas
from encounterlog.ask import AS_OF_SAYS, QUESTIONS, Argument, Kind, question_named
from encounterlog.errors import ERRORS
from encounterlog.places import answers
from encounterlog.service import bodies, calls, encounters, live, pages, people, reading, writing
from encounterlog.service.calls import ALL, GM, HTML, JSON, LINES, NOBODY, OWNERS, PLAYER, READERS, WRITERS, json_reply
from encounterlog.service.problems import MEDIA, Problem
from eventstore.wording import nearest

STREAM = "text/event-stream"
FLAGS = {"1": True, "true": True, "0": False, "false": False}
OF_ALL = frozenset({"bad-request", "too-many-requests", "stopping"})
OF_BODIES = frozenset({"too-slow", "too-large", "wrong-media-type"})
OF_TOKENS = frozenset({"no-token", "forbidden"})
"""The refusals of every endpoint, and of those that take a body, or a token."""
NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
FLAG: dict[str, Any] = {"type": "boolean"}  # A whole number; true or false, written as 1 or 0


def text_schema(most: int = 2000) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "maxLength": most}


class Parameter(Struct, frozen=True):
    """A parameter of the query, or a header: its name, JSON Schema, description, whether it is required."""

    name: str
    says: str
    schema: dict[str, Any]
    needed: bool = False
    header: bool = False

    def read(self, given: list[str]) -> Any:
        """Return the value of a parameter as it was given in the query; raise Problem."""
        if self.schema["type"] == "array":
            return tuple(self._parse_one(text, self.schema["items"]) for text in given)
        if len(given) > 1:
            raise Problem("bad-request", f"{self.name} is given {len(given)} times", "give it once", field=self.name)
        return self._parse_one(given[0], self.schema)

    def _parse_one(self, text: str, schema: Mapping[str, Any]) -> Any:
        kind, most = schema["type"], schema.get("maxLength", 0)
        if kind == "integer" and text.isascii() and text.isdigit() and len(text) < 16:
            return int(text)
        if kind == "boolean" and text in FLAGS:
            return FLAGS[text]
        if kind == "string" and len(text) <= most:
            return text
        says = {
            "integer": f"{self.name}: '{text[:40]}' is not a whole number from 0",
            "boolean": f"{self.name}: '{text[:40]}' is neither 1 nor 0",
            "string": f"{self.name} has more than {most} characters",
        }
        raise Problem("bad-request", says[kind], field=self.name)


class Endpoint(Struct, frozen=True):
    """An endpoint: method and path, its description, roles, parameters, body, successes and refusals.

    `body` are the media types that are taken; `given` and `gives` name schemas of /v1/schema or of this service. `refusals` are
    its own ones, beside those of all, of all that take a body, and of all that ask for a token.
    """

    method: str
    path: str
    says: str
    does: calls.Does | None
    roles: frozenset[str] = READERS
    parameters: tuple[Parameter, ...] = ()
    body: tuple[str, ...] = ()
    given: str = ""
    success: tuple[int, ...] = (200,)
    media: str = JSON
    gives: str = ""
    refusals: tuple[str, ...] = ()
    creates: bool = False  # whether it creates the encounter that the path names: tokens of another one are taken
    writes: bool = False  # whether it holds the log while it writes, and checks there that the token is of this log
    costly: bool = False  # whether it may take long: then it runs in a lane of its own, and ends when its asker leaves

    @property
    def about_one(self) -> bool:
        """Whether the path names an encounter."""
        return "{name}" in self.path

    @property
    def named(self) -> str:
        """Its name in OpenAPI."""
        words = self.path.replace("/v1/encounters/{name}", "encounter").strip("/").replace("{", "").replace("}", "")
        return f"{self.method.lower()}-{words.replace('/', '-').replace('.', '-')}"

    @property
    def problems(self) -> frozenset[str]:
        """All its refusals."""
        return OF_ALL.union(self.refusals, OF_BODIES if self.body else (), OF_TOKENS if self.roles else ())

    def read(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        """Return the parameters of a query by name; raise Problem for what is unknown, missing or malformed."""
        known = {each.name: each for each in self.parameters if not each.header}
        for name in (name for name in query if name not in known):
            raise Problem("bad-request", f"no parameter '{name[:40]}' here", nearest(name, known), field=name[:40])
        for each in (each for name, each in known.items() if each.needed and name not in query):
            raise Problem("bad-request", f"the parameter {each.name} is missing", each.says, field=each.name)
        return {name: known[name].read(given) for name, given in query.items()}


def header(name: str, says: str) -> Parameter:
    """Return a header of a request."""
    return Parameter(name, says, text_schema(), header=True)


AS_OF = Parameter("as_of", AS_OF_SAYS, NUMBER)
IF_NONE_MATCH = header("If-None-Match", "The tag of an answer that is known already: then 304 without a body.")
IF_MATCH = header("If-Match", 'Only if the log still ends there: "SEQ:HASH".')
KEY = header("Idempotency-Key", "Repeated with the same key, the same is not written again: 1 to 60 characters.")
LAST = header("Last-Event-ID", "SEQ:HASH of the last event with an id: the stream goes on after it.")

ONE = "/v1/encounters/{name}"
READS = ("bad-tag", "not-found", "damaged", "not-a-log", "unreadable", "rewritten", "busy", "not-readable")
STORES = ("busy", "not-written", "outcome-unknown", "not-readable")
WRITES = (*READS, *STORES, "wrong-version", "refused", "key-reused")


def question_route(name: str) -> Endpoint:
    """Return the row of an endpoint that answers a question as the command of its name."""
    asked = question_named(name)
    parameters = [parameter_of_argument(each) for each in asked.arguments if not each.for_people]
    as_of = [AS_OF] if asked.has_as_of else []
    does = reading.derived_endpoint(name, reading.show_reply if name == "show" else reading.question_endpoint(asked))
    return Endpoint(
        "GET", f"{ONE}/{name}", f"{QUESTIONS[name]} As encounter {name} --json.", does, READERS,
        (*parameters, *as_of, IF_NONE_MATCH), success=(200, 304), media=LINES if asked.in_lines else JSON, gives=name,
        refusals=(*READS, "too-large") if name == "whatif" else READS, costly=name not in reading.KNOWN,
    )  # fmt: skip


SCHEMAS = {
    Kind.FLAG: FLAG,
    Kind.NUMBER: NUMBER,
    Kind.NUMBERS: {"type": "array", "items": NUMBER, "maxItems": 100},
    Kind.TEXTS: {"type": "array", "items": text_schema(4000), "maxItems": 100},
    Kind.FACTS: {"type": "array", "items": text_schema(4000), "maxItems": 100},
}
"""The schemas of the arguments of questions that are no single text."""


def parameter_of_argument(one: Argument) -> Parameter:
    """Return the parameter for a question's argument; a record and a fact are given as N:FACT."""
    says = f"{one.says} As N:FACT." if one.kind is Kind.FACTS else one.says
    return Parameter(one.name, says, SCHEMAS.get(one.kind) or text_schema(one.most), one.needed)


ROWS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/v1/encounters", "List the encounters that the tokens of the request open.", encounters.list_encounters, ALL,
        gives="Encounters", refusals=("not-readable",)),
    Endpoint("PUT", ONE, "Create an encounter, never over another one; a game master may take the party of an own one.", encounters.create_encounter, OWNERS,
        (header("If-None-Match", "* may say that it is to be a new one; nothing else is taken."),), bodies.JSON, "Opening",
        (201,), gives="Created",
        refusals=(*STORES, "bad-tag", "already-there", "refused"), creates=True),
    Endpoint("POST", f"{ONE}/records", "Append facts, all or nothing.", writing.append_records, WRITERS, (IF_MATCH, KEY),
        (*bodies.JSON, *bodies.LINES), "Facts", (201, 200, 202), gives="Appended", refusals=(*WRITES, "too-many-proposals"), writes=True),
    Endpoint("GET", f"{ONE}/records", "The lines of the log as they are stored; for players without secrets.", reading.derived_endpoint("records", reading.records_reply),
        READERS, (Parameter("after", "Only the records after this one.", NUMBER), IF_NONE_MATCH), success=(200, 304), media=LINES,
        gives="record", refusals=READS),
    Endpoint("GET", f"{ONE}/events", "Follow the log as server-sent events.", None, READERS,
        (Parameter("after", "As Last-Event-ID, for clients that can send no header.", text_schema(100)), LAST), media=STREAM,
        refusals=("bad-tag", "not-found", "not-readable", "too-many-streams")),
    Endpoint("POST", f"{ONE}/lines", "Write one line of the language, or answer a question.", writing.tell_lines, WRITERS,
        (IF_MATCH, KEY, Parameter("dry", "Write nothing; return the line's meaning.", FLAG)), (*bodies.TEXT, *bodies.JSON), "Typed",
        (201, 200, 202), gives="Told", refusals=(*WRITES, "too-many-proposals"), writes=True),
    Endpoint("POST", f"{ONE}/dice", "Begin a chain of dice, whose secret the service keeps; a second one needs a reason.",
        writing.begin_chains, frozenset({GM}), (), bodies.JSON, "Beginning", (201,), gives="Appended", refusals=WRITES, writes=True),
    Endpoint("GET", f"{ONE}/proposals", "List the proposals of players, with the decisions; for players their own.",
        writing.list_proposals, WRITERS, gives="Proposals", refusals=READS),
    Endpoint("POST", f"{ONE}/proposals/{{id}}", "Accept or decline a proposal: it is appended in the proposer's name. Players withdraw their own.",
        writing.decide_proposal, WRITERS, (), bodies.JSON, "Decision", (201, 200), gives="Settled", refusals=(*WRITES, "decided", "proposal-changed")),
    Endpoint("POST", f"{ONE}/words", "Give a word for dice that wait for one, as the event `word` says; the first that comes is taken.",
        writing.give_word, frozenset({PLAYER}), (), bodies.JSON, "Given", (200,), gives="Taken",
        refusals=("not-found", "refused")),
    Endpoint("GET", f"{ONE}/offers", "The words with which a line of the language can go on, the likeliest first.",
        reading.derived_endpoint("offers", reading.completions_reply), WRITERS, (Parameter("line", "The line as far as it is typed.", text_schema(), needed=True), IF_NONE_MATCH),
        success=(200, 304), gives="Offers", refusals=READS),
    Endpoint("GET", f"{ONE}/line", "A line of notation with a record's present content, to be corrected.",
        reading.derived_endpoint("line", reading.line_of_record), WRITERS,
        (Parameter("event", "The record.", {"type": "integer", "minimum": 1, "maximum": 10**15 - 1}, needed=True), IF_NONE_MATCH),
        success=(200, 304), gives="Line", refusals=READS),
    Endpoint("POST", f"{ONE}/lineup", "The facts by which a line-up or stat blocks join, and their lines; nothing is written.",
        writing.lineup_facts, frozenset({GM}),
        (Parameter("file", "The name of the file, whose ending gives its format: .toml, .json, .md, .yaml.", text_schema(200), needed=True),
         Parameter("side", "The side of those whose side it does not say.", text_schema(60)), Parameter("copies", "How many of a stat block.", NUMBER),
         Parameter("secret", "They join in secret, and their dice are secret.", FLAG)),
        bodies.TEXT, "Typed", (200,), gives="LineUp", refusals=(*READS, "refused")),
    *map(question_route, QUESTIONS),
    Endpoint("GET", f"{ONE}/head", "The end of the log; its tag is for If-Match. HEAD gives only the tag.", reading.head_reply, READERS,
        (IF_NONE_MATCH,), success=(200, 304), gives="head", refusals=READS),
    Endpoint("GET", f"{ONE}/tokens", "List the tokens of the encounter, without their texts.", people.list_tokens, OWNERS,
        gives="Tokens", refusals=("not-readable",)),
    Endpoint("POST", f"{ONE}/tokens", "Make a token; its text is shown only here.", people.create_invitation, OWNERS, (), bodies.JSON, "Invitation",
        (201,), gives="Invited", refusals=(*STORES, "not-found", "refused")),
    Endpoint("DELETE", f"{ONE}/tokens/{{id}}", "Revoke a token; its streams end.", people.revoke_token, OWNERS, success=(204,), media="",
        refusals=(*STORES, "not-found")),
    Endpoint("GET", "/v1/schema", "JSON Schema of records, facts and answers, as encounter schema --json.", reading.constant_endpoint(schemas.full_schema), NOBODY),
    Endpoint("GET", "/v1/problems", "The kinds of problems, with status and exit code.", reading.list_problems, NOBODY),
    Endpoint("GET", "/openapi.json", "This description.", reading.constant_endpoint(lambda: describe_service(ROWS)), NOBODY),
    Endpoint("GET", "/healthz", "Whether the process answers.", lambda _: json_reply({"status": "ok"}), NOBODY),
    Endpoint("GET", "/readyz", "Whether the logs can be reached and written.", reading.readiness_reply, NOBODY, refusals=("not-readable", "not-written", "busy")),
    Endpoint("GET", "/", "The page with what this browser's invitations open.", encounters.home_page, NOBODY, media=HTML, refusals=("not-readable",)),
    Endpoint("POST", "/", "Open an encounter as the form of the first page says, and set the cookie of its game master.", encounters.open_one, OWNERS, (),
        bodies.FORM, "OpeningForm", (201,), media=HTML,
        refusals=(*STORES, "not-found", "damaged", "not-a-log", "unreadable", "rewritten", "already-there", "refused")),
    Endpoint("GET", "/join", "The page that a link leads to: one button.", pages.join_page, NOBODY, media=HTML),
    Endpoint("POST", "/join", "Set the cookie of a token, and lead on to its encounter.", pages.accept_invitation, NOBODY, (), bodies.FORM, "Joining",
        (303,), media="", refusals=("forbidden", "not-readable")),
    Endpoint("GET", "/e/{name}", "The page of an encounter.", live.encounter_page, media=HTML, refusals=READS, costly=True),
    Endpoint("GET", "/e/{name}/data", "That page's contents, as data.", reading.derived_endpoint("data", live.page_data), READERS,
        (Parameter("since", "SEQ:HASH of the end of the log on a page: the answer has only the news, if that end is known.", text_schema(100)), IF_NONE_MATCH),
        success=(200, 304), gives="Page", refusals=READS, costly=True),
    Endpoint("GET", "/e/{name}/card", "The contents of a combatant's card beside the state; players see those of their own.", reading.derived_endpoint("card", live.card_reply), READERS,
        (Parameter("who", "The id of the combatant.", text_schema(200), needed=True), IF_NONE_MATCH), success=(200, 304), gives="Card", refusals=READS),
    Endpoint("GET", "/e/{name}/export", "The log as a file: html, markdown, csv or json.", reading.derived_endpoint("export", live.export_reply), frozenset({GM}),
        (Parameter("kind", "The kind of export.", text_schema(20), needed=True), IF_NONE_MATCH), success=(200, 304), media="*/*", refusals=READS, costly=True),
    Endpoint("GET", "/monsters", "Five monsters of a reference document by the beginning of their names.", live.list_monsters, NOBODY,
        (Parameter("name", "How the words of the name begin.", text_schema(60), needed=True), Parameter("edition", "The edition: 2014 or 2024.", text_schema(20))), gives="Monsters"),
    Endpoint("GET", "/assets/{file}", "A style or a script of the pages.", live.asset_reply, NOBODY, media="*/*", refusals=("not-found",)),
)  # fmt: skip
"""Every endpoint."""


TEXT = {"type": "string"}
FACTS = {"$ref": "#/components/schemas/input"}
IN_PATH = TEXT | {"minLength": 1, "maxLength": 190}
AS_TEXT = (*bodies.TEXT, *bodies.LINES)  # the media types of bodies that are lines, or plain text
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
    components = {"schemas": _schemas_by_name(), "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}
    info = {"title": "encounterlog", "version": __version__, "description": ABOUT}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": components}


ABOUT = (
    "Logs of tabletop fights. What is derived from a log is what the commands print with --json. For players everything is "
    "derived from records without their secrets. Changes to /v1 only add."
)


def _describe_operation(row: Endpoint) -> dict[str, Any]:
    made: dict[str, Any] = {"operationId": row.named, "summary": row.says}
    in_path = [part[1:-1] for part in row.path.split("/") if part.startswith("{")]
    parameters = [{"name": name, "in": "path", "required": True, "schema": IN_PATH} for name in in_path]
    for one in row.parameters:
        about = {"in": "header" if one.header else "query", "description": one.says, "schema": one.schema}
        parameters.append({"name": one.name, **about} | ({"required": True} if one.needed else {}))
    made["parameters"] = parameters
    if row.body:
        schema = {"$ref": f"#/components/schemas/{row.given}"}
        content = {media: {"schema": TEXT if media in AS_TEXT else schema} for media in row.body}
        made["requestBody"] = {"required": True, "content": content}
    made["responses"] = {str(each): _describe_success(row, each) for each in row.success} | _describe_refusals(row)
    made["security"] = [{"token": []}] if row.roles else []
    return made | ({"description": f"For {', '.join(sorted(row.roles))}."} if row.roles else {})


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
        content = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        made = found.setdefault(str(ERRORS[kind].status), {"description": "", "content": content})
        made["description"] = f"{made['description']} {kind}: {ERRORS[kind].title}.".strip()
    return found


def _schemas_by_name() -> dict[str, Any]:
    defs = schemas.schemas_by_name("#/components/schemas/")
    defs |= {model.__name__: model.model_json_schema() for model in bodies.Body.__subclasses__()}
    _, parts = msgspec.json.schema_components(answers.ALL, ref_template="{name}")
    own = {kind.__name__: _inline_schemas(parts[kind.__name__], parts) for kind in answers.ALL}
    return dict(sorted((defs | OPEN | own).items()))


def _inline_schemas(value: Any, parts: dict[str, Any]) -> Any:
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
