"""What can be asked of a log, a module a question or a few: asked there, and put into words. The command, the endpoint, the method and
the reference follow from its `Question`, called as the question is, in capitals, and a row in the table below.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from importlib import import_module
from typing import Any, NamedTuple


class Kind(Enum):
    """The kinds of value of an argument."""

    TEXT = "text"
    WORDS = "words"  # text that may be given as several words on the command line
    FLAG = "flag"
    NUMBER = "number"
    POINT = "point"  # a point of a log
    TEXTS = "texts"  # any number of texts
    NUMBERS = "numbers"  # any number of record numbers
    FACTS = "facts"  # any number of pairs of a record number and a fact


class Argument(NamedTuple):
    """An argument of a question: its name over HTTP and as an option, the name of its field in Python, and its meaning."""

    name: str
    field: str
    kind: Kind
    says: str
    metavar: str = ""
    positional: bool = False  # it stands without a name on the command line
    needed: bool = False
    for_people: bool = False  # it changes only what is printed for people, and is no parameter over HTTP
    command_asks: bool = False  # though it is needed, the command itself says that it is missing
    most: int = 2000  # the greatest number of characters


class Answer(NamedTuple):
    """An answer: its data, printed with --json and sent over HTTP, and its lines for people; each is made when it is asked for."""

    data: Callable[[], Any]
    lines: Callable[[], Iterable[str]]
    differs: bool = False  # whether the exit code of the command is 1


class Question(NamedTuple):
    """A question about a log. `ask` takes the log and the fields of the arguments and returns an Answer; it raises as the log does.

    If it is answered `in_lines`, while the log is read, `ask` also takes a function, which gets each line, and `for_people`; then
    that is a list of lines of text, else data. `type` is the type of the data, or of each line of them, as MODULE:NAME.
    """

    name: str
    explains: str  # the help of the command
    arguments: tuple[Argument, ...]
    ask: Callable[..., Any]
    type: str
    examples: str = ""
    in_lines: bool = False
    has_as_of: bool = True  # whether it can be asked of what was known when the log ended with an earlier record
    shows: str = ""  # the word that a terminal shows while a long log is read, such as "checking"

    def answer_type(self) -> Any:
        """Return the type of the data, or of each line of them."""
        module, _, name = self.type.partition(":")
        return getattr(import_module(module), name)


AT = Argument(  # the point to stop at
    "at", "where", Kind.POINT,
    "A point: 12 (a record), r2 (round 2), r2s5 (its segment 5), s1 (segment 1 of surprise, before round 1), r3.ana "
    "(ana's turn in round 3), r2.bo.4 (turn of bo, second 4), SEQ:HASH. Corrections made later are applied.",
    "WHERE", most=200,
)  # fmt: skip
AS_OF_SAYS = "The log as it was when it ended with this record, without later corrections."
QUESTIONS = {  # every question by name, with what it does in one line
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
ELSEWHERE = {  # the modules of questions that are not called as the question is
    **dict.fromkeys(("log", "replay", "first"), "ask.listing"),
    **dict.fromkeys(("whatif", "diff"), "ask.compare"),
    "stats": "exporters.stats",
}


def question_named(name: str) -> Question:
    """Return a question by its name; its module is imported only now."""
    found: Question = getattr(import_module(f"encounterlog.{ELSEWHERE.get(name, f'ask.{name}')}"), name.upper())
    return found
