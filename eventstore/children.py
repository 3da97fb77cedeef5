"""Child processes: in them, handles with a lock or connection of the parent are reset."""

import os
from _weakref import ref  # that of weakref, which takes longer to load
from typing import Protocol


class Inherited(Protocol):
    """A handle that a child process must not continue to use."""

    def after_fork(self) -> None:
        """Reset the handle in a child process."""


def lets_go_in_children(handle: Inherited) -> None:
    """Reset a handle in every child process, which would otherwise hold its parent's lock even after the parent's death."""
    _HANDLES.add(ref(handle, _HANDLES.discard))


_HANDLES: set[ref[Inherited]] = set()


def _in_a_child() -> None:
    for each in tuple(_HANDLES):
        if (handle := each()) is not None:
            handle.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_in_a_child)
