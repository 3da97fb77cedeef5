"""`audit --complete`: what a log leaves untold, each with its place; plain `audit` says nothing of it."""

import json
from pathlib import Path
from typing import Any

from tests.encounterlog.support import encounter
from tests.projections.gaps import DAMAGE, PLAIN, TURNS


def told(script: str) -> None:
    Path("a.enc").write_text(script, "utf-8")
    done = encounter("run", "a.enc", "--to", "a.jsonl")
    assert done.exit_code == 0, done.output


def missing() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(encounter("audit", "a.jsonl", "--complete", "--json").stdout)["missing"]
    return found


def test_it_is_listed_after_the_findings_and_plain_audit_stays_as_it_is() -> None:
    told(f"{TURNS}ana\nact ana attack axe lum\nact ana attack axe lum\n")
    plain, complete = encounter("audit", "a.jsonl"), encounter("audit", "a.jsonl", "--complete")
    assert plain.exit_code == complete.exit_code == 1
    assert complete.stdout == (
        f"{plain.stdout}\nline 6 (round 1): neither action nor pass in the turn of lum\n1 thing missing\n"
    )
    assert "missing" not in json.loads(encounter("audit", "a.jsonl", "--json").stdout)
    told_all = encounter("audit", "a.jsonl", "--complete", "--at", "6").stdout
    assert told_all.endswith("\n\nnothing is missing\n")


def test_an_amended_fact_is_named_with_its_line() -> None:
    told(f"{PLAIN}{DAMAGE}")
    encounter("amend", "a.jsonl", "4", "amount=3")
    (one,) = missing()
    assert (one["event"], one["line"], one["who"], one["when"]["round"]) == (4, 5, "ana", 0)
    assert "line 5, event 4 (before round 1): no attack" in encounter("audit", "a.jsonl", "--complete").stdout
    encounter("add", "a.jsonl", "effect", "bless", "by", "ana", "on", "bo")
    encounter("amend", "a.jsonl", "6", "effect=curse")
    encounter("add", "a.jsonl", "over")
    assert [(one["event"], one["line"], one["says"]) for one in missing()[1:]] == [
        (6, 7, "no end of curse on bo, which has no duration")
    ]


def test_what_is_missing_several_times_is_one_entry_with_all_its_places() -> None:
    told(f"{PLAIN}{DAMAGE}{DAMAGE}")
    assert len(missing()) == 2
    page = encounter("audit", "a.jsonl", "--complete").stdout
    says = "no attack, and no other cause, of the damage to ana"
    assert f"\nline 4 (before round 1), line 5 (before round 1): {says}\n" in page.replace("\n    ", " ")
    assert page.endswith("\n2 things missing\n")


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


def test_a_ruleset_that_does_not_say_so_is_silent_about_it() -> None:
    told(f"{PLAIN}{DAMAGE}")
    assert "judged" not in encounter("audit", "a.jsonl", "--complete").stdout
    assert "unjudged" not in json.loads(encounter("audit", "a.jsonl", "--complete", "--json").stdout)
