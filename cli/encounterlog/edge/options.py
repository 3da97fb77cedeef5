"""What several commands take in common: files, --by, --json, --at."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from encounterlog.edge.failures import USAGE, Failure
from eventstore.chain import Anchor
from eventstore.errors import Malformed
from eventstore.form import is_normal, visible
from projections.time import Where

WHERE_HELP = (
    "A point: 12 (a record), r2 (round 2), r2s5 (its segment 5), s1 (segment 1 of surprise, before round 1), r3.ana "
    "(ana's turn in round 3), r2.bo.4 (turn of bo, second 4), SEQ:HASH. It shows that point of the telling as it has "
    "been corrected since."
)


if TYPE_CHECKING:
    _Where = click.ParamType[Where]
    _Anchor = click.ParamType[Anchor]
else:  # before click 8.4 it takes no type
    _Where = _Anchor = click.ParamType


class Point(_Where):
    """Reads WHERE."""

    name = "WHERE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Where:  # noqa: ARG002
        """Turn text into a point of a log."""
        return value if isinstance(value, Where) else Where.parse(value)


class Anchored(_Anchor):
    """Reads SEQ:HASH."""

    name = "SEQ:HASH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Anchor:  # noqa: ARG002
        """Turn text into an anchor."""
        return value if isinstance(value, Anchor) else Anchor.parse(value)


def _check_by(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    if not 1 <= len(value) <= 120:
        raise Failure(USAGE, f"--by has {len(value)} characters, 1 to 120 are allowed")
    if not is_normal(value):
        raise Malformed("by", f"{value!r} is not text in Unicode normal form C")
    if visible(value) != value:
        raise Malformed("by", f"'{value}' has characters that cannot be seen", "give a plain name")
    return value


file = click.argument("file", type=click.Path(path_type=Path, readable=False))
"""The log; whether it can be read says whoever reads it."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""--json on reading commands."""

by = click.option(
    "--by",
    envvar="ENCOUNTER_BY",
    default="gm",
    metavar="NAME",
    callback=_check_by,
    help="Who writes this down; else ENCOUNTER_BY from the environment, else gm.",
)
"""Who writes."""

mode = click.option(
    "--mode",
    type=click.Choice(("durable", "flushed")),
    default="durable",
    show_default=True,
    help="Once it returns, durable facts survive a power cut; flushed ones only the end of this program, and are quicker.",
)
"""How safe an append is."""

network_drive = click.option(
    "--network-drive",
    is_flag=True,
    help="Write even on a network drive, on your word that nobody else does meanwhile; the log notes it.",
)
"""Whether to write where locks may not hold."""

at = click.option("--at", "where", type=Point(), help=WHERE_HELP)
"""Up to which point."""


number = click.option(
    "--round",
    "number",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only this round; 0 is what lies before the first.",
)
"""Which round."""

actor = click.option("--actor", metavar="ID", help="Only what this combatant or side does, or what is done to it.")
"""Whose facts."""


def now() -> str:
    """Return the time as a log has it: RFC 3339, UTC, microseconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
