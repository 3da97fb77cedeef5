"""Text of a log in files for people: nothing in it is invisible, and right-to-left words do not turn their surroundings."""

import re

from eventstore.wording import visible

FIRST_STRONG, POP = "\u2068", "\u2069"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(f"[{_RIGHT_TO_LEFT}](?:(?:[^\\w,;:()]|\\d)*[{_RIGHT_TO_LEFT}])*")
_JOINERS = re.compile("([\u200c\u200d])")
"""Two characters without a shape that some scripts, and some emoji, need."""


def isolated(text: str) -> str:
    """Return a text for people: escapes for invisible characters, each run of right-to-left words between isolates."""
    if text.isascii():
        return visible(text)
    seen = "".join(part if part in "\u200c\u200d" else visible(part) for part in _JOINERS.split(text))
    return _RUN.sub(lambda run: f"{FIRST_STRONG}{run[0]}{POP}", seen)
