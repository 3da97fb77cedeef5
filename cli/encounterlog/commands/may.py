"""`encounter may`: what somebody may do."""

from encounterlog.edge.asking import command_of

command = command_of("may")
