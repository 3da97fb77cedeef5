"""Mounts and their riders."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, ConditionGained, Moved, SaveRolled
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import end_conditions, fall_prone
from projections.rulesets.fifth_edition.deeds import REACTIONS, deed_of, price_in_catalogue
from projections.rulesets.fifth_edition.movement import feet_breach
from projections.rulesets.fifth_edition.rolls import roll_total
from projections.rulesets.fifth_edition.state import FifthState, Mount


@derives("mount.half-speed", "mount.controlled", "mount.size", "mount.thrown-off", on=ActionTaken)
def mount_or_dismount(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Keep the mount of a rider, or that it has dismounted, in 2014 with a reaction on its feet as the mount falls."""
    event, who = fact.event, fact.event.combatant
    kind, mount = fact.kind, next(iter(event.action.targets), "")
    if kind == "mount" and mount in state.combatants:
        controlled = "controlled" in event.action.plain_manner
        before = state.mounts.get(who)
        again = (*before.again, before.seq) if before and before.who == mount else ()
        state.mounts[who] = Mount(mount, fact.seq, controlled, again)
        if controlled:
            state.led[mount] = who, fact.seq
        state.turns.arranged = False
    elif kind == "dismount" and who in state.mounts:
        _end_riding(state, who, Because(("mount.half-speed",), (fact.seq,)))
    elif kind == "dismount" and who in state.unseated_by and deed_of(state, fact).cost == "reaction":
        fall = (state.unseated_by[who].events[-1], who)
        with_its_mount = any(key[0] == fall[0] and key != fall for key in state.conditions)  # and by no failed save
        if fall in state.conditions and with_its_mount:
            end_conditions(state, [fall], Because(("mount.thrown-off",), (fact.seq,)))


@derives("mount.size", "mount.thrown-off")
def mount_of(state: FifthState, who: str) -> Derived[str]:
    """Return the mount of a combatant, or none."""
    mount, off = state.mounts.get(who), state.unseated_by.get(who)
    if mount:
        why = Because(("mount.thrown-off", "mount.size"), (mount.seq, *mount.again), state.why_over("mount", who))
        return Derived(mount.who, why)
    joined = Because(("mount.thrown-off",), (state.combatants[who].joined,))
    return Derived("none", Because(off.rules if off else ("mount.size",), (), (off,) if off else (joined,)))


MOUNTING = ("mount", "dismount")
"""The kinds of acts that cost half the speed."""


def mounting_breach(state: FifthState, one: Combatant) -> Breach | None:
    """Return the breach if a combatant mounts or dismounts once more, or with too few feet left; None if it can."""
    before = tuple(d.seq for d in state.done.get(one.id, ()) if d.kind in MOUNTING)
    if before and not state.is_new:
        return Breach(f"{one.id} has mounted or dismounted in this move", "once", "again", before)
    return feet_breach(state, one)


@derives("mount.thrown-off", on=SaveRolled, phase="consequences")
def apply_seat_save(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """Let a rider fall off its mount by a failed save."""
    event, total = fact.event, roll_total(state, fact.event)
    good = event.succeeded if total is None else total >= 10
    if event.purpose == "mount":
        state.owes_seat_save.pop(event.combatant, None)
        if good is False:
            _throw_off(state, event.combatant, fact.seq)


@derives("mount.thrown-off", on=(Moved, ConditionGained), phase="consequences")
def owe_seat_save(state: FifthState, fact: Occurrence[Moved | ConditionGained]) -> None:
    """Let a rider owe a save as its mount is moved, or one of them falls prone; in 2014 it falls off a prone mount."""
    event = fact.event
    prone = event.targets if isinstance(event, ConditionGained) and fact.called == "prone" else ()
    for rider, mount in [*state.mounts.items()]:
        carried = isinstance(event, Moved) and event.combatant == mount.who and bool(event.forced)
        state.touched.add(rider)
        if mount.who in prone and not state.is_new:
            _throw_off(state, rider, fact.seq)
            continue
        if mount.who in prone:
            for what in ("prone", "mount"):
                state.ended[what, rider] = Because(owe_seat_save.rules, (fact.seq,))
        if mount.who in prone or rider in prone or carried:
            state.owes_seat_save[rider] = fact.seq


def _throw_off(state: FifthState, who: str, seq: int) -> None:
    if mount := state.mounts.get(who):
        _end_riding(state, who, Because(("mount.thrown-off",), (seq,)))
        fall_prone(state, who, seq, Derived(mount.who, Because((), (mount.seq,))))


def _end_riding(state: FifthState, who: str, why: Because) -> None:
    mount = state.mounts.pop(who)
    state.unseated_by[who] = why
    state.rider_gone[mount.who] = Because(why.rules, (mount.seq, *why.events), options=why.options)
    state.turns.arranged = False


MOUNT_ACTS = ("dash", "disengage", "dodge", "move", "stand-up", "talk", "other", "drop-prone")
"""The kinds of acts that a controlled mount can do."""


def _controlled_mount(state: FifthState, who: str) -> Mount | None:
    return next((each for each in state.mounts.values() if each.who == who and each.controlled), None)


@checks_by("mount.controlled", "mount.size", "mount.half-speed", on=ActionTaken)
def riders_and_mounts_do_what_they_can(state: FifthState, fact: Occurrence[ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of an act of a controlled mount, and of mounting and dismounting."""
    deed, one = deed_of(state, fact), state.combatants[fact.event.combatant]
    mount = _controlled_mount(state, one.id)
    if mount and deed.kind not in MOUNT_ACTS and not deed.granted and deed.cost not in REACTIONS:
        rule, says = ("mount.controlled",), f"{one.id} is controlled"
        yield Fault(rule, says, "dash, disengage or dodge", deed.kind, (mount.seq,))
    other = state.combatants.get(next(iter(deed.action.targets), "")) if fact.kind == "mount" else None
    larger = figures.sizes_larger(other, one) if other else None
    if other and larger is not None and larger <= 0:
        events, size = (*one.records("size"), *other.records("size")), str(other.sheet.size).casefold()
        yield Fault(("mount.size",), f"{other.id} is no larger than {one.id}", "a larger one", size, events)
    paid = deed.kind in MOUNTING and deed.cost in ("movement", "") and not deed.granted and deed.own
    if paid and (found := mounting_breach(state, one)):
        yield Fault(("mount.half-speed",), found.says, found.expected, found.found, found.because)


def why_barred(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return why a combatant cannot do an act of a kind: it is a controlled mount, or has too few feet to mount."""
    mount = _controlled_mount(state, one.id)
    if mount and price_in_catalogue(state, what) and what not in MOUNT_ACTS:
        return Because(("mount.controlled",), (mount.seq,))
    found = mounting_breach(state, one) if what in MOUNTING else None
    return Because(("mount.half-speed",), found.because) if found else None
