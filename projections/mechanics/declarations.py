"""Declarations: what people say that they will do in a round, what of it binds, and what was withdrawn or said too late.

The last word counts while there is time to declare. After that what binds stands, and another declaration stands beside
it; where nothing binds, the late one takes its place.
"""

from collections.abc import Callable

from msgspec import Struct, structs

from eventstore.shapes import Action
from projections.mechanics.work import same


class Declared(Struct, frozen=True, gc=False):
    """A declaration: by which record, of what; `withdrawn` is the record that took it back, or 0.

    `beside` are actions of a binding sort that the same person declared too late.
    """

    seq: int
    action: Action
    withdrawn: int = 0
    beside: tuple[Action, ...] = ()


Declarations = dict[str, Declared]
"""The declarations of a round, by who made them."""
Binds = Callable[[Action], bool]
"""Says whether a declared action has to be done."""


def called(action: Action) -> str:
    """Return what an action is called: its name, or else its kind."""
    return action.name or action.kind


def declare(said: Declarations, who: str, action: Action, seq: int, binds: Binds, *, late: bool) -> None:
    """Keep a declaration; a late one takes the place of what does not bind, and stands beside what does."""
    before = binding(said, who, binds)
    if before is None or not late:
        said[who] = Declared(seq, action)
    elif binds(action):
        said[who] = structs.replace(before, beside=(*before.beside, action))


def binding(said: Declarations, who: str, binds: Binds) -> Declared | None:
    """Return the declaration that binds somebody, withdrawn or not; None where it made none of that sort."""
    declared = said.get(who)
    return declared if declared and binds(declared.action) else None


def named(declared: Declared | None, name: str | None) -> Action | None:
    """Return the action of this name (None: any) as it was declared, in time or late."""
    actions = (declared.action, *declared.beside) if declared else ()
    return next((action for action in actions if same(name, called(action))), None)


def withdraw(said: Declarations, who: str, name: str | None, seq: int, *, late: bool) -> Declared | None:
    """Take back a declaration of this name (None: any) and return it; in time, it is as if it had not been made."""
    declared = said.get(who)
    if declared is None or not same(name, called(declared.action)):
        return None
    if not late:
        return said.pop(who)
    said[who] = structs.replace(declared, withdrawn=seq)
    return said[who]


def fits(declared: Declared | None, action: Action) -> bool:
    """Say whether an act is what was declared, and not withdrawn: of its kind and, where both have one, its name."""
    if declared is None or declared.withdrawn or declared.action.kind != action.kind:
        return False
    return declared.action.name is None or same(action.name, declared.action.name)
