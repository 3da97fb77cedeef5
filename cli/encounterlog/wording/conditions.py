"""Conditions as predicates: somebody becomes prone, but gets exhaustion."""

NOUNS = frozenset({"exhaustion"})
"""The conditions that a combatant has; the others a combatant is."""


def gained(condition: str, count: int) -> str:
    """Return the predicate of so many who gain a condition."""
    one, several = ("gets", "get") if condition in NOUNS else ("becomes", "become")
    return f"{one if count == 1 else several} {condition}"


def lost(condition: str, count: int) -> str:
    """Return the predicate of so many who lose a condition."""
    if condition in NOUNS:
        return f"no longer {'has' if count == 1 else 'have'} {condition}"
    return f"{'is' if count == 1 else 'are'} no longer {condition}"
