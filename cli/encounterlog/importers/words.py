"""Names and numbers of a recording, brought within the limits of events."""

from datetime import UTC, datetime
from typing import Any

from eventstore.form import normalize_nfc
from projections.language.notation.names import id_of

LONGEST_WORD = 120
LONGEST_TEXT = 2_000
LARGEST = 2**53 - 1
RESERVED = ("order", "turn", "round", "options", "none", "pcs", "monsters")


def normalize_text(text: str) -> str:
    """Bring text to NFC; halves of surrogate pairs become the replacement character."""
    return normalize_nfc(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def make_word(text: object) -> str:
    """Make a word of 1 to 120 characters; what is cut off shows as an ellipsis."""
    return _clip_text(normalize_text(str(text)).strip(), LONGEST_WORD) or "(no name)"


def make_sentence(text: str) -> str:
    """Make a text of at most 2,000 characters."""
    return _clip_text(normalize_text(text), LONGEST_TEXT)


def _clip_text(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def parse_number(value: object) -> float | None:
    """Return a number within the limits of the log; None for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return float(value)
    return None


def parse_whole_number(value: object) -> int | None:
    """Return a whole number within the limits of the log; None for anything else."""
    found = parse_number(value)
    return int(found) if found is not None and found.is_integer() else None


def list_objects(value: object) -> list[dict[str, Any]]:
    """List the objects of a JSON list; empty for any other value."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def as_object(value: object) -> dict[str, Any]:
    """Return an object of JSON; empty for any other value."""
    return value if isinstance(value, dict) else {}


def parse_moment(said: object) -> str | None:
    """Return RFC 3339 text in UTC with microseconds for UNIX seconds or ISO 8601, in UTC where it names no zone; None for anything else."""
    try:
        if isinstance(said, str):
            found = datetime.fromisoformat(said)
            found = found if found.tzinfo else found.replace(tzinfo=UTC)
        elif isinstance(said, int | float) and not isinstance(said, bool):
            found = datetime.fromtimestamp(said, UTC)
        else:
            return None
        return found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    except (ValueError, OverflowError, OSError):
        return None


class Ids:
    """The ids of a log by the keys of a source, each made from a name."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self._taken = set(RESERVED)

    def meet(self, key: str, name: str) -> str:
        """Return the id for a key; that of a new one is made from the name, with a number after it if it is taken."""
        if key not in self.known:
            self.known[key] = id_of(name, self._taken)
            self._taken.add(self.known[key])
        return self.known[key]
