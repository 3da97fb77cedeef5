"""Server-sent events: every record once and in order, from where a client was, until a token, a limit or a signal ends it."""

import json
import os
import queue
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from httpx_sse import ServerSentEvent, connect_sse

from encounterlog.places.tokens import Role, Token
from encounterlog.service.settings import Limits
from encounterlog.service.streams import Streams
from eventstore.jsonl import JsonlStore
from tests.encounterlog.service.conftest import FOUGHT, Table
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import append, encounter, log_of
from tests.waiting import LONGEST, until

PATIENCE = LONGEST
RAIN = {"type": "noted", "text": "Rain."}


class Follower:
    """A client that follows, in a thread: what it got, in order."""

    def __init__(self, client: httpx.Client, **given: object) -> None:
        self.got: queue.Queue[ServerSentEvent | None] = queue.Queue()
        self.status = 0
        self._client, self._given = client, given
        self._open = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()
        assert self._open.wait(PATIENCE)

    def _run(self) -> None:
        try:
            with connect_sse(self._client, "GET", "events", **self._given) as source:
                self.status = source.response.status_code
                self._open.set()
                for event in source.iter_sse():
                    if event.event != "beat":
                        self.got.put(event)
        except (httpx.HTTPError, ValueError):
            pass
        finally:
            self._open.set()
            self.got.put(None)

    def next(self) -> ServerSentEvent | None:
        """Return the next event; None at the end of the stream."""
        return self.got.get(timeout=PATIENCE)

    def events(self, count: int) -> list[ServerSentEvent]:
        found = [self.next() for _ in range(count)]
        assert None not in found
        return [one for one in found if one]

    def rest(self) -> list[ServerSentEvent]:
        return list(iter(self.next, None))


@contextmanager
def following(table: Table, token: str, **given: object) -> Iterator[Follower]:
    with table.served.client(token) as client:
        yield Follower(client, **given)


def fresh(table: Table, role: Role = "gm") -> tuple[str, str]:
    text, token = table.served.token(role, combatants=("ana",) if role == "player" else ())
    return text, token.id


def head(table: Table) -> str:
    return encounter("head", table.log).stdout.strip()


def test_a_stream_is_the_log_and_what_comes_with_ids_after_appends(table: Table) -> None:
    with following(table, fresh(table)[0]) as follower:
        before = follower.events(7)
        append(table.log, '{"type":"noted","text":"by the command"}')
        table.gm.post("records", json=[RAIN, RAIN, RAIN])
        after = follower.events(4)
    assert [event.data for event in (*before, *after)] == table.log.read_text().splitlines()
    assert [events[-1].id.partition(":")[0] for events in (before, after)] == ["7", "11"]
    assert after[-1].id == head(table)
    start = head(table)
    table.gm.post("records", json=[RAIN, RAIN, RAIN])
    with (
        table.served.client(fresh(table)[0]) as client,
        client.stream("GET", "events", params={"after": start}) as answer,
    ):
        text = ""
        for piece in answer.iter_text():
            text += piece
            if text.count("data: ") == 4:
                break
    assert [block.startswith("id: ") for block in text.strip().split("\n\n")[1:]] == [False, False, True]
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.headers["cache-control"] == "no-store, no-transform"


@pytest.mark.parametrize("way", ["header", "query"])
def test_a_stream_goes_on_after_the_last_id_without_a_gap_or_a_double(table: Table, way: str) -> None:
    middle = json.loads(table.log.read_text().splitlines()[5])
    place = f"{middle['seq']}:{middle['hash']}"
    given: dict[str, object] = (
        {"headers": {"last-event-id": place}} if way == "header" else {"params": {"after": place}}
    )
    with following(table, fresh(table)[0], **given) as follower:
        table.gm.post("records", json=RAIN)
        assert [json.loads(event.data)["seq"] for event in follower.events(2)] == [7, 8]


def test_places_in_other_logs_are_reset_and_reveals_told_afterwards(table: Table) -> None:
    for place in (f"7:{'0' * 64}", f"99:{'0' * 64}"):
        with following(table, fresh(table)[0], headers={"last-event-id": place}) as follower:
            (event,) = follower.rest()
            assert (event.event, event.id) == ("reset", "")
    for place in ("7", "x:y", "7:abc"):
        assert table.gm.get("events", headers={"last-event-id": place}).status_code == 400
    place = head(table)
    table.gm.post("records", json={"type": "ruling_made", "ruling": "reveal", "decision": "It steps out", "event": 7})
    with following(table, fresh(table, "player")[0], headers={"last-event-id": place}) as follower:
        assert [event.event for event in follower.events(2)] == ["revealed", "message"]


def test_a_log_rewritten_or_cut_off_under_a_stream_ends_it_with_a_reset(table: Table) -> None:
    with following(table, fresh(table)[0]) as follower:
        follower.events(7)
        other = log_of(table.log.with_name("new.jsonl"), FOUGHT, "plain")
        other.rename(table.log)
        assert [event.event for event in follower.rest()] == ["reset"]
    with following(table, fresh(table)[0]) as follower:
        last = follower.events(len(table.log.read_bytes().splitlines()))[-1]
        os.truncate(table.log, len(b"".join(table.log.read_bytes().splitlines(keepends=True)[:-1])))
        assert [event.event for event in follower.rest()] == ["reset"]
    with following(table, fresh(table)[0], headers={"last-event-id": last.id}) as follower:
        assert [(event.event, event.id) for event in follower.rest()] == [("reset", "")]


def test_a_token_revoked_in_mid_stream_ends_it(table: Table) -> None:
    (here, number), (there, other) = fresh(table), fresh(table)
    with following(table, here) as one, following(table, there) as two:
        one.events(7)
        two.events(7)
        assert table.gm.delete(f"tokens/{number}").status_code == 204
        assert [event.event for event in one.rest()] == ["revoked"]
        table.served.shelf.tokens.revoke(other, "2026-11-20T19:04:05.123456Z")  # as another process does
        assert [event.event for event in two.rest()] == ["revoked"]
        assert table.gm.post("records", json=RAIN).status_code == 201
    with table.served.client(here) as client:
        assert client.get("events").status_code == 401


@pytest.mark.slow
def test_a_stream_whose_client_is_gone_is_given_back(table: Table) -> None:
    token, _ = fresh(table)
    for _ in range(9):
        with table.served.client(token) as client, client.stream("GET", "events") as answer:
            assert answer.status_code == 200 or _again(client)


def _again(client: httpx.Client) -> bool:
    """Ask until the service has noticed that a client is gone."""

    def opens() -> bool:
        with client.stream("GET", "events") as answer:
            return answer.status_code == 200

    until(opens)
    return True


# ---------------------------------------------------------------- secrets


def test_a_players_stream_withholds_lines_and_what_is_revealed_is_whole(table: Table) -> None:
    with following(table, fresh(table, "player")[0]) as follower:
        before = follower.events(7)
        assert "wraith" not in "".join(event.data for event in before)
        assert "event" not in json.loads(before[6].data)
        table.gm.post("records", json={"event": RAIN, "secret": True})
        assert "Rain" not in follower.events(1)[0].data
        table.gm.post(
            "records", json={"type": "ruling_made", "ruling": "reveal", "decision": "It steps out", "event": 7}
        )
        revealed, ruling = follower.events(2)
    assert (revealed.event, json.loads(revealed.data)["event"]["combatant"]) == ("revealed", "wraith")
    assert json.loads(ruling.data)["event"]["ruling"] == "reveal"


# ---------------------------------------------------------------- clients, limits, the end


def connected(server: Served, token: str, target: str = "/v1/encounters/ford/events") -> socket.socket:
    """Return a connection that has asked for a stream, and reads nothing."""
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return raw


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_what_comes_is_framed_for_the_version_of_the_client(table: Table, version: str) -> None:
    token, _ = table.served.token("gm")
    end = table.gm.get("head").json()
    place = f"/v1/encounters/{table.served.name}/events?after={end['seq']}:{end['hash']}"
    with socket.create_connection(("127.0.0.1", table.served.port), PATIENCE) as connection:
        head = f"GET {place} HTTP/{version}\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
        connection.sendall(head.encode())
        with connection.makefile("rb") as answer:
            got = list(iter(answer.readline, b"\r\n"))
            assert (b"transfer-encoding: chunked\r\n" in [line.lower() for line in got]) is (version == "1.1")
            while b"event: beat" not in answer.readline():
                pass
            for _ in range(2):
                head = table.gm.post("records", json=RAIN).json()["head"]
                while (line := answer.readline()) in (b"data: {}\n", b"\n", b"\r\n"):
                    pass
                event = b"id: %b\n" % head.encode()
                if version == "1.1":
                    length = int(line, 16)
                    data = answer.read(length)
                    assert (data.startswith(event), answer.readline()) == (True, b"\r\n")
                else:
                    assert line == event
                    assert answer.readline().startswith(b'data: {"seq":')


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_service_and_streams_are_told_to_come_again(tmp_path: Path, number: int) -> None:
    log = log_of(tmp_path / "ford.jsonl", FOUGHT, "plain")
    with served(tmp_path) as server:
        token, _ = server.token("gm")
        with server.client(token) as one, server.client(token) as two, connected(server, token):
            followers = [Follower(one), Follower(two)]
            for follower in followers:
                follower.events(6)
            assert server.stop(number) == 0
            assert [[event.event for event in follower.rest()] for follower in followers] == [["reconnect"]] * 2
        place = encounter("head", log).stdout.strip()
    with served(tmp_path) as server, server.client(token) as client:
        append(log, '{"type":"noted","text":"later"}')
        assert json.loads(Follower(client, headers={"last-event-id": place}).events(1)[0].data)["seq"] == 7


@pytest.mark.slow
def test_clients_that_stall_hold_up_no_end_of_the_service(tmp_path: Path) -> None:
    log = log_of(tmp_path / "ford.jsonl", FOUGHT, "plain")
    with served(tmp_path, "--requests", 1000) as server:
        token, _ = server.token("gm")
        with server.client(token) as client:
            for _ in range(20):
                client.post("records", json=[{"type": "noted", "text": "x" * 1900}] * 100)
        targets = ("events", "records", "show")
        with ExitStack() as stack:
            *_, half = (
                stack.enter_context(connected(server, token, f"/v1/encounters/ford/{each}")) for each in targets
            )
            half.sendall(
                f"POST /v1/encounters/ford/records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"type"'.encode()
            )
            assert half.recv(12) == b"HTTP/1.1 200"
            assert server.stop() == 0
    assert JsonlStore(log).verify().sound


@pytest.mark.slow
def test_a_torn_tail_holds_up_nobody_and_the_next_append_mends_it(table: Table) -> None:
    place = head(table)
    with table.log.open("ab") as torn:
        torn.write(b'{"seq":8,"at":"2026')  # as a writer leaves it that was killed
    with following(table, fresh(table)[0]) as follower:
        assert [json.loads(event.data)["seq"] for event in follower.events(7)] == list(range(1, 8))
        found = table.gm.get("head")
        assert (found.status_code, "{seq}:{hash}".format(**found.json())) == (200, place)
        assert table.gm.post("records", json=RAIN, headers={"if-match": found.headers["etag"]}).status_code == 201
        note, rain = (json.loads(event.data)["event"] for event in follower.events(2))
        assert (".torn-8-1" in note["text"], rain) == (True, RAIN)
    assert JsonlStore(table.log).verify().sound


@pytest.mark.slow
def test_writers_without_a_condition_at_two_processes_all_get_their_turn(tmp_path: Path) -> None:
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain")
    with served(tmp_path) as here, served(tmp_path) as there:
        token, _ = here.token("gm")

        def write(one: int) -> list[int]:
            with (here, there)[one % 2].client(token) as client:
                return [client.post("records", json=RAIN).status_code for _ in range(6)]

        with ThreadPoolExecutor(12) as threads:
            answers = [each for found in threads.map(write, range(12)) for each in found]
    assert answers == [201] * 72
    found = JsonlStore(tmp_path / "ford.jsonl").verify()
    assert (found.sound, found.records) == (True, 6 + 72)


def test_what_is_said_while_a_stream_sends_what_was_missed_comes_after() -> None:
    """Its client is counted as one that was asked, so it is asked, and not only once all that it missed is taken."""
    nothing: Any = None
    streams = Streams(nothing, nothing, Limits(backlog=1_000))
    stream = streams.enter(Token(id="one", digest="", role="player"), "ford", None)
    stream.send_events(5, b"five ")
    stream.send_events(float("inf"), b"a word?")
    stream.last = 5
    assert (stream.awake.is_set(), stream.take()) == (True, b"a word?")
    for _ in range(1_000):
        stream.send_events(float("inf"), b"a word?")
    assert len(stream.take()) < 1_000
