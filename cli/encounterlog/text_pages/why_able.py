"""Whether a combatant may act, and the hindrances."""

from collections.abc import Iterator

from encounterlog.text.layout import because, wrap
from encounterlog.text.phrases import listed, value
from encounterlog.text.values import Name, sentence_of
from encounterlog.text_pages.cited_facts import event_number, fact_in_words, paragraph, weighty
from encounterlog.text_pages.why_value import claim
from projections.explaining.hindrances import Hindrance
from projections.explaining.why import Able, Value

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
