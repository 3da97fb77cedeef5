"""What a fall or a flight is like, or sounds like, adds nothing to it: drops like a stone, runs like the wind, dies without a sound."""

from collections.abc import Sequence

from projections.reader.dictionary import listed
from projections.reader.tags import Item

_LIKE = ("like", "as if", "as though")
_FALLS = ("fall", "die", "fall_prone", "leave", "fell", "self_state")
_ENDS = ("and", "but", "then", "so", "while", "with", "for")
"""Words with which the sentence goes on behind a simile."""


def without_similes(items: Sequence[Item]) -> list[Item]:
    """Return items without a simile right behind a verb of falling, dying or fleeing, up to a mark, a number, a name or the next clause."""
    made: list[Item] = []
    skips = False
    for place, item in enumerate(items):
        skips = skips and not (_ends(item) and not _sounds(items[place : place + 4]))
        skips = skips or (bool(made) and _begins(made[-1], item))
        skips = skips or (bool(made) and made[-1].is_verb(*_DIES) and _sounds(items[place : place + 4]))
        if not skips:
            made.append(item)
    return made


def _begins(verb: Item, item: Item) -> bool:
    """Say whether a word begins a simile, or goes on with that of the verb: falls like a tree, drops like a sack of flour."""
    goes_on = " like " in verb.text and item.text == "of"
    return verb.is_verb(*_FALLS) and (item.text in _LIKE or goes_on)


_DIES = ("fall", "die", "fall_prone", "fell", "self_state")
_SOUNDS = frozenset(
    listed(
        "sound, word, cry, scream, groan, moan, gurgle, thud, thump, crash, yell, roar, shriek, whimper, sigh, fight, struggle, whisper, gasp,"
        "howl, splash, clatter, bang, grunt, squeal, screech, rattle, murmur, noise, hiss, snarl, curse, smile, grin"
    )
)
"""What somebody may be heard to do, or seen, as they fall."""


def _sounds(said: Sequence[Item]) -> bool:
    """Say whether words are what is heard of a fall: without a sound, with a last scream."""
    led = said[0].text in ("without", "with", "uttering", "making") if said else False
    return led and any(item.text in _SOUNDS for item in said[1:])


def _ends(item: Item) -> bool:
    number = item.number is not None and not item.number.spelled
    return item.kind == "mark" or number or item.who is not None or item.text in _ENDS
