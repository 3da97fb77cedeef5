"""Bounded memory, without a clock: what a long log must not take up, measured by whole commands and by what is kept."""

import itertools
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.replay import SCRIPTS, fight
from eventstore import spool
from eventstore.events import CombatantJoined, EncounterOpened, Noted, RoundEnded, RoundStarted
from eventstore.jsonl import create
from eventstore.record import Draft, Recorded
from eventstore.spool import Spool
from projections.judging.audit import Auditor
from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.state import State
from tests.encounterlog.support import encounter, environment, quarrel

AT = "2026-11-20T19:04:05.123456Z"
OLD, NEW = 1_000, 2_500
KEPT = {
    "plain": 24, "osric": 130, "nameless-journey": 300, "semiautomagic": 1_600, "vile-darkness": 300, "definition-master": 400, "5e": 500,
}  # fmt: skip
"""How many bytes an audit may keep for each event, by ruleset: of acts that a later fact may still name as its cause."""
FEW, MANY, AT_MOST = 2_000, 20_000, 5
WATCH = """
import sys
from pathlib import Path
from encounterlog.__main__ import main
try:
    main()
finally:
    status = Path("/proc/self/status").read_text().splitlines()
    print(next(row for row in status if row.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a log, and one that is ten times as long."""
    folder = tmp_path_factory.mktemp("memory")
    said = [Noted(text=f"{number} {'word ' * 30}") for number in range(98)]
    made = []
    for length in (FEW, MANY):
        opening = EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset="plain", revision=1, options={})
        joined = CombatantJoined(combatant="ana", side="party", sheet={"hp": 9})
        with create(folder / f"{length}.jsonl", [Draft(opening), Draft(joined)], by="gm", at=AT) as store:
            for number in range(1, length // 100 + 1):
                drafts = [Draft(RoundStarted(round=number)), *map(Draft, said), Draft(RoundEnded(round=number))]
                store.append(drafts, by="gm", at=AT, mode="flushed")
        made.append(folder / f"{length}.jsonl")
    return made[0], made[1]


def peak(*words: str) -> float:
    """Return the most memory that a command had, in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *words], capture_output=True, text=True, check=False, env=environment()
    )
    return int(done.stderr.split()[-2]) / 1024


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much memory a process had")
@pytest.mark.parametrize("words", ["verify", "show", "audit", "why", "export jsonl", "export csv", "export markdown"])
def test_a_log_ten_times_as_long_takes_no_more_memory(logs: tuple[Path, Path], words: str) -> None:
    asked = ("ana.hp",) if words == "why" else ()
    short, long = (peak(*words.split(), str(log), *asked) for log in logs)
    assert long - short < AT_MOST


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 6, 9])
def test_a_spool_yields_what_was_added_as_often_as_it_is_asked(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "KEPT", 3)
    monkeypatch.setattr(spool, "GROUP", 2)
    held = Spool[int]()
    for number in range(count):
        held.append(number)
    assert list(held) == list(held) == list(range(count))
    assert list(zip(held, itertools.islice(held, 1, None), strict=False)) == list(itertools.pairwise(range(count)))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much memory a process had")
def test_a_page_of_a_longer_log_takes_hardly_more_memory(logs: tuple[Path, Path], folder: Path) -> None:
    pages = [folder / "short.html", folder / "long.html"]
    short, long = (peak("export", "html", str(log), "--to", str(page)) for log, page in zip(logs, pages, strict=True))
    assert long - short < (pages[1].stat().st_size - pages[0].stat().st_size) / 2**20 + AT_MOST


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "markdown", "discord", "json", "foundry", "html"])
def test_an_export_of_a_long_log_is_that_of_a_short_one(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = quarrel(folder / "halvaine.jsonl")
    kept = encounter("export", kind, log)
    monkeypatch.setattr(spool, "KEPT", 3)
    monkeypatch.setattr(spool, "GROUP", 2)
    monkeypatch.setattr("encounterlog.exporters.session.WHOLE", 3)
    monkeypatch.setattr("encounterlog.exporters.html.rows.KEPT", 3)
    again = encounter("export", kind, log)
    assert (again.exit_code, again.stdout) == (kept.exit_code, kept.stdout)
    assert len(again.stdout) > 500


class Long:
    """The records of a long fight, made anew for each pass."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset

    def __iter__(self) -> Iterator[Recorded]:
        for seq, event in enumerate(itertools.islice(fight(self.ruleset), NEW), 1):
            yield Recorded(seq=seq, at=AT, by="gm", digest="", event=event, salt="", hash="")


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(SCRIPTS))
def test_an_audit_keeps_hardly_anything_of_what_is_past(ruleset: str) -> None:
    taken: dict[int, int] = {}
    auditor = Auditor()

    def observe_fact(state: State, fact: Occurrence[Any]) -> None:
        auditor.observe_fact(state, fact)
        if fact.seq in (OLD, NEW):
            taken[fact.seq] = tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        replay(Long(ruleset), before=observe_fact)
    finally:
        tracemalloc.stop()
    assert taken[NEW] - taken[OLD] < KEPT[ruleset] * (NEW - OLD)
