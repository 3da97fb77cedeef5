"""What the types of facts say of themselves: a sentence, and an example line."""

import inspect

from eventstore.events import Fact


def example(kind: type[Fact]) -> str:
    """Return the example line of a type of fact."""
    return inspect.cleandoc(kind.__doc__ or "").rpartition("\n")[2].strip()


def says(kind: type[Fact]) -> str:
    """Return in a sentence what a type of fact is."""
    return inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]
