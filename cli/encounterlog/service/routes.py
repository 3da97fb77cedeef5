"""The table of endpoints, by which requests are routed, and from which /openapi.json and the reference are made. A new endpoint
needs a function from a Call to a response, and a row here. Pages for people stand at its end.
"""

from encounterlog.ask import QUESTIONS, question_named
from encounterlog.ask.question import AS_OF_SAYS, Argument, Kind
from encounterlog.schemas import full_schema
from encounterlog.service import bodies, encounters, live, pages, people, reading, writing
from encounterlog.service.calls import (
    ALL,
    FLAG,
    GM,
    HTML,
    JSON,
    LINES,
    NOBODY,
    NUMBER,
    OWNERS,
    PLAYER,
    READERS,
    STREAM,
    WRITERS,
    Endpoint,
    Parameter,
    repeated_schema,
    text_schema,
)
from encounterlog.service.openapi import describe_service


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
    Kind.NUMBERS: repeated_schema(NUMBER),
    Kind.TEXTS: repeated_schema(text_schema(4000)),
    Kind.FACTS: repeated_schema(text_schema(4000)),
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
    Endpoint("GET", "/v1/schema", "JSON Schema of records, facts and answers, as encounter schema --json.", reading.constant_endpoint(full_schema), NOBODY),
    Endpoint("GET", "/v1/problems", "The kinds of problems, with status and exit code.", reading.list_problems, NOBODY),
    Endpoint("GET", "/openapi.json", "This description.", reading.constant_endpoint(lambda: describe_service(ROWS)), NOBODY),
    Endpoint("GET", "/healthz", "Whether the process answers.", reading.health_reply, NOBODY),
    Endpoint("GET", "/readyz", "Whether the logs can be reached and written.", reading.readiness_reply, NOBODY, refusals=("not-readable", "not-written", "busy")),
    # ------------------------------------------------------------ pages for people
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
