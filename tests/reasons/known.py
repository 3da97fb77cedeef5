"""The lists of this repository for the law of reasons: exceptions with their reasons, and how much may not be comparable."""

import tomllib
from pathlib import Path

import msgspec

from encounterlog_rulelab.reasons import Allowed, Ceiling

HERE = Path(__file__).parent


def exceptions(path: Path = HERE / "exceptions.toml") -> tuple[Allowed, ...]:
    """Return the exceptions."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")).get("exception", ()), tuple[Allowed, ...])


def ceilings(path: Path = HERE / "ceilings.toml") -> dict[str, Ceiling]:
    """Return the ceilings by ruleset."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, Ceiling])
