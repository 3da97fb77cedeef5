"""What commands do at a terminal: options, output, how they end, play and replay."""
