"""`encounter first`: the first moment at which something held."""

from encounterlog.edge.asking import command_of

command = command_of("first")
