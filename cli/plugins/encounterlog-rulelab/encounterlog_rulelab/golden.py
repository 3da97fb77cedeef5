"""Golden pages in files: a folder holds a file for each script, which is rewritten and compared with what it was."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from encounterlog.errors import Refused
from encounterlog.places.replacing import check_ours, write_text
from eventstore.events import name_of
from eventstore.wording import visible
from projections.because import Because, Reason
from projections.fight import TimelineRow
from projections.folds.addresses import all_addresses, value_as_text, value_of
from projections.folds.budget import amounts_left
from projections.folds.order import order_of, round_rows
from projections.judging.audit import audit
from projections.proving.enc import KINDS
from projections.proving.plays import Play
from projections.proving.proof import records_of, row_of
from projections.state import State
from projections.views.steps import Step, steps

Place = tuple[str, int]
"""The script and the line of a play."""


def title_plays(plays: Collection[Play]) -> dict[Place, str]:
    """Return the title of each play on its page: the clause that it proves, and its number among the plays with that name."""
    same: dict[tuple[str, str], list[int]] = {}
    for play in plays:
        same.setdefault((play.source, play.title), []).append(play.line)
    return {
        (source, line): title if len(lines) < 2 else f"{title} ({number})"
        for (source, title), lines in same.items()
        for number, line in enumerate(lines, 1)
    }


def page_of_play(play: Play, title: str) -> str:
    """Return the page of a play."""
    return "\n".join([f"== {title}", *_play_lines(play), ""])


def pages_by_file(plays: Collection[Play]) -> dict[str, str]:
    """Return the pages of plays as texts, by the names of the files in which they are kept: one for each script."""
    named, texts = title_plays(plays), dict[str, str]()
    for play in plays:
        name = file_name(play.source)
        texts[name] = texts.get(name, "") + page_of_play(play, named[play.source, play.line])
    return texts


def file_name(source: str) -> str:
    """Return the name of the file that keeps the pages of a script."""
    return f"{source.rpartition('/')[2].removesuffix('.enc')}.txt"


def pages_by_title(text: str) -> dict[str, str]:
    """Return the pages in a text by their first lines."""
    pages = [f"== {each}" for each in text.removeprefix("== ").split("\n== ")] if text else []
    return {each.partition("\n")[0]: each.rstrip("\n") + "\n" for each in pages}


def _play_lines(play: Play) -> Iterator[str]:
    records = records_of(play)
    if play.kind == "encounter":
        lines: list[str] = []

        def see(step: Step, _state: State) -> None:
            changed = "; ".join(
                f"{each.address} {value_as_text(each.before)} -> {value_as_text(each.after)}" for each in step.changes
            )
            lines.append(f"{step.fact.seq} {name_of(type(step.fact.event))}{f': {changed}' if changed else ''}")

        steps(records, None, see)
        yield from lines
    done = audit(records)
    for one in done.findings:
        because = ", ".join(map(str, one.because))
        yield f"{one.severity} {one.rule} at {row_of(play, one.event)}: {one.says}"
        yield f"    expected {one.expected or '-'}, found {one.found or '-'}, because {because}"
    yield from _state_lines(done.replay.state)


def _state_lines(state: State) -> Iterator[str]:
    order = order_of(state)
    for slot in order:
        key = ", ".join(f"{part} {value}" for part, value in slot.key.items())
        yield f"place {' & '.join(slot.combatants)} ({key}){_reason_words(state, slot.because)}"
    yield from (f"row {_row_words(row)}{_reason_words(state, row.because)}" for row in round_rows(state))
    yield from (f"missing: {words}" for words in state.rules.schedule.missing(state))
    for who, one in state.combatants.items():
        if left := amounts_left(state, one):
            yield f"left to {who}: {', '.join(f'{what} {number}' for what, number in left.items())}"
    yield from _value_lines(state, {f"{who}.initiative" for slot in order for who in slot.combatants})


def _value_lines(state: State, placed: Collection[str]) -> Iterator[str]:
    """Yield the derived values with their reasons, those with the same reason on one line; the initiative of a placed
    combatant is left out.
    """
    joined = {1, *(one.joined for one in state.combatants.values())}
    same: dict[str, list[str]] = {}
    for address in sorted(each for each in all_addresses(state) if not each.startswith("options.") and each != "order"):
        found = value_of(state, address)
        if found is not None and address not in placed and not joined.issuperset(found.because.events):
            same.setdefault(_words_of(found.because), []).append(f"{address} = {value_as_text(found.value)}")
    yield from (f"{'; '.join(values)}{reason}" for reason, values in same.items())


def _row_words(row: TimelineRow) -> str:
    words = [row.combatant, row.action, row.name, row.cost and f"({row.cost})", row.status, f"at {row.point}"]
    words += [f"({', '.join(f'{part} {value}' for part, value in row.key.items())})" if row.key else ""]
    words += [f"due {row.due}" if row.due else "", f"until {row.until}" if row.until else ""]
    return " ".join(str(word) for word in words if word)


def _reason_words(state: State, because: Because) -> str:
    return _words_of(state.reason(because))


def _words_of(reason: Reason) -> str:
    options = "".join(f"; {name} {value}" for name, value in reason.options.items())
    return f" {' '.join(map(str, reason.events))} [{', '.join(reason.rules)}{options}]"


Change = Literal["new", "changed", "gone"]


class Rewritten(NamedTuple):
    """A page that differs from before: its file, its title, and whether it is new, changed or gone."""

    file: str
    title: str
    change: Change


def write_pages(folder: Path, texts: Mapping[str, str]) -> list[Rewritten]:
    """Write the pages of a ruleset into a folder, remove files whose pages are gone, and return the differences from before.

    Raises Refused for a file with the name of one of them that holds something else; then nothing is written. Files of other
    names that hold something else stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in texts:
        check_ours(folder / name, _check)
    before = {path.name: text for path in folder.glob("*.txt") if path.is_file() and (text := _pages(path)) is not None}
    for name in before.keys() - texts.keys():
        (folder / name).unlink()
    for name, text in texts.items():
        if before.get(name) != text:
            write_text(folder / name, text, _check)
    found: list[Rewritten] = []
    for name in sorted({*before, *texts}):
        was, now = pages_by_title(before.get(name, "")), pages_by_title(texts.get(name, ""))
        for title in [each for each in dict.fromkeys((*was, *now)) if was.get(each) != now.get(each)]:
            change: Change = "new" if title not in was else "gone" if title not in now else "changed"
            found.append(Rewritten(name, title.removeprefix("== "), change))
    return found


def _pages(path: Path) -> str | None:
    """Return the text of a golden page's file; None for any other: each title of a page begins with the kind of a play, and does
    not end as the heading of a wiki does.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        return None
    titles = [each.split(" ") for each in pages_by_title(text)]
    pages = text.startswith("== ") and all(words[1] in KINDS and words[-1] != "==" for words in titles)
    return text if pages else None


def _check(path: Path) -> None:
    if _pages(path) is None:
        says = f"{visible(str(path))} is already there, and holds no golden pages"
        raise Refused("usage", says, "name another folder, or move it away")
