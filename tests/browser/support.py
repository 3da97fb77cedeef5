"""What the tests in the browser share: pages of encounters, what a page shows, and what it ought to show."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from projections.folds.addresses import status_with_tally
from projections.mechanics.conditions import effects_of
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.state import State
from projections.views.steps import Step, steps
from projections.views.view import show
from tests.encounterlog.fights import log_of_play
from tests.encounterlog.service.served import Served
from tests.encounterlog.support import encounter
from tests.projections.stage import script, scripts

if TYPE_CHECKING:
    from playwright.sync_api import Locator, LocatorAssertions, Page

Shown = dict[str, Any]

READ = """() => {
  const text = (each) => each.textContent;
  const rows = [...document.querySelectorAll('#state [data-who]')];
  const order = [];
  for (const row of rows) for (const place of row.querySelectorAll('.place [data-address]')) (order[text(place) - 1] ??= []).push(row.dataset.who);
  const who = rows.map((row) => [row.dataset.who,
    Object.fromEntries([...row.querySelectorAll(':not(.place) > [data-address]')].map((each) => [each.dataset.address.slice(row.dataset.who.length + 1), text(each)]))]);
  const current = document.querySelector('#events [aria-current]');
  return { order: order.map((those) => those.sort()), who: Object.fromEntries(who), seq: Number(current.querySelector('.seq').textContent) };
}"""
"""The state as it can be read on the page."""

BARRIERS = "axe.run().then((result) => result.violations.map((each) => each.id))"
"""The ids of the barriers that axe-core finds on a page."""


PATIENCE = 60_000
"""How long a page may take to show something on a machine that has much else to do, in ms."""


def expect(part: "Locator") -> "LocatorAssertions":
    """Return what Playwright waits for at a part of a page: what a page shows comes a moment after what was done."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    return expect(part)


def exported(log: Path) -> Path:
    page = log.with_suffix(".html")
    done = encounter("export", "html", log, "--to", page)
    assert done.exit_code == 0, done.stderr
    return page


def tells(server: Served, *lines: str) -> None:
    """Tell an encounter lines as the game master, without a page: where what is typed is not what a test is about."""
    with server.client(server.token("gm", by="gm")[0]) as client:
        for line in lines:
            told = client.post("lines", json={"line": line})
            assert told.status_code == 201, (line, told.text)


def longest(key: str, folder: Path) -> Path:
    """Make the log of the longest encounter among the scripts of a ruleset."""
    return log_of_play(folder / f"{key}.jsonl", _longest(key))


@cache
def _longest(key: str) -> Play:
    plays = [play for path in scripts(key) for play in script(path)[:1]]
    return max(plays, key=lambda play: sum(1 for _ in records_of(play)))


def read(page: "Page") -> Shown:
    found: Shown = page.evaluate(READ)
    return found


def walk(page: "Page", key: str) -> list[Shown]:
    """Step with a key as often as there are events, and return the states that the page shows."""
    found: list[Shown] = page.evaluate(
        "(key) => Array.from({ length: Number(document.querySelector('#slider').max) }, () => {"
        f" dispatchEvent(new KeyboardEvent('keydown', {{ key }})); return ({READ})(); }})",
        key,
    )
    return found


def expected(records: Any) -> dict[int, Shown]:
    """Return what a page ought to show after each fact, from the views that `show --json` prints."""
    found: dict[int, Shown] = {}

    def look(step: Step, state: State) -> None:
        found[step.fact.seq] = of_view(msgspec.json.decode(msgspec.json.encode(show(state))), state)

    steps(records, None, look)
    return found


def of_view(view: dict[str, Any], state: State) -> Shown:
    people = view["combatants"]
    order = [sorted(slot["combatants"]) for slot in view["order"]]
    return {"order": order, "who": {who: _of_combatant(who, one, state) for who, one in people.items()}}


def _of_combatant(who: str, one: dict[str, Any], state: State) -> dict[str, str]:
    """Return a combatant as it stands on the page, without what only its ruleset has."""
    found = {"name": one["name"], "hp": "hp unknown" if one["hp"] is None else str(one["hp"])}
    found |= {"side": one["side"]} if one["side"] != who else {}
    found |= {pool: str(one[pool]) for pool in ("hp_max", "temp", "nld") if one[pool]}
    found["status"] = status_with_tally(state, f"{who}.status", one["status"]) or one["status"]
    told = [*effects_of(state.conditions, who)]
    lasting = [
        {"name": each.name, "left": each.left, "unit": each.duration and each.duration.unit}
        for name in one["conditions"]
        for each in told
        if each.name == name
    ]
    implied = {*one["conditions"]} - {each.name for each in told}
    lasting = sorted([*lasting, *({"name": name, "left": None, "unit": None} for name in implied)], key=_place(one))
    found |= {"conditions": ", ".join(map(_effect, lasting))} if lasting else {}
    found |= {"casting": one["casting"]["name"] or "something"} if one["casting"] else {}
    found |= {"concentration": one["concentration"]} if one["concentration"] else {}
    found |= {"effects": ", ".join(map(_effect, one["effects"]))} if one["effects"] else {}
    found |= {"square": ",".join(map(str, one["square"]))} if one["square"] else {}
    if one["status"] == "up":
        left = {what: value for what, value in one["budget"].items() if value not in (None, (), {}, [])}
        found |= {f"left.{what}": _words(value) for what, value in left.items()}
    return found


def _place(one: dict[str, Any]) -> Callable[[dict[str, Any]], int]:
    """Return the key by which conditions stand as the view has them."""
    return lambda each: int(one["conditions"].index(each["name"]))


def _effect(one: dict[str, Any]) -> str:
    unit = f" {one['unit']}{'' if one['left'] == 1 else 's'}" if one["unit"] else ""
    return one["name"] if one["left"] is None else f"{one['name']} ({one['left']}{unit})"


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    return ", ".join(f"{key} {_words(one)}" for key, one in value.items()) if isinstance(value, dict) else str(value)
