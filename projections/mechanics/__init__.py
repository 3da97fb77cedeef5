"""Mechanics that several rulesets share: modules with their own state, none of which depends on a ruleset."""
