"""A log of a service as the FILE of every command, and as a store."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import certifi
import httpx
import pytest

import encounterlog as el
from encounterlog.log.logs import LogView
from encounterlog.places import remote
from encounterlog.places.remote import RemoteStore, trusted_certificates
from encounterlog.places.stores import open_store
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import KeyReused, Malformed, NotReadable, NotThere, NotWritten, Rewritten, WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from projections.explaining.fairness import check_fairness
from projections.language.notation.tokens import NotUnderstood
from tests.encounterlog.service.conftest import TRUSTING, Table
from tests.encounterlog.support import encounter
from tests.eventstore import dice_verifier
from tests.eventstore.followers import Following
from tests.eventstore.logs import AT, drafts, rounds
from tests.few import few


@pytest.fixture
def address(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.gm.headers["authorization"].removeprefix("Bearer "))
    monkeypatch.setattr(remote, "OFTEN", 0.02)
    return f"{table.served.url}/e/{table.served.name}"


@pytest.fixture
def store(address: str) -> RemoteStore:
    return RemoteStore(Url(address))


@few(3, "words", [("show",), ("log",), ("audit",), ("verify",), ("head",), ("stats",), ("why", "bo.hp")])
def test_a_command_says_the_same_of_its_file(table: Table, address: str, words: tuple[str, ...]) -> None:
    verb, *rest = words
    there, here = (encounter(verb, log, *rest) for log in (address, table.log))
    assert (there.exit_code, there.stdout) == (here.exit_code, here.stdout), there.output


def test_a_log_of_a_service_is_exported_and_written_as_a_file_is(table: Table, address: str) -> None:
    assert encounter("export", "jsonl", address, "--to", "copy.jsonl").exit_code == 0
    assert Path("copy.jsonl").read_bytes() == table.log.read_bytes()
    before = el.Log(table.log).head.seq
    assert encounter("append", address, stdin='{"type":"noted","text":"rain"}\n').exit_code == 0
    done = encounter("add", address, "bo", "-2")
    assert done.exit_code == 0, done.output
    assert el.open(address).head.seq == before + 2
    assert el.open(address).state()["bo.hp"].value == 7


@pytest.mark.slow
def test_the_operator_creates_an_encounter_whose_link_writes_there(
    table: Table, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator, _ = table.served.token("operator", "")
    place = f"{address}-new"
    monkeypatch.setenv("ENCOUNTER_TOKEN", operator)
    for words, says in (
        (("--party", "x.toml"), "x.toml"),
        (("--option", "x"), "NAME=VALUE"),
        (("--option", "x=y"), "x"),
    ):
        refused = encounter("new", place, "--ruleset", "plain", *words)
        assert (refused.exit_code in (2, 4), says in refused.stderr) == (True, True), refused.output
    done = encounter("new", place, "--ruleset", "plain", "--title", "The mill", "--option", "foe-hit-points=true-words")
    assert (done.exit_code, "opened on plain" in done.stdout) == (0, True), done.output
    again = encounter("new", place, "--ruleset", "plain")
    assert (again.exit_code, "already" in again.stderr) == (2, True), again.output
    assert encounter("show", place).exit_code == 2  # an operator reads no log
    monkeypatch.setenv("ENCOUNTER_TOKEN", done.stdout.splitlines()[1])
    assert encounter("add", place, "join", "Ana", "party", "hp=9").exit_code == 0
    assert el.open(place).state()["ana.hp"].value == 9


class Sent:
    """The requests to a service, and how many bytes went to it and came from it."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.bytes = 0

    def note(self, answer: httpx.Response) -> httpx.Response:
        self.requests.append(f"{answer.request.method} {answer.request.url.raw_path.decode().rpartition('/')[2]}")
        heads = [*answer.request.headers.raw, *answer.headers.raw]
        self.bytes += len(answer.request.content) + len(answer.content) + sum(len(n) + len(v) + 4 for n, v in heads)
        return answer


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    found, request, send = Sent(), httpx.request, httpx.AsyncClient.request

    async def asked(self: httpx.AsyncClient, *given: Any, **more: Any) -> httpx.Response:
        return found.note(await send(self, *given, **more))

    monkeypatch.setattr(httpx, "request", lambda *given, **more: found.note(request(*given, **more)))
    monkeypatch.setattr(httpx.AsyncClient, "request", asked)
    return found


@pytest.fixture
def long(table: Table, address: str) -> str:
    JsonlStore(str(table.log)).append([Draft(Noted(text=f"rain {n}")) for n in range(4_990)], by="gm", at=AT)
    more = [Draft(Noted(text="more"))] * (5_000 - el.Log(table.log).head.seq)
    JsonlStore(str(table.log)).append(more, by="gm", at=AT)
    return address


def test_a_line_for_a_long_log_of_a_service_does_not_fetch_it(table: Table, long: str, sent: Sent) -> None:
    done = encounter("add", long, "bo -2")
    assert (done.exit_code, sent.requests, sent.bytes < 20_000) == (0, ["POST lines"], True), sent.bytes
    sent.requests.clear()
    last = el.open(table.log).head.seq
    assert encounter("add", "--after", last, long, "bo -2").exit_code == 0
    assert sent.requests == [f"GET records?after={last - 1}", "POST lines"]
    assert encounter("add", "--after", last, long, "bo -2").exit_code == 5
    assert encounter("add", "--after", 9_999, long, "bo -2").exit_code == 5
    assert sent.bytes < 40_000


@pytest.mark.parametrize("words", [
    "bo -2", "roll ogre d20+5 for luck", "why bo.hp", "zed -2", "bo -20", "strike 6", "u", "secret ogre -1", "join Zed foes",
])  # fmt: skip
def test_add_prints_the_same_of_a_service_and_of_a_file(table: Table, address: str, words: str) -> None:
    copy = table.log.with_name(f"{table.log.stem}-copy.jsonl")
    copy.write_bytes(table.log.read_bytes())
    there, here = (encounter("add", log, words) for log in (address, copy))
    shown = [(done.exit_code, done.stdout, done.stderr) for done in (there, here)]
    if words.startswith("roll"):
        shown = [(code, re.sub(r"\d+", "N", out), err) for code, out, err in shown]
    assert shown[0] == shown[1]


def test_a_long_log_is_told_and_followed_without_fetching_it(long: str, sent: Sent) -> None:
    async def told() -> None:
        async with await el.aopen(long) as log:
            sent.requests.clear()
            done = await log.tell("bo -2")
            assert (done.last, sent.requests) == (5_001, ["POST lines", "GET records?after=4999"])
            follower = log.follow(await log.head())
            await asyncio.gather(anext(follower), log.tell("bo -1"))
            await follower.aclose()
            assert sent.bytes < 20_000
            assert [record.seq async for record in log][-1] == 5_002
            before = sent.bytes
            assert (await log.state())["bo.hp"].value == 6
            assert sent.bytes - before < 2_000

    asyncio.run(asyncio.wait_for(told(), 30))


def test_a_log_of_a_service_that_another_took_the_place_of_is_noticed(address: str) -> None:
    store = RemoteStore(Url(address))
    last = list(store.read())[-1]
    for end in (Anchor(last.seq, "0" * 64), Anchor(last.seq + 3, last.hash)):
        with pytest.raises(Rewritten):
            list(store.read(end))
    assert list(store.read(Anchor(last.seq, last.hash))) == []


@pytest.mark.slow
def test_it_keeps_the_promises_of_a_store_and_followers_get_each_once(store: RemoteStore) -> None:
    last = store.head().seq
    done = store.append(rounds(2, 2), by="gm", at=AT, after=last, key="k")
    assert (done.first, done.last, [record.event for record in done.records]) == (
        last + 1,
        last + 2,
        [draft.event for draft in rounds(2, 2)],
    )
    assert store.append(rounds(2, 2), by="gm", at=AT, after=last, key="k").again
    for after in (last, 99):
        with pytest.raises(WrongVersion) as caught:
            store.append(rounds(4, 1), by="gm", at=AT, after=after)
        assert (caught.value.expected, caught.value.found) == (after, last + 2)
        assert caught.value.between == tuple(store.read(after))
    with pytest.raises(KeyReused):
        store.append(drafts(Noted(text="x")), by="gm", at=AT, key="k")
    with pytest.raises(Malformed):
        store.append([Draft(Noted(text="x"), at=AT)], by="gm", at=AT)
    assert store.verify(store.head()).sound
    last = store.head().seq
    with Following(store) as whole, Following(store, store.head()) as rest:
        whole.until(last)
        for number in range(2, 5):
            store.append(rounds(number, 2), by="gm", at=AT)
        assert whole.until(last + 6) == list(range(1, last + 7))
        assert rest.until(last + 6) == list(range(last + 1, last + 7))
    with pytest.raises(Rewritten):
        next(store.follow(Anchor(2, "0" * 64)))


def test_a_spectator_reads_what_verifies_and_secrets_once_revealed(
    table: Table, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.spectator.headers["authorization"].removeprefix("Bearer "))
    found = open_store(Url(address)).verify()
    assert (found.sound, len(found.withheld)) == (True, 1)
    assert encounter("append", address, stdin='{"type":"noted","text":"x"}\n').exit_code == 2
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.spectator.headers["authorization"].removeprefix("Bearer "))

    async def seen() -> tuple[int, int]:
        async with await el.aopen(address) as log:
            before = [record.withheld async for record in log]
            hidden = before.index(True) + 1
            el.Log(table.log).ruling("reveal", "it is seen", event=hidden)
            return sum(before), sum([record.withheld async for record in log])

    assert asyncio.run(seen()) == (1, 0)


@pytest.mark.slow
def test_what_is_wrong_is_a_sentence_with_a_hint(table: Table, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises((NotThere, el.Failure)):
        RemoteStore(Url(f"{table.served.url}/e/nowhere")).head()
    away = RemoteStore(Url("http://127.0.0.1:9/e/ford"))
    with pytest.raises(NotReadable, match="cannot be reached"):
        away.head()
    with pytest.raises(NotWritten, match="cannot be reached"):
        away.append(rounds(1, 1), by="gm", at=AT)
    for wrong in ("http://127.0.0.1:9/ford", "https://host"):
        assert encounter("show", wrong).exit_code == 2
    assert encounter("new", address, "--ruleset", "plain").exit_code == 2
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.player.headers["authorization"].removeprefix("Bearer "))
    assert encounter("new", f"{address}-2", "--ruleset", "plain").exit_code == 2
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.gm.headers["authorization"].removeprefix("Bearer "))
    broken = encounter("show", address.replace("http:", "https:"))
    assert (broken.exit_code, "does it speak TLS there" in broken.stderr) == (3, True), broken.stderr
    monkeypatch.setenv("ENCOUNTER_TOKEN", "wrong")
    for words in (("show", address), ("add", address, "bo", "-2"), ("new", f"{address}-2", "--ruleset", "plain")):
        done = encounter(*words)
        assert (done.exit_code, "opens nothing" in done.stderr) == (2, True), done.stderr
        assert "hint: ENCOUNTER_TOKEN holds" in done.stderr
    monkeypatch.delenv("ENCOUNTER_TOKEN")
    done = encounter("show", address)
    assert (done.exit_code, "ENCOUNTER_TOKEN is not set" in done.stderr) == (2, True)


def test_the_party_of_one_encounter_goes_on_in_another_there(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    base, before = f"{table.served.url}/e", table.served.folder / "before.jsonl"
    assert encounter("new", before, "--ruleset", "plain").exit_code == 0
    for line in ("join Ana party hp=20", "join Gob foes hp=9", "ana -7"):
        assert encounter("add", before, line).exit_code == 0
    operator, _ = table.served.token("operator", "")
    monkeypatch.setenv("ENCOUNTER_TOKEN", operator)
    for name, party, points in (("two", "before", {"ana": 13}), ("three", "before#foes", {"gob": 9})):
        done = encounter("new", f"{base}/{name}", "--ruleset", "plain", "--party", f"{base}/{party}")
        assert done.exit_code == 0, done.output
        state = el.open(table.served.folder / f"{name}.jsonl").state()
        assert {who: state[f"{who}.hp"].value for who in points} == points
    for wrong, hint in (
        ((f"{base}/nowhere",), "the name of another encounter here"),
        (
            ("https://elsewhere.example/e/before#foes",),
            "encounter export jsonl https://elsewhere.example/e/before --to",
        ),
        ((f"{base}/before", "--foes", "goblin"), f"encounter add {base}/four join"),
        ((f"{base}/before", "--party", str(before)), f"encounter add {base}/four join"),
        ((str(before), "--dice"), f"encounter dice {base}/four start"),
        ((f"{before}#reds",), "its sides are party, foes"),
    ):
        refused = encounter("new", f"{base}/four", "--ruleset", "plain", "--party", *wrong)
        assert (refused.exit_code in (2, 3, 4), hint in refused.stderr) == (True, True), refused.output
        assert not (table.served.folder / "four.jsonl").exists()


def test_the_party_of_a_file_here_goes_on_at_a_service(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, there = tmp_path / "before.jsonl", f"{table.served.url}/e/{table.served.name}-on"
    encounter("new", before, "--ruleset", "plain")
    for line in ("join Ana party hp=20", "secret join Spy party hp=5", "ana -7"):
        assert encounter("add", before, line).exit_code == 0
    monkeypatch.setenv("ENCOUNTER_TOKEN", table.gm.headers["authorization"].split()[1])
    done = encounter("new", there, "--ruleset", "plain", "--party", before, "--foes", "goblin*2 hp=5")
    assert (done.exit_code, "4 combatants joined" in done.stdout) == (0, True), done.output
    monkeypatch.setenv("ENCOUNTER_TOKEN", done.stdout.splitlines()[1])
    shown = json.loads(encounter("show", there, "--json").stdout)["combatants"]
    assert {who: one["hp"] for who, one in shown.items()} == {"ana": 13, "spy": 5, "goblin-1": 5, "goblin-2": 5}
    assert f"{el.open(before).head}" in " ".join(encounter("why", there, "ana.hp").stdout.split())
    assert "spy" not in encounter("export", "markdown", there, "--for", "players").stdout.lower()


@pytest.mark.slow
def test_a_log_is_read_told_and_asked_with_asyncio(address: str) -> None:
    async def played() -> None:
        async with await el.aopen(address) as log:
            seen = [record.seq async for record in log]
            assert (await log.head()).seq == seen[-1]
            done = await log.tell("ogre -2", key="blow")
            assert done.last == seen[-1] + 1
            assert (await log.tell("ogre -2", key="blow")).again
            assert (await log.append(Noted(text="creaks"), after=done.last)).last == done.last + 1
            assert (await log.state()).combatants["ogre"].hp.value == 12
            assert str(await log.why("ogre.hp")).startswith("Ogre has 12 hit points")
            assert [touch.after for touch in (await log.blame("ogre.hp")).data.touches] == [20, 14, 12]
            first = (await log.first("ogre.hp < 20")).data.record
            assert first is not None
            assert first.seq < done.last
            assert [each.took for each in (await log.stats()).data.statistics if each.combatant == "ogre"] == [0, 8]
            changed = await log.whatif(strike=done.last)
            assert [(each.address, each.after) for each in changed.data.values] == [("ogre.hp", 14)]
            assert await log.would("ogre -1") == (await log.fork()).would("ogre -1")
            assert (await log.audit()).findings == el.open(address).audit().findings
            assert (await log.may("ana")).people[0].combatant == "ana"
            assert await log.export("script") == el.open(address).export("script")
            assert await log.export("json", for_players=True) == el.open(address).export("json", for_players=True)
            with pytest.raises(el.Malformed, match="no format"):
                await log.export("papyrus")
            assert [step.record.seq async for step in log.replay()][-1] == (await log.head()).seq
            await log.amend(done.last, {"amount": 3}, "misread")
            await log.insert(done.last, Noted(text="forgotten"))
            await log.ruling("override", "healed", values={"ogre.hp": 20})
            assert (await log.state())["ogre.hp"].value == 20
            await log.strike((await log.head()).seq)
            with pytest.raises(WrongVersion):
                await log.append(Noted(text="late"), after=done.last)
            with pytest.raises(NotUnderstood, match="zed"):
                await log.tell("zed -2")
            with pytest.raises(Malformed, match="a seq or a head"):
                await log.tell("ogre -2", after="end")  # type: ignore[arg-type]

    asyncio.run(played())


def test_what_is_no_log_of_a_service_is_not_opened(address: str) -> None:
    with pytest.raises(el.Failure, match="this token does not open that encounter"):
        asyncio.run(el.aopen(f"{address}-not"))
    with pytest.raises(Malformed, match="is no log of a service"):
        asyncio.run(el.aopen("ford.jsonl"))


# ---------------------------------------------------------------- dice of a chain, whose secret the service keeps


@pytest.fixture
def chained(table: Table, address: str) -> str:
    assert encounter("dice", table.log, "start", "--seed", "ford").exit_code == 0
    return address


def levels(table: Table) -> list[tuple[str, str | None]]:
    """Return the levels of the dice in the log, of which nothing may be wrong."""
    found = check_fairness(LogView(str(table.log)))
    assert found.holds, found.faults
    assert list(dice_verifier.complaints(table.log.read_text().splitlines())) == []
    return [(one.level, one.giver) for one in found.throws]


def as_player(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = table.served.token("player", combatants=("ana",), by="ana", writes=True)
    monkeypatch.setenv("ENCOUNTER_TOKEN", token)


@pytest.mark.slow
def test_a_secret_line_is_secret_with_and_without_dice(table: Table, chained: str) -> None:
    async def asked() -> None:
        async with await el.aopen(chained) as log:
            for line in ("ogre -1", "ogre ana d20+5 d8"):
                assert {record.secret for record in (await log.tell(line, secret=True)).records} == {True}

    for line in ("ogre -1", "ogre ana d20+5 d8"):
        assert {record.secret for record in el.open(chained).tell(line, secret=True).records} == {True}
    asyncio.run(asked())
    assert [one.hidden for one in check_fairness(LogView(str(table.log))).throws] == [True] * 4
    assert "(secret)" in encounter("add", chained, "secret ogre -1").stdout


@pytest.mark.slow
@pytest.mark.parametrize("options", [TRUSTING])
def test_python_lets_the_service_draw_dice_with_and_without_asyncio(
    table: Table, chained: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_player(table, monkeypatch)
    done = el.open(chained).tell("ana ogre d20+5 d8", key="once")
    assert el.open(chained).tell("ana ogre d20+5 d8", key="once").again
    assert [type(record.event) for record in done.records][-2:] == [el.DiceDrawn] * 2

    async def told() -> el.Written:
        async with await el.aopen(chained) as log:
            await log.tell("ana ogre d20+5 d8", word="ana:heron")
            return await log.tell("ana ogre d20:4+5")

    assert [type(record.event) for record in asyncio.run(told()).records][-1] is el.AttackRolled
    assert levels(table) == [("proven", "ana")] * 4 + [("typed", None)]


@pytest.mark.slow
def test_where_somebody_writes_first_a_line_keeps_its_word(
    table: Table, chained: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell, file = RemoteStore.tell, str(table.log)

    def late(self: RemoteStore, *given: Any, **more: Any) -> Any:
        monkeypatch.setattr(RemoteStore, "tell", tell)
        assert encounter("add", file, '"', "The bridge creaks").exit_code == 0
        return tell(self, *given, **more)

    monkeypatch.setattr(RemoteStore, "tell", late)
    done = encounter("play", chained, stdin="word Zoë heron\nogre ana d20+5 d8\n")
    assert done.exit_code == 0, done.output
    assert levels(table) == [("proven", "Zoë")] * 2


@pytest.mark.slow
def test_a_chain_begins_at_a_service_which_keeps_its_secret(table: Table, address: str) -> None:
    done = encounter("dice", address, "start")
    assert (done.exit_code, "0 of 10,000 drawn; gm holds the secret" in done.stdout) == (0, True), done.output
    assert len(Path(f"{table.log}.dice").read_text().splitlines()) == 2
    again = encounter("dice", address, "start")
    assert (again.exit_code, "with 10,000 rolls left" in again.stderr) == (4, True), again.output
    assert encounter("add", address, "ogre ana d20+5").exit_code == 0
    Path(f"{table.log}.dice").unlink()
    lost = encounter("dice", address, "start")
    assert (lost.exit_code, "if it is lost, say so" in lost.stderr) == (4, True), lost.output
    assert encounter("dice", address, "start", "--because", "the secret was lost").exit_code == 0
    told = encounter("verify", address, "--dice").stdout
    assert "a second chain was begun" in told
    assert "because the secret was lost" in told


@pytest.mark.slow
def test_python_begins_a_chain_and_says_where_dice_came_from(address: str) -> None:
    begun = el.open(address).begin_dice(seed="ford")
    assert [type(record.event) for record in begun.records] == [el.DiceCommitted] * 2

    async def told() -> el.Fairness:
        async with await el.aopen(address) as log:
            with pytest.raises(Malformed, match="rolls left"):
                await log.begin_dice()
            await log.begin_dice(because="it was seen")
            await log.tell("ogre ana d20+5 d8", word="ana:heron")
            return await log.dice()

    found = asyncio.run(told())
    assert repr(found) == "<Fairness 2 proven, 0 bound, 0 typed, not right>"
    assert [fault.kind for fault in found.faults] == ["second-chain", "second-chain"]


@pytest.mark.slow
def test_a_chain_is_begun_by_the_game_master_alone(table: Table) -> None:
    for client in (table.player, table.spectator):
        assert client.post("dice", json={}).status_code == 403
    for wrong in ({"because": 1}, {"secret": "x"}, {"seed": "x" * 200}):
        assert table.gm.post("dice", json=wrong).status_code == 422
    assert table.gm.post("dice", json={}).status_code == 201


def test_certificates_are_read_once_and_again_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = trusted_certificates()
    assert trusted_certificates() is usual
    monkeypatch.setenv("SSL_CERT_FILE", certifi.where())
    assert trusted_certificates() is not usual
