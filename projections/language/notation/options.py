"""Options of a line, each of which sets a field of its facts: @4 (moment), ^2 (cause), key=value."""

import re

from eventstore.events import TAGS
from eventstore.form import REFERENCE_FIELDS
from eventstore.shapes import Action
from eventstore.wording import nearest
from projections.language.notation.line_context import LineContext
from projections.language.notation.matching import OPTION
from projections.language.notation.slots import KINDS, parse_json
from projections.language.notation.tokens import NotUnderstood, Token, bare_word
from projections.open_types import Facts, Fields, Json


def set_option(context: LineContext, facts: Facts, token: Token) -> None:
    """Set a field of the facts by an option: @4 (moment), ^2 (cause, or trigger of an act), key=value."""
    text = token.text
    if text[0] == "^":
        back = text[1:] or "1"
        if not re.fullmatch(r"\d{1,9}", back) or not int(back):
            raise NotUnderstood(
                token.start + 1, f"{text[:40]} is not so many facts back", "^ is the last one, ^2 the one before"
            )
        own = {name for fact in facts for name in field_names(fact)}
        name = "trigger" if "trigger" in own and "cause" not in own else "cause"
        _set(context, facts, name, -int(back), token)
    elif text[0] == "@":
        _read_moment(context, facts, token)
    else:
        match = re.fullmatch(OPTION, text)
        assert match is not None  # noqa: S101 – the matcher has seen to it
        name = _find_field(facts, match[2], token)
        start = token.end - len(match[3])
        _set(context, facts, name, _read_value(context, name, Token(match[3], start, token.end)), token)


def _read_moment(context: LineContext, facts: Facts, token: Token) -> None:
    text = token.text[1:]
    if re.fullmatch(r"\d{1,9}", text):
        tick = context.state.rules.calendar.tick
        _set(context, facts, "segment" if tick == "segment" else "second", int(text), token)
    else:
        _set(context, facts, "phase", KINDS["phase"].read(context, Token(text, token.start + 1, token.end)), token)


def _read_value(context: LineContext, name: str, token: Token) -> object:
    if not token.text:
        raise NotUnderstood(token.end + 1, f"{name}= has no value", f"the value stands right after {name}=")
    if token.text[:1] in '"{[':
        return parse_json(token)
    if name in REFERENCE_FIELDS and (back := re.fullmatch(r"\^(\d{0,9})", token.text)):
        return -int(back[1] or 1)
    if name in KINDS:
        return KINDS[name].read(context, token)
    return bare_word(token.text)


def field_names(fact: Fields) -> tuple[str, ...]:
    """Return the names of the fields of a fact, then of its action."""
    own = TAGS[fact["type"]].__struct_fields__
    return (*own, *Action.__struct_fields__) if "action" in own else own


def _find_field(facts: Facts, typed: str, token: Token) -> str:
    known = [name for fact in facts for name in field_names(fact)]
    unsaid = {name for fact in facts for name in field_names(fact) if name not in fact}
    found = [typed] if typed in known else sorted(name for name in unsaid if name.startswith(typed))
    if len(found) == 1:
        return found[0]
    if found:
        raise NotUnderstood(token.start + 1, f"{typed}= can be {' or '.join(found)}", "write more of it")
    raise NotUnderstood(token.start + 1, f"nothing here has a field {typed[:40]}", nearest(typed, known))


OUTCOMES = frozenset({"damage_dealt", "healed"})
"""The types of facts that a line makes once for each combatant it names."""


def _set(context: LineContext, facts: Facts, name: str, value: Json, token: Token) -> None:
    """Set a field of the first fact that has room for it, or else in place of an implied value."""
    holding = [place for place in (_struct_with_field(fact, name) for fact in facts) if place is not None]
    if not holding:
        raise NotUnderstood(token.start + 1, f"nothing here has a field {name}")
    place = next((each for each in holding if name not in each), holding[0])
    if name == "modifiers" and name in place and name not in context.assumed:
        value = [*place[name], *value]  # beside the bonus of the dice
        del place[name]
    if place.get(name, value) != value and name not in context.assumed:
        raise NotUnderstood(token.start + 1, f"{name} has a value already", "leave out one of the two")
    context.assumed.discard(name)
    if place.get(name) == value:
        return
    place[name] = value
    if place.get("type") in OUTCOMES:  # of several, each has it
        for further, each in enumerate(
            (each for each in holding if each["type"] == place["type"] and each is not place), 1
        ):
            each[name] = value - further if name == "cause" and value < 0 else value


def _struct_with_field(fact: Fields, name: str) -> Fields | None:
    own = TAGS[fact["type"]].__struct_fields__
    if name in own:
        return fact
    if "action" in own and name in Action.__struct_fields__:
        return fact.setdefault("action", {})  # type: ignore[no-any-return]
    return None
