"""Dice notation: small and strict, with limits that are checked before anything is rolled."""

import re
from collections.abc import Callable, Sequence
from itertools import count

from msgspec import Struct

from eventstore.wording import visible

MOST_DICE = 100
MOST_SIDES = 1000

_NOTATION = r"(?ai)(\d{1,9})?d(\d{1,9}|%)(?:(kh|kl|dh|dl)(\d{1,9}))?"


class Notation(Struct, frozen=True, gc=False):
    """Dice to be rolled: their number, their sides, and how many of the highest or lowest are kept."""

    text: str
    count: int
    sides: int
    keep: int
    highest: bool = True

    @property
    def example(self) -> str:
        """Faces that such dice could show."""
        return ",".join(["4" if self.sides >= 4 else "1"] * min(self.count, 6))


def parse(text: str) -> Notation:
    """Return dice by their notation: d20, 3d6, 2d20kh1, 4d6dl1, d%; raise ValueError with a sentence."""
    found = re.fullmatch(_NOTATION, text)
    if found is None:
        raise ValueError(f"{visible(text[:40])} is not a die")
    count, sides = int(found[1] or 1), 100 if found[2] == "%" else int(found[2])
    if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        raise ValueError(f"{visible(text[:40])} is beyond {MOST_DICE} dice of {MOST_SIDES} sides, or has none")
    how, number = (found[3] or "").casefold(), int(found[4] or 0)
    keep = number if how in ("kh", "kl") else count - number
    if not 1 <= keep <= count:
        raise ValueError(f"{visible(text[:40])} keeps none of its dice, or more than there are")
    return Notation(text, count, sides, keep, how in ("", "kh", "dl"))


def dropped(dice: Notation, faces: Sequence[int]) -> list[int]:
    """Return the places of the dice that are not kept, in order; of equal ones the later are dropped."""
    best = sorted(range(len(faces)), key=lambda place: (-faces[place] if dice.highest else faces[place], place))
    return sorted(best[dice.keep :])


def has_wrong_marks(dice: Notation, faces: Sequence[int], gone: Sequence[int]) -> bool:
    """Say whether the marks of dropped dice differ from the notation; which of equal dice is marked makes no difference."""
    return sorted(faces[place] for place in gone) != sorted(faces[place] for place in dropped(dice, faces))


def throw(dice: Notation, roll: Callable[[int], int]) -> str:
    """Return dice with their faces as one token, each die thrown by `roll`, which gets the number of sides."""
    return format_faces(dice, [roll(dice.sides) for _ in range(dice.count)])


def format_faces(dice: Notation, faces: Sequence[int]) -> str:
    """Return dice with these faces as one token, those that are dropped marked with x."""
    gone = dropped(dice, faces)
    marked = (f"{face}{'x' if place in gone else ''}" for place, face in enumerate(faces))
    return f"{dice.text}:{','.join(marked)}"


class Thrown(str):
    """Dice with their faces, and the number of the call that threw them: a line may be read in several ways, and throws for each."""

    number: int
    __slots__ = ("number",)

    @classmethod
    def of(cls, text: str, number: int) -> "Thrown":
        """Return dice that were thrown at a call, counted from 0."""
        one = cls(text)
        one.number = number
        return one


def count_calls(roll: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that throws the same dice and counts its calls."""
    calls = count()
    return lambda notation: Thrown.of(roll(notation), next(calls))
