"""The rule lab: what no play of a ruleset would notice, and what its reasons omit; for authors of rulesets."""
