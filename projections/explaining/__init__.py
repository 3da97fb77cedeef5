"""Explanations: why a value is as it is, what touched it, and what would be otherwise, from the reasons of the folds."""
