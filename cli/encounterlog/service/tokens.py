"""The endpoints about tokens, and the list of the encounters that they open."""

from typing import Any

from encounterlog.service import bodies
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.people import mint, still_open
from encounterlog.service.problems import Problem
from encounterlog.service.served_logs import looked_at
from encounterlog.service.writing import link
from encounterlog.storage.clock import now
from encounterlog.storage.shelves import Token

NO_CONTENT = 204


def invite(call: Call) -> Reply:
    """Make a token for this encounter; its text and link are shown only here."""
    wanted = bodies.invitation_of(call.body)
    with looked_at(call.service.logs.of(call.name)) as known:
        log = known.encounter
    own = tuple(wanted.combatants)
    text, token = mint(wanted.role, call.name, combatants=own, by=wanted.by, writes=wanted.writes, log=log)
    call.service.shelf.tokens.add(token)
    there = link(call, text, call.name)
    reply = document(about(token) | {"token": text, "link": there, "qr": qr_code(there)}, 201)
    reply.headers["location"] = f"/v1/encounters/{bodies.quoted(call.name)}/tokens/{token.id}"
    return reply


def qr_code(text: str) -> list[str]:
    """Return the rows of a QR code as 0 and 1; none where segno is not installed."""
    try:
        import segno
    except ImportError:
        return []
    return ["".join("1" if dark else "0" for dark in row) for row in segno.make(text, micro=False).matrix]


def listed(call: Call) -> Reply:
    """List the tokens of this encounter, without their texts."""
    return document({"tokens": [about(one) for one in call.service.shelf.tokens.all() if one.encounter == call.name]})


def revoke(call: Call) -> Reply:
    """Revoke a token: its streams end at once in this process, and within two seconds in others."""
    wanted = call.path["id"]
    own = any(one.id == wanted and one.encounter == call.name for one in call.service.shelf.tokens.all())
    if not own or call.service.shelf.tokens.revoke(wanted, now()) is None:
        raise Problem("not-found", "this encounter has no such token")
    call.service.streams.revoked(frozenset({wanted}))
    return Reply(NO_CONTENT)


def about(token: Token) -> dict[str, Any]:
    """Return the public fields of a token."""
    shown = {"id": token.id, "role": token.role, "combatants": token.combatants, "by": token.by, "writes": token.writes}
    return shown | {"at": token.at, "revoked": token.revoked or None}


def encounters(call: Call) -> Reply:
    """List the encounters that the request's tokens open, each with the role that it has there."""
    there = call.service.shelf.names()
    found: dict[str, dict[str, Any]] = {}
    for token in still_open(call.service.logs, there, call.tokens):
        for name in there if token.role == "operator" else (token.encounter,):
            found[name] = {"name": name, "role": token.role, "combatants": token.combatants}
    return document({"encounters": [found[name] for name in sorted(found)]})
