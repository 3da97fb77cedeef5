"""A real server for tests: a process of its own, on a free port of the loopback."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from encounterlog.places.remote import trusted_certificates
from encounterlog.places.shelves import Shelf, open_shelf
from encounterlog.places.tokens import Role, Token
from encounterlog.service.people import mint_token
from eventstore.address import Url
from tests.encounterlog.support import environment
from tests.waiting import LONGEST

PATIENCE = LONGEST
"""How long an answer is waited for, in seconds."""
WAITING_FOR_WORDS = """
from encounterlog.service import streams
begin = streams.Words.__init__
streams.Words.__init__ = lambda words, owner, wait: begin(words, owner, {})
from encounterlog.__main__ import main
main()
"""

SAME_DICE = """
from encounterlog.places import time_and_chance as chance
make_roller = chance.make_roller
chance.make_roller = lambda seed=None: make_roller(seed or {!r})
from encounterlog.__main__ import main
main()
"""


class Served:
    """A service that runs: its folder, where it answers, what it wrote down."""

    def __init__(
        self, folder: Path, process: "subprocess.Popen[str]", port: int, said: list[str], shelf: Shelf
    ) -> None:
        self.folder, self.process, self.port, self.said = folder, process, port, said
        self.name = "ford"
        """The encounter that is meant if none is named."""
        self.shelf = shelf
        self.journal: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def token(self, role: Role, encounter: str | None = None, **given: Any) -> tuple[str, Token]:
        text, token = mint_token(role, self.name if encounter is None else encounter, **given)
        self.shelf.tokens.add(token)
        return text, token

    def client(self, token: str = "", encounter: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        name = self.name if encounter is None else encounter
        base = f"{self.url}/v1/encounters/{name}" if name else self.url
        return httpx.Client(base_url=base, headers=headers, timeout=PATIENCE, verify=trusted_certificates())

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self._reader.join(PATIENCE)

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.journal.extend(self.process.stderr)


@contextmanager
def served(
    folder: Path | Url, *options: object, port: int = 0, quiet: bool = False, word: float | None = None, dice: str = ""
) -> Iterator[Served]:
    """Run `encounter serve` on a folder or a database, until the block ends; it writes down each request unless `quiet`.

    Dice wait `word` seconds for an entropy word, if it is given, and as long as they do for everybody otherwise.
    They show the same in each request if a seed of `dice` is given.
    """
    shelf = folder.given if isinstance(folder, Url) else folder
    run = ["-m", "encounterlog"] if word is None else ["-c", WAITING_FOR_WORDS.format(word)]
    run = ["-c", SAME_DICE.format(dice)] if dice else run
    words = [sys.executable, "-B", *run, "serve", shelf, "--port", port, *options]
    words += [] if quiet else ["--log-requests"]
    process = subprocess.Popen(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    try:
        found, said = _listening(process)
        opened = open_shelf(str(shelf))
        server = Served(Path() if isinstance(folder, Url) else folder, process, found, said, opened)
        try:
            yield server
        finally:
            server.end()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _listening(process: "subprocess.Popen[str]") -> tuple[int, list[str]]:
    said: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"https?://\S+:(\d+);", line):
            return int(found[1]), said
    raise AssertionError(f"it did not begin to serve: {said} {process.stderr.read() if process.stderr else ''}")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
