"""What is read over HTTP is what the commands print with --json; tags say whether it changed."""

import json

import pytest

from tests.encounterlog.service.conftest import Table
from tests.encounterlog.support import encounter
from tests.few import few

COMMANDS = {
    "show": ["show"], "show?at=r1": ["show", "--at", "r1"], "show?all=1&as_of=5": ["show", "--all", "--as-of", "5"], "audit": ["audit"],
    "audit?complete=1": ["audit", "--complete"], "log": ["log"], "log?actor=bo": ["log", "--actor", "bo"],
    "log?round=1&struck=1": ["log", "--round", "1", "--struck"], "log?where=ogre.hp < 20&turns=1": ["log", "--where", "ogre.hp < 20", "--turns"],
    "replay?at=6": ["replay", "--at", "6"], "why?q=ogre.hp": ["why", "LOG", "ogre.hp"],
    "why?q=ana before bo&all=1": ["why", "--all", "LOG", "ana", "before", "bo"], "may": ["may"],
    "may?who=ogre&at=5": ["may", "LOG", "ogre", "--at", "5"], "blame?address=ogre.hp": ["blame", "LOG", "ogre.hp"],
    "first?expr=ogre.hp <= 14": ["first", "LOG", "ogre.hp <= 14"], "diff?a=@4&b=@6": ["diff", "LOG", "@4", "@6"],
    'whatif?amend=6:{"amount":2}': ["whatif", "LOG", "--amend", "6", '{"amount":2}'], "whatif?strike=6": ["whatif", "LOG", "--strike", "6"],
    "stats": ["stats"], "stats?round=1": ["stats", "--round", "1"], "stats?dice=1": ["stats", "--dice"], "head": ["head"],
}  # fmt: skip


@pytest.mark.parametrize("asked", COMMANDS)
def test_an_endpoint_answers_byte_for_byte_as_its_command_prints(table: Table, asked: str) -> None:
    words: list[object] = [table.log if word == "LOG" else word for word in COMMANDS[asked]]
    words = words if table.log in words else [words[0], table.log, *words[1:]]
    printed = encounter(*words, "--json")
    answer = table.gm.get(asked)
    assert (answer.status_code, answer.text) == (200, printed.stdout)


def test_the_records_are_the_bytes_of_the_file(table: Table) -> None:
    whole = table.log.read_bytes()
    assert table.gm.get("records").content == whole
    assert table.gm.get("records", params={"after": 3}).content == b"".join(whole.splitlines(keepends=True)[3:])


@pytest.mark.slow
@pytest.mark.parametrize("asked", [*COMMANDS, "records"])
def test_what_is_known_already_is_not_sent_again_until_the_log_grows(table: Table, asked: str) -> None:
    tag = table.gm.get(asked).headers["etag"]
    again = table.gm.get(asked, headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert table.gm.post("records", json={"type": "noted", "text": "Rain."}).status_code == 201
    assert table.gm.get(asked, headers={"if-none-match": tag}).status_code == 200


def test_the_tag_of_a_view_differs_by_audience_and_question(table: Table) -> None:
    found = [
        one.get(asked).headers["etag"] for one in (table.gm, table.player) for asked in ("show", "show?at=3", "audit")
    ]
    assert len(set(found)) == 6
    assert all(not tag.startswith("W/") for tag in found)
    assert len({one.get("show").headers["etag"] for one in (table.gm, table.spectator, table.player)}) == 3
    assert table.gm.get("show").headers["cache-control"] == "private, no-transform"


def test_openapi_and_lists_have_what_everybody_and_a_token_may_see(table: Table) -> None:
    with table.served.client(encounter="") as anybody:
        assert anybody.get("/openapi.json").json()["openapi"] == "3.1.0"
        assert anybody.get("/v1/schema").json() == json.loads(encounter("schema", "--json").stdout)
        assert anybody.get("/healthz").json() == {"status": "ok"}
        assert anybody.get("/readyz").json() == {"status": "ready"}
    table.log.with_name("other.jsonl").write_bytes(table.log.read_bytes())
    operator, _ = table.served.token("operator", "")
    with table.served.client(operator) as creating:
        for client in (table.player, creating):
            found = client.get(f"{table.served.url}/v1/encounters").json()["encounters"]
            names = [table.served.name] if client is table.player else list(table.served.shelf.names())
            assert [one["name"] for one in found] == names


@few(4,
    ("asked", "status"),
    [
        ("show?at=never", 400), ("show?at=r9", 400), ("show?where=x", 400), ("show?at=1&at=2", 400), ("show?all=maybe", 400),
        ("show?as_of=99", 400), ("show?as_of=-1", 400), ("why", 400), ("why?q=", 400), ("why?q=nobody.hp", 400), ("blame?address=x", 400),
        ("first?expr=(", 400), ("log?type=fought", 400), ("log?turns=1", 400), ("log?actor=nobody", 400), ("diff?a=1", 400),
        ("whatif", 400), ("whatif?strike=1", 422), ("whatif?amend=x", 400), ("records?after=x", 400), ("show?at=%ff", 400),
    ],
)  # fmt: skip
def test_a_question_that_has_no_answer_is_a_problem_with_a_hint(table: Table, asked: str, status: int) -> None:
    answer = table.gm.get(asked)
    told = answer.json()
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert told["status"] == status
    assert told["exit"] in (2, 4)
    assert str(table.served.folder) not in answer.text


@pytest.mark.slow
def test_a_damaged_log_is_a_conflict_that_names_the_line(table: Table) -> None:
    table.log.write_bytes(table.log.read_bytes().replace(b'"amount":6', b'"amount":7'))
    for asked in ("show", "records", "head", "audit"):
        told = table.gm.get(asked).json()
        assert (told["status"], told["exit"], told["line"]) == (409, 3, 6)
        assert str(table.served.folder) not in told["detail"]
