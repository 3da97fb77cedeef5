"""What runs a log through the folds and its ruleset, and goes on from there or back."""
