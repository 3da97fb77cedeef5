"""The way of one typed line, and of one POST, function by function: which function of the application is called after which, from which folder.

python -m tests.ways [add|post] [--all]      prints where it leads from one folder into another, or all of it

The second such call of a process is followed, so that nothing is loaded on the way.
"""

import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import encounterlog

HOME = Path(encounterlog.__file__).parent
LINE = "ana hits bo 14 6"
FIGHT = (
    "join Ana heroes hp=9 weapon=sword",
    "join Bo foes hp=20 weapon=club",
    "surprised",
    "r",
    "i heroes=5 foes=3",
)
WAITING = frozenset({"main_loop", "on_tick"})
"""Functions that a server calls by itself while it waits."""


class Called(NamedTuple):
    """A function that was called: its folder, its module, its name, and the folder of the function that called it."""

    room: str
    module: str
    function: str
    caller: str


class Way:
    """The calls of functions of the application, in their order, while it is `on`."""

    def __init__(self) -> None:
        self.calls: list[Called] = []
        self.on = False
        self._stacks: dict[int, list[tuple[FrameType, str]]] = {}
        self._seen: dict[int, FrameType] = {}

    def look(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Note a call: not the loading of a module, a comprehension, or a coroutine that goes on."""
        code = frame.f_code
        if not self.on or event not in ("call", "return") or code.co_name[0] == "<" or code.co_name in WAITING:
            return
        path = Path(code.co_filename)
        if HOME not in path.parents:
            return
        stack = self._stacks.setdefault(threading.get_ident(), [])
        if event == "return":
            if stack and stack[-1][0] is frame:
                stack.pop()
            return
        place = path.relative_to(HOME).with_suffix("").parts
        room = place[0] if len(place) > 1 else ""
        if id(frame) not in self._seen:
            self._seen[id(frame)] = frame  # so that no other frame gets its id
            caller = next((each for _, each in reversed(stack) if each), room)
            self.calls.append(Called(room, ".".join(place), code.co_qualname, caller))
        stack.append((frame, room))

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what is called in the block, in every thread."""
        self.on = True
        try:
            yield
        finally:
            self.on = False

    def folders(self) -> list[str]:
        """Return the folders on the way, in the order in which it comes to them."""
        return [*dict.fromkeys(each.room for each in self.calls if each.room)]

    def crossings(self) -> int:
        """Return the number of calls that lead from one folder into another, and back."""
        return sum(bool(each.room) and each.room != each.caller for each in self.calls)

    def lines(self, *, every: bool) -> Iterator[str]:
        """Yield the way, a line for each function, or for each that is called from another folder, which stands before it."""
        for each in self.calls:
            if not every and (not each.room or each.room == each.caller):
                continue
            came = f"{each.caller} > " if each.room and each.room != each.caller else ""
            yield f"{came + each.module:<44} {each.function}"


def encounter(*words: object) -> str:
    """Run a command in this process, and return its output."""
    from encounterlog.__main__ import main

    before, sys.argv = sys.argv, ["encounter", *map(str, words)]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            main()
    except SystemExit as ended:
        if ended.code:
            raise RuntimeError(f"{' '.join(map(str, words))}: exit code {ended.code}") from ended
    finally:
        sys.argv = before
    return said.getvalue()


def fight(folder: Path) -> Path:
    """Return a log in which Ana can hit Bo."""
    log = folder / "ford.jsonl"
    encounter("new", log, "--ruleset", "osric")
    for line in FIGHT:
        encounter("add", log, line)
    return log


def of_line(folder: Path) -> Way:
    """Return the way of a typed line."""
    log, way = fight(folder), Way()
    encounter("add", log, LINE)
    sys.setprofile(way.look)
    with way.followed():
        said = encounter("add", log, LINE)
    sys.setprofile(None)
    assert "Ana" in said, said
    return way


def of_post(folder: Path) -> Way:
    """Return the way of a line that is sent to a service, from its request to its answer."""
    log, way = fight(folder), Way()
    failed: list[Exception] = []
    token = json.loads(encounter("invite", log, "--role", "gm", "--json"))["token"]

    def post(url: str) -> None:
        body = json.dumps({"line": LINE}).encode()
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        request = urllib.request.Request(f"{url}/v1/encounters/ford/lines", body, headers)
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 201, answer.read()

    def ask(url: str) -> None:
        try:
            post(url)
            with way.followed():
                post(url)
        except (OSError, AssertionError) as error:
            failed.append(error)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    serving(folder, ask, way)
    if failed:
        raise failed[0]
    return way


def serving(folder: Path, ask: Callable[[str], None], way: Way) -> None:
    """Serve a folder in the main thread until it is ended; another thread is told where."""

    class Listening(io.StringIO):
        def write(self, text: str) -> int:
            if " at http" in text:
                url = text.partition(" at ")[2].partition(";")[0]
                threading.Thread(target=ask, args=(url,), daemon=True).start()
            return len(text)

    threading.setprofile(way.look)
    sys.setprofile(way.look)
    before, sys.stdout = sys.stdout, Listening()
    from encounterlog.cli import share

    try:
        share.serve.main([str(folder), "--port", "0"], standalone_mode=False)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        sys.stdout = before


WAYS = {"add": of_line, "post": of_post}


def main(names: list[str], *, every: bool) -> None:
    """Print the ways of these names: the number of functions, the folders, and the calls from one folder into another, or all functions."""
    for name in names or [*WAYS]:
        with tempfile.TemporaryDirectory() as folder:
            way = WAYS[name](Path(folder))
        rooms = way.folders()
        print(
            f"{name}: {len(way.calls)} calls in {len(rooms)} folders ({', '.join(rooms)}); {way.crossings()} lead from one into another"
        )
        print(*(f"    {line}" for line in way.lines(every=every)), sep="\n")


if __name__ == "__main__":
    main([each for each in sys.argv[1:] if each[0] != "-"], every="--all" in sys.argv)
