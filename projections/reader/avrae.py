"""A dialect: the commands of a bot that people who play online type without thinking, !i add, !i hp, !a, !cast, /r.

A command takes what its grammar has (bot_commands.py). Words behind it are a sentence about the same act, with its actor
and target; those that are not understood are asked about.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain, pairwise

from msgspec import structs

from eventstore.events import RoundStarted
from eventstore.form import event_of
from eventstore.record import upcast
from projections.grammar import filling
from projections.grammar.line_context import Gap, clock_move, kinds
from projections.grammar.names import folded
from projections.open_types import Facts, Fields
from projections.reader import bot_commands
from projections.reader.bot_commands import NUMBER, Command, Word
from projections.reader.composition import Reading, further
from projections.reader.decision import is_sure, meanings, settled
from projections.reader.initiative import OURS
from projections.reader.lexicon import ARTICLES, Lexicon
from projections.reader.newcomers import SIDES, is_side, side_named
from projections.reader.rolled import with_throws
from projections.reader.scene import People, Scene
from projections.reader.tags import Item, tagged
from projections.reader.tokens import Token, tokens

Text = Sequence[tuple[str, int]]
"""Texts with their places in the line."""
_DICE = re.compile(r"[+-]?\d*d\d+([+-]\d+)?", re.IGNORECASE)
MOST_WAYS = 3
"""How many meanings of a line are kept from one command to the next."""


def readings(scene: Scene, lexicon: Lexicon, line: str, *, throws: bool) -> list[Reading] | None:
    """Return the meanings of a line with commands; None if it has none, an empty list if one of them is not understood."""
    found = bot_commands.commands(line)
    if found is None:
        return None
    commands, gap = found
    if gap is not None:
        scene.gap = gap
        return []
    return Channel(scene, lexicon, throws=throws).told(commands)


class Channel:
    """What a line of commands tells: its meanings so far, whose command it is, and on which side newcomers are."""

    def __init__(self, scene: Scene, lexicon: Lexicon, *, throws: bool) -> None:
        self.scene, self.lexicon, self.throws = scene, lexicon, throws
        self.actor, self.side = scene.turn, ""
        self.guesses, self.turned = 0, False
        """How much is guessed, and whether a turn has begun in the line."""

    def told(self, commands: Sequence[Command]) -> list[Reading]:
        """Return the meanings of all commands of a line, one after the other."""
        ways = self._before(commands[0])
        for command in commands:
            try:
                made = DO[command.name](self, command) if ways else []
                made = [structs.replace(each, unread=_with(each.unread, command.words)) for each in made]
            except Gap as gap:
                self.scene.gap = self.scene.gap or gap
                return []
            ways = [_joined(one, other) for one in ways for other in made][:MOST_WAYS]
        ways = [structs.replace(each, guesses=each.guesses + self.guesses) for each in ways]
        return [each for each in ways if each.facts or each.rest]

    # ------------------------------------------------------------ sentences

    def items(self, text: Text) -> list[Item]:
        """Return the items of texts at their places in the line."""
        said = [
            structs.replace(token, start=token.start + start, end=token.end + start)
            for words, start in text
            for token in tokens(words)
        ]
        return self._tagged(said)

    def _tagged(self, said: Sequence[Token]) -> list[Item]:
        return tagged(self.scene, self.lexicon, said)

    def words(self, text: str) -> list[Item]:
        """Return the items of words that are not typed, but meant by a command."""
        return [structs.replace(item, start=0, end=0) for item in self._tagged(tokens(text))]

    def name(self, text: str) -> list[Item]:
        """Return the name of a weapon, a spell or an effect as one item."""
        found = self.words(text)
        known = len(found) == 1 and found[0].kind == "word" and found[0].is_("weapon", "spell", "feature", "condition")
        return found if known else self.words(f'"{text}"')

    def sentence(self, items: Sequence[Item]) -> list[Reading]:
        """Return the meanings of a sentence; dice without faces are rolled for it if nothing else makes it certain."""
        made = self._meanings(items)
        if self.throws and any(item.kind == "dice" for item in items) and not (made and is_sure(made[0])):
            rolled = with_throws(self.scene.context, [_token(item) for item in items])
            thrown = [
                structs.replace(item, kind=token.kind, number=token.number)
                for item, token in zip(items, rolled, strict=True)
            ]
            return self._meanings(thrown)
        return made

    def thrown(self, items: Sequence[Item]) -> list[Reading]:
        """Return the meanings of a sentence with dice, which show something or are thrown here."""
        if not (made := self.sentence(items)) and any(item.kind == "dice" for item in items):
            raise Gap("this does not say what the dice show", "such as: -7 in the place of -2d6")
        return made

    def _meanings(self, items: Sequence[Item]) -> list[Reading]:
        scene = Scene(self.scene.context)
        found, when = settled(scene, items)
        made = [] if when is not None else meanings(scene, found)
        if not made:
            self.scene.stuck = self.scene.stuck or scene.stuck
        return made

    def act(self, facts: Facts, said: Sequence[Item], command: Command, subject: Sequence[str]) -> list[Reading]:
        """Return the meanings of an act, whose facts are certain, with what stands behind its command.

        This belongs to the sentence by which people `said` the act, or is one of its own about its subject.
        """
        tail = self.items(command.tail)
        unread = tuple(command.unread)
        alone = Reading(facts, ("command",), unread, bool(unread), acts=True)
        if _adds_nothing(tail):
            return [alone] if facts else []
        whole: list[Reading] = []
        for between in ([], [_COMMA]) if tail[0].text in _WITHOUT_A_MARK else ([_COMMA], []):
            found = self.sentence([*said, *between, *tail]) if said else []
            kept = [each for each in found if _keeps(facts, each.facts)]
            kept = [structs.replace(each, unread=(*each.unread, *unread)) for each in kept]
            if kept and is_sure(kept[0]):
                return kept
            whole = whole or kept
        about = [each for each in self.sentence(_about(subject, tail)) if not each.rest]
        apart = [each if facts and _keeps(facts, each.facts) else _joined(alone, each) for each in about]
        if apart and is_sure(apart[0]):
            return apart
        lost = structs.replace(
            alone, unread=(*unread, *(item.typed for item in tail if item.kind != "mark")), guesses=1
        )
        return [*whole, *apart] or ([lost] if facts else [])

    # ------------------------------------------------------------ names

    def one(self, text: str) -> str:
        """Return the combatant that a text names; "" if it names none, or several."""
        found = self.scene.exactly(folded(text))
        if len(found) == 1:
            return found[0]
        items = self._tagged(tokens(text.replace("'", "’")))
        whom = [item.who for item in items if item.who]
        return whom[0].ids[0] if len(items) == 1 and whom and len(whom[0].ids) == 1 else ""

    def who(self, words: list[Word]) -> str:
        """Take the combatant whom the first words name off the list, with as many words as possible."""
        for length in range(len(words), 0, -1):
            if found := self.one(" ".join(word.text for word in words[:length])):
                del words[:length]
                return found
        if not words:
            raise Gap("this command does not say who is meant", "write the name behind it")
        raise Gap(f"there is no combatant {words[0].text}", f"there are {', '.join(one.id for one in self.scene.here)}")

    def targets(self, command: Command) -> list[str]:
        """Return the combatants after -t."""
        return [self.who([Word(each, 0, 0)]) for each in command.flags.get("t", ())]

    def called(self, words: list[Word], *senses: str) -> str:
        """Take a name off the list: the words in quotation marks, the longest that is known, or the first and those that can only belong to it."""
        if words[0].quoted:
            return words.pop(0).text
        for length in range(len(words), 0, -1):
            text = " ".join(word.text for word in words[:length])
            known = any(sense.kind in senses for sense in self.lexicon.senses(text))
            if known or text.casefold() in self.scene.carried or text.casefold() in self.scene.effects:
                del words[:length]
                return text
        taken = [words.pop(0)]
        while words and not words[0].quoted and self._goes_on(words[0]):
            taken.append(words.pop(0))
        return " ".join(word.text for word in taken)

    def _goes_on(self, word: Word) -> bool:
        """Say whether a word can only be a further one of a name: Dire Wolf, giant spider; not longsword hits."""
        items = self._tagged(tokens(word.text))
        plain = len(items) == 1 and items[0].kind == "word" and not items[0].who
        return plain and (not items[0].senses or (word.text[:1].isupper() and not items[0].is_verb()))

    def _before(self, command: Command) -> list[Reading]:
        """Return what the text before the first command tells; the name of an actor or of a side is kept for the commands."""
        items = [item for item in self.items([(command.lead, 0)]) if item.kind != "mark"]
        named = [item for item in items if not (item.is_("filler", "interjection") and item.who is None)]
        nothing = [Reading([])]
        if not named:
            return nothing
        if command.name in ("add", "madd") and len(named) == 1 and (is_side(named[0]) or named[0].text in SIDES):
            self.side = side_named(self.scene, named[0])
            return nothing
        if len(named) == 1 and named[0].who and len(named[0].who.ids) == 1:
            self.actor = named[0].who.ids[0]
            return nothing
        return self.sentence(self.items([(command.lead, 0)]))

    def myself(self) -> str:
        """Return whom the writer plays, else, as a guess, whose turn it is."""
        if len(self.scene.played) == 1:
            return self.scene.played[0]
        self.guesses += 1
        if not self.actor:
            raise Gap("this command does not say who is meant", "name the combatant in a sentence")
        return self.actor

    def up(self) -> str:
        """Return whose command this is: of whoever is named before it, else of whose turn it is."""
        if not self.actor:
            raise Gap("it is nobody's turn", "!i next begins the first turn")
        return self.actor


_COMMA = Item(",", ",", 0, 0, "mark")
_WITHOUT_A_MARK = (",", "(", "from", "by", "with", "for", "until", "as", "because", "and")
"""Words behind a command before which its sentence goes on without a comma."""


def person(*ids: str) -> Item:
    """Return an item that names combatants."""
    return Item(ids[0], ids[0], 0, 0, "who", who=People(ids, listed=True))


def _with(unread: Sequence[str], words: Sequence[Word]) -> tuple[str, ...]:
    """Return the words that a command has not understood, with those that it has not taken."""
    return (*unread, *(word.text for word in words))


def _token(item: Item) -> Token:
    return Token(item.kind, item.typed, item.start, item.end, item.text, number=item.number)


def _joined(one: Reading, other: Reading) -> Reading:
    """Return a reading and what comes behind it as one."""
    if not one.facts and not one.rest:
        return structs.replace(other, unread=(*one.unread, *other.unread), guesses=one.guesses + other.guesses)
    if one.rest or other.rest:
        return structs.replace(one, guesses=one.guesses + 1) if other.facts or other.rest else one
    moved = len(one.facts)
    return structs.replace(
        one,
        facts=[*one.facts, *(further(fact, moved) for fact in other.facts)],
        frames=(*one.frames, *other.frames),
        unread=(*one.unread, *other.unread),
        guesses=one.guesses + other.guesses,
        options=other.options,
        ambiguous=one.ambiguous or other.ambiguous,
    )


def _adds_nothing(items: Sequence[Item]) -> bool:
    """Say whether words behind a command report nothing: gg, lol."""
    return all(
        item.kind == "mark"
        or (item.who is None and item.number is None and item.is_("filler", "interjection", "at_the_table"))
        for item in items
    )


def _keeps(facts: Facts, told: Facts) -> bool:
    """Say whether a sentence tells all that its command does."""
    return all(any(_holds(fact, each) for each in told) for fact in facts)


def _holds(fact: Fields, told: Fields) -> bool:
    for name, value in fact.items():
        said = told.get(name)
        if isinstance(value, dict) and isinstance(said, dict):
            if not _holds(value, said):
                return False
        elif isinstance(value, str) and isinstance(said, str):
            if value.casefold() != said.casefold():
                return False
        elif said != value:
            return False
    return True


_AND = ("and", "so", "but", "then", "n", "&")


def _about(subject: Sequence[str], tail: Sequence[Item]) -> list[Item]:
    """Return words behind a command as a sentence about its subject, if they name nobody first: and he's down; shoots at Pip."""
    at = 0
    while at < len(tail) and (tail[at].kind == "mark" or tail[at].text in _AND):
        at += 1
    if at == len(tail) or not subject or tail[at].who or tail[at].text == "i":
        return [*tail[at:]]
    if tail[at].is_("pronoun_subject"):
        at += 1
    return [person(*subject), *tail[at:]]


# ------------------------------------------------------------ newcomers


def _sheet(command: Command) -> Fields:
    sheet: Fields = {key: value for key in ("hp", "ac") if (value := command.number(key)) is not None}
    notes = [each for each in (command.value("note"),) if each]
    return {**sheet, **({"notes": " ".join(notes)} if notes else {})}


def _newcomers(channel: Channel, command: Command, called: Sequence[str], sheet: Fields, **more: int) -> list[Reading]:
    """Return that these join, on the side that the words around the command name; other words behind it are notes."""
    side, described, lost = _described(channel, command)
    unread = [*command.unread, *lost]
    if described:
        sheet = {**sheet, "notes": " ".join((*([sheet["notes"]] if "notes" in sheet else []), described))}
    group = command.value("group")
    if side and group:
        unread.append(f"-group {group}")
    values: Fields = {"sheet": sheet, **({"group": side or folded(group)} if side or group else {}), **more}
    try:
        facts = [*chain(*(filling.copies(channel.scene.context, {**values, "new": each}) for each in called))]
    except ValueError:
        return []
    if points := command.number("thp"):
        joined = [fact["combatant"] for fact in facts if fact["type"] == "combatant_joined"]
        facts += [{"type": "healed", "target": who, "amount": points, "temporary": True} for who in joined]
    return [Reading(facts, ("join",), tuple(unread), len(unread))]


def _described(channel: Channel, command: Command) -> tuple[str, str, list[str]]:
    """Return the side and the description that words behind a newcomer give, and the words that tell something else: enemy boss; he's prone."""
    side, notes = channel.side, list[str]()
    said = [item for item in channel.items(command.tail) if item.kind != "mark" or item.text == "'s"]
    for item in said:
        if is_side(item) or item.text in SIDES:
            side = side_named(channel.scene, item)
        elif item.text in OURS:
            side = "party"
        elif item.text == "'s" or item.text in ARTICLES or (item.is_("interjection") and not item.who):
            pass
        elif (
            item.kind == "word"
            and not (item.who or item.is_verb())
            and (not item.senses or item.is_(*_DESCRIBING) or item.text == "other")
        ):
            notes.append(item.typed)
        else:
            return side, "", [each.typed for each in said]
    return side, " ".join(notes), []


_DESCRIBING = ("class", "role", "calling", "size", "others")
"""The kinds of words that may describe a newcomer."""


def _add(channel: Channel, command: Command) -> list[Reading]:
    words = command.words
    total = int(words.pop(0).text) if words and NUMBER.fullmatch(words[0].text) else None
    if not words:
        raise Gap("this names nobody", "such as: !i add 12 Orc -p -hp 15 -ac 13")
    name = _newcomer(channel, words)
    command.leave(words)
    sheet, more = _sheet(command), {}
    if "p" in command.flags and total is not None:
        more["total"] = total if command.number("p") is None else command.number("p") or 0
    elif total and "initiative" in channel.scene.state.rules.sheet.__struct_fields__:
        sheet["initiative"] = total  # a bonus, and no roll
    return _newcomers(channel, command, [name], sheet, **more)


def _newcomer(channel: Channel, words: list[Word]) -> str:
    """Take the name of somebody new off the list, perhaps with a number behind it."""
    name = channel.called(words)
    if len(words) == 1 and words[0].text.isdigit():
        name = f"{name} {words.pop(0).text}"
    return name


def _madd(channel: Channel, command: Command) -> list[Reading]:
    words = command.words
    kind = _newcomer(channel, words)
    command.leave(words)
    number, scheme, sheet = command.number("n") or 1, command.value("name"), _sheet(command)
    total = command.number("p")
    more = {} if total is None else {"total": total}
    if not scheme:
        called = [f"{kind.casefold()}*{number}" if number > 1 else kind]
        return _newcomers(channel, command, called, sheet, **more)
    if number > filling.MOST_COPIES or (number > 1 and "#" not in scheme):
        raise Gap(f"{number} cannot all be called {scheme}", f'-name "{scheme}#" numbers them')
    known = filling.copies(channel.scene.context, {"new": f"{kind.casefold()}*2"})[0]["sheet"].get("srd")
    sheet = {**sheet, **({"srd": known} if known else {"notes": " ".join((*sheet.get("notes", "").split(), kind))})}
    called = [scheme.replace("#", str(each)) for each in range(1, number + 1)]
    return _newcomers(channel, command, called, sheet, **more)


# ------------------------------------------------------------ turns


def _next(channel: Channel, command: Command) -> list[Reading]:
    values: Fields = {}
    if channel.turned:
        raise Gap("only one turn begins in a line", "write the next !i n in a line of its own")
    filling.next_turn(channel.scene.context, values)
    return _turn(channel, command, values["who"])


def _move(channel: Channel, command: Command) -> list[Reading]:
    who = channel.who(command.words)
    command.leave(command.words)
    return _turn(channel, command, who)


def _turn(channel: Channel, command: Command, who: str) -> list[Reading]:
    """Return that a turn begins, and what the words behind the command tell of it: whose it is, the round, deeds in it."""
    clock = channel.scene.state.clock
    fact: Fields = {"type": "turn_started", "combatant": who}
    begun: Facts = [fact] if clock.round else [{"type": "round_started", "round": 1}, fact]
    moves = clock_move(channel.scene.context, upcast(event_of(fact))).facts
    rounds = [each.round for each in moves if isinstance(each, RoundStarted)]
    now = rounds[-1] if rounds else clock.round or 1
    channel.actor, channel.turned = who, True
    tail = _without_the_time(channel.items(command.tail), now)
    if tail and tail[0].who:
        named = tail[0].who.ids
        behind = tail[1:]
        while behind and not behind[0].is_verb() and (behind[0].is_(*_TURNING) or behind[0].text in _AROUND_A_TURN):
            behind = behind[1:]
        ends = not behind or behind[0].kind == "mark"
        if named == (who,):
            tail = behind
        elif ends or len(behind) + 1 < len(tail):
            named_ = named[0] if named else tail[0].typed
            raise Gap(f"{who} is next", f"t {named_} begins a turn of {named_}")
    if _adds_nothing(tail):
        return [Reading(begun, ("turn",), acts=True)]
    made = channel.sentence(_about([who], tail))
    first = Reading(begun, ("turn",), acts=True)
    made = [structs.replace(each, facts=[one for one in each.facts if one != fact]) for each in made]
    others = [one["combatant"] for each in made for one in each.facts if one["type"] == "turn_started"]
    acts = [one["combatant"] for each in made[:1] for one in each.facts[:1] if one["type"] == "action_taken"]
    if another := next((each for each in (*others, *acts) if each != who), ""):
        raise Gap(f"{who} is next", f"t {another} begins a turn of {another}")
    unread = tuple(item.typed for item in tail if item.kind != "mark")
    return [_joined(first, each) for each in made if each.facts] or [structs.replace(first, unread=unread, guesses=1)]


_TURNING = ("turn", "up", "next", "first")
_AROUND_A_TURN = ("'s", "is", "again", "now")
"""Words behind a name that only say that the turn is theirs."""


def _without_the_time(items: Sequence[Item], now: int) -> list[Item]:
    """Return words behind a turn without those that only say which round it is, and without marks before the rest."""
    rest = [*items]
    while rest:
        first, *behind = rest
        if first.is_("round") and behind and behind[0].number:
            if behind[0].number.value != now:
                raise Gap(f"this is round {now}", f"r begins the next round; without it, this is round {now}")
            rest = behind[1:]
        elif first.kind == "mark" or (first.is_("filler", "interjection") and not first.who):
            rest = behind
        else:
            break
    return rest


def _round(channel: Channel, command: Command) -> list[Reading]:
    number = int(command.words.pop(0).text) if command.words and command.words[0].text.isdigit() else 1
    if number != 1 or command.words or command.tail:
        raise Gap("only one round begins at a time", "!i round, or r, begins the next one")
    clock = channel.scene.state.clock
    ended: Facts = [{"type": "round_ended", "round": clock.round}] if clock.open else []
    return [Reading([*ended, {"type": "round_started", "round": clock.round + 1}], ("round",))]


# ------------------------------------------------------------ points


def _amount(channel: Channel, word: str) -> tuple[int | None, list[Item]]:
    """Return the number that a word is, and an item for its size; of dice only the item."""
    if not (NUMBER.fullmatch(word) or _DICE.fullmatch(word)):
        raise Gap(f"{word} is no number of points", "such as: !i hp Orc -5")
    plain = word.lstrip("+-")
    return int(word) if NUMBER.fullmatch(word) else None, channel.words(plain)


_WAYS = ("set", "mod", "max")


def _hp(channel: Channel, command: Command) -> list[Reading]:
    words = command.words
    way = words.pop(0).text.casefold() if words[0].text.casefold() in _WAYS and len(words) > 1 else ""
    who = channel.who(words)
    return _points(channel, command, who, way)


def _points(channel: Channel, command: Command, who: str, way: str = "") -> list[Reading]:
    words = command.words
    if not way and words and words[0].text.casefold() in _WAYS:
        way = words.pop(0).text.casefold()
    if not words and way != "max":
        if command.tail or way:
            raise Gap("this does not say how many hit points", f"such as: !i hp {who} -5")
        return [Reading([], rest="why", words=f"{who}.hp")]
    one = channel.scene.state.combatants[who]
    said = words.pop(0).text if words else ""
    command.leave(words)
    if way == "max" and said.isdigit():
        fact: Fields = {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": int(said)}}
        return channel.act([fact], [], command, [who])
    number, amount = _amount(channel, said) if said else (one.hp_max, [])
    if way in ("set", "max"):
        if number is None or one.hp is None:
            raise Gap(f"the hit points of {who} are not known", f"such as: {who} hp=20")
        number -= one.hp
        amount = channel.words(str(abs(number)))
    if number == 0:
        raise Gap(f"{who} has these hit points already" if way else "0 hit points change nothing", "")
    hurts = (said.startswith("-") if number is None else number < 0) and said != ""
    facts = [] if number is None else [_changed(who, number)]
    said_ = [person(who), *channel.words("takes"), *amount, *channel.words("damage")]
    if not hurts:
        said_ = [person(who), *channel.words("regains"), *amount, *channel.words("hp")]
    if number is None:
        return channel.thrown([*said_, *channel.items(command.tail)])
    return channel.act(facts, said_, command, [who])


def _changed(who: str, change: int) -> Fields:
    if change < 0:
        return {"type": "damage_dealt", "target": who, "amount": -change}
    return {"type": "healed", "target": who, "amount": change}


def _thp(channel: Channel, command: Command) -> list[Reading]:
    return _temporary(channel, command, channel.who(command.words))


def _temporary(channel: Channel, command: Command, who: str) -> list[Reading]:
    words = command.words
    if not words or words[0].text.startswith("-"):
        raise Gap("temporary hit points are gained by a number", f"such as: !i thp {who} 5")
    number, amount = _amount(channel, words.pop(0).text)
    command.leave(words)
    said = [person(who), *channel.words("gains"), *amount, *channel.words("temporary hp")]
    if number is None:
        return channel.thrown([*said, *channel.items(command.tail)])
    fact: Fields = {"type": "healed", "target": who, "amount": number, "temporary": True}
    return channel.act([fact], said, command, [who])


# ------------------------------------------------------------ states, sheets


def _state(channel: Channel, name: str) -> str:
    """Return the condition that a name means; "" if it is that of an effect."""
    found = next((sense.value for sense in channel.lexicon.senses(name) if sense.kind == "condition"), "")
    return found or (name.casefold() if name.casefold() in channel.scene.conditions else "")


def _effect(channel: Channel, command: Command) -> list[Reading]:
    words, amount = command.words, command.number("dur")
    whom = [channel.who(words), *channel.targets(command)]
    if len(words) > 1 and words[0].text.isdigit():
        amount = int(words.pop(0).text)  # the number of rounds once stood before the name
    if not words:
        raise Gap("this does not say which effect", f"such as: !i effect {whom[0]} Prone")
    name = channel.called(words, "condition", "spell", "effect")
    command.leave(words)
    source, _, parent = command.value("parent").partition("|")
    by = channel.who([Word(source, 0, 0)]) if source else whom[0] if "conc" in command.keys else ""
    also, by, rest = _further_targets(channel.items(command.tail), by)
    whom += [who for who in also if who not in whom]
    span = {"amount": amount, "unit": "round"} | ({"of": whom[0], "at": "end"} if "end" in command.keys else {})
    duration = {"duration": span} if amount is not None else {}
    if "end" in command.keys and amount is None:
        command.unread.append("end")
    if not rest:
        command.tail = []
    if state := _state(channel, name):
        if "conc" in command.keys:
            command.unread.append("conc")
        caused = {"source": by} if by and by != whom[0] else {}
        facts: Facts = [{"type": "condition_gained", "condition": state, "targets": whom, **caused, **duration}]
        return channel.act(facts, [person(*whom), *channel.words("is"), *channel.name(name)], command, whom)
    fact: Fields = {"type": "effect_started", "effect": name, "targets": whom, **duration}
    if by:
        fact["source"] = by
    if "conc" in command.keys or (by and not parent):
        fact["concentration"] = True
    return channel.act([fact], [], command, whom)


def _further_targets(tail: Sequence[Item], by: str) -> tuple[list[str], str, bool]:
    """Return further bearers of an effect and who concentrates on it, as words behind it name them, and whether words
    are left that say something else: same on Pip, Mags concentrating.
    """
    also: list[str] = []
    for at, item in enumerate(tail):
        behind = tail[at + 1] if at + 1 < len(tail) else None
        if item.who and len(item.who.ids) == 1 and not (item.who.slip or item.who.likely):
            concentrates = behind is not None and (behind.is_("concentration") or behind.text == "is")
            if concentrates or (at and tail[at - 1].text in ("by", "from")):
                by = item.who.ids[0]
            else:
                also.append(item.who.ids[0])
        elif not (item.kind == "mark" or item.is_("filler", "and", "concentration") or item.text in _BESIDE):
            return [], by, True
    return also, by, False


_BESIDE = ("on", "also", "too", "same", "both", "by", "from", "is")
"""Words around further bearers of an effect."""


def _unmark(channel: Channel, command: Command) -> list[Reading]:
    words = command.words
    who = channel.who(words)
    conditions = {each.called: each.name for each in channel.scene.state.conditions.values() if each.bearer == who}
    effects = {each.called: each.name for each in channel.scene.state.effects.values() if each.bearer == who}
    if not words and not command.tail:
        facts = [_lost(who, each) for each in conditions.values()]
        facts += [_ended(who, each) for each in effects.values()]
        if not facts:
            raise Gap(f"{who} has no effects", "")
        return [Reading(facts, ("command",))]
    name = channel.called(words, "condition", "spell", "effect") if words else ""
    command.leave(words)
    state = _state(channel, name) or name.casefold()
    if ended := next((each for called, each in effects.items() if called == name.casefold()), ""):
        return channel.act([_ended(who, ended)], [], command, [who])
    has = next((each for called, each in conditions.items() if called == state), state)
    if has == state and state not in channel.scene.conditions:
        raise Gap(f"{who} has no effect {name}".rstrip(), f"!i effect {who} {name or 'Prone'} gives one")
    said = [person(who), *channel.words("loses"), *channel.name(state)]
    return channel.act([_lost(who, has)], said, command, [who])


def _lost(who: str, condition: str) -> Fields:
    return {"type": "condition_lost", "condition": condition, "targets": [who]}


def _ended(who: str, effect: str) -> Fields:
    return {"type": "effect_ended", "effect": effect, "targets": [who]}


def _remove(channel: Channel, command: Command) -> list[Reading]:
    who = channel.who(command.words)
    command.leave(command.words)
    return channel.act([{"type": "combatant_left", "combatant": who}], [], command, [who])


def _opt(channel: Channel, command: Command) -> list[Reading]:
    who = channel.who(command.words)
    command.leave(command.words)
    one = channel.scene.state.combatants[who]
    facts: Facts = []
    for flag, field in (("ac", "ac"), ("max", "hp_max")):
        said = command.value(flag)
        now = getattr(one.sheet, "ac", None) if flag == "ac" else one.hp_max
        if said and said[0] in "+-" and now is None:
            raise Gap(f"{who} has no {flag} to add to", f"such as: !i opt {who} -{flag} 15")
        if said:
            facts.append(_on_the_sheet(channel, who, {field: int(said) + (now or 0) * (said[0] in "+-")}))
    if said := command.value("hp"):
        if said[0] not in "+-" and one.hp is None:
            facts.append(_on_the_sheet(channel, who, {"hp": int(said)}))
        else:
            change = int(said) if said[0] in "+-" else int(said) - (one.hp or 0)
            facts += [_changed(who, change)] if change else []
    if said := command.value("p"):
        if said[0] in "+-":
            raise Gap("a placement is a number", f"such as: !i opt {who} -p 12")
        facts.append({"type": "initiative_rolled", "combatant": who, "total": int(said)})
    for flag in ("name", "group"):
        if flag in command.flags:
            command.unread.append(f"-{flag} {command.value(flag)}")
    if not facts:
        unknown = ", ".join(command.unread)
        raise Gap(
            f"{unknown} changes nothing here" if unknown else "this changes nothing",
            f"such as: !i opt {who} -ac 15 -max 30 -p 12",
        )
    return channel.act(facts, [], command, [who])


def _on_the_sheet(channel: Channel, who: str, sheet: Fields) -> Fields:
    values: Fields = {"combatant": who, "sheet": sheet}
    try:
        filling.changed_sheet(channel.scene.context, values)
    except ValueError:
        raise Gap("a sheet has no such field here", "") from None
    return {"type": "sheet_changed", "combatant": who, "sheet": values["sheet"]}


# ------------------------------------------------------------ acts


def _strikes(channel: Channel, command: Command, who: str, does: str) -> list[Reading]:
    words = command.words
    targets = channel.targets(command)
    if not words or [word.text.casefold() for word in words] == ["list"]:
        raise Gap("this names no attack", "such as: !a longsword -t orc 17 hits for 9")
    cast = does == "casts"
    if not (cast or targets or words[0].quoted) and len(words) > 1 and channel.one(words[0].text):
        targets = [channel.who([words.pop(0)])]  # the target once stood before the attack
    first = channel.items([(words[0].text, 0)])
    if not words[0].quoted and (first[0].number or first[0].is_verb("hit", "miss", "take")):
        raise Gap(f"{words[0].text} names no attack", "such as: !a longsword -t orc 17 hits for 9")
    name = channel.called(words, *(("spell", "cure") if cast else ("weapon", "spell", "feature")))
    command.leave(words)
    if level := command.number("l"):
        command.tail = [(f"at level {level}", 0), *command.tail]
    if command.number("rr"):
        command.unread.append(f"-rr {command.number('rr')}")
    action: Fields = {"kind": "cast" if cast else "attack", "name": name.casefold() if cast else name}
    if targets:
        action["targets"] = targets
    if "opportunity" in does:
        action["cost"] = "opportunity"
    fact: Fields = {"type": "action_taken", "combatant": who, "action": action}
    whom = [*channel.words("on"), person(*targets)] if targets and (cast or "opportunity" in does) else []
    whom = whom or ([person(*targets)] if targets else [])
    named = channel.name(name) if cast else [*channel.words("with"), *channel.name(name)]
    acts = [*named, *whom] if cast else [*whom, *named]
    return channel.act([fact], [person(who), *channel.words(does), *acts], command, [])


def _attack(channel: Channel, command: Command) -> list[Reading]:
    return _strikes(channel, command, channel.up(), "attacks")


def _by(channel: Channel, command: Command, does: str) -> list[Reading]:
    who = channel.who(command.words)
    return _strikes(channel, command, who, does)


def _cast(channel: Channel, command: Command) -> list[Reading]:
    return _strikes(channel, command, channel.up(), _casting(channel))


def _casting(channel: Channel) -> str:
    if "cast" not in kinds(channel.scene.state):
        raise Gap("spells are not cast in this game", "write what happens in a sentence")
    return "casts"


# ------------------------------------------------------------ dice


def _check(channel: Channel, command: Command) -> list[Reading]:
    return _rolls(channel, command, "")


def _save(channel: Channel, command: Command) -> list[Reading]:
    return _rolls(channel, command, "save")


def _rolls(channel: Channel, command: Command, save: str) -> list[Reading]:
    """Return a check or a save with its result, of whoever is named behind it, else of the writer's combatant."""
    said = channel.items([*((word.text, word.start) for word in command.words), *command.tail])
    whom = channel.targets(command) or [item.who.ids[0] for item in said if item.who and len(item.who.ids) == 1]
    if any(item.number is not None and item.number.notation for item in said):
        command.words = []
        return _dice(channel, said)
    if not any(item.number is not None or item.kind == "dice" or item.is_verb("fail", "succeed") for item in said):
        raise Gap("this does not say what the roll shows", f"such as: !{'s dex' if save else 'c stealth'} 14")
    who = whom[0] if len(whom) == 1 else channel.myself()
    command.words = []
    what, *rest = [item for item in said if not item.who]
    rolls = channel.words("rolls a") if save else channel.words("rolls")
    return channel.sentence([person(who), *rolls, what, *(channel.words("save") if save else []), *rest])


def _roll(channel: Channel, command: Command) -> list[Reading]:
    return _dice(channel, channel.items(command.tail))


def _dice(channel: Channel, items: Sequence[Item]) -> list[Reading]:
    """Return the facts of dice with their result, which are thrown here if it is not typed, with whose or what roll it is."""
    rolls = [item for item in items if item.number is not None and item.number.notation]
    if not rolls and channel.throws and any(item.kind == "dice" for item in items):
        thrown = with_throws(channel.scene.context, [_token(item) for item in items])
        items = [structs.replace(item, number=each.number) for item, each in zip(items, thrown, strict=True)]
        rolls = [item for item in items if item.number is not None and item.number.notation]
    whom = [item.who for item in items if item.who]
    if any(one.is_("to", "towards", "against", "hit", "to_hit") and other.who for one, other in pairwise(items)):
        return []  # to hit the orc
    words = [item.typed for item in items if item.kind == "word" and not item.is_("filler", "for")]
    others = [item for item in items if item.number is not None and item not in rolls]
    if not rolls and any(item.kind == "dice" for item in items):
        raise Gap("this does not say what the dice show", "such as: !r 1d20+5=17 stealth")
    if len(rolls) != 1 or len(whom) > 1 or len(words) > 4 or others:
        return []
    number = rolls[0].number
    if number is None:
        return []
    fact: Fields = {"type": "dice_rolled", **({"purpose": " ".join(words)} if words else {}), "total": number.value}
    if number.die is not None and number.die != number.value:
        fact["die"] = number.die
    if whom and len(whom[0].ids) == 1:
        fact["combatant"] = whom[0].ids[0]
    return [Reading([fact], ("command",))]


def _game(channel: Channel, command: Command) -> list[Reading]:
    """Return what a command about the writer's own combatant means: its points, or a death save."""
    what = command.words.pop(0).text.casefold()
    words = command.words
    if what not in ("hp", "thp", "ds", "deathsave"):
        raise Gap(f"!g {what} changes nothing in a fight", "such as: !g hp -5, !g thp 8, !g ds fail")
    who = channel.who(words) if words and channel.one(words[0].text) else channel.myself()
    if what == "hp":
        return _points(channel, command, who)
    if what == "thp":
        return _temporary(channel, command, who)
    command.leave(words)
    told = [item for item in channel.items(command.tail) if not (item.is_("save") and item.kind == "word")]
    saved = len(told) < len(channel.items(command.tail))
    said = channel.words("death save success" if saved else "death save")
    return channel.sentence([person(who), *said, *told])


# ------------------------------------------------------------ the fight


def _note(_channel: Channel, command: Command) -> list[Reading]:
    text = " ".join(text.strip() for text, _ in command.tail)
    return [Reading([{"type": "noted", "text": text}], ("note",))] if text else []


def _end(channel: Channel, command: Command) -> list[Reading]:
    return channel.act([{"type": "encounter_closed.2"}], channel.words("the fight is over"), command, [])


def _asks(channel: Channel, command: Command) -> list[Reading]:
    words = [item for item in channel.items(command.tail) if item.who and len(item.who.ids) == 1]
    asked = words[0].who.ids[0] if command.name == "status" and words and words[0].who else "order"
    return [Reading([], rest="why", words=asked)]


def _nothing(why: str, hint: str) -> Callable[[Channel, Command], list[Reading]]:
    """Return the meaning of a command that has none here."""

    def refused(_channel: Channel, _command: Command) -> list[Reading]:
        raise Gap(why, hint)

    return refused


DO: dict[str, Callable[[Channel, Command], list[Reading]]] = {
    "add": _add,
    "madd": _madd,
    "join": _nothing("this does not say who joins", "such as: !i add 12 Ana -p -hp 20 -ac 15, or Ana joins with 20 hp"),
    "next": _next,
    "prev": _nothing("turns do not go back", "u takes the last line back"),
    "move": _move,
    "round": _round,
    "hp": _hp,
    "thp": _thp,
    "effect": _effect,
    "unmark": _unmark,
    "remove": _remove,
    "opt": _opt,
    "note": _note,
    "attack": _attack,
    "aoo": lambda channel, command: _by(channel, command, "makes an opportunity attack on"),
    "mattack": lambda channel, command: _by(channel, command, "attacks"),
    "cast": _cast,
    "rcast": lambda channel, command: _by(channel, command, _casting(channel)),
    "mcast": lambda channel, command: _by(channel, command, _casting(channel)),
    "check": _check,
    "save": _save,
    "roll": _roll,
    "game": _game,
    "list": _asks,
    "status": _asks,
    "end": _end,
    "reroll": _nothing("initiative is not rolled anew here", "such as: init: Ana 14, orc 9"),
    "meta": _nothing("a fight has no such settings here", "!i list shows the order"),
}
"""What each command means."""
