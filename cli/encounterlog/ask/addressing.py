"""The subject of a question: names as everywhere at the table, addresses, and sentences as people type them."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain

from encounterlog.errors import Refused
from eventstore.wording import nearest
from projections.address import NOTHING
from projections.folds.addresses import COMMON, derive_value, no_value
from projections.folds.moves import next_up
from projections.folds.order import who_is_due
from projections.judging.book import catalogue
from projections.judging.known_words import known
from projections.language.notation import names
from projections.language.notation.tokens import NotUnderstood, Token
from projections.mechanics.conditions import Effect, Key, effects_held
from projections.state import State

Question = tuple[str, ...]  # a question in exact words: an address, ana before bo, finding 3, ana can act
ASK = "ask for an address (ana.hp), ana before bo, finding 3, finding @14 RULE, ana cannot act"
ABOUT = {  # the values that a sentence about a combatant asks for, each with the words for it
    "hp": "low hurt wounded bloodied at hp health healthy points damage healed left killed kills killing killer",
    "status": "down out up dead dying unconscious status fallen alive bleeding killed kills killing killer",
    "casting": "spell cast casting spoiled",
    "concentration": "spell concentration concentrating concentrates",
    "conditions": "condition conditions",
    "effects": "effect effects",
    "holding": "hold holds holding ready readied readies waits waiting",
}
SAID = {  # what else a question is about, each with the words for it
    "order": "first last next early earlier late later slow fast turn segment order place act wait waiting",
    "myself": "i me my mine am",
    "lasting": "long last lasts end ends ending left over expire expires remain remains",  # of an effect
    "put off": "delay delays delaying delayed waits waiting",
    "turn": "next up turn due acts goes go on",
    "won": "won wins winning win lost loses losing lose",  # asks for everybody's state
    "standing": "standing alive fighting conscious remaining remains",
}
SMALL = "a an am are at by can do does for has have he her his i in is it me my of on she so the they to was why with"
"""Words of a sentence that are nobody's name in it."""


def parse_question(state: State, words: Sequence[str]) -> list[Question]:
    """Return the questions that these words ask; raise Refused if they name nobody, or several."""
    typed = [word.rstrip("?") for word in " ".join(words).split() if word != "?"]
    typed = typed[1:] if typed[:1] == ["why"] else typed
    if typed and typed[0] in ("who's", "who’s", "whos"):
        typed = ["who", "is", *typed[1:]]
    match typed:
        case ["finding", *_] | []:
            return [tuple(typed)]
        case ["who" | "which", *rest] if rest and (found := _questions_about_property(state, rest)):
            return found
        case ["who" | "whose", *rest] if _has_word({*rest}, SAID["turn"]):
            return _questions_about_turn(state, now="next" not in rest)
        case [*who, "cannot" | "can" | "can't" | "can’t", "act"] if who:
            return [(resolve_combatant(state, " ".join(who)), "can", "act")]
    if "before" in typed[1:-1] and not {*typed} & {"is", "was", "does", "did", "are"}:
        place = typed.index("before", 1)
        one, other = (resolve_combatant(state, " ".join(part)) for part in (typed[:place], typed[place + 1 :]))
        return [(one, "before", other)]
    return (
        _questions_by_address(state, typed)
        or _questions_by_address(state, [word for word in typed[1:] if word != "the"] if typed[0] == "who" else [])
        or _questions_about_duration(state, typed)
        or _questions_in_sentence(state, typed)
        or [(address_of(state, " ".join(typed)),)]
    )


def _questions_by_address(state: State, typed: list[str]) -> list[Question]:
    text = " ".join(typed)
    if derive_value(state, text) is not None:
        return [(text,)]
    if one := _find_single_combatant(state, text):
        return _in_general(state, one)
    two = [_find_single_combatant(state, each) for each in typed] if len(typed) == 2 else []
    if two and all(two):
        return [(two[0], "before", two[1])]
    address = address_of(state, text)
    return [(address,)] if derive_value(state, address) is not None else []


def address_of(state: State, text: str) -> str:
    """Return the address that a text means, with a name for the id, or a blank for the dot, or else the text; raise Refused."""
    if derive_value(state, text) is not None:
        return text
    words = text.split()
    at_blanks = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
    for name, field in [text.split(".", 1)] if "." in text else at_blanks:
        if who := _owner_id(state, name):
            spelt = (field, field.casefold(), re.sub(r"[\s-]", "_", field.casefold()))
            found = next((each for each in spelt if derive_value(state, f"{who}.{each}") is not None), None)
            if (found := found or _condition_field(state, who, spelt[1])) or "." in text:
                return f"{who}.{found or field}"
    return text.casefold() if derive_value(state, text.casefold()) is not None else text


def _condition_field(state: State, who: str, name: str) -> str:
    """Return the field that says whether a combatant has a condition of this name, by whatever it has it; "" for no condition."""
    if who not in state.combatants:
        return ""
    fields = (f"levels.{name}", f"conditions.{name}", "conditions", "status")
    level, left, listed, status = (derive_value(state, f"{who}.{field}") for field in fields)
    listed_so = listed and name in map(str.casefold, listed.value)
    holds = (level, left and left.value != NOTHING, listed_so, status and name in state.rules.statuses)
    found = next((field for field, held in zip(fields, holds, strict=True) if held), "")
    return found or (fields[1] if name in known(state.rules.rules).conditions else "")


def _owner_id(state: State, name: str) -> str:
    """Return the id of the combatant or side with a name; "" if there is none; raise Refused if there are several."""
    if names.folded(name) in state.sides:
        return names.folded(name)
    if len(found := names.combatants(state, name)) > 1:
        return resolve_combatant(state, name)
    sides = [each for each in state.sides if each.startswith(names.folded(name))]
    return found[0] if found else sides[0] if len(sides) == 1 else ""


def resolve_combatant(state: State, text: str) -> str:
    """Return the id of the combatant whom a text names, as everywhere at the table; raise Refused."""
    try:
        return names.read_combatant(state, Token(text, 0, len(text)))
    except NotUnderstood as error:
        raise Refused("usage", error.why, error.hint or "encounter show lists them") from None


def _find_single_combatant(state: State, text: str) -> str:
    is_side = text in state.sides and text not in state.combatants
    found = names.combatants(state, text) if text and not is_side else []
    return found[0] if len(found) == 1 else ""


def unknown_address(state: State, address: str) -> Refused:
    """Return the failure for an address without a value, with the likely ones."""
    if not address.strip():
        return Refused("usage", "no question", ASK)
    places = dict.fromkeys(place for each in (*COMMON, *state.rules.addresses) for place in each.existing(state))
    own = [place for place in places if place.startswith(f"{address}.")]
    if not own:
        who, _, field = address.partition(".")
        if field and (value := sheet_value(state, who, field)) not in (None, ""):
            says = f"the sheet of {who} says {field} {value}"
            return Refused("usage", says, "nothing else is derived of it in this game")
        fields = {each.pattern.split(".")[1] for each in (*COMMON, *state.rules.addresses) if "." in each.pattern}
        if field and who not in state.combatants and field.partition(".")[0] not in fields:
            return _unknown_clause(state, address[:80])
        return Refused("usage", no_value(state, address[:80]), ASK)
    more = f", or another: {', '.join(each.partition('.')[2] for each in own[1:])}" if own[1:] else ""
    return Refused("usage", f"which value of {address}? Say {own[0]}{more}", ASK)


def _unknown_clause(state: State, word: str) -> Refused:
    """Return the failure for a word with a dot that begins with no combatant, as the id of a clause does."""
    rules = [clause.id for book in (catalogue(), state.rules.catalogue()) for clause in book.rule]
    if word in rules:
        return Refused("usage", f"{word} is a clause, not a value", f"encounter rules {state.rules.key} {word}")
    owner, _, field = word.partition(".")
    if "." not in field and not any(rule.startswith(f"{owner}.") for rule in rules) and not nearest(word, rules, 0.7):
        return Refused("usage", no_value(state, word), ASK)
    hint = nearest(word, [*rules, *state.combatants], 0.7) or nearest(owner, state.combatants, 0.7)
    return Refused("usage", f"no clause or combatant is called {word}{f' ({hint})' if hint else ''}", ASK)


def _questions_in_sentence(state: State, typed: list[str]) -> list[Question]:
    said = {re.sub(r"(['’]s)?[,.!]*$", "", word).casefold() for word in typed}
    people = _combatants_named(state, typed)
    if len(typed) < 3 and not (people and _has_word(said, SAID["order"], *ABOUT.values())):
        return []
    if not people:
        return _question_by_hit_points(state, said)
    if len(people) == 2 and _has_word(said, SAID["order"], "before after than"):
        return [(people[0], "before", people[1])]
    if _has_word(said, SAID["order"]):
        under = [who for who in people if _has_any(state, f"{who}.conditions")]
        asked = [((who, "can", "act"), *([(f"{who}.conditions",)] if who in under else [])) for who in people]
        return [*chain.from_iterable(asked), ("order",)]
    fields = [field for field, words in ABOUT.items() if _has_word(said, words)]
    others = sorted(said - {*fields, *SMALL.split()})
    fields += [word for word in others if any(isinstance(sheet_value(state, who, word), int | str) for who in people)]
    if said & {each.name.casefold() for each in state.conditions.values()} and "conditions" not in fields:
        fields.append("conditions")
    each_of = (_questions_about(state, who, fields) if fields else _in_general(state, who) for who in people)
    return [*chain.from_iterable(each_of)]


def _has_word(said: set[str], *words: str) -> bool:
    return not said.isdisjoint(each for some in words for each in some.split())


def _combatants_named(state: State, typed: list[str]) -> list[str]:
    found, place = dict[str, None](), 0
    while place < len(typed):
        for end in range(min(len(typed), place + 4), place, -1):
            words = re.sub(r"(['’]s)?[,.!]*$", "", " ".join(typed[place:end]))
            exact = len(words) > 2 or words.casefold() in state.combatants
            names = [words, words[:-1]] if words.endswith("s") else [words]  # zed, zeds
            named = exact and words.casefold() not in SMALL.split()
            who = next((one for each in names if (one := _find_single_combatant(state, each))), "") if named else ""
            if who:
                found[who] = None
                place = end - 1
                break
        place += 1
    return list(found)


def _question_by_hit_points(state: State, said: set[str]) -> list[Question]:
    numbers = sorted(int(word) for word in said if re.fullmatch(r"-?\d{1,6}", word))
    by_points = numbers and _has_word(said, SAID["myself"], "at hp points")
    if found := [(f"{one.id}.hp",) for one in state.here() if by_points and one.hp in numbers]:
        return [*found]
    if by_points or _has_word(said, SAID["myself"]):
        says = f"nobody here has {numbers[0]} hit points" if by_points else "nobody is named here"
        raise Refused("usage", says, "name the combatant: why is mira low, or ?mira.hp")
    return []


def _questions_about(state: State, who: str, fields: Sequence[str]) -> list[Question]:
    there = [f"{who}.{field}" for field in fields]
    return [(each,) for each in there if derive_value(state, each) is not None] or [(each,) for each in there[:1]]


def sheet_value(state: State, who: str, name: str) -> object:
    """Return the value on a combatant's sheet under a name; None if there is none."""
    sheet = state.combatants[who].sheet if who in state.combatants else None
    return getattr(sheet, name) if name in getattr(sheet, "__struct_fields__", ()) else None


def _in_general(state: State, who: str) -> list[Question]:
    states = (f"{who}.{field}" for field in ("conditions", "effects", "casting", "holding"))
    waits = [(who, "can", "act")] if who in state.turns.in_hand else []
    values = _questions_about(state, who, ("hp", "status", "concentration"))
    return [*values, *((each,) for each in states if _has_any(state, each)), *waits]


def _has_any(state: State, address: str) -> bool:
    found = derive_value(state, address)
    return found is not None and found.value not in ([], (), "none", None, 0, False)


def _questions_about_property(state: State, typed: list[str]) -> list[Question]:
    """Return the questions about all with some property, such as prone, or none for other words; raise Refused if nobody has it."""
    words = [word.casefold().strip(",.!") for word in typed if word.casefold() not in SMALL.split()]
    said, text, asked = {*words}, " ".join(words), list[Question]()
    if words[:1] and len(words) <= 2 and _has_word({words[0]}, SAID["won"]):
        return [(f"{one.id}.status",) for one in state.here()]
    borne = {"conditions": _borne_effects(state.conditions), "effects": _borne_effects(state.effects)}
    stays = words == ["left"] and bool({*typed} & {"is", "are"} or len(typed) == 1)
    if stays or (_has_word(said, SAID["standing"]) and {*words} <= {*SAID["standing"].split(), "still", "left"}):
        return [(f"{one.id}.status",) for one in state.here() if one.status == "up"]
    for one in state.here():
        asked += [(f"{one.id}.{field}",) for field, those in borne.items() if (one.id, text) in those]
        asked += [(f"{one.id}.status",)] if text == one.status != "up" else []
        for field in (each for each in ("concentration", "casting", "holding") if _has_word(said, ABOUT[each])):
            kept = effects_held(state.effects, one.id) if field == "concentration" else []
            effects = [(f"{bearer}.effects",) for _, bearer in kept if bearer]
            asked += [(f"{one.id}.{field}",)] if _has_any(state, f"{one.id}.{field}") else effects
        asked += [(one.id, "can", "act")] if _has_word(said, SAID["put off"]) and one.id in state.turns.in_hand else []
    if not asked and text != "up" and (text in state.rules.statuses or text in known(state.rules.rules).conditions):
        raise Refused("usage", f"nobody here is {text}", "?NAME prints everything about a combatant")
    return asked


def _borne_effects(effects: Mapping[Key, Effect]) -> dict[tuple[str, str], None]:
    return {(each.bearer, each.name.casefold()): None for each in effects.values()}


def _questions_about_duration(state: State, typed: list[str]) -> list[Question]:
    said = {word.casefold().strip(",.!") for word in typed}
    text = f" {' '.join(typed).casefold()} "
    if not _has_word(said, SAID["lasting"]) or not _has_word(said, "how when does is"):
        return []
    people, found = _combatants_named(state, typed), list[str]()
    for kind, borne in (("effects", state.effects), ("conditions", state.conditions)):
        for bearer, name in _borne_effects(borne):
            if f" {name} " in text and (not people or bearer in people):
                at = f"{bearer}.{kind}"
                left = derive_value(state, f"{at}.{name}")
                counted = left is not None and type(left.value) is int
                ends = [each for each in (f"{at}.{name}.ends", f"{at}.{name}") if _has_any(state, each)]
                found += (ends if kind == "effects" or counted else []) or [at]
    return [(each,) for each in dict.fromkeys(found)]


def _questions_about_turn(state: State, *, now: bool) -> list[Question]:
    due = [who for who in who_is_due(state).value if who not in {state.clock.turn, *state.clock.together}]
    has: list[Question] = [("turn",)] if now and state.clock.turn else []
    first = due[0] if due else None if state.clock.turn else next_up(state)
    return [*has, *([(first, "can", "act")] if first else []), ("order",)]


def coming_round(state: State, words: Sequence[str]) -> str:
    """Return the sentence that names the first of the next round, if "who is next" is asked in the last turn of a round; else ""."""
    asked = {word.rstrip("?").casefold() for word in words}
    having, first = {state.clock.turn, *state.clock.together}, next_up(state)
    over = state.clock.turn and not {*who_is_due(state).value} - having
    if not (first and over and "who" in asked and _has_word(asked, "next")):
        return ""
    number = f"round {state.clock.round + 1}" if state.clock.round else "the next round"
    return f"Nobody else is due in this round: {state.combatants[first].name} is first in {number}."
