"""The endpoints that read: each answers with what the command of its name prints with --json."""

from collections.abc import Callable
from functools import cache

from encounterlog import __version__
from encounterlog.edge.failures import USAGE, Failure
from encounterlog.reading import asking, auditing, comparing, holding, listing
from encounterlog.reading.open_to import open_to
from encounterlog.service import tags
from encounterlog.service.calls import LINES, Call, Does, Reply, document, lines
from encounterlog.service.known import looked_at
from encounterlog.service.problems import Problem
from encounterlog.service.rights import opens
from encounterlog.service.seen import Seen, words
from encounterlog.writing import entering, forking
from eventstore.record import written
from projections.explaining.forks import differences
from projections.grammar.offers import Writer
from projections.grammar.offers import offers as words_next
from projections.rulesets import find, keys

NOT_MODIFIED = 304
KNOWN, OTHERWISE = frozenset({"show", "audit", "offers", "line"}), frozenset({"at", "as_of", "all", "complete"})
"""What is answered from what is known of a log's present end, unless one of these is asked for."""


OFFERED = 12
"""How many words are offered for a line that is being typed."""
CORRECTING = ("strike", "amend", "insert_after", "option")
MOST_CORRECTIONS = 50
"""How many corrections a question may have."""


def corrections(call: Call) -> int:
    """Return how many corrections a question has."""
    return sum(len(call.asked.get(name, ())) for name in CORRECTING)


def derived(answer: Callable[[Call, Seen], Reply]) -> Does:
    """Return an endpoint that answers from the log as its asker sees it; what he has already, he is not sent again."""

    def does(call: Call) -> Reply:
        if answer.__name__ in KNOWN and not call.asked.keys() & OTHERWISE:
            with call.alone() as seen:
                return answered(call, seen)
        return answered(call, call.seen())

    def answered(call: Call, seen: Seen) -> Reply:
        tag = tags.of_view(seen.head, call.audience, answer.__name__, sorted(call.asked.items()), _program())
        if tags.matches(call.headers.get("if-none-match"), tag):
            return Reply(NOT_MODIFIED, headers={"etag": tag})
        reply = answer(call, seen)
        reply.headers["etag"] = tag
        return reply

    return does


@cache
def _program() -> tuple[str, ...]:
    """Return what views depend on beside the log: this program, and the revisions of the rulesets that are installed."""
    return (__version__, *(f"{key}:{find(key).revision}" for key in keys()))


# ---------------------------------------------------------------- the log itself


def records(call: Call) -> Reply:
    """Return the lines of the log after a record, byte for byte as they are stored, or withheld."""
    seen = call.seen()
    tag = tags.of_view(seen.head, call.audience, "records", call.asked.get("after", 0))
    if tags.matches(call.headers.get("if-none-match"), tag):
        return Reply(NOT_MODIFIED, headers={"etag": tag})
    after = call.asked.get("after", 0)
    body = b"".join(written(record) + b"\n" for record in seen.records[after:])
    return Reply(200, body, LINES, {"etag": tag, "encounter-head": str(seen.head)})


def head(call: Call) -> Reply:
    """Return the end of the log as `encounter head --json` does; its tag is what If-Match takes."""
    with looked_at(call.service.known.of(call.name)) as known:
        found = known.head
    if tags.matches(call.headers.get("if-none-match"), tags.of_head(found)):
        return Reply(NOT_MODIFIED, headers={"etag": tags.of_head(found)})
    return document({"seq": found.seq, "hash": found.hash}, head=found)


# ---------------------------------------------------------------- views of it


def show(call: Call, seen: Seen) -> Reply:
    """Return the state at a point; for players with the words for hit points, if the log has that setting."""
    from encounterlog.pages import show as page

    shown = page.document(page.view(seen, call.where, call.asked.get("all", False), drawn=False))
    told = words(seen, call.where)
    return document(shown if told is None else shown | {"words": told})


def offers(call: Call, seen: Seen) -> Reply:
    """Return the word that a line ends with, and the words that it can become, the likeliest first."""
    begun, found = words_next(entering.table_of(seen, None).scene, call.asked["line"], _writer(call))
    return document({"begun": begun, "offers": [{"word": each.word, "says": each.says} for each in found[:OFFERED]]})


def _writer(call: Call) -> Writer:
    """Return whose lines may be written with a token: a player's only those that the table of rights has."""
    return Writer(frozenset(call.token.combatants), opens) if call.token.role == "player" else Writer()


def line(call: Call, seen: Seen) -> Reply:
    """Return a line of the table grammar that says what a record says now; "" if it states no fact."""
    event = call.asked["event"]
    if not 0 < event <= len(seen.records):
        raise Problem("bad-request", f"event: this log has no record {event}", field="event")
    return document({"event": event, "line": entering.table_of(seen, None).line_of(event)})


def audit(call: Call, seen: Seen) -> Reply:
    """Return the findings."""
    return document(auditing.json_of(*auditing.audited(seen, call.where, complete=call.asked.get("complete", False))))


def log(call: Call, seen: Seen) -> Reply:
    """Return the corrected stream, a fact on each line."""
    asked = call.asked
    wanted = listing.Filter(asked.get("round"), asked.get("actor"), asked.get("type"))
    expression, turns, struck = asked.get("where"), asked.get("turns", False), asked.get("struck", False)
    if expression is not None and struck:
        raise Problem("bad-request", "where does not go with struck", field="where")
    if turns and expression is None:
        raise Problem("bad-request", "turns needs where=EXPR", field="turns")
    watched = holding.Watched(expression, turns=turns) if expression is not None else None
    return lines(listing.rows(seen, wanted, struck=struck, watched=watched), seen.head)


def replay(call: Call, seen: Seen) -> Reply:
    """Return each fact with the values that it changed, one on each line."""
    wanted = listing.Filter(call.asked.get("round"), call.asked.get("actor"))
    return lines(listing.stepped_rows(seen, call.where, wanted), seen.head)


def why(call: Call, seen: Seen) -> Reply:
    """Return why something is as it is."""
    question = call.asked["q"].split()
    if not question:
        raise Failure(USAGE, "no question", asking.ASK)
    past = asking.past_of(seen, call.where)
    return document({"answers": asking.answers(past, question, thorough=call.asked.get("all", False))})


def may(call: Call, seen: Seen) -> Reply:
    """Return what somebody may do, and which clauses bar the rest."""
    return document(open_to(seen, call.asked.get("who", ""), call.where)[0])


def blame(call: Call, seen: Seen) -> Reply:
    """Return every fact that touched a value."""
    return document(asking.blamed(seen, call.asked["address"], call.where)[0])


def first(call: Call, seen: Seen) -> Reply:
    """Return the first record after which something held."""
    return document(holding.first(seen, call.asked["expr"], call.where))


def diff(call: Call, seen: Seen) -> Reply:
    """Return what is different at two points of the log, or at two states of its knowledge."""
    _, mine, yours = comparing.points(seen, call.asked["a"], call.asked["b"])
    return document(differences(mine, yours))


def whatif(call: Call, seen: Seen) -> Reply:
    """Return what would be different in a fork; nothing is written."""
    asked = call.asked
    if (many := corrections(call)) > MOST_CORRECTIONS:
        raise Problem(
            "too-large", f"{many} corrections in one question, {MOST_CORRECTIONS} are allowed", "ask in parts"
        )
    amends, inserts = ([_pair(name, text) for text in asked.get(name, ())] for name in ("amend", "insert_after"))
    fork, _ = forking.fork_of(seen, asked.get("strike", ()), amends, inserts, tuple(asked.get("option", ())))
    return document(forking.differing(seen, fork, call.where)[2])


def _pair(name: str, text: str) -> tuple[int, str]:
    number, colon, fact = text.partition(":")
    if not (colon and number.isascii() and number.isdigit() and len(number) < 16):
        raise Problem(
            "bad-request", f"{name}: '{text[:40]}' is not N:FACT", f'such as {name}=19:{{"amount":1}}', field=name
        )
    return int(number), fact
