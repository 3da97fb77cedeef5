"""The lines and files of each room do not rise without a change of `ratchet.toml`, whose commit says why."""

from tests.tools.ratchet import as_toml, counted, risen, written_down


def test_no_room_has_more_files_or_lines_than_are_written_down() -> None:
    found = risen(counted(), written_down())
    assert found == [], "make room, or run python -m tests.tools.ratchet and say in the commit why it rises"


def test_a_figure_that_rises_is_named_and_one_that_falls_is_not() -> None:
    before = {"Python": {"cli": (2, 100), "docs": (1, 5)}}
    assert risen({"Python": {"cli": (2, 101), "docs": (0, 4)}, "TOML": {"cli": (1, 1)}}, before) == [
        "Python in cli: 101 lines, 100 in tests/ratchet.toml",
        "TOML in cli: 1 files, 0 in tests/ratchet.toml",
        "TOML in cli: 1 lines, 0 in tests/ratchet.toml",
    ]
    assert as_toml({"Python": {"cli": (2, 100)}}).endswith('[Python]\n"cli" = [2, 100]\n')
