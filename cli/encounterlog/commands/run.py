"""`encounter run`: scripts played, and their expectations checked."""

from pathlib import Path

import click

from encounterlog.errors import Refused
from encounterlog.reading import scripts
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import DIFFERENCE, FINE


@click.command(
    epilog="\b\nencounter run ford.enc\nencounter run ford.enc --to ford.jsonl\nencounter run fixtures/osric/*.enc"
)
@click.argument("files", nargs=-1, required=True, metavar="SCRIPT...", type=options.FilePath(readable=False))
@click.option(
    "--to",
    "out",
    metavar="LOG",
    type=options.FilePath(),
    help="Create a log with the facts of the one encounter.",
)
@click.option("--seed", metavar="TEXT", help="Roll dice that have no faces, from a seed; without one they are refused.")
@options.by
@options.as_json
def command(files: tuple[Path, ...], out: Path | None, seed: str | None, by: str, as_json: bool) -> int:
    """Run encounter scripts (.enc): play their facts, and check their expectations. The exit code is 1 if anything differs.

    A script names a ruleset and an encounter, and holds facts in the table grammar or as JSON, each on a line, and
    expectations: expect ogre.hp = 14, expect order mira > ogre, expect finding RULE at ROW, expect no findings. The page
    projections/language/notation/SCRIPTS.md describes the format.

    With --json each encounter is a line of JSON: script, kind, name, line, facts, expectations, proven, failures. A failure has
    line, says, column, expected, found.
    """
    plays = [(file, play) for file in files for play in scripts.plays(file, seed)]
    if out is not None and len(plays) != 1:
        raise Refused(
            "usage", f"--to takes one encounter, and there are {len(plays)}", "give a script with one encounter"
        )
    code = FINE
    for file, play in plays:
        ran = scripts.played(file, play)
        if as_json:
            output.json_line(ran)
        else:
            output.lines(scripts.page(ran))
        code = code if ran.proven else DIFFERENCE
    if out is not None:
        (output.notes if as_json else output.lines)([scripts.create(out, plays[0][1], by)])
    return code
