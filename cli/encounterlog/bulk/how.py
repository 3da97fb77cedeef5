"""How work on many logs is done."""

from pathlib import Path
from typing import NamedTuple


class How(NamedTuple):
    """How the work is spread, and where findings go."""

    engine: str = "processes"
    jobs: int | None = None
    scheduler: str | None = None
    out: Path | None = None
    resume: bool = False
