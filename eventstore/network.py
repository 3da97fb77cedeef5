"""Network file systems: their locks may hold on one machine only, so two writers could spoil each other's lines."""

from eventstore import files
from eventstore.disk import Disk
from eventstore.errors import NotWritten

KINDS = frozenset(
    [
        "9p",
        "afpfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "drvfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "prl_fs",
        "smb2",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
        "vmhgfs",
        "webdav",
    ]
)
NOTED = "Written on a network file system"
"""The beginning of the store's note on a log on a network file system."""


def is_network(kind: str) -> bool:
    """Return whether a type of file system is shared over a network, or through a program (FUSE) that may be."""
    return kind in KINDS or kind == "fuse" or kind.startswith("fuse.")


def check(disk: Disk, log: str, place: str, *, allowed: bool) -> str:
    """Return the `warning` for a place; raise NotWritten also if its file system cannot be determined."""
    try:
        return warning(disk.kind(place), log, allowed=allowed)
    except (OSError, ValueError) as error:
        raise NotWritten(log, files.reason(error), files.hint_for(error)) from None


def warning(kind: str, log: str, *, allowed: bool) -> str:
    """Return the note of a log on the type of its file system; "" on a disk of this machine.

    Raises NotWritten if that is shared over a network, and not `allowed`.
    """
    if not is_network(kind):
        return ""
    if not allowed:
        why = f"it is on a network file system ({kind}), whose locks may not keep other machines' writers out"
        raise NotWritten(
            log, why, "keep the log on a disk of this machine, or say that you alone write: --network-drive"
        )
    return f"{NOTED} ({kind}), on the writer's word that nobody writes from elsewhere"
