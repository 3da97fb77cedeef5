"""Health: damage and healing, falls to 0 hit points and rises, wounds, and recovery by days of rest."""

from collections.abc import Iterator
from itertools import takewhile

from eventstore import events
from eventstore.events import CombatantJoined, ConditionGained, DamageDealt, Healed, RulingMade, SheetChanged
from projections.because import Because, Cites, Derived, asked_so_far
from projections.fight import Combatant
from projections.folds.vitals import breach_of_amount, update_status
from projections.mechanics.dues import Due, owe, owed, pay
from projections.mechanics.grants import words_of
from projections.mechanics.pools import HP, HP_MAX, NLD
from projections.mechanics.rolls import sum_parts
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master.acts import ACTS
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Hit, MasterState, Rest
from projections.rulesets.definition_master.vitals import attacker

WOUND, ROLL = "wound", "death roll"
"""The two things that can be due for a combatant: the name of a wound, a death roll."""
DAMAGE, NONLETHAL = "hp.damage-subtracts", "nld.accumulates-from-zero"
UNMULTIPLIED, FALLS = "recovery.nld-rate-not-for-spells", "incapacitation.unconscious-in-square"


@derives(DAMAGE, NONLETHAL, "stabilized.unconscious-at-zero", on=DamageDealt, phase="points")
def keep_hit(state: MasterState, fact: Reading[DamageDealt]) -> None:
    """Keep a hit with the points that it took and its rule; by option it makes a stabilized combatant dying again."""
    event = fact.event
    if event.object or event.amount <= 0 or state.rules.repeats(state, fact.fact):
        return
    one = state.combatants[event.target]
    body, lost = state.health.of(one.id), state.loss
    hit = Hit(fact.fact, one.id, event.amount, lost.hp, attacker(state, fact.fact))
    state.round.hits[fact.seq] = state.health.last[one.id] = hit
    if event.nonlethal:
        body.by |= {NLD: (NONLETHAL,), HP: (NONLETHAL, body.by.get(HP, (DAMAGE,))[-1])}
    else:
        body.by[HP] = (DAMAGE,)
    fall_or_rise(state, one, fact.seq, hit)
    if body.stable and not event.nonlethal:
        again = state.option("stabilized-hit") == "dying-again"
        body.options |= asked_so_far()
        if again:
            body.forgot, body.stable = Because((), (fact.seq,), (Derived(one.id, body.stable),)), None
        update_status(state, one)


@derives(DAMAGE, UNMULTIPLIED, on=Healed, phase="points")
def keep_healing(state: MasterState, fact: Reading[Healed]) -> None:
    """Keep the rule by which healing counts; a combatant above 0 hit points rises, and its failures are forgotten."""
    event = fact.event
    if event.amount <= 0 or state.rules.repeats(state, fact.fact):
        return
    state.health.of(event.target).by |= {NLD: (UNMULTIPLIED,)} if event.nonlethal else {HP: (DAMAGE,)}
    fall_or_rise(state, state.combatants[event.target], fact.seq)


@derives(FALLS, on=(CombatantJoined, SheetChanged, RulingMade), phase="points")
def fall_or_rise_by_record(state: MasterState, fact: Reading[CombatantJoined | SheetChanged | RulingMade]) -> None:
    """Let combatants fall or rise whose hit points a sheet or a ruling sets."""
    event = fact.event
    whose = state.combatants if isinstance(event, RulingMade) else (event.combatant,)
    for one in map(state.combatants.__getitem__, whose):
        for name in (HP, NLD):
            if one.pools[name].changes[-1].seq == fact.seq:
                state.health.of(one.id).by.pop(name, None)
                fall_or_rise(state, one, fact.seq)


@derives("incapacitation.wound-at-zero")
def fall_or_rise(state: MasterState, one: Combatant, seq: int, hit: Hit | None = None) -> None:
    """Let a combatant at 0 hit points fall, which brings a wound, and a combatant above 0 rise."""
    body = state.health.of(one.id)
    down = one.hp is not None and one.hp <= 0
    if down and not body.fell:
        body.fell, body.hit = seq, hit
        if hit and not any(state.precedes(hit.seq, wound) for wound in body.wounds):
            owe(state.dues, Due(one.id, WOUND, "own turn", Because(fall_or_rise.rules, (seq,)), seq))
    elif not down and body.fell:
        if body.failures or body.stable:
            body.forgot = Because((), (seq,))
        body.fell, body.failures, body.not_counted, body.stable = 0, (), (), None
    if not down:
        pay(state.dues, one.id, ROLL)


@derives(
    "incapacitation.wound-chosen-by-gm", "wound.worsens-untreated", on=(ConditionGained, RulingMade), phase="points"
)
def keep_wound(state: MasterState, fact: Occurrence[ConditionGained | RulingMade]) -> None:
    """Keep a wound that a condition or a ruling names in any words, and pay the last fall that lacked one."""
    event = fact.event
    if isinstance(event, ConditionGained):
        named = event.targets if WOUND in words_of(event.condition) else ()
        text = event.detail or event.condition
    else:
        named, text = wounded_by_ruling(state, event), event.decision
        owing = {due.who for due in owed(state.dues, WOUND)}
        for who in owing.union(named):
            state.health.of(who).falls += tuple(state.combatants[each].pools[HP].derived() for each in sorted(owing))
    for who in (each for each in named if each in state.combatants):
        state.health.of(who).wounds[fact.seq] = text
        if naming := owed(state.dues, WOUND, who):
            pay(state.dues, who, WOUND, naming[-1].about)


def wounded_by_ruling(state: MasterState, ruling: RulingMade) -> tuple[str, ...]:
    """Return the combatants whose wound a ruling names: as it says, else the last one without a named wound."""
    said = words_of(f"{ruling.subject or ''} {ruling.rule or ''} {ruling.decision}")
    owing = [*dict.fromkeys(due.who for due in owed(state.dues, WOUND))]
    about = [who for who in owing if who in (*ruling.combatants, *said)]
    if WOUND not in said and not (ruling.ruling == "fact" and about and not ruling.values):
        return ()
    return ruling.combatants or tuple(about or owing[-1:])


@checks_by("incapacitation.wound-at-zero", on=(events.TurnStarted, events.TurnResumed))
def a_wound_is_named_before_the_next_turn(
    state: MasterState, fact: Reading[events.TurnStarted | events.TurnResumed]
) -> Iterator[Fault]:
    """Yield a fault for each fall of the combatants in a turn whose wound has no name."""
    members, rules = (fact.event.combatant, *getattr(fact.event, "together", ())), ("incapacitation.wound-at-zero",)
    for due in (each for each in owed(state.dues, WOUND) if each.who in members):
        says = f"{due.who} dropped to 0 hit points, but no wound was named"
        yield Fault(rules, says, "a wound", "none", due.because.events, once=(due.who, due.about))


@check(DAMAGE, on=(DamageDealt, Healed))
def amounts_are_not_below_0(state: MasterState, fact: Reading[DamageDealt | Healed]) -> Breach | None:
    return None if state.rules.repeats(state, fact.fact) else breach_of_amount(fact.event)


TIMES = 5
"""The factor by which non-lethal damage goes away faster than hit points come back."""


@derives("recovery.hp-per-day", "recovery.con-at-least-one")
def recovery_rate(state: MasterState, who: str) -> Derived[int]:
    """Return the hit points that an untreated day gives back: Constitution, at least 1, times Hit Dice."""
    one, per_day = state.combatants[who], "recovery.hp-per-day"
    rules = (per_day,) if one.sheet.con > 0 else ("recovery.con-at-least-one", per_day)
    con = Derived(max(1, one.sheet.con), Because((), one.records("con")))
    return Derived(con.value * one.sheet.hit_dice, Because(rules, one.records("hit_dice"), of=(con,)))


@derives("recovery.nld-five-times")
def nonlethal_recovery_rate(state: MasterState, who: str) -> Derived[int]:
    """Return the non-lethal damage that goes away in a day."""
    found = recovery_rate(state, who)
    return Derived(TIMES * found.value, Because(nonlethal_recovery_rate.rules, of=(found,)))


@derives("recovery.hp-per-day", "recovery.treatment-outside", on=events.TimePassed, phase="points")
def recover_for_days(state: MasterState, fact: Occurrence[events.TimePassed]) -> None:
    """Let the living recover for whole days: hit points unless they were treated, non-lethal damage always."""
    state.health.rest = rest = Rest(fact.seq, state.rules.calendar.whole_units(fact.event.time, "day"))
    for one in state.here() if rest.days else ():
        if one.status == "dead" or one.hp is None:
            one.pools[HP].changes.add_reason(one.standing)
            continue
        most = one.hp if one.hp_max is None else one.hp_max
        if one.id not in fact.event.treated:
            regain_points(state, one, HP, recovery_rate(state, one.id), most - one.hp, rest)
        regain_points(state, one, NLD, nonlethal_recovery_rate(state, one.id), one.nld, rest)
        fall_or_rise(state, one, fact.seq)
        update_status(state, one)


def regain_points(state: MasterState, one: Combatant, name: str, found: Derived[int], room: int, rest: Rest) -> None:
    """Give a combatant hit points for the days of a rest, up to its maximum, or take non-lethal damage off."""
    meant, pool = rest.days * found.value, one.pools[name]
    gain, way = max(0, min(meant, room)), 1 if name == HP else -1
    capped: tuple[Cites, ...] = (one.pools[HP_MAX].since(),) if name == HP and meant > room else ()
    if gain:
        pool.change(way * gain, rest.seq, (Because((), found.because.flat().events), *capped), way * (meant - gain))
    else:
        pool.changes.add_reason(Derived(gain, Because(of=capped)))
    state.health.of(one.id).by[name] = found.because.rules
    rest.gained[one.id, name] = gain


@derives("recovery.treatment-outside", on=(events.TurnStarted, events.RoundStarted, *ACTS, DamageDealt), phase="points")
def end_rest(state: MasterState, _fact: Reading[events.Fact]) -> None:
    """End the time in which the log may repeat recovery, as something is done again."""
    state.health.rest = None


def repeated_rest(state: MasterState, fact: Occurrence[events.Fact]) -> Rest | None:
    """Return the rest whose recovery a fact repeats, without source, cause or treatment; None if it does not."""
    rest, event = state.health.rest, fact.event
    if rest is None or not isinstance(event, Healed) or event.source or event.cause:
        return None
    return rest if (event.target, NLD if event.nonlethal else HP) in rest.gained else None


@checks_by("recovery.hp-per-day", "recovery.con-at-least-one", "recovery.nld-five-times", on=Healed)
def recovery_equals_the_rate(state: MasterState, fact: Reading[Healed]) -> Iterator[Fault]:
    """Yield a fault for repeated recovery that differs from the points that the days give back."""
    rest, event = repeated_rest(state, fact.fact), fact.event
    if rest:
        pool, rates = (NLD, nonlethal_recovery_rate) if event.nonlethal else (HP, recovery_rate)
        found = rates(state, event.target)
        due = rest.days * found.value
        if event.amount not in (due, rest.gained[event.target, pool]):
            says = f"{event.target} recovers {due} points in {rest.days} day{'s' * (rest.days != 1)} of rest"
            events = (rest.seq, *found.because.flat().events)
            yield Fault((found.because.clause,), says, f"{due} points", f"{event.amount} points", events)


@check("recovery.nld-rate-not-for-spells", on=Healed)
def a_spell_is_not_multiplied(state: MasterState, fact: Reading[Healed]) -> Breach | None:
    event, option = fact.event, state.option("healing-and-nld")
    if repeated_rest(state, fact.fact):
        return None
    if option == "hp-only" and event.nonlethal:
        says = f"a healing spell restores hit points, and leaves {event.target}'s non-lethal damage alone"
        return Breach(says, "0 non-lethal damage healed", f"{event.amount} healed")
    other = other_half(state, fact)
    listed = [sum_parts(each.parts) for each in (event, other) if each and each.parts]
    healed = listed[0] if listed else points_by_amounts(event, other) if other else None
    both = (event.amount, other.amount) if other else (event.amount,)
    total = sum(both) if option == "shared" else event.amount if listed else max(both)
    if healed is None or total <= healed or not (event.nonlethal or other):
        return None
    return Breach(f"the spell heals {healed} points", f"{healed} points at most", f"{total} points")


def other_half(state: MasterState, fact: Reading[Healed]) -> Healed | None:
    """Return the healing by the same spell, one record earlier, to the same combatant's other pool."""
    for each in takewhile(lambda each: each.seq != fact.cause, reversed(state.moments.values())):
        event = each.event
        if isinstance(event, Healed) and each.cause == fact.cause and event.target == fact.event.target:
            return event if event.nonlethal != fact.event.nonlethal else None
    return None


def points_by_amounts(event: Healed, other: Healed) -> int | None:
    """Return the points healed if no dice are recorded and the non-lethal damage is as many, or five times as many."""
    points, bruises = (other.amount, event.amount) if event.nonlethal else (event.amount, other.amount)
    return points if bruises in (points, TIMES * points) else None
