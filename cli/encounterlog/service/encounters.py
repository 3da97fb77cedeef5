"""Encounters: their list, how another is opened, and the first page, which has both for people."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count

from msgspec import UNSET
from starlette.responses import Response

from encounterlog.errors import ERRORS, Refused
from encounterlog.lineups.parties_of_logs import party_of_log
from encounterlog.log import opening
from encounterlog.log.logs import LogView, replay_log
from encounterlog.places import answers
from encounterlog.places.shelves import Shelf, check_name
from encounterlog.places.time_and_chance import current_time
from encounterlog.places.tokens import Token
from encounterlog.service import bodies, calls, people
from encounterlog.service.calls import Call, json_reply
from encounterlog.service.pages import LINK, headers_of_entry, html_page, is_page_wanted
from encounterlog.service.problems import Problem, problem_of
from encounterlog.service.streams import ALL_SECRETS, hold_log
from encounterlog.words.layout import count_noun as count_of
from eventstore.chain import Anchor
from eventstore.errors import AlreadyThere, StoreError
from eventstore.record import Draft
from eventstore.store import Store
from eventstore.wording import visible
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find, keys


def list_encounters(call: Call) -> Response:
    """List the encounters that the request's tokens open, each with the role that it has there."""
    there = call.service.shelf.names()
    found: dict[str, answers.Listed] = {}
    for token in people.tokens_in_force(call.service.logs, there, call.tokens):
        for name in there if token.role == "operator" else (token.encounter,):
            found[name] = answers.Listed(name, token.role, token.combatants, token.writes)
    return json_reply(answers.Encounters([found[name] for name in sorted(found)]))


def create_encounter(call: Call) -> Response:
    """Create an encounter, never over another; the answer carries a token for its game master, shown only here."""
    if (header := call.headers.get("if-none-match")) is not None and header.strip() != "*":
        raise Problem("bad-tag", "If-None-Match: only * is taken here", "PUT creates, and never overwrites")
    made = _open_encounter(call, call.name, bodies.read_body(bodies.Opening, call.body))
    reply = json_reply(made, 201, Anchor.parse(made.head))
    reply.headers["location"] = f"/v1/encounters/{bodies.quote_name(made.name)}"
    return reply


def begin_new_encounter(call: Call, name: str, wanted: bodies.Opening) -> tuple[Store, tuple[str, ...]]:
    """Create the log of an encounter, with a party or its side if that is named; return it and what was left behind."""
    check_name(name)
    rules = opening.ruleset_named(wanted.ruleset)
    chosen = opening.parse_options(rules, tuple(f"{key}={value}" for key, value in wanted.options.items()))
    event = opening.make_opening(rules, wanted.title if wanted.title.strip() else name, chosen)
    joining, behind = _join_facts_of_party(call, wanted.party, rules) if wanted.party else ((), ())
    try:
        return call.service.shelf.create(name, [Draft(event), *joining], by=wanted.by, at=current_time()), behind
    except AlreadyThere as error:
        raise problem_of(error, name) from None


def _open_encounter(call: Call, name: str, wanted: bodies.Opening) -> answers.Created:
    store, behind = begin_new_encounter(call, name, wanted)
    log = LogView(name, store=store).opening.encounter
    text, token = people.store_token(call.service.shelf, "gm", name, by=wanted.by, log=log)
    link = people.invitation_link(call.base, name, text)
    return answers.Created(name, str(store.head()), token.id, text, link, behind if wanted.party else UNSET)


def _tokens_that_may_open(call: Call, tokens: Iterable[Token]) -> tuple[Token, ...]:
    may = (each for each in tokens if each.role in calls.OWNERS)
    return tuple(each for each in may if not each.encounter or people.opens_log(call.service.logs, each))


def _offered_parties(call: Call, may: Sequence[Token]) -> tuple[str, ...]:
    every, own = any(each.role == "operator" for each in may), {each.encounter for each in may}
    return tuple(name for name in call.service.shelf.names() if every or name in own)


def _join_facts_of_party(call: Call, party: str, rules: Ruleset) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    is_whole = "#" not in party or party in call.service.shelf.names()  # a name may hold a # itself
    name, _, side = (party, "", "") if is_whole else party.rpartition("#")
    if not name:
        says = f"side: {visible(side)}, but of no encounter"
        raise Problem("bad-request", says, "name the encounter whose party goes on, or no side", field="side")
    may = _tokens_that_may_open(call, call.tokens)
    if name not in _offered_parties(call, may):
        says = f"party: there is no encounter {visible(name)} that you may take one from"
        raise Problem("not-found", says, "it is the name of another encounter here, of which you are game master")
    is_master = any(each.role == "gm" and each.encounter == name for each in may)
    log = LogView(name, store=call.service.shelf.store(name))
    found = party_of_log(log, visible(name), side, rules, openly=not is_master)
    return found.drafts, found.behind if is_master else found.known  # an operator need be no game master there


def home_page(call: Call) -> Response:
    """Return the page with the encounters that this browser's invitations open, and the form if one of them may open another encounter."""
    try:
        tokens = people.valid_tokens(call.service.shelf, people.digests_in_request(call.headers))
    except Problem as refused:
        if refused.kind != "no-token":
            raise
        tokens = ()
    return _first_page(call, tokens, None, {})


def open_one(call: Call) -> Response:
    """Open an encounter as the form says; its opener is its game master. Errors are said above the form."""
    if not _tokens_that_may_open(call, call.tokens):
        raise Problem("forbidden", "an encounter is opened by the operator, or by a game master", LINK)
    sent: Mapping[str, str] = {}
    try:
        sent = {name: values[-1] for name, values in bodies.parse_form(call.body, "form").items()}
        if "enter" in sent:
            return _enter_as_operator(call, sent["enter"])
        form, options = bodies.read_form(sent)
        writer = next((one.by for one in call.tokens if one.role == "gm" and one.by), "gm")
        party = form.party + (f"#{form.side.strip()}" if form.side.strip() else "")
        given = {"ruleset": form.ruleset, "title": form.title, "options": options, "by": writer, "party": party}
        wanted = bodies.check_body(bodies.Opening, given)
        name = form.name or _free_name(form.title, call.service.shelf)
        made = _open_encounter(call, name, wanted)
    except (Problem, Refused, StoreError) as error:
        problem = problem_of(error, sent.get("name", ""))
        if not is_page_wanted(call.headers.get("accept", "")):
            raise problem from None
        return _first_page(call, call.tokens, problem, sent)
    title, headers = visible(form.title.strip() or name), headers_of_entry(call, name, made.token)
    values = {"encounter": title, "there": headers["location"], "behind": made.left_out, "link": made.link}
    reply = html_page("opened.html", 201, title=f"{title} is open", script="opened.js", **values)
    reply.headers.update(headers)  # which let this browser in
    return reply


def _free_name(title: str, shelf: Shelf) -> str:
    """Return the name of an encounter, made of its title, that no other has: the-mill, the-mill-2."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name, taken = "-".join(re.findall(r"[a-z0-9]+", plain))[:60], shelf.names()
    further = (f"{name}-{number}" for number in count(2))
    return next(each for each in chain([name], further) if each not in taken) if name else ""


def _enter_as_operator(call: Call, name: str) -> Response:
    if not any(one.role == "operator" for one in call.tokens):
        raise Problem("forbidden", "an encounter is entered so by the operator", LINK)
    if name not in call.service.shelf.names():
        raise Problem("not-found", f"there is no encounter {visible(name)[:80]}")
    with hold_log(call.service.logs.log_of(name)) as known:
        text, _ = people.store_token(call.service.shelf, "gm", name, by="gm", log=known.encounter)
    return Response(status_code=303, headers=headers_of_entry(call, name, text))


def _first_page(call: Call, tokens: tuple[Token, ...], wrong: Problem | None, sent: Mapping[str, str]) -> Response:
    names, may = call.service.shelf.names(), _tokens_that_may_open(call, tokens)
    found = people.tokens_in_force(call.service.logs, names, tokens)
    there: dict[str, str] = dict(sorted((one.encounter, one.role) for one in found if one.role != "operator"))
    if any(one.role == "operator" for one in tokens):  # who has not entered the others yet
        there |= {name: "" for name in names if name not in there}
    rows = [encounter_row(call, name, role) for name, role in there.items()]
    rulesets = [find(key) for key in keys()] if may else []
    says = (ERRORS[wrong.kind].title, wrong.detail, wrong.hint) if wrong else ()
    sentences = " ".join(f"{each[:1].upper()}{each[1:]}." for each in says if each)
    shown = {"title": "Encounters", "rows": rows, "opens": bool(may), "script": "install.js", "advice": LINK}
    shown |= {"wrong": sentences, "field": wrong.more.get("field") if wrong else None, "sent": sent}
    choices = {
        "rulesets": [(each.key, f"{each.key}: {each.title}") for each in rulesets],
        "parties": [(each, each) for each in _offered_parties(call, may)],
        "options": [(each.key, each.title, _options_in_form(each)) for each in rulesets],
    }
    reply = html_page("encounters.html", wrong.status if wrong else 200, **shown, **choices)
    reply.headers.update(wrong.all_headers() if wrong else {})
    return reply


def encounter_row(call: Call, name: str, role: str) -> dict[str, str]:
    """Return the row of an encounter, with its state as its asker may see it; without a role it is not entered yet."""
    title, says, secrets = name, f"{name}: cannot be read", role in ALL_SECRETS
    with suppress(Problem, Refused, StoreError), hold_log(call.service.logs.log_of(name)) as known:
        seen = known.view(secrets=secrets, alone=True)
        state = replay_log(seen).state
        rounds, combatants = state.clock.point.round, count_of(len(state.combatants), "combatant")
        over = f"over after {count_of(rounds, 'round')}"
        when = over if state.closed else f"round {rounds}" if rounds else "not begun"
        title, says = visible(seen.opening.title), visible(f"{name}: {state.rules.title}, {combatants}, {when}")
    return {"name": name, "title": title or name, "says": says, "role": "game master" if role == "gm" else role}


def _options_in_form(rules: Ruleset) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """Return the options of a ruleset: name, meaning (nothing for those of every log), default, values."""
    says = rules.catalogue().find_option
    found = ((name, says(name), values) for name, values in opening.known_options(rules).items())
    return [(name, one.says if one else "", each[0], [(value, value) for value in each]) for name, one, each in found]
