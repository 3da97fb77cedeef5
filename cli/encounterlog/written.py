"""The note that this process has written anything but its output; the exit code of any later failure says so."""

_done: list[str] = []
"""The notes: one word is enough."""


def note_written() -> None:
    """Note that something was written."""
    _done[:] = ["written"]


def has_written() -> bool:
    """Return whether this process has written anything but its output."""
    return bool(_done)
