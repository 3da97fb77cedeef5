"""Commands of a bot within a line: where each begins, its words and flags by its grammar, and the text behind them, which is none of it."""

import re
from collections.abc import Iterator

from msgspec import Struct, field

from projections.grammar.line_context import Gap
from projections.reader.dictionary import listed

ALIASES = {
    name: command
    for command, names in {
        "i": "i, init, initiative",
        "attack": "a, attack, action",
        "mattack": "ma, monster_atk",
        "cast": "cast",
        "mcast": "mcast",
        "roll": "r, roll",
        "check": "c, check",
        "save": "s, save",
        "game": "g, game",
    }.items()
    for name in listed(names)
}
"""The names under which a command is known outside the initiative."""
OF_INITIATIVE = {
    name: command
    for command, names in {
        "add": "add",
        "madd": "madd",
        "join": "join, cadd, dcadd",
        "next": "next, n, skip",
        "prev": "prev, previous, rewind",
        "move": "move, goto",
        "round": "skipround, skiprounds, round",
        "hp": "hp",
        "thp": "thp",
        "effect": "effect",
        "unmark": "re",
        "remove": "remove",
        "opt": "opt, opts",
        "note": "note",
        "attack": "attack, a, action",
        "aoo": "aoo, ra",
        "cast": "cast",
        "rcast": "reactcast, rc",
        "check": "check, c",
        "save": "save, s",
        "list": "list, summary, begin",
        "status": "status",
        "end": "end",
        "reroll": "reroll, shuffle",
        "meta": "meta, metaset",
    }.items()
    for name in listed(names)
}
"""The names of the commands behind !i."""


class Grammar(Struct, frozen=True):
    """What a command takes: how many words at least, flags with a value or a number, and words that are keys."""

    least: int = 1
    numbers: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    """The flags behind which a number may stand."""
    keys: tuple[str, ...] = ()


_JOINING = ("hp", "ac", "thp")
GRAMMARS = {
    "add": Grammar(2, _JOINING, ("group", "note"), maybe=("p",)),
    "madd": Grammar(1, (*_JOINING, "n", "p"), ("group", "note", "name")),
    "move": Grammar(1),
    "round": Grammar(0),
    "hp": Grammar(1),
    "thp": Grammar(2),
    "effect": Grammar(2, ("dur",), ("t", "parent"), keys=("conc", "end")),
    "unmark": Grammar(1),
    "remove": Grammar(1),
    "opt": Grammar(1, ("p", "ac", "hp", "max"), ("name", "group")),
    "attack": Grammar(1, ("rr",), ("t",)),
    "aoo": Grammar(2, (), ("t",)),
    "cast": Grammar(1, ("l",), ("t",)),
    "rcast": Grammar(2, ("l",), ("t",)),
    "mattack": Grammar(2, ("rr",), ("t",)),
    "mcast": Grammar(2, ("l",), ("t",)),
    "check": Grammar(1, (), ("t",)),
    "save": Grammar(1, (), ("t",)),
    "game": Grammar(1),
}
"""The grammar of each command whose words are read by one."""


class Word(Struct, frozen=True):
    """A word of a command, or several in quotation marks; `ends` says that a mark behind it ends the command."""

    text: str
    start: int
    end: int
    quoted: bool = False
    ends: bool = False


class Command(Struct):
    """A command: its name, words and flags, the flags that it does not have or whose values are none, and the text before and behind it."""

    name: str
    lead: str = ""
    start: int = 0
    words: list[Word] = field(default_factory=list)
    flags: dict[str, list[str]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)
    tail: list[tuple[str, int]] = field(default_factory=list)
    """The texts that are no part of it, each with its place in the line."""

    def number(self, flag: str) -> int | None:
        """Return the number after a flag."""
        said = self.flags.get(flag)
        return int(said[-1]) if said and said[-1] else None

    def value(self, flag: str) -> str:
        """Return the words after a flag; "" without it."""
        return self.flags.get(flag, [""])[-1]

    def leave(self, words: list[Word]) -> None:
        """Put words that the command does not need before the text behind it."""
        self.tail = [*((f'"{each.text}"' if each.quoted else each.text, each.start) for each in words), *self.tail]
        self.words = []


_NAMES = "|".join(sorted(ALIASES, key=len, reverse=True))
_BEGINS = re.compile(rf"(?:^\s*[!/]|(?<![^\s:;,.(])!)({_NAMES})\b(?!['’])", re.IGNORECASE)
_WORD = re.compile(r"\"([^\"]*)\"|“([^”]*)”|(?<!\w)'([^']+)'(?!\w)|[+-]\s+\d+\b|\S+")
_FLAG = re.compile(r"-[a-z]+\d?", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?\d{1,6}")
_MARKS = ",;:.!?)"
_NO_WORD = re.compile(r"[^\w\"“']*$|\(")


def commands(line: str) -> tuple[list[Command], Gap | None] | None:
    """Return the commands of a line, and the reason why one of them is none; None if it has no command."""
    line = line.replace("−", "-")
    begins = [*_BEGINS.finditer(line)]
    if not begins:
        return None
    found: list[Command] = []
    lead, ends = line[: begins[0].start()], [*(each.start() for each in begins[1:]), len(line)]
    for begin, end in zip(begins, ends, strict=True):
        name, start, behind = ALIASES[begin[1].casefold()], begin.end(), line[begin.end() : end]
        if name == "i":
            sub = re.match(r"\s+([a-z]+)\b", behind, re.IGNORECASE)
            said = sub[1].casefold() if sub else ""
            if sub is None or said not in OF_INITIATIVE:
                return found, Gap(f"!i {said}".strip() + " is no command of a fight", _KNOWN)
            name, start, behind = OF_INITIATIVE[said], start + sub.end(), behind[sub.end() :]
        found.append(_command(name, behind, start))
        found[-1].lead, lead = lead, ""
        found[-1].start = begin.start()
    return found, None


_KNOWN = "such as: !i add, madd, next, hp, thp, effect, re, remove, opt, note, attack, cast, end"


def _words(text: str, start: int) -> Iterator[Word]:
    """Yield the words of a command with their places in the line."""
    for found in _WORD.finditer(text):
        quoted = next((each for each in found.groups() if each is not None), None)
        typed = quoted if quoted is not None else re.sub(r"^([+-])\s+", r"\1", found[0])
        plain = typed if quoted is not None or _NO_WORD.match(typed) else typed.rstrip(_MARKS)
        ends = plain != typed and quoted is None
        end = start + found.end() - (len(typed) - len(plain) if ends else 0)
        yield Word(plain, start + found.start(), end, quoted is not None, ends)


def _command(name: str, text: str, start: int) -> Command:
    """Return a command by its grammar: its words end at the first mark, and behind its flags at the first word that belongs to none."""
    made = Command(name)
    grammar = GRAMMARS.get(name)
    words = [*_words(text, start)] if grammar else []
    at, end = 0, start
    while grammar and at < len(words):
        word = words[at]
        if not word.quoted and _NO_WORD.match(word.text):
            break
        flag = None if word.quoted else _FLAG.fullmatch(word.text)
        taken = 1
        if flag:
            taken += _take_flag(made, grammar, word, words[at + 1] if at + 1 < len(words) and not word.ends else None)
        elif len(made.words) >= grammar.least and _is_key(grammar, words, at):
            made.keys.add(word.text.casefold())
        elif (made.flags or made.keys or made.unread) and len(made.words) >= grammar.least:
            break
        else:
            made.words.append(word)
        at += taken
        end = words[at - 1].end
        if words[at - 1].ends:
            break
    tail = text[end - start :]
    made.tail = [(tail, end)] if tail.strip() else []
    return made


def _is_key(grammar: Grammar, words: list[Word], at: int) -> bool:
    """Say whether a word is a key of the command, with nothing but flags and keys behind it; not: until the end of his turn."""
    word, behind = words[at], words[at + 1] if at + 1 < len(words) else None
    ends = (
        behind is None
        or word.ends
        or behind.quoted
        or bool(_FLAG.fullmatch(behind.text) or _NO_WORD.match(behind.text))
    )
    return word.text.casefold() in grammar.keys and (ends or _is_key(grammar, words, at + 1))


def _take_flag(made: Command, grammar: Grammar, word: Word, behind: Word | None) -> int:
    """Take a flag, and say whether the word behind it is its value."""
    flag = word.text[1:].casefold()
    value = behind if behind and (behind.quoted or not _FLAG.fullmatch(behind.text)) else None
    counts = value is not None and NUMBER.fullmatch(value.text) is not None
    if flag in grammar.values and value:
        made.flags.setdefault(flag, []).append(value.text)
        return 1
    if (flag in grammar.numbers or flag in grammar.maybe) and counts and value:
        made.flags.setdefault(flag, []).append(value.text)
        return 1
    if flag in grammar.maybe:
        made.flags.setdefault(flag, []).append("")
        return 0
    made.unread.append(f"{word.text} {value.text}" if value else word.text)
    return int(value is not None)
