"""Unjudged clauses: those whose needs, listed in the ruleset's catalogue, the facts do not meet.

A clause without the facts that it needs finds nothing, as if no rule were broken. For each clause this module counts
the facts that concern it, and those that leave it unjudged.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache

from msgspec import NODEFAULT, Struct, field
from msgspec.structs import fields

from eventstore.events import NEWEST, ActionDeclared, ActionHeld, ActionTaken, Fact, name_of
from eventstore.shapes import Action
from eventstore.wording import nearest
from projections.address import NOTHING
from projections.folds.addresses import address_index, derive_value
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.ruleset.needs import BY_RULESET, DOER, EACH, ON_SHEETS, Need, Wanted, is_path, wrong_path
from projections.ruleset.ruleset import Ruleset
from projections.sheet import entry_named
from projections.state import State
from projections.stream.causes import cause_records, causes
from projections.time import Point


class Unjudged(Struct, frozen=True):
    """A clause that some facts leave unjudged: `facts` of `of`, the paths that they lack, and the first of them.

    `says` describes these facts in words; `lacks` are the paths and types that each of them lacks.
    """

    rule: str
    says: str
    lacks: tuple[str, ...]
    facts: int
    of: int
    event: int
    line: int
    when: Point


class _Row(Struct):
    """A row of needs, with the facts that it counts and, by seq, those that lack something."""

    need: Need
    rules: tuple[str, ...]
    counted: dict[int, object] = field(default_factory=dict)
    lacking: dict[int, Occurrence[Fact]] = field(default_factory=dict)


class _Awaited(Struct, frozen=True):
    """A fact from which another should follow: its row, the combatants concerned, and its turn."""

    row: _Row
    seq: int
    who: frozenset[str]
    turn: int


class Unjudging:
    """The collector of unjudged clauses: `look` is called with each fact and the state after it."""

    def __init__(self) -> None:
        self._rows: tuple[_Row, ...] | None = None
        self._types: set[str] = set()
        self._awaited: list[_Awaited] = []

    def observe_fact(self, state: State, fact: Occurrence[Fact]) -> None:
        """Count a fact in the rows about it, and remove the facts from which it follows."""
        kind = name_of(type(fact.event))
        self._types.add(kind)
        if self._awaited:
            self._remove_causes(state, fact, kind)
        for row in self._kept_rows(state):
            if kind in row.need.facts and _matches_need(state, fact, row.need):
                self._count_fact(state, fact, row)

    def unjudged_clauses(self, state: State) -> tuple[Unjudged, ...] | None:
        """Return the unjudged clauses in the order of the catalogue; None if the catalogue lists no needs."""
        catalogue = state.rules.catalogue()
        if not catalogue.needs:
            return None
        order = {clause.id: place for place, clause in enumerate(catalogue.rule)}
        found = (one for row in self._kept_rows(state) for one in self._unjudged_of_row(state, row))
        return tuple(sorted(found, key=lambda one: order[one.rule]))

    def _kept_rows(self, state: State) -> tuple[_Row, ...]:
        if self._rows is None:
            self._rows = tuple(_rows_in_force(state))
        return self._rows

    def _count_fact(self, state: State, fact: Occurrence[Fact], row: _Row) -> None:
        need = row.need
        values = _values_at_path(state, fact, need, need.alike) if need.alike else []
        row.counted[fact.seq] = next((value for value in values if value is not None), None)
        if all(None in _values_at_path(state, fact, need, path) for path in need.lacks):
            row.lacking[fact.seq] = fact
            if need.leads_to:
                who = frozenset(_concerned_combatants(state, fact, need))
                self._awaited.append(_Awaited(row, fact.seq, who, state.clock.turn_event))

    def _remove_causes(self, state: State, fact: Occurrence[Fact], kind: str) -> None:
        """Remove the facts from which this one follows: its causes, or else those about its combatants in the turn."""
        turn, behind, who = state.clock.turn_event, cause_records(state, fact.cause), _combatants_named(fact.event)
        left: list[_Awaited] = []
        for each in self._awaited:
            by_turn = not fact.cause and each.turn == turn and not who.isdisjoint(each.who)
            if kind in each.row.need.leads_to and (each.seq in behind or by_turn):
                each.row.lacking.pop(each.seq, None)
            elif each.turn == turn or each.seq in state.moments:
                left.append(each)
        self._awaited = left

    def _unjudged_of_row(self, state: State, row: _Row) -> Iterator[Unjudged]:
        need = row.need
        if not self._types.isdisjoint(need.without):
            return
        values = [value for value in row.counted.values() if value is not None]
        counted = {seq for seq, value in row.counted.items() if not need.alike or values.count(value) > 1}
        lacking = [fact for seq, fact in row.lacking.items() if seq in counted]
        if lacking:
            first = min(lacking, key=lambda one: state.place_of(one.seq))
            lacks = (*need.lacks, *need.leads_to, *need.without)
            for rule in row.rules:
                yield Unjudged(rule, need.says, lacks, len(lacking), len(counted), first.seq, first.line, first.point)


def _rows_in_force(state: State) -> Iterator[_Row]:
    """Yield the rows that hold under a log's options, each with those of its clauses that hold."""
    catalogue = state.rules.catalogue()
    for need in catalogue.needs:
        if all(_has_value((state.option(name),), wanted) for name, wanted in need.options.items()):
            under = {rule: catalogue.holds_under(rule) for rule in need.rules}
            rules = tuple(rule for rule, one in under.items() if one is None or state.option(one[0]) == one[1])
            yield _Row(need, rules)


def _combatants_named(event: Fact) -> frozenset[str]:
    named = [getattr(event, name, None) for name in ("combatant", "source", "target")]
    contenders = (one.combatant for one in getattr(event, "contenders", ()))
    return frozenset(filter(None, (*named, *getattr(event, "targets", ()), *contenders)))


# ---------------------------------------------------------------- which facts


def _matches_need(state: State, fact: Occurrence[Fact], need: Need) -> bool:
    def holds(those: dict[str, Wanted]) -> Iterator[bool]:
        return (_has_value(_values_at_path(state, fact, need, path), wanted) for path, wanted in those.items())

    return all(holds(need.when)) and not any(holds(need.unless))


def _has_value(values: Iterable[object], wanted: Wanted) -> bool:
    """Return whether one of these values is wanted; if `wanted` is true or false, whether there is any."""
    said = [value for value in values if value not in (None, "", NOTHING, [], {}) and value is not False]
    if isinstance(wanted, bool):
        return bool(said) is wanted
    words = [str(one).casefold() for one in (wanted if isinstance(wanted, tuple) else (wanted,))]
    return any(fnmatchcase(str(value).casefold(), word) for value in said for word in words)


# ---------------------------------------------------------------- the values of a path


def _values_at_path(state: State, fact: Occurrence[Fact], need: Need, path: str) -> list[object]:
    """Return the values of a path, with None where a value on it is missing."""
    head, *rest = path.split(".")
    if head == EACH:
        return _follow_path([fact.event], rest, each=True)
    if path in ("cause", "face"):
        die = getattr(fact.event, "die", None)
        return [fact.cause or None] if path == "cause" else [None if die is None else face(die)]
    if head == "act":
        act = _act_and_doer(state, fact)
        return _follow_path([act and act[1]], rest)
    if head == "behind":
        found = next((one.event for one in _facts_behind(state, fact) if name_of(type(one.event)) == rest[0]), None)
        return _follow_path([found], rest[1:])
    if head in (*BY_RULESET, "square"):
        those = _concerned_combatants(state, fact, need)
        return [value for who in those for value in _values_of_combatant(state, fact, who, head, rest)] or [None]
    return _follow_path([fact.event], [head, *rest])


def _facts_behind(state: State, fact: Occurrence[Fact]) -> Iterator[Occurrence[Fact]]:
    yield fact
    yield from causes(state, fact.cause)


def _act_and_doer(state: State, fact: Occurrence[Fact]) -> tuple[str | None, Action] | None:
    """Return the act of a fact, itself or that from which it follows, and its doer."""
    for event in (one.event for one in _facts_behind(state, fact)):
        if isinstance(event, ActionDeclared | ActionTaken | ActionHeld) and event.action is not None:
            return event.combatant, event.action
    return None


def _concerned_combatants(state: State, fact: Occurrence[Fact], need: Need) -> tuple[str, ...]:
    found: list[object] = []
    for name in need.owners():
        act = _act_and_doer(state, fact) if name == DOER else None
        found += [act[0]] if act else _values_at_path(state, fact, need, name) if name != DOER else []
    return tuple(dict.fromkeys(who for who in found if isinstance(who, str) and who in state.combatants))


def _values_of_combatant(state: State, fact: Occurrence[Fact], who: str, head: str, rest: list[str]) -> list[object]:
    sheet = state.combatants[who].sheet
    if head == "sheet":
        return _follow_path([sheet], rest)
    if head == "square":
        return [state.rules.squares(state).get(who)]
    if head == "value":
        value = derive_value(state, ".".join((who, *rest)))
        return _as_list(value and value.value)
    act = _act_and_doer(state, fact)
    names = (getattr(fact.event, "name", None), act[1].name if act else None)
    own = entry_named(getattr(sheet, ON_SHEETS[head]) or (), *names)
    if head == "entry" and act and act[1].plain_kind == "cast":
        own = state.rules.spell(state, who, act[1].name or "") or own
    return _follow_path([own], rest)


def _follow_path(values: list[object], words: list[str], *, each: bool = False) -> list[object]:
    """Return the values at the end of these words; in a list one element with the value is enough, unless `each`."""
    for word in words:
        values = [inner for value in values for inner in _as_list(_field_of(value, word))]
    said = values if each else [value for value in values if value is not None]
    return said or [None]


def _as_list(value: object) -> list[object]:
    """Return the elements of a list, or the one value; a recorded empty list is one value."""
    return list(value) if isinstance(value, list | tuple) and value else [value]


def _field_of(value: object, word: str) -> object:
    """Return a field of a struct, or an entry of a table by its name or its first letters; None without one."""
    if isinstance(value, dict):
        return next((one for name, one in value.items() if len(name) > 2 and word.startswith(name.casefold())), None)
    if not isinstance(value, Struct):
        return None
    found = getattr(value, word, None)
    return None if found in ((), {}) and found == _default_values(type(value)).get(word) else found


@cache
def _default_values(kind: type[Struct]) -> dict[str, object]:
    made = {one.name: one.default_factory() for one in fields(kind) if one.default_factory is not NODEFAULT}
    return {one.name: one.default for one in fields(kind)} | made


# ---------------------------------------------------------------- checks of the rows of needs


def broken_paths(rules: Ruleset) -> Iterator[tuple[int, str, str]]:
    """Yield each path in a ruleset's table of needs that leads to no field and no derived value: its row from 1 on, what is wrong, a hint."""
    for row, need in enumerate(rules.catalogue().needs, 1):
        for path in (*need.paths, *need.of):
            head, *rest = path.split(".")
            if head == "value":
                known, name = address_index(rules.addresses), ".".join(rest)
                others = {each for those in known.seconds.values() for each in those}
                if name not in known.fields and all(each.parts(f"somebody.{name}") is None for each in others):
                    yield row, f"{path} is no value of a combatant", nearest(name, tuple(known.fields))
            elif head in BY_RULESET:
                words = rest if head == "sheet" else [ON_SHEETS[head], *rest]
                if not words or not is_path(rules.sheet, words):
                    hint = nearest("".join(words[:1]), rules.sheet.__struct_fields__)
                    yield row, f"{path} leads to no field of the sheet", hint
            elif path != DOER and (kind := wrong_path(need, path)):
                names = NEWEST[kind].__struct_fields__ if kind in NEWEST else ()
                yield row, f"{path} leads to no field of {kind}", nearest(path.partition(".")[0], names)
