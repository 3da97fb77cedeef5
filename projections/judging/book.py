"""The catalogue of every log, whatever its ruleset: its clauses, its words, and the options that each log can have."""

from eventstore.paths import beside
from projections.rulesets.catalogue import Catalogue, read

RULES = beside(__file__, "log.toml")


def catalogue() -> Catalogue:
    """Return the rules of bookkeeping as data."""
    return read(RULES)
