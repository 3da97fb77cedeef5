"""A question about a log without any option, answered without click."""

from encounterlog.core.logs import LogView
from encounterlog.questions import question_named
from encounterlog.storage.stores import address
from encounterlog.terminal import answering


def answered(name: str, file: str) -> int:
    """Print the answer to a question whose arguments all have their defaults; return the exit code."""
    asked = question_named(name)
    fields = {each.field: each.default for each in asked.arguments}
    return answering.answered(asked, LogView(address(file), shows=asked.shows), as_json=False, **fields)
