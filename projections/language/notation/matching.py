"""Matching a line with the pattern of a form: every way in which its tokens can fill the slots, the likeliest first."""

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from projections.language.notation import names
from projections.language.notation.forms import Form, FormSlot, Literal, Node, Optional, Pair, Pattern, Repeated
from projections.language.notation.kinds import unit_of
from projections.language.notation.line_context import LineContext
from projections.language.notation.slots import KINDS, parse_json
from projections.language.notation.tokens import NotUnderstood, Token
from projections.open_types import Fields, Json

OPTION = r"(?s)(\.?)([a-z][a-z0-9_]*)=(.*)"
"""An option, key=value; in a form with words of this form itself it has a dot before it."""
MEASURED = frozenset({"duration", "distance", "span", "time"})
"""Kinds of slots for an amount and its unit, which may be typed as two words."""


class Found(Struct):
    """A way to match a line: the values of the slots, those of the repeated end, and the tokens that are options."""

    values: Fields = {}
    repeated: list[Fields] = field(default_factory=list)
    options: tuple[Token, ...] = ()


Wide = Callable[["Matcher", int], Iterator[tuple[Json, int]]]
"""A function that yields the values of a slot of several tokens, with the places behind them."""


class Matcher:
    """The tokens of one line, and the error that lies furthest along it. `wide` has the kinds of slots of several tokens.

    It tries `every` pattern for the sake of its errors, also those that the line cannot fit; or else only the others.
    """

    def __init__(
        self,
        context: LineContext,
        line: str,
        tokens: list[Token],
        short: dict[str, str],
        wide: Mapping[str, Wide],
        *,
        every: bool,
    ) -> None:
        self.context, self.line, self.tokens, self.every = context, line, tokens, every
        self.short, self.wide = short, wide
        self._signs = [_option_sign(token) for token in tokens]
        self._texts = [f'"{token.text}' if token.quoted else token.text for token in tokens]
        self.furthest: tuple[tuple[bool, int, int], NotUnderstood] | None = None
        self.left = 0
        self.wanted: list[Node] = []
        """The nodes that could stand behind the line, where every pattern is tried."""
        self.free = self.asks = self.bare = self.plans = False

    def match_form(self, form: Form) -> Iterator[Found]:
        """Yield every way to match a form with the whole line."""
        for pattern in form.compiled_patterns:
            if self.every or pattern.fits(self._texts):
                yield from self.match_patterns(form, pattern)

    def match_patterns(self, form: Form, pattern: Pattern) -> Iterator[Found]:
        """Yield every way to match one of the patterns of a form with the whole line."""
        self.asks = "plan" in form.fills or form.name == "holds"
        self.plans = not form.rolls  # a name without its kind, before a number, is that of a spell with its time
        self.bare = bool(form.rest)  # what makes no fact has no options
        self.free = pattern.free
        for found, end in self._match_nodes(pattern.nodes, 0, Found()):
            rest, options = self._take_options(end, found.options)
            if rest == len(self.tokens):
                yield Found(found.values, found.repeated, options)
            else:
                self.left = max(self.left, rest)

    def furthest_error(self) -> NotUnderstood:
        """Return the error that lies furthest along the line."""
        if self.furthest is None or self.left > self.furthest[0][1]:
            return NotUnderstood.make_vague(self.tokens[self.left].start + 1, "nothing more was expected here")
        return self.furthest[1]

    def _keep_miss(self, at: int, why: str, hint: str = "", weight: int = 1) -> None:
        if not self.every:
            return
        token = self.tokens[at] if at < len(self.tokens) else None
        column = token.start + 1 if token else len(self.line.rstrip()) + 1
        self.fail(at, NotUnderstood.make_vague(column, why, hint), weight)

    def fail(self, at: int, error: NotUnderstood, weight: int = 2) -> None:
        """Keep an error if none lies further along the line; if not every pattern is tried, nobody asks for the error."""
        if not self.every:
            return
        place = (weight > 0, at, weight)
        if self.furthest is None or place > self.furthest[0]:
            self.furthest = (place, error)

    def _take_options(self, at: int, options: tuple[Token, ...]) -> tuple[int, tuple[Token, ...]]:
        while at < len(self.tokens) and not self.bare and self._signs[at] not in ("", "=" if self.free else ""):
            options = (*options, self.tokens[at])
            at += 1
        return at, options

    def _match_nodes(self, nodes: tuple[Node, ...], at: int, found: Found) -> Iterator[tuple[Found, int]]:
        if not nodes:
            yield found, at
            return
        first, rest = nodes[0], nodes[1:]
        at, options = self._take_options(at, found.options)
        if at == len(self.tokens):
            self.wanted.append(first)
        if options is not found.options:
            found = Found(found.values, found.repeated, options)
        for filled, end in self._match_node(first, at, found):
            is_wide = isinstance(first, FormSlot) and first.kind in self.wide
            if is_wide and self._take_options(end, ())[0] == len(self.tokens):
                self.wanted.append(first)
            if rest:
                yield from self._match_nodes(rest, end, filled)
            else:
                yield filled, end

    def _match_node(self, node: Node, at: int, found: Found) -> Iterator[tuple[Found, int]]:
        if isinstance(node, Optional):
            yield from self._match_nodes(node.nodes, at, found)
            yield found, at
        elif isinstance(node, Repeated):
            yield from self._match_repeated(node, at, found)
        elif isinstance(node, Literal):
            if at < len(self.tokens) and not self.tokens[at].quoted and self.tokens[at].text in node.words:
                yield found, at + 1
            else:
                self._keep_miss(at, f"expected {' or '.join(node.words)}", weight=0)
        elif isinstance(node, FormSlot) and node.kind in self.wide:
            for value, end in self.wide[node.kind](self, at):
                yield _add_values(found, {node.name: value}), end
        elif at < len(self.tokens):
            for token, end in self.tokens_with_unit(node.kind if isinstance(node, FormSlot) else "", at):
                for values in self._match_token(node, token, at):
                    yield _add_values(found, values), end
        else:
            self._keep_miss(at, f"expected {_node_words(node)}")

    def _match_repeated(self, node: Repeated, at: int, found: Found) -> Iterator[tuple[Found, int]]:
        for one, end in self._match_nodes(node.nodes, at, Found(options=found.options)):
            more = Found(found.values, [*found.repeated, one.values], one.options)
            yield from self._match_repeated(node, end, more)
            yield more, end

    def tokens_with_unit(self, kind: str, at: int) -> Iterator[tuple[Token, int]]:
        """Yield the token at a place; before that, if it is the number of a measure, the token with its unit after it: 3 rounds."""
        token = self.tokens[at]
        if kind in MEASURED and token.text.isdecimal() and not token.quoted and (unit := self._unit_at(at + 1)):
            yield Token(token.text + unit.text, token.start, unit.end), at + 2
        yield token, at + 1

    def _unit_at(self, at: int) -> Token | None:
        """Return the token at a place if it is a unit written out, and no combatant's name."""
        if at == len(self.tokens):
            return None
        token = self.tokens[at]
        short = len(token.text) < 3 and token.text != "ft"
        named = short or token.quoted or names.combatants(self.context.state, token.text)
        return token if unit_of(token.text) and not named else None

    def _match_token(self, node: FormSlot | Pair, token: Token, at: int) -> Iterator[Fields]:
        try:
            if isinstance(node, Pair):
                yield self._read_pair(node, token)
            elif (inner := _strip_affixes(node, token)) is not None:
                yield {node.name: self._read_value(node.kind, inner)}
            else:
                self._keep_miss(at, f"expected {_node_words(node)}")
        except NotUnderstood as error:
            if not self.every:
                return
            vague = isinstance(node, Pair) and not re.search(r"\d", token.text)
            loose = isinstance(node, FormSlot) and KINDS.get(node.kind) in map(KINDS.get, ("word", "phase", "about"))
            is_dice = re.match(r"\d*d[\d%]", token.text) is not None
            if isinstance(node, FormSlot) and node.kind in ("die", "dice", "amount"):
                vague, loose = False, not is_dice
            named = isinstance(node, Pair) and error.column > token.start + 1  # what follows the name is wrong
            self.fail(at, error, 0 if vague else 1 if loose else 3 if is_dice or named else 2)

    def _read_pair(self, node: Pair, token: Token) -> Fields:
        """Read a token such as p5: the shortest end that is a value, after a name."""
        problem: NotUnderstood | None = None
        if token.text[1:].endswith(","):
            token = Token(token.text[:-1], token.start, token.end - 1)
        for place in range(len(token.text) - 1, 0, -1):
            head, tail = token.text[:place], token.text[place:]
            if not tail.startswith(node.between) or not re.match(
                r"[+-]?\d|d\d|\d*d%|~", tail.removeprefix(node.between)
            ):
                continue
            if not node.between and re.match(r".*[\d]$", head):
                continue
            inner = Token(tail.removeprefix(node.between), token.start + place + len(node.between), token.end)
            try:
                named = head if node.between else head[0] + head[1:].removesuffix(":")  # orc-1:8
                first = self._read_value(node.first.kind, Token(named, token.start, token.end))
                return {node.first.name: first, node.second.name: self._read_value(node.second.kind, inner)}
            except NotUnderstood as error:
                problem = max(problem or error, error, key=lambda each: each.column)  # behind a name that is right
        hint = f"the number stands right after the name, such as {token.text[:20] if token.text.isalpha() else 'p'}5"
        raise problem or NotUnderstood(token.start + 1, f"{token.text[:40]} is not a name with a number", hint)

    def _read_value(self, kind: str, token: Token) -> object:
        if token.text[:1] in ("{", "[") and not token.quoted and KINDS[kind].has_parts:
            return parse_json(token)
        return KINDS[kind].read(self.context, token)


def _option_sign(token: Token) -> str:
    """Return the sign that can make a token an option: @, ^, a dot or =; "" for any other."""
    if token.quoted or token.text[0] in "@^":
        return "" if token.quoted else token.text[0]
    match = re.match(OPTION, token.text) if "=" in token.text else None
    return (match[1] or "=") if match else ""


def _add_values(found: Found, values: Fields) -> Found:
    return Found(found.values | values, found.repeated, found.options)


def _strip_affixes(node: FormSlot, token: Token) -> Token | None:
    """Return the text of a token between the prefix and the suffix of a slot; None if they are not there."""
    if not (node.prefix or node.suffix):
        return token
    text = token.text
    if token.quoted or not (text.startswith(node.prefix) and text.endswith(node.suffix)):
        return None
    inner = text[len(node.prefix) : len(text) - len(node.suffix)]
    return Token(inner, token.start + len(node.prefix), token.end - len(node.suffix)) if inner else None


def _node_words(node: FormSlot | Pair) -> str:
    if isinstance(node, Pair):
        return f"{_node_words(node.first)} with {_node_words(node.second)}"
    kind = KINDS.get(node.kind)
    says = kind.says if kind else "a text"
    sample = "6" if node.kind == "amount" else "m"
    return f"{says}, such as {node.prefix}{sample}{node.suffix}" if node.prefix or node.suffix else says
