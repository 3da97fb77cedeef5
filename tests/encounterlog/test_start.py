"""Cold start, without a clock: what a command must not import before it needs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.encounterlog.support import environment, quarrel

SLOW = {
    "pydantic", "importlib.metadata", "asyncio", "http.client", "email.message", "prompt_toolkit", "yaml", "cryptography",
}  # fmt: skip
SLOW |= {"pyarrow", "distributed", "dask", "obstore", "multiprocessing", "psycopg", "starlette", "uvicorn", "httpx"}
SLOW |= {"jinja2", "rich", "sqlite3", "ssl", "logging"}
"""What takes more than a few milliseconds to load."""
VERBS = [
    "--version", "--help", "show", "log", "append", "add", "audit", "verify", "head", "new", "replay", "why", "may", "blame",
]  # fmt: skip
VERBS += ["first", "undo", "strike", "list", "stats", "rules"]

WATCH = """
import sys
from encounterlog.__main__ import main
sys.argv = ["encounter", *sys.argv[1:]]
try:
    main()
except SystemExit as left:
    assert not left.code, left.code
finally:
    print(*sys.modules, file=sys.stderr)
"""

FACTS = '{"type":"round_ended"}\n'


def imported_by(*words: object, stdin: str = "") -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *map(str, words)],
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    return set(done.stderr.split())


@pytest.mark.slow
@pytest.mark.parametrize("words", VERBS)
def test_a_command_imports_nothing_slow_that_it_does_not_need(folder: Path, words: str) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    more: dict[str, list[object]] = {"new": ["new.jsonl", "--ruleset", "osric"], "--version": [], "--help": []}
    more |= {"add": [log, "note", "x"], "why": [log, "halvaine.hp"], "blame": [log, "halvaine.hp"], "rules": ["osric"]}
    more |= {
        "first": [log, "orc-1.hp < 9"],
        "diff": [log, "4", "@9"],
        "strike": [log, "19", "--alone"],
        "list": [folder],
    }
    found = imported_by(words, *more.get(words, [log]), stdin=FACTS)
    assert found & SLOW == set()


@pytest.mark.parametrize("words", ["--version", "--help"])
def test_without_a_log_nothing_of_the_store_is_imported(words: str) -> None:
    found = imported_by(words)
    assert not {name for name in found if name.split(".")[0] in ("msgspec", "eventstore", "projections")}
    assert {name for name in found if name.startswith("encounterlog.cli.")} == {"encounterlog.cli.main"}


LANGUAGE, WHY = "projections.language.notation.parsing", "projections.explaining.why"


@pytest.mark.parametrize(("words", "without"), [("show", {LANGUAGE, WHY}), ("why", {LANGUAGE}), ("add", {WHY})])
def test_only_what_the_command_and_the_ruleset_need_is_imported(folder: Path, words: str, without: set[str]) -> None:
    more = {"why": ["halvaine.hp"], "add": ["note", "x"]}.get(words, [])
    found = imported_by(words, quarrel(folder / "halvaine.jsonl"), *more)
    assert "projections.rulesets.osric" in found
    assert not found & {"projections.rulesets.plain", "wcwidth", "shutil", *without}


def test_lookups_heads_and_the_api_load_no_more_than_they_need(folder: Path) -> None:
    found = imported_by("srd", "goblin")
    assert "projections.rulesets.fifth_edition" in found
    assert not {"projections.rulesets.osric", "projections.rulesets.plain", "importlib.metadata"} & found
    assert "projections.replay.replay" not in imported_by("head", quarrel(folder / "halvaine.jsonl"))
    log = quarrel(folder / "halvaine-3.jsonl")
    script = f"import sys, encounterlog as el; el.open({str(log)!r}).state(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment())
    assert not set(done.stdout.split()) & {"click", "encounterlog.cli.failures", *SLOW}
