"""`encounter may`: what a combatant may do."""

from encounterlog.edge.asking import command_of

command = command_of("may")
