"""What a fall or a flight is like adds nothing to it: drops like a stone, goes down like a ton of bricks, runs like the wind."""

from collections.abc import Sequence

from projections.reader.tags import Item

_LIKE = ("like", "as if", "as though")
_FALLS = ("fall", "die", "fall_prone", "leave", "fell", "self_state")
_ENDS = ("and", "but", "then", "so", "while", "with", "for")
"""Words with which the sentence goes on behind a simile."""


def without_similes(items: Sequence[Item]) -> list[Item]:
    """Return items without a simile right behind a verb of falling, dying or fleeing, up to a mark, a number, a name or the next clause."""
    made: list[Item] = []
    skips = False
    for item in items:
        skips = skips and not _ends(item)
        skips = skips or (bool(made) and _begins(made[-1], item))
        if not skips:
            made.append(item)
    return made


def _begins(verb: Item, item: Item) -> bool:
    """Say whether a word begins a simile, or goes on with that of the verb: falls like a tree, drops like a sack of flour."""
    goes_on = " like " in verb.text and item.text == "of"
    return verb.is_verb(*_FALLS) and (item.text in _LIKE or goes_on)


def _ends(item: Item) -> bool:
    number = item.number is not None and not item.number.spelled
    return item.kind == "mark" or number or item.who is not None or item.text in _ENDS
