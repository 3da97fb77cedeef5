"""The lists of this repository: for each room `tests/equivalent/<room>.toml` (`encounterlog/proving/listed.py` says what is in it)."""

from pathlib import Path

from encounterlog.proving import listed as lists
from encounterlog.proving.listed import Name

EQUIVALENT = Path(__file__).parents[1] / "equivalent"


def listed(room: str, folder: Path = EQUIVALENT) -> dict[Name, str]:
    """Return the places that are listed beside a room, by name, each with its reason; raise ListError."""
    path = folder / f"{room}.toml"
    return lists.listed(path) if path.is_file() else {}
