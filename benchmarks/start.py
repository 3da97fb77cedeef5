"""Cold start of whole processes against click saying hello (target 16, and half of 17), and a line or a script of a short fight."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.append import AT, OPENING, script
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from eventstore.events import CombatantJoined, Fact
from eventstore.jsonl import create
from eventstore.record import Draft

HELLO = """
import click
@click.command()
@click.argument("name", default="x")
def hello(name): click.echo(name)
hello()
"""
CLICK, BOTH = "click hello (peer)", "click hello with msgspec (peer)"
EVENTS, FEW = 1000, 100
BARE = "a bare server of the SDK (peer)"
SERVER = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
async def main():
    async with stdio_server() as (received, sent):
        made = Server("bare")
        await made.run(received, sent, made.create_initialization_options())
anyio.run(main)
"""
"""Like `encounter mcp`, it ends when its standard input does."""
SCRIPT = """
import encounterlog as el
print(el.open({!r}).state().combatants["orc-1"].hp.value)
"""


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; where `encounter` is not installed, say so and measure `python -m encounterlog`."""
    runs = 5 if short else 20
    words, note = command()
    log, short_log = _log(folder / "start.jsonl", EVENTS), _log(folder / "short.jsonl", FEW)
    works = {
        CLICK: process([sys.executable, "-c", HELLO]),
        BOTH: process([sys.executable, "-c", "import msgspec" + HELLO]),
        "encounter --version": process([*words, "--version"]),
        "encounter --help": process([*words, "--help"]),
        f"encounter show, {EVENTS:,} events": process([*words, "show", str(log)]),
        f"encounter add, {FEW} events": process([*words, "add", str(short_log), "halvaine", "-1"]),
        f"el.open and state, {FEW} events": process([sys.executable, "-c", SCRIPT.format(str(short_log))]),
    }
    if find_spec("mcp"):
        works |= {BARE: process([sys.executable, "-c", SERVER]), "encounter mcp": process([*words, "mcp", str(folder)])}
    peers = {name: BOTH if "events" in name else CLICK for name in works} | {"encounter mcp": BARE}
    targets = dict(zip(works, (None, None, 1.15, 1.25, 1.5, 1.5, 1.5), strict=False))
    try:
        taken = in_turn(works, runs, warm=2)
    except subprocess.CalledProcessError as error:
        return [
            Measurement(
                "cold start", "ms", (), note=f"not measured: {' '.join(error.cmd[-2:])} ended with {error.returncode}"
            )
        ]
    return [
        Measurement(
            name,
            "ms",
            tuple(seconds * 1e3 for seconds in taken[name]),
            ratio=median_of_pairs(taken[name], taken[peers[name]]),
            target=targets.get(name),
            least=False,
            note=note if name.startswith("encounter") else "",
        )
        for name in works
    ]


def command() -> tuple[list[str], str]:
    """Return how `encounter` is run, and a note if it is not installed."""
    beside = Path(sys.executable).with_name("encounter")
    found = str(beside) if beside.exists() else shutil.which("encounter")
    if found:
        return [found], ""
    return [sys.executable, "-m", "encounterlog"], "encounter is not installed; python -m encounterlog instead"


def process(command: list[str]) -> Work:
    """Return the work of running a command, whose output is discarded; it raises CalledProcessError if the command fails."""
    env = environment()

    def work() -> None:
        subprocess.run(
            command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env
        )

    return work


def environment() -> dict[str, str]:
    """Return an environment in which a child process finds the program from where this one does, compiled as usual."""
    path = os.pathsep.join(filter(None, [str(Path.cwd()), str(Path.cwd() / "cli"), os.environ.get("PYTHONPATH")]))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path}


def _log(path: Path, events: int) -> Path:
    """Write a fight of many events on the ruleset `plain`."""
    from benchmarks.append import NAMES

    opening = type(OPENING)(format=1, encounter="q7k2", title="Ford", ruleset="plain", revision=1, options={})
    joined: list[Fact] = [CombatantJoined(combatant=name, sheet={"hp": 30}) for name in NAMES]
    with create(path, [Draft(opening)], by="gm", at=AT) as store:
        store.append([Draft(event) for event in joined], by="gm", at=AT)  # type: ignore[arg-type]
        fight = script()
        store.append([Draft(next(fight)) for _ in range(events - 1 - len(joined))], by="gm", at=AT)
    return path
