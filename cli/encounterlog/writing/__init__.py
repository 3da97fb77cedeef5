"""Writing logs: opening, appending, importing, repairing."""
