"""A log as a source: it is copied byte for byte, from a file, a pipe or standard input, gzipped or not."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from encounterlog.importers.sources import Limits, is_packed, read_lines
from encounterlog.places.stores import open_store
from eventstore import files
from eventstore.address import Url
from eventstore.copying import Copy, read_spooled
from eventstore.errors import CorruptLog, NotALog, NotReadable
from eventstore.form import LONGEST_LINE
from eventstore.record import decode

STDIN = "standard input"

LIMITS = Limits(line=LONGEST_LINE, lines=10_000_000, size=4 << 30)
"""The limits for a source that is not an ordinary file, which is kept on disk while it is verified."""


def read(source: Path | Url) -> Copy:
    """Verify a log (- is standard input); raise what the store raises, or BadSource beyond a limit."""
    if isinstance(source, Url):
        return Copy(open_store(source).read(), source)
    name = str(source)
    if name == "-" or _is_stream(source) or is_packed(source):
        called = STDIN if name == "-" else name
        return Copy(read_spooled(called, _keep_lines_in_file(read_lines(source, LIMITS), called)), called)
    try:
        return Copy(open_store(name, shows=True).read(), name)
    except (CorruptLog, NotALog):
        for _ in read_lines(source, LIMITS._replace(lines=sys.maxsize, size=sys.maxsize)) if source.is_file() else ():
            pass  # so that a line which no log can have is named as that
        raise


def _is_stream(source: Path) -> bool:
    with suppress(OSError):
        mode = source.stat().st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
    return False


def _keep_lines_in_file(found: Iterator[bytes], path: str) -> int:
    try:
        with tempfile.TemporaryFile() as file:
            with suppress(ValueError):  # a line that is no record, after which nothing can be used
                for line in found:
                    file.write(line)
                    decode(line)
            file.flush()
            return os.dup(file.fileno())
    except OSError as error:
        hint = f"it is kept in {tempfile.gettempdir()} while it is verified"
        raise NotReadable(path, files.system_message(error), hint) from None
