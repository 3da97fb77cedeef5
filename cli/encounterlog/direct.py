"""`encounter add FILE WORDS…` without click: what a table types for each blow should not wait for what finds no option in it.

A command line with an option before FILE, and whatever else is unusual, is left to click.
"""

import os
from collections.abc import Mapping, Sequence

from encounterlog.edge import ending

SPEAKING_TO_CLICK = ("ENCOUNTER_BY", "_ENCOUNTER_COMPLETE")
"""The variables of the environment that click reads: the default of --by, and a shell that asks for completions."""


def is_direct(args: Sequence[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a command line is `add FILE WORDS…` as it stands, without an option; on Windows click has wildcards to expand."""
    match args:
        case ["add", file, _, *_] if os.name != "nt":
            return not file.startswith("-") and not any(map(environment.get, SPEAKING_TO_CLICK))
    return False


def run(args: Sequence[str]) -> None:
    """Run such a command line and exit with its code."""
    _, file, *words = args
    ending.run(lambda: ending.stoppable(lambda: _add(file, words)), lambda: True)


def _add(file: str, words: Sequence[str]) -> int:
    from encounterlog.edge.stores import address
    from encounterlog.writing.adding import add

    return add(address(file), words)
