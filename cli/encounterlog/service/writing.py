"""The endpoints that write: new encounters, facts, lines of the table grammar. The records in their answers are durable."""

import hmac
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct, structs, to_builtins

from encounterlog.core import appending, entering, new_findings, opening, table_of_log
from encounterlog.core.appending import Line
from encounterlog.core.drawn_dice import Asking, own_word
from encounterlog.core.logs import LogView, replayed
from encounterlog.core.write import Done
from encounterlog.errors import Refused
from encounterlog.lineups import lineups
from encounterlog.lineups.dice import LineupDice
from encounterlog.lineups.parties_of_logs import party_in
from encounterlog.reading.typed_questions import answered
from encounterlog.service import bodies, proposing, tags
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.entropy_words import asking
from encounterlog.service.people import check_own, mint, opens
from encounterlog.service.player_rights import opens as opens_form
from encounterlog.service.problems import Problem, problem_of
from encounterlog.service.served_logs import identity
from encounterlog.storage import model
from encounterlog.storage.chance import roller
from encounterlog.storage.clock import now
from encounterlog.storage.shelves import AlreadyThere, Token, check_name
from encounterlog.text import added as page
from encounterlog.text import rolled
from eventstore.chain import Anchor
from eventstore.errors import KeyReused, TooLarge, WrongVersion
from eventstore.events import CombatantJoined, EncounterOpened, Fact
from eventstore.form import visible
from eventstore.record import Draft, Recorded, upcast, written
from eventstore.store import Appended
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table as Grammar
from projections.ruleset.ruleset import Ruleset
from projections.stream.concealment import keepers

OPENERS = frozenset({"operator", "gm"})
"""The roles that may open an encounter."""
OF_LINES = "line/"
"""The beginning of the log's keys of lines; no key of facts begins so."""


# ---------------------------------------------------------------- a new encounter


class Opened(Struct, frozen=True):
    """An encounter that was opened: its end, the token of its game master with its text, and the parts of a party that were left behind."""

    name: str
    end: Anchor
    token: Token
    text: str
    behind: tuple[str, ...]


def create(call: Call) -> Reply:
    """Create an encounter, never over another; the answer carries a token for its game master, shown only here."""
    if (header := call.headers.get("if-none-match")) is not None and header.strip() != tags.ANY:
        raise Problem("bad-tag", "If-None-Match: only * is taken here", "PUT creates, and never overwrites")
    wanted = bodies.opening_of(call.body)
    made = opened(call, call.name, wanted, _named(call, wanted.party))
    reply = document(
        {"name": made.name, "head": str(made.end), "id": made.token.id, "token": made.text}
        | {"link": link(call, made.text, made.name)}
        | ({"left_out": made.behind} if wanted.party else {}),
        201,
        made.end,
    )
    reply.headers["location"] = f"/v1/encounters/{bodies.quoted(made.name)}"
    return reply


def opened(call: Call, given: str, wanted: bodies.Opening, party: tuple[str, str]) -> Opened:
    """Open an encounter, with the party of another one and its side if that is named; raise the fault."""
    name = check_name(given)
    rules = opening.ruleset_named(wanted.ruleset)
    chosen = opening.choices(rules, tuple(f"{key}={value}" for key, value in wanted.options.items()))
    event = opening.opening(rules, wanted.title if wanted.title.strip() else name, chosen)
    joining, behind = _party(call, *party, rules) if any(party) else ((), ())
    try:
        store = call.service.shelf.create(name, [Draft(event), *joining], by=wanted.by, at=now())
    except AlreadyThere as error:
        raise problem_of(error, name) from None
    text, token = mint("gm", name, by=wanted.by, log=identity(store))
    call.service.shelf.tokens.add(token)
    return Opened(name, store.head(), token, text, behind)


def may_open(call: Call, tokens: Iterable[Token]) -> bool:
    """Return whether tokens allow to open another encounter: an operator's, and that of a game master here."""
    return any(_may_open(call, each) for each in tokens)


def _may_open(call: Call, token: Token) -> bool:
    return token.role in OPENERS and (not token.encounter or opens(call.service.logs, token))


def parties(call: Call, tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the encounters whose party may go on: an operator may name any, a game master their own ones."""
    may = [each for each in tokens if _may_open(call, each)]
    every, own = any(each.role == "operator" for each in may), {each.encounter for each in may}
    return tuple(name for name in call.service.shelf.names() if every or name in own)


def _named(call: Call, given: str) -> tuple[str, str]:
    """Return the encounter, and the side, that NAME#SIDE means; a name may hold a # itself."""
    if "#" not in given or given in call.service.shelf.names():
        return given, ""
    name, _, side = given.rpartition("#")
    return name, side


def _party(call: Call, name: str, side: str, rules: Ruleset) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    """Return the facts by which the party of another encounter joins, and the parts left behind; raise Refused, or
    Problem if there is none for the asker.
    """
    if not name:
        says = f"side: {visible(side)}, but of no encounter"
        raise Problem("bad-request", says, "name the encounter whose party goes on, or no side", field="side")
    if name not in parties(call, call.tokens):
        says = f"party: there is no encounter {visible(name)} that you may take one from"
        raise Problem("not-found", says, "it is the name of another encounter here, of which you are game master")
    is_master = any(each.role == "gm" and each.encounter == name and _may_open(call, each) for each in call.tokens)
    log = LogView(name, store=call.service.shelf.store(name))
    found = party_in(log, visible(name), side, rules, openly=not is_master)
    return found.drafts, found.behind if is_master else found.known  # an operator need be no game master there


def link(call: Call, text: str, name: str) -> str:
    """Return the link with which a person joins: the token stands after #, which no browser sends and no log records."""
    return f"{call.base}/join#{bodies.quoted(name)}:{text}"


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


def write_facts(call: Call, seen: LogView, facts: Sequence[Line], reader: LogView | None = None) -> Reply:
    """Append facts that their sender may write; the answer shows the log to `reader`, by default the sender."""
    after = _after(call, seen)
    try:
        return _appended(appending.append(seen, facts, by=_by(call, seen), after=after, key=key_of(call)), reader)
    except WrongVersion as error:
        raise _came_between(seen, error, after) from None


def _facts_of(facts: Sequence[Line]) -> list[Fact]:
    """Return the well-formed facts among these."""
    return [upcast(line.draft.event) for line in facts if line.wrong is None]


def _check_lines(call: Call, facts: Sequence[Line]) -> None:
    """Raise Problem if a player may not write one of these facts; malformed facts are refused later."""
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
        says = f"Idempotency-Key: a key that begins with {OF_LINES} is the key of a line of the table grammar"
        raise Problem("bad-request", says, "choose another one", field="Idempotency-Key")


def _appended(done: Done, reader: LogView | None = None, **more: Any) -> Reply:
    """Return the answer to an append, or to one that had been done, as `reader` sees the log, by default as the sender does."""
    done = structs.replace(done, before=reader) if reader else done
    end = done.written.records[-1]
    head = Anchor(end.seq, end.hash)
    value = {"first": done.written.first, "last": done.written.last, "head": str(head), "again": done.written.again}
    withheld = [record.seq for record in done.written.records if record.secret]
    value |= {"withheld": withheld} if withheld else {}
    return document(value | more | {"findings": _findings(done)}, 200 if done.written.again else 201, head)


def _findings(done: Done) -> list[Any]:
    """Return the findings that an append raised; if anything fails here, the facts are written nevertheless, and the answer says so."""
    if done.written.again or done.written.last > table_of_log.LARGEST:
        return []
    with suppress(Exception):
        return list(new_findings.raised(done))
    return []


# ---------------------------------------------------------------- lines of the table grammar


def lines(call: Call) -> Reply:
    """Read a line against the log and append its facts; with dry=1 only return its meaning. Questions are answered.

    A model is asked about a line that is refused, unless it is only being typed, and while the log is not held.
    """
    typed = bodies.line_of(call.body, call.headers.get("content-type", ""))
    is_dry = call.asked.get("dry")
    ask, suggest = (None, None) if is_dry else (asking(call, typed), model.later())
    try:
        return _told(call, typed, ask, suggest)
    except Refused:
        if suggest is None or not suggest.ask():
            raise
    return _told(call, typed, ask, suggest)


def _told(call: Call, typed: bodies.Typed, ask: Asking | None, suggest: model.Later | None) -> Reply:
    """Record a line; raise Refused with the possible lines that the asker may write."""
    with call.writing() as seen:
        try:
            return _line(call, seen, typed, ask, suggest)
        except Refused as error:
            error.offers = tuple(each for each in error.offers or () if _may_tell(call, seen, each))
            error.readings = tuple(each for each in error.readings if each.line in error.offers)
            raise


def _may_tell(call: Call, seen: LogView, line: str) -> bool:
    """Return whether the asker may write an offered line."""
    if call.token.role == "gm":
        return True
    try:
        check_line(call.token, proposing.read(seen, line, speakers=call.plays)[1])
    except (Problem, Refused):
        return False
    return True


def _line(call: Call, seen: LogView, typed: bodies.Typed, ask: Asking | None, suggest: model.Later | None) -> Reply:
    if call.asked.get("dry"):
        return _dry(call, seen, typed)
    key = _line_key(call, typed)
    if not (key and _under(seen, key)) and call.token.role != "gm":
        table, parsed = proposing.read(seen, typed.line, secret=typed.secret, suggest=suggest, speakers=call.plays)
        check_line(call.token, parsed)
        if proposing.waits(call, seen, [upcast(fact) for fact in parsed.facts]):
            _check_head(call, seen)
            return proposing.propose(call, seen, proposing.of_line(typed.line, table, parsed))
    return write_line(call, seen, typed, ask, suggest=suggest)


def write_line(
    call: Call,
    seen: LogView,
    typed: bodies.Typed,
    ask: Asking | None,
    reader: LogView | None = None,
    suggest: model.Later | None = None,
) -> Reply:
    """Append the facts of a line that its sender may write, or answer it if it is a question; the answer is for the eyes of
    `reader`, by default the sender.
    """
    key, after = _line_key(call, typed), _after(call, seen)
    if key and (before := _under(reader or seen, key)):
        return _again(seen, before)
    if call.token.role != "gm":
        after = seen.head.seq if after is None else after  # what was checked is what is written
    try:
        done = entering.tell(
            seen,
            typed.line,
            by=_by(call, seen),
            after=after,
            key=key,
            secret=typed.secret,
            roll=roller(),
            ask=ask,
            suggest=suggest,
            speakers=call.plays,
        )
    except WrongVersion as error:
        raise _came_between(seen, error, after, input=typed.line) from None
    except KeyReused:  # the same request, a moment sooner
        return _again(seen, _under((reader or seen).reread(), key or ""))
    if done.done is None:
        return _answer(call, seen, done.parsed, done.table)
    facts = [to_builtins(record.event) for record in done.done.written.records]
    rolled = _rolled(done.done)
    return _appended(done.done, reader, echo=list(done.lines()), facts=facts, **({"rolled": rolled} if rolled else {}))


def _rolled(done: Done) -> list[str]:
    """Return the sums of dice that were rolled here, in the state after the line; if anything fails here, the facts are written
    nevertheless.
    """
    if rolled.are_rolled(done.written.records):
        with suppress(Exception):
            after = done.before.grown(done.written.records)
            return [*rolled.came_to(done.written.records, replayed(after).state)]
    return []


def lineup(call: Call) -> Reply:
    """Return the facts by which the combatants of a line-up or a stat block would join, each with its line, and the parts without a place in them."""
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
        LineupDice(seen.place, seen.records, roller(), own_word()),
        hidden=bool(call.asked.get("secret")),
    )
    facts = [{"event": to_builtins(each.event), "secret": each.secret} for each in found.joining]
    return document({"lines": lines, "facts": facts, "left_out": found.left_out})


def _answer(call: Call, seen: LogView, parsed: Parsed, table: Grammar) -> Reply:
    """Return the answer to a question, without the styles that lines for a terminal have."""
    offered = opens_form if call.token.role == "player" else None
    return document({"echo": [*map(str, answered(seen, parsed, table, offered))]})


def _dry(call: Call, seen: LogView, typed: bodies.Typed) -> Reply:
    """Return the facts that a line would write. Dice that the service would roll are rolled here too, and not kept."""
    table = table_of_log.table_of(seen, roller(), speakers=call.plays)
    parsed = entering.parsed_at(table, typed.line, secret=typed.secret)
    facts = [upcast(fact) for fact in parsed.facts]
    check_line(call.token, parsed)
    if not parsed.facts:
        return _answer(call, seen, parsed, table)
    echo = list(page.lines_of(parsed, table, seen.head.seq + 1))
    waits = {"proposed": True} if proposing.waits(call, seen, facts) else {}
    return document({"echo": echo, "facts": list(parsed.facts), "secret": parsed.secret} | waits, head=seen.head)


def check_line(token: Token, parsed: Parsed) -> None:
    """Raise Problem if a player may not write the facts of a line."""
    if parsed.secret and token.role != "gm":
        raise Problem("forbidden", "secrets are for the game master alone")
    check_own(token, [upcast(fact) for fact in parsed.facts], notes=True)


def _line_key(call: Call, typed: bodies.Typed) -> str | None:
    """Return the key of a line in the log: it has a digest of the line, as dice may fall otherwise at a retry.

    Players read the keys of secrets: the digest also depends on the stored form of the token, which no player knows.
    """
    key = key_of(call)
    if key is None:
        return None
    line = f"secret {typed.line}" if typed.secret else typed.line
    return f"{OF_LINES}{key}:{hmac.new(call.token.digest.encode(), line.encode(), 'sha256').hexdigest()[:32]}"


def _under(seen: LogView, key: str) -> list[Recorded]:
    """Return the records that were appended under a key; raise KeyReused if the same key was used for another line."""
    given = key.rpartition(":")[0]
    found = next((each for each in seen.records if each.key and each.key.rpartition(":")[0] == given), None)
    if found is None:
        return []
    if found.key != key:
        raise KeyReused(given.removeprefix(OF_LINES), found.seq, "another line was written under it")
    return list(seen.records[found.seq - 1 : found.seq - 1 + (found.batch[1] if found.batch else 1)])


def _again(seen: LogView, records: list[Recorded]) -> Reply:
    done = Done(Appended(records[0].seq, records[-1].seq, tuple(records), again=True), (), seen)
    return _appended(done, facts=[to_builtins(record.event) for record in records])


# ---------------------------------------------------------------- the headers


def _by(call: Call, seen: LogView) -> str:
    """Return the name under which an asker writes: a player under that of a keeper of secrets is said to be a player, since the words of
    a keeper may be withheld.
    """
    name = call.token.by or call.token.role
    if call.token.role == "gm" or name not in keepers(seen.unveiled().records):
        return name
    return f"{name[:100]} (player)"


def key_of(call: Call) -> str | None:
    """Return the key under which an append can be repeated; raise Problem if it is malformed."""
    given = tags.key(call.headers.get("idempotency-key"))
    return None if given is None else _own_key(call, given)


def _own_key(call: Call, key: str) -> str:
    """Return a key as the log has it.

    Each player's keys are in a space of their own: otherwise a key would reveal whether a guess agrees with a secret
    that was written under it.
    """
    return key if call.token.role == "gm" else f"{call.token.id}/{key}"


def _after(call: Call, seen: LogView) -> int | None:
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


def _check_head(call: Call, seen: LogView) -> None:
    """Raise Problem if the log goes on after the end that the request names, where no append would notice that."""
    after = _after(call, seen)
    if after is not None and after < seen.head.seq:
        raise _came_between(seen, WrongVersion(after, seen.head.seq), after)


def _came_between(seen: LogView, error: WrongVersion, after: int | None, **more: str) -> Problem:
    """Return the problem of a writer who came second, with the records in between as this writer may see them."""
    seen = seen.reread()
    start = error.expected if after is None else after
    between = [written(record).decode() for record in seen.records[start:]]
    end = {"expected": str(start), "found": str(seen.head), "between": [msgspec.Raw(each.encode()) for each in between]}
    return Problem(
        "wrong-version", f"the log was to end at {start}, it ends at {seen.head.seq}", error.hint, **end, **more
    )
