"""Facts typed at a terminal: each line is checked and written immediately."""

import sys

from msgspec import structs

from encounterlog.core import appending
from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.terminal import appended, failures, output
from encounterlog.terminal.failures import FINE
from encounterlog.text.refusals import refusal_of
from eventstore.errors import StoreError
from eventstore.events import TAGS
from eventstore.form import REFERENCE_FIELDS, closest, visible
from eventstore.store import LARGEST_APPEND, Mode

HELP = "one fact per line, as JSON; each is written immediately; help lists the types, Ctrl-D ends"
MORE = (
    'such as {"type":"round_started","round":1}',
    "help TYPE lists the fields of one, help WORD the types with a word",
)
ASKING, ENDING = frozenset({"help", "?", "h"}), frozenset({"quit", "exit", "q"})
"""Words typed at the prompt that are not facts."""


def run(log: LogView, *, by: str, after: int | None, mode: Mode, with_consequences: bool) -> int:
    """Append typed facts line by line; a refused line is reported, and the next one is read.

    Returns the exit code: 4 if any line was refused. With `after`, the first fact is written only if the log still ends
    there, and each further one only if nobody else has written meanwhile. References count back as in a file: -1 is the
    last fact that was typed and written.
    """
    output.notes([HELP])
    code, number, typed = FINE, 0, list[int]()
    while line := sys.stdin.buffer.readline(LARGEST_APPEND + 1):
        number += 1
        word, *about = line.decode(errors="replace").split() or [""]
        if word.lower() in ENDING and not about:
            break
        if not word or word.lower() in ASKING:
            output.notes(help_(" ".join(about)) if word else [])
            continue
        try:
            facts = [_counted(one, typed) for one in appending.facts(line.rstrip(b"\r\n"), number)]
            done = appending.append(
                log.reread(), facts, by=by, after=after, key=None, mode=mode, with_consequences=with_consequences
            )
        except (Refused, StoreError) as error:
            code = _refused(error)
            continue
        after, log = None if after is None else done.written.last, done.before.grown(done.written.records)
        typed.append(done.written.first)
        output.lines(done.says)
        appended.report(done)
    return code


def _refused(error: Exception) -> int:
    """Report a refused line and return its exit code; raise any other error again."""
    failure = refusal_of(error)
    if failure.kind != "refused":
        raise error
    return failures.say(failure)


def help_(words: str = "") -> list[str]:
    """Return the words that can be typed: the types of facts; the fields of one with an example; or the types with a word."""
    from encounterlog.schemas import pages as page  # slow, and rarely asked for

    if words in TAGS:
        return page.fact(TAGS[words])
    found = page.overview(words)
    if not found:
        near = closest(words, TAGS)
        says = f"no type of fact has the word {visible(words[:60])}"
        return [f"{says}; did you mean {near}?" if near else f"{says}; help lists them"]
    return [*found, "", *([] if words else [HELP]), *MORE]


def _counted(line: appending.Line, typed: list[int]) -> appending.Line:
    """Return a line whose references to facts typed before are replaced by the seqs of their records."""
    event, partial = line.draft.event, line.partial
    if partial:
        return structs.replace(line, partial=partial | {"event": _record(partial["event"], typed)})
    back = {name: getattr(event, name) for name in REFERENCE_FIELDS & set(event.__struct_fields__)}
    named = {name: _record(reference, typed) for name, reference in back.items() if reference is not None}
    return structs.replace(line, draft=structs.replace(line.draft, event=structs.replace(event, **named)))


def _record(reference: int, typed: list[int]) -> int:
    return typed[reference] if 0 < -reference <= len(typed) else reference
