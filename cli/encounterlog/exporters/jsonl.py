"""The log itself, line by line."""

from collections.abc import Iterator

from encounterlog.exporters.session import Session
from eventstore.copying import encode_lines


def write(session: Session) -> Iterator[bytes]:
    """Yield the lines of a log."""
    return encode_lines(session.copy)
