"""The endpoints of proposals: their lists, and the decisions on them."""

from typing import Any

import msgspec
from msgspec import structs

from encounterlog.core.logs import LogView
from encounterlog.service import bodies, proposing, writing
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.entropy_words import asking
from encounterlog.service.problems import Problem
from encounterlog.service.proposals import Proposal, State
from encounterlog.storage.shelves import Token


def listed(call: Call) -> Reply:
    """Return the proposals that wait, and the last ones that were decided: to game masters all, to players their own."""
    with call.alone() as seen:
        those = call.service.proposals.seen_by(seen, call.token)
    return document({"proposals": [each.document for each in those]})


def decide(call: Call) -> Reply:
    """Accept or decline a proposal, once, also if several do so at the same time; who made it may withdraw it."""
    decision = bodies.decision_of(call.body)
    if decision.accept and call.token.role != "gm":
        raise Problem("forbidden", "the game master accepts proposals", "a player withdraws one with accept=false")
    with call.alone() as seen:
        proposal = call.service.proposals.find(seen, call.token, call.path["id"])
    state: State = "accepted" if decision.accept else "declined" if call.token.role == "gm" else "withdrawn"
    proposer = _proposer(call, proposal) if decision.accept and proposal.state == "waiting" else call
    ask = asking(proposer, _typed(proposal, decision)) if decision.accept and proposal.rolls else None
    with proposer.writing() as seen:  # one after the other: who comes second finds it decided
        if proposal.state != "waiting":
            return _decided(proposal, state)
        if decision.accept:
            _check_version(call, seen, proposal, decision.version)
            proposal.done = _written(proposer, seen, proposal, decision, ask)
        call.service.proposals.decide(seen, proposal, state)
    call.service.proposals.tell(call.name, proposal)
    return document({"id": proposal.id, "state": state, **proposal.done}, 201 if decision.accept else 200)


def _proposer(call: Call, proposal: Proposal) -> Call:
    """Return the proposer's request, as it would be now; its key lets it be written once only."""
    headers = {"content-type": proposal.media, "idempotency-key": proposal.key or proposal.id}
    return structs.replace(call, token=_token(call, proposal), headers=headers, body=proposal.body, asked={})


def _token(call: Call, proposal: Proposal) -> Token:
    found = call.service.shelf.tokens.find(proposal.token.digest)
    if found is None or found.revoked:
        raise Problem("forbidden", f"the token of {proposal.by} was revoked", "decline the proposal")
    return found


def _check_version(call: Call, seen: LogView, proposal: Proposal, version: int | None) -> None:
    """Raise Problem if a proposal would record something other than was shown, because the fight went on."""
    same = proposing.again(proposal, _meaning(seen, proposal))
    if not same:
        call.service.proposals.tell(call.name, proposal)
    if not same or version not in (None, proposal.version):
        says = "the fight went on, and the proposal would record something else now"
        raise Problem("proposal-changed", says, "look at it again", version=proposal.version, echo=list(proposal.says))


def _meaning(seen: LogView, proposal: Proposal) -> proposing.Meaning:
    if proposal.line:
        return proposing.of_line(proposal.line, *proposing.read(seen, proposal.line))
    return proposing.Meaning("", proposal.says, proposal.facts)


def _typed(proposal: Proposal, decision: bodies.Decision) -> bodies.Typed:
    """Return the line that was proposed, which is secret if the game master decides so."""
    return bodies.Typed(line=proposal.line, secret=decision.secret)


def _written(call: Call, seen: LogView, proposal: Proposal, decision: bodies.Decision, ask: Any) -> dict[str, Any]:
    """Append the proposal, in the proposer's name, and return the game master's view of it; raise as an append of the proposer does."""
    reader = seen.unveiled()
    if proposal.line:
        writing.check_line(call.token, proposing.read(seen, proposal.line)[1])
        reply = writing.write_line(call, seen, _typed(proposal, decision), ask, reader)
    else:
        facts = writing.facts_of(call)
        for line in facts if decision.secret else ():
            line.draft = structs.replace(line.draft, secret=True)
        reply = writing.write_facts(call, seen, facts, reader)
    done: dict[str, Any] = msgspec.json.decode(reply.body)
    return done


def _decided(proposal: Proposal, wanted: State) -> Reply:
    """Return the answer to a decision that was made already: the same decision gets the same answer."""
    if proposal.state == wanted:
        return document({"id": proposal.id, "state": proposal.state, **proposal.done, "again": True})
    raise Problem("decided", f"it was {proposal.state} already", state=proposal.state)
