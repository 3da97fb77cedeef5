"""Surprise: who is caught off guard for how many segments, before the first round."""

from eventstore.events import RoundStarted, RulingMade, SurpriseRolled, SurpriseSettled
from eventstore.shapes import Dice, Die
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.osric.state import SEGMENTS, OsricState, Rolled, Settled
from projections.rulesets.ruleset import derives
from projections.state import Combatant
from projections.time import Point


def face(die: Die) -> int:
    """Return what a die shows, the kept dice added up."""
    if isinstance(die, Dice):
        return sum(shown for place, shown in enumerate(die.faces) if place not in die.dropped)
    return die


ONCE, EACH_ROUND = "surprise.checked-once", "initiative.d6-each-side"


def granted(state: OsricState, rule: str, who: str) -> bool:
    """Say whether a ruling since the round began grants somebody an exception from a rule.

    It names the rule, its section or who it is for; one that names nothing counts for dice.
    """
    since, (section, _, _) = state.clock.round_event, rule.partition(".")
    for fact in state.rulings:
        event, subject = fact.event, (fact.event.subject or "").casefold()
        named = {*event.combatants, *(one.side for one in state.combatants.values() if one.id in event.combatants)}
        if event.ruling != "grant" or fact.seq < since or (named and who not in named):
            continue
        unnamed = not (subject or event.event or event.values) and rule in (ONCE, EACH_ROUND)
        if event.rule == rule or (event.rule is None and (unnamed or section in subject or who == subject)):
            return True
    return False


@derives("surprise.checked-once", on=SurpriseRolled)
def surprise_die_falls(state: OsricState, fact: Occurrence[SurpriseRolled]) -> None:
    """Keep a side's surprise die; the first one stands unless a ruling grants another."""
    event = fact.event
    if event.side not in state.surprise or granted(state, ONCE, event.side):
        state.surprise[event.side] = Rolled(face(event.die), fact.seq, event.surprised_on)


@derives("surprise.alerted-side-does-not-roll", on=SurpriseSettled)
def surprise_is_settled(state: OsricState, fact: Occurrence[SurpriseSettled]) -> None:
    """Let sides be surprised, or not, without a die: only those who are named are."""
    for side in fact.event.sides or tuple(state.sides):
        state.settled.setdefault(side, Settled(fact.event.surprised, fact.seq))


@derives("surprise.special-rules", on=RulingMade)
def ruling_surprises(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling say for how many segments a combatant is surprised (`rex.surprise`), or a side before Dexterity."""
    for address, value in (fact.event.values or {}).items() if fact.event.ruling == "override" else ():
        who, _, field = address.partition(".")
        if field == "surprise" and type(value) is int:
            state.ruled_surprise[who] = (max(0, value), fact.seq)


@derives("surprise.special-rules", "surprise.cannot-be-surprised", "surprise.wider-threshold")
def threshold(state: OsricState, one: Combatant) -> int:
    """Return the highest die that surprises a combatant: its own number, else that of its side (2 unless recorded)."""
    if one.sheet.surprised_on is not None:
        return int(one.sheet.surprised_on)
    rolled = state.surprise.get(one.side)
    return rolled.surprised_on if rolled else 2


@derives("surprise.die")
def base(state: OsricState, one: Combatant) -> int:
    """Return for how many segments the die surprises a combatant: as many as it shows, if that surprises at all."""
    settled = state.settled.get(one.side)
    if one.side in state.ruled_surprise:
        return state.ruled_surprise[one.side][0]
    if settled:
        return 1 if one.id in settled.surprised or one.side in settled.surprised else 0
    rolled = state.surprise.get(one.side)
    if rolled is None or not 1 <= rolled.face <= threshold(state, one):
        return 0
    return rolled.face


@derives("surprise.dexterity-shortens")
def length(state: OsricState, one: Combatant) -> int:
    """Return for how many surprise segments a combatant is surprised, its bonus taken off or its penalty added."""
    if one.id in state.ruled_surprise:
        return state.ruled_surprise[one.id][0]
    drawn = base(state, one)
    bonus = int(one.sheet.surprise_bonus)
    return max(0, drawn - bonus) if drawn and bonus > 0 else drawn + penalty(state, one, drawn)


@derives("surprise.dexterity-lengthens", "surprise.dexterity-never-creates")
def penalty(state: OsricState, one: Combatant, drawn: int) -> int:
    """Return the segments that a penalty adds: to surprise that the die brought, not to none."""
    segments = max(0, -int(one.sheet.surprise_bonus))
    if drawn:
        return segments
    creates = state.option("dexterity-penalty") == "creates" and threshold(state, one) > 0
    return segments if creates else 0


@derives("surprise.length-of-play", "surprise.none-goes-to-round")
def length_of_play(state: OsricState) -> int:
    """Return the number of surprise segments: the longest surprise of anyone; none if nobody is surprised."""
    if state.length_of_play is not None:
        return state.length_of_play
    return max((length(state, one) for one in state.combatants.values()), default=0)


@derives("surprise.length-of-play", on=RoundStarted)
def surprise_is_over(state: OsricState, _fact: Occurrence[RoundStarted]) -> None:
    """Fix the number of surprise segments as the first round opens."""
    state.length_of_play = length_of_play(state)


LISTED = 100
"""So many surprise segments are listed at most; a die may show any number, and each is used as it stands."""


def listed(state: OsricState, first: int = 1) -> range:
    """Return the surprise segments from one on, as far as they are listed."""
    return range(first, min(length_of_play(state), first + LISTED - 1) + 1)


@derives("surprise.who-may-act", "surprise.overlap-is-idle")
def free(state: OsricState, one: Combatant, segment: int) -> bool:
    """Say whether a combatant may act in a surprise segment: its own surprise is over, and play still goes on."""
    return length(state, one) < segment <= length_of_play(state)


def because_length(state: OsricState, one: Combatant) -> Because:
    """Say why a combatant is surprised for so long: the die or what settled it, the sheet, the option."""
    if one.id in state.ruled_surprise:
        return Because(ruling_surprises.rules, (one.joined, state.ruled_surprise[one.id][1]))
    rolled, settled = state.surprise.get(one.side), state.settled.get(one.side)
    if one.side in state.ruled_surprise:
        rules = (*_by_dexterity(state, one), *ruling_surprises.rules)
        return Because(rules, (one.joined, state.ruled_surprise[one.side][1]))
    events = {one.joined, *(each.seq for each in (rolled, settled) if each)}
    rules = surprise_is_settled.rules if settled else (*_special(state, one), *base.rules)
    options = state.chosen("dexterity-penalty") if one.sheet.surprise_bonus < 0 else {}
    return Because((*_by_dexterity(state, one), *rules), tuple(sorted(events)), options)


def _special(state: OsricState, one: Combatant) -> tuple[str, ...]:
    """Return the rules of the threshold, the one that counts first."""
    special, never, wider = threshold.rules
    own, rolled = one.sheet.surprised_on, state.surprise.get(one.side)
    if own is not None:
        return (never, special) if own == 0 else (special,)
    return (wider,) if rolled and rolled.surprised_on != 2 else ()


def _by_dexterity(state: OsricState, one: Combatant) -> tuple[str, ...]:
    """Return the rule by which Dexterity changes a length, or leaves it as it is."""
    bonus = int(one.sheet.surprise_bonus)
    if bonus > 0:
        return length.rules
    lengthens, never_creates = penalty.rules
    return () if not bonus else (lengthens,) if length(state, one) else (never_creates, lengthens)


@derives("time.rounds-not-turns")
def counted_through(state: OsricState, point: Point) -> int:
    """Return a segment counted from segment 1 of round 1 on; the last surprise segment is 0."""
    if point.round == 0:
        return point.segment - length_of_play(state)
    return SEGMENTS * (point.round - 1) + point.segment


@derives("spell.carries-into-next-round")
def point_of(state: OsricState, segment: int) -> Point:
    """Return the round and segment of a segment counted through."""
    if segment <= 0:
        return Point(segment=segment + length_of_play(state))
    return Point(round=(segment - 1) // SEGMENTS + 1, segment=(segment - 1) % SEGMENTS + 1)


@derives("time.rounds-not-turns", "time.round-is-ten-segments")
def seconds(state: OsricState) -> int:
    """Return the seconds since round 1 began, at the end of the latest segment of a row; surprise lies before 0."""
    now = state.clock.point
    segment = max(now.segment, state.highest)
    if now.round == 0:
        return 6 * (segment - length_of_play(state))
    return 60 * now.round if not state.clock.open else 60 * (now.round - 1) + 6 * segment


def side_length(state: OsricState, side: str) -> int:
    """Return for how many segments the die surprises a side, nobody's Dexterity or own threshold counted."""
    if side in state.ruled_surprise:
        return state.ruled_surprise[side][0]
    rolled = state.surprise.get(side)
    surprised = rolled is not None and side not in state.settled and 1 <= rolled.face <= rolled.surprised_on
    return rolled.face if rolled and surprised else 0
