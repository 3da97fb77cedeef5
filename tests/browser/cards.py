"""What the tests of cards share with others."""

from collections.abc import Callable
from typing import Any

from tests.browser.person import Person
from tests.browser.support import tells
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import opened

Joins = Callable[..., Person]
INPUTS = """() => {
  window.inputs = 0;
  const count = (event) => { if (event.isTrusted && (event.type !== 'click' || event.detail)) window.inputs += 1; };
  for (const kind of ['click', 'keydown']) addEventListener(kind, count, true);
}"""
"""Counts clicks and keys from now on."""
BEGINNING = (
    "join Ana party hp=31 ac=12",
    "join Bo party hp=24 ac=13",
    "join goblin*2 foes",
    "r",
    "i goblin-1=20 ana=15 bo=9 goblin-2=3",
    "next",
)


def begins(server: Served, ruleset: str, *lines: str) -> None:
    """Begin the encounter again, in another game, and tell it these lines."""
    log = server.folder / f"{server.name}.jsonl"
    log.unlink()
    opened(log, ruleset, "The mill")
    tells(server, *lines)


def events(server: Served, *kinds: type) -> list[Any]:
    return [each.event for each in server.shelf.store(server.name).read() if isinstance(each.event, kinds)]


def master(joins: Joins, server: Served, *lines: str) -> Person:
    """Return a game master of 5e, who opens the page once these lines have been told."""
    begins(server, "5e", *lines)
    return joins("gm", by="gm", how={"viewport": {"width": 1280, "height": 800}})
