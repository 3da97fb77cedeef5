"""`audit --complete` says what a log leaves untold, and `why NAME cannot act` what hinders somebody."""

import json
from pathlib import Path
from typing import Any

from encounterlog.ask import why, why as page
from projections.explaining.past import Past
from projections.proving.enc import parse
from projections.proving.proof import records_of
from tests.encounterlog.support import encounter
from tests.tables import for_each


def told(script: str) -> None:
    Path("a.enc").write_text(script, "utf-8")
    done = encounter("run", "a.enc", "--to", "a.jsonl")
    assert done.exit_code == 0, done.output


def missing() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(encounter("audit", "a.jsonl", "--complete", "--json").stdout)["missing"]
    return found


BLOW = """\
ruleset 5e
encounter At the ford
combatant ana heroes {} Ana
combatant kex raiders {"resistances":[],"vulnerabilities":[],"immunities":[],"hp":9} Kex
kex -3
"""


def test_a_ruleset_that_says_its_needs_is_told_what_could_not_be_judged() -> None:
    told(BLOW)
    page = encounter("audit", "a.jsonl", "--complete").stdout
    assert "\nno findings in 4 records\n" in f"\n{page}"
    (lack,) = [one for one in page.split("\n\n")[-1].replace("\n    ", " ").splitlines() if "without parts" in one]
    clauses, _, says = lack.partition(": ")
    assert {"damage.amount", "damage.weapon-modifier", "critical.dice-twice"} < {*clauses.split(", ")}
    assert says == "1 of 1 amounts of damage without parts, first in line 4 (before round 1)"
    assert page.endswith(" of 177 clauses could not always be judged\n")
    found = json.loads(encounter("audit", "a.jsonl", "--complete", "--json").stdout)["unjudged"]
    (one,) = [each for each in found if each["rule"] == "damage.amount"]
    assert (one["facts"], one["of"], one["event"], one["line"], one["lacks"]) == (1, 1, 4, 4, ["parts"])
    assert "unjudged" not in json.loads(encounter("audit", "a.jsonl", "--json").stdout)


def test_where_no_fact_lacks_anything_every_clause_could_be_judged() -> None:
    told('ruleset 5e\nencounter Mist\ncombatant ana heroes {"size":"medium"} Ana\nnote Mist.\n')
    assert encounter("audit", "a.jsonl", "--complete").stdout.endswith("\n\nevery clause could be judged\n")
    assert json.loads(encounter("audit", "a.jsonl", "--complete", "--json").stdout)["unjudged"] == []


SEGMENTS = """\
ruleset osric
encounter The web at the ford
join Mira party hp=9
join Brand party hp=14
join Ogre foes hp=20
join Troll foes hp=2
surprised
r
d m web 3 o
p5 f4
m
b t 14 6
"""
SPOILED = f"{SEGMENTS}o m 17 5\n"
TURNS = """\
ruleset nameless-journey
encounter Two turns
join Cy heroes hp=18
join Ana heroes hp=30
join Lum raiders hp=22
cy9 ana12 lum16
lum
"""
DELAY = """\
ruleset semiautomagic
encounter On the bridge
join Ana heroes hp=22
join Kex raiders hp=20
ana14 kex12
ana
ana delays
"""
ON_RUNS = """\
ruleset semiautomagic
encounter On the bridge
join Ana heroes hp=22
join Kex raiders hp=20
ana14 kex12
ana
act ana run
act ana attack kex
kex
"""
SLOTS = """\
ruleset vile-darkness
encounter In the doorway
combatant dov heroes {"hp":15,"ac":5,"aac0":20,"weapons":[{"name":"axe","speed":7}]} Dov
combatant snag orcs {"hp":5,"ac":7,"aac0":19} Snag
surprised
r
heroes4 orcs2
L.D2
"""
HINDERED = [
    (SEGMENTS, "mira", "Mira is in the middle of web, until round 1 segment 7. Mira casts web on Ogre (time 3) (event 12)"),
    (SEGMENTS, "brand", "Brand acted already in round 1 segment 4: attack. Brand attacks Troll (event 13)"),
    (SEGMENTS, "troll", "Troll is out. Troll takes 6 damage after Brand attacks Troll (event 15)"),
    (SEGMENTS, "ogre", "Ogre comes in round 1 segment 5."),
    (SPOILED, "mira", "Web of Mira in round 1 segment 4 was spoiled. Mira casts web on Ogre (time 3) (event 12); Mira takes 5 damage"),
    (f"{SEGMENTS}m drops web\n", "mira", "Web of Mira in round 1 segment 4 was withdrawn."),
    (f"{SEGMENTS}b leaves fled\n", "brand", "Brand has left the fight. Brand leaves"),
    (f'{SEGMENTS}over "all fled"\n', "ogre", "The fight is over. the fight is over (all fled) (event 16)"),
    (TURNS, "ana", "It is the turn of Lum. it is the turn of Lum (event 8)"),
    (TURNS, "cy", "Ana comes first. Cy rolls initiative: 9"),
    (f"{TURNS}ana\n", "lum", "Lum had the turn of round 1 already."),
    (f"{TURNS}join Tor raiders hp=8\n", "tor", "Tor has no place in the order of this round."),
    (TURNS.removesuffix("lum\n"), "ana", "Ana is not due to act now. No round has begun."),
    (DELAY, "ana", "Ana has put off the turn, since round 1. Ana puts the turn off (event 7)"),
    (f"{DELAY}kex\nana\n", "ana", "Ana may go on: the turn has begun and is not over. it is the turn of Ana"),
    (ON_RUNS, "ana", "Ana is in the middle of attack, until round 2 second 1. Ana attacks Kex (event 8)"),
    (SLOTS.removesuffix("L.D2\n"), "snag", "Snag comes in round 1, phase L.D3."),
    (SLOTS, "dov", "Dov lost the turn in round 1, phase H.D3."),
]  # fmt: skip


@for_each(("script", "who", "says"), HINDERED)
def test_what_hinders_somebody_is_said_with_the_facts(script: str, who: str, says: str) -> None:
    (play,) = parse(script, "a.enc", proves=False)
    past = Past(records_of(play))
    lines = page.format_answers(
        why.answer_question(past, [who, "cannot", "act"], thorough=False), past.state, every=False
    )
    assert says in " ".join(" ".join(lines).split()), lines
    assert len(lines) <= 12
