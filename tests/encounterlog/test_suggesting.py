"""What a model suggests for a line that is refused is offered if it is notation and honest; everything else is dropped."""

from contextlib import suppress
from functools import cache

import pytest

from encounterlog.log.entering import make_suggester
from encounterlog.log.suggesting import Question
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from tests.few import few
from tests.projections.grammar import fight
from tests.projections.notation.line_context import heard

LINE = "the ogre gets whalloped something awful, 6"
BEGUN = ("b=14", "o=9", "m=3", "g=2", "t b", "b attack o 14 5")


@cache
def begun() -> Table:
    return heard(fight("plain"), *BEGUN)


def fought() -> Table:
    return Table(begun().records)


class Answering:
    """A model that gives one answer, and keeps what it was asked."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[Question] = []

    def __call__(self, question: Question) -> str:
        self.asked.append(question)
        return self.answer


def refused(at: Table, line: str, answer: str) -> NotUnderstood:
    at.suggest = make_suggester(Answering(answer))
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    return caught.value


@cache
def unaided() -> NotUnderstood:
    return refused(fought(), LINE, "")


@few(4, ("line", "answer"), [
    (LINE, "o -6"),
    (LINE, "ogre -6"),
    (LINE, "b o hit -6"),
    (LINE, " `o -6`\n"),
    ("the ogre gets whalloped something awful, six", "o -6"),
    ("brand thwonks the ogre into next week, 14, making 6 or so", "b o 14 6"),
    ("ogre boogies around for 4 on mira perhaps", "o m -4"),
    ("brand thwonks the ogre into next week, 14, making 6 or so", "b attack sword o 14 6"),
    ("mira boogies sideways to 3,3, sort of", "m goes 3,3"),
])  # fmt: skip
def test_a_line_that_says_what_the_refused_one_says_is_offered(line: str, answer: str) -> None:
    error = refused(at := fought(), line, answer)
    assert error.suggested == answer.strip().strip("`")
    assert error.suggested in error.offers
    assert len(error.offers) <= 3
    assert not error.offers[0].startswith("note ")
    at.suggest = None
    assert at.tell(error.suggested).facts == error.meant[error.offers.index(error.suggested)].facts


@few(16, "answer", [
    "", "-", "m -6", "goblin ogre hit -6", "m o hit -6", "b -6", "o -7", "o -5", "b o 14 6", "b o 6 6", "b o d20:6", "b cast web o -6", "o -6 fire",
    "o is stunned", "o -6 cause=1", "o -6 amount=60", "o -6 @3", "o -6^", "secret o -6", "o -6 # wrong", "o -6\no -6", "o -6\r\nundo",
    "The line is: o -6", "```\no -6\n``` explained", "o -6\x1b[31m", "o\u202e -6", "<b>o -6</b>", "undo", "u", "redo", "strike 6", "amend 6 o -6",
    "insert 6 o -6", "reveal 6 at last", "rule waive 6 he may", "rule override o.hp=6 says so", "o is not down", "check o.hp=6", "sheet o hp=6",
    "join demon foes hp=6", "note the ogre is awful", '" awful', "?o", "help", '{"type":"damage_dealt","target":"ogre","amount":6}',
    '{"type":"noted","text":"awful"}', "o -6 " * 200, "ogre gets whalloped 6",
])  # fmt: skip
def test_nothing_else_is_ever_offered(answer: str) -> None:
    alone, error = unaided(), refused(fought(), LINE, answer)
    assert (error.suggested, error.offers, error.hint) == ("", alone.offers, alone.hint)


def test_a_secret_line_is_suggested_in_secret() -> None:
    error = refused(fought(), f"secret {LINE}", "o -6")
    assert error.suggested == "secret o -6"
    assert error.meant[error.offers.index("secret o -6")].secret


@pytest.mark.parametrize("line", ["", "\x1b[31m the ogre gets whalloped", "whallop " * 100])
def test_nobody_is_asked_about_a_line_that_is_no_sentence(line: str) -> None:
    at = fought()
    model = Answering("o -6")
    at.suggest = make_suggester(model)
    with suppress(NotUnderstood):
        at.tell(line)
    assert model.asked == []


def test_an_answer_at_which_its_judgement_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = unaided().offers
    monkeypatch.setattr("encounterlog.log.suggesting.is_honest", lambda *_: int("no number"))
    assert refused(fought(), LINE, "o -6").offers == alone
