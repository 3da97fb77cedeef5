"""Readers of other programs' records: each turns a source into facts of the vocabulary."""
