"""Readers of other programs' records: each turns a source into facts of the vocabulary.

To add one: write its module here with a function `tell` from a path to a `Telling` (telling.py), and a row below.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from encounterlog.importers.telling import Telling


class Row(NamedTuple):
    """Names an importer's module, and says what it reads."""

    module: str
    says: str


IMPORTERS = {
    "fireball": Row(
        "encounterlog.importers.fireball",
        "FIREBALL recordings of combats run by the Avrae bot (JSON lines, also gzipped)",
    ),
}
"""Every importer by the name of the format that it reads."""


def importer(name: str) -> Callable[[Path], Telling]:
    """Import one importer and return the function that tells a source."""
    tell: Callable[[Path], Telling] = import_module(IMPORTERS[name].module).tell
    return tell
