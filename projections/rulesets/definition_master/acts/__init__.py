"""What is done: acts, their prices, and what a turn has for them."""
