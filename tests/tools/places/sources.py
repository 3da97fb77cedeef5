"""What a search rests on: the files of the project, as they were when it began.

The functions that are changed are in memory. But witnesses read scripts and pages, import more, and start programs, so that a
search during which a file is changed is about neither the one nor the other.
"""

from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = ("eventstore", "projections", "cli", "tests", "fixtures", "benchmarks")
ENDINGS = (".py", ".toml", ".enc", ".jsonl", ".md", ".txt")


class SourceChanged(Exception):
    """A file that was changed, added or removed since the search began."""

    def __init__(self, file: str) -> None:
        super().__init__(f"{file} was changed since the search began: what it found holds of neither; search again")


class Sources:
    """The files below a folder, each with its size and the time of its last change."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.began = self._now()

    def stay(self) -> None:
        """Raise SourceChanged if they are no longer as they were."""
        now = self._now()
        if now != self.began:
            file = min(set(now.items()) ^ set(self.began.items()))[0]
            raise SourceChanged(Path(file).relative_to(self.root).as_posix())

    def _now(self) -> dict[str, tuple[int, int]]:
        files = (file for folder in FOLDERS for file in (self.root / folder).rglob("*") if file.name.endswith(ENDINGS))
        return {str(file): (each.st_mtime_ns, each.st_size) for file in files for each in [file.stat()]}
