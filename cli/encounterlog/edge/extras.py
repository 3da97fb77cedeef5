"""The parts of the program that are installed only where somebody wants them, and how they are installed."""

from encounterlog.edge.failures import Failure


def missing(code: int, says: str, extra: str) -> Failure:
    """Return the failure of what needs an extra that is not installed, with the way to install it."""
    return Failure(code, says, how(extra))


def how(extra: str) -> str:
    """Return how an extra is installed: from the clone, as no package index has Encounterlog."""
    return f"in the clone of Encounterlog: pip install '.[{extra}]'; from elsewhere: pip install '/path/of/the/clone[{extra}]'"
