"""Facts, lines and new encounters over HTTP: what is confirmed is in the log, once; everything else is a problem."""

import json
import socket

import pytest

from encounterlog.places.tokens import TOKENS
from tests.encounterlog.service.conftest import TRUSTING, Table
from tests.encounterlog.support import encounter
from tests.few import few

RAIN = {"type": "noted", "text": "Rain."}


def lines(table: Table) -> list[str]:
    return table.log.read_text().splitlines()


def test_facts_come_as_one_as_a_list_or_as_lines(table: Table) -> None:
    as_lines = {
        "content": json.dumps(RAIN) + "\n\n" + json.dumps(RAIN) + "\n",
        "headers": {"content-type": "application/x-ndjson"},
    }
    for given, count in (
        ({"json": RAIN}, 1),
        ({"json": [RAIN, RAIN]}, 2),
        (as_lines, 2),
        ({"json": {"event": RAIN, "secret": True}}, 1),
    ):
        before = len(lines(table))
        answer = table.gm.post("records", **given)
        assert (answer.status_code, answer.json()["first"], answer.json()["last"]) == (201, before + 1, before + count)
        assert answer.headers["etag"] == f'"{encounter("head", table.log).stdout.strip()}"'
    assert encounter("verify", table.log).exit_code == 0


def test_findings_refusals_and_lines_are_told_as_the_command_tells_them(table: Table) -> None:
    told = table.gm.post("records", json={"type": "checked", "values": {"ogre.hp": 3}}).json()
    assert [one["rule"] for one in told["findings"]] != []
    told = table.gm.post("records", json=[RAIN, {"type": "damage_dealt", "target": "ogr", "amount": 1}]).json()
    assert (told["line"], told["field"], told["exit"]) == (2, "target", 4)
    assert "ogre" in " ".join(told["details"])
    answer = table.gm.post("lines", content="b o 14 6", headers={"content-type": "text/plain"})
    told = answer.json()
    assert answer.status_code == 201
    assert told["facts"][-1]["type"] == "damage_dealt"
    assert [each.partition("  ")[2] for each in told["echo"]] == ["Bo attacks Ogre: rolls 14, hit, 6 damage"]
    assert table.gm.get("show").json()["combatants"]["ogre"]["hp"] == 8


def test_no_wrong_sheet_is_posted_and_nobody_hidden_told_to_a_creator(table: Table) -> None:
    encounter("new", table.served.folder / "reef.jsonl", "--ruleset", "5e")
    joins = {"type": "combatant_joined", "combatant": "kex", "sheet": {"srd": "2014:gobblin"}}
    token, _ = table.served.token("gm", "reef", by="gm")
    with table.served.client(token, "reef") as gm:
        answer = gm.post("records", json=joins)
        assert (answer.status_code, answer.json()["exit"]) == (422, 4)
        assert "2014 has no monster with the id gobblin" in answer.text
        assert gm.post("records", json=joins | {"sheet": {"srd": "2014:goblin"}}).status_code == 201
    for line in ("join Spy party hp=4", "join Mole moles hp=4", "spy -30", "spy leaves", "mole leaves"):
        assert encounter("add", table.log, f"secret {line}").exit_code == 0
    operator, _ = table.served.token("operator", "")
    with table.served.client(operator, "weir") as creating:
        place = str(creating.base_url).rstrip("/")
        for wrong in ("moles", "mole", "spy"):
            refused = creating.put(place, json={"ruleset": "plain", "party": f"{table.log.stem}#{wrong}"})
            assert refused.status_code in (400, 422)
            assert "its sides are party, foes" in refused.text
        made = creating.put(place, json={"ruleset": "plain", "party": table.log.stem})
        assert (made.status_code, made.json()["left_out"]) == (201, [])


def test_a_tag_allows_one_writer_and_shows_the_other_what_came_between(table: Table) -> None:
    tag = table.gm.get("head").headers["etag"]
    assert table.gm.post("records", json=RAIN, headers={"if-match": tag}).status_code == 201
    second = table.gm.post("records", json={"type": "round_ended"}, headers={"if-match": tag})
    told = second.json()
    assert (second.status_code, told["exit"], told["type"]) == (412, 5, "/v1/problems#wrong-version")
    assert [each["event"] for each in told["between"]] == [RAIN]
    assert table.gm.post("records", json=RAIN, headers={"if-match": f'"{told["found"]}"'}).status_code == 201


def test_a_key_makes_an_append_repeatable_and_stands_for_it_alone(table: Table) -> None:
    tag = table.gm.get("head").headers["etag"]
    headers = {"idempotency-key": "k-1", "if-match": tag}
    first = table.gm.post("records", json=RAIN, headers=headers)
    again = table.gm.post("records", json=RAIN, headers=headers)
    assert [first.status_code, again.status_code] == [201, 200]
    assert (again.json()["again"], again.json()["head"]) == (True, first.json()["head"])
    other = table.gm.post("records", json={"type": "round_ended"}, headers=headers)
    assert (other.status_code, other.json()["type"]) == (422, "/v1/problems#key-reused")
    assert len(lines(table)) == first.json()["last"]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["", '""', "x" * 61, "a\tb"])
def test_a_key_that_no_log_can_hold_is_refused(table: Table, key: str) -> None:
    assert table.gm.post("records", json=RAIN, headers={"idempotency-key": key}).status_code == 400


@few(3, ("body", "media", "status"), [
    ('{"type":"noted","text":', "application/json", 400),
    ("[1,2", "application/json", 400),
    ("", "application/json", 400),
    ("[]", "application/json", 422),
    ("1", "application/json", 422),
    ('{"type":"nted"}', "application/json", 422),
    ('{"type":"noted","text":"a","text":"b"}', "application/json", 422),
    ('{"type":"noted","text":"x"}\n{"type":"noted"', "application/x-ndjson", 422),
    ("", "application/x-ndjson", 422),
    ("\ufeff{}", "application/x-ndjson", 422),
    ("[" * 100_000, "application/json", 400),
    ("[" * 100_000, "application/x-ndjson", 422),
    ('{"type":"noted","text":"x"}', "text/plain", 415),
    ('{"type":"noted","text":"x"}', "", 415),
    ('{"type":"noted","text":"x"}', "application/jsonx", 415),
    ('{"type":"damage_dealt","target":"nobody","amount":1}', "application/json", 422),
    ('{"type":"encounter_opened","format":1}', "application/json", 422),
    ("\n".join(['{"type":"round_ended"}'] * 1001), "application/x-ndjson", 413),
    ('{"type":"noted","text":"' + "x" * (1 << 20) + '"}', "application/json", 413),
])  # fmt: skip
def test_a_body_that_holds_no_facts_writes_nothing(table: Table, body: str, media: str, status: int) -> None:
    before = lines(table)
    answer = table.gm.post("records", content=body.encode(), headers={"content-type": media} if media else {})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    assert lines(table) == before


# ---------------------------------------------------------------- lines of the language


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["b o 14 6", "ogre -1", '" The bridge creaks.', "u", "amend 6 ogre -2", "ogre -1, bo -1"]
)
def test_a_line_sent_as_secret_is_withheld_from_players(table: Table, line: str) -> None:
    before = len(lines(table))
    dry = table.gm.post("lines?dry=1", json={"line": line, "secret": True}).json()
    assert (dry["secret"], all("(secret)" in each for each in dry["echo"])) == (True, True)
    told = table.gm.post("lines", json={"line": line, "secret": True}).json()
    assert told["withheld"] == [*range(before + 1, told["last"] + 1)]
    assert all("(secret)" in each for each in told["echo"])
    shown = [json.loads(each) for each in table.player.get("records").text.splitlines()]
    assert [each.get("event") for each in shown[before:]] == [None] * (told["last"] - before)
    openly = table.gm.post("lines", json={"line": '" It rains.', "secret": False}).json()
    assert "withheld" not in openly


def test_a_player_sends_no_secret_and_a_key_stands_for_a_line_and_secrecy(table: Table) -> None:
    before = lines(table)
    for body in ({"line": "ana -1", "secret": True}, {"line": "secret ana -1"}):
        for path in ("lines", "lines?dry=1"):
            answer = table.player.post(path, json=body)
            assert (answer.status_code, answer.json()["detail"]) == (403, "secrets are for the game master alone"), body
    assert lines(table) == before
    headers = {"idempotency-key": "k"}
    first = table.gm.post("lines", json={"line": "ogre -1", "secret": True}, headers=headers)
    again = table.gm.post("lines", json={"line": "ogre -1", "secret": True}, headers=headers)
    openly = table.gm.post("lines", json={"line": "ogre -1"}, headers=headers)
    assert [each.status_code for each in (first, again, openly)] == [201, 200, 422]
    assert first.json()["withheld"] == again.json()["withheld"] == [first.json()["last"]]


def test_offers_for_players_name_nobody_hidden(table: Table) -> None:
    told = table.gm.post("lines", json={"line": "ana atacks wraith"}).json()
    assert told["offers"] == ["ana attacks wraith"]
    for line in ("ana atacks wrath", "ana attacks wrath", "wrath -2"):
        told = table.player.post("lines", json={"line": line}).json()
        assert told["status"] == 422, line
        assert "wraith" not in " ".join([*told.get("offers", ()), told["title"]]), line
    told = table.gm.get("offers", params={"line": "ana hits w"}).json()
    assert (told["begun"], "wraith" in {each["word"] for each in told["offers"]}) == ("w", True)
    told = table.player.get("offers", params={"line": "ana hits w"}).json()
    assert "wraith" not in {each["word"] for each in told["offers"]}
    assert table.player.get("offers", params={"line": "ana hits og"}).json()["offers"][0]["word"] == "ogre"
    assert table.spectator.get("offers", params={"line": "og"}).status_code == 403


def test_a_line_with_a_condition_or_a_key_is_kept_and_not_rolled_again(table: Table) -> None:
    tag = table.gm.get("head").headers["etag"]
    table.gm.post("records", json=RAIN)
    told = table.gm.post("lines", json={"line": "note snow"}, headers={"if-match": tag}).json()
    assert (told["status"], told["input"], [each["event"] for each in told["between"]]) == (412, "note snow", [RAIN])
    headers = {"idempotency-key": "roll-1"}
    first = table.gm.post("lines", json={"line": "b o d20 d6"}, headers=headers)
    again = table.gm.post("lines", json={"line": "b o d20 d6"}, headers=headers)
    assert [first.status_code, again.status_code] == [201, 200], first.text
    assert (again.json()["facts"], again.json()["first"]) == (first.json()["facts"], first.json()["first"])
    assert table.gm.post("lines", json={"line": "note x"}, headers=headers).status_code == 422


@pytest.mark.parametrize(("path", "body"), [("records", RAIN), ("lines", {"line": "b o d20 d6"})])
def test_a_request_nobody_heard_is_repeated_and_written_once(table: Table, path: str, body: object) -> None:
    """As after a timeout: its sender had gone before it was answered."""
    before, headers = len(lines(table)), {"idempotency-key": "unheard"}
    request = table.gm.build_request("POST", path, json=body, headers=headers)
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    with socket.create_connection((request.url.host, request.url.port or 80)) as line:
        line.sendall(f"POST {request.url.path} HTTP/1.1\r\n{head}\r\n".encode() + request.content)
    answers = [table.gm.post(path, json=body, headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers[1:]] == [200, 200], answers[0].text
    (first,) = {answer.json()["first"] for answer in answers}
    (last,) = {answer.json()["last"] for answer in answers}
    assert (first, len(lines(table))) == (before + 1, last)
    assert encounter("verify", table.log).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("line", ["", "  ", "a\nb", "x" * 2001, "\x00", "\ud800"])
def test_a_line_that_is_none_is_refused(table: Table, line: str) -> None:
    answer = table.gm.post(
        "lines", content=json.dumps({"line": line}).encode(), headers={"content-type": "application/json"}
    )
    assert answer.status_code in (400, 422)


# ---------------------------------------------------------------- new encounters


def test_the_operator_creates_an_encounter_and_its_game_master_begins(table: Table) -> None:
    operator, _ = table.served.token("operator", "")
    with table.served.client(operator, "bridge") as creating:
        place, opening = str(creating.base_url).rstrip("/"), {"ruleset": "osric", "title": "The bridge"}
        made = creating.put(place, json=opening, headers={"if-none-match": "*"})
        assert (made.status_code, made.headers["etag"]) == (201, f'"{made.json()["head"]}"')
        again = creating.put(str(creating.base_url).rstrip("/"), json={"ruleset": "osric", "title": "Another"})
        assert (again.status_code, again.json()["type"]) == (412, "/v1/problems#already-there")
        assert creating.get("show").status_code == 403
    with table.served.client(made.json()["token"], "bridge") as gm:
        assert gm.get("show").json()["title"] == "The bridge"
    assert encounter("verify", table.served.folder / "bridge.jsonl").exit_code == 0
    assert made.json()["token"] not in (table.served.folder / TOKENS).read_text()


@few(3,
    ("value", "status"),
    [
        ({}, 422), ({"ruleset": "osrik"}, 400), ({"ruleset": "osric", "titel": "x"}, 422), ({"ruleset": 3}, 422), ([], 422),
        ({"ruleset": "osric", "options": {"x": "y"}}, 400), ({"ruleset": "osric", "title": "x" * 121}, 422),
        ({"ruleset": "osric", "title": "a\u202eb"}, 201), ({"ruleset": "osric", "by": "a\nb"}, 400), ({"ruleset": "osric", "title": "\ud800"}, 422),
    ],
)  # fmt: skip
def test_a_wrong_opening_creates_nothing(table: Table, value: object, status: int) -> None:
    operator, _ = table.served.token("operator", "")
    name = f"made-{abs(hash(json.dumps(value)))}"
    with table.served.client(operator, name) as creating:
        body, media = json.dumps(value).encode(), {"content-type": "application/json"}
        answer = creating.put(str(creating.base_url).rstrip("/"), content=body, headers=media)
    assert answer.status_code == status, answer.text
    assert (table.served.folder / f"{name}.jsonl").exists() is (status == 201)


@few(3, "name", ["%2e%2e", "%2e%2e%2fford", ".hidden", "-x", "a%0ab", "x" * 300, "a%5cb", "%ff", "a%00b", "e%cc%81"])
def test_a_name_that_leads_elsewhere_is_never_a_file(table: Table, name: str) -> None:
    operator, _ = table.served.token("operator", "")
    before = sorted(table.served.folder.parent.rglob("*"))
    with table.served.client(operator, "") as creating:
        put = creating.put(f"/v1/encounters/{name}", json={"ruleset": "plain"})
        assert put.status_code in (404, 422), put.text
        assert creating.get(f"/v1/encounters/{name}/head").status_code in (403, 404)
    assert {path.name for path in sorted(table.served.folder.parent.rglob("*"))} == {path.name for path in before}


def test_the_token_of_a_removed_encounter_does_not_open_the_next(table: Table) -> None:
    operator, _ = table.served.token("operator", "")
    path, opening = table.served.folder / "again.jsonl", {"ruleset": "plain"}
    with table.served.client(operator, "again") as creating:
        place = str(creating.base_url).rstrip("/")
        old = creating.put(place, json=opening).json()["token"]
        with table.served.client(old, "again") as gm:
            invited = gm.post("tokens", json={"role": "spectator"}).json()["token"]
            given = json.loads(encounter("invite", path, "--role", "gm", "--json").stdout)["token"]
            path.unlink()
            new = creating.put(place, json=opening).json()["token"]
        for token in (old, invited, given):
            with table.served.client(token, "again") as client:
                for asked in ("show", "events", f"{table.served.url}/e/again"):
                    answer = client.get(asked)
                    assert (answer.status_code, answer.json()["detail"]) == (403, "a token of another table"), asked
                assert client.get(f"{table.served.url}/v1/encounters").json() == {"encounters": []}
    with table.served.client(new, "again") as client:
        assert client.get("show").status_code == 200


def test_keys_are_compared_whole_and_those_of_lines_are_none_of_facts(table: Table) -> None:
    for key in ("k:b:c", "k:b", "k"):
        done = table.gm.post("lines", json={"line": f"note {len(key)}"}, headers={"idempotency-key": key})
        assert done.status_code == 201, done.text
    assert table.gm.post("records", json=RAIN, headers={"idempotency-key": "k"}).status_code == 201
    kept = json.loads(lines(table)[-2])["key"]
    for given in ({"json": RAIN, "headers": {"idempotency-key": "line/k"}}, {"json": {"event": RAIN, "key": kept}}):
        refused = table.gm.post("records", **given)
        assert (refused.status_code, refused.json()["field"]) == (400, "Idempotency-Key")


@pytest.mark.parametrize("options", [TRUSTING])
def test_the_service_rolls_for_a_player_and_keeps_what_it_rolled(table: Table) -> None:
    table.gm.post("records", json={"type": "turn_started", "combatant": "ana"})
    dry = table.player.post("lines?dry=1", json={"line": "ana hits ogre d20 d6"})
    done = table.player.post("lines", json={"line": "ana hits ogre d20 d6"})
    assert (dry.status_code, done.status_code) == (200, 201), done.text
    assert "noted" in [fact["type"] for fact in done.json()["facts"]]
    facts = [
        {"type": "action_taken", "combatant": "ana", "action": "attack"},
        {"type": "noted", "text": "x", "event": -1},
    ]
    assert table.player.post("records", json=facts).status_code == 403
    assert table.player.post("lines", json={"line": "note It rains"}).status_code == 201


# ---------------------------------------------------------------- what hands ask for


@pytest.mark.slow
def test_a_dry_undo_says_what_it_takes_back(table: Table) -> None:
    table.gm.post("lines", json={"line": "bo -4"})
    assert "Bo takes 4 damage" in table.gm.post("lines?dry=1", json={"line": "u"}).json()["echo"][0]
