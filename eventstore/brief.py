"""Objects in a line, for those who look at them in Python."""

LINE = 80
"""The most letters of what a `repr` says about an object."""


def brief(value: object, says: str) -> str:
    """Return the `repr` of an object whose fields would fill a page: its type, and something about it."""
    from eventstore.form import visible  # which knows of records, and these of this

    text = visible(says)
    return f"<{type(value).__name__} {text[:LINE]}{'…' if len(text) > LINE else ''}>"
