"""FIREBALL recordings of combats that the Avrae bot ran, turned into facts of the ruleset `plain`."""

from encounterlog.importers.fireball.rows import BadSource, Problem
from encounterlog.importers.fireball.teller import Fact
from encounterlog.importers.fireball.telling import Telling, tell

__all__ = ["BadSource", "Fact", "Problem", "Telling", "tell"]
