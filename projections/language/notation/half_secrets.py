"""Half secrets: facts about a visible combatant that also name a hidden one, who shares them, is their source or reason, or counts their time.

Players get the fact without the name, and a secret amendment has it in full; of a joining they do not get the notes, which follow
in secret. Anything that players know to exist has an end that they know of.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import structs

from eventstore import events
from eventstore.events import Fact
from projections.mechanics.conditions import Effect, Key, find_effects
from projections.state import State
from projections.stream.concealment import REMARKS, Concealed, joining
from projections.stream.corrections import map_references

F = TypeVar("F", bound=Fact)

Ended = events.ConditionLost | events.EffectEnded
"""The facts that end something on a combatant."""


def halved(
    facts: Sequence[Fact], moved: int, hidden: Concealed, state: State, *, only_turns: bool = False
) -> tuple[Sequence[Fact], int]:
    """Return facts in which half secrets are the players' version and an amendment, and how many of them move the clock.

    `state` is the one before them. With `only_turns` only the beginning of a turn is split.
    """
    place = 0
    while place < len(facts):
        fact = facts[place]
        kept_whole = only_turns and not isinstance(fact, events.TurnStarted)
        part = None if kept_whole else for_players(fact, hidden, state)
        stated: Any = fact.fact if isinstance(fact, events.Inserted) else fact
        whole: Fact = fact if isinstance(fact, events.Amended) else events.Amended(event=-1, replacement=stated)
        if (joined := joining(fact)) and not only_turns:
            apart, notes = notes_apart(fact, joined, hidden)
            part, whole = (apart, notes) if apart else (part, whole)
        if part is not None:
            after = [shifted_by(each, place + 1, at) for at, each in enumerate(facts)]
            facts, moved = [*after[:place], part, whole, *after[place + 1 :]], moved + (place < moved)
            place += 1
        place += 1
    return facts, moved


def _stated_fact(fact: Fact, stated: Fact) -> Fact:
    """Return a fact that states another one: a correction with that in it, else that one itself."""
    fields: Mapping[type[Fact], str] = {events.Amended: "replacement", events.Inserted: "fact"}
    field = fields.get(type(fact))
    return structs.replace(fact, **{field: stated}) if field else stated


def notes_apart(
    fact: Fact, joined: events.CombatantJoined, hidden: Concealed
) -> tuple[Fact | None, events.SheetChanged]:
    """Return the joining of somebody visible, or its correction, without notes that name somebody hidden, if they do, and the notes."""
    notes = {name: text for name, text in joined.sheet.items() if name in REMARKS}
    kept = events.SheetChanged(combatant=joined.combatant, sheet=notes)
    if joined.combatant in hidden.ids or not hidden.concerned_by(kept):
        return None, kept
    apart = structs.replace(joined, sheet={name: item for name, item in joined.sheet.items() if name not in notes})
    return _stated_fact(fact, apart), kept


def for_players(fact: Fact, hidden: Concealed, state: State) -> Fact | None:
    """Return the players' version of a half-secret fact, `state` being the one before it; None for any other fact."""
    if not hidden.concerned_by(fact):
        return None
    part: Fact | None = None
    match fact:
        case events.Amended(replacement=inner) | events.Inserted(fact=inner):
            part = (given := for_players(inner, hidden, state)) and _stated_fact(fact, given)
        case events.TurnStarted() | events.InitiativeRolled():
            part = _without_hidden(fact, hidden)
        case events.ConditionGained() | events.EffectStarted() | events.EffectEnded():
            part = _hide_names(fact, hidden, _targets(fact, state))
        case events.DamageDealt() | events.Healed() | events.Moved():
            part = _hide_source(fact, hidden)
        case events.CombatantLeft() | events.ActionHeld() | events.ActionTaken() | events.ConditionLost():
            part = _hide_remark(fact, hidden)
    return None if part is None or hidden.concerned_by(part) else part


def _without_hidden(fact: events.TurnStarted | events.InitiativeRolled, hidden: Concealed) -> Fact | None:
    """Return a fact about several combatants without the hidden ones; None if nobody is left."""
    those = [who for who in (fact.combatant, *fact.together) if who and who not in hidden.ids]
    return structs.replace(fact, combatant=those[0], together=tuple(those[1:])) if those else None


def _hide_names(
    fact: events.ConditionGained | events.EffectStarted | events.EffectEnded,
    hidden: Concealed,
    targets: tuple[str, ...],
) -> Fact | None:
    """Return a fact on these targets without a hidden source, a hidden counter of time, and words that name a hidden
    combatant; None if no visible target is left.
    """
    seen = tuple(who for who in targets if who not in hidden.ids)
    if not seen:
        return None
    changes: dict[str, object] = {"targets": seen}
    counts, of_hidden = getattr(fact, "duration", None), fact.source in hidden.ids
    if of_hidden:
        changes["source"] = None
    if counts and (of_hidden or counts.of in hidden.ids):
        changes["duration"] = None
    if of_hidden and isinstance(fact, events.EffectStarted):
        changes["concentration"] = False
    return structs.replace(_hide_remark(fact, hidden), **changes)


def _hide_remark(fact: F, hidden: Concealed) -> F:
    """Return a fact without a remark in it that names a hidden combatant: a reason, an awaited event or a manner."""
    remarks = {name: getattr(fact, name, None) for name in ("detail", "reason", "awaiting")}
    changes = {name: None for name, text in remarks.items() if text and hidden.concerned_by(events.Noted(text=text))}
    return structs.replace(fact, **changes)


def _hide_source(fact: events.DamageDealt | events.Healed | events.Moved, hidden: Concealed) -> Fact:
    """Return damage, healing or a move without a hidden source, and without parts that name one."""
    changes: dict[str, object] = {"source": None} if fact.source in hidden.ids else {}
    if any(hidden.concerned_by(events.Noted(text=part.name)) for part in getattr(fact, "parts", ()) if part.name):
        changes["parts"] = ()
    return structs.replace(fact, **changes)


def _targets(fact: events.ConditionGained | events.EffectStarted | events.EffectEnded, state: State) -> tuple[str, ...]:
    """Return the targets that a fact names; where the end of an effect names none, its bearers."""
    if isinstance(fact, events.EffectEnded) and not fact.targets:
        ended = find_effects(state.effects, fact.effect, (), fact.source)
        return tuple(dict.fromkeys(bearer for _, bearer in ended if bearer))
    return fact.targets


def shifted_by(fact: F, place: int, at: int, by: int = 1) -> F:
    """Return a fact of a line with its references back past a place adjusted for `by` more facts there."""
    return map_references(fact, lambda back: back - by if at >= place and -at <= back < place - at else back)


# ---------------------------------------------------------------- ends


def with_ends(
    facts: Sequence[Fact],
    moved: int,
    hidden: Concealed,
    state_after: Callable[[Sequence[Fact]], State],
    unseen: Callable[[int], bool],
) -> tuple[Sequence[Fact], int, Sequence[Fact]]:
    """Return facts with the ends of what players half know, each before the fact that ends it; how many move the clock; and those ends."""
    state = state_after(())
    known = [each for among in (state.conditions, state.effects) for each in _known_by_half(state, among, unseen)]
    if not known or any(isinstance(fact, events.Correction) for fact in facts):
        return facts, moved, ()
    after, ends = state_after(facts), list[Fact]()
    for key, effect in known:
        ended = any(_is_end_of(each, effect) for each in facts)
        if ended or effect.bearer in hidden.ids or _is_still_running(after, effect):
            continue
        place = next(at for at in range(len(facts)) if not _is_still_running(state_after(facts[: at + 1]), effect))
        while place and isinstance(facts[place - 1], events.RoundStarted):
            place -= 1  # nothing comes between a round and the turn that opens it
        later = [shifted_by(each, place, at) for at, each in enumerate(facts)]
        if key in state.conditions:
            ends.append(events.ConditionLost(condition=effect.name, targets=(effect.bearer,)))
        else:
            ends.append(events.EffectEnded(effect=effect.name, targets=(effect.bearer,)))
        facts = [*later[:place], ends[-1], *later[place:]]
        moved += place < moved
    return facts, moved, ends


def _known_by_half(
    state: State, among: Mapping[Key, Effect], unseen: Callable[[int], bool]
) -> Iterator[tuple[Key, Effect]]:
    """Yield the conditions or effects that players know, but whose secret amendment they do not."""
    for key, effect in among.items():
        whole = state.amended.get(effect.seq)
        if whole and unseen(whole) and not unseen(effect.seq):
            yield key, effect


def _is_still_running(state: State, effect: Effect) -> bool:
    """Return whether a condition or effect is still running, or another of its name on its bearer."""
    return any(
        one.bearer == effect.bearer and one.called == effect.called
        for among in (state.conditions, state.effects)
        for one in among.values()
    )


def _is_end_of(fact: Fact, effect: Effect) -> bool:
    """Return whether a fact itself reports the end of a condition or effect."""
    if not isinstance(fact, Ended):
        return False
    name = fact.condition if isinstance(fact, events.ConditionLost) else fact.effect
    return name.casefold() == effect.called and (not fact.targets or effect.bearer in fact.targets)
