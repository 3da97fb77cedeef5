"""People: their tokens, the rights of their roles, and the combatants of players."""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from msgspec import structs

from encounterlog.service.player_rights import may, reaches
from encounterlog.service.problems import Problem
from encounterlog.service.served_logs import ServedLogs, looked_at
from encounterlog.storage.clock import now
from encounterlog.storage.shelves import Role, Shelf, Token
from eventstore.errors import StoreError
from eventstore.events import Amended, CombatantJoined, Fact, Inserted, Noted, RulingMade, Struck

ALL_SECRETS = frozenset({"gm"})
"""The roles that see everything; an operator creates encounters and hands out tokens, and reads none."""
LONGEST = 200
"""The longest text that is looked at as a token."""
MOST = 50
"""How many cookies with tokens are looked at: as many as every browser keeps for a site (RFC 6265)."""
CORRECTING = (Struck, Amended, Inserted, RulingMade)
"""The facts that only a game master may append."""


def mint(role: Role, encounter: str = "", **given: Any) -> tuple[str, Token]:
    """Return a new random token, and its stored form: its digest, never its text."""
    text = secrets.token_urlsafe(32)
    return text, Token(secrets.token_hex(6), digest(text), role, encounter, at=now(), **given)


def digest(text: str) -> str:
    """Return the stored form of a token: it is long and random, so a plain SHA-256 cannot be reversed."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cookie_of(encounter: str) -> str:
    """Return the name of the cookie that opens an encounter."""
    return f"encounter-{sha256(encounter.encode()).hexdigest()[:16]}"


def given(headers: Mapping[str, str], encounter: str = "") -> tuple[str, ...]:
    """Return the tokens of a request: that of its Authorization or, without one, those of its cookies; raise Problem if those are too many."""
    authorization = headers.get("authorization")
    if authorization is not None:
        scheme, _, text = authorization.partition(" ")
        return (text.strip(),) if scheme.lower() == "bearer" and 0 < len(text.strip()) <= LONGEST else ()
    wanted = cookie_of(encounter) if encounter else "encounter-"
    cookies = headers.get("cookie", "")
    if cookies.count(wanted) > MOST:
        raise Problem("bad-request", f"more than {MOST} cookies of encounters", "clear the cookies of this site")
    pairs = (each.strip().partition("=") for each in cookies.split(";") if wanted in each)
    found = {
        name: text.strip('"')
        for name, _, text in pairs
        if name == wanted or (not encounter and name.startswith(wanted))
    }
    return tuple(text for text in found.values() if 0 < len(text) <= LONGEST)


def holders(shelf: Shelf, headers: Mapping[str, str], encounter: str = "") -> tuple[Token, ...]:
    """Return the valid tokens of a request: stored and not revoked; raise Problem if there is none."""
    digests = [digest(text) for text in given(headers, encounter)]
    look = {one.digest: one for one in shelf.tokens.all()}.get if len(digests) > 1 else shelf.tokens.find
    found = map(look, digests)  # several in one look
    known = tuple(one for one in found if one is not None and not one.revoked)
    if known:
        return known
    refused = Problem("no-token", "no token was given, or one that opens nothing", "Authorization: Bearer TOKEN")
    refused.headers["www-authenticate"] = "Bearer"
    raise refused


def admitted(token: Token, encounter: str, roles: frozenset[str]) -> Token:
    """Return the token if its role, and the table that it belongs to, allow a request; raise Problem."""
    if token.role != "operator" and token.encounter != encounter:
        raise Problem("forbidden", "this token does not open that encounter", "it may be one of another table")
    if token.role not in roles:
        raise Problem(
            "forbidden", f"the role {token.role} does not allow this", f"it is for {' and '.join(sorted(roles))}"
        )
    return token


def check_log(known: ServedLogs, token: Token) -> None:
    """Raise Problem if a token was made for another log, which had the name before; raise as the store does."""
    if not token.log:
        return
    with looked_at(known.of(token.encounter)) as log:
        other = log.encounter != token.log
    if other:
        raise Problem("forbidden", "a token of another table", "the encounter of this name is another one now")


def opens(known: ServedLogs, token: Token) -> bool:
    """Return whether a token is of the log that is there now; opening a damaged one is reported."""
    try:
        check_log(known, token)
    except Problem:
        return False
    except StoreError:
        return True
    return True


def still_open(known: ServedLogs, there: Collection[str], tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield an operator's tokens, and those made for the log that has the name of their encounter now."""
    return (one for one in tokens if one.role == "operator" or (one.encounter in there and opens(known, one)))


def check_own(token: Token, facts: Sequence[Fact], *, notes: bool = False) -> None:
    """Raise Problem if a player may not append facts: the table in player_rights.py says which are allowed.

    With `notes`, notes are allowed, too: free ones, and those on a fact here, such as one about its dice.
    """
    if token.role == "gm":
        return
    if not token.writes:
        raise Problem("forbidden", "this token reads only", "the game master can give one that writes")
    for place, fact in enumerate(facts):
        if notes and isinstance(fact, Noted) and _is_new(fact, place):
            continue
        _check_one(token, fact, place)


def _is_new(note: Noted, place: int) -> bool:
    """Return whether a note is about nothing that others wrote."""
    return note.event is None or -place <= note.event < 0


def _check_one(token: Token, fact: Fact, place: int) -> None:
    kind, fields = _kind(fact), structs.asdict(fact)
    if isinstance(fact, CORRECTING):
        raise Problem("forbidden", f"{kind} is for the game master alone", "say what is to be corrected")
    cause = fields.get("cause")
    caused = isinstance(cause, int) and -place <= cause < 0  # by an act that was looked at here
    if not may(fields, kind, token.combatants, caused=caused):
        raise Problem("forbidden", f"{kind} is no act of your combatants", f"yours: {', '.join(token.combatants)}")


def check_joining(token: Token, present: Collection[str], facts: Sequence[Fact]) -> None:
    """Raise Problem if a player lets a combatant join who has joined already, perhaps with other numbers."""
    joined = [fact.combatant for fact in facts if isinstance(fact, CombatantJoined)]
    again = next((who for at, who in enumerate(joined) if who in present or who in joined[:at]), None)
    if again and token.role != "gm":
        raise Problem(
            "forbidden", f"{again} has joined already", "the game master changes a sheet, or lets somebody return"
        )


def reach_others(token: Token, facts: Sequence[Fact]) -> bool:
    """Return whether a player's facts do anything to combatants that are not the player's."""
    return token.role != "gm" and any(reaches(structs.asdict(each), _kind(each), token.combatants) for each in facts)


def _kind(fact: Fact) -> str:
    return str(type(fact).__struct_config__.tag)
