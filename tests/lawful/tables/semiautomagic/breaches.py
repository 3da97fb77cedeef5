"""How one rule is broken: each function records one fact that breaks a rule, and returns its id, or nothing where none fits."""

from collections.abc import Callable, Iterable
from typing import Any

from tests.lawful.tables.semiautomagic.people import SPELLS, Act, Flight, One, Turn
from tests.lawful.tables.semiautomagic.turns import Table

Breach = Callable[[Table], str]
BREACHES: list[Breach] = []
"""All of them."""

MOVE = {"kind": "move"}


def breach(told: Breach) -> Breach:
    """Keep a way to break a rule."""
    BREACHES.append(told)
    return told


def one_of(table: Table, found: Iterable[Any]) -> Any:
    """Return one of what is found; None if nothing is."""
    listed = list(found)
    return table.dice.choice(listed) if listed else None


def on_turn(table: Table) -> tuple[One, Turn] | None:
    """Return who has the turn being played, if it may act in it."""
    turn = table.stack[-1] if table.stack else None
    return (table.all[turn.who], turn) if turn and not table.all[turn.who].out else None


def others(table: Table) -> list[One]:
    """Return those in the fight whose turn is neither played nor broken into, nor the last that was."""
    on = {table.latest, *(turn.who for turn in table.stack)}
    return [one for one in table.present() if not one.out and one.id not in on]


def rest(one: One, turn: Turn) -> int:
    """Return the seconds of a turn that go to the action of an earlier one."""
    return turn.carried or (max(0, min(6, one.running.last - turn.zero)) if one.running else 0)


def does(table: Table, one: One, action: dict[str, Any], second: int | None = None) -> None:
    """Record an action."""
    table.tell("action_taken", second=second, combatant=one.id, action=action)


def occurs(table: Table, flight: Flight, second: int | None) -> None:
    """Record that an effect occurs."""
    act = flight.act
    cause = act.seq if table.chance(0.7) else None
    table.tell("effect_started", second=second, effect=act.name, source=act.who, cause=cause)


# ---------------------------------------------------------------- initiative and turns


@breach
def a_turn_before_all_have_checked(table: Table) -> str:
    """The first turn comes up while a combatant has made no check."""
    unplaced = any(one.total is None for one in table.all.values())
    if table.round or not table.places or not unplaced or any(map(table.owes, table.all.values())):
        return ""
    table.tell("turn_started", combatant=table.places[0])
    return "initiative.before-first-turn"


@breach
def a_wrong_total(table: Table) -> str:
    """A check is recorded as more than its sum."""
    one = one_of(table, (one for one in table.present() if one.total is None))
    if one is None:
        return ""
    table.check(one, 4, total=4 + one.dexterity + table.dice.choice((-1, 1, 2)))
    return "initiative.reflex-plus-dexterity"


@breach
def a_second_check(table: Table) -> str:
    """A combatant checks again without a draw."""
    one = one_of(table, (one for one in table.present() if one.total is not None and not table.owes(one)))
    if one is None:
        return ""
    table.check(one, table.dice.randint(1, 6))
    return "initiative.reflex-plus-dexterity"


@breach
def an_open_draw(table: Table) -> str:
    """The first turn comes up while a draw for it is open."""
    all_placed = all(one.total is not None for one in table.all.values())
    if table.round or not table.places or not all_placed or not table.owes(table.all[table.places[0]]):
        return ""
    table.tell("turn_started", combatant=table.places[0])
    return "initiative.tie-rerolled"


@breach
def somebody_is_jumped(table: Table) -> str:
    """The turn of the second of those who are due comes up."""
    if any(table.owes(one) or one.total is None for one in table.all.values()) or table.waiting():
        return ""
    anybody = [table.all[name] for name in table.places if not table.all[name].out]
    queue = table.due() or anybody
    opens = not table.due()
    if len(queue) < 2 or (opens and table.round and not queue[0].turns):
        return ""
    first, second = queue[:2]
    level = first.total == second.total
    if level and (first.fresh or table.is_moved or table.has("reroll-place")):
        return ""
    table.tell("turn_started", combatant=second.id)
    if level:
        return "initiative.tie-rerolled"
    return "initiative.late-arrival" if first.fresh and not opens else "initiative.highest-first"


@breach
def two_turns_in_a_round(table: Table) -> str:
    """A combatant who had a turn in this round has another, while others are due."""
    due = table.due()
    last = table.places.index(due[0].id) if due else 0
    one = one_of(table, (one for one in others(table) if one.had and table.places.index(one.id) < last))
    if one is None or table.waiting():
        return ""
    table.tell("turn_started", combatant=one.id)
    return "round.one-turn-each"


@breach
def a_place_gone_by(table: Table) -> str:
    """A newcomer has a turn though its place had gone by; where it acts next, another combatant has one in its stead."""
    if waiting := table.waiting():
        one = one_of(table, (one for one in table.due() if one not in waiting))
        if one is None or one is not table.due()[0]:
            return ""
    else:
        one = one_of(table, (one for one in others(table) if one.blocked and not one.had and not one.out))
        if one is None or not table.due():
            return ""
    table.tell("turn_started", combatant=one.id)
    return "initiative.late-arrival"


@breach
def a_newcomer_without_a_check(table: Table) -> str:
    """A newcomer has a turn and has made no check."""
    one = one_of(table, (one for one in table.present() if one.total is None))
    if one is None or not table.round:
        return ""
    table.tell("turn_started", combatant=one.id)
    return "initiative.late-arrival-rolls"


@breach
def put_off_elsewhere(table: Table) -> str:
    """A combatant puts a turn off that has not come up."""
    one = one_of(table, (one for one in others(table) if not one.hand))
    if one is None or not table.round:
        return ""
    table.tell("turn_delayed", combatant=one.id)
    return "delay.turn-put-off"


@breach
def put_off_in_part(table: Table) -> str:
    """A combatant acts and puts off the rest."""
    now = on_turn(table)
    if now is None or now[1].is_delayed or all(act.kind == "wait" for act in now[1].acts):
        return ""
    table.tell("turn_delayed", combatant=now[0].id)
    return "delay.whole-turn"


@breach
def taken_with_none_in_hand(table: Table) -> str:
    """A combatant takes a turn that it has not put off."""
    one = one_of(table, (one for one in others(table) if not one.hand and one.total is not None))
    turn = table.stack[-1] if table.stack else None
    filled_from_before = turn and turn.spent and not turn.acts  # is it at the start of that turn, or after it?
    if one is None or not table.round or filled_from_before or (turn and table.all[turn.who].running):
        return ""
    table.tell("turn_resumed", second=turn.spent if turn and turn.spent < 6 else None, combatant=one.id)
    return "delay.taken-before-next-turn"


@breach
def taken_while_an_action_runs(table: Table) -> str:
    """A delayed turn breaks into an action."""
    late, now = one_of(table, (one for one in others(table) if one.hand)), on_turn(table)
    if late is None or now is None:
        return ""
    turn = now[1]
    act: Act | None = turn.acts[-1] if turn.acts and (turn.spent < 6 or len(table.stack) == 1) else None
    has_begun = table.fight.facts[-1]["type"] == "turn_started"
    if not turn.acts and rest(*now) and has_begun:
        table.tell("turn_resumed", second=table.dice.choice((None, 0, rest(*now) - 1)), combatant=late.id)
    elif act and act.kind != "wait" and min(act.last, turn.zero + 6) > act.first > turn.zero + turn.broken:
        second = table.dice.randint(act.first, min(act.last, turn.zero + 6) - 1) - turn.zero
        table.tell("turn_resumed", second=second, combatant=late.id)
    else:
        return ""
    return "delay.interrupts-between-actions"


# ---------------------------------------------------------------- seconds


@breach
def a_second_before_the_break(table: Table) -> str:
    """A combatant whose turn was broken into acts in a second before that."""
    now = on_turn(table)
    if now is None or now[1].broken <= now[1].carried or now[1].spent == 6:
        return ""
    does(table, now[0], MOVE, table.dice.randint(now[1].carried + 1, now[1].broken))
    return "delay.other-finishes"


@breach
def a_second_that_is_held(table: Table) -> str:
    """A combatant moves in a second of something else that it does in this turn."""
    now = on_turn(table)
    acts = [act for act in now[1].acts if act.kind != "wait" and act.first > now[1].zero + now[1].broken] if now else []
    act: Act | None = one_of(table, acts)
    if now is None or act is None:
        return ""
    second = table.dice.randint(act.first, min(act.last, now[1].zero + 6)) - now[1].zero
    does(table, now[0], MOVE, second)
    return "action.consecutive-seconds" if act.last > act.first else "turn.six-second-budget"


@breach
def a_second_too_many(table: Table) -> str:
    """A combatant acts in a second that no turn has, or after the last of its own."""
    now = on_turn(table)
    if now is None or rest(*now) == 6:
        return ""
    if now[1].spent == 6:
        does(table, now[0], MOVE)
    else:
        does(table, now[0], MOVE, table.dice.choice((0, 7, 9)))
    return "turn.six-second-budget"


@breach
def an_action_out_of_turn(table: Table) -> str:
    """A combatant acts, or does a trifle, outside its turn."""
    one = one_of(table, (one for one in others(table) if not one.running))
    if one is None or not table.round:
        return ""
    if table.chance(0.5) and not table.has("zero-second-off-turn"):
        table.trifle(one)
        return "zero-second.own-turn"
    does(table, one, MOVE)
    return "action.own-turn"


@breach
def an_outcome_too_early(table: Table) -> str:
    """An action that still runs brings something already."""

    def runs(one: One) -> bool:
        act = one.running
        if act is None or any(flight.act is act for flight in one.flights):
            return False
        return act.last > 6 * (one.turns - bool(one.hand))

    one: One | None = one_of(table, (one for one in table.all.values() if runs(one)))
    if one is None or one.running is None:
        return ""
    table.outcome(one.running.seq)
    return "action.runs-on-into-next-round"


@breach
def an_outcome_of_nothing(table: Table) -> str:
    """An action that was given up or lost brings something all the same."""
    act: Act | None = one_of(table, table.ended)
    if act is None:
        return ""
    table.outcome(act.seq)
    return "action.consecutive-seconds"


@breach
def a_second_of_what_runs_on(table: Table) -> str:
    """A combatant moves in a second that an action from the turn before needs."""
    now = on_turn(table)
    if now is None or not rest(*now) or now[1].acts:
        return ""
    does(table, now[0], MOVE, table.dice.randint(1, rest(*now)))
    return "action.run-on-comes-first"


@breach
def a_wrong_time(table: Table) -> str:
    """An action is recorded with other seconds than it takes, or with none where nothing says how many."""
    now = on_turn(table)
    if now is None or max(now[1].spent, rest(*now)) > 4:
        return ""
    rule, action = table.dice.choice(
        (
            ("action.times", {"kind": "draw", "time": 2}),
            ("action.times", {"kind": "attack", "time": 1}),
            ("action.times", {"kind": "other", "name": "knots"}),
            ("action.times", {"kind": "other", "name": "knots", "time": -1}),
            ("action.times", {"kind": "talk", "time": 1}),
            ("action.run-three-or-longer", {"kind": "run", "time": 2}),
            ("action.run-three-or-longer", {"kind": "run", "time": 1}),
        )
    )
    spell = one_of(table, now[0].entries)
    if spell and table.chance(0.4):
        rule, action = "action.times", {"kind": "cast", "name": spell, "time": now[0].entries[spell][0] + 1}
    does(table, now[0], action)
    return rule


# ---------------------------------------------------------------- effects


@breach
def an_effect_at_another_second(table: Table) -> str:
    """An effect occurs in the turn of its originator, and not when it is due."""
    now = on_turn(table)
    if now is None or table.is_clockless(now[1]):
        return ""
    one, turn = now
    flights = [
        each for each in one.flights if each.state == "begun" and each.act.state == "done" and each.due > turn.zero
    ]
    later = [each for each in flights if each.act.last <= turn.zero]
    flight: Flight | None = one_of(table, later or flights)
    if flight is None:
        return ""
    low = max(1, turn.spent, flight.act.last - turn.zero)
    second = one_of(table, (each for each in range(low, 7) if each != flight.due - turn.zero))
    if second is None:
        return ""
    occurs(table, flight, second)
    same = flight.act.last > turn.zero
    return f"delayed-effect.{'occurs-after-own-seconds' if same else 'runs-on-into-later-turns'}"


@breach
def an_effect_out_of_turn(table: Table) -> str:
    """An effect occurs while its originator's seconds do not run."""
    elsewhere = [one for one in others(table) if not one.hand]
    flights = [each for one in elsewhere for each in one.flights if each.due > 6 * one.turns]
    flight: Flight | None = one_of(
        table, (each for each in flights if each.state == "begun" and each.act.state == "done")
    )
    if flight is None:
        return ""
    occurs(table, flight, None)
    return "delayed-effect.on-own-turn"


@breach
def an_effect_of_nothing(table: Table) -> str:
    """An effect occurs that no action has set off, or whose delay is below 0."""
    now = on_turn(table)
    if now is None or now[1].spent > 2 or rest(*now):
        return ""
    if table.chance(0.5):
        table.tell("effect_started", effect="quake", source=now[0].id)
    else:
        name = one_of(table, (name for name in SPELLS if name not in now[0].entries))
        does(table, now[0], {"kind": "cast", "name": name, "delay": -2})
    return "delayed-effect.occurs-after-own-seconds"


@breach
def an_effect_called_off(table: Table) -> str:
    """What was called off occurs all the same, in its second."""
    now = on_turn(table)
    if now is None:
        return ""
    one, turn = now
    due = range(turn.zero + max(1, turn.spent), turn.zero + 7)
    flight: Flight | None = one_of(
        table, (each for each in one.flights if each.state == "withdrawn" and each.due in due)
    )
    if flight is None:
        return ""
    occurs(table, flight, flight.due - turn.zero)
    return "delayed-effect.occurs-after-own-seconds"


@breach
def an_effect_too_late(table: Table) -> str:
    """An effect is told after something that was begun when it had been due."""
    now = on_turn(table)
    if now is None or not now[1].acts:
        return ""
    one, turn = now
    due = range(turn.zero + 1, turn.acts[-1].first)
    flight: Flight | None = one_of(table, (each for each in one.flights if each.state == "slipped" and each.due in due))
    if flight is None:
        return ""
    occurs(table, flight, flight.due - turn.zero)
    same = flight.act.last > turn.zero
    return f"delayed-effect.{'occurs-after-own-seconds' if same else 'runs-on-into-later-turns'}"


# ---------------------------------------------------------------- hit points and statements


@breach
def less_than_nothing(table: Table) -> str:
    """Damage or healing is below 0."""
    if any(one.running for one in table.all.values()):
        return ""
    kind = table.dice.choice(("damage_dealt", "healed"))
    table.tell(kind, target=table.dice.choice(table.present()).id, amount=-table.dice.randint(1, 9))
    return "health.damage"


@breach
def a_wrong_statement(table: Table) -> str:
    """A statement is wrong."""
    one = one_of(table, (one for one in table.present() if one.total is not None))
    if one is None:
        return ""
    rule, values = table.dice.choice(
        (
            ("health.damage", {f"{one.id}.hp": one.hp + 1}),
            ("round.six-seconds", {"round.4.second": 24}),
            ("initiative.reflex-plus-dexterity", {f"{one.id}.total": 40}),
        )
    )
    table.tell("checked", values=values)
    return str(rule)
