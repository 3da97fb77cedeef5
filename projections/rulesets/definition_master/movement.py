"""Movement: provocations of moves and acts, strikes at them; passed squares, distances, charges and tramples."""

from collections.abc import Iterator
from itertools import takewhile

from msgspec import structs

from eventstore.events import ActionDeclared, ActionTaken, AttackRolled, DamageDealt, Fact, Moved, SaveRolled
from eventstore.shapes import Square
from projections.address import NOTHING
from projections.because import Because, Cites, Derived, asked_options
from projections.mechanics.grants import words_of
from projections.mechanics.rolls import face
from projections.mechanics.squares import is_straight, left_squares, leg_to, path_squares, steps
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import acts, ground
from projections.rulesets.definition_master.arms import is_shot
from projections.rulesets.definition_master.attack import ability_modifier
from projections.rulesets.definition_master.immediate import action_held, armed_action
from projections.rulesets.definition_master.reading import Reading, is_granted_by_ruling
from projections.rulesets.definition_master.spending import lawful_price
from projections.rulesets.definition_master.state import MasterAct, MasterState, Passage, Provocation
from projections.rulesets.definition_master.table import Row, fault_clauses, kinds, row
from projections.rulesets.definition_master.vitals import can_act
from projections.stream.causes import causes

SHOT = "ranged-attack"
PROVOKES_LIKE = {"pick-up": "fetch-item"}
"""The kinds of acts that provoke like another."""
QUIET = {"drink": "swift.potion-belt", "belt-item": "free.simple-retrieval", "cast": "touch.melee-spell-quiet"}
"""The clauses by which an act does not provoke, by its kind."""
CHARGE = "charge"
"""The act that provokes only by its path."""
LEAVING = "move.leaving-threat-provokes"
NOTHING_PROVOKED, OTHER = "aoo.on-leaving-threat", "aoo.other-provocations"
FROM_DEFENDER, SHOOTING = "maneuver.provokes-from-defender", "ranged.provokes-when-threatened"


@derives("move.leaving-threat-provokes", "step.never-provokes", on=Moved, phase="consequences")
def keep_move_provocation(state: MasterState, fact: Reading[Moved]) -> None:
    """Keep the provocation of a move: foes may strike for each square that they threaten and the move leaves."""
    event, openings, left = fact.event, state.combat.openings, tuple(left_squares(fact.event.path))
    who, carrier = event.combatant, state.flow.carried.get(fact.seq, fact.seq)
    if event.forced:
        way = Provocation(fact.seq, who, "move.leaving-threat-provokes", left, ground.foe_threats(state, who))
    elif (event.mode or "").casefold() == "step" and ground.feet(event) <= ground.SQUARE:
        way = Provocation(fact.seq, who, "step.never-provokes", left)
    else:
        way = leaving_provocation(state, fact.seq, who, left)
    act = state.flow.acts.get(carrier)
    for seq in (act.begun, act.seq) if act else ():
        if seq in openings and openings[seq].lacks_way:
            openings[seq] = way
    openings[fact.seq] = way


def leaving_provocation(state: MasterState, seq: int, who: str, left: tuple[Square, ...], *since: int) -> Provocation:
    """Return the provocation of leaving squares: each foe may strike once for each left square that it threatens."""
    foes, why = ground.foe_threats(state, who), Because((LEAVING,), (*since, seq))
    return Provocation(seq, who, LEAVING, left, foes, left, why)


@derives(OTHER, SHOOTING, FROM_DEFENDER, on=(ActionTaken, ActionDeclared, AttackRolled), phase="consequences")
def keep_act_provocation(state: MasterState, fact: Reading[ActionTaken | ActionDeclared | AttackRolled]) -> None:
    """Keep the provocation of an act, once if it was declared: for foes who threaten its doer, or its targets."""
    act: MasterAct | None = fact.act
    if act is None or (price := lawful_price(fact, act)).value == acts.AOO:
        return
    openings, square = state.combat.openings, act.action.square
    if act.declared in openings:
        openings[fact.seq] = openings[act.declared]
    elif act.kind == CHARGE and square and act.square:
        left, stood = tuple(left_squares((act.square, square))), state.combat.stood[act.combatant]
        openings[fact.seq] = leaving_provocation(state, fact.seq, act.combatant, left, stood)
    elif act.kind in (CHARGE, "move"):
        openings[fact.seq] = structs.replace(leaving_provocation(state, fact.seq, act.combatant, ()), known=False)
    elif act.kind == "step":
        openings[fact.seq] = Provocation(fact.seq, act.combatant, "step.never-provokes")
    else:
        openings[fact.seq] = provocation_of_act(state, fact.seq, act, price)


def provoking_row(state: MasterState, act: MasterAct, cost: str) -> Row:
    """Return the row that says whether an act at this price provokes; for a shot always the row of shots."""
    action = act.action
    shot = act.kind == "attack" and "melee" not in action.plain_manner and is_shot(state, act.combatant, action.name)
    if shot or act.kind in PROVOKES_LIKE:
        return row("action", SHOT if shot else PROVOKES_LIKE[act.kind])
    return acts.table_row(act.action, cost)


def provocation_of_act(state: MasterState, seq: int, act: MasterAct, price: Derived[str]) -> Provocation:
    """Return the provocation of an act, for every foe or its targets, to whom a trample comes wherever they are."""
    found, who, targets = provoking_row(state, act, price.value), act.combatant, act.action.targets
    if not provokes(state, act, found, price.value):
        swift = price.value == acts.SWIFT and act.kind != "drink"
        rule = "swift.never-provokes" if swift else QUIET.get(act.kind, OTHER)
        return Provocation(seq, who, rule, price=price)
    limited, stood = found.get("from") == "defender", (state.combat.stood[who],) if who in state.combat.stood else ()
    rule = FROM_DEFENDER if limited else SHOOTING if found["name"] == SHOT else OTHER
    why, here = Because((OTHER,), (*stood, act.seq)), (act.square,) if act.square else ()
    grapples = act.kind == "grapple"
    if limited and targets and not (grapples and state.option("grapple-provokes") == "all-who-threaten"):
        to = {each: ground.threatened_squares(state, each) for each in targets if each in state.combatants}
    else:
        to = ground.foe_threats(state, who)
    known, comes = bool(targets) or not limited, act.kind == "trample"
    return Provocation(seq, who, rule, (), to, here, why, known=known, comes=comes, price=price, asked=asked_options())


@derives("swift.never-provokes", "touch.melee-spell-quiet", "casting.standard-provokes")
def provokes(state: MasterState, act: MasterAct, found: Row, cost: str) -> bool:
    """Say whether an act provokes: by its entry, else by its row in the table; a swift one never does."""
    if cost == acts.SWIFT:
        return False
    entry = acts.entry_of(state.combatants[act.combatant], act.action)
    said = {word for each in (entry.attributes if entry else ()) for word in words_of(each)}
    if said & {"provokes", "provoke", "quiet"}:
        return said.isdisjoint({"not", "no", "never", "quiet", "doesn"})
    manners = {*act.action.plain_manner, *(each.casefold() for each in (entry.manner if entry else ()))}
    touch = act.kind == "cast" and "melee-touch" in manners
    return bool(found.get("provokes")) and not touch


def provocation_answered(state: MasterState, act: MasterAct) -> Provocation | None:
    """Return the provocation that a strike answers: its trigger, else the last one that it may answer."""
    openings = state.combat.openings
    if act.trigger:
        behind = acts.act_at(state, act.trigger)
        return openings.get(act.trigger) or (openings.get(behind.seq) if behind else None)
    own = [each for each in openings.values() if each.who == act.target and state.precedes(each.seq, act.seq)]
    fitting = [each for each in own if each.allows(act.combatant) != 0]
    return next(reversed(fitting or own), None)


def strikes_before(state: MasterState, who: str, opening: Provocation) -> list[int]:
    """Return the earlier strikes of a combatant for the same provocation."""
    act = state.flow.acts.get(state.flow.carried.get(opening.seq, opening.seq))
    first = act.begun if act else opening.seq  # a move can be declared, or begun as an act, before its path is recorded
    since = takewhile(lambda each: state.precedes(first, each.seq), reversed(state.round.acts))
    own = [each for each in since if each.combatant == who and each.cost == acts.AOO]
    found = [(each.seq, provocation_answered(state, each)) for each in reversed(own)]
    return [seq for seq, each in found if each is not None and each.seq == opening.seq]


def why_forbidden(state: MasterState, act: MasterAct, opening: Provocation) -> tuple[str, list[int]]:
    """Return the clause that forbids a strike for a provocation, "" if it is allowed; and the strikes that used it up."""
    if barred := ground.why_no_threat(state, act.combatant).value:
        return barred, []
    if act.target not in ("", opening.who):
        return NOTHING_PROVOKED, []
    allowed, square = opening.allows(act.combatant), act.action.square
    fits = square in opening.left and ground.threatened_squares(state, act.combatant).over((square,)).value != 0
    if allowed == 0 or (square and opening.left and not fits):
        return clause_of_no_opening(state, act.combatant, opening, square), []
    most = 1 if state.option("strikes-per-move") == "once" else allowed
    struck = strikes_before(state, act.combatant, opening)
    if most is not None and len(struck) >= most:
        return NOTHING_PROVOKED if opening.rule == LEAVING else OTHER, struck
    return "", []


def clause_of_no_opening(state: MasterState, who: str, opening: Provocation, square: Square | None) -> str:
    """Return the clause that denies a strike: that of a reach too short, else that of the provocation."""
    foe, here = opening.to.get(who), ground.square_of(state, opening.who)
    elsewhere = square is not None and square not in opening.left
    if foe is None or elsewhere or opening.rule not in (LEAVING, OTHER):
        return opening.rule
    has_not_left = opening.rule == LEAVING and square is None and foe.over([here] if here else []).value
    return opening.rule if has_not_left else foe.far.because.clause


@checks_by(*fault_clauses("strike"), on=ActionTaken)
def nothing_unprovoked(state: MasterState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a strike that is not allowed; a held action recorded as one breaks its own clause."""
    act = fact.taken
    if act.cost != acts.AOO:
        return
    opening = provocation_answered(state, act) or Provocation(0, "", NOTHING_PROVOKED)
    barred, armed = ground.why_no_threat(state, act.combatant), armed_action(state, act.combatant)
    why, struck = why_forbidden(state, act, opening)
    if why and armed and action_held(armed).plain_kind == act.kind:
        says = "a held action is resolved as such, not as an attack of opportunity"
        yield Fault(("immediate.three-kinds",), says, "a held action", "an attack of opportunity", (armed.seq,))
        return
    if not why:
        yield from () if fact.is_granted(NOTHING_PROVOKED) else _lateness_faults(state, opening)
    elif not any(map(fact.is_granted, {why, opening.rule})):
        shown = barred.because.flat().events if barred.value else filter(None, struck or (opening.seq,))
        says = "has used this opening already" if struck else f"has no opening against {act.target or 'anyone'} here"
        says, found = f"{act.combatant} {says}", "an attack of opportunity"
        yield Fault((why,), says, "no attack of opportunity", found, tuple(shown))


def _lateness_faults(state: MasterState, opening: Provocation) -> Iterator[Fault]:
    """Yield a fault for a strike that comes later than its provocation: in another turn, or after a further act."""
    after = takewhile(lambda act: state.precedes(opening.seq, act.seq), reversed(state.round.acts))
    since, began = [each for each in after if each.cost not in (*acts.IMMEDIATE, acts.FREE)], state.clock.turn_event
    if since or not state.precedes(began, opening.seq):
        says, later = f"the moment of event {opening.seq} has passed", max((began, *acts.records_of(since)))
        yield Fault((NOTHING_PROVOKED,), says, "at once", "later", (opening.seq, later))


def who_may_strike(state: MasterState, who: str) -> Derived[object]:
    """Return the foes who may strike at a combatant for its last provocation in this round."""
    last = next((each for each in reversed(state.combat.openings.values()) if each.who == who), None)
    if last is None:
        return Derived(NOTHING, Because((NOTHING_PROVOKED,), (state.combatants[who].joined,)))
    found = {foe: last.times(each) for foe, each in last.to.items()}
    to = [foe for foe, times in found.items() if times.value]
    opened = Derived(last.seq, Because((), (last.seq,)))
    of: tuple[Cites, ...] = (opened, last.price, last.asked, *found.values())
    return Derived(to or NOTHING, Because((last.rule, *_general_clause(state, last)), (), of))


@derives("aoo.on-leaving-threat", "move-action.what-it-buys")
def _general_clause(state: MasterState, opening: Provocation) -> tuple[str, ...]:
    """Return the general clause of a provocation: on leaving a square, or on a move action."""
    act = state.flow.acts.get(opening.seq)
    if act is None or act.kind in ("move", "step"):
        return ("aoo.on-leaving-threat",)
    return ("move-action.what-it-buys",) if opening.price.value == acts.MOVE else ()


@derives("incapacitation.unconscious-in-square", on=(DamageDealt, SaveRolled), phase="consequences")
def stop_felled_mover(state: MasterState, fact: Reading[DamageDealt | SaveRolled]) -> None:
    """Put a mover whom a strike has felled on the square that it was leaving: the recorded one, else one in reach."""
    event = fact.event
    act, who = acts.act_at(state, fact.cause), event.target if isinstance(event, DamageDealt) else event.combatant
    if act is None and who in state.combat.squares and _may_be_felled_by_strike(state, fact, who):
        del state.combat.squares[who]
    if act is None or act.cost not in (acts.AOO, acts.HELD) or state.combatants[who].status == "up":
        return
    opening = provocation_answered(state, act)
    if opening is None or (opening.who, opening.seq) != (who, state.combat.stood.get(who)):
        return
    left = [each for each in opening.left if ground.threatened_squares(state, act.combatant).over((each,)).value]
    if act.cost == acts.HELD:  # it met the mover on the first square in reach, unless the move ends in reach
        left = [] if ground.threatened_squares(state, act.combatant).over((state.combat.squares[who],)).value else left
    else:
        left = left[len(strikes_before(state, act.combatant, opening)) - 1 :]
    struck = [act.action.square] if act.action.square else left
    if struck and struck[0] in opening.left:
        ground.put_on_square(state, who, struck[0], fact.seq)
        reasons = state.combatants[who].standing, ground.threatened_squares(state, act.combatant).over(opening.left)
        state.combat.felled[fact.seq] = Because((), (opening.seq, act.seq), of=reasons)


def _may_be_felled_by_strike(state: MasterState, fact: Reading[Fact], who: str) -> bool:
    """Say whether a combatant was felled by a fact without a known cause, after strikes at its last move."""
    *_, first = fact.fact, *causes(state, fact.cause)
    way = state.combat.openings.get(state.combat.stood[who])
    may_have_fallen = state.combatants[who].status != "up" or state.health.of(who).undecided == fact.seq
    unknown = isinstance(first.event, DamageDealt | SaveRolled) and may_have_fallen
    return unknown and way is not None and any(strikes_before(state, each, way) for each in state.combatants)


LEAST = 10
"""The least number of feet of a charge."""


@derives("space.hostile-needs-acrobatics", "space.ally-by-leave", on=Moved, phase="consequences")
def keep_passage(state: MasterState, fact: Reading[Moved]) -> None:
    """Keep the combatants through whose squares a path goes, and the act to which the path belongs."""
    met, side = combatants_on_path(state, fact.event), state.combatants[fact.event.combatant].side
    if fact.event.forced:
        return
    against = tuple(who for who in met if state.combatants[who].side != side)
    beside = tuple(who for who in met if who not in against)
    state.combat.passages[fact.seq] = Passage(against, beside, state.flow.carried.get(fact.seq, fact.seq))


def combatants_on_path(state: MasterState, event: Moved) -> list[str]:
    """Return the living combatants on squares that a path enters."""
    way = set(path_squares(event.path)[1:])
    if not way:
        return []
    there = (one for one in state.here() if one.status != "dead" and ground.square_of(state, one.id) in way)
    return [one.id for one in there if one.id != event.combatant]


@check("move.up-to-speed", on=Moved)
def one_action_goes_as_far_as_the_speed(state: MasterState, fact: Reading[Moved]) -> Breach | None:
    event, act = fact.event, fact.act
    found, speed = ground.feet(event), state.combatants[event.combatant].sheet.speed
    if found < 0:
        return Breach("a distance is never below 0", "0 ft or more", f"{found} ft")
    if act is None or act.kind != "move" or found <= speed or fact.is_granted("move.up-to-speed"):
        return None
    return Breach(f"{act.combatant}'s speed is {speed} ft", f"{speed} ft at most", f"{found} ft")


@checks_by("charge.distance", on=ActionTaken)
def a_charge_to_a_square_has_its_length(state: MasterState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a charge to a square that is too near or too far away."""
    act = fact.taken
    if act.kind == "charge" and act.action.square and act.square:
        yield from length_faults(state, act, "charge.distance", 5 * steps(leg_to(act.square, act.action.square)), LEAST)


def length_faults(state: MasterState, act: MasterAct, rule: str, found: int, least: int) -> Iterator[Fault]:
    """Yield a fault for a charge or a trample that is too short, or longer than twice the speed."""
    most = 2 * state.combatants[act.combatant].sheet.speed
    if not least <= found <= most:
        due = f"{least} to {most} ft" if least <= most else "nowhere"
        yield Fault((rule,), f"{act.combatant}'s {act.kind} goes {due}", due, f"{found} ft", (act.seq,))


@checks_by("charge.straight-line", on=Moved)
def a_charge_is_straight(state: MasterState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault for a charge that turns, has an obstacle in its way, or does not go towards its target."""
    act, event, rules = acts.act_of_carried_move(state, fact.fact), fact.event, ("charge.straight-line",)
    if act is None or act.kind != "charge" or act.combatant != event.combatant:
        return
    stood = (act.seq, *((state.combat.stood[act.target],) if act.target in state.combat.stood else ()))
    if not is_straight(event.path):
        yield Fault(rules, "a charge goes in a straight line", "a straight line", "a corner", stood)
    aim = act.target if ground.is_tiny(state, act.combatant) else ""
    if event.obstructed or (met := [each for each in combatants_on_path(state, event) if each != aim]):
        found = "an obstacle" if event.obstructed else " and ".join(met)
        yield Fault(rules, "a charge needs a clear path", "a clear path", found, (act.seq,))
    target = ground.square_of(state, act.target)
    away = [steps(leg_to(each, target)) for each in event.path] if target else []
    if len(away) > 1 and away[-1] >= away[0]:
        yield Fault(rules, "a charge goes towards its target", "a move closer", "no closer", (act.seq,))


def _charge_of_turn(fact: Reading[Fact]) -> MasterAct | None:
    return next((each for each in fact.so_far if each.kind == "charge"), None)


@checks_by("charge.attacks-at-end", *ground.REACHES, on=(ActionTaken, AttackRolled))
def nobody_attacks_out_of_reach(state: MasterState, fact: Reading[ActionTaken | AttackRolled]) -> Iterator[Fault]:
    """Yield a fault for an attack out of reach: at the end of a charge, or by the reach of size and weapon."""
    act, own = fact.act, ground.square_of(state, fact.event.combatant)
    if act is None or act.kind not in kinds("reaching") or act.cost == acts.AOO or not can_act(state, act.combatant):
        return
    there, far = ground.square_of(state, act.target), ground.reach(state, act.combatant)
    shot = is_shot(state, act.combatant, act.action.name) or "ranged" in words_of(" ".join(act.action.manner))
    if shot or own is None or there is None or can_reach(state, act, own, there):
        return
    (rule,), charge = far.because.rules, _charge_of_turn(fact)
    if charge:
        says = f"{act.combatant}'s charge does not end within reach of {act.target}"
        yield Fault(("charge.attacks-at-end",), says, "no attack", "an attack", (charge.seq,))
    elif not fact.is_granted(rule):
        yield Fault((rule,), f"{act.target} is out of {act.combatant}'s reach", "within reach", "out of reach")


def can_reach(state: MasterState, act: MasterAct, own: Square, there: Square) -> bool:
    """Say whether an attack reaches its target's square or, in answer to a move, a square that the move left."""
    far, named = ground.reach(state, act.combatant).value, act.action.square
    way = provocation_answered(state, act) if act.trigger else None
    if way is None or way.who != act.target:
        return far.covers(leg_to(own, there))
    if way.lacks_way:
        return named is None or far.covers(leg_to(own, named))
    return any(far.covers(leg_to(own, each)) for each in (there, *way.left) if named in (None, each))


@check("charge.swift-exception", on=ActionTaken, unless=is_granted_by_ruling)
def a_charge_has_three_swift_actions(state: MasterState, fact: Reading[ActionTaken]) -> Breach | None:
    act = fact.taken
    charge = _charge_of_turn(fact) if act.own and act.cost == acts.SWIFT else None
    if charge is None:
        return None
    oil = act.kind in kinds("oils") and "oil" in words_of(f"{act.action.name or ''} {act.action.object or ''}")
    elsewhere = act.action.granted_by is not None or state.option("charge-swift") != "swift-elsewhere"
    if (act.kind in kinds("swaps") or oil) and elsewhere and not fact.budget.swifts:
        return None
    says = "a charge allows one swift action: a swap, a potion or an oil"
    return Breach(says, "a swap, a potion or an oil", act.kind, (charge.seq,))


@check("trample.damage", on=DamageDealt)
def a_trample_deals_its_damage(state: MasterState, fact: Reading[DamageDealt]) -> Breach | None:
    """Report damage of a trample that is not its die and Strength, or is dealt to a combatant still on its feet."""
    act, event = acts.act_behind(state, fact.fact), fact.event
    if act is None or act.kind != "trample" or act.combatant == event.target:
        return None
    won = [each.defender for each in state.combat.maneuvers if each.act == act.begun and each.is_won]
    if event.target not in won:
        return Breach(f"{event.target} was not trampled", "no damage", f"{event.amount} damage", (act.seq,))
    dice = [part.dice for part in event.parts if part.dice]
    times = 3 if state.option("trample-strength") == "thrice" else 2
    off = sum(abs(each.amount) for each in event.reductions)
    due = max(0, sum(map(face, dice)) + times * ability_modifier(state, act.combatant, "str") - off)
    if not dice or event.amount == due:
        return None
    return Breach(f"the trample deals {due} damage", f"{due} damage", f"{event.amount} damage", (act.seq,))
