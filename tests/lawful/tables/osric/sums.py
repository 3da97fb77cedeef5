"""The sums of the catalogue: surprise, initiative, keys, who stands, what spoils; and how facts are told and looked at."""

import random
from typing import Any

from tests.lawful.fight import Fight
from tests.lawful.tables.osric.people import OPTIONS, Key, One, Spell


class Sums:
    """The facts recorded so far, and what follows from them by the catalogue."""

    def __init__(self, dice: random.Random) -> None:
        self.d = dice
        chosen = {name: dice.choice(values) for name, values in OPTIONS.items() if dice.random() < 0.15}
        if chosen.get("effect-segment") == "last-casting-segment" and dice.random() < 2:
            for other in ("spoil-window", "surprise-spell", "surprise-carry"):
                chosen.pop(other, None)
        self.options = {name: values[0] for name, values in OPTIONS.items()} | chosen
        self.fight = Fight(options=chosen)
        self.ones: dict[str, One] = {}
        self.surprise: dict[str, tuple[int, int]] = {}
        self.settled: dict[str, tuple[str, ...]] = {}
        self.dice: dict[str, int] = {}
        self.z = self.round = self.segment = self.told_segment = self.high = 0
        self.is_open = self.by_clock = self.after_effect = False
        self.reached: int | None = None
        self.drinking = False

    # ------------------------------------------------------------ telling

    def chance(self, of: float) -> bool:
        return self.d.random() < of

    def up(self) -> list[One]:
        return [one for one in self.ones.values() if one.here and one.out is None]

    def others(self, one: One) -> list[One]:
        return [each for each in self.ones.values() if each.here and each.side != one.side]

    @property
    def now(self) -> int:
        return 10 * (self.round - 1) + self.segment if self.round else self.segment - self.z

    def come(self, to: int) -> None:
        """Let play come to a segment, counted through; what lasts for a time runs out."""
        self.reached = to if self.reached is None else max(self.reached, to)
        for one in self.ones.values():
            one.effects[:] = [each for each in one.effects if each.left(self.reached) > 0]
            one.conditions[:] = [each for each in one.conditions if each.left(self.reached) > 0]

    def row(self, type: str, **fields: Any) -> int:  # noqa: A002
        """Record a fact of this segment that stands by itself, with its segment or under the clock."""
        if not self.by_clock:
            fields["segment"] = self.segment
        elif self.told_segment != self.segment:
            surprise = {"surprise": True} if not self.round and self.chance(0.5) else {}
            self.fight.tell("segment_reached", segment=self.segment, **surprise)
            self.told_segment = self.segment
        self.come(self.now)
        self.high = max(self.high, self.segment)
        return self.fight.tell(type, **fields)

    def of(self, cause: int, type: str, **fields: Any) -> int:  # noqa: A002
        """Record an outcome; right after its cause, and under the clock, it need not name that."""
        if not self.by_clock or cause != self.fight.seq or self.chance(0.5):
            fields["cause"] = self.d.choice((cause, cause - self.fight.seq - 1))
        if type == "damage_dealt" and self.chance(0.03):
            seq = self.fight.tell(type, **{**fields, "amount": fields["amount"] + 9})
            self.fight.tell("amended", event=seq, replacement={"type": type, **fields})
            return seq
        return self.fight.tell(type, **fields)

    def look(self) -> None:
        """Note values of the clock and of some combatants; now and then they are stated as well."""
        values: dict[str, Any] = {"round": self.round, "surprise.length": self.z}
        if self.dice and self.is_open:
            highest = max(self.dice.values())
            first = [side for side, die in self.dice.items() if die == highest]
            values["initiative"] = first[0] if len(first) == 1 else first
            values["order"] = self.order()
            values |= {f"{side}.segment": min(10, self.highest(side)) for side in self.dice}
        elif not self.round:
            values["order"] = self.surprise_order()
            for side, (die, threshold) in self.surprise.items():
                values[f"{side}.surprise"] = die if die <= threshold else 0
        else:
            values["seconds"] = 60 * (self.round - self.is_open)
        here = [one for one in self.ones.values() if one.here]
        for one in self.d.sample(here, min(3, len(here))):
            values |= {f"{one.id}.{name}": value for name, value in self.values(one).items()}
        self.fight.note(values)
        if self.chance(0.1):
            stated = self.d.sample(sorted(values), min(3, len(values)))
            self.fight.tell("checked", values={each: values[each] if values[each] != [] else "none" for each in stated})
            self.fight.note(values)

    def values(self, one: One) -> dict[str, Any]:
        found: dict[str, Any] = {"hp": one.hp, "hp_max": one.top, "status": "out" if one.hp <= self.limit else "up"}
        found["routines"] = one.routines + any(each.name == "hasted" for each in one.conditions)
        found["effects"] = [each.name for each in one.effects]
        found["conditions"] = [each.name for each in one.conditions]
        found |= {f"effects.{each.name}": each.left(self.reached or 0) for each in one.effects[-1:]}
        if self.round == 0:
            found["surprise"] = self.length(one)
        elif self.dice and self.is_open and one.side in self.dice and one.here:
            found["segment"] = self.shown(one)[1]
        spell = one.spell
        if not spell or not spell.silent:
            found["casting"] = found["concentration"] = spell.name if spell else "none"
            found["casting.due"] = self.where(spell.due) if spell else "none"
        return found

    def where(self, segment: int) -> int | str:
        number, there = ((segment - 1) // 10 + 1, (segment - 1) % 10 + 1) if segment > 0 else (0, segment + self.z)
        return there if number == self.round else f"r{number}s{there}" if number else f"s{there}"

    # ------------------------------------------------------------ surprise

    def base(self, one: One) -> int:
        if one.side in self.settled:
            return int(one.id in self.settled[one.side])
        die, threshold = self.surprise.get(one.side, (0, 2))
        threshold = threshold if one.own_threshold is None else one.own_threshold
        return die if 1 <= die <= threshold else 0

    def length(self, one: One) -> int:
        base = self.base(one)
        creates = self.options["dexterity-penalty"] == "creates" and one.quick < 0 and self.threshold(one) > 0
        return max(0, base - one.quick) if base or creates else 0

    def threshold(self, one: One) -> int:
        return self.surprise.get(one.side, (0, 2))[1] if one.own_threshold is None else one.own_threshold

    def surprise_order(self) -> list[list[str]]:
        found = []
        for z in range(1, self.z + 1):
            free = [one for one in self.ones.values() if one.here and self.length(one) < z]
            found.append([one.id for one in free if one.out is None or one.out >= (0, z, 1, 0, 0, 1)])
        return [slot for slot in found if slot]

    # ------------------------------------------------------------ initiative

    def own(self, one: One, shot: bool) -> Key:
        """Return an act's own place: of a shot, or of another act."""
        die, highest = self.dice[one.side], self.highest(one.side)
        bonus = one.missile if shot or self.options["missile-bonus-for"] == "weapon-in-hand" else 0
        bonus = 0 if one.turn.readied else bonus
        if bonus and self.options["missile-initiative"] == "win-only":
            if die > highest or die + bonus <= highest:
                bonus = 0
            else:
                first = min(self.highest(side) for side in self.dice if side != one.side)
                return (self.round, first, 1, -1, -(die + bonus), 1)
        raw = highest - bonus
        segment = min(10, max(1, raw))
        return (self.round, segment, 1, raw - segment, -(die + bonus), 1)

    def highest(self, side: str) -> int:
        return max(die for other, die in self.dice.items() if other != side)

    def shown(self, one: One) -> Key:
        """Return the place in the order of a combatant's act or declaration; where it is not known, as if a shot is meant."""
        meant = one.turn.did or one.turn.said
        return self.own(one, meant is None or "missile" in meant.get("manner", ()))

    def order(self) -> list[list[str]]:
        there = [one for one in self.ones.values() if one.here and (one.out is None or one.out[0] >= self.round)]
        placed: dict[Key, list[str]] = {}
        for one in there:
            placed.setdefault(self.shown(one), []).append(one.id)
        return [placed[key] for key in sorted(placed)]

    def due_routines(self, one: One) -> int:
        now = max(self.now, self.reached or self.now)
        return one.routines + any(each.name == "hasted" and each.left(now) > 0 for each in one.conditions)

    def first_further(self, one: One, shot: bool) -> int:
        last = max(self.highest(side) for side in self.dice if side != one.side)
        how = self.options["second-routine"]
        return max(self.own(one, shot)[1], last + (how != "same-segment-after"), 7 if how == "segment-seven-on" else 0)

    # ------------------------------------------------------------ keys, falling, hurting

    @property
    def limit(self) -> int:
        return int(self.options["out-of-action-at"])

    def key(self, one: One, shot: bool = False, further: bool = False) -> Key:
        here, chosen = (self.round, self.segment), (self.round, self.segment, 2, 0, 0, 1)
        if not self.round:
            return (*here, 1, 0, 0, 1)
        own = self.own(one, shot)
        if further:
            return chosen
        if own[1] == self.segment:
            return own
        due = sorted(
            self.shown(each)
            for each in self.ones.values()
            if each is not one and each.here and (each.out is None or each.out[0] >= self.round)
        )
        due = [key for key in due if key[1] == self.segment]
        if due and self.options["hold-order"] == "before":
            return (*here, 1, min(key[3] for key in due) - 1, own[4], 1)
        return due[-1] if due and self.options["hold-order"] == "at-once" else chosen

    def stands(self, one: One, key: Key, deals: bool = False) -> bool:
        """Say whether a combatant is in action at a key of this segment, or deals a blow in it all the same."""
        if deals and one.out and one.out[0] == self.round > 0 and self.options["tie-damage"] == "whole-round":
            return list(self.dice.values()).count(self.dice[one.side]) > 1
        if one.trail.was_out:
            return one.trail.rose is not None and key > one.trail.rose
        return one.out is None or key <= one.out

    def falls(self, one: One, key: Key, amount: int) -> Key | None:
        """Return the key from which on a combatant is out of action with one blow more."""
        hp = one.trail.hp
        for at, lost in sorted([*one.trail.blows, (key, amount)], key=lambda blow: blow[0]):
            hp -= lost
            if hp <= self.limit:
                return at
        return None

    def may_lose(self, one: One, key: Key, amount: int, answered: Key | None = None) -> bool:
        """Say whether a blow leaves all rows of the segment lawful that were told before it."""
        if one.trail.healed:
            return False
        fell = None if one.trail.was_out else self.falls(one, key, amount)
        acts = list(one.trail.acts)
        if answered in acts:
            acts.remove(answered)
        return fell is None or all(act <= fell for act in acts)

    def lose(self, one: One, key: Key, amount: int, hit: bool, by: One | None = None) -> None:
        """Take hit points off, and let the blow spoil what it spoils."""
        one.tied = amount if amount and by and by.out is not None else 0 if amount else one.tied
        was_up = one.out is None
        one.hp -= amount
        one.trail.blows.append((key, amount))
        if not one.trail.was_out:
            one.out = self.falls(one, (0, 0, 0, 0, 0, 0), 0)
        fell = was_up and one.out is not None
        cause = self.options["spoil-cause"]
        if fell or (cause == "damage" and amount > 0) or (cause == "hit" and hit):
            self.disturb(one, key)

    def disturb(self, one: One, key: Key) -> None:
        one.trail.hurt = one.turn.hurt = True
        for spell in one.spells:
            if not spell.ended and self.spoils(spell, key):
                self.end(spell, "spoiled")

    def spoils(self, spell: Spell, key: Key) -> bool:
        first = spell.start + (self.options["spoil-from"] == "next-segment")
        last = spell.start + spell.time - 1
        if self.options["spoil-from"] == "round-start" and spell.start > 0:
            first = spell.start - (spell.start - 1) % 10
        if self.options["spoil-window"] == "through-effect":
            last = spell.due
        return first <= self.now <= last and (self.now < spell.due or key[2] < spell.band)

    def end(self, spell: Spell, how: str) -> None:
        spell.ended = how
        turn, carried = self.ones[spell.who].turn, 0 < self.round > spell.round
        if carried and how != "done":
            turn.bound = "declare.spell-not-substituted"
        elif carried and self.options["after-long-spell"] == "no-action":
            turn.bound = "spell.carries-into-next-round"

    # ------------------------------------------------------------ places and routines

    def routine_left(self, one: One, shot: bool) -> bool:
        """Say whether a combatant may use a routine in this segment."""
        turn = one.turn
        if not self.round:
            allowed = self.due_routines(one) if self.options["surprise-routines"] == "all-due" else 1
            return turn.used < min(allowed, self.due_routines(one))
        if turn.used >= self.due_routines(one):
            return False
        return not turn.used or self.segment >= self.first_further(one, shot)

    def may_hold(self, one: One, own: int) -> bool:
        if self.options["hold-until"] == "segment-seven-on" and self.segment < 7:
            return self.segment == own
        return self.options["hold-announced"] == "not-needed" or one.turn.held or self.segment == own

    def place(self, one: One, shot: bool = False, further: bool = False, deals: bool = False) -> Key | None:
        """Return the key of an act now; None where it has no place."""
        if self.round and not further:
            own = self.own(one, shot)[1]
            if self.segment < own or not self.may_hold(one, own):
                return None
        key = self.key(one, shot, further)
        return key if self.stands(one, key, deals) else None

    def is_bound(self, one: One) -> bool:
        """Say whether a combatant casts, or declared a spell for this round, or was casting one into it."""
        return one.spell is not None or one.turn.spell is not None or bool(one.turn.bound)

    def due_of(self, start: int, time: int) -> tuple[int, int]:
        last = start + time - 1
        if start <= 0 and last <= 0 and self.options["surprise-spell"] == "end-of-last-segment":
            return last, 3
        if start > 0 and self.options["effect-segment"] == "last-casting-segment":
            return last, 3
        return last + 1, 3 if self.options["spoil-window"] == "through-effect" else 0

    def due(self, band: int) -> list[Spell]:
        spells = [spell for one in self.ones.values() for spell in one.spells if not spell.ended]
        return [spell for spell in spells if (spell.due, spell.band) == (self.now, band)]

    def sides(self) -> list[str]:
        return list(dict.fromkeys(one.side for one in self.ones.values() if one.here))
