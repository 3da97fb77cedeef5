"""Spells: declared, begun in the own segment, under way, spoiled, given up, taking effect when the time is up."""

from eventstore.events import ActionAbandoned, ActionDeclared, ActionTaken, EffectStarted, RoundEnded, RoundStarted
from eventstore.shapes import Action
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.osric.order import act_key
from projections.rulesets.osric.spoiling import end, spoil
from projections.rulesets.osric.state import END, SEGMENTS, START, Casting, Declared, Order, OsricState, Seen, Wound
from projections.rulesets.osric.surprise import counted_through, point_of
from projections.rulesets.ruleset import derives
from projections.state import action_word
from projections.time import Point

SPELL = "cast"


@derives("declare.spells-before-initiative", "declare.general-actions", "declare.gm-plans-first", on=ActionDeclared)
def declares(state: OsricState, fact: Occurrence[ActionDeclared]) -> None:
    """Keep what a combatant declared: before the dice the last declaration counts, and only a spell binds."""
    who, action = fact.event.combatant, fact.event.action
    before = declared_spell(state, who or "")
    if who and before and state.dice:
        late = action if action.kind == SPELL else before.late
        state.declared[who] = Declared(before.seq, before.action, before.given_up, late)
    elif who:
        state.declared[who] = Declared(fact.seq, action)


@derives("round.next-declarations", on=RoundStarted)
def declarations_are_over(state: OsricState, fact: Occurrence[RoundStarted]) -> None:
    """Forget declarations; what is still being cast goes on, out of surprise by option."""
    state.declared.clear()
    state.wounds.clear()
    for one in state.castings:
        if one.status == "begun" and one.key.round == 0 and state.option("surprise-carry") == "lost":
            end(one, "lost", 0, Because(surprise_due.rules, (fact.seq,), state.chosen("surprise-carry")))
    before = state.clock.round - 1
    ended = (one for one in (*state.past, *state.castings) if one.status != "begun")
    state.past = [one for one in ended if one.due.round > before or one.ended == before]
    state.castings = [one for one in state.castings if one.status == "begun"]
    state.unbegun = [one for one in state.unbegun if one.due.round >= state.clock.round]
    state.keys = {one.begun: one.key for one in state.castings}


@derives("spell.begins-in-own-segment", on=RoundEnded)
def starts_without_a_row(state: OsricState, _fact: Occurrence[RoundEnded]) -> None:
    """Keep declared spells whose start has no row and which, begun in the own segment, would come in a later round."""
    for who, declared in state.declared.items():
        casting = silently_begun(state, who, action_word(declared.action))
        begun = any(one.combatant == who and one.key.round == state.clock.round for one in state.castings)
        if casting and not begun and casting.due.round > state.clock.round:
            state.unbegun.append(casting)


def declared_spell(state: OsricState, who: str) -> Declared | None:
    """Return the spell that binds a combatant in this round, if it declared one."""
    declared = state.declared.get(who)
    return declared if declared and declared.action.kind == SPELL else None


def declared_as(state: OsricState, who: str, name: str | None) -> Action | None:
    """Return the spell of this name as a combatant declared it for the round, before the dice or after them."""
    declared = declared_spell(state, who)
    spells = (declared.action, declared.late) if declared else ()
    return next((spell for spell in spells if spell and same(name, action_word(spell))), None)


def same(name: str | None, other: str) -> bool:
    """Say whether two words name the same; no name names anything."""
    return name is None or name.casefold() == other.casefold()


@derives("spell.casting-time-units")
def casting_time(state: OsricState, who: str, action: Action) -> int:
    """Return a casting time in segments, at least 1: as the act says it, else as it was declared."""
    time, declared = action.time, declared_as(state, who, action.name)
    if time is None and declared:
        time = declared.time
    length = state.rules.calendar.length(time)
    return max(1, (length and state.rules.calendar.count(length, "segment")) or 1)


@derives("spell.start-is-first-segment")
def casting_from(state: OsricState, who: str, action: Action, seq: int, key: Order) -> Casting:
    """Return a casting that begins with a key: the segment of the start is the first of the casting time."""
    start = counted_through(state, Point(key.round, segment=key.segment))
    last = start + casting_time(state, who, action) - 1
    rules = (*casting_from.rules, *due_key.rules)
    if start <= 0:
        rules = (*rules, *surprise_due.rules)
    if last // SEGMENTS > start // SEGMENTS:
        rules = (*rules, *point_of.rules)
    because = Because(rules, (seq,), state.chosen("effect-segment"))
    word = action_word(action)
    if action.name is None and (declared := declared_spell(state, who)):
        word = action_word(declared.action)
    return Casting(who, word, seq, key, start, last, due_key(state, start, last), because=because)


@derives("spell.completes-after-casting-time")
def due_key(state: OsricState, start: int, last: int) -> Order:
    """Return the key of a spell's effect: the start of the segment after the last one occupied."""
    if start <= 0:
        return surprise_due(state, last)
    if state.option("effect-segment") == "last-casting-segment":
        return _key(state, last, END)
    return _key(state, last + 1, _band(state))


@derives("surprise.spell-fits-or-runs-on", "surprise.round-action-in-a-segment")
def surprise_due(state: OsricState, last: int) -> Order:
    """Return the key of the effect of a spell begun in surprise: at the end of its last segment, if it fits."""
    if last <= 0 and state.option("surprise-spell") == "end-of-last-segment":
        return _key(state, last, END)
    return _key(state, last + 1, _band(state))


def _band(state: OsricState) -> int:
    """Return the band of an effect in the segment after its casting: its end, if it can be spoiled through it."""
    return END if state.option("spoil-window") == "through-effect" else START


def _key(state: OsricState, segment: int, band: int) -> Order:
    point = point_of(state, segment)
    return Order(point.round, point.segment, band)


def begin(state: OsricState, fact: Occurrence[ActionTaken], key: Order) -> None:
    """Begin a casting; a wound of the same segment spoils it at once, whoever came first."""
    event = fact.event
    casting = casting_from(state, event.combatant, event.action, fact.seq, key)
    casting.barred = any(each.target == event.combatant and _before(state, each, casting) for each in state.wounds)
    state.castings.append(casting)
    for wound in state.wounds:
        spoil(state, casting, wound)


def _before(state: OsricState, wound: Wound, casting: Casting) -> bool:
    """Say whether a wound spoils a spell before it is begun, as an option has it: the start is then reported."""
    return state.option("spoil-from") == "round-start" and wound.segment <= casting.start


@derives("declare.spell-may-be-given-up", on=ActionAbandoned)
def gives_up(state: OsricState, fact: Occurrence[ActionAbandoned]) -> None:
    """Withdraw a spell under way, or a declaration; before the dice the latter is as if it had not been made."""
    who, name = fact.event.combatant, fact.event.name
    begun = [one for one in state.castings if one.combatant == who and one.status == "begun" and same(name, one.name)]
    for casting in begun:
        casting.cut = counted_through(state, fact.point)
        end(casting, "withdrawn", state.clock.point.round, Because(gives_up.rules, (fact.seq,)))
    declared = state.declared.get(who)
    if begun or not declared or not same(name, action_word(declared.action)):
        return
    if state.dice:
        state.declared[who] = Declared(declared.seq, declared.action, fact.seq, declared.late)
    else:
        del state.declared[who]


@derives("spell.completes-after-casting-time", on=EffectStarted)
def takes_effect(state: OsricState, fact: Occurrence[EffectStarted]) -> None:
    """Complete the casting that this is the effect of, wherever it was recorded."""
    casting = casting_of(state, fact)
    if casting is None:
        state.undeclared.add((fact.event.source or "", fact.event.effect.casefold()))
        return
    key = casting.due if is_timely(casting, fact) else None
    key = key or Order(fact.point.round, fact.point.segment, casting.due.band)
    state.keys[fact.seq] = key
    state.seen.append(Seen(fact.seq, casting.combatant, casting.name, key))
    if all(one is not casting for one in (*state.castings, *state.past)):
        state.castings.append(casting)
    if casting.status == "begun":
        end(casting, "done", fact.point.round, Because(takes_effect.rules, (fact.seq,)))


def is_timely(casting: Casting, fact: Occurrence[EffectStarted]) -> bool:
    """Say whether an effect is recorded where it is due; one without a segment is, in the right round."""
    due, point = casting.due, fact.point
    unplaced = point.segment == 0 and fact.event.segment is None
    return due.round == point.round and (unplaced or not casting.key.segment or due.segment == point.segment)


def casting_of(state: OsricState, fact: Occurrence[EffectStarted]) -> Casting | None:
    """Return the casting that an effect comes from: the one its cause names, else the caster's last of that name.

    A declared spell without a row for its start was begun in the own segment. One that ended in an earlier round is
    meant where it would have come now, or later.
    """
    event, every = fact.event, (*state.past, *state.castings)
    named = next((one for one in every if one.begun == event.cause), None)
    if named:
        return named
    mine = [one for one in every if one.combatant == event.source and same(event.effect, one.name)]
    here = [one for one in mine if any(one is each for each in state.castings)]
    late = [one for one in mine if one.due.round >= fact.point.round]
    unbegun = [one for one in state.unbegun if one.combatant == event.source and same(event.effect, one.name)]
    return (
        here[-1]
        if here
        else silently_begun(state, event.source or "", event.effect) or next(iter((*late[-1:], *unbegun)), None)
    )


@derives("spell.begins-in-own-segment")
def silently_begun(state: OsricState, who: str, name: str) -> Casting | None:
    """Return the casting of a declared spell whose start has no row, with what has spoiled it since."""
    declared, action = declared_spell(state, who), declared_as(state, who, name)
    if declared is None or action is None:
        return None
    key = act_key(state, state.combatants[who], action, Point(state.clock.point.round))
    casting = casting_from(state, who, action, declared.seq, key)
    if declared.given_up:
        end(casting, "withdrawn", key.round, Because(gives_up.rules, (declared.given_up,)))
    for wound in state.wounds:
        spoil(state, casting, wound)
    return casting


def bound_from_before(state: OsricState, who: str, key: Order) -> Casting | None:
    """Return a casting of an earlier round or surprise segment that somebody is, or was in this round, in the middle of.

    What is still begun where it should have come is not waited for.
    """
    waits = state.option("after-long-spell") == "no-action"
    found = None
    for one in state.castings:
        start = (one.key.round, one.key.segment if not key.round else 0)
        earlier = one.combatant == who and start < (key.round, key.segment if not key.round else 0)
        under_way = key < one.due or (waits and one.due.round == key.round > one.key.round)
        if earlier and one.status == "begun" and under_way:
            return one
        if earlier and one.status != "begun":
            found = one
    return found
