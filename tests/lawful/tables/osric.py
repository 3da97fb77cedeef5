"""OSRIC by a table of its own: the rules as the catalogue words them, in plain sums; facts are told in any lawful order.

Time is counted through: 1 is segment 1 of round 1, 11 is segment 1 of round 2, the last surprise segment is 0. A key is
(round, segment, band, lead, rank, cut), as the catalogue defines it.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.lawful.fight import Fight

Key = tuple[int, int, int, int, int, int]
NAMES = [
    "ada",
    "bram",
    "cleo",
    "dov",
    "eli",
    "fang",
    "gog",
    "hush",
    "ivo",
    "jen",
    "kell",
    "lum",
    "moth",
    "nib",
    "oda",
    "pell",
]
SIDES = ("heroes", "orcs", "wolves")
SPELLS = {"bolt": 2, "web": 3, "hex": 1, "curse": 5, "bless": 9, "ward": "round", "storm": 13}
"""Spells with their casting time in segments."""
OPTIONS = {
    "surprise-routines": ("one", "all-due"),
    "surprise-spell": ("end-of-last-segment", "start-of-next"),
    "surprise-carry": ("runs-on", "lost"),
    "dexterity-penalty": ("lengthens", "creates"),
    "missile-initiative": ("shift", "win-only"),
    "missile-bonus-for": ("missile-attacks", "weapon-in-hand"),
    "hold-until": ("any-later-segment", "segment-seven-on"),
    "hold-announced": ("not-needed", "required"),
    "hold-order": ("after", "before", "at-once"),
    "second-routine": ("later-segment", "same-segment-after", "segment-seven-on"),
    "effect-segment": ("start-plus-time", "last-casting-segment"),
    "after-long-spell": ("acts-after-effect", "no-action"),
    "spoil-cause": ("damage", "hit", "ruling"),
    "spoil-from": ("start-segment", "next-segment", "round-start"),
    "spoil-window": ("until-effect", "through-effect"),
    "tie-damage": ("shared-segment", "whole-round"),
    "interrupt-order": ("before", "at-once"),
    "interrupt-cost": ("flee-free", "all-free", "all-count"),
    "out-of-action-at": ("0", "-1", "-3", "-10"),
}


@dataclass
class Spell:
    """A casting: its first segment and its time, told by the record `seq`, which is the declaration where none tells it."""

    who: str
    name: str
    seq: int
    round: int
    start: int
    time: int
    due: int
    band: int
    silent: bool = False
    ended: str = ""


@dataclass
class Lasting:
    """An effect or a condition of a bearer, for so many spans of `each` segments from `since` on; without end if None."""

    name: str
    source: str = ""
    amount: int | None = None
    each: int = 1
    since: int = 0

    def left(self, now: int) -> int | bool:
        """Return what is left of it."""
        return True if self.amount is None else self.amount - (now - self.since) // self.each


@dataclass
class Turn:
    """What somebody has said and done in a round, or in a surprise segment."""

    said: dict[str, Any] | None = None
    seq: int = 0
    spell: tuple[str, int] | None = None
    given_up: bool = False
    begun: bool = False
    by_word: bool = False
    bound: str = ""
    did: dict[str, Any] | None = None
    used: int = 0
    numbers: int = 0
    readied: bool = False
    held: bool = False
    waits: bool = False
    parts: dict[int, int] = field(default_factory=dict)
    hurt: bool = False


@dataclass
class Trail:
    """How somebody came through a segment: hit points and standing as it began, blows and acts by their keys."""

    hp: int
    was_out: bool
    blows: list[tuple[Key, int]] = field(default_factory=list)
    acts: list[Key] = field(default_factory=list)
    rose: Key | None = None
    healed: bool = False
    hurt: bool = False


@dataclass
class One:
    """A combatant with its sheet, and how it stands."""

    id: str
    side: str
    hp: int
    top: int
    quick: int = 0
    missile: int = 0
    routines: int = 1
    own_threshold: int | None = None
    here: bool = True
    spear: bool = False
    kept: bool = False
    gave_up: bool = False
    tied: int = 0
    out: Key | None = None
    effects: list[Lasting] = field(default_factory=list)
    conditions: list[Lasting] = field(default_factory=list)
    spells: list[Spell] = field(default_factory=list)
    turn: Turn = field(default_factory=Turn)
    trail: Trail = field(default_factory=lambda: Trail(0, False))

    @property
    def spell(self) -> Spell | None:
        """The spell that it is casting."""
        return next((spell for spell in self.spells if not spell.ended), None)


class Table:
    """A fight as it is played; `play` yields the names of the moments at which a rule may be broken."""

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
        """Tell a fact of this segment that stands by itself, with its segment or under the clock."""
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
        """Tell an outcome; right after its cause, and under the clock, it need not name that."""
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
        elif not self.round:
            values["order"] = self.surprise_order()
        here = [one for one in self.ones.values() if one.here]
        for one in self.d.sample(here, min(3, len(here))):
            values |= {f"{one.id}.{name}": value for name, value in self.values(one).items()}
        self.fight.note(values)
        if self.chance(0.1):
            stated = self.d.sample(sorted(values), min(3, len(values)))
            self.fight.tell("checked", values={each: values[each] if values[each] != [] else "none" for each in stated})
            self.fight.note(values)

    def values(self, one: One) -> dict[str, Any]:
        """Return what is known of a combatant."""
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
        """Return a segment, counted through, as it is written."""
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
        """Return the own place of an act that is a shot, or is not."""
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
        """Return the place in the order: of what somebody did or declared; where nobody knows, as if a shot is meant."""
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
        """Return the first segment for a further routine."""
        last = max(self.highest(side) for side in self.dice if side != one.side)
        how = self.options["second-routine"]
        return max(self.own(one, shot)[1], last + (how != "same-segment-after"), 7 if how == "segment-seven-on" else 0)

    # ------------------------------------------------------------ keys, falling, hurting

    @property
    def limit(self) -> int:
        return int(self.options["out-of-action-at"])

    def key(self, one: One, shot: bool = False, further: bool = False) -> Key:
        """Return the key of an act in this segment."""
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
        """Say whether somebody is in action at a key of this segment, or deals a blow in it all the same."""
        if deals and one.out and one.out[0] == self.round > 0 and self.options["tie-damage"] == "whole-round":
            return list(self.dice.values()).count(self.dice[one.side]) > 1
        if one.trail.was_out:
            return one.trail.rose is not None and key > one.trail.rose
        return one.out is None or key <= one.out

    def falls(self, one: One, key: Key, amount: int) -> Key | None:
        """Return from which key on somebody is out of action with one blow more."""
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
        """Say whether a disturbance in this segment spoils a casting."""
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

    # ------------------------------------------------------------ acts

    def act(self, one: One, key: Key, kind: str, **more: Any) -> int:
        """Tell an act."""
        action = {"kind": kind, **more}
        seq = self.row("action_taken", combatant=one.id, action=action)
        self.did(one, key, action)
        return seq

    def did(self, one: One, key: Key, action: dict[str, Any]) -> None:
        one.turn.did = one.turn.did or action
        one.trail.acts.append(key)
        one.turn.waits = self.after_effect = False
        if action["kind"] in ("move", "flee", "charge"):
            one.spear = False
        if action["kind"] == "set-spear":
            one.spear = True
        if action["kind"] == "ready" and self.dice:
            one.turn.readied = True

    def blow(self, one: One, at: One, cause: int, key: Key, shot: bool = False, answered: Key | None = None) -> None:
        """Tell a blow that belongs to an act: by its roll, by its damage, or by both."""
        amount = self.d.choice((0, 1, 2, 3, 4, 6, 9))
        if self.options["spoil-cause"] == "hit" and amount == 0:
            amount = 1
        hit = self.chance(0.7) and self.may_lose(at, key, amount, answered)
        if not hit or self.chance(0.5):
            cause = self.of(cause, "attack_rolled", combatant=one.id, target=at.id, hit=hit, **self.roll(one, shot))
            if hit and self.options["spoil-cause"] == "hit":
                self.disturb(at, key)
        if hit:
            source = {"source": one.id} if self.chance(0.2) else {}
            self.of(cause, "damage_dealt", target=at.id, amount=amount, **source)
            self.lose(at, key, amount, hit=True, by=one)

    def roll(self, one: One, shot: bool) -> dict[str, Any]:
        """Return an attack die, its modifiers and its total."""
        if self.chance(0.4):
            return {}
        die, bonus = self.d.randint(1, 20), one.missile if shot else 0
        more: list[dict[str, Any]] = (
            [{"name": "strength", "amount": self.d.randint(2, 3) + 10}] if self.chance(0.3) else []
        )
        if more and bonus and self.chance(0.5):
            more.append({"name": "missile bonus", "amount": bonus})
        total = die + bonus + (more[0]["amount"] if more else 0)
        said = {"total": total} if self.chance(0.7) else {}
        return {"die": die, **({"modifiers": more} if more else {}), **said}

    def routine_left(self, one: One, shot: bool) -> bool:
        """Say whether somebody may use a routine in this segment."""
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

    def attack(self, one: One) -> None:
        shot = self.chance(0.8 if one.missile else 0.2)
        further, foes = bool(one.turn.used and self.round), self.others(one)
        if not foes or not self.routine_left(one, shot):
            return
        key = self.place(one, shot, further, deals=True)
        if key is None:
            return
        at, weapon = self.d.choice(foes), "bow" if shot else "sword"
        fresh = not one.trail.acts and not one.spells and not one.gave_up and not self.after_effect
        bears = any(each.source == one.id for each in (*at.effects, *at.conditions))
        if not shot and fresh and not bears and self.chance(0.2):
            self.told_alone(one, at, key)
        else:
            self.blows(one, at, key, weapon, shot)
        self.uses(one)

    def told_alone(self, one: One, at: One, key: Key) -> None:
        """Tell an attack by its roll or by its damage alone."""
        amount = self.d.randint(1, 6)
        if not self.may_lose(at, key, amount) or self.chance(0.3):
            self.row("attack_rolled", combatant=one.id, target=at.id, hit=False)
        elif self.chance(0.5):
            seq = self.row("attack_rolled", combatant=one.id, target=at.id, name="axe", hit=True)
            if self.options["spoil-cause"] == "hit":
                self.disturb(at, key)
            self.of(seq, "damage_dealt", target=at.id, amount=amount)
            self.lose(at, key, amount, hit=True, by=one)
        else:
            self.row("damage_dealt", target=at.id, amount=amount, source=one.id)
            self.lose(at, key, amount, hit=True, by=one)
        self.did(one, key, {"kind": "attack"})

    def blows(self, one: One, at: One, key: Key, weapon: str, shot: bool) -> None:
        """Tell a routine of one or more blows, in one row or in several."""
        manner = {"manner": ["missile"]} if shot else self.d.choice(({}, {"manner": ["melee"]}))
        number = {"routine": one.turn.numbers + 1} if self.chance(0.5) else {}
        for _ in range(self.d.choice((1, 1, 2, 3)) if number else 1):
            seq = self.act(one, key, "attack", name=weapon, targets=[at.id], **manner, **number)
            for _ in range(self.d.choice((1, 1, 2))):
                self.blow(one, at, seq, key, shot)

    def uses(self, one: One) -> None:
        one.turn.used += 1
        one.turn.numbers += 1
        one.turn.parts[one.turn.numbers] = self.segment

    def place(self, one: One, shot: bool = False, further: bool = False, deals: bool = False) -> Key | None:
        """Return the key of an act now; None where it has no place."""
        if self.round and not further:
            own = self.own(one, shot)[1]
            if self.segment < own or not self.may_hold(one, own):
                return None
        key = self.key(one, shot, further)
        return key if self.stands(one, key, deals) else None

    def charge(self, one: One) -> None:
        foes, further = self.others(one), bool(one.turn.used and self.round)
        if (
            not foes
            or not self.routine_left(one, False)
            or (key := self.place(one, further=further, deals=True)) is None
        ):
            return
        at = self.d.choice(foes)
        ready = [each for each in foes if each.spear and each is at]
        seq = self.act(one, key, "charge", targets=[at.id])
        self.uses(one)
        for each in ready:
            self.interrupt(each, one, seq, key, extra=self.options["interrupt-cost"] == "all-free")
        if self.stands(one, key, deals=True) and self.chance(0.8):
            if self.chance(0.5):
                seq = self.act(one, key, "attack", name="axe", targets=[at.id])
            self.blow(one, at, seq, key)

    def flee(self, one: One) -> None:
        foes = self.others(one)
        if not foes or (key := self.place(one)) is None:
            return
        left = self.d.sample(foes, self.d.randint(1, min(3, len(foes))))
        seq = self.act(one, key, "flee", targets=[each.id for each in left])
        for each in left:
            self.interrupt(each, one, seq, key, extra=self.options["interrupt-cost"] != "all-count")

    def interrupt(self, one: One, other: One, seq: int, opening: Key, extra: bool) -> None:
        """Let somebody strike out of turn, if it may."""
        key = (*opening[:5], 0 if self.options["interrupt-order"] == "before" else 1)
        surprised = not self.round and self.length(one) >= self.segment
        left = one.turn.used < (self.due_routines(one) if self.round else min(1, self.due_routines(one)))
        if surprised or self.is_bound(one) or not self.stands(one, key) or not (left or extra) or self.chance(0.3):
            return
        action = {"kind": "attack", "name": "spear", "targets": [other.id], "cost": "interrupt"}
        blow = self.row(
            "action_taken", combatant=one.id, action=action, trigger=self.d.choice((seq, seq - self.fight.seq - 1))
        )
        one.trail.acts.append(key)
        one.turn.used += not extra
        self.blow(one, other, blow, key, answered=opening)

    def is_bound(self, one: One) -> bool:
        """Say whether somebody casts, or declared a spell for this round, or was casting one into it."""
        return one.spell is not None or one.turn.spell is not None or bool(one.turn.bound)

    def simple(self, one: One) -> None:
        """Tell an act that uses no routine."""
        if (key := self.place(one)) is None:
            return
        kind = self.d.choice(("move", "set-spear", "ready", "other"))
        if self.chance(0.2):
            self.condition(one)
            return
        seq = self.act(one, key, kind, **({"name": "draught"} if kind == "other" else {}))
        if kind == "other" and self.chance(0.5):
            self.heal(self.d.choice([each for each in self.ones.values() if each.here]), seq, key)

    def condition(self, one: One) -> None:
        """Tell by a condition, gained or lost, what somebody has in hand."""
        name = self.d.choice(("spear set", "weapon readied"))
        gained = all(each.name != name for each in one.conditions)
        self.row("condition_gained" if gained else "condition_lost", condition=name, targets=[one.id])
        one.conditions = [each for each in one.conditions if each.name != name] + [Lasting(name)] * gained
        one.spear = gained if name == "spear set" else one.spear
        one.turn.readied = one.turn.readied or (gained and name == "weapon readied" and bool(self.dice))
        self.after_effect = True

    def heal(self, one: One, cause: int, key: Key) -> None:
        if one.trail.blows or one.trail.healed:
            return
        amount = self.d.randint(1, 12)
        self.of(cause, "healed", target=one.id, amount=amount)
        self.regain(one, amount, key)

    def regain(self, one: One, amount: int, key: Key) -> None:
        one.tied = 0 if one.hp < one.top else one.tied
        one.hp, one.trail.healed = min(one.top, one.hp + amount), True
        if one.out and one.hp > self.limit:
            one.out, one.trail.rose = None, key

    # ------------------------------------------------------------ spells

    def due_of(self, start: int, time: int) -> tuple[int, int]:
        """Return the segment and the band of an effect."""
        last = start + time - 1
        if start <= 0 and last <= 0 and self.options["surprise-spell"] == "end-of-last-segment":
            return last, 3
        if start > 0 and self.options["effect-segment"] == "last-casting-segment":
            return last, 3
        return last + 1, 3 if self.options["spoil-window"] == "through-effect" else 0

    def cast(self, one: One) -> None:
        """Begin a spell, with a row or without."""
        turn = one.turn
        if (key := self.place(one)) is None or (turn.hurt and self.options["spoil-from"] == "round-start"):
            return
        if self.round == 0:
            name, time = self.pick_spell(one)
        elif turn.spell is None or turn.given_up or turn.begun:
            return
        else:
            name, time = turn.spell
        own = self.round and self.own(one, False)[1]
        silent = self.round > 0 and self.segment == own and self.chance(0.2)
        said: dict[str, Any] = {"name": name, "time": self.span(time)}
        if self.round and self.chance(0.3):
            said.pop(self.d.choice(("name", "time")))
        seq = turn.seq if silent else self.act(one, key, "cast", **said)
        if silent:
            one.trail.acts.append(key)
        turn.begun = True
        due, band = self.due_of(self.now, time)
        spell = Spell(one.id, name, seq, self.round, self.now, time, due, band, silent)
        one.spells.append(spell)
        if one.trail.hurt and self.spoils(spell, (0, 0, -1, 0, 0, 0)):
            self.end(spell, "spoiled")

    def pick_spell(self, one: One) -> tuple[str, int]:
        busy = {spell.name for spell in one.spells}
        name = self.d.choice([each for each in SPELLS if each not in busy] or ["light"])
        time = SPELLS.get(name, 1)
        return name, time if isinstance(time, int) else 10

    def span(self, time: int) -> Any:
        if time == 10:
            return {"amount": 1, "unit": "round"}
        return self.d.choice((time, {"amount": time, "unit": "segment"}))

    def takes_effect(self, spell: Spell) -> None:
        """Tell what a spell comes to."""
        if spell.ended:
            return
        one, key = self.ones[spell.who], (self.round, self.segment, spell.band, 0, 0, 1)
        at = self.d.choice([each for each in self.ones.values() if each.here])
        amount = self.d.randint(1, 8)
        ends = any(each.due == self.now and each.band == 3 for each in at.spells if not each.ended)
        hurts = self.may_lose(at, key, amount) and at is not one and not (ends and spell.band == 3)
        by = {"cause": spell.seq, "segment": self.segment} if one.trail.acts or self.chance(0.5) else {}
        self.after_effect = True
        self.end(spell, "done")
        if self.chance(0.15) and hurts:
            self.row("damage_dealt", target=at.id, amount=amount, source=one.id, **by)
            self.lose(at, key, amount, hit=False)
        elif self.chance(0.15) and not (at.trail.blows or at.trail.healed):
            self.row("healed", target=at.id, amount=amount, source=one.id, **by)
            self.regain(at, amount, key)
        else:
            seq = self.begins(one, at, spell, by)
            if hurts and self.chance(0.5):
                self.of(seq, "damage_dealt", target=at.id, amount=amount)
                self.lose(at, key, amount, hit=False)

    def begins(self, one: One, at: One, spell: Spell, by: dict[str, int]) -> int:
        """Tell an effect or a condition that a spell begins on somebody; return its seq."""
        word = self.d.choice(("effect", "effect", "condition"))
        borne = at.effects if word == "effect" else at.conditions
        if word == "effect" and (self.chance(0.3) or any(each.name == spell.name for each in borne)):
            return self.row("effect_started", effect=spell.name, source=one.id, **by)
        lasts, more = self.lasting(spell.name, one.id)
        seq = self.row(
            "effect_started" if word == "effect" else "condition_gained",
            **{word: spell.name, "source": one.id, "targets": [at.id], **more, **by},
        )
        borne[:] = [each for each in borne if each.name != spell.name] + [lasts]
        return seq

    def lasting(self, name: str, source: str = "") -> tuple[Lasting, dict[str, Any]]:
        """Return something that lasts from now on, and how its duration is said."""
        since = max(self.now, self.reached or self.now) if self.segment else self.reached or 0
        if self.chance(0.3):
            return Lasting(name, source), {}
        unit, each, by = self.d.choice((("segment", 1, 1), ("round", 10, 1), ("turn", 10, 10)))
        amount = self.d.randint(1, 7)
        return Lasting(name, source, amount * by, each, since), {"duration": {"amount": amount, "unit": unit}}

    def give_up(self, one: One) -> None:
        spell, turn = one.spell, one.turn
        named = {"name": spell.name} if spell else {"name": turn.spell[0]} if turn.spell else {}
        if spell is None and (turn.spell is None or turn.begun or turn.given_up):
            return
        if spell and spell.due <= self.now:
            return
        self.row("action_abandoned", combatant=one.id, **named)
        if spell is None or (turn.spell and turn.spell[0] == spell.name):
            turn.given_up = one.gave_up = True
        if spell:
            self.end(spell, "withdrawn")

    # ------------------------------------------------------------ the run of a fight

    def muster(self, side: str) -> None:
        """Let somebody join."""
        names = [name for name in NAMES if name not in self.ones]
        name = self.d.choice(names) if names else f"guest-{len(self.ones)}"
        pick = self.d.choice
        one = One(
            name,
            side,
            hp := self.d.randint(4, 24),
            hp + pick((0, 0, 5)),
            quick=pick((0, 0, 0, 1, 2, -1)),
            missile=pick((0, 0, 1, 2, 3, -1, -2)),
            routines=pick((1, 1, 1, 2)),
            own_threshold=pick((None, None, None, None, 0, 1)),
        )
        sheet = {"hp": one.hp, "hp_max": one.top, "surprise_bonus": one.quick, "missile_bonus": one.missile}
        own = {} if one.own_threshold is None else {"surprised_on": one.own_threshold}
        self.fight.tell("combatant_joined", combatant=name, side=side, sheet={**sheet, "routines": one.routines, **own})
        one.trail = Trail(one.hp, was_out=False)
        self.ones[name] = one

    def settle_surprise(self) -> None:
        """Tell the surprise check."""
        how, sides = self.d.random(), self.sides()
        if how < 0.2:
            self.fight.tell("surprise_settled")
            self.settled = dict.fromkeys(sides, ())
        for side in self.d.sample(sides, len(sides)) if how >= 0.2 else ():
            if self.chance(0.2):
                members = [one.id for one in self.ones.values() if one.side == side]
                caught = tuple(self.d.sample(members, self.d.choice((0, 0, 1))))
                self.fight.tell("surprise_settled", sides=[side], **({"surprised": list(caught)} if caught else {}))
                self.settled[side] = caught
            else:
                die, on = self.d.choice((1, 1, 2, 2, 3, 4, 5, 6)), self.d.choice((2, 2, 2, 3, 4))
                self.fight.tell("surprise_rolled", side=side, die=die, **({"surprised_on": on} if on != 2 else {}))
                self.surprise[side] = (die, on)
        self.z = max(self.length(one) for one in self.ones.values())

    def sides(self) -> list[str]:
        return list(dict.fromkeys(one.side for one in self.ones.values() if one.here))

    def play(self, rounds: int) -> Iterator[str]:
        """Play so many rounds."""
        for side in SIDES[: self.d.choice((2, 2, 2, 3))]:
            for _ in range(self.d.randint(2, 4)):
                self.muster(side)
        yield "mustered"
        self.settle_surprise()
        self.look()
        yield "settled"
        yield from self.segments(self.z, "surprise segment")
        for _ in range(rounds):
            self.open()
            yield "opened"
            self.arrivals()
            self.declare()
            yield "declared"
            self.throw()
            yield "thrown"
            yield from self.segments(10, "segment")
            yield "played"
            self.fight.tell("round_ended", **({"round": self.round} if self.chance(0.5) else {}))
            self.is_open = False
            self.come(10 * self.round)
            yield "closed"

    def segments(self, number: int, moment: str) -> Iterator[str]:
        for self.segment in range(1, number + 1):
            self.by_clock = self.chance(0.5)
            for one in self.ones.values():
                one.trail = Trail(one.hp, was_out=one.out is not None)
                if not self.round:
                    one.turn = Turn(waits=one.turn.waits)
            yield moment
            self.play_segment()
            yield f"{moment} played"

    def open(self) -> None:
        self.fight.tell("round_started", round=self.round + 1)
        if self.round == 0 and self.options["surprise-carry"] == "lost":
            for one in self.ones.values():
                for spell in one.spells:
                    spell.ended = spell.ended or "lost"
        self.round, self.segment, self.told_segment, self.high, self.is_open = self.round + 1, 0, 0, 0, True
        self.dice = {}
        self.come(10 * (self.round - 1))
        for one in self.ones.values():
            one.kept, one.turn = one.turn.waits, Turn()

    def arrivals(self) -> None:
        """Let people come, go, and be hasted."""
        there = [side for side in self.sides() if any(one.side == side for one in self.up())]
        for side in SIDES:
            needed = len(there) < 2 and side not in there
            if needed or self.chance(0.1):
                self.muster(side)
                there.append(side)
        for one in list(self.ones.values()):
            if one.here and self.chance(0.03) and not one.spell and len(self.sides()) > 2:
                self.leaves(one)
            elif one.here and self.chance(0.05):
                self.changes(one)
            elif one.here and self.chance(0.05):
                lasts, more = self.lasting("hasted")
                self.fight.tell("condition_gained", condition="hasted", targets=[one.id], **more)
                one.conditions = [each for each in one.conditions if each.name != "hasted"] + [lasts]
            elif any(each.name == "hasted" for each in one.conditions) and self.chance(0.3):
                self.fight.tell("condition_lost", condition="hasted", targets=[one.id])
                one.conditions = [each for each in one.conditions if each.name != "hasted"]

    def changes(self, one: One) -> None:
        """Tell that a sheet is otherwise from now on, or that somebody was healed between the rounds."""
        self.d.choice((self.rises, self.learns))(one)

    def rises(self, one: One) -> None:
        amount = self.d.randint(1, 9)
        if self.chance(0.5):
            self.fight.tell("healed", target=one.id, amount=amount)
            self.regain(one, amount, (self.round, 0, 3, 0, 0, 1))
        else:
            one.hp, one.out, one.tied = amount, None, 0
            one.top = max(one.top, amount)
            self.fight.tell("sheet_changed", combatant=one.id, sheet={"hp": amount, "hp_max": one.top})

    def learns(self, one: One) -> None:
        one.missile, one.routines = self.d.randint(-1, 2), self.d.randint(1, 2)
        sheet = {"missile_bonus": one.missile, "routines": one.routines}
        self.fight.tell("sheet_changed", combatant=one.id, sheet=sheet)

    def leaves(self, one: One) -> None:
        self.fight.tell("combatant_left", combatant=one.id)
        one.here, one.effects, one.conditions = False, [], []

    def declare(self) -> None:
        """Tell declarations: spells, and words that bind nobody."""
        for one in self.d.sample(self.up(), len(self.up())):
            if one.spell and one.spell.due > 10 * self.round:
                continue
            for _ in range(self.d.choice((0, 1, 1, 2))):
                self.declares(one)
        self.look()

    def declares(self, one: One) -> None:
        turn = one.turn
        words: list[dict[str, Any]] = [{"kind": "attack", "name": "sword"}, {"kind": "other", "name": "hide"}]
        turn.spell, one.spear = None, one.spear and not turn.by_word
        if self.chance(0.5):
            turn.said = self.d.choice([*words, {"kind": "set-spear"}, {"kind": "attack", "manner": ["missile"]}])
            turn.by_word = turn.said["kind"] == "set-spear" and not one.spear
            one.spear = one.spear or turn.by_word
        else:
            turn.spell = self.pick_spell(one)
            turn.said = {"kind": "cast", "name": turn.spell[0], "time": self.span(turn.spell[1])}
        turn.seq = self.fight.tell("action_declared", combatant=one.id, action=turn.said)
        if turn.spell and self.chance(0.1):
            self.fight.tell("action_abandoned", combatant=one.id, name=turn.spell[0])
            turn.spell = turn.said = None

    def throw(self) -> None:
        for side in self.d.sample(self.sides(), len(self.sides())):
            self.dice[side] = self.d.randint(1, 6)
            self.fight.tell("initiative_rolled", side=side, die=self.dice[side])
        self.look()

    def play_segment(self) -> None:
        """Play a segment: whatever stands in it, in any order, and what comes at its end."""
        jobs: list[Callable[[], None]] = [partial(self.acts, one) for one in self.ones.values()]
        jobs += [job for job in (self.world, self.ruling, self.comes, self.goes) if self.chance(0.05)]
        jobs += [partial(self.takes_effect, spell) for spell in self.due(band=0)]
        self.d.shuffle(jobs)
        for job in (*jobs, self.effects):
            before = self.fight.seq
            job()
            if self.fight.seq != before and self.chance(0.5):
                self.look()

    def effects(self) -> None:
        for spell in self.due(band=3):
            self.takes_effect(spell)

    def comes(self) -> None:
        if self.dice:
            self.muster(self.d.choice(list(self.dice)))

    def goes(self) -> None:
        one = self.d.choice([one for one in self.ones.values() if one.here])
        if self.round and not one.spell and any(each.side == one.side for each in self.up() if each is not one):
            self.leaves(one)

    def world(self) -> None:
        """Tell damage that is nobody's doing."""
        one = self.d.choice([one for one in self.ones.values() if one.here])
        amount = self.d.randint(0, 3)
        untouched = not one.trail.blows and not one.trail.healed and self.options["spoil-cause"] != "hit"
        if untouched and (one.trail.was_out or one.hp - amount > self.limit) and not self.due(band=3):
            self.row("damage_dealt", target=one.id, amount=amount)
            self.lose(one, (self.round, self.segment, 1, 0, 0, 1), amount, hit=False)
            one.trail.healed = self.after_effect = True

    def ruling(self) -> None:
        """Tell a ruling that spoils a spell."""
        spells = [one.spell for one in self.ones.values() if one.spell and not one.spell.silent]
        spells = [spell for spell in spells if spell and spell.due > self.now]
        if spells and (spell := self.d.choice(spells)):
            rule, who = "spell.spoiled-by-interruption", {"combatants": [spell.who]}
            named = who if self.chance(0.5) else {"event": spell.seq}
            self.fight.tell("ruling_made", ruling="fact", decision="smoke in the eyes", rule=rule, **named)
            self.end(spell, "spoiled")

    def due(self, band: int) -> list[Spell]:
        spells = [spell for one in self.ones.values() for spell in one.spells if not spell.ended]
        return [spell for spell in spells if (spell.due, spell.band) == (self.now, band)]

    def acts(self, one: One) -> None:
        """Let somebody do something in this segment, or nothing."""
        if not one.here or (not self.round and self.length(one) >= self.segment):
            return
        if one.out is None and not one.trail.was_out and self.chance(0.03):
            self.row("action_taken", combatant=one.id, action={"kind": "talk", "name": "shouts"})
            self.after_effect = True
        if self.chance(0.05):
            self.give_up(one)
        if self.is_bound(one):
            if one.spell is None and not one.turn.bound and self.chance(0.6):
                self.cast(one)
            return
        if self.chance(0.1) and not one.trail.was_out and one.out is None:
            self.holds(one)
        elif self.chance(0.5 if one.turn.did is None else 0.25):
            self.d.choice((self.attack, self.attack, self.attack, self.charge, self.flee, self.simple, self.cast))(one)

    def holds(self, one: One) -> None:
        if self.round and self.segment != self.own(one, False)[1]:
            return
        self.row("action_held", combatant=one.id)
        one.turn.held = one.turn.waits = True
