"""A dialect: the commands of a bot that people who play online type without thinking, !i add, !i hp, !a, !cast, /r (avrae.toml)."""

import re
import shlex
from collections.abc import Callable, Sequence

from projections.grammar import filling
from projections.grammar.line_context import Gap, kinds
from projections.grammar.names import folded
from projections.open_types import Facts, Fields
from projections.reader.composition import Reading
from projections.reader.lexicon import Lexicon
from projections.reader.scene import Scene
from projections.reader.tags import tagged
from projections.reader.tokens import tokens

_COMMAND = re.compile(
    r"\s*[!/](i(?:nit|nitiative)?|a|attack|cast|r|roll|c|check|s|save|g|game)\b\s*(.*)$", re.IGNORECASE | re.DOTALL
)
_FLAG = re.compile(r"-[a-z]+", re.IGNORECASE)
NUMBERED = ("n", "hp", "ac", "dur")
"""The flags that a number follows."""
SUBCOMMANDS = {
    "add": "add",
    "madd": "add",
    "next": "next",
    "n": "next",
    "hp": "hp",
    "thp": "thp",
    "effect": "effect",
    "re": "unmark",
    "remove": "remove",
    "opt": "opt",
    "end": "end",
    "list": "list",
    "status": "list",
    "note": "note",
    "cast": "cast",
    "attack": "attack",
    "a": "attack",
    "aoo": "attack",
    "begin": "begin",
    "join": "add",
    "reroll": "",
    "skip": "next",
    "move": "",
}


class Command:
    """A command with its words and flags."""

    def __init__(self, scene: Scene, lexicon: Lexicon, text: str) -> None:
        self.scene, self.lexicon = scene, lexicon
        try:
            split = shlex.split(text.replace("“", '"').replace("”", '"').replace("'", "’"))
        except ValueError:
            split = text.split()
        self.words: list[str] = []
        self.flags: dict[str, list[str]] = {}
        at = 0
        while at < len(split):
            word = split[at]
            if _FLAG.fullmatch(word):
                bare = at + 1 == len(split) or bool(_FLAG.fullmatch(split[at + 1]))
                self.flags.setdefault(word[1:].casefold(), []).append("" if bare else split[at + 1])
                at += 1 if bare else 2
            else:
                self.words.append(word)
                at += 1

    def one(self, text: str) -> str:
        """Return the combatant that a text names; "" if it names none, or several."""
        found = self.scene.exactly(folded(text))
        if len(found) == 1:
            return found[0]
        items = tagged(self.scene, self.lexicon, tokens(text))
        whom = [item.who for item in items if item.who]
        return whom[0].ids[0] if len(items) == 1 and whom and len(whom[0].ids) == 1 else ""

    def targets(self) -> list[str] | None:
        """Return the combatants after -t; None if one of them is unknown."""
        found = [self.one(each) for each in self.flags.get("t", ())]
        return found if all(found) else None

    @property
    def is_clear(self) -> bool:
        """Whether each flag that needs a number has one."""
        return all(self.number(flag) is not None for flag in NUMBERED if flag in self.flags)

    def number(self, flag: str) -> int | None:
        """Return the number after a flag."""
        said = self.flags.get(flag, [""])[0]
        return int(said) if re.fullmatch(r"[+-]?\d{1,6}", said) else None


def command(scene: Scene, lexicon: Lexicon, line: str) -> list[Reading] | None:
    """Return the meanings of a command; None if the line is not one, an empty list if it is one that is not understood."""
    match = _COMMAND.match(line)
    if match is None:
        return None
    name, rest = match[1].casefold(), match[2].strip()
    if name in ("r", "roll", "c", "check", "s", "save", "g", "game"):
        return _rolled(scene, lexicon, name, rest)
    if name in ("a", "attack", "cast"):
        made = Command(scene, lexicon, rest)
        return (_cast if name == "cast" else _attack)(made)
    word, _, more = rest.partition(" ")
    made = Command(scene, lexicon, more)
    what = SUBCOMMANDS.get(word.casefold())
    do = DO.get(what or "")
    if do is None:
        return None
    return do(made) if made.is_clear else []


def _reading(facts: Facts | None, *, acts: bool = False) -> list[Reading]:
    return [Reading(facts, ("command",), acts=acts)] if facts else []


def _add(made: Command) -> list[Reading]:
    words = list(made.words)
    total = int(words.pop(0)) if words and re.fullmatch(r"-?\d+", words[0]) else None
    if not words:
        return []
    number = made.number("n") or 1
    sheet: Fields = {key: value for key in ("hp", "ac") if (value := made.number(key)) is not None}
    name = " ".join(words)
    values: Fields = {"new": f"{name.casefold()}*{number}" if number > 1 else name, "sheet": sheet}
    if "group" in made.flags:
        values["group"] = folded(made.flags["group"][0])
    if "p" in made.flags and total is not None:
        values["total"] = total
    elif total and "initiative" in made.scene.state.rules.sheet.__struct_fields__:
        sheet["initiative"] = total  # a bonus, and no roll
    try:
        return _reading(filling.copies(made.scene.context, values))
    except (Gap, ValueError):
        return []


def _next(made: Command) -> list[Reading]:
    values: Fields = {}
    try:
        filling.next_turn(made.scene.context, values)
    except Gap:
        return []
    return _reading([{"type": "turn_started", "combatant": values["who"]}], acts=True)


def _hp(made: Command) -> list[Reading]:
    if not made.words:
        return []
    who = made.one(made.words[0]) or made.scene.turn if made.one(made.words[0]) else ""
    rest = made.words[1:]
    if not who:
        return []
    if len(rest) == 2 and rest[0].casefold() in ("set", "mod") and re.fullmatch(r"[+-]?\d+", rest[1]):
        if rest[0].casefold() == "mod":
            return _hp_changed(who, int(rest[1]))
        now = made.scene.state.combatants[who].hp
        return _hp_changed(who, int(rest[1]) - now) if now is not None and now != int(rest[1]) else []
    if len(rest) == 1 and re.fullmatch(r"[+-]?\d+", rest[0]):
        return _hp_changed(who, int(rest[0]))
    return [Reading([], rest="why", words=f"{who}.hp")] if not rest else []


def _hp_changed(who: str, change: int) -> list[Reading]:
    if change < 0:
        return _reading([{"type": "damage_dealt", "target": who, "amount": -change}])
    return _reading([{"type": "healed", "target": who, "amount": change}])


def _thp(made: Command) -> list[Reading]:
    who = made.one(made.words[0]) if len(made.words) == 2 else ""
    if not who or not re.fullmatch(r"\+?\d+", made.words[1]):
        return []
    return _reading([{"type": "healed", "target": who, "amount": int(made.words[1]), "temporary": True}])


def _effect(made: Command) -> list[Reading]:
    who = made.one(made.words[0]) if len(made.words) > 1 else ""
    if not who:
        return []
    name = " ".join(made.words[1:])
    amount = made.number("dur")
    duration = {"duration": {"amount": amount, "unit": "round"}} if amount is not None else {}
    state = next((sense.value for sense in made.lexicon.senses(name) if sense.kind == "condition"), "")
    if state or name.casefold() in made.scene.conditions:
        return _reading(
            [{"type": "condition_gained", "condition": state or name.casefold(), "targets": [who], **duration}]
        )
    return _reading([{"type": "effect_started", "effect": name, "targets": [who], **duration}])


def _unmark(made: Command) -> list[Reading]:
    who = made.one(made.words[0]) if len(made.words) > 1 else ""
    if not who:
        return []
    name = " ".join(made.words[1:])
    state = next((sense.value for sense in made.lexicon.senses(name) if sense.kind == "condition"), name.casefold())
    conditions: dict[str, str] = {
        each.called: each.name for each in made.scene.state.conditions.values() if each.bearer == who
    }
    effects: dict[str, str] = {
        each.called: each.name for each in made.scene.state.effects.values() if each.bearer == who
    }
    if name.casefold() in effects:
        return _reading([{"type": "effect_ended", "effect": effects[name.casefold()], "targets": [who]}])
    if state in conditions:
        return _reading([{"type": "condition_lost", "condition": conditions[state], "targets": [who]}])
    return (
        _reading([{"type": "condition_lost", "condition": state, "targets": [who]}])
        if state in made.scene.conditions
        else []
    )


def _remove(made: Command) -> list[Reading]:
    who = made.one(" ".join(made.words))
    return _reading([{"type": "combatant_left", "combatant": who}]) if who else []


def _opt(made: Command) -> list[Reading]:
    who = made.one(" ".join(made.words))
    sheet = {key: value for key in ("hp", "ac") if (value := made.number(key)) is not None}
    if not who or not sheet or made.flags.keys() - sheet.keys():
        return []
    values: Fields = {"combatant": who, "sheet": sheet}
    try:
        filling.changed_sheet(made.scene.context, values)
    except (Gap, ValueError):
        return []
    return _reading([{"type": "sheet_changed", "combatant": who, "sheet": values["sheet"]}])


def _note(made: Command) -> list[Reading]:
    return _reading([{"type": "noted", "text": " ".join(made.words)}]) if made.words else []


def _end(_made: Command) -> list[Reading]:
    return _reading([{"type": "encounter_closed.2"}])


def _list(_made: Command) -> list[Reading]:
    return [Reading([], rest="why", words="order")]


def _attack(made: Command) -> list[Reading]:
    who, targets = made.scene.turn, made.targets()
    if not who or not made.words or targets is None:
        return []
    action: Fields = {"kind": "attack", "name": " ".join(made.words), **({"targets": targets} if targets else {})}
    return _reading([{"type": "action_taken", "combatant": who, "action": action}], acts=True)


def _cast(made: Command) -> list[Reading]:
    who, targets = made.scene.turn, made.targets()
    if not who or not made.words or targets is None or "cast" not in kinds(made.scene.state):
        return []
    action: Fields = {
        "kind": "cast",
        "name": " ".join(made.words).casefold(),
        **({"targets": targets} if targets else {}),
    }
    return _reading([{"type": "action_taken", "combatant": who, "action": action}], acts=True)


def _rolled(scene: Scene, lexicon: Lexicon, name: str, rest: str) -> list[Reading]:
    """Return the facts of dice typed with their result, and with whose or what roll it is."""
    items = tagged(scene, lexicon, tokens(rest))
    rolls = [item for item in items if item.number is not None and item.number.notation]
    whom = [item.who for item in items if item.who]
    words = [item.typed for item in items if item.kind == "word" and not item.is_("filler", "for")]
    if len(rolls) != 1 or len(whom) > 1 or len(words) > 4 or name in ("g", "game"):
        return []
    number = rolls[0].number
    if number is None:
        return []
    fact: Fields = {"type": "dice_rolled", **({"purpose": " ".join(words)} if words else {}), "total": number.value}
    if number.die is not None and number.die != number.value:
        fact["die"] = number.die
    if whom and len(whom[0].ids) == 1:
        fact["combatant"] = whom[0].ids[0]
    return _reading([fact])


DO: dict[str, Callable[[Command], list[Reading]]] = {
    "add": _add,
    "next": _next,
    "hp": _hp,
    "thp": _thp,
    "effect": _effect,
    "unmark": _unmark,
    "remove": _remove,
    "opt": _opt,
    "end": _end,
    "list": _list,
    "begin": _list,
    "note": _note,
    "cast": _cast,
    "attack": _attack,
}


def flags(words: Sequence[str]) -> list[str]:
    """Return the flags among words."""
    return [each for each in words if each.startswith("-")]
