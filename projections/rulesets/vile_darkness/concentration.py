"""Concentration: what it is on, the disturbances that end it, and limits of movement.

A disturbance is kept with the work, and whether it counts is derived later; a maintained effect ends at once.
"""

from collections.abc import Iterator

from eventstore import events
from eventstore.events import EffectEnded, EffectStarted, Moved
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Cites, Derived, asked_options
from projections.fight import Combatant
from projections.folds.concentration import release
from projections.folds.effects import end_effects, joined_targets
from projections.mechanics import work
from projections.mechanics.conditions import Effect, effects_held
from projections.mechanics.rolls import reaches
from projections.mechanics.work import Incident
from projections.occurrence import is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness import works
from projections.rulesets.vile_darkness.initiative import why_low
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import Casting, DisturbedAt, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import SPELLS, entry_of, slot_at
from projections.stream.causes import find_origin

LOSS, DAMAGE = "concentration.loss-ends-effect", "concentration.broken-by-damage"

# ---------------------------------------------------------------- maintained effects


@derives("concentration.second-ends-first")
def end_other_effects(state: VileState, who: str, seq: int) -> None:
    """End the effects that a combatant maintains when it begins to concentrate on something else."""
    if gone := release(state, who, Because(end_other_effects.rules, (seq,)), but=seq):
        state.round.ended[seq] = state.round.ended.get(seq, {}) | gone


def keep_why_spared(state: VileState, who: str, because: Because) -> None:
    """Keep the option by which the maintained effects of a combatant go on."""
    for key in effects_held(state.effects, who):
        state.spared[key[0]] = Because(of=(because, state.spared.get(key[0], NOTHING_CITED)))
        state.effects[key].of += (because,)


def end_effects_for_casting(state: VileState, casting: Casting) -> None:
    """End the effects that a caster maintains, as of segment 1, when a casting that takes concentration begins."""
    needs = works.needs_concentration(state, casting)
    if needs.value:
        end_other_effects(state, casting.who, casting.seq)
    else:
        keep_why_spared(state, casting.who, needs.because)


def take_work_back(state: VileState, who: str, seq: int, why: Because = NOTHING_CITED) -> Casting | None:
    """Remove and return the work that a declaration began, and restore the effects that it ended, because of `why`."""
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
    because = Because((rule,), (fact.seq,), why.of, options=why.options)
    act = state.round.acts.get(find_origin(state, fact.cause, state.round.acts))
    spell = works.by_seq(state, act.combatant, act.work) if act else None
    spell = spell if spell and works.slot_of_work(state, spell) == "E" else None
    tick = works.tick_of(state, fact.point) if fact.point.segment else 0
    low = (why_low(state, spell.who), why_low(state, who)) if spell else ()
    where = DisturbedAt(state.clock.round, slot_at(state, fact.point.phase), spell.seq if spell else None, low)
    for each in (*state.works_of.get(who, ()), *works.works_aside(state, who)):
        each.incidents.append(Incident(fact.seq, tick, because=because, place=where))
    moment = (state.clock.round, where.slot, works.window(state, spell).value[1] if spell else tick)
    begun = {key: _maintained_since(state, state.effects[key]) for key in effects_held(state.effects, who)}
    held = [key for key, since in begun.items() if spell is None or since != moment]
    if any(since[:2] == (moment[0], "") for since in begun.values()):
        why = Because((), (), (*why.of, cited_records(state.clock.phase_event)), options=why.options)
    rules = (LOSS, rule) if rule == DAMAGE else (rule, LOSS)
    end_effects(state, held, Because(rules, (fact.seq,), why.of, options=why.options))


@derives("concentration.only-during-its-period")
def _maintained_since(state: VileState, effect: Effect) -> tuple[int, str, int]:
    """Return the moment from which an effect is maintained; a spell that takes effect at that moment does not end it."""
    act, since = state.round.acts.get(effect.seq), effect.since
    spell = works.by_seq(state, act.combatant, act.work) if act else None
    tick = SEGMENTS * (since.round - 1) + since.segment if since.segment else 0
    return since.round, slot_at(state, since.phase), works.window(state, spell).value[1] if spell else tick


# ---------------------------------------------------------------- causes of disturbance


@derives(DAMAGE, on=events.DamageDealt, phase="consequences")
def disturb_wounded(state: VileState, fact: Reading[events.DamageDealt]) -> None:
    """Disturb a combatant who loses hit points."""
    if state.loss.hp > 0:
        disturb(state, fact.event.target, fact, "concentration.broken-by-damage")


@derives("concentration.broken-by-failed-save", on=events.SaveRolled, phase="consequences")
def disturb_by_failed_save(state: VileState, fact: Reading[events.SaveRolled]) -> None:
    """Disturb a combatant who fails a saving throw, by its die if that decides, else as stated."""
    if reaches(fact.event, fact.event.dc) is False:
        disturb(state, fact.event.combatant, fact, "concentration.broken-by-failed-save")


@derives("concentration.broken-by-impediment", on=events.ConditionGained, phase="consequences")
def disturb_impeded(state: VileState, fact: Reading[events.ConditionGained]) -> None:
    """Disturb a combatant who gets a condition that impedes: by its name, or as the fact says."""
    impeding = state.rules.catalogue().tables["impeding"]["conditions"]
    impedes = fact.event.impedes or fact.event.condition.casefold() in impeding
    for who in joined_targets(state, fact.event) if impedes else ():
        disturb(state, who, fact, "concentration.broken-by-impediment")


@derives("concentration.broken-by-impediment", on=(events.RulingMade, events.CombatantLeft), phase="consequences")
def end_work_of_those_out(state: VileState, fact: Reading[events.RulingMade | events.CombatantLeft]) -> None:
    """End the work of combatants who are put out of the fight: concentration breaks, other work is lost."""
    because, tick = Because(end_work_of_those_out.rules, (fact.seq,)), works.tick_of(state, state.clock.point)
    for one in state.combatants.values():
        if one.left != fact.seq and (one.status != "out" or state.ruled[f"{one.id}.status"].seq != fact.seq):
            continue
        for each in (*state.works_of.get(one.id, ()), *works.works_aside(state, one.id)):
            needs = works.needs_concentration(state, each)
            ends, why = work.SPOILED if needs.value else work.LOST, Because(because.rules, because.events, of=(needs,))
            each.incidents.append(Incident(fact.seq, tick, ends, why, sure=True))
        release(state, one.id, because + Because((LOSS,)))


@derives("incantation.broken-is-lost", on=events.RulingMade, phase="consequences")
def spoil_by_ruling(state: VileState, fact: Reading[events.RulingMade]) -> None:
    """Spoil the work of combatants whose casting or concentration a ruling ends."""
    values = fact.event.values or {} if fact.event.ruling == "override" else {}
    tick = works.tick_of(state, state.clock.point)
    for who, _, field in (address.partition(".") for address, value in values.items() if value == NOTHING):
        for each in state.works_of.get(who, ()) if field in ("casting", "concentration") else ():
            needs, at_once = works.needs_concentration(state, each), field == "casting"
            why = Because(("log.ruling",), (fact.seq,), () if at_once else (needs,))
            each.incidents.append(Incident(fact.seq, tick, because=why, sure=at_once or needs.value))


@derives("free.breaks-concentration", on=events.ActionTaken, phase="consequences")
def disturb_free_attacker(state: VileState, fact: Reading[events.ActionTaken]) -> None:
    """Disturb a combatant who takes a free attack."""
    if fact.act and fact.act.action.cost == "free-attack":
        disturb(state, fact.who, fact, "free.breaks-concentration")


@derives(LOSS, on=(events.ActionTaken, events.AttackRolled), phase="consequences")
def end_effects_of_attacker(state: VileState, fact: Reading[events.ActionTaken | events.AttackRolled]) -> None:
    """End the maintained effects of a combatant who makes an ordinary attack, by option."""
    match fact.act:
        case VileAct(kind="attack" | "charge") if state.option("attack-while-maintaining") == "ends-effect":
            release(state, fact.who, Because((LOSS,), (fact.seq,)))
        case VileAct(kind="attack" | "charge"):
            keep_why_spared(state, fact.who, asked_options())


@derives("immediate-attack.replaces-declared", on=events.ActionTaken, phase="consequences")
def give_up_work(state: VileState, fact: Reading[events.ActionTaken]) -> None:
    """Give up the work of a combatant who makes an immediate attack."""
    if fact.act and fact.act.action.cost == "immediate-attack":
        for each in (*state.works_of.get(fact.who, ()), *works.works_aside(state, fact.who)):
            tick = works.tick_of(state, fact.point)
            work.give_up_work(each, fact.seq, tick, Because(give_up_work.rules, (fact.seq,)))


@derives("concentration.maintain-notation", on=EffectStarted, phase="effects")
def maintain_effect(state: VileState, fact: Reading[EffectStarted]) -> None:
    """Let the source of an effect maintain it, if fact or entry says that it takes concentration."""
    act, event, who = fact.act, fact.event, fact.who
    entry = entry_of(state, who, event.effect)
    if not event.concentration and not (entry and entry.concentration):
        return
    own = [key for key in state.effects if key[0] == fact.seq]
    for key in own:
        state.effects[key].concentration, state.effects[key].source = True, who
    if act and (broken := works.work_completed_by(state, act)) and works.end_before_completion(state, act):
        end_effects(state, own, Because(state.rules.effect_rules, (fact.seq,), of=(works.status(state, broken),)))
    else:
        end_other_effects(state, who, fact.seq)


@derives("incantation.needs-concentration", "concentration.second-ends-first", "incantation.broken-is-lost")
def concentration_object(state: VileState, one: Combatant) -> tuple[str, Because]:
    """Return the object of a combatant's concentration, with the reason; "", with that for its end, without one."""
    own = [each for each in state.works_of.get(one.id, ()) if works.needs_concentration(state, each).value]
    casting = works.under_way(state, own)
    asked = [works.needs_concentration(state, each) for each in works.bare_under_way(state, one.id)]
    why: tuple[Cites, ...] = (casting, *asked)
    if casting.value:
        last = casting.value[-1]
        rules = ("concentration.second-ends-first",) if last.seq in state.round.ended else ()
        return last.name, Because((*rules, "incantation.needs-concentration"), (last.seq,), why)
    why = (*why, works.taken_back(state, one.id, *SPELLS))
    held = [state.effects[key] for key in effects_held(state.effects, one.id)]
    if held:
        begun = Derived(held, Because((), (held[-1].seq,), (state.spared.get(held[-1].seq, NOTHING_CITED),)))
        return held[-1].name, Because(maintain_effect.rules, (), (begun, *why))
    let_go = Derived(held, state.released.get(one.id, NOTHING_CITED))
    none = Because(("incantation.needs-concentration",), (one.joined,))
    return "", Because(of=(let_go, why_last_ended(state, own), none, *why))


def bare_concentration(state: VileState, who: str) -> str:
    """Return the work or effect on which a combatant concentrates, without a reason."""
    held = [state.effects[key].name for key in effects_held(state.effects, who)]
    busy = [each.name for each in works.bare_under_way(state, who) if works.needs_concentration(state, each).value]
    return [NOTHING, *held, *busy][-1]


def why_last_ended(state: VileState, own: list[Casting]) -> Because:
    """Return why the last of the works that would reach into this round ended, and why its spell is used up."""
    here = [each for each in own if not works.is_work_past(state, each)]
    ends = [(found.value, each, found) for each in here if (found := works.why_over(state, each)).value]
    if not ends:
        return NOTHING_CITED
    _, last, found = max(ends, key=lambda each: state.place_of(each[0].seq))
    used = works.use_of_spell(state, last)
    rules = ("concentration.second-ends-first",) if last.seq in state.round.ended else ()
    rules = (*rules, *found.because.rules, *(used.because.rules if used else ()))
    return Because(tuple(dict.fromkeys(rules)), of=(found,))


# ---------------------------------------------------------------- movement while maintaining

WALK = "walk"


def _mode_of_move(act: VileAct) -> str:
    return act.action.plain_manner[0] if act.action.manner else WALK


@derives("concentration.half-move", "concentration.native-fly-swim")
def feet_allowed(state: VileState, act: VileAct) -> float | None:
    """Return the feet a round of a maintainer: half its rate, or all of it in a native mode; None if unknown."""
    sheet, mode = state.combatants[act.combatant].sheet, _mode_of_move(act)
    rate = sheet.speeds.get(mode, sheet.speeds.get(WALK))
    native = mode != WALK and mode in {each.casefold() for each in sheet.native_modes}
    if rate is None:
        return None
    return float(rate) if native else rate / 2


def moves_before(state: VileState, act: VileAct) -> list[VileAct]:
    """Return the moves in the same mode with which a maintainer has begun in the round before another one."""
    moves = [each for each in state.round.acts_of.get(act.combatant, ()) if state.precedes(each.seq, act.seq)]
    return [each for each in moves if each.maintains and _mode_of_move(each) == _mode_of_move(act)]


def feet_walked(state: VileState, act: VileAct) -> float:
    """Return the feet that a combatant has covered in this mode in the round, up to and with a move."""
    return act.feet + sum(each.feet for each in moves_before(state, act))


@derives(LOSS, on=Moved, phase="consequences")
def end_effects_of_walker(state: VileState, fact: Reading[Moved]) -> None:
    """End the maintained effects of a combatant that goes too far, by option."""
    act = fact.act
    most = feet_allowed(state, act) if act else None
    if act is None or most is None or feet_walked(state, act) <= most:
        return
    if state.option("over-half-move") == "breaks":
        release(state, act.combatant, Because((LOSS,), (fact.seq,)))
    else:
        keep_why_spared(state, act.combatant, asked_options())


@checks_by("concentration.half-move", "concentration.native-fly-swim", on=Moved)
def maintainers_go_no_further(state: VileState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault for a combatant who goes too far while it maintains an effect."""
    act = state.round.acts.get(fact.seq)
    if act is None or not act.maintains:
        return
    most, went = feet_allowed(state, act), feet_walked(state, act)
    if most is None or not went > most >= went - act.feet:
        return
    if state.option("over-half-move") != "breaks" and not _ended_effect(state, act):
        rule = "concentration.half-move" if _mode_of_move(act) == WALK else "concentration.native-fly-swim"
        says = f"{act.combatant} moves {went:g} ft while maintaining an effect"
        records = {act.seq, act.maintains, *(each.seq for each in moves_before(state, act))}
        records |= {*state.combatants[act.combatant].records("speeds", "native_modes")}
        yield Fault((rule,), says, f"{most:g} ft at most", f"{went:g} ft", tuple(sorted(records)))


def _ended_effect(state: VileState, act: VileAct) -> bool:
    ends = [each for each in state.moments.values() if is_a(each, EffectEnded) and state.precedes(act.seq, each.seq)]
    own = [each for each in ends if each.event.source in (None, act.combatant)]
    return any(each.cause == act.seq or each.point == state.moments[act.seq].point for each in own)
