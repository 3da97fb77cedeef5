"""The output of an append: its facts as sentences, the sums of dice, the findings that it raised."""

from collections.abc import Iterator
from contextlib import suppress

from encounterlog.ask.audit import headline
from encounterlog.cli import output
from encounterlog.log import write
from encounterlog.log.entering import Came
from encounterlog.log.write import Done, New
from encounterlog.words.layout import count

MOST = 10
"""The number of findings that are printed; the audit has them all."""


def report(done: Done) -> None:
    """Print on standard error the findings that an append raised."""
    say(write.new_findings(done))


def came(what: Came) -> None:
    """Print the sums of a line's dice, and the findings that it raised."""
    output.lines(what.rolled)
    say(what.new)


def say(new: New) -> None:
    """Print findings on standard error; if nobody reads that, the facts are written all the same."""
    if lines := [*_lines(new)]:
        with suppress(OSError):
            output.notes(lines)


def _lines(new: New) -> Iterator[str]:
    """Yield the lines about findings."""
    if new.findings:
        for one in new.findings[:MOST]:
            yield from headline(one)
        if len(new.findings) > MOST:
            yield f"and {count(len(new.findings) - MOST, 'finding')} more: encounter audit FILE"
    if new.problem:
        yield f"the findings could not be determined: {new.problem}; encounter audit FILE"
