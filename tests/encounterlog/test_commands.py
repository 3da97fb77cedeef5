"""Each command: its help, its main path, its options; and what they have in common."""

import json
import os
import re
import subprocess
import sys
from enum import Enum
from pathlib import Path

import click
import pytest
from msgspec import Struct, structs

import encounterlog
from encounterlog import schemas as schema_page
from encounterlog.cli.main import COMMANDS, encounter as group
from eventstore.events import NEWEST
from projections.judging import audit
from projections.rulesets import RULESETS, find
from tests.encounterlog.json_schema import faults
from tests.encounterlog.support import append, encounter, environment, fingerprint, opened, shown, spawn
from tests.few import few
from tests.tables import for_each

ROUND = '{"type":"round_started","round":1}\n'


# ---------------------------------------------------------------- what they have in common


@for_each("name", COMMANDS)
def test_each_command_has_help_that_says_what_it_does(name: str) -> None:
    done = encounter(name, "--help")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: encounter {name}")
    context = click.Context(group)
    command = group.get_command(context, name)
    assert command is not None
    assert command.help
    assert all(getattr(option, "help", "") for option in command.params if isinstance(option, click.Option))
    assert all(
        type(param.type) not in (click.Path, click.File) for param in command.params
    )  # options.py has types for paths


def test_python_m_is_the_command_and_alone_it_names_all_commands() -> None:
    version = spawn("--version")
    assert (version.returncode, version.stdout) == (0, f"encounterlog {encounterlog.__version__}\n".encode())
    done = encounter()
    assert (done.exit_code, len(done.stdout.splitlines()) <= 20) == (2, True)
    assert set(COMMANDS) <= set(done.stdout.split())
    assert "Next: encounter demo" in done.stdout


@for_each(("words", "says"), [
    (("shwo",), "no command is called 'shwo'\nhint: did you mean show?"),
    (("help",), "no command is called 'help'\nhint: encounter --help lists them, encounter COMMAND --help explains one"),
    (("show", "x", "--at", "soon"), "WHERE: 'soon' names no point\nhint: such as 12, r2"),
    (("verify", "x", "--anchor", "12"), "anchor: is not SEQ:HASH\nhint: encounter head FILE prints one"),
    (("rules", "5e", "no.such.clause"), "no clause or option of 5e is called 'no.such.clause'\nhint: encounter rules 5e lists them"),
    (("serve", "x", "--port", "abc"), "--port: 'abc' is not a whole number from 0 to 65,535\nhint: encounter serve"),
    (("serve", "x", "--streams", "0"), "--streams: '0' is not a whole number from 1\n"),
    (("serve", "x", "--patience", "inf"), "--patience: 'inf' is not a number of seconds from 0.1\n"),
    (("export",), "missing argument 'FORMAT'. Choose from: markdown, discord, csv"),
    (("append", "x", "--by", ""), "--by has 0 characters"),
    (("log", "x", "--type", "damage"), "no event type is called 'damage'\nhint: did you mean damage_dealt?"),
    (("export", "Markdwon", "x"), "hint: did you mean markdown?"),
    (("rules", "Vile Darkness"), "hint: did you mean vile-darkness?"),
])  # fmt: skip
def test_wrong_usage_ends_with_2_and_a_hint(words: tuple[str, ...], says: str) -> None:
    done = encounter(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("encounter: ")
    assert says in done.stderr


@pytest.mark.parametrize(("error", "code", "says"), [
    (ZeroDivisionError("x"), 6, "a bug in encounterlog: ZeroDivisionError"),
    (KeyboardInterrupt(), 130, "interrupted"),
])  # fmt: skip
def test_a_fault_of_our_own_and_an_interruption_are_sentences(
    log: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, says: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("eventstore.jsonl.JsonlStore.head", fail)
    done = encounter("head", log)
    assert (done.exit_code, done.stderr.startswith(f"encounter: {says}")) == (code, True)


def test_closed_streams_are_empty_ones(log: Path) -> None:
    closed = f"'{sys.executable}' -m encounterlog show '{log}' <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", closed], env=environment(), check=False).returncode == 0


def test_letters_that_are_no_text_or_that_a_terminal_lacks_are_escaped(folder: Path) -> None:
    opened(folder / "a.jsonl", "plain", "Überfall")
    done = subprocess.run(
        [sys.executable, "-m", "encounterlog", "show", "a.jsonl"],
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, b"\\xdcberfall: plain, as of record 1")
    try:
        (folder / os.fsdecode(b"\xff")).mkdir()
    except OSError:
        pytest.skip("this file system takes only names that are text")
    log = opened(folder / os.fsdecode(b"\xff.jsonl"), "plain", "")
    assert shown(log)["title"] == "\\udcff"
    assert json.loads(encounter("list", folder, "--json").stdout)["logs"][-1]["file"] == "\\udcff.jsonl"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_shells_can_complete_commands(shell: str) -> None:
    done = encounter(_ENCOUNTER_COMPLETE=f"{shell}_source")
    assert (done.exit_code, "_ENCOUNTER_COMPLETE" in done.stdout) == (0, True)
    done = encounter(_ENCOUNTER_COMPLETE="zsh_complete", COMP_WORDS="encounter re", COMP_CWORD="1")
    assert "replay" in done.stdout


# ---------------------------------------------------------------- new


@pytest.mark.parametrize(("words", "hint"), [
    (("--ruleset", "osrik"), "did you mean osric?"),
    (("--ruleset", "osric", "--option", "tie-handlin=ruling"), "did you mean tie-handling"),
    (("--ruleset", "osric", "--option", "tie-handling=rulin"), "did you mean ruling?"),
    (("--ruleset", "osric", "--option", "tie-handling"), "encounter rules osric"),
    (("--ruleset", "osric", *("--option", "tie-handling=ruling", "--option", "tie-handling=at-once")), "name one"),
    ((), "plain suits any game; installed are 5e, definition-master, nameless-journey, osric, plain, semiautomagic, vile-darkness; encounter rules names the game of each"),
])  # fmt: skip
def test_new_suggests_the_nearest_and_makes_no_file(folder: Path, words: tuple[str, ...], hint: str) -> None:
    done = encounter("new", "ford.jsonl", *words)
    assert (done.exit_code, f"hint: {hint}" in done.stderr) == (2, True)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("title", ["", "   "])
def test_without_a_title_an_encounter_is_called_after_its_file(folder: Path, title: str) -> None:
    assert shown(opened(folder / "ford.jsonl", "plain", title))["title"] == "ford"


@pytest.mark.parametrize("name", ["a\tb", "\x1b[31mred", "ada\u202e"])
def test_who_writes_has_a_name_that_can_be_read(log: Path, name: str) -> None:
    before = fingerprint(log)
    for done in (
        encounter("append", log, "--by", name, stdin=ROUND),
        encounter("append", log, stdin=ROUND, ENCOUNTER_BY=name),
    ):
        assert (done.exit_code, "has invisible characters" in done.stderr) == (2, True)
    assert fingerprint(log) == before


def test_new_suggests_the_usual_ending_and_to_make_a_folder(folder: Path) -> None:
    done = encounter("new", "ford", "--ruleset", "plain")
    assert (done.exit_code, "logs are usually called .jsonl" in done.stderr) == (0, True)
    assert (folder / "ford").exists()
    done = encounter("new", "none/ford.jsonl", "--ruleset", "plain")
    assert (done.exit_code, "hint: make the folder first" in done.stderr) == (6, True)


# ---------------------------------------------------------------- append


def test_append_takes_a_file_or_input_with_any_line_ends(log: Path) -> None:
    (log.parent / "facts.jsonl").write_text('\n{"type":"round_ended"}\n\n' + ROUND)
    done = encounter("append", log, "facts.jsonl")
    assert (done.exit_code, done.stdout) == (0, "2 facts appended: records 20 to 21\n")
    done = encounter("append", log, stdin=ROUND)
    assert done.stdout == "1 fact appended: record 22\n"
    done = encounter("append", log, stdin=b'{"type":"round_ended"}\r\n{"type":"round_started","round":2}')
    assert (done.exit_code, done.stdout) == (0, "2 facts appended: records 23 to 24\n")


# ---------------------------------------------------------------- log, replay, show


def test_a_conditional_append_tells_what_came_in_between(log: Path) -> None:
    append(log, ROUND, "--after", "19")
    before = fingerprint(log)
    done = encounter("append", log, "--after", "19", stdin=ROUND)
    assert done.exit_code == 5
    assert done.stderr.splitlines()[:2] == [
        "encounter: expected the log to end at 19, it ends at 20",
        "     20  gm: round 1 begins",
    ]
    assert fingerprint(log) == before


@pytest.mark.parametrize(("words", "seqs"), [
    (("--round", "1", "--actor", "brand"), [10, 15]),
    (("--actor", "orcs"), [5, 4, 7, 12]),
    (("--type", "damage_dealt"), [16, 19]),
    (("--round", "0", "--type", "combatant_joined"), [2, 3, 4, 5]),
    (("--type", "healed"), []),
])  # fmt: skip
def test_log_can_be_narrowed_down(log: Path, words: tuple[str, ...], seqs: list[int]) -> None:
    done = encounter("log", log, "--json", *words)
    found = [json.loads(line)["seq"] for line in done.stdout.splitlines()]
    assert (done.exit_code, sorted(found)) == (0, sorted(seqs))


def test_a_head_is_printed_and_an_anchor_of_another_log_refused(log: Path) -> None:
    done = encounter("show", log, "--at", f"3:{'0' * 64}")
    assert (done.exit_code, "record 3 has a different hash than this anchor" in done.stderr) == (1, True)
    anchor = encounter("head", log).stdout.strip()
    assert json.loads(encounter("head", log, "--json").stdout) == {"seq": 19, "hash": anchor.partition(":")[2]}


# ---------------------------------------------------------------- list


def test_list_tells_logs_from_other_files(log: Path) -> None:
    (log.parent / "diary.jsonl").write_text("Dear diary\n")
    (log.parent / "notes.txt").write_text("x")
    done = encounter("list", log.parent)
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "halvaine.jsonl  Halvaine and the orcs  osric  19 records  1 round",
            "    diary.jsonl: not a log: is text, not an encounter log",
            "1 other file ignored",
        ],
    )
    (log.parent / "torn.jsonl").write_bytes(log.read_bytes() + b'{"seq":20')
    done = encounter("list", log.parent)
    assert (done.exit_code, "torn.jsonl: line 20: the last append was cut short" in done.stdout) == (3, True)


def test_list_passes_over_nothing_that_calls_itself_a_log(folder: Path) -> None:
    assert encounter("list", folder).stdout == "no logs here\n"
    (folder / "file").write_text("")
    assert encounter("list", folder / "file").exit_code == 2
    assert encounter("list", folder / "none").exit_code == 2
    (folder / "folder.jsonl").mkdir()
    (folder / "nowhere.jsonl").symlink_to("gone")
    (folder / "circle.jsonl").symlink_to("circle.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    done = encounter("list", folder)
    assert done.exit_code == 0
    for name in ("folder", "nowhere", "circle", "pipe"):
        assert f"{name}.jsonl: not a log: " in done.stdout


# ---------------------------------------------------------------- rules and schema


def test_rules_lists_rulesets_clauses_options_and_the_bookkeeping() -> None:
    assert {"osric", "plain", "log"} <= {line.split()[0] for line in encounter("rules").stdout.splitlines() if line}
    assert "  spell.spoiled-by-interruption" in encounter("rules", "osric").stdout
    clause = encounter("rules", "osric", "spell.spoiled-by-interruption").stdout
    for word in ("section", "says", "reading", "case", "breach", "spoil-cause = damage"):
        assert f"  {word}" in clause or word in clause
    assert "who_may_act.a_blow_spoils_what_had_effect_after_it (check)" in clause
    assert encounter("rules", "osric", "tie-handling").stdout.startswith("tie-handling = at-once | ruling\n")
    assert "log.statement" in encounter("rules", "log").stdout
    assert "agrees with the facts" in encounter("rules", "log", "log.statement").stdout
    done = encounter("rules", "osric", "spell.spoilt")
    assert (done.exit_code, "hint: did you mean spell.spoiled-by-interruption" in done.stderr) == (2, True)


def test_rules_run_plays_clauses_and_uncovered_prints_what_is_not_proven() -> None:
    done = encounter("rules", "osric", "spell.spoiled-by-interruption", "--run")
    assert done.exit_code == 0
    for words in ("Halvaine takes 3 damage", "so halvaine (bolt) is spoiled in 4", "no finding, as expected"):
        assert words in done.stdout
    assert re.search(r"line \d+ \(breach\): .* \(spell.spoiled-by-interruption\)", done.stdout)
    assert max(map(len, done.stdout.splitlines())) < 100
    done = encounter("rules", "plain", "--run")
    assert done.exit_code == 0
    assert re.search(r"^17 clauses in \d+ ms", done.stdout, re.MULTILINE)
    assert len(re.findall(r" proven .* ms$", done.stdout, re.MULTILINE)) == 17
    done = encounter("rules", "plain", "--uncovered")
    assert (done.exit_code, done.stdout) == (0, "")


def test_rules_steps_lists_what_a_fact_meets_in_the_order_in_which_it_does() -> None:
    done = encounter("rules", "osric", "--steps", "damage dealt", "--json")
    life = json.loads(done.stdout)
    assert [life["ruleset"], life["event"]] == ["osric", "damage_dealt"]
    rules, kind = find("osric"), NEWEST["damage_dealt"]
    assert [one["function"] for one in life["steps"]] == [step.__name__ for step in rules.steps[kind]]
    checks = [each.rule for table in (audit.COMMON, rules.checks) for one in table.get(kind, ()) for each in one.checks]
    assert [rule for one in life["checks"] for rule in one["rules"]] == checks
    page = encounter("rules", "osric", "--steps", "damage dealt").stdout
    assert "round opened  order.py" in page
    assert "everybody named has joined (log.stranger)" in page


@pytest.mark.parametrize(
    "words",
    ["osric --steps damage", "--steps damage_dealt", "log --steps damage_dealt", "osric x --steps noted", "osric --steps noted --run",
     "log --run", "--run", "osric spell.spoilt --run", "osrik --run"],
)  # fmt: skip
def test_rules_steps_and_run_need_what_can_be_played(words: str) -> None:
    done = encounter("rules", *words.split())
    assert (done.exit_code, "hint: " in done.stderr) == (2, True)


@pytest.mark.slow
def test_rules_run_says_what_does_not_come_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from projections.rulesets.osric import checks

    rule = "spell.spoiled-by-interruption"
    check = next(each for each in checks.effects_come_of_their_spells if each.rule == rule)
    monkeypatch.setattr(check, "function", lambda *_: None)
    done = encounter("rules", "osric", "spell.spoiled-by-interruption", "--run")
    assert done.exit_code == 1
    assert "not as expected" in done.stdout
    gaps = encounter("rules", "osric", "--uncovered")
    assert gaps.exit_code == 1
    assert "no finding spell.spoiled-by-interruption" in gaps.stdout


def test_schema_lists_the_fields_of_a_sheet_with_defaults_and_known_words() -> None:
    told = encounter("schema", "sheet", "definition-master").stdout
    for line in (
        "sheet of definition-master\n",
        "  reach                               whole number\n",
        '  size           "medium" by default  text\n',
        "  nld            0 by default         whole number\n",
        "  saves                               object of whole number\n",
        "  weapons                             list of Weapon\n",
        "  hands        1 by default      whole number\n",
        "  reach        false by default  true or false\n",
        "`reach` is in feet",
        "\nKnown for size: colossal, ",
        "\nKnown for feats: battle-prowess, ",
    ):
        assert line in told
    assert "  hp              required      whole number\n" in encounter("schema", "sheet", "osric").stdout
    assert "Known" not in encounter("schema", "sheet", "osric").stdout
    assert "text like ^[0-9]{1,6} ?SA$" in encounter("schema", "sheet", "semiautomagic").stdout


class Size(Enum):
    SMALL, LARGE = "small", "large"


class Thing(Struct):
    size: Size = Size.SMALL


class Bare(Struct):
    hp: int = 3
    things: tuple[Thing, ...] = ()


def test_the_sheet_of_another_distribution_needs_no_descriptions() -> None:
    told = schema_page.format_sheet(structs.replace(find("plain"), sheet=Bare))
    for line in ("  hp      3 by default  whole number", "Size", "  large or small", "Thing"):
        assert line in told


@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_the_schema_of_a_sheet_is_for_editors(key: str) -> None:
    schema = json.loads(encounter("schema", "sheet", key, "--json").stdout)
    assert faults({"hp": 9, "ac": 5}, schema, schema) == []
    assert faults({"hp": "nine"}, schema, schema)
    told = json.loads(encounter("rules", key, "--json").stdout)
    assert list(schema["$defs"]["Sheet"]["properties"]) == told["sheet"]


@pytest.mark.parametrize(("words", "hint"), [
    (("sheet",), "encounter schema sheet 5e or "),
    (("sheet", "osrik"), "did you mean osric"),
    (("party", "osric"), "encounter schema party"),
])  # fmt: skip
def test_schema_needs_a_ruleset_for_a_sheet_and_for_nothing_else(words: tuple[str, ...], hint: str) -> None:
    done = encounter("schema", *words)
    assert (done.exit_code, f"hint: {hint}" in done.stderr) == (2, True)


@few(3, "key", ["log", "plain", "osric", "nameless-journey", "semiautomagic", "vile-darkness", "definition-master"])
def test_every_address_says_what_it_is_and_how_a_ruling_stands_on_it(key: str) -> None:
    told = json.loads(encounter("rules", key, "--json").stdout)["addresses"]
    assert told
    assert all(each["says"] and each["ruling"] for each in told)
    assert "<who>.hp" in [each["address"] for each in told] or key != "log"


@pytest.mark.parametrize(("words", "answer"), [
    (("audit", "nofolder/"), "nofolder/ names a folder that is not there"),
    (("add", "Mira joins"), "name the log first"),
    (("show", "mil.jsonl"), "did you mean mill.jsonl? encounter new makes a log"),
    (("show", "mill.jsonl", "--at", "3:abc"), "a hash has 64 hexadecimal digits"),
    (("why", "mill.jsonl", "ana.hitpoints"), "did you mean ana.hp?"),
    (("why", "mill.jsonl", "bob.hp"), "no combatant bob"),
])  # fmt: skip
def test_a_mistake_is_answered_with_what_was_meant_or_with_what_to_do(
    folder: Path, words: tuple[str, ...], answer: str
) -> None:
    assert folder.is_dir()
    encounter("new", "mill.jsonl", "--ruleset", "5e")
    encounter("add", "mill.jsonl", "join", "Ana", "party", "hp=9")
    done = encounter(*words)
    assert done.exit_code
    assert answer in done.stderr


# ---------------------------------------------------------------- demo


@pytest.mark.parametrize("key", RULESETS)
def test_demo_plays_a_quarrel_of_each_game_in_forty_lines(folder: Path, key: str) -> None:
    done = encounter("demo", "--ruleset", key)
    assert (done.exit_code, done.stderr, list(folder.iterdir())) == (0, "", [])
    assert len(done.stdout.splitlines()) <= 40
    for words in ("Typed at the table", " of round ", "$ encounter why demo.jsonl", "$ encounter audit demo.jsonl"):
        assert words in done.stdout
    assert "Next: encounter " in done.stdout.splitlines()[-1]


def test_the_demo_shows_the_breach_and_leaves_a_log_to_go_on_with(folder: Path) -> None:
    page = encounter("demo").stdout
    assert "cast sleep spoiled in 5" in page
    assert "1. line 21 (breach): halvaine's sleep was spoiled by event 19" in page
    assert encounter("demo", "mine.jsonl").exit_code == 0
    assert encounter("audit", "mine.jsonl").exit_code == 1
    done = encounter("demo", "mine.jsonl")
    assert (done.exit_code, "already there" in done.stderr) == (2, True)
    assert [path.name for path in folder.iterdir()] == ["mine.jsonl"]
