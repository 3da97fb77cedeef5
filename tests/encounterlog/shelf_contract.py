"""The promises of every shelf, whatever keeps its logs: a test class for each shelf inherits them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from encounterlog.log import opening
from encounterlog.places.shelves import Shelf
from encounterlog.places.time_and_chance import current_time
from encounterlog.places.tokens import Token
from eventstore.errors import AlreadyThere, Malformed, NotThere
from eventstore.record import Draft

AT = "2026-11-20T19:04:05.123456Z"


def opened(title: str = "The ford") -> Draft:
    event: Any = opening.make_opening(opening.ruleset_named("plain"), title, {})
    return Draft(event)


def token(number: int, **given: Any) -> Token:
    return Token(id=f"t{number}", digest=f"{number:064x}", **({"role": "gm", "encounter": "ford", "at": AT} | given))


class ShelfContract:
    @pytest.fixture
    def shelf(self) -> Shelf:
        raise NotImplementedError

    @pytest.fixture
    def other(self, shelf: Shelf) -> Shelf:
        """Return the same shelf as another process would open it."""
        raise NotImplementedError

    def test_an_empty_shelf_has_no_logs_and_no_tokens(self, shelf: Shelf) -> None:
        assert (shelf.names(), shelf.tokens.all()) == ((), ())

    def test_what_one_process_creates_another_one_finds_and_reads(self, shelf: Shelf, other: Shelf) -> None:
        made = shelf.create("ford", [opened()], by="gm", at=current_time())
        assert other.names() == ("ford",)
        assert [record.hash for record in other.store("ford").read()] == [made.head().hash]

    def test_names_come_sorted_and_may_have_blanks_and_letters_of_any_script(self, shelf: Shelf) -> None:
        for name in ("ford", "Die Brücke", "橋"):
            shelf.create(name, [opened()], by="gm", at=current_time())
        assert shelf.names() == tuple(sorted(("ford", "Die Brücke", "橋")))

    def test_a_name_is_never_given_twice(self, shelf: Shelf, other: Shelf) -> None:
        head = shelf.create("ford", [opened()], by="gm", at=current_time()).head()
        with pytest.raises(AlreadyThere):
            other.create("ford", [opened("Another")], by="gm", at=current_time())
        assert shelf.store("ford").head() == head

    def test_a_log_that_is_not_there_is_not_opened(self, shelf: Shelf) -> None:
        with pytest.raises(NotThere):
            shelf.store("nowhere")

    @pytest.mark.parametrize(
        "name",
        ["", "..", "../ford", "a/b", "a\\b", ".hidden", "-x", "a\nb", "a\0b", "a\u202eb", " a", "a ", "e\u0301", "\ud800",
         "x" * 300, "a\ufffdb",
            "a:b", "a*b", "~a"],
    )  # fmt: skip
    def test_a_wrong_name_is_refused_wherever_it_is_used(self, shelf: Shelf, name: str) -> None:
        with pytest.raises(Malformed, match="name"):
            shelf.store(name)
        with pytest.raises(Malformed, match="name"):
            shelf.create(name, [opened()], by="gm", at=current_time())
        assert shelf.names() == ()

    def test_a_token_is_found_by_its_digest_in_every_process_at_once(self, shelf: Shelf, other: Shelf) -> None:
        player = token(1, role="player", combatants=("ana", "bo"), by="Ann", writes=True)
        shelf.tokens.add(player)
        assert other.tokens.find(player.digest) == player
        assert other.tokens.find("0" * 64) is None

    def test_a_revoked_token_says_so_and_the_first_moment_stays(self, shelf: Shelf, other: Shelf) -> None:
        shelf.tokens.add(token(1))
        shelf.tokens.add(token(2))
        done = shelf.tokens.revoke("t1", AT)
        assert done is not None
        assert done.revoked == AT
        assert other.tokens.revoke("t1", "2027-01-01T00:00:00.000000Z") == done
        assert [bool(one.revoked) for one in other.tokens.all()] == [True, False]
        assert other.tokens.revoke("t9", AT) is None

    def test_only_one_process_keeps_the_first_token_of_a_role(self, shelf: Shelf, other: Shelf) -> None:
        assert shelf.tokens.add_first(token(1, role="operator", encounter=""))
        assert not other.tokens.add_first(token(2, role="operator", encounter=""))
        shelf.tokens.revoke("t1", AT)
        assert other.tokens.add_first(token(3, role="operator", encounter=""))

    def test_tokens_that_are_added_at_once_are_all_kept(self, shelf: Shelf, other: Shelf) -> None:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: (shelf, other)[number % 2].tokens.add(token(number)), range(24)))
        assert {one.id for one in shelf.tokens.all()} == {f"t{number}" for number in range(24)}

    def test_a_shelf_in_order_has_nothing_to_say(self, shelf: Shelf) -> None:
        shelf.check()
