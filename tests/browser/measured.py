"""python -m tests.browser.measured [TIMES]: how large and how quick the page of a service is, in Chromium; nothing passes or fails.

Each figure is the best of TIMES (7), since other work on the machine only adds to it, with the middle one behind it: bytes of the code of the page;
first paint of a page that is opened, of a small fight and of one of forty combatants and 2,000 records; from Enter at the game master's page to the
page of a phone; and the longest task of the page of the large fight while something is done, where the aim is 50 ms. That is processor time, as the
browser traces it: what else the machine does lengthens a task, and is not the page's.
"""

import gzip
import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from encounterlog.exporters import html
from encounterlog.service import live
from tests.browser.conftest import CHROMIUM, FOUGHT
from tests.browser.person import Person
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import log_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
TRACED = ["toplevel", "devtools.timeline"]
"""What of a browser is traced: the tasks of its threads."""
ENTERED = "() => addEventListener('keydown', (event) => event.key === 'Enter' && (window.entered = performance.timeOrigin + performance.now()), true)"
HEARD = """() => new MutationObserver(() => (window.heard = performance.timeOrigin + performance.now()))
  .observe(document.querySelector('#state'), { subtree: true, childList: true, characterData: true })"""
FRAMES = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 300))"


def large() -> str:
    """Return the facts of a fight of forty with long names, of 2,000 records."""
    facts: list[dict[str, object]] = [
        {"type": "combatant_joined", "combatant": f"c{number}", "name": f"Combatant {number} of the long fight",
         "side": "party" if number < 6 else "foes", "sheet": {"hp": 900}}
        for number in range(40)
    ]  # fmt: skip
    facts += [{"type": "round_started", "round": 1}]
    facts += [{"type": "initiative_rolled", "combatant": f"c{number}", "total": 40 - number} for number in range(40)]
    turn = 0
    while len(facts) < 1999:
        if turn and turn % 40 == 0:
            facts += [{"type": "round_started", "round": 1 + turn // 40}]
        who, at = f"c{turn % 40}", f"c{(turn + 7) % 40}"
        facts += [
            {"type": "turn_started", "combatant": who},
            {"type": "action_taken", "combatant": who, "action": {"kind": "attack", "targets": [at]}},
            {"type": "damage_dealt", "target": at, "amount": 1, "source": who},
        ]
        turn += 1
    return "\n".join(map(json.dumps, facts[:1999]))


def main() -> None:
    from playwright.sync_api import sync_playwright

    times = int(sys.argv[1]) if sys.argv[1:] else 7
    frames = [
        live.read_source(f"../templates/{name}.html") for name in ("encounter", "form", "card_controls", "master")
    ]
    code = (
        live.page_script(),
        live.page_style(),
        live.read_source("vendor/preact.js"),
        html.read_source("controls.html"),
        *frames,
    )
    say(
        "code of the page",
        [sum(len(gzip.compress(each.encode())) for each in code)],
        "bytes as they are sent, aim below 66,000",
    )
    with (
        sync_playwright() as driver,
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), "--requests", 1_000_000, quiet=True) as server,
    ):
        log_of(Path(folder) / "small.jsonl", FOUGHT, "plain", "The ford")
        log_of(Path(folder) / "large.jsonl", large(), "plain", "The long fight")
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        for name in ("small", "large"):
            server.name = name
            say(f"first paint, {name} fight", [painted(browser, server) for _ in range(times)], "ms, aim 150")
        server.name = "small"
        say("Enter to a phone, small fight", told(browser, server, "ana -1", times), "ms, aim 300")
        server.name = "large"
        say("Enter to a phone, large fight", told(browser, server, "c1 -1", times), "ms, aim 300")
        for what, spent in stalls(browser, server, times).items():
            say(f"longest task, large fight: {what}", spent, "ms of processor time, aim 50")
        browser.close()


def say(what: str, spent: list[float], unit: str) -> None:
    more = f" (middle of {len(spent)}: {statistics.median(spent):,.0f})" if len(spent) > 1 else ""
    sys.stdout.write(f"{what}: {min(spent):,.0f} {unit}{more}\n")
    sys.stdout.flush()


class Quick(Person):
    """Somebody whose page is measured: what it receives is not kept."""

    def _keep(self, response: Any) -> None:
        """Keep nothing."""

    def end(self) -> str:
        return str(self._server.shelf.store(self._server.name).head())


def master(browser: "Browser", server: Served) -> Quick:
    return Quick(browser, server, server.token("gm", by="gm")[0], viewport={"width": 1280, "height": 800})


def painted(browser: "Browser", server: Served) -> float:
    """Return when a page that is opened first shows something, by a browser that knows nothing of it."""
    gm = master(browser, server)
    gm.page.wait_for_function(PAINT)
    found: float = gm.page.evaluate(PAINT)
    gm.context.close()
    return found


def told(browser: "Browser", server: Served, line: str, times: int) -> list[float]:
    """Return how long it takes from Enter to a change on the phone of a player."""
    gm = master(browser, server)
    token = server.token("player", combatants=(line.split(maxsplit=1)[0],))[0]
    phone = Quick(browser, server, token, viewport={"width": 390, "height": 780})
    gm.page.evaluate(ENTERED)
    phone.page.evaluate(HEARD)
    found = []
    for _ in range(times):
        gm.sees_all()
        phone.sees_all()
        phone.page.evaluate(FRAMES)
        phone.page.evaluate("window.heard = 0")
        gm.page.fill("#line", line)
        gm.page.press("#line", "Enter")
        phone.page.wait_for_function("() => window.heard")
        found.append(phone.page.evaluate("window.heard") - gm.page.evaluate("window.entered"))
    gm.context.close()
    phone.context.close()
    return found


def stalls(browser: "Browser", server: Served, times: int) -> dict[str, list[float]]:
    """Return the longest task of the page while each of these is done, in processor time."""
    found: dict[str, list[float]] = {}
    gm = master(browser, server)
    gm.page.evaluate(FRAMES)

    def measure(what: str, does: Callable[[], object]) -> None:
        gm.sees_all()
        gm.page.evaluate(FRAMES)
        browser.start_tracing(page=gm.page, categories=TRACED)
        does()
        gm.page.wait_for_function(
            "(end) => document.getElementById('head').textContent === end", arg=gm.end(), timeout=60_000
        )
        gm.page.evaluate(FRAMES)
        found.setdefault(what, []).append(longest(browser.stop_tracing()))

    for _ in range(times):
        measure("a line", lambda: sends(gm, "c1 -1"))
        measure("the next turn", lambda: awaits(gm, "#next"))
        measure("one is chosen", lambda: gm.page.click("#state [data-who=c9] .name"))
        measure("damage by a button", lambda: awaits(gm, "[data-damage='3']"))
        measure("undo", lambda: awaits(gm, "#undo"))
        measure("the timeline", lambda: gm.page.click("[data-view=timeline]"))
        measure("back to the table", lambda: gm.page.click("[data-view=table]"))
    gm.context.close()
    return found


def awaits(gm: Quick, button: str) -> None:
    """Press a button, and wait until what it sends is answered."""
    with gm.page.expect_response("**/lines"):
        gm.page.click(button)


def sends(gm: Quick, line: str) -> None:
    gm.page.evaluate("(line) => (document.getElementById('line').value = line)", line)
    awaits(gm, "#send")


def longest(traced: bytes) -> float:
    """Return the processor time of the longest task of a page, in ms."""
    events = json.loads(traced)["traceEvents"]
    names = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["name"] == "thread_name"}
    of_pages = {thread for thread, name in names.items() if name == "CrRendererMain"}
    tasks = (each for each in events if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) in of_pages)
    return max((each.get("tdur", 0) / 1_000 for each in tasks), default=0)


if __name__ == "__main__":
    main()
