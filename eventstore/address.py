"""Addresses of logs: a path, or a URL, whose text never shows a password."""

import re
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

from msgspec import Struct

from eventstore.errors import Malformed

FORMS = "a path, postgresql://USER@HOST/DATABASE/NAME, or https://HOST/e/NAME"


class Url(Struct, frozen=True):
    """A URL as it was given, which may hold a password; as text it is scheme, user, host and path."""

    given: str

    def __str__(self) -> str:
        parts = urlsplit(self.given)
        user, at, host = parts.netloc.rpartition("@")
        return urlunsplit((parts.scheme, f"{user.partition(':')[0]}{at}{host}", parts.path, "", ""))

    def __repr__(self) -> str:
        return f"Url({str(self)!r})"

    @property
    def scheme(self) -> str:
        """The scheme, such as postgresql."""
        return urlsplit(self.given).scheme

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path, decoded."""
        return tuple(unquote(each) for each in urlsplit(self.given).path.split("/")[1:] if each)

    @property
    def name(self) -> str:
        """The last segment of the path."""
        return self.segments[-1] if self.segments else ""

    stem = name

    def at(self, *segments: str) -> "Url":
        """Return the address with another path."""
        path = "".join(f"/{quote(each, safe='')}" for each in segments)
        return Url(_joined(urlsplit(self.given), path))


Address = Path | Url
"""The address of a log: of a file, or of a log elsewhere."""


_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*://"


def is_url(text: str) -> bool:
    """Return whether a text is meant as a URL, and not as a path."""
    return "://" in text and re.match(_SCHEME, text) is not None


def url(text: str) -> Url:
    """Return a URL; raise Malformed, without repeating what may be a password, if it is none."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    late = "@" in parts.path + parts.fragment or ("@" in parts.query and "@" not in parts.netloc)
    if not parts.scheme or late:  # a password with one of / ? # ends the host too early
        raise Malformed("address", "is not a URL", "in a password, write / as %2F, @ as %40, # as %23 and ? as %3F")
    return Url(text)


def _joined(parts: SplitResult, path: str) -> str:
    """Return a URL with another path; an empty host is kept, as in postgresql:///DATABASE."""
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{path}{query}"
