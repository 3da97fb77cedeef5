"""SHA-256: Python's own for little, OpenSSL's for much, which is much faster but takes longer to load than a short log to hash."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _hashlib import HASH
    from collections.abc import Callable

    sha256: Callable[..., HASH]
else:
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:  # Python can be built without its own
        from hashlib import sha256  # noqa: F401

MUCH = 1 << 19
"""How many bytes are worth loading OpenSSL."""

_expected = 0


def expect(count: int) -> None:
    """Prepare for so many more bytes: from much in all on, and where OpenSSL is loaded anyway, `sha256` is OpenSSL's."""
    global _expected, sha256  # noqa: PLW0603 – which of two functions that return the same
    _expected += count
    if _expected >= MUCH or "_hashlib" in sys.modules:
        from hashlib import sha256
