"""A service on a database: two processes serve one, and it goes on when the database was away."""

import signal
from collections.abc import Iterator

import httpx
import pytest

from encounterlog.places.shelves import open_shelf
from eventstore.address import Url
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.shelf_contract import opened
from tests.eventstore.logs import AT

pytestmark = pytest.mark.slow

FACT = {"type": "noted", "text": "rain"}


@pytest.fixture
def two(url: Url) -> Iterator[tuple[Served, Served]]:
    open_shelf(url.given).create("ford", [opened()], by="gm", at=AT)
    with served(url) as one, served(url) as other:
        yield one, other


def test_what_one_process_writes_another_reads_and_followers_get(two: tuple[Served, Served]) -> None:
    one, other = two
    text, token = one.token("gm", by="gm")
    with one.client(text) as writer, other.client(text) as reader:
        done = writer.post("records", json=FACT, headers={"if-match": writer.head("head").headers["etag"]})
        assert done.status_code == 201, done.text
        assert reader.get("records").content == writer.get("records").content
        again = reader.post(
            "records", json=FACT, headers={"if-match": f'"{done.json()["head"]}"', "idempotency-key": "k"}
        )
        assert again.status_code == 201
        late = writer.post("records", json=FACT, headers={"if-match": f'"{done.json()["head"]}"'})
        assert (late.status_code, late.json()["found"]) == (412, again.json()["head"])
        assert writer.post("records", json=FACT, headers={"idempotency-key": "k"}).status_code == 200
        one.shelf.tokens.revoke(token.id, AT)
        assert [client.get("head").status_code for client in (writer, reader)] == [401, 401]
    one, other = two
    text, _ = one.token("gm", by="gm")
    with (
        other.client(text) as reader,
        one.client(text) as writer,
        reader.stream("GET", "events", headers={"accept": "text/event-stream"}) as stream,
    ):
        lines = stream.iter_lines()
        _until(lines, '"encounter_opened"')
        writer.post("records", json=FACT)
        _until(lines, '"rain"')


def test_its_address_is_told_without_the_password(url: Url) -> None:
    with served(Url(f"{url.given}&password=s3cret")) as server:
        assert "s3cret" not in "".join(server.said)
        assert httpx.get(f"{server.url}/readyz").status_code == 200
        assert server.stop(signal.SIGTERM) == 0


def _until(lines: Iterator[str], word: str) -> None:
    assert any(word in line for line in lines)


def test_the_token_of_a_removed_encounter_does_not_open_the_next(
    two: tuple[Served, Served], postgres: str, url: Url
) -> None:
    import psycopg

    one, other = two
    operator, _ = one.token("operator", "")
    with one.client(operator, "again") as creating:
        place = str(creating.base_url).rstrip("/")
        old = creating.put(place, json={"ruleset": "plain"}).json()["token"]
        with psycopg.connect(
            postgres, autocommit=True, options=f"-c search_path={url.given.rpartition('%3D')[2]}"
        ) as own:
            own.execute("delete from record; delete from key; delete from log")
        new = creating.put(place, json={"ruleset": "plain"}).json()["token"]
    for server in (one, other):
        with server.client(old, "again") as before, server.client(new, "again") as after:
            assert [client.get("show").status_code for client in (before, after)] == [403, 200]


@pytest.mark.usefixtures("postgres")
def test_where_the_database_is_and_fails_is_told_to_the_journal() -> None:
    from tests.servers import NoServer, Server, schema

    try:
        private = Server()
    except NoServer as reason:
        pytest.skip(f"only a private PostgreSQL can be stopped: {reason}")
    try:
        with schema(private.url()) as made, served(made) as server:
            text, _ = server.token("gm", by="gm")
            private.stop()
            with server.client(text) as client:
                answers = [client.get(asked) for asked in (f"{server.url}/readyz", "show")]
            server.stop(signal.SIGTERM)
            private.start()
        for answer in answers:
            assert (answer.status_code, "database" in answer.json()["detail"]) == (503, True), answer.text
            assert not [word for word in (str(private.folder), "postgres", "socket") if word in answer.text]
        assert str(private.folder) in "".join(server.journal)
    finally:
        private.remove()
