"""What a log leaves untold: in each way that there is, with its counterpart in which nothing is missing."""

from projections.judging.audit import audit
from projections.judging.missing import Completeness
from projections.proving.enc import parse
from projections.proving.proof import records_of
from tests.projections.gaps import DAMAGE, PLAIN, TURNS
from tests.tables import for_each

SLOTS = """\
ruleset vile-darkness
encounter In the doorway
combatant dov heroes {"hp":15,"ac":5,"aac0":20,"weapons":[{"name":"axe","dice":"1d8","speed":7}]} Dov
combatant snag orcs {"hp":5,"ac":7,"aac0":19,"weapons":[{"name":"axe","dice":"1d8","speed":7}]} Snag
surprised
r
heroes4 orcs2
H.D3
act dov attack axe snag
L.D3
"""
SEGMENTS = """\
ruleset osric
encounter The web at the ford
join Mira party hp=9
join Ogre foes hp=20
surprised
r
d m web 3 o
p5 f4
"""
BOLT = '{"type":"damage_dealt","target":"bo","amount":2,"cause":-1}\nover\n'
ONE_FACE = '{"type":"dice_rolled","die":{"notation":"2d6","faces":[3]}}\n'
CONTEST = '{"type":"contest_rolled","contenders":[{"combatant":"ana","die":3},{"combatant":"bo"}]}\n'
ROLL_OFF = '{"type":"initiative_rolled","combatant":"ana","die":3,"tie_with":["bo"]}\n'
ANSWERED = '{"type":"initiative_rolled","combatant":"bo","die":5,"tie_with":["ana"]}\n'
RUSH = '{"type":"action_declared","side":"foes","action":{"kind":"other","name":"rush"}}\n'
SIDES = '{"type":"initiative_rolled","side":"party","die":3,"tie_with":["foes"]}\n'
USED = '{"type":"action_taken","combatant":"mira","action":{"kind":"use","name":"web"}}\n'
DELAY = '{"type":"action_declared","combatant":"mira","action":{"kind":"delay"}}'
WEB = [("resolution", 6, "web of mira was declared and never resolved")]
OGRE = "act ogre attack club mira\n"
CASTING = """\
ruleset vile-darkness
encounter At the well
combatant cleo heroes {"hp":9,"ac":8,"aac0":20,"resources":{"spark":1},"entries":[{"name":"spark","kind":"incantation","time":3}]} Cleo
combatant snag orcs {"hp":5,"ac":7,"aac0":19,"weapons":[{"name":"dagger","dice":"1d4","speed":1}]} Snag
surprised
r
d cleo incantation spark
heroes2 orcs4
H.D1
{"type":"action_taken","segment":1,"combatant":"snag","action":{"kind":"attack","name":"dagger","targets":["cleo"]}}
{"type":"attack_rolled","combatant":"snag","target":"cleo","die":19,"hit":true,"cause":-1}
{"type":"damage_dealt","target":"cleo","amount":2,"cause":-1}
end
"""
BUSY = """\
ruleset semiautomagic
encounter On the bridge
join Ana heroes hp=22 dexterity=5
join Kex raiders hp=20 dexterity=1
ana14 kex12
ana
{"type":"action_taken","combatant":"ana","action":{"kind":"cast","name":"ward","time":14}}
kex
act kex move
ana
kex
"""
COMPLETED = BUSY.replace('"time":14', '"time":10').replace(
    "ana\nkex\n", 'ana\n{"type":"condition_gained","condition":"warded","targets":["ana"],"cause":7}\nkex\n'
)
CALLED_OFF = BUSY.replace("ana\nkex\n", '{"type":"action_abandoned","combatant":"ana"}\nana\nkex\n')
LONG = (
    "\n".join(line for line in CASTING.replace('"time":3', '"time":15').splitlines() if not line.startswith("{")) + "\n"
)
REACTION = '{"type":"action_taken","combatant":"ana","action":{"kind":"attack","name":"axe","cost":"reaction","targets":["lum"]}}\n'
BLESS = PLAIN + 'r\n{"type":"action_declared","combatant":"ana","action":{"kind":"cast","name":"bless"}}\n'
UNBLESSED = ("resolution", 5, "bless of ana was declared and never resolved")
CHARGE = BLESS.replace('"cast","name":"bless"', '"move","name":"dash"')
CHILD = '{"type":"effect_started","effect":"glow","source":"ana","targets":["bo"],"parent":4}\n'
UNCAUSED = ("cause", 4, "no cause of fog, and no source")
FOG = '{"type":"effect_started","effect":"fog"}\n'
KEEPS = '{"type":"effect_started","effect":"bolt","source":"ana","targets":["bo"],"concentration":true}\n'
MISSING: list[tuple[str, list[tuple[str, int, str]]]] = [
    (f"{TURNS}ana\n", [("turn", 6, "neither action nor pass in the turn of lum")]),
    (f"{TURNS}act lum attack axe ana\nana\n", []),
    (f"{TURNS}act lum attack axe ana\n{REACTION}ana\nlum\n", [("turn", 9, "neither action nor pass in the turn of ana")]),
    (f"{TURNS}done lum\nana\n", []),
    (f"{TURNS}lum goes 0,0/1,0\nana\n", []),
    (f"{TURNS}lum -30\nana\n", [("attack", 7, "no attack, and no other cause, of the damage to lum")]),
    (TURNS, []),
    (f"{SLOTS}end\n", [("turn", 11, "neither action nor pass of snag in round 1")]),
    (f"{SLOTS}act snag attack axe dov\nend\n", []),
    (f"{PLAIN}{DAMAGE}", [("attack", 4, "no attack, and no other cause, of the damage to ana")]),
    (f"{PLAIN}act bo attack axe ana\nana -2\n", []),
    (f"{PLAIN}effect bless by ana on bo\nover\n", [("end", 4, "no end of bless on bo, which has no duration")]),
    (f"{PLAIN}effect bless by ana on bo\n", []),
    (f"{PLAIN}effect bless by ana on bo\nends bless on bo\nover\n", []),
    (f"{PLAIN}effect bless by ana on bo for 10r\nover\n", []),
    (f"{PLAIN}effect bolt by ana on bo\n{BOLT}", []),
    (f"{SEGMENTS}act ogre attack club mira\nact mira attack staff ogre\ne\n",
     [("resolution", 6, "web of mira was declared and never resolved")]),
    (f"{SEGMENTS}m\nact ogre attack club mira\ne\n", []),
    (f"{SEGMENTS}act ogre attack club mira\nm drops web\ne\n", []),
    (f"{SEGMENTS}m\no m 17 5\ne\n", []),
    (f"{PLAIN}roll b a hit=yes\n", [("die", 4, "no die in the roll of bo")]),
    (f"{PLAIN}roll b a 14\n", []),
    (f"{PLAIN}b saves will\n", [("die", 4, "no die in the roll of bo")]),
    (PLAIN + ONE_FACE, [("die", 4, "1 of the 2 faces of 2d6")]),
    (PLAIN + ONE_FACE.replace("[3]", "[3,4]"), []),
    (PLAIN + CONTEST, [("die", 4, "no die of bo in the contest")]),
    (PLAIN + ROLL_OFF, [("die", 4, "no die of bo in a roll-off")]),
    (PLAIN + ROLL_OFF + ANSWERED, []),
    (CASTING, []),
    (f"{SEGMENTS}{RUSH}m\n{OGRE}e\n", []),
    (f"{SEGMENTS}{RUSH}m\ne\n", [
        ("resolution", 9, "rush of foes was declared and never resolved"),
        ("turn", 12, "neither action nor pass of ogre in round 1"),
    ]),
    (f"{SEGMENTS}{RUSH}m\no -20\ne\n", []),
    (f"{SEGMENTS}{OGRE}{USED}e\n", []),
    (f"{SEGMENTS}{OGRE}effect web by mira on ogre\ne\n", []),
    (f"{SEGMENTS}{OGRE}" + '{"type":"action_abandoned","combatant":"mira","name":"bless"}\n' + "e\n", WEB),
    (f"{SEGMENTS}{OGRE}move m 15ft\ne\n", WEB),
    (f"{SEGMENTS.replace('d m web 3 o', 'd m move')}{OGRE}move m 15ft\ne\n", []),
    (f"{SEGMENTS.replace('d m web 3 o', DELAY)}{OGRE}act mira attack staff ogre\ne\n", []),
    (PLAIN + SIDES.replace("foes", "others").replace("party", "heroes"), [("die", 4, "no die of others in a roll-off")]),
    (PLAIN + SIDES.replace("party", "heroes") + SIDES.replace("foes", "heroes").replace("party", "foes"), []),
    (PLAIN + '{"type":"initiative_rolled","combatant":"ana"}\n', [("die", 4, "no die in the initiative of ana")]),
    (PLAIN + '{"type":"initiative_rolled","combatant":"ana","check":3}\n', []),
    (PLAIN + '{"type":"initiative_rolled","combatant":"ana","total":3}\n', []),
    (PLAIN + '{"type":"dice_rolled","purpose":"morale"}\n', [("die", 4, "no die in the roll")]),
    (PLAIN + CONTEST.replace('"bo"', '"bo","check":3'), []),
    (PLAIN + CONTEST.replace('"bo"', '"bo","total":3'), []),
    (PLAIN + CONTEST.replace('"bo"', '"bo","die":{"notation":"d20","faces":[]}'), [("die", 4, "0 of the 1 faces of d20")]),
    (PLAIN + ONE_FACE.replace("2d6", "coin").replace("[3]", "[]"), []),
    (f"{PLAIN}act bo attack axe ana\n" + DAMAGE.replace("2}", '2,"parts":[{"name":"axe","dice":{"notation":"2d4","faces":[2]}}]}'),
     [("die", 5, "1 of the 2 faces of 2d4")]),
    (f"{PLAIN}ana12 bo12\n{ROLL_OFF}", [("die", 6, "no die of bo in a roll-off")]),
    (f"{SEGMENTS}{OGRE}over\ne\n", []),
    (f"{PLAIN}r\neffect bless by ana on bo\nr\n", [("end", 5, "no end of bless on bo, which has no duration")]),
    (f"{PLAIN}effect bless by ana on bo\nr\nr\n", []),
    (f"{PLAIN}ana +2\n", [("cause", 4, "no cause of the healing of ana")]),
    (PLAIN + FOG.replace("}", ',"targets":["ana","bo"]}'), [("cause", 4, "no cause of fog on ana, bo, and no source")]),
    (PLAIN + KEEPS + BOLT, [("end", 4, "no end of bolt on bo, which has no duration")]),
    (f"{PLAIN}{FOG}over\n", [UNCAUSED, ("end", 4, "no end of fog, which has no duration")]),
    (f"{SEGMENTS}{RUSH}m\n{FOG}e\n", [
        ("resolution", 9, "rush of foes was declared and never resolved"),
        ("cause", 12, "no cause of fog, and no source"),
        ("turn", 13, "neither action nor pass of ogre in round 1"),
    ]),
    (BUSY, []),
    (COMPLETED, []),
    (CALLED_OFF, [("turn", 11, "neither action nor pass in the turn of ana")]),
    (f"{PLAIN}ana12 bo9\nr\nana\nact ana attack axe bo\nr\n", []),
    (PLAIN + "effect bless by ana on bo for 10r\n" + CHILD + "over\n", []),
    (f"{SEGMENTS.replace('web 3', 'web 15')}m\n{OGRE}e\nr\np5 f4\n{OGRE}e\n", []),
    (LONG, [("turn", 10, "neither action nor pass of snag in round 1")]),
    (f'{TURNS}{{"type":"combatant_left","combatant":"lum"}}\nana\n', []),
    (f"{BLESS}r\n", [UNBLESSED]),
    (f"{BLESS}effect bless by ana on bo for 10r\nr\n", []),
    (f"{BLESS}effect light by ana on bo for 10r\nr\n", [UNBLESSED]),
    (f"{BLESS}act ana cast light bo\nr\n", []),
    (BLESS.replace("r\n{", "join Cy heroes hp=9\nr\n{").replace('"combatant"', '"side":"heroes","combatant"')
     + "act cy attack axe bo\nr\n", [("resolution", 6, "bless of ana was declared and never resolved")]),
    (BLESS.replace("r\n{", "join Cy heroes hp=9\nr\n{").replace('"combatant"', '"side":"heroes","combatant"')
     + "act cy cast bless bo\nr\n", [("resolution", 6, "bless of ana was declared and never resolved")]),
    (BLESS + '{"type":"action_abandoned","combatant":"ana"}\nr\n', []),
    (f"{CHARGE}roll a b 14\nr\n", [("resolution", 5, "dash of ana was declared and never resolved")]),
    (PLAIN + '{"type":"dice_rolled","total":9,"purpose":"morale"}\n', []),
    (f"{PLAIN}act bo attack axe ana\n" + DAMAGE.replace("2}", '2,"parts":[{"name":"str","amount":2}]}'), []),
]  # fmt: skip


@for_each(("script", "expected"), MISSING)
def test_what_is_missing_is_found_with_its_event(script: str, expected: list[tuple[str, int, str]]) -> None:
    (play,) = parse(script, "a.enc", proves=False)
    untold = Completeness()
    done = audit(records_of(play), before=untold.observe_fact)
    assert [(one.kind, one.event, one.says) for one in untold.missing_facts(done.replay.state)] == expected


WHOSE = [
    (f"{TURNS}ana\n", ["lum"]), (f"{SLOTS}end\n", ["snag"]), (f"{PLAIN}{FOG}over\n", [None, None]),
    (f"{PLAIN}effect bless by ana on bo\nover\n", ["bo"]), (f"{PLAIN}{DAMAGE}", ["ana"]), (f"{BLESS}r\n", ["ana"]),
    (PLAIN + '{"type":"initiative_rolled","combatant":"ana"}\n', ["ana"]),
    (SEGMENTS.replace("p5 f4", '{"type":"initiative_rolled","side":"party"}\nf4'), ["party"]),
    (PLAIN + ROLL_OFF, ["bo"]), (PLAIN + CONTEST, ["bo"]), (PLAIN + ONE_FACE, [None]),
]  # fmt: skip


@for_each(("script", "whose"), WHOSE)
def test_whom_it_is_about_is_said(script: str, whose: list[str | None]) -> None:
    (play,) = parse(script, "a.enc", proves=False)
    untold = Completeness()
    done = audit(records_of(play), before=untold.observe_fact)
    assert [one.who for one in untold.missing_facts(done.replay.state)] == whose
