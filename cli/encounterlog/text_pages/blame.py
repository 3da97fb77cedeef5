"""The page of `encounter blame`: every fact that touched a value, with its running values, who wrote it, and the dice."""

from collections.abc import Iterator

from encounterlog.text.facts import sentence
from encounterlog.text.layout import HANG, alarm, fill, heading, joined, wrap
from encounterlog.text.naming import voice
from encounterlog.text.values import Name, worded
from projections.explaining.blame import Blame, Touch
from projections.state import State

MOST_CAUSES = 4
"""The most acts and rolls that are named for a fact."""


def page(found: Blame, state: State) -> list[str]:
    """Return the page: the present value, then a block for each fact that touched it."""
    name = voice(state)

    now = "gone" if found.value is None else worded(found.value, name)
    lines = [joined([heading(found.address), f" is {now}"])]
    for each in found.touches:
        lines += _block(each, name)
    return lines


def _block(each: Touch, name: Name) -> Iterator[str]:
    corrections = [alarm(words)] if (words := became(each)) else []
    yield from fill([touched(each, name), *corrections], f"{each.seq:>5}  ", HANG)
    yield from wrap(sentence(each.event, name), f"{HANG}   ", f"{HANG} ")
    for cause in each.causes[-MOST_CAUSES:]:
        yield from wrap(f"from {cause.seq}: {sentence(cause.event, name)}", f"{HANG}      ", f"{HANG}   ")
    for roll in each.nearby:
        yield from wrap(f"rolled nearby, {roll.seq}: {sentence(roll.event, name)}", f"{HANG}      ", f"{HANG}   ")
    if each.implied or each.uncaused:
        yield f"{HANG}   {'this cause is implied' if each.implied else 'no cause was recorded'}"


def touched(each: Touch, name: Name) -> str:
    """Return a fact's effect on a value, with its writer."""
    by = f" by {each.by}" if each.by else ""
    line = f", line {each.line}" if each.line != each.seq and not each.became else ""
    source = f", from {each.source} of the source" if each.source else ""
    return f"{_change(each, name)}{by}{line}{source}"


def became(each: Touch) -> str:
    """Return which corrections struck or amended a fact, if any."""
    if not each.became:
        return ""
    before = f"amended by {each.line}, " if each.line != each.seq else ""
    return f"{before}{each.became} by {each.by_record}"


def _change(each: Touch, name: Name) -> str:
    """Return the value before and after; one that stays as it is is confirmed."""
    before, after = ("none" if one is None else worded(one, name) for one in (each.before, each.after))
    if each.before == each.after:
        return f"still {after}"
    return after if each.before is None else f"{before} -> {after}"
