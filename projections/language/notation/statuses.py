"""Statuses: that somebody is dead or down, said as a condition is, rules their status; where the hit points say so already, it is a statement."""

from collections.abc import Iterator

from msgspec import structs

from eventstore.events import Checked, ConditionGained, ConditionLost, DamageDealt, Fact, Healed, RulingMade
from projections.judging.known_words import known
from projections.language.notation import forms
from projections.language.notation.line_context import LineContext
from projections.language.notation.parsing import Parsed
from projections.language.notation.tokens import NotUnderstood
from projections.language.notation.turns_within import counting_back
from projections.mechanics.pools import HP, Pool

SPOKEN = frozenset({"dead", "down"})
"""Words for a status in every game, also where a condition has the same name."""


def with_statuses(context: LineContext, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which conditions that are statuses of the game are rulings; a script itself says all that it records."""
    if context.script or parsed.form == "json" or not any(_status_in(context, each) for each in parsed.facts):
        return parsed
    facts, places = list[Fact](), dict[int, int]()
    for place, fact in enumerate(parsed.facts):
        made = list(_told(context, parsed.facts[:place], fact)) if _status_in(context, fact) else [fact]
        places |= {place: len(facts)} if made else {}
        facts += made
    old = {new: old for old, new in places.items()}
    whole = tuple(counting_back(fact, new, old.get(new), places) for new, fact in enumerate(facts))
    return structs.replace(parsed, facts=whole)


def _status_in(context: LineContext, fact: Fact) -> str:
    """Return the status that a fact states as a condition; "" for none."""
    if not isinstance(fact, ConditionGained | ConditionLost):
        return ""
    rules, word = context.state.rules, fact.condition.casefold()
    meant = forms.of(rules.rules).means.get("status", {}).get(word, word)
    spoken = word in SPOKEN and (meant in rules.statuses or word == "dead")
    return meant if spoken or (meant in rules.statuses and meant not in (*known(rules.rules).conditions, "up")) else ""


def _told(context: LineContext, before: tuple[Fact, ...], fact: Fact) -> Iterator[Fact]:
    """Yield the rulings and statements of a status; nothing for whom the facts before it in the line give that status."""
    meant = _status_in(context, fact)
    if getattr(fact, "detail", None) or getattr(fact, "duration", None):
        raise NotUnderstood(1, f"{meant} is a status, which has no level and no duration", "")
    for who in getattr(fact, "targets", ()):
        ruled = context.state.ruled.get(f"{who}.status")
        if isinstance(fact, ConditionLost):
            yield _denial(context, who, meant, ruled.value if ruled else None)
            continue
        change = sum(_change(each, who) for each in before)
        if _status(context, who, change) != meant:
            yield _ruling(who, f"{who} is {meant}", meant)
        elif not change:
            yield Checked(values={f"{who}.status": meant})


def _denial(context: LineContext, who: str, status: str, ruled: object) -> RulingMade | Checked:
    """Return what it says that a combatant does not have a status: a ruling of it ends, or it has another; raise NotUnderstood where its points give it."""
    if ruled == status:
        return _ruling(who, f"{who} is not {status}", "none")
    own = _status(context, who, 0)
    if own == status:
        raise NotUnderstood(
            1, f"{who} is {status} by its points", f"points heal it, or a ruling: override {who}.status=up"
        )
    return Checked(values={f"{who}.status": own})


def _ruling(who: str, decision: str, status: str) -> RulingMade:
    return RulingMade(ruling="override", decision=decision, values={f"{who}.status": status})


def _change(fact: Fact, who: str) -> int:
    """Return how many hit points a fact gives somebody, below 0 how many it takes."""
    if getattr(fact, "target", None) != who:
        return 0
    return -fact.amount if isinstance(fact, DamageDealt) else fact.amount if isinstance(fact, Healed) else 0


def _status(context: LineContext, who: str, change: int) -> str:
    """Return the status that a combatant has with so many more hit points."""
    one, state = context.state.combatants[who], context.state
    if not change or one.hp is None:
        return one.status
    left = Pool()
    left.put(one.hp + one.temp + change, 0)
    return str(state.rules.status(state, structs.replace(one, pools={**one.pools, HP: left})).value)
