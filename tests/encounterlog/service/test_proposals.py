"""What players do to others waits for the game master: proposals, who sees them, and what becomes of them."""

import json
import threading
from typing import Any

import httpx
import pytest

from encounterlog.service.streams import LARGEST, MOST_OF_ONE
from tests.encounterlog.service.conftest import Table
from tests.encounterlog.support import append, encounter
from tests.faults.together import side_by_side
from tests.few import few

HIT = "ana hits ogre -3"
BLOW = {"type": "damage_dealt", "target": "ogre", "amount": 2, "source": "ana"}


def propose(client: httpx.Client, line: str = HIT, **headers: str) -> Any:
    done = client.post("lines", json={"line": line}, headers=headers)
    assert done.status_code == 202, done.text
    return done.json()


def decide(client: httpx.Client, proposal: Any, *, accept: bool, **more: Any) -> httpx.Response:
    return client.post(f"proposals/{proposal['id']}", json={"accept": accept} | more)


def listed(client: httpx.Client) -> list[tuple[str, str]]:
    return [(each["line"], each["state"]) for each in client.get("proposals").json()["proposals"]]


def written(table: Table) -> list[Any]:
    return [json.loads(line) for line in table.log.read_text("utf-8").splitlines()]


def test_what_a_player_does_to_others_is_written_once_it_is_accepted(table: Table) -> None:
    before = table.log.read_bytes()
    made = propose(table.player)
    assert table.log.read_bytes() == before
    assert (made["by"], made["line"], made["state"], made["rolls"]) == ("Ann", HIT, "waiting", False)
    assert any("hit, 3 damage" in each for each in made["echo"])
    done = decide(table.gm, made, accept=True, version=1)
    assert (done.status_code, done.json()["state"]) == (201, "accepted")
    assert {each["by"] for each in written(table)[len(before.splitlines()) :]} == {"Ann"}
    assert table.gm.get("show").json()["combatants"]["ogre"]["hp"] == 11
    assert listed(table.player) == [(HIT, "accepted")]


def test_dice_decide_nothing_before_and_facts_are_proposed_as_lines_are(table: Table) -> None:
    before = len(written(table))
    made = table.player.post("records", json=BLOW)
    assert (made.status_code, made.json()["line"]) == (202, "")
    assert made.json()["echo"] == ["Ogre takes 2 damage from Ana"]
    assert decide(table.gm, made.json(), accept=True).status_code == 201
    (last,) = written(table)[before:]
    assert (last["by"], last["event"]) == ("Ann", BLOW)
    made = propose(table.player, "ana hits ogre d20 d6")
    assert (made["rolls"], made["echo"]) == (True, [])
    done = decide(table.gm, made, accept=True, version=1)
    assert done.status_code == 201, done.text


def test_what_is_declined_or_withdrawn_is_not_written(table: Table) -> None:
    before = table.log.read_bytes()
    declined, withdrawn = propose(table.player), propose(table.player)
    assert decide(table.gm, declined, accept=False).status_code == 200
    assert decide(table.player, withdrawn, accept=False).status_code == 200
    assert listed(table.player) == [(HIT, "declined"), (HIT, "withdrawn")]
    for each in (declined, withdrawn):
        answer = decide(table.gm, each, accept=True)
        assert (answer.status_code, answer.json()["type"].rpartition("#")[2]) == (409, "decided")
    assert table.log.read_bytes() == before


@pytest.mark.parametrize("body", [{"line": HIT}, {"line": "ana hits ogre d20 d6"}, BLOW])
def test_what_is_accepted_in_secret_is_withheld_from_who_proposed_it(table: Table, body: dict[str, Any]) -> None:
    before = len(written(table))
    made = table.player.post("lines" if "line" in body else "records", json=body).json()
    done = decide(table.gm, made, accept=True, secret=True)
    assert (done.status_code, done.json()["withheld"][:1]) == (201, [before + 1])
    assert {(each["by"], each["secret"]) for each in written(table)[before:]} == {("Ann", True)}
    assert all("event" not in json.loads(each) for each in table.player.get("records").text.splitlines()[before:])
    assert listed(table.player)[-1][1] == "accepted"


@pytest.mark.parametrize("body", [{"line": HIT}, BLOW])
def test_who_accepts_is_answered_what_a_game_master_sees_of_it(table: Table, body: dict[str, Any]) -> None:
    append(table.log, '{"event":{"type":"combatant_left","combatant":"ogre"},"secret":true}\n')
    append(table.log, '{"type":"round_started","round":2}\n')
    made = table.player.post("lines" if "line" in body else "records", json=body).json()
    done = decide(table.gm, made, accept=True).json()
    assert {each["rule"] for each in done["findings"]} == {"log.here"}
    assert decide(table.gm, made, accept=True).json()["findings"] == done["findings"]
    assert "findings" not in table.player.get("proposals").json()["proposals"][-1]


def test_what_reaches_nobody_is_recorded_and_what_no_act_brought_refused(table: Table) -> None:
    for line in ("ana misses ogre", "ana -1", "ana is prone"):
        assert table.player.post("lines", json={"line": line}).status_code == 201, line
    assert listed(table.player) == []
    for line in ("ogre -3", "bo hits ogre -3", "secret ana hits ogre -3"):
        assert table.player.post("lines", json={"line": line}).status_code == 403, line
    assert listed(table.gm) == []


def test_the_end_of_an_effect_of_others_or_of_nobody_is_proposed(table: Table) -> None:
    table.gm.post("records", json={"type": "effect_started", "effect": "ward", "source": "ogre", "targets": ["ogre"]})
    act = {"type": "action_taken", "combatant": "ana", "action": "attack"}
    ends = {"type": "effect_ended", "effect": "ward", "cause": -1}
    assert table.player.post("records", json=[act, ends]).status_code == 202
    assert table.player.post("records", json=[act, ends | {"source": "ana"}]).status_code == 201
    assert table.player.post("records", json=[act, {"type": "dice_rolled", "die": 3, "cause": -1}]).status_code in (
        403,
        422,
    )
    for one in ({"effect": "aura"}, {"effect": "fog", "targets": ["ogre", "ana"]}, {"effect": "hum", "source": "ana"}):
        assert table.gm.post("records", json={"type": "effect_started", **one}).status_code == 201
    ends = {"type": "effect_ended", "source": "ana"}
    answers = [
        table.player.post("records", json=ends | {"effect": name}).status_code for name in ("aura", "fog", "hum")
    ]
    assert answers == [202, 202, 201]
    assert table.player.post("records", json=ends | {"effect": "fog", "targets": ["ana"]}).status_code == 201


def test_who_joined_in_secret_does_not_again_and_trusted_acts_are_written(table: Table) -> None:
    token, _ = table.served.token("player", table.served.name, combatants=("cat",), writes=True)
    joins = {"type": "combatant_joined", "combatant": "cat", "side": "a", "sheet": {"hp": 9}}
    assert table.gm.post("records", json={"event": joins, "secret": True}).status_code == 201
    with table.served.client(token) as player:
        again = player.post("records", json=joins | {"sheet": {"hp": 999}})
    assert (again.status_code, again.json()["detail"]) == (403, "cat has joined already")
    name = f"{table.served.name}-trusting"
    log = table.served.folder / f"{name}.jsonl"
    assert encounter("new", log, "--ruleset", "plain", "--option", "others=recorded").exit_code == 0
    append(log, '{"type":"combatant_joined","combatant":"ana","side":"a","sheet":{}}\n{"type":"combatant_joined","combatant":"ogre","side":"b","sheet":{}}')  # fmt: skip
    token, _ = table.served.token("player", name, combatants=("ana",), writes=True)
    with table.served.client(token, encounter=name) as player:
        assert player.post("lines", json={"line": HIT}).status_code == 201


def test_only_a_game_master_decides_and_what_was_revoked_is_declined(table: Table) -> None:
    made = propose(table.player)
    other, _ = table.served.token("player", combatants=("bo",), by="Ben", writes=True)
    with table.served.client(other) as ben:
        assert listed(ben) == []
        assert decide(ben, made, accept=False).status_code == 404
    assert decide(table.player, made, accept=True).status_code == 403
    assert table.spectator.get("proposals").status_code == 403
    assert decide(table.spectator, made, accept=False).status_code == 403
    assert listed(table.gm) == [(HIT, "waiting")]
    token, kept = table.served.token("player", combatants=("ana",), by="Cay", writes=True)
    with table.served.client(token) as cay:
        made = propose(cay)
    assert table.gm.delete(f"tokens/{kept.id}").status_code == 204
    assert decide(table.gm, made, accept=True).status_code == 403
    assert decide(table.gm, made, accept=False).status_code == 200


def test_a_flood_of_proposals_waits_its_turn_and_no_bad_decision_counts(table: Table) -> None:
    made = [propose(table.player) for _ in range(MOST_OF_ONE)]
    for _ in range(50):
        refused = table.player.post("lines", json={"line": HIT})
        assert (refused.status_code, refused.json()["type"].rpartition("#")[2]) == (429, "too-many-proposals")
    assert len(listed(table.gm)) == MOST_OF_ONE
    decide(table.gm, made[0], accept=False)
    propose(table.player)
    huge = [BLOW | {"parts": [{"type": "fire" * 20, "amount": 2}]}] * (LARGEST // 60)
    assert table.player.post("records", json=huge).status_code in (413, 422)


def test_a_proposal_sent_twice_under_its_key_is_written_once(table: Table) -> None:
    first, second = (propose(table.player, **{"idempotency-key": "k1"}) for _ in range(2))
    assert first["id"] == second["id"]
    assert len(listed(table.gm)) == 1
    other = table.player.post("lines", json={"line": "ana hits ogre -4"}, headers={"idempotency-key": "k1"})
    assert (other.status_code, other.json()["type"].rpartition("#")[2]) == (422, "key-reused")
    assert decide(table.gm, first, accept=True).status_code == 201
    late = table.player.post("lines", json={"line": HIT}, headers={"idempotency-key": "k1"})
    assert (late.status_code, late.json()["again"]) == (200, True)
    assert table.gm.get("show").json()["combatants"]["ogre"]["hp"] == 11


def test_a_line_is_read_again_when_accepted_and_another_meaning_shown(table: Table) -> None:
    made = propose(table.player, "ana hits o -3")
    join = {"type": "combatant_joined", "combatant": "otto", "name": "Otto", "side": "foes", "sheet": {"hp": 5}}
    assert table.gm.post("records", json=join).status_code == 201
    refused = decide(table.gm, made, accept=True)
    assert refused.status_code == 422  # o is two combatants now
    assert listed(table.gm) == [("ana hits o -3", "waiting")]
    assert table.gm.post("lines", json={"line": "ogre leaves"}).status_code == 201
    before = table.log.read_bytes()
    changed = decide(table.gm, made, accept=True, version=1)
    assert (changed.status_code, changed.json()["type"].rpartition("#")[2]) == (409, "proposal-changed")
    assert any("Otto" in each for each in changed.json()["echo"])
    assert decide(table.gm, made, accept=True, version=1).status_code == 409  # what was shown first is not accepted
    assert table.log.read_bytes() == before
    assert decide(table.gm, made, accept=True, version=2).status_code == 201


def test_of_game_masters_who_decide_at_once_one_does(table: Table) -> None:
    before = len(written(table))
    made = propose(table.player)
    answers: list[httpx.Response] = []

    def accept() -> None:
        token, _ = table.served.token("gm")
        with table.served.client(token) as client:
            ready.wait()
            answers.append(decide(client, made, accept=True))

    ready = threading.Barrier(6)
    side_by_side(*[accept] * 6)
    assert sorted(each.status_code for each in answers) == [200, 200, 200, 200, 200, 201]
    assert len({(each.json()["first"], each.json()["last"]) for each in answers}) == 1
    assert sum(each["event"]["type"] == "damage_dealt" for each in written(table)[before:]) == 1


def test_a_command_says_that_it_was_proposed_and_not_written(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.player.headers["authorization"].split()[1])
    address = f"{table.served.url}/e/{table.served.name}"
    done = encounter("add", address, HIT)
    assert (done.exit_code, "proposed to the game master" in done.stderr) == (6, True), done.stderr
    assert listed(table.player) == [(HIT, "waiting")]  # the service tells the line


@few(2, "body", [b"", b"{}", b'{"accept":1}', b'{"accept":true,"version":"1"}', b'{"accept":true,"x":1}', b"["])
def test_a_decision_is_read_strictly(table: Table, body: bytes) -> None:
    made = propose(table.player)
    answer = table.gm.post(f"proposals/{made['id']}", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert listed(table.gm) == [(HIT, "waiting")]
