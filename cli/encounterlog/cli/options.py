"""Arguments and options that several commands share: files, --by, --json, --at."""

import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from encounterlog.ask.question import AS_OF_SAYS
from encounterlog.errors import Refused
from encounterlog.installed import Formats
from encounterlog.places import databases
from encounterlog.places.stores import parse_address
from eventstore.address import is_url
from eventstore.errors import Malformed
from eventstore.form import is_normal
from eventstore.paths import path_text, plain_path
from eventstore.wording import visible


class Format(click.Choice):  # type: ignore[type-arg]  # it is generic only in later versions
    """The name of a format; those of other distributions are looked for only where it is none of ours."""

    def __init__(self, formats: Formats[Any]) -> None:
        super().__init__(tuple(formats.own))
        self._formats = formats

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; raise UsageError for one that there is not, Refused for one of a distribution that is not installed."""
        if value not in self.choices:
            self.choices = tuple(self._formats)
            if self._formats.is_elsewhere(value):
                _ = self._formats[value]  # which raises
        return super().convert(value, param, ctx)


class OfFormats(click.Command):
    """A command that lists formats at the end of its help."""

    def __init__(self, *given: Any, formats: Formats[Any], **more: Any) -> None:
        self._formats = formats
        ours = "\n\n".join(f"{name}: {row.says}" for name, row in formats.own.items())
        super().__init__(*given, **more)
        self.epilog = f"Formats:\n\n{ours}"

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the formats, also those of other distributions."""
        self.epilog = "\n\n".join(("Formats:", *self._formats.lines()))
        super().format_epilog(ctx, formatter)


class Located(click.Path):
    """The parameter type of a log's address: a path, or a URL. With `folders` a path may be that of a folder, as it is
    typed. With `stdin` it may be -, standard input.
    """

    def __init__(self, *, folders: bool = False, stdin: bool = False) -> None:
        super().__init__(path_type=str, readable=False)
        self._folders, self._stdin = folders, stdin

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Turn text into an address; raise Malformed for a URL of an unknown kind, and for a text that names no file."""
        if not self._stdin:
            check_no_stream(value)
        found = path_text(value) if self._folders and not is_url(value) else parse_address(value)
        return super().convert(found, param, ctx) if isinstance(found, str) else found


class LogPath(click.Path):
    """The parameter type for a place with logs, as it is typed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text; raise Malformed for standard input."""
        check_no_stream(value)
        return super().convert(value, param, ctx)


def check_no_stream(value: object) -> None:
    """Raise Malformed for -, which elsewhere is standard input or output."""
    if value == "-":
        says = "a log cannot be read from standard input, nor be written to standard output"
        raise Malformed("address", says, "give its file; ./- is a file that is called -")


class FilePath(click.Path):
    """The parameter type of a file that is no log, or of a `folder`, whose path may end with a slash."""

    def __init__(self, *, readable: bool = True, folder: bool = False) -> None:
        super().__init__(path_type=Path, readable=readable)
        self._folder = folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Turn text into a path; raise Malformed for a text that names no file, or no folder."""
        return super().convert(path_text(value) if self._folder else plain_path(value), param, ctx)


class Whole(click.ParamType):  # type: ignore[type-arg]  # as above
    """The parameter type of a whole number within limits."""

    name = "N"

    def __init__(self, least: int = 0, most: int | None = None) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Turn text into a whole number."""
        number = int(value) if re.fullmatch(r"[0-9]{1,15}", str(value)) else -1
        if number >= self._least and (self._most is None or number <= self._most):
            return number
        up_to = "" if self._most is None else f" to {self._most:,}"
        raise _invalid_value(value, f"a whole number from {self._least}{up_to}", param, ctx)


class Seconds(click.ParamType):  # type: ignore[type-arg]  # as above
    """The parameter type of a time in seconds, from a tenth on."""

    name = "SECONDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Turn text into a number of seconds."""
        with suppress(ValueError):
            if 0.1 <= float(value) < math.inf:
                return float(value)
        raise _invalid_value(value, "a number of seconds from 0.1", param, ctx)


def _invalid_value(value: object, says: str, param: click.Parameter | None, ctx: click.Context | None) -> Refused:
    called = param.opts[0] if isinstance(param, click.Option) else param and param.human_readable_name.strip("[].")
    where = f"{called}: " if called else ""
    return Refused("usage", f"{where}'{str(value)[:40]}' is not {says}", f"{ctx.command_path} --help" if ctx else "")


def _check_by(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    if not 1 <= len(value) <= 120:
        raise Refused("usage", f"--by has {len(value)} characters, 1 to 120 are allowed")
    if not is_normal(value):
        raise Malformed("by", f"{value!r} is not text in Unicode normal form C")
    if visible(value) != value:
        raise Malformed("by", f"'{value}' has invisible characters", "give a plain name")
    return value


def _check_database(_ctx: click.Context, _param: click.Parameter, value: Any) -> Any:
    if isinstance(value, str):
        raise Malformed("address", f"{value} is no database", "that of a database is postgresql://USER@HOST/DATABASE")
    return databases.only_database(value)


file = click.argument("file", type=Located())
"""The log; it is checked where it is read."""

database = click.argument("database", type=Located(), callback=_check_database)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

by = click.option(
    "--by",
    envvar="ENCOUNTER_BY",
    default="gm",
    metavar="NAME",
    callback=_check_by,
    help="The writer's name; by default ENCOUNTER_BY from the environment, else gm.",
)

mode = click.option(
    "--mode",
    type=click.Choice(("durable", "flushed")),
    default="durable",
    show_default=True,
    help="When the command returns, durable facts survive a power cut; flushed ones, which are quicker, only the end of the program.",
)

network_drive = click.option(
    "--network-drive",
    is_flag=True,
    help="Write even to a network drive, if you are sure that nobody else is writing; the log notes it.",
)

as_of = click.option("--as-of", type=Whole(), metavar="SEQ", help=AS_OF_SAYS)


audience = click.option(
    "--for",
    "audience",
    type=click.Choice(("players",)),
    help="The players' view, from the log without payloads that are secret or concern a hidden combatant.",
)

because = click.option("--because", metavar="TEXT", help="The reason; it is kept in the log.")

after = click.option("--after", type=Whole(), metavar="SEQ", help="Write only if the log still ends with this record.")

dry_run = click.option(
    "--dry-run", is_flag=True, help="Write nothing; show the facts that would be written, and their changes."
)

consequences = click.option(
    "--with-consequences/--alone",
    "with_consequences",
    default=None,
    help="Strike the consequences of the struck facts, too, or leave them; without either, a terminal asks.",
)
