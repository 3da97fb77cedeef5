"""Slots of phrases for what a combatant does: kinds of actions in any of their forms, and verbs."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from eventstore.shapes import Action
from projections.address import NOTHING
from projections.folds.addresses import derived
from projections.grammar import line_context
from projections.grammar.line_context import declared_by, is_in_hand, kinds, weapon_of, weapons
from projections.grammar.phrases import tense
from projections.grammar.phrases.listed import of_list, text_of
from projections.grammar.phrases.values import Fill, Slot, Value
from projections.grammar.tokens import is_slip, word

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


def _kind(reader: "Reader", at: int) -> Slot:
    """Yield the kind of action that a word is, in any of its forms: attacks, casting, charge."""
    for end in (at + 2, at + 1):
        text = "-".join(reader.text(place) for place in range(at, end))
        if text and (kind := kind_called(reader, text)):
            weapon = _weapon_of_verb(reader, text)
            yield Value(kind, more={"weapon": weapon} if weapon else {}), end
            return


def _weapon_of_verb(reader: "Reader", verb: str) -> str:
    """Return the weapon that a verb says, such as bites, or that it needs in the place of the one of before, which is none for it; "" where it says nothing."""
    means = reader.lexis.means
    if natural := means.get("verb-weapon", {}).get(verb):
        return _natural(reader, natural)
    reach = next((each for each in FITS if verb in means.get(each, {})), "")
    actor = reader.context.state.combatants.get(reader.actor())
    usual = weapon_of(reader.context, actor.id) if actor and reach else None
    if actor is None or usual is None or (is_in_hand(reader.table, usual) and FITS[reach](reader, usual)):
        return ""
    return next((word(each) for each in weapons(actor) if FITS[reach](reader, each)), means[reach][verb])


def _is_missile(reader: "Reader", weapon: str) -> bool:
    """Say whether a weapon is known to shoot."""
    return any(reader.lexis.has("missile", each) for each in weapon.casefold().split())


def _is_shot(reader: "Reader", weapon: str) -> bool:
    """Say whether a weapon may be shot: one that shoots, or that is not known."""
    parts = weapon.casefold().split()
    known = any(reader.lexis.has("weapon", each) for each in (weapon.casefold(), *parts))
    return not known or _is_missile(reader, weapon)


def _ammunition(reader: "Reader", at: int) -> Slot:
    """Yield what an arrow was shot with: the weapon in hand if it shoots, else one of the sheet that does, else its own name."""
    if reader.is_of("ammunition", at):
        actor = reader.context.state.combatants.get(reader.actor())
        own = [weapon_of(reader.context, actor.id), *weapons(actor)] if actor else []
        yield Value(word(next((each for each in own if each and _is_missile(reader, each)), reader.text(at)))), at + 1


FITS: dict[str, Callable[["Reader", str], bool]] = {
    "melee-verb": lambda reader, weapon: not _is_missile(reader, weapon),
    "shot-verb": _is_shot,
    "thrown-verb": lambda reader, weapon: not _is_missile(reader, weapon) or "dart" in weapon.casefold(),
}
"""Whether a weapon may be the one of a blow, by the list of its verb."""


def _natural(reader: "Reader", weapon: str) -> str:
    """Return the weapon that a verb such as bites stands for, by the name that the sheet of the actor has for it."""
    actor = reader.context.state.combatants.get(reader.actor())
    own = weapons(actor) if actor else []
    return next((each for each in own if each.casefold().startswith(weapon.removesuffix("s"))), weapon)


def kind_called(reader: "Reader", text: str) -> str:
    """Return the kind of action that a word is, "" if none."""
    forms = (
        reader.lexis.meant("kind", text),
        text.removesuffix("s"),
        text.removesuffix("es"),
        f"{text.removesuffix('ies')}y",
        text.removesuffix("ing"),
        text.removesuffix("ing") + "e",
    )
    known = kinds(reader.context.state)
    return next((each for each in forms if each in known), "")


def _suffered(reader: "Reader", at: int) -> Slot:
    """Yield the kind of blow whose verb tells what befalls the one before it: was stabbed, shot by."""
    text = reader.text(at)
    kind = "attack" if reader.is_of("hit", at) else kind_called(reader, reader.present(text))
    if kind in reader.table.rolls.split() or kind == "attack":
        yield Value(kind), at + 1


def _contested_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action of the game in which both sides roll."""
    yield from ((value, end) for value, end in _kind(reader, at) if reader.lexis.has("contested", value.text))


def _contested_word(reader: "Reader", at: int) -> Slot:
    """Yield an act in which both sides roll, and that is no kind of action of the game."""
    if next(_kind(reader, at), None) is None:
        yield from of_list("contested")(reader, at)


def _going(reader: "Reader", at: int) -> Slot:
    """Yield a word for leaving the fight that is no kind of action of the game."""
    is_kind = next(_kind(reader, at), None) is not None
    yield from ((value, end) for value, end in of_list("left")(reader, at) if end > at + 1 or not is_kind)


def _long_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action of two words."""
    yield from ((value, end) for value, end in _kind(reader, at) if end == at + 2)


def _verb(reader: "Reader", at: int) -> Slot:
    """Yield a verb in the third person, or in the past, that is no other word of the phrases, and no slip of one for healing; whom it is at shows what it means."""
    text = reader.text(at)
    is_kind = next(_kind(reader, at), None) is not None
    heals = any(is_slip(text, each) for each in reader.lexis.sorts.get("healing", ()))
    known = reader.lexis.knows(text) or is_kind or heals
    told = re.fullmatch(r"[a-z]{3,}(s|ed)", text) and not tense.is_suffered(reader, at)
    if told and not (known or reader.names_combatant(at)):
        yield Value(text), at + 1


def _cast_kind(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action by which spells are cast."""
    yield from ((value, end) for value, end in _kind(reader, at) if reader.lexis.has("casting", value.text))


def _deed(reader: "Reader", at: int) -> Slot:
    """Yield a word for what a combatant does that is no kind of action of the game."""
    if next(_kind(reader, at), None) is None:
        yield from of_list("deed")(reader, at)


def _handling(reader: "Reader", at: int) -> Slot:
    """Yield a kind of action that is done with a thing: drink, use-item."""
    yield from ((value, end) for value, end in _kind(reader, at) if reader.lexis.has("handling", value.text))


def _verb_state(reader: "Reader", at: int) -> Slot:
    """Yield the condition into which a verb puts a combatant, where it is no kind of action of the game."""
    if reader.is_of("state", at) and next(_kind(reader, at), None) is None:
        yield Value(reader.lexis.meant("state", reader.text(at))), at + 1


def _doing(reader: "Reader", at: int) -> Slot:
    """Yield what a combatant does with a verb that is no kind of action of the game, and with words that are no names: opens the door."""
    end = at + 1
    is_kind = any(next(_kind(reader, place), None) is not None for place in (at, reader.past(at + 1)))
    if not reader.is_of("doing", at) or is_kind:
        return
    while (
        end < min(len(reader.words), at + MOST_WORDS)
        and reader.text(end)[:1].isalpha()
        and not reader.names_combatant(end)
        and not _goes_on(reader, end)
    ):
        end += 1
    last = next(place for place in range(end, at, -1) if not reader.is_skipped(place - 1))
    yield Value(text_of(reader, at, last), is_name=True), end


def _goes_on(reader: "Reader", at: int) -> bool:
    """Say whether another act begins behind the word at a place: `and` or `then`, and a verb."""
    verb = reader.text(at + 1)
    is_verb = reader.is_of("doing", at + 1) or verb in reader.lexis.literal or bool(kind_called(reader, verb))
    return reader.text(at) in ("and", "then") and is_verb


MOST_WORDS = 6
"""The most words of what a combatant does."""


def _first(reader: "Reader") -> str:
    """Return the combatant named first, "" if nobody is."""
    found = reader.one(0)
    return found.ids[0] if found else ""


def _whose_turn(reader: "Reader") -> str:
    """Return whose turn it is, "" if it is nobody's."""
    return reader.context.state.clock.turn or ""


def _declared_blow(reader: "Reader", at: int) -> Slot:
    """Yield the kind of blow that the combatant named first declared, with its one target; else an attack, which the line need not say."""
    who = _first(reader)
    declared = declared_by(reader.context, who) if who else None
    is_blow = declared is not None and declared.kind in reader.table.rolls.split() and len(declared.targets) == 1
    yield Value(declared.kind, more={"target": declared.targets[0]}) if declared and is_blow else Value("attack"), at


def _declared_at_one(reader: "Reader", at: int) -> Slot:
    """Yield the kind of blow that the combatant named first declared at one target."""
    yield from ((value, end) for value, end in _declared_blow(reader, at) if value.more)


def _threat(who_of: Callable[["Reader"], str]) -> Fill:
    """Return a slot for the last attack roll of the combatant meant, with its target, which the line need not say."""

    def found(reader: "Reader", at: int) -> Slot:
        who, memory = who_of(reader), reader.context.memory
        if who in memory.rolls:
            yield Value(str(memory.rolls[who]), more={"target": memory.aimed[who]}), at

    return found


def _work(reader: "Reader", at: int) -> Slot:
    """Yield the spell that the combatant named first declared or began, by its name."""
    who = _first(reader)
    begun = (reader.context.memory.begun.get(who) or declared_by(reader.context, who)) if who else None
    for end in range(min(len(reader.words), at + 4), at, -1):
        if begun and begun.name and reader.joined(at, end) == begun.name.casefold():
            yield Value(text_of(reader, at, end), is_name=True), end


def _declared_at_named(reader: "Reader") -> Action | None:
    """Return what the combatant named first has declared, if it is a cure, or at a combatant whom the line names, too."""
    who = _first(reader)
    declared = declared_by(reader.context, who) if who else None
    if declared is None:
        return None
    is_cure = reader.lexis.has("cure", (declared.name or "").casefold())
    return declared if is_cure or {*reader.named()} & {*declared.targets} else None


def _declared_work(reader: "Reader", at: int) -> Slot:
    """Yield the spell that the combatant named first has declared as healing, or at those whom the line names, which it need not say."""
    declared = _declared_at_named(reader)
    if declared and declared.name and reader.lexis.has("casting", declared.kind):
        yield Value(word(declared.name), is_name=True), at


def _declared_deed(reader: "Reader", at: int) -> Slot:
    """Yield what else the combatant named first has declared, as healing or at those whom the line names, that is no blow."""
    declared = _declared_at_named(reader)
    if declared and declared.kind not in reader.table.rolls.split() and not reader.lexis.has("casting", declared.kind):
        yield Value(f"{declared.kind} {word(declared.name) if declared.name else ''}".strip()), at


def _remark(reader: "Reader", at: int) -> Slot:
    """Yield the option that a word of the game stands for, such as cost=bonus."""
    if reader.is_of("remark", at):
        yield Value(reader.lexis.meant("remark", reader.text(at))), at + 1


def _reacting(reader: "Reader", at: int) -> Slot:
    """Yield what an act costs by which the combatant named first reacts: held for what was held ready."""
    who = reader.actor()
    found = derived(reader.context.state, f"{who}.held") if who else None
    yield Value("reaction" if found is None or found.value in (None, NOTHING) else "held"), at


def _readied(reader: "Reader", at: int) -> Slot:
    """Yield what the combatant named first holds ready, with its target, which the line need not say, but may by its name or kind."""
    memory, who = reader.context.memory, _first(reader)
    held = memory.held.get(who) if who else None
    if held is None:
        return
    said = " ".join((held.kind, *((word(held.name),) if held.name else ())))
    value = Value(said, more={"target": ",".join(held.targets)} if held.targets else {})
    yield value, at
    called = {held.kind, (held.name or held.kind).casefold()}
    yield from (
        (value, end) for end in range(at + 1, min(len(reader.words), at + 4) + 1) if reader.joined(at, end) in called
    )


def _given_up(reader: "Reader", at: int) -> Slot:
    """Yield what the combatant named first declared or began and may give up, by its name or its kind, which the line need not say."""
    who = _first(reader)
    work = (line_context.unfinished(reader.context, who) or declared_by(reader.context, who)) if who else None
    if work:
        yield Value(word(work.name or work.kind), is_name=True), at


def _casting(reader: "Reader", at: int) -> Slot:
    """Yield the spell that the combatant named first declared or casts, which the line need not say."""
    who = _first(reader)
    begun = (reader.context.memory.begun.get(who) or declared_by(reader.context, who)) if who else None
    if begun and reader.lexis.has("casting", begun.kind):
        yield Value(word(begun.name or begun.kind), is_name=True), at


SLOTS: dict[str, Fill] = {
    "ammunition": _ammunition,
    "threat": _threat(_first),
    "threat-of-turn": _threat(_whose_turn),
    "casting": _casting,
    "given-up": _given_up,
    "readied": _readied,
    "reacting": _reacting,
    "remark": _remark,
    "doing": _doing,
    "declared-blow": _declared_blow,
    "declared-at-one": _declared_at_one,
    "declared-work": _declared_work,
    "declared-deed": _declared_deed,
    "work": _work,
    "verb-state": _verb_state,
    "deed": _deed,
    "handling": _handling,
    "long-kind": _long_kind,
    "contested-kind": _contested_kind,
    "contested-word": _contested_word,
    "going": _going,
    "cast-kind": _cast_kind,
    "kind": _kind,
    "suffered": _suffered,
    "verb": _verb,
}
"""The functions for the slots of this module, by the names of their kinds."""
