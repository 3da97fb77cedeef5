"""Line-ups: a party in TOML and foes in words join as the log is opened."""

from pathlib import Path

import pytest

from eventstore.jsonl import JsonlStore
from tests.encounterlog.support import encounter

PARTY = """
side = "heroes"

[[member]]
name = "Mira"
sheet = { hp = 9, weapon = "dagger" }

[[member]]
name = "Mira"
sheet = { hp = 7 }

[[member]]
name = "Ödön"
id = "odon"
sheet = { hp = 14 }

[[member]]
name = "Hound"
count = 2
side = "beasts"
sheet = { hp = 4 }
"""


def test_a_party_and_foes_join_as_the_log_is_opened(folder: Path) -> None:
    (folder / "party.toml").write_text(PARTY, "utf-8")
    log = folder / "ford.jsonl"
    done = encounter("new", log, "--ruleset", "osric", "--party", folder / "party.toml", "--foes", "goblin*2 hp=5")
    assert (done.exit_code, done.stderr) == (0, "")
    joined = [record.event for record in JsonlStore(log).read()][1:]
    assert [(one.combatant, one.name, one.side, one.sheet["hp"]) for one in joined] == [  # type: ignore[union-attr]
        ("mira", "Mira", "heroes", 9),
        ("mira-2", "Mira", "heroes", 7),
        ("odon", "Ödön", "heroes", 14),
        ("hound-1", "Hound 1", "beasts", 4),
        ("hound-2", "Hound 2", "beasts", 4),
        ("goblin-1", None, "foes", 5),
        ("goblin-2", None, "foes", 5),
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("count = 2", 'count = "two"', "member.3.count: input should be a valid integer"),
        ("count = 2", "cuont = 2", "member.3.cuont: extra inputs are not permitted"),
        ('side = "heroes"', 'side = "heroes', "party.toml: "),
        ("hp = 14", "hq = 14", "sheet.hq"),
    ],
)
def test_what_is_wrong_in_a_party_is_named_with_its_path_and_nothing_is_made(
    folder: Path, old: str, new: str, says: str
) -> None:
    (folder / "party.toml").write_text(PARTY.replace(old, new), "utf-8")
    done = encounter("new", folder / "ford.jsonl", "--ruleset", "osric", "--party", folder / "party.toml")
    assert (done.exit_code, done.stdout) == (4, "")
    assert says in done.stderr
    assert not (folder / "ford.jsonl").exists()
