"""The pytest plugin: encounters as fixtures, scripts (.enc) as tests, readable comparisons. Its modules are loaded when they are used.

`make_encounter(ruleset, **options)` makes a log in the test's folder, `encounter` is one of the ruleset that the marker
`@pytest.mark.encounter("osric")` names (else plain), and `encounter_clock` sets the times that logs are written with. A test fails where
the audit of one of its logs finds something, unless the word `lenient` follows the ruleset.
Scripts are collected where the ini option `encounter_files` names patterns: `encounter_files = *.enc`.
"""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import encounterlog as el

if TYPE_CHECKING:
    from encounterlog.api import Log
    from encounterlog.scripted import Script

START = "2026-01-01T00:00:00.000000Z"


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the ini option, and leave the assertions of our own modules alone."""
    parser.addini("encounter_files", "patterns of encounter scripts that are collected as tests", "args", default=[])
    # pytest rewrites the assertions of all modules of a distribution that has a plugin, two hundred of ours, which takes seconds when
    # they are first imported, and each time where they cannot be cached; there is no public way out but a word in each docstring
    marked = getattr(getattr(pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
    if isinstance(marked, set):
        marked -= {"encounterlog", "projections", "eventstore"}


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    says = "encounter(ruleset, [lenient], **options): the ruleset and options of the fixture encounter"
    config.addinivalue_line("markers", says)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "Script | None":
    """Collect the scripts that the ini option names."""
    patterns: list[str] = parent.config.getini("encounter_files")
    if any(file_path.match(pattern) for pattern in patterns):
        from encounterlog.scripted import Script

        return Script.from_parent(parent, path=file_path)
    return None


LENIENT = "lenient"  # the word after a ruleset with which findings of the audit are left to the test
STRICT = pytest.StashKey[list["Log"]]()  # the logs of a test whose audit may find nothing


@pytest.fixture
def make_encounter(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., "Log"]:
    """Return a function that makes a log of a ruleset, with its options as keywords."""
    made: list[Log] = []
    strict = request.node.stash.setdefault(STRICT, [])

    def make(ruleset: str = "plain", *words: str, title: str = "", **options: str) -> "Log":
        if unknown := [word for word in words if word != LENIENT]:
            raise pytest.UsageError(f"{unknown[0]!r} is no word for a log of a test: there is {LENIENT}")
        chosen = {name.replace("_", "-"): value for name, value in options.items()}
        log = el.new(tmp_path / f"encounter-{len(made) + 1}.jsonl", ruleset=ruleset, title=title, options=chosen)
        made.append(log)
        if not words:
            strict.append(log)
        return log

    return make


@pytest.fixture
def encounter(request: pytest.FixtureRequest, make_encounter: Callable[..., "Log"]) -> "Log":
    """Return a new log of the ruleset that the marker names, or of plain."""
    marker = request.node.get_closest_marker("encounter")
    return make_encounter(*marker.args, **marker.kwargs) if marker else make_encounter()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Any:
    """Fail a test that has held if the audit of its logs finds something; warn of a log on plain that plain does not judge."""
    result = yield
    for log in pyfuncitem.stash.get(STRICT, []):
        _warn_of_plain(log)
        found = [one for one in log.audit().findings if one.ruled is None]
        if found:
            says = [f"line {one.line} ({one.severity}): {one.says} ({one.rule})" for one in found]
            hint = f'where findings are meant: @pytest.mark.encounter(RULESET, "{LENIENT}"), or make_encounter(RULESET, "{LENIENT}")'
            pytest.fail("\n".join(("the audit finds what the test does not expect:", *says, hint)), pytrace=False)
    return result


def _warn_of_plain(log: "Log") -> None:
    from eventstore.events import EffectStarted, EncounterOpened, TurnDelayed

    events = [record.event for record in log]
    if not (isinstance(events[0], EncounterOpened) and events[0].ruleset == "plain"):
        return
    held = {"a delay": any(isinstance(each, TurnDelayed) for each in events)}
    held["concentration"] = any(isinstance(each, EffectStarted) and each.concentration for each in events)
    if words := " and ".join(what for what, there in held.items() if there):
        hint = "name the ruleset of your game with @pytest.mark.encounter"
        warnings.warn(pytest.PytestWarning(f"plain keeps {words}, and does not judge that: {hint}"), stacklevel=2)


@pytest.fixture
def encounter_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the time with which logs are written; it stands at the start of 2026 until then."""

    def at(time: str) -> None:
        for module in ("api", "log.folded_log"):
            monkeypatch.setattr(f"encounterlog.{module}.current_time", lambda: time)

    at(START)
    return at


PAGES = pytest.StashKey[list[str]]()
"""The disagreements of an engine with a script that the last comparison had, each with its round, in lines."""


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Return how two orders, two states, lists of findings, or an engine and a script differ, line by line; None for everything else."""
    if op not in ("==", "!=") or not sys.modules.keys() & {"encounterlog.forks", "encounterlog.scripted"}:
        return None
    from encounterlog.scripted import Disagreement, explain_difference, is_sequence_of

    if is_sequence_of(left, Disagreement):
        config.stash[PAGES] = [line for one in left for line in one.page]
    return explain_difference(op, left, right)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Show the disagreements in a section of their own, as pytest cuts long comparisons off."""
    report = yield
    if (pages := item.config.stash.get(PAGES, [])) and report.failed:
        report.sections.append(("where the engine and the script part", "\n".join(pages)))
    item.config.stash[PAGES] = []
    return report
