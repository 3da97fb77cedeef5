"""Limits and bad input: slow, cut off, too much, too often; a server that is killed. Nothing is lost, nothing invented."""

import json
import select
import socket
import ssl
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from tests.encounterlog.service.conftest import FOUGHT, Table
from tests.encounterlog.service.served import served
from tests.encounterlog.support import encounter, log_of
from tests.eventstore.logs import AT

RAIN = {"type": "noted", "text": "Rain."}
PATIENCE = 20.0


def sent(table: Table, *pieces: bytes, length: int | None = 100) -> socket.socket:
    """Send the head of an append, and pieces of a body that is said to be longer; return the connection."""
    raw = socket.create_connection(("127.0.0.1", table.served.port), timeout=PATIENCE)
    token = table.gm.headers["authorization"]
    size = f"Content-Length: {length}" if length is not None else "Transfer-Encoding: chunked"
    head = f"POST /v1/encounters/{table.served.name}/records HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\nContent-Type: application/json\r\n{size}\r\n\r\n"
    for piece in (head.encode(), *pieces):
        raw.sendall(piece)
    return raw


def answer(raw: socket.socket) -> bytes:
    """Return all that comes until the connection is closed."""
    found = b""
    try:
        while piece := raw.recv(1 << 16):
            found += piece
    except ConnectionResetError:
        pass
    return found


@pytest.mark.slow
def test_what_trickles_or_is_too_large_is_given_up_and_writes_nothing(table: Table) -> None:
    before = table.log.read_bytes()
    with sent(table, b'{"type":"noted",') as raw:
        said = b""
        for _ in range(40):
            raw.settimeout(0.1)
            try:
                said += raw.recv(1 << 16)
            except TimeoutError:
                raw.sendall(b" ")
            if b"\r\n\r\n" in said:
                break
    assert said.startswith(b"HTTP/1.1 408")
    assert b"/v1/problems#too-slow" in said or b"content-length" in said
    assert table.log.read_bytes() == before
    for head in (
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HT",
    ):
        with socket.create_connection(("127.0.0.1", table.served.port), timeout=PATIENCE) as raw:
            raw.sendall(head)
            said = answer(raw)
            assert said.count(b"HTTP/1.1 200") == (1 if head.count(b"GET") == 2 else 0)
    with sent(table, length=1 << 40) as raw:
        assert raw.recv(1 << 16).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("length", [100, None])
def test_a_body_that_is_cut_off_writes_nothing(table: Table, length: int | None) -> None:
    before = table.log.read_bytes()
    body = json.dumps(RAIN).encode()
    with sent(table, body if length else b"%x\r\n%b\r\n" % (len(body), body), length=length) as raw:
        raw.shutdown(socket.SHUT_WR)
        answer(raw)
    assert table.gm.get("head").status_code == 200
    assert table.log.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("head", [
    b"GET\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 64 + b"\r\n\r\n",
    b"GET / HTTQ/1.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
])  # fmt: skip
def test_what_is_not_http_is_refused(table: Table, head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", table.served.port), timeout=PATIENCE) as raw:
        raw.sendall(head)
        assert b" 200 " not in answer(raw)[:20]
    assert table.gm.get("head").status_code == 200


def grown(table: Table, hundreds: int) -> None:
    """Let the log be longer by so many hundreds of records of 2 KB."""
    with JsonlStore(table.log) as store:
        for _ in range(hundreds):
            store.append([Draft(Noted(text="x" * 1900))] * 100, by="gm", at=AT, mode="flushed")


@pytest.mark.slow
def test_a_reader_that_takes_nothing_of_an_answer_is_cut_off(table: Table) -> None:
    grown(table, 25)
    size = table.log.stat().st_size
    token = table.gm.headers["authorization"]
    target = f"/v1/encounters/{table.served.name}/records"
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(PATIENCE)
        raw.connect(("127.0.0.1", table.served.port))
        raw.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n\r\n".encode())
        assert raw.recv(12) == b"HTTP/1.1 200"
        gone = select.poll()
        gone.register(raw, select.POLLHUP | select.POLLERR)
        gone.poll(5000)  # a reset shows here, an end only behind what the system still has for us
        assert len(answer(raw)) < size
    assert table.gm.get("records").content == table.log.read_bytes()


@pytest.mark.slow
def test_a_reader_that_is_slow_but_takes_something_gets_all(table: Table) -> None:
    grown(table, 10)
    token = table.gm.headers["authorization"]
    target = f"/v1/encounters/{table.served.name}/records"
    found = b""
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        raw.settimeout(PATIENCE)
        raw.connect(("127.0.0.1", table.served.port))
        head = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {token}\r\n\r\n"
        raw.sendall(head.encode())
        for _ in range(4):  # takes longer in all than the server waits for one that takes nothing
            found += raw.recv(1 << 18, socket.MSG_WAITALL)
            time.sleep(0.7)
        found += answer(raw)
    assert found.endswith(table.log.read_bytes())


@pytest.mark.slow
def test_who_asks_too_often_is_told_when_to_ask_again(tmp_path: Path) -> None:
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain")
    with served(tmp_path, "--requests", 5) as server:
        one, other = server.token("gm")[0], server.token("gm")[0]
        with server.client(one) as hasty, server.client(other) as calm, server.client("wrong") as guessing:
            answers = [hasty.get("head") for _ in range(7)]
            assert [each.status_code for each in answers] == [200] * 5 + [429] * 2
            assert 1 <= int(answers[-1].headers["retry-after"]) <= 12
            assert answers[-1].json()["type"] == "/v1/problems#too-many-requests"
            assert calm.get("head").status_code == 200
            assert [guessing.get("head").status_code for _ in range(6)] == [401] * 5 + [429]


@pytest.mark.slow
def test_a_log_that_another_program_holds_is_busy(table: Table) -> None:
    import fcntl

    with table.log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        told = table.gm.post("records", json=RAIN)
    assert (told.status_code, told.json()["type"], told.headers["retry-after"]) == (503, "/v1/problems#busy", "1")
    assert table.gm.post("records", json=RAIN).status_code == 201


# ---------------------------------------------------------------- how it is reached


@pytest.mark.parametrize(("place", "code", "says", "hint"), [
    ("nowhere", 3, "no such file or directory", "mkdir makes one"),
    ("a-file", 3, "not a directory", "mkdir makes one"),
    ("", 2, "is empty", ". is this folder"),
    ("https://table.example/e/ford", 2, "is no address of a database", "postgresql://"),
    ("ftp://table.example", 2, "is not where logs are kept", "give a path"),
])  # fmt: skip
def test_what_cannot_be_served_is_a_sentence(folder: Path, place: str, code: int, says: str, hint: str) -> None:
    (folder / "a-file").touch()
    done = encounter("serve", place, "--port", 0)
    assert (done.exit_code, says in done.stderr, hint in done.stderr) == (code, True, True), done.stderr


@pytest.mark.parametrize(("options", "says"), [
    (["--host", "0.0.0.0"], "without encryption"),
    (["--host", "8.8.8.8", "--lan"], "public address"),
    (["--host", "table.example", "--lan"], "is no address"),
    (["--tls-cert", "x.pem"], "go together"),
    (["--tls-cert", "x.pem", "--tls-key", "y.pem"], "there is no such file"),
    (["--port", "99999"], "99999"),
])  # fmt: skip
def test_what_would_show_tokens_to_others_is_refused(folder: Path, options: list[str], says: str) -> None:
    done = encounter("serve", folder, *options)
    assert (done.exit_code, says in done.stderr, done.stdout) == (2, True, "")


@pytest.mark.parametrize(
    ("host", "says", "hint"),
    [("127.0.0.1", "address already in use", "--port"), ("192.0.2.1", "cannot assign requested address", "--host")],
)
def test_where_it_cannot_listen_is_said_before_a_token(folder: Path, host: str, says: str, hint: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = encounter("serve", folder, "--lan", "--host", host, "--port", other.getsockname()[1])
    assert (done.exit_code, says in done.stderr, hint in done.stderr, done.stdout) == (2, True, True, ""), done.stderr
    assert not (folder / ".encounterlog-tokens.json").exists()


@pytest.mark.slow
def test_the_operators_token_is_printed_once_and_a_private_network_warned(tmp_path: Path) -> None:
    with served(tmp_path) as first, served(tmp_path) as second:
        assert ["operator token" in line for line in first.said] == [True, False]
        assert ["operator token" in line for line in second.said] == [False]
        token = first.said[0].split()[-1]
        with second.client(token, "ford") as operator:
            assert operator.put(str(operator.base_url).rstrip("/"), json={"ruleset": "plain"}).status_code == 201
    with served(tmp_path, "--host", "0.0.0.0", "--lan") as server:
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        server.stop()
        assert any("without encryption" in line for line in server.journal)


@pytest.mark.slow
def test_only_the_proxy_that_was_named_is_believed(tmp_path: Path) -> None:
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain")
    forwarded = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
    for proxy, link in (("127.0.0.1", "https://"), ("203.0.113.1", "http://"), ("", "http://")):
        with served(tmp_path, *(["--proxy", proxy] if proxy else [])) as server:
            token, _ = server.token("gm")
            with server.client(token) as client:
                made = client.post("tokens", json={"role": "spectator"}, headers=forwarded).json()
                assert made["link"].startswith(link)
                joined = client.post(f"{server.url}/join", data={"token": made["token"]}, headers=forwarded)
                assert ("Secure" in joined.headers["set-cookie"]) is (link == "https://")
            server.stop()
            told = [json.loads(line)["client"] for line in server.journal if "tokens" in line]
            assert told == ["203.0.113.9" if proxy == "127.0.0.1" else "127.0.0.1"]


@pytest.mark.slow
def test_tls_that_is_none_is_cut_off_and_keeps_nobody_out(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    _certify(certificate, key)
    (tmp_path / "logs").mkdir()
    with ExitStack() as stack:
        server = stack.enter_context(served(tmp_path / "logs", "--tls-cert", certificate, "--tls-key", key))
        raws = []
        for number in range(60):
            raw = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=40))
            raw.sendall((b"", b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n\r\n")[number % 3])
            raws.append(raw)
        trusting = ssl.create_default_context(cafile=str(certificate))
        with httpx.Client(verify=trusting) as client:
            assert client.get(f"https://localhost:{server.port}/healthz", timeout=PATIENCE).json() == {"status": "ok"}
        for raw in raws:
            assert b"HTTP/1.1 200" not in answer(raw)


def _certify(certificate: Path, key: Path) -> None:
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
