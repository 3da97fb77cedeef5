"""A log: its records folded, and what is written to it. Nothing here prints."""
