"""A Foundry VTT world, whose combats, actors and chat messages become facts."""

from encounterlog.importers.foundry.transcription import read

__all__ = ["read"]
