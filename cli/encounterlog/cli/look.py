"""`encounter log`, `replay`, `diff`, `whatif` and `list`: what they do beyond asking, such as following a log or going through it."""

import select
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any

import click
from msgspec import structs

from encounterlog.ask import compare, listing, show as states
from encounterlog.cli import editing as terminal, options, output
from encounterlog.cli.asking import answer_and_print, print_answer, question_command
from encounterlog.cli.failures import DIFFERENCE, FINE, UNREADABLE, report_problem
from encounterlog.cli.options import Audience, By, File, Json, NetworkDrive, argument, command, option
from encounterlog.errors import Refused
from encounterlog.log import correcting
from encounterlog.log.logs import LogView, name_log_in_errors
from encounterlog.places.stores import open_store, parse_address
from encounterlog.progress import show_count
from encounterlog.words.facts import fact_sentence
from encounterlog.words.layout import alarm, clip, count_noun, heading, joined, room, width, wrap
from encounterlog.words.naming import Voice, label_combatants
from encounterlog.words.phrases import as_sentence, value_in_words
from eventstore.address import LogAddress
from eventstore.errors import Busy, CorruptLog, Malformed, StoreError
from eventstore.record import Recorded, batches
from projections.explaining.past import readable_records
from projections.judging.audit import Finding, audit
from projections.rulesets import find
from projections.stream.corrections import CORRECTIONS
from projections.time import Where
from projections.views.cursor import Cursor, Unit

Save = Annotated[LogAddress | None, option("--save OTHER", "Write the fork as a new log.", type=options.LOG)]
# the keys: for a step, for the first and the last place, and for so many lines by which the state moves
MOVES: dict[str, tuple[int, Unit]] = {
    "n": (1, "event"), "right": (1, "event"), " ": (1, "event"), "enter": (1, "event"),
    "p": (-1, "event"), "left": (-1, "event"), "backspace": (-1, "event"),
    "t": (1, "turn"), "T": (-1, "turn"), "r": (1, "round"), "R": (-1, "round"),
}  # fmt: skip
ENDS = {"<": -1, "home": -1, ">": 1, "end": 1}
SCROLLS = {"j": 1, "down": 1, "k": -1, "up": -1, "pagedown": 10, "pageup": -10}
MOST = 5  # the most lines of changes and findings, each
KEYS = (  # in as many words as there is room for
    "n p event  t T turn  r R round  g go to  < > ends  j k scroll  q quit",
    "n p event  t T turn  r R round  g go  q quit",
    "n p t T r R g < > j k q",
)


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
    if listed or as_json or fields["number"] is not None or fields["actor"] or not terminal.is_full():
        return answer_and_print(listing.REPLAY, log, as_json=as_json, **fields)
    from encounterlog.cli import screen  # prompt_toolkit, only at a terminal

    output.show_progress(f"reading {log.path}")
    try:
        with name_log_in_errors(log, fields["where"]):
            stepper = Stepper(log)
            if fields["where"]:
                stepper.cursor.go(fields["where"])
    finally:
        output.show_progress("")
    screen.run_screen(stepper.lines, stepper.press)
    output.print_notes(log.notes)
    return UNREADABLE if report_problem(stepper.log.problem) else FINE


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


@question_command(compare.WHATIF)
def whatif(
    file: File, save: Save, audience: Audience, network_drive: NetworkDrive, by: By, as_json: Json, **fields: Any
) -> int:
    """Print what is different, and save the fork if that is wanted."""
    if save is not None and fields["as_of"] is not None:
        raise click.UsageError("--save does not go with --as-of: a fork begins where the log ends")
    if save is not None and audience is not None:
        raise click.UsageError("--save does not go with --for: a fork has the records of the whole log")
    log = LogView(file, secrets=audience != "players", as_of=fields["as_of"])
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


class Stepper:
    """The content of the screen: the step, the state after it, and the typed text; keys move through the log."""

    def __init__(self, log: LogView) -> None:
        self.note, self.scrolled = "", 0
        self.typed: str | None = None
        self._load(log)

    def _load(self, log: LogView) -> None:
        self.log = log
        self.findings = audit(log).findings
        self.cursor = Cursor(readable_records(log), self.findings)

    def lines(self, rows: int) -> list[str]:
        """Return the step and as much of the state as there is room for, with the keys on the last line."""
        above = format_step(self.cursor, self.findings, damaged=self.log.problem is not None)[: max(1, rows - 2)]
        view = self.cursor.view()
        corrected = tuple(states.corrections_after(self.cursor.done.corrections, view.seq))
        below = states.format_view(states.View(view, view.seq, corrected, lanes=self.cursor.picture()))
        shown = max(0, rows - len(above) - 1)
        self.scrolled = max(0, min(self.scrolled, len(below) - shown))
        below = below[self.scrolled :]
        if len(below) > shown:
            below = [*below[: shown - 1], f"... {count_noun(len(below) - shown + 1, 'line')} more: j"][:shown]
        footer = clip(self.note or next((words for words in KEYS if width(words) <= room()), KEYS[-1]))
        if self.typed is not None:
            ask = "go to (12, r2, r2s5, s1, r3.ana): "
            footer = f"{ask if width(ask) + width(self.typed) < room() else ''}{self.typed}_"
        return [*above, *below, *[""] * (shown - len(below)), footer][-rows:]

    def press(self, key: str) -> bool:
        """Do the action of a key; return whether the program goes on."""
        if key == "quit" or (self.typed is None and key in ("q", "escape")):
            return False
        self.note = ""
        if self.typed is not None:
            self._type_letter(key)
        elif key == "g":
            self.typed = ""
        elif key in SCROLLS:
            self.scrolled += SCROLLS[key]
        elif key in MOVES:
            self._move_cursor(*MOVES[key])
        elif key in ENDS:
            self.cursor.at = 0 if ENDS[key] < 0 else len(self.cursor.places) - 1
        else:
            self.note = f"no such key: {KEYS[-1]}"
        return True

    def _move_cursor(self, by: int, unit: Unit) -> None:
        self.scrolled = 0
        if self.cursor.move(by, unit):
            return
        self.note = "this is the beginning" if by < 0 else "this is the last event"
        log = self.log.reread() if by > 0 and self.log.as_of is None else self.log
        if len(readable_records(log)) > len(self.cursor.records):
            fact = self.cursor.place.fact
            self._load(log)
            self.cursor.at = self.cursor.place_after(fact.seq) if fact else 0
            self.cursor.move(by, unit)
            self.note = f"the log has grown to record {len(self.cursor.records)}"

    def _type_letter(self, key: str) -> None:
        typed = self.typed or ""
        if key == "escape":
            self.typed = None
        elif key == "backspace":
            self.typed = typed[:-1]
        elif key == "enter":
            self.typed, self.scrolled = None, 0
            try:
                if typed.strip():
                    with name_log_in_errors(self.log, where := Where.parse(typed)):
                        self.cursor.go(where)
            except (Refused, StoreError) as error:
                self.note = error.reason if isinstance(error, Malformed) else str(error)
        elif len(key) == 1 and key.isprintable():
            self.typed = (typed + key)[:80]


def format_step(cursor: Cursor, findings: Iterable[Finding], *, damaged: bool) -> list[str]:
    """Return the cursor's place, the fact there in words, its changes, and the audit's findings in it."""
    place, fact = cursor.place, cursor.place.fact
    at = f"step {cursor.at} of {len(cursor.places) - 1}"
    last = cursor.at == len(cursor.places) - 1
    found = (*place.left_out, *(cursor.rest if last else ()))
    end = _clip_step_lines(clip(f"  record {seq} is left out: {why}") for seq, why in found)
    end += [alarm("  the rest of the log is damaged: encounter verify FILE")] if last and damaged else []
    if fact is None:
        return [heading(clip(f"{at}: the log is opened")), *end, ""]
    shown = cursor.view()
    called = label_combatants((who, one.name) for who, one in shown.combatants.items())
    when = listing.Moment(place.when.round, place.when.segment, place.turn, place.when.second)
    words = fact_sentence(fact.event, Voice(find(shown.ruleset), lambda who: called.get(who, who)))
    amended = f", as amended by {fact.line}" if fact.line != fact.seq else ""
    top = f"{at}, record {fact.seq}{amended}, {listing.format_moment(when)}:"
    changes = (f"  {one.address}: {value_in_words(one.before)} -> {value_in_words(one.after)}" for one in place.changes)
    return [
        *map(heading, wrap(f"{top} {as_sentence(words)}", "  ", "")),
        *_clip_step_lines(map(clip, changes)),
        *_clip_step_lines(_format_finding(one) for one in findings if one.event == fact.seq),
        *end,
        "",
    ]


def _format_finding(one: Finding) -> str:
    word = one.severity if one.ruled is None else f"{one.severity}, ruled"
    return clip(joined(["  ", alarm(word) if word == "breach" else word, f" {one.rule}: {one.says}"]))


def _clip_step_lines(lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return found if len(found) <= MOST else [*found[: MOST - 1], f"  and {count_noun(len(found) - MOST + 1, 'other')}"]
