"""Secrecy of lines: what concerns a hidden combatant is recorded in secret, the clock is not, and one line can have both."""

from itertools import product

import pytest
from msgspec import to_builtins

from eventstore.events import (
    ActionTaken,
    CombatantJoined,
    ConditionGained,
    DamageDealt,
    EffectStarted,
    EncounterOpened,
    InitiativeRolled,
    Noted,
    Placed,
    RoundStarted,
    SegmentReached,
    TimePassed,
    TurnEnded,
    TurnStarted,
)
from eventstore.record import Draft
from eventstore.shapes import Action
from projections.judging.audit import audit
from projections.language.notation.parsing import Parsed
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.replay.replay import replay
from projections.rulesets import find
from projections.stream.audience import for_players
from tests.few import few
from tests.tables import for_each

BY_TURNS = ("plain", "nameless-journey", "semiautomagic", "definition-master", "5e")
"""The rulesets in which combatants have turns."""
HIDDEN = ("join Ana party hp=20", "join Orc foes hp=15", "secret join Zark foes hp=30")


def table(*lines: str, ruleset: str = "plain") -> Table:
    """Return the table of a fight in which Zark is hidden, after some lines."""
    opening = EncounterOpened(
        format=1, encounter="e", title="Ford", ruleset=ruleset, revision=find(ruleset).revision, options={}
    )
    made = Table(make_records([opening], 1))
    for line in (*HIDDEN, *lines):
        made.hear(line)
    return made


def told(parsed: Parsed) -> list[tuple[str, bool]]:
    """Return the types of the facts of a line, and whether each is recorded in secret."""
    return [(str(to_builtins(each.event)["type"]), each.secret) for each in parsed.drafts]


def secret(parsed: Parsed) -> list[object]:
    """Return the facts of a line that are recorded in secret."""
    return [each.event for each in parsed.drafts if each.secret]


def public(parsed: Parsed) -> list[object]:
    """Return the facts of a line that players get."""
    return [each.event for each in parsed.drafts if not each.secret]


@pytest.mark.parametrize(
    ("line", "openly", "kept"),
    [
        ("all foes -5", [DamageDealt(target="orc", amount=5)], [DamageDealt(target="zark", amount=5)]),
        (
            "i all foes 18",
            [InitiativeRolled(combatant="orc", total=18)],
            [InitiativeRolled(combatant="zark", total=18)],
        ),
        (
            "all foes are prone",
            [ConditionGained(condition="prone", targets=("orc",))],
            [ConditionGained(condition="prone", targets=("zark",))],
        ),
        ("place ana by zark, orc", [Placed(combatant="ana", engaged=("orc",))], [Placed(combatant="ana", engaged=("zark", "orc"))]),
        ("note zark lurks", [], [Noted(text="zark lurks")]),
        ("note ZARK's shadow", [], [Noted(text="ZARK's shadow")]),
        ("note zarkite", [Noted(text="zarkite")], []),
        ("note rain", [Noted(text="rain")], []),
    ],
)  # fmt: skip
def test_a_line_gives_public_facts_and_secret_ones(line: str, openly: list[object], kept: list[object]) -> None:
    parsed = table().tell(line)
    assert (public(parsed), secret(parsed)) == (openly, kept)


def test_a_blow_at_each_of_a_group_is_public_or_secret_by_whom_it_hits() -> None:
    parsed = table("r").tell("ana orc,zark -1")
    assert {each.target for each in public(parsed) if isinstance(each, DamageDealt)} == {"orc"}
    assert {each.target for each in secret(parsed) if isinstance(each, DamageDealt)} == {"zark"}
    assert {each.action.targets for each in public(parsed) if isinstance(each, ActionTaken)} == {("orc",)}
    assert parsed.hides == ("zark",)


def test_an_act_aimed_at_visible_and_hidden_is_public_with_a_secret_note() -> None:
    parsed = table().tell("ana cast sleep orc,zark")
    act = next(each for each in public(parsed) if isinstance(each, ActionTaken))
    assert act.action.targets == ("orc",)
    assert Noted(text="also at zark", event=-1) in secret(parsed)


def test_the_hidden_part_of_a_concentration_ends_with_the_visible_one() -> None:
    made = table("r", "effect sleep by ana on orc, zark concentration=yes")
    assert [each.event for each in made.records if isinstance(each.event, EffectStarted)][1].parent == -1
    assert {each.bearer for each in made.done.state.effects.values()} == {"orc", "zark"}
    made.hear("ends sleep orc")
    assert not made.done.state.effects


def test_the_end_of_an_effect_that_only_secret_records_know_is_secret() -> None:
    made = table("zark hits ana for 1", "secret effect hex by zark on ana")
    assert told(made.tell("ends hex ana")) == [("effect_ended", True)]
    assert told(table("effect hex by orc on ana").tell("ends hex ana")) == [("effect_ended", False)]


GHOULS = (
    "secret join ghoul*2 foes hp=9",
    'secret join "Black Knight" foes hp=20',
    'secret join "Captain Vess" foes hp=9',
)


@for_each(("line", "whom"), [
    ("note the ghouls wait behind the door", ("ghoul-1", "ghoul-2")),
    ("note a ghoul's grin", ("ghoul-1", "ghoul-2")),
    ("note ghoul1 and ghoul_2 come", ("ghoul-1", "ghoul-2")),
    ("ruling Ghouls may fly", ("ghoul-1", "ghoul-2")),
    ('place ana "behind the ghouls"', ("ghoul-1", "ghoul-2")),
    ("note Zarks plan", ("zark",)),
    ("note the knight is near", ("black-knight",)),
    ("note Black Knights ride", ("black-knight",)),
    ("note the captain waits", ("captain-vess",)),
    ("note Vess waits", ("captain-vess",)),
    ('effect "ghoul stench" on ana', ("ghoul-1", "ghoul-2")),
    ("note the black door", ()),
    ("note ghoulish", ()),
    ("note knighthood", ()),
])  # fmt: skip
def test_a_plural_a_kind_and_a_part_of_a_name_name_the_hidden(line: str, whom: tuple[str, ...]) -> None:
    for ruleset in ("plain", "osric", "5e"):
        parsed = table(*GHOULS, ruleset=ruleset).tell(line)
        assert parsed.hides == whom
        assert {kept for _, kept in told(parsed)} == {bool(whom)}


def test_a_word_in_the_name_of_somebody_visible_names_no_hidden_one() -> None:
    made = table(*GHOULS, "join ghoul-3 party hp=9", 'join "White Knight" party hp=9')
    for line in ("note the ghouls wait", "note a ghoul", "note the knights", "note the white knight"):
        assert told(made.tell(line)) == [("noted", False)], line
    for line in ("note ghoul-1 waits", "note the black knight"):
        assert told(made.tell(line)) == [("noted", True)], line


def test_what_was_public_under_the_name_of_a_hidden_kind_is_withheld() -> None:
    said = [f'{{"type":"noted","text":"the {word}"}}' for word in ("ghouls", "knight", "door")]
    made = table(*GHOULS, *said)
    seen = [*for_players(made.records)]
    assert [each.event for each in seen if isinstance(each.event, Noted)] == [Noted(text="the door")]
    made.hear("reveal ghoul-1")
    seen = [*for_players(made.records)]
    assert notes([each.event for each in seen]) == ["the ghouls", "the door"]


def test_a_weapon_that_a_hidden_one_is_called_by_in_part_is_no_name() -> None:
    made = table("r", 'secret join "Flying Sword" foes hp=9')
    assert {kept for _, kept in told(made.tell("ana hits orc with a sword for 3"))} == {False}
    assert {kept for _, kept in told(made.tell("note the sword flies"))} == {True}


@pytest.mark.parametrize("ruleset", ["plain", "5e", "definition-master"])
@pytest.mark.parametrize("whom", ["zark", "the ghouls"])
def test_players_learn_what_somebody_visible_does_without_a_hidden_reason(ruleset: str, whom: str) -> None:
    made = table(*GHOULS, "r", ruleset=ruleset)
    assert told(made.hear(f"ana readies an attack if {whom} comes"))[-2:] == [("action_held", False), ("amended", True)]
    assert told(made.hear(f'leave orc "because of {whom}"')) == [("combatant_left", False), ("amended", True)]
    assert replay([*for_players(made.records)]).state.combatants["orc"].left
    assert whom not in repr([each.event for each in for_players(made.records)])


# ---------------------------------------------------------------- half secrets


def seen_on(made: Table, who: str) -> tuple[set[str], set[str]]:
    """Return what is on a combatant, and what players see on it."""
    states = made.done.state, replay([*for_players(made.records)]).state
    mine, theirs = (
        {one.name for among in (state.conditions, state.effects) for one in among.values() if one.bearer == who}
        for state in states
    )
    return mine, theirs


RULESETS = (*BY_TURNS, "osric", "vile-darkness")


@few(
    8,
    ("ruleset", "line"),
    product(
        RULESETS,
        [
            'ana is stunned for {"amount":2,"unit":"round","of":"zark","at":"end"}',
            'ana,zark is stunned for {"amount":2,"unit":"round","of":"zark","at":"end"}',
            "effect stunned by zark on ana for 3r",
            "effect stunned by zark on ana, zark",
            '{"type":"condition_gained","condition":"stunned","targets":["ana"],"source":"zark"}',
        ],
    ),
)
def test_players_learn_what_is_on_somebody_without_the_hidden_name(ruleset: str, line: str) -> None:
    made = table("r", ruleset=ruleset)
    parsed = made.hear(line)
    assert seen_on(made, "ana") == ({"stunned"}, {"stunned"})
    assert "zark" not in repr(public(parsed))
    assert "zark" in repr(secret(parsed))
    made.hear("u")
    assert seen_on(made, "ana") == (set(), set())


def hit_points(made: Table, who: str) -> tuple[int | None, int | None]:
    """Return the hit points of a combatant, and those that players see."""
    mine, theirs = made.done.state, replay([*for_players(made.records)]).state
    return mine.combatants[who].hp, theirs.combatants[who].hp


@few(
    8,
    ("ruleset", "line", "left"),
    [
        (key, *row)
        for key in RULESETS
        for row in [
            ("ana takes 5 from zark", 11),
            ("ana takes 5 fire from zark", 11),
            ("zark heals ana 3", 19),
            ("damage ana 5 source=zark", 11),
            ('{"type":"damage_dealt","target":"ana","amount":5,"parts":[{"name":"bane of Zark","amount":5}]}', 11),
        ]
    ],
)
def test_players_learn_what_the_hidden_do_to_the_points_of_the_visible(ruleset: str, line: str, left: int) -> None:
    made = table("ana takes 4", ruleset=ruleset)
    parsed = made.hear(line)
    assert hit_points(made, "ana") == (left, left)
    assert "zark" not in repr(public(parsed)).casefold()
    assert "zark" in repr(secret(parsed)).casefold()
    made.hear("u")
    assert hit_points(made, "ana") == (16, 16)


def test_players_learn_that_a_hidden_one_has_moved_the_visible() -> None:
    parsed = table().tell("move ana 10 ft forced=yes source=zark")
    assert told(parsed) == [("moved", False), ("amended", True)]
    assert "zark" not in repr(public(parsed))


@few(7, ("ruleset", "begins"), product(BY_TURNS, ["t", "t zark", "secret t zark"]))
def test_players_learn_that_it_is_over_with_the_turn_of_the_hidden_one(ruleset: str, begins: str) -> None:
    made = table("i zark=18 ana=15 orc=9", "t", ruleset=ruleset)
    made.hear('ana,zark is prone for {"amount":1,"unit":"round","of":"zark","at":"start"}')
    for line in ("t", "t"):
        made.hear(line)
        assert seen_on(made, "ana") == ({"prone"}, {"prone"})
    made.hear(begins)
    assert len({*rounds(made)}) == 1
    assert seen_on(made, "ana") == (set(), set())
    assert breaches(made) == set()


def breaches(made: Table) -> set[str]:
    """Return the rules that players read of as broken."""
    return {each.rule for each in audit([*for_players(made.records)]).findings if each.severity == "breach"}


def test_what_is_half_secret_is_seen_whole_once_the_hidden_one_is_revealed() -> None:
    made = table("r", "i zark=18 ana=15 orc=9", "t zark")
    made.hear('ana,zark is stunned for {"amount":2,"unit":"round","of":"zark","at":"end"}')
    made.hear("t orc with zark")
    made.hear("reveal zark")
    assert [each.seq for each in for_players(made.records) if each.withheld] == []


def test_a_half_secret_is_put_right_in_public_and_in_secret() -> None:
    made = table("r", "join Bo party hp=9", 'ana is stunned for {"amount":2,"unit":"round","of":"zark","at":"end"}')
    parsed = made.hear("that was bo not ana")
    assert told(parsed) == [("amended", False), ("amended", True)]
    assert (seen_on(made, "ana"), seen_on(made, "bo")) == ((set(), set()), ({"stunned"}, {"stunned"}))


@pytest.mark.parametrize("line", ["t orc with zark", "t zark with orc"])
def test_a_turn_that_is_shared_with_a_hidden_one_goes_on_for_the_visible(line: str) -> None:
    made = table("r", "i ana=15 orc=9 zark=9", "t ana")
    parsed = made.hear(line)
    assert public(parsed) == [TurnStarted(combatant="orc")]
    now = made.done.state.clock
    assert {now.turn, *now.together} == {"orc", "zark"}
    assert replay([*for_players(made.records)]).state.clock.turn == "orc"


def test_an_effect_whose_very_name_says_who_is_hidden_stays_secret() -> None:
    assert public(table("r").tell('effect "curse of zark" by zark on ana')) == []


def notes(facts: list[object]) -> list[str]:
    """Return the texts of the notes among facts."""
    return [each.text for each in facts if isinstance(each, Noted)]


@pytest.mark.parametrize(("line", "openly", "kept"), [
    ("zark orc d20 2d6", ["2d6:3,3"], ["d20:3"]),
    ("orc zark d20 2d6", [], ["d20:3; 2d6:3,3"]),
    ("orc ana d20 2d6", ["d20:3; 2d6:3,3"], []),
    ("secret orc ana d20 2d6", [], ["d20:3; 2d6:3,3"]),
])  # fmt: skip
def test_dice_are_noted_for_players_where_they_see_the_fact_of_them(
    line: str, openly: list[str], kept: list[str]
) -> None:
    made = table("r")
    made.roll = lambda notation: f"{notation}:{'3,3' if notation == '2d6' else '3'}"
    before = len(made.records)
    parsed = made.hear(line)
    assert notes(public(parsed)) == [f"rolled here: {each}" for each in openly]
    assert notes(secret(parsed)) == [f"rolled here: {each}" for each in kept]
    for place, fact in enumerate(parsed.facts):
        if isinstance(fact, Noted):
            on = made.records[before + place + (fact.event or 0)]
            assert on.secret is (place in parsed.kept)
            assert "dice" in str(on.event).casefold()


def test_what_is_told_after_the_reveal_is_public_with_its_ruling() -> None:
    made = table("zark takes 2")
    reveal = made.hear("reveal zark")
    assert {kept for _, kept in told(reveal)} == {False}
    assert told(made.tell("zark takes 2")) == [("damage_dealt", False)]
    made.hear("u")
    made.hear("u")  # the ruling is struck, and zark is hidden again
    assert told(made.tell("zark takes 2")) == [("damage_dealt", True)]


def test_who_joins_openly_under_the_id_of_a_hidden_one_is_no_longer_hidden() -> None:
    made = table('{"type":"combatant_joined","combatant":"zark","side":"foes","sheet":{"hp":9}}')
    assert told(made.tell("zark takes 2")) == [("damage_dealt", False)]


def test_players_who_know_of_no_secret_have_nothing_kept_by_their_line() -> None:
    seen = Table(for_players(table().records))
    assert told(seen.tell("note zark lurks")) == [("noted", False)]


def test_a_script_says_itself_what_is_secret() -> None:
    records = table().records
    script = Table(records, script=True)
    assert told(script.tell("zark -5")) == [("damage_dealt", False)]
    assert told(script.tell("secret t zark")) == [("turn_started", True)]


# ---------------------------------------------------------------- the clock


def rounds(made: Table) -> tuple[int, int]:
    """Return the round that it is, and the one that it is for players."""
    return made.done.state.clock.round, replay([*for_players(made.records)]).state.clock.round


@few(8, ("ruleset", "line"), product(BY_TURNS, ["t", "next", "t zark", "secret t zark", "zark attacks ana"]))
def test_a_turn_of_a_hidden_one_that_opens_a_round_begins_it_in_public(ruleset: str, line: str) -> None:
    made = table("i ana=15 orc=9 zark=18", ruleset=ruleset)
    parsed = made.hear(line)
    assert public(parsed) == [RoundStarted(round=1)]
    assert secret(parsed)[0] == TurnStarted(combatant="zark")
    assert rounds(made) == (1, 1)


@pytest.mark.parametrize("ruleset", BY_TURNS)
def test_players_are_in_the_same_round_after_each_turn_of_a_hidden_one(ruleset: str) -> None:
    made = table("i ana=15 zark=12 orc=9", ruleset=ruleset)
    for line, turn in [("t", "ana"), ("t", ""), ("t", "orc"), ("t", "ana"), ("t", ""), ("done zark", ""), ("t", "orc")]:
        made.hear(line)
        assert len({*rounds(made)}) == 1
        assert replay([*for_players(made.records)]).state.clock.turn == turn


@pytest.mark.parametrize("ruleset", BY_TURNS)
def test_a_visible_turn_ends_in_public_as_that_of_a_hidden_one_begins(ruleset: str) -> None:
    made = table("i ana=15 zark=12 orc=9", "t", ruleset=ruleset)
    parsed = made.tell("t")
    assert (public(parsed), secret(parsed)) == ([TurnEnded(combatant="ana")], [TurnStarted(combatant="zark")])


@pytest.mark.parametrize("ruleset", ["nameless-journey", "semiautomagic"])
def test_an_announcement_opens_a_round_only_before_a_withheld_fact(ruleset: str) -> None:
    made = table("i ana=15 orc=9", "t", "t", "secret note x", "r", "secret note y", ruleset=ruleset)
    assert rounds(made) == (1, 1)
    made.hear("t ana")
    assert rounds(made) == (2, 2)


@pytest.mark.parametrize(
    ("ruleset", "line", "kind"), [("osric", "seg 4", SegmentReached), ("plain", "r", RoundStarted)]
)
def test_that_the_clock_moves_is_public_even_in_a_secret_line(ruleset: str, line: str, kind: type) -> None:
    parsed = table("r", ruleset=ruleset).tell(f"secret {line}")
    assert [type(each) for each in public(parsed)] == [kind]
    assert parsed.secret


def test_a_visible_turn_is_public_in_a_secret_line_unlike_its_acts() -> None:
    parsed = table("r", "i ana=15 orc=9").tell("secret ana attacks orc")
    assert told(parsed) == [("turn_started", False), ("action_taken", True)]


@pytest.mark.parametrize(
    ("tended", "openly", "kept"),
    [("ana, zark", ("ana",), ["care also for zark"]), ("zark", (), ["care also for zark"]), ("ana", ("ana",), [])],
)
def test_time_passes_for_players_though_somebody_hidden_is_tended(
    tended: str, openly: tuple[str, ...], kept: list[str]
) -> None:
    parsed = table("r").tell(f"pass 10 minutes tended {tended}")
    assert [each.treated for each in public(parsed) if isinstance(each, TimePassed)] == [openly]
    assert notes(secret(parsed)) == kept


# ---------------------------------------------------------------- corrections


def test_what_moves_between_visible_and_hidden_is_struck_and_inserted() -> None:
    made = table("ana,zark -3")
    parsed = made.hear("correct orc not zark")
    assert told(parsed) == [("struck", True), ("inserted", False)]
    assert parsed.hides == ("zark",)
    assert (hit_points(made, "orc"), made.done.state.combatants["zark"].hp) == ((12, 12), 30)
    assert told(made.hear("that was zark not orc")) == [("struck", False), ("inserted", True)]
    assert (hit_points(made, "orc"), made.done.state.combatants["zark"].hp) == ((15, 15), 27)
    assert told(made.hear("correct orc not ana")) == [("amended", False)]
    assert (hit_points(made, "orc"), hit_points(made, "ana")) == ((12, 12), (20, 20))


def test_an_act_and_its_outcomes_are_moved_together() -> None:
    made = table("r", "ana hits zark for 3")
    parsed = made.hear("correct orc not zark")
    assert {kind for kind, kept in told(parsed) if kept} == {"struck"}
    assert hit_points(made, "orc") == (12, 12)
    made = table("r", "join Gob foes hp=9", "ana orc,zark,gob -1")
    parsed = made.hear("correct zark not gob")
    assert (hit_points(made, "gob"), hit_points(made, "orc")) == ((9, 9), (14, 14))
    made.hear("correct gob not zark")
    assert (hit_points(made, "orc"), hit_points(made, "gob")[0] == hit_points(made, "gob")[1]) == ((14, 14), True)
    assert made.done.state.combatants["zark"].hp == 30


def test_an_amendment_of_a_secret_stays_secret_without_the_others() -> None:
    made = table("secret ana takes 3")
    assert told(made.tell("correct orc not ana")) == [("amended", True)]


def test_undo_takes_back_a_line_with_what_stands_in_the_place_of_its_facts() -> None:
    made = table("ana,zark -3", "correct orc not zark")
    made.hear("u")  # the correction
    assert (hit_points(made, "orc"), hit_points(made, "ana")) == ((15, 15), (17, 17))
    made.hear("u")
    assert (hit_points(made, "orc"), hit_points(made, "ana")) == ((15, 15), (20, 20))


@pytest.mark.parametrize("ruleset", BY_TURNS)
def test_a_line_of_several_sentences_says_each_half_secret_once(ruleset: str) -> None:
    made = table("i zark=18 ana=15", "t", ruleset=ruleset)
    made.hear("ana is stunned until the end of zark's next turn, zark hits ana for 2, ana takes 1")
    kinds = [str(to_builtins(each.event)["type"]) for each in made.records if each.event][7:]
    assert kinds.count("condition_gained") == kinds.count("amended") == 1
    made.hear("ana hits orc for 2, zark hits ana for 1")
    announced = [each.event.round for each in made.records if isinstance(each.event, RoundStarted)]
    assert announced == [1, 2]


def test_notes_of_somebody_who_joins_are_secret_if_they_name_a_hidden_one() -> None:
    parsed = table().tell('join Bo party hp=9 notes="sworn to Zark"')
    assert told(parsed) == [("combatant_joined", False), ("sheet_changed", True)]
    assert "notes" not in parsed.drafts[0].event.sheet  # type: ignore[union-attr]
    assert told(table().tell('join Bo party hp=9 notes="sworn to Zork"')) == [("combatant_joined", False)]
    assert told(table().tell('secret join Bo party hp=9 notes="sworn to Zark"')) == [("combatant_joined", True)]
    json = '{"type":"combatant_joined","combatant":"bo","side":"party","sheet":{"hp":9,"notes":"sworn to Zark"}}'
    assert told(table().tell(json)) == [("combatant_joined", False), ("sheet_changed", True)]
    for kind, rest in (
        ("amended", f'"event":2,"replacement":{json.replace("bo", "ana")}'),
        ("inserted", f'"after":2,"fact":{json}'),
    ):
        line = f'{{"type":"{kind}",{rest}}}'
        assert told(table().tell(line)) == [(kind, False), ("sheet_changed", True)]
        assert told(table().tell(line.replace("Zark", "Zork"))) == [(kind, False)]


def test_drafts_about_hidden_ones_are_secret_and_references_stay_right() -> None:
    bo = CombatantJoined(combatant="bo", side="party", sheet={"hp": 9, "notes": "sworn to Zark"})
    act = ActionTaken(combatant="ana", action=Action(kind="attack"))
    hit, laughs = DamageDealt(target="bo", amount=1, cause=-2), Noted(text="zark laughs", event=-1)
    made = table().hide_drafts([Draft(act), Draft(bo), Draft(hit), Draft(laughs)])
    assert [each.secret for each in made] == [False, False, True, False, True]
    assert [getattr(each.event, "cause", None) for each in made] == [None, None, None, -3, None]
    assert table().hide_drafts([Draft(Noted(text="rain"))]) == (Draft(Noted(text="rain")),)
