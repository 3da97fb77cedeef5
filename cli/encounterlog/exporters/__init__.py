"""Exporters: each turns a session, read from a verified log, into bytes in some format.

To add one, write its module here with a function `write` that takes a `Session` (session.py) and yields bytes, and add a
row below; one of another distribution has its row, an `Exporter`, as an entry point of the group
`encounterlog.exporters`. The bytes name `session.head`, where `encounter verify --export` (heads.py) finds it again: in
the first element of the head of an HTML page, `<meta name="encounterlog-head" content="SEQ:HASH">`; in SVG, in the
first element, `<metadata>head SEQ:HASH</metadata>`.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

from encounterlog.installed import Formats

if TYPE_CHECKING:
    from encounterlog.exporters.session import Session

Form = Literal["json", "text", "binary"]
"""The form of the bytes: a terminal gets JSON and text with escapes for invisible characters, and nothing binary."""

ROUND, TABLE, ZONE, STATEMENTS = "--round", "--table", "--tz", "--statements"


class Exporter(NamedTuple):
    """An exporter: its module, its output, the form of that, and the options that it takes in addition to those of all.
    `needs_file` says that it cannot go to standard output; `beside`, that the head is in a file OUT.head.
    """

    module: str
    says: str
    form: Form
    options: frozenset[str] = frozenset()
    needs_file: bool = False
    beside: bool = False


_PAGE = frozenset({ROUND, ZONE, STATEMENTS})


def _own_exporter(
    name: str, says: str, form: Form, options: frozenset[str] = frozenset({ROUND}), **more: bool
) -> Exporter:
    return Exporter(f"{__name__}.{name}", says, form, options, **more)


_OWN = {
    "markdown": _own_exporter("markdown", "a page by rounds and turns, in the skeleton of Obsidian's initiative tracker, with a block id for each fact", "text", _PAGE),
    "discord": _own_exporter("discord", "messages of at most 2,000 characters, cut between turns, with a line ----- between two of them", "text", _PAGE),
    "csv": _own_exporter("csv", "a table of facts, or of rounds and combatants; the head goes into OUT.head", "text", frozenset({ROUND, TABLE}), beside=True),
    "parquet": _own_exporter("parquet", "the same tables, typed, for DuckDB, pandas and the like; needs the extra tables", "binary", frozenset({ROUND, TABLE}), needs_file=True),
    "json": _own_exporter("json", "every view in one document", "json"),
    "foundry": _own_exporter("foundry", "the documents of a combat and of its chat messages for Foundry VTT", "json"),
    "jsonl": _own_exporter("jsonl", "the log itself, byte for byte, without withheld payloads", "json", frozenset()),
    "script": _own_exporter("script", "an encounter script (.enc) in notation, which encounter run reads", "text", frozenset()),
    "html": _own_exporter("html", "one page for the browser, without a network: the facts, a picture of each round, the state at every event", "text", frozenset()),
    "svg": _own_exporter("svg", "the picture of a round, a lane for each combatant", "text"),
}  # fmt: skip
EXPORTERS = Formats("encounterlog.exporters", Exporter, _OWN)
"""Every exporter by the name of the format that it writes; those of other distributions by the entry points of this group."""


def load_exporter(name: str) -> Callable[["Session"], Iterable[bytes]]:
    """Import one exporter and return the function that writes a session."""
    write: Callable[[Session], Iterable[bytes]] = import_module(EXPORTERS[name].module).write
    return write
