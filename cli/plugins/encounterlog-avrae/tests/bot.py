"""A bot of our own that keeps a fight by the rules of the real one, and records it in the same form.

Versions differ: in the earlier ones an effect ends on its bearer's own turn, and goes on where what it hung on has left;
in the later ones what is overdue ends at once, with all that hangs on it.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

Row = dict[str, Any]

NAMES = ("Bo", "Bo Wild", "Ana", "“Q” the Odd", "D'Ar", "Orc", "Orc 1", "Zoë", "Li (young)", "X")
EFFECTS = ("Slow", "Hex", "Bless", "Rage", "Burning Hands")
STATUS = ((1.0, "Healthy"), (0.5, "Injured"), (0.15, "Bloodied"), (0.0, "Critical"))


@dataclass(eq=False)
class Effect:
    """An effect on one bearer, with the round in which it ends."""

    key: str
    name: str
    duration: int | None
    at_end: bool
    concentration: bool
    parent: "tuple[Fighter, Effect] | None"
    end_round: int | None = None

    def shown(self) -> Row:
        """Return what a state or a run holds of this effect."""
        parent = self.parent and {"combatant_id": self.parent[0].key, "effect_id": self.parent[1].key}
        length = {"duration": self.duration, "end_round": self.end_round, "end_on_turn_end": self.at_end}
        return {"id": self.key, "name": self.name, "concentration": self.concentration, "parent": parent} | length


@dataclass(eq=False)
class Fighter:
    """A combatant; the points of a private one are shown in words."""

    key: str
    name: str
    kind: str
    init: int
    bonus: int
    hp: int
    top: int
    private: bool = False
    temp: int = 0
    note: str = ""
    effects: list[Effect] = field(default_factory=list)

    @property
    def members(self) -> "list[Fighter]":
        """Those who act at this place."""
        return [self]

    @property
    def points(self) -> str:
        """Hit points as the bot knows them."""
        return f"<{self.hp}/{self.top} HP>" + (f" (+{self.temp} temp)" if self.temp else "")

    @property
    def told(self) -> str:
        """Hit points as the bot tells them."""
        if not self.private:
            return self.points
        rest = self.hp / self.top
        return f"<{next((word for least, word in STATUS if rest >= 1 or least < rest < 1), 'Dead')}>"

    @property
    def line(self) -> str:
        """The line of the initiative list."""
        more = [one.name for one in self.effects] + ([self.note] if self.note else [])
        return f"{self.name} {self.points} " + (f"({', '.join(more)})" if more else "")

    def change(self, amount: int) -> None:
        """Take hit points, temporary ones first, or give some."""
        absorbed = min(self.temp, max(-amount, 0))
        self.temp -= absorbed
        self.set(self.hp + amount + absorbed)

    def set(self, hp: int) -> None:
        """Set hit points; those of characters do not fall below 0."""
        self.hp = max(hp, 0) if self.kind == "player" else hp

    def shown(self, *, whole: bool = False) -> Row:
        """Return what a state holds of this one, or a run the whole."""
        row: Row = {"id": self.key, "name": self.name, "type": self.kind, "init": self.init, "controller_id": "gm"}
        row |= {"effects": [one.shown() for one in self.effects], "max_hp": self.top}
        if self.kind == "player" and not whole:
            return row
        stored = {"hp": self.hp, "temp_hp": self.temp, "monster_name": "Kobold"}
        return row | stored | {"skills": {"initiative": {"value": self.bonus}}}


@dataclass(eq=False)
class Group:
    """Combatants who act together."""

    key: str
    name: str
    init: int
    members: list[Fighter] = field(default_factory=list)

    @property
    def bonus(self) -> int:
        """The modifier of the first one where all are monsters of one kind."""
        alike = self.members and all(one.kind == "monster" for one in self.members)
        return self.members[0].bonus if alike else 0

    @property
    def line(self) -> str:
        """The lines of the initiative list."""
        return self.name + "".join(f"\n     - {one.line}" for one in self.members)

    def shown(self) -> Row:
        """Return what a state holds of this group."""
        members = [one.shown() for one in self.members]
        return {"id": self.key, "name": self.name, "type": "group", "init": self.init, "combatants": members}


class Bot:
    """Keeps a fight, and records what people typed, what it answered, and each state."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.earlier = chance.random() < 0.6
        self.dynamic = chance.random() < 0.2
        self.rows: list[Row] = []
        self.list: list[Fighter | Group] = []
        self.current: Fighter | Group | None = None
        self.round = 0
        self._made = 0
        self._record("combat_start")
        self._command("init begin", "!i begin", lambda: "Everyone roll for initiative!")

    def play(self, moves: int) -> list[Row]:
        """Let people join, and do so many things at random; return the recording."""
        for _ in range(4):
            self.join()
        often = [self.next] * 8 + [self.change_points, self.begin_effect, self.run] * 4
        rarely = [self.set_temporary, self.end_effect, self.previous, self.go_to, self.reroll, self.join, self.mob]
        for _ in range(moves):
            self.chance.choice(
                [*often, *rarely, self.remove, self.option, self.option, self.skip, self.refuse, self.ask]
            )()
        return self.rows

    # recording

    def _record(self, kind: str, **fields: Any) -> None:
        self.rows.append({"combat_id": "c", "event_type": kind, "timestamp": 1.5 + len(self.rows), **fields})

    def _new(self) -> int:
        self._made += 1
        return self._made

    def _type(self, typed: str, author: str = "gm") -> int:
        number = 1000 + self._new()
        self._record("message", message_id=number, author_id=author, author_bot=False, content=typed, embeds=[])
        return number

    def _say(self, answer: str | Row) -> None:
        content, embeds = (answer, []) if isinstance(answer, str) else ("", [answer])
        message = {"author_id": "bot", "author_bot": True, "content": content, "embeds": embeds}
        self._record("message", message_id=1000 + self._new(), **message)

    def _state(self, number: int) -> None:
        place = None if self.current is None else self.list.index(self.current)
        data = {"combatants": [one.shown() for one in self.list], "round": self.round, "current": place}
        self._record(
            "combat_state_update", probable_interaction_id=number, data=deepcopy(data), human_readable=self.summary()
        )

    def _done(self, number: int, name: str, typed: str, caster: Row | None = None) -> None:
        self._record("command", message_id=number, author_id="gm", content=typed, command_name=name, caster=caster)

    def _command(self, name: str, typed: str, do: Callable[[], str | Row], caster: Row | None = None) -> None:
        """Record a command: what was typed, then the state, the answer and the command in one of the usual orders."""
        number = self._type(typed)
        answer = do()
        steps: list[Callable[[], None]] = [lambda: self._state(number), lambda: self._done(number, name, typed, caster)]
        if answer:
            steps.insert(self.chance.randrange(3), lambda: self._say(answer))
        for step in steps:
            step()

    def summary(self) -> str:
        """Return the initiative list."""
        now = 0 if self.current is None else self.current.init
        lines = [f"{'# ' if one is self.current else '  '}{one.init:>2}: {one.line}" for one in self.list]
        return f"```md\nCurrent initiative: {now} (round {self.round})\n====\n" + "\n".join(lines) + "```"

    def _turn(self) -> str:
        now = self.current
        if now is None:
            return self.summary()
        told = "\n".join(f"{one.name} {one.told}" for one in now.members)
        return f"**Initiative {now.init} (round {self.round})**: {now.name} (<@1>)\n```md\n{told}```"

    # the fight

    @property
    def everybody(self) -> list[Fighter]:
        """All combatants, in the order of the list."""
        return [one for place in self.list for one in place.members]

    @property
    def groups(self) -> list[Group]:
        """All groups."""
        return [one for one in self.list if isinstance(one, Group)]

    def _place(self, one: Fighter) -> int:
        return next(at for at, place in enumerate(self.list) if one in place.members)

    def _sort(self) -> None:
        self.list.sort(key=lambda one: (one.init, one.bonus), reverse=True)

    def _lose(self, bearer: Fighter, effect: Effect) -> None:
        """End an effect with all that hangs on it."""
        if effect in bearer.effects:
            bearer.effects.remove(effect)
            for other in self.everybody:
                for child in [one for one in other.effects if one.parent and one.parent[1] is effect]:
                    self._lose(other, child)

    def _gain(self, bearer: Fighter, effect: Effect) -> list[str]:
        """Begin an effect; return the names of those whose concentration it ends."""
        for old in [one for one in bearer.effects if one.name == effect.name]:
            self._lose(bearer, old)
        gone = [one for one in bearer.effects if effect.concentration and one.concentration]
        for old in gone:
            self._lose(bearer, old)
        if effect.duration is not None:
            now, place = -1 if self.current is None else self.list.index(self.current), self._place(bearer)
            comes = self.current is not None and (now <= place if effect.at_end else now < place)
            effect.end_round = self.round + effect.duration - int(comes)
        bearer.effects.append(effect)
        return [one.name for one in gone]

    def _end_over(self, among: Iterable[Fighter], at_end: tuple[bool, ...]) -> None:
        """End what ends in this round, or should have, on the turn of its bearer."""
        for bearer in among:
            ending = [one for one in bearer.effects if one.end_round is not None and one.at_end in at_end]
            for effect in [one for one in ending if self.round >= (one.end_round or 0)]:
                self._lose(bearer, effect)

    def _end_overdue(self) -> None:
        """End what is over by the places that the turns have passed."""
        now = -1 if self.current is None else self.list.index(self.current)
        for bearer in self.everybody:
            for effect in [one for one in bearer.effects if one.end_round is not None]:
                passed = self.current is not None and now >= self._place(bearer) + int(effect.at_end)
                if self.round > (effect.end_round or 0) or (self.round == effect.end_round and passed):
                    self._lose(bearer, effect)

    def _take_out(self, one: Fighter) -> None:
        if self.earlier:
            one.effects.clear()
        for effect in list(one.effects):
            self._lose(one, effect)
        self._lift(one)

    def _lift(self, one: Fighter) -> None:
        """Take somebody from a place, and away with an empty one."""
        place = self.list[self._place(one)]
        if isinstance(place, Group):
            place.members.remove(one)
        if place is one or not place.members:
            self.list.remove(place)
            self.current = None if self.current is place else self.current
        self._sort()

    def _clear(self, among: list[Fighter]) -> str:
        dead = [one for one in among if one.kind == "monster" and one.hp <= 0][: len(self.everybody) - 1]
        for one in dead:
            self._take_out(one)
        return "".join(f"\n{one.name} automatically removed from combat." for one in dead)

    def _rerolled(self) -> str:
        rolled = []
        for one in self.list:
            die = self.chance.randint(1, 20)
            one.init = die + one.bonus
            rolled.append((one.init, one.bonus, f"1d20 ({die}) + {one.bonus} = `{one.init}`: {one.name}"))
        self._sort()
        self.current = None
        return "\n".join(line for _, _, line in sorted(rolled, key=lambda each: each[:2], reverse=True))

    def _quoted(self, name: str) -> str:
        plain = not set(name) & set("“”'\"")
        return f"“{name}”" if plain and self.chance.random() < 0.5 else f'"{name}"'

    # what people type: who comes and goes

    def _fresh(self, name: str, kind: str) -> tuple[Fighter, str]:
        """Return somebody new, and the roll of initiative."""
        die, hp = self.chance.randint(1, 20), self.chance.randint(5, 40)
        bonus = 2 if kind == "monster" else self.chance.randint(0, 4)
        private = kind == "monster" and self.chance.random() < 0.5
        one = Fighter(f"f{self._new()}", name, kind, die + bonus, bonus, hp, hp, private)
        return one, f"1d20 ({die}) + {bonus} = `{die + bonus}`"

    def join(self) -> None:
        """Let a character or a monster join."""
        kind = self.chance.choice(["player", "monster"])
        fighter, roll = self._fresh(f"{self.chance.choice(NAMES)} {self._new()}", kind)

        def do() -> str | Row:
            self.list.append(fighter)
            self._sort()
            if kind == "player":
                return {"title": f"{fighter.name} makes an Initiative check!", "description": roll}
            return f"{fighter.name} was added to combat with initiative {roll}."

        sheet = {"name": fighter.name, "skills": {"initiative": {"value": fighter.bonus}}}
        if kind == "player":
            self._command("init join", "!i join", do, sheet)
        else:
            self._command("init madd", f'!i madd orc -name "{fighter.name}"', do)

    def mob(self) -> None:
        """Let monsters join as a group, or come into one."""
        number = self._new()
        title = self.chance.choice([f"Mob {number}", *(one.name for one in self.groups)])
        fresh = [self._fresh(f"KO{number}x{at}", "monster")[0] for at in (1, 2)]

        def do() -> str:
            for one in fresh:
                self._enter(one, title)
            says = "was added to combat with initiative {} as part of group {}."
            return "\n".join(f"{one.name} {says.format(one.init, title)}" for one in fresh)

        self._command("init madd", f'!i madd kobold -n 2 -group "{title}"', do)

    def _enter(self, one: Fighter, title: str) -> None:
        """Put somebody into a group; a new one is placed while it is empty."""
        into = next((group for group in self.groups if group.name == title), None)
        if into is None:
            into = Group(f"g{self._new()}", title, one.init)
            self.list.append(into)
            self._sort()
        into.members.append(one)
        one.init = into.init

    def remove(self) -> None:
        """Take somebody out whose turn it is not."""
        now = self.current.members if self.current else []
        others = [one for one in self.everybody if [one] != now]
        if len(others) > 1:
            gone = self.chance.choice(others)
            self._command("init remove", f"!i remove {gone.name}", lambda: self._removed(gone))

    def _removed(self, gone: Fighter) -> str:
        self._take_out(gone)
        return f"{gone.name} removed from combat."

    # turns

    def next(self) -> None:
        """Go on to the next turn, with the fallen cleared away."""

        def do() -> str:
            now, before = self.current, ""
            if self.earlier and now:
                self._end_over(list(now.members), (True,))
            at = 0 if now is None else self.list.index(now) + 1
            if now is not None and at == len(self.list) and self.dynamic:
                before = f"New initiatives:\n{self._rerolled()}\n"
            self.round += int(now is None or at == len(self.list))
            self.current = self.list[at % len(self.list)]
            if self.earlier:
                self._end_over(list(self.current.members), (False,))
            else:
                self._end_overdue()
            fallen = self._clear(list(now.members) if now else [])
            return f"{before}{self._turn()}{fallen}"

        self._command("init next", "!i n", do)

    def previous(self) -> None:
        """Go back a turn of this round."""
        if self.current is not None and self.list.index(self.current):
            before = self.list[self.list.index(self.current) - 1]
            self._command("init prev", "!i prev", lambda: self._go(before))

    def _go(self, place: Fighter | Group) -> str:
        self.current = place
        return self._turn()

    def go_to(self) -> None:
        """Go to somebody's turn."""
        target = self.chance.choice(self.everybody)
        self._command("init move", f'!i goto "{target.name}"', lambda: self._go(self.list[self._place(target)]))

    def skip(self) -> None:
        """Let rounds pass."""
        number = self.chance.choice([1, 1, 2, 5])

        def do() -> str:
            dead = [one for one in self.everybody if one is not self.current]
            self.round += number
            if self.earlier:
                self._end_over(self.everybody, (True, False))
            else:
                self._end_overdue()
            before = f"New initiatives:\n{self._rerolled()}\n" if self.dynamic else ""
            fallen = self._clear(dead)
            return f"{before}{self._turn()}{fallen}"

        self._command("init skipround", f"!i skipround {number}", do)

    def reroll(self) -> None:
        """Roll everybody's initiative anew."""
        self._command("init reroll", "!i reroll", lambda: f"Rerolled initiative! New order:\n{self._rerolled()}")

    # points

    def change_points(self) -> None:
        """Take hit points, give some, or set them; a character's also beside the fight."""
        target, amount = self.chance.choice(self.everybody), self.chance.choice([-3, -7, -20, 4, 10])
        way, sum_ = self.chance.choice(["", "", "mod ", "set ", "max"]), self.chance.random() < 0.2
        typed = {"max": "", "set ": f"{abs(amount)}"}.get(
            way, f"{amount}+0" if sum_ and not target.private else f"{amount:+}"
        )

        def do() -> str:
            before = target.hp
            if way in ("max", "set "):
                target.set(target.top if way == "max" else abs(amount))
            else:
                target.change(amount)
            by = amount if way in ("", "mod ") else target.hp - before
            return f"{target.name}: {target.told}" + ("" if target.private else f" ({by:+})")

        if target.kind == "player" and self.chance.random() < 0.4:
            name = f"game hp {way}".strip()
            number = self._type(f"!g hp {way}{typed}")
            self._say(do())
            self._done(number, name, f"!g hp {way}{typed}", {"name": target.name, "id": target.key})
        else:
            self._command("init hp", f"!i hp {self._quoted(target.name)} {way}{typed}".strip(), do)

    def set_temporary(self) -> None:
        """Set temporary hit points, or take some."""
        target, amount = self.chance.choice(self.everybody), self.chance.choice([5, 9, -2])

        def do() -> str:
            target.temp = amount if amount >= 0 else max(target.temp + amount, 0)
            return f"{target.name}: {target.told}"

        self._command("init thp", f"!i thp {self._quoted(target.name)} {amount}", do)

    def ask(self) -> None:
        """Take hit points of one of several who are called so; the bot asks whom."""
        target = self.chance.choice(self.everybody)
        part = target.name.split()[0]
        meant = [one for one in self.everybody if part.casefold() in one.name.casefold()]
        if len(meant) < 2 or set(part) & set("“”'\""):
            return
        typed = f"!i hp {part} -5"
        number = self._type(typed)
        listed = "\n".join(f"**[{at}]** - {one.name} {one.told}" for at, one in enumerate(meant, 1))
        self._say({"title": "Multiple Matches Found", "description": f"Which one were you looking for?\n{listed}\n"})
        self._type("1", "somebody else")
        self._type(str(meant.index(target) + 1))
        target.change(-5)
        self._state(number)
        self._say(f"{target.name}: {target.told}" + ("" if target.private else " (-5)"))
        self._done(number, "init hp", typed)

    # effects

    def begin_effect(self) -> None:
        """Begin an effect on one, two or a group, perhaps hanging on another effect."""
        name, group = self.chance.choice(EFFECTS), self.chance.choice([None, None, *self.groups])
        targets = (
            list(group.members)
            if group
            else self.chance.sample(self.everybody, min(len(self.everybody), self.chance.choice([1, 1, 2])))
        )
        duration, at_end, concentration = (
            self.chance.choice([None, 0, 1, 2, 5]),
            *self.chance.choices([True, False], k=2),
        )
        others = [(one, effect) for one in self.everybody for effect in one.effects if one not in targets]
        parent = self.chance.choice(others) if others and not concentration and self.chance.random() < 0.3 else None

        def do() -> Row:
            return {"fields": [{"name": one.name, "value": begin(one)} for one in targets]}

        def begin(one: Fighter) -> str:
            if name in [effect.name for effect in one.effects]:
                return "Effect already exists."
            gone = self._gain(one, Effect(f"e{self._new()}", name, duration, at_end, concentration, parent))
            conflict = f"\nRemoved {', '.join(gone)} due to concentration conflict!" if gone else ""
            return f"Added effect {name} to {one.name}.{conflict}"

        typed = f"!i effect {self._quoted(group.name if group else targets[0].name)} {self._quoted(name)}"
        typed += "" if group else "".join(f" -t {self._quoted(one.name)}" for one in targets[1:])
        typed += "" if duration is None else f" -dur {duration}"
        typed += f' -parent "{parent[0].name}|{parent[1].name}"' if parent else ""
        self._command("init effect", typed + " end" * at_end + " conc" * concentration, do)

    def end_effect(self) -> None:
        """End an effect, with its children, or all on somebody."""
        running = [(one, effect) for one in self.everybody for effect in one.effects]
        if not running:
            return
        bearer, effect = self.chance.choice(running)
        every = self.chance.random() < 0.3

        def do() -> str:
            for one in list(bearer.effects) if every else [effect]:
                self._lose(bearer, one)
            return f"{'All effects' if every else f'Effect {effect.name}'} removed from {bearer.name}.\n"

        typed = f"!i re {self._quoted(bearer.name)}"
        self._command("init re", typed if every else f"{typed} {self._quoted(effect.name)}", do)

    def run(self) -> None:
        """Let somebody do something to one or two: damage, healing, temporary points, an effect."""
        caster, number = self.chance.choice(self.everybody), self._type("!i a sword")
        targets = self.chance.sample(self.everybody, min(len(self.everybody), self.chance.choice([1, 1, 2])))
        each = [{"type": "target_iteration", "target_id": one.key, "results": [self._do(one)]} for one in targets]
        result = {"type": "root", "children": [{"type": "target", "results": each}]}
        sides = {"caster": caster.shown(whole=True), "targets": [one.shown(whole=True) for one in targets]}
        self._record("automation_run", interaction_id=number, automation_result=result, **deepcopy(sides))
        self._state(number)
        self._say({"title": f"{caster.name} attacks with a Sword!"})
        self._done(number, "init attack", "!i a sword", deepcopy(caster.shown()))

    def _do(self, target: Fighter) -> Row:
        """Do something to a target, and return the result of the run."""
        amount = self.chance.randint(1, 12)
        match self.chance.choice(["damage", "healing", "temporary", "effect"]):
            case "damage":
                target.change(-amount)
                roll = {"total": amount, "result": f"1d12 ({amount}) [slashing] = `{amount}`"}
                return {"type": "damage", "damage": amount, "damage_roll": roll}
            case "healing":
                target.set(min(target.hp + amount, max(target.top, target.hp)))
                return {"type": "damage", "damage": -amount, "damage_roll": {"result": f"-{amount} = `{-amount}`"}}
            case "temporary":
                target.temp = amount
                return {"type": "temphp", "amount": amount, "amount_roll": {"result": f"{amount} = `{amount}`"}}
            case _:
                duration, at_end = self.chance.choice([None, 1, 3, 10]), self.chance.random() < 0.5
                effect = Effect(f"e{self._new()}", self.chance.choice(EFFECTS), duration, at_end, False, None)
                self._gain(target, effect)
                return {"type": "ieffect", "effect": effect.shown(), "conc_conflict": []}

    # options and refusals

    def option(self) -> None:
        """Change place, group, name, most hit points and those now of somebody; of private ones in private."""
        target, number = self.chance.choice(self.everybody), self._new()
        given = {
            "name": f'"{target.name} {number}b"',
            "p": self.chance.randint(1, 25),
            "hp": self.chance.choice([7, "+4", "-6"]),
            "group": f'"{self.chance.choice(["None", "Gang", *(one.name for one in self.groups)])}"',
            "max": self.chance.choice([20, "+5", 0]),
        }
        typed = dict(self.chance.sample(sorted(given.items()), self.chance.choice([1, 1, 2, 3])))
        words = f"!i opt {self._quoted(target.name)}" + "".join(f" -{name} {said}" for name, said in typed.items())

        def do() -> str:
            done = [
                self._set(target, name, str(typed[name]))
                for name in ("p", "group", "name", "max", "hp")
                if name in typed
            ]
            return "" if target.private else "\n".join(done)

        self._command("init opt", words, do)

    def _set(self, one: Fighter, option: str, said: str) -> str:
        """Set an option, and say so as the bot does."""
        name, plain = one.name, said.strip('"')
        if option == "p":
            if one is self.current:
                return "❌ You cannot change a combatant's initiative on their own turn."
            old, one.init = one.init, int(plain)
            self._sort()
            return f"✅ {name}'s initiative set to {one.init} (was {old})."
        if option == "group":
            return self._regroup(one, plain)
        if option == "name":
            one.name = plain
            return f"✅ {name}'s name set to {plain}."
        was = one.top if option == "max" else one.hp
        new = int(plain) + (was if plain[0] in "+-" else 0)
        if option == "max":
            one.top = max(new, 1) if new >= 1 else was
            return f"✅ {name}'s HP max set to {new} (was {was})." if new >= 1 else "❌ Max HP must be at least 1."
        one.set(new)
        return f"✅ {name}'s HP set to {new} (was {was})."

    def _regroup(self, one: Fighter, title: str) -> str:
        alone = self.current is not None and self.current.members == [one]
        self._lift(one)
        if title == "None":
            self.list.append(one)
            self._sort()
        else:
            self._enter(one, title)
        self.current = self.list[self._place(one)] if alone else self.current
        return f"✅ {one.name} {'removed from all groups' if title == 'None' else f'added to group {title}'}."

    def refuse(self) -> None:
        """Refuse a command; of some a state is written all the same."""
        one = self._quoted(self.chance.choice(self.everybody).name)
        name, typed, answer, state = self.chance.choice(
            [
                ("init next", "!i n", "It is not your turn.", False),
                ("init move", "!i move", "You do not control any combatants.", False),
                ("init hp max", f"!i hp max {one} -3", "You can't have a negative max HP!", False),
                ("init opt", f"!i opt {one} Boss", "No valid options found.", False),
                ("init opt", f"!i opt {one} -name X", "❌ There is already another combatant with the name X.", True),
                ("init re", f"!i re {one}", f"No effects removed from {one}.\n", True),
                ("init attack", "!i a sword", "Attack not found.", False),
                ("init end", "!i end", "OK, cancelling.", False),
            ]
        )
        number = self._type(typed, "pl")
        self._say(answer)
        if state:
            self._state(number)
        self._done(number, name, typed)
