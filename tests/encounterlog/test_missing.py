"""`audit --complete`: what a log leaves untold, each with its place; plain `audit` says nothing of it."""

import json
from pathlib import Path
from typing import Any

from tests.encounterlog.support import encounter


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


def test_a_ruleset_that_says_what_its_clauses_need_is_told_which_could_not_be_judged() -> None:
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
