"""The folds that every log shares, and replay, which runs them with those of the ruleset."""
