"""No command writes over what it did not make itself: tried for each with each kind of file that may stand in its way."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from encounterlog.bulk.checking import Task, audit_task
from encounterlog.bulk.findings import OURS, Findings
from encounterlog.errors import Refused
from encounterlog.places.replacing import Check, write_whole
from encounterlog.places.tokens import TOKENS
from eventstore import copying
from eventstore.address import Url
from eventstore.errors import NotWritten
from projections.rulesets import find
from tests.encounterlog.support import TABLES, encounter, in_tables, log_of, marked
from tests.few import few
from tests.plugins import install

FACTS: list[dict[str, Any]] = [
    {"type": "combatant_joined", "combatant": "ada", "sheet": {"hp": 9}},
    {"type": "noted", "text": "rain"},
]
SCRIPT = "ruleset plain\n\nencounter At the ford\ncombatant ana party {} Ana\n"


def text(target: Path, _folder: Path) -> None:
    target.write_bytes(b"\nmine\r\nand no line feed at the end")


def binary(target: Path, _folder: Path) -> None:
    target.write_bytes(bytes(range(256)))


def log(target: Path, folder: Path) -> None:
    target.write_bytes((folder / "ford.jsonl").read_bytes())


def link_to_a_log(target: Path, folder: Path) -> None:
    target.symlink_to(folder / "ford.jsonl")


def link_to_a_text(target: Path, folder: Path) -> None:
    (folder / "text").write_text("mine")
    target.symlink_to(folder / "text")


def link_that_leads_nowhere(target: Path, _folder: Path) -> None:
    target.symlink_to("nowhere")


def directory(target: Path, _folder: Path) -> None:
    target.mkdir()
    (target / "mine").write_text("mine")


def table(target: Path, _folder: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({"log": ["ford.jsonl"], "rule": ["mine"]}), target)


KINDS: list[Any] = [
    *(text, binary, log, link_to_a_log, link_to_a_text, link_that_leads_nowhere, directory),
    pytest.param(table, marks=TABLES, id="table"),
]
"""What may stand in the way, each put at a path; the folder has a log."""

COMMANDS: dict[str, tuple[str, list[str]]] = {
    "export jsonl": ("mine", ["export", "jsonl", "ford.jsonl", "--to", "mine"]),
    "export html": ("mine", ["export", "html", "ford.jsonl", "--to", "mine"]),
    "export parquet": ("mine", ["export", "parquet", "ford.jsonl", "--to", "mine"]),
    "the head beside an export": ("mine.head", ["export", "csv", "ford.jsonl", "--to", "mine"]),
    "new": ("mine", ["new", "mine", "--ruleset", "plain"]), "the dice of a new log": ("mine.dice", ["new", "mine", "--ruleset", "plain", "--dice"]),
    "dice": ("ford.jsonl.dice", ["dice", "ford.jsonl", "start"]), "demo": ("mine", ["demo", "mine"]),
    "run": ("mine", ["run", "ford.enc", "--to", "mine"]), "import": ("mine", ["import", "jsonl", "ford.jsonl", "mine"]),
    "import of many": ("mine/a.jsonl", ["import", "jsonl", "logs", "mine", "--jobs", "1"]),
    "import of many into a table": ("mine", ["import", "jsonl", "logs", "more", "--jobs", "1", "--out", "mine", "--resume"]),
    "whatif": ("mine", ["whatif", "ford.jsonl", "--strike", "3", "--save", "mine"]),
    "sign": ("ford.jsonl.sig", ["sign", "ford.jsonl", "--key", "key"]), "sign into": ("mine", ["sign", "ford.jsonl", "--key", "key", "--to", "mine"]),
    "fmt": ("mine", ["fmt", "mine"]), "golden pages": ("pages/order.txt", ["rules", "plain", "--golden", "pages"]),
    "the folder of golden pages": ("pages", ["rules", "plain", "--golden", "pages"]),
    "start of a ruleset": ("mine", ["rules", "--start", "my-game", "mine"]), "invite": (TOKENS, ["invite", "ford.jsonl", "--role", "gm"]),
    "audit": ("mine", ["audit", "logs", "--jobs", "1", "--out", "mine"]),
    "audit that goes on": ("mine", ["audit", "logs", "--jobs", "1", "--out", "mine", "--resume"]),
    "the lines of an audit": ("mine.lines", ["audit", "logs", "--jobs", "1", "--out", "mine"]),
    "the lines of one that goes on": ("mine.lines", ["audit", "logs", "--jobs", "1", "--out", "mine", "--resume"]),
    "append": ("mine", ["append", "mine", "ford.facts"]), "repair": ("mine", ["repair", "mine"]),
}  # fmt: skip
"""Each command that writes, with the name at which something else stands."""

IN_TABLES = [name for name, (_, words) in COMMANDS.items() if "--out" in words or "parquet" in words]
"""Those that write tables."""

FITS: dict[str, set[str]] = {
    "append": {"log", "link_to_a_log"},
    "repair": {"log", "link_to_a_log"},
    "the folder of golden pages": {"directory"},
}
"""What a command rightly takes: logs to append to, or to look at; a folder for pages."""


@pytest.fixture
def stage(folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a log, a folder with a copy of it, a script, a key and facts."""
    install("encounterlog-rulelab", tmp_path_factory.mktemp("site"), monkeypatch)
    data = log_of(folder / "ford.jsonl", FACTS, "plain").read_bytes()
    (folder / "logs").mkdir()
    (folder / "logs" / "a.jsonl").write_bytes(data)
    (folder / "ford.enc").write_text(SCRIPT)
    (folder / "ford.facts").write_text('{"type":"noted","text":"snow"}\n')
    raw = Ed25519PrivateKey.generate()
    pem = raw.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.OpenSSH, forms.NoEncryption())
    (folder / "key").write_bytes(pem)
    return folder


def contents(folder: Path) -> dict[str, Any]:
    """Return all that is in a folder and below: bytes, where links lead, folders; but for the lock of the tokens."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return {
        name: str(path.readlink()) if path.is_symlink() else "folder" if path.is_dir() else path.read_bytes()
        for name, path in found.items()
        if not name.endswith(f"{TOKENS}.lock")
    }


@few(3, "kind", KINDS, ids=lambda kind: str(kind.__name__))
@pytest.mark.parametrize("command", marked(COMMANDS, *IN_TABLES))
def test_what_another_has_written_stays(stage: Path, command: str, kind: Callable[[Path, Path], None]) -> None:
    name, words = COMMANDS[command]
    if kind.__name__ in FITS.get(command, ()):
        pytest.skip("that is what it is for")
    (stage / name).parent.mkdir(exist_ok=True)
    kind(stage / name, stage)
    before = contents(stage)
    done = encounter(*words)
    assert done.exit_code in (2, 3, 4, 6), done.output
    assert done.stderr.startswith("encounter: ")
    assert "a bug in encounterlog" not in done.stderr
    assert "--resume" not in done.stderr or (command == "import of many" and "log" in kind.__name__)
    assert contents(stage) == before


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__name__))
def test_a_backup_takes_no_name_that_is_taken(stage: Path, url: Url, kind: Callable[[Path, Path], None]) -> None:
    for name in ("ford", "mill"):
        assert encounter("new", url.at(*url.segments, name).given, "--ruleset", "plain").exit_code == 0
    (stage / "backup").mkdir()
    kind(stage / "backup" / "mill.jsonl", stage)
    before = contents(stage)
    done = encounter("backup", url.given, "backup")
    assert (done.exit_code, "mill.jsonl is already there" in done.stderr) == (2, True), done.stderr
    assert contents(stage) == before


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__name__))
def test_a_repair_puts_aside_at_a_free_name(stage: Path, kind: Callable[[Path, Path], None]) -> None:
    whole = (stage / "ford.jsonl").read_bytes()
    (stage / "torn.jsonl").write_bytes(whole[:-9])
    kind(stage / "torn.jsonl.torn-2-1", stage)
    before = contents(stage)
    assert encounter("repair", "torn.jsonl").exit_code == 0
    after = contents(stage)
    assert after.pop("torn.jsonl.torn-2-2") == whole.partition(b"\n")[2][:-9]
    assert {name: after[name] for name in before if name != "torn.jsonl"} == {
        name: held for name, held in before.items() if name != "torn.jsonl"
    }


# ---------------------------------------------------------------- what appears meanwhile


def overtaken(path: Path, *check: Check) -> None:
    """Write a file, and let another take its name meanwhile."""
    with write_whole(path, *check) as draft:
        draft.write_text("ours, new")
        path.write_text("theirs")


def test_a_file_that_appears_while_ours_is_written_stays(folder: Path) -> None:
    with pytest.raises(Refused, match="is already there"):
        overtaken(folder / "mine")
    assert contents(folder) == {"mine": b"theirs"}

    def ours(path: Path) -> None:
        if not path.read_text().startswith("ours"):
            raise Refused("usage", "not ours")

    (folder / "mine").write_text("ours, old")
    with pytest.raises(Refused, match="not ours"):
        overtaken(folder / "mine", ours)
    assert contents(folder) == {"mine": b"theirs"}


def test_a_file_that_appears_while_an_export_is_written_stays(folder: Path) -> None:
    def pieces() -> Any:
        yield b"ours"
        (folder / "mine").write_text("theirs")
        yield b"ours"

    with pytest.raises(NotWritten, match="already a file of that name"):
        copying.create_file(folder / "mine", pieces())
    assert contents(folder) == {"mine": b"theirs"}


def test_nothing_is_left_of_a_file_that_could_not_be_written(folder: Path) -> None:
    (folder / ".mine.new").write_text("theirs")
    with pytest.raises(ZeroDivisionError), write_whole(folder / "mine") as draft:
        draft.write_text(str(1 / 0))
    assert contents(folder) == {".mine.new": b"theirs"}


@in_tables
def test_a_table_that_appears_meanwhile_stays_and_findings_are_kept(stage: Path) -> None:
    findings = Findings(stage / "mine", resume=False)
    task = Task("logs/a.jsonl")
    found = audit_task(task)
    assert found is not None
    findings.add(task, found)
    (stage / "mine").write_text("theirs")
    with pytest.raises(Refused, match="is no table of findings") as caught:
        findings.write_table()
    assert (stage / "mine").read_text() == "theirs"
    assert "move the other file away, and go on with --resume" in caught.value.hint
    (stage / "mine").unlink()
    done = encounter("audit", "logs", "--jobs", 1, "--out", "mine", "--resume")
    assert done.stderr == "note: 1 of 1 logs are as they were, and were not audited again\n"
    from pyarrow import parquet

    encounter("audit", "logs", "--jobs", 1, "--out", "mine")
    about = parquet.read_schema(stage / "mine").metadata
    assert {name: about[name.encode()].decode() for name in OURS} == OURS
    assert find("plain").key in parquet.read_table(stage / "mine").column("ruleset").to_pylist()


def test_scripts_that_changed_and_texts_of_comments_stay_as_they_are(folder: Path) -> None:
    from encounterlog.ask import rules as scripts

    (folder / "ford.enc").write_text("theirs")
    with pytest.raises(Refused, match="changed by another program meanwhile"):
        scripts.replace_file(folder / "ford.enc", SCRIPT, f"{SCRIPT}\n")
    assert contents(folder) == {"ford.enc": b"theirs"}
    (folder / "readme.md").write_text("# Title\n\n#   mine  \n")
    done = encounter("fmt", "readme.md")
    assert (done.exit_code, "there is no line of a script in it" in done.stderr) == (4, True)
    assert (folder / "readme.md").read_text() == "# Title\n\n#   mine  \n"


# ---------------------------------------------------------------- what is ours


def test_a_secret_of_dice_is_added_to_a_file_of_its_owner_alone(stage: Path) -> None:
    assert encounter("dice", "ford.jsonl", "start").exit_code == 0
    file = stage / "ford.jsonl.dice"
    first = file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert encounter("new", "ford.jsonl.dice", "--ruleset", "plain").exit_code == 2
    (stage / "ford.jsonl").unlink()
    assert encounter("new", "ford.jsonl", "--ruleset", "plain", "--dice").exit_code == 0
    assert re.fullmatch(rf"{first}(encounterlog dice 1 [0-9a-f]{{64}} [0-9a-f]{{64}}\n)+", file.read_text())
