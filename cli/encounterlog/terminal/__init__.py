"""The commands' side of the terminal: options, output, exit codes, play and replay."""
