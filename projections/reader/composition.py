"""Composition: clauses one after the other. An outcome after an act befalls the act's target, unless a name says otherwise."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Self

from msgspec import Struct, structs

from projections.grammar.line_context import known_spell
from projections.judging.known_words import known
from projections.open_types import Facts, Fields
from projections.reader import frames
from projections.reader.clauses import POINTING, clauses, is_likewise
from projections.reader.frames.rolls import MORALE
from projections.reader.lexicon import ARTICLES, lexicon
from projections.reader.parts import Part
from projections.reader.repeated import told_once
from projections.reader.scene import Scene
from projections.reader.shared import settles_all
from projections.reader.slots import Thread, Told
from projections.reader.things import mishap, subject
from projections.reader.times import lengths

MAY_ADD_NOTHING = ("down", "level", "blow", "save", "leave", "lost", "surprise")
"""The frames of clauses that may only repeat what the line has reported: that its damage felled somebody, that this is
one success, that somebody leaves the fight, or is up again by its healing.
"""


APPROACHES = ("move", "engages")
"""The frames of a move to somebody, whom a pronoun after it means: runs up to the orc and hits him."""


class Reading(Struct):
    """A possible meaning of a line: its facts, with causes as places in the list; the words it leaves unread; how many guesses it needs."""

    facts: Facts
    frames: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    guesses: int = 0
    acts: bool = False
    options: tuple[str, ...] = ()
    ambiguous: bool = False
    """Whether another meaning is as likely."""
    rest: str = ""
    words: str = ""
    ineffective: bool = False
    """Whether the spell that is cast has no effect."""


def readings(scene: Scene, parts: Sequence[Part]) -> list[Reading]:
    """Return the possible meanings of a line, the best first: of the whole line, else of the line without clauses that no frame can read."""
    found = _of_all(scene, parts)
    if found and not found[0].unread:
        return found
    found = found or _without_a_reason(scene, parts)
    return sorted([*found, *_beside_narration(scene, parts)], key=lambda each: len(each.unread) + each.guesses)


def _beside_narration(scene: Scene, parts: Sequence[Part], depth: int = 2) -> list[Reading]:
    """Return the meanings of a line without its first or last clauses, if these have no number, state, blow or spell:
    the hag spits a jet of ink, and Wren is blinded.
    """
    breaks = [at for at, part in enumerate(parts) if part.text in _BREAKS and part.role in ("mark", "word")]
    if len(breaks) > MOST_BREAKS:
        return []
    firsts = takewhile(lambda cut: _narrates(cut[0]), ((list(parts[:at]), list(parts[at + 1 :])) for at in breaks))
    lasts = takewhile(
        lambda cut: _narrates(cut[0]), ((list(parts[at + 1 :]), list(parts[:at])) for at in reversed(breaks))
    )
    for paints, told in firsts:
        rest = LeftOut.of(paints).with_subject(told)
        named = any(part.role == "who" and part.text not in PRONOUNS for part in rest)
        if named and (found := _of_all(scene, rest)):
            return _beside(found, paints)
    for paints, told in lasts:
        found = _of_all(scene, told) or (_beside_narration(scene, told, depth - 1) if depth > 1 else [])
        if found:
            return _beside(found, paints)
    return []


def _without_a_reason(scene: Scene, parts: Sequence[Part]) -> list[Reading]:
    """Return the meanings of a line without the reason at its end, which counts nothing, as likely ones: slime 3 wakes up because Snorf roars."""
    at = next((at for at, part in enumerate(parts) if part.text in ("because", "since") and at), 0)
    if not at or any(part.number is not None for part in parts[at:]):
        return []
    return _beside(_of_all(scene, parts[:at]), list(parts[at:]))


def _beside(found: list[Reading], paints: list[Part]) -> list[Reading]:
    """Mark readings that leave out a purely descriptive clause as likely, and return them."""
    words = LeftOut.of(paints).words
    return [structs.replace(each, unread=(*each.unread, *words), guesses=each.guesses + 1) for each in found]


_GOES_ON = ("then", "also", "now", "next", "finally", "still")
"""Words with which the same one goes on, before the verb."""
PRONOUNS = ("he", "she", "it", "they", "him", "her", "them")
"""Words for somebody whom another word names."""
MOST_BREAKS = 8
"""The most places at which a line is split in two and tried."""
_BREAKS = (",", ";", ".", ":", "-", "–", "—", "and", "but", "then", "while", "so", "who", "as", "before", "!", "...")


def _of_all(scene: Scene, parts: Sequence[Part]) -> list[Reading]:
    """Return the meanings of all clauses of a line together, the best first; none if a clause that may not be left out has none."""
    kept, nothing = _coming_to_nothing(parts)
    cut = clauses(kept)
    found = [_read(scene, cut, choice) for choice in _choices()]
    made = [each for each in found if each is not None]
    if nothing:
        made = [_ineffective(each, nothing) for each in made if each.options or each.frames[-1] == "cast"]
    distinct: list[Reading] = []
    for each in made:
        if each.options or each.facts not in [other.facts for other in distinct]:
            distinct.append(each)
    return distinct


def _coming_to_nothing(parts: Sequence[Part]) -> tuple[Sequence[Part], str]:
    """Return the parts of a line about a spell without the words at its end that say it has no effect, and these words
    as typed: but it is countered, no effect.
    """
    verb = next((at for at, part in enumerate(parts) if part.item.is_verb("cast")), len(parts))
    for place in range(verb + 1, len(parts)):
        first = parts[place]
        if first.role == "mark" or first.text == "but" or not (parts[place - 1].role == "mark" or _opens(parts, place)):
            continue
        told = [part for part in parts[place:] if part.role != "mark"]
        if told and _says_nothing_comes(told):
            end = place - 1 if parts[place - 1].role == "mark" or parts[place - 1].text == "but" else place
            return parts[:end], " ".join(part.item.typed for part in told)
    return parts, ""


def _opens(parts: Sequence[Part], place: int) -> bool:
    """Say whether a word begins a report about a spell without a mark before it: without concentration, but it fails."""
    return parts[place].is_("fizzled") or parts[place - 1].text == "but"


def _says_nothing_comes(told: Sequence[Part]) -> bool:
    """Say whether words report only that a spell has no effect, and perhaps through whom. That something fails may be
    about a save, unless the spell is named.
    """
    subject = [part for part in told if part.text in ("it", "that", "spell") or part.is_("spell_word")]
    rest = [part for part in told if part not in subject and (part.is_("fizzled") or not part.is_("become", "filler"))]
    if rest and rest[-1].role == "who" and rest[-1].joined == "from":
        rest = rest[:-1]
    fails = bool(subject) and len(rest) == 1 and rest[0].item.is_verb("fail")
    return fails or (len(rest) == 1 and rest[0].role == "word" and rest[0].is_("fizzled"))


def _ineffective(reading: Reading, nothing: str) -> Reading:
    """Return a reading whose spell has no effect, with that as a remark on its act."""
    if reading.options:
        return reading
    act = next(place for place, fact in enumerate(reading.facts) if "action" in fact)
    remark: Fields = {"type": "noted", "text": nothing, "event": act}
    return structs.replace(reading, facts=[*reading.facts, remark], ineffective=True)


def _choices() -> Iterator[tuple[int, int]]:
    """Yield which meaning of which clause to take: the first of all, then the others of each of the first clauses."""
    yield (-1, 0)
    for clause in range(4):
        for other in (1, 2):
            yield (clause, other)


def _read(scene: Scene, cut: list[list[Part]], choice: tuple[int, int]) -> Reading | None:
    thread = Thread(scene)
    unread: list[str] = []
    guesses, acts, used, ambiguous = 0, False, list[str](), False
    at, since, since_place, until = 0, 0, 0, 0
    antecedent: Part | None = None
    left_out = LeftOut()
    for place, each in enumerate(cut):
        clause = _without_pointing(left_out.with_subject(each), thread)
        before = len(thread.facts)
        if place and is_likewise([part for part in clause if part.role != "mark" and not part.is_("and")]):
            if not _told_again(thread, since, until, cut[since_place], clause):
                return None
            guesses += not (_is_a_miss(thread.facts[since:until]) or _is_alike(thread.facts[since:until], clause))
            continue
        since, since_place = before, place
        if not place and len(cut) > 1 and (label := _label(clause, scene)):
            thread.label = label
            continue
        if (
            _lasts(clause, thread)
            or _follows_from_a_save(clause, thread)
            or _wins(clause, thread)
            or _keeps_up_morale(clause, thread)
            or _is_healed(clause, thread)
            or settles_all(clause, thread)
            or _counts_none_left(clause)
            or _is_gone(clause, thread)
            or _is_kept_up(clause, thread)
            or _goes_without_saying(clause, thread)
            or (place + 1 < len(cut) and _rounds_off(clause, thread) and _is_time(cut[place + 1]))
            or _opens_a_round(clause, thread)
            or _exhorts(clause, thread)
        ):
            continue
        if _gives_voice(thread, clause, cut[place + 1 : place + 2]):
            left_out = LeftOut([], clause)
            continue
        if antecedent and _is_relative(clause):
            thread.actor = thread.target = antecedent.people.ids
        clause = _of_its_antecedent(clause, antecedent)
        guesses += _is_of_both(clause, thread)
        meanings = _meanings(clause, thread)
        antecedent = next((part for part in reversed(clause) if part.role == "who"), antecedent)
        if not meanings:
            if not any(_is_content(part) for part in clause):
                continue
            scene.stuck = scene.stuck or clause
            if (place + 1 < len(cut) or thread.facts) and (not _tells_of_more(clause) or clause[0].text == "("):
                unread += left_out.words
                left_out = LeftOut.of(clause)
                continue
            return None
        index = choice[1] if choice[0] == place else 0
        if index >= len(meanings):
            return None
        told = meanings[index]
        if told.options:
            return Reading([], (told.frame,), told.unread, guesses, options=told.options)
        if len(meanings) > 1 and _are_level(meanings[0], meanings[1]):
            ambiguous = True
        told.tell(thread)
        _rest_on_a_named_act(thread, before, {*_spells_in(clause), thread.label} - {""})
        thread.scene = thread.scene.after(thread.facts[before:])
        _rest_on_what_was_saved_against(thread, before)
        _was_for_concentration(thread, before)
        _befall_others(thread, before, clause)
        until = len(thread.facts)
        if not (told.frame == "damage" and left_out.named_in(thread.facts[before:])):
            unread += left_out.words
        left_out = LeftOut()
        thread.told(told.frame)
        if told.frame in APPROACHES:
            near = [who for part in clause for who in part.people.ids if who not in thread.actor]
            thread.target = tuple(near) or thread.target
        unread += told.unread
        guesses += told.guesses - told.open + (not before and _has_an_unknown_subject(clause))
        acts = acts or (told.acts and not at)
        used.append(told.frame)
        at += 1
        instead = thread.said.pop("instead", False)  # all take 20, bo saves for 10
        if len(thread.facts) == before and told.frame not in MAY_ADD_NOTHING and not instead:
            scene.stuck = scene.stuck or clause
            return None
    unread += left_out.words
    if not thread.facts:
        return None
    guesses += _goes_on_after_leaving(thread.facts) + _leaves_open(thread.facts) + _loses_what_was_asked(thread)
    guesses += _declares_twice(thread.facts) + _says_a_state_twice(scene, thread.facts)
    guesses += _is_hurt_when_down(thread.facts)
    guesses += len(cut) > 1 and used[-2:] == ["cast", "save"] and _only_fails(cut[-1])
    return Reading(told_once(thread.facts), tuple(used), tuple(unread), guesses, acts, (), ambiguous)


def _without_pointing(clause: list[Part], thread: Thread) -> list[Part]:
    """Return a clause without the words that point back at an act of the line of which more is told: it was 8 damage,
    that was a miss; a bare number behind a hit is its damage, and behind a remedy what somebody regains: that's 8.
    """
    told = [part for part in clause if part.role != "mark"]
    if len(told) > 2 and told[0].role == "pronoun" and told[1].text in ("also", "then") and thread.actor:
        return told[2:]  # hits gob for 9. He also drinks a potion
    points = next((at for at, part in enumerate(told) if part.text not in POINTING), len(told))
    act = thread.facts[thread.act] if thread.act >= 0 else {"type": ""}
    if points == len(told) or not {"action", "attack_rolled"} & {*act, act["type"]}:
        return clause
    rest, first, last = told[points:], told[points], thread.facts[-1]
    if (healed := _regained(told, thread, act)) is not None:
        return healed
    hurt = any(fact["type"] == "damage_dealt" for fact in thread.facts[thread.act :])
    if not points or thread.frame != "blow" or hurt or told[0].text not in POINTING[:6]:
        return clause
    if first.role == "bare" and len(rest) == 1 and last["type"] == "attack_rolled" and last.get("hit"):
        return [structs.replace(first, role="damage")]
    outcome = last["type"] != "attack_rolled" and any(part.is_("hit", "miss") for part in rest)
    return rest if first.role in ("damage", "amount", "points") or outcome else clause


def _regained(told: list[Part], thread: Thread, act: Fields) -> list[Part] | None:
    """Return words with only a number, and perhaps for whom, behind a spell or thing that heals, as points regained:
    casts healing word on Bo. He gets 9; None for others.
    """
    name = (act.get("action", {}).get("name") or "").casefold()
    heals = any(each.kind in ("cure", "heal", "item") for each in lexicon(thread.scene.state.rules.rules).senses(name))
    *before, number = told
    plain = all(part.role in ("who", "pronoun") or part.text in (*POINTING, *_GETS) for part in before)
    whom = [part for part in before if part.role in ("who", "pronoun") and part.text not in POINTING]
    if thread.facts[-1]["type"] == "healed" or not heals or not plain or len(whom) > 1 or not before:
        return None
    return [*whom, structs.replace(number, role="gain")] if number.role in ("bare", "amount", "points") else None


_GETS = ("gets", "got", "get", "for", "heals", "healed", "gains", "back")


def _is_of_both(clause: list[Part], thread: Thread) -> bool:
    """Make those whom the line's blows met the ones that "both" at the beginning of a clause means, and say whether
    they are not two: hits gob for 3 and bo for 4, both go prone.
    """
    told = [part for part in clause if part.role != "mark" and part.text not in ("and", "so", "for", *ARTICLES)]
    whom = tuple(dict.fromkeys(fact["target"] for fact in thread.facts if fact["type"] in _MET and "target" in fact))
    if len(told) < 2 or told[0].text not in ("both", "both of them") or len(thread.target) > 1 or not whom:
        return False
    if any(part.role == "who" for part in told) or thread.frame not in ("blow", "damage"):
        return False
    if len(whom) == 2:
        thread.target, thread.apart = whom, False
    return len(whom) > 2


_MET = ("attack_rolled", "damage_dealt")
"""The facts of blows, which have a target."""


def _gives_voice(thread: Thread, clause: list[Part], behind: list[list[Part]]) -> bool:
    """Say whether a clause reports only what somebody feels, in words for which the game has no act, and who does
    something else in the clause before or behind: the ogre roars.
    """
    told = [part for part in clause if _is_content(part)]
    verbs = [part for part in told if part.role == "word" and part.item.is_verb("voice")]
    people = [part for part in told if part.role in ("who", "pronoun")]
    if len(verbs) != 1 or verbs[0].says("deed") in thread.scene.kinds or len(people) > 1 or len(told) > len(people) + 1:
        return False
    if thread.facts:
        return not people or people[0].role == "pronoun" or people[0].people.ids == thread.actor
    first = next((part for part in behind[0] if _is_content(part)), None) if behind else None
    return first is not None and (first.role == "pronoun" or (first.role == "word" and first.item.is_verb()))


def _spells_in(clause: list[Part]) -> Iterator[str]:
    """Yield the names of spells, effects and features in a clause."""
    for part in clause:
        if part.role == "word" and part.is_("spell", "effect", "feature"):
            yield from (part.text, *(sense.value.casefold() for sense in part.item.senses if sense.kind in _NAMES))


_NAMES = ("spell", "effect", "feature")


def _label(clause: list[Part], scene: Scene) -> str:
    """Return the spell of this turn that a clause only names, so that the next clauses report its effects: fireball:,
    Mira's web goes off; "" if it names none.
    """
    told = [part for part in clause if part.role != "mark" and part.text not in ("the", "and", "then")]
    owner = told[0].people.ids if told and told[0].owner else ()
    named = told[bool(owner) :]
    if not named or named[0].role != "word" or not all(part.item.is_verb("begin_it") for part in named[1:]):
        return ""
    spell = named[0]
    names = {*_spells_in([spell])}
    act = scene.act_called(names, ()) if len(owner) < 2 else 0
    whose = {one.who for one in scene.context.memory.acts if one.seq == act}
    return spell.text if act and (not owner or whose == {*owner}) else ""


def _rest_on_a_named_act(thread: Thread, before: int, names: set[str]) -> None:
    """Make the act of this turn that a clause names, or one before the line with the same targets, the cause of its
    facts: fails his save vs fireball.
    """
    facts, scene = thread.facts[before:], thread.scene
    if any("action" in fact for fact in facts):
        return
    for fact in facts:
        whom = fact.get("targets") or [fact.get("target") or fact.get("combatant") or ""]
        if fact["type"] not in _OUTCOMES or "cause" in fact or not (seq := scene.act_called(names, whom)):
            continue
        fact["cause"] = scene.back_to(seq)
        if fact.get("source") in {one.who for one in scene.context.memory.acts if one.seq == seq}:
            del fact["source"]
        if fact.get("purpose", "").casefold() in names:
            del fact["purpose"]
        if "parts" in fact and (parts := [_unnamed(part, names) for part in fact.pop("parts")]) != [fact["amount"]]:
            fact["parts"] = parts


def _rest_on_what_was_saved_against(thread: Thread, before: int) -> None:
    """Make the act that allowed the save the cause of a clause about the combatant who rolled it in the clause before: fails and takes 22."""
    save: Fields = thread.facts[before - 1] if before else {"type": ""}
    if save["type"] != "save_rolled" or save.get("cause", 0) >= 0:
        return
    for fact in thread.facts[before:]:
        whom = fact.get("targets") or [fact.get("target")]
        befell = fact["type"] in ("damage_dealt", "condition_gained") and whom == [save["combatant"]]
        if befell and not {"cause", "source"} & fact.keys():
            fact["cause"] = save["cause"]


def _was_for_concentration(thread: Thread, before: int) -> None:
    """Give a failed save in the clause before the purpose of concentration, where the saver's spell ends by it: con save 7 fails, bless ends."""
    save: Fields = thread.facts[before - 1] if before else {"type": ""}
    owed = thread.scene.table.means.get("owed-save", {}).get("concentration", "")
    asked = save.get("cause", 0) < 0 or "purpose" in save  # by something before the line, or by name
    if save["type"] != "save_rolled" or asked or not save.get("save") or not owed:
        return
    ends = any(
        each["type"] == "effect_ended" and each.get("source") == save["combatant"] for each in thread.facts[before:]
    )
    if ends and owed.startswith(save["save"]) and not save.get("succeeded"):
        save["purpose"] = "concentration"


def _befall_others(thread: Thread, before: int, clause: list[Part]) -> None:
    """Take the cause from the outcomes in a clause that names whom they befall, if the act before it is not aimed at
    them, or can have no such outcome: hits gob for 5, and the ogre is stunned; Bo hides, the orc regains 6.
    """
    named = {who for part in clause if part.role == "who" and part.text not in PRONOUNS for who in part.people.ids}
    for fact in thread.facts[before:]:
        cause = fact.get("cause", -1)
        whom = {*fact.get("targets", ()), fact.get("target", ""), fact.get("combatant", "")} - {""}
        if fact["type"] not in _BEFALLING or not 0 <= cause < before or not whom or not whom <= named:
            continue
        act = thread.facts[cause]
        missed = act["type"] == "attack_rolled" and act.get("hit") is False and fact["type"] != "damage_dealt"
        if missed and whom == {act["combatant"]} and fact["type"] == "condition_gained":
            continue  # misses and falls
        while 0 <= act.get("cause", -1) < before:
            act = thread.facts[act["cause"]]
        by_another = fact["type"] == "condition_gained" and fact.get("source", act.get("combatant")) != act.get(
            "combatant"
        )
        if missed or by_another or not _may_befall(thread, before, act, whom) or not _may_heal(thread, act, fact):
            del fact["cause"]
            if fact.get("source") == act.get("combatant") and fact.get("source") not in named:
                fact.pop("source", None)


_BEFALLING = ("damage_dealt", "healed", "save_rolled", "condition_gained", "dice_rolled")
"""The facts that befall somebody."""
_OF_ONESELF = ("dodge", "hide", "stand-up", "disengage", "dash", "search", "ready", "parry", "move", "stand")
"""The kinds of acts that befall nobody but who does them."""


def _may_befall(thread: Thread, before: int, act: Fields, whom: set[str]) -> bool:
    """Say whether an act, with its outcomes in the clauses before, is aimed at these, or at nobody in particular."""
    action, facts = act.get("action", {}), thread.facts[:before]
    at = facts.index(act)
    outcomes = (fact for fact in facts[at:] if fact.get("cause", -1) >= at)
    aimed = {*action.get("targets", ()), *(fact["target"] for fact in outcomes if "target" in fact)}
    if aimed or act["type"] == "action_declared":
        return whom <= aimed and act["type"] != "action_declared"
    own = action.get("kind") in _OF_ONESELF or _is_verb(thread, action, "drink", "handle", "move", "hide", "rise")
    return not own and whom != {act.get("combatant")}


def _may_heal(thread: Thread, act: Fields, fact: Fields) -> bool:
    """Say whether points may be regained by an act: by a spell that the game knows only if its name says so."""
    action = act.get("action", {})
    cast = fact["type"] == "healed" and not fact.get("temporary") and action.get("kind") == "cast"
    is_known = cast and known_spell(thread.scene.context, act.get("combatant", ""), action.get("name", ""))
    senses = lexicon(thread.scene.state.rules.rules).senses(action.get("name", "").casefold())
    return not is_known or any(each.kind in ("cure", "heal") for each in senses)


def _is_verb(thread: Thread, action: Fields, *kinds: str) -> bool:
    """Say whether the first word of an action's name is a verb of these kinds: drinks a healing potion."""
    first = action.get("name", "").casefold().split(" ")[0]
    senses = lexicon(thread.scene.state.rules.rules).senses(first)
    return any(each.is_verb and (each.kind in kinds or each.value in _OF_ONESELF) for each in senses)


def _unnamed(part: Fields, names: set[str]) -> Fields | int:
    """Return a part of an amount without the name of the act that caused it; the bare amount if it says nothing else."""
    if part.get("name", "").casefold() not in names:
        return part
    rest = {key: value for key, value in part.items() if key != "name"}
    return {"name": rest["damage_type"], **rest} if "damage_type" in rest else rest["amount"]


_OUTCOMES = ("damage_dealt", "healed", "save_rolled", "condition_gained", "effect_started")
"""The facts that are effects of a spell."""


def _is_a_miss(facts: Facts) -> bool:
    """Say whether facts are a blow that misses. Another attacker may miss with it, too; of other facts the reader asks what is the same."""
    return [fact["type"] for fact in facts] == ["action_taken", "attack_rolled"] and facts[1].get("hit") is False


def further(fact: Fields, places: int) -> Fields:
    """Return a fact that stands so many places further on in a line, with its cause, and the subject of a remark."""
    names = ("cause", "event") if fact["type"] == "noted" else ("cause",)
    return fact | {name: fact[name] + places for name in names if fact.get(name, -1) >= 0}


def _is_alike(facts: Facts, clause: list[Part]) -> bool:
    """Say whether somebody does what the one before did, which has no target: so does orc 2, behind a flight or a fall."""
    aims = any(fact.get("action", {}).get("targets") or fact.get("target") for fact in facts)
    return not aims and any(part.text == "so do" for part in clause)


def _told_again(thread: Thread, since: int, until: int, before: list[Part], clause: list[Part]) -> bool:
    """Repeat the report of the clause before for the combatant who begins this one, and say whether that is possible:
    gnoll 4 misses Lysa, gnoll 5 too.

    Numbers are not repeated.
    """
    told = thread.facts[since:until]
    first = next((part.people.ids for part in before if part.role == "who"), ())
    others = next(part.people.ids for part in clause if part.role == "who")
    counted = any(fact.keys() & {"die", "total", "amount", "distance"} for fact in told)
    whom = {who for fact in told for who in fact.get("targets", ())} | {fact.get("target") for fact in told}
    inner = any("values" in fact and fact["type"] != "ruling_made" for fact in told)
    if len(first) != 1 or not others or not told or counted or inner or whom & {*others}:
        return False
    for who in others:
        start = len(thread.facts)
        thread.facts += [_of_another(fact, first[0], who, start - since) for fact in told]
    return True


def _of_another(fact: Fields, one: str, other: str, further: int) -> Fields:
    """Return a fact for another combatant, whose cause in the line lies so many places further on."""
    made: Fields = {}
    for name, value in fact.items():
        if value == one:
            made[name] = other
        elif isinstance(value, list):
            made[name] = [other if each == one else each for each in value]
        elif name == "values":
            made[name] = {key.replace(f"{one}.", f"{other}.", 1): each for key, each in value.items()}
        elif name == "decision":
            made[name] = value.replace(one, other, 1)
        else:
            made[name] = value + further if name == "cause" and value >= 0 else value
    return made


def _has_an_unknown_subject(clause: list[Part]) -> bool:
    """Say whether a clause begins with a pronoun whose antecedent no earlier line gives."""
    return clause[0].role == "pronoun" and clause[0].is_("pronoun_subject") and clause[0].text in ("he", "she")


def _declares_twice(facts: Facts) -> bool:
    """Say whether a combatant declares two things, and the second may only say how the first goes on: moves up and stabs the ogre."""
    declared = [fact["combatant"] for fact in facts if fact["type"] == "action_declared"]
    return len(declared) > len({*declared})


def _is_hurt_when_down(facts: Facts) -> bool:
    """Say whether somebody is down and then takes damage that is of nobody's blow, so that they may only have had a fall: Bo falls and takes 5."""
    down: set[str] = set()
    for fact in facts:
        if fact["type"] == "ruling_made":
            down |= {key.partition(".")[0] for key in fact.get("values", {}) if key.endswith(".status")}
        elif fact["type"] == "damage_dealt" and fact["target"] in down and not {"cause", "source"} & fact.keys():
            return True
    return False


def _says_a_state_twice(scene: Scene, facts: Facts) -> bool:
    """Say whether a state that the game does not know may be the same as the one after it: nets Bo, he is restrained."""
    states = [fact for fact in facts if fact["type"] == "condition_gained"]
    known_ = known(scene.state.rules.rules).conditions
    return any(
        one["targets"] == other["targets"] and one["condition"] not in known_ and other["condition"] in known_
        for one, other in pairwise(states)
    )


def _only_fails(clause: list[Part]) -> bool:
    """Say whether a clause reports only an outcome, which may be that of a save or of the spell before it: casts web on gob, fails."""
    return len(clause) == 1 and clause[0].item.is_verb("fail", "succeed") and not clause[0].item.is_verb("save")


def _leaves_open(facts: Facts) -> bool:
    """Say whether an attack roll has neither a target number nor an outcome."""
    return any(fact["type"] == "attack_rolled" and not {"hit", "ac", "confirms"} & fact.keys() for fact in facts)


def _loses_what_was_asked(thread: Thread) -> bool:
    """Say whether the line asks for a save and does not report it: DC 15 dex save, Bo hits gob."""
    told = any(fact["type"] == "save_rolled" or "allows_save" in fact.get("action", {}) for fact in thread.facts)
    return thread.asked is not None and not told


def _lasts(clause: list[Part], thread: Thread) -> bool:
    """Give the last state or effect the duration that a clause consists of, and say whether the clause is one: VEX HELD; DUR 5 RNDS."""
    told = [
        part
        for part in clause
        if part.role != "mark" and not (part.role == "word" and part.is_("filler", "last", "for"))
    ]
    last: Fields = thread.facts[-1] if thread.facts else {"type": ""}
    if [part.role for part in told] not in (["duration"], ["until"]) or "duration" in last:
        return False
    if last["type"] not in ("condition_gained", "effect_started"):
        return False
    if (time := told[0].until) is not None:
        found = lengths(thread.scene, time, thread.target[0]) if len(thread.target) == 1 else []
        if len(found) != 1:
            return False
        last |= found[0]
        return True
    last["duration"] = {"amount": told[0].value, "unit": told[0].unit}
    return True


def _wins(clause: list[Part], thread: Thread) -> bool:
    """Give the last contest its winner, and say whether the clause is about that: Ana wins."""
    told = [part for part in clause if part.role != "mark" and not part.is_("filler")]
    last: Fields = thread.facts[-1] if thread.facts else {"type": ""}
    if last["type"] != "contest_rolled" or "winner" in last or [part.role for part in told] != ["who", "word"]:
        return False
    contenders = [each["combatant"] for each in last["contenders"]]
    who, said = told[0].people.ids, told[1].text
    if len(who) != 1 or who[0] not in contenders or said not in ("wins", "won", "loses", "lost"):
        return False
    others = [each for each in contenders if each != who[0]]
    last["winner"] = who[0] if said in ("wins", "won") else others[0]
    return True


def _keeps_up_morale(clause: list[Part], thread: Thread) -> bool:
    """Give the last check of morale the outcome of which a clause consists, and say whether it is one: they hold. What
    is said against its roll leaves it open.
    """
    told = [
        part
        for part in clause
        if part.role not in ("mark", "pronoun") and part.text not in ("and", "so", "but", "firm", "fast")
    ]
    last: Fields = thread.facts[-1] if thread.facts else {"type": ""}
    if last.get("purpose") != "morale" or len(told) != 1 or told[0].text not in MORALE:
        return False
    if last.setdefault("succeeded", MORALE[told[0].text]) != MORALE[told[0].text]:
        del last["succeeded"]
    return True


def _is_healed(clause: list[Part], thread: Thread) -> bool:
    """Give the points that the actor healed to whom a clause names, and say whether it does nothing else: lays on hands for 5, healing Bo."""
    told = [part for part in clause if part.role != "mark" and not part.is_("and", "filler")]
    last: Fields = thread.facts[-1] if thread.facts else {"type": ""}
    if [part.role for part in told] != ["word", "who"] or not told[0].item.is_verb("heal") or last["type"] != "healed":
        return False
    whom = told[1].people.ids
    if len(whom) != 1 or told[1].owner or last.get("source", last["target"]) != last["target"] or last.get("temporary"):
        return False
    last |= {"target": whom[0], "source": last["target"]}
    thread.target = whom
    return True


def _is_kept_up(clause: list[Part], thread: Thread) -> bool:
    """Say whether a clause reports only that the caster concentrates on the spell just cast, and begin the effect if
    nothing has: and she's concentrating on it.
    """
    cast = next((fact for fact in reversed(thread.facts) if "action" in fact), None)
    caster = (cast["combatant"],) if cast is not None and "combatant" in cast else ()
    said = [part for part in clause if part.role != "who" or part.people.ids != caster]
    told = [part for part in said if part.role not in ("mark", "pronoun") and part.text not in _ON_IT]
    concentrates = [part.role == "word" and part.is_("concentration", "concentrate") for part in told] == [True]
    if thread.frame != "cast" or cast is None or not concentrates or not cast["action"].get("name"):
        return False
    name, who = cast["action"]["name"], cast["combatant"]
    begun = next((fact for fact in thread.facts if fact["type"] == "effect_started"), None)
    if begun is not None:
        begun["concentration"] = True
    elif not known_spell(thread.scene.context, who, name).get("concentration"):
        thread.add(
            {"type": "effect_started", "effect": name, "source": who, "concentration": True, "cause": thread.act}
        )
    return True


_GONE = (
    "gone",
    "is gone",
    "are gone",
    "long gone",
    "out of sight",
    "out of the fight",
    "out of there",
    "gone for good",
)


def _is_gone(clause: list[Part], thread: Thread) -> bool:
    """Say whether a clause behind a flight reports only that they are away: flees, and is gone."""
    told = [part for part in clause if part.role != "mark" and not part.is_("and")]
    left = bool(thread.facts) and thread.frame == "leave"
    plain = all(part.role == "pronoun" or part.text in _GONE or part.is_("become", "filler") for part in told)
    return left and plain and any(part.text in _GONE for part in told)


def _counts_none_left(clause: list[Part]) -> bool:
    """Say whether a clause reports only that nothing is left of a state or its time: 0 stun left; no rounds left."""
    told = [part for part in clause if part.role != "mark"]
    first, last = (told[0], told[-1]) if len(told) > 1 else (None, None)
    none = first is not None and (first.value == 0 if first.number is not None else first.text in ("no", "none"))
    kinds = ("ailment", "condition", "unit", "filler")
    named = any(part.role == "word" and part.is_("ailment", "condition", "unit") for part in told[1:-1])
    of_it = named and all(part.role == "word" and part.is_(*kinds) for part in told[1:-1])
    return none and of_it and last is not None and last.text in ("left", "remaining")


def _goes_without_saying(clause: list[Part], thread: Thread) -> bool:
    """Say whether a clause behind an act says only that nothing more is done: nothing else this turn, no action."""
    words = [part.text for part in clause if part.role != "mark" and part.text not in ("and", "then")]
    return bool(thread.facts) and bool(words) and all(word.startswith(("nothing ", "no action")) for word in words)


def _rounds_off(clause: list[Part], thread: Thread) -> bool:
    """Say whether a clause reports only that all, or all of a side, have acted, or that the fight begins, before a
    round or segment that ends or begins: everyone has had a go.
    """
    told = [
        part
        for part in clause
        if part.role != "mark" and (part.text in ("us", "we") or not part.is_("filler", "and", "become"))
    ]
    everyone = [
        part
        for part in told
        if part.is_("everyone") or part.text in ("us", "we") or (part.role == "who" and part.people.group)
    ]
    rest = [part for part in told if part not in everyone]
    acted = bool(everyone) and all(part.role == "word" and part.text in _ACTED for part in rest)
    begins = any(part.is_("fight") for part in told) and all(part.is_("fight", "begin", "let") for part in told)
    if acted:
        thread.frame = "acted"
    return acted or begins


_ACTED = frozenset(
    ["acted", "gone", "go", "moved", "done", "finished", "through", "turn", "turns", "had", "has", "been"]
)
"""Words for all who have had their turns."""


def _exhorts(clause: list[Part], thread: Thread) -> bool:
    """Keep a call to everybody at the beginning or end of a round as a remark, and say whether the clause is one: everybody breathe."""
    told = [part for part in clause if part.role != "mark"]
    everyone = len(told) > 1 and told[0].role == "who" and told[0].is_("everyone")
    if thread.frame != "round" or not everyone or any(part.role != "word" for part in told[1:]):
        return False
    if not told[1].is_("deed") or told[1].text.endswith(("s", "ed", "ing")):
        return False
    thread.add({"type": "noted", "text": " ".join(part.item.typed for part in told)})
    return True


def _opens_a_round(clause: list[Part], thread: Thread) -> bool:
    """Say whether a clause behind a round only calls that it goes on: round 1, go."""
    told = [part for part in clause if part.role != "mark"]
    return thread.frame == "round" and bool(told) and {part.text for part in told} <= _GO


_GO = frozenset(
    ["go", "fight", "begin", "start", "let", "us", "'s", "off", "we", "here", "again", "ding", "let's", "and", "action"]
)
"""Words with which a round is opened: round 1, go; round 2, fight; round 3, here we go."""


def _is_time(clause: list[Part]) -> bool:
    """Say whether a clause is about a round or a segment."""
    return any(part.role in ("round", "segment") or part.is_("round", "segment") for part in clause)


_ON_IT = frozenset(["and", "is", "'s", "on", "it", "that", "this", "now", "with", "requires", "needs"])
"""Words beside concentration that add nothing to it."""


def _is_relative(clause: list[Part]) -> bool:
    """Say whether a clause is about the last combatant named: who flees."""
    first = next((part.text for part in clause if part.role != "mark"), "")
    return first == "which" and not any(part.role == "who" for part in clause)


def _follows_from_a_save(clause: list[Part], thread: Thread) -> bool:
    """Say whether a clause reports only that a successful save averted something: so he does not fall."""
    words = [part for part in clause if part.role != "mark"]
    plain = all(part.role in ("word", "pronoun") for part in words)
    return thread.frame == "save" and plain and words[0].text == "so" and any(part.is_("not") for part in words)


def _of_its_antecedent(clause: list[Part], antecedent: Part | None) -> list[Part]:
    """Return a clause that begins with who with the combatant whom that means as its subject: casts bless on bo, who hits gob."""
    at = next((at for at, part in enumerate(clause) if part.role != "mark"), 0)
    behind = clause[at + 1 : at + 2]
    if antecedent is None or clause[at].text != "who" or not behind or behind[0].role != "word":
        return clause
    return [*clause[:at], structs.replace(antecedent, owner=False, joined=""), *clause[at + 1 :]]


class LeftOut(Struct):
    """A clause that no frame can read: its words, and its parts, because the next clause may need its subject."""

    words: list[str] = []
    parts: list[Part] = []

    @classmethod
    def of(cls, clause: list[Part]) -> Self:
        """Return what leaving out a clause loses: its unknown words, or else all that carry meaning."""
        unknown = [part.item.typed for part in clause if part.role == "word" and not part.item.senses]
        return cls(unknown or [part.item.typed for part in clause if _is_content(part)], clause)

    def with_subject(self, clause: list[Part]) -> list[Part]:
        """Return the next clause with the subject of this one, if it has none: Ana grits her teeth, and is no longer frightened."""
        told = [part for part in clause if part.role != "mark" and not part.is_("and") and part.text not in _GOES_ON]
        first = told[0] if told else None
        if first is None or not self.parts or first.role in ("round", "segment"):
            return clause
        if first.role == "who" and first.text not in PRONOUNS:
            return clause
        people = [structs.replace(part, owner=False) for part in self.parts if part.role == "who"]
        people = [part for part in people if part.text not in PRONOUNS] or people
        if first.text in ("who", "which") and people:
            return [people[-1], *clause]
        pronoun = first.role == "who" or (first.role == "pronoun" and first.is_("pronoun_subject"))
        verb = first.role == "word" and (first.item.is_verb() or first.is_("become"))
        opens = next((part.role == "who" for part in self.parts if part.role != "mark" and part.text != "the"), False)
        if people and (pronoun or (verb and opens)):
            one = people[0] if opens and first.text != "it" else people[opens and len(people) > 1]
            return [one, *(part for part in clause if not (pronoun and part is first))]
        if not people and verb and (noun := subject(self.parts)):
            return [*noun, *clause]
        return clause

    def named_in(self, facts: Facts) -> bool:
        """Name the damage of the next clause after the thing in this one, and say whether there is such damage: falls into the pit, and takes 4."""
        thing = mishap(self.parts) if self.parts else None
        hurt = [fact for fact in facts if fact["type"] == "damage_dealt" and not {"parts", "source"} & fact.keys()]
        subject_ = next((part.people.ids for part in self.parts if part.role == "who"), ())
        if thing is None or len(hurt) != 1 or len(facts) != 1 or subject_ != (hurt[0]["target"],):
            return False
        hurt[0]["parts"] = [{"name": thing.name, "amount": hurt[0]["amount"]}]
        return True


def _tells_of_more(clause: list[Part]) -> bool:
    """Say whether a clause has a number, a state, an outcome, a blow or a spell, which a reading without it would lose."""
    words = [part for part in clause if part.role == "word" and not part.is_("filler")]
    states = any(each.is_("condition", "status_dead") or each.item.is_verb("fall_prone", "die") for each in words)
    people = any(part.role == "who" for part in clause)
    acts = people and any(each.item.is_verb(*_TOLD) or each.is_(*_TOLD) for each in words)
    counts = [part for at, part in enumerate(clause) if part.number is not None and not _counts_things(clause, at)]
    return states or acts or bool(counts)


def _narrates(clause: list[Part]) -> bool:
    """Say whether a clause is only description in words that nobody knows: spits a jet of ink."""
    unknown = any(part.role == "word" and (not part.item.senses or part.is_("praise")) for part in clause)
    return unknown and not _tells_of_more(clause)


_TOLD = (
    "strike",
    "shoot",
    "cast",
    "take",
    "deal",
    "heal",
    "save",
    "hit",
    "miss",
    "fail",
    "succeed",
    "failure",
    "success",
)
"""Verbs and words for what happens in a fight."""


def _counts_things(clause: list[Part], at: int) -> bool:
    """Say whether a number in words counts unknown things: two fingers, one bright chord."""
    number, behind = clause[at].number, clause[at + 1 : at + 2]
    return (
        number is not None
        and number.spelled
        and bool(behind)
        and behind[0].role == "word"
        and not behind[0].item.senses
    )


def _goes_on_after_leaving(facts: Facts) -> bool:
    """Say whether a combatant who leaves does something afterwards, so that they may only have run off."""
    left: set[str] = set()
    for fact in facts:
        if fact.get("combatant") in left:
            return True
        if fact["type"] == "combatant_left":
            left.add(fact["combatant"])
    return False


def _meanings(clause: list[Part], thread: Thread) -> list[Told]:
    """Return the meanings of a clause, each once: those that leave no more words unread than the best, the best first."""
    found = []
    for told in frames.told(clause, thread):
        if told.either and not told.others and (other := _of_the_other(clause, thread, told)):
            told.others = (other,)
        found.append(told)
        found += told.others
    return found


def _of_the_other(clause: list[Part], thread: Thread, told: Told) -> Told | None:
    """Return the meaning of a clause with the attacker and the target exchanged as its subject; None where that cannot be."""
    turned = Thread(
        thread.scene, thread.facts, thread.target, thread.actor, thread.act, thread.roll, thread.frame, thread.lead
    )
    return next((each for each in frames.told(clause, turned) if each.frame == told.frame), None)


def _are_level(one: Told, other: Told) -> bool:
    """Say whether two meanings of a clause are as likely: one is the other's alternative."""
    return any(other is each for each in one.others)


def _is_content(part: Part) -> bool:
    """Say whether a part carries meaning by itself."""
    if part.role == "mark":
        return False
    return not (part.role == "word" and part.is_("filler", "and", "adverb", "correction", "with", "become"))
