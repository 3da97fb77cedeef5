"""What goes without saying in a line: the turns of several actors, the concentration of a caster, statuses that are said as conditions."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from eventstore import events
from eventstore.events import Fact
from eventstore.record import Recorded
from projections.judging.known_words import known
from projections.language.notation import forms
from projections.language.notation.line_context import LineContext, clock_move, declared_by, known_spell
from projections.language.notation.parsing import Parsed
from projections.language.notation.records import make_records
from projections.language.notation.tokens import NotUnderstood
from projections.mechanics.pools import HP, Pool
from projections.replay.replay import replay, resume
from projections.state import State
from projections.stream.corrections import map_references

# ---------------------------------------------------------------- turns


def add_turns(records: Sequence[Recorded], state: State, parsed: Parsed) -> Parsed:
    """Return the meaning of a line, typed after these records, with the turns that begin within it."""
    begins = [*_places_of_turns(parsed)]
    if not begins or _is_same_actor(state, parsed, begins):
        return parsed
    beside, facts, places = replay(records), list[Fact](), dict[int, int]()
    stays = [parsed.stays] if parsed.stays else []
    for first, end in zip([0, *begins], [*begins, len(parsed.facts)], strict=True):
        group = list(parsed.facts[first:end])
        if first:
            move = clock_move(beside.state, group[0])
            stays += [move.stays] if move.stays else []
            facts += move.facts
            beside = resume(beside, make_records(move.facts, beside.records + 1))
        places |= {first + place: len(facts) + place for place in range(len(group))}
        facts += group
        beside = resume(beside, make_records(group, beside.records + 1))
    whole = _counting_back(facts, places)
    return structs.replace(parsed, facts=whole, stays="; ".join(dict.fromkeys(stays)))


def _is_same_actor(state: State, parsed: Parsed, begins: Sequence[int]) -> bool:
    """Say whether the only act that may begin a turn is of whoever has just moved, and the turn is theirs: steps up and strikes."""
    first, *further = begins
    act, clock, before = parsed.facts[first], parsed.facts[: parsed.moved], parsed.facts[parsed.moved : first]
    if further or not isinstance(act, events.ActionTaken):
        return False
    if not before or not all(
        isinstance(each, events.Placed | events.Moved) and each.combatant == act.combatant for each in before
    ):
        return False
    if clock:
        return isinstance(clock[-1], events.TurnStarted) and clock[-1].combatant == act.combatant
    move = clock_move(state, act)
    return not (move.facts or move.stays)


def _places_of_turns(parsed: Parsed) -> Iterator[int]:
    """Yield the places of acts by another combatant than the act before."""
    actor = ""
    for place, fact in enumerate(parsed.facts):
        if isinstance(fact, events.ActionTaken):
            if place > parsed.moved and fact.combatant != actor:
                yield place
            actor = fact.combatant


def _counting_back(facts: Sequence[Fact], places: dict[int, int]) -> tuple[Fact, ...]:
    """Return facts whose references back count the facts inserted between; `places` are those of the old ones."""
    old = {new: old for old, new in places.items()}
    return tuple(
        map_references(fact, lambda back, at=at: places.get(old[at] + back, old[at] + back) - at if back < 0 else back)  # type: ignore[misc]
        if at in old
        else fact
        for at, fact in enumerate(facts)
    )


# ---------------------------------------------------------------- concentration


def add_concentration(context: LineContext, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which each spell that is known to need concentration has an effect on which its caster concentrates.

    A spell with a casting time begins none until its declared casting is carried out, and one that fails begins none. A
    script itself says all that it records.
    """
    table = forms.of(context.state.rules.rules)
    if context.script or not table.concentrates or parsed.form == "json":
        return parsed
    facts, place = list(parsed.facts), 0
    while place < len(facts):
        act = facts[place]
        casting = table.words.get("casting", ())
        if isinstance(act, events.ActionTaken) and _is_concentration(context, act, casting):
            facts[place + 1 :] = _add_effect(context, act, facts[place + 1 :])
        place += 1
    return structs.replace(parsed, facts=tuple(facts))


def _is_concentration(context: LineContext, act: events.ActionTaken, casting: tuple[str, ...]) -> bool:
    """Say whether concentration begins with an act."""
    action, declared = act.action, declared_by(context, act.combatant)
    if action.kind not in casting:
        return False
    spell = known_spell(context, act.combatant, action.name or "")
    is_over = declared is not None and (declared.name or "").casefold() == (action.name or "").casefold()
    is_quick = action.time is None and spell.get("time") is None
    return bool(spell.get("concentration")) and (is_over or is_quick)


def _add_effect(context: LineContext, act: events.ActionTaken, behind: list[Fact]) -> list[Fact]:
    """Return the facts of a line after the casting of a spell, with its concentration effect, which may be among them already."""
    name, who = act.action.name or "", act.combatant
    found = [
        each for each in behind if isinstance(each, events.EffectStarted) and each.effect.casefold() == name.casefold()
    ]
    if found:
        own = [each for each in found if each.source == who]
        return [structs.replace(each, concentration=True) if each in own else each for each in behind]
    effect = events.EffectStarted(effect=name, source=who, targets=_friends(context, act), concentration=True, cause=-1)
    return [effect, *(_shift_cause(each, at) for at, each in enumerate(behind, 1))]


def _friends(context: LineContext, act: events.ActionTaken) -> tuple[str, ...]:
    """Return a spell's targets if all are on its caster's side; whether it affects others is still to be reported."""
    people = context.state.combatants
    side = people[act.combatant].side if act.combatant in people else None
    own = [who for who in act.action.targets if who == act.combatant or (side and people[who].side == side)]
    return act.action.targets if len(own) == len(act.action.targets) else ()


def _shift_cause(fact: Fact, behind: int) -> Fact:
    kept = -behind if isinstance(fact, events.ConditionGained) else 0
    return map_references(fact, lambda back: back - 1 if back <= -behind and back != kept else back)


# ---------------------------------------------------------------- statuses


SPOKEN = frozenset({"dead", "down"})
"""Words for a status in every game, also where a condition has the same name."""


def rule_statuses(context: LineContext, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which conditions that are statuses of the game are rulings; a script itself says all that it records."""
    if context.script or parsed.form == "json" or not any(_status_in(context, each) for each in parsed.facts):
        return parsed
    facts, places = list[Fact](), dict[int, int]()
    for place, fact in enumerate(parsed.facts):
        made = list(_status_told(context, parsed.facts[:place], fact)) if _status_in(context, fact) else [fact]
        places |= {place: len(facts)} if made else {}
        facts += made
    return structs.replace(parsed, facts=_counting_back(facts, places))


def _status_in(context: LineContext, fact: Fact) -> str:
    """Return the status that a fact states as a condition; "" for none."""
    if not isinstance(fact, events.ConditionGained | events.ConditionLost):
        return ""
    rules, word = context.state.rules, fact.condition.casefold()
    meant = forms.of(rules.rules).means.get("status", {}).get(word, word)
    spoken = word in SPOKEN and (meant in rules.statuses or word == "dead")
    return meant if spoken or (meant in rules.statuses and meant not in (*known(rules.rules).conditions, "up")) else ""


def _status_told(context: LineContext, before: tuple[Fact, ...], fact: Fact) -> Iterator[Fact]:
    """Yield the rulings and statements of a status; nothing for whom the facts before it in the line give that status."""
    meant = _status_in(context, fact)
    if getattr(fact, "detail", None) or getattr(fact, "duration", None):
        raise NotUnderstood(1, f"{meant} is a status, which has no level and no duration", "")
    for who in getattr(fact, "targets", ()):
        ruled = context.state.ruled.get(f"{who}.status")
        if isinstance(fact, events.ConditionLost):
            yield _deny_status(context, who, meant, ruled.value if ruled else None)
            continue
        change = sum(_points_changed(each, who) for each in before)
        if _status_after(context, who, change) != meant:
            yield _status_ruling(who, f"{who} is {meant}", meant)
        elif not change:
            yield events.Checked(values={f"{who}.status": meant})


def _deny_status(context: LineContext, who: str, status: str, ruled: object) -> events.RulingMade | events.Checked:
    """Return what it says that a combatant does not have a status: a ruling of it ends, or it has another; raise NotUnderstood where its points give it."""
    if ruled == status:
        return _status_ruling(who, f"{who} is not {status}", "none")
    own = _status_after(context, who, 0)
    if own == status:
        raise NotUnderstood(
            1, f"{who} is {status} by its points", f"points heal it, or a ruling: override {who}.status=up"
        )
    return events.Checked(values={f"{who}.status": own})


def _status_ruling(who: str, decision: str, status: str) -> events.RulingMade:
    return events.RulingMade(ruling="override", decision=decision, values={f"{who}.status": status})


def _points_changed(fact: Fact, who: str) -> int:
    """Return how many hit points a fact gives somebody, below 0 how many it takes."""
    if getattr(fact, "target", None) != who:
        return 0
    return (
        -fact.amount if isinstance(fact, events.DamageDealt) else fact.amount if isinstance(fact, events.Healed) else 0
    )


def _status_after(context: LineContext, who: str, change: int) -> str:
    """Return the status that a combatant has with so many more hit points."""
    one, state = context.state.combatants[who], context.state
    if not change or one.hp is None:
        return one.status
    left = Pool()
    left.set_value(one.hp + one.temp + change, 0)
    return str(state.rules.status(state, structs.replace(one, pools={**one.pools, HP: left})).value)
