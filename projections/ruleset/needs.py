"""The facts that clauses need to be judged: the rows `[[needs]]` of a catalogue, and whether their fields exist.

A row counts facts, and says which of them leave clauses unjudged (judging/unjudged.py). Paths lead from a fact to:

    total, parts.damage_type              a field of it, or of things in a list of it: one with a value is enough,
    each.parts.kind                       … or each must have one
    cause                                 its cause, recorded or certain
    face                                  the number that its die shows
    act, act.cost                         the action of the fact, or of the act that it follows from
    behind.attack_rolled.critical         the nearest fact of this type among its causes
    sheet.speeds, sheet.abilities.dexterity   the sheets of the combatants concerned (`of`)
    entry.level, weapon.range             the entry or weapon on that sheet that the act or roll names
    square                                the squares of these combatants
    value.concentration                   a derived value of these combatants
"""

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from eventstore.events import NEWEST
from eventstore.shapes import Action

Wanted: TypeAlias = bool | int | str | tuple[int | str, ...]
"""The condition on a value: something, nothing, this number or word (`*` for any letters), or one of several."""

DOER = "doer"
"""The word in `of` for the actor of the act from which a fact follows."""
EACH = "each"
"""The first word of a path whose value each thing in a list must have."""
ON_SHEETS = {"entry": "entries", "weapon": "weapons"}
"""The fields of sheets that hold named entries, by the first words of paths to them."""
BY_RULESET = ("sheet", *ON_SHEETS, "value")
"""The first words of paths whose rest only a ruleset knows."""
ALONE = ("face", "square", "cause")
"""The paths of one word that are no fields."""


class Need(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of fact, what it may lack, and the clauses that it then leaves unjudged.

    `facts` are types, `when` and `unless` select among them, by paths; `of` are the fields that name the combatants
    concerned. A fact leaves the clauses in `rules` unjudged if it lacks all these: each path in `lacks`, a fact of the
    types `leads_to` that follows from it, any fact of the types `without` in the log; a row without the three, always.
    `alike` counts only facts that share the value of this path with another; `options` must each have one of these values.
    `says` describes the facts in the plural.
    """

    facts: tuple[str, ...]
    rules: tuple[str, ...]
    says: str
    lacks: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    when: dict[str, Wanted] = {}
    unless: dict[str, Wanted] = {}
    alike: str = ""
    options: dict[str, str | tuple[str, ...]] = {}

    @property
    def types(self) -> tuple[str, ...]:
        """All types of facts that it names."""
        return (*self.facts, *self.leads_to, *self.without)

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths that it names."""
        return (*self.lacks, *self.when, *self.unless, *((self.alike,) if self.alike else ()))

    def owners(self) -> tuple[str, ...]:
        """Return the fields that name the combatants concerned; by default the doer, else the target."""
        fields = {name for one in self.facts for name in NEWEST[one].__struct_fields__}
        return self.of or next(((name,) for name in ("combatant", "target", "targets") if name in fields), ())


def wrong_path(need: Need, path: str) -> str:
    """Return the type of fact in which a path leads nowhere, "" if it leads somewhere; not for those in `BY_RULESET`."""
    head, *rest = path.split(".")
    if head == EACH:
        return wrong_path(need, ".".join(rest)) if rest else head
    if head == "act":
        return "" if is_path(Action, rest) else "action"
    if head == "behind":
        kind = NEWEST.get(rest[0]) if rest else None
        return "" if kind and is_path(kind, rest[1:]) else "behind"
    if head in ALONE and not rest:
        head = "die" if head == "face" else ""
    return next((one for one in need.facts if head and not is_path(NEWEST[one], [head, *rest])), "")


def is_path(kind: object, words: list[str]) -> bool:
    """Say whether these words lead from a type to a field, through lists, tables and unions."""
    if not words:
        return True
    for each in _inner_types(kind):
        if get_origin(each) is dict and is_path(get_args(each)[1], words[1:]):
            return True
        if isinstance(each, type) and issubclass(each, Struct) and words[0] in each.__struct_fields__:
            return is_path(get_type_hints(each, include_extras=True)[words[0]], words[1:])
    return False


def _inner_types(kind: object) -> Iterator[object]:
    """Yield the types that a type is made of, as far as fields are concerned."""
    if get_origin(kind) in (Union, UnionType, tuple, list, Annotated):
        for each in get_args(kind):
            yield from _inner_types(each)
    else:
        yield kind
