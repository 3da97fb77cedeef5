"""Formats of other distributions, through entry points: each names a row like those in our own table of formats."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from encounterlog.errors import Refused
from eventstore.distributions import entry_points
from eventstore.wording import visible

T = TypeVar("T")


class Formats(Mapping[str, T], Generic[T]):
    """Rows of formats by their names: our own, and those of an entry point group, which are looked for when they are asked for."""

    def __init__(
        self, group: str, kind: type[T], own: dict[str, T], elsewhere: Mapping[str, str] = {}, called: str = "format"
    ) -> None:
        self.group, self._kind, self.own, self._called = group, kind, own, called
        self._elsewhere = elsewhere  # the known ones of other distributions, with what installs each

    def __getitem__(self, name: str) -> T:
        """Return a row; raise KeyError if there is none, Refused for one of another distribution that is not installed, or cannot be used."""
        if name in self.own:
            return self.own[name]
        entry = next((each for each in entry_points(self.group) if each.name == name), None)
        if entry is None and name in self._elsewhere:
            says = f"the {self._called} {name} is in another distribution, which is not installed"
            raise Refused("usage", says, f"in a clone of Encounterlog: {self._elsewhere[name]}")
        if entry is None:
            raise KeyError(name)
        try:
            found = entry.load()
        except (Exception, SystemExit) as error:  # it is the code of others
            raise self._refuse(name, f"{entry.value}: {type(error).__name__}: {error}") from error
        if not isinstance(found, self._kind):
            raise self._refuse(name, f"{entry.value} is of type {type(found).__name__}, not {self._kind.__name__}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.own, *sorted(each.name for each in entry_points(self.group)))))

    def __len__(self) -> int:
        return len([*iter(self)])

    def is_elsewhere(self, name: str) -> bool:
        """Say whether a distribution that is not installed is known to have this one."""
        return name in self._elsewhere and name not in self

    def __contains__(self, name: object) -> bool:
        return name in self.own or any(each.name == name for each in entry_points(self.group))

    def lines(self) -> list[str]:
        """Return a line for each format; of one that cannot be used it says why."""
        return [f"{visible(name)}: {self._description_of(name)}" for name in self]

    def _description_of(self, name: str) -> str:
        try:
            return visible(str(getattr(self[name], "says", "")))
        except Refused as error:
            return error.says

    def _refuse(self, name: str, why: str) -> Refused:
        says = f"the {self._called} '{visible(name)}' cannot be used: {visible(why.partition(chr(10))[0])[:200]}"
        return Refused("usage", says, f"it comes from another distribution, by the entry point group {self.group}")
