"""Tables that play a ruleset by its catalogue, where one module would be too long."""
