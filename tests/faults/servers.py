"""Private database servers for the campaign: between them and whoever uses them, a line that can be cut; and a pool."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

from eventstore.address import Url
from eventstore.postgres import keeping
from eventstore.postgres.connections import Database
from eventstore.postgres.migrating import migrate_tables
from eventstore.postgres.store import PostgresStore
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults.campaign import NotTried
from tests.servers import NoServer, Server

Cut = Literal["before it arrives", "in the middle of it", "before the answer"]
"""When a connection is cut: with nothing, half or all of what was sent at the server."""
AFTER: Cut = "before the answer"
"""The cut after which the server has done what it was asked."""
_SOCKET = ".s.PGSQL.5432"
_POOL = """
[databases]
* = host={server} user=postgres
[pgbouncer]
listen_port = 5432
listen_addr =
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = 2
logfile = {folder}/log
ignore_startup_parameters = extra_float_digits,options
"""


@cache
def private() -> Server:
    """Return the campaign's own server, with tables in it; raise NotTried where there is none."""
    try:
        made = Server()
    except NoServer as reason:
        raise NotTried(str(reason)) from None
    with Database(Url(made.url())) as database:
        migrate_tables(database)
    return made


def begun(name: str, server: Server | None = None) -> Url:
    url = Url((server or private()).url())
    log = url.at(*url.segments, name)
    with Database(url) as database:
        if name in keeping.list_names(database):
            keeping.remove_log(database, log, name, PostgresStore(database, name).head())
        keeping.create_log(
            database, log, name, log_of(drafts(OPENING), rounds(1, 1), rounds(2, 1)).splitlines(keepends=True)
        )
    return log


@contextmanager
def opened(url: Url, **how: float) -> Iterator[PostgresStore]:
    with Database(url, **how) as database:  # type: ignore[arg-type]
        yield PostgresStore(database, url.name)


class Line:
    def __init__(self, server: Server) -> None:
        self._server, self._folder = server, Path(tempfile.mkdtemp(prefix="line-"))
        self._word, self._cut = b"", ""
        self._open = socket.socket(socket.AF_UNIX)
        self._open.bind(str(self._folder / _SOCKET))
        self._open.listen(64)
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def address(self, log: Url) -> Url:
        return Url(log.given.replace(quote(str(self._server.folder), safe=""), quote(str(self._folder), safe="")))

    def cut(self, word: bytes, when: Cut) -> None:
        """Cut the next connection on which this word is sent."""
        self._word, self._cut = word, when

    @property
    def is_whole(self) -> bool:
        return not self._word

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._open.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with closing(client), closing(server), suppress(OSError):
            server.connect(str(self._server.folder / _SOCKET))
            threading.Thread(target=_pump, args=(server, client), daemon=True).start()
            while data := client.recv(1 << 20):
                if self._word and self._word in data:
                    self._word = b""
                    _shut(client)
                    self._last(server, data)
                    return
                server.sendall(data)
            _shut(server)

    def _last(self, server: socket.socket, data: bytes) -> None:
        """Send what is still to arrive, and wait until the server has dealt with it."""
        if self._cut == "before it arrives":
            return
        server.sendall(data if self._cut == "before the answer" else data[: len(data) // 2])
        time.sleep(0.1)  # the answer comes to nobody


def _pump(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 20):
            to.sendall(data)
        _shut(to)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def pool(server: Server) -> Iterator[Url]:
    """Run PgBouncer before a server: each transaction on another one of two connections; give its address. Raise NotTried."""
    program = shutil.which("pgbouncer")
    if program is None:
        raise NotTried("no PgBouncer is installed")
    folder = Path(tempfile.mkdtemp(prefix="pool-"))
    (folder / "ini").write_text(_POOL.format(server=server.folder, folder=folder))
    who = {"user": "postgres", "group": "postgres"} if not os.geteuid() else {}
    if who:
        for path in (folder, folder / "ini"):
            shutil.chown(path, "postgres", "postgres")
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([program, str(folder / "ini")], stdout=quiet, stderr=quiet, cwd="/", **who)  # type: ignore[call-overload]
    try:
        for _ in range(200):
            if (folder / _SOCKET).exists():
                break
            time.sleep(0.05)
        yield Url(server.url().replace(quote(str(server.folder), safe=""), quote(str(folder), safe="")))
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)
