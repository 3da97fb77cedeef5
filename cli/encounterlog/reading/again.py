"""Reading a long log again in one run of a command: what its first pass verified need not be verified twice.

That holds only while the file is the same one, of the same size, and was last changed when it was before that pass: long enough
ago that another change would give it another time.
"""

import os
import stat
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from encounterlog.edge.progress import watched
from eventstore.address import Address
from eventstore.disk import BUFFER, MACHINE
from eventstore.errors import NotReadable
from eventstore.record import Recorded, decode

SETTLED = 2.0
"""How long ago a file must have changed, in seconds, so that another change would give it another time."""
State = tuple[int, ...]


def state(path: Address) -> State | None:
    """Return what identifies a file as it is, its times last; None if it is none, or may still be changing."""
    if not isinstance(path, str):
        return None
    try:
        found = _state_of(MACHINE.stat(path))
    except (OSError, ValueError):
        return None
    return found if found and time.time_ns() - max(found[-2:]) > SETTLED * 1e9 else None


def records(path: str, count: int, unchanged: State) -> Iterator[Recorded]:
    """Yield the first records of a log that were verified; raise NotReadable if the file is not as it was then."""
    try:
        with Path(path).open("rb", buffering=BUFFER) as file:
            if _state_of(os.fstat(file.fileno())) == unchanged:
                yield from watched(map(decode, islice(file, count)), file)
                if _state_of(os.fstat(file.fileno())) == unchanged:
                    return
    except (OSError, ValueError):
        pass
    raise NotReadable(path, "was changed while it was read", "read it again")


def _state_of(status: os.stat_result) -> State | None:
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
