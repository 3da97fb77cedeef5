"""A Chromium from the system, a page that must not ask for anything, and axe-core, which finds barriers.

Where the browser, Playwright or npm is missing these tests fail; they are never skipped.
"""

import subprocess
import tarfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.person import Person
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import log_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

CHROMIUM = Path("/usr/bin/chromium")
AXE = "axe-core@4.10.3"
"""The package of the npm registry that finds barriers; only tests use it."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs Chromium, Playwright and npm; only run where it is asked for")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "browser" in config.getoption("markexpr"):
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Run Debian's Chromium; Playwright never fetches one of its own."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM.exists(), f"{CHROMIUM} is missing: apt-get install chromium"
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield chromium
        chromium.close()


FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana","side":"party","sheet":{"hp":14}}
{"type":"combatant_joined","combatant":"ogre","name":"Ogre","side":"foes","sheet":{"hp":20}}
{"type":"round_started","round":1}
"""


NUMBERS = count(1)
"""What tells the encounters of the tests apart."""


class Open:
    """Pages that are open, and all that they said or asked for."""

    def __init__(self, browser: "Browser") -> None:
        self.browser = browser
        self.said: list[str] = []
        self.asked: list[str] = []

    def __call__(self, file: Path, fragment: str = "", **how: Any) -> "Page":
        """Open a page in a window of its own, at its end if no event is named; `how` are Playwright's options, such as viewport and color_scheme."""
        page = self.browser.new_page(**({"viewport": {"width": 1280, "height": 900}} | how))
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(f"{file.resolve().as_uri()}{fragment}")
        page.wait_for_selector("#slider[aria-valuetext]")
        if not fragment:
            page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true}))")
        return page

    def _dialog(self, dialog: "Dialog") -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def show(browser: "Browser") -> Iterator[Open]:
    """Return the function that opens a page; afterwards none of them may have complained or asked for anything else."""
    opened = Open(browser)
    yield opened
    for context in browser.contexts:
        context.close()
    assert opened.said == []
    assert [url for url in opened.asked if not url.startswith(("file://", "data:,"))] == []
    assert all(url.partition("#")[0].endswith(".html") for url in opened.asked if url.startswith("file://"))


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the source of axe-core, fetched with npm into a temporary folder."""
    folder = tmp_path_factory.mktemp("axe")
    subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=True, capture_output=True, timeout=120)
    with tarfile.open(next(folder.glob("axe-core-*.tgz"))) as packed:
        script = packed.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("campaign"), "--requests", 1_000_000) as found:
        yield found


@pytest.fixture
def server(service: Served, tmp_path: Path) -> Served:
    """Return the service with an encounter of the test's own."""
    service.name = f"ford-{next(NUMBERS)}"
    log_of(tmp_path / "ford.jsonl", FOUGHT, "plain", "The ford").rename(service.folder / f"{service.name}.jsonl")
    return service


@pytest.fixture
def joins(browser: "Browser", server: Served) -> Iterator[Callable[..., Person]]:
    """Return the function with which somebody joins; afterwards no page may have complained."""
    people: list[Person] = []

    def join(role: Any, *, url: str = "", how: dict[str, Any] | None = None, **given: Any) -> Person:
        person = Person(browser, server, server.token(role, **given)[0], url, **(how or {}))
        people.append(person)
        return person

    yield join
    for each in people:
        assert [line for line in each.said if not line.startswith("Failed to load")] == []
        each.context.close()
