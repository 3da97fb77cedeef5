"""python -m tests.projections.grammar.mutated [--lines N] [--seed N]: lines mutated at random, told against fights of every game.

Whatever is typed, a line is told or refused, with lines that will do; and what it records has no name and no number that
neither the line nor the log determines.
"""

import argparse
import random
from collections.abc import Iterator
from typing import Any

from projections.grammar import forms
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.reader import frames
from projections.reader.honesty import unfounded
from projections.rulesets import RULESETS, find
from tests.projections.grammar.test_phrases import scenes, typed


def seeds(key: str) -> list[str]:
    """Return the lines that are mutated: the examples of all forms and frames of a game, and lines as people type them in it."""
    of_forms = (form.example for form in forms.of(find(key).rules).form)
    return [*of_forms, *(frame.example for frame in frames.table()), *typed(key)]


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
