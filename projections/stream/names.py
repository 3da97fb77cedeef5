"""Names in free text: the words by which people mean a combatant without the whole name."""

import re
from collections.abc import Iterator

IRREGULAR = {"mice": "mouse", "geese": "goose", "oxen": "ox", "children": "child"}
"""The endings of irregular plurals, each with its singular."""
ENDINGS = (
    ("", "s"), ("", "es"), ("y", "ies"), ("f", "ves"), ("fe", "ves"), ("man", "men"), ("us", "i"), ("a", "ae"),
    *((one, several) for several, one in IRREGULAR.items()),
)  # fmt: skip
"""The possible endings of singulars, each with its plural."""
SINGULARS = (
    *IRREGULAR.items(), ("lves", "lf"), ("eaves", "eaf"), ("ieves", "ief"), ("oaves", "oaf"), ("arves", "arf"), ("ches", "ch"), ("shes", "sh"),
    ("sses", "ss"), ("xes", "x"), ("zes", "z"), ("men", "man"), ("ies", "y"), ("s", ""),
)  # fmt: skip
"""The endings of plurals, each with that of the singular; the first that fits counts."""
EXCEPTIONS = {
    "brownies": "brownie", "collies": "collie", "dies": "die", "faeries": "faerie", "genies": "genie", "magpies": "magpie", "pies": "pie",
    "pixies": "pixie", "ties": "tie", "valkyries": "valkyrie", "zombies": "zombie", "knives": "knife", "wives": "wife", "housewives": "housewife",
    "mosquitoes": "mosquito", "heroes": "hero", "volcanoes": "volcano", "tornadoes": "tornado", "desperadoes": "desperado", "buffaloes": "buffalo",
    "acumen": "", "omen": "", "specimen": "", "stamen": "", "abdomen": "",
}  # fmt: skip
"""Plurals with another singular, and words that are no plurals."""
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
"""Words that describe many things, and mean a combatant only as the last word of a name, as in Fire Giant."""
_WORD = r"[^\W\d_]+"
_JOINED = r"[\s'’_-]+"
SHORTEST = 4
"""A name without its blanks counts only if it has more letters than this; a shorter one may be another word."""


def short_names(name: str) -> Iterator[str]:
    """Yield the words of a case-folded name that mean its bearer by themselves: the kind of ghoul-1, both of Captain Vess, not the first of Fire Giant."""
    words = re.findall(_WORD, name)
    last = next((at for at, word in enumerate(words) if at and word in PARTICLES), len(words)) - 1
    for at, word in enumerate(words):
        if word not in PARTICLES and (at == last or (len(word) > 2 and word not in DESCRIBING)):
            yield word


def spellings(name: str) -> Iterator[str]:
    """Yield a case-folded name, and its spellings without accents, and without blanks, hyphens and apostrophes."""
    plain = name if name.isascii() else _without_marks(name)
    yield from dict.fromkeys((name, plain, *(each for each in (re.sub(_JOINED, "", plain),) if len(each) > SHORTEST)))


def _without_marks(name: str) -> str:
    import unicodedata  # only for names with accents

    return "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))


def possible_singulars(word: str) -> Iterator[str]:
    """Yield the words of which a word can be the plural, by how words and their plurals end."""
    for one, several in ENDINGS:
        if word.endswith(several) and not word.endswith("ss") and len(word) > 2:
            yield word.removesuffix(several) + one


def singular_of(word: str) -> str:
    """Return the singular of a word in lower case, "" if it is no plural: zombie of zombies, harpy of harpies, thief of thieves, mouse of mice."""
    if word in EXCEPTIONS or word.endswith("ss"):
        return EXCEPTIONS.get(word, "")
    found = (word.removesuffix(several) + one for several, one in SINGULARS if word.endswith(several))
    return next((each for each in found if len(each) > 1), "")


def forms(name: str) -> tuple[str, ...]:
    """Return a case-folded name with possible plurals and singulars, if it ends with a letter."""
    if not name[-1:].isalpha():
        return (name,)
    plurals = (name.removesuffix(one) + several for one, several in ENDINGS if name.endswith(one))
    those = (each for each in possible_singulars(name) if len(each) > 2 and each not in PARTICLES)
    return tuple(dict.fromkeys((name, *plurals, *those)))
