"""`encounter why`: why a value is as it is, who comes before whom, what a finding means."""

from encounterlog.edge.asking import command_of

command = command_of("why")
