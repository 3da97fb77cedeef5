"""The events of any engine, a stream of JSON lines, turned into facts by a mapping file."""

from encounterlog.importers.mapped.transcription import read

__all__ = ["read"]
