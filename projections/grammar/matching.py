"""Matching a line with the pattern of a form: every way in which its tokens can fill the slots, the likeliest first."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from projections.grammar import names, scene
from projections.grammar.forms import Form, Literal, Node, Optional, Pair, Repeated, Slot
from projections.grammar.scene import Scene
from projections.grammar.slots import KINDS, literal
from projections.grammar.tokens import Token, Untold, quote, suggestion, unbar

Values = dict[str, Any]
OPTION = re.compile(r"(\.?)([a-z][a-z0-9_]*)=(.*)", re.DOTALL)
FREE = frozenset({"values", "sheet"})
"""Kinds of slots that take every token of the form key=value; before an option stands a dot in such a form."""


class Found(Struct):
    """A way to match a line: the values of the slots, those of the repeated end, and the tokens that are options."""

    values: Values = {}
    repeated: list[Values] = field(default_factory=list)
    options: tuple[Token, ...] = ()


class Matcher:
    """The tokens of one line, and the error that lies furthest along it."""

    def __init__(self, told_in: Scene, line: str, tokens: list[Token], short: dict[str, str]) -> None:
        self.scene, self.line, self.tokens, self.short = told_in, line, tokens, short
        self.furthest: tuple[bool, int, int, Untold] | None = None
        self.free = self.asks = self.bare = False

    def all(self, form: Form) -> Iterator[Found]:
        """Yield every way to match a form with the whole line."""
        self.asks = "plan" in form.fills or form.name == "holds"
        self.bare = bool(form.rest)  # what makes no fact has no options
        for nodes in form.nodes:
            self.free = _kinds(nodes) & FREE != frozenset()
            for found, end in self._nodes(nodes, 0, Found()):
                rest, options = self._options(end, found.options)
                if rest == len(self.tokens):
                    found.options = options
                    yield found
                else:
                    self._miss(rest, "nothing more was expected here", weight=0)

    def error(self) -> Untold:
        """Return the error that lies furthest along the line."""
        if self.furthest is None:
            return Untold(1, "nothing is said here")
        return self.furthest[3]

    def _miss(self, at: int, why: str, hint: str = "", weight: int = 1) -> None:
        token = self.tokens[at] if at < len(self.tokens) else None
        column = token.start + 1 if token else len(self.line.rstrip()) + 1
        self.fail(at, Untold(column, why, hint), weight)

    def fail(self, at: int, error: Untold, weight: int = 2) -> None:
        """Keep an error if none lies further along the line."""
        if self.furthest is None or (weight > 0, at, weight) > self.furthest[:3]:
            self.furthest = (weight > 0, at, weight, error)

    def _options(self, at: int, options: tuple[Token, ...]) -> tuple[int, tuple[Token, ...]]:
        while at < len(self.tokens) and self._is_option(self.tokens[at]):
            options = (*options, self.tokens[at])
            at += 1
        return at, options

    def _is_option(self, token: Token) -> bool:
        if self.bare:
            return False
        if token.quoted or len(token.text) < 2:
            return not token.quoted and token.text == "^"
        match = OPTION.match(token.text)
        return token.text[0] in "@^" or (match is not None and (match[1] == "." or not self.free))

    def _nodes(self, nodes: tuple[Node, ...], at: int, found: Found) -> Iterator[tuple[Found, int]]:
        if not nodes:
            yield found, at
            return
        first, rest = nodes[0], nodes[1:]
        at, options = self._options(at, found.options)
        found = Found(found.values, found.repeated, options)
        for filled, end in self._node(first, at, found):
            yield from self._nodes(rest, end, filled)

    def _node(self, node: Node, at: int, found: Found) -> Iterator[tuple[Found, int]]:
        if isinstance(node, Optional):
            yield from self._nodes(node.nodes, at, found)
            yield found, at
        elif isinstance(node, Repeated):
            yield from self._repeated(node, at, found)
        elif isinstance(node, Literal):
            if at < len(self.tokens) and not self.tokens[at].quoted and self.tokens[at].text in node.words:
                yield found, at + 1
            else:
                self._miss(at, f"expected {' or '.join(node.words)}", weight=0)
        else:
            wide = WIDE.get(node.kind) if isinstance(node, Slot) and not (node.prefix or node.suffix) else None
            if isinstance(node, Slot) and wide:
                for value, end in wide(self, at):
                    yield _with(found, {node.name: value}), end
            elif at < len(self.tokens):
                for values in self._token(node, at):
                    yield _with(found, values), at + 1
            else:
                self._miss(at, f"expected {_says(node)}")

    def _repeated(self, node: Repeated, at: int, found: Found) -> Iterator[tuple[Found, int]]:
        for one, end in self._nodes(node.nodes, at, Found(options=found.options)):
            more = Found(found.values, [*found.repeated, one.values], one.options)
            yield from self._repeated(node, end, more)
            yield more, end

    def _token(self, node: Slot | Pair, at: int) -> Iterator[Values]:
        token = self.tokens[at]
        try:
            if isinstance(node, Pair):
                yield self._pair(node, token)
            elif (inner := _inside(node, token)) is not None:
                yield {node.name: self._read(node.kind, inner)}
            else:
                self._miss(at, f"expected {_says(node)}")
        except Untold as error:
            vague = isinstance(node, Pair) and not re.search(r"\d", token.text)
            loose = isinstance(node, Slot) and KINDS.get(node.kind) is KINDS["word"]
            is_dice = re.match(r"\d*d[\d%]", token.text) is not None
            if isinstance(node, Slot) and node.kind in ("die", "dice", "amount"):
                vague, loose = False, not is_dice
            self.fail(at, error, 0 if vague else 1 if loose else 3 if is_dice else 2)

    def _pair(self, node: Pair, token: Token) -> Values:
        """Read a token such as p5: the shortest end that is a value, behind a name."""
        problem: Untold | None = None
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
                first = self._read(node.first.kind, Token(head, token.start, token.start + place))
                return {node.first.name: first, node.second.name: self._read(node.second.kind, inner)}
            except Untold as error:
                problem = problem or error
        raise problem or Untold(token.start + 1, f"{token.text[:40]} is not a name with a number", "such as p5")

    def _read(self, kind: str, token: Token) -> Any:
        if token.text[:1] in ("{", "[") and not token.quoted:
            return literal(token)
        return KINDS[kind].read(self.scene, token)


# ---------------------------------------------------------------- slots of several tokens


def _rest(matcher: Matcher, at: int) -> Iterator[tuple[str, int]]:
    """Yield the rest of the line as text; if it is one quotation, what is in it."""
    tokens = matcher.tokens[at:]
    if not tokens:
        matcher._miss(at, "expected a text")  # noqa: SLF001 – a part of the matcher
    elif tokens[0].quoted and len(tokens) == 1:
        yield tokens[0].text, len(matcher.tokens)
    else:
        yield matcher.line[tokens[0].start :].strip(), len(matcher.tokens)


def _whom(matcher: Matcher, at: int) -> Iterator[tuple[list[str], int]]:
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
    state = matcher.scene.state
    try:
        if token.text == "all" and not token.quoted and at + 1 < len(matcher.tokens):
            return names.group(state, matcher.tokens[at + 1]), at + 2
        if re.match(r"[\d+@^-]", token.text) or token.quoted:
            return None
        return KINDS["targets"].read(matcher.scene, token), at + 1
    except Untold as error:
        matcher.fail(at, error)
        return None


def _sheet(matcher: Matcher, at: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the fields of a sheet: hp=9 ac=5, or JSON."""
    found: dict[str, Any] = {}
    while at < len(matcher.tokens):
        token = matcher.tokens[at]
        match = None if token.quoted else OPTION.fullmatch(token.text)
        if token.text.startswith("{") and not token.quoted:
            found |= literal(token)
        elif match and not match[1]:
            found[match[2]] = _plain(token, match[3])
        else:
            break
        at += 1
    yield found, at


def _contenders(matcher: Matcher, at: int) -> Iterator[tuple[list[Any], int]]:
    """Yield two or more who roll against each other."""
    found: list[Any] = []
    try:
        while at < len(matcher.tokens) and not matcher._is_option(matcher.tokens[at]):  # noqa: SLF001 – a part of the matcher
            found.append(KINDS["contender"].read(matcher.scene, matcher.tokens[at]))
            at += 1
    except Untold as error:
        matcher.fail(at, error)
    if found:
        yield found, at


_ADDRESS = re.compile(r"([^=\"]+)=(.+)", re.DOTALL)


def _stated(matcher: Matcher, at: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield one or more addresses with their values: ulf.hp=3 turn=ada."""
    found: dict[str, Any] = {}
    ends: list[tuple[dict[str, Any], int]] = []
    while at < len(matcher.tokens):
        token = matcher.tokens[at]
        match = None if token.quoted or token.text[0] in ".@^" else _ADDRESS.fullmatch(token.text)
        if match is None:
            break
        who, dot, rest = unbar(match[1]).partition(".")
        known = names.combatants(matcher.scene.state, who) if dot else []
        exact = who in matcher.scene.state.sides or len(known) != 1
        found = found | {(who if exact else known[0]) + dot + rest: _plain(token, match[2])}
        at += 1
        ends.append((found, at))
    if not ends:
        matcher._miss(at, "expected an address with its value", "such as ulf.hp=3")  # noqa: SLF001 – a part of the matcher
    yield from reversed(ends)


def _plain(token: Token, text: str) -> Any:
    """Read a value of no fixed kind: a number, JSON, yes or no, or a word."""
    if text[:1] in '"{[':
        return literal(Token(text, token.end - len(text), token.end))
    if re.fullmatch(r"-?\d{1,16}", text):
        return int(text)
    return {"yes": True, "no": False}.get(text, unbar(text))


def plain(value: Any) -> str:
    """Write a value of no fixed kind as a part of a token."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        bare = re.fullmatch(r"[^\W\d_][\w .,:+()/&-]*", value) and "_" not in value and value not in ("yes", "no")
        return value.replace(" ", "_") if bare and "  " not in value and value.strip() == value else quote(value)
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _action(matcher: Matcher, at: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield an action: its kind, its name, its time, its targets, each of which may be left out."""
    for kind, after_kind in _kind(matcher, at):
        for name, after_name in _name(matcher, after_kind, kind):
            known = {"kind": kind} if kind else {}
            known |= {"name": name} if name else {}
            for time, after_time in _time(matcher, after_name, known):
                for targets, end in _targets(matcher, after_time):
                    if end > at:
                        yield known | ({"targets": targets} if targets else {}) | time, end


def _kind(matcher: Matcher, at: int) -> Iterator[tuple[str, int]]:
    token = matcher.tokens[at] if at < len(matcher.tokens) else None
    known = scene.kinds(matcher.scene.state)
    if token and not token.quoted and token.text in known:
        yield token.text, at + 1
        return
    if token and not token.quoted and (kind := matcher.short.get(token.text)) in known and kind:
        people = names.combatants(matcher.scene.state, token.text)
        if people and matcher.asks:
            hint = f"write {kind}, or more of the name"
            matcher.fail(at, Untold(token.start + 1, f"{token.text} can be the kind {kind}, or {people[0]}", hint), 3)
            return
        if not people:
            yield kind, at + 1
    yield "", at


def _name(matcher: Matcher, at: int, kind: str) -> Iterator[tuple[str, int]]:
    token = matcher.tokens[at] if at < len(matcher.tokens) else None
    if token and (token.quoted or _may_be_name(matcher, token, kind, at)):
        yield (token.text if token.quoted else unbar(token.text)), at + 1
        if token.quoted:
            return
    yield "", at


_NOT_NAMES = re.compile(r"[\d+@^.?{\[-]|.*=|all$|hits?$|miss$|misses$|ok$|fail$|is$|not$|:")


def _may_be_name(matcher: Matcher, token: Token, kind: str, at: int) -> bool:
    if "," in token.text or _NOT_NAMES.match(token.text) or names.combatants(matcher.scene.state, token.text):
        return False
    after = matcher.tokens[at + 1].text if at + 1 < len(matcher.tokens) else ""
    if kind:
        return not _is_misspelt(matcher, token, at)
    actor = matcher.tokens[at - 1] if at else None
    people = names.combatants(matcher.scene.state, actor.text) if actor else []
    if len(people) == 1 and scene.named_kind(matcher.scene, people[0], unbar(token.text)):
        return True
    if re.fullmatch(r"\d+", after) and not suggestion(token.text, matcher.scene.state.combatants):
        return at + 2 <= len(matcher.tokens)
    hint = suggestion(token.text, (*matcher.scene.state.combatants, *scene.kinds(matcher.scene.state)))
    why = f"{token.text[:40]} is no combatant, no kind of action, and nothing on the sheet"
    matcher.fail(
        at,
        Untold(
            token.start + 1,
            why,
            hint or f'the name of an action stands after its kind, or is quoted: "{token.text[:40]}"',
        ),
    )
    return False


def _is_misspelt(matcher: Matcher, token: Token, at: int) -> bool:
    """Say whether a word is so near the name of a combatant that it has to be quoted to be another name."""
    import difflib  # only where a kind is named

    people = [name for one in matcher.scene.state.here() for name in (one.id, names.folded(one.name))]
    close = difflib.get_close_matches(names.folded(token.text)[:60], people, n=1, cutoff=0.8)
    if close:
        hint = f'did you mean {close[0]}? As the name of an action it is quoted: "{token.text[:40]}"'
        matcher.fail(at, Untold(token.start + 1, f"there is no combatant {token.text[:40]}", hint), 3)
    return bool(close)


def _time(matcher: Matcher, at: int, known: Values) -> Iterator[tuple[Values, int]]:
    if known and known.get("kind") != "attack" and at < len(matcher.tokens):
        token = matcher.tokens[at]
        if not token.quoted and re.fullmatch(r"\d{1,3}|\d{1,6}[a-z]+", token.text):
            try:
                yield {"time": KINDS["time"].read(matcher.scene, token)}, at + 1
            except Untold as error:
                matcher.fail(at, error)
    yield {}, at


def _targets(matcher: Matcher, at: int) -> Iterator[tuple[list[str], int]]:
    yield from _whom(matcher, at)
    yield [], at


WIDE = {"rest": _rest, "whom": _whom, "sheet": _sheet, "values": _stated, "action": _action, "contenders": _contenders}
"""The kinds of slots that take several tokens."""


def _with(found: Found, values: Values) -> Found:
    return Found(found.values | values, found.repeated, found.options)


def _inside(node: Slot, token: Token) -> Token | None:
    """Return what a token holds between the prefix and the suffix of a slot; None if they are not there."""
    if not (node.prefix or node.suffix):
        return token
    text = token.text
    if token.quoted or not (text.startswith(node.prefix) and text.endswith(node.suffix)):
        return None
    inner = text[len(node.prefix) : len(text) - len(node.suffix)]
    return Token(inner, token.start + len(node.prefix), token.end - len(node.suffix)) if inner else None


def _says(node: Slot | Pair) -> str:
    if isinstance(node, Pair):
        return f"{_says(node.first)} with {_says(node.second)}"
    kind = KINDS.get(node.kind)
    return f"{node.prefix}{kind.says if kind else 'a text'}{node.suffix}"


def _kinds(nodes: tuple[Node, ...]) -> frozenset[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, Optional | Repeated):
            found |= _kinds(node.nodes)
        elif isinstance(node, Pair):
            found |= FREE if node.between == "=" else frozenset()
        elif isinstance(node, Slot):
            found.add(node.kind)
    return frozenset(found)
