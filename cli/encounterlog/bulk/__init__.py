"""Many logs at once: their places, the work on one of them, the engines that spread it, and the results."""
