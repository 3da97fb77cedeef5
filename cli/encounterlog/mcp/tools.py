"""The tools for assistants, as a table: what each is called, takes and changes, and the function that does it."""

from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator
from msgspec import Struct

from encounterlog.ask import QUESTIONS, question_named
from encounterlog.mcp.desk import MOST_FACTS, Desk
from encounterlog.service import bodies
from encounterlog.service.calls import GM, READERS, WRITERS
from encounterlog.service.encounters import begin_new_encounter, encounter_row
from encounterlog.service.problems import Problem
from encounterlog.service.routes import FLAG, NUMBER, Parameter, parameter_of_argument, text_schema
from eventstore.events import Noted
from projections.language.notation.tokens import word
from projections.open_types import Fields, Json

Does = Callable[..., Json]
"""A function of a desk, the name of an encounter, and the arguments of a call."""


class Tool(Struct, frozen=True):
    """A tool: its name, what it does, its function, its arguments, the roles that have it, and whether it adds to a log."""

    name: str
    says: str
    does: Does
    parameters: tuple[Parameter, ...]
    roles: frozenset[str] = READERS
    writes: bool = False

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its arguments."""
        properties = {each.name: each.schema | {"description": each.says} for each in self.parameters}
        needed = [each.name for each in self.parameters if each.needed]
        return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}

    def answer(self, desk: Desk, given: Fields) -> Json:
        """Return the answer to a call; raise Problem, or as the log does."""
        if desk.token.role not in self.roles:
            raise Problem(
                "forbidden",
                f"{self.name} is not for a {desk.token.role}",
                f"it is for {' and '.join(sorted(self.roles))}",
            )
        for wrong in Draft202012Validator(self.schema()).iter_errors(given):
            field = ".".join(map(str, wrong.path))
            raise Problem("bad-request", f"{field or self.name}: {wrong.message[:300]}", field=field)
        return self.does(desk, given.pop("encounter", ""), **given)


def list_encounters(desk: Desk, _name: str) -> Json:
    """Return the encounters of the campaign, each with how it stands."""
    rows = (encounter_row(desk.call(name), name, desk.token.role) for name in desk.service.shelf.names())
    return {"encounters": [{"name": each["name"], "says": each["says"]} for each in rows]}


def answer_with_page(question: str) -> Does:
    """Return the function that answers a question with the page that its command prints."""
    return lambda desk, name, **given: {"page": desk.page(question_named(question), name, given)}


def begin_encounter(desk: Desk, name: str, **given: Json) -> Json:
    """Create an encounter, never over another one."""
    wanted = bodies.check_body(bodies.Opening, given | {"by": desk.token.writer})
    _, behind = begin_new_encounter(desk.call(name), name, wanted, (wanted.party, ""))
    return {"opened": name, "left_behind": list(behind)}


def correct_records(
    desk: Desk, name: str, how: str, event: int | None = None, line: str = "", reason: str = ""
) -> Json:
    """Take the last line back, strike a record, or amend it."""
    if how in ("undo", "redo"):
        return desk.say(name, how)
    if event is None or (how == "amend") != bool(line):
        raise Problem("bad-request", f"{how}: event is a record, and line what amend makes of it", field="event")
    if how == "strike":
        return desk.say(name, f"strike {event} {reason}".strip())
    records = desk.call(name).view_for_asker().records
    is_note = 0 < event <= len(records) and isinstance(records[event - 1].event, Noted)
    return desk.say(name, f"amend {event} into {line}" if is_note else f"amend {event} {line}")


def roll_dice(desk: Desk, name: str, dice: str, purpose: str = "", combatant: str = "", **more: Any) -> Json:
    """Roll dice and record them: from the log's chain where it has one, else by the system."""
    about = f" {word(purpose)}" if purpose else ""
    whose = f" combatant={word(combatant)}" if combatant else ""
    return desk.say(name, f"roll {word(dice)}{about}{whose}", **more)


# ---------------------------------------------------------------- the table


ENCOUNTER = Parameter(
    "encounter", "The name of the encounter, as `encounters` lists it.", text_schema(200), needed=True
)
SECRET = Parameter("secret", "Kept from players; for a game master.", FLAG)
KEY = Parameter("key", "Repeated with the same key, the same is not recorded again.", text_schema(60))
LINE = "A line of the language, such as `Ana hits orc-1 for 5` or `t ana`; `help WORD` answers."
FACT = {"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}}
FACTS = Parameter(
    "facts",
    'Facts by the schema of events, such as {"type":"damage_dealt","target":"orc-1","amount":5,"source":"ana"}. A cause of -1 is the fact before.',
    {"type": "array", "items": FACT, "minItems": 1, "maxItems": MOST_FACTS},
)


def _question_parameters(name: str, *, but: tuple[str, ...] = ()) -> tuple[Parameter, ...]:
    own = (each for each in question_named(name).arguments if not each.for_people and each.name not in but)
    return ENCOUNTER, *map(parameter_of_argument, own)


def all_tools() -> tuple[Tool, ...]:
    """Return every tool."""
    needed = Parameter(FACTS.name, FACTS.says, FACTS.schema, needed=True)
    return (
        Tool("encounters", "List the encounters of the campaign.", list_encounters, ()),
        Tool("open", "Create an encounter with a ruleset, never over another one.", begin_encounter, (
            ENCOUNTER, Parameter("ruleset", "The key of the ruleset, such as plain or osric.", text_schema(120), needed=True),
            Parameter("title", "Its title.", text_schema(120)), Parameter("party", "Another encounter whose party goes on.", text_schema(250)),
            Parameter("options", "How open points of the rules are read.", {"type": "object", "additionalProperties": {"type": "string"}}),
        ), frozenset({GM}), writes=True),
        Tool("state", "Say how a fight stands: order, turn, each combatant in a line. `all` adds every reason.",
            Desk.state, _question_parameters("show")),
        Tool("say", "Record one line of the language, and say what it changed. What is not said is refused with offers, never guessed.", Desk.say,
            (ENCOUNTER, Parameter("line", LINE, text_schema(2000), needed=True), SECRET, KEY), WRITERS, writes=True),
        Tool("record", "Record facts, with the words of the table that they come from. Numbers and names that nobody said are listed as unstated: ask, do not invent.",
            Desk.record, (ENCOUNTER, Parameter("said", "What the table said, in its own words.", text_schema(1500), needed=True), needed, SECRET, KEY), WRITERS, writes=True),
        Tool("preview", "Say what a line, or facts, would record; nothing is written.", Desk.preview,
            (ENCOUNTER, Parameter("line", LINE, text_schema(2000)), FACTS), WRITERS),
        Tool("why", QUESTIONS["why"], answer_with_page("why"), _question_parameters("why")),
        Tool("audit", f"{QUESTIONS['audit']} And list what was recorded although nobody said it.",
            Desk.audit, _question_parameters("audit")),
        Tool("may", QUESTIONS["may"], answer_with_page("may"), _question_parameters("may")),
        Tool("correct", "Take the last line back, strike a record with a reason, or amend it; the log keeps both.", correct_records, (
            ENCOUNTER, Parameter("how", "What to do.", {"type": "string", "enum": ["undo", "redo", "strike", "amend"]}, needed=True),
            Parameter("event", "The record that is struck or amended.", NUMBER), Parameter("line", "What it becomes, as a line.", text_schema(2000)), Parameter("reason", "Why.", text_schema(500)),
        ), frozenset({GM}), writes=True),
        Tool("log", QUESTIONS["log"], Desk.log, (*_question_parameters("log", but=("where", "turns")), Parameter("after", "Only the facts after this record.", NUMBER))),
        Tool("roll", "Roll dice and record them, from the log's chain of dice where it has one.", roll_dice, (
            ENCOUNTER, Parameter("dice", "Such as d20+5 or 2d6.", text_schema(60), needed=True), Parameter("purpose", "What for, in a word or a few.", text_schema(60)),
            Parameter("combatant", "Whose roll it is.", text_schema(120)), SECRET, KEY), WRITERS, writes=True),
    )  # fmt: skip
