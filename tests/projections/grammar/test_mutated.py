"""Whatever is typed is told or refused, and what it records is determined by the line and the log."""

import pytest

from tests.projections.grammar.mutated import main, search


@pytest.mark.full
def test_of_mutated_lines_none_raises_and_none_records_what_neither_the_line_nor_the_log_determines() -> None:
    assert [*search(400, 7)] == []
    assert main.__doc__
