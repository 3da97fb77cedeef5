"""The meaning of the facts: pure folds and views over a log's records."""
