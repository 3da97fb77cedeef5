"""python -m tests.faults [NUMBER…] [--short] [--seed N] [--into FILE]"""

import argparse
import importlib
import pkgutil
import re
import sys
import time
from pathlib import Path

import tests.faults
from tests.faults.campaign import FAULTS, Counts, tried

BEGIN, END = "<!-- faults -->", "<!-- /faults -->"
ROW = re.compile(r"^\| (\d+) \|.*$", re.MULTILINE)
HEAD = ("fault", "cases", "lost", "invented", "split", "refused", "")


def main() -> int:
    asked = _arguments()
    enter_all()
    wanted = asked.numbers or sorted(FAULTS)[asked.part % asked.parts :: asked.parts]
    if unknown := sorted(set(wanted) - set(FAULTS)):
        raise SystemExit(f"no fault {', '.join(map(str, unknown))}; there are {min(FAULTS)} to {max(FAULTS)}")
    print(f"seed {asked.seed}, {'short' if asked.short else 'full'}", file=sys.stderr)
    found: dict[int, Counts] = {}
    for place, number in enumerate(wanted, 1):
        start = time.perf_counter()
        found[number] = tried(number, short=asked.short, seed=asked.seed)
        spent = time.perf_counter() - start
        print(f"{place:>2}/{len(wanted)}  {number:>2}  {found[number].verdict}  {spent:.1f} s", file=sys.stderr)
        if asked.into:  # at once: a run that is cut short goes on with the numbers that are left
            put_into(asked.into, table(found))
    print(table(found))
    return any(counts.verdict == "FAILED" for counts in found.values())


def enter_all() -> None:
    for module in pkgutil.iter_modules(tests.faults.__path__):
        if not module.name.startswith(("_", "test_")):
            importlib.import_module(f"tests.faults.{module.name}")


def put_into(page: Path, rows: str) -> None:
    """Put a table into a page, between its two marks; rows of other faults that stand there stay."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    kept = {int(row[1]): row[0] for text in (old, rows) for row in ROW.finditer(text)}
    head, line, *lines = rows.splitlines()
    wrong = [each for each in lines if not ROW.match(each)]
    whole = "\n".join([head, line, *(kept[number] for number in sorted(kept)), *wrong])
    page.write_text(f"{before}{BEGIN}\n{whole}\n{END}{after}", "utf-8")


def table(found: dict[int, Counts]) -> str:
    rows = [("| # | " + " | ".join(HEAD) + " |"), "|--:|---|" + "--:|" * 5 + "---|"]
    for number, counts in found.items():
        cells = (counts.cases, counts.lost, counts.invented, counts.split, counts.refused)
        figures = " | ".join(str(cell) if counts.cases else "" for cell in cells)
        rows.append(f"| {number} | {FAULTS[number][0]} | {figures} | {_remark(counts)} |")
    wrong = [f"{number}: {why}" for number, counts in found.items() for why in counts.wrong]
    return "\n".join([*rows, *(["", *wrong] if wrong else [])])


def _remark(counts: Counts) -> str:
    reason = counts.inapplicable or counts.untried or counts.remark
    part = ", in part not tried here" if counts.untried and counts.cases else ""
    return f"{counts.verdict}{part}: {reason}" if reason else counts.verdict


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Every fault, and what came of it.")
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="of a fault; all by default")
    parser.add_argument("--short", action="store_true", help="fewer cases: about two minutes for all")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default 1)")
    parser.add_argument("--parts", type=int, default=1, metavar="N", help="try one of so many parts of the faults")
    parser.add_argument("--part", type=int, default=0, metavar="K", help="which part; any number, it is counted round")
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="put the rows into the table of a page, each when it is done"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
