"""Paths of files as text in the form of pathlib, but without pathlib, which takes longer to load than a short log to read."""

import os
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from eventstore.malformed import Malformed

if TYPE_CHECKING:
    from pathlib import Path

    AnyPath = str | Path
else:
    AnyPath = str | os.PathLike
"""A path as text or as an object of pathlib."""


def path_text(path: object) -> str:
    """Return a path as text; raise Malformed for anything else, such as bytes or an empty text."""
    text = path.__fspath__() if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise Malformed("address", f"a path is text or os.PathLike of text, got {type(text).__name__}")
    if not text:
        raise Malformed("address", "no file name given", "give the path of a file")
    return text


def modules_in(folder: str) -> list[str]:
    """Return the names of the modules and packages in the folder of a package, without the package itself."""
    return sorted(found.name for found in iter_modules([folder]))


def plain_path(path: AnyPath) -> str:
    """Return the path of a file as text in the form that pathlib gives it, without needless parts, such as the dot in ./ford.jsonl.

    Raises Malformed for what is no path, and for one that only a folder can have, such as ford.jsonl/.
    """
    text = path_text(path)
    first, *others = text.split("/")
    if os.name != "nt" and first != "." and "" not in others and "." not in others:
        return text
    if name_of(text) in ("", ".") and text != ".":
        missing = "" if os.path.isdir(text) else " that is not there"
        raise Malformed(
            "address", f"{text} names a folder{missing}", "leave out the / at its end, or name a file in the folder"
        )
    from pathlib import Path  # only for an unusual path

    return str(Path(text))


def name_of(path: AnyPath) -> str:
    """Return the name of a file in its folder."""
    return os.path.basename(path)


def folder_of(path: AnyPath) -> str:
    """Return the folder of a file."""
    return os.path.dirname(path) or "."


def path_beside(path: AnyPath, name: str) -> str:
    """Return the path of another file in the folder of a file."""
    return os.path.join(os.path.dirname(path), name)


def with_suffix(path: AnyPath, ending: str) -> str:
    """Return the path of a file with another ending, such as .json."""
    return os.path.splitext(path)[0] + ending


def real_path(path: str) -> str:
    """Return the real path of a log: side files are beside the file itself, not beside a link to it."""
    try:
        return os.path.realpath(path) if os.path.islink(path) else path
    except (OSError, ValueError):  # opening it gives the reason
        return path
