"""The ladder: order by keys, equal keys at once."""

from projections.mechanics import ladder


def test_equal_keys_act_at_once_and_lower_ones_first() -> None:
    keys = {"ulf": (5, 7), "ada": (4, 2), "eli": (4, 2), "dov": None}
    assert [(rung.key, rung.members) for rung in ladder.rungs(keys, keys.__getitem__)] == [
        ((4, 2), ("ada", "eli")),
        ((5, 7), ("ulf",)),
    ]
