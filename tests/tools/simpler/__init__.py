"""What a function would be without its rule: for each ruleset that needs it a module of its name, with a table SIMPLER.

It is put in the place of a function where a neutral value would say too little (`tests/tools/unnoticed.py`). A key is the
name of the function in `encounter rules`; with it go the words that end "nothing notices …", and what takes its place.
"""

from importlib import import_module
from importlib.util import find_spec

from encounterlog_rulelab.unnoticed import Simpler


def of(key: str) -> Simpler:
    """Return the table of a ruleset; most have none."""
    name = f"{__name__}.{key.replace('-', '_')}"
    table: Simpler = import_module(name).SIMPLER if find_spec(name) else {}
    return table
