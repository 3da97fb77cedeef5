"""The offers of a refusal: other lines, as alternatives."""

from projections.grammar.tokens import NotUnderstood

MOST_OFFERS = 3
"""The most lines that a refusal offers."""


def offering(error: NotUnderstood, offers: tuple[str, ...]) -> NotUnderstood:
    """Return an error that offers these lines."""
    offers = offers[:MOST_OFFERS]
    made = NotUnderstood(error.column, error.why, "", offers)
    made.readings, made.unread = error.readings, error.unread
    return made


def alternatives(offers: tuple[str, ...]) -> str:
    """Return lines as alternatives: `a`, `b` or `c`."""
    quoted = [f"`{each}`" for each in offers]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
