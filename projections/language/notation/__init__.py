"""The table grammar: lines typed at a table, in scripts and in tests, and the facts that they mean.

A table of forms (forms.toml here, and one beside the catalogue of a ruleset) has the words, the facts that they make,
and their explanations. `table` reads lines, and `printing` writes facts as lines, both from that table.
"""
