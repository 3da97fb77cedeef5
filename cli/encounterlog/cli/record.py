"""`encounter append` and `dice`: facts as JSON, and chains of dice."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import click
from msgspec import structs

from encounterlog.ask import dice as page
from encounterlog.cli import appended, options, output
from encounterlog.cli.failures import FINE, print_error
from encounterlog.cli.options import After, Audience, By, File, Json, Mode, NetworkDrive, argument, command, option
from encounterlog.errors import Refused
from encounterlog.log import appending, drawn_dice, folded_log
from encounterlog.log.logs import LogView, records_before_torn_tail
from encounterlog.words.refusals import refusal_of
from eventstore.errors import StoreError
from eventstore.events import TAGS
from eventstore.form import REFERENCE_FIELDS
from eventstore.store import LARGEST_APPEND
from eventstore.wording import closest_word, visible
from projections.explaining.fairness import check_fairness

_ALL = "Strike with a record all that it caused; without this, a notice names the facts that stand."
HELP = "one fact per line, as JSON; each is written immediately; help lists the types, Ctrl-D ends"
FIELDS = "help TYPE lists the fields of one, help WORD the types with a word"
ASKING, ENDING = frozenset({"help", "?", "h"}), frozenset({"quit", "exit", "q"})  # what is typed and is no fact


@command(
    option("--key TEXT", "An idempotency key: repeated with the same key, the same facts are not added again."),
    examples='echo \'{"type":"round_started","round":1}\' | encounter append ford.jsonl',
)
def append(
    file: File,
    events: Annotated[Path, argument("events", "[EVENTS|-]", default="-", type=options.FILE)],
    after: After,
    key: str | None,
    with_consequences: Annotated[bool, option("--with-consequences", _ALL)],
    mode: Mode,
    network_drive: NetworkDrive,
    by: By,
) -> int:
    """Append facts to the log FILE, all or nothing.

    One JSON object per line, from the file EVENTS or from standard input. A line is a fact, {"type": ...}, or
    {"event": {...}, "secret": true, "key": ...} to mark it secret or give it a key. If any line is malformed, nothing
    is written, and each such line is listed with its number, field and reason. A fact that breaks a rule of the game is
    written; the findings that it raises are printed on standard error. Lines typed at a terminal are checked and
    written one by one; there, and in the place of EVENTS, help lists the types of facts.

    A time may be written as "1 round", an action as "attack" or "cast sleep". In an amended fact, a replacement
    without a type has only the fields that change.
    """
    if key is not None and with_consequences:
        says = "--key does not go with --with-consequences: the consequences may differ the second time"
        raise click.UsageError(says)
    log = folded_log.kept_view(file, network_drive=network_drive)
    appending.check_readable(log)
    add = partial(appending.append_lines, by=by, mode=mode, with_consequences=with_consequences)
    if str(events) == "-" and key is None and sys.stdin.isatty():
        return _append_typed_lines(log, add, after)
    text = b"help" if str(events) == "help" and not events.exists() else _read_input(events)
    if text.split()[:1] == [b"help"]:
        output.print_lines(_format_type_help(b" ".join(text.split()[1:]).decode(errors="replace")))
        return FINE
    done = add(log, appending.read_fact_lines(text), after=after, key=key)
    output.print_lines(done.says)
    appended.print_findings(folded_log.new_findings(done))
    return FINE


def _read_input(events: Path) -> bytes:
    if str(events) == "-":
        return sys.stdin.buffer.read(LARGEST_APPEND + 1)
    try:
        with events.open("rb") as file:
            return file.read(LARGEST_APPEND + 1)
    except (OSError, ValueError) as error:
        hint = "facts come from a file or from standard input: echo '{…}' | encounter append FILE -"
        typed = str(events).lstrip().startswith(("{", "["))
        why = str(getattr(error, "strerror", None) or error).lower()
        raise Refused("refused", f"{events}: {why}", hint if typed else "") from None


def _append_typed_lines(log: LogView, add: Callable[..., folded_log.Done], after: int | None) -> int:
    """Append typed facts line by line, with `after` only if nobody else has written meanwhile; return 4 if one was refused."""
    output.print_notes([HELP])
    code, typed = FINE, list[int]()
    for number, line in enumerate(iter(partial(sys.stdin.buffer.readline, LARGEST_APPEND + 1), b""), 1):
        word, *about = line.decode(errors="replace").split() or [""]
        if word.lower() in ENDING and not about:
            break
        if not word or word.lower() in ASKING:
            output.print_notes(_format_type_help(" ".join(about)) if word else [])
            continue
        try:
            facts = [_counted_back(one, typed) for one in appending.read_fact_lines(line.rstrip(b"\r\n"), number)]
            done = add(log.reread(), facts, after=after, key=None)
        except (Refused, StoreError) as error:
            if refusal_of(error).kind != "refused":
                raise
            code = print_error(error)
            continue
        after, log = None if after is None else done.written.last, done.before.reread()
        typed.append(done.written.first)
        output.print_lines(done.says)
        appended.print_findings(folded_log.new_findings(done))
    return code


def _format_type_help(words: str) -> list[str]:
    from encounterlog import schemas  # slow, and rarely asked for

    if words in TAGS:
        return schemas.format_fact_type(TAGS[words])
    if found := schemas.list_fact_types(words):
        return [*found, "", *([] if words else [HELP]), 'such as {"type":"round_started","round":1}', FIELDS]
    near = closest_word(words, TAGS)
    hint = f"did you mean {near}?" if near else "help lists them"
    return [f"no type of fact has the word {visible(words[:60])}; {hint}"]


def _counted_back(line: appending.Line, typed: list[int]) -> appending.Line:
    def seq_of(reference: int) -> int:  # as in a file, -1 is the last fact that was typed and written
        return typed[reference] if 0 < -reference <= len(typed) else reference

    if line.partial:
        return structs.replace(line, partial=line.partial | {"event": seq_of(line.partial["event"])})
    event = line.draft.event
    given = {name: getattr(event, name) for name in REFERENCE_FIELDS & set(event.__struct_fields__)}
    named = {name: seq_of(reference) for name, reference in given.items() if reference is not None}
    return structs.replace(line, draft=structs.replace(line.draft, event=structs.replace(event, **named)))


@command(
    examples="encounter dice ford.jsonl start     before the fight\n"
    "encounter add --word ana:heron ford.jsonl b o d20+5 d8\nencounter verify ford.jsonl --dice"
)
def dice(
    file: File,
    action: Annotated[Literal["start"] | None, argument("action", "[start]", required=False)],
    because: Annotated[str | None, option("--because TEXT", "The reason for a second chain, such as a lost secret.")],
    seed: Annotated[str | None, option("--seed TEXT", "Make the secret from a seed, always the same, for scripts.")],
    network_drive: NetworkDrive,
    audience: Audience,
    by: By,
    as_json: Json,
) -> int:
    """Show the origin of the dice of the log FILE; with start, begin a chain from which they are drawn.

    The command draws a secret and hashes it 10,000 times; the recorded last hash fixes all dice before they are
    rolled. Each roll reveals one hash more and takes a fresh entropy word of another person, from a browser that has
    the page open or from --word: such dice are proven. With an entropy word of the secret's holder they are bound;
    all others are typed. The secret is in FILE.dice, for its owner alone.

    No chain is begun while one can still be used, unless its secret is lost: say so with --because. encounter verify FILE --dice reports it.
    """
    if action and audience:
        raise click.UsageError("start does not go with --for: a chain is begun in the whole log")
    log = LogView(file, secrets=audience != "players", network_drive=network_drive)
    begun = drawn_dice.begin_chains(log, by=by, seed=seed, because=because) if action == "start" else None
    found = check_fairness(begun or records_before_torn_tail(log))
    output.print_value(page.fairness_as_json(found), lambda _: page.format_fairness(found), as_json)
    return FINE
