"""The sessions of the page on imports are run, and their output compared."""

from pathlib import Path

from tests.sessions import DOCS, HASH, OF_PLUGINS, played


def test_the_sessions_of_the_page_run_as_they_are_printed(folder: Path) -> None:
    (page,) = (DOCS[name] for name in OF_PLUGINS if name.endswith("import-avrae.md"))
    steps = list(played(page, folder, Path(__file__).parent / "recordings"))
    assert len(steps) == 3
    for command, printed, given in steps:
        assert HASH.sub("<hash>", given) == HASH.sub("<hash>", printed), command
