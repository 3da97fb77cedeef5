"""The settings of work on many logs."""

from pathlib import Path
from typing import NamedTuple


class How(NamedTuple):
    """How the work is spread, and the file for findings."""

    engine: str = "processes"
    jobs: int | None = None
    scheduler: str | None = None
    out: Path | None = None
    resume: bool = False
