"""Fault 94: an import is killed in the middle of writing."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from eventstore.address import Url
from eventstore.postgres import keeping
from eventstore.postgres.connections import Database
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.servers import opened, private

LONG = 120
"""How many seconds a case may take before it counts as a hang."""
WRITES = "select 1 from pg_stat_activity where backend_type = 'client backend' and query ilike 'copy record%' and xact_start is not null"
"""Whether an import is writing its lines."""


@fault(94, "an import killed while it writes, into a file and into a database; repeated")
def killed_imports(run: Run) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.jsonl"
        source.write_bytes(log_of(drafts(OPENING), *(rounds(1 + 500 * place, 500) for place in range(40))))
        target = Path(folder) / "into" / "copy.jsonl"
        target.parent.mkdir()
        hit = 0
        for turn in range(run.some(2, 30)):
            with run.within(LONG, f"file, {turn}"):
                hit += _into_file(run, source, target, turn)
        says = f"a file: {hit} killed with a draft beside it"
        with suppress(NotTried):
            log = Url(private().url())
            log, hit = log.at(*log.segments, "copy"), 0
            for turn in range(run.some(2, 30)):
                with run.within(LONG, f"database, {turn}"):
                    hit += _into_database(run, source, log, turn)
            says += f"; PostgreSQL: {hit} killed in their transaction"
        run.counts.remark = says


def _into_file(run: Run, source: Path, target: Path, turn: int) -> bool:
    def drafted() -> bool:
        return any(target.parent.iterdir())

    hit = _killed(run, source, str(target), drafted, turn) and not target.exists()
    whole = source.read_bytes()
    if target.exists() and target.read_bytes() != whole:
        run.breach("I2", f"file, {turn}", "a part of the log is there")
    if not target.exists():
        _import(source, str(target)).wait()
        if target.read_bytes() != whole:
            run.breach("I7", f"file, {turn}", "it could not be repeated")
    for each in target.parent.iterdir():
        each.unlink()
    return hit


def _into_database(run: Run, source: Path, log: Url, turn: int) -> bool:
    case, whole = f"database, {turn}", source.read_bytes()
    with psycopg.connect(private().url(), autocommit=True) as watch, Database(log) as database:
        hit = _killed(run, source, log.given, lambda: bool(watch.execute(WRITES).fetchone()), turn)
        while watch.execute(WRITES).fetchone():  # the server has not noticed yet
            time.sleep(0.01)
        there = "copy" in keeping.list_names(database)
        if not there:
            _import(source, log.given).wait()
        with opened(log) as store:
            if b"".join(store.lines()) != whole or store.verify().problem:
                run.breach("I2" if there else "I7", case, "a part of the log is there, or it could not be repeated")
            keeping.remove_log(database, log, "copy", store.head())
    return hit and not there


def _killed(run: Run, source: Path, target: str, writes: Callable[[], bool], turn: int) -> bool:
    run.counts.cases += 1
    process = _import(source, target)
    while process.poll() is None and not writes():
        time.sleep(0.001)
    time.sleep(run.chance.uniform(0, 0.05) * (turn % 3))
    process.kill()
    return process.wait() < 0


def _import(source: Path, target: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "encounterlog", "import", "jsonl", str(source), target]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
