"""Tests of the tables of monsters and spells, and counts of what they leave open."""
