"""Conditions, immunities to them, exhaustion, speed; effects that last, the same one twice, and use after their end."""

from collections.abc import Iterable, Iterator
from functools import cache
from math import prod

from eventstore import events
from eventstore.shapes import Duration, Modifier
from projections.because import NOTHING_CITED, Because, Cites, Derived, ask_parts, ask_rule, asked_options
from projections.fight import Combatant
from projections.folds import effects as borne_effects
from projections.folds.durations import earlier_effects, renew_effect, running_effect
from projections.folds.effects import effect_names, gain_condition, is_expiry
from projections.mechanics.conditions import Effect, Key, with_implied
from projections.mechanics.memo import memoize
from projections.mechanics.timers import Timer, timer_on_turns
from projections.occurrence import Occurrence
from projections.ruleset.durations import origin_of_effect
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures, table
from projections.rulesets.fifth_edition.state import FifthState
from projections.time import BoundaryKind, Length


@checks_by("immunity.nothing", *table.clauses_with("immune"), on=events.ConditionGained)
def the_immune_gain_no_condition(state: FifthState, fact: Occurrence[events.ConditionGained]) -> Iterator[Fault]:
    """Yield a fault for a condition of a combatant that is immune to it, by its sheet or by another condition."""
    name = fact.called
    for who in state.joined(fact.event.targets):
        one = state.combatants[who]
        if name in (each.casefold() for each in one.sheet.immunities or ()):
            why = one.records("immunities")
            yield Fault(("immunity.nothing",), f"{who} is immune to being {name}", "none", name, why)
            continue
        for row in rows_with(state, "immune"):
            if name in row.immune and (stone := has(state, who, row.name)).value:
                yield Fault((row.rule,), f"{who} is {row.name}", "none", name, records_of(stone))


UNCONSCIOUS = ("dying", "stable")
"""The statuses in which a combatant is unconscious."""
ENDING = (
    events.ActionTaken, events.ActionHeld, events.CombatantLeft, events.ConditionGained, events.ConditionLost,
    events.DamageDealt, events.EffectEnded, events.EffectStarted, events.SaveRolled, events.TimePassed,
)  # fmt: skip
BOUNDARIES: tuple[BoundaryKind, ...] = (
    "turn began", "turn resumed", "turn ended", "place passed", "round closed", "round opened",
)  # fmt: skip
"""The facts, and the boundaries, with which an effect or a condition may end."""


def stated_conditions(state: FifthState, who: str | None) -> Iterator[Effect]:
    """Yield the recorded conditions of a combatant and, by option, effects named like a condition."""
    yield from (each for each in state.conditions.values() if each.bearer == who and still_holds(state, each))
    named = (each for each in state.effects.values() if each.bearer == who and is_listed(state, each.name))
    yield from (each for each in named if state.option("conditions-as-effects") == "named-alike")


@derives("concentration.holds-effect")
def still_holds(state: FifthState, condition: Effect) -> bool:
    """Say whether a condition has not ended with the effect that its record names as its cause."""
    is_recorded = state.conditions.get((condition.seq, condition.bearer)) is condition
    cause = state.imposed.get(condition.seq, 0) if is_recorded else 0
    return not cause or any(seq == cause for seq, _ in state.effects)


@derives("concentration.holds-effect", on=events.ConditionGained, phase="effects")
def keep_imposing_effect(state: FifthState, fact: Occurrence[events.ConditionGained]) -> None:
    """Keep the effect of which a condition is part: its cause or, after an implied cast, the effect of the spell by
    concentration; another shape imposes only those whose record names it.
    """
    deed = state.deeds.get(fact.cause) if fact.implied else None
    name = deed.name if deed else None
    on_them = (each for each in state.effects.values() if each.bearer in fact.event.targets and each.concentration)
    found = next((each.seq for each in on_them if each.called == name), 0)
    begun = state.begun.get(fact.cause)
    if found or (begun and not (fact.implied and shapes_given(begun))):
        state.imposed[fact.seq] = found or fact.cause


def shapes_given(event: events.EffectStarted) -> list[Modifier]:
    """Return the modifiers by which an effect gives another shape: each its name, and its points."""
    return [each for each in event.modifiers if (each.to or "").casefold() == "form"]


def end_conditions(state: FifthState, keys: Iterable[Key], because: Because | None = None) -> None:
    """End conditions by a clause of this game; their end may still be recorded in this round."""
    gone = borne_effects.end_conditions(state, keys, because)
    for effect in gone.values():
        effect.ended = state.now
    state.over |= gone


@derives("incapacitated.implied", "unconscious.falls", "act.hide")
def implied_conditions(state: FifthState) -> dict[str, Iterable[str]]:
    """Return the implied conditions of each condition; in 2024 hidden implies invisible."""
    return _implications(state.edition)


@cache
def _implications(edition: str) -> dict[str, Iterable[str]]:
    found: dict[str, Iterable[str]] = {row.name: row.implies for row in table.rows_with(edition, "implies")}
    return found | ({"hidden": ("invisible",)} if edition == "2024" else {})


@cache
def _conditions_implying(edition: str, names: tuple[str, ...]) -> frozenset[str]:
    """Return these conditions and those that imply one of them."""
    found = {*names}
    for name, others in _implications(edition).items():
        found |= {name} if found.intersection(others) else set()
    return frozenset(found)


@memoize
def borne_conditions(state: FifthState, who: str) -> dict[str, Because]:
    """Return the conditions of a combatant, each with its reason."""
    found: dict[str, Because] = {}
    for each in ask_parts(lambda: [*stated_conditions(state, who)]):
        if (name := each.called) != "exhaustion":
            why = ask_rule(why_borne, state, each)
            found[name] = Because((), (), (found[name], why)) if name in found else why
    if state.combatants[who].status in UNCONSCIOUS:
        found.setdefault("unconscious", Because(("zero.unconscious",), (), (state.combatants[who].standing,)))
    if who in state.surprised and (surprised := ask_parts(why_surprised, state, who)):
        found["surprised"] = surprised
    return with_implied(found, implied_conditions(state)) if found else found


def why_borne(state: FifthState, stated: Effect) -> Because:
    """Return the reason for a stated condition of a combatant, or for an effect that counts as one by option."""
    if state.conditions.get((stated.seq, stated.bearer)) is not stated:
        state.option("conditions-as-effects")
    rule = next((row.rule for row in table.conditions(state.edition).get(stated.called, ())), "condition.one-or-none")
    return Because((rule,), (stated.seq, *stated.ticked_by), stated.of)


@derives("surprise.gm-decides")
def why_surprised(state: FifthState, who: str) -> Because | None:
    """Return the reason why surprise is a condition of a combatant; None in 2024, where it is none."""
    return None if state.is_new else Because(why_surprised.rules, (state.surprised[who],))


def has(state: FifthState, who: str, *names: str) -> Derived[bool]:
    """Return whether a combatant has one of these conditions."""
    if who not in state.combatants:
        return Derived(False, Because((), ()))
    found = borne_conditions(state, who)
    why = tuple(found[name] for name in names if name in found)
    return Derived(bool(why), Because((), (), why or why_lost(state, who, *names)))


def carries(state: FifthState, who: str, *names: str) -> bool:
    """Say whether a combatant has one of these conditions, without the reason."""
    return who in state.combatants and not borne_conditions(state, who).keys().isdisjoint(names)


def is_listed(state: FifthState, name: str) -> bool:
    """Say whether the table of the edition has a condition of this name."""
    return name.casefold() in table.conditions(state.edition)


def rows_with(state: FifthState, column: str) -> tuple[table.Condition, ...]:
    """Return the rows of conditions with a value in a column."""
    return table.rows_with(state.edition, column)


def ask_for_edition(state: FifthState, who: str, column: str) -> None:
    """Ask for the edition if a combatant has a condition with a value in a column in one edition only."""
    in_one_edition = table.conditions_in_one_edition(column)
    if in_one_edition and carries(state, who, *in_one_edition):
        state.option("edition")


def flag_of(state: FifthState, who: str, column: str) -> Derived[bool]:
    """Return whether a combatant has a condition with a value in a column of the table."""
    ask_for_edition(state, who, column)
    return has(state, who, *(row.name for row in rows_with(state, column)))


def has_flag(state: FifthState, who: str, column: str) -> bool:
    """Say the same without the reason."""
    ask_for_edition(state, who, column)
    return carries(state, who, *(row.name for row in rows_with(state, column)))


def why_no_others(state: FifthState, who: str) -> tuple[Cites, ...]:
    """Return the reasons why a combatant has no further conditions."""
    known = {*table.conditions(state.edition), *state.freed_by.get(who, ()), "surprised"}
    return why_lost(state, who, *sorted(known - borne_conditions(state, who).keys()))


def why_lost(state: FifthState, who: str, *names: str) -> tuple[Cites, ...]:
    """Return why a combatant has none of these conditions: their ends, of those that imply them, and its status."""
    leading, one = _conditions_implying(state.edition, names), state.combatants[who]
    ended = [*state.freed_by.get(who, {}).items(), *state.rid_by.get(who, {}).items()]
    ended += ((name, why) for (name, bearer), why in state.ended.items() if bearer == who)
    gone = (each for each in state.conditions.values() if each.bearer == who and not still_holds(state, each))
    ended += ((each.called, state.ended_by.get(state.imposed[each.seq], NOTHING_CITED)) for each in gone)
    ended += possible_condition_names(state, who)
    why = [Derived(name, because) for name, because in ended if name in leading]
    return (*why, one.standing) if "unconscious" in leading else (*why,)


def possible_condition_names(state: FifthState, who: str) -> Iterator[tuple[str, Because]]:
    """Yield the names of effects on a combatant, which may be conditions by another value of the option."""
    for each in (each for each in state.effects.values() if each.bearer == who):
        asked = {"conditions-as-effects": ask_parts(state.option, "conditions-as-effects")}
        yield each.called, Because((), (each.seq,), (), asked)


def records_of(found: Derived[object]) -> tuple[int, ...]:
    """Return the records behind a value."""
    return found.because.flat().events


def sources(state: FifthState, who: str | None, name: str) -> dict[str, int]:
    """Return the recorded sources of a combatant's condition, with the records."""
    own = (each for each in stated_conditions(state, who) if each.called == name)
    return {each.source: each.seq for each in own if each.source}


def cannot_act(state: FifthState, who: str) -> Derived[bool]:
    """Return whether a condition keeps a combatant from acting."""
    return flag_of(state, who, "no_acts")


@derives("condition.one-or-none", "incapacitated.implied")
def condition_names(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the names of a combatant's conditions, implied ones included, each once."""
    found = borne_conditions(state, who)
    why: tuple[Cites, ...] = (*found.values(), *why_no_others(state, who), state.combatants[who].standing)
    if who in state.surprised or ("surprised", who) in state.ended or "hidden" in found:
        state.option("edition")  # surprise is a condition in one edition only, and who is hidden invisible in the other
    return Derived(sorted(found), Because(condition_names.rules, (state.combatants[who].joined,), why))


@derives("duration.until-turn", "condition.one-or-none")
def broken_clause(state: FifthState, who: str, stated: object) -> str:
    """Return the clause that a wrong list of conditions breaks: that on durations if a listed one ran out with a turn."""
    wanted = [str(each).casefold() for each in (stated if isinstance(stated, tuple | list) else [stated])]
    over = [e.called for e in state.over.values() if e.bearer == who and e.duration and e.duration.of]
    ran = any(name in over for name in wanted if name not in borne_conditions(state, who))
    return "duration.until-turn" if ran else "condition.one-or-none"


@derives("unconscious.falls", on=(events.ConditionGained, events.EffectStarted), phase="effects")
def drop_unconscious(state: FifthState, fact: Occurrence[events.ConditionGained | events.EffectStarted]) -> None:
    """Let a combatant that becomes unconscious fall prone, and stay prone when it wakes."""
    event = fact.event
    if fact.called != "unconscious":
        return
    if isinstance(event, events.ConditionGained) or state.option("conditions-as-effects") == "named-alike":
        for who in event.targets:
            fall_prone(state, who, fact.seq)


def fall_prone(state: FifthState, who: str, seq: int, *of: Cites) -> None:
    """Let a combatant fall prone by a record and further reasons; if it is prone already, it has both reasons."""
    if who not in state.combatants:
        return
    prone = (each for each in state.conditions.values() if each.bearer == who and each.called == "prone")
    lying = next((each for each in prone if still_holds(state, each)), None)
    why = Because((), (seq,), of)
    if lying is None:
        gain_condition(state, who, "prone", seq).of = (why,)
    else:
        lying.of = (*lying.of, why)


def add_asked_options(effects: Iterable[Effect]) -> None:
    """Add to the reasons of effects the options asked for, by another value of which they would have ended."""
    for each in effects:
        why = Derived(each.name, asked_options())
        each.of += () if why in each.of else (why,)


@derives("exhaustion.levels", on=(events.ConditionGained, events.ConditionLost), phase="effects")
def count_exhaustion(state: FifthState, fact: Occurrence[events.ConditionGained | events.ConditionLost]) -> None:
    """Count the levels of exhaustion gained and lost, one without a number; with some left the condition stays."""
    event = fact.event
    if fact.called != "exhaustion":
        return
    word = event.detail if isinstance(event, events.ConditionGained) else event.reason
    number = int(word) if word and word.strip().isdigit() else 1
    way = number if isinstance(event, events.ConditionGained) else -number
    for who in state.joined(event.targets):
        state.exhausted.setdefault(who, []).append((way, Because((), (fact.seq,))))
        if isinstance(event, events.ConditionLost) and exhaustion_level(state, who).value:
            gain_condition(state, who, event.condition, fact.seq)


def exhaustion_level(state: FifthState, who: str) -> Derived[int]:
    """Return a combatant's level of exhaustion."""
    why = tuple(why for _, why in state.exhausted.get(who, ()))
    return Derived(bare_exhaustion(state, who), Because(("exhaustion.levels",), (state.combatants[who].joined,), why))


def bare_exhaustion(state: FifthState, who: str) -> int:
    """Return that level without the reason; no loss takes it below 0."""
    level = 0
    for each, _ in state.exhausted.get(who, ()):
        level = max(0, level + each)
    return level


@derives("move.changed-speed", "condition.speed-zero", "exhaustion.table", "exhaustion.penalty")
@memoize
def speed(state: FifthState, one: Combatant, mode: str = "walk") -> Derived[int | None]:
    """Return the speed of a combatant in a mode after all changes; None if its sheet does not state it."""
    base = figures.speeds_by_mode(one).get(mode)
    joined = one.records("speeds")
    if base is None:
        return Derived(None, Because(("move.up-to-speed",), joined))
    stopped, level = has_no_speed(state, one.id), exhaustion_level(state, one.id)
    added, why = change_sum(state, one.id, "speed") if mode == "walk" or state.is_new else (0, ())
    factor, multiplied = speed_factor(state, one.id)
    if stopped.value or (level.value >= 5 and not state.is_new):
        rule = "condition.speed-zero" if stopped.value else "exhaustion.table"
        return Derived(0, Because((rule,), joined, (stopped, *((level,) if level.value >= 5 else ()))))
    own = figures.speeds_by_mode(one).get("walk", base) if mode != "walk" and multiplied and state.is_new else base
    feet = base - own + int((own + added) * factor) - (5 * level.value if level.value and state.is_new else 0)
    if level.value >= 2 and not state.is_new:
        feet //= 2
    rules = (("exhaustion.penalty" if state.is_new else "exhaustion.table"),) if level.value else ()
    rules = (*rules, *(("move.changed-speed",) if why or multiplied else ()), "move.up-to-speed")
    return Derived(max(0, feet), Because(rules, (*joined, *why, *multiplied), (level, stopped)))


FACTORS = {"haste": 2, "slow": 0.5}
"""The factors by which spells change the speed of their targets."""
FEET = {"longstrider": 10, "ray of frost": -10}
"""The feet that spells add to the speed of their targets."""


def speed_factor(state: FifthState, who: str) -> tuple[float, tuple[int, ...]]:
    """Return the product of the factors of spells on a combatant's speed, those of one name once, and their records."""
    borne = (each for each in state.effects.values() if each.bearer == who and each.called in FACTORS)
    found = {each.called: each.seq for each in borne if changes_speed_by_name(state, each)}
    return prod(map(FACTORS.__getitem__, found)), tuple(found.values())


def changes_speed_by_name(state: FifthState, effect: Effect) -> bool:
    """Say whether an effect changes the speed by its name alone: it states no change, and is not that of an attack."""
    begun, deed = state.begun.get(effect.seq), state.deeds.get(state.caused.get(effect.seq, 0))
    stated = begun and any((part.to or part.name).casefold() == "speed" for part in begun.modifiers)
    return begun is not None and not stated and (deed is None or deed.kind == "cast")


def change_sum(state: FifthState, who: str, what: str) -> tuple[int, tuple[int, ...]]:
    """Return the sum that effects on a combatant add to its speed or AC, those of one name once, and their records."""
    found: dict[str, tuple[int, int]] = {}
    for each in state.effects.values():
        if each.bearer == who and (begun := state.begun.get(each.seq)):
            amounts = [part.amount for part in begun.modifiers if (part.to or part.name).casefold() == what]
            if what == "speed" and each.called in FEET and changes_speed_by_name(state, each):
                amounts = [FEET[each.called]]
            for amount in filter(None, amounts):
                name, new = each.called, (amount, each.seq)
                found[name] = max(found.get(name, new), new, key=lambda pair: abs(pair[0]))
    if found:
        state.option("same-effect")  # of several with one name only one counts, and by option only one runs
    return sum(amount for amount, _ in found.values()), tuple(seq for _, seq in found.values())


def has_no_speed(state: FifthState, who: str) -> Derived[bool]:
    """Return whether a condition sets the speed of a combatant to 0."""
    return flag_of(state, who, "speed_zero")


@derives("duration.runs-out", "duration.until-turn", "round.six-seconds")
def effect_timer(state: FifthState, effect: Effect, said: Duration) -> Timer:
    """Return the timer of a duration: of the turns that it names, else by option of the originator or the bearer."""
    whose = (effect.bearer, effect.source)
    if not said.of and state.option("duration-of") == "originator":
        whose = (origin_of_effect(state, effect), effect.bearer)
    at = said.at or state.option("duration-at")
    counted = Duration(amount=said.amount, unit=said.unit, of=said.of, at=at)
    found = timer_on_turns(effect, counted, *whose)
    runs = found.owner in (state.clock.turn, *state.clock.together)
    found.skip = int(found.at == "end" and runs and said.amount > 0)
    turns = (state.clock.turn_event, state.clock.round_event, state.began.get(found.owner))
    effect.of = (*effect.of, Derived(found.owner, Because((), (*filter(None, turns),))))
    return found


@derives("effect.same-spell", on=events.EffectStarted)
def replace_renewed_effect(state: FifthState, fact: Occurrence[events.EffectStarted]) -> None:
    """Replace an effect by another of its name on the same bearer, by option."""
    before = earlier_effects(state, fact)
    if not before:
        return
    if state.option("same-effect") == "renews":
        why = Because(replace_renewed_effect.rules, (fact.seq,))
        renew_effect(state, fact, why)
        for effect in (effect for key, effect in state.effects.items() if key[0] == fact.seq):
            effect.of = (*effect.of, Derived(effect.name, why))
    else:
        add_asked_options(state.effects[key] for key in before)


@derives("effect.same-spell")
def distinct_effect_names(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the names of the effects on a combatant, each once: of several with one name only one counts."""
    found = effect_names(state, who)
    once = _distinct_names(found.value)
    return found if len(once) == len(found.value) else Derived(once, Because(distinct_effect_names.rules, (), (found,)))


def _distinct_names(names: Iterable[str]) -> list[str]:
    """Return each name once, in whatever capitals, as it came first."""
    once: dict[str, str] = {}
    for name in names:
        once.setdefault(name.casefold(), name)
    return [*once.values()]


def bare_effect_names(state: FifthState, who: str) -> list[str]:
    """Return the names of the effects on a combatant without the reason."""
    return _distinct_names(each.name for each in state.effects.values() if each.bearer == who)


@checks_by("effect.same-spell", on=(events.AttackRolled, events.SaveRolled, events.DiceRolled))
def one_spell_counts_once(
    state: FifthState, fact: Occurrence[events.AttackRolled | events.SaveRolled | events.DiceRolled]
) -> Iterator[Fault]:
    """Yield a fault for a roll with two modifiers of one effect."""
    who = fact.event.combatant
    borne = {e.called for e in state.effects.values() if e.bearer == who}
    names = [each.name.casefold() for each in fact.event.modifiers]
    for name in dict.fromkeys(names):
        if names.count(name) > 1 and name in borne:
            why = tuple(e.seq for e in state.effects.values() if e.bearer == who and e.called == name)
            says, found = f"{who} gets the bonus of {name} only once", f"{names.count(name)} times"
            yield Fault(("effect.same-spell",), says, "1 time", found, why)


@check("duration.dismiss", on=events.EffectEnded)
def the_incapacitated_dismiss_nothing(state: FifthState, fact: Occurrence[events.EffectEnded]) -> Breach | None:
    event = fact.event
    if not state.is_new or not (event.reason or "").strip().casefold().startswith("dismiss"):
        return None
    named = [e for e in state.effects.values() if e.called == fact.called]
    who = event.source or next((e.source or e.bearer for e in named), "")
    found = cannot_act(state, who)
    if not found.value:
        return None
    return Breach(f"{who} is incapacitated, and cannot dismiss it", "not dismissed", "dismissed", records_of(found))


ENDED = (
    "concentration.one-at-a-time", "concentration.damage-save", "concentration.incapacitated", "duration.runs-out",
    "concentration.holds-effect",
)  # fmt: skip
"""The clauses that end effects."""


@checks_by(*ENDED, on=(events.AttackRolled, events.SaveRolled, events.DiceRolled, events.DamageDealt))
def what_has_ended_is_not_used(state: FifthState, fact: Occurrence[events.Fact]) -> Iterator[Fault]:
    """Yield a fault for a roll that names an ended effect, and for what one causes, by the clause that ended it."""
    event = fact.event
    who: str = getattr(event, "combatant", None) or ""
    for each in getattr(event, "modifiers", ()):
        name = each.name.casefold()
        why = state.rid_by.get(who, {}).get(name)
        if why and not _has_running_effect(state, who, name):
            yield from ended_use_faults(state, name, why)
    begun = state.begun.get(fact.cause)
    gone = state.ended_by.get(fact.cause)
    if begun and gone and not fact.implied and not any(key[0] == fact.cause for key in state.effects):
        yield from ended_use_faults(state, begun.effect.casefold(), gone)


def _has_running_effect(state: FifthState, who: str, name: str) -> bool:
    return any(each.bearer == who and each.called == name for each in state.effects.values())


def ended_use_faults(state: FifthState, name: str, why: Because) -> Iterator[Fault]:
    """Yield a fault for an ended effect by the clause that ended it; concentration if its end was just recorded."""
    found = why.flat()
    needed = any(state.begun[seq].concentration for seq in found.events if seq in state.begun)
    rule = next((rule for rule in found.rules if rule in ENDED), ENDED[-1] if needed else "")
    if rule:
        yield Fault((rule,), f"{name} has ended", "no effect", name, why.own().events)


def has_ended_before(state: FifthState, event: events.Fact) -> bool:
    """Say whether a clause ended an effect before its recorded end, or derives a condition that is recorded as lost.

    What concentration ended in this turn has not expired in it.
    """
    if isinstance(event, events.ConditionLost):
        return all(is_derived_condition(state, who, event.condition.casefold()) for who in state.joined(event.targets))
    if not isinstance(event, events.EffectEnded):
        return False
    name = event.effect.casefold()
    stated = [why for who, own in state.rid_by.items() if who in (event.targets or (who,)) and (why := own.get(name))]
    clauses = ENDED[3:] if is_expiry(event) and all(_is_in_running_turn(state, why) for why in stated) else ENDED
    return any(rule in clauses for why in stated for rule in why.flat().rules)


def is_derived_condition(state: FifthState, who: str, name: str) -> bool:
    """Say whether a combatant has a condition that no record of one began, or had one until this round."""
    began = state.clock.round_event
    fallen = state.body(who).fallen if name == "unconscious" else None
    over = (fallen, state.ended.get((name, who)), state.rid_by.get(who, {}).get(name))
    lately = any(why and not state.precedes(max(why.flat().events), began) for why in over)
    flew = who in state.airborne or any(each.mode == "fly" for each in state.strides.get(who, ()))
    does = (name == "dodging" and who in state.dodging) or (name == "disengaged" and who in state.disengaged)
    return lately or (flew and name == "flying") or does or carries(state, who, name)


def _is_in_running_turn(state: FifthState, why: Because) -> bool:
    return not state.precedes(max(why.flat().events), state.clock.turn_event)


@checks_by(*ENDED[:4], on=events.EffectEnded)
def effects_end_when_they_do(state: FifthState, fact: Occurrence[events.EffectEnded]) -> Iterator[Fault]:
    """Yield a fault for an effect recorded to expire before its time, or in a later turn than its end."""
    event = fact.event
    if not is_expiry(event):
        return
    name = fact.called
    if running := running_effect(state, event):
        left = f"{Length(running.left or 0, running.duration.unit if running.duration else 'round')} left"
        says = f"{running.name} has {left}"
        yield Fault(("duration.runs-out",), says, left, "expired", (running.seq, *running.ticked_by))
        return
    for bearer in event.targets or state.rid_by:
        why = state.rid_by.get(bearer, {}).get(name)
        if why is None or _has_running_effect(state, bearer, name):
            continue
        found = why.flat()
        rule = next((rule for rule in found.rules if rule in ENDED[:3]), "")
        if rule and not _is_in_running_turn(state, why):
            yield Fault((rule,), f"{name} on {bearer} had already ended", "no effect", "expired", found.events)
            return
