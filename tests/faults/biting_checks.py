"""What the tests of biting share with others."""

from contextlib import suppress
from functools import partial

import pytest

from eventstore.errors import StoreError
from tests.faults import wrong_stores
from tests.faults.campaign import Fault, NotTried, Run
from tests.faults.recording import REAL, Make


def named(value: object) -> str:
    if isinstance(value, Make):
        return (value.store if value.store is not REAL.store else value.process).__name__
    if isinstance(value, partial):
        return str(value.func.__name__)
    if isinstance(value, wrong_stores.Swap):
        return value.wrong
    return getattr(value, "__name__", str(value))


class Noticed(Exception):
    """Says that the invariant was breached that a wrong store was to breach: there is no need to go on."""


class Waiting(Run):
    def breach(self, invariant: str, case: str, why: str) -> None:
        super().breach(invariant, case, why)
        if invariant == self.awaited:
            raise Noticed

    awaited = ""


def notices(part: Fault, invariant: str) -> bool:
    run = Waiting(0, short=True, seed=1)
    run.awaited = invariant
    try:
        with suppress(StoreError, AssertionError):
            part(run)
    except Noticed:
        return True
    except NotTried as reason:
        pytest.skip(str(reason))
    return False
