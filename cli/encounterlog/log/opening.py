"""Opening an encounter: the first record of a log, its file; and the rulesets, with their reference documents."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from encounterlog.errors import Refused, misspelt_word
from encounterlog.places.stores import create_store
from encounterlog.places.time_and_chance import current_time
from eventstore.address import LogAddress
from eventstore.events import Fact
from eventstore.form import event_of, read_json
from eventstore.reading import FORMAT
from eventstore.record import Draft, upcast
from eventstore.store import Store
from projections.judging.book import catalogue as common, rename_options
from projections.ruleset.documents import Documents, NoEdition, NoName, NoRecord
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import UnknownRuleset, find, keys

# options of every log: what players read of the hit points of foes, and whether what they do to others is proposed to the game master
FOE_HIT_POINTS, OTHERS = "foe-hit-points", "others"


def ruleset_named(key: str) -> Ruleset:
    """Return the ruleset with this key; raise Refused with the nearest one as a hint."""
    try:
        return find(key)
    except UnknownRuleset as error:
        games = "; encounter rules names the game of each" if error.hint.startswith("installed are") else ""
        raise Refused("usage", str(error), f"{error.hint}{games}") from None


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


def known_options(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return the options of a log on a ruleset, each with its values, the default first; last those that are written only if given."""
    return {option.name: option.values for book in (rules.catalogue(), common()) for option in book.option}


def parse_options(rules: Ruleset, chosen: tuple[str, ...]) -> dict[str, str]:
    """Read NAME=VALUE pairs against the ruleset's options; raise Refused for an unknown one, with the nearest name."""
    known = known_options(rules)
    found: dict[str, str] = {}
    for pair in chosen:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refused("usage", f"--option {pair[:80]!r} is not NAME=VALUE", f"encounter rules {rules.key}")
        ((name, value),) = rename_options({name: value}).items()
        if name not in known:
            raise misspelt_word(f"option of {rules.key}", name, known, f"its options are {', '.join(known)}")
        if value not in known[name]:
            raise misspelt_word(f"value of {name}", value, known[name], f"its values are {', '.join(known[name])}")
        if found.setdefault(name, value) != value:
            raise Refused("usage", f"--option {name} is given twice: {found[name]} and {value}", "name one of them")
    return found


def make_opening(rules: Ruleset, title: str, chosen: dict[str, str]) -> Any:
    """Return the event that opens an encounter: a random id, the ruleset with its revision, every option."""
    options = {option.name: option.values[0] for option in rules.catalogue().option} | chosen
    fact = {"type": "encounter_opened", "format": FORMAT, "encounter": os.urandom(8).hex(), "title": title}
    return parse_event(fact | {"ruleset": rules.key, "revision": rules.revision, "options": options})


def parse_event(value: dict[str, Any]) -> Any:
    """Return a JSON value as an event in its newest version, checked as strictly as input from outside."""
    return upcast(event_of(read_json(json.dumps(value))))


def create_log(path: LogAddress, events: Sequence[Fact | Draft], by: str, *, network_drive: bool = False) -> Store:
    """Create a log with these events, whole or not at all, at a free path."""
    drafts = [one if isinstance(one, Draft) else Draft(one) for one in events]  # type: ignore[arg-type]
    return create_store(path, drafts, by=by, at=current_time(), network_drive=network_drive)
