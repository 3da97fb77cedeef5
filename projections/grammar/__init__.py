"""The table grammar: lines typed at a table, in scripts and in tests, and the facts that they mean.

A table of forms (forms.toml here, and one beside the catalogue of a ruleset) says which words there are, what facts they
make, and how they are explained; `table` tells lines, `printing` writes facts as lines, both from that table.
"""
