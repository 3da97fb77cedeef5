"""Numbers rolled on dice: a fact keeps the dice beside the number that they add up to."""

import re
from collections.abc import Sequence

from msgspec import structs

from eventstore.events import ActionTaken, Fact, Noted
from projections.grammar import dice
from projections.grammar.line_context import LineContext
from projections.grammar.thrown import shown_by
from projections.grammar.turns_within import counting_back
from projections.open_types import Facts, Fields
from projections.reader.tokens import Number, Rolled, Token

_SUM = r"([^+-]+)([+-]\d{1,6})?"


def with_throws(context: LineContext, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a line with dice without faces rolled here, where that is possible."""
    return [_thrown(context, each) if each.kind == "dice" and context.roll else each for each in tokens]


def _thrown(context: LineContext, token: Token) -> Token:
    found = re.fullmatch(_SUM, token.text)
    try:
        notation = dice.of(found[1] if found else token.text)
    except ValueError:
        return token
    if context.roll and token.start not in context.rolled:
        context.rolled[token.start] = context.roll(notation.text)
    faces = [int(face) for face in re.findall(r"\d+", context.rolled[token.start].partition(":")[2])]
    gone = dice.dropped(notation, faces)
    shown = {"notation": notation.text, "faces": faces} | ({"dropped": gone} if gone else {})
    value = Rolled.of(shown, int(found[2] or 0) if found else 0)
    die = Rolled.of(shown, 0) if notation.sides == 20 else None
    return structs.replace(
        token, kind="number", number=Number(value, die=die, notation=notation.text, faces=tuple(faces))
    )


def with_dice(fact: Fields) -> Fields:
    """Return a fact with the dice beside the numbers that they showed."""
    made = {name: _with_parts(value) if name == "parts" else value for name, value in fact.items()}
    amount, die = fact.get("amount"), fact.get("die")
    if isinstance(amount, Rolled) and "parts" not in fact and fact["type"] in ("damage_dealt", "healed"):
        bonus = [{"name": "bonus", "amount": amount.bonus}] if amount.bonus else []
        made["parts"] = [{"name": "dice", "dice": amount.dice}, *bonus]
    if isinstance(die, Rolled):
        made["die"] = die.dice
    return {name: int(value) if isinstance(value, Rolled) else value for name, value in made.items()}


def with_notes(facts: Sequence[Fact], thrown: Sequence[str]) -> Sequence[Fact]:
    """Return the facts of a line with a note of the dice rolled for them, each after the combatant whose dice they are."""
    if not thrown:
        return facts
    ends = [at for at, fact in enumerate(facts) if at and isinstance(fact, ActionTaken)]
    ends = [at for at in ends if _actor(facts[:at]) != facts[at].combatant]  # type: ignore[attr-defined]
    groups: dict[int, list[str]] = {}
    for one, place in zip(thrown, shown_by(thrown, facts, ()), strict=True):
        end = next((end for end in ends if place is not None and place < end), len(facts))
        groups.setdefault(end, []).append(one)
    made, places = list[Fact](), dict[int, int]()
    for at in range(len(facts) + 1):
        if at in groups:
            made.append(Noted(text=f"rolled here: {'; '.join(groups[at])}", event=-1))
        if at < len(facts):
            places[at] = len(made)
            made.append(facts[at])
    old = {new: old for old, new in places.items()}
    return [counting_back(fact, new, old.get(new), places) for new, fact in enumerate(made)]


def _actor(facts: Sequence[Fact]) -> str:
    return next((fact.combatant for fact in reversed(facts) if isinstance(fact, ActionTaken)), "")


def _with_parts(parts: Facts) -> Facts:
    made: Facts = []
    for part in parts:
        amount = part.get("amount") if isinstance(part, dict) else None  # a bare number is one of several parts
        if not isinstance(amount, Rolled):
            made.append(part)
            continue
        rest = {name: value for name, value in part.items() if name != "amount"}
        made.append(rest | {"dice": amount.dice})
        made += [rest | {"name": "bonus", "amount": amount.bonus}] if amount.bonus else []
    return made
