"""A server that answers as a model does, well, badly or slowly, in a thread of the tests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Answering:
    """What a server answers: a status and a body, with its headers, once it may go; and what it was asked, with which headers."""

    def __init__(self, body: bytes | str, status: int = 200, **headers: str) -> None:
        self.body = body if isinstance(body, bytes) else content(body)
        self.status, self.headers = status, headers
        self.begun, self.go = threading.Event(), threading.Event()
        self.go.set()
        self.asked: list[dict[str, Any]] = []
        self.sent: list[dict[str, str]] = []
        self.url = ""


def content(text: object) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


@contextmanager
def answering(answer: Answering) -> Iterator[Answering]:

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            answer.asked.append({"path": self.path, **json.loads(data)})
            answer.sent.append({name.lower(): value for name, value in self.headers.items()})
            answer.begun.set()
            answer.go.wait()
            self.send_response(answer.status)
            for name, value in {"content-length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST  # noqa: N815 – what a redirection would lead to

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Say nothing of a reader who has not waited: what is told to stderr is looked at by tests."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    answer.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield answer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
