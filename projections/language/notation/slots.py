"""Slots: how each kind of value is written as one token, and read from it.

A kind has the name of the event field that it fills, since a field has the same meaning in every type of fact.
"""

import re

from eventstore.errors import Malformed
from eventstore.form import read_json
from projections.language.notation import dice_slots, forms, kinds, names
from projections.language.notation.kinds import Kind, read_count, read_whole, split_parts, wrong
from projections.language.notation.line_context import LineContext
from projections.language.notation.tokens import Token, bare_word, quote, word
from projections.open_types import Fields, Json


def _read_round(context: LineContext, token: Token) -> int:
    if read_count(context, token) == 0:
        raise wrong(token, "there is no round 0", "rounds count from 1")
    return read_count(context, token)


def _read_total(context: LineContext, token: Token) -> object:
    return token.text if re.fullmatch(r"-?\d{1,9}\.\d\d", token.text) else read_whole(context, token)


def _show_number(value: object) -> str | None:
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None


def _read_flag(_scene: LineContext, token: Token) -> bool:
    if token.text not in ("yes", "no", "true", "false"):
        raise wrong(token, f"{token.text[:40]} is neither yes nor no")
    return token.text in ("yes", "true")


def _word(_scene: LineContext, token: Token) -> str:
    if not token.quoted and re.match(r"[-+@^\d]|\d*d(\d+|%)([:+-]|$)", token.text):
        raise wrong(
            token, f"{token.text[:40]} is not a word", f'a word that is none of letters is quoted: "{token.text[:40]}"'
        )
    return token.text if token.quoted else bare_word(token.text)


def _read_reason(_context: LineContext, token: Token) -> str:
    if not token.quoted:
        raise wrong(token, "a reason is quoted", 'such as "they fled"')
    return token.text


def _read_condition(context: LineContext, token: Token) -> str:
    """Read a condition; raise NotUnderstood for a word that is no state, such as next or done."""
    if not token.quoted and token.text.casefold() in forms.of(context.state.rules.rules).words.get("stateless", ()):
        raise wrong(token, f"{token.text[:40]} is no condition", f'as one it is quoted: "{token.text[:40]}"')
    said = _word(context, token)
    means = {} if context.script or token.quoted else forms.of(context.state.rules.rules).means.get("condition", {})
    return means.get(said.casefold(), said)


LEVEL = r"[1-9]\d?"


def _read_level(_context: LineContext, token: Token) -> str:
    """Read the level of a condition."""
    if not re.fullmatch(LEVEL, token.text):
        raise wrong(token, f"{token.text[:40]} is no level of a condition", "such as: is frightened 2")
    return token.text


def _read_topic(context: LineContext, token: Token) -> str:
    if ":" in token.text and not token.quoted:
        raise wrong(token, f"{token.text[:40]} is a combatant with a roll, and no word")
    return _word(context, token)


_FIELD = r"[a-z_]+="


def _read_new_name(_scene: LineContext, token: Token) -> str:
    what = "field" if re.match(_FIELD, token.text) else "number" if re.fullmatch(r"[-+]?\d+", token.text) else ""
    if what and not token.quoted:
        raise wrong(
            token, f"{token.text[:40]} is a {what}, and no name", f'as a name it is quoted: "{token.text[:40]}"'
        )
    if not token.text.strip():
        raise wrong(token, "a name has more in it than blanks")
    if not re.search(r"\w", token.text) and (token.text.isascii() or re.fullmatch(r"[\s–—…·•-]+", token.text)):
        raise wrong(token, f"{token.text[:40]} is no name", "a name has a letter or a digit in it")
    return token.text if token.quoted else bare_word(token.text)


def _show_word(value: object) -> str | None:
    return word(value) if isinstance(value, str) else None


def _show_new(value: object) -> str | None:
    return quote(value) if isinstance(value, str) and re.match(_FIELD, value) else _show_word(value)


def _read_words(_scene: LineContext, token: Token) -> list[str]:
    return [token.text] if token.quoted else [bare_word(each) for each in token.text.split(",") if each]


def _show_words(value: Json) -> str | None:
    shown = [word(each) for each in value]
    return ",".join(shown) if shown and not any(each.startswith('"') for each in shown) else None


def _read_combatants(context: LineContext, token: Token) -> list[str]:
    return [names.read_combatant(context.state, each) for each in _split_combatants(token)]


def _split_combatants(token: Token) -> list[Token]:
    """Return the combatants in a list with commas; two commas count as one."""
    return [each for each in split_parts(token) if each.text] or [token]


def _show_ids(value: Json) -> str | None:
    return ",".join(value) or None


def _read_members(context: LineContext, token: Token) -> list[str]:
    is_group = names.is_group(context.state, token.text) and not token.quoted
    return names.members_of_group(context.state, token) if is_group else _read_combatants(context, token)


def _read_rule(context: LineContext, token: Token) -> str:
    if not token.quoted and not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", token.text):
        raise wrong(token, f"{token.text[:40]} is not the id of a rule", "such as declare.before-dice")
    return _word(context, token)


def _read_phase(context: LineContext, token: Token) -> str:
    slots = context.state.rules.schedule.phases(context.state)
    found = next((slot for slot in slots if slot.casefold() == token.text.casefold()), None)
    if found is None and not token.quoted:
        raise wrong(
            token, f"{token.text[:40]} is no slot of the round", f"such as {', '.join(slots[:12])}" if slots else ""
        )
    return found or token.text


def _read_kind(context: LineContext, token: Token) -> str:
    """Read the kind of a save or of a move, which is neither a filler nor a word of a combatant's name: Bo saves Ana."""
    fillers = forms.of(context.state.rules.rules).words.get("filler", ())
    people = {part for one in context.state.here() for part in (one.id, *one.id.split("-"))}
    if not token.quoted and token.text.casefold() in {*fillers, *people}:
        raise wrong(token, f"{token.text[:40]} is no kind", "such as: saves dex 12, or goes 3,4 swim")
    return _word(context, token)


_NAME_OF_SAVE = r"[^\W\d][\w ()'-]*"


def _read_save(_scene: LineContext, token: Token) -> Fields:
    name, _, rest = token.text.partition("/")
    dc, _, half = rest.partition("/")
    found: Fields = {"save": bare_word(name)} if name else {}
    named = not name or re.fullmatch(_NAME_OF_SAVE, name)
    if not named or name in ("yes", "no") or (dc and not dc.isdecimal()) or half not in ("", "half"):
        raise wrong(token, f"{token.text[:40]} is not a saving throw", "such as will/14 or will/14/half")
    return found | ({"dc": int(dc)} if dc else {}) | ({"half": True} if half else {})


def _show_save(value: Json) -> str | None:
    name = word(value["save"]) if "save" in value else ""
    shown = f"{name}/{value.get('dc', '')}/{'half' if value.get('half') else ''}".rstrip("/")
    return shown if shown and not name.startswith('"') else None


def parse_json(token: Token) -> Json:
    """Read JSON; raise NotUnderstood where it is malformed."""
    try:
        return read_json(token.text)
    except Malformed as error:
        raise wrong(token, error.reason, error.hint) from None


_NUMBERS = Kind(read_whole, _show_number, "a number")
_COUNTS = Kind(read_count, lambda value: _show_number(value) if value >= 0 else None, "a number")
_WORDS = Kind(_word, _show_word, "a word")
_LISTS = Kind(_read_words, _show_words, "words with commas")
_PERSON = Kind(lambda context, token: names.read_combatant(context.state, token), str, "a combatant")
_PEOPLE = Kind(_read_combatants, _show_ids, "combatants with commas", has_parts=True)
_PARTIES = Kind(
    lambda context, token: [names.read_party(context.state, each) for each in _split_combatants(token)],
    _show_ids,
    "sides or combatants with commas",
    has_parts=True,
)
_FLAGS = Kind(_read_flag, lambda value: "yes" if value else "no", "yes or no")


def _map_names(names_: str, kind: Kind) -> dict[str, Kind]:
    return dict.fromkeys(names_.split(), kind)


KINDS: dict[str, Kind] = {
    **_map_names("who combatant target source winner of", _PERSON),
    **_map_names("targets together tie_with engaged treated", _PEOPLE),
    **_map_names("sides surprised combatants", _PARTIES),
    "side": Kind(lambda context, token: names.read_side(context.state, token), str, "a side"),
    "party": Kind(lambda context, token: names.read_party(context.state, token), str, "a side or combatant"),
    "die": dice_slots.DIE,
    "dice": dice_slots.DICE,
    "amount": dice_slots.AMOUNT,
    **_map_names("check bonus dc ac left routine", _NUMBERS),
    "total": Kind(_read_total, _show_number, "a number"),
    "round": Kind(_read_round, lambda value: str(value) if value else None, "a round"),
    **_map_names("number segment second surprised_on revision", _COUNTS),
    "int": _NUMBERS,
    **_map_names("event after confirms parent cause trigger", _NUMBERS),
    **_map_names(
        "hit critical succeeded foiled forced obstructed nonlethal temporary concentration impedes surprise", _FLAGS
    ),
    **_map_names(
        "word name kind cost medium terrain purpose against object effect resource subject"
        " granted_by ruling text reason decision words detail awaiting",
        _WORDS,
    ),
    **_map_names("save mode", Kind(_read_kind, _show_word, "a word")),
    "quoted": Kind(_read_reason, quote, "words in quotation marks"),
    "condition": Kind(_read_condition, _show_word, "a word"),
    "level": Kind(_read_level, lambda value: value if re.fullmatch(LEVEL, value) else None, "a level, such as 2"),
    "about": Kind(_read_topic, lambda value: quote(value) if ":" in value else word(value), "a word"),
    "rule": Kind(_read_rule, _show_word, "the id of a rule"),
    **_map_names("manner attributes components", _LISTS),
    **_map_names("modifiers multipliers reductions", dice_slots.MODIFIERS),
    "parts": dice_slots.PARTS,
    **_map_names("time delay", kinds.TIMES),
    **_map_names("duration", kinds.DURATIONS),
    **_map_names("distance span", kinds.MEASURES),
    "square": kinds.SQUARE,
    **_map_names("path squares", kinds.PATH),
    "phase": Kind(
        _read_phase, lambda value: value if re.fullmatch(r"[\w.]+", value) else quote(value), "a slot of the round"
    ),
    "allows_save": Kind(_read_save, _show_save, "a saving throw, such as will/14/half"),
    "initiative": dice_slots.INITIATIVE,
    "members": Kind(_read_members, lambda _value: None, "a kind, a side or combatants with commas"),
    **_map_names("new group", Kind(_read_new_name, _show_new, "a name")),
    "contender": dice_slots.CONTENDER,
}
"""Every kind of value that is one token."""
