"""Effects run on the clock of whoever brought them about: each place of theirs that comes or goes by is five seconds."""

from collections.abc import Iterable, Iterator
from typing import Any

from eventstore.events import (
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    RulingMade,
    SheetChanged,
)
from eventstore.shapes import LARGEST, Duration
from projections.folds.effects import end
from projections.mechanics.conditions import Effect, matching
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.sheet import CALENDAR, ROUND
from projections.rulesets.nameless_journey.state import Ended, Key, NamelessState, Running
from projections.rulesets.nameless_journey.vitals import is_out
from projections.rulesets.ruleset import derives
from projections.time import Length

Begun = EffectStarted | ConditionGained
Felling = DamageDealt | CombatantLeft | RulingMade | SheetChanged | EffectStarted | ConditionGained


@derives("effect.seconds-or-rounds", "round.twelve-a-minute")
def seconds_of(said: Duration) -> int | None:
    """Return a duration in seconds, whatever its unit; None where the unit is unknown here."""
    return CALENDAR.count(Length(said.amount, said.unit), "second")


@derives("effect.seconds-or-rounds", on=(EffectStarted, ConditionGained))
def effect_is_counted(state: NamelessState, fact: Occurrence[Begun]) -> None:
    """Put what has a duration on its clock; rounds stay rounds, any other unit becomes seconds."""
    said = fact.event.duration
    seconds = seconds_of(said) if said else None
    for key, effect in _begun_by(state, fact):
        if said is None or seconds is None:
            effect.left = None
            continue
        rounds = said.unit == "round"
        effect.left = max(-LARGEST, min(LARGEST, said.amount if rounds else seconds))
        effect.duration = Duration(amount=effect.left, unit="round" if rounds else "second", of=said.of)
        state.clocks[key] = _clock_of(state, fact, effect)
    _end(
        state,
        [key for key, _ in _begun_by(state, fact) if key in state.clocks and seconds is not None and seconds <= 0],
        fact.seq,
    )


def _begun_by(state: NamelessState, fact: Occurrence[Begun]) -> Iterator[tuple[Key, Effect]]:
    among = state.effects if isinstance(fact.event, EffectStarted) else state.conditions
    keys = ((fact.seq, bearer) for bearer in fact.event.targets or ("",))
    yield from ((key, among[key]) for key in keys if key in among)


@derives("effect.counts-from-originators-turn")
def _clock_of(state: NamelessState, fact: Occurrence[Begun], effect: Effect) -> Running:
    """Return the clock of an effect: of its originator, who may be known by the act; of nobody, of the turn it began in."""
    said = effect.duration
    named = (fact.event.source, _author(state, fact), said.of if said else None)
    who = next((w for w in named if w in state.combatants), None)
    brief = state.option("odd-duration") == "round-down" and 0 < seconds_left(effect) < ROUND
    if who:
        elsewhere = who != state.clock.turn and who not in state.clock.together
        skip = 1 if elsewhere and state.option("off-turn-zero") == "turn-after" else 0
        return Running(effect, who, own=True, skip=skip, brief=brief)
    acting = state.turns[-1].combatant if state.turns else ""
    owner = acting if state.option("no-originator") == "turn-it-began-in" else ""
    return Running(effect, owner, own=False, brief=brief)


def _author(state: NamelessState, fact: Occurrence[Begun]) -> str | None:
    """Return whose attack, spell or trait brought an effect about; who opens a chest is not behind the trap in it."""
    act = state.known.get(fact.event.cause or 0)
    return act.combatant if act and act.action.kind.casefold() in ("attack", "cast", "trait") else None


def seconds_left(effect: Effect) -> int:
    """Return the seconds that an effect has left."""
    left = effect.left or 0
    return left * ROUND if effect.duration and effect.duration.unit == "round" else left


@derives("effect.ends-at-turn-start")
def count_off(state: NamelessState, owner: str, seq: int) -> None:
    """Count five seconds off whatever runs on somebody's clock, and end what is over with them."""
    over = []
    for key, running in state.clocks.items():
        if running.owner != owner:
            continue
        if running.skip:
            running.skip -= 1
            continue
        effect = running.effect
        rounds = effect.duration is not None and effect.duration.unit == "round"
        effect.left = (effect.left or 0) - (1 if rounds else ROUND)
        effect.ticked_by = (seq,)
        if is_run_out(state, effect):
            over.append(key)
    _end(state, over, seq)


@derives("effect.ends-at-turn-start")
def is_run_out(state: NamelessState, effect: Effect) -> bool:
    """Say whether an effect is over at this place: its time is up, or by option no further place lies within it."""
    return seconds_left(effect) < (ROUND if state.option("odd-duration") == "round-down" else 1)


def end_brief(state: NamelessState, seq: int) -> None:
    """End, as a turn is over, what lasts less than five seconds and by option ends with the turn it began in."""
    _end(state, [key for key, running in state.clocks.items() if running.brief], seq)


@derives(
    "effect.counts-from-originators-turn",
    on=(DamageDealt, CombatantLeft, RulingMade, SheetChanged, EffectStarted, ConditionGained),
)
def originator_is_out(state: NamelessState, fact: Occurrence[Felling]) -> None:
    """End, by option, the effects of whoever is out."""
    if state.option("absent-originator") == "ends-at-once":
        own = [key for key, running in state.clocks.items() if running.own and is_out(state, running.owner)]
        _end(state, own, fact.seq)


@derives("effect.ends-at-turn-start", on=EffectEnded)
def expiry_is_a_claim(state: NamelessState, fact: Occurrence[EffectEnded]) -> None:
    """Put back what somebody wrote down as expired before its time; any other reason ends an effect."""
    for key, running in list(state.clocks.items()):
        if key in state.effects or key in state.conditions:
            continue
        if is_expiry(fact.event):
            state.effects[key] = running.effect
        else:
            del state.clocks[key]


@derives("effect.ends-at-turn-start", on=(CombatantLeft, ConditionGained, ConditionLost, RulingMade))
def what_is_gone_has_no_clock(state: NamelessState, _fact: Occurrence[Any]) -> None:
    """Forget the clocks of what a fact has ended."""
    for key in [key for key in state.clocks if key not in state.effects and key not in state.conditions]:
        del state.clocks[key]


def is_expiry(event: EffectEnded) -> bool:
    """Say whether an effect is said to have run out, which is a claim."""
    return (event.reason or "").strip().casefold().startswith("expired")


@derives("effect.counts-from-originators-turn", on=RulingMade)
def ruling_gives_time(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """Put what a ruling began, or gave a time, on the clock of its originator, else of the present turn."""
    if fact.event.ruling != "override":
        return
    for among in (state.effects, state.conditions):
        for key, effect in among.items():
            if effect.left is not None and key not in state.clocks and fact.seq in effect.ticked_by:
                owner = effect.source or (state.turns[-1].combatant if state.turns else "")
                state.clocks[key] = Running(effect, owner, own=bool(effect.source))


def _end(state: NamelessState, keys: Iterable[Key], seq: int) -> None:
    """End effects and conditions whose time is up, with what ends with them, and keep when that was."""
    going = list(keys)
    if not going:
        return
    before = dict(state.effects)
    end(state, going)
    gone = {key: effect for key, effect in before.items() if key not in state.effects}
    gone |= {key: state.conditions.pop(key) for key in going if key in state.conditions}
    for key, effect in gone.items():
        running = state.clocks.pop(key, None)
        owner = running.owner if running else ""
        state.ended[key] = state.last_ended[key[0]] = Ended(effect, seq, state.turn_seq, owner, state.clock.round)
    state.over |= gone
    for key in going:
        state.clocks.pop(key, None)


def found_over(state: NamelessState, event: EffectEnded) -> list[Ended]:
    """Return what ran out among the effects that somebody says have ended."""
    among = {key: ended.effect for key, ended in state.ended.items()}
    return [state.ended[key] for key in matching(among, event.effect, event.targets, event.source)]


@derives("effect.ends-at-turn-start")
def ends(state: NamelessState, key: Key) -> tuple[str, int] | None:
    """Return on whose place, and in which round, an effect ends or ended; None where it has no time."""
    if key in state.ended:
        return state.ended[key].owner, state.ended[key].round
    running = state.clocks.get(key)
    if running is None:
        return None
    seconds = seconds_left(running.effect)
    down = state.option("odd-duration") == "round-down"
    count = running.skip + max(1, seconds // ROUND if down else -(-seconds // ROUND))
    passed = not running.owner or running.owner in state.counted
    return running.owner, max(1, state.clock.round) + count - (0 if passed else 1)
