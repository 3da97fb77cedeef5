"""Slots of phrases for combatants and sides: those who are named, and those who go without saying."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from projections.folds.moves import next_up
from projections.folds.order import who_is_due
from projections.grammar import forms, line_context, names
from projections.grammar.phrases import people
from projections.grammar.phrases.people import People
from projections.grammar.phrases.values import Fill, Slot, Value

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


def _person(reader: "Reader", who: str) -> str:
    """Return an id as it stands in a line: behind a colon if it is also a word of the grammar."""
    return f":{who}" if who in forms.words(reader.context.state.rules.rules) else who


def _people(reader: "Reader", found: Iterable[People]) -> Slot:
    for each in found:
        ids = tuple(_person(reader, who) for who in each.ids)
        if ids:
            instead = (each.start, each.end, each.clearly) if each.clearly else None
            yield Value(",".join(each.ids) if len(ids) > 1 else ids[0], ids, instead), each.end


def _one(reader: "Reader", at: int) -> Slot:
    if found := reader.one(at):
        yield from _people(reader, (found,))


def _whom(reader: "Reader", at: int) -> Slot:
    yield from _people(reader, reader.people(at))


def _unhidden(reader: "Reader", at: int) -> Slot:
    """Yield the combatant who is named, if hidden is none of their conditions: no longer hidden then ends a secret."""
    hidden = {each.bearer for each in reader.context.state.conditions.values() if each.name.casefold() == "hidden"}
    yield from ((value, end) for value, end in _one(reader, at) if value.each[0].removeprefix(":") not in hidden)


def _felled(reader: "Reader", at: int) -> Slot:
    """Yield the combatant who is named, if not up: who is in the fight is not brought back into it."""
    there = reader.context.state.combatants
    yield from (
        (value, end) for value, end in _one(reader, at) if there[value.each[0].removeprefix(":")].status != "up"
    )


def _many(reader: "Reader", at: int) -> Slot:
    """Yield several combatants who are joined by a word or a comma, or who are a group."""
    groups = {group.end for group in reader.groups(at)}
    for value, end in _whom(reader, at):
        joined = any(reader.text(place) in (",", "and") for place in range(at, end))
        if len(value.each) > 1 and (joined or end in groups):
            yield value, end


def _one_of_many(reader: "Reader", at: int) -> Slot:
    """Yield whose turn comes next, if that is one of several of a kind or a side who are named."""
    following = next_up(reader.context.state)
    yield from ((Value(_person(reader, following)), end) for value, end in _many(reader, at) if following in value.each)


def _on_turn(reader: "Reader", at: int) -> Slot:
    """Yield the combatant whose turn it is, if named."""
    has = reader.context.state.clock.turn
    yield from ((value, end) for value, end in _one(reader, at) if has and value.each == (_person(reader, has),))


def _coming(reader: "Reader", at: int) -> Slot:
    """Yield those who are named, in the order of their turns, if these are the next ones."""
    state = reader.context.state
    due = who_is_due(state).value or [next_up(state) or ""]
    for named, end in _whom(reader, at):
        value, _ = _acting(reader, at, named, end)
        ids = tuple(_person(reader, who) for who in due[: len(value.each)])
        if {*ids} == {*value.each}:
            yield Value(",".join(ids), ids), end


def _goes_on(reader: "Reader", at: int) -> Slot:
    """Yield several who are named, if one of them has the turn and the others come next; the first of them and the others."""
    state = reader.context.state
    first = _person(reader, state.clock.turn or "")
    due = [_person(reader, who) for who in who_is_due(state).value]
    for named, end in _whom(reader, at):
        value, _ = _acting(reader, at, named, end)
        others = due[: len(value.each) - 1]
        if others and {first, *others} == {*value.each}:
            yield (
                Value(",".join((first, *others)), (first, *others), more={"first": first, "others": ",".join(others)}),
                end,
            )


def _comes(reader: "Reader", at: int) -> Slot:
    """Yield whose turn comes next, if named alone."""
    yield from ((value, end) for value, end in _coming(reader, at) if len(value.each) == 1)


def _come(reader: "Reader", at: int) -> Slot:
    """Yield several whose turns come next, if they are named."""
    yield from ((value, end) for value, end in _coming(reader, at) if len(value.each) > 1)


def _hard_hit(reader: "Reader", at: int) -> Slot:
    """Yield one combatant whose last damage was half of the hit points or more."""
    for value, end in _one(reader, at):
        one = reader.context.state.combatants[value.each[0].removeprefix(":")]
        most = one.hp_max or 0
        if most and 2 * reader.context.memory.hurt.get(one.id, 0) >= most:
            yield value, end


def _rollers(reader: "Reader", at: int) -> Slot:
    """Yield one combatant, or several who are joined by a word or a comma, or who are a group."""
    yield from _one(reader, at)
    yield from _many(reader, at)


def _gang(reader: "Reader", at: int) -> Slot:
    """Yield several combatants who act, but not everybody: whom everybody attacks is not one of them."""
    here = {_person(reader, each.id) for each in reader.context.state.here()}
    yield from (_acting(reader, at, value, end) for value, end in _many(reader, at) if {*value.each} != here)


def _fleeing(reader: "Reader", at: int) -> Slot:
    """Yield those who leave the fight: of a group those who are up, and not both sides."""
    here = {_person(reader, each.id) for each in reader.context.state.here()}
    for value, end in _whom(reader, at):
        if len(value.each) == 1 or {*value.each} != here:
            yield _acting(reader, at, value, end)


def _acting(reader: "Reader", at: int, value: Value, end: int) -> tuple[Value, int]:
    """Return who acts where a group is named: those of it who are up, if any of them is."""
    state = reader.context.state
    groups = {group.end for group in reader.groups(at)}
    able = tuple(who for who in value.each if state.combatants[who.removeprefix(":")].status == "up")
    if end not in groups or not able or able == value.each:
        return value, end
    return Value(",".join(able), able, value.clearly), end


def _able(reader: "Reader", at: int) -> Slot:
    """Yield combatants who act: no side, not everybody, and of a group those who are up."""
    yield from (_acting(reader, at, value, end) for value, end in _those(reader, at))


def _undeclared(reader: "Reader", at: int) -> Slot:
    """Yield a combatant who has declared nothing in this round."""
    found = reader.one(at)
    if found and line_context.declared_by(reader.context, found.ids[0]) is None:
        yield from _people(reader, (found,))


def _sides(reader: "Reader") -> list[str]:
    state = reader.context.state
    here = {one.side for one in state.here()}
    return [side for side in state.sides if side in here]


def _side(reader: "Reader", at: int) -> Slot:
    text, sides = names.folded(reader.text(at)), _sides(reader)
    found = [side for side in sides if side in (text, names.singular_of(text))]
    begins = len(text) > 2 or (text and not names.combatants(reader.context.state, text))
    found = found or [side for side in sides if begins and side.startswith(text)]
    if len(found) == 1 and not (text not in sides and people.is_name(reader.context.state, text)):
        yield Value(found[0]), at + 1


def _members(reader: "Reader", side: str) -> tuple[str, ...]:
    return tuple(each.id for each in reader.context.state.here() if each.side == side)


def _rolling(reader: "Reader", at: int) -> Slot:
    """Yield a side that dice are rolled for: by its name, or by the kind that all its members are of."""
    named = [*_side(reader, at)]
    yield from named
    kind = () if named else people.of_kind(reader.context.state, reader.text(at))
    yield from ((Value(side), at + 1) for side in _sides(reader) if kind and kind == _members(reader, side))


def _rolls_as_one(reader: "Reader", at: int) -> Slot:
    """Yield a side that dice are rolled for, or several of a kind who are not all of their side."""
    sides = [*_rolling(reader, at)]
    yield from sides
    for group in () if sides else reader.groups(at):
        if not group.clearly:
            yield Value(",".join(group.ids)), group.end


def _us(reader: "Reader", at: int) -> Slot:
    """Yield every side for a word such as us, which names none."""
    if reader.is_of("us", at):
        yield from ((Value(side), at + 1) for side in _sides(reader))


def _any_side(reader: "Reader", at: int) -> Slot:
    yield from ((Value(side), at) for side in _sides(reader))


def _dice_of_all(reader: "Reader", at: int) -> Slot:
    """Yield the initiative dice of everybody here, or of every side where sides roll, which are to be rolled here."""
    state, die = reader.context.state, reader.table.initiative
    everybody = [_person(reader, one.id) for one in state.here()]
    who = everybody if reader.table.clock == "turn" else _sides(reader)
    if who and reader.context.roll:
        yield Value(" ".join(f"{each}:{die}" for each in who)), at


def _anybody(reader: "Reader", at: int) -> Slot:
    """Yield everybody who may have been meant where nobody is named, foes of the combatant named first before others."""
    state = reader.context.state
    here = [one for one in state.here() if one.status == "up"]
    first = reader.one(0)
    own = state.combatants[first.ids[0]].side if first else None
    yield from ((Value(_person(reader, one.id)), at) for one in here if one.side != own)


def _anyone(reader: "Reader", at: int) -> Slot:
    """Yield everybody who is up and does not have the turn."""
    state = reader.context.state
    up = (one.id for one in state.here() if one.status == "up" and one.id != state.clock.turn)
    yield from ((Value(_person(reader, who)), at) for who in up)


def _current(reader: "Reader", at: int) -> Slot:
    """Yield whose turn it is, which the line need not say."""
    if turn := reader.context.state.clock.turn:
        yield Value(_person(reader, turn)), at


def _caster(reader: "Reader", at: int) -> Slot:
    """Yield who declared or began the spell that the words of the line name, if that is one combatant."""
    words, context = f" {reader.joined(0, len(reader.words))} ", reader.context
    work = {
        who: context.memory.begun.get(who) or line_context.declared_by(context, who) for who in context.state.combatants
    }
    found = [who for who, one in work.items() if one and one.name and f" {one.name.casefold()} " in words]
    yield from ((Value(_person(reader, who)), at) for who in found if len(found) == 1)


def _those(reader: "Reader", at: int) -> Slot:
    """Yield combatants who are named, or several of a kind: no side, and not everybody."""
    state = reader.context.state
    start = next((place for place in range(at, len(reader.words)) if reader.text(place) not in ("all", "the")), at)
    is_side = names.folded(reader.text(start)) in state.sides or reader.text(start) in ("all", "everyone", "everybody")
    single = is_side and not reader.one(at)
    numbered = re.match(r"\d", reader.text(start + 1)) is not None
    yield from _whom(reader, at) if not single or numbered else ()


def _group_word(reader: "Reader", at: int) -> Slot:
    """Yield a word for a side before a list of newcomers."""
    if reader.is_of("group", at):
        yield Value(reader.lexis.meant("group", reader.text(at))), at + 1


def _side_word(reader: "Reader", at: int) -> Slot:
    """Yield a side, or a word for one that is not there yet; not the one that a combatant is against."""
    if reader.text(at - 1) in ("vs", "versus", "against"):
        return
    yield from [*_side(reader, at)] or [*_group_word(reader, at)] or _new_side(reader, at)


def _new_side(reader: "Reader", at: int) -> Slot:
    """Yield a side that nobody is on yet, which a combatant joins: a plural behind that word, as in joins the goblins."""
    verb = at - 2 if reader.text(at - 1) == "the" else at - 1
    plural = reader.text(at)
    if reader.text(verb) in ("joins", "join") and plural.isalpha() and names.singular_of(plural):
        yield Value(plural), at + 1


def _joined_side(reader: "Reader", at: int) -> Slot:
    """Yield a side whom a combatant joins, also by those who are on it: on the party side, on the goblins' side, with the goblins."""
    named = [(value.text, end) for value, end in _side_word(reader, at)]
    for group in () if named else (*reader.groups(at), *filter(None, (reader.one(at),))):
        sides = {reader.context.state.combatants[who].side for who in group.ids}
        if len(sides) == 1 and (side := sides.pop()):
            named.append((side, group.end))
    for side, end in named:
        place = end + (reader.text(end) == "'s")
        yield Value(side), place + (reader.text(place) in ("side", "team"))


def _whose_side(reader: "Reader", at: int) -> Slot:
    """Yield a side that is said to be one: the goblins' side, our team."""
    yield from ((value, end) for value, end in _joined_side(reader, at) if reader.text(end - 1) in ("side", "team"))


def _is_idle(reader: "Reader", who: str) -> bool:
    """Say whether a combatant has nothing that could be dropped: no declaration, no work, and no effect by concentration."""
    context, who = reader.context, who.removeprefix(":")
    keeps = any(each.source == who and each.concentration for each in context.state.effects.values())
    return (
        not keeps and line_context.declared_by(context, who) is None and line_context.unfinished(context, who) is None
    )


def _idle(reader: "Reader", at: int) -> Slot:
    """Yield combatants who have nothing that they could drop."""
    yield from ((value, end) for value, end in _whom(reader, at) if all(_is_idle(reader, who) for who in value.each))


def _busy(reader: "Reader", at: int) -> Slot:
    """Yield combatants of whom one is up, and has something to drop."""
    people = reader.context.state.combatants
    for value, end in _whom(reader, at):
        up = (who for who in value.each if people[who.removeprefix(":")].status == "up")
        if not all(_is_idle(reader, who) for who in up):
            yield value, end


def _saver(reader: "Reader", at: int) -> Slot:
    """Yield one combatant, or several who roll once."""
    yield from (*_one(reader, at), *_many(reader, at))


def _allies(reader: "Reader", at: int) -> Slot:
    """Yield everybody of other sides than those who are named afterwards: everyone attacks the ogre."""
    state = reader.context.state
    for group in reader.groups(at):
        if group.ids == tuple(each.id for each in state.here()):
            later = [
                who for place in range(group.end, len(reader.words)) if (each := reader.one(place)) for who in each.ids
            ]
            sides = {state.combatants[who].side for who in later}
            up = (who for who in group.ids if state.combatants[who].status == "up")
            ids = tuple(_person(reader, who) for who in up if state.combatants[who].side not in sides)
            if ids and later:
                yield Value(",".join(ids), ids), group.end


def _declarer(reader: "Reader", at: int) -> Slot:
    """Yield a side, also as all its members, or one combatant who has declared nothing; a side where a word can mean both."""
    sides = [*_side(reader, at + (reader.text(at) == "all"))]
    yield from sides or _undeclared(reader, at)


PEOPLE = frozenset(
    {
        "one",
        "unhidden",
        "felled",
        "whom",
        "many",
        "gang",
        "fleeing",
        "those",
        "able",
        "allies",
        "anybody",
        "undeclared",
        "declarer",
        "saver",
        "idle",
        "busy",
        "rollers",
        "one-of-many",
        "on-turn",
        "comes",
        "come",
        "goes-on",
    }
)
"""The slots for combatants."""


SLOTS: dict[str, Fill] = {
    "one": _one,
    "unhidden": _unhidden,
    "felled": _felled,
    "whom": _whom,
    "allies": _allies,
    "those": _those,
    "able": _able,
    "gang": _gang,
    "fleeing": _fleeing,
    "hard-hit": _hard_hit,
    "on-turn": _on_turn,
    "comes": _comes,
    "come": _come,
    "goes-on": _goes_on,
    "one-of-many": _one_of_many,
    "undeclared": _undeclared,
    "declarer": _declarer,
    "side-word": _side_word,
    "joined-side": _joined_side,
    "whose-side": _whose_side,
    "idle": _idle,
    "busy": _busy,
    "saver": _saver,
    "group-word": _group_word,
    "many": _many,
    "side": _side,
    "rolling": _rolling,
    "rolls-as-one": _rolls_as_one,
    "rollers": _rollers,
    "us": _us,
    "any-side": _any_side,
    "anybody": _anybody,
    "dice-of-all": _dice_of_all,
    "anyone": _anyone,
    "current": _current,
    "caster": _caster,
}
"""The functions for the slots of this module, by the names of their kinds."""
