"""Printing: the line that means a fact, or several, and how many of them; JSON where there is none."""

import msgspec
import pytest

from eventstore.events import Noted
from projections.language.notation.printing import print_line
from projections.language.notation.table import Table
from tests.projections.grammar import fight
from tests.projections.notation.line_context import heard


@pytest.fixture
def ford() -> Table:
    return heard(fight(), "r")


@pytest.mark.parametrize("line", [
    "brand attack sword ogre 14 6",
    "brand attack sword ogre cost=x trigger=6",
    'mira cast "a_b" ogre',
    'd mira cast web ogre time={"amount":3,"unit":"moon"}',
    "d party attack ogre",
    "mira drops web",
    "mira holds attack until x y",
    "brand -6 nonlethal=yes",
    'brand -6 parts=[{"name":"3","amount":3}]',
    "brand +4 temporary=yes",
    'goblin not prone "fell over"',
    'brand leaves "secret path"',
    'check brand.hp=9 mira.status="3"',
    "join Sir_Bo foes hp=9 ac=5",
    "amend 3 brand -3",
    'insert 3 reason="a b" brand -3',
    "party4",
    "brand attack sword ogre @4",
    "i brand14+2",
    "i brand14 tie_with=ogre",
    "contest brand/strength:15,base+6,=21 ogre:~3",
    "rule grant Brand may.",
    "surprised goblin among party because fog",
    "surprise party4",
    "roll brand ogre d20:14",
    'r {"notation":"Fate","faces":[1]}',
    "place brand 3,4 by ogre up high",
    "effect bless by mira on brand for 10r concentration=yes",
    "t brand with mira",
    "brand saves will 14 dc=13",
    "e 2",
    "strike 3 wrong",
    'note "  x"',
    'note " a \\"b\\""',
    'note "secret x"',
    'note "a\\nb"',
])  # fmt: skip
def test_a_fact_is_printed_as_the_line_that_means_it(ford: Table, line: str) -> None:
    heard(ford, "p5 f3", "seg 6")
    told = ford.tell(line).facts[ford.tell(line).moved :]
    assert print_line(ford.context, told) == (line, len(told))
    assert print_line(ford.context, told, secret=True) == (f"secret {line}", len(told))


@pytest.mark.parametrize(("typed", "printed"), [
    ("brand attack sword ogre 14 hit", "brand attack sword ogre 14 hit=yes"),
    ("brand attack sword ogre 4", "brand attack sword ogre 4 hit=no"),
    ("brand -6n", "brand -6 nonlethal=yes"),
    ("act brand attack sword ogre ", "brand attack sword ogre"),
    ("init brand 14 bonus=1", "i brand14+1"),
])  # fmt: skip
def test_of_several_lines_that_mean_a_fact_the_first_form_is_printed(ford: Table, typed: str, printed: str) -> None:
    heard(ford, "p5 f3", "seg 6")
    told = ford.tell(typed).facts
    assert print_line(ford.context, told) == (printed, len(told))


def test_facts_of_several_lines_are_printed_one_line_after_the_other(ford: Table) -> None:
    told = ford.tell("ogre,goblin -3").facts
    assert print_line(ford.context, told) == ("ogre -3", 1)
    assert print_line(ford.context, ford.tell("r 3").facts) == ("e 1", 1)


def test_what_no_line_means_is_printed_in_json(ford: Table) -> None:
    slot = ford.tell('{"type":"phase_reached","phase":"E"}').facts
    assert print_line(ford.context, slot) == ('{"type":"phase_reached","phase":"E"}', 1)
    assert print_line(ford.context, slot, secret=True) == ('secret {"type":"phase_reached","phase":"E"}', 1)


def test_at_most_so_many_facts_are_looked_at_as_a_line_can_make(ford: Table) -> None:
    notes = [Noted(text=f"{number}") for number in range(9)]
    assert print_line(ford.context, notes) == ("note 0", 1)
    assert msgspec.to_builtins(ford.tell("note 0").facts[0])["text"] == "0"


@pytest.mark.parametrize("secret", [False, True])
def test_the_line_of_a_combatant_called_secret_does_not_begin_so(secret: bool) -> None:
    at = heard(fight("plain"), "join secret foes hp=9", "r")
    (fact,) = at.tell("act secret attack axe ogre").facts
    line, _ = print_line(at.context, [fact], secret=secret)
    assert (at.tell(line).facts, at.tell(line).secret) == ((fact,), secret)
