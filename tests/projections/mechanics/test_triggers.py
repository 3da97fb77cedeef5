"""Triggers: what can be answered, until when and by whom; actions that are held."""

from projections.mechanics import triggers
from projections.mechanics.triggers import Triggers


def test_a_fact_can_be_answered_at_once_until_its_moment_is_over() -> None:
    found = Triggers()
    triggers.allow_reaction(found, 4)
    assert triggers.may_react(found, 4).value
    assert triggers.is_open(found, 4)
    for seq in (6, 7):
        triggers.end_moment(found, seq)
    late = triggers.may_react(found, 4)
    assert (late.value, late.because.events) == (False, (6, 7))
    assert not triggers.is_open(found, 4)


def test_where_the_text_is_patient_a_fact_is_answered_until_another_turn() -> None:
    found = Triggers()
    triggers.allow_reaction(found, 4)
    triggers.end_moment(found, 6)
    assert triggers.may_react(found, 4, "same turn").value
    triggers.end_turn(found, 8)
    late = triggers.may_react(found, 4, "same turn")
    assert (late.value, late.because.events) == (False, (8,))


def test_an_opening_for_some_cannot_be_answered_by_others() -> None:
    found = Triggers()
    triggers.allow_reaction(found, 4, to=("ana",))
    assert triggers.may_react(found, 4, who="ana").value
    assert not triggers.may_react(found, 4, who="bo").value


def test_what_was_never_opened_cannot_be_answered() -> None:
    assert not triggers.may_react(Triggers(), 4).value
    assert not triggers.is_open(Triggers(), 4)


def test_what_can_be_answered_cites_what_opened_it_else_the_turns_end() -> None:
    found = Triggers()
    triggers.end_turn(found, 3)
    triggers.allow_reaction(found, 4)
    assert triggers.may_react(found, 4).because.events == (4,)
    triggers.end_moment(found, 5)
    assert triggers.may_react(found, 2).because.events == (3,)


def test_an_opening_for_nobody_in_particular_is_for_anybody() -> None:
    found = Triggers()
    triggers.allow_reaction(found, 4)
    triggers.allow_reaction(found, 5, to=("ana",))
    assert triggers.may_react(found, 4, who="bo").value
    assert triggers.may_react(found, 5).value
