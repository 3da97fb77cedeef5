"""Work on many logs, reported as it goes on, and summed up in the worst exit code."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from encounterlog.bulk import running
from encounterlog.bulk.checking import AuditedLog, Task
from encounterlog.bulk.findings import Findings
from encounterlog.bulk.how import How
from encounterlog.bulk.locations import located
from encounterlog.errors import Refused
from encounterlog.progress import Paced
from encounterlog.progress_line import looked_at
from encounterlog.storage.replacing import taken
from encounterlog.storage.stores import open_store
from encounterlog.terminal import output
from encounterlog.terminal.failures import DIFFERENCE, FINE, UNREADABLE
from encounterlog.text_pages import audit_of_many as page
from eventstore.errors import StoreError
from eventstore.form import visible


def audit(names: Iterable[str], how: How, *, as_json: bool) -> int:
    """Audit many logs and print a line for each; return the worst exit code."""
    tasks = [Task(log) for log in located(names)]
    return _reported(tasks, how, _findings(how), "auditing", as_json=as_json)


def import_all(
    kind: str, source: Path, folder: Path, by: str, how: How, *, ruleset: str = "", mapping: str = "", as_json: bool
) -> int:
    """Import every recording of a folder into a log of another one, audit it, and print a line for each."""
    tasks = [
        Task(str(folder / name), source=(kind, str(path), ruleset, mapping), by=by)
        for name, path in _recordings(source).items()
    ]
    there = [Path(task.log) for task in tasks if os.path.lexists(task.log)]
    if there and not how.resume:
        goes_on = ", or go on: --out OUT --resume" if all(map(_is_log, there)) else ""
        raise taken(there[0], f"choose another folder{goes_on}")
    findings = _findings(how)
    folder.mkdir(parents=True, exist_ok=True)
    return _reported(tasks, how, findings, "importing", as_json=as_json)


def _findings(how: How) -> Findings | None:
    return Findings(how.out, resume=how.resume) if how.out else None


def _is_log(path: Path) -> bool:
    try:
        open_store(str(path)).head()
    except StoreError:
        return False
    return True


def _reported(tasks: list[Task], how: How, findings: Findings | None, what: str, *, as_json: bool) -> int:
    """Print a line for each log, keep the findings if wanted, and return the worst exit code."""
    worst, listed, same = FINE, page.Listed(), 0
    with ExitStack() as stack:
        if findings:
            stack.callback(findings.close)
            output.notes([_unread(findings, number) for number in findings.unread])
        found = stack.enter_context(closing(running.resumed(tasks, how, findings)))
        for one, again in _shown(found, len(tasks), what, to_screen=as_json and output.to_terminal()):
            worst, same = max(worst, _code(one)), same + again
            if as_json:
                output.json_line(one.line)
            else:
                listed.add(one)
        if not as_json:
            output.lines(listed.page())
        if findings:
            findings.table()
    if same:
        output.notes([f"note: {same} of {len(tasks)} logs are as they were, and were not audited again"])
    return worst


def _unread(findings: Findings, number: int) -> str:
    return f"note: {visible(str(findings.lines))}, line {number}: cannot be read; it stays, and its log counts as new"


def _shown(
    found: Iterator[tuple[AuditedLog, bool]], total: int, what: str, *, to_screen: bool
) -> Iterator[tuple[AuditedLog, bool]]:
    """Yield the results, and show the progress on a terminal, unless the lines themselves go to the screen."""
    line = Paced(what, total) if looked_at() and not to_screen else None
    try:
        if line:
            line.at(0)
        for done, one in enumerate(found, 1):
            if line:
                line.at(done)
            yield one
    finally:
        if line:
            line.over()


def _code(one: AuditedLog) -> int:
    return UNREADABLE if one.problem else DIFFERENCE if one.breaches else FINE


def _recordings(folder: Path) -> dict[str, Path]:
    """Return the recordings of a folder, by the names of the logs that they become; raise Refused for a name twice."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith((".jsonl", ".jsonl.gz")))
    except OSError as error:
        raise Refused("usage", f"{visible(str(folder))}: {(error.strerror or str(error)).lower()}") from None
    found: dict[str, Path] = {}
    for path in paths:
        name = path.name.removesuffix(".gz")
        if name in found:
            raise Refused("usage", f"{visible(path.name)} and {visible(name)} would become the same log", "rename one")
        found[name] = path
    if not found:
        raise Refused("usage", f"no recordings in {visible(str(folder))}", "they are named *.jsonl or *.jsonl.gz")
    return found
