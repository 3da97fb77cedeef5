"""`encounter replay` at a terminal: what is on the screen, what the keys do, and a real pseudo-terminal around it."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from encounterlog.cli.look import ENDS, MOVES, SCROLLS, Stepper
from encounterlog.log.logs import LogView
from encounterlog.words.layout import WIDTH, width
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import append, encounter, fingerprint, log_of, opened, quarrel
from tests.encounterlog.terminals import CTRL_C, Terminal, seen

FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana\\u001b[31m","sheet":{"hp":14}}
{"type":"round_started","round":1}
{"type":"turn_started","combatant":"ana"}
{"type":"damage_dealt","target":"ana","amount":4}
{"type":"round_started","round":2}
{"type":"damage_dealt","target":"ana","amount":7}
"""
TEN = "osric/s12-ten-in-three-rounds"
ROWS = 24


@pytest.fixture
def log(folder: Path) -> Path:
    return log_of(folder / "a.jsonl", FOUGHT, "plain", "A fight")


def screen(stepper: Stepper, rows: int = ROWS) -> list[str]:
    return [str(line) for line in stepper.lines(rows)]


def press(stepper: Stepper, *keys: str) -> list[str]:
    assert all(stepper.press(key) for key in keys)
    return screen(stepper)


def top(stepper: Stepper, *keys: str) -> str:
    return press(stepper, *keys)[0]


def damage(log: Path) -> None:
    append(log, '{"type":"noted","text":"the end"}')
    log.write_bytes(log.read_bytes().replace(b"the end", b"the odd"))


# ---------------------------------------------------------------- what the keys do


def test_keys_go_to_points_and_ends_and_unknown_ones_are_answered(log: Path) -> None:
    stepper = Stepper(LogView(str(log)))
    assert press(stepper, "g", "r", "9")[-1] == "go to (12, r2, r2s5, s1, r3.ana): r9_"
    assert press(stepper, "backspace", "1", "enter")[0].startswith("step 4 of 6")
    assert press(stepper, "g", *"99", "enter")[-1] == "this log has no record 99"
    assert press(stepper, "g", *"soon", "enter")[-1] == "'soon' names no point"
    assert press(stepper, "g", *f"5:{'0' * 64}", "enter")[-1].startswith(f"{log}: record 5"[: WIDTH - 2])
    assert press(stepper, "g", "r", "escape")[0].startswith("step 4 of 6")
    assert press(stepper, "g", "enter")[0].startswith("step 4 of 6")
    stepper = Stepper(LogView(str(log)))
    assert press(stepper, "p")[-1] == "this is the beginning"
    assert press(stepper, ">", "n")[-1] == "this is the last event"
    assert press(stepper, "x")[-1].startswith("no such key: ")
    assert [stepper.press(key) for key in ("q", "escape", "quit")] == [False] * 3


def test_the_state_scrolls_and_a_log_that_grows_goes_on(folder: Path, log: Path) -> None:
    stepper = Stepper(LogView(str(fixture(folder, TEN))))
    whole = press(stepper, ">")
    assert re.fullmatch(r"\.\.\. \d+ lines more: j", whole[-2])
    lower = press(stepper, *["j"] * 99)
    assert lower != whole
    assert "lines more" not in lower[-2]
    assert press(stepper, *["k"] * 99) == whole
    assert press(stepper, "j", "p", "n") == whole
    stepper = Stepper(LogView(str(log)))
    press(stepper, ">", "n")
    append(log, '{"type":"damage_dealt","target":"ana","amount":1}')
    assert top(stepper, "n").startswith("step 7 of 7, record 8")
    append(log, '{"type":"struck","event":8}')
    told = press(stepper, "n")
    assert told[0].startswith("step 6 of 6, record 7")
    assert told[-1] == "the log has grown to record 9"


def test_findings_of_an_event_and_records_left_out_are_told_with_it(folder: Path) -> None:
    log = quarrel(folder / "q.jsonl")
    append(log, '{"type":"action_taken","combatant":"halvaine","action":{"kind":"attack","targets":["orc-1"]}}')
    stepper = Stepper(LogView(str(log)))
    assert any(line.startswith("  breach ") for line in press(stepper, ">"))
    append(log, '{"event":{"type":"noted","text":"she lies"},"secret":true}')
    assert encounter("export", "jsonl", log, "--to", "cut.jsonl", "--withhold", "secret").exit_code == 0
    told = press(Stepper(LogView(str(folder / "cut.jsonl"))), ">")
    assert "  record 21 is left out: withheld, or of an unknown type" in told


# ---------------------------------------------------------------- logs of all kinds


def test_early_new_and_damaged_logs_are_stepped_through(log: Path, folder: Path) -> None:
    stepper = Stepper(LogView(str(log), as_of=5))
    assert press(stepper, ">", "n")[-1] == "this is the last event"
    assert top(stepper).startswith("step 4 of 4, record 5")
    stepper = Stepper(LogView(str(opened(folder / "new.jsonl"))))
    assert [top(stepper, key) for key in ("n", "R", ">")] == ["step 0 of 0: the log is opened"] * 3
    damage(log)
    told = press(Stepper(LogView(str(log))), ">")
    assert told[0].startswith("step 6 of 6")
    assert "  the rest of the log is damaged: encounter verify FILE" in told


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Stepper:
    return Stepper(LogView(str(log_of(tmp_path_factory.mktemp("kept") / "a.jsonl", FOUGHT, "plain"))))


@given(st.lists(st.sampled_from([*MOVES, *ENDS, *SCROLLS, "g", "1", "r", "escape", "f5", "\x00"]), max_size=25))
def test_whatever_is_pressed_the_screen_fits(kept: Stepper, keys: list[str]) -> None:
    for key in keys:
        kept.press(key)
        for rows in (1, 2, 5, ROWS):
            lines = screen(kept, rows)
            assert len(lines) <= rows
            assert all(width(line) <= WIDTH for line in lines)


# ---------------------------------------------------------------- at a pseudo-terminal


@pytest.fixture
def terminal(log: Path) -> Iterator[Terminal]:
    made = Terminal("replay", log, ready="quit")
    made.prompt()
    yield made
    made.close()


LEAVES = "\x1b[?1049l"
"""What brings back the screen that was there before."""


def test_keys_typed_at_a_terminal_move_and_q_leaves_it_as_it_was(terminal: Terminal, log: Path) -> None:
    before = fingerprint(log)
    terminal.sends("nnnn")
    terminal.until("10 of 14 hp")
    terminal.sends("\x1b[C\x1b[C")
    terminal.until("3 of 14 hp")
    terminal.sends("q")
    assert LEAVES in terminal.until("1049l")
    assert (terminal.end(), fingerprint(log)) == (0, before)


def test_a_narrowed_terminal_is_drawn_anew_and_obeys_no_name(terminal: Terminal) -> None:
    terminal.sends("n")
    terminal.until("14 of 14 hp")
    terminal.child.setwinsize(10, 36)
    told = terminal.until("j k q")
    assert "\x1b[31m" not in told
    assert "Ana\\x1b[31m" in seen(told)
    terminal.sends("q")
    assert terminal.end() == 0


@pytest.mark.slow
def test_ctrl_c_and_a_signal_to_end_leave_the_screen_as_it_was(terminal: Terminal, log: Path) -> None:
    terminal.sends(CTRL_C)
    assert LEAVES in terminal.until("1049l")
    assert terminal.end() == 0
    other = Terminal("replay", log, ready="quit")
    other.prompt()
    other.child.kill(signal.SIGTERM)
    assert LEAVES in other.until("1049l")
    other.close()


@pytest.mark.slow
def test_an_error_is_told_before_anything_is_drawn(log: Path, folder: Path) -> None:
    for words, code in ((("--at", "99"), 2), (("--as-of", "99"), 2)):
        done = Terminal("replay", log, *words, ready="\n")
        assert "1049h" not in done.until("no record 99")
        assert done.end() == code
    (folder / "empty.jsonl").write_bytes(b"")
    empty = Terminal("replay", folder / "empty.jsonl", ready="\n")
    assert empty.end() == 3


def test_a_damaged_log_is_reported_when_the_screen_is_left(log: Path) -> None:
    damage(log)
    terminal = Terminal("replay", log, ready="quit")
    terminal.prompt()
    terminal.sends("q")
    assert "its event was changed" in seen(terminal.until("the digest"))
    assert terminal.end() == 3
