"""Addresses of logs: a path, or a URL, whose text never shows a password."""

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from eventstore import paths
from eventstore.malformed import Malformed

if TYPE_CHECKING:
    from urllib.parse import SplitResult

DATABASES = ("postgresql", "postgres")
"""The schemes of logs in databases."""
FORMS = "a path, postgresql://USER@HOST/DATABASE/NAME, or https://HOST/e/NAME"


class Url(Struct, frozen=True):
    """A URL as it was given, which may hold a password; as text it is scheme, user, host and path."""

    given: str

    def __str__(self) -> str:
        user, at, host = self._split_parts.netloc.rpartition("@")
        netloc = f"{user.partition(':')[0]}{at}{host}"
        return self._split_parts._replace(netloc=netloc, query="", fragment="").geturl()

    def __repr__(self) -> str:
        return f"Url({str(self)!r})"

    @property
    def scheme(self) -> str:
        """The scheme, such as postgresql."""
        return self._split_parts.scheme

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path, decoded."""
        from urllib.parse import unquote

        return tuple(unquote(each) for each in self._split_parts.path.split("/")[1:] if each)

    @property
    def name(self) -> str:
        """The last segment of the path."""
        return self.segments[-1] if self.segments else ""

    def at(self, *segments: str) -> "Url":
        """Return the address with another path; an empty host is kept, as in postgresql:///DATABASE."""
        from urllib.parse import quote

        parts, path = self._split_parts, "".join(f"/{quote(each, safe='')}" for each in segments)
        query = f"?{parts.query}" if parts.query else ""
        return Url(f"{parts.scheme}://{parts.netloc}{path}{query}")

    @property
    def _split_parts(self) -> "SplitResult":
        return _split_url(self.given)


LogAddress = str | Url
"""The address of a log: the path of a file, as text, or the URL of a log elsewhere."""


def name_of(log: LogAddress) -> str:
    """Return the name of a log: that of its file, or the last segment of its URL."""
    return log.name if isinstance(log, Url) else paths.name_of(log)


def stem_of(log: LogAddress) -> str:
    """Return the name of a log without the ending of its file."""
    from pathlib import Path  # only for a title

    return log.name if isinstance(log, Url) else Path(log).stem


_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*://"


def is_url(text: str) -> bool:
    """Return whether a text is meant as a URL, and not as a path."""
    return "://" in text and re.match(_SCHEME, text) is not None


def parse_url(text: str) -> Url:
    """Return a URL; raise Malformed, without repeating what may be a password, if it is none."""
    with suppress(ValueError):
        parts = _split_url(text)
        late = "@" in parts.path + parts.fragment or ("@" in parts.query and "@" not in parts.netloc)
        if parts.scheme and not late:  # no password with one of / ? # ends its host too early
            return Url(text)
    raise Malformed("address", "is not a URL", "in a password, write / as %2F, @ as %40, # as %23 and ? as %3F")


def _split_url(text: str) -> "SplitResult":
    from urllib.parse import urlsplit  # only for a URL: it takes longer to load than a short log to read

    return urlsplit(text)
