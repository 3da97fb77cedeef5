"""The pages of `encounter why`: sentences with names, dice and arithmetic first, numbers and rules after."""

from collections.abc import Iterable, Iterator, Sequence

from encounterlog.pages.audit import clause_of
from encounterlog.pages.blame import became, touched
from encounterlog.wording.facts import sentence
from encounterlog.wording.layout import because, count, numbers, wrap
from encounterlog.wording.naming import labels
from encounterlog.wording.phrases import listed, value
from encounterlog.wording.values import Name, sentence_of, stated, worded
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
from projections.explaining.disputes import Parting
from projections.explaining.hindrances import Hindrance
from projections.explaining.past import Cited
from projections.explaining.tree import Node
from projections.explaining.why import Able, Before, Otherwise, Place, Value, WhyFinding
from projections.state import State
from projections.views.view import PoolChange

MOST = 12
"""The most lines of an answer, unless all are wanted."""
CHANGES, RULES, FACTS, TOUCHES = 8, 2, 6, 5
"""How many changes, rules, facts and touches an answer tells, unless all are wanted."""

CLOCK = (RoundStarted, RoundEnded, TurnStarted, PhaseReached, SegmentReached)
BACKGROUND = (CombatantJoined, *CLOCK)
"""Facts that are told only where there is nothing else to tell."""
ALOUD = 2
"""How many facts a sentence that is read aloud names; of an order that rests on more it names none, which would be any."""
HINDER = ("<who>.status", "<who>.casting", "due")
"""Values that are told again as what hinders somebody, and so left out of the answer unless all is wanted."""
OUTCOMES = (DamageDealt, Healed, ConditionGained, EffectStarted, EffectEnded)
"""Facts that are told with the act that they follow from."""

Answer = Value | Before | WhyFinding | Able


def page(answers: Sequence[Answer], state: State, *, every: bool) -> list[str]:
    """Return the page of these answers; each is cut after so many lines unless all are wanted."""
    called = labels((who, one.name) for who, one in state.combatants.items())
    lines: list[str] = []
    for place, answer in enumerate(answers):
        told = list(_lines(answer, state, lambda who: called.get(who, who), every))
        lines += [""] if place else []
        lines += (
            told
            if every or len(told) <= MOST
            else [*told[: MOST - 1], f"and {count(len(told) - MOST + 1, 'line')} more: --all"]
        )
    return lines


def aloud(answers: Sequence[Answer], state: State) -> list[str]:
    """Return each answer as one sentence to be read aloud."""
    called = labels((who, one.name) for who, one in state.combatants.items())
    return [_aloud(answer, lambda who: called.get(who, who)) for answer in answers]


def lines(answers: Sequence[Answer], state: State, *, every: bool, short: bool) -> list[str]:
    """Return the page of these answers, or a sentence for each if it is to be short."""
    if not short:
        return page(answers, state, every=every)
    return [line for sentence in aloud(answers, state) for line in wrap(sentence)]


def _lines(answer: Answer, state: State, name: Name, every: bool) -> Iterator[str]:
    match answer:
        case Value():
            yield from _value(answer, state, name, every)
        case Before():
            yield from _before(answer, state, name, every)
        case WhyFinding():
            yield from _found(answer, state, name, every)
        case Able():
            yield from _able(answer, name, every)


def _aloud(answer: Answer, name: Name) -> str:
    match answer:
        case Value() if len(answer.changes) > 1:
            return sentence_of(f"{_claim(answer, name)}, because {_added_up(answer, name)}")
        case Value():
            cited = _telling(answer.facts)
            is_of_some = answer.address == "order" and len(cited) > ALOUD
            facts = [_fact(each, name) for each in (() if is_of_some else cited[-ALOUD:])]
            return sentence_of(_claim(answer, name) + (f", because {listed(facts)}" if facts else ""))
        case Before():
            facts = [_fact(each, name) for each in _telling(answer.facts)[:2]]
            return sentence_of(_verdict(answer, name) + (f", because {listed(facts)}" if facts else ""))
        case WhyFinding(finding=finding):
            return sentence_of(f"{finding.says}{'' if finding.ruled is None else ', but a ruling waives it'}")
        case Able():
            others = [each for each in answer.hindrances if not _is_own_turn(each, answer)]
            reasons = [_hinders(each, name) for each in others[:2]]
            return sentence_of(_ability(answer, name) + (f", because {listed(reasons)}" if reasons else ""))


# ---------------------------------------------------------------- a value


def _value(answer: Value, state: State, name: Name, every: bool) -> Iterator[str]:
    if answer.changes:
        yield from wrap(f"{sentence_of(_claim(answer, name))[:-1]}, because:")
        yield from _changes(answer, name, every)
    else:
        yield from _facts(answer.facts, name, every, _claim(answer, name))
        yield from _paragraph(" ".join(_rests(answer.tree, name)))
    yield from _clauses(answer.because, state, every)
    yield from _corrections(answer, name)
    yield from _readings(answer.readings, name)
    yield from because(answer.because)


def _claim(answer: Value, name: Name) -> str:
    return stated(answer.address, answer.pattern, answer.says, answer.value, name)


def _changes(answer: Value, name: Name, every: bool) -> Iterator[str]:
    """Yield the arithmetic of a pool, a line for each change; of many, the last ones."""
    facts = {each.seq: each for each in answer.facts}
    shown = answer.changes if every else answer.changes[-CHANGES:]
    if len(shown) < len(answer.changes):
        yield f"  … {count(len(answer.changes) - len(shown), 'earlier change')}: --all"
    before: int | None = answer.changes[-len(shown) - 1].left if len(shown) < len(answer.changes) else None
    for each in shown:
        fact = facts.get(each.event)
        words = f": {_fact(fact, name)}" if fact else ""
        yield from wrap(f"{_sum(each, before)}{words} {_event(fact, each.event)}", "      ", "  ")
        before = each.left


def _added_up(answer: Value, name: Name) -> str:
    """Return a pool as a sum: what there was to begin with, each change with the act behind it, what that comes to."""
    facts = {each.seq: each for each in answer.facts}
    first, *rest = answer.changes
    earlier, shown = rest[:-CHANGES], rest[-CHANGES:]
    begun = (
        "to begin with"
        if not facts.get(first.event) or first.event == min(facts)
        else f"set {_event(None, first.event)}"
    )
    words = [f"{value(first.left)} {begun}"]
    words += (
        [f"{_signed(sum(each.by for each in earlier))} in {count(len(earlier), 'earlier change')}"] if earlier else []
    )
    words += [f"{_signed(each.by)} ({_behind(facts.get(each.event), each.event, name)})" for each in shown]
    return f"{', '.join(words)} = {value(answer.changes[-1].left)}"


def _signed(amount: int) -> str:
    return f"{'+' if amount >= 0 else '-'} {abs(amount)}"


def _behind(fact: Cited | None, seq: int, name: Name) -> str:
    """Return the act behind a change, or the change itself where there is none."""
    return sentence(fact.act.event, name) if fact and fact.act else _said(fact, name) if fact else f"event {seq}"


def _sum(change: PoolChange, before: int | None) -> str:
    if change.sets or before is None:
        return f"{value(change.left)} to begin with" if before is None else f"set to {value(change.left)}"
    return f"{before} {'+' if change.by >= 0 else '-'} {abs(change.by)} = {value(change.left)}"


def _telling(facts: Iterable[Cited]) -> list[Cited]:
    """Return the facts that tell something: without clock and joinings, if there are others."""
    found = [each for each in facts if not isinstance(each.event, EncounterOpened)]
    others = [each for each in found if not isinstance(each.event, BACKGROUND)]
    return others or [each for each in found if isinstance(each.event, CLOCK)] or found


def _facts(facts: tuple[Cited, ...], name: Name, every: bool, claim: str = "") -> Iterator[str]:
    """Yield what the facts say, dice with their sums; those who join last, as their sheets; together if they are the reasons for a claim."""
    told = _telling(facts)
    sheets = [each for each in facts if isinstance(each.event, CombatantJoined) and each not in told]
    shown = told if every else told[-FACTS:]
    words = [f"{_fact(each, name)} {_event(each)}" for each in shown]
    if claim:
        words = [f"{claim}{', because ' if words else ''}{'; '.join(words)}"]
    words = [sentence_of(each) for each in words]
    if len(shown) < len(told):
        words.insert(1 if claim else 0, f"({count(len(told) - len(shown), 'earlier fact')} left out.)")
    words += [f"The sheet of {_sheet(each, name)} {_event(each)}." for each in (sheets if every else sheets[:2])]
    yield from _paragraph(" ".join(words))


def _fact(fact: Cited, name: Name) -> str:
    """Return a fact in words, with the act that it follows from."""
    act = fact.act
    behind = f" after {sentence(act.event, name)}" if act and isinstance(fact.event, OUTCOMES) else ""
    return f"{_said(fact, name)}{behind}{_cause_of(fact)}"


def _cause_of(fact: Cited) -> str:
    """Return what is to be said of a fact's cause: that it is implied, or that none was recorded."""
    if fact.uncaused:
        return " (no cause was recorded)"
    return " (implied)" if fact.implied and fact.act and isinstance(fact.event, OUTCOMES) else ""


def _said(fact: Cited, name: Name) -> str:
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


def _event(fact: Cited | None, seq: int = 0) -> str:
    if fact is None:
        return f"(event {seq})"
    notes = [f"event {fact.seq}"]
    notes += [f"as amended by {fact.line}"] if fact.line != fact.seq else []
    notes += [f"struck by {fact.struck}"] if fact.struck else []
    return f"({', '.join(notes)})"


def _rests(tree: Node, name: Name) -> Iterator[str]:
    """Yield the sum that a number is, or the steps by which a segment came about, and the named values that it rests on."""
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
        yield f"It rests on {each.address}, which is {worded(each.value, name)}."


def _sum_of(tree: Node) -> str:
    """Return the terms of a number, which may be told below it, of the same number; nothing if it is no sum."""
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


def _clauses(why: Reason, state: State, every: bool) -> Iterator[str]:
    """Yield the text of the rules that decided, the most specific first."""
    texts = [(rule, text) for rule in why.rules if (text := clause_of(state.rules, rule))]
    for rule, text in texts if every else [each for each in texts if not each[0].startswith("log.")][:RULES]:
        yield from wrap(f"The rule: {text} ({rule})")


def _corrections(answer: Value, name: Name) -> Iterator[str]:
    for each in answer.corrections:
        made = each.correction
        then = "there would be no such value" if each.without is None else f"it would be {worded(each.without, name)}"
        who = f" by {made.by}" if made.by else ""
        yield from wrap(
            f"A correction decided: {sentence(made.event, name)} (event {made.seq}{who}); without it {then}."
        )


def _readings(found: tuple[Otherwise, ...], name: Name) -> Iterator[str]:
    alike: dict[tuple[str, str, str], list[str]] = {}
    for each in found:
        then = "there would be none" if each.value is None else f"it would be {worded(each.value, name)}"
        alike.setdefault((each.option, each.chosen, then), []).append(each.other)
    for (option, chosen, then), others in alike.items():
        yield from wrap(f"Read as {option} {chosen}: under {listed(others)} {then}.")


def _paragraph(text: str) -> list[str]:
    return wrap(text) if text.strip() else []


# ---------------------------------------------------------------- who comes before whom


def _before(answer: Before, state: State, name: Name, every: bool) -> Iterator[str]:
    yield from _paragraph(sentence_of(_verdict(answer, name)))
    for place in answer.places:
        yield from wrap(sentence_of(_placed(place, name)), "  ", "  ")
    parts = [
        f"{part} {value(one)} against {value(other)}"
        for part, (one, other) in answer.differs.items()
        if not isinstance(one, dict | list) and not isinstance(other, dict | list)
    ]
    if parts:
        yield from wrap(f"Their places differ in {listed(parts)}.")
    yield from _facts(answer.facts, name, every)
    yield from _clauses(answer.because, state, every)
    for each in answer.readings:
        then = "they would act at once" if each.value == "together" else f"{name(str(each.value))} would be first"
        yield from wrap(f"Read as {each.option} {each.chosen}: under {each.other} {then}.")
    yield from because(answer.because)


def _verdict(answer: Before, name: Name) -> str:
    one, other = name(answer.one), name(answer.other)
    if answer.together:
        return f"{one} and {other} act at once"
    if answer.first is None:
        there = {place.combatant for place in answer.places}
        gone = [name(who) for who in (answer.one, answer.other) if who not in there]
        return f"{listed(gone)} {'has' if len(gone) == 1 else 'have'} no place in the order here; --at asks about another point"
    first, last = (one, other) if answer.first == answer.one else (other, one)
    return f"{first} comes before {last}" if answer.first == answer.one else f"no: {first} comes before {last}"


def _placed(place: Place, name: Name) -> str:
    where = [f"phase {place.phase}" if place.phase else "", f"segment {place.segment}" if place.segment else ""]
    key = [
        f"{part} {value(item)}" for part, item in place.key.items() if isinstance(item, int | str) and part != "round"
    ]
    at = ", ".join(word for word in where if word) or ", ".join(key)
    number = f"place {place.number} in the order" if place.number else "a place in the timeline"
    return f"{name(place.combatant)} has {number}{f': {at}' if at else ''}"


# ---------------------------------------------------------------- findings, and who may act


def _found(answer: WhyFinding, state: State, name: Name, every: bool) -> Iterator[str]:
    one = answer.finding
    yield from _paragraph(
        f"{sentence_of(one.says)} It is a {one.severity}, finding {one.id} of the audit, at event {one.event}."
    )
    if one.expected or one.found:
        yield from wrap(f"Expected {one.expected or 'nothing'}, found {one.found or 'nothing'}.")
    for each in answer.partings:
        yield from _parting(each, name, one.event, every)
    if every or not answer.partings:
        yield from _facts(answer.facts, name, every)
    if words := clause_of(state.rules, one.rule):
        yield from wrap(f"The rule: {words} ({one.rule})")
    if answer.ruling:
        yield from wrap(f"It is waived: {sentence(answer.ruling.event, name)} {_event(answer.ruling)}.")
    yield from wrap(
        f"because of event{'s' if len(one.because) > 1 else ''} {numbers(one.because)} ({one.rule})", "      "
    )


def _parting(one: Parting, name: Name, event: int, every: bool) -> Iterator[str]:
    """Yield where two accounts of a value part: the last agreement, what touched the value since, which of it decides."""
    now, then = worded(one.stated, name), worded(one.derived, name)
    yield from wrap(
        f"Both accounts of {one.address} last agreed at event {one.agreed}, on {worded(one.value, name)}."
        if one.agreed
        else f"Nobody had stated {one.address} before in agreement with the facts."
    )
    if one.differed != event:
        yield from wrap(f"They have differed since the statement of event {one.differed}.")
    if not one.touches:
        yield from wrap("No fact in between touched it: one is missing, or the statement is wrong.")
    shown = one.touches if every else one.touches[-TOUCHES:]
    if len(shown) < len(one.touches):
        yield f"  … {count(len(one.touches) - len(shown), 'earlier fact')}: --all"
    for each in shown:
        behind = f" after {sentence(each.causes[0].event, name)}" if each.causes else ""
        corrections = f", {words}" if (words := became(each)) else ""
        words = f"{touched(each, name)}{corrections}: {sentence(each.event, name)}{behind}"
        yield from wrap(words, "         ", f"{each.seq:>5}  ")
    if one.parted:
        yield from wrap(f"They part at event {one.parted}: after it the facts give {then}, and {now} is stated.")
    if one.without:
        yield from wrap(
            f"Without event {listed(map(str, one.without)).replace(' and ', ' or ')} it would be as stated."
        )


def _able(answer: Able, name: Name, every: bool) -> Iterator[str]:
    yield from _paragraph(sentence_of(_ability(answer, name)))
    for each in answer.hindrances:
        if not _is_own_turn(each, answer):
            yield from wrap(sentence_of(_hinders(each, name)), "  ", "  ")
        yield from _shown(each, name, every)
    for other in answer.values:
        if every or not answer.hindrances or other.pattern not in HINDER:
            yield from wrap(sentence_of(_claim(other, name)), "  ", "  ")
            yield from _shown(other, name, every)


def _shown(each: Value | Hindrance, name: Name, every: bool) -> Iterator[str]:
    facts = _telling(each.facts)
    words = [f"{_fact(fact, name)} {_event(fact)}" for fact in (facts if every else facts[-2:])]
    yield from wrap("; ".join(words), "      ") if words else ()
    yield from because(each.because) if each.because.events else ()


def _ability(answer: Able, name: Name) -> str:
    who = name(answer.combatant)
    if any(_is_own_turn(each, answer) for each in answer.hindrances):
        return f"{who} may go on: the turn has begun and is not over"
    if answer.due:
        return f"{who} is due in this round, but not yet" if answer.hindrances else f"{who} may act now"
    return f"{who} is not due to act now"


def _is_own_turn(one: Hindrance, answer: Able) -> bool:
    return one.kind == "turn" and answer.combatant in one.who


SENTENCES = {
    "over": "the fight is over",
    "left": "{who} has left the fight",
    "down": "{who} is {what}",
    "turn": "it is the turn of {who}",
    "busy": "{who} is in the middle of {what}",
    "acted": "{who} acted already in {when}: {what}",
    "lost": "{who} lost {what} in {when}",
    "held": "{who} has put off {what}, since {when}",
    "spoiled": "{what} of {who} in {when} was spoiled",
    "withdrawn": "{what} of {who} in {when} was withdrawn",
    "later": "{who} comes in {when}",
    "before": "{who} {come} first",
    "no place": "{who} has no place in the order of this round",
    "no round": "no round has begun",
}
"""What hinders somebody, by its kind."""


def _hinders(one: Hindrance, name: Name) -> str:
    who = listed([name(each) for each in one.who])
    when = ", ".join(word for word in (str(one.when or ""), f"phase {one.phase}" if one.phase else "") if word)
    if one.kind == "acted" and not one.what:
        return f"{who} had the turn of {when} already"
    what = value(one.what) if one.what else "the turn"
    says = SENTENCES[one.kind].format(who=who, what=what, when=when, come="comes" if len(one.who) == 1 else "come")
    return f"{says}, until {one.until}" if one.kind == "busy" and one.until else says
