"""Exporters: each turns a verified copy of a log into bytes.

To add one, write its module here with a function `write` that takes a `Copy` (eventstore/copying.py), whose records can be
read repeatedly, and yields bytes; and add a row below.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from eventstore.copying import Copy


class Row(NamedTuple):
    """An exporter: its module, and what it writes."""

    module: str
    says: str


EXPORTERS = {
    "jsonl": Row("encounterlog.exporters.jsonl", "the log itself, byte for byte but for what is withheld"),
    "script": Row(
        "encounterlog.exporters.script", "an encounter script (.enc) in the table grammar, which encounter run reads"
    ),
}
"""Every exporter by the name of the format that it writes."""


def exporter(name: str) -> Callable[["Copy"], Iterable[bytes]]:
    """Import one exporter and return the function that writes a log."""
    write: Callable[[Copy], Iterable[bytes]] = import_module(EXPORTERS[name].module).write
    return write
