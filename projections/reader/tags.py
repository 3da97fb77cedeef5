"""The second step: tags. Each token, or several that belong together, gets all its possible meanings, by the lexicon and the state."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, structs

from projections.grammar import forms, names
from projections.grammar.names import folded
from projections.reader.described import described
from projections.reader.dictionary import Sense
from projections.reader.lexicon import ARTICLES, Lexicon
from projections.reader.scene import People, Scene, abbreviates, distinct, has_one_slip
from projections.reader.tokens import Number, Token


class Item(Struct, frozen=True):
    """One or several tokens that belong together: their text, their place, and their possible meanings."""

    typed: str
    text: str
    start: int
    end: int
    kind: str
    """word, number, square, dice, ordinal, quote, mark, who"""
    senses: tuple[Sense, ...] = ()
    who: People | None = None
    number: Number | None = None
    values: tuple[int, ...] = ()
    kinds: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    """The kinds of its senses, and those in which it is a verb; made from these."""

    def __post_init__(self) -> None:
        """Make the kinds, which are asked for hundreds of times a line."""
        structs.force_setattr(self, "kinds", frozenset(sense.kind for sense in self.senses))
        structs.force_setattr(self, "verbs", frozenset(sense.kind for sense in self.senses if sense.is_verb))

    def is_(self, *kinds: str) -> bool:
        """Say whether it can be of one of these kinds."""
        return not self.kinds.isdisjoint(kinds)

    def value(self, kind: str) -> str:
        """Return its meaning as one of this kind; "" if it has none."""
        return next((sense.value for sense in self.senses if sense.kind == kind), "")

    def is_verb(self, *kinds: str) -> bool:
        """Say whether it is a verb of one of these kinds; without kinds, of any."""
        return not self.verbs.isdisjoint(kinds) if kinds else bool(self.verbs)


MOST_WORDS = 5
"""The most words of a phrase."""
GROUPS = {"everyone": "", "party": "party", "foes": "foes"}


NOTHING = Item("", "", 0, 0, "none")
"""What stands behind the last item of a line."""


def tagged(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token]) -> list[Item]:
    """Return the items of a line."""
    tokens = _with_owners(scene, lexicon, _with_apostrophes(lexicon, _plain(scene, lexicon, tokens)))
    found: list[Item] = []
    place = 0
    while place < len(tokens):
        item, place = _item(scene, lexicon, tokens, place, found)
        if item.who and len(found) > 1 and found[-2].text in ARTICLES and found[-1].is_("condition"):
            found[-1] = structs.replace(found[-1], senses=(Sense("filler", found[-1].text),))  # the paralysed baron
        if found and place < len(tokens) and tokens[place].text == ":" and _is_turn_of(found[-1], item):
            found[-1:] = _turn_of(lexicon, found[-1], item)
            continue
        found.append(item)
    if len(found) > 2 and found[0].text == "d" and not found[0].who and found[1].who and scene.table.declares:
        found[0] = structs.replace(found[0], senses=lexicon.senses("declares"))  # as in the notation
    plain = _with_states(lexicon, _with_contractions(lexicon, _without_interjections(_felled(lexicon, found))))
    plain = _with_spells_that_spread(scene, lexicon, _with_spells_in_capitals(plain))
    return _with_verbs_apart(lexicon, _with_types(_with_unknown_types(scene, _with_opportunities(_fallen(plain)))))


def _with_spells_in_capitals(found: Sequence[Item]) -> list[Item]:
    """Return items in which several words in capitals behind "casts" are the name of a spell that no table has: casts Inflict Serious Wounds."""
    made: list[Item] = []
    for item in found:
        before = next((each for each in reversed(made) if each.text not in ARTICLES), None)
        named = before is not None and before.kind == "word" and before.is_("in_capitals")
        capital = item.kind == "word" and item.who is None and item.typed.istitle()
        if before and named and capital and not item.is_("to", "with", "for", "against", "from"):
            text = f"{before.text} {item.text}"
            senses = (Sense("spell", text), Sense("in_capitals", text))
            typed = f"{before.typed} {item.typed}"
            made[-1] = structs.replace(before, typed=typed, text=text, end=item.end, senses=senses)
        elif before and capital and before.typed.islower() and before.is_verb("cast") and not item.is_("to", "with"):
            made.append(structs.replace(item, senses=(*item.senses, Sense("in_capitals", item.text))))
        else:
            made.append(item)
    return made


_SPREADS = re.compile(
    r"(engulf|envelop|swallow|blanket)(s|ed)|(catch(es)?|caught)|(wash|sweep|roar|roll)(es|s|ed) over"
)
"""Verbs of a spell that meets everybody in its area."""


def _with_spells_that_spread(scene: Scene, lexicon: Lexicon, found: list[Item]) -> list[Item]:
    """Return items in which somebody's spell that spreads over others, and is not cast yet, is cast on them: Ana's burning hands engulfs the orcs."""
    for at, (who, own, spell, verb, whom) in enumerate(zip(*(found[each:] for each in range(5)), strict=False)):
        named = who.who is not None and own.text == "'s" and spell.is_("spell") and verb.who is None
        others = whom.who is not None or whom.is_("everyone", "both")
        if named and others and _SPREADS.fullmatch(verb.text) and not scene.act_called({spell.text}, ()):
            casts = structs.replace(own, kind="word", typed="casts", text="casts", senses=lexicon.senses("casts"))
            on = structs.replace(verb, kind="word", typed="on", text="on", senses=lexicon.senses("on"))
            return [*found[: at + 1], casts, spell, on, *found[at + 4 :]]
    return found


def _is_turn_of(one: Item, item: Item) -> bool:
    """Say whether somebody is up, in words that may also mean an effect: Ana is up; I'm up."""
    return item.is_("up") and item.is_verb("begin_it") and (one.who is not None or one.text == "i")


def _turn_of(lexicon: Lexicon, one: Item, item: Item) -> list[Item]:
    """Return the items that say whose turn it is: Ana's turn, my turn."""
    turn = structs.replace(item, text="turn", senses=lexicon.senses("turn"))
    if one.who is None:
        return [structs.replace(one, text="my", senses=lexicon.senses("my")), turn]
    return [one, Item("'s", "'s", item.start, item.start, "mark"), turn]


def _plain(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which a picture separates, as a comma does, and no letter is drawn out: hitsss, we wonnnn.

    A skull does only where a word says that somebody died: elsewhere it may say so itself.
    """
    names = "".join(scene.called)
    died = any(sense.kind in _DEATHS for token in tokens for sense in lexicon.senses(token.text))
    made: list[Token] = []
    for token in tokens:
        said = f"{made[-1].text} {token.text}" if made else ""
        if said in _DICTATED:
            made[-1] = structs.replace(made[-1], kind="mark", text=_DICTATED[said], end=token.end)
        elif (
            token.text in _DICTATED
            and made
            and (token is tokens[-1] or (token.text == "comma" and made[-1].kind != "mark"))
        ):
            made.append(structs.replace(token, kind="mark", text=_DICTATED[token.text]))
        elif token.kind == "picture":
            says = token.text in names or (token.text in _SKULLS and not died)
            made.append(structs.replace(token, kind="mark", text=token.text if says else ","))
        elif token.kind == "word" and (drawn := _DRAWN_OUT.search(token.text)) and token.text not in names:
            short = (_DRAWN_OUT.sub(drawn[1] * count, token.text) for count in (1, 2))
            known = {
                each for each in short if each in scene.called or (each not in _CALLED_OUT and _means(lexicon, each))
            }
            plain = known.pop() if len(known) == 1 else token.typed
            made.append(structs.replace(token, typed=plain, text=plain.casefold()))
        else:
            made.append(token)
    return made


_DICTATED = {
    "period": ".",
    "comma": ",",
    "full stop": ".",
    "exclamation point": "!",
    "exclamation mark": "!",
    "question mark": "?",
}
"""Marks that are said: a period only as the last word of what is dictated."""
_CALLED_OUT = ("no", "oh", "ah", "so", "go")
"""Words that say nothing where they are drawn out: nooo, bo is prone."""


_NEGATED = "(did|do|does|is|are|was|were|has|have|had|ca|could|wo|would|should)n'?t"


def _means(lexicon: Lexicon, text: str) -> bool:
    """Say whether a word means something; a negation without its apostrophe does: isnttt."""
    return bool(lexicon.senses(text)) or re.fullmatch(_NEGATED, text) is not None


_DEATHS = ("status_dead", "die", "kill")
_SKULLS = "💀☠⚰🪦"
_DRAWN_OUT = re.compile(r"(\w)\1{2,}")
"""A letter that is drawn out."""


_MODAL = re.compile("(should|would|could|must|might)(?:['’]?ve|a)")


def _with_apostrophes(lexicon: Lexicon, tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which its, typed for it's, is it is, hes he is, and should've should have."""
    made: list[Token] = []
    for place, token in enumerate(tokens):
        if token.text == "one" and made and made[-1].text == "no":
            made[-1] = structs.replace(made[-1], typed=f"{made[-1].typed} {token.typed}", text="nobody", end=token.end)
            continue
        if token.text in ("hes", "shes") and place + 1 < len(tokens) and tokens[place + 1].kind == "word":
            middle = token.end - 1
            made.append(structs.replace(token, typed=token.typed[:-1], text=token.text[:-1], end=middle))
            made.append(Token("word", token.typed[-1:], middle, token.end, "is", glued=True))
            continue
        if token.text in ("cant", "dont", "wont", "didnt", "couldnt", "wouldnt", "hasnt", "havent", "shouldnt"):
            plain = f"{token.text[:-1]}'t"  # in place of what it may be a slip of, as cast is
            made.append(structs.replace(token, text=plain) if _means(lexicon, plain) else token)
            continue
        if modal := _MODAL.fullmatch(token.text):
            middle = token.start + modal.end(1)
            made.append(structs.replace(token, typed=token.typed[: modal.end(1)], text=modal[1], end=middle))
            made.append(Token("word", token.typed[modal.end(1) :], middle, token.end, "have", glued=True))
            continue
        if _is_it_is(lexicon, tokens, place):
            middle = token.start + 2
            made.append(structs.replace(token, typed=token.typed[:2], text="it", end=middle))
            made.append(Token("word", token.typed[2:], middle, token.end, "is", glued=True))
        else:
            made.append(token)
    return made


def _with_owners(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which a name with an s is a possessive, where nobody and nothing has that name: zeds turn, whats bos hp."""
    made: list[Token] = []
    for place, token in enumerate(tokens):
        owner = token.text[:-1]
        behind = tokens[place + 1] if place + 1 < len(tokens) else None
        noun = behind is not None and behind.kind == "word" and behind.text not in ("is", "was", "and", "are")
        if (
            noun
            and token.kind == "word"
            and token.text.endswith("s")
            and len(owner) > 1
            and len(scene.exactly(folded(owner))) == 1
            and not (
                lexicon.senses(token.text)
                or scene.exactly(folded(token.text))
                or scene.family(token.text, loosely=False)[0]
            )
        ):
            middle = token.end - 1
            made.append(structs.replace(token, typed=token.typed[:-1], text=owner, end=middle))
            made.append(Token("mark", token.typed[-1:], middle, token.end, "'s", glued=True))
        else:
            made.append(token)
    return made


def _felled(lexicon: Lexicon, items: list[Item]) -> list[Item]:
    """Return items in which a combatant who "falls to" another is felled, or with damage struck, by them: the brute
    falls to kims arrow, 14 damage.
    """
    at = next((at for at in range(1, len(items)) if _falls_to_somebody(items, at)), 0)
    if not at:
        return items
    behind = items[at + 2 :]
    sentence = behind[: next((end for end, item in enumerate(behind) if item.text in (".", ";", "!")), len(behind))]
    done = "struck" if any(item.is_("damage", "for") for item in sentence) else "felled"
    verb = [structs.replace(items[at], text=word, senses=lexicon.senses(word)) for word in ("is", done)]
    return [*items[:at], *verb, structs.replace(items[at + 1], text="by", senses=lexicon.senses("by")), *behind]


def _falls_to_somebody(items: Sequence[Item], at: int) -> bool:
    """Say whether a verb of falling stands at a place, followed by "to" and a combatant, perhaps with a weapon of theirs."""
    behind = [each for each in items[at + 1 : at + 6] if each.text not in ARTICLES]
    whom = len(behind) > 1 and items[at].is_verb("fall") and behind[0].text == "to" and behind[1].who is not None
    if not whom or items[at + 1].text != "to":
        return False
    owner = len(behind) > 2 and behind[2].text == "'s"
    return not owner or (len(behind) > 3 and behind[3].is_("weapon"))


def _with_types(items: list[Item]) -> list[Item]:
    """Return items in which a damage type beside its number, or before the word damage, is no verb: 7 fire; fire damage."""
    made = list(items)
    for at, item in enumerate(items):
        counted = at > 0 and items[at - 1].number is not None and not items[at - 1].values
        named = at + 1 < len(items) and items[at + 1].text in ("damage", "dmg")
        if item.is_("type") and item.verbs and (counted or named):
            made[at] = structs.replace(item, senses=tuple(each for each in item.senses if not each.is_verb))
    return made


def _with_unknown_types(scene: Scene, items: list[Item]) -> list[Item]:
    """Return items in which an unknown word after a number is a damage type: for 5 kinetic where the game allows any
    type, 5 kinetic damage in every game.
    """
    made = list(items)
    for at in range(1, len(items)):
        item, before = items[at], items[at - 1]
        named = item.kind == "word" and not item.senses and item.text.isalpha() and item.typed.islower()
        named = named and not (item.text.endswith("s") and not item.text.endswith("ss"))  # 4 tokens are of no type
        if not named or before.number is None or before.values:
            continue
        said = at + 1 < len(items) and items[at + 1].is_("damage")
        verbs = ("take", "deal", "strike", "shoot")
        told = any(each.is_("for", "hit", "damage") or each.is_verb(*verbs) for each in items[: at - 1])
        counts = at + 1 < len(items) and items[at + 1].is_("points", "temporary", "unit", "length")  # 5 max hp
        of_somebody = any(each.who for each in items[: at - 1])
        if said or (told and of_somebody and scene.any_type and not counts):
            made[at] = structs.replace(item, senses=(Sense("type", item.text),))
    return made


_CALLS = frozenset(["interjection", "hesitation"])


def _without_interjections(items: Iterable[Item]) -> list[Item]:
    """Return items without interjections, which leave a comma between others, and without hesitations: oh no bo is down lol."""
    made: list[Item] = []
    apart = False
    for item in items:
        said = {sense.kind for sense in item.senses} if item.kind in ("word", "mark") else set()
        if said & _CALLS and said <= {*_CALLS, "undo_filler"}:
            apart = apart or "interjection" in said
            continue
        if item.kind == "mark" and (not made or apart) and item.text in (",", "!", "!!", ".", "...", "…"):
            if made and made[-1].kind != "mark":
                made.append(item)
                apart = False
            continue
        if apart and made and made[-1].kind != "mark":
            made.append(Item(",", ",", item.start, item.start, "mark"))
        apart = False
        made.append(item)
    return made


def _with_verbs_apart(lexicon: Lexicon, items: list[Item]) -> list[Item]:
    """Return items in which a verb of several words is one item, although its object stands within it: knocks the ogre
    prone, throws his sword down.
    """
    made, place = list[Item](), 0
    while place < len(items):
        verb = items[place]
        at = place + 1
        while at < len(items) - 1 and (
            items[at].text in ARTICLES or (items[at].text in _OWN and items[at + 1].is_("weapon", "item"))
        ):
            at += 1
        whom = at < len(items) and (items[at].who is not None or items[at].text in _OBJECTS)
        kinds = _APART if whom else ("handle",) if at < len(items) and items[at].is_("weapon", "item") else ()
        found, length = _rest_of_verb(lexicon, verb, items[at + 1 :], kinds) if kinds else ((), 0)
        if found:
            rest = items[at + 1 : at + 1 + length]
            typed = " ".join(each.typed for each in (verb, *rest))
            made += [
                structs.replace(verb, typed=typed, text=typed.casefold(), senses=found),
                *items[place + 1 : at + 1],
            ]
            place = at + 1 + length
        else:
            made.append(verb)
            place += 1
    return made


def _rest_of_verb(
    lexicon: Lexicon, verb: Item, behind: Sequence[Item], kinds: Sequence[str]
) -> tuple[tuple[Sense, ...], int]:
    """Return the meanings of a verb with the words after its object, and the number of these words; none if they form
    no verb of one of these kinds.
    """
    if behind and behind[0].text == "awake" and verb.is_verb("strike", "move", "impose"):
        return lexicon.senses("wakes"), 1  # slaps Bo awake
    for length in (3, 2, 1) if verb.kind == "word" else ():
        words = [each.text for each in behind[:length] if each.kind == "word" or each.text in ("'s", "his")]
        if len(words) == length:
            senses = lexicon.senses(" ".join([verb.text, *words]))
            if any(sense.kind in kinds for sense in senses if sense.is_verb):
                return senses, length
    return (), 0


_OBJECTS = ("him", "her", "them", "it")
_OWN = ("his", "her", "its", "their")
_APART = ("impose", "fell", "pushed", "kill", "wake", "heal", "strike")
"""The kinds of verbs of several words that may enclose their object."""


def _with_contractions(lexicon: Lexicon, items: list[Item]) -> list[Item]:
    """Return items in which the 's of a name is "is" or "has", where it can be no possessive: odette's got a 20, zee's
    prone, the captain's on the floor.
    """
    made: list[Item] = []
    for place, item in enumerate(items):
        name = made[-1] if made else None
        if item.text == "'s" and item.kind == "mark" and name and name.who and _is_verb_behind(items, place + 1):
            acts = items[place + 1].is_verb("cast", "strike", "shoot") and items[place + 1].typed.endswith("ing")
            text = "is" if acts and _goes_on(items, place + 2) else item.text
            made.append(structs.replace(item, kind="word", text=text, senses=lexicon.senses("is")))
        else:
            made.append(item)
    return made


def _fallen(items: list[Item]) -> list[Item]:
    """Return items in which whoever falls and is prone only does that, and is not out of action."""
    made: list[Item] = []
    for place, item in enumerate(items):
        ahead = [each for each in items[place + 1 : place + 5] if each.text not in ("and", ",", "now", "n", "&")]
        is_prone = len(ahead) > 1 and ahead[0].text in ("is", "lies", "lands") and ahead[1].text == "prone"
        dies = item.is_verb("fall_prone") and any(each.text == "dead" for each in ahead[:1])  # falls over dead
        if (item.is_verb("fall") and is_prone) or dies:
            made.append(structs.replace(item, senses=(Sense("filler", item.text),)))
        else:
            made.append(item)
    return made


def _with_opportunities(items: list[Item]) -> list[Item]:
    """Return items in which whoever takes, gets or makes an opportunity attack attacks; takes one from the ogre does not."""
    made = list(items)
    for place, item in enumerate(items):
        at = place + 1
        while at < len(items) and items[at].text in (*ARTICLES, "his", "her", "its", "their"):
            at += 1
        opens = item.is_verb("take", "use") or item.text in ("gets", "got", "get", "makes", "made", "has")
        if opens and at < len(items) and items[at].is_("opportunity"):
            behind = {each.text for each in items[at + 1 : at + 4]}
            if item.kind == "word" and not behind & {"from", "by"}:
                made[place] = structs.replace(item, senses=(Sense("filler", item.text),))
    return made


def _with_cures(items: list[Item]) -> list[Item]:
    """Return items in which a spell that no table knows is one that heals, if its name begins with that: casts healing word on Bo."""
    made: list[Item] = []
    for item in items:
        *_, before, heals = [None, None, *made]
        cast = before is not None and before.is_verb("cast") and heals is not None and heals.is_verb("heal")
        if cast and heals and item.kind == "word" and not item.senses:
            typed = f"{heals.typed} {item.typed}"
            senses = tuple(Sense(kind, typed.casefold()) for kind in ("spell", "cure"))
            whole = structs.replace(heals, typed=typed, text=typed.casefold(), end=item.end, senses=senses)
            made[-1] = whole
        else:
            made.append(item)
    return made


_STANDS = ("stands", "stood", "sits", "sat", "lay")
"""Verbs that before a state say no more than that somebody is in it."""
_VERY = (
    "tired",
    "ahead",
    "set",
    "sure",
    "serious",
    "certain",
    "center",
    "centre",
    "on",
    "last",
    "right",
    "wrong",
    "drunk",
    "asleep",
    "calm",
    "silent",
    "still",
    "quiet",
    "weight",
)
"""Words before which dead only says how much."""
_WAYS = ("to", "towards", "toward", "on", "around", "round", "back", "away", "and", "at")
"""Words behind turned by which somebody turned somewhere, and is in no state."""


def _with_states(lexicon: Lexicon, items: list[Item]) -> list[Item]:
    """Return items in which a verb of standing before a state only links it, and turned before a way is no state: stands paralysed; the hag turned to run."""
    made = _with_cures(items)
    items = list(made)
    for at, (one, other) in enumerate(pairwise(items)):
        if (
            one.is_verb("move")
            and one.is_("weapon")
            and at
            and items[at - 1].who
            and _leads_away(items[at + 1 : at + 3])
        ):
            made[at] = structs.replace(one, senses=tuple(each for each in one.senses if each.is_verb))
            continue  # darts 20 feet, and not: darts at gob, 20
        if one.text == "dead" and other.text in _VERY:
            made[at] = structs.replace(one, senses=(Sense("adverb", one.text),))  # dead tired
            continue
        if one.text in ("the", "a", "her", "his") and other.text == "die":
            made[at + 1] = structs.replace(other, senses=lexicon.senses("roll"))  # the die showing a 5
            continue
        swings = at > 0 and items[at - 1].is_verb() and one.text == "her" and one.who is None
        if swings and other.is_("weapon", "ammunition") and not other.verbs:
            made[at] = structs.replace(one, senses=(Sense("filler", one.text),))  # swings her longsword
        elif one.text in ("in", "with", "out of") and other.text in _FEELINGS and at and items[at - 1].is_verb("leave"):
            made[at + 1] = structs.replace(other, senses=(Sense("adverb", other.text),))  # flees in terror
        elif one.text in _DROPS and one.kind == other.kind == "word":
            made[at] = structs.replace(one, senses=_dropping(lexicon, one, items[at + 1 : at + 3]))
        elif one.text in _STANDS and one.kind == "word" and other.is_("condition"):
            made[at] = structs.replace(one, senses=lexicon.senses("is"))
        elif one.is_("condition") and one.text == "turned" and other.text in _WAYS and not items[at - 1].is_("become"):
            made[at] = structs.replace(one, senses=tuple(each for each in one.senses if each.kind != "condition"))
    return made


def _leads_away(behind: Sequence[Item]) -> bool:
    """Say whether words say how far or where somebody moves: 20 feet, behind the pillar."""
    first, *more = behind
    far = first.number is not None and any(item.is_("length") or item.text in ("ft", "feet", "foot") for item in more)
    return far or (first.is_("towards", "to") and first.text not in ("at", "on", "against", "of", "for"))


def _dropping(lexicon: Lexicon, drops: Item, behind: Sequence[Item]) -> tuple[Sense, ...]:
    """Return what a verb of dropping means before a state, which somebody falls into, or before an effect or a thing,
    which they let go: drops unconscious, drops her rage.
    """
    named = [item for item in behind if item.text not in (*ARTICLES, *_OWN)][:1]
    if any(item.is_("effect", "spell", "feature", "resource") for item in named):
        return tuple(each for each in drops.senses if each.kind not in ("fall", "fell", "bring_to", "status_down"))
    state = behind[1:2] if behind[0].text == "down" else behind[:1]
    return lexicon.senses("falls") if any(item.is_("condition") for item in state) else drops.senses


_FEELINGS = (
    "terror",
    "fear",
    "panic",
    "horror",
    "fright",
    "dread",
    "despair",
    "pain",
    "agony",
    "rage",
    "anger",
    "confusion",
)
"""What somebody may flee in, which is no state that the game knows of them."""
_DROPS = ("drop", "drops", "dropped", "dropping")


def _goes_on(items: Sequence[Item], place: int) -> bool:
    """Say whether a spell or a name follows a participle, which therefore is no noun: bo's casting web, and not: bo's casting is interrupted."""
    return place < len(items) and (items[place].is_("spell", "to") or items[place].who is not None)


def _is_verb_behind(items: Sequence[Item], place: int) -> bool:
    """Say whether the words at a place can follow "is" or "has", and are nothing that somebody owns: got, prone, on the floor, up, skipped."""
    if place >= len(items):
        return False
    item, behind = items[place], items[place + 1] if place + 1 < len(items) else None
    ends = behind is None or behind.kind == "mark" or behind.is_("and") or behind.text in ("again", "now", "so")
    if item.text in ("got", "gonna", "going", "about", "been", "not", "no", "now", "still", "just", "also", "only"):
        return True
    if item.text in ("at", "on", "down", "out", "up") or item.is_("status_dead"):
        return True
    if item.is_("condition") and not item.is_("spell", "weapon", "feature", "effect", "type"):
        return True
    participle = item.is_verb() and (item.typed.endswith("ing") or item.typed.endswith("ed"))
    participle = participle and not item.is_("weapon", "spell", "feature", "type")
    return participle or (
        ends and (item.kind == "ordinal" or item.is_("next", "up", "number") or item.number is not None)
    )


def _item(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int, before: list[Item]) -> tuple[Item, int]:
    """Return the item that begins at a place, and where it ends: the longest name or phrase, a name first."""
    token = tokens[place]
    saves = any(item.is_("save", "save_kind", "dc") or item.is_verb("save", "fail", "succeed") for item in before)
    by_saves = None if saves else _by_their_saves(scene, tokens, place)
    by_state = described(scene, lexicon, tokens, place)
    people, end = (
        by_saves or by_state or _the_last(scene, tokens, place) or _people(scene, lexicon, tokens, place, before)
    )
    said, until = _phrase(scene, lexicon, tokens, place)
    behind = tokens[until] if until < len(tokens) else None
    if said and tokens[until - 1].text in ("a", "an") and (behind is None or behind.kind not in _NUMERIC):
        said, until = (), place  # throws a fireball, and not: throws a 15
    if until > place + 1 and before and before[-1].text == "the" and said and all(sense.is_verb for sense in said):
        said, until = (), place  # the fire on Bo is out
    if people and end == place + 1 and _is_weapon_in_hand(scene, lexicon, token, before):
        people = None
    if people and (end >= until or not said):
        senses = _senses(lexicon, token) if end == place + 1 else ()
        return _joined(tokens[place:end], "who", senses=senses, who=people), end
    if said:
        phrase = _joined(tokens[place:until], "word", senses=said)
        plain = phrase.value("inflected")
        return (structs.replace(phrase, typed=plain, text=plain) if plain else phrase), until
    kind = "number" if token.kind == "range" else token.kind
    senses = _senses(lexicon, token)
    if not senses and token.kind == "word" and (said := lexicon.as_verb([token.text])):
        plain = said[
            -1
        ].value  # firebolts the ogre, which is asked about, as any verb of one word may have another meaning
        said = (*said, Sense("misspelt", plain))
        return structs.replace(_joined([token], kind, senses=said), typed=plain, text=plain), place + 1
    if not senses and token.kind == "word" and (effect := _part_of_an_effect(scene, token.text)):
        senses = (Sense("effect", effect),)
    if not senses and token.kind == "word":
        senses = lexicon.misspelt(token.text, verbs=bool(before) and before[-1].who is not None)
        ahead = [item.text for item in before[-2:] if not item.is_verb()]
        is_noun = any(text in ARTICLES for text in ahead)  # by the trap, from the spike trap
        senses = senses or (lexicon.shortened(token.text) if before and not is_noun else ())
    if before and before[-1].text in (*ARTICLES, "this") and any(sense.kind == "fray" for sense in senses):
        senses = tuple(sense for sense in senses if not sense.is_verb)  # flees the fight
    if token.text == "round" and before and before[-1].text in _OF_ROUNDS:
        senses = tuple(sense for sense in senses if sense.kind != "towards")  # and not: runs round the corner
    if token.text in ("off", "gone") and before and before[-1].is_("condition", "effect", "ailment"):
        senses = (Sense("not", token.text),)  # poison off
    if before and before[-1].text == "the":  # "the dead" is no combatant's state
        senses = tuple(sense for sense in senses if sense.kind not in ("status_dead", "status_down"))
    return _joined([token], kind, senses=senses, number=token.number, values=token.values), place + 1


def _by_their_saves(scene: Scene, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return those whom words mean by how their saves went, which are the last deeds, and where the words end: those who failed; None without such words."""
    words = [token.text for token in tokens[place : place + 5]]
    lead = next((each for each in _WHO_EVER if words[: len(each)] == [*each]), ())
    rest = words[len(lead) :]
    failed = rest[0] in _FAILED if lead and rest else None
    if failed is None or not (failed or rest[0] in _SAVED):
        return None
    length = len(lead) + 1
    for its_object in _THEIR_SAVE:
        if words[length : length + len(its_object)] == [*its_object]:
            length += len(its_object)
            break
    went = scene.saves()
    ids = tuple(who for who, succeeded in went.items() if succeeded is not failed)
    if not ids or None in went.values():
        return None
    return People(ids, group=True, plural=True, listed=True), place + length


def _the_last(scene: Scene, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return the only one of a kind who is up, and where the words end: the last kobold; None without such words."""
    kind = tokens[place + 1] if place + 1 < len(tokens) and tokens[place].text in ("last", "remaining") else None
    if kind is None or kind.kind != "word" or (place + 2 < len(tokens) and tokens[place + 2].kind == "number"):
        return None
    family, _ = scene.family(kind.text, loosely=False)
    up = [who for who in family or scene.exactly(kind.text) if scene.status(who) == "up"]
    return (People((up[0],), base=kind.text), place + 2) if len(up) == 1 else None


_WHO_EVER = (
    ("those", "who"),
    ("those", "that"),
    ("the", "ones", "who"),
    ("the", "ones", "that"),
    ("anyone", "who"),
    ("everyone", "who"),
    ("everybody", "who"),
    ("anybody", "who"),
    ("all", "who"),
    ("the", "two", "who"),
    ("whoever",),
)
"""Words before how the saves of those who are meant went."""
_FAILED, _SAVED = (
    ("fail", "fails", "failed"),
    ("save", "saves", "saved", "succeed", "succeeds", "succeeded", "pass", "passes", "passed", "made", "make", "makes"),
)
_THEIR_SAVE = (("the", "save"), ("their", "save"), ("their", "saves"), ("a", "save"), ("it",), ("theirs",))
"""Words behind them."""


def _part_of_an_effect(scene: Scene, word: str) -> str:
    """Return the only running effect whose name has a word: the laughter ends, of hideous laughter; "" for none, or several."""
    found = {name for called, name in scene.effects.items() if len(word) > LONGEST_PARTICLE and word in called.split()}
    return found.pop() if len(found) == 1 else ""


LONGEST_PARTICLE = 4
"""The most letters of words that stand in many names, such as "with" and "from"."""
_OF_ROUNDS = (
    "new",
    "next",
    "this",
    "last",
    "previous",
    "every",
    "each",
    "another",
    "whole",
    "first",
    "second",
    "third",
)
"""Words before a round of the fight."""
_LASTING = ("word", "number", "ordinal")
"""The kinds of tokens that give the purpose of an act."""
_NUMERIC = ("number", "dice", "range", "square")
"""The kinds of tokens that are numbers."""


def _is_it_is(lexicon: Lexicon, tokens: Sequence[Token], place: int) -> bool:
    """Say whether its is typed for it's: before a state, at the end of what is told: its dead."""
    ahead = tokens[place + 1] if place + 1 < len(tokens) else None
    kinds = (
        {sense.kind for sense in lexicon.senses(ahead.text)} if ahead is not None and ahead.kind == "word" else set()
    )
    ends = place + 2 >= len(tokens) or tokens[place + 2].kind == "mark"
    return tokens[place].text == "its" and ends and bool(kinds & {"status_dead", "condition"})


def _is_weapon_in_hand(scene: Scene, lexicon: Lexicon, token: Token, before: list[Item]) -> bool:
    """Say whether a word is the weapon of a blow, although it is part of a combatant's name: with a sword, beside a Flying Sword."""
    if not any(sense.kind == "weapon" for sense in _senses(lexicon, token)) or token.text in scene.called:
        return False
    words = [item.text for item in before]
    return words[-1:] == ["with"] or (
        words[-2:-1] == ["with"] and words[-1] in ("a", "an", "the", "his", "her", "its", "their")
    )


def _joined(
    tokens: Sequence[Token],
    kind: str,
    *,
    senses: tuple[Sense, ...] = (),
    who: People | None = None,
    number: Number | None = None,
    values: tuple[int, ...] = (),
) -> Item:
    typed = "".join(("" if not at or each.glued else " ") + each.typed for at, each in enumerate(tokens))
    text = tokens[0].text if len(tokens) == 1 else typed.casefold()
    return Item(typed, text, tokens[0].start, tokens[-1].end, kind, senses, who, number, values)


def _senses(lexicon: Lexicon, token: Token) -> tuple[Sense, ...]:
    if token.kind in ("word", "mark", "ordinal"):
        found = lexicon.senses(token.text) if token.text.strip() else ()
        if not found and token.kind == "word":
            if "-" in token.text and (both := lexicon.senses(token.text.replace("-", " "))):
                return both
            if token.text[1:2] == "." and (short := lexicon.senses(token.text[2:])):
                return short  # S.BOW
            if plain := next((said for each in _unstretched(token.text) if (said := lexicon.senses(each))), ()):
                called = any(sense.kind in ("not", "success", "failure") for sense in plain)
                return (Sense("interjection", token.text),) if called else plain
            if len(token.text) > 4 and token.text.endswith("ly"):
                return (Sense("adverb", token.text),)
        return found
    return ()


def _unstretched(word: str) -> Iterator[str]:
    """Yield the forms of a word in which a letter repeated three times or more is single or double: noooo, yesss."""
    if re.search(r"(.)\1\1", word):
        yield from (re.sub(r"(.)\1\1+", times, word) for times in (r"\1", r"\1\1"))


def _phrase(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int) -> tuple[tuple[Sense, ...], int]:
    """Return the meanings of the longest phrase at a place, and where it ends; things on a sheet and running effects come first."""
    words, ends = _owners(tokens, place)
    for length in range(min(len(words), 5), 0, -1):
        name = " ".join(words[:length])
        if name.endswith("done for") and ends[length - 1] < len(tokens) and tokens[ends[length - 1]].kind in _LASTING:
            continue  # one is done for 6, and somebody for this round
        own = _own(scene, name)
        if own:
            common = lexicon.senses(name)
            return (*own, *(each for each in common if each not in own)), ends[length - 1]
        if length > 1 and (found := lexicon.senses(name) or lexicon.as_verb(words[:length])):
            return found, ends[length - 1]
        full = " ".join(_SHORT.get(word, word) for word in words[:length])
        if length > 1 and full != name and (found := lexicon.senses(full)):
            return found, ends[length - 1]
    pronoun = lexicon.senses(" ".join([words[0], words[1][:-2]])) if len(words) > 1 and words[1].endswith("'s") else ()
    if any(sense.kind == "pronoun_subject" for sense in pronoun):
        return pronoun, ends[1] - 1  # that one's dead
    if words[:1] == ["w"] and place + 1 < len(tokens) and tokens[place + 1].text == "/":
        return (Sense("with", "with"),), place + 2
    return (), place


_SHORT = {"atk": "attack", "attk": "attack", "att": "attack", "atks": "attacks", "dmg": "damage", "wpn": "weapon"}
"""Words that people shorten within the name of a feature: sneak atk."""


def _owners(tokens: Sequence[Token], place: int) -> tuple[list[str], list[int]]:
    """Return the words from a place on, each with its possessive, and where each ends: hunter's, mark."""
    words, ends = list[str](), list[int]()
    while len(words) < MOST_WORDS and (rest := _words(tokens, place)):
        owned = place + 1 < len(tokens) and tokens[place + 1].glued and tokens[place + 1].text in ("'s", "'")
        place += 1 + owned
        words.append(rest[0] + (tokens[place - 1].text if owned else ""))
        ends.append(place)
    return words, ends


def _own(scene: Scene, name: str) -> tuple[Sense, ...]:
    """Return the meanings of a name at this table: something on a sheet, a running effect."""
    found = []
    if name in scene.carried:
        found.append(Sense(*scene.carried[name]))
    if name in scene.effects:
        found.append(Sense("effect", scene.effects[name]))
    return tuple(found)


def _words(tokens: Sequence[Token], place: int) -> list[str]:
    """Return the words from a place on, until something else follows, at most seven; the full stop of an abbreviation is left out."""
    found = []
    for token in tokens[place : place + 7]:
        if (
            token.kind not in ("word", "ordinal")
            and token.text != "&"
            and not (token.kind == "number" and token.number and token.number.spelled)
        ):
            break
        found += ["and" if token.text == "&" else token.text]
    return found


# ---------------------------------------------------------------- people


def _people(
    scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int, before: list[Item]
) -> tuple[People | None, int]:
    """Return the combatants that the words at a place name, and where the name ends; None if they name nobody."""
    token = tokens[place]
    if token.kind == "quote":
        found = tuple(names.exactly(scene.state, token.typed))
        return (
            (People(found if len(found) == 1 else (), options=found if len(found) > 1 else ()), place + 1)
            if found
            else (None, place)
        )
    if token.text in ("#", "number") and (one := _by_number_sign(scene, tokens, place, before)):
        return one, place + 2
    if token.kind in ("number", "range") and not before and (those := _by_numbers_of_the_last(scene, lexicon, tokens)):
        return those
    if token.kind == "number" and (counted := _counted(scene, lexicon, tokens, place)):
        return counted
    if token.kind == "range" or (token.kind == "number" and before and token.number and not token.number.sign):
        return _numbers_alone(scene, lexicon, tokens, place, before)
    if token.kind not in ("word", "ordinal"):
        return None, place
    if whole := _whole_name(scene, tokens, place):
        return whole
    if token.kind == "ordinal" and (counted := _by_ordinals(scene, tokens, place)):
        return counted
    if token.kind == "ordinal" and (one := _by_an_ordinal(scene, lexicon, tokens, place, before)):
        return one, place + 1 + (tokens[place + 1].text == "one")
    if other := _the_other(scene, tokens, place, before):
        return other
    numbered, end = _by_a_word(scene, lexicon, tokens, place)
    if numbered and end > place + 1 and numbered.ids:
        return numbered, end
    if grouped := _grouped(scene, lexicon, tokens, place, before):
        return grouped
    return _by_a_word(scene, lexicon, tokens, place)


def _by_ordinals(scene: Scene, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return the combatants that ordinals name in a kind: the second sailor, the first and the third sailor; None if there are none."""
    numbers, end = list[int](), place
    while end < len(tokens) and tokens[end].kind == "ordinal":
        numbers += tokens[end].values
        end += 1
        while (
            end + 1 < len(tokens)
            and tokens[end].text in (",", "and", "&", "the")
            and tokens[end + 1].kind in ("ordinal", "word")
        ):
            end += 1
    if end >= len(tokens) or tokens[end].kind != "word":
        return None
    for length in (2, 1):
        words = [folded(each.typed) for each in tokens[end : end + length] if each.kind == "word"]
        word = "-".join(words)
        whom = tuple(scene.one_of_family(word, number, loosely=length == 1) for number in numbers)
        if len(words) == length and whom and all(whom):
            return People(whom, base=word, plural=len(whom) > 1), end + length
    return None


def _by_number_sign(scene: Scene, tokens: Sequence[Token], place: int, before: list[Item]) -> People | None:
    """Return the combatants that a number sign with a number names: #2, of the kind named before, or of the only one
    with numbers; None if there are none.
    """
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    if behind is None or behind.number is None or behind.number.sign or behind.number.spelled:
        return None
    if behind.glued is not (tokens[place].text == "#"):
        return None
    base = next((item.who.base for item in reversed(before) if item.who and item.who.base in scene.families), "")
    base = base or scene.last_kind
    kinds = [base] if base else [*scene.families]
    who = scene.families[kinds[0]].get(behind.number.value, "") if len(kinds) == 1 else ""
    return People((who,), base=kinds[0]) if who else None


def _by_numbers_of_the_last(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token]) -> tuple[People, int] | None:
    """Return the combatants that numbers before a verb or a state mean, of the kind of which the last line told: 1 and 3
    are prone; 2 misses bo; None if they may count something.
    """
    if not scene.last_kind or (tokens[0].number is not None and tokens[0].number.spelled):
        return None
    numbers, end = _numbers(tokens, 0, several=True)
    whom = tuple(scene.families[scene.last_kind].get(number, "") for number in numbers)
    behind = tokens[end : end + 2]
    senses = lexicon.senses(behind[0].text) if behind and behind[0].kind == "word" else ()
    tells = any(
        sense.is_verb or sense.kind in ("become", "condition", "status_dead", "status_down") for sense in senses
    )
    if len(whom) == 1:  # 2 misses are a count, and 2 misses bo is none
        counts = any(
            sense.kind in ("hit", "miss", "save", "damage", "type", "points", "unit", "length") for sense in senses
        )
        named = len(behind) > 1 and bool(_by_a_word(scene, lexicon, tokens, end + 1)[0])
        tells = tells and behind[0].text.endswith("s") and (named or not counts)
    one = numbers == [1]  # which may be one of them
    those = People(whom, base=scene.last_kind, plural=len(whom) > 1, likely=one)
    return (those, end) if whom and all(whom) and tells else None


_COUNTED = (
    "hit",
    "miss",
    "save",
    "fail",
    "failure",
    "success",
    "succeed",
    "damage",
    "type",
    "points",
    "unit",
    "length",
)
"""The kinds of words for what a number before them may count."""


def _by_an_ordinal(
    scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int, before: list[Item]
) -> People | None:
    """Return the one of several combatants named before that an ordinal alone means before a verb: the second hits bo; None if it means nobody.

    If they are not the first of their kind, the ordinal may be a number or a place among them, so that it is only
    likely.
    """
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    group = next((item.who for item in reversed(before) if item.who and item.who.plural and item.who.base), None)
    if behind is None or not before or before[-1].text != "the":
        return None
    if group is None:
        return _of_the_last_kind(scene, tokens[place]) if behind.text == "one" and len(before) == 1 else None
    if behind.text != "one" and not any(sense.is_verb for sense in lexicon.senses(behind.text)):
        return None
    number = tokens[place].values[0]
    by_number = scene.one_of_family(group.base, number, loosely=True)
    by_place = group.ids[number - 1] if number <= len(group.ids) else ""
    whom = by_number if by_number in group.ids else by_place
    doubtful = by_number in group.ids and by_number != by_place
    return People((whom,), base=group.base, likely=doubtful) if whom else None


def _of_the_last_kind(scene: Scene, ordinal: Token) -> People | None:
    """Return whom an ordinal before one names, of the kind of which the last deed told, or of the only kind with numbers: the second one; None if nobody."""
    memory = scene.context.memory
    told = [who.rpartition("-")[0] for who in (memory.doer, memory.met) if who]
    kinds = [kind for kind in told if kind in scene.families] or [*scene.families]
    who = scene.families[kinds[0]].get(ordinal.values[0], "") if len({*kinds}) == 1 else ""
    return People((who,), base=kinds[0]) if who else None


def _the_other(scene: Scene, tokens: Sequence[Token], place: int, before: list[Item]) -> tuple[People, int] | None:
    """Return those of a group named together, or of the last act's targets, whom the line has not mentioned since: and
    the other (two) fail; None without such.
    """
    words = [each.text for each in tokens[place : place + 3]]
    if words[:2] not in (["the", "other"], ["the", "others"], ["both", "others"]) and words[:1] not in (["others"],):
        return None
    end = place + (2 if words[0] in ("the", "both") else 1)
    count = {"one": 1, "two": 2, "three": 3}.get(tokens[end].text, 0) if end < len(tokens) else 0
    end += bool(count) or (end < len(tokens) and tokens[end].text == "ones")
    if scene.last_kind and not any(item.who for item in before):
        return _others_of_the_last(scene, tokens, end, 2 if words[0] == "both" else count)
    group = next((at for at in range(len(before) - 1, -1, -1) if (one := before[at].who) and one.plural), -1)
    singled = {who for item in before[group + 1 :] if item.who for who in item.who.ids}
    of_all = before[group].who if group >= 0 else None
    declared = _of_their_side(scene, singled) if scene.declaring else ()
    those = of_all.ids if of_all else _at_once_with(scene, singled) or declared
    whom = tuple(who for who in those if who not in singled)
    follows = tokens[end] if end < len(tokens) else None
    told = follows is None or follows.kind != "word" or _is_told_of(follows) or bool(declared)
    if not (singled and whom and told):
        return None
    count = count or (words[1:2] == ["other"] and tokens[end - 1].text == "other")
    if count and len(whom) != count:
        return People((), options=whom), end
    return People(whom, plural=len(whom) > 1), end


def _others_of_the_last(scene: Scene, tokens: Sequence[Token], end: int, count: int) -> tuple[People, int] | None:
    """Return those, so many if a number is given, of the kind of which the last line told that it did not name, and are
    up, if something is told of them: the others miss Bo, the other two goblins miss; None without them.
    """
    kind = tuple(scene.families[scene.last_kind].values())
    family = (
        scene.family(tokens[end].text, loosely=False)[0] if end < len(tokens) and tokens[end].kind == "word" else ()
    )
    end += bool(family)
    follows = tokens[end] if end < len(tokens) else None
    rest = tuple(who for who in kind if who not in scene.last_told and scene.status(who) == "up")
    if family not in ((), kind) or follows is None or follows.kind != "word" or not rest:
        return None
    if count and len(rest) != count:
        return People((), options=rest), end
    likely = not (count or family) and len(scene.families) > 1
    return People(rest, plural=len(rest) > 1, likely=likely), end


def _of_their_side(scene: Scene, whom: set[str]) -> tuple[str, ...]:
    """Return all who are up on the side of these combatants; nobody if they are of several sides."""
    sides = {scene.side_of(who) for who in whom if who in scene.ids}
    return tuple(who for who in scene.of_side(sides.pop()) if scene.status(who) == "up") if len(sides) == 1 else ()


def _is_told_of(token: Token) -> bool:
    """Say whether the word after "the other" can be a report about them, and no noun."""
    return token.text.endswith(("s", "ed", "t")) or token.text in ("is", "are", "and", "miss", "hit", "for")


def _whole_name(scene: Scene, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return the combatants whose full name of several words stands at a place: bugbear chief, Ser Aldous, orc-1."""
    name, best = "", None
    for end in range(place + 1, min(place + 6, len(tokens)) + 1):
        token = tokens[end - 1]
        if token.kind == "mark" and token.text == "-" and token.glued:
            continue
        if token.kind not in ("word", "number", "ordinal") or (
            token.number and (token.number.sign or token.number.summed)
        ):
            break
        name = f"{name}-{folded(token.typed)}" if name else folded(token.typed)
        found = scene.exactly(name)
        if len(found) == 1 and not (token.kind == "number" and not token.glued and _is_amount(tokens, end)):
            best = (People(found, base=re.sub(r"-?\d+$", "", name) if name[-1:].isdigit() else ""), end)
    return best


def _is_amount(tokens: Sequence[Token], end: int) -> bool:
    """Say whether the word after a number marks it as an amount: orc 5 damage."""
    return end < len(tokens) and tokens[end].text in (
        "damage",
        "dmg",
        "hp",
        "pts",
        "points",
        "ft",
        "feet",
        "rounds",
        "rds",
        "temp",
        "thp",
    )


def _grouped(
    scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int, before: list[Item]
) -> tuple[People, int] | None:
    """Return the combatants that a collective word names: everyone, the party, both orcs, all goblins, the others, everyone but Mira."""
    token = tokens[place]
    senses = {sense.kind for sense in lexicon.senses(token.text)}
    words = _words(tokens, place)
    for length in range(min(len(words), 5), 1, -1):
        for sense in lexicon.senses(" ".join(words[:length])):
            if sense.kind in ("everyone", "party", "foes"):
                return _except(scene, lexicon, tokens, place + length, side_in_words(scene, sense.kind))
    side = scene.side(token.text)
    if side and token.text not in scene.called and (whole := scene.family(token.text, loosely=False))[1]:
        return _except(
            scene, lexicon, tokens, place + 1, People(whole[0], group=True, side=side, base=token.text, plural=True)
        )
    if side and token.text not in scene.called:
        return _except(
            scene,
            lexicon,
            tokens,
            place + 1,
            People(scene.of_side(side), group=True, side=side, base=token.text, plural=True),
        )
    quantifies = token.text in ("both", "all", "remaining", "every", "other", "others", "rest") or (
        token.text == "the"
        and place + 1 < len(tokens)
        and tokens[place + 1].text in ("other", "others", "rest", "remaining")
    )
    if quantifies:
        end = place + 1
        while end < len(tokens) and tokens[end].text in ("the", "of", "other", "others", "remaining", "rest"):
            end += 1
        rest = any(each.text in ("other", "others", "remaining", "rest") for each in tokens[place:end])
        mentioned = {who for item in before if item.who for who in item.who.ids}
        if end < len(tokens) and tokens[end].kind == "number" and rest:
            end += 1
        if end < len(tokens) and tokens[end].kind == "word":
            two = _two_words(scene, tokens, end)
            end = two[1] - 1 if two else end
            found, several = (
                (two[0].ids, True)
                if two
                else scene.family(tokens[end].text, loosely=not lexicon.senses(tokens[end].text))
            )
            found = tuple(who for who in found if not (rest and who in mentioned)) or found
            if rest and not mentioned:  # of an unnamed group, those who are up
                found = tuple(who for who in found if scene.status(who) == "up") or found
            if token.text == "both" and found and len(found) != 2:
                up = tuple(who for who in found if scene.status(who) == "up")
                if len(up) != 2:
                    return People((), options=found, base=tokens[end].text, plural=True), end + 1
                found = up
            if rest and found and not several and len(found) > 1:
                return People((), options=found, base=tokens[end].text), end + 1
            if found:
                doubtful = token.text in ("all", "every") and several and scene.has_namesake(found)
                those = People(found, group=True, base=tokens[end].text, plural=True, likely=doubtful)
                return _except(scene, lexicon, tokens, end + 1, those)
            if (side := scene.side(tokens[end].text)) and (
                whom := tuple(who for who in scene.of_side(side) if not (rest and who in mentioned))
            ):
                those = People(whom, group=True, side="" if rest else side, plural=True)
                return _except(scene, lexicon, tokens, end + 1, those)
        base = next((item.who.base for item in reversed(before) if item.who and item.who.base), "")
        if rest and mentioned and base:
            at_once = _at_once_with(scene, mentioned)
            found = tuple(who for who in at_once or scene.family(base, loosely=True)[0] if who not in mentioned)
            if found:
                return People(found, group=True, base=base, plural=True), end
    for kind in ("everyone", "party", "foes"):
        if kind in senses and token.text not in scene.called:
            made = side_in_words(scene, kind)
            group = _except(scene, lexicon, tokens, place + 1, made)
            if group and (kind != "everyone" or token.text not in ("all", "each") or group[0] != made):
                return group
    return None


def _at_once_with(scene: Scene, mentioned: set[str]) -> tuple[str, ...]:
    """Return the last act's targets, if all those mentioned are among them, so that "the others" means them; nobody otherwise."""
    last = next((one for one in reversed(scene.context.memory.acts) if one.is_act), None)
    return last.targets if last is not None and mentioned <= {*last.targets} else ()


def side_in_words(scene: Scene, kind: str) -> People:
    """Return the combatants that a word for all, for the heroes or for their foes means."""
    if kind == "everyone":
        return People(distinct(one.id for one in scene.here), group=True, plural=True)
    sides = {one.side for one in scene.here if one.side and one.side != one.id}
    known = {
        "party": ("party", "pcs", "heroes", "players", "characters", "us"),
        "foes": ("foes", "enemies", "monsters", "opposition", "them", "villains"),
    }[kind]
    side = next((each for each in known if each in sides), "")
    if not side and kind == "foes":
        others = sides - {"party", "pcs", "heroes", "players"}
        side = others.pop() if len(others) == 1 and len(sides) == 2 else ""
    return People(scene.of_side(side), group=True, side=side, plural=True) if side else People()


def _except(
    scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], end: int, whom: People
) -> tuple[People, int] | None:
    """Return a group without the exceptions after it: everyone but Mira; all, except for Ana and the ogre."""
    if not whom.ids:
        return None
    apart = end < len(tokens) and tokens[end].text == ","
    excepted, after = _excepted(scene, lexicon, tokens, end + apart)
    if not excepted:
        return whom, end
    after += apart and after < len(tokens) and tokens[after].text == ","
    return People(tuple(who for who in whom.ids if who not in excepted), group=True, plural=True), after


def _excepted(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int) -> tuple[set[str], int]:
    """Return the combatants that an exception at a place names, and where it ends; nobody without one. Several are
    joined by "and": but Bo, Ana and the ogre.
    """
    words = _words(tokens, place)
    says = (
        length for length in (2, 1) if any(each.kind == "except" for each in lexicon.senses(" ".join(words[:length])))
    )
    length = next(says, 0) if words else 0
    if not length:
        return set(), place
    found, named, at = set[str](), list[tuple[set[str], int]](), place + length
    while at < len(tokens):
        at += tokens[at].text == "the"
        people, behind = _by_a_word(scene, lexicon, tokens, at)
        if people is None or not people.ids:
            break
        found |= {*people.ids}
        if not named or tokens[at - 1].text == "and" or tokens[at - 2].text == "and":
            named.append(({*found}, behind))
        joined = behind < len(tokens) and tokens[behind].text in (",", "and", "&")
        if not joined:
            break
        at = behind + 1 + (tokens[behind].text == "," and behind + 1 < len(tokens) and tokens[behind + 1].text == "and")
    return named[-1] if named else (set(), place)


def _counted(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return the combatants that a number and the plural of a kind name, if the kind has that many: three orcs."""
    number = tokens[place].number
    if number is None or number.sign or number.summed or place + 1 >= len(tokens):
        return None
    end = place + 1
    while end + 1 < len(tokens) and tokens[end].text in ("of", "the"):
        end += 1
    found, plural = (
        scene.family(tokens[end].text, loosely=not lexicon.senses(tokens[end].text))
        if tokens[end].kind == "word"
        else ((), False)
    )
    follows = end + 1 < len(tokens) and tokens[end + 1].kind in ("number", "range")
    if plural and number.value == 1 and number.spelled and tokens[place + 1].text == "of":
        return People((), options=found, base=tokens[end].text, count=1), end + 1  # one of the gobs
    if found and not plural and number.value == 1 and number.spelled and not follows:
        up = tuple(who for who in found if scene.status(who) == "up") or found
        only = up if len(up) == 1 else ()
        return People(only, options=() if only else up, base=tokens[end].text), end + 1  # one gob
    if plural and number.value > 1 and not follows and (number.spelled or number.value < 10):
        if number.value == len(found):
            return People(found, group=True, base=tokens[end].text, plural=True), end + 1
        up = tuple(who for who in found if scene.status(who) == "up")
        if number.value == len(up):
            return People(up, group=True, base=tokens[end].text, plural=True), end + 1
        return People((), options=found, base=tokens[end].text, plural=True, count=number.value), end + 1
    return None


def _numbers_alone(
    scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int, before: list[Item]
) -> tuple[People | None, int]:
    """Return the combatants that numbers alone name after a comma, of the kind named before: hobs 1-3 on dorn, 4-6 on elspeth."""
    if other := _instead_of(scene, tokens, place, before):
        return other, place + 1
    if not before or before[-1].text not in (",", ";", "and", "&", ".", "n"):
        return None, place
    if tokens[place].kind != "range":
        behind = tokens[place + 1 : place + 2]
        joined = (
            behind and behind[0].text in ("and", "&") and place + 2 < len(tokens) and tokens[place + 2].kind == "number"
        )
        verb = (
            behind
            and behind[0].kind == "word"
            and not any(sense.kind == "type" for sense in lexicon.senses(behind[0].text))
            and any(
                sense.is_verb and sense.kind in ("strike", "shoot", "move", "leave")
                for sense in lexicon.senses(behind[0].text)
            )
        )
        alone = len(before) == 2 or (len(before) > 2 and before[-3].kind == "mark")
        aims = alone and behind and behind[0].text in ("on", "at", "vs", "v", "both", "all")
        if not (joined or verb or aims or _goes_on_with_one(lexicon, tokens, place, before)):
            return None, place
    base = next((item.who.base for item in before if item.who and item.who.base and item.who.plural), "")
    if not base and len(before) > 1 and (one := before[-2].who) is not None and len(one.ids) == 1:
        base = one.base  # gnoll 3, 4 on Ames
    numbers, end = _numbers(tokens, place, several=True)
    whom = tuple(scene.one_of_family(base, number, loosely=True) for number in numbers) if base else ()
    of_them = next((at for at, who in enumerate(whom) if not who), len(whom))
    if tokens[place].kind != "range" and 0 < of_them < len(whom):  # gob 2 and 3, 10 fire each
        whom, end = whom[:of_them], _numbers_end(tokens, place, of_them)
    return (People(whom, base=base, plural=True), end) if whom and all(whom) else (None, place)


def _instead_of(scene: Scene, tokens: Sequence[Token], place: int, before: Sequence[Item]) -> People | None:
    """Return whom a number at the end of a correction names, of the kind named before; None if it is none: it was kobold 2, not 3."""
    ends = place + 1 == len(tokens) or tokens[place + 1].kind == "mark"
    denied = bool(before) and before[-1].text in ("not", "instead of", "rather than")
    if not (ends and denied) or any(item.number and not item.who for item in before):
        return None
    one = next((item.who for item in reversed(before) if item.who and item.who.base), None)
    number = tokens[place].number
    if one is None or one.plural or number is None or number.summed:
        return None
    whom = scene.one_of_family(one.base, number.value, loosely=True)
    return People((whom,), base=one.base) if whom and whom not in one.ids else None


def _goes_on_with_one(lexicon: Lexicon, tokens: Sequence[Token], place: int, before: Sequence[Item]) -> bool:
    """Say whether a number after a member of a kind and a joining word names another member, and is no amount: gob 2 and 3."""
    names = len(before) > 1 and before[-2].who is not None and before[-2].text[-1:].isdigit()
    kinds = {sense.kind for token in tokens[place + 1 : place + 2] for sense in lexicon.senses(token.text)}
    told = any(item.is_verb() for item in before) and not kinds.isdisjoint(("hit", "miss"))
    counted = not kinds.isdisjoint(("type", "length", "unit", "damage", "points"))
    return names and before[-1].kind == "word" and not (told or counted or _is_amount(tokens, place + 1))


def _numbers(tokens: Sequence[Token], place: int, *, several: bool) -> tuple[list[int], int]:
    """Return the numbers of a list at a place, and where it ends: 1-3; 2, 3 and 4; 2 + 3."""
    found: list[int] = []
    end = place
    closed = False
    while end < len(tokens):
        token = tokens[end]
        if token.kind == "range" or (token.kind == "square" and not token.typed.startswith("(")):
            found += token.values
        elif (
            token.kind == "number"
            and token.number
            and (not token.number.sign or (token.number.sign == "+" and found))
            and not token.number.summed
        ):
            found.append(abs(token.number.value))
        elif token.number and token.number.summed and several and re.fullmatch(r"\d{1,3}(\+\d{1,3})+", token.typed):
            found += map(int, token.typed.split("+"))  # orcs 1+2
        else:
            break
        end += 1
        skip = end
        while skip < len(tokens) and tokens[skip].text in (",", "and", "&", "+", "n", "/"):
            skip += 1
        behind = tokens[skip + 1].text if skip + 1 < len(tokens) else ""
        ended = closed and tokens[end:skip] and tokens[end].text == "," and behind not in (",", "and", "&", "n", "+")
        closed = closed or any(each.text in ("and", "&", "n") for each in tokens[end:skip])
        if (
            not several
            or ended  # sleep on orcs 1 and 2, 3 saves
            or skip >= len(tokens)
            or tokens[skip].kind not in ("number", "range")
            or (skip == end and (tokens[skip].number or Number(0)).sign != "+" and not _is_listed(tokens, skip))
        ):
            break
        end = skip
    return found, end


def _is_listed(tokens: Sequence[Token], place: int) -> bool:
    """Say whether a number without a mark before it continues a list, because a word or another number joined by "and"
    follows: gnolls 6 7 8 drop, ghouls 2 3 n 4.
    """
    at = place
    while at < len(tokens) and tokens[at].kind == "number" and not (tokens[at].number or Number(0)).summed:
        at += 1
    behind = tokens[at] if at < len(tokens) else None
    plain = all(not (token.number or Number(0)).sign and not token.glued for token in tokens[place:at])
    return plain and behind is not None and behind.kind == "word" and not _is_amount(tokens, at)


SHORTEST_SLIP = 4
"""The fewest letters of a misspelt name after an article, where a short word is a thing."""
_BEFORE_A_NAME = ("", ",", "and", "&", "on", "at", "to", ":", ";")
"""The words and marks before a name that is a single letter; "" at the beginning of a line."""


def _by_a_word(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int) -> tuple[People | None, int]:
    """Return the combatants that a word names, perhaps with numbers after it: hob 1, bandits 2 + 3, the goblins, capt."""
    if place >= len(tokens) or tokens[place].kind not in ("word", "ordinal"):
        return None, place
    token = tokens[place]
    word = folded(token.typed)
    senses = () if _is_beside_an_arrow(tokens, place) else lexicon.senses(token.text)
    measures = all(sense.kind in ("length", "unit") for sense in senses)
    before = tokens[place - 1].text if place else ""
    if (
        len(word) == 1
        and before in _BEFORE_A_NAME
        and word not in forms.words(scene.state.rules.rules)
        and all(sense.kind in ("class", "for", "segment") for sense in senses)
    ):
        senses = ()  # f moves 20, on b,f: no letters that stand for words
    if senses and all(sense.kind in ("interjection", "hesitation") for sense in senses):
        senses = ()  # a name may begin like this
    if senses and _is_initials_of_somebody(lexicon, tokens, place):
        senses = ()
    behind_level = place > 1 and tokens[place - 2].text in ("l", "lv", "lvl", "level")
    if measures and (behind_level or not (place and tokens[place - 1].kind in ("number", "range", "dice"))):
        senses = ()  # on b and m, where m is no unit of length
    loosely = not senses or (len(word) > 1 and token.typed.isupper() and len(word) < 4)
    behind = place + 1
    skip = behind
    if (
        skip < len(tokens)
        and tokens[skip].text in ("-", "#", "no", "no.", "number", "nr")
        and skip + 1 < len(tokens)
        and tokens[skip + 1].kind == "number"
    ):
        skip += 1
        if tokens[skip].text == ".":
            skip += 1
    if two := _two_words(scene, tokens, place):
        return two
    if skip < len(tokens) and (tokens[skip].kind in ("number", "range") or _is_pair(scene, tokens[skip], word)):
        family, plural = scene.family(word, loosely=loosely)
        glued = tokens[behind].glued
        listed = (
            plural
            or tokens[skip].kind in ("range", "square")
            or (family and skip + 2 < len(tokens) and tokens[skip + 1].text in ("and", "&", "+", "n"))
            or (family and skip + 1 < len(tokens) and _is_added(scene, tokens[skip + 1], word))
        )
        numbers, end = _numbers(tokens, skip, several=bool(listed))
        whom = tuple(scene.one_of_family(word, number, loosely=loosely or glued) for number in numbers)
        if tokens[skip].kind == "range" and not all(whom):
            return None, place  # no range of those in the fight: crawler 1 - 17
        while not glued and len(whom) > 1 and not all(whom):  # the last is no number of theirs: orcs 1, 2, 15
            numbers, whom = numbers[:-1], whom[:-1]
            end = _numbers_end(tokens, skip, len(numbers))
        amount = not glued and skip == behind and tokens[skip].kind == "number" and _is_amount(tokens, end)
        if (
            whom
            and all(whom)
            and not amount
            and not (plural and len(numbers) == 1 and tokens[skip].kind == "number" and not glued)
        ):
            return People(whom, base=word, plural=len(whom) > 1), end
        either = [kind[numbers[0]] for kind in scene.shortened(word) if numbers[0] in kind] if len(numbers) == 1 else []
        if len(either) > 1 and not amount:
            return People((), options=tuple(either), base=word), end
        if glued and not family:
            return (_placed(scene, tokens, place) if skip == behind else None), behind
    if behind < len(tokens) and tokens[behind].text == "all" and not senses:
        families = [whole for base, whole in scene.families.items() if base.startswith(word)]
        if len(families) == 1:  # g all 11
            return People(tuple(families[0].values()), group=True, base=word, plural=True), behind + 1
    family, plural = scene.family(word, loosely=loosely)
    if plural and family:
        return People(family, group=True, base=word, plural=True), behind
    found, slip = scene.named(word, loosely=loosely)
    if slip and before in ARTICLES and len(word) < SHORTEST_SLIP:
        found, slip = (), False  # the pit, and nobody called Pim
    if senses and found and word not in scene.called and not family and not _heads(word, found):
        return None, place
    if not found and family:
        found = family
    if len(found) == 1:
        longer = (
            slip and before in ARTICLES and any(word.startswith(each) for each in scene.parts)
        )  # the orca is no orc
        doubtful = not (
            has_one_slip(scene, word, found[0]) or _is_surely_short(scene, lexicon, tokens, place, found[0])
        )
        likely = longer or (slip and doubtful)
        return People(found, slip=slip, likely=likely, base=word), behind
    if found:
        if whole := _side_of_all(scene, word):
            return whole, behind
        return People((), options=found, slip=slip, base=word), behind
    return None, place


def _is_surely_short(scene: Scene, lexicon: Lexicon, tokens: Sequence[Token], place: int, who: str) -> bool:
    """Say whether letters where a name stands are those of one combatant alone, from the first letter on: GT hits Bo; zmb dies."""
    word = folded(tokens[place].typed)
    sole = abbreviates(word, who.split("-", maxsplit=1)[0]) and not scene.shortened(word)
    return sole and (tokens[place].typed.isupper() or len(word) > 2) and _stands_as_a_name(lexicon, tokens, place)


def _is_initials_of_somebody(lexicon: Lexicon, tokens: Sequence[Token], place: int) -> bool:
    """Say whether two or three capitals, which may also mean a level or a rating, stand where only a name does: HD hits Bo, Bo hits HD."""
    typed = tokens[place].typed
    if not (1 < len(typed) < 4 and typed.isupper() and _stands_as_a_name(lexicon, tokens, place)):
        return False
    subject = not place or not _is_blow(lexicon, tokens[place - 1])
    return subject or all(sense.kind in ("rating", "class") for sense in lexicon.senses(typed.casefold()))


def _stands_as_a_name(lexicon: Lexicon, tokens: Sequence[Token], place: int) -> bool:
    """Say whether a word stands as the subject of what somebody does or suffers, or right behind a blow."""
    behind = tokens[place + 1 : place + 2]
    begins = not place or tokens[place - 1].text in (",", ";", ".", "and", "&", "the")
    acts = begins and any(sense.is_verb for token in behind for sense in lexicon.senses(token.text))
    return acts or (place > 0 and _is_blow(lexicon, tokens[place - 1]))


def _is_blow(lexicon: Lexicon, token: Token) -> bool:
    return any(
        sense.is_verb and sense.kind in ("strike", "shoot", "hit", "miss") for sense in lexicon.senses(token.text)
    )


def _is_beside_an_arrow(tokens: Sequence[Token], place: int) -> bool:
    """Say whether a word touches an arrow, where only names stand: s>g2."""
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    after = place > 0 and tokens[place].glued and tokens[place - 1].text in (">", "->")
    return after or (behind is not None and behind.glued and behind.text in (">", "->"))


def _placed(scene: Scene, tokens: Sequence[Token], place: int) -> People | None:
    """Return the combatants that letters touching a number mean in a line of initiative: init k14 b6; None if there is none, or several."""
    if tokens[0].text not in ("init", "initiative", "inits", "i"):
        return None
    found = [one.id for one in scene.here if one.id.startswith(folded(tokens[place].typed))]
    return People((found[0],)) if len(found) == 1 else None


def _two_words(scene: Scene, tokens: Sequence[Token], place: int) -> tuple[People, int] | None:
    """Return the members of a kind whose name is two words, in the plural: the marsh ghouls; whoever has two words as one: Thunder Fist."""
    if place + 1 >= len(tokens) or tokens[place + 1].kind != "word":
        return None
    parts = [tokens[place].typed, tokens[place + 1].typed]
    joined = scene.called.get(folded("".join(parts)), []) if min(map(len, parts)) > 2 else []  # b o are two names
    if len(joined) == 1 and not scene.exactly(folded(parts[0])):
        return People(tuple(joined), base=tokens[place].text), place + 2
    if place + 2 < len(tokens) and tokens[place + 2].kind in ("number", "range"):
        return None
    name = f"{folded(tokens[place].typed)}-{folded(tokens[place + 1].typed)}"
    family, plural = scene.family(name, loosely=False)
    return (People(family, group=True, base=name, plural=True), place + 2) if family and plural else None


def _is_pair(scene: Scene, token: Token, word: str) -> bool:
    """Say whether two numbers with a comma between them are two members of a kind, and no square: ORC 1,3."""
    whom = [scene.one_of_family(word, number, loosely=False) for number in token.values]
    return token.kind == "square" and not token.typed.startswith("(") and all(whom)


def _is_added(scene: Scene, token: Token, word: str) -> bool:
    """Say whether a number after a plus is one more member of a kind: ettercap 1 + 2."""
    number = token.number
    return bool(
        number and number.sign == "+" and not token.glued and scene.one_of_family(word, number.value, loosely=True)
    )


def _heads(word: str, found: Iterable[str]) -> bool:
    """Say whether a word is the last in the names of those it can mean, and so their kind: chief of bugbear chief."""
    return all(re.sub(r"-?\d+$", "", who).split("-")[-1] == word for who in found)


def _side_of_all(scene: Scene, word: str) -> People | None:
    side = scene.side(word)
    return People(scene.of_side(side), group=True, side=side, base=word, plural=True) if side else None


def _numbers_end(tokens: Sequence[Token], place: int, count: int) -> int:
    """Return where this many numbers of a list end."""
    end, seen = place, 0
    while end < len(tokens) and seen < count:
        seen += 1 if tokens[end].kind == "number" else len(tokens[end].values) if tokens[end].kind == "range" else 0
        end += 1
    return end
