"""Slots of several tokens: a text, several combatants, a sheet, stated values, an action, contenders."""

import re
from collections.abc import Iterator
from functools import partial

from eventstore.wording import escape_json, visible
from projections.folds.addresses import derive_value
from projections.language.notation import forms, line_context, names
from projections.language.notation.matching import Matcher
from projections.language.notation.slots import KINDS, parse_json
from projections.language.notation.tokens import NotUnderstood, Token, bare_word, quote, suggestion
from projections.open_types import Fields, Json

FIELD = r"(?s)([A-Za-z][A-Za-z0-9_]*)=(.*)"
"""A field of a sheet in the style of a stat block: AC=15."""


def _read_rest(matcher: Matcher, at: int) -> Iterator[tuple[str, int]]:
    """Yield the rest of the line as text; if it is one quotation, its contents."""
    tokens = matcher.tokens[at:]
    if not tokens:
        matcher._keep_miss(at, "expected a text")  # noqa: SLF001 – a part of the matcher
    elif tokens[0].quoted and len(tokens) == 1:
        yield tokens[0].text, len(matcher.tokens)
    else:
        yield matcher.line[tokens[0].start :].strip(), len(matcher.tokens)


def _read_combatants(matcher: Matcher, at: int) -> Iterator[tuple[list[str], int]]:
    """Yield one or more combatants, the most first."""
    found: list[tuple[list[str], int]] = []
    whom: list[str] = []
    while at < len(matcher.tokens) and (more := _some(matcher, at)):
        whom = [*whom, *(who for who in more[0] if who not in whom)]
        at = more[1]
        found.append((whom, at))
    yield from reversed(found)


def _some(matcher: Matcher, at: int) -> tuple[list[str], int] | None:
    token = matcher.tokens[at]
    state = matcher.context.state
    is_group = token.text == "all" and not token.quoted and at + 1 < len(matcher.tokens)
    try:
        if is_group:
            return names.members_of_group(state, matcher.tokens[at + 1]), at + 2
        if token.quoted:
            who = names.read_quoted(state, token)
            return ([who], at + 1) if who else None
        if re.match(r"[\d+@^-]", token.text):
            return None
        return KINDS["targets"].read(matcher.context, token), at + 1
    except NotUnderstood as error:
        matcher.fail(at + (is_group and matcher.tokens[at + 1].text[:1].isalpha()), error)
        return None


def _several(matcher: Matcher, at: int) -> Iterator[tuple[list[str], int]]:
    if at < len(matcher.tokens) and re.search(r"^all$|,", matcher.tokens[at].text) and (found := _some(matcher, at)):
        yield found


def _read_sheet(matcher: Matcher, at: int) -> Iterator[tuple[Fields, int]]:
    """Yield the fields of a sheet: hp=9 ac=5, or JSON."""
    found: Fields = {}
    while at < len(matcher.tokens):
        token = matcher.tokens[at]
        match = None if token.quoted else re.fullmatch(FIELD, token.text)
        if token.text.startswith("{") and not token.quoted:
            found = _merge(found, parse_json(token), token)
        elif match:
            found = _merge(found, {match[1].casefold(): _read_plain(token, re.sub(r"(?<=\d),$", "", match[2]))}, token)
        else:
            break
        at += 1
    yield found, at


def _merge(found: Fields, more: Fields, token: Token) -> Fields:
    """Return values with more of them; raise NotUnderstood if one of these is there already."""
    twice = next((key for key in more if key in found), None)
    if twice is not None:
        raise NotUnderstood(token.start + 1, f"{visible(twice)[:40]} has a value already", "leave out one of the two")
    return found | more


def _read_contenders(matcher: Matcher, at: int) -> Iterator[tuple[list[Json], int]]:
    """Yield two or more contenders."""
    found: list[Json] = []
    try:
        while at < len(matcher.tokens):
            one = KINDS["contender"].read(matcher.context, matcher.tokens[at])
            if any(one["combatant"] == each["combatant"] for each in found):
                why = f"{one['combatant']} rolls twice in one contest"
                hint = "a repeated contest is written on a line of its own"
                matcher.fail(at, NotUnderstood(matcher.tokens[at].start + 1, why, hint))
                break
            found.append(one)
            at += 1
    except NotUnderstood as error:
        matcher.fail(at, error)
    if found:
        yield found, at


_ADDRESS = r"(?s)([^=\"]+)=(.+)"


def _read_values(matcher: Matcher, at: int) -> Iterator[tuple[Fields, int]]:
    """Yield one or more addresses with their values: ulf.hp=3 turn=ada."""
    found: Fields = {}
    ends: list[tuple[Fields, int]] = []
    while at < len(matcher.tokens):
        token = matcher.tokens[at]
        match = None if token.quoted or token.text[0] in ".@^" else re.fullmatch(_ADDRESS, token.text)
        if match is None:
            break
        typed, spaced = match[1].partition("."), bare_word(match[1]).partition(".")
        who, dot, rest = spaced
        known = names.combatants(matcher.context.state, who) if dot else []
        exact = who in matcher.context.state.sides or len(known) != 1
        whose = (who if exact else known[0]) + dot
        barred = derive_value(matcher.context.state, whose + typed[2]) is not None  # hp_max has its bar
        address = whose + (typed[2] if barred else rest)
        found = _merge(found, {address: _read_plain(token, match[2])}, token)
        at += 1
        ends.append((found, at))
    if not ends:
        matcher._keep_miss(at, "expected an address with its value", "such as ulf.hp=3")  # noqa: SLF001 – a part of the matcher
    yield from reversed(ends)


def _read_plain(token: Token, text: str) -> Json:
    """Read a value of no fixed kind: a number, JSON, yes or no, or a word."""
    if not text:
        raise NotUnderstood(token.end + 1, f"{token.text[:40]} has no value", f"such as {token.text[:40]}9")
    if text[:1] in '"{[':
        return parse_json(Token(text, token.end - len(text), token.end))
    if re.fullmatch(r"[-+]?\d{1,16}", text):
        return int(text)
    if re.fullmatch(r"[-+]?\d+", text):
        raise NotUnderstood(token.end - len(text) + 1, f"{text[:40]} is out of range", "a number has at most 16 digits")
    return {"yes": True, "no": False, "true": True, "false": False}.get(text.casefold(), bare_word(text))


def format_plain(value: object) -> str:
    """Write a value of no fixed kind as a part of a token."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        bare = re.fullmatch(r"[^\W\d_][\w .,:+()/&-]*", value) and "_" not in value and value not in ("yes", "no")
        return value.replace(" ", "_") if bare and "  " not in value and value.strip() == value else quote(value)
    import json

    return escape_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _read_action(matcher: Matcher, at: int) -> Iterator[tuple[Fields, int]]:
    """Yield an action: its kind, its name, its time, its targets, each of which may be left out."""
    if at >= len(matcher.tokens):
        matcher._keep_miss(at, "expected an action")  # noqa: SLF001 – a part of the matcher
    for kind, after_kind in _read_kind(matcher, at):
        for name, after_name in _read_name(matcher, after_kind, kind):
            known = {"kind": kind} if kind else {}
            known |= {"name": name} if name else {}
            for time, after_time in _read_time(matcher, after_name, known):
                for targets, end in (*_read_combatants(matcher, after_time), ([], after_time)):
                    if end > at:
                        yield known | ({"targets": targets} if targets else {}) | time, end


def _read_kind(matcher: Matcher, at: int) -> Iterator[tuple[str, int]]:
    token = matcher.tokens[at] if at < len(matcher.tokens) else None
    if token and not token.quoted:
        known = line_context.kinds(matcher.context.state)
        if token.text in known:
            yield token.text, at + 1
            return
        word = token.text.casefold()
        kind = matcher.short.get(word) or (word if word in known else _third_person(word, known))
        if kind in known:
            people = names.combatants(matcher.context.state, token.text)
            if people and (matcher.asks or _names_combatant(matcher, at + 1)):
                hint = f"write {kind}, or more of the name"
                matcher.fail(
                    at, NotUnderstood(token.start + 1, f"{token.text} can be the kind {kind}, or {people[0]}", hint), 3
                )
                return
            if not people:
                yield kind, at + 1
    yield "", at


def _third_person(text: str, known: frozenset[str]) -> str:
    """Return the kind of action of a word such as charges, dashes or parries, "" if it is none."""
    ends = (("s", ""), ("es", ""), ("ies", "y"))
    forms = (text.removesuffix(end) + instead for end, instead in ends if text.endswith(end))
    return next((kind for kind in forms if kind in known), "")


def _names_combatant(matcher: Matcher, at: int) -> bool:
    text = matcher.tokens[at].text if at < len(matcher.tokens) else ""
    return text == "all" or (text[:1].isalpha() and bool(names.combatants(matcher.context.state, text)))


def _read_name(matcher: Matcher, at: int, kind: str) -> Iterator[tuple[str, int]]:
    token = matcher.tokens[at] if at < len(matcher.tokens) else None
    person = token and token.quoted and names.exact_matches(matcher.context.state, token.text)
    if token and not person and (token.quoted or _may_be_name(matcher, token, kind, at)):
        yield (token.text if token.quoted else bare_word(token.text)), at + 1
        if token.quoted:
            return
    yield "", at


PREPOSITIONS = ("at", "on", "against", "with")
"""Words that people write before a target or a weapon, and that the grammar has no place for."""
_NOT_NAMES = rf"[\d+@^.?{{\[-]|.*=|all$|hits?$|miss$|misses$|ok$|fail$|is$|not$|:|({'|'.join(PREPOSITIONS)})$"


def _may_be_name(matcher: Matcher, token: Token, kind: str, at: int) -> bool:
    """Say whether a word is the name of an action: a known one, a spell before its time, or any behind a kind that is no mistyped combatant."""
    context, text, state = matcher.context, bare_word(token.text), matcher.context.state
    words = forms.of(state.rules.rules).words
    is_other = "," in text or token.text.casefold() in words["filler"] or re.match(_NOT_NAMES, token.text)
    if is_other or names.combatants(state, token.text):
        return False
    if kind:
        told = _third_person(matcher.tokens[at - 1].text.casefold(), frozenset((kind,)))
        listed = kind == "cast" and (
            text.casefold() in words["spell"] or state.rules.spell(state, "", text) is not None
        )
        known = line_context.is_named(context, text) or listed  # not: flees upstairs, casts zorn
        return known or not (told or _is_mistyped(matcher, token, kind, at))
    people = names.combatants(state, matcher.tokens[at - 1].text)
    if len(people) == 1 and line_context.named_kind(context, people[0], text):
        return True
    after = matcher.tokens[at + 1].text if at + 1 < len(matcher.tokens) else ""
    timed = after.isdecimal() and matcher.plans and (matcher.asks or _is_aimed(matcher, at + 2))
    is_spell = matcher.asks or context.script or text.casefold() in words["spell"]
    if timed and is_spell and not suggestion(token.text, state.combatants):
        return True
    why = f"{token.text[:40]} is no combatant, no kind of action, and nothing on the sheet"
    quoted = f'the name of an action stands after its kind, or is quoted: "{token.text[:40]}"'
    meant = partial(suggestion, token.text, state.combatants, line_context.kinds(state))
    matcher.fail(at, NotUnderstood.make_vague(token.start + 1, why, lambda: meant() or quoted))
    return False


def _is_aimed(matcher: Matcher, at: int) -> bool:
    text = matcher.tokens[at].text if at < len(matcher.tokens) else ""
    return re.match(r"(?!d\d|until$)[^\W\d_]", text) is not None


def _is_mistyped(matcher: Matcher, token: Token, kind: str, at: int) -> bool:
    """Say whether a word that names no known action is probably the mistyped name of a combatant: it resembles one, or is the last of a blow, where its target belongs."""
    words, aimed = forms.of(matcher.context.state.rules.rules).words, _is_aimed(matcher, at + 1)
    near = names.near(matcher.context.state, token.text, loosely=not aimed and kind != "cast")
    last = not aimed and kind in words["aimed"] and not matcher.asks
    if (aimed and bare_word(token.text).casefold() in words.get("weapon", ())) or not (near or last):
        return False
    meant = f"did you mean {near}? As the name of an action" if near else "a weapon that nobody here has"
    hint = f'{meant} it is quoted: "{token.text[:40]}"' if near else f'{meant} is quoted: "{token.text[:40]}"'
    matcher.fail(at, NotUnderstood.make_vague(token.start + 1, f"there is no combatant {token.text[:40]}", hint), 3)
    return True


def _read_time(matcher: Matcher, at: int, known: Fields) -> Iterator[tuple[Fields, int]]:
    if known and known.get("kind") != "attack" and at < len(matcher.tokens):
        for token, end in matcher.tokens_with_unit("time", at):
            if not token.quoted and re.fullmatch(r"\d{1,3}|\d{1,6}[a-z]+", token.text):
                try:
                    yield {"time": KINDS["time"].read(matcher.context, token)}, end
                except NotUnderstood as error:
                    matcher.fail(at, error)
    yield {}, at


WIDE = {
    "rest": _read_rest,
    "whom": _read_combatants,
    "several": _several,
    "sheet": _read_sheet,
    "values": _read_values,
    "action": _read_action,
    "contenders": _read_contenders,
}
"""The kinds of slots that take several tokens."""
