"""The acts that a combatant may do, those that are owed, and the clauses that bar the rest."""

from collections.abc import Iterator

from encounterlog.ask import AT, Answer, Argument, Kind, Question, addressing
from encounterlog.ask.why import describe_hindrance, is_own_turn, replay_past
from encounterlog.errors import Refused
from encounterlog.log.logs import LogView
from encounterlog.words.facts import fact_sentence
from encounterlog.words.layout import heading, reason_lines, wrap
from encounterlog.words.naming import make_voice
from encounterlog.words.phrases import Name, as_sentence, listed_briefly
from projections.explaining.may import ACTS, Choice, Choices, May, list_choices
from projections.explaining.past import Past
from projections.time import Where


def find_choices(log: LogView, who: str, where: Where | None) -> tuple[Choices, Past]:
    """Return a combatant's choices, and the log up to that point; raise Refused for a name that nobody has, or several."""
    past = replay_past(log, where)
    try:
        return list_choices(past, addressing.resolve_combatant(past.state, who) if who else ""), past
    except Refused as unknown:
        raise (log.problem or unknown) from None  # who is named may join behind the fault


def describe_choice(one: Choice, whose: May, name: Name) -> str:
    """Return a choice in words."""
    match one.kind:
        case "turn":
            return _describe_turn(one, whose, name)
        case "due" | "act":
            return f"{one.what}, before {one.before}" if one.before else one.what
        case "reaction":
            return f"a reaction to {f'{one.to.seq}: {fact_sentence(one.to.event, name)}' if one.to else 'nothing'}"
        case "held":
            return f"{one.what}, which is held"
    if one.status == "unknown":
        return f"{one.what}: how much is left" if one.what != ACTS else "what a turn gives: no clause says it"
    spent = {"own-turn": "only in its own turn", "outside-own-turn": "only outside its own turn"}
    acts = f"for {', '.join(one.acts)}" if one.acts and one.status == "open" else ""
    done = "; ".join(f"{each.seq} {fact_sentence(each.event, name)}" for each in one.after[-4:])
    where = spent.get(one.where, one.where) if one.where else ""
    return listed_briefly((f"{one.what}: {one.left} left", where, acts, f"after {done}" if done else ""))


def _describe_turn(one: Choice, whose: May, name: Name) -> str:
    who = name(whose.combatant)
    if others := [each for each in whose.hindrances if not is_own_turn(each, whose.combatant)]:
        return as_sentence(describe_hindrance(others[0], name)).rstrip(".")
    if one.status == "unknown":
        return f"whether {who} may act now"
    if whose.hindrances:
        return f"the turn of {who} goes on"
    waits = any(each.where == "own-turn" and each.status == "barred" for each in whose.choices)
    return f"{who}'s turn may begin" if waits else f"{who} may act now"


def ask(log: LogView, who: str = "", where: Where | None = None) -> Answer:
    """Return what is open to a combatant; raise Refused for a name that nobody has, or several."""
    found, past = find_choices(log, who, where)

    def lines() -> Iterator[str]:
        name = make_voice(past.state)
        for one in found.people:
            yield heading(name(one.combatant))
            for each in one.choices:
                yield from wrap(describe_choice(each, one, name), " " * 11, f"  {each.status:<9}")
                if each.status in ("barred", "owed") and (each.because.rules or each.because.events):
                    yield from reason_lines(each.because)
        if not found.people:
            yield "nobody may act: the fight is over" if past.state.closed else "nobody has the turn, and nobody is due"
        for lack in found.missing:
            yield from wrap(f"the order is not known yet: {lack}")

    return Answer(lambda: found, lines)


MAY = Question(
    "may", """Print the choices of WHO in the log FILE: resources, owed throws, and the clause that bars the rest.

    Without WHO it answers for those whose turn it is, or else for those who are due, and for all who owe something. A
    choice is unknown if neither the log nor the ruleset decides it. An open choice may still come outside the turn;
    the first line says whose turn it is.
    """,
    (Argument("who", "who", Kind.TEXT, "Whose choices; without it those of whose turn it is, or who are due.", positional=True, most=200), AT),
    ask, "projections.explaining.may:Choices",
    "encounter may ford.jsonl\nencounter may ford.jsonl ana --at r2",
)  # fmt: skip
