"""A look ahead: the round that a log seems to have reached, by its last bytes, so that it need not be read for that alone.

It is a guess, of which nothing is verified. Whoever goes by it finds out while the log is read whether it was right.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from eventstore.disk import BUFFER
from eventstore.shapes import LARGEST

TAIL = 1 << 20
"""How many bytes are looked at."""
BEGUN = re.compile(rb'"event":\{"type":"round_started","round":(\d{1,9})\}')


def round_reached(path: str) -> int:
    """Return the round that was begun last, as the end of a file says; the largest where it says nothing."""
    found: list[bytes] = []
    with suppress(OSError, ValueError), Path(path).open("rb", buffering=BUFFER) as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
        found = BEGUN.findall(file.read(TAIL))
    return int(found[-1]) if found else LARGEST
