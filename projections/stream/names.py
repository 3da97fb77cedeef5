"""Names in free text: the words by which people mean somebody whose whole name they do not say."""

import re
from collections.abc import Iterator

ENDINGS = (
    ("", "s"), ("", "es"), ("y", "ies"), ("f", "ves"), ("fe", "ves"), ("man", "men"), ("us", "i"),
    ("a", "ae"), ("mouse", "mice"), ("goose", "geese"), ("ox", "oxen"), ("child", "children"),
)  # fmt: skip
"""How words and their plurals end."""
PARTICLES = frozenset({
    "a", "an", "and", "are", "as", "at", "by", "das", "de", "del", "della", "den", "der", "di", "die", "du", "for", "from", "he", "her", "his", "i",
    "in", "is", "it", "its", "la", "las", "le", "les", "los", "me", "no", "not", "of", "off", "on", "or", "out", "s", "she", "so", "the", "their",
    "them", "they", "to", "up", "van", "von", "was", "we", "with", "you", "your",
})  # fmt: skip
"""The words of a name that name nobody."""
DESCRIBING = frozenset({
    "acid", "adult", "air", "ancient", "attack", "big", "black", "blue", "brass", "bronze", "brown", "burning", "chaos", "clay", "cloud", "cold", "copper",
    "crawling", "dark", "dead", "death", "deep", "dire", "dying", "earth", "elder", "evil", "fat", "fire", "first", "flesh", "flying", "frost", "giant",
    "gold", "golden", "good", "gray", "great", "greater", "green", "grey", "half", "headed", "high", "hill", "holy", "huge", "ice", "invisible", "iron",
    "large", "last", "left", "lesser", "lightning", "little", "living", "long", "low", "magic", "mini", "miss", "mister", "mud", "new", "old", "one",
    "phase", "poison", "poisonous", "red", "riding", "right", "running", "sea", "second", "short", "silver", "sir", "small", "steam", "steel", "stone",
    "storm", "swimming", "tall", "thin", "third", "three", "thunder", "tiny", "two", "unseen", "war", "water", "white", "wild", "winged", "winter",
    "wood", "wooden", "yellow", "young",
})  # fmt: skip
"""Words that say of many things how they are, and mean somebody only as the last word of a name, as in Fire Giant."""
_WORD = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"[\s'’_-]+")
SHORTEST = 4
"""The most letters of a word that may be another one than a name without its blanks."""


def parts(name: str) -> Iterator[str]:
    """Yield the words of a case-folded name that mean its bearer by themselves: the kind of ghoul-1, both of Captain Vess, not the first of Fire Giant."""
    words = _WORD.findall(name)
    last = next((at for at, word in enumerate(words) if at and word in PARTICLES), len(words)) - 1
    for at, word in enumerate(words):
        if word not in PARTICLES and (at == last or (len(word) > 2 and word not in DESCRIBING)):
            yield word


def spellings(name: str) -> Iterator[str]:
    """Yield a case-folded name, and how it is typed by one who leaves out accents, or blanks, hyphens and apostrophes."""
    plain = name if name.isascii() else _without_marks(name)
    yield from dict.fromkeys((name, plain, *(each for each in (_JOINED.sub("", plain),) if len(each) > SHORTEST)))


def _without_marks(name: str) -> str:
    import unicodedata  # only for names with accents

    return "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))


def forms(name: str) -> tuple[str, ...]:
    """Return a case-folded name with what may be its plural, or the singular of it; one that ends with a number alone."""
    if not name[-1:].isalpha():
        return (name,)
    plurals = (name.removesuffix(one) + several for one, several in ENDINGS if name.endswith(one))
    singulars = (
        name.removesuffix(several) + one
        for one, several in ENDINGS
        if name.endswith(several) and not name.endswith("ss")
    )
    those = (each for each in singulars if len(each) > 2 and each not in PARTICLES)
    return tuple(dict.fromkeys((name, *plurals, *those)))
