"""Health: damage and healing, the combatants behind them, falls to 0 hit points and recoveries, and wounds."""

from itertools import chain

from eventstore import events
from eventstore.events import Fact
from projections.because import Because, Derived, asked_so_far
from projections.fight import Combatant
from projections.folds.vitals import update_status
from projections.mechanics.dues import Due, owe, owed, pay
from projections.mechanics.grants import words
from projections.mechanics.pools import HP, NLD
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Hit, MasterState
from projections.stream.causes import causes


def attacker(state: MasterState, fact: Occurrence[Fact]) -> str:
    """Return the combatant who dealt damage or healed: the source, else the doer of its cause; "" if none is recorded."""
    for each in chain((fact,), causes(state, fact.cause)):
        event = each.event
        own = event.combatant if isinstance(event, events.ActionTaken | events.AttackRolled) else ""
        if doer := getattr(event, "source", None) or own:
            return str(doer)
    return ""


WOUND, ROLL = "wound", "death roll"
"""The two things that can be due for a combatant: the name of a wound, a death roll."""


@derives(
    "hp.damage-subtracts",
    "nld.accumulates-from-zero",
    "stabilized.unconscious-at-zero",
    on=events.DamageDealt,
    phase="points",
)
def hit_is_kept(state: MasterState, fact: Reading[events.DamageDealt]) -> None:
    """Keep a hit with the points that it took and its rule; by option it makes a stabilized combatant dying again."""
    damage, nonlethal = "hp.damage-subtracts", "nld.accumulates-from-zero"
    event: events.DamageDealt = fact.event
    if event.object or event.amount <= 0 or state.rules.repeats(state, fact.fact):
        return
    one = state.combatants[event.target]
    body, lost = state.health.of(one.id), state.loss
    hit = Hit(fact.fact, one.id, event.amount, lost.hp, attacker(state, fact.fact))
    state.round.hits[fact.seq] = state.health.last[one.id] = hit
    if event.nonlethal:
        body.by |= {NLD: (nonlethal,), HP: (nonlethal, body.by.get(HP, (damage,))[-1])}
    else:
        body.by[HP] = (damage,)
    fall_or_rise(state, one, fact.seq, hit)
    if body.stable and not event.nonlethal:
        again = state.option("stabilized-hit") == "dying-again"
        body.options |= asked_so_far()
        if again:
            body.forgot, body.stable = Because((), (fact.seq,), (Derived(one.id, body.stable),)), None
        update_status(state, one)


@derives("hp.damage-subtracts", "recovery.nld-rate-not-for-spells", on=events.Healed, phase="points")
def healing_is_kept(state: MasterState, fact: Reading[events.Healed]) -> None:
    """Keep the rule by which healing counts; a combatant above 0 hit points rises, and its failures are forgotten."""
    event: events.Healed = fact.event
    if event.amount <= 0 or state.rules.repeats(state, fact.fact):
        return
    body = state.health.of(event.target)
    body.by |= {NLD: ("recovery.nld-rate-not-for-spells",)} if event.nonlethal else {HP: ("hp.damage-subtracts",)}
    fall_or_rise(state, state.combatants[event.target], fact.seq)


@derives(
    "incapacitation.unconscious-in-square",
    on=(events.CombatantJoined, events.SheetChanged, events.RulingMade),
    phase="points",
)
def points_are_set(
    state: MasterState, fact: Reading[events.CombatantJoined | events.SheetChanged | events.RulingMade]
) -> None:
    """Let combatants fall or rise whose hit points a sheet or a ruling sets."""
    event = fact.event
    whose = state.combatants if isinstance(event, events.RulingMade) else (event.combatant,)
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


# ---------------------------------------------------------------- wounds


@derives(
    "incapacitation.wound-chosen-by-gm",
    "wound.worsens-untreated",
    on=(events.ConditionGained, events.RulingMade),
    phase="points",
)
def wound_is_named(state: MasterState, fact: Occurrence[events.ConditionGained | events.RulingMade]) -> None:
    """Keep a wound that a condition or a ruling names, and pay the last fall that still lacked one; any text is
    accepted.
    """
    event = fact.event
    if isinstance(event, events.ConditionGained):
        named = event.targets if WOUND in words(event.condition) else ()
        text = event.detail or event.condition
    else:
        named, text = wounded(state, event), event.decision
        owing = {due.who for due in unnamed_wounds(state)}
        for who in owing.union(named):
            state.health.of(who).falls += tuple(state.combatants[each].pools[HP].derived() for each in sorted(owing))
    for who in (each for each in named if each in state.combatants):
        state.health.of(who).wounds[fact.seq] = text
        if naming := owed(state.dues, WOUND, who):
            pay(state.dues, who, WOUND, naming[-1].about)


def unnamed_wounds(state: MasterState) -> list[Due]:
    """Return the dues for wounds that are not named yet."""
    return owed(state.dues, WOUND)


def wounded(state: MasterState, ruling: events.RulingMade) -> tuple[str, ...]:
    """Return the combatants whose wound a ruling names: those in it, else the last one whose wound is still to be
    named.
    """
    said = words(f"{ruling.subject or ''} {ruling.rule or ''} {ruling.decision}")
    owing = [*dict.fromkeys(due.who for due in unnamed_wounds(state))]
    about = [who for who in owing if who in (*ruling.combatants, *said)]
    if WOUND not in said and not (ruling.ruling == "fact" and about and not ruling.values):
        return ()
    return ruling.combatants or tuple(about or owing[-1:])


@check("incapacitation.wound-at-zero", on=(events.TurnStarted, events.TurnResumed))
def a_wound_is_named_before_the_next_turn(
    state: MasterState, fact: Reading[events.TurnStarted | events.TurnResumed]
) -> tuple[Breach, ...]:
    members = (fact.event.combatant, *getattr(fact.event, "together", ()))
    return tuple(unnamed_wound(due) for due in unnamed_wounds(state) if due.who in members)


def unnamed_wound(due: Due) -> Breach:
    """Return the breach: a wound without a name."""
    says = f"{due.who} came to 0 hit points, and no wound has been named"
    return Breach(says, "a wound", "none", due.because.events, once=(due.who, due.about))


@check("hp.damage-subtracts", on=(events.DamageDealt, events.Healed))
def amounts_are_not_below_0(state: MasterState, fact: Reading[events.DamageDealt | events.Healed]) -> Breach | None:
    amount = fact.event.amount
    if amount >= 0 or state.rules.repeats(state, fact.fact):
        return None
    return Breach(f"{fact.event.target}: an amount of {amount}", "0 or more", str(amount))
