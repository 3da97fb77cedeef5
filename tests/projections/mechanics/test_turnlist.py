"""Turn lists: who is due, what the beginning of a turn comes to, newcomers, places that move, turns put off."""

import pytest

from projections.mechanics import turnlist
from projections.mechanics.turnlist import Beginning, Turn, TurnList
from projections.time import Point


def nobody(_who: str) -> bool:
    return False


class Table:
    """A turn list played by hand: whose turn begins, who is out, who comes late."""

    def __init__(self, *order: str | tuple[str, ...]) -> None:
        self.turns, self.ranked, self.out, self.seq = TurnList(), [*order], set[str](), 0
        self.arrange()

    def arrange(self) -> None:
        turnlist.arrange_order(self.turns, [(each,) if isinstance(each, str) else each for each in self.ranked])

    def is_out(self, who: str) -> bool:
        return who in self.out

    def turn(self, who: str) -> Beginning:
        """Begin a turn, with all that follows from it for the list."""
        self.seq += 1
        came = turnlist.beginning_of(self.turns, who, self.is_out)
        if came.opens:
            turnlist.open_round(self.turns)
        for each in came.goes_by:
            turnlist.pass_place(self.turns, each, self.seq)
        turnlist.begin_turn(self.turns, who, self.seq, self.is_out)
        return came

    def comes(self, who: str, above: str, behind: str = "") -> bool:
        """Put a newcomer in right above somebody."""
        self.seq += 1
        self.ranked.insert(self.ranked.index(above), who)
        self.arrange()
        return turnlist.insert_newcomer(self.turns, who, self.seq, behind)

    def begins(self, who: str, *together: str) -> Beginning:
        """Return what it would come to that somebody begins, with others."""
        return turnlist.beginning_of(self.turns, who, self.is_out, together)

    @property
    def due(self) -> list[str]:
        return list(turnlist.combatants_due(self.turns, self.is_out))


def test_those_whom_a_ruling_has_placed_come_first_as_it_says() -> None:
    turns = TurnList()
    turnlist.arrange_order(turns, [("a", "b"), ("c",), ("d",)], [("d",), ("b", "e")])
    assert turns.order == ["d", "b", "e", "a", "c"]
    assert turns.places == {"d": 0, "b": 1, "e": 1, "a": 2, "c": 3}


def test_whoever_begins_out_of_order_passes_over_those_above_once() -> None:
    table = Table("ana", "bo", "cy", "dov")
    table.turn("ana")
    assert table.turn("cy") == Beginning("due", passes_over=("bo",))
    assert table.turn("dov").passes_over == ()
    assert table.due == ["bo"]


def test_a_round_opens_with_the_first_who_is_not_out_whoever_is_still_due() -> None:
    table = Table("ana", "bo", "cy")
    table.out.add("ana")
    table.turn("bo")
    assert table.begins("bo") == Beginning("due", opens=True, left_out=("cy",), goes_by=("ana",))


def test_who_shares_a_place_with_somebody_who_is_out_still_has_a_turn() -> None:
    table = Table(("ana", "bo"))
    table.turn("ana")
    table.out.add("ana")
    assert not table.turn("bo").opens


def test_nobody_without_a_place_can_be_in_turn() -> None:
    table = Table("ana")
    assert table.turn("bo") == Beginning("unplaced")
    table.turn("ana")
    assert not turnlist.is_due(table.turns, "bo", nobody)
    turnlist.begin_turn(table.turns, "bo", 9, nobody)
    assert table.turns.progress.had == {"ana": 2}


def test_those_who_share_a_place_do_not_pass_each_other_over() -> None:
    table = Table(("ana", "bo"), "cy")
    assert table.turn("bo") == Beginning("due", opens=True)
    assert table.due == ["ana", "cy"]
    table = Table("dov", ("ana", "bo"), "cy")
    table.turn("dov")
    assert table.turn("bo") == Beginning("due")
    assert table.turns.progress.passed_over == {}


def test_whoever_shares_a_place_and_is_out_has_it_go_by_with_the_next() -> None:
    table = Table(("ana", "bo"), "cy")
    table.out.add("bo")
    assert table.turn("ana").goes_by == ()
    assert table.turn("cy").goes_by == ("bo",)
    table = Table("dov", ("ana", "bo"), "cy")
    table.out.add("bo")
    table.turn("dov")
    assert table.turn("ana").goes_by == ()


def test_those_who_have_a_turn_together_do_not_pass_each_other_over() -> None:
    table = Table("ana", "bo", "cy", "dov")
    assert table.begins("cy", "bo").passes_over == ("ana",)
    assert table.begins("ana", "cy").passes_over == ()
    table.turn("ana")
    assert table.begins("cy", "bo").passes_over == ()
    assert table.begins("ana", "bo").left_out == ("cy", "dov")


def test_the_places_of_those_who_have_a_turn_together_do_not_go_by() -> None:
    table = Table("ana", "bo", "cy")
    table.out.add("bo")
    table.turn("ana")
    assert table.begins("bo", "cy").goes_by == ()
    assert table.begins("ana", "cy").goes_by == ("bo",)
    assert table.begins("cy", "bo").goes_by == ()


def test_somebody_out_who_shares_the_first_place_opens_no_round() -> None:
    table = Table(("ana", "bo"))
    table.out.add("bo")
    table.turn("ana")
    assert table.turn("bo") == Beginning("due")


def test_somebody_out_at_the_end_opens_no_round_but_one_above_all_does() -> None:
    table = Table("ana", "bo", "cy")
    table.out.update(("ana", "cy"))
    table.turn("bo")
    assert not table.turn("cy").opens
    assert table.turn("ana").opens


def test_a_newcomer_whose_place_has_gone_by_waits_for_the_next_round() -> None:
    table = Table("ana", "bo", "cy")
    table.turn("ana")
    table.turn("bo")
    assert not table.comes("nix", "bo")
    assert table.turn("nix") == Beginning("early")
    assert table.due == ["cy"]
    assert "nix" not in table.turns.progress.had
    table.turn("cy")
    assert [table.turn(who).how for who in ("ana", "nix", "bo")] == ["due"] * 3


def test_a_newcomer_who_shares_the_place_of_one_who_had_its_turn_waits() -> None:
    table = Table("ana", "bo")
    table.turn("ana")
    table.ranked[0] = ("ana", "nix")
    table.arrange()
    assert not turnlist.insert_newcomer(table.turns, "nix", 5)
    assert table.due == ["bo"]


def test_nobody_comes_behind_a_turn_that_comes_behind_its_own() -> None:
    table = Table("ana", "bo", "cy")
    table.turn("ana")
    assert table.comes("nix", "ana", behind="ana")
    assert table.comes("rok", "ana", behind="nix")
    turnlist.forget_turn(table.turns, "nix")
    assert not turnlist.insert_newcomer(table.turns, "nix", 9, behind="rok")


def test_a_newcomer_passed_over_who_stands_first_opens_the_next_round() -> None:
    table = Table("ana", "bo", "cy")
    table.turn("ana")
    table.turn("bo")
    table.comes("nix", "ana", behind="bo")
    assert table.turn("cy").passes_over == ("nix",)
    assert table.turn("nix") == Beginning("due", opens=True)


def test_a_newcomer_behind_a_turn_comes_after_those_it_passed_over() -> None:
    table = Table("ana", "bo", "cy")
    table.turn("ana")
    assert table.turn("cy").passes_over == ("bo",)
    assert table.comes("nix", "ana", behind="cy")
    assert table.due == ["bo", "nix"]


def test_a_place_that_moved_stays_behind_its_leader_in_a_new_order() -> None:
    table = Table("bo", "ana", "kex", "lum")
    turnlist.move_place(table.turns, "bo", "kex", 7)
    table.arrange()
    assert table.turns.places == {"ana": 0, "kex": 1, "bo": 2, "lum": 3}
    table.ranked.append("low")
    table.arrange()
    assert table.turns.order == ["ana", "kex", "bo", "lum", "low"]


@pytest.mark.parametrize(("who", "behind"), [("ana", "gone"), ("gone", "ana"), ("ana", "ana")])
def test_nobody_moves_without_a_place_nor_behind_none_nor_behind_itself(who: str, behind: str) -> None:
    table = Table(("ana", "bo"), "cy")
    turnlist.move_place(table.turns, who, behind, 7)
    table.arrange()
    assert table.turns.places == {"ana": 0, "bo": 0, "cy": 1}


def test_whoever_gets_a_new_place_alone_has_moves_and_turn_forgotten() -> None:
    table = Table("ana", "cy", "bo")
    table.turn("ana")
    turnlist.move_place(table.turns, "ana", "bo", 7)
    turnlist.move_place(table.turns, "cy", "bo", 8)
    turnlist.forget_turn(table.turns, "ana")
    table.arrange()
    assert table.turns.order == ["ana", "bo", "cy"]
    assert table.due == ["ana", "bo", "cy"]


def test_a_turn_put_off_as_it_comes_up_uses_its_place_and_can_be_lost() -> None:
    table = Table("ana", "bo")
    table.turn("ana")
    turnlist.put_off_turn(table.turns, Turn("bo", Point(1), 0), 2)
    assert table.due == []
    lost = turnlist.lose_turn(table.turns, "bo", 9)
    assert lost
    assert lost.status == "lost"
    assert turnlist.lose_turn(table.turns, "bo", 10) is None


@pytest.mark.parametrize(("turn", "course"), [
    (Turn("ana", Point(1), 1), (1,)),
    (Turn("ana", Point(1), 1, held=2, is_held=True), (1,)),
    (Turn("ana", Point(1), 1, held=2, resumed=3), (1, 2, 3)),
    (Turn("ana", Point(1), 0, held=2, is_held=True), (2,)),
])  # fmt: skip
def test_a_turn_is_had_by_its_beginning_or_by_putting_off_and_taking_up(turn: Turn, course: tuple[int, ...]) -> None:
    assert turn.deciding_events == course


def test_before_the_first_turn_nobody_is_due() -> None:
    table = Table("ana", "bo")
    assert table.due == []
    assert not turnlist.is_due(table.turns, "ana", nobody)


def test_somebody_out_may_have_a_turn_and_it_counts_in_this_round() -> None:
    table = Table("ana", "bo", "cy")
    table.out.add("bo")
    table.turn("ana")
    assert table.turn("bo") == Beginning("due")
    assert table.turn("bo") == Beginning("again")
