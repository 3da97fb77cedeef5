"""`encounter add FILE WORDS…` and `encounter show FILE` without click: the line for each blow should not wait for an
option parser.

A command line with an option before FILE, and any other unusual one, is left to click.
"""

import os
from collections.abc import Mapping, Sequence

from encounterlog.terminal import ending

SPEAKING_TO_CLICK = ("ENCOUNTER_BY", "_ENCOUNTER_COMPLETE")
"""The variables of the environment that click reads: the default of --by, and a shell that asks for completions."""


def is_direct(args: Sequence[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a command line is one of these, without an option; on Windows, click expands wildcards."""
    match args:
        case ["add", file, _, *_] | ["show", file] if os.name != "nt":
            return not file.startswith("-") and not any(map(environment.get, SPEAKING_TO_CLICK))
    return False


def run(args: Sequence[str]) -> None:
    """Run such a command line and exit with its code."""
    command, file, *words = args
    adds = command == "add"
    ending.run(lambda: ending.stoppable(lambda: _add(file, words) if adds else _ask(command, file)), lambda: adds)


def _add(file: str, words: Sequence[str]) -> int:
    from encounterlog.storage.stores import address
    from encounterlog.terminal.adding import add

    return add(address(file), words)


def _ask(name: str, file: str) -> int:
    from encounterlog.terminal.plain_question import answered

    return answered(name, file)
