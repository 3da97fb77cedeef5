"""A log as a source: it is copied as it stands, from a file or from standard input."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from encounterlog.edge.stores import open_store
from eventstore import files
from eventstore.copying import Copy, Spooled
from eventstore.errors import NotReadable

STDIN = Path("standard input")


def tell(source: Path) -> Copy:
    """Verify a log, that of standard input where the source is -; raise as the store does."""
    return Copy(Spooled(STDIN, _kept()), STDIN) if str(source) == "-" else Copy(open_store(source), source)


def _kept() -> int:
    """Keep what comes in where it can be gone through twice, in a file without a name; return its number."""
    try:
        with tempfile.TemporaryFile() as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
            file.flush()
            return os.dup(file.fileno())
    except OSError as error:
        hint = f"it is kept in {tempfile.gettempdir()} while it is verified"
        raise NotReadable(STDIN, files.reason(error), hint) from None
