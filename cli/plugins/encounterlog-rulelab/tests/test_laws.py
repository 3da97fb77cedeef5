"""The law of reasons on toy logs, whose values and reasons are functions: each break is caught, what is lawful passes."""

from collections.abc import Callable, Collection
from typing import Any

from encounterlog_rulelab.laws import (
    Break,
    Finding,
    Key,
    Moment,
    StreamPlace,
    Value,
    Values,
    Verdict,
    Wanted,
    judge_log,
)

Facts = dict[int, tuple[str, int]]
"""The facts told so far, by seq: type and number."""
Read = Callable[[Facts, str], dict[str, Value]]
"""What a state comes to: from facts and the one option's value to the values with their reasons."""
Audit = Callable[[Facts], list[tuple[str, int, str, set[int]]]]
"""What an audit finds: rule, event, what was expected, and the events that it cites."""


class Toy:
    """A log of facts with a number each, read by a function. Its moment is how many turns have begun."""

    counts_time = frozenset({"round_started"})
    clock = frozenset({"round"})

    def __init__(self, replayed: list[tuple[str, int]], read: Read, audit: Audit, causes: dict[int, int]) -> None:
        self.said: Facts = dict(enumerate(replayed, 2))
        self.facts = {seq: kind for seq, (kind, _) in self.said.items()}
        self.causes, self.read, self.audit = causes, read, audit
        self.options: dict[str, tuple[str, ...]] = {"tie": ("high", "low")}
        self.whole = {seq: StreamPlace(self._moment(seq, ()), read(self._until(seq, ()), "none")) for seq in self.said}

    def _until(self, seq: int, struck: Collection[int]) -> Facts:
        return {other: fact for other, fact in self.said.items() if other <= seq and other not in struck}

    def _moment(self, seq: int, struck: Collection[int]) -> Moment:
        return sum(kind == "turn_started" for kind, _ in self._until(seq, struck).values())

    def _told(self, struck: Collection[int], option: str, wanted: Wanted) -> Values:
        found: Values = {}
        for seq, (moment, addresses) in wanted.items():
            if seq not in struck and self._moment(seq, struck) == moment:
                values = self.read(self._until(seq, struck), option)
                found[seq] = {address: values[address].value for address in addresses if address in values}
        return found

    def replayed(self, struck: Collection[int], wanted: Wanted) -> Values:
        return self._told(struck, "none", wanted)

    def replayed_with(self, option: str, value: str, wanted: Wanted) -> Values:
        assert option == "tie"
        return self._told((), value, wanted)

    def findings(self, struck: Collection[int]) -> dict[Key, Finding]:
        left = {seq: fact for seq, fact in self.said.items() if seq not in struck}
        return {
            (rule, event): Finding(wanted, wanted, frozenset(events))
            for rule, event, expected, events in self.audit(left)
            for wanted in [tuple(expected.split())]
        }


def nothing(_facts: Facts, _option: str) -> dict[str, Value]:
    return {}


def judged(
    *replayed: tuple[str, int], read: Read = nothing, audit: Audit = lambda _: [], causes: dict[int, int] | None = None
) -> Verdict:
    return judge_log(Toy(list(replayed), read, audit, causes or {}))


def breaks(verdict: Verdict) -> list[tuple[str, int, str, str]]:
    return [(one.law, one.place, one.address, one.fact) for one in verdict.breaks]


def hits(facts: Facts) -> dict[int, int]:
    return {seq: number for seq, (kind, number) in facts.items() if kind == "hit"}


def value(of: Any, *events: int, options: Collection[str] = ()) -> Value:
    return Value(of, frozenset(events), frozenset(events), frozenset(options))


def points(facts: Facts, _option: str) -> dict[str, Value]:
    """Ten points less all hits, down to 0, with all of them in the reason."""
    found = hits(facts)
    return {"hp": value(max(0, 10 - sum(found.values())), *found)}


# ---------------------------------------------------------------- A


def test_a_fact_that_changes_a_value_and_is_not_cited_is_silent() -> None:
    def last_only(facts: Facts, _option: str) -> dict[str, Value]:
        found = hits(facts)
        return {"hp": value(10 - sum(found.values()), *list(found)[-1:])}

    verdict = judged(("hit", 3), ("hit", 2), read=last_only)
    assert verdict.breaks == [Break("A", 3, "hp", 5, "2", "hit", "should be cited: without it 8; cited are 3")]


def test_a_break_is_told_once_at_the_first_place_where_it_shows() -> None:
    def silent(facts: Facts, _option: str) -> dict[str, Value]:
        return {"hp": value(10 - sum(hits(facts).values()))}

    verdict = judged(("hit", 3), ("noted", 0), ("noted", 0), read=silent)
    assert breaks(verdict) == [("A", 3, "hp", "2")]


def test_a_value_that_cites_all_that_it_depends_on_is_lawful() -> None:
    assert judged(("hit", 3), ("hit", 2), ("noted", 0), read=points).breaks == []


def test_it_is_enough_to_cite_what_is_struck_with_a_fact() -> None:
    verdict = judged(("act", 0), ("roll", 0), ("hit", 3), ("noted", 0), read=points, causes={3: 2, 4: 3})
    assert verdict.breaks == []


def test_causes_that_come_later_or_go_round_in_a_circle_do_no_harm() -> None:
    verdict = judged(("hit", 1), ("hit", 2), ("noted", 0), read=points, causes={2: 3, 3: 2, 4: 9})
    assert verdict.breaks == []


def test_joining_goes_without_saying() -> None:
    def joined(facts: Facts, _option: str) -> dict[str, Value]:
        return {"hp": value(sum(n for kind, n in facts.values() if kind == "combatant_joined"))}

    assert judged(("combatant_joined", 9), ("noted", 0), read=joined).breaks == []


def test_what_counts_time_goes_without_saying_for_the_clock_alone() -> None:
    def rounds(facts: Facts, _option: str) -> dict[str, Value]:
        began = [seq for seq, (kind, _) in facts.items() if kind == "round_started"]
        return {"round": value(len(began), *began[-1:]), "age": value(len(began), *began[-1:])}

    verdict = judged(("round_started", 1), ("round_started", 2), ("noted", 0), read=rounds)
    assert breaks(verdict) == [("A", 3, "age", "2")]


def test_places_in_other_turns_and_addresses_gone_are_counted_uncompared() -> None:
    def turns(facts: Facts, _option: str) -> dict[str, Value]:
        one = {"mark": value(1)} if any(kind == "mark" for kind, _ in facts.values()) else {}
        return {"turns": value(sum(kind == "turn_started" for kind, _ in facts.values())), **one}

    verdict = judged(("turn_started", 0), ("mark", 0), ("noted", 0), read=turns)
    assert verdict.breaks == []
    of_options = 2 * 3
    assert verdict.counts["pairs"] == 3 + of_options
    assert verdict.counts["not comparable"] == 2
    assert verdict.counts["addresses in one only"] == 1


# ---------------------------------------------------------------- B


def test_a_cited_fact_that_changes_nothing_is_idle() -> None:
    def cheered(facts: Facts, _option: str) -> dict[str, Value]:
        cheers = (seq for seq, (kind, _) in facts.items() if kind == "cheer")
        return {"hp": value(10 - sum(hits(facts).values()), *hits(facts), *cheers)}

    verdict = judged(("hit", 3), ("cheer", 0), ("hit", 2), ("noted", 0), read=cheered)
    assert breaks(verdict) == [("B", 5, "hp", "3")]
    assert verdict.breaks[0].expected == "should not be cited: it changes nothing"


def test_either_of_two_sufficient_causes_matters() -> None:
    def out(facts: Facts, _option: str) -> dict[str, Value]:
        found = [seq for seq, number in hits(facts).items() if number >= 10]
        return {"status": value("out" if found else "up", *found)}

    assert judged(("hit", 10), ("hit", 12), ("noted", 0), read=out).breaks == []


def ended(facts: Facts, _option: str) -> dict[str, Value]:
    """Something that goes on until its first end, which is cited."""
    ends = [seq for seq, (kind, _) in facts.items() if kind == "ended"]
    return {"on": value(not ends, *ends[:1])}


def test_an_end_matters_for_which_another_one_stands_in() -> None:
    assert judged(("noted", 0), ("ended", 0), ("ended", 0), ("noted", 0), read=ended).breaks == []


def test_a_fact_that_nothing_stands_in_for_is_idle_whatever_is_struck() -> None:
    def cheered(facts: Facts, option: str) -> dict[str, Value]:
        on = ended(facts, option)["on"]
        return {"on": value(on.value, *on.cited, *(seq for seq, (kind, _) in facts.items() if kind == "cheer"))}

    verdict = judged(("noted", 0), ("cheer", 0), ("ended", 0), ("ended", 0), ("noted", 0), read=cheered)
    assert breaks(verdict) == [("B", 5, "on", "3")]


def test_hits_beyond_0_matter() -> None:
    assert judged(("hit", 10), ("hit", 2), ("hit", 3), ("noted", 0), read=points).breaks == []


def test_a_modifier_that_a_larger_one_masks_matters() -> None:
    def largest(facts: Facts, _option: str) -> dict[str, Value]:
        return {"bonus": value(max(hits(facts).values(), default=0), *hits(facts))}

    assert judged(("hit", 2), ("hit", 1), ("noted", 0), read=largest).breaks == []


def test_a_fact_without_influence_is_idle_beside_two_sufficient_causes_too() -> None:
    def out(facts: Facts, _option: str) -> dict[str, Value]:
        return {"status": value("out" if any(n >= 10 for n in hits(facts).values()) else "up", *hits(facts))}

    verdict = judged(("hit", 10), ("hit", 12), ("hit", 1), ("noted", 0), read=out)
    assert breaks(verdict) == [("B", 5, "status", "4")]


def test_the_last_of_two_facts_that_say_the_same_matters() -> None:
    def last(facts: Facts, _option: str) -> dict[str, Value]:
        found = [*hits(facts).items()]
        return {"armour": value(found[-1][1], found[-1][0])} if found else {}

    assert judged(("hit", 3), ("hit", 3), ("noted", 0), read=last).breaks == []


def test_a_fact_that_made_a_value_matters_though_it_would_be_so_by_now() -> None:
    def read(facts: Facts, _option: str) -> dict[str, Value]:
        """Be over with what ended, and with a close; in a gap nothing is known of what goes on."""
        ended, closed = ([seq for seq, (kind, _) in facts.items() if kind == each] for each in ("ended", "close"))
        unknown = [*facts.values()][-1][0] == "gap" and not ended
        return {} if unknown else {"on": value(not ended and not closed, *ended)}

    assert judged(("noted", 0), ("ended", 0), ("gap", 0), ("close", 0), read=read).breaks == []


def test_what_matters_only_to_a_value_that_a_reason_rests_on_is_not_idle() -> None:
    def standing(facts: Facts, _option: str) -> dict[str, Value]:
        """Rest on the hit points, and cite nothing else."""
        hp = points(facts, "")["hp"]
        return {"hp": hp, "status": Value("up" if hp.value else "out", closure=hp.closure)}

    assert judged(("hit", 3), ("hit", 8), ("hit", 1), ("noted", 0), read=standing).breaks == []


def test_opening_and_joining_may_be_cited_idly() -> None:
    def joined(facts: Facts, _option: str) -> dict[str, Value]:
        return {"side": value("heroes", 1, *facts)}

    assert judged(("combatant_joined", 0), ("noted", 0), read=lambda f, o: {**joined({2: f[2]}, o)}).breaks == []


def test_the_last_boundary_may_be_cited_idly_by_the_clock_alone() -> None:
    def read(facts: Facts, _option: str) -> dict[str, Value]:
        last = max((seq for seq, (kind, _) in facts.items() if kind == "round_started"), default=1)
        return {address: value(1, last) for address in ("round", "hp")}

    verdict = judged(("round_started", 1), ("hit", 1), read=read)
    assert breaks(verdict) == [("B", 3, "hp", "2")]


def test_a_citation_at_its_own_place_is_undecided() -> None:
    verdict = judged(("hit", 3), read=points)
    assert (verdict.breaks, verdict.counts["citations"], verdict.counts["undecided"]) == ([], 1, 1)


def test_a_fact_that_falls_with_all_others_that_are_cited_is_undecided() -> None:
    def both(facts: Facts, _option: str) -> dict[str, Value]:
        cited = [seq for seq, (kind, _) in facts.items() if kind in ("act", "hit")]
        return {"acted": value(any(kind == "act" for kind, _ in facts.values()), *cited)}

    verdict = judged(("act", 0), ("hit", 1), ("noted", 0), read=both, causes={3: 2})
    assert verdict.breaks == []
    assert verdict.counts["undecided"] == 1 + 2 + 1  # at 2 and 3 the place falls, at 4 the hit falls with the act


# ---------------------------------------------------------------- C


def tied(cited: bool) -> Read:
    def read(_facts: Facts, option: str) -> dict[str, Value]:
        return {"first": value("ana" if option == "low" else "bo", options=("tie",) if cited else ())}

    return read


def test_an_option_with_whose_other_value_a_value_differs_is_cited() -> None:
    assert judged(("noted", 0), ("noted", 0), read=tied(cited=True)).breaks == []
    verdict = judged(("noted", 0), ("noted", 0), read=tied(cited=False))
    says = "should be cited: with low it is 'ana'"
    assert verdict.breaks == [Break("C", 2, "first", "bo", "tie=low", "option tie", says)]


# ---------------------------------------------------------------- D


def finding(events: set[int], expected: Callable[[Facts], str] = lambda _: "less") -> Audit:
    """Find fault with every fact that is called `wrong`, if anybody was hit for 3 before it."""

    def audit(facts: Facts) -> list[tuple[str, int, str, set[int]]]:
        hurt = any(number == 3 for number in hits(facts).values())
        return [("rule", seq, expected(facts), events) for seq, (kind, _) in facts.items() if kind == "wrong" and hurt]

    return audit


def test_an_event_without_which_a_finding_is_the_same_is_idle() -> None:
    verdict = judged(("hit", 3), ("noted", 0), ("wrong", 0), audit=finding({2, 3}))
    assert breaks(verdict) == [("D", 4, "finding rule", "3")]


def test_a_finding_that_cites_its_causes_and_its_subject_is_lawful() -> None:
    verdict = judged(("hit", 3), ("noted", 0), ("wrong", 0), audit=finding({2, 4}))
    assert verdict.breaks == []


def test_either_of_two_events_that_suffice_for_a_finding_matters() -> None:
    assert judged(("hit", 3), ("hit", 3), ("wrong", 0), audit=finding({2, 3})).breaks == []


def test_an_event_that_an_uncited_one_stands_in_for_matters_to_a_finding() -> None:
    assert judged(("hit", 3), ("hit", 3), ("wrong", 0), audit=finding({2})).breaks == []


def test_a_fact_that_changes_what_was_expected_is_cited() -> None:
    def hurt(facts: Facts) -> str:
        return str(sum(hits(facts).values()))

    verdict = judged(("hit", 3), ("hit", 4), ("wrong", 0), audit=finding({2}, hurt))
    assert breaks(verdict) == [("D", 4, "finding rule", "3")]
    assert judged(("hit", 3), ("hit", 4), ("wrong", 0), audit=finding({2, 3}, hurt)).breaks == []


def test_what_more_is_found_without_a_fact_is_another_finding() -> None:
    def owed(facts: Facts) -> str:
        return " ".join(["throw"] * (2 - sum(kind == "throw" for kind, _ in facts.values())))

    assert judged(("hit", 3), ("throw", 1), ("wrong", 0), audit=finding({2}, owed)).breaks == []


def test_a_finding_that_falls_with_what_it_cites_is_undecided() -> None:
    verdict = judged(("hit", 3), ("wrong", 0), audit=finding({2}), causes={3: 2})
    assert (verdict.breaks, verdict.counts["undecided"]) == ([], 1)
