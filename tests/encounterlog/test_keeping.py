"""Views that are kept: nothing that is shown changes with them, and none is used that does not belong to the log as it is."""

import json
import os
import pickle
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from encounterlog.reading import keeping
from projections.rulesets import keys
from tests.encounterlog.fights import log_of_play
from tests.encounterlog.support import append, encounter, quarrel, shown, spawn
from tests.projections.stage import encounters, one_in


@pytest.fixture(autouse=True)
def cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of kept views, in which those of short logs are kept, too."""
    monkeypatch.setattr(keeping, "LEAST", 1)
    monkeypatch.setattr(keeping, "SETTLED", 0)
    monkeypatch.setenv("ENCOUNTER_CACHE", str(folder / "cache"))
    return folder / "cache"


def kept(cache: Path) -> list[Path]:
    return sorted(cache.iterdir()) if cache.exists() else []


def from_(log: Path) -> int:
    """Return the first record that `show` verified."""
    return int(shown(log)["verified_from"])


def texts(log: Path) -> Iterator[tuple[str, Any]]:
    """Yield what `show` prints of a log, in several ways, without the record from which on it was verified."""
    for words in ((), ("--why",), ("--json", "--all"), ("--json", "--at", "3")):
        done = encounter("show", log, *words)
        value = json.loads(done.stdout) if "--json" in words and done.stdout else done.stdout
        if isinstance(value, dict):
            value.pop("verified_from")
        yield done.stderr, value


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", [key for key in keys() if encounters(key)])
def test_deleting_what_is_kept_changes_nothing_that_is_shown(
    folder: Path, cache: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    every = encounters(ruleset)
    for number, play in enumerate(every if whole else one_in(1 + len(every) // 4, every)):
        log = log_of_play(folder / f"{number}.jsonl", play)
        monkeypatch.setenv("ENCOUNTER_CACHE", "off")
        without = list(texts(log))
        monkeypatch.setenv("ENCOUNTER_CACHE", str(cache))
        assert list(texts(log)) == without
        assert len(kept(cache)) > 0
        assert list(texts(log)) == without
        for path in kept(cache):
            path.unlink()


def test_a_view_of_a_log_that_did_not_change_is_not_made_again(folder: Path, cache: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), len(kept(cache))) == (1, 1)
    assert from_(log) == 19
    (path,) = kept(cache)
    assert (stat.S_IMODE(cache.stat().st_mode), stat.S_IMODE(path.stat().st_mode)) == (0o700, 0o600)
    assert "verified_from" in shown(log, "--at", "5")
    assert len(kept(cache)) == 2


def test_verify_audit_and_export_read_everything(folder: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert from_(log) == 1
    status = log.stat()
    data = bytearray(log.read_bytes())
    data[1_500] ^= 1
    log.write_bytes(data)
    os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))
    for words in (("verify", log), ("audit", log), ("export", "jsonl", log)):
        assert encounter(*words).exit_code == 3


def test_a_log_that_was_appended_to_or_changed_in_place_is_read_anew(folder: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), from_(log)) == (1, 19)
    append(log, '{"type":"round_ended"}\n')
    assert (from_(log), from_(log)) == (1, 20)
    status, data = log.stat(), bytearray(log.read_bytes())
    data[1_500] ^= 1
    log.write_bytes(data)
    os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))  # same size, same time, another change
    assert encounter("show", log).exit_code == 3


def test_another_file_of_the_same_name_is_another_log(folder: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), from_(log)) == (1, 19)
    (folder / "copy.jsonl").write_bytes(log.read_bytes())
    (folder / "copy.jsonl").replace(log)
    assert from_(log) == 1


@pytest.mark.parametrize("what", ["program", "revision"])
def test_another_program_or_revision_makes_its_own_view(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), from_(log)) == (1, 19)
    if what == "program":
        monkeypatch.setattr(keeping, "_program", lambda: "later")
    else:
        monkeypatch.setattr(keeping, "find", lambda _key: type("Later", (), {"revision": 2}))
    assert from_(log) == 1
    assert len(kept(cache)) == 1


class Hostile:
    """What runs a command when any other reader of pickles reads it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("touch hacked",)


SLY = b"cencounterlog.reading.keeping\nimport_module\n(S'this'\ntR."
"""What calls a function that a module of ours has imported."""


@pytest.mark.parametrize("of_it", [True, False], ids=["after its head", "whole"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        b"null",
        b"\xff\xfe",
        pickle.dumps(Hostile()),
        SLY,
        b"half",
        b"{" * 9_000_000,
    ],
    ids=["empty", "object", "deep", "null", "not text", "pickle", "sly", "half", "large"],
)
def test_what_is_damaged_or_hostile_is_thrown_away(folder: Path, cache: Path, data: bytes, of_it: bool) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    right = shown(log)
    (path,) = kept(cache)
    of, _, view = path.read_bytes().partition(b"\n")
    path.write_bytes(of + b"\n" + (view[: len(view) // 2] if data == b"half" else data) if of_it else data)
    assert [shown(log), shown(log)["verified_from"]] == [right, 19]
    assert not (folder / "hacked").exists()


def test_a_link_or_a_file_that_others_may_write_is_not_read(folder: Path, cache: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert from_(log) == 1
    (path,) = kept(cache)
    path.chmod(0o666)
    assert from_(log) == 1
    path.rename(folder / "elsewhere")
    path.symlink_to(folder / "elsewhere")
    assert from_(log) == 1
    assert from_(log) == 19


def test_a_folder_that_others_may_enter_is_not_used(folder: Path, cache: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    cache.mkdir(mode=0o755)
    cache.chmod(0o755)
    assert (from_(log), from_(log), kept(cache)) == (1, 1, [])


@pytest.mark.parametrize("named", ["off", "0", ""])
def test_nothing_is_kept_if_it_is_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("ENCOUNTER_CACHE", named)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), from_(log), (folder / "home").exists()) == (1, 1, False)


def test_it_is_in_the_users_folder_for_caches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENCOUNTER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), from_(log)) == (1, 19)
    assert len(kept(folder / "home/encounterlog")) == 1


def test_a_cache_that_cannot_be_made_is_done_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setenv("ENCOUNTER_CACHE", str(folder / "file" / "cache"))
    log = quarrel(folder / "halvaine.jsonl")
    assert (from_(log), from_(log)) == (1, 1)


def test_a_damaged_log_is_never_kept(folder: Path, cache: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    log.write_bytes(log.read_bytes()[:-20])
    assert encounter("show", log).exit_code == 3
    assert kept(cache) == []


def test_what_changed_a_moment_ago_is_not_kept(folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "SETTLED", 1_000)
    assert from_(quarrel(folder / "halvaine.jsonl")) == 1
    assert kept(cache) == []


def test_the_oldest_are_removed_if_there_are_too_many(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    shown(log)
    monkeypatch.setattr(keeping, "MOST_IN_ALL", 3 * kept(cache)[0].stat().st_size)
    for number in range(10, 19):
        shown(log, "--at", str(number))
    assert 1 <= len(kept(cache)) <= 4


def test_two_at_once_keep_whole_views(folder: Path, cache: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    found: list[tuple[Any, int]] = []

    def look() -> None:
        from encounterlog.pages.show import view
        from encounterlog.reading.logs import Log

        for _ in range(5):
            found.append(keeping.viewed(str(log), (1,), lambda: view(Log(str(log)), None, every=False)))
            for path in kept(cache):
                path.unlink(missing_ok=True)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({msgspec.json.encode(view.shown) for view, _ in found}) == 1
    assert len(found) == 15


def test_short_logs_leave_nothing_behind(folder: Path) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    assert spawn("show", log, "--json").returncode == 0
    assert not (folder / "cache").exists()
