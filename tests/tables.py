"""One test for all rows of a table, where each row is asked the same."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest


def for_each(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator of a test that runs for all rows of a table in turn, and reports every row for which it fails.

    `names` are the arguments that a row gives, as in `pytest.mark.parametrize`, which stays better where a row needs fixtures of
    its own or takes long.
    """
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    every = list(rows)

    def of(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test)
        def of_all_rows(**fixtures: Any) -> None:
            wrong: list[str] = []
            for row in every:
                values = row if len(named) > 1 else (row,)
                try:
                    test(**fixtures, **dict(zip(named, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other rows are asked all the same
                    wrong.append(f"{row!r:.200}\n    {type(error).__name__}: {error}")
            assert not wrong, "\n".join(wrong)

        fixtures = [each for name, each in signature.parameters.items() if name not in named]
        of_all_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return of_all_rows

    return of
