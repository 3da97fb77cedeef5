"""Discord channels in which the Avrae bot ran a combat, as DiscordChatExporter writes them (JSON), turned into facts."""

from encounterlog.importers.discord.transcription import read

__all__ = ["read"]
