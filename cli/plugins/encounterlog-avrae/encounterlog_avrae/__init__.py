"""Combats that the Avrae bot ran, as importers of Encounterlog: recordings of the FIREBALL data set, and Discord channels."""

from encounterlog.importers import ANY, ImporterEntry

FIREBALL = ImporterEntry(
    "encounterlog_avrae.recordings",
    "FIREBALL recordings of combats run by the Avrae bot (JSON lines, also gzipped)",
    talks=True,
    games=ANY,
)
DISCORD = ImporterEntry(
    "encounterlog_avrae.channels",
    "a Discord channel in which the Avrae bot ran a combat, as DiscordChatExporter writes it in the format Json",
    talks=True,
    games=ANY,
)
