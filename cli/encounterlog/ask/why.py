"""Why a value is as it is, who comes before whom, what a finding means, whether somebody can act: asked, and answered in words."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from encounterlog.ask import addressing
from encounterlog.ask.addressing import ASK, unknown
from encounterlog.ask.audit import clause_of
from encounterlog.ask.blame import became, touched
from encounterlog.ask.question import AT, Answer, Argument, Kind, Question
from encounterlog.ask.why_value import (
    added_up,
    claim,
    clauses,
    event_number,
    fact_in_words,
    facts_in_sentences,
    idle,
    led_by_the_end,
    paragraph,
    value_lines,
    weighty,
    without,
)
from encounterlog.core.logs import LogView, explained
from encounterlog.errors import Refused
from encounterlog.text.facts import sentence
from encounterlog.text.layout import because, count, wrap
from encounterlog.text.naming import voice
from encounterlog.text.phrases import listed, value
from encounterlog.text.values import Name, sentence_of, worded
from projections.because import Reason
from projections.explaining import why
from projections.explaining.disputes import Parting
from projections.explaining.hindrances import Hindrance
from projections.explaining.past import Past
from projections.explaining.why import Able, Before, Place, Value, WhyFinding
from projections.state import State
from projections.time import Where


class Answered(Struct, frozen=True):
    """The output of `encounter why --json`."""

    answers: tuple[why.Value | why.Before | why.WhyFinding | why.Able, ...]


def past_of(log: LogView, where: Where | None) -> Past:
    """Return a log replayed up to a point; raise Refused or Malformed as other readers do."""
    with explained(log, where):
        past = Past(log, where)
    log.note_revision()
    return past


def answers(past: Past, words: Sequence[str], *, thorough: bool, variants: bool = True) -> list[why.Answer]:
    """Return the answers to a question; raise Refused if it is none, or is about something that is not there."""
    questions = addressing.meant(past.state, words)
    found = [one for each in questions for one in _answers(past, each, thorough=thorough, variants=variants)]
    return why.proved(past, found, thorough=thorough)


def _answers(past: Past, words: Sequence[str], *, thorough: bool, variants: bool) -> list[why.Answer]:
    """Return the answers to a question in exact words: with ids, and addresses as they are."""
    match words:
        case (one, "before", other):
            return [_asked_before(past, one, other, thorough)]
        case ("finding", *rest) if rest:
            return [*_findings(past, rest)]
        case (who, "cannot" | "can", "act"):
            return [why.able(past, who)]
    address = " ".join(words)
    found = why.why(past, address, thorough=thorough, variants=variants)
    if found is None:
        raise unknown(past.state, address)
    return [found]


def is_short(found: Sequence[why.Answer]) -> bool:
    """Say whether one sentence each is enough for these answers: those to a question about a combatant in general."""
    return len(found) > 1 and not any(isinstance(one, why.WhyFinding) for one in found)


def split_point(words: Sequence[str]) -> tuple[list[str], Where | None]:
    """Return a question without the point of time at its end (@r1, or --at r1), and that point; raise Malformed."""
    match [*words]:
        case ["finding", _]:
            pass
        case [*question, "--at", point]:
            return question, Where.parse(point)
        case [*question, last] if last.startswith("@") and question:
            return question, Where.parse(last[1:])
    return [*words], None


def _asked_before(past: Past, one: str, other: str, thorough: bool) -> why.Before:
    if one == other:
        raise Refused("usage", f"{one} is named twice", "name two combatants: ana before bo")
    return why.before(past, one, other, thorough=thorough)


def _findings(past: Past, words: list[str]) -> list[why.WhyFinding]:
    number, event = re.fullmatch(r"[0-9]{1,9}", words[0]), re.fullmatch(r"@([0-9]{1,15})", words[0])
    if number and len(words) == 1:
        found = why.finding(past, number=int(words[0]))
    elif event and len(words) <= 2:
        found = why.finding(past, event=int(event[1]), rule="".join(words[1:]))
    else:
        raise Refused("usage", f"'{' '.join(words)[:60]}' names no finding", "finding 3, or finding @14 RULE")
    if not found:
        raise Refused("usage", f"there is no finding {' '.join(words)[:60]} here", "encounter audit FILE numbers them")
    return found


MOST = 12
"""The most lines of an answer, unless all are wanted."""
TOUCHES = 5
"""The most touches in an answer, unless all are wanted."""
ALOUD = 2
"""The most facts that a sentence to be read aloud names; of an order that depends on more it names none, because it would have to choose."""


def page(answers: Sequence[why.Answer], state: State, *, every: bool) -> list[str]:
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


def aloud(answers: Sequence[why.Answer], state: State) -> list[str]:
    """Return each answer as one sentence to be read aloud."""
    called = voice(state)
    return [_aloud(answer, called) for answer in answers]


def lines(answers: Sequence[why.Answer], state: State, *, every: bool, short: bool, first: str = "") -> list[str]:
    """Return the page of these answers, or a sentence for each if a short one is wanted, after a first sentence if there is one."""
    if not short:
        return [*(wrap(first) if first else ()), *page(answers, state, every=every)]
    return [line for sentence in (first, *aloud(answers, state)) if sentence for line in wrap(sentence)]


def _lines(answer: why.Answer, state: State, name: Name, every: bool) -> Iterator[str]:
    match answer:
        case Value():
            yield from value_lines(answer, state, name, every)
        case Before():
            yield from _before(answer, state, name, every)
        case WhyFinding():
            yield from _found(answer, state, name, every)
        case Able():
            yield from able_lines(answer, name, every)


def _aloud(answer: why.Answer, name: Name) -> str:
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


HINDER = ("<who>.status", "<who>.casting", "due")
"""Values that are repeated as hindrances of a combatant, and so left out of the answer unless all is wanted."""
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
"""The words for hindrances of a combatant, by kind."""


def able_lines(answer: Able, name: Name, every: bool) -> Iterator[str]:
    """Yield whether a combatant may act, the hindrances, and the values that decide."""
    yield from paragraph(sentence_of(ability(answer, name)))
    for each in answer.hindrances:
        if not is_own_turn(each, answer.combatant):
            yield from wrap(sentence_of(hinders(each, name)), "  ", "  ")
        yield from _shown(each, name, every)
    for other in answer.values:
        if every or not answer.hindrances or other.pattern not in HINDER:
            yield from wrap(sentence_of(claim(other, name)), "  ", "  ")
            yield from _shown(other, name, every)


def _shown(each: Value | Hindrance, name: Name, every: bool) -> Iterator[str]:
    facts = [fact for some in weighty(each.facts, each.weighed) for fact in some]
    words = [f"{fact_in_words(fact, name)} {event_number(fact)}" for fact in (facts if every else facts[-2:])]
    yield from wrap("; ".join(words), "      ") if words else ()
    yield from because(each.because) if each.because.events else ()


def ability(answer: Able, name: Name) -> str:
    """Return whether a combatant may act, as a statement."""
    who = name(answer.combatant)
    if any(is_own_turn(each, answer.combatant) for each in answer.hindrances):
        return f"{who} may go on: the turn has begun and is not over"
    if answer.due:
        return f"{who} is due in this round, but not yet" if answer.hindrances else f"{who} may act now"
    return f"{who} is not due to act now"


def is_own_turn(one: Hindrance, who: str) -> bool:
    """Say whether a hindrance is only that it is the turn of the one in question."""
    return one.kind == "turn" and who in one.who


def hinders(one: Hindrance, name: Name) -> str:
    """Return in words the hindrance that keeps a combatant from acting."""
    who = listed([name(each) for each in one.who])
    when = ", ".join(word for word in (str(one.when or ""), f"phase {one.phase}" if one.phase else "") if word)
    if one.kind == "acted" and not one.what:
        return f"{who} had the turn of {when} already"
    what = value(one.what) if one.what else "the turn"
    says = SENTENCES[one.kind].format(who=who, what=what, when=when, come="comes" if len(one.who) == 1 else "come")
    return f"{says}, until {one.until}" if one.kind == "busy" and one.until else says


def ask(
    log: "LogView", question: str = "", where: "Where | None" = None, every: bool = False, short: bool = False
) -> Answer:
    """Return the answers to a question; raise Refused where it is none, or is about something that is not there."""
    words, point = split_point(question.split())
    if not words:
        raise Refused("usage", "no question", ASK)
    past = past_of(log, where or point)
    try:
        found = answers(past, words, thorough=every, variants=not short)
    except Refused as unknown:
        raise (log.problem or unknown) from None  # what is asked about may lie behind the fault
    first = addressing.coming_round(past.state, words)
    brief = short or ((is_short(found) or first != "") and not every)
    return Answer(
        lambda: Answered(tuple(found)),
        lambda: lines(found, past.state, every=every, short=brief, first=first),
    )


WHY = Question(
    "why",
    """Explain a value or finding of the log FILE: the facts, the dice, the rule, and its other readings.

    The QUESTION is the name of a combatant, the address of a value (ana.hp, ana.status, order), one of the forms below, or a sentence such
    as: why is ana low, who is next. Names are as at the table: as short as they are unique, in any case. @r2 at the
    end is --at r2. Findings have the numbers of encounter audit at the same point. With --json the command prints a list of answers with their trees.
    """,
    (
        Argument("q", "question", Kind.WORDS, "The question: ana.hp, ana before bo, finding 3, ana cannot act.", positional=True, needed=True, command_asks=True),
        AT,
        Argument("short", "short", Kind.FLAG, "One sentence, to be read aloud.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Every fact, every rule, and every other reading that changes the answer."),
    ),
    ask,
    "encounterlog.ask.why:Answered",
    "encounter why ford.jsonl ana.hp\nencounter why ford.jsonl ana before bo --at r2\nencounter why ford.jsonl finding 3\n"
    "encounter why ford.jsonl finding @14 RULE\nencounter why ford.jsonl ana cannot act",
)  # fmt: skip
