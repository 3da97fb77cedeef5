"""What can be asked of a log, a module a question or a few: asked there, and put into words. The command, the endpoint, the method and
the reference follow from its `Question`, called as the question is, in capitals.

To add one: such a module, and a row in the table below.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encounterlog.ask.question import Question

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
ELSEWHERE = {
    **dict.fromkeys(("log", "replay", "first"), "ask.listing"),
    **dict.fromkeys(("whatif", "diff"), "ask.compare"),
    "stats": "exporters.stats",
}
"""The modules of questions that are not called as the question is."""


def question_named(name: str) -> "Question":
    """Return a question by its name; its module is imported only now."""
    module = import_module(f"encounterlog.{ELSEWHERE.get(name, f'ask.{name}')}")
    found: Question = getattr(module, name.upper())
    return found
