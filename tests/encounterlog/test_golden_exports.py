"""Golden exports: an encounter of each ruleset in the formats that people read, as plain text in __snapshots__."""

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from encounterlog import __version__
from encounterlog.log.opening import create_log
from eventstore.record import Draft
from projections.proving.enc import parse
from projections.proving.proof import records_of
from tests.encounterlog.golden_exports import FIGHTS
from tests.encounterlog.support import encounter

AT = "2026-11-20T19:04:05.123456Z"
KINDS = (("markdown",), ("discord",), ("csv",), ("csv", "--table", "rounds"), ("foundry",))
LONG = ("foundry",)
"""The formats that are too long to be read of more than one encounter; JSON is compared with show, replay and audit."""


class Plain(SingleFileSnapshotExtension):
    """A golden copy in a file of its own."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [(key, words) for key in FIGHTS for words in KINDS if key == "plain" or words[0] not in LONG],
    ids=lambda value: value if isinstance(value, str) else "-".join(value).replace("---table", ""),
)
def test_an_export_is_as_it_was(
    folder: Path, snapshot: SnapshotAssertion, ruleset: str, words: tuple[str, ...]
) -> None:
    play = parse(FIGHTS[ruleset].read_bytes(), FIGHTS[ruleset].name)[0]
    events = [record.event for record in records_of(play) if record.event is not None]
    create_log(str(folder / "fight.jsonl"), [Draft(event, at=AT) for event in events], "gm")
    zone = ("--tz", "Europe/Berlin") if words[0] in ("markdown", "discord") else ()
    done = encounter("export", words[0], "fight.jsonl", *words[1:], *zone)
    assert done.exit_code == 0, done.stderr
    text = done.stdout_bytes.decode().replace(__version__, "<version>").replace("\r\n", "\n")
    assert re.sub("[0-9a-f]{64}", "<hash>", text) == snapshot(extension_class=Plain)
