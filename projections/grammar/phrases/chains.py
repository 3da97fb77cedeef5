"""Several acts of one combatant in one line, `bo stands up and attacks the ogre`, or declarations of several: each is read as a line of its own."""

import re
from collections.abc import Callable, Iterable

from msgspec import structs

from eventstore.events import ActionTaken, ConditionGained, Fact, Healed, SaveRolled
from eventstore.form import visible
from projections.grammar import cautions
from projections.grammar.line_context import LineContext
from projections.grammar.parsing import Parsed
from projections.grammar.phrases import outcomes
from projections.grammar.phrases.choosing import alternatives, listed, refers_back
from projections.grammar.phrases.moments import is_declared
from projections.grammar.phrases.reader import MOST_WORDS, Reader
from projections.grammar.phrases.sentences import BEFALLS, JOINING, begins_an_act, ends_a_sentence, is_awaited
from projections.grammar.tokens import NotUnderstood

PRONOUNS = frozenset({"it", "he", "she", "him", "her"})
"""The words for the target of the act before."""
EACH = frozenset({"each", "both", "all", "they"})
"""The words for all the targets of the act before."""
COPULAS = frozenset({"is", "are", "was", "were"})
"""The words before a state."""
KILLS = frozenset({"killing", "kills", "kill"})
"""The words for the death of the target of the act before."""
REMARKS = frozenset({"note", "json"})
"""The forms whose lines tell of no act: a part that is one was not understood as an act."""
REVEALS = "reveal"
"""The word for lines that reveal what is secret."""
DECLARES = "declare"
"""The form of a declaration."""


def meant(context: LineContext, line: str, parse: Callable[[str], Parsed]) -> Parsed | None:
    """Return the meaning of a line that tells of several acts of one combatant, or what several declare, None if it is no such line.

    Raise NotUnderstood if its parts act at different times; a part that tells of no act has none of its own.
    """
    reader = Reader(context, line)
    lines, parts = _acts(reader, _split(reader), parse)
    if not parts and is_declared(context):
        lines = _lines_of_several(reader)
        parts = [part for part in _parsed(lines, parse) if part.form == DECLARES]
    if len(parts) < 2 or len(parts) < len(lines):
        return None
    if any(part.form == DECLARES for part in parts) and any(part.acts for part in parts):
        return None  # an act while others declare is not what a declaration says
    if len({(part.facts[: part.moved], part.stays) for part in parts if part.acts}) > 1:
        raise NotUnderstood(
            1, "these do not act at one time", f"write a line for each: {listed(tuple(lines))}", parts=tuple(lines)
        )
    whole = parts[0]
    for part in parts[1:]:
        whole = _together(whole, part)
    cautions.check_behind(context, whole.facts, line)
    said = tuple(line for each, own in zip(parts, lines, strict=True) for line in each.said or (own,))
    return structs.replace(whole, said=said, yields=False)


def is_remark(context: LineContext, part: Parsed) -> bool:
    """Say whether a part tells of no act: a note that is not what a phrase says of a combatant, such as that a weapon is dropped."""
    about = (each.partition(" ")[2].partition(" ")[0] for each in part.said)
    return part.form in REMARKS and not any(who in context.state.combatants for who in about)


Said = tuple[str, str, int, int]
"""Words of a part with who acts ("" where the words name a combatant themselves), and where they begin and end in the line."""


def _acts(reader: Reader, said: list[Said], parse: Callable[[str], Parsed]) -> tuple[list[str], list[Parsed]]:
    """Return the lines of several acts of a combatant, or of what befalls their targets, and their meanings; none if one has none.

    A part that means nothing by itself, and names nobody, belongs to the one before it. Raise NotUnderstood if it may
    befall either.
    """
    told = _Told(reader, parse)
    for name, words, start, end in said if len(said) > 1 else ():
        if name and told.is_at_save() and told.goes_on(end):
            continue
        if not (told.take(name, words, start, end) or (name and told.goes_on(end))):
            return told.lines, []
    return told.lines, told.parts


class _Told:
    """The parts of a line that were read so far: their words, their lines and their meanings."""

    def __init__(self, reader: Reader, parse: Callable[[str], Parsed]) -> None:
        self.reader, self.parse = reader, parse
        self.said, self.lines, self.parts = list[Said](), list[str](), list[Parsed]()

    def take(self, name: str, says: str, start: int, end: int) -> bool:
        """Take in the next part; say whether it means anything. Raise NotUnderstood if it may befall either."""
        found = self._meant(name, says)
        if found is None:
            return False
        line, part = found
        if time := self._time_of_a_state(says, part):
            self._last_as_long(time)
        if self.parts:
            part = outcomes.behind(part, line, self.facts())
        self.said.append((name, says, start, end))
        self.lines.append(line)
        self.parts.append(part)
        return True

    def _time_of_a_state(self, says: str, part: Parsed) -> str:
        """Return how long a state lasts that is only named, with the time behind it, where the part before it names one without: deafened for 2 rounds."""
        before = self.parts[-1].facts if self.parts else ()
        is_timed = all(isinstance(fact, ConditionGained) and fact.duration for fact in part.facts)
        is_open = all(isinstance(fact, ConditionGained) and not (fact.duration or fact.detail) for fact in before)
        if not (before and is_open and is_timed and part.facts) or _bearers(before) != _bearers(part.facts):
            return ""
        reader = Reader(self.reader.context, says)
        times = [at for at in range(1, len(reader.words)) if reader.has("duration", at)]
        return says[reader.words[times[0]].start :] if times and reader.is_state(reader.text(0)) else ""

    def _last_as_long(self, time: str) -> None:
        """Let the state before another last as long, too; raise NotUnderstood if it is one that ends by an act and may be meant without."""
        name, says, start, end = self.said.pop()
        self.lines.pop()
        states = [fact.condition for fact in self.parts.pop().facts if isinstance(fact, ConditionGained)]
        if any(state.casefold() in self.reader.table.words["enduring"] for state in states):
            hint = f"write a line for each state, with its time: {' '.join(filter(None, (name, says, time)))}"
            raise NotUnderstood(1, f"this does not say whether {states[0]} lasts as long", hint)
        self.take(name, f"{says} {time}", start, end)

    def is_at_save(self) -> bool:
        """Say whether the last part tells of a save, of which the words behind it may say what comes: keeps concentration."""
        return len(self.parts) > 1 and isinstance(self.parts[-1].facts[-1], SaveRolled)

    def goes_on(self, end: int) -> bool:
        """Take the last part as one with the words up to this place, if they mean anything together; the first part stays as it is."""
        if len(self.parts) < 2:
            return False
        kept = self.said.pop(), self.lines.pop(), self.parts.pop()
        (name, _, start, _), line, part = kept
        if self.take(name, self.reader.line[start:end], start, end):
            return True
        self.said.append(kept[0])
        self.lines.append(line)
        self.parts.append(part)
        return False

    def facts(self) -> tuple[Fact, ...]:
        """Return the facts of the line so far."""
        whole = self.parts[0]
        for part in self.parts[1:]:
            whole = _together(whole, part)
        return whole.facts

    def _meant(self, name: str, says: str) -> tuple[str, Parsed] | None:
        """Return the line of a part, and its meaning: what befalls those of the act before, or what its subject does."""
        last = next((each.facts for each in reversed(self.parts) if outcomes.struck(each.facts)), ())
        whom = outcomes.struck(last)
        one = whom[0] if len(whom) == 1 else ""
        everyone = whom if len(whom) > 1 or not last else outcomes.struck(self.facts())
        if line := (one and _befalls(says, one)) or _befalls_each(says, everyone):
            return self._read(line)
        if one and name and says.partition(" ")[0].casefold() in COPULAS:
            raise self._either(says, one, name)
        line = f"{name} {_at_target(says, one)}".strip()
        own = self._read(line)
        if not whom or not name or line != f"{name} {says}" or self._is_done(own, says):
            return own
        theirs: list[tuple[str, Parsed]] = [found for who in whom if (found := self._read(f"{who} {says}"))]
        if len(whom) > 1 and theirs:
            raise _unclear(says, (f"{','.join(whom)} {says}", *(line for line, _ in theirs)))
        possible = [each for each in (*theirs, own) if each and self._is_possible(each[1])]
        if not possible:
            return self._read(says)
        line, part = possible[0]
        is_theirs_too = bool(theirs) and own is not None and own[1].facts == theirs[0][1].facts
        alone = not theirs and not outcomes.is_of_who_has(part.facts)
        if alone or (not is_theirs_too and (outcomes.misses(last) or self._may_be_either(part))):
            raise (
                self._of_a_miss(says, name, one)
                if outcomes.misses(last)
                else _unclear(says, (f"{one} {says}", f"{name} {says}"))
            )
        return line, part

    def _of_a_miss(self, says: str, name: str, target: str) -> NotUnderstood:
        """Return the error of what befalls somebody behind a blow that misses, with a line for who struck, then one for who was missed."""
        before, _, after = self.reader.line.rpartition(says)
        error = _unclear(says, (f"{name} {says}", f"{target} {says}"))
        offers = tuple(f"{before}{who} {says}{after}" for who in (name, target))
        return NotUnderstood(error.column, error.why, error.hint, offers)

    def _either(self, says: str, target: str, name: str) -> NotUnderstood:
        """Return the error of a state that may be that of the target or of who acts, with the line that names each."""
        before, _, after = self.reader.line.rpartition(says)
        if self._rest(f"{name} {says}") == REVEALS:
            alone = (_without_joining(before), f"{REVEALS} {name}")
            return NotUnderstood(
                1, "what becomes known to all has a line of its own", f"write a line for each: {listed(alone)}"
            )
        error = _unclear(says, (f"{target} {says}", f"{name} {says}"))
        lines = tuple(f"{before}{who} {says}{after}" for who in (target, name))
        offers = lines if all(self._read(f"{who} {says}") for who in (target, name)) else ()
        return NotUnderstood(error.column, error.why, error.hint, offers)

    def _rest(self, line: str) -> str:
        """Return the word for what a line is that holds no fact of its own, such as reveal; "" for any other."""
        try:
            return self.parse(line).rest
        except NotUnderstood:
            return ""

    def _read(self, line: str) -> tuple[str, Parsed] | None:
        """Return a line with its meaning, None if it tells of no fact of its own."""
        try:
            part = self.parse(line)
        except NotUnderstood:
            return None
        return None if is_remark(self.reader.context, part) or part.rest or refers_back(part) else (line, part)

    def _is_done(self, own: tuple[str, Parsed] | None, says: str) -> bool:
        """Say whether a part tells what its subject does: an act, a move, or healing that is not that of a cure."""
        if own is None:
            return False
        facts, text = own[1].facts, f"{says.casefold()} "
        if any(text.startswith(f"{each} ") for each in self.reader.table.words["own"]):
            return True
        heals = all(isinstance(fact, Healed) for fact in facts)
        cures = heals and _cures(self.parts, lambda name: self.reader.lexis.has("cure", name))
        return not (outcomes.befalls(facts) or outcomes.is_unclear(facts) or cures)

    def _is_possible(self, part: Parsed) -> bool:
        return outcomes.is_possible(self.reader.context, part.facts)

    def _may_be_either(self, part: Parsed) -> bool:
        """Say whether either of two may be meant: who leaves, whose turn is over, who is in a state that people seek."""
        chosen = self.reader.table.words["chosen"]
        seeks = any(isinstance(fact, ConditionGained) and fact.condition.casefold() in chosen for fact in part.facts)
        return seeks or outcomes.is_unclear(part.facts)


def _bearers(facts: tuple[Fact, ...]) -> set[str]:
    return {who for fact in facts if isinstance(fact, ConditionGained) for who in fact.targets}


def _unclear(says: str, lines: tuple[str, ...]) -> NotUnderstood:
    """Return the error of a part that may befall several."""
    return NotUnderstood(
        1,
        f"this does not say who is meant by {visible(says[:40])}",
        f"write it as a line of its own: {alternatives(lines)}",
    )


def _befalls(says: str, target: str) -> str:
    """Return the line that tells what befalls a target, said without its name: it dies, killing it; "" if it is none."""
    first, _, rest = says.partition(" ")
    if rest and first in PRONOUNS:
        return f"{target} {rest}"
    if first in KILLS and (not rest or rest in PRONOUNS):
        return f"{target} dead"
    return ""


def _befalls_each(says: str, targets: tuple[str, ...]) -> str:
    """Return the line that tells what befalls each of several targets: each takes 2, both are prone; "" if it does not say so."""
    first, _, rest = says.partition(" ")
    return f"{','.join(targets)} {rest}" if targets and rest and first.casefold() in EACH else ""


def _at_target(says: str, target: str) -> str:
    """Return words with the target of the act before in the place of a pronoun behind their verb: hits her for 3."""
    return re.sub(_OBJECT, target, says, count=1) if target else says


def has_object(says: str) -> bool:
    """Say whether a pronoun stands behind the verb of these words, as the one whom they are at."""
    return re.search(_OBJECT, says) is not None


def at_each(sentence: str, whom: Iterable[str]) -> tuple[str, ...]:
    """Return a sentence once for each of these, who is named in the place of the pronoun behind its verb."""
    return tuple(_at_target(sentence, who) for who in whom)


_OBJECT = r"(?i)(?<=\S )(him|her|it)(?=$|\s*[,.:;!(]|\s+([-+]?\d|for|with|twice|again|prone|down|out|unconscious))"


def _cures(parts: list[Parsed], is_cure: Callable[[str], bool]) -> bool:
    """Say whether the last act is a spell that is known as a cure."""
    acts = [fact.action for part in parts for fact in part.facts if isinstance(fact, ActionTaken)]
    return acts != [] and acts[-1].kind == "cast" and is_cure((acts[-1].name or "").casefold())


def _parsed(lines: list[str], parse: Callable[[str], Parsed]) -> list[Parsed]:
    """Return what each of several lines means, nothing if one of them means nothing."""
    try:
        return [parse(each) for each in lines] if len(lines) > 1 else []
    except NotUnderstood:
        return []


def _together(whole: Parsed, part: Parsed) -> Parsed:
    """Return two lines as one; the clock moves as the first that acts."""
    facts = part.facts[part.moved :] if whole.acts else part.facts
    return structs.replace(
        whole,
        facts=(*whole.facts, *facts),
        stays=whole.stays or part.stays,
        acts=whole.acts or part.acts,
        thrown=(*whole.thrown, *part.thrown),
        ineffective=(*whole.ineffective, *part.ineffective),
    )


def _split(reader: Reader) -> list[Said]:
    """Return each part with who acts: the words up to the next mark or joining word that a verb follows, or what befalls a combatant."""
    words = reader.words
    if not words or len(words) > MOST_WORDS or reader.options:
        return []
    name, first = _doer(reader)
    if not name:
        return []
    starts, ends = [first], []
    for at in range(first + 1, len(words)):
        behind = next(place for place in range(at, len(words) + 1) if reader.text(place) not in JOINING)
        divides = (reader.text(at) in JOINING or ends_a_sentence(reader, at)) and not is_awaited(reader, at)
        if divides and at > starts[-1] and behind < len(words) and _begins_a_part(reader, behind):
            ends.append(at)
            starts.append(behind)
    ends.append(len(words))
    places = (
        (start, words[start].start, words[end - 1].end) for start, end in zip(starts, ends, strict=True) if start < end
    )
    return [
        ("" if reader.names_combatant(place) and place != first else name, reader.line[start:end], start, end)
        for place, start, end in places
    ]


def _begins_a_part(reader: Reader, at: int) -> bool:
    """Say whether a verb stands at a place, or a state, or what befalls the target of an act."""
    said = reader.text(at) in COPULAS | EACH and reader.text(at + 1)[:1].isalpha()
    return said or begins_an_act(reader, at) or _is_said_of(reader, at)


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
        divides = reader.text(at) in (*JOINING, ":") or ends_a_sentence(reader, at)
        divides = divides and not is_awaited(reader, at)
        behind = at + 1 if reader.text(at) == ":" else behind + (reader.text(behind) == "the")
        if divides and behind > max(starts[-1], _names_end(reader, starts[-1])) and _begins_a_sentence(reader, behind):
            starts.append(behind)
    if reader.names_combatant(0) and not _begins_a_sentence(reader, 0):
        return []
    ends = [*(words[start].start for start in starts[1:]), len(line)]
    found = (reader.line[words[start].start : end] for start, end in zip(starts, ends, strict=True))
    return [_without_joining(each) for each in found]


def of_target(sentence: str, target: str) -> str:
    """Return a sentence that begins with a pronoun as one that names the target of the act before."""
    first, _, rest = re.sub(r"(?i)^(he|she|it)['’]s ", r"\1 is ", sentence).partition(" ")
    return f"{target} {rest}" if target and rest and first.casefold() in PRONOUNS else sentence


def subject(context: LineContext, sentence: str) -> str:
    """Return the id of the combatant whom a sentence names first, "" if it begins with no name."""
    named = Reader(context, sentence).one(0)
    return named.ids[0] if named else ""


def _begins_a_sentence(reader: Reader, at: int) -> bool:
    """Say whether a name, or a pronoun, and a verb behind it stand at a place."""
    if reader.text(at) in PRONOUNS:
        return reader.text(at + 1)[:1].isalpha() or reader.text(at + 1) == "'s"
    ends = (each.end for each in reader.people(at))
    return any(
        begins_an_act(reader, end) or reader.text(end) in BEFALLS or re.fullmatch(r"[-+]\d+", reader.text(end))
        for end in ends
    )


def _without_joining(sentence: str) -> str:
    """Return a sentence without the marks and words at its end that join it to the next."""
    return re.sub(r"(?i)(\s*[,.;:!]|\s+(and|then|but))+\s*$", "", sentence).strip()


def _names_end(reader: Reader, at: int) -> int:
    """Return where the names end that begin at a place, if a verb follows them; 0 otherwise."""
    ends = (each.end for each in reader.people(at))
    return next((end for end in ends if begins_an_act(reader, end)), 0)


def _doer(reader: Reader) -> tuple[str, int]:
    """Return who acts, as named at the beginning, or else whose turn it is, and where what they do begins; "" for nobody."""
    several = (each for each in reader.people(0) if len(each.ids) > 1 and _does_something(reader, each.end))
    if named := next(several, reader.one(0)):
        return reader.line[: reader.words[named.end - 1].end].strip(), named.end
    return (reader.context.state.clock.turn or "", 0) if begins_an_act(reader, 0) else ("", 0)


def _does_something(reader: Reader, at: int) -> bool:
    """Say whether what several are, or do, stands at a place: a verb as it is said of several, and not of the last of them alone."""
    verb = reader.text(at)
    return verb in COPULAS or (
        begins_an_act(reader, at) and verb == reader.words[at].typed.casefold() and not verb.endswith("s")
    )
