"""Spells: casting, slots, concentration."""
