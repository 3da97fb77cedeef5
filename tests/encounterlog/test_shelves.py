"""The shelf of a folder: the promises of every shelf, and what only files can do."""

from pathlib import Path

import pytest

from encounterlog.places.shelves import DatabaseShelf, FolderShelf, Shelf, open_shelf
from encounterlog.places.tokens import TOKENS
from eventstore.address import Url
from eventstore.errors import NotReadable
from tests.encounterlog.shelf_contract import AT, ShelfContract, opened, token


class TestFolder(ShelfContract):
    @pytest.fixture
    def shelf(self, tmp_path: Path) -> Shelf:
        return FolderShelf(tmp_path)

    @pytest.fixture
    def other(self, tmp_path: Path) -> Shelf:
        return FolderShelf(tmp_path)


class TestDatabase(ShelfContract):
    @pytest.fixture
    def shelf(self, url: Url) -> Shelf:
        return open_shelf(url.given)

    @pytest.fixture
    def other(self, url: Url) -> Shelf:
        return DatabaseShelf(Url(f"{url.given}&application_name=another"))

    def test_the_store_of_a_name_stays_the_same(self, shelf: Shelf) -> None:
        shelf.create("ford", [opened()], by="gm", at=AT)
        assert shelf.store("ford") is shelf.store("ford")


def test_a_folder_keeps_its_tokens_private_and_other_files_are_no_logs(tmp_path: Path) -> None:
    FolderShelf(tmp_path).tokens.add(token(1))
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob(f"{TOKENS}*")} == {0o600}
    for name in ("notes.txt", ".hidden.jsonl", "-x.jsonl"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.jsonl").mkdir()
    assert FolderShelf(tmp_path).names() == ()
    with pytest.raises(NotReadable):
        FolderShelf(tmp_path / "nowhere")
    FolderShelf(tmp_path).create("ford", [opened()], by="gm", at=AT)
    assert open_shelf(f"{tmp_path}/").names() == ("ford",)
    (tmp_path / TOKENS).write_text("{broken")
    tokens = FolderShelf(tmp_path).tokens
    with pytest.raises(NotReadable, match="holds no tokens"):
        tokens.add(token(1))
    assert (tmp_path / TOKENS).read_text() == "{broken"


def test_as_many_logs_as_are_held_open_and_more_can_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("encounterlog.places.shelves._OPEN", 2)
    shelf = FolderShelf(tmp_path)
    for name in ("a", "b", "c"):
        shelf.create(name, [opened()], by="gm", at="2026-11-20T19:04:05.123456Z")
    assert [shelf.store(name).head().seq for name in ("a", "b", "c", "a")] == [1, 1, 1, 1]
