"""The endpoints that read: the log itself, every question as its command answers it with --json, and data that only the page needs."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from starlette.responses import Response

from encounterlog import __version__
from encounterlog.ask import Kind, Question, question_named
from encounterlog.errors import ERRORS
from encounterlog.exporters.html.foes import EVERYTHING
from encounterlog.log import entering
from encounterlog.log.logs import LogView, replay_log
from encounterlog.log.opening import FOE_HIT_POINTS
from encounterlog.places import answers
from encounterlog.service import calls
from encounterlog.service.calls import JSON, LINES, Call, Does, json_reply
from encounterlog.service.people import opens_form
from encounterlog.service.problems import Problem
from encounterlog.service.streams import ALL_SECRETS
from encounterlog.words import documents
from eventstore.record import encode_record
from projections.judging.book import rename_options
from projections.language.notation.offers import Writer, offer_completions as words_next
from projections.rulesets import find, keys
from projections.time import Where

KNOWN, OTHERWISE = frozenset({"show", "audit", "offers", "line"}), frozenset({"at", "as_of", "all", "complete"})
"""The questions that are answered from the known end of a log, and the parameters with which they are not."""
MOST_OFFERED, MOST_CORRECTIONS = 12, 50  # words for a line that is being typed; corrections of a question


def count_corrections(call: Call) -> int:
    """Return how many corrections a question has."""
    return sum(len(call.asked.get(name, ())) for name in ("strike", "amend", "insert_after", "option"))


def derived_endpoint(name: str, answer: Callable[[Call, LogView], Response]) -> Does:
    """Return an endpoint that answers from the log as its asker sees it; an answer that the asker has already is not sent again."""

    def does(call: Call) -> Response:
        from_end = name in KNOWN and not call.asked.keys() & OTHERWISE
        with call.hold_alone() if from_end else nullcontext(call.view_for_asker()) as seen:
            own = call.token.combatants if call.token.role == "player" else ()
            program = (__version__, *(f"{key}:{find(key).revision}" for key in keys()))
            about = (call.token.role in ALL_SECRETS, own), name, sorted(call.asked.items()), program
            tag = f'"{seen.head}:{sha256(repr(about).encode()).hexdigest()[:16]}"'
            if calls.matches_tag(call.headers.get("if-none-match"), tag):
                return Response(status_code=304, headers={"etag": tag})
            reply = answer(call, seen)
            reply.headers["etag"] = tag
            return reply

    return does


def records_reply(call: Call, seen: LogView) -> Response:
    """Return the lines of the log after a record, byte for byte as they are stored, or withheld."""
    body = b"".join(encode_record(record) + b"\n" for record in seen.records[call.asked.get("after", 0) :])
    return Response(body, headers={"encounter-head": str(seen.head)}, media_type=LINES)


def head_reply(call: Call) -> Response:
    """Return the end of the log as `encounter head --json` does; its tag is what If-Match takes."""
    found = call.view_for_asker().head
    if calls.matches_tag(call.headers.get("if-none-match"), tag := calls.head_tag(found)):
        return Response(status_code=304, headers={"etag": tag})
    return json_reply({"seq": found.seq, "hash": found.hash}, head=found)


def question_endpoint(asked: Question) -> Callable[[Call, LogView], Response]:
    """Return the function that answers a question over HTTP, with the data that its command prints with --json."""

    def answer(call: Call, seen: LogView) -> Response:
        given = question_fields(asked, call)
        if not asked.in_lines:
            return json_reply(asked.ask(seen, **given).data())
        found: list[Any] = []
        asked.ask(seen, found.append, **given)
        if seen.problem:
            raise seen.problem
        lines = "".join(map(documents.document_line, found))
        return Response(lines, headers={"etag": calls.head_tag(seen.head)}, media_type=LINES)

    return answer


def question_fields(asked: Question, call: Call) -> dict[str, Any]:
    """Return the fields of a question as a request gives them; raise Problem, or Malformed."""
    if (many := count_corrections(call)) > MOST_CORRECTIONS:
        says = f"{many} corrections in one question, {MOST_CORRECTIONS} are allowed"
        raise Problem("too-large", says, "ask in parts")
    given = {each.field: call.asked[each.name] for each in asked.arguments if each.name in call.asked}
    for each in asked.arguments:
        match each.kind, given.get(each.field):
            case Kind.POINT, str(text):
                given[each.field] = Where.parse(text)
            case Kind.FACTS, [*texts]:
                given[each.field] = [_parse_numbered_fact(each.name, text) for text in texts]
    return given


def _parse_numbered_fact(name: str, text: str) -> tuple[int, str]:
    number, colon, fact = text.partition(":")
    if colon and number.isascii() and number.isdigit() and len(number) < 16:
        return int(number), fact
    hint = f'such as {name}=19:{{"amount":1}}'
    raise Problem("bad-request", f"{name}: '{text[:40]}' is not N:FACT", hint, field=name)


def show_reply(call: Call, seen: LogView) -> Response:
    """Return the state at a point; for players with the words for hit points, if the log has that setting."""
    where = Where.parse(call.asked["at"]) if "at" in call.asked else None
    shown = question_named("show").ask(seen, where, call.asked.get("all", False)).data()
    words = words_for_hit_points(seen, where)
    return json_reply(shown if words is None else msgspec.to_builtins(shown) | {"words": words})


def words_for_hit_points(seen: LogView, where: Where | None) -> dict[str, str] | None:
    """Return words for hit points, from the full state; None for a game master, or where the log has no such setting."""
    if seen.secrets:
        return None
    known = replay_log(seen, where).state
    if rename_options(known.options).get(FOE_HIT_POINTS) != "true-words":
        return None
    state = replay_log(seen.with_secrets(), Where(seq=known.seq) if where else None).state
    found = {who: EVERYTHING.hit_points_word(state, who) for who in known.combatants if who in state.combatants}
    return {who: word for who, word in found.items() if word}


def completions_reply(call: Call, seen: LogView) -> Response:
    """Return the word that a line ends with, and the words that it can become, the likeliest first."""
    writer = Writer(frozenset(call.token.combatants), opens_form) if call.token.role == "player" else Writer()
    begun, found = words_next(entering.table_of(seen, None).context, call.asked["line"], writer)
    return json_reply(answers.Offers(begun, [answers.Offer(each.word, each.says) for each in found[:MOST_OFFERED]]))


def line_of_record(call: Call, seen: LogView) -> Response:
    """Return a line of notation with a record's present content; "" if it states no fact."""
    event = call.asked["event"]
    if not 0 < event <= len(seen.records):
        raise Problem("bad-request", f"event: this log has no record {event}", field="event")
    return json_reply(answers.Line(event, entering.table_of(seen, None).line_of(event)))


def constant_endpoint(make: Callable[[], Any]) -> Does:
    """Return an endpoint that answers with the same schema each time, which is made at the first."""
    made = cache(lambda: msgspec.json.format(msgspec.json.encode(make()), indent=2) + b"\n")
    return lambda _call: Response(made(), headers={"cache-control": "public, max-age=300"}, media_type=JSON)


def list_problems(_call: Call) -> Response:
    """Return every kind of problem by its name."""
    rows = {name: {"status": row.status, "of": row.kind, "title": row.title} for name, row in ERRORS.items()}
    return json_reply(rows)


def readiness_reply(call: Call) -> Response:
    """Say whether the logs can be reached and written; raise their faults."""
    if call.service.streams.stopping:
        raise Problem("stopping", "the service is about to stop")
    call.service.shelf.check()
    if unwritable := dict(call.service.shelf.unwritable()):
        says = f"not written at the moment: {', '.join(sorted(unwritable))}"
        raise Problem("not-written", says, "look at the disk; the service tries again by itself", logs=unwritable)
    return json_reply({"status": "ready"})
