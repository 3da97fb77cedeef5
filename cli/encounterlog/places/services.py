"""Lines that services elsewhere record: which can be left to one, and what it says of those that it does not record."""

import re

from msgspec import Struct

from encounterlog.errors import Refused
from encounterlog.places.model import find_model
from eventstore.errors import Malformed, NotWritten

_ROLLS = re.compile(r"d[\d%]", re.IGNORECASE)  # the words that may be dice, which the sender of the line rolls
LONGEST_LINE = 2000  # the most characters of a line that a service takes


class Spoken(Struct, frozen=True):
    """A line of the language for a service to record, secret or not, with an entropy word for its dice, and the giver of that."""

    line: str
    word: str
    giver: str | None = None
    secret: bool = False


class Asked(NotWritten):
    """A line in which the service reads a question: nothing was written."""


def is_recordable_by_service(line: object, *given: object) -> bool:
    """Return whether a service can record a line by itself: it has no dice, and no argument that is used here alone."""
    is_plain = isinstance(line, str) and line.strip() == line and "\n" not in line and 0 < len(line) <= LONGEST_LINE
    return is_plain and not _ROLLS.search(str(line)) and all(each is None for each in given) and find_model() is None


UNTOLD = (Asked, Malformed, Refused)
"""The error of a service that recorded no line and wrote nothing: the line is then read here, which gives the reason."""
