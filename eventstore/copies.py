"""Copies of objects with all their contents, except shared objects."""

import io
import pickle
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Copy(Generic[T]):
    """A copy of an object as it is now, from which any number of others can be made; `is_shared` says which objects are not copied."""

    def __init__(self, found: T, is_shared: Callable[[object], bool]) -> None:
        """Copy the object."""
        written = io.BytesIO()
        writer = _Writer(written, is_shared)
        writer.dump(found)
        self._bytes, self._shared = written.getvalue(), writer.shared

    def read(self) -> T:
        """Return another copy."""
        return _Reader(io.BytesIO(self._bytes), self._shared).load()  # type: ignore[no-any-return]


def _shared_object(place: int) -> object:
    """Stand for a shared object in the pickled bytes; the reader has the objects themselves."""
    raise LookupError(place)


class _Writer(pickle.Pickler):
    """A pickler that collects the shared objects in `shared`, and writes their places in it."""

    def __init__(self, written: io.BytesIO, is_shared: Callable[[object], bool]) -> None:
        super().__init__(written, pickle.HIGHEST_PROTOCOL)
        self.shared: list[object] = []
        self._places: dict[int, int] = {}
        self._is_shared = is_shared

    def reducer_override(self, found: Any) -> Any:
        """Return how an object is written."""
        place = self._places.get(id(found))
        if place is None:
            if found is _shared_object or not self._is_shared(found):
                return NotImplemented
            place = self._places[id(found)] = len(self.shared)
            self.shared.append(found)
        return _shared_object, (place,)


class _Reader(pickle.Unpickler):
    """An unpickler that puts the shared objects in their places."""

    def __init__(self, written: io.BytesIO, shared: list[object]) -> None:
        super().__init__(written)
        self._shared = shared

    def find_class(self, module: str, name: str) -> Any:
        """Return the function that gives a shared object: the bytes name nothing else, as types are shared, too."""
        if (module, name) != (__name__, _shared_object.__name__):
            raise pickle.UnpicklingError(f"{module}.{name}")
        return self._shared.__getitem__
