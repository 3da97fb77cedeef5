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


def test_a_copy_stays_as_it_was_and_others_come_of_it() -> None:
    box = Box([1, {"a": [2]}])
    copy = Copy(box, is_shared)
    box.inside = "other"
    one, other = copy.read(), copy.read()
    assert one.inside == other.inside == [1, {"a": [2]}]
    assert one.inside is not other.inside


def test_what_is_shared_is_the_thing_itself_and_what_stands_twice_is_one_thing() -> None:
    inside, function = Leaf(), lambda: 3
    twice = [4]
    one = Copy(Box([inside, function, twice, twice]), is_shared).read()
    assert isinstance(one.inside, list)
    assert (one.inside[0] is inside, one.inside[1] is function, one.inside[2] is one.inside[3]) == (True, True, True)
    assert one.inside[2] is not twice


def test_what_cannot_be_copied_is_said() -> None:
    with pytest.raises((TypeError, pickle.PicklingError)):
        Copy(Box(Lock()), is_shared)
