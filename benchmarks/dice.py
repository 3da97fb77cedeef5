"""The cost of a roll from a chain of dice: a line with two dice, drawn and rolled, and the check of a log, in one process."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Measurement, in_turn, median_of_pairs
from encounterlog.log import drawn_dice, entering, opening
from encounterlog.log.logs import LogView
from encounterlog.places.time_and_chance import make_roller
from eventstore.dice import LENGTH, faces_of_link, link_of
from projections.explaining.fairness import check_fairness
from projections.replay.replay import replay
from projections.rulesets import find

JOINING = ("join Bo heroes hp=2000", "join Kex foes hp=2000")
LINE = "b k d20+5 d8"
SECRET = bytes(32)


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure lines in two logs, one of which has a chain, and the check of the longer one."""
    lines, runs = (20, 3) if short else (60, 7)
    rolled, drawn = _opened(folder / "rolled.jsonl"), _opened(folder / "drawn.jsonl")
    drawn_dice.begin_chains(LogView(drawn), by="gm")
    return [*_lines(rolled, drawn, lines, runs), *_parts(drawn, runs)]


def _opened(path: Path) -> str:
    rules = find("plain")
    opening.create_log(str(path), [opening.make_opening(rules, "Ford", {})], "gm")
    _tell(str(path), JOINING)
    return str(path)


def _tell(path: str, lines: tuple[str, ...]) -> None:
    for line in lines:
        entering.tell_line(LogView(path), line, by="gm", mode="flushed", roll=make_roller())


def _lines(rolled: str, drawn: str, lines: int, runs: int) -> Iterator[Measurement]:
    works = {path: (lambda path=path: _tell(path, (LINE,) * lines)) for path in (rolled, drawn)}
    taken = in_turn(works, runs)
    yield Measurement("a line with two dice, rolled", "ms", tuple(each / lines * 1e3 for each in taken[rolled]))
    ratio = median_of_pairs(taken[drawn], taken[rolled])
    yield Measurement(
        "the same, drawn from a chain", "ms", tuple(each / lines * 1e3 for each in taken[drawn]), ratio, 3, least=False
    )


def _parts(drawn: str, runs: int) -> Iterator[Measurement]:
    records = list(LogView(drawn))
    link = link_of(SECRET, 1)
    works = {
        "the link of the first roll, 10,000 hashes": lambda: link_of(SECRET, 1, LENGTH),
        "the faces of a d20 from its link": lambda: faces_of_link(link, 1, "ford", 20, 1),
        f"the check of {len(check_fairness(records).throws)} rolls, against the replay": lambda: check_fairness(
            records
        ),
        "replay": lambda: replay(records),
    }
    taken = in_turn(works, runs)
    against = taken.pop("replay")
    for name, seconds in taken.items():
        ratio = median_of_pairs(seconds, against) if "check" in name else None
        yield Measurement(name, "ms", tuple(each * 1e3 for each in seconds), ratio, 2 if ratio else None, least=False)
