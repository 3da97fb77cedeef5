"""Judging: what may be appended, what breaks a rule, and whether statements agree with the facts."""
