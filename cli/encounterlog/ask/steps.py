"""The page of `encounter rules RULESET --steps EVENT`: the life of a fact, from the tables that the replay and the audit read."""

from collections.abc import Iterator

from msgspec import Struct

from encounterlog.ask.rules import Page
from encounterlog.errors import misspelt
from encounterlog.log.opening import ruleset_named
from encounterlog.words.layout import blocks, heading, wrap
from eventstore.events import NEWEST, Fact
from projections.judging import audit
from projections.proving.rulebook import place_of, rules_of
from projections.replay.replay import COMMON
from projections.ruleset.ruleset import Checks, Marked, Ruleset


class Step(Struct, frozen=True):
    """A function that sees a fact: when in its part, its name, the clauses that it carries, where it begins."""

    when: str
    function: str
    rules: tuple[str, ...]
    place: str


class Life(Struct, frozen=True):
    """What happens to a fact of one type, part by part, in this order."""

    ruleset: str
    event: str
    boundaries: tuple[Step, ...]
    common: tuple[Step, ...]
    steps: tuple[Step, ...]
    checks: tuple[Step, ...]
    late: tuple[Step, ...]


PARTS = {
    "checks": "Checked before it takes effect, the checks of every log first; of a group, only the first that finds something reports",
    "boundaries": "At each boundary of rounds and turns that it crosses",
    "common": "Then the steps of every ruleset",
    "steps": "Then the steps of the ruleset, phase by phase",
    "late": "Checked when the round is over",
}
"""The parts of a fact's life in the order of time, each with its heading."""


def page(key: str, event: str) -> Page:
    """Return the life of a fact in a ruleset; raise Refused with the nearest name if there is no such ruleset or type of fact."""
    rules = ruleset_named(key)
    if (kind := NEWEST.get(event.strip().casefold().replace(" ", "_"))) is None:
        raise misspelt("type of fact", event, NEWEST, "such as attack_rolled")
    found = life(rules, kind)
    return Page(found, list(_lines(found)))


def life(rules: Ruleset, kind: type[Fact]) -> Life:
    """Return what happens to facts of one type in a ruleset."""
    crossed = ((at, step) for at, steps in rules.boundaries.items() for step in steps)
    return Life(
        rules.key,
        next(name for name, each in NEWEST.items() if each is kind),
        tuple(_step(at, step) for at, step in crossed),
        tuple(_step(step.phase, step) for step in COMMON.get(kind, ())),
        tuple(_step(step.phase, step) for step in rules.steps.get(kind, ())),
        tuple(_checks(kind, audit.COMMON, rules.checks)),
        tuple(_checks(kind, rules.late)),
    )


def _checks(kind: type[Fact], *tables: Checks) -> Iterator[Step]:
    for each in (each for table in tables for series in table.get(kind, ()) for each in series.checks):
        yield _step(f"{each.group}, {each.rank}" if each.group else "", each)


def _step(when: str, function: Marked) -> Step:
    return Step(when, function.__name__, rules_of(function), place_of(function))


def _lines(found: Life) -> Iterator[str]:
    yield heading(f"{found.ruleset}: the life of a fact, {found.event}")
    for part, title in PARTS.items():
        steps: tuple[Step, ...] = getattr(found, part)
        yield ""
        yield from wrap(f"{title}:" if steps else f"{title}: nothing", "")
        for rows in blocks((one.when, one.place, _in_words(one)) for one in steps):
            yield from rows


def _in_words(step: Step) -> str:
    """Return what a function does, as its name says it, with its clauses."""
    return step.function.replace("_", " ").strip() + (f" ({', '.join(step.rules)})" if step.rules else "")
