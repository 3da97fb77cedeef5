"""Magic: spells that are cast or declared, effects that begin and end, work that is spoiled."""

from eventstore.shapes import Action
from projections.grammar.line_context import known_spell, unfinished
from projections.open_types import Fields
from projections.reader.frames.blows import _results, damages, dice
from projections.reader.frames.results import Result
from projections.reader.frames.volleys import counted
from projections.reader.lexicon import ARTICLES
from projections.reader.parts import MOST_BLOWS, Part
from projections.reader.scene import Scene
from projections.reader.slots import OTHERS_COSTS, Slots, Thread, Told
from projections.reader.tags import NOTHING, Item

LONGEST_CASTING = 999
"""The longest casting time that is a number alone."""


def _spell(slots: Slots, *, after: int = -1) -> tuple[str, int]:
    """Take the name of a spell, as typed, and its place; after "casts" it can be words that are in no table. "" and -1 without one."""
    found = [
        at
        for at, part in enumerate(slots.parts)
        if at not in slots.used and part.role == "word" and part.is_("spell", "effect", "cure") and at != after
    ]
    if after >= 0:
        found = [at for at in found if at > after] or found
    if found:
        at = found[0]
        first = at
        while (
            first - 1 > after
            and first > 0
            and slots.parts[first - 1].role == "word"
            and not slots.parts[first - 1].item.senses
            and first - 1 not in slots.used
            and not (after < 0 and first > 1 and slots.parts[first - 2].role == "who")  # completes sleep
        ):
            first -= 1
        part = slots.parts[at]
        words = [slots.take(place).item.typed.casefold() for place in range(first, at + 1)]
        canonical = part.says("spell") if first == at and part.says("spell") else ""
        name = canonical if canonical and canonical.casefold() == part.item.typed.casefold() else " ".join(words)
        end = at + 1
        if end < len(slots.parts) and slots.parts[end].is_("spell_word") and slots.parts[end].role == "word":
            slots.take(end)
        return name, first
    if after < 0:
        return "", -1
    at = after + 1
    while (
        at < len(slots.parts)
        and slots.parts[at].role == "word"
        and slots.parts[at].is_("filler")
        and slots.parts[at].text in ("a", "an", "the", "his", "her", "its", "their")
    ):
        at += 1
    end = at
    while end < len(slots.parts) and slots.parts[end].role in ("word", "quote") and end not in slots.used:
        part = slots.parts[end]
        if part.role == "word" and (
            part.is_(
                "to",
                "with",
                "for",
                "from",
                "until",
                "hit",
                "miss",
                "concentration",
                "and",
                "save",
                "cost_bonus",
                "cost_reaction",
            )
            and part.text != "of"
        ):
            break
        end += 1
    if end == at or end - at > 4:
        return "", -1
    name = " ".join(
        slots.take(place).item.text if slots.parts[place].role == "quote" else slots.parts[place].item.typed
        for place in range(at, end)
    ).casefold()
    for place in range(at, end):
        slots.take(place)
    return name, at


def _held_by(slots: Slots) -> Action | None:
    """Return the spell that the first combatant of a clause holds ready, if the clause says that it is released:
    releases magic missile; None otherwise.
    """
    whom = slots.whom()
    who = slots.parts[whom[0]].people.ids if whom else ()
    held = slots.scene.context.memory.held.get(who[0]) if len(who) == 1 else None
    is_spell = held is not None and held.kind in slots.scene.table.words.get("casting", ("cast",))
    return held if is_spell and slots.has_verb("carry_out", "hold") else None


def _comes_before(slots: Slots, at: int) -> Item:
    """Return the item before a place, without articles."""
    before = [part.item for part in slots.parts[:at] if part.text not in ARTICLES]
    return before[-1] if before else NOTHING


_AVOIDS = ("dodg", "evad", "avoid", "resist", "duck")
"""How verbs begin by which somebody is met by a spell, and casts none."""


def cast(slots: Slots) -> Told | None:
    """Fill the frame of a spell that is cast, or will be: Ismay casts web (2 segments), Lyra casts bless on Pip and Grok."""
    scene = slots.scene
    verb = _verb(slots)
    unopened = scene.table.declares == "dice" and not scene.state.clock.open
    declares = slots.has("will", "declare") or (unopened and slots.has_verb("begin"))  # before the round is opened
    opens = verb < 0 and (is_aimed(slots) or _revives_somebody(slots))
    known = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word"
        and part.is_("spell", "cure")
        and not (part.item.is_verb("strike", "shoot"))
        and not _comes_before(slots, at).is_("from", "against")  # 3 necrotic from hex, free of the web
        and not (verb < 0 and at and slots.parts[at - 1].text in ("with", "w") and not part.is_("weapon"))
    ]
    if verb < 0:
        held = slots.has_verb("hold", "concentrate") and any(slots.parts[at].is_("effect") for at in known)
        known = [at for at in known if not held and (at == 0 or slots.parts[at - 1].text not in ("the", "into", "in"))]
    as_verb = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word"
            and part.item.is_verb("spell_verb")
            and not _is_passive(slots, at)
            and any(place < at for place in slots.whom())
            and not (at and slots.parts[at - 1].is_("to", "with"))
            and not _comes_before(slots, at).is_("from", "against")
            and not slots.has("become")
        ),
        -1,
    )
    if verb < 0 and not known and as_verb < 0:
        return None
    named = min((*known, *([as_verb] if as_verb >= 0 else [])), default=0)
    if verb < 0 and any(part.text.startswith(_AVOIDS) for part in slots.parts[:named]):
        return None  # dodges the fireball
    if verb < 0 and slots.has_verb("concentrate"):
        return None
    if verb < 0 and known and any(part.text in ("has", "had", "have") for part in slots.parts[: known[0]]):
        return None  # bo has bless
    if verb < 0 and known and slots.parts[known[0]].is_("thing") and slots.has("with", "consists"):
        return None  # blocks with his shield, has resistance
    ready = _held_by(slots)
    if verb < 0 and (slots.has_verb("heal") or (slots.has_verb("end_it", "spoil") and not (declares or ready))):
        return None
    if slots.has("not") or any(part.item.value("deed") == "read" for part in slots.parts):  # reads a scroll of web
        return None
    if (verb < 0 and not opens) and (
        slots.has_verb("strike", "shoot", "take", "end", "regain")
        or (slots.has("save") and not slots.has_role("dc"))
        or slots.has("become", "initiative")
        or (slots.has_verb("deal") and not slots.has("to"))
    ):
        return None
    if (
        verb < 0
        and not scene.declaring
        and not declares
        and not slots.has("cost_bonus", "cost_reaction", "cost_action")
        and (
            slots.has_role("duration")
            or (slots.has("concentration") and not _is_headed(slots, slots.where("spell")))
            or slots.has_verb("begin_it")
        )
    ):
        return None
    remedy = verb < 0 and known and all(slots.parts[at].is_("item", "cure") for at in known)
    if remedy and (slots.has_role("bare", "damage", "amount", "points", "gain") or slots.has_verb("use", "give")):
        return None  # a potion hurts nobody, and is no spell
    whom = slots.whom()
    owner = [at for at in whom if slots.parts[at].owner]
    if owner and verb < 0:
        return None
    first = next((at for at in whom if (verb < 0 or at < verb) and slots.parts[at].joined in ("", "for")), None)
    if (
        first is None
        and verb < 0
        and not slots.thread.facts
        and not (opens or (known and _by_whom(slots, known[0]) >= 0))
    ):
        return None
    if first is not None and known and verb < 0 and first > known[0]:
        arrow = any(part.text in (">", "->", "→", ">>", "=>") for part in slots.parts)
        if not arrow and slots.parts[first].joined != "from":
            return None
    by = _by_whom(slots, known[0]) if known and verb < 0 else -1
    if by >= 0:
        first = by
    caster = slots.people(first) if first is not None else slots.thread.actor if slots.thread.facts else ()
    unsaid = not caster and bool(scene.turn)
    caster = (scene.turn,) if unsaid else caster
    apart = first is None or (known and known[0] - first > 1)  # gob at ana 17, shield as reaction
    slots.guesses += 2 if (unsaid or (verb < 0 and apart)) and slots.has("react", *OTHERS_COSTS) else 0
    if len(caster) != 1 and not slots.options:
        return None
    if verb < 0 and as_verb >= 0:
        name = slots.take(as_verb).says("spell_verb")
    else:
        name, _ = _spell(slots, after=verb)
    if not name:
        return None
    spell = scene.state.rules.spell(scene.state, caster[0], name) if caster else None
    begins = all(part.role == "mark" for part in slots.parts[: verb if verb >= 0 else min(known, default=0)])
    slots.guesses += 2 if unsaid and not (spell and begins) else 0
    cost = slots.cost()
    time = slots.number("time")
    level = slots.number("level")
    parenthesised = None
    bare = [at for at, part in enumerate(slots.parts) if part.role == "bare" and at not in slots.used]
    if len(bare) == 1 and time is None and scene.has_sides and bare[0] > 0 and slots.parts[bare[0] - 1].text == "(":
        parenthesised = slots.take(bare[0])
    first_bare = slots.parts[bare[0] - 1] if len(bare) == 1 and bare[0] else None
    declared = scene.declaring or (declares and bool(scene.table.declares))
    if time is None and parenthesised is None and scene.has_sides and declared and first_bare is not None:
        is_behind_the_name = bare[0] - 1 in slots.used and first_bare.role == "word"  # web 3 on the ogre
        is_behind_the_name = is_behind_the_name and slots.parts[bare[0]].value <= LONGEST_CASTING
        parenthesised = slots.take(bare[0]) if is_behind_the_name else None
    duration = slots.duration()
    if duration and scene.has_sides and duration["duration"]["unit"] == "segment" and time is None:
        time_amount: int | None = duration["duration"]["amount"]
        duration = {}
    else:
        time_amount = time.value if time else parenthesised.value if parenthesised else None
    targets: tuple[str, ...] = ()
    oneself = slots.word("oneself")
    for at in slots.free():
        targets += slots.people(at)
    if oneself:
        targets += caster
    if ready is not None and (ready.name or "").casefold() == name.casefold():
        slots.words("carry_out", "hold", "end_it", "let_go")
        targets = targets or tuple(who for who in ready.targets if who in scene.ids)
    concentrates = bool(slots.words("concentration"))
    allows = _save_allowed(slots)
    back = caster[0] if caster and _brings_back(slots, caster[0], name, targets) else ""
    regained = slots.number("gain", "amount", "points") if back else None
    _count_of_missiles(slots)
    has_them = any(
        part.role == "points" and slots.parts[at - 1].role == "who" for at, part in enumerate(slots.parts) if at
    )
    pool = any(part.role == "points" for part in slots.parts) and not slots.has("cure", "damage")
    slots.guesses += has_them or (pool and not slots.has_verb("heal"))  # rats 24 hp: what they have, or lose
    apiece = [] if scene.declaring else _apiece(slots, targets)
    if apiece:
        targets = tuple(who for who, _ in apiece)
        slots.guesses += not all(each.role == "damage" for _, each in apiece)  # which may be their saves
    told = scene.declaring and not slots.has_role("damage")
    several = [] if told or len(targets) != 1 else counted(slots, caster)
    if several is None:
        return None
    results = [Result(hit=True, damage=[(abs(each.value), "")]) for _, each in apiece]
    results = results or ([] if told else several or _results(slots, "", 1))
    if len(results) > 1 and len(results) != len(targets) and not several:
        return None
    saves = bool(results) and bool(spell and spell.allows_save)
    slots.guesses += saves and any(part.role == "pronoun" and part.is_("pronoun_subject") for part in slots.parts)
    if len(results) == 1 and results[0].hit is None and results[0].roll is not None and not results[0].damage:
        hurts = bool(spell and spell.allows_save) or any(part.text in ("each", "apiece") for part in slots.parts)
        slots.guesses += not hurts
        results[0].damage, results[0].roll = [(results[0].roll.value, "")], None
    if duration and scene.declaring:
        slots.guesses += 1
    slots.words(
        "cast",
        "will",
        "declare",
        "spell_word",
        "damage",
        "points",
        "hit",
        "miss",
        "cost_action",
        "half",
        "time_of_casting",
        "rolled",
        "begin",
        "use",
        "begin_it",
        "shoot",
        "item",
        "deed",
        "concentrate",
        "points",
        "to_hit",
        "strike",
    )
    if slots.numbers("bare", "amount", "loss", "gain", "points"):
        return None
    if level is not None:
        slots.words("resource")  # with a level 2 slot
    unread = slots.unread("become", "feature")
    action: Fields = {
        "kind": "cast",
        "name": name,
        **({"targets": list(targets)} if targets else {}),
        **({"cost": cost} if cost else {}),
        **({"time": time_amount} if time_amount is not None else {}),
        **({"allows_save": allows} if allows else {}),
    }
    spent = slot_of(scene, level)

    comes_of = unsaid and verb < 0 and bool(results) and bool(scene.act_called({name}, targets))  # it was cast before
    if comes_of and any(each.roll is not None for each in results):
        return None

    def tell(thread: Thread) -> None:
        who = caster[0] if caster else "?"
        thread.actor = (who,)
        thread.target = targets or thread.target
        if (scene.declaring or (declares and scene.table.declares)) and not results:
            thread.act = thread.add({"type": "action_declared", "combatant": who, "action": action})
            return
        if not comes_of:
            thread.act = thread.add({"type": "action_taken", "combatant": who, "action": action})
        if spent:
            thread.add(
                {"type": "resource_changed", "combatant": who, "resource": spent, "amount": -1, "cause": thread.act}
            )
        for whom in targets if back else ():
            amount = regained.value if regained else 1
            thread.add({"type": "healed", "target": whom, "amount": amount, "cause": thread.act})
        for place, result in enumerate(results):
            aimed = (targets[place],) if len(results) > 1 and not several else targets
            for whom in aimed:
                cause = thread.act
                if result.roll is not None or result.hit is False or several:
                    hit = {"hit": result.hit} if result.hit is not None else {}
                    cause = thread.roll = thread.add(
                        {
                            "type": "attack_rolled",
                            "combatant": who,
                            "target": whom,
                            **dice(result.roll),
                            **({"ac": result.ac} if result.ac is not None else {}),
                            **hit,
                            "cause": thread.act,
                        }
                    )
                for fact in damages(whom, result.damage):
                    thread.add(fact if comes_of else fact | {"cause": cause})
                    thread.hurt[whom] = thread.hurt.get(whom, 0) + fact["amount"]
        if duration or (concentrates and not results):
            thread.add(
                {
                    "type": "effect_started",
                    "effect": name,
                    "source": who,
                    "targets": list(targets),
                    **duration,
                    **({"concentration": True} if concentrates else {}),
                    "cause": thread.act,
                }
            )

    if results and not targets and not slots.options:
        return None
    return Told("cast", tell, unread=unread, guesses=slots.guesses, acts=True, options=slots.options)


def _apiece(slots: Slots, targets: tuple[str, ...]) -> list[tuple[str, Part]]:
    """Take the number right behind each of several targets, which is what that one takes: fireballs, gob 12, orc 24; nothing if one has none."""
    found = [
        (who, at + 1)
        for at, part in enumerate(slots.parts[:-1])
        if part.role == "who" and slots.parts[at + 1].role in ("bare", "amount", "damage", "loss")
        for who in part.people.ids
    ]
    numbers = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "amount", "damage", "loss", "roll")]
    if len(found) < 2 or [at for _, at in found] != numbers or {who for who, _ in found} != {*targets}:
        return []
    return [(who, slots.take(at)) for who, at in found]


def _is_passive(slots: Slots, at: int) -> bool:
    """Say whether a verb that can be that of a spell describes the state of the combatant before it: Ana hasted, cursed by the lich."""
    behind = slots.parts[at + 1 :]
    past = slots.parts[at].is_("condition") or slots.parts[at].text.endswith("ed")
    return past and (all(each.role == "mark" for each in behind) or behind[0].text == "by")


def _count_of_missiles(slots: Slots) -> None:
    """Take the small numbers that count a spell's missiles: two at the orc and one at orc 2; at the orc, 2 missiles; 3 magic missiles."""
    for at, part in enumerate(slots.parts):
        ahead = [each for each in slots.parts[at + 1 : at + 4] if each.text not in ARTICLES][:2]
        aimed = len(ahead) == 2 and ahead[0].is_("to", "towards") and ahead[1].role == "who"
        of_spells = bool(ahead) and ahead[0].is_("spell") and (ahead[0].text.endswith("s") or ahead[0].is_("inflected"))
        if part.role == "bare" and 0 < part.value <= MOST_BLOWS and (aimed or of_spells):
            slots.take(at)
        if part.role == "count" and ahead and ahead[0].role == "word" and ahead[0].is_("spell"):
            slots.used |= {at, at + 1}


def _by_whom(slots: Slots, spell: int) -> int:
    """Return the place of the caster after a spell that begins a clause; -1 without one: bless from Ana on Bo, web by Cy."""
    begins = all(part.role == "mark" or part.is_("filler") for part in slots.parts[:spell])
    whom = [at for at in slots.whom() if at > spell and slots.parts[at].joined == "from"]
    said = len(whom) == 1 and begins and len(slots.parts[whom[0]].people.ids) == 1
    return whom[0] if said else -1


def _save_allowed(slots: Slots) -> Fields:
    """Take the save that a spell allows, if the line gives its difficulty and not its outcome: DC 15 dex save; {} without one."""
    if not slots.has_role("dc") or slots.has_role("roll", "bare") or slots.has("success", "failure"):
        return {}
    kinds = slots.words("save_kind")
    slots.words("save")
    dc = slots.number("dc")
    return {**({"save": kinds[0].says("save_kind")} if kinds else {}), "dc": dc.value} if dc else {}


def _brings_back(slots: Slots, who: str, name: str, targets: tuple[str, ...]) -> bool:
    """Say whether a spell is known to bring back the dead, and its targets are not up."""
    known = known_spell(slots.scene.context, who, name)
    return "revives" in known.get("attributes", ()) and all(slots.scene.status(each) != "up" for each in targets)


def _revives_somebody(slots: Slots) -> bool:
    """Say whether a clause begins with a spell that brings back the dead, and a target who is not up: revivify on ana."""
    first = next((part for part in slots.parts if part.role != "mark"), None)
    whom, turn = slots.whom(), slots.scene.turn
    if first is None or not first.is_("spell") or not turn or slots.thread.facts or len(whom) != 1:
        return False
    name = first.says("spell") or first.text
    return slots.parts[whom[0]].joined == "to" and _brings_back(slots, turn, name, slots.parts[whom[0]].people.ids)


def _verb(slots: Slots) -> int:
    """Return the place of the verb by which a combatant casts, which is not their casting that is interrupted; -1 without one."""
    return next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word"
            and (part.item.is_verb("cast") or _casts_what_follows(slots, at))
            and not (
                part.is_("spell_word") and at and (slots.parts[at - 1].owner or slots.parts[at - 1].text in _WHOSE)
            )
        ),
        -1,
    )


_MAY_CAST = ("shoot", "begin", "begin_it", "use", "drop")
"""Verbs that cast a spell which follows them directly: hurls a fireball, starts on web."""


def _casts_what_follows(slots: Slots, at: int) -> bool:
    """Say whether a combatant does something with a spell that is no weapon, and so casts it."""
    verb, ahead = (
        slots.parts[at],
        [part for part in slots.parts[at + 1 :] if part.text not in ("a", "an", "the", "on", "his", "her")],
    )
    by_somebody = any(part.role in ("who", "pronoun") for part in slots.parts[:at])
    spell = ahead[0] if ahead and ahead[0].role == "word" else None
    named = spell is not None and spell.is_("spell") and not spell.is_("weapon", "cure", "item", "length", "thing")
    return bool(named and by_somebody and verb.item.is_verb(*_MAY_CAST) and not verb.item.is_verb("cast"))


_WHOSE = ("the", "his", "her", "its", "their")


def is_aimed(slots: Slots) -> bool:
    """Say whether a clause begins with a spell that the combatant on turn casts, or has cast, followed by its targets
    and a number: fireball on o1 and o2: 28.
    """
    first = next((part for part in slots.parts if part.role != "mark"), None)
    scene, aimed = slots.scene, [slots.parts[place].joined for place in slots.whom()]
    if first is None or not first.is_("spell") or not scene.turn or aimed[:1] != ["to"]:
        return False
    name = (first.says("spell") or first.text).casefold()
    whom = [who for place in slots.whom() for who in slots.parts[place].people.ids]
    was_cast = any(each.name.casefold() == name for each in scene.context.memory.acts)
    if slots.thread.facts or (was_cast and not scene.act_called({name}, whom)):
        return False
    known = scene.state.rules.spell(scene.state, scene.turn, name) is not None
    numbers = slots.has_role("bare", "damage", "amount", "roll")
    return known and (numbers or (_is_over_at_once(slots, name) and not slots.has_role("duration")))


def _is_over_at_once(slots: Slots, name: str) -> bool:
    """Say whether a spell is known to allow a save and to need no concentration, so that it has no duration of its own: fireball."""
    known = slots.scene.state.rules.spell(slots.scene.state, slots.scene.turn, name) if slots.scene.turn else None
    return known is not None and known.allows_save is not None and not getattr(known, "concentration", False)


def slot_of(scene: Scene, level: Part | None) -> str:
    """Return the slot of this level, by the game's name for it; "" where the game has none or no level is given."""
    called = scene.table.means.get("aside", {}).get("slot", "")
    return called.format(level.value) if level is not None else ""


def _is_headed(slots: Slots, spell: int) -> bool:
    """Say whether a spell of this turn or none stands behind its caster, with a colon before it or brackets behind it, and so is cast: Umber: shield of faith on Bo (concentration), Umber web (conc)."""
    told = [part for part in slots.parts[: spell + 1] if part.text != ":"]
    if [part.role for part in told] != ["who", "word"] or not told[-1].is_("spell"):
        return False
    headed = spell == 2 or any(part.text == "(" for part in slots.parts[spell + 1 : spell + 2])
    return headed and not _began(slots, told[-1].text) and told[-1].text not in slots.scene.effects


def begins(slots: Slots) -> Told | None:
    """Fill the frame of an effect that begins: Aldo's bless is up on the party, 6 rounds; sleep on the orcs for 5 turns; bless: ana bo cy."""
    scene = slots.scene
    if released := _goes_off(slots):
        return released
    known = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.is_("spell", "effect") and part.text not in ("light", "command")
    ]
    concentrates = slots.has("concentration") or slots.has_verb("concentrate")
    if known and _is_headed(slots, known[0]):
        return None
    if not known and concentrates:
        return _on_what_was_cast(slots, known)
    if known and concentrates:
        if told := _runs_already(slots, known[0]) or _on_what_was_cast(slots, known):
            return told
        slots.used.clear()
    if (
        not known
        or (slots.has("not", "save") and not slots.has_verb("begin_it"))
        or (slots.has("become") and not (concentrates or slots.has_verb("begin_it")))
        or (slots.parts[known[0]].is_("cure") and not _began(slots, slots.parts[known[0]].text))
        or slots.has_role("bare", "damage", "amount", "points", "roll")
    ):
        return None
    if (
        _verb(slots) >= 0
        or _is_begun(slots)
        or (
            slots.has_verb("strike", "shoot", "end_it", "spoil", "heal", "take", "save", "end", "leave", "recover")
            and not slots.has_verb("begin_it")
        )
    ):
        return None
    starts = slots.has_verb("begin_it")
    called = slots.parts[known[0]].says("spell") or slots.parts[known[0]].text
    if _is_over_at_once(slots, called) and not (starts or concentrates or slots.has_role("duration")):
        return None
    first_of_line = known[0] == next(
        (at for at, part in enumerate(slots.parts) if part.role != "mark" and not part.is_("filler")), -1
    )
    if not (
        slots.has_role("duration") or concentrates or starts or (first_of_line and slots.whom() and not scene.declaring)
    ):
        return None
    if scene.declaring and not (slots.has_role("duration") or starts):
        return None
    if scene.declaring and any(part.role == "duration" and part.unit == "segment" for part in slots.parts):
        return None
    name, at = _spell(slots)
    whom = slots.free()
    source: tuple[str, ...] = ()
    by = [
        place
        for place in whom
        if slots.parts[place].owner
        or slots.parts[place].joined == "from"
        or (place < at and slots.parts[place].joined == "")
    ]
    if by:
        source = slots.people(by[0])
    oneself = slots.word("oneself")
    targets: tuple[str, ...] = source if oneself else ()
    for place in slots.free():
        targets += slots.people(place)
    if not source and not targets and not slots.options and not slots.has_role("duration"):
        return None
    if len(source) > 1 or slots.options:
        return None
    duration = slots.duration()
    runs = any(each.called == name.casefold() for each in scene.state.effects.values())
    slots.guesses += runs and not (starts or duration)  # another verb may say what comes of it
    last = slots.parts[-1]
    state = last.role == "word" and last.is_("condition") and not last.is_("spell", "effect", "filler")
    if state and slots.parts[-2].role == "who":
        return None  # entangle: gob orc restrained
    slots.words(
        "concentration",
        "concentrate",
        "begin_it",
        "spell_word",
        "become",
        "spell",
        "effect",
        "up",
        "impose",
        "self_state",
        "condition",
        "last",
    )
    if slots.numbers("duration"):
        return None
    if not source:
        source = _began(slots, name)
    unread = slots.unread("become", "status_down", "deed", "move", "leave")

    def tell(thread: Thread) -> None:
        fact: Fields = {
            "type": "effect_started",
            "effect": name,
            **({"source": source[0]} if source else {}),
            "targets": list(targets),
            **duration,
            **({"concentration": True} if concentrates else {}),
        }
        thread.add(fact if targets else {key: value for key, value in fact.items() if key != "targets"})
        thread.actor, thread.target = source or thread.actor, targets

    return Told("begins", tell, unread=unread, guesses=slots.guesses, acts=bool(source))


def _goes_off(slots: Slots) -> Told | None:
    """Return that the declared or begun spell of the one combatant who is meant takes effect: sleep goes off, Cid's cure goes off, the spell takes effect."""
    told = [part for part in slots.parts if part.role != "mark" and part.text not in ("the", "and", "then")]
    owner = told[0].people.ids if told and told[0].owner else ()
    named = told[bool(owner) :]
    plain = [part.role for part in named] == ["word", "word"] and named[1].item.is_verb("begin_it")
    if not plain or len(owner) > 1 or not (named[0].is_("spell", "effect", "cure", "spell_word") or owner):
        return None
    said, scene = named[0].text, slots.scene
    casting = scene.table.words.get("casting", ("cast",))
    found = {
        who: (action.name, action.targets or ())
        for those in (scene.context.memory.declared, scene.context.memory.begun)
        for who, action in those.items()
        if action.kind in casting and action.name and who in (owner or scene.ids)
    }
    meant = [
        (who, name, whom)
        for who, (name, whom) in found.items()
        if named[0].is_("spell_word") or said == name.casefold() or said in name.casefold().split()
    ]
    if len(meant) != 1:
        return None
    who, name, whom = meant[0]
    slots.used |= {*range(len(slots.parts))}
    targets = [each for each in whom if each in scene.ids]
    fact: Fields = {"type": "effect_started", "effect": name, "source": who}

    def tell(thread: Thread) -> None:
        thread.add({**fact, "targets": targets} if targets else fact)
        thread.actor, thread.target = (who,), tuple(targets)

    return Told("begins", tell, acts=True)


def _is_begun(slots: Slots) -> bool:
    """Say whether a combatant begins a spell, which takes no effect yet: Odo begins his prayer."""
    verb = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("begin")), -1)
    spell = any(part.role == "word" and part.is_("spell", "cure") for part in slots.parts[verb + 1 :])
    return verb > 0 and slots.parts[verb - 1].role == "who" and not slots.parts[verb - 1].owner and spell


def _runs_already(slots: Slots, known: int = -1) -> Told | None:
    """Return a remark that a combatant already concentrates on the effect named; None if they do not."""
    scene, whom = slots.scene, slots.whom()
    who = slots.parts[whom[0]].people.ids if len(whom) == 1 else ()
    own = [each.called for each in scene.state.effects.values() if each.concentration and each.source in who]
    said = slots.parts[known].text if known >= 0 else ""
    if not own or not _is_of_concentration(slots) or (said and said not in own):
        return None
    text = " ".join(slots.take(at).item.typed for at in range(len(slots.parts)))

    def tell(thread: Thread) -> None:
        thread.add({"type": "noted", "text": text})

    return Told("begins", tell)


def _is_of_concentration(slots: Slots) -> bool:
    """Say whether a line reports only that a combatant concentrates, and perhaps on what."""
    kinds = ("concentration", "concentrate", "spell", "effect", "become", "filler")
    plain = all(
        part.role in ("who", "mark", "pronoun", "duration") or (part.role == "word" and part.is_(*kinds))
        for part in slots.parts
    )
    return plain and not slots.thread.facts and not slots.has("not")


def _on_what_was_cast(slots: Slots, known: list[int]) -> Told | None:
    """Return that a combatant concentrates on the spell they cast last, if it does not run yet, and no other is named:
    conc m, Mira concentrates on web; else that it runs already.
    """
    if not _is_of_concentration(slots):
        return None
    state, memory = slots.scene.state, slots.scene.context.memory
    free = slots.free(owner=False)
    who = slots.people(free[0]) if len(free) == 1 else (slots.scene.turn,) if not free and slots.scene.turn else ()
    duration = slots.duration()
    slots.words("concentration", "concentrate", "become")
    named = {(part.says("spell") or part.text).casefold() for part in map(slots.take, known)}
    if len(who) != 1 or slots.unread():
        return None
    casting = slots.scene.table.words.get("casting", ())
    cast = next(
        (one for one in reversed(memory.acts) if one.is_act and one.who == who[0] and one.kind in casting), None
    )
    runs = cast is not None and any(each.called == cast.name.casefold() for each in state.effects.values())
    if cast is None or runs or (named and named != {cast.name.casefold()}):
        return _runs_already(slots) if not (duration or named) else None
    fact: Fields = {
        "type": "effect_started",
        "effect": cast.name,
        "source": who[0],
        **({"targets": list(cast.targets)} if cast.targets else {}),
        **duration,
        "concentration": True,
        "cause": cast.seq - (state.seq + 1),
    }

    def tell(thread: Thread) -> None:
        thread.add(fact)
        thread.actor = who

    return Told("begins", tell, guesses=slots.guesses)


def _began(slots: Slots, name: str) -> tuple[str, ...]:
    """Return the combatant who has begun or declared a spell of this name, if there is one."""
    memory = slots.scene.context.memory
    found = {
        who
        for those in (memory.begun, memory.declared)
        for who, action in those.items()
        if (action.name or "").casefold() == name.casefold() and who in slots.scene.ids
    }
    return tuple(found) if len(found) == 1 else ()


def ends(slots: Slots) -> Told | None:
    """Fill the frame of an effect that ends: bless ends, Cy drops bless, hold person is lost, Cy loses concentration."""
    scene = slots.scene
    ending = slots.has_verb("end", "end_it", "spoil") or slots.has("not")
    if (
        not ending
        or slots.has_role("bare", "damage", "amount", "points", "roll")
        or slots.has_verb("strike", "shoot")
        or _verb(slots) >= 0
    ):
        return None
    running = scene.state.effects.values()
    known = [at for at, part in enumerate(slots.parts) if part.role == "word" and part.is_("effect", "spell")]
    owned = [at for at in slots.free() if slots.parts[at].owner or slots.parts[at].joined == "from"]
    free = slots.free()
    struck = slots.thread.target if slots.thread.facts and len(slots.thread.target) == 1 else ()
    if known:
        name, at = _spell(slots)
        name = slots.parts[at].says("effect") or name  # the laughter, of hideous laughter
        owner = owned or [place for place in free if place < at]
        source = slots.people(owner[0]) if owner else ()
        if not free and any(each.source in struck and each.called == name.casefold() for each in running):
            source = struck  # orc hits wiz for 8, loses web
    elif slots.has("concentration", "spell_word") and (free or struck):
        source = slots.people((owned or free)[0]) if free else struck
        concentration = slots.has("concentration")
        held = {each.name for each in running if each.source in source and each.concentration}
        held = held or {each.name for each in running if each.source in source and concentration}
        slots.words("concentration", "spell_word")
        declared = scene.context.memory.declared.get(source[0]) if source else None
        work = (unfinished(scene.context, source[0]) if source else None) or declared
        if len(held) == 1:
            name = held.pop()
        elif not held and work and work.name and work.kind in scene.table.words.get("casting", ("cast",)):
            name = work.name
        else:
            return None
    else:
        return None
    on = slots.free()
    targets: tuple[str, ...] = ()
    for place in on:
        targets += slots.people(place)
    if slots.options or len(source) > 1:
        return None
    slots.words("end", "end_it", "spoil", "not", "become", "concentration", "spell_word", "impose", "fail", "miss")
    matching = [each for each in running if each.called == name.casefold()]
    works = {
        who
        for those in (scene.context.memory.begun, scene.context.memory.declared)
        for who, action in those.items()
        if action.name and action.name.casefold() == name.casefold()
    }
    if source:
        works &= {*source}
    spoiled = not matching and len(works) == 1
    if not matching and not spoiled:
        return None
    if spoiled and slots.has_verb("finish") and not slots.has_verb("end_it"):
        return None  # to finish a spell is to cast it
    slots.guesses += spoiled and any(part.text == "off" for part in slots.parts)  # sleep off, which may go off
    unread = slots.unread("become", "take", "hit", "damage")
    borne = {each.bearer for each in matching}
    if source and not targets and not {each.source for each in matching} & {*source} and {*source} <= borne:
        source, targets = (), source  # Bo, who is blessed by Cid, loses bless

    def tell(thread: Thread) -> None:
        if spoiled:
            thread.add({"type": "action_abandoned", "combatant": next(iter(works)), "name": name})
            return
        whole = matching[0].name
        struck_by = max(thread.roll, thread.act) if thread.frame == "blow" and source == thread.target else -1
        thread.add(
            {
                "type": "effect_ended",
                "effect": whole,
                **({"source": source[0]} if source else {}),
                **({"targets": list(targets)} if targets else {}),
                **({"cause": struck_by} if struck_by >= 0 else {}),
            }
        )

    return Told("ends", tell, unread=unread, guesses=slots.guesses, acts=False)


FILLS = {"cast": cast, "begins": begins, "ends": ends}
