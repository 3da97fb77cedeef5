"""Names as they are compared: those of effects and conditions are case folded as a fact is read."""

from eventstore.events import Fact


def called(event: Fact) -> str:
    """Return the name of the effect or condition that a fact is about, case folded; "" for a fact about none."""
    name: str | None = getattr(event, "condition", None) or getattr(event, "effect", None)
    return name.casefold() if name else ""
