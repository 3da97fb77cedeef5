"""What the tests of the README share with others."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
DISPUTES = "docs/disputes.md"
DOCS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))}
DOCS = {name: page for name, page in DOCS.items() if "/generated/" not in name}
NARROW = {"COLUMNS": "80"}
"""How wide the output on a page is; that is what a column of the site has room for."""
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HASH = re.compile(r"\b[0-9a-f]{64}\b")
OF_PLUGINS = ("docs/how-to/import-avrae.md",)
"""The pages whose sessions the tests of a plug-in run."""


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block (`$ `, continued by `> `) with the output below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        more = next((n for n, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        command = lines[0] + "".join(line.removeprefix("> ") for line in lines[1:more])
        yield command.rstrip("\n"), "".join(lines[more:])


def shell(folder: Path) -> dict[str, str]:
    """Return an environment in which `encounter` is the command under test."""
    command = folder / "bin" / "encounter"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m encounterlog "$@"\n')
    command.chmod(0o755)
    here = environment()
    return here | {"PATH": f"{command.parent}{os.pathsep}{here['PATH']}"}


def environment() -> dict[str, str]:
    """Return an environment in which what is under test is imported, and no setting of ours holds."""
    here = {name: text for name, text in os.environ.items() if not name.startswith("ENCOUNTER_")}
    return here | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "LC_ALL": "C.UTF-8"} | NARROW


def played(page: str, folder: Path, files: Path = ROOT / "fixtures") -> Iterator[tuple[str, str, str]]:
    """Run a page's session in a folder; yield each command with the output that is printed and the one that it gave.

    `files` is the folder of the files that it names.
    """
    environment, table = shell(folder), folder / "table"
    table.mkdir()
    (table / files.name).symlink_to(files)
    code = 0
    for command, printed in (step for block in BLOCK.findall(page) for step in steps(block)):
        done = subprocess.run(
            ["bash", "-c", f"(exit {code})\n{command}"],
            cwd=table,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        code = done.returncode
        yield command, printed, done.stdout
