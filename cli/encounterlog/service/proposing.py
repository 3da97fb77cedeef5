"""The check of a player's line or facts: whether they wait for the game master, and the proposal that is made of them."""

import secrets
from collections.abc import Sequence

import msgspec
from msgspec import structs
from starlette.responses import Response

from encounterlog.log import entering
from encounterlog.log.logs import LogView, replay_log
from encounterlog.log.suggesting import Ask
from encounterlog.places import answers
from encounterlog.places.time_and_chance import make_roller
from encounterlog.service import calls
from encounterlog.service.calls import Call, json_reply
from encounterlog.service.people import check_joining, reach_others
from encounterlog.service.waiting import Meaning, Proposal, uses_proposals
from encounterlog.words import added as page
from eventstore.events import Fact
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table

SAME_DICE = "a proposal"
"""The seed of the dice with which a proposal is read: two readings of it differ in nothing but what it means."""


def needs_approval(call: Call, seen: LogView, facts: Sequence[Fact]) -> bool:
    """Return whether facts wait for the game master: a player's that do something to others, unless the log says otherwise; raise
    Problem for a combatant who joins again.
    """
    check_joining(call.token, replay_log(seen.with_secrets()).state.combatants, facts)
    return reach_others(call.token, replay_log(seen).state, facts) and uses_proposals(seen)


def read_line(seen: LogView, line: str, *, secret: bool = False, suggest: Ask | None = None) -> tuple[Table, Parsed]:
    """Return the table of a log, and the meaning of a line there, always with the same dice."""
    table = entering.table_of(seen, make_roller(SAME_DICE), suggest)
    return table, entering.parse_line(table, line, secret=secret)


def proposal_of_line(line: str, table: Table, parsed: Parsed) -> Meaning:
    """Return the content of a proposal for a line, without anything that its dice decide."""
    rolls = bool(parsed.thrown)
    says = () if rolls else tuple(page.fact_sentences(parsed, table, 0))
    return Meaning(line, says, msgspec.json.encode(parsed.facts), rolls)


def proposal_of_facts(seen: LogView, facts: Sequence[Fact]) -> Meaning:
    """Return the content of a proposal for facts."""
    state = entering.table_of(seen, None).done.state
    return Meaning("", tuple(page.describe_facts(Parsed(tuple(facts)), state, 0)), msgspec.json.encode(facts))


def make_proposal(call: Call, seen: LogView, meaning: Meaning) -> Response:
    """Let a proposal wait for the game master, and say how many of them have the page open."""
    body = b"" if meaning.line else call.body  # a word that comes with a line is not kept: it could be looked at before
    key = calls.parse_idempotency_key(call.headers.get("idempotency-key")) or ""
    fresh = secrets.token_hex(8)  # an id that none had, also before a restart
    made = Proposal(fresh, call.token, body, call.headers.get("content-type", ""), key, meaning)
    made, masters = call.service.proposals.add_proposal(seen, made)
    return json_reply(answers.Proposed(proposed=made.id, masters=masters, **structs.asdict(made.document)), 202)


def refresh_proposal(seen: LogView, proposal: Proposal) -> bool:
    """Keep what a proposal would record now, and return whether that is what was shown."""
    meaning = proposal.meaning
    if meaning.line:
        meaning = proposal_of_line(meaning.line, *read_line(seen, meaning.line))
    if meaning.facts == proposal.meaning.facts:
        return True
    proposal.meaning = meaning
    proposal.version += 1
    return False
