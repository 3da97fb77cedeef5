"""`encounter repair`: what is said, what is done, and what is left as it was."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from encounterlog.words.layout import WIDTH
from eventstore.disk import Disk
from tests.encounterlog.json_schema import faults
from tests.encounterlog.support import QUARREL, append, encounter, fingerprint, opened
from tests.eventstore import verifier

NOTE = '{"type":"noted","text":"The bridge creaks."}\n'


@pytest.fixture
def log(folder: Path) -> Path:
    """A log whose facts came one by one."""
    path = opened(folder / "halvaine.jsonl")
    for fact in QUARREL.splitlines():
        append(path, fact, "--mode", "flushed")
    return path


@pytest.fixture
def damaged(log: Path) -> Path:
    """The log, in which somebody changed record 16."""
    log.write_bytes(log.read_bytes().replace(b'"amount":6}', b'"amount":5}'))
    return log


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def last_notes(log: Path) -> list[str]:
    """Return what the store itself has noted."""
    records = map(json.loads, log.read_text("utf-8").splitlines())
    return [record["event"]["text"] for record in records if record["by"] == "encounterlog"]


# ---------------------------------------------------------------- repair


def test_a_sound_log_needs_no_repair(log: Path) -> None:
    before, anchor = fingerprint(log), encounter("head", log).stdout
    for words in ((), ("--dry-run",)):
        done = encounter("repair", log, *words)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.split() == f"{log}: nothing to repair 19 records, up to {anchor}".split()
    assert (fingerprint(log), names(log.parent)) == (before, ["halvaine.jsonl"])


def test_the_page_says_what_is_wrong_and_what_is_kept_put_aside_and_noted(damaged: Path) -> None:
    os.chdir(damaged.parent)
    before = damaged.read_bytes()
    offset = before.index(b'{"seq":16,')
    kept, rest = before[:offset], before[offset:]
    done = encounter("repair", "halvaine.jsonl", "--by", "ada")
    assert (done.exit_code, done.stderr) == (0, "")
    page = done.stdout.splitlines()
    assert page[0] == f"halvaine.jsonl, line 16 (byte {offset}): its event was changed: the digest does not match"
    assert page[1].startswith("kept: 15 records, up to 15:")
    assert page[2] == f"set aside: the rest, {len(rest):,} bytes, into halvaine.jsonl.damaged-16-1"
    assert page[3:7] == [
        "of the rest, 3 lines are whole records: 17-19",
        "   17  gm: segment 5 comes",
        "   18  gm: orc-2 attacks halvaine with a spear",
        "   19  gm: halvaine takes 3 damage",
    ]
    assert page[7].startswith(f"noted: Repaired by ada: line 16 (byte {offset}): its event was changed")
    assert page[-1] == f"the log ends now at {encounter('head', damaged).stdout.strip()}"
    assert max(map(len, page)) <= WIDTH
    assert damaged.read_bytes().startswith(kept)
    assert (damaged.parent / "halvaine.jsonl.damaged-16-1").read_bytes() == rest
    assert encounter("verify", damaged).exit_code == 0
    assert verifier.first_fault(damaged.read_bytes())[0] == 0
    assert last_notes(damaged)[0] in " ".join(done.stdout.split())


def test_a_dry_run_tells_the_same_in_the_conditional_and_changes_nothing(damaged: Path) -> None:
    os.utime(damaged, (1, 1))
    before = damaged.read_bytes()
    dry = encounter("repair", damaged, "--dry-run")
    assert (dry.exit_code, dry.stderr, dry.stdout.splitlines()[-1]) == (1, "", "nothing was changed")
    assert (damaged.read_bytes(), damaged.stat().st_mtime, names(damaged.parent)) == (before, 1, ["halvaine.jsonl"])
    for words in (
        "would be kept: 15 records",
        "would be set aside: the rest",
        "would be noted: Repaired by gm: line 16",
    ):
        assert words in dry.stdout
    done = encounter("repair", damaged)
    said = [" ".join(one.stdout.replace("would be ", "").split()) for one in (dry, done)]
    assert said[0].removesuffix("nothing was changed") == said[1][: said[1].index("the log ends now at")]
    assert encounter("repair", damaged, "--dry-run").exit_code == 0


def test_what_is_lost_can_be_typed_in_again(damaged: Path) -> None:
    encounter("repair", damaged)
    append(damaged, "\n".join(QUARREL.splitlines()[14:]))
    assert encounter("show", damaged, "--json").exit_code == 0
    assert encounter("audit", damaged).exit_code == 0


def test_what_an_editor_saved_is_put_right_without_loss(log: Path) -> None:
    good = log.read_bytes()
    log.write_bytes(b"\xef\xbb\xbf" + good.replace(b"\n", b"\r\n"))
    dry = encounter("repair", log, "--dry-run")
    assert (dry.exit_code, "would be corrected: a byte order mark, CR LF at the ends of lines\n" in dry.stdout) == (
        1,
        True,
    )
    done = encounter("repair", log)
    assert done.exit_code == 0
    assert "set aside: the file as it was, " in done.stdout
    assert log.read_bytes().startswith(good)
    assert (log.parent / "halvaine.jsonl.damaged-1-1").read_bytes() == b"\xef\xbb\xbf" + good.replace(b"\n", b"\r\n")
    assert encounter("verify", log).exit_code == 0


def test_a_torn_tail_is_repaired_as_the_next_append_would(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])
    done = encounter("repair", log)
    assert (done.exit_code, "the last append was cut short" in done.stdout) == (0, True)
    assert names(log.parent) == ["halvaine.jsonl", "halvaine.jsonl.torn-19-1"]
    assert "it is kept beside the log: *.torn-19-1" in last_notes(log)[0]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data.replace(b'"ruleset":"osric"', b'"ruleset":"plain"', 1), "line 1 (byte 0): its event was"),
        (lambda data: b"Dear diary,\n" + data, "is text, not an encounter log"),
        (lambda data: data.split(b"\n", 1)[1], "line 1 (byte 0): holds seq 2: a line is missing"),
        (lambda _: b"", "is empty"),
    ],
)
def test_where_nothing_can_be_kept_it_says_why_and_leaves_the_file(log: Path, spoil: Any, says: str) -> None:
    log.write_bytes(spoil(log.read_bytes()))
    before = fingerprint(log)
    for words in ((), ("--dry-run",), ("--json",)):
        done = encounter("repair", log, *words)
        assert (done.exit_code, done.stdout, says in done.stderr, "\nhint: " in done.stderr) == (3, "", True, True)
    assert (fingerprint(log), names(log.parent)) == (before, ["halvaine.jsonl"])


def test_what_cannot_be_put_aside_is_not_cut(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    before = damaged.read_bytes()
    monkeypatch.setattr(Disk, "write", full)
    done = encounter("repair", damaged)
    assert (done.exit_code, "could not be put aside: no space left on device\nhint: " in done.stderr) == (6, True)
    assert (damaged.read_bytes(), names(damaged.parent)) == (before, ["halvaine.jsonl"])


def test_json_follows_its_schema_in_every_case(damaged: Path) -> None:
    root = json.loads(encounter("schema", "--json").stdout)
    found = []
    for words in (("--dry-run",), (), ()):
        done = encounter("repair", damaged, "--json", *words)
        value = json.loads(done.stdout)
        assert faults(value, root["$defs"]["repair"], root) == []
        found.append(value)
    dry, done_, sound = found
    assert (dry["done"], done_["done"], sound["done"]) == (False, True, False)
    assert dry | {"done": True, "head": done_["head"]} == done_
    assert (dry["head"], dry["records"], dry["whole"]) == (dry["kept"], 15, [17, 18, 19])
    assert dry["aside"]["file"] == f"{damaged}.damaged-16-1"
    assert (sound["problem"], sound["aside"], sound["records"]) == (None, None, 16)


def test_of_a_link_the_log_itself_is_repaired(damaged: Path) -> None:
    elsewhere = damaged.parent / "elsewhere"
    elsewhere.mkdir()
    link = elsewhere / "link.jsonl"
    link.symlink_to(damaged)
    damaged.write_bytes(damaged.read_bytes().replace(b'"amount":5}', b'"amount":6}').replace(b"\n", b"\r\n"))
    assert encounter("repair", link).exit_code == 0
    assert (link.is_symlink(), damaged.is_symlink(), names(elsewhere)) == (True, False, ["link.jsonl"])
    assert encounter("verify", link).exit_code == 0
    assert "halvaine.jsonl.damaged-1-1" in names(damaged.parent)


def test_names_and_words_with_control_characters_are_made_visible(folder: Path) -> None:
    log = opened(folder / "a\x1b[31mb.jsonl")
    append(log, '{"type":"noted","text":"x\\u001b[2J"}')
    append(log, NOTE)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(lines[0] + lines[2] + lines[1])
    done = encounter("repair", log)
    assert (done.exit_code, "\x1b" in done.stdout, r"a\x1b[31mb.jsonl" in done.stdout) == (0, False, True)


def test_whoever_reads_or_appends_is_sent_to_repair(damaged: Path) -> None:
    for done in (encounter("show", damaged), encounter("verify", damaged), encounter("append", damaged, stdin=NOTE)):
        assert (done.exit_code, "encounter repair FILE --dry-run" in done.stderr) == (3, True)
