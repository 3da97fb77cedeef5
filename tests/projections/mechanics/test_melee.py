"""Melee: pairs that a record puts into it, for good or for some rounds, until something parts them."""

from projections.mechanics.melee import Bout, Melee, engage, foes, part


def test_a_record_puts_both_in_melee_until_something_parts_them() -> None:
    melee = Melee()
    engage(melee, "bo", "ana", Bout(3), 1)
    assert foes(melee, "ana", 9, 90) == ({"bo": {3}}, set())
    assert foes(melee, "bo", 9, 90) == ({"ana": {3}}, set())
    part(melee, "ana", 5)
    assert foes(melee, "bo", 9, 90) == ({}, {5})
    assert foes(melee, "ana", 9, 90) == ({}, {5})
    assert foes(melee, "cy", 9, 90) == ({}, set())


def test_a_blow_says_so_for_its_rounds_alone() -> None:
    melee = Melee()
    engage(melee, "ana", "bo", Bout(7, 2, 2, 4), 1)
    assert foes(melee, "ana", 1, 4) == ({}, {4})
    assert foes(melee, "ana", 2, 9) == ({"bo": {4, 7, 9}}, set())
    assert foes(melee, "ana", 3, 12) == ({}, {12})


def test_what_is_said_twice_is_kept_once_and_what_is_over_is_let_go_of() -> None:
    melee = Melee()
    for _ in range(2):
        engage(melee, "ana", "bo", Bout(7, 2, 2, 4), 1)
    assert melee.bouts == {("ana", "bo"): {(2, 2, 4): {7}}}
    engage(melee, "bo", "ana", Bout(9), 2)
    assert melee.bouts == {("ana", "bo"): {(2, 2, 4): {7}, (0, 0, 0): {9}}}
    engage(melee, "bo", "ana", Bout(20, 4, 4, 15), 3)
    assert melee.bouts == {("ana", "bo"): {(0, 0, 0): {9}, (4, 4, 15): {20}}}


def test_a_blow_of_the_first_round_is_let_go_of_like_one_of_a_later_round() -> None:
    melee = Melee()
    engage(melee, "ana", "bo", Bout(7, 1, 1, 4), 1)
    engage(melee, "ana", "bo", Bout(9), 2)
    assert melee.bouts == {("ana", "bo"): {(0, 0, 0): {9}}}


def test_somebody_parts_from_all_but_those_named() -> None:
    melee = Melee()
    engage(melee, "ana", "bo", Bout(3), 1)
    engage(melee, "ana", "cy", Bout(4), 1)
    engage(melee, "bo", "cy", Bout(5), 1)
    part(melee, "ana", 6, ("cy",))
    assert foes(melee, "ana", 1, 2) == ({"cy": {4}}, {6})
    assert foes(melee, "cy", 1, 2) == ({"ana": {4}, "bo": {5}}, set())
