"""FIREBALL recordings of combats that the Avrae bot ran, turned into facts of the ruleset `plain`."""

from encounterlog.importers.fireball.telling import tell
from encounterlog.importers.telling import BadSource, Fact, Problem, Telling

__all__ = ["BadSource", "Fact", "Problem", "Telling", "tell"]
