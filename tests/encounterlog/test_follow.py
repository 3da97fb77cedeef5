"""encounter log --follow: what log tells, and then what comes, as a process of its own."""

import signal
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Self

import pytest

from eventstore.events import DamageDealt
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from tests.encounterlog.support import append, encounter, environment

AT = "2026-11-20T19:04:05.123456Z"
LONGEST = 20.0
"""How long anything is waited for, in seconds."""

NOTE = '{"type":"noted","text":"%s"}'
HURT = '{"type":"damage_dealt","target":"orc-2","amount":1}'


class Following:
    """Runs `encounter log --follow`, and gives the lines that it prints."""

    def __init__(self, log: Path, *words: str) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, by children too
        self.process = subprocess.Popen(
            [sys.executable, "-m", "encounterlog", "log", str(log), "--follow", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment(),
        )
        self.lines: list[str] = []
        self._came: SimpleQueue[str] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._reader.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait(LONGEST)
        self._reader.join(LONGEST)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def until(self, count: int) -> list[str]:
        while len(self.lines) < count:
            self.lines.append(self._came.get(timeout=LONGEST))
        return self.lines

    def ended(self) -> tuple[int, str]:
        code = self.process.wait(LONGEST)
        self._reader.join(LONGEST)
        while not self._came.empty():
            self.lines.append(self._came.get())
        assert self.process.stderr is not None
        return code, self.process.stderr.read()

    def interrupted(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._came.put(line.rstrip("\n"))


def told(log: Path, *words: str) -> list[str]:
    return encounter("log", log, *words).stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--json",), ("--struck",), ("--struck", "--json")])
def test_it_tells_what_log_tells_and_then_what_comes(log: Path, words: tuple[str, ...]) -> None:
    with Following(log, *words) as following:
        assert following.until(19) == told(log, *words)
        append(log, NOTE % "first" + "\n" + HURT, "--by", "ana")
        assert following.until(21) == told(log, *words)
        append(log, '{"event":{"type":"noted","text":"Somebody listens."},"secret":true}')
        with JsonlStore(log) as store:  # the command would refuse it
            store.append([Draft(DamageDealt(target="stranger", amount=1))], by="gm", at=AT)
        assert following.until(23) == told(log, *words)
        assert following.interrupted() == (0, "")
    assert following.lines == told(log, *words)


CORRECTIONS = """
{"type":"amended","event":19,"replacement":{"type":"damage_dealt","target":"halvaine","amount":1}}
{"type":"struck","event":16,"reason":"another orc"}
{"type":"inserted","after":12,"fact":{"type":"noted","text":"The bridge creaks."}}
{"type":"struck","event":21,"reason":"it was orc 1 after all"}
"""


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_corrections_are_lines_of_their_own(log: Path, words: tuple[str, ...]) -> None:
    with Following(log, *words) as following:
        before = following.until(19)[:]
        for correction in CORRECTIONS.strip().splitlines():
            append(log, correction)
        assert following.until(23)[19:21] == told(log, "--struck", *words)[19:21]
        append(log, HURT)
        append(log, NOTE % "and on" + "\n" + '{"type":"struck","event":24}')
        following.until(26)
        assert following.interrupted() == (0, "")
    assert following.lines[:19] == before
    assert following.lines[23] not in told(log, *words)
    assert following.lines[24] == told(log, *words)[-1]
    if not words:
        wanted = [
            "event 19 is amended: halvaine takes 1",
            "event 16 is struck",
            "put in after event 12: note: The",
            "21",
        ]
        assert all(words in line for words, line in zip(wanted, following.lines[19:], strict=False))
        assert "event 24 is struck" in following.lines[25]


def test_it_ends_when_nobody_reads_any_more(log: Path) -> None:
    command = [sys.executable, "-m", "encounterlog", "log", str(log), "--follow"]
    following = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert following.stdout is not None
    assert following.stderr is not None
    following.stdout.readline()
    following.stdout.close()
    try:
        assert (following.wait(LONGEST), following.stderr.read()) == (0, b"")
    finally:
        following.kill()
        following.stderr.close()


@pytest.mark.parametrize("content", [None, b"", b"Dear diary\n", b"{}\n" * 3])
def test_what_is_no_log_is_refused_as_ever(folder: Path, content: bytes | None) -> None:
    path = folder / "diary.jsonl"
    if content is not None:
        path.write_bytes(content)
    plain, following = encounter("log", path), encounter("log", path, "--follow")
    assert (following.exit_code, following.output) == (plain.exit_code, plain.output)
    assert following.exit_code == 3


def test_wrong_words_are_refused_and_damage_told_with_its_place(log: Path) -> None:
    for words in (("--actor", "halvane"), ("--type", "damage")):
        plain, follows = encounter("log", log, *words), encounter("log", log, "--follow", *words)
        assert (follows.exit_code, follows.stderr) == (plain.exit_code, plain.stderr)
        assert follows.exit_code == 2
    with Following(log) as following:
        following.until(19)
        with log.open("ab") as hand:
            hand.write(b"Dear diary\n")
        code, says = following.ended()
    assert (code, len(following.lines)) == (3, 19)
    assert "line 20" in says
