"""The page of `encounter import`: how far facts and recorded states agree, and where they differ."""

from collections.abc import Iterator

from encounterlog.importers.importing import Difference, Imported, Respect
from encounterlog.text.layout import count, heading, table, wrap
from eventstore.form import visible


def page(done: Imported) -> list[str]:
    """Return the page of an import."""
    if done.same:
        return _copied(done)
    head = f"{visible(done.file)}: {visible(done.title)}, {count(done.records, 'record')}"
    return [
        *wrap(head, "    ", ""),
        *(wrap(visible(done.begins), "    ", "") if done.begins else []),
        "",
        *_compared(done),
        *_part(done.unexplained, "value set right without a cause", _repairs(done), "values set right without a cause"),
        *_part(len(done.problems), "problem", _problems(done)),
        *(["", f"left out: {' and '.join(left_out)}"] if (left_out := list(_left_out(done))) else []),
    ]


def _compared(done: Imported) -> list[str]:
    if not done.states:
        return ["The recording shows no states that the facts could be compared with."]
    return [
        heading(f"The facts against the {count(done.states, 'state')} of the recording"),
        *table(_agreement(done.respects)),
        *_part(len(done.differences), "difference", _differences(done.differences)),
    ]


def _left_out(done: Imported) -> Iterator[str]:
    if done.left_out:
        yield f"{count(done.left_out, 'message')} of people's talk"
    if done.ignored:
        yield f"{count(done.ignored, 'line')} that the mapping ignores"
    if done.after_end:
        yield f"{count(done.after_end, 'row')} after the end of the fight"


def _agreement(respects: tuple[Respect, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the number of states in which each kind of value agreed, and how."""
    yield ("", "agreed", "set right with a cause", "set right without", "differs")
    for one in respects:
        differ = one.states - one.agree
        yield (one.name, str(one.by_itself), str(one.with_cause), str(one.without_cause), str(differ))


def _copied(done: Imported) -> list[str]:
    head = f"{visible(done.file)}: {visible(done.title)}, {count(done.records, 'record')}, byte for byte"
    problems = _part(len(done.problems), "problem", _problems(done)) if done.problems else []
    return [*wrap(head, "    ", ""), f"head {done.head}", *problems]


def _part(number: int, what: str, lines: Iterator[str], several: str = "") -> list[str]:
    several = several or f"{what}s"
    return ["", heading(f"{number:,} {what if number == 1 else several}" if number else f"no {several}"), *lines]


def _differences(found: tuple[Difference, ...]) -> Iterator[str]:
    for one in found:
        says = f"{one.address}: stated {one.stated}, the facts give {one.derived}"
        yield from wrap(visible(says), "      ", f"  line {one.line}: ")
        yield from wrap(visible(one.cause), "      ", "      ") if one.cause else ()


def _repairs(done: Imported) -> Iterator[str]:
    for one in done.repairs:
        if one.cause is None:
            yield from wrap(visible(one.says), "      ", f"  line {one.line}: ")


def _problems(done: Imported) -> Iterator[str]:
    for one in done.problems:
        yield from wrap(visible(one.what), "      ", f"  line {one.line}: ")
