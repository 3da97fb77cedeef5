"""The lexicon: each verb of a sense calls a frame, in all its forms, and every kind of word is of use."""

import tomllib
from pathlib import Path

import pytest

from projections.grammar import forms as forms_of
from projections.reader import frames
from projections.reader.dictionary import listed
from projections.reader.inflection import forms
from projections.reader.lexicon import CUES, INFLECTED, NAMES, STATES, VERBS, lexicon
from projections.rulesets.fifth_edition.srd import tables

TABLES = tomllib.loads(Path(VERBS).read_text(encoding="utf-8"))
IRREGULAR = tomllib.loads(Path(INFLECTED).read_text(encoding="utf-8"))
FORMS = Path(forms_of.__file__).with_suffix(".toml")
FIFTH_EDITION = Path(tables.__file__).parents[1]
OLDER = """
acid arrow, acid splash, aid, animate dead, bane, banishment, barkskin, bestow curse, blade barrier, bless, blink, blur, burning hands,
call lightning, calm emotions, chain lightning, charm person, chill touch, chromatic orb, color spray, command, cone of cold, confusion,
counterspell, cure wounds, dancing lights, darkness, death ward, detect magic, disintegrate, dispel magic, divine favor, dominate person,
earthquake, entangle, enthrall, expeditious retreat, faerie fire, false life, fear, feather fall, feeblemind, finger of death, fireball,
flame strike, flaming sphere, fly, fog cloud, freedom of movement, gaseous form, goodberry, grease, greater invisibility,
greater restoration, guidance, gust of wind, haste, heal, heat metal, heroism, hex, hideous laughter, hold monster, hold person,
hypnotic pattern, ice storm, insect plague, invisibility, jump, knock, lesser restoration, levitate, light, lightning bolt, longstrider,
mage armor, mage hand, magic missile, magic weapon, major image, mass cure wounds, maze, message, meteor swarm, mirror image, moonbeam,
pass without trace, phantasmal force, plant growth, polymorph, power word kill, power word stun, produce flame, ray of enfeeblement,
ray of frost, remove curse, resistance, sanctuary, scorching ray, shatter, shield, shield of faith, shillelagh, shocking grasp, silence,
silent image, sleep, sleet storm, slow, spider climb, spike growth, spiritual weapon, stinking cloud, stoneskin, suggestion, sunbeam,
sunburst, time stop, true strike, unseen servant, vampiric touch, wall of fire, wall of ice, web, wish, zone of truth
"""
"""The spells of the fifth edition that AD&D or the d20 system had before it, by these names or, as cure wounds, for several of theirs."""
WHOLE = frozenset({"join", "add", "begin", "resume", "react", "reveal", "note", "check", "place", "gain", "dodged"})
"""Senses that call no frame of a clause: they are read with the whole line, or stand beside another word."""


@pytest.mark.parametrize("sense", sorted(TABLES))
def test_each_verb_of_a_sense_has_it_in_every_form(sense: str) -> None:
    table = TABLES[sense]
    verbs = listed(table["verbs"]) if "verbs" in table else list(table)
    doubled, single = (frozenset(IRREGULAR["doubled"][each]) for each in ("yes", "no"))
    lost = [
        form
        for verb in verbs
        for form in forms(verb, IRREGULAR["past"], doubled, single)
        if not any(each.kind == sense and each.is_verb for each in lexicon().senses(form))
    ]
    assert verbs
    assert lost == []


IRREGULAR_VERBS = frozenset(
    listed(
        """
    arise, awake, be, bear, beat, become, begin, behold, bend, bet, bid, bind, bite, bleed, blow, break, breed, bring, build, burst, buy, cast,
    catch, choose, cling, come, creep, cut, deal, dig, do, draw, drink, drive, eat, fall, feed, feel, fight, find, flee, fling, fly, forbid,
    forget, forgive, forgo, freeze, get, give, go, grind, grow, hang, hear, hide, hit, hold, hurt, keep, kneel, know, lay, lead, leave, lend,
    let, lie, lose, make, mean, meet, overcome, overrun, overtake, pay, put, quit, read, recast, rend, ride, ring, rise, run, say, see, seek,
    sell, send, set, shake, shed, shoot, show, shrink, shut, sing, sink, sit, slay, sleep, slide, sling, slink, slit, smite, speak, spend, spin,
    spit, split, spread, spring, stand, steal, stick, sting, stink, stride, strike, strive, swear, sweep, swell, swim, swing, take, teach, tear,
    tell, think, throw, thrust, tread, undergo, undo, upset, wake, wear, weave, wed, weep, win, wind, withdraw, withhold, withstand, wring
    """
    )
)
"""The verbs of English that are irregular and may be said of a fight."""


def test_no_irregular_verb_is_inflected_by_rule() -> None:
    said = [each for table in TABLES.values() for each in (listed(table["verbs"]) if "verbs" in table else table)]
    first = {each.split()[0] for each in said}
    assert sorted((first & IRREGULAR_VERBS) - IRREGULAR["past"].keys()) == []


def test_each_sense_of_verbs_calls_a_frame() -> None:
    called = {kind for frame in frames.table() for kind in frame.calls}
    assert {sense for sense in TABLES if sense not in called and sense not in WHOLE} <= {
        "concentrate", "regain", "give", "succeed", "spend", "begin_it", "spoil", "pushed", "finish", "wake", "voice",
    }  # fmt: skip


def test_each_frame_has_a_function_and_an_example() -> None:
    assert {frame.name for frame in frames.table()} == set(frames.fills())
    assert all(frame.example and frame.tells and frame.slots for frame in frames.table())


@pytest.mark.parametrize("text", ["", " ", "\x1c \x85"])
def test_what_holds_no_word_says_nothing(text: str) -> None:
    assert lexicon().senses(text) == ()


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("stab", {"stab", "stabs", "stabbed", "stabbing"}),
        ("strike", {"strike", "strikes", "struck", "stricken", "striking"}),
        ("run away", {"run away", "runs away", "ran away", "running away"}),
        ("turn and run", {"turn and run", "turns and runs", "turned and ran", "turning and running"}),
        ("bull-rush", {"bull-rush", "bull-rushes", "bull-rushed", "bull-rushing"}),
        ("die", {"die", "dies", "died", "dying"}),
    ],
)
def test_a_verb_is_known_in_all_its_forms(verb: str, expected: set[str]) -> None:
    doubled, single = (frozenset(IRREGULAR["doubled"][each]) for each in ("yes", "no"))
    assert expected <= set(forms(verb, IRREGULAR["past"], doubled, single))


def test_no_table_that_games_share_names_what_only_the_fifth_edition_has() -> None:
    shared = {word for path in (VERBS, CUES, STATES, NAMES) for word in words_of(path)}
    own = words_of(FIFTH_EDITION / "lexicon.toml") - {"death"}  # the save of which it has a short name is one of all
    assert len(own) > 200
    assert own & shared == set()
    common, forms_of_it = (
        tomllib.loads(Path(path).read_text("utf-8"))["words"] for path in (FORMS, FIFTH_EDITION / "forms.toml")
    )
    assert {
        sort: {*words} & {*common.get(sort, ())}
        for sort, words in forms_of_it.items()
        if {*words} & {*common.get(sort, ())}
    } == {}
    assert {word for words in common.values() for word in words} & own == set()


def test_the_spells_of_the_fifth_edition_that_games_share_are_those_that_older_games_have() -> None:
    documents = {each.name.casefold() for edition in ("2014", "2024") for each in tables.spells(edition)}
    known = {
        name
        for name in documents
        if {each.kind for each in lexicon().senses(name)} & {"spell", "cure", "thing", "weapon", "feature"}
    }
    assert known == set(listed(OLDER))


def words_of(path: str | Path) -> set[str]:
    """Return the words of all lists of a table, and those that stand for another."""
    found = set[str]()
    for kinds in tomllib.loads(Path(path).read_text("utf-8")).values():
        for table in kinds.values() if all(isinstance(each, dict) for each in kinds.values()) else (kinds,):
            found |= {
                word
                for name, said in table.items()
                for word in ((*listed(said),) if name in ("words", "verbs") else (name, *listed(said)))
            }
    return found
