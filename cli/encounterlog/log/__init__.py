"""A log: its folded records, and writing to it. Nothing here prints."""
