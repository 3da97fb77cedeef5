"""One-line representations of objects, for people who use Python."""

LINE = 80
"""The highest number of characters in a `repr`."""


def brief(value: object, says: str) -> str:
    """Return a one-line `repr` of a large object: its type and a short text."""
    from eventstore.form import visible  # an import cycle otherwise

    text = visible(says)
    return f"<{type(value).__name__} {text[:LINE]}{'…' if len(text) > LINE else ''}>"
