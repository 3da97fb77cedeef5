"""The settings of a service: its limits, and how it is reached."""

from msgspec import Struct


class Limits(Struct, frozen=True):
    """The limits of a service: sizes in bytes, times in seconds, requests for each token and minute.

    `patience` is how long the head or the body of a request may take, and how long a reader may take none of what is
    sent to it; `backlog` is how much waits for a slow reader of a stream.
    """

    body: int = 1 << 20
    facts: int = 1000
    requests: int = 600
    streams: int = 8
    all_streams: int = 2000
    patience: float = 20.0
    backlog: int = 1 << 20
    heartbeat: float = 15.0
    """How often a stream without news says that it is alive."""
    revoked: float = 1.0
    """How often the tokens of open streams are looked at, as another process may have revoked them."""
    word: float = 2.0
    """How long dice of a chain wait for a word of a player's page."""
    head: float = 10.0
    """How long the head of a request may take, if that is less than `patience`."""


class Settings(Struct, frozen=True):
    """The address of a service, and its limits.

    `lan` allows plain HTTP on the private network of the table; `proxy` is the address whose X-Forwarded-* are believed.
    `base` is the beginning of links; without it, the request says so. `log_requests` says whether each request is written
    down, and not only those that failed.
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
