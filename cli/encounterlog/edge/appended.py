"""What is printed of an append: its facts as sentences, what dice come to, the findings that it raised."""

from contextlib import suppress
from typing import TYPE_CHECKING

from encounterlog.edge import output
from encounterlog.writing import new_findings

if TYPE_CHECKING:
    from encounterlog.writing.attempts import Done
    from encounterlog.writing.entering import Came
    from encounterlog.writing.new_findings import New


def report(done: "Done") -> None:
    """Print on standard error the findings that an append raised."""
    say(new_findings.found(done))


def came(what: "Came") -> None:
    """Print what dice of a line come to, and the findings that it raised."""
    output.lines(what.rolled)
    say(what.new)


def say(new: "New") -> None:
    """Print findings on standard error; where nobody reads that, the facts are written nevertheless."""
    if lines := [*new.lines()]:
        with suppress(OSError):
            output.notes(lines)
