"""The picture of a round in text, as `show` and `replay` print it: the lanes that the page and the drawing have, too."""

from pathlib import Path

import pytest

from encounterlog.ask import show as page
from encounterlog.words import layout
from encounterlog.words.layout import width
from projections.views.lane_shapes import Column, Lane, Lanes, Mark, Span
from tests.encounterlog.support import encounter, opened


def drawn(lanes: Lanes, **called: str) -> list[str]:
    return [line.rstrip() for line in page.draw_lanes(lanes, called)]


def segments(*lanes: Lane, together: tuple[str, ...] = ()) -> Lanes:
    columns = [Column("", "", number, 0) for number in range(1, 11)]
    columns[2] = Column("", "", 3, 0, (together,) if together else ())
    return Lanes(1, tuple(columns), lanes, {})


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    monkeypatch.setattr(layout, "room", lambda: request.param)
    wide: int = request.param
    return wide


CURSE = Span(1, 4, "spoiled", "cast curse", 5, "spoiled", due=6)


def test_marks_spans_and_amounts_are_drawn_in_their_cells() -> None:
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
    act = Mark(2, "act", "attack axe", 5, "done")
    assert drawn(segments(Lane("ana", (act,), ()), Lane("bo", (act,), ()), together=("ana", "bo")))[1:] == [
        "  ana                 . . A& . . . . . .  .  attack axe",
        "  bo                  . . A& . . . . . .  .  attack axe",
        "    A acts  & at once",
    ]
    held = Span(0, 3, "concentration", "bless", 4, from_before=True)
    assert drawn(segments(Lane("ana", (), (held,))))[1] == "  ana                 = = = = . . . . .  ."
    changes = (("damage", "−9"), ("healing", "+8"), ("healing", "+6"), ("damage", "−2 non-lethal"))
    several = (Mark(2, "act", "attack axe", 4), *(Mark(2, kind, words, 5) for kind, words in changes))
    _, row, legend = drawn(segments(Lane("ana", several, ())), ana="Ana")
    assert " ".join(row.split()) == "Ana . . A+5-2n . . . . . . . attack axe; -9, +8 and +6 in 3"
    assert " ".join(legend.split()) == "A acts n non-lethal damage"
    assert drawn(segments(Lane("ana", (), ()))) == []
    assert drawn(Lanes(0, (Column("", "", 0, 0),), (Lane("ana", (Mark(0, "damage", "−1", 3),), ()),), {})) == []


@pytest.mark.parametrize("columns", [40], indirect=True)
def test_a_long_name_gives_way_to_the_ticks(columns: int) -> None:
    name = "Sir Halvaine of the Very Long and Winding River"
    found = drawn(segments(Lane("halvaine", (), (CURSE,))), halvaine=name)
    assert all(width(line) <= columns for line in found)
    assert any("…" in line for line in found)


def test_a_round_can_be_followed_by_somebody_who_did_not_type_it(folder: Path) -> None:
    log = folder / "crypt.jsonl"
    opened(log, "osric", "The crypt")
    for line in ("join mira party hp=9", "join ghoul foes hp=8", "surprised", "r", "d mira web 3 ghoul", "ghoul holds"):
        encounter("add", log, line)
    before = encounter("show", log).stdout
    assert [" ".join(line.split()) for line in before.splitlines() if " dD " in line] == [
        "mira dD cast web on ghoul due",
        "ghoul dD hold due",
    ]
    for line in ("p5 f3", "mira", "seg 8", "effect web by mira on ghoul"):
        encounter("add", log, line)
    after = encounter("show", log, "--all").stdout
    assert "segment 6 mira effect web done, typed in segment 8" in " ".join(after.split())
    assert after.count("effect web") == 1


def test_an_effect_typed_in_a_later_turn_stands_where_it_is_due(folder: Path) -> None:
    log = opened(folder / "wood.jsonl", "semiautomagic", "The wood")
    lines = ("lum", "lum cast mist time=4 delay=2", "ana", "ana move 1", "effect mist by lum on ana")
    for line in ("join lum raiders hp=16", "join ana heroes hp=22", "i lum12 ana9", *lines):
        encounter("add", log, line)
    shown = " ".join(encounter("show", log, "--all").stdout.split())
    assert "turn 1 second 6 lum effect mist done, typed in turn 2" in shown
    assert shown.count("effect mist") == 1


def test_a_held_act_of_which_nothing_is_said_is_called_an_act(folder: Path) -> None:
    log = opened(folder / "ford.jsonl", "5e", "The ford")
    for line in ("join Ana party hp=16", "join goblin foes", "r", "i ana=12 goblin=9", "next", "ana readies", "next"):
        encounter("add", log, line)
    shown = " ".join(encounter("show", log, "--all").stdout.split())
    assert "Ana act (action) held" in shown
    assert "other" not in shown


def test_a_dash_means_none_in_every_text(folder: Path) -> None:
    log = opened(folder / "ford.jsonl", "5e", "The ford")
    for line in ("join Ana party", "r", "i ana=12", "next"):
        encounter("add", log, line)
    assert "1 - the encounter" in " ".join(encounter("log", log).stdout.split())  # no round
    assert "| Ana | 12 | unknown | - |" in encounter("export", "markdown", log).stdout  # no condition
    assert ["ana.name", "-", "Ana"] in [
        row.split()[:3] for row in encounter("diff", log, "@1", "@5").stdout.splitlines()
    ]
    shown = encounter("show", log, "--all").stdout
    assert not [row for row in shown.splitlines() if "-" in row.split()]
