"""One exit for text: whatever a log, a file name or an argument says, no control character but the line feed comes out."""

import io
import json
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from encounterlog.cli import output
from encounterlog.log import appending as examples
from encounterlog.words.layout import Styled, alarm, clip, width, wrap
from eventstore.events import EVENT_TYPES, EncounterOpened
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, event_of
from eventstore.record import Draft
from projections.rulesets import RULESETS
from tests.encounterlog import terminals
from tests.encounterlog.support import BREACH, append, encounter, quarrel
from tests.eventstore.logs import log_of, rehashed

HOSTILE = "\x00\x01\x07\x08\t\n\r\x1b\x7f\x80\x85\x9b\x9d\xad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff"
"""Control characters, C0, DEL and C1; what turns the direction of writing; what cannot be seen."""
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
DRIVING = re.compile(rf"[\x00-\x09\x0b-\x1f\x7f-\x9f{BIDI}]")
"""What a terminal acts on instead of showing it."""
TEXT = st.text(st.sampled_from(HOSTILE + "ab [2J;é日"), min_size=1, max_size=12)
EVIL = "\x1b]0;owned\x07\x9b31m\u202egnp\x7f\r"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


FIXED = {"type", "unit", "encounter", "hash", "link", "ruleset", "ruling"}
"""Fields of text that is not free, beside ids."""


def hostile(value: Any, text: str) -> Any:
    """Return an example in which all free text is this one."""
    if isinstance(value, dict):
        return {k: v if k in FIXED | ID_FIELDS | ID_LIST_FIELDS else hostile(v, text) for k, v in value.items()}
    if isinstance(value, list):
        return [hostile(one, text) for one in value]
    return text if isinstance(value, str) and not re.fullmatch(r"-?[0-9]+\.[0-9]{2}", value) else value


def ids_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {v for k, v in value.items() if k in ID_FIELDS and k != "side"}
        own |= {one for k, v in value.items() if k in ID_LIST_FIELDS and k != "sides" for one in v}
        return own | {one for v in value.values() for one in ids_in(v)}
    return {one for each in value for one in ids_in(each)} if isinstance(value, list) else set()


def log_with(text: str, ruleset: str) -> bytes:
    """Return a chained log in which every type of fact occurs, and this text stands wherever text may stand."""
    said = [json.loads(examples.example_line(kind).replace("…", "0" * 64)) for kind in EVENT_TYPES[1:]]
    who = sorted(ids_in(said))
    joins = [{"type": "combatant_joined", "combatant": one, "name": text, "sheet": {"hp": 9}} for one in who]
    opening = EncounterOpened(format=1, encounter="q7", title=text, ruleset=ruleset, revision=1, options={"a": text})
    facts = [event_of(one) for one in joins + [hostile(one, text) for one in said if "sheet" not in one]]
    drafts = [Draft(opening), *(Draft(one) for one in facts)]
    return log_of(drafts[:1], drafts[1:-1], [Draft(drafts[-1].event, key=text, secret=True)], by=text)


def commands(log: str, text: str) -> list[tuple[str, ...]]:
    """Return every command that reads, and some that go wrong."""
    text = text.replace("\x00", "") or "x"  # no argument of a command can have it
    reading = [
        *(("show", log), ("show", log, "--all"), ("log", log), ("log", log, "--struck"), ("replay", log)),
        *(("audit", log), ("verify", log), ("head", log), ("list", "."), ("repair", log, "--dry-run")),
        *(("export", "jsonl", log, "--to", "out" + text),),
        *(("import", "jsonl", log, "copy"),),
    ]
    wrong = [
        *(("log", log, "--actor", text), ("log", log, "--type", text), ("show", log, "--at", text)),
        *(("show", text), (text,), ("show", log, "--" + text), ("rules", text), ("rules", "osric", text)),
        *(("schema", text), ("new", text + text, "--ruleset", text), ("new", log, "--option", text)),
        *(("append", log, "--by", text), ("append", text, text), ("import", text, log, log)),
        *(("verify", log, "--anchor", text), ("verify", log, "--key", text), ("list", text)),
        *(("new", "n" + text, "--ruleset", "plain"),),
    ]
    return [*reading, *((*words, "--json") for words in reading), *wrong]


@pytest.mark.slow
@settings(max_examples=max(settings().max_examples // 4, 5))
@given(text=TEXT, ruleset=st.sampled_from(RULESETS), forged=st.booleans())
def test_nothing_drives_the_terminal(folder: Path, text: str, ruleset: str, forged: bool) -> None:
    text = unicodedata.normalize("NFC", text)
    here = folder / "logs"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir()
    data = log_with(text, ruleset)
    if forged:  # as nobody could have written it here: the ids, too, are any text
        data = rehashed([re.sub(rb'"(combatant|target|effect)":"[^"]*"', _evil, one) for one in data.splitlines()])
    log = here / "a\x1b[2J\x85\u202e.jsonl"
    log.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        for words in commands(log.name, text):
            done = encounter(*words)
            assert not DRIVING.search(done.stdout), words
            assert not DRIVING.search(done.stderr), words
            assert "Traceback" not in done.stderr
            assert "a bug in encounterlog" not in done.stderr, (words, done.stderr)


def _evil(found: re.Match[bytes]) -> bytes:
    return b'"' + found[1] + b'":' + json.dumps(EVIL, ensure_ascii=False).encode()


def test_json_and_exports_say_what_the_log_says_and_are_escaped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = folder / "a.jsonl"
    log.write_bytes(log_with(EVIL, "plain"))
    done = encounter("show", log, "--json")
    assert not DRIVING.search(done.stdout)
    assert json.loads(done.stdout)["title"] == EVIL
    rows = [json.loads(line) for line in encounter("log", log, "--json").stdout.splitlines()]
    assert {row["by"] for row in rows} == {EVIL}
    data = log_with(EVIL, "plain")
    (folder / "a.jsonl").write_bytes(data)
    assert encounter("export", "jsonl", "a.jsonl").stdout_bytes == data
    printed = Terminal()
    monkeypatch.setattr("sys.stdout", printed)
    output.write_pieces([data], as_json=True)
    assert not DRIVING.search(printed.getvalue())
    assert list(map(json.loads, printed.getvalue().splitlines())) == list(map(json.loads, data.splitlines()))


# ---------------------------------------------------------------- our own styles


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal of 60 columns, to be put in the place of standard output."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    return Terminal()


def test_pages_use_the_width_of_the_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", terminal)
    words = "word " * 40
    assert max(map(width, wrap(words))) <= 59
    monkeypatch.setenv("COLUMNS", "150")
    assert 140 < max(map(width, wrap(words))) <= 149


def on_a_terminal(columns: int, *words: object) -> str:
    """Run the command on a terminal with so many columns; return what it prints, without colours."""
    terminal = terminals.Terminal(*words, columns=columns)
    terminal.end()
    printed = str(terminal.child.before)
    assert "\x1b[1m" in printed
    return terminals.seen(printed)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [20, 40])
def test_a_narrow_terminal_shows_all_that_a_wide_one_does(folder: Path, columns: int) -> None:
    """A terminal of less than 30 columns breaks the lines itself."""
    log = quarrel(folder / "halvaine.jsonl")
    append(log, BREACH)
    for words in (("stats", log), ("audit", log)):
        told, wide = on_a_terminal(columns, *words), on_a_terminal(120, *words)
        assert max(map(width, told.splitlines())) <= max(columns - 1, 32), words
        said = set(re.findall(r"[\w.'-]+", told))
        assert {word for word in re.findall(r"[\w.'-]+", wide) if len(word) < 26} <= said, words
    shown = on_a_terminal(columns, "show", log)
    assert max(map(width, shown.splitlines())) <= max(columns - 1, 32)
    told = " ".join(shown.split())
    assert "halvaine party [######----] 6 of 9 hp up" in told
    assert "orc-1 orcs [----------] 0 of 6 hp out (event 16)" in told
    assert "line 21 breach halvaine's sleep was spoiled by event 19" in told


def test_what_is_cut_keeps_its_styles() -> None:
    cut = clip("plain " + alarm("red and long") + " plain", 10)
    assert (cut, isinstance(cut, Styled)) == ("plain red…", True)
