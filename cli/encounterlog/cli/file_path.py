"""The parameter type of a file that is no log."""

from pathlib import Path
from typing import Any

import click

from eventstore.paths import path_text, plain_path


class FilePath(click.Path):
    """The parameter type of a file that is no log, or of a `folder`, whose path may end with a slash."""

    def __init__(self, *, readable: bool = True, folder: bool = False) -> None:
        super().__init__(path_type=Path, readable=readable)
        self._folder = folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Turn text into a path; raise Malformed for a text that names no file, or no folder."""
        return super().convert(path_text(value) if self._folder else plain_path(value), param, ctx)
