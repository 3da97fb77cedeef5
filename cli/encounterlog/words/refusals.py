"""Any error as a sentence, a hint and further lines."""

import os

from encounterlog.errors import Kind, Refused, kind_of
from encounterlog.words.facts import fact_sentence, record_in_words
from encounterlog.words.layout import clip
from eventstore.address import LogAddress
from eventstore.errors import CorruptLog, StoreError, WrongVersion
from eventstore.store import Problem
from projections.proving.plays import EncError
from projections.replay.failing import RulesetFailed, failure_in
from projections.ruleset.catalogue import CatalogueError


def refusal_of(error: Exception) -> Refused:
    """Return any exception as the refusal that a command prints and a service sends; an unexpected one as a bug."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, StoreError):
        between = error.between if isinstance(error, WrongVersion) else ()  # an append was refused because of them
        lines = [clip(f"{record.seq:>5}  {record.by}: {record_in_words(record)}") for record in between[:10]]
        lines += [f"… and {len(between) - 10} more"] if len(between) > 10 else []
        return Refused(kind_of(error), str(error), error.hint, lines)
    if isinstance(error, OSError):
        where = f"{os.fsdecode(error.filename)}: " if error.filename else "the output could not be written: "
        return Refused("not-written", f"{where}{(error.strerror or str(error)).lower()}")
    if isinstance(error, EncError | CatalogueError):
        kind: Kind = "unreadable" if isinstance(error, EncError) else "usage"
        return Refused(kind, f"the rulebook cannot be read: {error}", error.hint)
    if failed := error if isinstance(error, RulesetFailed) else failure_in(error):
        at = [f"{failed.seq}: {fact_sentence(failed.event)}"] if failed.event else []
        return Refused("unreadable", str(failed), failed.hint, at)
    hint = "please report it; with ENCOUNTER_TRACEBACK=1 in the environment the traceback is shown"
    return Refused("not-written", f"a bug in encounterlog: {type(error).__name__}: {error}", hint)


def refusal_of_problem(file: LogAddress, problem: Problem) -> Refused:
    """Return the error for a log that is intact only up to a line."""
    return refusal_of(CorruptLog(file, problem.line, problem.offset, problem.why, problem.hint))
