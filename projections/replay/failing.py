"""An exception in a function of a ruleset, reported as that ruleset's: which function, at which fact, with what text."""

from collections.abc import Callable, Iterable
from functools import wraps
from types import FrameType
from typing import ParamSpec, TypeVar

from eventstore.errors import StoreError
from eventstore.events import Fact
from eventstore.paths import name_of, path_beside
from eventstore.wording import visible
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Check, Derivation, Ruleset
from projections.rulesets import RULESETS, UnknownRuleset
from projections.state import State

P = ParamSpec("P")
R = TypeVar("R")
OURS = ("projections", "eventstore", "encounterlog")


class RulesetFailed(Exception):
    """The error that a function of a ruleset failed: which one and where, at which record, and what it raised.

    `seq` is the record that was looked at, `event` its fact; without one, something was derived from the state after `seq`.
    """

    def __init__(self, ruleset: str, function: str, place: str, seq: int, event: Fact | None, why: str) -> None:
        self.ruleset, self.function, self.place = ruleset, function, place
        self.seq, self.event, self.why = seq, event, visible(why)
        at = "at" if event else "after"
        self.hint = "please report it to us" if ruleset in RULESETS else "please report it to the author of the ruleset"
        super().__init__(f"the ruleset {ruleset!r} failed in {function} ({place}) {at} record {seq}: {self.why}")
        self.add_note(f"hint: {self.hint}")


def report_failures(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function raise RulesetFailed if a ruleset's function fails in it."""

    @wraps(function)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except (StoreError, UnknownRuleset, RulesetFailed):
            raise
        except Exception as error:
            if failed := failure_in(error):
                raise failed from error
            raise

    return reporting


def failure_in(error: Exception) -> RulesetFailed | None:
    """Return an exception as the failure of the ruleset's function that raised it; None if none did.

    The function is the innermost one in the ruleset's folder, or the one that could not be called.
    """
    from traceback import walk_tb  # only for an error

    frames = list(walk_tb(error.__traceback__))
    state = _last_local((frame for frame, _ in reversed(frames)), State)
    if state is None:
        return None
    own = [number for number, (frame, _) in enumerate(frames) if _is_own(frame, state.rules)]
    if own:
        frame, line = frames[own[-1]]
        code, function = frame.f_code, frame.f_code.co_name
    elif called := _function_about_to_run([frame for frame, _ in frames[-2:]], state.rules):
        code, function = called.function.__code__, called.__name__
        line = code.co_firstlineno
    else:
        return None
    before = frames[: own[0]] if own else frames
    fact = _last_local((frame for frame, _ in reversed(before)), Occurrence)
    seq, event = (fact.seq, fact.event) if fact else (state.seq, None)
    place, why = f"{name_of(code.co_filename)}, line {line}", f"{type(error).__name__}: {error}"
    return RulesetFailed(state.rules.key, function, place, seq, event, why)


def _last_local(frames: Iterable[FrameType], kind: type[R]) -> R | None:
    return next((each for frame in frames for each in frame.f_locals.values() if isinstance(each, kind)), None)


def _is_own(frame: FrameType, rules: Ruleset) -> bool:
    """Say whether code belongs to a ruleset: it is in its catalogue's folder, and not part of the program around it."""
    name = str(frame.f_globals.get("__name__", ""))
    ours = name.partition(".")[0] in OURS and not name.startswith("projections.rulesets.")
    return _lies_in(frame.f_code.co_filename, rules) and not ours


def _lies_in(file: str, rules: Ruleset) -> bool:
    return file.startswith(path_beside(rules.rules, ""))


def _function_about_to_run(frames: list[FrameType], rules: Ruleset) -> Derivation[..., object] | Check[...] | None:
    known = (each for frame in frames for each in frame.f_locals.values())
    marked = (each for each in known if isinstance(each, Derivation | Check))
    codes = ((each, getattr(each.function, "__code__", None)) for each in marked)
    return next((each for each, code in codes if code and _lies_in(code.co_filename, rules)), None)
