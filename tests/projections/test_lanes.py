"""Lanes: a round as a picture, a lane for each combatant; what the SVG, the page and the terminal draw."""

import pytest

from projections.judging.audit import Auditor
from projections.proving.proof import records_of
from projections.replay.replay import replay, resume
from projections.rulesets import keys
from projections.views.lane_shapes import KINDS, Lane, Lanes
from projections.views.lanes import Gathering
from projections.views.steps import Watch, step_observer
from tests.projections.logs import act, bears, fact, heal, hit, joins, override, records, rolls, round_, strike, turn
from tests.projections.pictures import pictures
from tests.projections.stage import FIXTURES, one_in, script, scripts


def told(*facts: str, judged: bool = False) -> tuple[Lanes, ...]:
    return pictures([*records(*facts)], judged=judged)


def step_by_step(*facts: str) -> tuple[Lanes, ...]:
    """Return the pictures at the end of a gathering that drew them after every record."""
    gathering, whole = Gathering(), records(*facts)
    auditor, after = Auditor(gathering.keep_round), step_observer(gathering.mark_changes, Watch())
    done, found = replay(whole[:1], before=auditor.observe_fact, after=after), tuple[Lanes, ...]()
    for size, record in enumerate(whole[1:], 2):
        done = resume(done, [record], before=auditor.observe_fact, after=after)
        found = tuple(gathering.pictures(done.state, auditor.make_audit(whole[:size], done).findings))
    return found


def fixture(name: str, round_number: int) -> Lanes:
    found = pictures([*records_of(script(FIXTURES / f"{name}.enc")[0])], judged=True)
    return next(each for each in found if each.round == round_number)


def lane(lanes: Lanes, who: str) -> Lane:
    return next(each for each in lanes.lanes if each.combatant == who)


def marks(lanes: Lanes, who: str) -> list[tuple[int, str, str]]:
    return [(mark.column, mark.kind, mark.words) for mark in lane(lanes, who).marks]


def test_each_turn_is_a_column_where_a_game_counts_turns() -> None:
    _, first = told(joins("ana"), joins("bo"), rolls("ana", 9), rolls("bo", 7), round_(1), turn("ana"), turn("bo"))
    assert [column.turn for column in first.columns] == ["ana", "bo"]
    assert [each.combatant for each in first.lanes] == ["ana", "bo"]


def test_acts_damage_healing_and_status_are_marks_in_lanes() -> None:
    lanes = told(
        joins("ana", 9), joins("bo", 5), round_(1), turn("ana"), act("ana", "strike"), hit("bo", 3), hit("bo", 4),
        turn("bo"), heal("bo", 1),
    )[-1]  # fmt: skip
    assert [kind for _, kind, _ in marks(lanes, "ana")] == ["act"]
    assert marks(lanes, "bo")[:3] == [(0, "damage", "−3"), (0, "damage", "−4"), (0, "status", "down")]
    assert marks(lanes, "bo")[3:] == [(1, "healing", "+1")]


def test_a_condition_is_marked_where_it_is_gained_and_where_it_is_lost() -> None:
    lanes = told(
        joins("ana"),
        round_(1),
        turn("ana"),
        fact("condition_gained", condition="prone", targets=["ana"]),
        fact("condition_lost", condition="prone", targets=["ana"]),
    )[-1]
    assert marks(lanes, "ana") == [(0, "condition", "prone"), (0, "condition", "no longer prone")]


def test_what_was_struck_is_in_no_lane() -> None:
    lanes = told(joins("ana", 9), round_(1), turn("ana"), hit("ana", 3), strike(5))[-1]
    assert marks(lanes, "ana") == []


def test_a_log_without_a_round_has_the_picture_of_the_time_before() -> None:
    (only,) = told(joins("ana"))
    assert (only.round, len(only.columns), [each.combatant for each in only.lanes]) == (0, 1, ["ana"])


def test_a_log_without_anybody_has_a_picture_without_lanes() -> None:
    (only,) = told()
    assert (only.round, only.lanes) == (0, ())


def test_a_casting_is_a_span_that_ends_where_it_was_disturbed() -> None:
    lanes = fixture("osric/s12-ten-in-three-rounds", 1)
    assert [column.segment for column in lanes.columns] == list(range(11))
    curse, held = lane(lanes, "urk").spans
    assert (curse.kind, curse.words, curse.first, curse.last) == ("spoiled", "cast curse", 3, 5)
    assert (held.kind, held.first, held.last) == ("concentration", 3, 5)
    bless = lane(lanes, "dov").spans[0]
    assert (bless.first, bless.last, bless.goes_on) == (5, 10, True)
    after = lane(fixture("osric/s12-ten-in-three-rounds", 2), "dov").spans[1]
    assert (after.first, after.last, after.from_before) == (0, 4, True)


def test_those_who_act_at_once_are_together_in_their_column() -> None:
    lanes = fixture("osric/s12-ten-in-three-rounds", 3)
    assert lanes.columns[1].together == (("bram", "snag"),)
    assert lanes.columns[2].together == (("ada", "dov", "gog"),)
    called = [each.combatant for each in lanes.lanes]
    assert {(tie.column, *sorted((called[tie.first], called[tie.last]), key=called.index)) for tie in lanes.ties} == {
        (number, min(those, key=called.index), max(those, key=called.index))
        for number, column in enumerate(lanes.columns)
        for those in column.together
    }


def test_a_head_stands_above_the_columns_of_a_turn_or_phase() -> None:
    lanes = fixture("vile-darkness/s07-spells-and-their-disturbance", 2)
    assert [(head.first, head.columns, head.phase) for head in lanes.heads] == [
        *((number, 1, phase) for number, phase in enumerate(("H.D1", "H.D2", "H.D3", "L.D1", "L.D3"), 1)),
        (6, 4, "E"),
    ]
    first = fixture("semiautomagic/s10-four-rounds-to-the-end", 1).heads[0]
    assert (first.first, first.columns, first.turn, first.phase) == (0, 6, "ana", "")
    drawn = {each.kind for lane in lanes.lanes for each in lane.marks} | {
        each.kind for lane in lanes.lanes for each in lane.spans
    }
    assert lanes.kinds == tuple(kind for kind in KINDS if kind in drawn)


def test_each_second_of_a_turn_is_a_column_where_a_game_counts_seconds() -> None:
    lanes = fixture("semiautomagic/s10-four-rounds-to-the-end", 1)
    assert [(column.turn, column.second) for column in lanes.columns[:7]] == [
        *(("ana", n) for n in range(1, 7)),
        ("bo", 1),
    ]


def test_spans_of_a_lane_share_a_track_only_where_they_do_not_meet() -> None:
    for key in keys():
        for path in scripts(key)[:2]:
            for lanes in pictures([*records_of(script(path)[0])]):
                for one in lanes.lanes:
                    taken = [(span.track, column) for span in one.spans for column in range(span.first, span.last + 1)]
                    assert len(taken) == len({*taken}), (path, lanes.round, one.combatant)


def test_a_finding_is_a_flag_in_its_lane_and_the_column_of_its_event() -> None:
    found = told(joins("ana", 9), round_(1), turn("bo"), judged=True)
    flags = [(lanes.round, one.combatant, mark.status) for lanes in found for one in lanes.lanes for mark in one.marks]
    assert flags
    assert all(status in ("breach", "notice", "ruled") for *_, status in flags)


def test_a_ruled_value_is_drawn_where_the_ruling_was_made() -> None:
    lanes = told(joins("ana", 9), round_(1), turn("ana"), override(**{"ana.hp": 4}))[-1]
    assert marks(lanes, "ana") == [(0, "damage", "−5")]


def test_everything_in_a_picture_stands_in_a_column_and_is_of_a_known_kind(whole: bool) -> None:
    paths = [path for key in keys() for path in scripts(key)]
    for path in paths if whole else one_in(3, paths):
        for lanes in pictures([*records_of(script(path)[0])], judged=True):
            columns = range(len(lanes.columns))
            assert all(column in columns for column in lanes.at.values())
            for one in lanes.lanes:
                assert all(mark.column in columns and mark.kind in KINDS for mark in one.marks)
                assert all(span.first in columns and span.last in columns for span in one.spans)
                assert all(span.first <= span.last and span.kind in KINDS for span in one.spans)


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(
            (joins("ana"), round_(1), hit("ana", 1), round_(2), hit("ana", 1), round_(1), hit("ana", 1), round_(2)),
            id="a round that the clock goes back to",
        ),
        pytest.param(
            (
                joins("ana"), joins("bo"), round_(1), bears("web", "bo", source="ana", concentration=True), round_(2),
                round_(3), round_(1), round_(3), fact("effect_ended", effect="web", targets=["bo"]), round_(4),
            ),
            id="a concentration over several rounds",
        ),
        pytest.param(
            (joins("ana"), round_(1), fact("checked", values={"ana.hp": 3}), round_(2),
             fact("ruling_made", ruling="waiver", decision="so", event=4)),
            id="a finding that is waived later",
        ),
        pytest.param(
            (joins("ana"), round_(1), act("ana"), fact("segment_reached", segment=1, surprise=True)),
            id="a surprise segment within a round",
        ),
    ],
)  # fmt: skip
def test_pictures_that_were_drawn_before_do_not_change_those_drawn_later(facts: tuple[str, ...]) -> None:
    for size in range(1, len(facts) + 1):
        assert step_by_step(*facts[:size]) == told(*facts[:size], judged=True)
