"""Surprise: for how many segments each combatant is surprised before the first round."""

from collections.abc import Iterable

from msgspec import structs

from eventstore.events import RoundStarted, RulingMade, SurpriseRolled, SurpriseSettled
from projections.because import Because, Derived
from projections.fight import Combatant, Ruled
from projections.mechanics.grants import has_grant
from projections.mechanics.memo import memoize
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.state import SEGMENTS, OsricState, Settled, SurpriseDie
from projections.time import Point

ONCE = "surprise.checked-once"


def specific_rulings(rulings: Iterable[Occurrence[RulingMade]]) -> list[Occurrence[RulingMade]]:
    """Return the rulings that name a rule, an act or an event, and not only a combatant."""
    return [fact for fact in rulings if fact.event.rule or fact.event.subject or fact.event.event]


def grants_die(state: OsricState, rule: str, side: str, said: tuple[str, ...]) -> Derived[bool]:
    """Return whether a ruling since the round began grants a die to a side or one of its members."""
    who = (side, *(one.id for one in state.combatants.values() if one.side == side))
    return has_grant(specific_rulings(state.rulings_since(state.clock.round_event)), rule, who=who, said=said)


def may_roll_again(state: OsricState, side: str) -> Derived[bool]:
    """Return whether a ruling grants a side another surprise die."""
    return grants_die(state, ONCE, side, ("surprise", "surprise die", "another surprise die", "second surprise die"))


@derives(ONCE, on=SurpriseRolled, phase="reading")
def keep_surprise_die(state: OsricState, fact: Occurrence[SurpriseRolled]) -> None:
    """Keep a side's surprise die; the first one stands unless a ruling grants another."""
    event, before = fact.event, state.surprise.get(fact.event.side)
    granted = may_roll_again(state, event.side) if before else None
    if before and granted and not granted.value:
        state.surprise[event.side] = structs.replace(before, again=True)
    else:
        because = granted.because.events if granted else ()
        state.surprise[event.side] = SurpriseDie(face(event.die), fact.seq, because, event.surprised_on)


@derives("surprise.alerted-side-does-not-roll", on=SurpriseSettled, phase="reading")
def settle_surprise(state: OsricState, fact: Occurrence[SurpriseSettled]) -> None:
    """Settle the surprise of sides without a die: only the combatants that the fact names are surprised."""
    for side in fact.event.sides or tuple(state.sides):
        state.settled.setdefault(side, Settled(fact.event.surprised, fact.seq))


@derives("surprise.special-rules")
def set_surprise(state: OsricState, who: str, value: int | str, seq: int) -> None:
    """Keep the segments for which a ruling surprises a combatant, or a side before Dexterity; `none` removes it."""
    if isinstance(value, str):
        state.ruled_surprise.pop(who, None)
    else:
        state.ruled_surprise[who] = Ruled(max(0, value), seq)


@derives("surprise.special-rules", "surprise.cannot-be-surprised", "surprise.wider-threshold")
def surprise_threshold(state: OsricState, one: Combatant) -> int:
    """Return the highest die that surprises a combatant: its own number, else that of its side (2 unless recorded)."""
    own = one.sheet.surprised_on
    return side_threshold(state, one.side) if own is None else int(own)


@derives("surprise.wider-threshold")
def side_threshold(state: OsricState, side: str) -> int:
    """Return the highest die that surprises a side: the one recorded with its die, or a higher one of its opponents' sheets."""
    rolled = state.surprise.get(side)
    recorded = rolled.surprised_on if rolled else 2
    return max(recorded, *(int(one.sheet.surprises_on) for one in stealthy(state, side)), 0) if recorded else 0


def stealthy(state: OsricState, side: str) -> list[Combatant]:
    """Return the opponents of a side whose sheets say with which dice they surprise."""
    return [one for one in state.combatants.values() if one.side != side and one.sheet.surprises_on is not None]


@derives("surprise.die")
def segments_by_die(state: OsricState, one: Combatant) -> int:
    """Return for how many segments the die surprises a combatant: its number, if that is within the threshold."""
    settled, ruled = state.settled.get(one.side), state.ruled_surprise.get(one.side)
    if ruled:
        return int(ruled.value)
    if settled:
        return 1 if {one.id, one.side} & {*settled.surprised} else 0
    rolled = state.surprise.get(one.side)
    return rolled.face if rolled and 1 <= rolled.face <= surprise_threshold(state, one) else 0


@derives("surprise.dexterity-shortens", "surprise.dexterity-lengthens")
def segments_surprised(state: OsricState, one: Combatant) -> int:
    """Return for how many segments a combatant is surprised: those of the die, less its bonus or plus its penalty."""
    if ruled := state.ruled_surprise.get(one.id):
        return int(ruled.value)
    drawn = segments_by_die(state, one)
    return max(0, drawn - int(one.sheet.surprise_bonus)) if drawn else segments_by_penalty(state, one)


@derives("surprise.dexterity-never-creates")
def segments_by_penalty(state: OsricState, one: Combatant) -> int:
    """Return the segments by which a penalty surprises a combatant whom the die does not: by option, else none."""
    penalty = max(0, -int(one.sheet.surprise_bonus))
    counts = penalty and surprise_threshold(state, one) > 0
    return penalty if counts and state.option("dexterity-penalty") == "creates" else 0


@derives("surprise.length-of-play", "surprise.none-goes-to-round")
def number_of_segments(state: OsricState) -> int:
    """Return the number of surprise segments: the longest surprise of any combatant."""
    if ruled := state.ruled.get("surprise.length"):
        return int(ruled.value)
    return state.length_of_play if state.first_round else _longest_surprise(state)


@memoize
def _longest_surprise(state: OsricState) -> int:
    return max([0, *(segments_surprised(state, one) for one in state.combatants.values())])


@derives("surprise.length-of-play", on=RoundStarted)
def fix_number_of_segments(state: OsricState, fact: Occurrence[RoundStarted]) -> None:
    """Fix the number of surprise segments as the first round opens."""
    if not state.first_round:
        state.first_round, state.length_of_play = fact.seq, number_of_segments(state)


LISTED = 100
"""The highest number of surprise segments that are listed; a recorded die may show any number."""


def segments_from(state: OsricState, first: int = 1) -> range:
    """Return the surprise segments from a first one on, limited to `LISTED`."""
    return range(first, number_of_segments(state) + 1)[:LISTED]


@derives("surprise.who-may-act", "surprise.overlap-is-idle")
def is_free(state: OsricState, one: Combatant, segment: int) -> bool:
    """Return whether a combatant may act in a surprise segment: its own surprise is over."""
    return segments_surprised(state, one) < segment


def length_reason(state: OsricState, one: Combatant) -> Because:
    """Return why a combatant is surprised for so long: the die or the fact that settled it, the sheet, a ruling, the option."""
    if ruled := state.ruled_surprise.get(one.id):
        return Because(set_surprise.rules, (one.joined,), (ruled,))
    rolled, settled = state.surprise.get(one.side), state.settled.get(one.side)
    if ruled := state.ruled_surprise.get(one.side):
        return Because((*_dexterity_rules(state, one), *set_surprise.rules), (one.joined,), (ruled,))
    surprised = bool(segments_surprised(state, one))
    settling = (settled.seq,) if settled and (surprised or rolled) else ()
    by_stealth = [each.joined for each in stealthy(state, one.side)] if one.sheet.surprised_on is None else []
    events = {one.joined, *settling, *(rolled.events if rolled and surprised and not settled else ()), *by_stealth}
    rules = settle_surprise.rules if settled else (*_threshold_rules(state, one), *segments_by_die.rules)
    return Because((*_dexterity_rules(state, one), *rules), tuple(sorted(events)))


def deciding_events(state: OsricState, side: str) -> tuple[int, ...]:
    """Return the events that decided the surprise of a side: a settlement, else its die; none if a ruling decided it."""
    settled, rolled = state.settled.get(side), state.surprise.get(side)
    if side in state.ruled_surprise:
        return ()
    return (settled.seq,) if settled else rolled.events if rolled else ()


def play_reason(state: OsricState) -> Because:
    """Return why surprise play has its length: the ruling on it, else the longest surprises."""
    if ruled := state.ruled.get("surprise.length"):
        return Because(number_of_segments.rules, (), (ruled,))
    longest = number_of_segments(state)
    those = [one for one in state.combatants.values() if longest and segments_surprised(state, one) == longest]
    stand = tuple(seq for die in state.surprise.values() if die.again and not longest for seq in die.events)
    return Because(number_of_segments.rules, (1, *stand), tuple(length_reason(state, one) for one in those))


def _threshold_rules(state: OsricState, one: Combatant) -> tuple[str, ...]:
    own, rolled = one.sheet.surprised_on, state.surprise.get(one.side)
    if own is not None:
        return ("surprise.cannot-be-surprised", "surprise.special-rules") if own == 0 else ("surprise.special-rules",)
    return ("surprise.wider-threshold",) if rolled and side_threshold(state, one.side) != 2 else ()


def _dexterity_rules(state: OsricState, one: Combatant) -> tuple[str, ...]:
    bonus, lengthens = int(one.sheet.surprise_bonus), "surprise.dexterity-lengthens"
    if bonus >= 0:
        return ("surprise.dexterity-shortens",) if bonus else ()
    return (lengthens,) if segments_surprised(state, one) else (*segments_by_penalty.rules, lengthens)


@derives("time.rounds-not-turns")
def segment_number(state: OsricState, point: Point) -> int:
    """Return the number of a segment, counted from 1 in round 1 without a break; the last surprise segment is 0."""
    if point.round == 0:
        return point.segment - number_of_segments(state)
    return SEGMENTS * (point.round - 1) + point.segment


@derives("spell.carries-into-next-round")
def point_of(state: OsricState, segment: int) -> Point:
    """Return the round and segment of a number that `segment_number` gives."""
    if segment <= 0:
        return Point(segment=segment + number_of_segments(state))
    return Point(round=(segment - 1) // SEGMENTS + 1, segment=(segment - 1) % SEGMENTS + 1)


@derives("time.rounds-not-turns", "time.round-is-ten-segments")
def seconds_elapsed(state: OsricState) -> Derived[int]:
    """Return the seconds since round 1 began, at the end of the latest segment of a row; surprise lies before 0."""
    now, highest, runs = state.clock.point, state.round.highest, state.clock.open
    segment = SEGMENTS if now.round and not runs else max(now.segment, highest)
    row = tuple(state.round.highest_by) if highest > now.segment else ()
    rules = seconds_elapsed.rules[::-1] if now.round and runs and segment else seconds_elapsed.rules
    play = () if now.round else (play_reason(state),)
    clock = (state.clock.round_event,) if row and now.round and runs else state.clock.events
    return Derived(6 * segment_number(state, Point(now.round, segment=segment)), Because(rules, (*clock, *row), play))


def segments_of_side(state: OsricState, side: str) -> Derived[int]:
    """Return for how many segments the die surprises a side, without Dexterity and thresholds of its members."""
    if ruled := state.ruled_surprise.get(side):
        return Derived(int(ruled.value), Because(set_surprise.rules, (1,), (ruled,)))
    unruled = [each for each in state.here() if each.id not in state.ruled_surprise]
    members = tuple(length_reason(state, each) for each in unruled if each.side == side)
    rolled = state.surprise.get(side)
    most, by = side_threshold(state, side), tuple(each.joined for each in stealthy(state, side))
    shown = rolled.face if rolled and side not in state.settled and 1 <= rolled.face <= most else 0
    return Derived(shown, Because((), (1, *deciding_events(state, side), *by), members))
