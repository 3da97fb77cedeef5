"""Vile Darkness at a table of its own: people, the sums of the text, blows, spells, plans of a round, and breaches of its rules."""
