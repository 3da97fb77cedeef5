"""The law of reasons over a short fixture and a few random logs; and the command that holds all of them against it."""

from collections import Counter
from functools import cache

import pytest

from encounterlog_rulelab import reasons as engine
from encounterlog_rulelab.laws import Break, Value, judge, judge_options
from encounterlog_rulelab.reasons import EngineLog, Subject, counted, line_of, rulebook
from projections.because import Because
from projections.proving.proof import records_of
from projections.proving.rulebook import plays
from projections.rulesets import RULESETS, find
from tests.projections import logs
from tests.projections.stage import one_in
from tests.reasons import __main__ as command
from tests.reasons.corpus import fixtures, random_logs
from tests.reasons.known import Allowed, Ceiling, Outcome, ceilings, exceptions, idle, outcome_of, risen
from tests.tables import for_each

each_ruleset = pytest.mark.parametrize("key", RULESETS)
SILENT = Break("A", 5, "ulf.hp", 7, "4", "damage_dealt", "should be cited: without it 9; cited are none")


@cache
def shortest(key: str, records: int) -> Outcome:
    """Judge the beginning of the shortest fixture; the command judges all, and takes minutes."""
    return outcome_of(key, [Subject(each.name, each.records[:records]) for each in by_length(key)[:1]], exceptions())


def by_length(key: str) -> list[Subject]:
    """Return the fixtures of a ruleset, the shortest first."""
    return sorted(fixtures(find(key)), key=lambda each: len(each.records))


def words(outcome: Outcome) -> str:
    return "\n".join(["", *(line_of(*each) for each in outcome.breaks)])


RECORDS, IN_SAMPLE = 20, 14
"""How many records of it are judged."""


@pytest.mark.slow
@each_ruleset
def test_the_reasons_of_a_short_fixture_keep_to_the_law(key: str, whole: bool) -> None:
    outcome = shortest(key, RECORDS if whole else IN_SAMPLE)
    assert len(outcome.breaks) <= ceilings().get(key, Ceiling()).breaks, words(outcome)


@each_ruleset
def test_no_more_than_the_ceiling_cannot_be_judged(key: str, whole: bool) -> None:
    counts = shortest(key, RECORDS if whole else IN_SAMPLE).counts
    assert list(risen(key, counts, ceilings().get(key, Ceiling()))) == []


@pytest.mark.slow
@each_ruleset
def test_an_option_by_which_a_value_of_a_play_would_be_another_is_cited(key: str, whole: bool) -> None:
    plays = [*fixtures(find(key)), *rulebook(find(key))]
    outcome = outcome_of(key, one_in(1 if whole else 40, plays), exceptions(), judge_options)
    of_options = [one for one in exceptions() if one.law == "C"]
    assert outcome.breaks == [], words(outcome)
    assert not whole or list(idle(key, of_options, outcome.needed, {"fixtures", "plays"})) == []


@pytest.mark.slow
@each_ruleset
def test_the_reasons_of_the_plays_of_a_rulebook_keep_to_the_law(key: str, whole: bool) -> None:
    outcome = outcome_of(key, one_in(1 if whole else 80, rulebook(find(key))), exceptions())
    assert outcome.breaks == [], words(outcome)


@pytest.mark.in_turn(7)
@pytest.mark.slow
@each_ruleset
def test_the_reasons_of_random_logs_keep_to_the_law(key: str, whole: bool) -> None:
    outcome = outcome_of(key, random_logs(find(key), 3 if whole else 2, 1), exceptions())
    waits = ceilings().get(key, Ceiling()).random_logs_wait
    assert outcome.counts["pairs"]
    assert waits or not outcome.breaks, words(outcome)


def test_ceilings_and_exceptions_are_of_rulesets_that_there_are() -> None:
    assert {*ceilings(), *(one.ruleset for one in exceptions())} <= set(RULESETS)


# ---------------------------------------------------------------- what is undecided

HIT, NOTE = logs.hit("ulf", 2), logs.fact("noted", text="later")


# ---------------------------------------------------------------- the engine as the laws see it

STORY = (
    logs.joins("ulf", 9),
    logs.joins("ana", 9),
    logs.act("ana"),
    logs.hit("ulf", 2, cause=-1),
    logs.hit("ulf", 1),
    logs.bears("haze", "ulf"),
)


def test_every_kind_of_address_is_walked() -> None:
    addresses = EngineLog(logs.records(*STORY)).whole[7].values
    assert {"order", "turn", "ulf.hp", "ulf.effects.haze", "ana~row.4"} <= set(addresses)


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "fields"),
    [
        ("osric", ("seconds", "surprise.length", "initiative", ".segment", ".surprise", ".routines", ".casting.due")),
        ("nameless-journey", ("second", "due", ".initiative", ".left.reaction", ".left.walk", ".moved", ".stretch")),
        ("semiautomagic", ("seconds", ".strip", ".total", ".rerolls", ".turn-in-hand", ".time.spark", ".left.spark")),
        ("vile-darkness", ("seconds", ".group", ".slot", ".speed", ".time", ".major", ".casting.due")),
    ],
)
def test_the_addresses_of_a_ruleset_are_walked(key: str, fields: tuple[str, ...]) -> None:
    log = EngineLog(next(fixtures(find(key))).records)
    walked = {address for place in log.whole.values() for address in place.values}
    assert [field for field in fields if not any(address.endswith(field) for address in walked)] == []


def test_a_reason_that_is_doctored_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    log = logs.records(*STORY)
    assert [one for one in judge(EngineLog(log)).breaks if (one.law, one.address) == ("A", "ulf.hp")] == []

    def forgetful(value: object, because: Because) -> Value:
        cited = frozenset(because.flat().events) - {6}
        return Value(value, cited, cited)

    monkeypatch.setattr(engine, "value_and_reason", forgetful)
    found = [one for one in judge(EngineLog(log)).breaks if (one.law, one.address) == ("A", "ulf.hp")]
    assert [(one.place, one.fact, one.kind) for one in found] == [(7, "6", "damage_dealt")]


MENDED = {
    "definition-master": {
        "A wand, then two attacks: the wand is reported once.": "what spent the standard action before",
        "A turn of a combatant that has left, without a roll, opens the combat too early as well.": "that it has left",
        "A delayed turn has not been taken: the bonus goes on.": "the delay by which a stance goes on",
        "A turn that is delayed as it begins counts for no duration, neither down nor to its end.": "the delay",
        "Of two rolls of an act the first hit, and the damage belongs to that.": "the first roll, which makes the second a further attack",
        "An entry's bonus to damage may be recorded, or counted without a record": "the entry that explains the total",
        "Bo won, and is called prone without a cause.": "the contest by which nobody fell",
        "Dov loses the first of two shatters; his damage names that one.": "the lost contest, by which damage does not count",
        "A second touch attack is recorded for one trip; the first one counts.": "the touch that counts",
        "Kex picks up its sword, and is no longer disarmed": "the contest by which the weapon fell",
        "No act records a tied trip; the luck of the first roll counts": "the first roll, which gave the second its luck",
        "Ana trips Kex and then fails to trip Gru; Kex is recorded": "the last roll, of which nobody knows whether it hit",
        "Bo is not flat-footed to his opponent in the grapple, and the hit": "the hold, in which nobody is flat-footed to the other",
        "Kex was feinted in the previous round and is no longer flat-footed.": "the feint that is over",
        "The previous round's lock is to strikes: one more is left": "the strike that locks, in the round before",
        "Any cut opens the belly of a dead combatant.": "that the swallower is dead",
        "Maw loses, tries again, and she is recorded as swallowed before": "the contest by which nobody was swallowed",
        "A ruling sets the order of those that have rolled, and one of them": "the roll, where a ruling gives the place",
    },
    "vile-darkness": {
        "A spell on oneself has no target to name.": "the change of the sheet that gives a spell its time",
        "Fear does not affect an immune combatant.": "the change of the sheet that makes somebody immune",
        "A spell by touch needs no path, though its source is not recorded.": "the declaration, for an effect without its source",
        "Two spells are declared in step 1: the first is declared, too, and cast alone": "the declaration that replaced another",
    },
    "5e": {"One act of Gru holds two blows: the first fells Bo": "the roll that makes the damage a second blow"},
    "osric": {
        "Healing without a recorded cause is not that of a spoiled spell": "the segment to which the clock came before the effect",
        "The curse has no row for its start; its damage, in the next round": "that the damage is a spell's, and no act",
        "Neither start has a row, and both spells would come in 6 of round 2": "the declaration of the other spell",
        "The storm was given up, so the effect in 6 of round 2 is the bolt.": "that the storm was given up",
        "Two are casting one: the caster is unknown": "the casting of the other, and the effect that may be either's",
        "Ulf's axe hits as Cleo's bolt comes: each damage belongs to its own source.": "the segment in which the damage came",
        "It begins to rain, which no combatant cast.": "that the other spell of this name was over",
        "Two blows may have hurt Cleo in her starting segment": "the last blow that may have dealt the damage",
        "Before the dice a declaration can be withdrawn without effect": "what was withdrawn, for the order of those who are due",
        "Her web of round 1 is done and she declares another, while Dov begins his": "the web of round 1, whose effect it is",
        "She had declared her sword, and her blow at the place of a shot comes early.": "the declaration, for a blow without an act",
        "Ulf bears a curse of Ada's: its damage is no act of hers": "the curse that deals the damage",
        "Zug, hasted, has a second routine, which may still come in 5 or later.": "the haste that gives the second routine",
        "Ada is felled as a spell takes effect, at the start of the segment": "the declaration of the spell, for when it takes hold",
        "The same in segment 2 of surprise, which is no row of the round": "the act in surprise, which used up the place",
        "The second die is granted to the heroes, not to the orcs": "the die because of which another does not count",
        "Both sides are surprised for two segments: both pass": "the dice, for that nobody is due",
        "The clock is at a surprise segment that does not exist": "the segment on the clock, for that nobody is due",
    },
}
"""The beginnings of comments of plays in which reasons lacked a fact, by ruleset, and that fact."""


@pytest.mark.parametrize("key", MENDED)
def test_a_reason_that_lacked_a_fact_has_it(key: str) -> None:
    wrong: list[tuple[str, Break]] = []
    for says in MENDED[key]:
        (play,) = (each for each in plays(find(key)) if each.says.startswith(says))
        wrong += ((says, one) for one in judge(EngineLog(records_of(play))).breaks if one.law in "AD")
    assert wrong == []


PRUNED = {
    "osric": {
        "Another source by a ruling: the war drum gives Ada a second routine": "a ruling on hit points of one who stays up",
        "The GM no longer counts Ada's hit points": "a ruling that hit points are unknown, of one who is up before a blow",
        "It also does on an alerted side.": "for a row, the reason of how long surprise lasts",
        "The clock is set back from 4 to 2": "the segment on the clock, where a later row gives the time",
        "An invalid segment counts for nothing.": "a row that another one timed",
        "No segment is recorded yet: an effect of two segments counts": "an effect that nothing ends yet, for when it ends",
        "A ruling gives the blessing on Ada two segments more": "the beginning of an effect whose time a ruling set",
        "The damage of a blow in 4 is recorded in 4": "another row of the latest segment, beside the act that the outcome is of",
    }
}
"""The beginnings of comments of plays in which reasons cited a fact that changes nothing, by ruleset, and that fact."""


@for_each(("key", "says"), [(key, says) for key, found in PRUNED.items() for says in found])
def test_a_reason_that_cited_a_fact_idly_no_longer_does(key: str, says: str) -> None:
    (play,) = (each for each in plays(find(key)) if each.says.startswith(says))
    outcome = outcome_of(key, [Subject(says, records_of(play))], exceptions())
    assert outcome.breaks == [], words(outcome)


# ---------------------------------------------------------------- exceptions, ceilings, and the command


def test_an_exception_allows_what_it_describes_and_no_more() -> None:
    one = Allowed("osric", "A", "*.hp", "damage_dealt", "because")
    assert one.allows("osric", SILENT)
    assert not one.allows("plain", SILENT)
    assert not any(one.allows("osric", other) for other in (SILENT._replace(law="B"), SILENT._replace(kind="healed")))
    assert not one.allows("osric", SILENT._replace(address="ulf.hp_max"))


def test_an_exception_that_nothing_needs_is_named() -> None:
    one, other = (Allowed("osric", "A", address, "healed", "because") for address in ("*.hp", "*.nld"))
    assert list(idle("osric", (one, other), {one}, {"fixtures"})) == [
        "osric: nothing needs the exception A *.nld healed (because)"
    ]
    assert list(idle("plain", (one, other), set(), {"fixtures"})) == []
    assert list(idle("osric", (Allowed("osric", "A", "*", "healed", "so", "plays"),), set(), {"fixtures"})) == []


def test_a_count_above_its_ceiling_is_named() -> None:
    counts = Counter({"not comparable": 3, "undecided": 5})
    assert list(risen("osric", counts, Ceiling(not_comparable=3, undecided=4))) == [
        "osric: undecided: 5, above the ceiling of 4 (tests/reasons/ceilings.toml)"
    ]


def test_the_command_prints_breaks_and_counts_and_exits_with_1_if_anything_breaks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "outcome_of", lambda *_: Outcome([("a.enc:3", SILENT)], set(), Counter()))
    assert command.main(["plain"]) == 1
    own = line_of("a.enc:3", SILENT)
    assert capsys.readouterr().out.splitlines() == [own, own, counted("plain", Counter())]
    monkeypatch.setattr(command, "outcome_of", lambda *_: Outcome([], set(), Counter(pairs=4)))
    assert command.main(["plain"]) == 0
    assert capsys.readouterr().out.startswith("plain: of 8 places 0 not comparable")
