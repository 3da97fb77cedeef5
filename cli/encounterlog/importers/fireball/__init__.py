"""FIREBALL recordings of combats that the Avrae bot ran, turned into facts of the ruleset `plain`."""

from encounterlog.importers.fireball.transcription import read

__all__ = ["read"]
