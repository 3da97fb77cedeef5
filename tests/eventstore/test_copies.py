"""Copies: whole, independent of one another, and with what is shared."""

import pickle
from threading import Lock

import pytest

from eventstore.copies import Copy


class Leaf:
    pass


class Box:
    def __init__(self, inside: object) -> None:
        self.inside = inside


def is_shared(found: object) -> bool:
    return isinstance(found, Leaf | type) or callable(found)


def test_what_cannot_be_copied_is_said() -> None:
    with pytest.raises((TypeError, pickle.PicklingError)):
        Copy(Box(Lock()), is_shared)
