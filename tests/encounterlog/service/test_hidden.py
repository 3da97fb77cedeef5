"""The law of the hidden for a service and for exports: what a player gets names no combatant whose joining is secret."""

import json
from collections.abc import Iterator

import httpx
import pytest
from msgspec import to_builtins

from encounterlog.exporters import EXPORTERS
from encounterlog.exporters.exporting import export_to_bytes
from encounterlog.service.streams import ServedLog, hold_log
from eventstore.memory import MemoryStore
from eventstore.record import Draft, Recorded
from projections.stream.audience import for_players
from projections.stream.concealment import joining
from projections.stream.corrections import absolute
from tests.encounterlog.service.interference import AT
from tests.encounterlog.service.interference_of_rulesets import asked, sent
from tests.encounterlog.service.served import Served
from tests.hidden import NAMES, RULESETS, made

FORMATS = [name for name, row in EXPORTERS.items() if row.form != "binary" and name != "script"]
"""The formats that a log with withheld records can have, and whose bytes can be searched."""

LINES = ("note the sun", "t", "ana hits bru for 1", "?")
PLACES = ("stats", "offers?line=", "offers?line=z", "offers?line=ana%20hits%20", "proposals", "show", "log")


def stored(records: list[Recorded]) -> Iterator[MemoryStore]:
    """Yield a store with the records of a log, as it is after each of them."""
    drafts = [Draft(each.event, secret=each.secret) for each in records if each.event]
    store = MemoryStore(drafts[:1], by="gm", at=AT)
    for draft in drafts[1:]:
        store.append([draft], by="gm", at=AT)
        yield store


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_what_a_service_keeps_for_players_is_what_the_whole_log_gives_them(key: str, whole: bool) -> None:
    for seed in range(10 if whole else 1):
        known = None
        for store in stored(made(key, seed).records):
            known = known or ServedLog("ford", store)
            with hold_log(known):
                shown = known.folded.view_for(secrets=False).records
            assert shown == tuple(for_players([*store.read()]))


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_no_export_for_players_names_the_hidden(key: str, whole: bool) -> None:
    for seed in range(100, 105 if whole else 101):
        *_, store = stored(made(key, seed).records)
        for kind in FORMATS:
            text = export_to_bytes(kind, store, "ford", for_players=True).decode()
            assert not named(text), (kind, seed)


def named(text: str) -> str:
    """Return the name of a hidden combatant in a text, with what is around it; "" if none is."""
    found = NAMES.search(text)
    return text[max(0, found.start() - 60) : found.end() + 60] if found else ""


def told(client: httpx.Client, records: list[Recorded]) -> None:
    """Append the facts of a log over HTTP, in public or in secret as they are."""
    for each in records[1:]:
        assert each.event
        body = {"event": to_builtins(absolute(each.event, each.seq)), "secret": each.secret}
        client.post("records", json=body).raise_for_status()


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_no_endpoint_names_the_hidden_to_a_player(server: Served, key: str, whole: bool) -> None:
    for seed in range(200, 205 if whole else 201):
        name = f"hidden-{key}-{seed}"
        operator, _ = server.token("operator", "")
        with httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {operator}"}, timeout=30) as client:
            client.put(f"/v1/encounters/{name}", json={"ruleset": key}).raise_for_status()
        master, _ = server.token("gm", name, by="gm")
        player, _ = server.token("player", name, combatants=("ana",), by="Ann", writes=True)
        records = made(key, seed).records
        entered = max(each.seq for each in records if each.secret and joining(each.event))
        with server.client(master, name) as gm, server.client(player, name) as client:
            got: list[str] = []
            with client.stream("GET", "events") as stream:
                told(gm, records)
                count = 0
                for line in stream.iter_lines():
                    if line.startswith("data:") and json.loads(line[5:]).get("seq", entered) >= entered:
                        got.append(line)  # what was streamed before they entered was no secret then
                    count += line.startswith("id:")
                    if count == len(records):
                        break
            for question in asked("ana", "orc", len(records)):
                base = str(client.base_url)
                place = question.replace("/e/NAME", base.replace(f"/v1/encounters/{name}/", f"/e/{name}"))
                got.append(client.get(place).text)
            for place, value in sent("ana", "orc"):
                got.append(client.post(place, json=value).text)
            got += [client.post("lines", json={"line": line}).text for line in LINES]
            got += [client.get(each).text for each in PLACES]
            assert [found for each in got if (found := named(each))] == [], seed
