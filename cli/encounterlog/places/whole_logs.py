"""Logs that are created from another one, whole or not at all: from its lines, as a fork."""

from collections.abc import Iterable

from encounterlog.errors import note_written
from encounterlog.places import databases
from eventstore import copying, files
from eventstore.address import LogAddress, Url
from eventstore.disk import MACHINE
from eventstore.paths import folder_of


def create_of_lines(path: LogAddress, lines: Iterable[bytes], *, network_drive: bool = False) -> None:
    """Create a log of these lines, whole or not at all, at a free address; raise what the store or the source of the lines raises."""
    if isinstance(path, Url):
        databases.database_of_log(path).create(path, lines)
    else:
        files.check_is_local(MACHINE, path, folder_of(path), allowed=network_drive)
        copying.create_file(path, lines)
    note_written()
