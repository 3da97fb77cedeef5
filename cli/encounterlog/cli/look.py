"""`encounter log`, `replay`, `diff`, `whatif` and `list`: what these commands do beyond asking, such as following a log."""

import select
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import click
from msgspec import structs

from encounterlog.ask import compare, listing
from encounterlog.cli import editing as terminal, options, output
from encounterlog.cli.asking import answer_and_print, print_answer, question_command
from encounterlog.cli.failures import DIFFERENCE, FINE, UNREADABLE, report_problem
from encounterlog.cli.options import Audience, By, File, Json, NetworkDrive, argument, command, option
from encounterlog.log import correcting
from encounterlog.log.logs import LogView
from encounterlog.places.stores import open_store, parse_address
from encounterlog.progress import show_count
from eventstore.address import LogAddress
from eventstore.errors import Busy, CorruptLog
from eventstore.record import Recorded, batches
from projections.stream.corrections import CORRECTIONS


@question_command(listing.LOG, option("--follow", "Keep printing facts as they are appended, until Ctrl-C."))
def log(file: File, follow: bool, audience: Audience, as_of: int | None, as_json: Json, **fields: Any) -> int:
    """List the facts of the log, and with --follow those that are appended meanwhile."""
    if not follow:
        view = LogView(file, secrets=audience != "players", as_of=as_of)
        return answer_and_print(listing.LOG, view, as_json=as_json, **fields)
    if fields["expression"] is not None or fields["turns"]:
        raise click.UsageError("--where does not go with --follow: it asks for values of the corrected stream")
    if as_of is not None:
        raise click.UsageError("--follow does not go with --as-of: new facts are later")
    if audience:
        raise click.UsageError("--follow does not go with --for players: a service shows them new facts")
    wanted = listing.Filter(fields["number"], fields["actor"], fields["kind"])
    show = output.json_line if as_json else output.print_lines
    with suppress(KeyboardInterrupt):
        part = _read_log_up_to(file)
        listed = listing.list_facts(part, show, wanted, for_people=not as_json, struck=fields["struck"])
        structs.replace(wanted, round=None).check(listed.done.state, ())  # a round may be yet to come
        if (problem := part.problem) and not (isinstance(problem, CorruptLog) and problem.torn):
            raise problem  # a torn tail the next writer mends
        sys.stdout.flush()
        for batch in batches(part.store.follow(part.head if part.last else 0, stop=_output_closed_event())):
            listed = _show_batch(listed, file, batch)
            sys.stdout.flush()
    return FINE


def _read_log_up_to(path: LogAddress, last: int | None = None) -> LogView:
    """Return a log up to a record, or up to its present end; reading waits as long as another process holds the lock."""
    store = open_store(path)

    def records() -> Iterator[Recorded]:
        while True:
            with suppress(Busy):
                yield from islice(store.read(), last)
                return

    return LogView(path, store=store, source=records())


def _show_batch(listed: listing.Listing, path: LogAddress, batch: Sequence[Recorded]) -> listing.Listing:
    if not any(type(record.event) in CORRECTIONS for record in batch):
        listed.show_further(batch)
        return listed
    rows: dict[int, listing.LogRow] = {}

    def keep(one: listing.LogRow) -> None:
        if one.seq >= batch[0].seq:
            rows[one.seq] = one

    again = listing.Listing(_read_log_up_to(path, batch[-1].seq), keep, listed.rows.short, struck=listed.struck)
    notes, name = listing.correction_notes(again.done), again.rows.names_at(again.done.state)
    for one in batch:
        if type(one.event) in CORRECTIONS:  # an insertion has the moment of the inserted fact
            when = rows[one.seq].when if one.seq in rows else None
            rows[one.seq] = again.rows.of_record(one, name, notes.get(one.seq, ""), when)
    again.show = listed.show
    for seq in sorted(rows):
        again.show(rows[seq])
    return again


def _output_closed_event() -> threading.Event:
    closed = threading.Event()

    def watch() -> None:
        poll.poll()
        closed.set()

    with suppress(AttributeError, OSError, ValueError):  # there is no poll(), or the output is none of the system's
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        threading.Thread(target=watch, daemon=True).start()
    return closed


@question_command(listing.REPLAY, option("--list", "Print the list at a terminal, too.", "listed"))
def replay(file: File, listed: bool, audience: Audience, as_of: int | None, as_json: Json, **fields: Any) -> int:
    """Step through the log at a terminal, or list its facts."""
    log = LogView(file, secrets=audience != "players", as_of=as_of)
    limited = fields["number"] is not None or fields["actor"]
    if not (listed or as_json or limited) and terminal.is_full():
        from encounterlog.cli import stepping

        return stepping.step_through(log, fields["where"])
    return answer_and_print(listing.REPLAY, log, as_json=as_json, **fields)


@question_command(compare.DIFF)
def diff(file: File, audience: Audience, one: str, other: str | None, as_json: Json) -> int:
    """Compare two points of the log or, where only one thing is named beside it, two logs."""
    if other is not None:
        log = LogView(file, secrets=audience != "players")
        return answer_and_print(compare.DIFF, log, as_json=as_json, one=one, other=other)
    options.check_no_stream(one)
    compare.check_is_log(one)
    answer, logs = compare.compare_logs(file, parse_address(one), secrets=audience != "players")
    output.print_json(answer.data()) if as_json else output.print_lines(answer.lines())
    if [log for log in logs if report_problem(log.problem)]:  # that of each is reported
        return UNREADABLE
    return DIFFERENCE if answer.differs else FINE


@question_command(compare.WHATIF, option("--save OTHER", "Write the fork as a new log.", type=options.LOG))
def whatif(
    file: File,
    save: LogAddress | None,
    audience: Audience,
    network_drive: NetworkDrive,
    by: By,
    as_of: int | None,
    as_json: Json,
    **fields: Any,
) -> int:
    """Print what is different, and save the fork if that is wanted."""
    if save is not None and as_of is not None:
        raise click.UsageError("--save does not go with --as-of: a fork begins where the log ends")
    if save is not None and audience is not None:
        raise click.UsageError("--save does not go with --for: a fork has the records of the whole log")
    log = LogView(file, secrets=audience != "players", as_of=as_of)
    fork, drafts = correcting.make_fork(log, fields["strikes"], fields["amends"], fields["inserts"], fields["chosen"])
    code = print_answer(compare.fork_differences(log, fork, fields["where"]), log, as_json=as_json)
    if save is not None:
        count = correcting.save_fork(log, fork, drafts, save, by, network_drive=network_drive)
        output.print_notes([f"{save}: {count} records, forked from {file}"])
    return code


@command(argument("folder", "[FOLDER|URL]", type=options.LOG_OR_FOLDER, default="."), name="list")
def list_(folder: LogAddress, as_json: Json) -> int:
    """List the logs (*.jsonl) in FOLDER with title, ruleset, records and rounds, and say why a log cannot be read.

    URL is that of a database of logs, postgresql://USER@HOST/DATABASE. The exit code is 3 if a log cannot be read completely.
    Subfolders are not searched.
    """
    found = listing.list_logs(folder, show_count)
    output.print_value(found, listing.format_campaign, as_json)
    return UNREADABLE if any(log.problem for log in found.logs) else FINE
