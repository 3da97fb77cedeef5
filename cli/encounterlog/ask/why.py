"""Why a value is as it is, who comes before whom, what a finding means, whether somebody can act: asked, and answered in words."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from msgspec import Struct, structs

from encounterlog.ask import AT, Answer, Argument, Kind, Question, addressing
from encounterlog.ask.audit import clause_text
from encounterlog.ask.blame import describe_corrections, describe_effect
from encounterlog.errors import Refused
from encounterlog.log.logs import LogView, name_log_in_errors
from encounterlog.words import phrases
from encounterlog.words.facts import correction_in_words, effect_sentence, fact_sentence, save_sentence
from encounterlog.words.layout import count_noun, format_numbers, reason_lines, wrap
from encounterlog.words.naming import make_voice
from encounterlog.words.phrases import Name, as_sentence, in_parentheses, value_in_words, value_with_names
from eventstore import events as e
from eventstore.wording import list_in_words
from projections.address import NOTHING
from projections.because import Reason
from projections.explaining import why
from projections.explaining.disputes import Parting
from projections.explaining.hindrances import Hindrance
from projections.explaining.past import Cited, Past
from projections.explaining.striking import Weighed
from projections.explaining.tree import Node
from projections.explaining.why import Able, Before, Value, WhyFinding
from projections.state import State
from projections.time import Where
from projections.views.view import PoolChange


class Answered(Struct, frozen=True):
    """The output of `encounter why --json`."""

    answers: tuple[why.Value | why.Before | why.WhyFinding | why.Able, ...]


def replay_past(log: LogView, where: Where | None) -> Past:
    """Return a log replayed up to a point; raise Refused or Malformed as other readers do."""
    with name_log_in_errors(log, where):
        return Past(log, where)


def answer_question(past: Past, words: Sequence[str], *, thorough: bool, variants: bool = True) -> list[why.Answer]:
    """Return the answers to a question; raise Refused if it is none, or is about something that is not there."""
    questions = addressing.parse_question(past.state, words)
    answers = (_answer_exact_question(past, each, thorough, variants) for each in questions)
    return why.weigh_answers(past, [*chain.from_iterable(answers)], thorough=thorough)


def _answer_exact_question(past: Past, words: Sequence[str], thorough: bool, variants: bool) -> Sequence[why.Answer]:
    about = " ".join(words)
    match words:
        case (one, "before", other):
            if one == other:
                raise Refused("usage", f"{one} is named twice", "name two combatants: ana before bo")
            return [why.explain_precedence(past, one, other, thorough=thorough)]
        case ("finding", number) if re.fullmatch(r"[0-9]{1,9}", number):
            findings = why.explain_finding(past, number=int(number))
        case ("finding", event, *rule) if re.fullmatch(r"@[0-9]{1,15}", event) and len(rule) < 2:
            findings = why.explain_finding(past, event=int(event[1:]), rule="".join(rule))
        case ("finding", _, *_):
            raise Refused("usage", f"'{about[8:68]}' names no finding", "finding 3, or finding @14 RULE")
        case (who, "cannot" | "can", "act"):
            return [why.explain_ability(past, who)]
        case _:
            if (found := why.explain_value(past, about, thorough=thorough, variants=variants)) is None:
                raise addressing.unknown_address(past.state, about)
            return [found]
    if not findings:
        raise Refused("usage", f"there is no {about[:68]} here", "encounter audit FILE numbers them")
    return findings


def split_point(words: Sequence[str]) -> tuple[list[str], Where | None]:
    """Return a question without the point of time at its end (@r1, or --at r1), and that point; raise Malformed."""
    match [*words]:
        case ["finding", _]:
            pass
        case [*question, "--at", point]:
            return question, Where.parse(point)
        case [*question, last] if last.startswith("@") and question:
            return question, Where.parse(last[1:])
    return [*words], None


MOST, FACTS, CHANGES = 12, 6, 8  # the most lines, facts and changes in an answer, unless all are wanted
ALOUD = 2  # the most facts that a sentence to be read aloud names; of an order that depends on more, none, as it would have to choose
CLOCK = (e.RoundStarted, e.RoundEnded, e.TurnStarted, e.PhaseReached, e.SegmentReached)
BACKGROUND = (e.CombatantJoined, *CLOCK)  # facts that are shown only if there are no others
OUTCOMES = (
    e.DamageDealt,
    e.Healed,
    e.ConditionGained,
    e.EffectStarted,
    e.EffectEnded,
)  # shown with the act that caused them


def format_answers(answers: Sequence[why.Answer], state: State, *, every: bool) -> list[str]:
    """Return the page of these answers; each is cut after so many lines unless all are wanted."""
    called, lines = make_voice(state), list[str]()
    for place, answer in enumerate(answers):
        found = [*PAGES[type(answer)](answer, state, called, every)]
        if not every and len(found) > MOST:
            found[MOST - 1 :] = [f"and {count_noun(len(found) - MOST + 1, 'line')} more: --all"]
        lines += ["", *found] if place else found
    return lines


def answers_as_sentences(answers: Sequence[why.Answer], state: State) -> list[str]:
    """Return each answer as one sentence to be read aloud."""
    name, said = make_voice(state), list[str]()
    for answer in answers:
        because: Sequence[str] = ()
        match answer:
            case Value() if len(answer.changes) > 1:
                says = f"{_state_value(answer, name)}: {_added_up(answer, name)}"
            case Value():
                weighed = _led_by_the_end(answer)
                cited = _deciding_facts(answer.facts, weighed)
                is_of_some = answer.address == "order" and len(cited) > ALOUD
                because = [_fact_in_words(each, name) for each in (() if is_of_some else cited[-ALOUD:])]
                also = [_fact_in_words(each, name) for each in _facts_without_weight(answer.facts, weighed)[-ALOUD:]]
                says = f"{_state_value(answer, name)}{'' if cited else _claim_without_facts(also)}"
            case Before():
                cited = _deciding_facts(answer.facts, answer.weighed)
                because = [_fact_in_words(each, name) for each in cited[:ALOUD]]
                says = _precedence_sentence(answer, name)
            case WhyFinding(finding=finding):
                says = f"{finding.says}{'' if finding.ruled is None else ', but a ruling waives it'}"
            case Able():
                others = [each for each in answer.hindrances if not is_own_turn(each, answer.combatant)]
                because = [describe_hindrance(each, name) for each in others[:ALOUD]]
                says = _ability_sentence(answer, name)
        said.append(as_sentence(says + (f", because {list_in_words(because)}" if because else "")))
    return said


def _explaining_facts(facts: Iterable[Cited]) -> list[Cited]:
    """Return the facts that explain something: without clock and joinings, if there are others."""
    found = [each for each in facts if not isinstance(each.event, e.EncounterOpened)]
    others = [each for each in found if not isinstance(each.event, BACKGROUND)]
    return others or [each for each in found if isinstance(each.event, CLOCK)] or found


def _deciding_facts(facts: Iterable[Cited], weighed: Weighed) -> list[Cited]:
    """Return the explaining facts that decide, those that decide alone first; if none was tried, the untried ones."""
    those = [each for each in facts if each.seq not in weighed.looked_at]
    found = _explaining_facts([each for each in those if each.seq not in weighed.untried] or those)
    return sorted(found, key=lambda each: each.seq in {*chain(*weighed.together)})


def facts_in_sentences(
    facts: tuple[Cited, ...], name: Name, every: bool, weighed: Weighed, claim: str = ""
) -> Iterator[str]:
    """Yield the facts in words, dice with their sums, together if they are reasons for a claim; then sheets, and what was looked at."""
    deciding = _deciding_facts(facts, weighed)
    told, together = {each.seq for each in deciding}, {*chain(*weighed.together)}
    wanted, group = ([each for each in deciding if (each.seq in together) is grouped] for grouped in (False, True))
    shown = wanted if every else wanted[-FACTS:]
    words = list(_numbered_facts(shown, name))
    if claim:
        even = [] if told or every else list(_numbered_facts(_facts_without_weight(facts, weighed)[-FACTS:], name))
        words = [f"{claim}{', because ' if words else ''}{'; '.join(words)}{_claim_without_facts(even, '; ')}"]
    words = [as_sentence(each) for each in words]
    if out := len(wanted) - len(shown):
        words.insert(1 if claim else 0, f"({count_noun(out, 'earlier fact')} left out.)")
    words += [_joint_decision_sentence(weighed, "; ".join(_numbered_facts(group, name)))] if group else []
    if untried := {each.seq for each in _explaining_facts(facts) if each.seq in weighed.untried}:
        listed = "this decides" if len(untried) == 1 else "each of these decides"
        earlier = f"{count_noun(len(untried), 'earlier fact')} decide{'s' if len(untried) == 1 else ''}"
        words.append(f"(Whether {listed if untried & told else earlier} was not tried.)")
    sheets = [(each, each.event) for each in facts if isinstance(each.event, e.CombatantJoined)]
    sheets = [each for each in sheets if each[0].seq not in told and each[0].seq not in weighed.looked_at]
    for each, joined in sheets if every else sheets[:2]:
        figures = [f"{key} {value_in_words(item)}" for key, item in joined.sheet.items() if isinstance(item, int | str)]
        has = ", ".join(figures) or "no figures"
        words.append(f"The sheet of {name(joined.combatant)} has {has} {_event_number(each)}.")
    if every and (others := [each for each in facts if each.seq in weighed.looked_at]):
        words.append(f"Also looked at: {'; '.join(_numbered_facts(others, name))}.")
    yield from wrap(" ".join(words)) if words else ()


def _facts_without_weight(facts: Iterable[Cited], weighed: Weighed) -> list[Cited]:
    return _explaining_facts(each for each in facts if each.seq in weighed.looked_at)


def _claim_without_facts(facts: Sequence[str], between: str = "") -> str:
    these = "this" if len(facts) == 1 else "these"
    return f", even without {these}: {between.join(facts) if between else list_in_words(facts)}" if facts else ""


def _joint_decision_sentence(weighed: Weighed, facts: str) -> str:
    each = weighed.enough == 1 and len(weighed.together) > 1
    return f"{'Each of these is enough' if each else 'None of these decides alone, and together they do'}: {facts}."


def _numbered_facts(facts: Iterable[Cited], name: Name) -> Iterator[str]:
    return (f"{_fact_in_words(each, name)} {_event_number(each)}" for each in facts)


def _fact_in_words(fact: Cited, name: Name) -> str:
    act = fact.act if isinstance(fact.event, OUTCOMES) else None
    behind = f" after {fact_sentence(act.event, name)}" if act else ""
    cause = "no cause was recorded" if fact.uncaused else "implied" if fact.implied and act else ""
    return f"{_fact_in_words_with_sum(fact, name)}{behind}{in_parentheses(cause)}"


def _fact_in_words_with_sum(fact: Cited, name: Name) -> str:
    event = fact.event
    if isinstance(event, e.SaveRolled):
        return save_sentence(event, name, " is ")
    if isinstance(event, e.EffectStarted):
        return effect_sentence(event, name, " get " if len(event.targets) > 1 else " gets ")
    words = fact_sentence(event, name)
    if isinstance(event, e.InitiativeRolled) and event.total is None and event.bonus:
        shown = event.check if event.die is None else event.die
        words += f" = {shown + event.bonus}" if isinstance(shown, int) else ""
    return words


def _event_number(fact: Cited) -> str:
    amended = f"as amended by {fact.line}" if fact.line != fact.seq else ""
    struck = f"struck by {fact.struck}" if fact.struck else ""
    return f"({phrases.listed_briefly((f'event {fact.seq}', amended, struck, fact.dice or ''))})"


def _format_clauses(why: Reason, state: State, every: bool) -> Iterator[str]:
    texts = [(rule, text) for rule in why.rules if (text := clause_text(state.rules, rule))]
    for rule, text in texts if every else [each for each in texts if not each[0].startswith("log.")][:2]:
        yield from wrap(f"The rule: {text} ({rule})")


def _value_lines(answer: Value, state: State, name: Name, every: bool) -> Iterator[str]:
    if answer.changes:
        yield from wrap(f"{as_sentence(_state_value(answer, name))[:-1]}, because:")
        yield from _format_pool_changes(answer, name, every)
        units = [f"event{'s' if len(unit) > 1 else ''} {format_numbers(unit)}" for unit in answer.weighed.together]
        yield from wrap(_joint_decision_sentence(answer.weighed, "; ".join(units))) if units else ()
    else:
        weighed = _led_by_the_end(answer)
        yield from facts_in_sentences(answer.facts, name, every, weighed, _state_value(answer, name))
        for seq in {*answer.weighed.looked_at} - {*weighed.looked_at}:
            yield from wrap(f"By now it would be so without event {seq}, too.")
        if steps := [*_terms_or_steps(answer.tree, name)]:
            yield from wrap(" ".join(steps))
    yield from _format_clauses(answer.because, state, every)
    yield from _format_variants(answer, name)
    yield from reason_lines(answer.because)


def _led_by_the_end(answer: Value) -> Weighed:
    """Return which facts decide; where something is gone, and joinings alone do, with the fact that last ended it."""
    weighed, together = answer.weighed, {*chain(*answer.weighed.together)}
    who, _, field = answer.address.partition(".")
    ends = [
        each
        for each in _facts_without_weight(answer.facts, weighed)
        if not isinstance(each.event, (*BACKGROUND, e.EffectStarted))
        and not (isinstance(each.event, e.ConditionGained) and who in each.event.targets and field != "concentration")
    ]
    deciding = _deciding_facts(answer.facts, weighed)
    led = any(each.seq in together or not isinstance(each.event, e.CombatantJoined) for each in deciding)
    if not ends or led or answer.value not in (NOTHING, []):
        return weighed
    return structs.replace(weighed, looked_at=tuple(seq for seq in weighed.looked_at if seq != ends[-1].seq))


def _state_value(answer: Value, name: Name) -> str:
    return phrases.statement_sentence(answer.address, answer.pattern, answer.says, answer.value, name)


def _pool_steps(answer: Value) -> list[tuple[int | None, PoolChange, Cited | None]]:
    """Return the points before each change of a pool, the change, and its fact, but for those that repeat a value set by the same fact."""
    facts, before = {each.seq: each for each in answer.facts}, (None, *answer.changes)
    return [
        (last.left if last else None, each, facts.get(each.event))
        for last, each in zip(before, answer.changes, strict=False)
        if not (last and each.sets and (each.event, each.left) == (last.event, last.left))
    ]


def _format_pool_changes(answer: Value, name: Name, every: bool) -> Iterator[str]:
    steps = _pool_steps(answer)
    shown = steps if every else steps[-CHANGES:]
    if len(shown) < len(steps):
        yield f"  … {count_noun(len(steps) - len(shown), 'earlier change')}: --all"
    for before, each, fact in shown:
        cause = f": {_fact_in_words(fact, name)} {_event_number(fact)}" if fact else f" (event {each.event})"
        if before is None:
            total = f"{value_in_words(each.left)} to begin with"
        elif each.sets:
            total = f"{before}, set to {value_in_words(each.left)}"
        else:
            total = f"{before} {_format_signed(each.by)} = {value_in_words(each.left)}"
        yield from wrap(f"{total}{cause}", "      ", "  ")


def _added_up(answer: Value, name: Name) -> str:
    (_, first, _), *steps = _pool_steps(answer)
    words = [f"{value_in_words(first.left)} to begin with"]
    if earlier := steps[:-CHANGES]:
        by = (earlier[-1][1].left or 0) - (first.left or 0)
        words.append(f"{_format_signed(by)} in {count_noun(len(earlier), 'earlier change')}")
    for before, each, fact in steps[-CHANGES:]:
        act = fact and fact.act
        cause = _fact_in_words_with_sum(fact, name) if fact else f"event {each.event}"
        cause = fact_sentence(act.event, name) if act else cause
        words.append(f"{_format_signed((each.left or 0) - (before or 0))} ({cause})")
    return ", ".join(words)


def _format_signed(amount: int) -> str:
    return f"{'+' if amount >= 0 else '-'} {abs(amount)}"


def _terms_or_steps(tree: Node, name: Name) -> Iterator[str]:
    node: Node | None = tree
    while node and not node.terms:  # the terms may be those of the same number below it
        node = next((each for each in node.of if type(each.value) is int and each.value == tree.value), None)
    steps = _segment_steps(tree) if tree.address.rpartition(".")[2] == "segment" else []
    if node:
        said = " ".join(f"{_format_signed(amount)} {what}" for what, amount in node.terms)
        yield f"{said.removeprefix('+ ')} = {value_in_words(tree.value)}."
    elif len(steps) > 1:
        words = [str(steps[0][0])]
        words += [f"{one} {_format_signed(other - one)} = {other}" for (one, _), (other, _) in pairwise(steps)]
        for place, (_, below) in enumerate(steps):
            which = f"event{'s' if len(below.events) != 1 else ''} {format_numbers(below.events)}"
            events = which if below.events else ""
            reason = f"{below.rules[0]} ({events})" if events and below.rules else (*below.rules, events)[0]
            words[place] += f" by {reason}"
        yield f"{'; '.join(words)}."
    for each in [one for one in tree.of if one.address and one.address != tree.address][:3]:
        yield f"It depends on {each.address}, which is {value_with_names(each.value, name)}."


def _segment_steps(node: Node) -> list[tuple[int, Node]]:
    """Return the segments that a place went through, the first one first, each with the node that made it."""
    below = next((each for each in node.of if _segment_of(each) is not None), None)
    found, segment = _segment_steps(below) if below else [], _segment_of(node)
    return found if segment is None or (found and found[-1][0] == segment) else [*found, (segment, node)]


def _segment_of(node: Node) -> int | None:
    found = node.value.get("segment") if isinstance(node.value, dict) else node.value
    return found if type(found) is int else None


def _format_variants(answer: Value, name: Name) -> Iterator[str]:
    for each in answer.corrections:
        made, value = each.correction, value_with_names(each.without, name)
        says = correction_in_words(made.event, f"event {made.seq}{in_parentheses(made.by)}", name)
        then = "there would be no such value" if each.without is None else f"it would be {value}"
        yield from wrap(f"A correction decided: {says}; without that {then}.")
    alike: dict[tuple[str, str, str], list[str]] = {}
    for one in answer.readings:
        then = "there would be none" if one.value is None else f"it would be {value_with_names(one.value, name)}"
        alike.setdefault((one.option, one.chosen, then), []).append(one.other)
    for (option, chosen, then), others in alike.items():
        yield from wrap(f"Read as {option} {chosen}: under {list_in_words(others)} {then}.")


def _format_precedence(answer: Before, state: State, name: Name, every: bool) -> Iterator[str]:
    yield from wrap(as_sentence(_precedence_sentence(answer, name)))
    for place in answer.places:
        where = [(what, number) for what, number in (("phase", place.phase), ("segment", place.segment)) if number]
        key = [(part, item) for part, item in place.key.items() if isinstance(item, int | str) and part != "round"]
        at = ", ".join(f"{what} {value_in_words(item)}" for what, item in where or key)
        number = f"place {place.number} in the order" if place.number else "a place in the timeline"
        yield from wrap(as_sentence(f"{name(place.combatant)} has {number}{f': {at}' if at else ''}"), "  ", "  ")
    parts = [
        f"{part} {value_in_words(both[0])} against {value_in_words(both[1])}"
        for part, both in answer.differs.items()
        if not any(isinstance(each, dict | list) for each in both)
    ]
    yield from wrap(f"Their places differ in {list_in_words(parts)}.") if parts else ()
    yield from facts_in_sentences(answer.facts, name, every, answer.weighed)
    yield from _format_clauses(answer.because, state, every)
    for each in answer.readings:
        then = "they would act at once" if each.value == "together" else f"{name(str(each.value))} would be first"
        yield from wrap(f"Read as {each.option} {each.chosen}: under {each.other} {then}.")
    yield from reason_lines(answer.because)


def _precedence_sentence(answer: Before, name: Name) -> str:
    one, other = name(answer.one), name(answer.other)
    if answer.together:
        return f"{one} and {other} act at once"
    if answer.first is None:
        there = {place.combatant for place in answer.places}
        gone = [name(who) for who in (answer.one, answer.other) if who not in there]
        return f"{list_in_words(gone)} {'has' if len(gone) == 1 else 'have'} no place in the order here; --at asks about another point"
    return f"{one} comes before {other}" if answer.first == answer.one else f"no: {other} comes before {one}"


def _format_finding(answer: WhyFinding, state: State, name: Name, every: bool) -> Iterator[str]:
    one = answer.finding
    weight = f"It is a {one.severity}, finding {one.id} of the audit, at event {one.event}."
    yield from wrap(f"{as_sentence(one.says)} {weight}")
    if one.expected or one.found:
        yield from wrap(f"Expected {one.expected or 'nothing'}, found {one.found or 'nothing'}.")
    for each in answer.partings:
        yield from _format_parting(each, name, one.event, every)
    yield from facts_in_sentences(answer.facts, name, every, answer.weighed) if every or not answer.partings else ()
    if words := clause_text(state.rules, one.rule):
        yield from wrap(f"The rule: {words} ({one.rule})")
    if answer.ruling:
        yield from wrap(f"It is waived: {fact_sentence(answer.ruling.event, name)} {_event_number(answer.ruling)}.")
    yield from reason_lines(Reason((one.rule,), one.because, looked_at=answer.weighed.looked_at), of="of ")


def _format_parting(one: Parting, name: Name, event: int, every: bool) -> Iterator[str]:
    on = f"event {one.agreed}, on {value_with_names(one.value, name)}"
    agreed = f"Both accounts of {one.address} last agreed at {on}."
    yield from wrap(agreed if one.agreed else f"Nobody had stated {one.address} before in agreement with the facts.")
    yield from wrap(f"They have differed since the statement of event {one.differed}.") if one.differed != event else ()
    if not one.touches:
        yield from wrap("No fact in between touched it: one is missing, or the statement is wrong.")
    shown = one.touches if every else one.touches[-5:]
    if len(shown) < len(one.touches):
        yield f"  … {count_noun(len(one.touches) - len(shown), 'earlier fact')}: --all"
    for each in shown:
        behind = f" after {fact_sentence(each.causes[0].event, name)}" if each.causes else ""
        corrections = f", {words}" if (words := describe_corrections(each)) else ""
        words = f"{describe_effect(each, name)}{corrections}: {fact_sentence(each.event, name)}{behind}"
        yield from wrap(words, "         ", f"{each.seq:>5}  ")
    if one.parted:
        now, then = value_with_names(one.stated, name), value_with_names(one.derived, name)
        yield from wrap(f"They differ from event {one.parted} on: {then} by the facts, {now} as stated.")
    if one.without:
        yield from wrap(f"Without event {list_in_words(map(str, one.without), 'or')} it would be as stated.")


HINDER = ("<who>.status", "<who>.casting", "due")  # values that are repeated as hindrances of a combatant
SENTENCES = {
    "over": "the fight is over",
    "left": "{who} has left the fight",
    "down": "{who} is {what}",
    "turn": "it is the turn of {who}",
    "busy": "{who} is in the middle of {what}",
    "acted": "{who} acted already in {when}: {what}",
    "lost": "{who} lost {what} in {when}",
    "held": "{who} has put off {what}, since {when}",
    "spoiled": "{what} of {who} in {when} was spoiled",
    "withdrawn": "{what} of {who} in {when} was withdrawn",
    "later": "{who} comes in {when}",
    "before": "{who} {come} first",
    "no place": "{who} has no place in the order of this round",
    "no round": "no round has begun",
}


def _able_lines(answer: Able, _state: State, name: Name, every: bool) -> Iterator[str]:
    yield from wrap(as_sentence(_ability_sentence(answer, name)))
    values = [each for each in answer.values if every or not answer.hindrances or each.pattern not in HINDER]
    parts: list[Value | Hindrance] = [*answer.hindrances, *values]
    for each in parts:
        if isinstance(each, Value):
            yield from wrap(as_sentence(_state_value(each, name)), "  ", "  ")
        elif not is_own_turn(each, answer.combatant):
            yield from wrap(as_sentence(describe_hindrance(each, name)), "  ", "  ")
        facts = _deciding_facts(each.facts, each.weighed)
        words = "; ".join(_numbered_facts(facts if every else facts[-2:], name))
        yield from wrap(words, "      ") if words else ()
        yield from reason_lines(each.because) if each.because.events else ()


PAGES: dict[type, Callable[[Any, State, Name, bool], Iterator[str]]] = {
    Value: _value_lines, Before: _format_precedence, WhyFinding: _format_finding, Able: _able_lines,
}  # fmt: skip


def _ability_sentence(answer: Able, name: Name) -> str:
    if any(is_own_turn(each, answer.combatant) for each in answer.hindrances):
        return f"{name(answer.combatant)} may go on: the turn has begun and is not over"
    due = "is due in this round, but not yet" if answer.hindrances else "may act now"
    return f"{name(answer.combatant)} {due if answer.due else 'is not due to act now'}"


def is_own_turn(one: Hindrance, who: str) -> bool:
    """Say whether a hindrance is only that it is the turn of the one in question."""
    return one.kind == "turn" and who in one.who


def describe_hindrance(one: Hindrance, name: Name) -> str:
    """Return in words the hindrance that keeps a combatant from acting."""
    who = list_in_words([name(each) for each in one.who])
    when = phrases.listed_briefly((str(one.when or ""), f"phase {one.phase}" if one.phase else ""))
    if one.kind == "acted" and not one.what:
        return f"{who} had the turn of {when} already"
    what = value_in_words(one.what) if one.what else "the turn"
    says = SENTENCES[one.kind].format(who=who, what=what, when=when, come="comes" if len(one.who) == 1 else "come")
    return f"{says}, until {one.until}" if one.kind == "busy" and one.until else says


def ask(
    log: LogView, question: str = "", where: Where | None = None, every: bool = False, short: bool = False
) -> Answer:
    """Return the answers to a question; raise Refused where it is none, or is about something that is not there."""
    words, point = split_point(question.split())
    past = replay_past(log, where or point)
    try:
        found = answer_question(past, words, thorough=every, variants=not short)
    except Refused as unknown:
        raise (log.problem or unknown) from None  # what is asked about may lie behind the fault
    first = addressing.coming_round(past.state, words)
    several = len(found) > 1 and not any(isinstance(one, WhyFinding) for one in found)  # about somebody in general

    def lines() -> list[str]:
        begin = wrap(first) if first else []
        if short or (not every and (several or first)):
            return [*begin, *(line for sentence in answers_as_sentences(found, past.state) for line in wrap(sentence))]
        return [*begin, *format_answers(found, past.state, every=every)]

    return Answer(lambda: Answered(tuple(found)), lines)


WHY = Question(
    "why", """Explain a value or finding of the log FILE: the facts, the dice, the rule, and its other readings.

    The QUESTION is the name of a combatant, the address of a value (ana.hp, ana.status, order), one of the forms below, or a sentence such
    as: why is ana low, who is next. Names are as at the table: as short as they are unique, in any case. @r2 at the
    end is --at r2. Findings have the numbers of encounter audit at the same point. With --json the command prints a list of answers with their trees.
    """,
    (
        Argument("q", "question", Kind.WORDS, "The question: ana.hp, ana before bo, finding 3, ana cannot act.", positional=True, needed=True, command_asks=True),
        AT,
        Argument("short", "short", Kind.FLAG, "One sentence, to be read aloud.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Every fact, every rule, and every other reading that changes the answer."),
    ),
    ask, "encounterlog.ask.why:Answered",
    "encounter why ford.jsonl ana.hp\nencounter why ford.jsonl ana before bo --at r2\nencounter why ford.jsonl finding 3\n"
    "encounter why ford.jsonl finding @14 RULE\nencounter why ford.jsonl ana cannot act",
)  # fmt: skip
