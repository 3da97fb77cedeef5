"""The start of a ruleset in a distribution of its own: a folder that is written from a template, to be changed into another game."""
