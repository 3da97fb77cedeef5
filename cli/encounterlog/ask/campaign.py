"""A folder of logs, as `encounter list` shows it."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct

from encounterlog.errors import Refused, nameless_fault
from encounterlog.log.logs import LogView, replay_log
from encounterlog.places.shelves import folder_files
from encounterlog.places.stores import open_place
from encounterlog.words.layout import count_noun, name, table, wrap
from eventstore.address import LogAddress, name_of
from eventstore.errors import NotALog, StoreError


class Found(Struct, frozen=True):
    """A log in a folder; if it has a problem, the numbers are those of the part that can be read."""

    file: str
    title: str
    ruleset: str
    records: int
    rounds: int
    problem: str | None = None


class Other(Struct, frozen=True):
    """A file, or what a database holds under a name, that is not a log, and why."""

    file: str
    why: str


class Campaign(Struct, frozen=True):
    """The contents of a folder: logs, .jsonl files that are not logs, and the number of other files, which are ignored."""

    logs: tuple[Found, ...]
    others: tuple[Other, ...]
    ignored: int


def list_logs(folder: LogAddress, each: Callable[[Sequence[Any]], Iterable[Any]] = iter) -> Campaign:
    """Return the logs of a folder or a database; `each` goes through them, and may show how far it is."""
    if isinstance(folder, str):
        files = folder_files(Path(folder))
        names: Sequence[LogAddress] = [str(file) for file in files if file.suffix == ".jsonl"]
        ignored = len(files) - len(names)
    else:
        names, ignored = open_place(folder), 0
    logs, others = list[Found](), list[Other]()
    for file in each(names):
        try:
            done = replay_log(LogView(file))
        except NotALog as error:
            others.append(Other(name_of(file), error.why))
        except (StoreError, Refused) as error:
            logs.append(Found(name_of(file), "?", "?", 0, 0, _describe_problem(error)))
        else:
            state, problem = done.state, _describe_problem(done.problem) if done.problem else None
            at = done.records, state.clock.point.round
            logs.append(Found(name_of(file), state.title, state.rules.key, *at, problem))
    return Campaign(tuple(logs), tuple(others), ignored)


def format_campaign(found: Campaign) -> list[str]:
    """Return the list for people."""
    rows = []
    for one in found.logs:
        rounds = count_noun(one.rounds, "round") + (" (not whole)" if one.problem else "")
        rows.append((name(one.file, 36), name(one.title, 30), one.ruleset, count_noun(one.records, "record"), rounds))
    says = [f"{one.file}: {one.problem}" for one in found.logs if one.problem]
    says += [f"{other.file}: not a log: {other.why}" for other in found.others]
    ignored = [f"{count_noun(found.ignored, 'other file')} ignored"] if found.ignored else []
    below = chain.from_iterable(wrap(each, "    ") for each in says)
    return [*(table(rows, "") or ["no logs here"]), *below, *ignored]


def _describe_problem(problem: Exception) -> str:
    return nameless_fault(problem) if isinstance(problem, StoreError) else str(problem)
