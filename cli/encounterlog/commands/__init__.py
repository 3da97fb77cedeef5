"""The commands, one module each. To add one: write its module with a click command named `command`, and a row here."""

from encounterlog.questions import QUESTIONS


class Row:
    """A command: its module, what it does in one line, and whether it writes to a log."""

    def __init__(self, module: str, says: str, *, writes: bool = False) -> None:
        self.module, self.says, self.writes = module, says, writes


COMMANDS = {
    "demo": Row("demo", "Play through a disputed round that comes with the program."),
    "new": Row("new", "Create the log of an encounter.", writes=True),
    "append": Row("append", "Add facts to a log: JSON lines, all or nothing.", writes=True),
    "add": Row("add", "Add one line of the table grammar, such as b o 14 6.", writes=True),
    "play": Row("play", "Type lines of the table grammar, each written at once.", writes=True),
    "show": Row("show", QUESTIONS["show"]),
    "log": Row("log", QUESTIONS["log"]),
    "replay": Row("replay", QUESTIONS["replay"]),
    "why": Row("why", QUESTIONS["why"]),
    "may": Row("may", QUESTIONS["may"]),
    "blame": Row("blame", QUESTIONS["blame"]),
    "first": Row("first", QUESTIONS["first"]),
    "whatif": Row("whatif", QUESTIONS["whatif"]),
    "diff": Row("diff", QUESTIONS["diff"]),
    "audit": Row("audit", QUESTIONS["audit"]),
    "undo": Row("undo", "Take back the last append.", writes=True),
    "redo": Row("redo", "Take back an undo.", writes=True),
    "strike": Row("strike", "Take records out of the corrected stream; they stay in the file.", writes=True),
    "amend": Row("amend", "Put other fields into a fact; the record stays.", writes=True),
    "ruling": Row("ruling", "Record the game master's word.", writes=True),
    "dice": Row("dice", "Begin a chain of dice that nobody can doubt, and show what was drawn.", writes=True),
    "verify": Row("verify", "Check that nobody changed a log, line by line."),
    "repair": Row("repair", "Keep the intact part of a damaged log, and set the rest aside.", writes=True),
    "head": Row("head", "Print the end of a log as SEQ:HASH, an anchor to keep elsewhere."),
    "sign": Row("sign", "Sign the end of a log with an Ed25519 key."),
    "list": Row("list", "List the logs in a folder or a database."),
    "import": Row("import_combat", "Create a log from a recorded combat or from another log.", writes=True),
    "export": Row("export", "Export a log, verified, with payloads withheld if wanted."),
    "migrate": Row("migrate", "Make or change the tables for logs in a PostgreSQL database.", writes=True),
    "backup": Row("backup", "Copy all logs of a database into a folder, line by line, verified."),
    "restore": Row("restore", "Create the logs of a folder in a database.", writes=True),
    "remove": Row("remove", "Remove a log from a database, for ever.", writes=True),
    "stats": Row("stats", QUESTIONS["stats"]),
    "run": Row("run", "Run encounter scripts, and check what they expect.", writes=True),
    "fmt": Row("fmt", "Write encounter scripts in the table grammar, in order."),
    "serve": Row("serve", "Serve the logs of a folder: the GM writes, everybody follows.", writes=True),
    "invite": Row("invite", "Print a link with which a person opens an encounter.", writes=True),
    "rules": Row("rules", "List rulesets, their clauses and options; print a clause in full."),
    "schema": Row("schema", "List the types of facts and their fields; print JSON Schema."),
}
"""Every command by name, in the order of the help."""
