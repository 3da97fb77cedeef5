"""`encounter add`: lines of the language from a shell, told, written and echoed."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from encounterlog.cli.add import OPTIONS, add
from encounterlog.log.entering import join_words
from encounterlog.log.logs import LogView
from eventstore.paths import path_beside
from projections.language.notation import forms
from projections.language.notation.forms import Form
from projections.language.notation.table import Table
from projections.rulesets import RULESETS, find
from tests.encounterlog.support import another_writer_comes_first, encounter, log_of_lines, opened

PAGE = Path(__file__).parents[2] / "projections/language/notation/GRAMMAR.md"
PARTY = ("join Mira party hp=9", "join Brand party hp=14 weapon=sword", "join Ogre foes hp=20", "join goblin foes hp=5")
NEED_QUOTES = {'" The rope bridge creaks.', 'phase "E"'}
"""The examples that bash does not pass on as they are typed."""


def examples() -> list[str]:
    tables = [
        forms.read_forms(forms.COMMON),
        *(forms.read_forms(Path(find(key).rules).with_name("forms.toml")) for key in RULESETS),
    ]
    return list(dict.fromkeys(form.example for table in tables for form in table.form))


@pytest.fixture
def ford(folder: Path) -> Path:
    log = opened(folder / "ford.jsonl")
    for line in PARTY:
        assert encounter("add", log, *line.split()).exit_code == 0
    return log


def test_every_form_passes_through_bash_or_is_known_to_need_quotes(folder: Path) -> None:
    script = "words() { printf '%s\\037' \"$@\"; printf '\\n'; }\n" + "\n".join(
        f"words {example}" for example in examples() if example not in NEED_QUOTES
    )
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    passed = [join_words(line.split("\037")[:-1]) for line in done.stdout.splitlines()]
    assert passed == [example for example in examples() if example not in NEED_QUOTES]
    for example in NEED_QUOTES:
        done = subprocess.run(["bash", "-c", f"printf %s {example}"], capture_output=True, text=True, check=False)
        assert done.returncode != 0 or done.stdout != example


def test_quotes_make_words_of_one_line_and_not_several_lines(ford: Path) -> None:
    assert "Ana of Dale" in encounter("add", ford, "join", "Ana of Dale", "heroes", "hp=9").stdout
    assert "Ana of Dale takes 3 damage" in encounter("add", ford, "Ana of Dale", "-3").stdout
    for words in (("note", "it rains", "and pours"), ('" the rope', "creaks"), ("note it rains",)):
        assert "note: " in encounter("add", ford, *words).stdout
    before = ford.read_bytes()
    for lines in (
        ("join Ana heroes hp=9", "join orc*2 foes hp=7"),
        ("b takes 3", "o takes 2", "b takes 1"),
        ("b takes 3", "u"),
    ):
        done = encounter("add", ford, *lines)
        assert (done.exit_code, ford.read_bytes()) == (2, before), done.stdout
        assert f"{len(lines)} arguments in quotes are not one line; nothing is written" in done.stderr
        assert f"encounter add FILE '{lines[0]}'" in done.stderr


def test_a_line_is_echoed_as_sentences_with_the_clock_marked(ford: Path) -> None:
    encounter("add", ford, "surprised")
    for line in ("r", "i p5 f3"):
        assert encounter("add", ford, *line.split()).exit_code == 0
    assert encounter("add", ford, "b", "o", "14", "6").stdout == (
        "   10  clock: segment 3 comes\n11–13  Brand attacks Ogre with a sword: rolls 14, hit, 6 damage\n"
    )
    done = encounter("add", ford, "b", "-6n")
    assert (done.stdout, done.stderr) == (
        "14  Brand takes 6 non-lethal damage\n    note: this game has no non-lethal damage: it counts as any other\n",
        "",
    )
    assert encounter("add", ford, "u").stdout == "15  event 14 is struck: Brand takes 6 non-lethal damage\n"
    assert "attack.not-more-routines-than-due" in encounter("add", ford, "b", "o", "12", "3").stderr


@pytest.mark.parametrize("words", [("--after", "4", "b", "-1"), ("b", "-1", "--by", "kim")])
def test_an_option_behind_the_file_is_told_where_options_stand(ford: Path, words: tuple[str, ...]) -> None:
    done = encounter("add", ford, *words)
    assert (done.exit_code, "hint: options stand before FILE: encounter add --" in done.stderr) == (4, True)


def test_an_option_that_does_not_exist_is_called_so(ford: Path) -> None:
    before = encounter("add", "--ater", "4", ford, "b", "-1")
    assert (before.exit_code, "no such option '--ater'. Did you mean '--after'?" in before.stderr) == (2, True)
    assert set(OPTIONS) == {name for param in add.params for name in param.opts if param.opts[0].startswith("--")}
    behind = encounter("add", ford, "b", "-1", "--dry-run")
    assert (behind.exit_code, "hint: there is no such option; encounter add --help lists them" in behind.stderr) == (
        4,
        True,
    )


def test_questions_and_help_write_nothing(ford: Path) -> None:
    before = ford.read_bytes()
    assert "Mira has 9 hit points" in encounter("add", ford, "?m").stdout
    assert "Mira and Brand have no place" in encounter("add", ford, "?m", "b").stdout
    assert encounter("add", ford, "?m before b").stdout == encounter("add", ford, "?m b").stdout
    for question in ("?m hp", "?m.hp", "? m hp"):
        assert encounter("add", ford, question).stdout.startswith("Mira has 9 hit points")
    assert "Mira concentrates on nothing" in encounter("add", ford, "why is mira’s spell spoiled?").stdout
    assert "Mira is not due" in encounter("add", ford, "?m cannot act").stdout
    assert "non-lethal" in encounter("add", ford, "help", "b -6n").stdout
    assert encounter("add", ford, "?m", "xyz").exit_code == 2
    assert encounter("add", ford).exit_code == 2
    assert ford.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "stdin", "code"), [(("add", "u"), "", 5), (("play",), "u\n", 4)], ids=["add", "play"]
)
@pytest.mark.parametrize("line", ["u", 'undo "a slip"', "strike -1"])
def test_the_last_line_is_not_taken_back_if_another_writer_came_first(
    ford: Path, words: tuple[str, ...], stdin: str, code: int, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_writer_comes_first(monkeypatch, ford, Table, "tell")
    verb, *rest = (line if word == "u" else word for word in words)
    done = encounter(verb, ford, *rest, stdin=stdin.replace("u", line))
    assert (done.exit_code, "by another writer" in done.stderr) == (code, True)
    assert [type(record.event).__name__ for record in LogView(str(ford))][-1] == "Noted"


def test_a_name_that_is_taken_or_has_left_is_asked_about(ford: Path) -> None:
    for line in ("join Mira party hp=9", "Mira joins the party with 9 hp"):
        refused = encounter("add", ford, line)
        assert refused.exit_code == 4
        assert "Mira has joined already; another one needs another name, such as Mira-2" in refused.stderr
    assert encounter("add", ford, "join Mira-2 party hp=9").exit_code == 0
    assert encounter("add", ford, "join goblin*2 foes hp=5").exit_code == 0
    assert encounter("add", ford, "leave mira").exit_code == 0
    refused = encounter("add", ford, "Mira joins the party with 9 hp")
    assert "Mira has left the fight, and comes back by its id: join mira" in refused.stderr
    assert encounter("add", ford, "join mira party hp=9").exit_code == 0


LINES = st.one_of(
    st.sampled_from(examples()),
    st.lists(st.sampled_from([*"bomgrexiu", "14", "6", "-6", "is", "prone", "secret", "goblin*3", "join", "d20", "{", '"']), max_size=5).map(" ".join),
    st.text(max_size=20),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.hypothesis
@settings(max_examples=25)
@given(st.lists(LINES, min_size=1, max_size=4))
def test_nothing_is_written_that_is_not_echoed_and_nothing_raises(lines: list[str]) -> None:
    with TemporaryDirectory() as folder:
        log = opened(Path(folder) / "ford.jsonl")
        for line in (*PARTY, "surprised", "r", "i p5 f3"):
            assert encounter("add", log, line).exit_code == 0
        for line in lines:
            before = log.read_bytes()
            done = encounter("add", "--seed", "1", "--", log, line)
            written = log.read_bytes().removeprefix(before).splitlines()
            assert "a bug" not in done.output
            if written:
                assert done.exit_code == 0
                numbers = [int(row.split()[0]) for row in done.stdout.splitlines() if re.match(r" *\d+  ", row)]
                assert numbers == [json.loads(row)["seq"] for row in written]
            elif done.exit_code:
                assert done.stderr.startswith("encounter: ")


def grammar(page: str) -> str:
    """Return the page of the grammar with its tables as the forms are now; the text around them stays."""
    head, _, rest = page.partition("\n\n## In every game\n")
    text = rest[rest.index("\n## Sentences\n") :].partition("\n\n## `")[0]
    pieces = [head, *of_forms("In every game", forms.read_forms(forms.COMMON).form), text]
    for key in RULESETS:
        own = forms.read_forms(path_beside(find(key).rules, "forms.toml"))
        clock = f"The clock moves by {own.clock}s. " if own.clock else ""
        rolled = f"Rolled: {', '.join(own.rolls.split())}." if own.rolls else "Blows are not rolled."
        pieces += [*of_forms(f"`{key}`", own.form), "", clock + rolled]
    return "\n".join(pieces) + "\n"


def of_forms(title: str, rows: Iterable[Form]) -> Iterator[str]:
    yield f"\n## {title}"
    yield "\n| example | pattern | meaning | facts |\n|---|---|---|---|"
    for form in rows:
        says = form.says + (f" *{form.reads}*" if form.reads else "")
        made = ", ".join(str(fact["type"]).partition(".")[0] for fact in form.makes) or form.rest or "combatant_joined"
        example, *patterns, says = (text.replace("|", "\\|") for text in (form.example, *form.patterns, says))
        yield f"| `{example}` | {' or '.join(f'`{pattern}`' for pattern in patterns)} | {says} | {made} |"


def test_the_page_of_the_grammar_is_made_from_its_tables() -> None:
    page = PAGE.read_text("utf-8")
    assert page == grammar(page), f"{sys.executable} -m tests.encounterlog.test_add writes it"


def test_a_check_that_fails_does_not_keep_a_line_from_being_written(
    ford: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("projections.judging.audit.check_fact", fail)
    done = encounter("add", ford, "b", "o", "14", "6")
    assert (done.exit_code, done.stdout.count("\n")) == (0, 1)
    assert done.stderr == "the findings could not be determined: by zero; encounter audit FILE\n"


@pytest.mark.parametrize(("key", "line", "says"), [
    ("definition-master", "a o d20", "totals {} against ac 13 of Orc: a {}"),
    ("vile-darkness", "a o d20", "totals {} against ac 3 of Orc: a {}"),
    ("osric", "a o d20+5", "totals {}"),
    ("plain", "a o d20+5", "totals {}"),
    ("plain", "a saves will d20+3 dc=15", "totals {} against 15"),
    ("plain", "dice morale 2d6+1 dc=8", "totals {} against 8"),
    ("plain", "i a:d20+3", "totals {}"),
])  # fmt: skip
def test_dice_rolled_here_are_added_up_and_meet_what_the_game_says(
    folder: Path, key: str, line: str, says: str
) -> None:
    log = log_of_lines(
        folder / "ford.jsonl",
        key,
        ("join Ana heroes hp=9", f"join Orc foes hp=20 ac={3 if key == 'vile-darkness' else 13}", "r"),
    )
    told = encounter("add", "--seed", "7", log, line).stdout
    rolled = re.search(r"rolled here: \S*?:([\d,]+)", told)
    assert rolled
    bonus = re.search(r"d\d+\+(\d+)", line)
    total = sum(map(int, rolled[1].split(","))) + (int(bonus[1]) if bonus else 0)
    (row,) = [row for row in told.splitlines() if "totals" in row]
    assert row in {
        f"    the roll{whose} {says.format(total, hit)}" for whose in ("", " of Ana") for hit in ("hit", "miss")
    }
    assert "totals" not in encounter("add", log, line.replace("d20", "d20:7").replace("2d6", "2d6:3,4")).stdout


@pytest.mark.parametrize(("words", "some"), [
    (["b"], ["brand"]),
    (["brand", "is", "no", "longer", ""], ["stunned"]),
    (["brand", "hits", "ogre", "for", ""], ["total"]),
])  # fmt: skip
def test_a_shell_completes_the_words_of_a_line(ford: Path, words: list[str], some: list[str]) -> None:
    encounter("add", ford, "brand is stunned")
    typed = {"COMP_WORDS": " ".join(["encounter", "add", str(ford), *words]), "COMP_CWORD": str(len(words) + 2)}
    done = subprocess.run(
        [sys.executable, "-m", "encounterlog"],
        env=os.environ | typed | {"_ENCOUNTER_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {f"plain,{each}" for each in some} <= {*done.stdout.split("\n")}


if __name__ == "__main__":
    PAGE.write_text(grammar(PAGE.read_text("utf-8")), "utf-8")
