"""Writing a file that is no log: whole or not at all, at a free name, or in the place of one of our own.

A file of our own is known by its content, never by its name.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from encounterlog.errors import Refused
from eventstore import files
from eventstore.disk import APPEND, MACHINE
from eventstore.wording import visible

Check = Callable[[Path], None]  # raises Refused for an ordinary file that is not to be replaced


def name_taken(file: Path, hint: str = "choose another name") -> Refused:
    """Return the failure of a name that is taken."""
    return Refused("usage", f"{visible(str(file))} is already there", hint)


def refuse_existing(file: Path) -> None:
    """Raise the error of a file that takes no other's place: a check that nothing passes."""
    raise name_taken(file)


def check_ours(file: Path, check: Check) -> None:
    """Raise Refused for an obstacle that cannot be replaced: no ordinary file, a link that leads nowhere, or one that `check` names."""
    if not os.path.lexists(file):
        return
    if file.is_symlink() and not file.exists():
        raise name_taken(file, "it is a link that leads nowhere: choose another name")
    if not file.is_file():
        raise Refused("refused", f"{visible(str(file))} is not an ordinary file", "choose one, or another name")
    check(file)


@contextmanager
def write_whole(file: Path, check: Check = refuse_existing) -> Iterator[Path]:
    """Give a path to write at, of a draft; the draft becomes the file, whole and durably, or nothing is left of it.

    At a free name the file is a new one. It takes the place of another only if `check` passes that one, which is asked before,
    and once more at the end; then a link to the file stays, and who may read it. Raises Refused.
    """
    is_new = not os.path.lexists(file)
    check_ours(file, check)
    place = file.resolve()
    draft = Path(files.draft_name(str(place)))
    try:
        draft.touch(0o666 if is_new else place.stat().st_mode & 0o777, exist_ok=False)
        yield draft
        fd = MACHINE.open(str(draft), APPEND)
        try:
            MACHINE.sync(fd)
        finally:
            MACHINE.close(fd)
        if is_new:
            try:
                files.put_in_place(MACHINE, str(draft), str(place))
            except FileExistsError:
                raise name_taken(place) from None
        else:
            check_ours(file, check)
            draft.chmod(place.stat().st_mode & 0o777)
            draft.replace(place)
        files.sync_name(MACHINE, str(place))
    finally:
        draft.unlink(missing_ok=True)


def write_text(file: Path, text: str, check: Check = refuse_existing) -> None:
    """Write a text into a file as `write_whole` does; raise Refused, OSError."""
    with write_whole(file, check) as draft:
        draft.write_text(text, "utf-8")
