"""Explanations from the reasons of the folds: why a value is as it is, its history, and its variants under other readings."""
