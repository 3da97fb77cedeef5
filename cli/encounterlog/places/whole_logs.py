"""Logs that are created from another one, whole or not at all: from its lines, as a fork."""

from collections.abc import Iterable, Sequence

from encounterlog.errors import note_written
from encounterlog.places import databases
from eventstore import copying, files
from eventstore.address import LogAddress, Url
from eventstore.disk import MACHINE
from eventstore.paths import folder_of
from eventstore.record import Draft, Recorded


def copy_store(path: LogAddress, copy: copying.Copy, *, network_drive: bool = False) -> None:
    """Create a log from the lines of another one, at a free address; raise what the store or the source raises."""
    _create_of(path, copying.encode_lines(copy), network_drive=network_drive)
    note_written()


def fork_store(
    path: LogAddress,
    records: Iterable[Recorded],
    opening: Draft,
    drafts: Sequence[Draft],
    *,
    by: str,
    at: str,
    network_drive: bool = False,
) -> None:
    """Create a log from the records of another one under a new opening, and drafts after them, at a free address."""
    _create_of(path, copying.lines_of_fork(records, opening, drafts, by=by, at=at), network_drive=network_drive)
    note_written()


def _create_of(path: LogAddress, lines: Iterable[bytes], *, network_drive: bool) -> None:
    """Create a log of lines, whole or not at all."""
    if isinstance(path, Url):
        databases.database_of_log(path).create(path, lines)
        return
    files.check_is_local(MACHINE, path, folder_of(path), allowed=network_drive)
    copying.create_file(path, lines)
