"""The bot's print: dice face by face, hit points in its list, and the titles of acts."""

import ast
import re
from fractions import Fraction
from itertools import count
from math import floor, trunc
from typing import Any, NamedTuple

from encounterlog.importers.words import make_word, parse_whole_number
from encounterlog.importers.writing import PrintedRoll, Term, dice_fields, sum_of_kept
from encounterlog.lineups.prose import DAMAGE_TYPES

_DICE = re.compile(r"(?P<notation>\d*d(?:\d+|%)[a-z0-9<>=]*)\s*\((?P<faces>[^()]*)\)")
_NOTE = re.compile(r"\[(?P<note>[^\]]*)\]")
_TOTAL = re.compile(r"=\s*`(-?\d+)`\s*$")
_TOO_LARGE = re.compile(r"\d{19}")
"""A number that no dice add up to, and no log holds."""
_STRUCK = re.compile(r"((?:^|[(,])\s*)~~")
"""The beginning of a member that does not count."""
_KEPT = re.compile(r"(?<=\))\s*[kp][hl<>]?\d+", re.IGNORECASE)
_ARITHMETIC = re.compile(r"[\d\s.+\-*/(),\[\]DS]*")
"""A roll once its dice are D(0), its notes [0], and those of a set that do not count S(...)."""


def read_roll(text: object) -> PrintedRoll | None:
    """Read a printed roll; None if the text has no dice and no number."""
    if isinstance(text, dict):
        text = text.get("result")
    if not isinstance(text, str) or _TOO_LARGE.search(text):
        return None
    found = _TOTAL.search(text.strip())
    total = parse_whole_number(int(found.group(1))) if found else None
    left = _TOTAL.sub("", text.strip())
    terms = split_summands(left, total)
    if terms is None:
        found_dice = (
            (_read_dice(one), one["note"]) for one in re.finditer(rf"{_DICE.pattern}\s*(?:{_NOTE.pattern})?", left)
        )
        terms = [Term(sum_of_kept(dice), dice, (note or "").strip()) for dice, note in found_dice if dice]
    return PrintedRoll(terms, total) if terms or found else None


def roll_fields(text: object) -> dict[str, Any]:
    """Return a printed roll as the fields of a fact: die, modifiers and total."""
    return dice_fields(read_roll(text))


def _read_dice(found: re.Match[str]) -> dict[str, Any] | None:
    """Return printed dice; None if a face is no number."""
    printed = [one.strip() for one in found["faces"].split(",")]
    faces = [face for one in printed if (face := re.search(r"(\d+)\W*$", one))]
    dice: dict[str, Any] = {"notation": found["notation"], "faces": [int(face[1]) for face in faces]}
    dropped = [place for place, one in enumerate(printed) if one.startswith(("~~", "**~~"))]
    return None if len(faces) < len(printed) else dice | {"dropped": dropped} if dropped else dice


# the sum


class _Unreadable(ValueError):
    """The error that a printed roll is no sum of dice and numbers, with factors."""


class _Part(NamedTuple):
    """A summand while it is read: a factor may leave a fraction of it."""

    amount: Fraction
    dice: dict[str, Any] | None
    note: str
    how: str = ""


def split_summands(text: str, total: int | None) -> list[Term] | None:
    """Split a printed roll, without its total, into summands that add up to the total; None if that is impossible."""
    dice, notes = [*map(_read_dice, _DICE.finditer(text))], _NOTE.findall(_DICE.sub("", text))
    numbers = count(), count()
    written = _NOTE.sub(lambda _: f"[{next(numbers[0])}]", _DICE.sub(lambda _: f"D({next(numbers[1])})", text))
    written = _KEPT.sub("", _STRUCK.sub(r"\1S(", written).replace("~~", ")")).strip()
    try:
        if not _ARITHMETIC.fullmatch(written):
            return None
        parsed = ast.parse(re.sub(r"\b0+(?=\d)", "", written), mode="eval").body
        # 1, 2 without brackets is no roll
        bare = isinstance(parsed, ast.Tuple) and not (parsed.elts and parsed.elts[0].col_offset)
        found = [] if bare else _summands_of(parsed, dice, [note.strip() for note in notes])
        terms = _round_products(_spread_notes(found), total) if found else None
    except (_Unreadable, SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None
    return terms if terms is None or total is None or sum(term.amount for term in terms) == total else None


def _summands_of(node: ast.expr, dice: list[dict[str, Any] | None], notes: list[str]) -> list[_Part]:
    """Return the summands of an expression, whose dice and notes are given by their numbers."""

    def of(inner: ast.expr) -> list[_Part]:
        return _summands_of(inner, dice, notes)

    found: list[_Part]
    match node:
        case ast.Constant(value=int() | float() as number):
            found = [_Part(Fraction(str(number)), None, "")]
        case ast.Call(func=ast.Name(id="D"), args=[ast.Constant(value=int() as place)]) if thrown := dice[place]:
            found = [_Part(Fraction(sum_of_kept(thrown)), thrown, "")]
        case ast.Call(func=ast.Name(id="S")):  # members of a set that do not count
            found = []
        case ast.Tuple(elts=members):  # a list in which some count
            found = [one for each in members for one in of(each)]
        case ast.Subscript(value=noted, slice=ast.Constant(value=int() as place)):
            found = [one._replace(note=one.note or notes[place]) for one in _spread_notes(of(noted))]
        case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=operand):
            found = _negate_if(of(operand), minus=isinstance(sign, ast.USub))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            found = of(left) + _negate_if(of(right), minus=isinstance(sign, ast.Sub))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _FACTOR_SIGNS:
            found = _scale_summands(of(left), _FACTOR_SIGNS[type(op)], of(right))
        case _:
            raise _Unreadable
    return found


_FACTOR_SIGNS: dict[type[ast.operator], str] = {ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//"}


def _negate_if(found: list[_Part], *, minus: bool) -> list[_Part]:
    return [one._replace(amount=-one.amount) for one in found] if minus else found


def _scale_summands(found: list[_Part], sign: str, by: list[_Part]) -> list[_Part]:
    """Multiply or divide summands by a number: they stay as rolled, and a further one is the difference."""
    if any(one.dice for one in by) and sign == "*" and not any(one.dice for one in found):
        found, by = by, found
    if any(one.dice for one in by):
        raise _Unreadable
    note = next((one.note for one in by if one.note), "")
    found = [one._replace(note=one.note or note) for one in _spread_notes(found)]
    factor, held = sum((one.amount for one in by), Fraction()), sum((one.amount for one in found), Fraction())
    result = held * factor if sign == "*" else held / factor if sign == "/" else Fraction(held // factor)
    notes = {one.note for one in found}
    how = f"{'times' if sign == '*' else 'divided by'} {float(factor):g}"
    if factor == 2:
        how = "doubled" if sign == "*" else "halved"
    return [*found, _Part(result - held, None, notes.pop() if len(notes) == 1 else "", how)]


def _spread_notes(found: list[_Part]) -> list[_Part]:
    """Give every summand the note that is printed after the last one of its kind."""
    noted: list[_Part] = []
    note = ""
    for one in reversed(found):
        note = one.note or note
        noted.append(one._replace(note=note))
    return noted[::-1]


def _round_products(found: list[_Part], total: int | None) -> list[Term]:
    """Round the products of factors; the last one takes the difference to the printed total, which is rounded once."""
    terms = [Term(floor(one.amount), one.dice, one.note, one.how) for one in found]
    last = max((place for place, one in enumerate(terms) if one.how), default=None)
    if last is not None:
        exact = sum((one.amount for one in found), Fraction())
        wanted = trunc(exact) if total is None or abs(exact - total) >= 1 else total
        rest = wanted - sum(one.amount for one in terms)
        terms[last] = terms[last]._replace(amount=terms[last].amount + rest)
    if any(parse_whole_number(one.amount) is None for one in terms):
        raise _Unreadable
    return terms


# the facts


def parts(roll: PrintedRoll, name: str, sign: int = 1) -> list[dict[str, Any]]:
    """Make the parts of a damage fact, or with the sign -1 of a healing fact: one for each summand, which add up.

    Those without a note get a name. A bonus of 0 is none; a roll whose summands do not add up has no parts.
    """
    if roll.total is not None and sum(term.amount for term in roll.terms) != roll.total:
        return []
    terms = [term for term in roll.terms if term.dice or term.amount] or roll.terms
    return [_amount_part(term._replace(amount=sign * term.amount), name) for term in terms]


def _amount_part(term: Term, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": make_word(term.how or term.note or name)}
    if term.dice and term.amount >= 0:
        found["dice"] = term.dice
    else:
        found |= {"name": make_word(f"less {term.dice['notation']}")} if term.dice else {}
        found |= {"kind": "flat", "amount": term.amount}
    return found | {"damage_type": make_word(term.note)} if term.note else found


def damage_type(note: str) -> str:
    """Return the type of damage that a note such as "magical slashing" names, else the note as it is."""
    named = [one for one in note.casefold().split() if one in DAMAGE_TYPES]
    return named[0] if len(named) == 1 else note


_BEHIND = re.compile(
    r"(?: <(?P<points>[^<>]*)>)?(?: \(\+(?P<temp>\d{1,15}) temp\))?(?: \((?:AC (?P<ac>-?\d{1,15}))?.*)?\s*"
)
_POINTS = re.compile(
    r"(?:None|(?P<hp>-?\d{1,15})(?:/(?P<hp_max>-?\d{1,15}))?(?: HP)?)?(?:(?:^|, )(?P<temp>\d{1,15}) temp)?"
)
"""Hit points as printed: 10/20 HP, 10 HP, 10/20 HP, 5 temp, 5 temp alone, or None where nobody has set them."""
_ENTRY = re.compile(r"(?:[# ] *-?\d+: | {2,}- )\S")


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

    def take(self, name: str) -> Printed | None:
        """Read the next line of exactly this name; None without one."""
        found = self.find(name)
        if found is None:
            return None
        said = parse_points(found["points"] or "")
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

    def find(self, name: str) -> re.Match[str] | None:
        """Find the next line with a whole name, followed by hit points, something in brackets, or nothing; a group's heading has nothing to take."""
        start = re.compile(r"(?:[# ] *-?\d+: | +- )" + re.escape(name))
        for place in range(self._next, len(self._lines)):
            before = start.match(self._lines[place])
            found = _BEHIND.fullmatch(self._lines[place], before.end()) if before else None
            if found:
                self._next = place + 1
                self._read.add(place)
                return found
        return None


def parse_points(text: str) -> Printed | None:
    """Read hit points as printed; None where they are words."""
    found = _POINTS.fullmatch(text)
    return Printed(*map(_number, found.groups())) if found else None


def _number(text: str | None) -> int | None:
    return None if text is None else parse_whole_number(int(text))


ARTICLE = re.compile(r"^An? ")
_WHOSE = r"(?:(?:an?|the|his|her|its|their) )?"
_KINDS = {"casts": "cast", "attacks with": "attack", "uses": "other", "activates": "other"}
_ACT = re.compile(rf"^(?P<verb>{'|'.join(_KINDS)}) {_WHOSE}(?P<name>.+)$", re.DOTALL)
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
        for text in (title, ARTICLE.sub("", title)):
            if name and text.startswith(start) and not text[len(start) : len(start) + 1].isalnum():
                return text[len(start) :].strip()
    return None


def read_title(words: str) -> Title | None:
    """Read the act in a title; None if it has none."""
    words = words.strip().removesuffix("!").removesuffix(".").strip()
    if found := _ACT.match(words):
        name = found["name"].strip()
        return Title(_KINDS[found["verb"]], name, name)
    means = _MEANS.match(words)
    return Title(PHRASE, words, means["name"] if means else "") if words else None


def is_roll(words: str) -> bool:
    """Say whether a title announces a check, a save or an initiative roll, not an act."""
    return re.match(r"^(?:makes an? |already rolled ).*(?:check|save|initiative)\W*$", words, re.IGNORECASE) is not None
