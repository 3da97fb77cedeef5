"""A long log on the page that follows it: thirty combatants, five hundred rounds."""

import json
from typing import Any

import pytest

from tests.browser.cards import Joins
from tests.browser.support import expect
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import log_of

pytestmark = pytest.mark.browser
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 780}}


def fought() -> str:
    """Return the facts of five hundred rounds of thirty, of whom one hurts the last in each."""
    facts: list[dict[str, object]] = [
        {"type": "combatant_joined", "combatant": f"c{number}", "name": f"Combatant {number} of the long fight",
         "side": "party" if number < 15 else "foes", "sheet": {"hp": 900}}
        for number in range(30)
    ]  # fmt: skip
    for number in range(1, 501):
        facts += [
            {"type": "round_started", "round": number},
            {"type": "damage_dealt", "target": "c29", "amount": 1, "source": f"c{number % 29}"},
        ]
    return "\n".join(map(json.dumps, facts))


def test_a_page_of_five_hundred_rounds_is_followed_and_asks_for_little(joins: Joins, server: Served) -> None:
    log = server.folder / f"{server.name}.jsonl"
    log.unlink()
    log_of(log, fought(), "plain", "The long fight")
    for size in SIZES.values():
        gm = joins("gm", by="gm", how={"viewport": size})
        gm.page.set_default_timeout(60_000)
        expect(gm.page.locator("#state [data-who]")).to_have_count(30)
        assert gm.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        with server.client(server.token("gm", by="other")[0]) as other, gm.page.expect_response(is_news) as news:
            done = other.post("/lines", content="c0 -1", headers={"content-type": "text/plain"}, timeout=60)
            assert done.status_code == 201, done.text
        told = news.value.body()
        assert b'"since"' in told
        assert len(told) < 20_000
        gm.sees_all()
        assert gm.told()[-1].endswith("Combatant 0 of the long fight takes 1 damage")
        assert gm.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def is_news(response: Any) -> bool:
    return "/data?since=" in response.url and response.status == 200
