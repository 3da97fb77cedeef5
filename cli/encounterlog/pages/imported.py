"""The page of `encounter import`: how far facts and recorded states agree, and where they do not."""

from collections.abc import Iterator

from encounterlog.wording.layout import count, heading, table, wrap
from encounterlog.writing.importing import Difference, Imported, Respect
from eventstore.form import visible


def page(done: Imported) -> list[str]:
    """Return the page of an import."""
    if done.same:
        return _copied(done)
    head = f"{visible(done.file)}: {visible(done.title)}, {count(done.records, 'record')}"
    return [
        *wrap(head, "    ", ""),
        "",
        heading(f"{_facts(done)} against the {count(done.states, 'state')} of the recording"),
        *table((one.name, f"agrees in {one.agree} of {one.states}{_stated(one)}") for one in done.respects),
        *_part(len(done.differences), "difference", _differences(done.differences)),
        *_part(done.unexplained, "unexplained change", _rulings(done)),
        *_part(len(done.problems), "problem", _problems(done)),
        *(["", f"left out: {count(done.left_out, 'message')} of people's talk"] if done.left_out else []),
    ]


def _copied(done: Imported) -> list[str]:
    head = f"{visible(done.file)}: {visible(done.title)}, {count(done.records, 'record')}, byte for byte"
    problems = _part(len(done.problems), "problem", _problems(done)) if done.problems else []
    return [*wrap(head, "    ", ""), f"head {done.head}", *problems]


def _facts(done: Imported) -> str:
    """Say what is compared: the facts alone, or helped along by rulings."""
    if not done.unexplained:
        return "The facts"
    return f"The facts, and {count(done.unexplained, 'ruling')} for what no row explains,"


def _stated(one: Respect) -> str:
    return f" (stated in {one.stated})" if one.stated != one.states else ""


def _part(number: int, what: str, lines: Iterator[str]) -> list[str]:
    return ["", heading(count(number, what) if number else f"no {what}s"), *lines]


def _differences(found: tuple[Difference, ...]) -> Iterator[str]:
    for one in found:
        says = f"{one.address}: stated {one.stated}, the facts come to {one.derived}"
        yield from wrap(visible(says), "      ", f"  line {one.line}: ")
        yield from wrap(visible(one.cause), "      ", "      ") if one.cause else ()


def _rulings(done: Imported) -> Iterator[str]:
    for one in done.rulings:
        yield from wrap(visible(one.decision), "      ", f"  line {one.line}: ")


def _problems(done: Imported) -> Iterator[str]:
    for one in done.problems:
        yield from wrap(visible(one.what), "      ", f"  line {one.line}: ")
