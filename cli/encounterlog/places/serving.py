"""The address of a folder's service: it is in a file beside the logs, which the service locks as long as it runs. A lock ends
with its process, so that the file of a service that crashed is not believed. The first of several services of a folder is found;
if the file cannot be written, none is.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

from eventstore.disk import MACHINE

FILE = ".encounterlog-service"  # the file in a folder of logs
_START = "https://", "http://"
_LONGEST = 1000


@contextmanager
def announce_url(folder: Path, url: str) -> Iterator[None]:
    """Let a service's URL be found in its folder, if no other is there, while the service runs."""
    fd = _open_locked(folder / FILE) if MACHINE.can_lock and url.startswith(_START) else None
    if fd is None:
        yield
        return
    try:
        with suppress(OSError):  # a full disk: the service is not found, and serves
            os.ftruncate(fd, 0)
            os.write(fd, f"{url}\n".encode())
        yield
    finally:
        with suppress(OSError):
            MACHINE.unlink(str(folder / FILE))
        os.close(fd)


def _open_locked(path: Path) -> int | None:
    """Return the file, locked; None if it cannot be written or locked, or is another's."""
    with suppress(OSError):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        with suppress(OSError):
            MACHINE.try_lock(fd, shared=False)
            held = os.pread(fd, _LONGEST, 0)
            if not held or held.decode(errors="replace").startswith(_START):
                return fd
        os.close(fd)
    return None


def address_in_network() -> str:
    """Return the address by which others in this machine's private network reach it; "" if there is none.

    It is that of the route to anywhere else. Nothing is sent: connecting a datagram socket only chooses the route.
    """
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))  # an address that is kept for documentation
        address: str = one.getsockname()[0]
        if (read := ip_address(address)).is_private and not (read.is_loopback or read.is_unspecified):
            return address
    return ""


def find_service_url(folder: Path) -> str:
    """Return the URL of the service that serves a folder now; "" if none is known to run."""
    with suppress(OSError):
        fd = os.open(folder / FILE, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            MACHINE.try_lock(fd, shared=True)
        except BlockingIOError:  # it runs
            says = os.pread(fd, _LONGEST, 0).decode(errors="replace").strip()
            return says if says.startswith(_START) else ""
        finally:
            os.close(fd)
    return ""
