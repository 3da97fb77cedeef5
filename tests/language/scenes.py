"""Scenes in which sentences are read: logs in memory, made of lines."""

from collections.abc import Sequence
from functools import cache

import msgspec

from eventstore.events import EncounterOpened
from projections.language import sentences
from projections.language.notation.parsing import Parsed
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.language.sentences import Reading
from projections.open_types import Facts
from projections.rulesets import find

PEOPLE = (
    "join Ana party hp=30 ac=15",
    "join Bo party hp=40 ac=12",
    "join Mira party hp=20 ac=11",
    "join orc*3 foes hp=15 ac=13",
    "join ogre foes hp=40 ac=11",
)
ROUND = ("i ana=17 bo=12 mira=11 orc-1=9 orc-2=8 orc-3=7 ogre=5", "r", "t ana")
SCENES: dict[str, tuple[str, tuple[str, ...]]] = {
    "empty": ("plain", ()),
    "lineup": ("plain", PEOPLE),
    "fight": ("plain", (*PEOPLE, *ROUND)),
    "hurt": ("plain", (*PEOPLE, *ROUND, "mira -5", "bo -8", "bo is stunned", "orc-1 is prone", "bo is unconscious", "mira cast bless bo", "effect bless by mira on bo concentration=yes", "orc-2 ana 14 7")),
    "taught": ("plain", (*PEOPLE, *ROUND, "gronks means attacks")),
    "felled": ("plain", (*PEOPLE, *ROUND, "ana -31")),
    "5e": ("5e", (*(line.replace("join orc*3 foes hp=15", "join orc*3 foes hp=15 creature=monster") for line in PEOPLE), *ROUND)),
    "osric": ("osric", PEOPLE),
    "declaring": ("osric", (*PEOPLE, "surprised", "r")),
    "segments": ("osric", (*PEOPLE, "surprised", "r", "d mira cast web 2 orc-1", "p5 f3")),
}  # fmt: skip
"""The rulesets and the lines of the scenes, by their names."""


def table(key: str, lines: Sequence[str]) -> Table:
    """Return a table after these lines."""
    rules = find(key)
    opening = EncounterOpened(format=1, encounter="x", title="x", ruleset=key, revision=rules.revision, options={})
    made = Table(make_records([opening], 1))
    for line in lines:
        made.hear(line)
    return made


@cache
def scene(name: str) -> Table:
    """Return the table of a scene; nothing is told there."""
    return table(*SCENES[name])


def read(at: Table, line: str) -> Reading:
    """Return the reading of a line as a sentence, whatever it is as notation."""
    return sentences.read_sentence(at.context, line, at._split_turns)


def meaning(at: Table, line: str) -> Facts | None:
    """Return the facts of a line as a sentence, without those by which the clock moves; None if it is asked about."""
    found = meanings(at, line)
    return facts_of(found[0]) if len(found) == 1 else None


def meanings(at: Table, line: str) -> Sequence[Parsed]:
    """Return each meaning of a line as a sentence, without the turns that begin within it."""
    found = sentences.read_sentence(at.context, line, lambda each: at._split_turns(each) and each, explained=False)
    return (found.meaning,) if found.meaning else found.offers


def facts_of(parsed: Parsed) -> Facts:
    """Return the facts of a meaning as JSON, without those by which the clock moves; a command as one fact."""
    if parsed.rest:
        return [{"rest": parsed.rest, "words": parsed.words}]
    made: Facts = msgspec.json.decode(msgspec.json.encode(parsed.facts[parsed.moved :]))
    return made
