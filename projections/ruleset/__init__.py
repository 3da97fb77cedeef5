"""What a ruleset is made of: its interface, its catalogue, checks and their readings. The games are in `rulesets`."""
