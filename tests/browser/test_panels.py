"""The panels of a game master have no barriers: initiative, joining, correcting."""

from collections.abc import Callable

import pytest

from tests.browser.person import Person
from tests.browser.support import BARRIERS, tells
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser
Joins = Callable[..., Person]


@pytest.mark.parametrize("width", [390, 1280])
def test_initiative_joining_and_correcting_have_no_barriers_and_no_sideways_scroll(
    joins: Joins, server: Served, axe: str, width: int
) -> None:
    tells(server, "i ana15 ogre9", "ana hits ogre -3")
    gm = joins("gm", by="gm", how={"viewport": {"width": width, "height": 780}})
    gm.page.check("#secret")  # which is red then
    gm.page.evaluate(axe)
    for panel, key in (("initiative", "i"), ("joining", "j"), ("correcting", "m")):
        gm.page.focus("#next")
        gm.page.keyboard.press(key)
        gm.page.wait_for_selector(f"#{panel}", state="visible")
        gm.page.wait_for_selector("#will pre") if panel == "correcting" else None
        assert gm.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), panel
        assert gm.page.evaluate(BARRIERS) == [], panel
        gm.page.keyboard.press("Escape")
