"""Slots of phrases for what somebody does: kinds of actions in any of their forms, and verbs."""

import re
from typing import TYPE_CHECKING

from projections.grammar import scene
from projections.grammar.phrases.listed import of_list
from projections.grammar.phrases.values import Fill, Slot, Value

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


def _kind(reader: "Reader", at: int) -> Slot:
    """Yield the kind of action that a word is, in any of its forms: attacks, casting, charge."""
    for end in (at + 2, at + 1):
        text = "-".join(reader.text(place) for place in range(at, end))
        if text and (kind := _kind_called(reader, text)):
            yield Value(kind), end
            return


def _kind_called(reader: "Reader", text: str) -> str:
    """Return the kind of action that a word is, "" if none."""
    forms = (
        reader.lexis.meant("kind", text),
        text.removesuffix("s"),
        text.removesuffix("es"),
        text.removesuffix("ing"),
        text.removesuffix("ing") + "e",
    )
    kinds = scene.kinds(reader.scene.state)
    return next((each for each in forms if each in kinds), "")


def _going(reader: "Reader", at: int) -> Slot:
    """Yield a word for leaving the fight that is no kind of action of the game."""
    is_kind = next(_kind(reader, at), None) is not None
    yield from ((value, end) for value, end in of_list("left")(reader, at) if end > at + 1 or not is_kind)


def _long_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action of two words."""
    yield from ((value, end) for value, end in _kind(reader, at) if end == at + 2)


def _verb(reader: "Reader", at: int) -> Slot:
    """Yield a verb in the third person that is no other word of the phrases; whom it is at shows what it means."""
    text = reader.text(at)
    is_kind = next(_kind(reader, at), None) is not None
    if re.fullmatch(r"[a-z]{3,}s", text) and not (reader.lexis.knows(text) or is_kind or reader.names_somebody(at)):
        yield Value(text), at + 1


def _cast_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action by which spells are cast."""
    yield from ((value, end) for value, end in _kind(reader, at) if reader.lexis.has("casting", value.text))


def _handling(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action that is done with a thing: drink, use-item."""
    yield from ((value, end) for value, end in _kind(reader, at) if reader.lexis.has("handling", value.text))


def _verb_state(reader: "Reader", at: int) -> Slot:
    """Yield the condition into which a verb puts somebody, where it is no kind of action of the game."""
    if reader.is_of("state", at) and next(_kind(reader, at), None) is None:
        yield Value(reader.lexis.meant("state", reader.text(at))), at + 1


SLOTS: dict[str, Fill] = {
    "verb-state": _verb_state,
    "handling": _handling,
    "long-kind": _long_kind,
    "going": _going,
    "cast-kind": _cast_kind,
    "kind": _kind,
    "verb": _verb,
}
"""The functions for the slots of this module, by the names of their kinds."""
