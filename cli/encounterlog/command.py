"""The command `encounter`: a click group that imports a command only when it is used."""

from collections.abc import Sequence
from typing import Any

import click

from encounterlog import __version__
from encounterlog.commands import COMMANDS, GROUPS
from encounterlog.commands import command as command_of
from encounterlog.terminal import ending

EPILOG = "A log is one file of JSON lines. Start with: encounter demo"


class Encounter(click.Group):
    """The group of all commands, found in a table; every error ends as a sentence and an exit code."""

    writes = False
    """Whether the command that runs adds to a log."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 – click's signature
        """Return the names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        return command_of(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands from the table alone, group by group."""
        widest = max(map(len, COMMANDS))
        for title, rows in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), row.says) for name, row in rows.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; raise Refused for a misspelt one, with the nearest as a hint."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from encounterlog.errors import misspelt

            known = () if args[0] == "help" else COMMANDS
            raise misspelt(
                "command", args[0], known, "encounter --help lists them, encounter COMMAND --help explains one"
            )
        self.writes = bool(args) and args[0] in COMMANDS and COMMANDS[args[0]].writes
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; interruptions that click would handle itself are raised as Stopped."""
        return ending.stoppable(lambda: super(Encounter, self).invoke(ctx))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run the command line and exit with its code; no error ever shows a traceback."""
        options["standalone_mode"] = False
        ending.run(lambda: super(Encounter, self).main(args, *rest, **options), lambda: self.writes)


@click.command(
    cls=Encounter,
    epilog=EPILOG,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="encounterlog %(version)s", help="Show the version and exit.")
@click.pass_context
def encounter(ctx: click.Context) -> int:
    """Keep the log of a tabletop fight, and show what happened, why, and whether it was within the rules."""
    if ctx.invoked_subcommand is not None:
        return 0
    click.echo(ctx.get_help())
    return 2
