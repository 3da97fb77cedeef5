"""Effects on their originator's clock: each of its places that comes or is passed counts five seconds."""

from collections.abc import Iterator
from typing import cast

from msgspec import structs

from eventstore import events
from eventstore.events import CombatantLeft, ConditionGained, DamageDealt, EffectEnded, EffectStarted, Fact, RulingMade
from eventstore.shapes import LARGEST, Action, Duration
from projections.because import Because, Derived, asked_so_far
from projections.folds import effects as common
from projections.folds.effects import CONDITIONS, EFFECTS, condition_names, effect_names, end_conditions, end_effects
from projections.folds.vitals import status_or_left
from projections.mechanics.conditions import Effect, Key, find_effects
from projections.mechanics.timers import Passed, count_down, start_timer, stop_timer
from projections.occurrence import Occurrence
from projections.ruleset.durations import DurationRules
from projections.ruleset.ruleset import derives
from projections.rulesets.nameless_journey.order import placing_record
from projections.rulesets.nameless_journey.state import CALENDAR, ROUND, EffectTimer, Ended, NamelessState, described
from projections.time import Length

Begun = EffectStarted | ConditionGained
FELLING = (DamageDealt, CombatantLeft, RulingMade, events.SheetChanged, EffectStarted, ConditionGained)
ENDING = (EffectEnded, ConditionGained, events.ConditionLost, CombatantLeft, RulingMade)
"""The types of facts that can end effects other than by time."""
COUNTERSPELL = "counterspell"


@derives("effect.seconds-or-rounds", "round.twelve-a-minute")
def parse_seconds(said: Duration) -> int | None:
    """Return a duration in seconds, from any unit; None if the unit is unknown."""
    return CALENDAR.count_units(Length(said.amount, said.unit), "second")


@derives("effect.counts-from-originators-turn", on=EffectStarted, phase="effects")
def derive_source(state: NamelessState, fact: Occurrence[EffectStarted]) -> None:
    """Give an effect without a source the combatant whose attack, spell, trait or effect caused it."""
    author = None if fact.event.source else _author_of_cause(state, fact.cause)
    if author:
        for _, effect in _effects_begun_by(state, fact):
            effect.source = author


@derives("effect.seconds-or-rounds", on=(EffectStarted, ConditionGained), phase="effects")
def start_effect_timer(state: NamelessState, fact: Occurrence[Begun]) -> None:
    """Start the timer of an effect with a duration; rounds stay rounds, any other unit becomes seconds. A duration
    until the end of the running turn ends with it.
    """
    said = fact.event.duration
    seconds = parse_seconds(said) if said else None
    over: list[tuple[Key, EffectTimer]] = []
    for key, effect in _effects_begun_by(state, fact):
        state.lasting.setdefault(key[0], {})[key[1]] = effect
        if said is None or seconds is None:
            effect.left = None
            continue
        rounds = said.unit == "round"
        effect.left = max(-LARGEST, min(LARGEST, said.amount if rounds else seconds))
        effect.duration = Duration(amount=effect.left, unit="round" if rounds else "second", of=said.of, at=said.at)
        timer = _timer_of_effect(state, fact, effect, said)
        effect.ticked_by = timer.since
        start_timer(state.durations, key, timer)
        if seconds <= 0 and timer.at != "end":
            over.append((key, timer))
    for key, timer in over:
        _end_effect(state, key, fact.seq, Because(parse_seconds.rules), timer)


def _effects_begun_by(state: NamelessState, fact: Occurrence[Begun]) -> Iterator[tuple[Key, Effect]]:
    among = state.effects if isinstance(fact.event, EffectStarted) else state.conditions
    keys = ((fact.seq, bearer) for bearer in fact.event.targets or ("",))
    yield from ((key, among[key]) for key in keys if key in among)


@derives("effect.counts-from-originators-turn")
def _timer_of_effect(state: NamelessState, fact: Occurrence[Begun], effect: Effect, said: Duration) -> EffectTimer:
    """Return the timer of an effect, owned by its originator (who may be known from the act), else by nobody."""
    if said.at == "end" and said.of in state.combatants and said.unit == "round":
        return structs.replace(_make_timer(state, effect, said.of), at="end", own=True)
    named = (effect.source, _author_of_cause(state, fact.cause), said.of)
    who = next((each for each in named if each in state.combatants), None)
    if who is None:
        owner = _acting_combatant(state) if state.option("no-originator") == "turn-it-began-in" else ""
        return structs.replace(_make_timer(state, effect, owner), unsure=not fact.cause)
    skips = not state.clock.is_turn_of(who) and state.option("off-turn-zero") == "turn-after"
    return structs.replace(_make_timer(state, effect, who), skip=int(skips), own=True)


def _make_timer(state: NamelessState, effect: Effect, owner: str) -> EffectTimer:
    """Return a timer in whole rounds, or in seconds of which each place takes five."""
    had, left = state.turns.progress.had.get(owner), effect.left or 0
    since = (placing_record(state, owner), had) if had else ()
    if effect.duration and effect.duration.unit == "round":
        return EffectTimer(effect, owner, since=since)
    down = (left % ROUND or not left) and state.option("odd-duration") == "round-down"
    brief = bool(down) and left < ROUND
    return EffectTimer(effect, owner, step=ROUND, least=ROUND if down else 1, brief=brief, since=since)


def _acting_combatant(state: NamelessState) -> str:
    return state.round.turns[-1].combatant if state.round.turns else ""


def _author_of_cause(state: NamelessState, cause: int) -> str | None:
    """Return whose attack, spell, trait or effect is a cause; one who opens a chest is no source of its trap."""
    seq = origin_of_cause(state, cause)
    if act := state.known.get(seq):
        return act.combatant if act.action.plain_kind in ("attack", "cast", "trait") else None
    begun = (*state.lasting.get(seq, {}).values(), *(ended.effect for ended in state.gone.get(seq, {}).values()))
    return next((effect.source for effect in begun), None)


def has_no_outcome(state: NamelessState, fact: Occurrence[Fact]) -> bool:
    """Return whether an act has no outcome of its own: a Counterspell."""
    act = state.known.get(fact.seq)
    return act is not None and is_counterspell(act.action)


def is_counterspell(action: Action) -> bool:
    """Return whether an act is a Counterspell."""
    return COUNTERSPELL in (action.name or "").casefold().replace(" ", "").replace("-", "")


def origin_of_cause(state: NamelessState, cause: int) -> int:
    """Return a cause; for a roll, the act that it was rolled for."""
    for _ in range(len(state.rolled_for)):
        if cause not in state.rolled_for:
            break
        cause = state.rolled_for[cause]
    return cause


# ---------------------------------------------------------------- time runs out


@derives("effect.ends-at-turn-start")
def count_clock_down(state: NamelessState, owner: str, seq: int, besides: tuple[int, ...] = (), at: str = "") -> None:
    """Count down everything on a combatant's clock by five seconds, and end the effects that are then over; or, `at` the
    end of a turn, those that last until it is over.

    `besides` are further facts that made this the owner's place, or passed it.
    """
    running = state.durations.by_owner.get(owner, {})
    own = [(key, running_timers(state)[key]) for key in running if running_timers(state)[key].at == at]
    over = count_down(state.durations, Passed(owner, at), seq)
    for key, timer in own:
        timer.effect.ticked_by += besides
        if key in over:
            _end_effect(state, key, seq, Because(count_clock_down.rules, (seq, *besides), options=timer.asked), timer)


def end_brief_effects(state: NamelessState, seq: int) -> None:
    """End, when a turn is over, effects below five seconds that by option end with the turn of their beginning."""
    for key, timer in list(running_timers(state).items()):
        if timer.brief:
            _end_effect(state, key, seq, Because(count_clock_down.rules, (seq,), (), timer.asked), timer)


def running_timers(state: NamelessState) -> dict[Key, EffectTimer]:
    """Return the timers that run, by the keys of their effects."""
    return cast("dict[Key, EffectTimer]", state.durations.running)


@derives("effect.counts-from-originators-turn", on=FELLING, phase="consequences")
def end_effects_of_those_out(state: NamelessState, fact: Occurrence[Fact]) -> None:
    """End, by option, the effects of a combatant who is out."""
    rules = (*count_clock_down.rules, *end_effects_of_those_out.rules)
    for key, timer in list(running_timers(state).items()):
        if timer.own and state.is_out(timer.owner):
            at_once = state.option("absent-originator") == "ends-at-once"
            timer.asked = timer.asked | asked_so_far()
            if at_once:
                out = status_or_left(state.combatants[timer.owner])
                _end_effect(state, key, fact.seq, Because(rules, of=(out,)), timer)


def _end_effect(state: NamelessState, key: Key, seq: int, because: Because, timer: EffectTimer) -> None:
    for other, each in (end_effects(state, [key], because) | end_conditions(state, [key], because)).items():
        ended = Ended(other, each, seq, state.turn_seq, state.clock.round, timer.owner, timer.since, ran_out=True)
        _keep_end(state, structs.replace(ended, unsure=timer.unsure, asked=timer.asked, by=because.of))
        state.over[other] = each


def _keep_end(state: NamelessState, ended: Ended) -> None:
    """Keep the end of an effect, for each name, bearer and source only the last."""
    (seq_begun, bearer), effect = ended.key, ended.effect
    left = state.lasting.get(seq_begun, {})
    left.pop(bearer, None)
    if not left:
        state.lasting.pop(seq_begun, None)
    state.gone.setdefault(seq_begun, {})[bearer] = ended
    before = state.ended.pop((effect.called, bearer, effect.source), None)
    state.ended[effect.called, bearer, effect.source] = ended
    if before:
        state.over.pop(before.key, None)


# ---------------------------------------------------------------- ended otherwise


@derives("effect.ends-at-turn-start", on=ENDING, phase="effects")
def keep_other_ends(state: NamelessState, fact: Occurrence[Fact]) -> None:
    """Keep when an effect was ended other than by time: dispelled, renewed, with its bearer, or by a ruling."""
    kept = {(seq, bearer): effect for seq, own in state.lasting.items() for bearer, effect in own.items()}
    for key, effect in kept.items():
        if key not in state.effects and key not in state.conditions:
            _keep_end(state, Ended(key, effect, fact.seq, state.turn_seq, state.clock.round))


@derives("effect.counts-from-originators-turn", on=RulingMade, phase="effects")
def start_timers_by_ruling(state: NamelessState, _fact: Occurrence[RulingMade]) -> None:
    """Start timers, on the originator's clock or else that of the present turn, for effects that a ruling began or gave a
    duration. An effect that a ruling made endless is no longer counted.
    """
    for among in (state.effects, state.conditions):
        for key, effect in among.items():
            state.lasting.setdefault(key[0], {}).setdefault(key[1], effect)
            if effect.left is None:
                stop_timer(state.durations, key)
            elif key not in state.durations:
                timer = _make_timer(state, effect, effect.source or _acting_combatant(state))
                start_timer(state.durations, key, structs.replace(timer, own=bool(effect.source)))


def effects_run_out(state: NamelessState, event: EffectEnded) -> list[Ended]:
    """Return those among the effects recorded as ended that had run out."""
    among = {ended.key: ended for ended in state.ended.values() if ended.ran_out}
    effects = {key: ended.effect for key, ended in among.items()}
    return [among[key] for key in find_effects(effects, event.effect, event.targets, event.source)]


def may_run_on(state: NamelessState, ended: Ended) -> bool:
    """Return whether an effect that has run out may still run: its unknown originator may come within a round."""
    return ended.unsure and state.clock.round <= ended.round + 1


def last_end(state: NamelessState, seq: int, target: str) -> Ended | None:
    """Return the end of the effect that a record began on a combatant, or of the whole effect if no bearer is left."""
    own, lasting = state.gone.get(seq, {}), state.lasting.get(seq, {})
    last = own.get(target)
    return last if last or lasting else next(reversed(own.values()), None)


EFFECT = "<who>.effects.<name>"


@derives("effect.ends-at-turn-start")
def place_of_end(state: NamelessState, key: Key) -> tuple[str, int]:
    """Return the combatant at whose place, and the round in which, an effect with a duration ends or ended."""
    if ended := state.gone.get(key[0], {}).get(key[1]):
        return ended.owner, ended.round
    timer = running_timers(state)[key]
    return timer.owner, _round_of_end(state, timer, timer.owner)


def _round_of_end(state: NamelessState, timer: EffectTimer, owner: str) -> int:
    progress = state.turns.progress
    passed = not owner or owner in progress.had or owner in progress.passed | progress.late
    return max(1, state.clock.round) + timer.boundaries - (0 if passed else 1)


def _time_left(state: NamelessState, who: str, name: str) -> Derived[object] | None:
    found: Derived[object] = LEFT.read(state, who, name)  # type: ignore[assignment]
    keys = find_effects(state.effects, name, (who,), None)
    timer = running_timers(state).get(keys[-1]) if keys else None
    return Derived(found.value, Because((), (), (found,), timer.asked)) if timer else found


@derives("effect.counts-from-originators-turn")
def effects_with_next_place(
    state: NamelessState, who: str, among: dict[Key, Effect], found: Derived[list[str]]
) -> Derived[list[str]]:
    """Return the effects on a combatant; if the next place ends one, its second 0 is cited."""
    own = [timer for key, timer in running_timers(state).items() if key[1] == who and key in among]
    had = state.turns.progress.had
    ends = (timer for timer in own if timer.boundaries == 1 and (timer.own or timer.owner not in had))
    events = tuple(sorted({seq for timer in ends for seq in timer.since}))
    options = {name: value for timer in own for name, value in timer.asked.items()}
    return Derived(found.value, Because(state.rules.effect_rules, events, (found,), options))


def end_in_words(state: NamelessState, key: Key) -> Derived[str]:
    """Return in words the place and the round at which an effect with a duration ends or ended."""
    (owner, round_), gone = place_of_end(state, key), state.gone.get(key[0], {}).get(key[1])
    known = gone or running_timers(state)[key]
    rules = (*count_clock_down.rules, "effect.counts-from-originators-turn", *parse_seconds.rules)
    where = f"{owner} in round {round_}" if owner else f"round {round_}"
    events = filter(None, (known.effect.seq, *known.since, known.effect.set_by))
    return Derived(where, Because(rules, tuple(events), gone.by if gone else (), known.asked))


DURATIONS = DurationRules(rules=count_clock_down.rules, ends_at=end_in_words, claims=True)


def _when_it_ends(state: NamelessState, bearer: str, name: str) -> Derived[str] | None:
    known = {key: timer.effect for key, timer in state.durations.running.items()}
    known |= {one.key: one.effect for one in state.ended.values() if one.ran_out}
    keys = [k for k, effect in known.items() if k[1] == bearer and effect.called == name.casefold()]
    return end_in_words(state, max(keys)) if keys else None


def _other_ends(state: NamelessState, bearer: str, name: str) -> Iterator[str]:
    """Yield other possible ends of an effect of an uncertain originator: any combatant's place, or a round later."""
    for key, timer in running_timers(state).items():
        if timer.unsure and key[1] == bearer and timer.effect.called == name.casefold():
            for who in state.combatants:
                first = _round_of_end(state, timer, who)
                yield from (f"{who} in round {each}" for each in (first, first + 1))


LEFT, ENDS = (next(one for one in common.ADDRESSES if one.pattern == each) for each in (EFFECT, f"{EFFECT}.ends"))
ADDRESSES = (
    described(EFFECTS, lambda s, who: effects_with_next_place(s, who, s.effects, effect_names(s, who))),
    described(CONDITIONS, lambda s, who: effects_with_next_place(s, who, s.conditions, condition_names(s, who))),
    described(
        ENDS.pattern, lambda s, who, name: _when_it_ends(s, who, name) or ENDS.read(s, who, name), also=_other_ends
    ),
    described(LEFT, _time_left),
    described(
        "effects.<name>.ends",
        lambda s, name: _when_it_ends(s, "", name),
        also=lambda s, name: _other_ends(s, "", name),
        places=lambda s: ((effect.called,) for (_, bearer), effect in s.effects.items() if not bearer),
    ),
)
