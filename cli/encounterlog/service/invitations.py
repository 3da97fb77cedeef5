"""Invitations: a token, stored beside a log, and the link that opens the log with it."""

from typing import Any

from encounterlog.service import bodies
from encounterlog.service.people import mint
from encounterlog.service.served_logs import identity
from encounterlog.service.tokens import about
from encounterlog.storage.opening_shelves import shelf_of
from encounterlog.written import note_written
from eventstore.errors import NotThere
from eventstore.form import nearest


def invitation(address: str, wanted: dict[str, Any], base: str) -> dict[str, Any]:
    """Store a new token beside a log, and return it with its link."""
    bodies.check_combatants(wanted["role"], wanted["combatants"], writes=wanted["writes"])
    bodies.check_writer(wanted["by"])
    shelf, name = shelf_of(address)
    try:
        store = shelf.store(name)
    except NotThere as error:
        error.hint = nearest(name, shelf.names())
        raise
    store.head()
    own, log = tuple(wanted["combatants"]), identity(store)
    text, token = mint(wanted["role"], name, combatants=own, by=wanted["by"], writes=wanted["writes"], log=log)
    shelf.tokens.add(token)
    note_written()
    link = f"{base.rstrip('/')}/join#{bodies.quoted(name)}:{text}"
    return about(token) | {"token": text, "link": link}
