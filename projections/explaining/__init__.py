"""Explanations from the folds' reasons: why a value is as it is, its history, and its variants under other readings."""
