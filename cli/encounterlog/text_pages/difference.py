"""The pages of `encounter whatif` and `encounter diff`: which values and findings differ, and from which record on."""

from collections.abc import Iterator, Sequence
from typing import Any

from encounterlog.text.facts import sentence
from encounterlog.text.layout import blocks, heading, name, table, wrap
from encounterlog.text.naming import labels, voice
from encounterlog.text.phrases import value
from encounterlog.text_pages.reasons import moment
from projections.explaining.forks import Account, Differences, Senseless
from projections.explaining.rows import RowContent, RowDiffers
from projections.judging.audit import Finding
from projections.mechanics.acts import kind_and_name

WIDE = 28
"""The room for a value, in columns."""


def page(found: Differences, one: Account, other: Account, titles: tuple[str, str]) -> list[str]:
    """Return the page of the differences between two accounts, whose columns have these titles."""
    if found.none:
        return ["nothing is different"]
    called = labels((who, each.name) for who, each in {**one.state.combatants, **other.state.combatants}.items())
    rows = [
        (each.address, _shown(each.before), _shown(each.after), f"from record {each.since}" if each.since else "")
        for each in found.values
    ]
    return [
        *(table([("", *titles, ""), *rows]) if rows else ["no value is different"]),
        *_rows(found.rows, titles, lambda who: called.get(who, who)),
        *_findings(f"Findings only in {titles[0]}", found.gone),
        *_findings(f"Findings only in {titles[1]}", found.new),
        *_senseless(found.senseless, voice(other.state, called)),
    ]


def _shown(item: Any) -> str:
    return "-" if item is None else name(value(item), WIDE)


def _rows(found: Sequence[RowDiffers], titles: tuple[str, str], called: Any) -> Iterator[str]:
    """Yield two lines for each row of the timelines that differs: its text in the one, and in the other."""
    if found:
        yield heading("Timeline")
    cells = [
        row
        for each in found
        for row in (
            (f"round {each.round}" if each.round else "before", called(each.combatant), titles[0], _row(each.before)),
            ("", "", titles[1], _row(each.after)),
        )
    ]
    for lines in blocks(cells):
        yield from lines


def _row(row: RowContent | None) -> str:
    """Return the place of a timeline's row, its act, and its progress."""
    if row is None:
        return "-"
    places = (("phase", row.phase), ("segment", row.segment), ("second", row.second))
    at = ", ".join(f"{what} {number}" for what, number in places if number)
    act = kind_and_name(row.action, row.name)
    ends = row.due if row.status != "done" else row.until
    due = f" {'due' if row.status == 'begun' else 'until'} {moment(ends)}" if ends else ""
    return f"{at + ': ' if at else ''}{act + ' ' if act else ''}{row.status}{due}"


def _findings(title: str, found: Sequence[Finding]) -> Iterator[str]:
    if found:
        yield heading(title)
    for one in found:
        ruled = f", ruled by event {one.ruled}" if one.ruled else ""
        yield from wrap(f"event {one.event}: {one.rule} ({one.severity}{ruled}): {one.says}", "      ", "  ")


def _senseless(found: Sequence[Senseless], called: Any) -> Iterator[str]:
    if found:
        yield heading("Facts that no longer make sense; they stand all the same")
    for one in found:
        yield from wrap(f"{one.fact.seq}  {sentence(one.fact.event, called)}: {one.why}", "      ", "  ")
