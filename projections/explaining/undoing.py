"""Undo and redo: which appends of a log can still be undone, and which undone ones can be redone.

An undo is an append of strikes whose reason begins with `undo`; a redo strikes those, with a reason that begins with
`redo`. Anything else that is appended after an undo makes it final.
"""

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from eventstore.events import Struck
from eventstore.record import Recorded
from eventstore.store import STORE
from projections.stream.corrections import absolute

UNDO, REDO = "undo", "redo"

Batch = tuple[int, ...]
"""The records of one append, by their seqs."""


class Undone(Struct, frozen=True):
    """An undo that can be redone: its strikes, and the appends that they struck, the last one first."""

    strikes: Batch
    batches: tuple[Batch, ...]


class Stack(Struct):
    """The appends that can be undone, the oldest first, and the undos that can be redone, the oldest first."""

    done: list[Batch] = []
    undone: list[Undone] = []


def undo_stack(records: Iterable[Recorded]) -> Stack:
    """Return the appends that can be undone and redone, without the opening of a log and the store's own notes."""
    stack = Stack()
    for _, group in groupby(records, key=lambda each: each.seq - (each.batch[0] if each.batch else 1)):
        batch = [each for each in group if each.seq > 1 and each.by != STORE]
        if batch:
            _take_batch(stack, batch)
    return stack


def _take_batch(stack: Stack, batch: list[Recorded]) -> None:
    seqs = tuple(each.seq for each in batch)
    struck = {absolute(each.event, each.seq).event for each in batch if isinstance(each.event, Struck)}
    if _has_reason(batch, UNDO):
        taken = tuple(each for each in reversed(stack.done) if struck.issuperset(each))
        stack.done = [each for each in stack.done if each not in taken]
        stack.undone.append(Undone(seqs, taken))
    elif _has_reason(batch, REDO):
        back = [each for each in stack.undone if struck.issuperset(each.strikes)]
        stack.undone = [each for each in stack.undone if each not in back]
        stack.done += [one for each in reversed(back) for one in reversed(each.batches)]
    else:
        stack.done.append(seqs)
        stack.undone.clear()


def _has_reason(batch: list[Recorded], word: str) -> bool:
    return all(isinstance(each.event, Struck) and (each.event.reason or "").partition(":")[0] == word for each in batch)
