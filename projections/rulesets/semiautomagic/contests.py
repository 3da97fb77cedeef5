"""Contests: who does something first, in a fight or not. They decide that one thing and leave the order as it is."""

from eventstore.events import ContestRolled
from eventstore.shapes import Contender
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.order import dexterity, face
from projections.rulesets.semiautomagic.state import Contest, SemiautomagicState


@derives("initiative.outside-combat", "initiative.reflex-plus-dexterity")
def comes_to(state: SemiautomagicState, each: Contender) -> int:
    """Return what a contender comes to: Reflex with Dexterity added, unless the option leaves Dexterity out."""
    rolled = each.check if each.check is not None else face(each.die)
    if rolled is None:
        return each.total or 0
    if state.option("contest-dexterity") == "bare-reflex":
        return rolled
    return rolled + dexterity(state, each.combatant, sum(modifier.amount for modifier in each.modifiers))


@derives("initiative.outside-combat", on=ContestRolled)
def contest(state: SemiautomagicState, fact: Occurrence[ContestRolled]) -> None:
    """Keep a contest; one about the same thing among those who drew in it is a further roll of theirs."""
    event = fact.event
    about = (event.about or "").casefold()
    now = {each.combatant: comes_to(state, each) for each in event.contenders}
    last = state.contests.pop(about, None)
    if last and now.keys() <= drawn(last):
        results = {who: (*rolls, *((now[who],) if who in now else ())) for who, rolls in last.results.items()}
        state.contests[about] = Contest(about, results, (*last.events, fact.seq))
    else:
        state.contests[about] = Contest(about, {who: (total,) for who, total in now.items()}, (fact.seq,))


def drawn(one: Contest) -> set[str]:
    """Return those of a contest who are level with somebody."""
    rolls = list(one.results.values())
    return {who for who, own in one.results.items() if rolls.count(own) > 1}


@derives("initiative.outside-combat")
def ranking(one: Contest) -> list[list[str]]:
    """Return who came first, second and so on in a contest; those who are level stand together."""
    ranks = sorted(set(one.results.values()), reverse=True)
    return [[who for who, own in one.results.items() if own == rank] for rank in ranks]


def because_contest(state: SemiautomagicState, one: Contest) -> Because:
    """Say what a contest was decided by."""
    return Because(contest.rules, one.events, state.chosen("contest-dexterity"))
