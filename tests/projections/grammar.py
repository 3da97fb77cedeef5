"""What the tests of grammar share with others."""

from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from eventstore.events import EncounterOpened, Fact
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from projections.rulesets import find

PARTY = (
    "join Mira party hp=9 weapon=dagger",
    "join Brand party hp=14 weapon=sword",
    "join Ogre foes hp=20 weapon=club",
    "join goblin foes hp=5 weapon=spear",
)


def table(key: str = "osric", *lines: str, options: dict[str, str] | None = None) -> Table:
    rules, chosen = find(key), options or {}
    opening = EncounterOpened(format=1, encounter="x", title="x", ruleset=key, revision=rules.revision, options=chosen)
    made = Table(make_records([opening], 1))
    for line in lines:
        made.hear(line)
    return made


def said(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the facts of a line, without those by which the clock moved."""
    parsed = at.tell(line)
    return [msgspec.json.decode(msgspec.json.encode(fact)) for fact in parsed.facts[parsed.moved :]]


def fight(key: str = "osric") -> Table:
    sheets = PARTY if key != "definition-master" else tuple(line.partition(" weapon")[0] for line in PARTY)
    return table(key, *sheets)


def told(at: Table, line: str) -> list[str]:
    return [msgspec.json.encode(fact).decode() for fact in at.hear(line).facts]


def refusal(at: Table, line: str) -> tuple[int, str]:
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    return caught.value.column, f"{caught.value.why}; {caught.value.hint}"


WORDS = st.sampled_from(
    [*"rdeuxicabgt", "o", "m", "p5", "f3", "b+4", "14", "-6", "+4", "-6n", "+4t", "hit", "miss", "is", "prone", "not", "for", "10r", "@4", "^", "^2",
     "all", "foes", "join", "goblin*3", "[1]", '{"a":1}', '-{"a":1}', '[["m"]]', "“x”", "−3", "-", "b,m", "hits", "moves", "attacks", "6;", "all,m", "zed",
     "hp=9", "rule", "tie", "check", "o.hp=3", "?", "?m", "why", '"', "“", "{", "[", "🎲", "_", "=", "²", "٤", "\u202e", "\0", "a" * 70, "d20", "d20+5",
     "2d6kh1:1,2", "d8:5+1", "saves", "death", "phase", "seg", "holds", "until", "goes", "0,0/1,0", "15ft", "effect", "by", "on", "ends", "pool",
     "surprise", "secret", "note", "amend", "insert", "3", "strike", "override", "place", "3,4", "contest", "o/str:4", "b:5,=7", "parts=a/b:d6:4", ".reason=x",
     "web", "cast", "allows_save=will/x", "allows_save=will/²"]
)  # fmt: skip
LINES = st.one_of(st.lists(WORDS, max_size=8).map(" ".join), st.text(max_size=30))


def answer(at: Table, line: str) -> tuple[tuple[Fact, ...], NotUnderstood | None]:
    try:
        return at.tell(line).facts, None
    except NotUnderstood as error:
        return (), error
