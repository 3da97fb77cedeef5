"""python -m tests.peers [--fights N] [--first SEED] [--keep FOLDER] [--write] [--python PATH]: the campaign; exit code 1 where something has no verdict.

The engine is installed into build/peers when it is not there yet; it needs Python 3.12 or later.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from encounterlog.importers.mapped import read
from encounterlog.log import opening
from eventstore.events import Checked, EncounterOpened, Moved
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.judging.audit import audit
from projections.judging.statements import judged
from projections.mechanics.squares import TILE
from projections.occurrence import Occurrence
from projections.rulesets import find
from projections.rulesets.fifth_edition.circumstances import squares
from projections.rulesets.fifth_edition.state import FifthState
from projections.state import State
from tests.peers.circumstances import CIRCUMSTANCES

HERE = Path(__file__).parent
MAPPING = HERE / "dnd5e-engine.toml"
VERDICTS = HERE / "verdicts.toml"
OUTCOME = HERE / "outcome.json"
"""What the campaign found when it was last run with --write, of which the documentation has a table."""
ENGINE = "dnd5e-engine==0.7.0"
KEPT = HERE.parents[1] / "build" / "peers"
WHOSE = ("ours", "theirs", "converter's")


class Found(NamedTuple):
    """Something that is not alike: in which fight and line, in which group, and what it says."""

    fight: str
    line: int
    group: str
    says: str
    holds: frozenset[str] = frozenset()
    """The circumstances that the fight shows there, by their names."""


class Verdict(NamedTuple):
    """Whose a group of differences is, by the text; `group` and `says` are patterns, `when` a circumstance that must hold."""

    group: str
    whose: str
    because: str
    says: str = ""
    when: str = ""

    def fits(self, found: Found) -> bool:
        """Say whether the verdict is about this."""
        holds = not self.when or self.when in found.holds
        return holds and bool(re.fullmatch(self.group, found.group) and re.search(self.says, found.says))


def environment(python: str) -> Path:
    """Return the Python of the engine's environment, which is made if it is not there."""
    own = KEPT / "env" / "bin" / "python"
    if not own.exists():
        found = python or next(_pythons(), "")
        if not found:
            sys.exit("the engine needs Python 3.12 or later: --python PATH")
        sys.stderr.write(f"{ENGINE} is installed into {KEPT / 'env'}" + "\n")
        subprocess.run([found, "-m", "venv", KEPT / "env"], check=True)
        subprocess.run([own, "-m", "pip", "install", "--quiet", ENGINE], check=True)
    return own


def _pythons() -> Iterator[str]:
    """Yield the Pythons that the engine can run on; a shim of pyenv that leads to none is passed over."""
    for version in ("3.12", "3.13"):
        named = shutil.which(f"python{version}")
        own = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python"))
        for each in [*([named] if named else []), *map(str, own)]:
            if subprocess.run([each, "-c", ""], capture_output=True, check=False).returncode == 0:
                yield each


def records(path: Path) -> tuple[list[Recorded], list[int], list[tuple[int, str]]]:
    """Return a fight as records of a log in memory, the line of each, and the lines of which no fact could be made."""
    done = read(path, mapping=MAPPING)
    ruleset = find(done.ruleset)
    first = EncounterOpened(
        format=1,
        encounter="peer",
        title=path.name,
        ruleset=ruleset.key,
        revision=ruleset.revision,
        options=done.options,
    )
    events: list[Any] = [first, *(_absolute(opening.event(fact.event)) for fact in done.facts)]
    made = [
        Recorded(
            seq=seq,
            at="2000-01-01T00:00:00.000000Z",
            by="engine",
            batch=None,
            digest="0" * 64,
            event=event,
            salt="0" * 32,
            hash="0" * 64,
        )
        for seq, event in enumerate(events, 1)
    ]
    return made, [0, 1, *(fact.lines[0] for fact in done.facts)], [(one.line, one.what) for one in done.problems]


def _absolute(event: Any) -> Any:
    """Leave references as they are: a mapping makes them absolute."""
    assert all((getattr(event, name, None) or 1) > 0 for name in REFERENCE_FIELDS)
    return event


class Values:
    """The values of a fight that differ, each where it begins to, or differs otherwise."""

    def __init__(self, fight: str) -> None:
        self.found: list[Found] = []
        self._fight, self._apart = fight, dict[str, str]()

    def note(self, address: str, line: int, stated: object, ours: object, *, agrees: bool | None = None) -> None:
        """Compare a value, unless that was done."""
        name = re.sub(r"^[^.]+\.", "", address)
        COMPARED[name] += 1
        says = "" if (stated == ours if agrees is None else agrees) else f"theirs {_said(stated)}, ours {_said(ours)}"
        if says and says != self._apart.get(address):
            self.found.append(Found(self._fight, line, f"value {name}", f"{address}: {says}"))
        self._apart[address] = says


def differences(path: Path) -> Iterator[Found]:
    """Yield what differs in a fight, each with the circumstances that its verdicts ask for."""
    theirs = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    ids = {unit["id"].replace(":", "-"): unit["id"] for unit in theirs[0]["units"]}
    known = verdicts()
    for one in _differences(path, theirs):
        about = ids.get(re.split(r"[. ]", one.says)[0], "")
        wanted = {each.when for each in known if each.when and re.fullmatch(each.group, one.group)}
        holds = (when for when in wanted if CIRCUMSTANCES[when](theirs[: one.line], about, one.says))
        yield one._replace(holds=frozenset(holds))


def _differences(path: Path, theirs: list[dict[str, Any]]) -> Iterator[Found]:
    """Yield what differs in a fight: each value where it begins to differ, or differs otherwise, and each finding of the audit about anything else."""
    log, lines, problems = records(path)
    for line, says in problems:
        yield Found(path.stem, line, "not understood", says)
    values = Values(path.stem)

    def look(state: State, fact: Occurrence[Any]) -> None:
        line = lines[fact.seq]
        match fact.event:
            case Checked():
                for one in judged(state, fact):
                    values.note(
                        one.address, line, one.stated, one.derived.value if one.derived else None, agrees=one.agrees
                    )
                if "round" in fact.event.values:
                    here = squares(cast(FifthState, state))
                    for who, square in _squares(theirs[line - 1]):
                        values.note(f"{who}.square", line, square, [*here.get(who, ())])
            case Moved(path=(start, *_, end)):
                feet = TILE * max(abs(start[0] - end[0]), abs(start[1] - end[1]))
                values.note(f"{fact.event.combatant}.distance", line, theirs[line - 1]["distance_ft"], feet)

    done = audit(log, before=look)
    yield from values.found
    for finding in done.findings:
        if not isinstance(log[finding.event - 1].event, Checked):
            yield Found(path.stem, lines[finding.event], f"{finding.severity} {finding.rule}", finding.says)


def _squares(line: dict[str, Any]) -> Iterator[tuple[str, list[int]]]:
    """Yield the combatants of a state of the engine, each with its square."""
    yield from ((unit["id"].replace(":", "-"), unit["square"]) for unit in line["units"] if "square" in unit)


COMPARED: Counter[str] = Counter()
"""How many values of each kind were compared."""


def _said(value: object) -> str:
    return " ".join(sorted(map(str, value))) if isinstance(value, list | tuple) else str(value)


def verdicts() -> list[Verdict]:
    """Return the verdicts."""
    rows = tomllib.loads(VERDICTS.read_text("utf-8"))["verdict"]
    return [
        Verdict(row["group"], row["whose"], row["because"], row.get("says", ""), row.get("when", "")) for row in rows
    ]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Play, compare, and print the table; return 1 if something has no verdict, or a verdict says that it is ours."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers")
    parser.add_argument("--fights", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder in which the fights stay")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {OUTCOME.name}, for the documentation")
    parser.add_argument("--python", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        command = [environment(given.python), HERE / "arena.py", folder, str(given.first), str(given.fights)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        paths = [folder / f"fight-{seed:05}.jsonl" for seed in range(given.first, given.first + given.fights)]
        found = [one for path in paths for one in differences(path)]
    if given.write:
        OUTCOME.write_text(json.dumps(outcome(found, given.fights), indent=1) + "\n", "utf-8")
    return table(found, given.fights)


def by_verdict(found: list[Found]) -> dict[Verdict | None, list[Found]]:
    """Return what was found by the first verdict that fits it, None for what has none."""
    known = verdicts()
    by: dict[Verdict | None, list[Found]] = {}
    for one in found:
        by.setdefault(next((each for each in known if each.fits(one)), None), []).append(one)
    return by


def outcome(found: list[Found], fights: int) -> dict[str, Any]:
    """Return what was compared and found, in numbers."""
    judged_ = [(verdict, those) for verdict, those in by_verdict(found).items() if verdict]
    rows = [
        {
            "whose": verdict.whose,
            "because": verdict.because,
            "found": len(those),
            "fights": len({one.fight for one in those}),
        }
        for verdict, those in sorted(judged_, key=lambda pair: (WHOSE.index(pair[0].whose), -len(pair[1])))
    ]
    return {"engine": ENGINE, "fights": fights, "compared": dict(COMPARED.most_common()), "verdicts": rows}


def table(found: list[Found], fights: int) -> int:
    """Print what was found by verdict, and what has none; return the exit code."""
    by = by_verdict(found)
    compared = ", ".join(f"{count:,} of {name}" for name, count in COMPARED.most_common())
    _say(f"{fights} fights; values compared: {compared}")
    for whose in WHOSE:
        for verdict, those in sorted(
            ((v, t) for v, t in by.items() if v and v.whose == whose), key=lambda pair: -len(pair[1])
        ):
            _say(f"{whose}: {len(those)} in {len({one.fight for one in those})} fights: {verdict.because}")
    rest: dict[str, list[Found]] = {}
    for one in by.get(None, ()):
        rest.setdefault(one.group, []).append(one)
    for group, those in sorted(rest.items(), key=lambda pair: -len(pair[1])):
        _say(f"no verdict: {len(those)} in {len({one.fight for one in those})} fights: {group}")
        for one in those[:4]:
            _say(f"    {one.fight}, line {one.line}: {one.says}")
    if not found:
        _say("no differences")
    return int(None in by or any(verdict and verdict.whose == "ours" for verdict in by))


if __name__ == "__main__":
    sys.exit(main())
