"""`encounter fmt`: scripts in order."""

from pathlib import Path

import click

from encounterlog.reading import scripts
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import DIFFERENCE, FINE


@click.command(epilog="\b\nencounter fmt ford.enc\nencounter fmt --check fixtures/osric/*.enc")
@click.argument("files", nargs=-1, required=True, metavar="SCRIPT...", type=options.FilePath(readable=False))
@click.option("--check", is_flag=True, help="Change nothing; name the scripts that would change, and exit with 1.")
def command(files: tuple[Path, ...], check: bool) -> int:
    """Write each SCRIPT in the table grammar, one line a fact or a few; comments, header and expectations stay.

    A script means the same afterwards: the same facts, in the same rows. A fact without words in the grammar stays JSON.
    """
    changed = 0
    for file in files:
        before = scripts.text_of(file)
        after = scripts.formatted(file, before)
        if after == before:
            continue
        changed += 1
        if not check:
            scripts.replace(file, before, after)
        output.lines([f"{file}: {'would be' if check else 'was'} formatted"])
    return DIFFERENCE if check and changed else FINE
