"""Turns and rounds: initiative, ties, latecomers, surprise, boundaries, who is due, and the acts that move the clock."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain

from msgspec.structs import replace

from eventstore import events
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.folds.moves import STILL, move_to_turn, round_opening, stay_in_turn, with_round_opening
from projections.folds.order import combatants_of_roll
from projections.folds.vitals import status_or_left
from projections.mechanics import rolls, turnlist
from projections.mechanics.dues import owed
from projections.mechanics.grants import has_grant
from projections.mechanics.rolls import fits_sides
from projections.mechanics.timers import Passed
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.ruleset.boundaries import boundaries_of_turn, rounds_as_recorded
from projections.ruleset.durations import boundaries_in_turns
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.fifth_edition.advantage import advantage_word, initiative_influences
from projections.rulesets.fifth_edition.concentration import SAVE
from projections.rulesets.fifth_edition.conditions import exhaustion_level
from projections.rulesets.fifth_edition.death import owed_death_save
from projections.rulesets.fifth_edition.deeds import OUT_OF_TURN, REACTIONS, act_cost
from projections.rulesets.fifth_edition.rolls import has_wrong_face, kept_face
from projections.rulesets.fifth_edition.state import FifthState, Initiative
from projections.scheduling.turn_schedule import combatants_waiting, turn_list, update_turn_list
from projections.time import Boundary

TOTAL = ("initiative.dexterity-check",)


@derives("surprise.gm-decides", on=events.SurpriseSettled, phase="reading")
def keep_surprised(state: FifthState, fact: Occurrence[events.SurpriseSettled]) -> None:
    """Keep the combatants recorded as surprised, by name or as a whole side."""
    for one in state.here():
        if one.id in fact.event.surprised or one.side in fact.event.surprised:
            state.surprised[one.id] = fact.seq
            state.touched.add(one.id)
        elif not fact.event.sides or one.side in fact.event.sides:
            _end_surprise(state, one.id, Because(keep_surprised.rules, (fact.seq,)))


@derives("surprise.first-turn-lost", "surprise.no-reaction", at="turn ended")
def end_surprise_by_turn(state: FifthState, turn: Boundary) -> None:
    """End the surprise of a combatant with its first turn."""
    _end_surprise(state, turn.who, Because(end_surprise_by_turn.rules, (state.began.get(turn.who, turn.seq), turn.seq)))


def _end_surprise(state: FifthState, who: str, why: Because) -> None:
    if seq := state.surprised.pop(who, 0):
        state.touched.add(who)
        state.ended["surprised", who] = Because(why.rules, (seq, *why.events))


@derives("surprise.gm-decides")
def is_surprised(state: FifthState, who: str) -> Derived[bool]:
    """Return whether a combatant is surprised."""
    seq, over = state.surprised.get(who), state.why_over("surprised", who)
    return Derived(seq is not None, Because(is_surprised.rules, (seq or state.combatants[who].joined,), over))


def tied_with(state: FifthState, who: str) -> list[str]:
    """Return the combatants with the same total, this one included, in the order of joining."""
    totals = {each: roll.total for each, roll in state.rolls.items()}
    return [each for each in state.combatants if each in totals and totals[each] == totals.get(who)]


@derives("initiative.ties-decided")
def tie_break_key(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the key of a combatant among the tied: by ruling, by option, by the turns taken."""
    level, how = tied_with(state, who), state.option("initiative-tie")
    by = [-state.rolls[who].bonus] if how == "higher-bonus" else []
    if how == "roll-off":
        by = [rank for rank, part in enumerate(rolls.tied_groups(state.ties, level)) if who in part]
    ruled = state.ties.ruled.get(who, ())
    return not ruled, *ruled, *by, state.took.get(who, (len(state.took),))[0]


def controlled_mounts(state: FifthState) -> dict[str, str]:
    """Return the mounts that are or were controlled, each with its rider, whose initiative it has from then on."""
    return {mount: rider for mount, (rider, _) in state.led.items() if rider in state.rolls}


@derives("initiative.highest-first", "initiative.order-fixed", "mount.controlled")
def ranked_groups(state: FifthState) -> list[list[str]]:
    """Return the combatants with a place, highest total first, groups together, controlled mounts with their riders."""
    mounts = controlled_mounts(state)
    groups: dict[object, list[str]] = {}
    for who, one in state.combatants.items():
        if who in state.rolls and who not in mounts:
            roll = state.rolls[who]
            groups.setdefault(roll.events if roll.shared else one.joined, []).append(who)

    def place(group: list[str]) -> tuple[object, ...]:
        joined = min(state.place_of(state.combatants[who].joined) for who in group)
        return -state.rolls[group[0]].total, min(tie_break_key(state, who) for who in group), joined

    found = sorted(groups.values(), key=place)
    return [[each for who in group for each in (who, *(m for m, r in mounts.items() if r == who))] for group in found]


@derives("initiative.highest-first", "initiative.ties-decided")
def order_values(state: FifthState, who: str) -> Derived[Fields | None]:
    """Return the values by which a combatant is sorted; a controlled mount has the roll of its rider."""
    rolls_as = controlled_mounts(state).get(who, who)
    roll = state.rolls.get(rolls_as)
    if roll is None:
        return Derived(None, Because(("initiative.highest-first",), _order_ruling(state)))
    parts = {"total": roll.total, "joined": state.combatants[who].joined}
    mounted = Derived(parts, why_seated(state, who))
    level = tied_with(state, rolls_as)
    if len(level) == 1:
        return Derived(parts, Because(("initiative.highest-first",), roll.events, (mounted,)))
    took = (state.took[each][1] for each in level if each in state.took)
    tied = Derived(parts, Because((), (*took, *rolls.tie_records(state.ties, level))))
    of: tuple[Cites, ...] = (tied, mounted, *(status_or_left(state.combatants[each]) for each in level))
    rules = ("initiative.highest-first", "initiative.ties-decided")
    state.option("initiative-tie")  # by it they stand one above the other
    return Derived(parts, Because(rules, roll.events, of))


def why_seated(state: FifthState, who: str) -> Because:
    """Return the reason why a combatant rides or is ridden, or no longer does or is."""
    mounted = {rider: each.seq for rider, each in state.mounts.items() if who in (rider, each.who)}
    stays = (state.ended.get(("mount", rider)) for rider in mounted)
    whys = [*filter(None, (state.unseated_by.get(who), state.rider_gone.get(who), *stays))]
    events = (*mounted.values(), *(seq for why in whys for seq in why.events))
    return Because((), events, options=dict(chain(*(why.options.items() for why in whys))))


def _order_ruling(state: FifthState) -> tuple[int, ...]:
    return state.ruled_order[:1] if state.ruled_order else ()


def place_records(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records that give a combatant its place: a ruling on the order, else its roll or that of its rider."""
    return _order_ruling(state) or order_values(state, who).because.events


@derives("initiative.dexterity-check", "surprise.disadvantage")
def initiative_total(state: FifthState, who: str, event: events.InitiativeRolled) -> int | None:
    """Return the total of a roll: the die that counts and the bonus; without a die, the recorded total."""
    shown = kept_face(event.die) if event.die is not None else event.check
    if shown is not None:
        return shown + _initiative_bonus(state, who, event)
    return None if event.total is None else int(Decimal(event.total))


def _initiative_bonus(state: FifthState, who: str, event: events.InitiativeRolled) -> int:
    return event.bonus if event.bonus is not None else state.combatants[who].sheet.initiative or 0


@derives(*TOTAL, "initiative.group-one-roll", "initiative.latecomer", on=events.InitiativeRolled, phase="reading")
def keep_initiative(state: FifthState, fact: Occurrence[events.InitiativeRolled]) -> None:
    """Keep a roll for all combatants that share it; of a combatant's two rolls the first counts, unless the other restates it."""
    event = fact.event
    who = combatants_of_roll(state, event)
    if event.tie_with:
        for each in who:
            if (thrown := initiative_total(state, each, replace(event, bonus=0))) is not None:
                rolls.keep_throw(state.ties, each, thrown, fact.seq)
        return
    for each in who:
        total = initiative_total(state, who[0], event)
        if total is not None and (each not in state.rolls or restates_total(state, each, event)):
            group = who if len(who) > 1 else ()
            state.rolls[each] = Initiative(total, _initiative_bonus(state, each, event), (fact.seq,), group)
            if state.started:  # in this round or, by option, in the next
                state.turns.arranged = False
                turnlist.insert_newcomer(turn_list(state), each, fact.seq)
                if state.option("newcomer") == "next-round":
                    state.turns.progress.late[each] = fact.seq
                state.arrives[each] = state.latecomers[each] = fact.seq


@derives("initiative.group-one-roll", "initiative.order-fixed")
def restates_total(state: FifthState, who: str, event: events.InitiativeRolled) -> bool:
    """Say whether a total without a die replaces that of a combatant: before the first turn, and of a group for all of it."""
    shared = state.rolls[who].shared
    return rolls.is_bare_total(event) and not state.started and set(shared) <= set(combatants_of_roll(state, event))


@derives("initiative.latecomer", on=events.CombatantJoined, phase="reading")
def forget_place(state: FifthState, fact: Occurrence[events.CombatantJoined]) -> None:
    """Forget the place of a combatant that joins again."""
    state.led.pop(fact.event.combatant, None)
    state.rolls.pop(fact.event.combatant, None)
    state.took.pop(fact.event.combatant, None)
    state.turns.arranged = False


@derives("initiative.ties-decided", on=events.RulingMade, phase="reading")
def break_tie(state: FifthState, fact: Occurrence[events.RulingMade]) -> None:
    """Rank the combatants that a ruling on a tie names."""
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.ties, fact.event.combatants, fact.seq)


def initiative(state: FifthState, who: str) -> Derived[object]:
    """Return the initiative of a combatant; a controlled mount has that of its rider."""
    rider = controlled_mounts(state).get(who)
    roll = state.rolls.get(rider or who)
    if roll is None:
        one = state.combatants[who]
        left = (status_or_left(one),) if one.left else ()
        return Derived(NOTHING, Because(("initiative.everyone-rolls",), (one.joined,), left))
    if rider:
        mounted = Derived(rider, Because((), (state.led[who][1],)))
        return Derived(roll.total, Because(("mount.controlled",), roll.events, (mounted,)))
    gone = Derived(None, state.rider_gone.get(who, NOTHING_CITED))
    return Derived(roll.total, Because(("initiative.dexterity-check",), roll.events, (gone,)))


def set_initiative(state: FifthState, who: str, value: Json, seq: int) -> None:
    """Set the initiative of a combatant by a ruling."""
    own = state.combatants[who].sheet.initiative or 0
    old = state.rolls.pop(who, Initiative(own, own, ()))
    if value != NOTHING:
        state.rolls[who] = Initiative(value, old.bonus, (*old.events, seq))
    state.turns.arranged = False


@checks_by("surprise.disadvantage", "advantage.two-dice", *TOTAL, on=events.InitiativeRolled)
def initiative_adds_up(state: FifthState, fact: Occurrence[events.InitiativeRolled]) -> Iterator[Fault]:
    """Yield a fault if the wrong die counts, or a total is not the die and the bonus."""
    event, who = fact.event, next(iter(combatants_of_roll(state, fact.event)), "")
    if not who or event.die is None:
        return
    shown = rolls.face(event.die)
    if not fits_sides(event.die, 20):
        yield Fault(TOTAL, f"{who}'s d20 cannot show {shown}", "1 to 20", str(shown))
    elif has_wrong_face(event.die):
        worse = advantage_word(tuple(initiative_influences(state, who))) == "disadvantage"
        rule = "surprise.disadvantage" if worse else "advantage.two-dice"
        says = f"{who} counts the wrong die"
        yield Fault((rule,), says, f"a natural {kept_face(event.die)}", f"a natural {shown}", (fact.seq,))
    elif not event.tie_with:
        yield from sum_faults(state, who, event, shown)


def sum_faults(state: FifthState, who: str, event: events.InitiativeRolled, shown: int) -> Iterator[Fault]:
    """Yield a fault for a total that is not the die and the bonus, and for a bonus that is not the sheet's."""
    one, level = state.combatants[who], exhaustion_level(state, who).value if state.is_new else 0
    own, rest = one.sheet.initiative, None if event.total is None else int(Decimal(event.total)) - shown
    bonus = rest if event.bonus is None else event.bonus
    if rest not in (None, bonus):
        expected = str(shown + (bonus or 0))
        yield Fault(TOTAL, f"{shown} plus {bonus} is {expected}", f"a total of {expected}", f"a total of {event.total}")
    if own is not None and bonus not in (None, own, own - 2 * level):
        expected, found = f"{own:+}", f"{bonus:+}"
        if event.bonus is None:
            expected, found = f"a total of {shown + own}", f"a total of {event.total}"
        yield Fault(TOTAL, f"{who}'s sheet says {own:+}", expected, found, one.records("initiative"))


@checks_by("initiative.group-one-roll", "initiative.order-fixed", on=events.InitiativeRolled)
def nobody_rolls_twice(state: FifthState, fact: Occurrence[events.InitiativeRolled]) -> Iterator[Fault]:
    """Yield a notice for a combatant with a place that rolls again."""
    for who in combatants_of_roll(state, fact.event) if not fact.event.tie_with else ():
        old = state.rolls.get(who)
        same = old and old.shared and initiative_total(state, who, fact.event) == old.total
        if old and not same and not restates_total(state, who, fact.event):
            rule = ("initiative.group-one-roll" if old.shared else "initiative.order-fixed",)
            says, total = f"{who} has an initiative of {old.total} already", f"a total of {old.total}"
            yield Fault(rule, says, total, "another roll", old.events, severity="notice")


@derives("round.ends-after-all", "round.one-turn-each")
def crossed_boundaries(state: FifthState, fact: Occurrence[events.Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses: rounds are the recorded ones or, without any, follow from the turns."""
    event, seq = fact.event, fact.seq
    ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
    if isinstance(event, events.RoundStarted | events.RoundEnded):
        over = turnlist.unpassed_combatants(turn_list(state)) if state.clock.round else ()
        passed = (Boundary("place passed", seq, who) for who in over)
        return (*ended, *passed, *rounds_as_recorded(state, fact))
    if isinstance(event, events.TurnEnded):
        names = with_mounts(state, event.combatant)
        return tuple(Boundary("turn ended", seq, who) for who in names if who in state.turns.running)
    if not isinstance(event, events.TurnStarted):
        return ()
    members = with_mounts(state, event.combatant, *event.together)
    opens, out = not state.rounds_recorded and opens_round(state, members), state.rules.schedule.out(state)
    turns = turn_list(state)
    first = min((turnlist.round_spot(turns, who) for who in members), default=())
    above = turns.order if opens else turnlist.unpassed_combatants(turns)
    gone = tuple(who for who in above if out(who) and turnlist.round_spot(turns, who) < first)
    found = turnlist.Beginning("due", opens, goes_by=gone)
    return (*ended, *boundaries_of_turn(turns, found, members, seq, state.clock.round))


@derives("mount.controlled")
def with_mounts(state: FifthState, *those: str) -> list[str]:
    """Return these combatants, each with the mounts that have its initiative."""
    led = riders_by_mount(state)
    both = (each for who in those for each in (who, *(mount for mount, rider in led.items() if rider == who)))
    return [each for each in dict.fromkeys(both) if each in state.combatants]


@derives("mount.controlled")
def riders_by_mount(state: FifthState) -> dict[str, str]:
    """Return the mounts that have their turn with a rider, which has turns, each with the rider."""
    out = state.rules.schedule.out(state)
    return {mount: rider for mount, rider in controlled_mounts(state).items() if not out(rider)}


def combatants_due(state: FifthState) -> Derived[list[str]]:
    """Return the combatants still due in this round; the dead have no turn, and controlled mounts none of their own."""
    if _is_closed(state):
        return Derived([], Because(opens_round.rules, state.clock.events))
    found = combatants_waiting(state)
    if state.latecomers:
        state.option("newcomer")  # by it they wait for the next round or do not
    rolled = {seq for roll in state.rolls.values() for seq in roll.events}
    mounts = riders_by_mount(state)
    mounted = (state.led[mount][1] for mount in controlled_mounts(state))
    placed = Derived("places", Because((), (*sorted(rolled), *_order_ruling(state), *mounted)))
    waiting = [who for who in found.value if who not in mounts]
    return Derived(waiting, Because((), (), (found, placed, *(status_or_left(one) for one in state.here()))))


def _is_closed(state: FifthState) -> bool:
    return bool(state.clock.round) and not state.clock.open


@derives("round.ends-after-all")
def opens_round(state: FifthState, members: list[str]) -> bool:
    """Say whether a turn opens a round if no rounds are recorded."""
    if _is_closed(state):
        return True
    turns, out, mounts = turn_list(state), state.rules.schedule.out(state), riders_by_mount(state).keys()
    who = next((each for each in members if each not in mounts), "")
    if not turns.rounds or turnlist.is_due(turns, who, out):
        return not turns.rounds
    had = turns.progress.had
    passed = turns.progress.passed_over.keys() | turns.progress.passed.keys()
    waiting = {*turnlist.combatants_due(turns, out)} - passed - mounts
    if waiting or who not in turns.places:
        return False
    above = turnlist.round_spot(turns, who) < min((turnlist.round_spot(turns, each) for each in had), default=())
    return not out(who) or who in had or above


@derives("initiative.ties-decided", "initiative.order-fixed")
def follow_boundary(state: FifthState, boundary: Boundary) -> None:
    """Apply a boundary to the turn list; combatants with an undecided tie keep the order in which they take their turns."""
    if boundary.kind == "turn began" and (state.clock.round or not state.clock.round_event):
        take_rank(state, boundary)
        turns, who = turn_list(state), boundary.who
        if who in turns.places and who not in turns.progress.late:
            for above in turnlist.combatants_due(turns, state.rules.schedule.out(state)):
                if turnlist.round_spot(turns, above) < turnlist.round_spot(turns, who):
                    state.round.jumped.setdefault(above, boundary.seq)
    update_turn_list(state, boundary)


def take_rank(state: FifthState, turn: Boundary) -> None:
    """Keep the rank among the tied that a combatant takes by its turn, after those who had theirs in this round."""
    who, had, settled = turn.who, turn_list(state).progress.had, (*state.ties.ruled, *state.took)
    others, out = [each for each in tied_with(state, who) if each != who], state.rules.schedule.out(state)
    if who not in settled and any(each in state.took or not out(each) for each in others):
        before = [each for each in others if each in had and each not in settled]
        for each in (*sorted(before, key=had.__getitem__), who):
            state.took[each] = (len(state.took), turn.seq)
        state.turns.arranged = False


@derives("round.ends-after-all", on=events.RoundStarted, phase="reading")
def note_recorded_rounds(state: FifthState, fact: Occurrence[events.RoundStarted]) -> None:
    """Keep that rounds are recorded, so that they do not follow from the turns."""
    state.rounds_recorded |= fact.event.round > 0


@checks_by("death-save.due", "concentration.damage-save", "mount.thrown-off", on=events.TurnStarted)
def saves_that_are_owed_are_recorded(state: FifthState, fact: Occurrence[events.TurnStarted]) -> Iterator[Fault]:
    """Yield a notice for each owed save that was not recorded: against death, for concentration, to stay mounted."""
    if state.option("missing-facts") == "silent":
        return
    for who in state.joined(state.turns.running):
        if owed_death_save(state, who).value != "none":
            says, why = f"{who} owes a death save", (state.body(who).owes,)
            yield Fault(("death-save.due",), says, "a death save", "none", why, severity="notice")
    for due in owed(state.dues, SAVE, fact.event.combatant):
        says = f"{due.who} owes a concentration save"
        yield Fault(("concentration.damage-save",), says, "a save", "none", (due.about,), severity="notice")
    for who, seq in state.owes_seat_save.items():
        if who in state.mounts:
            says = f"{who} owes a save to stay on"
            yield Fault(("mount.thrown-off",), says, "a save", "none", (seq,), (who, seq), "notice")


@derives("initiative.latecomer", on=events.TurnStarted, phase="reading")
def keep_turn(state: FifthState, fact: Occurrence[events.TurnStarted]) -> None:
    """Keep the record of a turn, and end the wait of its latecomers."""
    state.started = True
    state.round.starts[fact.seq] = fact
    for who in (fact.event.combatant, *fact.event.together):
        state.arrives.pop(who, None)


@derives("duration.runs-out")
def counted_turns(state: FifthState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts: those that begin or end, and passed places of combatants without a turn.

    For a combatant that has left, a round counts instead.
    """
    passed = boundary.kind == "place passed" and not state.combatants[boundary.who].left
    for each in [Passed(boundary.who)] if passed else boundaries_in_turns(state, boundary):
        if passed:
            pass_turn(state, each.owner, (*place_records(state, boundary.who), state.clock.round_event))
        elif boundary.kind == "round opened":
            pass_turn(state, each.owner, tuple(turn.seq for turn in state.last.turns))
        yield each


def pass_turn(state: FifthState, who: str | None, events: tuple[int, ...]) -> None:
    """Add these records, by which a turn is passed, and its combatant's status to the durations that it counts."""
    why = Because((), events, tuple(status_or_left(one) for one in state.combatants.values() if one.id == who))
    for timer in state.durations.running.values():
        if timer.owner == who:
            timer.effect.of = (*timer.effect.of, Derived(who, why))


@check("initiative.order-fixed", on=events.TurnDelayed)
def turns_are_not_delayed(_state: FifthState, fact: Occurrence[events.TurnDelayed]) -> Breach:
    return Breach(f"{fact.event.combatant} delays its turn", "its own place, or the Ready action", "a later turn")


ROLL, LATECOMER, ONE_TURN = ("initiative.everyone-rolls",), ("initiative.latecomer",), ("round.one-turn-each",)
IN_ORDER, TIES = "round.turns-in-order", ("initiative.ties-decided",)


@checks_by(*ROLL, *LATECOMER, *ONE_TURN, on=events.TurnStarted)
def everybody_has_one_turn_at_its_place(state: FifthState, fact: Occurrence[events.TurnStarted]) -> Iterator[Fault]:
    """Yield a fault for a turn without a place, one before its combatant's first round, and a second one in a round."""
    turns, out, event = turn_list(state), state.rules.schedule.out(state), fact.event
    opens = _opens_a_round(state, fact)
    members, mounts = dict.fromkeys((event.combatant, *event.together)), riders_by_mount(state)
    if not state.started and state.option("missing-facts") == "notice":
        for one in state.here():
            if not any(one.id in those for those in (turns.places, members)):
                yield Fault(ROLL, f"no initiative is recorded for {one.id}", "a roll", "none", severity="notice")
    for who in members:
        if who not in state.combatants or out(who):
            continue
        if who not in turns.places:
            yield Fault(ROLL, f"no initiative is recorded for {who}", "a roll", "none", once=(who,))
        elif who in turns.progress.late and not opens and state.option("newcomer") != "open":
            says, why = f"{who} joined after its place in this round had passed", (turns.progress.late[who],)
            yield Fault(LATECOMER, says, "a turn in the next round", "a turn in this one", why)
        elif who in turns.progress.had and not opens and state.clock.round and who not in mounts:
            had = (turns.progress.had[who],)
            if not has_grant(state.rulings, ONE_TURN[0], who=(who, state.combatants[who].side)).value:
                says = f"{who} has had its turn in round {state.clock.round}"
                yield Fault(ONE_TURN, says, "one turn", "a second", had)


def _opens_a_round(state: FifthState, fact: Occurrence[events.Fact]) -> bool:
    return any(boundary.kind == "round opened" for boundary in crossed_boundaries(state, fact))


def early_turn(state: FifthState, fact: Occurrence[events.TurnStarted]) -> Occurrence[events.TurnStarted] | None:
    """Return the first turn of this round that jumped ahead of a combatant that begins its turn only now; None if it was allowed to."""
    who, turns, out = fact.event.combatant, turn_list(state), state.rules.schedule.out(state)
    if _opens_a_round(state, fact) or (who in state.arrives and state.option("newcomer") == "open"):
        return None
    jumped = state.round.jumped.get(who)
    earlier = state.round.starts[jumped] if jumped and turnlist.is_due(turns, who, out) else None
    if earlier is not None:
        other, since = state.combatants[earlier.event.combatant], state.rulings_since(state.clock.round_event)
        if has_grant(since, IN_ORDER, who=(other.id, other.side)).value:
            return None
    return earlier


@checks_by(*LATECOMER, *TIES, IN_ORDER, on=events.TurnStarted)
def turns_come_in_order(state: FifthState, fact: Occurrence[events.TurnStarted]) -> Iterator[Fault]:
    """Yield the fault of a turn that was to come before an earlier one: of a latecomer, of the tied, of any other."""
    earlier = early_turn(state, fact)
    if earlier is None:
        return
    who, other = fact.event.combatant, earlier.event.combatant
    if who in state.arrives:
        says = f"{who}, who has just come, was due before {other}"
        yield Fault(LATECOMER, says, who, other, (state.arrives[who], earlier.seq))
    elif other in (level := tied_with(state, who)):
        says, why = f"{who} was to come before {other}, who has the same total", rolls.tie_records(state.ties, level)
        yield Fault(TIES, says, who, other, (*why, fact.seq), about=earlier)
    else:
        why = (*place_records(state, who), *place_records(state, other), fact.seq)
        yield Fault((IN_ORDER,), f"{who} comes before {other} in this round", who, other, why, about=earlier)


@check("round.ends-after-all", on=(events.RoundStarted, events.RoundEnded))
def rounds_follow_one_another(
    state: FifthState, fact: Occurrence[events.RoundStarted | events.RoundEnded]
) -> Breach | None:
    now, stated = state.clock.round, fact.event.round
    if isinstance(fact.event, events.RoundStarted):
        since = state.rulings_since(state.clock.round_event)
        if not state.rounds_recorded or stated == now + 1 or has_grant(since, "round.ends-after-all").value:
            return None
        says = f"round {stated} is recorded after round {now}"
        return Breach(says, f"round {now + 1}", f"round {stated}", (state.clock.round_event,))
    if stated in (None, now) or not now:
        return None
    return Breach(f"round {stated} ends in round {now}", f"round {now}", f"round {stated}", state.clock.events)


@check("round.one-turn-each", on=(events.RoundStarted, events.TurnStarted))
def nobody_is_passed_over(state: FifthState, fact: Occurrence[events.Fact]) -> tuple[Breach, ...]:
    now, out = state.clock.round, state.rules.schedule.out(state)
    if state.option("missing-facts") == "silent" or not now or not _opens_a_round(state, fact):
        return ()
    over = [who for who in turnlist.combatants_due(turn_list(state), out) if who not in riders_by_mount(state)]
    says = "{} had no turn in round {}"
    return tuple(Breach(says.format(who, now), "a turn", "none", place_records(state, who), "notice") for who in over)


FREE = ("talk", "drop", "release")
"""The kinds of acts that cost nothing, and may be in any turn."""
PAID_IN_TURN = ("", "movement", "action", "bonus")
"""The costs of moves in one's own turn; a move without one is paid with movement."""


def clock_move(state: FifthState, fact: Occurrence[events.Fact]) -> ClockMove:
    """Return the clock's move to the turn of who acts, and to a recorded round with its first turn; a reaction moves none."""
    event = fact.event
    if isinstance(event, events.TurnStarted):
        return ClockMove(round_opening(state, event.combatant)) if state.rounds_recorded else STILL
    who = getattr(event, "combatant", "")
    if state.has_turn(who) or not belongs_to_turn(state, event):
        return STILL
    if isinstance(event, events.ActionTaken) and fact.kind in FREE:
        return stay_in_turn(state, who)
    move = move_to_turn(state, who)
    return with_round_opening(state, move) if state.rounds_recorded else move


def belongs_to_turn(state: FifthState, event: events.Fact) -> bool:
    """Say whether a fact belongs to the turn of its combatant."""
    if not state.rules.schedule.names_in_order(state) and not state.clock.turn_event:
        return False  # a fight without turns
    match event:
        case events.ActionTaken(trigger=None):
            return act_cost(state, state.combatants[event.combatant], event)[0].value not in (*REACTIONS, *OUT_OF_TURN)
        case events.SaveRolled(purpose="death") | events.ActionHeld() | events.TurnEnded():
            return True
        case events.Moved(forced=None | False, cause=None):
            return event.plain_cost in PAID_IN_TURN
    return False
