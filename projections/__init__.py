"""What the facts mean: pure folds and views over the records of a log."""
