"""What the campaign against another engine found when its outcome was last kept, as a table in Markdown."""

import json
from typing import Any

from tests.peers.__main__ import OUTCOME


def kept() -> dict[str, Any]:
    """Return the outcome that is kept."""
    found: dict[str, Any] = json.loads(OUTCOME.read_text("utf-8"))
    return found


def rows() -> list[str]:
    """Return a sentence about what was compared, and a row for each verdict."""
    found = kept()
    compared = ", ".join(f"{count:,} of `{name}`" for name, count in found["compared"].items())
    about = f"{found['fights']} fights of {found['engine']}; values compared: {compared}."
    head = ["| whose | differences | in fights | because |", "|---|---|---|---|"]
    return [
        about,
        "",
        *head,
        *(
            f"| {each['whose']} | {each['found']} | {each['fights']} | {each['because']} |"
            for each in found["verdicts"]
        ),
    ]
