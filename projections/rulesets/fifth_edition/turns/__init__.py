"""Turns: surprise, initiative, the order, rounds."""
