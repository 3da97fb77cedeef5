"""People: their tokens, the rights of their roles, and the combatants of players."""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from msgspec import Struct, structs
from starlette.responses import Response

from encounterlog.errors import note_written
from encounterlog.log.logs import LogView
from encounterlog.places import answers
from encounterlog.places.shelves import Shelf, shelf_of
from encounterlog.places.time_and_chance import current_time
from encounterlog.places.tokens import Role, Token
from encounterlog.service import bodies
from encounterlog.service.calls import Call, check_same, json_reply
from encounterlog.service.problems import Problem
from encounterlog.service.streams import ServedLogs, hold_log
from eventstore.errors import NotThere, StoreError
from eventstore.events import Amended, EffectEnded, Fact, Inserted, Noted, RulingMade, Struck, name_of
from eventstore.wording import nearest
from projections.language.notation.forms import Form
from projections.mechanics.conditions import find_effects
from projections.state import State


class Right(Struct, frozen=True):
    """The rights of a player to facts of one type; a fact that names a `source` is that combatant's act."""

    says: str
    own: tuple[str, ...] = ("combatant",)
    """The fields that may name own combatants only, of which one at least must be given."""
    others: tuple[str, ...] = ()
    """The fields in which it may reach others, but only as what an own act did: by its `source`, or as caused by an own
    act that is written with it. It is proposed to the game master, unless the option `others` of the log is `recorded`."""


RIGHTS: Mapping[str, Right] = {
    "combatant_joined": Right("an own combatant joins, once"),
    "combatant_left": Right("an own combatant leaves"),
    "placed": Right("where an own combatant stands"),
    "moved": Right("an own combatant moves", ("combatant", "source")),
    "turn_started": Right("the turn of own combatants alone", ("combatant", "together")),
    "turn_ended": Right("the turn of an own combatant ends"),
    "initiative_rolled": Right("initiative of own combatants", ("combatant", "together", "tie_with")),
    "turn_delayed": Right("an own combatant delays"),
    "turn_resumed": Right("an own combatant resumes"),
    "action_held": Right("an own combatant holds an action"),
    "action_declared": Right("an own combatant declares", ("combatant",)),
    "action_taken": Right("an own combatant acts"),
    "action_abandoned": Right("an own combatant gives up an action"),
    "attack_rolled": Right("an own combatant attacks anybody"),
    "save_rolled": Right("an own combatant saves, also against death"),
    "dice_rolled": Right("an own combatant rolls"),
    "contest_rolled": Right("a contest with an own combatant, caused by an own act", (), ("contenders",)),
    "resource_changed": Right("what an own combatant spends or gets back"),
    "damage_dealt": Right("damage to own combatants; to others by an own act", ("source",), ("target",)),
    "healed": Right("healing of own combatants; of others by an own act", ("source",), ("target",)),
    "effect_started": Right("an effect on own combatants; on others by an own act", ("source",), ("targets",)),
    "effect_ended": Right(
        "the end of an effect on own combatants, or of their own effect; of others by an own act",
        ("source",),
        ("targets",),
    ),
    "condition_gained": Right("a condition of own combatants; of others by an own act", ("source",), ("targets",)),
    "condition_lost": Right("the end of a condition of own combatants", ("source",), ("targets",)),
}
"""The facts that players may record, and about whom, if they may write; facts without a row are for the game master alone."""
FOR_ALL = ("side", "sides")  # fields that speak for everybody on a side, which no player does


def reaches_others(fact: Fact, state: State, own: Collection[str]) -> bool:
    """Return whether a fact that a player may record does something to others, or to anybody that it concerns."""
    fields, right = structs.asdict(fact), RIGHTS.get(name_of(type(fact)))
    if right is None:
        return False
    reached = _combatants_named(fields, right.others)
    if reached - {*own} or (right.others and not (reached or _combatants_named(fields, right.own))):
        return True
    if not isinstance(fact, EffectEnded) or fact.targets:
        return False
    ended = (state.effects[key] for key in find_effects(state.effects, fact.effect, (), fact.source))
    return any(one.bearer not in own and one.source not in own for one in ended)


CORRECTING = (Struck, Amended, Inserted, RulingMade)  # the facts that only a game master may append
QUESTIONS = frozenset({"why", "who", "help"})  # the kinds of lines without a fact that are open to players


def opens_form(form: Form) -> bool:
    """Return whether a player may write lines of this form, if they are about own combatants."""
    if form.rest:
        return form.rest in QUESTIONS
    made = (fact for fact in form.makes if fact["type"] != "noted")
    return all(fact["type"] in RIGHTS and ("combatant" in fact or fact.keys().isdisjoint(FOR_ALL)) for fact in made)


def _combatants_named(fields: Mapping[str, Any], names: Collection[str]) -> frozenset[str]:
    values = [fields.get(name) or () for name in names]
    ids = [each for value in values for each in ([value] if isinstance(value, str) else value)]
    return frozenset(each if isinstance(each, str) else each.combatant for each in ids)


def mint_token(role: Role, encounter: str = "", **given: Any) -> tuple[str, Token]:
    """Return a new random token, and its stored form: its digest, never its text."""
    text = secrets.token_urlsafe(32)
    return text, Token(secrets.token_hex(6), token_digest(text), role, encounter, at=current_time(), **given)


def store_token(shelf: Shelf, role: Role, encounter: str, **given: Any) -> tuple[str, Token]:
    """Keep a new token, and return it as `mint_token` does."""
    text, token = mint_token(role, encounter, **given)
    shelf.tokens.add(token)
    return text, token


def invitation_link(base: str, encounter: str, text: str) -> str:
    """Return the link with which a person joins: the token stands after #, which no browser sends and no log records."""
    return f"{base}/join#{bodies.quote_name(encounter)}:{text}"


def token_digest(text: str) -> str:
    """Return the stored form of a token: it is long and random, so a plain SHA-256 cannot be reversed."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cookie_name(encounter: str) -> str:
    """Return the name of the cookie that opens an encounter."""
    return f"encounter-{sha256(encounter.encode()).hexdigest()[:16]}"


MOST = 50  # how many cookies with tokens are looked at: as many as every browser keeps for a site (RFC 6265)


def digests_in_request(headers: Mapping[str, str], encounter: str = "") -> list[str]:
    """Return the stored forms of the tokens in Authorization, else in cookies; raise Problem if these are too many."""
    if (authorization := headers.get("authorization")) is not None:
        scheme, _, text = authorization.partition(" ")
        texts = [text.strip()] if scheme.lower() == "bearer" else []
    else:
        wanted, cookies = cookie_name(encounter) if encounter else "encounter-", headers.get("cookie", "")
        if cookies.count(wanted) > MOST:
            raise Problem("bad-request", f"more than {MOST} cookies of encounters", "clear the cookies of this site")
        # split by hand: the standard library takes quadratic time to unquote a value full of backslashes
        pairs = (each.strip().partition("=") for each in cookies.split(";") if wanted in each)
        found = {name: text.strip('"') for name, _, text in pairs}
        texts = [text for name, text in found.items() if name == wanted or (not encounter and name.startswith(wanted))]
    return [token_digest(text) for text in texts if 0 < len(text) <= 200]


def valid_tokens(shelf: Shelf, digests: Sequence[str]) -> tuple[Token, ...]:
    """Return the valid tokens among those with these digests: stored and not revoked; raise Problem if there is none."""
    look = {one.digest: one for one in shelf.tokens.all()}.get if len(digests) > 1 else shelf.tokens.find
    if found := tuple(one for one in map(look, digests) if one is not None and not one.revoked):  # several in one look
        return found
    refused = Problem("no-token", "no token was given, or one that opens nothing", "Authorization: Bearer TOKEN")
    refused.headers["www-authenticate"] = "Bearer"
    raise refused


def check_log(known: ServedLogs, token: Token) -> None:
    """Raise Problem if a token was made for another log, which had the name before; raise as the store does."""
    if token.log:
        with hold_log(known.log_of(token.encounter)) as log:
            check_same(log, token)


def opens_log(known: ServedLogs, token: Token) -> bool:
    """Return whether a token is of the log that is there now; opening a damaged one is reported."""
    try:
        check_log(known, token)
    except (Problem, StoreError) as error:
        return isinstance(error, StoreError)
    return True


def tokens_in_force(known: ServedLogs, there: Collection[str], tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield an operator's tokens, and those made for the log that has the name of their encounter now."""
    return (one for one in tokens if one.role == "operator" or (one.encounter in there and opens_log(known, one)))


def check_rights(token: Token, facts: Sequence[Fact], *, notes: bool = False) -> None:
    """Raise Problem if a player may not append facts: the table of rights says which are allowed.

    With `notes`, notes are allowed, too: free ones, and those on a fact here, such as one about its dice.
    """
    if token.role == "gm":
        return
    if not token.writes:
        raise Problem("forbidden", "this token reads only", "the game master can give one that writes")
    for place, fact in enumerate(facts):
        if notes and isinstance(fact, Noted) and (fact.event is None or -place <= fact.event < 0):
            continue  # it is about nothing that others wrote
        kind, cause = name_of(type(fact)), getattr(fact, "cause", None)
        if isinstance(fact, CORRECTING):
            raise Problem("forbidden", f"{kind} is for the game master alone", "say what is to be corrected")
        caused = isinstance(cause, int) and -place <= cause < 0  # by an act that was looked at here
        if not _is_own_act(structs.asdict(fact), kind, {*token.combatants}, caused=caused):
            raise Problem("forbidden", f"{kind} is no act of your combatants", f"yours: {', '.join(token.combatants)}")


def _is_own_act(fields: Mapping[str, Any], kind: str, own: set[str], *, caused: bool) -> bool:
    """Return whether a player with these combatants may record a fact; it may be `caused` by an own act beside it."""
    right, for_all = RIGHTS.get(kind), any(fields.get(name) for name in FOR_ALL)
    if right is None or (for_all and kind != "combatant_joined"):
        return False
    doers, reached = _combatants_named(fields, right.own), _combatants_named(fields, right.others)
    if doers or not right.own:
        return doers <= own and (bool(doers) or caused)
    return (caused and bool(right.others)) or (bool(reached) and reached <= own)


def create_invitation(call: Call) -> Response:
    """Make a token for this encounter; its text and link are shown only here."""
    wanted = bodies.read_body(bodies.Invitation, call.body)
    with hold_log(call.service.logs.log_of(call.name)) as known:
        log = known.encounter
    made = _store_invitation(call.service.shelf, call.name, wanted, log, call.base)
    code: list[str] = []
    with suppress(ImportError):  # there is none where segno is not installed
        import segno

        code = ["".join("1" if dark else "0" for dark in row) for row in segno.make(made["link"], micro=False).matrix]
    reply = json_reply(answers.Invited(**made, qr=code), 201)
    reply.headers["location"] = f"/v1/encounters/{bodies.quote_name(call.name)}/tokens/{made['id']}"
    return reply


def _store_invitation(shelf: Shelf, name: str, wanted: bodies.Invitation, log: str, base: str) -> dict[str, Any]:
    own = tuple(wanted.combatants)
    text, token = store_token(shelf, wanted.role, name, combatants=own, by=wanted.by, writes=wanted.writes, log=log)
    return structs.asdict(public_token(token)) | {"token": text, "link": invitation_link(base, name, text)}


def list_tokens(call: Call) -> Response:
    """List the tokens of this encounter, without their texts."""
    tokens = call.service.shelf.tokens.all()
    return json_reply(answers.Tokens([public_token(one) for one in tokens if one.encounter == call.name]))


def revoke_token(call: Call) -> Response:
    """Revoke a token: its streams end at once in this process, and within two seconds in others."""
    wanted = call.path["id"]
    own = any(one.id == wanted and one.encounter == call.name for one in call.service.shelf.tokens.all())
    if not own or call.service.shelf.tokens.revoke(wanted, current_time()) is None:
        raise Problem("not-found", "this encounter has no such token")
    call.service.streams.call_soon(call.service.streams.end_revoked, {wanted})
    return Response(status_code=204)


def public_token(token: Token) -> answers.Token:
    """Return the public fields of a token."""
    found = structs.asdict(token) | {"revoked": token.revoked or None}
    return answers.Token(**{name: found[name] for name in answers.Token.__struct_fields__})


def invite_to_log(address: str, given: dict[str, Any], base: str) -> dict[str, Any]:
    """Store a new token beside a log, and return it with its link."""
    wanted = bodies.check_body(bodies.Invitation, given)
    shelf, name = shelf_of(address)
    try:
        store = shelf.store(name)
    except NotThere as error:
        error.hint = nearest(name, shelf.names())
        raise
    store.head()
    made = _store_invitation(shelf, name, wanted, LogView(name, store=store).opening.encounter, base.rstrip("/"))
    note_written()
    return made
