"""The first step: tokens. A line becomes words, numbers with their signs and dice, ranges, squares, quotations, marks."""

import re
from collections.abc import Sequence

from msgspec import Struct

from projections.grammar import dice
from projections.open_types import Fields

LONGEST = 600
"""The most characters of a line that is read by its meaning."""


class Rolled(int):
    """A number with the dice that it was rolled with, as a fact has them, and the bonus."""

    dice: Fields
    bonus: int

    @classmethod
    def of(cls, shown: Fields, bonus: int) -> "Rolled":
        """Return the sum of the dice that count and the bonus."""
        gone = shown.get("dropped", ())
        one = cls(sum(face for at, face in enumerate(shown["faces"]) if at not in gone) + bonus)
        one.dice, one.bonus = shown, bonus
        return one

    def __abs__(self) -> int:
        """Return the number without its sign, with the dice if it has none."""
        return self if self >= 0 else -int(self)


class Number(Struct, frozen=True):
    """A number as typed: its value; its sign, if it had one; the face of its die and the dice, if it was a roll; whether it was a sum."""

    value: int
    sign: str = ""
    die: int | None = None
    notation: str = ""
    faces: tuple[int, ...] = ()
    summed: bool = False
    spelled: bool = False
    pair: tuple[int, ...] = ()
    """Several dice, of which one counts: 14/11."""


class Token(Struct, frozen=True):
    """A token: its kind (word, number, range, square, dice, ordinal, quote, mark), its text as typed, its place, and its value.

    `text` is the form in which it is compared. `glued` says that no blank stands before it.
    """

    kind: str
    typed: str
    start: int
    end: int
    text: str = ""
    number: Number | None = None
    values: tuple[int, ...] = ()
    glued: bool = False


UNITS = dict(
    zip(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        range(20),
        strict=True,
    )
)
TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_MISHEARD = re.compile(
    rf"(?i)(?<!\S)((?:\d+|{'|'.join(UNITS)}) )(?:two|too)(?= hit (?:for )?(?:\d|(?:{'|'.join((*UNITS, *TENS))})\b))"
)
"""To before hit, as it is misheard between two numbers: nineteen two hit six piercing."""
ORDINALS = dict(
    zip(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        range(1, 13),
        strict=True,
    )
)

_NUM = r"\d{1,9}"
_DICE = r"(?:\d{1,3})?[dw](?:\d{1,4}|%)(?:[kd][hl]?\d*)?"
_PLUS = rf"(?:\s*[+-]\s*{_NUM})*"
_FACES = rf"\(\s*(?P<faces>{_NUM}(?:\s*[,+]\s*{_NUM})*)(?P<inner>{_PLUS})\s*\)|\[\s*(?P<faces2>{_NUM}(?:\s*[,+]\s*{_NUM})*)\s*\]"
_RESULT = rf"\s*(?:=>?|:|→|->)\s*\*{{0,2}}(?P<total>-?{_NUM})\*{{0,2}}"
_QUOTES, _DIE, _FACE, _RANGE = (
    '"“„«',
    ("d0", "w0", "d%", "w%"),
    "([",
    ("0-", "0–", "0—", "0..", "0 -", "0 –", "0 —", "0 ."),
)
_PATTERNS: tuple[tuple[str, str, Sequence[str]], ...] = (
    ("quote", r'"(?P<q>[^"]*)"|“(?P<q2>[^“”]*)”|„(?P<q3>[^“”]*)[“”]|«(?P<q4>[^«»]*)»', _QUOTES),
    ("shown", rf"(?P<notation>{_DICE}):(?P<faces>{_NUM}x?(?:,{_NUM}x?)*)(?P<plus>[+-]{_NUM})?(?![\w+-]|\s*=)", _DIE),
    ("rolled", rf"(?P<notation>2[dw]\d{{1,3}}):?\s*(?P<faces>{_NUM} (?:and|&) {_NUM})(?![\w/%+-])(?P<plus>)", _DIE),
    (
        "rolled",
        rf"(?P<notation>{_DICE})(?:\s*(?:{_FACES}))?(?P<plus>{_PLUS})(?:\s*\([^()]*\))?(?:{_RESULT}(?:\s*[+-]\s*{_NUM}{_RESULT.replace('total', 'total2')})?)(?![\w])",
        _DIE,
    ),
    ("rolled", rf"(?P<notation>{_DICE})\s*(?:{_FACES})(?P<plus>{_PLUS})(?![\w])", _DIE),
    ("rolled", rf"(?P<notation>{_DICE})(?P<plus>(?:[+-]{_NUM})+)\s*(?:{_FACES})(?:{_RESULT})?(?![\w])", _DIE),
    (
        "rolled",
        r"(?P<notation>1?[dw]20)\s+(?:(?:roll )?of |shows |showed |was |is )?(?:an? )?(?P<total>1?\d|20)(?![\w/%+-]|[.,]\d)",
        _DIE,
    ),
    ("dice", rf"(?P<notation>{_DICE}(?:[+-]\d+)?)(?![\w])", _DIE),
    ("rolled", rf"(?:{_FACES})(?P<plus>{_PLUS}){_RESULT}(?![\w])", _FACE),
    (
        "sum",
        rf"(?P<die>{_NUM})(?P<plus>(?:\s?[+-]\s?{_NUM})+)\s*(?:=|is|makes|equals|comes to|totals)\s*(?P<total>{_NUM})(?![\w])",
        "+-",
    ),
    (
        "sum",
        rf"(?P<die>{_NUM})(?P<plus>(?:\s*(?:\+|-|minus|plus|less|reduced by)\s*{_NUM}\s*(?:[a-z]+\s*)?)+)(?:=|is)\s*(?P<total>{_NUM})(?![\w])",
        ("+", "-", "nus", "plus", "less", "red"),
    ),
    ("sum", rf"(?P<die>{_NUM})(?P<plus>(?:\+{_NUM})+)(?![\w%])", ("0+",)),
    (
        "sum",
        rf"(?P<die>{_NUM})(?P<plus>(?: \+ {_NUM})+)(?=\s*(?:[,;.!]|$|(?:against|vs?|to hit|hits?|miss(?:es)?|for)\b))",
        ("0 +",),
    ),
    ("times", rf"(?:{_NUM}\s*)?(?:x|×|\*)\s?{_NUM}\s*=\s*(?P<total>{_NUM})(?![\w])", "="),
    (
        "halved",
        rf"(?P<die>{_NUM})\s*(?:dmg|damage|pts|points)?\s*[,(]?\s*(?:halved|resisted|reduced|doubled|half|resist|resistance)\s*(?:to|=|:|is|,)?\s*(?P<total>{_NUM})(?![\w])",
        ("hal", "res", "red", "dou"),
    ),
    (
        "its_half",
        rf"(?P<total>{_NUM})\s*(?:dmg|damage|pts|points)?\s*[,(]?\s*(?:which is |being |is |= ?)?half of (?:the )?(?P<die>{_NUM})\)?(?![\w])",
        "hal",
    ),
    (
        "half_of",
        rf"(?P<die>{_NUM})\s*(?P<sort>[a-z]+)?\s*/\s*2\s*(?:\([^()]*\)\s*)?=\s*(?P<total>{_NUM})(?![\w])",
        ("/0", "/ 0"),
    ),
    ("square", r"\(?(?P<x>-?\d{1,4}),(?P<y>-?\d{1,4})\)?(?!\d|,\d|\w)", ("0,",)),
    (
        "range",
        rf"(?P<first>{_NUM})(?:(?:-|–|—|\.\.)|\s(?:-|–|—|thru|through|to|bis|till)\s)(?P<last>{_NUM})(?![\w'])",
        (*_RANGE, "0 t", "0 b"),
    ),
    (
        "named range",
        rf"-?(?P<first>{_NUM})\s?(?:-|–|—|\.\.\.?)\s?(?P<stem>[^\W\d_]+)-?(?P<last>{_NUM})(?![\w'])",
        _RANGE,
    ),
    ("pair", rf"(?P<first>{_NUM})/(?P<last>{_NUM})(?![\w/])", ("0/",)),
    ("ordinal", r"(?P<n>\d{1,3})(?:st|nd|rd|th)\b", ("0s", "0n", "0r", "0t")),
    ("number", rf"(?P<sign>\+(?=\s?\d)|[\-−–](?=\d))?\s?(?P<n>{_NUM})(?!\d)", "0"),
    ("mark", r"['’]s\b|->>?|=>>?|>>|→|\.\.\.|…|:\)|;\)|:d\b|!+|\?+|[,;:.()&@>=/+*\[\]{}<|–—-]", ("",)),
    ("word", r"thac0|[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_])|[-.](?=[^\W\d_]))*", ("",)),
    ("mark", r"['’]|.", ("",)),
)
"""The kinds of tokens, in the order in which they are tried: how each is written, and parts of which a line with one has at least one, with 0 for each number."""


_PROTECTION = r"(?i)\b(armou?r|protection|resist\w*|reduc\w*|soak\w*|absorb\w*|dr)\b"
"""Words in a difference by which it is one of damage: 9 minus 3 armour = 6."""


def _patterns(line: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the kinds of tokens that a line may have; only their patterns are compiled."""
    plain = re.sub(r"\s+", " ", re.sub(r"\d+", "0", line.casefold()))
    return [
        (name, re.compile(form, re.IGNORECASE))
        for name, form, signs in _PATTERNS
        if any(sign in plain for sign in signs)
    ]


_MARKUP = re.compile(r"(?<!\w)[*_~`]+(?=\S)|(?<=\S)[*_~`]+(?!\w)")
_OUGHT = r"(?i)\bought to\b"
"""An older form of should: that ought to have been 10."""
_BEHIND = {"t": "thp", "n": "nonlethal"}
"""Letters right after a number that give its meaning, as in the notation."""
_SHORT = frozenset(
    [
        "vs",
        "w",
        "dmg",
        "dbl",
        "v",
        "init",
        "lvl",
        "temp",
        "pts",
        "adv",
        "dis",
        "disadv",
        "conc",
        "sv",
        "st",
        "rd",
        "rnd",
        "seg",
        "ft",
        "decl",
        "approx",
        "max",
        "min",
    ]
)
"""Abbreviations that are written with a full stop."""
_HASNOT = frozenset(["what", "who", "that", "it", "there", "here", "he", "she", "how", "where", "when", "let"])


_ARE_AND_HAVE = {"re": "are", "ve": "have", "ll": "will"}
_CONTRACTED = {
    **dict.fromkeys(("we", "you", "they"), _ARE_AND_HAVE),
    "i": {"ll": "will", "ve": "have", "m": "is"},
    "he": {"ll": "will"},
    "she": {"ll": "will"},
    "it": {"ll": "will"},
}
"""Pronouns with the contractions that they allow."""
_WITHOUT_APOSTROPHE = {
    "hes": ("he", "is"),
    "shes": ("she", "is"),
    "thats": ("that", "is"),
    "theres": ("there", "is"),
    "heres": ("here", "is"),
    "theyre": ("they", "are"),
    "theyve": ("they", "have"),
    "youre": ("you", "are"),
    "youve": ("you", "have"),
    "weve": ("we", "have"),
    "ive": ("i", "have"),
    "im": ("i", "is"),
    "ur": ("you", "are"),
}
"""Contractions as they are typed in haste, with their two words; without those that are words of their own, such as well and were."""


def tokens(line: str) -> list[Token]:
    """Return the tokens of a line."""
    line = _MARKUP.sub(lambda found: " " * len(found[0]), line[:LONGEST])
    if "ought to" in line.casefold():
        line = re.sub(_OUGHT, lambda found: "should".ljust(len(found[0])), line)
    if " hit " in line.casefold():
        line = _MISHEARD.sub(lambda found: f"{found[1]}to ", line)
    found: list[Token] = []
    place = 0
    patterns = _patterns(line)
    while place < len(line):
        if line[place].isspace():
            place += 1
            continue
        for name, pattern in patterns:
            match = pattern.match(line, place)
            if match and (made := _made(name, match, line, found)):
                found += made
                place = made[-1].end
                break
        else:  # pragma: no cover – the last pattern matches any character
            place += 1
    if len(found) > 1 and found[0].text == "-" and found[1].glued and found[1].kind == "word":
        found[0] = Token("word", "-", found[0].start, found[0].end, "not")  # -poisoned bo
    for at in range(1, len(found) - 1):  # ghoul: +restrained (web), -prone
        signed = found[at].text in ("+", "-") and found[at + 1].glued and found[at + 1].kind == "word"
        before = found[at - 1]
        numbered = before.kind == "number" and (before.glued or at == 2)  # gnoll-2 -prone, and not 5 +poisoned
        follows = before.text in (":", ",") or before.text[:1].isalpha() or numbered
        if signed and not found[at].glued and follows:
            said = "not" if found[at].text == "-" else "now"
            found[at] = Token("word", found[at].typed, found[at].start, found[at].end, said)
    if len(found) > 1 and found[0].text == "+" and found[1].glued and found[1].kind == "word":
        found[0] = Token("word", "+", found[0].start, found[0].end, "join")  # +ghast 36 hp
    return _with_words_as_numbers(_with_letters_of_results(found))


def _made(name: str, match: re.Match[str], line: str, before: list[Token]) -> list[Token]:
    """Return the tokens that a match makes; none if it is something else in its place."""
    start, end, typed = match.start(), match.end(), match[0]
    glued = bool(before) and before[-1].end == start
    is_name_before = glued and before[-1].kind == "word"

    def one(kind: str, **more: object) -> list[Token]:
        return [Token(kind, typed, start, end, text=typed.casefold().replace("’", "'"), glued=glued, **more)]  # type: ignore[arg-type]

    match name:
        case "quote":
            text = next((each for each in match.groups() if each is not None), "")
            return (
                one(
                    "quote",
                )
                if not text
                else [Token("quote", text, start, end, text.casefold(), glued=glued)]
            )
        case "shown":
            number = None if is_name_before else _shown(match)
            return one("number", number=number) if number else []
        case "rolled":
            return [] if is_name_before else one("number", number=_rolled(match))
        case "dice":
            return [] if is_name_before else one("dice")
        case "sum" | "times" | "halved":
            if is_name_before or (name == "sum" and before and before[-1].text in ("/",)):
                return []
            if name == "sum" and re.search(_PROTECTION, typed):
                left = Token("number", typed, start, end, match["total"], Number(int(match["total"])), glued=glued)
                return [left, Token("word", "damage", end, end, "damage")]
            return one("number", number=_summed(name, match))
        case "its_half":
            whole, told = int(match["die"]), int(match["total"])
            return one("number", number=Number(told)) if told in (whole // 2, -(-whole // 2)) else []
        case "half_of":
            halved = Token("number", typed, start, end, match["total"], Number(int(match["total"])), glued=glued)
            sort = match["sort"]
            return [halved, Token("word", sort, end, end, sort.casefold())] if sort else [halved]
        case "square":
            x, y = int(match["x"]), int(match["y"])
            many = before and before[-1].text == ","
            return [] if is_name_before or (many and not typed.startswith("(")) else one("square", values=(x, y))
        case "range":
            first, last = int(match["first"]), int(match["last"])
            words = re.search(r"[a-z]", typed) is not None
            spans = 0 < last - first < 40 and not (words and (not before or before[-1].kind != "word"))
            return one("range", values=tuple(range(first, last + 1))) if spans and first > 0 else []
        case "named range":
            first, last = int(match["first"]), int(match["last"])
            spans = (
                is_name_before and before[-1].text == match["stem"].casefold() and 0 < last - first < 40 and first > 0
            )
            return one("range", values=tuple(range(first, last + 1))) if spans else []
        case "pair":
            both = (int(match["first"]), int(match["last"]))
            return [] if is_name_before else one("number", number=Number(both[0], pair=both))
        case "ordinal":
            return [] if is_name_before else one("ordinal", values=(int(match["n"]),))
        case "number":
            sign = (match["sign"] or "").replace("−", "-").replace("–", "-")
            if sign and glued and before[-1].kind in ("word", "quote") and sign == "-":
                sign = ""  # orc-1
                hyphen = Token("mark", "-", start, start + 1, "-", glued=True)
                return [
                    hyphen,
                    Token("number", match["n"], match.start("n"), end, match["n"], Number(int(match["n"])), glued=True),
                ]
            value = int(match["n"])
            return one("number", number=Number(-value if sign == "-" else value, sign))
        case "word":
            return _word(match, line, glued=glued)
    if typed in _TICKS:
        return [Token("word", typed, start, end, _TICKS[typed], glued=glued)]
    if _is_picture(typed):
        return one("picture")
    return one("mark") if set(typed) - {*"!?"} else [Token("mark", typed, start, end, typed[0], glued=glued)]


_TICKS = {**dict.fromkeys("✅✓✔☑", "yes"), **dict.fromkeys("❌✗✘✖❎👎", "no")}
"""What ticks and crosses say."""


def _is_picture(typed: str) -> bool:
    """Say whether a character is a picture, or a part of one, such as the colour of a hand: it says nothing."""
    if typed.isascii():
        return False
    from unicodedata import category  # only for characters beyond ASCII

    return typed in _OF_PICTURES or category(typed) in ("So", "Sk")


_OF_PICTURES = "\u200d\ufe0f\u20e3"
"""What joins pictures, shows a sign as a picture, and puts a key around a number."""


def _shown(match: re.Match[str]) -> Number | None:
    """Return the number of dice that have a face each, as in the notation: 2d20kh1:10x,18, d6:4+2; None if the faces
    and the dice differ in number.
    """
    faces = [int(each) for each in re.findall(r"\d+", match["faces"])]
    try:
        notation = dice.of(match["notation"].casefold())
    except ValueError:
        return None
    if len(faces) != notation.count:
        return None
    gone = dice.dropped(notation, faces)
    shown = {"notation": notation.text, "faces": faces} | ({"dropped": gone} if gone else {})
    die = Rolled.of(shown, 0) if notation.sides == 20 else None
    value = Rolled.of(shown, int(match["plus"] or 0))
    return Number(value, die=die, notation=notation.text, faces=tuple(faces), summed=True)


def _rolled(match: re.Match[str]) -> Number:
    """Return the total of dice, with their faces."""
    groups = match.groupdict()
    faces = tuple(int(each) for each in re.findall(_NUM, groups.get("faces") or groups.get("faces2") or ""))
    added = sum(
        int(each.replace(" ", ""))
        for each in re.findall(rf"[+-]\s*{_NUM}", (groups.get("plus") or "") + (groups.get("inner") or ""))
    )
    said = groups.get("total2") or groups.get("total")
    value = int(said) if said else sum(faces) + added
    notation = (groups.get("notation") or "").casefold()
    single = re.fullmatch(r"1?[dw](\d+|%)", notation) is not None or (not notation and len(faces) == 1)
    die = (
        faces[0]
        if len(faces) == 1 and single
        else value - added
        if single and groups.get("total") and not groups.get("total2")
        else None
    )
    return Number(value, die=die, notation=notation, faces=faces, summed=True)


def _summed(name: str, match: re.Match[str]) -> Number:
    groups = match.groupdict()
    if name == "sum":
        first = int(groups["die"])
        added = sum(int(each.replace(" ", "")) for each in re.findall(rf"[+-]\s*{_NUM}", groups["plus"]))
        return Number(int(groups["total"]) if groups.get("total") else first + added, die=first, summed=True)
    return Number(int(groups["total"]), summed=name != "halved")


def _word(match: re.Match[str], line: str, *, glued: bool) -> list[Token]:
    """Return a word, or its components: what and is of what's, Mira and 's of Mira's, GO and 2 of GO2."""
    typed, start, end = match[0], match.start(), match.end()
    if (
        typed.casefold() in _SHORT
        and line[end : end + 1] == "."
        and (line[end + 1 : end + 2].isspace() or end + 1 == len(line))
    ):
        return [Token("word", typed, start, end + 1, typed.casefold(), glued=glued)]
    if "." in typed and re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]|[^\W\d_]\.[^\W\d_]{3,}", typed) is None:
        typed = typed.partition(".")[0]
        end = start + len(typed)
    text = typed.casefold().replace("’", "'")
    if re.fullmatch(r"(?:[a-z]\.)+[a-z]", text) and line[end : end + 1] == ".":  # h.p., C.L.W.
        return [Token("word", typed, start, end + 1, text.replace(".", ""), glued=glued)]
    first, hyphen, rest = text.partition("-")
    if hyphen and first in ORDINALS and rest in ("level", "lvl"):
        middle = start + len(first)
        return [
            Token("word", typed[: len(first)], start, middle, first, glued=glued),
            Token("word", typed[len(first) + 1 :], middle + 1, end, rest),
        ]
    owner, apostrophe, ending = text.rpartition("'")
    if apostrophe and owner in _CONTRACTED and ending in _CONTRACTED[owner]:
        middle = start + len(owner)
        return [
            Token("word", typed[: len(owner)], start, middle, owner, glued=glued),
            Token("word", typed[len(owner) :], middle, end, _CONTRACTED[owner][ending], glued=True),
        ]
    if apostrophe and ending == "s":
        rest = "is" if owner in _HASNOT else "'s"
        return [
            Token("word", typed[: len(owner)], start, start + len(owner), owner, glued=glued),
            Token("word" if rest == "is" else "mark", typed[len(owner) :], start + len(owner), end, rest, glued=True),
        ]
    if text in _WITHOUT_APOSTROPHE and not glued:
        first_word, second = _WITHOUT_APOSTROPHE[text]
        middle = start + min(len(first_word), len(text) - 1)
        return [
            Token("word", typed[: middle - start], start, middle, first_word),
            Token("word", typed[middle - start :], middle, end, second, glued=True),
        ]
    if glued and text in _BEHIND and start > 0 and line[start - 1].isdigit():
        text = _BEHIND[text]
    found = [Token("word", typed, start, end, text, glued=glued)]
    if (
        end < len(line)
        and line[end] in "'’"
        and text.endswith("s")
        and (end + 1 == len(line) or line[end + 1].isspace())
    ):
        found.append(Token("mark", line[end], end, end + 1, "'s", glued=True))
    return found


_RESULTS = {"h": "hit", "x": "miss"}
_OF_SAVES = {"s": "succeeds", "f": "fails"}
_OF_DAMAGE = {"s": "slashing", "p": "piercing", "b": "bludgeoning", "f": "fire"}
_SAVES = frozenset(
    ["str", "dex", "con", "int", "wis", "cha", "fort", "ref", "will", "save", "saves", "sv", "death", "dc"]
)
_LASTS = frozenset(["for", "lasts", "dur", "duration", "("])


def _with_letters_of_results(found: list[Token]) -> list[Token]:
    """Return tokens in which a letter right after a number is the outcome of a roll or a save, or the damage type: 19h 8p, 15x, con 9f."""
    made = list(found)
    said: set[str] = set()
    outcomes = [at for at in range(1, len(found)) if _is_letter(found, at) and found[at].text in _OF_SAVES]
    for at, token in enumerate(found):
        if token.text in (".", ";"):
            said = set()
        if at and _is_letter(found, at):
            lasts = (at > 1 and found[at - 2].text in _LASTS) or not (token.glued or token.text in _OF_SAVES)
            saves = bool(said & _SAVES) or (len(outcomes) > 1 and "hit" not in said)
            counts = at + 1 < len(found) and found[at + 1].kind == "word"  # 2x goblin
            text = "" if lasts or (token.text == "x" and counts) else _RESULTS.get(token.text, "")
            damage = _OF_DAMAGE.get(token.text, "") if "hit" in said and token.glued else ""
            text = text or (_OF_SAVES.get(token.text, "") if saves else damage)
            if text:
                made[at] = Token("word", token.typed, token.start, token.end, text, glued=True)
        said.add(made[at].text)
    return made


def _is_letter(found: list[Token], at: int) -> bool:
    """Say whether a single letter stands right after a number, or a capital one before a mark: 15x, 9 F, gob S."""
    token, before = found[at], found[at - 1]
    if token.kind != "word" or len(token.text) != 1:
        return False
    ends = at + 1 == len(found) or found[at + 1].kind == "mark"
    capital = token.typed.isupper() and ends and token.text in _OF_SAVES and before.kind in ("number", "word")
    return capital if not token.glued else before.kind == "number"


def _with_words_as_numbers(found: list[Token]) -> list[Token]:
    """Return tokens in which numbers and ordinals written as words are numbers: twenty two, a hundred and five."""
    made: list[Token] = []
    place = 0
    while place < len(found):
        value, end = _spelled(found, place)
        if end == place + 1 and found[place].text == "one" and place and _calls_one(found[place - 1]):
            end = place  # the first one, the other one
        if end > place:
            first, last = found[place], found[end - 1]
            typed = " ".join(each.typed for each in found[place:end])
            made.append(
                Token(
                    "number",
                    typed,
                    first.start,
                    last.end,
                    typed.casefold(),
                    Number(value, spelled=True),
                    glued=first.glued,
                )
            )
            place = end
            continue
        token = found[place]
        if token.kind == "word" and token.text in ORDINALS:
            token = Token(
                "ordinal",
                token.typed,
                token.start,
                token.end,
                token.text,
                values=(ORDINALS[token.text],),
                glued=token.glued,
            )
        made.append(token)
        place += 1
    return made


def _calls_one(before: Token) -> bool:
    """Say whether "one" after this word stands for a combatant or a thing, and is no number."""
    return before.kind == "ordinal" or before.text in (
        *ORDINALS,
        "other",
        "this",
        "that",
        "another",
        "last",
        "next",
        "which",
    )


def _spelled(found: list[Token], place: int) -> tuple[int, int]:
    """Return the number that the words from a place on spell, and where they end; the same place where they spell none."""
    words = []
    for token in found[place : place + 6]:
        words += [(each, token) for each in token.text.split("-")] if token.kind == "word" else [("", token)]
    value, at = 0, 0
    if words and words[0][0] in ("a", "one") and len(words) > 1 and words[1][0] == "hundred":
        value, at = 100, 2
    elif len(words) > 1 and words[0][0] in UNITS and words[1][0] == "hundred":
        value, at = 100 * UNITS[words[0][0]], 2
    hundreds = at
    if (
        hundreds
        and at < len(words)
        and words[at][0] == "and"
        and at + 1 < len(words)
        and words[at + 1][0] in {**UNITS, **TENS}
    ):
        at += 1
    if at < len(words) and words[at][0] in TENS:
        value, at = value + TENS[words[at][0]], at + 1
        if at < len(words) and 0 < UNITS.get(words[at][0], 0) < 10:
            value, at = value + UNITS[words[at][0]], at + 1
    elif at < len(words) and words[at][0] in UNITS:
        value, at = value + UNITS[words[at][0]], at + 1
    if not at or (at < len(words) and words[at][1] is words[at - 1][1]):
        return 0, place  # nothing, or a part of a word: two-handed
    ends = dict.fromkeys(id(token) for _, token in words[:at])
    return value, place + len(ends)
