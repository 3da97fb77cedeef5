"""`encounter blame`: every fact that touched a value."""

from encounterlog.edge.asking import command_of

command = command_of("blame")
