"""A PostgreSQL server for tests: the one at ENCOUNTER_TEST_POSTGRES, or a private one from the installed binaries.

A private server is in a temporary folder and listens on a socket in it alone; it is stopped with the process that started it.
"""

import atexit
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from eventstore.address import Url
from eventstore.postgres.connections import Database
from eventstore.postgres.migrating import migrate_tables

GIVEN = "ENCOUNTER_TEST_POSTGRES"
"""The variable with the address of a server, such as postgresql://postgres@127.0.0.1/test; schemas are made in it."""
WHERE = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql@*/bin")
_numbers = itertools.count()


class NoServer(Exception):
    """The reason why there is no server to test with."""


class Server:
    """A private server. It can be stopped, killed and started again, and its folder copied while it is stopped."""

    def __init__(self, *settings: str, at: Path | None = None) -> None:
        self._programs, self._who = programs(), "postgres" if not os.geteuid() else None
        self._settings = settings
        if at is not None:
            at.chmod(at.stat().st_mode | 0o111)  # for the server is somebody else
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=at))
        if self._who:
            shutil.chown(self.folder, self._who, self._who)
        self.data = self.folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.remove)
        self._run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "-D", self.data)
        self.start()

    def url(self, database: str = "postgres", *, user: str = "postgres", more: str = "") -> str:
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder), safe='')}{more}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = (
            "listen_addresses=",
            f"unix_socket_directories={self.folder}",
            "shared_buffers=16MB",
            *self._settings,
        )
        words = [word for each in settings for word in ("-c", each)]
        log = (self.folder / "log").open("ab")
        command = [str(self._programs / "postgres"), "-D", str(self.data), *words]
        self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True, **self._as())
        log.close()
        for _ in range(600):
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    raise NoServer((self.folder / "log").read_text("utf-8")[-500:]) from None
                time.sleep(0.05)
            else:
                return
        raise NoServer("the private server did not start within 30 s")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: by SIGINT quickly, by SIGQUIT as a power cut of the server alone would, by SIGKILL all its processes at once."""
        if self._process is not None:
            if how == signal.SIGKILL:
                children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text("ascii")
                for child in map(int, children.split()):
                    with suppress(ProcessLookupError):
                        os.kill(child, how)
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        self.start()

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: object) -> None:
        command = [str(self._programs / program), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False, **self._as())
        if done.returncode:
            raise NoServer(f"{program} failed: {done.stderr.strip()[-300:]}")

    def _as(self) -> dict[str, Any]:
        """Return the user to run as, because the server refuses to run as root."""
        return {"user": self._who, "group": self._who} if self._who else {}


def programs() -> Path:
    """Return the folder with the programs of a server; raise NoServer if there is none."""
    named = shutil.which("postgres")
    found = [Path(named).parent] if named else sorted(each for where in WHERE for each in Path("/").glob(where[1:]))
    there = [each for each in found if (each / "initdb").exists()]
    if not there:
        raise NoServer(f"no PostgreSQL is installed (initdb, postgres), and {GIVEN} names no server")
    return there[-1]


@cache
def address() -> str:
    """Return the address of a database in which schemas can be made; raise NoServer."""
    return os.environ.get(GIVEN) or Server().url()


@contextmanager
def schema(base: str, *, migrated: bool = True, without: str = "") -> Iterator[Url]:
    """Give the address of a schema of its own in a database, with tables if wanted."""
    name = f"t_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"create schema {name}".encode())
    mark = "&" if "?" in base else "?"
    url = Url(f"{base}{mark}options=-csearch_path%3D{name}{f'&without={without}' if without else ''}")
    try:
        if migrated:
            with Database(url) as database:
                migrate_tables(database)
        yield url
    finally:
        with psycopg.connect(base, autocommit=True) as connection:
            connection.execute(f"drop schema {name} cascade".encode())


def schema_of(url: Url) -> str:
    """Return the name of the schema at an address that `schema` gave."""
    return url.given.partition("search_path%3D")[2].partition("&")[0]
