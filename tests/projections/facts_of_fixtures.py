"""What the fixtures state, kept apart from how they are written: a digest of each encounter's facts.

The digests were taken when the fixtures were written in JSON, before they were set in notation. `python -m
tests.projections.facts_of_fixtures` takes them anew, after a fixture was added or meant to change.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from projections.proving.plays import Play
from tests.projections.stage import script, scripts

KEPT = Path(__file__).with_suffix(".txt")


def digest(play: Play) -> str:
    """Return the digest of what an encounter states: its ruleset and options, and each fact with its row, secret or not."""
    rows = [(row.row, row.secret, row.event) for row in (*play.joined, *play.facts)]
    stated = msgspec.json.encode((play.ruleset, play.options, rows), order="sorted")
    return hashlib.sha256(stated).hexdigest()


def lines() -> Iterator[str]:
    """Yield a line for each encounter among the fixtures: its digest, its script, its title."""
    for path in scripts():
        for play in script(path):
            yield f"{digest(play)}  {play.source}: {play.title}"


if __name__ == "__main__":
    KEPT.write_text("".join(f"{line}\n" for line in lines()), "utf-8")
