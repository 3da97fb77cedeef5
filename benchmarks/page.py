"""The time until the HTML replay of 5,000 events is visible in Chromium, for every ruleset; `export` has the cost of its export."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.measuring import Measurement
from benchmarks.replay import SCRIPTS
from benchmarks.rules import in_memory
from encounterlog.exporters.html import write
from encounterlog.exporters.session import Session
from encounterlog.log.opening import create_log
from encounterlog.places.stores import open_store
from eventstore.copying import Copy
from projections.rulesets import keys

CHROMIUM = "/usr/bin/chromium"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure every ruleset that has a script in benchmarks/replay.py."""
    pages = (_page(folder, key, 1_000 if short else 5_000) for key in keys() if key in SCRIPTS)
    return list(_painted(pages))


def _page(folder: Path, key: str, events: int) -> Path:
    log, page = folder / f"{key}.jsonl", folder / f"{key}.html"
    create_log(str(log), [record.event for record in in_memory(key, events) if record.event is not None], "gm")
    page.write_bytes(b"".join(write(Session(Copy(open_store(str(log)).read(), str(log))))))
    return page


def _painted(pages: Iterator[Path]) -> Iterator[Measurement]:
    with suppress(ImportError):
        from playwright.sync_api import sync_playwright

        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for page in pages:
                window = browser.new_page()
                window.goto(page.as_uri())
                window.wait_for_timeout(500)
                yield Measurement(f"{page.stem}: first paint", "ms", (float(window.evaluate(PAINT) or 0),))
            browser.close()
            return
    yield Measurement("first paint", "", (), note="needs the extra browser")
