"""The pages of `encounter whatif` and `encounter diff`: which values and findings differ, and from which record on."""

from collections.abc import Iterator, Sequence
from typing import Any

from encounterlog.wording.facts import sentence
from encounterlog.wording.layout import heading, name, table, wrap
from encounterlog.wording.naming import labels
from encounterlog.wording.phrases import value
from projections.explaining.forks import Account, Differences, Senseless
from projections.judging.audit import Finding

WIDE = 28
"""The room for a value, in columns."""


def page(found: Differences, one: Account, other: Account, titles: tuple[str, str]) -> list[str]:
    """Return the page of the differences between two accounts, whose columns have these titles."""
    if found.none:
        return [f"nothing is different: {titles[0]} and {titles[1]} come to the same"]
    called = labels((who, each.name) for who, each in {**one.state.combatants, **other.state.combatants}.items())
    rows = [
        (each.address, _shown(each.before), _shown(each.after), f"from record {each.since}" if each.since else "")
        for each in found.values
    ]
    return [
        *(table([("", *titles, ""), *rows]) if rows else ["no value is different"]),
        *_findings(f"Findings only in {titles[0]}", found.gone),
        *_findings(f"Findings only in {titles[1]}", found.new),
        *_senseless(found.senseless, lambda who: called.get(who, who)),
    ]


def _shown(item: Any) -> str:
    return "-" if item is None else name(value(item), WIDE)


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
