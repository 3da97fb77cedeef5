"""`encounter diff`: two moments, two states of knowledge, or two logs, side by side."""

from encounterlog.core.logs import LogView
from encounterlog.questions.diff import QUESTION
from encounterlog.reading import comparing
from encounterlog.storage.stores import address
from encounterlog.terminal import options, output
from encounterlog.terminal.answering import answered
from encounterlog.terminal.failures import DIFFERENCE, FINE, UNREADABLE, report_problem
from encounterlog.terminal.question_commands import asks
from encounterlog.text_pages import difference as page
from eventstore.address import LogAddress, name_of
from projections.explaining.forks import differences


@asks(QUESTION, options.file, options.audience)
def command(file: LogAddress, one: str, other: str | None, audience: str | None, as_json: bool) -> int:
    """Compare two points of the log or, where only one thing is named beside it, two logs."""
    return (
        _logs(file, one, as_json, secrets=audience != "players")
        if other is None
        else answered(QUESTION, LogView(file, secrets=audience != "players"), as_json=as_json, one=one, other=other)
    )


def _logs(file: LogAddress, other: str, as_json: bool, *, secrets: bool) -> int:
    """Print in what two logs differ; return the exit code."""
    options.check_no_stream(other)
    comparing.check_is_log(other)
    second = address(other)
    compared = comparing.logs(file, second, secrets=secrets)
    titles, found = (name_of(file), name_of(second)), differences(compared.mine, compared.yours)
    if as_json:
        output.json(found)
    else:
        output.lines(comparing.common_past(compared, titles))
        output.lines(page.page(found, compared.mine, compared.yours, titles))
    unreadable = [log for log in compared.logs if report_problem(log.problem)]
    if unreadable:
        return UNREADABLE
    return FINE if found.none else DIFFERENCE
