"""The page of `encounter may`: a combatant's possible acts, the ones that are owed, and the bars to the rest."""

from collections.abc import Iterator

from encounterlog.text.facts import sentence
from encounterlog.text.layout import because, heading, wrap
from encounterlog.text.naming import voice
from encounterlog.text.values import Name, sentence_of
from encounterlog.text_pages.why_able import hinders, is_own_turn
from projections.explaining.may import ACTS, Choice, Choices, May
from projections.explaining.past import Past

WHERE = {"own-turn": "only in its own turn", "outside-own-turn": "only outside its own turn"}
"""The turn in which something is spent, in words."""
MOST = 4
"""The most listed acts without a resource left for them."""


def page(found: Choices, past: Past) -> list[str]:
    """Return the page: a block for each combatant who is asked about, then the facts that the order still lacks."""
    name = voice(past.state)

    lines = [line for one in found.people for line in _person(one, name)]
    if not found.people:
        lines.append(
            "nobody may act: the fight is over" if past.state.closed else "nobody has the turn, and nobody is due"
        )
    for each in found.missing:
        lines += wrap(f"the order is not known yet: {each}")
    return lines


def _person(one: May, name: Name) -> Iterator[str]:
    yield heading(name(one.combatant))
    for each in one.choices:
        yield from wrap(_says(each, one, name), " " * 11, f"  {each.status:<9}")
        if each.status in ("barred", "owed"):
            yield from because(each.because) if each.because.rules or each.because.events else ()


def said(choice: Choice, whose: May, past: Past) -> str:
    """Return a choice in words."""
    return _says(choice, whose, voice(past.state))


def _says(one: Choice, whose: May, name: Name) -> str:
    match one.kind:
        case "turn":
            return _turn(one, whose, name)
        case "due" | "act":
            return f"{one.what}, before {one.before}" if one.before else one.what
        case "reaction":
            about = f": {sentence(one.to.event, name)}" if one.to else ""
            return f"a reaction to {one.to.seq if one.to else 'nothing'}{about}"
        case "held":
            return f"{one.what}, which is held"
    if one.status == "unknown":
        return f"{one.what}: how much is left" if one.what != ACTS else "what a turn gives: no clause says it"
    return _left(one, name)


def _turn(one: Choice, whose: May, name: Name) -> str:
    who = name(whose.combatant)
    others = [each for each in whose.hindrances if not is_own_turn(each, whose.combatant)]
    if others:
        return sentence_of(hinders(others[0], name)).rstrip(".")
    if one.status == "unknown":
        return f"whether {who} may act now"
    return f"the turn of {who} goes on" if whose.hindrances else f"{who} may act now"


def _left(one: Choice, name: Name) -> str:
    says = f"{one.what}: {one.left} left"
    if one.where:
        says += f", {WHERE.get(one.where, one.where)}"
    if one.acts and one.status == "open":
        says += f", for {', '.join(one.acts)}"
    done = "; ".join(f"{each.seq} {sentence(each.event, name)}" for each in one.after[-MOST:])
    return f"{says}, after {done}" if done else says
