"""Facts typed at a terminal: each line is checked and written immediately."""

import sys
from pathlib import Path

from encounterlog.edge import failures, output
from encounterlog.edge.failures import FINE, REFUSED, Failure
from encounterlog.reading.logs import Log
from encounterlog.writing import appending, raised
from eventstore.errors import StoreError
from eventstore.store import LARGEST_APPEND, Mode

HELP = "one fact per line, as JSON; each is written immediately; Ctrl-D ends"


def run(file: Path, *, by: str, after: int | None, mode: Mode, network_drive: bool) -> int:
    """Append typed facts line by line; a refused line is reported, and the next one is read.

    Returns the exit code: 4 if any line was refused. With `after`, the first fact is written only if the log still ends
    there, and each further one only if nobody else has written meanwhile.
    """
    output.notes([HELP])
    code, number = FINE, 0
    while line := sys.stdin.buffer.readline(LARGEST_APPEND + 1):
        number += 1
        if not line.strip():
            continue
        try:
            facts = appending.facts(line.rstrip(b"\r\n"), number)
            log = Log(file, network_drive=network_drive)
            done = appending.append(log, facts, by=by, after=after, key=None, mode=mode)
        except (Failure, StoreError) as error:
            failure = failures.failure_of(error)
            if failure.code != REFUSED:
                raise
            code = failures.say(failure)
            continue
        after = None if after is None else done.written.last
        output.lines(done.says)
        raised.report(done)
    return code
