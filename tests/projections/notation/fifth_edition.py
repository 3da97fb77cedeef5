"""What the tests of fifth edition share with others."""

from projections.language.notation.table import Table
from tests.projections.grammar import fight
from tests.projections.notation.line_context import heard

LISTED = 'sheet m entries=[{"name":"darts","cost":"bonus"},{"name":"fire bolt","cost":"action","level":0}]'


def round_of_brand() -> Table:
    """Return a fight in which it is the turn of Brand; Mira is next, and cast bless before it."""
    return heard(fight("5e"), LISTED, "b=14", "m=12", "o=9", "g=2", "r", "t m", "m cast bless b", "t b")
