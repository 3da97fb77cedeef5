"""`encounter repair`: what is said, what is done, and what is left as it was."""

import json
import os
from pathlib import Path

import pytest

from eventstore.disk import Disk
from tests.encounterlog.json_schema import faults
from tests.encounterlog.support import QUARREL, append, encounter, opened

NOTE = '{"type":"noted","text":"The bridge creaks."}\n'


@pytest.fixture
def log(folder: Path) -> Path:
    path = opened(folder / "halvaine.jsonl")
    for fact in QUARREL.splitlines():
        append(path, fact, "--mode", "flushed")
    return path


@pytest.fixture
def damaged(log: Path) -> Path:
    log.write_bytes(log.read_bytes().replace(b'"amount":6}', b'"amount":5}'))
    return log


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def last_notes(log: Path) -> list[str]:
    records = map(json.loads, log.read_text("utf-8").splitlines())
    return [record["event"]["text"] for record in records if record["by"] == "encounterlog"]


# ---------------------------------------------------------------- repair


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


def test_a_torn_tail_is_repaired_as_the_next_append_would(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])
    done = encounter("repair", log)
    assert (done.exit_code, "the last append was cut short" in done.stdout) == (0, True)
    assert names(log.parent) == ["halvaine.jsonl", "halvaine.jsonl.torn-19-1"]
    assert "it is kept beside the log: *.torn-19-1" in last_notes(log)[0]


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


def test_readers_are_sent_to_repair_and_what_is_lost_is_typed_again(damaged: Path) -> None:
    for done in (encounter("show", damaged), encounter("verify", damaged), encounter("append", damaged, stdin=NOTE)):
        assert (done.exit_code, "encounter repair FILE --dry-run" in done.stderr) == (3, True)
    encounter("repair", damaged)
    append(damaged, "\n".join(QUARREL.splitlines()[14:]))
    assert encounter("show", damaged, "--json").exit_code == 0
    assert encounter("audit", damaged).exit_code == 0
