"""The lists of this repository: for each room `tests/equivalent/<room>.toml` (`encounterlog_rulelab/search.py` says what is in it)."""

from pathlib import Path

from encounterlog_rulelab import search as lists
from encounterlog_rulelab.search import Name

EQUIVALENT = Path(__file__).parents[2] / "equivalent"


def listed(room: str, folder: Path = EQUIVALENT) -> dict[Name, str]:
    """Return the places that are listed beside a room, by name, each with its reason; raise ListError."""
    path = folder / f"{room}.toml"
    return lists.read_list(path) if path.is_file() else {}
