"""Attacks: rolls to hit, ranges, cover."""
