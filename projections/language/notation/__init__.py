"""Notation: lines typed at a table, in scripts and in tests, and the facts that they mean, by tables of forms (forms.toml)."""
