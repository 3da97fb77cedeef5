"""A campaign against another engine of the same game: what it plays and comes to is held against what our log derives.

`dnd5e-engine` (PyPI) plays random fights in an environment of its own (arena.py); a mapping (dnd5e-engine.toml) turns its events into
facts of ruleset 5e, edition 2024. Its state after each intent is stated, so that order, round, turn, points, status, conditions and
concentration are compared, and its play, which is meant to be lawful, is audited. What is found is put into groups, and verdicts.toml says
of each whose it is, by the text: ours, theirs or the converter's.
"""
