"""A bot of our own that keeps a fight by the rules of the real one, and records it in the same form."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

Row = dict[str, Any]

NAMES = ("Bo", "Bo Wild", "Ana", "“Q” the Odd", "D'Ar", "Orc", "Orc 1", "Zoë", "Li (young)", "X")
EFFECTS = ("Slow", "Hex", "Bless", "Rage", "Burning Hands")


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


@dataclass(eq=False)
class Fighter:
    """A combatant."""

    key: str
    name: str
    kind: str
    init: int
    bonus: int
    hp: int
    top: int
    temp: int = 0
    effects: list[Effect] = field(default_factory=list)

    @property
    def points(self) -> str:
        """Hit points as the bot prints them."""
        return f"<{self.hp}/{self.top} HP>" + (f" (+{self.temp} temp)" if self.temp else "")

    @property
    def line(self) -> str:
        """The line of the initiative list."""
        effects = ", ".join(one.name for one in self.effects)
        return f"{self.name} {self.points} " + (f"({effects})" if effects else "")

    def shown(self) -> Row:
        """Return what a state holds of this one."""
        effects = [
            {"id": one.key, "name": one.name, "duration": one.duration, "end_round": one.end_round}
            | {"end_on_turn_end": one.at_end, "concentration": one.concentration, "parent": _reference(one.parent)}
            for one in self.effects
        ]
        row: Row = {"id": self.key, "name": self.name, "type": self.kind, "init": self.init, "effects": effects}
        if self.kind == "player":
            return row | {"max_hp": self.top}
        stored = {"hp": self.hp, "max_hp": self.top, "temp_hp": self.temp, "monster_name": self.name}
        return row | stored | {"skills": {"initiative": {"value": self.bonus}}}


def _reference(parent: tuple[Fighter, Effect] | None) -> Row | None:
    return {"combatant_id": parent[0].key, "effect_id": parent[1].key} if parent else None


class Bot:
    """Keeps a fight, and records what people typed, what it answered, and each state."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.rows: list[Row] = []
        self.list: list[Fighter] = []
        self.current: int | None = None
        self.round = 0
        self._made = 0
        self._record("combat_start")
        self._command("init begin", "!i begin", lambda: "Everyone roll for initiative!")

    def play(self, moves: int) -> list[Row]:
        """Let people join, and do so many things at random; return the recording."""
        for _ in range(4):
            self.join()
        often = [self.next] * 8 + [self.change_points, self.begin_effect] * 4
        rarely = [self.set_temporary, self.end_effect, self.previous, self.go_to, self.reroll, self.join]
        for _ in range(moves):
            self.chance.choice([*often, *rarely, self.remove, self.rename, self.move])()
        return self.rows

    # recording

    def _record(self, kind: str, **fields: Any) -> None:
        self.rows.append({"combat_id": "c", "event_type": kind, "timestamp": 1.5 + len(self.rows), **fields})

    def _new(self) -> int:
        self._made += 1
        return self._made

    def _say(self, answer: str | Row) -> None:
        content, embeds = (answer, []) if isinstance(answer, str) else ("", [answer])
        message = {"author_id": "bot", "author_bot": True, "content": content, "embeds": embeds}
        self._record("message", message_id=1000 + self._new(), **message)

    def _state(self, number: int) -> None:
        data = {"combatants": [one.shown() for one in self.list], "round": self.round, "current": self.current}
        self._record(
            "combat_state_update", probable_interaction_id=number, data=deepcopy(data), human_readable=self.summary()
        )

    def _command(self, name: str, typed: str, do: Callable[[], str | Row], caster: Row | None = None) -> None:
        """Record a command: what was typed, then the state, the answer and the command in one of the usual orders."""
        number = 1000 + self._new()
        self._record("message", message_id=number, author_id="gm", author_bot=False, content=typed, embeds=[])
        answer = do()
        command = {"author_id": "gm", "content": typed, "command_name": name, "caster": caster}
        steps: list[Callable[[], None]] = [
            lambda: self._state(number),
            lambda: self._record("command", message_id=number, **command),
        ]
        steps.insert(self.chance.randrange(3), lambda: self._say(answer))
        for step in steps:
            step()

    def summary(self) -> str:
        """Return the initiative list."""
        now = 0 if self.current is None else self.list[self.current].init
        lines = [f"{'# ' if at == self.current else '  '}{one.init:>2}: {one.line}" for at, one in enumerate(self.list)]
        return f"```md\nCurrent initiative: {now} (round {self.round})\n====\n" + "\n".join(lines) + "```"

    def _turn(self) -> str:
        if self.current is None:
            return self.summary()
        now = self.list[self.current]
        return f"**Initiative {now.init} (round {self.round})**: {now.name} (<@1>)\n```md\n{now.name} {now.points}```"

    # the fight

    def _sort(self) -> None:
        now = None if self.current is None else self.list[self.current]
        self.list.sort(key=lambda one: (one.init, one.bonus), reverse=True)
        self.current = None if now is None else self.list.index(now)

    def _lose(self, bearer: Fighter, effect: Effect) -> None:
        """End an effect with all that hangs on it."""
        if effect in bearer.effects:
            bearer.effects.remove(effect)
            for other in self.list:
                for child in [one for one in other.effects if one.parent and one.parent[1] is effect]:
                    self._lose(other, child)

    def _gain(self, bearer: Fighter, effect: Effect) -> None:
        for old in [one for one in bearer.effects if effect.concentration and one.concentration]:
            self._lose(bearer, old)
        if effect.duration is not None:
            place = self.list.index(bearer)
            comes = self.current is not None and (self.current <= place if effect.at_end else self.current < place)
            effect.end_round = self.round + effect.duration - int(comes)
        bearer.effects.append(effect)

    def _end_what_is_over(self) -> None:
        for place, bearer in enumerate(self.list):
            for effect in [one for one in bearer.effects if one.end_round is not None]:
                now = -1 if self.current is None else self.current
                passed = now > place if effect.at_end else now >= place
                if self.round > (effect.end_round or 0) or (self.round == effect.end_round and passed):
                    self._lose(bearer, effect)

    def _go(self, fighter: Fighter) -> str:
        self.current = self.list.index(fighter)
        return self._turn()

    def _take_out(self, fighter: Fighter) -> None:
        now = None if self.current is None else self.list[self.current]
        for effect in list(fighter.effects):
            self._lose(fighter, effect)
        self.list.remove(fighter)
        self.current = self.list.index(now) if now in self.list else None

    def _quoted(self, name: str) -> str:
        plain = not set(name) & set("“”'\"")
        return f"“{name}”" if plain and self.chance.random() < 0.5 else f'"{name}"'

    # what people type

    def join(self) -> None:
        """Let a character or a monster join."""
        number, kind = self._new(), self.chance.choice(["player", "monster"])
        die, bonus, hp = self.chance.randint(1, 20), self.chance.randint(0, 4), self.chance.randint(5, 40)
        fighter = Fighter(f"f{number}", f"{self.chance.choice(NAMES)} {number}", kind, die + bonus, bonus, hp, hp)
        roll = f"1d20 ({die}) + {bonus} = `{die + bonus}`"

        def do() -> str | Row:
            self.list.append(fighter)
            self._sort()
            if kind == "player":
                return {"title": f"{fighter.name} makes an Initiative check!", "description": roll}
            return f"{fighter.name} was added to combat with initiative {roll}."

        sheet = {"name": fighter.name, "skills": {"initiative": {"value": bonus}}}
        if kind == "player":
            self._command("init join", "!i join", do, sheet)
        else:
            self._command("init madd", f'!i madd orc -name "{fighter.name}"', do)

    def next(self) -> None:
        """Go on to the next turn, with the fallen cleared away; or refuse."""
        if self.chance.random() < 0.1:
            number = 1000 + self._new()
            self._record("message", message_id=number, author_id="pl", author_bot=False, content="!i n", embeds=[])
            self._say("It is not your turn.")
            self._record("command", message_id=number, author_id="pl", content="!i n", command_name="init next")
            return

        def do() -> str:
            now = None if self.current is None else self.list[self.current]
            last = self.current is None or self.current + 1 >= len(self.list)
            self.round += int(last)
            self.current = 0 if last or self.current is None else self.current + 1
            self._end_what_is_over()
            if now is None or now.kind != "monster" or now.hp > 0 or len(self.list) == 1:
                return self._turn()
            self._take_out(now)
            return f"{self._turn()}\n{now.name} automatically removed from combat."

        self._command("init next", "!i n", do)

    def previous(self) -> None:
        """Go back a turn of this round."""
        if self.current:
            before = self.list[self.current - 1]
            self._command("init prev", "!i prev", lambda: self._go(before))

    def go_to(self) -> None:
        """Go to somebody's turn."""
        target = self.chance.choice(self.list)
        self._command("init move", f'!i goto "{target.name}"', lambda: self._go(target))

    def reroll(self) -> None:
        """Roll everybody's initiative anew."""

        def do() -> str:
            rolled = []
            for one in self.list:
                die = self.chance.randint(1, 20)
                one.init = die + one.bonus
                rolled.append((one.init, one.bonus, f"1d20 ({die}) + {one.bonus} = `{one.init}`: {one.name}"))
            self._sort()
            self.current = None
            lines = [line for _, _, line in sorted(rolled, key=lambda each: each[:2], reverse=True)]
            return "Rerolled initiative! New order:\n" + "\n".join(lines)

        self._command("init reroll", "!i reroll", do)

    def change_points(self) -> None:
        """Take hit points, or give some."""
        target, amount = self.chance.choice(self.list), self.chance.choice([-3, -7, -20, 4, 10])

        def do() -> str:
            absorbed = min(target.temp, max(-amount, 0))
            target.temp -= absorbed
            target.hp += amount + absorbed
            target.hp = max(target.hp, 0) if target.kind == "player" else target.hp
            return f"{target.name}: {target.points} ({amount:+})"

        self._command("init hp", f"!i hp {self._quoted(target.name)} {amount:+}", do)

    def set_temporary(self) -> None:
        """Set temporary hit points, or take some."""
        target, amount = self.chance.choice(self.list), self.chance.choice([5, 9, -2])

        def do() -> str:
            target.temp = amount if amount >= 0 else max(target.temp + amount, 0)
            return f"{target.name}: {target.points}"

        self._command("init thp", f"!i thp {self._quoted(target.name)} {amount}", do)

    def begin_effect(self) -> None:
        """Begin an effect on one or two, perhaps hanging on another effect."""
        targets, name = self.chance.sample(self.list, min(len(self.list), 2)), self.chance.choice(EFFECTS)
        targets = targets[: self.chance.choice([1, 1, 2])]
        duration, at_end, concentration = self.chance.choice([None, 1, 2, 5]), *self.chance.choices([True, False], k=2)
        others = [(one, effect) for one in self.list for effect in one.effects if one not in targets]
        parent = self.chance.choice(others) if others and not concentration and self.chance.random() < 0.3 else None

        def do() -> Row:
            return {"fields": [{"name": one.name, "value": begin(one)} for one in targets]}

        def begin(one: Fighter) -> str:
            if name in [effect.name for effect in one.effects]:
                return "Effect already exists."
            self._gain(one, Effect(f"e{self._new()}", name, duration, at_end, concentration, parent))
            return f"Added effect {name} to {one.name}."

        typed = f"!i effect {self._quoted(targets[0].name)} {self._quoted(name)}"
        typed += "".join(f" -t {self._quoted(one.name)}" for one in targets[1:])
        typed += f" -dur {duration}" if duration else ""
        typed += f' -parent "{parent[0].name}|{parent[1].name}"' if parent else ""
        self._command("init effect", typed + " end" * at_end + " conc" * concentration, do)

    def end_effect(self) -> None:
        """End an effect, with its children."""
        running = [(one, effect) for one in self.list for effect in one.effects]
        if not running:
            return
        bearer, effect = self.chance.choice(running)

        def do() -> str:
            self._lose(bearer, effect)
            return f"Effect {effect.name} removed from {bearer.name}.\n"

        self._command("init re", f"!i re {self._quoted(bearer.name)} {self._quoted(effect.name)}", do)

    def remove(self) -> None:
        """Take somebody out whose turn it is not."""
        others = [one for place, one in enumerate(self.list) if place != self.current]
        if len(others) < 2:
            return
        gone = self.chance.choice(others)

        def do() -> str:
            self._take_out(gone)
            return f"{gone.name} removed from combat."

        self._command("init remove", f"!i remove {gone.name}", do)

    def rename(self) -> None:
        """Give somebody another name."""
        one = self.chance.choice(self.list)
        old, new = one.name, f"{self.chance.choice(NAMES)} {self._new()}"

        def do() -> str:
            one.name = new
            return f"✅ {old}'s name set to {new}."

        self._command("init opt", f"!i opt {self._quoted(old)} -name {self._quoted(new)}", do)

    def move(self) -> None:
        """Give somebody whose turn it is not another initiative."""
        one, total = self.chance.choice(self.list), self.chance.randint(1, 25)
        if self.current is not None and one is self.list[self.current]:
            return

        def do() -> str:
            old, one.init = one.init, total
            self._sort()
            return f"✅ {one.name}'s initiative set to {total} (was {old})."

        self._command("init opt", f"!i opt {self._quoted(one.name)} -p {total}", do)
