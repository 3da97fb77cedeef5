"""SHA-256: Python's own for short logs; OpenSSL's for long ones, which is faster but slow to load."""

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
"""The number of bytes for which loading OpenSSL pays."""

_expected = 0


def expect_bytes(count: int) -> None:
    """Prepare for that many more bytes: `sha256` becomes OpenSSL's for many bytes in all, or if OpenSSL is loaded anyway."""
    global _expected, sha256  # noqa: PLW0603 – which of two functions that return the same
    _expected += count
    if _expected >= MUCH or "_hashlib" in sys.modules:
        from hashlib import sha256
