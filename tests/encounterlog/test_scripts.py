"""Encounter scripts: run, written as logs, exported, set in order."""

import errno
import json
import os
import re
import stat
import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from encounterlog.log import opening
from eventstore.events import EncounterOpened
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from eventstore.wording import visible
from projections.proving.enc import KINDS
from projections.proving.formatting import title_line
from projections.rulesets import find
from tests.encounterlog.support import encounter, log_of, quarrel

PAGE = (Path(__file__).parents[2] / "projections/language/notation/SCRIPTS.md").read_text("utf-8")
FORD = re.findall(r"^```\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]


@pytest.fixture
def ford(folder: Path) -> Path:
    script = folder / "ford.enc"
    script.write_text(FORD, "utf-8")
    return script


def events(log: Path) -> Sequence[object]:
    return [(record.event, record.secret) for record in JsonlStore(log).read()][1:]


def test_the_script_of_the_documentation_holds_and_makes_a_log(ford: Path, folder: Path) -> None:
    done = encounter("run", ford, "--to", folder / "ford.jsonl")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        f"{ford}: encounter At the ford: 17 facts, 3 expectations held\n{folder / 'ford.jsonl'} created with 17 facts\n"
    )
    assert "Ogre" in encounter("show", folder / "ford.jsonl").stdout
    assert encounter("run", ford, "--to", folder / "ford.jsonl").exit_code == 2


def test_json_and_text_say_what_was_expected_and_found(ford: Path, folder: Path) -> None:
    done = encounter("run", ford, "--json", "--to", folder / "ford.jsonl")
    assert (done.exit_code, done.stderr) == (0, f"{folder / 'ford.jsonl'} created with 17 facts\n")
    first = {"script": str(ford), "kind": "encounter", "name": "At the ford", "line": 5, "facts": 17, "expectations": 3}
    assert json.loads(done.stdout) == first | {"proven": True, "failures": []}
    more = "encounter Another\nexpect finding log.statement at 0\n"
    ford.write_text(f"{FORD.replace('ogre.hp = 14', 'ogre.hp = 13')}\n{more}", "utf-8")
    done = encounter("run", ford, "--json")
    one, other = map(json.loads, done.stdout.splitlines())
    assert (done.exit_code, one["proven"], other["name"]) == (1, False, "Another")
    told = [(each["line"], each["expected"], each["found"]) for each in (*one["failures"], *other["failures"])]
    assert told[:2] == [(15, "13", "14"), (other["line"] + 1, "log.statement at 0", "")]
    ford.write_text(FORD.replace("ogre.hp = 14", "ogre.hp = 13"), "utf-8")
    done = encounter("run", ford)
    assert done.exit_code == 1
    assert f"{ford}, line 15: ogre.hp is 14, expected 13\n" in done.stdout


@pytest.mark.parametrize(("old", "new", "line", "says"), [
    ("b o 14 6", "b ogr 14 6x", 14, "6x"),
    ("p5 f3", "p5 q3", 12, "no side q"),
    ("ruleset osric", "ruleset osrik", 2, "osrik"),
    ("m\nb", "?m\nb", 13, "no questions"),
    ("b o 14 6", "b o d20 6", 14, "a script has the notation"),
    ("encounter At the ford", "", 6, "before the first encounter"),
])  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_line(ford: Path, old: str, new: str, line: int, says: str) -> None:
    ford.write_text(FORD.replace(old, new), "utf-8")
    done = encounter("run", ford)
    assert done.exit_code != 0
    assert f"line {line}" in done.stderr
    assert says in done.stderr


def test_a_log_exported_as_a_script_gives_the_same_events(folder: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    for line in ("secret halvaine -1", "u", "note the end", "strike 3", "amend 4 halvaine -2"):
        assert encounter("add", log, *line.split()).exit_code == 0
    assert encounter("export", "script", log, "--to", folder / "halvaine.enc").exit_code == 0
    again = encounter("run", folder / "halvaine.enc", "--to", folder / "again.jsonl")
    assert (again.exit_code, again.stderr) == (0, "")
    assert events(folder / "again.jsonl") == events(log)
    assert "{" not in (folder / "halvaine.enc").read_text("utf-8")


def again(log: Path) -> Path:
    script, made = log.with_suffix(".enc"), log.with_name("again.jsonl")
    assert encounter("export", "script", log, "--to", script).exit_code == 0
    done = encounter("run", script, "--to", made)
    assert (done.exit_code, done.stderr) == (0, ""), script.read_text("utf-8")
    return made


WORDS_OF_SCRIPTS = (*KINDS, "ruleset", "opening", "option", "combatant", "expect", "secret")
IDS = st.one_of(
    st.sampled_from([*WORDS_OF_SCRIPTS, "12", "0", "007", "7-7", "join", "note", "r", "d6", "all"]),
    st.from_regex(r"[a-z0-9]{1,5}(-[a-z0-9]{1,3})?", fullmatch=True),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def fight(ids: Sequence[str], text: str) -> list[dict[str, Any]]:
    """Return what befalls these combatants: facts that stand in a line together, and facts that stand alone."""
    facts: list[dict[str, Any]] = [{"type": "combatant_joined", "combatant": who, "sheet": {"hp": 9}} for who in ids]
    for who, foe in zip(ids, [*ids[1:], ids[0]], strict=True):
        facts += [
            {"type": "damage_dealt", "target": who, "amount": 1},
            {"type": "action_taken", "combatant": who, "action": {"kind": "attack", "name": "axe", "targets": [foe]}},
            {"type": "attack_rolled", "combatant": who, "target": foe, "die": 14, "hit": True, "cause": -1},
            {"type": "damage_dealt", "target": foe, "amount": 2, "cause": -1},
            {"type": "condition_gained", "condition": "prone", "targets": [who]},
            {"type": "noted", "text": text},
        ]
    return facts


def made_of(path: Path, title: str, facts: Sequence[dict[str, Any]], secret: Sequence[bool]) -> Path:
    drafts = [Draft(opening.parse_event(fact), secret=hidden) for fact, hidden in zip(facts, secret, strict=False)]
    opening.create_log(str(path), [opening.make_opening(find("plain"), title, {}), *drafts], "gm")
    return path


def test_a_script_is_json_where_it_must_and_holds_nothing_withheld(folder: Path) -> None:
    log = made_of(folder / "a.jsonl", "x", fight(["12", "ulf"], "x"), [False] * 99)
    again(log)
    assert "damage 12 1\n" in log.with_suffix(".enc").read_text("utf-8")
    assert "ulf -1\n" in log.with_suffix(".enc").read_text("utf-8")
    log = log_of(folder / "x.jsonl", [{"type": "noted", "text": "x"}])
    assert "record 2 is withheld" in encounter("export", "script", log, "--withhold", "2").stderr


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "\ufeffa", "secret 7 x"])
def test_a_text_is_one_line_of_a_script(folder: Path, text: str) -> None:
    log = made_of(folder / "a.jsonl", "x", [{"type": "noted", "text": text}] * 2, [False, True])
    assert events(again(log)) == events(log)


def title_of(log: Path) -> str:
    (first, *_) = JsonlStore(log).read()
    assert isinstance(first.event, EncounterOpened)
    return first.event.title


@pytest.mark.parametrize(
    "title",
    ["a\u202eb", "a\tb", "a\nb", "a\rexpect no findings", " a", "a ", "a  b", "", " ", '"a"', '"a" b', '"', "Ödön\u200b", "\\u202e", "case x"],
)  # fmt: skip
def test_a_title_of_any_text_comes_back_from_a_script(folder: Path, title: str) -> None:
    log = made_of(folder / "a.jsonl", title, [{"type": "noted", "text": "x"}], [False])
    assert title_of(again(log)) == title
    assert visible(title_line(title)) == title_line(title)


@pytest.mark.slow
@pytest.mark.hypothesis
@given(
    title=TEXTS,
    ids=st.lists(IDS, min_size=2, max_size=3, unique=True),
    text=TEXTS,
    secret=st.lists(st.booleans(), min_size=21),
)
@settings(max_examples=15, deadline=None)
def test_the_script_of_a_log_gives_the_same_title_and_facts(
    title: str, ids: list[str], text: str, secret: list[bool]
) -> None:
    with TemporaryDirectory() as folder:
        log = made_of(Path(folder) / "a.jsonl", title, fight(ids, text), secret)
        made = again(log)
        assert (title_of(made), events(made)) == (title_of(log), events(log))


def test_fmt_sets_in_order_what_is_not_and_keeps_links_and_rights(ford: Path) -> None:
    ford.write_text(FORD.replace("r\nd m", '{"type":"round_started","round":1}\nd   m'), "utf-8")
    before = ford.read_text("utf-8")
    assert encounter("fmt", "--check", ford).exit_code == 1
    assert ford.read_text("utf-8") == before
    assert encounter("fmt", ford).stdout == f"{ford}: was formatted\n"
    assert encounter("fmt", "--check", ford).exit_code == 0
    assert encounter("run", ford).exit_code == 0
    assert "{" not in ford.read_text("utf-8")
    ford.write_text(FORD.replace("join Ogre", "join  Ogre"), "utf-8")
    ford.chmod(0o600)
    link = ford.with_name("link.enc")
    link.symlink_to(ford.name)
    assert encounter("fmt", link).stdout == f"{link}: was formatted\n"
    assert link.is_symlink()
    assert "join Ogre" in ford.read_text("utf-8")
    assert stat.S_IMODE(ford.stat().st_mode) == 0o600


def test_fmt_keeps_an_opening_and_writes_its_facts_in_the_notation(ford: Path) -> None:
    facts = "opening\njoin Mira party hp=9\n{}\n\nencounter At the ford\nmira -3\nexpect mira.hp = 4\n\nopening\n"
    ford.write_text(f"ruleset plain\n {facts}".format('{"type":"damage_dealt","target":"mira","amount":2}'), "utf-8")
    assert encounter("fmt", ford).exit_code == 0
    assert ford.read_text("utf-8") == f"ruleset plain\n{facts}".format("mira -2")
    assert encounter("fmt", "--check", ford).exit_code == 0
    assert encounter("run", ford).stdout == f"{ford}: encounter At the ford: 3 facts, 1 expectation held\n"


def test_fmt_leaves_pipes_and_a_script_that_cannot_be_written(ford: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = ford.with_name("pipe.enc")
    os.mkfifo(pipe)
    told = threading.Thread(target=pipe.write_bytes, args=(b"ruleset   osric\n",))
    told.start()
    done = encounter("fmt", pipe)
    told.join()
    assert (done.exit_code, "is not an ordinary file" in done.stderr) == (4, True)
    assert pipe.is_fifo()

    def full(path: Path, text: str, _encoding: str) -> None:
        path.write_bytes(text[:10].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    ford.write_text(FORD.replace("join Ogre", "join  Ogre"), "utf-8")
    before = ford.read_bytes()
    monkeypatch.setattr(Path, "write_text", full)
    done = encounter("fmt", ford)
    assert (done.exit_code, "no space left on device" in done.stderr) == (4, True)
    assert ford.read_bytes() == before
    assert [each.name for each in ford.parent.iterdir() if each.suffix == ".new"] == []


def test_a_script_escapes_what_cannot_be_seen_and_gives_the_same_facts(folder: Path) -> None:
    unseen = "\x1b[2J\x9b\u202eÖ"
    sheet = {"hp": 3, "notes": unseen}
    joins = {"type": "combatant_joined", "combatant": "ana", "name": unseen, "side": "party", "sheet": sheet}
    told: list[dict[str, Any]] = [
        joins,
        {"type": "noted", "text": unseen},
        {"type": "noted", "text": unseen, "event": 2},
    ]
    log = log_of(folder / "a.jsonl", told, "plain")
    assert encounter("export", "script", log, "--to", "again.enc").exit_code == 0
    script = (folder / "again.enc").read_text("utf-8")
    assert visible(script.replace("\n", "")) == script.replace("\n", "")
    assert "Ö" in script
    assert encounter("run", "again.enc", "--to", "again.jsonl").exit_code == 0
    assert events(folder / "again.jsonl") == events(log)


def test_bad_files_are_said_in_a_sentence(folder: Path) -> None:
    (folder / "bytes.enc").write_bytes(b"ruleset osric\n\xff")
    (folder / "empty.enc").write_text("", "utf-8")
    for name, says in (("none.enc", "no such file"), ("bytes.enc", "line 2: not UTF-8"), ("empty.enc", "no encounter")):
        done = encounter("run", folder / name)
        assert done.exit_code == 4
        assert says in done.stderr
    (folder / "mill.enc").write_text("")
    assert "hint: did you mean mill.enc" in encounter("run", folder / "mil.enc").stderr
    assert "hint: look at its name, and at the folder that you are in" in encounter("run", "no/where.enc").stderr
    assert "hint: did you mean mill.enc" in encounter("list", folder / "mill").stderr
