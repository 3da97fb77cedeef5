"""Combats that the Avrae bot ran, as an importer of Encounterlog: recordings of the FIREBALL data set."""

from encounterlog.importers import ANY, ImporterEntry

FIREBALL = ImporterEntry(
    "encounterlog_avrae.recordings",
    "FIREBALL recordings of combats run by the Avrae bot (JSON lines, also gzipped)",
    talks=True,
    games=ANY,
)
