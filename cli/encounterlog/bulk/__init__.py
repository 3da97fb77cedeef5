"""Many logs at once: where they are, the work on one of them, the engines that spread it, and what comes of it."""
