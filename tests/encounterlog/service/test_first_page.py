"""The first page: who may opens another encounter there, with the party of a former one."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import httpx
import pytest

from encounterlog.places.tokens import Role
from tests.encounterlog.service.conftest import Table
from tests.encounterlog.service.people import BROWSER
from tests.encounterlog.support import encounter

NUMBERS = count(1)


@contextmanager
def browser_of(table: Table, role: Role, **given: Any) -> Iterator[httpx.Client]:
    """Join with a new token as a browser does, and keep its cookies."""
    token, _ = table.served.token(role, "" if role == "operator" else None, **given)
    with httpx.Client(base_url=table.served.url, headers={"accept": BROWSER}, timeout=30) as browser:
        assert browser.post("/join", data={"token": token}).status_code == 303
        yield browser


def fresh(table: Table) -> str:
    return f"{table.served.name}-next-{next(NUMBERS)}"


@pytest.mark.parametrize("role", ["operator", "gm"])
def test_who_may_opens_the_next_fight_with_what_the_party_has_left(table: Table, role: Role) -> None:
    encounter("add", table.log, "ana", "-5")
    name = fresh(table)
    with browser_of(table, role) as browser:
        shown = browser.get("/")
        assert f'<option value="{table.served.name}">' in shown.text
        sent = {"name": name, "title": "The mill", "ruleset": "plain", "party": table.served.name, "side": ""}
        made = browser.post("/", data=sent)
        assert (made.status_code, made.headers["location"]) == (201, f"/e/{name}"), made.text
        told = browser.get(f"/v1/encounters/{name}/show").json()
        assert told["title"] == "The mill"
        assert {who: one["hp"] for who, one in told["combatants"].items()} == {"ana": 9, "bo": 9}
        assert browser.get(f"/e/{name}").status_code == 200
        listed = browser.get("/").text
        assert f'<a href="/e/{name}"><bdi>The mill</bdi></a><small><bdi>{name}: Plain' in listed
        assert "<small>game master</small>" in listed
        assert "2 combatants, not begun<" in listed
        assert " combatants, round 1<" in listed


def test_a_player_has_no_form_and_no_right_to_open_an_encounter(table: Table) -> None:
    name = fresh(table)
    sent = {"name": name, "ruleset": "plain", "party": table.served.name}
    for role, given in (("player", {"combatants": ("ana",), "writes": True}), ("spectator", {})):
        with browser_of(table, role, **given) as browser:  # type: ignore[arg-type]
            assert "<form" not in browser.get("/").text
            refused = browser.post("/", data=sent)
            assert (refused.status_code, "by a game master" in refused.text) == (403, True)
    with httpx.Client(base_url=table.served.url) as nobody:
        assert "<form" not in nobody.get("/").text
        assert nobody.post("/", data=sent).status_code == 401
    for client in (table.player, table.spectator):
        put = client.put(f"{table.served.url}/v1/encounters/{name}", json={"ruleset": "plain"})
        assert (put.status_code, put.json()["type"]) == (403, "/v1/problems#forbidden")
    assert not (table.served.folder / f"{name}.jsonl").exists()


def test_a_game_master_takes_the_party_of_an_own_encounter_and_of_no_other(table: Table) -> None:
    other, name = fresh(table), fresh(table)
    (table.served.folder / f"{other}.jsonl").write_bytes(table.log.read_bytes())
    place = f"{table.served.url}/v1/encounters/{name}"
    with browser_of(table, "gm") as browser:
        assert other not in browser.get("/").text
        said = []
        for party in (other, "no-such-fight"):
            refused = browser.post("/", data={"name": name, "ruleset": "plain", "party": party})
            assert refused.status_code == 404
            said.append(refused.text.replace(party, "X"))
            assert table.gm.put(place, json={"ruleset": "plain", "party": party}).status_code == 404
        assert said[0] == said[1]
    assert not (table.served.folder / f"{name}.jsonl").exists()
    made = table.gm.put(place, json={"ruleset": "plain", "party": table.served.name})
    assert made.status_code == 201, made.text


def test_what_is_wrong_with_the_form_is_said_and_its_fields_are_kept(table: Table) -> None:
    name = fresh(table)
    good = {"name": name, "ruleset": "plain", "title": "A <b>mill", "party": "", "side": ""}
    wrong = (
        ({"name": "a/b"}, 422, "Name: has one of", "Give a plain name: the-ford."),
        ({"name": table.served.name}, 412, "There is such an encounter already.", "Choose another name"),
        ({"ruleset": "plane"}, 400, "No ruleset &#39;plane&#39; is installed.", "plain"),
        ({"party": table.served.name, "side": "reds"}, 422, "no side &#39;reds&#39;", "Its sides are party, foes"),
        ({"party": table.served.name, "ruleset": "osric"}, 422, "is on plain, and this encounter on osric", "open it on plain"),
    )  # fmt: skip
    with browser_of(table, "operator") as browser:
        for changed, status, says, hint in wrong:
            refused = browser.post("/", data=good | changed)
            assert refused.status_code == status, refused.text
            assert refused.headers["content-type"] == "text/html; charset=utf-8"
            alert = refused.text.partition('role="alert"')[2].partition("</p>")[0]
            assert says.lower() in alert.lower(), alert
            assert hint in alert, alert
            assert 'value="A &lt;b&gt;mill"' in refused.text
            asked = browser.post("/", data=good | changed, headers={"accept": "*/*"})
            assert (asked.status_code, asked.headers["content-type"]) == (status, "application/problem+json")
        assert browser.post("/", data=good | {"titel": "x"}).status_code == 422
        assert browser.post("/", data=good, headers={"origin": "http://127.0.0.1:1"}).status_code == 403
    assert not (table.served.folder / f"{name}.jsonl").exists()


def test_a_game_master_exports_a_fight_from_the_page_and_nobody_else_does(table: Table) -> None:
    page = f"{table.served.url}/e/{table.served.name}/export"
    for kind, begins in (("markdown", b"---"), ("html", b"<!DOCTYPE html>"), ("csv", b"seq"), ("json", b"{")):
        found = table.gm.get(page, params={"kind": kind})
        assert found.status_code == 200, found.text
        assert found.content.startswith(begins), found.content[:40]
        assert found.headers["content-disposition"].startswith("attachment")
    assert table.gm.get(page, params={"kind": "parquet"}).status_code == 400
    assert table.player.get(page, params={"kind": "markdown"}).status_code == 403
    found = table.gm.get(f"{table.served.url}/monsters", params={"name": "adult r"})
    assert found.json()["monsters"][0]["id"] == "adult-red-dragon"
