"""Hints for malformed facts: the field that was meant, an example line."""

import json
import re
from typing import Any

from encounterlog.core.shorthand import EXAMPLES
from encounterlog.text.examples import example
from eventstore.errors import Malformed
from eventstore.events import Fact
from eventstore.form import event_of
from eventstore.shapes import Action
from eventstore.versions import KNOWN

MEANT: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (
        frozenset({"combatant", "combatants", "whom", "victim", "victims", "defender", "on", "to"}),
        ("target", "targets"),
    ),
    (frozenset({"target", "targets"}), ("target", "targets", "combatant")),
    (
        frozenset({"who", "actor", "character", "creature", "name", "id", "combatants"}),
        ("combatant", "targets", "target"),
    ),
    (frozenset({"combatant", "actor", "by", "attacker", "caster", "from", "who"}), ("source", "side")),
    (frozenset({"source", "attacker", "caster", "by"}), ("combatant",)),
    (frozenset({"team", "group", "party", "faction"}), ("side", "sides")),
    (
        frozenset({"damage", "points", "value", "number", "healing", "total"}),
        ("amount", "total", "round", "segment"),
    ),
    (frozenset({"roll", "rolled", "result", "dice", "face", "score", "value"}), ("die", "total", "check")),
    (frozenset({"why", "because", "comment", "remark", "note", "text", "description"}), ("reason", "detail", "text")),
    (frozenset({"note", "message", "words", "comment", "says", "reason"}), ("text", "words", "decision")),
    (frozenset({"length", "lasts", "for", "rounds", "time"}), ("duration", "time")),
    (
        frozenset({"spell", "effect", "condition", "state", "status", "name"}),
        ("effect", "condition", "name", "resource"),
    ),
    (frozenset({"record", "seq", "line", "of", "target"}), ("event", "after")),
    (frozenset({"hp"}), ("amount", "values")),
    (frozenset({"at", "position", "where", "to", "place", "from"}), ("square", "path")),
    (frozenset({"order", "status", "expect", "expected", "value", "stated"}), ("values",)),
    (frozenset({"new", "by", "with", "fact", "replacement", "change", "changes"}), ("replacement", "fact")),
)
"""Names that people write, and the fields that they mean, the most likely first."""
LONGEST = 200
"""The longest line of the user's own that a hint shows."""


def hinted(error: Malformed, fact: Any) -> Malformed:
    """Return the error with the best hint for it."""
    kind = KNOWN.get(str(fact.get("type"))) if isinstance(fact, dict) else None
    hint = _hint(error, fact, kind) if kind else ""
    return Malformed(error.field, error.reason, hint) if hint else error


def _hint(error: Malformed, fact: dict[str, Any], kind: type[Fact]) -> str:
    place, _, name = error.field.rpartition(".")
    if place in ("replacement", "fact") and isinstance(fact.get(place), dict):  # as if it stood alone
        inner = fact[place]
        nested = KNOWN.get(str(inner.get("type")))
        return _hint(Malformed(name, error.reason, error.hint), inner, nested) if nested else ""
    if error.reason.startswith("no field of") and not place:
        return _meant(name, kind)
    if error.hint or not re.match("expected (an object|a list|a whole number or an object)|is missing", error.reason):
        return ""
    return EXAMPLES.get(name) or f"a line that would do: {_completed(name if not place else '', fact, kind)}"


def _completed(name: str, fact: dict[str, Any], kind: type[Fact]) -> str:
    """Return the fact with the field of the example line in it, if that is one then; else the example line."""
    line = example(kind)
    given = json.loads(line)
    if name in given:
        own = fact | {name: given[name]}
        try:
            event_of(own)
        except Malformed:
            return line
        text = json.dumps(own, ensure_ascii=False, separators=(",", ":"))
        return text if len(text) <= LONGEST else line
    return line


def _meant(name: str, kind: type[Fact]) -> str:
    """Return a hint that names the intended field, or nothing."""
    own = kind.__struct_fields__
    if "action" in own and name in Action.__struct_fields__:
        return f'it stands within the action: {{"action":{{"kind":"attack","{name}":…}}}}'
    for written, fields in MEANT:
        for field in fields:
            if name in written and field in own:
                return f"did you mean {field}?"
    return ""
