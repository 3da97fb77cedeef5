"""Each mechanic by itself, without a ruleset."""
