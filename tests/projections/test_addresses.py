"""Every address that can be read can be ruled, or says why not: all addresses of all rulesets, over their encounters."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from eventstore.events import RulingMade
from eventstore.record import Recorded
from projections.address import Address
from projections.because import Because, Derived
from projections.folds.addresses import (
    Book,
    agrees_with_statement,
    all_addresses,
    format_value,
    matching_addresses,
    means_the_same,
    status_with_tally,
    value_of,
)
from projections.judging.audit import audit
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.proving.rulebook import plays
from projections.replay.replay import replay
from projections.rulesets import find, keys
from projections.state import State
from tests.projections.logs import fact, hit, joins, play as played
from tests.projections.stage import encounters, one_in

ADDRESSES = 24
"""Of so many addresses of an encounter one is ruled in the sample."""
every_ruleset = pytest.mark.parametrize("key", keys())


def walked(key: str) -> list[Play]:
    """Return the encounters of a ruleset; the plays of its rulebook where it has none."""
    return encounters(key) or list(plays(find(key)))


def place(play: Play) -> str:
    """Return where an encounter stands."""
    return f"{play.ruleset}: {play.title} ({play.source}, line {play.line})"


def with_ruling(records: list[Recorded], address: str, value: Any) -> list[Recorded]:
    """Return a log with one more record, which overrides a value."""
    ruling = RulingMade(ruling="override", decision="so be it", values={address: value})
    return [*records, structs.replace(records[-1], seq=len(records) + 1, event=ruling)]


def candidates(state: State, address: str, value: Any) -> Iterator[Any]:
    """Yield values that a ruling might put in the place of one: others of its kind first."""
    if address == "order":
        yield tuple(reversed([one.id for one in state.here()]))
        return
    yield from {int: (3, 2, 1, 0), str: ("out",), bool: (True, False), list: (("dazed",),)}.get(type(value), ())
    yield from (*state.combatants, *state.sides, 3, 0, "word", ("dazed",), True, "none")


@pytest.mark.in_turn(7)
@pytest.mark.slow
@every_ruleset
def test_every_address_has_a_value_with_a_reason(key: str) -> None:
    assert walked(key)
    for play in walked(key):
        records = records_of(play)
        for cut in (len(records) // 2, len(records)):
            state = replay(records[:cut]).state
            for address in all_addresses(state):
                derived = value_of(state, address)
                assert derived is not None, f"{address}, {place(play)}"
                assert derived.because.rules, f"{address}, {place(play)}"


@pytest.mark.in_turn(7)
@pytest.mark.slow
@every_ruleset
def test_every_address_can_be_ruled_or_says_why_not(key: str, whole: bool) -> None:
    for play in walked(key):
        records = records_of(play)
        state = replay(records).state
        for address in one_in(1 if whole else ADDRESSES, all_addresses(state), play.line):
            can_be_ruled(records, state, address, f"{address}, {place(play)}")


def can_be_ruled(records: list[Recorded], state: State, address: str, where: str) -> None:
    one, parts = next(matching_addresses(state, address))
    derived = value_of(state, address)
    assert derived is not None, where
    if one.fixed:
        assert one.why_refused(state, parts, derived.value) == f"nothing: {one.fixed}", where
        return
    named = re.findall(r"[\w.]+", one.why_refused(state, parts, "") or "")  # "HIGH or LOW" says what it takes
    tried = (*candidates(state, address, derived.value), *named)
    value = next((each for each in tried if not one.why_refused(state, parts, each)), None)
    if value is None:
        assert derived.value == "none", f"it takes no value at all: {where}"
        return  # only what is there can be ended
    then = replay(with_ruling(records, address, value)).state
    ruled = value_of(then, address)
    assert ruled is not None, where
    assert means_the_same(then, address, value, ruled.value), f"ruled {value}, is {ruled.value}: {where}"
    assert len(records) + 1 in ruled.because.events, f"it does not cite the ruling: {where}"


@pytest.mark.in_turn(7)
@pytest.mark.slow
@every_ruleset
def test_a_ruling_of_the_wrong_kind_is_a_finding_and_takes_no_hold(key: str, whole: bool) -> None:
    for play in walked(key):
        records = more = records_of(play)
        state = replay(records).state
        wrong: dict[str, int] = {}
        for address in one_in(1 if whole else ADDRESSES // 6, all_addresses(state), play.line):
            one, parts = next(matching_addresses(state, address))
            value = next((each for each in ((("a",), ("b",)), "", -7) if one.why_refused(state, parts, each)), None)
            if value is not None:
                more = with_ruling(more, address, value)
                wrong[address] = len(more)
        rulings = [(each.event, each.rule) for each in audit(more).findings if each.event > len(records)]
        assert rulings == [(seq, "log.ruling") for seq in wrong.values()], place(play)
        then = replay(more).state
        for address in wrong:
            before, after = value_of(state, address), value_of(then, address)
            assert before is not None
            assert after is not None
            assert after.value == before.value, f"{address}, {place(play)}"


def test_an_open_part_of_free_text_may_have_points_in_it() -> None:
    state = played(joins("ana", 10))
    free = Address("<what>.of", lambda _state, what: Derived(what, Because()), says="what something is of")
    assert next(Book((free,)).matching(state, "a.b.of")) == (free, ("a.b",))


@pytest.mark.parametrize("key", keys())
def test_the_patterns_of_addresses_are_unique(key: str) -> None:
    own = [each.pattern for each in find(key).addresses]
    assert len(own) == len(set(own))


def test_a_status_alone_may_be_stated_with_the_number_that_belongs_to_it() -> None:
    state = played(joins("ana", 5), hit("ana", 5), ruleset="definition-master")
    stated = ("dying", "dying(0)", "dying(1)", "")
    assert [agrees_with_statement(state, "ana.status", each, "dying") for each in stated] == [True, True, False, False]
    assert not agrees_with_statement(state, "ana.initiative", "", "none")
    assert status_with_tally(state, "ana.initiative", "dying") == ""
    assert [format_value(state, *each) for each in (("ana.status", "dying"), ("ana.hp", 0))] == ["dying(0)", "0"]


def test_what_the_facts_allow_may_be_stated_until_a_ruling_names_one() -> None:
    ogre = fact("combatant_joined", combatant="ogre", sheet={"hp": 9, "hit_dice": 4})
    ruling = fact("ruling_made", ruling="override", decision="so", values={"ogre.attacks-as": "fighter 2"})
    for told, right in (((ogre,), True), ((ogre, ruling), False)):
        state = played(*told, ruleset="vile-darkness")
        value = value_of(state, "ogre.attacks-as")
        assert value
        assert agrees_with_statement(state, "ogre.attacks-as", value.value, value.value)
        assert agrees_with_statement(state, "ogre.attacks-as", "monster 4", value.value) == right


def test_a_short_view_mentions_what_is_notable_tallies_after_status() -> None:
    book = Book(find("definition-master").addresses)
    assert (book.notable, book.tallies) == (["lock", "holding", "grapple.with"], {"dying": "failures"})
    assert (Book(()).notable, Book(()).tallies) == ([], {})
