"""Phrases: lines as people type them, read as the lines of the forms that they stand for.

The phrases, the words of which they know the meaning, and the words that are skipped are data (forms.toml); `reading`
returns every reading of a line. One that has a single reading means that; one that has several is refused with them.
"""
