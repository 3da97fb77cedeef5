"""Several acts of one combatant in one line, `bo stands up and attacks the ogre`, or declarations of several: each is read as a line of its own."""

import re
from collections.abc import Callable

from msgspec import structs

from eventstore.events import ActionTaken, AttackRolled, ConditionGained, DamageDealt, Healed, RulingMade, SaveRolled
from projections.grammar.line_context import LineContext
from projections.grammar.parsing import Parsed
from projections.grammar.phrases.choosing import listed, refers_back
from projections.grammar.phrases.moments import is_declared
from projections.grammar.phrases.reader import MOST_WORDS, Reader
from projections.grammar.tokens import NotUnderstood

JOINING = frozenset({"and", "then", ","})
"""The words and marks that join what one combatant does."""
PRONOUNS = frozenset({"it", "he", "she", "him", "her"})
"""The words for the target of the act before."""
BEFALLS = frozenset({"is", "dies", "falls", "drops", "goes", "dead", "down"})
"""The words behind a combatant's name, or a pronoun, for what befalls them."""
KILLS = frozenset({"killing", "kills", "kill"})
"""The words for the death of the target of the act before."""
REMARKS = frozenset({"note", "json"})
"""The forms whose lines tell of no act: a part that is one was not understood as an act."""
DECLARES = "declare"
"""The form of a declaration."""


def meant(context: LineContext, line: str, parse: Callable[[str], Parsed]) -> Parsed | None:
    """Return the meaning of a line that tells of several acts of one combatant, or what several declare, None if it is no such line.

    Raise NotUnderstood if its parts act at different times; a part that tells of no act has none of its own.
    """
    reader = Reader(context, line)
    lines, parts = _acts(_split(reader), parse, lambda name: reader.lexis.has("cure", name))
    if not parts and is_declared(context):
        lines = _lines_of_several(reader)
        parts = [part for part in _parsed(lines, parse) if part.form == DECLARES]
    if len(parts) < 2 or len(parts) < len(lines):
        return None
    if any(part.form == DECLARES for part in parts) and any(part.acts for part in parts):
        return None  # an act while others declare is not what a declaration says
    if any(part.form in REMARKS or part.rest or refers_back(part) for part in parts):
        return None
    if len({(part.facts[: part.moved], part.stays) for part in parts if part.acts}) > 1:
        raise NotUnderstood(
            1, "these do not act at one time", f"write a line for each: {listed(tuple(lines))}", parts=tuple(lines)
        )
    said = tuple(line for each, own in zip(parts, lines, strict=True) for line in each.said or (own,))
    return structs.replace(_together(parts), said=said, yields=False)


def _acts(
    said: list[tuple[str, str]], parse: Callable[[str], Parsed], is_cure: Callable[[str], bool]
) -> tuple[list[str], list[Parsed]]:
    """Return the lines of several acts of a combatant, or of what befalls their target, and their meanings; none if one has none.

    `said` are the words of each, with who acts, or "" where the words name a combatant themselves. Raise NotUnderstood if
    the doer or the target may be meant.
    """
    lines, parts = list[str](), list[Parsed]()
    for name, says in said if len(said) > 1 else ():
        target = _target(parts)
        line = (target and _befalls(says, target)) or f"{name} {_at_target(says, target)}".strip()
        try:
            part = parse(line)
        except NotUnderstood:
            return lines, []
        if target and line == f"{name} {says}":  # nothing of it says who is meant
            saves = _saves_last(parts) == target and _is_suffered(part)
            if _is_condition(part, says) and not saves:
                both = f"`{target} {says}` or `{line}`"
                raise NotUnderstood(1, f"this does not say who is {says}", f"write it as a line of its own: {both}")
            if saves or _is_status(part) or (_only_heals(part) and _cures(parts, is_cure)):
                line = f"{target} {says}"
                part = parse(line)
        lines.append(line)
        parts.append(part)
    return lines, parts


def _target(parts: list[Parsed]) -> str:
    """Return the one at whom another combatant acts in what was read so far; "" if nobody, or several."""
    facts = [fact for part in parts for fact in part.facts]
    whom = {who for fact in facts if isinstance(fact, ActionTaken) for who in fact.action.targets}
    whom |= {fact.target for fact in facts if isinstance(fact, AttackRolled) and fact.target}
    return whom.pop() if len(whom) == 1 else ""


def _befalls(says: str, target: str) -> str:
    """Return the line that tells what befalls a target, said without its name: it dies, killing it; "" if it is none."""
    first, _, rest = says.partition(" ")
    if rest and first in PRONOUNS:
        return f"{target} {rest}"
    if first in KILLS and (not rest or rest in PRONOUNS):
        return f"{target} dead"
    return ""


def _at_target(says: str, target: str) -> str:
    """Return words with the target of the act before in the place of a pronoun behind their verb: hits her for 3."""
    return re.sub(_OBJECT, target, says, count=1) if target else says


_OBJECT = r"(?i)(?<=\S )(him|her|it)(?=$|\s*[,.:;!(]|\s+([-+]?\d|for|with|twice|again))"


def _is_status(part: Parsed) -> bool:
    """Say whether a part only names a status, such as dead: behind an attack it is that of the target."""
    return all(
        isinstance(fact, RulingMade) and all(address.endswith(".status") for address in fact.values or ())
        for fact in part.facts
    )


def _only_heals(part: Parsed) -> bool:
    """Say whether a part only tells of healing, which behind a cure is that of its target."""
    return part.facts != () and all(isinstance(fact, Healed) for fact in part.facts)


def _is_suffered(part: Parsed) -> bool:
    """Say whether a part only tells of damage or a condition."""
    return all(isinstance(fact, ConditionGained | DamageDealt) for fact in part.facts)


def _saves_last(parts: list[Parsed]) -> str:
    """Return whose save was told of last, right before; "" if no save was."""
    last = parts[-1].facts[-1]
    return last.combatant if isinstance(last, SaveRolled) else ""


def _cures(parts: list[Parsed], is_cure: Callable[[str], bool]) -> bool:
    """Say whether the last act is a spell that is known as a cure."""
    acts = [fact.action for part in parts for fact in part.facts if isinstance(fact, ActionTaken)]
    return acts != [] and acts[-1].kind == "cast" and is_cure((acts[-1].name or "").casefold())


def _is_condition(part: Parsed, says: str) -> bool:
    """Say whether a part only names a condition, which may be said of the target as well."""
    return all(
        isinstance(fact, ConditionGained) and fact.condition.casefold() == says.casefold() for fact in part.facts
    )


def _parsed(lines: list[str], parse: Callable[[str], Parsed]) -> list[Parsed]:
    """Return what each of several lines means, nothing if one of them means nothing."""
    try:
        return [parse(each) for each in lines] if len(lines) > 1 else []
    except NotUnderstood:
        return []


def _together(parts: list[Parsed]) -> Parsed:
    """Return what several lines mean together; the clock moves as the first of them acts."""
    whole, *others = parts
    for part in others:
        facts = part.facts[part.moved :] if whole.acts else part.facts
        whole = structs.replace(
            whole,
            facts=(*whole.facts, *facts),
            stays=whole.stays or part.stays,
            acts=whole.acts or part.acts,
            thrown=(*whole.thrown, *part.thrown),
        )
    return whole


def _split(reader: Reader) -> list[tuple[str, str]]:
    """Return each act with who acts: the words up to the next joining word that a verb follows, or what befalls a combatant."""
    words = reader.words
    if not words or len(words) > MOST_WORDS or reader.options:
        return []
    name, first = _doer(reader)
    if not name:
        return []
    starts, ends = [first], []
    for at in range(first + 1, len(words) - 1):
        behind = next(place for place in range(at, len(words) + 1) if reader.text(place) not in JOINING)
        if (
            reader.text(at) in JOINING
            and at > starts[-1]
            and (_begins_an_act(reader, behind) or _is_said_of(reader, behind))
        ):
            ends.append(at)
            starts.append(behind)
    ends.append(len(words))
    parts = [
        (start, reader.line[words[start].start : words[end - 1].end])
        for start, end in zip(starts, ends, strict=True)
        if start < end
    ]
    return [("" if reader.names_combatant(start) and start != first else name, part) for start, part in parts]


def _is_said_of(reader: Reader, at: int) -> bool:
    """Say whether words at a place say what befalls the target of an act: it dies, orc-1 is down."""
    if reader.text(at) not in PRONOUNS and not reader.names_combatant(at):
        return False
    return reader.text(at + 1) in BEFALLS


def _lines_of_several(reader: Reader) -> list[str]:
    """Return a line for each who is named, or several who are, at the beginning or behind a joining word, with a verb behind the names."""
    words, starts, ends = reader.words, [0], []
    if not words or len(words) > MOST_WORDS or reader.options:
        return []
    named = _names_end(reader, 0)
    for at in range(1, len(words)):
        behind = next(place for place in range(at, len(words) + 1) if reader.text(place) not in JOINING)
        if reader.text(at) in JOINING and at > named and (end := _names_end(reader, behind)):
            ends.append(at)
            starts.append(behind)
            named = end
    ends.append(len(words))
    return [
        reader.line[words[start].start : words[end - 1].end].strip() for start, end in zip(starts, ends, strict=True)
    ]


def sentences(context: LineContext, line: str) -> list[str]:
    """Return the sentences of a line: each but the first begins with a combatant's name, or a pronoun, and a verb behind it."""
    reader = Reader(context, line)
    words, starts = reader.words, [0]
    if not words or len(words) > MOST_WORDS or reader.options or reader.is_question:
        return []
    for at in range(1, len(words)):
        behind = next(place for place in range(at, len(words) + 1) if reader.text(place) not in JOINING)
        divides = reader.text(at) in (*JOINING, ":") or _ends_a_sentence(reader, at)
        behind = at + 1 if reader.text(at) == ":" else behind + (reader.text(behind) == "the")
        if divides and behind > max(starts[-1], _names_end(reader, starts[-1])) and _begins_a_sentence(reader, behind):
            starts.append(behind)
    if reader.names_combatant(0) and not _begins_a_sentence(reader, 0):
        return []
    ends = [*(words[start].start for start in starts[1:]), len(line)]
    found = (reader.line[words[start].start : end] for start, end in zip(starts, ends, strict=True))
    return [_without_joining(each) for each in found]


def of_target(sentence: str, target: str) -> str:
    """Return a sentence with a pronoun as one that names the target of the act before."""
    first, _, rest = re.sub(r"(?i)^(he|she|it)['’]s ", r"\1 is ", sentence).partition(" ")
    return f"{target} {rest}" if target and rest and first.casefold() in PRONOUNS else _at_target(sentence, target)


def _ends_a_sentence(reader: Reader, at: int) -> bool:
    """Say whether the word before a place ends with a mark that divides sentences."""
    return reader.line[reader.words[at - 1].end :][:1] in (".", ";", "!")


def _begins_a_sentence(reader: Reader, at: int) -> bool:
    """Say whether a name, or a pronoun, and a verb behind it stand at a place."""
    if reader.text(at) in PRONOUNS:
        return reader.text(at + 1)[:1].isalpha() or reader.text(at + 1) == "'s"
    ends = (each.end for each in reader.people(at))
    return any(
        _begins_an_act(reader, end) or reader.text(end) in BEFALLS or re.fullmatch(r"[-+]\d+", reader.text(end))
        for end in ends
    )


def _without_joining(sentence: str) -> str:
    """Return a sentence without the marks and words at its end that join it to the next."""
    return re.sub(r"(?i)(\s*[,.;:!]|\s+(and|then|but))+\s*$", "", sentence).strip()


def _names_end(reader: Reader, at: int) -> int:
    """Return where the names end that begin at a place, if a verb follows them; 0 otherwise."""
    ends = (each.end for each in reader.people(at))
    return next((end for end in ends if _begins_an_act(reader, end)), 0)


def _doer(reader: Reader) -> tuple[str, int]:
    """Return who acts, as named at the beginning, or else whose turn it is, and where what they do begins; "" for nobody."""
    named = reader.one(0)
    if named:
        return reader.line[: reader.words[named.end - 1].end].strip(), named.end
    return (reader.context.state.clock.turn or "", 0) if _begins_an_act(reader, 0) else ("", 0)


def _begins_an_act(reader: Reader, at: int) -> bool:
    """Say whether a word can be a verb: no name, no number, nothing that is left out."""
    return reader.text(at)[:1].isalpha() and not reader.is_skipped(at) and not reader.names_combatant(at)
