"""The command line: options, output, exit codes, and the commands by their subjects."""
