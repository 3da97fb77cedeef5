"""Pools: points that are taken and given back, and which changes made them what they are."""

import pytest
from hypothesis import example, given, strategies as st

from eventstore.events import DamageDealt, Healed, Noted
from eventstore.shapes import LARGEST
from projections.because import Because
from projections.mechanics.pool_history import Change
from projections.mechanics.pools import NO_LOSS, Loss, Pool, PoolRules, is_at_least, is_at_or_below, losses
from tests.tables import for_each

PLAIN = PoolRules()


def pool(*changes: tuple[int, int], start: int | None = 10) -> Pool:
    """Return a pool set by record 2, with these changes: record and amount."""
    found = Pool()
    found.set_value(start, 2)
    for seq, by in changes:
        found.change(by, seq)
    return found


def reason(one: Pool) -> tuple[int, ...]:
    """Return the records behind a pool."""
    return one.derived().because.flat().events


def deciders(one: Pool, limit: int = 0) -> tuple[bool, tuple[int, ...]]:
    """Return whether a pool is at or below a limit, and the records that decide that."""
    found = is_at_or_below(one, limit, ("some.rule",))
    return found.value, found.because.flat().events


def test_what_the_last_change_comes_to_rest_on_is_cited_with_it() -> None:
    one = pool((3, -4), (4, -1))
    one.changes.add_reason(Because((), (8,)))
    one.changes.add_reason(Because((), (9,)))
    assert list(one.changes) == [
        Change(2, 0, 10, sets=True),
        Change(3, -4, 6),
        Change(4, -1, 5, of=(Because((), (8,)), Because((), (9,)))),
    ]
    assert (one.value, reason(one)) == (5, (2, 3, 4, 8, 9))


@pytest.mark.parametrize(("start", "because"), [(4, (2, 3, 4)), (1, (2, 3, 4)), (0, (2,)), (-2, (2,))])
def test_a_blow_that_finds_nothing_left_is_kept_where_there_was_something(start: int, because: tuple[int, ...]) -> None:
    one = pool(start=start)
    one.changes.set_bounds(0, None)
    taken = max(0, min(4, start))
    one.change(-taken, 3, (), taken - 4)
    one.change(0, 4, (), -3)
    one.change(0, 5, (), 2)  # healed beyond a maximum
    assert (one.value, reason(one)) == (min(start, 0), because)


def test_a_reason_is_that_of_the_moment_at_which_it_was_asked_for() -> None:
    one = pool((3, -4))
    before = one.derived()
    one.change(-1, 4, (Because((), (9,)),))
    assert before.because.flat().events == (2, 3)
    one.set_value(20, 5)
    assert before.because.flat().events == (2, 3)


@for_each(
    ("changes", "expected"),
    [
        ((), (False, (2,))),
        (((3, -4),), (False, (2,))),
        (((3, -4), (4, -6)), (True, (2, 3, 4))),  # neither alone does it
        (((3, -10), (4, -5)), (True, (2, 3))),  # the first did it, the second on the body does not matter
        (((3, -10), (4, -10)), (True, (2, 3, 4))),  # either alone suffices
        (((3, -4), (4, -3), (5, -20)), (True, (2, 5))),  # the last does it whatever came before
        (((3, -10), (4, 1)), (False, (2, 4))),  # up again because of the healing
        (((3, -4), (4, 1)), (False, (2,))),  # healing that was not needed
        (((3, -12), (4, 4), (5, 4)), (False, (2, 4, 5))),  # up again because of both, and of neither alone
        (((3, -12), (4, 4), (5, 2), (6, 4)), (False, (2, 4, 6))),  # two of three suffice
        (((3, -6), (4, 2), (5, 2), (6, -5)), (False, (2, 4, 5))),  # still up because of both
        (((3, -4), (4, 2), (5, 2)), (False, (2,))),  # up without either
        (((3, -9), (4, -1)), (True, (2, 3, 4))),  # the last point, whichever it was
        (((3, -9), (4, -9), (5, -9)), (True, (2, 3, 4))),  # two of three do it
        (((3, -10), (4, -10), (5, -10)), (True, (2, 3, 4, 5))),  # two of three leave one point short
    ],
)
def test_a_level_cites_the_changes_without_which_it_would_be_another(
    changes: tuple[tuple[int, int], ...], expected: tuple[bool, tuple[int, ...]]
) -> None:
    assert deciders(pool(*changes)) == expected


AMOUNTS = st.lists(st.integers(-12, 12).filter(bool), max_size=6)


FLOORS, MOSTS = st.sampled_from([None, 0, -10]), st.sampled_from([None, 10, 14])


def left(amounts: dict[int, int], floor: int | None, most: int | None, *out: int) -> int:
    """Return what is left of 10 points after these changes between a floor and a maximum, but for those of some records."""
    value = 10
    for seq, amount in amounts.items():
        value += 0 if seq in out else bounded(value, amount, floor, most)
    return value


def bounded(value: int, amount: int, floor: int | None, most: int | None) -> int:
    """Return by how much an amount changes a value between a floor and a maximum."""
    after = value + amount if floor is None else max(floor, value + amount)
    return (after if most is None else min(most, after)) - value


def played(amounts: list[int], floor: int | None, most: int | None) -> tuple[Pool, dict[int, int]]:
    """Return a pool after these changes, and by record those that changed anything, or would have without those before."""
    one, felt = pool(), dict[int, int]()
    one.changes.set_bounds(floor, most)
    for seq, amount in enumerate(amounts, 3):
        by = bounded(one.value or 0, amount, floor, most)
        one.change(by, seq, beyond=amount - by)
        felt |= {seq: amount} if by or (amount < 0 and floor is not None and floor < 10) else {}
    return one, felt


@given(AMOUNTS, FLOORS, MOSTS, st.integers(-2, 5))
@example([-3, 3, -6, 2, 3, -5], None, 10, 0)  # none alone
@example([2, -11, 1], 0, None, 0)  # without either there is a point, without both there is none
@example([-10, 3, -5, 1, 2], 0, None, 0)  # what was healed before the floor counts for nothing
@example([-1, 5, -5, 2, 2, -5], None, 10, 0)  # the maximum stopped the largest healing
@example([-12, 12, -2, 2], None, 10, 0)  # without the first one there is none
def test_a_level_cites_what_keeps_it_alone_or_as_few_as_keep_it_together(
    amounts: list[int], floor: int | None, most: int | None, limit: int
) -> None:
    def differs(*out: int) -> bool:
        return (left(felt, floor, most, *out) <= limit) != below

    one, felt = played(amounts, floor, most)
    below, (first, *cited) = deciders(one, limit)
    alone = [seq for seq in felt if differs(seq)]
    again = max((each.seq for each in one.changes if each.left == 10), default=2)
    helps = [seq for seq, amount in felt.items() if (amount < 0) == below and seq > again]
    assert first == 2
    if alone or not differs(*helps):
        assert cited == alone
    else:
        assert differs(*cited)
        assert not any(differs(*(each for each in cited if each != seq)) for seq in cited)


@pytest.mark.parametrize(("damage", "bruises", "is_more", "because"), [
    ((), ((3, 9),), False, (2,)),
    (((3, -9),), ((4, 9), (5, -4), (6, -5)), False, (2, 5, 6)),
    ((), ((3, 10),), True, (2, 3)),
    (((4, -5),), ((3, 9),), True, (2, 3, 4)),
    (((4, -1),), ((3, 30),), True, (2, 3)),
    (((3, -9), (4, 5)), ((5, 3),), False, (2, 4)),
])  # fmt: skip
def test_what_outweighs_a_pool_cites_the_changes_it_would_not_without(
    damage: tuple[tuple[int, int], ...], bruises: tuple[tuple[int, int], ...], is_more: bool, because: tuple[int, ...]
) -> None:
    found = is_at_least(pool(*bruises, start=0), pool(*damage), ("some.rule",))
    flat = found.because.flat()
    assert (found.value, flat.events, flat.rules) == (is_more, because, ("some.rule",))


# ---------------------------------------------------------------- damage and healing


def blow(amount: int, *, nonlethal: bool = False) -> DamageDealt:
    return DamageDealt(target="ulf", amount=amount, nonlethal=nonlethal)


def cure(amount: int, *, nonlethal: bool = False, temporary: bool = False) -> Healed:
    return Healed(target="ulf", amount=amount, nonlethal=nonlethal, temporary=temporary)


def test_damage_is_taken_off_whole_or_down_to_the_floor() -> None:
    assert losses(5, 10, 0, 0, blow(8), PLAIN) == Loss(hp=8)
    assert losses(5, 10, 0, 0, blow(8), PoolRules(floor=0)) == Loss(hp=5, beyond=3)
    assert losses(-2, 10, 0, 0, blow(8), PoolRules(floor=0)) == Loss(beyond=8)
    assert losses(5, 10, 0, 0, blow(20), PoolRules(floor=-10)) == Loss(hp=15, beyond=5)
    assert losses(None, 10, 0, 0, blow(8), PoolRules(floor=0)) == Loss(hp=8)


def test_healing_stops_at_the_maximum_unless_the_game_has_none() -> None:
    assert losses(5, 10, 0, 0, cure(8), PLAIN) == Loss(hp=-5, beyond=-3)
    assert losses(5, None, 0, 0, cure(8), PLAIN) == Loss(hp=-8)
    assert losses(5, 10, 0, 0, cure(8), PoolRules(capped=False)) == Loss(hp=-8)
    assert losses(12, 10, 0, 0, cure(8), PLAIN) == Loss(beyond=-8)
    assert losses(None, 10, 0, 0, cure(8), PLAIN) == NO_LOSS


@pytest.mark.parametrize(
    ("how", "amount", "left"),
    [("replace", 4, 4), ("replace", 0, 0), ("larger", 4, 6), ("larger", 9, 9), ("add", 4, 10)],
)
def test_new_temporary_points_replace_add_or_leave_the_larger(how: str, amount: int, left: int) -> None:
    found = losses(5, 10, 6, 0, cure(amount, temporary=True), PoolRules(temporary=how))
    assert 6 - found.temp == left
    assert losses(5, 10, 0, 0, cure(4, temporary=True), PLAIN) == Loss(hp=-4)


def test_non_lethal_damage_has_its_own_pool_or_counts_as_damage() -> None:
    own = PoolRules(nonlethal=True)
    assert losses(5, 10, 0, 2, blow(4, nonlethal=True), own) == Loss(nld=-4)
    assert losses(5, 10, 0, 2, cure(4, nonlethal=True), own) == Loss(nld=2, beyond=2)
    assert losses(5, 10, 0, 0, cure(4, nonlethal=True), own) == Loss(beyond=4)
    assert losses(5, 10, 0, 2, blow(4, nonlethal=True), PLAIN) == Loss(hp=4)
    assert losses(5, 10, 0, 2, cure(4, nonlethal=True), PLAIN) == Loss(hp=-4)


@given(st.lists(st.tuples(st.integers(-LARGEST, LARGEST), st.booleans(), st.booleans()), max_size=8))
def test_a_pool_tells_every_change_as_it_was_made(those: list[tuple[int, bool, bool]]) -> None:
    one, made = Pool(0), []
    for seq, (number, sets, rests) in enumerate(those, 2):
        of = (Because((), (1,)),) if rests else ()
        if sets:
            one.set_value(number, seq, of)
            made.append(Change(seq, 0, number, sets=True, of=of))
        elif number or of:
            one.change(number, seq, of)
            made.append(Change(seq, number, one.value, of=of))
    assert list(one.changes) == made
    assert [one.changes[-back] for back in range(1, len(made) + 1)] == made[::-1]
    last = max((place for place, each in enumerate(made) if each.sets), default=0)
    assert [*one.since().setting_change(), *one.since().later_changes()] == made[last:]
    assert one.since().cites().of == tuple(each for change in made[last:] for each in change.of)


def test_what_goes_beyond_all_that_a_log_can_hold_is_kept_as_it_was_made() -> None:
    one = pool((3, 5), start=LARGEST)
    assert list(one.changes)[-1] == Change(3, 5, LARGEST)


def test_a_floor_that_came_later_holds_for_earlier_changes_of_a_level() -> None:
    one = pool((3, -12))
    one.changes.set_bounds(0, None)
    one.change(2, 4)
    one.change(3, 5)
    assert deciders(one) == (False, (2, 4, 5))


def test_a_level_cites_what_last_set_the_points() -> None:
    one = pool((3, -4), start=10)
    one.set_value(3, 6)
    one.change(-1, 7)
    assert deciders(one) == (False, (6,))
    assert deciders(one, 2) == (True, (6, 7))
    one.set_value(None, 8)
    assert deciders(one) == (False, (8,))


def test_what_is_neither_damage_nor_healing_changes_nothing() -> None:
    assert losses(5, 10, 0, 0, Noted(text="It rains."), PLAIN) == NO_LOSS


def test_an_unknown_pool_neither_outweighs_nor_is_outweighed() -> None:
    assert not is_at_least(pool(start=None), pool(start=0), ()).value
    assert not is_at_least(pool(start=0), pool(start=None), ()).value
    assert is_at_least(pool(start=None), pool((3, -10)), ()).because.flat().events == (2,)
