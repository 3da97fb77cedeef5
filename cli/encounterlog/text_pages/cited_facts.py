"""The facts that an answer cites in sentences, dice with their sums, and the clauses that decide."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from encounterlog.text.facts import sentence
from encounterlog.text.layout import count, wrap
from encounterlog.text.phrases import listed, value
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
from projections.explaining.striking import Weighed
from projections.state import State

RULES, FACTS = 2, 6
"""The number of rules and facts in an answer, unless all are wanted."""
CLOCK = (RoundStarted, RoundEnded, TurnStarted, PhaseReached, SegmentReached)
BACKGROUND = (CombatantJoined, *CLOCK)
"""Facts that are shown only if there are no others."""
OUTCOMES = (DamageDealt, Healed, ConditionGained, EffectStarted, EffectEnded)
"""Facts that are shown with the act that caused them."""
NOT_WEIGHED = Weighed()
"""The words for facts that were not struck."""


def telling(facts: Iterable[Cited]) -> list[Cited]:
    """Return the facts that explain something: without clock and joinings, if there are others."""
    found = [each for each in facts if not isinstance(each.event, EncounterOpened)]
    others = [each for each in found if not isinstance(each.event, BACKGROUND)]
    return others or [each for each in found if isinstance(each.event, CLOCK)] or found


def weighty(facts: Iterable[Cited], weighed: Weighed) -> tuple[list[Cited], list[Cited]]:
    """Return the explaining facts that decide alone, and those that decide together; if none was tried, the untried ones."""
    those = [each for each in facts if each.seq not in weighed.looked_at]
    tried = [each for each in those if each.seq not in weighed.untried]
    found, group = telling(tried or those), {seq for unit in weighed.together for seq in unit}
    return [each for each in found if each.seq not in group], [each for each in found if each.seq in group]


def facts_in_sentences(
    facts: tuple[Cited, ...], name: Name, every: bool, claim: str = "", weighed: Weighed = NOT_WEIGHED
) -> Iterator[str]:
    """Yield the facts in words, dice with their sums; joinings come last, as sheets; all together if they are the reasons for a
    claim. Facts that were only looked at come at the end, if all are wanted.
    """
    wanted, group = weighty(facts, weighed)
    told = {each.seq for each in (*wanted, *group)}
    sheets = [
        each
        for each in facts
        if isinstance(each.event, CombatantJoined) and each.seq not in told and each.seq not in weighed.looked_at
    ]
    shown = wanted if every else wanted[-FACTS:]
    words = list(_numbered(shown, name))
    if claim:
        even = [] if told or every else list(_numbered(idle(facts, weighed)[-FACTS:], name))
        words = [f"{claim}{', because ' if words else ''}{'; '.join(words)}{without(even, '; ')}"]
    words = [sentence_of(each) for each in words]
    if out := len(wanted) - len(shown):
        words.insert(1 if claim else 0, f"({count(out, 'earlier fact')} left out.)")
    words += [together(weighed, "; ".join(_numbered(group, name)))] if group else []
    words += _untried(facts, told, weighed)
    words += [f"The sheet of {_sheet(each, name)} {event_number(each)}." for each in (sheets if every else sheets[:2])]
    if every and (others := [each for each in facts if each.seq in weighed.looked_at]):
        words.append(f"Also looked at: {'; '.join(_numbered(others, name))}.")
    yield from paragraph(" ".join(words))


def _untried(facts: Iterable[Cited], told: Collection[int], weighed: Weighed) -> Iterator[str]:
    """Yield that facts were not tried: those that are listed, if there are no others, or further ones."""
    untried = [each for each in telling(facts) if each.seq in weighed.untried]
    more = [each for each in untried if each.seq not in told]
    if len(more) < len(untried):
        yield f"(Whether {'this decides' if len(untried) == 1 else 'each of these decides'} was not tried.)"
    elif more:
        yield f"(Whether {count(len(more), 'earlier fact')} {'decides' if len(more) == 1 else 'decide'} was not tried.)"


def idle(facts: Iterable[Cited], weighed: Weighed) -> list[Cited]:
    """Return the explaining facts among those that do not decide."""
    return telling(each for each in facts if each.seq in weighed.looked_at)


def without(facts: Sequence[str], between: str = "") -> str:
    """Return the end of a claim that holds without these facts, too; nothing without any."""
    if not facts:
        return ""
    return (
        f", even without {'this' if len(facts) == 1 else 'these'}: {between.join(facts) if between else listed(facts)}"
    )


def together(weighed: Weighed, facts: str) -> str:
    """Return a sentence about facts that decide together, none of them alone."""
    if weighed.enough == 1 and len(weighed.together) > 1:
        return f"Each of these is enough: {facts}."
    return f"None of these decides alone, and together they do: {facts}."


def _numbered(facts: Iterable[Cited], name: Name) -> Iterator[str]:
    return (f"{fact_in_words(each, name)} {event_number(each)}" for each in facts)


def fact_in_words(fact: Cited, name: Name) -> str:
    """Return a fact in words, with the act that it follows from."""
    act = fact.act
    behind = f" after {sentence(act.event, name)}" if act and isinstance(fact.event, OUTCOMES) else ""
    return f"{said(fact, name)}{behind}{_cause_of(fact)}"


def _cause_of(fact: Cited) -> str:
    """Return the note on a fact's cause: that it is implied, or that none was recorded."""
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
