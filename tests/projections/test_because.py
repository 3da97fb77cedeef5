"""Reasons: one that is flattened beside others is the same as alone, and cites by itself all that it rests on."""

import re
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from hypothesis import given, strategies as st

import projections
from projections.because import Asked, Because, Derived, ask_parts, ask_rule, ask_to_keep, note_option
from projections.mechanics.memo import Once, memoize
from tests.projections import logs

LEAVES = st.builds(
    Because,
    st.lists(st.sampled_from(["a.rule", "b.rule", "c.rule"]), max_size=2).map(tuple),
    st.lists(st.integers(1, 9), max_size=3).map(tuple),
    options=st.dictionaries(st.sampled_from(["one", "two"]), st.sampled_from(["yes", "no"]), max_size=2),
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
def test_reasons_flattened_beside_one_another_are_the_same_as_alone(those: list[Because]) -> None:
    known: dict[Any, tuple[Because, Any]] = {}
    for each in reversed(those):
        alone, beside = each.flat(), each.among(known)
        assert beside == alone
        assert [*beside.options] == [*alone.options]
        assert each.among(known) is beside


# ---------------------------------------------------------------- options that are cited because they were asked for


def asks(option: str, value: str = "yes") -> str:
    note_option(option, value)
    return value


def options(of: Any) -> dict[str, str]:
    return (of.because if isinstance(of, Derived) else of).flat().options


def reading(_value: object) -> Because:
    return Because()


def test_a_reason_cites_what_its_rule_has_asked_for_so_far() -> None:
    made: list[Because] = []

    def rule() -> None:
        made.append(Because())
        asks("one")
        made.append(Because())

    ask_rule(rule)
    asks("two")
    assert [options(each) for each in (*made, Because())] == [{}, {"one": "yes"}, {}]


def test_a_rule_that_returns_a_reason_cites_also_what_it_asked_for_later() -> None:
    def rule(value: Any) -> Any:
        asks("one")
        return value

    early = Because(("a.rule",), (3,))
    assert ask_rule(rule, early) == Because(("a.rule",), (3,), (), {"one": "yes"})
    assert ask_rule(rule, Derived(1, early)) == Derived(1, Because(("a.rule",), (3,), (), {"one": "yes"}))


def test_what_a_rule_asks_without_a_reason_counts_for_the_one_calling_it() -> None:
    def outer(inner: Any) -> Because:
        ask_rule(inner)
        return Because()

    assert options(ask_rule(outer, lambda: asks("one"))) == {"one": "yes"}
    assert options(ask_rule(outer, lambda: Derived(asks("one"), Because()))) == {}
    assert options(ask_rule(outer, lambda: ask_parts(asks, "one"))) == {}


def test_a_rule_that_fails_leaves_the_notes_of_the_one_that_called_it() -> None:
    def fails() -> None:
        asks("two")
        raise LookupError

    def outer() -> Because:
        asks("one")
        with suppress(LookupError):
            ask_rule(fails)
        return Because()

    assert options(ask_rule(outer)) == {"one": "yes"}


def test_a_value_that_is_kept_says_what_was_asked_whenever_it_is_read() -> None:
    kept = ask_to_keep(asks, "one")
    assert isinstance(kept, Asked)
    assert options(ask_rule(lambda: reading(kept.read()))) == {"one": "yes"}
    assert ask_to_keep(lambda: "yes") == "yes"
    found = ask_to_keep(lambda: Derived(asks("one"), Because()))
    assert isinstance(found, Derived)
    assert options(found) == {"one": "yes"}


class Reading:
    derived = 0

    @Once
    def answer(self) -> str:
        """The value of an option."""
        self.derived += 1
        return asks("one")


def test_a_property_that_is_derived_once_was_asked_for_by_all_who_read_it() -> None:
    one = Reading()
    assert [options(ask_rule(lambda: reading(one.answer))) for _ in range(2)] == [{"one": "yes"}] * 2
    assert one.derived == 1


def test_a_value_of_the_memo_was_asked_for_by_all_who_get_it() -> None:
    state = logs.play()
    temporary = memoize(lambda state: str(state.option("temporary-points")))
    found = [options(ask_rule(lambda: reading(temporary(state)))) for _ in range(2)]
    assert found == [{"temporary-points": state.option("temporary-points")}] * 2


def test_threads_note_apart() -> None:
    def rule() -> Because:
        other = Thread(target=asks, args=("one",))
        other.start()
        other.join()
        return Because()

    assert options(ask_rule(rule)) == {}


def test_an_empty_reason_is_named_by_what_it_is_empty_of() -> None:
    """`Because()` would cite the options that were asked for before its line: either that is meant, or nothing is cited."""
    empty = re.compile(r"\bBecause\(\)")
    files = (path for path in Path(projections.__file__).parent.rglob("*.py") if path.name != "because.py")
    assert [path.name for path in files if empty.search(path.read_text("utf-8"))] == []
