"""Words of the players who have the page open, for dice that are drawn from a chain.

A word is asked for once the roll is settled, and the first that comes is taken; none is kept for later, because the
holder of the secret could then look ahead. For dice that are kept from players nobody is asked, because the question
would reveal the roll.
"""

import threading

from msgspec import Struct, field

from encounterlog.core.drawn_dice import Asking, Wanted, Word, own_word, wanted
from encounterlog.service import events
from encounterlog.service.bodies import Typed, word_of
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.problems import Problem
from encounterlog.service.streams import Streams
from encounterlog.storage.chance import roller
from encounterlog.storage.shelves import Token
from projections.mechanics.dice import counting


class Open(Struct):
    """A roll that waits for a word."""

    number: int
    come: threading.Event = field(default_factory=threading.Event)
    word: Word | None = None


class Words:
    """The rolls of a process that wait for a word, by their encounters."""

    def __init__(self, streams: Streams, wait: float) -> None:
        self._streams, self._wait = streams, wait
        self._lock = threading.Lock()
        self._open: dict[str, list[Open]] = {}

    def ask(self, name: str, wanted: Wanted, own: str = "") -> Word:
        """Return the word of a player who has the page open; if none comes in time, one of the holder with the reason."""
        own = own or own_word()(wanted).text
        if wanted.hidden:
            return Word(own, lacks="players are asked for no word for dice that are kept from them")
        waiting = Open(wanted.number)
        with self._lock:
            self._open.setdefault(name, []).append(waiting)
        try:
            if not self._streams.say(name, events.word_wanted(wanted.number, wanted.dice), _is_player):
                return Word(own, lacks="no player had the page open")
            waiting.come.wait(self._wait)
        finally:
            with self._lock:
                self._open[name].remove(waiting)
        return waiting.word or Word(own, lacks=f"no word came within {self._wait:g} seconds")

    def give(self, name: str, number: int, word: Word) -> bool:
        """Give a word for a roll that waits for one, and return whether it was the first."""
        with self._lock:
            waiting = next((one for one in self._open.get(name, ()) if one.number == number and one.word is None), None)
            if waiting:
                waiting.word = word
        if waiting:
            waiting.come.set()
        return waiting is not None


def _is_player(token: Token) -> bool:
    return token.role == "player"


def give(call: Call) -> Reply:
    """Take a word of a player for the roll that waits for one; a word that comes too late is not used."""
    given = word_of(call.body)
    taken = call.service.entropy_words.give(call.name, given.number, Word(given.word, _giver(call)))
    return document({"taken": taken})


def asking(call: Call, typed: Typed) -> Asking | None:
    """Return the function that asks for the word of a line's dice: the one that came with it, if it is of another
    person than the game master, otherwise that of a player who is present.

    The log is not held while a word is waited for: others read it, and write to it, meanwhile.
    """
    if given := _given(call, typed):
        return lambda _: given
    with call.alone() as seen:
        roll = wanted(seen, typed.line, counting(roller()), secret=typed.secret)
    if roll is None:
        return None
    word = call.service.entropy_words.ask(call.name, roll, typed.word)
    return lambda _: word


def _given(call: Call, typed: Typed) -> Word | None:
    """Return the word of another person than the game master that came with a line; raise Problem for a player who names another."""
    if typed.giver and not typed.word:
        raise Problem("bad-request", f"giver: {typed.giver} gives no word", "word and giver go together", field="giver")
    if call.token.role == "gm":
        return Word(typed.word, typed.giver) if typed.giver else None
    if typed.giver and typed.giver != _giver(call):
        says = f"giver: {typed.giver} is another person, and a player gives words of their own"
        raise Problem("forbidden", says, f"your words are those of {_giver(call)}")
    return Word(typed.word, _giver(call)) if typed.word else None


def _giver(call: Call) -> str:
    return call.token.by or call.token.role
