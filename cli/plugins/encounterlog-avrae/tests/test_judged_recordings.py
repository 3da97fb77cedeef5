"""What the audit finds in the recordings, and that the page on imports lists it: each was held against its recording by hand."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.encounterlog.support import encounter

ROOT = Path(__file__).parents[4]
FIREBALL = Path(__file__).parent / "recordings" / "fireball"
PAGE = (ROOT / "docs" / "how-to" / "import-avrae.md").read_text("utf-8")
LISTED = re.findall(r"^\| `(raw\.jsonl|\d+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", PAGE, re.MULTILINE)
ROWS = [(name, key, said) for name, fifth, plain in LISTED for key, said in (("5e", fifth), ("plain", plain))]


def test_the_page_lists_every_recording() -> None:
    assert {name.partition(".")[0] for name, _, _ in ROWS} == {
        path.name.partition(".")[0] for path in FIREBALL.glob("*.jsonl*")
    }


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("name", "key", "said"), ROWS)
def test_the_audit_of_a_recording_finds_what_the_page_lists(name: str, key: str, said: str) -> None:
    (source,) = FIREBALL.glob(f"{name}*")
    encounter("import", "fireball", source, "fight.jsonl", "--ruleset", key)
    findings = json.loads(encounter("audit", "fight.jsonl", "--json").stdout)["findings"]
    severities = Counter(one["severity"] for one in findings)
    found = ", ".join(f"{count} {what}{'s' if count > 1 else ''}" for what, count in sorted(severities.items()))
    assert (found or "none") == said
