"""Secrecy of a line: which of its facts are kept from players, and because of which combatants.

Facts about a hidden combatant are recorded in secret. A move of the clock is no secret, unless it names a hidden
combatant. A fact about several combatants, some of them hidden, becomes two: one that players see, and one that they do
not.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import structs

from eventstore import events
from eventstore.events import Fact
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Draft, Recorded, upcast
from projections.language.notation.half_secrets import for_players, halved, notes_apart, shifted_by, with_ends
from projections.language.notation.line_context import ClockFact
from projections.language.notation.parsing import Parsed
from projections.mechanics.conditions import find_effects
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.audience import Audience
from projections.stream.concealment import Concealed, joining
from projections.stream.corrections import map_references
from projections.time import Boundary

F = TypeVar("F", bound=Fact)

MOVES_TURNS = (events.TurnStarted, events.TurnResumed, events.TurnEnded, events.TurnDelayed, events.CombatantLeft)
"""The facts by which a combatant's turns begin and end."""

EACH: dict[type[Fact], str] = {
    events.ConditionGained: "targets",
    events.ConditionLost: "targets",
    events.EffectStarted: "targets",
    events.EffectEnded: "targets",
}
"""Facts that hold for each of several: those about the visible are public, those about the hidden secret."""
ALL: dict[type[Fact], str] = {events.Placed: "engaged", events.SurpriseSettled: "surprised"}
"""Facts that a later one replaces: the complete one follows in secret."""
AIMED = (events.ActionTaken, events.ActionDeclared, events.ActionHeld)
"""Acts: the visible targets are public, and a secret note names the others."""
ROLLED = "rolled here: "
"""The beginning of a note on the dice that were rolled for a line."""


def may_change_who_is_hidden(facts: Iterable[Fact]) -> bool:
    """Return whether facts may hide or reveal a combatant, in a log with secrets."""
    return any(isinstance(fact, events.RulingMade | events.Correction) or joining(fact) for fact in facts)


def keep_secrets(
    parsed: Parsed,
    records: Sequence[Recorded],
    state_after: Callable[[Sequence[Fact]], State],
    seen: Audience,
    present: Callable[[int], Fact | None],
) -> Parsed:
    """Return a line with its facts as they are recorded, and which of them in secret.

    `records` are those before it, `state_after` returns the state after some of its facts, `seen` is what players do not get once it is recorded,
    `present` returns the present fact of a record.
    """

    def unseen(seq: int) -> bool:
        withhold = seen.withhold
        return seq in withhold.seqs or (
            seq <= len(records) and records[seq - 1].secret and seq not in withhold.revealed
        )

    hidden, moved = seen.hidden, parsed.moved
    facts: Sequence[Fact] = parsed.facts
    ends: Sequence[Fact] = ()
    if hidden:
        if parsed.form != "json" and not parsed.secret:
            facts = _split_amendments(facts, len(records), hidden, state_after(()), unseen, present)
        facts, moved = _split_facts(facts, moved, hidden)
        facts, moved = _add_known_clock(facts, moved, hidden, state_after)
        facts, moved, ends = with_ends(facts, moved, hidden, state_after, unseen)

    def kept_of(facts: Sequence[Fact]) -> tuple[set[int], dict[str, None]]:
        kept, hides = set[int](), dict[str, None]()
        for place, fact in enumerate(facts):
            whom = hidden.concerned_by(fact)
            if isinstance(fact, events.Struck) and unseen(fact.event) and _is_moved(facts, place):
                old = present(fact.event)
                whom = hidden.concerned_by(old) if old else whom
            hides.update(dict.fromkeys(() if parsed.secret else sorted(whom & hidden.ids or whom)))
            is_clock = place < moved or isinstance(fact, ClockFact) or any(fact is each for each in ends)
            if whom or (parsed.secret and not is_clock) or _hangs_on(fact, place, kept, state_after(()), unseen):
                kept.add(place)
        return kept, hides

    kept, _ = kept_of(facts)
    if kept and parsed.thrown and not parsed.secret:
        facts = _split_dice_notes(facts, kept)
    if hidden:
        facts, moved = halved(facts, moved, hidden, state_after(()), only_turns=parsed.secret)
    kept, hides = kept_of(facts)
    return structs.replace(parsed, facts=tuple(facts), moved=moved, kept=frozenset(kept), hides=tuple(hides))


def hide_facts(drafts: Sequence[Draft], hidden: Concealed) -> tuple[Draft, ...]:
    """Return the drafts of a game master's facts with those in secret that concern a hidden combatant, and notes of a visible one
    that do.
    """
    found = list(drafts)
    for place in reversed(range(len(drafts))):
        draft, fact = found[place], upcast(found[place].event)
        joined = None if draft.secret else joining(fact)
        part, notes = notes_apart(fact, joined, hidden) if joined else (None, None)
        if part and notes:
            found = [structs.replace(one, event=shifted_by(one.event, place + 1, at)) for at, one in enumerate(found)]
            found[place : place + 1] = structs.replace(draft, event=part), Draft(notes, secret=True, at=draft.at)
        elif not isinstance(fact, events.CombatantJoined) and hidden.concerned_by(fact):
            found[place] = structs.replace(draft, secret=True)
    return tuple(found)


def _hangs_on(fact: Fact, place: int, kept: Collection[int], state: State, unseen: Callable[[int], bool]) -> bool:
    """Return whether a fact is a remark on one that is kept from players, or ends effects that they do not know."""
    if isinstance(fact, events.Amended):
        return fact.event > 0 and unseen(fact.event)
    if isinstance(fact, events.Noted | events.DiceDrawn) and fact.event:
        return place + fact.event in kept if fact.event < 0 else unseen(fact.event)
    if isinstance(fact, events.EffectEnded):
        among, ended = state.effects, find_effects(state.effects, fact.effect, fact.targets, fact.source)
    elif isinstance(fact, events.ConditionLost):
        among = state.conditions
        ended = find_effects(among, fact.condition, fact.targets, None, anyone=False)
    else:
        return False
    return bool(ended) and all(unseen(among[key].seq) for key in ended)


# ---------------------------------------------------------------- facts about several


def _split_facts(facts: Sequence[Fact], moved: int, hidden: Concealed) -> tuple[Sequence[Fact], int]:
    """Return facts with those about visible and hidden combatants split in two, and how many of them move the clock."""
    parts = [_split_fact(fact, hidden.ids) for fact in facts]
    if all(len(each) == 1 for each in parts):
        return facts, moved
    places = [sum(map(len, parts[:place])) for place in range(len(parts))]
    found = [part for place, each in enumerate(parts) for part in _shift_parts(each, place, places)]
    return found, sum(map(len, parts[:moved]))


def _shift_parts(parts: Sequence[Fact], place: int, places: Sequence[int]) -> Iterable[Fact]:
    """Yield the parts of a fact with references back to the line's facts in their present places."""
    for rank, part in enumerate(parts):
        changes = {}
        for name in REFERENCE_FIELDS & set(part.__struct_fields__):
            back = getattr(part, name)
            if back is None or back >= 0:
                continue
            if rank and back != getattr(parts[0], name, None):  # it is about the part before it
                continue
            if place + back >= 0:
                changes[name] = places[place + back] - places[place] - rank
        yield structs.replace(part, **changes) if changes else part


def _split_fact(fact: F, ids: Collection[str]) -> tuple[F | events.Noted, ...]:
    """Return a fact as one that names nobody hidden and one that players do not get, or alone if it need not or cannot be split."""
    kind = type(fact)
    if named := EACH.get(kind) or ALL.get(kind):
        seen, unseen = _split_names(getattr(fact, named), ids)
        if seen and unseen:
            return _fact_about(fact, named, seen), fact if kind in ALL else _fact_besides(fact, named, unseen)
    elif isinstance(fact, events.TimePassed):
        seen, unseen = _split_names(fact.treated, ids)
        if unseen:
            return structs.replace(fact, treated=seen), events.Noted(
                text=f"care also for {', '.join(unseen)}", event=-1
            )
    elif isinstance(fact, AIMED) and fact.action:
        seen, unseen = _split_names(fact.action.targets, ids)
        if seen and unseen:
            visible = structs.replace(fact, action=structs.replace(fact.action, targets=seen))
            return visible, events.Noted(text=f"also at {', '.join(unseen)}", event=-1)
    return (fact,)


def _split_names(those: Sequence[str], ids: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(who for who in those if who not in ids), tuple(who for who in those if who in ids)


def _fact_about(fact: F, name: str, those: tuple[str, ...]) -> F:
    """Return a fact about these alone."""
    aimed = getattr(fact, "aim", ())
    aim = {"aim": tuple(each for each in aimed if each.target in (None, *those))} if aimed else {}
    return structs.replace(fact, **{name: those}, **aim)


def _fact_besides(fact: F, name: str, those: tuple[str, ...]) -> F:
    """Return a fact about these combatants in addition to the one about others; for an effect by concentration it is a part of that."""
    found = _fact_about(fact, name, those)
    if getattr(fact, "concentration", False):
        found = structs.replace(found, parent=-1, concentration=False)  # type: ignore[call-arg, unused-ignore]  # an effect
    return found


# ---------------------------------------------------------------- corrections


def _split_amendments(
    facts: Sequence[Fact],
    before: int,
    hidden: Concealed,
    state: State,
    unseen: Callable[[int], bool],
    present: Callable[[int], Fact | None],
) -> Sequence[Fact]:
    """Return facts in which an amendment from a visible to a hidden combatant, or back, is a strike and an insertion.

    If an amended fact is about both, the amendment changes the players' part, and the other part is inserted.
    """
    found, moved = list[Fact](), dict[int, int]()
    for fact in facts:
        old = present(fact.event) if isinstance(fact, events.Amended) else None
        if not isinstance(fact, events.Amended) or old is None:
            found.append(fact)
            continue
        was_hidden = unseen(fact.event)
        own, *others = _split_fact(fact.replacement, hidden.ids)
        is_hidden = bool(hidden.concerned_by(own)) and not for_players(own, hidden, state)
        own = _remap_references(own, moved)
        if was_hidden == is_hidden or (was_hidden and not hidden.concerned_by(old)):
            found.append(structs.replace(fact, replacement=own))
            place = fact.event
        else:
            found += [
                events.Struck(event=fact.event, reason=fact.reason),
                events.Inserted(after=fact.event, fact=own, reason=fact.reason),
            ]
            place = moved[fact.event] = before + len(found)
        found += [events.Inserted(after=place, fact=_remap_references(each, {**moved, -1: place})) for each in others]
    return found


def _is_moved(facts: Sequence[Fact], place: int) -> bool:
    strike, after = facts[place], facts[place + 1] if place + 1 < len(facts) else None
    return isinstance(strike, events.Struck) and isinstance(after, events.Inserted) and after.after == strike.event


def _remap_references(fact: F, moved: Mapping[int, int]) -> F:
    return map_references(fact, lambda named: moved.get(named, named))


# ---------------------------------------------------------------- dice


def _split_dice_notes(facts: Sequence[Fact], kept: Collection[int]) -> Sequence[Fact]:
    """Return facts with each note of dice split into one for players and a secret one, if facts at the `kept` places show some of the dice."""
    said = {
        place: fact
        for place, fact in enumerate(facts)
        if isinstance(fact, events.Noted) and fact.text.startswith(ROLLED)
    }
    for start, note in reversed(list(zip([0, *said], said, strict=False))):
        apart = _notes_apart(facts, start, note, said[note], kept)
        later = facts[note + 1 :]
        if len(apart) > 1:
            later = [shifted_by(each, note + 1, at) for at, each in enumerate(later, note + 1)]
        facts = [*facts[:note], *apart, *later]
    return facts


def _notes_apart(
    facts: Sequence[Fact], start: int, note: int, said: events.Noted, kept: Collection[int]
) -> list[events.Noted]:
    """Return a note on the dice rolled for the facts from `start` as one for players and one in secret, each on a fact that is as secret."""
    from projections.language.notation.thrown import facts_showing  # only for dice of lines with secrets

    throws, secrets = said.text.removeprefix(ROLLED).split("; "), [place for place in kept if start <= place < note]
    if not secrets:
        return [said]
    among = facts_showing(throws, facts[start:note], [place - start for place in kept])
    shown = [None if place is None else start + place for place in among]
    found: list[events.Noted] = []
    for hidden in (False, True):
        mine = [
            (one, place) for one, place in zip(throws, shown, strict=True) if (place is None or place in kept) is hidden
        ]
        if mine:
            own = note + (said.event or 0)
            places = [place for _, place in mine if place is not None] or secrets
            target = own if (own in kept) is hidden else max(places)
            text = ROLLED + "; ".join(one for one, _ in mine)
            found.append(structs.replace(said, text=text, event=target - note - len(found)))
    return found


# ---------------------------------------------------------------- rounds


def _add_known_clock(
    facts: Sequence[Fact], moved: int, hidden: Concealed, state_after: Callable[[Sequence[Fact]], State]
) -> tuple[Sequence[Fact], int]:
    """Return facts with the part of a hidden combatant's turn that players may know before it: that a round begins, or that a turn is over."""
    for place, fact in enumerate(facts):
        if not isinstance(fact, MOVES_TURNS) or not hidden.concerned_by(fact):
            continue
        known = _known_beginning(state_after(facts[:place]), fact, hidden)
        if known and known != [*facts[max(place - len(known), 0) : place]]:
            after = [shifted_by(each, place, at, len(known)) for at, each in enumerate(facts)]
            return [*after[:place], *known, *after[place:]], moved + (len(known) if place < moved else 0)
    return facts, moved


def _known_beginning(state: State, fact: Fact, hidden: Concealed) -> list[Fact]:
    """Return the beginning of the round that a turn opens, or else the ends of visible combatants' turns that it implies."""

    def crossed(event: Fact) -> tuple[Boundary, ...]:
        return state.rules.schedule.crossed(state, Occurrence(state.seq + 1, state.seq + 1, event))

    boundaries = crossed(fact)
    opened = [each.number for each in boundaries if each.kind == "round opened"]
    if opened:
        return [events.RoundStarted(round=opened[-1])]
    if for_players(fact, hidden, state):
        return []  # it is shared with somebody visible
    over = {each.who: events.TurnEnded(combatant=each.who) for each in boundaries if each.kind == "turn ended"}
    return [ends for who, ends in over.items() if who not in hidden.ids and crossed(ends)]
