"""Who strikes is the subject of the sentence in every tense, unless the verb is passive."""

import pytest

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Moved
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.reader.dictionary import listed
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import SIDES, said
from tests.projections.test_grammar import fight

ATTACKS = listed(
    "attacks,strikes,swings,shoots,fires,stabs,slashes,bites,claws,punches,kicks,fights,throws,hurls,"
    "lunges,smashes,smites,backstabs,clubs,assails,assaults,batters,beats,belts,bludgeons,carves,chops,"
    "clips,clobbers,cleaves,crushes,cudgels,cuts,elbows,flails,flings,gashes,gores,hacks,hammers,"
    "headbutts,hews,impales,jabs,knifes,lashes,mauls,pelts,pierces,plugs,pokes,pounds,pummels,punctures,"
    "rakes,rends,rips,savages,scratches,skewers,slams,slaps,slices,slugs,smacks,snipes,sticks,stings,"
    "stomps,swats,swipes,tears,thrusts,thumps,thwacks,tramples,wallops,whacks,whips,wounds,blasts,axes,"
    "slings,spears,zaps"
)


IRREGULAR = {
    "backstabs": "backstabbed",
    "beats": "beat",
    "bites": "bit",
    "cuts": "cut",
    "fights": "fought",
    "flings": "flung",
    "rends": "rent",
    "shoots": "shot",
    "slings": "slung",
    "smites": "smote",
    "sticks": "stuck",
    "stings": "stung",
    "strikes": "struck",
    "swats": "swatted",
    "swings": "swung",
    "tears": "tore",
    "throws": "threw",
    "wallops": "walloped",
    "thrusts": "thrust",
}
"""The past of verbs that is not made by the rule below."""


def past_of(verb: str) -> str:
    """Return the past of a verb in the third person, as it is spelt."""
    base = verb.removesuffix("es") if verb.endswith(("shes", "ches")) else verb.removesuffix("s")
    doubled = base[-1] in "bgmnp" and base[-2] in "aiou" and base[-3] not in "aeiou"
    return IRREGULAR.get(verb) or (f"{base}d" if base.endswith("e") else f"{base}{base[-1] if doubled else ''}ed")


def in_turn(key: str = "plain") -> Table:
    order = ("b=14", "o=9", "m=5", "g=3", "r", "t b") if key not in SIDES else ("r", "p5 f3")
    return heard(fight(key), *order)


def blow(at: Table, line: str) -> tuple[set[str], set[str]]:
    """Return who strikes by a line, and who is struck."""
    facts = at.tell(line).facts
    strikers = {fact.combatant for fact in facts if isinstance(fact, ActionTaken | AttackRolled)}
    return strikers, {fact.target for fact in facts if isinstance(fact, DamageDealt)}


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.parametrize("verb", ATTACKS)
def test_the_subject_of_a_verb_of_attack_strikes_in_every_tense(verb: str) -> None:
    at, past = in_turn(), past_of(verb)
    for line in (f"b {verb} o for 7", f"b {past} o for 7", f"b has {past} the ogre (15 to hit, 7 damage)."):
        assert blow(at, line) == ({"brand"}, {"ogre"})
    for line in (f"o was {past} by b for 7", f"ogre {past} by brand for 7", f"o has been {past} by b, 7 damage"):
        assert blow(at, line) == ({"brand"}, {"ogre"})
    assert blow(at, f"o was {past} for 7") == (set(), {"ogre"})


@pytest.mark.parametrize("key", ["osric", "definition-master", "5e", "nameless-journey"])
def test_past_tense_means_what_the_present_means_in_every_game(key: str) -> None:
    at = in_turn(key)
    assert said(at, "b stabbed o for 7") == said(at, "b stabs o for 7")
    assert said(at, "b healed m for 4") == said(at, "b heals m for 4")
    assert said(at, "b knocked o prone") == said(at, "b knocks o prone")
    assert [type(fact) for fact in at.tell("b moved 30 ft").facts if isinstance(fact, ActionTaken | Moved)] == [Moved]


@pytest.mark.parametrize("line", ["b stabbed for 4", "b thanks o for 7", "b thanked o for 7"])
def test_what_may_be_suffered_or_is_said_with_an_unknown_verb_is_no_blow(line: str) -> None:
    with pytest.raises(NotUnderstood):
        in_turn().tell(line)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("o stunned", "o is stunned"),
        ("o was shot dead", "o is dead"),
        ("b grappled the ogre", "b grapples the ogre"),
        ("b's shot hits o for 3", "b attack shot o hit -3 name=shot"),
        ("b cast burning hands on o", "b cast burning_hands o"),
    ],
)
def test_a_participle_is_a_state_and_a_noun_no_verb(line: str, form: str) -> None:
    assert said(in_turn(), line) == said(in_turn(), form)
