"""`encounter export`, and `encounter import` of a log: the same bytes out and in, or nothing and a reason."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from eventstore.chain import withhold_payload
from tests.encounterlog.support import append, encounter, quarrel
from tests.eventstore import verifier
from tests.eventstore.copied_logs import LOGS

SECRETS = """\
{"event":{"type":"noted","text":"A fourth orc waits."},"secret":true,"key":"k"}
{"type":"amended","event":-1,"replacement":{"type":"noted","text":"A troll waits."}}
{"type":"noted","text":"Nobody hears it."}
"""


@pytest.fixture
def log(folder: Path) -> Path:
    path = quarrel(folder / "halvaine.jsonl")
    append(path, SECRETS)
    return path


def head(log: Path) -> str:
    return encounter("head", log).stdout.strip()


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def rows(log: Path) -> list[bytes]:
    return log.read_bytes().splitlines(keepends=True)


# ---------------------------------------------------------------- out and in


@pytest.mark.parametrize("name", LOGS)
def test_a_log_goes_out_and_in_byte_for_byte(folder: Path, name: str) -> None:
    (folder / "a.jsonl").write_bytes(LOGS[name])
    out = encounter("export", "jsonl", "a.jsonl")
    assert (out.exit_code, out.stdout_bytes) == (0, LOGS[name])
    done = encounter("import", "jsonl", "-", "b.jsonl", stdin=out.stdout_bytes)
    assert (done.exit_code, done.stderr) == (0, "")
    assert encounter("export", "jsonl", "b.jsonl", "--to", "c.jsonl").exit_code == 0
    assert encounter("import", "jsonl", "c.jsonl", "d.jsonl").exit_code == 0
    for copy in ("b.jsonl", "c.jsonl", "d.jsonl"):
        assert (folder / copy).read_bytes() == LOGS[name]
        assert encounter("verify", copy).stdout == encounter("verify", "a.jsonl").stdout


def test_json_is_for_files_and_an_imported_log_keeps_what_it_says(log: Path) -> None:
    done = encounter("export", "jsonl", log, "--json")
    assert (done.exit_code, done.stdout, "hint: name a file for the export: --to OUT" in done.stderr) == (2, "", True)
    done = encounter("import", "jsonl", log, "copy.jsonl", "--title", "Mine")
    assert (done.exit_code, "keeps its title\nhint: leave out --title" in done.stderr) == (2, True)
    assert not (log.parent / "copy.jsonl").exists()
    value = json.loads(encounter("import", "jsonl", log, "copy.jsonl", "--by", "ada", "--json").stdout)
    assert (value["same"], value["records"], value["head"]) == (True, 22, head(log))
    assert encounter("log", "copy.jsonl").stdout == encounter("log", log).stdout


# ---------------------------------------------------------------- withheld


def test_payloads_and_secrets_are_withheld_and_the_anchor_matches(log: Path) -> None:
    anchor, lines = head(log), rows(log)
    done = encounter("export", "jsonl", log, "--withhold", "19", "--withhold", "3")
    assert done.stderr == f"22 records exported\nhead {anchor}\nwithheld: 3, 19\n"
    expected = [withhold_payload(line) if seq in (3, 19) else line for seq, line in enumerate(lines, 1)]
    assert done.stdout_bytes == b"".join(expected)
    (log.parent / "bare.jsonl").write_bytes(done.stdout_bytes)
    done = encounter("verify", "bare.jsonl", "--anchor", anchor)
    assert (done.exit_code, "withheld: 3, 19\n" in done.stdout) == (0, True)
    assert verifier.first_fault((log.parent / "bare.jsonl").read_bytes()) == (0, anchor)
    done = encounter("export", "jsonl", log, "--withhold", "secret", "--withhold", "5", "--to", "players.jsonl")
    assert "withheld: 5, 20, 21\n" in done.stdout
    told = (log.parent / "players.jsonl").read_text()
    assert [word in told for word in ("fourth", "troll", "Nobody hears")] == [False, False, True]


@pytest.mark.parametrize(("word", "says"), [
    ("1", "withhold: record 1 opens the encounter: without it there is no log"),
    ("23", "withhold: there is no record 23\nhint: the log ends with record 22"),
    ("0", "withhold: there is no record 0"),
    ("-3", "'-3' names no record"),
    ("secrets", "'secrets' names no record\nhint: give the number of a record, or secret"),
    ("３", "'３' names no record"),
    ("9" * 30, "names no record"),
    ("\x1b[31m", "'\\x1b[31m' names no record"),
])  # fmt: skip
def test_what_cannot_be_withheld_is_refused_before_anything_is_written(log: Path, word: str, says: str) -> None:
    for to in ((), ("--to", "copy.jsonl")):
        done = encounter("export", "jsonl", log, "--withhold", "2", f"--withhold={word}", *to)
        assert (done.exit_code, done.stdout, says in done.stderr) == (2, "", True)
    assert names(log.parent) == ["halvaine.jsonl"]


# ---------------------------------------------------------------- sources with a fault


@pytest.mark.parametrize("content", [b"", b"Dear diary\n", b'{"type":"round_ended"}\n', b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_log_is_not_taken_for_one(folder: Path, content: bytes) -> None:
    (folder / "diary").write_bytes(content)
    for source, stdin in (("diary", b""), ("-", content)):
        done = encounter("import", "jsonl", source, "copy.jsonl", stdin=stdin)
        assert (done.exit_code, done.stdout, "\nhint: " in done.stderr) == (3, "", True)
    assert encounter("import", "jsonl", "gone", "copy.jsonl").exit_code == 3
    assert names(folder) == ["diary"]


def test_a_torn_tail_is_left_out_and_said(log: Path) -> None:
    append(log, '{"type":"noted","text":"It creaks."}')
    whole = log.read_bytes()
    log.write_bytes(whole[:-20])
    good = whole[: whole.index(b'{"seq":23,')]
    done = encounter("export", "jsonl", log)
    assert (done.exit_code, done.stdout_bytes) == (3, good)
    assert done.stderr.startswith("22 records exported\nhead 22:")
    assert f"encounter: {log}, line 23 (byte {len(good)}): the last append was cut short\nhint: " in done.stderr
    done = encounter("export", "jsonl", log, "--to", "out.jsonl", "--json")
    assert (done.exit_code, json.loads(done.stdout)["problem"]["torn"]) == (3, True)
    done = encounter("import", "jsonl", log, "in.jsonl")
    assert done.exit_code == 0
    assert "1 problem\n  line 23: the last append was cut short; the rest of the log was not copied\n" in done.stdout
    assert [(log.parent / name).read_bytes() for name in ("out.jsonl", "in.jsonl")] == [good, good]
    assert log.read_bytes() == whole[:-20]


# ---------------------------------------------------------------- where it goes to


def test_a_full_disk_of_temporary_files_is_named(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("encounterlog.exporters.html.rows.KEPT", 1)
    monkeypatch.setattr("eventstore.spool.GROUP", 2)
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/there")
    done = encounter("export", "html", log, "--to", log.with_suffix(".html"))
    assert (done.exit_code, done.stderr.splitlines()[0]) == (
        6,
        "encounter: /there: not written: no space left on device",
    )
    assert not log.with_suffix(".html").exists()


# ---------------------------------------------------------------- formats to come


TOYS = (
    "from encounterlog.exporters import Exporter\nWRITES = Exporter('toys', 'toys, a line for each record', 'text')\n"
)
ENTRIES = """
[encounterlog.exporters]
gone = toys:GONE
[encounterlog.importers]
wrong = toys:WRITES
"""


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a distribution whose formats cannot be used."""
    site = tmp_path / "site"
    (site / "toys-1.dist-info").mkdir(parents=True)
    (site / "toys-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
    (site / "toys-1.dist-info/entry_points.txt").write_text(ENTRIES)
    (site / "toys.py").write_text(TOYS)
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, "toys", raising=False)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("words", "says"),
    [(("export", "gone"), "AttributeError"), (("import", "wrong"), "is of type Exporter, not ImporterEntry")],
)
def test_a_format_that_cannot_be_used_is_refused_with_its_reason(log: Path, words: tuple[str, ...], says: str) -> None:
    done = encounter(*words, log, *(["x.jsonl"] if words[0] == "import" else []))
    assert (done.exit_code, says in done.stderr, "another distribution" in done.stderr) == (2, True, True), done.output
    assert encounter("export", "jsonl", log).exit_code == 0


@pytest.mark.parametrize(("words", "meant"), [
    ("html {} page.html", "html {} --to page.html"),
    ("page.html html {}", "html {} --to page.html"),
    ("{} csv 'my table.csv'", "csv {} --to 'my table.csv'"),
    ("{} svg", "svg {}"),
])  # fmt: skip
def test_words_in_another_order_are_refused_with_the_right_command(log: Path, words: str, meant: str) -> None:
    done = encounter("export", *shlex.split(words.format(log)))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith(f"hint: encounter export {meant.format(log)}\n")
    assert encounter(*shlex.split(done.stderr.partition("hint: encounter ")[2])).exit_code == 0
