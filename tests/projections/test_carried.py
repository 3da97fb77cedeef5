"""The party of one fight in the next: what is left at the end of the first is there at the beginning of the second."""

from collections.abc import Iterator

import msgspec
import pytest

from eventstore.events import EncounterOpened, RulingMade
from eventstore.record import Draft, Recorded, upcast
from projections.fight import Combatant
from projections.folds.addresses import COMMON, conditions_of, derive_value
from projections.folds.vitals import status_or_left
from projections.judging.audit import audit
from projections.language.notation.records import make_records
from projections.mechanics.conditions import Effect
from projections.mechanics.pools import HP
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets import RULESETS
from projections.state import State
from projections.views.carried import HOLDS, LONG, carry_over, side_of_players
from tests.projections import logs
from tests.projections.stage import encounters

ORIGIN = "from encounter 0, as of 1:0"


def next_fight(state: State, records: list[Recorded], side: str) -> tuple[State, list[Recorded], tuple[str, ...]]:
    """Return the state of the next fight, in which a side goes on, its records, and what stays behind."""
    those = [one for one in state.combatants.values() if one.side == side]
    found = carry_over(state, records, those, frozenset(), ORIGIN)
    return (*opened(state, found.drafts), found.behind)


def opened(state: State, drafts: tuple[Draft, ...]) -> tuple[State, list[Recorded]]:
    """Return the state and the records of a fight that begins with these facts."""
    options = {option.name: state.option(option.name) for option in state.rules.catalogue().option}
    opening = EncounterOpened(
        format=1, encounter="2", title="", ruleset=state.rules.key, revision=state.rules.revision, options=options
    )
    made = make_records([opening, *(upcast(draft.event) for draft in drafts)], 1)
    return replay(made).state, made


def values(state: State, one: Combatant) -> Iterator[tuple[str, object]]:
    """Yield what a combatant has left: points, status, resources, and what else lasts."""
    yield "status", status_or_left(one).value
    yield "hp", one.pools[HP].value
    for each in (*state.rules.addresses, *COMMON):
        if each.lasts or each.pattern == "<who>.memorized.<spell>":
            own = (place for place in each.existing(state) if place.partition(".")[0] == one.id)
            yield from ((place, found.value) for place in own if (found := derive_value(state, place)))
    if not any(each.pattern == "<who>.memorized.<spell>" for each in state.rules.addresses):
        yield from one.resources.items()


def lasting(state: State, among: dict[tuple[int, str], Effect], party: set[str]) -> list[tuple[str, str]]:
    """Return the names of the effects without an end in sight that depend on nobody else, each with its bearer."""
    units = state.rules.calendar.seconds
    long = (
        each
        for each in among.values()
        if each.duration is None or (each.left or 0) * units.get(each.duration.unit.casefold(), 0) > LONG
    )
    own = (each for each in long if each.bearer in party and not each.parent and each.name not in HOLDS)
    return sorted({(each.bearer, each.name) for each in own if not each.concentration or each.source in party})


def over(state: State, who: str) -> set[str]:
    """Return the conditions of a combatant that have no more than a minute left."""
    units = state.rules.calendar.seconds
    timed = (each for each in state.conditions.values() if each.bearer == who and each.duration)
    return {each.name for each in timed if each.duration and (each.left or 0) * units[each.duration.unit] <= LONG}


def breaches(records: list[Recorded]) -> set[str]:
    """Return the clauses that records break."""
    return {each.rule for each in audit(records).findings if each.severity == "breach"}


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_who_goes_on_from_a_fixture_has_what_was_left(key: str) -> None:
    for play in encounters(key):
        records = list(records_of(play))
        state = replay(records).state
        for side in dict.fromkeys(one.side for one in state.combatants.values()):
            after, made, _ = next_fight(state, records, side)
            where = f"{play.source}:{play.line}, side {side}"
            assert breaches(made) <= breaches(records), where
            party = {*after.combatants}
            for who, now in after.combatants.items():
                before = state.combatants[who]
                had, has = dict(values(state, before)), dict(values(after, now))
                if HOLDS.intersection(conditions_of(state, who).value):  # one who is swallowed is let go
                    had["status"] = has["status"]
                assert has == had, f"{where}: {who}"
                kept = {*conditions_of(state, who).value} - HOLDS
                assert {*conditions_of(after, who).value} == kept - over(state, who), f"{where}: {who}"
            assert lasting(after, after.effects, party) == lasting(state, state.effects, party), where


def test_what_is_left_of_the_other_fight_is_a_ruling_that_names_its_end() -> None:
    records = logs.records(
        logs.joins("ana", 20, "party"), logs.joins("orc", 9, "foes"), logs.hit("ana", 7), ruleset="plain"
    )
    state = replay(records).state
    after, made, _ = next_fight(state, records, "party")
    (seq,) = [each.seq for each in made if isinstance(each.event, RulingMade) and each.event.reason == ORIGIN]
    found = derive_value(after, "ana.hp")
    assert found is not None
    assert (found.value, found.because.flat().events) == (13, (seq,))


def test_the_dead_and_those_who_left_stay_behind() -> None:
    records = logs.records(
        logs.joins("ana", 20, "party", creature="character"),
        logs.joins("bo", 5, "party", creature="character"),
        logs.joins("cy", 5, "party", creature="character"),
        logs.hit("bo", 50),
        logs.fact("combatant_left", combatant="cy"),
        ruleset="5e",
    )
    after, _, behind = next_fight(replay(records).state, records, "party")
    assert [*after.combatants] == ["ana"]
    assert behind == ("bo, dead", "cy, left")


def test_what_has_a_minute_or_less_left_is_over_before_the_next_fight() -> None:
    def lasts(condition: str, amount: int, unit: str) -> str:
        span = {"amount": amount, "unit": unit}
        return logs.fact("condition_gained", condition=condition, targets=["ana"], duration=span)

    records = logs.records(
        logs.joins("ana", 20, "party"), lasts("poisoned", 1, "hour"), lasts("blinded", 10, "round"), ruleset="5e"
    )
    after, _, behind = next_fight(replay(records).state, records, "party")
    assert conditions_of(after, "ana").value == ["poisoned"]
    assert behind == ("blinded of ana: no more than a minute is left of it",)


def test_a_spell_goes_on_with_its_caster_and_not_without() -> None:
    records = logs.records(
        logs.joins("ana", 20, "party"),
        logs.joins("orc", 20, "foes"),
        logs.fact("effect_started", effect="aid", source="ana", targets=["ana"], concentration=True),
        logs.fact("effect_started", effect="hex", source="orc", targets=["ana"], concentration=True),
        ruleset="5e",
    )
    after, _, behind = next_fight(replay(records).state, records, "party")
    assert [(each.name, each.source) for each in after.effects.values()] == [("aid", "ana")]
    assert behind == ("hex of ana: whoever concentrates on it stays behind",)


def test_what_was_secret_in_the_first_fight_is_secret_in_the_next() -> None:
    records = logs.records(
        logs.joins("ana", 20, "party"), logs.joins("spy", 9, "party"), logs.hit("ana", 7), ruleset="plain"
    )
    state = replay(records).state
    found = carry_over(state, records, state.combatants.values(), {3, 4}, ORIGIN)
    shown = [each.event for each in found.drafts if not each.secret]
    assert [type(each).__name__ for each in shown] == ["CombatantJoined"]
    assert "spy" not in msgspec.json.encode(shown).decode()


def test_what_stays_behind_is_known_unless_it_rests_on_a_secret() -> None:
    records = logs.records(
        logs.joins("ana", 20, "party", creature="character"),
        logs.joins("bo", 5, "party", creature="character"),
        logs.joins("spy", 5, "party", creature="character"),
        logs.hit("bo", 50),
        logs.hit("spy", 50),
        logs.fact("effect_started", effect="fog", source="spy", targets=["ana"], concentration=True),
        ruleset="5e",
    )
    state = replay(records).state
    found = carry_over(state, records, state.combatants.values(), {4}, ORIGIN)
    assert {"bo, dead", "spy, dead"} <= {*found.behind}
    assert found.known == ("bo, dead",)
    assert carry_over(state, records, state.combatants.values(), {5}, ORIGIN).known[:1] == ("spy, dead",)


def test_the_side_of_the_players_is_known_by_its_name_or_alone() -> None:
    two = logs.records(logs.joins("ana", 20, "heroes"), logs.joins("orc", 9, "orcs"), ruleset="plain")
    none = logs.records(logs.joins("ana", 20, "reds"), logs.joins("orc", 9, "blues"), ruleset="plain")
    one = logs.records(logs.joins("ana", 20, "reds"), ruleset="plain")
    states = [replay(each).state for each in (two, none, one)]
    assert [side_of_players({one.side for one in each.combatants.values()}) for each in states] == [
        "heroes",
        None,
        "reds",
    ]
