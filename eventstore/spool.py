"""Sequences too long for memory: the first items are kept there, the others in a temporary file without a name."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, Generic, TypeVar

from eventstore.record import Recorded, decode, encode_record

T = TypeVar("T")

KEPT = 2_000
"""The default number of items that are kept in memory."""
HELD = 1 << 19
"""The largest size of a log whose records are kept in memory, in bytes."""
GROUP = 100
"""The number of items that are written at once."""


def _pickle_items(items: Sequence[Any]) -> bytes:
    import pickle  # takes a while to load, and only for long logs

    return pickle.dumps(items, pickle.HIGHEST_PROTOCOL)


def _unpickle_items(data: bytes) -> Sequence[Any]:
    import pickle

    return pickle.loads(data)  # type: ignore[no-any-return]  # noqa: S301 – nobody else can write into this file


class Spool(Generic[T]):
    """Items in the order of their addition, iterable repeatedly, most of them outside memory.

    `kept` is the most of them in memory, by default KEPT, or by `size` the sum of theirs; `dump` and `load` turn several
    items into bytes and back.
    Only this process can reach the file, which is gone with it.
    """

    def __init__(
        self,
        kept: int | None = None,
        dump: Callable[[Sequence[T]], bytes] = _pickle_items,
        load: Callable[[bytes], Sequence[T]] = _unpickle_items,
        size: Callable[[T], int] = lambda _: 1,
    ) -> None:
        self._room, self._size, self._dump, self._load = KEPT if kept is None else kept, size, dump, load
        self._first: list[T] = []
        self._last: list[T] = []
        self._file: BinaryIO | None = None
        self._ends = [0]
        """The beginning of the first group in the file, and the ends of all groups."""

    def __del__(self) -> None:
        if self._file:
            with suppress(OSError):  # what a full disk has no room for is not needed any more
                self._file.close()

    def __len__(self) -> int:
        return len(self._first) + GROUP * (len(self._ends) - 1) + len(self._last)

    def __iter__(self) -> Iterator[T]:
        return self.items_since(0)

    def items_since(self, place: int) -> Iterator[T]:
        """Yield the items from a place on, counted from 0."""
        while found := self.some_items(place):
            yield from found
            place += len(found)

    def some_items(self, place: int) -> Sequence[T]:
        """Return some of the items from a place on; none at the end."""
        if place < len(self._first):
            return self._first[place:]
        group, within = divmod(place - len(self._first), GROUP)
        return (self._read_group(group) if group < len(self._ends) - 1 else self._last)[within:]

    def append(self, item: T) -> None:
        """Add an item."""
        if self._room > 0:
            self._first.append(item)
            self._room -= self._size(item)
            return
        self._last.append(item)
        if len(self._last) == GROUP:
            self._write_group(self._last)
            self._last = []

    def _read_group(self, group: int) -> Sequence[T]:
        assert self._file is not None  # noqa: S101 – else there would be no group
        start, end = self._ends[group : group + 2]
        self._file.seek(start)
        return self._load(self._file.read(end - start))

    def _write_group(self, group: Sequence[T]) -> None:
        from tempfile import TemporaryFile, gettempdir  # only for long logs

        try:
            self._file = self._file or TemporaryFile()  # noqa: SIM115 – it is kept
            self._file.seek(self._ends[-1])
            self._file.write(self._dump(group))
            self._ends.append(self._file.tell())
        except OSError as error:
            raise OSError(error.errno, error.strerror, gettempdir()) from None


class Once:
    """Verified records that are read from their source once, on demand, and can be iterated repeatedly.

    Every pass yields the same records, even if the source changes.
    """

    def __init__(self, source: Iterable[Recorded]) -> None:
        self._source = iter(source)
        self._read = 0
        self._held = Spool[Recorded](HELD, _encode_records, _decode_records, lambda record: len(encode_record(record)))

    def __len__(self) -> int:
        """Return the number of records read so far."""
        return self._read

    def __iter__(self) -> Iterator[Recorded]:
        held, place = self._held, 0
        while True:
            while found := held.some_items(place):
                yield from found
                place += len(found)
            for record in self._source:
                held.append(record)
                self._read += 1
                yield record
                place += 1
                if self._read > place:  # another pass has read on
                    break
            else:
                return


def _encode_records(records: Sequence[Recorded]) -> bytes:
    return b"".join([encode_record(record) + b"\n" for record in records])


def _decode_records(lines: bytes) -> Sequence[Recorded]:
    return [decode(line) for line in lines.splitlines()]
