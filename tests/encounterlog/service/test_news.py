"""After an append a page is told what is new, and comes to the same as one that is loaded then."""

from typing import Any

import pytest

from tests.encounterlog.service.conftest import Table

LINES = (
    "i ana15 ogre9",
    "next",
    "ana hits ogre -3",
    "ogre is prone for 2r",
    "secret ogre hits bo -2",
    "strike 8",
    "u",
    "r",
    "join Cay party hp=9",
)


def taken(page: dict[str, Any], news: dict[str, Any]) -> dict[str, Any]:
    """Return a page as live.js makes it of what is new."""
    assert news["since"] == page["head"]
    made: dict[str, Any] = page | news["values"]
    for name, (stays, rows) in news["rows"].items():
        made[name] = page.get(name, [])[:stays] + rows
    return made


def filled(page: dict[str, Any]) -> dict[str, Any]:
    """Return a page without the fields that are empty, which are left out of a whole one."""
    return {name: value for name, value in page.items() if value not in ("", [], {}, None, False)}


@pytest.mark.slow
@pytest.mark.parametrize("role", ["gm", "player", "spectator"])
def test_a_page_that_takes_in_what_is_new_is_the_page_that_is_loaded_then(table: Table, role: str) -> None:
    client = getattr(table, role)
    address = str(client.base_url).replace("/v1/encounters/", "/e/") + "data"
    page = client.get(address).json()
    for line in LINES:
        done = table.gm.post("lines", json={"line": line})
        assert done.status_code == 201, (line, done.text)
        page = taken(page, client.get(address, params={"since": page["head"]}).json())
        assert filled(page) == filled(client.get(address).json()), line


@pytest.mark.slow
def test_what_is_new_is_small_and_of_an_end_that_is_not_known_all_is_told(table: Table) -> None:
    address = str(table.gm.base_url).replace("/v1/encounters/", "/e/") + "data"
    facts = [{"type": "damage_dealt", "target": "ogre", "amount": 1, "source": "bo"}] * 150
    assert table.gm.post("records", json=facts).status_code == 201
    page = table.gm.get(address).json()
    assert table.gm.post("lines", json={"line": "ana -1"}).status_code == 201
    told = table.gm.get(address, params={"since": page["head"]})
    assert len(told.content) < 20_000
    for other in ("1:" + "0" * 64, "x", "999:" + page["head"].partition(":")[2]):
        assert "since" not in table.gm.get(address, params={"since": other}).json()
    assert len(table.gm.get(address).content) > len(told.content)
