"""Counts: the modifier of the first act, the second and so on, by one of two lists."""

import msgspec
import pytest

from projections.folds import counts

ROW = msgspec.convert({
    "name": "attack", "kinds": ["strike"], "modifier": "map", "next": [0, -5, -10], "rule": "attack.harder",
    "or": [0, -4], "or_by": "light", "or_rule": "attack.light",
}, counts.Count)  # fmt: skip


@pytest.mark.parametrize(("before", "modifier", "other"), [(0, 0, 0), (1, -5, -4), (2, -10, -4), (7, -10, -4)])
def test_the_last_modifier_is_that_of_all_further_acts(before: int, modifier: int, other: int) -> None:
    assert counts.modifier_after(ROW, before) == modifier
    assert counts.modifier_after(ROW, before, other=True) == other


def test_the_second_list_has_a_field_of_the_sheet_and_a_clause() -> None:
    assert (ROW.others_by, ROW.others_rule, ROW.returns) == ("light", "attack.light", "own-turn-start")
