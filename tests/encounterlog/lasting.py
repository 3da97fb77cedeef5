"""Work that lasts, in a module by itself: a worker says who it is over a connection, which ends when the worker does."""

import os
import socket
import time

from encounterlog.bulk.checking import AuditedLog, How, Task
from encounterlog.bulk.running import run_tasks
from encounterlog.cli.main import run_and_exit, run_until_stopped
from tests.waiting import LONGEST

WORK = 5 * LONGEST
"""How many seconds the work lasts: longer than a test waits for its end, and it ends if nobody ends it."""


def lasting(task: Task) -> AuditedLog:
    """Connect to the port that is named as `by`, and compute without a pause."""
    with socket.create_connection(("127.0.0.1", int(task.by))) as connection:
        connection.sendall(f"{os.getpid()}\n".encode())
        until = time.monotonic() + WORK
        while time.monotonic() < until:
            sum(range(10_000))
    return AuditedLog(task.log)


def main(engine: str, jobs: int, port: int) -> None:
    """Work on many logs as a command does, until a signal ends it."""
    tasks = [Task(f"{number}.jsonl", by=str(port)) for number in range(jobs * 40)]
    run_and_exit(lambda: run_until_stopped(lambda: list(run_tasks(tasks, How(engine, jobs), lasting))), bool)
