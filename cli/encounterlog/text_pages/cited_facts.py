"""The facts that an answer cites in sentences, dice with their sums, and the clauses that decide."""

from collections.abc import Iterable, Iterator

from encounterlog.text.facts import sentence
from encounterlog.text.layout import count, wrap
from encounterlog.text.phrases import value
from encounterlog.text.values import Name, sentence_of
from encounterlog.text_pages.audit import clause_of
from eventstore.events import (
    CombatantJoined,
    ConditionGained,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    EncounterOpened,
    Healed,
    InitiativeRolled,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SegmentReached,
    TurnStarted,
)
from projections.because import Reason
from projections.explaining.past import Cited
from projections.state import State

RULES, FACTS = 2, 6
"""How many rules and facts an answer tells, unless all are wanted."""
CLOCK = (RoundStarted, RoundEnded, TurnStarted, PhaseReached, SegmentReached)
BACKGROUND = (CombatantJoined, *CLOCK)
"""Facts that are shown only where there is nothing else to show."""
OUTCOMES = (DamageDealt, Healed, ConditionGained, EffectStarted, EffectEnded)
"""Facts that are shown with the act that they follow from."""


def telling(facts: Iterable[Cited]) -> list[Cited]:
    """Return the facts that tell something: without clock and joinings, if there are others."""
    found = [each for each in facts if not isinstance(each.event, EncounterOpened)]
    others = [each for each in found if not isinstance(each.event, BACKGROUND)]
    return others or [each for each in found if isinstance(each.event, CLOCK)] or found


def facts_in_sentences(facts: tuple[Cited, ...], name: Name, every: bool, claim: str = "") -> Iterator[str]:
    """Yield what the facts say, dice with their sums; those who join last, as their sheets; together if they are the reasons for a claim."""
    wanted = telling(facts)
    sheets = [each for each in facts if isinstance(each.event, CombatantJoined) and each not in wanted]
    shown = wanted if every else wanted[-FACTS:]
    words = [f"{fact_in_words(each, name)} {event_number(each)}" for each in shown]
    if claim:
        words = [f"{claim}{', because ' if words else ''}{'; '.join(words)}"]
    words = [sentence_of(each) for each in words]
    if len(shown) < len(wanted):
        words.insert(1 if claim else 0, f"({count(len(wanted) - len(shown), 'earlier fact')} left out.)")
    words += [f"The sheet of {_sheet(each, name)} {event_number(each)}." for each in (sheets if every else sheets[:2])]
    yield from paragraph(" ".join(words))


def fact_in_words(fact: Cited, name: Name) -> str:
    """Return a fact in words, with the act that it follows from."""
    act = fact.act
    behind = f" after {sentence(act.event, name)}" if act and isinstance(fact.event, OUTCOMES) else ""
    return f"{said(fact, name)}{behind}{_cause_of(fact)}"


def _cause_of(fact: Cited) -> str:
    """Return what is to be said of a fact's cause: that it is implied, or that none was recorded."""
    if fact.uncaused:
        return " (no cause was recorded)"
    return " (implied)" if fact.implied and fact.act and isinstance(fact.event, OUTCOMES) else ""


def said(fact: Cited, name: Name) -> str:
    """Return a fact as a sentence, an initiative with its sum."""
    event = fact.event
    words = sentence(event, name)
    if isinstance(event, InitiativeRolled) and event.total is None and event.bonus:
        shown = event.check if event.die is None else event.die
        words += f" = {shown + event.bonus}" if isinstance(shown, int) else ""
    return words


def _sheet(fact: Cited, name: Name) -> str:
    event = fact.event
    if not isinstance(event, CombatantJoined):
        return ""
    plain = {key: item for key, item in event.sheet.items() if isinstance(item, int | str)}
    return f"{name(event.combatant)} has {', '.join(f'{key} {value(item)}' for key, item in plain.items()) or 'no figures'}"


def event_number(fact: Cited | None, seq: int = 0) -> str:
    """Return the number of a fact in brackets, with the corrections of it."""
    if fact is None:
        return f"(event {seq})"
    notes = [f"event {fact.seq}"]
    notes += [f"as amended by {fact.line}"] if fact.line != fact.seq else []
    notes += [f"struck by {fact.struck}"] if fact.struck else []
    notes += [fact.dice] if fact.dice else []
    return f"({', '.join(notes)})"


def clauses(why: Reason, state: State, every: bool) -> Iterator[str]:
    """Yield the text of the rules that decided, the most specific first."""
    texts = [(rule, text) for rule in why.rules if (text := clause_of(state.rules, rule))]
    for rule, text in texts if every else [each for each in texts if not each[0].startswith("log.")][:RULES]:
        yield from wrap(f"The rule: {text} ({rule})")


def paragraph(text: str) -> list[str]:
    """Return the lines of a text; none of one that is empty."""
    return wrap(text) if text.strip() else []
