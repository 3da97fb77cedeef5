"""What turns are: their order, and what is done out of turn."""
