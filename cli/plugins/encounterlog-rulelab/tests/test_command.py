"""The proofs of `encounter rules`, found by their entry points."""

import json
from pathlib import Path

import pytest

from tests.encounterlog.support import encounter


def test_a_page_of_each_play_is_written_and_what_has_changed_is_named(folder: Path) -> None:
    first = encounter("rules", "plain", "--golden", "pages")
    assert (first.exit_code, first.stderr) == (0, "")
    count = int(first.stdout.split()[0])
    page = sorted((folder / "pages").iterdir())[0]
    page.write_text(page.read_text("utf-8").replace("\n", "\nanother line\n", 1), "utf-8")
    again = encounter("rules", "plain", "--golden", "pages")
    assert again.stdout.endswith(f"{count} pages in pages: 0 new, 1 changed or gone\n")
    assert again.exit_code == 1


def test_no_function_of_plain_goes_unnoticed() -> None:
    done = encounter("rules", "plain", "--unnoticed", "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"ruleset": "plain", "unnoticed": []})


def test_a_sample_of_places_is_tried() -> None:
    done = encounter("rules", "plain", "--unnoticed", "--places", "--sample", "3", "--json")
    assert json.loads(done.stdout)["places"] == 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "a proof needs a ruleset"),
        (("log",), "log has no plays"),
        (("plain",), "nothing to judge: no whole encounters are given"),
    ],
)
def test_what_cannot_be_judged_is_refused(words: tuple[str, ...], says: str) -> None:
    done = encounter("rules", *words, "--reasons")
    assert (done.exit_code, done.stdout, done.stderr.splitlines()[0]) == (2, "", f"encounter: {says}")
