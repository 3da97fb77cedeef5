"""The application: the command, and the only place for clock, chance, files and terminal."""

__version__ = "0.1.0"
