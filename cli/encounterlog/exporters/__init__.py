"""Exporters: each turns a session, read from a verified log, into bytes in some format.

To add one, write its module here with a function `write` that takes a `Session` (session.py) and yields bytes, and add a
row below; one of another distribution has its row, an `Exporter`, as an entry point of the group
`encounterlog.exporters`. The bytes name `session.head`, where `encounter verify --export` (exporting.py) finds it again: in
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
    `needs_file` says that it cannot go to standard output; `beside`, that the head is in a file OUT.head. `write` names the function
    of its module.
    """

    module: str
    says: str
    form: Form
    options: frozenset[str] = frozenset()
    needs_file: bool = False
    beside: bool = False
    write: str = "write"


_ROUNDS, _TABLES, _PAGE = frozenset({ROUND}), frozenset({ROUND, TABLE}), frozenset({ROUND, ZONE, STATEMENTS})
_OWN = {
    "markdown": Exporter("encounterlog.exporters.markdown", "a page by rounds and turns, in the skeleton of Obsidian's initiative tracker, with a block id for each fact", "text", _PAGE),
    "discord": Exporter("encounterlog.exporters.discord", "messages of at most 2,000 characters, cut between turns, with a line ----- between two of them", "text", _PAGE),
    "csv": Exporter("encounterlog.exporters.tables", "a table of facts, or of rounds and combatants; the head goes into OUT.head", "text", _TABLES, beside=True, write="write_csv"),
    "parquet": Exporter("encounterlog.exporters.tables", "the same tables, typed, for DuckDB, pandas and the like; needs the extra tables", "binary", _TABLES, needs_file=True, write="write_parquet"),
    "json": Exporter("encounterlog.exporters.json", "every view in one document", "json", _ROUNDS),
    "foundry": Exporter("encounterlog.exporters.foundry", "the documents of a combat and of its chat messages for Foundry VTT", "json", _ROUNDS),
    "jsonl": Exporter("encounterlog.exporters.json", "the log itself, byte for byte, without withheld payloads", "json", write="write_log"),
    "script": Exporter("encounterlog.exporters.script", "an encounter script (.enc) in notation, which encounter run reads", "text"),
    "html": Exporter("encounterlog.exporters.html", "one page for the browser, without a network: the facts, a picture of each round, the state at every event", "text"),
    "svg": Exporter("encounterlog.exporters.svg", "the picture of a round, a lane for each combatant", "text", _ROUNDS),
}  # fmt: skip
EXPORTERS = Formats("encounterlog.exporters", Exporter, _OWN)
"""Every exporter by the name of the format that it writes; those of other distributions by the entry points of this group."""


def load_exporter(name: str) -> Callable[["Session"], Iterable[bytes]]:
    """Import one exporter and return the function that writes a session."""
    row = EXPORTERS[name]
    write: Callable[[Session], Iterable[bytes]] = getattr(import_module(row.module), row.write)
    return write
