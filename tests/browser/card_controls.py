"""What the tests of card controls share with others."""

from typing import TYPE_CHECKING

from tests.browser.person import Person

if TYPE_CHECKING:
    pass


def choose(one: Person, *those: str) -> None:
    one.choose(*those)
