"""Rolls of a d20: totals, saves and checks, contests."""
