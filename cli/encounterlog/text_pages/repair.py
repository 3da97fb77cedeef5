"""The page of `encounter repair`: the fault, the part that is kept, the part that is set aside, and the log's note on it."""

from collections.abc import Iterator, Sequence

from encounterlog.core.repairing import Aside, Repaired
from encounterlog.text.facts import record_in_words
from encounterlog.text.layout import clip, count, numbers, wrap
from eventstore.record import Recorded
from eventstore.store import Problem


def page(found: Repaired, lost: Sequence[Recorded]) -> list[str]:
    """Return the page of a repair, done or only planned."""
    if found.problem is None or found.aside is None:
        return [*wrap(f"{found.file}: nothing to repair"), f"{count(found.records, 'record')}, up to {found.kept}"]
    would = "" if found.done else "would be "
    return [
        *wrap(_where(found.file, found.problem), "    ", ""),
        f"{would}kept: {count(found.records, 'record')}, up to {found.kept}",
        *(wrap(f"{would}corrected: {', '.join(found.mended)}", "    ", "") if found.mended else []),
        *wrap(f"{would}set aside: {_what(found, found.aside)}, into {found.aside.file}", "    ", ""),
        *_whole(found.whole, lost),
        *wrap(f"{would}noted: {found.note}", "    ", ""),
        f"the log ends now at {found.head}" if found.done else "nothing was changed",
    ]


def _where(file: str, problem: Problem) -> str:
    return f"{file}, line {problem.line} (byte {problem.offset}): {problem.why}"


def _what(found: Repaired, aside: Aside) -> str:
    size = f"{aside.bytes:,} byte{'s' if aside.bytes != 1 else ''}"
    return f"the file as it was, {size}" if found.mended else f"the rest, {size}"


def _whole(lines: Sequence[int], lost: Sequence[Recorded]) -> Iterator[str]:
    """Yield the lines of the rest that are whole records, and the first of them in words."""
    if not lines:
        return
    verb = "is a whole record" if len(lines) == 1 else "are whole records"
    yield clip(f"of the rest, {count(len(lines), 'line')} {verb}: {numbers(lines)}")
    for line, record in zip(lines, lost, strict=False):
        yield clip(f"{line:>5}  {record.by}: {record_in_words(record)}")
    if len(lines) > len(lost):
        yield f"       … and {len(lines) - len(lost):,} more"
