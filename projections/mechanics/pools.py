"""Pools: points that are taken and given back, such as hit points, each change with the record behind it.

The arithmetic of damage and healing is common to all games: `losses` does it by a game's `PoolRules`. A pool keeps its
changes, so that every value derived from it can cite those that led to it.
"""

from __future__ import annotations

from msgspec import Struct, field

from eventstore.events import DamageDealt, Fact, Healed
from eventstore.shapes import LARGEST
from projections.because import Because, Cites, Derived
from projections.mechanics.memo import Once
from projections.mechanics.pool_history import Change, Changes, History, clamp_points, deciding_records

HP, HP_MAX, TEMP, NLD = "hp", "hp_max", "temp", "nld"
"""Hit points, their maximum, temporary points, and non-lethal damage."""
POOLS = (HP, HP_MAX, TEMP, NLD)


class Pool(Struct):
    """The points of one kind of a combatant, with the changes that led to them."""

    value: int | None = None
    """The points; None if they are unknown."""
    changes: History = field(default_factory=History)

    def set_value(self, value: int | None, seq: int, of: tuple[Cites, ...] = ()) -> None:
        """Set the pool to a value, from which later changes go on."""
        self.value = value
        self.changes.add(Change(seq, 0, value, sets=True, of=of))

    def change(self, by: int, seq: int, of: tuple[Cites, ...] = (), beyond: int = 0) -> None:
        """Add to the pool, or take from it (below 0); an unknown pool stays unknown.

        A blow at a pool without points is kept: without the earlier ones it would have taken some.
        """
        changes = self.changes
        if self.value is None or not (
            by or of or (beyond < 0 and changes.left[changes.last_set(len(changes))] > changes.floor)
        ):
            return
        left = clamp_points(self.value + by)
        if of or beyond or not changes.detailed or left != self.value + by:
            changes.add(Change(seq, by, left, of=of, beyond=beyond))
        else:
            changes.add_numbers(seq, left, by)
        self.value = left

    def since(self) -> Changes:
        """Return the changes behind the present value: those since it was last set."""
        return Changes(self.changes, len(self.changes.seqs))

    def derived(self, rules: tuple[str, ...] = ()) -> Derived[int | None]:
        """Return the value, citing every change since it was last set."""
        return Derived(self.value, Because(rules, (), (self.since(),)))


class Margin(Struct, frozen=True, dict=True):
    """The fact that a number is above a limit, or not: pools that count for it (1), less those that count against it (-1)."""

    limit: int
    pools: tuple[tuple[Changes, int], ...]

    def cites(self) -> Because:
        """Return the records without which the number would be on the other side of the limit."""
        return self._deciding_records

    @Once
    def _deciding_records(self) -> Because:
        found = _deciding_changes(self.limit, *self.pools)
        complete = found if len(self.pools) > 1 else self.pools[0][0].setting_change()
        of = tuple(one for each in complete for one in each.of)
        return Because((), tuple(sorted({each.seq for each in found})), of)


def _deciding_changes(limit: int, *pools: tuple[Changes, int]) -> list[Change]:
    """Return the changes that decide on which side of a limit a number is, after those that set the pools it is made of."""
    first = [each for changes, _ in pools for each in changes.setting_change()]
    if not first or any(each.left is None for each in first):
        return first
    if all(changes.is_bounded for changes, _ in pools):
        now = sum(way * changes.left for changes, way in pools) - limit
        helping = [(changes, way, (now > 0) == (way > 0)) for changes, way in pools]
        if sum(changes.total(added=added) for changes, _, added in helping) < abs(now):
            return first
        # with other changes before it was last at its floor or maximum, it would be there, too
        pools = tuple((changes.since_points(changes.bounds[0 if added else 1]), way) for changes, way, added in helping)
    decided = deciding_records(limit, *pools)
    return first + [each for changes, _ in pools for each in changes.later_changes() if each.seq in decided]


def is_at_or_below(pool: Pool, limit: int, rules: tuple[str, ...]) -> Derived[bool]:
    """Return whether a pool is at or below a limit; an unknown one is not."""
    below = pool.value is not None and pool.value <= limit
    return Derived(below, Because(rules, (), (Margin(limit, ((pool.since(), 1),)),)))


def pool_status(pool: Pool, limit: int, below: str, rules: tuple[str, ...]) -> Derived[str]:
    """Return the status that a pool gives: `below` if it is at a limit or below it, else up."""
    found = is_at_or_below(pool, limit, rules)
    return Derived(below if found.value else "up", found.because)


def is_at_least(one: Pool, other: Pool, rules: tuple[str, ...]) -> Derived[bool]:
    """Return whether one pool is at least as large as another; an unknown one is not."""
    left = None if one.value is None or other.value is None else other.value - one.value
    margin = Margin(0, ((other.since(), 1), (one.since(), -1)))
    return Derived(left is not None and left <= 0, Because(rules, (), (margin,)))


# ---------------------------------------------------------------- damage and healing


class Loss(Struct, frozen=True, gc=False):
    """A change to one combatant's pools: positive numbers are lost, negative ones gained."""

    hp: int = 0
    temp: int = 0
    nld: int = 0
    """Non-lethal damage; suffering it is below 0."""
    beyond: int = 0
    """The points by which it would have been larger without a floor or maximum, or the limit of a log."""


NO_LOSS = Loss()


class PoolRules(Struct, frozen=True):
    """The rules of a game for its pools."""

    floor: int | None = None
    """The hit points below which damage never goes; None: no floor."""
    capped: bool = True
    """Whether healing stops at the maximum."""
    temporary: str = ""
    """How new temporary points combine with the present ones: `replace`, `add`, `larger`; "" if they count as healing."""
    nonlethal: bool = False
    """Whether non-lethal damage has its own pool; else it counts as damage."""
    cites: dict[str, tuple[str, ...]] = {}
    """The rules behind each pool; by default those of `hp`."""
    floor_option: str = ""
    """The option that decides the floor."""
    cap_option: str = ""
    """The option that decides the maximum."""
    temp_option: str = ""
    """The option that decides temporary points."""


def losses(hp: int | None, hp_max: int | None, temp: int, nld: int, event: Fact, rules: PoolRules) -> Loss:
    """Return the change of each pool by damage or healing; an amount below 0 changes nothing."""
    if not isinstance(event, DamageDealt | Healed) or event.amount < 0:
        return NO_LOSS
    if isinstance(event, DamageDealt):
        own = event.nonlethal and rules.nonlethal
        return Loss(nld=-event.amount) if own else _damage_loss(hp, temp, event.amount, rules)
    if event.nonlethal and rules.nonlethal:
        return Loss(nld=(healed := max(0, min(event.amount, nld))), beyond=event.amount - healed)
    if event.temporary and rules.temporary:
        replaced = temp - event.amount
        return Loss(temp={"larger": min(0, replaced), "add": -event.amount}.get(rules.temporary, replaced))
    return _healing_loss(hp, hp_max, event.amount, rules)


def _damage_loss(hp: int | None, temp: int, amount: int, rules: PoolRules) -> Loss:
    absorbed = min(temp, amount) if rules.temporary else 0
    meant = rest = amount - absorbed
    if hp is not None:
        rest = min(rest, max(0, hp - (-LARGEST if rules.floor is None else rules.floor)))
    return Loss(hp=rest, temp=absorbed, beyond=meant - rest)


def _healing_loss(hp: int | None, hp_max: int | None, amount: int, rules: PoolRules) -> Loss:
    if hp is None:
        return NO_LOSS
    most = hp_max if rules.capped and hp_max is not None else LARGEST
    healed = max(0, min(amount, most - hp))
    return Loss(hp=-healed, beyond=healed - amount)
