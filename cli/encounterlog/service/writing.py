"""The endpoints that write: new encounters, facts, lines of the table grammar. What they answer for is durable."""

import hmac
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import structs, to_builtins

from encounterlog.edge.chance import roller
from encounterlog.edge.clock import now
from encounterlog.edge.failures import Failure
from encounterlog.edge.shelves import AlreadyThere, Token, check_name
from encounterlog.pages import add as page
from encounterlog.reading.questions import answered
from encounterlog.service import bodies, proposing, tags
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.dice_words import asking
from encounterlog.service.people import check_own, mint
from encounterlog.service.player_rights import opens
from encounterlog.service.problems import Problem, problem_of
from encounterlog.service.seen import Seen, identity
from encounterlog.writing import appending, entering, lineups, new_findings, opening
from encounterlog.writing.appending import Line
from encounterlog.writing.attempts import Done
from encounterlog.writing.drawing import Asking, own_word
from encounterlog.writing.throwing import Throwing
from eventstore.chain import Anchor
from eventstore.errors import KeyReused, TooLarge, WrongVersion
from eventstore.events import CombatantJoined, EncounterOpened, Fact
from eventstore.record import Draft, Recorded, upcast, written
from eventstore.store import Appended
from projections.grammar.parsing import Parsed
from projections.grammar.table import Table as Grammar

OF_LINES = "line/"
"""What the log's keys of lines begin with; no key of facts does."""


# ---------------------------------------------------------------- a new encounter


def create(call: Call) -> Reply:
    """Create an encounter, never over another; the answer carries a token for its game master, shown only here."""
    if (header := call.headers.get("if-none-match")) is not None and header.strip() != tags.ANY:
        raise Problem("bad-tag", "If-None-Match: only * is taken here", "PUT creates, and never overwrites")
    name, wanted = check_name(call.name), bodies.opening_of(call.body)
    rules = opening.ruleset_named(wanted.ruleset)
    chosen = opening.choices(rules, tuple(f"{key}={value}" for key, value in wanted.options.items()))
    event = opening.opening(rules, wanted.title if wanted.title.strip() else name, chosen)
    try:
        store = call.service.shelf.create(name, [Draft(event)], by=wanted.by, at=now())
    except AlreadyThere as error:
        raise problem_of(error, name) from None
    text, token = mint("gm", name, by=wanted.by, log=identity(store))
    call.service.shelf.tokens.add(token)
    end = store.head()
    reply = document(
        {"name": name, "head": str(end), "id": token.id, "token": text, "link": link(call, text)}, 201, end
    )
    reply.headers["location"] = f"/v1/encounters/{bodies.quoted(name)}"
    return reply


def link(call: Call, text: str) -> str:
    """Return the link that a person joins with: the token stands behind #, which no browser sends and no log records."""
    return f"{call.base}/join#{bodies.quoted(call.name)}:{text}"


# ---------------------------------------------------------------- facts


def records(call: Call) -> Reply:
    """Append facts, all or nothing; with If-Match only where the log still ends there; once for each Idempotency-Key."""
    facts = facts_of(call)
    with call.writing() as seen:
        key = key_of(call)
        if not (key and seen.first_under(key)) and proposing.waits(call, seen, _facts_of(facts)):
            _check_head(call, seen)
            appending.drafts_of(seen, facts)  # raises what would be refused
            return proposing.propose(call, seen, proposing.of_facts(seen, _facts_of(facts)))
        return write_facts(call, seen, facts)


def facts_of(call: Call) -> list[Line]:
    """Return the facts in the body of a request; raise if they are too many, or not for its sender to write."""
    facts = appending.facts(bodies.facts_of(call.body, call.headers.get("content-type", "")))
    most = call.service.settings.limits.facts
    if len(facts) > most:
        raise TooLarge("facts in one request", len(facts), most)
    _check_lines(call, facts)
    _check_keys(key_of(call), facts)
    for line in facts:
        if line.draft.key is not None:
            line.draft = structs.replace(line.draft, key=_own_key(call, line.draft.key))
    return facts


def write_facts(call: Call, seen: Seen, facts: Sequence[Line]) -> Reply:
    """Append facts that their sender may write."""
    after = _after(call, seen)
    try:
        return _appended(appending.append(seen, facts, by=_by(call), after=after, key=key_of(call)))
    except WrongVersion as error:
        raise _came_between(seen, error, after) from None


def _facts_of(facts: Sequence[Line]) -> list[Fact]:
    """Return those of the facts that are well-formed."""
    return [upcast(line.draft.event) for line in facts if line.wrong is None]


def _check_lines(call: Call, facts: Sequence[Line]) -> None:
    """Raise Problem if a player may not write one of these facts; what is malformed is refused later."""
    if call.token.role == "gm":
        return
    for line in facts:
        if line.partial is not None or (line.draft.secret and line.wrong is None):
            what = "corrections" if line.partial is not None else "secrets"
            raise Problem("forbidden", f"line {line.number}: {what} are for the game master alone", line=line.number)
    check_own(call.token, _facts_of(facts))


def _check_keys(key: str | None, facts: Sequence[Line]) -> None:
    """Raise Problem for a key that only lines have in the log."""
    if any(one.startswith(OF_LINES) for one in (key, *(line.draft.key for line in facts)) if one):
        says = f"Idempotency-Key: what begins with {OF_LINES} is the key of a line of the table grammar"
        raise Problem("bad-request", says, "choose another one", field="Idempotency-Key")


def _appended(done: Done, **more: Any) -> Reply:
    """Return the answer to an append, or to one that had been done."""
    end = done.written.records[-1]
    head = Anchor(end.seq, end.hash)
    value = {"first": done.written.first, "last": done.written.last, "head": str(head), "again": done.written.again}
    return document(value | more | {"findings": _findings(done)}, 200 if done.written.again else 201, head)


def _findings(done: Done) -> list[Any]:
    """Return what an append raised; whatever fails here, the facts are written, and the answer says so."""
    if done.written.again or done.written.last > new_findings.LARGEST:
        return []
    with suppress(Exception):
        return list(new_findings.raised(done))
    return []


# ---------------------------------------------------------------- lines of the table grammar


def lines(call: Call) -> Reply:
    """Tell a line against the log and append its facts; with dry=1 only say what it means. Questions are answered."""
    typed = bodies.line_of(call.body, call.headers.get("content-type", ""))
    ask = None if call.asked.get("dry") else asking(call, typed)
    with call.writing() as seen:
        try:
            return _line(call, seen, typed.line, ask)
        except Failure as error:
            error.offers = tuple(each for each in error.offers or () if _may_tell(call, seen, each))
            raise


def _may_tell(call: Call, seen: Seen, line: str) -> bool:
    """Return whether a line that would do may be written by who asks."""
    if call.token.role == "gm":
        return True
    try:
        check_line(call.token, proposing.read(seen, line)[1])
    except (Problem, Failure):
        return False
    return True


def _line(call: Call, seen: Seen, line: str, ask: Asking | None) -> Reply:
    if call.asked.get("dry"):
        return _dry(call, seen, line)
    key = _line_key(call, line)
    if not (key and _under(seen, key)) and call.token.role != "gm":
        table, parsed = proposing.read(seen, line)
        check_line(call.token, parsed)
        if proposing.waits(call, seen, [upcast(fact) for fact in parsed.facts]):
            _check_head(call, seen)
            return proposing.propose(call, seen, proposing.of_line(line, table, parsed))
    return write_line(call, seen, line, ask)


def write_line(call: Call, seen: Seen, line: str, ask: Asking | None) -> Reply:
    """Append what a line says, which its sender may write, or answer it if it is a question."""
    key, after = _line_key(call, line), _after(call, seen)
    if key and (before := _under(seen, key)):
        return _again(seen, before)
    if call.token.role != "gm":
        after = seen.head.seq if after is None else after  # what was checked is what is written
    try:
        done = entering.tell(seen, line, by=_by(call), after=after, key=key, roll=roller(), ask=ask)
    except WrongVersion as error:
        raise _came_between(seen, error, after, input=line) from None
    except KeyReused:  # the same request, a moment sooner
        return _again(seen, _under(seen.reread(), key or ""))
    if done.done is None:
        return _answer(call, seen, done.parsed, done.table)
    facts = [to_builtins(record.event) for record in done.done.written.records]
    return _appended(done.done, echo=list(page.lines(done)), facts=facts)


def lineup(call: Call) -> Reply:
    """Return the facts by which those of a line-up or a stat block would join, each with its line, and what has no place in them."""
    seen = call.seen()
    try:
        text = call.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Problem("bad-request", "the body is not UTF-8") from None
    joined = [each.event for each in seen.records if isinstance(each.event, CombatantJoined)]
    opened = next(each.event for each in seen.records if isinstance(each.event, EncounterOpened))
    found, lines = lineups.of_text(
        (opened, *joined),
        call.asked["file"],
        text,
        call.asked.get("side") or "foes",
        call.asked.get("copies", 1),
        Throwing(seen.place, seen.records, roller(), own_word()),
        hidden=bool(call.asked.get("secret")),
    )
    facts = [{"event": to_builtins(each.event), "secret": each.secret} for each in found.joining]
    return document({"lines": lines, "facts": facts, "left_out": found.left_out})


def _answer(call: Call, seen: Seen, parsed: Parsed, table: Grammar) -> Reply:
    """Return the answer to a question, without the styles that lines for a terminal have."""
    opened = opens if call.token.role == "player" else None
    return document({"echo": [*map(str, answered(seen, parsed, table, opened))]})


def _dry(call: Call, seen: Seen, line: str) -> Reply:
    """Return what a line would write. Dice that the service would roll are rolled here too, and kept nowhere."""
    table = entering.table_of(seen, roller())
    parsed = entering.parsed_at(table, line)
    facts = [upcast(fact) for fact in parsed.facts]
    check_own(call.token, facts, notes=True)
    if not parsed.facts:
        return _answer(call, seen, parsed, table)
    echo = list(page.lines_of(parsed, table, seen.head.seq + 1))
    waits = {"proposed": True} if proposing.waits(call, seen, facts) else {}
    return document({"echo": echo, "facts": list(parsed.facts), "secret": parsed.secret} | waits, head=seen.head)


def check_line(token: Token, parsed: Parsed) -> None:
    """Raise Problem if a player may not write what a line says."""
    if parsed.secret:
        raise Problem("forbidden", "secrets are for the game master alone")
    check_own(token, [upcast(fact) for fact in parsed.facts], notes=True)


def _line_key(call: Call, line: str) -> str | None:
    """Return the key of a line in the log: it holds a digest of the line, as dice may fall otherwise at a retry.

    Players read the keys of secrets: the digest is made with what the service keeps of the token, which no player knows.
    """
    key = key_of(call)
    if key is None:
        return None
    return f"{OF_LINES}{key}:{hmac.new(call.token.digest.encode(), line.encode(), 'sha256').hexdigest()[:32]}"


def _under(seen: Seen, key: str) -> list[Recorded]:
    """Return the records that were appended under a key; raise KeyReused if the same key was used for another line."""
    given = key.rpartition(":")[0]
    found = next((each for each in seen.records if each.key and each.key.rpartition(":")[0] == given), None)
    if found is None:
        return []
    if found.key != key:
        raise KeyReused(given.removeprefix(OF_LINES), found.seq, "another line was written under it")
    return list(seen.records[found.seq - 1 : found.seq - 1 + (found.batch[1] if found.batch else 1)])


def _again(seen: Seen, records: list[Recorded]) -> Reply:
    done = Done([], Appended(records[0].seq, records[-1].seq, tuple(records), again=True), (), seen)
    return _appended(done, facts=[to_builtins(record.event) for record in records])


# ---------------------------------------------------------------- what the headers say


def _by(call: Call) -> str:
    return call.token.by or call.token.role


def key_of(call: Call) -> str | None:
    """Return the key under which an append can be repeated; raise Problem if it is malformed."""
    given = tags.key(call.headers.get("idempotency-key"))
    return None if given is None else _own_key(call, given)


def _own_key(call: Call, key: str) -> str:
    """Return a key as the log has it. That of a player is in a space of its own: otherwise it would tell whether a guess
    agrees with a secret that was written under it.
    """
    return key if call.token.role == "gm" else f"{call.token.id}/{key}"


def _after(call: Call, seen: Seen) -> int | None:
    """Return the record that the log must end with; raise Problem for the tag of another log, or of another past."""
    heads = tags.expected(call.headers.get("if-match"))
    if heads is None:
        return None
    here = [one for one in heads if one.seq <= len(seen.records) and seen.records[one.seq - 1].hash == one.hash]
    if not here:
        says = f"If-Match: {heads[0].seq} is no end of this log: the tag is of another log, or of another past of it"
        raise Problem(
            "wrong-version", says, "GET …/head has the present tag", expected=str(heads[0]), found=str(seen.head)
        )
    return max(one.seq for one in here)


def _check_head(call: Call, seen: Seen) -> None:
    """Raise Problem if the log goes on after the end that the request names: nothing is written that would find out."""
    after = _after(call, seen)
    if after is not None and after < seen.head.seq:
        raise _came_between(seen, WrongVersion(after, seen.head.seq), after)


def _came_between(seen: Seen, error: WrongVersion, after: int | None, **more: str) -> Problem:
    """Return the problem of a writer who came second, with what came between as this writer may see it."""
    seen = seen.reread()
    start = error.expected if after is None else after
    between = [written(record).decode() for record in seen.records[start:]]
    end = {"expected": str(start), "found": str(seen.head), "between": [msgspec.Raw(each.encode()) for each in between]}
    return Problem(
        "wrong-version", f"the log was to end at {start}, it ends at {seen.head.seq}", error.hint, **end, **more
    )
