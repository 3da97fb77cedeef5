"""Encounter scripts: read, run, written as logs, and set in order."""

from pathlib import Path

from msgspec import Struct

from encounterlog.errors import Refused
from encounterlog.log import opening
from encounterlog.log.entering import mark_column
from encounterlog.places.replacing import write_text
from encounterlog.places.shelves import hint_for_reading
from encounterlog.places.stores import check_free
from encounterlog.places.time_and_chance import make_roller
from encounterlog.words.layout import count_noun
from eventstore.files import system_message
from eventstore.record import Draft
from eventstore.wording import visible
from projections.proving import formatting
from projections.proving.enc import parse, script_lines
from projections.proving.plays import EncError, Play
from projections.proving.proof import Failure as Unmet, run_play

LARGEST = 1 << 24  # the largest script that is read, in bytes


def read_text(file: Path) -> str:
    """Return the text of a script; raise Refused if it cannot be read."""
    try:
        with file.open("rb") as source:
            data = source.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Refused("refused", f"{file}: {system_message(error)}", hint_for_reading(error, file)) from None
    if len(data) > LARGEST:
        raise Refused("refused", f"{file}: a script has at most {LARGEST:,} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Refused("refused", f"{file}, line {line}: not UTF-8", "a script is a text file") from None


def read_plays(file: Path, seed: str | None) -> tuple[Play, ...]:
    """Return the encounters of a script; raise Refused where it is malformed, or if it holds none."""
    text = read_text(file)
    try:
        found = parse(text, str(file), proves=False, roll=make_roller(seed) if seed is not None else None)
    except EncError as error:
        raise refuse_malformed(error, text) from None
    if not found:
        raise Refused("refused", f"{file}: there is no encounter in it", "begin one with: encounter A title")
    return found


class Ran(Struct, frozen=True):
    """The output of `encounter run --json`, one for each encounter: where it begins, whether all was as expected, and the failures.

    `kind` is the word that begins it, mostly encounter; `facts` and `expectations` are their numbers.
    """

    script: str
    kind: str
    name: str
    line: int
    facts: int
    expectations: int
    proven: bool
    failures: tuple[Unmet, ...]


def run_encounter(file: Path, play: Play) -> Ran:
    """Run an encounter, and return its outcome."""
    done, facts = run_play(play, proves=False), len(play.joined) + len(play.facts)
    begins = str(file), play.kind, " ".join(play.name), play.line
    return Ran(*begins, facts, len(play.expectations), done.is_proven, done.failures)


def format_run(ran: Ran) -> list[str]:
    """Return the lines about an encounter that was run."""
    title = f"{ran.script}: {ran.kind} {ran.name}"
    if ran.proven:
        return [f"{title}: {count_noun(ran.facts, 'fact')}, {count_noun(ran.expectations, 'expectation')} held"]
    failures = [f"  {ran.script}, line {each.line}: {each.says}" for each in ran.failures]
    return [f"{title}: {len(failures)} not as expected", *failures]


def create_log(out: Path, play: Play, by: str) -> str:
    """Create a log with the facts of an encounter; return what was done, raise Refused if the name is taken."""
    check_free(str(out))
    first = opening.make_opening(opening.ruleset_named(play.ruleset), play.name[0], play.options)
    drafts = [Draft(row.event, secret=row.secret) for row in (*play.joined, *play.facts)]  # type: ignore[arg-type]  # members of the union
    opening.create_log(str(out), [first, *drafts], by)
    return f"{out} created with {count_noun(len(drafts), 'fact')}"


def format_script(file: Path, text: str) -> str:
    """Return a script in order; raise Refused where it is malformed, and for a text of comments alone that would be changed."""
    try:
        after = formatting.format_script(text, str(file))
    except EncError as error:
        raise refuse_malformed(error, text) from None
    if after and after != text and all(line.lstrip()[:1] in ("", "#") for line in text.splitlines()):
        raise Refused(
            "refused", f"{visible(str(file))}: there is no line of a script in it", "a script names a ruleset"
        )
    return after


def refuse_malformed(error: EncError, text: str) -> Refused:
    """Return the failure of a script, with its line and a mark below the character."""
    mark = mark_column(script_lines(text, error.source)[error.line - 1], error.column)
    return Refused("refused", str(error), error.hint, mark)


def replace_file(file: Path, before: str, after: str) -> None:
    """Put a text in the place of a script, whole or not at all; raise Refused if that fails, or it has changed since it was read."""

    def check(there: Path) -> None:
        if read_text(there) != before:
            says = f"{visible(str(there))} was changed by another program meanwhile"
            raise Refused("overtaken", says, "it is as they left it; do it again")

    try:
        write_text(file, after, check)
    except OSError as error:
        raise Refused("refused", f"{visible(str(file))}: {str(error.strerror).lower()}") from None
