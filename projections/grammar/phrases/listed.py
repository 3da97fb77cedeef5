"""Slots of phrases for words of the tables of forms, for what the log or a sheet names, and for words of no list."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from projections.folds.addresses import derived
from projections.grammar import line_context
from projections.grammar.names import near
from projections.grammar.phrases.values import Fill, Slot, Value
from projections.grammar.tokens import unbar, word
from projections.judging.known_words import known

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


def text_of(reader: "Reader", at: int, end: int) -> str:
    """Return the words between two places as one word of the forms."""
    typed = reader.typed(at, end)
    return word(typed if reader.words[at].quoted else unbar(typed))


def _free(reader: "Reader", at: int, most: int = 4) -> Slot:
    """Yield words of no list, which are nobody's name and no number: the longest first."""
    if at < len(reader.words) and reader.words[at].quoted and not reader.names_combatant(at):
        yield Value(text_of(reader, at, at + 1), is_name=True), at + 1
        return
    if reader.joined(at - 1, at + 1) == "casting time":
        return  # it says how long something takes
    spells = [*LISTS["spell"](reader, at)]
    yield from spells
    begins = reader.is_of("spell-verb", at) and _is_free(reader, at + 1)
    if spells or reader.is_of("kind", at) or (reader.text(at) in reader.lexis.literal and not begins):
        return
    end = at
    while end < min(len(reader.words), at + most) and _is_free(reader, end):
        end += 1
    for last in range(end, at, -1):
        if not (reader.is_skipped(at) or reader.is_skipped(last - 1)):
            yield Value(text_of(reader, at, last), is_name=True), last


def _is_free(reader: "Reader", at: int) -> bool:
    here = reader.words[min(at, len(reader.words) - 1)]
    return (
        at < len(reader.words)
        and not here.quoted
        and re.match(r"[^\W\d_]", here.text) is not None
        and not reader.names_combatant(at)
    )


def _listed(sort: str, more: Callable[["Reader", str], bool] = lambda _reader, _words: False) -> Fill:
    """Return a slot for the words of a list, of up to three words each, and of what else counts as one of them."""

    def found(reader: "Reader", at: int) -> Slot:
        for end in range(min(len(reader.words), at + 3), at, -1):
            text = reader.joined(at, end)
            if reader.lexis.has(sort, text) or more(reader, text):
                meant = reader.lexis.meant(sort, text)
                yield Value(text_of(reader, at, end) if meant == text else word(meant), is_name=True), end
                return

    return found


def is_condition(reader: "Reader", text: str) -> bool:
    """Say whether a word is a condition of the game, or one that somebody is in."""
    state = reader.context.state
    borne = {effect.name.casefold() for effect in state.conditions.values()}
    return text in borne or (text in known(state.rules.rules).conditions and text != "surprised")


def _is_spell(reader: "Reader", text: str) -> bool:
    state = reader.context.state
    running = {effect.name.casefold() for effect in state.effects.values()}
    return text in running or (text in reader.context.memory.spells and not _is_weapon(reader, text))


def _is_weapon(reader: "Reader", text: str) -> bool:
    state = reader.context.state
    used = {name.casefold() for name in reader.context.memory.used.values() if name}
    return text in used or any(
        text in map(str.casefold, line_context.weapons(one)) for one in state.combatants.values()
    )


def _status_called(reader: "Reader", text: str) -> str:
    """Return the status of the game that a word means, other than up; "" if none, or if a condition is called so, too."""
    state = reader.context.state
    meant = reader.lexis.meant("status", text)
    is_status = meant in state.rules.statuses and meant != "up" and text not in known(state.rules.rules).conditions
    return meant if is_status else ""


def _status(*, present: bool) -> Fill:
    """Return a slot for a status of the game that is no condition, such as down: the present one of those named first, or another."""

    def found(reader: "Reader", at: int) -> Slot:
        status, state = _status_called(reader, reader.text(at)), reader.context.state
        are = [state.combatants[who].status == status for who in _first_named(reader)]
        if status and (present is (are != [] and all(are))):
            yield Value(status), at + 1

    return found


def _first_named(reader: "Reader") -> tuple[str, ...]:
    """Return those whom a line names first, as many as it names there."""
    first = next(iter(reader.people(0)), None)
    return first.ids if first else ()


def _ruled(reader: "Reader", at: int) -> Slot:
    """Yield the status that those named first have by a ruling, by a word for it."""
    text = reader.text(at)
    meant = "dead" if reader.is_of("dead", at) else _status_called(reader, text)
    yield from ((value, at + 1) for value, _ in _ruled_alone(reader, at) if value.text == meant)


def _ruled_alone(reader: "Reader", at: int) -> Slot:
    """Yield the status other than up that those named first have by a ruling, which the line need not say."""
    ruled = [reader.context.state.ruled.get(f"{who}.status") for who in _first_named(reader)]
    values = {each.value if each else "up" for each in ruled}
    if len(values) == 1 and values != {"up"}:
        yield Value(values.pop()), at


def _fallen(sort: str, *, present: bool) -> Fill:
    """Return a slot for the status that a verb of a list means: that which those named first have already, or another."""

    def found(reader: "Reader", at: int) -> Slot:
        are = {reader.context.state.combatants[who].status for who in _first_named(reader)}
        has_fallen = len(are) == 1 and "up" not in are
        if reader.is_of(sort, at) and has_fallen is present:
            status = are.pop() if present else _status_called(reader, reader.lexis.meant(sort, reader.text(at)))
            yield from ((Value(status), at + 1),) if status else ()

    return found


def _condition(reader: "Reader", at: int) -> Slot:
    """Yield a condition, spelt as that of a combatant who has it; a status of the game, such as dying, is no condition."""
    borne = {effect.name.casefold() for effect in reader.context.state.conditions.values()}
    for value, end in _named_condition(reader, at):
        text = reader.joined(at, end)
        is_death = reader.lexis.has("dead", text) and text not in borne
        if not is_death and not _status_called(reader, text):
            yield (Value(text_of(reader, at, end), is_name=True) if text in borne else value), end


_named_condition = _listed("condition", is_condition)
LISTS: dict[str, Fill] = {
    "condition": _condition,
    "spell": _listed("spell", _is_spell),
    "weapon": _listed("weapon", _is_weapon),
}
"""The slots whose words are listed in the tables of forms (`words`), and those that are known besides."""


def of_list(kind: str) -> Fill:
    """Return the slot for the words of a list of the tables of forms."""
    return LISTS.setdefault(kind, _listed(kind))


for _each in ("size", "class", "type"):
    of_list(_each)


def _effect(reader: "Reader", at: int) -> Slot:
    """Yield an effect that is running, by its name."""
    running = {effect.name.casefold() for effect in reader.context.state.effects.values()}
    for end in range(min(len(reader.words), at + 4), at, -1):
        if reader.joined(at, end) in running:
            yield Value(text_of(reader, at, end)), end


def _held_by(reader: "Reader", at: int) -> Slot:
    """Yield the effects on which the combatant named first concentrates; nothing of the line says them."""
    for effect in reader.context.state.effects.values():
        if effect.source and effect.source == next(reader.named(), None) and effect.concentration:
            yield Value(word(effect.name)), at


def _kept_up(reader: "Reader", at: int) -> Slot:
    """Yield the effects on which the combatant named first concentrates, by their names, which the line need not say."""
    for value, _ in _held_by(reader, at):
        yield value, at
        name = value.text.casefold().replace("_", " ")
        yield from ((value, end) for end in range(at + 1, at + 5) if reader.joined(at, end) == name)


def _borne(sort: str) -> Fill:
    """Return a slot for the conditions of a list that the combatant named first is in; nothing of the line says them."""

    def found(reader: "Reader", at: int) -> Slot:
        first = next(iter(reader.people(0)), None)
        borne = [(each.name, each.bearer) for each in reader.context.state.conditions.values()]
        for name in dict.fromkeys(name for name, _ in borne):
            if first and reader.lexis.has(sort, name.casefold()) and all((name, who) in borne for who in first.ids):
                yield Value(word(name)), at

    return found


def _tie(*names: str) -> Fill:
    """Return a slot for the bonds, or for those of these names, in which who acts may hold the combatant named last; nothing of the line says them."""

    def found(reader: "Reader", at: int) -> Slot:
        named = dict.fromkeys(reader.named())
        first, last = next(iter(named), ""), next(reversed(named), "")
        known = {each.name: each.source for each in reader.context.state.conditions.values() if each.bearer == last}
        borne = derived(reader.context.state, f"{last}.conditions") if last != first else None
        for name in borne.value if borne else ():
            is_bond = name.casefold() in names or (not names and reader.lexis.has("bond", name.casefold()))
            if is_bond and (known.get(name) or first) == first:
                yield Value(word(name)), at

    return found


def _veil(reader: "Reader", at: int) -> Slot:
    """Yield hidden if all whom the line names are that; nothing of the line says it."""
    hidden = {each.bearer for each in reader.context.state.conditions.values() if each.name.casefold() == "hidden"}
    if (those := {*reader.named()}) and those <= hidden:
        yield Value("hidden"), at


def _cast_by(reader: "Reader", name: str = "") -> Value | None:
    """Return the spell, of this name if one is given, that the combatant named first cast last and that does not run yet, with its act and targets."""
    context, state = reader.context, reader.context.state
    begun = context.memory.begun.get(reader.actor())
    if begun is None or not begun.name or not reader.lexis.has("casting", begun.kind):
        return None
    spell = begun.name.casefold()
    runs = any(each.name.casefold() == spell for each in state.effects.values())
    if runs or name not in ("", spell):
        return None
    act = next((str(one.seq) for one in reversed(context.memory.acts) if one.name == spell and one.is_act), "")
    return Value(word(begun.name), is_name=True, more={"act": act, "at": ",".join(begun.targets)})


def _cast_alone(reader: "Reader", at: int) -> Slot:
    """Yield the spell that the combatant named first cast last, by its name."""
    for end in range(min(len(reader.words), at + 4), at, -1):
        if spell := _cast_by(reader, reader.joined(at, end)):
            yield spell, end


def _cast_last(reader: "Reader", at: int) -> Slot:
    """Yield the spell that the combatant named first, else the one whose turn it is, cast last, which the line need not name."""
    if spell := _cast_by(reader):
        yield spell, at


def _cast_of_turn(reader: "Reader", at: int) -> Slot:
    """Yield the record of the last spell that the combatant named first, else the one whose turn it is, cast in this turn, "" if there is none."""
    who, casts = reader.actor(), [each for each in reader.context.memory.acts if reader.lexis.has("casting", each.kind)]
    yield Value(next((str(each.seq) for each in reversed(casts) if each.who == who), "")), at


def _new_spell(reader: "Reader", at: int) -> Slot:
    """Yield a spell that does not run."""
    running = {effect.name.casefold() for effect in reader.context.state.effects.values()}
    yield from ((value, end) for value, end in LISTS["spell"](reader, at) if reader.joined(at, end) not in running)


def _entry(reader: "Reader", at: int) -> Slot:
    """Yield what the sheet of the combatant named first has, else of the combatant whose turn it is: a spell, a feature, an item."""
    one = reader.context.state.combatants.get(reader.actor())
    for end in range(min(len(reader.words), at + 4), at, -1):
        if one and line_context.entry_of(one, reader.joined(at, end).replace("_", " ")):
            yield Value(text_of(reader, at, end), is_name=True), end
            return


def _act(reader: "Reader", at: int) -> Slot:
    """Yield the record of the one act or effect of the turn that has a name, and was at those whom the line names."""
    for end in range(min(len(reader.words), at + 4), at, -1):
        if deed := _deed_called(reader, reader.joined(at, end)):
            yield Value(str(deed.seq)), end


def _act_of(reader: "Reader", at: int) -> Slot:
    """Yield the record of the one such act of the combatant who is named last before it, as in the ogre's fireball."""
    *those, actor = reader.named()
    for end in range(min(len(reader.words), at + 4), at, -1):
        deed = _deed_called(reader, reader.joined(at, end), {*those})
        if deed and deed.who == actor:
            yield Value(str(deed.seq)), end


def _deed_called(reader: "Reader", name: str, at: set[str] | None = None) -> line_context.Deed | None:
    """Return the one act or effect of this name at these combatants, otherwise at all whom the line names, None if there
    is none, or several may be meant.
    """
    those = {*reader.named()} if at is None else at
    own = [
        one for one in reader.context.memory.acts if one.name == name and (not one.targets or those <= {*one.targets})
    ]
    return own[0] if len(own) == 1 else None


def _of_deed(names: Fill, *, acts_alone: bool) -> Fill:
    """Return a slot for these names, each with the record of the act (or effect) of the turn that it is, if that is certain."""

    def found(reader: "Reader", at: int) -> Slot:
        for value, end in names(reader, at):
            deed = _deed_called(reader, reader.joined(at, end))
            is_known = deed is not None and (deed.is_act or not acts_alone)
            yield Value(value.text, is_name=True, more={"act": str(deed.seq)} if deed and is_known else {}), end

    return found


def _no_cure(names: Fill) -> Fill:
    """Return a slot for these names without those that are known as healing."""

    def found(reader: "Reader", at: int) -> Slot:
        yield from (
            (value, end) for value, end in names(reader, at) if not reader.lexis.has("cure", reader.joined(at, end))
        )

    return found


def _danger(reader: "Reader", at: int) -> Slot:
    """Yield what a combatant saves against that is neither an act of the log nor the name of a save."""
    if not (reader.has("save", at) or reader.has("act", at)):
        yield from _free(reader, at)


def _thing(reader: "Reader", at: int) -> Slot:
    """Yield the name of a thing, of up to five words: potion of cure light wounds."""
    end = at
    while end < min(len(reader.words), at + 5) and _is_free(reader, end):
        end += 1
    if end > at and not reader.is_skipped(at):
        yield Value(text_of(reader, at, end), is_name=True), end


def _used(reader: "Reader", at: int) -> Slot:
    """Yield what is used as an action of some cost, or as a bonus action: the words before as."""
    end = next((place for place in range(at, len(reader.words)) if reader.text(place) == "as"), at)
    if end > at and not reader.is_skipped(at) and all(_is_free(reader, place) for place in range(at, end)):
        yield Value(text_of(reader, at, end), is_name=True), end


def origin(reader: "Reader", at: int) -> Slot:
    """Yield the name of a thing from which points come, like nobody's name, and whose it is if that is said: the trap, the ogre's club."""
    owner = reader.one(at)
    if owner and reader.text(owner.end) != "'s":
        return
    at = owner.end + 1 if owner else at
    if not near(reader.context.state, reader.text(at), loosely=True):
        more = {"source": owner.ids[0]} if owner else {}
        is_quoted = at < len(reader.words) and reader.words[at].quoted
        named = ((Value(text_of(reader, at, at + 1)), at + 1),) if is_quoted else _thing(reader, at)
        yield from ((Value(value.text, more=more), end) for value, end in named)


def _save_word(reader: "Reader", at: int) -> Slot:
    """Yield what a combatant saves against that is no act of the log, also if a save is called so: poison."""
    if at < len(reader.words) and _is_free(reader, at) and not reader.has("act", at):
        yield Value(text_of(reader, at, at + 1)), at + 1


def _plain_save(reader: "Reader", at: int) -> Slot:
    """Yield the name of a save that needs no such word behind it, since it is no type of damage: con."""
    yield from ((value, end) for value, end in of_list("save")(reader, at) if not reader.has("type", at))


def _handed(reader: "Reader", at: int) -> Slot:
    """Yield the thing that is handed over, its words joined as a part of what a combatant does: healing_potion."""
    for _, end in _thing(reader, at):
        last = next(place for place in range(end, at, -1) if place == at + 1 or not reader.is_skipped(place - 1))
        yield Value(reader.joined(at, last).replace(" ", "_")), last


SLOTS: dict[str, Fill] = {
    "handed": _handed,
    "save-word": _save_word,
    "plain-save": _plain_save,
    "thing": _thing,
    "origin": origin,
    "used": _used,
    "harmful": _no_cure(_free),
    "danger": _danger,
    "free": _free,
    "word": lambda reader, at: _free(reader, at, 1),
    "status": _status(present=False),
    "present": _status(present=True),
    "ruled": _ruled,
    "ruled-alone": _ruled_alone,
    "fallen": _fallen("fallen", present=False),
    "has-fallen": _fallen("fallen", present=True),
    "dropped": _fallen("dropped", present=False),
    "has-dropped": _fallen("dropped", present=True),
    "bond": _borne("bond"),
    "tie": _tie(),
    "grip": _tie("grappled"),
    "slumber": _borne("slumber"),
    "veil": _veil,
    "cast-alone": _cast_alone,
    "cast-last": _cast_last,
    "cast-of-turn": _cast_of_turn,
    "new-spell": _new_spell,
    "effect": _effect,
    "held": _held_by,
    "kept-up": _kept_up,
    "act": _act,
    "act-of": _act_of,
    "entry": _entry,
    "known-spell": _no_cure(_of_deed(LISTS["spell"], acts_alone=False)),
    "cast-spell": _no_cure(_of_deed(LISTS["spell"], acts_alone=True)),
    "cast-name": _of_deed(_free, acts_alone=True),
}
"""The functions for the slots of this module, by the names of their kinds."""
