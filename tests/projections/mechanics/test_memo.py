"""Values derived of a state are worked out once for each version of it."""

from projections.mechanics.memo import Memo, Once, memoize


class Game:
    """A state, and what was derived of it since its last fact."""

    def __init__(self) -> None:
        self.memo = Memo()
        self.memo.found = {}


CALLS: list[tuple[object, ...]] = []


@memoize
def asked(game: Game, /, *of: object, **more: object) -> int:
    CALLS.append((game, *of, *more.values()))
    return len(CALLS)


def test_it_is_derived_anew_for_other_arguments() -> None:
    game, one, other = Game(), object(), object()
    assert asked(game, "ada") != asked(game, "ulf")
    assert asked(game, one) == asked(game, one) != asked(game, other)
    assert asked(game, before=1) != asked(game, before=2)
    assert asked(game, "ada") != asked(game)


def test_it_is_derived_anew_once_another_fact_has_taken_hold() -> None:
    game = Game()
    before = asked(game, "ada")
    game.memo.found = {}
    assert asked(game, "ada") != before


def test_while_a_fact_takes_hold_nothing_is_remembered() -> None:
    game = Game()
    game.memo.found = None
    assert asked(game, "ada") != asked(game, "ada")


def test_an_argument_that_is_gone_is_not_taken_for_another() -> None:
    game = Game()
    found = [asked(game, object()) for _ in range(100)]
    assert len(set(found)) == 100


def test_a_property_of_a_reading_is_worked_out_once_when_asked_for() -> None:
    worked_out: list[str] = []

    class Reading:
        def __init__(self, who: str) -> None:
            self.who = who

        @Once
        def cost(self) -> int:
            worked_out.append(self.who)
            return len(worked_out)

    ada, ulf = Reading("ada"), Reading("ulf")
    assert worked_out == []
    assert (ada.cost, ada.cost, ulf.cost) == (1, 1, 2)
    assert worked_out == ["ada", "ulf"]
