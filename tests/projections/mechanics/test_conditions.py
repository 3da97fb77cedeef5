"""Conditions and effects: found by name, bearer and source, and ended with what hangs on them."""

from projections.mechanics.conditions import Effect, Key, effects_of, end_among, find_effects, free_key, has_effect


def among(*effects: Effect) -> dict[Key, Effect]:
    """Return effects by their keys."""
    return {(each.seq, each.bearer): each for each in effects}


HEX = Effect(3, "Hex", "ana", source="lum")
CHILD = Effect(4, "Hexed", "bo", source="lum", parent=3)
BOTH = among(HEX, CHILD)


def test_effects_are_found_by_name_whatever_its_case_bearer_and_source() -> None:
    assert find_effects(BOTH, "hex", (), None) == [(3, "ana")]
    assert find_effects(BOTH, "HEX", ("bo",), None) == []
    assert find_effects(BOTH, "hex", ("ana",), "kex") == []
    assert find_effects(BOTH, "hex", (), "lum", anyone=False) == []


def test_what_has_an_effect_as_parent_ends_with_its_last_bearer() -> None:
    twice = among(HEX, Effect(3, "Hex", "cy", source="lum"), CHILD)
    assert set(end_among(twice, [(3, "ana")])) == {(3, "ana")}
    assert set(end_among(twice, [(3, "cy")])) == {(3, "cy"), (4, "bo")}
    assert twice == {}


def test_ending_what_is_not_there_ends_nothing() -> None:
    assert end_among(dict(BOTH), [(9, "ana")]) == {}


def test_an_effect_that_is_named_twice_ends_once() -> None:
    assert set(end_among(dict(BOTH), [(4, "bo"), (4, "bo")])) == {(4, "bo")}


def test_a_record_may_begin_several_on_one_bearer() -> None:
    assert free_key(BOTH, 7, "ana") == (7, "ana")
    assert free_key(BOTH, 3, "ana") == (-1, "ana")


def test_what_somebody_bears_and_whether_with_the_record_behind_it() -> None:
    assert [each.name for each in effects_of(BOTH, "bo")] == ["Hexed"]
    found = has_effect(BOTH, "ana", "HEX")
    assert (found.value, found.because.flat().events) == (True, (3,))
    assert not has_effect(BOTH, "ana", "prone").value


def test_a_bearer_without_one_from_a_source_has_one_of_unknown_source() -> None:
    among = {
        (seq, bearer): Effect(seq=seq, name="hex", bearer=bearer, source=source)
        for seq, bearer, source in ((3, "ana", ""), (4, "bo", "kex"), (5, "bo", ""), (6, "cy", "lum"))
    }
    assert find_effects(among, "hex", (), "kex") == [(3, "ana"), (4, "bo")]
    assert find_effects(among, "hex", (), None) == [*among]
