"""Slots of phrases: what a line names there, as the text that stands for it in a line of the forms."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from projections.grammar import forms, names, scene
from projections.grammar.measured import unit_of
from projections.grammar.phrases import people, rolls
from projections.grammar.phrases.people import People
from projections.grammar.tokens import quote, unbar, word
from projections.judging.known_words import known

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


class Value(Struct, frozen=True):
    """What fills a slot: a text; of several combatants also each of them, and words that say clearly, from one word to another, who they are.

    `more` fills further slots by their names, as a blow brings its weapon along. A text that `is_name` may stand in quotation marks.
    """

    text: str
    each: tuple[str, ...] = ()
    clearly: tuple[int, int, str] | None = None
    more: dict[str, str] = {}
    is_name: bool = False


Slot = Iterator[tuple[Value, int]]


def _person(reader: "Reader", who: str) -> str:
    """Return an id as it stands in a line: behind a colon if it is also a word of the grammar."""
    return f":{who}" if who in forms.words(reader.scene.state.rules.rules) else who


def _people(reader: "Reader", found: Iterator[People]) -> Slot:
    for each in found:
        ids = tuple(_person(reader, who) for who in each.ids)
        if ids:
            instead = (each.start, each.end, each.clearly) if each.clearly else None
            yield Value(",".join(each.ids) if len(ids) > 1 else ids[0], ids, instead), each.end


def _one(reader: "Reader", at: int) -> Slot:
    yield from _people(reader, people.one(reader.scene.state, reader.words, at, reader.lexis))


def _whom(reader: "Reader", at: int) -> Slot:
    yield from _people(reader, people.listed(reader.scene.state, reader.words, at, reader.lexis))


def _many(reader: "Reader", at: int) -> Slot:
    """Yield several combatants who are joined by a word or a comma, or who are a group."""
    groups = {group.end for group in people.several(reader.scene.state, reader.words, at)}
    for value, end in _whom(reader, at):
        joined = any(reader.text(place) in (",", "and") for place in range(at, end))
        if len(value.each) > 1 and (joined or end in groups):
            yield value, end


def _gang(reader: "Reader", at: int) -> Slot:
    """Yield several combatants, but not everybody: whom everybody attacks is not one of them."""
    here = {_person(reader, each.id) for each in reader.scene.state.here()}
    yield from ((value, end) for value, end in _many(reader, at) if {*value.each} != here)


def _undeclared(reader: "Reader", at: int) -> Slot:
    """Yield a combatant who has declared nothing in this round."""
    for found in people.one(reader.scene.state, reader.words, at, reader.lexis):
        if scene.declared_by(reader.scene, found.ids[0]) is None:
            yield from _people(reader, iter((found,)))


def _sides(reader: "Reader") -> list[str]:
    state = reader.scene.state
    here = {one.side for one in state.here()}
    return [side for side in state.sides if side in here]


def _side(reader: "Reader", at: int) -> Slot:
    text, sides = names.folded(reader.text(at)), _sides(reader)
    found = [side for side in sides if side in (text, people.singular_of(text))]
    found = found or [side for side in sides if len(text) > 2 and side.startswith(text)]
    if len(found) == 1 and not (text not in sides and people.is_name(reader.scene.state, text)):
        yield Value(found[0]), at + 1


def _us(reader: "Reader", at: int) -> Slot:
    """Yield every side for a word such as us, which names none."""
    if reader.is_of("us", at):
        yield from ((Value(side), at + 1) for side in _sides(reader))


def _any_side(reader: "Reader", at: int) -> Slot:
    yield from ((Value(side), at) for side in _sides(reader))


def _anybody(reader: "Reader", at: int) -> Slot:
    """Yield everybody who may have been meant where nobody is named, foes of whoever is named first before others."""
    state = reader.scene.state
    here = [one for one in state.here() if one.status == "up"]
    first = next(iter(people.one(state, reader.words, 0, reader.lexis)), None)
    own = state.combatants[first.ids[0]].side if first else None
    yield from ((Value(_person(reader, one.id)), at) for one in here if one.side != own)


def _current(reader: "Reader", at: int) -> Slot:
    """Yield whose turn it is, which the line need not say."""
    if turn := reader.scene.state.clock.turn:
        yield Value(_person(reader, turn)), at


def _matching(pattern: str, take: Callable[[str], str] = str) -> Callable[["Reader", int], Slot]:
    def found(reader: "Reader", at: int) -> Slot:
        if re.fullmatch(pattern, reader.text(at)):
            yield Value(take(reader.text(at))), at + 1

    return found


def _text(reader: "Reader", at: int, end: int) -> str:
    """Return the words between two places as one word of the forms."""
    typed = reader.typed(at, end)
    return word(typed if reader.words[at].quoted else unbar(typed))


def _free(reader: "Reader", at: int, most: int = 4) -> Slot:
    """Yield words of no list, which are nobody's name and no number: the longest first."""
    if at < len(reader.words) and reader.words[at].quoted and not reader.names_somebody(at):
        yield Value(_text(reader, at, at + 1), is_name=True), at + 1
        return
    spells = [*LISTS["spell"](reader, at)]
    yield from spells
    if spells or reader.is_of("kind", at) or reader.text(at) in reader.lexis.literal:
        return
    end = at
    while end < min(len(reader.words), at + most) and _is_free(reader, end):
        end += 1
    for last in range(end, at, -1):
        if not (reader.is_skipped(at) or reader.is_skipped(last - 1)):
            yield Value(_text(reader, at, last), is_name=True), last


def _is_free(reader: "Reader", at: int) -> bool:
    here = reader.words[at]
    return not here.quoted and re.match(r"[^\W\d_]", here.text) is not None and not reader.names_somebody(at)


def _listed(
    sort: str, more: Callable[["Reader", str], bool] = lambda _reader, _text: False
) -> Callable[["Reader", int], Slot]:
    """Return a slot for the words of a list, of up to three words each, and of what else counts as one of them."""

    def found(reader: "Reader", at: int) -> Slot:
        for end in range(min(len(reader.words), at + 3), at, -1):
            text = reader.joined(at, end)
            if reader.lexis.has(sort, text) or more(reader, text):
                meant = reader.lexis.meant(sort, text)
                yield Value(_text(reader, at, end) if meant == text else word(meant), is_name=True), end
                return

    return found


def _is_condition(reader: "Reader", text: str) -> bool:
    state = reader.scene.state
    borne = {effect.name.casefold() for effect in state.conditions.values()}
    return text in borne or (text in known(state.rules.rules).conditions and text != "surprised")


def _is_spell(reader: "Reader", text: str) -> bool:
    state = reader.scene.state
    running = {effect.name.casefold() for effect in state.effects.values()}
    return text in running or (text in reader.scene.memory.named and not _is_weapon(reader, text))


def _is_weapon(reader: "Reader", text: str) -> bool:
    state = reader.scene.state
    used = {name.casefold() for name in reader.scene.memory.used.values() if name}
    return text in used or any(text in map(str.casefold, scene.weapons(one)) for one in state.combatants.values())


def _effect(reader: "Reader", at: int) -> Slot:
    """Yield an effect that is running, by its name."""
    running = {effect.name.casefold() for effect in reader.scene.state.effects.values()}
    for end in range(min(len(reader.words), at + 4), at, -1):
        if reader.joined(at, end) in running:
            yield Value(_text(reader, at, end)), end


def _held_by(reader: "Reader", at: int) -> Slot:
    """Yield the effects on which whoever is named first concentrates; nothing of the line says them."""
    first = next(iter(people.one(reader.scene.state, reader.words, 0, reader.lexis)), None)
    for effect in reader.scene.state.effects.values():
        if first and effect.source == first.ids[0] and effect.concentration:
            yield Value(word(effect.name)), at


def _caster(reader: "Reader", at: int) -> Slot:
    """Yield who began the work that the words of the line name."""
    for who, action in reader.scene.memory.begun.items():
        name = (action.name or "").casefold()
        if name and f" {name} " in f" {reader.joined(0, len(reader.words))} ":
            yield Value(_person(reader, who)), at


def _act(reader: "Reader", at: int) -> Slot:
    """Yield the record of an act or effect by its name."""
    for end in range(min(len(reader.words), at + 4), at, -1):
        if seq := reader.scene.memory.acts.get(reader.joined(at, end)):
            yield Value(str(seq)), end


def _kind(reader: "Reader", at: int) -> Slot:
    """Yield the kind of action that a word is, in any of its forms: attacks, casting, charge."""
    text, kinds = reader.text(at), scene.kinds(reader.scene.state)
    if not text:
        return
    if (joined := f"{text}-{reader.text(at + 1)}") in kinds:
        yield Value(joined), at + 2
        return
    meant = reader.lexis.meant("kind", text)
    stems = (
        meant,
        text.removesuffix("s"),
        text.removesuffix("es"),
        text.removesuffix("ing"),
        text.removesuffix("ing") + "e",
    )
    kind = next((each for each in stems if each in kinds), "")
    if kind:
        yield Value(kind), at + 1


def _going(reader: "Reader", at: int) -> Slot:
    """Yield a word for leaving the fight that is no kind of action of the game."""
    is_kind = next(_kind(reader, at), None) is not None
    yield from ((value, end) for value, end in _sort("left")(reader, at) if end > at + 1 or not is_kind)


def _long_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action of two words."""
    yield from ((value, end) for value, end in _kind(reader, at) if end == at + 2)


def _verb(reader: "Reader", at: int) -> Slot:
    """Yield a verb in the third person that is no other word of the phrases; whom it is at shows what it means."""
    text = reader.text(at)
    is_kind = next(_kind(reader, at), None) is not None
    if re.fullmatch(r"[a-z]{3,}s", text) and not (reader.lexis.knows(text) or is_kind or reader.names_somebody(at)):
        yield Value(text), at + 1


def _duration(reader: "Reader", at: int) -> Slot:
    text, unit = reader.text(at), reader.text(at + 1)
    unit = reader.lexis.meant("unit", unit)
    if re.fullmatch(r"\d{1,6}", text) and unit and (unit_of(unit)) and unit not in ("ft", "m", "sq", "square"):
        yield Value(f"{text}{unit}"), at + 2
    elif re.fullmatch(r"\d{1,6}[a-z]+", text) and unit_of(re.sub(r"\d", "", text)):
        yield Value(text), at + 1


def _time(reader: "Reader", at: int) -> Slot:
    """Yield how long something takes: a number alone if it is so many ticks."""
    tick = reader.scene.state.rules.calendar.tick
    for value, end in _duration(reader, at):
        found = re.fullmatch(r"(\d+)([a-z]+)", value.text)
        yield Value(found[1] if found and unit_of(found[2]) == tick else value.text), end


def _distance(reader: "Reader", at: int) -> Slot:
    text, unit = reader.text(at), reader.lexis.meant("unit", reader.text(at + 1))
    if re.fullmatch(r"\d{1,6}", text) and unit in ("ft", "m", "sq"):
        yield Value(f"{text}{unit}"), at + 2


def _phase(reader: "Reader", at: int) -> Slot:
    """Yield a slot of the round: by its name, or as it is said, such as low D1 for L.D1."""
    state = reader.scene.state
    slots = {slot.casefold(): slot for slot in state.rules.schedule.phases(state)}
    for end in (at + 2, at + 1):
        text = ".".join(reader.lexis.meant("slot", each.text) for each in reader.words[at:end])
        if text in slots:
            yield Value(slots[text]), end


def _next_segment(reader: "Reader", at: int) -> Slot:
    yield Value(str(reader.scene.state.clock.point.segment + 1)), at


def _next_phase(reader: "Reader", at: int) -> Slot:
    """Yield the slot of the round that follows the present one."""
    state = reader.scene.state
    slots = [*state.rules.schedule.phases(state)]
    place = slots.index(state.clock.phase) + 1 if state.clock.phase in slots else 0
    if place < len(slots):
        yield Value(slots[place]), at


def _blow(start: rolls.Blow) -> Callable[["Reader", int], Slot]:
    """Return a slot for what is said of a blow of which so much is known from the start."""

    def found(reader: "Reader", at: int) -> Slot:
        decides = next((not form.assumes for form in reader.table.form if form.name == "blow that misses"), False)
        for blow, end in rolls.blows(reader, at, start):
            for text in rolls.written(blow, rolled=bool(reader.table.rolls), decides=decides):
                yield Value(text, more={"weapon": blow.weapon} if blow.weapon else {}), end

    return found


def _loss(reader: "Reader", at: int) -> Slot:
    """Yield damage with its type: 7, 7 fire damage, 8 nonlethal."""
    for blow, end in rolls.losses(reader, at):
        nonlethal = "n" if blow.nonlethal else ""
        yield Value(f"-{blow.damage}{nonlethal} {rolls.typed_damage(blow.damage, blow.sort)}".strip()), end


def _check(reader: "Reader", at: int) -> Slot:
    yield from ((Value(rolls.check_written(check)), end) for check, end in rolls.checks(reader, at))


def _rest(reader: "Reader", at: int) -> Slot:
    if at < len(reader.words):
        yield Value(reader.line[reader.words[at].start :].strip()), len(reader.words)


def _points(reader: "Reader", at: int) -> Slot:
    """Yield a number of hit points as the change to whoever is named before it: drops to 3."""
    text = reader.text(at)
    for place in range(at):
        for found in people.one(reader.scene.state, reader.words, place, reader.lexis):
            hp = reader.scene.state.combatants[found.ids[0]].hp
            left = re.fullmatch(r"(\d{1,6})(/\d{1,6})?", text)
            if hp is not None and left and int(left[1]) != hp:
                yield Value(f"{int(left[1]) - hp:+d}"), at + 1
            return


def _fraction(reader: "Reader", at: int) -> Slot:
    """Yield hit points out of so many as the change to whoever is named before: 12/30."""
    yield from _points(reader, at) if "/" in reader.text(at) else ()


def _path(reader: "Reader", at: int) -> Slot:
    """Yield the way of whoever is named first to a square: from where they stand."""
    text = reader.text(at)
    first = next(iter(people.one(reader.scene.state, reader.words, 0, reader.lexis)), None)
    standing = getattr(reader.scene.state, "squares", {}).get(first.ids[0]) if first else None
    if re.fullmatch(r"-?\d+,-?\d+", text):
        yield Value(f"{standing[0]},{standing[1]}/{text}" if standing else text), at + 1


def _new(reader: "Reader", at: int) -> Slot:
    """Yield the name of somebody who is not there yet: up to three words."""
    if reader.words[at : at + 1] and (reader.words[at].quoted or not reader.names_somebody(at)):
        yield from _called(reader, at)


def _called(reader: "Reader", at: int) -> Slot:
    """Yield a name of up to three words, and perhaps a number."""
    end = at
    if reader.words[at : at + 1] and reader.words[at].quoted:
        yield Value(_text(reader, at, at + 1)), at + 1
        return
    while end < min(len(reader.words), at + 3) and re.fullmatch(r"[^\W\d_][\w'’.-]*", reader.words[end].text):
        known = reader.words[end].text in reader.lexis.literal or reader.is_of("kind", end) or reader.is_of("stat", end)
        if known or reader.has("class", end) or reader.has("size", end):
            break
        end += 1
    numbered = end > at and re.fullmatch(r"\d{1,3}", reader.text(end)) is not None
    for last in range(end + numbered, at, -1):
        if not any(reader.is_skipped(place) for place in range(at, last)):
            yield Value(_text(reader, at, last)), last


def _kind_name(reader: "Reader", at: int) -> Slot:
    """Yield the name of a kind whose members join: the singular of a plural, or a word as it is."""
    for value, end in _called(reader, at):
        if not value.text[-1].isdecimal():
            yield Value(people.singular_of(value.text) or value.text), end


def _those(reader: "Reader", at: int) -> Slot:
    """Yield combatants who are named, or several of a kind: no side, and not everybody."""
    state = reader.scene.state
    start = next((place for place in range(at, len(reader.words)) if reader.text(place) not in ("all", "the")), at)
    is_side = names.folded(reader.text(start)) in state.sides or reader.text(start) in ("all", "everyone", "everybody")
    single = is_side and next(people.one(state, reader.words, at, reader.lexis), None) is None
    numbered = re.match(r"\d", reader.text(start + 1)) is not None
    yield from _whom(reader, at) if not single or numbered else ()


def _group_word(reader: "Reader", at: int) -> Slot:
    """Yield a word for a side before a list of newcomers."""
    if reader.is_of("group", at):
        yield Value(reader.text(at)), at + 1


def _side_word(reader: "Reader", at: int) -> Slot:
    """Yield a side, or a word for one that is not there yet."""
    yield from [*_side(reader, at)] or _group_word(reader, at)


def _idle(reader: "Reader", at: int) -> Slot:
    """Yield a combatant who has declared and begun nothing."""
    yield from ((value, end) for value, end in _undeclared(reader, at) if value.text not in reader.scene.memory.begun)


def _saver(reader: "Reader", at: int) -> Slot:
    """Yield one combatant, or several who roll once."""
    yield from (*_one(reader, at), *_many(reader, at))


def _verb_state(reader: "Reader", at: int) -> Slot:
    """Yield the condition into which a verb puts somebody, where it is no kind of action of the game."""
    if reader.is_of("state", at) and next(_kind(reader, at), None) is None:
        yield Value(reader.lexis.meant("state", reader.text(at))), at + 1


def _harmful(reader: "Reader", at: int) -> Slot:
    """Yield the name of a spell that is known as none that heals."""
    yield from (
        (value, end) for value, end in _free(reader, at) if not reader.lexis.has("cure", reader.joined(at, end))
    )


def _danger(reader: "Reader", at: int) -> Slot:
    """Yield what somebody saves against that is neither an act of the log nor the name of a save."""
    if not (reader.has("save", at) or reader.has("act", at)):
        yield from _free(reader, at)


def _trigger(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line as what somebody waits for; an action alone is none."""
    for value, end in _rest(reader, at):
        if not re.fullmatch(r"(?i)((an|her|his|their|the) )?(action|turn)s?|(until|till) .*", value.text):
            yield value, end


def _where(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line as a place in words, with the word before it."""
    if at < len(reader.words) and reader.text(at)[:1].isalpha():
        yield Value(reader.line[reader.words[at - 1].start :].strip()), len(reader.words)


def _detail(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line with the word before it, in quotation marks."""
    if at < len(reader.words) and not reader.names_somebody(at):
        yield Value(quote(reader.line[reader.words[at - 1].start :].strip())), len(reader.words)


def _compared(reader: "Reader", at: int) -> Slot:
    """Yield a roll that is compared with a number."""
    yield from ((value, end) for value, end in _check(reader, at) if "dc=" in value.text)


def _anything(reader: "Reader", at: int) -> Slot:
    """Yield any number of words."""
    yield from ((Value(""), end) for end in range(at, len(reader.words) + 1))


def _allies(reader: "Reader", at: int) -> Slot:
    """Yield everybody of other sides than those who are named afterwards: everyone attacks the ogre."""
    state = reader.scene.state
    for group in people.several(state, reader.words, at):
        if group.ids == tuple(each.id for each in state.here()):
            later = [
                who
                for place in range(group.end, len(reader.words))
                for each in people.one(state, reader.words, place, reader.lexis)
                for who in each.ids
            ]
            sides = {state.combatants[who].side for who in later}
            ids = tuple(_person(reader, who) for who in group.ids if state.combatants[who].side not in sides)
            if ids and later:
                yield Value(",".join(ids), ids), group.end


def _cast_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action by which spells are cast."""
    yield from ((value, end) for value, end in _kind(reader, at) if reader.lexis.has("casting", value.text))


def _hurt(reader: "Reader", at: int) -> Slot:
    """Yield damage that is called so, or is of a type."""
    for value, end in _loss(reader, at):
        if reader.is_of("harm", end - 1) or reader.is_of("nonlethal", end - 1) or "parts=" in value.text:
            yield value, end


def _declarer(reader: "Reader", at: int) -> Slot:
    """Yield a side, or one combatant who has declared nothing; a side where a word can mean both."""
    sides = [*_side(reader, at)]
    yield from sides or _undeclared(reader, at)


def _stats(reader: "Reader", at: int) -> Slot:
    """Yield what a sheet says: 24 hp, ac 16, large, cleric."""
    found: dict[str, str] = {}
    place = end = at
    while place < len(reader.words):
        if more := _stat(reader, place, found):
            key, value, place = more
            found[key], end = value, place
        elif reader.is_skipped(place):
            place += 1
        else:
            break
    if found:
        yield Value(" ".join(f"{key}={value}" for key, value in found.items())), end


def _stat(reader: "Reader", at: int, found: dict[str, str]) -> tuple[str, str, int] | None:
    for key, sort in (("size", "size"), ("notes", "class")):
        for value, end in LISTS[sort](reader, at):
            return None if key in found else (key, value.text, end)
    for field in ("hp", "ac"):
        one, other = reader.text(at), reader.text(at + 1)
        if field in found:
            continue
        if reader.lexis.meant("stat", one) == field and re.fullmatch(r"\d+", other):
            return field, other, at + 2
        if reader.lexis.meant("stat", other) == field and re.fullmatch(r"\d+", one):
            return field, one, at + 2
    return None


LISTS: dict[str, Callable[["Reader", int], Slot]] = {
    "condition": _listed("condition", _is_condition),
    "spell": _listed("spell", _is_spell),
    "weapon": _listed("weapon", _is_weapon),
}
"""The slots whose words are listed in the tables of forms (`words`), and those that are known besides."""


def _sort(kind: str) -> Callable[["Reader", int], Slot]:
    return LISTS.setdefault(kind, _listed(kind))


for _each in ("size", "class", "type"):
    _sort(_each)

PEOPLE = frozenset(
    {"one", "whom", "many", "gang", "those", "allies", "anybody", "undeclared", "declarer", "saver", "idle"}
)
"""The slots for combatants."""

SLOTS: dict[str, Callable[["Reader", int], Slot]] = {
    "one": _one,
    "whom": _whom,
    "allies": _allies,
    "those": _those,
    "gang": _gang,
    "undeclared": _undeclared,
    "declarer": _declarer,
    "time": _time,
    "side-word": _side_word,
    "idle": _idle,
    "saver": _saver,
    "verb-state": _verb_state,
    "harmful": _harmful,
    "danger": _danger,
    "trigger": _trigger,
    "detail": _detail,
    "long-kind": _long_kind,
    "going": _going,
    "fraction": _fraction,
    "where": _where,
    "compared": _compared,
    "anything": _anything,
    "count": _matching(r"\d{1,3}"),
    "dice": _matching(rf"{rolls.DICE}"),
    "healing-number": _matching(rf"\+?({rolls.NUMBER}|{rolls.DICE})", lambda text: text.removeprefix("+")),
    "next-segment": _next_segment,
    "next-phase": _next_phase,
    "cast-kind": _cast_kind,
    "hurt": _hurt,
    "group-word": _group_word,
    "many": _many,
    "side": _side,
    "us": _us,
    "any-side": _any_side,
    "anybody": _anybody,
    "current": _current,
    "n": _matching(r"\d{1,6}"),
    "amount": _matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "plus": _matching(rf"\+({rolls.NUMBER}|{rolls.DICE})", lambda text: text[1:]),
    "minus": _matching(rf"-({rolls.NUMBER}|{rolls.DICE})", lambda text: text[1:]),
    "die": _matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "total": _matching(r"\d{1,6}"),
    "sum": _matching(r"\d{1,2}[+-]\d{1,3}"),
    "square": _matching(r"-?\d+,-?\d+"),
    "free": _free,
    "word": lambda reader, at: _free(reader, at, 1),
    "effect": _effect,
    "held": _held_by,
    "caster": _caster,
    "act": _act,
    "kind": _kind,
    "verb": _verb,
    "duration": _duration,
    "distance": _distance,
    "phase": _phase,
    "blow": _blow(rolls.Blow()),
    "hit": _blow(rolls.Blow(hit=True)),
    "critical": _blow(rolls.Blow(hit=True, critical=True)),
    "miss": _blow(rolls.Blow(hit=False)),
    "loss": _loss,
    "check": _check,
    "rest": _rest,
    "points": _points,
    "path": _path,
    "new": _new,
    "kind-name": _kind_name,
    "stats": _stats,
}


def read(reader: "Reader", kind: str, at: int) -> Slot:
    """Yield the ways to fill a slot of a kind from a place on; kinds without a function are lists of words."""
    yield from (SLOTS.get(kind) or _sort(kind))(reader, at)
