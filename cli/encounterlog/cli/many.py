"""`encounter audit`, and work on many logs: reported as it goes on, and summed up in the worst exit code."""

import os
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import click
from msgspec import Struct, structs

from encounterlog.ask.audit import AUDIT
from encounterlog.bulk.checking import ENGINES, AuditedLog, How, Task, find_logs, is_one
from encounterlog.bulk.findings import Findings
from encounterlog.cli import output
from encounterlog.cli.asking import answer_and_print, question_command
from encounterlog.cli.failures import DIFFERENCE, FINE, UNREADABLE
from encounterlog.cli.options import AS_TYPED, Audience, Json, argument, option, whole
from encounterlog.errors import Refused
from encounterlog.log.logs import LogView
from encounterlog.places.replacing import name_taken
from encounterlog.places.stores import open_store, parse_address
from encounterlog.progress import Line
from encounterlog.progress_line import is_shown
from encounterlog.words.layout import count_noun, name, table, wrap
from eventstore.errors import StoreError
from eventstore.wording import visible

_RUNS_ON = "; ".join(f"{name}: {says}" for name, says in ENGINES.items())
_JOBS = option("--jobs N", "The number of workers; by default one a processor.", type=whole(1))
_ENGINE = option("--engine", f"The kind of workers. {_RUNS_ON}.", type=click.Choice(tuple(ENGINES)))
_OUT = option("--out OUT", "Write all findings into the new Parquet file OUT, and the lines into OUT.lines.")
_RESUME = option("--resume", "Go on with OUT: a log with the same head, on the same revision, is not audited again.")


class Workers(Struct, frozen=True):
    """The options of work on many logs."""

    jobs: Annotated[int | None, _JOBS]
    engine: Annotated[str | None, _ENGINE]
    scheduler: Annotated[str | None, option("--scheduler ADDR", "Join the Dask cluster of this scheduler.")]
    out: Annotated[Path | None, _OUT]
    resume: Annotated[bool, _RESUME]

    def how(self) -> How | None:
        """Return how the work is spread, None if nothing is said of it; raise Refused for options that exclude each other."""
        if self.resume and not self.out:
            raise Refused("usage", "--resume needs the file that it goes on with", "--out OUT")
        if self.scheduler and self.engine == "processes":
            raise Refused("usage", f"--engine {self.engine} has no scheduler", "--engine dask")
        engine = self.engine or ("dask" if self.scheduler else "processes")
        how = How(engine, self.jobs, self.scheduler, self.out, self.resume)
        return how if self.jobs or self.engine or self.scheduler or self.out else None


@question_command(AUDIT)
def audit(
    logs: Annotated[tuple[str, ...], argument("logs", "FILE|FOLDER|URL...", type=AS_TYPED, required=True)],
    audience: Audience,
    workers: Workers,
    as_of: int | None,
    as_json: Json,
    **fields: Any,
) -> int:
    """Print the findings of one log, or a line for each of several."""
    how = workers.how()
    if not how and is_one(logs):
        log = LogView(parse_address(logs[0]), secrets=audience != "players", as_of=as_of, shows=AUDIT.shows)
        return answer_and_print(AUDIT, log, as_json=as_json, **fields)
    if fields["where"] or as_of is not None or fields["complete"] or audience:
        raise Refused("usage", "--at, --as-of, --for and --complete are for one log", "encounter audit FILE")

    tasks, how = [Task(log) for log in find_logs(logs)], how or How()
    findings = Findings(how.out, resume=how.resume) if how.out else None
    return _report_many(tasks, how, findings, "auditing", as_json=as_json)


def import_all(source: Path, folder: Path, how: How, by: str, what: tuple[str, str, str], *, as_json: bool) -> int:
    """Import every recording of a folder, by kind, ruleset and mapping, into a log of another one; print a line for each."""
    recordings = _recordings_by_log(source).items()
    tasks = [Task(str(folder / name), source=(str(path), *what), by=by) for name, path in recordings]
    there = [Path(task.log) for task in tasks if os.path.lexists(task.log)]
    if there and not how.resume:
        goes_on = ", or go on: --out OUT --resume" if all(map(_is_log, there)) else ""
        raise name_taken(there[0], f"choose another folder{goes_on}")
    findings = Findings(how.out, resume=how.resume) if how.out else None
    folder.mkdir(parents=True, exist_ok=True)
    return _report_many(tasks, how, findings, "importing", as_json=as_json)


def _is_log(path: Path) -> bool:
    try:
        return bool(open_store(str(path)).head())
    except StoreError:
        return False


def _report_many(tasks: list[Task], how: How, findings: Findings | None, what: str, *, as_json: bool) -> int:
    from encounterlog.bulk import running  # with processes, which one log does not need

    worst, listed, same = FINE, list[AuditedLog](), 0
    with closing(findings) if findings else nullcontext(), closing(running.resume_tasks(tasks, how, findings)) as found:
        if findings:
            kept, says = visible(str(findings.lines)), "cannot be read; it stays, and its log counts as new"
            output.print_notes(f"note: {kept}, line {number}: {says}" for number in findings.unread)
        is_watched = is_shown() and not (as_json and sys.stdout.isatty())  # else the lines themselves go to the screen
        for one, again in Line(what, len(tasks), paced=True).watch(found, count(1).__next__) if is_watched else found:
            code = UNREADABLE if one.problem else DIFFERENCE if one.breaches else FINE
            worst, same = max(worst, code), same + again
            output.json_line(one.line) if as_json else listed.append(structs.replace(one, findings=()))
        if not as_json:
            output.print_lines(_format_many(listed))
        if findings:
            findings.write_table()
    if same:
        output.print_notes([f"note: {same} of {len(tasks)} logs are as they were, and were not audited again"])
    return worst


def _recordings_by_log(folder: Path) -> dict[str, Path]:
    """Return the recordings of a folder, by the names of the logs that they become; raise Refused for a name twice."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith((".jsonl", ".jsonl.gz")))
    except OSError as error:
        raise Refused("usage", f"{visible(str(folder))}: {(error.strerror or str(error)).lower()}") from None
    found: dict[str, Path] = {}
    for path in paths:
        name = path.name.removesuffix(".gz")
        if found.setdefault(name, path) != path:
            raise Refused("usage", f"{visible(path.name)} and {visible(name)} would become the same log", "rename one")
    if not found:
        raise Refused("usage", f"no recordings in {visible(str(folder))}", "they are named *.jsonl or *.jsonl.gz")
    return found


def _format_many(logs: Sequence[AuditedLog]) -> list[str]:
    rows, problems = [], list[str]()
    for one in logs:
        found = _count_findings([one])
        outcome = ", ".join(filter(None, (found, "not whole"))) if one.problem else found or "no findings"
        rows.append((name(one.log, 48), count_noun(one.records, "record"), outcome))
        problems += wrap(f"{one.log}: {one.problem}", "    ", "") if one.problem else []
    says = f"{count_noun(len(logs), 'log')}, {count_noun(sum(one.records for one in logs), 'record')}: "
    says += _count_findings(logs) or "no findings"
    if troubled := sum(one.problem is not None for one in logs):
        says += f"; {count_noun(troubled, 'log')} cannot be read whole"
    return [*table(rows, ""), *problems, says]


def _count_findings(logs: Sequence[AuditedLog]) -> str:
    counts = {"breach": sum(one.breaches for one in logs), "notice": sum(one.notices for one in logs)}
    return ", ".join(count_noun(number, what) for what, number in counts.items() if number)
