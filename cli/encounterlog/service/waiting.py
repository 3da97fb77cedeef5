"""What waits for people, in the memory of the process: proposals for a game master, and dice for a player's word.

Acts of players on others' combatants wait until a game master accepts or declines them. They stand beside the log and not in it: a
log holds what happened. The proposer learns the decision; a proposal that waits when the process ends is lost, and its proposer's
page says so.

A word is asked for once a roll from a chain of dice is settled, of the players who have the page open, and the first that comes is
taken; none is kept for later, because the holder of the secret could then look ahead. For dice that are kept from players nobody is
asked, because the question would reveal the roll.
"""

import threading
from concurrent.futures import Future, wait

from msgspec import Struct, structs

from encounterlog.log.drawn_dice import Wanted, Word, make_word_source
from encounterlog.log.logs import LogView
from encounterlog.places import answers
from encounterlog.places.answers import State
from encounterlog.places.tokens import Token
from encounterlog.service import streams
from encounterlog.service.problems import Problem
from encounterlog.service.streams import Streams
from eventstore.errors import TooLarge

MOST_OF_ONE = 10
"""How many proposals of one token may wait."""
MOST = 60
"""The most waiting proposals of one encounter; as many decided ones are kept, the last ones."""
LARGEST = 20_000
"""The most bytes of a proposal."""


class Proposal(Struct):
    """The body of a request as it was sent, without that of a line, and what it would have recorded at the last look.

    `key` is its Idempotency-Key, "" without one. `shown` are the parts that game masters and the proposer see; its
    version counts the changes of `facts` so far. `done` is the answer to the person who accepted it.
    """

    token: Token
    body: bytes
    media: str
    key: str
    facts: bytes
    shown: answers.Proposal
    done: answers.Told | answers.Appended = answers.Told()


class Proposals:
    """The proposals of a process, by the name and id of the encounter: another log with the name has others."""

    def __init__(self, streams: Streams) -> None:
        self._streams, self._lock = streams, threading.Lock()
        self._of: dict[tuple[str, str], list[Proposal]] = {}

    def add_proposal(self, seen: LogView, new: Proposal) -> tuple[Proposal, int]:
        """Let a proposal wait, or return the earlier one under its key; and how many game masters were notified."""
        with self._lock:
            those = self._of.setdefault(_log_identity(seen), [])
            own = [each for each in those if each.token.id == new.token.id]
            made = next((each for each in own if new.key and each.key == new.key), None)
            if made is None:
                if len(new.body) > LARGEST:
                    raise TooLarge("bytes in one proposal", len(new.body), LARGEST)
                _check_number(own, MOST_OF_ONE, "yours")
                _check_number(those, MOST, "this encounter")
                those.append(made := new)
            elif (made.shown.line, made.body) != (new.shown.line, new.body):
                says = f"the key {new.key!r} stands for another proposal"
                raise Problem("key-reused", says, "use a new key for a new one")
        return made, self.notify_pages(str(seen.path), made)

    def notify_pages(self, name: str, proposal: Proposal) -> int:
        """Notify the pages of game masters, and of the proposer, that a proposal has changed; return how many game masters heard it."""
        self._streams.send_event(name, streams.PROPOSALS, lambda token: token.id == proposal.token.id)
        return self._streams.send_event(name, streams.PROPOSALS, lambda token: token.role == "gm")

    def seen_by(self, seen: LogView, token: Token) -> list[Proposal]:
        """Return the proposals that the asker may see, in their order: game masters all, players their own."""
        with self._lock:
            those = self._of.get(_log_identity(seen), ())
            return [each for each in those if token.role == "gm" or token.id == each.token.id]

    def mark_decided(self, seen: LogView, proposal: Proposal, state: State) -> None:
        """Mark a proposal as decided, and forget those that were decided long ago."""
        with self._lock:
            proposal.shown = structs.replace(proposal.shown, state=state)
            those = self._of[_log_identity(seen)]
            decided = [each.shown.id for each in those if each.shown.state != "waiting"]
            those[:] = [each for each in those if each.shown.id not in decided[:-MOST]]


def _log_identity(seen: LogView) -> tuple[str, str]:
    return str(seen.path), seen.opening.encounter


def _check_number(those: list[Proposal], most: int, whose: str) -> None:
    number = sum(each.shown.state == "waiting" for each in those)
    if number >= most:
        says = f"{number} proposals of {whose} wait for the game master"
        raise Problem("too-many-proposals", says, "propose again when some were decided")


# ---------------------------------------------------------------- words for dice


class Words:
    """The rolls of a process that wait for a word, by their encounters."""

    def __init__(self, streams: Streams, wait: float) -> None:
        self._streams, self._wait = streams, wait
        self._lock = threading.Lock()
        self._open: dict[Future[Word], tuple[str, int]] = {}

    def ask_word(self, name: str, wanted: Wanted, own: str = "") -> Word:
        """Return the word of a player who has the page open; if none comes in time, one of the holder with the reason."""
        own = own or make_word_source()(wanted).text
        if wanted.hidden:
            return Word(own, lacks="players are asked for no word for dice that are kept from them")
        waiting: Future[Word] = Future()
        with self._lock:
            self._open[waiting] = name, wanted.number
        try:
            asks = streams.encode_event("word", number=wanted.number, dice=wanted.dice)
            if not self._streams.send_event(name, asks, lambda token: token.role == "player"):
                return Word(own, lacks="no player had the page open")
            wait([waiting], self._wait)
        finally:
            with self._lock:
                del self._open[waiting]
        return waiting.result() if waiting.done() else Word(own, lacks=f"no word came within {self._wait:g} seconds")

    def give_word(self, name: str, number: int, word: Word) -> bool:
        """Give a word for a roll that waits for one, and return whether it was the first."""
        with self._lock:
            waiting = next((one for one, roll in self._open.items() if roll == (name, number) and not one.done()), None)
            if waiting:
                waiting.set_result(word)
        return waiting is not None
