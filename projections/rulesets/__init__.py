"""The rulesets: our own by name, those of other distributions through the entry point group."""

import re
from importlib import import_module
from typing import TYPE_CHECKING

from eventstore.paths import name_of
from eventstore.wording import nearest, visible
from projections.ruleset.ruleset import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

RULESETS = ("5e", "definition-master", "nameless-journey", "osric", "plain", "semiautomagic", "vile-darkness")
"""The keys of our own rulesets; the package of each has its key's name, with `_` for `-`, or the one in `PACKAGES`."""

PACKAGES = {"5e": "fifth_edition"}
"""The packages of those rulesets whose key is no name of a package."""

TAKEN = (*RULESETS, "log")
"""The keys that no other distribution can use: ours, and that of the bookkeeping of every log."""

ENTRY_POINTS = "encounterlog.rulesets"


class UnknownRuleset(LookupError):
    """The error that no ruleset of this key is installed; `hint` names the nearest."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.hint = nearest(key, keys()) or f"installed are {', '.join(keys())}"
        super().__init__(f"no ruleset {key!r} is installed")
        self.add_note(f"hint: {self.hint}")


class UnusableRuleset(UnknownRuleset):
    """The error that a ruleset of another distribution cannot be used; `reason` says why, `mistakes` what is wrong with its parts."""

    def __init__(self, entry: "EntryPoint", reason: str, mistakes: tuple[str, ...] = ()) -> None:
        self.key, self.mistakes = visible(entry.name), tuple(map(visible, mistakes))
        self.reason = ": ".join((visible(reason.partition("\n")[0])[:200], *filter(None, ["; ".join(self.mistakes)])))
        self.distribution = _distribution(entry)
        self.hint = f"it comes from {self.distribution or 'another distribution'}: repair or uninstall that one"
        LookupError.__init__(self, f"the ruleset {self.key!r} cannot be used: {self.reason}")
        self.add_note(f"hint: {self.hint}")


def find(key: str) -> Ruleset:
    """Return the ruleset with this key; raise UnknownRuleset, or UnusableRuleset. No other built-in ruleset is imported."""
    if key in RULESETS:
        found: Ruleset = import_module(f"projections.rulesets.{package_of(key)}").RULESET
        return found
    first_error: UnusableRuleset | None = None
    for entry in _entry_points():
        if entry.name == key:
            try:
                return _loaded(entry)
            except UnusableRuleset as error:
                first_error = first_error or error
    raise first_error or UnknownRuleset(key)


def package_of(key: str) -> str:
    """Return the name of the package with one of our own rulesets."""
    return PACKAGES.get(key, key.replace("-", "_"))


def keys() -> tuple[str, ...]:
    """Return the keys of all rulesets that are installed, usable or not, our own first."""
    return tuple(dict.fromkeys((*RULESETS, *(entry.name for entry in _entry_points() if entry.name not in TAKEN))))


def unusable() -> tuple[UnusableRuleset, ...]:
    """Return an error for each ruleset of another distribution that cannot be used; this imports all of them."""
    found: list[UnusableRuleset] = []
    seen: set[str] = set()
    for entry in _entry_points():
        try:
            _loaded(entry)
        except UnusableRuleset as error:
            found.append(error)
            continue
        if entry.name in seen:
            found.append(UnusableRuleset(entry, "another distribution has this key, and comes first"))
        seen.add(entry.name)
    return tuple(found)


def _loaded(entry: "EntryPoint") -> Ruleset:
    """Load a ruleset of another distribution, with its catalogue; raise UnusableRuleset for any error of its code."""
    if entry.name in TAKEN:
        raise UnusableRuleset(entry, "this key is taken by encounterlog itself")
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:  # other people's code may raise anything
        why = f"{entry.value}{_place(entry, error)}: {type(error).__name__}: {error}"
        raise UnusableRuleset(entry, why) from error
    if not isinstance(found, Ruleset):
        raise UnusableRuleset(entry, f"{entry.value} is not a Ruleset but of type {type(found).__name__}")
    if found.key != entry.name:
        raise UnusableRuleset(entry, f"{entry.value} has the key {found.key!r}")
    try:
        found.catalogue()
    except (OSError, ValueError) as error:
        raise UnusableRuleset(entry, f"its catalogue cannot be read: {error}") from error
    if wrong := _mistakes(entry, found):
        raise UnusableRuleset(entry, f"{len(wrong)} mistake{'s' if len(wrong) > 1 else ''}", wrong)
    return found


_CHECKED: dict[tuple[str, int], tuple["Ruleset", tuple[str, ...]]] = {}
"""The mistakes of the loaded rulesets from elsewhere, each checked once."""


def _mistakes(entry: "EntryPoint", ruleset: Ruleset) -> tuple[str, ...]:
    known = _CHECKED.get((entry.value, id(ruleset)))
    if known is None:
        loading = import_module("projections.proving.loading")  # by name, for it builds on finding rulesets
        try:
            known = ruleset, tuple(map(str, loading.find_mistakes(ruleset)))
        except Exception as error:  # what it holds may be anything
            raise UnusableRuleset(entry, f"it cannot be checked: {type(error).__name__}: {error}") from error
        _CHECKED[entry.value, id(ruleset)] = known
    return known[1]


def _place(entry: "EntryPoint", error: BaseException) -> str:
    """Return the file and line in a ruleset's package where an exception was raised; "" if it was raised elsewhere."""
    package, place, trace = re.split(r"[.:]", entry.value)[0], "", error.__traceback__
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == package:
            place = f" ({name_of(trace.tb_frame.f_code.co_filename)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


def _distribution(entry: "EntryPoint") -> str:
    """Return the name and version of an entry point's distribution; "" if its metadata are gone."""
    try:
        return visible(f"{entry.dist.name} {entry.dist.version}") if entry.dist else ""
    except (AttributeError, KeyError, TypeError):
        return ""


def _entry_points() -> "tuple[EntryPoint, ...]":
    from eventstore.distributions import entry_points  # only for rulesets of others

    return entry_points(ENTRY_POINTS)
