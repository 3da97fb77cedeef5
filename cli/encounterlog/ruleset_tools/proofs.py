"""Proofs of a ruleset beyond its plays: the rule lab is a distribution of its own, and brings them by entry points."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

from encounterlog.installed import Formats

INSTALLED = Formats(
    "encounterlog.proofs",
    FunctionType,
    {},
    elsewhere=dict.fromkeys(
        ("unnoticed", "places", "reasons", "golden"), "pip install ./cli/plugins/encounterlog-rulelab"
    ),
    called="proof",
)
"""Every proof by its name: a function of the key of a ruleset and of what is asked, to a page with its data and lines."""


@dataclass(frozen=True)
class Asked:
    """The settings of a proof: the folders of whole encounters and of golden pages, the way to try places, and the function that shows
    its progress.
    """

    encounters: Path | None = None
    golden: Path | None = None
    plays: bool = False
    equivalent: Path | None = None
    sample: int | None = None
    seed: int = 0
    jobs: int = 0
    progress: Callable[[str], None] = lambda _: None
