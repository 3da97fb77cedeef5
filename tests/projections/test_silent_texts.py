"""The law of silent texts: by default nothing is reported that rests on what a ruleset's text says nothing about."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from eventstore.record import Recorded
from projections.judging import book
from projections.judging.audit import SILENT_TEXTS, audit
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.ruleset.catalogue import Option
from projections.rulesets import RULESETS, find
from projections.stream.variants import with_option
from tests.few import few
from tests.projections.stage import stage

LEFT_OUT = re.compile(
    r"\bnot (?:\w+ )?(?:said|stated|mentioned|covered|treated|given|listed|defined|explained|discussed|forbidden|named"
    r"|in th(?:e|is) (?:\w+ )?(?:texts?|chapter))\b|\b(?:says?|said) nothing|does not (?:say|bar)|do not say|neither text"
    r"|no duration|no clause|has no hit points|only 'damage'|have no contests|never stated|elsewhere|other chapter|2024 only",
    re.IGNORECASE,
)
"""Words by which an `unclear` says that a text leaves something out."""

SILENT = {
    "osric": ("health.hit-points",),
    "nameless-journey": ("health.damage",),
    "semiautomagic": ("health.damage",),
    "definition-master": ("initiative.starts-combat", "round.ends-at-top", "reckless.trade", "defensive.trade"),
    "5e": ("contest.higher-wins",),
}
"""The clauses with a breach that no text bears out; each has a play in which it is reported by the option silent-texts."""

DECIDED = tomllib.loads(Path(__file__).with_name("silence.toml").read_text("utf-8"))


def open_points(key: str) -> tuple[Option, ...]:
    return tuple(one for one in find(key).catalogue().option if one.silent)


Found = set[tuple[str, int]]


def found(records: Iterable[Recorded]) -> Found:
    return {(one.rule, one.event) for one in audit([*records]).findings}


def by_default(play: Play) -> list[Recorded]:
    """Return the facts of a play in a log that states none of the open points."""
    unstated = {SILENT_TEXTS, *(one.name for one in open_points(play.ruleset))}
    return records_of(play, {name: value for name, value in play.options.items() if name not in unstated})


@few(1, "key", sorted((key for key in RULESETS if open_points(key)), key=lambda key: (key != "semiautomagic", key)))
def test_what_is_reported_stands_under_each_reading_of_a_silent_text(key: str) -> None:
    points = open_points(key)
    for play, log, reported in few_of(key):
        for option in points if reported else ():
            extended = DECIDED["extends"].get(key, {}).get(option.name, ())
            resting = {each for each in reported if each[0] not in extended}
            for value in option.values:
                stated = found(with_option(log, option.name, value))
                assert resting <= stated, (play.source, play.line, option.name, value)


def few_of(key: str, *about: str) -> Iterator[tuple[Play, list[Recorded], Found]]:
    """Yield the plays that expect a finding, each with its facts and what is found where no open point is stated; first those that
    are `about` these clauses or options.
    """

    def is_other(each: tuple[int, Play]) -> bool:
        return {*about}.isdisjoint((*each[1].name, *each[1].options))

    for number, play in sorted(enumerate(plays(key)), key=is_other):
        yield play, *told(key, number)


@cache
def plays(key: str) -> list[Play]:
    return [play for play in stage(find(key)) if any(each.verb == "finding" for each in play.expectations)]


@cache
def told(key: str, number: int) -> tuple[list[Recorded], Found]:
    log = by_default(plays(key)[number])
    return log, found(log)


@few(2, ("key", "name"), [(key, one.name) for key in RULESETS for one in open_points(key)])
def test_each_silent_point_is_reported_once_the_log_states_the_option(key: str, name: str) -> None:
    option = find(key).catalogue().find_option(name)
    assert option
    for _, log, known in few_of(key, name, *option.silent):
        for value in option.values:
            if any(rule in option.silent for rule, _ in found(with_option(log, name, value)) - known):
                return
    pytest.fail(f"no play breaks {name} where it is stated and passes where it is not")


@pytest.mark.slow
@pytest.mark.parametrize(("key", "rule"), [(key, rule) for key, rules in SILENT.items() for rule in rules])
def test_each_breach_that_no_text_bears_out_is_reported_by_the_option(key: str, rule: str) -> None:
    for _, log, known in few_of(key, rule):
        asked = found(with_option(log, SILENT_TEXTS, "reported"))
        if rule in {one for one, _ in asked - known}:
            return
    pytest.fail(f"no play is reported by {rule} only where {SILENT_TEXTS} is stated")


@pytest.mark.parametrize("key", RULESETS)
def test_of_each_silent_clause_it_is_decided_what_rests_on_it(key: str) -> None:
    catalogue = find(key).catalogue()
    settled = {rule for one in open_points(key) for rule in (*one.rules, *one.silent)} | {*SILENT.get(key, ())}
    said = {one.id for one in catalogue.rule if LEFT_OUT.search(" ".join(one.unclear.split()))}
    leaning = {*catalogue.documents_needed(said)}
    decided = {*DECIDED["nothing-is-reported"].get(key, ()), *DECIDED["a-word-is-read"].get(key, {})}
    assert said - settled - leaning - decided == set()
    assert decided - said == set()
    assert {*DECIDED["nothing-is-reported"].get(key, ())} & {*DECIDED["a-word-is-read"].get(key, {})} == set()


def test_the_option_that_has_all_of_them_reported_is_one_of_every_log() -> None:
    option = book.catalogue().find_option(SILENT_TEXTS)
    assert option
    assert option.values == ("unreported", "reported")
