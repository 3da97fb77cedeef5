"""Saying: facts as sentences of the declared language, by the shapes whose templates make them. Each is read again first."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any

import msgspec

from eventstore.events import Fact
from projections.language.compiling import FREE
from projections.language.describing import synonyms
from projections.language.lexer import tokens
from projections.language.line import Line
from projections.language.notation.line_context import ClockFact, LineContext
from projections.language.notation.parsing import Parsed
from projections.language.notation.printing import print_line
from projections.language.scene import Scene
from projections.language.sentences import read_sentence
from projections.language.table import Maybe, Node, Pattern, Shape, Slot, Words, flat_nodes
from projections.language.values import KINDS
from projections.open_types import Facts, Fields, Json

MOST_WAYS = 6
"""The most sentences for the same facts that are tried."""
MOST_HEADS = 3
"""The most ways to say a clause by one shape that are tried."""
_NAMED = ("spell", "deed", "what", "thing", "about")
"""The slots for the name of an act, or for its kind where it has no name."""
_KINDS = {"spell": ("cast", "ability"), "attack": ("attack",), "thing": ("other", "move")}
"""The kinds of act that a shape says by itself, by the slot for its name."""
_SHOWN = frozenset(("become", "toward", "tohit", "cast", "use", "dmg"))
"""The classes of words that are said where they may be left out."""
_CUES = re.compile(r"(with|for|from|by|on|at|to|until|as) ")
"""The words before which no comma stands."""


def say_facts(context: LineContext, facts: Sequence[Fact], fits: Callable[[str], bool]) -> str:
    """Return a sentence that means these facts and nothing else, and that fits, or their notation where that is one line; "" if there is none. The moves of the clock with them go without saying."""
    told = [each for each in facts if not isinstance(each, ClockFact)] or facts
    ways = ("; ".join(each) for each in _Said(Scene(context)).say_clauses(_as_plain_data(told), 0))
    for line in dict.fromkeys(islice(ways, MOST_WAYS)):
        parsed = read_sentence(context, line, lambda each: each, explained=False).meaning or Parsed()
        said = [each for each in parsed.facts if told is facts or not isinstance(each, ClockFact)]
        if said and _as_plain_data(said) == _as_plain_data(told) and fits(line):
            return line
    line, count = print_line(context, told)
    return line if count == len(told) and fits(line) else ""


def _as_plain_data(facts: Iterable[Fact]) -> Facts:
    made: Facts = msgspec.json.decode(msgspec.json.encode([*facts]))
    return [{key: value for key, value in each.items() if key != "cause"} for each in made]


class _Said:
    """The sentences of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.table = scene, scene.table
        self._shoots = False

    def say_clauses(self, facts: Facts, at: int) -> Iterator[tuple[str, ...]]:
        """Yield the clauses that say the facts from a place on."""
        if at == len(facts):
            yield ()
            return
        matched = [(shape, *found) for shape in self.table.shapes if (found := _matched(shape, facts, at))]
        ways = [(end, way) for shape, end, slots in matched for way in islice(self._clause(shape, slots), MOST_HEADS)]
        for end, first in sorted(
            ways, key=lambda each: (-each[0], '"' in each[1])
        ):  # the most facts first; in quotation marks last
            yield from ((first, *rest) for rest in self.say_clauses(facts, end))

    def _clause(self, shape: Shape, slots: Fields) -> Iterator[str]:
        """Yield the ways to say a clause: each head whose slots are filled, and what is left as adjuncts."""
        patterns = (*shape.heads, *(each for name in shape.takes for each in self.table.adjuncts[name].patterns))
        slots = _act_as_slots(
            slots, {node.name for each in patterns for node in flat_nodes(each.nodes) if isinstance(node, Slot)}
        )
        self._shoots = bool(slots.pop("manner", None))
        heads = ((head, *found) for head in shape.heads if head.nodes and (found := self._pattern(head, slots)))
        for _, text, left, _ in sorted(heads, key=lambda each: (each[3], isinstance(each[0].nodes[0], Words))):
            for greedy in (False, True):
                if (adjuncts := self._say_adjuncts(shape, left, greedy=greedy)) is not None:
                    yield text + "".join(each if _CUES.match(each[1:]) else f",{each}" for each in adjuncts)

    def _say_adjuncts(self, shape: Shape, left: Fields, *, greedy: bool) -> list[str] | None:
        """Return the adjuncts that say all that is left of the slots, each by the pattern that says the least beside its values, or the most; None if something remains."""
        found = []
        for adjunct in map(self.table.adjuncts.__getitem__, shape.takes):
            ways = [(each, way) for each in adjunct.patterns if (way := self._pattern(each, left)) and way[1] != left]
            if ways and (greedy or not min(way[2] for _, way in ways)):
                _, (said, left, _) = min(
                    ways, key=lambda each: (each[1][2], not greedy and len(each[0].says), len(each[1][1]))
                )
                found.append(f" {said}")
        return None if left else found

    def _pattern(self, pattern: Pattern, slots: Fields) -> tuple[str, Fields, int] | None:
        """Return a pattern with its slots filled, the slots that are left, and how much it says besides; None if it lacks one."""
        left = dict(slots)
        for name, value in pattern.says:
            if left.pop(name, value) != value or (value is not True and name not in slots):
                return None
        pieces = self._say_nodes(pattern.nodes, left)
        if pieces is None:
            return None
        added = {name for name, _ in pattern.says} - slots.keys()
        return re.sub(r" ('s|[,:])", r"\1", " ".join(pieces)), left, len(added)

    def _say_nodes(self, nodes: Sequence[Node], left: Fields) -> list[str] | None:
        """Return nodes as words, and take the slots that they say out of those that are left; None if one of them is not filled."""
        found: list[str] = []
        for node in nodes:
            if isinstance(node, Maybe):
                own = [each for each in flat_nodes(node.nodes) if isinstance(each, Slot)]
                if any(each.name in left for each in own) or (
                    not own and any(_SHOWN & {*each.classes} for each in node.nodes if isinstance(each, Words))
                ):
                    found += self._say_nodes(node.nodes, left) or []
            elif isinstance(node, Words):
                found.append(self._word_of_node(node))
            else:
                first, *further = self._say_value(node, left.pop(node.name, None))
                if first is None:
                    return None
                found.append(first + ("s" if node.kind == "@unit" and found[-1:] != ["1"] else ""))
                left |= {node.name: further} if further else {}
        return found

    def _word_of_node(self, node: Words) -> str:
        if node.classes:
            sort = "shoot" if self._shoots and "shoot" in node.classes else node.classes[0]
            verb = synonyms(self.table, sort)[0]
            return self.table.third.get((sort, verb), verb)
        return node.words[0]

    def _say_value(self, node: Slot, value: Json) -> list[Json]:
        """Return a value as words of its kind, and further ones that another adjunct has to say; None if it cannot be said so."""
        if not node.least and not (isinstance(value, list) and node.kind in self.table.parts):
            return [self._say_one(node.kind, value)]
        if not isinstance(value, list) or len(value) < max(1, node.least):
            return [None]
        if not node.least:
            return [self._say_one(node.kind, value[0]), *(value[1:] if node.name in self.table.several else ())]
        said = [self._say_one(node.kind, each) for each in value]
        return [None if None in said else _join_list(map(str, said))]

    def _say_one(self, kind: str, value: Json) -> str | None:
        if kind in ("person", "single"):
            who = [value] if isinstance(value, str) else value
            return self._say_people(who) if isinstance(who, list) and (kind == "person" or len(who) == 1) else None
        if kind in self.table.parts and isinstance(value, dict):
            ways = (self._pattern(each, value) for each in self.table.parts[kind])
            return next((found[0] for found in ways if found and not found[1]), None)
        if kind in ("n", "digits", "square"):
            return ",".join(map(str, value)) if isinstance(value, list) else _say_number(value)
        if isinstance(value, str):
            is_bare = kind in (*FREE, *self.table.parts) or kind[0] == "@" or self._is_known(kind, value)
            return value if is_bare else f'"{value}"'
        return None

    def _say_people(self, ids: Iterable[str]) -> str:
        people = self.scene.state.combatants
        return _join_list(people[each].name or each if each in people else each for each in ids)

    def _is_known(self, kind: str, value: str) -> bool:
        line = Line(self.scene, words := tokens(value), value)
        return bool(words) and any(end == len(words) for end, _ in KINDS[kind](line, 0))


def _join_list(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _say_number(value: Json) -> str | None:
    """Return a number; a roll as its die, with its total where it has both."""
    if isinstance(value, dict):
        die, total = value.get("die"), value.get("total")
        if die is None or total is None:
            return _say_number(total if die is None else die)
        return f"{die}+{total - die}={total}" if total >= die else f"{die}-{die - total}={total}"
    return str(value) if isinstance(value, int) else None


def _act_as_slots(slots: Fields, known: set[str]) -> Fields:
    """Return slots with what their act says in slots of its own: its name, its targets, its cost; a path as its ends."""
    found = dict(slots)
    if path := found.pop("path", None):
        found |= {"to": path[-1]} | ({"from": path[0]} if path[1:] else {})
    roll = found.get("roll")
    is_total = isinstance(roll, dict) and "die" not in roll and roll.get("total", 21) <= 20
    said: Fields = {"total": True} if is_total else {}
    action = found.pop("action", None)
    if action is None:
        return found | said
    slot = next((each for each in _NAMED if each in known), "")
    said |= {key: value for key, value in action.items() if key not in ("kind", "name", "targets")}
    is_blow = slot == "thing" and "roll" in known
    name = found.pop("name", None) if is_blow else action.get("name")
    if slot in ("deed", "about", "what"):
        name = name or action["kind"]
    elif action["kind"] not in _KINDS.get("attack" if is_blow else slot, ()):
        said["kind"] = action["kind"]
    said |= {slot: name} | ({"whom": action["targets"]} if "targets" in action else {})
    return {key: value for key, value in (found | said).items() if value is not None}


# ---------------------------------------------------------------- templates, read backwards


def _matched(shape: Shape, facts: Facts, at: int) -> tuple[int, Fields] | None:
    """Return the place behind the facts that a clause of a shape makes, and its slots; None if they are none of these."""
    slots: Fields = {}
    start = at
    for template in shape.makes:
        run = [*takewhile(bool, (_match_template(template, each) or {} for each in facts[at:]))]
        if not run or any(slots.get(name, run[0][name]) != run[0][name] for name in ("who", "whom") if name in run[0]):
            if not {"if", "unless", "for"} & template.keys():
                return None
            continue
        if name := template.get("for"):
            slots[name] = [{key: value for key, value in each.items() if key != "whom"} for each in run]
            slots |= {"whom": run[0]["whom"]} if "whom" in run[0] else {}
        elif whom := _same_targets(run) if "target" in template else []:
            slots |= run[0] | {"whom": whom}
            run = run[: len(whom)]
        else:
            slots |= run[0]
            run = run[:1]
        at += len(run)
    return (at, slots) if at > start else None


def _same_targets(run: Facts) -> list[str]:
    """Return the combatants whom the same befell, one after the other."""
    alike = takewhile(lambda each: each | {"whom": 0} == run[0] | {"whom": 0}, run)
    whom = [each["whom"][0] for each in alike if "whom" in each]
    return whom if len({*whom}) == len(whom) else whom[:1]


def _match_template(template: Mapping[str, Any], fact: Fields) -> Fields | None:
    """Return the slots of a template that a fact fills; None if it is another fact, or has more to it."""
    found: Fields = {}
    left = dict(fact)
    if "roll" in template:
        found["roll"] = {key: left.pop(key) for key in ("die", "total") if key in left}
    for key, raw in template.items():
        value = left.pop(key, None)
        if key in ("if", "unless", "for", "cause", "roll") or (key == "event" and raw != "$event"):
            continue
        if key == "type":
            if value != raw and (raw, value) != ("action_taken", "action_declared"):
                return None
            continue
        inner = _match_field(raw, value, left)
        if inner is None:
            return None
        found |= inner
    who = {name: [value] for name in ("who", "whom", "source") if isinstance(value := found.get(name), str)}
    nothing: tuple[object, ...] = ({}, None, [{"amount": None}], [{}])
    return None if left else {name: value for name, value in (found | who).items() if value not in nothing}


def _match_field(raw: object, value: Json, left: Fields) -> Fields | None:
    """Return the slots of a field of a template with a value; None if it has another one."""
    if isinstance(raw, dict):
        return _match_template(raw, value or {})
    if isinstance(raw, str) and " $" in raw:
        said = re.fullmatch(re.sub(r"\\\$(\w+)", r"(?P<\1>.+)", re.escape(raw)), str(value))
        return said and said.groupdict()
    if isinstance(raw, str) and raw.startswith("$"):
        return {raw[1:]: _points_by_kind(value, left.pop("parts", ())) if raw in ("$damage", "$minus") else value}
    return {} if value == raw else None


def _points_by_kind(amount: int, parts: Sequence[Fields]) -> Facts:
    kinds = [{"amount": each["amount"], "type": each.get("damage_type")} for each in parts] or [{"amount": amount}]
    return [{key: value for key, value in each.items() if value is not None} for each in kinds]
