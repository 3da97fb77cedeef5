"""The upkeep of logs: one is repaired; all of a database are moved into a folder and back, or removed when they have not grown for a long time."""

from collections import deque
from pathlib import Path

from msgspec import Struct

from encounterlog.errors import Refused, nameless_fault, note_written
from encounterlog.places import databases
from encounterlog.places.shelves import folder_files
from encounterlog.places.stores import check_free, create_of_lines, open_place, open_store
from encounterlog.places.time_and_chance import current_time
from encounterlog.progress import Counted
from encounterlog.words.layout import count_noun, wrap
from eventstore import copying
from eventstore.address import LogAddress, Url
from eventstore.chain import Anchor
from eventstore.copying import Copy, encode_lines
from eventstore.errors import NotWritten, StoreError, WrongVersion
from eventstore.files import DRAFTS
from eventstore.paths import real_path
from eventstore.record import Recorded
from eventstore.repair import carried_out, plan_repair
from eventstore.store import Problem


class Aside(Struct, frozen=True):
    """The part that a repair sets aside, and its place."""

    file: str
    bytes: int
    sha256: str


class Repaired(Struct, frozen=True):
    """The outcome of a repair, or its plan if `done` is false; without a problem there is nothing to do.

    The first `records` records up to `kept` (SEQ:HASH) are kept. `mended` names the corrections around them. `whole` are the
    lines set aside that are whole records. `note` is the log's own note on it, and `head` its end afterwards.
    """

    file: str
    done: bool
    problem: Problem | None
    records: int
    kept: str
    mended: tuple[str, ...]
    aside: Aside | None
    whole: tuple[int, ...]
    note: str
    head: str


def repair_log(
    file: LogAddress, by: str, *, dry_run: bool, network_drive: bool
) -> tuple[Repaired, tuple[Recorded, ...]]:
    """Repair a log, or only plan it; return the outcome, and the first records that are set aside."""
    if not isinstance(file, str):
        hint = "encounter backup URL FOLDER keeps the lines as they are; repair that file, and import it under another name"
        raise Refused("usage", f"{file}: only a log in a file can be repaired", hint)
    path = real_path(file)
    plan = plan_repair(path, by=by)
    head, kept, problem = plan.head, str(plan.head), plan.problem
    if not dry_run:
        head = carried_out(plan, path, at=current_time(), network_drive=network_drive)
        note_written()
    aside = Aside(f"{path}{plan.side}", plan.aside, plan.digest) if problem else None
    done = bool(problem) and not dry_run
    found = Repaired(path, done, problem, plan.records, kept, plan.mended, aside, plan.whole, plan.note, str(head))
    return found, plan.lost


class Moved(Struct, frozen=True):
    """A log that was copied: its name, its records, its head as SEQ:HASH, what is wrong with it, whether it was there before."""

    name: str
    records: int
    head: str | None
    problem: str | None = None
    there: bool = False


class Moves(Struct, frozen=True):
    """The outcome of a backup or a restoration: where to, and every log."""

    to: str
    logs: tuple[Moved, ...]


def backup_database(database: Url, folder: Path) -> Moves:
    """Copy each log of a database into a file of a folder, without drafts of a killed backup; raise Refused if such a file is there."""
    logs = open_place(database)
    for draft in folder.glob(DRAFTS):
        draft.unlink(missing_ok=True)
    files = [(log, folder / f"{log.name}.jsonl") for log in logs]
    for _, file in files:
        check_free(str(file), "take a folder of its own for each backup")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotWritten(str(folder), (error.strerror or str(error)).lower()) from None
    moved = list[Moved]()
    for log, path in Counted(files, files.__len__, "copying"):
        copying.create_file(path, databases.database_of_log(log).store(log).lines())
        found = open_store(str(path)).verify()
        problem = f"line {found.problem.line}: {found.problem.why}" if found.problem else None
        moved.append(Moved(log.name, found.records, str(found.head) if found.head else None, problem))
    return Moves(str(folder), tuple(moved))


def restore_database(folder: Path, database: Url) -> Moves:
    """Create a log in a database from each file of a folder; raise Refused if another one has its name."""
    wanted = {path.stem: path for path in folder_files(folder) if path.suffix == ".jsonl"}
    there = {log.name: log for log in open_place(database)}
    found = {name: open_store(str(path)).verify() for name, path in wanted.items()}
    for name in sorted(wanted.keys() & there.keys()):
        head = found[name].head
        if head is None or open_store(there[name]).verify(head).anchor != "matches":
            says = f"{there[name]} is another log than {wanted[name]}"
            raise Refused("usage", says, "nothing was restored; remove one of them, or restore into another database")
    moved = list[Moved]()
    for name, path in wanted.items():
        problem, head = None, found[name].head
        try:
            if name not in there:
                copy = Copy(open_store(str(path)).read(), str(path))
                create_of_lines(database.at(*database.segments, name), encode_lines(copy))
        except NotWritten:
            raise
        except StoreError as error:
            problem = nameless_fault(error)
        moved.append(Moved(name, found[name].records, str(head) if head else None, problem, name in there))
    return Moves(str(database), tuple(moved))


def format_moves(done: Moves) -> list[str]:
    """Return the outcome for people."""
    lines = [f"{done.to}: {count_noun(len(done.logs), 'log')}"]
    for log in done.logs:
        lines += [f"{log.name}: {log.head}" + (", was there" if log.there else "")] if log.head else []
        lines += wrap(f"{log.name}: {log.problem}", "    ") if log.problem else []
    return lines


class Aged(Struct, frozen=True):
    """A log that is old, or of unknown age: its name, head as SEQ:HASH, time of its last record; one with a `problem` is left alone."""

    name: str
    head: str | None = None
    at: str | None = None
    removed: bool = False
    problem: str | None = None


class Ageing(Struct, frozen=True):
    """The outcome: the database, the days, whether the logs were to be removed, and each old one."""

    database: str
    older_than: int
    remove: bool
    logs: tuple[Aged, ...]


def remove_stale_logs(database: Url, days: int, *, remove: bool) -> Ageing:
    """Find the logs whose last record is older than a number of days, and remove them on demand."""
    limit, found = current_time(days), list[Aged]()
    for log in open_place(database):
        try:
            last = deque(open_store(log).read(), maxlen=1)[-1]
            if last.at < limit:
                head = Anchor(last.seq, last.hash)
                if remove:
                    databases.database_of_log(log).remove(log, head)
                found.append(Aged(log.name, str(head), last.at, remove))
        except WrongVersion:  # it was written to meanwhile
            continue
        except StoreError as error:
            found.append(Aged(log.name, problem=nameless_fault(error)))
    return Ageing(str(database), days, remove, tuple(found))


def page_of_old(done: Ageing) -> list[str]:
    """Return the outcome for people."""
    old = [log for log in done.logs if log.problem is None]
    lines = [f"{done.database}: {count_noun(len(old), 'log')} older than {count_noun(done.older_than, 'day')}"]
    for log in done.logs:
        written = f"{log.name}: {'removed, ' if log.removed else ''}last written {log.at}, {log.head}"
        lines += wrap(f"{log.name}: left alone: {log.problem}", "    ") if log.problem else [written]
    return [*lines, *(["nothing was removed; --yes removes them"] if old and not done.remove else [])]
