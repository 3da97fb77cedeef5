"""Where logs are kept: the one place that chooses a store. Today a path is a JSONL file."""

from collections.abc import Sequence
from pathlib import Path

from eventstore import jsonl
from eventstore.record import Draft
from eventstore.store import Store


def open_store(path: Path) -> Store:
    """Return the store of a log; opening changes nothing."""
    return jsonl.JsonlStore(path)


def create_store(path: Path, drafts: Sequence[Draft], *, by: str, at: str) -> Store:
    """Make a log whose first draft opens the encounter, over no other; raise as the store does."""
    return jsonl.create(path, drafts, by=by, at=at)
