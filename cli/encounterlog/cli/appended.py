"""The output of an append: its facts as sentences, the sums of dice, the findings that it raised."""

from contextlib import suppress

from encounterlog.ask.audit import format_headline
from encounterlog.cli import output
from encounterlog.log.entering import TypedLine, sums_of_dice
from encounterlog.log.folded_log import Done, New, new_findings
from encounterlog.words.layout import count_noun

MOST = 10  # the number of findings that are printed; the audit has them all


def print_outcome(written: TypedLine, done: Done) -> New:
    """Print the facts of a line as sentences, the sums of its dice, and the findings that it raised; return these."""
    output.print_lines([*written.lines(), *done.says, *sums_of_dice(done)])
    new = new_findings(done)
    print_findings(new)
    return new


def print_findings(new: New) -> None:
    """Print findings on standard error; if nobody reads that, the facts are written all the same."""
    lines = [line for one in new.findings[:MOST] for line in format_headline(one)]
    if len(new.findings) > MOST:
        lines.append(f"and {count_noun(len(new.findings) - MOST, 'finding')} more: encounter audit FILE")
    if new.problem:
        lines.append(f"the findings could not be determined: {new.problem}; encounter audit FILE")
    if lines:
        with suppress(OSError):
            output.print_notes(lines)
