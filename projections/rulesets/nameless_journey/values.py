"""What else can be stated here: totals, seconds, what is left, feet covered, when an effect ends, who is due."""

import re
from typing import Any

from projections.because import Because
from projections.mechanics.conditions import of
from projections.rulesets.nameless_journey.effects import count_off, ends, seconds_of
from projections.rulesets.nameless_journey.moves import left_in, modes, price, speeds
from projections.rulesets.nameless_journey.order import order_because
from projections.rulesets.nameless_journey.resources import ON_TURN, REACTION, are_whole_again, left, reactions_left
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.nameless_journey.turns import arrival, due, minutes_of, newcomer_is_put_in, second_of
from projections.state import Combatant

Value = tuple[Any, Because]
NOTHING = "none"


def value(state: NamelessState, address: str) -> Value | None:
    """Return the value at an address of this ruleset.

    `second` and `minute` of the present round, `round.N.second`, `round.N.minute`, `due`; `<id>.initiative`,
    `<id>.first-turn` (its round), `<id>.left.<resource or mode>` (`<id>.budget.…` means the same), `<id>.moved` (feet in
    this turn), `<id>.stretch` (feet of the last one), `<id>.effects`, `<id>.conditions`; `<id>.effects.<name>.ends` and
    `effects.<name>.ends` (on whose place, in which round).
    """
    head, _, field = address.partition(".")
    if one := state.combatants.get(head):
        return _of_combatant(state, one, field)
    if head == "effects" and field.endswith(".ends"):
        return _ends(state, "", field.removesuffix(".ends"))
    if address == "due":
        rules = Because(arrival.rules, state.clock.events or (1,))
        return due(state), sum((order_because(state, who) for who in due(state)), rules)
    return _of_round(state, address)


def _of_round(state: NamelessState, address: str) -> Value | None:
    if address in ("second", "minute"):
        address = f"round.{max(1, state.clock.round)}.{address}"
    head, _, rest = address.partition(".")
    number, _, field = rest.partition(".")
    if head != "round" or field not in ("second", "minute") or not re.fullmatch("[1-9][0-9]{0,8}", number):
        return None
    rule = second_of if field == "second" else minutes_of
    return rule(int(number)), Because(rule.rules, state.clock.events or (1,))


def _of_combatant(state: NamelessState, one: Combatant, field: str) -> Value | None:
    if field in ("effects", "conditions"):
        return _borne(state, one, field)
    if field.startswith(("left.", "budget.")):
        return _left(state, one, field.partition(".")[2])
    if field.startswith("effects.") and field.endswith(".ends"):
        return _ends(state, one.id, field.removeprefix("effects.").removesuffix(".ends"))
    if field == "initiative":
        roll = state.rolls.get(one.id)
        return (roll.total if roll else NOTHING), _because_roll(state, one)
    if field == "first-turn" and one.id in state.first_rounds:
        return state.first_rounds[one.id], Because(newcomer_is_put_in.rules, (state.rolls[one.id].seq,))
    return _ground(state, one, field)


def _borne(state: NamelessState, one: Combatant, field: str) -> Value:
    """Return what somebody bears; what a wrong statement of it breaks is the rule on when effects end."""
    found = of(state.effects if field == "effects" else state.conditions, one.id)
    ruled = Because(("log.ruling",), (one.ruled[field],)) if field in one.ruled else Because()
    events = (one.joined, *(seq for effect in found for seq in (effect.seq, *effect.ticked_by)))
    return [effect.name for effect in found], Because(count_off.rules, tuple(sorted({*events}))) + ruled


def _because_roll(state: NamelessState, one: Combatant) -> Because:
    roll = state.rolls.get(one.id)
    return Because(("initiative.d20-plus-dexterity",), (roll.seq if roll else one.joined,))


def _left(state: NamelessState, one: Combatant, what: str) -> Value | None:
    turn = Because((), (state.turn_seq or one.joined,))
    paid = Because((), tuple(state.paid.get((one.id, what), ())))
    if what == REACTION:
        because = Because(reactions_left.rules) + turn + paid
        return reactions_left(state, one), because + Because((), (), state.chosen("reaction-returns"))
    if what in ON_TURN:
        return left(state, one, what), Because((_RULES[what], *are_whole_again.rules[:1])) + turn + paid
    if what not in modes(state, one):
        return None
    stretches = Because((), tuple(each.seq for each in state.stretches if each.combatant == one.id and each.counts))
    several = left_in.rules if len(speeds(one)) > 1 else ("move.within-speed",)
    return left_in(state, one, what), Because((*several, *speeds.rules)) + turn + stretches


_RULES = {"action": "turn.one-action", "quick-action": "turn.one-quick-action", "interaction": "turn.one-interaction"}


def _ground(state: NamelessState, one: Combatant, field: str) -> Value | None:
    own = [each for each in state.stretches if each.combatant == one.id]
    if field == "stretch" and own:
        return own[-1].feet, Because(price.rules, (own[-1].seq,), state.chosen("grid"))
    if field == "moved":
        because = Because(left_in.rules, (state.turn_seq or one.joined, *(each.seq for each in own)))
        return sum(state.feet.get(one.id, {}).values()), because
    return None


def _ends(state: NamelessState, bearer: str, name: str) -> Value | None:
    """Return on whose place and in which round the last effect of a name on a bearer ends, or ended."""
    known = {key: running.effect for key, running in state.clocks.items()}
    known = {key: one.effect for key, one in state.ended.items()} | known
    keys = [k for k, effect in known.items() if k[1] == bearer and effect.name.casefold() == name.casefold()]
    if not keys:
        return None
    key = max(keys)
    found = ends(state, key)
    if found is None:
        return None
    where = f"{found[0] or 'round'} in round {found[1]}"
    rules = (*count_off.rules, "effect.counts-from-originators-turn", *seconds_of.rules)
    options = state.chosen("off-turn-zero", "absent-originator", "no-originator", "odd-duration")
    return where, Because(rules, (key[0], *known[key].ticked_by), options)
