"""The lines and files of each room of the repository, which only fall: `ratchet.toml` has the figures, a row a room and kind.

python -m tests.tools.ratchet writes them again. Where a figure rises, the commit that changes its row says why.
"""

import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIGURES = Path(__file__).parents[1] / "ratchet.toml"
KINDS = {
    "py": "Python", "toml": "TOML", "js": "JavaScript", "mjs": "JavaScript", "css": "page", "html": "page", "enc": "script", "txt": "golden",
    "ambr": "golden", "md": "documentation",
}  # fmt: skip
"""The kinds whose lines are counted, by the ends of the names of files; what else is tracked is data."""
DEPTH = {"cli": 3, "projections": 2, "eventstore": 1, "tests": 2, "fixtures": 2, "docs": 2}
"""How many folders deep a room stands; elsewhere 1."""

Figures = Mapping[str, Mapping[str, tuple[int, int]]]
"""Files and lines, by kind and room."""


def tracked() -> Iterator[Path]:
    """Yield the files that git tracks or would add, as they are in the working tree, without the figures themselves."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in sorted(set(listed.split("\0")) - {""}):
        if (path := ROOT / name).is_file() and path != FIGURES:
            yield path


def room_of(path: Path) -> str:
    """Return the room of a file: a folder, at the depth of its tree; of rulesets one folder deeper."""
    folders = path.relative_to(ROOT).parts[:-1]
    if not folders:
        return "."
    return "/".join(folders[: DEPTH.get(folders[0], 1) + (folders[:2] == ("projections", "rulesets"))])


def counted() -> Figures:
    """Return the files and lines of each room, by kind."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for path in tracked():
        if kind := KINDS.get(path.suffix.removeprefix(".")):
            rooms = found.setdefault(kind, {})
            files, lines = rooms.get(room_of(path), (0, 0))
            rooms[room_of(path)] = files + 1, lines + path.read_bytes().count(b"\n")
    return found


def written_down() -> Figures:
    """Return the figures of `ratchet.toml`."""
    read = tomllib.loads(FIGURES.read_text("utf-8"))
    return {kind: {room: (row[0], row[1]) for room, row in rooms.items()} for kind, rooms in read.items()}


def risen(now: Figures, before: Figures) -> list[str]:
    """Return a sentence for each figure that is above the one before."""
    return [
        f"{kind} in {room}: {value:,} {name}, {old:,} in tests/ratchet.toml"
        for kind, rooms in now.items()
        for room, row in rooms.items()
        for name, value, old in zip(("files", "lines"), row, before.get(kind, {}).get(room, (0, 0)), strict=True)
        if value > old
    ]


def as_toml(figures: Figures) -> str:
    """Return figures as they are written down."""
    tables = (
        "\n".join((f"[{kind}]", *(f'"{room}" = [{files}, {lines}]' for room, (files, lines) in sorted(rooms.items()))))
        for kind, rooms in sorted(figures.items())
    )
    return "# Files and lines of each room. python -m tests.tools.ratchet writes them.\n\n" + "\n\n".join(tables) + "\n"


if __name__ == "__main__":
    FIGURES.write_text(as_toml(counted()), "utf-8")
