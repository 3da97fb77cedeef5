"""`encounter verify`: check a log line by line."""

from pathlib import Path
from typing import Any

import click
from msgspec import structs

from encounterlog import options
from eventstore.chain import Anchor
from eventstore.store import Problem, Verified

SAYS = {
    "matches": "the anchor matches: nothing before it was changed",
    "cut off": "the anchor lies beyond the end: records were cut off after it was taken",
    "rewritten": "another hash stands at the anchor: the log was rewritten, or it is another log",
    "not reached": "the anchor lies behind the fault",
}
"""How a log stands to an anchor, in words."""


@click.command()
@options.file
@click.option("--anchor", type=options.Anchored(), help="What encounter head printed earlier, kept elsewhere.")
@options.as_json
def command(file: Path, anchor: Anchor | None, as_json: bool) -> int:
    """Check every line of the log FILE: form, digests, the chain from each record to the next.

    A chain alone does not show that its tail was cut off; an --anchor does. The exit code is 3 where the log is not
    whole, 1 where it is but contradicts the anchor.
    """
    from encounterlog import output, text
    from encounterlog.stores import open_store

    found = open_store(file).verify(anchor)
    if as_json:
        output.json(_json(found))
    else:
        figures = f"{text.count(found.records, 'record')} in {text.count(found.batches, 'append')}"
        output.lines([f"good up to the fault: {figures}" if found.problem else figures, *_notes(found)])
    return _code(file, found)


def _notes(found: Verified) -> list[str]:
    from encounterlog.text import clip, numbers

    lines = [f"head {found.head}"] if found.head else []
    lines += [clip(f"withheld: {numbers(found.withheld)}")] if found.withheld else []
    lines += [clip(f"of unknown type: {numbers(found.unknown)}")] if found.unknown else []
    lines += [SAYS[found.anchor]] if found.anchor in SAYS else []
    return lines if found.problem else [*lines, *([] if not found.sound else ["sound"])]


def _code(file: Path, found: Verified) -> int:
    from encounterlog import failures
    from eventstore.errors import CorruptLog

    if found.problem:
        one = found.problem
        return failures.say(failures.failure_of(CorruptLog(file, one.line, one.offset, one.why, one.hint)))
    return failures.FINE if found.sound else failures.DIFFERENCE


def _json(found: Verified) -> dict[str, Any]:
    problem: Problem | None = found.problem
    value: dict[str, Any] = structs.asdict(found)
    value["head"] = str(found.head) if found.head else None
    value["problem"] = structs.asdict(problem) if problem else None
    return value | {"sound": found.sound}
