"""`audit --complete`: what a log leaves untold, each with its place; plain `audit` says nothing of it."""

import json
from pathlib import Path
from typing import Any

from tests.encounterlog.support import encounter
from tests.projections.test_missing import DAMAGE, PLAIN, TURNS


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
