"""The settings of a service: its limits, its address, and the headers of its answers."""

from msgspec import Struct


class Limits(Struct, frozen=True):
    """The limits of a service: sizes in bytes, times in seconds, requests for each token and minute.

    `patience` is the time in which the head or the body of a request must arrive, and in which a reader must take
    something of an answer; `backlog` is the most that may wait for a slow reader of a stream.
    """

    body: int = 1 << 20
    facts: int = 1000
    requests: int = 600
    streams: int = 8
    all_streams: int = 2000
    patience: float = 20.0
    backlog: int = 1 << 20
    heartbeat: float = 15.0
    """The interval of the sign of life in a stream without news."""
    revoked: float = 1.0
    """The interval at which the tokens of open streams are checked, as another process may have revoked them."""
    word: float = 2.0
    """The time for which dice of a chain wait for a word from a player's page."""
    head: float = 10.0
    """The time in which the head of a request must arrive, if that is less than `patience`."""


class Settings(Struct, frozen=True):
    """The address of a service, and its limits.

    `lan` allows plain HTTP on the private network of the table; `proxy` is the address whose X-Forwarded-* are
    believed. `base` is the beginning of links; by default that of the request. With `log_requests` each request is
    recorded, and not only failures.
    """

    host: str = "127.0.0.1"
    port: int = 8317
    lan: bool = False
    proxy: str = ""
    certificate: str = ""
    key: str = ""
    base: str = ""
    log_requests: bool = False
    limits: Limits = Limits()

    @property
    def encrypted(self) -> bool:
        """Whether the service itself speaks TLS."""
        return bool(self.certificate)


HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none at all, browsers send forms as if from no site
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
"""The headers of every answer; none of them allows another site anything."""
