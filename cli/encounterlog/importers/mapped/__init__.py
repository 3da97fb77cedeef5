"""Streams of events of any engine, as JSON lines, turned into facts as a mapping file says."""

from encounterlog.importers.mapped.transcription import read

__all__ = ["read"]
