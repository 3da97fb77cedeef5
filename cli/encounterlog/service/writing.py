"""The endpoints that write: facts, lines of the language, players' proposals. The records in their answers are durable.

A player's facts that do something to others wait for the game master, unless the log says otherwise.
"""

import hmac
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType, structs, to_builtins
from starlette.responses import Response

from encounterlog.ask.typed import answer_typed
from encounterlog.errors import Refused
from encounterlog.lineups import lineups
from encounterlog.log import appending, drawn_dice, entering
from encounterlog.log.drawn_dice import Word
from encounterlog.log.folded_log import Done, new_findings
from encounterlog.log.logs import LogView, replay_log
from encounterlog.log.opening import OTHERS
from encounterlog.places import answers
from encounterlog.places.model import Later, load_model_if_named
from encounterlog.places.time_and_chance import make_roller
from encounterlog.service import bodies, calls
from encounterlog.service.calls import Call, json_reply
from encounterlog.service.people import check_rights, opens_form, reaches_others
from encounterlog.service.problems import Problem
from encounterlog.service.streams import Proposal
from encounterlog.words import added
from eventstore.chain import Anchor
from eventstore.errors import KeyReused, TooLarge, WrongVersion
from eventstore.events import CombatantJoined, Fact
from eventstore.record import encode_record, upcast
from eventstore.store import Appended
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.mechanics.dice import count_calls
from projections.stream.concealment import secret_keepers

Answer = answers.Told | answers.Appended
OF_LINES = "line/"  # the beginning of the log's keys of lines; no key of facts begins so


def append_records(call: Call) -> Response:
    """Append facts, all or nothing; with If-Match only where the log still ends there; once for each Idempotency-Key."""
    lines = facts_in_body(call)
    facts, key = _facts_of(lines), retry_key(call)
    with call.hold_for_writing() as seen:
        if not (key and seen.first_of_key(key)) and _needs_approval(call, seen, facts):
            appending.drafts_of(seen, lines)  # raises what would be refused
            return _make_proposal(call, seen, facts, fact_sentences(seen, facts))
        return _reply_to_append(_appended_answer(_write_facts(call, seen, lines)))


def facts_in_body(call: Call) -> list[appending.Line]:
    """Return the facts in a body; raise if they are too many, or not for its sender; malformed ones wait."""
    lines = appending.read_fact_lines(bodies.fact_lines(call.body, call.media))
    most = call.service.settings.limits.facts
    if len(lines) > most:
        raise TooLarge("facts in one request", len(lines), most)
    for line in lines if call.token.role != "gm" else ():
        if line.partial is not None or (line.draft.secret and line.wrong is None):
            what = "corrections" if line.partial is not None else "secrets"
            raise Problem("forbidden", f"line {line.number}: {what} are for the game master alone", line=line.number)
    check_rights(call.token, _facts_of(lines))
    if any(one.startswith(OF_LINES) for one in (retry_key(call), *(line.draft.key for line in lines)) if one):
        says = f"Idempotency-Key: a key that begins with {OF_LINES} is the key of a line of the language"
        raise Problem("bad-request", says, "choose another one", field="Idempotency-Key")
    for line in lines:
        if line.draft.key is not None:
            line.draft = structs.replace(line.draft, key=_key_in_log(call, line.draft.key))
    return lines


def _facts_of(lines: Sequence[appending.Line]) -> list[Fact]:
    return [upcast(line.draft.event) for line in lines if line.wrong is None]


def _write_facts(call: Call, seen: LogView, lines: Sequence[appending.Line]) -> Done:
    after, by, key = _expected_record(call, seen), _writer_name(call, seen), retry_key(call)
    try:
        return appending.append_lines(seen, lines, by=by, after=after, key=key)
    except WrongVersion as error:
        raise _problem_of_conflict(seen, error, after) from None


def _reply_to_append(answer: Answer) -> Response:
    if isinstance(answer.head, UnsetType):
        return json_reply(answer)
    return json_reply(answer, 200 if answer.again else 201, Anchor.parse(answer.head))


def _appended_answer(done: Done, reader: LogView | None = None) -> answers.Appended:
    first, last, again, records = done.written.first, done.written.last, done.written.again, done.written.records
    head, withheld = str(Anchor(last, records[-1].hash)), [one.seq for one in records if one.secret] or UNSET
    found = new_findings(structs.replace(done, before=reader or done.before)).findings
    return answers.Appended(first=first, last=last, head=head, again=again, withheld=withheld, findings=list(found))


def _told_answer(done: Done, reader: LogView | None = None, **more: Any) -> answers.Told:
    facts = [to_builtins(record.event) for record in done.written.records]
    return answers.Told(facts=facts, **more, **structs.asdict(_appended_answer(done, reader)))


def tell_lines(call: Call) -> Response:
    """Read a line against the log and append its facts; with dry=1 only return its meaning. Questions are answered."""
    typed = bodies.parse_line_body(call.body, call.media)
    word, suggest = (None, None) if call.asked.get("dry") else (_given_word(call, typed), load_model_if_named())
    try:
        return _tell_line(call, typed, word, suggest)
    except Refused:
        if suggest is None or not suggest.ask():  # of a model, while the log is not held
            raise
    return _tell_line(call, typed, word, suggest)


def _tell_line(call: Call, typed: bodies.Typed, word: Word | None, suggest: Later | None) -> Response:
    with call.hold_for_writing() as seen:
        try:
            if call.asked.get("dry"):
                table = entering.table_of(seen, make_roller())  # dice rolled here are not kept
                parsed = entering.parse_line(table, typed.line, secret=typed.secret, offers=False)
                if not (facts := _check_line(call, parsed)):
                    return json_reply(_answer_typed(call, seen, parsed, table))
                echo = list(added.fact_sentences(parsed, table, seen.head.seq + 1))
                waits = _needs_approval(call, seen, facts) or UNSET
                told = answers.Told(echo=echo, facts=list(parsed.facts), secret=parsed.secret, proposed=waits)
                return json_reply(told, head=seen.head)
            roll = None if word else _dice_that_need_words(seen, typed.line, secret=typed.secret)
            if roll is None:
                if call.token.role != "gm" and not _repeat_answer(seen, _line_key(call, typed)):
                    table, parsed = _read_line(seen, typed.line, secret=typed.secret, suggest=suggest)
                    if _needs_approval(call, seen, _check_line(call, parsed)):
                        return _make_proposal(call, seen, parsed.facts, _sentences(table, parsed), typed.line)
                return _reply_to_append(_write_line(call, seen, typed, word, suggest, None))
        except Refused as error:
            error.offers = tuple(each for each in error.offers if _may_tell(call, seen, each))
            error.readings = tuple(each for each in error.readings if each.line in error.offers)
            raise
    # the log is not held while a word is waited for: others read it, and write to it
    return _tell_line(call, typed, call.service.entropy_words.ask_word(call.name, roll, typed.word), suggest)


def _may_tell(call: Call, seen: LogView, line: str) -> bool:
    try:
        _check_line(call, _read_line(seen, line)[1])
    except (Problem, Refused):
        return call.token.role == "gm"
    return True


def _read_line(seen: LogView, line: str, *, secret: bool = False, suggest: Later | None = None) -> tuple[Table, Parsed]:
    # with the same dice each time: two readings of a proposal differ in nothing but what it means
    table = entering.table_of(seen, make_roller("a proposal"), suggest)
    return table, entering.parse_line(table, line, secret=secret)


def _check_line(call: Call, parsed: Parsed) -> list[Fact]:
    if parsed.secret and call.token.role != "gm":
        raise Problem("forbidden", "secrets are for the game master alone")
    facts: list[Fact] = [*map(upcast, parsed.facts)]
    check_rights(call.token, facts, notes=True)
    return facts


def _write_line(
    call: Call, seen: LogView, typed: bodies.Typed, word: Word | None, suggest: Later | None, reader: LogView | None
) -> answers.Told:
    """Append the facts of a line that its sender may write, or answer its question, as `reader` sees the log."""
    key, after = _line_key(call, typed), _expected_record(call, seen)
    if again := _repeat_answer(reader or seen, key):
        return again
    if call.token.role != "gm":
        after = seen.head.seq if after is None else after  # what was checked is what is written
    by, ask, roll = _writer_name(call, seen), (lambda _: word) if word else None, make_roller()
    line, secret = typed.line, typed.secret
    try:
        told = entering.tell_line(
            seen, line, by=by, after=after, key=key, secret=secret, roll=roll, ask=ask, suggest=suggest
        )
    except WrongVersion as error:
        raise _problem_of_conflict(seen, error, after, input=typed.line) from None
    except KeyReused:
        if again := _repeat_answer((reader or seen).reread(), key):  # the same request, a moment sooner
            return again
        raise
    if told.done is None:
        return _answer_typed(call, seen, told.parsed, told.table)
    return _told_answer(told.done, reader, echo=list(told.lines()), rolled=entering.sums_of_dice(told.done) or UNSET)


def _answer_typed(call: Call, seen: LogView, parsed: Parsed, table: Table) -> answers.Told:
    offered = opens_form if call.token.role == "player" else None
    return answers.Told(echo=[*map(str, answer_typed(seen, parsed, table, offered))])


def _line_key(call: Call, typed: bodies.Typed) -> str | None:
    # with a digest of the line, as dice may fall otherwise at a retry; it also depends on the stored form of the token,
    # which no player knows, since players read the keys of secrets
    if (key := retry_key(call)) is None:
        return None
    line = f"secret {typed.line}" if typed.secret else typed.line
    return f"{OF_LINES}{key}:{hmac.new(call.token.digest.encode(), line.encode(), 'sha256').hexdigest()[:32]}"


def _repeat_answer(seen: LogView, key: str | None) -> answers.Told | None:
    """Return the answer to a line that was written under this key, if one was; raise KeyReused if that was another line."""
    given = (key or "").rpartition(":")[0]
    found = next((each for each in seen.records if key and each.key and each.key.rpartition(":")[0] == given), None)
    if found is None:
        return None
    if found.key != key:
        raise KeyReused(given.removeprefix(OF_LINES), found.seq, "another line was written under it")
    records = seen.records[found.seq - 1 : found.seq - 1 + (found.batch[1] if found.batch else 1)]
    return _told_answer(Done(Appended(found.seq, records[-1].seq, records, again=True), (), seen))


def lineup_facts(call: Call) -> Response:
    """Return the facts by which a line-up or stat block would join, with their lines, and the parts left out."""
    seen = call.view_for_asker()
    try:
        text = call.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Problem("bad-request", "the body is not UTF-8") from None
    side, copies, hidden = call.asked.get("side") or "foes", call.asked.get("copies", 1), bool(call.asked.get("secret"))
    joined = [each.event for each in seen.records if isinstance(each.event, CombatantJoined)]
    dice = drawn_dice.LineupDice(seen.place, seen.records, make_roller(), drawn_dice.make_word_source())
    found, lines = lineups.parse_lineup(
        (seen.opening, *joined), call.asked["file"], text, side, copies, dice, hidden=hidden
    )
    facts = [{"event": to_builtins(each.event), "secret": each.secret} for each in found.joining]
    return json_reply(answers.LineUp(lines, facts, found.left_out))


def _writer_name(call: Call, seen: LogView) -> str:
    """Return the name under which an asker writes; a player with that of a keeper of secrets is said to be a player."""
    name = call.token.writer
    if call.token.role == "gm" or name not in secret_keepers(seen.with_secrets().records):
        return name
    return f"{name[:100]} (player)"  # the words of a keeper may be withheld


def retry_key(call: Call) -> str | None:
    """Return the key under which an append can be repeated; raise Problem if it is malformed."""
    given = _given_key(call)
    return _key_in_log(call, given) if given else None


def _given_key(call: Call) -> str:
    given = call.headers.get("idempotency-key")
    key = (given or "").strip().removeprefix('"').removesuffix('"')
    if given is not None and not (1 <= len(key) <= 60 and key.isascii() and key.isprintable()):
        says = "Idempotency-Key: 1 to 60 printable characters"  # the log's own has 120, and holds more than it
        raise Problem("bad-request", says, field="Idempotency-Key")
    return key


def _key_in_log(call: Call, key: str) -> str:
    """Return a key as the log has it: a player's reveals nothing of a secret that was written under the same."""
    return key if call.token.role == "gm" else f"{call.token.id}/{key}"


def _expected_record(call: Call, seen: LogView) -> int | None:
    given = call.headers.get("if-match")
    if given is None or given.strip() == "*":
        return None
    tags, hint = calls.parse_tags("If-Match", given), "GET …/head has the present tag"
    if any(is_weak for _, is_weak in tags):
        raise Problem("bad-tag", "If-Match: a weak tag matches nothing", 'such as If-Match: "12:ab…"', field="If-Match")
    heads = [calls.parse_anchor("If-Match", text, hint) for text, _ in tags]
    here = [one.seq for one in heads if one.seq <= len(seen.records) and seen.records[one.seq - 1].hash == one.hash]
    if not here:
        says = f"If-Match: {heads[0].seq} is no end of this log: the tag is of another log, or of another past of it"
        raise Problem("wrong-version", says, hint, expected=str(heads[0]), found=str(seen.head))
    return max(here)


def _problem_of_conflict(seen: LogView, error: WrongVersion, after: int | None, **more: str) -> Problem:
    seen, start = seen.reread(), error.expected if after is None else after
    more |= {"expected": str(start), "found": str(seen.head)}
    between = [msgspec.Raw(encode_record(record)) for record in seen.records[start:]]
    says = f"the log was to end at {start}, it ends at {seen.head.seq}"
    return Problem("wrong-version", says, error.hint, between=between, **more)


def _needs_approval(call: Call, seen: LogView, facts: Sequence[Fact]) -> bool:
    token = call.token
    if token.role == "gm":
        return False
    present, state = {*replay_log(seen.with_secrets()).state.combatants}, replay_log(seen).state
    for fact in facts:
        if isinstance(fact, CombatantJoined):
            if fact.combatant in present:
                hint = "the game master changes a sheet, or lets somebody return"
                raise Problem("forbidden", f"{fact.combatant} has joined already", hint)
            present.add(fact.combatant)
    reach = any(reaches_others(fact, state, token.combatants) for fact in facts)
    return reach and seen.opening.options.get(OTHERS) != "recorded"


def fact_sentences(seen: LogView, facts: Sequence[Fact]) -> tuple[str, ...]:
    """Return sentences for facts that would be appended to a log."""
    return tuple(added.describe_facts(Parsed(tuple(facts)), entering.table_of(seen, None).done.state, 0))


def _make_proposal(call: Call, seen: LogView, facts: Sequence[Fact], says: Sequence[str], line: str = "") -> Response:
    after = _expected_record(call, seen)
    if after is not None and after < seen.head.seq:  # which no append notices here
        raise _problem_of_conflict(seen, WrongVersion(after, seen.head.seq), after)
    body = b"" if line else call.body  # a word that comes with a line is not kept: it could be looked at before
    fresh, by = secrets.token_hex(8), call.token.writer  # an id that none had, also before a restart
    shown = answers.Proposal(id=fresh, state="waiting", version=1, by=by, line=line, echo=says, rolls=not says)
    new = Proposal(call.token, body, call.media, _given_key(call), msgspec.json.encode(facts), shown)
    made, masters = call.service.proposals.add_proposal(seen, new)
    return json_reply(answers.Proposed(proposed=made.shown.id, masters=masters, **structs.asdict(made.shown)), 202)


def _sentences(table: Table, parsed: Parsed) -> tuple[str, ...]:
    return () if parsed.thrown else tuple(added.fact_sentences(parsed, table, 0))  # dice decide a part of the others


def list_proposals(call: Call) -> Response:
    """Return the proposals that wait, and the last ones that were decided: to game masters all, to players their own."""
    with call.hold_alone() as seen:
        return json_reply(answers.Proposals([each.shown for each in call.service.proposals.seen_by(seen, call.token)]))


def decide_proposal(call: Call) -> Response:
    """Accept or decline a proposal, once; who made it may withdraw it. The same decision gets the same answer again."""
    decision, is_master = bodies.read_body(bodies.Decision, call.body), call.token.role == "gm"
    if decision.accept and not is_master:
        raise Problem("forbidden", "the game master accepts proposals", "a player withdraws one with accept=false")
    with call.hold_alone() as seen:
        those = call.service.proposals.seen_by(seen, call.token)
    proposal = next((each for each in those if each.shown.id == call.path["id"]), None)
    if proposal is None:
        hint = "one that waited when the service was started again is lost"
        raise Problem("not-found", "there is no such proposal", hint)
    state: answers.State = "accepted" if decision.accept else "declined" if is_master else "withdrawn"
    proposer, word = call, None
    if decision.accept and proposal.shown.state == "waiting":
        proposer = _call_of_proposer(call, proposal)
        if proposal.shown.rolls:
            with proposer.hold_alone() as seen:
                roll = _dice_that_need_words(seen, proposal.shown.line, secret=decision.secret)
            word = call.service.entropy_words.ask_word(call.name, roll) if roll else None
    with proposer.hold_for_writing() as seen:  # one after the other: who comes second finds it decided
        before = proposal.shown.state
        if before not in ("waiting", state):
            raise Problem("decided", f"it was {before} already", state=before)
        if before == "waiting":
            if decision.accept:
                proposal.done = _write_accepted(proposer, seen, proposal, decision, word)
            call.service.proposals.mark_decided(seen, proposal, state)
    fields = {name: one for name, one in structs.asdict(proposal.done).items() if name not in ("secret", "proposed")}
    settled = answers.Settled(id=proposal.shown.id, state=state, **fields)
    if before != "waiting":
        return json_reply(structs.replace(settled, again=True))
    call.service.proposals.notify_pages(call.name, proposal)
    return json_reply(settled, 201 if decision.accept else 200)


def _call_of_proposer(call: Call, proposal: Proposal) -> Call:
    # as it would be now; its key lets it be written once only
    token = call.service.shelf.tokens.find(proposal.token.digest)
    if token is None or token.revoked:
        raise Problem("forbidden", f"the token of {proposal.token.writer} was revoked", "decline the proposal")
    headers = {"content-type": proposal.media, "idempotency-key": proposal.key or proposal.shown.id}
    return structs.replace(call, token=token, headers=headers, body=proposal.body, asked={})


def _write_accepted(call: Call, seen: LogView, proposal: Proposal, asked: bodies.Decision, word: Word | None) -> Answer:
    """Write a proposal as its proposer's append; raise Problem if it would record something else than shown, which then is shown."""
    shown, same, reader = proposal.shown, True, seen.with_secrets()
    if shown.line:
        table, parsed = _read_line(seen, shown.line)
        facts = msgspec.json.encode(parsed.facts)
        if not (same := facts == proposal.facts):
            proposal.facts, says = facts, _sentences(table, parsed)
            proposal.shown = shown = structs.replace(shown, version=shown.version + 1, echo=says, rolls=not says)
            call.service.proposals.notify_pages(call.name, proposal)
    if not same or asked.version not in (None, shown.version):
        what = "the fight went on, and the proposal would record something else now"
        raise Problem("proposal-changed", what, "look at it again", version=shown.version, echo=list(shown.echo))
    if shown.line:
        _check_line(call, parsed)
        typed = bodies.Typed.model_construct(line=shown.line, secret=asked.secret)
        return _write_line(call, seen, typed, word, None, reader)
    lines = facts_in_body(call)
    for line in lines if asked.secret else ():
        line.draft = structs.replace(line.draft, secret=True)
    return _appended_answer(_write_facts(call, seen, lines), reader)


def begin_chains(call: Call) -> Response:
    """Begin a chain of dice for open rolls and one for secret ones; the name of the token holds the secret."""
    asked = bodies.read_body(bodies.Beginning, call.body)
    seed, because = asked.seed or None, asked.because or None
    with call.hold_for_writing() as seen:
        last = drawn_dice.begin_chains(seen, by=call.token.writer, seed=seed, because=because)[-1]
    head = str(Anchor(last.seq, last.hash))
    return _reply_to_append(answers.Appended(first=last.seq - 1, last=last.seq, head=head, again=False, findings=()))


def give_word(call: Call) -> Response:
    """Take a word of a player for the roll that waits for one; a word that comes too late is not used."""
    given = bodies.read_body(bodies.Given, call.body)
    taken = call.service.entropy_words.give_word(call.name, given.number, Word(given.word, call.token.writer))
    return json_reply(answers.Taken(taken))


def _dice_that_need_words(seen: LogView, line: str, *, secret: bool) -> drawn_dice.Wanted | None:
    if not seen.is_chained:
        return None
    return drawn_dice.wanted_dice(seen.place, entering.table_of(seen, count_calls(make_roller())), line, secret=secret)


def _given_word(call: Call, typed: bodies.Typed) -> Word | None:
    own = call.token.writer
    if typed.giver and not typed.word:
        raise Problem("bad-request", f"giver: {typed.giver} gives no word", "word and giver go together", field="giver")
    if call.token.role == "gm":
        return Word(typed.word, typed.giver) if typed.giver else None
    if typed.giver not in ("", own):
        says = f"giver: {typed.giver} is another person, and a player gives words of their own"
        raise Problem("forbidden", says, f"your words are those of {own}")
    return Word(typed.word, own) if typed.word else None
