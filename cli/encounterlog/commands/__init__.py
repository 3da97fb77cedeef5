"""The commands, one module each. A new one needs a module with a click command named `command`, and a row in a group here.

A question needs no module, unless its command does more than ask it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from encounterlog.questions import QUESTIONS

if TYPE_CHECKING:
    from click import Command


class CommandEntry:
    """A command: its module, what it does in one line, and whether it writes to a log."""

    def __init__(self, module: str, says: str, *, writes: bool = False) -> None:
        self.module, self.says, self.writes = module, says, writes


GROUPS = {
    "Begin": {
        "demo": CommandEntry("demo", "Play through a disputed round that comes with the program."),
        "new": CommandEntry("new", "Create the log of an encounter.", writes=True),
        "import": CommandEntry(
            "import_combat", "Create a log from a recorded combat or from another log.", writes=True
        ),
    },
    "Record": {
        "add": CommandEntry("add", "Add one line of the table grammar, such as b o 14 6.", writes=True),
        "play": CommandEntry("play", "Type lines of the table grammar, each written at once.", writes=True),
        "append": CommandEntry("append", "Add facts to a log: JSON lines, all or nothing.", writes=True),
        "dice": CommandEntry(
            "dice", "Begin a chain of dice that nobody can doubt, and show what was drawn.", writes=True
        ),
    },
    "Look": {
        **{name: CommandEntry(name, says) for name, says in QUESTIONS.items() if name != "audit"},
        "list": CommandEntry("list", "List the logs in a folder or a database."),
    },
    "Settle": {
        "audit": CommandEntry("audit", QUESTIONS["audit"]),
        "ruling": CommandEntry("ruling", "Record the game master's word.", writes=True),
    },
    "Correct": {
        "undo": CommandEntry("undo", "Take back the last append.", writes=True),
        "redo": CommandEntry("redo", "Take back an undo.", writes=True),
        "strike": CommandEntry(
            "strike", "Take records out of the corrected stream; they stay in the file.", writes=True
        ),
        "amend": CommandEntry("amend", "Put other fields into a fact; the record stays.", writes=True),
    },
    "Share": {
        "serve": CommandEntry("serve", "Serve the logs of a folder: the GM writes, everybody follows.", writes=True),
        "invite": CommandEntry("invite", "Print a link with which a person opens an encounter.", writes=True),
        "export": CommandEntry("export", "Export a log, verified, with payloads withheld if wanted."),
    },
    "Files": {
        "head": CommandEntry("head", "Print the end of a log as SEQ:HASH, an anchor to keep elsewhere."),
        "sign": CommandEntry("sign", "Sign the end of a log with an Ed25519 key."),
        "verify": CommandEntry("verify", "Check that nobody changed a log, line by line."),
        "repair": CommandEntry("repair", "Keep the intact part of a damaged log, and set the rest aside.", writes=True),
        "backup": CommandEntry("backup", "Copy all logs of a database into a folder, line by line, verified."),
        "restore": CommandEntry("restore", "Create the logs of a folder in a database.", writes=True),
        "migrate": CommandEntry("migrate", "Make or change the tables for logs in a PostgreSQL database.", writes=True),
        "remove": CommandEntry("remove", "Remove a log from a database, for ever.", writes=True),
    },
    "Rulesets": {
        "rules": CommandEntry("rules", "List rulesets, their clauses and options; print a clause in full."),
        "srd": CommandEntry("srd", "Print what the reference documents say of a monster or a spell."),
        "schema": CommandEntry("schema", "List the types of facts and their fields; print JSON Schema."),
        "run": CommandEntry("run", "Run encounter scripts, and check what they expect.", writes=True),
        "fmt": CommandEntry("fmt", "Write encounter scripts in the table grammar, in order."),
    },
}
"""Every command by group and name, in the order of the help."""
COMMANDS = {name: row for rows in GROUPS.values() for name, row in rows.items()}
"""Every command by name."""


def command(name: str) -> "Command":
    """Return the click command of a name; its module is imported only now."""
    from importlib.util import find_spec

    module = f"encounterlog.commands.{COMMANDS[name].module}"
    if name in QUESTIONS and find_spec(module) is None:
        from encounterlog.terminal.question_commands import command_of

        return command_of(name)
    found: Command = import_module(module).command
    return found
