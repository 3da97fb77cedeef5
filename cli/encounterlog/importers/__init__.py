"""Readers of other programs' records: each turns a source into facts of the vocabulary.

To add one: write its module here with a function `tell` from a path to a `Telling` (telling.py), and a row below. Only a
source that is a log itself is no telling but a `Copy`.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from encounterlog.importers.telling import Telling

if TYPE_CHECKING:
    from eventstore.copying import Copy


class Row(NamedTuple):
    """Names an importer's module, and says what it reads."""

    module: str
    says: str


IMPORTERS = {
    "fireball": Row(
        "encounterlog.importers.fireball",
        "FIREBALL recordings of combats run by the Avrae bot (JSON lines, also gzipped)",
    ),
    "jsonl": Row(
        "encounterlog.importers.jsonl",
        "another log, or - for standard input: the same log under a new name, verified, byte for byte",
    ),
}
"""Every importer by the name of the format that it reads."""


def importer(name: str) -> Callable[[Path], "Telling | Copy"]:
    """Import one importer and return the function that tells a source."""
    tell: Callable[[Path], Telling | Copy] = import_module(IMPORTERS[name].module).tell
    return tell
