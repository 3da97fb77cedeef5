"""Slots for dice and their totals: amounts and their parts, modifiers, contested rolls."""

import re

from projections.language.notation import names
from projections.language.notation.kinds import NUMBER, Kind, read_count, split_parts, wrong
from projections.language.notation.line_context import LineContext
from projections.language.notation.tokens import Token, bare_word, word
from projections.mechanics.dice import Notation, dropped, has_wrong_marks, parse as notation_of
from projections.open_types import Facts, Fields, Json

_SUM = r"([^+-]*[dD][^+-]*)([+-]\d{1,6})"


def _read_die(context: LineContext, token: Token) -> Json:
    """Read a face, or dice with their faces, such as 2d20kh1:10x,18 (x: dropped); those without are rolled."""
    if not token.quoted and re.fullmatch(r"[+-]?\d+", token.text):
        return read_count(context, token)
    notation, colon, faces = token.text.partition(":")
    try:
        dice = notation_of(notation)
    except ValueError as error:
        raise wrong(token, str(error), "such as 14, d6:4, or 2d20kh1:10x,18") from None
    if not colon and context.roll is None:
        raise wrong(token, f"{notation} has no faces", f"such as {notation}:{dice.example}")
    if not colon:
        if token.start not in context.rolled:
            context.rolled[token.start] = context.roll(notation)  # type: ignore[misc]  # it is one, see above
        faces = context.rolled[token.start].partition(":")[2]
    return _read_faces(token, dice, notation, faces)


def _die_with_bonus(context: LineContext, token: Token) -> object:
    """Read a die, with a modifier if it is dice: d20:14+5."""
    match = re.fullmatch(_SUM, token.text)
    if match is None or token.quoted:
        return _read_die(context, token)
    rolled = _read_die(context, Token(match[1], token.start, token.end))
    return {"die": rolled, "modifiers": [{"name": "bonus", "amount": int(match[2])}]}


def _read_dice(context: LineContext, token: Token) -> object:
    """Read dice, never a bare face."""
    found = _die_with_bonus(context, token)
    if isinstance(found, int):
        raise wrong(token, f"{token.text[:40]} is a face", "such as d20")
    return found


def _read_amount(context: LineContext, token: Token) -> object:
    """Read an amount, or the dice that it is the sum of, such as d8:5+1."""
    if "d" not in token.text.casefold():
        return read_count(context, token)
    match = re.fullmatch(_SUM, token.text)
    rolled = _read_die(context, Token(match[1] if match else token.text, token.start, token.end))
    gone = rolled.get("dropped", ())
    total = sum(face for place, face in enumerate(rolled["faces"]) if place not in gone)
    parts = [{"name": "dice", "dice": rolled}, *([{"name": "bonus", "amount": int(match[2])}] if match else [])]
    return {"amount": max(0, total + (int(match[2]) if match else 0)), "parts": parts}


def _read_faces(token: Token, dice: Notation, notation: str, faces: str) -> Fields:
    """Read the faces that dice show; the dropped ones are marked, or marked here if none is."""
    shown, at = faces.split(","), len(notation) + 1
    if not all(re.fullmatch(r"-?\d{1,9}x?", each) for each in shown):
        raise wrong(token, f"{faces[:40]} are not faces", "numbers with commas; x marks a dropped die", at)
    hundred = 100 if dice.sides == 100 else 0  # two percentile dice at 00
    values = [hundred if each.rstrip("x") == "00" else int(each.rstrip("x")) for each in shown]
    wide = next((each for each, value in zip(shown, values, strict=True) if not 1 <= value <= dice.sides), None)
    if wide is not None or len(shown) != dice.count:
        why = f"{notation} shows {dice.count}, and here are {len(shown)}"
        raise wrong(
            token, f"{wide} is no face of {notation}" if wide else why, f"such as {notation}:{dice.example}", at
        )
    marked = [place for place, each in enumerate(shown) if each.endswith("x")]
    drops = dropped(dice, values)
    if marked and has_wrong_marks(dice, values, marked):
        hint = f"such as {show_die({'notation': notation, 'faces': values, 'dropped': drops})}"
        raise wrong(token, f"{notation} drops other dice than x marks here", hint, at)
    found: Fields = {"notation": notation, "faces": values}
    return found | ({"dropped": marked or drops} if drops else {})


def show_die(value: Json) -> str | None:
    """Write a face, or dice with their faces; None if the notation is not ours."""
    if isinstance(value, int):
        return str(value) if value >= 0 else None
    try:
        notation_of(value["notation"])
    except ValueError:
        return None
    dropped = value.get("dropped", ())
    faces = (f"{face}{'x' if place in dropped else ''}" for place, face in enumerate(value["faces"]))
    return f"{value['notation']}:{','.join(faces)}" if value["faces"] else None


_MODIFIER = r"([^+=,\"\d-][^+=,\"]*?)([+-]\d{1,9})(?::([^,\"]+))?"


def _read_modifiers(_scene: LineContext, token: Token) -> Facts:
    found = []
    for each in split_parts(token):
        match = re.fullmatch(_MODIFIER, each.text)
        if match is None:
            raise wrong(each, f"{each.text[:40]} is not a modifier", "such as base+6 or base+6,str-1")
        made: Fields = {"name": bare_word(match[1]), "amount": int(match[2])}
        found.append(made | ({"to": bare_word(match[3])} if match[3] else {}))
    return found


def _show_modifiers(value: Json) -> str | None:
    shown = []
    for each in value:
        labels = [word(each[key]) for key in ("name", "to") if key in each]
        if any(label.startswith('"') for label in labels):
            return None
        labels[0] += f"{each['amount']:+d}"
        shown.append(":".join(labels))
    return ",".join(shown) or None


_PART = r"([^/:+\",]+)(?:/([^/:+\"]*))?(?:/([^/:+\"]*))?:(-?\d{1,9}|\d*d\w+:[\dx,-]+)"


def _read_parts(context: LineContext, token: Token) -> Facts:
    found = []
    for text in token.text.split("+"):
        match = re.fullmatch(_PART, text)
        if match is None:
            raise wrong(token, f"{text[:40]} is not a part of an amount", "such as sword/weapon:1d8:5+str/flat:4")
        made: Fields = {"name": bare_word(match[1])}
        made |= {"kind": bare_word(match[2])} if match[2] else {}
        shown = Token(match[4], token.start, token.end)
        made |= {"amount": int(match[4])} if re.fullmatch(NUMBER, match[4]) else {"dice": _read_die(context, shown)}
        made |= {"damage_type": bare_word(match[3])} if match[3] else {}
        found.append(made)
    return found


def _show_parts(value: Json) -> str | None:
    shown = []
    for each in value:
        if ("dice" in each) is ("amount" in each):
            return None
        amount = show_die(each["dice"]) if "dice" in each else str(each["amount"])
        labels = [word(each["name"]), *(word(each[key]) if key in each else "" for key in ("kind", "damage_type"))]
        if amount is None or any(label.startswith('"') or "+" in label for label in labels):
            return None
        shown.append(f"{'/'.join(labels).rstrip('/')}:{amount}")
    return "+".join(shown) or None


_CONTENDER = r"([^/:]+)(?:/([^:]+))?:(.+)"


def _read_contender(context: LineContext, token: Token) -> Fields:
    """Read a contender: ana/strength:15,base+6,=21."""
    match = re.fullmatch(_CONTENDER, token.text)
    if match is None:
        raise wrong(token, f"{token.text[:40]} is not a combatant with a roll", "such as ana:15 or ana/strength:15")
    found: Fields = {"combatant": names.read_combatant(context.state, Token(match[1], token.start, token.end))}
    found |= {"using": bare_word(match[2])} if match[2] else {}
    start = token.start + len(token.text) - len(match[3])
    for each in split_parts(Token(match[3], start, token.end)):
        rolled = _read_roll(context, each, found)
        _check_once(each, rolled, found)
        found |= rolled
    return found


_ONCE = {"die": "dice", "check": "checks", "total": "totals"}
"""The parts that a contender has one of, with the word for several."""


def _check_once(token: Token, rolled: Fields, found: Fields) -> None:
    """Raise NotUnderstood for a second die, check or total."""
    twice = next((field for field in _ONCE if field in rolled and field in found), None)
    if twice:
        why = f"{found[twice]} and {rolled[twice]} are two {_ONCE[twice]}"
        hint = f"a modifier is written base+{rolled[twice]}" if twice == "die" else "one of them stands"
        raise wrong(token, why, hint)


def _read_roll(context: LineContext, each: Token, found: Fields) -> Fields:
    if match := re.fullmatch(r"(\d{1,9})([+-]\d{1,9})?", each.text):
        own = [{"name": "bonus", "amount": int(match[2])}] if match[2] else []
        return {"die": int(match[1])} | ({"modifiers": [*found.get("modifiers", ()), *own]} if own else {})
    number = each.text[1:]
    if each.text[:1] in "=~" and re.fullmatch(NUMBER, number):
        return {"total" if each.text[0] == "=" else "check": int(number)}
    return {"modifiers": [*found.get("modifiers", ()), *_read_modifiers(context, each)]}


def show_contender(value: Json) -> str | None:
    """Write a contender; None if it does not fit a token."""
    die_shown = str(value["die"]) if isinstance(value.get("die"), int) and value["die"] >= 0 else None
    modifiers = _show_modifiers(value["modifiers"]) if value.get("modifiers") else ""
    if ("die" in value and die_shown is None) or modifiers is None:
        return None
    rolled = [die_shown, f"~{value['check']}" if "check" in value else None, modifiers]
    rolled.append(f"={value['total']}" if "total" in value else None)
    using = word(value["using"]) if "using" in value else ""
    if using.startswith('"') or not any(rolled):
        return None
    return f"{value['combatant']}{'/' + using if using else ''}:{','.join(each for each in rolled if each)}"


_INITIATIVE = r"(.+?)([+-]\d{1,4})?"


def _read_initiative(context: LineContext, token: Token) -> Fields:
    match = re.fullmatch(_INITIATIVE, token.text)
    assert match is not None  # noqa: S101 – there is at least a character
    rolled = {"die": _read_die(context, Token(match[1], token.start, token.end))}
    return rolled | ({"bonus": int(match[2])} if match[2] else {})


def _show_initiative(value: Json) -> str | None:
    shown = show_die(value["die"]) if "die" in value else None
    return shown and f"{shown}{value['bonus']:+d}" if "bonus" in value else shown


DIE = Kind(_die_with_bonus, show_die, "a die, such as 14 or d6:4", has_parts=True)
DICE = Kind(
    _read_dice, lambda value: None if isinstance(value, int) else show_die(value), "dice, such as d20", has_parts=True
)
AMOUNT = Kind(_read_amount, lambda value: str(value) if isinstance(value, int) and value >= 0 else None, "an amount")
MODIFIERS = Kind(_read_modifiers, _show_modifiers, "modifiers such as base+6,str-1")
PARTS = Kind(_read_parts, _show_parts, "parts of an amount, such as sword/weapon:1d8:5+str/flat:4")
CONTENDER = Kind(_read_contender, show_contender, "a combatant with a roll, such as ana:15")
INITIATIVE = Kind(_read_initiative, _show_initiative, "a die, and its bonus")
