"""Replay: records to state, at any point; of a broken log the part that replayed, and the reason."""

import pytest
from msgspec import structs

from eventstore import chain
from eventstore.errors import CorruptLog, Malformed
from eventstore.events import Noted
from eventstore.record import decode
from projections.fight import EVERYBODY, Clock
from projections.judging.audit import audit
from projections.occurrence import Occurrence
from projections.replay.replay import advance, replay
from projections.rulesets import UnknownRuleset, find
from projections.time import Where
from projections.views.steps import steps
from tests.projections.logs import (
    Breaking,
    act,
    amend,
    bears,
    changes,
    fact,
    hit,
    hp,
    joins,
    lines,
    play,
    records,
    strike,
    turn,
)

ULF = joins("ulf", 10)
BROKEN = CorruptLog("ford.jsonl", 5, 900, "the digest does not match")


def test_a_log_replays_to_its_state_with_what_the_first_record_says() -> None:
    done = replay(records(ULF, hit("ulf", 3), options={"concentration": "any"}))
    assert (done.state.title, done.state.rules.key, done.state.encounter) == ("Ford", "plain", "q7k2")
    assert done.state.option("concentration") == "any"
    assert done.state.option("same-effect") == "renews"
    assert (done.records, done.problem) == (3, None)


def test_a_broken_log_yields_the_part_that_replayed_and_the_reason() -> None:
    told = Breaking(records(ULF, hit("ulf", 3), strike(3)), BROKEN)
    done = replay(told)
    assert hp(done.state) == {"ulf": 10}
    assert (done.records, done.problem) == (4, BROKEN)
    assert audit(told).problem is BROKEN
    assert hp(replay(told, Where(seq=2)).state) == {"ulf": 10}


def test_a_log_that_breaks_before_its_first_record_raises_the_reason() -> None:
    with pytest.raises(CorruptLog):
        replay(Breaking([], BROKEN))


def test_a_log_whose_first_record_has_no_payload_is_refused() -> None:
    withheld = [chain.withhold_payload(line) if place == 0 else line for place, line in enumerate(lines(ULF))]
    with pytest.raises(Malformed, match="opens no encounter"):
        replay([decode(line[:-1]) for line in withheld])


def test_a_turn_touches_whoever_has_it_and_a_round_everybody() -> None:
    bo = joins("bo")
    assert EVERYBODY not in play(ULF, bo, turn("ulf"), turn("bo")).touched
    assert EVERYBODY in play(ULF, bo, turn("ulf"), fact("round_started", round=2)).touched


def test_a_schedule_may_show_a_clock_of_its_own() -> None:
    state = play(ULF)
    own = structs.replace(state.rules.schedule, shows=lambda _state, _fact: Clock(round=7))
    state.rules = structs.replace(state.rules, schedule=own)
    advance(state, Occurrence(3, 3, Noted(text="It rains.")))
    assert state.clock.round == 7


def test_what_was_amended_says_where_its_words_stand_and_is_kept() -> None:
    told = (ULF, act("ulf"), hit("ulf", 3, cause=3), amend(4, hit("ulf", 2, cause=3)), strike(3))
    state = play(*told)
    assert state.amended == {4: 5}
    assert [each.seq for each in state.orphans] == [4]


def test_a_log_that_opens_no_encounter_is_refused() -> None:
    with pytest.raises(Malformed, match="opens no encounter"):
        replay(records(ULF)[1:])
    with pytest.raises(Malformed, match="no encounter"):
        replay([])


def test_an_unknown_ruleset_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownRuleset) as refused:
        replay(records(ULF, ruleset="plane"))
    assert "plain" in refused.value.hint


def test_withheld_and_unknown_records_are_skipped_and_named() -> None:
    told = lines(ULF, hit("ulf", 3), fact("noted", text="x"), hit("ulf", 1))
    told[2] = chain.withhold_payload(told[2])
    told[3] = told[3].replace(b'"type":"noted"', b'"type":"sung"')
    done = replay([decode(line.rstrip(b"\n")) for line in told])
    assert hp(done.state) == {"ulf": 9}
    assert done.state.unread == [3, 4]


def test_a_withheld_record_that_is_amended_is_read() -> None:
    told = lines(ULF, hit("ulf", 3), amend(3, hit("ulf", 5)))
    told[2] = chain.withhold_payload(told[2])
    done = replay([decode(line.rstrip(b"\n")) for line in told])
    assert (hp(done.state), done.state.unread) == ({"ulf": 5}, [])


def test_before_and_after_see_each_fact_as_it_takes_hold() -> None:
    before: list[int | None] = []
    after: list[int | None] = []
    replay(
        records(ULF, hit("ulf", 3), hit("grim", 1), hit("ulf", 1), strike(5)),
        before=lambda state, _: before.append(hp(state).get("ulf")),
        after=lambda state, _: after.append(hp(state)["ulf"]),
    )
    assert (before, after) == ([None, 10], [10, 7])


def test_steps_stop_where_they_are_asked_to() -> None:
    told: list[int] = []
    steps(records(ULF, hit("ulf", 1), hit("ulf", 1)), Where(seq=3), lambda step, _: told.append(step.fact.seq))
    assert told == [2, 3]


def test_two_replays_of_one_log_share_nothing() -> None:
    told = records(ULF, turn("ulf"), bears("haze", "ulf"), hit("ulf", 1))
    first, second = replay(told).state, replay(told).state
    first.combatants["ulf"].pools["hp"].set_value(99, 99)
    first.effects.clear()
    first.options["concentration"] = "any"
    assert changes(second) == [2, 5]
    assert len(second.effects) == 1
    assert second.options == {}
    assert replay(told).state.options == {}


def test_a_replay_whose_options_are_recorded_reads_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {option.name: option.values[-1] for option in find("plain").catalogue().option}
    told = records(ULF, bears("haze", "ulf"), fact("healed", target="ulf", amount=1, temporary=True), options=options)
    monkeypatch.setattr("projections.ruleset.catalogue.read_catalogue", None)
    monkeypatch.setattr("builtins.open", None)
    assert hp(replay(told).state) == {"ulf": 10}
    with pytest.raises(TypeError):
        find("plain").catalogue()


def test_a_replay_remembers_the_moments_of_the_present_round_only() -> None:
    told = [ULF] + [fact("round_started", round=1 + n // 10) if n % 10 == 0 else act("ulf") for n in range(500)]
    assert len(play(*told).moments) == 9
