"""Which tests are run, and in which order: of slow tests that are run in turn a part, and those of a ruleset together."""

from collections import Counter
from collections.abc import Iterable

import pytest


def is_slow(item: pytest.Item) -> bool:
    """Say whether a test is slow."""
    return item.get_closest_marker("slow") is not None


def waits_for_its_turn(items: Iterable[pytest.Item], turn: int) -> set[pytest.Item]:
    """Return the tests that are not run at this turn, of each slow test that is run in turn."""
    waiting, places = set[pytest.Item](), Counter[str]()
    for item in items:
        if is_slow(item) and (mark := item.get_closest_marker("in_turn")):
            test = item.nodeid.partition("[")[0]
            if places[test] % mark.args[0] != turn % mark.args[0]:
                waiting.add(item)
            places[test] += 1
    return waiting


def _turn(config: pytest.Config) -> int:
    seed = str(config.getoption("--hypothesis-seed", None))
    return int(seed) if seed.isdecimal() else 0


def _whole(config: pytest.Config) -> bool:
    return bool(config.getoption("--hypothesis-profile", None) == "long")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of a ruleset together, behind those of none: its rulebook is read once, and not in each process."""
    is_part = config.option.markexpr == "slow" and not _whole(config)
    later = waits_for_its_turn(items, _turn(config)) if is_part else set[pytest.Item]()
    config.hook.pytest_deselected(items=[item for item in items if item in later])
    from projections.rulesets import keys

    known = keys()
    items[:] = sorted(
        (item for item in items if item not in later),
        key=lambda item: known.index(about) + 1 if (about := _ruleset(item)) in known else 0,
    )


def _ruleset(item: pytest.Item) -> str:
    """Return the ruleset that a test is about, if it is run for several."""
    asked = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    of = next((asked[name] for name in ("key", "ruleset", "plays", "play") if name in asked), "")
    return str(getattr(of, "key", "") or getattr(of, "ruleset", "") or of)


@pytest.fixture(scope="session")
def whole(request: pytest.FixtureRequest) -> bool:
    """Say whether everything is tested, and not a sample."""
    return _whole(request.config)


@pytest.fixture(scope="session")
def turn(request: pytest.FixtureRequest) -> int:
    """Return the current turn of tests that are run in turn."""
    return _turn(request.config)
