"""The pages of `encounter why`: sentences with names, dice and arithmetic first, numbers and rules after."""

from collections.abc import Iterator, Sequence

from encounterlog.text.facts import sentence
from encounterlog.text.layout import because, count, wrap
from encounterlog.text.naming import voice
from encounterlog.text.phrases import listed, value
from encounterlog.text.values import Name, sentence_of, worded
from encounterlog.text_pages.audit import clause_of
from encounterlog.text_pages.blame import became, touched
from encounterlog.text_pages.cited_facts import (
    clauses,
    event_number,
    fact_in_words,
    facts_in_sentences,
    idle,
    paragraph,
    weighty,
    without,
)
from encounterlog.text_pages.why_able import ability, able_lines, hinders, is_own_turn
from encounterlog.text_pages.why_value import added_up, claim, led_by_the_end, value_lines
from projections.because import Reason
from projections.explaining.disputes import Parting
from projections.explaining.why import Able, Answer, Before, Place, Value, WhyFinding
from projections.state import State

MOST = 12
"""The most lines of an answer, unless all are wanted."""
TOUCHES = 5
"""The most touches in an answer, unless all are wanted."""
ALOUD = 2
"""The most facts that a sentence to be read aloud names; of an order that depends on more it names none, because it would have to choose."""


def page(answers: Sequence[Answer], state: State, *, every: bool) -> list[str]:
    """Return the page of these answers; each is cut after so many lines unless all are wanted."""
    called = voice(state)
    lines: list[str] = []
    for place, answer in enumerate(answers):
        found = list(_lines(answer, state, called, every))
        lines += [""] if place else []
        lines += (
            found
            if every or len(found) <= MOST
            else [*found[: MOST - 1], f"and {count(len(found) - MOST + 1, 'line')} more: --all"]
        )
    return lines


def aloud(answers: Sequence[Answer], state: State) -> list[str]:
    """Return each answer as one sentence to be read aloud."""
    called = voice(state)
    return [_aloud(answer, called) for answer in answers]


def lines(answers: Sequence[Answer], state: State, *, every: bool, short: bool, first: str = "") -> list[str]:
    """Return the page of these answers, or a sentence for each if a short one is wanted, after a first sentence if there is one."""
    if not short:
        return [*(wrap(first) if first else ()), *page(answers, state, every=every)]
    return [line for sentence in (first, *aloud(answers, state)) if sentence for line in wrap(sentence)]


def _lines(answer: Answer, state: State, name: Name, every: bool) -> Iterator[str]:
    match answer:
        case Value():
            yield from value_lines(answer, state, name, every)
        case Before():
            yield from _before(answer, state, name, every)
        case WhyFinding():
            yield from _found(answer, state, name, every)
        case Able():
            yield from able_lines(answer, name, every)


def _aloud(answer: Answer, name: Name) -> str:
    match answer:
        case Value() if len(answer.changes) > 1:
            return sentence_of(f"{claim(answer, name)}, because {added_up(answer, name)}")
        case Value():
            weighed = led_by_the_end(answer)
            cited = [each for some in weighty(answer.facts, weighed) for each in some]
            is_of_some = answer.address == "order" and len(cited) > ALOUD
            facts = [fact_in_words(each, name) for each in (() if is_of_some else cited[-ALOUD:])]
            also = [fact_in_words(each, name) for each in idle(answer.facts, weighed)[-ALOUD:]]
            ends = f", because {listed(facts)}" if facts else "" if cited else without(also)
            return sentence_of(f"{claim(answer, name)}{ends}")
        case Before():
            cited = [each for some in weighty(answer.facts, answer.weighed) for each in some]
            facts = [fact_in_words(each, name) for each in cited[:2]]
            return sentence_of(_verdict(answer, name) + (f", because {listed(facts)}" if facts else ""))
        case WhyFinding(finding=finding):
            return sentence_of(f"{finding.says}{'' if finding.ruled is None else ', but a ruling waives it'}")
        case Able():
            others = [each for each in answer.hindrances if not is_own_turn(each, answer.combatant)]
            reasons = [hinders(each, name) for each in others[:2]]
            return sentence_of(ability(answer, name) + (f", because {listed(reasons)}" if reasons else ""))


# ---------------------------------------------------------------- who comes before whom


def _before(answer: Before, state: State, name: Name, every: bool) -> Iterator[str]:
    yield from paragraph(sentence_of(_verdict(answer, name)))
    for place in answer.places:
        yield from wrap(sentence_of(_placed(place, name)), "  ", "  ")
    parts = [
        f"{part} {value(one)} against {value(other)}"
        for part, (one, other) in answer.differs.items()
        if not isinstance(one, dict | list) and not isinstance(other, dict | list)
    ]
    if parts:
        yield from wrap(f"Their places differ in {listed(parts)}.")
    yield from facts_in_sentences(answer.facts, name, every, weighed=answer.weighed)
    yield from clauses(answer.because, state, every)
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


# ---------------------------------------------------------------- findings


def _found(answer: WhyFinding, state: State, name: Name, every: bool) -> Iterator[str]:
    one = answer.finding
    yield from paragraph(
        f"{sentence_of(one.says)} It is a {one.severity}, finding {one.id} of the audit, at event {one.event}."
    )
    if one.expected or one.found:
        yield from wrap(f"Expected {one.expected or 'nothing'}, found {one.found or 'nothing'}.")
    for each in answer.partings:
        yield from _parting(each, name, one.event, every)
    if every or not answer.partings:
        yield from facts_in_sentences(answer.facts, name, every, weighed=answer.weighed)
    if words := clause_of(state.rules, one.rule):
        yield from wrap(f"The rule: {words} ({one.rule})")
    if answer.ruling:
        yield from wrap(f"It is waived: {sentence(answer.ruling.event, name)} {event_number(answer.ruling)}.")
    reason = Reason((one.rule,), one.because, looked_at=answer.weighed.looked_at)
    yield from because(reason, of="of ")


def _parting(one: Parting, name: Name, event: int, every: bool) -> Iterator[str]:
    """Yield the point from which two accounts of a value differ: the last agreement, the facts that touched the value
    since, and those of them that decide.
    """
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
        yield from wrap(f"They differ from event {one.parted} on: {then} by the facts, {now} as stated.")
    if one.without:
        yield from wrap(
            f"Without event {listed(map(str, one.without)).replace(' and ', ' or ')} it would be as stated."
        )
