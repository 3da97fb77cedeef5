"""The demonstration: an encounter that comes with the program, run through the commands that a user types."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from encounterlog.core import appending
from encounterlog.core.logs import LogView
from encounterlog.core.opening import create, opening, ruleset_named
from encounterlog.reading import listing
from encounterlog.storage.stores import check_free
from encounterlog.terminal import output
from encounterlog.text_pages import audit as audit_page
from encounterlog.text_pages import show as show_page
from eventstore.address import LogAddress, name_of
from projections.judging.audit import audit

DATA = Path(__file__).with_name("demo")
TITLE = "Halvaine and the orcs"

NEXT = """\
encounter show {file} --at r1s4       as it stood after segment 4
encounter replay {file}               every fact and what it changed
encounter why {file} finding 1        why that is a breach, with the facts and the rule
encounter whatif {file} --strike 19   if the spear had not hurt him
encounter rules osric spell.spoiled-by-interruption
encounter add {file} r                the next round, in the words of the table; add FILE help lists them
encounter play {file}                 line after line of that, with the order in view
encounter append {file}               add facts of your own, as JSON lines; encounter schema lists them
encounter new my-fight.jsonl --ruleset osric"""


def run(file: LogAddress | None, by: str) -> None:
    """Create the log, in a temporary folder unless a file is named; list, show and audit it, break a rule, audit again."""
    if file is not None:
        _run(file, by)
        return
    with TemporaryDirectory(prefix="encounter-demo-") as folder:
        _run(str(Path(folder) / "halvaine.jsonl"), by, keep=False)


def _run(file: LogAddress, by: str, keep: bool = True) -> None:
    check_free(file, "name a file that does not exist yet")
    shown = shlex.quote(str(file) if keep else name_of(file))
    rules = ruleset_named("osric")
    _typed(f'encounter new {shown} --ruleset osric --title "{TITLE}"')
    create(file, [opening(rules, TITLE, {})], by)
    _append(
        file, "quarrel.jsonl", by, "What happened, as facts in a file; the log below says them in words:", shown=False
    )
    _typed(f"encounter log {shown}")
    listing.listed(LogView(file), output.lines, listing.Filter(), for_people=True)
    _typed(
        f"encounter show {shown}", "Is the spell lost? The damage in segment 5 fell within the casting time, so it is:"
    )
    output.lines(show_page.page(show_page.view(LogView(file), None, every=False)))
    _audit(file, shown, "Nobody has broken a rule so far:")
    _append(file, "breach.jsonl", by, "Now a player lets the spell take effect anyway:")
    _audit(file, shown, "It is recorded, and the audit finds it:")
    _typed(
        "",
        f"Continue with {shown}; the last line begins a log of your own:"
        if keep
        else "Continue with this log, which encounter demo FILE keeps; the last line begins one of your own:",
    )
    output.lines(f"    {line}" for line in NEXT.format(file=shown if keep else "FILE").split("\n"))


def _append(file: LogAddress, facts: str, by: str, says: str, *, shown: bool = True) -> None:
    data = (DATA / facts).read_bytes()
    _typed(f"encounter append {shlex.quote(name_of(file))} {facts}", says)
    output.lines(f"    {line}" for line in data.decode().splitlines() if shown)
    output.lines(appending.append(LogView(file), appending.facts(data), by=by, after=None, key=None).says)


def _audit(file: LogAddress, shown: str, says: str) -> None:
    _typed(f"encounter audit {shown}", says)
    output.lines(audit_page.page(audit(LogView(file))))


def _typed(command: str, says: str = "") -> None:
    """Print an introduction, and the command that is run next."""
    lines: Sequence[str] = ["", says] if says else [""]
    output.lines([*lines, f"$ {command}"] if command else lines)
