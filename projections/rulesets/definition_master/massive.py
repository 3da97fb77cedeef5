"""Massive damage: the hits that call for a save, its DC, and its outcome."""

from collections.abc import Iterator

from msgspec import structs

from eventstore.events import AttackRolled, DamageDealt, Healed, SaveRolled, TimePassed
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Cites, Derived, asked_options
from projections.folds.vitals import update_status
from projections.mechanics.grants import words_of
from projections.mechanics.pools import HP
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import death
from projections.rulesets.definition_master.acts import ACTS
from projections.rulesets.definition_master.attack import does_hit
from projections.rulesets.definition_master.death import FORTITUDE, kind_of_save, record_faults, save_total
from projections.rulesets.definition_master.health import fall_or_rise
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Failure, Hit, MasterState
from projections.rulesets.definition_master.turns import ENDS_A_TURN
from projections.stream.causes import causes

HALF, ONE_HIT, AT_ONCE = "massive.half-maximum", "massive.single-hit-after-reductions", "massive.save-at-once"
DC = "massive.dc-attacker-hit-dice"


@derives(HALF, ONE_HIT, on=DamageDealt, phase="consequences")
def note_massive_hit(state: MasterState, fact: Reading[DamageDealt]) -> None:
    """Note that a hit calls, or without a known cause may call, for a save: it took at least half the maximum."""
    hit, most = state.round.hits.get(fact.seq), state.combatants[fact.event.target].hp_max
    if hit and most is not None and 2 * hit.amount >= most and state.combatants[hit.who].status != "dead":
        source = state.option("massive-source")
        hit.asked = asked_options()
        rolls = [roll for each in causes(state, fact.cause) if (roll := state.round.rolls.get(each.seq))]
        hit.reached = does_hit(state, rolls[0]) if rolls and source == "attack-hits" else hit.reached
        hits = source == "lethal" or (bool(rolls) and hit.reached.value is not False)
        hit.half = True
        hit.massive = source == "any" or (not fact.event.nonlethal and hits)
        hit.unclear = not (fact.event.nonlethal or fact.cause)
        if hit.massive:
            state.round.massive.append(hit)


@derives(DC)
def massive_dc(state: MasterState, hit: Hit) -> Derived[int] | None:
    """Return the DC of the save against a hit: 10 plus the attacker's Hit Dice; None without an attacker."""
    if covered := state.ruled.get(f"{hit.who}.massive-dc"):
        return None if covered.value == NOTHING else Derived(covered.value, covered.cites())
    one = state.combatants.get(hit.attacker)
    because = Because(massive_dc.rules, (*one.records("hit_dice"), hit.seq)) if one else NOTHING_CITED
    return Derived(10 + one.sheet.hit_dice, because) if one else None


def save_outcome(state: MasterState, event: SaveRolled, hit: Hit) -> Derived[bool | None]:
    """Return whether a save against a hit is made; the recorded outcome if that cannot be derived."""
    found, one = massive_dc(state, hit), state.combatants[hit.who]
    dc, comes = found.value if found else event.dc, save_total(one, event, FORTITUDE)
    because = Because(of=(*changes_behind(state, hit), *((found,) if found else ())))
    return Derived(event.succeeded if dc is None or comes is None else comes >= dc, because)


def changes_behind(state: MasterState, hit: Hit) -> tuple[Cites, ...]:
    """Return the later records on which a save against a hit depends: rulings on its DC, changes of sheets."""
    ruled, foe = state.ruled.get(f"{hit.who}.massive-dc"), state.combatants.get(hit.attacker)
    sheets = (state.combatants[hit.who].changed.get("saves"), foe.changed.get("hit_dice") if foe else None)
    since = tuple(Derived(seq, Because((), (seq,))) for seq in sheets if seq)
    return (*((ruled,) if ruled else ()), *since)


def hit_behind(state: MasterState, fact: Reading[SaveRolled]) -> Hit | None:
    """Return the nearest cause of a save that is a hit on the combatant who saves."""
    hits = (state.round.hits.get(each.seq) for each in causes(state, fact.cause))
    return next((hit for hit in hits if hit and hit.who == fact.event.combatant), None)


def hit_answered(state: MasterState, fact: Reading[SaveRolled]) -> Hit | None:
    """Return the massive hit for which a save is meant: its nearest cause, else the last on the saver."""
    hits = (hit_behind(state, fact), state.health.last.get(fact.event.combatant))
    asked = (hit for hit in hits if hit and (hit.massive or hit.unclear) and not hit.saved)
    return next(asked, None) if is_for_massive(state, fact) else None


def is_for_massive(state: MasterState, fact: Reading[SaveRolled]) -> bool:
    """Say whether a save is against massive damage: by its purpose, else as a Fortitude save that a hit caused."""
    if fact.event.purpose:
        return "massive" in words_of(fact.event.purpose)
    hit, save = hit_behind(state, fact), fact.event.save or FORTITUDE
    return hit is not None and hit.massive and save.casefold().startswith("fort")


@derives("massive.failure-drops-to-zero", "massive.failure-counts-first-save", on=SaveRolled, phase="points")
def apply_massive_save(state: MasterState, fact: Reading[SaveRolled]) -> None:
    """Keep the outcome of a save against massive damage, and apply a failure."""
    hit = hit_answered(state, fact) if kind_of_save(fact.event) == FORTITUDE else None
    if hit is None:
        keep_why_saved(state, fact)
        if is_for_massive(state, fact) and not hit_behind(state, fact) and fact.event.succeeded is not True:
            state.health.of(fact.event.combatant).undecided = fact.seq
        return
    hit.saved, made = fact.seq, save_outcome(state, fact.event, hit)
    state.health.of(hit.who).undecided = 0 if made.value is not None else fact.seq
    if made.value is False:
        fail_massive_save(state, fact, hit, made)
    elif of := changes_behind(state, hit):
        keep_spared(state, hit.who, Because(of=of))


def fail_massive_save(state: MasterState, fact: Reading[SaveRolled], hit: Hit, made: Derived[bool | None]) -> None:
    """Put a combatant who fails a save against massive damage at 0 hit points, with its first death save failed."""
    drops, first = "massive.failure-drops-to-zero", "massive.failure-counts-first-save"
    one, body = state.combatants[hit.who], state.health.of(hit.who)
    of = (Derived(hit.amount, Because((), (hit.seq,), (hit.asked,))), made)
    failed = Because((), (fact.seq,), of=of)
    if one.hp == 0:
        one.pools[HP].changes.add_reason(Derived(fact.seq, failed))
    else:
        one.pools[HP].set_value(0, fact.seq, of)
        body.by[HP] = (drops,)
        fall_or_rise(state, one, fact.seq, hit)
    if body.stable:
        body.forgot = Because((), (fact.seq,), (*of, body.stable))
        body.stable, body.options = None, body.options | hit.asked.options
    elif not body.failures:
        death.count_failure(state, one.id, Failure(Because((first, drops), (fact.seq,), of=of), rolled=False))
    else:  # it would count as the first failure if there were none before it
        earlier, *more = body.failures
        body.failures = (structs.replace(earlier, because=earlier.because + failed), *more)
    update_status(state, one)


def keep_why_saved(state: MasterState, fact: Reading[SaveRolled]) -> None:
    """Keep why a failed save has no effect: an earlier save against the hit, or an option."""
    who = fact.event.combatant
    hit = hit_behind(state, fact) or state.health.last.get(who)
    if hit is None or not hit.half or kind_of_save(fact.event) != FORTITUDE or not is_for_massive(state, fact):
        return
    if save_outcome(state, fact.event, hit).value is False:
        saved = Derived(hit.amount, Because((), (hit.saved,) if hit.saved else ()))
        keep_spared(state, who, Because((), (), (saved, hit.asked)))


def keep_spared(state: MasterState, who: str, because: Because) -> None:
    """Keep the reason why massive damage changes nothing in a combatant's health."""
    one = state.combatants[who]
    state.health.of(who).spared = because
    one.pools[HP].changes.add_reason(because)
    update_status(state, one)


@derives(AT_ONCE, on=(*ENDS_A_TURN, *ACTS, DamageDealt, Healed, TimePassed), phase="aftermath")
def keep_fact_before_save(state: MasterState, fact: Reading[SaveRolled]) -> None:
    """Keep the first fact between a massive hit and its save, but for a confirmation and effects of one cause."""
    if isinstance(fact.event, AttackRolled) and fact.event.confirms:
        return
    for hit in state.round.massive:
        if hit.next is None and hit.seq != fact.seq:
            same = isinstance(fact.event, DamageDealt | Healed) and fact.cause in (hit.seq, hit.fact.cause)
            hit.next = None if same and fact.cause else fact.fact


@check(HALF, on=ENDS_A_TURN)
def massive_damage_is_saved_against_in_its_round(state: MasterState, fact: Reading[SaveRolled]) -> tuple[Breach, ...]:
    left = (hit for hit in state.round.massive if hit.is_open)
    return tuple(unsaved_breach(state, hit) for hit in left if state.rules.schedule.opens_round(state, fact.fact))


def unsaved_breach(state: MasterState, hit: Hit) -> Breach:
    """Return the breach: a massive hit without a save."""
    most = state.combatants[hit.who].hp_max
    says = f"{hit.amount} damage is at least half of {hit.who}'s {most} hit points: a save is due"
    return Breach(says, "a Fortitude save", "none", (hit.seq,), about=hit.fact, once=(hit.who, hit.seq))


@checks_by(HALF, ONE_HIT, DC, AT_ONCE, on=SaveRolled)
def save_is_recorded_rightly(state: MasterState, fact: Reading[SaveRolled]) -> Iterator[Fault]:
    """Yield the faults of a save against massive damage: that none is due, else those of its numbers."""
    event, hit = fact.event, hit_answered(state, fact)
    if hit is None:
        yield from undue_save_faults(state, fact) if is_for_massive(state, fact) else ()
        return
    if (other := kind_of_save(event)) != FORTITUDE:
        says = f"massive damage calls for a Fortitude save, not a {other}"
        yield Fault((AT_ONCE,), says, FORTITUDE, other, (hit.seq,))
        return
    if hit.next:
        says = f"{hit.who}'s save against the {hit.amount} damage comes before anything else"
        yield Fault((AT_ONCE,), says, "the save first", "something else", (hit.seq, fact.seq), about=hit.next)
    one, found = state.combatants[hit.who], massive_dc(state, hit)
    why, dc = (found.because.flat().events, found.value) if found else ((), event.dc)
    if event.dc not in (None, dc):
        says = f"the DC is 10 plus {hit.attacker}'s Hit Dice: {dc}"
        yield Fault((DC,), says, f"DC {dc}", f"DC {event.dc}", why)
    comes, rules = save_total(one, event, FORTITUDE), (AT_ONCE, DC)
    yield from record_faults(one, event, comes, dc, rules, (fact.seq, *why), wrong_dc=event.dc)


def undue_save_faults(state: MasterState, fact: Reading[SaveRolled]) -> Iterator[Fault]:
    """Yield the fault of a save without a massive hit, by the clause on single hits if several are enough."""
    who, since = fact.event.combatant, state.clock.turn_event
    own = (hit for hit in state.round.hits.values() if hit.who == who and not hit.saved)
    hits = [hit for hit in own if state.precedes(since, hit.seq)]
    most = state.combatants[who].hp_max
    whole = [hit.amount + sum(abs(mod.amount) for mod in hit.fact.event.reductions) for hit in hits]
    if not hits or most is None or max(hit.amount for hit in hits) * 2 >= most or 2 * sum(whole) < most:
        yield Fault((HALF,), f"{who} has taken no massive damage: no save is due", "no save", "a save")
    else:
        says = f"{who} took {' and '.join(str(hit.amount) for hit in hits)} damage: no single hit was massive"
        yield Fault((ONE_HIT,), says, "no save", "a save", tuple(hit.seq for hit in hits))
