"""Effects and conditions: on whom, since when, from whom, for how long."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import takewhile

from eventstore import events
from eventstore.events import CombatantLeft, ConditionGained, ConditionLost, EffectEnded, EffectStarted
from eventstore.shapes import Duration
from projections.address import NOTHING, Address, a_list_of_names, is_number, require
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant, TimelineRow
from projections.folds.roster import because_joined
from projections.mechanics.conditions import Effect, Key, effects_of, end_among, find_effects, free_key
from projections.mechanics.timers import stop_timer
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.ruleset.ruleset import derives
from projections.state import State
from projections.stream.causes import causes


@derives(on=EffectStarted)
def start_effect(state: State, fact: Occurrence[EffectStarted]) -> None:
    """Put an effect on each target, or on nobody if it has none; its source concentrates on it."""
    event = fact.event
    for bearer in joined_targets(state, event) if event.targets else ("",):
        begun = _make_effect(state, fact, event.effect, bearer)
        begun.concentration, begun.parent = event.concentration, event.parent or 0
        state.effects[fact.seq, bearer] = begun


def _make_effect(state: State, fact: Occurrence[EffectStarted | ConditionGained], name: str, bearer: str) -> Effect:
    """Return an effect or a condition as it begins on a bearer, with its full duration."""
    duration = fact.event.duration
    left = duration.amount if duration else None
    source, timed = fact.event.source or "", fact.timed if duration else 0
    begun = Effect(
        seq=fact.seq, name=name, bearer=bearer, source=source, duration=duration, left=left, since=fact.point
    )
    begun.of = (Derived(fact.point, Because((), (timed,))),) if timed else ()
    begun.author = None if source or not duration else author_of_cause(state, fact.cause)
    return begun


def author_of_cause(state: State, cause: int) -> Derived[str] | None:
    """Return the combatant whose act, roll or effect of this round is behind a cause; None if nobody's is known."""
    seen: list[int] = []
    for fact in causes(state, cause):
        seen.append(fact.seq)
        event = fact.event
        who = getattr(event, "source", None)
        if isinstance(event, events.ActionTaken | events.AttackRolled):
            who = event.combatant
        if who:
            return Derived(who, Because((), tuple(sorted(seen))))
    return None


def joined_targets(state: State, event: EffectStarted | ConditionGained) -> tuple[str, ...]:
    """Return the targets who have joined; only they can have an effect."""
    return tuple(who for who in event.targets if who in state.combatants)


@derives(on=EffectEnded)
def end_effect(state: State, fact: Occurrence[EffectEnded]) -> None:
    """End the effects of this name, source and bearer, and their children; one that stays cites the others."""
    event, durations = fact.event, state.rules.durations
    keys = find_effects(state.effects, event.effect, event.targets, event.source)
    runs_on = state.durations if durations and durations.claims and is_expiry(event) else ()
    gone = end_effects(state, [key for key in keys if key not in runs_on], source=event.source)
    for key in find_effects(state.effects, event.effect, event.targets, event.source):
        state.effects[key].of += tuple(Derived(key, Because((), (each.seq,))) for each in gone.values())


def is_expiry(event: EffectEnded) -> bool:
    """Say whether an effect is recorded as expired."""
    return (event.reason or "").strip().casefold().startswith("expired")


@derives(on=ConditionGained)
def start_condition(state: State, fact: Occurrence[ConditionGained]) -> None:
    """Put a condition on the targets; one that they have already is replaced, unless the game keeps both."""
    event = fact.event
    for bearer in joined_targets(state, event):
        renewed = [] if state.rules.alike_beside else _remove_replaced(state, event.condition, bearer)
        begun = state.conditions[fact.seq, bearer] = _make_effect(state, fact, event.condition, bearer)
        begun.perhaps_of = fact.doubtful if (fact.doubtful, bearer) in state.effects else 0
        begun.of += tuple(Because((), (each.seq,), of=each.of) for each in renewed if each.left is None)


@derives(on=ConditionLost)
def end_condition(state: State, fact: Occurrence[ConditionLost]) -> None:
    """End a condition of the targets."""
    end_conditions(state, find_effects(state.conditions, fact.event.condition, fact.event.targets, None, anyone=False))


@derives(on=CombatantLeft)
def end_on_leaving(state: State, fact: Occurrence[CombatantLeft]) -> None:
    """End the effects on a combatant when it leaves."""
    who = fact.event.combatant
    end_effects(state, [key for key in state.effects if key[1] == who])
    end_conditions(state, [key for key in state.conditions if key[1] == who])


def gain_condition(state: State, who: str, name: str, seq: int) -> Effect:
    """Put a condition that follows from a record on a combatant, in place of one with that name."""
    _remove_replaced(state, name, who)
    begun = state.conditions[free_key(state.conditions, seq, who)] = _ruled_effect(state, who, name, seq)
    state.touched.add(who)
    return begun


def _remove_replaced(state: State, name: str, who: str) -> list[Effect]:
    keys = find_effects(state.conditions, name, (who,), None)
    for key in keys:
        stop_timer(state.durations, key)
    return [state.conditions.pop(key) for key in keys]


def end_effects(
    state: State, keys: Iterable[Key], because: Because | None = None, source: str | None = None
) -> dict[Key, Effect]:
    """End effects and their children, and keep why each bearer was freed of them; return the effects that have ended.

    If only the effects of one source end, the reasons that ended those of other sources are kept, too.
    """
    gone = end_among(state.effects, keys)
    why = because or Because(state.rules.effect_rules, (state.now,))
    for key, effect in gone.items():
        stop_timer(state.durations, key)
        state.touched |= {effect.bearer, effect.source}
        parent = (Derived(effect, Because((), (effect.parent,))),) if 0 < effect.parent <= state.now else ()
        # by other options than those by which the last effect of this name on its bearer ended, it might still run
        before = state.rid_by.get(effect.bearer, {}).get(effect.called, NOTHING_CITED)
        ended = Because(why.rules, (effect.seq, *why.events), (*why.of, *parent), why.options | before.options)
        if effect.seq == state.now:  # without its record nothing would differ
            ended = Because(why.rules, of=(Derived(effect, ended),))
        state.ended_by[effect.seq] = state.ended_by[effect.seq] + ended if effect.seq in state.ended_by else ended
        endings = state.endings.setdefault((effect.bearer, effect.called), {})
        if source is None:
            endings.clear()
        endings[effect.source] = ended
        state.rid_by.setdefault(effect.bearer, {})[effect.called] = sum(endings.values(), ended)
        if effect.concentration:
            state.released[effect.source] = ended
    return gone


def end_conditions(state: State, keys: Iterable[Key], because: Because | None = None) -> dict[Key, Effect]:
    """End conditions, and keep why each bearer was freed of them; return the conditions that have ended."""
    gone = {key: state.conditions.pop(key) for key in keys if key in state.conditions}
    why = because or Because(state.rules.effect_rules, (state.now,))
    for key, effect in gone.items():
        stop_timer(state.durations, key)
        state.touched.add(effect.bearer)
        ended = Because(why.rules, (effect.seq, *why.events), why.of, why.options)
        state.freed_by.setdefault(key[1], {})[effect.called] = ended
    return gone


def keep_reason_of_staying(state: State, keys: Iterable[Key], because: Because) -> None:
    """Keep why effects stay, where another value of an option would end them."""
    for effect in filter(None, map(state.effects.get, keys)):
        effect.of += () if because in effect.of else (because,)
        state.touched |= {effect.bearer, effect.source}


# ---------------------------------------------------------------- addresses


def effect_names(state: State, who: str) -> Derived[list[str]]:
    """Return the names of the effects on a combatant, citing the records that began them and that last ended others."""
    return _list_effects(state, who, "effects")


def condition_names(state: State, who: str) -> Derived[list[str]]:
    """Return the names of a combatant's conditions, citing the records that began them and that last ended others."""
    return _list_effects(state, who, "conditions")


def _those_of(state: State, who: str, field: str) -> tuple[dict[Key, Effect], dict[str, Because]]:
    """Return the effects of a fight or its conditions, and why those of a combatant last ended, by name."""
    ended = state.rid_by if field == "effects" else state.freed_by
    return state.effects if field == "effects" else state.conditions, ended.get(who, {})


def _list_effects(state: State, who: str, field: str) -> Derived[list[str]]:
    among, ended = _those_of(state, who, field)
    found = effects_of(among, who)
    events = tuple(sorted({effect.seq for effect in found}))
    more = (one for effect in found for one in effect.of)
    there = {effect.called for effect in found}
    gone = tuple(because for name, because in ended.items() if field == "effects" or name not in there)
    because = Because(state.rules.effect_rules, events, (because_joined(state.combatants[who], field), *gone, *more))
    return Derived([effect.name for effect in found], because)


def effect_because(state: State, effect: Effect) -> Because:
    """Return the facts that an effect, and its remaining duration, come from."""
    return Because(state.rules.effect_rules, tuple(sorted({*effect.timer_facts})), of=effect.of)


def _left_of(state: State, who: str, name: str, field: str = "effects") -> Derived[Json]:
    """Return how much is left of an effect or condition, in its duration's unit: true without a duration, none if not there.

    If several have as much left, all are cited.
    """
    among, ended = _those_of(state, who, field)
    keys = find_effects(among, name, (who,), None)
    if not keys:
        because = Because(state.rules.effect_rules) + because_joined(state.combatants[who], field)
        return Derived(NOTHING, ended.get(name.casefold(), NOTHING_CITED) + because)
    left = among[keys[-1]].left
    like = takewhile(lambda each: each.left == left, (among[key] for key in reversed(keys)))
    because = sum((effect_because(state, each) for each in like), NOTHING_CITED)
    return Derived(left if left is not None else True, because)


def stated_list(value: object) -> tuple[Json, ...]:
    """Return a stated value as a list: none is empty, a single value is a list of it."""
    return tuple(value) if isinstance(value, tuple | list) else () if value == NOTHING else (value,)


def set_effects(state: State, who: str, value: object, seq: int) -> None:
    """Put exactly these effects on a combatant: others end, missing ones begin."""
    missing, others = _compare_names(state.effects, who, value)
    end_effects(state, others)
    for name in missing:
        _set_effect(state, who, name, True, seq)
    state.combatants[who].ruled["effects"] = seq


def set_conditions(state: State, who: str, value: object, seq: int) -> None:
    """Put exactly these conditions on a combatant: others end, missing ones begin."""
    missing, others = _compare_names(state.conditions, who, value)
    end_conditions(state, others)
    for name in missing:
        state.conditions[free_key(state.conditions, seq, who)] = _ruled_effect(state, who, name, seq)
    state.combatants[who].ruled["conditions"] = seq


def _compare_names(among: dict[Key, Effect], who: str, value: object) -> tuple[list[str], list[Key]]:
    """Return the names that a combatant's effects lack, and its effects with other names."""
    wanted = {name.casefold(): name for name in stated_list(value)}
    there = {key: each.called for key, each in among.items() if each.bearer == who}
    missing = [name for folded, name in wanted.items() if folded not in there.values()]
    return missing, [key for key, folded in there.items() if folded not in wanted]


def _ruled_effect(state: State, who: str, name: str, seq: int) -> Effect:
    return Effect(seq, name, who, since=state.clock.point)


def end_in_words(state: State, key: Key) -> Derived[str] | None:
    """Return in words when an effect or condition runs out; None if nothing counts it down, or the ruleset does not say."""
    ends_at = state.rules.durations.ends_at if state.rules.durations else None
    return ends_at(state, key) if ends_at and key in state.durations else None


def _end_of_effect(state: State, who: str, name: str) -> Derived[object]:
    """Return when an effect runs out; none if that is unknown or there is no such effect."""
    if state.rules.durations and state.rules.durations.ends_at is None:
        return Derived(NOTHING, Because(state.rules.effect_rules, (state.combatants[who].joined,)))
    keys = find_effects(state.effects, name, (who,), None)
    known = end_in_words(state, keys[-1]) if keys else None
    return known or Derived(NOTHING, Because(state.rules.effect_rules, of=(_left_of(state, who, name),)))


def _borne_effects(state: State, *, timed: bool) -> Iterable[tuple[str, str]]:
    """Return the bearers and names of the effects on combatants, or only of those with a duration."""
    those = (effect for effect in state.effects.values() if effect.bearer and (effect.duration or not timed))
    return dict.fromkeys((effect.bearer, effect.called) for effect in those)


def _set_effect(state: State, who: str, name: str, value: Json, seq: int) -> None:
    state.combatants[who].ruled["effects"] = seq
    keys = find_effects(state.effects, name, (who,), None)
    if value == NOTHING or value < 1:
        end_effects(state, keys)
        return
    effect = state.effects[keys[-1]] if keys else _ruled_effect(state, who, name, seq)
    if not keys:
        state.effects[free_key(state.effects, seq, who)] = effect
    effect.left = value if is_number(value) else None
    effect.ruled = effect.left is None or not (effect.duration or effect.source)
    if effect.left is not None and effect.duration is None:
        effect.duration = Duration(amount=effect.left, unit=state.rules.calendar.tick)
    effect.ticked_by, effect.set_by = (seq,), seq


def _casting_of(state: State, one: Combatant) -> Derived[str]:
    entry = state.rules.casting(state, one)
    return Derived(_spell_name(entry), entry.because if entry else state.rules.concentration(state, one)[1])


def _spell_name(entry: TimelineRow | None) -> str:
    return (entry.name if entry else None) or NOTHING


def _check_casting(state: State, who: str, value: object) -> str:
    """Allow only none, while a combatant casts; the ruleset's own steps then spoil or end the casting."""
    casts = state.rules.casting(state, state.combatants[who])
    return "" if value == NOTHING and casts else "none, while something is being cast"


def may_be_none(state: State, who: str) -> tuple[str, ...]:
    """Return none as a further value, if it is uncertain whether a combatant still casts."""
    return (NOTHING,) if who in state.unsure else ()


EFFECTS = Address(
    "<who>.effects",
    effect_names,
    says="the effects on a combatant",
    bare=lambda state, who: [effect.name for effect in state.effects.values() if effect.bearer == who],
    wants=a_list_of_names,
    rule=set_effects,
)
CONDITIONS = Address(
    "<who>.conditions",
    condition_names,
    says="the conditions of a combatant",
    bare=lambda state, who: [effect.name for effect in state.conditions.values() if effect.bearer == who],
    wants=a_list_of_names,
    rule=set_conditions,
)
ADDRESSES = (
    EFFECTS,
    CONDITIONS,
    Address(
        "<who>.casting",
        lambda s, who: _casting_of(s, s.combatants[who]),
        says="the spell being cast",
        bare=lambda s, who: _spell_name(s.rules.casting(s, s.combatants[who])),
        wants=_check_casting,
        rule=lambda *_: None,
        also=may_be_none,
    ),
    Address(
        "<who>.effects.<name>.ends",
        _end_of_effect,
        says="when an effect runs out",
        fixed="it follows from what is left of the effect",
        places=partial(_borne_effects, timed=True),
    ),
    Address(
        "<who>.effects.<name>",
        _left_of,
        says="how much is left of an effect",
        wants=require("a number, true, or none", lambda value: value == NOTHING or isinstance(value, int)),
        rule=_set_effect,
        places=partial(_borne_effects, timed=False),
    ),
    Address(
        "<who>.conditions.<name>",
        partial(_left_of, field="conditions"),
        says="how much is left of a condition",
        fixed="it follows from the duration that was recorded; <who>.conditions sets them",
        places=lambda _state: (),  # its name is listed among the conditions
    ),
)
