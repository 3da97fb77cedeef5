"""The application, and the Python API: `import encounterlog as el`. Everything is loaded when it is first used.

The names are those of `encounterlog.api` (new, open, diff, Log), audit_many, every type of event, the errors of the store, and
the views. `encounterlog.api` shows how a log is made, written, read and forked.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from encounterlog import srd as srd
    from encounterlog.aio import AsyncLog as AsyncLog, aopen as aopen
    from encounterlog.api import (
        Log as Log,
        Written as Written,
        diff as diff,
        memory as memory,
        new as new,
        open as open,  # noqa: A004 – el.open
    )
    from encounterlog.bulk.checking import AuditedLog as AuditedLog
    from encounterlog.bulk.running import audit_many as audit_many
    from encounterlog.errors import Failure as Failure
    from encounterlog.forks import At as At, Fork as Fork, Order as Order, Person as Person, Said as Said, Step as Step
    from encounterlog.scripted import Disagreement as Disagreement, Engine as Engine, run_script as run_script
    from eventstore import shapes as shapes
    from eventstore.chain import Anchor as Anchor
    from eventstore.errors import *  # noqa: F403 – all of them are part of the API
    from eventstore.events import *  # noqa: F403 – all of them are part of the API
    from eventstore.record import Recorded as Recorded
    from eventstore.store import Appended as Appended
    from projections.because import Explained as Explained, Reason as Reason
    from projections.explaining.fairness import Fairness as Fairness, Throw as Throw
    from projections.explaining.forks import Differences as Differences
    from projections.judging.audit import Audit as Audit, Finding as Finding
    from projections.language.notation.tokens import NotUnderstood as NotUnderstood
    from projections.replay.failing import RulesetFailed as RulesetFailed
    from projections.rulesets import UnknownRuleset as UnknownRuleset, UnusableRuleset as UnusableRuleset
    from projections.views.steps import Change as Change
    from projections.views.view import Show as Show

__version__ = "0.2.0"

_WHERE = {
    "encounterlog.api": ("Log", "Written", "diff", "memory", "new", "open"),
    "encounterlog.aio": ("AsyncLog", "aopen"),
    "encounterlog.errors": ("Failure",),
    "encounterlog.forks": ("At", "Fork", "Order", "Person", "Said", "Step"),
    "encounterlog.bulk.checking": ("AuditedLog",),
    "encounterlog.bulk.running": ("audit_many",),
    "encounterlog.scripted": ("Disagreement", "Engine", "run_script"),
    "eventstore.chain": ("Anchor",),
    "eventstore.record": ("Recorded",),
    "eventstore.store": ("Appended",),
    "projections.because": ("Explained", "Reason"),
    "projections.explaining.fairness": ("Fairness", "Throw"),
    "projections.explaining.forks": ("Differences",),
    "projections.language.notation.tokens": ("NotUnderstood",),
    "projections.judging.audit": ("Audit", "Finding"),
    "projections.rulesets": ("UnknownRuleset", "UnusableRuleset"),
    "projections.replay.failing": ("RulesetFailed",),
    "projections.views.steps": ("Change",),
    "projections.views.view": ("Show",),
}
_MODULES = {name: module for module, names in _WHERE.items() for name in names}
_PARTS = {"shapes": "eventstore.shapes", "srd": "encounterlog.srd"}
"""Modules that are part of the API as they are: the parts of facts, monsters and spells by name."""
_WHOLE = ("eventstore.events", "eventstore.errors", "eventstore.malformed")
"""Modules whose classes are all part of the API."""


if not TYPE_CHECKING:  # it would make every name right

    def __getattr__(name: str) -> Any:
        if name == "__all__":  # for `import *`, which is not to take the place of the function open
            return [each for each in __dir__() if each not in ("open", "__version__")]
        if name in _PARTS:
            return import_module(_PARTS[name])
        if name in _MODULES:
            found = getattr(import_module(_MODULES[name]), name)
        elif name[:1].isupper() and name in (classes := _classes_by_name()):
            found = classes[name]
        elif name.startswith("_"):
            raise AttributeError(f"encounterlog has no {name}", name=name)
        else:
            from eventstore.wording import nearest

            hint = nearest(name, __dir__())
            raise AttributeError(f"encounterlog has no {name}{f'; {hint}' if hint else ''}", name=name)
        globals()[name] = found
        return found


def _classes_by_name() -> dict[str, type]:
    return {
        name: value
        for module in _WHOLE
        for name, value in vars(import_module(module)).items()
        if isinstance(value, type) and f"{value.__module__}.".startswith(f"{module}.") and not name.startswith("_")
    }


def __dir__() -> list[str]:
    return sorted({*_MODULES, *_PARTS, *_classes_by_name(), "__version__"})
