"""The command `encounter`: the commands by group and name, imported only when they are used; each ends with an exit code, or an error as a sentence.

A new command needs a function of its name in the module of its subject, and a row here. A question needs no function, unless its
command does more than ask it.
"""

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

import click

from encounterlog import __version__
from encounterlog.ask import QUESTIONS
from encounterlog.progress_line import set_progress_display


class Row(NamedTuple):
    """A command: the module with its function, "" for one that only asks; what it does in one line; whether it writes to a log."""

    module: str
    says: str
    writes: bool = False


DOES_MORE = frozenset({"log", "replay", "diff", "whatif"})  # the questions whose commands do more than ask them
GROUPS = {
    "Begin": {
        "demo": Row("start", "Play through a disputed round that comes with the program."),
        "new": Row("start", "Create the log of an encounter.", writes=True),
        "import": Row("importing", "Create a log from a recorded combat or from another log.", writes=True),
    },
    "Record": {
        "add": Row("add", "Add one line of the language, such as b o 14 6.", writes=True),
        "play": Row("play", "Type lines of the language, each written at once.", writes=True),
        "append": Row("record", "Add facts to a log: JSON lines, all or nothing.", writes=True),
        "dice": Row("record", "Begin a chain of dice that nobody can doubt, and show what was drawn.", writes=True),
    },
    "Look": {
        **{name: Row("look" if name in DOES_MORE else "", says) for name, says in QUESTIONS.items() if name != "audit"},
        "list": Row("look", "List the logs in a folder or a database."),
    },
    "Settle": {
        "audit": Row("many", QUESTIONS["audit"]),
        "ruling": Row("correct", "Record the game master's word.", writes=True),
    },
    "Correct": {
        "undo": Row("correct", "Take back the last append.", writes=True),
        "redo": Row("correct", "Take back an undo.", writes=True),
        "strike": Row("correct", "Take records out of the corrected stream; they stay in the file.", writes=True),
        "amend": Row("correct", "Put other fields into a fact; the record stays.", writes=True),
    },
    "Share": {
        "serve": Row("share", "Serve the logs of a folder: the GM writes, everybody follows.", writes=True),
        "mcp": Row("share", "Let an assistant record, check and explain: Model Context Protocol.", writes=True),
        "invite": Row("share", "Print a link with which a person opens an encounter.", writes=True),
        "export": Row("export", "Export a log, verified, with payloads withheld if wanted."),
    },
    "Files": {
        "head": Row("files", "Print the end of a log as SEQ:HASH, an anchor to keep elsewhere."),
        "sign": Row("files", "Sign the end of a log with an Ed25519 key."),
        "verify": Row("files", "Check that nobody changed a log, line by line."),
        "repair": Row("files", "Keep the intact part of a damaged log, and set the rest aside.", writes=True),
        "backup": Row("files", "Copy all logs of a database into a folder, line by line, verified."),
        "restore": Row("files", "Create the logs of a folder in a database.", writes=True),
        "migrate": Row("files", "Make or change the tables for logs in a PostgreSQL database.", writes=True),
        "remove": Row("files", "Remove a log from a database, for ever.", writes=True),
    },
    "Rulesets": {
        "rules": Row("rules", "List rulesets, their clauses and options; print a clause in full."),
        "srd": Row("rules", "Print what the reference documents say of a monster or a spell."),
        "schema": Row("schema", "List the types of facts and their fields; print JSON Schema."),
        "run": Row("rules", "Run encounter scripts, and check what they expect.", writes=True),
        "fmt": Row("rules", "Write encounter scripts in notation, in order."),
    },
}
"""Every command by group and name, in the order of the help."""
COMMANDS = {name: row for rows in GROUPS.values() for name, row in rows.items()}  # every command by name


def load_command(name: str) -> click.Command:
    """Return the click command of a name; its module is imported only now."""
    named = COMMANDS[name].module
    module = import_module(f"encounterlog.cli.{named or 'asking'}")
    function = f"{name}_" if name in ("import", "list") else name  # which mean something in Python
    found: click.Command = getattr(module, function) if named else module.make_command(name)
    return found


class Encounter(click.Group):
    """The group of all commands, found in a table; every error ends as a sentence and an exit code."""

    writes = False  # whether the command that runs adds to a log

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 – click's signature
        """Return the names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

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
            from encounterlog.errors import misspelt_word  # with the store, which --help and --version do without

            known = () if args[0] == "help" else COMMANDS
            helps = "encounter --help lists them, encounter COMMAND --help explains one"
            raise misspelt_word("command", args[0], known, helps)
        self.writes = bool(args) and args[0] in COMMANDS and COMMANDS[args[0]].writes
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; interruptions, which click would handle itself, are exit codes."""
        return run_until_stopped(lambda: super(Encounter, self).invoke(ctx))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run the command line and exit with its code; no error ever shows a traceback."""
        options["standalone_mode"] = False
        run_and_exit(lambda: super(Encounter, self).main(args, *rest, **options), lambda: self.writes)


@click.command(
    cls=Encounter,
    epilog="A log is one file of JSON lines. Start with: encounter demo",
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
    widest = max(map(len, GROUPS))
    click.echo(f"{ctx.command.help}\n\nUsage: encounter COMMAND [ARGS]...\n")
    click.echo("\n".join(f"  {title.ljust(widest)}  {' '.join(rows)}" for title, rows in GROUPS.items()))
    click.echo("\nencounter --help says what each does, and encounter COMMAND --help how.")
    click.echo("Next: encounter demo   plays a disputed round, and deletes it again")
    return 2


def run_and_exit(command: Callable[[], Any], writes: Callable[[], bool]) -> NoReturn:
    """Run a command and exit with its code; no error ever shows a traceback. `writes` says whether it adds to a log."""
    try:
        for name in ("stdin", "stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:
                setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115, PTH123
            elif name != "stdin" and hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        set_progress_display(lambda line: _import_failures().output.show_progress(line))  # noqa: PLW0108 – loaded only then
        code = command()
        sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 – every error ends as a sentence and an exit code
        code = _import_failures().print_error_and_exit_code(error, writes())
    sys.exit(code if isinstance(code, int) else 0)


def run_until_stopped(command: Callable[[], Any]) -> Any:
    """Run a command; where it is interrupted from outside, or its output is no longer read, return the exit code of that."""
    try:
        return command()
    except (BrokenPipeError, KeyboardInterrupt) as error:
        return _import_failures().exit_code_when_stopped(error)


def _import_failures() -> ModuleType:
    from encounterlog.cli import failures  # with the store, as above

    return failures
