"""Answers about a log: as data, and in the words of the commands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from encounterlog.edge import given
from encounterlog.edge.given import Event, Point
from eventstore.brief import brief
from eventstore.record import Draft, Recorded, upcast

if TYPE_CHECKING:
    from encounterlog.reading.asking import Answer
    from projections.explaining.blame import Blame
    from projections.explaining.forks import Differences

Data = TypeVar("Data")


class Said(Generic[Data]):
    """An answer: `data`, and `str()` in words, as the command of the same name prints it."""

    def __init__(self, data: Data, lines: Sequence[str]) -> None:
        self.data, self._lines = data, tuple(lines)

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def __repr__(self) -> str:
        return brief(self, " ".join(" ".join(self._lines).split()))


def why(records: Iterable[Recorded], question: str, at: Point) -> "Said[tuple[Answer, ...]]":
    """Return the answers to a question; raise Malformed where it is none, or about something that is not there."""
    from encounterlog.pages import why as page
    from encounterlog.reading import asking
    from projections.explaining.past import Past

    given.check_type("question", question, str, "text", 'such as "ada.hp", or "ada before bo"')
    with given.malformed("question"):
        words, point = asking.split_point(question.split())
        past = Past(list(records), given.where(at) or point)
        found = asking.answers(past, words, thorough=False)
    return Said(tuple(found), page.lines(found, past.state, every=False, short=asking.is_short(found)))


def blame(records: Iterable[Recorded], address: str, at: Point) -> "Said[Blame]":
    """Return every fact that touched a value; raise Malformed if it never had one."""
    from encounterlog.pages import blame as page
    from encounterlog.reading import addressing
    from projections.explaining.blame import blame as history

    given.check_type("address", address, str, "text", 'such as "ada.hp"')
    kept, point = list(records), given.where(at)
    with given.malformed("address"):
        found, done = history(kept, address, point)
        if found is None and (meant := addressing.address_of(done.state, address)) != address:
            found, done = history(kept, meant, point)
        if found is None:
            raise addressing.unknown(done.state, address)
    return Said(found, page.page(found, done.state))


def whatif(
    records: Iterable[Recorded],
    corrections: Iterable[Event],
    options: Mapping[str, str] | None,
    at: Point,
) -> "Said[Differences]":
    """Return what would be different with these corrections, or with other readings of options; raise Malformed."""
    from encounterlog.pages import difference as page
    from projections.explaining.forks import Account, Fork, differences, forked
    from projections.folds.replay import replay

    kept, point = list(records), given.where(at)
    done = replay(kept)
    drafts: tuple[Draft, ...] = given.drafts_of(list(corrections))
    given.check(done, drafts)
    fork = Fork(tuple(upcast(draft.event) for draft in drafts), given.options_of(done.state.rules, options))
    start = fork.start(kept)
    told = Account(kept, point, start)
    other = Account(forked(told.records, fork), point, start)
    found = differences(told, other, start)
    return Said(found, page.page(found, told, other, ("as it is", "what if")))
