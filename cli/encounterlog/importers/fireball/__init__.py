"""FIREBALL recordings of combats that the Avrae bot ran, turned into facts."""

from encounterlog.importers.fireball.transcription import read

__all__ = ["read"]
