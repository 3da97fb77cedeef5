"""A fight as a generator records it: facts, the values that it knows after each of them, and the rule that it breaks."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Fight:
    """Facts as JSON objects without the opening, whose seq is 1; `knows` are values by address, after the fact of a seq.

    `breaks` are the findings that it should raise, each a rule and the seq of the fact that it is about; none in lawful play.
    """

    options: dict[str, str] = field(default_factory=dict)
    facts: list[dict[str, Any]] = field(default_factory=list)
    knows: dict[int, dict[str, Any]] = field(default_factory=dict)
    breaks: set[tuple[str, int]] = field(default_factory=set)

    @property
    def seq(self) -> int:
        """The seq of the last fact."""
        return len(self.facts) + 1

    def tell(self, type: str, **fields: Any) -> int:  # noqa: A002 - the field of a fact is called that
        """Add a fact and return its seq."""
        self.facts.append({"type": type, **fields})
        return self.seq

    def know(self, **values: Any) -> None:
        """Note values after the last fact, by address with `__` for a dot."""
        self.note({address.replace("__", "."): value for address, value in values.items()})

    def note(self, values: dict[str, Any]) -> None:
        """Note values after the last fact, by address."""
        self.knows.setdefault(self.seq, {}).update(values)
