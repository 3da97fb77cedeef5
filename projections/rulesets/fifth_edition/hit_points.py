"""Hit points: their rules, their maximum, temporary ones, bloodied; healing, and revival of the dead."""

from collections.abc import Iterable

from eventstore import events
from projections.because import Because, Derived, ask_rule, asked_options, cite_options
from projections.fight import Combatant
from projections.folds.vitals import lift_ruled_death, update_status
from projections.mechanics import tallies as marks
from projections.mechanics.grants import has_grant
from projections.mechanics.pools import HP, HP_MAX, TEMP, PoolRules
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import death, figures
from projections.rulesets.fifth_edition.circumstances import deed_behind
from projections.rulesets.fifth_edition.conditions import bare_exhaustion, exhaustion_level
from projections.rulesets.fifth_edition.spellbook import REVIVES, entry_fields
from projections.rulesets.fifth_edition.state import FifthState

MAXIMUM, NOT_THE_DEAD = "healing.to-maximum", "healing.not-the-dead"


@derives(MAXIMUM, NOT_THE_DEAD, "zero.unconscious", "death-save.three", on=events.Healed, phase="points")
def apply_healing(state: FifthState, fact: Occurrence[events.Healed]) -> None:
    """Let healing bring a combatant back from 0, and from death if it revives or the combatant was not dead."""
    event, one = fact.event, state.combatants[fact.event.target]
    if event.temporary:
        state.temp_of[one.id] = fact.cause
    if event.temporary or state.rules.repeats(state, fact):
        return
    body = state.body(one.id)
    body.by = ("healing.to-maximum", "damage.subtracts")
    revived = revives(state, fact)
    if body.dead and not revived.value:
        revived = death.regains_points(state, fact)
    if body.dead and not revived.value:
        update_status(state, one)
        for name in ("successes", "failures"):
            marks.add_reason(state.tallies, one.id, name, one.standing)
        for each in state.conditions.values():
            if death.is_unconsciousness_at_zero(body, one, each):
                each.of = (*each.of, one.standing)
        return
    if event.amount > 0 and one.hp is not None and one.hp > 0:
        if revived.value:
            lift_ruled_death(state, one, fact.seq)
        back = Because(revived.because.rules or ("healing.not-the-dead",), (fact.seq,), (revived,))
        _bring_back(state, one, fact.seq, back)
    update_status(state, one)


def _bring_back(state: FifthState, one: Combatant, seq: int, back: Because) -> None:
    """End a combatant's death, for the reason `back`, its death saves, and its unconsciousness at 0 hit points."""
    body, falls = state.body(one.id), "zero.unconscious"
    if body.dead:
        body.fallen = cite_options(back, body.fallen.options) if body.fallen else back
    body.dead, body.stable, body.why = None, None, ()
    marks.clear_marks(state.tallies, one.id, Because((falls,), (seq,), (one.standing,)))
    death.wake_up(state, one, Because((falls,), (seq,)))


@derives("healing.not-the-dead", on=events.RulingMade, phase="points")
def bring_back_by_ruling(state: FifthState, fact: Occurrence[events.RulingMade]) -> None:
    """Bring a combatant back, even from death, by a ruling that gives it hit points."""
    for one in state.combatants.values():
        if one.ruled.get(HP) == fact.seq and one.hp is not None and one.hp > 0:
            _bring_back(state, one, fact.seq, Because(bring_back_by_ruling.rules, (fact.seq,)))
            update_status(state, one)


@derives("zero.unconscious", on=events.ConditionGained, phase="status")
def keep_condition_at_zero(state: FifthState, fact: Occurrence[events.ConditionGained]) -> None:
    """Keep the first record of a condition at 0 hit points: unconsciousness from then on ends with healing."""
    for who in state.joined(fact.event.targets):
        one, body = state.combatants[who], state.body(who)
        if one.hp is not None and one.hp <= 0:
            body.out = body.out or fact.seq
        elif body.woken:
            gained = state.conditions[fact.seq, who]
            gained.of = (*gained.of, Derived(who, Because((), (body.woken,))))


@derives("zero.unconscious", on=events.ConditionLost, phase="status")
def forget_unconsciousness(state: FifthState, fact: Occurrence[events.ConditionLost]) -> None:
    """Forget unconsciousness that a record ends."""
    if fact.called == "unconscious":
        for who in state.joined(fact.event.targets):
            body = state.body(who)
            if body.out:
                body.woken, body.out = fact.seq, 0


@derives("healing.not-the-dead")
def revives(state: FifthState, fact: Occurrence[events.Healed]) -> Derived[bool]:
    """Return whether healing revives the dead: by its entry, its spell, its effect or a ruling."""
    deed, one = deed_behind(state, fact.cause), state.combatants[fact.event.target]
    entry = figures.spell_entry(state, state.combatants[deed.who], deed.action) if deed else None
    begun = state.begun.get(fact.cause)
    attributes = (*(entry.attributes if entry else ()), *(begun.attributes if begun else ()))
    named = (entry_fields(name, state.edition) for name in (deed.name if deed else "", begun.effect if begun else ""))
    attributes = (*attributes, *(each for spell in named if spell for each in spell.get("attributes", ())))
    if any(each.casefold() == REVIVES for each in attributes):
        return Derived(True, Because(revives.rules))
    people, events, words = (one.id, one.side), (fact.seq, fact.cause), (deed.name,) if deed else ()
    return has_grant(state.rulings, "healing.not-the-dead", who=people, event=events, said=words)


@check("healing.not-the-dead", on=events.Healed)
def the_dead_are_not_healed(state: FifthState, fact: Occurrence[events.Healed]) -> Breach | None:
    one = state.combatants[fact.event.target]
    if one.status != "dead" or fact.event.temporary or fact.event.amount <= 0 or revives(state, fact).value:
        return None
    events, amount = one.standing.because.flat().events, f"{fact.event.amount} hp"
    if not death.regains_points(state, fact).value:
        return Breach(f"{one.id} is dead", "no healing", amount, events)
    deed = deed_behind(state, fact.cause)
    if death.saving_trait(state, one) or (deed and death.names_saving_trait(deed, one.id)):
        return None
    says = f"{one.id} was dead, but is healed: a trait such as Undead Fortitude, or a ruling, would explain it"
    return Breach(says, "no healing", amount, events, "notice", once=(one.id,))


@check("healing.to-maximum", on=events.Healed)
def healing_is_not_below_zero(_state: FifthState, fact: Occurrence[events.Healed]) -> Breach | None:
    amount = fact.event.amount
    return Breach("healing is never below 0", "0 hp or more", f"{amount} hp") if amount < 0 else None


@derives("damage.subtracts", "healing.to-maximum", "temp.not-added", "temp.beside", "temp.lost-first")
def pool_rules(state: FifthState, one: Combatant) -> PoolRules:
    """Return the rules of hit points: not below 0 or, by option, the floor of the sheet, and not above the maximum."""
    body, temp = state.body(one.id), ("temp.not-added", "temp.beside", "temp.lost-first")
    return PoolRules(
        floor=0 if state.option("hp-floor") == "zero" else one.sheet.hp_floor,
        temporary="replace" if state.option("temporary-points") == "newer" else "larger",
        cites={HP: body.by, TEMP: temp, HP_MAX: body.most},
        floor_option="hp-floor",
        temp_option="temporary-points",
    )


@derives("temp.until-spent", on=events.EffectEnded, phase="points")
def end_effect_points(state: FifthState, fact: Occurrence[events.EffectEnded]) -> None:
    """End temporary hit points with the effect that gave them, in 2014."""
    for who, cause in [*state.temp_of.items()]:
        gone = cause in state.begun and not any(key[0] == cause for key in state.effects)
        if gone and state.is_new:
            state.combatants[who].pools[TEMP].changes.add_reason(asked_options())
        elif gone:
            del state.temp_of[who]
            state.combatants[who].pools[TEMP].set_value(0, fact.seq, (asked_options(),))


CHANGING = (events.ConditionGained, events.ConditionLost, events.EffectStarted, events.EffectEnded, events.RulingMade)
"""The facts that can change maxima and statuses, though they name no hit points."""


@derives(
    "healing.to-maximum", "exhaustion.table", "zero.maximum-zero", "exhaustion.levels",
    on=(*CHANGING, events.SheetChanged, events.CombatantJoined),
 phase="points")  # fmt: skip
def change_maximums(state: FifthState, fact: Occurrence[events.Fact]) -> None:
    """Let hit points fall to a smaller maximum, unless a later ruling set them; in 2024 a maximum of 0 kills."""
    event = fact.event
    affected: Iterable[Combatant] = state.combatants.values()
    if isinstance(event, events.CombatantJoined | events.SheetChanged):
        affected = (state.combatants[event.combatant],)
    for one in affected:
        ask_rule(change_maximum, state, one, fact.seq)


def change_maximum(state: FifthState, one: Combatant, seq: int) -> None:
    """Apply a change of the maximum to one combatant."""
    body, most, pool = state.body(one.id), maximum_points(state, one), one.pools[HP_MAX]
    if most is not None and most.value != pool.value:
        pool.set_value(most.value, seq, (most.because,))
        body.most = most.because.rules or ("healing.to-maximum",)
    elif most is not None and has_halved_maximum(state, one) and state.is_new:
        for name in (HP, HP_MAX):
            one.pools[name].changes.add_reason(Because(options=most.because.options))
    if pool.value is None or one.hp is None:
        return
    if one.hp > pool.value and (HP not in one.ruled or one.ruled[HP] < pool.changes.seqs[-1]):
        one.pools[HP].set_value(pool.value, seq, (pool.since(),))
    if pool.value <= 0 and not body.dead:
        if state.is_new:
            death.die(state, one, Because(("zero.maximum-zero",), (seq,)))
        else:
            update_status(state, one)


@derives("exhaustion.table", on=CHANGING, phase="status")
def derive_statuses(state: FifthState, _fact: Occurrence[events.Fact]) -> None:
    """Derive the status of each combatant again, which a condition, an effect or a ruling can change."""
    for one in state.combatants.values():
        update_status(state, one)


@derives("healing.to-maximum")
def maximum_points(state: FifthState, one: Combatant) -> Derived[int] | None:
    """Return the maximum of hit points by the sheet, effects and exhaustion; None if it is unknown or ruled."""
    shape = state.worn(one.id)
    base = shape.points if shape else one.sheet.hp_max if one.sheet.hp_max is not None else one.sheet.hp
    if base is None or "hp_max" in one.ruled:
        return None
    changes = {
        e.called: (part.amount, e.seq)
        for e in state.effects.values()
        if e.bearer == one.id and e.seq in state.begun
        for part in state.begun[e.seq].modifiers
        if (part.to or part.name).casefold() in ("hp_max", "hp-max", "hp max", "hit point maximum")
    }
    total = base + sum(amount for amount, _ in changes.values())
    own = (shape.seq,) if shape else one.records("hp_max", "hp")
    events = (*own, *(seq for _, seq in changes.values()))
    if not has_halved_maximum(state, one):
        return Derived(max(0, total), Because((), events))
    rules, halved = ((), total) if state.is_new else (("exhaustion.table",), total // 2)
    return Derived(max(0, halved), Because(rules, events, (exhaustion_level(state, one.id),)))


def has_halved_maximum(state: FifthState, one: Combatant) -> bool:
    """Say whether a combatant's exhaustion is one that halves its maximum, as it does in 2014."""
    return bare_exhaustion(state, one.id) >= 4


@derives("status.bloodied")
def is_bloodied(state: FifthState, who: str) -> Derived[bool] | None:
    """Return whether a combatant has half its hit points or fewer left, in 2024; None if that is unknown."""
    one = state.combatants[who]
    if not state.is_new or one.hp is None or one.hp_max is None:
        return None
    return Derived(2 * one.hp <= one.hp_max, Because(is_bloodied.rules, (one.joined,), death.point_reasons(one)))
