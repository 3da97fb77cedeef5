"""Fault 93: connections to a service that speaks TLS which never begin it, stop in the middle of that, or speak something else."""

import shutil
import socket
import ssl
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.faults.attacks import wrote
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.services import LONG, NAME, disk
from tests.faults.serving import Running, running, token_for

BEGINNINGS = (b"", b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n\r\n")
"""What is sent instead of a greeting: nothing, the first bytes of one, HTTP."""
SLOWEST = 4.0
"""How long who comes beside them may wait for a connection of his own and an append, in seconds."""


@fault(93, "connections to a service with TLS that never begin it, break off or speak none, beside who writes")
def never_encrypted(run: Run) -> None:
    slowest = 0.0
    with run.within(10 * LONG, "TLS"), disk(run) as folder, run.folder(real=False) as keys, ExitStack() as stack:
        certificate, key = certified(keys)
        trusting = ssl.create_default_context(cafile=certificate)
        token, _ = token_for(folder, NAME)
        service = stack.enter_context(running(folder, NAME, life=10 * LONG, certificate=certificate, key=key))
        for wave in range(run.some(1, 5)):
            raws = [stack.enter_context(_begun(service, BEGINNINGS[number % 3])) for number in range(300)]
            start = time.monotonic()
            with httpx.Client(headers={"authorization": f"Bearer {token}"}, timeout=LONG, verify=trusting) as http:
                wrote(run, "beside what is no TLS", http, service, f"{wave}")
            slowest = max(slowest, time.monotonic() - start)
            run.counts.cases += len(raws)
            if left := [raw for raw in raws if not _is_ended(raw)]:
                run.breach("I6", f"wave {wave}", f"{len(left)} connections are left open, or answered")
    if slowest > SLOWEST:
        run.breach("I6", "300 connections without TLS", f"a new one waits {slowest:.1f} s")
    run.counts.remark = f"a new connection and its append took {slowest:.2f} s at most"


def certified(folder: Path) -> tuple[str, str]:
    if not shutil.which("openssl"):
        raise NotTried("openssl is not installed")
    certificate, key = str(folder / "cert.pem"), str(folder / "key.pem")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(words, check=True, capture_output=True)
    return certificate, key


def _begun(service: Running, beginning: bytes) -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", int(service.url.rpartition(":")[2])), timeout=LONG)
    raw.sendall(beginning)
    return raw


def _is_ended(raw: socket.socket) -> bool:
    found = b""
    try:
        while piece := raw.recv(1 << 16):
            found += piece
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return b"HTTP/" not in found
