"""Acts: the price of each, the act behind a roll; the budget of a turn, and the acts that spent it."""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import dropwhile

from msgspec import Struct, structs

from eventstore.events import ActionDeclared, ActionHeld, ActionTaken, AttackRolled, Fact, Moved
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.memo import memoize
from projections.occurrence import Occurrence, is_a
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.ground import square_of
from projections.rulesets.definition_master.order import turn_records
from projections.rulesets.definition_master.sheet import MasterEntry
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import Row, kinds, rows_of_action
from projections.rulesets.definition_master.vitals import can_act
from projections.sheet import entry_named
from projections.stream.causes import find_origin

MOVE, STANDARD, ATTACK, FULL, SWIFT, FREE = "move", "standard", "attack", "full-round", "swift", "free"
AOO, COUNTERSPELL, OTHER, HELD = "opportunity", "counterspell", "other", "held"
ON_TURN = (MOVE, STANDARD, ATTACK, FULL, SWIFT, FREE)
"""The costs that are paid in one's own turn."""
IMMEDIATE = (AOO, COUNTERSPELL, OTHER, HELD)
"""The costs of immediate actions, which are paid at any time."""
ACTS = (ActionTaken, ActionDeclared, ActionHeld, Moved, AttackRolled)
"""The facts that record acts."""
OPTIONS, CARRIES, BLOWS, TOUCHES, ROLLS = map(kinds, ("options", "carries", "blows", "touches", "rolls"))
MOVING = ("move", "step", "charge")
"""The acts during which drawing a weapon is free."""
BELT = "potion belt"
UNLISTED = {"talk": FREE, "move": MOVE, "step": MOVE, "pick-up": MOVE}
"""The costs of kinds that the table of actions does not list."""
COST_WORDS = {"aoo": AOO, "attack-of-opportunity": AOO, "bonus": SWIFT, "full": FULL, "reaction": "immediate"}
"""Other words for costs."""


def entry_of(one: Combatant, action: Action) -> MasterEntry | None:
    """Return the entry of the sheet that grants an act, or has its name."""
    entries: tuple[MasterEntry, ...] = one.sheet.entries
    return entry_named(entries, action.granted_by, action.name)


def has_belt(one: Combatant) -> bool:
    """Say whether a combatant has a potion belt."""
    return entry_named(one.sheet.entries, BELT) is not None


@lru_cache(maxsize=1024)
def cost_word(word: str | None, kind: str) -> str:
    """Return the word by which a cost is counted, "" if none is named; an immediate action gets the kind of its act."""
    named = "-".join((word or "").casefold().replace("_", " ").split())
    named = COST_WORDS.get(named, named)
    return {"attack": AOO, COUNTERSPELL: COUNTERSPELL}.get(kind, OTHER) if named == "immediate" else named


@derives("turn.action-kinds", "immediate.three-kinds")
def act_cost(state: MasterState, one: Combatant, action: Action, trigger: int | None = None) -> str:
    """Return the cost of an act: as recorded, else by its entry or its kind."""
    kind = action.plain_kind
    strikes = kind == "attack" and trigger is not None and state.clock.turn != one.id
    return cost_word(action.cost, kind) or (AOO if strikes else cost_by_entry_or_kind(state, one, action))


@derives("standard.whole-slot", "swift.only-from-entries")
def cost_by_entry_or_kind(state: MasterState, one: Combatant, action: Action) -> str:
    """Return the price of an act without a recorded cost: that of its entry, else that of its kind."""
    kind, entry = action.plain_kind, entry_of(one, action)
    if entry and (said := cost_word(entry.cost, kind)):
        return said
    if kind == "drink" and (action.granted_by or "").casefold() == BELT and has_belt(one):
        return SWIFT
    return ATTACK if kind in OPTIONS and state.option("grapple-option-cost") == "attack" else _usual_cost(kind)


def _usual_cost(kind: str) -> str:
    rows = rows_of_action(kind)
    return cost_word(rows[0]["cost"], kind) if rows else UNLISTED.get(kind, STANDARD)


def table_row(action: Action, cost: str) -> Row:
    """Return the row of the table for an act, by its kind, manner and cost; an empty one if there is none."""
    manners = {*action.plain_manner}
    rows = rows_of_action(action.plain_kind)
    fitting = [row for row in rows if row.get("manner", "") in manners] or [row for row in rows if "manner" not in row]
    return next((row for row in fitting if row["cost"] == cost), fitting[0] if fitting else {})


@derives("attacks.extra-above-five", "attacks.at-most-four")
def attack_bonuses(one: Combatant) -> Derived[tuple[int, ...]]:
    """Return the bonuses of a combatant's attack actions, the best first: those of the sheet, else by base attack bonus."""
    found: tuple[int, ...] = one.sheet.attacks or bonuses_by_base(one.sheet.base_attack)
    return Derived(found, Because(attack_bonuses.rules, one.records("attacks", "base_attack")))


@cache
def bonuses_by_base(base: int) -> tuple[int, ...]:
    """Return the attack actions of a base attack bonus, each 5 below the one before."""
    count = 1 + sum(base >= least for least in (6, 11, 16))
    return tuple(base - 5 * number for number in range(count))


def attack_bonus(one: Combatant, slot: int) -> int:
    """Return the bonus of an attack action by its number from 0; one beyond the last has the bonus of the last."""
    found = attack_bonuses(one).value
    return found[min(slot, len(found) - 1)]


def records_of(acts: Iterable[MasterAct]) -> tuple[int, ...]:
    """Return the records of some acts."""
    return tuple(each.seq for each in acts)


def has_turn(state: MasterState, who: str) -> bool:
    """Say whether it is a combatant's turn."""
    return who == state.clock.turn


def turn_end_record(state: MasterState, who: str, *, had: bool) -> int:
    """Return the record that ended a combatant's last turn if it `had` something to lose; else its joining."""
    last, now = state.flow.last(who), state.clock.turn_event or state.clock.round_event
    return now if had and last and last.ended == now else state.combatants[who].joined


@derives("immediate.three-kinds")
def immediate_kind(cost: str) -> str:
    """Return the kind of an immediate action; a held one is of the third kind."""
    return OTHER if cost == HELD else cost


def is_immediate(state: MasterState, act: MasterAct) -> bool:
    """Say whether an act uses an immediate action; a declaration does not."""
    return act.cost in IMMEDIATE and act.seq not in state.flow.declared


def acts_of_turn(state: MasterState, who: str) -> list[MasterAct]:
    """Return the acts of a combatant in its last turn; none before its first."""
    number = state.flow.number(who)
    return [act for act in state.flow.own_acts.get(who, ()) if act.own == number] if number else []


def acts_since_turn(state: MasterState, who: str) -> list[MasterAct]:
    """Return the acts of a combatant since its last turn began, in it and after it."""
    since = state.flow.began(who)
    return [*dropwhile(lambda act: state.precedes(act.seq, since), state.flow.own_acts.get(who, ()))]


def recorded_act(state: MasterState, fact: Occurrence[Fact]) -> MasterAct | None:
    """Return the act that a fact records, by the state before it; None if it records none."""
    match fact.event:
        case ActionTaken() | ActionDeclared() as event if event.combatant:
            one, trigger = state.combatants[event.combatant], getattr(event, "trigger", None)
            act = _make_act(state, fact, one.id, event.action, act_cost(state, one, event.action, trigger))
            return _with_declaration(state, act) if isinstance(event, ActionTaken) else act
        case Moved() as event if is_a(fact, Moved) and not (event.forced or act_of_carried_move(state, fact)):
            action = Action(kind="step" if (event.mode or "").casefold() == "step" else "move", cost=event.cost)
            cost = cost_word(event.cost, "move") or MOVE
            return _with_declaration(state, _make_act(state, fact, event.combatant, action, cost))
        case ActionHeld(combatant=who, action=held):
            price = act_cost(state, state.combatants[who], held) if held else STANDARD
            action = Action(kind="hold", name=held.kind if held else None)
            return _make_act(state, fact, who, action, price if price in (MOVE, FREE) else STANDARD)
        case AttackRolled() if is_a(fact, AttackRolled):
            return implied_attack(state, fact)
    return None


def _make_act(state: MasterState, fact: Occurrence[Fact], who: str, action: Action, cost: str) -> MasterAct:
    own = state.flow.number(who) if cost not in IMMEDIATE and has_turn(state, who) else 0
    in_place = cost == ATTACK and own
    slot = sum(each.slot >= 0 and not each.declared for each in acts_of_turn(state, who)) if in_place else -1
    return MasterAct(
        seq=fact.seq,
        combatant=who,
        action=action,
        point=fact.point,
        kind=action.plain_kind,
        cost=cost,
        own=own,
        slot=slot,
        bonus=attack_bonus(state.combatants[who], max(0, slot)),
        trigger=getattr(fact.event, "trigger", None) or getattr(fact.event, "cause", None) or 0,
        square=square_of(state, who),
    )


def _with_declaration(state: MasterState, act: MasterAct) -> MasterAct:
    """Return an act with the declaration of its turn that it carries out, if there is one."""
    own = acts_of_turn(state, act.combatant) if act.own else []
    kinds_ = (act.kind, *(("move",) if act.kind == "step" else ()))
    said = (each for each in own if each.seq in state.flow.declared and each.kind in kinds_)
    found = next((each for each in said if all(other.declared != each.seq for other in own)), None)
    return structs.replace(act, declared=found.seq, slot=found.slot, bonus=found.bonus) if found else act


def act_of_carried_move(state: MasterState, fact: Occurrence[Moved]) -> MasterAct | None:
    """Return the act of which a move is part: the act that it names, else the charge or trample that it follows."""
    event = fact.event
    if event.cause or event.cost:
        behind = act_at(state, fact.cause)
        return behind if behind and behind.kind in CARRIES and event.plain_cost != HELD else None
    own = acts_of_turn(state, event.combatant) if has_turn(state, event.combatant) else []
    last = own[-1] if own else None
    return last if last and last.kind in ("charge", "trample") and last.seq not in state.flow.carried.values() else None


def act_at(state: MasterState, cause: int) -> MasterAct | None:
    """Return the act at a record, else the act among its causes; None if there is none."""
    return state.flow.acts.get(find_origin(state, cause, state.flow.acts))


def act_behind(state: MasterState, fact: Occurrence[Fact]) -> MasterAct | None:
    """Return the act of a roll or an outcome: its cause; for a roll without one, the only possible act."""
    if not is_a(fact, AttackRolled):
        return act_at(state, fact.cause)
    found = possible_acts_behind(state, fact)
    return found[0] if len(found) == 1 else None


def possible_acts_behind(state: MasterState, fact: Occurrence[AttackRolled]) -> list[MasterAct]:
    """Return the acts to which an attack roll may belong: its cause, acts without a roll, else the last with one."""
    if fact.event.cause:
        return [*filter(None, [act_at(state, fact.cause)])]
    now = (act for act in state.round.acts if act.point == fact.point and act.combatant == fact.event.combatant)
    own = [act for act in now if act.kind in (*BLOWS, *TOUCHES, *ROLLS)]
    waiting = [act for act in own if awaits_roll(state, act, fact)]  # rolls come in their order; some spells have none
    fitting = [act for act in waiting if act.kind not in ROLLS or is_aimed(act.action, fact.event)]
    is_next = fitting and fitting[0].kind not in ROLLS and is_aimed(fitting[0].action, fact.event)
    return fitting[:1] if is_next else fitting or own[-1:]


def awaits_roll(state: MasterState, act: MasterAct, fact: Occurrence[AttackRolled]) -> bool:
    """Say whether an act has had no attack roll before this one; each roll of a charge is an attack of its own."""
    return act.kind != "charge" and not any(state.precedes(seq, fact.seq) for seq in state.flow.rolled.get(act.seq, ()))


def is_aimed(action: Action, event: AttackRolled) -> bool:
    """Say whether an act has the target of an attack roll, and the weapon or spell that the roll names."""
    at = not action.targets or event.target is None or event.target in action.targets
    return at and (action.name is None or event.name is None or action.name.casefold() == event.name.casefold())


def implied_attack(state: MasterState, fact: Occurrence[AttackRolled]) -> MasterAct | None:
    """Return the attack action that an attack roll implies, as it has no act or its act has had a roll; else None."""
    event = fact.event
    if event.confirms or not has_turn(state, event.combatant):
        return None
    found, after = possible_acts_behind(state, fact), 0
    for act in found[:1]:
        counts = act.own if act.kind in BLOWS else act.kind in TOUCHES and not event.cause
        if not counts or awaits_roll(state, act, fact):
            return None
        after = next(iter(state.flow.rolled.get(act.seq, ())), 0)
    action = Action(kind="attack", name=event.name, targets=(event.target,) if event.target else ())
    return structs.replace(_make_act(state, fact, event.combatant, action, ATTACK), after=after)


def act_of_roll(state: MasterState, fact: Occurrence[Fact]) -> MasterAct | None:
    """Return the act to which a kept attack roll belongs; each of several rolls of a held action has its own bonus."""
    act = state.flow.acts.get(fact.seq) or act_behind(state, fact)
    if act and act.cost == HELD and act.kind in BLOWS:
        number = state.flow.rolled[act.seq].index(fact.seq)
        return structs.replace(act, bonus=attack_bonus(state.combatants[act.combatant], number))
    return act


class TurnBudget(Struct):
    """The actions that a turn has left, and the acts that spent the others."""

    move: int = 1
    standard: int = 1
    swift: int = 1
    attacks: int | None = None
    """The attack actions left; None unless the standard action was used for attacks."""
    short: bool = False
    """Whether the standard action had been spent otherwise when the first attack action was."""
    moves: list[MasterAct] = []
    """The acts that cost a move action."""
    seconds: list[MasterAct] = []
    """The acts among them that cost the standard action, as no move action was left."""
    standards: list[MasterAct] = []
    swifts: list[MasterAct] = []
    attacked: list[MasterAct] = []
    """The acts that cost an attack action."""
    trade: MasterAct | None = None
    """The act for which the standard action was given up as a second move."""
    full: MasterAct | None = None
    """The full-round action that takes the turn."""


@derives("turn.action-kinds", "standard.traded-for-move", "standard.attacks-in-place")
def budget_after(one: Combatant, done: Iterable[MasterAct]) -> TurnBudget:
    """Return the budget that these acts of one turn leave; nothing falls below 0."""
    left, slots = TurnBudget(), len(attack_bonuses(one).value)
    for act in done:
        if not act.declared:
            _spend(left, act, slots)
    return left


def _spend(left: TurnBudget, act: MasterAct, slots: int) -> None:
    """Spend the cost of an act; one of any other cost spends nothing of the turn."""
    if act.cost == MOVE:
        if not left.move and may_trade_standard(left, act):
            left.trade = act if left.standard else left.trade
            left.seconds.append(act)
            left.standard = 0
        left.moves.append(act)
        left.move = 0
    elif act.cost == STANDARD:  # an act that a move action buys gives it up for a second move
        left.trade = act if _usual_cost(act.kind) == MOVE and left.standard else left.trade
        left.standards.append(act)
        left.standard = 0
    elif act.cost == ATTACK:  # the first one turns the standard action into as many as the combatant has
        left.attacked.append(act)
        left.short |= left.attacks is None and not left.standard
        left.attacks = max(0, (slots * left.standard if left.attacks is None else left.attacks) - 1)
        left.standard = 0
    elif act.cost == FULL:  # a charge leaves the swift action, and gives the attack actions at its end
        left.attacks = slots if act.kind == "charge" and left.standard else left.attacks
        left.full = left.full or act
        left.move = left.standard = 0
        left.swift *= act.kind == "charge"
    elif act.cost == SWIFT:
        left.swift = 0
        left.swifts.append(act)


def may_trade_standard(left: TurnBudget, act: MasterAct) -> bool:
    """Say whether a second move may cost the standard action: not at a recorded cost if a step is among them."""
    return act.action.cost is None or not any(each.kind == "step" for each in (*left.moves, act))


@memoize
def budget_of(state: MasterState, who: str) -> TurnBudget:
    """Return the budget of the turn that a combatant took last."""
    return budget_after(state.combatants[who], acts_of_turn(state, who))


def amount_left(state: MasterState, who: str, what: str) -> Derived[int]:
    """Return how much of an action a combatant has left; 0 outside its turn."""
    found = amount_left_of_last_turn(state, who, what)
    if has_turn(state, who):
        return found
    return Derived(0, Because(("turn.action-kinds",), (turn_end_record(state, who, had=found.value > 0),)))


def amount_left_of_last_turn(state: MasterState, who: str, what: str) -> Derived[int]:
    """Return how much of an action a combatant's last turn has left, and what spent it; 0 if it cannot act."""
    one = state.combatants[who]
    if not can_act(state, who):
        return Derived(0, Because(budget_after.rules, (one.joined,), (one.standing,)))
    number, spenders = _number_and_spenders(one, budget_of(state, who), what)
    records, options = _spending_records(state, who, what, spenders), price_options(acts_of_turn(state, who))
    turn, of = (turn_records(state, who), (one.standing,)) if number else ((), ())
    return Derived(number, Because(budget_after.rules, (*turn, *records), of, options=options))


def _number_and_spenders(one: Combatant, left: TurnBudget, what: str) -> tuple[int, list[MasterAct]]:
    """Return how much of an action a turn has left, and the acts that spent it; attacks go with the standard action."""
    whole = [*left.standards, *left.attacked, *((*left.moves[:1], *left.seconds[:1]) if left.seconds else ())]
    attacks = len(attack_bonuses(one).value) * left.standard if left.attacks is None else left.attacks
    return {
        MOVE: (left.move, left.moves),
        STANDARD: (left.standard, whole),
        SWIFT: (left.swift, left.swifts),
        "attacks": (attacks, whole if left.attacks is None or left.short else left.attacked),
    }[what]


def _spending_records(state: MasterState, who: str, what: str, spenders: Iterable[MasterAct]) -> tuple[int, ...]:
    """Return the records that spent an action: the acts, their rolls and declarations, and a full-round action."""
    full = budget_of(state, who).full
    taking = [full] if full and not (what == SWIFT and full.kind == "charge") else []
    done = {act.declared: act.seq for act in reversed(state.flow.own_acts.get(who, ()))}
    records = (seq for act in (*spenders, *taking) for seq in (act.seq, act.after, done.get(act.seq, 0)) if seq)
    parts = state.flow.carried.items() if taking and what == MOVE else ()
    return (*records, *(seq for seq, by in parts if by == taking[0].seq))


def price_options(done: Iterable[MasterAct]) -> dict[str, str]:
    """Return the options on which the prices of these acts depend."""
    return {name: value for act in done for name, value in act.asked.items()}
