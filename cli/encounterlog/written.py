"""Whether this process has written anything besides its output: whatever fails from then on, its exit code says so."""

_done: list[str] = []
"""What was written: one word is enough."""


def note_written() -> None:
    """Note that something was written."""
    _done[:] = ["written"]


def has_written() -> bool:
    """Return whether this process has written anything besides its output."""
    return bool(_done)
