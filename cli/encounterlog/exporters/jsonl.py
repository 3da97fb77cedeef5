"""The log itself, line by line."""

from collections.abc import Iterator

from eventstore.copying import Copy, lines


def write(copy: Copy) -> Iterator[bytes]:
    """Yield the lines of a log."""
    return lines(copy)
