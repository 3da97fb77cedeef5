"""Slots: how each kind of value is written as one token, and read from it.

A kind is the name of the event field that it fills, for a field means the same in every type of fact.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from eventstore.errors import Malformed
from eventstore.form import read_json, visible
from projections.grammar import names
from projections.grammar.dice import Notation, dropped, marks_are_wrong
from projections.grammar.dice import of as notation_of
from projections.grammar.scene import Scene
from projections.grammar.tokens import Token, Untold, quote, unbar, word

Read = Callable[[Scene, Token], Any]
Show = Callable[[Any], str | None]


class Kind(Struct, frozen=True):
    """A kind of value: how it is read and written, and what it is, for help and errors."""

    read: Read
    show: Show
    says: str


def wrong(token: Token, why: str, hint: str = "", shift: int = 0) -> Untold:
    """Return the error that a token is not what it has to be."""
    return Untold(token.start + shift + 1, why, hint)


_NUMBER = re.compile(r"[+-]?\d{1,16}")


def _whole(_scene: Scene, token: Token) -> int:
    if not token.quoted and re.fullmatch(r"[+-]?\d{17,}", token.text):
        raise wrong(token, f"{token.text[:40]} is too large a number", "at most 16 digits")
    if token.quoted or not _NUMBER.fullmatch(token.text):
        raise wrong(token, f"{visible(token.text[:40])} is not a whole number")
    return int(token.text)


def _count(scene: Scene, token: Token) -> int:
    if token.text[:1] in "+-":
        raise wrong(token, f"{token.text[:40]} has a sign, and none belongs here", f"write {token.text[1:40]}")
    return _whole(scene, token)


def _total(scene: Scene, token: Token) -> Any:
    return token.text if re.fullmatch(r"-?\d{1,9}\.\d\d", token.text) else _whole(scene, token)


def _show_number(value: Any) -> str | None:
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None


def _flag(_scene: Scene, token: Token) -> bool:
    if token.text not in ("yes", "no"):
        raise wrong(token, f"{token.text[:40]} is neither yes nor no")
    return token.text == "yes"


def _word(_scene: Scene, token: Token) -> str:
    if not token.quoted and re.match(r"[-+@^\d]|d\d+([:+-]|$)", token.text):
        raise wrong(
            token, f"{token.text[:40]} is not a word", f'a word that is none of letters is quoted: "{token.text[:40]}"'
        )
    return token.text if token.quoted else unbar(token.text)


def _about(scene: Scene, token: Token) -> str:
    if ":" in token.text and not token.quoted:
        raise wrong(token, f"{token.text[:40]} is somebody with a roll, and no word")
    return _word(scene, token)


def _new(_scene: Scene, token: Token) -> str:
    return token.text if token.quoted else unbar(token.text)


def _show_word(value: Any) -> str | None:
    return word(value) if isinstance(value, str) else None


def _words(_scene: Scene, token: Token) -> list[str]:
    return [token.text] if token.quoted else [unbar(each) for each in token.text.split(",") if each]


def _show_words(value: Any) -> str | None:
    shown = [word(each) for each in value]
    return ",".join(shown) if shown and not any(each.startswith('"') for each in shown) else None


def _who(scene: Scene, token: Token) -> str:
    return names.combatant(scene.state, token)


def _side(scene: Scene, token: Token) -> str:
    return names.side(scene.state, token)


def _party(scene: Scene, token: Token) -> str:
    return names.party(scene.state, token)


def _each(token: Token) -> list[Token]:
    found, place = [], token.start
    for text in token.text.split(","):
        found.append(Token(text, place, place + len(text), token.quoted))
        place += len(text) + 1
    return found


def _whom(scene: Scene, token: Token) -> list[str]:
    return [names.combatant(scene.state, each) for each in _each(token)]


def _parties(scene: Scene, token: Token) -> list[str]:
    return [names.party(scene.state, each) for each in _each(token)]


def _show_ids(value: Any) -> str | None:
    return ",".join(value) if value else None


_SUM = re.compile(r"([^+-]*[dD][^+-]*)([+-]\d{1,6})")


def die(scene: Scene, token: Token) -> Any:
    """Read a face, or dice with their faces, such as 2d20kh1:10x,18 (x: dropped); those without are rolled."""
    if not token.quoted and re.fullmatch(r"\d{1,9}", token.text):
        return int(token.text)
    notation, colon, faces = token.text.partition(":")
    try:
        dice = notation_of(notation)
    except ValueError as error:
        raise wrong(token, str(error), "such as 14, d6:4, or 2d20kh1:10x,18") from None
    if not colon and scene.roll is None:
        raise wrong(token, f"{notation} has no faces", f"such as {notation}:{dice.example}")
    if not colon:
        if token.start not in scene.rolled:
            scene.rolled[token.start] = scene.roll(notation)  # type: ignore[misc]  # it is one, see above
        faces = scene.rolled[token.start].partition(":")[2]
    return _faces(token, dice, notation, faces)


def _die_with_bonus(scene: Scene, token: Token) -> Any:
    """Read a die, with a modifier if it is dice: d20:14+5."""
    match = _SUM.fullmatch(token.text)
    if match is None or token.quoted:
        return die(scene, token)
    rolled = die(scene, Token(match[1], token.start, token.end))
    return {"die": rolled, "modifiers": [{"name": "bonus", "amount": int(match[2])}]}


def _dice(scene: Scene, token: Token) -> Any:
    """Read dice, never a bare face."""
    found = _die_with_bonus(scene, token)
    if isinstance(found, int):
        raise wrong(token, f"{token.text[:40]} is a face", "such as d20")
    return found


def _amount(scene: Scene, token: Token) -> Any:
    """Read an amount, or the dice that it is the sum of, such as d8:5+1."""
    if "d" not in token.text.casefold():
        return _count(scene, token)
    match = _SUM.fullmatch(token.text)
    rolled = die(scene, Token(match[1] if match else token.text, token.start, token.end))
    if isinstance(rolled, int):
        return rolled
    gone = rolled.get("dropped", ())
    total = sum(face for place, face in enumerate(rolled["faces"]) if place not in gone)
    parts = [{"name": "dice", "dice": rolled}, *([{"name": "bonus", "amount": int(match[2])}] if match else [])]
    return {"amount": max(0, total + (int(match[2]) if match else 0)), "parts": parts}


def _faces(token: Token, dice: Notation, notation: str, faces: str) -> dict[str, Any]:
    """Read the faces that dice show; those that are dropped are marked, or marked here if none is."""
    shown, at = faces.split(","), len(notation) + 1
    if not all(re.fullmatch(r"-?\d{1,9}x?", each) for each in shown):
        raise wrong(token, f"{faces[:40]} are not faces", "numbers with commas; x marks a dropped die", at)
    values = [_face(dice, each) for each in shown]
    wide = next((each for each, value in zip(shown, values, strict=True) if not 1 <= value <= dice.sides), None)
    if wide is not None or len(shown) != dice.count:
        why = f"{notation} shows {dice.count}, and here are {len(shown)}"
        raise wrong(
            token, f"{wide} is no face of {notation}" if wide else why, f"such as {notation}:{dice.example}", at
        )
    marked = [place for place, each in enumerate(shown) if each.endswith("x")]
    drops = dropped(dice, values)
    if marked and marks_are_wrong(dice, values, marked):
        hint = f"such as {show_die({'notation': notation, 'faces': values, 'dropped': drops})}"
        raise wrong(token, f"{notation} drops other dice than x marks here", hint, at)
    found: dict[str, Any] = {"notation": notation, "faces": values}
    return found | ({"dropped": marked or drops} if drops else {})


def _face(dice: Notation, shown: str) -> int:
    """Return the face that is shown; two percentile dice at 00 show 100."""
    return 100 if shown.rstrip("x") == "00" and dice.sides == 100 else int(shown.rstrip("x"))


def show_die(value: Any) -> str | None:
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


def _rule(scene: Scene, token: Token) -> str:
    if not token.quoted and not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", token.text):
        raise wrong(token, f"{token.text[:40]} is not the id of a rule", "such as declare.before-dice")
    return _word(scene, token)


_MODIFIER = re.compile(r"([^+=,\"\d-][^+=,\"]*?)([+-]\d{1,9})(?::([^,\"]+))?")


def _modifiers(_scene: Scene, token: Token) -> list[dict[str, Any]]:
    found = []
    for each in _each(token):
        match = _MODIFIER.fullmatch(each.text)
        if match is None:
            raise wrong(each, f"{each.text[:40]} is not a modifier", "such as base+6 or base+6,str-1")
        made: dict[str, Any] = {"name": unbar(match[1]), "amount": int(match[2])}
        found.append(made | ({"to": unbar(match[3])} if match[3] else {}))
    return found


def _show_modifiers(value: Any) -> str | None:
    shown = []
    for each in value:
        name, to = word(each["name"]), each.get("to")
        if name.startswith('"') or (to is not None and word(to).startswith('"')):
            return None
        shown.append(f"{name}{each['amount']:+d}{':' + word(to) if to else ''}")
    return ",".join(shown) or None


_PART = re.compile(r"([^/:+\",]+)(?:/([^/:+\"]*))?(?:/([^/:+\"]*))?:(-?\d{1,9}|\d*d\w+:[\dx,-]+)")


def _parts(scene: Scene, token: Token) -> list[dict[str, Any]]:
    found, place = [], token.start
    for text in token.text.split("+"):
        match = _PART.fullmatch(text)
        if match is None:
            raise wrong(token, f"{text[:40]} is not a part of an amount", "such as sword/weapon:1d8:5+str/flat:4")
        made: dict[str, Any] = {"name": unbar(match[1])}
        made |= {"kind": unbar(match[2])} if match[2] else {}
        shown = Token(match[4], place, place)
        made |= {"amount": int(match[4])} if _NUMBER.fullmatch(match[4]) else {"dice": die(scene, shown)}
        made |= {"damage_type": unbar(match[3])} if match[3] else {}
        found.append(made)
    return found


def _show_parts(value: Any) -> str | None:
    shown = []
    for each in value:
        if ("dice" in each) is ("amount" in each):
            return None
        amount = show_die(each["dice"]) if "dice" in each else str(each["amount"])
        labels = [word(each["name"]), *(word(each[key]) if key in each else "" for key in ("kind", "damage_type"))]
        if amount is None or any(label.startswith('"') or "/" in label or "+" in label for label in labels):
            return None
        shown.append(f"{'/'.join(labels).rstrip('/')}:{amount}")
    return "+".join(shown) or None


UNITS = {
    "s": "second", "sec": "second", "seg": "segment", "r": "round", "turn": "turn", "min": "minute", "h": "hour",
    "d": "day", "ft": "ft", "m": "m", "sq": "square",
}  # fmt: skip
_UNIT_OF = {unit: short for short, unit in UNITS.items() if short != "sec"}
_MEASURE = re.compile(r"(\d{1,12})([a-z]+)(?:/([^/]*))?(?:/([a-z]+))?")


def _measure(scene: Scene, token: Token) -> Any:
    match = None if token.quoted else _MEASURE.fullmatch(token.text)
    unit = match and (UNITS.get(match[2]) or match[2].removesuffix("s") if len(match[2]) > 2 else UNITS.get(match[2]))
    if match is None or unit is None:
        raise wrong(token, f"{token.text[:40]} is not an amount with its unit", "such as 10r, 3seg, 5min or 30ft")
    made: dict[str, Any] = {"amount": int(match[1]), "unit": unit}
    if match[3]:
        made["of"] = names.combatant(scene.state, Token(match[3], token.start, token.end))
    return made | ({"at": match[4]} if match[4] else {})


def _time(scene: Scene, token: Token) -> Any:
    return int(token.text) if re.fullmatch(r"\d{1,9}", token.text) else _measure(scene, token)


def _show_measure(value: Any) -> str | None:
    if isinstance(value, int):
        return str(value) if value >= 0 else None
    short = _UNIT_OF.get(value["unit"])
    if short is None or value["amount"] < 0:
        return None
    ends = "/".join((value.get("of", ""), value.get("at", ""))).rstrip("/")
    return f"{value['amount']}{short}{'/' + ends if ends else ''}"


_SQUARE = re.compile(r"(-?\d{1,9}),(-?\d{1,9})")


def _square(_scene: Scene, token: Token) -> list[int]:
    match = _SQUARE.fullmatch(token.text)
    if match is None:
        raise wrong(token, f"{token.text[:40]} is not a square", "column and row, such as 3,4")
    return [int(match[1]), int(match[2])]


def _path(scene: Scene, token: Token) -> list[list[int]]:
    place, found = token.start, []
    for text in token.text.split("/"):
        found.append(_square(scene, Token(text, place, place + len(text))))
        place += len(text) + 1
    return found


def _show_square(value: Any) -> str | None:
    return f"{value[0]},{value[1]}" if value else None


def _show_path(value: Any) -> str | None:
    return "/".join(f"{x},{y}" for x, y in value) or None


def _phase(scene: Scene, token: Token) -> str:
    slots = scene.state.rules.schedule.slots(scene.state)
    found = next((slot for slot in slots if slot.casefold() == token.text.casefold()), None)
    if found is None and not token.quoted:
        raise wrong(
            token, f"{token.text[:40]} is no slot of the round", f"such as {', '.join(slots[:12])}" if slots else ""
        )
    return found or token.text


def _show_phase(value: Any) -> str | None:
    return str(value) if re.fullmatch(r"[\w.]+", value) else quote(value)


def _save(_scene: Scene, token: Token) -> dict[str, Any]:
    name, _, rest = token.text.partition("/")
    dc, _, half = rest.partition("/")
    found: dict[str, Any] = {"save": unbar(name)} if name else {}
    if (dc and not dc.isdecimal()) or half not in ("", "half"):
        raise wrong(token, f"{token.text[:40]} is not a saving throw", "such as will/14 or will/14/half")
    return found | ({"dc": int(dc)} if dc else {}) | ({"half": True} if half else {})


def _show_save(value: Any) -> str | None:
    name = word(value["save"]) if "save" in value else ""
    shown = f"{name}/{value.get('dc', '')}/{'half' if value.get('half') else ''}".rstrip("/")
    return shown if shown and not name.startswith('"') and "/" not in name else None


_CONTENDER = re.compile(r"([^/:]+)(?:/([^:]+))?:(.+)")


def contender(scene: Scene, token: Token) -> dict[str, Any]:
    """Read one who rolls against others: ana/strength:15,base+6,=21."""
    match = _CONTENDER.fullmatch(token.text)
    if match is None:
        raise wrong(token, f"{token.text[:40]} is not somebody with a roll", "such as ana:15 or ana/strength:15")
    found: dict[str, Any] = {"combatant": names.combatant(scene.state, Token(match[1], token.start, token.end))}
    found |= {"using": unbar(match[2])} if match[2] else {}
    start = token.start + len(token.text) - len(match[3])
    for each in _each(Token(match[3], start, token.end)):
        found |= _rolled(scene, each, found)
    return found


def _rolled(scene: Scene, each: Token, found: dict[str, Any]) -> dict[str, Any]:
    if match := re.fullmatch(r"(\d{1,9})([+-]\d{1,9})?", each.text):
        bonus = (
            {"modifiers": [*found.get("modifiers", ()), {"name": "bonus", "amount": int(match[2])}]} if match[2] else {}
        )
        return {"die": int(match[1]), **bonus}
    number = each.text[1:]
    if each.text[:1] in "=~" and _NUMBER.fullmatch(number):
        return {"total" if each.text[0] == "=" else "check": int(number)}
    return {"modifiers": [*found.get("modifiers", ()), *_modifiers(scene, each)]}


def show_contender(value: Any) -> str | None:
    """Write one who rolls against others; None if it does not fit a token."""
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


def literal(token: Token) -> Any:
    """Read JSON; raise Untold where it is malformed."""
    try:
        return read_json(token.text)
    except Malformed as error:
        raise wrong(token, error.reason, error.hint) from None


_NUMBERS = Kind(_whole, _show_number, "a number")
_COUNTS = Kind(_count, lambda value: _show_number(value) if value >= 0 else None, "a number")
_WORDS = Kind(_word, _show_word, "a word")
_LISTS = Kind(_words, _show_words, "words with commas")
_PERSON = Kind(_who, lambda value: value, "a combatant")
_PEOPLE = Kind(_whom, _show_ids, "combatants with commas")
_PARTIES = Kind(_parties, _show_ids, "sides or combatants with commas")
_FLAGS = Kind(_flag, lambda value: "yes" if value else "no", "yes or no")
_MEASURES = Kind(_measure, _show_measure, "an amount with its unit")
_TIMES = Kind(_time, _show_measure, "a time")
_MODIFIERS = Kind(_modifiers, _show_modifiers, "modifiers such as base+6,str-1")


def _all(names_: str, kind: Kind) -> dict[str, Kind]:
    return dict.fromkeys(names_.split(), kind)


_INITIATIVE = re.compile(r"(.+?)([+-]\d{1,4})?")


def _initiative(scene: Scene, token: Token) -> dict[str, Any]:
    match = _INITIATIVE.fullmatch(token.text)
    assert match is not None  # noqa: S101 – there is at least a character
    rolled = {"die": die(scene, Token(match[1], token.start, token.end))}
    return rolled | ({"bonus": int(match[2])} if match[2] else {})


def _show_initiative(value: Any) -> str | None:
    shown = show_die(value["die"]) if "die" in value else None
    return shown and f"{shown}{value['bonus']:+d}" if "bonus" in value else shown


KINDS: dict[str, Kind] = {
    **_all("who combatant target source winner of", _PERSON),
    **_all("targets together tie_with engaged treated", _PEOPLE),
    **_all("sides surprised combatants", _PARTIES),
    "side": Kind(_side, lambda value: value, "a side"),
    "party": Kind(_party, lambda value: value, "a side or combatant"),
    "die": Kind(_die_with_bonus, show_die, "a die, such as 14 or d6:4"),
    "dice": Kind(_dice, lambda value: None if isinstance(value, int) else show_die(value), "dice, such as d20"),
    "amount": Kind(_amount, _COUNTS.show, "an amount"),
    **_all("check bonus dc ac left routine", _NUMBERS),
    "total": Kind(_total, _show_number, "a number"),
    **_all("number round segment second surprised_on revision", _COUNTS),
    "int": _NUMBERS,
    **_all("event after confirms parent cause trigger", _NUMBERS),
    **_all(
        "hit critical succeeded foiled forced obstructed nonlethal temporary concentration impedes surprise", _FLAGS
    ),
    **_all(
        "word name kind cost mode medium terrain purpose save against object effect condition resource subject"
        " granted_by ruling text reason decision words detail awaiting",
        _WORDS,
    ),
    "about": Kind(_about, lambda value: quote(value) if ":" in value else word(value), "a word"),
    "rule": Kind(_rule, _show_word, "the id of a rule"),
    **_all("manner attributes components", _LISTS),
    **_all("modifiers multipliers reductions", _MODIFIERS),
    "parts": Kind(_parts, _show_parts, "parts of an amount, such as sword/weapon:1d8:5+str/flat:4"),
    **_all("time delay", _TIMES),
    **_all("duration distance span", _MEASURES),
    "square": Kind(_square, _show_square, "a square, such as 3,4"),
    **_all("path squares", Kind(_path, _show_path, "squares, such as 0,0/1,0")),
    "phase": Kind(_phase, _show_phase, "a slot of the round"),
    "allows_save": Kind(_save, _show_save, "a saving throw, such as will/14/half"),
    "initiative": Kind(_initiative, _show_initiative, "a die, and its bonus"),
    **_all("new group", Kind(_new, _show_word, "a name")),
    "contender": Kind(contender, show_contender, "somebody with a roll, such as ana:15"),
}
"""Every kind of value that is one token."""
