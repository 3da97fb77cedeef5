"""The endpoints that write: new encounters, facts, lines of the language. The records in their answers are durable."""

import hmac
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType, structs, to_builtins
from starlette.responses import Response

from encounterlog.ask.typed import answer_typed
from encounterlog.errors import Refused
from encounterlog.lineups import lineups
from encounterlog.log import appending, drawn_dice, entering
from encounterlog.log.appending import Line
from encounterlog.log.drawn_dice import LineupDice, Wanted, Word, make_word_source, wanted_dice
from encounterlog.log.logs import LogView
from encounterlog.log.write import Done, new_findings
from encounterlog.places import answers, model
from encounterlog.places.answers import State
from encounterlog.places.time_and_chance import make_roller
from encounterlog.places.tokens import Token
from encounterlog.service import bodies, calls, proposing
from encounterlog.service.calls import Call, json_reply
from encounterlog.service.people import check_rights, opens_form
from encounterlog.service.problems import Problem
from encounterlog.service.waiting import Proposal
from encounterlog.words.added import fact_sentences
from eventstore.chain import Anchor
from eventstore.errors import KeyReused, TooLarge, WrongVersion
from eventstore.events import CombatantJoined, Fact
from eventstore.record import Recorded, encode_record, upcast
from eventstore.store import Appended
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table as Grammar
from projections.mechanics.dice import count_calls
from projections.stream.concealment import secret_keepers

OF_LINES = "line/"
"""The beginning of the log's keys of lines; no key of facts begins so."""


# ---------------------------------------------------------------- facts


def append_records(call: Call) -> Response:
    """Append facts, all or nothing; with If-Match only where the log still ends there; once for each Idempotency-Key."""
    facts = facts_in_body(call)
    with call.hold_for_writing() as seen:
        key = retry_key(call)
        if not (key and seen.first_of_key(key)) and proposing.needs_approval(call, seen, _facts_of(facts)):
            _check_head(call, seen)
            appending.drafts_of(seen, facts)  # raises what would be refused
            return proposing.make_proposal(call, seen, proposing.proposal_of_facts(seen, _facts_of(facts)))
        return _reply_to_append(write_facts(call, seen, facts))


def facts_in_body(call: Call) -> list[Line]:
    """Return the facts in the body of a request; raise if they are too many, or not for its sender to write; malformed ones are refused later."""
    facts = appending.read_fact_lines(bodies.fact_lines(call.body, call.headers.get("content-type", "")))
    most = call.service.settings.limits.facts
    if len(facts) > most:
        raise TooLarge("facts in one request", len(facts), most)
    for line in facts if call.token.role != "gm" else ():
        if line.partial is not None or (line.draft.secret and line.wrong is None):
            what = "corrections" if line.partial is not None else "secrets"
            raise Problem("forbidden", f"line {line.number}: {what} are for the game master alone", line=line.number)
    check_rights(call.token, _facts_of(facts))
    if any(one.startswith(OF_LINES) for one in (retry_key(call), *(line.draft.key for line in facts)) if one):
        says = f"Idempotency-Key: a key that begins with {OF_LINES} is the key of a line of the language"
        raise Problem("bad-request", says, "choose another one", field="Idempotency-Key")
    for line in facts:
        if line.draft.key is not None:
            line.draft = structs.replace(line.draft, key=_key_in_log(call, line.draft.key))
    return facts


def write_facts(call: Call, seen: LogView, facts: Sequence[Line], reader: LogView | None = None) -> answers.Appended:
    """Append facts that their sender may write; the answer shows the log to `reader`, by default the sender."""
    after = _expected_record(call, seen)
    try:
        return _appended_answer(
            appending.append_lines(seen, facts, by=_writer_name(call, seen), after=after, key=retry_key(call)), reader
        )
    except WrongVersion as error:
        raise _problem_of_conflict(seen, error, after) from None


def _facts_of(facts: Sequence[Line]) -> list[Fact]:
    return [upcast(line.draft.event) for line in facts if line.wrong is None]


def _reply_to_append(answer: answers.Told | answers.Appended) -> Response:
    """Return an answer with the status of what was done, and the tag of the log's end."""
    if isinstance(answer.head, UnsetType):
        return json_reply(answer)
    return json_reply(answer, 200 if answer.again else 201, Anchor.parse(answer.head))


def _appended_answer(done: Done, reader: LogView | None = None) -> answers.Appended:
    """Return the answer to an append, or to one that had been done, as `reader` sees the log, by default as the sender does."""
    done = structs.replace(done, before=reader) if reader else done
    end = done.written.records[-1]
    return answers.Appended(
        first=done.written.first,
        last=done.written.last,
        head=str(Anchor(end.seq, end.hash)),
        again=done.written.again,
        withheld=[record.seq for record in done.written.records if record.secret] or UNSET,
        findings=list(new_findings(done).findings),
    )


def _told_answer(done: Done, reader: LogView | None = None, **more: Any) -> answers.Told:
    facts = [to_builtins(record.event) for record in done.written.records]
    return answers.Told(facts=facts, **more, **structs.asdict(_appended_answer(done, reader)))


# ---------------------------------------------------------------- lines of the language


def tell_lines(call: Call) -> Response:
    """Read a line against the log and append its facts; with dry=1 only return its meaning. Questions are answered.

    A model is asked about a line that is refused, unless it is only being typed, and while the log is not held.
    """
    typed = bodies.parse_line_body(call.body, call.headers.get("content-type", ""))
    is_dry = call.asked.get("dry")
    word, suggest = (None, None) if is_dry else (_given_word(call, typed), model.load_model_if_named())
    try:
        return _tell_line(call, typed, word, suggest)
    except Refused:
        if suggest is None or not suggest.ask():
            raise
    return _tell_line(call, typed, word, suggest)


def _tell_line(call: Call, typed: bodies.Typed, word: Word | None, suggest: model.Later | None) -> Response:
    """Record a line, once there is a word for its dice if they need one; raise Refused with the possible lines that the asker may write."""
    with call.hold_for_writing() as seen:
        try:
            if call.asked.get("dry"):
                return _preview_line(call, seen, typed)
            roll = None if word else _dice_that_need_words(seen, typed)
            if roll is None:
                waits = _propose_line(call, seen, typed, suggest)
                return waits or _reply_to_append(write_line(call, seen, typed, word, suggest=suggest))
        except Refused as error:
            error.offers = tuple(each for each in error.offers or () if _may_tell(call, seen, each))
            error.readings = tuple(each for each in error.readings if each.line in error.offers)
            raise
    # the log is not held while a word is waited for: others read it, and write to it
    return _tell_line(call, typed, call.service.entropy_words.ask_word(call.name, roll, typed.word), suggest)


def _may_tell(call: Call, seen: LogView, line: str) -> bool:
    if call.token.role == "gm":
        return True
    try:
        check_line(call.token, proposing.read_line(seen, line)[1])
    except (Problem, Refused):
        return False
    return True


def _propose_line(call: Call, seen: LogView, typed: bodies.Typed, suggest: model.Later | None) -> Response | None:
    """Return the answer to a player's line that waits for the game master; None for any other, which its sender may write."""
    key = _line_key(call, typed)
    if call.token.role == "gm" or (key and _records_under_key(seen, key)):
        return None
    table, parsed = proposing.read_line(seen, typed.line, secret=typed.secret, suggest=suggest)
    check_line(call.token, parsed)
    if not proposing.needs_approval(call, seen, [upcast(fact) for fact in parsed.facts]):
        return None
    _check_head(call, seen)
    return proposing.make_proposal(call, seen, proposing.proposal_of_line(typed.line, table, parsed))


def write_line(
    call: Call,
    seen: LogView,
    typed: bodies.Typed,
    word: Word | None,
    reader: LogView | None = None,
    suggest: model.Later | None = None,
) -> answers.Told:
    """Append the facts of a line that its sender may write, or answer it if it is a question; the answer is for the eyes of
    `reader`, by default the sender.
    """
    key, after = _line_key(call, typed), _expected_record(call, seen)
    if key and (before := _records_under_key(reader or seen, key)):
        return _repeat_answer(seen, before)
    if call.token.role != "gm":
        after = seen.head.seq if after is None else after  # what was checked is what is written
    try:
        done = entering.tell_line(
            seen,
            typed.line,
            by=_writer_name(call, seen),
            after=after,
            key=key,
            secret=typed.secret,
            roll=make_roller(),
            ask=(lambda _: word) if word else None,
            suggest=suggest,
        )
    except WrongVersion as error:
        raise _problem_of_conflict(seen, error, after, input=typed.line) from None
    except KeyReused:  # the same request, a moment sooner
        return _repeat_answer(seen, _records_under_key((reader or seen).reread(), key or ""))
    if done.done is None:
        return _answer_typed(call, seen, done.parsed, done.table)
    return _told_answer(done.done, reader, echo=list(done.lines()), rolled=entering.sums_of_dice(done.done) or UNSET)


def lineup_facts(call: Call) -> Response:
    """Return the facts by which the combatants of a line-up or a stat block would join, each with its line, and the parts without a place in them."""
    seen = call.view_for_asker()
    try:
        text = call.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Problem("bad-request", "the body is not UTF-8") from None
    joined = [each.event for each in seen.records if isinstance(each.event, CombatantJoined)]
    found, lines = lineups.parse_lineup(
        (seen.opening, *joined),
        call.asked["file"],
        text,
        call.asked.get("side") or "foes",
        call.asked.get("copies", 1),
        LineupDice(seen.place, seen.records, make_roller(), make_word_source()),
        hidden=bool(call.asked.get("secret")),
    )
    facts = [{"event": to_builtins(each.event), "secret": each.secret} for each in found.joining]
    return json_reply(answers.LineUp(lines, facts, found.left_out))


def _answer_typed(call: Call, seen: LogView, parsed: Parsed, table: Grammar) -> answers.Told:
    offered = opens_form if call.token.role == "player" else None
    return answers.Told(echo=[*map(str, answer_typed(seen, parsed, table, offered))])


def _preview_line(call: Call, seen: LogView, typed: bodies.Typed) -> Response:
    """Return the facts that a line would write, or what it lacks, without offers. Dice that the service would roll are rolled here too, and not kept."""
    table = entering.table_of(seen, make_roller())
    parsed = entering.parse_line(table, typed.line, secret=typed.secret, offers=False)
    facts = [upcast(fact) for fact in parsed.facts]
    check_line(call.token, parsed)
    if not parsed.facts:
        return json_reply(_answer_typed(call, seen, parsed, table))
    echo = list(fact_sentences(parsed, table, seen.head.seq + 1))
    waits = proposing.needs_approval(call, seen, facts) or UNSET
    told = answers.Told(echo=echo, facts=list(parsed.facts), secret=parsed.secret, proposed=waits)
    return json_reply(told, head=seen.head)


def check_line(token: Token, parsed: Parsed) -> None:
    """Raise Problem if a player may not write the facts of a line."""
    if parsed.secret and token.role != "gm":
        raise Problem("forbidden", "secrets are for the game master alone")
    check_rights(token, [upcast(fact) for fact in parsed.facts], notes=True)


def _line_key(call: Call, typed: bodies.Typed) -> str | None:
    """Return the key of a line in the log: it has a digest of the line, as dice may fall otherwise at a retry.

    Players read the keys of secrets: the digest also depends on the stored form of the token, which no player knows.
    """
    key = retry_key(call)
    if key is None:
        return None
    line = f"secret {typed.line}" if typed.secret else typed.line
    return f"{OF_LINES}{key}:{hmac.new(call.token.digest.encode(), line.encode(), 'sha256').hexdigest()[:32]}"


def _records_under_key(seen: LogView, key: str) -> list[Recorded]:
    """Return the records that were appended under a key; raise KeyReused if the same key was used for another line."""
    given = key.rpartition(":")[0]
    found = next((each for each in seen.records if each.key and each.key.rpartition(":")[0] == given), None)
    if found is None:
        return []
    if found.key != key:
        raise KeyReused(given.removeprefix(OF_LINES), found.seq, "another line was written under it")
    return list(seen.records[found.seq - 1 : found.seq - 1 + (found.batch[1] if found.batch else 1)])


def _repeat_answer(seen: LogView, records: list[Recorded]) -> answers.Told:
    done = Done(Appended(records[0].seq, records[-1].seq, tuple(records), again=True), (), seen)
    return _told_answer(done)


# ---------------------------------------------------------------- the headers


def _writer_name(call: Call, seen: LogView) -> str:
    """Return the name under which an asker writes: a player under that of a keeper of secrets is said to be a player, since the words of
    a keeper may be withheld.
    """
    name = call.token.writer
    if call.token.role == "gm" or name not in secret_keepers(seen.with_secrets().records):
        return name
    return f"{name[:100]} (player)"


def retry_key(call: Call) -> str | None:
    """Return the key under which an append can be repeated; raise Problem if it is malformed."""
    given = calls.parse_idempotency_key(call.headers.get("idempotency-key"))
    return None if given is None else _key_in_log(call, given)


def _key_in_log(call: Call, key: str) -> str:
    """Return a key as the log has it.

    Each player's keys are in a space of their own: otherwise a key would reveal whether a guess agrees with a secret
    that was written under it.
    """
    return key if call.token.role == "gm" else f"{call.token.id}/{key}"


def _expected_record(call: Call, seen: LogView) -> int | None:
    """Return the record that the log must end with; raise Problem for the tag of another log, or of another past."""
    heads = calls.parse_if_match(call.headers.get("if-match"))
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
    after = _expected_record(call, seen)
    if after is not None and after < seen.head.seq:
        raise _problem_of_conflict(seen, WrongVersion(after, seen.head.seq), after)


def _problem_of_conflict(seen: LogView, error: WrongVersion, after: int | None, **more: str) -> Problem:
    """Return the problem of a writer who came second, with the records in between as this writer may see them."""
    seen = seen.reread()
    start = error.expected if after is None else after
    between = [msgspec.Raw(encode_record(record)) for record in seen.records[start:]]
    end: dict[str, Any] = {"expected": str(start), "found": str(seen.head), "between": between}
    return Problem(
        "wrong-version", f"the log was to end at {start}, it ends at {seen.head.seq}", error.hint, **end, **more
    )


# ---------------------------------------------------------------- dice_chains


def begin_chains(call: Call) -> Response:
    """Begin a chain of dice for open rolls and one for secret ones; the name of the token holds the secret."""
    asked = bodies.read_body(bodies.Beginning, call.body)
    with call.hold_for_writing() as seen:
        records = drawn_dice.begin_chains(
            seen, by=call.token.writer, seed=asked.seed or None, because=asked.because or None
        )
    end = Anchor(records[-1].seq, records[-1].hash)
    return _reply_to_append(answers.Appended(first=end.seq - 1, last=end.seq, head=str(end), again=False, findings=()))


# ---------------------------------------------------------------- deciding


def list_proposals(call: Call) -> Response:
    """Return the proposals that wait, and the last ones that were decided: to game masters all, to players their own."""
    with call.hold_alone() as seen:
        those = call.service.proposals.seen_by(seen, call.token)
    return json_reply(answers.Proposals([each.document for each in those]))


def decide_proposal(call: Call) -> Response:
    """Accept or decline a proposal, once, also if several do so at the same time; who made it may withdraw it. The same decision
    gets the same answer again.
    """
    decision = bodies.read_body(bodies.Decision, call.body)
    if decision.accept and call.token.role != "gm":
        raise Problem("forbidden", "the game master accepts proposals", "a player withdraws one with accept=false")
    with call.hold_alone() as seen:
        proposal = call.service.proposals.find(seen, call.token, call.path["id"])
    state: State = "accepted" if decision.accept else "declined" if call.token.role == "gm" else "withdrawn"
    proposer, word = call, None
    if decision.accept and proposal.state == "waiting":
        proposer = _call_of_proposer(call, proposal)
        word = _word_for(proposer, proposal, decision) if proposal.meaning.rolls else None
    with proposer.hold_for_writing() as seen:  # one after the other: who comes second finds it decided
        if proposal.state != "waiting":
            if proposal.state != state:
                raise Problem("decided", f"it was {proposal.state} already", state=proposal.state)
            return json_reply(structs.replace(_settled_answer(proposal), again=True))
        if decision.accept:
            _check_version(call, seen, proposal, decision.version)
            proposal.done = _append_proposal(proposer, seen, proposal, decision, word)
        call.service.proposals.mark_decided(seen, proposal, state)
    call.service.proposals.notify_pages(call.name, proposal)
    return json_reply(_settled_answer(proposal), 201 if decision.accept else 200)


def _call_of_proposer(call: Call, proposal: Proposal) -> Call:
    """Return the proposer's request, as it would be now; its key lets it be written once only."""
    token = call.service.shelf.tokens.find(proposal.token.digest)
    if token is None or token.revoked:
        raise Problem("forbidden", f"the token of {proposal.token.writer} was revoked", "decline the proposal")
    headers = {"content-type": proposal.media, "idempotency-key": proposal.key or proposal.id}
    return structs.replace(call, token=token, headers=headers, body=proposal.body, asked={})


def _check_version(call: Call, seen: LogView, proposal: Proposal, version: int | None) -> None:
    """Raise Problem if a proposal would record something other than was shown, because the fight went on."""
    same = proposing.refresh_proposal(seen, proposal)
    if not same:
        call.service.proposals.notify_pages(call.name, proposal)
    if not same or version not in (None, proposal.version):
        says = "the fight went on, and the proposal would record something else now"
        echo = list(proposal.meaning.says)
        raise Problem("proposal-changed", says, "look at it again", version=proposal.version, echo=echo)


def _typed_body(proposal: Proposal, decision: bodies.Decision) -> bodies.Typed:
    return bodies.Typed(line=proposal.meaning.line, secret=decision.secret)


def _append_proposal(
    call: Call, seen: LogView, proposal: Proposal, decision: bodies.Decision, word: Word | None
) -> answers.Told | answers.Appended:
    """Append the proposal, in the proposer's name, and return the game master's view of it; raise as an append of the proposer does."""
    reader = seen.with_secrets()
    if proposal.meaning.line:
        check_line(call.token, proposing.read_line(seen, proposal.meaning.line)[1])
        return write_line(call, seen, _typed_body(proposal, decision), word, reader)
    facts = facts_in_body(call)
    for line in facts if decision.secret else ():
        line.draft = structs.replace(line.draft, secret=True)
    return write_facts(call, seen, facts, reader)


def _settled_answer(proposal: Proposal) -> answers.Settled:
    fields = {name: one for name, one in structs.asdict(proposal.done).items() if name not in ("secret", "proposed")}
    return answers.Settled(proposal.id, proposal.state, **fields)


# ---------------------------------------------------------------- entropy words


def give_word(call: Call) -> Response:
    """Take a word of a player for the roll that waits for one; a word that comes too late is not used."""
    given = bodies.read_body(bodies.Given, call.body)
    word = Word(given.word, call.token.writer)
    return json_reply(answers.Taken(call.service.entropy_words.give_word(call.name, given.number, word)))


def _dice_that_need_words(seen: LogView, typed: bodies.Typed) -> Wanted | None:
    if not seen.is_chained:
        return None
    return wanted_dice(seen.place, entering.table_of(seen, count_calls(make_roller())), typed.line, secret=typed.secret)


def _word_for(call: Call, proposal: Proposal, decision: bodies.Decision) -> Word | None:
    """Return the word of a player who is present for the dice of a proposal; None if they are drawn from no chain."""
    with call.hold_alone() as seen:
        roll = _dice_that_need_words(seen, _typed_body(proposal, decision))
    return call.service.entropy_words.ask_word(call.name, roll) if roll else None


def _given_word(call: Call, typed: bodies.Typed) -> Word | None:
    """Return the word of another person than the game master that came with a line; raise Problem for a player who names another."""
    own = call.token.writer
    if typed.giver and not typed.word:
        raise Problem("bad-request", f"giver: {typed.giver} gives no word", "word and giver go together", field="giver")
    if call.token.role == "gm":
        return Word(typed.word, typed.giver) if typed.giver else None
    if typed.giver and typed.giver != own:
        says = f"giver: {typed.giver} is another person, and a player gives words of their own"
        raise Problem("forbidden", says, f"your words are those of {own}")
    return Word(typed.word, own) if typed.word else None
