"""The picture of a round in text, as `show` and `replay` print it: the lanes that the page and the drawing have, too."""

from pathlib import Path

import pytest

from encounterlog.ask import picture as page
from encounterlog.log.logs import LogView
from encounterlog.words import layout
from encounterlog.words.layout import width
from projections.proving.proof import records_of
from projections.rulesets import keys
from projections.views.lanes import Column, Lane, Lanes, Mark, Span
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import encounter
from tests.projections.pictures import pictures
from tests.projections.stage import one_in, script, scripts


def drawn(lanes: Lanes, **called: str) -> list[str]:
    return [line.rstrip() for line in page.lines(lanes, called)]


def segments(*lanes: Lane, together: tuple[str, ...] = ()) -> Lanes:
    columns = [Column("", "", number, 0) for number in range(1, 11)]
    columns[2] = Column("", "", 3, 0, (together,) if together else ())
    return Lanes(1, tuple(columns), lanes, {})


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    for module in (layout, page):
        monkeypatch.setattr(module, "room", lambda: request.param)
    wide: int = request.param
    return wide


CURSE = Span(1, 4, "spoiled", "cast curse", 5, "spoiled", due=6)


def test_a_casting_runs_to_where_it_was_spoiled_and_says_when_it_was_due() -> None:
    assert drawn(segments(Lane("urk", (), (CURSE,)))) == [
        "Segments of round 1   1 2 3 4 5 6 7 8 9 10",
        "  urk                 . C C C X . e . .  .  cast curse spoiled in 5",
        "    C busy  e was due  X spoiled",
    ]


def test_points_stand_where_they_were_lost_and_gained_and_a_finding_where_it_was_made() -> None:
    marks = (
        Mark(1, "damage", "−12", 7),
        Mark(1, "damage", "+3 non-lethal", 7),
        Mark(1, "finding", "a.rule: says", 7, "breach"),
        Mark(4, "healing", "+4", 9),
        Mark(5, "healing", "−4 temporary", 9),
    )
    assert drawn(segments(Lane("urk", marks, ())), urk="Urk the Bold")[1:] == [
        "  Urk the Bold        . !-12+3n . . +4 -4t . . .  .",
        "    ! finding  t temporary points  n non-lethal damage",
    ]


def test_those_who_act_at_once_are_marked_so() -> None:
    act = Mark(2, "act", "attack axe", 5, "done")
    assert drawn(segments(Lane("ana", (act,), ()), Lane("bo", (act,), ()), together=("ana", "bo")))[1:] == [
        "  ana                 . . A& . . . . . .  .  attack axe",
        "  bo                  . . A& . . . . . .  .  attack axe",
        "    A acts  & at once",
    ]


def test_concentration_runs_from_its_begin_to_its_loss() -> None:
    held = Span(0, 3, "concentration", "bless", 4, from_before=True)
    assert drawn(segments(Lane("ana", (), (held,))))[1] == "  ana                 = = = = . . . . .  ."


def test_nothing_is_drawn_of_a_round_in_which_nothing_happened() -> None:
    assert drawn(segments(Lane("ana", (), ()))) == []
    assert drawn(Lanes(0, (Column("", "", 0, 0),), (Lane("ana", (Mark(0, "damage", "−1", 3),), ()),), {})) == []


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 40, 20], indirect=True)
def test_no_line_is_wider_than_the_terminal_and_no_tick_and_no_lane_is_left_out(columns: int, whole: bool) -> None:
    paths = [path for key in keys() for path in scripts(key)]
    for path in paths if whole else one_in(5, paths):
        for lanes in pictures([*records_of(script(path)[0])], judged=True):
            found = drawn(lanes)
            assert max(map(width, found), default=0) <= columns, (path, lanes.round)
            busy = {lane.combatant for lane in lanes.lanes if lane.marks or lane.spans}
            if found:
                assert len(found) > len(busy), (path, lanes.round)


@pytest.mark.parametrize("columns", [40, 20], indirect=True)
@pytest.mark.usefixtures("columns")
def test_where_there_is_no_room_for_all_ticks_the_lanes_go_on_below() -> None:
    found = drawn(segments(Lane("halvaine", (Mark(9, "act", "attack", 5, "done"),), (CURSE,))), halvaine="Halvaine")
    heads = [line.split() for line in found if line.replace(" ", "").isdigit()]
    assert [tick for head in heads for tick in head] == [str(number) for number in range(1, 11)]
    cells = [cell for line in found if line.lstrip().startswith("Hal") for cell in line.split()[1:]]
    assert cells[:10] == [".", "C", "C", "C", "X", ".", "e", ".", ".", "A"]


@pytest.mark.parametrize("columns", [40], indirect=True)
def test_a_long_name_gives_way_to_the_ticks(columns: int) -> None:
    name = "Sir Halvaine of the Very Long and Winding River"
    found = drawn(segments(Lane("halvaine", (), (CURSE,))), halvaine=name)
    assert all(width(line) <= columns for line in found)
    assert any("…" in line for line in found)


def test_seconds_are_drawn_turn_by_turn_with_those_whom_they_touch(folder: Path) -> None:
    log = fixture(folder, "semiautomagic/s10-four-rounds-to-the-end")
    lines = encounter("show", log, "--at", "r2").stdout.splitlines()
    at = lines.index("Seconds of round 2    1  2  3   4  5  6")
    assert lines[at + 1 : at + 3] == [
        "  Ana                 C  C  C   C  C  C  move; combo",
        "    Kex               .  .  .   . -3  .",
    ]


def test_where_turns_are_counted_the_lanes_are_the_order(folder: Path) -> None:
    log = fixture(folder, "definition-master/s07-criticals")
    lines = encounter("show", log, "--at", "r2").stdout.splitlines()
    assert "Order" not in lines
    assert "  1 total 25  Bo    A!   .    .   . . .  attack dagger" in lines
    assert "  5 total 8   Tor    . -23 !-40 !-1 . .  -13 and -10 in 2; -25 and -15 in 3" in lines


@pytest.mark.slow
def test_the_picture_of_show_is_the_last_of_those_of_the_page(folder: Path, whole: bool) -> None:
    from encounterlog.ask.show import view
    from tests.encounterlog.fights import log_of_play

    paths = [path for key in keys() for path in scripts(key)]
    for number, path in enumerate(paths if whole else one_in(6, paths)):
        play = script(path)[0]
        log = log_of_play(folder / f"{number}.jsonl", play)
        found = view(LogView(str(log)), None, every=False, judge=True).lanes
        assert found is not None
        last = next(each for each in pictures([*records_of(play)], judged=True) if each.round == found.round)
        assert [lane.combatant for lane in found.lanes] == [lane.combatant for lane in last.lanes]
        assert [_drawing(lane) for lane in found.lanes] == [_drawing(lane) for lane in last.lanes], path


def _drawing(lane: Lane) -> object:
    return [(mark.kind, mark.words, mark.event) for mark in lane.marks], [
        (s.kind, s.words, s.first, s.last) for s in lane.spans
    ]


def test_several_amounts_in_one_cell_are_added_up_and_told_apart_in_words() -> None:
    changes = (("damage", "−9"), ("healing", "+8"), ("healing", "+6"), ("damage", "−2 non-lethal"))
    marks = (Mark(2, "act", "attack axe", 4), *(Mark(2, kind, words, 5) for kind, words in changes))
    _, row, legend = drawn(segments(Lane("ana", marks, ())), ana="Ana")
    assert " ".join(row.split()) == "Ana . . A+5-2n . . . . . . . attack axe; -9, +8 and +6 in 3"
    assert " ".join(legend.split()) == "A acts n non-lethal damage"
