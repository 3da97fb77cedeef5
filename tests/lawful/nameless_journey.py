"""Random fights by Nameless Journey, in the readings of all options: turns, resources, ground, Reactions, durations.

The table keeps a little state of its own, and before each fact notes what it knows after the one before. A breach is a function that
records one unlawful fact where it can, and returns the rule that it breaks."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from tests.lawful.fight import Fight

OPTIONS = {
    "full-tie": ["joined-first", "roll-off"],
    "late-place-passed": ["next-round", "after-current"],
    "off-turn-zero": ["turn-before", "turn-after"],
    "absent-originator": ["place-counts", "ends-at-once"],
    "no-originator": ["turn-it-began-in", "round-start"],
    "odd-duration": ["round-up", "round-down"],
    "trade-down": ["no", "yes"],
    "grid": ["square", "hex", "none"],
    "unlisted-mode": ["speed-zero", "walking-speed"],
    "reaction-on-own-turn": ["barred", "allowed"],
    "reaction-returns": ["own-turn-start", "round-start"],
    "reaction-before-first-turn": ["allowed", "barred"],
    "reaction-window": ["at-once", "same-turn"],
    "countered-spell": ["cost-spent", "cost-back"],
    "hp-floor": ["none", "zero"],
    "healing-cap": ["maximum", "none"],
}
IDS = ("ana", "bo", "cy", "kex", "lum", "nix", "pip", "rin", "sol", "tam", "uli", "tor")
ON_TURN = {"action": "turn.one-action", "quick-action": "turn.one-quick-action", "interaction": "turn.one-interaction"}
KINDS = {"attack": "action", "cast": "action", "handle": "interaction", "effort": "interaction"}
"""The cost of a kind where neither row nor sheet has one; any other costs nothing."""
ENTRIES = {
    "bolt": ("cast", ""),
    "haze": ("cast", "action"),
    "spark": ("cast", "quick-action"),
    "gust": ("cast", "quick-action"),
    "whisper": ("cast", "interaction"),
    "jab": ("attack", "quick-action"),
    "kick": ("attack", "interaction"),
    "rally": ("trait", "quick-action"),
    "sense": ("trait", "none"),
    "frenzy": ("trait", ""),
    "counterspell": ("cast", "reaction"),
    "parry": ("trait", "reaction"),
    "riposte": ("attack", "reaction"),
    "snatch": ("trait", "reaction"),
    "rebuke": ("cast", "reaction"),
}
"""Spells, attacks and traits of the sheets: their kind and their cost."""
ANSWERS = {
    "parry": ("attack", "attack on {}"),
    "snatch": ("moved", "movement"),
    "rebuke": ("cast", "a spell cast at {}"),
    "counterspell": ("cast", ""),
}
"""What a Reaction answers, and how the sheet says so; the others answer whatever is recorded."""
EFFECTS = ("burn", "slow", "fog", "ward", "dread", "snare", "smoke", "bless")
UNITS = {"second": 1, "round": 5, "minute": 60, "turn": 50, "hour": 3600}
SPEEDS: tuple[dict[str, int], ...] = (
    {},
    {"walk": 25},
    {"walk": 30, "swim": 45},
    {"walk": 30, "swim": 45, "fly": 60},
    {"walk": 40, "fly": 20},
)
EXTRA: tuple[dict[str, int], ...] = (*[{}] * 20, {"action": 1}, {"quick-action": 1}, {"reaction": 1}, {"movement": 10})
MEDIA = {"swim": "water", "fly": "air", "walk": "land"}
SQUARE = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
HEX = [(1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1)]
STATED = {
    "round": "round.begins-with-first-in-order",
    "second": "round.five-seconds",
    "order": "initiative.highest-first",
    "due": "initiative.highest-first",
    "first-turn": "initiative.late-arrival-inserted",
    "turn": "round.begins-with-first-in-order",
    "initiative": "initiative.d20-plus-dexterity",
    "hp": "health.damage",
    "status": "health.damage",
    "reaction": "reaction.one-until-own-turn",
    "effects": "effect.ends-at-turn-start",
    **ON_TURN,
}
"""The rule that a wrong statement of a value breaks, by the last word of its address."""

Place = tuple[int, int, int, list[int], int]


SAYINGS = ("checked", "round_started", "round_ended", "effect_ended")
"""What changes nothing where it is wrong, so that the fight can go on."""


class Over(Exception):
    """Ends a fight: its rule has been broken."""


@dataclass
class Someone:
    id: str
    joined: int
    dexterity: int
    speeds: dict[str, int]
    extra: dict[str, int]
    entries: list[str]
    hp: int
    hp_max: int
    total: int | None = None
    tie: int = 0
    bare: list[int] = field(default_factory=list)
    away: str = ""
    waits: bool = False
    first: int = 0
    acted: bool = False
    square: tuple[int, int] = (0, 0)
    spent: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    granted: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    feet: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def place(self) -> Place:
        return -(self.total or 0), -self.dexterity, self.tie, [-shown for shown in self.bare], self.joined

    @property
    def status(self) -> str:
        return self.away or ("up" if self.hp > 0 else "down")

    @property
    def modes(self) -> dict[str, int]:
        return self.speeds or {"walk": 30}


def entry(one: Someone, name: str) -> dict[str, str]:
    """Return an entry of a sheet, with its cost and its cause where they must be stated."""
    said = {"name": name, "cost": ENTRIES[name][1], "answers": ANSWERS.get(name, ("", ""))[1].format(one.id)}
    return {field: words for field, words in said.items() if words}


def fact(type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002 - the field of a fact is called that
    return {"type": type, **fields}


@dataclass
class Act:
    seq: int
    one: Someone
    kind: str
    name: str = ""
    cost: str = "none"
    targets: list[str] = field(default_factory=list)
    trigger: int = 0
    counters: bool = False
    granted_by: str = ""


@dataclass
class Effect:
    name: str
    seq: int
    source: Someone | None
    bearers: list[str]
    owner: str = ""
    round: int = 0
    brief: bool = False
    timed: bool = True
    known: bool = True

    @property
    def until(self) -> str:
        return f"{self.owner} in round {self.round}" if self.owner else f"round {self.round}"


@dataclass
class Table:
    dice: random.Random
    breaks: str = ""
    after: int = 0
    unsure: int = 0
    fight: Fight = field(default_factory=Fight)
    people: dict[str, Someone] = field(default_factory=dict)
    round: int = 0
    turn: Someone | None = None
    last: Someone | None = None
    began: int = 0
    had: list[Someone] = field(default_factory=list)
    queue: list[Someone] = field(default_factory=list)
    acts: dict[int, Act] = field(default_factory=dict)
    open: dict[int, Act] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    ran_out: list[tuple[str, str]] = field(default_factory=list)
    over: list[tuple[Effect, str]] = field(default_factory=list)
    expired: list[Effect] = field(default_factory=list)

    # ------------------------------------------------------------ what is told, and what is known of it

    def option(self, name: str) -> str:
        return self.fight.options.get(name, OPTIONS[name][0])

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def tell(self, type: str, **fields: Any) -> int:  # noqa: A002 - the field of a fact is called that
        """Note what is known, then record the next fact."""
        self.note()
        return self.fight.tell(type, **fields)

    def note(self) -> None:
        if self.fight.facts and self.fight.seq > self.unsure:
            known = list(self.values())
            whole = self.fight.facts[-1]["type"] == "turn_started"
            self.fight.note(dict(known if whole else self.dice.sample(known, min(8, len(known)))))

    def values(self) -> Iterator[tuple[str, Any]]:
        yield "order", [one.id for one in self.order() if one.away != "left"]
        for each in self.effects:
            if each.timed and not each.brief and not each.bearers:
                yield f"effects.{each.name}.ends", each.until
        if self.round:
            yield "round", self.round
            yield "second", 5 * (self.round - 1)
            yield "minute", (self.round - 1) // 12
            yield "turn", self.turn.id if self.turn else "none"
            yield "due", [one.id for one in self.due()]
        for one in self.people.values():
            for name, value in self.of(one):
                yield f"{one.id}.{name}", value

    def of(self, one: Someone) -> Iterator[tuple[str, Any]]:
        yield "status", one.status
        yield "hp", one.hp
        if one.away == "left":
            return
        yield "initiative", "none" if one.total is None else one.total
        if one.first:
            yield "first-turn", one.first
        for resource in (*ON_TURN, "reaction"):
            yield f"left.{resource}", self.left(one, resource)
        for mode in one.modes:
            yield f"left.{mode}", self.feet_left(one, mode)
        yield "moved", sum(one.feet.values())
        borne = [each for each in self.effects if one.id in each.bearers]
        yield "effects", [each.name for each in borne]
        for each in borne:
            if each.timed and not each.brief:
                yield f"effects.{each.name}.ends", each.until

    # ------------------------------------------------------------ the order

    def here(self) -> list[Someone]:
        return [one for one in self.people.values() if one.away != "left"]

    def up(self) -> list[Someone]:
        return [one for one in self.people.values() if one.status == "up"]

    def order(self) -> list[Someone]:
        return sorted((one for one in self.people.values() if one.total is not None), key=lambda one: one.place)

    def due(self) -> list[Someone]:
        behind = sorted((one for one in self.queue if one.status == "up"), key=lambda one: one.place)
        rest = [one for one in self.order() if one not in self.had and one not in self.queue]
        return behind + [one for one in rest if one.status == "up" and one.first <= max(1, self.round)]

    def opens(self) -> bool:
        """Say whether the next turn opens a round."""
        due = self.due()
        if not self.round or not due:
            return True
        first = not any(one.place < due[0].place and (one in self.had or one.status == "up") for one in self.order())
        return len(due) == 1 and first and due[0] not in self.queue

    def first_up(self) -> list[Someone]:
        """Return who is due for the next turn, from the first."""
        return [one for one in self.order() if one.status == "up"] if self.opens() else self.due()

    def passed(self, one: Someone) -> bool:
        return one in self.had or any(one.place < other.place for other in self.had)

    # ------------------------------------------------------------ joining and rolling

    def join(self) -> Someone:
        one = Someone(
            next(each for each in IDS if each not in self.people),
            self.fight.seq,
            self.dice.randint(-1, 2),
            dict(self.dice.choice(SPEEDS)),
            dict(self.dice.choice(EXTRA)),
            self.dice.sample(list(ENTRIES), self.dice.randint(2, 7)),
            hp := self.dice.randint(8, 25),
            hp + self.dice.choice((0, 0, 5)),
            waits=bool(self.round),
        )
        side = self.dice.choice(("heroes", "raiders"))
        self.tell("combatant_joined", combatant=one.id, side=side, sheet=self.sheet(one))
        self.people[one.id] = one
        return one

    def sheet(self, one: Someone) -> dict[str, Any]:
        sheet = {"hp": one.hp, "hp_max": one.hp_max, "dexterity": one.dexterity}
        lists = {"speeds": dict(one.speeds), "extra": one.extra, "entries": [entry(one, name) for name in one.entries]}
        return {**sheet, **{name: said for name, said in lists.items() if said}}

    def roll(self, one: Someone) -> None:
        die = self.dice.choice((self.dice.randint(1, 20), 11, 12))
        told = {"bonus": one.dexterity, "total": die + one.dexterity}
        self.tell(
            "initiative_rolled", combatant=one.id, die=die, **{name: n for name, n in told.items() if self.chance(0.5)}
        )
        one.total = die + one.dexterity
        self.put_in(one)
        self.roll_off(one)
        self.put_in(one)

    def roll_off(self, one: Someone) -> None:
        """Let those who are level roll it off, by option: all whose dice do not part them, as often as it takes."""
        level = [each for each in self.order() if (each.total, each.dexterity) == (one.total, one.dexterity)]
        if self.option("full-tie") == "joined-first":
            if len(level) > 1 and self.chance(0.3):
                level.remove(one)
                level.insert(self.dice.randint(0, len(level)), one)
                self.tell("ruling_made", ruling="tie", decision="so", combatants=[each.id for each in level])
                for each, other in enumerate(level, 1):
                    other.tie = each
            return
        while roller := self.undecided(level):
            others = [each.id for each in level if each is not roller]
            shown = self.dice.randint(1, 6)
            self.fight.tell("initiative_rolled", combatant=roller.id, die=shown, tie_with=others)
            roller.bare.append(shown)

    def undecided(self, level: list[Someone]) -> Someone | None:
        """Return the next to roll: the one with the fewest dice of those whom the dice so far leave level."""
        for one in sorted(level, key=lambda each: len(each.bare)):
            if any(other is not one and other.bare[: len(one.bare)] == one.bare for other in level):
                return one
        return None

    def put_in(self, one: Someone) -> None:
        """Put a newcomer in its place: due in this round below all that had their turn, else by option next or later."""
        if not self.round:
            return
        self.queue = [each for each in self.queue if each is not one]
        passed = any(one.place < other.place for other in self.had)
        behind = passed and self.option("late-place-passed") == "after-current"
        one.first = self.round + (passed and not behind)
        if behind:
            self.queue.append(one)

    # ------------------------------------------------------------ turns

    def play(self, rounds: int) -> None:
        for _ in range(self.dice.randint(3, 5)):
            self.join()
        rollers = self.here()
        self.dice.shuffle(rollers)
        for one in rollers:
            self.hook()
            self.roll(one)
        while len(self.up()) > 1:
            self.hook()
            if self.opens() and self.round == rounds:
                break
            self.announce()
            self.begin(self.first_up()[0])
            self.take_turn()
        self.note()

    def announce(self) -> None:
        if self.round and self.opens() and self.chance(0.2):
            self.tell("round_ended", **({"round": self.round} if self.chance(0.5) else {}))
        if self.opens() and self.chance(0.2):
            self.tell("round_started", round=self.round + 1)

    def begin(self, one: Someone) -> None:
        opens = self.opens()
        self.began = self.tell("turn_started", combatant=one.id)
        self.ran_out.clear()
        self.turn_over()
        if opens:
            self.round += 1
            self.had, self.queue = [], []
            if self.option("reaction-returns") == "round-start":
                for other in self.people.values():
                    other.spent["reaction"].clear()
        self.had.append(one)
        self.queue = [each for each in self.queue if each is not one]
        self.turn = self.last = one
        one.waits, one.acted = False, True
        for resource in ON_TURN:
            one.spent[resource].clear()
        if self.option("reaction-returns") == "own-turn-start":
            one.spent["reaction"].clear()
        one.feet.clear()
        self.open.clear()
        for each in list(self.effects):
            owner = self.people.get(each.owner)
            if each.timed and not each.brief and each.round <= self.round - bool(owner and not self.passed(owner)):
                self.end(each)

    def turn_over(self) -> None:
        for each in [each for each in self.effects if each.brief]:
            self.end(each)
        if self.turn:
            self.turn.granted.clear()
        self.turn = None

    def take_turn(self) -> None:
        for _ in range(self.dice.randint(0, 6)):
            self.hook()
            if self.turn is None or self.turn.status != "up":
                break
            self.dice.choices(list(STEPS), list(STEPS.values()))[0](self)
        self.hook()
        if self.turn and self.chance(0.3):
            self.tell("turn_ended", combatant=self.turn.id)
            self.turn_over()
            self.hook()
            if self.chance(0.4):
                self.aside()

    def hook(self) -> None:
        """Break the rule, where that is asked for and can be done here."""
        if self.breaks and self.fight.seq >= self.after:
            down = {one.id for one in self.people.values() if one.hp <= 0}  # that they act is a finding of its own
            can = [fact for breach in BREACHES for rule, fact in breach(self) if rule == self.breaks]
            can = [
                fact for fact in can if fact["type"] not in ("action_taken", "moved") or fact["combatant"] not in down
            ]
            if can:
                fact = self.dice.choice(can)
                self.fight.breaks.add((self.breaks, self.tell(**fact)))
                if fact["type"] not in SAYINGS and fact.get("amount", 0) >= 0:
                    raise Over
                self.breaks = ""

    # ------------------------------------------------------------ acts

    def left(self, one: Someone, resource: str) -> int:
        barred = one.waits or (not one.acted and self.option("reaction-before-first-turn") == "barred")
        if barred if resource == "reaction" else one is not self.turn:
            return 0
        back = self.option("countered-spell") == "cost-back"
        spent = [seq for seq in one.spent[resource] if not (back and self.spoiled(seq))]
        return max(0, 1 + one.extra.get(resource, 0) + one.granted[resource] - len(spent))

    def spoiled(self, seq: int) -> bool:
        return any(act.counters and act.trigger == seq and not self.spoiled(act.seq) for act in self.acts.values())

    def act(self, act: Act, **fields: Any) -> Act:
        """Record an act and keep it; its cost is left out where it is the usual one."""
        said = ENTRIES.get(act.name, ("", ""))[1] or KINDS.get(act.kind, "none")
        action: dict[str, Any] = {"kind": act.kind}
        if act.name:
            action["name"] = act.name
        if act.targets:
            action["targets"] = act.targets
        if act.granted_by:
            action["granted_by"] = act.granted_by
        if act.cost != said or self.chance(0.6):
            action["cost"] = act.cost
        act.seq = self.tell("action_taken", combatant=act.one.id, action=action, **fields)
        self.acts[act.seq] = act
        if act.cost == "reaction" or (act.cost in ON_TURN and act.one is self.turn):
            act.one.spent[act.cost].append(act.seq)
        if act.cost != "none" and not (act.cost == "reaction" and act.trigger in self.open):
            self.moment_over()
        self.open[act.seq] = act
        return act

    def moment_over(self) -> None:
        if self.option("reaction-window") == "at-once":
            self.open.clear()

    def acts_of(self, one: Someone) -> Iterator[Act]:
        """Yield the acts open to a combatant, Reactions aside, no matter what is left."""
        plain = [("attack", "action"), ("handle", "interaction"), ("handle", "action"), ("effort", "action")]
        free = [(kind, cost) for kind in ("talk", "other") for cost in ("none", *ON_TURN)]
        for kind, cost in (*plain, self.dice.choice(free)):
            yield Act(0, one, kind, cost=cost)
        for name in one.entries:
            kind, cost = ENTRIES[name]
            if cost != "reaction":
                yield Act(0, one, kind, name, cost or "action")
            if cost == "quick-action" and kind == "cast" and self.option("trade-down") == "yes":
                yield Act(0, one, kind, name, "action")

    def spend(self) -> None:
        assert self.turn
        can = [act for act in self.acts_of(self.turn) if act.cost == "none" or self.left(self.turn, act.cost)]
        if not can:
            return
        act = self.dice.choice([each for each in can if each.cost != "none"] or can)
        act.targets = [
            each.id for each in self.dice.sample(self.here(), min(len(self.here()), self.dice.randint(0, 2)))
        ]
        self.act(act)
        self.react()
        self.outcomes(act)

    def talk(self) -> None:
        self.act(Act(0, self.dice.choice(self.up()), "talk"))

    def strike_once_more(self) -> None:
        """Strike by a trait in another combatant's turn, or when the Action is spent."""
        able = [one for one in self.up() if "frenzy" in one.entries and not one.waits and not self.left(one, "action")]
        if able:
            targets = [self.dice.choice(self.here()).id]
            act = self.act(Act(0, self.dice.choice(able), "attack", "", "action", targets, granted_by="frenzy"))
            self.react()
            self.outcomes(act)

    # ------------------------------------------------------------ Reactions

    def reactions(self, *, own: bool = False, spent: bool = False) -> list[tuple[Someone, str, Act]]:
        """Return who may react by what to which cause: out of its turn and with a Reaction left, or on purpose not."""
        return [
            (one, name, cause)
            for one in self.up()
            if (one is self.turn) is own and not one.waits and (self.left(one, "reaction") == 0) is spent
            for name in one.entries
            if ENTRIES[name][1] == "reaction"
            for cause in self.open.values()
            if cause.one is not one and self.fits(one, name, cause)
        ]

    def fits(self, one: Someone, name: str, cause: Act) -> bool:
        kind, words = ANSWERS.get(name, (cause.kind, ""))
        return kind == cause.kind and ("{}" not in words or one.id in cause.targets)

    def may_fit(self, one: Someone, name: str, cause: Act) -> bool:
        """Say whether a reaction answers an act, or may: one that names no target may have been aimed at any combatant."""
        return self.fits(one, name, cause if cause.targets else replace(cause, targets=[one.id]))

    def react(self) -> None:
        while self.chance(0.7):
            can = self.reactions()
            if self.option("reaction-on-own-turn") == "allowed":
                can += self.reactions(own=True)
            if not can:
                return
            one, name, cause = self.dice.choice(can)
            act = self.reaction(one, name, cause)
            if name == "snatch":
                self.stretch(one, self.dice.choice((0, 5, 10)), cause=act.seq, counts=False)
            elif name != "counterspell" and self.chance(0.5):
                self.open.pop(act.seq)
                self.outcomes(act)

    def reaction(self, one: Someone, name: str, cause: Act) -> Act:
        targets = {"riposte": [cause.one.id], "rebuke": [cause.one.id], "parry": [one.id]}.get(name, [])
        act = Act(0, one, ENTRIES[name][0], name, "reaction", targets, cause.seq)
        fields: dict[str, Any] = {"trigger": self.dice.choice((cause.seq, cause.seq - self.fight.seq - 1))}
        if name == "counterspell":
            act.counters = self.chance(0.6)
            fields["succeeded"] = act.counters
        return self.act(act, **fields)

    # ------------------------------------------------------------ what comes out of it

    def outcomes(self, act: Act) -> None:
        if self.spoiled(act.seq):
            return
        since = [each for each in self.acts.values() if each.seq > act.seq]
        chain = {act.seq, *(each.seq for each in since)}
        bare = all(each.name == "counterspell" and each.trigger in chain for each in since) and self.chance(0.4)
        cause = {} if bare and self.fight.seq - act.seq == len(since) else {"cause": act.seq}
        if act.kind == "cast" and act.seq in self.open and act.targets:
            self.open.pop(act.seq)
        for who in act.targets:
            one = self.people[who]
            if act.one.status != "up":
                break
            match self.dice.choice(("damage", "damage", "heal", "effect", "roll", "none")):
                case "damage" if one.status != "out":
                    self.hurt(one, **cause)
                case "heal" if one.status != "out":
                    self.heal(one, **cause)
                case "effect":
                    self.begin_effect(act, self.dice.choice(([who], [who], list(act.targets), [])), cause)
                case "roll" if one.status != "out":
                    kind = self.dice.choice(("attack_rolled", "save_rolled", "dice_rolled"))
                    roll = self.tell(kind, combatant=who if kind == "save_rolled" else act.one.id, cause=act.seq)
                    self.hurt(one, cause=roll)
            cause = {"cause": act.seq}

    def hurt(self, one: Someone, **fields: Any) -> None:
        """Record damage: as it is done, wrong and then amended, or late because it was forgotten."""
        amount = self.dice.randint(0, 9)
        harm = fact("damage_dealt", target=one.id, amount=amount, **fields)
        match self.dice.randint(0, 9):
            case 0:
                self.tell(**{**harm, "amount": 7})
                self.unsure = self.fight.tell("amended", event=-1, replacement=harm)
            case 1:
                self.unsure = self.tell("inserted", after=self.fight.seq, fact=harm)
            case _:
                self.tell(**harm)
        self.take_damage(one, amount)

    def take_damage(self, one: Someone, amount: int) -> None:
        before, one.hp = one.hp, one.hp - amount
        if self.option("hp-floor") == "zero":
            one.hp = max(min(before, 0), one.hp)
        self.gone(one)

    def heal(self, one: Someone, **fields: Any) -> None:
        amount = self.dice.randint(0, 9)
        if one.hp <= 0 and self.queue:
            return  # whether a newcomer who comes right after this turn comes before one who is back is left open
        self.tell("healed", target=one.id, amount=amount, **fields)
        cap = one.hp_max if self.option("healing-cap") == "maximum" else one.hp + amount
        one.hp = max(one.hp, min(cap, one.hp + amount))

    def gone(self, one: Someone) -> None:
        """End, by option, the effects of a combatant who is out."""
        if one.status != "up" and self.option("absent-originator") == "ends-at-once":
            for each in [each for each in self.effects if each.source is one and each.timed]:
                self.end(each)

    # ------------------------------------------------------------ effects

    def begin_effect(self, act: Act, bearers: list[str], cause: dict[str, int]) -> None:
        name = self.dice.choice(EFFECTS) if cause or not act.name else act.name
        owned = act.kind in ("attack", "cast", "trait")
        named = not owned and self.chance(0.5)
        source = act.one if named or (owned and (cause or name == act.name)) else None
        late = source and source is not self.turn and source not in self.had and self.passed(source)
        if any(each.name == name for each in self.effects) or late:
            return
        effect = Effect(name, 0, source, bearers, timed=False)
        fields: dict[str, Any] = {"source": act.one.id} if named or (source and self.chance(0.5)) else {}
        if self.chance(0.9) or self.option("absent-originator") == "ends-at-once":
            unit = self.dice.choice(("second", "second", "second", *UNITS))
            amount = self.dice.choice((1, 5, 7, 10, 12, 15, 0) if unit == "second" else (1, 2, 3))
            fields["duration"] = {"amount": amount, "unit": unit}
            self.count(effect, amount * UNITS[unit])
        if effect.brief and not self.turn:
            return
        effect.known = bool(cause or "source" in fields)
        fields |= {"targets": list(bearers)} if bearers else {}
        effect.seq = self.tell("effect_started", effect=name, **fields, **cause)
        if not (effect.timed and effect.round < 0):
            self.effects.append(effect)

    def count(self, effect: Effect, seconds: int) -> None:
        """Set the end of an effect: how many places of its owner after second 0."""
        down = self.option("odd-duration") == "round-down"
        effect.timed, effect.brief = True, down and 0 < seconds < 5
        if effect.source:
            effect.owner, zero = effect.source.id, self.round
            if effect.source is not self.turn:
                zero += (self.option("off-turn-zero") == "turn-after") - (not self.passed(effect.source))
        else:
            zero = self.round
            effect.owner = self.last.id if self.last and self.option("no-originator") == "turn-it-began-in" else ""
        effect.round = zero + (seconds // 5 if down else -(-seconds // 5)) if seconds else -1

    def end(self, effect: Effect, bearers: list[str] | None = None) -> None:
        """End an effect on these bearers; on all, where its time is up."""
        for who in list(effect.bearers if bearers is None else bearers):
            effect.bearers.remove(who)
            self.over.append((effect, who))
            if bearers is None:
                self.ran_out.append((effect.name, who))
        if bearers is None:
            self.expired.append(effect)
        if not effect.bearers:
            self.effects.remove(effect)

    def effect_works(self) -> None:
        borne = [(each, self.people[who]) for each in self.effects for who in each.bearers]
        borne = [(each, one) for each, one in borne if one.away != "out"]
        if borne:
            effect, one = self.dice.choice(borne)
            self.dice.choice((self.hurt, self.heal))(one, cause=effect.seq)

    def dispel(self) -> None:
        if self.effects:
            effect = self.dice.choice(self.effects)
            source = {"source": effect.source.id} if effect.source and self.chance(0.5) else {}
            bearers = {"targets": list(effect.bearers)} if effect.bearers else {}
            self.tell("effect_ended", effect=effect.name, reason="dispelled", **bearers, **source)
            self.end(effect, list(effect.bearers))

    def expire(self) -> None:
        """Say of what has run out in this turn that it has, which is right."""
        running = {each.name for each in self.effects}
        claims = [(name, who) for name, who in self.ran_out if name not in running and self.people[who].away != "left"]
        if claims:
            name, who = self.dice.choice(claims)
            self.tell("effect_ended", effect=name, targets=[who], reason="expired")

    # ------------------------------------------------------------ ground

    def speed(self, one: Someone, mode: str) -> int:
        walks = one.modes["walk"] if self.option("unlisted-mode") == "walking-speed" else 0
        extra = one.extra.get("movement", 0) if mode in one.modes else 0
        return one.modes.get(mode, walks) + extra + one.granted[mode]

    def feet_left(self, one: Someone, mode: str) -> int:
        return max(0, self.speed(one, mode) - sum(one.feet.values())) if one is self.turn else 0

    def path(self, start: tuple[int, int], feet: int) -> tuple[list[tuple[int, int]], int]:
        """Return a way of at most so many feet, and its price."""
        way, price = [start], 0
        while self.chance(0.85):
            x, y = self.dice.choice(HEX if self.option("grid") == "hex" else SQUARE)
            step = 7 if x and y and self.option("grid") == "square" else 5
            if price + step > feet:
                break
            way.append((way[-1][0] + x, way[-1][1] + y))
            price += step
        return way, price

    def move(self) -> None:
        assert self.turn
        modes = [*self.turn.modes, *(["climb"] if self.option("unlisted-mode") == "walking-speed" else [])]
        mode = self.dice.choice(modes)
        medium: dict[str, Any] = {"medium": MEDIA[mode]} if mode in MEDIA and self.chance(0.3) else {}
        self.stretch(self.turn, self.feet_left(self.turn, mode), mode, **medium)
        self.react()

    def stretch(self, one: Someone, most: int, mode: str = "walk", *, counts: bool = True, **fields: Any) -> None:
        """Record a stretch of at most so many feet, by tiles or feet alone."""
        way, feet = self.path(one.square, most)
        if self.option("grid") == "none":
            feet = self.dice.randint(0, most)
        if len(way) > 1 and self.chance(0.7):
            fields["path"] = way
            one.square = way[-1]
        if "path" not in fields or self.option("grid") == "none" or self.chance(0.3):
            unit, by = self.dice.choice((("ft", 1), ("ft", 1), ("square", 5)))
            fields["distance"] = (
                {"amount": feet // by, "unit": unit} if feet % by == 0 else {"amount": feet, "unit": "ft"}
            )
        if mode != "walk" or self.chance(0.3):
            fields["mode"] = mode
        seq = self.tell("moved", combatant=one.id, **fields)
        if counts:
            one.feet[mode] += feet
            self.moment_over()
        self.open[seq] = Act(seq, one, "moved")

    def push(self) -> None:
        self.stretch(self.dice.choice(self.here()), 15, counts=False, forced=True)
        self.open.clear()

    # ------------------------------------------------------------ aside

    def aside(self) -> None:
        self.dice.choice(ASIDES)(self)

    def come(self) -> None:
        unrolled = [one for one in self.here() if one.total is None]
        if any(self.passed(one) for one in self.due()):
            return
        if unrolled:
            self.roll(unrolled[0])
        elif len(self.people) < len(IDS) and len(self.up()) < 7:
            self.join()

    def leave(self) -> None:
        able = [one for one in self.here() if one is not self.turn and one.away != "out"]
        if len(able) > 2 and self.chance(0.4):
            one = self.dice.choice(able)
            self.tell("combatant_left", combatant=one.id)
            one.away = "left"
            self.gone(one)
            for each in [each for each in self.effects if one.id in each.bearers]:
                self.end(each, [one.id])

    def come_back(self) -> None:
        """Let a combatant who has left come back and roll again."""
        owners = {each.owner for each in self.effects}
        gone = [one for one in self.people.values() if one.away == "left" and one.id not in owners]
        gone = [one for one in gone if not one.tie and not one.bare]
        if gone and len(self.up()) < 7 and not any(self.passed(one) for one in self.due()):
            one = self.dice.choice(gone)
            self.unsure = self.tell("combatant_joined", combatant=one.id, sheet=self.sheet(one))
            one.joined, one.away, one.total, one.acted, one.waits = self.fight.seq, "", None, False, True
            self.had = [each for each in self.had if each is not one]
            self.roll(one)

    def rule_hit_points(self) -> None:
        one, points = self.dice.choice(self.here()), self.dice.randint(-1, 12)
        if one.away != "out" and (one.hp > 0 or not self.queue):
            self.tell("ruling_made", ruling="override", decision="so", values={f"{one.id}.hp": points})
            one.hp = points
            self.gone(one)

    def change_speeds(self) -> None:
        one = self.dice.choice(self.here())
        speeds = self.dice.choice(SPEEDS)
        self.tell("sheet_changed", combatant=one.id, sheet={"speeds": dict(speeds)})
        one.speeds = dict(speeds)

    def rule_out(self) -> None:
        able = [one for one in self.up() if one is not self.turn]
        if len(able) > 2 and self.chance(0.4):
            one = self.dice.choice(able)
            self.tell("ruling_made", ruling="override", decision="out", values={f"{one.id}.status": "out"})
            one.away = "out"
            self.gone(one)

    def allow(self) -> None:
        if self.turn:
            what = self.dice.choice((*ON_TURN, "walk"))
            amount = 10 if what == "walk" else 1
            more = {"name": "by ruling", "amount": amount, "to": what}
            self.tell("ruling_made", ruling="grant", decision="more", combatants=[self.turn.id], modifiers=[more])
            self.turn.granted[what] += amount

    def check(self) -> None:
        known = dict(self.dice.sample(list(self.values()), 3))
        self.tell("checked", values={name: value if value != [] else "none" for name, value in known.items()})

    def correct(self) -> None:
        """Record something wrong, and take it back."""
        one = self.dice.choice(self.here())
        wrong = (fact("damage_dealt", target=one.id, amount=5), fact("turn_started", combatant=one.id))
        seq = self.tell(**self.dice.choice(wrong))
        self.unsure = self.fight.tell("struck", event=self.dice.choice((seq, -1)))


ASIDES = (
    Table.come,
    Table.come,
    Table.leave,
    Table.come_back,
    Table.rule_out,
    Table.rule_hit_points,
    Table.change_speeds,
    Table.allow,
    Table.check,
    Table.correct,
)
STEPS: dict[Callable[[Table], None], int] = {
    Table.spend: 8,
    Table.move: 4,
    Table.talk: 1,
    Table.strike_once_more: 1,
    Table.push: 1,
    Table.effect_works: 3,
    Table.dispel: 1,
    Table.expire: 1,
    Table.aside: 3,
}
# ---------------------------------------------------------------- rules broken on purpose

Breach = tuple[str, dict[str, Any]]
"""A rule, and a fact that breaks it here and nothing else."""


def done(one: Someone, kind: str, name: str = "", cost: str = "", **fields: Any) -> dict[str, Any]:
    action = {"kind": kind, "name": name, "cost": cost}
    return fact(
        "action_taken", combatant=one.id, action={word: said for word, said in action.items() if said}, **fields
    )


def went(one: Someone, feet: int | None = None, **fields: Any) -> dict[str, Any]:
    said = {} if feet is None else {"distance": {"amount": feet, "unit": "ft"}}
    return fact("moved", combatant=one.id, **said, **fields)


def wrong_rolls(table: Table) -> Iterator[Breach]:
    rule = "initiative.d20-plus-dexterity"
    rolled = table.order()
    if not table.round and 0 < len(rolled) < len(table.people):
        yield "initiative.before-fighting", fact("turn_started", combatant=rolled[0].id)
    for one in table.here():
        if one.total is not None:
            yield rule, fact("initiative_rolled", combatant=one.id, die=9)
            continue
        for wrong in ({"die": 21}, {"die": 0}, {"die": 7, "bonus": one.dexterity + 1}, {"die": 9, "total": 30}):
            yield rule, fact("initiative_rolled", combatant=one.id, **wrong)
        if one.waits and one.status == "up":
            yield "initiative.late-arrival-rolls", fact("turn_started", combatant=one.id)


def wrong_turns(table: Table) -> Iterator[Breach]:
    """Begin turns below others who are due, all of one kind, or again in the round."""
    due = table.first_up()
    for one in table.up():
        if one.total is None or not table.round:
            continue
        if one not in due:
            rules = {"initiative.late-arrival-waits" if one.waits else "initiative.highest-first"}
        else:
            rules = {jumps(table, one, other) for other in due[: due.index(one)]}
        if len(rules) == 1:
            yield rules.pop(), fact("turn_started", combatant=one.id)


def jumps(table: Table, one: Someone, other: Someone) -> str:
    if one.total == other.total and one.dexterity < other.dexterity:
        return "initiative.tie-by-dexterity"
    now = table.round + table.opens()
    return "initiative.late-arrival-inserted" if other.waits and other.first == now else "initiative.highest-first"


def newcomers_who_do_not_wait(table: Table) -> Iterator[Breach]:
    for one in table.up():
        if one.waits:
            yield "initiative.late-arrival-waits", went(one, 5)
            yield "initiative.late-arrival-no-reaction", done(one, "other", cost="reaction")
            for cost in ON_TURN:
                yield "initiative.late-arrival-waits", done(one, "other", cost=cost)


def wrong_rounds(table: Table) -> Iterator[Breach]:
    rule, now = "round.begins-with-first-in-order", table.round
    yield rule, fact("round_started", round=now + 2)
    if now:
        yield rule, fact("round_ended", round=now + 1)
        if not table.opens():
            yield rule, fact("round_started", round=now + 1)
            yield "initiative.highest-first", fact("round_ended", round=now)


def wrong_statements(table: Table) -> Iterator[Breach]:
    for where, value in table.values():
        rule = STATED.get(where.split(".")[-1])
        others: dict[type, Any] = {int: lambda v: v + 1, str: lambda _: "left", list: lambda v: [*v, "zoe"]}
        if rule and value not in ("none", []) and where != "order":
            yield rule, fact("checked", values={where: others[type(value)](value)})
        if where == "order" and len(value) > 1:
            yield STATED["order"], fact("checked", values={where: [*value[1:], value[0]]})


def wrong_effects(table: Table) -> Iterator[Breach]:
    rule = "effect.ends-at-turn-start"
    running = {(each.seq, who) for each in table.effects for who in each.bearers}
    for each, who in table.over:
        if (each.seq, who) not in running and table.people[who].away != "left":
            yield rule, fact("damage_dealt", target=who, amount=2, cause=each.seq)
    for each in table.effects:
        if each.timed and each.known and not each.brief and all(name != each.name for name, _ in table.ran_out):
            bearers = {"targets": list(each.bearers)} if each.bearers else {}
            yield rule, fact("effect_ended", effect=each.name, reason="expired", **bearers)
    for each, who in table.over:
        known = all(name != each.name for name, _ in table.ran_out) and all(e.name != each.name for e in table.effects)
        if known and each in table.expired and table.people[who].away != "left":
            yield rule, fact("effect_ended", effect=each.name, targets=[who], reason="expired")
    length = {"amount": -5, "unit": "second"}
    for act in table.acts.values():
        if not table.spoiled(act.seq) and act.one.away != "left":
            yield rule, fact("effect_started", effect="shock", targets=[act.one.id], duration=length, cause=act.seq)


def wrong_amounts(table: Table) -> Iterator[Breach]:
    for act in table.acts.values():
        for type_ in () if table.spoiled(act.seq) or act.one.away == "left" else ("damage_dealt", "healed"):
            yield "health.damage", fact(type_, target=act.one.id, amount=-3, cause=act.seq)


PRICES = [
    ("attack", "", ("none", "quick-action", "interaction"), "action.attack-or-spell"),
    ("attack", "kick", ("none", "action"), "action.attack-or-spell"),
    ("cast", "bolt", ("none", "interaction"), "action.attack-or-spell"),
    ("cast", "bolt", ("quick-action",), "quick.listed-spells"),
    ("cast", "whisper", ("none", "action"), "action.attack-or-spell"),
    ("cast", "spark", ("none", "interaction"), "quick.listed-spells"),
    ("cast", "gust", ("action",), "quick.listed-spells"),
    ("handle", "", ("none", "quick-action"), "interaction.handling-objects"),
    ("effort", "", ("none", "quick-action"), "interaction.handling-objects"),
]
"""Acts of a combatant at wrong prices, and the rule that this breaks."""


def wrong_prices(table: Table) -> Iterator[Breach]:
    for one in filter(None, [table.turn]):
        for kind, name, costs, rule in PRICES:
            if name in (*one.entries, "") and not (name == "gust" and table.option("trade-down") == "yes"):
                for cost in costs:
                    if cost == "none" or table.left(one, cost):
                        yield rule, done(one, kind, name, cost)
        for cost, rule in ON_TURN.items():
            if not table.left(one, cost):
                yield rule, done(one, "other", cost=cost)


def deeds_in_the_turn_of_another(table: Table) -> Iterator[Breach]:
    for one in others(table):
        yield "move.on-own-turn", went(one, 10)
        for act in table.acts_of(one):
            if act.cost in ON_TURN:
                yield "turn.only-on-own-turn", done(one, act.kind, act.name, act.cost)


def others(table: Table) -> list[Someone]:
    return [one for one in table.up() if one is not table.turn and not one.waits and table.round]


def wrong_tiles(table: Table) -> Iterator[Breach]:
    """Record feet that no tiles have, gaps, and paths at another price."""
    one, grid = table.turn, table.option("grid")
    if one is None or table.feet_left(one, "walk") < 15:
        return
    rule = "move.five-foot-steps"
    for feet in {"square": (-5, 3, 8, 11, 13), "hex": (-5, 7, 12), "none": (-5,)}[grid]:
        yield rule, went(one, feet)
    if grid == "none":
        return
    yield rule, went(one, path=[(40, 40), (42, 40)])
    yield rule, went(one, 15, path=[(40, 40), (41, 40), (42, 40)])
    yield "move.backtracking-costs", went(one, 5, path=[(40, 40), (41, 40), (40, 40)])
    if grid == "square":
        yield "move.diagonal-seven", went(one, 10, path=[(40, 40), (41, 41), (42, 41)])


def ways_too_long(table: Table) -> Iterator[Breach]:
    one = table.turn
    for mode in (*one.modes, "burrow") if one else ():
        assert one
        tiles = table.feet_left(one, mode) // 5 + 1
        moved = one.feet if table.option("unlisted-mode") == "walking-speed" else {}
        tandem = len({*one.modes, *moved, mode}) > 1 and one.feet[mode] + 5 * tiles <= table.speed(one, mode)
        yield "move.speeds-in-tandem" if tandem else "move.within-speed", went(one, 5 * tiles, mode=mode)
        if table.option("grid") != "none" and tiles > 1:
            rule = "move.speeds-in-tandem" if tandem else "move.backtracking-costs"
            yield rule, went(one, path=[(40 + step % 2, 40) for step in range(tiles + 1)], mode=mode)
        if mode in ("swim", "fly") and tiles > 1:
            yield "move.mode-needs-its-medium", went(one, 5, mode=mode, medium="land")


def wrong_reactions(table: Table) -> Iterator[Breach]:
    """React in the combatant's own turn, once too often, or by an entry that grants no Reaction."""
    if table.option("reaction-on-own-turn") == "barred":
        for one, name, cause in table.reactions(own=True):
            yield "reaction.outside-own-turn", done(one, ENTRIES[name][0], name, "reaction", trigger=cause.seq)
    for one, name, cause in table.reactions(spent=True):
        yield "reaction.one-until-own-turn", done(one, ENTRIES[name][0], name, "reaction", trigger=cause.seq)
    for one, _, cause in table.reactions():
        for name in ("trip", *(each for each in ("bolt", "jab", "sense") if each in one.entries)):
            kind = ENTRIES.get(name, ("attack", ""))[0]
            yield "reaction.needs-trait-or-spell", done(one, kind, name, "reaction", trigger=cause.seq)


def reactions_without_their_cause(table: Table) -> Iterator[Breach]:
    """React to nothing, to what is not answered so, or to what has gone by."""
    for one in others(table):
        for name in [each for each in one.entries if ENTRIES[each][1] == "reaction" and table.left(one, "reaction")]:
            gone = [act.seq for act in table.acts.values() if act.seq < table.began]
            wrong = [act.seq for act in table.open.values() if not table.may_fit(one, name, act)]
            for trigger in ({}, *({"trigger": seq} for seq in (*gone[-2:], *wrong))):
                yield "reaction.follows-its-cause", done(one, ENTRIES[name][0], name, "reaction", **trigger)


def outcomes_of_countered_spells(table: Table) -> Iterator[Breach]:
    rule = "reaction.spell-countered"
    for act in table.acts.values():
        if table.spoiled(act.seq) and act.one.away != "left":
            yield rule, fact("damage_dealt", target=act.one.id, amount=6, cause=act.seq)
            yield rule, fact("healed", target=act.one.id, amount=6, cause=act.seq)
            yield rule, fact("effect_started", effect="shock", targets=[act.one.id], cause=act.seq)


BREACHES: tuple[Callable[[Table], Iterator[Breach]], ...] = (
    wrong_rolls,
    wrong_turns,
    newcomers_who_do_not_wait,
    wrong_rounds,
    wrong_statements,
    wrong_effects,
    wrong_amounts,
    wrong_prices,
    deeds_in_the_turn_of_another,
    wrong_tiles,
    ways_too_long,
    wrong_reactions,
    reactions_without_their_cause,
    outcomes_of_countered_spells,
)
FAMILIES = {
    "initiative": "before-fighting d20-plus-dexterity highest-first tie-by-dexterity late-arrival-rolls"
    " late-arrival-inserted late-arrival-waits late-arrival-no-reaction",
    "round": "begins-with-first-in-order five-seconds",
    "effect": "ends-at-turn-start",
    "turn": "one-action one-quick-action one-interaction only-on-own-turn",
    "action": "attack-or-spell",
    "quick": "listed-spells",
    "interaction": "handling-objects",
    "move": "on-own-turn five-foot-steps diagonal-seven within-speed backtracking-costs speeds-in-tandem"
    " mode-needs-its-medium",
    "reaction": "outside-own-turn one-until-own-turn needs-trait-or-spell follows-its-cause spell-countered",
    "health": "damage",
}
RULES = [f"{family}.{rule}" for family, rules in FAMILIES.items() for rule in rules.split()]
"""The rules that can be broken."""


# ---------------------------------------------------------------- fights


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Return a lawful fight of so many rounds."""
    table = _table(dice)
    table.play(rounds)
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Return a fight that ends as one rule is broken."""
    while True:
        rule = dice.choice(RULES)
        for _ in range(8):
            table = _table(dice)
            table.breaks, table.after = rule, dice.choice((0, dice.randint(1, 80)))
            with suppress(Over):
                table.play(rounds)
            if table.fight.breaks:
                return table.fight


def _table(dice: random.Random) -> Table:
    table = Table(dice)
    table.fight.options = {name: dice.choice(values) for name, values in OPTIONS.items() if dice.random() < 0.4}
    return table
