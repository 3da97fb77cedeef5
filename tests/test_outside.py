"""A ruleset of another distribution is found, plays and is proven like ours; a broken one stands in nobody's way.

`outside/` holds such a distribution. It is not installed with pip: its folder and the metadata that an installation would
write are put where Python looks for packages.
"""

import csv
import importlib
import inspect
import io
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import encounterlog as el
from encounterlog_rulelab.reasons import line_of, rulebook
from eventstore import distributions
from projections.proving.loading import find_mistakes
from projections.replay.failing import RulesetFailed
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import RULESETS, UnusableRuleset, find, keys, unusable
from tests.encounterlog.support import encounter, environment, log_of, shown
from tests.plugins import metadata
from tests.projections.phases import SEEDS, stays_the_same
from tests.projections.stage import one_in, stage
from tests.tools.reasons.known import outcome_of

pytestmark = pytest.mark.slow

OUTSIDE = Path(__file__).with_name("outside")
ROOT = Path(__file__).parents[1]

DUEL = """\
{"type":"combatant_joined","combatant":"ana","side":"heroes","sheet":{}}
{"type":"combatant_joined","combatant":"bo","side":"rogues","sheet":{"hp":2}}
{"type":"round_started","round":1}
{"type":"initiative_rolled","combatant":"ana","die":2}
{"type":"initiative_rolled","combatant":"bo","die":2}
{"type":"action_taken","combatant":"ana","action":{"kind":"strike","name":"flick","targets":["bo"]}}
{"type":"damage_dealt","target":"bo","amount":1}
"""
AGAIN = '{"type":"action_taken","combatant":"ana","action":{"kind":"strike","targets":["bo"]}}\n'

Install = Callable[..., None]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty folder where Python looks for packages; whatever was imported meanwhile is forgotten after."""
    before = set(sys.modules)
    folder = tmp_path / "site"
    folder.mkdir()
    metadata("encounterlog-rulelab", folder)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    monkeypatch.chdir(tmp_path)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith((str(folder), str(OUTSIDE))):
            del sys.modules[name]


@pytest.fixture
def install(site: Path) -> Install:
    """Return what writes the metadata of a distribution, as an installation would: its entry points by their names."""

    def write(name: str, entries: dict[str, str], **others: dict[str, str]) -> None:
        info = site / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        groups = {"encounterlog.rulesets": entries, **others}
        sections = (
            "".join([f"[{group}]\n", *(f"{key} = {target}\n" for key, target in those.items())])
            for group, those in groups.items()
        )
        (info / "entry_points.txt").write_text("".join(sections))
        as_in_a_new_process()

    return write


def as_in_a_new_process() -> None:
    """Let what is installed be looked for again: a process reads the metadata of a path once."""
    importlib.invalidate_caches()
    distributions._entry_points_on_path.cache_clear()


@pytest.fixture
def coin_duel(install: Install, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have the distribution in `outside/` as if it were installed, by what its pyproject.toml declares."""
    project = tomllib.loads((OUTSIDE / "pyproject.toml").read_text("utf-8"))["project"]
    monkeypatch.setattr(sys, "path", [str(OUTSIDE), *sys.path])
    groups = dict(project["entry-points"])
    install(project["name"], groups.pop("encounterlog.rulesets"), **groups)
    return "coin-duel"


def ok(*words: object, stdin: str = "") -> str:
    done = encounter(*words, stdin=stdin)
    assert (done.exit_code, done.stderr if words[0] != "append" else "") == (0, "")  # an append says what it raises
    return done.stdout


# ---------------------------------------------------------------- one that is in order


def test_it_is_found_by_its_entry_point(coin_duel: str) -> None:
    assert keys() == (*RULESETS, coin_duel, EMBER, HARBOUR)
    assert find(coin_duel).title == "Coin Duel"
    assert unusable() == ()


def test_a_strangers_formats_are_found_and_its_logs_take_its_imports(coin_duel: str, tmp_path: Path) -> None:
    scores, log = tmp_path / "scores.txt", tmp_path / "duel.jsonl"
    scores.write_text("ana > bo\nbo > ana\n- - -\nana > bo\n")
    assert "coin-scores: score sheets of Coin Duel" in ok("import", "--help")
    assert "coin-tally: who struck whom" in ok("export", "--help")
    for ruleset in (coin_duel, "plain"):
        done = encounter("import", "coin-scores", scores, log, "--ruleset", ruleset, "--json")
        assert json.loads(done.stdout)["problems"] == [{"line": 3, "what": "is no strike"}], done.stderr
        assert f'"ruleset":"{ruleset}"' in log.read_text()
        assert encounter("export", "coin-tally", log).stdout.splitlines()[:2] == [
            "ana struck bo: 2",
            "bo struck ana: 1",
        ]
        assert el.open(log).export("coin-tally").startswith(b"ana struck bo: 2\n")
        log.unlink()
    refused = encounter("import", "coin-scores", scores, log, "--ruleset", "osric")
    assert (refused.exit_code, "--ruleset plain or 5e or coin-duel" in refused.stderr) == (2, True), refused.stderr


def test_inside_a_phase_the_order_of_their_steps_has_no_meaning(
    coin_duel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in (coin_duel, EMBER, HARBOUR):
        stays_the_same(list(stage(find(key))), key, SEEDS, monkeypatch)


def test_a_duel_is_told_shown_and_audited(coin_duel: str, tmp_path: Path) -> None:
    log = tmp_path / "duel.jsonl"
    assert ok("new", log, "--ruleset", coin_duel) == f"{log} opened on coin-duel, revision 1\n"
    assert ok("append", log, "-", stdin=DUEL) == "7 facts appended: records 2 to 8\n"
    page = ok("show", log)
    assert "bo   rogues  [#####-----] 1 of 2 hp  up, left: strikes 1" in page
    page = " ".join(ok("show", log, "--why").split())
    assert "order.equal-coins; equal-coins joined-first" in page
    assert "ana strikes for" not in ok("log", log)
    assert ok("audit", log) == "no findings in 8 records\n"
    ok("append", log, "-", stdin=AGAIN)
    done = encounter("audit", log)
    assert done.exit_code == 1
    assert "line 9 (breach): ana strikes twice in round 1 (strike.once-a-round)\n" in done.stdout


EMBER, HARBOUR = "ember-road", "harbour-watch"


def test_what_a_check_would_report_is_barred_with_its_clause(coin_duel: str) -> None:
    assert coin_duel
    log = el.memory(EMBER)
    for line in ("join Ana heroes", "join Bo rogues", "i ana18 bo15", "t ana"):
        log.tell(line)
    assert barred(log, "ana")["sustain"] == ("sustain.needs-a-spell",)
    log.tell("t bo")
    log.tell("bo strike ana")
    assert barred(log, "ana")["block"] == ("shield.block",)
    for line in ("t ana", "ana raise", "t bo", "bo strike ana"):
        log.tell(line)
    assert "block" not in barred(log, "ana")


def barred(log: el.Log, who: str) -> dict[str, tuple[str, ...]]:
    """Return the kinds of acts that a combatant is barred from, each with its clauses."""
    choices = log.may(who).people[0].choices
    return {kind: each.because.rules for each in choices if each.status == "barred" for kind in each.acts}


def test_levels_and_counts_stand_in_the_views_and_in_the_exports(coin_duel: str, tmp_path: Path) -> None:
    assert coin_duel
    log = tmp_path / "road.jsonl"
    ok("new", log, "--ruleset", EMBER)
    for line in (
        "join Ana heroes agile=dagger,shortsword", "join Bo rogues", "i bo15 ana12", "t bo", "bo strike ana", "ana is frightened 2",
    ):  # fmt: skip
        ok("add", log, line)
    page = ok("show", log)
    assert "up, frightened 2" in page
    assert "next attack -5" in page
    assert shown(log)["combatants"]["ana"]["values"]["levels.frightened"]["value"] == 2
    assert "frightened 2" in encounter("export", "html", log).stdout
    ok("add", log, "ana -20")
    assert " dying 1 (event 9), frightened 2" in ok("show", log)
    ok("add", log, "t ana")
    assert "owes a throw against death" in encounter("add", log, "t bo").stderr
    begins = [("bo.next.attack", 0, -5)]
    fades = [("ana.conditions", ["frightened 2", "dying 1"], ["frightened 1", "dying 1"]), ("bo.next.attack", -5, 0)]
    rows = {
        int(one["seq"]): one["changes"] for one in csv.DictReader(io.StringIO(encounter("export", "csv", log).stdout))
    }
    assert (changed(rows[7]), changed(rows[11])) == (begins, fades)
    assert "bo.next.attack: -5 -> 0" in encounter("replay", log).stdout
    page = encounter("export", "html", log).stdout
    assert "frightened 1" in page
    assert '"bo.next.attack"' in page


def changed(said: str) -> list[tuple[str, object, object]]:
    """Return the changes in a cell of a table."""
    return [(one["address"], one["before"], one["after"]) for one in json.loads(said)]


@pytest.mark.parametrize("key", [HARBOUR, EMBER])
def test_the_reasons_of_what_is_made_of_the_mechanics_keep_to_the_law(coin_duel: str, key: str, whole: bool) -> None:
    assert coin_duel
    judged = outcome_of(key, one_in(1 if whole else 8, list(rulebook(find(key)))), ())
    assert [line_of(*each) for each in judged.breaks] == []


def test_its_rulebook_is_listed_played_and_covered(coin_duel: str) -> None:
    assert re.search(r"^coin-duel +Coin Duel +coins +5 clauses$", ok("rules"), re.MULTILINE)
    assert "equal-coins  joined-first, at-once" in ok("rules", coin_duel)
    assert "checks.strikes_once (check)" in ok("rules", coin_duel, "strike.once-a-round")
    assert "1 finding, as expected" in ok("rules", coin_duel, "strike.once-a-round", "--run")
    assert ok("rules", coin_duel, "--uncovered") == ""


def test_a_rulebook_that_cannot_be_read_is_named_with_its_place(
    coin_duel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from projections.proving import rulebook
    from projections.proving.enc import parse

    monkeypatch.setattr(rulebook, "_read", lambda folder: parse("ruleset coin-duel\ncsae a.b\n", f"{folder.name}.enc"))
    done = encounter("rules", coin_duel)
    assert done.exit_code == 3
    assert done.stderr.startswith(
        "encounter: the rulebook cannot be read: rulebook.enc, line 2, column 1: unknown word"
    )


def test_all_pass_the_same_contract_suite_as_ours(coin_duel: str) -> None:
    files = [str(ROOT / "tests" / "projections" / f"test_{name}.py") for name in ("plays", "rulebook")]
    keyed = ("-k", f"{coin_duel} or {EMBER} or {HARBOUR}")
    done = child("pytest", "-c", os.devnull, "--rootdir", str(ROOT), "-v", "-p", "no:cacheprovider", *keyed, *files)
    assert done.returncode == 0, done.stdout
    for key in (coin_duel, EMBER, HARBOUR):
        passed = re.findall(rf"::(test_\w+)\[{key}\b.*PASSED", done.stdout)
        assert set(passed) == {
            "test_every_play_of_a_script_comes_out_as_it_says_for_real_reasons",
            "test_every_play_of_a_script_keeps_to_what_holds_of_every_game",
            "test_a_rulebook_is_proven_whole_and_every_option_makes_a_difference",
        }
    assert "skipped" not in done.stdout.splitlines()[-1]


def test_nothing_of_them_can_be_switched_off_unnoticed(coin_duel: str) -> None:
    done = child("tests.tools.unnoticed", coin_duel, EMBER, HARBOUR)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_its_proof_needs_nothing_of_this_repository(coin_duel: str) -> None:
    done = encounter("rules", coin_duel, "--unnoticed", "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"ruleset": coin_duel, "unnoticed": []})
    judged, *undecided = ok("rules", HARBOUR, "--reasons", "--plays").splitlines()
    assert int(re.match(rf"{HARBOUR}: of (\d+) places", judged)[1]) > 100  # type: ignore[index]
    groups = [int(line.split()[0]) for line in undecided if line[2].isdecimal()]
    assert (sum(groups), len(groups) > 2) == (int(re.findall(r"(\d+) undecided", judged)[0]), True)
    assert groups == sorted(groups, reverse=True)
    assert [line[:12] for line in undecided if line.startswith("      to do: ")] == ["      to do:"] * len(groups)
    told = json.loads(ok("rules", HARBOUR, "--reasons", "--plays", "--json"))["undecided"]
    assert [one["citations"] for one in told] == groups


IDLE = """

@derives("purse.coins", on=ActionTaken)
def idle(state: CoinState, fact: Occurrence[ActionTaken]) -> None:
    if fact.seq > 3:
        state.touched.add("nobody")
"""


def test_a_place_of_it_that_no_play_would_miss_is_named(stranger: Callable[..., str], site: Path) -> None:
    key = stranger()
    rounds = site / "coin_duel" / "rounds.py"
    rounds.write_text(rounds.read_text("utf-8") + IDLE, "utf-8")
    line = next(n for n, text in enumerate(rounds.read_text("utf-8").splitlines(), 1) if "fact.seq > 3" in text)
    done = encounter("rules", key, "--unnoticed", "--places")
    assert done.exit_code == 1, done.output
    assert f"rounds.idle, line {line}: if fact.seq > 3:" in done.stdout


def test_a_reason_that_names_what_it_does_not_rest_on_is_named(stranger: Callable[..., str], site: Path) -> None:
    key, vitals = stranger(), site / "coin_duel" / "vitals.py"
    text = vitals.read_text("utf-8").replace("import Derived", "import Because, Derived")
    said = []
    for reason in ("broke.because", "broke.because + Because(events=(3,))"):
        vitals.write_text(text.replace('else "up", broke.because)', f'else "up", {reason})'), "utf-8")
        environ = {**environment(), "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
        command = [sys.executable, "-m", "encounterlog", "rules", key, "--reasons", "--plays"]
        said.append(subprocess.run(command, env=environ, capture_output=True, text=True, check=False))
    right, wrong = said
    assert (".status" in right.stdout, ".status" in wrong.stdout, wrong.returncode) == (False, True, 1), (
        wrong.stdout + wrong.stderr
    )


def child(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a process of its own that finds what this one finds."""
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)


# ---------------------------------------------------------------- the way there


@pytest.mark.skipif(not (ROOT / "projections/rulesets/README.md").is_file(), reason="run away from the source")
@pytest.mark.skipif(shutil.which("perl") is None, reason="the page uses perl")
def test_the_page_that_says_how_to_add_one_is_right_command_by_command(tmp_path: Path) -> None:
    page = (ROOT / "projections/rulesets/README.md").read_text("utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"^ *```sh\n(.*?)^ *```$", page, re.DOTALL | re.MULTILINE)]
    commands = [block.replace("\\\n", "") for block in blocks]
    lines = [line for block in commands for line in block.splitlines() if not line.startswith("ruff")]
    for line in dict.fromkeys(lines):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line],
            check=False,
            cwd=clone(tmp_path),
            env=shell(tmp_path),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert "tests.tools.unnoticed" not in line or not done.stdout
    assert len(lines) > 10


@pytest.mark.skipif(not (ROOT / "projections/rulesets/README.md").is_file(), reason="run away from the source")
def test_what_the_page_shows_of_a_ruleset_stands_in_its_files() -> None:
    page = (ROOT / "projections/rulesets/README.md").read_text("utf-8")
    shown = re.findall(r"^```(python|toml|text)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    suffixes = {"python": ".py", "toml": ".toml", "text": ".enc"}
    files = [path for path in (OUTSIDE / "harbour_watch").rglob("*") if path.suffix in suffixes.values()]
    wrong = [
        text
        for kind, text in shown
        if not any(text in path.read_text("utf-8") for path in files if path.suffix == suffixes[kind])
    ]
    assert (len(shown) > 15, wrong) == (True, [])
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files if path.suffix == ".py")
    clauses = (OUTSIDE / "harbour_watch" / "rules.toml").read_text("utf-8").count("[[rule]]")
    assert f"{clauses} clauses in {lines} lines of Python" in page


MECHANICS = ROOT / "docs/reference/mechanics.md"


@pytest.mark.skipif(not MECHANICS.is_file(), reason="run away from the source")
def test_each_recipe_of_a_mechanic_stands_in_the_files_of_the_game() -> None:
    shown = re.findall(
        r"^```(python|toml|text play)\n(.*?)^```$", MECHANICS.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    files = (path for path in (OUTSIDE / "ember_road").rglob("*") if path.suffix in (".py", ".toml", ".enc"))
    texts = [path.read_text("utf-8") for path in files]
    assert len(shown) > 20
    assert [block for _, block in shown if not any(block in text for text in texts)] == []


@pytest.mark.skipif(not MECHANICS.is_file(), reason="run away from the source")
def test_each_signature_of_a_mechanic_names_the_arguments_of_its_function() -> None:
    found = 0
    for block in re.findall(r"^```text signature\n(.*?)^```$", MECHANICS.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        module = None
        for line in block.splitlines():
            if not line.startswith(" "):
                module = importlib.import_module(line)
            elif match := re.match(r"  (\w+)\((.*)\)", line):
                said = re.findall(r"(?:^|, )\*?(\w+)", re.sub(r"\[[^]]*\]", "", match[2]))
                assert said == list(inspect.signature(getattr(module, match[1])).parameters), line
                found += 1
    assert found > 15


def clone(folder: Path) -> Path:
    """Return a copy of what the page's commands need, made once in a folder."""
    target = folder / "clone"
    if not target.exists():
        for part in ("eventstore", "projections", "cli", "tests"):
            shutil.copytree(ROOT / part, target / part)
        shutil.copy(ROOT / "pyproject.toml", target)
    return target


def shell(folder: Path) -> dict[str, str]:
    """Return an environment in which the commands of the page are those of the copy."""
    commands = folder / "bin"
    commands.mkdir(exist_ok=True)
    for name, words in {"encounter": "-m encounterlog", "pytest": "-m pytest", "python": ""}.items():
        script = commands / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        script.chmod(0o755)
    here = clone(folder)
    paths = [
        str(here),
        str(here / "cli"),
        *(path for path in sys.path if path and Path(path) not in (ROOT, ROOT / "cli")),
    ]
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(paths), "PYTEST_ADDOPTS": "-n0"}


# ---------------------------------------------------------------- one that is broken

BROKEN = {
    "nothing-there": ("nowhere_at_all:RULESET", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
    "no-such-name": ("broken_word:NOTHING", "AttributeError: "),
    "no-ruleset": ("broken_word:WORD", "broken_word:WORD is not a Ruleset but of type str"), "no-target": ("a b c", "a b c: "),
    "import-error": ("broken_import:RULESET", "broken_import:RULESET (broken_import.py, line 1): ImportError: cannot import name"),
    "no-python": ("broken_text:RULESET", "SyntaxError: "), "that-ends": ("broken_end:RULESET", "(broken_end.py, line 1): SystemExit: 7"),
    "in-disguise": ("broken_plain:RULESET", "broken_plain:RULESET has the key 'plain'"),
    "no-catalogue": ("broken_plain:BARE", "its catalogue cannot be read: "),
    "osric": ("broken_word:WORD", "this key is taken by encounterlog itself"),
    "log": ("broken_word:WORD", "this key is taken by encounterlog itself"),
}  # fmt: skip
MODULES = {
    "broken_word": "WORD = 'a word'",
    "broken_import": "from msgspec import NoSuchThing",
    "broken_text": "def",
    "broken_end": "raise SystemExit(7)",
    "broken_plain": (
        "from pathlib import Path\nfrom msgspec.structs import replace\nfrom projections.rulesets.plain import RULESET\n"
        "BARE = replace(RULESET, key='no-catalogue', rules=Path(__file__).with_name('rules.toml'))"
    ),
}


@pytest.fixture
def broken(site: Path, install: Install, request: pytest.FixtureRequest) -> str:
    """Have one more ruleset installed that is broken in one way."""
    for module, text in MODULES.items():
        (site / f"{module}.py").write_text(text)
    key: str = request.param
    install("broken-tables", {key: BROKEN[key][0]})
    return key


each_broken = pytest.mark.parametrize("broken", BROKEN, indirect=True)
not_ours = pytest.mark.parametrize("broken", [key for key in BROKEN if key not in ("osric", "log")], indirect=True)


@each_broken
def test_a_broken_one_is_shown_as_unusable_beside_all_others(broken: str) -> None:
    page = " ".join(ok("rules").split())
    assert f"the ruleset '{broken}' cannot be used: " in page
    assert BROKEN[broken][1] in page
    assert "it comes from broken-tables 1.0: repair or uninstall that one" in page
    data = json.loads(ok("rules", "--json"))
    assert [one["key"] for one in data["rulesets"]] == list(RULESETS)
    assert [(one["key"], one["distribution"]) for one in data["unusable"]] == [(broken, "broken-tables 1.0")]


@each_broken
def test_logs_of_others_are_listed_and_shown_beside_a_broken_one(broken: str, tmp_path: Path) -> None:
    log = log_of(tmp_path / f"beside-{broken}.jsonl", DUEL, "plain")
    assert "1 of 2 hp" in ok("show", log)
    assert log.name in ok("list", tmp_path)


@not_ours
def test_whoever_names_a_broken_one_is_told_why(broken: str, tmp_path: Path) -> None:
    for words in (
        ("rules", broken),
        ("rules", broken, "--run"),
        ("new", tmp_path / "x.jsonl", "--ruleset", broken),
        ("import", "foundry", tmp_path, tmp_path / "x.jsonl", "--ruleset", broken),
    ):
        done = encounter(*words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"encounter: the ruleset '{broken}' cannot be used: ")
        assert done.stderr.endswith("hint: it comes from broken-tables 1.0: repair or uninstall that one\n")
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize("broken", ["osric"], indirect=True)
def test_nobody_takes_the_key_of_one_of_ours(broken: str) -> None:
    assert keys() == RULESETS
    assert isinstance(find(broken), Ruleset)
    assert Path(find(broken).rules).parent.name == "osric"


def test_of_two_with_one_key_one_is_used_and_the_other_is_named(coin_duel: str, install: Install) -> None:
    install("second", {coin_duel: "coin_duel:RULESET"})
    (error,) = unusable()
    assert error.reason == "another distribution has this key, and comes first"
    assert keys().count(coin_duel) == 1


@pytest.mark.parametrize("name", ["a-broken-one", "z-broken-one"])
def test_a_broken_one_does_not_hide_one_of_its_key_that_is_in_order(
    coin_duel: str, install: Install, name: str
) -> None:
    install(name, {coin_duel: "nowhere_at_all:RULESET"})
    assert find(coin_duel).title == "Coin Duel"
    assert [error.distribution for error in unusable()] == [f"{name} 1.0"]


def test_a_log_whose_ruleset_is_gone_is_told_of_and_the_others_are_listed(
    coin_duel: str, install: Install, site: Path, tmp_path: Path
) -> None:
    duel = log_of(tmp_path / "duel.jsonl", DUEL, coin_duel)
    log_of(tmp_path / "plain.jsonl", DUEL, "plain", "A brawl")
    (site / "coin_duel-1.0.dist-info" / "entry_points.txt").unlink()
    as_in_a_new_process()
    done = encounter("show", duel)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "duel.jsonl, line 1: no ruleset 'coin-duel' is installed\n" in done.stderr
    install("broken-tables", {coin_duel: "nowhere_at_all:RULESET"})
    done = encounter("list", tmp_path)
    assert done.exit_code == 3
    assert "line1:theruleset'coin-duel'cannotbeused:nowhere_at_all" in "".join(done.stdout.split())
    assert re.search(r"^plain.jsonl +A brawl +plain +8 records +1 round$", done.stdout, re.MULTILINE)


# ---------------------------------------------------------------- one with mistakes


@pytest.fixture
def stranger(site: Path, install: Install) -> Callable[..., str]:
    """Return what installs Coin Duel with other words in some of its files, and gives its key."""

    def write(**changed: tuple[str, str]) -> str:
        package = site / "coin_duel"
        shutil.copytree(OUTSIDE / "coin_duel", package)
        for name, (old, new) in changed.items():
            file = package / (f"{name}.toml" if name == "forms" else f"{name}.py")
            text = file.read_text("utf-8") if file.exists() else ""
            assert old in text
            file.write_text(text.replace(old, new) if old else new, "utf-8")
        install("coin-duel", {"coin-duel": "coin_duel:RULESET"})
        return "coin-duel"

    return write


STRAY = """
from projections.ruleset.ruleset import derives
from eventstore.events import DamageDealt

@derives("purse.coins", on=DamageDealt)
def stray(state, fact):
    pass
"""
FORM = """
[[form]]
name = "flick"
patterns = ["flick {who} {targt}"]
says = "a flick"
example = "flick ana bo"
"""
MISTAKES: dict[str, tuple[dict[str, tuple[str, str]], str]] = {
    "an option that is not there": (
        {"order": ('state.option("equal-coins")', 'state.option("equal-coin")')},
        "among_equals (order.py, line 34): the catalogue has no option 'equal-coin' – did you mean equal-coins?",
    ),
    "a type of fact as text": (
        {"rounds": ("on=ActionTaken", 'on="ActionTaken"')},
        "strike_is_taken (rounds.py, line 16): on='ActionTaken' is no type of fact – did you mean ActionTaken",
    ),
    "an unknown kind of boundary": (
        {"rounds": ("on=ActionTaken", 'at="turn begun"')},
        "strike_is_taken (rounds.py, line 16): at='turn begun' is no kind of boundary – did you mean turn began",
    ),
    "an unknown phase": (
        {"rounds": ("on=ActionTaken", 'on=ActionTaken, phase="act"')},
        "strike_is_taken (rounds.py, line 16): phase='act' is no phase – did you mean acts",
    ),
    "a module that nothing imports": (
        {"stray": ("", STRAY)},
        "the module stray (stray.py, line 5): no table names it – steps_of(…, stray)",
    ),
    "a module that no table names": (
        {"__init__": ("steps_of(order, rounds)", "steps_of(order)")},
        "strike_is_taken (rounds.py, line 16): it is in no table of the ruleset – steps=steps_of(…, rounds)",
    ),
    "a status that is not declared": (
        {"vitals": ('Derived("broke" if', 'Derived("brok" if')},
        "status (vitals.py, line 18): the status 'brok' is not among `statuses` – did you mean broke?",
    ),
    "a clause that a derivation names": (
        {"vitals": ('@derives("purse.coins")', '@derives("purse.coin")')},
        "pools (vitals.py, line 12): the catalogue has no clause 'purse.coin' – did you mean purse.coins",
    ),
    "forms that are no forms": ({"forms": ("", "[[form]]\nnam = 'flick'\n")}, "the forms (forms.toml): "),
    "a pattern that cannot be read": (
        {"forms": ("", FORM.replace("{targt}", "[{target}"))},
        "the form flick (forms.toml): a pattern cannot be read – brackets are closed",
    ),
    "an unknown slot of a form": (
        {"forms": ("", FORM)},
        "the form flick (forms.toml): there is no slot 'targt' – did you mean target",
    ),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_told_as_a_ruleset_is_loaded(stranger: Callable[..., str], what: str) -> None:
    changed, says = MISTAKES[what]
    with pytest.raises(UnusableRuleset) as refused:
        find(stranger(**changed))
    assert says in str(refused.value)
    assert str(refused.value).startswith("the ruleset 'coin-duel' cannot be used: ")


def test_all_mistakes_are_told_at_once(stranger: Callable[..., str], tmp_path: Path) -> None:
    changed = {"order": MISTAKES["an option that is not there"][0]["order"], "forms": ("", FORM)}
    done = encounter("new", tmp_path / "x.jsonl", "--ruleset", stranger(**changed))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be used: 2 mistakes: among_equals (order.py" in done.stderr
    assert "; the form flick (forms.toml)" in done.stderr


@pytest.mark.in_turn(7)
@pytest.mark.parametrize("key", RULESETS)
def test_ours_are_without_mistakes(key: str) -> None:
    assert find_mistakes(find(key)) == ()


NEEDS = """

[[needs]]
facts = ["action_taken"]
rules = ["strike.once-a-round"]
says = "strikes"
lacks = ["{path}"]
"""


@pytest.mark.parametrize(
    ("path", "where"), [("action.knid", "action_taken"), ("sheet.purse", "the sheet")], ids=["a fact", "a sheet"]
)
def test_a_wrong_row_of_needs_is_named(stranger: Callable[..., str], site: Path, path: str, where: str) -> None:
    key, rules = stranger(), site / "coin_duel" / "rules.toml"
    rules.write_text(rules.read_text("utf-8") + NEEDS.format(path=path), "utf-8")
    with pytest.raises(UnusableRuleset, match=rf"row 1 of needs .*{path} leads to no field of {where}"):
        find(key)


# ---------------------------------------------------------------- one whose functions fail

FAILS = {
    "a step": (
        {"rounds": ("    state.strikes.append(", "    1 / 0\n    state.strikes.append(")},
        "show",
        "strike_is_taken",
    ),
    "a status": ({"vitals": ("    broke = is_at_or_below", "    1 / 0\n    broke = is_at_or_below")}, "show", "status"),
    "a check": ({"checks": ("-> Breach | None:\n", "-> Breach | None:\n    1 / 0\n")}, "audit", ""),
}


@pytest.mark.parametrize("what", FAILS)
def test_a_function_that_fails_is_told_as_the_rulesets(stranger: Callable[..., str], tmp_path: Path, what: str) -> None:
    changed, command, function = FAILS[what]
    log = log_of(tmp_path / "duel.jsonl", DUEL, "plain")
    key = stranger(**changed)
    log.unlink()
    ok("new", log, "--ruleset", key)
    encounter("append", log, "-", stdin=DUEL)
    done = encounter(command, log) if log.read_bytes().count(b"\n") > 1 else encounter("append", log, "-", stdin=DUEL)
    assert (done.exit_code, "Traceback" in done.stderr, "a bug in" in done.stderr) == (3, False, False), done.stderr
    assert f"encounter: the ruleset 'coin-duel' failed in {function}" in done.stderr
    assert "please report it to the author of the ruleset" in done.stderr


def test_the_api_raises_what_a_ruleset_failed_at(stranger: Callable[..., str], tmp_path: Path) -> None:
    log = tmp_path / "duel.jsonl"
    ok("new", log, "--ruleset", stranger(**FAILS["a step"][0]))
    encounter("append", log, "-", stdin=DUEL)
    with pytest.raises(RulesetFailed) as failed:
        el.open(log).state()
    assert (failed.value.ruleset, failed.value.function) == ("coin-duel", "strike_is_taken")
    assert failed.value.place == "rounds.py, line 19"
    assert failed.value.why == "ZeroDivisionError: division by zero"
