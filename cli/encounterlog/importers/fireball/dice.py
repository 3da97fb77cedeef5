"""Dice as the bot prints them, e.g. "2d20kh1 (~~10~~, 18) + 5 = `23`", read face by face."""

import re
from typing import Any, NamedTuple

from encounterlog.importers.fireball.words import whole, word

_TERM = re.compile(
    r"(?P<sign>[-+])?\s*(?:(?P<notation>\d*d(?:\d+|%)[a-z0-9<>=]*)\s*\((?P<faces>[^()]*)\)|(?P<number>\d+))"
    r"\s*(?:\[(?P<note>[^\]]*)\])?"
)
_TOTAL = re.compile(r"=\s*`(-?\d+)`\s*$")
_SUM = re.compile(r"[-+*/%()^]")


class Term(NamedTuple):
    """One summand of a roll: dice or a number, with its sign and the note in brackets after it."""

    amount: int
    dice: dict[str, Any] | None
    note: str


class Roll(NamedTuple):
    """A roll: its summands if it is a plain sum (else only its dice), and its total if printed."""

    terms: list[Term]
    total: int | None


def read_roll(text: object) -> Roll | None:
    """Read a printed roll; None if the text has no dice and no number."""
    if isinstance(text, dict):
        text = text.get("result")
    if not isinstance(text, str):
        return None
    found = _TOTAL.search(text.strip())
    left = _TOTAL.sub("", text.strip())
    terms = [term for match in _TERM.finditer(left) if (term := _term(match))]
    if not _plain_sum(left):
        terms = [term for term in terms if term.dice]
    if not terms and not found:
        return None
    return Roll(_noted(terms), whole(int(found.group(1))) if found else None)


def _plain_sum(text: str) -> bool:
    rest = _TERM.sub("", text)
    return not rest.replace("+", "").replace("-", "").strip()


def _term(match: re.Match[str]) -> Term | None:
    sign = -1 if match["sign"] == "-" else 1
    note = (match["note"] or "").strip()
    if match["number"]:
        amount = whole(sign * int(match["number"]))
        return None if amount is None else Term(amount, None, note)
    dice = _dice(match["notation"], match["faces"])
    return None if dice is None else Term(sign * _kept(dice), dice, note)


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


def _kept(dice: dict[str, Any]) -> int:
    dropped = dice.get("dropped", [])
    return sum(face for place, face in enumerate(dice["faces"]) if place not in dropped)


def _noted(terms: list[Term]) -> list[Term]:
    """Give every summand the note that is printed after the last one of its kind."""
    found: list[Term] = []
    note = ""
    for term in reversed(terms):
        note = term.note or note
        found.append(term._replace(note=note))
    return found[::-1]


def parts(roll: Roll, name: str) -> list[dict[str, Any]]:
    """Make the parts of a damage or healing fact: one for each summand; a name for those without a note."""
    return [_part(term, name) for term in roll.terms]


def _part(term: Term, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": word(term.note or name)}
    if term.dice:
        found["dice"] = term.dice
    else:
        found |= {"kind": "flat", "amount": term.amount}
    return found | {"damage_type": word(term.note)} if term.note else found


def thrown(roll: Roll | None) -> dict[str, Any]:
    """Make the fields die, modifiers and total of a roll fact; a single d20 shows as its bare face."""
    if roll is None:
        return {}
    found: dict[str, Any] = {}
    first = next((term for term in roll.terms if term.dice), None)
    if first is not None and first.dice:
        found["die"] = first.dice["faces"][0] if first.dice["notation"] in ("d20", "1d20") else first.dice
    others = [_modifier(term) for term in roll.terms if term is not first]
    if first is not None and others:
        found["modifiers"] = others
    return found if roll.total is None else found | {"total": roll.total}


def _modifier(term: Term) -> dict[str, Any]:
    return {"name": word(term.note or ("dice" if term.dice else "bonus")), "amount": term.amount}
