"""Several sentences in one line, `goblin 1 hits bo for 4, goblin 2 misses ana`: each is read after the one before, as if on a line of its own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs, to_builtins

from eventstore.events import (
    ActionTaken,
    Amended,
    AttackRolled,
    Checked,
    ConditionGained,
    ConditionLost,
    Correction,
    DamageDealt,
    Fact,
    Healed,
    Placed,
)
from eventstore.form import REFERENCE_FIELDS
from projections.grammar import cautions
from projections.grammar.advising import advice, following
from projections.grammar.line_context import LineContext
from projections.grammar.parsing import Parsed
from projections.grammar.tokens import NotUnderstood
from projections.grammar.turns_within import is_reach_of

if TYPE_CHECKING:
    from projections.grammar.table import Table

MOST_PARTS = 8
"""The most sentences of a line."""


def meant(at: "Table", line: str, parts: Sequence[str]) -> Parsed | None:
    """Return what a line means whose parts are these lines, or sentences that begin with a combatant's name; None if one of them means nothing.

    A reference from one part to a record of another counts back, so that it holds wherever the line is appended.
    """
    from projections.grammar.phrases import chains, outcomes  # only for lines that cannot be read as one
    from projections.grammar.table import Table, recorded

    meanings = list[Parsed]()
    sentences = parts or chains.sentences(at.context, line)
    if not 1 < len(sentences) <= MOST_PARTS:
        return None
    beside, first = Table(at.records, roll=at.roll), len(at.records) + 1
    for sentence in sentences:
        says = chains.of_target(sentence, _target(meanings))
        try:
            says, parsed = _at_chance(beside, *_said(beside, says, meanings, line), meanings)
        except NotUnderstood as error:
            if isinstance(error, Unclear):
                raise
            return None
        if not parsed.facts or parsed.rest or _corrects(parsed) or chains.is_remark(at.context, parsed):
            return None
        parsed = outcomes.behind(parsed, says, [fact for each in meanings for fact in each.facts])
        meanings.append(parsed)
        beside.take(recorded(parsed.facts, len(beside.records) + 1))
    whole = _together(meanings, first)
    cautions.check_averted(whole.facts)
    return _advised(at.context, whole)


def _corrects(parsed: Parsed) -> bool:
    """Say whether a sentence corrects what was recorded before it, and not only says a fact of its own whole in secret."""
    return any(
        isinstance(fact, Correction) and not (isinstance(fact, Amended) and -place <= fact.event < 0)
        for place, fact in enumerate(parsed.facts)
    )


def _advised(context: LineContext, whole: Parsed) -> Parsed:
    """Return several sentences with the remarks on them all, where none of them alone has one."""
    facts = to_builtins(whole.facts[whole.moved :])
    said, offers = whole.advice or advice(context, facts), whole.offers or following(context, facts)
    return structs.replace(whole, advice=said, offers=offers)


class Unclear(NotUnderstood):
    """A sentence whose pronoun can mean several of those whom the sentences before it tell of."""


def _said(at: "Table", sentence: str, before: list[Parsed], line: str) -> tuple[str, Parsed]:
    """Return a sentence that names the one whom the pronoun behind its verb means, and what it means; raise Unclear if it can be several.

    Who acts in the sentence is never meant. The last sentence that tells of one who can be meant says who it is.
    """
    from projections.grammar.phrases import chains

    if not before or not chains.has_object(sentence):
        return sentence, at.tell(sentence)
    for earlier in reversed(before):
        lines = chains.at_each(sentence, dict.fromkeys(who for fact in earlier.facts for who in _people(fact)))
        found = [(says, parsed) for says in lines if (parsed := _fitting(at, says)) is not None]
        if len(found) == 1:
            return found[0]
        if found:
            offers = tuple(line.replace(sentence, says) for says, _ in found)
            raise Unclear(1, "this does not say who is meant by the pronoun", "write the name instead", offers)
    return sentence, at.tell(sentence)


def _at_chance(at: "Table", says: str, parsed: Parsed, before: list[Parsed]) -> tuple[str, Parsed]:
    """Return a blow at one who leaves the striker's reach in the sentence before as one of opportunity, if the game has those."""
    left = before[-1].facts[-1] if before else None
    blow = next((fact for fact in parsed.facts if isinstance(fact, ActionTaken)), None)
    if not (isinstance(left, Placed) and blow and blow.action.targets == (left.combatant,)) or blow.action.cost:
        return says, parsed
    if not is_reach_of(at.context, left.words or "", blow.combatant):
        return says, parsed
    try:
        taken = at.tell(f"{says} cost=opportunity")
    except NotUnderstood:
        return says, parsed
    in_any_turn = not (taken.moved or taken.stays)
    return says, taken if in_any_turn and (parsed.moved or parsed.stays) else parsed


def _fitting(at: "Table", sentence: str) -> Parsed | None:
    """Return what a sentence means, None if it means nothing, is at whoever acts in it, helps a foe or harms a friend."""
    from projections.grammar.phrases import chains

    try:
        parsed = at.tell(sentence)
    except NotUnderstood:
        return None
    actor = chains.subject(at.context, sentence)
    whom = {who for fact in parsed.facts for who in _people(fact)} - {actor}
    helps = any(isinstance(fact, Healed) for fact in parsed.facts)
    harms = any(isinstance(fact, AttackRolled | DamageDealt) for fact in parsed.facts)
    people = at.context.state.combatants
    is_friend = {people[who].side == people[actor].side for who in whom} if actor else {helps}
    fits = whom and (True in is_friend if helps else False in is_friend if harms else True)
    return parsed if fits else None


def _people(fact: Fact) -> Iterator[str]:
    """Yield those who act in a fact, and those whom it is about."""
    match fact:
        case ActionTaken(combatant=who, action=action):
            yield from (who, *action.targets)
        case AttackRolled(combatant=who, target=target):
            yield from filter(None, (who, target))
        case DamageDealt(target=target, source=source) | Healed(target=target, source=source):
            yield from filter(None, (source, target))
        case ConditionGained(targets=several) | ConditionLost(targets=several):
            yield from several


def _together(meanings: list[Parsed], first: int) -> Parsed:
    """Return several meanings as one, whose first fact is to be the record of this number."""
    facts = [fact for each in meanings for fact in each.facts]
    return Parsed(
        tuple(_counting_back(fact, place, first) for place, fact in enumerate(facts)),
        moved=meanings[0].moved,
        stays=_joined(each.stays for each in meanings),
        advice=_joined(each.advice for each in meanings),
        offers=tuple(one for each in meanings for one in each.offers),
        acts=True,
        said=tuple(one for each in meanings for one in each.said),
        thrown=tuple(one for each in meanings for one in each.thrown),
        ineffective=tuple(one for each in meanings for one in each.ineffective),
    )


def _joined(remarks: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, remarks)))


def _target(meanings: list[Parsed]) -> str:
    """Return the one at whom a combatant acts in the last of these, else the one whom it is about; "" if nobody, or several."""
    facts = meanings[-1].facts if meanings else ()
    whom = {who for fact in facts if isinstance(fact, ActionTaken) for who in fact.action.targets}
    whom |= {fact.target for fact in facts if isinstance(fact, AttackRolled) and fact.target}
    whom = whom or {who for fact in facts for who in _subjects(fact)}
    return whom.pop() if len(whom) == 1 else ""


def _subjects(fact: Fact) -> Iterator[str]:
    """Yield those whose points, conditions or values a fact is about."""
    match fact:
        case DamageDealt(target=who) | Healed(target=who):
            yield who
        case ConditionGained(targets=several) | ConditionLost(targets=several):
            yield from several
        case Checked(values=values):
            yield from (address.partition(".")[0] for address in values)


def _counting_back(fact: Fact, place: int, first: int) -> Fact:
    """Return a fact whose references to records of its own line, the first of which has this number, count back."""
    named = {name: getattr(fact, name) for name in REFERENCE_FIELDS & set(fact.__struct_fields__)}
    near = {name: seq - first - place for name, seq in named.items() if seq is not None and seq >= first}
    return structs.replace(fact, **near) if near else fact
