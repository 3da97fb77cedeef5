"""Casting: counterspells while a spell is cast, and the saves that spells allow."""

from eventstore.events import ActionTaken, ConditionGained, DamageDealt, EffectStarted, Healed, SaveRolled
from eventstore.shapes import Save
from projections.rulesets.definition_master.acts.acts import COUNTERSPELL, act_behind, entry_of
from projections.rulesets.definition_master.health.saves import bonus_of, misrecorded, total_of
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import kinds
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant


@derives("counterspell.granted-while-cast", on=(DamageDealt, EffectStarted, Healed, ConditionGained))
def spell_takes_effect(state: MasterState, fact: Reading) -> None:
    """Keep that a casting has taken effect, and can no longer be countered."""
    if behind := act_behind(state, fact):
        state.flow.applied.add(behind.seq)


@check("counterspell.granted-while-cast", on=ActionTaken)
def a_counterspell_needs_a_grant_and_a_spell(state: MasterState, act: Reading) -> Breach | None:
    """Report a counterspell that nothing grants, that answers no casting, or that comes after the effect."""
    told = act.taken
    if told.kind != COUNTERSPELL or act.is_granted("counterspell.granted-while-cast"):
        return None
    named = (told.action.granted_by or COUNTERSPELL).casefold()
    sources = (*act.one.sheet.feats, *(entry.name for entry in act.one.sheet.entries))
    if not any(word in source.casefold() for source in sources for word in (COUNTERSPELL, named)):
        return Breach(f"nothing grants {told.combatant} a counterspell", "a grant", "none", (act.one.joined,))
    spells = (each for each in reversed(state.round.acts) if each.kind == "cast")
    cast = state.flow.acts.get(told.trigger) if told.trigger else next(spells, None)
    if cast is None or cast.kind not in ("cast", COUNTERSPELL) or cast.point != act.point:
        return Breach(f"{told.combatant} counters while no spell is cast", "a casting", "none")
    if cast.seq in state.flow.applied:
        return Breach(f"the spell of event {cast.seq} has taken effect", "while it is cast", "later", (cast.seq,))
    return None


# ---------------------------------------------------------------- saves against spells


def save_of(one: Combatant, act: MasterAct) -> Save | None:
    """Return the save that a spell allows: as recorded, or by its entry; None if it allows none."""
    entry = entry_of(one, act.action)
    return act.action.allows_save or (entry.allows_save if entry else None)


@derives("casting.target-saves", on=SaveRolled)
def save_is_kept(state: MasterState, save: Reading) -> None:
    """Keep that somebody has saved against a spell."""
    behind = act_behind(state, save)
    if behind and save.event.purpose is None:
        state.flow.saved.setdefault(behind.seq, set()).add(save.event.combatant)


@check("casting.target-saves", on=(DamageDealt, EffectStarted, ConditionGained))
def the_target_saves_before_the_effect(state: MasterState, fact: Reading) -> Breach | None:
    act = act_behind(state, fact)
    if (
        act is None
        or act.kind not in (*kinds("spells"), "ability")
        or not save_of(state.combatants[act.combatant], act)
    ):
        return None
    on = (fact.event.target,) if isinstance(fact.event, DamageDealt) else fact.event.targets
    missing = [who for who in on if who not in state.flow.saved.get(act.seq, ())]
    if not missing:
        return None
    return Breach(f"{missing[0]} has not saved against {act.action.name or act.kind}", "a save", "none", (act.seq,))


def comes_to(one: Combatant, event: SaveRolled) -> int | None:
    """Return what a save comes to; what was written down where the sheet has no bonus to it and the roll no parts."""
    save = event.save or ""
    return event.total if bonus_of(one, save) is None and not event.modifiers else total_of(one, event, save)


@check("casting.target-saves", on=SaveRolled)
def a_save_reaches_the_dc(state: MasterState, save: Reading) -> Breach | None:
    event = save.event
    if (event.purpose or "").casefold() in ("death", "massive-damage"):
        return None
    behind = act_behind(state, save)
    allowed = save_of(state.combatants[behind.combatant], behind) if behind else None
    dc = allowed.dc if allowed and event.dc is None else event.dc
    wrong = misrecorded(
        save.one, event, comes_to(save.one, event), dc, ("casting.target-saves", "casting.target-saves")
    )
    return Breach(wrong.says, wrong.expected, wrong.found, wrong.because) if wrong else None
