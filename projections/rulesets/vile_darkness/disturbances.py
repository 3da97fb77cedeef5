"""Disturbances of work and of maintained effects: wounds, failed saves, impediments, free attacks, other work.

A disturbance is kept with the work, and whether it counts is derived later; a maintained effect ends at once.
"""

from eventstore import events
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, asked_options
from projections.folds.concentration import let_go
from projections.folds.effects import bearers, end
from projections.mechanics import work
from projections.mechanics.concentration import concentrated
from projections.mechanics.conditions import Effect
from projections.mechanics.rolls import reaches
from projections.mechanics.work import Incident
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness import works
from projections.rulesets.vile_darkness.initiative import lows
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import Casting, DisturbedAt, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import impeding, slot_at
from projections.stream.causes import origin

LOSS, DAMAGE = "concentration.loss-ends-effect", "concentration.broken-by-damage"

# ---------------------------------------------------------------- maintained effects


@derives("concentration.second-ends-first")
def ends_others(state: VileState, who: str, seq: int) -> None:
    """End the effects that a combatant maintains when it begins to concentrate on something else."""
    gone = let_go(state, who, Because(ends_others.rules, (seq,)), but=seq)
    if gone:
        state.round.ended[seq] = state.round.ended.get(seq, {}) | gone


def spare(state: VileState, who: str, because: Because) -> None:
    """Keep the option by which the maintained effects of a combatant go on."""
    for key in concentrated(state.effects, who):
        state.spared[key[0]] = Because(of=(because, state.spared.get(key[0], NOTHING_CITED)))
        state.effects[key].of += (because,)


def leave_alone(state: VileState, who: str, because: Because) -> None:
    """Keep why the work and the effects on which a combatant concentrates go on."""
    spare(state, who, because)
    for each in works.bare_under_way(state, who):
        each.because = Because(of=(each.because, because))


def casting_begins(state: VileState, casting: Casting) -> None:
    """End the effects that a caster maintains, as of segment 1, when a casting that takes concentration begins."""
    needs = works.needs_concentration(state, casting)
    if needs.value:
        ends_others(state, casting.who, casting.seq)
    else:
        spare(state, casting.who, needs.because)


def is_taken_back(state: VileState, who: str, seq: int, why: Because = NOTHING_CITED) -> Casting | None:
    """Remove and return the work that a declaration began, and restore the effects that it ended.

    `why` is the reason if no other declaration replaces it.
    """
    if begun := works.by_seq(state, who, seq):
        state.works.remove(begun)
        state.works_of[who].remove(begun)
    ended = state.round.ended.get(seq, {})
    for key in [key for key, effect in ended.items() if effect.source == who]:
        state.effects[key] = ended.pop(key)
        state.effects[key].of += (why,)
        state.rid_by.get(key[1], {}).pop(state.effects[key].called, None)
        state.touched.add(state.effects[key].bearer)
    return begun


# ---------------------------------------------------------------- disturbing a combatant


def disturb(state: VileState, who: str, fact: Reading[events.Fact], rule: str, why: Because = NOTHING_CITED) -> None:
    """Disturb, by a rule, the work and the effects on which a combatant concentrates."""
    state.touched.add(who)
    because, spell = Because((rule,), (fact.seq,), why.of, options=why.options), _spell_behind(state, fact)
    tick = works.tick_of(state, fact.point) if fact.point.segment else 0
    low = (lows(state, spell.who), lows(state, who)) if spell else ()
    where = DisturbedAt(state.clock.round, slot_at(state, fact.point.phase), spell.seq if spell else None, low)
    for each in (*state.works_of.get(who, ()), *works.works_aside(state, who)):
        work.disturb(each, Incident(fact.seq, tick, because=because, place=where))
    moment = (state.clock.round, where.slot, works.window(state, spell).value[1] if spell else tick)
    begun = {key: _since(state, state.effects[key]) for key in concentrated(state.effects, who)}
    held = [key for key, since in begun.items() if spell is None or since != moment]
    if any(since[:2] == (moment[0], "") for since in begun.values()):
        why = Because((), (), (*why.of, cited_records(state.clock.phase_event)), options=why.options)
    rules = (LOSS, rule) if rule == DAMAGE else (rule, LOSS)
    end(state, held, Because(rules, (fact.seq,), why.of, options=why.options))


def _spell_behind(state: VileState, fact: Reading[events.Fact]) -> Casting | None:
    """Return the spell that caused a fact."""
    act = state.round.acts.get(origin(state, fact.cause, state.round.acts))
    found = works.by_seq(state, act.combatant, act.work) if act else None
    return found if found and works.slot_of_work(state, found) == "E" else None


@derives("concentration.only-during-its-period")
def _since(state: VileState, effect: Effect) -> tuple[int, str, int]:
    """Return the moment from which an effect is maintained; a spell that takes effect at that moment does not end it."""
    act, since = state.round.acts.get(effect.seq), effect.since
    spell = works.by_seq(state, act.combatant, act.work) if act else None
    tick = SEGMENTS * (since.round - 1) + since.segment if since.segment else 0
    return since.round, slot_at(state, since.phase), works.window(state, spell).value[1] if spell else tick


# ---------------------------------------------------------------- causes of disturbance


@derives(DAMAGE, on=events.DamageDealt, phase="consequences")
def wounds_disturb(state: VileState, fact: Reading[events.DamageDealt]) -> None:
    """Disturb a combatant who loses hit points."""
    if state.loss.hp > 0:
        disturb(state, fact.event.target, fact, "concentration.broken-by-damage")


@derives("concentration.broken-by-failed-save", on=events.SaveRolled, phase="consequences")
def failed_saves_disturb(state: VileState, fact: Reading[events.SaveRolled]) -> None:
    """Disturb a combatant who fails a saving throw, by its die if that decides, else as stated."""
    if reaches(fact.event, fact.event.dc) is False:
        disturb(state, fact.event.combatant, fact, "concentration.broken-by-failed-save")


@derives("concentration.broken-by-impediment", on=events.ConditionGained, phase="consequences")
def impediments_disturb(state: VileState, fact: Reading[events.ConditionGained]) -> None:
    """Disturb a combatant who gets a condition that impedes: by its name, or as the fact says."""
    impedes = fact.event.impedes or fact.event.condition.casefold() in impeding()
    for who in bearers(state, fact.event) if impedes else ():
        disturb(state, who, fact, "concentration.broken-by-impediment")


@derives("concentration.broken-by-impediment", on=(events.RulingMade, events.CombatantLeft), phase="consequences")
def being_out_ends_everything(state: VileState, fact: Reading[events.RulingMade | events.CombatantLeft]) -> None:
    """End the work of combatants who are put out of the fight: concentration breaks, other work is lost."""
    because, tick = Because(being_out_ends_everything.rules, (fact.seq,)), works.tick_of(state, state.clock.point)
    for one in state.combatants.values():
        if one.left != fact.seq and (one.status != "out" or state.ruled[f"{one.id}.status"].seq != fact.seq):
            continue
        for each in (*state.works_of.get(one.id, ()), *works.works_aside(state, one.id)):
            needs = works.needs_concentration(state, each)
            ends, why = work.SPOILED if needs.value else work.LOST, Because(because.rules, because.events, of=(needs,))
            work.disturb(each, Incident(fact.seq, tick, ends, why, sure=True))
        let_go(state, one.id, because + Because((LOSS,)))


@derives("incantation.broken-is-lost", on=events.RulingMade, phase="consequences")
def ruling_ends_concentration(state: VileState, fact: Reading[events.RulingMade]) -> None:
    """Spoil the work of combatants whose casting or concentration a ruling ends."""
    values = fact.event.values or {} if fact.event.ruling == "override" else {}
    because, tick = Because(("log.ruling",), (fact.seq,)), works.tick_of(state, state.clock.point)
    for who, _, field in (address.partition(".") for address, value in values.items() if value == NOTHING):
        for each in state.works_of.get(who, ()) if field in ("casting", "concentration") else ():
            needs = works.needs_concentration(state, each)
            why = because if field == "casting" else Because(because.rules, because.events, of=(needs,))
            work.disturb(each, Incident(fact.seq, tick, because=why, sure=field == "casting" or needs.value))


@derives("free.breaks-concentration", on=events.ActionTaken, phase="consequences")
def free_attacks_disturb(state: VileState, fact: Reading[events.ActionTaken]) -> None:
    """Disturb a combatant who takes a free attack."""
    if fact.act and fact.act.action.cost == "free-attack":
        disturb(state, fact.who, fact, "free.breaks-concentration")


@derives(LOSS, on=(events.ActionTaken, events.AttackRolled), phase="consequences")
def attacks_disturb_by_option(state: VileState, fact: Reading[events.ActionTaken | events.AttackRolled]) -> None:
    """End the maintained effects of a combatant who makes an ordinary attack, by option."""
    match fact.act:
        case VileAct(kind="attack" | "charge") if state.option("attack-while-maintaining") == "ends-effect":
            let_go(state, fact.who, Because((LOSS,), (fact.seq,)))
        case VileAct(kind="attack" | "charge"):
            spare(state, fact.who, asked_options())


@derives("immediate-attack.replaces-declared", on=events.ActionTaken, phase="consequences")
def immediate_attacks_replace_work(state: VileState, fact: Reading[events.ActionTaken]) -> None:
    """Give up the work of a combatant who makes an immediate attack."""
    because = Because(immediate_attacks_replace_work.rules, (fact.seq,))
    own = *state.works_of.get(fact.who, ()), *works.works_aside(state, fact.who)
    for each in own if fact.act and fact.act.action.cost == "immediate-attack" else ():
        work.withdraw(each, fact.seq, works.tick_of(state, fact.point), because)
