"""Why a value is as it is, in words: the facts that are cited, the sums, the rule."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import structs

from encounterlog.ask.audit import clause_of
from encounterlog.text.facts import corrected, sentence
from encounterlog.text.layout import because, count, numbers, wrap
from encounterlog.text.phrases import listed, remark, value
from encounterlog.text.values import Name, sentence_of, stated, worded
from eventstore.events import (
    CombatantJoined,
    ConditionGained,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    EncounterOpened,
    Event,
    Healed,
    InitiativeRolled,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SegmentReached,
    TurnStarted,
)
from projections.address import NOTHING
from projections.because import Reason
from projections.explaining.past import Cited
from projections.explaining.striking import Weighed
from projections.explaining.tree import Node
from projections.explaining.why import Otherwise, Value
from projections.state import State
from projections.views.view import PoolChange

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


CHANGES = 8
"""The most changes in an answer, unless all are wanted."""


def value_lines(answer: Value, state: State, name: Name, every: bool) -> Iterator[str]:
    """Yield the reason of a value: its arithmetic or its facts, clauses, corrections, other readings."""
    if answer.changes:
        yield from wrap(f"{sentence_of(claim(answer, name))[:-1]}, because:")
        yield from _changes(answer, name, every)
        yield from _not_alone(answer.weighed)
    else:
        weighed = led_by_the_end(answer)
        yield from facts_in_sentences(answer.facts, name, every, claim(answer, name), weighed)
        for seq in {*answer.weighed.looked_at} - {*weighed.looked_at}:
            yield from wrap(f"By now it would be so without event {seq}, too.")
        yield from paragraph(" ".join(_depends_on(answer.tree, name)))
    yield from clauses(answer.because, state, every)
    yield from _corrections(answer, name)
    yield from _readings(answer.readings, name)
    yield from because(answer.because)


def led_by_the_end(answer: Value) -> Weighed:
    """Return which facts decide; where something is gone, and joinings alone do, with the fact that last ended it."""
    weighed, (wanted, group) = answer.weighed, weighty(answer.facts, answer.weighed)
    ends = [each for each in idle(answer.facts, weighed) if not _begins(each.event, answer.address)]
    if not ends or group or answer.value not in (NOTHING, []):
        return weighed
    if any(not isinstance(each.event, CombatantJoined) for each in wanted):
        return weighed
    return structs.replace(weighed, looked_at=tuple(seq for seq in weighed.looked_at if seq != ends[-1].seq))


def _begins(event: Event, address: str) -> bool:
    """Say whether a fact begins what a value is about, or is of the background, and so ends nothing of it."""
    who, _, field = address.partition(".")
    own = isinstance(event, ConditionGained) and who in event.targets and field != "concentration"
    return own or isinstance(event, (*BACKGROUND, EffectStarted))


def _not_alone(weighed: Weighed) -> Iterator[str]:
    """Yield which of the changes decide only together, by their numbers."""
    if weighed.together:
        units = (f"event{'s' if len(unit) > 1 else ''} {numbers(unit)}" for unit in weighed.together)
        yield from wrap(together(weighed, "; ".join(units)))


def claim(answer: Value, name: Name) -> str:
    """Return a value as a statement."""
    return stated(answer.address, answer.pattern, answer.says, answer.value, name)


def _changes(answer: Value, name: Name, every: bool) -> Iterator[str]:
    """Yield the arithmetic of a pool, a line for each change; of many, the last ones."""
    facts = {each.seq: each for each in answer.facts}
    changes = _distinct(answer.changes)
    shown = changes if every else changes[-CHANGES:]
    if len(shown) < len(changes):
        yield f"  … {count(len(changes) - len(shown), 'earlier change')}: --all"
    before: int | None = changes[-len(shown) - 1].left if len(shown) < len(changes) else None
    for each in shown:
        fact = facts.get(each.event)
        words = f": {fact_in_words(fact, name)}" if fact else ""
        yield from wrap(f"{_sum(each, before)}{words} {event_number(fact, each.event)}", "      ", "  ")
        before = each.left


def _distinct(changes: Sequence[PoolChange]) -> list[PoolChange]:
    """Return the changes of a pool without those that only repeat a value set by the same fact."""
    return [
        each
        for before, each in zip((None, *changes), changes, strict=False)
        if before is None or not each.sets or (each.event, each.left) != (before.event, before.left)
    ]


def added_up(answer: Value, name: Name) -> str:
    """Return a pool as a sum: the points at the beginning, each change with the act behind it, and the total."""
    facts = {each.seq: each for each in answer.facts}
    changes = _distinct(answer.changes)
    earlier = max(0, len(changes) - 1 - CHANGES)
    words = [f"{value(changes[0].left)} to begin with"]
    if earlier:
        words.append(f"{_between(changes[0], changes[earlier])} in {count(earlier, 'earlier change')}")
    words += [
        f"{_between(before, each)} ({_behind(facts.get(each.event), each.event, name)})"
        for before, each in pairwise(changes[earlier:])
    ]
    return f"{', '.join(words)} = {value(changes[-1].left)}"


def _between(before: PoolChange, change: PoolChange) -> str:
    """Return the points that a pool has gained or lost between two changes."""
    return _signed((change.left or 0) - (before.left or 0))


def _signed(amount: int) -> str:
    return f"{'+' if amount >= 0 else '-'} {abs(amount)}"


def _behind(fact: Cited | None, seq: int, name: Name) -> str:
    """Return the act that caused a change, or the change itself if there is none."""
    return sentence(fact.act.event, name) if fact and fact.act else said(fact, name) if fact else f"event {seq}"


def _sum(change: PoolChange, before: int | None) -> str:
    if before is None:
        return f"{value(change.left)} to begin with"
    if change.sets:
        return f"{before}, set to {value(change.left)}"
    return f"{before} {'+' if change.by >= 0 else '-'} {abs(change.by)} = {value(change.left)}"


def _depends_on(tree: Node, name: Name) -> Iterator[str]:
    """Yield the sum that makes a number, or the steps by which a segment came about, and the named values that it depends on."""
    field = tree.address.rpartition(".")[2]
    steps = list(_steps(tree, field)) if field == "segment" else []
    if said := _sum_of(tree):
        yield f"{said} = {value(tree.value)}."
    elif len(steps) > 1:
        (first, below), *others = steps
        words = [f"{first} by {_why(below)}"]
        for (before, _), (after, node) in zip(steps, others, strict=False):
            words.append(f"{before} {'+' if after > before else '-'} {abs(after - before)} = {after} by {_why(node)}")
        yield f"{'; '.join(words)}."
    for each in [one for one in tree.of if one.address and one.address != tree.address][:3]:
        yield f"It depends on {each.address}, which is {worded(each.value, name)}."


def _sum_of(tree: Node) -> str:
    """Return the terms of a number, which may be shown below it, of the same number; nothing if it is no sum."""
    node: Node | None = tree
    while node and not node.terms:
        node = next((each for each in node.of if type(each.value) is int and each.value == tree.value), None)
    words = [f"{'-' if amount < 0 else '+'} {abs(amount)} {what}" for what, amount in node.terms] if node else []
    return " ".join(words).removeprefix("+ ")


def _steps(tree: Node, field: str) -> Iterator[tuple[int, Node]]:
    """Yield the numbers through which a value went, the first one first, each with the node that made it."""
    found: list[tuple[int, Node]] = []
    node: Node | None = tree
    while node is not None:
        number = _number(node, field)
        if number is not None:
            found = found[:-1] if found and found[-1][0] == number else found
            found.append((number, node))
        node = next((each for each in node.of if _number(each, field) is not None), None)
    yield from reversed(found)


def _number(node: Node, field: str) -> int | None:
    found = node.value.get(field) if isinstance(node.value, dict) else node.value
    return found if type(found) is int else None


def _why(node: Node) -> str:
    events = f"event{'s' if len(node.events) != 1 else ''} {numbers(node.events)}" if node.events else ""
    return f"{node.rules[0]} ({events})" if events and node.rules else (*node.rules, events)[0]


def _corrections(answer: Value, name: Name) -> Iterator[str]:
    for each in answer.corrections:
        made = each.correction
        then = "there would be no such value" if each.without is None else f"it would be {worded(each.without, name)}"
        by = f"event {made.seq}{remark(made.by)}"
        yield from wrap(f"A correction decided: {corrected(made.event, by, name)}; without that {then}.")


def _readings(found: tuple[Otherwise, ...], name: Name) -> Iterator[str]:
    alike: dict[tuple[str, str, str], list[str]] = {}
    for each in found:
        then = "there would be none" if each.value is None else f"it would be {worded(each.value, name)}"
        alike.setdefault((each.option, each.chosen, then), []).append(each.other)
    for (option, chosen, then), others in alike.items():
        yield from wrap(f"Read as {option} {chosen}: under {listed(others)} {then}.")
