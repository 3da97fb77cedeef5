"""`encounter show`: the state of a fight at any point."""

from encounterlog.edge.asking import command_of

command = command_of("show")
