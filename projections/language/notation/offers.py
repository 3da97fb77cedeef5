"""Offers for completion: the words that can stand next in a line, the likeliest first, each with the reason for it."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec import Struct, structs

from projections.fight import Combatant
from projections.folds import budget
from projections.folds.addresses import derive_value
from projections.folds.moves import next_up
from projections.folds.order import round_rows, who_is_due
from projections.judging.known_words import known
from projections.language.notation import forms, line_context, names
from projections.language.notation.forms import Form, FormSlot, Literal, Node
from projections.language.notation.line_context import LineContext
from projections.language.notation.matching import Matcher
from projections.language.notation.parsing import LONGEST, candidate_forms
from projections.language.notation.several_tokens import WIDE
from projections.language.notation.tokens import NotUnderstood, Token, split, word
from projections.mechanics.conditions import effects_of as conditions_of
from projections.mechanics.dice import parse
from projections.state import State


class Offer(Struct, frozen=True):
    """A word that can stand next, and its reason: who may act, what is left, what a form means."""

    word: str
    says: str = ""


class Writer(Struct, frozen=True):
    """The typist: the combatants for whom they may write lines (None: for all), and the forms that they may use."""

    own: frozenset[str] | None = None
    opens: Callable[[Form], bool] = lambda _: True

    def may_act(self, found: Iterable[Offer]) -> Iterator[Offer]:
        """Yield the combatants and sides among those offered for whom lines may be written."""
        return (each for each in found if self.own is None or each.word in self.own)


def offer_completions(at: LineContext, line: str, by: Writer = Writer()) -> tuple[str, list[Offer]]:  # noqa: B008 – it cannot be changed
    """Return the unfinished word at the end of a line, and the words that it can become for this typist."""
    begun = re.split(r"[\s,/]", line)[-1]
    tokens = _tokens_before(line[: len(line) - len(begun)].rstrip(",/"))
    if tokens is None or len(line) > LONGEST:
        return begun, []
    if line[: len(line) - len(begun)].endswith((",", "/")):
        tokens = tokens[:-1]
    if begun.startswith("?") and not tokens:
        found: Iterable[Offer] = (Offer(f"?{each.word}", "why is it so?") for each in people(at.state))
    elif begun.startswith("cost="):
        found = _offer_costs(at.state, tokens)
    else:
        before = re.sub(r"(?<=\s)(?:[@^]\S*|\w+=\S*)\s", "", line[: len(line) - len(begun)])
        further, begins = _offer_sentences(at, before, tokens, by), _offer_next(at, tokens, by)
        found = [*further] or begins if len(tokens) > 1 else chain(begins, further)
    fitting: dict[str, Offer] = {}
    for each in found:
        if each.word and each.word not in fitting and _is_completion(at.state, each.word, begun):
            fitting[each.word] = each
    return begun, list(fitting.values())


def _offer_sentences(at: LineContext, before: str, tokens: list[Token], by: Writer) -> Iterator[Offer]:
    """Yield the words with which a sentence about somebody for whom this typist may write can go on."""
    actor = _actor_of_line(at.state, tokens[:1])
    if not actor or before.split(maxsplit=1)[0] != tokens[0].text or not (by.own is None or actor[0] in by.own):
        return
    from projections.language import sentences  # only behind a name

    for text, says in sentences.expected_words(at, before):
        who = names.exact_matches(at.state, text)
        yield Offer(who[0] if len(who) == 1 else text, says)


def _tokens_before(text: str) -> list[Token] | None:
    """Return the tokens before the last word, without what may precede any line; None within a quotation."""
    try:
        tokens = split(text)
    except NotUnderstood:
        return None
    if tokens and tokens[0].text == "secret":
        tokens = tokens[1:]
    if len(tokens) > 1 and tokens[0].text in ("amend", "insert"):
        tokens = tokens[2:]
    return [each for each in tokens if each.quoted or each.text[0] not in "@^"]


def _is_completion(state: State, offered: str, begun: str) -> bool:
    start, one = names.folded(begun), state.combatants.get(offered)
    spelt = (offered, one.name) if one else (offered, offered.removeprefix("?"))
    return any(names.folded(each).startswith(start) for each in spelt)


def _offer_next(at: LineContext, tokens: list[Token], by: Writer) -> Iterator[Offer]:
    """Yield the words that can stand after these tokens."""
    table = forms.of(at.state.rules.rules)
    if not tokens:
        yield from by.may_act(people(at.state))
        for form in filter(by.opens, table.form):
            for nodes in form.nodes:
                if isinstance(nodes[0], Literal):
                    yield Offer(nodes[0].words[0], form.says)
        return
    for node, form in _expected_nodes(at, filter(by.opens, candidate_forms(at.state.rules.rules, tokens[0])), tokens):
        if isinstance(node, Literal):
            yield from (Offer(each, form.says) for each in node.words)
        elif isinstance(node, FormSlot) and not node.prefix and node.kind in SOURCES:
            found = SOURCES[node.kind](at, tokens)
            yield from by.may_act(found) if node.kind in DOERS else found


def _expected_nodes(at: LineContext, table: Iterable[Form], tokens: list[Token]) -> Iterator[tuple[Node, Form]]:
    """Yield the next words that each form expects after these tokens: first in patterns with words of the line, actions before others."""
    found: list[tuple[tuple[int, int], Node, Form]] = []
    line = " ".join(token.text for token in tokens)
    context = structs.replace(at, roll=lambda text: f"{text}:{parse(text).example}")
    for form in table:
        matcher = Matcher(context, line, tokens, forms.of(at.state.rules.rules).kinds, WIDE, every=True)
        for pattern in form.compiled_patterns:
            matcher.wanted.clear()
            for _ in matcher.match_patterns(form, pattern):
                pass
            own = forms.fixed_words(pattern.nodes)
            typed = sum(token.text in own for token in tokens if not token.quoted)
            found += [((-typed, _offer_rank(node)), node, form) for node in dict.fromkeys(matcher.wanted)]
    yield from ((node, form) for _, node, form in sorted(found, key=lambda each: each[0]))


def _offer_rank(node: Node) -> int:
    return 2 if isinstance(node, Literal) else 0 if isinstance(node, FormSlot) and node.kind == "action" else 1


# ---------------------------------------------------------------- who, and what they have left


def people(state: State) -> Iterator[Offer]:
    """Yield everybody in the fight: first those who may act now, with what they have left; the fallen last."""
    due = list(who_is_due(state).value)
    coming = next_up(state)
    here = {one.id: one for one in state.here()}
    order = [who for who in dict.fromkeys((state.clock.turn, coming, *due, *here)) if who in here]
    for one in sorted((here[who] for who in order if who), key=lambda one: one.status != "up"):
        yield Offer(one.id, describe_standing(state, one, due, coming))


def describe_standing(state: State, one: Combatant, due: list[str], coming: str | None) -> str:
    """Return a combatant's place in the round, and what they have left."""
    if one.status != "up":
        return one.status
    if one.id == state.clock.turn or one.id in state.clock.together:
        says = "has the turn"
    elif one.id == coming:
        says = "is next"
    else:
        acted = any(row.combatant == one.id for row in round_rows(state))
        says = "may act" if one.id in due else "has acted" if acted else ""
    left = describe_left(state, one.id)
    return f"{says}; left: {left}".removeprefix("; ") if left else says


LEFT = ("<who>.left.<what>", *budget.BESIDES)
"""The addresses of what a combatant has left of the round, and of spells."""


def amounts_left(state: State, who: str) -> dict[str, int]:
    """Return what a combatant has left, above 0, by name."""
    found: dict[str, int] = {}
    for each in (*state.rules.addresses, *budget.ADDRESSES):
        if each.pattern in LEFT:
            for address in each.existing(state):
                head, _, rest = address.partition(".")
                value = derive_value(state, address) if head == who else None
                if value is not None and isinstance(value.value, int) and value.value > 0:
                    found[rest.rpartition(".")[2]] = value.value
    return found


def describe_left(state: State, who: str) -> str:
    """Return what a combatant has left, in words: 1 action, 30 walk."""
    return ", ".join(f"{number} {what}" for what, number in amounts_left(state, who).items())


def _offer_costs(state: State, tokens: list[Token]) -> Iterator[Offer]:
    """Yield the possible costs of an act: what its actor has left."""
    for who in _actor_of_line(state, tokens):
        for what, number in amounts_left(state, who).items():
            yield Offer(f"cost={word(what)}", f"{number} left")


# ---------------------------------------------------------------- the sources of words


def _actor_of_line(state: State, tokens: list[Token]) -> list[str]:
    """Return the actor of a line: the first combatant named in it, alone."""
    named = (names.combatants(state, token.text.removeprefix(":")) for token in tokens[:2])
    return next((each for each in named if len(each) == 1), [])


def _offer_sides(at: LineContext, _tokens: list[Token]) -> Iterator[Offer]:
    yield from (Offer(side, "a side") for side in at.state.sides)


def _offer_targets(at: LineContext, tokens: list[Token]) -> Iterator[Offer]:
    """Yield the possible targets of an act: foes before friends."""
    actor = _actor_of_line(at.state, tokens)
    own = at.state.combatants[actor[0]].side if actor else None
    yield from sorted(people(at.state), key=lambda each: at.state.combatants[each.word].side == own)


def _offer_acts(at: LineContext, tokens: list[Token]) -> Iterator[Offer]:
    """Yield the possible beginnings of an action: the declared act, entries of the sheet, targets, kinds of action."""
    for who in _actor_of_line(at.state, tokens):
        one = at.state.combatants[who]
        left = amounts_left(at.state, who) | {name.casefold(): number for name, number in one.resources.items()}

        def counted(name: str, left: dict[str, int] = left) -> str:
            number = left.get(name, left.get(name.casefold()))
            return "" if number is None else f"{number} left"

        declared = line_context.declared_by(at, who)
        if declared and declared.name:
            yield Offer(word(declared.name), "as declared")
        for entry in getattr(one.sheet, "entries", ()) or ():
            yield Offer(word(entry.name), counted(entry.name) or getattr(entry, "kind", None) or "on the sheet")
        yield from (Offer(word(weapon), counted(weapon) or "a weapon") for weapon in line_context.weapon_names(one))
    yield from _offer_targets(at, tokens)
    yield from (Offer(kind, "a kind of action") for kind in sorted(line_context.kinds(at.state)) if " " not in kind)


def _offer_conditions(at: LineContext, tokens: list[Token]) -> Iterator[Offer]:
    """Yield conditions: those of the combatant named come first, if the line ends one."""
    if tokens[-1].text == "not":
        for who in _actor_of_line(at.state, tokens):
            yield from (Offer(word(each.name), "is so now") for each in conditions_of(at.state.conditions, who))
    yield from (Offer(word(each)) for each in sorted(known(at.state.rules.rules).conditions))


def _offer_effects(at: LineContext, _tokens: list[Token]) -> Iterator[Offer]:
    for one in at.state.here():
        yield from (Offer(word(each.name), "on a sheet") for each in (getattr(one.sheet, "entries", ()) or ()))


def _offer_addresses(at: LineContext, _tokens: list[Token]) -> Iterator[Offer]:
    for one in at.state.here():
        yield from (Offer(f"{one.id}.{field}=") for field in ("hp", "status"))


def _map_kinds(kinds: str, source: "Source") -> "dict[str, Source]":
    return dict.fromkeys(kinds.split(), source)


Source = Callable[[LineContext, list[Token]], Iterator[Offer]]

SOURCES: dict[str, Source] = {
    **_map_kinds("who combatant source of winner together engaged treated words", lambda at, _: people(at.state)),
    **_map_kinds("target targets whom", _offer_targets),
    **_map_kinds("side sides group", _offer_sides),
    **_map_kinds("party surprised combatants", lambda at, tokens: chain(people(at.state), _offer_sides(at, tokens))),
    "action": _offer_acts,
    "condition": _offer_conditions,
    "effect": _offer_effects,
    "phase": lambda at, _: map(Offer, at.state.rules.schedule.phases(at.state)),
    "values": _offer_addresses,
    "ruling": lambda _at, _: map(Offer, ("grant", "fact", "tie", "waiver", "override", "reveal")),
}
"""The sources of words for each kind of slot; kinds without a source, such as numbers, have no offers."""
DOERS = frozenset({"who", "combatant", "source", "together", "party", "side", "sides", "group"})
"""The kinds of slots for the actor of a line."""
