"""Pilots: rounds of games that have no ruleset yet, played on the mechanics alone."""
