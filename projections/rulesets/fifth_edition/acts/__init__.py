"""Acts: what they cost, what is left to spend, reactions."""
