"""The law of reasons over a short fixture and a few random logs; and the command that holds all of them against it."""

from collections import Counter
from functools import cache

import pytest

from encounterlog_rulelab import reasons as engine
from encounterlog_rulelab.laws import Break, Value, judge_log, judge_options
from encounterlog_rulelab.reasons import EngineLog, Subject, counted, line_of, rulebook
from projections.because import Because
from projections.rulesets import RULESETS, find
from tests.projections import logs
from tests.projections.stage import one_in
from tests.tools.reasons import __main__ as command
from tests.tools.reasons.corpus import fixtures, random_logs
from tests.tools.reasons.known import Allowed, Ceiling, Outcome, ceilings, exceptions, idle, outcome_of, risen

each_ruleset = pytest.mark.parametrize("key", RULESETS)
SILENT = Break("A", 5, "ulf.hp", 7, "4", "damage_dealt", "should be cited: without it 9; cited are none")


@cache
def shortest(key: str, records: int) -> Outcome:
    """Judge the beginning of the shortest fixture; the command judges all, and takes minutes."""
    return outcome_of(key, [Subject(each.name, each.records[:records]) for each in by_length(key)[:1]], exceptions())


def by_length(key: str) -> list[Subject]:
    """Return the fixtures of a ruleset, the shortest first."""
    return sorted(fixtures(find(key)), key=lambda each: len(each.records))


def words(outcome: Outcome) -> str:
    return "\n".join(["", *(line_of(*each) for each in outcome.breaks)])


RECORDS, IN_SAMPLE = 20, 14
"""How many records of it are judged."""


@pytest.mark.slow
@each_ruleset
def test_the_reasons_of_a_short_fixture_keep_to_the_law(key: str, whole: bool) -> None:
    outcome = shortest(key, RECORDS if whole else IN_SAMPLE)
    assert len(outcome.breaks) <= ceilings().get(key, Ceiling()).breaks, words(outcome)


@each_ruleset
def test_no_more_than_the_ceiling_cannot_be_judged(key: str, whole: bool) -> None:
    counts = shortest(key, RECORDS if whole else IN_SAMPLE).counts
    assert list(risen(key, counts, ceilings().get(key, Ceiling()))) == []


@pytest.mark.slow
@each_ruleset
def test_an_option_by_which_a_value_of_a_play_would_be_another_is_cited(key: str, whole: bool) -> None:
    plays = [*fixtures(find(key)), *rulebook(find(key))]
    outcome = outcome_of(key, one_in(1 if whole else 40, plays), exceptions(), judge_options)
    of_options = [one for one in exceptions() if one.law == "C"]
    assert outcome.breaks == [], words(outcome)
    assert not whole or list(idle(key, of_options, outcome.needed, {"fixtures", "plays"})) == []


@pytest.mark.slow
@each_ruleset
def test_the_reasons_of_the_plays_of_a_rulebook_keep_to_the_law(key: str, whole: bool) -> None:
    outcome = outcome_of(key, one_in(1 if whole else 80, rulebook(find(key))), exceptions())
    assert outcome.breaks == [], words(outcome)


@pytest.mark.in_turn(7)
@pytest.mark.slow
@each_ruleset
def test_the_reasons_of_random_logs_keep_to_the_law(key: str, whole: bool) -> None:
    outcome = outcome_of(key, random_logs(find(key), 3 if whole else 2, 1), exceptions())
    waits = ceilings().get(key, Ceiling()).random_logs_wait
    assert outcome.counts["pairs"]
    assert waits or not outcome.breaks, words(outcome)


def test_ceilings_and_exceptions_are_of_rulesets_that_there_are() -> None:
    assert {*ceilings(), *(one.ruleset for one in exceptions())} <= set(RULESETS)


# ---------------------------------------------------------------- the engine as the laws see it

STORY = (
    logs.joins("ulf", 9), logs.joins("ana", 9), logs.act("ana"), logs.hit("ulf", 2, cause=-1), logs.hit("ulf", 1), logs.bears("haze", "ulf"),
)  # fmt: skip


def test_every_kind_of_address_is_walked() -> None:
    addresses = EngineLog(logs.records(*STORY)).whole[7].values
    assert {"order", "turn", "ulf.hp", "ulf.effects.haze", "ana~row.4"} <= set(addresses)


def test_a_reason_that_is_doctored_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    log = logs.records(*STORY)
    assert [one for one in judge_log(EngineLog(log)).breaks if (one.law, one.address) == ("A", "ulf.hp")] == []

    def forgetful(value: object, because: Because) -> Value:
        cited = frozenset(because.flat().events) - {6}
        return Value(value, cited, cited)

    monkeypatch.setattr(engine, "value_and_reason", forgetful)
    found = [one for one in judge_log(EngineLog(log)).breaks if (one.law, one.address) == ("A", "ulf.hp")]
    assert [(one.place, one.fact, one.kind) for one in found] == [(7, "6", "damage_dealt")]


# ---------------------------------------------------------------- exceptions, ceilings, and the command


def test_an_exception_allows_what_it_describes_and_no_more() -> None:
    one = Allowed("osric", "A", "*.hp", "damage_dealt", "because")
    assert one.allows("osric", SILENT)
    assert not one.allows("plain", SILENT)
    assert not any(one.allows("osric", other) for other in (SILENT._replace(law="B"), SILENT._replace(kind="healed")))
    assert not one.allows("osric", SILENT._replace(address="ulf.hp_max"))


def test_the_command_prints_breaks_and_exits_with_1_if_there_are_any(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "outcome_of", lambda *_: Outcome([("a.enc:3", SILENT)], set(), Counter()))
    assert command.main(["plain"]) == 1
    own = line_of("a.enc:3", SILENT)
    assert capsys.readouterr().out.splitlines() == [own, own, counted("plain", Counter())]
    monkeypatch.setattr(command, "outcome_of", lambda *_: Outcome([], set(), Counter(pairs=4)))
    assert command.main(["plain"]) == 0
    assert capsys.readouterr().out.startswith("plain: of 8 places 0 not comparable")
