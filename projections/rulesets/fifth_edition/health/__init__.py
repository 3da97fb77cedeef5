"""Hit points, dying, death saves and healing."""
