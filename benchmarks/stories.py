"""python -m benchmarks.stories: the fights of keystrokes.py as their stories, told fact by fact, and written in JSON.

Nothing of the table grammar is used here: what a line of it leaves out, such as the weapon in hand, the turn that begins or
the segment that comes, is said in full. So the files that this writes are what the typed lines are held against.
"""

import json
from pathlib import Path
from typing import Any

Fact = dict[str, Any]
FOLDER = Path(__file__).with_name("fights")


def fact(kind: str, **fields: Any) -> Fact:
    return {"type": kind, **fields}


def joins(name: str, side: str, **sheet: Any) -> Fact:
    return fact("combatant_joined", combatant=name.lower(), name=name, side=side, sheet=sheet)


def kind_of(who: str, side: str, **sheet: Any) -> Fact:
    return fact("combatant_joined", combatant=who, side=side, sheet=sheet)


def round_(number: int) -> Fact:
    return fact("round_started", round=number)


def end(number: int) -> Fact:
    return fact("round_ended", round=number)


def turn(who: str) -> Fact:
    return fact("turn_started", combatant=who)


def die(who: str, face: int, **more: Any) -> Fact:
    return fact("initiative_rolled", combatant=who, die=face, **more)


def side_die(side: str, face: int) -> Fact:
    return fact("initiative_rolled", side=side, die=face)


def segment(number: int) -> Fact:
    return fact("segment_reached", segment=number)


def slot(name: str) -> Fact:
    return fact("phase_reached", phase=name)


def acts(who: str, kind: str, name: str | None = None, at: str | None = None, **more: Any) -> Fact:
    action: Fact = {"kind": kind} | ({"name": name} if name else {}) | ({"targets": [at]} if at else {}) | more
    return fact("action_taken", combatant=who, action=action)


def declares(
    who: str, kind: str, name: str | None = None, at: str | None = None, by: str = "combatant", **more: Any
) -> Fact:
    action: Fact = {"kind": kind} | ({"name": name} if name else {}) | ({"targets": [at]} if at else {}) | more
    return fact("action_declared", **{by: who}, action=action)


def hurts(target: str, amount: int, **more: Any) -> Fact:
    return fact("damage_dealt", target=target, amount=amount, **more)


def heals(target: str, amount: int, **more: Any) -> Fact:
    return fact("healed", target=target, amount=amount, **more)


def blow(who: str, weapon: str | None, target: str, face: int, damage: int | None = None, **more: Any) -> list[Fact]:
    """A blow whose outcome is told with it: it hits if it does damage."""
    rolled = fact("attack_rolled", combatant=who, target=target, die=face, hit=damage is not None, cause=-1)
    hurt = [hurts(target, damage, cause=-1)] if damage is not None else []
    return [acts(who, "attack", weapon, target, **more), rolled, *hurt]


def swing(who: str, weapon: str | None, target: str, face: int, damage: int | None = None) -> list[Fact]:
    """A blow of which the sheets say whether it hits."""
    rolled = fact("attack_rolled", combatant=who, target=target, die=face, cause=-1)
    hurt = [hurts(target, damage, cause=-1)] if damage is not None else []
    return [acts(who, "attack", weapon, target), rolled, *hurt]


def strike(who: str, target: str, damage: int, kind: str = "attack", name: str | None = None) -> list[Fact]:
    """An act that does damage without a roll."""
    return [acts(who, kind, name, target), hurts(target, damage, cause=-1)]


def goes(who: str, feet: int) -> Fact:
    return fact("moved", combatant=who, distance={"amount": feet, "unit": "ft"})


def walks(who: str, *squares: tuple[int, int]) -> Fact:
    return fact("moved", combatant=who, path=[list(square) for square in squares])


def prone(who: str, **more: Any) -> Fact:
    return fact("condition_gained", condition="prone", targets=[who], **more)


def leaves(who: str, reason: str) -> Fact:
    return fact("combatant_left", combatant=who, reason=reason)


def note(text: str) -> Fact:
    return fact("noted", text=text)


def nobody_surprised() -> Fact:
    return fact("surprise_settled")


def over(reason: str | None = None) -> Fact:
    return fact("encounter_closed.2", **({"reason": reason} if reason else {}))


def takes_effect(who: str, effect: str, at: str, damage: int, segment: int, cause: int) -> list[Fact]:
    begun = fact("effect_started", segment=segment, effect=effect, source=who, targets=[at], cause=cause)
    return [begun, hurts(at, damage, cause=-1)]


def flat(*parts: Fact | list[Fact]) -> list[Fact]:
    return [each for part in parts for each in (part if isinstance(part, list) else [part])]


def reference() -> list[Fact]:
    """The round of reference-round.md, after a first round in which nothing happened."""
    slip = blow("ogre", "club", "mira", 17, 7)
    before = flat(
        joins("Mira", "party", hp=9, weapon="dagger"),
        joins("Brand", "party", hp=14, weapon="sword"),
        joins("Ogre", "foes", hp=20, weapon="club"),
        kind_of("goblin", "foes", hp=5, weapon="spear"),
        nobody_surprised(),
        round_(1),
        end(1),
        round_(2),
        declares("mira", "cast", "web", "ogre", time=3),
        declares("brand", "attack", "sword", "ogre"),
        side_die("party", 5),
        side_die("foes", 3),
        segment(3),
        acts("mira", "cast", "web", "ogre", time=3),
        blow("brand", "sword", "ogre", 14, 6),
    )
    wrong = flat(segment(5), slip)
    first = len(before) + 2  # the opening is record 1
    taken_back = [fact("struck", event=first + place) for place in reversed(range(len(wrong)))]
    again = flat(segment(5), blow("ogre", "club", "mira", 17, 5), blow("goblin", "spear", "brand", 4), end(2))
    return [*before, *wrong, *taken_back, *again]


def osric() -> list[Fact]:
    slip = blow("ogre", "club", "brand", 5)
    before = flat(
        joins("Mira", "party", hp=9, weapon="dagger"),
        joins("Brand", "party", hp=24, weapon="sword"),
        joins("Ogre", "foes", hp=30, weapon="club"),
        kind_of("goblin-1", "foes", hp=5, weapon="spear"),
        kind_of("goblin-2", "foes", hp=5, weapon="spear"),
        nobody_surprised(),
        round_(1),
        declares("mira", "cast", "web", "ogre", time=3),
        declares("brand", "attack", "sword", "ogre"),
        declares("foes", "attack", at="mira", by="side"),
        side_die("party", 5),
        side_die("foes", 3),
        segment(3),
        acts("mira", "cast", "web", "ogre", time=3),
        blow("brand", "sword", "ogre", 14, 6),
        segment(5),
        blow("ogre", "club", "mira", 17, 5),
        blow("goblin-1", "spear", "brand", 4),
        blow("goblin-2", "spear", "brand", 16, 3),
        end(1),
        round_(2),
        declares("mira", "attack", "dagger", "goblin-1"),
        declares("brand", "attack", "sword", "ogre"),
        declares("foes", "attack", at="brand", by="side"),
        side_die("party", 2),
        side_die("foes", 6),
        segment(2),
        blow("ogre", "club", "brand", 18, 7),
        blow("goblin-1", "spear", "brand", 9),
        blow("goblin-2", "spear", "brand", 3),
        segment(6),
        blow("brand", "sword", "ogre", 11, 8),
        blow("mira", "dagger", "goblin-1", 15, 3),
        note("The ogre roars."),
        end(2),
        round_(3),
        declares("brand", "attack", "sword", "ogre"),
        declares("mira", "attack", "dagger", "goblin-1"),
        side_die("party", 4),
        side_die("foes", 1),
        segment(1),
        blow("brand", "sword", "ogre", 19, 9),
        blow("mira", "dagger", "goblin-1", 12, 4),
        hurts("goblin-1", 1),
        prone("goblin-1"),
        leaves("goblin-2", "fled"),
    )
    wrong = flat(segment(4), slip)
    first = len(before) + 2
    taken_back = [fact("struck", event=first + place) for place in reversed(range(len(wrong)))]
    return [*before, *wrong, *taken_back, end(3), over("the ogre is down")]


def plain() -> list[Fact]:
    nitar, bart, claw, bite = "Crystal Spike", "bow", "claw", "bite"
    return flat(
        joins("Nitar", "party", hp=31, hp_max=35, initiative=2, weapon=nitar),
        joins("Bart", "party", hp=20, initiative=1, weapon=bart),
        joins("Sh1", "monsters", hp=52, initiative=1, weapon=claw),
        joins("Wolf", "monsters", hp=11, weapon=bite),
        die("nitar", 13, bonus=2),
        die("bart", 9, bonus=1),
        die("sh1", 8, bonus=1),
        die("wolf", 4, bonus=0),
        round_(1),
        [turn("nitar"), *blow("nitar", nitar, "sh1", 19, 7)],
        [turn("bart"), *blow("bart", bart, "sh1", 6)],
        [turn("sh1"), *blow("sh1", claw, "nitar", 15, 4)],
        [turn("wolf"), *blow("wolf", bite, "bart", 12, 3)],
        fact("resource_changed", combatant="nitar", resource="Shift", amount=-1),
        round_(2),
        [turn("nitar"), *blow("nitar", nitar, "sh1", 11, 5)],
        [turn("bart"), *blow("bart", bart, "wolf", 17, 6)],
        [turn("sh1"), *blow("sh1", claw, "nitar", 4)],
        [turn("wolf"), *blow("wolf", bite, "bart", 9)],
        heals("nitar", 4, temporary=True),
        prone("wolf", duration={"amount": 1, "unit": "round"}),
        round_(3),
        [turn("nitar"), *blow("nitar", nitar, "sh1", 14, 8)],
        [turn("bart"), *blow("bart", bart, "wolf", 18, 5)],
        [turn("sh1"), *blow("sh1", claw, "bart", 16, 6)],
        fact("save_rolled", combatant="nitar", save="wisdom", die=12),
        fact(
            "effect_started",
            effect="Hex",
            source="nitar",
            targets=["sh1"],
            duration={"amount": 10, "unit": "round"},
        ),
        leaves("wolf", "dead"),
        round_(4),
        [turn("nitar"), *blow("nitar", nitar, "sh1", 10, 6)],
        [turn("bart"), *blow("bart", bart, "sh1", 13, 4)],
        [turn("sh1"), *blow("sh1", claw, "nitar", 7)],
        fact("checked", values={"nitar.hp": 27}),
        over(),
    )


def definition_master() -> list[Fact]:
    ana, bo, kex = "straight sword", "dagger", "short sword"

    def armed(weapon: str, dice: str) -> Fact:
        return {"weapons": [{"name": weapon, "dice": dice}], "wielding": {"primary": weapon}}

    return flat(
        joins(
            "Ana",
            "heroes",
            hp=48,
            hit_dice=6,
            str=4,
            dex=2,
            base_attack=6,
            initiative=2,
            ac={"armor": 5},
            **armed(ana, "1d8"),
        ),
        joins(
            "Bo", "heroes", hp=30, hit_dice=5, dex=4, base_attack=3, initiative=8, ac={"armor": 3}, **armed(bo, "1d4")
        ),
        joins(
            "Kex",
            "raiders",
            hp=40,
            hit_dice=3,
            str=2,
            base_attack=3,
            initiative=1,
            ac={"armor": 2},
            **armed(kex, "1d6"),
        ),
        joins("Lum", "raiders", hp=28, hit_dice=7, dex=2, base_attack=3, initiative=4),
        [die("ana", 12), die("bo", 9), die("kex", 14), die("lum", 5)],
        round_(1),
        [turn("bo"), *swing("bo", bo, "kex", 9, 4)],
        [turn("kex"), *swing("kex", kex, "bo", 12, 3)],
        [turn("ana"), *swing("ana", ana, "kex", 14, 8)],
        [turn("lum"), acts("lum", "cast", "frost", "ana")],
        fact("save_rolled", combatant="ana", save="will", die=8),
        hurts("ana", 4),
        round_(2),
        [turn("bo"), *swing("bo", bo, "kex", 17, 3), goes("bo", 10)],
        [turn("kex"), *swing("kex", kex, "ana", 11, 2)],
        [turn("ana"), *swing("ana", ana, "kex", 6), *swing("ana", ana, "kex", 13, 9)],
        [turn("lum"), *swing("lum", None, "bo", 10)],
        round_(3),
        [turn("bo"), *swing("bo", bo, "kex", 7)],
        [turn("kex"), acts("kex", "trip", at="bo")],
        fact("attack_rolled", combatant="kex", target="bo", die=12, cause=-1),
        fact(
            "contest_rolled", about="trip", contenders=[{"combatant": "kex", "die": 15}, {"combatant": "bo", "die": 9}]
        ),
        prone("bo"),
        [turn("ana"), *swing("ana", ana, "kex", 18, 6)],
        hurts("kex", 5, nonlethal=True),
        [turn("lum"), goes("lum", 20), acts("lum", "cast", "frost", "bo")],
        fact("save_rolled", combatant="bo", save="will", die=15),
        hurts("bo", 2),
        heals("ana", 3),
        note("Kex is afraid."),
        round_(4),
        [turn("bo"), acts("bo", "stand-up"), *swing("bo", bo, "kex", 14, 4)],
        [turn("kex"), *swing("kex", kex, "ana", 3)],
        [turn("ana"), *swing("ana", ana, "kex", 12, 7)],
        leaves("kex", "fled"),
        over(),
    )


def nameless_journey() -> list[Fact]:
    return flat(
        joins("Ana", "heroes", hp=30, dexterity=3),
        joins("Bo", "heroes", hp=24, entries=[{"name": "flare", "cost": "quick-action"}]),
        joins("Kex", "raiders", hp=40, dexterity=-1),
        joins("Lum", "raiders", hp=20, dexterity=1, entries=[{"name": "haze", "cost": "quick-action"}]),
        [die("ana", 12, bonus=3), die("bo", 16, bonus=0), die("kex", 9, bonus=-1), die("lum", 11, bonus=1)],
        [turn("bo"), walks("bo", (0, 0), (1, 0), (2, 0)), *strike("bo", "kex", 7), walks("bo", (2, 0), (1, 0))],
        strike("bo", "kex", 2, "cast", "flare"),
        [turn("ana"), *strike("ana", "kex", 5), goes("ana", 20)],
        [turn("lum"), *strike("lum", "bo", 3), goes("lum", 10)],
        [turn("kex"), *strike("kex", "ana", 6), goes("kex", 10)],
        [turn("bo"), goes("bo", 10), *strike("bo", "kex", 4)],
        [turn("ana"), goes("ana", 5), *strike("ana", "kex", 3)],
        [turn("lum"), *strike("lum", "ana", 2), acts("lum", "cast", "haze", "ana")],
        fact("effect_started", effect="haze", source="lum", targets=["ana"], duration={"amount": 2, "unit": "round"}),
        [turn("kex"), *strike("kex", "ana", 4), goes("kex", 5)],
        [turn("bo"), *strike("bo", "kex", 2), heals("bo", 1)],
        [turn("ana"), *strike("ana", "lum", 6), goes("ana", 20)],
        [turn("lum"), *strike("lum", "ana", 1), goes("lum", 15)],
        prone("kex"),
        [turn("kex"), *strike("kex", "ana", 3), heals("ana", 5)],
        [turn("bo"), goes("bo", 10), *strike("bo", "lum", 4)],
        [turn("ana"), *strike("ana", "lum", 2)],
        note("Lum wavers."),
        leaves("lum", "fled"),
        [turn("kex"), *strike("kex", "bo", 3)],
        over(),
    )


def semiautomagic() -> list[Fact]:
    def check(who: str, face: int, bonus: int) -> Fact:
        return fact("initiative_rolled", combatant=who, check=face, bonus=bonus)

    def does(who: str, kind: str, seconds: int) -> Fact:
        return acts(who, kind, time=seconds)

    return flat(
        joins("Ana", "heroes", hp=22, dexterity=5),
        joins("Bo", "heroes", hp=26, dexterity=2),
        joins("Kex", "raiders", hp=40, dexterity=1),
        joins("Lum", "raiders", hp=20, dexterity=0),
        [check("ana", 9, 5), check("bo", 7, 2), check("kex", 11, 1), check("lum", 3, 0)],
        [turn("ana"), does("ana", "talk", 0), does("ana", "draw", 1), does("ana", "move", 1), *strike("ana", "kex", 5)],
        [turn("kex"), does("kex", "stand-up", 4), does("kex", "move", 1), does("kex", "drop", 0)],
        [turn("bo"), does("bo", "run", 3), does("bo", "aim", 1)],
        [turn("lum"), does("lum", "move", 1), *strike("lum", "ana", 2)],
        [turn("ana"), does("ana", "move", 1), *strike("ana", "kex", 3, "cast", "spark"), does("ana", "move", 1)],
        [turn("kex"), *strike("kex", "ana", 6, "combo"), does("kex", "grab", 2)],
        [turn("bo"), *strike("bo", "kex", 4), does("bo", "crouch", 1)],
        [turn("lum"), *strike("lum", "bo", 3), does("lum", "move", 1)],
        [turn("ana"), *strike("ana", "kex", 2), does("ana", "move", 1)],
        [turn("kex"), fact("turn_delayed", combatant="kex")],
        [turn("bo"), does("bo", "move", 1), *strike("bo", "kex", 5)],
        fact("turn_resumed", combatant="kex"),
        strike("kex", "bo", 3),
        [turn("lum"), does("lum", "run", 3), does("lum", "move", 1)],
        prone("lum"),
        [turn("ana"), does("ana", "move", 1), *strike("ana", "kex", 4)],
        [turn("kex"), does("kex", "move", 1), *strike("kex", "bo", 1)],
        [turn("bo"), does("bo", "move", 1), *strike("bo", "lum", 6), heals("bo", 2)],
        leaves("lum", "fled"),
        note("Kex stands alone."),
        over(),
    )


def vile_darkness() -> list[Fact]:
    sword, axe, bow = "sword", "axe", "short bow"
    return flat(
        joins("Ada", "party", hp=22, ac=4, aac0=18, weapons=[{"name": sword, "dice": "1d8", "speed": 5}]),
        joins(
            "Cleo",
            "party",
            hp=9,
            ac=8,
            aac0=20,
            resources={"spark": 2},
            entries=[{"name": "spark", "kind": "incantation", "time": 3}],
        ),
        joins("Ulf", "orcs", hp=9, ac=6, aac0=19, weapons=[{"name": axe, "dice": "1d8", "speed": 7}]),
        joins("Snag", "orcs", hp=5, ac=7, aac0=19, weapons=[{"name": bow, "attacks": 2, "dice": "1d6", "range": 150}]),
        nobody_surprised(),
        fact("placed", combatant="ada", engaged=["ulf"]),
        fact("placed", combatant="ulf", engaged=["ada"]),
        fact("placed", combatant="cleo", words="at the well"),
        fact("placed", combatant="snag", words="on the roof"),
        round_(1),
        declares("cleo", "incantation", "spark"),
        [side_die("party", 4), side_die("orcs", 2)],
        [slot("H.D1"), acts("cleo", "target", "spark", "ulf")],
        [slot("H.D3"), *blow("ada", sword, "ulf", 17, 3)],
        [slot("L.D2"), *blow("snag", bow, "ada", 15, 2, manner=["missile"])],
        [slot("L.D3"), *blow("ulf", axe, "ada", 16, 4)],
        [slot("E"), *takes_effect("cleo", "spark", "ulf", 4, segment=3, cause=16)],
        end(1),
        round_(2),
        [side_die("party", 3), side_die("orcs", 5)],
        [slot("H.D2"), *blow("snag", bow, "ada", 8)],
        [slot("H.D3"), *blow("ulf", axe, "ada", 19, 5)],
        [slot("L.D3"), *blow("ada", sword, "ulf", 9)],
        end(2),
        round_(3),
        declares("cleo", "incantation", "spark"),
        [side_die("party", 6), side_die("orcs", 1)],
        [slot("H.D1"), acts("cleo", "target", "spark", "snag")],
        [slot("H.D3"), *blow("ada", sword, "ulf", 18, 6)],
        [slot("L.D2"), *blow("snag", bow, "ada", 4)],
        [slot("L.D3"), *blow("ulf", axe, "ada", 17, 2)],
        [slot("E"), *takes_effect("cleo", "spark", "snag", 3, segment=3, cause=52)],
        heals("ada", 1),
        prone("snag"),
        end(3),
        over(),
    )


def fifth_edition() -> list[Fact]:
    bolt = {"notation": "2d20kh1", "faces": [14, 7], "dropped": [1]}
    club = {"notation": "2d20kl1", "faces": [14, 7], "dropped": [0]}
    dagger, sword, mace, scimitar, greatclub, axe = "dagger", "longsword", "mace", "scimitar", "greatclub", "greataxe"

    def spell(name: str, level: int, cost: str = "action", *, concentration: bool = False) -> Fact:
        return {"name": name, "cost": cost, "level": level} | ({"concentration": True} if concentration else {})

    def hero(name: str, hp: int, ac: int, initiative: int, abilities: Fact, feet: int, **more: Any) -> Fact:
        first = {"hp": hp, "ac": ac, "creature": "character", "initiative": initiative, "abilities": abilities}
        return joins(name, "heroes", **first, proficiency=3, speeds={"walk": feet}, **more)

    def raider(name: str, hp: int, ac: int, initiative: int, feet: int, attacks: int, *weapon: str) -> Fact:
        first = {"hp": hp, "ac": ac, "creature": "monster", "initiative": initiative, "speeds": {"walk": feet}}
        return joins(name, "raiders", **first, attacks=attacks, weapons=[weapons(*weapon)])

    def weapons(name: str, dice: str) -> Fact:
        return {"name": name, "dice": dice}

    def slot(who: str, level: int, cause: int = -1) -> Fact:
        name = f"level {level} spell slot"
        return fact("resource_changed", combatant=who, resource=name, amount=-1, cause=cause)

    def concentrates(who: str, effect: str, *targets: str) -> Fact:
        return fact("effect_started", effect=effect, source=who, targets=[*targets], concentration=True, cause=-2)

    def saves(who: str, save: str, face: int, made: bool, **more: Any) -> Fact:
        return fact("save_rolled", combatant=who, save=save, die=face, succeeded=made, **more)

    def wrestles(who: str, kind: str, target: str, total: int, against: int) -> list[Fact]:
        contenders = [
            {"combatant": who, "using": "athletics", "total": total},
            {"combatant": target, "total": against},
        ]
        return [acts(who, kind, at=target), fact("contest_rolled", about=kind, contenders=contenders, cause=-1)]

    return flat(
        hero(
            "Bo",
            26,
            12,
            2,
            {"dexterity": 14, "constitution": 14, "intelligence": 18},
            30,
            attacks=1,
            weapons=[weapons(dagger, "1d4")],
            resources={"level 1 spell slot": 4, "level 2 spell slot": 3},
            entries=[spell("fire bolt", 0), spell("shield", 1, "reaction"), spell("web", 2, concentration=True)],
        ),
        hero(
            "Fen",
            44,
            18,
            1,
            {"strength": 16, "dexterity": 12, "constitution": 14},
            30,
            attacks=2,
            weapons=[weapons(sword, "1d8")],
            entries=[{"name": "second wind", "cost": "bonus"}],
        ),
        hero(
            "Mira",
            33,
            16,
            0,
            {"strength": 14, "constitution": 14, "wisdom": 18},
            25,
            saves={"constitution": 5},
            attacks=1,
            weapons=[weapons(mace, "1d6")],
            resources={"level 1 spell slot": 4},
            entries=[spell("bless", 1, concentration=True), spell("healing word", 1, "bonus")],
        ),
        raider("Kex", 27, 14, 1, 30, 1, scimitar, "1d6"),
        raider("Gru", 59, 11, -1, 40, 2, greatclub, "2d8"),
        raider("Orc", 15, 13, 1, 30, 1, axe, "1d12"),
        die("bo", 15, bonus=2),
        die("fen", 13, bonus=1),
        die("mira", 9, bonus=0),
        die("kex", 12, bonus=1),
        die("gru", 8, bonus=-1),
        die("orc", 7, bonus=1),
        round_(1),
        [turn("bo"), acts("bo", "cast", "web", "gru"), slot("bo", 2), concentrates("bo", "web", "gru")],
        saves("gru", "dex", 6, False),
        fact("condition_gained", condition="restrained", targets=["gru"]),
        [turn("fen"), goes("fen", 20), *blow("fen", sword, "kex", 14, 9), *blow("fen", sword, "kex", 4)],
        [turn("kex"), *blow("kex", scimitar, "fen", 17, 6)],
        turn("mira"),
        fact("action_taken", combatant="mira", action={"kind": "cast", "name": "bless", "targets": ["bo", "fen"]}),
        [slot("mira", 1), concentrates("mira", "bless", "bo", "fen")],
        [turn("orc"), *blow("orc", axe, "mira", 16, 7), saves("mira", "con", 12, True, purpose="concentration")],
        heals("fen", 5, temporary=True),
        [turn("gru"), acts("gru", "dodge")],
        round_(2),
        [turn("bo"), acts("bo", "cast", "fire bolt", "orc")],
        fact("attack_rolled", combatant="bo", target="orc", die=bolt, hit=True, cause=-1),
        hurts("orc", 4, cause=-1),
        [
            turn("fen"),
            *blow("fen", sword, "kex", 16, 8),
            acts("fen", "ability", "second wind"),
            heals("fen", 5, cause=-1),
        ],
        [turn("kex"), acts("kex", "disengage"), goes("kex", 30)],
        turn("mira"),
        fact("action_taken", combatant="mira", action={"kind": "help", "targets": ["fen", "kex"]}),
        [turn("orc"), *blow("orc", axe, "mira", 18, 11), saves("mira", "con", 2, False, purpose="concentration")],
        [turn("gru"), acts("gru", "attack", greatclub, "fen")],
        fact("attack_rolled", combatant="gru", target="fen", die=club, cause=-1),
        acts("mira", "other", "reaction", cost="reaction"),
        round_(3),
        [turn("bo"), *blow("bo", dagger, "orc", 13, 4)],
        [turn("fen"), *wrestles("fen", "grapple", "kex", 15, 9), acts("fen", "attack", sword, "kex")],
        fact("attack_rolled", combatant="fen", target="kex", hit=True, critical=True, cause=-1),
        hurts("kex", 4, cause=-1),
        [turn("kex"), *blow("kex", scimitar, "fen", 17, 8)],
        [turn("mira"), acts("mira", "cast", "healing word", "fen"), heals("fen", 6, cause=-1)],
        slot("mira", 1, cause=85),
        fact("action_held", combatant="mira"),
        [turn("orc"), *blow("orc", axe, "bo", 20, 27)],
        [turn("gru"), acts("gru", "dash")],
        note("Kex is afraid."),
        fact("combatant_left", combatant="kex"),
        round_(4),
        [turn("bo"), fact("save_rolled", combatant="bo", purpose="death", die=12)],
        [turn("fen"), *wrestles("fen", "shove", "orc", 12, 8), prone("orc")],
        [turn("mira"), acts("mira", "dodge")],
        [turn("orc"), acts("orc", "hide")],
        fact("condition_gained", condition="stable", targets=["bo"]),
        fact("condition_gained", condition="poisoned", targets=["orc"], duration={"amount": 3, "unit": "round"}),
        over(),
    )


STORIES = {
    "5e": fifth_edition,
    "reference": reference,
    "definition-master": definition_master,
    "nameless-journey": nameless_journey,
    "osric": osric,
    "plain": plain,
    "semiautomagic": semiautomagic,
    "vile-darkness": vile_darkness,
}


def main() -> None:
    """Write every story in JSON."""
    for name, story in STORIES.items():
        text = "".join(f"{json.dumps(each, ensure_ascii=False, separators=(',', ':'))}\n" for each in story())
        (FOLDER / f"{name}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
