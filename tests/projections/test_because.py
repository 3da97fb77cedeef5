"""Reasons: one that is flattened beside others is the same as alone, and cites by itself all that it rests on."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from projections.because import Because, Derived

LEAVES = st.builds(
    Because,
    st.lists(st.sampled_from(["a.rule", "b.rule", "c.rule"]), max_size=2).map(tuple),
    st.lists(st.integers(1, 9), max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(["one", "two"]), st.sampled_from(["yes", "no"]), max_size=2),
)


@st.composite
def trees(draw: st.DrawFn) -> list[Because]:
    """Return reasons, each of which may rest on those before it, as they are or by values that rest on them."""
    found: list[Because] = []
    for leaf in draw(st.lists(LEAVES, min_size=2, max_size=7)):
        of: list[Any] = draw(st.lists(st.sampled_from(found), max_size=3)) if found else []
        of = [Derived(None, each) if draw(st.booleans()) else each for each in of]
        found.append(Because(leaf.rules, leaf.events, tuple(of), options=leaf.options))
    return found


@given(trees())
def test_reasons_that_are_flattened_beside_one_another_are_the_same_as_alone(those: list[Because]) -> None:
    known: dict[Any, tuple[Because, Any]] = {}
    for each in reversed(those):
        alone, beside = each.flat(), each.among(known)
        assert beside == alone
        assert [*beside.options] == [*alone.options]
        assert each.among(known) is beside


@given(trees())
def test_a_reason_that_cites_everything_by_itself_is_the_same(those: list[Because]) -> None:
    whole = those[-1].whole()
    assert whole.of == ()
    assert whole.flat() == those[-1].flat()
    assert Because(of=(whole, those[0])).flat() == Because(of=(those[-1], those[0])).flat()
