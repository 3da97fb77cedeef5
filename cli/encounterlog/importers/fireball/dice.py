"""Dice as the bot prints them, e.g. "2d20kh1 (~~10~~, 18) + 5 = `23`", read face by face."""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import floor, trunc
from typing import Any, NamedTuple

from encounterlog.importers.fireball.words import whole, word
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


class Term(NamedTuple):
    """One summand of a roll: dice or a number, with its sign and the note in brackets after it.

    `how` names what a factor adds or takes, such as halved; its amount is then that difference.
    """

    amount: int
    dice: dict[str, Any] | None
    note: str
    how: str = ""


class PrintedRoll(NamedTuple):
    """A roll: its summands, or only its dice if they do not add up to the total, and its total if printed."""

    terms: list[Term]
    total: int | None


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


def kept_of(dice: dict[str, Any]) -> int:
    """Return the sum of the faces that count."""
    dropped = dice.get("dropped", [])
    return sum(face for place, face in enumerate(dice["faces"]) if place not in dropped)


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


def thrown(roll: PrintedRoll | None) -> dict[str, Any]:
    """Make the fields die, modifiers and total of a roll fact; a single d20 shows as its bare face."""
    if roll is None:
        return {}
    found: dict[str, Any] = {}
    first = next((term for term in roll.terms if term.dice), None)
    if first is not None and first.dice:
        found["die"] = first.dice["faces"][0] if first.dice["notation"] in ("d20", "1d20") else first.dice
    others = [_modifier(term) for term in roll.terms if term is not first and (term.dice or term.amount)]
    if first is not None and others:
        found["modifiers"] = others
    return found if roll.total is None else with_rest(found | {"total": roll.total})


UNANNOUNCED = "not announced"
"""The name for the part of a printed total that is missing from its printed parts."""


def with_rest(found: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a roll with one part more where the die and the modifiers do not make up the total."""
    if "die" not in found or "total" not in found:
        return found
    modifiers = found.get("modifiers", [])
    shown = found["die"] if isinstance(found["die"], int) else kept_of(found["die"])
    rest = found["total"] - shown - sum(each["amount"] for each in modifiers)
    return found | {"modifiers": [*modifiers, {"name": UNANNOUNCED, "amount": rest}]} if rest else found


def _modifier(term: Term) -> dict[str, Any]:
    return {"name": word(term.how or term.note or ("dice" if term.dice else "bonus")), "amount": term.amount}
