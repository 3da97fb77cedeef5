"""What can be asked of a log, one module each: the command, the endpoint, the method and the reference follow from its `QUESTION`.

To add one: write its module here, and a row in the table below; `cli.asking` makes its command.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encounterlog.questions.question import Question

QUESTIONS = {
    "show": "Show order, timeline and combatants at any point, with the reasons.",
    "log": "List what happened, one fact per line.",
    "replay": "Step through the facts, with what each of them changed.",
    "why": "Say why a value is as it is, with the facts and the rule.",
    "may": "Say what a combatant may do now, and which clause bars the rest.",
    "blame": "List every fact that touched a value, with its running values.",
    "first": "Print the first moment at which something held.",
    "whatif": "Show what would be different with other facts or readings.",
    "diff": "Compare two moments of a log, or two logs.",
    "audit": "Check every fact against the rules, and list what breaks them.",
    "stats": "Print who dealt, took and healed how much, and with what.",
}
"""Every question by name, with what it does in one line."""


def question_named(name: str) -> "Question":
    """Return a question by its name; its module is imported only now."""
    found: Question = import_module(f"encounterlog.questions.{name}").QUESTION
    return found
