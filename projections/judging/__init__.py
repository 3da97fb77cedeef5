"""Judging: which facts may be appended, which break a rule, and whether statements agree with the derived values."""
