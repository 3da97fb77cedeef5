"""The bot's print: dice face by face, hit points in its list, and the titles of acts."""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import floor, trunc
from typing import Any, NamedTuple

from encounterlog.importers.words import whole, word
from encounterlog.importers.writing import PrintedRoll, Term, kept_of
from encounterlog.lineups.stat_blocks.prose import DAMAGE_TYPES

_TERM = re.compile(
    r"(?P<sign>[-+])?\s*(?:(?P<notation>\d*d(?:\d+|%)[a-z0-9<>=]*)\s*\((?P<faces>[^()]*)\)|(?P<number>\d+))"
    r"\s*(?:\[(?P<note>[^\]]*)\])?"
)
_TOTAL = re.compile(r"=\s*`(-?\d+)`\s*$")
_TOO_LARGE = re.compile(r"\d{19}")
"""A number that no dice add up to, and no log holds."""
_TOKEN = re.compile(
    r"\s*((?:\d*d(?:\d+|%)[a-z0-9<>=]*\s*\([^()]*\))|\d+(?:\.\d+)?|//|~~|[-+*/(),]|[kp][hl<>]?\d+|\[[^\]]*\])",
    re.IGNORECASE,
)


def read_roll(text: object) -> PrintedRoll | None:
    """Read a printed roll; None if the text has no dice and no number."""
    if isinstance(text, dict):
        text = text.get("result")
    if not isinstance(text, str) or _TOO_LARGE.search(text):
        return None
    found = _TOTAL.search(text.strip())
    total = whole(int(found.group(1))) if found else None
    left = _TOTAL.sub("", text.strip())
    terms = summands(left, total)
    if terms is None:
        terms = [term for match in _TERM.finditer(left) if (term := _dice_only(match))]
    if not terms and not found:
        return None
    return PrintedRoll(terms, total)


def _dice_only(match: re.Match[str]) -> Term | None:
    dice = _dice(match["notation"], match["faces"]) if match["notation"] else None
    return None if dice is None else Term(kept_of(dice), dice, (match["note"] or "").strip())


def _dice(notation: str, printed: str) -> dict[str, Any] | None:
    faces: list[int] = []
    dropped: list[int] = []
    for place, token in enumerate(printed.split(",")):
        face = re.search(r"(\d+)\W*$", token.strip())
        if face is None:
            return None
        faces.append(int(face.group(1)))
        if token.strip().startswith(("~~", "**~~")):
            dropped.append(place)
    found: dict[str, Any] = {"notation": notation, "faces": faces}
    return found | {"dropped": dropped} if dropped else found


# the sum


class _Unreadable(ValueError):
    """The error that a printed roll is no sum of dice and numbers, with factors."""


class _Part(NamedTuple):
    """A summand while it is read: a factor may leave a fraction of it."""

    amount: Fraction
    dice: dict[str, Any] | None
    note: str
    how: str = ""


def summands(text: str, total: int | None) -> list[Term] | None:
    """Split a printed roll, without its total, into summands that add up to the total; None if that is impossible."""
    tokens = _TOKEN.findall(text)
    if "".join(text.split()) != "".join("".join(tokens).split()):
        return None
    try:
        reader = _Reader([one.strip() for one in tokens])
        found = _noted(reader.sum())
        if reader.left():
            return None
        terms = _whole(found, total)
    except (_Unreadable, ZeroDivisionError):
        return None
    return terms if total is None or sum(term.amount for term in terms) == total else None


class _Reader:
    """A reader of the tokens of a roll; each method reads one rule of the grammar."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens[::-1]

    def left(self) -> bool:
        """Say whether tokens are left."""
        return bool(self._tokens)

    def sum(self) -> list[_Part]:
        """Read products with plus or minus between them."""
        found = self._product()
        while self._next() in ("+", "-"):
            minus = self._tokens.pop() == "-"
            found = found + _signed(self._product(), minus=minus)
        return found

    def _product(self) -> list[_Part]:
        found = self._signed()
        while self._next() in ("*", "/", "//"):
            found = _scaled(found, self._tokens.pop(), self._signed())
        return found

    def _signed(self) -> list[_Part]:
        if self._next() in ("+", "-"):
            minus = self._tokens.pop() == "-"
            return _signed(self._signed(), minus=minus)
        return self._atom()

    def _atom(self) -> list[_Part]:
        first = self._tokens.pop() if self._tokens else ""
        if first == "(":
            found = self._set()
        elif first == "~~":  # a member of a set that does not count
            self.sum()
            self._take("~~")
            found = []
        else:
            found = [_number_or_dice(first)]
        while self._next().startswith("["):
            note = self._tokens.pop()[1:-1].strip()
            found = [one._replace(note=one.note or note) for one in _noted(found)]
        return found

    def _set(self) -> list[_Part]:
        """Read the rest of a sum in parentheses, or of a list in which some count, as in (5, ~~3~~)kh1."""
        found = self.sum()
        while self._next() == ",":
            self._tokens.pop()
            found = found + self.sum()
        self._take(")")
        if re.fullmatch(r"[kp][hl<>]?\d+", self._next(), re.IGNORECASE):
            self._tokens.pop()
        return found

    def _take(self, token: str) -> None:
        if not self._tokens or self._tokens.pop() != token:
            raise _Unreadable

    def _next(self) -> str:
        return self._tokens[-1] if self._tokens else ""


def _number_or_dice(text: str) -> _Part:
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return _Part(Fraction(text), None, "")
    match = _TERM.fullmatch(text)
    dice = _dice(match["notation"], match["faces"]) if match and match["notation"] else None
    if dice is None:
        raise _Unreadable
    return _Part(Fraction(kept_of(dice)), dice, "")


def _signed(found: list[_Part], *, minus: bool) -> list[_Part]:
    return [one._replace(amount=-one.amount) for one in found] if minus else found


def _scaled(found: list[_Part], sign: str, by: list[_Part]) -> list[_Part]:
    """Multiply or divide summands by a number: they stay as rolled, and a further one is the difference."""
    if any(one.dice for one in by) and sign == "*" and not any(one.dice for one in found):
        found, by = by, found
    if any(one.dice for one in by):
        raise _Unreadable
    note = next((one.note for one in by if one.note), "")
    found = [one._replace(note=one.note or note) for one in _noted(found)]
    factor, held = sum((one.amount for one in by), Fraction()), sum((one.amount for one in found), Fraction())
    result = {"*": lambda: held * factor, "/": lambda: held / factor, "//": lambda: Fraction(held // factor)}[sign]()
    notes = {one.note for one in found}
    return [*found, _Part(result - held, None, notes.pop() if len(notes) == 1 else "", _how(sign, factor))]


def _how(sign: str, factor: Fraction) -> str:
    if factor == 2:
        return "doubled" if sign == "*" else "halved"
    return f"{'times' if sign == '*' else 'divided by'} {float(factor):g}"


def _noted(found: list[_Part]) -> list[_Part]:
    """Give every summand the note that is printed after the last one of its kind."""
    noted: list[_Part] = []
    note = ""
    for one in reversed(found):
        note = one.note or note
        noted.append(one._replace(note=note))
    return noted[::-1]


def _whole(found: list[_Part], total: int | None) -> list[Term]:
    """Round the products of factors; the last one takes the difference to the printed total, which is rounded once."""
    terms = [Term(floor(one.amount), one.dice, one.note, one.how) for one in found]
    last = max((place for place, one in enumerate(terms) if one.how), default=None)
    if last is not None:
        exact = sum((one.amount for one in found), Fraction())
        wanted = trunc(exact) if total is None or abs(exact - total) >= 1 else total
        rest = wanted - sum(one.amount for one in terms)
        terms[last] = terms[last]._replace(amount=terms[last].amount + rest)
    if any(whole(one.amount) is None for one in terms):
        raise _Unreadable
    return terms


# the facts


def roll_of_total(roll: PrintedRoll | None, amount: int) -> PrintedRoll | None:
    """Return a roll whose summands add up to an amount; None for any other."""
    if roll is None or not roll.terms:
        return None
    return roll if sum(term.amount for term in roll.terms) == amount else None


def parts(roll: PrintedRoll, name: str, sign: int = 1) -> list[dict[str, Any]]:
    """Make the parts of a damage fact, or with the sign -1 of a healing fact: one for each summand, which add up.

    Those without a note get a name. A bonus of 0 is none; a roll whose summands do not add up has no parts.
    """
    if roll.total is not None and sum(term.amount for term in roll.terms) != roll.total:
        return []
    terms = [term for term in roll.terms if term.dice or term.amount] or roll.terms
    return [_part(term._replace(amount=sign * term.amount), name) for term in terms]


def _part(term: Term, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": word(term.how or term.note or name)}
    if term.dice and term.amount >= 0:
        found["dice"] = term.dice
    elif term.dice:
        found |= {"name": word(f"less {term.dice['notation']}"), "kind": "flat", "amount": term.amount}
    else:
        found |= {"kind": "flat", "amount": term.amount}
    return found | {"damage_type": word(term.note)} if term.note else found


def damage_type(note: str) -> str:
    """Return the type of damage that a note such as "magical slashing" names, else the note as it is."""
    named = [one for one in note.casefold().split() if one in DAMAGE_TYPES]
    return named[0] if len(named) == 1 else note


def typed(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part with the type of its damage in the words of the fifth edition."""
    return part | {"damage_type": damage_type(part["damage_type"])} if "damage_type" in part else part


def is_scaled(parts: Iterable[dict[str, Any]]) -> bool:
    """Say whether a factor has changed an amount with these parts; nobody says whether a save or a resistance did."""
    return any(part["name"] in _SCALES or part["name"].startswith(_FACTORS) for part in parts)


_SCALES = ("halved", "doubled")
_FACTORS = ("times ", "divided by ")


_BEHIND = re.compile(
    r"(?: <(?P<points>[^<>]*)>)?(?: \(\+(?P<temp>\d{1,15}) temp\))?(?: \((?:AC (?P<ac>-?\d{1,15}))?.*)?\s*"
)
_POINTS = re.compile(r"(?P<hp>-?\d{1,15})(?:/(?P<hp_max>-?\d{1,15}))?(?: HP)?(?:, (?P<temp>\d{1,15}) temp)?")
_TEMP = re.compile(r"(?P<temp>\d{1,15}) temp")
_ENTRY = re.compile(r"(?:[# ] *-?\d+: | {2,}- )\S")
NOTHING = ("", "None")
"""The text in angle brackets of those whose hit points nobody has set."""


class Printed(NamedTuple):
    """The printed values of one combatant; None for those not printed."""

    hp: int | None = None
    hp_max: int | None = None
    temp: int | None = None
    ac: int | None = None


class PrintedList:
    """The list, read from top to bottom; lines that belong to nobody are left over."""

    def __init__(self, text: str) -> None:
        self._lines = text.removesuffix("```").split("\n")
        self._next = 0
        self._read: set[int] = set()
        self.unclear: list[str] = []

    def skip(self, name: str) -> None:
        """Skip the heading line of a group."""
        self._find(name)

    def take(self, name: str) -> Printed | None:
        """Read the next line of exactly this name; None without one."""
        found = self._find(name)
        if found is None:
            return None
        said = points_in(found["points"] or "")
        if said is None:
            self.unclear.append(f"shows {name} at <{found['points']}>, which is not a number of hit points")
            said = Printed()
        temp = _number(found["temp"])
        return said._replace(temp=said.temp if temp is None else temp, ac=_number(found["ac"]))

    def left_over(self) -> list[str]:
        """Return a sentence for each line that shows a combatant who is not in the state."""
        unread = [line for place, line in enumerate(self._lines) if place not in self._read]
        over = [line.strip()[:80] for line in unread if _ENTRY.match(line)]
        return [*self.unclear, *(f"shows {line!r}, which belongs to nobody in the state" for line in over)]

    def _find(self, name: str) -> re.Match[str] | None:
        """Find the next line with a whole name, followed by hit points, something in brackets, or nothing."""
        start = re.compile(r"(?:[# ] *-?\d+: | +- )" + re.escape(name))
        for place in range(self._next, len(self._lines)):
            before = start.match(self._lines[place])
            found = _BEHIND.fullmatch(self._lines[place], before.end()) if before else None
            if found:
                self._next = place + 1
                self._read.add(place)
                return found
        return None


def points_in(text: str) -> Printed | None:
    """Read hit points as printed: 10/20 HP, 10 HP, 10/20 HP, 5 temp, or None; None where they are words."""
    if text in NOTHING:
        return Printed()
    if only := _TEMP.fullmatch(text):
        return Printed(temp=_number(only["temp"]))
    found = _POINTS.fullmatch(text)
    return Printed(_number(found["hp"]), _number(found["hp_max"]), _number(found["temp"])) if found else None


def _number(text: str | None) -> int | None:
    return None if text is None else whole(int(text))


_ARTICLE = re.compile(r"^An? ")
_WHOSE = r"(?:(?:an?|the|his|her|its|their) )?"
_KINDS = (
    (re.compile(rf"^casts {_WHOSE}(?P<name>.+)$", re.DOTALL), "cast"),
    (re.compile(rf"^attacks with {_WHOSE}(?P<name>.+)$", re.DOTALL), "attack"),
    (re.compile(rf"^(?:uses|activates) {_WHOSE}(?P<name>.+)$", re.DOTALL), "other"),
)
_MEANS = re.compile(r"^(?:has|makes) an? (?P<name>.+)$", re.DOTALL)
PHRASE = "phrase"
"""The kind of an act that is announced in words of its own, as in "goes Prone": its name is the whole phrase."""
UNKNOWN = "An unknown creature"
"""The name in a title where the bot was asked to hide it."""


class Title(NamedTuple):
    """An announced act: its kind, its name, and the name of what rolls are made with, if the title has one."""

    kind: str
    name: str
    means: str = ""


def after_name(title: str, name: str) -> str | None:
    """Return a title after a whole name, which may have an article before it; None where it is about another."""
    for start in (name, UNKNOWN):
        for text in (title, _ARTICLE.sub("", title)):
            if name and text.startswith(start) and not text[len(start) : len(start) + 1].isalnum():
                return text[len(start) :].strip()
    return None


def read_title(words: str) -> Title | None:
    """Read the act in a title; None if it has none."""
    words = words.strip().removesuffix("!").removesuffix(".").strip()
    for pattern, kind in _KINDS:
        if found := pattern.match(words):
            name = found["name"].strip()
            return Title(kind, name, name)
    means = _MEANS.match(words)
    return Title(PHRASE, words, means["name"] if means else "") if words else None


def is_roll(words: str) -> bool:
    """Say whether a title announces a check, a save or an initiative roll, not an act."""
    return re.match(r"^(?:makes an? |already rolled ).*(?:check|save|initiative)\W*$", words, re.IGNORECASE) is not None
