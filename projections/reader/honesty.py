"""Honesty: a record of a line has no name and no number that neither the line nor the log determines.

The tests hold the reader to this, with lines mutated at random. At the table it is the check of a model's suggestion,
which has to meet more: everything that its notation spells out must be in the line, and only what it leaves out may
come from the log.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from eventstore.events import Amended, CombatantJoined, ConditionGained, Fact, name_of
from projections.folds.moves import next_up
from projections.grammar import forms, names
from projections.grammar.line_context import ClockFact, kinds, weapon_of, weapons
from projections.grammar.names import kind_of
from projections.grammar.parsing import Parsed
from projections.grammar.tokens import is_slip
from projections.open_types import Json
from projections.reader.initiative import OURS, THEIRS
from projections.reader.lexicon import lexicon
from projections.reader.scene import Scene
from projections.reader.tags import Item, tagged
from projections.reader.tokens import tokens

if TYPE_CHECKING:
    from projections.grammar.table import Table

REFERENCES = frozenset({"cause", "event", "trigger", "after", "confirms", "parent"})
GIVEN = frozenset({"type", "ruling", "kind", "cost", "unit", "notation", "decision", "reason", "text", "to"})
"""Fields whose words come from the grammar itself, or quote the line."""
STANDS_FOR = {
    "fall": "down",
    "status_down": "down",
    "die": "dead",
    "kill": "dead",
    "hide": "stealth hidden",
    "react": "reaction",
    "rise": "prone",
    "shoot": "shot",
    "concentration": "concentration",
    "concentrate": "concentration",
    "class": "spell slot",
    "revive": "revival revives",
}
"""The words that a fact has for words of a kind."""
SHORT_WORD = 5
"""The letters of a word that is too short to be taken for another one with a slip."""
PEOPLE = frozenset({"combatant", "target", "source", "targets", "combatants", "surprised", "sides", "side", "together"})
Leaf = str | int | float | None
"""A value in a fact that has no parts."""
SKIPPED = REFERENCES | {"type", "faces", "dropped"}


# ---------------------------------------------------------------- the values in a fact


def leaves(value: Json, key: str = "") -> Iterator[tuple[str, Leaf]]:
    """Yield the values in a fact, each with its field."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, key if key in ("sheet", "values") else name)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, key)
    else:
        yield key, value


def of(parsed: Parsed) -> list[tuple[str, Leaf]]:
    """Return the values that a line itself makes, without those of the clock, which may move within a line as well."""
    several = parsed.form == "reader"  # each of those who act in it may move the clock
    own = [fact for fact in parsed.facts[parsed.moved :] if not (several and isinstance(fact, ClockFact))]
    facts = json.loads(msgspec.json.encode(own))
    return [leaf for fact in facts for leaf in leaves(fact) if leaf[0] not in SKIPPED]


# ---------------------------------------------------------------- the values that the line and the log determine


class Known:
    """The names and numbers that a line and the log before it determine."""

    def __init__(self, at: "Table", line: str) -> None:
        self.state, self.memory, self.line = at.done.state, at.memory, names.folded(line.casefold())
        self.pieces = [names.folded(piece) for piece in re.split(r"[^\w'-]+|'s\b|'(?!\w)", line.casefold()) if piece]
        table = forms.of(self.state.rules.rules)
        means = [pair for sort in table.means.values() for pair in sort.items()]
        meant = {to for word, to in means if names.folded(word) in self.line}
        meant |= {to for word, to in means if word in meant}
        made = [str(value) for form in table.form for fact in form.makes for _, value in leaves(fact)]
        given = " ".join([*made, *self._by_lexicon()])
        self.words = names.folded(f"{self.line} {' '.join(meant)} {' '.join(table.kinds.values())} {given}")
        # a sheet may take its weapons from a reference document
        held = [weapon for one in self.state.combatants.values() for weapon in weapons(one)]
        told = [str(each) for record in at.records for each in _said(record.event)]
        self.log = names.folded(" ".join([*told, *held, *self._saves()]))
        digits = [int(each) for each in re.findall(r"\d{1,18}", f"{line} {' '.join(meant)}")]
        digits += [n for item in tokens(line) if item.number for n in (item.number.value, *item.number.faces)]
        self.numbers = {*digits, *self._counted(digits), *(int(each) for each in re.findall(r"\d+", self.log))}

    def _saves(self) -> Iterator[str]:
        """Yield the saves that the game allows against the spells of the last acts."""
        for act in self.memory.acts:
            spell = self.state.rules.spell(self.state, act.who, act.name) if act.name else None
            allowed = spell.allows_save if spell is not None else None
            yield str(allowed.get("save") if isinstance(allowed, dict) else getattr(allowed, "save", ""))

    def _counted(self, digits: list[int]) -> Iterator[int]:
        """Yield numbers that follow from these: sums, hit points after a loss, the next round, segment and number of a kind."""
        clock = self.state.clock
        yield from (0, 1, clock.round, clock.round + 1, clock.point.segment + 1)
        points = [most or 0 for one in self.state.combatants.values() for most in (one.hp, one.hp_max)]
        yield from (abs(hp - each) for hp in points for below in digits for each in (below, -below))
        yield from (one + other for one in digits for other in digits)
        for each in digits:
            yield from range(1, min(each, 100) + 3)

    def names_person(self, who: str) -> bool:
        """Say whether a combatant, or a side, is named in the line, or is the only one possible by the log."""
        one = self.state.combatants.get(who)
        if who == "party" and not self.state.sides:
            return True  # who joins first, and says nothing of a side, is of the party
        pieces = {*self.pieces, *(part.strip("0123456789") for piece in self.pieces for part in piece.split("-"))} - {
            ""
        }
        groups = {who, *((one.side, f"{re.sub(r'-[0-9]+$', '', who)}s") if one else ())}
        groups |= {"pcs", "heroes", "players"} if one and one.side == "party" else set()
        if any(group.startswith(piece.rstrip("*")) for group in groups for piece in pieces):
            return True
        found = {each for piece in (*self.pieces, *pieces) for each in names.combatants(self.state, piece)}
        slips = one is not None and any(is_slip(piece, who) for piece in self.pieces if len(piece) > 2)
        if slips or who in found or who in self._due() or self._is_the_other_side(who):
            return True
        if who in {self.state.combatants[each].side for each in found}:
            return True
        named = (each for each in self.state.effects.values() if names.folded(each.called) in self.line)
        works = {**self.memory.declared, **self.memory.begun}
        acting = (by for by, one in works.items() if one.name and names.folded(one.name.casefold()) in self.line)
        if who in {*(each.source for each in named), *acting}:
            return True  # drops web
        return bool({"all", "everyone", "everybody"} & pieces)

    def _is_the_other_side(self, who: str) -> bool:
        """Say whether this is one of the two sides of the fight, and the line names the other one."""
        sides = {one.side for one in self.state.here()}
        return who in sides and len(sides) == 2 and not sides.isdisjoint({*self.pieces} - {who})

    def _due(self) -> set[str]:
        declared = [
            who for action in (*self.memory.declared.values(), *self.memory.begun.values()) for who in action.targets
        ]
        sides = {
            one.side: [each.id for each in self.state.here() if each.side == one.side] for one in self.state.here()
        }
        alone = [members[0] for members in sides.values() if len(members) == 1]
        return {self.state.clock.turn, next_up(self.state) or "", *self.memory.aimed.values(), *declared, *alone}

    def _by_lexicon(self) -> set[str]:
        """Return the meanings of the line's words: wrestles is a grapple, conc concentration, who collapses is down."""
        words = lexicon(self.state.rules.rules)
        senses = [sense for piece in self.pieces for sense in words.senses(piece)]
        short = {"level spell slot"} if any(re.fullmatch(r"lv?\d+", piece) for piece in self.pieces) else set()  # l1
        return (
            {sense.value for sense in senses}
            | short
            | {STANDS_FOR[each.kind] for each in senses if each.kind in STANDS_FOR}
        )

    def says(self, word: str) -> bool:
        """Say whether the words of a value stand in the line, perhaps with one slip, or in the log."""
        folded = names.folded(word.casefold())
        parts = [part for part in re.split(r"[^\w']+", folded) if part]
        return all(part in self.words or part in self.log or self._slips(part) for part in parts)

    def _slips(self, word: str) -> bool:
        """Say whether a long word of the line is this one with a slip."""
        return any(len(piece) > SHORT_WORD and is_slip(piece, word) for piece in self.pieces)


def _said(fact: Fact | None) -> Iterator[Leaf]:
    yield from (value for _, value in leaves(json.loads(msgspec.json.encode(fact))))


def unfounded(at: "Table", line: str, parsed: Parsed) -> list[tuple[str, Leaf]]:
    """Return the values in a line's facts that neither the line nor the log determines."""
    known = Known(at, line)
    before = [*_amended(at, parsed)]
    found = [leaf for leaf in of(parsed) if leaf not in before]
    return [(key, value) for key, value in found if not _is_founded(known, parsed, key, value)]


def _amended(at: "Table", parsed: Parsed) -> Iterator[tuple[str, Leaf]]:
    """Yield the values of the records that a line amends, which remain as they are."""
    for fact in parsed.facts:
        if isinstance(fact, Amended):
            yield from leaves(json.loads(msgspec.json.encode(at.records[fact.event - 1].event)))


def _is_founded(known: Known, parsed: Parsed, key: str, value: Leaf) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return abs(value) in known.numbers
    if key == "side" and not {*OURS, *THEIRS}.isdisjoint(known.pieces):
        return value in {each.side for each in known.state.combatants.values()}  # us 5, them 2
    if key == "side" and value == "foes" and any(isinstance(fact, CombatantJoined) for fact in parsed.facts):
        return True  # creatures that come
    if key == "condition" and value == "unconscious" and known.says("asleep"):
        return True
    if key in PEOPLE:
        joins = any(type(fact).__name__ == "CombatantJoined" for fact in parsed.facts)
        return known.names_person(value) or (joins and known.says(kind_of(value)))
    if key == "phase" and {"next", "n"} & {*known.pieces}:
        return value in known.state.rules.schedule.phases(known.state)
    if key == "condition" and value in _by_spells(known, parsed):
        return True
    if key == "values" and value in (*known.state.rules.statuses, "none"):
        return True  # the status that words for being down, dead or up again mean
    named = re.sub(r" \d+$", "", value) if key == "name" else value  # several of a kind are counted
    named = named.partition(":")[2] if key == "sheet" and re.match(r"20\d\d:", named) else named  # of an edition
    return key in GIVEN or known.says(named) or value in ("dice", "bonus")


def _by_spells(known: Known, parsed: Parsed) -> set[str]:
    """Return the conditions that the game adds to a line by its knowledge of the spells in it: a failed save against hold person paralyzes."""
    bare = tuple(fact for fact in parsed.facts if not isinstance(fact, ConditionGained))
    completed = known.state.rules.completed(known.state, bare)
    return {fact.condition for facts in completed for fact in facts if isinstance(fact, ConditionGained)}


# ---------------------------------------------------------------- the notation that a model suggests for a line

BY_GRAMMAR = GIVEN - {"decision", "reason", "text"}
"""Fields whose words come from the grammar itself, for every author of a line."""
NO_DEEDS = frozenset({"noted", "ruling_made", "struck", "amended", "inserted"})
"""Facts that report nothing that happens at the table now."""
_BEYOND = re.compile(r"[=@^{}\[\]\"“”„«»]|(?<!\S)[.#]|^\s*secret\b")
"""The signs of an option, a remark, a quotation, JSON or a secret."""
_PART, _WORD = re.compile(r"[\s,:+()*/]+"), re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’-][^\W\d_]+)*")


def may_suggest(notation: str) -> bool:
    """Say whether a line of the notation is a plain one: without options, and no remark or JSON; a sheet has options, too."""
    return not _BEYOND.search(notation)


def is_honest(at: "Table", line: str, notation: str, parsed: Parsed) -> bool:
    """Say whether a line of the notation can be the meaning of a line of people: its names and numbers are in that line, or follow from the log.

    It reports deeds of the present: no remarks, no decisions of the game master, no corrections.
    """
    if not may_suggest(notation) or not parsed.facts or parsed.rest or parsed.thrown or parsed.secret:
        return False
    if any(name_of(type(fact)) in NO_DEEDS for fact in parsed.facts):
        return False
    told = Told(at, line)
    return told.says_typed(notation, parsed) and told.names_people(parsed) and not unfounded(at, line, parsed)


class Told:
    """The content of a line of people itself: its names, its numbers and its words, as the reader takes them."""

    def __init__(self, at: "Table", line: str) -> None:
        self.state, self.memory, self.scene = at.done.state, at.memory, Scene(at.context)
        self.table = forms.of(self.state.rules.rules)
        items = tagged(self.scene, lexicon(self.state.rules.rules), tokens(line))
        self.people = [item.who for item in items if item.who]
        self.numbers = sum((_numbers(item) for item in items if not item.who), Counter[int]())
        senses = (sense.value for item in items for sense in item.senses)
        self.words = {*self._with_meanings(line), *(word for each in senses for word in _words(each))}

    def says_typed(self, notation: str, parsed: Parsed) -> bool:
        """Say whether the line contains everything typed in a notation, each number as often, except for the fixed
        words of its form; what the notation leaves out is not looked at.
        """
        form = next((each for each in self.table.form if each.name == parsed.form), None)
        parts = [part for part in _PART.split(notation) if not (part[:1].isalpha() and self._is_somebody(part))]
        numbers = Counter(int(each) for part in parts for each in re.findall(r"\d{1,18}", part))
        if form is None or numbers - self.numbers:
            return False
        own = {word for pattern in form.patterns for word in _words(pattern)}
        told = self.words | self._in_hand(parsed)
        known = {*told, *own, *self.table.kinds, *kinds(self.state)}
        said = [word for part in parts for each in _WORD.findall(part) for word in (names.folded(each),)]
        typed = self._with_meanings(notation)
        values = (str(value) for key, value in of(parsed) if key not in BY_GRAMMAR | PEOPLE)
        return all(word in known or self._is_somebody(word) for word in said) and all(
            word in told or word not in typed for value in values for word in _words(value)
        )

    def _in_hand(self, parsed: Parsed) -> set[str]:
        """Return the words of the weapons that the actors strike with by default."""
        acting = {value for key, value in of(parsed) if key == "combatant" and value in self.state.combatants}
        held = (weapon_of(self.scene.context, who) for who in acting)
        return {word for weapon in held if weapon for word in _words(weapon)}

    def names_people(self, parsed: Parsed) -> bool:
        """Say whether the people of the facts are those whom the line names, if it names any, or who follow from the
        log besides, and new ones are named.
        """
        found = [(key, value) for key, value in of(parsed) if key in PEOPLE and isinstance(value, str)]
        whom = {value for _, value in found}
        named = {who for people in self.people for who in (*people.ids, *people.options, people.side) if who}
        named |= {who for letter in self.words if _is_initial(letter) for who in names.combatants(self.state, letter)}
        sides = {self.state.combatants[who].side for who in named if who in self.state.combatants}
        due = self._due({value for key, value in found if key in ("combatant", "source")})
        if named and named.isdisjoint(whom):
            return False
        new = whom - named - sides - due
        return all(who not in self.state.combatants and {*_words(kind_of(who))} <= self.words for who in new)

    def _due(self, acting: set[str]) -> set[str]:
        """Return the combatants who are up, or next, and the targets of those who act, by what they did or declared
        last, or as the only ones possible.
        """
        declared = (self.memory.declared.get(who) or self.memory.begun.get(who) for who in acting)
        at = [self.memory.aimed.get(who, "") for who in acting]
        at += [who for action in declared if action for who in action.targets]
        for actor in (self.state.combatants.get(who) for who in acting):
            against = [one.id for one in self.scene.here if actor and one.side != actor.side]
            at += against if len(against) == 1 else []
        return {self.scene.turn or next_up(self.state) or "", *at}

    def _is_somebody(self, word: str) -> bool:
        return bool(names.combatants(self.state, word) or names.is_group(self.state, word))

    def _with_meanings(self, text: str) -> set[str]:
        """Return the words of a text, with their meanings in this game."""
        folded = " ".join(["", *re.split(r"[^\w-]+", text.casefold()), ""])
        means = (to for sort in self.table.means.values() for word, to in sort.items() if f" {word} " in folded)
        return {*_words(text), *(word for to in means for word in _words(to))}


def _is_initial(word: str) -> bool:
    """Say whether a word is a letter that is no word of its own."""
    return len(word) == 1 and word not in ("a", "i")


def _words(text: str) -> list[str]:
    """Return the words of a text as they are compared; a word with a hyphen also in its parts."""
    found = [names.folded(each) for each in _WORD.findall(text.replace("_", " "))]
    return [*found, *(part for each in found if "-" in each for part in each.split("-"))]


def _numbers(item: Item) -> Counter[int]:
    """Return the numbers in a number, a roll, a square or a range, each as often as it stands there."""
    one = item.number
    rolled = {abs(one.value), *one.faces, *one.pair, *([one.die] if one.die is not None else [])} if one else set()
    dice = (int(each) for each in re.findall(r"\d+", one.notation if one else ""))
    return Counter(rolled) | Counter(map(abs, item.values)) | Counter(dice)
