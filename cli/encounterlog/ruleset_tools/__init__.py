"""The proof of a ruleset beyond its plays: places that are changed in memory, and golden pages in files."""
