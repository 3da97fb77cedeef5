"""`encounter play`, driven through a real pseudo-terminal and through a pipe."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from encounterlog.cli.editing import defer_interrupts
from eventstore.jsonl import JsonlStore
from tests.encounterlog.support import encounter
from tests.encounterlog.terminals import CTRL_C, CTRL_D, ENTER, TAB, UP, WHY, Terminal, ford
from tests.few import few


@pytest.fixture
def log(folder: Path) -> Path:
    return ford(folder / "ford.jsonl", "surprised")


@pytest.fixture
def terminal(log: Path) -> Iterator[Terminal]:
    made = Terminal("play", log)
    made.prompt()
    yield made
    made.close()


@pytest.fixture
def plain(log: Path) -> Iterator[Terminal]:
    made = Terminal("play", "--plain", log, ready="\n> ")
    made.prompt()
    yield made
    made.close()


def events(log: Path) -> list[str]:
    return [type(record.event).__name__ for record in JsonlStore(log).read()]


def test_a_round_with_typo_ambiguity_undo_and_kill_loses_no_line(terminal: Terminal, log: Path) -> None:
    assert "round 1 begins" in terminal.types("r")
    assert "Mira will cast web on Ogre" in terminal.types("d m web 3 o")
    assert "initiative for foes: 3" in terminal.types("p5 f3")
    assert "clock: segment 3 comes" in terminal.types("m")
    assert "hit, 6 damage" in terminal.types("b o 14 6")
    typo = terminal.types("o atacks mira 17 7")
    assert '"atacks" is not understood' in typo
    assert "write `o attacks mira 17 7`" in typo.lower()
    assert "g can be goblin-1 or goblin-2" in (asked := terminal.types("g b 4"))
    assert "write more of the name" in asked
    assert "hit, 7 damage" in terminal.types("o m 17 7")
    assert "is struck" in terminal.types("u")
    assert "hit, 5 damage" in terminal.types("o m 17 5")
    assert "Mira concentrates on nothing" in terminal.types("?m")
    assert "goblin-1 attacks Brand: rolls 4, miss" in terminal.types("g1 b 4")
    terminal.sends("g2 b 3")
    terminal.until("g2 b 3")
    terminal.child.kill(signal.SIGKILL)
    terminal.close()
    assert encounter("verify", log).exit_code == 0
    blow = ["ActionTaken", "AttackRolled"]
    assert events(log)[-6:] == ["SegmentReached", *blow, "DamageDealt", *blow]
    assert events(log).count("Struck") == 4
    again = Terminal("play", log)
    try:
        assert "Mira 4" in again.prompt() + again.types("g2 b 3")
    finally:
        again.close()


def test_what_breaks_a_rule_is_said_at_once_and_explained_at_a_key(terminal: Terminal) -> None:
    terminal.types("r")
    assert "breach" in terminal.types("r 7")
    terminal.sends(WHY)
    assert "Round 7 begins, but round 2 is next" in (said := terminal.prompt())
    assert "round.next-declarations" in said


def test_a_line_that_is_offered_for_a_secret_one_is_secret(terminal: Terminal, log: Path) -> None:
    assert "`secret b attacks o 14 6`" in terminal.types("secret b atacks o 14 6")
    assert "Ogre takes 6 damage" in terminal.types("")
    assert [record.secret for record in JsonlStore(log).read()][-2:] == [True, True]


def test_the_lines_of_a_pipe_and_of_a_paste_are_offered_without_a_key(terminal: Terminal, log: Path) -> None:
    assert "Enter writes" not in encounter("play", log, stdin="b atacks o 14 6\n\t\n\n1\n").stderr
    terminal.sends(f"\x1b[200~b atacks o 14 6\nb -1\x1b[201~{ENTER}")
    assert "Enter writes" not in terminal.prompt()


@few(2, ("key", "code"), [("1", 0), (ENTER, 0), ("n", 4), ("2", 4)])
def test_add_at_a_terminal_asks_for_a_key_and_writes_the_offer(log: Path, key: str, code: int) -> None:
    before = events(log)
    asked = Terminal("add", log, "b", "atacks", "o", "14", "6")
    try:
        assert '"atacks" is not understood' in asked.until("Enter writes it, any other key nothing")
        assert events(log) == before
        asked.sends(key)
        assert asked.end() == code
        assert (events(log)[-1] == "DamageDealt") == (code == 0)
    finally:
        asked.close()


def test_an_interrupted_line_comes_back_with_the_up_key(terminal: Terminal, log: Path) -> None:
    before = events(log)
    terminal.sends("b -3")
    terminal.until("3")
    terminal.sends(CTRL_C)
    assert "nothing was written" in terminal.until("quit ends")
    terminal.prompt()
    assert events(log) == before
    terminal.sends(UP)
    terminal.until("b -3")
    assert "Brand takes 3 damage" in terminal.types("")
    terminal.sends(CTRL_D)
    assert terminal.end() == 0


def test_an_interrupt_waits_until_a_line_is_written_and_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    done = []
    with defer_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("written")
    assert done == ["written"]
    assert "u takes it back" in capsys.readouterr().err


@pytest.mark.slow
def test_a_terminal_of_20_columns_shows_who_is_next(log: Path) -> None:
    terminal = Terminal("play", log, columns=20)
    try:
        terminal.prompt()
        terminal.types("r")
        terminal.sends("p3 f5\r")
        terminal.until("r1.*→Ogr")
        assert "takes" in terminal.types("b -1")
        terminal.sends("quit\r")
        assert terminal.end() == 0
    finally:
        terminal.close()


def test_plain_sends_no_commands_and_says_only_what_is_new(plain: Terminal) -> None:
    plain.sends("r\r")
    sent = plain.until("\n> ")
    assert re.sub(r"\W+", " ", sent).strip() == "r 8 round 1 begins"
    plain.sends(f"bra{TAB}-1\r")
    assert "Brand takes 1 damage" in (more := plain.until("\n> "))
    assert "\x1b" not in sent + more


def test_lines_of_standard_input_are_told_one_by_one(log: Path) -> None:
    done = encounter("play", log, stdin="r\nbogus 👍 line\n“Brand” said ‘no’\nb -1\n")
    assert done.exit_code == 4
    assert "bogus" in done.stderr
    assert "Brand takes 1 damage" in done.stdout
    assert events(log)[-3:] == ["RoundStarted", "Noted", "DamageDealt"]
    assert encounter("play", log, stdin="b -1\nquit\nbogus\n").exit_code == 0
