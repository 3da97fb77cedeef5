"""Parsing: from a line and its context to the facts that it means, or an error that points at a character."""

import re

import msgspec
from msgspec import Struct, to_builtins

from eventstore.errors import Malformed
from eventstore.events import ActionTaken, Correction, Fact, Moved, RoundEnded, SegmentReached, TurnStarted
from eventstore.form import REFERENCE_FIELDS, event_of, normalize_nfc, read_json
from eventstore.paths import AnyPath
from eventstore.record import Draft, upcast
from eventstore.shapes import Action
from eventstore.wording import visible
from projections.folds.addresses import derive_value
from projections.folds.moves import STILL
from projections.folds.order import who_is_due
from projections.language.notation import cautions, filling, forms, names
from projections.language.notation.advising import advice, next_lines
from projections.language.notation.filling import facts_of_form, values_of_members
from projections.language.notation.forms import Form, Forms
from projections.language.notation.line_context import (
    Gap,
    LineContext,
    clock_move,
    has_turns,
    is_declared,
    is_held,
    is_unordered,
    kinds,
    without_initiative,
)
from projections.language.notation.matching import Found, Matcher
from projections.language.notation.several_tokens import WIDE
from projections.language.notation.tokens import CLOSING, OPENING, QUOTED, Doubt, NotUnderstood, Token, quote, split
from projections.open_types import Facts, Fields
from projections.ruleset.schedule import ClockMove
from projections.state import State

LONGEST = 4000
"""The most characters of a line."""
_SECRET = re.compile(r"\s*(?:secret(?!\S)\s*)+")


class Parsed(Struct, frozen=True):
    """The meaning of a line: facts, or a question or command (`rest`) with its words."""

    facts: tuple[Fact, ...] = ()
    secret: bool = False
    """Whether the whole line is secret."""
    rest: str = ""
    """The word for a question or a command; "" for facts."""
    words: str = ""
    moved: int = 0
    """The number of facts, from the first, that the clock made by itself."""
    form: str = ""
    stays: str = ""
    """The reason why the clock did not move, where the act belongs elsewhere, or may."""
    advice: str = ""
    """What the line omits that the game will ask for, leaves unchanged, or contradicts."""
    offers: tuple[str, ...] = ()
    """The lines that people may want next because of the advice."""
    yields: bool = False
    """Whether it is a sentence, if it can be one."""
    thrown: tuple[str, ...] = ()
    """The dice that were rolled here, as `roll` of the context returned them."""
    kept: frozenset[int] = frozenset()
    """The places (from 0) of the facts that are recorded in secret, in a line that is not secret as a whole."""
    hides: tuple[str, ...] = ()
    """The combatants because of whom these facts are secret."""

    @property
    def drafts(self) -> tuple[Draft, ...]:
        """The facts as they are to be appended, each in secret or not."""
        return tuple(Draft(fact, secret=place in self.kept) for place, fact in enumerate(self.facts))  # type: ignore[arg-type]  # members of the union

    @property
    def corrects(self) -> bool:
        """Whether it corrects earlier records."""
        return any(isinstance(fact, Correction) for fact in self.facts)


def parse(context: LineContext, line: str, *, explained: bool = True) -> Parsed:
    """Return the meaning of a line of notation; raise NotUnderstood with the column, the reason and a hint, which takes longer if it is `explained`.

    Nothing is changed.
    """
    if len(line) > LONGEST:
        raise NotUnderstood(LONGEST, f"a line has at most {LONGEST:,} characters, and this one {len(line):,}")
    line = normalize_nfc(line)
    bare = line.strip()
    is_number = not context.script and re.match(r"#\d", bare)  # #2 -6, as people number those of a kind
    if not bare or (bare.startswith("#") and not is_number):
        return Parsed()
    if bare.startswith("{"):
        return Parsed((_make_fact(line),), form="json")
    if bare[0] == '"' or bare[0] in OPENING:
        _check_remark(context, bare)
        line = f"note {_unquote_note(bare)}"
    return _parse_tokens(context, line, split(line), explained=explained)


def end_of_secret(line: str) -> int:
    """Return where a line goes on after the word secret, which withholds it from players; 0 without that word. Raise
    NotUnderstood if nothing follows.
    """
    found = _SECRET.match(line)
    if found and found.end() == len(line):
        why = "secret stands before a line that players are not to see"
        raise NotUnderstood(len(line.rstrip()) + 1, why, "such as: secret b -6")
    return found.end() if found else 0


def _parse_rest(context: LineContext, line: str, start: int) -> Parsed:
    """Return the meaning of the rest of a line; the lines that its refusal offers begin with the words before it."""
    try:
        return parse(context, " " * start + line[start:])
    except NotUnderstood as error:
        if not error.offers:
            raise
        raise NotUnderstood(
            error.column, error.why, error.hint, tuple(f"{line[:start].lstrip()}{each}" for each in error.offers)
        ) from None


def _check_remark(context: LineContext, bare: str) -> None:
    """Raise NotUnderstood if a line begins with a quotation and tells more behind it, which it would lose as a remark: "Orc" 14 6."""
    found = re.match(r"[\"“„«]([^\"“”„«»]+)[\"“”»]\s*(.*)", bare)
    said, rest = found.groups() if found else ("", "")
    why = "a line that begins with a quotation mark is a remark"
    if re.match(r"(joins|enters|arrives|appears)\b", rest):
        raise NotUnderstood(1, why, f"the name stands after the word: join {quote(said)}")
    if re.match(r"(?:\S+\s+)?[-+]?\d", rest) and (people := names.exact_matches(context.state, said)):
        hint = f"for {visible(said[:60])} write {' or '.join(people)}, or as much as is unique"
        raise NotUnderstood(1, why, hint)
    words = re.findall(r"[^\W\d_]{2,}", rest)
    others = [each for each in words if not names.combatants(context.state, each)]
    if not context.script and len(words) > len(others) > 1:  # more than who said it
        raise NotUnderstood(1, f"{why}, and this tells more", "write what happens alone", (f"note {bare}",))


def _unquote_note(bare: str) -> str:
    rest = bare[1:].strip()
    if bare[0] in OPENING and any(mark in rest[:-1] for mark in CLOSING):
        return quote(bare)  # what is quoted is a part of the remark
    ends = rest[-1:] in tuple(CLOSING) and not any(mark in rest[:-1] for mark in (*OPENING, *CLOSING))
    text = rest[:-1].strip() if ends else rest
    if not text:
        raise NotUnderstood(2, "a note without words", QUOTED)
    return quote(text)


def _parse_tokens(context: LineContext, line: str, tokens: list[Token], *, explained: bool) -> Parsed:
    """Return the meaning of a line by the form that it fits; raise the error that lies furthest along it if none can read it."""
    context.rolled.clear()
    parsed = _first_meaning(context, line, tokens, every=False)
    if explained and isinstance(parsed, NotUnderstood):
        parsed = _first_meaning(context, line, tokens, every=True)  # the error that lies furthest may be in any of them
    if isinstance(parsed, Parsed):
        return parsed
    if (joined := _join_numbers(context.state, line)) != line:
        return _parse_tokens(context, joined, split(joined), explained=explained)
    raise parsed


def _join_numbers(state: State, line: str) -> str:
    """Return a line with names that end in a separate number, such as orc 2, in their usual form."""

    def joined(found: re.Match[str]) -> str:
        name = f"{found[1]}-{found[2]}"
        return name if name.casefold() in state.combatants else found[0]

    return re.sub(r"\b([^\W\d_][\w-]*) (\d+)\b", joined, line)


def _first_meaning(context: LineContext, line: str, tokens: list[Token], *, every: bool) -> Parsed | NotUnderstood:
    """Return the meaning of a line in the first form that can read it, or the error that lies furthest along it."""
    rules = context.state.rules.rules
    table = forms.of(rules)
    matcher = Matcher(context, line, tokens, table.kinds, WIDE, every=every)
    for form in candidate_forms(rules, tokens[0]):
        for found in matcher.match_form(form):
            try:
                return _make_meaning(context, table, form, found, line)
            except Gap as gap:
                matcher.fail(len(tokens), NotUnderstood(len(line.rstrip()) + 1, gap.why, gap.hint))
            except Doubt:
                raise
            except NotUnderstood as error:
                matcher.fail(len(tokens), error, 3)  # the form is right, and a value in it is wrong
    return matcher.furthest_error()


def candidate_forms(rules: AnyPath, first: Token) -> tuple[Form, ...]:
    """Return the forms that a line with this first token can have: those that begin with this word, else the others."""
    return forms.forms_beginning(rules, "" if first.quoted else first.text)


# ---------------------------------------------------------------- facts


def _make_meaning(context: LineContext, table: Forms, form: Form, found: Found, line: str) -> Parsed:
    """Return the meaning of a line in this form: its command or question, the correction in it, or its facts."""
    if form.rest:
        said = " ".join(
            str(found.values[each]) for each in ("event", "words", "more", "reason") if each in found.values
        )
        return Parsed(rest=form.rest, words=said, form=form.name, yields=bool(form.yields))
    facts = _fill_form(context, table, form, found)
    if form.carries:
        return _make_correction(context, facts, found.values["line"], line)
    if form.rolls and not context.script:
        facts = drop_open_act(context, facts)
    if form.acts and not context.script:
        facts = add_release(context, facts)
    if not context.script:
        cautions.check_ambiguity(context, facts, line)
    return add_clock_moves(context, form, facts, line)


def _fill_form(context: LineContext, table: Forms, form: Form, found: Found) -> Facts:
    """Return the facts of a form with the typed values and options, and those that the context fills in."""
    values = dict(found.values)
    context.assumed.clear()
    context.assumed.update(form.assumes)
    for fill in form.fills:
        filling.FILLS[fill](context, values)
    if form.rolls and values.get("action", {}).get("kind") not in table.rolls.split():
        raise Gap(f"no blow is rolled for {values['action']['kind']}", "roll ana kex 14 records a roll alone")
    repeated = [one for each in found.repeated or [{}] for one in values_of_members(each, together=form.together)]
    facts = [made for each in repeated for made in facts_of_form(context, form, values | each)]
    if found.options:
        from projections.language.notation.options import set_option  # only where a line has options

        for token in found.options:
            set_option(context, facts, token)
    return facts


def add_clock_moves(context: LineContext, form: Form, facts: Facts, line: str) -> Parsed:
    """Return the facts of a line between the moves of the clock and a note of the dice rolled here, with remarks."""
    move = _clock_moves(context, form, facts)
    clock = context.state.clock
    ends = [RoundEnded(round=clock.round)] if form.closes and clock.open else []
    moved = [*move.facts, *ends]
    thrown = [context.rolled[place] for place in sorted(context.rolled)]
    facts += [{"type": "noted", "text": f"rolled here: {'; '.join(thrown)}", "event": -1}] if thrown else []
    own = (_make_fact(_reaching_back(each, place, len(moved))) for place, each in enumerate(facts))
    return Parsed(
        (*moved, *own),
        moved=len(moved),
        form=form.name,
        stays=move.stays,
        yields=_is_less_likely(context, form, facts, line),
        advice=advice(context, facts),
        offers=next_lines(context, facts),
        thrown=tuple(thrown),
    )


def drop_open_act(context: LineContext, facts: Facts) -> Facts:
    """Return the facts of a blow without its act, if this act of the attacker is recorded already and has no outcome yet."""
    act = facts[0]
    seq, begun = context.memory.open.get(act["combatant"], (0, Action(kind="")))
    given, names = to_builtins(begun) | {"targets": list(begun.targets)}, ("kind", "targets")
    charges = forms.of(context.state.rules.rules).words.get("charging", ())  # a charge has a blow
    agrees = all(
        given.get(key) == item
        or (key == "name" and key not in given)
        or (key == "kind" and item == "attack" and begun.kind in charges)
        for key, item in act["action"].items()
    )
    if (
        not seq
        or not agrees
        or act.keys() != {"type", "combatant", "action"}
        or given.keys() - {"name", "cost", *names}
    ):
        return facts
    first, *more = facts[1:]
    return [first | {"cause": seq}, *more]


def add_release(context: LineContext, facts: Facts) -> Facts:
    """Return the facts of an act in another's turn with the cost and the trigger of the held act, if it is the one that its combatant holds."""
    first, *more = facts or [{"type": ""}]
    state, cost = context.state, forms.of(context.state.rules.rules).releases
    who, acting = first.get("combatant", ""), state.clock.turn
    if not cost or who not in context.memory.held or not acting or state.clock.is_turn_of(who) or "trigger" in first:
        return facts
    action = msgspec.convert(first.get("action", {"kind": "move"}), Action)
    stated = action.cost or first.get("cost") or first.get("forced") or first.get("cause")
    if first["type"] not in ("action_taken", "moved") or stated or not is_held(context.memory, who, action):
        return facts
    left = derive_value(state, f"{who}.left.reaction")
    if (left and left.value == 0) or who_is_due(state).value[:1] == [who]:
        return facts  # its turn, which comes next in this round
    if first["type"] == "moved":
        return [first | {"cost": cost}, *more]
    last = state.moments.get(context.memory.deeds[-1]) if context.memory.deeds else None
    answers = last and isinstance(last.event, ActionTaken | Moved) and state.clock.is_turn_of(last.event.combatant)
    return [
        first | {"action": first["action"] | {"cost": cost}} | ({"trigger": last.seq} if last and answers else {}),
        *more,
    ]


def _is_less_likely(context: LineContext, form: Form, facts: Facts, line: str) -> bool:
    """Say whether the meaning of a line as a sentence comes before a form: a name and a number are initiative until that is rolled."""
    match form.yields:
        case "unordered":
            late = len(line.split()) == 2 and facts[0].get("combatant") in without_initiative(context)
            return has_turns(context) and (late or is_unordered(context))
        case "declared":
            by_kind = {*line.casefold().split()[1:2]} & kinds(context.state)  # cast, and not casts
            return is_declared(context) and not by_kind and facts[0].get("combatant") not in context.memory.declared
    return bool(form.yields)


def _clock_moves(context: LineContext, form: Form, facts: Facts) -> ClockMove:
    """Return the moves of the clock with the first act of a line; an act that is typed in full leaves the clock alone."""
    if not form.acts and form.name not in IN_FULL:
        return STILL
    move = clock_move(context.state, _make_fact(facts[0]))
    if form.acts or not move.facts:
        return move
    return ClockMove(
        stays=f"{form.name.split()[0]} leaves it alone; {' and '.join(map(_clock_line, move.facts))} moves it to where this belongs"
    )


IN_FULL = ("act", "move in full")
"""The forms of acts that leave the clock alone."""


def _clock_line(fact: Fact) -> str:
    """Return the line that means a clock fact."""
    match fact:
        case TurnStarted(combatant=who):
            return f"t {who}"
        case SegmentReached(segment=segment):
            return f"seg {segment}"
    return f"phase {getattr(fact, 'phase', '')}"


def _reaching_back(fact: Fields, place: int, moved: int) -> Fields:
    far = {name: fact[name] - moved for name in REFERENCE_FIELDS & fact.keys() if -fact[name] > place}
    return fact | far if far else fact


def _make_fact(value: Fields | str) -> Fact:
    """Return a fact, which may be in JSON; raise NotUnderstood where it is malformed."""
    try:
        return upcast(event_of(read_json(value) if isinstance(value, str) else value))
    except Malformed as error:
        raise NotUnderstood(1, str(error), error.hint) from None


def _make_correction(context: LineContext, facts: Facts, words: str, line: str) -> Parsed:
    """Return a correction that contains the one fact of the rest of the line, and is secret if the rest begins with that word."""
    start = line.rindex(words)
    secret = end_of_secret(line[start:])
    start += secret
    parsed = _parse_rest(context, line, start)
    plain = parsed.facts[parsed.moved :]
    if len(plain) != 1:
        raise NotUnderstood(
            start + 1, f"a correction holds one fact, and this makes {len(plain)}", "such as: damage orc-1 5"
        )
    fact = facts[0]
    key = "replacement" if fact["type"] == "amended" else "fact"
    return Parsed((_make_fact(fact | {key: to_builtins(plain[0])}),), secret=bool(secret), form=fact["type"])
