"""Commands as functions, each of whose parameters says what it is on the command line; and the parameters that several have."""

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import click
from msgspec import Struct

from encounterlog.errors import Refused
from encounterlog.installed import Formats
from encounterlog.places import databases
from encounterlog.places.stores import parse_address
from eventstore import store
from eventstore.address import LogAddress, Url, is_url
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
        super().__init__(*given, **more)
        self._formats = formats
        self.epilog = "\n\n".join(("Formats:", *(f"{name}: {row.says}" for name, row in formats.own.items())))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the formats, also those of other distributions."""
        self.epilog = "\n\n".join(("Formats:", *self._formats.lines()))
        super().format_epilog(ctx, formatter)


class Place(click.Path):
    """A path, or an address: what a function makes of the text, which raises Malformed for one that names nothing."""

    def __init__(self, make: Callable[[str], Any], *, readable: bool = False, path_type: type = str) -> None:
        super().__init__(path_type=path_type, readable=readable)
        self._make = make

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Turn text into a path, which must be readable if that is wanted, or into an address."""
        found = self._make(value)
        return super().convert(found, param, ctx) if isinstance(found, str) else found


def check_no_stream(value: str) -> str:
    """Return a text; raise Malformed for -, which elsewhere is standard input or output."""
    if value == "-":
        says = "a log cannot be read from standard input, nor be written to standard output"
        raise Malformed("address", says, "give its file; ./- is a file that is called -")
    return value


def _database_address(text: str) -> Url:
    found = parse_address(check_no_stream(text))
    if isinstance(found, str):
        raise Malformed("address", f"{found} is no database", "that of a database is postgresql://USER@HOST/DATABASE")
    return databases.only_database(found)


SOURCE = Place(lambda text: parse_address(text) if is_url(text) else path_text(text))  # a log, a folder, or -
LOG_OR_FOLDER = Place(lambda text: SOURCE.convert(check_no_stream(text), None, None))
LOG = Place(lambda text: parse_address(check_no_stream(text)))
AS_TYPED = Place(check_no_stream)  # a place with logs, as it is typed
READABLE = Place(plain_path, readable=True, path_type=Path)  # a file that can be read, if it is there
FILE = Place(plain_path, path_type=Path)
DATABASE = Place(_database_address)
FOLDER = Place(path_text, path_type=Path)  # a folder, whose path may end with a slash


class Number(click.ParamType):  # type: ignore[type-arg]  # as above
    """A number, read by a function, which returns None for a text that is none."""

    def __init__(self, name: str, says: str, read: Callable[[str], float | None]) -> None:
        self.name, self._says, self._read = name, says, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of a text; raise Refused."""
        if (number := self._read(str(value))) is not None:
            return number
        called = param.opts[0] if isinstance(param, click.Option) else param and param.human_readable_name.strip("[].")
        says = f"{f'{called}: ' if called else ''}'{str(value)[:40]}' is not {self._says}"
        raise Refused("usage", says, f"{ctx.command_path} --help" if ctx else "")


def whole(least: int = 0, most: int | None = None) -> Number:
    """Return the type of a whole number within limits."""

    def read(text: str) -> int | None:
        number = int(text) if re.fullmatch(r"[0-9]{1,15}", text) else -1
        return number if number >= least and (most is None or number <= most) else None

    return Number("N", f"a whole number from {least}{'' if most is None else f' to {most:,}'}", read)


def _read_seconds(text: str) -> float | None:
    with suppress(ValueError):
        return float(text) if 0.1 <= float(text) < math.inf else None
    return None


SECONDS = Number("SECONDS", "a number of seconds from 0.1", _read_seconds)  # a time in seconds, from a tenth on


def _writer(value: str) -> str:
    if not 1 <= len(value) <= 120:
        raise Refused("usage", f"--by has {len(value)} characters, 1 to 120 are allowed")
    if not is_normal(value):
        raise Malformed("by", f"{value!r} is not text in Unicode normal form C")
    if visible(value) != value:
        raise Malformed("by", f"'{value}' has invisible characters", "give a plain name")
    return value


class Given(NamedTuple):
    """How a parameter of a function is given on the command line: by which flag, or none; in what words; with what settings of click's."""

    name: str
    flag: str
    settings: dict[str, Any]

    def make(self, name: str, hint: Any) -> click.Parameter:
        """Return the parameter of this name; what is not said of it follows from its type."""
        if NoneType in get_args(hint):
            hint = next(each for each in get_args(hint) if each is not NoneType)
        found: dict[str, Any] = {}
        if get_origin(hint) is tuple:
            found, hint = {"multiple": True} if self.flag else {"nargs": -1}, get_args(hint)[0]
        found |= {"type": click.Choice(get_args(hint))} if get_origin(hint) is Literal else TYPES.get(hint, {})
        found |= self.settings
        return click.Option([self.flag, name], **found) if self.flag else click.Argument([name], **found)


TYPES: dict[Any, dict[str, Any]] = {bool: {"is_flag": True}, int: {"type": whole()}, Path: {"type": READABLE}}
"""The settings that follow from the type of a parameter."""
LAST = {"as_of": 1, "as_json": 2}  # the options that stand last in every help


def option(words: str, says: str, name: str = "", **settings: Any) -> Given:
    """Return how an option is given: its flag and what stands behind that, such as `--to OUT`, and what it is for."""
    flag, _, metavar = words.partition(" ")
    name = name or flag.partition("/")[0].strip("-").replace("-", "_")
    return Given(name, flag, {"help": says, "metavar": metavar or None, **settings})


def argument(name: str, metavar: str | None = None, **settings: Any) -> Given:
    """Return how an argument is given."""
    return Given(name, "", {"metavar": metavar, **settings})


def command(
    *given: Given, examples: str = "", kind: type[click.Command] = click.Command, **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a command of a function; how its parameters, or the fields of a struct, are given is in `given`
    by name, or in their annotations.
    """
    own = {each.name: each for each in given}

    def parameters_of(made: Any) -> Iterator[click.Parameter]:
        for name, hint in made.__annotations__.items():
            if get_origin(hint) is Annotated:
                yield hint.__metadata__[0].make(name, hint.__origin__)
            elif _is_struct(hint):
                yield from parameters_of(hint)
            elif hint is Any:  # all others, by their names
                yield from (each.make(each.name, hint) for each in given if each.name not in made.__annotations__)
            elif name != "return":
                yield own[name].make(name, hint)

    def decorate(function: Callable[..., Any]) -> click.Command:
        structs = {name: hint for name, hint in function.__annotations__.items() if _is_struct(hint)}

        def run(**values: Any) -> Any:
            for name, made in structs.items():
                values[name] = made(**{each: values.pop(each) for each in made.__struct_fields__})
            return function(**values)

        says = {"name": function.__name__, "help": cleandoc(function.__doc__ or ""), **settings}
        params = sorted(parameters_of(function), key=lambda each: LAST.get(each.name, 0))
        return kind(**says, callback=run, params=params, epilog=f"\b\n{examples}" if examples else None)

    return decorate


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)


File = Annotated[LogAddress, argument("file", type=LOG)]  # the log; it is checked where it is read
Database = Annotated[Url, argument("database", type=DATABASE)]
Json = Annotated[bool, option("--json", "Print JSON.")]
After = Annotated[int | None, option("--after SEQ", "Append only if the log still ends with this record.")]
_VIEW = "The players' view, from the log without payloads that are secret or concern a hidden combatant."
Audience = Annotated[Literal["players"] | None, option("--for", _VIEW)]
_KEPT = "When the command returns, durable facts survive a power cut; flushed ones, which are quicker, only the end of the program."
Mode = Annotated[store.Mode, option("--mode", _KEPT, default="durable", show_default=True)]
_DRIVE = "Write even to a network drive, if you are sure that nobody else is writing; the log notes it."
NetworkDrive = Annotated[bool, option("--network-drive", _DRIVE)]
_WRITER = "The writer's name; by default ENCOUNTER_BY from the environment, else gm."
By = Annotated[str, option("--by NAME", _WRITER, envvar="ENCOUNTER_BY", default="gm", type=_writer)]
