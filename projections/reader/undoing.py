"""Lines that take the last line back: a verb of taking back and its object, or the statement that something did not happen."""

import re

from eventstore.events import ConditionGained, DamageDealt, Healed
from projections.reader.composition import Reading
from projections.reader.scene import Scene

_POLITE = (
    "please|pls|plz|nah|naw|aw|argh|er|um|hm|gah|crap|shoot|yeah|yep|can|could|would|you|we|i|let|let's|us|is|need|want|to|should|would like|just|go|ahead|and|no|nope|wait|stop|hold on|"
    "ugh|argh|dang|damn|misclick|typo|wrong (?:target|one|person|guy|name|number|monster|creature|line|button)|"
    "oops|whoops|sorry|my bad|my mistake|mistake|error|wrong|that was|that's|was|a|ok|okay|hang on|actually|oh|um|hmm|thanks|thank|then|so|again"
)
_STRONG = (
    "undo|scrub|scratch|strike|erase|delete|remove|cancel|ignore|forget|disregard|retract|revert|reverse|rewind|wipe|void|nix|annul|"
    "scrap|unsay|belay|rollback|never mind|nevermind|nvm"
)
_WEAK = "drop|lose|kill|withdraw|discard|skip|trash|ditch|bin|toss|overlook|get rid of|throw out|do away with|omit"
_APART = "take|roll|wind|cross|rub|wipe|strike|throw|dial|set"
_NOUN = (
    "one|line|entry|thing|message|msg|note|record|command|event|action|bit|part|post|input|card|statement|sentence|comment|"
    "roll|hit|attack|damage|shot|blow|crit|critical|save|death|kill"
)
_SAID = r"(?: (?:that |which )?(?:i|we) (?:just )?(?:have |had |ha )?(?:wrote|written|said|typed|entered|put|told you|told|recorded|did|logged|added|posted|sent)(?: down| in)?)"
_LAST = rf"(?:(?:the|that|this|my|our|your) )*(?:very )?(?:last|previous|latest|preceding|prior|most recent)(?: (?:{_NOUN}|spell|move|turn))*{_SAID}?"
_WHAT = rf"(?:what|(?:the|that|this)(?: (?:{_NOUN}))*){_SAID}"
_THAT = rf"(?:(?:that|this)(?: (?:{_NOUN}))*|it)"
_BACK = "back|out|away|off|over"
_TOLD = (
    rf"(?:{_STRONG}|take (?:back|out)|roll back)(?: (?:all of )?(?:{_LAST}|{_WHAT}|{_THAT}))?"
    rf"|(?:undo|delete|scrub|retract|revert) (?:the|my|our) (?:{_NOUN}|spell|move|turn)"
    rf"|(?:{_WEAK}) (?:{_LAST}|{_WHAT})"
    rf"|(?:{_APART}) (?:{_LAST}|{_WHAT}|{_THAT}) (?:{_BACK})"
    r"|(?:go|take|step) back (?:one|a|one line|a line|one step|a step)|u|ctrl[ -]z"
    rf"|(?:{_LAST}|{_THAT}) (?:never happened|did not happen|didn'?t happen|does not count|doesn'?t count)"
)
_SPACE = r"[\s,.;:!–—-]+"
_LINE = (
    rf"\W*(?:(?:{_POLITE}){_SPACE})*(?P<told>{_TOLD})(?: (?:from|out of|in) the (?:record|records|log|books))?(?:{_SPACE}(?:{_POLITE}))*"
    r"(?:\W*|(?:\s*[,;.:(!–—-]+\s*|\s+(?=(?:because|since|as|cause|cuz|coz)\b))(?P<reason>[^\W\d].*))"
)
_CALLED = frozenset(
    [
        *(re.findall(r"\w+", each)[0] for each in f"{_STRONG}|{_WEAK}|{_APART}".split("|")),
        *("go", "step", "u", "ctrl", "happened", "happen", "count"),
    ]
)
"""The words of which such a line has one, at which its pattern is worth compiling."""
_BARE = frozenset(
    [
        "strike",
        "scratch",
        "remove",
        "forget",
        "ignore",
        "cancel",
        "wipe",
        "reverse",
        "erase",
        "void",
        "take back",
        "take out",
    ]
)
"""Verbs that may have another meaning by themselves."""


def taken_back(line: str) -> str | None:
    """Return the reason why a line takes the last one back, "" without a reason; None if it does not.

    Its object is a line, an entry, something that somebody wrote, or "that"; never a name or a number.
    """
    said = line.casefold().replace("’", "'").strip().rstrip("! ")
    if re.fullmatch(r"(?:should|shall|do|did|may|might|must)\b.*\?|no undo|undo\?", said):
        return None  # whether it should be is asked, or denied
    said = said.rstrip("?! ")
    if _CALLED.isdisjoint(re.findall(r"\w+", said)):
        return None
    found = re.fullmatch(_LINE, said)
    if found is None or (found["told"] in _BARE and not found["reason"]):
        return None
    return line[found.start("reason") :].strip() if found["reason"] else ""


_PART = (
    rf"\W*(?:(?:{_POLITE}){_SPACE})*(?:{_STRONG}|take (?:back|out)|roll back) (?:the|that|this|his|her|its|my)?\s*"
    r"(?P<part>\d{1,4}|[a-z]+)(?: (?:points?|hp|damage|dmg|bit|part))?\W*"
)
_PARTS = {"damage": DamageDealt, "dmg": DamageDealt, "heal": Healed, "healing": Healed}


def part_taken_back(scene: Scene, line: str) -> list[Reading]:
    """Return what a line takes back of the last one, and the whole of it, both only likely: undo the damage, scratch the
    prone, undo the 5; nothing where the last line has no such part, or no other.
    """
    found = re.fullmatch(_PART, line.casefold().strip())
    told = next(scene.lines(1), [])
    if found is None or not told:
        return []
    said = found["part"]
    kind = _PARTS.get(said)
    of_it = [
        seq
        for seq, fact in told
        if (kind is not None and isinstance(fact, kind))
        or (said.isdecimal() and isinstance(fact, DamageDealt | Healed) and fact.amount == int(said))
        or (isinstance(fact, ConditionGained) and fact.condition.casefold() == said)
    ]
    if not of_it or (len(of_it) == len(told) and kind is not None):
        return []
    ways = [of_it, *([[seq for seq, _ in told]] if len(told) > len(of_it) else [])]
    return [
        Reading([{"type": "struck", "event": seq} for seq in reversed(each)], ("correction",), guesses=len(ways) > 1)
        for each in ways
    ]
