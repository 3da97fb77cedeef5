"""What the HTML replay costs: its export against show, at 5,000 events of each ruleset; and, in Chromium, its first paint."""

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from benchmarks.measuring import Row, Work, in_turn, median_of_pairs
from benchmarks.replay import SCRIPTS
from benchmarks.rules import in_memory
from encounterlog.edge.stores import open_store
from encounterlog.exporters.html import write
from encounterlog.exporters.session import Session
from encounterlog.writing.opening import create
from eventstore.copying import Copy
from projections.judging.audit import audit
from projections.rulesets import keys
from projections.views.view import show

CHROMIUM = "/usr/bin/chromium"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run(folder: Path, short: bool) -> list[Row]:
    """Measure every ruleset that has a script in benchmarks/replay.py."""
    events, runs = (1_000, 1) if short else (5_000, 3)
    rows, pages = list[Row](), list[Path]()
    for key in (key for key in keys() if key in SCRIPTS):
        log, page = folder / f"{key}.jsonl", folder / f"{key}.html"
        create(log, [record.event for record in in_memory(key, events) if record.event is not None], "gm")
        works: dict[str, Work] = {"show": partial(_show, log), "html": partial(_page, log, page)}
        taken = in_turn(works, runs, warm=0, clock=time.process_time)
        ratio = median_of_pairs(taken["html"], taken["show"])
        rows.append(Row(f"{key}: export html against show, {events:,} events", "s", tuple(taken["html"]), ratio))
        pages.append(page)
    return [*rows, *_painted(pages)]


def _show(log: Path) -> object:
    return show(audit(list(open_store(log).read())).replay.state)


def _page(log: Path, page: Path) -> object:
    return page.write_bytes(b"".join(write(Session(Copy(open_store(log), log)))))


def _painted(pages: list[Path]) -> Iterator[Row]:
    with suppress(ImportError):
        from playwright.sync_api import sync_playwright

        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for page in pages:
                window = browser.new_page()
                window.goto(page.as_uri())
                window.wait_for_timeout(500)
                yield Row(f"{page.stem}: first paint", "ms", (float(window.evaluate(PAINT) or 0),))
            browser.close()
            return
    yield Row("first paint", "", (), note="needs the extra browser")
