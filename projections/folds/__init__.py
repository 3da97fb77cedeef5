"""The folds common to all logs, and replay, which runs them together with the ruleset's."""
