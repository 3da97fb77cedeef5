"""Fair dice: a chain of links fixed before the first roll, and the faces that a link and a fresh word give.

    link n-1 = SHA-256 of link n (32 bytes each); the commitment is link 0, the secret the last link
    block    = HMAC-SHA-256 of link n over the words  NUMBER:BLOCK:WORD, BLOCK counting from 0
    face     = 1 + x mod sides, of the next four bytes x (big endian) that lie below the largest multiple of sides

Nothing is chosen here: the secret and the word come from the caller. FORMAT.md is the specification.
"""

from collections.abc import Iterator
from hashlib import sha256

LENGTH = 10_000
"""The number of rolls in a chain."""
SIZE = 32
"""The bytes of a link."""


def link_before(link: bytes, steps: int) -> bytes:
    """Return the link that many steps before this one."""
    for _ in range(steps):
        link = sha256(link).digest()
    return link


def link_of(secret: bytes, number: int, length: int = LENGTH) -> bytes:
    """Return the link of a roll by its number, from 1; 0 is the commitment. Raise ValueError beyond the chain."""
    if not 0 <= number <= length:
        raise ValueError(f"the chain has {length} links, and roll {number} is beyond them")
    return link_before(secret, length - number)


def faces_of_link(link: bytes, number: int, word: str, sides: int, count: int) -> tuple[int, ...]:
    """Return the faces of that many dice of that many sides, each face equally probable."""
    limit = (1 << 32) // sides * sides
    values = (value for value in _random_numbers(link, number, word) if value < limit)
    return tuple(1 + next(values) % sides for _ in range(count))


def _random_numbers(link: bytes, number: int, word: str) -> Iterator[int]:
    from hmac import digest  # slow to load, and needed only to draw or check

    block = 0
    while True:
        drawn = digest(link, f"{number}:{block}:{word}".encode(), "sha256")
        for start in range(0, SIZE, 4):
            yield int.from_bytes(drawn[start : start + 4], "big")
        block += 1


def steps_between(earlier: bytes, later: bytes, most: int) -> int | None:
    """Return the number of steps from one link to another, up to `most`; None if they are not connected."""
    steps = 0
    while earlier != later:
        if steps == most:
            return None
        later, steps = link_before(later, 1), steps + 1
    return steps
