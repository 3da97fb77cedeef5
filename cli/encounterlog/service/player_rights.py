"""The facts that players may record, and about whom, if they may write. A game master may record everything.

`own` are the fields of a fact that may name own combatants only, of which one at least must be given. `others` are
the fields in which it may reach others, but only as what an own act did: by its `source`, or as caused by an own act
that is written with it; that is proposed to the game master, unless the option `others` of the log is `recorded`. Facts without a
row are for the game master alone.
"""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from projections.language.notation.forms import Form


class Right(Struct, frozen=True):
    """The rights of a player to facts of one type. A fact that names a `source` is that combatant's act, and so an own one;
    `contenders` name combatants inside.
    """

    says: str
    own: tuple[str, ...] = ("combatant",)
    others: tuple[str, ...] = ()


RIGHTS: Mapping[str, Right] = {
    "combatant_joined": Right("an own combatant joins, once"),
    "combatant_left": Right("an own combatant leaves"),
    "placed": Right("where an own combatant stands"),
    "moved": Right("an own combatant moves", ("combatant", "source")),
    "turn_started": Right("the turn of own combatants alone", ("combatant", "together")),
    "turn_ended": Right("the turn of an own combatant ends"),
    "initiative_rolled": Right("initiative of own combatants", ("combatant", "together", "tie_with")),
    "turn_delayed": Right("an own combatant delays"),
    "turn_resumed": Right("an own combatant resumes"),
    "action_held": Right("an own combatant holds an action"),
    "action_declared": Right("an own combatant declares", ("combatant",)),
    "action_taken": Right("an own combatant acts"),
    "action_abandoned": Right("an own combatant gives up an action"),
    "attack_rolled": Right("an own combatant attacks anybody"),
    "save_rolled": Right("an own combatant saves, also against death"),
    "dice_rolled": Right("an own combatant rolls"),
    "contest_rolled": Right("a contest with an own combatant, caused by an own act", (), ("contenders",)),
    "resource_changed": Right("what an own combatant spends or gets back"),
    "damage_dealt": Right("damage to own combatants; to others by an own act", ("source",), ("target",)),
    "healed": Right("healing of own combatants; of others by an own act", ("source",), ("target",)),
    "effect_started": Right("an effect on own combatants; on others by an own act", ("source",), ("targets",)),
    "effect_ended": Right(
        "the end of an effect on own combatants, or of their own effect; of others by an own act",
        ("source",),
        ("targets",),
    ),
    "condition_gained": Right("a condition of own combatants; of others by an own act", ("source",), ("targets",)),
    "condition_lost": Right("the end of a condition of own combatants", ("source",), ("targets",)),
}
"""The rights by types of facts."""
FOR_ALL = ("side", "sides")
"""Fields that speak for everybody on a side, which no player does."""


def may(fields: Mapping[str, Any], kind: str, own: Collection[str], *, caused: bool) -> bool:
    """Return whether a player with these combatants may record a fact; `caused` says that an own act beside it brought it about."""
    right = RIGHTS.get(kind)
    if right is None or (kind != "combatant_joined" and any(fields.get(name) for name in FOR_ALL)):
        return False
    doers, reached = named(fields, right.own), named(fields, right.others)
    if not doers <= set(own):
        return False
    brought = caused and bool(right.others or not right.own)
    return bool(doers) or brought or (bool(reached) and reached <= set(own) and bool(right.own))


def reaches(fields: Mapping[str, Any], kind: str, own: Collection[str]) -> bool:
    """Return whether a fact that a player may record does something to combatants that are not the player's, or to whom it may
    concern, as the end of an effect without targets and source.
    """
    right = RIGHTS.get(kind)
    if right is None:
        return False
    named_at_all = named(fields, (*right.own, *right.others))
    return not named(fields, right.others) <= set(own) or (bool(right.others) and not named_at_all)


QUESTIONS = frozenset({"why", "who", "help"})
"""The kinds of lines without a fact that are open to players."""


def opens(form: Form) -> bool:
    """Return whether a player may write lines of this form, if they are about own combatants."""
    if form.rest:
        return form.rest in QUESTIONS
    return all(_may_make(fact) for fact in form.makes)


def _may_make(fact: Mapping[str, Any]) -> bool:
    kind = fact["type"]
    for_sides_alone = any(name in fact for name in FOR_ALL) and "combatant" not in fact
    return kind == "noted" or (kind in RIGHTS and not for_sides_alone)


def named(fields: Mapping[str, Any], names: Collection[str]) -> frozenset[str]:
    """Return the combatants that these fields of a fact name."""
    return frozenset(who for name in names for who in _each(fields.get(name)))


def _each(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(each if isinstance(each, str) else each.combatant for each in value or ())
