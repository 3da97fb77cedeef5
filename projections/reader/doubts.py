"""Reasons to doubt a whole line: it reports something that did not happen, or damage shared or reduced in a way that no fact says."""

import re
from collections.abc import Sequence

from msgspec import structs, to_builtins

from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    CombatantJoined,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    ContestRolled,
    DamageDealt,
    DiceRolled,
    EffectStarted,
    Fact,
    Healed,
    InitiativeRolled,
    Moved,
    Placed,
    RulingMade,
    SaveRolled,
    TurnStarted,
)
from projections.grammar import names
from projections.state import State

OUTCOMES = (ConditionGained, ConditionLost, CombatantLeft, DamageDealt, EffectStarted, Healed, RulingMade)
ROLLS = (ContestRolled, DiceRolled, SaveRolled)
_ALMOST = r"(?i)\b(almost|nearly|not quite|(?<=\w )all but|as good as)\b"
_WISH = (
    r"(?i)\b(tr(y|ies|ied|ying) to|attempt(s|ed)? to|want(s|ed)? to|would like to|hopes? to|pretends? to|threatens? to|"
    r"(plans?|planned|intends?|intended|prepares?|prepared|means|meant|decides?|decided|considers?|agrees?|agreed|offers?|offered|promises?|promised) to|"
    r"could|might|maybe|perhaps|cannot|can['’]?t|(about|ready|eager) to|(was|were) (going|meaning) to|"
    r"(says?|said|yells?|yelled|shouts?|shouted|orders?|ordered|tells?|told|asks?|asked) [\w-]+ to)\b"
)
_UNABLE = (
    r"(?i)(\band|\bso|,|;)\s+((?:he|she|it|they|and|so) )*(cannot|can['’]?t|can not|unable to) "
    r"(act|move|see|hear|attack|speak|cast|breathe|stand|think|do anything|do a thing|do much)\b"
)
"""What somebody in a state cannot do, which follows from it."""
_BEGINS_TO_CAST = r"(?i)\b(start|begin|began|stop|quit)\w* (to cast|casting)\b"
_INTENTION = r"(?i)\b(going to|gonna|will|shall)\b|['’]ll\b"
_WHO = r"(?i)^\s*(?!(?:those|the ones|anyone|everyone|anybody|everybody|all) (?:who|that)\b)(the )?[\w-]+ who (?!is |was |are |then )[\w-]+"
_SOME = r"(?i)\b(?:everyone|everybody|anyone|anybody|all|those|each) (?:who|that)\b(?!['’]s\b| (?:fail|save|succeed|pass|make|made))"
_EVERYONE = r"(?i)\b(everyone|everybody|all)\b"
_LIKEWISE = r"(?i)\b(so|as) (do|does|did|is|are|was|has) [\w-]+|\b(likewise|of which|the same for|ditto)\b"
_TOO = r"(?i)[,;]\s*([\w-]+) too\s*[.!]?\s*$"
_LAST = r"(?i)(?:\band|\bplus|,)\s+(?:an? |the )?([\w-]+)\s*[.!]?\s*$"
_PART = r"(?i)\bfor \d+ \(\d+ (?!left\b|remaining\b)[a-z]+\)|\breduced by \d+|\b(takes?|took|loses?|lost) \d+/\d+(?!\w)"
_OWN = (
    r"(?i)\b(and|but|then)(?: then| also)?(?: \w+s and)? (takes?|loses?|dies|died|falls?|collapses|drops|goes down)\b"
)
_BUT = r"(?i)\bbut (?:\w+s and )?(takes?|loses?|dies|falls?)\b"


def doubt(state: State, facts: Sequence[Fact], line: str) -> str:
    """Return why a line leaves the meaning of its facts uncertain; "" if it does not."""
    if any(isinstance(fact, SaveRolled) and fact.save and names.exactly(state, fact.save) for fact in facts):
        return "somebody may be saved, or a save may be rolled"
    if any(isinstance(fact, SaveRolled) and fact.save in ("against", "vs", "versus") for fact in facts):
        return "this does not say against what"
    if _is_saved_twice(facts):
        return "this does not say once of each whether the save succeeds"
    if _acts_without_rolls(facts):
        return "this does not say whose blows are told"
    last = re.search(_LAST, line)
    if last and any(isinstance(fact, CombatantJoined) for fact in facts) and names.exactly(state, last[1]):
        return "who is there already is named beside those who join"
    if any(isinstance(fact, InitiativeRolled) for fact in facts) and any(
        isinstance(fact, ActionTaken) for fact in facts
    ):
        return "the roll may be that of the act"
    outcomes = [fact for fact in facts if isinstance(fact, OUTCOMES)]
    hits = any(isinstance(fact, AttackRolled) and fact.hit is not None for fact in facts)
    rolled = any(isinstance(fact, ROLLS) or (isinstance(fact, AttackRolled) and _has_roll(fact)) for fact in facts)
    if (hits or outcomes) and re.search(_WHO, line):
        return "this does not say what of it happens now"  # the orc who attacked Bo takes 5
    if outcomes and re.search(_SOME, line):
        return "this does not say who of them is meant"  # everyone who was hit takes 3
    if any(isinstance(fact, ConditionGained) for fact in facts):
        line = re.sub(_UNABLE, " ", line)
    if another := _another_of_its_kind(state, facts, line):
        return f"the number may be that of {another}, who is not there"
    casts = any(isinstance(fact, ActionTaken) and fact.action.kind == "cast" for fact in facts)
    if casts and re.search(_BEGINS_TO_CAST, line):
        return "this does not say that it happened"
    states_it = all(isinstance(fact, RulingMade) and not fact.values for fact in outcomes)  # hag can't parley twice
    if (hits or casts or not states_it) and (re.search(_ALMOST, line) or (re.search(_WISH, line) and not rolled)):
        return "this does not say that it happened"
    if hits and not (outcomes or rolled) and re.search(_INTENTION, line):
        return "this does not say that it happened"
    if re.search(_EVERYONE, line) and (_is_cast_on_both_sides(state, facts) or _of_one_side(state, facts)):
        return "this does not say whether it is on both sides"
    if not outcomes:
        return ""
    too = re.search(_TOO, line)
    states = {fact.condition for fact in facts if isinstance(fact, ConditionGained)}
    if len(states) > 1 and re.search(r"(?i)\bor\b", line):
        return "this does not say which of the two it is"
    if (re.search(_LIKEWISE, line) and not _is_told_of_both(outcomes)) or (too and names.combatants(state, too[1])):
        return "this does not say of each what happens"
    if re.search(_PART, line) or _is_a_share_untold(facts, line):
        return "this does not say how much it comes to"
    if _is_of_the_doer(facts, line):
        return "this does not say to whom it happens"
    if _begins_with_a_list(facts, line):
        return "this does not say what becomes of the first"
    return ""


def _is_told_of_both(outcomes: Sequence[Fact]) -> bool:
    """Say whether the last two outcomes are the same of two: flees, so does the orc."""
    last = [to_builtins(fact) for fact in outcomes[-2:]]
    whom = [
        {key: fact.pop(key, None) for key in ("combatant", "targets", "target", "values", "decision")} for fact in last
    ]
    return len(last) == 2 and last[0] == last[1] and whom[0] != whom[1]


def _is_saved_twice(facts: Sequence[Fact]) -> bool:
    """Say whether somebody makes the same save twice, with no roll to tell them apart."""
    saves = [
        (fact.combatant, fact.save, fact.purpose)
        for fact in facts
        if isinstance(fact, SaveRolled) and fact.die is None and fact.total is None
    ]
    return len(saves) > len({*saves})


def _acts_without_rolls(facts: Sequence[Fact]) -> bool:
    """Say whether several attack without a roll, and one of them attacks once more with one: ghouls go for Bo, claws 14 no, 19 yes."""
    rolled = {
        at + fact.cause if fact.cause < 0 else fact.cause
        for at, fact in enumerate(facts)
        if isinstance(fact, AttackRolled) and fact.cause is not None
    }
    attacks = [
        (at, fact.combatant)
        for at, fact in enumerate(facts)
        if isinstance(fact, ActionTaken) and fact.action.kind == "attack"
    ]
    open_ = [who for at, who in attacks if at not in rolled]
    return len(open_) > 1 and any(at in rolled and who in open_ for at, who in attacks)


def _is_cast_on_both_sides(state: State, facts: Sequence[Fact]) -> bool:
    """Say whether something is cast on combatants of several sides, and hurts nobody: Ana blesses everyone."""
    casts = [fact for fact in facts if isinstance(fact, ActionTaken) and fact.action.kind == "cast"]
    sides = {state.combatants[who].side for fact in casts for who in fact.action.targets}
    return len(sides) > 1 and not any(isinstance(fact, DamageDealt | SaveRolled) for fact in facts)


def _of_one_side(state: State, facts: Sequence[Fact]) -> list[tuple[Fact, ...]]:
    """Return what befalls all who are there, and that of each of two sides alone, without those who are told apart from the others: everyone takes 20, Bo saves for 10; nothing where not all are met."""
    hurt = [fact for fact in facts if isinstance(fact, DamageDealt)]
    saved = {fact.combatant for fact in facts if isinstance(fact, SaveRolled)}
    met = [fact.target for fact in hurt]
    here = [one.id for one in state.here() if one.status == "up"]
    sides = {state.combatants[who].side for who in met}
    amounts = [fact.amount for fact in hurt]
    apart = {fact.target for fact in hurt if fact.amount != max(amounts, key=amounts.count)} | saved
    others = [fact for fact in facts if not isinstance(fact, DamageDealt | SaveRolled | ActionTaken | EffectStarted)]
    if others or len({*met}) < len(here) or len(sides) != 2 or "" in sides or 2 * len(apart) > len(here):
        return []
    side = {who: state.combatants[who].side for who in met}
    kept = [
        [at for at, fact in enumerate(facts) if not isinstance(fact, DamageDealt) or side[fact.target] == each]
        for each in sorted(sides)
        if all(side.get(who) == each for who in apart)
    ]
    return [tuple(facts), *(_of_these(facts, places) for places in kept)] if kept else []


def _of_these(facts: Sequence[Fact], places: Sequence[int]) -> tuple[Fact, ...]:
    """Return the facts at these places, with causes that count back to their new places."""
    new = {at: place for place, at in enumerate(places)}
    made: list[Fact] = []
    for at in places:
        fact = facts[at]
        cause = getattr(fact, "cause", None)
        back = cause is not None and cause < 0 and at + cause in new
        made.append(structs.replace(fact, cause=new[at + cause] - new[at]) if back and cause is not None else fact)
    return tuple(made)


def ways(state: State, facts: Sequence[Fact], line: str) -> list[tuple[Fact, ...]]:
    """Return the facts that a doubtful line may mean, the likeliest first; nothing where it may mean anything."""
    if re.search(_EVERYONE, line) and (found := _of_one_side(state, facts)):
        return found
    other = of_the_doer(facts, line)
    return [tuple(facts), other] if other else []


def _has_roll(fact: AttackRolled) -> bool:
    return fact.die is not None or fact.total is not None


def _is_a_share_untold(facts: Sequence[Fact], line: str) -> bool:
    """Say whether somebody has half of an amount, and the line does not give the half."""
    if not re.search(r"(?i)\bhal(f|ves|ved)\b", line):
        return False
    numbers = [int(each) for each in re.findall(r"\d{1,6}", line)]
    told = any(other in (one // 2, (one + 1) // 2) for at, one in enumerate(numbers) for other in numbers[at + 1 :])
    hurt = {fact.target for fact in facts if isinstance(fact, DamageDealt)}
    people = hurt | {fact.combatant for fact in facts if isinstance(fact, SaveRolled)}
    amounts = {fact.amount for fact in facts if isinstance(fact, DamageDealt)}
    return (
        bool(hurt)
        and not told
        and len(people) + len(_struck(facts)) > 1
        and amounts <= {*numbers}
        and len(amounts) == 1
    )


def _struck(facts: Sequence[Fact]) -> set[str]:
    return {fact.combatant for fact in facts if isinstance(fact, AttackRolled) and not _has_roll(fact)}


def _another_of_its_kind(state: State, facts: Sequence[Fact], line: str) -> str:
    """Return who of a target's kind has the number that is taken as a roll behind its name: shoots drone 2; "" if nobody has."""
    for fact in facts:
        if isinstance(fact, AttackRolled) and isinstance(fact.die, int) and fact.target:
            kind = names.kind_of(fact.target)
            other, word = f"{kind}-{fact.die}", kind.rpartition("-")[2]
            there = kind != fact.target and other in state.combatants and other != fact.target
            if there and re.search(rf"(?i)\b{re.escape(word)} {fact.die}\b", line):
                return other
    return ""


def _is_of_the_doer(facts: Sequence[Fact], line: str) -> bool:
    """Say whether a verb after "and" may be about the target of an act, other than a blow, rather than its subject."""
    if not re.search(_OWN, line):
        return False
    doers: set[str] = set()
    blow = any(
        isinstance(fact, AttackRolled) or (isinstance(fact, ActionTaken) and fact.action.kind == "attack")
        for fact in facts
    )
    for fact in facts:
        if isinstance(fact, ActionDeclared | ActionTaken | Moved | Placed) and fact.combatant:
            doers.add(fact.combatant)
        elif isinstance(fact, Healed | DamageDealt) and fact.source:
            doers.add(fact.source)
    if blow and not re.search(_BUT, line):
        return False
    last = facts[-1]
    whom = (
        {last.target}
        if isinstance(last, DamageDealt)
        else set(last.targets)
        if isinstance(last, ConditionGained)
        else set()
    )
    if isinstance(last, RulingMade):
        whom = {name.partition(".")[0] for name in last.values or {}}
    saved = {fact.combatant for fact in facts if isinstance(fact, SaveRolled)}
    return bool(whom and (doers or isinstance(facts[0], Healed)) and not whom & (doers | saved))


def of_the_doer(facts: Sequence[Fact], line: str) -> tuple[Fact, ...] | None:
    """Return facts whose last one, told of the target of an act, befalls its doer instead; None where the line says whom it befalls."""
    if not _is_of_the_doer(facts, line):
        return None
    doers = (getattr(fact, "combatant", None) or getattr(fact, "source", None) for fact in facts)
    doer = next((who for who in doers if who), "")
    if not doer:
        return None
    last = facts[-1]
    if isinstance(last, DamageDealt):
        return (*facts[:-1], structs.replace(last, target=doer))
    if isinstance(last, ConditionGained):
        return (*facts[:-1], structs.replace(last, targets=(doer,), cause=None))
    if isinstance(last, RulingMade) and len(last.values or {}) == 1:
        ((path, value),) = (last.values or {}).items()
        who, _, rest = path.partition(".")
        decision = last.decision.replace(who, doer, 1)
        return (*facts[:-1], structs.replace(last, decision=decision, values={f"{doer}.{rest}": value}))
    return None


def _begins_with_a_list(facts: Sequence[Fact], line: str) -> bool:
    """Say whether a name before a comma was read as the beginning of a turn, though others follow with points: Ana, Bo -5 and ogre -3."""
    first = facts[0]
    listed = re.match(r"\s*[\w-]+\s*,\s*[\w-]+\s+[+-]\d", line)
    return isinstance(first, TurnStarted) and listed is not None
