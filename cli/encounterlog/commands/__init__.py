"""The commands, one module each. To add one: write its module with a click command named `command`, and a row here."""

from typing import NamedTuple


class Row(NamedTuple):
    """Names a command's module and says in one line what it does; `writes` where it adds to a log."""

    module: str
    says: str
    writes: bool = False


COMMANDS = {
    "demo": Row("demo", "Tell, show and audit a disputed round that comes with the program."),
    "new": Row("new", "Make a log for an encounter.", writes=True),
    "append": Row("append", "Add facts to a log: JSON lines, all or nothing.", writes=True),
    "show": Row("show", "Show order, timeline and combatants at any point, with the reasons."),
    "log": Row("log", "Tell what happened, one fact a line."),
    "replay": Row("replay", "List every step with what it changed."),
    "audit": Row("audit", "Hold every fact against the rules and list what breaks them."),
    "verify": Row("verify", "Check that nobody changed a log, line by line."),
    "repair": Row("repair", "Keep what is good of a damaged log, and put the rest aside.", writes=True),
    "head": Row("head", "Print where a log ends: SEQ:HASH, to be kept elsewhere as an anchor."),
    "sign": Row("sign", "Sign where a log ends, with an Ed25519 key."),
    "list": Row("list", "List the logs in a folder."),
    "import": Row("import_combat", "Make a log of a recorded combat, or of another log.", writes=True),
    "export": Row("export", "Write a log out, verified, with payloads withheld if need be."),
    "rules": Row("rules", "List rulesets, their clauses and options; print a clause in full."),
    "schema": Row("schema", "List the types of facts and their fields; print JSON Schema."),
}
"""Every command by name, in the order of the help."""
