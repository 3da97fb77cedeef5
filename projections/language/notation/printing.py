"""Printing: from facts to lines that mean exactly them. Every printed line was read again, with the same result."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from eventstore.events import Amended, CombatantJoined, Fact, Inserted
from eventstore.wording import escape_json, visible
from projections.language.notation import filling, forms
from projections.language.notation.dice_slots import show_contender
from projections.language.notation.forms import (
    FREE,
    Form,
    FormSlot,
    Literal,
    Node,
    Optional,
    Pair,
    Pattern,
    Repeated,
    flat,
)
from projections.language.notation.line_context import LineContext
from projections.language.notation.options import field_names
from projections.language.notation.parsing import end_of_secret, parse
from projections.language.notation.several_tokens import format_plain
from projections.language.notation.slots import KINDS
from projections.language.notation.tokens import NotUnderstood, quote, word
from projections.open_types import Fields, Json

MOST = 6
"""The most facts of one line."""


def print_line(
    context: LineContext, events: Sequence[Fact], *, secret: bool = False, fits: Callable[[str], bool] = bool
) -> tuple[str, int]:
    """Return a line that means the first of these facts, or several of them, and how many; JSON where no such line fits."""
    values = [msgspec.to_builtins(event) for event in events[:MOST]]
    for line, count in _candidate_lines(context, events, values):
        if fits(line) and _is_read_back(context, line, events[:count]):
            return (f"secret {line}" if secret else line), count
    return ("secret " if secret else "") + _json_text(values[0]), 1


def _is_read_back(context: LineContext, line: str, events: Sequence[Fact]) -> bool:
    """Return whether a complete line means these facts: a combatant called secret does not stand first, and a line that yields is no sentence."""
    try:
        parsed = None if end_of_secret(line) else parse(context, line)
    except NotUnderstood:
        return False
    if parsed is None or parsed.facts != tuple(events) or context.script or not parsed.yields:
        return parsed is not None and parsed.facts == tuple(events)
    from projections.language import sentences  # only for lines of forms that yield

    return sentences.read_sentence(context, line, lambda each: each).meaning is None


def _json_text(value: Fields) -> str:
    return escape_json(msgspec.json.encode(value).decode())


def _candidate_lines(context: LineContext, events: Sequence[Fact], values: list[Fields]) -> Iterator[tuple[str, int]]:
    """Yield lines that may mean the first facts; lines for several facts come first."""
    first = events[0]
    if isinstance(first, Amended | Inserted):
        yield from _print_correction(context, first)
        return
    if isinstance(first, CombatantJoined):
        yield print_joining(values[0]), 1
        yield print_joining({"side": filling.NO_SIDE, **values[0]}), 1
    for form in forms.forms_making(context.state.rules.rules, values[0]["type"]):
        if len(form.makes) <= len(values):
            for line in _lines_in_form(context, form, values):
                yield line, len(form.makes)


def _lines_in_form(context: LineContext, form: Form, values: list[Fields]) -> Iterator[str]:
    """Yield the lines in a form that can mean these facts."""
    filled: Fields = {}
    rest: list[Fields] = []
    for template, value in zip(form.makes, values, strict=False):
        left = _match_template(template, value, filled)
        if left is None:
            return
        rest.append(left)
    options = _print_options(context, rest, values)
    if options is None:
        return
    filled = _values_to_type(form, filled)
    for pattern in form.compiled_patterns:
        for quoted in (False, True):
            line = _print_pattern(pattern, filled, options, quoted=quoted)
            if line is not None:
                yield line


def _values_to_type(form: Form, filled: Fields) -> Fields:
    """Return the values with those that a fill makes from others."""
    found = dict(filled)
    if "combatant" in found or "side" in found:
        found.setdefault("who", found.get("combatant", found.get("side")))
        found.setdefault("party", found["who"])
    if "initiative" in form.each and "die" in found:
        found["roll"] = {key: found[key] for key in ("die", "bonus") if key in found}
    if "form" in form.fills and len(found.get("modifiers", ())) == 1:
        found |= {"form": found["modifiers"][0]["name"], "points": found["modifiers"][0]["amount"]}
    if "revert" in form.fills and len(found.get("targets", ())) == 1:
        found["combatant"] = found["targets"][0]
    if "recharge" in form.fills and (power := str(found.get("purpose")).partition(" ")[2]):
        found["power"] = power
    return found


def _match_template(template: Json, value: Fields, filled: Fields) -> Fields | None:
    """Fill slots from a fact; return the fields without a place in the template, or None if it does not fit."""
    left = dict(value)
    for key, item in template.items():
        here = left.pop(key, None)
        if isinstance(item, str) and item.startswith("$"):
            name = item[1:]
            if here is not None and filled.setdefault(name, here) != here:
                return None
        elif isinstance(item, dict):
            inner = _match_template(item, here or {}, filled)
            if inner:
                return None
        elif here != item:
            return None
    target = filled.get("action", {}).get("targets", ())
    if "target" in filled and target and tuple(target) != (filled["target"],):
        return None
    return left


_IN_LINE = ("kind", "name", "time", "targets")


def _print_options(context: LineContext, rest: list[Fields], values: list[Fields]) -> list[str] | None:
    """Return the options for the remaining fields of the facts; None if one cannot be written so."""
    found: list[str] = []
    for left, value in zip(rest, values, strict=False):
        action = {key: item for key, item in value.get("action", {}).items() if key not in _IN_LINE}
        for key, item in {**action, **left}.items():
            if key not in field_names(value):
                return None
            found.append(_print_option(context, key, item))
    return found


def _print_option(context: LineContext, key: str, item: Json) -> str:
    if key == "cause" and item == -1:
        return "^"
    if key == "cause" and item < 0:
        return f"^{-item}"
    if key == ("segment" if context.state.rules.calendar.tick == "segment" else "second"):
        return f"@{item}"
    kind = KINDS.get(key)
    shown = kind.show(item) if kind else None
    if shown is None:
        shown = _json_text(item)
    return f"{key}={shown}"


def _print_pattern(pattern: Pattern, filled: Fields, options: list[str], *, quoted: bool) -> str | None:
    """Return a pattern with its slots filled and the options, which stand before a text that ends the line."""
    used: set[str] = set()
    pieces = _print_nodes(pattern.nodes, filled, used, quoted=quoted)
    if pieces is None or not used >= {slot.name for slot in pattern.slots if slot.name in filled}:
        return None
    free = any(slot.kind in FREE for slot in pattern.slots)
    said = [f".{each}" if free and each[0] not in "@^" else each for each in options]
    last = pattern.slots[-1] if pattern.slots else None
    texts = 1 if last and last.kind == "rest" and last.name in used else 0
    return " ".join([*pieces[: len(pieces) - texts], *said, *pieces[len(pieces) - texts :]])


def _print_nodes(nodes: tuple[Node, ...], filled: Fields, used: set[str], *, quoted: bool) -> list[str] | None:
    found: list[str] = []
    for node in nodes:
        if isinstance(node, Optional):
            if any(slot.name in filled for slot in flat(node.nodes)):
                found += _print_nodes(node.nodes, filled, used, quoted=quoted) or []
            continue
        if isinstance(node, Repeated):
            inner = _print_nodes(node.nodes, filled, used, quoted=quoted)
            shown: list[str] | None = inner
        elif isinstance(node, Literal):
            shown = [node.words[0]]
        elif isinstance(node, Pair):
            shown = _print_pair(node, filled, used)
        else:
            one = _print_slot(node, filled, used, quoted=quoted)
            shown = None if one is None else [one]
        if shown is None:
            return None
        found += shown
    return found


def _print_pair(node: Pair, filled: Fields, used: set[str]) -> list[str] | None:
    one, other = (_print_slot(slot, filled, used, quoted=False) for slot in (node.first, node.second))
    return None if one is None or other is None else [f"{one}{node.between}{other}"]


def _print_slot(node: FormSlot, filled: Fields, used: set[str], *, quoted: bool) -> str | None:
    if node.name not in filled:
        return None
    value = filled[node.name]
    used.add(node.name)
    wide = WIDE.get(node.kind)
    if wide:
        return wide(value, quoted)
    if quoted and isinstance(value, str) and KINDS[node.kind] is KINDS["word"]:
        shown: str | None = quote(value)
    else:
        shown = KINDS[node.kind].show(value)
        shown = _json_text(value) if shown is None and not (node.prefix or node.suffix) else shown
    return None if shown is None else f"{node.prefix}{shown}{node.suffix}"


def _print_text(value: Json, quoted: bool) -> str:
    bare = not quoted and value.strip() == visible(value) == value and not value.startswith(('"', "secret "))
    return str(value) if bare else quote(value)


def _print_action(value: Fields, quoted: bool) -> str:
    is_attack = value["kind"] == "attack"
    time = KINDS["time"].show(value["time"]) if "time" in value else None
    pieces = [value["kind"]]
    pieces += [word(value["name"], quoted=quoted)] if "name" in value else []
    pieces += [time] if time and not is_attack else []
    pieces += [",".join(value["targets"])] if value.get("targets") else []
    pieces += [f"time={time or _json_text(value['time'])}"] if "time" in value and (is_attack or not time) else []
    return " ".join(pieces)


def _print_values(value: Fields, _quoted: bool) -> str:
    return " ".join(f"{word(key) if ' ' in key else key}={format_plain(item)}" for key, item in value.items())


WIDE: dict[str, Callable[[Json, bool], str]] = {
    "rest": _print_text,
    "action": _print_action,
    "values": _print_values,
    "sheet": lambda value, quoted: _print_values(value, quoted) or "{}",
    "whom": lambda value, _: ",".join(value),
    "contenders": lambda value, _: " ".join(show_contender(each) or "?" for each in value),
}


def print_joining(value: Fields) -> str:
    """Return the line by which a combatant joins."""
    name, who = value.get("name"), value["combatant"]
    pieces = ["join", word(name) if name else who, value.get("side", ""), WIDE["sheet"](value["sheet"], False)]
    return " ".join(each for each in pieces if each)


def _print_correction(context: LineContext, event: Amended | Inserted) -> Iterator[tuple[str, int]]:
    inner = event.replacement if isinstance(event, Amended) else event.fact
    line, _ = print_line(context, [inner])
    head = f"amend {event.event}" if isinstance(event, Amended) else f"insert {event.after}"
    reason = f" reason={quote(event.reason)}" if event.reason else ""
    yield f"{head}{reason} {line}", 1
