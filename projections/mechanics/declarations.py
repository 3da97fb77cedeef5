"""Declarations: the actions announced for a round, whether they are binding, withdrawn or too late.

While there is time to declare, the last declaration counts. After that a binding one remains, and late ones are kept, too; one
that is not binding is replaced by a late one.
"""

from collections.abc import Callable

from msgspec import Struct, structs

from eventstore.shapes import Action
from projections.mechanics.acts import name_or_kind
from projections.mechanics.work import is_same


class Declared(Struct, frozen=True, gc=False):
    """A declaration of an action."""

    seq: int
    action: Action
    withdrawn: int = 0
    """The record that took it back, or 0."""
    beside: tuple[Action, ...] = ()
    """The actions of a binding kind that the same combatant declared too late."""


Declarations = dict[str, Declared]
"""The declarations of a round, by combatant."""
Binds = Callable[[Action], bool]
"""The function that says whether a declared action is binding."""


def declare(said: Declarations, who: str, action: Action, seq: int, binds: Binds, *, late: bool) -> None:
    """Store a declaration; a late one replaces one that is not binding, and is added to one that is."""
    before = binding_declaration(said, who, binds)
    if before is None or not late:
        said[who] = Declared(seq, action)
    elif binds(action):
        said[who] = structs.replace(before, beside=(*before.beside, action))


def binding_declaration(said: Declarations, who: str, binds: Binds) -> Declared | None:
    """Return a combatant's binding declaration, withdrawn or not; None if there is none."""
    declared = said.get(who)
    return declared if declared and binds(declared.action) else None


def declared_action(declared: Declared | None, name: str | None) -> Action | None:
    """Return the declared action of this name (None: any), in time or late."""
    actions = (declared.action, *declared.beside) if declared else ()
    return next((action for action in actions if is_same(name, name_or_kind(action))), None)


def withdraw(said: Declarations, who: str, name: str | None, seq: int, *, late: bool) -> Declared | None:
    """Withdraw a declaration of this name (None: any) and return it; one withdrawn in time is removed."""
    declared = said.get(who)
    if declared is None or not is_same(name, name_or_kind(declared.action)):
        return None
    if not late:
        return said.pop(who)
    said[who] = structs.replace(declared, withdrawn=seq)
    return said[who]
