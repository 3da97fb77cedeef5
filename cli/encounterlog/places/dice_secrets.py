"""The secrets of dice chains: in <log>.dice beside the log, a line each, which only its owner may read; or in a table of the database."""

import os
from hashlib import sha256

from encounterlog.places import databases
from eventstore import files
from eventstore.address import LogAddress
from eventstore.dice import LENGTH, SIZE, link_of
from eventstore.disk import MACHINE
from eventstore.errors import NotReadable, NotWritten
from eventstore.paths import real_path

START = "encounterlog dice 1"
"""The beginning of a line; the link before the first roll and the secret follow, in hexadecimal digits."""
LARGEST = 1 << 20  # the largest file of secrets to which one is added, in bytes: thousands of them
_WAIT = 5.0


def secrets_file(log: LogAddress) -> str | None:
    """Return the file with a log's secrets; None for a log that is no file."""
    return f"{real_path(log)}.dice" if isinstance(log, str) else None


def make_secret(seed: str | None = None) -> bytes:
    """Return a new secret: random, or always the same one for a seed."""
    if seed is None:
        return os.urandom(SIZE)
    return sha256(f"{START} {seed}".encode()).digest()


def keep_secret(log: LogAddress, secret: bytes) -> str:
    """Keep a secret, durably, and return its commitment.

    Raises NotWritten, also for a log of a service, and where the file is there and holds something else; and as the store does.
    """
    path, link = secrets_file(log), link_of(secret, 0, LENGTH).hex()
    if databases.is_one(log):
        databases.open_database(log).keep_dice_secret(link, secret)
        return link
    if path is None:
        says = "the secret of a chain of dice is kept beside the log, and this one is elsewhere"
        raise NotWritten(str(log), says, "begin the chain where the service keeps its logs")
    kind = files.LinesOf("secrets of dice", f"{START} ".encode(), LARGEST, "move it away, or rename the log", 0o600)
    files.add_line(MACHINE, path, f"{START} {link} {secret.hex()}".encode(), kind, _WAIT)
    return link


def find_secret(log: LogAddress, link: str) -> bytes | None:
    """Return the secret with this commitment; None if it is not here. Raise NotReadable."""
    if databases.is_one(log):
        return databases.open_database(log).dice_secret(link)
    path = secrets_file(log)
    if path is None:
        return None
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123 – pathlib takes long to load
            rows = [line.split() for line in file]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotReadable(path, files.system_message(error), "it holds the secret of the chain of dice") from None
    found = next((row[4] for row in rows if len(row) == 5 and row[:3] == START.split() and row[3] == link), None)
    return bytes.fromhex(found) if found and len(found) == 2 * SIZE else None
