"""Frames of a whole line: initiative, newcomers, remarks, rulings, questions, corrections, bot commands."""

import re
from collections.abc import Callable, Sequence

from projections.grammar.line_context import Gap
from projections.open_types import Facts
from projections.reader import areas, corrections, initiative, joining, remains, sides, undoing
from projections.reader.composition import Reading
from projections.reader.dictionary import listed
from projections.reader.lexicon import ARTICLES
from projections.reader.scene import Scene
from projections.reader.tags import Item


def readings(scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return the meanings of a line as a whole, the best first; None if its clauses are to be read."""
    if all(item.kind == "mark" for item in items):
        return []
    for frame in WHOLE:
        if (found := frame(scene, items, line)) is not None:
            return found
    return None


def _remark(_scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return a line that is marked as a remark."""
    bare = line.strip()
    if bare.startswith("//"):
        return _noted(bare.lstrip("/ "))
    first = items[0]
    if _reminds(items):
        return _noted(bare)
    if not first.is_("note") or first.kind != "word":
        return None
    marked = len(items) > 1 and items[1].text in (":", "-", ",", "–", "—")
    if marked or first.text in ("note", "nb", "remark", "fyi", "reminder", "memo", "btw", "ooc"):
        plain = first.text in ("note", "note:", "nb", "n.b.", "remark", "memo", "comment")
        text = line[items[1].start if marked else first.end :].lstrip(" :,-–—") if plain else bare
        return _noted(text)
    return None


def _reminds(items: list[Item]) -> bool:
    """Say whether a line is only a reminder: remember, Pip saw a key. A report of points, states or blows may be a forgotten deed."""
    return items[0].is_("reminder") and len(items) > 3 and not may_be_a_deed(items[1:])


def of_the_table(items: Sequence[Item], line: str) -> list[Reading]:
    """Return a sentence about the players as a remark, where it names nobody in the fight and nothing in it can be a deed; nothing for others."""
    words = [item for item in items if item.kind == "word"]
    named = any(
        item.who is not None or (item.typed[:1].isupper() and item.text != "i" and not item.senses)
        for item in items[1:]
    )
    if named or len(words) < 4 or items[0].who or not any(item.is_("at_the_table") for item in items):
        return []
    return [] if may_be_a_deed(items) else _noted(line) or []


def tally(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return that each of several loses so many points, which is likely only, where a line names one behind the other with a number each, perhaps behind what it comes of and a colon: the barrel bursts: Ana 4, Bo 4."""
    colon = next((at for at, item in enumerate(items) if item.text == ":"), -1)
    heading, behind = items[: max(colon, 0)], items[colon + 1 :]
    remark = next((at for at, item in enumerate(behind) if item.text == "("), len(behind))  # 0 on Bo (evasion)
    listed_ = [
        item
        for item in behind[:remark]
        if item.kind != "mark" and (item.is_("against") or not item.is_("and", "filler", "damage", "points"))
    ]
    pairs = [*zip(listed_[::2], listed_[1::2], strict=False)]
    if all(item.number is not None for item in listed_[::2]):
        pairs = [(who, number) for number, who in pairs]  # 49 on Bram, 0 on Nyx
    plain = len(pairs) > 1 and len(listed_) == 2 * len(pairs) and not scene.unordered
    if not plain or any(item.number is not None or item.values for item in heading):
        return []
    facts: Facts = []
    for one, other in pairs:
        number = other.number
        if one.who is None or not one.who.ids or number is None or number.sign == "+" or other.values:
            return []
        facts += [{"type": "damage_dealt", "target": who, "amount": number.value} for who in one.who.ids]
    return [Reading([fact for fact in facts if fact["amount"]], ("damage",), (), 1)]


_TOLD = (
    "condition",
    "status_dead",
    "status_down",
    "hit",
    "miss",
    "damage",
    "points",
    "temporary",
    "save",
    "initiative",
    "concentration",
)
_DEEDS = tuple(
    listed(
        "strike, shoot, hit, miss, cast, take, deal, heal, die, kill, fell, fall_prone, impose, save, leave, join, surrender, rise"
    )
)


def may_be_a_deed(items: Sequence[Item]) -> bool:
    """Say whether a number, a state or a verb of blows and spells occurs, so that the line may report a deed."""
    before = [None, *items]
    for one, item in zip(before, items, strict=False):
        if item.number is not None or item.values or item.kind == "dice":
            return True
        noun = one is not None and one.text in (
            "'s",
            "a",
            "an",
            "the",
            "his",
            "her",
            "its",
            "their",
            "my",
            "our",
            "your",
        )
        if (
            not noun
            and item.who is None
            and not item.is_("filler", "at_the_table")
            and (item.is_(*_TOLD) or item.is_verb(*_DEEDS))
        ):
            return True
    return False


def _noted(text: str) -> list[Reading] | None:
    return [Reading([{"type": "noted", "text": text.strip()}], ("note",))] if text.strip() else None


def _ruling(_scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return a ruling of the game master."""
    start = 1 if items[0].text in ("the", "a") and len(items) > 2 else 0
    if not items[start].is_("ruling") or len(items) < start + 2:
        return None
    if items[start].text == "rule" and items[start + 1].text not in (":", "-", ","):
        return None
    rest = line[items[start].end :].lstrip(" :,-–—")
    rest = re.sub(r"^that\s+", "", rest)
    return [Reading([{"type": "ruling_made", "ruling": "fact", "decision": rest}], ("ruling",))] if rest else None


def _undo(scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return that the last line is taken back, with the reason, or what of it may be meant alone."""
    if part := undoing.part_taken_back(scene, line):
        return part
    ways = (
        undoing.taken_back(line),
        undoing.taken_back(line[items[0].start :]),
    )  # without an interjection before it
    reason = next((each for each in ways if each is not None), None)
    if reason is None:
        return None
    behind = [item for item in items if item.start >= len(line.rstrip()) - len(reason)] if reason else []
    plain = (
        all(
            item.kind == "mark" or item.is_("undo_filler", "undo", "filler", "correction", "critical")
            for item in behind
        )
        or undoing.taken_back(reason) == ""
    )
    if _tells_a_deed(behind):
        scene.gap = _AND_REPORTS
        return []
    if any(item.number is not None and item.text != "one" for item in behind):
        return None
    amended = [] if plain else corrections.correction(scene, behind, cued=True) or []
    if amended and not (amended[0].guesses or amended[0].unread):
        return amended  # scratch that, it was on Bo, not Ana
    if amended:
        scene.gap = None
        return amended
    if not plain and _reports(behind):
        scene.gap = _AND_REPORTS
        return []
    return [Reading([], ("undo",), rest="undo", words="" if plain else reason)]


_AND_REPORTS = Gap(
    "this takes a line back, and reports something else", "u takes it back; write a line for what happened"
)


def _reports(items: Sequence[Item]) -> bool:
    """Say whether items begin with somebody, or a pronoun for them, and a verb in the past, and say no reason: it grabbed Bo."""
    told = [item for item in items if item.kind != "mark"]
    subject = told[:1] and (told[0].who is not None or told[0].is_("pronoun_subject"))
    outcome = any(item.is_("hit", "miss") or (item.is_verb() and item.typed.endswith("ed")) for item in told[1:2])
    return bool(subject) and outcome and not any(item.is_("not") for item in told)


def _tells_a_deed(items: Sequence[Item]) -> bool:
    """Say whether items begin as a line about a present deed, and no reason: ana hits gob; not ana had missed."""
    verb = items[1] if len(items) > 1 and items[0].who else None
    return verb is not None and verb.is_verb() and re.search(r"[^s]s$", verb.typed) is not None


def _question(scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return a question, as the address or the words that answer it."""
    asked = _without_lead(items)
    words = [item for item in asked if item.kind != "mark"]
    if not is_question(items, line):
        return None
    marked = line.rstrip().rstrip(")").endswith("?") or asked is not items
    line = line[asked[0].start :]
    found = {sense.kind for item in words for sense in item.senses}
    texts = {item.text for item in words}
    typed = [item.text for item in words]
    numbers = [item.number.value for item in words if item.number]
    if texts & {"finding", "breach"} and len(numbers) == 1:
        return [Reading([], rest="why", words=f"finding {numbers[0]}")]
    behind = words[next((at for at, item in enumerate(words) if item.who), len(words)) :]
    if typed[:2] == ["how", "much"] and any(item.is_verb("deal") for item in behind):
        return []  # how much damage did gob do, which no command answers
    if typed[:2] in (["how", "long"], ["how", "much"]) or typed[0] == "when":
        return [Reading([], rest="why", words=_of_time(line))]
    if {*typed} - {"ok", "so", "and", "now"} <= {"next", "up"}:
        return [Reading([], rest="who", words="is next")]
    if of_whom := _those_who(items):
        return [Reading([], rest="who", words=of_whom)]
    whom = [item.who for item in words if item.who and (item.who.ids or item.who.options)]
    who = whom[0].ids[0] if whom and len(whom[0].ids) == 1 else ""
    those = [one for people in whom for one in people.ids] or [one.id for one in scene.here]
    points = found & {"points"} or (whom and texts & {"on", "at", "hurt", "hp"})
    known = whom or all(item.is_("points", "question", "filler", "become") for item in words)
    if points and known and 1 < len(those) <= MOST_ASKED_ABOUT and not texts & {"why", "after", "before"}:
        return [Reading([], rest="why", words=f"{' '.join(those)} hp")]
    if typed[:2] == ["how", "many"] and whom and not points:
        return [Reading([], rest="who", words="is standing")]
    if len(whom) > 1 and not texts & {"after", "before", "next"}:
        return []
    if "may" in texts or texts & {"options", "available"} or ({"what", "can"} <= texts and "do" in texts):
        return [Reading([], rest="why", words=f"may {who}".strip())]
    if who and "turn" in texts:
        return [Reading([], rest="why", words="order")]
    if who:
        if found & {"points"} or texts & {
            "hp",
            "life",
            "hurt",
            "low",
            "health",
            "damage",
            "left",
            "alive",
            "at",
            "bloodied",
        }:
            return [Reading([], rest="why", words=f"{who}.hp")]
        if "armor" in found:
            return [Reading([], rest="why", words=f"{who}.ac")]
        of_a_state = "condition" in found and (marked or typed[0] in ("is", "are", "was"))
        if of_a_state or texts & {"condition", "conditions", "under", "effects", "affected"}:
            field = "effects" if texts & {"effects", "spells"} else "conditions"
            return [Reading([], rest="why", words=f"{who}.{field}" if scene.state.rules.key else who)]
        if texts & {"after", "before"}:
            return [Reading([], rest="why", words="order")]
        return [Reading([], rest="why", words=who)]
    if (
        found & {"next", "turn", "up", "round"}
        or texts
        & {"next", "turn", "up", "order", "initiative", "init", "goes", "dran", "acts", "casting", "round", "segment"}
        or "initiative" in found
    ):
        if texts & {"round", "segment"}:
            return [Reading([], rest="why", words="round")]
        return [Reading([], rest="why", words="order")]
    return [Reading([], rest="why", words="order")] if texts & _WHO else []


MOST_ASKED_ABOUT = 12
"""The most combatants whose hit points one question asks for."""


def _those_who(items: Sequence[Item]) -> str:
    """Return a question about all combatants, in the words of the notation: whose turn is it now, who is next, which of
    them are still standing; "" for others.
    """
    said = [
        item for item in items if item.kind == "word" and item.text not in ("ok", "okay", "so", "and", "but", "hey")
    ]
    first = said[0].text if said else ""
    if first not in _OF_WHOM or any(item.who and not item.who.group and item.text != "it" for item in items):
        return ""
    texts = {item.text for item in said}
    if texts & {"after", "before", "acted", "finding"}:
        return ""
    state = next((item.text for item in said[1:] if item.is_("condition") or item.text in _STANDING), "")
    if state:
        return f"is {state}"
    if any(item.is_("next") for item in said):
        return "is next"
    return "turn is it" if any(item.is_("turn", "up") for item in said) else ""


_OF_WHOM = ("who", "who's", "whos", "whose", "which", "anyone", "anybody")
_STANDING = ("standing", "alive", "left", "conscious", "remaining", "fighting", "down", "dead", "unconscious")


def is_question(items: Sequence[Item], line: str) -> bool:
    """Say whether a line is a question."""
    asked = _without_lead(items)
    words = [item for item in asked if item.kind != "mark"]
    alone = len(words) == 2 and words[0].text == "finding" and words[1].number is not None
    marked = line.rstrip().rstrip(")").endswith("?") or asked is not items
    return bool(words) and (marked or alone or _asks(words) or _names_a_value(words))


def _names_a_value(words: Sequence[Item]) -> bool:
    """Say whether words are only somebody and a value of theirs, which is no fact: hp of Dan, Dan's ac."""
    whom = [item for item in words if item.who is not None]
    values = [item for item in words if item.who is None and item.is_("points", "armor")]
    rest = {item.text for item in words if item not in (*whom, *values)}
    return len(whom) == len(values) == 1 and rest <= {"of", "for", *ARTICLES}


def _of_time(line: str) -> str:
    """Return a question about a duration or its end, in the words of the notation."""
    asked = line.strip().rstrip("?").strip()
    return re.sub(r"(?i)^how much longer", "how long", asked)


_WHO = frozenset(["who", "who's", "whos", "whose", "anyone", "wer"])
_ASKING = frozenset(
    [
        "who",
        "what",
        "how",
        "why",
        "when",
        "where",
        "which",
        "whose",
        "whats",
        "whos",
        "hows",
        "wheres",
        "wer",
        "wie",
        "whom",
    ]
)


_ASKED = (
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "everyone",
    "everybody",
    "it",
    "i",
    "we",
    "you",
    "he",
    "she",
    "they",
    "there",
)
"""Subjects of a question that begins with its verb: is it Ana's turn, am I up, does anyone."""
_LEADING = frozenset(
    listed("remind, tell, show, know, wonder, wondering, sure, see, say, ask, asking, question, forgot, forget")
)
"""Words before a question within a sentence: does anybody know whose turn it is, remind me what Bo's AC is."""
_LEADS = _LEADING.union(
    listed(
        "me, us, i, we, you, can, could, would, does, do, need, want, like, to, just, please, someone, somebody, anyone, anybody,"
        "not, quick, sorry, ok, okay, so, and, hey, again, let, out, about, was, of, for"
    )
)
"""These, and the words around them."""


def _without_lead(items: Sequence[Item]) -> Sequence[Item]:
    """Return the items of a question without an introduction: remind me who's next; tell me bo's hp."""
    place = 0
    while (
        place < len(items) and (items[place].text in _LEADS or items[place].kind == "mark") and items[place].who is None
    ):
        place += 1
    lead = [item.text for item in items[:place] if item.kind != "mark"]
    asked = items[place:]
    if not asked or not _LEADING.intersection(lead) or any(item.number is not None for item in asked):
        return items
    of_somebody = lead[-2:] in (["tell", "me"], ["show", "me"], ["remind", "me"], ["tell", "us"], ["me", "of"])
    of_somebody = of_somebody and asked[0].who is not None and (len(asked) < 2 or asked[1].text == "'s")
    return asked if asked[0].text in _ASKING or of_somebody else items


def _asks(words: Sequence[Item]) -> bool:
    """Say whether a line begins as a question does: who, what's, how much; is Gwen still casting; ok who's next."""
    opens = (at for at, item in enumerate(words) if item.text in _ASKING or not item.is_("filler", "correction"))
    at = next(opens, 0)
    first = words[at]
    if at and first.text == "who" and words[at - 1].text in ("those", "ones", "all", "each", "anyone", "everyone"):
        return False  # those who failed are burning
    if first.text in _ASKING:
        return first.text == "why" or not any(item.number is not None for item in words)
    said = [item for item in words if item.text not in ("ok", "okay", "so", "and", "but")]
    if not said:
        return False
    first, *behind = said
    verbs = ("is", "are", "does", "did", "do", "can", "could", "may", "should", "would", "was", "were", "has", "have")
    subject = next((item for item in behind if item.text not in ARTICLES), None)
    if first.text not in verbs or subject is None or len(behind) < 2:
        return False
    return subject.who is not None or subject.text in _ASKED or (subject.is_("fight") and behind[0].text == "the")


def _armor(_scene: Scene, items: list[Item], _line: str) -> list[Reading] | None:
    """Return the armour class that a combatant has from now on: the ogre's ac is 14, ac of Bo is now 17."""
    whom = [item.who.ids for item in items if item.who]
    numbers = [item.number for item in items if item.number]
    others = [item for item in items if not (item.who or item.number or item.kind == "mark")]
    plain = all(item.is_("armor", "become", "filler", "from", "to") for item in others)
    says = any(item.is_("become") and item.text != "now" for item in others) and any(
        item.is_("armor") for item in others
    )
    if not (says and plain) or len(whom) != 1 or len(whom[0]) != 1 or len(numbers) != 1:
        return None
    if numbers[0] is None or numbers[0].sign or numbers[0].notation:
        return None
    return [
        Reading([{"type": "sheet_changed", "combatant": whom[0][0], "sheet": {"ac": numbers[0].value}}], ("armor",))
    ]


def _opening(scene: Scene, items: list[Item], _line: str) -> list[Reading] | None:
    """Return that the first round begins, where a line says only that the fight does, and no round has begun: let's begin; start the fight."""
    words = [item for item in items if item.kind != "mark"]
    plain = all(item.is_verb("begin") or item.is_("filler", "fight", "let", "leads", "interjection") for item in words)
    opens = scene.state.clock.round == 0 and not scene.goes_on
    if opens and " ".join(item.text for item in words) in _CALLS and scene.context.memory.placed:
        return [Reading([{"type": "round_started", "round": 1}], ("round",))]
    begins = any(item.is_verb("begin") for item in words) and opens
    if not (plain and begins) or any(item.who or item.number or item.is_("turn", "next") for item in words):
        return None
    return [Reading([{"type": "round_started", "round": 1}], ("round",))]


_CALLS = ("let is go", "let 's go", "let's go", "lets go", "let us go", "go", "go go", "fight")
"""What people call out as the first round begins, once there is an order."""


def _join(scene: Scene, items: list[Item], _line: str) -> list[Reading] | None:
    """Return the newcomers of a line."""
    said = items[1:] if items[0].text in _GOES_ON and len(items) > 1 else items
    return joining.newcomers(scene, joining.without_capitals(said)) or None


_GOES_ON = ("then", "now", "next", "finally", "suddenly", "meanwhile")
"""Words with which the next thing is told, before whoever joins."""


def _reveal(_scene: Scene, items: list[Item], _line: str) -> list[Reading] | None:
    """Return that a secret combatant is revealed, or that one who hides has the condition hidden."""
    if (
        items[0].is_verb("reveal")
        and len(items) == 2
        and items[1].who
        and len(items[1].who.ids) == 1
        and items[0].text in ("reveal", "reveals")
    ):
        return [Reading([], ("reveal",), rest="reveal", words=items[1].who.ids[0])]
    first, *behind = items
    seen = " ".join(item.text for item in behind if item.kind != "mark" and item.text not in _IS)
    whom = items[1].who if len(items) == 2 and items[0].is_verb("hide") and items[0].text == "hide" else None
    if whom and len(whom.ids) == 1:
        return [Reading([{"type": "condition_gained", "condition": "hidden", "targets": [*whom.ids]}], ("hide",))]
    if first.who and len(first.who.ids) == 1 and (seen in _SEEN or seen in _SHOWS):
        return [Reading([], ("reveal",), rest="reveal", words=first.who.ids[0])]
    return None


_SHOWS = frozenset(
    f"{verb} {whom}"
    for verb in ("reveals", "shows", "uncovers")
    for whom in ("itself", "himself", "herself", "themselves")
)
_IS = frozenset(["is", "was", "gets", "becomes", "stands", "now", "has", "been"])
_SEEN = frozenset(
    [
        "revealed",
        "seen",
        "spotted",
        "discovered",
        "noticed",
        "uncovered",
        "unmasked",
        "is no longer hidden",
        "no longer hidden",
    ]
)
"""Words for a hidden combatant who no longer is."""


def _one_instead(said: Sequence[Item]) -> str:
    """Return a number or a combatant, alone or instead of another, as a correction of the last line: 5, 5 not 6, not 6
    but 5; "" if the line is something else.
    """
    values = [_corrects(item) for item in said if item.text != "of"]
    if len(values) == 4 and values[0] == "not" and said[2].text in ("but", "rather"):
        values, said = [values[3], "not", values[1]], [said[3], said[0], said[1]]
    alike = len(values) == 3 and all(values) and bool(said[0].number) == bool(said[-1].number)
    return " ".join(values) if (len(values) == 1 and said[0].number) or (alike and values[1] == "not") else ""


def _corrects(item: Item) -> str:
    """Return a number, a combatant or "not", as a correction has them; "" for any other word."""
    if item.number and not item.number.sign and not item.number.summed and not item.values:
        return str(item.number.value)
    if item.who and len(item.who.ids) == 1:
        return item.who.ids[0]
    return "not" if item.text in _INSTEAD else ""


_INSTEAD = ("not", "and not", "instead", "instead of", "rather than")
"""Words between the right value and the wrong one."""
_WAS = ("that was", "it was", "make it", "should be", "should have been")
"""Words before the right value. "That's 5" may be a new report, and is a correction only after such a word."""
_IS_MEANT = ("that is", "it is", "that's", "it's", "that 's", "it 's")


def _is_starred(line: str) -> bool:
    """Say whether a line has the one star by which it corrects the last one: *8, 8 damage*."""
    bare = line.strip()
    return bare.count("*") == 1 and (bare.startswith("*") or bare.endswith("*"))


def _corrected(scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return a correction; of a number or a target alone, that of the last line: no, 5; that was orc-2 not orc-1; not 6 but 5."""
    marks = {item.end for item in items if item.kind == "mark"}
    cued = starred = _is_starred(line)
    said = [item for item in items if item.kind != "mark"]
    while said and said[0].is_("correction") and said[0].number is None:
        cued = cued or not said[0].is_verb() or any(said[0].end <= end < said[0].end + 2 for end in marks)  # wait, 5
        said = said[1:]
    for length in (3, 2, 1):
        before = " ".join(item.text for item in said[:length])
        if before in _WAS or (cued and before in _IS_MEANT):
            said, cued = said[length:], True
    if said and (cued or said[0].text == "not") and (words := _one_instead(said)):
        return [Reading([], ("correct",), rest="correct", words=words)]
    return corrections.correction(scene, items, cued=starred)


WHOLE: tuple[Callable[[Scene, list[Item], str], list[Reading] | None], ...] = (
    _remark,
    _ruling,
    _undo,
    _question,
    _reveal,
    _corrected,
    remains.standing,
    initiative.initiative,
    _armor,
    sides.side_said,
    _opening,
    _join,
    areas.readings,
)
"""The frames of whole lines, in the order in which they are tried."""
