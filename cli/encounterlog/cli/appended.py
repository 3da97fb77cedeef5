"""The output of an append: its facts as sentences, the sums of dice, the findings that it raised."""

from contextlib import suppress

from encounterlog.ask.audit import format_headline
from encounterlog.cli import output
from encounterlog.log import write
from encounterlog.log.entering import Came
from encounterlog.log.write import Done, New
from encounterlog.words.layout import count_noun

MOST = 10
"""The number of findings that are printed; the audit has them all."""


def print_findings(done: Done) -> None:
    """Print on standard error the findings that an append raised."""
    print_new_findings(write.new_findings(done))


def print_line_outcome(what: Came) -> None:
    """Print the sums of a line's dice, and the findings that it raised."""
    output.print_lines(what.rolled)
    print_new_findings(what.new)


def print_new_findings(new: New) -> None:
    """Print findings on standard error; if nobody reads that, the facts are written all the same."""
    lines = [line for one in new.findings[:MOST] for line in format_headline(one)]
    if len(new.findings) > MOST:
        lines.append(f"and {count_noun(len(new.findings) - MOST, 'finding')} more: encounter audit FILE")
    if new.problem:
        lines.append(f"the findings could not be determined: {new.problem}; encounter audit FILE")
    if lines:
        with suppress(OSError):
            output.print_notes(lines)
