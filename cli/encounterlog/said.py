"""Answers about a log: as data, and in the words of the commands."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Generic, TypeVar

from encounterlog.ask import question_named
from encounterlog.ask.compare import fork_differences
from encounterlog.ask.question import Answer, Kind
from encounterlog.log import arguments
from encounterlog.log.arguments import Event, Point
from encounterlog.log.logs import LogView
from eventstore.record import Recorded, upcast
from eventstore.wording import short_repr
from projections.explaining.forks import Fork
from projections.replay.replay import replay

Data = TypeVar("Data")
Other = TypeVar("Other")


class Said(Generic[Data]):
    """An answer:

    `data`, and `str()` for its words, as the command of the same name prints them; they are made on demand.
    """

    def __init__(self, data: Data, lines: Callable[[], Iterable[str]]) -> None:
        self.data, self._lines = data, cache(lambda: "\n".join(lines()))

    def with_data(self, data: Other) -> "Said[Other]":
        """Return other data in the same words."""
        return Said(data, lambda: (str(self),))

    def __str__(self) -> str:
        return self._lines()

    def __repr__(self) -> str:
        return short_repr(self, " ".join(str(self).split()))


def answer(name: str, records: Iterable[Recorded], /, **fields: Any) -> Said[Any]:
    """Return the answer to a question about records; raise Malformed if its command would fail, and the errors of reading."""
    asked = question_named(name)
    for each in asked.arguments:
        if each.needed and each.kind in (Kind.TEXT, Kind.WORDS):
            arguments.check_type(each.field, fields[each.field], str, "text", each.says)
    with arguments.raise_as_malformed(asked.arguments[0].field):
        return _make_said(asked.ask(LogView("the log", source=list(records)), **fields))


def whatif(
    records: Iterable[Recorded], corrections: Iterable[Event], options: Mapping[str, str] | None, at: Point
) -> Said[Any]:
    """Return the differences with these corrections, or with other readings of options; raise Malformed."""
    kept, drafts = list(records), arguments.make_drafts(list(corrections))
    done = replay(kept)
    arguments.check_facts(done, drafts)
    fork = Fork(tuple(upcast(draft.event) for draft in drafts), arguments.check_options(done.state.rules, options))
    return _make_said(fork_differences(LogView("the log", source=kept), fork, arguments.parse_point(at)))


def _make_said(found: Answer) -> Said[Any]:
    return Said(found.data(), found.lines)
