"""The facts that break the rules."""

from typing import TYPE_CHECKING

from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.reading.auditing import audited, output_of
from encounterlog.text_pages import audit as page

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(log: "LogView", where: "Where | None" = None, complete: bool = False) -> Answer:
    """Return the findings up to a point and, if wanted, what the log lacks."""
    done, lacks = audited(log, where, complete=complete)
    return Answer(
        lambda: output_of(done, lacks),
        lambda: [*page.page(done), *(page.lacking(lacks, done) if lacks is not None else ())],
        lambda: bool(done.breaches),
    )


QUESTION = Question(
    "audit",
    """Check every fact of the log FILE against its rules, and list what breaks them.

    Each finding has a number (encounter why FILE finding 3 explains the third) and names the rule, the line, and the
    events that show it. The exit code is 1 if there are breaches that no
    ruling waives.

    This command, and show, report the gaps of the running round, such as a saving throw that is due, as if the log
    were over. append, add and play report them when the next round begins, and not at all if none does.

    With --complete it also lists the gaps of the log, each with its place: a turn with neither action nor pass, damage
    without an attack, an effect that never ended, a declaration that was never resolved, a die that was promised and
    not logged. If the ruleset names the needs of its clauses, it then lists the clauses that could not be judged,
    each with the number of facts that lacked something, and the first of them. None of these is a breach, and the exit code is that of the findings.

    Of several logs, those of a FOLDER (*.jsonl), of a database (postgresql://USER@HOST/DATABASE), or objects below a URL (s3://,
    gs://, az://, file://), it prints a line each, in their order: records, breaches, notices, and the problem of an unreadable log, which stops nothing. With
    --json that is an object a line: log, head, ruleset, revision, records, breaches, notices, problem, ms. The exit code is
    the highest of theirs. If a worker is killed, its log is tried again, and then reported. With --out and --resume, a later
    run reads every log but audits only those that changed.
    """,
    (AT, Argument("complete", "complete", Kind.FLAG, "List also what the log lacks.")),
    ask,
    "encounterlog.reading.auditing:Audited",
    shows="checking",
)
