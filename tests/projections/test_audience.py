"""The players' records: what is secret is withheld until a ruling that players can see reveals it."""

import re
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from eventstore.chain import START
from eventstore.events import (
    ActionTaken,
    Amended,
    Checked,
    CombatantJoined,
    ConditionGained,
    ContestRolled,
    DamageDealt,
    EffectStarted,
    Event,
    InitiativeRolled,
    Inserted,
    Noted,
    PhaseReached,
    Placed,
    ResourceChanged,
    RulingMade,
    SaveRolled,
    SheetChanged,
    Struck,
    TerrainSet,
)
from eventstore.record import Draft, Recorded
from eventstore.shapes import Action, Contender, Duration, Part
from eventstore.withholding import Withhold
from eventstore.writing import make_lines
from projections.folds.addresses import COMMON
from projections.rulesets import find
from projections.stream.audience import for_players, records_withheld, shown_to_players
from projections.stream.game_words import game_words
from tests.eventstore.logs import AT, OPENING, counted, drafts as facts_of, log_of, read
from tests.hidden import RULESETS
from tests.tables import for_each

Fact = Event | tuple[Event]
"""A fact, or a secret one."""


def written_by(*facts: tuple[Event, str, bool]) -> list[Recorded]:
    """Return a log of these facts from record 2 on, each with its writer and whether it is secret."""
    entropy, place, data = counted(), START, b""
    opening = [(Draft(OPENING), "gm"), *((Draft(event, secret=secret), by) for event, by, secret in facts)]
    for draft, by in opening:
        lines = make_lines([draft], place, by=by, at=AT, entropy=entropy)
        place, data = lines.end, data + lines.data
    return read(data)


def log(*facts: Fact) -> list[Recorded]:
    """Return a log of these facts from record 2 on; those in brackets are secret."""
    made = [Draft(each[0], secret=True) if isinstance(each, tuple) else Draft(each) for each in facts]
    return read(log_of(facts_of(OPENING), made))


def hidden(*facts: Fact) -> list[int]:
    return [record.seq for record in for_players(log(*facts)) if record.withheld]


def note(text: str) -> Noted:
    return Noted(text=text)


def reveal(seq: int | None) -> RulingMade:
    return RulingMade(ruling="reveal", decision="the ogre was there all along", event=seq)


PLAIN, SECRET = note("open"), (note("psst"),)


def test_a_secret_is_withheld_until_it_is_revealed() -> None:
    assert hidden(PLAIN, SECRET, SECRET) == [3, 4]
    assert hidden(PLAIN, SECRET, SECRET, reveal(3)) == [4]
    assert hidden(PLAIN, SECRET, SECRET, reveal(-2)) == [4]


@pytest.mark.parametrize("ruling", ["fact", "waiver", "tie", "grant", "override"])
def test_other_rulings_about_a_secret_reveal_nothing(ruling: str) -> None:
    assert hidden(SECRET, replace(reveal(2), ruling=ruling)) == [2]


def test_a_ruling_that_names_no_record_or_a_later_one_reveals_nothing() -> None:
    assert hidden(reveal(3), SECRET, reveal(None), reveal(9)) == [3]


def test_a_secret_ruling_reveals_nothing_until_it_is_revealed_itself() -> None:
    assert hidden(SECRET, (reveal(2),)) == [2, 3]
    assert hidden(SECRET, (reveal(2),), reveal(3)) == []


def test_a_struck_ruling_reveals_nothing_until_the_strike_is_struck() -> None:
    assert hidden(SECRET, reveal(2), Struck(event=3)) == [2]
    assert hidden(SECRET, reveal(2), Struck(event=3), Struck(event=4)) == []


def test_a_strike_that_players_cannot_see_takes_no_ruling_back() -> None:
    assert hidden(SECRET, reveal(2), (Struck(event=3),)) == [4]
    assert hidden(SECRET, reveal(2), (Struck(event=3),), reveal(4)) == [2]


def test_an_amended_ruling_reveals_what_it_names_now() -> None:
    assert hidden(SECRET, SECRET, reveal(2), Amended(event=4, replacement=reveal(3))) == [2]
    assert hidden(SECRET, SECRET, reveal(2), (Amended(event=4, replacement=reveal(3)),)) == [3, 5]


def test_a_ruling_put_into_an_earlier_place_reveals_what_stands_before_it() -> None:
    assert hidden(SECRET, PLAIN, Inserted(after=3, fact=reveal(2))) == []
    assert hidden(PLAIN, SECRET, PLAIN, Amended(event=2, replacement=reveal(3))) == [3]


def test_amendments_of_a_revealed_fact_are_seen_unless_marked_secret() -> None:
    amended = Amended(event=2, replacement=note("psst, louder"))
    assert hidden(SECRET, amended) == [2, 3]
    assert hidden(SECRET, amended, reveal(2)) == []
    assert hidden(SECRET, (amended,), reveal(2)) == [3]


def test_an_amendment_can_be_revealed_without_the_fact_that_it_replaces() -> None:
    assert hidden(SECRET, Amended(event=2, replacement=note("psst, louder")), reveal(3)) == [2]


def test_what_was_chosen_to_be_withheld_stays_so_and_so_do_its_reveals() -> None:
    records = log(SECRET, SECRET, reveal(2), reveal(3))
    assert [r.seq for r in for_players(records, frozenset({2, 5})) if r.withheld] == [2, 3, 5]


def test_what_players_see_is_said_only_where_something_was_revealed() -> None:
    assert shown_to_players(log(PLAIN, SECRET, SECRET, reveal(3))) == {1, 2, 3, 5}
    assert shown_to_players(log(PLAIN, SECRET)) == set()
    assert shown_to_players(log(PLAIN, SECRET, replace(reveal(3), ruling="fact"))) == set()


def test_a_log_without_secrets_is_read_once_and_nothing_is_withheld() -> None:
    class Log(list[Recorded]):
        times = 0

        def __iter__(self) -> Iterator[Recorded]:
            self.times += 1
            return super().__iter__()

    open_ = Log(log(PLAIN, reveal(2)))
    assert records_withheld(open_) == Withhold(secrets=True)
    assert open_.times == 1


# ---------------------------------------------------------------- who is hidden


def joined(who: str, name: str | None = None, side: str = "foes", **sheet: object) -> CombatantJoined:
    return CombatantJoined(combatant=who, name=name, side=side, sheet={"hp": 9, **sheet})


ANA, ZARK = joined("ana", "Ana", "party"), (joined("zark", "Zark the Old"),)

CONCERNING: list[Event] = [
    DamageDealt(target="zark", amount=1), DamageDealt(target="ana", amount=1, source="zark"),
    ConditionGained(condition="prone", targets=("ana", "zark")), ActionTaken(combatant="ana", action=Action(kind="attack", targets=("zark",))),
    ActionTaken(combatant="ana", action=Action(kind="attack", name="zark's bane")), EffectStarted(effect="curse of ZARK THE OLD", targets=("ana",)),
    EffectStarted(effect="curse", targets=("ana",), duration=Duration(amount=1, unit="round", of="zark")),
    ContestRolled(contenders=(Contender(combatant="ana"), Contender(combatant="zark"))), Placed(combatant="ana", engaged=("zark",)),
    Checked(values={"zark.hp": 3}), Checked(values={"turn": "zark"}), Checked(values={"order": (("zark",), "ana")}),
    RulingMade(ruling="override", decision="so it is", values={"zark.hp": 3}),
    RulingMade(ruling="tie", decision="in that order", combatants=("zark", "ana")), Struck(event=2, reason="it was Zark the Old"),
    Inserted(after=2, fact=DamageDealt(target="zark", amount=1)), note("zark waits"), note("(Zark the Old?)"),
]  # fmt: skip


@for_each("fact", CONCERNING)
def test_what_concerns_a_hidden_one_is_withheld_until_the_reveal(fact: Event) -> None:
    assert hidden(ANA, ZARK, fact) == [3, 4]
    assert hidden(ANA, ZARK, fact, reveal(3)) == []
    assert hidden(ANA, ZARK, fact, reveal(3), Struck(event=5)) == [3, 4]
    assert hidden(ANA, ZARK[0], fact) == []


def test_the_joining_of_somebody_visible_is_never_withheld_for_its_sheet() -> None:
    bo = joined("bo", "Bo", "party", notes="sworn enemy of zark")
    assert hidden(ANA, bo, ZARK) == [4]
    assert hidden(ANA, ZARK, bo) == [3]
    assert hidden(ANA, ZARK, Amended(event=2, replacement=joined("ana", "Ana", "party", notes="serves zark"))) == [3]


def test_who_writes_a_secret_that_is_no_joining_brings_no_name_to_light() -> None:
    drafts: list[tuple[Event, str, bool]] = [
        (ANA, "gm", False),
        (ZARK[0], "gm", True),
        (note("psst"), "ann", True),
        (note("zark comes"), "ann", False),
    ]
    whole = written_by(*drafts)
    assert [record.seq for record in for_players(whole) if record.withheld] == [3, 4]
    assert [
        record.seq for record in for_players(written_by(*drafts, (note("zark comes"), "gm", False))) if record.withheld
    ] == [3, 4, 6]


def test_a_name_not_given_by_a_keeper_makes_no_word_known() -> None:
    pet = joined("pet", "the mimic zark ogre", "party")
    whole = written_by(
        (ANA, "gm", False), (ZARK[0], "gm", True), (note("zark waits"), "gm", False), (pet, "ann", False)
    )
    assert [record.seq for record in for_players(whole) if record.withheld] == [3, 4]


def test_a_side_that_players_know_stays_known_after_a_struck_joining() -> None:
    orc, foes = joined("orc"), InitiativeRolled(side="foes", total=4)
    assert hidden(ANA, orc, ZARK, foes, Struck(event=3)) == [4]


@pytest.mark.parametrize("text", ["zark 2 runs", "zark-2 runs", "Zark 2 and zark-2"])
def test_a_visible_one_with_a_number_is_not_the_hidden_one_without_it(text: str) -> None:
    assert hidden(ANA, joined("zark-2"), ZARK, note(text)) == [4]


@pytest.mark.parametrize(("name", "text"), [
    ("Black Knight", "the blackknight waits"),
    ("Mind-Flayer", "two mindflayers"),
    ("O'Brien", "obrien lurks"),
    ("Élan", "Elan is behind the door"),
    ("Fire Giant", "the firegiant roars"),
    ("Medusa", "no medusae here"),
])  # fmt: skip
def test_a_hidden_name_counts_without_blanks_and_marks_and_in_the_plural(name: str, text: str) -> None:
    assert hidden(ANA, (joined("vor", name),), note(text), note("rain")) == [3, 4]


@pytest.mark.parametrize("fact", [
    DamageDealt(target="ana", amount=1), DamageDealt(target="zark-2", amount=1), note("zark-2 waits"), note("zarkite, ozark and Zark2"),
    InitiativeRolled(side="foes", total=4), reveal(2),
])  # fmt: skip
def test_what_concerns_somebody_else_stays(fact: Event) -> None:
    assert hidden(ANA, ZARK, joined("zark-2", "Brute"), fact) == [3]


@pytest.mark.parametrize("fact", [
    ActionTaken(combatant="ana", action=Action(kind="zark's bane")),
    ActionTaken(combatant="ana", action=Action(kind="attack", cost="zark", manner=("zark",))),
    PhaseReached(phase="Zark"),
    Noted(text="x", event=2),
    DamageDealt(target="ana", amount=1, parts=(Part(name="bite", amount=1, damage_type="zark"),)),
    EffectStarted(effect="haze", targets=("ana",), duration=Duration(amount=1, unit="zark")),
])  # fmt: skip
def test_a_name_where_a_word_of_the_game_is_expected_counts(fact: Event) -> None:
    assert hidden(ANA, ZARK, fact) == ([3] if isinstance(fact, Noted) else [3, 4])


def test_words_of_the_game_are_no_names() -> None:
    cast = (joined("cast", side="round"),)
    act = ActionTaken(combatant="ana", action=Action(kind="cast", cost="cast"))
    span = EffectStarted(effect="sleep", targets=("ana",), duration=Duration(amount=1, unit="round"))
    assert hidden(ANA, cast, act, span, RulingMade(ruling="waiver", decision="so", rule="cast")) == [3]


BLESS, PRONE = (joined("bless"),), (joined("vor", "Prone"),)


@for_each(("who", "fact"), [
    (BLESS, EffectStarted(effect="bless", targets=("ana",))),
    (BLESS, ActionTaken(combatant="ana", action=Action(kind="cast", name="Bless"))),
    (BLESS, Checked(values={"ana.effects": ("bless",), "ana.effects.bless": "none"})),
    (PRONE, ConditionGained(condition="prone", targets=("ana",))),
    (PRONE, RulingMade(ruling="waiver", decision="so", rule="damage.takes-exactly-so-much")),
    ((joined("slot"),), ResourceChanged(combatant="ana", resource="slot-1", amount=-1)),
    ((joined("round"),), Checked(values={"round.2.second": 1, "round": 2})),
    ((joined("will"),), SaveRolled(combatant="ana", save="will", die=8)),
    ((joined("difficult"),), TerrainSet(terrain="difficult")),
    ((joined("stretch"),), Checked(values={"ana.stretch": 2})),
    ((joined("order"),), Checked(values={"order": ("ana",)})),
])  # fmt: skip
def test_a_word_of_the_game_names_nobody_but_in_free_text_it_does(who: tuple[CombatantJoined], fact: Event) -> None:
    assert hidden(ANA, who, fact) == [3]
    assert hidden(ANA, who, note(f"the {who[0].name or who[0].combatant} waits")) == [3, 4]


def test_every_field_of_an_address_is_a_word_of_the_game() -> None:
    patterns = {each.pattern for key in RULESETS for each in (*find(key).addresses, *COMMON)}
    fields = {word for each in patterns for word in re.split(r"[.]|<[^>]+>", each) if word}
    assert fields <= game_words()


@pytest.mark.parametrize(
    "sheet", [{"weapon": "Zark's axe"}, {"entries": [{"name": "zark's word"}]}, {"notes": "sworn to zark"}]
)
def test_a_changed_sheet_names_a_hidden_combatant_by_the_words_of_people(sheet: dict[str, object]) -> None:
    assert hidden(ANA, ZARK, SheetChanged(combatant="ana", sheet=sheet)) == [3, 4]
    assert hidden(ANA, (joined("orc"),), SheetChanged(combatant="ana", sheet={"srd": "2014:orc", "weapon": "axe"})) == [
        3
    ]


def test_the_opening_of_a_log_is_never_withheld() -> None:
    opening = replace(OPENING, ruleset="definition-master", options={"darkness": "guild-master"})
    for who in ((joined("guild-master", "Guild Master"),), (joined("darkness"),), (joined("definition"),)):
        whole = read(log_of(facts_of(opening), [Draft(ANA), Draft(who[0], secret=True)]))
        assert [record.seq for record in for_players(whole) if record.withheld] == [3]


@pytest.mark.parametrize(
    "address",
    [
        "black-drogath.hp", "blackdrogath.hp", "black_drogath.hp", "drogath.hp", "distance.ana.black-drogath", "ana.need.drogath",
        "black-drogath", "drogaths", "umbra.surprise",
    ],
)  # fmt: skip
def test_an_address_names_a_hidden_combatant_as_a_text_does(address: str) -> None:
    drogath = (joined("black-drogath", "Black Drogath", side="umbra"),)
    for fact in (Checked(values={address: 9}), RulingMade(ruling="override", decision="so", values={address: 9})):
        assert hidden(ANA, drogath, fact) == [3, 4]
        assert hidden(ANA, drogath, (Struck(event=3),), fact) == [3, 4, 5]
        assert hidden(ANA, drogath, fact, reveal(3)) == []


def test_what_only_a_game_master_records_counts_under_any_name() -> None:
    facts = (
        RulingMade(ruling="fact", decision="zark may fly"),
        Struck(event=2, reason="it was zark"),
        Inserted(after=2, fact=note("zark waits")),
        Checked(values={"ana.hp": 9}, reason="after zark"),
    )
    whole = written_by((ANA, "gm", False), (ZARK[0], "gm", True), *((fact, "Kim", False) for fact in facts))
    assert [record.seq for record in for_players(whole) if record.withheld] == [3, 4, 5, 6, 7]


def test_a_side_with_nobody_visible_is_hidden_with_its_members() -> None:
    roll, umbra = InitiativeRolled(side="umbra", total=4), (joined("zark", side="umbra"),)
    assert hidden(ANA, umbra, roll) == [3, 4]
    assert hidden(ANA, umbra, joined("bat", side="umbra"), roll) == [3]
    assert hidden(
        ANA, (CombatantJoined(combatant="zark", sheet={"hp": 9}),), InitiativeRolled(side="zark", total=4)
    ) == [3, 4]


def test_a_word_that_players_know_otherwise_is_no_secret_in_a_text() -> None:
    mage, armor = (joined("mage"),), note("ana casts mage armor")
    assert hidden(ANA, mage, armor) == [3, 4]
    assert hidden(joined("ana", "Ana", "party", spells=["mage armor"]), mage, armor) == [3]
    assert hidden(joined("mage-1", "Mage 1"), mage, armor, DamageDealt(target="mage", amount=1)) == [3, 5]
    assert hidden(
        ANA, (joined("orc-2", "Orc"),), joined("orc-1", "Orc"), note("the orc, not orc-2"), note("the orc")
    ) == [3, 5]


def test_the_text_of_a_writer_without_secrets_stays_but_not_on_the_hidden() -> None:
    whole = log(ANA, ZARK, note("zark?"), DamageDealt(target="zark", amount=1))
    by_a_player = [replace(each, by="Ann") if each.seq > 3 else each for each in whole]
    assert [each.seq for each in for_players(by_a_player) if each.withheld] == [3, 5]


def test_a_ruling_that_names_who_stays_hidden_reveals_nothing() -> None:
    other = (joined("wight"),)
    about_zark = RulingMade(ruling="reveal", decision="zark raised it", event=4)
    assert hidden(ANA, ZARK, other, about_zark, DamageDealt(target="wight", amount=1)) == [3, 4, 5, 6]
    assert hidden(ANA, ZARK, other, about_zark, DamageDealt(target="wight", amount=1), reveal(3)) == []


def test_what_proves_or_remarks_a_fact_about_the_hidden_is_withheld() -> None:
    remark = Noted(text="rolled here: d6:4", event=-1)
    assert hidden(ANA, ZARK, DamageDealt(target="zark", amount=4), remark, Noted(text="so", event=2)) == [3, 4, 5]


def test_who_joined_openly_and_was_struck_is_hidden_by_a_secret_joining() -> None:
    hit = DamageDealt(target="zark", amount=1)
    assert hidden(ANA, ZARK[0], Struck(event=3), ZARK, hit) == [3, 5, 6]
    assert hidden(ANA, ZARK[0], (Struck(event=3),), ZARK, hit) == [4, 5]
    assert hidden(ANA, ZARK[0], ZARK, hit) == [4]


# ---------------------------------------------------------------- laws

_seqs = st.integers(-4, 12)
_plain = st.builds(Noted, text=st.sampled_from(["one", "two", "three"]))
_reveals = st.builds(reveal, _seqs.filter(bool))
_inner = _plain | _reveals
_facts = st.one_of(
    _inner,
    _reveals,
    st.builds(Struck, event=_seqs.filter(bool)),
    st.builds(Amended, event=_seqs.filter(bool), replacement=_inner),
    st.builds(Inserted, after=_seqs.filter(bool), fact=_inner),
)
_logs = st.lists(st.tuples(_facts, st.booleans()), min_size=1, max_size=12)


def _log(told: Sequence[tuple[Event, bool]]) -> list[Recorded]:
    return log(*((fact,) if secret else fact for fact, secret in told))


@given(_logs)
def test_only_secrets_and_amendments_are_withheld_nothing_else_changes(told: list[tuple[Event, bool]]) -> None:
    whole = _log(told)
    for record, seen in zip(whole, for_players(whole), strict=True):
        if seen.withheld:
            assert record.secret or isinstance(record.event, Amended)
            assert (seen.seq, seen.digest, seen.hash, seen.event) == (record.seq, record.digest, record.hash, None)
        else:
            assert seen == record


@given(_logs)
def test_a_secret_is_seen_only_if_a_ruling_that_players_see_may_reveal_it(told: list[tuple[Event, bool]]) -> None:
    secret = [place for place, (_, is_secret) in enumerate(told, 2) if is_secret]
    whole = _log([*told, *((reveal(place), False) for place in secret[::2])])
    seen = list(for_players(whole))
    named = {place for record in seen for place in _named(record)}
    assert all(record.seq in named for record in seen if record.secret and not record.withheld)


def _named(record: Recorded) -> set[int]:
    """Return every record that a ruling in this one may name; counts back may count from any record."""
    event = record.event
    inner = event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event
    if not isinstance(inner, RulingMade) or inner.event is None:
        return set()
    if inner.event > 0:
        return {inner.event}
    places = range(1, record.seq + 1) if isinstance(event, Amended) else (record.seq,)
    return {place + inner.event for place in places}


@given(_logs, st.data())
def test_what_stays_secret_does_not_decide_what_is_seen(told: list[tuple[Event, bool]], data: st.DataObject) -> None:
    whole = _log(told)
    seen = list(for_players(whole))
    other = [
        (data.draw(_facts) if secret and seen[place].withheld else fact, secret)
        for place, (fact, secret) in enumerate(told, 1)
    ]
    again = list(for_players(_log(other)))
    assert [record.event for record in again] == [record.event for record in seen]


@given(_logs)
def test_what_players_have_is_withheld_from_nobody_again(told: list[tuple[Event, bool]]) -> None:
    once = list(for_players(_log(told)))
    assert list(for_players(once)) == once
    assert records_withheld(once).revealed == records_withheld(_log(told)).revealed
