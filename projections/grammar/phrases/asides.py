"""What is said beside a spell: `with a 2nd level slot` and `as a bonus action` anywhere in its line, `without concentration` and `but it is countered` at the end. The line is read without it."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct, structs

from eventstore.events import ActionTaken, Noted, ResourceChanged
from projections.grammar import forms
from projections.grammar.line_context import LineContext
from projections.grammar.parsing import Parsed
from projections.grammar.phrases.reader import Reader
from projections.grammar.tokens import NotUnderstood

BEFORE_SLOT = ("at", "with", "using", "from")
BEFORE_COST = ("as", "with", "using")
ARTICLES = ("a", "an", "his", "her", "its", "their")
COST = "cost="
_SPOILED = (
    r"(?:(?:is|was|gets|got|has been) )?(?:countered|counterspelled|counter-spelled|foiled|disrupted)(?: by .+)?"
    r"|fizzles(?: out)?"
    r"|(?:has|had|takes|took|with|to|for) no effect|no effect|without (?:any )?effect"
    r"|nothing happens"
)
_FAILS = r"(?:fails|failed|does not work|doesn't work|is wasted|is lost|was lost)"
_OUTCOME = re.compile(
    r"[\s,;:.(–—-]*(?<!\w)(?P<words>"
    r"(?:without|w/o|no|needs no|with no|not) (?:any |needing |need of )?(?:concentration|concentrating|conc)"
    rf"|(?:(?:but|and|which) )?(?:(?:it|this|the spell|the casting) )?(?:{_SPOILED})"
    rf"|(?:(?:but|and) )?(?:it|the spell|the casting) {_FAILS}|but {_FAILS}"
    r")[\s.!)]*$",
    re.IGNORECASE,
)
"""The end of a line by which a spell has no effect on which its caster could concentrate. `, fails` alone may be a save."""


class Aside(Struct, frozen=True):
    """Words of a line that say the level of a slot or the cost of an act, from the first to behind the last."""

    first: int
    end: int
    level: str = ""
    cost: str = ""


def meant(context: LineContext, line: str, parse: Callable[[str], Parsed]) -> Parsed | None:
    """Return the meaning of a line about a spell with its slot, its cost or that it has no effect, None if it says none of these or is about no spell."""
    return _ineffective(context, line, parse) or _with_slot_or_cost(context, line, parse)


def _ineffective(context: LineContext, line: str, parse: Callable[[str], Parsed]) -> Parsed | None:
    """Return the meaning of a line about a spell that is cast in vain or without concentration, with a note that says so; None for another."""
    found = _OUTCOME.search(line)
    if found is None or not line[: found.start()].strip():
        return None
    rest = line[: found.start()].strip(" ,;:.")
    try:
        parsed = parse(rest)
    except NotUnderstood:
        return None
    own, casting = parsed.facts[parsed.moved :], forms.of(context.state.rules.rules).words["casting"]
    if not own or not isinstance(own[0], ActionTaken) or own[0].action.kind not in casting:
        return None
    words = re.sub(r"(?i)^(but|and|which) ", "", found["words"])
    note = Noted(text=words, event=-len(own))
    said = (*(parsed.said or (rest,)), f"note {words}")
    return structs.replace(parsed, facts=(*parsed.facts, note), said=said, ineffective=(*parsed.ineffective, own[0]))


def _with_slot_or_cost(context: LineContext, line: str, parse: Callable[[str], Parsed]) -> Parsed | None:
    """Return the meaning of a line about a spell with its slot or its cost, None if it says neither or is about no spell."""
    reader = Reader(context, line)
    resource = reader.table.means.get("aside", {}).get("slot")
    if resource is None:
        return None
    slot, cost = next(_slots(reader), None), next(_costs(reader), None)
    if not (slot or cost):
        return None
    rest = _without(reader, [each for each in (slot, cost) if each])
    try:
        parsed = parse(rest) if rest.strip() else None
    except NotUnderstood:
        return None
    if parsed is None:
        return None
    act = parsed.facts[parsed.moved] if len(parsed.facts) > parsed.moved else None
    if not isinstance(act, ActionTaken) or act.action.kind != "cast":
        return None
    parsed = structs.replace(parsed, said=parsed.said or (rest,))
    if cost:
        parsed = _paid(parsed, act, cost.cost)
    return _spent(parsed, act, resource.format(slot.level)) if slot else parsed


def _slots(reader: Reader) -> Iterator[Aside]:
    """Yield where a line says the level of a spell slot."""
    for at in range(len(reader.words)):
        for level, end in reader.slot("slot-level", at):
            yield Aside(_begin(reader, at, BEFORE_SLOT), end, level=level)


def _costs(reader: Reader) -> Iterator[Aside]:
    """Yield where a line says the cost of an act, such as `as a bonus action`."""
    for at in range(len(reader.words)):
        first = _begin(reader, at, BEFORE_COST)
        option = reader.table.means["remark"].get(reader.text(at), "")
        if reader.text(first) in BEFORE_COST and option.startswith(COST) and " " not in option:
            yield Aside(first, at + 1 + (reader.text(at + 1) == "action"), cost=option.removeprefix(COST))


def _begin(reader: Reader, at: int, before: tuple[str, ...]) -> int:
    """Return the place of the preposition before an aside and its article, the aside's own place if none is there."""
    first = at - (reader.text(at - 1) in ARTICLES)
    return first - 1 if reader.text(first - 1) in before else at


def _without(reader: Reader, asides: list[Aside]) -> str:
    """Return a line without these words, and without brackets that are empty then."""
    line = reader.line
    for each in sorted(asides, key=lambda one: one.first, reverse=True):
        start, end = reader.words[each.first].start, reader.words[each.end - 1].end
        line = f"{line[:start].rstrip()} {line[end:].lstrip()}"
    return re.sub(r"\(\s*\)", "", line).strip(" ,;:.")


def _paid(parsed: Parsed, act: ActionTaken, cost: str) -> Parsed:
    """Return a meaning whose act has this cost."""
    paid = structs.replace(act, action=structs.replace(act.action, cost=cost))
    facts = (*parsed.facts[: parsed.moved], paid, *parsed.facts[parsed.moved + 1 :])
    return structs.replace(parsed, facts=facts, said=(f"{parsed.said[0]} {COST}{cost}", *parsed.said[1:]))


def _spent(parsed: Parsed, act: ActionTaken, resource: str) -> Parsed:
    """Return a meaning with the slot that the act spends."""
    back = len(parsed.facts) - parsed.moved
    spent = ResourceChanged(combatant=act.combatant, resource=resource, amount=-1, cause=-back)
    shown = f"pool {act.combatant} {resource.replace(' ', '_')} -1 ^{back if back > 1 else ''}"
    return structs.replace(parsed, facts=(*parsed.facts, spent), said=(*parsed.said, shown))
