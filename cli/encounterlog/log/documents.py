"""The reference documents of the installed rulesets: creatures, spells and the like by name."""

from collections.abc import Iterator
from contextlib import contextmanager

from encounterlog.errors import Refused
from projections.ruleset.documents import Documents, NoEdition, NoName, NoRecord
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import UnknownRuleset, find, keys


def usable_rulesets() -> Iterator[Ruleset]:
    """Yield the usable rulesets, each loaded when it is needed."""
    for key in keys():
        try:
            yield find(key)
        except UnknownRuleset:
            continue


def keys_with_documents() -> str:
    """Return the keys of the rulesets that have reference documents, in words."""
    return " or ".join(each.key for each in usable_rulesets() if each.documents()) or "no ruleset that is installed"


def find_documents() -> Documents:
    """Return the documents of the first ruleset that has any; raise Refused if none has."""
    found = next(filter(None, (each.documents() for each in usable_rulesets())), None)
    if found is None:
        raise Refused("usage", "no ruleset that is installed has reference documents")
    return found


@contextmanager
def raise_as_refused() -> Iterator[None]:
    """Raise Refused for a name or an edition that stands for nothing."""
    try:
        yield
    except (NoEdition, NoName) as error:
        raise Refused("usage", *error.args) from None
    except NoRecord as error:
        raise Refused("refused", *error.args) from None
