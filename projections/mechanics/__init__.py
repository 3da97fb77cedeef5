"""Mechanics: what several rulesets have in common, each a module with its own state that knows no ruleset."""
