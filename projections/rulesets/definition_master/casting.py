"""Casting: counterspells while a spell is cast, and the saves that spells allow."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, ConditionGained, DamageDealt, EffectStarted, Fact, Healed, SaveRolled
from eventstore.shapes import Save
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.acts import COUNTERSPELL, act_behind, entry_of
from projections.rulesets.definition_master.death import record_faults, save_bonus, save_total
from projections.rulesets.definition_master.reading import Reading, is_granted_by_ruling
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import kinds


@derives("counterspell.granted-while-cast", on=(DamageDealt, EffectStarted, Healed, ConditionGained), phase="effects")
def keep_spell_effect(state: MasterState, fact: Reading[Fact]) -> None:
    """Keep that a casting has taken effect; it can no longer be countered."""
    if behind := act_behind(state, fact.fact):
        state.flow.applied.add(behind.seq)


@checks_by("counterspell.granted-while-cast", on=ActionTaken, unless=is_granted_by_ruling)
def a_counterspell_needs_a_grant_and_a_spell(state: MasterState, act: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a counterspell that nothing grants, or that answers no casting or one already in effect."""
    counter, rules = act.taken, ("counterspell.granted-while-cast",)
    if counter.kind != COUNTERSPELL:
        return
    named = (counter.action.granted_by or COUNTERSPELL).casefold()
    sources = (*act.one.sheet.feats, *(entry.name for entry in act.one.sheet.entries))
    if not any(word in source.casefold() for source in sources for word in (COUNTERSPELL, named)):
        says = f"nothing grants {counter.combatant} a counterspell"
        yield Fault(rules, says, "no counterspell", "a counterspell", (act.one.joined,))
    spells = (each for each in reversed(state.round.acts) if each.kind == "cast")
    cast = state.flow.acts.get(counter.trigger) if counter.trigger else next(spells, None)
    if cast is None or cast.kind not in ("cast", COUNTERSPELL) or cast.point != act.point:
        says = f"{counter.combatant} uses a counterspell, but no spell is being cast"
        yield Fault(rules, says, "a spell being cast", "none")
    elif cast.seq in state.flow.applied:
        says = f"the spell of event {cast.seq} has taken effect already"
        yield Fault(rules, says, "while it is cast", "later", (cast.seq,))


def allowed_save(state: MasterState, act: MasterAct) -> Save | None:
    """Return the save that a spell allows: as recorded, or by its entry; None if it allows none."""
    entry = entry_of(state.combatants[act.combatant], act.action)
    return act.action.allows_save or (entry.allows_save if entry else None)


@derives("casting.target-saves", on=SaveRolled, phase="rolls")
def keep_spell_save(state: MasterState, save: Reading[SaveRolled]) -> None:
    """Keep that a combatant has saved against a spell; if the spell is uncertain, it may be any act of the round."""
    who, behind = save.event.combatant, act_behind(state, save.fact)
    perhaps = state.round.acts if save.fact.doubtful else []
    for act in [behind] if behind else perhaps:
        if save.event.purpose is None:
            state.flow.saved.setdefault(act.seq, set()).add(who)


@checks_by("casting.target-saves", on=(DamageDealt, EffectStarted, ConditionGained))
def the_targets_save_before_the_effect(
    state: MasterState, fact: Reading[DamageDealt | EffectStarted | ConditionGained]
) -> Iterator[Fault]:
    """Yield a fault for each target of a spell with a save that has not saved against it."""
    act = act_behind(state, fact.fact)
    if act is None or act.kind not in (*kinds("spells"), "ability") or not allowed_save(state, act):
        return
    on = (fact.event.target,) if isinstance(fact.event, DamageDealt) else fact.event.targets
    for who in (each for each in dict.fromkeys(on) if each not in state.flow.saved.get(act.seq, ())):
        says = f"{who} has not saved against {act.action.name or act.kind}"
        yield Fault(("casting.target-saves",), says, "a save", "none", (act.seq,))


@checks_by("casting.target-saves", on=SaveRolled)
def a_save_reaches_the_dc(state: MasterState, save: Reading[SaveRolled]) -> Iterator[Fault]:
    """Yield the faults in the record of a save against a spell."""
    event = save.event
    if (event.purpose or "").casefold() in ("death", "massive-damage"):
        return
    behind = act_behind(state, save.fact)
    allowed = allowed_save(state, behind) if behind else None
    dc = allowed.dc if allowed and event.dc is None else event.dc
    save_, rules = event.save or "", ("casting.target-saves", "casting.target-saves")
    is_bare = save_bonus(save.one, save_) is None and not event.modifiers
    total = event.total if is_bare else save_total(save.one, event, save_)
    yield from record_faults(save.one, event, total, dc, rules)
