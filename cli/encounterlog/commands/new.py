"""`encounter new`: create a log."""

from pathlib import Path

import click

from encounterlog.edge import options, output
from encounterlog.edge.failures import USAGE, Failure
from eventstore.form import visible
from projections.rulesets.ruleset import Ruleset


@click.command(epilog='\b\nencounter new ford.jsonl --ruleset osric --title "The ford"')
@options.file
@click.option("--ruleset", metavar="KEY", help="The ruleset, required; encounter rules lists them.")
@click.option("--title", default="", help="The title of the encounter; by default the name of the file.")
@click.option(
    "--option",
    "chosen",
    multiple=True,
    metavar="NAME=VALUE",
    help="The reading of an open point of the rules; may be repeated.",
)
@options.network_drive
@options.by
def command(file: Path, ruleset: str | None, title: str, chosen: tuple[str, ...], network_drive: bool, by: str) -> None:
    """Create FILE, the log of a new encounter.

    The ruleset, its revision and every option are written into the first record, so the log itself says how to read it.
    An existing file is never overwritten.
    """
    from encounterlog.writing.opening import choices, create, opening, ruleset_named

    rules = ruleset_named(_given(ruleset))
    event = opening(rules, title if title.strip() else visible(file.stem) or "An encounter", choices(rules, chosen))
    _check_free(file)
    create(file, [event], by, network_drive=network_drive)
    _say(file, rules)


def _given(ruleset: str | None) -> str:
    """Return the ruleset that was named; raise Failure with those that are installed where none was."""
    from projections.rulesets import keys

    if ruleset is None:
        raise Failure(USAGE, "missing option '--ruleset'", f"installed are {', '.join(keys())}")
    return ruleset


def _check_free(file: Path) -> None:
    if file.is_symlink() or file.exists():
        hint = "choose another name" if file.is_dir() else "choose another name, or: encounter append FILE"
        raise Failure(USAGE, f"{file} is already there", hint)


def _say(file: Path, rules: Ruleset) -> None:
    output.lines([f"{file} opened on {rules.key}, revision {rules.revision}"])
    if file.suffix != ".jsonl":
        output.notes(["hint: logs are usually called .jsonl; encounter list finds them by that"])
