"""Those whom words describe by the state they are in, or by their class: the one on the floor, the wounded goblin, the cleric."""

import re
from collections.abc import Sequence

from projections.reader.lexicon import Lexicon
from projections.reader.scene import People, Scene
from projections.reader.tokens import Token

_ONE = ("one", "ones", "guy", "fellow", "creature")
"""Nouns for anybody."""
_WOUNDED = ("wounded", "injured", "hurt", "bleeding", "bloodied", "damaged")
"""Words for those who have lost points."""
_LINKS = ("who", "that", "which", "is", "'s", "are", "was", "were", "lying", "still", "currently")
"""Words between a noun and the state that describes it."""
LONGEST = 4
"""The most words of a state."""


def described(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return those whom words at a place describe, and where the words end; None without such words, or without such people."""
    words = [token.text for token in tokens[place : place + LONGEST + 5]]
    if whom := _of_a_class(scene, lexicon, words):
        return whom, place + 2
    if words[:1] not in (["the"], ["that"]) or len(words) < 3:
        return None
    for length in range(LONGEST, 0, -1):
        noun = words[1 + length : 2 + length]
        if noun and (found := _in_state(scene, lexicon, " ".join(words[1 : 1 + length]), noun[0])):
            return _people(found, noun[0]), place + 2 + length
    return _with_a_state_behind(scene, lexicon, words, place)


def _of_a_class(scene: Scene, lexicon: Lexicon, words: Sequence[str]) -> People | None:
    """Return the only one in the fight who joined as of a class, or those of it, by its name behind an article: the cleric; None without them."""
    if len(words) < 2 or words[0] not in ("the", "our", "my") or words[1] in scene.parts:
        return None
    if not any(sense.kind in ("class", "calling") for sense in lexicon.senses(words[1])):
        return None
    told = {one.id: re.split(r"\W+", str(getattr(one.sheet, "notes", None) or "").casefold()) for one in scene.here}
    found = tuple(who for who, notes in told.items() if words[1] in notes)
    return _people(found, words[1]) if found else None


def _with_a_state_behind(scene: Scene, lexicon: Lexicon, words: Sequence[str], place: int) -> tuple[People, int] | None:
    """Return those whom a state behind a noun describes: the one on the floor, the goblin that is stunned."""
    start = 2
    while start < len(words) and words[start] in _LINKS:
        start += 1
    says_which = words[1] in _ONE or words[2] in ("that", "who", "which")
    for length in range(LONGEST, 0, -1) if words[2] not in ("is", "'s", "was", "are") else ():
        end = start + length
        placed = start == 2 and words[2] in ("on", "in") and words[end : end + 1] not in ([], ["now"], ["."], ["!"])
        if (says_which or placed) and (found := _in_state(scene, lexicon, " ".join(words[start:end]), words[1])):
            return _people(found, words[1]), place + end
    return None


def _in_state(scene: Scene, lexicon: Lexicon, state: str, noun: str) -> tuple[str, ...]:
    """Return those of a kind who are in the state that words name; anybody where the noun is for anybody."""
    if noun in _ONE:
        kind = tuple(one.id for one in scene.here)
    elif not (kind := scene.family(noun, loosely=False)[0]):
        return ()
    if state in _WOUNDED and not any(scene.in_state(state)):
        hurt = (scene.state.combatants[who] for who in kind)
        return tuple(one.id for one in hurt if one.status == "up" and one.hp is not None and one.hp < (one.hp_max or 0))
    named = {scene.condition_named(each.value, state) for each in lexicon.senses(state) if each.kind == "condition"}
    inside = {who for name in named for who in scene.in_state(name)}
    return tuple(who for who in kind if who in inside)


def _people(found: tuple[str, ...], noun: str) -> People:
    several = noun.endswith("s") and noun != "'s"
    if len(found) > 1 and not several:
        return People((), options=found)
    return People(found, plural=len(found) > 1)
