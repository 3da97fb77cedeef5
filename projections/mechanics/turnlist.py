"""Turn lists: the places of a turn order, the progress of a round through it, and the consequences of a turn's beginning.

The ruleset arranges the list again after every fact that may change the order. It also says who is out of action (`is_out`): the place
of such a combatant is passed without a turn, and it is due again once it is back.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Literal

from msgspec import Struct, field

from projections.because import Because
from projections.time import Point

Out = Callable[[str], bool]
How = Literal["due", "early", "again", "unplaced"]
"""How a turn that begins fits the order: due, a newcomer's before its first round, a second one, or without a place."""


class Turn(Struct, gc=False):
    """A turn as it was recorded, lawful or not."""

    combatant: str
    point: Point
    seq: int
    """The fact that began it; 0 if it was put off before it began."""
    ended: int = 0
    """The fact that ended it, or 0."""
    held: int = 0
    """The fact that last put it off, or 0."""
    resumed: int = 0
    """The fact that last resumed it, or 0."""
    is_held: bool = False
    """Whether it is put off, or was lost while put off."""

    @property
    def status(self) -> str:
        """The status of the turn: begun while it lasts, then done; held while it is put off, then perhaps lost."""
        if self.is_held:
            return "lost" if self.ended else "held"
        return "done" if self.ended else "begun"

    @property
    def events(self) -> tuple[int, ...]:
        """The facts that began, put off and took up the turn."""
        return tuple(sorted({seq for seq in (self.seq, self.held, self.resumed) if seq}))

    @property
    def deciding_events(self) -> tuple[int, ...]:
        """The facts without which the turn would not have been had at all, or at another time: a turn that had begun ends
        with its round, though it was put off.
        """
        return self.events if self.resumed or not self.seq else (self.seq,)


class Beginning(Struct, frozen=True, gc=False):
    """The consequences when a turn begins."""

    how: How = "due"
    opens: bool = False
    """Whether it opens a round."""
    passes_over: tuple[str, ...] = ()
    """The combatants due above it who were not passed over before."""
    left_out: tuple[str, ...] = ()
    """The combatants who were still due in the round that it closes."""
    goes_by: tuple[str, ...] = ()
    """The combatants out of action whose places are passed."""


class Move(Struct, frozen=True, gc=False):
    """The move of a combatant's place to right behind another's, and the fact that brought it about."""

    who: str
    behind: str
    seq: int
    held: int = 0
    """The fact that put off the turn with which it moves, or 0."""


class Progress(Struct, gc=False):
    """The progress of one round through the order; a new instance replaces it when the next round opens."""

    had: dict[str, int] = {}
    """The combatants who had their turn, with its record."""
    passed: dict[str, int] = {}
    """The combatants whose place was passed without a turn, with the record."""
    late: dict[str, int] = {}
    """Newcomers whose place had been passed when they joined, with the record."""
    behind: dict[str, str] = {}
    """Newcomers whose turn in this round comes right after that of another combatant."""
    passed_over: dict[str, int] = {}
    """The combatants who were due when one below them began, with the record."""
    cursor: int = 0
    """The first place of the order that may still be due."""

    def is_settled(self, who: str) -> bool:
        """Say whether a combatant's place in the order gives no further turn: it was used, or has gone by."""
        return who in self.had or who in self.passed or who in self.late or who in self.behind

    def cites(self) -> Because:
        """Return the turns had so far, on which it depends who is still due."""
        return Because((), tuple(sorted({*self.had.values(), *self.late.values()})))


class TurnList(Struct):
    """The turn order of a fight, and the progress of the present round."""

    order: list[str] = []
    """The combatants who have a place, from the first."""
    places: dict[str, int] = {}
    """The numbers of their places, which several may share."""
    moves: list[Move] = []
    newcomers: dict[str, int] = {}
    """The combatants who joined after the first turn and have had none, with the facts that placed them."""
    running: dict[str, Turn] = {}
    """The turns that run: several if they are shared or one interrupted another."""
    in_hand: dict[str, Turn] = {}
    """The turns that are put off, which may outlive their round."""
    progress: Progress = field(default_factory=Progress)
    rounds: int = 0
    """The number of rounds opened."""
    arranged: bool = False
    """Whether the order is up to date."""


# ---------------------------------------------------------------- places


def arrange_order(turns: TurnList, ranked: Iterable[Sequence[str]], ruled: Iterable[Sequence[str]] = ()) -> None:
    """Arrange the order: groups that share a place, from the first; moved places stay behind those they follow.

    Combatants whom a ruling has placed come before all others, in its order.
    """
    groups = [list(group) for group in ruled]
    placed = {who for group in groups for who in group}
    groups += [others for group in ranked if (others := [who for who in group if who not in placed])]
    for move in turns.moves:
        _move_behind(groups, move)
    turns.order = [who for group in groups for who in group]
    turns.places = {who: number for number, group in enumerate(groups) for who in group}
    turns.progress.cursor, turns.arranged = 0, True


def _move_behind(groups: list[list[str]], move: Move) -> None:
    """Give a combatant a separate place right behind another's; nothing moves if one of them has none."""
    own = next((group for group in groups if move.who in group), None)
    there = next((group for group in groups if move.behind in group), None)
    if own is None or there is None or move.who == move.behind:
        return
    own.remove(move.who)
    groups.insert(groups.index(there) + 1, [move.who])
    if not own:
        groups.remove(own)


def move_place(turns: TurnList, who: str, behind: str, seq: int, held: int = 0) -> None:
    """Move a place right behind another's, from now on, because of a fact and of the one that put off the turn."""
    turns.moves.append(Move(who, behind, seq, held))
    turns.arranged = False


def forget_turn(turns: TurnList, who: str) -> None:
    """Forget a combatant's turn in this round, and the moves of its place: it gets a new place."""
    turns.moves = [each for each in turns.moves if each.who != who]
    progress = turns.progress
    for among in (progress.had, progress.passed, progress.late, progress.behind):
        among.pop(who, None)
    turns.arranged = False


def round_spot(turns: TurnList, who: str) -> tuple[int, ...]:
    """Return where a combatant comes in this round: at its own place, or this once right after another's turn.

    A combatant who has no place comes last.
    """
    own, behind = (turns.places[who] if who in turns.places else len(turns.order),), turns.progress.behind
    return (*round_spot(turns, behind[who]), *own) if who in behind else own


def insert_newcomer(turns: TurnList, who: str, seq: int, behind: str = "") -> bool:
    """Put a newcomer who has a place into the present round; say whether it is due in it.

    It is due at its place if that is below all who had their turn, else right after the turn of `behind`, else only in
    the next round.
    """
    turns.newcomers[who] = seq
    progress, own = turns.progress, round_spot(turns, who)
    if all(round_spot(turns, each) < own for each in progress.had):
        return True
    if behind and who not in _followed_combatants(progress, behind):
        progress.behind[who] = behind
        return True
    progress.late[who] = seq
    return False


def _followed_combatants(progress: Progress, who: str) -> list[str]:
    """Return a combatant, the one after whose turn it comes, and so on."""
    found = [who]
    while found[-1] in progress.behind:
        found.append(progress.behind[found[-1]])
    return found


# ---------------------------------------------------------------- who is due


def is_due(turns: TurnList, who: str, is_out: Out) -> bool:
    """Say whether a combatant's turn of this round is still to come."""
    progress = turns.progress
    placed = bool(turns.rounds) and who in turns.places
    return placed and who not in progress.had and who not in progress.late and not is_out(who)


def combatants_due(turns: TurnList, is_out: Out) -> Iterator[str]:
    """Return who is due in this round, in order."""
    progress = turns.progress
    rest = islice(turns.order, progress.cursor, None) if turns.rounds else ()
    ahead = (who for who in rest if not progress.is_settled(who) and not is_out(who))
    if not progress.passed and not progress.behind:
        return ahead
    back = [who for who in {**progress.passed, **progress.behind} if is_due(turns, who, is_out)]
    back.sort(key=lambda who: round_spot(turns, who))
    from heapq import merge  # only where a combatant was put back

    return merge(back, ahead, key=lambda who: round_spot(turns, who))


def first_up(turns: TurnList, is_out: Out) -> str:
    """Return the first in the order who is not out, "" if all are."""
    return next((who for who in turns.order if not is_out(who)), "")


def is_over(turns: TurnList, is_out: Out) -> bool:
    """Say whether the next turn opens a round: nobody is due, or only the first in the order, who was passed over.

    The only one due was not passed over if a combatant above it, or in its place, had a turn and has been out since. A
    newcomer who comes right after the last turn, and was not passed over, still has its turn in this round.
    """
    waiting, progress = combatants_due(turns, is_out), turns.progress
    who = next(waiting, "")
    if not who:
        return True
    if next(waiting, "") or who != first_up(turns, is_out):
        return False
    if any(turns.places[each] <= turns.places[who] for each in progress.had if each in turns.places):
        return False
    return bool(progress.had) and (who not in progress.behind or who in progress.passed_over)


# ---------------------------------------------------------------- what a beginning means


def beginning_of(turns: TurnList, who: str, is_out: Out, together: Sequence[str] = ()) -> Beginning:
    """Return the consequences if the turn of a combatant begins now, shared by those in `together`."""
    if who not in turns.places:
        return Beginning("unplaced")
    members = (who, *(each for each in together if each in turns.places))
    if is_out(who):
        return _turn_of_one_out(turns, members, is_out)
    if is_due(turns, who, is_out):
        opens = is_over(turns, is_out)
        return _beginning_of_round(turns, members, is_out) if opens else _beginning_in_round(turns, members, is_out)
    is_first = who == first_up(turns, is_out) and who not in turns.progress.late
    if is_first or not next(combatants_due(turns, is_out), ""):
        return _beginning_of_round(turns, members, is_out)
    return Beginning("early" if who in turns.progress.late else "again")


def _turn_of_one_out(turns: TurnList, members: Sequence[str], is_out: Out) -> Beginning:
    """Return the consequences if a combatant who is out begins a turn: none was due, but this one counts in its round."""
    who, had = members[0], turns.progress.had
    above_all = not had or round_spot(turns, who) < min(round_spot(turns, each) for each in had)
    if (who in had or above_all) and next(combatants_due(turns, is_out), "") == "":
        return _beginning_of_round(turns, members, is_out)
    return Beginning("again") if who in had else _beginning_in_round(turns, members, is_out)


def _beginning_in_round(turns: TurnList, members: Sequence[str], is_out: Out) -> Beginning:
    over = turns.progress.passed_over
    above = _due_above(turns, round_spot(turns, members[0]), is_out)
    passes_over = tuple(each for each in above if each not in over and each not in members)
    return Beginning("due", False, passes_over, (), tuple(_passed_combatants(turns, members, is_out)))


def _due_above(turns: TurnList, own: tuple[int, ...], is_out: Out) -> Iterator[str]:
    for each in combatants_due(turns, is_out):
        if round_spot(turns, each) >= own:
            return
        yield each


def _passed_combatants(turns: TurnList, members: Sequence[str], is_out: Out) -> Iterator[str]:
    """Yield the combatants above the last of these who are out and whose places were not passed."""
    progress, last = turns.progress, max(round_spot(turns, each) for each in members)
    for each in islice(turns.order, progress.cursor, None):
        if round_spot(turns, each) >= last:
            return
        if each not in members and not progress.is_settled(each) and is_out(each):
            yield each


def _beginning_of_round(turns: TurnList, members: Sequence[str], is_out: Out) -> Beginning:
    """Return the consequences of a beginning that opens a round: all not out are due, those above are passed over."""
    places, over = turns.places, turns.progress.passed_over
    own, last = places[members[0]], max(places[each] for each in members)
    above = [each for each in takewhile(lambda each: places[each] < last, turns.order) if each not in members]
    return Beginning(
        "due",
        True,
        tuple(each for each in above if places[each] < own and not is_out(each)),
        tuple(each for each in combatants_due(turns, is_out) if each not in over and each not in members),
        tuple(each for each in above if is_out(each)),
    )


# ---------------------------------------------------------------- recording turns in the round


def begin_turn(turns: TurnList, who: str, seq: int, is_out: Out) -> None:
    """Begin the turn of a combatant in this round, which passes over those due above, unless it waits for the next one."""
    progress = turns.progress
    if who in turns.places and who not in progress.late:
        progress.passed_over |= dict.fromkeys(_due_above(turns, round_spot(turns, who), is_out), seq)
        record_turn(turns, who, seq)


def record_turn(turns: TurnList, who: str, seq: int) -> None:
    """Record that a combatant had its turn of this round, unless it had it already."""
    turns.progress.had.setdefault(who, seq)
    turns.newcomers.pop(who, None)
    _advance(turns)


def pass_place(turns: TurnList, who: str, seq: int) -> None:
    """Record that the place of a combatant went by without a turn."""
    turns.progress.passed[who] = seq
    _advance(turns)


def _advance(turns: TurnList) -> None:
    progress = turns.progress
    while progress.cursor < len(turns.order) and progress.is_settled(turns.order[progress.cursor]):
        progress.cursor += 1


def unpassed_combatants(turns: TurnList) -> list[str]:
    """Return, in order, the combatants whose places were neither used nor passed in this round."""
    progress = turns.progress
    gone = progress.had.keys() | progress.passed.keys() | progress.late.keys()
    return [who for who in turns.order if who not in gone]


def open_round(turns: TurnList) -> None:
    """Open the next round: nobody has had a turn in it."""
    turns.rounds += 1
    turns.progress = Progress()


# ---------------------------------------------------------------- turns that run or are put off


def end_turn(turns: TurnList, who: str, seq: int) -> None:
    """End a combatant's running turn, if there is one."""
    if turn := turns.running.pop(who, None):
        turn.ended = seq


def put_off_turn(turns: TurnList, turn: Turn, seq: int) -> None:
    """Put off a turn: keep it until it is taken up or lost; it is no longer due."""
    turn.held, turn.is_held = seq, True
    turns.running.pop(turn.combatant, None)
    turns.in_hand[turn.combatant] = turn
    record_turn(turns, turn.combatant, seq)


def resume_turn(turns: TurnList, who: str, seq: int) -> Turn | None:
    """Take up the turn that a combatant had put off, and return it; None if there is none."""
    turn = turns.in_hand.pop(who, None)
    if turn:
        turn.resumed, turn.is_held = seq, False
        turns.running[who] = turn
    return turn


def lose_turn(turns: TurnList, who: str, seq: int) -> Turn | None:
    """Lose the turn that a combatant had put off, and return it; None if there is none."""
    turn = turns.in_hand.pop(who, None)
    if turn:
        turn.ended = seq
    return turn
