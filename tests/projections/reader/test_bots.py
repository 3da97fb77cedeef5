"""Commands of a bot with words behind them, the first person of whoever joined, and people who set up a fight in their own words."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_newcomers import joined
from tests.projections.test_grammar import table, told

PEOPLE = ("join ana party hp=20", "join bo party hp=18", "join gob foes hp=12", "join orc foes hp=15")


def fight(*lines: str) -> Table:
    return heard(table("5e", *PEOPLE), "i ana=9 bo=8 gob=7 orc=6", "r", "t ana", *lines)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("!a longsword -t gob 17 hits for 9", "ana attacks gob with longsword 17 hits for 9"),
        ("!a longsword gob 17 hits for 9", "ana attacks gob with longsword 17 hits for 9"),
        ('!attack "long fork" -t gob, 17 hits for 9', 'ana attacks gob with "long fork" 17 hits for 9'),
        ("!a longsword -t gob miss, lol", "ana attacks gob with longsword and misses"),
        ('!cast "healing word" -t bo heals 6', "ana casts healing word on bo, heals 6"),
        (
            "!cast cure wounds -l 3 -t bo 12 hp",
            "ana casts cure wounds at level 3 on bo, 12 hp",
        ),
        (
            "!cast fireball -t gob -t orc gob fails, orc saves 15",
            "ana casts fireball on gob and orc, gob fails, orc saves 15",
        ),
        (
            "!i aoo bo longsword -t gob 15 hits for 6",
            "bo makes an opportunity attack on gob with longsword 15 hits for 6",
        ),
        ("bo: !a longsword -t gob 15 hits for 6", "bo attacks gob with longsword 15 hits for 6"),
        ("!ma gob scimitar -t bo 14 hits for 5", "gob attacks bo with scimitar 14 hits for 5"),
        ("!i hp gob -3 from the spikes", "gob takes 3 damage from the spikes"),
        ("!i hp gob -3 (fire)", "gob takes 3 fire"),
        ("!i hp mod gob -3, gob is prone", "gob takes 3. gob is prone"),
        ("!i hp bo set 4", "bo takes 14"),
        ("!i hp bo -5, !i hp gob -3", "bo takes 5. gob takes 3"),
        ("!i hp gob - 3", "gob takes 3"),
        ("!i attack gob longsword 17 hits for 9", "ana attacks gob with longsword 17 hits for 9"),
        ("!s wis bo fails", "bo fails a wis save"),
        ("!check perception -t bo 14", "bo rolls perception 14"),
        ("!i thp bo 5 from heroism", "bo gains 5 temporary hp from heroism"),
        ("!i effect gob prone until the end of his turn", "gob is prone until the end of his turn"),
        ("!i re gob prone, he stands up", "gob loses prone, he stands up"),
        ("!i remove gob, he fled", "gob fled"),
        ("!i end, gg", "the fight is over"),
        ("!i end they fled", "the fight is over, they fled"),
        ("!c stealth bo 15", "bo rolls stealth 15"),
        ("!s dex bo 15", "bo rolls a dex save 15"),
        ("!i goto orc, he shoots bo, 14, 5 dmg", "t orc. orc shoots bo, 14, 5 dmg"),
        ("ana dodges. !i note gob is a coward", "ana dodges. note: gob is a coward"),
    ],
)
def test_words_behind_a_command_are_a_sentence_about_its_act(line: str, plain: str) -> None:
    expected = [fact for each in plain.split(". ") for fact in told(fight(), each)]
    assert told(fight(), line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "!a longsword -t gob wibble",
        "!a longsword -t gob -rr 2",
        "!a longsword -t gob 17",
        "!a longsword -t zed 17 hits for 3",
        "!i hp bo lots",
        "!i hp bo -2d6",
        "!i hp bob -5",
        "!i thp bo -5",
        "!i effect bo Shield -ac +5",
        "!i opt gob -name Bob",
        "!i opt gob -h",
        "!i add 3 Zoe and her wolf -hp 20",
        "!i add 10 Zoe -p -hp 7, he's prone",
        "!i madd kobold -n 3 -rollhp",
        "!i madd kobold -n 3 -name Kob",
        "!i skiprounds 2",
        "!i prev",
        "!i meta dyn",
        "!i join",
        "!i wibble",
        "!i n gob",
        "!i n round 2",
        "!i n gob hits ana, 14, 5 dmg",
        "!i n bo dodges. !i n",
        "!s dex 14",
        "!g lr",
        "!r 1d20+5",
        "!r 1d20+5=18 to hit gob",
        "!i aoo gob hits bo",
    ],
)
def test_what_a_command_does_not_have_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("!i n", "t bo"),
        ("!i n bo", "t bo"),
        ("!i next round 1, bo again", "t bo"),
        ("!i n bo: dodges", "t bo. bo dodges"),
        ("!i n, shoots gob, 14, 5", "t bo. bo shoots gob, 14, 5"),
        ("!i n bo, shoots at gob, 6, nope", "t bo. bo shoots at gob, 6, nope"),
        ("!i n bo: !a longbow -t gob 14 for 5", "t bo. bo attacks gob with longbow 14 for 5"),
    ],
)
def test_words_behind_the_next_turn_are_whose_it_is_or_a_deed_in_it(line: str, plain: str) -> None:
    at = fight()
    expected = [fact for each in plain.split(". ") for fact in told(at, each)]
    assert told(fight(), line) == expected


def test_the_first_turn_of_a_fight_begins_its_first_round() -> None:
    at = heard(table("5e", *PEOPLE), "i ana=9 bo=8 gob=7 orc=6")
    assert [type(each).__name__ for each in at.tell("!i n").facts] == ["RoundStarted", "TurnStarted"]


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("!i add 10 GO2 -p -hp 7 -ac 15 (other goblin)", ("GO2", None, 7, 15)),
        ("!i add 15 Zoe -p -hp 27 -ac 16, enemy boss", ("Zoe", "foes", 27, 16)),
        ("bad guys: !i add 14 Zoe -p -hp 7 -ac 15.", ("Zoe", "foes", 7, 15)),
        ("party - !i add 14 Zoe -p -hp 7", ("Zoe", "party", 7, None)),
        ("!i add 3 Dire Wolf -hp 20", ("Dire Wolf", None, 20, None)),
        ('!i add 3 "Lady of Ash" -hp 20 our friend', ("Lady of Ash", "party", 20, None)),
    ],
)
def test_words_around_a_newcomer_are_its_side_or_notes_and_not_its_name(line: str, who: tuple[object, ...]) -> None:
    assert joined(fight(), line) == [who]


def test_an_effect_is_named_by_its_first_words_alone() -> None:
    (fact,) = fight().tell("!i effect bo Bless, same on orc, ana concentrating").facts
    assert (fact.effect, fact.targets, fact.source, fact.concentration) == ("Bless", ("bo", "orc"), "ana", True)  # type: ignore[attr-defined]


def test_monsters_are_numbered_by_a_scheme_of_names() -> None:
    assert [name for name, *_ in joined(fight(), '!i madd kobold -n 2 -name "KO#" -p 12')] == ["KO1", "KO2"]


def played(*lines: str) -> Table:
    return heard(
        table("5e"), "I'm playing Sable, my wizard, 27 hp, AC 12", "join Torv hp=30", "join gob foes hp=20", *lines
    )


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("I'm playing Sable, my wizard, 27 hp, AC 12", "I'm playing Sable"),
        ("I play Sable, 27 hp, AC 12", "I play Sable"),
        ("I'm running Sable with 27 hp and AC 12", "I'm running Sable"),
        ("I am Sable the wizard, 27 hp, ac 12", "I am Sable"),
        ("my character is Sable, 27 hp, ac 12", "my character: Sable"),
    ],
)
def test_who_joins_in_the_first_person_is_one_with_a_remark_on_whom_the_writer_plays(line: str, text: str) -> None:
    at = table("5e")
    assert joined(at, line) == [("Sable", None, 27, 12)]
    assert [fact.text for fact in at.tell(line.replace("Sable", "Zed")).facts[1:]] == [text.replace("Sable", "Zed")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("I hit gob for 3", "Sable hits gob for 3"),
        ("gob bites me, 18 to hit, I lose 8", "gob bites Sable, 18 to hit, Sable loses 8"),
        ("initiative: I got 15, Torv 9, gob 12", "initiative: Sable 15, Torv 9, gob 12"),
        ("my turn", "t Sable"),
        ("I'm up: fire bolt at the gob, 22, 13 fire damage", "Sable's turn: fire bolt at the gob, 22, 13 fire damage"),
        ("I cast web on gob and I'm concentrating on it", "Sable casts web on gob and she's concentrating on it"),
        ("!g hp -5", "Sable takes 5"),
        ("I'm prone", "Sable is prone"),
        ("!i hp gob -3 and I dodge", "gob takes 3 and Sable dodges"),
    ],
)
def test_i_is_whom_a_joining_in_the_first_person_named(line: str, plain: str) -> None:
    assert told(played(), line) == told(played(), plain)


def test_i_is_asked_about_where_two_have_joined_so_or_the_joining_is_taken_back() -> None:
    for at in (played("I'm playing Zed, 20 hp"), played("u", "u", "u", "join Zed hp=20", "join gob foes hp=9")):
        with pytest.raises(NotUnderstood):
            at.tell("I hit gob for 3")


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("Pip's with us too, 24 hp, ac 13, rolled 8 init", "Pip party 24 13"),
        ("Bo's on our team, 18 hp", "Bo party 18"),
        ("with me are Una (20 hp) and Bo (18 hp)", "Una party 20|Bo party 18"),
        ("against us: two ghouls with 22 hp each and a ghast on 36", "ghoul-1 foes 22|ghoul-2 foes 22|ghast foes 36"),
        ("us: Una 20, Bo 18 / them: 2 orcs 8", "Una party 20|Bo party 18|orc-1 foes 8|orc-2 foes 8"),
        ("bring in 2 orcs with 15 hp each on the enemy side", "orc-1 foes 15|orc-2 foes 15"),
        ("25 hp Kit, 18 Moss, 20 Juno, that's our side", "Kit party 25|Moss party 18|Juno party 20"),
        ("30 hp on the ogre, 12 each for two wolves, enemies", "ogre enemies 30|wolf-1 enemies 12|wolf-2 enemies 12"),
        ("20hp Bo / 15hp Dee", "Bo - 20|Dee - 15"),
        ("hp 20 Bo, hp 15 Dee", "Bo - 20|Dee - 15"),
        ("GO1 7 hp ac 15, GO2 7 hp ac 15", "GO1 - 7 15|GO2 - 7 15"),
        ("Harrow strides in, 34 hp and AC 3, big as a barn door", "Harrow - 34 3"),
        ("then Agnes the cleric, 25 hp, AC 4, and pale Vesper with 13, AC 8", "Agnes - 25 4|Vesper - 13 8"),
        ("player Bo, hp 18; my wolf Fang, 11 hp", "Bo - 18|Fang - 11"),
        ("last but not least, Vex, 22 hp", "Vex - 22"),
        ("hp: 20 Una, 18 Bo", "Una - 20|Bo - 18"),
        ("20hp Una AC15, 18hp Bo AC14", "Una - 20 15|Bo - 18 14"),
        ("kobold boss Snik 12hp, silent Tom 14 hp", "Snik - 12|Tom - 14"),
    ],
)
def test_a_table_sets_up_in_its_own_words(line: str, who: str) -> None:
    expected = []
    for each in who.split("|"):
        name, side, hp, *ac = each.split()
        expected.append((name, None if side == "-" else side, int(hp), int(ac[0]) if ac else None))
    assert joined(table("5e"), line) == expected


def test_somebody_beside_whom_an_earlier_line_named_joins() -> None:
    at = heard(table("5e"), "join Harrow party hp=30")
    assert joined(at, "beside him slinks Silas, 19 hp, armor class 6") == [("Silas", "party", 19, 6)]


@pytest.mark.parametrize("line", ["5 hp to Bo", "with us is a mule", "against us is a troll", "10 hp potion"])
def test_whether_somebody_joins_is_asked_where_the_words_may_mean_something_else(line: str) -> None:
    with pytest.raises(NotUnderstood):
        table("5e").tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob fails its dex save with a 6, so it's restrained", "gob fails its dex save with a 6 and is restrained"),
        ("bo dodges and gets 8 hp back from ana's potion", "bo dodges. bo gets 8 hp back from ana's potion"),
    ],
)
def test_what_befalls_whoever_was_named_first_befalls_nobody_else(line: str, plain: str) -> None:
    def of(said: str) -> list[tuple[object, object]]:
        return [
            (type(fact).__name__, getattr(fact, "targets", None) or getattr(fact, "target", None))
            for fact in fight("ana cast web gob,orc", "t bo").tell(said).facts
        ]

    assert of(line) == [each for one in plain.split(". ") for each in of(one)]
