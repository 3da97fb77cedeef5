"""Who may do what: tokens, roles, invitations, the page with one button; and what players never see."""

import json
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest

from encounterlog.places.tokens import TOKENS
from encounterlog.service.people import MOST, cookie_name, digests_in_request, token_digest
from tests.encounterlog.service.conftest import TRUSTING, Table
from tests.encounterlog.service.people import BROWSER
from tests.encounterlog.service.served import served
from tests.encounterlog.support import encounter
from tests.few import few
from tests.waiting import until

RAIN = {"type": "noted", "text": "Rain."}
READ = ["show", "audit", "log", "replay", "why?q=ana.hp", "may?who=ana", "blame?address=ana.hp", "first?expr=ana.hp>0", "diff?a=1&b=2",
        "whatif?strike=6", "head", "records", "events"]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("asked", READ)
def test_without_a_token_of_the_table_nothing_is_read(table: Table, asked: str) -> None:
    (table.served.folder / "other.jsonl").write_bytes(table.log.read_bytes())
    other, _ = table.served.token("gm", "other")
    for token, status in (("", 401), ("x", 401), ("x" * 5000, 401), (other, 403)):
        with table.served.client(token) as client:
            answer = client.get(asked)
            assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
            assert ("www-authenticate" in answer.headers) is (status == 401)
            assert "Ana" not in answer.text


def test_tokens_are_handed_out_and_revoked_by_those_of_the_table_alone(table: Table) -> None:
    for client in (table.player, table.spectator):
        assert client.post("tokens", json={"role": "gm"}).status_code == 403
        assert client.get("tokens").status_code == 403
        assert client.delete("tokens/x").status_code == 403
    _, other = table.served.token("gm", "other")
    assert table.gm.delete(f"tokens/{other.id}").status_code == 404
    found = table.served.shelf.tokens.find(other.digest)
    assert found is not None
    assert not found.revoked
    (table.served.folder / "other.jsonl").write_bytes(table.log.read_bytes())
    with table.served.client(encounter="") as client:
        token = table.gm.headers["authorization"]
        answers = [
            client.get(f"/v1/encounters/{name}/head", headers={"authorization": token}) for name in ("other", "nowhere")
        ]
    assert answers[0].content == answers[1].content
    made = table.gm.post("tokens", json={"role": "spectator"})
    assert made.status_code == 201
    with table.served.client(made.json()["token"]) as client:
        assert client.get("head").status_code == 200
        assert table.gm.delete(f"tokens/{made.json()['id']}").status_code == 204
        assert client.get("head").status_code == 401
    assert table.gm.delete("tokens/nobody").status_code == 404
    listed = {one["id"]: one["revoked"] for one in table.gm.get("tokens").json()["tokens"]}
    assert listed[made.json()["id"]] is not None


def test_requests_are_lines_of_json_without_query_and_token(table: Table) -> None:
    text = table.gm.headers["authorization"].split()[1]
    table.gm.get("show", params={"at": "3"})
    path = table.served.folder / TOKENS
    assert text not in path.read_text() + "".join(table.served.journal)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = len(table.served.journal)
    table.gm.get("why", params={"q": "ana.hp"})
    table.gm.get("head")

    def answered() -> list[dict[str, object]]:
        lines = [json.loads(line) for line in table.served.journal[before:]]
        return [one for one in lines if one["path"].endswith("/why") and one["status"] == 200]

    until(answered)  # a line may follow its answer
    last = answered()[-1]
    assert (last["method"], last["client"]) == ("GET", "127.0.0.1")
    assert {"at", "ms", "bytes", "token"} <= last.keys()
    assert "ana.hp" not in json.dumps(last)


@pytest.mark.slow
def test_a_quiet_service_writes_down_only_what_it_failed_to_answer(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    assert encounter("new", folder / "ford.jsonl", "--ruleset", "plain").exit_code == 0
    with served(folder, quiet=True) as service, service.client(service.token("gm")[0]) as client:
        assert [client.get(path).status_code for path in ("head", "nowhere", "show")] == [200, 404, 200]
        folder.rename(tmp_path / "away")
        assert client.get(f"{service.url}/readyz").status_code == 503
        assert service.stop() == 0
    (line,) = service.journal
    told = json.loads(line)
    assert (told["path"], told["status"], told["client"]) == ("/readyz", 503, "127.0.0.1")


# ---------------------------------------------------------------- players write for their own


@pytest.mark.parametrize("fact", [
    {"type": "action_taken", "combatant": "ana", "action": "attack"},
    {"type": "damage_dealt", "target": "ana", "amount": 2},
    {"type": "initiative_rolled", "combatant": "ana", "total": 12},
])  # fmt: skip
def test_a_player_appends_acts_of_her_own_in_her_own_name(table: Table, fact: dict[str, object]) -> None:
    done = table.player.post("records", json=fact)
    assert done.status_code == 201, done.text
    assert json.loads(table.log.read_text().splitlines()[-1])["by"] == "Ann"


@few(3, "fact", [
    {"type": "action_taken", "combatant": "bo", "action": "attack"},
    {"type": "damage_dealt", "target": "ogre", "amount": 2},
    {"type": "damage_dealt", "target": "ana", "amount": 2, "source": "ogre"},
    {"type": "noted", "text": "x"},
    {"type": "round_ended"},
    {"type": "struck", "event": 6},
    {"type": "amended", "event": 6, "replacement": {"amount": 1}},
    {"type": "ruling_made", "ruling": "reveal", "decision": "x", "event": 7},
    {"event": {"type": "action_taken", "combatant": "ana", "action": "attack"}, "secret": True},
])  # fmt: skip
def test_a_player_appends_nothing_else(table: Table, fact: dict[str, object]) -> None:
    before = table.log.read_bytes()
    assert table.player.post("records", json=fact).status_code == 403
    assert table.log.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("fact", [
    {"type": "turn_started", "combatant": "ana", "together": ["bo", "ogre"]},
    {"type": "initiative_rolled", "combatant": "ana", "together": ["bo"], "total": 3},
    {"type": "initiative_rolled", "side": "party", "die": 3},
    {"type": "sheet_changed", "combatant": "ana", "sheet": {"hp": 9999}},
    {"type": "contest_rolled", "contenders": [{"combatant": "ana"}, {"combatant": "ogre"}], "winner": "ana"},
    {"type": "moved", "combatant": "ana", "source": "bo", "forced": True},
    {"type": "moved", "combatant": "bo", "source": "ana", "forced": True},
    {"type": "condition_gained", "condition": "prone", "targets": ["ana", "bo"]},
    {"type": "encounter_closed.2"},
])  # fmt: skip
def test_a_player_reaches_others_only_by_an_own_act(table: Table, fact: dict[str, object]) -> None:
    before = table.log.read_bytes()
    assert table.player.post("records", json=fact).status_code == 403
    act = {"type": "action_taken", "combatant": "ana", "action": "attack"}
    about: list[dict[str, Any]] = [
        {"type": "moved", "combatant": "bo"},
        {"type": "save_rolled", "combatant": "bo", "die": 3},
    ]
    about += [{"type": "resource_changed", "combatant": "bo", "resource": "arrows", "amount": -1}]
    for each in about:
        assert table.player.post("records", json=[act, each | {"cause": -1}]).status_code == 403
    assert table.log.read_bytes() == before


@pytest.mark.parametrize(("options", "status"), [((), 202), (TRUSTING, 201)])
def test_an_own_act_harms_others_and_a_line_may_be_a_note(table: Table, status: int) -> None:
    act = {"type": "attack_rolled", "combatant": "ana", "target": "ogre", "die": 17, "hit": True}
    brought = [{"type": "damage_dealt", "target": "ogre", "amount": 3, "cause": -1}]
    brought += [{"type": "condition_gained", "condition": "prone", "targets": ["ogre"], "cause": -2}]
    assert table.player.post("records", json=[act, *brought]).status_code == status
    assert table.player.post("lines", json={"line": 'note "ana hears a bell"'}).status_code == 201
    prone = {"type": "condition_gained", "condition": "prone", "targets": ["ana"]}
    assert table.player.post("records", json=prone).status_code == 201


def test_only_game_masters_write_for_others_and_players_keep_their_words(table: Table) -> None:
    token, _ = table.served.token("player", combatants=("ana",))
    with table.served.client(token) as reading:
        for client in (reading, table.spectator):
            act = {"type": "action_taken", "combatant": "ana", "action": "attack"}
            assert client.post("records", json=act).status_code == 403
            assert client.post("lines", json={"line": "a o 14 6"}).status_code == 403
            assert client.get("show").status_code == 200
    token, _ = table.served.token("player", combatants=("ana",), by="gm", writes=True)
    with table.served.client(token) as client:
        told = client.post("lines", json={"line": "note the wraith waits"})
        assert told.status_code == 201, told.text
    seen = table.player.get("records").text.splitlines()[-1]
    assert json.loads(seen)["event"]["text"] == "the wraith waits"
    assert json.loads(seen)["by"] == "gm (player)"
    again = {"type": "combatant_joined", "combatant": "ana", "side": "party", "sheet": {"hp": 999}}
    token, _ = table.served.token("player", combatants=("ana", "new"), by="Ann", writes=True)
    with table.served.client(token) as client:
        new = again | {"combatant": "new"}
        for facts in (again, [new, new]):
            assert client.post("records", json=facts).status_code == 403
        for line in ("join Ana party hp=999", "join Ana party hp=14"):
            assert client.post("lines", json={"line": line}).status_code in (403, 422)
        assert client.post("records", json=new).status_code == 201
    assert table.gm.post("records", json=again).status_code == 201


def test_what_is_recorded_about_the_hidden_is_kept_from_players(table: Table) -> None:
    kim, _ = table.served.token("gm", by="Kim")
    with table.served.client(kim) as client:
        for fact in (
            {"type": "noted", "text": "the wraith waits"},
            {"type": "action_taken", "combatant": "ana", "action": {"kind": "attack", "name": "wraith's bane"}},
            {"type": "ruling_made", "ruling": "fact", "decision": "wraiths may fly"},
            {"type": "struck", "event": 3, "reason": "that was the wraith"},
            {"type": "sheet_changed", "combatant": "ana", "sheet": {"notes": "hates the wraith"}},
        ):
            done = client.post("records", json=fact)
            assert done.status_code == 201, done.text
            assert done.json()["withheld"] == [done.json()["last"]]
        sheet = {"hp": 3, "notes": "the wraith"}
        joined = {"type": "combatant_joined", "combatant": "cy", "side": "party", "sheet": sheet}
        assert client.post("records", json=joined).status_code == 201
    for place in ("records", "log", "show", "audit", "replay"):
        assert "wraith" not in table.player.get(place).text.lower(), place
    assert "cy" in table.player.get("show").json()["combatants"]


# ---------------------------------------------------------------- joining


def test_the_link_of_an_invitation_opens_a_page_that_sets_a_cookie(table: Table) -> None:
    link = table.gm.post("tokens", json={"role": "player", "combatants": ["ana"]}).json()["link"]
    page, _, behind = link.partition("#")
    with httpx.Client(timeout=30) as browser:
        for _ in range(2):  # whoever looks at the link in advance uses up nothing
            shown = browser.get(page)
            assert (shown.status_code, shown.text.count("<button")) == (200, 1)
            assert "set-cookie" not in shown.headers
        joined = browser.post(page, data={"token": behind})
        assert (joined.status_code, joined.headers["location"]) == (303, f"/e/{table.served.name}")
        cookie = joined.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        assert "Ana" in browser.get(f"{table.served.url}/e/{table.served.name}").text
        assert browser.get(f"{table.served.url}/v1/encounters").json()["encounters"][0]["name"] == table.served.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "status", "says"),
    [("e/{name}", 401, "not invited yet"), ("e/nowhere", 401, "not invited yet"), ("nothing", 404, "nothing here"),
     ("e/<b>", 401, "not invited yet"), ("join/x", 404, "nothing here"), ("v1/encounters/{name}/show", 401, "not invited")],
)  # fmt: skip
def test_a_browser_that_is_refused_shows_a_page(table: Table, place: str, status: int, says: str) -> None:
    url = f"{table.served.url}/{place.format(name=table.served.name)}"
    answer = httpx.get(url, headers={"accept": BROWSER})
    assert (answer.status_code, says in answer.text, "link of your invitation" in answer.text) == (status, True, True)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    assert "<b>" not in answer.text
    for accept in ("*/*", "application/json", "application/problem+json, text/html", ""):
        other = httpx.get(url, headers={"accept": accept})
        assert (other.status_code, other.headers["content-type"]) == (status, "application/problem+json")


def test_a_page_of_another_table_or_of_a_log_that_is_gone_is_one(table: Table) -> None:
    ask = {"accept": BROWSER}
    other = table.player.get(f"{table.served.url}/e/another", headers=ask)
    assert (other.status_code, "not open to you" in other.text) == (403, True)
    table.log.rename(table.log.with_suffix(".away"))
    gone = table.player.get(f"{table.served.url}/e/{table.served.name}", headers=ask)
    assert (gone.status_code, "nothing here" in gone.text) == (404, True)


def test_the_first_page_lists_what_a_browser_can_open_alone(table: Table) -> None:
    nobody = httpx.get(f"{table.served.url}/", headers={"accept": BROWSER})
    assert (nobody.status_code, "link of your invitation" in nobody.text.lower(), table.served.name in nobody.text) == (
        200,
        True,
        False,
    )
    token, _ = table.served.token("player", combatants=("ana",))
    with httpx.Client(base_url=table.served.url) as browser:
        browser.post("/join", data={"token": f"{table.served.name}:{token}"})
        page = browser.get("/")
        assert f'<span><a href="/e/{table.served.name}">' in page.text
        assert "<small>player</small>" in page.text
        assert page.text.count("<li>") == 1
        assert browser.get(f"/e/{table.served.name}").status_code == 200
    old, _ = table.served.token("gm", log="fedcba9876543210")
    with httpx.Client(base_url=table.served.url, headers={"accept": BROWSER}) as browser:
        browser.post("/join", data={"token": old})
        page = browser.get("/")
        assert (page.status_code, page.text.count("<li>")) == (200, 0)
        assert "nothing is open" in page.text.lower()
        assert browser.get("/v1/encounters").json()["encounters"] == []


def test_bad_links_and_too_many_cookies_are_refused(table: Table) -> None:
    for text in ("", "x", "ford:x", "\u00e9", "ford:" + "x" * 5000):
        answer = httpx.post(f"{table.served.url}/join", data={"token": text}, timeout=30)
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    token, _ = table.served.token("gm", table.served.name)
    own = f"{cookie_name(table.served.name)}={token}"
    for number, status in ((MOST - 1, 200), (MOST, 400), (600, 400)):
        cookies = "; ".join([own, *(f"encounter-{each}=x" for each in range(number))])
        for place in ("/", "/v1/encounters"):
            answer = httpx.get(f"{table.served.url}{place}", headers={"cookie": cookies})
            assert (answer.status_code, table.served.name in answer.text) == (status, status == 200)
        there = f"{table.served.url}/v1/encounters/{table.served.name}/head"
        assert httpx.get(there, headers={"cookie": cookies}).status_code == 200, "its own cookie alone is looked at"


def test_another_site_can_do_nothing_and_is_allowed_nothing(table: Table) -> None:
    link = table.gm.post("tokens", json={"role": "gm"}).json()["link"]
    with httpx.Client(timeout=30) as browser:
        browser.post(link.partition("#")[0], data={"token": link.partition("#")[2]})
        address = f"{table.served.url}/v1/encounters/{table.served.name}/records"
        assert browser.post(address, json=RAIN, headers={"origin": "http://127.0.0.1:1"}).status_code == 403
        assert browser.post(address, json=RAIN, headers={"origin": table.served.url}).status_code == 201
    for asked in ("show", "nowhere", "show?at=never"):
        answer = table.gm.get(asked, headers={"origin": "https://elsewhere.example"})
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_command_invites_beside_the_log_and_over_http(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    here = encounter("invite", table.log, "--role", "player", "--combatant", "ana", "--json", "--url", table.served.url)
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.gm.headers["authorization"].split()[1])
    there = encounter("invite", f"{table.served.url}/e/{table.served.name}", "--role", "spectator", "--json")
    for done, role in ((here, "player"), (there, "spectator")):
        assert done.exit_code == 0, done.stderr
        made = json.loads(done.stdout)
        assert (made["role"], made["link"].startswith(f"{table.served.url}/join#{table.served.name}:")) == (role, True)
        with table.served.client(made["token"]) as client:
            assert client.get("show").status_code == 200
    monkeypatch.setenv("ENCOUNTER_TOKEN", "wrong")
    refused = encounter("invite", f"{table.served.url}/e/{table.served.name}", "--role", "spectator")
    assert (refused.exit_code, "no token was given" in refused.stderr) == (2, True)


def test_invitations_name_who_has_not_joined_and_the_nearest_log(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.gm.headers["authorization"].split()[1])
    people = ("--combatant", "ana", "--combatant", "orge", "--combatant", "x")
    for address in (table.log, f"{table.served.url}/e/{table.served.name}"):
        done = encounter("invite", address, "--role", "player", *people)
        assert (done.exit_code, "no combatant ana" in done.stderr) == (0, False)
        assert "note: no combatant orge has joined so far; did you mean ogre?\n" in done.stderr
        assert "note: no combatant x has joined so far\n" in done.stderr
    misspelt = table.log.with_name(f"{table.log.stem}s.jsonl")
    refused = encounter("invite", misspelt, "--role", "spectator")
    assert refused.exit_code == 3
    assert f"hint: did you mean {table.log.stem}" in refused.stderr


# ---------------------------------------------------------------- secrets


@few(5, "asked", [*READ[:-1], "show?all=1", "log?struck=1", "why?q=order"])
def test_a_player_receives_no_byte_of_a_secret(table: Table, asked: str) -> None:
    for client in (table.player, table.spectator):
        answer = client.get(asked)
        assert answer.status_code == 200
        assert "wraith" not in answer.text.lower()
    assert "wraith" in table.gm.get("records").text


def test_a_secret_combatant_does_not_exist_for_a_player(table: Table) -> None:
    told = [table.player.get("why", params={"q": f"{who}.hp"}).json()["detail"] for who in ("wraith", "zzzzzz")]
    assert [said.partition(" (")[0] for said in told] == [
        f"there is no combatant {who} here" for who in ("wraith", "zzzzzz")
    ]
    assert "wraith" not in told[1]
    fact = {"type": "damage_dealt", "target": "wraith", "amount": 1, "source": "ana"}
    assert table.player.post("records", json=fact).status_code == 422


@pytest.mark.parametrize("option", ["foe-hit-points=true-words", "hit-point-words=yes"])
def test_words_for_hit_points_count_what_is_secret_if_the_log_says_so(table: Table, option: str) -> None:
    path = table.served.folder / "words.jsonl"
    path.unlink(missing_ok=True)
    assert encounter("new", path, "--ruleset", "plain", "--option", option).exit_code == 0
    assert '"foe-hit-points":"true-words"' in path.read_text()
    facts = [{"type": "combatant_joined", "combatant": who, "sheet": {"hp": 10}} for who in ("a", "b", "c", "d")]
    hurt = [
        {"event": {"type": "damage_dealt", "target": who, "amount": by}, "secret": True}
        for who, by in (("b", 1), ("c", 5), ("d", 10))
    ]
    assert encounter("append", path, stdin="\n".join(map(json.dumps, [*facts, *hurt]))).exit_code == 0
    token, _ = table.served.token("player", "words", combatants=("a",))
    gm, _ = table.served.token("gm", "words")
    with table.served.client(token, "words") as player, table.served.client(gm, "words") as master:
        told = player.get("show").json()
        assert told["words"] == {"a": "unhurt", "b": "hurt", "c": "bloodied", "d": "down"}
        assert {one["hp"] for one in told["combatants"].values()} == {10}
        assert "words" not in master.get("show").json()
    assert "words" not in table.player.get("show").json()


@pytest.mark.slow
def test_what_is_kept_for_one_player_is_not_taken_for_another(table: Table) -> None:
    other, _ = table.served.token("player", combatants=("bo",))
    page = f"{table.served.url}/e/{table.served.name}/data"
    with table.served.client(other) as client:
        one, two = table.player.get(page), client.get(page)
        assert (one.json()["own"], two.json()["own"]) == (["ana"], ["bo"])
        assert one.headers["etag"] != two.headers["etag"]
        assert client.get(page, headers={"if-none-match": one.headers["etag"]}).status_code == 200
    assert one.headers["vary"] == "Authorization, Cookie"


def test_a_cookie_is_taken_as_it_stands_whatever_is_escaped_in_it() -> None:
    """To undo escapes takes quadratic time in the standard library: ten seconds for one request."""
    hostile = "\\" * 60_000
    headers = {"cookie": f'other="{hostile}"; {cookie_name("ford")}="a\\142"'}
    assert digests_in_request(headers, "ford") == [token_digest("a\\142")]
