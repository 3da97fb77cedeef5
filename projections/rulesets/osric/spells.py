"""Spells: declared, begun in the caster's segment, under way, spoiled, given up; the effects that belong to them."""

from itertools import takewhile
from typing import TYPE_CHECKING

from eventstore import events
from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Derived, asked_options
from projections.fight import Combatant
from projections.mechanics import work
from projections.mechanics.acts import name_or_kind
from projections.mechanics.declarations import Declared, binding_declaration, declare, declared_action, withdraw
from projections.mechanics.work import BEGUN, LOST, Incident, is_same
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.order import own_key
from projections.rulesets.osric.state import END, SEGMENTS, SPELL, START, Casting, Order, OsricState
from projections.rulesets.osric.surprise import play_reason, point_of, segment_number
from projections.stream.causes import causes
from projections.time import Boundary, Point

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading


SPOILING = "spell.spoiled-by-interruption"


def is_spell(action: Action) -> bool:
    """Return whether an action is the casting of a spell; other declarations do not bind."""
    return action.plain_kind == SPELL


# ---------------------------------------------------------------- declarations


@derives(
    "declare.spells-before-initiative", "declare.general-actions", "declare.gm-plans-first", on=events.ActionDeclared
)
def keep_declaration(state: OsricState, fact: Occurrence[events.ActionDeclared]) -> None:
    """Keep a declaration: before the dice the last one counts, and only a spell binds."""
    who = fact.event.combatant
    if who:
        declare(state.round.said, who, fact.event.action, fact.seq, is_spell, late=bool(state.round.dice))


def declared_spell(state: OsricState, who: str) -> Declared | None:
    """Return the spell that binds a combatant in this round, if it declared one."""
    return binding_declaration(state.round.said, who, is_spell)


def spell_declared_as(state: OsricState, who: str, name: str | None) -> Action | None:
    """Return the spell of this name that a combatant declared for the round, before the dice or after them."""
    return declared_action(declared_spell(state, who), name)


@derives("round.next-declarations", at="round opened")
def carry_castings_over(state: OsricState, boundary: Boundary) -> None:
    """Carry castings over into a new round, out of surprise only by option; keep those whose effects may still come."""
    for one in state.castings:
        if one.key.round == 0 and state.option("surprise-carry") == "lost":
            lost = Because(surprise_due_key.rules)
            one.incidents.append(Incident(boundary.seq, one.last, LOST, lost, one.key, sure=True))
        elif one.key.round == 0:
            one.asked += (asked_options(),)
    known, now = state.past | {one.seq: one for one in state.castings}, state.clock.round
    state.past = {seq: one for seq, one in known.items() if due_key(state, one).value.round >= now}
    state.castings = [one for one in state.castings if is_begun(state, one)]
    state.round.keys = {one.seq: one.key for one in state.castings}


@derives("spell.begins-in-own-segment", on=events.RoundEnded)
def keep_unrecorded_starts(state: OsricState, fact: Occurrence[events.RoundEnded]) -> None:
    """Keep declared spells whose start has no row, since their effects may come in a later round."""
    for who, declared in state.round.said.items():
        casting = casting_as_declared(state, who, name_or_kind(declared.action))
        if casting:
            if all(one is not casting for one in state.castings):
                casting.kept = casting.kept or fact.seq
            state.past[casting.seq] = state.begun[casting.seq] = casting


# ---------------------------------------------------------------- the casting


@derives("spell.casting-time-units")
def casting_time(state: OsricState, who: str, action: Action) -> int:
    """Return a casting time in segments, at least 1: that of the act, else the declared one."""
    time, declared = action.time, spell_declared_as(state, who, action.name)
    if time is None and declared:
        time = declared.time
    length = state.rules.calendar.length(time)
    return max(1, (length and state.rules.calendar.count_units(length, "segment")) or 1)


@derives("spell.start-is-first-segment")
def make_casting(state: OsricState, who: str, action: Action, seq: int, key: Order) -> Casting:
    """Return a casting that begins at a key; the segment of the key is the first of the casting time."""
    declared = declared_spell(state, who)
    unsaid = action.time is None or action.name is None
    first = Point(key.round, segment=key.segment or bool(key.round))  # before the dice: the first of the round
    start, length = segment_number(state, first), casting_time(state, who, action)
    because = Because(make_casting.rules, (seq, *((declared.seq,) if declared and unsaid else ())))
    word = name_or_kind(declared.action if action.name is None and declared else action)
    return Casting(who, word, seq, start, length, because, key=key)


@derives("spell.completes-after-casting-time")
def due_key(state: OsricState, casting: Casting) -> Derived[Order]:
    """Return the key of a spell's effect: the start of the segment after the last one occupied."""
    due, start = Derived(casting.last + 1, casting.because), casting.start
    carried = point_of.rules if casting.last // SEGMENTS > start // SEGMENTS else ()
    if start <= 0:
        because = Because((*due_key.rules, *surprise_due_key.rules, *carried), (), (due, play_reason(state)))
        return Derived(surprise_due_key(state, casting.last), because)
    because = Because((*due_key.rules, *carried), (), (due,))
    if state.option("effect-segment") == "last-casting-segment":
        return Derived(Order.at(point_of(state, casting.last), END), because)
    return Derived(Order.at(point_of(state, due.value), _band_of_effect(state)), because)


@derives("surprise.spell-fits-or-runs-on", "surprise.round-action-in-a-segment")
def surprise_due_key(state: OsricState, last: int) -> Order:
    """Return the key for the effect of a spell begun in surprise: at the end of its last segment, or in the next."""
    if last <= 0 and state.option("surprise-spell") == "end-of-last-segment":
        return Order.at(point_of(state, last), END)
    return Order.at(point_of(state, last + 1), _band_of_effect(state))


def _band_of_effect(state: OsricState) -> int:
    """Return the band of an effect in the segment after its casting: the end, if it can be spoiled until then."""
    return END if state.option("spoil-window") == "through-effect" else START


def begin_casting(state: OsricState, who: str, action: Action, seq: int, key: Order) -> None:
    """Begin a casting; a wound of the same segment spoils it in either order."""
    casting = make_casting(state, who, action, seq, key)
    casting.barred = incident_before_start(state, who, key.point) is not None
    keep_casting(state, casting)
    if spell_declared_as(state, who, action.name):
        state.begun.setdefault(state.round.said[who].seq, casting)
    _disturb_by_wounds(state, casting)


def keep_casting(state: OsricState, casting: Casting) -> None:
    """Keep a casting as the last of its caster, and forget an earlier one that may be over."""
    if casting.who in state.unsure:  # its earlier spell is over
        state.castings = [one for one in state.castings if one.who != casting.who]
        if state.unsure[casting.who] < casting.start:
            del state.unsure[casting.who]
    state.castings.append(casting)
    state.latest[casting.who] = state.begun[casting.seq] = casting


def _disturb_by_wounds(state: OsricState, casting: Casting) -> None:
    casting.asked += state.round.touched.get(casting.who, ())
    for wound in state.round.wounds.get(casting.who, ()):
        casting.incidents.append(wound)


@derives("spell.begins-in-own-segment")
def casting_as_declared(state: OsricState, who: str, name: str | None) -> Casting | None:
    """Return the casting of a declared spell; one whose start has no row begins in its caster's own segment, and later wounds spoil it."""
    action = spell_declared_as(state, who, name)
    if action is None:
        return None
    declared = state.round.said[who]
    if declared.seq in state.begun:
        return state.begun[declared.seq]
    own = own_key(state, state.combatants[who], action)
    key = own.value or Order(state.clock.point.round, 0)
    casting = make_casting(state, who, action, declared.seq, key)
    casting.because = Because(of=(casting.because, own))
    if declared.withdrawn:
        work.give_up_work(casting, declared.withdrawn, casting.start, Because(withdraw_spell.rules), key)
    _disturb_by_wounds(state, casting)
    return casting


@derives("declare.spell-may-be-given-up", on=events.ActionAbandoned)
def withdraw_spell(state: OsricState, fact: Occurrence[events.ActionAbandoned]) -> None:
    """Withdraw a spell under way, or a declaration; before the dice a withdrawn declaration is removed."""
    who, name = fact.event.combatant, fact.event.name
    begun = [one for one in state.castings if one.who == who and is_same(name, one.name)]
    for casting in begun:
        tick = segment_number(state, fact.point)
        work.give_up_work(casting, fact.seq, tick, Because(withdraw_spell.rules), Order.at(fact.point, END))
    if not begun:
        late = bool(state.round.dice)
        taken = withdraw(state.round.said, who, name, fact.seq, late=late)
        state.round.taken_back += [fact.seq] if taken and not late else []


# ---------------------------------------------------------------- its status


def ending_incident(state: OsricState, casting: Casting) -> Derived[Incident | None]:
    """Return the incident that ended a casting; None while it is under way."""
    return work.ending_incident(casting, lambda _, incident: why_spoiled(state, casting, incident))


def casting_status(state: OsricState, casting: Casting) -> Derived[str]:
    """Return the status of a casting: begun, done, spoiled, withdrawn or lost."""
    ended = ending_incident(state, casting)
    because = Because((), (), (ended, due_key(state, casting), *casting.asked))
    return Derived(ended.value.ends if ended.value else BEGUN, because)


def is_begun(state: OsricState, casting: Casting) -> bool:
    """Return whether a casting is under way."""
    return ending_incident(state, casting).value is None


@derives(SPOILING)
def why_spoiled(state: OsricState, casting: Casting, incident: Incident) -> Because | None:
    """Return why an incident spoils a casting: it comes within the window for that, which ends before the effect; else None."""
    if incident.place >= due_key(state, casting).value or incident.tick < window_start(state, casting):
        return None
    return Because(why_spoiled.rules, (), (incident.because,))


def window_start(state: OsricState, casting: Casting) -> int:
    """Return the first segment, counted through, in which a casting can be spoiled."""
    how = state.option("spoil-from")
    if how == "round-start" and casting.key.round:
        return segment_number(state, Point(casting.key.round, segment=1))
    return casting.start + (how == "next-segment")


def current_casting(state: OsricState, who: str) -> Casting | None:
    """Return the spell that a combatant is casting: the last one that it began, unless that is over."""
    last = state.latest.get(who)
    return last if last and is_begun(state, last) else None


@derives("spell.start-is-first-segment", SPOILING)
def spell_being_cast(state: OsricState, one: Combatant) -> tuple[str, Because]:
    """Return the spell that a combatant is casting, with the reason: this game's counterpart of concentration."""
    last = state.latest.get(one.id)
    if last is None:
        return "", Because(spell_being_cast.rules, (one.joined,))
    return last.name if is_begun(state, last) else "", casting_status(state, last).because


def earlier_casting(state: OsricState, who: str, key: Order) -> Casting | None:
    """Return a casting from an earlier round or surprise segment that occupies a combatant at a key; an overdue one does not."""
    waits = state.option("after-long-spell") == "no-action"
    found = None
    for one in state.castings:
        before = one.key.round < key.round or (key.round == 0 and one.key.segment < key.segment)
        if one.who != who or not before:
            continue
        due = due_key(state, one).value
        if not is_begun(state, one):
            found = one
        elif key < due or (waits and due.round == key.round):
            return one
    return found


def incident_before_start(state: OsricState, who: str, point: Point) -> Incident | None:
    """Return the incident that spoiled a declared spell before its start, if an option opens the window with the round."""
    now, wounds = segment_number(state, point), state.round.wounds.get(who, ()) if point.round else ()
    found = next((each for each in wounds if each.tick <= now or not point.segment), None)
    return found if found and state.option("spoil-from") == "round-start" else None


FULFILS = (events.EffectStarted, events.DamageDealt, events.Healed, events.ConditionGained)
"""Facts that can be the effect of a casting."""


@derives("spell.completes-after-casting-time", on=FULFILS)
def complete_casting(state: OsricState, fact: "Reading[events.Fact]") -> None:
    """Complete the casting of an effect."""
    casting = fact.casting
    if casting is None:
        _mark_due_as_unsure(state, fact)
        return
    state.touched.add(casting.who)
    place, point = due_key(state, casting), moment_of_effect(state, fact)
    due = place.value
    for effect in (each for each in state.effects.values() if each.seq == fact.seq):
        effect.of += (Because(options=place.because.options),)
    key = due if is_timely(state, casting, fact) else Order.at(point, due.band)
    begun = is_begun(state, casting)
    state.round.keys[fact.seq] = key
    if begun or isinstance(fact.event, events.EffectStarted):
        state.round.seen[fact.seq], state.round.timed[fact.seq] = casting, reason_of_moment(state, fact)
    if (begun or casting.seq not in state.begun) and all(one is not casting for one in state.castings):
        keep_casting(state, casting)
    because = Because(complete_casting.rules, of=(why_effect(state, fact),))
    work.complete_work(casting, fact.seq, segment_number(state, point), because, key)


def _mark_due_as_unsure(state: OsricState, fact: "Reading[events.Fact]") -> None:
    """Mark casters whose spell is due as unsure, if an outcome without a cause may be the effect of the spell."""
    if isinstance(fact.event, events.EffectStarted):  # one without a source may be that of several castings: all go on
        those = [one for one in state.castings if is_same(fact.event.effect, one.name) and is_begun(state, one)]
        for casting in those if len(those) > 1 and fact.event.source is None else ():
            casting.asked += (Because((), (fact.seq,), tuple(one.because for one in those if one is not casting)),)
        return
    if fact.cause:
        return
    here, source = Order.at(state.clock.point, END), fact.who
    for one in state.castings:
        if source in ("", one.who) and due_key(state, one).value <= here and ending_incident(state, one).value is None:
            state.unsure[one.who] = state.reached


def moment_of_effect(state: OsricState, fact: "Reading[events.Fact]") -> Point:
    """Return the moment of an effect: its recorded segment, else now, which is after the start of its casting."""
    return fact.point if fact.segment is not None else state.clock.point


def is_timely(state: OsricState, casting: Casting, fact: "Reading[events.Fact]") -> bool:
    """Return whether an effect is recorded in the segment in which it is due, or without one in that round."""
    due, point = due_key(state, casting).value, moment_of_effect(state, fact)
    unplaced = point.segment == 0 and fact.segment is None
    return due.round == point.round and (unplaced or not casting.key.segment or due.segment == point.segment)


def casting_of_effect(state: OsricState, fact: "Reading[events.Fact]") -> Casting | None:
    """Return the casting of an effect: the one that its cause names, else one of its source by the name of an effect or
    condition, and for damage or healing by the segment in which the spell is due.
    """
    event = fact.event
    if fact.cause:
        caused = _casting_in_causes(state, fact)
        if caused or not isinstance(event, events.EffectStarted):
            return caused
    name = getattr(event, "effect", None) or getattr(event, "condition", None)
    if name is None and fact.fact.doubtful:
        return None
    source = fact.who or (_only_caster(state, event.effect) if isinstance(event, events.EffectStarted) else "")
    if name is None:  # of several, one whose start has a row, else one that is under way, and of those the first
        rows, due = {one.seq for one in state.castings}, _castings_due_now(state, source, fact)
        return max(due, key=lambda one: (one.seq in rows, is_begun(state, one)), default=None)
    known = _castings_named(state, source, name)
    return known[-1] if known else None


def why_effect(state: OsricState, fact: "Reading[events.Fact]") -> Because:
    """Return why an effect is that of its casting: what kept this, when it comes, others of its source or name."""
    casting, event = fact.casting, fact.event
    if casting is None:
        return NOTHING_CITED
    kept = (casting.kept,) if casting.kept else ()
    name = getattr(event, "effect", None) or getattr(event, "condition", None)
    if fact.cause and (name is None or _casting_in_causes(state, fact)):
        return Because((), kept)
    if name is None:
        others = [one for one in _castings_due_now(state, fact.who, fact) if one.seq != casting.seq]
        those = (due_key(state, casting), reason_of_moment(state, fact))
        return Because((), kept, (*those, *(casting_status(state, one) for one in others)))
    others = [] if fact.who else [one for one in state.castings if one is not casting and is_same(name, one.name)]
    return Because((), kept, tuple(casting_status(state, one) for one in others))


def reason_of_moment(state: OsricState, fact: "Reading[events.Fact]") -> Because:
    """Return the record that set the clock, as a reason for the moment of an effect that gives none itself."""
    timed = 0 if fact.segment is not None else state.clock.segment_event
    return Because((), (timed,) if timed else ())


def _castings_named(state: OsricState, who: str, name: str | None) -> list[Casting]:
    """Return a combatant's castings of this name (None: any), the likeliest last."""
    known = (*state.past.values(), casting_as_declared(state, who, name), *state.castings)
    return [one for one in known if one and one.who == who and is_same(name, one.name)]


def _only_caster(state: OsricState, name: str) -> str:
    casters = [one.who for one in state.castings if is_same(name, one.name) and is_begun(state, one)]
    return casters[0] if len(casters) == 1 else ""


def _casting_in_causes(state: OsricState, fact: "Reading[events.Fact]") -> Casting | None:
    """Return the casting, begun or only declared, in the chain of a fact's causes."""
    chain = takewhile(lambda each: getattr(each.event, "cause", None), causes(state, fact.cause))
    for seq in (fact.cause, *(each.cause for each in chain)):
        if seq in state.begun:
            return state.begun[seq]
        if seq not in state.moments:  # a declaration has none
            said = {declared.seq: (who, name_or_kind(declared.action)) for who, declared in state.round.said.items()}
            return casting_as_declared(state, *said[seq]) if seq in said else None
    return None


def _castings_due_now(state: OsricState, source: str, fact: "Reading[events.Fact]") -> list[Casting]:
    point = moment_of_effect(state, fact)
    now, those = Point(point.round, segment=point.segment), _castings_named(state, source, None)
    return [one for one in those if due_key(state, one).value.point == now]
