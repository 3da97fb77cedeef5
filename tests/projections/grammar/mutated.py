"""python -m tests.projections.grammar.mutated [--lines N] [--seed N]: lines mutated at random, told against fights of every game.

Whatever is typed, a line is told or refused, with lines that will do; and what it records has no name and no number that
neither the line nor the log determines.
"""

import argparse
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from eventstore.events import Amended
from projections.folds.moves import next_up
from projections.grammar import forms, names
from projections.grammar.line_context import weapons
from projections.grammar.parsing import Parsed
from projections.grammar.secrecy import ClockFact
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS, find
from tests.projections.grammar.test_phrases import scenes

REFERENCES = frozenset({"cause", "event", "trigger", "after", "confirms", "parent"})
GIVEN = frozenset({"type", "ruling", "kind", "cost", "unit", "notation", "decision", "reason", "text", "to"})
"""Fields whose words the grammar gives itself, or which quote the line."""
PEOPLE = frozenset({"combatant", "target", "source", "targets", "combatants", "surprised", "sides", "side", "together"})
SKIPPED = REFERENCES | {"type", "faces", "dropped"}


def seeds(key: str) -> list[str]:
    """Return the lines that are mutated: the examples of all forms and phrases of a game."""
    table = forms.of(find(key).rules)
    return [*(form.example for form in table.form), *(phrase.example for phrase in table.phrase)]


def mutated(chance: random.Random, lines: list[str], people: list[str]) -> str:
    """Return a line with a few changes: words left out, doubled, exchanged or taken from another line, letters, numbers."""
    words = chance.choice(lines).split()
    for _ in range(chance.randint(0, 3)):
        place = chance.randrange(len(words) + 1)
        here = words[place : place + 1]
        other = chance.choice(chance.choice(lines).split())
        changed = chance.choice(
            [
                [],
                [*here, *here],
                [other],
                [*here, other],
                [str(chance.randint(0, 30))],
                [chance.choice(people)],
                [_misspelt(chance, each) for each in here],
                [chance.choice([",", ":", "-", "+3", "-4", "and", "the", "?", "(", '"', "=", "2d6", "all", "x3"])],
            ]
        )
        words[place : place + 1] = changed
        words = words or ["b"]
    return " ".join(words)


def _misspelt(chance: random.Random, word: str) -> str:
    place = chance.randrange(max(1, len(word)))
    return word[:place] + chance.choice(["", word[:1] * 2, chance.choice("abcxyz1é:,")]) + word[place + 1 :]


# ---------------------------------------------------------------- what a fact says


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values in a fact, each with the field that it stands in."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, key if key in ("sheet", "values") else name)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, key)
    else:
        yield key, value


def of(parsed: Parsed) -> list[tuple[str, Any]]:
    """Return the values that a line makes by itself, apart from the clock, which may move within a line as well."""
    several = len(parsed.said) > 1  # each of these may move the clock
    own = [fact for fact in parsed.facts[parsed.moved :] if not (several and isinstance(fact, ClockFact))]
    facts = json.loads(msgspec.json.encode(own))
    return [leaf for fact in facts for leaf in leaves(fact) if leaf[0] not in SKIPPED]


# ---------------------------------------------------------------- what the line and the log determine


class Known:
    """The names and numbers that a line and the log before it determine."""

    def __init__(self, at: Table, line: str) -> None:
        self.state, self.memory, self.line = at.done.state, at.memory, names.folded(line.casefold())
        self.pieces = [names.folded(piece) for piece in re.split(r"[^\w'-]+|'s\b", line.casefold()) if piece]
        table = forms.of(self.state.rules.rules)
        means = [pair for sort in table.means.values() for pair in sort.items()]
        meant = {to for word, to in means if names.folded(word) in self.line}
        meant |= {to for word, to in means if word in meant}
        made = [str(value) for form in table.form for fact in form.makes for _, value in leaves(fact)]
        given = " ".join([*made, *(line for phrase in table.phrase for line in phrase.lines)])
        self.words = names.folded(f"{self.line} {' '.join(meant)} {' '.join(table.kinds.values())} {given}")
        # a sheet may take its weapons from a reference document
        held = [weapon for one in self.state.combatants.values() for weapon in weapons(one)]
        told = [str(each) for record in at.records for each in _said(record.event)]
        self.log = names.folded(" ".join([*told, *held]))
        digits = [int(each) for each in re.findall(r"\d{1,18}", f"{line} {' '.join(meant)}")]
        self.numbers = {*digits, *self._counted(digits), *(int(each) for each in re.findall(r"\d+", self.log))}

    def _counted(self, digits: list[int]) -> Iterator[int]:
        """Yield numbers that follow: sums, hit points lost down to so many, the next round, segment and number of a kind."""
        clock = self.state.clock
        yield from (0, 1, clock.round, clock.round + 1, clock.point.segment + 1)
        points = [most or 0 for one in self.state.combatants.values() for most in (one.hp, one.hp_max)]
        yield from (abs(hp - each) for hp in points for below in digits for each in (below, -below))
        yield from (one + other for one in digits for other in digits)
        for each in digits:
            yield from range(1, min(each, 100) + 3)

    def names_person(self, who: str) -> bool:
        """Say whether somebody, or a side, is named in the line, or is whoever the log says that it must be."""
        one = self.state.combatants.get(who)
        pieces = {*self.pieces, *(part.strip("0123456789") for piece in self.pieces for part in piece.split("-"))} - {
            ""
        }
        groups = {who, *((one.side, f"{re.sub(r'-[0-9]+$', '', who)}s") if one else ())}
        if any(group.startswith(piece.rstrip("*")) for group in groups for piece in pieces):
            return True
        found = {each for piece in (*self.pieces, *pieces) for each in names.combatants(self.state, piece)}
        if who in found or who in self._due() or self._is_the_other_side(who):
            return True
        if who in {self.state.combatants[each].side for each in found}:
            return True
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

    def says(self, word: str) -> bool:
        """Say whether the words of a value stand in the line or the log."""
        folded = names.folded(word.casefold())
        return all(part in self.words or part in self.log for part in re.split(r"[^\w']+", folded) if part)


def _said(fact: Any) -> Iterator[Any]:
    yield from (value for _, value in leaves(json.loads(msgspec.json.encode(fact))))


def unfounded(at: Table, line: str, parsed: Parsed) -> list[tuple[str, Any]]:
    """Return the values of a line's facts that neither the line nor the log determines."""
    known = Known(at, line)
    before = [*_amended(at, parsed)]
    found = [leaf for leaf in of(parsed) if leaf not in before]
    return [(key, value) for key, value in found if not _is_founded(known, parsed, key, value)]


def _amended(at: Table, parsed: Parsed) -> Iterator[tuple[str, Any]]:
    """Yield the values of the records that a line amends, which stay as they are."""
    for fact in parsed.facts:
        if isinstance(fact, Amended):
            yield from leaves(json.loads(msgspec.json.encode(at.records[fact.event - 1].event)))


def _is_founded(known: Known, parsed: Parsed, key: str, value: Any) -> bool:
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return abs(value) in known.numbers
    if key in PEOPLE:
        joins = any(type(fact).__name__ == "CombatantJoined" for fact in parsed.facts)
        return known.names_person(value) or (joins and known.says(re.sub(r"-\d+$", "", value)))
    if key == "phase" and {"next", "n"} & {*known.pieces}:
        return value in known.state.rules.schedule.phases(known.state)
    named = re.sub(r" \d+$", "", value) if key == "name" else value  # several of a kind are counted
    return key in GIVEN or known.says(named) or value in ("dice", "bonus")


# ---------------------------------------------------------------- the search


def search(lines: int, seed: int) -> Iterator[tuple[str, str, Any]]:
    """Yield the game, the line and what is wrong with it, for mutated lines that break the law."""
    chance = random.Random(seed)
    tables = {key: scenes(key) for key in RULESETS}
    texts = {key: seeds(key) for key in RULESETS}
    for _ in range(lines):
        key = chance.choice(RULESETS)
        at = chance.choice(tables[key])
        line = mutated(chance, texts[key], [*at.done.state.combatants, "g", "b", "the ogre", "foes"])
        try:
            found = unfounded(at, line, at.tell(line))
        except NotUnderstood as error:
            found = (
                [("offers", each) for each in error.offers if not _is_told(at, each)]
                if len(error.offers) < 4
                else [("offers", "more than three")]
            )
        except Exception as error:  # noqa: BLE001 – any other is the fault that is looked for
            found = [(type(error).__name__, str(error))]
        if found:
            yield key, line, found


def _is_told(at: Table, line: str) -> bool:
    try:
        at.tell(line)
    except NotUnderstood:
        return False
    return True


def main() -> None:
    """Print the lines that break the law, and how many were tried."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = 0
    for key, line, wrong in search(given.lines, given.seed):
        found += 1
        print(f"{key}: {line!r}: {wrong}")  # noqa: T201 – its output
    print(f"{given.lines} lines, {found} wrong")  # noqa: T201 – its output


if __name__ == "__main__":
    main()
