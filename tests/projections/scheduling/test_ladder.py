"""The ladder: order by keys, equal keys at once, and what was told out of order."""

from projections.scheduling import ladder


def test_equal_keys_act_at_once_and_lower_ones_first() -> None:
    keys = {"ulf": (5, 7), "ada": (4, 2), "eli": (4, 2), "dov": None}
    assert [(rung.key, rung.members) for rung in ladder.rungs(keys, keys.__getitem__)] == [
        ((4, 2), ("ada", "eli")),
        ((5, 7), ("ulf",)),
    ]


def test_whoever_was_told_after_a_later_key_is_out_of_order() -> None:
    keys = {"ada": 8, "ulf": 7, "eli": 8, "grim": 3}
    assert list(ladder.out_of_order(list(keys), keys.__getitem__)) == [("ulf", "ada"), ("grim", "ada")]


def test_an_act_is_out_of_order_after_the_last_by_key_of_those_told_before() -> None:
    keys = {"grim": 3, "ulf": 8, "eli": 5}
    assert list(ladder.out_of_order(list(keys), keys.__getitem__)) == [("eli", "ulf")]


def test_a_key_that_moves_afterwards_puts_an_earlier_act_out_of_order() -> None:
    speeds = {"ada": 7, "ulf": 7}
    told = ["ada", "ulf"]
    assert list(ladder.out_of_order(told, speeds.__getitem__)) == []
    speeds["ada"] += 1
    assert list(ladder.out_of_order(told, speeds.__getitem__)) == [("ulf", "ada")]


def test_what_comes_after_a_key_is_late_and_what_is_level_with_it_is_not() -> None:
    keys = {"fang": (5, -2), "kell": (5, -3), "ada": (5, -3)}
    assert list(ladder.after(keys, keys.__getitem__, (5, -3))) == ["fang"]
