"""The description and the example line of each type of fact."""

import inspect

from eventstore.events import Fact


def example(kind: type[Fact]) -> str:
    """Return the example line for a type of fact."""
    return inspect.cleandoc(kind.__doc__ or "").rpartition("\n")[2].strip()


def says(kind: type[Fact]) -> str:
    """Return the description of a type of fact, one sentence."""
    return inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]
