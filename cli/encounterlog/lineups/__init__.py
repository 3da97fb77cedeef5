"""Who is in a fight from the start: parties, encounters and stat blocks that other tools keep, and the parties of other logs."""
