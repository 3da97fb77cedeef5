"""Parsing: from a line and the scene to the facts that it means, or an error that points at a character."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs, to_builtins

from eventstore.errors import Malformed
from eventstore.events import TAGS, Correction, Fact, SegmentReached, TurnStarted
from eventstore.form import REFERENCE_FIELDS, composed, event_of, nearest, read_json, visible
from eventstore.paths import AnyPath
from eventstore.record import upcast
from eventstore.shapes import Action
from projections.folds.moves import STILL
from projections.grammar import cautions, filling, forms, names
from projections.grammar.advising import advice, lifting
from projections.grammar.forms import Form, Forms
from projections.grammar.matching import Found, Matcher
from projections.grammar.scene import Gap, Scene, clock_move, closing
from projections.grammar.slots import KINDS, literal
from projections.grammar.tokens import CLOSING, OPENING, QUOTED, NotUnderstood, Token, quote, split, unbar
from projections.grammar.wide import OPTION
from projections.scheduling.schedule import ClockMove

LONGEST = 4000
"""The most characters of a line."""


class Parsed(Struct, frozen=True):
    """What a line means: facts, secret or not; or a question or wish (`rest`), with its words.

    `moved` is how many of the facts, from the first, the clock made by itself, as it does for a line that `acts`; `stays` says why it made none where the line
    tells of an act that belongs elsewhere, or may; `advice` says what the line leaves out that the game will ask for, leaves as it is, or says against what is known;
    `offers` are the lines that people may want next because of that.
    A line that `yields` is meant only where no phrase fits it. `said` are the lines of forms as which a line was read that
    people said in another way. `thrown` are the dice that were rolled here, as `roll` of the scene returned them.
    """

    facts: tuple[Fact, ...] = ()
    secret: bool = False
    rest: str = ""
    words: str = ""
    moved: int = 0
    form: str = ""
    stays: str = ""
    advice: str = ""
    offers: tuple[str, ...] = ()
    acts: bool = False
    yields: bool = False
    said: tuple[str, ...] = ()
    thrown: tuple[str, ...] = ()

    @property
    def corrects(self) -> bool:
        """Whether it corrects what was told before."""
        return any(isinstance(fact, Correction) for fact in self.facts)


def parse(scene: Scene, line: str) -> Parsed:
    """Return what a line means; raise NotUnderstood with the column, the reason and a hint. Nothing is changed."""
    if len(line) > LONGEST:
        raise NotUnderstood(LONGEST, f"a line has at most {LONGEST:,} characters, and this one {len(line):,}")
    line = composed(line)
    bare = line.strip()
    if not bare or bare.startswith("#"):
        return Parsed()
    if bare.startswith("{"):
        return Parsed((_json(line),), form="json")
    if bare[0] == '"' or bare[0] in OPENING:
        _check_remark(scene, bare)
        line = f"note {_unquoted(bare)}"
    tokens = split(line)
    if tokens[0].text == "secret" and not tokens[0].quoted:
        if len(tokens) == 1:
            raise NotUnderstood(
                len(line.rstrip()) + 1,
                "secret stands before a line that players are not to see",
                "such as: secret b -6",
            )
        return structs.replace(_rest_of(scene, line, tokens[1].start), secret=True)
    return _parsed(scene, line, tokens)


def _rest_of(scene: Scene, line: str, start: int) -> Parsed:
    """Return what the rest of a line means; the lines that its refusal offers begin with what stands before it."""
    try:
        return parse(scene, " " * start + line[start:])
    except NotUnderstood as error:
        if not error.offers:
            raise
        from projections.grammar.phrases.choosing import offering  # only where a line is refused

        raise offering(error, tuple(f"{line[:start].lstrip()}{each}" for each in error.offers)) from None


def _json(line: str) -> Fact:
    try:
        return upcast(event_of(read_json(line)))
    except Malformed as error:
        raise NotUnderstood(1, str(error), error.hint) from None


def _check_remark(scene: Scene, bare: str) -> None:
    """Raise NotUnderstood if a line begins with somebody's name in quotation marks, and a number follows: as a remark, its facts would be lost."""
    found = re.match(r"[\"“„«]([^\"“”„«»]+)[\"“”»]\s*(?:\S+\s+)?[-+]?\d", bare)
    if found and (people := names.exactly(scene.state, found[1])):
        why = "a line that begins with a quotation mark is a remark"
        raise NotUnderstood(
            1, why, f"for {visible(found[1][:60])} write {' or '.join(people)}, or as much as is unique"
        )


def _unquoted(bare: str) -> str:
    rest = bare[1:].strip()
    if bare[0] in OPENING and any(mark in rest[:-1] for mark in CLOSING):
        return quote(bare)  # what is quoted is a part of the remark
    ends = rest[-1:] in tuple(CLOSING) and not any(mark in rest[:-1] for mark in (*OPENING, *CLOSING))
    text = rest[:-1].strip() if ends else rest
    if not text:
        raise NotUnderstood(2, "a note without words", QUOTED)
    return quote(text)


def _parsed(scene: Scene, line: str, tokens: list[Token]) -> Parsed:
    """Return what a line means by the one form or phrase that it fits."""
    scene.rolled.clear()
    parsed = _first(scene, line, tokens, every=False)
    if isinstance(parsed, Parsed) and (scene.script or not parsed.yields):
        return parsed
    from projections.grammar.phrases import choosing  # only for lines that no form can tell, or not alone

    try:
        said = choosing.meant(scene, line)
    except NotUnderstood as error:
        if isinstance(parsed, Parsed) and line.strip() in error.offers:
            return parsed  # what a refusal would offer means what it says
        raise
    if said is None and isinstance(parsed, NotUnderstood):
        said = _in_parts(scene, line)
    if said is not None:
        return said
    if isinstance(parsed, Parsed):
        return parsed
    parsed = _first(scene, line, tokens, every=True)  # the error that lies furthest may be in any of them
    if isinstance(parsed, Parsed):
        return parsed
    from projections.grammar.hinting import hinted, numbered  # only where a line cannot be told

    if (joined := numbered(scene.state, line)) != line:
        found = _parsed(scene, joined, split(joined))
        return structs.replace(found, said=found.said or (joined.strip(),))
    raise hinted(parsed, scene, forms.of(scene.state.rules.rules), line, tokens)


def _in_parts(scene: Scene, line: str) -> Parsed | None:
    """Return what a line means that tells of several acts of one combatant, None if it does not."""
    from projections.grammar.phrases import chains  # only for lines that no form and no phrase can tell

    return chains.meant(scene, line, lambda part: _parsed(scene, part, split(part)))


def by_forms(scene: Scene, line: str, *, every: bool = False) -> Parsed | NotUnderstood:
    """Return what a line means by the forms alone, or an error if it is of none of them: the one furthest along it if every one is tried."""
    scene.rolled.clear()
    try:
        return _first(scene, line, split(line), every=every)
    except NotUnderstood as error:
        return error


def _first(scene: Scene, line: str, tokens: list[Token], *, every: bool) -> Parsed | NotUnderstood:
    """Return what a line means in the first form that can tell it, or the error that lies furthest along it."""
    rules = scene.state.rules.rules
    table = forms.of(rules)
    matcher = Matcher(scene, line, tokens, table.kinds, every=every)
    for form in candidates(rules, tokens[0]):
        for found in matcher.all(form):
            try:
                return _made(scene, table, form, found, line)
            except Gap as gap:
                matcher.fail(len(tokens), NotUnderstood(len(line.rstrip()) + 1, gap.why, gap.hint))
            except NotUnderstood as error:
                matcher.fail(len(tokens), error, 3)  # the form is right, and a value in it is wrong
    return matcher.error()


def candidates(rules: AnyPath, first: Token) -> tuple[Form, ...]:
    """Return the forms that a line with this first token can have: those that begin with this word, else the others."""
    return forms.beginning(rules, "" if first.quoted else first.text)


# ---------------------------------------------------------------- facts


def _made(scene: Scene, table: Forms, form: Form, found: Found, line: str) -> Parsed:
    values = dict(found.values)
    if form.rest:
        said = " ".join(str(values[each]) for each in ("words", "more", "reason") if each in values)
        return Parsed(rest=form.rest, words=said, form=form.name, yields=form.yields)
    scene.assumed.clear()
    scene.assumed.update(form.assumes)
    for fill in form.fills:
        filling.FILLS[fill](scene, values)
    if form.rolls and values.get("action", {}).get("kind") not in table.rolls.split():
        raise Gap(f"no blow is rolled for {values['action']['kind']}", "roll ana kex 14 records a roll alone")
    repeated = [one for each in found.repeated or [{}] for one in _of_members(each, together=form.together)]
    facts = [made for each in repeated for made in _filled(scene, form, values | each)]
    for token in found.options:
        _option(scene, facts, token)
    if form.carries:
        return _carrying(scene, facts, values["line"], line)
    if form.rolls and not scene.script:
        facts = _of_open_act(scene, facts)
    if not scene.script:
        cautions.check(scene, facts, line)
    move = _moved(scene, form, facts)
    moved = [*move.facts, *(_event(each) for each in (closing(scene) if form.closes else ()))]
    thrown = [scene.rolled[place] for place in sorted(scene.rolled)]
    facts += [{"type": "noted", "text": f"rolled here: {'; '.join(thrown)}", "event": -1}] if thrown else []
    told = (_event(_reaching_back(each, place, len(moved))) for place, each in enumerate(facts))
    return Parsed(
        (*moved, *told),
        moved=len(moved),
        form=form.name,
        stays=move.stays,
        yields=_yields(scene, form) or _begins_as_form(scene, line),
        advice=advice(scene, facts),
        offers=lifting(scene, facts),
        acts=form.acts,
        thrown=tuple(thrown),
    )


def _of_open_act(scene: Scene, facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the facts of a blow without its act, if whoever strikes has told of this act already and nothing has come of it yet."""
    act = facts[0]
    seq, told = scene.memory.open.get(act["combatant"], (0, Action(kind="")))
    given, names = to_builtins(told) | {"targets": list(told.targets)}, ("kind", "targets")
    agrees = all(
        given.get(key) == item
        or (key == "name" and key not in given)
        or (key == "kind" and _strikes(scene, told, item))
        for key, item in act["action"].items()
    )
    if not seq or not agrees or act.keys() != {"type", "combatant", "action"} or given.keys() - {"name", *names}:
        return facts
    first, *more = facts[1:]
    return [first | {"cause": seq}, *more]


def _yields(scene: Scene, form: Form) -> bool:
    """Say whether a form is meant only where no phrase fits its line."""
    if not form.yields_when or form.yields:
        return form.yields
    from projections.grammar.phrases.moments import holds  # only for the few forms that ask

    return holds(scene, form.yields_when)


def _strikes(scene: Scene, told: Action, kind: str) -> bool:
    """Say whether a blow that is told as an attack is that of another act with one, such as a charge."""
    return kind == "attack" and told.kind in forms.of(scene.state.rules.rules).words.get("charging", ())


def _begins_as_form(scene: Scene, line: str) -> bool:
    """Say whether a line is only a word of the grammar and a number, such as r1, which is somebody's roll only where it is nothing else."""
    found = re.fullmatch(r"\s*([^\W\d_]+)\d+\s*", line)
    return found is not None and found[1].casefold() in forms.words(scene.state.rules.rules)


def _of_members(values: dict[str, Any], *, together: bool) -> list[dict[str, Any]]:
    """Return the values of a repetition, for each of those who are named together, or once for them all."""
    if "members" not in values:
        return [values]
    first, *others = values["members"]
    if together:
        return [values | {"who": first, "together": others}]
    return [values | {"who": who} for who in values["members"]]


def _filled(scene: Scene, form: Form, values: dict[str, Any]) -> list[dict[str, Any]]:
    for fill in form.each:
        filling.FILLS[fill](scene, values)
    if form.copies:
        return filling.copies(scene, values)
    sums = forms.of(scene.state.rules.rules).sums
    return [made for template in form.makes for made in _to_each(template, values, sums=sums)]


def _to_each(template: dict[str, Any], values: dict[str, Any], *, sums: bool) -> Iterator[dict[str, Any]]:
    """Yield the fact of a template; of an outcome for several, one for each, all with the same cause."""
    several = values.get("each", ()) if template.get("target") == "$target" else ()
    for place, who in enumerate(several or (values.get("target"),)):
        made = _spread(_fill(template, values | {"target": who}), sums=sums)
        yield made | {"cause": made["cause"] - place} if "cause" in made else made


def _spread(fact: dict[str, Any], *, sums: bool) -> dict[str, Any]:
    """Return a fact whose die brought its modifiers along, or whose amount its parts, with these as fields.

    Where the sheet `sums` up what is added to a die, what was typed behind it is their sum, and the total is recorded.
    """
    die = fact.get("die")
    if sums and isinstance(die, dict) and "modifiers" in die and "total" in TAGS[fact["type"]].__struct_fields__:
        added = sum(each["amount"] for each in die["modifiers"])
        return fact | {"die": die["die"], "total": _shown(die["die"]) + added}
    for key, beside in (("die", "modifiers"), ("check", "modifiers"), ("amount", "parts")):
        value = fact.get(key)
        if isinstance(value, dict) and beside in value:
            fact = fact | {key: value["die" if beside == "modifiers" else "amount"], beside: value[beside]}
    return fact


def _shown(die: dict[str, Any]) -> int:
    return sum(face for place, face in enumerate(die["faces"]) if place not in die.get("dropped", ()))


def _fill(template: Any, values: dict[str, Any]) -> Any:
    if isinstance(template, dict):
        filled = {key: _fill(item, values) for key, item in template.items()}
        return {key: item for key, item in filled.items() if item is not None and item not in ((), {})}
    if isinstance(template, str) and template.startswith("$"):
        return values.get(template[1:])
    return template


def _moved(scene: Scene, form: Form, facts: list[dict[str, Any]]) -> ClockMove:
    """Return how the clock moves with the act that a line tells of first; one that is told in full leaves it alone."""
    if not form.acts and form.name not in IN_FULL:
        return STILL
    move = clock_move(scene, _event(facts[0]))
    if form.acts or not move.facts:
        return move
    return ClockMove(
        stays=f"{form.name.split()[0]} leaves it alone; {' and '.join(map(_typed, move.facts))} moves it to where this belongs"
    )


IN_FULL = ("act", "move in full")
"""The forms of acts that leave the clock alone."""


def _typed(fact: Fact) -> str:
    """Return the line that a clock fact is typed as."""
    match fact:
        case TurnStarted(combatant=who):
            return f"t {who}"
        case SegmentReached(segment=segment):
            return f"seg {segment}"
    return f"phase {getattr(fact, 'phase', '')}"


def _reaching_back(fact: dict[str, Any], place: int, moved: int) -> dict[str, Any]:
    """Return a fact whose references beyond its line reach over the facts by which the clock moves."""
    far = {name: fact[name] - moved for name in REFERENCE_FIELDS & fact.keys() if -fact[name] > place}
    return fact | far if far else fact


def _event(value: dict[str, Any]) -> Fact:
    try:
        return upcast(event_of(value))
    except Malformed as error:
        raise NotUnderstood(1, str(error), error.hint) from None


def _carrying(scene: Scene, facts: list[dict[str, Any]], words: str, line: str) -> Parsed:
    """Return a correction that carries the one fact of the rest of the line."""
    start = line.rindex(words)
    parsed = _rest_of(scene, line, start)
    plain = parsed.facts[parsed.moved :]
    if len(plain) != 1:
        raise NotUnderstood(
            start + 1, f"a correction holds one fact, and this makes {len(plain)}", "such as: damage orc-1 5"
        )
    fact = facts[0]
    key = "replacement" if fact["type"] == "amended" else "fact"
    return Parsed((_event(fact | {key: to_builtins(plain[0])}),), form=fact["type"])


# ---------------------------------------------------------------- options


def _option(scene: Scene, facts: list[dict[str, Any]], token: Token) -> None:
    """Set a field of the facts by an option: @4 (moment), ^2 (cause, or trigger of an act), key=value."""
    text = token.text
    if text[0] == "^":
        back = text[1:] or "1"
        if not re.fullmatch(r"\d{1,9}", back) or not int(back):
            raise NotUnderstood(
                token.start + 1, f"{text[:40]} is not so many facts back", "^ is the last one, ^2 the one before"
            )
        _set(scene, facts, _referring(facts), -int(back), token)
    elif text[0] == "@":
        _moment(scene, facts, token)
    else:
        match = re.fullmatch(OPTION, text)
        assert match is not None  # noqa: S101 – the matcher has seen to it
        name = _field(facts, match[2], token)
        start = token.end - len(match[3])
        _set(scene, facts, name, _value(scene, name, Token(match[3], start, token.end)), token)


def _referring(facts: list[dict[str, Any]]) -> str:
    """Return the field that ^ sets: the cause or, of facts that have none, what an act reacts to."""
    own = {name for fact in facts for name in fields(fact)}
    return "trigger" if "trigger" in own and "cause" not in own else "cause"


def _moment(scene: Scene, facts: list[dict[str, Any]], token: Token) -> None:
    text = token.text[1:]
    if re.fullmatch(r"\d{1,9}", text):
        tick = scene.state.rules.calendar.tick
        _set(scene, facts, "segment" if tick == "segment" else "second", int(text), token)
    else:
        _set(scene, facts, "phase", KINDS["phase"].read(scene, Token(text, token.start + 1, token.end)), token)


def _value(scene: Scene, name: str, token: Token) -> Any:
    if not token.text:
        raise NotUnderstood(token.end + 1, f"{name}= has no value", f"what {name} is stands right behind {name}=")
    if token.text[:1] in '"{[':
        return literal(token)
    if name in REFERENCE_FIELDS and (back := re.fullmatch(r"\^(\d{0,9})", token.text)):
        return -int(back[1] or 1)
    if name in KINDS:
        return KINDS[name].read(scene, token)
    return unbar(token.text)


def fields(fact: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the fields of a fact, then of its action."""
    own = TAGS[fact["type"]].__struct_fields__
    return (*own, *Action.__struct_fields__) if "action" in own else own


def _field(facts: list[dict[str, Any]], typed: str, token: Token) -> str:
    known = [name for fact in facts for name in fields(fact)]
    unsaid = {name for fact in facts for name in fields(fact) if name not in fact}
    found = [typed] if typed in known else sorted(name for name in unsaid if name.startswith(typed))
    if len(found) == 1:
        return found[0]
    if found:
        raise NotUnderstood(token.start + 1, f"{typed}= can be {' or '.join(found)}", "write more of it")
    raise NotUnderstood(token.start + 1, f"nothing here has a field {typed[:40]}", nearest(typed, known))


OUTCOMES = frozenset({"damage_dealt", "healed"})
"""The types of facts of which a line makes several, one for each of those whom it names."""


def _set(scene: Scene, facts: list[dict[str, Any]], name: str, value: Any, token: Token) -> None:
    """Set a field of the first fact that has room for it, or else in the place of what went without saying."""
    holding = [place for place in (_holder(fact, name) for fact in facts) if place is not None]
    if not holding:
        raise NotUnderstood(token.start + 1, f"nothing here has a field {name}")
    place = next((each for each in holding if name not in each), holding[0])
    if place.get(name, value) != value and name not in scene.assumed:
        raise NotUnderstood(token.start + 1, f"{name} has a value already", "leave out one of the two")
    scene.assumed.discard(name)
    if place.get(name) == value:
        return
    place[name] = value
    if place.get("type") in OUTCOMES:  # of several, each has it
        for further, each in enumerate(
            (each for each in holding if each["type"] == place["type"] and each is not place), 1
        ):
            each[name] = value - further if name == "cause" and value < 0 else value


def _holder(fact: dict[str, Any], name: str) -> dict[str, Any] | None:
    own = TAGS[fact["type"]].__struct_fields__
    if name in own:
        return fact
    if "action" in own and name in Action.__struct_fields__:
        return fact.setdefault("action", {})  # type: ignore[no-any-return]
    return None
