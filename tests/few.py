"""Parameters of which the first tier of tests tries a few, and the second the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(count: int, names: str | tuple[str, ...], rows: Iterable[Any], **more: Any) -> pytest.MarkDecorator:
    """Return the mark of a test that runs for each of these rows, as pytest.mark.parametrize does; about `count` of
    them, evenly spread, are of the first tier.
    """
    several = not isinstance(names, str)
    every = [row if hasattr(row, "marks") else pytest.param(*(row if several else (row,))) for row in rows]
    step = max(1, len(every) // count)
    split = [row if not place % step else _later(row) for place, row in enumerate(every)]
    return pytest.mark.parametrize(names, split, **more)


def _later(row: Any) -> Any:
    return pytest.param(*row.values, marks=(*row.marks, pytest.mark.slow), id=row.id)
