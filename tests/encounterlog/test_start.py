"""Cold start, without a clock: what a command must not import before it needs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.encounterlog.support import environment, quarrel

SLOW = {"pydantic", "importlib.metadata", "asyncio", "difflib", "http", "email", "tomllib", "tempfile", "secrets"}
SLOW |= {
    "prompt_toolkit",
    "yaml",
    "cryptography",
    "pyarrow",
    "distributed",
    "dask",
    "obstore",
    "concurrent",
    "multiprocessing",
}
SLOW |= {"psycopg", "starlette", "uvicorn", "httpx", "jinja2", "rich", "sqlite3", "ssl", "logging", "_hashlib"}
NEED = {
    **{verb: {"tomllib"} for verb in ("show", "audit", "append", "add", "undo", "strike")},
    "new": {"tomllib", "secrets", "_hashlib"},
    "rules": {"difflib"},
}
"""What a command does need: an audit cites rules, a new log takes its options from the catalogue and an id from chance, and plays are notation, in which names may be misspelt."""

VERBS = [
    "--version",
    "--help",
    "show",
    "log",
    "append",
    "add",
    "audit",
    "verify",
    "head",
    "new",
    "replay",
    "why",
    "may",
    "blame",
]
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
WEAK = {"weakref"} if sys.version_info < (3, 13) else set[str]()
"""Not from 3.13 on: inspect, which msgspec may load, loads it there."""


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


@pytest.mark.full
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
    assert found & SLOW - NEED.get(words, set()) == set()


@pytest.mark.parametrize("words", ["--version", "--help"])
def test_without_a_log_nothing_of_the_store_is_imported(words: str) -> None:
    found = imported_by(words)
    assert not {name for name in found if name.split(".")[0] in ("msgspec", "eventstore", "projections")}
    assert not {name for name in found if name.startswith("encounterlog.commands.")}


PATHS = {"pathlib", "urllib.parse"}
"""What takes longer to load than a short log to read, and is needed neither for a file nor for its name."""


def test_a_line_is_added_without_click_pathlib_and_what_only_unusual_lines_need(folder: Path) -> None:
    found = imported_by("add", quarrel(folder / "halvaine.jsonl"), "note", "x")
    assert not found & {"click", "gettext", "difflib", "encounterlog.command", "encounterlog.terminal.options", *PATHS}
    assert not found & {"encounterlog.text_pages.audit", "eventstore.resuming", "eventstore.torn_tails", *WEAK}


def test_only_the_ruleset_of_the_log_is_imported(folder: Path) -> None:
    found = imported_by("show", quarrel(folder / "halvaine.jsonl"))
    assert "projections.rulesets.osric" in found
    assert "projections.rulesets.plain" not in found


def test_a_misspelt_type_is_refused_without_what_pages_and_schemas_need() -> None:
    refused = WATCH.replace("assert not left.code, left.code", "assert left.code == 2, left.code")
    done = subprocess.run(
        [sys.executable, "-c", refused, "schema", "nosuch"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert "no event type 'nosuch'" in done.stderr
    found = set(done.stderr.split())
    assert "encounterlog.commands.schema" in found
    assert not {name for name in found if name.startswith("encounterlog.schemas")}
    assert not found & SLOW - NEED["show"] - {"difflib"}


def test_the_help_of_an_import_loads_no_ruleset_and_nothing_that_imports() -> None:
    found = imported_by("import", "--help")
    assert {name for name in found if name.startswith("encounterlog.importers")} == {
        "encounterlog.importers",
        "encounterlog.importers.transcript",
    }
    assert not {name for name in found if name.startswith(("projections.rulesets", "projections.folds"))}
    assert not found & SLOW


def test_the_help_of_an_export_loads_no_ruleset_and_nothing_that_exports() -> None:
    found = imported_by("export", "--help")
    assert {name for name in found if name.startswith("encounterlog.exporters")} == {"encounterlog.exporters"}
    assert not {name for name in found if name.startswith(("projections.rulesets", "projections.folds"))}
    assert not found & SLOW


def test_a_monster_is_looked_up_without_another_game_and_metadata_of_others() -> None:
    found = imported_by("srd", "goblin")
    assert "projections.rulesets.fifth_edition" in found
    assert not {"projections.rulesets.osric", "projections.rulesets.plain", "importlib.metadata"} & found


def test_a_command_is_imported_only_when_it_is_used(folder: Path) -> None:
    found = imported_by("head", quarrel(folder / "halvaine.jsonl"))
    assert {name for name in found if name.startswith("encounterlog.commands.")} == {"encounterlog.commands.head"}
    assert "projections.replay.replay" not in found


def test_a_log_that_is_not_followed_imports_nothing_of_following(folder: Path) -> None:
    found = imported_by("log", quarrel(folder / "halvaine.jsonl"))
    following = {"ctypes", "select", "eventstore.following", "eventstore.watching", "encounterlog.terminal.following"}
    assert found & following == set()


WRITING = {
    "eventstore.committing",
    "eventstore.appending",
    "eventstore.writing",
    "eventstore.keys",
    "eventstore.resuming",
    "eventstore.children",
}
"""Only an append needs these."""
UNUSUAL = {"json", "unicodedata", "eventstore.diagnosis", "eventstore.torn_tails"}
"""Needed for a fact that comes in as text, for letters beyond ASCII, and for a line that does not fit or is not whole."""


@pytest.mark.full
@pytest.mark.parametrize("words", ["show", "log", "audit", "head", "replay", "why"])
def test_a_command_that_reads_a_plain_log_imports_nothing_of_writing_and_nothing_for_unusual_lines(
    folder: Path, words: str
) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    found = imported_by(words, log, *{"why": ["halvaine.hp"]}.get(words, []))
    assert found & (WRITING | UNUSUAL) == set()


def test_the_api_imports_nothing_of_the_command(folder: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    script = f"import sys, encounterlog as el; el.open({str(log)!r}).state(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment())
    assert (
        set(done.stdout.split())
        & {
            "click",
            "encounterlog.terminal.failures",
            *SLOW - {"tomllib"},
            *PATHS,
            "threading",
            *WEAK,
            *WRITING,
            *UNUSUAL,
        }
        == set()
    )
