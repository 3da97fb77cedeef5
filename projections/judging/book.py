"""The catalogue of every log, independent of its ruleset: its clauses, its words, and the options that each log can have."""

from collections.abc import Mapping

from eventstore.paths import path_beside
from projections.ruleset.catalogue import Catalogue, read_catalogue

RULES = path_beside(__file__, "log.toml")


def catalogue() -> Catalogue:
    """Return the rules of bookkeeping as data."""
    return read_catalogue(RULES)


def rename_options(options: Mapping[str, str]) -> dict[str, str]:
    """Return options, renamed ones under their new names; a value stated under the new name takes precedence unless it
    is the default.
    """
    found = dict(options)
    for option in catalogue().option:
        for name, values in option.earlier.items():
            value = next((now for before, now in values.items() if found.get(name) == before), None)
            if value is None:
                continue
            del found[name]
            if found.get(option.name, option.values[0]) == option.values[0]:
                found[option.name] = value
    return found
