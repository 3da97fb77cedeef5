"""The parts of the program that are installed only on demand, and the way to install them."""

from encounterlog.errors import Kind, Refused


def missing(kind: Kind, says: str, extra: str) -> Refused:
    """Return the error that an extra is not installed, with the way to install it."""
    return Refused(kind, says, how(extra))


def how(extra: str) -> str:
    """Return how an extra is installed: from the clone, as no package index has Encounterlog."""
    return f"in the clone of Encounterlog: pip install '.[{extra}]'; from elsewhere: pip install '/path/of/the/clone[{extra}]'"
