"""`encounter stats`: who dealt, took and healed how much, with what."""

from encounterlog.edge.asking import command_of

command = command_of("stats")
