"""Acts, their prices, and the budget of a turn."""
