"""Healing, and the end of unconsciousness at 0 hit points; only what revives heals the dead."""

from __future__ import annotations

from eventstore.events import ConditionGained, ConditionLost, Healed, RulingMade
from projections.because import Because, Derived
from projections.folds.vitals import no_longer_dead, update_status
from projections.mechanics import tallies as marks
from projections.mechanics.grants import granted
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind
from projections.rulesets.fifth_edition.health.dying import is_unconsciousness_at_zero, wake_up
from projections.rulesets.fifth_edition.health.kept_alive import is_given_back, trait_of
from projections.rulesets.fifth_edition.spellbook import REVIVES, known
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant


@derives("healing.to-maximum", "healing.not-the-dead", "zero.unconscious", "death-save.three", on=Healed)
def healing_is_received(state: FifthState, fact: Occurrence[Healed]) -> None:
    """Let healing bring a combatant back from 0 hit points, and back from death if it revives or was none."""
    event, one = fact.event, state.combatants[fact.event.target]
    if event.temporary:
        state.temp_of[one.id] = fact.cause
    if event.temporary or state.rules.repeats(state, fact):
        return
    maximum, dead, *_ = healing_is_received.rules
    body = state.body(one.id)
    body.by = (maximum, "damage.subtracts")
    revived = revives(state, fact)
    if body.dead and not revived.value:
        revived = is_given_back(state, fact)
    if body.dead and not revived.value:
        update_status(state, one)
        note_still_dead(state, one)
        return
    if event.amount > 0 and one.hp is not None and one.hp > 0:
        if revived.value:
            no_longer_dead(state, one, fact.seq)
        back = Because(revived.because.rules or (dead,), (fact.seq,), {}, (revived,))
        _comes_round(state, one, fact.seq, back)
    update_status(state, one)


def _comes_round(state: FifthState, one: Combatant, seq: int, back: Because) -> None:
    """Let a combatant with hit points be neither dead, which is for the reason `back`, nor dying or unconscious at 0."""
    body, falls = state.body(one.id), healing_is_received.rules[2]
    if body.dead:
        body.fallen = back
    body.dead, body.stable, body.why = None, None, ()
    marks.clear(state.tallies, one.id, Because((falls,), (seq,), {}, (one.standing,)))
    wake_up(state, one, Because((falls,), (seq,)))


@derives("healing.not-the-dead", on=RulingMade)
def ruled_points_bring_back(state: FifthState, fact: Occurrence[RulingMade]) -> None:
    """Bring a combatant back, from death too, by a ruling that gives it hit points."""
    for one in state.combatants.values():
        if one.ruled.get(HP) == fact.seq and one.hp is not None and one.hp > 0:
            _comes_round(state, one, fact.seq, Because(ruled_points_bring_back.rules, (fact.seq,)))
            update_status(state, one)


def note_still_dead(state: FifthState, one: Combatant) -> None:
    """Keep that healing changes nothing for a dead combatant."""
    for name in ("successes", "failures"):
        marks.add_reason(state.tallies, one.id, name, one.standing)
    for each in state.conditions.values():
        if is_unconsciousness_at_zero(state.body(one.id), one, each):
            each.of = (*each.of, one.standing)


@derives("zero.unconscious", on=ConditionGained)
def condition_at_zero_is_recorded(state: FifthState, fact: Occurrence[ConditionGained]) -> None:
    """Keep since when conditions are recorded at 0 hit points: unconsciousness among them ends with healing."""
    for who in state.joined(fact.event.targets):
        one, body = state.combatants[who], state.body(who)
        if one.hp is not None and one.hp <= 0:
            body.out = body.out or fact.seq
        elif body.woken:
            gained = state.conditions[fact.seq, who]
            gained.of = (*gained.of, Derived(who, Because((), (body.woken,))))


@derives("zero.unconscious", on=ConditionLost)
def unconsciousness_is_over(state: FifthState, fact: Occurrence[ConditionLost]) -> None:
    """Forget unconsciousness that is recorded to have ended."""
    if fact.event.condition.casefold() == "unconscious":
        for who in state.joined(fact.event.targets):
            body = state.body(who)
            if body.out:
                body.woken, body.out = fact.seq, 0


@derives("healing.not-the-dead")
def revives(state: FifthState, fact: Occurrence[Healed]) -> Derived[bool]:
    """Return whether healing brings back the dead: by its entry, its spell, its effect or a ruling."""
    deed, one = deed_behind(state, fact.cause), state.combatants[fact.event.target]
    entry = figures.spell_of(state, state.combatants[deed.who], deed.action) if deed else None
    begun = state.begun.get(fact.cause)
    attributes = (*(entry.attributes if entry else ()), *(begun.attributes if begun else ()))
    named = (
        known(name, state.option("edition")) for name in (deed.name if deed else "", begun.effect if begun else "")
    )
    attributes = (*attributes, *(each for spell in named if spell for each in spell.get("attributes", ())))
    if any(each.casefold() == REVIVES for each in attributes):
        return Derived(True, Because(revives.rules))
    people, events, words = (one.id, one.side), (fact.seq, fact.cause), (deed.name,) if deed else ()
    return granted(state.rulings, revives.rules[0], who=people, event=events, said=words)


@check("healing.not-the-dead", on=Healed)
def the_dead_are_not_healed(state: FifthState, fact: Occurrence[Healed]) -> Breach | None:
    one = state.combatants[fact.event.target]
    if one.status != "dead" or fact.event.temporary or fact.event.amount <= 0 or revives(state, fact).value:
        return None
    events, amount = one.standing.because.flat().events, str(fact.event.amount)
    if not is_given_back(state, fact).value:
        return Breach(f"{one.id} is dead", "no healing", amount, events)
    if trait_of(state, one):
        return None
    says = f"{one.id} was dead, and lives: a trait such as Undead Fortitude, or a ruling, would explain it"
    return Breach(says, "no healing", amount, events, "notice", once=(one.id,))


@check("healing.to-maximum", on=Healed)
def healing_is_not_below_zero(_state: FifthState, fact: Occurrence[Healed]) -> Breach | None:
    amount = fact.event.amount
    return Breach("healing is never below 0", "0 or more", str(amount)) if amount < 0 else None
